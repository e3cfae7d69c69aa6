"""A strategy against every answer, as a job."""

from __future__ import annotations

from typing import Any

from sleuth.support.progress import Watch
from sleuth.trees.evaluation import evaluate as run
from sleuth.web.games import game_of
from sleuth.web.schemas import EvaluationRequest
from sleuth.web.strategies import strategy_of


def evaluate(request: EvaluationRequest, progress: Watch) -> dict[str, Any]:
    """Return the evaluation as plain values. progress: see DecisionTree.build. Raises SleuthError."""
    strategy = strategy_of(request.strategy, request.options)
    return run(strategy, game_of(request.game), request.opener, progress).to_json()
