"""Games whose feedback memory has no room for at once: played by parts, advised by samples."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from command_line import Run, json_of
from numpy.typing import NDArray

import sleuth
from sleuth.coaching.advice import advise
from sleuth.coaching.difficulty.difficulty import difficulty
from sleuth.coaching.weighing.suggestions import suggested
from sleuth.games.frontier import Frontier
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.games.strategy import Suggestion, rank
from sleuth.strategies import heuristics, sampling
from sleuth.strategies.heuristics import ExpectedGuesses, best_of_many
from sleuth.strategies.sampling import sampled_best
from sleuth.support.errors import GameTooLargeError, Interrupted, SleuthError, StrategyError
from sleuth.trees.growing import Unfinished, turns_of
from sleuth.trees.tree import DecisionTree

MEMORY = "100K"
"""Less than the feedback of WORDS takes, and so little that the largest sets are split first."""
ORIGINAL = sleuth.wordle("original").answers
WORDS = ORIGINAL[::6]


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> Game:
    monkeypatch.setenv("SLEUTH_MEMORY", MEMORY)
    # By another name, so that no cache serves one for the other.
    game = replace(sleuth.wordle(WORDS), name="wordle (large)")
    assert game.is_large
    assert game.room < 40
    return game


@pytest.fixture(scope="module")
def whole() -> Game:
    game = sleuth.wordle(WORDS)
    assert not game.is_large
    assert len(game.feedback) == len(WORDS)
    return game


def numbers(suggestions: Iterable[Suggestion]) -> list[tuple[str, float]]:
    """Return what suggestions take: their order among equals may follow from what was searched before."""
    return [(one.kind, round(one.expected_guesses, 9)) for one in suggestions]


@pytest.mark.parametrize(
    ("name", "weighted"),
    [
        ("information-gain", True),
        ("worst-case", False),
        *(
            pytest.param(*given, marks=pytest.mark.thorough)
            for given in (
                ("information-gain", False),
                ("alpha", True),
                ("alpha", False),
                ("worst-case", True),
            )
        ),
    ],
)
def test_trees_of_heuristics_are_those_of_whole_games(
    name: str, weighted: bool, whole: Game, large: Game
) -> None:
    weights = np.arange(1.0, len(WORDS) + 1) if weighted else np.ones(len(WORDS))
    ours = DecisionTree.build(sleuth.make(name), large.with_prior(weights))
    theirs = DecisionTree.build(sleuth.make(name), whole.with_prior(weights))
    assert (ours.guess.tolist(), ours.parent.tolist()) == (theirs.guess.tolist(), theirs.parent.tolist())
    assert ours.code.tolist() == theirs.code.tolist()
    again = DecisionTree(ours.game, ours.guess, ours.parent, ours.code)
    assert ours.turns.tolist() == theirs.turns.tolist() == again.turns.tolist()


@pytest.mark.parametrize("name", ["beam", "rollout", "exact"])
def test_others_play_by_parts(name: str, large: Game) -> None:
    tree = DecisionTree.build(sleuth.make(name), large, opener=WORDS[0])
    assert (tree.opener, tree.turns.min()) == (WORDS[0], 1)
    assert tree.turns.max() <= 6


def test_a_split_by_rows_is_that_of_the_matrix(whole: Game, large: Game) -> None:
    guesses = np.array([5], np.int32)
    ours = Frontier.of(Position.start(large)).after(guesses)
    theirs = Frontier.of(Position.start(whole)).after(guesses)
    assert ours.right.tolist() == theirs.right.tolist() == [5]
    for name in ("parent", "codes"):
        assert getattr(ours, name).tolist() == getattr(theirs, name).tolist()
    for name in ("starts", "candidates", "rows"):
        assert getattr(ours.frontier, name).tolist() == getattr(theirs.frontier, name).tolist()


def test_a_lone_answer_that_no_guess_names_is_found_by_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    made = sleuth.wordle(["aaa", "aab", "bbb"]).with_answers(["aab", "abb", "ccc"], np.ones(3))
    theirs = Frontier.of(Position.start(made)).after(np.array([0], np.int32)).frontier
    monkeypatch.setenv("SLEUTH_MEMORY", "1")
    again = sleuth.wordle(["aaa", "aab", "bbb"]).with_answers(["aab", "abb", "ccc"], np.ones(3))
    ours = Frontier.of(Position.start(again)).after(np.array([0], np.int32)).frontier
    assert again.is_large
    assert ours.candidates.tolist() == theirs.candidates.tolist()


@pytest.mark.parametrize("k", [1, 5, 40])
def test_the_best_of_many_are_the_best(k: int, whole: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heuristics, "_TILE", 20_000)
    start, every = Position.start(whole), np.arange(len(WORDS), dtype=np.int32)
    found = best_of_many(ExpectedGuesses(), start, every, k)
    assert found.tolist() == ExpectedGuesses().best(Frontier.of(start), k)[0].tolist()
    few = best_of_many(ExpectedGuesses(), start, every[:3], 5)
    assert sorted(few.tolist()) == [-1, -1, 0, 1, 2]


@pytest.mark.parametrize("weights", [np.ones(len(ORIGINAL)), np.arange(1.0, len(ORIGINAL) + 1)])
def test_a_sample_finds_guesses_nearly_as_good_as_the_best(
    weights: NDArray[np.float64], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampling, "_PAIRS", 2**18)
    monkeypatch.setattr(sampling, "_KEPT", 32)
    start = Position.start(sleuth.wordle(ORIGINAL).with_prior(weights))
    best = ExpectedGuesses().best(Frontier.of(start), 300)[0].tolist()
    found = sampled_best(start, 3).tolist()
    assert best.index(found[0]) < 10
    assert [best.index(guess) for guess in found] == sorted(best.index(guess) for guess in found)


def test_advice_on_large_lists_says_that_it_is_sampled(whole: Game, large: Game) -> None:
    start = advise(Position.start(large), 3)
    assert start.sampled
    assert start.to_json()["sampled"]
    known = {one.guess: one for one in rank(ExpectedGuesses(), Position.start(whole), len(WORDS))}
    assert all(known[one.guess] == one for one in start.suggestions)
    guess = start.suggestions[0].guess
    rows = [(guess, "bbbbg"), (guess, "bybbb")]
    for row in rows:
        ours, theirs = (Position.after_rows(game, [row]) for game in (large, whole))
        if len(ours.candidates) > large.room:
            continue
        assert not advise(ours).sampled
        assert numbers(advise(ours).suggestions) == numbers(advise(theirs).suggestions)
        assert numbers(suggested(ours).suggestions) == numbers(suggested(theirs).suggestions)
        beam = sleuth.make("beam")
        assert numbers(rank(beam, ours, 3)) == numbers(rank(beam, theirs, 3))


def test_positions_in_hard_mode_are_advised_alone(whole: Game, large: Game) -> None:
    row = WORDS[10], "bbbyb"
    ours, theirs = (Position.after_rows(game.with_mode("hard"), [row]) for game in (large, whole))
    assert 2 < len(ours.candidates) <= 30
    assert numbers(advise(ours).suggestions) == numbers(advise(theirs).suggestions)


def test_whole_trees_in_hard_mode_are_refused_in_one_line(large: Game) -> None:
    with pytest.raises(GameTooLargeError, match="too many to play all in hard mode; play easy mode, or use"):
        sleuth.evaluate("information-gain", large.with_mode("hard"))


def test_some_answers_take_as_long_as_in_the_whole_tree(whole: Game, large: Game) -> None:
    player, some = sleuth.make("information-gain"), np.array([3, 99, 200], np.int32)
    known = DecisionTree.build(player, whole).turns
    for game in (whole, large):
        assert turns_of(player, game, some).tolist() == known[some].tolist()


def test_difficulty_of_a_sample(whole: Game, large: Game) -> None:
    everything, some = difficulty(whole, seconds=0, games=1), difficulty(large, seconds=0, sample=50, games=1)
    assert (len(some.game.answers), some.drawn_of) == (50, len(WORDS))
    assert some.to_json()["drawn_of"] == len(WORDS)
    known = dict(zip(WORDS, everything.players[1].guesses.tolist(), strict=True))
    assert some.players[1].guesses.tolist() == [known[word] for word in some.game.answers]
    assert some.families == everything.families
    assert difficulty(whole, seconds=0, sample=10**6, games=1).drawn_of == 0
    with pytest.raises(SleuthError, match="does not go with a sample"):
        difficulty(whole, sample=5, adversary=True)
    with pytest.raises(SleuthError, match="sample must be 1 or more, not 0"):
        difficulty(whole, sample=0)


class Stopped:
    """Plays the first candidate until it has chosen so often; then Ctrl-C comes."""

    name = "stopped"

    def __init__(self, after: int) -> None:
        self.left = after

    def choose(self, position: Position) -> int:
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        return int(position.game.answer_guess[position.candidates[0]])


@pytest.mark.parametrize("after", [3, *(pytest.param(n, marks=pytest.mark.thorough) for n in (0, 100, 250))])
def test_what_is_known_at_ctrl_c(after: int, large: Game) -> None:
    total = DecisionTree.build(Stopped(10**6), large).report().total
    with pytest.raises(Interrupted) as stopped:
        DecisionTree.build(Stopped(after), large)
    known = stopped.value.known
    assert isinstance(known, Unfinished)
    assert known.answers == len(WORDS)
    assert known.found <= after
    assert known.total <= total


def test_who_never_tells_anything_is_stopped(large: Game) -> None:
    def first(position: Position) -> int:
        return 0

    with pytest.raises(StrategyError, match="does not find"):
        sleuth.evaluate(first, large)


def test_the_command_line_says_so(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLEUTH_MEMORY", MEMORY)
    path = tmp_path / "words.txt"
    path.write_text("\n".join(WORDS))
    code, out, _ = run("suggest", "--answers", path)
    assert code == 0
    assert "sample of the candidates" in " ".join(out.split())
    sampled = "difficulty", path, "--sample", 20, "--seconds", 0
    assert json_of(run(*sampled, "--json"))["drawn_of"] == len(WORDS)
    code, _, err = run(*sampled, "--add", "zzzzz")
    assert code == 2
    assert "--sample does not go with --add" in err
