"""Sleuth plays guessing games as well as they can be played: Wordle, Mastermind, and any other.

>>> import sleuth
>>> game = sleuth.wordle("original")
>>> position = sleuth.Position.after_rows(game, [("salet", "bbybb")])
>>> sleuth.advise(position).suggestions[0].guess
'courd'
>>> position.play("courd", "bbbgb").words
('whirl',)

Importing this package imports neither numba nor numpy; names are loaded when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sleuth.support.version import VERSION

__version__ = VERSION

_HOMES = {
    "Advice": "sleuth.coaching.advice",
    "advise": "sleuth.coaching.advice",
    "check_tree": "sleuth.trees.check",
    "SleuthError": "sleuth.support.errors",
    "Evaluation": "sleuth.trees.evaluation",
    "evaluate": "sleuth.trees.evaluation",
    "Game": "sleuth.games.game",
    "bulls_and_cows": "sleuth.games.pegs",
    "mastermind": "sleuth.games.pegs",
    "Objective": "sleuth.exact.objective",
    "Proof": "sleuth.exact.proof",
    "prove": "sleuth.exact.prove",
    "wordle": "sleuth.games.wordle",
    "Position": "sleuth.games.position",
    "Review": "sleuth.coaching.reviews.move",
    "review": "sleuth.coaching.reviews.review",
    "Strategy": "sleuth.games.strategy",
    "Suggestion": "sleuth.games.strategy",
    "make": "sleuth.strategies.registry",
    "DecisionTree": "sleuth.trees.tree",
    "Report": "sleuth.trees.tree",
}

__all__ = [
    "Advice",
    "DecisionTree",
    "Evaluation",
    "Game",
    "Objective",
    "Position",
    "Proof",
    "Report",
    "Review",
    "SleuthError",
    "Strategy",
    "Suggestion",
    "__version__",
    "advise",
    "bulls_and_cows",
    "check_tree",
    "evaluate",
    "make",
    "mastermind",
    "prove",
    "review",
    "wordle",
]

if TYPE_CHECKING:
    from sleuth.coaching.advice import Advice, advise
    from sleuth.exact.objective import Objective
    from sleuth.exact.proof import Proof
    from sleuth.exact.prove import prove
    from sleuth.games.game import Game
    from sleuth.games.pegs import bulls_and_cows, mastermind
    from sleuth.games.position import Position
    from sleuth.games.strategy import Strategy, Suggestion
    from sleuth.games.wordle import wordle
    from sleuth.strategies.registry import make
    from sleuth.support.errors import SleuthError
    from sleuth.trees.check import check_tree
    from sleuth.trees.evaluation import Evaluation, evaluate
    from sleuth.trees.tree import DecisionTree, Report


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'sleuth' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
