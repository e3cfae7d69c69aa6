"""Where a game stands: what may still be the answer, and what may be guessed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth.games.game import Game
from sleuth.games.rules import WordleRules
from sleuth.support.by_value import ByValue
from sleuth.support.errors import ContradictionError, FeedbackError, SleuthError, about_row
from sleuth.support.indices import checked_index, checked_members
from sleuth.support.shown import Shown
from sleuth.support.tabled import Tabled

Row = tuple[str, str]
"""A guess and the feedback it got, as a person writes them."""


@dataclass(frozen=True, eq=False, repr=False)
class Position(ByValue, Shown, Tabled):
    """A position of a game. Start with Position.start(game), go on with play.

    Raises SleuthError where candidates, legal guesses or rows are none of the game.

    Attributes:
        game: the game.
        candidates: int32, ascending: the answers that are still possible, one or more.
        legal: int32, ascending: the guesses that may be made, or None when all may be.
        turn: the number of the next guess, from 1.
        widened: whether no listed answer fitted, so that the answers are now all guesses that do.
        rows: the guesses made and the codes of their feedback, as far as they are known; what is possible
            follows from the other attributes without them.

    """

    game: Game
    candidates: NDArray[np.int32]
    legal: NDArray[np.int32] | None
    turn: int = 1
    widened: bool = False
    rows: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        game = self.game
        candidates = checked_members(game.name, "answer", self.candidates, len(game.answers))
        if len(candidates) == 0:
            raise SleuthError("a position needs at least one candidate")
        object.__setattr__(self, "candidates", candidates)
        if self.legal is not None:
            legal = checked_members(game.name, "guess", self.legal, len(game.guesses))
            object.__setattr__(self, "legal", legal)
        for guess, code in self.rows:
            if not (0 <= guess < len(game.guesses) and 0 <= code < game.rules.n_codes):
                raise SleuthError(f"{game.name} has no row of guess {guess} and feedback {code}")

    def __repr__(self) -> str:
        count = len(self.candidates)
        return f"<Position {self.game.name}: guess {self.turn}, {count} candidate{'' if count == 1 else 's'}>"

    @classmethod
    def start(cls, game: Game) -> Position:
        """Return the position before the first guess."""
        legal = None if game.mode == "easy" else np.arange(len(game.guesses), dtype=np.int32)
        return cls(game, np.arange(len(game.answers), dtype=np.int32), legal)

    @classmethod
    def after_rows(cls, game: Game, rows: Iterable[Row]) -> Position:
        """Return the position after rows such as ("crane", "bbygb").

        Where no listed answer fits, the candidates widen to all guesses that do, and `widened` says so.
        Raises UnknownGuessError, FeedbackError, and ContradictionError naming the row at fault.
        """
        read = []
        for number, (guess, shown) in enumerate(rows, 1):
            with about_row(number):
                read.append((game.find(str(guess)), game.rules.notation.parse(str(shown))))
        over = next((row for row, (_, code) in enumerate(read, 1) if code == game.solved), len(read))
        if over < len(read):
            with about_row(over + 1):
                raise FeedbackError(
                    f"row {over} is right: the game is over, and row {over + 1} comes after it"
                )
        try:
            return _follow(cls.start(game), read)
        except ContradictionError as contradiction:
            return _follow(_widen(game, read, contradiction), read)

    @property
    def weights(self) -> NDArray[np.float64]:
        """float64 [candidates]: how likely each candidate is, sum 1."""
        weights = self.game.prior[self.candidates]
        total = weights.sum()
        if total <= 0:
            return np.full(len(weights), 1 / len(weights))
        normalised: NDArray[np.float64] = weights / total
        return normalised

    @property
    def words(self) -> tuple[str, ...]:
        """The candidates themselves, in the order of the list."""
        return tuple(self.game.answers[a] for a in self.candidates)

    @property
    def likeliest(self) -> tuple[str, ...]:
        """The candidates, the likeliest first, equals in the order of the list."""
        order = np.argsort(-self.weights, kind="stable")
        return tuple(self.game.answers[a] for a in self.candidates[order])

    @property
    def all_legal(self) -> bool:
        """Whether every guess is legal."""
        return self.legal is None or len(self.legal) == len(self.game.guesses)

    @property
    def solved(self) -> bool:
        """Whether the last guess was right. It is not known of a position that was made without rows."""
        return bool(self.rows) and self.rows[-1][1] == self.game.solved

    @classmethod
    def from_json(cls, values: Mapping[str, Any], game: Game) -> Position:
        """Return the position of a game that to_json() gave. Raises SleuthError for another game's."""
        theirs, ours = f"{values['game']}, {values['mode']} mode", f"{game.name}, {game.mode} mode"
        other = SleuthError(f"it is of {theirs}, not of {ours}, or of other words")
        if theirs != ours:
            raise other
        rows = [(row["guess"], row["feedback"]) for row in values["rows"]]
        if "candidates" in values:
            place = {answer: at for at, answer in enumerate(game.answers)}
            legal = values["legal"]
            found = cls(
                game,
                np.array([place.get(word, -1) for word in values["candidates"]], np.int32),
                None if legal is None else np.array([game.find(word) for word in legal], np.int32),
                values["turn"],
                values["widened"],
                tuple((game.find(guess), game.rules.notation.parse(shown)) for guess, shown in rows),
            )
        else:
            found = cls.after_rows(game, rows)
        if found.game.digest != values["digest"]:
            raise other
        return found

    def to_json(self) -> dict[str, Any]:
        """Return the position as plain values; what follows from its rows is left out."""
        game, notation = self.game, self.game.rules.notation
        rows = [(game.guesses[guess], notation.show(code)) for guess, code in self.rows]
        values: dict[str, Any] = {
            "game": game.name,
            "mode": game.mode,
            "digest": game.digest,
            "rows": [{"guess": guess, "feedback": shown} for guess, shown in rows],
        }
        if self.widened or Position.after_rows(game, rows) == self:
            return values
        legal = None if self.legal is None else [game.guesses[guess] for guess in self.legal]
        made = {"candidates": list(self.words), "legal": legal, "turn": self.turn, "widened": self.widened}
        return {**values, **made}

    def to_records(self) -> list[dict[str, Any]]:
        """Return a row for each candidate, in the order of the list: how likely it is."""
        rows = zip(self.words, self.weights.tolist(), strict=True)
        return [{"answer": word, "probability": chance} for word, chance in rows]

    def as_game(self) -> Game:
        """Return the game with the candidates as its answers and the turns that are left."""
        left = max(1, self.game.max_turns - self.turn + 1)
        return replace(self.game.with_answers(self.words, self.weights), max_turns=left)

    def alone(self) -> Position:
        """Return the position in a game of its candidates and legal guesses alone, which small ones fit.

        Guesses keep their numbers where all are legal. Rows are not kept.
        """
        part = self.game.part(self.candidates, self.legal)
        start = Position.start(part)
        return replace(start, turn=self.turn, widened=self.widened)

    def play(self, guess: str, feedback: str) -> Position:
        """Return the position after a guess and its feedback, both as a person writes them.

        Raises UnknownGuessError, FeedbackError, ContradictionError.
        """
        return self.after(self.game.find(guess), self.game.rules.notation.parse(feedback))

    def after(self, guess: int, code: int) -> Position:
        """Return the position after guess number `guess` got `code`.

        Raises SleuthError for a guess or code that the game does not have, FeedbackError for a guess that is
        not legal, ContradictionError.
        """
        with about_row(self.turn):
            return self._after(guess, code)

    def _after(self, guess: int, code: int) -> Position:
        game = self.game
        row = f"row {self.turn}: {game.name}"
        guess = checked_index(row, "guess", guess, len(game.guesses))
        code = checked_index(row, "feedback", code, game.rules.n_codes)
        if self.legal is not None and not np.any(self.legal == guess):
            raise FeedbackError(
                f"row {self.turn}: {game.guesses[guess]} is not legal there in {game.mode} mode"
            )
        kept = self.candidates[game.feedback_row(guess)[self.candidates] == code]
        if len(kept) == 0:
            shown = game.rules.notation.show(code)
            raise ContradictionError(
                f"row {self.turn}: no possible answer gives {shown} for {game.guesses[guess]}"
                f"{' after the rows before it' if self.turn > 1 else ''}"
            )
        return replace(
            self,
            candidates=kept,
            legal=self._still_legal(guess, code),
            turn=self.turn + 1,
            rows=(*self.rows, (guess, code)),
        )

    def _still_legal(self, guess: int, code: int) -> NDArray[np.int32] | None:
        if self.legal is None:
            return None
        as_answers = self.game.codes_as_answers(guess)[self.legal]
        if self.game.mode == "hard" and isinstance(self.game.rules, WordleRules):
            keeps = self.game.rules.uses(self.game.guesses[guess], code, as_answers)
        else:
            keeps = as_answers == code
        kept: NDArray[np.int32] = self.legal[keeps]
        return kept


def _follow(position: Position, read: list[tuple[int, int]]) -> Position:
    for guess, code in read:
        position = position.after(guess, code)
    return position


def _widen(game: Game, read: list[tuple[int, int]], contradiction: ContradictionError) -> Position:
    """Return the start of the game in which every guess that fits all the rows may be the answer."""
    fits = np.ones(len(game.guesses), bool)
    try:
        for guess, code in read:
            fits &= game.codes_as_answers(guess) == code
    except SleuthError:  # guesses that cannot be answers, in a game by a function of its own
        raise contradiction from None
    found = np.flatnonzero(fits)
    if len(found) == 0:
        raise contradiction
    wider = game.with_answers([game.guesses[g] for g in found], np.full(len(found), 1 / len(found)))
    return replace(Position.start(wider), widened=True)
