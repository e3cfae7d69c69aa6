"""All control problems by name: those of planning/problems, and guessing games."""

from sleuth.planning.problems.registry import PROBLEMS

PROBLEMS.register("wordle", "sleuth.processes.control:Wordle", "Wordle: the answer is the parameter")
PROBLEMS.register(
    "mastermind", "sleuth.processes.control:Mastermind", "Mastermind: the code is the parameter"
)

__all__ = ["PROBLEMS"]
