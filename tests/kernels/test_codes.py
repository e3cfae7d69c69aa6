"""Codes of two bytes and more: a game with letters more, always right, is played as the game without them."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sleuth
from sleuth.exact.objective import Objective
from sleuth.exact.proving import prove
from sleuth.exact.solver import Solver
from sleuth.games.frontier import Frontier
from sleuth.games.game import Game, Mode
from sleuth.games.position import Position
from sleuth.games.wordle import wordle
from sleuth.games.wordlists import from_words
from sleuth.kernels.codes import as_bytes, code_at, gather, widen
from sleuth.kernels.estimates import two_guesses
from sleuth.kernels.jit import kernel
from sleuth.kernels.partitions import BESTS, COLUMNS, bests, partitions
from sleuth.kernels.search.views import labelled
from sleuth.strategies.registry import make
from sleuth.variants.adversary.host import reply
from sleuth.variants.boards.games import evaluate as evaluate_boards
from sleuth.variants.noise.belief import NoisyPosition
from sleuth.variants.noise.channel import lies_with
from sleuth.variants.noise.strategies import NoisyInformationGain

Twins = tuple[Game, Game]


@kernel
def read(flat: Any, wide: bool, base: int, step: int, set_: Any, out: Any, whole: Any) -> np.int64:
    """Read codes in all ways there are; return the sum of those of the set, one by one."""
    gather(flat, wide, base, step, set_, out)
    widen(flat, wide, whole)
    total = np.int64(0)
    for a in set_:
        total += np.int64(code_at(flat, wide, base + step * a))
    return total


@given(st.lists(st.integers(0, 2**16 - 1), min_size=1, max_size=12), st.data())
def test_codes_are_read_back(codes: list[int], data: st.DataObject) -> None:
    wide = max(codes) > 255
    flat = as_bytes(np.array(codes, np.uint16 if wide else np.uint8))
    base = data.draw(st.integers(0, len(codes) - 1))
    step = data.draw(st.integers(1, 3))
    reach = (len(codes) - 1 - base) // step
    set_ = np.array(data.draw(st.lists(st.integers(0, reach))), np.int32)
    out, whole = np.empty(len(set_), np.uint16), np.empty(len(codes), np.uint16)
    total = read(flat, wide, base, step, set_, out, whole)
    expected = [codes[base + step * a] for a in set_.tolist()]
    assert out.tolist() == expected
    assert whole.tolist() == codes
    assert total == sum(expected)


def twin_of(game: Game, more: int = 1) -> Game:
    """Return a game with letters more, the same in all words: of one its codes are thrice those and two."""
    end = "x" * more
    words = from_words([word + end for word in game.answers], [word + end for word in game.guesses])
    twin = wordle(words, mode=game.mode).with_prior(game.prior)
    assert twin.feedback.dtype == (np.uint16 if more == 1 else np.uint32)
    assert np.array_equal(twin.feedback, 3**more * (game.feedback.astype(np.int64) + 1) - 1)
    return twin


def some_words(original: Game, step: int, prior: Callable[[int], Any] = np.ones) -> Game:
    guesses = sorted({*original.guesses[::step], *original.answers[::step]})
    game = wordle(from_words(list(original.answers[::step]), guesses))
    return game.with_prior(prior(len(game.answers)))


@pytest.fixture(scope="module", params=["uniform", "weighted"])
def twins(request: pytest.FixtureRequest, original: Game) -> Twins:
    """Return a game of a few hundred answers, more than labels can tell apart, and its twin."""
    game = some_words(original, 7, np.ones if request.param == "uniform" else lambda n: np.arange(1.0, n + 1))
    assert len(game.answers) > 255
    return game, twin_of(game)


@pytest.fixture(scope="module", params=["uniform", "weighted"])
def long_twins(request: pytest.FixtureRequest, original: Game) -> Twins:
    """Return a game whose guesses are not all answers, and one of 11 letters, whose codes take labels."""
    uniform = request.param == "uniform"
    # Weights of sum 4096, which divides them without rounding, once and again.
    game = some_words(original, 29, np.ones if uniform else lambda n: np.r_[1.0:n, 4096 - n * (n - 1) / 2])
    return game, twin_of(game, 6)


def in_mode(twins: Twins, mode: Mode) -> Twins:
    return twins[0].with_mode(mode), twins[1].with_mode(mode)


@pytest.mark.parametrize(
    "mode", ["easy", *(pytest.param(mode, marks=pytest.mark.thorough) for mode in ("hard", "strict"))]
)
@pytest.mark.parametrize(
    "strategy",
    [
        "expected-guesses",
        "information-gain",
        "alpha-fds",
        "worst-case",
        "rollout",
        "beam",
        "minimax",
        "exact",
    ],
)
def test_strategies(twins: Twins, strategy: str, mode: Mode) -> None:
    found, other = (sleuth.evaluate(strategy, game, game.guesses[5]).report for game in in_mode(twins, mode))
    assert found.turns.tolist() == other.turns.tolist()


# Those that look at marks are not among them: see docs/games.md.
@pytest.mark.parametrize(
    "mode", ["hard", *(pytest.param(mode, marks=pytest.mark.thorough) for mode in ("easy", "strict"))]
)
@pytest.mark.parametrize(
    "strategy",
    [
        "expected-guesses",
        "information-gain",
        "worst-case",
        "random",
        "rollout",
        "minimax(green=0,yellow=0,grey=0)",
        "decision-tree(green=0,yellow=0,grey=0)",
        "exact",
    ],
)
def test_strategies_by_labels(long_twins: Twins, strategy: str, mode: Mode) -> None:
    test_strategies(long_twins, strategy, mode)


@pytest.mark.parametrize("strategy", ["exact", "expected-guesses"])
def test_rankings_by_labels(long_twins: Twins, strategy: str) -> None:
    test_rankings(long_twins, strategy)


@pytest.mark.parametrize("strategy", ["exact", "expectimax", "alpha-fds"])
def test_rankings(twins: Twins, strategy: str) -> None:
    found = []
    for game in twins:
        position = Position.start(game).after(5, int(game.feedback[5, 3]))
        found.append([(row.guess[:5], row.expected_guesses) for row in make(strategy).rank(position, 5)])
    assert found[0] == found[1]


@pytest.mark.parametrize("mode", ["easy", "hard"])
def test_searches(twins: Twins, mode: Mode) -> None:
    found = []
    for game in in_mode(twins, mode):
        solver = Solver(game, Objective(), 2**22)
        start = Position.start(game)
        bounds, least = solver.first_bounds(start, 6)
        opener = int(bounds[np.argmin(least)])
        swept = solver.sweep(start, np.arange(40, dtype=np.int32), 6, 2**40)
        child = start.after(opener, int(game.feedback[opener, 0]))
        best = [(bound.guess, bound.upper, bound.depth) for bound in solver.best(child, 4)]
        found.append((opener, solver.bound(start, guess=opener), swept.tolist(), least.tolist(), best))
    assert found[0] == found[1]


@pytest.mark.parametrize("mode", ["easy", "hard", "strict"])
def test_searches_by_labels(long_twins: Twins, mode: Mode) -> None:
    test_searches(long_twins, mode)


@pytest.mark.parametrize("more", [1, 6])
def test_proofs(original: Game, more: int) -> None:
    game = some_words(original, 40)
    found = [prove(one, top=5) for one in (game, twin_of(game, more))]
    assert found[0].total == found[1].total
    assert [total for _, total in found[0].top] == [total for _, total in found[1].top]


def test_labels_tell_what_codes_tell(twins: Twins) -> None:
    solver = Solver(twins[1])
    rows = np.arange(3, 250, 2).astype(np.int32)
    view = labelled(solver.view, rows, twins[1].rules.n_codes)
    codes = solver.view.codes.view(np.uint16)[rows]
    for column in range(0, len(view.columns), 50):
        labels, meant = view.codes[:, column], codes[:, column]
        assert np.array_equal(labels[:, None] == labels, meant[:, None] == meant)
    assert np.array_equal(view.answers, solver.view.answers[rows])
    assert np.array_equal(view.own, solver.view.own[rows])


def test_what_networks_read(twins: Twins) -> None:
    found = []
    for game in twins:
        sets = Frontier.of(Position.start(game).after(5, int(game.feedback[5, 3]))).sets
        guesses = np.arange(60, dtype=np.int32)[None]
        split, best = np.empty((1, 60, COLUMNS), np.float32), np.empty((1, BESTS), np.float32)
        partitions(game.tables, sets, guesses, split)
        bests(game.tables, sets, guesses[0], best)
        few = guesses[0, :5]
        openers = two_guesses(game.tables, game.solved_label, few, few, 3, game.prior)
        found.append((split.tolist(), best.tolist(), openers.tolist()))
    assert found[0] == found[1]


def test_what_networks_read_by_labels(long_twins: Twins) -> None:
    test_what_networks_read(long_twins)


def test_boards_by_labels(long_twins: Twins) -> None:
    found = [evaluate_boards("joint-rollout", game, 2, 3).turns.tolist() for game in long_twins]
    assert found[0] == found[1]


@pytest.mark.parametrize("mode", ["easy", "hard", "strict"])
def test_hosts_by_labels(long_twins: Twins, mode: Mode) -> None:
    shown = [
        [reply(Position.start(game), guess) for guess in range(0, 200, 10)]
        for game in in_mode(long_twins, mode)
    ]
    assert [3**6 * (code + 1) - 1 for code in shown[0]] == shown[1]


def test_variants(twins: Twins) -> None:
    found = []
    for game in twins:
        boards = evaluate_boards("joint-rollout", game, 2, 3)
        host = [reply(Position.start(game), guess) for guess in range(0, 200, 50)]
        noisy = NoisyPosition.start(game, lies_with(game, 0.1))
        found.append((boards.turns.tolist(), host, NoisyInformationGain().choose(noisy)))
    assert found[0][0] == found[1][0]
    assert [3 * code + 2 for code in found[0][1]] == found[1][1]
