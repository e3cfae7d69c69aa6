"""One episode as it was played: what was done, seen and believed, turn by turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal, cast, overload

import numpy as np

from sleuth.planning.belief import Belief
from sleuth.planning.control import AdaptiveControl, Weights, check_control, in_words
from sleuth.planning.empirical import EmpiricalControl
from sleuth.planning.episodes import Player
from sleuth.planning.particles import ParticleBelief
from sleuth.planning.policy import Policy
from sleuth.planning.pomdps.online import Move, Planner, play
from sleuth.planning.pomdps.pomdp import POMDP
from sleuth.planning.pomdps.sampled.belief import SampledBelief
from sleuth.planning.pomdps.sampled.problem import (
    SampledPlanner,
    SampledPomdp,
    Sight,
    is_sampled_pomdp,
    play_sampled,
)
from sleuth.planning.simulation import Stage
from sleuth.planning.situation import start
from sleuth.support.errors import SleuthError
from sleuth.support.indices import shown
from sleuth.support.progress import Progress, Watch
from sleuth.support.ranges import check_seed
from sleuth.support.shown import Shown

Shares = dict[str, float]
"""How likely each value of what is hidden is, by its name; the impossible ones are left out."""


@dataclass(frozen=True)
class Turn:
    """A turn of an episode.

    Attributes:
        action: what was done.
        observation: what was seen then.
        hidden: the true value of what is hidden, after it.
        amount: the reward or the cost, before the discount.
        belief: what is believed then; empty where it is not known.

    """

    action: str
    observation: str
    hidden: str
    amount: float
    belief: Shares = field(repr=False)


@dataclass(frozen=True)
class Episode(Shown):
    """An episode that was played; notebooks show it, with the belief of each turn as bars.

    Attributes:
        problem, method: what they are called.
        amounts: "reward" or "cost": which of them is counted.
        discount: what an amount counts one turn later.
        hidden: the true value of what is hidden, at first.
        belief: what is believed at first.
        turns: what was played.
        final: what is paid once the last turn is over.
        seen: what is seen at first; empty where nothing is.

    """

    problem: str
    method: str
    amounts: Literal["reward", "cost"]
    discount: float
    hidden: str
    belief: Shares = field(repr=False)
    turns: tuple[Turn, ...] = field(repr=False)
    final: float = 0.0
    seen: str = ""

    @property
    def sums(self) -> tuple[float, ...]:
        """The discounted sum after each turn; that after the last has the final amount in it."""
        total, weight, found = 0.0, 1.0, []
        for turn in self.turns:
            total += weight * turn.amount
            weight *= self.discount
            found.append(total)
        return (*found[:-1], total + weight * self.final) if found else ()

    @property
    def total(self) -> float:
        """The discounted sum of the whole episode."""
        return self.sums[-1] if self.turns else 0.0


def shares(belief: Belief | ParticleBelief | Weights, names: Sequence[object] = ()) -> Shares:
    """Return how likely each value of what is hidden is, by its str; values of one str count as one.

    names: the values, in the order of the parameters or states; particles are values themselves. Raises
    SleuthError where a value has no name.
    """
    if isinstance(belief, ParticleBelief):
        pairs = zip(belief.particles, belief.weights.tolist(), strict=True)
    else:
        if not isinstance(belief, Belief):
            belief = Belief.of(belief)
        if belief.support[-1] >= len(names):
            raise SleuthError(f"the belief is over {belief.support[-1] + 1} values or more, not {len(names)}")
        pairs = zip((names[i] for i in belief.support.tolist()), belief.weights.tolist(), strict=True)
    return _summed(pairs)


def _summed(pairs: Iterable[tuple[object, float]]) -> Shares:
    found: Shares = {}
    for value, share in pairs:
        found[str(value)] = found.get(str(value), 0.0) + share
    return found


def _stated(problem: AdaptiveControl) -> AdaptiveControl:
    """Return what was stated: parameters of an empirical problem are numbers, which tell people little."""
    return problem.problem if isinstance(problem, EmpiricalControl) else problem


def _named(problem: AdaptiveControl) -> list[str]:
    """Return the parameters as people read them."""
    stated = _stated(problem)
    return [in_words(stated, "parameter", value) for value in stated.parameters]


class Recorder:
    """What listens to an episode of adaptive control, and makes an Episode of it."""

    def __init__(self, problem: AdaptiveControl, simulator: AdaptiveControl | None = None) -> None:
        """Begin with nothing played. simulator: what is played in, unless it is the problem."""
        self._problem, self._stated = problem, _stated(problem)
        self._names = _named(problem)
        self._true = self._names if simulator is None else _named(simulator)
        self._stages: list[Stage] = []

    def __call__(self, stage: Stage) -> None:
        """Note a stage."""
        self._stages.append(stage)

    def episode(self, problem: str, method: str) -> Episode:
        """Return what was played. Raises SleuthError where nothing was."""
        if not self._stages:
            raise SleuthError(f"{problem} is over before it begins: there is no episode to show")
        begin, stages = start(self._problem), self._stages
        hidden = self._true[stages[0].parameter]
        return Episode(
            problem,
            method,
            "cost",
            self._problem.discount,
            hidden,
            shares(begin.belief, self._names),
            tuple(
                Turn(
                    in_words(self._stated, "control", stage.control),
                    in_words(self._stated, "state", stage.after.state),
                    hidden,
                    stage.cost,
                    shares(stage.after.belief, self._names) if stage.followed else {},
                )
                for stage in stages
            ),
            stages[-1].final,
            in_words(self._stated, "state", begin.state),
        )


@overload
def record(
    problem: AdaptiveControl,
    by: Policy,
    seed: int = 0,
    names: tuple[str, str] | None = None,
    turns: int | None = None,
    progress: Watch | None = None,
) -> Episode: ...


@overload
def record(
    problem: POMDP,
    by: Planner,
    seed: int = 0,
    names: tuple[str, str] | None = None,
    turns: int | None = None,
    progress: Watch | None = None,
) -> Episode: ...


@overload
def record(
    problem: SampledPomdp,
    by: SampledPlanner,
    seed: int = 0,
    names: tuple[str, str] | None = None,
    turns: int | None = None,
    progress: Watch | None = None,
) -> Episode: ...


def record(
    problem: AdaptiveControl | POMDP | SampledPomdp,
    by: Any,
    seed: int = 0,
    names: tuple[str, str] | None = None,
    turns: int | None = None,
    progress: Watch | None = None,
) -> Episode:
    """Return an episode of a problem as a policy plays it, or of a POMDP as a planner does.

    seed: of the episode; that of a policy is the first of compare(). names: of the problem and the
    method; those of their classes, unless given. turns: after which it ends at the latest. progress: told of
    the turns played. Beliefs are exact, whatever the planner keeps, but those of a POMDP by draws, which are
    particles. Raises SleuthError.
    """
    check_seed(seed)
    if names is not None and (isinstance(names, str) or not isinstance(names, Sequence) or len(names) != 2):
        raise SleuthError(f"names are those of the problem and the method, not {shown(names)}")
    called, method = names or (type(problem).__name__, type(by).__name__)
    if isinstance(problem, POMDP):
        return _of_pomdp(problem, by, seed, called, method, turns, progress)
    if is_sampled_pomdp(problem):
        return _of_sampled(problem, by, seed, called, method, turns, progress)
    check_control(problem)
    control = cast(AdaptiveControl, problem)
    recorder = Recorder(control)
    done = 0

    def watch(stage: Stage) -> None:
        nonlocal done
        recorder(stage)
        done += 1
        if progress is not None:
            progress(Progress(done, turns or 0))

    Player(control, by, seed).follow(0, watch, turns)
    return recorder.episode(called, method)


def _of_sampled(
    problem: SampledPomdp,
    planner: SampledPlanner,
    seed: int,
    called: str,
    method: str,
    most: int | None,
    progress: Watch | None,
) -> Episode:
    sights: list[Sight] = _moves(play_sampled, problem, planner, seed, called, most, progress)
    belief = SampledBelief(problem, seed=seed)
    first, turns = _particles(problem, belief), []
    for _, action, reward, seen, then in sights:
        over = problem.is_terminal(then)
        if not over:
            belief.update(action, seen)
        turns.append(
            Turn(
                problem.in_words("action", problem.actions[action]),
                problem.in_words("observation", seen),
                problem.in_words("state", then),
                reward,
                {} if over else _particles(problem, belief),
            )
        )
    hidden = problem.in_words("state", sights[0].state)
    return Episode(called, method, "reward", problem.discount, hidden, first, tuple(turns))


def _particles(problem: SampledPomdp, belief: SampledBelief) -> Shares:
    total = sum(belief.weights)
    names = (problem.in_words("state", state) for state in belief.states)
    return _summed(zip(names, (weight / total for weight in belief.weights), strict=True))


def _of_pomdp(
    pomdp: POMDP,
    planner: Any,
    seed: int,
    problem: str,
    method: str,
    most: int | None,
    progress: Watch | None,
) -> Episode:
    moves: list[Move] = _moves(play, pomdp, planner, seed, problem, most, progress)
    belief: Weights = np.asarray(pomdp.initial)
    turns = []
    for _, action, reward, seen, then in moves:
        belief, _ = pomdp.update(belief, action, seen)
        turns.append(
            Turn(
                pomdp.actions[action],
                pomdp.observations[seen],
                pomdp.states[then],
                reward,
                shares(belief, pomdp.states),
            )
        )
    first = shares(pomdp.initial, pomdp.states)
    return Episode(
        problem, method, "reward", pomdp.discount, pomdp.states[moves[0].state], first, tuple(turns)
    )


def _moves(
    play: Any, problem: Any, planner: Any, seed: int, called: str, most: int | None, progress: Watch | None
) -> list[Any]:
    """Return the steps of an episode. play: plays it. called: the problem. Raises SleuthError for none."""
    found: list[Any] = []

    def watch(move: Any) -> None:
        found.append(move)
        if progress is not None:
            progress(Progress(len(found), most or 0))

    play(problem, planner, Random(f"episode/{seed}"), watch, most)
    if not found:
        raise SleuthError(f"{called} is over before it begins: there is no episode to show")
    return found
