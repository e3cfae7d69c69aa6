"""Guesses that split the candidates alike, beside what splitting by each guess says."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from random_games import follow, histories, small_games

from sleuth.exact.alike import alike
from sleuth.exact.proof import IMPOSSIBLE
from sleuth.exact.solver import Solver
from sleuth.exact.strategy import Exact
from sleuth.games.position import Position


def classes(position: Position, guess: int) -> set[frozenset[int]]:
    """Return the sets of candidates that a guess tells apart."""
    codes = position.game.feedback[guess, position.candidates]
    return {frozenset(position.candidates[codes == code].tolist()) for code in np.unique(codes)}


@given(st.data())
def test_alike_is_what_splits_alike(data: st.DataObject) -> None:
    game = data.draw(small_games())
    position = follow(game, data.draw(histories(game)))
    legal = range(len(game.guesses)) if position.legal is None else position.legal.tolist()
    for guess in legal:
        others = [
            other
            for other in legal
            if other != guess
            and game.guess_answer[other] not in position.candidates
            and classes(position, other) == classes(position, guess)
        ]
        assert alike(position, guess).tolist() == others


@given(st.data())
def test_the_best_guesses_are_the_best_of_all(data: st.DataObject) -> None:
    game = data.draw(small_games())
    position = follow(game, data.draw(histories(game)))
    solver = Solver(game)
    if len(position.candidates) == 1 or position.game.mode != "easy" or solver.turns_left(position) < 2:
        return
    found = Exact(seconds=600).rank(position, 10**6)
    assert all(row.expected_by == "exact" for row in found)
    if solver.bound(position).lower >= IMPOSSIBLE:  # then it plays for the most answers
        return
    weight = int(solver.weights[position.candidates].sum())
    for row in found:
        assert (
            round(row.expected_guesses * weight) == solver.bound(position, guess=game.find(row.guess)).lower
        )
    telling = [
        guess
        for guess in range(len(game.guesses))
        if len(classes(position, guess)) > 1 and solver.bound(position, guess=guess).lower < IMPOSSIBLE
    ]
    assert {game.find(row.guess) for row in found} == set(telling)
