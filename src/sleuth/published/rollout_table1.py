"""Bhambri et al. (2022), Table 1: maximum information gain, and rollout over it."""

from sleuth.games.wordle import wordle
from sleuth.published.comparison import Method, Optimum, compare
from sleuth.published.paper_rollout import BY_LIST, PaperRollout
from sleuth.published.steps import Steps
from sleuth.published.table import Column, Table
from sleuth.strategies.heuristics import InformationGain
from sleuth.strategies.rollout import Rollout

CLEAN = InformationGain()
METHODS = (
    Method(Column("easy_mig", "Easy, information gain"), "easy", BY_LIST, CLEAN),
    Method(Column("easy_rollout", "Easy, rollout"), "easy", PaperRollout(), Rollout(CLEAN)),
    Method(Column("hard_mig", "Hard, information gain"), "strict", BY_LIST, CLEAN),
    Method(Column("hard_rollout", "Hard, rollout"), "strict", PaperRollout(), Rollout(CLEAN)),
)
OPTIMA = (
    Optimum(Column("easy_optimal", "Easy, optimum"), "easy"),
    Optimum(Column("hard_optimal_nyt_rule", "Hard, optimum"), "hard"),
)
NOTES = (
    'Paper\'s conditions: among equal guesses the first of the alphabet; "hard" is the mode `strict`; rollout'
    " considers the ten best guesses and the word of least expected score, counts a right guess as -5 and a"
    " forced last guess as nothing. Clean conditions: among equals a guess that may be the answer; exact"
    " Q-factors; the same modes.",
    "The optima in print are Selby's and Bertsimas and Paskov's, ours those of `sleuth prove`, within six"
    " guesses. Their hard mode is the New York Times' (`hard`), not `strict` as in the columns of the"
    " methods. Where there is none, no strategy finds every answer in six guesses.",
)


def run(steps: Steps) -> Table:
    """Return the table; 104 evaluations and 26 proofs."""
    game = wordle("original")
    title = "maximum information gain and rollout over it, mean guesses (Bhambri et al. 2022, Table 1)"
    return compare("rollout-table1", title, game, game, METHODS, NOTES, steps, OPTIMA)
