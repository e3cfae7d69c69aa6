"""A strategy against every answer of a game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sleuth.games.game import Game
from sleuth.games.players import Playable, as_player
from sleuth.games.strategy import Player
from sleuth.kernels.compiling import seconds_worked
from sleuth.strategies.registry import make
from sleuth.support.errors import SleuthError
from sleuth.support.shown import Shown
from sleuth.support.specification import options_of
from sleuth.support.tabled import Tabled
from sleuth.trees.growing import TurnProgress
from sleuth.trees.tree import DecisionTree, Report


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation(Shown, Tabled):
    """What came out: the strategy's tree, its report, and the seconds it took, without those of compiling."""

    strategy: str
    options: dict[str, Any]
    tree: DecisionTree
    report: Report
    seconds: float

    def __repr__(self) -> str:
        figures = f"mean {self.report.mean:.4f}, worst {self.report.worst}"
        return f"<Evaluation {self.strategy} {self.tree.game.name}: {figures}>"

    def to_records(self) -> list[dict[str, Any]]:
        """Return a row for each answer: see DecisionTree.to_records."""
        return self.tree.to_records()

    def to_json(self) -> dict[str, Any]:
        """Return the evaluation as plain values."""
        return {
            "strategy": self.strategy,
            "options": self.options,
            "game": self.tree.game.name,
            "opener": self.tree.opener,
            "mode": self.tree.game.mode,
            "prior": "uniform" if self.tree.game.is_uniform else "weighted",
            "max_turns": self.tree.game.max_turns,
            "guesses": len(self.tree.game.guesses),
            **self.report.to_json(),
            "seconds": round(self.seconds, 4),
        }


def evaluate(
    strategy: Playable | str,
    game: Game,
    opener: str | None = None,
    progress: Callable[[TurnProgress], None] | None = None,
) -> Evaluation:
    """Play a strategy against every answer, by building its tree.

    strategy: a strategy, a function of a position, or text that make() turns into a strategy. opener: the
    first guess, else the strategy's own. progress: see DecisionTree.build. Raises UnknownNameError,
    UnknownGuessError, StrategyError, GameTooLargeError; on Ctrl-C Interrupted, whose `known` says what is
    Unfinished.
    """
    if isinstance(strategy, str):
        strategy = make(strategy)
    if not isinstance(game, Game):
        raise SleuthError(f"evaluate takes a Game, not {game!r}; sleuth.wordle() makes one")
    player: Player = as_player(strategy)
    began = seconds_worked()
    tree = DecisionTree.build(player, game, opener, progress=progress)
    report = tree.report()
    return Evaluation(player.name, options_of(player), tree, report, seconds_worked() - began)
