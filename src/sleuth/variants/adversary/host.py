"""The host of Absurdle: no answer is chosen, and every reply keeps as many candidates as it can."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.games.rules import WordleRules
from sleuth.kernels.compiling import seconds_worked
from sleuth.support.errors import SleuthError, UnfinishedError
from sleuth.support.indices import checked_indices
from sleuth.support.progress import Progress, Watch

_DEEPEST = 10
Line = list[tuple[str, str]]
"""Guesses and the host's replies."""


@lru_cache(maxsize=8)
def _rank(game: Game) -> NDArray[np.int32]:
    """int32 [1 or guesses, labels]: among replies that keep as many candidates the host gives the least.

    That is the one with the fewest hints where the rules know hints (greens, then yellows), then the first.
    """
    labels = np.arange(game.n_labels, dtype=np.int32)
    if not isinstance(game.rules, WordleRules):
        return labels[None]
    # Labels number the codes of each guess anew; else they are the codes, and those of one guess do for all.
    guesses = len(game.guesses) if game.n_labels < game.rules.n_codes else 1
    rank = np.empty((guesses, len(labels)), np.int32)
    for guess in range(guesses):
        marks = game.rules.marks(game.codes_of(np.full(len(labels), guess), labels))
        rank[guess, np.lexsort(((marks == 1).sum(axis=1), (marks == 2).sum(axis=1)))] = labels
    return rank


def _replies(
    game: Game, rows: NDArray[np.int32], guesses: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return how many candidates, int32 rows, the host keeps for each guess, and the code shown, int32."""
    from sleuth.kernels.adversary import replies

    tables = game.tables
    sizes, labels = replies(tables.by_answer, tables.wide, rows, guesses, _rank(game), game.solved_label)
    return sizes, game.codes_of(guesses, labels)


def reply(position: Position, guess: int) -> int:
    """Return the feedback code that keeps the most candidates; a right guess is admitted only when forced.

    Raises SleuthError for what is no guess.
    """
    game = position.game
    asked = checked_indices(game.name, "guess", [guess], len(game.guesses))
    return int(_replies(game, position.candidates, asked)[1][0])


@dataclass(frozen=True)
class Beaten:
    """The least number of guesses that beats the host.

    Attributes:
        guesses: how many it takes.
        line: the guesses with the host's replies, the last one right.
        searched: sets of candidates looked at.

    """

    guesses: int
    line: Line
    searched: int


def play(position: Position, guesses: list[str]) -> tuple[Line, Position | None]:
    """Return the host's replies to guesses, and the position after them, None once it is beaten.

    Raises UnknownGuessError, FeedbackError (a guess that the mode forbids), SleuthError.
    """
    line: Line = []
    at: Position | None = position
    for word in guesses:
        if at is None:
            raise SleuthError(f"the host is beaten already, before {word}")
        guess = at.game.find(word)
        code = reply(at, guess)
        line.append((word, at.game.rules.notation.show(code)))
        at = None if code == at.game.solved else at.after(guess, code)
    return line, at


def fewest_guesses(position: Position, most: int = 10, progress: Watch | None = None) -> Beaten:
    """Find the least number of guesses that beats the host, and a line that does, by iterative deepening.

    A set of n candidates takes at least 1 + log n / log c guesses, c the most classes of a guess, since some
    class keeps n / c. progress: told of the sets searched. Raises
    SleuthError where more than `most` would be needed.
    """
    search = _Search(position, progress)
    for depth in range(1, most + 1):
        line = search.line(position, depth)
        if line is not None:
            return Beaten(depth, line, search.searched)
    raise SleuthError(f"the host is not beaten within {most} guesses")


@dataclass(frozen=True)
class Blow:
    """A guess against the host.

    Attributes:
        guess: the guess, by index.
        code: what the host shows for it.
        kept: how many candidates that keeps, 0 where the guess is right.
        guesses: the guesses, this one included, that beat the host from here; where that is not known, the
            least that may.
        proved: whether it is known.

    """

    guess: int
    code: int
    kept: int
    guesses: int
    proved: bool


def blows(
    position: Position, limit: int, seconds: float, guesses: NDArray[np.int32] | None = None
) -> list[Blow]:
    """Return the best guesses against the host, best first: by what beats it, then by what it keeps.

    guesses: those to choose from, int32, else all legal ones. What is not found out in so many seconds is
    told as the least that may beat it.
    """
    game, rows = position.game, position.candidates
    asked = _moves(position) if guesses is None else guesses
    sizes, codes = _replies(game, rows, asked)
    kept = np.where(codes == game.solved, 0, sizes)
    order = np.argsort(kept, kind="stable")
    search = _Search(position, until=seconds_worked() + seconds)
    found: list[Blow] = []
    with suppress(UnfinishedError):
        for depth in range(1, _DEEPEST + 1):
            for i in order.tolist():
                if len(found) == limit or (kept[i] and search.least(int(kept[i])) > depth - 1):
                    break
                guess, code = int(asked[i]), int(codes[i])
                if kept[i] == len(rows) and position.legal is None:
                    continue
                if not kept[i] or search.line(position.after(guess, code), depth - 1) is not None:
                    found.append(Blow(guess, code, int(kept[i]), depth, True))
            if found:
                break
    if found and found[0].guesses == 1:
        return found
    beaten = {blow.guess for blow in found}
    for i in order.tolist():
        if len(found) >= limit:
            break
        if int(asked[i]) not in beaten:
            least = 1 + (search.least(int(kept[i])) if kept[i] else 0)
            found.append(Blow(int(asked[i]), int(codes[i]), int(kept[i]), least, False))
    return found


def _moves(position: Position) -> NDArray[np.int32]:
    """Return the guesses that may be made, int32."""
    if position.legal is not None:
        return position.legal
    return np.arange(len(position.game.guesses), dtype=np.int32)


class _Search:
    """Depth-first search for a line that wins within so many guesses; what cannot is remembered.

    until: when it is given up, by the clock of seconds_worked; None for never.
    """

    def __init__(self, position: Position, progress: Watch | None = None, until: float | None = None) -> None:
        game = position.game
        self.game = game
        self.progress = progress
        self.until = until
        self.searched = 0
        self.failed: dict[bytes, int] = {}
        self.all = np.arange(len(game.guesses), dtype=np.int32)
        whole = game.feedback[:, position.candidates]
        self.classes = max(2, max(len(np.unique(row)) for row in whole))

    def least(self, n: int) -> int:
        """Return the fewest guesses that so many candidates can take."""
        guesses, left = 1, n
        while left > 1:
            left = -(-left // self.classes)
            guesses += 1
        return guesses

    def line(self, position: Position, depth: int) -> Line | None:
        """Return a line that wins within `depth` guesses, or None. Raises UnfinishedError."""
        game, rows = self.game, position.candidates
        show = game.rules.notation.show
        if len(rows) == 1:
            guess = int(game.answer_guess[rows[0]])
            return [] if guess < 0 else [(game.guesses[guess], show(game.solved))]
        if self.least(len(rows)) > depth:
            return None
        key = rows.tobytes() + (b"" if position.legal is None else position.legal.tobytes())
        if self.failed.get(key, 0) >= depth:
            return None
        if self.until is not None and seconds_worked() > self.until:
            raise UnfinishedError("the host was not beaten in time")
        self.searched += 1
        if self.progress is not None and self.searched % 100 == 1:
            remark = f"fewer than {depth} guesses do not beat the host, {self.searched} sets searched"
            self.progress(Progress(self.searched, 0, remark))
        guesses = self.all if position.legal is None else position.legal
        sizes, codes = _replies(game, rows, guesses)
        tried: set[bytes] = set()
        for i in np.argsort(sizes, kind="stable").tolist():
            if self.least(int(sizes[i])) > depth - 1:
                break
            guess, code = int(guesses[i]), int(codes[i])
            kept = rows[game.feedback[guess, rows] == code]
            if position.legal is None:
                if len(kept) == len(rows) or kept.tobytes() in tried:
                    continue
                tried.add(kept.tobytes())
            rest = self.line(position.after(guess, code), depth - 1)
            if rest is not None:
                return [(game.guesses[guess], show(code)), *rest]
        self.failed[key] = depth
        return None
