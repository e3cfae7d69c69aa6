"""Decision processes without words, with known optima."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, product
from random import Random
from typing import Any

from sleuth.planning.mdp import Option, Outcome

Faces = tuple[int, ...]
State = tuple[int, Faces]


class Gambler:
    """Stake on coins until 100 or nothing is left (Sutton and Barto, example 4.3). Play may go round.

    With coins that come up heads less often than not, bold play is optimal: all that is there or needed.
    """

    discount = 1.0

    def __init__(self, capital: int = 50, heads: float = 0.4, goal: int = 100) -> None:
        self.initial, self.heads, self.goal = capital, heads, goal

    def limits(self, state: Any) -> tuple[float, float]:
        return 0.0, 1.0

    def options(self, state: Any) -> Iterator[Option]:
        """The boldest first, by an estimate that is convex in the capital."""
        for stake in range(min(state, self.goal - state), 0, -1):
            up, down = ((state + step) / self.goal for step in (stake, -stake))
            yield Option(stake, self.heads * up**2 + (1 - self.heads) * down**2)

    def outcomes(self, state: Any, action: Any) -> list[Outcome]:
        return [self._to(state + action, self.heads), self._to(state - action, 1 - self.heads)]

    def sample(self, state: Any, action: Any, rng: Random) -> Outcome:
        return self._to(state + action if rng.random() < self.heads else state - action, 1.0)

    def _to(self, capital: int, probability: float) -> Outcome:
        if capital in (0, self.goal):
            return Outcome(probability, float(capital == self.goal), None)
        return Outcome(probability, 0.0, capital)

    def values(self) -> list[float]:
        """Return the optimal values by value iteration, until nothing changes."""
        values, before = [0.0] * self.goal + [1.0], [0.0]
        while values != before:
            before = values.copy()
            for state in range(1, self.goal):
                values[state] = max(
                    self.heads * values[state + a] + (1 - self.heads) * values[state - a]
                    for a in range(1, min(state, self.goal - state) + 1)
                )
        return values


@cache
def rolls(dice: int) -> list[tuple[Faces, float]]:
    """Return what so many dice may show, sorted, with probabilities."""
    counts = Counter(tuple(sorted(faces)) for faces in product(range(1, 7), repeat=dice))
    return [(faces, count / 6**dice) for faces, count in counts.items()]


class Dice:
    """Five dice, three rolls, any dice kept in between, as in Yahtzee; states are (rolls left, dice)."""

    discount = 1.0
    initial: State = (3, ())

    def __init__(self, score: Callable[[Faces], float], most: float) -> None:
        self.score, self.most = cache(score), most
        self._estimate = cache(self._expected)

    def limits(self, state: Any) -> tuple[float, float]:
        return 0.0, self.most

    def options(self, state: Any) -> Iterator[Option]:
        _, faces = state
        kept = {keep for k in range(len(faces) + 1) for keep in combinations(faces, k)} or {()}
        for keep in sorted(kept, key=lambda keep: -self._estimate(keep)):
            yield Option(keep, self._estimate(keep))

    def _expected(self, keep: Faces) -> float:
        """What the score would be with one more roll."""
        return sum(self.score(keep + faces) * p for faces, p in rolls(5 - len(keep)))

    def outcomes(self, state: Any, action: Any) -> list[Outcome]:
        left, _ = state
        found = []
        for faces, p in rolls(5 - len(action)):
            dice = tuple(sorted(action + faces))
            over = left == 1
            found.append(Outcome(p, self.score(dice) if over else 0.0, None if over else (left - 1, dice)))
        return found


def yahtzee() -> Dice:
    """All five alike: the chance within three rolls is 4.6029 % (2783176 / 6**10 = 347897 / 7558272)."""
    return Dice(lambda dice: float(len(set(dice)) == 1), 1.0)


def chance() -> Dice:
    """The sum of the dice: 70 / 3, since each die alone is worth 14 / 3."""
    return Dice(lambda dice: float(sum(dice)), 30.0)
