"""What one client may ask for: how large, how fast, how much at once."""

from __future__ import annotations

import asyncio
import math
import time
from collections import OrderedDict
from dataclasses import dataclass
from ipaddress import IPv6Address, IPv6Network, ip_address

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sleuth.web.problems import problem

_READ_ON = 16
_HOME = 64
"""Bits of an IPv6 address that name a network."""


@dataclass(frozen=True)
class Limits:
    """The bounds of the server.

    Attributes:
        header_seconds: how long a client may take to send the headers of a request.
        body: bytes of a request.
        body_seconds: how long a client may take to send it.
        rate: requests a second of one client, in the long run; twice as many at once.
        at_once: requests of one client in progress.
        waiting: requests that wait for a worker, in all; of one client a quarter.
        seconds: how long a short request may compute.
        long_seconds: how long a long one may (rankings, reviews, large lists of words).
        job_seconds: how long a job may take (evaluations, difficulty, episodes).
        jobs: jobs in progress or waiting, in all.
        jobs_each: the same, of one client.
        kept_seconds: how long what came of a job is kept.

    """

    header_seconds: float = 10.0
    body: int = 2**20
    body_seconds: float = 20.0
    rate: float = 500.0
    at_once: int = 64
    waiting: int = 200
    seconds: float = 20.0
    long_seconds: float = 60.0
    job_seconds: float = 900.0
    jobs: int = 64
    jobs_each: int = 4
    kept_seconds: float = 900.0


def client_of(scope: Scope) -> str:
    """Return who asks: an address, or the network of one of IPv6, of which everybody has very many."""
    host = scope["client"][0] if scope.get("client") else ""
    try:
        address = ip_address(host)
    except ValueError:  # a socket of the file system, or a test
        return host
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(IPv6Network((int(address), _HOME), strict=False))
    return host


class _Bucket:
    """What a client has used of its rate, and how many of its requests are in progress."""

    def __init__(self, tokens: float) -> None:
        self.tokens = tokens
        self.at = time.monotonic()
        self.open = 0


class ClientLimits:
    """Refuses requests that are too large (413), too slow (408), too many (429), of unclear length (400)."""

    _CLIENTS = 10000

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self.app = app
        self.limits = limits
        self.clients: OrderedDict[str, _Bucket] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        bucket = self._bucket(client_of(scope))
        wait = self._wait(bucket)
        if wait > 0:
            detail = f"more than {self.limits.rate:g} requests a second; try again in {wait} s"
            answer = problem(scope["path"], 429, detail, headers={"Retry-After": str(wait)})
            await answer(scope, receive, send)
            return
        if bucket.open >= self.limits.at_once:
            detail = f"more than {self.limits.at_once} requests at once; wait for some to end"
            answer = problem(scope["path"], 429, detail, headers={"Retry-After": "1"})
            await answer(scope, receive, send)
            return
        bucket.open += 1
        try:
            await self._bounded(scope, receive, send)
        finally:
            bucket.open -= 1

    async def _bounded(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the whole body first: what comes after knows that it is small."""
        if {b"content-length", b"transfer-encoding"} <= {name for name, _ in scope["headers"]}:
            # Two readers of such a request may not agree on where it ends.
            detail = "a request has Content-Length or Transfer-Encoding, not both"
            refusal = problem(scope["path"], 400, detail, headers={"Connection": "close"})
            await refusal(scope, receive, send)
            return
        body = bytearray()
        size, more = 0, True
        try:
            async with asyncio.timeout(self.limits.body_seconds):
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return
                    size += len(message.get("body", b""))
                    # What is too large is read on for a while: a client that still sends reads no answer.
                    more = message.get("more_body", False) and size <= _READ_ON * self.limits.body
                    if size <= self.limits.body:
                        body += message.get("body", b"")
        except TimeoutError:
            detail = f"the request was not sent within {self.limits.body_seconds:g} seconds"
            refusal = problem(scope["path"], 408, detail, headers={"Connection": "close"})
            await refusal(scope, receive, send)
            return
        if size > self.limits.body:
            detail = f"a request may have {self.limits.body} bytes at most"
            refusal = problem(scope["path"], 413, detail, headers={"Connection": "close"})
            await refusal(scope, receive, send)
            return
        read = False

        async def replay() -> Message:
            nonlocal read
            if read:
                return await receive()
            read = True
            return {"type": "http.request", "body": bytes(body), "more_body": False}

        await self.app(scope, replay, send)

    def _bucket(self, client: str) -> _Bucket:
        bucket = self.clients.pop(client, None) or _Bucket(2 * self.limits.rate)
        self.clients[client] = bucket
        if len(self.clients) > self._CLIENTS:
            self.clients.popitem(last=False)
        return bucket

    def _wait(self, bucket: _Bucket) -> int:
        """Take a token of a client; return the seconds until there is one, 0 when there was."""
        now = time.monotonic()
        bucket.tokens = min(2 * self.limits.rate, bucket.tokens + (now - bucket.at) * self.limits.rate)
        bucket.at = now
        if bucket.tokens < 1:
            return math.ceil((1 - bucket.tokens) / self.limits.rate)
        bucket.tokens -= 1
        return 0
