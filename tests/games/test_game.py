import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_games import games, word_games

from sleuth.games import GAMES
from sleuth.games.game import Game, memory_limit
from sleuth.games.pegs import bulls_and_cows, mastermind
from sleuth.games.position import Position
from sleuth.games.priors import uniform
from sleuth.games.rules import WordleRules, code_type
from sleuth.games.wordle import wordle
from sleuth.games.wordlists import from_words
from sleuth.support.errors import GameTooLargeError, SleuthError, UnknownNameError, WordListError
from sleuth.support.parallel import thread_count

WORDS = ("crane", "crate", "slate")


def game_of(answers: tuple[str, ...] = WORDS, guesses: tuple[str, ...] = WORDS, **options: Any) -> Game:
    return Game("test", WordleRules(5), tuple(guesses), tuple(answers), uniform(len(answers)), **options)


@given(games())
def test_answers_and_guesses_point_at_each_other(game: Game) -> None:
    for a, word in enumerate(game.answers):
        g = game.answer_guess[a]
        assert (game.guesses[g] == word and game.guess_answer[g] == a) if g >= 0 else word not in game.guesses
    assert int((game.guess_answer >= 0).sum()) == len(set(game.guesses) & set(game.answers))


@given(games())
def test_a_right_guess_gets_the_solved_code_and_no_other_does(game: Game) -> None:
    for g, row in enumerate(game.feedback.tolist()):
        assert [a for a, code in enumerate(row) if code == game.solved] == [
            a for a in [game.guess_answer[g]] if a >= 0
        ]


def test_words_are_found_in_any_case() -> None:
    assert game_of().find(" Crate ") == 1


def test_words_are_found_however_their_accents_are_typed() -> None:
    game = Game("test", WordleRules(3), ("été", "ete"), ("été",), uniform(1))
    assert game.find("e\u0301te\u0301") == 0


def test_with_mode_changes_the_mode_alone() -> None:
    game = game_of()
    strict = game.with_mode("strict")
    assert (game.mode, strict.mode) == ("easy", "strict")
    assert (strict.guesses, strict.answers, strict.rules) == (game.guesses, game.answers, game.rules)
    assert game.with_mode("easy") is game


def test_with_mode_keeps_the_matrix() -> None:
    game = game_of()
    assert game.feedback is game.with_mode("hard").feedback


def test_modes_have_their_own_rule() -> None:
    game = game_of()
    assert not game.with_mode("strict").legality.hard
    assert game.with_mode("strict").with_mode("hard").legality.hard


def test_unknown_modes_suggest_near_ones() -> None:
    with pytest.raises(UnknownNameError, match="unknown mode 'strikt': did you mean strict"):
        game_of().with_mode("strikt")  # type: ignore[arg-type]  # no mode


def test_with_prior_scales_the_weights_to_sum_1() -> None:
    game = game_of()
    game.tables  # noqa: B018 — the old weights must not be kept
    other = game.with_prior(np.array([2.0, 0.0, 6.0]))
    assert other.prior.tolist() == [0.25, 0.0, 0.75]
    assert other.tables.weights.tolist() == [0.25, 0.0, 0.75]
    assert not other.is_uniform
    assert game.is_uniform
    assert game.tables.weights.size == 0


@given(word_games(), st.floats(1e-300, 1e300))
def test_equal_weights_are_the_uniform_prior(game: Game, weight: float) -> None:
    assert game.with_prior(np.full(len(game.answers), weight)).is_uniform


@pytest.mark.parametrize(
    "weights", [[1, 2], [1, -1, 1], [0, 0, 0], [1, float("nan"), 1], [1, float("inf"), 1]]
)
def test_weights_that_are_no_prior_are_refused(weights: list[float]) -> None:
    with pytest.raises(WordListError, match="weight"):
        game_of().with_prior(np.array(weights, float))


# Not in alphabetical order, and made canonical on the way.
FRUIT = ["zebra", " Apfel", "Birne"]


@pytest.mark.parametrize("collect", [list, tuple, iter, np.array, dict.fromkeys])
@pytest.mark.parametrize("weights", [[8, 1, 3], (8, 1, 3), np.array([0.8, 0.1, 0.3]), np.array([8, 1, 3])])
def test_weights_follow_words_of_ones_own(collect: Callable[[list[str]], Any], weights: Any) -> None:
    game = wordle(collect(FRUIT), prior=weights)
    assert game.answers == ("apfel", "birne", "zebra")
    assert game.prior.tolist() == pytest.approx([1 / 12, 3 / 12, 8 / 12])


@given(st.lists(st.text("abcde", min_size=3, max_size=3), min_size=1, unique=True), st.data())
def test_every_word_gets_its_own_weight(words: list[str], data: st.DataObject) -> None:
    weights = data.draw(st.lists(st.integers(1, 99), min_size=len(words), max_size=len(words)))
    game = wordle(words, prior=weights)  # type: ignore[arg-type]  # lists are taken too
    found = dict(zip(game.answers, (game.prior * sum(weights)).tolist(), strict=True))
    assert found == pytest.approx(dict(zip(words, weights, strict=True)))


def test_weights_of_a_list_are_in_its_order() -> None:
    listed = from_words(FRUIT)
    assert wordle(listed, prior=[8, 1, 3]).prior.tolist() == pytest.approx([8 / 12, 1 / 12, 3 / 12])  # type: ignore[arg-type]  # lists are taken too
    weights = np.arange(1.0, 2316.0)
    assert wordle("original", prior=weights).prior.tolist() == pytest.approx(weights / weights.sum())


@pytest.mark.parametrize(
    ("words", "weights", "problem"),
    [
        (FRUIT, [1, 2], "weights must be 3 numbers, one for each answer, not 2"),
        (FRUIT, [1, -2, 1], "weight 2 is -2"),
        ([*FRUIT, "zebra"], [1, 2, 3, 4], "twice are 'zebra'"),
        ([*FRUIT, "ze8ra"], [1, 2, 3, 4], "'ze8ra' is not a word"),
        (set(FRUIT), [1, 2, 3], "words in a set have no order"),
        (frozenset(FRUIT), [1, 2, 3], "words in a set have no order"),
        (["crane", 7], None, "answers, word 2: 7 is not a word"),
        (["crane", None], None, "answers, word 2: None is not a word"),
    ],
)
def test_words_and_weights_that_do_not_go_together(words: Any, weights: Any, problem: str) -> None:
    with pytest.raises(WordListError, match=problem):
        wordle(words, prior=weights)


def test_other_games_keep_the_order_that_answers_are_given_in() -> None:
    game = Game.from_function(lambda guess, answer: guess == answer, "zab", prior=[8, 1, 3])  # type: ignore[arg-type]  # lists are taken too
    assert (game.answers, game.prior.tolist()) == (("z", "a", "b"), pytest.approx([8 / 12, 1 / 12, 3 / 12]))
    other = game.with_answers(["b", "z"], [1, 3])  # type: ignore[arg-type]  # lists are taken too
    assert (other.answers, other.prior.tolist()) == (("b", "z"), [0.25, 0.75])


def test_a_game_by_a_function_may_be_about_anything() -> None:
    game = Game.from_function(lambda guess, answer: (guess > answer) - (guess < answer), range(1, 8))
    assert game.guesses == game.answers == tuple("1234567")
    assert game.rules.notation.show(game.solved) == "0"
    assert Position.start(game).play("4", "1").words == ("1", "2", "3")


def test_guesses_may_be_questions() -> None:
    game = Game.from_function(lambda number, secret: secret % number == 0, range(12, 16), [2, 3, 5])
    assert game.answer_guess.tolist() == [-1] * 4
    assert game.solved == game.rules.n_codes == 2
    assert Position.start(game).play("2", "True").play("3", "False").words == ("14",)


def test_some_guesses_may_be_answers() -> None:
    game = Game.from_function(lambda guess, answer: abs(guess - answer), [1, 2, 3], [0, 2, 9])
    assert game.answer_guess.tolist() == [-1, 1, -1]
    assert game.guess_answer.tolist() == [-1, 1, -1]
    assert game.rules.notation.show(game.solved) == "0"


def test_right_guesses_must_all_look_the_same() -> None:
    with pytest.raises(SleuthError, match="a right guess must always get the same feedback, not 2, 4"):
        Game.from_function(lambda guess, answer: guess + answer, [1, 2])


def test_only_right_guesses_may_look_right() -> None:
    # 3 for the answer 1 looks right and is not: who plays would stop there.
    with pytest.raises(SleuthError, match="right"):
        Game.from_function(lambda guess, answer: (guess - answer) % 2, [1, 2, 3, 4])


@pytest.mark.parametrize("make", [mastermind, bulls_and_cows])
def test_codes_of_pegs_are_held_once_as_they_are_the_same_by_answer(make: Callable[..., Game]) -> None:
    tables = make(3).tables
    assert np.shares_memory(tables.by_answer, tables.by_guess)
    assert np.array_equal(tables.by_answer, make(3).feedback.T)


def test_codes_of_words_are_held_by_guess_and_by_answer() -> None:
    game = wordle("original").part(np.arange(40), np.arange(90))
    assert np.array_equal(game.tables.by_answer, game.feedback.T)


def test_mastermind_has_no_hard_mode() -> None:
    with pytest.raises(SleuthError, match="mastermind 4x6 has no hard mode; it can be played easy or strict"):
        mastermind(mode="hard")
    with pytest.raises(SleuthError, match="no hard mode"):
        bulls_and_cows(2).with_mode("hard")


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"guesses": ("crane", "crane"), "answers": ("crane",)}, "test has the guess 'crane' twice"),
        ({"answers": ("crate", "slate", "crate")}, "test has the answer 'crate' twice"),
        ({"max_turns": 0}, "max_turns must be 1 or more, not 0"),
        ({"guesses": ()}, "at least one guess"),
    ],
)
def test_games_that_make_no_sense_are_refused(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(SleuthError, match=problem):
        game_of(**options)


def test_a_prior_of_another_size_is_refused() -> None:
    with pytest.raises(SleuthError, match="weights must be 3 numbers"):
        Game("test", WordleRules(5), WORDS, WORDS, uniform(2))


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: mastermind(1, 6), "2 to 10 pegs, not 1"),
        (lambda: mastermind(4, 36), "2 to 35 colours, not 36"),
        (lambda: mastermind(4, 3, repeats=False), "4 different symbols cannot be chosen from 3"),
        (lambda: bulls_and_cows(11), "2 to 10 digits, not 11"),
    ],
)
def test_codes_that_make_no_game_are_refused(make: Callable[..., Any], problem: str) -> None:
    with pytest.raises(SleuthError, match=problem):
        make()


def test_codes_come_in_order() -> None:
    assert mastermind(2, 3).answers == ("11", "12", "13", "21", "22", "23", "31", "32", "33")
    assert mastermind(2, 3, repeats=False).answers == ("12", "13", "21", "23", "31", "32")
    assert bulls_and_cows(2).answers[:2] == ("01", "02")


@pytest.mark.parametrize(("pegs", "colours"), [(2, 3), (3, 4), (4, 6)])
def test_black_pegs_are_the_places_that_agree(pegs: int, colours: int) -> None:
    game, both = mastermind(pegs, colours, black=True), mastermind(pegs, colours)
    assert np.array_equal(game.feedback, both.feedback // (pegs + 1))
    guess = game.guess_index["1" * pegs]
    assert game.feedback[guess].tolist() == [answer.count("1") for answer in game.answers]
    some = range(0, len(game.answers), 7)
    assert all(game.feedback[guess, a] == game.rules.code(game.guesses[guess], game.answers[a]) for a in some)
    assert np.array_equal(np.diag(game.feedback), np.full(len(game.answers), game.solved))
    assert np.array_equal(game.rules.hints, np.array([range(pegs + 1)] * 2))
    assert game.digest != both.digest
    assert game.name == f"mastermind {pegs}x{colours}, black pegs"


def test_black_pegs_in_strict_mode() -> None:
    position = Position.after_rows(mastermind(3, 3, black=True, mode="strict"), [("112", "1")])
    agree = [word for word in position.game.guesses if sum(map(str.__eq__, word, "112")) == 1]
    assert [position.game.guesses[g] for g in position.legal] == agree == list(position.words)


def test_a_matrix_too_large_is_refused_before_it_is_made() -> None:
    with pytest.raises(
        GameTooLargeError, match=r"\(1,000,000 guesses x 1,000,000 answers\) needs 1862.65 GiB and 2.00"
    ):
        mastermind(6, 10)


def test_the_memory_allowed_is_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLEUTH_MEMORY", "1K")
    with pytest.raises(GameTooLargeError, match=r"64 guesses x 64 answers.*set SLEUTH_MEMORY"):
        mastermind(3, 4)
    monkeypatch.setenv("SLEUTH_MEMORY", "8K")
    assert mastermind(3, 4).feedback.shape == (64, 64)


def test_the_message_says_how_much_is_needed_of_how_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLEUTH_MEMORY", "1K")
    with pytest.raises(GameTooLargeError) as error:
        mastermind(3, 4)
    assert "0.00 GiB" not in str(error.value)


def test_a_game_too_large_for_its_matrix_is_still_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLEUTH_MEMORY", "4")
    game = game_of()
    assert Position.start(game).play("crane", "gggbg").words == ("crate",)
    with pytest.raises(GameTooLargeError, match="3 guesses x 3 answers"):
        game.feedback  # noqa: B018


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("", 2**31),
        ("1000", 1000),
        ("500M", 500 * 2**20),
        ("1.5g", 3 * 2**29),
        ("4 GiB", 2**32),
        ("2KB", 2048),
    ],
)
def test_memory_is_read_with_its_unit(monkeypatch: pytest.MonkeyPatch, text: str, limit: int) -> None:
    monkeypatch.setenv("SLEUTH_MEMORY", text)
    assert memory_limit() == limit


@pytest.mark.parametrize("text", ["much", "G", "1T", "inf"])
def test_memory_that_cannot_be_read_is_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("SLEUTH_MEMORY", text)
    with pytest.raises(SleuthError, match="it takes bytes, or 500M, or 4G"):
        memory_limit()


def test_codes_take_the_smallest_type() -> None:
    assert (code_type(256), code_type(257), code_type(2**16)) == (np.uint8, np.uint16, np.uint16)
    assert code_type(2**16 + 1) == np.uint32


@pytest.mark.parametrize("name", list(GAMES))
def test_every_registered_game_is_made(name: str) -> None:
    assert isinstance(GAMES.load(name)(), Game)


def test_wordle_in_alphabetical_order(original: Game) -> None:
    assert list(original.guesses) == sorted(original.guesses)
    assert list(original.answers) == sorted(original.answers)
    assert set(original.answers) <= set(original.guesses)


def test_wordle_passes_its_options_on() -> None:
    game = wordle("original", max_turns=8, mode="hard")
    assert (game.max_turns, game.mode, game.name) == (8, "hard", "wordle (original)")


def test_wordle_takes_words_of_your_own() -> None:
    assert wordle(["slate", "crane"]).answers == ("crane", "slate")


def test_vowel_signs_are_part_of_words() -> None:
    rules = wordle(["नमस्ते", "धन्यवा"]).rules
    assert isinstance(rules, WordleRules)
    assert rules.length == 6


@pytest.mark.parametrize("text", ["0", "-1", "x"])
def test_threads_that_cannot_be_are_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("SLEUTH_THREADS", text)
    with pytest.raises(SleuthError, match="whole number from 1"):
        thread_count()


def test_copies_of_a_game_are_the_game() -> None:
    """Gymnasium copies what an environment is made of, and a feedback matrix may take a gigabyte."""
    game = mastermind(2, 3)
    assert copy.deepcopy({"game": game})["game"] is game


def test_sets_have_no_order_for_weights_to_follow() -> None:
    with pytest.raises(SleuthError, match="give a list"):
        Game.from_function(lambda guess, answer: guess == answer, {"ant", "bee", "cow"}, prior=[1, 2, 5])  # type: ignore[arg-type]  # a set on purpose
    game = Game.from_function(lambda guess, answer: guess == answer, ["ant", "bee", "cow"])
    with pytest.raises(SleuthError, match="give a list"):
        game.with_answers({"ant", "bee"}, [1, 2])  # type: ignore[arg-type]  # a set on purpose


def test_guesses_are_found_by_what_they_were_made_from() -> None:
    game = Game.from_function(lambda guess, answer: (guess > answer) - (guess < answer), range(1, 101))
    assert game.find(50) == game.find("50")  # type: ignore[arg-type]  # items are found too
