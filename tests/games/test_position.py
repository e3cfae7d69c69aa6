from typing import Any

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from random_games import follow, games, histories, word_games

from sleuth.games.frontier import Frontier
from sleuth.games.game import Game, Mode
from sleuth.games.pegs import bulls_and_cows, mastermind
from sleuth.games.position import Position
from sleuth.games.priors import uniform
from sleuth.games.rules import WordleRules
from sleuth.games.wordle import wordle
from sleuth.support.errors import ContradictionError, FeedbackError, UnknownGuessError

WORDS = ("cabin", "crane", "crate", "grape", "slate", "trace", "weary")


def game_of(answers: tuple[str, ...] = WORDS, guesses: tuple[str, ...] = WORDS, mode: Mode = "easy") -> Game:
    return Game("test", WordleRules(5), tuple(guesses), tuple(answers), uniform(len(answers)), mode=mode)


@given(games(("easy", "hard", "strict")), st.data())
def test_candidates_are_those_consistent_with_all_rows(game: Game, data: st.DataObject) -> None:
    rows = data.draw(histories(game))
    position = follow(game, rows)
    assert position.candidates.tolist() == reference.consistent(game, rows)
    assert position.turn == len(rows) + 1


@given(games(("easy", "hard", "strict")), st.data())
def test_rows_are_those_that_led_there(game: Game, data: st.DataObject) -> None:
    rows = data.draw(histories(game))
    position = follow(game, rows)
    assert list(position.rows) == rows
    again = Position.start(game)
    for guess, code in position.rows:
        again = again.after(guess, code)
    assert again.candidates.tolist() == position.candidates.tolist()


@given(games(("easy", "hard", "strict")), st.data())
def test_rows_go_down_with_the_sets_of_a_frontier(game: Game, data: st.DataObject) -> None:
    """Every set is what its rows lead to; sets are taken and told apart with them."""
    start = follow(game, data.draw(histories(game)))
    frontier = Frontier.of(start)
    for _ in range(2):
        everything = range(len(game.guesses))
        legal: list[Any] = [everything if p.legal is None else p.legal for p in frontier.positions()]
        if not legal or not all(map(len, legal)):
            return
        made = [int(data.draw(st.sampled_from(guesses))) for guesses in legal]
        frontier = frontier.after(np.array(made, np.int32)).frontier
    if not len(frontier):
        return
    which = np.array(data.draw(st.permutations(range(len(frontier)))))
    taken = frontier.take(which)
    assert taken.histories().tolist() == frontier.histories()[which].tolist()
    for position in taken.positions():
        assert position.rows[: len(start.rows)] == start.rows
        assert len(position.rows) == position.turn - 1
        plain = follow(game, list(position.rows))
        assert plain.candidates.tolist() == position.candidates.tolist()
    told = {position.rows for position in taken.positions()}
    assert len(told) == len(set(taken.histories().tolist())) == len(taken)
    assert taken.without_rows().keys().tolist() == taken.keys().tolist()
    assert next(taken.without_rows().positions()).rows == ()


@given(word_games(("easy", "hard", "strict")), st.data())
def test_legal_guesses_obey_every_row(game: Game, data: st.DataObject) -> None:
    rows = data.draw(histories(game))
    position = follow(game, rows)
    legal = range(len(game.guesses)) if position.legal is None else position.legal.tolist()
    assert list(legal) == reference.legal_guesses(game, rows)


@given(word_games(("hard", "strict")), st.data())
def test_candidates_stay_legal(game: Game, data: st.DataObject) -> None:
    position = follow(game, data.draw(histories(game)))
    assert set(game.answer_guess[position.candidates].tolist()) <= set(position.legal.tolist())


@given(games(("easy", "hard", "strict")), st.data())
def test_rows_as_text_lead_where_codes_do(game: Game, data: st.DataObject) -> None:
    rows = data.draw(histories(game))
    text = [(game.guesses[guess], game.rules.notation.show(code)) for guess, code in rows]
    read, followed = Position.after_rows(game, text), follow(game, rows)
    assert read.words == followed.words
    assert read.turn == followed.turn
    assert not read.widened


@given(games(), st.data())
def test_weights_are_the_prior_given_what_is_known(game: Game, data: st.DataObject) -> None:
    position = follow(game, data.draw(histories(game)))
    chances = reference.chances(game, position.candidates.tolist())
    assert position.weights.tolist() == pytest.approx(list(chances.values()))


def test_play_reads_what_a_person_writes() -> None:
    assert Position.start(game_of()).play("CRANE", "🟩🟩🟩⬛🟩").words == ("crate",)


def test_positions_do_not_change() -> None:
    start = Position.start(game_of())
    start.play("crane", "ggggg")
    assert start.words == WORDS


@pytest.mark.parametrize(("mode", "legal"), [("hard", ["crate", "slate", "trace"]), ("strict", ["trace"])])
def test_hard_mode_takes_what_strict_mode_refuses(mode: Mode, legal: list[str]) -> None:
    position = Position.after_rows(game_of(mode=mode), [("slate", "bbgyg")])
    assert [position.game.guesses[g] for g in position.legal] == legal


def test_a_contradiction_names_its_row() -> None:
    with pytest.raises(ContradictionError, match="row 2: no possible answer gives BBBBB for slate after"):
        Position.after_rows(game_of(), [("crane", "gggbg"), ("slate", "bbbbb")])
    with pytest.raises(ContradictionError, match=r"row 1: no possible answer gives BBBBB for crane$"):
        Position.start(game_of()).play("crane", "bbbbb")


def test_where_no_answer_fits_all_guesses_that_do_are_candidates() -> None:
    position = Position.after_rows(
        game_of(answers=("crane", "slate")), [("weary", "bygyb"), ("trace", "bggbg")]
    )
    assert position.words == ("grape",)
    assert position.widened
    assert position.turn == 3


def test_widening_weighs_all_alike() -> None:
    position = Position.after_rows(game_of(answers=("cabin",)), [("cabin", "yybbb")])
    assert position.words == ("trace",)
    assert position.weights.tolist() == [1.0]


def test_widening_keeps_the_rule_on_legal_guesses() -> None:
    position = Position.after_rows(game_of(answers=("slate",), mode="strict"), [("cabin", "gybbb")])
    assert position.widened
    assert position.words == ("crate",)
    assert [position.game.guesses[g] for g in position.legal] == ["crate"]


def test_widening_where_no_guess_fits_is_a_contradiction() -> None:
    with pytest.raises(ContradictionError, match="row 1"):
        Position.after_rows(game_of(), [("crane", "yyyyy")])


@pytest.mark.parametrize("mode", ["hard", "strict"])
def test_illegal_guesses_name_their_row(mode: Mode) -> None:
    with pytest.raises(FeedbackError, match=f"row 2: cabin is not legal there in {mode} mode"):
        Position.after_rows(game_of(mode=mode), [("crane", "gggbg"), ("cabin", "gbbbb")])


def test_unknown_guesses_suggest_near_ones() -> None:
    with pytest.raises(
        UnknownGuessError, match=r"crame is not in the word list \(test words\); did you mean .*crane"
    ):
        Position.start(game_of()).play("crame", "bbbbb")


def test_guesses_of_another_length_are_told_so() -> None:
    with pytest.raises(UnknownGuessError, match="'crate d' has 7 letters; the words here have 5"):
        Position.start(game_of()).play("crate d", "bbbbb")


def test_unknown_codes_suggest_near_ones() -> None:
    wrong = r"1127 cannot be guessed: codes are made of 1 to 6; did you mean .*11"
    with pytest.raises(UnknownGuessError, match=wrong):
        Position.start(mastermind()).play("1127", "0,0")


@pytest.mark.parametrize(
    ("code", "why"),
    [("1111", "the digits of a code must all differ"), ("123", "a code has 4 digits, not 3")],
)
def test_codes_that_cannot_be_are_told_why(code: str, why: str) -> None:
    with pytest.raises(UnknownGuessError, match=f"{code} cannot be guessed: {why}"):
        Position.start(bulls_and_cows()).play(code, "0,0")


def test_guesses_that_are_like_no_other_suggest_none() -> None:
    with pytest.raises(UnknownGuessError, match=r"zzzzz is not in the word list \(test words\)$"):
        Position.start(game_of()).play("zzzzz", "bbbbb")


def test_rows_of_questions_that_contradict_name_the_row() -> None:
    # A question is no answer: asking it of another question must not be what goes wrong.
    game = Game.from_function(lambda question, answer: answer > question[0], [1, 2, 3], [(1,), (2,)])
    with pytest.raises(ContradictionError, match="row 2"):
        Position.after_rows(game, [("(1,)", "False"), ("(2,)", "True")])


def test_strict_mode_takes_codes_too() -> None:
    position = Position.after_rows(mastermind(3, 3, mode="strict"), [("112", "1,1")])
    assert position.legal.tolist() == position.candidates.tolist()


def test_answers_need_not_be_guesses() -> None:
    game = Game.from_function(lambda guess, answer: answer > guess, [1.5, 2.5, 3.5], [2, 3])
    position = Position.after_rows(game, [("2", "True"), ("3", "False")])
    assert position.words == ("2.5",)


def test_zero_weights_left_alone_are_alike() -> None:
    game = game_of().with_prior(np.array([1.0, 0, 0, 0, 0, 0, 0]))
    position = Position.after_rows(game, [("cabin", "bybbb")])
    assert position.words == ("grape", "slate", "weary")
    assert position.weights.tolist() == [1 / 3] * 3


def test_a_position_knows_that_it_is_solved() -> None:
    game = wordle(["crane", "crate", "trace"])
    start = Position.start(game)
    assert not start.solved
    assert not start.play("crane", "gggbg").solved
    assert start.play("crane", "gggbg").play("crate", "ggggg").solved


def test_the_likeliest_come_first_and_equals_in_order() -> None:
    game = wordle(["crane", "crate", "trace", "grace"]).with_prior(np.array([1, 2, 1, 2]))
    assert Position.start(game).likeliest == ("crate", "trace", "crane", "grace")
    assert Position.start(game).words == ("crane", "crate", "grace", "trace")
