"""Naive twins of the kernels and of what is built on them: plain Python, as literal as can be.

Guesses, answers and sets are indices into a game's lists, as everywhere; feedback comes from rules.code,
one pair at a time. Every criterion is a number, the smaller the better; values equal in ten digits tie.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from math import inf, isinf, log2
from typing import Any

from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.games.rules import WordleRules
from sleuth.games.strategy import Strategy

Criterion = Callable[[Game, Sequence[int], int], float]
Choose = Callable[[Position], int]
Set = tuple[int, ...]
Total = tuple[Any, set[int]]  # the total is an integer or inf


@lru_cache(maxsize=100)
def matrix(game: Game) -> list[list[int]]:
    """Return the feedback codes [guesses][answers]."""
    return [[game.rules.code(guess, answer) for answer in game.answers] for guess in game.guesses]


def is_answer(game: Game, guess: int, answer: int) -> bool:
    return game.guesses[guess] == game.answers[answer]


def can_be_right(game: Game, candidates: Sequence[int], guess: int) -> bool:
    return any(is_answer(game, guess, a) for a in candidates)


def classes(game: Game, candidates: Sequence[int], guess: int) -> dict[int, list[int]]:
    """Return the classes of a guess, code -> answers; the right answer has its own."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    for a in candidates:
        found[matrix(game)[guess][a]].append(a)
    return dict(found)


def split(game: Game, candidates: Sequence[int], guess: int) -> dict[int, list[int]]:
    """Return what is left to find, code -> answers; an answer that no guess can name is known when alone."""
    left = {}
    for code, members in sorted(classes(game, candidates, guess).items()):
        members = [a for a in members if not is_answer(game, guess, a)]
        known = len(members) == 1 and game.answers[members[0]] not in game.guesses
        if members and not known:
            left[code] = members
    return left


# How likely each candidate is.


def chances(game: Game, candidates: Sequence[int]) -> dict[int, float]:
    weights = {a: float(game.prior[a]) for a in candidates}
    total = sum(weights.values())
    if total == 0 or len(set(weights.values())) == 1:
        return {a: 1 / len(candidates) for a in candidates}
    return {a: weight / total for a, weight in weights.items()}


def class_chances(game: Game, candidates: Sequence[int], guess: int) -> list[tuple[float, int]]:
    """Return (chance, size) of each class."""
    p = chances(game, candidates)
    return [
        (sum(p[a] for a in members), len(members)) for members in classes(game, candidates, guess).values()
    ]


# Criteria: functions of (game, candidates, guess).


def information(game: Game, candidates: Sequence[int], guess: int) -> float:
    return sum(p * log2(p) for p, _ in class_chances(game, candidates, guess) if p > 0)


def bits(game: Game, candidates: Sequence[int], guess: int) -> float:
    return max(0.0, -information(game, candidates, guess))


def largest(game: Game, candidates: Sequence[int], guess: int) -> float:
    return max(size for _, size in class_chances(game, candidates, guess))


def singles(game: Game, candidates: Sequence[int], guess: int) -> float:
    return -sum(p for p, size in class_chances(game, candidates, guess) if size == 1)


def power(alpha: float) -> Criterion:
    if alpha == 0:
        return information
    if isinf(alpha):
        return largest if alpha > 0 else singles

    def value(game: Game, candidates: Sequence[int], guess: int) -> float:
        total: float = sum(p * size**alpha for p, size in class_chances(game, candidates, guess))
        return total if alpha > 0 else -total

    return value


def candidate(game: Game, candidates: Sequence[int], guess: int) -> float:
    """Return minus the chance that the guess is right."""
    p = chances(game, candidates)
    return -sum(p[a] for a in candidates if is_answer(game, guess, a))


def estimate(game: Game, candidates: Sequence[int], guess: int, order: int = 1) -> float:
    """Return p + (1 - p)(1 + H0 / H), by Shannon's entropies, or by Renyi's of order 2."""
    p = -candidate(game, candidates, guess)
    if p > 1 - 1e-12:
        return 1.0

    def entropy(masses: Iterable[float]) -> float:
        masses = [q for q in masses if q > 0]
        return -sum(q * log2(q) for q in masses) if order == 1 else -log2(sum(q * q for q in masses))

    h = entropy(q for q, _ in class_chances(game, candidates, guess))
    h0 = entropy(chances(game, candidates).values())
    return p + (1 - p) * (1 + h0 / h) if h > 1e-12 else inf


def action_estimate(game: Game, candidates: Sequence[int], guess: int, order: int) -> float:
    """Return the same, finite too where candidates of no weight are told from others."""
    found = estimate(game, candidates, guess, order)
    if found < inf or len(classes(game, candidates, guess)) == 1:
        return found
    p = -candidate(game, candidates, guess)
    known = max(chances(game, candidates).values()) > 1 - 1e-12
    return p + (1 - p) * (1 + (1 if known else len(candidates)))


def hints(row: int) -> Criterion:
    """Return the criterion of most symbols right (row 0: anywhere; 1: in place; 2: out of place)."""

    def value(game: Game, candidates: Sequence[int], guess: int) -> float:
        p = chances(game, candidates)
        anywhere, in_place = game.rules.hints
        marks = (anywhere, in_place, anywhere - in_place)[row]
        return -sum(p[a] * int(marks[matrix(game)[guess][a]]) for a in candidates)

    return value


def chain_of(name: str, game: Game, alpha: float | None = None, marks: str = "all") -> list[Criterion]:
    """Return the criteria of a strategy without its tie rule, the deciding one first."""
    all_marks = [hints(0), hints(1)] if len(game.rules.hints) else []
    short = [power(-1), power(1), singles, largest, *all_marks]
    chains: dict[str, list[Criterion]] = {
        "information-gain": [information],
        "most-rapid-decrease": [power(1)],
        "greatest-expected-probability": [power(-1)],
        "worst-case": [largest],
        "expected-guesses": [estimate],
        "most-hints": {"all": all_marks, "greens": [hints(1), hints(0)], "yellows": [hints(2), hints(0)]}[
            marks
        ],
        "alpha": [power(alpha), *short] if alpha is not None else [],
    }
    return chains[name]


# Choosing.


def rounded(value: float) -> float:
    return float(f"{round(value, 12):.10g}")


def ranking(
    game: Game,
    candidates: Sequence[int],
    legal: Iterable[int],
    chain: Sequence[Criterion],
    ties: str = "candidates-first",
) -> list[int]:
    """Return the legal guesses that tell candidates apart or may be right, best first by the chain."""
    if len(candidates) == 1:
        return [g for g in range(len(game.guesses)) if is_answer(game, g, candidates[0])]
    if ties == "candidates-first":
        chain = [chain[0], candidate, *chain[1:]]
    useful = [g for g in legal if can_be_right(game, candidates, g) or len(classes(game, candidates, g)) > 1]
    return sorted(useful, key=lambda g: (*(rounded(value(game, candidates, g)) for value in chain), g))


# What kernels share.


def mix(x: int) -> int:
    """Return the last steps of splitmix64, as they are published."""
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    x = (x ^ x >> 27) * 0x94D049BB133111EB % 2**64
    return x ^ x >> 31


def splitmix(state: int, count: int) -> list[int]:
    """Return the first numbers that splitmix64 draws from a state."""
    return [mix((state + (i + 1) * 0x9E3779B97F4A7C15) % 2**64) for i in range(count)]


def best_few(values: Sequence[float], k: int) -> list[int]:
    """Return the places of the k least values, the first of equals first."""
    return sorted(range(len(values)), key=lambda i: (values[i], i))[:k]


def equal_pairs(codes: Sequence[int]) -> int:
    """Return how many pairs of codes are equal."""
    return sum(codes[i] == codes[j] for i in range(len(codes)) for j in range(i))


# The rules on legal guesses, from the rows played: [(guess, code)].


def digits(game: Game, code: int) -> list[int]:
    assert isinstance(game.rules, WordleRules)
    return [code // 3**i % 3 for i in reversed(range(game.rules.length))]


def obeys_hard(game: Game, word: str, guess: str, code: int) -> bool:
    """Greens stay, and each letter is used at least as often as it was hinted at."""
    marks = digits(game, code)
    stay = all(word[i] == guess[i] for i, mark in enumerate(marks) if mark == 2)
    hinted = [letter for letter, mark in zip(guess, marks, strict=True) if mark > 0]
    return stay and all(word.count(letter) >= hinted.count(letter) for letter in hinted)


def obeys_strict(game: Game, word: str, guess: str, code: int) -> bool:
    return game.rules.code(guess, word) == code


def legal_guesses(game: Game, rows: Sequence[tuple[int, int]]) -> list[int]:
    if game.mode == "easy":
        return list(range(len(game.guesses)))
    obeys = obeys_hard if game.mode == "hard" else obeys_strict
    return [
        g
        for g, word in enumerate(game.guesses)
        if all(obeys(game, word, game.guesses[guess], code) for guess, code in rows)
    ]


def consistent(game: Game, rows: Sequence[tuple[int, int]]) -> list[int]:
    """Return the answers that explain all rows."""
    return [
        a for a in range(len(game.answers)) if all(matrix(game)[guess][a] == code for guess, code in rows)
    ]


# Playing on.


def guesses_needed(choose: Choose, position: Position, answer: int, first: int | None = None) -> int:
    """Return the guesses that a game takes from a position, played one guess at a time.

    choose: position -> guess. first: the guess to begin with, else what choose says.
    """
    game = position.game
    for needed in range(1, 100):
        guess = choose(position) if first is None or needed > 1 else first
        if is_answer(game, guess, answer):
            return needed
        position = position.after(guess, matrix(game)[guess][answer])
        if len(position.candidates) == 1 and game.answers[answer] not in game.guesses:
            return needed
    raise AssertionError(f"{game.answers[answer]} is not found")


def remembering(strategy: Strategy) -> Choose:
    """Return strategy.choose with a memory, for games replayed answer by answer."""
    memory: dict[object, int] = {}

    def choose(position: Position) -> int:
        legal = None if position.legal is None else tuple(position.legal.tolist())
        key = (position.game, tuple(position.candidates.tolist()), legal, position.turn)
        if key not in memory:
            memory[key] = strategy.choose(position)
        return memory[key]

    return choose


def q_factor(choose: Choose, position: Position, guess: int) -> float:
    """Return the mean of the guesses needed after this one, over every candidate as the answer."""
    p = chances(position.game, position.candidates.tolist())
    return sum(p[a] * guesses_needed(choose, position, a, guess) for a in p if p[a] > 0)


# Exact play.


class ExactPlay:
    """The least totals of a game, by trying every guess in every set of answers that can arise.

    The total is the sum over the answers of weight times the guesses still needed. When the turns are up, it
    is inf for what is left; or each answer left counts as `penalty` guesses in all; or play goes on without a
    limit, and each answer left costs `leftover` more. An answer that no guess can name counts as found when
    it is the only one left. Guesses that tell nothing are made only where there is a penalty, and turns may
    pass without a guess there.

    Totals come with depths: how many guesses the longest game takes, for all strategies with that total.
    """

    def __init__(
        self, game: Game, weights: Sequence[int], penalty: int | None = None, leftover: int | None = None
    ) -> None:
        self.game, self.weights, self.penalty, self.leftover = game, weights, penalty, leftover
        self.memory: dict[tuple[Set, Set, float], Total] = {}
        self.allowed: dict[tuple[int, int], set[int]] = {}

    def after(self, rows: Sequence[tuple[int, int]], turns: float) -> tuple[Total, dict[int, Total]]:
        """Return (total, depths) after rows of (guess, code), and {legal guess: (total, depths)}."""
        candidates, legal = tuple(consistent(self.game, rows)), tuple(legal_guesses(self.game, rows))
        best = self.best(candidates, legal, turns)
        return best, {guess: self.begin(guess, candidates, legal, turns) for guess in legal}

    def best(self, candidates: Set, legal: Set, turns: float) -> Total:
        key = candidates, legal, turns
        if key not in self.memory:
            self.memory[key] = self._best(candidates, legal, turns)
        return self.memory[key]

    def _best(self, candidates: Set, legal: Set, turns: float) -> Total:
        if len(candidates) == 1 and self.game.answers[candidates[0]] not in self.game.guesses:
            return 0, {0}
        if turns == 0 and self.leftover is None:
            return self._lost(candidates), {0}
        ways = [self.begin(guess, candidates, legal, turns) for guess in legal]
        if self.penalty is not None:
            ways += [self._idle(guess, candidates, legal, turns) for guess in (*legal, None)]
        least = min((total for total, _ in ways), default=inf)
        return least, {depth for total, depths in ways if total == least for depth in depths}

    def begin(self, guess: int, candidates: Set, legal: Set, turns: float) -> Total:
        """Return the least total that begins with a guess; inf for one that tells nothing."""
        parts = classes(self.game, candidates, guess)
        if len(parts) == 1 and not can_be_right(self.game, candidates, guess):
            return inf, set()
        if turns == 0 and self.leftover is None:
            return self._lost(candidates), {0}
        total, depths = self._weight(candidates), {1}
        if turns == 0 and self.leftover is not None:
            total, turns = total + self.leftover * total, inf
        for code, members in parts.items():
            left = tuple(a for a in members if not is_answer(self.game, guess, a))
            if left:
                cost, deeper = self.best(left, self._legal_after(legal, guess, code), turns - 1)
                total += cost
                depths = {max(depth, 1 + below) for depth in depths for below in deeper}
        return total, depths

    def _idle(self, guess: int | None, candidates: Set, legal: Set, turns: float) -> Total:
        """Return the least total after a guess that tells nothing, or after none (guess None)."""
        if guess is not None:
            parts = classes(self.game, candidates, guess)
            if len(parts) > 1 or can_be_right(self.game, candidates, guess):
                return inf, set()
            for code in parts:
                legal = self._legal_after(legal, guess, code)
        total, depths = self.best(candidates, legal, turns - 1)
        return self._weight(candidates) + total, {1 + depth for depth in depths}

    def _lost(self, candidates: Set) -> float:
        if self.penalty is None:
            return inf
        return (self.penalty - self.game.max_turns) * self._weight(candidates)

    def _weight(self, candidates: Set) -> float:
        return sum(self.weights[a] for a in candidates)

    def _legal_after(self, legal: Set, guess: int, code: int) -> Set:
        if (guess, code) not in self.allowed:
            self.allowed[guess, code] = set(legal_guesses(self.game, [(guess, code)]))
        return tuple(g for g in legal if g in self.allowed[guess, code])


def gain(
    game: Game,
    candidates: Sequence[int],
    guess: int,
    weights: Sequence[int],
    floors: Sequence[int] | None = None,
) -> int:
    """Return the sum of the heaviest weights of a guess's classes, or what the classes' floors make of it.

    floors: floors[n] is what n answers cost at least, where each has the weight 1.
    """
    parts = classes(game, candidates, guess).values()
    if floors is None:
        return sum(max(weights[a] for a in members) for members in parts)
    return sum(2 * len(members) - floors[len(members)] for members in parts)


def least_totals(n: int, most_classes: int, removed: int | None = None) -> list[float]:
    """Return the least totals of 0 to n answers where every split into so many classes can be had.

    removed: the most answers outside the largest class, a right guess included; None for any number.
    """
    totals: list[float] = [0, 1]

    def shared(size: int, parts: int, largest: int, least: int = 1) -> float:
        """Return the least sum of totals of `size` answers in so many parts, the first of `least` or more."""
        if size == 0:
            return 0
        if parts == 0:
            return inf
        return min(
            (totals[k] + shared(size - k, parts - 1, k) for k in range(least, min(size, largest) + 1)),
            default=inf,
        )

    for size in range(2, n + 1):
        least = 1 if removed is None else max(1, size - removed)
        right = size + shared(size - 1, most_classes - 1, size - 1, least)
        wrong = size + shared(size, most_classes, size - 1, least)
        totals.append(min(right, wrong))
    return totals[: n + 1]
