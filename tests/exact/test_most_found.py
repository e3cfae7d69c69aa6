"""As many answers as can be found within the turns: against plain recursion, exact play and beam search."""

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from random_games import crowded_games, small_games

import sleuth
from sleuth.exact.beam import Beam
from sleuth.exact.bracket import bracket
from sleuth.exact.most_found import MostFound, lost_after, most_found, promising
from sleuth.exact.objective import Objective, weights_of
from sleuth.exact.proving import prove
from sleuth.games.frontier import Frontier
from sleuth.games.game import Game, Mode
from sleuth.games.pegs import bulls_and_cows, mastermind
from sleuth.games.position import Position
from sleuth.games.wordlists import from_words, load
from sleuth.support.errors import SleuthError, StrategyError
from sleuth.trees.check import check_tree
from sleuth.trees.evaluation import evaluate
from sleuth.trees.tree import DecisionTree

WIDE = 10_000


def most(game: Game, turns: int, among: list[int] | None = None) -> int:
    """Return the most weight that is found within so many turns, by trying every guess in every set.

    among: the answers that are possible, all of them where it is None.
    """
    weights = weights_of(game, Objective()).values

    @cache
    def of(candidates: tuple[int, ...], turns: int) -> int:
        if turns <= 1:
            return int(max(weights[list(candidates)])) if turns else 0
        best = 0
        for row in game.feedback:
            classes: dict[int, list[int]] = {}
            for a in candidates:
                classes.setdefault(int(row[a]), []).append(a)
            best = max(best, sum(of(tuple(some), turns - 1) for some in classes.values()))
        return best

    return of(tuple(range(len(game.answers)) if among is None else among), turns)


def lost(tree: DecisionTree) -> int:
    """Return the weight that a strategy does not find within the turns of its game."""
    return int(weights_of(tree.game, Objective()).values[tree.turns > tree.game.max_turns].sum())


@given(st.one_of(small_games(), crowded_games()), st.integers(1, 4))
def test_what_is_found_against_plain_recursion(game: Game, turns: int) -> None:
    assume((game.answer_guess >= 0).all())
    game = replace(game, mode="easy", max_turns=turns)
    start, weights = Frontier.of(Position.start(game)), weights_of(game, Objective()).values
    found, guesses = most_found(start, weights, WIDE)
    assert found[0] == most(game, turns)
    own = game.guess_answer[guesses[0]]
    assert turns > 1 or weights[own] == found[0]
    narrow = most_found(start, weights, 1)[0]
    assert narrow[0] <= found[0]
    assert turns > 2 or narrow[0] == found[0]


@pytest.mark.parametrize("turns", [2, 3, 4])
@pytest.mark.parametrize(
    "game",
    [mastermind(2, 3), mastermind(3, 3), mastermind(2, 4, black=True), mastermind(3, 3, repeats=False),
     pytest.param(bulls_and_cows(2), marks=pytest.mark.thorough)],
    ids=["2x3", "3x3", "2x4 black", "3x3 no repeats", "bulls and cows 2"],
)  # fmt: skip
def test_one_of_guesses_that_are_alike_is_enough(game: Game, turns: int) -> None:
    game = replace(game, max_turns=turns)
    weights = np.ones(len(game.answers), np.int64)
    start = Position.start(game)
    assert most_found(Frontier.of(start), weights, WIDE)[0][0] == most(game, turns)
    # After a guess, too; and where what is possible is not what the rows leave, no two guesses are alike.
    game = replace(game, max_turns=turns + 1)
    start, rng = Position.start(game), np.random.default_rng(turns)
    for guess in rng.permutation(len(game.guesses))[:4].tolist():
        some = Frontier.of(start).after(np.array([guess], np.int32)).frontier
        found = most_found(some, weights, WIDE)[0]
        for position, value in zip(some.positions(), found.tolist(), strict=True):
            assert value == most(game, turns, position.candidates.tolist())
            fewer = np.sort(rng.permutation(position.candidates)[: 1 + len(position.candidates) // 2])
            part = Position(game, fewer, None, 2, rows=position.rows)
            value = most_found(Frontier.of(part), weights, WIDE)[0][0]
            assert value == most(game, turns, fewer.tolist())


@given(
    st.one_of(small_games(), crowded_games()),
    st.integers(1, 5),
    st.sampled_from([1, 4, WIDE]),
    st.booleans(),
)
def test_it_loses_no_more_than_beam_search_and_as_little_as_exact_play(
    game: Game, turns: int, width: int, trials: bool
) -> None:
    game = replace(game, mode="easy", max_turns=turns)
    try:
        trees = [DecisionTree.build(strategy, game) for strategy in (MostFound(width, trials), Beam())]
        least = prove(game, "solved").failures
    except (SleuthError, StrategyError):
        assume(False)
    check_tree(trees[0])
    assert least is not None
    assert least <= lost(trees[0]) <= lost(trees[1])
    named = bool((game.answer_guess >= 0).all())
    if width == WIDE and game.is_uniform and named:
        assert lost(trees[0]) == least


@pytest.mark.parametrize("mode", ["hard", "strict"])
def test_where_guesses_are_forbidden_it_is_beam_search(mode: Mode) -> None:
    game = sleuth.wordle(["eight", "fight", "light", "might", "night", "right", "sight", "tight"], mode=mode)
    game = replace(game, max_turns=3)
    assert np.array_equal(evaluate(MostFound(), game).tree.turns, evaluate(Beam(), game).tree.turns)


def test_bounds_of_what_is_found_take_it() -> None:
    game = replace(sleuth.wordle(sleuth.wordle("original").answers[::15]), max_turns=3)
    beam, found = evaluate(Beam(), game).tree, bracket(game, Objective("solved"))
    assert found.at_most is not None
    assert found.at_most[0] < lost(beam)
    openers, weights = np.arange(len(game.guesses), dtype=np.int32), np.ones(len(game.answers), np.int64)
    opener = game.guesses[promising(Position.start(game), openers, weights)[0]]
    assert lost(evaluate(MostFound(8), game, opener).tree) < lost(beam)


def families(seed: int) -> Game:
    """Return words that differ in their first letters, with other words to tell them apart."""
    drawn = random.Random(seed)
    words = load("original-guesses").answers
    by_end: dict[str, list[str]] = {}
    for word in words:
        by_end.setdefault(word[1:], []).append(word)
    some = drawn.sample(sorted(by_end.values(), key=len, reverse=True)[:60], drawn.randint(2, 6))
    answers = {word for family in some for word in drawn.sample(family, min(len(family), 7))}
    return sleuth.wordle(from_words(sorted(answers), sorted(answers | set(drawn.sample(words, 400)))))


@pytest.mark.parametrize("seeds", [(1, 24), pytest.param(range(60), marks=pytest.mark.thorough)])
def test_strategies_in_time_are_found_where_beam_search_has_none(seeds: Sequence[int]) -> None:
    found_by_beam, found_after = 0, 0
    for seed in seeds:
        game = replace(families(seed), max_turns=4)
        beam = evaluate(Beam(), game).tree
        mean, worst = bracket(game), bracket(game, Objective("worst"))
        if not lost(beam):
            found_by_beam += 1
            assert mean.at_most == (int(beam.turns.sum()),)
            continue
        assert (mean.at_most is None) == (worst.at_most is None)
        if mean.at_most is None or mean.at_least is None:
            continue
        found_after += 1
        assert mean.worst == 4
        assert worst.at_most == (4, *mean.at_most)
        least = prove(game).total
        assert least is not None
        assert mean.at_least[0] <= least <= mean.at_most[0]
    assert found_by_beam > 0
    assert found_after > 0


@pytest.mark.parametrize("seed", range(8))
def test_trials_say_what_they_lose_and_end_where_that_is_nothing(seed: int) -> None:
    game = replace(families(seed), max_turns=4)
    start, weights = Position.start(game), np.ones(len(game.answers), np.int64)
    guesses = np.arange(len(game.guesses), dtype=np.int32)
    guess, least = promising(start, guesses, weights)
    assert least == lost_after(start, np.array([guess], np.int32), weights, 128)[0]
    assert least <= int(lost_after(start, guesses[:64], weights, 1).min())
    wide = most_found(Frontier.of(start), weights, WIDE)[0][0]
    assert len(game.answers) - least <= wide


FAMILY = ["batch", "catch", "hatch", "latch", "match", "patch", "watch", "eight", "fight", "light", "might"]


@pytest.mark.parametrize("turns", [2, 3, 4])
def test_bounds_of_what_is_lost_hold(turns: int) -> None:
    """Within three turns they meet where every answer is a guess; within four they say that some are lost."""
    words = [*FAMILY, *(word[::-1] for word in FAMILY), "night", "right", "sight", "tight"]
    game = replace(sleuth.wordle(words), max_turns=turns)
    least = prove(game, "solved").failures
    found = bracket(game, Objective("solved"))
    assert least is not None
    assert found.at_least is not None
    assert found.at_most is not None
    assert 0 < found.at_least[0] <= least <= found.at_most[0]
    if turns <= 3:
        assert found.at_least[0] == least == found.at_most[0]


@given(st.one_of(small_games(), crowded_games()))
def test_both_bounds_hold(game: Game) -> None:
    try:
        proof = prove(game, "solved")
        found = bracket(game, Objective("solved"))
    except SleuthError:
        assume(False)
    assert proof.total is not None
    best = proof.failures, proof.total
    assert found.at_least is None or found.at_least <= best
    assert found.at_most is None or best <= found.at_most
