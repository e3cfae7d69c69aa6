"""The tower of estimators (Tyl 2024): what further visits do to estimates, learned state by state.

q1 is the base predictor, q2 the value that the tree below an action gives, q3 = q2 less its bias at that
many visits, by which actions simulated more and less often compare.

Where no state comes back, q3 converges to the optimal action values if every action that matters is
simulated again and again. The proof is by induction over the height of a state, the most actions until the
end. Claim: the value of each state converges to the optimum, with finite total variation. At height 1, q2
is exact from the first visit on. Above, q2 of an action is a mean over values of lower states, so it
converges to the optimal action value, and its changes d(v) from visit v to v + 1 have a finite sum of
|d(v)|. The bias at v visits, b(v), is a mean of the d(v) of the state's actions, so the sum of |b(v)| is
finite too. An action at v visits is corrected by the tail, the sum of b(i) over i >= v, which goes to
nothing. So q3 has q2's limit, and the maximum of finitely many sequences of finite variation is one.
(Samplers need not simulate so often: Thompson sampling leaves alone what it is sure of.)

Where a state comes back, it need not. Take one state with two actions: a comes back and brings nothing, b
was simulated v times, fewer than a. The b(i) telescope to q2(a) - x, with x what q2(a) was after v visits.
So the state is taken to be worth V = q2(b) + q2(a) - x, and the next simulation of a makes q2(a) = gamma V:
the fixed point is V = (q2(b) - x) / (1 - gamma), an error times 100 where gamma is 0.99.

So states on a way round are marked, once and for all, and take an action to be worth q2. From then on every
state simulates its least simulated action whenever the number of its visits is a square. Then the search is
consistent for gamma < 1. Every simple way round is simulated some time and marked. After the last marking,
nothing goes round the unmarked states, and Bellman's operator, a contraction by gamma, updates marked ones:
asynchronous value iteration, or where outcomes are drawn, slow Q-learning. Without a discount, limits keep
values true, but need not meet; without limits the search refuses such processes, unless the stage is a part
of the state.
"""

from __future__ import annotations

from collections.abc import Iterable


class Visited:
    """An action as the statistics of its state see it.

    Attributes:
        visits: how often it was simulated.
        passed_bias, passed_variance: of the state's sums over numbers of visits, what lies behind the action.

    """

    __slots__ = ("passed_bias", "passed_variance", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.passed_bias = self.passed_variance = 0.0


class VisitStatistics:
    """How estimates of a state's actions change from each number of visits to the next.

    For each number of visits: how many actions have had one more, the mean change of q2 then (Welford) and
    the sum of squares of the changes of q3. Memory is O(most visits), whatever the number of actions. What
    the document sums from an action's number of visits on is the sum over all less what the action has
    passed, so that both questions take O(1) and a visit O(actions), however many visits there were.
    """

    __slots__ = ("_bias", "_counts", "_squares", "bias", "variance")

    def __init__(self) -> None:
        self._counts: list[int] = []
        self._bias: list[float] = []
        self._squares: list[float] = []
        self.bias = self.variance = 0.0

    def record(self, action: Visited, others: Iterable[Visited], before: float, after: float) -> None:
        """Take note that q2 of an action went from `before` to `after` with one more visit, and count it.

        others: the state's actions whose estimates still matter; the action itself may be among them.
        """
        visits = action.visits
        if visits == len(self._counts):
            self._counts.append(0)
            self._bias.append(0.0)
            self._squares.append(0.0)
        count = self._counts[visits]
        bias = self._bias[visits]
        step = (after - before - bias) / (count + 1)
        # What comes later is the same for both.
        change = after - before - bias
        squares = self._squares[visits]
        rise = (squares + change * change) / max(1, count) - squares / max(1, count - 1)
        self._counts[visits] = count + 1
        self._bias[visits] += step
        self._squares[visits] += change * change
        self.bias += step
        self.variance += rise
        for other in others:
            if other.visits > visits:
                other.passed_bias += step
                other.passed_variance += rise
        self.count(action)

    def count(self, action: Visited) -> None:
        """Count a visit of an action; also one that told nothing about its estimate."""
        visits = action.visits
        if visits < len(self._counts):
            action.passed_bias += self._bias[visits]
            # The number of actions that were there is at least one.
            action.passed_variance += self._squares[visits] / max(1, self._counts[visits] - 1)
        action.visits = visits + 1

    def debiased(self, value: float, action: Visited) -> float:
        """Return q3 of an action, given its q2."""
        if action.visits >= len(self._counts):  # exactly: none was visited more often
            return value
        return value + self.bias - action.passed_bias

    def variance_of(self, action: Visited) -> float:
        """Return the expected squared error of an action's q3."""
        if action.visits >= len(self._counts):
            return 0.0
        # Rounding may leave a little less than nothing.
        return max(0.0, self.variance - action.passed_variance)
