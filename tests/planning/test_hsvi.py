"""Point-based value iteration: kernels against plain twins, bounds against exact values, known answers."""

import time
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from random_pomdps import dense, random_pomdp

from sleuth.kernels.compiling import preparing
from sleuth.kernels.hsvi import lower_value, trial, upper_value
from sleuth.planning.belief_search import BeliefSearch
from sleuth.planning.pomdps import hsvi
from sleuth.planning.pomdps.alpha_vectors import AlphaVectors
from sleuth.planning.pomdps.checking import check_policy, simulate_policy
from sleuth.planning.pomdps.hsvi import HSVI, _lists, blind_bound, fast_informed_bound, qmdp_bound
from sleuth.planning.pomdps.parts import parts_of
from sleuth.planning.pomdps.pomdp import POMDP
from sleuth.planning.pomdps.problems import hallway_pomdp, rocksample_pomdp, tag_pomdp, tiger_pomdp
from sleuth.planning.pomdps.stating import pomdp_of_control
from sleuth.planning.problems.rocksample import RockSample
from sleuth.planning.situation import start
from sleuth.support.errors import Interrupted, SleuthError
from sleuth.support.progress import Progress

SEEDS = st.integers(0, 10**6)
Array = NDArray[np.float64]


def joint(pomdp: POMDP) -> Array:
    """Return P(next state and observation): [actions, observations, states, next states]."""
    transition, observation = dense(pomdp)
    return np.einsum("ast,ato->aost", transition, observation)


def exact(pomdp: POMDP, room: int = 20_000) -> tuple[float, float]:
    """Return limits of the optimal value: all that can be done and seen for so many steps, beliefs whole."""
    ways = joint(pomdp)
    beliefs = [pomdp.initial[None]]
    while len(beliefs[-1]) * ways.shape[0] * ways.shape[1] <= room and len(beliefs) < 40:
        beliefs.append(np.einsum("bs,aost->baot", beliefs[-1], ways).reshape(-1, len(pomdp.states)))
    found = []
    for reward in (pomdp.reward.min(), pomdp.reward.max()):
        values = beliefs[-1].sum(axis=1) * reward / (1 - pomdp.discount)
        for weights in reversed(beliefs[:-1]):
            ahead = values.reshape(len(weights), *ways.shape[:2]).sum(axis=2)
            values = (weights @ pomdp.reward.T + pomdp.discount * ahead).max(axis=1)
        found.append(float(values[0]))
    return found[0], found[1]


@given(SEEDS)
def test_first_bounds_are_those_of_dense_twins(seed: int) -> None:
    pomdp = random_pomdp(seed)
    ways, discount = joint(pomdp), pomdp.discount
    most = pomdp.reward.max() / (1 - discount)
    by_state, fast = np.full_like(pomdp.reward, most), np.full_like(pomdp.reward, most)
    blind = np.full_like(pomdp.reward, pomdp.reward.min() / (1 - discount))
    for _ in range(100):
        by_state = pomdp.reward + discount * np.einsum("aost,t->as", ways, by_state.max(axis=0))
        fast = pomdp.reward + discount * np.einsum("aost,bt->aosb", ways, fast).max(axis=3).sum(axis=1)
        blind = pomdp.reward + discount * np.einsum("aost,at->as", ways, blind)
    for found, twin in ((qmdp_bound, by_state), (fast_informed_bound, fast), (blind_bound, blind)):
        assert found(pomdp) == pytest.approx(float((twin @ pomdp.initial).max()), abs=1e-4)
    assert blind_bound(pomdp) <= fast_informed_bound(pomdp) + 1e-9
    assert fast_informed_bound(pomdp) <= qmdp_bound(pomdp) + 1e-4


@given(SEEDS)
def test_the_exact_value_lies_between_the_bounds_and_the_gap_closes(seed: int) -> None:
    pomdp = random_pomdp(seed)
    least, most = exact(pomdp)
    search = HSVI(pomdp)
    for trials in (0, 1, 3):
        found = search.run(trials=trials)
        assert found.lower <= most + 1e-9
        assert found.upper >= least - 1e-9
    found = search.run(trials=2000)
    assert found.gap <= 1e-3
    assert found.lower <= most + 1e-9
    assert found.upper >= least - 1e-9
    checked = check_policy(pomdp, search.policy())
    assert checked.value == pytest.approx(found.lower, abs=1e-9)


@given(SEEDS)
def test_bounds_of_beliefs_are_those_of_plain_twins(seed: int) -> None:
    pomdp = random_pomdp(seed)
    search = HSVI(pomdp)
    search.run(trials=4)
    layout, lower, upper = search.parts.layout, search._lower, search._upper
    rng = np.random.default_rng(seed)
    for part, states in enumerate(search.parts.members):
        belief = rng.dirichlet(np.ones(len(states)))
        vectors = {v: lower.values[lower.place[v] :][: len(states)] for v in _lists(lower)[part]}
        value, vector = lower_value(part, belief, lower)
        assert value == pytest.approx(max(float(values @ belief) for values in vectors.values()))
        assert float(vectors[vector] @ belief) == pytest.approx(value)
        corner = upper.corner[layout.first[part] :][: len(states)]
        worths = [float(corner @ belief)]
        begins = layout.reward[layout.choice[part] : layout.choice[part + 1]]
        worths.append(max(float(upper.fast[begin:][: len(states)] @ belief) for begin in begins))
        for point in _lists(upper)[part]:
            place = slice(upper.place[point], upper.place[point] + upper.size[point])
            at, weight = upper.state[place], upper.weight[place]
            drop = upper.value[point] - float(corner[at] @ weight)
            worths.append(worths[0] + float((belief[at] / weight).min()) * min(drop, 0))
        assert upper_value(part, belief, layout, upper) == pytest.approx(min(worths))


def bound_of(search: HSVI, weight: Array, which: str) -> float:
    """Return a bound of a weight, [states], that may follow play."""
    possible = set(np.flatnonzero(weight).tolist())
    parts = search.parts
    # A part of the initial belief's own is the last that comes into question: play does not go back to it.
    order = sorted(range(len(parts.members)), key=lambda part: (part == parts.root, part))
    part = next(p for p in order if possible <= set(parts.members[p].tolist()))
    inside = np.ascontiguousarray(weight[parts.members[part]])
    if which == "lower":
        return float(lower_value(part, inside, search._lower)[0])
    return float(upper_value(part, inside, parts.layout, search._upper))


def backed_up(search: HSVI, belief: Array, which: str) -> float:
    """Return one step of Bellman's operator on a bound, from dense arrays."""
    pomdp, ways = search.pomdp, joint(search.pomdp)
    worths = []
    for action in range(len(pomdp.actions)):
        worth = float(pomdp.reward[action] @ belief)
        for after in belief @ ways[action]:
            if after.sum() > 0:
                worth += pomdp.discount * bound_of(search, after, which)
        worths.append(worth)
    return max(worths)


@given(SEEDS, st.integers(0, 3))
def test_a_trial_that_wants_nothing_is_one_step_of_both_bounds(seed: int, trials: int) -> None:
    pomdp = random_pomdp(seed)
    search = HSVI(pomdp)
    search.run(trials=trials)
    lower, upper = (backed_up(search, pomdp.initial, which) for which in ("lower", "upper"))
    before = search.lower, search.upper
    search._make_room()
    search._try(inf)
    assert search.lower == pytest.approx(max(lower, before[0]), abs=1e-9)
    assert search.upper == pytest.approx(min(upper, before[1]), abs=1e-9)


@given(SEEDS)
def test_no_point_is_lower_than_a_step_of_the_bound(seed: int) -> None:
    """The proof of the upper bound."""
    pomdp = random_pomdp(seed)
    search = HSVI(pomdp)
    search.run(trials=6)
    upper = search._upper
    for part, points in enumerate(_lists(upper)):
        states = search.parts.members[part]
        for point in points:
            belief = np.zeros(len(pomdp.states))
            inside = slice(upper.place[point], upper.place[point] + upper.size[point])
            belief[states[upper.state[inside]]] = upper.weight[inside]
            assert upper.value[point] >= backed_up(search, belief, "upper") - 1e-9


def test_the_tiger_is_proven() -> None:
    """The value is known: 19.37 (Kaelbling et al. 1998)."""
    search = HSVI(tiger_pomdp())
    found = search.run(trials=1000)
    assert found.gap <= 1e-3
    assert found.lower <= 19.3714 <= found.upper
    assert found.action == "listen"
    mean, error = simulate_policy(search.pomdp, search.policy(), 300)
    assert abs(mean - found.lower) <= 4 * error


def test_rocksample_is_proven_and_what_is_seen_makes_parts() -> None:
    pomdp = rocksample_pomdp(4, 4)
    search = HSVI(pomdp)
    assert sorted(map(len, search.parts.members)) == [1, *[16] * 16]
    found = search.run(gap=0.02, trials=5000)
    assert found.gap <= 0.02
    problem = RockSample(4, 4)
    other = BeliefSearch(problem, start(problem)).run(20_000)
    assert found.lower <= -other.least + 1e-6
    assert found.upper >= -other.most - 1e-6
    checked = check_policy(pomdp, search.policy())
    assert checked.value == pytest.approx(found.lower)


def test_a_problem_with_a_fixed_parameter_is_worth_the_same_as_a_pomdp() -> None:
    problem = RockSample(3, 2)
    other = BeliefSearch(problem, start(problem)).run(20_000)
    for pomdp in (pomdp_of_control(problem).pomdp, rocksample_pomdp(3, 2)):
        found = HSVI(pomdp).run(trials=3000)
        assert found.gap <= 1e-3
        assert found.lower - 1e-6 <= -other.most <= -other.least <= found.upper + 1e-3


def test_tag_and_the_hallway_are_as_large_as_they_should_be() -> None:
    tag = tag_pomdp()
    assert (len(tag.states), len(tag.actions)) == (29 * 29 + 1, 5)
    parts = parts_of(tag)
    assert len(parts.members) == 2 * 29 + 2  # the robot sees its cell, and who is there; end and begin
    assert len(parts.belief) == 29 * 29
    hallway = hallway_pomdp()
    assert (len(hallway.states), len(hallway.actions), len(hallway.observations)) == (57, 5, 20)
    found = HSVI(hallway).run(trials=20)
    assert 0 < found.lower < found.upper


def test_what_is_known_comes_with_an_interrupt() -> None:
    def stop(progress: Progress) -> None:
        assert "between" in progress.remark
        if progress.done == 3:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        HSVI(tiger_pomdp()).run(progress=stop)
    assert stopped.value.known.trials == 3
    assert stopped.value.known.lower < 19.3714 < stopped.value.known.upper


def test_limits_that_are_none_are_refused() -> None:
    search = HSVI(tiger_pomdp())
    for wrong, said in (({"gap": 0.0}, "gap"), ({"seconds": -1.0}, "seconds"), ({"trials": -1}, "trials")):
        with pytest.raises(SleuthError, match=said):
            search.run(**wrong)
    assert search.run(seconds=0).trials == 0


def test_policies_are_saved_chosen_from_and_false_ones_found(tmp_path: Path) -> None:
    pomdp = tiger_pomdp()
    search = HSVI(pomdp)
    search.run(trials=200)
    policy = search.policy()
    policy.save(tmp_path / "tiger.json")
    again = AlphaVectors.read(tmp_path / "tiger.json")
    assert again == policy
    belief = pomdp.initial
    for action in ("listen", "listen", "open-right"):
        assert policy.choose(belief) == action
        belief, _ = pomdp.update(belief, 0, pomdp.observations.index("left"))
    best, _ = policy.best(pomdp.initial)
    first = policy.vectors[best]

    def with_first(**changes: Any) -> AlphaVectors:
        vectors = list(policy.vectors)
        vectors[best] = replace(first, **changes)
        return replace(policy, vectors=tuple(vectors))

    for false, said in (
        (with_first(values=(first.values[0] + 0.1, first.values[1])), f"vector {best} says"),
        (with_first(then={0: 0}), "does not say how to go on after 'right'"),
        (with_first(action=7), f"vector {best} has action 7; there are 3"),
        (with_first(states=(0, 9)), f"vector {best} speaks of state 9; there are 2"),
        (with_first(values=(float("nan"), 0.0)), f"vector {best} needs a finite value for each"),
        (with_first(values=(0.0,)), f"vector {best} needs a finite value for each"),
        (replace(policy, vectors=()), "no vector of the policy speaks of all states"),
        (replace(policy, actions=("a", "b", "c")), "with other actions"),
    ):
        with pytest.raises(SleuthError, match=said):
            check_policy(pomdp, false)
    with pytest.raises(SleuthError, match="does not know this belief"):
        replace(policy, vectors=()).choose(belief)
    with pytest.raises(SleuthError, match="episodes"):
        simulate_policy(pomdp, policy, 0)


def test_compiling_takes_none_of_the_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    kernel = trial

    def compiled_first(*given: Any) -> None:
        with preparing():
            now[0] += 100.0
        kernel(*given)

    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    monkeypatch.setattr(hsvi, "trial", compiled_first)
    found = HSVI(tiger_pomdp()).run(seconds=5.0, trials=3)
    assert (found.trials, found.seconds) == (3, 0.0)


@pytest.mark.parametrize(
    ("part", "belief", "said"),
    [
        (9, [0.5, 0.5], "part"),
        (0, [0.5, 0.6], "add up to 1; these add up to 1.1"),
        (0, [float("nan"), 1], "add up to nan"),
        (0, [-0.5, 1.5], "chances from 0"),
        (0, [1.0], r"a belief must be an array of \[2\] numbers, not \[1\]"),
        (0, "left", "a belief must be an array of numbers"),
    ],
)
def test_what_is_no_belief_is_refused(part: int, belief: Any, said: str) -> None:
    """Kernels check no bounds: the first of these ended Python, others were bounds of nothing."""
    search = HSVI(tiger_pomdp())
    search.run(trials=5)
    with pytest.raises(SleuthError, match=said):
        search.move(part, belief)
    if part == 0:
        with pytest.raises(SleuthError, match=said):
            search.policy().choose(belief)
