"""What a review finds: the moves of a game with their numbers, and the game as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sleuth.coaching.losses import lost_counts_as
from sleuth.coaching.reviews import scores
from sleuth.coaching.reviews.marks import Mark
from sleuth.games.game import Game
from sleuth.games.position import Row
from sleuth.games.strategy import Certainty, Suggestion
from sleuth.support import json_files
from sleuth.support.errors import SleuthError
from sleuth.support.shown import Shown
from sleuth.support.tabled import Tabled

FORMAT = "sleuth-review"
VERSION = 1


@dataclass(frozen=True)
class Move:
    """One move of a game.

    Attributes:
        turn: the number of the guess, from 1.
        guess, feedback: the row; letters in lower case.
        solved: whether the guess was right.
        candidates_before, candidates_after: answers still possible.
        words_before, words_after: those answers, where there are at most 20 of them.
        widened: whether no listed answer fits after the row, so that all guesses that do are candidates.
        could_be_answer: whether the guess was one of the candidates.
        repeated: whether it had been guessed before.
        ruled_out_by: the first row that the guess, were it the answer, contradicts; None where it fits all.
        hard: whether hard mode allows it; None in games without that mode.
        choice: whether there was anything to choose: not where the only candidate was guessed.
        bits_expected, bits_gained: information, in bits; gained is None where the answer was not to be
            expected at all.
        expected_before: guesses expected until the answer is found, by the best guess known.
        expected_after: the same after the row, 0 after a right guess; None where the game was lost with it.
        expected_by, expected_after_by: where expected_before and expected_after come from
            (Suggestion.expected_by); None where nothing is left to expect.
        expected_kind, expected_after_kind: what they are: "proved", "at most" or "estimate"; likewise None.
        value: guesses expected with this guess, it included.
        loss: value less expected_before.
        gain: what the guess saves over Sleuth's own; negative where Sleuth's own is better.
        skill: 0 to 99 (scores.skill); None where the loss is an estimate, whose error is not known.
        annotation: the mark of the move, "" where it has none (marks.py), as with such a loss.
        luck: 0 to 99 (scores.luck); None where all that the guess could get was equally good.
        guesses_saved: guesses expected to be left after the guess, on average over what it might get, less
            those after what it got; None with bits_gained.
        played, best, sleuth: the guess, the best one, and Sleuth's own, with their numbers; expected_guesses
            is their value, and kind how that is known.
        sentence: the move in words.

    """

    turn: int
    guess: str
    feedback: str
    solved: bool
    candidates_before: int
    candidates_after: int
    words_before: tuple[str, ...]
    words_after: tuple[str, ...]
    widened: bool
    could_be_answer: bool
    repeated: bool
    ruled_out_by: int | None
    hard: bool | None
    choice: bool
    bits_expected: float
    bits_gained: float | None
    expected_before: float
    expected_after: float | None
    expected_by: str
    expected_after_by: str | None
    expected_kind: Certainty
    expected_after_kind: Certainty | None
    value: float
    loss: float
    gain: float
    skill: int | None
    annotation: Mark
    luck: int | None
    guesses_saved: float | None
    played: Suggestion
    best: Suggestion
    sleuth: Suggestion
    sentence: str = ""

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Move:
        """Return the move of a row of Review.to_records. Raises KeyError or TypeError for another."""
        values: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in record.items()
        }
        for name in ("played", "best", "sleuth"):
            suggestion = dict(values[name])
            del suggestion["kind"]  # it follows from the rest
            values[name] = Suggestion(**suggestion)
        return cls(**values)


@dataclass(frozen=True, repr=False)
class Review(Shown, Tabled):
    """A game reviewed.

    Attributes:
        game: the game; what was assumed of it is in `assumed`.
        moves: the moves in order.
        answer: the answer, where it is known.
        solved: whether the answer was found: guessed, or the only one left where no guess can name it.
        lost: whether the turns are up and the answer was not found.
        skill: mean skill of the moves where there was a choice and it is known; None where there was none.
        luck: mean luck of the moves with luck in them; None where there was none.
        hard_mode: whether every guess kept to hard mode; None in games without it.
        line: how Sleuth plays from the same opener, where the answer is known: guesses and feedback.
        assumed: which answers were held possible, and how likely.
        summary: the game in a sentence or two.

    """

    game: Game
    moves: tuple[Move, ...]
    answer: str | None
    solved: bool
    lost: bool
    skill: float | None
    luck: float | None
    hard_mode: bool | None
    line: tuple[Row, ...] | None
    assumed: str = ""
    summary: str = ""

    def __repr__(self) -> str:
        moves = " ".join(move.guess for move in self.moves)
        return f"<Review {self.game.name}: {moves}, skill {self.skill_shown}, luck {self.luck_shown}>"

    @property
    def skill_shown(self) -> int | None:
        """The mean skill as a whole number, as it is told everywhere."""
        return None if self.skill is None else scores.whole(self.skill)

    @property
    def luck_shown(self) -> int | None:
        """The mean luck as a whole number, as it is told everywhere."""
        return None if self.luck is None else scores.whole(self.luck)

    @classmethod
    def read(cls, path: Path | str, game: Game) -> Review:
        """Return the review of a game in a file that save() wrote. Raises SleuthError."""

        def make(values: dict[str, Any]) -> Review:
            if (values["digest"], values["mode"]) != (game.digest, game.mode):
                theirs, ours = f"{values['game']}, {values['mode']} mode", f"{game.name}, {game.mode} mode"
                raise SleuthError(f"it is a review of {theirs}, not of {ours}, or of other words")
            line = values["line"]
            return cls(
                game,
                tuple(map(Move.from_record, values["moves"])),
                values["answer"],
                values["solved"],
                values["lost"],
                values["skill"],
                values["luck"],
                values["hard_mode"],
                None if line is None else tuple((row["guess"], row["feedback"]) for row in line),
                values["assumed"],
                values["summary"],
            )

        return json_files.read(path, FORMAT, VERSION, make, cls._kept)

    def save(self, path: Path | str) -> None:
        """Write the review as JSON: what to_json() returns, and a digest of the game's words.

        Raises SleuthError.
        """
        json_files.save(path, FORMAT, VERSION, self._kept())

    def _kept(self) -> dict[str, Any]:
        return {"digest": self.game.digest, **self.to_json()}

    def to_json(self) -> dict[str, Any]:
        """Return the review as plain values; docs/review.md lists the keys."""
        return {
            "game": self.game.name,
            "mode": self.game.mode,
            "max_turns": self.game.max_turns,
            "prior": "uniform" if self.game.is_uniform else "weighted",
            "answers": len(self.game.answers),
            "guesses": len(self.game.guesses),
            "lost_counts_as": lost_counts_as(self.game),
            "notes": list(self.game.notes),
            "assumed": self.assumed,
            "answer": self.answer,
            "solved": self.solved,
            "lost": self.lost,
            "turns": len(self.moves),
            "skill": self.skill,
            "luck": self.luck,
            "skill_shown": self.skill_shown,
            "luck_shown": self.luck_shown,
            "hard_mode": self.hard_mode,
            "summary": self.summary,
            "line": None
            if self.line is None
            else [{"guess": guess, "feedback": shown} for guess, shown in self.line],
            "moves": self.to_records(),
        }

    def to_records(self) -> list[dict[str, Any]]:
        """Return a row of plain values for each move."""
        return [
            {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(move).items()}
            for move in self.moves
        ]
