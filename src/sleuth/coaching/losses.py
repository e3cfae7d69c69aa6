"""What a lost game counts as: in every number of guesses that is counted, and not estimated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleuth.games.game import Game

if TYPE_CHECKING:
    from sleuth.trees.tree import Report


def lost_counts_as(game: Game) -> int:
    """Return the guesses that a lost game counts as: it must weigh, or the last turn would not matter."""
    return 2 * game.max_turns


def mean_with_losses(game: Game, report: Report) -> float:
    """Return the guesses that play takes on average over all answers, where a lost game counts as it does."""
    counted = (lost_counts_as(game) if turns > game.max_turns else turns for turns in report.turns.tolist())
    return float(sum(counted)) / report.answers
