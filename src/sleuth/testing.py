"""Conformance checks for games and strategies of other people. Call them from your tests.

Each check raises AssertionError with a line that says what is wrong and where.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from sleuth.games.frontier import Frontier
from sleuth.games.game import Game
from sleuth.games.players import Playable, as_player
from sleuth.games.position import Position
from sleuth.games.rules import code_type
from sleuth.games.strategy import Player, Strategy, choose, choose_all, rank
from sleuth.support.errors import SleuthError
from sleuth.support.ranges import check_seed
from sleuth.trees.tree import DecisionTree


@contextmanager
def _asserting() -> Iterator[None]:
    """Say with an AssertionError what Sleuth refuses."""
    try:
        yield
    except SleuthError as error:
        raise AssertionError(str(error)) from error


@_asserting()
def check_game(game: Game, sample: int = 1000, seed: int = 0) -> None:
    """Check that a game keeps what the types promise.

    sample: how many pairs of a guess and an answer are compared with the rules' plain feedback.
    """
    check_seed(seed)
    rules = game.rules
    matrix = game.feedback
    assert matrix.shape == (len(game.guesses), len(game.answers)), "feedback is not [guesses, answers]"
    assert matrix.dtype == code_type(rules.n_codes), (
        f"feedback is {matrix.dtype}, not {code_type(rules.n_codes).__name__}"
    )
    assert matrix.max() < rules.n_codes, f"feedback has code {matrix.max()} of {rules.n_codes}"
    assert np.isclose(game.prior.sum(), 1), f"the prior sums to {game.prior.sum()}"
    assert np.all(game.prior >= 0), "the prior has negative weights"
    assert rules.hints.shape[1:] == (rules.n_codes,), "hints are not [rows, codes]"

    rng = np.random.default_rng(seed)
    for _ in range(sample):
        g, a = int(rng.integers(len(game.guesses))), int(rng.integers(len(game.answers)))
        guess, answer = game.guesses[g], game.answers[a]
        assert matrix[g, a] == rules.code(guess, answer), f"feedback of {guess} for {answer} is not code()'s"
    for a, g in enumerate(game.answer_guess):
        if g >= 0:
            assert matrix[g, a] == game.solved, f"{game.answers[a]} guessed right gets another code"
            others = np.flatnonzero(matrix[g] == game.solved)
            assert others.tolist() == [a], f"{game.guesses[g]} is right for {game.answers[others[0]]} too"
    for code in np.unique(matrix).tolist():
        shown = rules.notation.show(code)
        assert rules.notation.parse(shown) == code, f"feedback {shown!r} does not read back as code {code}"


@_asserting()
def check_strategy(strategy: Playable, game: Game) -> None:
    """Check that a strategy, or a function, plays a game to its end, the same way each time and legally.

    Where it has more than choose(), that is checked too: that choose_all() chooses the same for many
    positions at once as for each alone, and that rank() begins with what choose() chooses.
    """
    player: Player = as_player(strategy)
    tree = DecisionTree.build(player, game)
    again = DecisionTree.build(player, game)
    assert np.array_equal(tree.guess, again.guess), f"{player.name} does not play the same way twice"
    frontier = Frontier.of(Position.start(game))
    for _ in range(3):
        if len(frontier) == 0:
            break
        chosen = [choose(player, position) for position in frontier.positions()]
        for position, guess in zip(frontier.positions(), chosen, strict=True):
            assert guess >= 0, f"{player.name} chooses no guess for {position.words[:5]}"
            if not isinstance(player, Strategy):
                continue
            ranked = rank(player, position, 3)
            assert ranked, f"{player.name} ranks no guess for {position.words[:5]}"
            assert ranked[0].guess == game.guesses[guess], (
                f"{player.name} chooses {game.guesses[guess]} and ranks {ranked[0].guess} first"
            )
        together = choose_all(player, frontier).tolist()
        assert together == chosen, f"{player.name}.choose_all differs from choose"
        frontier = frontier.after(np.array(chosen, np.int32)).frontier
