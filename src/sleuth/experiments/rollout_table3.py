"""Document 000, Table 3: words of six letters."""

import random

from sleuth.experiments import Progress, figures
from sleuth.experiments.comparison import compare
from sleuth.experiments.rollout_table1 import METHODS
from sleuth.experiments.table import Table
from sleuth.games import wordlists
from sleuth.games.game import Game
from sleuth.games.wordle import wordle

GUESSES, ANSWERS, SEED = 12972, 2315, 2022
NOTES = (
    "**Not comparable word for word.** The paper's words are not published: it sampled them from Norvig's"
    f" corpus. Ours: the {GUESSES} most frequent English words of six letters of the package wordfreq as"
    f" guesses, with the openers, and {ANSWERS} of them as answers, drawn with a fixed seed. What may be"
    " compared is by how much rollout improves on its base. The conditions are those of rollout-table1.",
)


def six_letters() -> Game:
    """Return the game of six-letter words. Raises WordListError when wordfreq is missing."""
    words = wordlists.load(f"frequent:en:6:{GUESSES}").guesses
    answers = random.Random(SEED).sample(words, ANSWERS)
    openers = {row["opener"] for row in figures.read("rollout-table3")}
    return wordle(wordlists.from_words(answers, {*words, *openers}, "six letters"))


def run(progress: Progress) -> Table:
    """Return the table; 24 evaluations. Raises WordListError when wordfreq is missing."""
    title = "words of six letters, mean guesses (document 000, Table 3)"
    return compare("rollout-table3", title, six_letters(), METHODS, NOTES, progress)
