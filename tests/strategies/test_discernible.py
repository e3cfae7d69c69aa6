"""Alpha-FDS (Short 2022, section 3.2) against brute force from its definition."""

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from random_games import follow, histories, peg_games, word_games

from sleuth.games.game import Game
from sleuth.games.pegs import mastermind
from sleuth.games.position import Position
from sleuth.games.strategy import Ties
from sleuth.strategies.discernible import AlphaFds

Rows = list[tuple[int, int]]


def keys(game: Game, members: list[int], rows: Rows) -> list[int]:
    """Return the legal guesses that get different feedback for each member."""
    return [
        g
        for g in reference.legal_guesses(game, rows)
        if len({reference.matrix(game)[g][a] for a in members}) == len(members)
    ]


def size(game: Game, members: list[int], rows: Rows) -> float:
    """Return what a class counts as: 3 - 2/n with a key inside, 3 with one outside, else its size."""
    n = len(members)
    if n <= 2:
        return n
    found = keys(game, members, rows)
    if any(reference.can_be_right(game, members, g) for g in found):
        return 3 - 2 / n
    return 3 if found else n


def value(game: Game, candidates: list[int], rows: Rows, guess: int, alpha: float) -> float:
    """Return the expected modified size to the power of alpha, the smaller the better (equation 5)."""
    p = reference.chances(game, candidates)
    total = 0.0
    for code, members in reference.classes(game, candidates, guess).items():
        total += sum(p[a] for a in members) * size(game, members, [*rows, (guess, code)]) ** alpha
    return total if alpha > 0 else -total


def check_ranking(game: Game, rows: Rows, alpha: float, ties: Ties) -> None:
    """Hold the ranking after rows against brute force."""
    position = follow(game, rows)
    candidates = position.candidates.tolist()
    chain = [
        lambda game, candidates, guess: value(game, candidates, rows, guess, alpha),
        *reference.chain_of("alpha", game, alpha)[1:],
    ]
    legal = reference.legal_guesses(game, rows)
    expected = reference.ranking(game, candidates, legal, chain, ties)
    found = AlphaFds(ties, alpha).rank(position, len(game.guesses))
    assert [game.find(row.guess) for row in found] == expected


@given(
    st.one_of(word_games(("easy", "hard", "strict"), max_words=14), peg_games()),
    st.data(),
    st.sampled_from([-2.0, -0.5, 0.5, 2.0]),
    st.sampled_from(["candidates-first", "list-order"]),
)
def test_alpha_fds_ranks_as_brute_force_does(
    game: Game, data: st.DataObject, alpha: float, ties: Ties
) -> None:
    check_ranking(game, data.draw(histories(game, most=1)), alpha, ties)


@pytest.mark.parametrize("seed", range(8))
def test_equal_values_tie_also_where_they_are_large(seed: int) -> None:
    """Of 25 codes under a prior whose sums are rounded differently in other orders."""
    weights = np.random.default_rng(seed).integers(0, 4, 25).astype(float)
    check_ranking(mastermind(2, 5, black=True).with_prior(weights), [], 2.0, "list-order")


def test_a_guess_that_leaves_nothing_to_find() -> None:
    game = Game.from_function(
        lambda guess, answer: guess == answer, [1, 2], [1]
    )  # 2 is known once 1 is wrong
    assert AlphaFds().choose(Position.start(game)) == 0
