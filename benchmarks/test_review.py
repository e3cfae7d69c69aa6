"""Reviews of a six-move game: the bar is 1.0 s in the library, with warm kernels."""

import pytest

import sleuth
from sleuth.coaching.reviews import values
from sleuth.exact import beam
from sleuth.exact import strategy as exact

ROWS = ["raise", "clout", "comfy", "conky", "condo", "conch"]  # legal in hard mode


@pytest.fixture
def forgetful():
    """Forget the solvers and openers of games met before, before every round."""

    def forget():
        for kept in (values._solver, values._opening, beam._solver, exact._solver):
            kept.cache_clear()

    return forget


@pytest.mark.parametrize("known", [True, False], ids=["again", "new"])
@pytest.mark.parametrize("mode", ["easy", "hard"])
@pytest.mark.parametrize("words", ["original", "nyt"])
def test_review_of_six_moves(benchmark, forgetful, words, mode, known):
    game = sleuth.wordle(words, mode=mode)
    sleuth.review(game, ROWS, ROWS[-1])
    setup = None if known else forgetful
    found = benchmark.pedantic(sleuth.review, (game, ROWS, ROWS[-1]), setup=setup, rounds=3)
    assert len(found.moves) == 6
