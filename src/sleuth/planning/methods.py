"""The methods of planning by name, with options that are plain values: what the command line offers."""

from __future__ import annotations

from dataclasses import dataclass
from inspect import signature
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast, runtime_checkable

from sleuth.planning.dynamic_programming import DynamicProgram
from sleuth.planning.lookahead import CertaintyEquivalence, Lookahead, Myopic
from sleuth.planning.oracle import Oracle
from sleuth.planning.policy import Policy
from sleuth.planning.randomised import RandomPolicy
from sleuth.planning.rollout import Rollout
from sleuth.planning.samplers import sampler_of
from sleuth.planning.search_policy import SearchPolicy
from sleuth.support.errors import SleuthError
from sleuth.support.foreign import names_a_file
from sleuth.support.indices import shown
from sleuth.support.ranges import check_seed, limits_of
from sleuth.support.registry import Registry, unknown_name
from sleuth.support.specification import from_text

if TYPE_CHECKING:
    from sleuth.planning.pomdps.drawn.problem import DrawnPomdp
    from sleuth.planning.pomdps.modelled import ModelledPomdp
    from sleuth.planning.pomdps.online import Planners
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


_MOST_SITUATIONS = 20_000
_PLANNERS = "planners(modelled, preference, seconds)"
_HERE, _BASELINES = "sleuth.planning.methods", "sleuth.planning.baselines"
_SEARCHES = "sleuth.planning.searches"
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
        _SEARCHES,
        "hsvi",
        "HsviMethod",
        "point-based value iteration between two proven bounds; takes .pomdp and .pomdpx files",
    ),
    (
        _SEARCHES,
        "tree",
        "TreeMethod",
        "Action Value Tree Search over beliefs, in kernels; takes .pomdp and .pomdpx files",
    ),
    (
        _SEARCHES,
        "pomcp",
        "PomcpMethod",
        "Monte-Carlo planning over histories, in kernels; takes .pomdp and .pomdpx files",
    ),
    (
        _SEARCHES,
        "despot",
        "DespotMethod",
        "regularised search over scenarios; takes .pomdp and .pomdpx files",
    ),
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
