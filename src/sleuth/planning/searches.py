"""Searches of POMDPs as methods by name: see methods.py."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from sleuth.planning.oracle import Oracle
from sleuth.planning.policy import Policy
from sleuth.planning.samplers import IN_KERNELS, sampler_of
from sleuth.support.errors import SleuthError
from sleuth.support.ranges import check_number, check_seed, limits_of
from sleuth.support.registry import unknown_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from sleuth.planning.pomdps.drawn.problem import DrawnPomdp
    from sleuth.planning.pomdps.hsvi import HSVI
    from sleuth.planning.pomdps.modelled import ModelledPomdp
    from sleuth.planning.pomdps.online import Planner, Planners
    from sleuth.planning.pomdps.pomcp import Preference
    from sleuth.planning.pomdps.sampled.problem import SampledPomdp

# Scenarios of a decision, and trials, in kernels and in Python.
_MANY, _SOME = 500, 50


@dataclass(frozen=True)
class HsviMethod:
    """Point-based value iteration between two proven bounds (Smith and Simmons 2005), before play.

    Attributes:
        seconds: to plan in.
        gap: at which planning may end.
        online: whether planning goes on in play, at each belief, in the time of a decision (0.05 seconds
            where none is given); else the policy that was planned is followed.

    """

    name: ClassVar[str] = "hsvi"
    seconds: float = 10.0
    gap: float = 1e-3
    online: bool = False

    def policy(self, problem: Any, oracle: Oracle, seconds: float | None = None) -> Policy:
        """Return the policy of the lower bound, or what goes on planning.

        Raises SleuthError for a problem that is no POMDP.
        """
        from sleuth.planning.pomdps.control_policy import ControlPolicy, PlannerPolicy

        if self.online:
            return PlannerPolicy(problem, partial(self.planners, seconds=seconds))
        return ControlPolicy(problem, self.seconds, self.gap)

    def planners(
        self, modelled: ModelledPomdp, preference: Preference | None = None, seconds: float | None = None
    ) -> Planners:
        """Plan, and return what follows the policy of the lower bound, or goes on planning."""
        from sleuth.planning.pomdps.hsvi import HSVI
        from sleuth.planning.pomdps.online import Planners

        search = HSVI(modelled.pomdp)
        found = search.run(self.seconds, self.gap)
        return Planners(self.playing(search, modelled, seconds), (found.lower, found.upper))

    def playing(
        self, search: HSVI, modelled: ModelledPomdp, seconds: float | None = None
    ) -> Callable[[int], Planner]:
        """Return what plays by what was planned, of a seed."""
        from sleuth.planning.pomdps.hsvi_planner import HsviPlanner
        from sleuth.planning.pomdps.online import VectorPlanner

        if self.online:
            limit = 0.05 if seconds is None else seconds
            return lambda _: HsviPlanner(modelled, search, seconds=limit, gap=self.gap)
        policy = search.policy()
        return lambda _: VectorPlanner(modelled.pomdp, policy)


@dataclass(frozen=True)
class TreeMethod:
    """Action Value Tree Search over beliefs in kernels (Tyl 2024).

    Attributes:
        simulations: a decision; 1000 unless given, or as many as there is time for.
        sampler: how the action to simulate is picked: thompson, uct, puct, gumbel, laplace or hoeffding.
        optimism: of estimates in a POMDP, from 0 to 1, see ModelledPomdp.with_optimism; 1 unless given.
        seed: of its draws.

    """

    name: ClassVar[str] = "tree"
    simulations: int | None = None
    sampler: str = "thompson"
    optimism: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        check_seed(self.seed)
        if self.optimism is not None:
            check_number("optimism", self.optimism, least=0, most=1)
        name = self.sampler.partition("(")[0].strip()
        if name not in IN_KERNELS:
            raise unknown_name("sampler of tree", name, IN_KERNELS)

    def policy(self, problem: Any, oracle: Oracle, seconds: float | None = None) -> Policy:
        """Return the searching policy."""
        from sleuth.planning.modelled_control import TreePolicy

        if self.optimism is not None:
            raise SleuthError("optimism is of POMDPs: estimates of a problem of control come from its oracle")
        sampler = sampler_of(self.sampler)
        limits = limits_of(self.simulations, 1000, seconds)
        return TreePolicy(problem, oracle, *limits, sampler=sampler, seed=self.seed)

    def planners(
        self, modelled: ModelledPomdp, preference: Preference | None = None, seconds: float | None = None
    ) -> Planners:
        """Return searches on line."""
        from sleuth.planning.pomdps.online import Planners, TreePlanner

        sampler = sampler_of(self.sampler)
        modelled = modelled if self.optimism is None else modelled.with_optimism(self.optimism)
        planner = TreePlanner(modelled, *limits_of(self.simulations, 1000, seconds), sampler=sampler)

        def begun(seed: int) -> TreePlanner:
            planner.begin(self.seed + seed)
            return planner

        return Planners(begun)


@dataclass(frozen=True)
class PomcpMethod:
    """POMCP (Silver and Veness 2010), with random rollouts and the range of rewards as its coefficient.

    Attributes:
        simulations: a decision; 10,000 unless given (1000 where Python draws), or as many as there is time
            for.
        seed: of its draws.

    """

    name: ClassVar[str] = "pomcp"
    simulations: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        check_seed(self.seed)

    def policy(self, problem: Any, oracle: Oracle, seconds: float | None = None) -> Policy:
        """Return the policy of the search. Raises SleuthError for a problem that is no POMDP."""
        from sleuth.planning.pomdps.control_policy import PlannerPolicy

        return PlannerPolicy(problem, partial(self.planners, seconds=seconds))

    def planners(
        self, modelled: ModelledPomdp, preference: Preference | None = None, seconds: float | None = None
    ) -> Planners:
        """Return searches on line."""
        from sleuth.planning.pomdps.online import Planners
        from sleuth.planning.pomdps.pomcp import Pomcp

        limits = limits_of(self.simulations, 10_000, seconds)
        return Planners(lambda seed: Pomcp(modelled, *limits, preference=preference, seed=self.seed + seed))

    def drawn_planners(self, problem: DrawnPomdp | SampledPomdp, seconds: float | None = None) -> Planners:
        """Return searches on line over particles."""
        from sleuth.planning.pomdps.drawn.pomcp import DrawnPomcp
        from sleuth.planning.pomdps.drawn.problem import DrawnPomdp
        from sleuth.planning.pomdps.online import Planners
        from sleuth.planning.pomdps.sampled.pomcp import SampledPomcp

        by_kernels = isinstance(problem, DrawnPomdp)
        kind: Any = DrawnPomcp if by_kernels else SampledPomcp
        limits = limits_of(self.simulations, 10_000 if by_kernels else 1000, seconds)
        return Planners(lambda seed: kind(problem, *limits, seed=self.seed + seed))


@dataclass(frozen=True)
class DespotMethod:
    """DESPOT (Ye et al. 2017): regularised search over scenarios, between two bounds.

    Attributes:
        trials: ways down a decision; 500 unless given (50 where Python draws), or as many as there is time
            for.
        scenarios: drawn for a decision, 500 unless given (50 where Python draws); by draws fewer where a
            trial takes longer than its seconds.
        penalty: of a node of a policy, in units of rewards.
        hindsight: bound by the best of each scenario alone, which is proven for the scenarios; else by the
            fast informed bound.
        planned: seconds of HSVI before play, whose policy the tree goes on with at its ends; without them
            that is one action for ever. Not by draws, where the problem has one.
        seed: of the draws.

    """

    name: ClassVar[str] = "despot"
    trials: int | None = None
    scenarios: int | None = None
    penalty: float = 0.01
    hindsight: bool = False
    planned: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        check_number("planned", self.planned, least=0)
        check_seed(self.seed)

    def policy(self, problem: Any, oracle: Oracle, seconds: float | None = None) -> Policy:
        """Return the policy of the search. Raises SleuthError for a problem that is no POMDP."""
        from sleuth.planning.pomdps.control_policy import PlannerPolicy

        return PlannerPolicy(problem, partial(self.planners, seconds=seconds))

    def planners(
        self, modelled: ModelledPomdp, preference: Preference | None = None, seconds: float | None = None
    ) -> Planners:
        """Plan, if it is asked for, and return searches on line."""
        from sleuth.planning.pomdps.despot import Despot
        from sleuth.planning.pomdps.hsvi import HSVI
        from sleuth.planning.pomdps.online import Planners

        limits = limits_of(self.trials, _MANY, seconds)
        planned = None
        if self.planned:
            planned = HSVI(modelled.pomdp)
            planned.run(self.planned)
        return Planners(
            lambda seed: Despot(
                modelled,
                *limits,
                scenarios=_MANY if self.scenarios is None else self.scenarios,
                penalty=self.penalty,
                hindsight=self.hindsight,
                seed=self.seed + seed,
                planned=planned,
            )
        )

    def drawn_planners(self, problem: DrawnPomdp | SampledPomdp, seconds: float | None = None) -> Planners:
        """Return searches on line over particles; their bound is the problem's own, if it has one.

        Raises SleuthError for planning before play.
        """
        from sleuth.planning.pomdps.drawn.despot import DrawnDespot
        from sleuth.planning.pomdps.drawn.problem import DrawnPomdp
        from sleuth.planning.pomdps.online import Planners
        from sleuth.planning.pomdps.sampled.despot import SampledDespot

        if self.planned:
            raise SleuthError("where states are drawn nothing can be planned before play: leave planned out")
        by_kernels = isinstance(problem, DrawnPomdp)
        kind: Any = DrawnDespot if by_kernels else SampledDespot
        most = _MANY if by_kernels else _SOME
        limits = limits_of(self.trials, most, seconds)
        scenarios = most if self.scenarios is None else self.scenarios
        return Planners(
            lambda seed: kind(
                problem, *limits, scenarios=scenarios, penalty=self.penalty, seed=self.seed + seed
            )
        )
