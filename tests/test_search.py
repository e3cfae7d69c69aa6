"""Exact totals against plain recursion over everything that can happen (reference.ExactPlay)."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from math import inf

import numpy as np
import pytest
import reference
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_games import crowded_games, follow, games, histories, priors, small_games

from sleuth.games.game import Game
from sleuth.games.pegs import mastermind
from sleuth.games.wordle import wordle
from sleuth.kernels.search import INFINITE, gains_of, split_rows
from sleuth.position import Position
from sleuth.proof import solver as solver_module
from sleuth.proof.objective import Objective, integer_weights
from sleuth.proof.solver import Bound, Solver, _floors

MODES = ("easy", "hard", "strict")
TINY, SMALL, LARGE = 128, 2**12, 2**22


class Case:
    """A solver and its twin."""

    def __init__(self, solver):
        leftover = solver.leftover if solver.objective.kind == "solved" else None
        self.solver = solver
        self.play = reference.ExactPlay(
            solver.game, solver.weights.tolist(), solver.objective.penalty, leftover
        )

    @property
    def game(self) -> Game:
        return self.solver.game

    def __repr__(self) -> str:
        game, solver = self.game, self.solver
        words = f"{game.mode} guesses {game.guesses} answers {game.answers}"
        return (
            f"{words} weights {solver.weights.tolist()} turns {game.max_turns} {solver.objective}"
            f" memory {solver.memory}"
        )


def objectives(game):
    penalties = st.integers(game.max_turns + 1, game.max_turns + 6)
    penalty = penalties.map(lambda penalty: Objective("mean", penalty))
    return st.one_of(st.sampled_from([Objective(), Objective("worst"), Objective("solved")]), penalty)


@st.composite
def cases(draw):
    game = draw(st.one_of(small_games(), crowded_games()))
    solver = Solver(game, draw(objectives(game)), draw(st.sampled_from([TINY, 2 * TINY, SMALL, LARGE])))
    return Case(solver)


def positions(game):
    """Rows of (guess, code), and the position after them."""
    rows = st.one_of(st.just([]), histories(game, most=1), histories(game))
    return rows.map(lambda rows: (rows, follow(game, rows)))


def number(bound):
    """Return what a bound says that no strategy beats."""
    return inf if bound.lower >= INFINITE else bound.lower


def check_total(bound, total):
    """Say that a bound is the total, without a doubt."""
    assert number(bound) == total
    assert bound.upper == (None if total == inf else total)


# The total of a position, of a guess in it, and with a limit: against all there is.


@settings(max_examples=300)
@given(cases(), st.data())
def test_totals_are_those_of_trying_everything(case, data):
    # One solver for several positions: what it remembers of one must fit the next.
    for rows, position in data.draw(st.lists(positions(case.game), min_size=1, max_size=4)):
        turns = case.solver.turns_left(position)
        (total, depths), ways = case.play.after(rows, turns)
        bound = case.solver.bound(position)
        check_total(bound, total)
        begins = [guess for guess, (cost, _) in ways.items() if cost == total]
        if total < inf and case.solver.objective.penalty is None:
            assert bound.depth in depths
        if total < inf and turns > 0:
            assert bound.guess in begins if begins else bound.guess == -1


@settings(max_examples=150)
@given(cases(), st.data())
def test_totals_with_any_number_of_turns_left(case, data):
    rows, position = data.draw(positions(case.game))
    order = data.draw(st.permutations(range(case.game.max_turns + 1)))
    for turns in order:
        check_total(case.solver.bound(position, turns=turns), case.play.after(rows, turns)[0][0])


@settings(max_examples=200)
@given(cases(), st.data())
def test_guesses_cost_what_trying_everything_says(case, data):
    rows, position = data.draw(positions(case.game))
    turns = case.solver.turns_left(position)
    assume(turns > 0)
    _, ways = case.play.after(rows, turns)
    guesses = useful(case.play, rows)
    assume(guesses)
    for guess in data.draw(st.lists(st.sampled_from(guesses), min_size=1, max_size=5)):
        total, depths = ways[guess]
        bound = case.solver.bound(position, guess=guess)
        check_total(bound, total)
        if total < inf:
            assert bound.guess == guess
            if case.solver.objective.penalty is None:
                assert bound.depth in depths


@settings(max_examples=300)
@given(cases(), st.data())
def test_below_beta_totals_are_exact_and_from_there_on_bounds_hold(case, data):
    rows, position = data.draw(positions(case.game))
    turns = case.solver.turns_left(position)
    assume(turns > 0)
    (total, _), ways = case.play.after(rows, turns)
    for _ in range(data.draw(st.integers(1, 4))):
        guess = data.draw(st.sampled_from([-1, *useful(case.play, rows)]))
        truth = total if guess < 0 else ways[guess][0]
        unit = data.draw(st.sampled_from([1, max(1, int(case.solver.weights.max()))]))
        near = 10 * unit if truth == inf else truth
        beta = near + unit * data.draw(st.integers(-4, 4))
        bound = case.solver.bound(position, beta=beta, guess=guess)
        if truth < beta:
            check_total(bound, truth)
        else:
            assert beta <= number(bound) <= truth
            assert bound.upper is None


@given(cases(), st.data())
def test_a_table_that_grows_forgets_nothing_that_matters(case, data):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solver_module, "_FIRST_BUCKETS", 1)
        case.solver.memory = data.draw(st.sampled_from([TINY, 2 * TINY, 8 * TINY, LARGE]))
        assert case.solver.search.control[4] == 1
    for rows, position in data.draw(st.lists(positions(case.game), min_size=1, max_size=4)):
        turns = case.solver.turns_left(position)
        check_total(case.solver.bound(position), case.play.after(rows, turns)[0][0])


@settings(max_examples=60)
@given(small_games())
def test_solved_puts_answers_found_first(game):
    # Ten times the price of a failure changes nothing but the price.
    solver = Solver(game, Objective("solved"), SMALL)
    total = number(solver.bound(Position.start(game)))
    assume(total < inf)
    dearer = reference.ExactPlay(game, solver.weights.tolist(), leftover=10 * solver.leftover)
    (expected, _), _ = dearer.after([], game.max_turns)
    assert divmod(total, solver.leftover) == divmod(expected, 10 * solver.leftover)


@settings(max_examples=60)
@given(small_games())
def test_worst_is_played_for_the_mean(game):
    # Whoever asks for the fewest turns lowers the limit.
    start = Position.start(game)
    assert Solver(game, Objective("worst"), SMALL).bound(start) == Solver(game, memory=SMALL).bound(start)


# Bounds of all guesses at once.


def useful(play, rows):
    """Return the legal guesses that tell something after rows."""
    candidates = reference.consistent(play.game, rows)
    return [
        guess
        for guess in reference.legal_guesses(play.game, rows)
        if reference.can_be_right(play.game, candidates, guess)
        or len(reference.classes(play.game, candidates, guess)) > 1
    ]


@settings(max_examples=150)
@given(cases(), st.data())
def test_first_bounds_are_of_all_useful_guesses_and_hold(case, data):
    rows, position = data.draw(positions(case.game))
    turns = case.solver.turns_left(position)
    assume(turns > 0)
    guesses, bounds = case.solver.first_bounds(position, turns)
    assert sorted(guesses.tolist()) == useful(case.play, rows)
    _, ways = case.play.after(rows, turns)
    for guess, bound in zip(guesses.tolist(), bounds.tolist(), strict=True):
        assert bound <= ways[guess][0]


@settings(max_examples=200)
@given(cases(), st.data())
def test_sweeps_hold_and_come_as_far_as_one_scan_does(case, data):
    rows, position = data.draw(positions(case.game))
    turns = case.solver.turns_left(position)
    guesses = useful(case.play, rows)
    assume(turns > 0 and guesses)
    (total, _), ways = case.play.after(rows, turns)
    if data.draw(st.booleans()):
        case.solver.bound(position)  # so that the table knows something
    near = int(case.solver.scale) if total == inf else total
    limit = data.draw(st.integers(0, 2 * near + 1))
    swept = case.solver.sweep(position, np.array(guesses, np.int32), turns, limit).tolist()
    for guess, bound in zip(guesses, swept, strict=True):
        assert (inf if bound >= INFINITE else bound) <= ways[guess][0]
        assert bound >= min(limit, one_scan(case.solver, position, guess, turns))


def one_scan(solver, position, guess, turns):
    """Bound what a guess costs by what any next guess can gain in its classes, where two more turns are left."""
    game, weights = solver.game, solver.weights.tolist()
    bound = sum(weights[a] for a in position.candidates)
    legal = range(len(game.guesses)) if position.legal is None else position.legal.tolist()
    for members in reference.split(game, position.candidates.tolist(), guess).values():
        whole = sum(weights[a] for a in members)
        unnamed = sum(weights[a] for a in members if game.answers[a] not in game.guesses)
        most = whole + max(weights[a] for a in members)
        if turns > 2 and len(members) > 1:
            most = max(
                reference.gain(game, members, g, weights)
                + sum(weights[a] for a in members if reference.is_answer(game, g, a))
                for g in legal
            )
        bound += 3 * whole - most - unnamed
    return bound


# Parts of the kernels.


@st.composite
def large_games(draw):
    """Games of up to 150 answers, of which enough are alike that sets stay large."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    length, letters = draw(st.sampled_from([(3, 6), (4, 3), (5, 4), (7, 3)]))
    drawn = rng.choice(list("abcdef"[:letters]), (draw(st.integers(60, 150)), length))
    words = sorted({"".join(word) for word in drawn})
    game = draw(st.sampled_from([wordle(words), mastermind(3, 5), mastermind(3, 4)]))
    if draw(st.booleans()):
        return game
    return game.with_prior(rng.integers(0, draw(st.sampled_from([3, 50])), len(game.answers)) + 1.0)


def check_gains(solver, position, stepped_beyond):
    """Compare the kernel's gains of all columns with the twin's, for all candidates."""
    game = solver.game
    view, rows = solver.view_of(position)
    candidates = position.candidates.tolist()
    weights = solver.weights.tolist()
    floors = None
    if max(weights) == min(weights) == 1 and len(candidates) > stepped_beyond:
        floors = _floors(len(candidates), stepped_beyond).tolist()
    expected = [reference.gain(game, candidates, g, weights, floors) for g in view.columns.tolist()]
    assert gains_of(solver.search, view, rows).tolist() == expected


@settings(max_examples=100)
@given(cases(), st.data())
def test_gains(case, data):
    rows, position = data.draw(positions(case.game))
    game = case.game
    everything = range(len(game.answers))
    most = max(len(reference.classes(game, everything, g)) for g in range(len(game.guesses)))
    may_fail = case.solver.objective.penalty is not None
    check_gains(case.solver, position, len(everything) if may_fail else max(2, most))
    assert np.all(np.diff(case.solver.view.quality) <= 0)


@settings(max_examples=25)
@given(large_games(), st.booleans(), st.integers(0, 5))
def test_gains_of_large_sets(game, may_fail, cut):
    solver = Solver(game, Objective("mean", 100) if may_fail else None, SMALL)
    everything = range(len(game.answers))
    most = max(len(reference.classes(game, everything, g)) for g in everything)
    stepped_beyond = most if most <= 40 and not may_fail else len(everything)
    start = Position.start(game)
    check_gains(solver, replace(start, candidates=start.candidates[cut:]), stepped_beyond)


@given(cases(), st.data())
def test_split_rows(case, data):
    rows, position = data.draw(positions(case.game))
    view, places = case.solver.view_of(position)
    assume(len(view.columns))
    column = data.draw(st.integers(0, len(view.columns) - 1))
    guess = int(view.columns[column])
    starts, members = split_rows(case.solver.search, view, places, column)
    ends = zip(starts[:-1], starts[1:], strict=True)
    found = [sorted(view.answers[members[begin:end]].tolist()) for begin, end in ends]
    parts = reference.classes(case.game, position.candidates.tolist(), guess).values()
    left = [[a for a in part if not reference.is_answer(case.game, guess, a)] for part in parts]
    assert sorted(found) == sorted(part for part in left if part)
    for begin, end in zip(starts[:-1], starts[1:], strict=True):
        assert np.all(np.diff(members[begin:end]) > 0)  # the heaviest first, as everywhere


@given(cases())
def test_views_hold_the_game(case):
    solver, game = case.solver, case.game
    view = solver.view
    assert sorted(view.answers.tolist()) == list(range(len(game.answers)))
    assert sorted(view.columns.tolist()) == list(range(len(game.guesses)))
    assert np.all(np.diff(solver.weights[view.answers]) <= 0)
    assert np.array_equal(view.codes, game.feedback[view.columns][:, view.answers].T)
    own = [view.columns[column] if column >= 0 else -1 for column in view.own]
    assert own == game.answer_guess[view.answers].tolist()
    assert np.array_equal(view.columns[solver.column_of], np.arange(len(game.guesses)))


@pytest.mark.parametrize("most_classes", range(2, 8))
def test_floors_are_no_more_than_the_best_split_gives(most_classes):
    floors = _floors(24, most_classes).tolist()
    assert len(floors) == 26
    assert all(
        floor <= total
        for floor, total in zip(floors, reference.least_totals(24, most_classes), strict=False)
    )


@given(st.integers(1, 60), st.integers(2, 50))
def test_floors_find_answers_as_early_as_classes_allow(answers, most_classes):
    floors = _floors(answers, most_classes).tolist()
    depths = [next(d for d in range(1, 99) if most_classes ** (d - 1) >= k) for k in range(1, answers + 2)]
    assert floors == [sum(depths[:n]) for n in range(answers + 2)]


# Weights.


def with_weights(weights):
    """Return a game with so many answers and this prior."""
    names = [str(i) for i in range(len(weights))]
    return Game.from_function(lambda g, a: g == a, names, prior=np.array(weights, float))


@given(st.lists(st.integers(0, 64), min_size=1, max_size=30).filter(any), st.floats(1e-3, 1e3))
def test_small_integers_are_their_own_weights(weights, factor):
    found, scale = integer_weights(with_weights([weight * factor for weight in weights]))
    common = np.gcd.reduce(weights) if len(set(weights)) > 1 else weights[0]
    assert found.tolist() == [weight // common for weight in weights]
    assert scale == sum(weights) // common


@settings(max_examples=200)
@given(
    st.integers(0, 2**32), st.integers(1, 200), st.sampled_from(["mean", "solved"]), st.sampled_from([1, 6, 20])
)
def test_weights_are_in_proportion_to_the_prior(seed, n, kind, power):
    rng = np.random.default_rng(seed)
    game = with_weights(rng.random(n) ** power)
    weights, scale = integer_weights(game, kind)
    assert weights.dtype == np.int64
    assert scale == weights.sum() > 0
    assert np.all(weights >= 0)
    assert np.abs(weights / scale - game.prior).max() < n * {"mean": 2.0**-32, "solved": 2.0**-22}[kind]


@pytest.mark.parametrize("n", [1, 2, 9])
def test_a_uniform_prior_has_weights_of_one(n):
    weights, scale = integer_weights(with_weights([0.3] * n))
    assert (weights.tolist(), scale) == ([1] * n, n)


# Larger games, whose totals are the same in other words.


def other_words(game):
    """Solvers that go other ways to the same total, with what theirs is divided by."""
    double = Solver(game)
    double.weights = 2 * double.weights  # as if the prior were not uniform
    return {
        "weights": (double, 2),
        "small table": (Solver(game, memory=2**14), 1),
        "penalty": (Solver(game, Objective("mean", game.max_turns + 50)), 1),
        "solved": (Solver(game, Objective("solved")), 1),
        "few turns": (Solver(replace(game, max_turns=7)), 1),
    }


@pytest.mark.parametrize("way", ["weights", "small table", "penalty", "solved", "few turns"])
def test_mastermind_takes_905_guesses_of_4_pegs_in_4_colours(way):
    solver, times = other_words(mastermind(4, 4))[way]
    bound = solver.bound(Position.start(solver.game))
    assert (bound.lower, bound.upper) == (905 * times, 905 * times)
    assert bound.depth == 5
