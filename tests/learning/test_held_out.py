"""Answers that training never sees."""

import numpy as np
import pytest

import sleuth
from sleuth.learning.runs.held_out import check_folds, measure, unseen, without
from sleuth.support.errors import SleuthError

WORDS = ["crane", "trace", "react", "caret", "slate", "least", "stale"]


def test_every_answer_is_unseen_once() -> None:
    folds = [unseen(2315, 5, fold) for fold in range(5)]
    assert [len(fold) for fold in folds] == [463] * 5
    assert np.sort(np.concatenate(folds)).tolist() == list(range(2315))
    assert not len(unseen(2315, 0, 0))


def test_what_is_held_out_may_be_guessed_and_is_no_answer() -> None:
    game = sleuth.wordle(WORDS)
    held_out = unseen(7, 3, 1)
    school = without(game, held_out)
    assert set(school.answers) == set(WORDS) - {game.answers[a] for a in held_out}
    assert school.guesses == game.guesses
    assert without(game, np.empty(0, np.int64)) is game


def test_seen_and_unseen_are_measured_apart() -> None:
    turns = np.array([3, 4, 7, 2, 8])
    assert measure(turns, 6, np.array([1, 2])) == {
        "mean": 4.8,
        "failures": 2,
        "mean_seen": 13 / 3,
        "failures_seen": 1,
        "mean_unseen": 5.5,
    }
    assert measure(turns, 6, np.empty(0, np.int64)) == {"mean": 4.8, "failures": 2}


@pytest.mark.parametrize(("folds", "fold"), [(1, 0), (-5, 0), (5, 5), (5, -1), (0, 1)])
def test_folds_that_there_are_not_are_refused(folds: int, fold: int) -> None:
    with pytest.raises(SleuthError, match="fold"):
        check_folds(folds, fold)
