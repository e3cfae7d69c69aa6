"""Whom to believe about the addresses of clients: proxies that are named, and nobody else."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_address, ip_network

from sleuth.support.errors import SleuthError

ANYONE = "*"


def trusted(given: Iterable[str]) -> str:
    """Return addresses and networks as uvicorn takes them, separated by commas. Raises SleuthError.

    given: each may hold several separated by commas, as the environment variable FORWARDED_ALLOW_IPS does.
    """
    found = [one for text in given for one in (part.strip() for part in text.split(",")) if one]
    for one in found:
        if one != ANYONE:
            try:
                ip_network(one) if "/" in one else ip_address(one)
            except ValueError as error:
                raise SleuthError(
                    f"--trusted-proxy (or FORWARDED_ALLOW_IPS) takes an address such as 127.0.0.1"
                    f" or a network such as 10.0.0.0/8, not {one!r} ({error})"
                ) from None
    # uvicorn knows the star only where it stands alone.
    return ANYONE if ANYONE in found else ",".join(found)
