"""Connections that must send whole headers in time; uvicorn, which reads them, lets them take for ever."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol


class HeaderTimer(asyncio.Protocol):
    """Goes before a protocol class of uvicorn's, and closes a connection whose headers do not come in time.

    Requests to upgrade, which the server does not, are answered as others are.

    The time runs from when the connection is opened, and from the first byte of each later request. What else
    may take long is bounded elsewhere: bodies by ClientLimits, silence between requests by uvicorn.
    """

    seconds: float
    transport: asyncio.Transport
    cycle: Any  # of the last request whose headers came whole; None before the first
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._arm()

    def data_received(self, data: bytes) -> None:
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before:
            self._disarm()
        elif self._timer is None and (self.cycle is None or self.cycle.response_complete):
            self._arm()

    def _unsupported_upgrade_warning(self) -> None:
        """Say nothing: an upgrade may be declined, and uvicorn would advise packages that are not wanted."""

    def connection_lost(self, exc: Exception | None) -> None:
        self._disarm()
        super().connection_lost(exc)

    def _arm(self) -> None:
        if not self.transport.is_closing():
            self._timer = asyncio.get_running_loop().call_later(self.seconds, self._close)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _close(self) -> None:
        self._timer = None
        self.transport.close()


def protocol(seconds: float) -> type[asyncio.Protocol]:
    """Return the protocol class that uvicorn would choose (httptools, else h11), with so long for headers."""
    return type("Connection", (HeaderTimer, AutoHTTPProtocol), {"seconds": seconds})
