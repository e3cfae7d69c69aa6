"""Baselines for a fixed unknown parameter as methods by name: see methods.py."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sleuth.planning.bamcp import Bamcp
from sleuth.planning.binary_search import BinarySearch
from sleuth.planning.histories import Widening
from sleuth.planning.information_directed import InformationDirectedSampling
from sleuth.planning.knowledge_gradient import KnowledgeGradient
from sleuth.planning.oracle import Oracle
from sleuth.planning.policy import Policy
from sleuth.planning.posterior_sampling import PosteriorSampling
from sleuth.support.ranges import check_range, check_seed, limits_of


@dataclass(frozen=True)
class PosteriorSamplingMethod:
    """What is optimal under a parameter drawn from the belief (Thompson 1933).

    Attributes:
        seed: of the draws.

    """

    seed: int = 0

    def __post_init__(self) -> None:
        check_seed(self.seed)

    def policy(self, problem: Any, oracle: Oracle) -> Policy:
        """Return the sampling policy."""
        return PosteriorSampling(oracle, self.seed)


@dataclass(frozen=True)
class InformationDirectedMethod:
    """The least squared regret for the information gained (Russo and Van Roy 2018).

    Attributes:
        seed: of the draws.

    """

    seed: int = 0

    def __post_init__(self) -> None:
        check_seed(self.seed)

    def policy(self, problem: Any, oracle: Oracle) -> Policy:
        """Return the sampling policy."""
        return InformationDirectedSampling(problem, oracle, self.seed)


@dataclass(frozen=True)
class KnowledgeGradientMethod:
    """A stage ahead, as if nothing were learned after it (Ryzhov et al. 2012)."""

    def policy(self, problem: Any, oracle: Oracle) -> Policy:
        """Return the policy."""
        return KnowledgeGradient(problem)


@dataclass(frozen=True)
class BinarySearchMethod:
    """The question that splits the belief most evenly (Nowak 2011), for problems of identification.

    Attributes:
        confidence: no question is asked once a parameter is so likely.

    """

    confidence: float = 0.95

    def policy(self, problem: Any, oracle: Oracle) -> Policy:
        """Return the policy. It refuses problems of other kinds when it is to choose."""
        return BinarySearch(problem, oracle, self.confidence)


@dataclass(frozen=True)
class BamcpMethod:
    """Bayes-adaptive Monte-Carlo planning (Guez et al. 2012).

    Attributes:
        simulations: a decision; 1000 unless given, or as many as there is time for.
        coefficient: of the confidence bounds, in units of costs; 0 for three standard deviations of costs.
        widening: the exponent of how many next states a control may have after so many visits, at most 1; 0
            for all.
        seed: of the draws.

    """

    simulations: int | None = None
    coefficient: float = 0.0
    widening: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        check_range(self, "widening", least=0, most=1)
        check_seed(self.seed)

    def policy(self, problem: Any, oracle: Oracle, seconds: float | None = None) -> Policy:
        """Return the searching policy."""
        return Bamcp(
            problem,
            *limits_of(self.simulations, 1000, seconds),
            coefficient=self.coefficient or None,
            seed=self.seed,
            outcomes=Widening(exponent=self.widening) if self.widening else None,
        )
