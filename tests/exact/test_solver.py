"""Exact totals against plain recursion over everything that can happen (reference.ExactPlay)."""

import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache, lru_cache
from itertools import chain, pairwise, product
from math import inf
from typing import Any

import numpy as np
import pytest
import reference
from hypothesis import assume, given
from hypothesis import strategies as st
from numba import njit
from numpy.typing import NDArray
from random_games import crowded_games, disjoint, follow, histories, small_games

from sleuth.exact import counting
from sleuth.exact import solver as solver_module
from sleuth.exact.objective import Kind, Objective, rounding, weights_of
from sleuth.exact.plain import PlainSearch
from sleuth.exact.solver import Bound, Solver
from sleuth.games import wordlists
from sleuth.games.frontier import Frontier
from sleuth.games.game import Game, Mode
from sleuth.games.pegs import mastermind
from sleuth.games.position import Position
from sleuth.games.rules import PegRules
from sleuth.games.wordle import wordle
from sleuth.kernels.search.records import INFINITE, Search
from sleuth.kernels.search.scan import gains_of
from sleuth.kernels.search.table import WORDS, depth_of, probe, store
from sleuth.kernels.search.views import split_rows
from sleuth.support.errors import SleuthError

MODES: tuple[Mode, ...] = ("easy", "hard", "strict")
TINY, SMALL, LARGE = 128, 2**12, 2**22


class Case:
    """A solver and its twin."""

    def __init__(self, solver: Solver) -> None:
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


def objectives(game: Game) -> st.SearchStrategy[Objective]:
    penalties = st.integers(game.max_turns + 1, game.max_turns + 6)
    penalty = penalties.map(lambda penalty: Objective("mean", penalty))
    return st.one_of(st.sampled_from([Objective(), Objective("worst"), Objective("solved")]), penalty)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    game = draw(st.one_of(small_games(), crowded_games()))
    solver = Solver(game, draw(objectives(game)), draw(st.sampled_from([TINY, 2 * TINY, SMALL, LARGE])))
    return Case(solver)


def positions(game: Game) -> st.SearchStrategy[tuple[list[tuple[int, int]], Position]]:
    """Rows of (guess, code), and the position after them."""
    none: st.SearchStrategy[list[tuple[int, int]]] = st.just([])
    rows = st.one_of(none, histories(game, most=1), histories(game))
    return rows.map(lambda rows: (rows, follow(game, rows)))


def number(bound: Bound) -> float:
    """Return what a bound says that no strategy beats."""
    return inf if bound.lower >= INFINITE else bound.lower


def check_total(bound: Bound, total: float) -> None:
    """Say that a bound is the total, without a doubt."""
    assert number(bound) == total
    assert bound.upper == (None if total == inf else total)


# The total of a position, of a guess in it, and with a limit: against all there is.


@given(cases(), st.data())
def test_totals_are_those_of_trying_everything(case: Case, data: st.DataObject) -> None:
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


@given(cases(), st.data())
def test_totals_with_any_number_of_turns_left(case: Case, data: st.DataObject) -> None:
    rows, position = data.draw(positions(case.game))
    order = data.draw(st.permutations(range(case.game.max_turns + 1)))
    for turns in order:
        check_total(case.solver.bound(position, turns=turns), case.play.after(rows, turns)[0][0])


@given(cases(), st.data())
def test_guesses_cost_what_trying_everything_says(case: Case, data: st.DataObject) -> None:
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


@given(cases(), st.data())
def test_below_beta_totals_are_exact_and_from_there_on_bounds_hold(case: Case, data: st.DataObject) -> None:
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


@given(cases(), st.data(), st.integers(1, 6))
def test_the_best_guesses_are_those_of_trying_everything(case: Case, data: st.DataObject, k: int) -> None:
    rows, position = data.draw(positions(case.game))
    turns = case.solver.turns_left(position)
    assume(turns > 0)
    _, ways = case.play.after(rows, turns)
    best = case.solver.best(position, k)
    assert all(bound.exact for bound in best)
    assert [(bound.guess, bound.lower) for bound in best] == [(b.guess, ways[b.guess][0]) for b in best]
    assert [bound.lower for bound in best] == sorted(bound.lower for bound in best)
    assert len({bound.guess for bound in best}) == len(best) <= k
    if case.solver.objective.penalty is None:
        assert all(bound.depth in ways[bound.guess][1] for bound in best)
    # What is left out is no better, or tells the same as one that is no worse.
    candidates = position.candidates.tolist()
    listed = {partition(case.game, candidates, bound.guess): bound.lower for bound in reversed(best)}
    limit = best[-1].lower if len(best) == k else inf
    for guess in set(useful(case.play, rows)) - {bound.guess for bound in best}:
        cost = ways[guess][0]
        same = listed.get(partition(case.game, candidates, guess), inf)
        assert cost >= min(limit, same)
        if reference.can_be_right(case.game, candidates, guess):
            assert cost >= limit


def partition(game: Game, candidates: list[int], guess: int) -> frozenset[frozenset[int]]:
    return frozenset(frozenset(members) for members in reference.classes(game, candidates, guess).values())


@given(cases(), st.data())
def test_a_table_that_grows_forgets_nothing_that_matters(case: Case, data: st.DataObject) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solver_module, "_FIRST_BUCKETS", 1)
        case.solver.memory = data.draw(st.sampled_from([TINY, 2 * TINY, 8 * TINY, LARGE]))
        assert case.solver.search.control[4] == 1
    for rows, position in data.draw(st.lists(positions(case.game), min_size=1, max_size=4)):
        turns = case.solver.turns_left(position)
        check_total(case.solver.bound(position), case.play.after(rows, turns)[0][0])


@given(cases(), st.data())
def test_guesses_that_tell_nothing_or_are_not_legal_lead_nowhere(case: Case, data: st.DataObject) -> None:
    rows, position = data.draw(positions(case.game))
    assume(case.solver.turns_left(position) > 0)
    idle = set(range(len(case.game.guesses))) - set(useful(case.play, rows))
    for guess in sorted(idle):
        check_total(case.solver.bound(position, guess=guess), inf)


@given(cases(), st.data())
def test_guesses_after_the_last_turn(case: Case, data: st.DataObject) -> None:
    rows, position = data.draw(positions(case.game))
    assume(case.solver.objective.penalty is None)
    _, ways = case.play.after(rows, 0)
    for guess in useful(case.play, rows):
        check_total(case.solver.bound(position, turns=0, guess=guess), ways[guess][0])


def test_the_best_guesses_after_the_last_turn() -> None:
    case = Case(Solver(mastermind(2, 3, max_turns=2), Objective("solved"), SMALL))
    _, ways = case.play.after([], 0)
    best = case.solver.best(Position.start(case.game), 3, turns=0)
    assert [bound.lower for bound in best] == sorted(cost for cost, _ in ways.values())[:3]


@given(cases(), st.data())
def test_more_turns_than_the_game_has(case: Case, data: st.DataObject) -> None:
    assume(case.solver.objective.penalty is None)
    rows, position = data.draw(positions(case.game))
    for turns in data.draw(st.lists(st.integers(0, 12), min_size=3, max_size=9)):
        check_total(case.solver.bound(position, turns=turns), case.play.after(rows, turns)[0][0])


@pytest.mark.parametrize("penalty", [7, 10**6, 10**9, 10**12])
def test_a_penalty_of_any_size_is_reckoned_with_or_refused(penalty: int) -> None:
    game = mastermind(2, 3, max_turns=2).with_prior(np.random.default_rng(1).random(9))
    try:
        solver = Solver(game, Objective("mean", penalty), SMALL)
    except SleuthError:
        return
    play = Case(solver).play
    check_total(solver.bound(Position.start(game)), play.after([], 2)[0][0])


@given(small_games())
def test_solved_puts_answers_found_first(game: Game) -> None:
    # Ten times the price of a failure changes nothing but the price.
    solver = Solver(game, Objective("solved"), SMALL)
    total = number(solver.bound(Position.start(game)))
    assume(total < inf)
    dearer = reference.ExactPlay(game, solver.weights.tolist(), leftover=10 * solver.leftover)
    (expected, _), _ = dearer.after([], game.max_turns)
    assert divmod(total, solver.leftover) == divmod(expected, 10 * solver.leftover)


@given(small_games())
def test_worst_is_played_for_the_mean(game: Game) -> None:
    # Whoever asks for the fewest turns lowers the limit.
    start = Position.start(game)
    assert Solver(game, Objective("worst"), SMALL).bound(start) == Solver(game, memory=SMALL).bound(start)


# Bounds of all guesses at once.


def useful(play: reference.ExactPlay, rows: list[tuple[int, int]]) -> list[int]:
    """Return the legal guesses that tell something after rows."""
    candidates = reference.consistent(play.game, rows)
    return [
        guess
        for guess in reference.legal_guesses(play.game, rows)
        if reference.can_be_right(play.game, candidates, guess)
        or len(reference.classes(play.game, candidates, guess)) > 1
    ]


@given(cases(), st.data())
def test_first_bounds_are_of_all_useful_guesses_and_hold(case: Case, data: st.DataObject) -> None:
    rows, position = data.draw(positions(case.game))
    turns = case.solver.turns_left(position)
    assume(turns > 0)
    guesses, bounds = case.solver.first_bounds(position, turns)
    assert sorted(guesses.tolist()) == useful(case.play, rows)
    _, ways = case.play.after(rows, turns)
    for guess, bound in zip(guesses.tolist(), bounds.tolist(), strict=True):
        assert bound <= ways[guess][0]


@given(cases(), st.data())
def test_sweeps_hold_and_come_as_far_as_one_scan_does(case: Case, data: st.DataObject) -> None:
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


def one_scan(solver: Solver, position: Position, guess: int, turns: int) -> int:
    """Bound what a guess costs by what any legal guess gains in its classes, if two more turns are left."""
    game, weights, candidates = solver.game, solver.weights.tolist(), position.candidates.tolist()
    bound = sum(weights[a] for a in candidates)
    for code, members in reference.split(game, candidates, guess).items():
        then = position.after(guess, code).legal
        legal = range(len(game.guesses)) if then is None else then.tolist()
        whole = sum(weights[a] for a in members)
        unnamed = sum(weights[a] for a in members if game.answers[a] not in game.guesses)
        most = whole + (whole if turns < 2 else max(weights[a] for a in members))
        if turns > 2 and len(members) > 1:
            gains = (
                reference.gain(game, members, g, weights)
                + sum(weights[a] for a in members if reference.is_answer(game, g, a))
                for g in legal
            )
            most = max(gains, default=0)
        bound += 3 * whole - most - unnamed
    return bound


# Parts of the kernels.


@st.composite
def large_games(draw: st.DrawFn, modes: tuple[Mode, ...] = ("easy",), weighted: bool = True) -> Game:
    """Games of some 100 answers with guesses that tell little, so that sets stay large."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    length, letters = draw(st.sampled_from([(3, 6), (4, 3), (4, 5), (5, 4), (7, 3)]))
    rare = ["".join(word) for word in rng.choice(list("abxyz"), (10, length))]
    words = {"".join(word) for word in rng.choice(list("abcdef"[:letters]), (rng.integers(60, 110), length))}
    listed = wordlists.from_words(words, words.union(rare))
    game = draw(st.sampled_from([wordle(listed), wordle(listed), mastermind(3, 5)]))
    if game.rules.has_hard_mode:
        game = game.with_mode(draw(st.sampled_from(modes)))
    if draw(st.booleans()) or not weighted:
        return game
    return game.with_prior(rng.integers(1, draw(st.sampled_from([4, 60])), len(game.answers)))  # type: ignore[arg-type]  # integers are taken too


def others(game: Game, guess: int) -> list[list[int]]:
    """Return the classes of all answers that a guess leaves, itself left out."""
    parts = reference.classes(game, range(len(game.answers)), guess).values()
    return [[a for a in part if not reference.is_answer(game, guess, a)] for part in parts]


def check_gains(solver: Solver, position: Position, stepped_beyond: int) -> None:
    """Compare the kernel's gains of all columns with the twin's, for all candidates."""
    game = solver.game
    view, rows = solver.view_of(position)
    candidates = position.candidates.tolist()
    weights = solver.weights.tolist()
    floors = None
    if max(weights) == min(weights) == 1 and len(candidates) > stepped_beyond:
        everything = range(len(game.answers))
        removed = max(
            len(everything) - max(map(len, others(game, g)), default=0) for g in range(len(game.guesses))
        )
        floors = counting.floors(len(everything), stepped_beyond, max(1, removed)).tolist()
    expected = [reference.gain(game, candidates, g, weights, floors) for g in view.columns.tolist()]
    assert gains_of(solver.search, view, rows).tolist() == expected


@given(cases(), st.data())
def test_gains(case: Case, data: st.DataObject) -> None:
    _, position = data.draw(positions(case.game))
    game = case.game
    everything = range(len(game.answers))
    most = max(len(reference.classes(game, everything, g)) for g in range(len(game.guesses)))
    may_fail = case.solver.objective.penalty is not None
    check_gains(case.solver, position, len(everything) if may_fail else max(2, most))


@given(large_games(), st.booleans(), st.integers(0, 5))
def test_gains_of_large_sets(game: Game, may_fail: bool, cut: int) -> None:
    solver = Solver(game, Objective("mean", 100) if may_fail else None, SMALL)
    everything = range(len(game.answers))
    most = max(len(reference.classes(game, everything, g)) for g in range(len(game.guesses)))
    stepped_beyond = most if most <= 40 and not may_fail else len(everything)
    start = Position.start(game)
    check_gains(solver, replace(start, candidates=start.candidates[cut:]), stepped_beyond)


@given(cases(), st.data())
def test_split_rows(case: Case, data: st.DataObject) -> None:
    _, position = data.draw(positions(case.game))
    view, places = case.solver.view_of(position)
    assume(len(view.columns))
    column = data.draw(st.integers(0, len(view.columns) - 1))
    guess = int(view.columns[column])
    starts, members = split_rows(case.solver.search, view, places, column)
    found = [members[begin:end] for begin, end in pairwise(starts)]
    parts = reference.classes(case.game, position.candidates.tolist(), guess).values()
    left = [[a for a in part if not reference.is_answer(case.game, guess, a)] for part in parts]
    assert sorted(sorted(view.answers[part].tolist()) for part in found) == sorted(filter(None, left))
    assert all(np.all(np.diff(part) > 0) for part in found)  # the heaviest first, as everywhere


@given(cases())
def test_views_hold_the_game(case: Case) -> None:
    solver, game = case.solver, case.game
    view = solver.view
    assert sorted(view.answers.tolist()) == list(range(len(game.answers)))
    assert sorted(view.columns.tolist()) == list(range(len(game.guesses)))
    assert np.all(np.diff(solver.weights[view.answers]) <= 0)
    codes = view.codes.view(game.labels.dtype)
    assert np.array_equal(codes, game.labels[view.columns][:, view.answers].T)
    own = [view.columns[column] if column >= 0 else -1 for column in view.own]
    assert own == game.answer_guess[view.answers].tolist()
    assert np.array_equal(view.columns[solver.column_of], np.arange(len(game.guesses)))
    everything, weights = range(len(game.answers)), solver.weights.tolist()
    assert view.quality.tolist() == [reference.gain(game, everything, g, weights) for g in view.columns]
    assert np.all(np.diff(view.quality) <= 0)


@pytest.mark.parametrize("most_classes", range(2, 8))
def test_floors_are_no_more_than_the_best_split_gives(most_classes: int) -> None:
    floors = counting.floors(24, most_classes, 24).tolist()
    assert len(floors) == 26
    assert all(
        floor <= total for floor, total in zip(floors, reference.least_totals(24, most_classes), strict=False)
    )


@given(st.integers(1, 60), st.integers(2, 50))
def test_floors_find_answers_as_early_as_classes_allow(answers: int, most_classes: int) -> None:
    floors = counting.floors(answers, most_classes, answers).tolist()
    depths = [next(d for d in range(1, 99) if most_classes ** (d - 1) >= k) for k in range(1, answers + 2)]
    assert floors == [sum(depths[:n]) for n in range(answers + 2)]


@pytest.mark.parametrize("removed", range(1, 12))
def test_floors_know_what_guesses_remove(removed: int) -> None:
    floors = counting.floors(24, 25, removed).tolist()
    totals = reference.least_totals(24, 25, removed)
    assert all(floor <= total for floor, total in zip(floors, totals, strict=False))
    if removed == 1:  # each guess is right or rules out itself alone
        assert floors == [n * (n + 1) // 2 for n in range(26)]


@pytest.mark.parametrize("lost", [1, 2, 5])
@pytest.mark.parametrize("removed", [1, 2, 4, 12])
@pytest.mark.parametrize("most_classes", [2, 3, 5])
def test_floors_hold_where_answers_may_be_lost(most_classes: int, removed: int, lost: int) -> None:
    floors = counting.floors(12, most_classes, removed, lost).tolist()

    @cache
    def least(n: int, turns: int) -> float:
        """Return the least total of n answers where every split that the two numbers allow can be had."""
        if n == 0 or turns == 0:
            return n * lost
        return n + min(shared(n - right, turns - 1, most_classes - right, n - removed) for right in (0, 1))

    @cache
    def shared(n: int, turns: int, parts: int, largest: int) -> float:
        """Return the same of n answers in so many parts, one of which has `largest` or more of them."""
        if n == 0:
            return 0 if largest <= 0 else inf
        if parts == 0:
            return inf
        return min(
            least(k, turns) + shared(n - k, turns, parts - 1, 0 if k >= largest else largest)
            for k in range(1, n + 1)
        )

    for turns in range(1, 13):
        assert all(floors[n] <= least(n, turns) for n in range(13))
    if removed == 1:  # each guess is right or rules out itself alone: none is lost, or as many as one likes
        assert floors[2 : lost + 2] == [n * (n + 1) // 2 for n in range(2, lost + 2)]


# Weights.


def with_weights(weights: Sequence[float] | NDArray[np.float64]) -> Game:
    """Return a game with so many answers and this prior."""
    names = [str(i) for i in range(len(weights))]
    return Game.from_function(lambda g, a: g == a, names, prior=np.array(weights, float))


@given(st.lists(st.integers(0, 64), min_size=1, max_size=30).filter(any), st.floats(1e-3, 1e3))
def test_small_integers_are_their_own_weights(weights: list[int], factor: float) -> None:
    made = weights_of(with_weights([weight * factor for weight in weights]), Objective())
    common = np.gcd.reduce(weights) if len(set(weights)) > 1 else weights[0]
    assert made.values.tolist() == [weight // common for weight in weights]
    assert made.scale == sum(weights) // common


@given(
    st.integers(0, 2**32),
    st.integers(1, 200),
    st.sampled_from(["mean", "solved"]),
    st.sampled_from([1, 6, 20]),
)
def test_weights_are_in_proportion_to_the_prior(seed: int, n: int, kind: Kind, power: int) -> None:
    rng = np.random.default_rng(seed)
    game = with_weights(rng.random(n) ** power)
    made = weights_of(game, Objective(kind))
    weights, scale = made.values, made.scale
    assert weights.dtype == np.int64
    assert scale == weights.sum() > 0
    assert np.all(weights >= 0)
    assert np.abs(weights / scale - game.prior).max() < n * {"mean": 2.0**-32, "solved": 2.0**-22}[kind]


@pytest.mark.parametrize(
    "least",
    [1e-9, 1e-200, 1e-310],
)
def test_weights_of_next_to_nothing_are_none(least: float) -> None:
    made = weights_of(with_weights([least, 1, 3]), Objective("solved"))
    assert made.values.tolist() == [0, made.scale // 4, 3 * made.scale // 4]


@given(
    st.lists(st.integers(0, 10**7), min_size=1, max_size=9).filter(any),
    st.floats(1e-3, 1e3),
    st.sampled_from([Objective(), Objective("solved"), Objective("mean", 9)]),
)
def test_integers_of_any_range_are_their_own_weights_while_they_fit(
    weights: list[int], factor: float, objective: Objective
) -> None:
    game = with_weights([weight * factor for weight in weights])
    found = weights_of(game, objective)
    common = np.gcd.reduce(weights) if len(set(weights)) > 1 else weights[0]
    assert found.values.tolist() == [weight // common for weight in weights]
    assert rounding(game.prior, found.values) == 0


@given(st.integers(0, 2**32), st.integers(2, 3000), st.sampled_from(["mean", "worst", "solved", "penalty"]))
def test_totals_of_the_weights_fit(seed: int, n: int, kind: Any) -> None:
    rng = np.random.default_rng(seed)
    game = disjoint(n, 6).with_prior(rng.random(n) ** 9)
    objective = Objective("mean", int(rng.integers(7, 10**5))) if kind == "penalty" else Objective(kind)
    candidates = np.sort(rng.permutation(n)[: rng.integers(1, n + 1)]).astype(np.int32)
    for chosen in (None, candidates):
        made = weights_of(game, objective, chosen)
        dearest = made.price if kind == "solved" else max(objective.penalty or 0, made.answers)
        assert made.scale * (dearest + made.answers) < INFINITE
        within = np.arange(n) if chosen is None else chosen
        assert rounding(game.prior[within], made.values[within]) <= len(within) * 2.0 ** (
            -20 if kind == "solved" else -31
        )


def test_weights_are_those_of_the_candidates_where_those_of_all_do_not_fit() -> None:
    game = with_weights([10**15, 3, 7, 1, 10**12 + 1])
    few = np.array([1, 2, 3], np.int32)
    for objective in (Objective("solved"), Objective("mean", 10**4)):
        assert rounding(game.prior, weights_of(game, objective).values) > 0
        made = weights_of(game, objective, few)
        assert made.values.tolist() == [0, 3, 7, 1, 0]
        position = replace(Position.start(game), candidates=few)
        coarse = Solver(game, objective, SMALL)
        fine = coarse.serving(position)
        assert coarse.tolerance(position) > 0 == fine.tolerance(position)
        assert fine.weights[few].tolist() == [3, 7, 1]
        assert fine.serving(position) is fine


@given(st.lists(st.integers(0, 64), min_size=1, max_size=30).filter(any))
def test_solvers_of_small_integers_serve_every_position(weights: list[int]) -> None:
    game = with_weights(weights)
    for objective in (Objective(), Objective("solved")):
        solver = Solver(game, objective, SMALL)
        few = np.flatnonzero(np.arange(len(weights)) % 2 == 0).astype(np.int32)
        assert solver.serving(replace(Position.start(game), candidates=few)) is solver


def test_rounding() -> None:
    assert rounding(np.array([0.25, 0.75]), np.array([1, 3])) == 0
    assert rounding(np.array([0.25, 0.75]), np.array([1, 1])) == pytest.approx(0.5)
    assert rounding(np.zeros(2), np.zeros(2, np.int64)) == 0
    assert rounding(np.array([0.5, 0.5]), np.zeros(2, np.int64)) == 2


@pytest.mark.parametrize("n", [1, 2, 9])
def test_a_uniform_prior_has_weights_of_one(n: int) -> None:
    made = weights_of(with_weights([0.3] * n), Objective())
    assert (made.values.tolist(), made.scale) == ([1] * n, n)


def test_a_symmetric_opener_is_exact_only_below_beta() -> None:
    game = Game("one code", PegRules(2), ("11",), ("11",), np.ones(1))
    assert Solver(game).bound(Position.start(game), beta=2, guess=0) == Bound(1, 1, 0, 1)
    assert Solver(game).bound(Position.start(game), beta=1, guess=0) == Bound(1)


# Larger games, whose totals are the same in other words.


def other_ways(game: Game) -> dict[str, tuple[Solver, int]]:
    """Return solvers that go other ways to the same total, and what theirs is divided by."""
    double = Solver(game, memory=LARGE)
    double.weights = 2 * double.weights  # no longer the uniform prior
    far = replace(game, max_turns=50)
    return {
        "weights": (double, 2),
        "small table": (Solver(game, memory=SMALL), 1),
        "penalty": (Solver(far, Objective("mean", 60), memory=LARGE), 1),
        "solved": (Solver(far, Objective("solved"), memory=LARGE), 1),
        "no limit": (Solver(far, memory=LARGE), 1),
    }


WAYS = ["weights", "small table", "penalty", "solved", "no limit"]


@pytest.mark.parametrize("way", WAYS)
def test_mastermind_takes_905_guesses_of_4_pegs_in_4_colours(way: str) -> None:
    solver, times = other_ways(mastermind(4, 4))[way]
    bound = solver.bound(Position.start(solver.game))
    assert (bound.lower, bound.upper, bound.depth) == (905 * times, 905 * times, 5)


SYMMETRIC = [mastermind(3, 4), mastermind(2, 6), mastermind(3, 5), mastermind(4, 5, repeats=False)]


@pytest.mark.parametrize("turns", [1, 2, 3, 5])
@pytest.mark.parametrize(
    "game",
    [*SYMMETRIC[:2], *(pytest.param(game, marks=pytest.mark.thorough) for game in SYMMETRIC[2:])],
    ids=lambda game: game.name,
)
def test_symmetry_changes_no_total(game: Game, turns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = replace(game, max_turns=turns)
    start, last = Position.start(game), len(game.guesses) - 1
    penalties = [Objective("mean", turns + 1), Objective("mean", turns + 7)]
    for objective in (Objective(), Objective("solved"), *penalties):
        with monkeypatch.context() as patch:
            patch.setattr("sleuth.exact.symmetry.is_symmetric", lambda game: False)
            plain = Solver(game, objective, LARGE)
            totals: dict[int, Any] = {
                guess: number(plain.bound(start, guess=guess)) for guess in (0, 1, 6, 7, last)
            }
        solver = Solver(game, objective, LARGE)
        for guess, total in totals.items():
            check_total(solver.bound(start, guess=guess), total)
            if total < inf:
                check_total(solver.bound(start, guess=guess, beta=total + 1), total)
                assert solver.bound(start, guess=guess, beta=total) == Bound(total)


@given(large_games(MODES, weighted=False), st.data())
def test_totals_of_large_games_are_the_same_by_every_way(game: Game, data: st.DataObject) -> None:
    guess = data.draw(st.sampled_from([-1, *range(0, len(game.guesses), 10)]))
    expected = Solver(replace(game, max_turns=50)).bound(Position.start(game), turns=50, guess=guess)
    assume(guess < 0 or guess in Solver(game).first_bounds(Position.start(game), 2)[0])  # it tells something
    assert expected.exact
    for way, (solver, times) in other_ways(game).items():
        bound = solver.bound(Position.start(solver.game), guess=guess)
        if solver.game.max_turns > 6 or expected.depth <= game.max_turns:
            assert bound.lower == bound.upper == expected.lower * times, way
        else:
            assert bound.lower >= expected.lower * times, way


@pytest.mark.thorough
@given(large_games(MODES), st.data())
def test_sweeps_of_large_games_hold_and_come_as_far_as_one_scan_does(game: Game, data: st.DataObject) -> None:
    start, turns = Position.start(game), game.max_turns
    fresh, solver = (Solver(game, memory=LARGE) for _ in range(2))
    openers, _ = solver.first_bounds(start, turns)
    truth = [number(fresh.bound(start, guess=guess)) for guess in openers.tolist()]
    scanned = [one_scan(solver, start, guess, turns) for guess in openers[::60].tolist()]
    worst: Any = max(cost for cost in truth if cost < inf)
    # What was learned from one sweep steers the next.
    shares = st.one_of(st.floats(0.5, 1.5), st.sampled_from([0, 1, inf]))
    for share in data.draw(st.lists(shares, min_size=1, max_size=4)):
        limit = int(min(share * worst, INFINITE))
        swept = solver.sweep(start, openers, turns, limit).tolist()
        assert all(bound <= cost for bound, cost in zip(swept, truth, strict=True) if cost < inf)
        assert all(bound >= min(limit, least) for bound, least in zip(swept[::60], scanned, strict=True))
    # What was remembered on the way is right.
    assert [number(solver.bound(start, guess=guess)) for guess in openers.tolist()] == truth


@pytest.mark.parametrize("turns", [1, 2])
def test_sweeps_know_what_cannot_be_found_in_time(turns: int) -> None:
    game = mastermind(3, 6)
    swept = Solver(game, memory=LARGE).sweep(
        Position.start(game), np.arange(9, dtype=np.int32), turns, int(INFINITE)
    )
    assert swept.tolist() == [INFINITE] * 9


def test_symmetry_changes_no_total_where_not_every_answer_can_be_guessed() -> None:
    game = mastermind(3, 4)
    guesses = tuple(guess for guess in game.guesses if len(set(guess)) > 1)
    for turns in (2, 3, 6):
        some = replace(game, guesses=guesses, max_turns=turns)
        start = Position.start(some)
        for objective in (Objective(), Objective("mean", turns + 1), Objective("mean", turns + 5)):
            solver, plain = Solver(some, objective, LARGE), Solver(some, objective, LARGE)
            plain.__dict__["_symmetry"] = solver._symmetry[0], plain.no_past
            assert (len(solver._symmetry[1].orders), len(plain.no_past.orders)) == (6, 0)
            for _ in range(2):  # what is kept of the first must serve the second
                for guess in (0, 1, len(guesses) - 1):
                    assert solver.bound(start, guess=guess).lower == plain.bound(start, guess=guess).lower
                for code in np.unique(some.feedback[0]).tolist():
                    after = start.after(0, code)
                    assert solver.bound(after).lower == plain.bound(after).lower


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_sweeps_with_few_turns_and_a_penalty_hold(turns: int) -> None:
    rng = np.random.default_rng(1)
    table = rng.integers(0, 2, (30, 200))
    game = Game.from_function(
        lambda g, a: "right" if g == a else int(table[g % 30, a]), range(200), [*range(100), *range(300, 320)]
    )
    game = replace(game, max_turns=turns)
    start, openers = Position.start(game), np.arange(0, 120, 7, dtype=np.int32)
    for penalty in (turns + 1, turns + 3):
        solver = Solver(game, Objective("mean", penalty), LARGE)
        swept = solver.sweep(start, openers, turns, int(INFINITE))
        if turns < 3:
            truth = [solver.bound(start, guess=guess).lower for guess in openers.tolist()]
            fresh = Solver(game, Objective("mean", penalty), LARGE)
            assert [fresh.bound(start, guess=guess).lower for guess in openers.tolist()] == truth
            assert np.all(swept <= truth)


# Games of many turns.


def all_on_the_first(n: int) -> list[int]:
    return [1] + [0] * (n - 1)


@pytest.mark.parametrize(
    "n", [3, 100, 256, *(pytest.param(n, marks=pytest.mark.thorough) for n in (254, 255, 257, 300))]
)
def test_words_that_share_no_letter_take_a_turn_each(n: int) -> None:
    for turns in {1, 2, n - 1, n - 30, n, n + 1} - set(range(-30, 1)):
        game = disjoint(n, turns, all_on_the_first(n))
        for solver in (Solver(game, memory=LARGE), Solver(game, memory=TINY)):
            for guess in (-1, 0):
                bound = solver.bound(Position.start(game), guess=guess)
                check_total(bound, 1 if turns >= n else inf)
                assert turns < n or bound.depth == n


@pytest.mark.parametrize("depth", [1, 254, 255, 256, 65534, 65535, 65536, 10**6])
def test_depths_are_remembered_or_not_known_at_all(depth: int) -> None:
    search, key = one_bucket(), np.uint64(77)
    store(search.table, search.control, key, key, 70_000, 5, 5, depth, 2**31 - 1)
    info = probe(search.table, search.control, key, key)[2]
    assert depth_of(info) == depth if depth < 65535 else depth_of(info) > 2**20


@given(cases(), st.data())
def test_no_guess_removes_more_than_the_most(case: Case, data: st.DataObject) -> None:
    _, position = data.draw(positions(case.game))
    candidates = position.candidates.tolist()
    for guess in range(len(case.game.guesses)):
        parts = reference.classes(case.game, candidates, guess).values()
        left = [sum(not reference.is_answer(case.game, guess, a) for a in part) for part in parts]
        assert len(candidates) - max(left) <= case.solver.search.most_removed


@pytest.mark.parametrize(
    ("n", "weights"),
    [
        (410, all_on_the_first(410)),
        pytest.param(800, all_on_the_first(800), marks=pytest.mark.thorough),
        pytest.param(800, None, marks=pytest.mark.thorough),
    ],
)
def test_searches_that_go_too_deep_are_refused(n: int, weights: list[int] | None) -> None:
    game = disjoint(n, 6, weights)
    solver = Solver(replace(game, max_turns=n), memory=LARGE)
    start = Position.start(solver.game)
    for search in (
        lambda: solver.bound(start, guess=0),
        lambda: solver.best(start, 1),
        lambda: solver.beam(Frontier.of(start), 1, 1),
    ):
        with pytest.raises(SleuthError, match="follow 400 guesses in a row at most"):
            search()
    # What can be told without going deep is told.
    assert number(Solver(game, memory=LARGE).bound(start, turns=6, guess=0)) == inf
    assert not solver.stopped


def test_the_plain_search_says_where_it_goes_too_deep() -> None:
    game = disjoint(120, 120, all_on_the_first(120))
    search = PlainSearch(game, Objective())
    spot = search.spot(Position.start(game), 120)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(200)
    try:
        with pytest.raises(SleuthError, match="too many guesses follow each other"):
            search.opener(spot, 0, int(INFINITE))
    finally:
        sys.setrecursionlimit(limit)
    assert search.opener(spot, 0, int(INFINITE)) == (1, True)


def test_a_search_as_deep_as_is_allowed() -> None:
    game = disjoint(400, 400, all_on_the_first(400))
    for solver in (Solver(game, memory=LARGE), Solver(game, Objective("solved"), memory=LARGE)):
        with ThreadPoolExecutor(1) as pool:  # a thread's stack may be smaller
            bound = pool.submit(solver.bound, Position.start(game), guess=0).result()
        assert (bound.lower, bound.depth) == (1, 400)


# Failing on purpose.


def test_what_cannot_be_told_apart_is_given_up_where_that_costs_less() -> None:
    game = Game.from_function(
        lambda guess, answer: "right" if guess == answer else answer == "a3",
        ["a0", "a1", "a2", "a3"],
        ["a0", "g1"],
        max_turns=2,
    )
    solver = Solver(game, Objective("mean", 3))
    start = Position.start(game)
    assert solver.bound(start, guess=0).lower == 1 + 1 + 3 + 3
    check_total(solver.bound(start), 8)


@pytest.mark.parametrize("turns", [1, 2, 3, 7, 20, 1000])
@pytest.mark.parametrize("surplus", [1, 2, 50])
def test_what_is_never_found_costs_the_penalty_whatever_the_turns(turns: int, surplus: int) -> None:
    answers = [f"a{i}" for i in range(5)]
    game = Game.from_function(lambda g, a: "right" if g == a else a == "a1", answers, ["a0"], max_turns=turns)
    solver = Solver(game, Objective("mean", turns + surplus))
    check_total(solver.bound(Position.start(game)), 1 + 1 + 3 * (turns + surplus))
    rest = Position.start(game).after(0, game.rules.code("a0", "a4"))
    if turns > 1:
        check_total(solver.bound(rest), 3 * (turns - 1 + surplus))


# Threads, and stopping.


def openers_of(solver: Solver, guesses: list[int]) -> list[float]:
    """Return what guesses cost, by two threads at once."""
    start = Position.start(solver.game)
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda guess: number(solver.bound(start, guess=guess)), guesses))


@pytest.mark.parametrize("memory", [TINY, SMALL, LARGE])
@pytest.mark.parametrize("mode", ["easy", "strict"])
def test_threads_that_share_a_table_find_what_one_alone_finds(
    mode: Mode, memory: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solver_module, "_FIRST_BUCKETS", 4)  # so that the large table grows under way
    rng = np.random.default_rng(5)
    words = {"".join(word) for word in rng.choice(list("abcd"), (60, 4))}
    for game in (wordle(words, mode=mode), mastermind(3, 4, mode=mode)):
        guesses = rng.permutation(len(game.guesses)).tolist()[:40]
        alone = Solver(game, memory=LARGE)
        expected = [number(alone.bound(Position.start(game), guess=guess)) for guess in guesses]
        assert openers_of(Solver(game, memory=memory), guesses) == expected


def one_bucket() -> Search:
    """Return a search whose table has one bucket."""
    return Solver(mastermind(2, 2), memory=TINY).search


@pytest.mark.parametrize(
    "entries",
    [
        [(7, 7), (9, 9)],  # total known, as of most sets
        [(7, 9), (9, 7)],
        [(0, 0), (5, 5)],
        [(3, INFINITE), (4, INFINITE)],
        [(INFINITE, INFINITE), (8, 8)],
    ],
    ids=str,
)
def test_entries_of_two_sets_mixed_word_by_word_fit_neither(
    entries: list[tuple[int | np.int64, int | np.int64]],
) -> None:
    search, keys = one_bucket(), np.array([0x9E3779B97F4A7C15, 0xD1B54A32D192ED03], np.uint64)
    written = []
    for key, (lower, upper) in zip(keys, entries, strict=True):
        search.table[:] = 0
        store(search.table, search.control, key, key, 5, lower, upper, 2, 3)
        written.append(search.table[:WORDS].copy())
    for sources in product([0, 1], repeat=WORDS):
        search.table[:WORDS] = [written[source][word] for word, source in enumerate(sources)]
        for key, own in zip(keys, entries, strict=True):
            lower, upper, info = probe(search.table, search.control, key, key)
            assert info == 0 or (lower, upper) == own, sources


@njit(nogil=True)
def _hammer(search: Any, keys: NDArray[np.uint64], times: int, seed: int) -> tuple[int, int]:
    """Write and read sets of one bucket, with bounds made of their keys; return reads, and wrong ones."""
    state = np.uint64(seed)
    reads, wrong = 0, 0
    for _ in range(times):
        state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        key = keys[np.int64(state >> np.uint64(33)) % keys.size]
        value = np.int64(key >> np.uint64(40))
        if state >> np.uint64(63):
            store(search.table, search.control, key, key, value % 50, value, value, value % 7, value % 1000)
        else:
            lower, upper, info = probe(search.table, search.control, key, key)
            reads += info != 0
            wrong += info != 0 and (lower != value or upper != value)
    return reads, wrong


@pytest.mark.parametrize("times", [1_000_000, pytest.param(20_000_000, marks=pytest.mark.thorough)])
def test_threads_that_write_one_bucket_read_no_bounds_of_other_sets(times: int) -> None:
    search, threads = one_bucket(), 4
    keys = np.random.default_rng(3).integers(1, 2**64, 5, np.uint64)  # more than a bucket holds
    with ThreadPoolExecutor(threads) as pool:
        found = list(pool.map(lambda seed: _hammer(search, keys, times, seed), range(threads)))
    assert sum(wrong for _, wrong in found) == 0
    assert all(reads > 0 for reads, _ in found)


@pytest.mark.parametrize("seconds", [0, 0.002, 0.01, 0.03, 0.06])
def test_what_is_known_when_stopped_holds_and_helps(seconds: float) -> None:
    game = mastermind(4, 4)
    start, solver = Position.start(game), Solver(game, memory=LARGE)
    assert solver.search.control[0] == 0
    with ThreadPoolExecutor(1) as pool:
        search = pool.submit(solver.bound, start)
        time.sleep(seconds)
        solver.stop()
        bound = search.result(300)
    assert solver.stopped
    assert 0 < bound.lower <= 905 <= (bound.upper or 905)
    assert number(solver.bound(start, guess=3)) <= 946
    solver.resume()
    assert not solver.stopped
    check_total(solver.bound(start), 905)


# The original lists. The totals are published: Selby, "The best strategies for Wordle" (2022).


@pytest.fixture(scope="module")
def solver_of(original: Game) -> Callable[[Mode], Solver]:
    """Return the one solver of a mode."""
    return lru_cache(lambda mode: Solver(original.with_mode(mode)))


@pytest.mark.parametrize(
    ("mode", "opener", "total"),
    [
        ("easy", "salet", 7920),
        *(
            pytest.param("easy", opener, total, marks=pytest.mark.thorough)
            for opener, total in {
                "reast": 7923,
                "crate": 7926,
                "trace": 7926,
                "slate": 7928,
                "crane": 7930,
                "carle": 7937,
                "raise": 8014,
            }.items()
        ),
        pytest.param("hard", "salet", 8122, marks=pytest.mark.thorough),
        pytest.param("strict", "salet", 8125, marks=pytest.mark.thorough),
    ],
)
def test_openers_of_the_original_game(
    solver_of: Callable[[Mode], Solver], mode: Mode, opener: str, total: int
) -> None:
    solver = solver_of(mode)
    start, guess = Position.start(solver.game), solver.game.find(opener)
    bound = solver.bound(start, guess=guess)
    assert (bound.lower, bound.upper, bound.guess) == (total, total, guess)
    assert bound.depth in (5, 6)
    assert solver.bound(start, guess=guess, beta=total).upper is None


def test_sweeps_of_the_original_game_refute_no_opener_that_is_better(
    solver_of: Callable[[Mode], Solver],
) -> None:
    solver = solver_of("easy")
    totals = {"salet": 7920, "reast": 7923, "crane": 7930, "raise": 8014}
    openers = np.array([solver.game.find(opener) for opener in totals], np.int32)
    swept = Solver(solver.game, memory=LARGE).sweep(Position.start(solver.game), openers, 6, 10**6)
    assert np.all(swept <= list(totals.values()))
    assert np.all(swept > 7200)


@pytest.mark.parametrize(
    ("opener", "most"),
    [
        ("xylyl", 3),
        *(
            pytest.param(opener, None, marks=pytest.mark.thorough)
            for opener in ("xylyl", "fuzzy", "mamma", "sooey")
        ),
    ],
)
def test_one_scan_of_the_original_guesses_misses_none(
    solver_of: Callable[[Mode], Solver], opener: str, most: int | None
) -> None:
    """A scan leaves guesses out that cannot gain more, by blocks of many: all of them are counted here."""
    game = solver_of("easy").game
    solver = Solver(game, memory=LARGE)
    start, guess = Position.start(game), game.find(opener)
    for code in np.unique(game.feedback[guess]):
        after = start.after(guess, int(code))
        for some in np.array_split(after.candidates, -(-len(after.candidates) // 69))[:most]:
            if len(some) < 3:
                continue
            codes = np.sort(game.feedback[:, some], axis=1)
            told = 1 + (codes[:, 1:] != codes[:, :-1]).sum(axis=1)
            told[game.answer_guess[some]] += 1  # a candidate is found with it
            bound = solver.bound(replace(after, candidates=some), 6, 0)
            assert bound.lower == 3 * len(some) - told.max()


def test_of_guesses_that_split_many_candidates_alike_one_is_listed() -> None:
    answers = ["".join(word) for word in product("abc", repeat=4)]
    alike = [["".join((*word, *rest)) for rest in product("xy", repeat=2)] for word in product("ab", "bc")]
    game = wordle(wordlists.from_words(answers, {*answers, *chain(*alike)}))
    found = [game.guesses[bound.guess] for bound in Solver(game).best(Position.start(game), 200)]
    assert [sum(guess in found for guess in some) for some in alike] == [1, 1, 1, 1]


def test_a_long_search_stops_at_once_and_can_go_on(original: Game) -> None:
    start, solver = Position.start(original), Solver(original)
    assert len(solver.view.columns) == 12972
    with ThreadPoolExecutor(1) as pool:
        search = pool.submit(solver.bound, start)
        time.sleep(0.2)
        assert not search.done()
        solver.stop()
        bound = search.result(300)
    assert 2 * 2315 - 1 <= bound.lower <= 7920 <= (bound.upper or 7920)
    solver.resume()
    check_total(solver.bound(start, guess=original.find("salet")), 7920)
    after = start.play("raise", "bybbb")
    check_total(solver.bound(after), Solver(original).bound(after).lower)
