"""Any guess tried in a position: what it may get, what each of that takes, and what the best guess takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sleuth.coaching.hosts import Lied, against_host, blow_of
from sleuth.coaching.playing.legality import objection
from sleuth.coaching.reviews.rows import is_found
from sleuth.coaching.solving import evened
from sleuth.coaching.weighing.guesses import EXACT, FOUND, SEARCH, weighed
from sleuth.coaching.weighing.sets import Value
from sleuth.coaching.weighing.suggestions import suggested
from sleuth.games.feedback import typed
from sleuth.games.position import Position
from sleuth.games.strategy import Certainty, Suggestion
from sleuth.support.errors import SleuthError, StrategyError


@dataclass(frozen=True)
class Group:
    """A kind of feedback that a guess may get.

    Attributes:
        feedback: as the game writes it, in lower case.
        words: the candidates that give it, the likeliest first, each with its chance among all candidates.
        chance: how likely it is.
        solved: whether it is that of a right guess.
        expected_guesses: guesses that are still to be made after it, None where nothing is known.
        kind: what that number is.
        next: the best guess then, None where none is needed or known.
        lost: whether the game is lost with it: it was the last guess.

    """

    feedback: str
    words: tuple[tuple[str, float], ...]
    chance: float
    solved: bool
    expected_guesses: float | None
    kind: Certainty
    next: str | None
    lost: bool

    def to_json(self) -> dict[str, Any]:
        """Return the group as plain values."""
        return {
            "feedback": self.feedback,
            "count": len(self.words),
            "chance": self.chance,
            "solved": self.solved,
            "words": [{"word": word, "chance": chance} for word, chance in self.words],
            "expected_guesses": self.expected_guesses,
            "kind": self.kind,
            "next": self.next,
            "lost": self.lost,
        }


@dataclass(frozen=True, eq=False)
class Tried:
    """A guess tried.

    Attributes:
        turn: the number of the guess.
        candidates: how many words may be the answer.
        guess: the guess with its numbers.
        best: the best guess that is known, with its own; None where there is none.
        loss: guesses expected more than with the best one; None where one of the two is an estimate.
        groups: what the guess may get, the most words first.

    """

    turn: int
    candidates: int
    guess: Suggestion
    best: Suggestion | None
    loss: float | None
    groups: tuple[Group, ...]

    def to_json(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {
            "guess": self.guess.to_json(),
            "best": None if self.best is None else self.best.to_json(),
            "loss": self.loss,
            "turn": self.turn,
            "candidates": self.candidates,
            "groups": [group.to_json() for group in self.groups],
        }


def try_guess(position: Position, guess: str, seconds: float = 1.0) -> Tried:
    """Return what becomes of a guess in a position, beside the best one of `suggested`.

    seconds: for the groups, which are solved exactly where that ends in its share of the time, else searched
    or estimated. At the first move the openers of the book have their values from there. Raises
    UnknownGuessError, and SleuthError where the game is over or the guess is not legal.
    """
    number = legal_guess(position, guess)
    position = evened(position)
    groups, tried = looked_at(position, number, seconds)
    best = _best(position)
    counts = position.turn, len(position.candidates)
    if best is None:
        return Tried(*counts, tried, None, None, groups)
    if best.guess == tried.guess:
        return Tried(*counts, tried, tried, 0.0, groups)
    if "estimate" in (tried.kind, best.kind):
        return Tried(*counts, tried, best, None, groups)
    loss = round(tried.expected_guesses - best.expected_guesses, 9)
    return Tried(*counts, tried, tried if loss < 0 else best, max(0.0, loss), groups)


def try_against_host(position: Position, guess: str, seconds: float = 2.0) -> Tried:
    """Return what becomes of a guess against Absurdle's host, who shows what keeps the most words.

    Of the groups nothing is expected: which one comes is the host's choice. Raises as try_guess does.
    """
    number = legal_guess(position, guess)
    tried = blow_of(position, number, seconds / 2)
    best = against_host(position, 1, seconds / 2)[0]
    known = tried.kind == best.kind == "proved"
    loss = max(0.0, tried.expected_guesses - best.expected_guesses) if known else None
    groups = [
        group if group.solved else replace(group, expected_guesses=None, kind="estimate", next=None)
        for group in _groups(position, number, {})
    ]
    return Tried(position.turn, len(position.candidates), tried, best, loss, tuple(groups))


def try_through_lies(at: Lied, guess: str) -> Tried:
    """Return what becomes of a guess in Fibble, by estimates. There are no groups: words show many feedbacks.

    Raises UnknownGuessError, and SleuthError where the game is over.
    """
    if at.solved:
        raise SleuthError("the last row is right: the game is over, and there is nothing to guess")
    position = at.belief
    tried, best = at.numbers([position.game.find(guess)])[0], at.best(1)[0]
    loss = 0.0 if tried.guess == best.guess else None
    return Tried(position.turn, len(position.support), tried, best, loss, ())


def legal_guess(position: Position, guess: str) -> int:
    """Return the index of a guess that may be made in a position. Raises UnknownGuessError, SleuthError."""
    game = position.game
    if position.solved:
        raise SleuthError("the last row is right: the game is over, and there is nothing to guess")
    if is_found(position):
        raise SleuthError(
            f"{position.words[0]} is the only answer left, and no guess can name it: it is found"
        )
    number = game.find(guess)
    if position.legal is not None and not np.any(position.legal == number):
        rows = [(game.guesses[g], code) for g, code in position.rows]
        why = objection(game, rows, game.guesses[number])
        raise SleuthError(why or f"{game.guesses[number]} is not legal there in {game.mode} mode")
    return number


def looked_at(position: Position, guess: int, seconds: float) -> tuple[tuple[Group, ...], Suggestion]:
    """Return what a guess may get, and its numbers. seconds: as of try_guess."""
    found = weighed(position, guess, EXACT * seconds, SEARCH * seconds)
    return tuple(_groups(position, guess, found.known)), found.numbers


def _groups(position: Position, guess: int, known: Mapping[int, Value]) -> list[Group]:
    """Return the groups of a guess, the most words first. known: the value of each code; else it is found."""
    game, weights = position.game, position.weights
    codes = game.feedback_row(guess)[position.candidates]
    groups = []
    for code in np.unique(codes).tolist():
        here = np.flatnonzero(codes == code)
        here = here[np.argsort(-weights[here], kind="stable")]
        words = [
            (game.answers[a], float(w)) for a, w in zip(position.candidates[here], weights[here], strict=True)
        ]
        value = known.get(code, FOUND)
        groups.append(
            Group(
                typed(game.rules.notation, code),
                tuple(words),
                float(weights[here].sum()),
                code == game.solved,
                value.expected,
                value.kind,
                game.guesses[value.guess] if value.guess >= 0 else None,
                position.turn == game.max_turns and value is not FOUND,
            )
        )
    groups.sort(key=lambda group: (-len(group.words), group.feedback))
    return groups


def _best(position: Position) -> Suggestion | None:
    """Return the best guess of the position as whoever asks for suggestions is told it."""
    try:
        return next(iter(suggested(position).suggestions), None)
    except StrategyError:  # nothing tells the candidates apart
        return None
