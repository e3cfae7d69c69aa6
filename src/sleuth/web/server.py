"""The server: uvicorn with a socket of ours, ended without losing what is under way."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable
from typing import Any

import uvicorn
from fastapi import FastAPI

from sleuth.support.errors import SleuthError
from sleuth.web.app import create_app

_GRACE = 5


class Server(uvicorn.Server):
    """Serves an application. Its jobs are ended first: event streams close with them, and connections can."""

    def __init__(self, app: FastAPI) -> None:
        # Whom to believe about clients' addresses: nobody, unless the environment names proxies.
        proxies = os.environ.get("FORWARDED_ALLOW_IPS", "")
        super().__init__(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                server_header=False,
                forwarded_allow_ips=proxies,
                timeout_graceful_shutdown=_GRACE,
                ws="none",
            )
        )
        self._app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End what is under way, then the server."""
        await self._app.state.jobs.close()
        await super().shutdown(sockets)


def serve(host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve until SIGTERM or Ctrl-C. ready: called with the address. Raises SleuthError."""
    bound = bind(host, port)
    # uvicorn raises the signal again when it has ended; to be asked to end is no failure.
    for asked in (signal.SIGINT, signal.SIGTERM):
        signal.signal(asked, lambda *_: None)
    name, number = bound.getsockname()[:2]
    ready(f"http://{f'[{name}]' if ':' in name else name}:{number}/")
    Server(create_app()).run([bound])


def bind(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raises SleuthError where the address cannot be had."""
    try:
        # The protocol must be named: only for TCP does asyncio send small packets at once.
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
        family, *_, address = found[0]
        return _listening(family, address)
    except OSError as error:
        reason = error.strerror or str(error)
        raise SleuthError(
            f"cannot serve at {host}, port {port} ({reason}); choose another --port, or 0 for any free one"
        ) from None


def _listening(family: int, address: Any) -> socket.socket:
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        bound.listen(2048)
        bound.setblocking(False)
    except OSError:
        bound.close()
        raise
    return bound
