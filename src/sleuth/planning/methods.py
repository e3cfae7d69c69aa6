"""The methods of planning by name, with options that are plain values: what the command line offers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from inspect import signature
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast, runtime_checkable

from sleuth.planning.dynamic_programming import DynamicProgram
from sleuth.planning.lookahead import CertaintyEquivalence, Lookahead, Myopic
from sleuth.planning.oracle import Oracle
from sleuth.planning.policy import Policy
from sleuth.planning.randomised import RandomPolicy
from sleuth.planning.rollout import Rollout
from sleuth.planning.samplers import IN_KERNELS, sampler_of
from sleuth.planning.search_policy import SearchPolicy
from sleuth.support.errors import SleuthError
from sleuth.support.foreign import names_a_file
from sleuth.support.indices import shown
from sleuth.support.ranges import check_number, check_seed, limits_of
from sleuth.support.registry import Registry, unknown_name
from sleuth.support.specification import from_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from sleuth.planning.pomdps.drawn.problem import DrawnPomdp
    from sleuth.planning.pomdps.hsvi import HSVI
    from sleuth.planning.pomdps.modelled import ModelledPomdp
    from sleuth.planning.pomdps.online import Planner, Planners
    from sleuth.planning.pomdps.pomcp import Preference
    from sleuth.planning.pomdps.sampled.problem import SampledPomdp


@runtime_checkable
class PomdpMethod(Protocol):
    """A way to make planners for a POMDP."""

    name: ClassVar[str]

    def planners(
        self, modelled: ModelledPomdp, preference: Preference | None = None, seconds: float | None = None
    ) -> Planners:
        """Return what makes planners.

        preference: of rollouts, for methods that have them. seconds: of a decision, for methods that search;
        they hold beside the limit that the method was given, and in place of that which it has of itself.
        """


@runtime_checkable
class DrawnMethod(Protocol):
    """A way to make planners for a POMDP that is drawn from."""

    def drawn_planners(self, problem: DrawnPomdp | SampledPomdp, seconds: float | None = None) -> Planners:
        """Return what makes planners. seconds: as PomdpMethod has them."""


class Method(Protocol):
    """A way to make a policy for a problem. Methods that search take `seconds` of a decision as well."""

    def policy(self, problem: Any, oracle: Oracle) -> Policy:
        """Return the policy. oracle: the optimal costs under each parameter. Raises SleuthError."""


@dataclass(frozen=True)
class Exact:
    """Exact dynamic programming (equations 10 to 12).

    Attributes:
        tolerance: how far from optimal, where there is a discount and no horizon.

    """

    tolerance: float = 1e-6

    def policy(self, problem: Any, oracle: Oracle) -> Policy:
        """Return the optimal policy."""
        return DynamicProgram(problem, self.tolerance)


@dataclass(frozen=True)
class MyopicMethod:
    """The least cost of the next stage."""

    def policy(self, problem: Any, oracle: Oracle) -> Policy:
        """Return the myopic policy."""
        return Myopic(problem)


@dataclass(frozen=True)
class CertaintyMethod:
    """What is optimal under the likeliest parameter."""

    def policy(self, problem: Any, oracle: Oracle) -> Policy:
        """Return the certainty equivalent policy."""
        return CertaintyEquivalence(problem, oracle)


@dataclass(frozen=True)
class OracleLookahead:
    """Lookahead with the optimal costs under each parameter (equation 15; QMDP where depth is 1).

    Attributes:
        depth: stages looked ahead.

    """

    name: ClassVar[str] = "oracle-lookahead"
    depth: int = 1

    def policy(self, problem: Any, oracle: Oracle) -> Policy:
        """Return the lookahead policy."""
        return Lookahead(problem, oracle, self.depth)

    def planners(
        self, modelled: ModelledPomdp, preference: Preference | None = None, seconds: float | None = None
    ) -> Planners:
        """Return QMDP, as if the state were seen after one step. Raises SleuthError for other depths."""
        from sleuth.planning.pomdps.hsvi import qmdp_values
        from sleuth.planning.pomdps.online import Planners, QmdpPlanner

        if self.depth != 1:
            raise SleuthError(f"oracle-lookahead looks one step ahead in a POMDP, not {self.depth}")
        values = qmdp_values(modelled.pomdp, modelled.parts.layout)
        return Planners(lambda _: QmdpPlanner(modelled, values))


@dataclass(frozen=True)
class RolloutMethod:
    """Rollout of another method (equations 17 and 18).

    Attributes:
        base: the method whose cost is the approximation.
        simulations: runs of each control, 0 for exact expectations; unless given, 20 where those take more
            than 20,000 situations.
        stages: how long the base is followed before the oracle's cost is taken; 0 to the end.
        seed: of the simulations.

    """

    base: str = "certainty-equivalence"
    simulations: int | None = None
    stages: int = 50
    seed: int = 0

    def __post_init__(self) -> None:
        check_seed(self.seed)

    def policy(self, problem: Any, oracle: Oracle) -> Policy:
        """Return the rollout policy."""
        base = method(self.base).policy(problem, oracle)
        stages = self.stages or None
        return Rollout(
            problem,
            base,
            self.simulations or 0,
            stages,
            oracle if stages else None,
            seed=self.seed,
            most=_MOST_SITUATIONS if self.simulations is None else None,
        )


@dataclass(frozen=True)
class SearchMethod:
    """Action Value Tree Search over beliefs (Tyl 2024), with the oracle's cost as its estimate.

    Attributes:
        iterations: simulations a decision; 100 unless given, or as many as there is time for.
        sampler: how the control to simulate is picked.
        seed: of its draws.

    """

    iterations: int | None = None
    sampler: str = "thompson"
    seed: int = 0

    def __post_init__(self) -> None:
        check_seed(self.seed)

    def policy(self, problem: Any, oracle: Oracle, seconds: float | None = None) -> Policy:
        """Return the searching policy."""
        limits = limits_of(self.iterations, 100, seconds)
        return SearchPolicy(
            problem, oracle, oracle, *limits, sampler=sampler_of(self.sampler), seed=self.seed
        )


@dataclass(frozen=True)
class BoundsMethod:
    """Search over beliefs between two proven bounds (Smith and Simmons 2004), on line.

    Attributes:
        trials: ways down a decision; 1000 unless given, or as many as there is time for.

    """

    trials: int | None = None

    def policy(self, problem: Any, oracle: Oracle, seconds: float | None = None) -> Policy:
        """Return the searching policy."""
        from sleuth.planning.belief_search import BoundedSearch

        return BoundedSearch(problem, oracle, *limits_of(self.trials, 1000, seconds))


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


@dataclass(frozen=True)
class RandomMethod:
    """Any control, each as likely: what planning is worth is measured from there.

    Attributes:
        seed: of the draws.

    """

    name: ClassVar[str] = "random"
    seed: int = 0

    def __post_init__(self) -> None:
        check_seed(self.seed)

    def policy(self, problem: Any, oracle: Oracle) -> Policy:
        """Return the random policy."""
        return RandomPolicy(problem, self.seed)

    def planners(
        self, modelled: ModelledPomdp, preference: Preference | None = None, seconds: float | None = None
    ) -> Planners:
        """Return planners that choose any action."""
        from sleuth.planning.pomdps.online import Planners, RandomPlanner

        return Planners(lambda seed: RandomPlanner(modelled.pomdp, self.seed + seed))

    def drawn_planners(self, problem: DrawnPomdp | SampledPomdp, seconds: float | None = None) -> Planners:
        """Return planners that choose any action that may be taken."""
        from sleuth.planning.pomdps.drawn.problem import DrawnPomdp, DrawnRandom
        from sleuth.planning.pomdps.online import Planners
        from sleuth.planning.pomdps.sampled.randomised import SampledRandom

        kind: Any = DrawnRandom if isinstance(problem, DrawnPomdp) else SampledRandom
        return Planners(lambda seed: kind(problem, self.seed + seed))


# Scenarios of a decision, and trials, in kernels and in Python.
_MANY, _SOME = 500, 50
_MOST_SITUATIONS = 20_000
_PLANNERS = "planners(modelled, preference, seconds)"
_HERE, _BASELINES = "sleuth.planning.methods", "sleuth.planning.baselines"
FOR_FILES = ("hsvi", "tree", "pomcp", "despot", "oracle-lookahead", "random")
"""The methods that plan for a .pomdp or .pomdpx file."""
METHODS: Registry[type[Any]] = Registry("method", group="sleuth.methods")
for _module, _name, _target, _summary in (
    (_HERE, "exact", "Exact", "exact dynamic programming over beliefs: small problems"),
    (_HERE, "myopic", "MyopicMethod", "the least cost of the next stage"),
    (_HERE, "certainty-equivalence", "CertaintyMethod", "what is optimal under the likeliest parameter"),
    (_HERE, "oracle-lookahead", "OracleLookahead", "a stage ahead, then as if the parameter were known"),
    (_HERE, "rollout", "RolloutMethod", "a stage ahead, then another method"),
    (_HERE, "avts", "SearchMethod", "Action Value Tree Search over beliefs"),
    (_HERE, "bounds", "BoundsMethod", "search over beliefs between two proven bounds"),
    (
        _HERE,
        "hsvi",
        "HsviMethod",
        "point-based value iteration between two proven bounds; takes .pomdp and .pomdpx files",
    ),
    (
        _HERE,
        "tree",
        "TreeMethod",
        "Action Value Tree Search over beliefs, in kernels; takes .pomdp and .pomdpx files",
    ),
    (
        _HERE,
        "pomcp",
        "PomcpMethod",
        "Monte-Carlo planning over histories, in kernels; takes .pomdp and .pomdpx files",
    ),
    (_HERE, "despot", "DespotMethod", "regularised search over scenarios; takes .pomdp and .pomdpx files"),
    (_HERE, "random", "RandomMethod", "any control"),
    (_BASELINES, "bamcp", "BamcpMethod", "Monte-Carlo planning over histories, a parameter drawn for each"),
    (
        _BASELINES,
        "posterior-sampling",
        "PosteriorSamplingMethod",
        "what is optimal under a parameter drawn from the belief",
    ),
    (
        _BASELINES,
        "information-directed",
        "InformationDirectedMethod",
        "draws controls of little regret for the information they bring",
    ),
    (
        _BASELINES,
        "knowledge-gradient",
        "KnowledgeGradientMethod",
        "a stage ahead, then as if no more were learned",
    ),
    (
        _BASELINES,
        "binary-search",
        "BinarySearchMethod",
        "the question that splits the belief best: problems of identification",
    ),
):
    METHODS.register(_name, f"{_module}:{_target}", _summary)


def method(text: str, *, files: bool = False) -> Method:
    """Return a method by its name, with options as in "rollout(base=myopic)".

    files: whether it may also be FILE.py:NAME, which runs the file. Raises SleuthError.
    """
    made: Method = from_text(METHODS, text, files=files)
    if not hasattr(made, "policy"):
        raise SleuthError(
            f"{text} plans for no problem of adaptive control: it has no policy(problem, oracle)"
        )
    return made


def policy_of(method: Method, problem: Any, oracle: Oracle, seconds: float | None = None) -> Policy:
    """Return the policy of a method. seconds: of a decision, for methods that search; others know no time."""
    if seconds is None or "seconds" not in signature(method.policy).parameters:
        return method.policy(problem, oracle)
    made: Policy = cast("Any", method).policy(problem, oracle, seconds=seconds)
    return made


def planners_of(
    method: PomdpMethod,
    modelled: ModelledPomdp,
    preference: Preference | None = None,
    seconds: float | None = None,
) -> Planners:
    """Return what a method makes, which may be somebody's own. Raises SleuthError for what is no Planners."""
    from sleuth.planning.pomdps.online import Planners

    try:
        signature(method.planners).bind(modelled, preference, seconds)
    except TypeError as error:
        raise SleuthError(f"{method.name} cannot be asked: {error}; a method has {_PLANNERS}") from None
    made = method.planners(modelled, preference, seconds)
    if not isinstance(made, Planners):
        raise SleuthError(f"{method.name}.planners() returned {shown(made)}; it returns Planners(new)")
    return made


def pomdp_method(text: str, *, files: bool = False) -> PomdpMethod:
    """Return a method for POMDPs by its name, with options.

    files: whether it may also be FILE.py:NAME, which runs the file. Raises SleuthError, for methods that plan
    for no POMDP too.
    """
    name = text.partition("(")[0].strip()
    theirs = files and names_a_file(name)
    able = [] if theirs else [known for known in METHODS if hasattr(METHODS.load(known), "planners")]
    if not theirs and name not in METHODS:
        raise unknown_name("method", name, able)
    made = from_text(METHODS, text, files=files)
    if not isinstance(made, PomdpMethod) or not isinstance(made.name, str):
        raise SleuthError(
            f"{text} plans for no POMDP: a method has a name (text) and {_PLANNERS}"
            if theirs
            else f"{text} plans for no POMDP; {', '.join(able)} do"
        )
    return made
