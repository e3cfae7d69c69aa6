"""A strategy against every answer, as a job, and the answers that it is played against."""

from __future__ import annotations

from typing import Any

from sleuth.coaching.proven import page_of
from sleuth.support.progress import Watch
from sleuth.trees.evaluation import evaluate as run
from sleuth.trees.growing import TurnProgress
from sleuth.web.games import game_of
from sleuth.web.schemas import AnswersRequest, EvaluationRequest
from sleuth.web.strategies import strategy_of


def evaluate(request: EvaluationRequest, progress: Watch) -> dict[str, Any]:
    """Return the evaluation as plain values, with the guesses that each answer takes and the proven optimum.

    progress: see DecisionTree.build. Raises SleuthError.
    """
    strategy = strategy_of(request.strategy, request.options)
    game = game_of(request.game)
    progress(
        TurnProgress(0, len(game.answers), "turn 1", 1)
    )  # it is under way: the first guess may take long
    found = run(strategy, game, request.opener, progress)
    return {
        **found.to_json(),
        "turns": found.report.turns.tolist(),
        "optimum": page_of(game).optimum,
    }


def answers(request: AnswersRequest) -> dict[str, Any]:
    """Return the answers of a game in their order, that of an evaluation's turns. Raises SleuthError."""
    return {"answers": list(game_of(request.game).answers)}
