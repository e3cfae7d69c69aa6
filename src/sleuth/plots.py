"""Pictures of results (the extra `plots`): each takes Matplotlib axes, or makes new, and returns them."""

from sleuth.coaching.difficulty.pictures import guesses, won
from sleuth.learning.runs.pictures import learning
from sleuth.planning.benchmark.pictures import rewards
from sleuth.processes.pictures import improvement
from sleuth.studies.pictures import differences, means
from sleuth.trees.pictures import comparison, histogram

__all__ = [
    "comparison",
    "differences",
    "guesses",
    "histogram",
    "improvement",
    "learning",
    "means",
    "rewards",
    "won",
]
