"""Guesses that cost the same after others, against every renaming and order; totals by plain recursion."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import permutations, product
from weakref import WeakKeyDictionary

import numpy as np
import pytest
import reference
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st
from random_games import follow, histories

from sleuth.exact import symmetry
from sleuth.exact.objective import Objective
from sleuth.exact.solver import Solver
from sleuth.exact.symmetry import moves_of
from sleuth.games.game import Game
from sleuth.games.pegs import bulls_and_cows, mastermind
from sleuth.games.position import Position
from sleuth.games.rules import PegRules
from sleuth.kernels.search.alike import firsts_after, then
from sleuth.kernels.search.records import INFINITE

GAMES = [
    mastermind(2, 3),
    mastermind(3, 3),
    mastermind(2, 5),
    mastermind(3, 4, repeats=False),
    mastermind(4, 2),
    mastermind(2, 3, black=True),
    mastermind(3, 3, black=True),
    mastermind(3, 4, repeats=False, black=True),
]
FEW_CODES = [
    mastermind(2, 3),
    mastermind(2, 4),
    mastermind(3, 2),
    mastermind(2, 3, black=True),
    mastermind(3, 2, black=True),
    mastermind(2, 4, repeats=False, black=True),
]
Move = Callable[[str], str]


def all_moves(game: Game) -> Iterator[Move]:
    """Yield every order of places with every renaming; with black pegs and repeats of each place apart."""
    symbols = sorted({symbol for guess in game.guesses for symbol in guess})
    places = range(len(game.guesses[0]))
    renamings = [dict(zip(symbols, names, strict=True)) for names in permutations(symbols)]
    assert isinstance(game.rules, PegRules)
    repeats = len(game.guesses) == len(symbols) ** len(places)
    if game.rules.black and repeats:
        ways = list(product(renamings, repeat=len(places)))
    else:
        ways = [(names,) * len(places) for names in renamings]
    for order in permutations(places):
        for way in ways:
            yield one_move(order, way)


def one_move(order: tuple[int, ...], way: tuple[dict[str, str], ...]) -> Move:
    return lambda word: "".join(names[word[place]] for place, names in zip(order, way, strict=True))


def firsts(game: Game, guesses: list[int]) -> list[bool]:
    """Return what firsts_after says of all guesses."""
    moves, past = moves_of(game)
    for guess in guesses:
        past = then(moves, past, guess)
    found: list[bool] = firsts_after(moves, past, np.arange(len(game.guesses), dtype=np.int32)).tolist()
    return found


@given(st.sampled_from(GAMES), st.data())
def test_firsts_are_those_of_every_move(game: Game, data: st.DataObject) -> None:
    made = data.draw(st.lists(st.integers(0, len(game.guesses) - 1), max_size=3))
    stay = [move for move in all_moves(game) if all(move(game.guesses[g]) == game.guesses[g] for g in made)]
    expected = [
        min(game.guess_index[move(guess)] for move in stay) == g for g, guess in enumerate(game.guesses)
    ]
    assert firsts(game, made) == expected


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_moves_keep_feedback(game: Game) -> None:
    """What the twin above takes for granted."""
    for move in all_moves(game):
        for guess, answer in zip(game.guesses, reversed(game.answers), strict=True):
            assert game.rules.code(move(guess), move(answer)) == game.rules.code(guess, answer)


@st.composite
def peg_games(draw: st.DrawFn, games: list[Game]) -> Game:
    """Games of pegs whole, or with some of the guesses and answers, in which some symmetry may be left."""
    game = draw(st.sampled_from(games))
    kinds = st.sampled_from(["all", "repeats", "different", "without 1", "some"])
    guesses, answers = set(game.guesses), set(game.answers)
    for words in (guesses, answers):
        kept = draw(kinds)
        if kept == "some":
            words &= set(draw(st.lists(st.sampled_from(game.guesses), min_size=2, unique=True)))
        elif kept == "without 1":
            words -= {word for word in words if "1" in word}
        elif kept != "all":
            words -= {word for word in words if (len(set(word)) == len(word)) == (kept == "repeats")}
    assume(guesses and answers)
    answers = tuple(sorted(answers))
    prior = np.full(len(answers), 1 / len(answers))
    turns = draw(st.integers(2, 6))
    return replace(game, guesses=tuple(sorted(guesses)), answers=answers, prior=prior, max_turns=turns)


@pytest.mark.parametrize(
    "games",
    [FEW_CODES, pytest.param(GAMES[:3] + GAMES[5:], marks=pytest.mark.thorough)],
    ids=["few codes", "more"],
)
@settings(phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(data=st.data())
def test_totals_are_those_of_trying_everything(games: list[Game], data: st.DataObject) -> None:
    game = data.draw(peg_games(games))
    objective = data.draw(st.sampled_from([Objective(), Objective("solved"), Objective("mean", 9)]))
    solver = Solver(game, objective)
    leftover = solver.leftover if objective.kind == "solved" else None
    play = reference.ExactPlay(game, solver.weights.tolist(), objective.penalty, leftover)
    for _ in range(2):  # what is remembered of one position must fit the next
        rows = data.draw(histories(game, most=2))
        position = follow(game, rows)
        (total, _), ways = play.after(rows, solver.turns_left(position))
        lower = solver.bound(position).lower
        assert lower == total if total < INFINITE else lower >= INFINITE
        telling = [g for g in ways if len(reference.classes(game, position.candidates.tolist(), g)) > 1]
        for guess in telling[:3]:
            cost, found = ways[guess][0], solver.bound(position, guess=guess).lower
            assert found == cost if cost < INFINITE else found >= INFINITE


def test_what_is_possible_goes_before_the_rows() -> None:
    """Candidates that do not follow from the rows have no symmetry: a guess of each kind is not enough."""
    game = mastermind(3, 4)
    solver, plain = Solver(game), Solver(game)
    plain.__dict__["_symmetry"] = moves_of(game)[0], plain.no_past
    rng = np.random.default_rng(4)
    for _ in range(20):
        some = np.sort(rng.permutation(len(game.answers))[:20]).astype(np.int32)
        for rows in ((), ((0, 0),)):
            position = Position(game, some, None, 1 + len(rows), rows=rows)
            assert solver.bound(position).lower == plain.bound(position).lower


@pytest.mark.parametrize(
    "game",
    [
        mastermind(2, 3).with_prior(np.arange(9, dtype=float) + 1.0),
        replace(mastermind(2, 3), guesses=mastermind(2, 3).guesses[1:]),
        replace(mastermind(2, 3), guesses=tuple(g for g in mastermind(2, 3).guesses if "3" not in g)),
    ],
    ids=["prior", "guesses", "a symbol that no guess has"],
)
def test_games_without_symmetry(game: Game) -> None:
    assert len(moves_of(game)[1].orders) == 0
    assert all(firsts(game, []))


def test_orders_are_left_out_where_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    game = mastermind(3, 3)
    monkeypatch.setattr(symmetry, "_PLACES", 2)
    monkeypatch.setattr(symmetry, "_MOVES", WeakKeyDictionary())  # what is known of other places is forgotten
    found = [game.guesses[g] for g, first in enumerate(firsts(game, [])) if first]
    assert found == ["111", "112", "121", "122", "123"]
    assert Solver(game).bound(Position.start(game)).lower == 73


def test_bulls_and_cows_have_one_opener_and_five_second_guesses_of_two_digits() -> None:
    game = bulls_and_cows(2)
    assert sum(firsts(game, [])) == 1
    after = firsts(game, [game.guess_index["01"]])
    # Both digits in either order, one of them in its place or in the other one, and none.
    found = [guess for guess, first in zip(game.guesses, after, strict=True) if first]
    assert found == ["01", "02", "10", "12", "23"]
