"""Answers that training never sees, to measure how a player does with words that it never met.

Answers differ in how many guesses they take, so that one part of them held out says little: a mean over a
fifth of the original answers is known to 0.03 only. Held out in turn, every answer is unseen once, and the
mean over the folds compares the same answers unseen and seen (cross-validation).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sleuth.games.game import Game
from sleuth.games.priors import uniform
from sleuth.support.errors import SleuthError

_SHUFFLE = 2022
"""Of the answers, before they are dealt to folds: the same for every run, whatever its seed."""


def check_folds(folds: int, fold: int) -> None:
    """Raise SleuthError for folds that there are not: two or more, or 0 for none; fold is one of them."""
    if folds != 0 and folds < 2:
        raise SleuthError(f"folds must be 2 or more, or 0 to hold nothing out, not {folds}")
    if not 0 <= fold < max(1, folds):
        raise SleuthError(f"fold must be from 0 to less than folds, {folds}, not {fold}")


def unseen(answers: int, folds: int, fold: int) -> NDArray[np.int64]:
    """Return the answers of one fold, int64 ascending; none where there are no folds."""
    if not folds:
        return np.empty(0, np.int64)
    return np.sort(np.random.default_rng(_SHUFFLE).permutation(answers)[fold::folds])


def without(game: Game, answers: NDArray[np.int64]) -> Game:
    """Return the game without some of its answers; they may still be guessed."""
    if not len(answers):
        return game
    kept = np.setdiff1d(np.arange(len(game.answers)), answers)
    return game.with_answers([game.answers[a] for a in kept], uniform(len(kept)))


def measure(turns: NDArray[np.integer], most: int, held_out: NDArray[np.int64]) -> dict[str, float]:
    """Return the means and failures of play: of all answers, and of those seen and unseen apart.

    turns: integers [answers]: guesses until each was found; most: turns that the game allows.
    """
    found = {"mean": float(turns.mean()), "failures": float((turns > most).sum())}
    if len(held_out):
        seen = np.delete(turns, held_out)
        found |= {"mean_seen": float(seen.mean()), "failures_seen": float((seen > most).sum())}
        found["mean_unseen"] = float(turns[held_out].mean())
    return found
