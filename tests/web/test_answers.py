"""Answers that several clients wait for, of which one is refused."""

import asyncio
from typing import Any, cast

from sleuth.web.answers import Answers
from sleuth.web.workers import Pool, TooManyError


class Refusing:
    """A pool that refuses one client, in the end."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def run(self, task: str, request: dict[str, Any] | None = None, *, client: str = "") -> bytes:
        self.asked.append(client)
        await asyncio.sleep(0.01)
        if client == "greedy":
            raise TooManyError("too many of your requests wait", 2)
        return b"{}"


def test_nobody_is_refused_for_what_another_client_asked() -> None:
    async def run() -> list[bytes | BaseException]:
        answers = Answers(lambda: True)
        pool = cast("Pool", refusing)
        asked = [answers.get(pool, "suggest", client=who) for who in ("greedy", "b", "c", "greedy")]
        return await asyncio.gather(*asked, return_exceptions=True)

    refusing = Refusing()
    first, *others, last = asyncio.run(run())
    assert isinstance(first, TooManyError)
    assert others == [b"{}", b"{}"]
    assert isinstance(last, TooManyError)
    assert refusing.asked == ["greedy", "b"]
