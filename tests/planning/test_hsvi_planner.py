"""HSVI on line: play is worth what was proven before it, and each decision has bounds that hold."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_pomdps import dense, random_pomdp

from sleuth.planning.pomdps.hsvi import HSVI
from sleuth.planning.pomdps.hsvi_planner import HsviPlanner
from sleuth.planning.pomdps.modelled import ModelledPomdp
from sleuth.planning.pomdps.online import decide, play
from sleuth.planning.pomdps.problems import hallway_pomdp, tiger_pomdp
from sleuth.planning.searches import HsviMethod
from sleuth.support.errors import Interrupted, SleuthError
from sleuth.support.progress import Progress

DEEP = 3


def worth(modelled: ModelledPomdp, planner: HsviPlanner) -> float:
    """Return what play is worth: all that can be seen for some steps, then what was known of the belief."""
    pomdp = modelled.pomdp
    transition, observation = dense(pomdp)
    value = 0.0

    def follow(history: list[tuple[int, int]], weight: np.ndarray, scale: float) -> None:
        nonlocal value
        planner.begin()
        for action, seen in history:
            planner.search()
            planner.observe(action, seen)
        found = planner.search()
        if len(history) == DEEP:
            value += scale * weight.sum() * found.achieved
            return
        action = int(found.action)
        value += scale * float(weight @ pomdp.reward[action])
        for seen in range(len(pomdp.observations)):
            after = (weight @ transition[action]) * observation[action, :, seen]
            if after.sum() > 1e-12:
                follow([*history, (action, seen)], after, scale * pomdp.discount)

    follow([], pomdp.initial, 1.0)
    return value


@given(st.integers(0, 10**6), st.integers(0, 4), st.integers(0, 2))
def test_play_is_worth_what_was_proven_before_it(seed: int, planned: int, trials: int) -> None:
    modelled = ModelledPomdp(random_pomdp(seed))
    search = HSVI(modelled.pomdp)
    search.run(trials=planned)
    before = search.lower, search.upper
    assert before[0] - 1e-9 <= worth(modelled, HsviPlanner(modelled, search, trials=trials))
    assert (search.lower, search.upper) == before, "what was planned is left as it is"


@given(st.integers(0, 10**6), st.integers(0, 20))
def test_bounds_of_decisions_hold_and_get_better(seed: int, drawn: int) -> None:
    modelled = ModelledPomdp(random_pomdp(seed))
    search = HSVI(modelled.pomdp)
    planner, rng = HsviPlanner(modelled, search, trials=2), Random(drawn)
    for _ in range(3):
        found = planner.search()
        more = planner.search()
        assert found.achieved - 1e-9 <= more.achieved <= more.bound + 1e-9 <= found.bound + 2e-9
        there = HSVI(modelled.pomdp)
        there.move(*planner._at)
        there.run(trials=30)
        assert there.lower <= more.bound + 1e-9
        assert more.achieved <= there.upper + 1e-9
        seen = rng.randrange(len(modelled.pomdp.observations))
        try:
            planner.observe(int(more.action), seen)
        except SleuthError:  # that cannot be observed there
            break


def test_time_that_is_too_short_for_a_trial_is_saved_up() -> None:
    modelled = ModelledPomdp(hallway_pomdp())
    search = HSVI(modelled.pomdp)
    search.run(trials=5)
    search.took = 0.1
    planner = HsviPlanner(modelled, search, seconds=0.04)
    assert [planner.search(seconds).simulations for seconds in (0.04, 0.04)] == [0, 0]
    planner.observe(0, 0)
    assert planner.search(0.04).simulations > 0
    # What is saved is no more than a trial takes.
    assert 0 <= planner._saved <= planner._search.took
    assert planner.search(0.0).simulations <= 1


def test_it_plays_the_tiger_and_stops_at_the_gap() -> None:
    modelled = ModelledPomdp(tiger_pomdp())
    planners = HsviMethod(seconds=5.0, online=True).planners(modelled)
    assert planners.bounds is not None
    assert planners.bounds[0] == pytest.approx(19.3714, abs=1e-3)
    planner = planners.new(0)
    assert isinstance(planner, HsviPlanner)
    assert modelled.pomdp.actions[decide(planner, None)] == "listen"
    assert planner.search().simulations == 0  # the gap is closed before play
    assert play(modelled.pomdp, planner, Random(0)) > -200
    assert modelled.root[1].tolist() == [0.5, 0.5]


def test_progress_and_interrupts() -> None:
    modelled = ModelledPomdp(hallway_pomdp())
    told: list[Progress] = []
    planner = HsviPlanner(modelled, HSVI(modelled.pomdp), trials=5)

    def stop(now: Progress) -> None:
        told.append(now)
        if now.done == 2:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        planner.search(progress=stop)
    assert [now.done for now in told] == [1, 2]
    assert stopped.value.known.simulations == 2
    with pytest.raises(SleuthError, match="trials"):
        HsviPlanner(modelled, HSVI(modelled.pomdp), trials=-1)
    with pytest.raises(SleuthError, match="ModelledPomdp"):
        HsviPlanner(modelled.pomdp, HSVI(modelled.pomdp))  # type: ignore[arg-type]
