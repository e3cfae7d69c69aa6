"""Exact totals once more, slowly: what proofs are verified with.

Feedback, legality, bounds and search are written again here, in plain Python and NumPy; nothing but the
integer weights is shared with the kernels and the solver. As there, an answer that no guess can name counts
its weight once more than it costs, as if a guess were spent on it when it is the only one left; `opener`
and `first_bounds` take that off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth.exact.objective import Objective, weights_of
from sleuth.games.codes import Codes
from sleuth.games.game import Game, check_memory
from sleuth.games.labels import MOST_LABELS
from sleuth.games.position import Position
from sleuth.games.rules import PegRules, Rules, WordleRules, code_type
from sleuth.support.errors import SleuthError

IMPOSSIBLE = 2**60
"""The total where no strategy finds every answer within the turns."""
# Sets up to this size are compared pair by pair, larger ones by marking the codes seen.
_PAIRS = 40
_MARKS = 2**23
_KEPT_ROWS = 4096

Members = tuple[int, ...]
"""Answers that may still be right, the heaviest first."""
Values = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Spot:
    """Where a game stands: what may be right, the turns left, the legal guesses (None: all)."""

    members: Members
    turns: int
    legal: NDArray[np.int32] | None

    @cached_property
    def key(self) -> tuple[Members, int, bytes]:
        """What tells it from others."""
        return self.members, self.turns, b"" if self.legal is None else self.legal.tobytes()


class PlainSearch:
    """Branch and bound over the positions of a game, under one objective."""

    def __init__(self, game: Game, objective: Objective, candidates: NDArray[np.int32] | None = None) -> None:
        """Make ready for positions of a game within some candidates, int32, or None for all answers."""
        self.game = game
        made = weights_of(game, objective, candidates)
        self.weights = made.values.tolist()
        self.goes_on = objective.kind == "solved"
        self.penalised = objective.penalty is not None
        # What each unit of weight costs that is left when the turns are up; None where nothing may be left.
        self.leftover = None if objective.penalty is None else objective.penalty - game.max_turns
        if self.goes_on:
            self.leftover = made.price
        check_memory(game.name, len(game.guesses), len(game.answers), game.rules.n_codes, copies=2)
        self.matrix = feedback(game.rules, game.guesses, game.answers)
        self.n_codes = game.rules.n_codes
        marks = self.matrix
        if self.n_codes > MOST_LABELS:  # no two guesses' codes are compared there
            marks = np.array([np.unique(row, return_inverse=True)[1] for row in self.matrix], np.int32)
            self.n_codes = int(marks.max()) + 1
        self.by_answer = np.ascontiguousarray(marks.T)
        place = {guess: g for g, guess in enumerate(game.guesses)}
        self.own = [place.get(answer, -1) for answer in game.answers]
        self.most_classes = max(2, max(len(set(row)) for row in self.matrix.tolist()))
        self._owners = np.array(self.own)
        # One class of any guess keeps all answers but so many.
        self.most_removed = len(game.answers) - min(map(self._largest, range(len(game.guesses))))
        # Where answers may be left unfound, guesses with few classes are no argument.
        few = self.most_classes if objective.penalty is None else len(game.answers) + 1
        self.uniform = all(weight == 1 for weight in self.weights)
        self.floors = least_totals(len(game.answers), few)
        # What another answer of a class adds to 2 for each answer, less the class's floor.
        self.steps = np.array([2 - b + a for a, b in zip(self.floors, self.floors[1:], strict=False)])
        self.stepped_beyond = few if self.uniform else len(game.answers)
        self._known: dict[tuple[Members, int, bytes], tuple[int, int]] = {}
        self._rows: dict[int, Codes] = {}

    def spot(self, position: Position, turns: int) -> Spot:
        """Return a position of the game with so many turns left."""
        members = sorted(position.candidates.tolist(), key=lambda a: (-self.weights[a], a))
        return Spot(tuple(members), turns, position.legal)

    def opener(self, spot: Spot, guess: int, beta: int) -> tuple[int, bool]:
        """Return what a guess costs, exactly when below beta, else a lower bound of beta or more.

        Returns also whether it took a search: else one look at all the guesses in each class reaches beta.
        Raises SleuthError for a search that goes deeper than Python's calls may.
        """
        surplus = self._surplus(spot.members)
        limit = min(IMPOSSIBLE, beta + surplus)
        total = self._begin(spot, guess, limit, scan_only=True)
        searched = total < limit
        if searched:
            try:
                total = self._begin(spot, guess, limit)
            except RecursionError:
                name = self.game.guesses[guess]
                raise SleuthError(f"after {name} too many guesses follow each other to be searched") from None
        return total if total >= IMPOSSIBLE else total - surplus, searched

    def first_bounds(self, spot: Spot) -> tuple[list[int], list[int]]:
        """Return the legal guesses that tell something, and what each costs at least."""
        surplus = self._surplus(spot.members)
        bounds, useful = self._bounds(spot)
        guesses = np.arange(len(useful)) if spot.legal is None else spot.legal
        found = [IMPOSSIBLE if bound >= IMPOSSIBLE else bound - surplus for bound in bounds[useful].tolist()]
        return guesses[useful].tolist(), found

    def _surplus(self, members: Members) -> int:
        return sum(self.weights[a] for a in members if self.own[a] < 0)

    def _weight(self, members: Members) -> int:
        return sum(self.weights[a] for a in members)

    def _formula(self, members: Members, turns: int) -> tuple[int, bool]:
        """Return a lower bound of a set without looking at guesses, and whether it is the total."""
        n, total, heaviest = len(members), self._weight(members), self.weights[members[0]]
        named = sum(self.own[a] >= 0 for a in members)
        if n == 1 and (turns > 0 or not named):
            return total, True
        floor = self.floors[n] if self.uniform else 2 * total - heaviest
        if turns == 0:
            if self.leftover is None:
                return IMPOSSIBLE, True
            lost = self.leftover * total
            return (lost + floor, n == 1) if self.goes_on else (lost + self._surplus(members), True)
        if self.leftover is None and turns == 1 and named > 1:
            return IMPOSSIBLE, True
        if self.leftover is None and named == n > self._most_found(turns):
            return IMPOSSIBLE, True
        if self.leftover is None and n > 1 + self.most_removed * (turns - (named == n)):
            return IMPOSSIBLE, True
        if n == 2 == named and turns > 1:
            return 2 * total - heaviest, True
        if turns == 1 and self.leftover is not None:
            # One of those that have a name is found, and those that have none perhaps; the others are not.
            kept = total - self._surplus(members)
            heaviest_named = max((self.weights[a] for a in members if self.own[a] >= 0), default=0)
            least = total + self.leftover * (kept - heaviest_named)
            return max(floor, least), named == n and not self.goes_on
        return floor, False

    def _most_found(self, turns: int) -> int:
        """Return how many answers can be found at most, where every one is a guess."""
        return sum(self.most_classes**before for before in range(min(turns, 64)))

    def _least(self, spot: Spot, beta: int) -> int:
        """Return the total of a set, exactly when below beta, else a lower bound of beta or more."""
        members, turns = spot.members, spot.turns
        floor, exact = self._formula(members, turns)
        if exact or floor >= beta:
            return floor
        if turns == 0:  # play goes on, at its cost
            lost = (self.leftover or 0) * self._weight(members)
            return lost + self._least(Spot(members, len(members), spot.legal), beta - lost)
        spot = self._limited(spot)
        lower, upper = self._known.get(spot.key, (floor, IMPOSSIBLE + 1))
        if lower >= beta or lower == upper:
            return lower
        bounds, useful = self._bounds(spot)
        if self.penalised and not useful.any():
            return self._given_up(spot)
        order = np.argsort(bounds, kind="stable")
        least, best, seen = IMPOSSIBLE, beta, set[tuple[Members, ...]]()
        for column in order.tolist():
            bound = int(bounds[column])
            if bound >= best:
                least = min(least, bound)
                break
            guess = column if spot.legal is None else int(spot.legal[column])
            if spot.legal is None:
                parts = tuple(self._split(members, guess).values())
                if parts in seen:
                    continue
                seen.add(parts)
            total = self._begin(spot, guess, best)
            if total < best:
                best = total
                if best <= lower:
                    break
            else:
                least = min(least, total)
        if best < beta:
            self._known[spot.key] = best, best
            return best
        lower = max(lower, least)
        self._known[spot.key] = lower, upper
        return lower

    def _limited(self, spot: Spot) -> Spot:
        """Return a spot with no more turns than matter.

        Each guess that tells something leaves fewer: n turns are enough for n answers, unless some of them
        may never be found, and pay for every turn.
        """
        if self.penalised and any(self.own[a] < 0 for a in spot.members):
            return spot
        return Spot(spot.members, min(spot.turns, len(spot.members)), spot.legal)

    def _given_up(self, spot: Spot) -> int:
        """Return what a set costs of which nothing is ever found, under a penalty."""
        turns = spot.turns + (self.leftover or 0)
        return turns * self._weight(spot.members) + self._surplus(spot.members)

    def _begin(self, spot: Spot, guess: int, beta: int, scan_only: bool = False) -> int:
        """Return what a guess costs, exactly when below beta, else a lower bound of beta or more.

        scan_only: look at each class once and no deeper; the bound may then be below beta.
        """
        parts = self._split(spot.members, guess)
        if [len(part) for part in parts.values()] == [len(spot.members)]:
            return IMPOSSIBLE  # it tells nothing
        after = spot.turns - 1
        total = self._weight(spot.members)
        waiting: list[tuple[Members, int, int]] = []
        for code, part in parts.items():
            bound, exact = self._formula(part, after)
            total += bound
            if not exact:
                waiting.append((part, code, bound))
        if total >= beta or not waiting:
            return min(total, IMPOSSIBLE)
        # The largest classes are the farthest from their floors; the smallest are searched soonest.
        waiting.sort(key=lambda item: -len(item[0]))
        open_: list[tuple[Spot, int]] = []
        for part, code, floor in waiting:
            child = Spot(part, after, self._legal_after(spot.legal, guess, code))
            bound = max(floor, self._scan(child))
            total += bound - floor
            if total >= beta:
                return min(total, IMPOSSIBLE)
            open_.append((child, bound))
        if scan_only:
            return total
        for child, bound in reversed(open_):
            total += self._least(child, beta - total + bound) - bound
            if total >= beta:
                break
        return min(total, IMPOSSIBLE)

    def _scan(self, spot: Spot) -> int:
        """Return a lower bound of a set by one look at all the guesses."""
        if spot.turns == 0:
            return 0
        spot = self._limited(spot)
        if spot.key not in self._known:
            exact = self._told_apart(spot)
            if exact is not None:
                self._known[spot.key] = exact, exact
            else:
                bounds, useful = self._bounds(spot)
                lower = min(int(bounds.min()), IMPOSSIBLE) if len(bounds) else IMPOSSIBLE
                if self.penalised and not useful.any():
                    lower = self._given_up(spot)
                self._known[spot.key] = max(lower, self._formula(spot.members, spot.turns)[0]), IMPOSSIBLE + 1
        return self._known[spot.key][0]

    def _told_apart(self, spot: Spot) -> int | None:
        """Return the total of a set that a candidate tells apart, where no guess is better, else None."""
        columns = [self.own[a] for a in spot.members if self.own[a] >= 0]
        if spot.turns < 2 or not columns:
            return None
        total = self._weight(spot.members)
        gains, classes = self._gains(self.by_answer[np.ix_(spot.members, columns)], spot.members)
        own = np.array([self.weights[a] for a in spot.members if self.own[a] >= 0], np.int64)
        bounds = 3 * total - gains - own
        best = int(bounds.min())
        # No guess that is not a candidate costs less than two for each answer.
        apart = bool(np.any((bounds == best) & (classes == len(spot.members))))
        return best if apart and best <= 2 * total else None

    def _bounds(self, spot: Spot) -> tuple[Values, NDArray[np.bool_]]:
        """Return what each legal guess costs at least, int64 [legal], and whether it tells something.

        A guess costs W + sum over its classes C of what C costs at least, which is 2W(C) - max(C) where two
        more turns are left.
        """
        members, turns = spot.members, spot.turns
        total = self._weight(members)
        codes = self.by_answer[list(members)]
        own = np.zeros(len(self.game.guesses), np.int64)
        candidate = np.zeros(len(own), bool)
        for a in members:
            if self.own[a] >= 0:
                own[self.own[a]] = self.weights[a]
                candidate[self.own[a]] = True
        if spot.legal is not None:
            codes, own, candidate = codes[:, spot.legal], own[spot.legal], candidate[spot.legal]
        useful = np.any(codes != codes[0], axis=0) | candidate
        named = sum(self.own[a] >= 0 for a in members)
        if turns == 1 and self.leftover is None:
            bounds = np.where(named - candidate > 0, IMPOSSIBLE, total)
        elif turns == 1:
            bounds = total + (self.leftover or 0) * (total - self._surplus(members) - own)
        else:
            gains, classes = self._gains(codes, members)
            bounds = 3 * total - gains - own
            if turns == 2 and self.leftover is None and named == len(members):
                bounds[classes < len(members)] = IMPOSSIBLE
        bounds[~useful] = IMPOSSIBLE
        return bounds, useful

    def _gains(self, codes: Codes, members: Members) -> tuple[Values, Values]:
        """Return 2W - (what the classes of each guess cost at least) and the number of classes, int64.

        codes: [members, guesses]. The right answer's class counts like any other.
        """
        n, m = codes.shape
        weights = [self.weights[a] for a in members]
        gains, classes = np.zeros(m, np.int64), np.zeros(m, np.int64)
        stepped = n > self.stepped_beyond
        if n <= _PAIRS and not stepped:
            for i in range(n):
                first = np.all(codes[:i] != codes[i], axis=0)
                classes += first
                gains += weights[i] * first
            return gains, classes
        width = max(1, _MARKS // self.n_codes)
        for begin in range(0, m, width):
            part = slice(begin, min(m, begin + width))
            base = np.arange(part.stop - part.start) * self.n_codes
            counts = np.zeros(len(base) * self.n_codes, np.int32)
            for i in range(n):
                at = base + codes[i, part]
                before = counts[at]
                counts[at] = before + 1
                classes[part] += before == 0
                gains[part] += self.steps[before] if stepped else weights[i] * (before == 0)
        return gains, classes

    def _largest(self, guess: int) -> int:
        """Return the size of a guess's largest class of all answers, the right answer left out."""
        wrong = self._owners != guess
        return int(np.bincount(self.matrix[guess, wrong], minlength=1).max())

    def _split(self, members: Members, guess: int) -> dict[int, Members]:
        """Return the classes of a guess by code, the right answer left out."""
        parts: dict[int, list[int]] = {}
        for a, code in zip(members, self.matrix[guess, list(members)].tolist(), strict=True):
            if self.own[a] != guess:
                parts.setdefault(code, []).append(a)
        return {code: tuple(part) for code, part in parts.items()}

    def _legal_after(
        self, legal: NDArray[np.int32] | None, guess: int, code: int
    ) -> NDArray[np.int32] | None:
        """Return the guesses that are still legal after a guess got a code."""
        if legal is None:
            return None
        if self.game.mode == "strict":
            kept: NDArray[np.int32] = legal[self._as_answers(guess)[legal] == code]
            return kept
        letters = self._letters[:, legal]
        word = self._letters[:, guess]
        marks = [code // 3**i % 3 for i in reversed(range(len(word)))]
        fits = np.ones(len(legal), bool)
        for i, mark in enumerate(marks):
            if mark == 2:
                fits &= letters[i] == word[i]
            if mark > 0:
                hinted = sum(m > 0 and other == word[i] for m, other in zip(marks, word, strict=True))
                fits &= (letters == word[i]).sum(axis=0) >= hinted
        return legal[fits]

    def _as_answers(self, guess: int) -> Codes:
        """Return the codes that a guess gets if each guess is the answer, [guesses]."""
        if guess not in self._rows:
            if len(self._rows) >= _KEPT_ROWS:
                self._rows.clear()
            rules, words = self.game.rules, self.game.guesses
            letters = self._letters if isinstance(rules, WordleRules | PegRules) else None
            self._rows[guess] = feedback(rules, [words[guess]], words, letters)[0]
        return self._rows[guess]

    @cached_property
    def _letters(self) -> NDArray[np.uint32]:
        return letters_of(self.game.guesses)


def least_totals(answers: int, classes: int) -> list[int]:
    """Return the least totals of 0 to answers + 1 answers of weight 1, where guesses have so many classes.

    After d - 1 guesses there are classes ** (d - 1) histories at most, and each has one answer found next.
    """
    totals, depth, room = [0], 1, 1
    while len(totals) < answers + 2:
        if room == 0:
            depth += 1
            room = min(classes ** (depth - 1), answers + 2)
        totals.append(totals[-1] + depth)
        room -= 1
    return totals


def letters_of(words: Sequence[str]) -> NDArray[np.uint32]:
    """Return words of one length as numbers, uint32 [length, words]."""
    return np.ascontiguousarray(np.array([[ord(letter) for letter in word] for word in words], np.uint32).T)


def feedback(
    rules: Rules, guesses: Sequence[str], words: Sequence[str], letters: NDArray[np.uint32] | None = None
) -> Codes:
    """Return feedback codes, [guesses, words], without the kernels. letters: letters_of(words), if known."""
    out = np.empty((len(guesses), len(words)), code_type(rules.n_codes))
    if not isinstance(rules, WordleRules | PegRules):
        for g, guess in enumerate(guesses):
            out[g] = [rules.code(guess, word) for word in words]
        return out
    row = _marks_row if isinstance(rules, WordleRules) else _blacks_row if rules.black else _pegs_row
    letters = letters_of(words) if letters is None else letters
    for g, guess in enumerate(guesses):
        out[g] = row([ord(letter) for letter in guess], letters)
    return out


def _marks_row(guess: list[int], letters: NDArray[np.uint32]) -> NDArray[Any]:
    """Return Wordle's codes of one guess."""
    codes = np.zeros(letters.shape[1], np.int64)
    right = [letters[i] == letter for i, letter in enumerate(guess)]
    for i, letter in enumerate(guess):
        # Where the guess has the letter, the answer has it too only if that is green.
        left = sum(letters[j] == letter for j, other in enumerate(guess) if other != letter)
        earlier = sum(~right[j] for j in range(i) if guess[j] == letter)
        codes = 3 * codes + np.where(right[i], 2, left > earlier)
    return codes


def _blacks_row(guess: list[int], letters: NDArray[np.uint32]) -> NDArray[Any]:
    """Return the codes of one guess in Mastermind with black pegs alone."""
    agree: NDArray[Any] = (letters == np.array(guess, np.uint32)[:, None]).sum(axis=0)
    return agree


def _pegs_row(guess: list[int], letters: NDArray[np.uint32]) -> NDArray[Any]:
    """Return Mastermind's codes of one guess."""
    black = sum(letters[i] == symbol for i, symbol in enumerate(guess)) * np.ones(1, np.int64)
    common = sum(np.minimum((letters == symbol).sum(axis=0), guess.count(symbol)) for symbol in set(guess))
    codes: NDArray[Any] = black * (len(guess) + 1) + common - black
    return codes
