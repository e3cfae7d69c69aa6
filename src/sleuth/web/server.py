"""The server: uvicorn with a socket of ours, ended without losing what is under way."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable

import uvicorn
from fastapi import FastAPI

from sleuth.errors import SleuthError
from sleuth.web.app import create_app

_GRACE = 5


class _Server(uvicorn.Server):
    """Ends jobs first: event streams close with them, and connections can."""

    def __init__(self, config: uvicorn.Config, app: FastAPI) -> None:
        super().__init__(config)
        self._app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._app.state.jobs.close()
        await super().shutdown(sockets)


def serve(host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve until SIGTERM or Ctrl-C. ready: called with the address. Raises SleuthError."""
    bound = _bind(host, port)
    app = create_app()
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        # Whom to believe about clients' addresses: nobody, unless the environment names proxies.
        forwarded_allow_ips=os.environ.get("FORWARDED_ALLOW_IPS", ""),
        timeout_graceful_shutdown=_GRACE,
        ws="none",
    )
    # uvicorn raises the signal again when it has ended; to be asked to end is no failure.
    for asked in (signal.SIGINT, signal.SIGTERM):
        signal.signal(asked, lambda *_: None)
    name, number = bound.getsockname()[:2]
    ready(f"http://{f'[{name}]' if ':' in name else name}:{number}/")
    _Server(config, app).run([bound])


def _bind(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raises SleuthError where the address cannot be had."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, socket.SOCK_STREAM)
        if os.name == "posix":
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        bound.listen(2048)
    except OSError as error:
        reason = error.strerror or str(error)
        raise SleuthError(
            f"cannot serve at {host}, port {port} ({reason}); choose another --port, or 0 for any free one"
        ) from None
    bound.setblocking(False)
    return bound
