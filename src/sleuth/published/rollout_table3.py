"""Bhambri et al. (2022), Table 3: words of six letters."""

import random
from dataclasses import replace

from sleuth.games import wordlists
from sleuth.games.game import Game
from sleuth.games.wordle import wordle
from sleuth.published import figures
from sleuth.published.comparison import compare
from sleuth.published.rollout_table1 import METHODS
from sleuth.published.steps import Steps
from sleuth.published.table import Table
from sleuth.published.wrapped_rules import WrappedRules

GUESSES, ANSWERS, SEED = 12972, 2315, 2022
NOTES = (
    "**Not comparable word for word.** The paper's words are not published: it sampled them from Norvig's"
    f" corpus. Ours are the {GUESSES} most frequent English words of six letters in the package wordfreq as"
    f" guesses, and the openers; {ANSWERS} of them, drawn with a fixed seed, are the answers. Another sample"
    " moves the figures by up to 0.03.",
    "Paper's conditions: those of rollout-table1, and feedback codes in eight bits: the authors' program"
    " keeps them so, and of the 729 codes of six letters those from 256 on are taken for smaller ones."
    " Clean conditions: those of rollout-table1, and right codes.",
)


def six_letters() -> Game:
    """Return the game of six-letter words. Raises WordListError when wordfreq is missing."""
    words = wordlists.load(f"frequent:en:6:{GUESSES}").guesses
    answers = random.Random(SEED).sample(words, ANSWERS)
    openers = {row["opener"] for row in figures.read("rollout-table3")}
    return wordle(wordlists.from_words(answers, {*words, *openers}, "six letters"))


def run(steps: Steps) -> Table:
    """Return the table; 24 evaluations. Raises WordListError when wordfreq is missing."""
    clean = six_letters()
    paper = replace(clean, rules=WrappedRules(6))
    title = "words of six letters, mean guesses (Bhambri et al. 2022, Table 3)"
    return compare("rollout-table3", title, paper, clean, METHODS, NOTES, steps, rules={})
