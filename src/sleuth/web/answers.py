"""Answers of workers, kept: positions repeat, and many ask the same at once."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable
from hashlib import sha256

from pydantic import BaseModel

from sleuth.web.workers import Pool, TooManyError

MOST_BYTES = 2**25


class Answers:
    """Results by task and request; those asked for last are kept, MOST_BYTES of them in all.

    Only tasks whose result depends on their request alone may be asked for here. keeps: says whether it does,
    or is provisional.

    Attributes:
        asked: how many were "kept", were "under way" for another request, or were "computed".
        bytes: what those kept take.

    """

    def __init__(self, keeps: Callable[[], bool], most: int = MOST_BYTES) -> None:
        self._keeps = keeps
        self._most = most
        self.bytes = 0
        self.asked = Counter({"kept": 0, "under way": 0, "computed": 0})
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()
        self._open: dict[bytes, tuple[str, asyncio.Task[bytes]]] = {}

    async def get(
        self,
        pool: Pool,
        task: str,
        request: BaseModel | None = None,
        client: str = "",
        hurried: BaseModel | None = None,
    ) -> bytes:
        """Return the result as JSON, from a worker of the pool where it is not known. Raises as Pool.run.

        hurried: what is asked instead where the pool is crowded and the result is not known.
        """
        key = _key(task, request)
        if hurried is not None and key not in self._kept and pool.crowded:
            request, key = hurried, _key(task, hurried)
        if key in self._kept:
            self._kept.move_to_end(key)
            self.asked["kept"] += 1
            return self._kept[key]
        self.asked["under way" if key in self._open else "computed"] += 1
        while True:
            if key not in self._open:
                given = None if request is None else request.model_dump(mode="json")
                task_ = asyncio.create_task(self._ask(key, pool, task, given, client))
                task_.add_done_callback(_looked_at)
                self._open[key] = client, task_
            who, open_ = self._open[key]
            try:
                # A client that goes away must not end what others wait for.
                return await asyncio.shield(open_)
            except TooManyError:
                if who == client:
                    raise
                # Another client has asked for too much, and this one has not.

    async def _ask(
        self, key: bytes, pool: Pool, task: str, given: dict[str, object] | None, client: str
    ) -> bytes:
        keeps = self._keeps()
        try:
            result = await pool.run(task, given, client=client)
        finally:
            del self._open[key]
        if not keeps:
            return result
        self._kept[key] = result
        self.bytes += len(result)
        while self.bytes > self._most:
            self.bytes -= len(self._kept.popitem(last=False)[1])
        return result


def _key(task: str, request: BaseModel | None) -> bytes:
    """Return what an answer is kept by."""
    text = b"" if request is None else request.model_dump_json().encode()
    return sha256(task.encode() + b"\0" + text).digest()


def _looked_at(task: asyncio.Task[bytes]) -> None:
    """Take note of how a task ended, though all who waited for it may have gone."""
    if not task.cancelled():
        task.exception()
