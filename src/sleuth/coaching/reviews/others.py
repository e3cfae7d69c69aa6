"""Reviews of other games than one board with a truthful host: several boards, Absurdle, Fibble.

Every guess is held against the best one that Sleuth knows there, by numbers that are partly estimates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from sleuth.coaching.hosts import Lied, against_host, blow_of
from sleuth.coaching.playing.puzzles import EXTRA_TURNS
from sleuth.coaching.reviews import scores, sentences
from sleuth.coaching.reviews.marks import SLIGHT, Mark, mark_of
from sleuth.games.feedback import typed
from sleuth.games.game import Game
from sleuth.games.position import Position, Row
from sleuth.games.strategy import CERTAINTIES, Certainty, Suggestion
from sleuth.support.errors import FeedbackError
from sleuth.variants.adversary.host import reply
from sleuth.variants.boards.joint_rollout import JointRollout
from sleuth.variants.boards.position import BoardsPosition, rows_together
from sleuth.variants.boards.strategies import JointInformation, JointSuggestion, advised, joint_numbers

Numbers = Suggestion | JointSuggestion

# Seconds for what beats Absurdle's host, in each position.
_SECONDS = 1.0
# Where games are drawn, so many standard errors of a difference may be chance: the best is the best of many.
_BY_CHANCE = 3.0


@dataclass(frozen=True)
class Look:
    """What is known before a row.

    Attributes:
        left: candidates of each board, 0 where it is solved.
        best: the best guess that is known.
        played: the guess that was made; None after the last row.
        loss: how much worse it is, in guesses; None where that is not known.
        noise: up to so much of that may be chance; marks and skill let it pass.

    """

    left: tuple[int, ...]
    best: Numbers | None
    played: Numbers | None = None
    loss: float | None = None
    noise: float = 0.0

    @property
    def judged(self) -> float | None:
        """The loss beyond what may be chance."""
        return None if self.loss is None else max(0.0, self.loss - self.noise)


@dataclass(frozen=True)
class OtherMove:
    """One move. Its attributes are those of Move, as far as there are such numbers.

    Attributes:
        feedback: what it got; of several boards a tuple, None where the board was solved before.
        solved: whether the game is won with it.
        candidates_before, candidates_after: answers still possible, of several boards the sum.
        left_before, left: candidates_before and candidates_after of each board, 0 where it is solved.
        expected_kind, expected_after_kind: what expected_before and expected_after are; None where nothing is
            left to expect.
        loss: value less expected_before, 0 at least; None where that is not known.
        skill: 0 to 99; None with loss.

    """

    turn: int
    guess: str
    feedback: str | tuple[str | None, ...]
    solved: bool
    candidates_before: int
    candidates_after: int
    left_before: tuple[int, ...]
    left: tuple[int, ...]
    choice: bool
    expected_before: float
    expected_after: float
    expected_by: str
    expected_kind: Certainty
    expected_after_kind: Certainty | None
    value: float
    loss: float | None
    skill: int | None
    annotation: Mark
    played: Numbers
    best: Numbers
    sentence: str = ""

    @property
    def kind_of_loss(self) -> Certainty:
        """What the loss is: no surer than the less certain of the two numbers."""
        return max(self.best.kind, self.played.kind, key=CERTAINTIES.index)

    def to_json(self) -> dict[str, Any]:
        """Return the move as plain values."""
        numbers = {"played": vars(self.played), "best": vars(self.best)}
        shown = self.feedback if isinstance(self.feedback, str) else list(self.feedback)
        none = {"luck": None, "bits_expected": None, "bits_gained": None, "hard": None}
        left = {"left_before": list(self.left_before), "left": list(self.left)}
        return {**vars(self), **numbers, **none, "feedback": shown, **left}


@dataclass(frozen=True, eq=False)
class OtherReview:
    """A game reviewed. Attributes are those of Review, as far as there are such numbers."""

    game: Game
    max_turns: int
    moves: tuple[OtherMove, ...]
    solved: bool
    lost: bool
    assumed: str
    notes: tuple[str, ...] = ()

    @property
    def skill(self) -> float | None:
        """The mean skill of the moves where there was a choice and it is known; None where there was none."""
        skills = [move.skill for move in self.moves if move.choice and move.skill is not None]
        return float(np.mean(skills)) if skills else None

    @property
    def summary(self) -> str:
        """The game in a few sentences."""
        taken = f"{len(self.moves)} {'guess' if len(self.moves) == 1 else 'guesses'}"
        told = [
            f"Solved in {taken}."
            if self.solved
            else f"Not solved in {taken}."
            if self.lost
            else f"Not finished after {taken}."
        ]
        if self.skill is not None:
            told.append(f"Skill {scores.whole(self.skill)} of 99 on average.")
        worst = max((move for move in self.moves if move.loss is not None), key=_loss, default=None)
        if worst is not None and worst.annotation:
            told.append(f"The most to gain was in move {worst.turn}: {_saved(worst)}.")
        return " ".join(told)

    def to_json(self) -> dict[str, Any]:
        """Return the review as plain values."""
        return {
            "game": self.game.name,
            "mode": self.game.mode,
            "max_turns": self.max_turns,
            "notes": [*self.game.notes, *self.notes],
            "assumed": self.assumed,
            "solved": self.solved,
            "lost": self.lost,
            "turns": len(self.moves),
            "skill": self.skill,
            "luck": None,
            "skill_shown": None if self.skill is None else scores.whole(self.skill),
            "luck_shown": None,
            "hard_mode": None,
            "summary": self.summary,
            "line": None,
            "moves": [move.to_json() for move in self.moves],
        }


def _loss(move: OtherMove) -> float:
    return move.loss or 0.0


def review_boards(game: Game, boards: Sequence[Sequence[Row]], max_turns: int | None = None) -> OtherReview:
    """Review a game on several boards, by their joint position. boards: the rows of each, until it is solved.

    Raises UnknownGuessError, FeedbackError, ContradictionError, and SleuthError where the rows do not go
    together.
    """
    rows = rows_together(game, boards)
    _check(rows)
    at = [BoardsPosition.after_rows(game, rows[:row], len(boards), max_turns) for row in range(len(rows) + 1)]
    looks = [_looked_jointly(one, row[0]) for one, row in zip(at, rows, strict=False)]
    looks.append(_looked_jointly(at[-1], None))
    shown = [
        (
            guess,
            tuple(
                None if board is None else _as_typed(game, mark)
                for board, mark in zip(one.boards, marks, strict=True)
            ),
        )
        for (guess, marks), one in zip(rows, at, strict=False)
    ]
    return _reviewed(
        game,
        at[0].max_turns,
        shown,
        looks,
        at[-1].is_over,
        f"Every guess is judged by what was known of all boards when it was made: on each any of the"
        f" {len(game.answers)} answers among the {game.listed}. Values are from games played on with drawn"
        " answers, and a lost game counts as ten guesses more.",
    )


def _looked_jointly(position: BoardsPosition, guess: str | None) -> Look:
    left = tuple(0 if board is None else len(board.candidates) for board in position.boards)
    if position.is_over:
        return Look(left, None)
    also = [] if guess is None else [position.game.find(guess)]
    strategy = advised(position)
    if not isinstance(strategy, JointRollout):
        return _estimated_jointly(position, left, also)
    tried = strategy.weigh(position, also)
    if guess is None:
        return Look(left, tried[0])
    played = next(one for one in tried if one.guess == position.game.guesses[also[0]])
    return Look(left, tried[0], played, _excess(played, tried[0]), _BY_CHANCE * (played.error or 0.0))


def _estimated_jointly(position: BoardsPosition, left: tuple[int, ...], also: Sequence[int]) -> Look:
    """Return a look by the one-step strategy: where there is very much left, games take too long.

    How far off its estimates are nobody knows, so that no loss is told.
    """
    strategy = JointInformation()
    best = strategy.rank(position, 1)[0]
    if not also:
        return Look(left, best)
    cost = float(1 + strategy.costs(position)[also[0]])
    played = replace(joint_numbers(position, np.array(also, np.int32))[0], expected_guesses=cost)
    return Look(left, best, played)


def _excess(played: Numbers, best: Numbers) -> float:
    """Return how many guesses more one takes than the other: the difference of the numbers that are shown."""
    return max(0.0, played.expected_guesses - best.expected_guesses)


def review_absurdle(game: Game, rows: Sequence[Row], seconds: float = _SECONDS) -> OtherReview:
    """Review a game against a host who keeps as many answers as possible: by the guesses that beat it.

    seconds: how long the best guess of a move may be looked for, and what the one played takes.
    Raises UnknownGuessError, FeedbackError, ContradictionError.
    """
    _check(rows)
    at = [Position.after_rows(game, rows[:row]) for row in range(len(rows) + 1)]
    looks = []
    for one, (guess, _) in zip(at, rows, strict=False):
        best = against_host(one, 1, seconds)[0]
        played = blow_of(one, game.find(guess), seconds)
        known = best.kind == "proved" and (
            played.kind == "proved" or played.expected_guesses > best.expected_guesses
        )
        loss = max(0.0, played.expected_guesses - best.expected_guesses) if known else None
        looks.append(Look((len(one.candidates),), best, played, loss))
    over = at[-1].solved
    last = at[-1]
    looks.append(
        Look((0,), None) if over else Look((len(last.candidates),), against_host(last, 1, seconds)[0])
    )
    return _reviewed(
        game,
        game.max_turns + EXTRA_TURNS["absurdle"],
        list(rows),
        looks,
        over,
        "The host chooses no answer and keeps as many as it can: values are the guesses that beat it.",
        [note for before, after in pairwise(at) if (note := _not_of_host(before, after))],
    )


def _not_of_host(before: Position, after: Position) -> str:
    """Return what Absurdle's host would have shown where that is not what a row says, else ""."""
    guess, code = after.rows[-1]
    usual = reply(before, guess)
    if code == usual:
        return ""
    notation = before.game.rules.notation
    left, here = len(before.after(guess, usual).candidates), 0 if after.solved else len(after.candidates)
    more = ", and tells more" if here == left else ""
    return (
        f"Row {before.turn}: Absurdle's host answers {before.game.guesses[guess].upper()} with"
        f" {typed(notation, usual)}, which leaves {left} answers;"
        f" {typed(notation, code)} leaves {here}{more}."
    )


def _as_typed(game: Game, shown: str) -> str:
    """Return feedback as people type it, whichever way it was written."""
    return typed(game.rules.notation, game.rules.notation.parse(shown))


def review_fibble(game: Game, rows: Sequence[Row]) -> OtherReview:
    """Review a game of Fibble, where one mark of every row is a lie, by estimates.

    How far off these are nobody knows, so that no loss is told.

    Raises UnknownGuessError, FeedbackError, ContradictionError, and SleuthError for a game without marks.
    """
    _check(rows)
    at = [Lied.after_rows(game, rows[:row]) for row in range(len(rows) + 1)]
    looks = [
        Look((len(one.belief.support),), one.best(1)[0], one.numbers([game.find(guess)])[0])
        for one, (guess, _) in zip(at, rows, strict=False)
    ]
    last = at[-1]
    looks.append(Look((0,), None) if last.solved else Look((len(last.belief.support),), last.best(1)[0]))
    return _reviewed(
        game,
        game.max_turns + EXTRA_TURNS["fibble"],
        list(rows),
        looks,
        last.solved,
        f"One mark of every row is a lie, each equally likely; any of the {len(game.answers)} answers"
        f" among the {game.listed} may be right. Values are estimates by what guesses tell through the lies;"
        " how far off they are is not known, so that no move is called a mistake.",
    )


def _check(rows: Sequence[object]) -> None:
    if not rows:
        raise FeedbackError("there is no row to review")


def _reviewed(
    game: Game,
    max_turns: int,
    rows: Sequence[tuple[str, str | tuple[str | None, ...]]],
    looks: Sequence[Look],
    solved: bool,
    assumed: str,
    notes: Sequence[str] = (),
) -> OtherReview:
    """Return the review of rows by what is known before each, and after the last."""
    moves = []
    for row, (_, shown) in enumerate(rows):
        look, then = looks[row], looks[row + 1]
        assert look.best is not None
        assert look.played is not None
        choice = sum(look.left) > 1
        move = OtherMove(
            row + 1,
            look.played.guess,
            _as_typed(game, shown) if isinstance(shown, str) else shown,
            solved and row + 1 == len(rows),
            sum(look.left),
            sum(then.left),
            look.left,
            then.left,
            choice,
            look.best.expected_guesses,
            0.0 if then.best is None else then.best.expected_guesses,
            look.best.expected_by,
            look.best.kind,
            None if then.best is None else then.best.kind,
            look.played.expected_guesses,
            look.loss,
            None if look.judged is None else scores.skill(look.judged),
            "" if look.judged is None else mark_of(look.judged),
            look.played,
            look.best,
        )
        moves.append(replace(move, sentence=_sentence(move, look)))
    lost = not solved and len(rows) >= max_turns
    return OtherReview(game, max_turns, tuple(moves), solved, lost, assumed, tuple(notes))


def _sentence(move: OtherMove, look: Look) -> str:
    """Return the move in words."""
    before = move.left_before
    done = [str(place) for place, (n, m) in enumerate(zip(before, move.left, strict=True), 1) if n and not m]
    hit = ""
    if len(before) > 1 and done:
        hit = f"board{'s' if len(done) > 1 else ''} {' and '.join(done)} solved; "
    elif move.solved:
        hit = "right; "
    told = f"{hit}{_verdict(move, look)}."
    return told[0].upper() + told[1:]


def _saved(move: OtherMove) -> str:
    """Return what the best guess saves, as the two numbers beside it have it."""
    saved = sentences.difference(move.value, move.expected_before)
    return sentences.in_guesses(saved, about=move.kind_of_loss == "estimate")


def _verdict(move: OtherMove, look: Look) -> str:
    """Return what there is to say of the choice: no more than the two numbers beside it."""
    best = move.best.guess.upper()
    if look.loss is None or look.judged is None:
        if move.value == move.expected_before and move.best.guess != move.guess:
            return f"as good as {best}, as far as is known"
        return f"{best} seems to be better" if move.best.guess != move.guess else "a good guess"
    if look.loss == 0:
        is_proved = move.best.kind == move.played.kind == "proved"
        return "no guess is better" if is_proved else "no better guess is known"
    saved = _saved(move)
    if look.judged == 0:
        return f"a strong guess; {best} saves {saved}, which may be chance"
    return f"a strong guess; {best} saves {saved}" if look.judged <= SLIGHT else f"{best} saves {saved}"
