"""Policies side by side: the same parameters and the same chance for all, episode by episode."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from math import inf, isfinite
from random import Random
from typing import Any, NamedTuple

from sleuth.kernels.compiling import seconds_worked
from sleuth.planning.control import AdaptiveControl, prior_of
from sleuth.planning.policy import Policy, begin_episode, check_chooses, is_blind
from sleuth.planning.simulation import EndlessError, Stage, check_simulator, mean_and_error, simulate
from sleuth.planning.situation import Situation, start
from sleuth.support.errors import Interrupted, SleuthError
from sleuth.support.estimate import Estimate
from sleuth.support.indices import shown
from sleuth.support.progress import Progress, Watch
from sleuth.support.ranges import check_number, check_seed


class Run(NamedTuple):
    """An episode: its cost, infinite where play did not end, its decisions, and the seconds they took."""

    cost: float
    decisions: int
    seconds: float


@dataclass(frozen=True)
class Score:
    """How a policy did.

    Attributes:
        name: of the policy.
        mean, error: its cost an episode, and the standard error of that; infinite where play did not end.
        seconds: a decision, on average.
        decisions: an episode, on average.
        episodes: how many there were.
        against: how much more it cost than the first policy, on average over the same episodes; None for the
            first policy itself, and where play of one of them did not end.

    """

    name: str
    mean: float
    error: float
    seconds: float
    decisions: float
    episodes: int
    against: Estimate | None = None

    @property
    def estimate(self) -> Estimate:
        """The mean cost with its interval."""
        return Estimate(self.mean, self.error)

    def to_json(self) -> dict[str, Any]:
        """Return the figures as plain values."""
        return asdict(self)


class Player:
    """A policy that plays episodes in any order: what one draws follows from its number."""

    def __init__(
        self,
        problem: AdaptiveControl,
        policy: Policy,
        seed: int = 0,
        simulator: AdaptiveControl | None = None,
    ) -> None:
        """Take a policy for a problem. simulator: what is played in, unless it is the problem.

        seed: of all episodes. Raises SleuthError.
        """
        check_seed(seed)
        check_chooses(policy)
        self._begin = start(problem)
        if simulator is not None:
            check_simulator(problem, simulator)
        self._problem, self._policy, self._seed = problem, policy, seed
        self._simulator = problem if simulator is None else simulator
        self._endless = False

    def run(self, number: int, watch: Callable[[Stage], object] | None = None) -> Run:
        """Return an episode: of infinite cost once one did not end. watch: told of each stage."""
        timed = _Timed(self._policy)
        try:
            cost = inf if self._endless else self._cost(timed, number, watch, None)
        except EndlessError:
            self._endless, cost = True, inf
        return Run(cost, timed.decisions, timed.seconds)

    def follow(self, number: int, watch: Callable[[Stage], object], stages: int | None = None) -> None:
        """Play an episode, or so many stages of it. watch: told of each. Raises SleuthError."""
        if stages is not None:
            check_number("stages", stages, least=1, whole=True)
        self._cost(self._policy, number, watch, stages)

    def _cost(
        self, policy: Policy, number: int, watch: Callable[[Stage], object] | None, stages: int | None
    ) -> float:
        numbers, prior = range(len(self._simulator.parameters)), prior_of(self._simulator).tolist()
        (parameter,) = Random(f"{self._seed}/{number}").choices(numbers, prior)
        begin_episode(self._policy, Random(f"{self._seed}/{number}/policy").getrandbits(32))
        return simulate(
            self._problem,
            policy,
            self._begin,
            parameter,
            Random(f"{self._seed}/{number}/w"),
            stages=stages,
            watch=watch,
            simulator=self._simulator,
        )


def compare(
    problem: AdaptiveControl,
    policies: Mapping[str, Policy],
    episodes: int,
    seed: int = 0,
    progress: Watch | None = None,
    watch: Callable[[Stage], object] | None = None,
    simulator: AdaptiveControl | None = None,
) -> list[Score]:
    """Return the scores of policies over so many episodes, in the order given.

    Each episode draws a parameter from the prior; all policies meet it, with the same random numbers, and
    none remembers the episodes before. progress: told of the episodes done. watch: told of each stage of the
    first one that the first policy plays. simulator: what is played in, where that is not what the policies
    plan for; it has parameters and a prior of its own. Raises SleuthError; on Ctrl-C Interrupted, whose
    `known` are the scores over the episodes that all policies finished, if any did.
    """
    check_number("episodes", episodes, least=1, whole=True)
    if not isinstance(policies, Mapping):
        raise SleuthError(f"policies are given by their names, as a dictionary, not {shown(policies)}")
    check_seed(seed)
    start(problem)
    players = {name: Player(problem, policy, seed, simulator) for name, policy in policies.items()}
    runs: dict[str, dict[int, Run]] = {name: {} for name in players}
    try:
        for number in range(episodes):
            for k, (name, player) in enumerate(players.items()):
                runs[name][number] = player.run(number, None if number or k else watch)
            if progress is not None:
                progress(Progress(number + 1, episodes))
    except KeyboardInterrupt as stop:
        if known := scores(runs):
            raise Interrupted(known) from None
        if isinstance(stop, Interrupted):  # what a search knows of a decision is no score
            raise KeyboardInterrupt from stop
        raise
    return scores(runs)


def scores(runs: Mapping[str, Mapping[int, Run]]) -> list[Score]:
    """Return the scores over the episodes that all policies played, none where there are none.

    runs: of each policy, by the numbers of the episodes.
    """
    played = sorted(set.intersection(*(set(known) for known in runs.values()))) if runs else []
    if not played:
        return []
    rows = {name: [known[number] for number in played] for name, known in runs.items()}
    first = next(iter(rows))
    return [_score(name, row, None if name == first else rows[first]) for name, row in rows.items()]


def _score(name: str, runs: list[Run], first: list[Run] | None) -> Score:
    costs = [run.cost for run in runs]
    decisions = sum(run.decisions for run in runs)
    against = None
    if first is not None:
        apart = [run.cost - base.cost for run, base in zip(runs, first, strict=True)]
        against = Estimate(*mean_and_error(apart)) if _finite(apart) else None
    return Score(
        name,
        *(mean_and_error(costs) if _finite(costs) else (inf, inf)),
        sum(run.seconds for run in runs) / max(1, decisions),
        decisions / len(runs),
        len(runs),
        against,
    )


def _finite(costs: Iterable[float]) -> bool:
    return all(map(isfinite, costs))


@dataclass(eq=False)
class _Timed:
    """A policy with a watch."""

    policy: Policy
    seconds: float = 0.0
    decisions: int = 0

    @property
    def blind(self) -> bool:
        """Whether the policy goes by the state alone."""
        return is_blind(self.policy)

    def choose(self, situation: Situation) -> Any:
        began = seconds_worked()
        control = self.policy.choose(situation)
        self.seconds += seconds_worked() - began
        self.decisions += 1
        return control
