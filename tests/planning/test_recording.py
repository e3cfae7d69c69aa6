"""Episodes as they were played: their numbers are those of play, their beliefs those of Bayes' rule."""

from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sleuth.planning import (
    Belief,
    Blind,
    EmpiricalControl,
    Episode,
    ListedControl,
    ModelledPomdp,
    ParticleBelief,
    SampledControl,
    compare,
    method,
    pomdp_of_functions,
    record,
    rocksample_pomdp,
    shares,
    tiger_pomdp,
)
from sleuth.planning.control import in_words
from sleuth.planning.methods import pomdp_method
from sleuth.planning.oracle import Oracle
from sleuth.planning.pomdps.online import RandomPlanner, play
from sleuth.planning.problems.registry import PROBLEMS
from sleuth.support.errors import SleuthError
from sleuth.support.progress import Progress
from sleuth.support.specification import from_text


class Cup(ListedControl):
    """A peek costs 1 and is right four times out of five; time that runs out costs 7."""

    parameters: tuple[Any, ...] = ("heads", "tails")
    initial_state = "nothing"
    horizon = 3
    discount = 0.5

    def controls(self, state: Any) -> tuple[str, ...]:
        return ("peek", "call")

    def outcomes(self, state: Any, parameter: str, control: str) -> list[tuple[float, Any]]:
        if control == "call":
            return [(1.0, "over")]
        other = self.parameters[1 - self.parameters.index(parameter)]
        return [(0.8, parameter), (0.2, other)]

    def cost(self, state: Any, parameter: str, control: str, after: Any) -> float:
        return 1.0

    def is_terminal(self, state: Any) -> bool:
        return state == "over"

    def final_cost(self, state: Any) -> float:
        return 7.0


PEEK = Blind(lambda state: "peek")


def test_an_episode_of_control_is_the_first_that_is_compared() -> None:
    for text in ("tiger", "bandit(horizon=4)", "rocksample(n=3,k=2)"):
        problem = from_text(PROBLEMS, text)
        oracle = Oracle(problem)
        for seed in (0, 5):
            (score,) = compare(problem, {"it": method("rollout").policy(problem, oracle)}, 1, seed)
            episode = record(problem, method("rollout").policy(problem, oracle), seed)
            assert episode.total == score.mean
            assert len(episode.turns) == score.decisions
            assert episode.amounts == "cost"
            assert {turn.hidden for turn in episode.turns} == {episode.hidden}
            for belief in (episode.belief, *(turn.belief for turn in episode.turns)):
                assert sum(belief.values()) == pytest.approx(1)
                assert belief[episode.hidden] > 0


def test_beliefs_of_control_are_bayes_and_the_last_sum_has_the_final_cost() -> None:
    episode = record(Cup(), PEEK, names=("cup", "peeking"))
    assert (episode.problem, episode.method, episode.seen) == ("cup", "peeking", "nothing")
    odds = 1.0
    for turn in episode.turns:
        odds *= 4.0 if turn.observation == "heads" else 0.25
        assert turn.belief == pytest.approx({"heads": odds / (1 + odds), "tails": 1 / (1 + odds)})
    assert [turn.action for turn in episode.turns] == ["peek"] * 3
    assert episode.final == 7
    assert episode.sums == (1, 1.5, 1.75 + 7 / 8)
    assert episode.total == episode.sums[-1]


def test_parameters_of_drawn_problems_have_their_own_names() -> None:
    class Shaken(SampledControl):
        parameters, initial_state, horizon, discount = Cup.parameters, "nothing", 2, 1.0
        controls, cost, is_terminal, final_cost = Cup.controls, Cup.cost, Cup.is_terminal, Cup.final_cost

        def sample(self, state: Any, parameter: str, control: str, rng: Random) -> Any:
            return rng.choice(("heads", "tails"))

    assert set(record(EmpiricalControl(Shaken(), 50), PEEK).belief) == {"heads", "tails"}
    alone = record(Shaken(), PEEK)
    assert [turn.belief for turn in alone.turns] == [{}, {}]
    assert str(alone).count("not known") == 2
    assert alone._repr_html_().count("The belief is not known.") == 2


@pytest.mark.parametrize("make", [tiger_pomdp, lambda: rocksample_pomdp(3, 2)], ids=["tiger", "rocks"])
def test_an_episode_of_a_pomdp_is_what_play_plays(make: Callable[[], Any]) -> None:
    modelled = ModelledPomdp(make())
    pomdp = modelled.pomdp
    new = pomdp_method("oracle-lookahead").planners(modelled).new
    episode = record(pomdp, new(0), 4)
    assert episode.total == pytest.approx(play(pomdp, new(0), Random("episode/4")), abs=1e-12)
    at = modelled.root
    for turn in episode.turns:
        action = pomdp.actions.index(turn.action)
        if modelled.is_over(at[0]):
            break
        at = modelled.after(*at, action, pomdp.observations.index(turn.observation))
        members = modelled.parts.members[at[0]]
        told = {pomdp.states[i]: w for i, w in zip(members.tolist(), at[1].tolist(), strict=True) if w > 0}
        assert turn.belief == pytest.approx(told, abs=1e-9)
        assert turn.hidden in told


def test_an_episode_of_a_pomdp_ends_after_so_many_turns() -> None:
    modelled = ModelledPomdp(tiger_pomdp())
    new = pomdp_method("oracle-lookahead").planners(modelled).new
    whole = record(modelled.pomdp, new(0), 4)
    told: list[Progress] = []
    part = record(modelled.pomdp, new(0), 4, turns=3, progress=told.append)
    assert part.turns == whole.turns[:3]
    assert [(now.done, now.total) for now in told] == [(1, 3), (2, 3), (3, 3)]
    with pytest.raises(SleuthError, match="turns must be 1 or more, not 0"):
        record(modelled.pomdp, new(0), turns=0)


def test_an_episode_of_control_ends_after_so_many_turns_too() -> None:
    told: list[Progress] = []
    part = record(Cup(), PEEK, turns=2, progress=told.append)
    assert part.turns == record(Cup(), PEEK).turns[:2]
    assert (part.final, part.total) == (0, 1.5)  # time has not run out
    assert [(now.done, now.total) for now in told] == [(1, 2), (2, 2)]
    with pytest.raises(SleuthError, match="stages must be 1 or more, not 0"):
        record(Cup(), PEEK, turns=0)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("rocksample(n=3,k=2)", ["good 0", "(0, 1)", "check 1", "(0, 1), good"]),
        ("bandit(horizon=2)", ["0.21, 0.79", "0 of 0, 0 of 0", "arm 1", "0 of 0, 1 of 1"]),
        ("navigation", ["maze 2", "(0, 0)", "west", "(0, 0)"]),
        ("hidden-objects", ["in 1", "nothing yet", "look into 8", "nothing"]),
        (
            "hidden-objects(objects=2,travel=1,false_alarm=1)",
            ["in 0 2", "nothing yet, at 0", "look into 8", "nothing, at 8"],
        ),
    ],
)
def test_values_of_our_problems_in_words(text: str, told: list[str]) -> None:
    problem: ListedControl = from_text(PROBLEMS, text)
    begin, parameter = problem.initial_state, problem.parameters[1]
    control = problem.controls(begin)[-1]
    then = problem.outcomes(begin, parameter, control)[0][1]
    words = problem.in_words
    assert [
        words("parameter", parameter),
        words("state", begin),
        words("control", control),
        words("state", then),
    ] == told


def test_values_that_nobody_names_are_told_by_str() -> None:
    assert in_words(Cup(), "state", ("nothing", 2)) == "('nothing', 2)"
    plain = SimpleNamespace(parameters=(1,), controls=lambda state: (1,))
    assert in_words(plain, "parameter", 1) == "1"


def test_what_cannot_be_observed_and_what_does_not_begin() -> None:
    pomdp = pomdp_of_functions(
        {"a": 1.0}, ("go",), lambda s, a: [(1.0, s, 1.0)], lambda a, s: [(1.0, s)], 0.5
    )
    many = pomdp_of_functions(
        {"a": 0.5, "b": 0.5}, ("go",), lambda s, a: [(1.0, s, 1.0)], lambda a, s: [(1.0, s)], 0.5
    )
    assert many.update(many.initial, 0, 1)[0].tolist() == [0.0, 1.0]
    with pytest.raises(SleuthError, match="'b' cannot be observed after 'go' there"):
        many.update(np.array([1.0, 0.0]), 0, 1)
    still = pomdp_of_functions(
        {"a": 1.0}, ("go",), lambda s, a: [(1.0, s, 0.0)], lambda a, s: [(1.0, s)], 0.5
    )
    with pytest.raises(SleuthError, match="over before it begins"):
        record(still, RandomPlanner(still, 0))
    with pytest.raises(SleuthError, match="a planner has choose"):
        record(pomdp, PEEK)  # type: ignore[call-overload]
    with pytest.raises(SleuthError, match="a problem of adaptive control"):
        record(SimpleNamespace(), PEEK)


def test_shares_of_particles_are_of_the_values_they_have() -> None:
    particles = ParticleBelief(np.array([1.5, 2.5, 1.5]), np.array([0.25, 0.5, 0.25]))
    assert shares(particles) == {"1.5": 0.5, "2.5": 0.5}
    assert shares(Belief.of(np.array([0.0, 1.0, 3.0])), "abc") == {"b": 0.25, "c": 0.75}
    assert shares(np.array([1.0, 1.0]), [(0, 1), "(0, 1)"]) == {"(0, 1)": 1.0}
    with pytest.raises(SleuthError, match="the belief is over 3 values or more, not 2"):
        shares(Belief.of(np.array([0.0, 1.0, 3.0])), "ab")


def test_an_episode_without_turns_is_worth_nothing() -> None:
    assert Episode("p", "m", "reward", 0.9, "a", {"a": 1.0}, ()).total == 0
