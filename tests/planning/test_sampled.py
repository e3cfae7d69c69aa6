"""POMDPs drawn by Python: beliefs against exact ones, searches against naive twins and known values."""

from collections.abc import Callable, Hashable, Sequence
from math import inf, nan, sqrt
from pathlib import Path
from random import Random
from statistics import NormalDist, fmean
from typing import Any

import numpy as np
import pytest
from command_line import Run, json_of
from hypothesis import given
from hypothesis import strategies as st
from random_pomdps import random_pomdp

from sleuth.planning import SampledPomdp, play_sampled, record
from sleuth.planning.histories import Widening
from sleuth.planning.methods import method, pomdp_method
from sleuth.planning.pomdps.pomdp import POMDP
from sleuth.planning.pomdps.sampled.belief import SampledBelief
from sleuth.planning.pomdps.sampled.despot import SampledDespot, SampledScenarios
from sleuth.planning.pomdps.sampled.pomcp import SampledPomcp
from sleuth.planning.pomdps.sampled.problem import SampledPlanner, check_sampled_pomdp, steps_of
from sleuth.planning.pomdps.sampled.randomised import SampledRandom
from sleuth.planning.simulation import mean_and_error
from sleuth.support.errors import Interrupted, SleuthError


class Cup(SampledPomdp):
    """A coin under a cup: a peek costs 1 and is right four times out of five, a wrong call 10."""

    actions = ("peek", "heads", "tails")
    rewards = (-10.0, 0.0)
    discount = 1.0

    def first(self, rng: Random) -> Any:
        return rng.choice(("heads", "tails"))

    def step(self, state: Any, action: Any, rng: Random) -> tuple[Any, Hashable, float]:
        if action != "peek":
            return "over", "over", 0.0 if action == state else -10.0
        other = "tails" if state == "heads" else "heads"
        return state, state if rng.random() < 0.8 else other, -1.0

    def is_terminal(self, state: Any) -> bool:
        return bool(state == "over")


class Told(Cup):
    """The same, with what is known of chances."""

    def likelihood(self, state: Any, action: Any, after: Any, observation: Hashable) -> float:
        return 0.8 if observation == after else 0.2


class Reading(SampledPomdp):
    """Which of two values is it? A reading, normal around it, costs a tenth; a wrong verdict costs one."""

    actions = ("low", "high", "read")
    rewards = (-1.0, 0.0)
    discount = 1.0
    continuous = True

    def first(self, rng: Random) -> Any:
        return rng.choice((-1.0, 1.0)), 0

    def step(self, state: Any, action: Any, rng: Random) -> tuple[Any, Hashable, float]:
        value, read = state
        if action == "read":
            return (value, read + 1), rng.gauss(value, 1.0), -0.1
        return None, None, -float((action == "high") != (value > 0))

    def legal(self, state: Any) -> Sequence[Any]:
        return self.actions if state[1] < 1 else self.actions[:2]

    def is_terminal(self, state: Any) -> bool:
        return state is None

    def likelihood(self, state: Any, action: Any, after: Any, observation: Any) -> float:
        return NormalDist(after[0], 1.0).pdf(observation)


class Drawn(SampledPomdp):
    """A POMDP that is laid out, as one that is drawn from."""

    def __init__(self, pomdp: POMDP) -> None:
        self.pomdp, self.discount = pomdp, pomdp.discount or 0.5
        self.actions = range(len(pomdp.actions))
        self.rewards = float(pomdp.reward.min()), float(pomdp.reward.max())

    def first(self, rng: Random) -> Any:
        return rng.choices(range(len(self.pomdp.states)), self.pomdp.initial.tolist())[0]

    def step(self, state: Any, action: Any, rng: Random) -> tuple[Any, Hashable, float]:
        row = action * len(self.pomdp.states)
        after = _drawn(self.pomdp.transition, row + state, rng)
        return (
            after,
            _drawn(self.pomdp.observation, row + after, rng),
            float(self.pomdp.reward[action, state]),
        )


class Weighed(Drawn):
    """The same, with the chances of observations."""

    def likelihood(self, state: Any, action: Any, after: Any, observation: Any) -> float:
        table, row = self.pomdp.observation, action * len(self.pomdp.states) + after
        part = slice(*table.starts[row : row + 2])
        return float(table.values[part][table.columns[part] == observation].sum())


class Look(SampledPomdp):
    """A sign is guessed, after a look that is right with 0.7, or at once."""

    actions = ("look", -1, 1)
    rewards = (-1.0, 1.0)
    discount = 0.9
    price = 0.0

    def first(self, rng: Random) -> Any:
        return rng.choice((-1, 1)), False

    def step(self, state: Any, action: Any, rng: Random) -> tuple[Any, Hashable, float]:
        sign, _ = state
        if action == "look":
            return (sign, True), sign if rng.random() < 0.7 else -sign, -self.price
        return None, None, 1.0 if action == sign else -1.0

    def legal(self, state: Any) -> Sequence[Any]:
        return (-1, 1) if state[1] else self.actions

    def is_terminal(self, state: Any) -> bool:
        return state is None

    def likelihood(self, state: Any, action: Any, after: Any, observation: Any) -> float:
        return 0.7 if observation == after[0] else 0.3


def _drawn(table: Any, row: int, rng: Random) -> int:
    part = slice(*table.starts[row : row + 2])
    return int(rng.choices(table.columns[part].tolist(), table.values[part].tolist())[0])


@given(seed=st.integers(0, 10**6), weighed=st.booleans())
def test_particles_are_near_the_exact_belief(seed: int, weighed: bool) -> None:
    pomdp = random_pomdp(seed)
    problem, rng = (Weighed if weighed else Drawn)(pomdp), Random(seed)
    belief, exact = SampledBelief(problem, 800, seed), np.asarray(pomdp.initial)
    state = problem.first(rng)
    for _ in range(3):
        action = rng.randrange(len(problem.actions))
        state, seen, _ = problem.step(state, action, rng)
        belief.update(action, seen)
        exact, _ = pomdp.update(exact, action, int(seen))  # type: ignore[call-overload]
    shares = np.bincount(belief.states, belief.weights, len(exact)) / sum(belief.weights)
    assert shares == pytest.approx(exact, abs=0.1)


def best(
    problem: Any, seeds: list[list[int]], states: dict[int, Any], depth: int, penalty: float, always: Any
) -> float:
    """Return the regularised worth of the best policy for some scenarios: a naive twin."""
    if depth == len(seeds[0]) or not states:
        return 0.0

    def outcomes(action: Any, at: dict[int, Any], step: int) -> dict[int, tuple[Any, Any, float]]:
        return {i: problem.step(state, action, Random(seeds[i][step])) for i, state in at.items()}

    default, live = 0.0, states
    for step in range(depth, len(seeds[0])):
        came = outcomes(always, live, step)
        default += sum(problem.discount**step * reward for _, _, reward in came.values()) / len(seeds)
        live = {i: after for i, (after, _, _) in came.items() if not problem.is_terminal(after)}
    found = [default]
    for action in problem.actions:
        came = outcomes(action, states, depth)
        worth = sum(problem.discount**depth * reward for _, _, reward in came.values()) / len(seeds) - penalty
        for seen in {seen for _, seen, _ in came.values()}:
            then = {i: a for i, (a, s, _) in came.items() if s == seen and not problem.is_terminal(a)}
            worth += best(problem, seeds, then, depth + 1, penalty, always)
        found.append(worth)
    return max(found)


@given(seed=st.integers(0, 10**6), penalty=st.sampled_from([0.0, 0.01, 0.3]), cup=st.booleans())
def test_bounds_of_scenarios_are_proven_and_meet(seed: int, penalty: float, cup: bool) -> None:
    problem: Any = Cup() if cup else Drawn(random_pomdp(seed))
    rng = Random(seed)
    states = [problem.first(rng) for _ in range(6)]
    search = SampledScenarios(problem, states, 3, penalty, seed)
    optimum = best(problem, search._seeds, dict(enumerate(states)), 0, penalty, search._always)
    for _ in range(6):
        found = search.run(trials=1)
        assert found.lower - 1e-9 <= optimum <= found.upper + 1e-9
    found = search.run(trials=2000)
    assert found.lower == pytest.approx(optimum)
    assert found.upper == pytest.approx(optimum)


def test_the_default_policy_and_the_bound_of_a_problem_are_used() -> None:
    class Known(Cup):
        def default(self, states: Sequence[Any]) -> Any:
            return max(("heads", "tails"), key=list(states).count)

        def most(self, state: Any) -> float:
            return -0.5

    search = SampledScenarios(Known(), ["heads"] * 4 + ["tails"], 5)
    assert search.run(trials=0).lower == pytest.approx(-2)
    assert search.run(trials=0).upper == pytest.approx(-0.5)
    assert Known.actions[search.run(trials=0).action] == "heads"


@pytest.mark.thorough
def test_searches_play_the_cup_as_well_as_can_be() -> None:
    """The least cost is 3: two peeks at least, which must agree."""
    made: dict[str, Callable[[int], SampledPlanner]] = {
        "despot": lambda seed: SampledDespot(Told(), 30, scenarios=60, depth=6, seed=seed),
        "pomcp": lambda seed: SampledPomcp(Cup(), 1000, seed=seed),
        "random": lambda seed: SampledRandom(Cup(), seed),
    }
    scores = {
        name: mean_and_error([play_sampled(Told(), new(seed), Random(f"{seed}")) for seed in range(60)])
        for name, new in made.items()
    }
    for name in ("despot", "pomcp"):
        mean, error = scores[name]
        assert mean == pytest.approx(-3, abs=4 * error)
        assert mean > scores["random"][0] + 1


@pytest.mark.thorough
def test_widening_looks_behind_continuous_observations() -> None:
    """To read once, and say which is nearer, costs a tenth and what errs still."""
    expected = -0.1 - NormalDist().cdf(-1)
    values: dict[bool, list[float]] = {}
    for widened in (True, False):
        wide = Widening(1e9, 1.0)
        values[widened] = []
        for seed in range(6):
            search = SampledPomcp(
                Reading(), 4000, coefficient=1.0, observations=None if widened else wide, seed=seed
            )
            search.search()
            (read,) = [edge.value for edge in search.root if edge.action == "read"]
            values[widened].append(read)
    assert fmean(values[True]) == pytest.approx(expected, abs=0.1)
    assert fmean(values[False]) < fmean(values[True]) - 0.1
    scores = [
        play_sampled(Reading(), SampledPomcp(Reading(), 1000, coefficient=1.0, seed=seed), Random(seed))
        for seed in range(60)
    ]
    assert fmean(scores) == pytest.approx(expected, abs=4 * sqrt(0.16 / 60))


def test_a_factor_of_all_likelihoods_changes_nothing() -> None:
    """They are densities, whose size tells nothing: what was drawn itself is weighed as all else is."""

    class Scaled(Reading):
        def likelihood(self, state: Any, action: Any, after: Any, observation: Any) -> float:
            return 1024 * super().likelihood(state, action, after, observation)

    found = []
    for problem in (Reading(), Scaled()):
        search = SampledPomcp(problem, 500, coefficient=1.0, seed=2)
        search.search()
        found.append([(edge.action, edge.value, edge.visits) for edge in search.root])
    assert found[0] == found[1]


def test_a_search_is_taken_on_and_has_limits() -> None:
    planner = SampledPomcp(Cup(), 500, seed=3)
    action = planner.choose()
    assert Cup.actions[action] == "peek"
    planner.observe(action, "heads")
    assert sum(edge.visits for edge in planner.root) > 0
    assert planner.search().simulations == 500
    assert planner.search(seconds=0.0).simulations == 1
    with pytest.raises(SleuthError, match="no particle explains fishes after peek"):
        planner.observe(action, "fishes")
    again = [SampledDespot(Cup(), 5, scenarios=20, depth=5, seed=1).search() for _ in range(2)]
    assert [one.lower for one in again] == [again[0].lower] * 2
    assert SampledDespot(Cup(), seconds=0.01, scenarios=20, depth=5).search().trials > 0
    assert (steps_of(Cup()), steps_of(_with(discount=0.95))) == (100, 104)


def test_little_time_still_looks_at_what_is_seen() -> None:
    """What the root begins with is no search: one trial at least, and its time counts."""
    found = SampledDespot(Cup(), seconds=1e-6, depth=20, seed=1).search()
    assert found.trials == 1
    assert found.seconds > 1e-3


@pytest.mark.parametrize("told", [-1.0, float("nan"), float("inf"), "x", np.array([1.0])])
def test_likelihoods_that_are_none_are_refused_in_the_tree(told: Any) -> None:
    class Wrong(Reading):
        def likelihood(self, state: Any, action: Any, after: Any, observation: Any) -> Any:
            return told

    with pytest.raises(SleuthError, match=r"likelihood\(\) of Wrong returned"):
        SampledPomcp(Wrong(), 500, seed=1).search()
    with pytest.raises(SleuthError, match=r"likelihood\(\) of Wrong returned"):
        SampledBelief(Wrong(), 10).update(2, 0.5)


def test_an_interrupted_search_knows_what_it_found(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Cup()
    planner, done = SampledPomcp(problem, 10**6, seed=1), 0

    def step(state: Any, action: Any, rng: Random) -> Any:
        nonlocal done
        done += 1
        if done == 3000:
            raise KeyboardInterrupt
        return Cup.step(problem, state, action, rng)

    monkeypatch.setattr(problem, "step", step, raising=False)
    with pytest.raises(Interrupted) as stopped:
        planner.search()
    assert stopped.value.known.simulations > 100
    assert 0 <= stopped.value.known.action < 3


def _still(self: Any, state: Any, action: Any, rng: Random) -> tuple[Any, Hashable, float]:
    return state, 0, -1.0 if action == "dance" else -2.0


@pytest.mark.parametrize("widening", [Widening(), Widening(4.0, 0.1), Widening(1.0, 0.01)])
def test_observations_that_are_met_again_count_once_where_they_widen(widening: Widening) -> None:
    """A look is worth 0.9 * (0.7 - 0.3); weighed twice, 0.62 for it."""
    found = [SampledPomcp(Look(), 4000, observations=widening, seed=seed).search() for seed in range(4)]
    assert fmean(one.value for one in found) == pytest.approx(0.36, abs=0.06)
    dear = type("Dear", (Look,), {"price": 0.45})()
    planner = SampledPomcp(dear, 4000, observations=widening)
    assert dear.actions[planner.choose()] != "look"


def _moving(self: Any, state: Any, action: Any, rng: Random) -> tuple[Any, Hashable, float]:
    state[0] = "tails" if isinstance(state, list) else 1.0
    return state, 0, -1.0


def _with(**parts: Any) -> Any:
    return type("Mine", (Cup,), parts)()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: 3, r"inherits the rest from SampledPomdp; this is 3"),
        (lambda: Cup, r"Cup is a class; give what it makes: Cup\(\)"),
        (lambda: _with(actions=()), "Mine has no actions; it needs one at least"),
        (lambda: _with(actions="listen"), "the actions of Mine are a sequence, one at least, not 'listen'"),
        (lambda: _with(discount=1.5), "discount must be more than 0 and 1 or less, not 1.5"),
        (
            lambda: _with(rewards=3.0),
            "the rewards of Mine are two, the least and the most of a step, not 3.0",
        ),
        (lambda: _with(rewards=(1.0,)), "the rewards of Mine are two, .*, not 1"),
        (lambda: _with(rewards=(-inf, 0.0)), "the least reward must be more than -inf and finite"),
        (lambda: _with(actions=("peek", "heads", "peek")), "the actions of Mine have 'peek' twice"),
        (lambda: _with(continuous="no"), "continuous is True or False, not 'no'"),
        (lambda: _with(likelihood=3), "likelihood of Mine is a function, not 3"),
        (lambda: _with(legal=lambda *_: None), r"legal\(\) of Mine returned None; it returns a sequence"),
        (lambda: _with(actions=("peek", [])), "the actions of Mine are hashable, which a list is not"),
        (lambda: _with(actions=("peek", (1, []))), "the actions of Mine are hashable, which a tuple is not"),
        (lambda: _with(first=lambda *_: ["heads"], step=_moving), r"step\(\) of Mine changed the state"),
        (
            lambda: _with(first=lambda *_: np.zeros(2), is_terminal=lambda *_: False, step=_moving),
            r"step\(\) of Mine changed the state",
        ),
        (lambda: _with(rewards=(1.0, 0.0)), "the most reward must be 1.0 or more"),
        (lambda: _with(continuous=True), "continuous observations need likelihood"),
        (lambda: _with(legal=lambda self, state: ()), "no action may be taken in state heads|tails"),
        (
            lambda: _with(is_terminal=lambda *_: "no"),
            r"is_terminal\(\) of Mine returned 'no'; it returns True",
        ),
        (lambda: _with(in_words=lambda *_: None), r"in_words\(\) of Mine returned None for the state; it"),
        (lambda: _with(step=lambda *_: 7), r"step\(\) of Mine returned 7; it returns the next state"),
        (lambda: _with(step=lambda *_: ("a", [], 0.0)), "observations are hashable"),
        (lambda: _with(step=lambda *_: ("a", "b", 5.0)), "rewards says that it lies between -10.0 and 0.0"),
        (lambda: _with(step=lambda *_: ("a", "b", "c")), "returned 'c' as the reward"),
        (lambda: type("Mine", (SampledPomdp,), {"rewards": (0, 1)})(), "Mine does not say its actions"),
        (lambda: type("Mine", (SampledPomdp,), {"actions": (0, 1)})(), "Mine does not say its rewards"),
        (
            lambda: type("Mine", (SampledPomdp,), {"rewards": (0, 1), "actions": (1,)})(),
            r"Mine does not say its first\(\)",
        ),
    ],
)
def test_what_is_no_problem_is_refused(make: Any, said: str) -> None:
    with pytest.raises(SleuthError, match=said):
        check_sampled_pomdp(make())


def _never() -> Any:
    return type("Mine", (Reading,), {"likelihood": lambda *_: 0.0})()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: SampledPomcp(Cup()), "a limit of simulations or of seconds"),
        (
            lambda: SampledPomcp(Cup(), 1, observations=Widening()),
            "widening of observations needs likelihood",
        ),
        (lambda: SampledPomcp(Cup(), 1, actions=2), "widen by a Widening, not by 2"),  # type: ignore[arg-type]  # it is refused
        (lambda: SampledDespot(Reading(), 1).choose(), "let step.. round them, or plan by pomcp"),
        (lambda: SampledPomcp(_with(first=lambda *_: "over"), 1), "play is over in all first states"),
        (
            lambda: SampledPomcp(_with(legal=lambda *_: ("dance",), step=_still, discount=0.5), 5).choose(),
            r"legal\(\) of Mine returned 'dance'; it returns actions of the problem: peek, heads, tails",
        ),
        (
            lambda: SampledDespot(_with(default=lambda *_: "dance", step=_still), 1, depth=3).choose(),
            r"default\(\) of Mine returned 'dance'",
        ),
        (
            lambda: SampledPomcp(_with(prefer=lambda *_: "dance"), 5).choose(),
            r"prefer\(\) of Mine returned 'dance'; it returns what may be done there: peek, heads, tails",
        ),
        (
            lambda: SampledPomcp(
                _with(legal=lambda *_: ("heads", "tails"), prefer=lambda *_: "peek", step=_still), 5
            ).choose(),
            r"prefer\(\) of Mine returned 'peek'; it returns what may be done there: heads, tails",
        ),
        (
            lambda: SampledDespot(
                _with(legal=lambda *_: ("heads", "tails"), default=lambda *_: "peek"), 1, depth=3
            ).choose(),
            r"default\(\) of Mine returned 'peek'; it returns what may be done there: heads, tails",
        ),
        (lambda: SampledPomcp(_with(rewards=(-5.0, 0.0)), 50).choose(), "returned -10.0 as the reward"),
        (
            lambda: SampledDespot(_with(rewards=(-5.0, 0.0)), 5, depth=3).choose(),
            "returned -10.0 as the reward",
        ),
        (lambda: SampledBelief(_with(rewards=(-5.0, 0.0))).update(1, "over"), "returned -10.0 as the reward"),
        (
            lambda: SampledDespot(_with(step=_still), 1),
            "nothing is discounted, and rollouts come to no end within 10000 steps",
        ),
        (
            lambda: SampledBelief(_with(legal=lambda _, state: ("peek", state))),
            r"legal\(\) of Mine differs between states that are believed in at once, (heads|tails) and",
        ),
        (lambda: SampledBelief(_never()).update(2, 0.3), r"or a likelihood\(\) that is not 0"),
        (
            lambda: SampledDespot(_with(most=lambda *_: "much"), 1, depth=3).choose(),
            r"most\(\) of Mine returned 'much'; it returns a number",
        ),
        (
            lambda: SampledDespot(_with(most=lambda *_: nan), 1, depth=3).choose(),
            r"most\(\) of Mine returned nan",
        ),
        (
            lambda: SampledPomcp(_never(), 50, coefficient=1.0).choose(),
            r"was drawn after 'read', and its likelihood there is 0: likelihood\(\) and the draws contradict",
        ),
        (lambda: play_sampled(Cup(), "pomcp", Random(0)), "a planner has choose"),  # type: ignore[arg-type]  # it is refused
        (lambda: play_sampled(Cup(), SampledRandom(Cup()), 3), "drawn by a random.Random, not 3"),  # type: ignore[arg-type]  # it is refused
        (lambda: SampledBelief(Cup(), 0), "particles must be 1 or more, not 0"),
        (lambda: SampledScenarios(Cup(), ["over"], 3), "play is over in all states"),
        (lambda: play_sampled(Cup(), SampledRandom(Cup()), Random(0), turns=0), "turns must be 1 or more"),
    ],
)
def test_wrong_values(make: Any, said: str) -> None:
    with pytest.raises(SleuthError, match=said):
        make()


def test_play_refuses_what_may_not_be_done_and_does_not_go_on_for_ever() -> None:
    class Always:
        def __init__(self, action: int) -> None:
            self.choose = lambda: action

        def observe(self, action: int, observation: Any) -> None:
            pass

    with pytest.raises(SleuthError, match="read may not be done there"):
        play_sampled(Reading(), Always(2), Random(0))
    with pytest.raises(SleuthError, match="play does not end within 10000 steps"):
        play_sampled(Cup(), Always(0), Random(0))
    seen: list[Any] = []
    assert play_sampled(Cup(), Always(0), Random(0), seen.append, turns=3) == -3
    assert [sight.action for sight in seen] == [0, 0, 0]


def test_an_episode_is_recorded_with_particles() -> None:
    episode = record(Told(), SampledPomcp(Told(), 300, seed=1), seed=3, turns=20)
    assert episode.hidden in ("heads", "tails")
    assert episode.belief["heads"] == pytest.approx(0.5, abs=0.1)
    first, last = episode.turns[0], episode.turns[-1]
    assert first.action == "peek"
    assert first.belief[first.observation] == pytest.approx(0.8, abs=0.06)
    assert (last.hidden, last.belief) == ("over", {})
    assert episode.total == sum(turn.amount for turn in episode.turns)


MINE = """
from sleuth.planning import SampledPomdp

class Cup(SampledPomdp):
    actions, rewards, discount = ("peek", "heads", "tails"), (-10.0, 0.0), 1.0

    def first(self, rng):
        return rng.choice(("heads", "tails"))

    def step(self, state, action, rng):
        if action != "peek":
            return "over", "over", 0.0 if action == state else -10.0
        return state, state if rng.random() < 0.8 else "edge", -1.0

    def is_terminal(self, state):
        return state == "over"

class Wrong(Cup):
    rewards = (0.0, 1.0)

class Broken(Cup):
    def step(self, state, action, rng):
        return 1 / 0
"""


@pytest.mark.usefixtures("without_processes")
def test_on_the_command_line(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "my.py"
    file.write_text(MINE, encoding="utf-8")
    for by in ((), ("--method", "despot"), ("--method", "pomcp(simulations=50)")):
        assert json_of(run("plan", f"{file}:Cup", *by, "--json"))["action"] == "peek"
    code, out, _ = run("plan", f"{file}:Cup", "--method", "despot", "--seconds", 0.1)
    assert code == 0
    assert "3 actions; states and observations are drawn" in out
    assert "the best policy for the scenarios drawn, less its size, is worth" in out
    page = tmp_path / "one.html"
    code, _, _ = run("plan", f"{file}:Cup", "--method", "pomcp", "--episode", page, "--seed", 2)
    assert code == 0
    assert "plays" in page.read_text(encoding="utf-8")
    asked = ("--problems", f"{file}:Cup", "--methods", "pomcp,despot,random", "--seconds", 0.01)
    rows = json_of(run("bench", "planning", *asked, "--episodes", 6, "--json"))["results"]
    rewards = {row["method"]: row["reward"] for row in rows}
    assert list(rewards) == ["pomcp", "despot", "random"]
    assert all(row["episodes"] == 6 for row in rows)
    for name, more, said in (
        ("Wrong", (), "rewards says that it lies between 0.0 and 1.0"),
        ("Broken", (), "in step: ZeroDivisionError"),
        ("Cup", ("--method", "hsvi"), "is planned for by one method, pomcp or despot"),
        ("Cup", ("--episodes", 3), "--episodes and --seed do not go with"),
        ("Cup", ("--method", "despot(planned=1)"), "leave planned out"),
    ):
        code, out, err = run("plan", f"{file}:{name}", *more)
        assert (code, out) == (2, "")
        assert said in err
    code, _, err = run("bench", "planning", "--problems", f"{file}:Wrong", "--methods", "pomcp")
    assert code == 2
    assert "rewards says that it lies between 0.0 and 1.0" in err


def test_methods_by_name_make_their_planners() -> None:
    for text, kind in (("pomcp", SampledPomcp), ("despot", SampledDespot), ("random", SampledRandom)):
        made: Any = pomdp_method(text)
        assert isinstance(made.drawn_planners(Cup()).new(1), kind)
    assert method("despot(scenarios=7)").scenarios == 7  # type: ignore[attr-defined]  # it has them
