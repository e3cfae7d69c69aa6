"""Clients take turns, and none has all places."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleuth.web.limits import client_of
from sleuth.web.turns import NoPlaceError, Turns

LONG = 60.0


class Seen:
    """Clients that ask for places, one after the other, and when they had them."""

    def __init__(self, turns: Turns) -> None:
        self.turns = turns
        self.order: list[str] = []
        self.has: Counter[str] = Counter()
        self.most: Counter[str] = Counter()
        self.tasks: list[asyncio.Task[None]] = []
        self.doors: list[asyncio.Event] = []

    async def ask(self, client: str) -> None:
        """Let a client ask for a place, which it gives back when its door is opened."""
        door = asyncio.Event()

        async def run() -> None:
            async with self.turns.place(client, LONG):
                self.order.append(client)
                self.has[client] += 1
                self.most[client] = max(self.most[client], self.has[client])
                try:
                    await door.wait()
                finally:
                    self.has[client] -= 1

        self.tasks.append(asyncio.create_task(run()))
        self.doors.append(door)
        await settled()

    async def end(self, i: int) -> None:
        """Open a door."""
        self.doors[i].set()
        await settled()


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def run_with(turns: Turns, script: Callable[[Seen], object]) -> Seen:
    """Return what was seen of a script."""

    async def run() -> Seen:
        seen = Seen(turns)
        await script(seen)  # type: ignore[misc]
        for door in seen.doors:
            door.set()
        await asyncio.gather(*seen.tasks, return_exceptions=True)
        return seen

    return asyncio.run(run())


def test_who_asks_for_much_waits_behind_himself() -> None:
    async def script(seen: Seen) -> None:
        for client in "aaaaabab":
            await seen.ask(client)
        for i in range(7):
            await seen.end(i)

    # Two places, so that a has one of them at most; b comes next each time that one is free.
    assert "".join(run_with(Turns(2, 100, 100), script).order[:3]) == "aba"


def test_no_client_has_all_places() -> None:
    async def script(seen: Seen) -> None:
        for client in "aaaaab":
            await seen.ask(client)
        assert seen.order == ["a", "a", "b"]
        assert seen.turns.waiting == 3

    seen = run_with(Turns(3, 100, 100), script)
    assert seen.most == {"a": 2, "b": 1}


def test_too_many_may_not_wait() -> None:
    async def script(seen: Seen) -> None:
        for client in "aaa":
            await seen.ask(client)
        with pytest.raises(NoPlaceError) as error:
            async with seen.turns.place("a", LONG):
                pass
        assert error.value.own
        await seen.ask("b")
        with pytest.raises(NoPlaceError) as error:
            async with seen.turns.place("c", LONG):
                pass
        assert not error.value.own

    run_with(Turns(1, 3, 2), script)


def test_a_place_is_waited_for_so_long() -> None:
    async def script(seen: Seen) -> None:
        await seen.ask("a")
        with pytest.raises(NoPlaceError) as error:
            async with seen.turns.place("b", 0.01):
                pass
        assert not error.value.own
        assert seen.turns.waiting == 0

    run_with(Turns(1, 3, 3), script)


def test_a_place_that_comes_at_the_moment_when_the_wait_ends_is_had() -> None:
    async def run() -> None:
        turns = Turns(1, 3, 3)
        had = []

        async def wait() -> None:
            async with turns.place("b", 0.01):
                had.append("b")

        async with turns.place("a", LONG):
            waits = asyncio.create_task(wait())
            await settled()
            time.sleep(0.02)  # its time is over before the loop can say so
            await asyncio.sleep(0)  # this goes on first, and the place is given just before the loop does
        await waits
        assert had == ["b"]
        async with turns.place("c", 0.01):  # and was given back
            pass

    asyncio.run(run())


def test_who_is_in_the_way_is_known() -> None:
    async def wait(seen: Seen, client: str, until: Callable[[], object]) -> bool:
        """Return whether a client that waits for too long was in its own way."""

        async def place() -> None:
            async with seen.turns.place(client, 0.05):
                pass

        waits = asyncio.create_task(place())
        await settled()
        await until()  # type: ignore[misc]
        with pytest.raises(NoPlaceError) as error:
            await waits
        return error.value.own

    async def script(seen: Seen) -> None:
        for client in "aa":
            await seen.ask(client)
        assert await wait(seen, "a", settled)  # it has all that a client may have
        await seen.ask("b")
        assert not await wait(seen, "c", settled)  # a and b have all places
        assert await wait(seen, "b", settled)
        for client in "cca":  # these wait
            await seen.ask(client)
        assert await wait(seen, "c", lambda: seen.end(0))  # the place goes to c, as it asked first
        assert seen.order == ["a", "a", "b", "c"]
        assert not await wait(seen, "d", settled)

    run_with(Turns(3, 100, 100), script)


def test_a_place_is_given_back_while_one_who_waits_leaves() -> None:
    async def script(seen: Seen) -> None:
        for client in "abc":
            await seen.ask(client)
        seen.doors[0].set()
        seen.tasks[1].cancel()
        await settled()
        assert seen.order == ["a", "c"]

    run_with(Turns(1, 3, 3), script)


@given(
    st.integers(1, 4),
    st.lists(
        st.tuples(st.sampled_from(["ask", "end", "cancel"]), st.sampled_from("abc"), st.integers(0, 30))
    ),
)
def test_places_are_had_once_and_nobody_waits_who_need_not(
    places: int, script: list[tuple[str, str, int]]
) -> None:
    turns = Turns(places, 10**6, 10**6)
    each = max(1, places - 1)

    async def play(seen: Seen) -> None:
        for what, client, i in script:
            if what == "ask":
                await seen.ask(client)
            elif seen.tasks and what == "end":
                await seen.end(i % len(seen.tasks))
            elif seen.tasks:
                seen.doors[(i + 1) % len(seen.tasks)].set()
                seen.tasks[i % len(seen.tasks)].cancel()
                with suppress(asyncio.CancelledError):
                    await seen.tasks[i % len(seen.tasks)]
                await settled()
            had = sum(seen.has.values())
            assert had <= places
            assert max(seen.has.values(), default=0) <= each
            assert turns._free == places - had
            if had < places:
                assert all(seen.has[one] == each for one in turns._queues)

    seen = run_with(turns, play)
    assert not turns._taken
    assert turns._free == places
    assert turns.waiting == 0
    assert not any(seen.has.values())


@pytest.mark.parametrize(
    ("address", "client"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("testclient", "testclient"),
    ],
)
def test_clients_are_addresses_and_networks(address: str, client: str) -> None:
    assert client_of({"type": "http", "client": (address, 1234)}) == client
    assert client_of({"type": "http", "client": None}) == ""
