from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from random_games import follow, function_games, games, histories, peg_games, word_games

from sleuth.games.frontier import Children, Frontier
from sleuth.games.game import Game
from sleuth.games.pegs import mastermind
from sleuth.games.position import Position
from sleuth.games.priors import uniform
from sleuth.games.rules import FEW_PAIRS, WordleRules
from sleuth.kernels import criteria as kinds
from sleuth.kernels.choosing import best_guesses
from sleuth.kernels.classes import codes_of, count_pairs, sum_losses, weight_of
from sleuth.kernels.hashing import mix, scramble
from sleuth.kernels.jit import kernel
from sleuth.kernels.legality import allows
from sleuth.kernels.topk import insert, make_heap, place_ascending, place_descending, pop
from sleuth.kernels.types import Chain
from sleuth.support.errors import ContradictionError

Term = tuple[str, float, reference.Criterion]
CRITERIA: list[Term] = [
    ("INFORMATION", 0, reference.information),
    ("POWER", 1, reference.power(1)),
    ("POWER", -1, reference.power(-1)),
    ("POWER", -0.5, reference.power(-0.5)),
    ("POWER", 2.5, reference.power(2.5)),
    ("POWER", -3, reference.power(-3)),
    ("LARGEST", 0, reference.largest),
    ("SINGLES", 0, reference.singles),
    ("EXPECTED", 0, reference.estimate),
    ("CANDIDATE", 0, reference.candidate),
]
MARKS: list[Term] = [("VALUE", 0, reference.hints(0)), ("VALUE", 1, reference.hints(1))]


def ranked(position: Position, chain: list[Term], k: int) -> list[int]:
    """Return the k best guesses by the kernel, for a chain of (kind, parameter, twin)."""
    out = np.empty((1, k), np.int32)
    numbers = Chain(
        np.array([getattr(kinds, kind) for kind, _, _ in chain], np.int64),
        np.array([parameter for _, parameter, _ in chain], np.float64),
    )
    best_guesses(position.game.tables, Frontier.of(position).sets, numbers, out)
    return [g for g in out[0].tolist() if g >= 0]


def by_twin(position: Position, chain: list[Term]) -> list[int]:
    game = position.game
    legal = range(len(game.guesses)) if position.legal is None else position.legal.tolist()
    twins = [twin for _, _, twin in chain]
    return reference.ranking(game, position.candidates.tolist(), legal, twins, "list-order")


@pytest.mark.parametrize("few", [0, FEW_PAIRS], ids=["kernel", "numpy"])
@given(game=games(weighted=False))
def test_feedback_matrix(game: Game, few: int) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr("sleuth.games.rules.FEW_PAIRS", few)
        assert game.feedback.tolist() == reference.matrix(game)


@given(st.lists(st.text("aé𐐨", min_size=10, max_size=10), min_size=1, max_size=5, unique=True))
def test_feedback_matrix_of_the_longest_words(words: list[str]) -> None:
    game = Game("long", WordleRules(10), tuple(words), tuple(words), uniform(len(words)))
    assert game.feedback.dtype == np.uint16
    assert game.feedback.tolist() == reference.matrix(game)


@given(word_games(weighted=False), st.data())
def test_one_row_of_feedback_is_that_of_the_matrix(game: Game, data: st.DataObject) -> None:
    guess = data.draw(st.integers(0, len(game.guesses) - 1))
    alone = game.feedback_row(guess).tolist()
    assert alone == game.feedback.tolist()[guess] == game.feedback_row(guess).tolist()


@given(word_games(weighted=False))
def test_codes_of_guesses_as_answers(game: Game) -> None:
    expected = [[game.rules.code(guess, other) for other in game.guesses] for guess in game.guesses]
    assert [game.codes_as_answers(g).tolist() for g in range(len(game.guesses))] == expected
    assert game.guess_codes.tolist() == expected


@pytest.mark.parametrize("criterion", CRITERIA, ids=lambda criterion: f"{criterion[0]} {criterion[1]}")
@given(data=st.data())
def test_criterion_ranks_all_guesses(criterion: Term, data: st.DataObject) -> None:
    game = data.draw(games(("easy", "hard", "strict")))
    position = follow(game, data.draw(histories(game, most=1)))
    assert ranked(position, [criterion], len(game.guesses)) == by_twin(position, [criterion])


@pytest.mark.parametrize("criterion", MARKS, ids=["hints", "greens"])
@given(data=st.data())
def test_marks_rank_all_guesses(criterion: Term, data: st.DataObject) -> None:
    game = data.draw(st.one_of(word_games(("easy", "hard", "strict")), peg_games()))
    position = follow(game, data.draw(histories(game, most=1)))
    assert ranked(position, [criterion], len(game.guesses)) == by_twin(position, [criterion])


@given(st.data(), st.lists(st.sampled_from(CRITERIA), min_size=1, max_size=4))
def test_chains_break_ties_in_order(data: st.DataObject, chain: list[Term]) -> None:
    game = data.draw(games(("easy", "hard", "strict")))
    position = follow(game, data.draw(histories(game, most=1)))
    assert ranked(position, chain, len(game.guesses)) == by_twin(position, chain)


@given(st.data(), st.sampled_from(CRITERIA), st.booleans(), st.integers(1, 5))
def test_the_best_few_are_the_first_of_all(
    data: st.DataObject, first: Term, candidates_first: bool, k: int
) -> None:
    # One guess asked for takes short cuts, and so does a candidate in second place.
    game = data.draw(games(("easy", "strict")))
    position = follow(game, data.draw(histories(game, most=1)))
    chain = [first, ("CANDIDATE", 0, reference.candidate)] if candidates_first else [first]
    assert ranked(position, chain, k) == by_twin(position, chain)[:k]


@pytest.mark.parametrize("criterion", CRITERIA, ids=lambda criterion: f"{criterion[0]} {criterion[1]}")
@pytest.mark.parametrize("weighted", [False, True])
def test_large_sets_choose_as_small_ones_do(criterion: Term, weighted: bool) -> None:
    # Sets of more than 160 answers are scanned guess by guess; the twin takes its time for each.
    game = mastermind(4, 4)
    game = replace(game, guesses=game.guesses[::8])
    if weighted:
        game = game.with_prior(np.arange(256.0) % 7)
    position = Position.start(game)
    assert ranked(position, [criterion], 3) == by_twin(position, [criterion])[:3]


@pytest.mark.parametrize("criterion", ["INFORMATION", "EXPECTED"])
@given(data=st.data())
def test_guesses_passed_over_under_a_prior_are_worse(criterion: str, data: st.DataObject) -> None:
    # Over several blocks of guesses, from sharp priors to nearly even ones, some of the answers impossible.
    weights = np.array(data.draw(st.lists(st.integers(0, 20), min_size=8, max_size=8)), float)
    sharpness = data.draw(st.sampled_from([0.1, 1.0, 4.0]))
    prior = np.power(1.0 + np.resize(weights, 256) + np.arange(256) % 11, sharpness) * (
        np.arange(256) % 7 > 0
    )
    game = mastermind(4, 4).with_prior(prior)
    position = Position.start(replace(game, guesses=game.guesses[:96]))
    position = position.after(*data.draw(st.sampled_from([(27, 5), (27, 6), (5, 2), (0, 0)])))
    k = data.draw(st.sampled_from([1, 10]))
    chain = [term for term in CRITERIA if term[0] == criterion]
    assert ranked(position, chain, k) == by_twin(position, chain)[:k]


@given(word_games(), st.integers(0, 5))
def test_losses_are_no_more_than_what_stays_unknown(game: Game, begin: int) -> None:
    order = np.argsort(-game.prior, kind="stable").astype(np.int32)
    losses, seen = np.full(4, -1, np.float32), np.empty(4, np.uint8)
    by_answer, wide = game.tables.by_answer, game.tables.wide
    call_sum_losses(by_answer, wide, order, game.prior[order].astype(np.float32), begin, seen, losses)
    for loss, codes in zip(losses, game.feedback[begin:], strict=False):
        masses = np.bincount(codes, game.prior)
        learned = sum(-mass * np.log2(mass) for mass in masses if mass > 0)
        everything = sum(-p * np.log2(p) for p in game.prior if p > 0)
        least = sum(np.sort(game.prior[codes == code])[:-1].sum() for code in set(codes.tolist()))
        assert loss == pytest.approx(least, abs=1e-5)
        assert loss <= everything - learned + 1e-5


@given(games(("easy", "hard", "strict")), st.integers(0, 2**40), st.data())
def test_random_takes_a_candidate_where_one_can_be_guessed(
    game: Game, seed: int, data: st.DataObject
) -> None:
    position = follow(game, data.draw(histories(game, most=1)))
    found = ranked(position, [("RANDOM", seed, None)], len(game.guesses))
    named = {int(g) for g in game.answer_guess[position.candidates] if g >= 0}
    assert set(found[: len(named)]) == named


def children_of(frontier: Frontier, guesses: list[int]) -> tuple[list[dict[int, list[int]]], Children]:
    """Return [{code: answers}] for each set of a frontier, by the kernel."""
    children = frontier.after(np.array(guesses, np.int32))
    found: list[dict[int, list[int]]] = [{} for _ in guesses]
    for position, parent, code in zip(
        children.frontier.positions(), children.parent, children.codes, strict=True
    ):
        found[parent][int(code)] = position.candidates.tolist()
    return found, children


@given(games(), st.data())
def test_split(game: Game, data: st.DataObject) -> None:
    guesses = st.integers(0, len(game.guesses) - 1)
    frontier = Frontier.of(Position.start(game))
    guess = data.draw(guesses)
    once, children = children_of(frontier, [guess])
    assert once == [reference.split(game, range(len(game.answers)), guess)]
    if len(children.frontier):
        chosen = data.draw(
            st.lists(guesses, min_size=len(children.frontier), max_size=len(children.frontier))
        )
        sets = [position.candidates.tolist() for position in children.frontier.positions()]
        expected = [reference.split(game, set_, g) for set_, g in zip(sets, chosen, strict=True)]
        assert children_of(children.frontier, chosen)[0] == expected


@given(games(), st.data())
def test_split_says_which_guess_was_right(game: Game, data: st.DataObject) -> None:
    guess = data.draw(st.integers(0, len(game.guesses) - 1))
    right = Frontier.of(Position.start(game)).after(np.array([guess], np.int32)).right.tolist()
    assert right == [next((a for a in range(len(game.answers)) if reference.is_answer(game, guess, a)), -1)]


@given(word_games(("hard", "strict"), weighted=False), st.data())
def test_still_legal(game: Game, data: st.DataObject) -> None:
    guess = data.draw(st.integers(0, len(game.guesses) - 1))
    code = data.draw(st.sampled_from(game.codes_as_answers(guess).tolist()))
    try:
        after = Position.start(game).after(guess, code)
    except ContradictionError:  # the code of a guess that is no answer
        return
    assert after.legal is not None
    assert after.legal.tolist() == reference.legal_guesses(game, [(guess, code)])


@given(word_games(("hard", "strict"), weighted=False), st.data())
def test_allows(game: Game, data: st.DataObject) -> None:
    guess = data.draw(st.integers(0, len(game.guesses) - 1))
    codes = game.codes_as_answers(guess)
    code = data.draw(st.sampled_from(codes.tolist()))
    legal = reference.legal_guesses(game, [(guess, code)])
    assert [g for g, c in enumerate(codes) if allows(game.legality, guess, np.int64(code), c)] == legal


@given(word_games(("hard", "strict"), weighted=False), st.data())
def test_refined_legal_guesses_are_those_of_the_rows(game: Game, data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(game.guesses) - 1))
    children = Frontier.of(Position.start(game)).after(np.array([first], np.int32))
    for position, code in zip(children.frontier.positions(), children.codes.tolist(), strict=True):
        if len(position.candidates) > 1:
            assert position.legal.tolist() == reference.legal_guesses(game, [(first, code)])
            second = data.draw(st.sampled_from(position.legal.tolist()))
            below = Frontier.of(position).after(np.array([second], np.int32))
            for deeper, last in zip(below.frontier.positions(), below.codes.tolist(), strict=True):
                rows = [(first, code), (second, last)]
                if len(deeper.candidates) > 1:
                    assert deeper.legal.tolist() == reference.legal_guesses(game, rows)


@given(word_games(("easy", "strict")), st.data())
def test_keys_are_equal_for_equal_sets_only(game: Game, data: st.DataObject) -> None:
    guesses = data.draw(st.lists(st.integers(0, len(game.guesses) - 1), min_size=2, max_size=2))
    seen: dict[object, object] = {}
    for guess in guesses:
        frontier = Frontier.of(Position.start(game)).after(np.array([guess], np.int32)).frontier
        for position, key in zip(frontier.positions(), frontier.keys().tolist(), strict=True):
            legal = None if position.legal is None else tuple(position.legal.tolist())
            content = (tuple(position.candidates.tolist()), legal)
            assert seen.setdefault(key, content) == content
    assert len(seen) == len(set(seen.values()))


@given(function_games(), st.data())
def test_take_keeps_the_sets_asked_for_in_that_order(game: Game, data: st.DataObject) -> None:
    guess = data.draw(st.integers(0, len(game.guesses) - 1))
    frontier = Frontier.of(Position.start(game)).after(np.array([guess], np.int32)).frontier
    which = data.draw(st.lists(st.integers(0, max(0, len(frontier) - 1)), max_size=len(frontier)))
    all_ = [position.candidates.tolist() for position in frontier.positions()]
    taken = frontier.take(np.array(which, np.int64))
    assert [position.candidates.tolist() for position in taken.positions()] == [all_[i] for i in which]


# What kernels share.


def called(part: Callable[..., Any]) -> Callable[..., Any]:
    """Return a kernel that calls a part of kernels, for Python cannot."""

    @kernel
    def call(*args: Any) -> Any:
        return part(*args)

    return call


call_scramble = called(scramble)
call_weight_of, call_count_pairs = called(weight_of), called(count_pairs)
call_sum_losses = called(sum_losses)
places = ((called(place_ascending), 1), (called(place_descending), -1))


@given(st.integers(0, 2**64 - 1))
def test_hashes_are_splitmix64(x: int) -> None:
    assert int(mix(np.uint64(x))) == reference.mix(x)
    assert int(call_scramble(np.uint64(x))) == reference.mix(x * 0x9E3779B97F4A7C15 % 2**64)


def test_scrambled_numbers_are_those_of_the_published_generator() -> None:
    # The first that splitmix64 draws from the seed 0.
    assert reference.splitmix(0, 3) == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    assert [int(call_scramble(np.uint64(i + 1))) for i in range(3)] == reference.splitmix(0, 3)


@given(st.lists(st.integers(-5, 5), max_size=20), st.integers(1, 8))
def test_the_best_few_keep_what_came_first_of_equals(values: list[int], k: int) -> None:
    for place, sign in places:
        best, found = np.empty(k, np.int64), np.empty(k, np.int32)
        kept = 0
        for i, value in enumerate(values):
            if kept == k and sign * value >= sign * best[k - 1]:
                continue
            kept = min(kept + 1, k)
            at = place(best[:kept], value)
            insert(best[:kept], at, value)
            insert(found[:kept], at, i)
        expected = reference.best_few([sign * value for value in values], k)
        assert found[:kept].tolist() == expected
        assert best[:kept].tolist() == [values[i] for i in expected]


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=40), st.data())
def test_a_heap_gives_out_the_least_first(values: list[int], data: st.DataObject) -> None:
    some = data.draw(st.lists(st.integers(0, len(values) - 1), unique=True))
    worth, heap = np.array(values, np.int64), np.array(some, np.int32)
    make_heap(heap, worth, heap.size)
    assert [pop(heap, worth, size) for size in range(len(some), 0, -1)] == sorted(
        some, key=lambda i: (values[i], i)
    )


@given(games(), st.data())
def test_what_classes_share(game: Game, data: st.DataObject) -> None:
    n = len(game.answers)
    set_ = data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=min(n, 23), unique=True))
    members, tables = np.array(set_, np.int32), game.tables
    weight = sum(tables.weights[a] for a in set_) if tables.weights.size else 0
    assert call_weight_of(tables, members) == pytest.approx(weight)
    for by_answer in (False, True):
        codes = codes_of(tables, by_answer)
        flat = codes.flat.view(game.feedback.dtype)
        assert all(
            flat[g * codes.per_guess + a * codes.per_answer] == game.feedback[g, a]
            for g in range(len(game.guesses))
            for a in set_
        )
    begin = data.draw(st.integers(0, len(game.guesses) - 1))
    pairs = np.full(data.draw(st.integers(1, 5)), 77, np.uint8)
    call_count_pairs(tables.by_answer, tables.wide, members, begin, pairs)
    expected = [
        reference.equal_pairs(row[set_].tolist()) for row in game.feedback[begin : begin + pairs.size]
    ]
    assert pairs.tolist() == expected + [77] * (pairs.size - len(expected))
