"""The server: uvicorn with a socket of ours, ended without losing what is under way."""

from __future__ import annotations

import errno
import os
import signal
import socket
from collections.abc import Callable, Collection
from typing import Any

import uvicorn
from fastapi import FastAPI

from sleuth.support.errors import SleuthError
from sleuth.web import hosts, proxies
from sleuth.web.app import create_app
from sleuth.web.connections import protocol
from sleuth.web.logs import Messages

_GRACE = 5


class Server(uvicorn.Server):
    """Serves an application. Its jobs are ended first: event streams close with them, and connections can.

    believed: proxies that are believed about clients' addresses, as proxies.trusted returns them.
    """

    def __init__(self, app: FastAPI, believed: str = "") -> None:
        super().__init__(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                server_header=False,
                http=protocol(app.state.limits.header_seconds),
                # Never None: uvicorn would believe this machine, or what the environment names.
                forwarded_allow_ips=believed,
                timeout_graceful_shutdown=_GRACE,
                ws="none",
            )
        )
        self._app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End what is under way, then the server."""
        await self._app.state.jobs.close()
        await super().shutdown(sockets)
        if self.force_exit:  # uvicorn leaves the application to be cancelled, which it reports as a fault
            await self.lifespan.shutdown()


def serve(
    host: str,
    port: int,
    ready: Callable[[str], None],
    allowed: Collection[str] = (),
    trusted: Collection[str] = (),
) -> None:
    """Serve until SIGTERM or Ctrl-C. Raises SleuthError.

    ready: called with the address.
    allowed: names that the server goes by besides `host` and localhost.
    trusted: proxies that are believed about clients, by address or network.
    """
    names, believed = hosts.names(allowed) | _own(host), proxies.trusted(trusted)
    bound = bind(host, port)
    # uvicorn raises the signal again when it has ended; to be asked to end is no failure.
    for asked in (signal.SIGINT, signal.SIGTERM):
        signal.signal(asked, lambda *_: None)
    name, number = bound.getsockname()[:2]
    ready(f"http://{f'[{name}]' if ':' in name else name}:{number}/")
    Messages().install()
    Server(create_app(hosts=names), believed).run([bound])


def _own(host: str) -> frozenset[str]:
    """Return the host to listen at as a name; where it is none, as ::1, bind says whether it will do."""
    try:
        return frozenset({hosts.plain(host)})
    except ValueError:
        return frozenset()


def bind(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raises SleuthError where the address cannot be had."""
    try:
        # The protocol must be named: only for TCP does asyncio send small packets at once.
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
        family, *_, address = found[0]
        return _listening(family, address)
    except OSError as error:
        reason = error.strerror or str(error)
        if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
            other = "choose a --host that is an address of this machine, or a name of one"
        else:
            other = "choose another --port, or 0 for any free one"
        raise SleuthError(f"cannot serve at {host}, port {port} ({reason}); {other}") from None


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
