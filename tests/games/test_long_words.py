"""Words of 11 to 15 letters, whose kinds of feedback are more than two bytes hold."""

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from long_words import some_words
from random_games import LONG, word_games

import sleuth
from sleuth.games import rules
from sleuth.games.feedback import MarkNotation, wordle_marks
from sleuth.games.frontier import Frontier
from sleuth.games.game import Game, Mode
from sleuth.games.labels import MOST_LABELS, Labels
from sleuth.games.position import Position
from sleuth.games.wordle import wordle
from sleuth.games.wordlists import from_words
from sleuth.strategies.registry import make
from sleuth.support.errors import ContradictionError, FeedbackError, SleuthError, StrategyError
from sleuth.testing import check_game, check_strategy
from sleuth.variants.noise.channel import fibble


@pytest.fixture(scope="module", params=[11, *(pytest.param(n, marks=pytest.mark.thorough) for n in (13, 15))])
def game(request: pytest.FixtureRequest) -> Game:
    return wordle(from_words(some_words(60, request.param)[::2], some_words(60, request.param)))


@given(word_games(letters=LONG))
def test_feedback_is_that_of_the_letters(game: Game) -> None:
    for g, guess in enumerate(game.guesses):
        for a, answer in enumerate(game.answers):
            code = int(game.feedback[g, a])
            assert MarkNotation(len(guess)).marks(code) == wordle_marks(guess, answer)
            assert game.rules.notation.parse(game.rules.notation.show(code)) == code
            assert (code == game.solved) == (guess == answer)


@given(word_games(["easy", "hard", "strict"], letters=LONG))
def test_labels_stand_for_codes(game: Game) -> None:
    guesses = np.arange(len(game.guesses))[:, None]
    assert np.array_equal(game.codes_of(guesses, game.labels.astype(np.int32)), game.feedback)
    assert np.array_equal(game.labels == game.solved_label, game.feedback == game.solved)
    assert game.labels.max() < game.n_labels <= len(game.guesses) + 1
    if game.mode != "easy":
        as_answers = game.guess_labels.astype(np.int32)
        assert np.array_equal(game.codes_of(guesses, as_answers), game.guess_codes)


def test_kernels_and_numpy_give_the_same_feedback(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "FEW_PAIRS", 0)
    assert np.array_equal(game.rules.codes(game.guesses, game.answers), game.feedback)


def test_long_games_conform(game: Game) -> None:
    check_game(game)
    check_strategy(make("information-gain"), game)


def test_labels_wherever_the_right_code_stands() -> None:
    codes = np.array([[7, 3, 9, 7], [2, 3, 3, 100_000]], np.uint32)
    found = Labels.of(codes, 3)
    assert np.array_equal(np.take_along_axis(found.codes, found.labels.astype(np.int64), 1), codes)
    assert np.array_equal(found.labels == 2, codes == 3)
    assert found.labels.dtype == np.uint8
    assert found.codes.tolist() == [[7, 9, 3], [2, 100_000, 3]]
    most = Labels.of(np.arange(MOST_LABELS, dtype=np.uint32)[None], MOST_LABELS - 1)
    assert np.array_equal(most.labels[0], np.arange(MOST_LABELS))
    with pytest.raises(SleuthError, match="a guess may get 65536 kinds of feedback at most, not 65537"):
        Labels.of(np.arange(MOST_LABELS, dtype=np.uint32)[None], MOST_LABELS)


def test_games_of_functions_with_many_kinds_of_feedback() -> None:
    named = Game.from_function(
        lambda guess, answer: "right" if guess == answer else (guess, abs(guess - answer)), range(300)
    )
    unnamed = Game.from_function(lambda guess, answer: (guess, answer // 2), range(300), range(1000, 1450))
    for game in (named, unnamed):
        assert game.rules.n_codes > MOST_LABELS > game.n_labels
        assert np.array_equal(
            game.codes_of(np.arange(len(game.guesses))[:, None], game.labels.astype(np.int32)), game.feedback
        )
    assert not (unnamed.labels == unnamed.solved_label).any()
    assert sleuth.evaluate("information-gain", named).report.total == 1 + 2 * 299  # an end tells all apart


@given(word_games(["hard", "strict"], letters=LONG), st.data())
def test_legal_guesses(game: Game, data: st.DataObject) -> None:
    position, rows = Position.start(game), list[tuple[int, int]]()
    frontier = Frontier.of(position)
    answer = data.draw(st.integers(0, len(game.answers) - 1))
    for _ in range(3):
        assert position.legal is not None
        guess = int(data.draw(st.sampled_from(position.legal.tolist())))
        code = int(game.feedback[guess, answer])
        rows.append((guess, code))
        position = position.after(guess, code)
        assert position.legal is not None
        assert position.legal.tolist() == reference.legal_guesses(game, rows)
        children = frontier.after(np.array([guess], np.int32))
        child = children.reached(np.array([0]), np.array([code]))
        if child[0] < 0 or len(position.candidates) == 1:
            break
        frontier = children.frontier.take(child)
        assert frontier.legal is not None
        assert frontier.candidates.tolist() == position.candidates.tolist()
        assert frontier.legal.tolist() == position.legal.tolist()
        assert frontier.rows is not None
        assert [tuple(row) for row in frontier.rows[0].tolist()] == rows


@given(word_games(max_words=8, weighted=False, letters=LONG))
def test_suggestions(game: Game) -> None:
    position = Position.start(game)
    everyone = range(len(game.answers))
    for name in ("information-gain", "worst-case"):
        found = [game.find(row.guess) for row in make(name).rank(position, 3)]
        chain = reference.chain_of(name, game)
        assert found == reference.ranking(game, everyone, range(len(game.guesses)), chain)[: len(found)]
    for row in make("expected-guesses").rank(position, 3):
        sizes = [len(part) for part in reference.classes(game, everyone, game.find(row.guess)).values()]
        left = [len(part) for part in reference.split(game, everyone, game.find(row.guess)).values() if part]
        assert (row.classes, row.worst_left) == (len(sizes), max(left, default=0))


@pytest.mark.parametrize(
    "mode", ["hard", *(pytest.param(mode, marks=pytest.mark.thorough) for mode in ("easy", "strict"))]
)
def test_exact_play_is_verified(game: Game, mode: Mode) -> None:
    from sleuth.exact.plain import PlainSearch

    one = game.with_mode(mode)
    proof = sleuth.prove(one)
    assert proof.tree is not None
    assert proof.total == proof.tree.report().total
    search = PlainSearch(one, sleuth.Objective("mean"))
    spot = search.spot(Position.start(one), one.max_turns)
    guesses, _ = search.first_bounds(spot)
    assert proof.total == min(search.opener(spot, guess, 10**6)[0] for guess in guesses)


def test_rows_that_cannot_be(game: Game) -> None:
    guess = game.guesses[0]
    with pytest.raises(FeedbackError, match=rf"has 5 marks; it takes {len(guess)} marks"):
        Position.after_rows(game, [(guess, "bbbbb")])
    with pytest.raises(ContradictionError, match="no possible answer gives"):
        Position.after_rows(game, [(guess, "y" * len(guess))])


def test_what_long_words_cannot(game: Game) -> None:
    refused = rf"up to 10 letters, and those of .* have {len(game.guesses[0])}$"
    for name in ("most-hints", "minimax", "letter-pairs"):
        with pytest.raises(StrategyError, match=refused):
            make(name).choose(Position.start(game))
    with pytest.raises(SleuthError, match="certificates are of games of 65,536 kinds of feedback at most"):
        sleuth.certify(sleuth.prove(game))
    with pytest.raises(SleuthError, match="hosts that lie play games of 65,536 kinds of feedback at most"):
        fibble(game)


def test_large_lists_are_played_by_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    words = some_words(300, 12)
    whole = wordle(words)
    small = sleuth.evaluate("expected-guesses", whole).report
    monkeypatch.setenv("SLEUTH_MEMORY", "300K")
    parts = wordle(words)
    assert parts.is_large
    assert sleuth.evaluate("expected-guesses", parts).report.turns.tolist() == small.turns.tolist()


def test_hard_mode_that_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    hard = wordle(some_words(300, 12), mode="hard")
    _ = hard.feedback
    monkeypatch.setenv("SLEUTH_MEMORY", "800K")
    with pytest.raises(SleuthError, match=r"hard mode of .* \(300 guesses\) needs"):
        _ = hard.legality
