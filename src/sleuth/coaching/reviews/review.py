"""A finished game reviewed: every move with its numbers and a sentence, and the game as a whole."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from sleuth.coaching.advice import EXACT_UP_TO
from sleuth.coaching.reviews import scores, sentences
from sleuth.coaching.reviews.marks import is_hard_to_find, mark_of
from sleuth.coaching.reviews.move import Move, Review
from sleuth.coaching.reviews.rows import (
    Played,
    after,
    find_answer,
    is_found,
    keeps_hard_mode,
    positions,
    read_rows,
)
from sleuth.coaching.reviews.values import Worth, own_guess, weigh
from sleuth.games.feedback import typed
from sleuth.games.game import Game
from sleuth.games.position import Position, Row
from sleuth.games.rules import FunctionRules

LISTED = 20
"""Candidates are listed where there are no more than so many."""
_LONGEST_LINE = 100


def review(
    game: Game, rows: Iterable[Row | str], answer: str | None = None, *, seconds: float = 5.0
) -> Review:
    """Review a game, finished or not.

    rows: ("salet", "bbybb") or "salet:bbybb"; with an answer, "salet" alone. answer: the answer where it is
    known; a game that was solved needs none. seconds: for the best guesses, shared evenly by the positions
    where there is much to search; where a share does not suffice, less is proved. Raises UnknownGuessError,
    FeedbackError (a row that cannot be read, or is not legal), and ContradictionError naming the row that no
    answer, or not the given one, explains.

    >>> import sleuth
    >>> found = sleuth.review(sleuth.mastermind(2, 3), ["12:1,0", "13:0,1", "32:2,0"])
    >>> [(move.guess, move.skill, move.luck) for move in found.moves]
    [('12', 99, 23), ('13', 99, 42), ('32', 99, None)]
    """
    read = read_rows(game, rows, answer)
    at = positions(game, read)
    if read[-1][1] == game.solved:
        answer = game.guesses[read[-1][0]]
    elif answer is not None:
        answer = find_answer(game, answer)
    elif is_found(at[-1]):
        answer = at[-1].words[0]
    solved = read[-1][1] == game.solved or is_found(at[-1])
    turns = max(game.max_turns, len(read))
    over = solved or len(read) >= game.max_turns
    share = seconds / max(1, sum(len(position.candidates) > EXACT_UP_TO for position in at))
    worths = [
        weigh(position, guess, turns - row, share)
        for row, (position, (guess, _)) in enumerate(zip(at, read, strict=False))
    ]
    then = None if over else weigh(at[-1], None, turns - len(read), share)
    hard = keeps_hard_mode(game, read)
    moves = [
        _move(
            game,
            read[: row + 1],
            at[row + 1],
            worths[row],
            worths[row + 1] if row + 1 < len(read) else then,
            None if hard is None else hard[row],
            is_hard_to_find(worths[row], read[row][0], turns - row, share),
        )
        for row in range(len(read))
    ]
    lucks = [move.luck for move in moves if move.luck is not None]
    skills = [move.skill for move in moves if move.choice and move.skill is not None]
    found = Review(
        game,
        tuple(replace(move, sentence=sentences.of_move(game, move, moves)) for move in moves),
        answer,
        solved,
        not solved and over,
        float(np.mean(skills)) if skills else None,
        float(np.mean(lucks)) if lucks else None,
        None if hard is None else all(hard),
        None
        if answer is None
        else _line(game, read, [game.find(worth.own.guess) for worth in worths], at, answer),
    )
    return replace(found, assumed=sentences.assumed(found), summary=sentences.summary(found))


def _move(
    game: Game,
    read: Sequence[Played],
    then: Position,
    worth: Worth,
    next_worth: Worth | None,
    hard: bool | None,
    hard_to_find: bool,
) -> Move:
    """Return the move of the last of some rows. then, next_worth: what comes after it."""
    *earlier, (guess, code) = read
    before = worth.position
    bits, luck, saved = _luck(worth, code)
    words_before, words_after = (p.words if len(p.candidates) <= LISTED else () for p in (before, then))
    word, solved = game.guesses[guess], code == game.solved
    could_be = bool(np.any(before.candidates == before.game.guess_answer[guess]))
    choice = not (len(before.candidates) == 1 and could_be)
    return Move(
        turn=len(read),
        guess=word,
        feedback=typed(game.rules.notation, code),
        solved=solved,
        candidates_before=len(before.candidates),
        candidates_after=len(then.candidates),
        words_before=words_before,
        words_after=words_after,
        widened=then.widened,
        could_be_answer=could_be,
        repeated=any(g == guess for g, _ in earlier),
        ruled_out_by=None if could_be else _ruled_out_by(game, earlier, guess),
        hard=hard,
        choice=choice,
        bits_expected=worth.played.bits,
        bits_gained=bits,
        expected_before=worth.least,
        expected_after=0.0 if solved else None if next_worth is None else next_worth.least,
        expected_by=worth.best.expected_by,
        expected_after_by=None if next_worth is None else next_worth.best.expected_by,
        expected_kind=worth.kind,
        expected_after_kind=None if next_worth is None else next_worth.kind,
        value=worth.value,
        loss=worth.loss,
        gain=worth.gain,
        skill=scores.skill(worth.loss) if worth.is_counted else None,
        annotation="!" if choice and hard_to_find else mark_of(worth.loss) if worth.is_counted else "",
        luck=luck,
        guesses_saved=saved,
        played=worth.played,
        best=worth.best,
        sleuth=worth.own,
    )


def _ruled_out_by(game: Game, earlier: Sequence[Played], guess: int) -> int | None:
    """Return the first row that a guess contradicts as an answer; None where it contradicts none."""
    word = game.guesses[guess]
    if isinstance(game.rules, FunctionRules) and word not in game.answers:
        return None  # the function may be asked of answers only
    return next(
        (row for row, (g, code) in enumerate(earlier, 1) if game.rules.code(game.guesses[g], word) != code),
        None,
    )


def _luck(worth: Worth, code: int) -> tuple[float | None, int | None, float | None]:
    """Return the bits that a feedback brought, its luck, and the guesses that it saved."""
    may = worth.outcomes.chances > 0
    codes, chances, left = worth.outcomes.codes[may], worth.outcomes.chances[may], worth.outcomes.left[may]
    at = np.flatnonzero(codes == code)
    if len(at) == 0:
        return None, None, None
    chance, value = float(chances[at[0]]), float(left[at[0]])
    luck = scores.luck(chances.tolist(), left.tolist(), int(at[0]))
    return max(0.0, -math.log2(chance)), luck, float((chances * left).sum()) - value


def _line(
    game: Game, read: Sequence[Played], own: Sequence[int], at: Sequence[Position], answer: str
) -> tuple[Row, ...]:
    """Return how Sleuth plays from the same opener. own: its guesses in the positions of the game."""
    known = {tuple(read[:row]): guess for row, guess in enumerate(own)}
    line: list[Played] = []
    position = at[0]
    guess = read[0][0]
    while len(line) < _LONGEST_LINE:
        code = game.rules.code(game.guesses[guess], answer)
        position = after(position, game, line, guess, code)
        line.append((guess, code))
        if code == game.solved or is_found(position):
            break
        guess = known[tuple(line)] if tuple(line) in known else own_guess(position)
    return tuple((game.guesses[guess], typed(game.rules.notation, code)) for guess, code in line)
