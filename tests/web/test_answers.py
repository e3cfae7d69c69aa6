"""Answers that several clients wait for, of which one is refused."""

import asyncio
import json
from typing import Any, cast

from pydantic import BaseModel

from sleuth.web.answers import Answers
from sleuth.web.workers import Pool, TooManyError


class Refusing:
    """A pool that refuses one client, in the end."""

    crowded = False

    def __init__(self) -> None:
        self.asked: list[Any] = []

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


class Asked(BaseModel):
    """A request that may take some time."""

    seconds: float


class Telling(Refusing):
    """A pool that answers with what it was asked."""

    async def run(self, task: str, request: dict[str, Any] | None = None, *, client: str = "") -> bytes:
        assert request is not None
        self.asked.append(request["seconds"])
        return json.dumps(request).encode()


def test_what_is_not_known_is_hurried_where_many_wait() -> None:
    async def ask(seconds: float) -> Any:
        pool = cast("Pool", telling)
        answer = await answers.get(pool, "suggest", Asked(seconds=seconds), "a", Asked(seconds=0.1))
        return json.loads(answer)["seconds"]

    async def run() -> list[Any]:
        found = [await ask(5)]
        telling.crowded = True
        found += [await ask(5), await ask(4), await ask(3)]  # known; not known; the same when it is hurried
        telling.crowded = False
        return [*found, await ask(4)]

    answers, telling = Answers(lambda: True), Telling()
    assert asyncio.run(run()) == [5, 5, 0.1, 0.1, 4]
    assert telling.asked == [5, 0.1, 4]
