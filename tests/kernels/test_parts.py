"""Parts of all answers beside the same counted in plain NumPy."""

import numpy as np
import pytest

from sleuth.exact.families import BLANK, batches, families
from sleuth.exact.solver import Solver
from sleuth.games.game import Game
from sleuth.games.wordle import wordle
from sleuth.kernels.codes import as_bytes
from sleuth.kernels.search.parts import LEAST, refined, whole


def small_game(weighted: bool) -> Game:
    original = wordle("original")
    game = original.with_answers(original.answers[::5], np.ones(len(original.answers[::5])))
    if weighted:
        game = game.with_prior(np.arange(1.0, len(game.answers) + 1))
    return game


def gain(codes: np.ndarray, weights: np.ndarray) -> int:
    """Return the sum over the classes of the heaviest weight."""
    return sum(int(weights[codes == code].max()) for code in np.unique(codes))


@pytest.mark.parametrize("weighted", [False, True])
def test_nothing_gains_more_than_parts_say(weighted: bool) -> None:
    game = small_game(weighted)
    solver = Solver(game)
    view = solver.view
    rows = np.arange(len(view.answers), dtype=np.int32)
    answers = [game.answers[a] for a in view.answers]
    weights = solver.weights[view.answers]
    by_guess = as_bytes(view.codes.T)
    outer = whole(view)
    for pattern in ("s" + 4 * BLANK, "s" + BLANK + "a" + 2 * BLANK):
        labels = game.rules.codes([pattern], answers)[0].astype(np.uint16)
        found = refined(solver.search, view, by_guess, rows, labels, outer, 0.5)
        sets = [rows[labels == label] for label in np.unique(labels)]
        large = [some for some in sets if len(some) >= LEAST]
        assert found.sizes.tolist() == [*map(len, large), len(rows)]
        for some in sets:
            part = next((i for i, other in enumerate(large) if other is some), len(large))
            assert set(found.of_row[some].tolist()) == {part}
            if part == len(large):
                continue
            truth = np.array([gain(by_guess[c][some], weights[some]) for c in range(0, len(by_guess), 37)])
            limits = found.limits[::37, part]
            assert (limits >= truth).all()
            assert (limits[limits >= 0.5 * found.most[part]] == truth[limits >= 0.5 * found.most[part]]).all()
        assert found.most.tolist() == found.limits.max(axis=0).tolist()
        assert (found.limits[:, len(large)] == view.quality).all()
        outer = found


def test_every_word_is_in_one_family() -> None:
    words = wordle("original").guesses[::23]
    for letters in (2, 3):
        found = list(families(words, letters))
        assert sorted(i for _, some in found for i in some) == list(range(len(words)))
        assert [len(some) for _, some in found] == sorted((len(some) for _, some in found), reverse=True)
        for pattern, some in found:
            assert len(pattern.replace(BLANK, "")) == letters
            assert all(c in (BLANK, w) for i in some for c, w in zip(pattern, words[i], strict=True))


def test_batches_hold_every_guess_once() -> None:
    game = wordle("original")
    guesses = np.arange(0, len(game.guesses), 7, dtype=np.int32)
    found = np.concatenate(list(batches(game, guesses)))
    assert sorted(found.tolist()) == list(range(len(guesses)))
