"""Information-directed sampling (Russo and Van Roy 2018): little regret for much information."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import inf, log
from random import Random
from typing import Any, NamedTuple

from sleuth.planning.belief import Belief, branches
from sleuth.planning.control import ListedControl, check_control
from sleuth.planning.lookahead import TIE, Lookahead
from sleuth.planning.oracle import Oracle, check_oracle
from sleuth.planning.randomised import drawn
from sleuth.planning.situation import Situation, check_situation
from sleuth.support.ranges import check_seed


class Traded(NamedTuple):
    """A control with the regret that it is expected to have, and the information that it is to bring."""

    control: Any
    regret: float
    information: float


@dataclass(eq=False)
class InformationDirectedSampling:
    """Draws controls such that the square of the regret over the information gained is the least.

    Information-directed sampling (Russo and Van Roy 2018). The regret of a
    control is what it costs more than the best one if the parameter is known from the next stage on: the
    expectation of Q^i(x, u) - J^i(x) under the belief, which for bandits is their regret of a single period.
    The information, in nats, is that of the next state about which control is optimal now. Where all
    controls tell nothing, the least regret is taken.

    Attributes:
        problem: its outcomes can be listed.
        oracle: the optimal costs under each parameter; of several optimal controls it has the first.
        seed: of the draws.

    """

    problem: ListedControl
    oracle: Oracle
    seed: int = 0
    _rng: Random = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_control(self.problem)
        check_oracle(self.oracle)
        check_seed(self.seed)
        self._rng = Random(f"{self.seed}/information")

    def begin(self, seed: int) -> None:
        """Begin an episode, see begin_episode."""
        self._rng = Random(f"{self.seed}/information/{seed}")

    def rate(self, situation: Situation) -> list[Traded]:
        """Return the controls with their regret and their information."""
        check_situation(situation)
        state, belief, stage = situation
        best: dict[int, Any] = {
            number: self.oracle.control(state, number, stage) for number in belief.support.tolist()
        }
        known, doubt = self.oracle(situation), _entropy(belief, best)
        found = []
        for control, cost, _ in Lookahead(self.problem, self.oracle).rate(situation):
            left = sum(
                way.probability * _entropy(way.belief, best)
                for way in branches(self.problem, state, belief, control)
            )
            found.append(Traded(control, max(0.0, cost - known), max(0.0, doubt - left)))
        return found

    def probabilities(self, situation: Situation) -> dict[Any, float]:
        """Return the chances of the controls: of two of them at most."""
        return least_ratio(self.rate(situation))

    def choose(self, situation: Situation) -> Any:
        """Return a control, drawn."""
        return drawn(self.probabilities(situation), self._rng)


def least_ratio(rated: Sequence[Traded]) -> dict[Any, float]:
    """Return the mixture of controls whose squared regret over information is the least.

    Some mixture of two controls at most has the least (Russo and Van Roy 2018). Of two with
    regrets D, E and informations g, h in the shares q and 1 - q it is (E + q (D - E))^2 / (h + q (g - h)),
    which is convex in q and flat where q = E / (D - E) - 2 h / (g - h).
    """
    least = min(rated, key=lambda one: one.regret)
    if least.regret <= TIE or max(one.information for one in rated) <= TIE:
        return {least.control: 1.0}
    best, chances = inf, {least.control: 1.0}
    for one in rated:
        if (ratio := _ratio(one.regret, one.information)) < best:
            best, chances = ratio, {one.control: 1.0}
    for one, other in combinations(rated, 2):
        regret, information = one.regret - other.regret, one.information - other.information
        if not regret or not information:
            continue  # least at an end
        q = other.regret / regret - 2 * other.information / information
        if 0 < q < 1:
            ratio = _ratio(other.regret + q * regret, other.information + q * information)
            if ratio < best - TIE * best:
                best, chances = ratio, {one.control: q, other.control: 1 - q}
    return chances


def _ratio(regret: float, information: float) -> float:
    return regret**2 / information if information > TIE else inf


def _entropy(belief: Belief, best: dict[int, Any]) -> float:
    """Return the entropy of which control is optimal, in nats. best: the optimal one of each parameter."""
    weights: dict[Any, float] = {}
    for number, weight in zip(belief.support.tolist(), belief.weights.tolist(), strict=True):
        weights[best[number]] = weights.get(best[number], 0.0) + weight
    return -sum(weight * log(weight) for weight in weights.values())
