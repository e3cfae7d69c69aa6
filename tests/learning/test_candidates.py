"""The candidate-set player: what its networks see, that it starts at the heuristic, learns and plays."""

import json
from collections.abc import Callable
from io import BytesIO
from itertools import pairwise
from math import log2
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command_line import Run
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from random_games import follow, games, histories
from reference import can_be_right, classes

import sleuth
from sleuth.exact.beam import Beam
from sleuth.games import wordlists
from sleuth.games.frontier import Frontier
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.games.strategy import Strategy
from sleuth.games.wordle import wordle
from sleuth.kernels.partitions import FEW
from sleuth.learning.arrays import read, unpack
from sleuth.learning.candidates import player as weights
from sleuth.learning.candidates.player import CandidateSets
from sleuth.learning.candidates.sets import (
    describe_guesses,
    describe_sets,
    join,
    ordered,
    shortlist,
    word_rows,
)
from sleuth.learning.candidates.sweeps import play, totals_of
from sleuth.learning.strategies import Learned, LearnedLetters, LearnedPairs, LearnedSearch
from sleuth.strategies.heuristics import InformationGain
from sleuth.strategies.values import totals_after
from sleuth.support.errors import SleuthError
from sleuth.testing import check_strategy
from sleuth.trees.tree import DecisionTree

TEXT = """crane trace react caret slate least stale steal tales crate cater carte later alter alert taler
    ratel salet stare tears rates aster"""
WORDS = wordlists.from_words(TEXT.split())


@pytest.fixture(scope="module")
def small() -> Game:
    return sleuth.wordle(WORDS)


@pytest.fixture(scope="module")
def untaught() -> CandidateSets:
    """Return networks as they begin, with word vectors that are not zero."""
    torch = pytest.importorskip("torch")
    from sleuth.learning.candidates.networks import Policy, Value, playing

    torch.manual_seed(1)
    return playing(Policy(), Value(), 32)


def second_level(game: Game, opener: int = 0) -> Frontier:
    """Return the sets of three and more after an opener."""
    children = Frontier.of(Position.start(game)).after(np.array([opener], np.int32)).frontier
    return children.take(np.flatnonzero(children.sizes > 2))


# What the networks see.


def partition_of(game: Game, candidates: list[int], guess: Any) -> list[float]:
    sizes = [len(members) for members in classes(game, candidates, guess).values()]
    n = len(candidates)
    buckets = (1, 2, 3, 4, 5, 7, 11, 21, 10**9)
    counts = [sum(low <= m < high for m in sizes) for low, high in pairwise(buckets)]
    bits = log2(n) - sum(m * log2(m) for m in sizes) / n
    return [bits, len(sizes), can_be_right(game, candidates, guess), max(sizes), *counts]


@given(st.data(), games())
def test_partitions_are_those_of_the_naive_twin(data: st.DataObject, game: Game) -> None:
    position = follow(game, data.draw(histories(game, most=1)))
    guesses = np.arange(-1, len(game.guesses), dtype=np.int32)[None]
    found = describe_guesses(Frontier.of(position), guesses)[0]
    assert not found[0].any()
    candidates = position.candidates.tolist()
    expected = [partition_of(game, candidates, guess) for guess in range(len(game.guesses))]
    assert np.allclose(found[1:], expected, atol=2**-16)


@given(st.data(), games())
def test_sets_are_described_by_their_best_guesses(data: st.DataObject, game: Game) -> None:
    position = follow(game, data.draw(histories(game, most=1)))
    candidates = position.candidates.tolist()
    n = len(candidates)
    own = [partition_of(game, candidates, g) for g in game.answer_guess[candidates] if g >= 0]
    every = [partition_of(game, candidates, g) for g in range(len(game.guesses))]
    found = describe_sets(Frontier.of(position))[0]
    assert found[2] * n == pytest.approx(max((p[1] for p in own), default=0))
    assert found[6] * n == pytest.approx(sum(p[1] == n for p in own))
    assert found[7] * n == pytest.approx(max(p[1] for p in every))
    to_learn = log2(max(n, 2))
    for column, partitions in ((4, own), (9, every)):
        most = max((p[1] for p in partitions), default=0)
        bits = max((p[0] for p in partitions if p[1] == most), default=0)
        assert found[column] * to_learn >= bits - 1e-4
        if n <= FEW:
            assert found[column] * to_learn <= bits + 1e-4


def test_words_are_sums_of_letters(small: Game) -> None:
    rows = word_rows(small, ["abbey"])
    assert rows.tolist() == [[0, 27, 53, 82, 128, 130, 131, 131, 134, 154]]
    assert word_rows(sleuth.mastermind(2, 3), ["11"]) is None


# What the player starts at, and how it plays.


def test_it_starts_at_information_gain(untaught: CandidateSets, original: Game) -> None:
    sets = second_level(original, original.find("salet"))
    assert np.array_equal(untaught.best(sets, 1), InformationGain().best(sets, 1))


@pytest.mark.parametrize("width", [64, 0])
def test_numpy_computes_what_torch_does(width: int, small: Game, original: Game) -> None:
    torch = pytest.importorskip("torch")
    from sleuth.learning.candidates.networks import Policy, Seen, Value, playing

    torch.manual_seed(2)
    policy, value = Policy(width), Value(width)
    with torch.no_grad():
        for parameter in [*policy.parameters(), *value.parameters()]:
            parameter += 0.1 * torch.randn(parameter.shape)  # type: ignore[misc]  # in place
    networks = playing(policy, value, 8)
    for game in (small, original, sleuth.mastermind(3, 3)):
        sets = second_level(game)
        guesses = shortlist(sets, 8)
        with torch.no_grad():
            logits, excess = policy(Seen.of(sets, guesses)), value(Seen.of(sets))
        assert np.allclose(networks.logits(sets, guesses), logits.numpy(), rtol=1e-4, atol=1e-3)
        described = describe_sets(sets)
        open_ = (described[:, 5] == 0) & (described[:, 10] == 0)
        expected = np.maximum(2 * sets.sizes - 1 + sets.sizes * excess.numpy(), 2 * sets.sizes)
        assert np.allclose(networks.values(sets)[open_], expected[open_], rtol=1e-4, atol=1e-3)


def test_values_of_sets_that_one_guess_tells_apart_are_exact(untaught: CandidateSets, original: Game) -> None:
    sets = second_level(original, original.find("salet"))
    exact = Beam().weigh(sets, 1)[1][:, 0] * sets.sizes
    described = describe_sets(sets)
    values = untaught.values(sets)
    for told in (described[:, 5] > 0, (described[:, 5] == 0) & (described[:, 10] > 0)):
        assert told.any()
        assert np.allclose(values[told], exact[told])


def test_lookahead_is_exact_where_values_are(small: Game) -> None:
    """With the true totals of the sets left, lookahead finds the true totals of guesses."""
    start = Frontier.of(Position.start(small))
    guesses = np.arange(-1, len(small.guesses), dtype=np.int32)[None]
    totals = totals_after(start, guesses, lambda sets: played(sets, InformationGain()))[0]
    assert totals[0] == np.inf
    for guess, total in zip(guesses[0, 1:].tolist(), totals[1:].tolist(), strict=True):
        tree = DecisionTree.build(InformationGain(), small, small.guesses[guess])
        assert total == tree.report().total


def played(sets: Frontier, strategy: InformationGain) -> NDArray[np.float64]:
    """Return the guesses that a strategy takes in total in each set."""
    return np.array(
        [DecisionTree.build(strategy, position.as_game()).report().total for position in sets.positions()],
        float,
    )


def test_equals_keep_their_order_and_missing_guesses_come_last() -> None:
    guesses = np.array([[7, 5, -1, 3], [-1, -1, -1, -1]], np.int32)
    worth = np.array([[1, 1 + 1e-6, 9, 2], [1, 2, 3, 4]])
    assert ordered(guesses, worth, 5).tolist() == [[3, 7, 5, -1, -1], [-1] * 5]


def test_joined_frontiers_are_one_after_the_other(original: Game) -> None:
    one, two = second_level(original, 0), second_level(original, 1)
    both = join([one, two])
    assert np.array_equal(both.keys(), np.concatenate([one.keys(), two.keys()]))


@pytest.mark.parametrize("kind", [Learned, LearnedSearch])
@pytest.mark.parametrize(
    "game", [sleuth.mastermind(3, 3), sleuth.bulls_and_cows(2)], ids=lambda game: game.name
)
def test_it_plays_games_that_it_never_learned(kind: type[Strategy], game: Game) -> None:
    check_strategy(kind(), game)


@pytest.mark.thorough
@pytest.mark.parametrize(("kind", "most"), [(Learned, 7940), (LearnedSearch, 7921)])
def test_the_shipped_player_reaches_its_bar(kind: type[Strategy], most: int, original: Game) -> None:
    """Every answer, greedy, from the empty board: under 3.43 alone, 3.4216 with search."""
    report = DecisionTree.build(kind(), original).report()
    assert report.failures == 0
    assert report.total <= most
    assert np.array_equal(report.turns, DecisionTree.build(kind(), original).turns)


def test_search_ranks_guesses_by_what_it_expects(original: Game) -> None:
    for position in (Position.start(original), Position.start(original).play("salet", "bbybb")):
        frontier = Frontier.of(position)
        found = LearnedSearch(width=8).rank(position, 20)
        assert len(found) == 8  # the network values no others
        means = [suggestion.expected_guesses for suggestion in found]
        guesses = np.array([[original.find(suggestion.guess) for suggestion in found]], np.int32)
        values = weights.load("candidates").values
        assert means == pytest.approx(totals_after(frontier, guesses, values)[0] / len(position.candidates))
        assert means == pytest.approx(sorted(means), abs=2 / 1024)
        assert original.find(found[0].guess) == LearnedSearch(width=8).choose(position)
        assert {suggestion.expected_by for suggestion in found} == {"network"}


def test_width_must_be_one_or_more() -> None:
    with pytest.raises(SleuthError, match="width must be 1 or more, not 0"):
        LearnedSearch(width=0)


# Files of weights.


def packed_file(tmp_path: Path, arrays: dict[str, NDArray[np.float32]]) -> Path:
    numpy = pytest.importorskip("safetensors.numpy")
    path = tmp_path / "some.safetensors"
    numpy.save_file(arrays, path, {"a note": "for people"})
    return path


@given(st.integers(0, 5), st.integers(0, 4))
def test_files_are_read_as_safetensors_reads_them(rows: int, columns: int) -> None:
    numpy = pytest.importorskip("safetensors.numpy")
    rng = np.random.default_rng(rows)
    arrays: dict[str, NDArray[Any]] = {
        "a": rng.standard_normal((rows, columns), np.float32),
        "b": rng.standard_normal(columns).astype(np.float16),
    }
    found = unpack(numpy.save(arrays, {"a note": "for people"}), "some")
    assert found.keys() == arrays.keys()
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        assert np.array_equal(found[name], array)


@pytest.mark.parametrize(
    "content", [b"", b"\xff" * 8, b"\x02" + bytes(7) + b"[]", b"\x02" + bytes(7) + b'{"a', bytes(100)]
)
def test_broken_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.safetensors"
    path.write_bytes(content)
    with pytest.raises(SleuthError, match="no safetensors file|lack policy"):
        weights.load(str(path))


def test_weights_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    path = packed_file(tmp_path, {"shortlist": np.full(1, np.nan, np.float32)})
    with pytest.raises(SleuthError, match="shortlist is not all finite"):
        weights.load(str(path))


def some_weights(player: str) -> dict[str, NDArray[np.float32]]:
    return read(player, player)


SMALL = wordle(["crane", "trace", "react", "caret", "slate", "stale", "least", "steal"])


PLAYERS = {"candidates": Learned, "document_003": LearnedLetters, "letter_pairs": LearnedPairs}


def plays(path: Path, player: str) -> bool:
    """Say whether weights play a game: guesses of it, or a SleuthError."""
    strategy = PLAYERS[player](str(path))
    try:
        guess = strategy.choose(Position.start(SMALL))
    except SleuthError:
        return False
    assert 0 <= guess < len(SMALL.guesses)
    return True


@pytest.mark.parametrize("player", PLAYERS)
def test_arrays_of_other_names_shapes_and_sizes_are_refused(tmp_path: Path, player: str) -> None:
    whole = some_weights(player)
    assert plays(packed_file(tmp_path, whole), player)
    changes: list[Callable[[NDArray[Any]], NDArray[Any]]] = [
        lambda a: a.ravel()[:-1],
        lambda a: np.full_like(a, np.finfo(np.float32).max),
    ]
    for number, (name, array) in enumerate(whole.items()):
        rest = {key: value for key, value in whole.items() if key != name}
        others = [rest, {**rest, f"{name}x": array}, *({**rest, name: edit(array)} for edit in changes)]
        others += [{**rest, name: array.ravel()}] if array.ndim > 1 else [{**rest, name: array[None]}]
        for which, arrays in enumerate(others):
            (tmp_path / f"{number}-{which}").mkdir()
            assert not plays(packed_file(tmp_path / f"{number}-{which}", arrays), player), (name, which)


@pytest.mark.parametrize("nested", [b"[" * 5000, b'{"a":' * 5000, b"[" * 5000 + b"]" * 5000])
def test_headers_that_are_nested_too_deeply_are_refused(nested: bytes) -> None:
    with pytest.raises(SleuthError, match="no safetensors file"):
        unpack(len(nested).to_bytes(8, "little") + nested, "some")


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.filterwarnings("error")
def test_bits_that_flip_in_weights_are_found_or_do_no_harm(tmp_path: Path, player: str) -> None:
    data = packed_file(tmp_path, some_weights(player)).read_bytes()
    header, rng = 8 + int.from_bytes(data[:8], "little"), np.random.default_rng(0)
    played = 0
    for number in range(80):
        broken = bytearray(data)
        broken[int(rng.integers(header if number % 4 else len(data)))] ^= 1 << int(rng.integers(8))
        path = tmp_path / f"{number}.safetensors"
        path.write_bytes(broken)
        played += plays(path, player)
        path.unlink()
    assert 8 < played < 72


def test_other_weights_and_unknown_names_are_refused(tmp_path: Path) -> None:
    path = packed_file(tmp_path, {"something": np.zeros(3, np.float32)})
    with pytest.raises(SleuthError, match=r"lack policy\., value\., shortlist"):
        weights.load(str(path))
    with pytest.raises(SleuthError, match="No such file .* a file, the folder of a run, or candidates"):
        weights.load("candidate")


@pytest.mark.parametrize("width", [64, 0])
def test_what_was_learned_plays_from_its_file(tmp_path: Path, small: Game, width: int) -> None:
    torch = pytest.importorskip("torch")
    from sleuth.learning.candidates.networks import Policy, Value, packed, playing

    torch.manual_seed(3)
    policy, value = Policy(width), Value(width)
    path = packed_file(tmp_path, packed(policy, value, 16))
    sets = second_level(small)
    networks = playing(policy, value, 16)
    path.rename(path.with_name("weights.safetensors"))
    path = path.parent  # as the folder of a run
    assert np.array_equal(Learned(str(path)).best(sets, 4), networks.best(sets, 4))
    assert np.array_equal(LearnedSearch(str(path)).best(sets, 4), networks.weigh(sets, 4, 10)[0])


# Learning.

QUICK = {
    "shortlist": 16,
    "width": 16,
    "hidden": 16,
    "openers": 4,
    "updates": 20,
    "batch": 32,
    "value_batch": 64,
}


def learner(kind: str, game: Game, seed: int = 0, **changes: Any) -> Any:
    pytest.importorskip("torch")
    from sleuth.learning.candidates import expert_iteration, imitation, self_play

    build = {
        "imitation": imitation.build,
        "expert-iteration": expert_iteration.build,
        "self-play": self_play.build,
    }
    return build[kind]({**QUICK, **changes}, game, seed, "cpu")


@pytest.fixture(scope="module")
def some(original: Game) -> Game:
    """Return a game of 150 answers of the original list, learned in seconds."""
    return sleuth.wordle(wordlists.from_words(list(original.answers[::15])))


@pytest.mark.parametrize(
    ("kind", "steps"),
    [
        ("imitation", 4),
        pytest.param("expert-iteration", 6, marks=pytest.mark.thorough),
        pytest.param("self-play", 24, marks=pytest.mark.thorough),
    ],
)
def test_it_learns_a_small_game_in_seconds(kind: str, steps: int, some: Game) -> None:
    one = learner(kind, some)
    before = one.evaluate()
    for _ in range(steps):
        metrics = one.step()
    after = one.evaluate()
    assert after["failures"] == 0
    assert after["total"] <= before["total"]
    assert after["search_total"] <= before["search_total"]
    assert all(np.isfinite(value) for value in metrics.values())


def through_a_file(state: dict[str, Any]) -> dict[str, Any]:
    """Return a state as a checkpoint gives it back: plain values and tensors only."""
    import torch

    file = BytesIO()
    torch.save(state, file)
    file.seek(0)
    return torch.load(file, weights_only=True)


@pytest.mark.parametrize("kind", ["imitation", "expert-iteration", "self-play"])
def test_going_on_is_as_never_having_stopped(kind: str, small: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = learner(kind, small, updates=5), learner(kind, small, seed=5, updates=5)
    if kind == "imitation":
        # The bounds that beam search remembers make it better as it goes on: not the same twice.
        for each in (one, other):
            monkeypatch.setattr(each, "_beam", lambda sets: 3.0 * sets.sizes, raising=True)
    one.step()
    other.load_state_dict(through_a_file(one.state_dict()))
    for _ in range(2):
        assert one.step() == other.step()
    for name, array in one.weights().items():
        assert np.array_equal(array, other.weights()[name])


def test_answers_held_out_are_never_seen(some: Game) -> None:
    one = learner("imitation", some, folds=5, fold=1)
    assert len(one.unseen) == len(some.answers) // 5
    unseen = {some.answers[a] for a in one.unseen}
    one.step()
    assert not unseen & set(one.school.answers)
    assert one.lessons.sets.game is one.school
    assert {"mean_seen", "mean_unseen", "search_mean_unseen"} <= set(one.evaluate())


def test_games_add_up_to_the_totals_of_their_sets(some: Game) -> None:
    start = Frontier.of(Position.start(some))
    strategy = InformationGain()
    levels = play(start, np.array([3, 40], np.int32), strategy.choose_all)
    assert len(levels) >= 2
    for level, totals in zip(levels, totals_of(levels), strict=True):
        assert totals.tolist() == played(level.sets, strategy).tolist()


def test_self_play_learns_from_what_its_guesses_came_to(some: Game) -> None:
    """What a guess took is what the same guesses, played again by themselves, take."""
    one = learner("self-play", some, own=3, openers=2)
    one.teach()
    drawn = one.drawn
    sets, rows = drawn.lessons.sets, np.arange(len(drawn.column))
    made = drawn.lessons.guesses[rows, drawn.column]
    took = drawn.lessons.totals[rows, drawn.column]
    known = dict(zip(sets.keys().tolist(), took.tolist(), strict=True))
    assert sets.sizes[:3].tolist() == [len(some.answers)] * 3
    assert np.isfinite(took).all()
    assert (drawn.chance <= 0).all()
    # Sets that came up once: what the guess took is what the sets below it did.
    once = [s for s in range(3, len(rows)) if (sets.keys() == sets.keys()[s]).sum() == 1][:40]
    assert once
    for s in once:
        left = sets.take(np.array([s])).after(made[s : s + 1]).frontier
        keys = left.keys().tolist()
        if all(n <= 2 or keys.count(k) == 1 for n, k in zip(left.sizes, keys, strict=True)):
            below = [known[k] if n > 2 else 2 * n - 1 for n, k in zip(left.sizes, keys, strict=True)]
            if all((sets.keys() == np.uint64(k)).sum() <= 1 for k in keys):
                assert took[s] == sets.sizes[s] + sum(below)


def test_guesses_that_took_less_become_likelier(some: Game) -> None:
    torch = pytest.importorskip("torch")
    one = learner("self-play", some, entropy=0.0)
    one.teach()
    drawn = one.drawn
    rows = np.arange(len(drawn.column))

    def gain() -> float:
        with torch.no_grad():
            logs = one.policy(drawn.lessons.seen("cpu")).log_softmax(dim=1).numpy()
        return float(((logs[rows, drawn.column] - drawn.chance) * drawn.advantage)[3:].mean())

    assert abs(gain()) < 1e-5
    for _ in range(20):
        one._update()
    assert gain() > 0


def test_unknown_totals_count_as_the_worst() -> None:
    torch = pytest.importorskip("torch")
    from sleuth.learning.candidates.imitation import policy_losses

    logits = torch.zeros(1, 4)
    logits[0, 3] = -torch.inf
    regret, imitation = policy_losses(logits, torch.tensor([[10.0, 12.0, torch.inf, torch.inf]]), 0.1)
    assert regret.item() == pytest.approx((0 + 2 + 2) / 3)
    assert imitation.item() == pytest.approx(np.log(3), abs=1e-3)


@pytest.mark.parametrize(
    ("kind", "table", "problem"),
    [
        ("imitation", {"openers": 0}, "openers must be 1 or more, not 0"),
        ("imitation", {"folds": 1}, "folds must be 2 or more"),
        ("imitation", {"folds": 5, "fold": 5}, "fold must be from 0 to less than folds, 5"),
        ("imitation", {"width": -1}, "width must be 0 or more"),
        ("imitation", {"width": 1.5}, "takes a value of type int"),
        ("expert_iteration", {"explored": 2}, "explored must be from 0 to 1"),
        ("expert_iteration", {"surched": 2}, "did you mean searched"),
        ("self_play", {"own": 1}, "own must be 2 or more"),
        ("self_play", {"clip": 1.0}, "clip must be more than 0 and less than 1"),
        ("self_play", {"entropy": -0.1}, "entropy must be 0 or more"),
    ],
)
def test_bad_hyperparameters_are_named(kind: str, table: dict[str, float], problem: str, small: Game) -> None:
    pytest.importorskip("torch")
    from importlib import import_module

    with pytest.raises(SleuthError, match=problem):
        import_module(f"sleuth.learning.candidates.{kind}").build(table, small, 0, "cpu")


def test_it_learns_easy_mode_only(small: Game) -> None:
    with pytest.raises(SleuthError, match="learns in easy mode"):
        learner("imitation", small.with_mode("hard"))


@pytest.mark.smoke
def test_sleuth_evaluates_it(run: Run) -> None:
    code, out, _ = run("evaluate", "learned", "--json")
    assert code == 0
    found = json.loads(out)
    assert found["failures"] == 0
    assert found["total"] <= 7940
