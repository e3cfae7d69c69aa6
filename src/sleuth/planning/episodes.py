"""Policies side by side: the same parameters and the same chance for all, episode by episode."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from math import inf
from random import Random
from typing import Any

from sleuth.planning.control import AdaptiveControl, prior_of
from sleuth.planning.policy import Policy, check_chooses, is_blind
from sleuth.planning.simulation import EndlessError, Stage, mean_and_error, simulate
from sleuth.planning.situation import Situation, start
from sleuth.support.errors import Interrupted, SleuthError
from sleuth.support.indices import shown
from sleuth.support.progress import Progress, Watch
from sleuth.support.ranges import check_number, check_seed


@dataclass(frozen=True)
class Score:
    """How a policy did.

    Attributes:
        name: of the policy.
        mean, error: its cost an episode, and the standard error of that; infinite where play did not end.
        seconds: a decision, on average.
        decisions: an episode, on average.
        episodes: how many there were.

    """

    name: str
    mean: float
    error: float
    seconds: float
    decisions: float
    episodes: int

    def to_json(self) -> dict[str, Any]:
        """Return the figures as plain values."""
        return asdict(self)


def compare(
    problem: AdaptiveControl,
    policies: Mapping[str, Policy],
    episodes: int,
    seed: int = 0,
    progress: Watch | None = None,
    watch: Callable[[Stage], object] | None = None,
) -> list[Score]:
    """Return the scores of policies over so many episodes, in the order given.

    Each episode draws a parameter from the prior; all policies meet it, with the same random numbers.
    progress: told of the episodes done. watch: told of each stage of the first one that the first policy
    plays. Raises SleuthError; on Ctrl-C Interrupted, whose `known` are the scores over the episodes that all
    policies finished, if any did.
    """
    check_number("episodes", episodes, least=1, whole=True)
    if not isinstance(policies, Mapping):
        raise SleuthError(f"policies are given by their names, as a dictionary, not {shown(policies)}")
    check_seed(seed)
    begin = start(problem)
    for policy in policies.values():
        check_chooses(policy)
    timed = {name: _Timed(policy) for name, policy in policies.items()}
    costs: list[list[float]] = []
    interrupted = False
    try:
        for episode in range(episodes):
            parameter, chance = _drawn(problem, seed, episode)
            watched = [None if episode or k else watch for k in range(len(timed))]
            costs.append(
                [
                    policy.cost(problem, begin, parameter, chance, told)
                    for policy, told in zip(timed.values(), watched, strict=True)
                ]
            )
            if progress is not None:
                progress(Progress(episode + 1, episodes))
    except KeyboardInterrupt:
        if not costs:
            raise
        interrupted = True
    scores = [
        _score(policy, name, [row[k] for row in costs]) for k, (name, policy) in enumerate(timed.items())
    ]
    if interrupted:
        raise Interrupted(scores)
    return scores


def first_episode(
    problem: AdaptiveControl,
    policy: Policy,
    seed: int,
    watch: Callable[[Stage], object],
    stages: int | None = None,
) -> float:
    """Return the cost of the first episode of compare(), or of so many stages of it.

    watch: told of each stage. Raises SleuthError.
    """
    check_seed(seed)
    if stages is not None:
        check_number("stages", stages, least=1, whole=True)
    begin = start(problem)
    parameter, chance = _drawn(problem, seed, 0)
    return simulate(problem, policy, begin, parameter, Random(chance), stages=stages, watch=watch)


def _drawn(problem: AdaptiveControl, seed: int, episode: int) -> tuple[int, str]:
    """Return the parameter of an episode, by its number, and the seed of the chance in it."""
    numbers, prior = range(len(problem.parameters)), prior_of(problem).tolist()
    (parameter,) = Random(f"{seed}/{episode}").choices(numbers, prior)
    return parameter, f"{seed}/{episode}/w"


def _score(timed: _Timed, name: str, costs: list[float]) -> Score:
    mean, error = (inf, inf) if timed.endless else mean_and_error(costs)
    decisions = timed.decisions
    return Score(name, mean, error, timed.seconds / max(1, decisions), decisions / len(costs), len(costs))


@dataclass(eq=False)
class _Timed:
    """A policy with a watch."""

    policy: Policy
    seconds: float = 0.0
    decisions: int = 0
    endless: bool = False

    @property
    def blind(self) -> bool:
        """Whether the policy goes by the state alone."""
        return is_blind(self.policy)

    def cost(
        self,
        problem: AdaptiveControl,
        begin: Situation,
        parameter: int,
        seed: str,
        watch: Callable[[Stage], object] | None,
    ) -> float:
        """Return the cost of an episode; infinite once one did not end."""
        try:
            if self.endless:
                return inf
            return simulate(problem, self, begin, parameter, Random(seed), watch=watch)
        except EndlessError:
            self.endless = True
            return inf

    def choose(self, situation: Situation) -> Any:
        began = time.perf_counter()
        control = self.policy.choose(situation)
        self.seconds += time.perf_counter() - began
        self.decisions += 1
        return control
