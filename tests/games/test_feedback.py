import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleuth.games.feedback import (
    BlackPegNotation,
    LabelNotation,
    MarkNotation,
    PegNotation,
    Style,
    pegs,
    wordle_marks,
)
from sleuth.support.errors import FeedbackError

FIVE = MarkNotation(5)


def shown(guess: str, answer: str) -> str:
    return "".join("BYG"[mark] for mark in wordle_marks(guess, answer))


@pytest.mark.parametrize(
    ("answer", "guess", "feedback"),
    [
        ("weary", "trawl", "BYGYB"),
        ("draft", "twist", "BBBBG"),
        ("glean", "nanny", "YYBBB"),
        ("abbey", "babes", "YYGGB"),
        ("crane", "eerie", "BBYBG"),
    ],
)
def test_marks_of_repeated_letters(answer: str, guess: str, feedback: str) -> None:
    assert shown(guess, answer) == feedback


def test_words_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="shorter"):
        wordle_marks("crane", "cran")


@given(st.text("ab", min_size=4, max_size=4), st.text("abc", min_size=4, max_size=4))
def test_each_letter_is_hinted_at_as_often_as_both_words_have_it(guess: str, answer: str) -> None:
    marks = wordle_marks(guess, answer)
    for letter in set(guess):
        hinted = sum(mark > 0 for g, mark in zip(guess, marks, strict=True) if g == letter)
        assert hinted == min(guess.count(letter), answer.count(letter))


@pytest.mark.parametrize("style", ["letters", "digits", "emoji"])
@given(length=st.integers(1, 10), data=st.data())
def test_marks_read_as_they_are_shown(style: Style, length: int, data: st.DataObject) -> None:
    notation = MarkNotation(length)
    code = data.draw(st.integers(0, 3**length - 1))
    assert notation.parse(notation.show(code, style)) == code


@pytest.mark.parametrize(
    "text",
    [
        *("bygyb", "BYGYB", " b y g y b ", "01210", "-121-", ".y2y.", "xygyx", "_YGY_", "⬛🟨🟩🟨⬛"),
        *(
            "⬜🟨🟩🟨⬜",
            "⬛️🟨🟩🟨⬛️",
            "⬜︎🟨🟩🟨⬜︎",
            "⬛🟦🟧🟦⬛",
            "🔲🟨🟩🟨🔳",
            "▪️🟨🟩🟨▫️",
            "⬛ 🟨 🟩\n🟨 ⬛",
        ),
    ],
)
def test_marks_are_read_in_many_spellings(text: str) -> None:
    assert FIVE.parse(text) == int("01210", 3)


def test_the_first_letter_is_the_most_significant_digit() -> None:
    assert FIVE.parse("gbbbb") == 2 * 81
    assert FIVE.marks(2 * 81 + 1) == (2, 0, 0, 0, 1)


@pytest.mark.parametrize("text", ["bygy", "bygybb", "", "  "])
def test_marks_of_a_wrong_number_are_refused(text: str) -> None:
    marks = len(text.strip())
    with pytest.raises(FeedbackError, match=rf"has {marks} marks; it takes 5 marks.*for example bygyb"):
        FIVE.parse(text)


@pytest.mark.parametrize(
    ("text", "wrong"), [("bygqb", "q"), ("bygyb!", "!"), ("0123⬛", "3"), ("🟥🟨🟩🟨⬛", "🟥")]
)
def test_marks_that_do_not_exist_are_named(text: str, wrong: str) -> None:
    with pytest.raises(FeedbackError, match=f"has '{wrong}'; it takes 5 marks"):
        FIVE.parse(text)


@pytest.mark.parametrize(("length", "example"), [(2, "by"), (6, "bygybb"), (10, "bygybbygyb")])
def test_the_example_has_the_right_length(length: int, example: str) -> None:
    assert MarkNotation(length).example == example


def test_pegs_count_each_symbol_once() -> None:
    assert pegs("1122", "1213") == (1, 2)
    assert pegs("1111", "1222") == (1, 0)
    assert pegs("1234", "4321") == (0, 4)


@pytest.mark.parametrize("text", ["2,1", "2-1", "2 1", " 2 , 1 ", "21", "2a1b", "2A1B", "2B1W"])
def test_pegs_are_read_in_many_spellings(text: str) -> None:
    assert PegNotation(4).parse(text) == 2 * 5 + 1


@given(st.integers(2, 10), st.data())
def test_pegs_read_as_they_are_shown(n: int, data: st.DataObject) -> None:
    black = data.draw(st.integers(0, n))
    white = data.draw(st.integers(0, n - black).filter(lambda white: (black, white) != (n - 1, 1)))
    notation = PegNotation(n)
    assert notation.parse(notation.show(black * (n + 1) + white)) == black * (n + 1) + white


@pytest.mark.parametrize("text", ["", "2", "-1,2", "2;1", "bygy", "3,2", "3,1", "5,0", "1,2,3"])
def test_pegs_that_cannot_be_are_refused(text: str) -> None:
    with pytest.raises(FeedbackError, match=r"two numbers.*at most 4, for example 1,2"):
        PegNotation(4).parse(text)


@pytest.mark.parametrize("text", ["2", " 2 ", "2b", "2 B", "2A"])
def test_black_pegs_are_one_number(text: str) -> None:
    assert BlackPegNotation(4).parse(text) == 2
    assert [BlackPegNotation(4).show(code) for code in range(5)] == list("01234")
    assert BlackPegNotation(4).told(2) == "2 in the right place"


@pytest.mark.parametrize("text", ["", "5", "-1", "1,2", "21", "bygy", "2w"])
def test_black_pegs_that_cannot_be_are_refused(text: str) -> None:
    with pytest.raises(
        FeedbackError, match=r"one number, of those in the right place, at most 4, for ex.* 1$"
    ):
        BlackPegNotation(4).parse(text)


def test_labels_read_as_they_are_shown() -> None:
    notation = LabelNotation(("-1", "0", "1"))
    assert [notation.parse(notation.show(code)) for code in range(3)] == [0, 1, 2]
    assert notation.parse(" 1 ") == 2


def test_labels_that_do_not_exist_are_answered_with_those_that_do() -> None:
    with pytest.raises(FeedbackError, match=r"'up' is none of this game's: -1, 0, 1$"):
        LabelNotation(("-1", "0", "1")).parse("up")
    with pytest.raises(FeedbackError, match=r"0, 1, 2, 3, 4, 5, 6, 7, …"):
        LabelNotation(tuple("0123456789")).parse("up")


@pytest.mark.parametrize("pegs", range(2, 11))
@pytest.mark.parametrize("kind", [PegNotation, BlackPegNotation])
def test_examples_of_pegs_can_be(kind: type[PegNotation], pegs: int) -> None:
    notation = kind(pegs)
    assert notation.show(notation.parse(notation.example)) == notation.example
