"""Generalised binary search with noise (Nowak 2011): the question whose answers split the belief best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from sleuth.planning.belief import Belief
from sleuth.planning.control import ListedControl, check_control, cost_of, outcomes_of
from sleuth.planning.lookahead import TIE
from sleuth.planning.oracle import Oracle, check_oracle
from sleuth.planning.situation import Situation, check_situation
from sleuth.support.errors import SleuthError
from sleuth.support.ranges import check_range


class Question(NamedTuple):
    """A control that tells something, and how evenly it splits: the sum of squares of the shares."""

    control: Any
    unevenness: float


@dataclass(frozen=True)
class BinarySearch:
    """Asks the question whose answers split the belief most evenly, until the parameter is likely enough.

    Noisy generalised binary search (Nowak 2011). Each parameter foretells an answer
    of each question, its likeliest. The question is asked whose shares of the belief have the least sum of
    squares; with two answers that is the least |sum of p(h) h(x)|. Bayes' rule learns from what is seen, with
    the true chances as noise. In the end the likeliest parameter is taken for the true one.

    For problems of identification: what ends play whatever the parameter is a verdict; all else asks. A
    question's cost must not depend on the parameter, and where it ends play the parameter must be known.

    Attributes:
        problem: its outcomes can be listed.
        oracle: the optimal costs under each parameter.
        confidence: no question is asked once a parameter is so likely, in (0, 1].

    """

    problem: ListedControl
    oracle: Oracle
    confidence: float = 0.95

    def __post_init__(self) -> None:
        check_control(self.problem)
        check_oracle(self.oracle)
        check_range(self, "confidence", above=0, most=1)

    def questions(self, situation: Situation) -> list[Question]:
        """Return the questions whose likeliest answers differ. Raises SleuthError where none identifies."""
        check_situation(situation)
        found, ends = [], False
        for control in self.problem.controls(situation.state):
            shares, over = self._foretold(situation, control)
            ends = ends or over
            if len(shares) > 1:
                found.append(Question(control, sum(share**2 for share in shares.values())))
        if not ends:
            raise SleuthError(
                "binary-search is for problems of identification: no control ends play in state"
                f" {situation.state!r}"
            )
        return found

    def choose(self, situation: Situation) -> Any:
        """Return the best question, the first of several, or what is optimal for the likeliest parameter.

        Raises SleuthError where the problem is none of identification.
        """
        questions = self.questions(situation)
        state, belief, stage = situation
        if questions and belief.weights.max() < self.confidence and stage + 1 != self.problem.horizon:
            least = min(question.unevenness for question in questions)
            return next(one.control for one in questions if one.unevenness <= least + TIE)
        return self.oracle.control(state, belief.likeliest, stage)

    def _foretold(self, situation: Situation, control: Any) -> tuple[dict[Any, float], bool]:
        """Return the shares of the likeliest answers, none for a verdict, and whether play may end by it."""
        problem, (state, belief, _) = self.problem, situation
        shares: dict[Any, float] = {}
        costs: list[float] = []
        ended: dict[Any, list[int]] = {}
        chances_of_end = []
        for number, weight in zip(belief.support.tolist(), belief.weights.tolist(), strict=True):
            parameter = problem.parameters[number]
            ways = [way for way in outcomes_of(problem, state, parameter, control) if way[0] > 0]
            likeliest = max(ways, key=lambda way: way[0])[1]
            shares[likeliest] = shares.get(likeliest, 0.0) + weight
            costs.append(sum(p * cost_of(problem, state, parameter, control, then) for p, then in ways))
            over = [(p, then) for p, then in ways if problem.is_terminal(then)]
            chances_of_end.append(sum(p for p, _ in over))
            for _, then in over:
                ended.setdefault(then, []).append(number)
        if min(chances_of_end) >= 1 - TIE:
            return {}, True
        self._check(state, belief, control, costs, ended)
        return shares, bool(ended)

    def _check(
        self, state: Any, belief: Belief, control: Any, costs: list[float], ended: dict[Any, list[int]]
    ) -> None:
        refused = f"binary-search is for problems of identification: {control!r} in state {state!r} "
        if max(costs) - min(costs) > TIE:
            raise SleuthError(refused + "costs what depends on the parameter, and does not end play")
        if any(len(numbers) > 1 for numbers in ended.values()):
            raise SleuthError(refused + "may end play without telling the parameter")
