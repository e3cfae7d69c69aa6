"""The names the server goes by: a page that points a name of its own here (DNS rebinding) gets nothing."""

from __future__ import annotations

import re
from collections.abc import Collection
from ipaddress import ip_address

from starlette.types import ASGIApp, Receive, Scope, Send

from sleuth.support.errors import SleuthError
from sleuth.web.problems import problem

ALWAYS = "localhost"
"""The name that is always allowed: browsers look it up at nobody's."""
_LONGEST = 253
_HOST = re.compile(r"(?:\[(?P<six>[0-9A-Za-z:.%]+)\]|(?P<name>[A-Za-z0-9._~!$&'()*+,;=%-]+))(?::[0-9]*)?")


def plain(host: str) -> str:
    """Return a host in lower case without its port, its brackets and a dot at its end. Raises ValueError."""
    found = _HOST.fullmatch(host)
    if found is None:
        raise ValueError("no host")
    if found["six"]:
        return str(ip_address(found["six"]))
    name = found["name"].lower().removesuffix(".")
    if not name or len(name) > _LONGEST:
        raise ValueError("no host")
    return name


def names(given: Collection[str]) -> frozenset[str]:
    """Return the names to allow as they are compared. Raises SleuthError."""
    found = {ALWAYS}
    for name in given:
        try:
            found.add(plain(name))
        except ValueError:
            raise SleuthError(
                f"--allow-host takes the name of a host such as sleuth.example, not {name!r}"
            ) from None
    return frozenset(found)


class Hosts:
    """Refuses requests for a name that is not the server's (421), and for none or one that cannot be (400).

    Addresses pass, whichever they are: rebinding takes a name.
    """

    def __init__(self, app: ASGIApp, names: Collection[str]) -> None:
        self.app = app
        self.names = frozenset(names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        refused = self._refused(scope) if scope["type"] == "http" else None
        if refused is None:
            await self.app(scope, receive, send)
        else:
            await problem(scope["path"], *refused)(scope, receive, send)

    def _refused(self, scope: Scope) -> tuple[int, str] | None:
        """Return status and detail of a refusal, or None."""
        given = [value.decode("latin-1").strip() for name, value in scope["headers"] if name == b"host"]
        if not given and scope["http_version"] == "1.0":
            return None
        if len(given) != 1:
            return 400, "a request needs one Host header"
        try:
            host = plain(given[0])
        except ValueError:
            return 400, "the Host header is not a host and a port"
        if host in self.names or _is_address(host):
            return None
        return 421, f"this server does not go by the name {host}; who runs it says which names it has"


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
