"""Beam search: never better than exact play, as good where the beam is wide, and its means are kept to."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from random_games import crowded_games, follow, histories, small_games

import sleuth
from sleuth.coaching import book
from sleuth.exact.beam import Beam, quick_heuristics
from sleuth.exact.proving import prove
from sleuth.exact.solver import Solver
from sleuth.games.frontier import Frontier
from sleuth.games.game import Game
from sleuth.games.pegs import bulls_and_cows, mastermind
from sleuth.games.position import Position
from sleuth.games.strategy import Strategy
from sleuth.games.wordle import wordle
from sleuth.kernels.search.records import INFINITE, UNLIMITED
from sleuth.support.errors import SleuthError, StrategyError
from sleuth.trees.check import check_tree
from sleuth.trees.evaluation import evaluate
from sleuth.trees.tree import DecisionTree

WIDE = 10_000


@given(st.one_of(small_games(), crowded_games()), st.data(), st.sampled_from([1, 2, WIDE]))
def test_totals_against_exact_play(game: Game, data: st.DataObject, width: int) -> None:
    position = follow(game, data.draw(histories(game, 1)))
    try:
        proof = prove(position)
    except SleuthError:
        assume(False)
    solver = Solver(position.game).serving(position)  # as the proof, in whose weights its total is
    guesses, totals = solver.beam(Frontier.of(position), width, width)
    if width == WIDE:
        assert (proof.total is None) == (totals[0, 0] >= INFINITE)
        assert proof.total is None or totals[0, 0] == proof.total
    elif totals[0, 0] < INFINITE:
        assert proof.total is not None
        assert totals[0, 0] >= proof.total
    if position.legal is None:  # there, what can be told apart now can be so later
        found = solver.beam(Frontier.of(position), 1, 1, turns=int(UNLIMITED))[1][0, 0] < INFINITE
        assert found == (solver.bound(position, int(UNLIMITED)).lower < INFINITE)
    # Every guess of the ranking costs what exact play costs after it, where the beam is wide.
    guesses, totals = solver.beam(Frontier.of(position), width, width, 4)
    assert np.all(np.diff(totals[0]) >= 0)
    named = guesses[0][guesses[0] >= 0].tolist()
    assert len(set(named)) == len(named)
    if len(position.candidates) > 2:
        for guess, total in zip(guesses[0].tolist(), totals[0].tolist(), strict=True):
            if guess >= 0:
                least = solver.bound(position, guess=guess).lower
                assert total == least if width == WIDE else total >= least


@given(small_games(), st.data())
def test_the_mean_is_kept_to(game: Game, data: st.DataObject) -> None:
    position = follow(game, data.draw(histories(game, 1)))
    assume(position.game.prior[position.candidates].sum() > 0)
    try:
        means = Beam(2, 4, 1).weigh(Frontier.of(position), 1)[1]
        tree = DecisionTree.build(Beam(2, 4, 1), position.as_game())
    except StrategyError:
        assume(False)
    check_tree(tree)
    # What is found later in the game may be better than what was foreseen, never worse.
    assert tree.report().mean <= means[0, 0] + 1e-9


def outcome(strategy: Strategy, position: Position) -> tuple[float, float]:
    """Return the chance to lose and the guesses expected, as the whole tree of a strategy has them."""
    tree = DecisionTree.build(strategy, position.game, position=position)
    late = tree.turns > tree.game.max_turns
    return float(tree.game.prior[late].sum()), tree.report().mean


@given(st.one_of(small_games(), crowded_games()), st.data(), st.sampled_from([(1, 1), (4, 8)]))
def test_never_worse_than_a_heuristic(game: Game, data: st.DataObject, size: tuple[int, int]) -> None:
    position = follow(game, data.draw(histories(game, 1)))
    assume(position.game.prior[position.candidates].sum() > 0)
    assume(position.turn <= position.game.max_turns)
    beam = Beam(*size)
    for heuristic in quick_heuristics(game):
        try:
            theirs = outcome(heuristic, position)
        except StrategyError:
            continue  # it runs into a dead end
        ours = outcome(beam, position)
        if abs(ours[0] - theirs[0]) > 1e-6:
            assert ours[0] < theirs[0]
        else:
            assert ours[1] <= theirs[1] + 1e-6
        # What is said of the position is what the tree comes to.
        assert beam.weigh(Frontier.of(position), 1)[1][0, 0] == pytest.approx(ours[1])


def test_numbers_that_are_halved() -> None:
    coins = sleuth.Game.from_function(lambda guess, answer: (guess > answer) - (guess < answer), range(1, 32))
    halved = evaluate("worst-case", coins).report
    report = evaluate("beam", coins).report
    assert (report.total, report.worst) == (halved.total, halved.worst) == (129, 5)
    # However busy the machine is: what does not end in time is ranked by another method.
    [best, *others] = sleuth.advise(Position.start(coins), seconds=600).suggestions
    assert (best.guess, best.expected_guesses) == ("16", 129 / 31)
    assert all(other.expected_guesses > 129 / 31 for other in others)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("game", "rows"),  # all of bulls and cows takes half a minute
    [(wordle("original"), []), (mastermind(), []), (bulls_and_cows(), [("0123", "1,1")])],
    ids=lambda given: given.name if isinstance(given, Game) else None,
)
def test_beam_beats_the_heuristics_on_shipped_games(game: Game, rows: list[tuple[str, str]]) -> None:
    heuristics = quick_heuristics(game)[:6]
    assert book.openers(game)[0].expected_guesses <= min(evaluate(h, game).report.mean for h in heuristics)
    position = Position.start(game)
    for row in rows:
        position = position.play(*row)
    beam, *others = (
        DecisionTree.build(strategy, game, position=position if rows else None).report().total
        for strategy in (Beam(), *heuristics)
    )
    assert beam <= min(others)


@pytest.mark.thorough
def test_original_lists() -> None:
    game = wordle("original")
    assert evaluate(Beam(), game, opener="salet").report.total == 7920
    assert evaluate(Beam(), game.with_mode("hard"), opener="salet").report.total < 8160
    position = Position.start(game).play("salet", "bbybb")
    best = Beam().rank(position, 5)
    assert [row.expected_by for row in best] == ["search"] * 5
    exact = prove(position).mean
    assert exact <= best[0].expected_guesses < exact + 0.01


def test_play_goes_on_after_the_turns() -> None:
    words = ["hatch", "latch", "match", "patch", "watch", "catch", "batch"]
    game = wordle("original", mode="strict").with_answers(words, np.full(len(words), 1 / len(words)))
    assert evaluate(Beam(), game, opener="hatch").report.histogram == dict.fromkeys(range(1, 8), 1)


@pytest.mark.parametrize("option", ["width", "looked", "memory"])
def test_bad_options(option: str) -> None:
    with pytest.raises(StrategyError, match=f"{option} must be 1 or more"):
        Beam(**{option: 0})
