"""A store of a proof held against slow and independent code: bounds, what they cover, trees."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np

from sleuth.exact.objective import Objective
from sleuth.exact.plain import IMPOSSIBLE, PlainSearch
from sleuth.exact.proving import identity
from sleuth.exact.store import Contents, OpenerBound, Result, read_store, rebuilt
from sleuth.exact.symmetry import orbits
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.games.rules import PegRules
from sleuth.support.errors import SleuthError, StoreError, TreeError
from sleuth.support.progress import Progress, Watch
from sleuth.trees.check import check_tree
from sleuth.trees.formats import tree_json

_ENTRIES = 500
_IMAGES = 20


@dataclass(frozen=True)
class Verification:
    """What was checked of a store, and what does not hold.

    Attributes:
        game: the name of its game.
        bounds: how many it holds.
        by_scan: bounds that one look at all the guesses in each class of the opener reaches.
        by_search: bounds that took a search.
        promising: how many openers count as promising: the hundredth that looks best at first sight.
        promising_checked: how many of these were derived again.
        failures: what is wrong, a message each.
        tree_total: the total of the tree in integer weights, or None where no run kept one.
        finished: whether the store holds the result of a finished run.
        seconds: how long it took.

    """

    game: str
    bounds: int
    by_scan: int
    by_search: int
    promising: int
    promising_checked: int
    failures: tuple[str, ...]
    tree_total: int | None
    finished: bool
    seconds: float

    @property
    def checked(self) -> int:
        """How many bounds were derived again."""
        return self.by_scan + self.by_search

    def odds(self, wrong: int = 1) -> float:
        """Return how likely one of so many wrong bounds would have been found, wherever they are."""
        samples = comb(self.bounds, self.checked)
        missing = comb(max(0, self.bounds - wrong), self.checked)  # samples of right bounds alone
        return (samples - missing) / samples

    @property
    def hundredth(self) -> int:
        """A hundredth of the bounds, one at least."""
        return -(-self.bounds // 100)

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.failures

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "game": self.game,
            "ok": self.ok,
            "bounds": self.bounds,
            "checked": self.checked,
            "by_scan": self.by_scan,
            "by_search": self.by_search,
            "promising": self.promising,
            "promising_checked": self.promising_checked,
            "odds_one_wrong": self.odds(),
            "odds_hundredth_wrong": self.odds(self.hundredth),
            "failures": list(self.failures),
            "tree_total": self.tree_total,
            "finished": self.finished,
            "seconds": round(self.seconds, 3),
        }


def verify(
    path: Path,
    sample: int | None = 20,
    seed: int | None = None,
    game: Game | None = None,
    progress: Watch | None = None,
) -> Verification:
    """Derive some bounds of a store again, or all of them, and check what its finished runs claim.

    Those are: that every opener is covered, that the least of their bounds is the bound stated, that the best
    opener costs what is stated, and that the tree keeps the rules of the game and takes as much.

    sample: how many bounds to draw at random, or None for all of them. On top come those of the best openers
    and as many once more where a wrong bound would matter: half of them exact or the lowest of the store,
    half drawn from the promising (see Verification). seed: draw the same again. game: the game, which a store
    does not hold where feedback is a function. progress: told of the bounds checked, and the opener at hand.
    Raises StoreError for a file that is no store or a damaged one, or not of that game.
    """
    if sample is not None and sample < 1:
        raise SleuthError(f"sample must be 1 or more, not {sample}")
    if seed is not None and seed < 0:
        raise SleuthError(f"seed must be 0 or more, not {seed}")
    began = time.perf_counter()
    contents = read_store(path)
    position, objective = rebuilt(contents.run, game)
    for key, value in identity(position, objective).items():
        if contents.about.get(key) != value:
            raise StoreError(f"{path} holds bounds of another run than its game: {key} differs")
    if not contents.openers:
        raise StoreError(f"{path} holds no bounds yet")
    rng = np.random.default_rng(seed)
    checker = _Checker(position, objective, contents, rng)
    failures = checker.check_feedback()
    chosen = contents.openers
    if sample is not None:
        best = {
            (turns, result.opener) for result in contents.results for turns in (result.turns, checker.turns)
        }
        keys = best | checker.draw(sample)
        chosen = [row for row in contents.openers if (row.turns, row.guess) in keys]
    names = {(row.turns, row.guess) for row in chosen}
    for done, row in enumerate(chosen):
        if progress is not None:
            progress(Progress(done, len(chosen), row.guess))
        failures += checker.check_bound(row)
    totals = []
    for result in contents.results:
        failures += checker.check_result(result)
        total, wrong = checker.check_tree(result)
        totals.append(total)
        failures += wrong
    return Verification(
        position.game.name,
        len(contents.openers),
        checker.by_scan,
        checker.by_search,
        len(checker.promising),
        len(checker.promising & names),
        tuple(failures),
        next((total for total in totals if total is not None), None),
        bool(contents.results),
        time.perf_counter() - began,
    )


class _Checker:
    """The statements of one store, checked one by one; what is wrong comes back as messages."""

    def __init__(
        self,
        position: Position,
        objective: Objective,
        contents: Contents,
        rng: np.random.Generator,
    ) -> None:
        self.position = position
        self.game = position.game
        self.objective = objective
        self.rng = rng
        self.search = PlainSearch(self.game, objective, position.candidates)
        self.turns = max(0, self.game.max_turns - position.turn + 1)
        self.rows = {(row.turns, row.guess): row for row in contents.openers}
        self.by_scan = self.by_search = 0
        legal = range(len(self.game.guesses)) if position.legal is None else position.legal.tolist()
        self.legal = set(legal)
        everyone = len(position.candidates) == len(self.game.answers)
        self.at_start = position.turn == 1 and everyone
        shallow = objective.kind == "worst" and contents.results
        self.decisive = contents.results[0].turns if shallow else self.turns

    @cached_property
    def promising(self) -> set[tuple[int, str]]:
        """The hundredth of the openers that looks best at first sight, as far as the store has them."""
        guesses, bounds = self.search.first_bounds(self.search.spot(self.position, self.decisive))
        keys = [
            (self.decisive, self.game.guesses[guess])
            for _, guess in sorted(zip(bounds, guesses, strict=True))
        ]
        known = [key for key in keys if key in self.rows]
        return set(known[: -(-len(known) // 100)])

    def draw(self, sample: int) -> set[tuple[int, str]]:
        """Return turns and guess of bounds to derive again: at random, and where a wrong one matters."""
        rows = sorted(self.rows.values(), key=lambda row: (not row.exact, row.lower))
        half = -(-sample // 2)
        nearest = [(row.turns, row.guess) for row in rows if row.turns == self.decisive][:half]
        return {*nearest, *self._some(sorted(self.promising), half), *self._some(list(self.rows), sample)}

    def _some(self, keys: list[tuple[int, str]], count: int) -> list[tuple[int, str]]:
        return [keys[i] for i in self.rng.permutation(len(keys))[:count].tolist()]

    def check_feedback(self) -> list[str]:
        """Compare random entries of the feedback matrix used here with the rules."""
        game = self.game
        for _ in range(_ENTRIES):
            g, a = int(self.rng.integers(len(game.guesses))), int(self.rng.integers(len(game.answers)))
            guess, answer = game.guesses[g], game.answers[a]
            if self.search.matrix[g, a] != game.rules.code(guess, answer):
                return [f"the feedback of {guess} for {answer} is not what the rules say"]
        return []

    def check_bound(self, row: OpenerBound) -> list[str]:
        """Derive what a store says of an opener again."""
        guess = self.game.guess_index.get(row.guess)
        if guess is None or guess not in self.legal:
            return [f"{row.guess}: the store has a bound of it, and it is no legal guess"]
        spot = self.search.spot(self.position, row.turns)
        beta = min(IMPOSSIBLE, row.lower + row.exact)
        found, searched = self.search.opener(spot, guess, beta)
        self.by_search += searched
        self.by_scan += not searched
        if found == row.lower if row.exact else found >= row.lower:
            return []
        says = "exactly" if row.exact else "at least"
        more = "or more" if found >= beta else "as found"
        return [
            f"{row.guess}: within {row.turns} turns it costs {says} {_shown(row.lower)} by the store,"
            f" {_shown(found)} {more} here"
        ]

    def check_result(self, result: Result) -> list[str]:
        """Check that every opener is covered, and that no bound is below what the run found."""
        value, asked = self._value(result), result.asked
        stages = {self.turns: value}
        if self.objective.kind == "worst":
            last = self.turns if value >= IMPOSSIBLE else result.turns
            stages = {**dict.fromkeys(range(1, last), IMPOSSIBLE), last: value}
        failures = []
        for turns, stated in stages.items():
            failures += self._check_least(turns, stated, asked)
        if result.total is not None and result.lower_bound != result.total:
            failures.append(f"the result is {result.total}, and the bound {result.lower_bound}")
        if value >= IMPOSSIBLE:
            return failures
        best = self.rows.get((max(stages), result.opener))
        if best is None or not best.exact or best.lower != value:
            failures.append(f"{result.opener}: it is the best opener, and the store does not hold its total")
        return failures

    def _check_least(self, turns: int, stated: int, asked: str | None) -> list[str]:
        """Check that the least bound of all openers, or of the one asked for, is as stated."""
        game, names = self.game, self.game.guesses
        alike = orbits(game).tolist() if self.at_start and asked is None else list(range(len(names)))
        least, by_symmetry = IMPOSSIBLE, []
        spot = self.search.spot(self.position, turns)
        for guess, bound in zip(*self.search.first_bounds(spot), strict=True):
            if asked not in (None, names[guess]):
                continue
            row = self.rows.get((turns, names[alike[guess]]))
            if row is not None and alike[guess] != guess:
                by_symmetry.append(guess)
            lower = bound if row is None else row.lower
            if row is None and bound < stated:
                # Those that cost too much at first sight have no row.
                lower, _ = self.search.opener(spot, guess, stated)
            if lower < stated:
                what = f"costs {lower}" if row is None else f"may cost {lower} by the store"
                return [
                    f"{names[guess]}: within {turns} turns it {what}, and no opener was to cost less than"
                    f" {_shown(stated)}"
                ]
            least = min(least, lower)
        if least != stated:
            return [f"no opener costs less than {_shown(least)}, and the run found {_shown(stated)}"]
        drawn = self.rng.permutation(by_symmetry)[:_IMAGES].tolist()
        wrong = [guess for guess in drawn if not _same_but_for_names(game, guess, alike[guess], self.rng)]
        return [
            f"{names[guess]}: it is not the same as {names[alike[guess]]} in other names" for guess in wrong
        ]

    def check_tree(self, result: Result) -> tuple[int | None, list[str]]:
        """Return the total of a result's tree, and what is wrong with it."""
        if result.tree is None:
            return None, []
        game = self.game if self.at_start else self.position.as_game()
        try:
            tree = tree_json.from_text(result.tree, game, "")
            turns = check_tree(tree).turns.tolist()
        except TreeError as error:
            return None, [f"the tree of {result.opener}: {error}"]
        total, within = 0, self.turns if self.objective.kind != "worst" else result.turns
        for answer, taken in zip(self.position.candidates.tolist(), turns, strict=True):
            weight, late = self.search.weights[answer], taken > within
            if late and self.search.leftover is None:
                name = self.game.answers[answer]
                return None, [f"the tree of {result.opener} takes {taken} turns for {name}, of {within} left"]
            total += weight * (taken if self.search.goes_on else min(taken, within))
            total += weight * (self.search.leftover or 0) * late
        failures = [
            f"the tree of {result.opener} plays {self.game.guesses[guess]}, which is not legal there"
            for guess in sorted(set(tree.guess.tolist()) - self.legal)
        ]
        if tree.opener != result.opener:
            failures.append(f"the tree begins with {tree.opener}, the best opener is {result.opener}")
        if total != self._value(result):
            failures.append(
                f"the tree of {result.opener} takes {total}, and the run found {_shown(self._value(result))}"
            )
        return total, failures + self._check_shallow(result, max(turns))

    def _check_shallow(self, result: Result, worst: int) -> list[str]:
        """Check that no opener reaches the total in fewer turns, where that is claimed."""
        if self.objective.kind != "mean" or self.objective.penalty is not None or worst == 1:
            return []
        value, failures = self._value(result), []
        for row in self._optimal(value, result.asked):
            fewer = self.rows.get((worst - 1, row.guess))
            if fewer is None or fewer.lower <= value:
                failures.append(
                    f"{row.guess}: for all the store says it costs {value} in {worst - 1} turns too"
                )
        return failures

    def _optimal(self, value: int, asked: str | None) -> Iterator[OpenerBound]:
        for (turns, guess), row in self.rows.items():
            if turns == self.turns and row.exact and row.lower == value and asked in (None, guess):
                yield row

    def _value(self, result: Result) -> int:
        """Return a result as the bounds have it: answers that are not found count in the total."""
        if result.total is None:
            return IMPOSSIBLE
        return result.total + (result.failures or 0) * (self.search.leftover or 0)


def _shown(total: int) -> str:
    return "an infinite total" if total >= IMPOSSIBLE else str(total)


def _same_but_for_names(game: Game, guess: int, other: int, rng: np.random.Generator) -> bool:
    """Say whether other names and places turn one guess into another, and the game into itself."""
    if not isinstance(game.rules, PegRules):
        return False
    one, two = game.guesses[guess], game.guesses[other]
    weights = dict(zip(game.answers, game.prior.tolist(), strict=True))
    symbols = sorted({symbol for word in game.guesses + game.answers for symbol in word})
    for places in permutations(range(len(one))):
        names = dict(zip((one[i] for i in places), two, strict=True))
        if any(names[one[i]] != two[k] for k, i in enumerate(places)) or len(set(names.values())) < len(
            names
        ):
            continue
        rest = [symbol for symbol in symbols if symbol not in names.values()]
        names |= dict(zip((symbol for symbol in symbols if symbol not in names), rest, strict=True))

        def image(word: str, places: tuple[int, ...] = places, names: dict[str, str] = names) -> str:
            return "".join(names[word[i]] for i in places)

        some = rng.permutation(len(game.answers))[:100].tolist()
        if (
            {image(word) for word in game.guesses} == set(game.guesses)
            and {image(word): weight for word, weight in weights.items()} == weights
            and all(
                game.rules.code(one, game.answers[a]) == game.rules.code(two, image(game.answers[a]))
                for a in some
            )
        ):
            return True
    return False
