"""Whose turn it is: so many places, which clients that wait are given one after the other."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class NoPlaceError(Exception):
    """Too many wait already, or no place came in time.

    Attributes:
        own: whether what the client who asks asked before is what is in the way.

    """

    def __init__(self, own: bool) -> None:
        super().__init__("there is no place")
        self.own = own


class _Queue(deque[asyncio.Future[None]]):
    """What a client waits with; there is one as long as it waits.

    Attributes:
        served: how many of its turns came.

    """

    served = 0


class Turns:
    """Places, and a queue of each client who waits for one: who asks for much waits behind himself.

    Clients take turns, whatever each has in its queue. No client has all places, where there are several, so
    that one is free, or soon, for who comes next.

    places: how many there are. most, most_each: how many may wait, in all and of one client.
    """

    def __init__(self, places: int, most: int, most_each: int) -> None:
        self._free = places
        self._places_each = max(1, places - 1)
        self._most = most
        self._most_each = most_each
        self._taken: Counter[str] = Counter()
        # Clients in the order of their turns, and what each waits with.
        self._queues: OrderedDict[str, _Queue] = OrderedDict()

    @property
    def waiting(self) -> int:
        """How many wait for a place."""
        return sum(map(len, self._queues.values()))

    @property
    def clients(self) -> int:
        """How many clients wait for a place."""
        return len(self._queues)

    @asynccontextmanager
    async def place(self, client: str, seconds: float) -> AsyncIterator[None]:
        """Have a place within this. Raises NoPlaceError: at once, or after so many seconds without one."""
        await self._wait(client, seconds)
        try:
            yield
        finally:
            self._give_back(client)

    async def _wait(self, client: str, seconds: float) -> None:
        if self._free and self._taken[client] < self._places_each:
            self._take(client)  # whoever waits has as many places as a client may
            return
        queue = self._queues.get(client, _Queue())
        if len(queue) >= self._most_each or self.waiting >= self._most:
            raise NoPlaceError(len(queue) >= self._most_each)
        turn = asyncio.get_running_loop().create_future()
        self._queues.setdefault(client, queue).append(turn)
        had, served = self._taken[client], queue.served
        try:
            async with asyncio.timeout(seconds):
                await turn
        except BaseException as error:
            if not turn.done() or turn.cancelled():
                self._leave(client, turn)
            elif isinstance(error, TimeoutError):
                return  # it came at the same moment
            else:
                self._give_back(client)
            if isinstance(error, TimeoutError):
                # A place that the client had meanwhile would have been for this alone.
                raise NoPlaceError(had > 0 or queue.served > served) from None
            raise

    def _take(self, client: str) -> None:
        self._free -= 1
        self._taken[client] += 1

    def _give_back(self, client: str) -> None:
        self._free += 1
        self._taken[client] -= 1
        if not self._taken[client]:
            del self._taken[client]
        for next_ in list(self._queues):
            if not self._free:
                return
            if self._taken[next_] < self._places_each:
                self._let_in(next_)

    def _let_in(self, client: str) -> None:
        """Give a place to the first of a client that still waits; then other clients come first."""
        queue = self._queues.pop(client)
        while queue:
            turn = queue.popleft()
            if not turn.done():  # else it is about to leave
                self._take(client)
                queue.served += 1
                turn.set_result(None)
                break
        if queue:
            self._queues[client] = queue

    def _leave(self, client: str, turn: asyncio.Future[None]) -> None:
        queue = self._queues.get(client)
        if queue is not None and turn in queue:
            queue.remove(turn)
            if not queue:
                del self._queues[client]
