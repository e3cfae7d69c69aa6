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

__version__ = "0.1.0"

_HOMES = {
    "Advice": "sleuth.advice",
    "advise": "sleuth.advice",
    "check_tree": "sleuth.check",
    "SleuthError": "sleuth.errors",
    "Evaluation": "sleuth.evaluation",
    "evaluate": "sleuth.evaluation",
    "Game": "sleuth.games.game",
    "bulls_and_cows": "sleuth.games.pegs",
    "mastermind": "sleuth.games.pegs",
    "Objective": "sleuth.proof.objective",
    "Proof": "sleuth.proof.prove",
    "prove": "sleuth.proof.prove",
    "wordle": "sleuth.games.wordle",
    "Position": "sleuth.position",
    "Review": "sleuth.reviews.review",
    "review": "sleuth.reviews.review",
    "Strategy": "sleuth.strategies.base",
    "Suggestion": "sleuth.strategies.base",
    "make": "sleuth.strategies.specification",
    "DecisionTree": "sleuth.tree",
    "Report": "sleuth.tree",
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
    from sleuth.advice import Advice, advise
    from sleuth.check import check_tree
    from sleuth.errors import SleuthError
    from sleuth.evaluation import Evaluation, evaluate
    from sleuth.games.game import Game
    from sleuth.games.pegs import bulls_and_cows, mastermind
    from sleuth.games.wordle import wordle
    from sleuth.position import Position
    from sleuth.proof.objective import Objective
    from sleuth.proof.prove import Proof, prove
    from sleuth.strategies.base import Strategy, Suggestion
    from sleuth.strategies.specification import make
    from sleuth.tree import DecisionTree, Report


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'sleuth' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
