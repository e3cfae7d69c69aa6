"""Totals that are known: how many guesses a method takes over all answers of the original lists.

They are those of docs/strategies.md and docs/published-tables.md; a change of one of them is a change of a
method.
"""

import pytest

from sleuth.games.game import Game, Mode
from sleuth.games.pegs import mastermind
from sleuth.strategies.registry import make
from sleuth.trees.tree import DecisionTree


@pytest.mark.parametrize(
    ("strategy", "mode", "opener", "total"),
    [
        ("information-gain", "easy", "salet", 7946),
        ("rollout(base=information-gain)", "easy", "salet", 7921),
        *(
            pytest.param(*known, marks=pytest.mark.thorough)
            for known in (
                ("information-gain(ties=list-order)", "easy", "salet", 8360),
                ("rollout(base=information-gain)", "easy", "crate", 7927),
                ("rollout(base=information-gain)", "easy", "crane", 7930),
                ("rollout(base=information-gain)", "easy", "raise", 8017),
                ("rollout(base=information-gain)", "easy", "trace", 7928),
                ("rollout", "easy", "salet", 7920),
                ("rollout", "easy", "crate", 7928),
                ("rollout", "easy", "raise", 8017),
                ("most-rapid-decrease", "strict", "salet", 8204),
                ("greatest-expected-probability", "strict", "salet", 8152),
            )
        ),
    ],
)
def test_guesses_over_the_original_answers(
    original: Game, strategy: str, mode: Mode, opener: str, total: int
) -> None:
    report = DecisionTree.build(make(strategy), original.with_mode(mode), opener).report()
    assert (report.answers, report.total) == (2315, total)


def test_knuth_finds_every_mastermind_code_in_five() -> None:
    tree = DecisionTree.build(make("worst-case"), mastermind(4, 6))
    assert tree.opener == "1122"
    assert tree.report().worst == 5
