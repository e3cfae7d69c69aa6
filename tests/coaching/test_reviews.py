"""Reviews: what skill and luck are, values against trying everything, sentences, pasted grids, the CLI."""

import io
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import reference
from command_line import Run, json_of
from hypothesis import assume, given
from hypothesis import strategies as st
from random_games import crowded_games, function_games, games, histories, word_games

import sleuth
from sleuth.coaching.losses import lost_counts_as
from sleuth.coaching.reviews import sentences, values
from sleuth.coaching.reviews.move import Review
from sleuth.coaching.reviews.rows import is_found, keeps_hard_mode, positions, read_rows
from sleuth.coaching.reviews.scores import luck, skill
from sleuth.coaching.reviews.share import read_share
from sleuth.coaching.reviews.values import weigh
from sleuth.coaching.weighing.guesses import weighed
from sleuth.coaching.weighing.suggestions import suggested
from sleuth.exact.objective import Objective, weights_of
from sleuth.exact.solver import Solver
from sleuth.games.game import Game, Mode
from sleuth.games.position import Position, Row
from sleuth.strategies.heuristics import InformationGain
from sleuth.support.errors import (
    ContradictionError,
    FeedbackError,
    SleuthError,
    StrategyError,
    UnknownGuessError,
)
from sleuth.trees.tree import DecisionTree

LONG = 60.0  # seconds no search here comes near
MODES: tuple[Mode, ...] = ("easy", "hard", "strict")
TRAP = ["crane", "sloth", "might", "fight", "light", "eight"]


def reviewed(game: Game, rows: Sequence[Row | str], answer: str | None = None) -> Review:
    """Review a game with few candidates, in time enough to prove its values on a busy machine, too."""
    return sleuth.review(game, rows, answer, seconds=LONG)


@pytest.fixture(scope="module")
def few(original: Game) -> Game:
    """Every tenth word: what is exact of it is found at once."""
    return sleuth.wordle(original.answers[::10])


@pytest.fixture(scope="module")
def best(few: Game) -> Review:
    """The game that Sleuth itself plays; no answer has marks of the second guess in hard mode."""
    return reviewed(few, ["leant", "horde", "rifle"], "rifle")


@pytest.fixture(scope="module")
def trapped(original: Game) -> Review:
    """A game lost in a trap of words alike."""
    return reviewed(original, TRAP, "tight")


# The definitions

losses = st.floats(0, 3, allow_nan=False)


@given(losses, losses)
def test_skill_falls_with_the_loss(a: float, b: float) -> None:
    assert 0 <= skill(a) <= 99
    assert (skill(a) == 99) == (a == 0)
    if a <= b:
        assert skill(a) >= skill(b)


def test_a_guess_that_tells_nothing_has_no_skill() -> None:
    assert skill(1) == 0
    assert skill(-0.0) == 99


@st.composite
def outcomes(draw: st.DrawFn) -> tuple[list[float], list[float]]:
    n = draw(st.integers(1, 8))
    weights = np.array(draw(st.lists(st.integers(1, 9), min_size=n, max_size=n)), float)
    left = draw(st.lists(st.sampled_from([0.0, 1.0, 1.5, 2.0, 2.25]), min_size=n, max_size=n))
    return (weights / weights.sum()).tolist(), left


@given(outcomes())
def test_luck_falls_with_the_guesses_left(case: tuple[list[float], list[float]]) -> None:
    chances, left = case
    marks = [luck(chances, left, at) for at in range(len(left))]
    if len(set(left)) == 1:
        assert set(marks) == {None}
        return
    for mark, value in zip(marks, left, strict=True):
        assert 0 <= mark <= 99
        assert (mark == 99) == (value == min(left))
        assert all(mark >= other for other, then in zip(marks, left, strict=True) if value <= then)


def test_luck_by_hand() -> None:
    # Worse than the second: half of all; as good: three tenths. 0.5 + 0.15 of the luckiest's 0.9.
    assert luck([0.5, 0.3, 0.2], [2.0, 1.0, 0.0], 1) == round(99 * 0.65 / 0.9)


# Values


@given(crowded_games(most=8), st.data())
def test_exact_values_are_those_of_trying_everything(game: Game, data: st.DataObject) -> None:
    position = Position.start(game)
    weights = weights_of(game, Objective()).values.tolist()
    legal = tuple(range(len(game.guesses)))
    guess = data.draw(st.sampled_from(legal))
    turns = min(game.max_turns, 4)
    play = reference.ExactPlay(game, weights, penalty=lost_counts_as(game))
    best, _ = play.best(tuple(range(len(game.answers))), legal, turns)
    value, _ = play.begin(guess, tuple(range(len(game.answers))), legal, turns)
    assume(best < np.inf)
    worth = weigh(position, guess, turns, LONG)
    assert worth.kind == "proved"
    if value < np.inf:  # every set on the way can be told apart
        assert worth.least == pytest.approx(best / sum(weights))
        assert worth.value == pytest.approx(value / sum(weights))
    assert worth.loss == pytest.approx(worth.value - worth.least, abs=1e-9)
    assert worth.loss >= 0
    left = worth.outcomes.chances @ worth.outcomes.left
    assert 1 + left == pytest.approx(worth.value, rel=1e-6)


@pytest.mark.parametrize("mode", MODES)
def test_values_of_many_words_lie_between_the_least_and_information_gain(few: Game, mode: Mode) -> None:
    game = few.with_mode(mode)
    position = Position.start(game).play("aloft", "bbbbb")
    many = len(position.candidates)
    counted = lost_counts_as(game)
    solver = Solver(game, Objective(penalty=counted))
    for word in ("siege", "nymph", "recur"):
        worth = weigh(position, game.find(word), 5, LONG)
        assert worth.kind == "proved"
        assert worth.least <= worth.value
        exact = solver.bound(position, 5, guess=game.find(word)).lower / many
        report = DecisionTree.build(InformationGain(), game, word, position=position).report()
        lost = sum(counted - 1 - turns for turns in report.turns.tolist() if turns > 5)
        assert worth.value <= report.mean + lost / many + 1e-9
        assert worth.value == pytest.approx(exact)
        assert 1 + worth.outcomes.chances @ worth.outcomes.left == pytest.approx(worth.value, abs=1e-6)


@pytest.mark.parametrize(
    ("word", "total", "marked"),
    [
        ("crane", 7930, 98),
        pytest.param("crate", 7926, 98, marks=pytest.mark.thorough),
        pytest.param("salet", 7920, 99, marks=pytest.mark.thorough),
        pytest.param("slate", 7928, 98, marks=pytest.mark.thorough),
    ],
)
def test_openers_are_valued_near_the_proven_means(original: Game, word: str, total: int, marked: int) -> None:
    """Selby's optima over the original lists."""
    move = reviewed(original, [f"{word}:bbbbb"]).moves[0]
    assert round(move.value * 2315) == pytest.approx(total, abs=8)
    assert (move.skill, move.sleuth.guess) == (marked, "salet")


def test_a_position_out_of_time_is_estimated(original: Game) -> None:
    game = original.with_prior(np.ones(len(original.answers)))  # a solver of its own
    found = sleuth.review(game, ["salet:bbybb", "fuzzy:bbbbb"], seconds=1e-9)
    assert [move.expected_kind for move in found.moves] == ["proved", "estimate"]
    lost = found.moves[1]
    assert lost.value - lost.expected_before == pytest.approx(lost.loss)
    # By what both leave; the estimate of the guess itself makes that more than two guesses.
    assert 0.3 < lost.loss < 1.2
    assert f"about {lost.loss:.2f} guesses" in lost.sentence
    # How far off that is nobody knows.
    assert (lost.annotation, lost.skill) == ("", None)
    assert found.skill == found.moves[0].skill


@pytest.mark.thorough
@pytest.mark.parametrize("opener", ["3345", "1123"])
def test_what_is_proved_of_an_opener_is_in_reviews(opener: str) -> None:
    """Mastermind takes 5625 guesses over its 1296 codes, after 1123 or what is 1123 renamed."""
    move = sleuth.review(sleuth.mastermind(), [f"{opener}:3,0"]).moves[0]
    assert (move.played.kind, move.best.kind, move.loss) == ("proved", "proved", 0)
    assert round(move.value * 1296) == 5625


def test_a_review_has_the_numbers_of_suggestions(few: Game) -> None:
    rows = read_rows(few, ["aloft", "siege", "nymph"], "recur")
    found = reviewed(few, [(few.guesses[g], few.rules.notation.show(code)) for g, code in rows])
    for number, move in enumerate(found.moves):
        best = suggested(positions(few, rows)[number], 12).suggestions[0]
        assert (move.best.guess, move.expected_kind) == (best.guess, best.kind)
        assert move.expected_before == pytest.approx(best.expected_guesses)
        assert number == 0 or found.moves[number - 1].expected_after == move.expected_before


@given(st.data())
def test_reviews_of_random_games(data: st.DataObject) -> None:
    game = data.draw(st.one_of(games(MODES), word_games(MODES)))
    rows = data.draw(histories(game))
    assume(rows)
    start = Position.start(game)
    assume(not is_found(start))
    shown = [(game.guesses[g], game.rules.notation.show(code)) for g, code in rows]
    try:
        found = reviewed(game, shown)
    except StrategyError:
        return
    except FeedbackError as error:
        assert "comes after the end" in str(error)  # noqa: PT017
        return
    json.dumps(found.to_json(), allow_nan=False)
    for move, then in zip(found.moves, [*found.moves[1:], None], strict=True):
        assert (move.skill == 99) == (move.loss == 0)
        assert move.expected_before <= move.value
        assert move.value - move.expected_before == pytest.approx(move.loss, abs=1e-9)
        assert move.sentence[0] == move.sentence[0].upper()
        assert move.candidates_after <= move.candidates_before
        assert len(move.words_before) in (0, move.candidates_before)
        if move.bits_gained is not None:
            assert move.bits_gained >= 0
        if then is not None:
            assert move.expected_after == then.expected_before
            assert move.expected_after_by == then.expected_by
    assert found.solved == (found.moves[-1].solved or found.answer is not None)


@given(function_games())
def test_games_by_a_function_end_when_one_answer_is_left_that_nothing_names(game: Game) -> None:
    rows = [("200", str(("it", int(game.answers[0]))))] if game.answers[0] not in game.guesses else []
    assume(rows)
    found = reviewed(game, rows)
    assert found.solved
    assert found.answer == game.answers[0]
    with pytest.raises(FeedbackError, match="row 2 comes after the end"):
        reviewed(game, [*rows, rows[0]])


def test_bits_gained_are_those_of_the_mass_kept(few: Game, best: Review) -> None:
    kept = best.moves[0].candidates_after
    assert best.moves[0].bits_gained == pytest.approx(np.log2(232 / kept))
    prior = np.where(np.isin(few.answers, ["rifle", "whole"]), 500.0, 1.0)
    found = reviewed(few.with_prior(prior), best.line[:1])
    assert found.moves[0].bits_gained == pytest.approx(np.log2((230 + 1000) / (kept - 2 + 1000)))
    assert "as likely as the prior given says" in found.assumed
    assert found.to_json()["prior"] == "weighted"


def test_answers_without_weight_are_reviewed(few: Game, best: Review) -> None:
    prior = np.where(few.answers == np.array("rifle"), 0.0, 1.0)
    found = reviewed(few.with_prior(prior), best.line)
    move = found.moves[1]
    assert (move.bits_gained, move.luck, move.guesses_saved) == (None, None, None)
    assert "not to be expected" in move.sentence
    assert found.moves[2].skill == 99


# Fairness


@pytest.mark.parametrize("rows", [["112:1,0"], ["123:0,2"]])
def test_guesses_of_equal_value_get_equal_skill_and_luck(rows: list[str]) -> None:
    """Colours renamed, or places exchanged, change nothing."""
    game = sleuth.mastermind(3, 4)
    guess, shown = rows[0].split(":")
    marks = set()
    for word in (guess, guess.translate(str.maketrans("1234", "4321")), guess[::-1]):
        move = reviewed(game, [f"{word}:{shown}"]).moves[0]
        marks.add((move.skill, move.luck, move.loss, move.candidates_after))
    assert len(marks) == 1


def test_every_guess_of_the_least_value_has_skill_99() -> None:
    game = sleuth.mastermind(3, 3)
    position = Position.start(game)
    values = {}
    for guess in range(len(game.guesses)):
        worth = weigh(position, guess, game.max_turns, LONG)
        values[guess] = worth.value, skill(worth.loss)
    best = min(value for value, _ in values.values())
    assert all((mark == 99) == (value == best) for value, mark in values.values())
    ordered = sorted(values.values())
    assert [mark for _, mark in ordered] == sorted((mark for _, mark in ordered), reverse=True)
    assert len({mark for _, mark in ordered}) > 2


def test_a_better_line_than_sleuths_is_called_better(original: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    poor = weighed(Position.start(original).play("salet", "bbybb"), original.find("aahed"), LONG, LONG)
    monkeypatch.setattr(values, "_own", lambda found: poor.numbers)
    move = reviewed(original, ["salet:bbybb", "courd:bbbbb"]).moves[1]
    assert (move.skill, move.loss, move.best.guess, move.sleuth.guess) == (99, 0, "courd", "aahed")
    assert move.gain == pytest.approx(72 / 99)
    assert move.sentence.startswith("Better than Sleuth's own guess AAHED, by 0.72 guesses")


def test_what_sleuth_plays_has_skill_99(best: Review) -> None:
    assert [move.skill for move in best.moves] == [99, 99, 99]
    assert best.line == tuple((move.guess, move.feedback) for move in best.moves)
    assert "No guess could be bettered" in best.summary
    assert best.moves[1].luck == 99


def test_a_guess_that_tells_nothing_costs_a_whole_guess(few: Game) -> None:
    for rows in (["leant:bbbbb", "fuzzy:bbbbb", "fuzzy:bbbbb"], ["leant:bbbbb", "leant:bbbbb"]):
        move = reviewed(few, rows).moves[-1]
        assert move.loss >= 1 - 1e-9
        assert move.skill == 0
        assert move.luck is None
        assert move.repeated


def test_on_the_last_turn_a_candidate_is_best(trapped: Review) -> None:
    """A word that tells candidates apart is of no use any more."""
    last = trapped.moves[-1]
    assert last.best.guess in last.words_before
    assert last.expected_before == pytest.approx((1 + 7) / 2)  # right, or a lost game: six turns more
    assert last.expected_after is None
    assert last.expected_after_by is None


def test_hard_mode_counts_the_legal_guesses(few: Game, best: Review) -> None:
    rows = ["leant", "rifle"]
    easy = reviewed(few, rows, "rifle").moves[1]
    hard = reviewed(few.with_mode("hard"), rows, "rifle").moves[1]
    assert hard.expected_before >= easy.expected_before
    assert easy.best.guess == best.moves[1].guess != hard.best.guess
    position = Position.after_rows(few.with_mode("hard"), best.line[:1])
    assert few.find(hard.best.guess) in position.legal


# The game


def test_the_lost_game(trapped: Review) -> None:
    assert (trapped.solved, trapped.lost, trapped.answer, len(trapped.moves)) == (False, True, "tight", 6)
    assert trapped.line[0] == ("crane", "bbbbb")
    assert trapped.line[-1] == ("tight", "ggggg")
    assert trapped.skill == pytest.approx(np.mean([move.skill for move in trapped.moves]))
    assert trapped.luck == pytest.approx(
        np.mean([move.luck for move in trapped.moves if move.luck is not None])
    )
    assert "the answer was TIGHT" in trapped.summary
    assert "A trap: 3 words fit _IGHT" in trapped.moves[3].sentence
    assert "told FIGHT and TIGHT apart" in trapped.moves[2].sentence
    assert "LIGHT could not be the answer after row 2" in trapped.moves[4].sentence
    assert "2315 answers among the original words, equally likely" in trapped.assumed
    assert trapped.assumed.endswith("A lost game counts as 12 guesses.")


def test_a_game_that_goes_on_past_its_end_is_told(few: Game) -> None:
    lost = ["fuzzy", "nymph", "leant", "horde", "bongo", "disco"]
    assert "The game ends after" not in reviewed(few, lost, "rifle").assumed
    found = reviewed(few, [*lost, "rifle"], "rifle")
    assert found.solved
    assert "The game ends after 6 guesses; those after it are judged as if it went on." in found.assumed


def test_skill_and_luck_are_rounded_once(few: Game) -> None:
    found = reviewed(few, ["embed", "piety", "mayor"], "mayor")
    assert (found.skill, found.luck) == (71.5, 83.5)
    shown = found.to_json()
    assert (shown["skill_shown"], shown["luck_shown"]) == (72, 84)
    assert "Skill 72 and luck 84 of 99 on average." in found.summary
    alone = reviewed(few, ["rifle"], "rifle").to_json()
    assert (alone["skill_shown"], alone["luck_shown"]) == (round(alone["skill"]), alone["luck"])


def test_what_is_told_of_the_game_is_what_is_shown(best: Review, trapped: Review) -> None:
    for found in (best, trapped):
        assert f"Skill {found.skill_shown} and luck {found.luck_shown} of 99" in found.summary


def test_a_loss_too_small_for_a_number_is_not_told_as_one(few: Game) -> None:
    found = reviewed(few, ["leant", "rifle"], "rifle")
    small = replace(found.moves[0], expected_before=3.42, choice=True)
    for loss, told in (
        (0.004, "No guess cost 0.01 guesses or more."),
        (0.05, "No guess cost more than 0.05"),
    ):
        changed = replace(found, moves=(replace(small, value=3.42 + loss, loss=loss),))
        assert told in sentences.summary(changed)
        assert "more than less" not in sentences.summary(changed)


def test_mistakes_are_marked_by_what_they_cost(few: Game) -> None:
    found = reviewed(few, ["dolly", "salve", "disco", "drone"], "drone")
    assert [move.annotation for move in found.moves] == ["?!", "?", "??", ""]
    for move in found.moves:
        assert (move.annotation in ("?!", "?", "??")) == (move.loss > 0.1)


def test_the_only_best_guess_that_is_hard_to_find_is_marked(few: Game) -> None:
    found = reviewed(few, ["brain", "tower", "tower", "wrist"], "wrist")
    assert [move.annotation for move in found.moves] == ["", "!", "??", ""]
    assert found.moves[1].ruled_out_by is not None


def test_an_unfinished_game_has_no_line(original: Game, few: Game, best: Review) -> None:
    found = sleuth.review(original, ["crane:bbbbb"])
    assert (found.solved, found.lost, found.answer, found.line) == (False, False, None, None)
    assert "Not finished: 263 answers are still possible, about 2.8 guesses from the end" in found.summary
    sure = reviewed(few, best.line[:2])
    assert "Not finished: 1 answer is still possible, 1 guess from the end." in sure.summary


def test_forced_moves_do_not_count(few: Game, best: Review) -> None:
    assert [move.choice for move in best.moves] == [True, True, False]
    assert "the only one left that fits" in best.moves[2].sentence
    only = reviewed(few, ["leant", "horde", "fuzzy", "rifle"], "rifle")
    assert [move.choice for move in only.moves] == [True, True, True, False]
    assert only.moves[2].skill == 0


def test_a_lucky_hit_is_called_one(original: Game) -> None:
    found = reviewed(original, ["crane"], "crane")
    assert found.moves[0].sentence == "A lucky hit, with 2315 still possible, and a strong guess too."
    assert found.moves[0].luck == 99
    assert found.summary.startswith("Solved in 1 guess.")


def test_where_no_listed_answer_fits_the_candidates_widen_from_there(original: Game) -> None:
    found = reviewed(original, ["crane:ggggb", "crank:ggggb", "crans:ggggg"])
    first, second, third = found.moves
    assert (first.candidates_before, first.widened) == (2315, False)
    assert (second.candidates_after, second.widened) == (1, True)
    assert "fits no listed answer" in second.sentence
    assert second.luck is None
    assert third.solved
    assert "No listed answer fits the rows up to 2" in found.assumed
    assert found.line[-1] == ("crans", "ggggg")


def test_hard_mode_is_watched_in_easy_games(best: Review) -> None:
    assert [move.hard for move in best.moves] == [True, False, True]
    assert best.hard_mode is False
    assert reviewed(sleuth.mastermind(2, 3), ["12:1,0"]).hard_mode is None


@given(word_games(), st.data())
def test_hard_mode_is_that_of_positions(game: Game, data: st.DataObject) -> None:
    rows = data.draw(histories(game, most=4))
    assume(rows)
    hard = game.with_mode("hard")
    kept, words = keeps_hard_mode(game, rows), game.guesses
    for row, (guess, _) in enumerate(rows):
        legal = all(reference.obeys_hard(hard, words[guess], words[g], code) for g, code in rows[:row])
        assert kept[row] == legal


# What a person gives


def test_rows_as_pairs_as_text_and_bare(original: Game) -> None:
    expected = read_rows(original, [("salet", "bbybb"), ("courd", "bbbgb")])
    assert read_rows(original, ["SALET:BBYBB", "courd:00020"]) == expected
    assert read_rows(original, ["salet", "courd:⬛⬛⬛🟩⬛"], "Whirl") == expected


@pytest.mark.parametrize(
    ("rows", "answer", "error", "message"),
    [
        (["salet"], None, FeedbackError, "row 1 is 'salet' alone"),
        ([], None, FeedbackError, "no row to review"),
        (["salet:bbybb", "zzzzz:bbbbb"], None, UnknownGuessError, "zzzzz is not in the word list"),
        (["salet:bbq"], None, FeedbackError, "takes 5 marks"),
        (
            ["salet:bbybb", "courd:bbbbb"],
            "whirl",
            ContradictionError,
            "row 2: courd would have got bbbgb, not",
        ),
        (["salet"], "zzzzz", UnknownGuessError, "the answer: zzzzz is not in the word list"),
        (["salet:ggggg", "courd:bbbbb"], None, FeedbackError, "row 1 is right: the game is over, and row 2"),
        (["salet:ggggb", "salet:bbbbb"], None, ContradictionError, "row 2"),
    ],
)
def test_mistakes_are_told(
    original: Game, rows: list[str], answer: str | None, error: type[SleuthError], message: str
) -> None:
    with pytest.raises(error, match=message):
        reviewed(original, rows, answer)


def test_a_row_that_the_mode_forbids_is_told(original: Game) -> None:
    with pytest.raises(FeedbackError, match="row 2: courd is not legal there in hard mode"):
        reviewed(original.with_mode("hard"), ["salet:bbybb", "courd:bbbgb"])


def test_positions_end_with_the_one_after_the_last_row(original: Game) -> None:
    at = positions(original, read_rows(original, ["salet:bbybb", "courd:bbbgb"]))
    assert [len(position.candidates) for position in at] == [2315, 99, 1]


GRID = "⬛⬛🟨⬛⬛\n⬛⬛⬛🟩⬛\n🟩🟩🟩🟩🟩"
ROWS = [("salet", "⬛⬛🟨⬛⬛"), ("courd", "⬛⬛⬛🟩⬛"), ("whirl", "🟩🟩🟩🟩🟩")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"Wordle 1,234 3/6*\n\n{GRID}\n", ["salet", "courd", "whirl"]),
        (f"Great fun today!\nWordle 1,234 3/6\n\n{GRID}\n\nSALET courd Whirl\nhttps://example.org", []),
        (f"salet\ncourd\nwhirl\n{GRID}", []),
        (
            "Wordle 3/6\n⬛⬛🟨⬛⬛ SALET (a good start)\nCOURD ⬛⬛⬛🟩⬛\n1. whirl 🟩🟩🟩🟩🟩 🎉",
            ["salet", "courd", "whirl"],
        ),
        ("⬛⬛🟨⬛⬛ SALET\n⬛⬛⬛🟩⬛ courd\r\n🟩🟩🟩🟩🟩 whirl!", []),
        ("⬛\ufe0f⬛🟨⬛⬛ salet\n ⬛⬛⬛🟩⬛ courd\n🟩🟩🟩🟩🟩 whirl", []),
    ],
)
def test_a_pasted_grid_is_read(original: Game, text: str, words: list[str]) -> None:
    if "🎉" in text:
        # Six symbols are no row of five.
        with pytest.raises(FeedbackError, match="the grid has 2 rows and 3 words"):
            read_share(original, text, words)
        return
    assert [(w, s.replace("\ufe0f", "")) for w, s in read_share(original, text, words)] == ROWS  # type: ignore[str-unpack]  # pairs here


def test_rows_in_letters_are_read_from_a_text(original: Game) -> None:
    text = "my game\nsalet:bbybb\nCOURD 00020\n"
    assert read_share(original, text) == [("salet", "bbybb"), ("COURD", "00020")]
    assert read_share(original, "salet\ncourd whirl") == ["salet", "courd", "whirl"]


def test_numbered_words_and_words_beside_rows_are_read(original: Game) -> None:
    assert read_share(original, "1. salet\n2) Courd\n3: whirl") == ["salet", "courd", "whirl"]
    mixed = "salet bbybb\nwhat a day\ncourd\nwhirl"
    assert read_share(original, mixed) == [("salet", "bbybb"), "courd", "whirl"]


def test_a_mastermind_grid_is_read() -> None:
    game = sleuth.mastermind()
    text = "Sleuth mastermind 4x6 2/10\n\n⚫⚪➖➖\n⚫⚫⚫⚫"
    rows = read_share(game, text, ["1122", "1314"])
    assert rows == [("1122", "1,1"), ("1314", "4,0")]
    assert read_share(game, "1122 1,1") == [("1122", "1,1")]
    black = sleuth.mastermind(black=True)
    assert read_share(black, "⚫➖➖➖\n⚫⚫⚫⚫", ["1122", "1314"]) == [("1122", "1"), ("1314", "4")]
    with pytest.raises(FeedbackError, match="no row of coloured squares"):
        read_share(black, "⚫⚪➖➖")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no row of coloured squares and no words"),
        ("hello there, world of fun", "no row of coloured squares and no words"),
        (GRID, "the grid has 3 rows and no words came with it"),
        (f"{GRID}\nsalet courd", "the grid has 3 rows and 2 words came with it: salet, courd"),
    ],
)
def test_what_a_pasted_text_lacks_is_told(original: Game, text: str, message: str) -> None:
    with pytest.raises(FeedbackError, match=message):
        read_share(original, text)


@given(st.text(alphabet=st.sampled_from("⬛🟨🟩 \nsaletcourd:bygBYG12,\ufe0f🎉é\0"), max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    game = sleuth.wordle(["salet", "court", "crude"])
    try:
        rows = read_share(game, text)
        reviewed(game, rows)
    except SleuthError as error:
        assert "\n" not in str(error) or "\n" in text  # noqa: PT017


# JSON and the command line


def test_json_is_plain_and_documented(trapped: Review, request: pytest.FixtureRequest) -> None:
    found = json.loads(json.dumps(trapped.to_json(), allow_nan=False))
    guide = (request.config.rootpath / "docs" / "review.md").read_text(encoding="utf-8")
    for key in [*found, *found["moves"][0], *found["moves"][0]["best"]]:
        assert f"`{key}`" in guide, key
    assert found["moves"][0]["feedback"] == "bbbbb"
    assert found["lost_counts_as"] == 12


@pytest.mark.smoke
def test_review_json(run: Run) -> None:
    found = json_of(run("review", "1122:3,0", "1123:3,0", "--game", "mastermind", "--json"))
    assert [move["guess"] for move in found["moves"]] == ["1122", "1123"]
    assert "1124" in found["moves"][1]["words_after"]


def test_review_for_people_fits_80_columns(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    code, out, err = run("review", *TRAP, "--answer", "tight")
    assert code == 0, err
    assert max(map(len, out.splitlines())) <= 80
    assert "\x1b" not in out
    assert " 3   M  [I] [G] [H] [T] ?   7 candidates, then 3" in out
    assert "skill ███████████▌········ 57" in out
    assert "Sleuth: CRANE, SLOTH, THUMP, TIGHT." in out
    assert "A lost game counts as 12 guesses." in " ".join(out.split())


def test_review_plain(run: Run) -> None:
    code, out, err = run("review", "1122:1,1", "--game", "mastermind", "--plain")
    assert code == 0, err
    assert out.startswith("Row 1: 1122: 1 in the right place, 1 in a wrong place.\nSkill ")
    assert not set(out) & set("█·")


def test_review_of_a_pasted_text(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path, words = tmp_path / "shared.txt", tmp_path / "words.txt"
    path.write_text(f"Wordle 1,234 3/6\n\n{GRID}\n", encoding="utf-8")
    words.write_text("salet\ncourd\nwhirl\n", encoding="utf-8")
    by_file = json_of(run("review", "--text", path, "salet", "courd", "whirl", "--answers", words, "--json"))
    stdin = io.TextIOWrapper(io.BytesIO(f"{GRID}\nsalet courd whirl\n".encode() + b"\xff\n"))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert json_of(run("review", "--text", "-", "--answers", words, "--json")) == by_file
    assert by_file["solved"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["salet"], "give what it got, such as salet:bygyb"),
        ([], "no row to review"),
        (["salet:bbybb", "--answer", "crane"], "row 1: salet would have got"),
        (["1122:1,1", "--game", "mastermind", "--words", "nyt"], "--words does not go with"),
    ],
)
def test_mistakes_on_the_command_line(run: Run, args: list[str], message: str) -> None:
    code, out, err = run("review", *args)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1, err
