"""A whole game put on the analysis board in a real browser, in every form that people have it."""

import pytest
from browsers import Visit
from playwright.sync_api import Page, expect

WHIRL = "rows=salet:bbybb+courd:bbbgb+whirl:ggggg"


def put_in(page: Page, text: str, answer: str = "") -> None:
    page.get_by_label("The words you guessed").fill(text)
    page.locator(".enter-game").get_by_label("The answer").fill(answer)
    page.get_by_role("button", name="Put it on the board").click()


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("salet courd whirl", ""),
        ("Salet, Courd, Whirl", ""),
        ("1. salet\n2. courd\n3. whirl", ""),
        ("salet courd whirl", "whirl"),
        ("salet:bbybb courd:bbbgb whirl:ggggg", ""),
        ("salet: BBYBB\ncourd: bbbgb\nwhirl: ggggg", ""),
        ("salet bbybb\ncourd bbbgb\nwhirl ggggg", ""),
        ("salet 00100\ncourd 00020\nwhirl 22222", "whirl"),
        ("salet bbybb courd whirl", "whirl"),
        ("salet bbybb courd whirl", ""),
        ("salet, courd bbbgb, whirl", "whirl"),
        ("⬛⬛🟨⬛⬛ salet\n⬛⬛⬛🟩⬛ courd\n🟩🟩🟩🟩🟩 whirl", ""),
    ],
)
def test_a_game_is_read_as_people_write_it(visit: Visit, text: str, answer: str) -> None:
    page = visit("/analyse#tab=game")
    put_in(page, text, answer)
    expect(page.locator(".board-status")).to_have_text("Solved in 3 guesses.")
    assert WHIRL in page.url


@pytest.mark.parametrize(
    ("text", "answer", "says"),
    [
        ("", "", "Type the words that were guessed"),
        ("salet cxxxx whirl", "", "cxxxx is not in the word list"),
        ("salet courds whirl", "", "courds"),
        ("salet courd", "zzzzz", "zzzzz is not in the word list"),
        ("salet", "", "alone: give what it got"),
        ("salet:bbybb courd:ggggg", "whirl", "courd would have got"),
        ("what a lovely game that was!", "", "no row of coloured squares"),
        ("salet bbybb courd", "", "is 'courd' alone: give what it got"),
        ("salet bbyb courd", "whirl", "“bbyb” is 4 colours, and SALET has 5 letters"),
        ("🟩🟩🟩🟩🟨\n🟩🟩🟩🟩🟩", "", "No words give these colours"),
    ],
)
def test_what_cannot_be_read_is_told(visit: Visit, text: str, answer: str, says: str) -> None:
    page = visit("/analyse#tab=game")
    put_in(page, text, answer)
    expect(page.locator(".enter-game")).to_contain_text(says, ignore_case=True)
    assert "rows=" not in page.url
    assert page.get_by_role("button", name="Open this game").count() == 0


def test_signs_that_are_no_letters_are_left_out_of_a_word(visit: Visit) -> None:
    page = visit("/analyse")
    word = page.get_by_label("Guess 1")
    word.press_sequentially("s!al-")
    expect(word).to_have_value("sal")


def test_a_word_that_is_left_unfinished_is_not_taken(visit: Visit) -> None:
    page = visit("/analyse#rows=salet:bbybb+courd:bbbgb")
    page.get_by_label("Guess 2").fill("cro")
    page.get_by_label("Guess 2").blur()
    expect(page.locator("[data-row='1'] .tile")).to_have_text(list("courd"), ignore_case=True)
    assert page.url.endswith("courd:bbbgb")


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("rows=salet:bbybb&answer=zz", "answer=zz"),
        ("tab=try&try=abc", "try=abc"),
        ("boards=99", "1 to 8 boards are analysed together"),
        ("game=mastermind&pegs=99", "2 to 10 pegs"),
    ],
)
def test_what_an_address_cannot_mean_is_told(visit: Visit, query: str, says: str) -> None:
    page = visit(f"/analyse#{query}")
    expect(page.locator(".remark")).to_contain_text(says, ignore_case=True)


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ("rows=salet:bbybb&", "its rows are read against the original words instead"),
        ("rows=hunde:bbybb+schnee:bbbbbb&", "its rows are read against the original words instead"),
        ("", "here are the original words instead"),
    ],
)
def test_words_that_cannot_be_had_are_told_with_those_in_their_place(
    visit: Visit, rows: str, says: str
) -> None:
    page = visit(f"/analyse#{rows}words=own")
    expect(page.locator(".remark")).to_contain_text("this browser does not have them", ignore_case=True)
    expect(page.locator(".remark")).to_contain_text(says, ignore_case=True)
    assert "some of these are not" not in page.locator(".remark").inner_text()
    expect(page.locator(".board-game")).to_contain_text("Original words")
    assert page.url.endswith(f"/analyse#{rows}words=own")


def test_what_is_wrong_with_a_grid_is_told_once(visit: Visit) -> None:
    page = visit("/analyse#tab=game")
    put_in(page, "🟩🟩🟩🟩🟨\n🟩🟩🟩🟩🟩")
    expect(page.locator(".enter-game [role=alert]")).to_have_count(1)
    text = page.locator(".enter-game").inner_text()
    assert text.count("fits it") == 1
    assert page.locator(".list-choice").count() == 0


def test_a_grid_takes_the_place_of_the_game_before(visit: Visit) -> None:
    page = visit(f"/analyse#{WHIRL}&tab=game")
    page.wait_for_selector(".moves .move")
    page.get_by_text("Put in a whole game").click()
    put_in(page, "⬛⬛🟩⬛⬛\n🟨⬛🟩🟩⬛\n🟩🟩🟩🟩🟩")
    page.wait_for_selector(".fit-words .chip")
    expect(page.locator(".story-of-game")).to_be_hidden()
    expect(page.get_by_text("Opening it puts it in the place of the game on the board")).to_be_visible()
    for row in (2, 1, 0):  # while the answer narrows the others
        page.locator(".blanks > li").nth(row).locator(".chip").first.click()
    expect(page.locator(".fitting")).to_contain_text("one answer fits")
    page.get_by_role("button", name="Open this game").click()
    expect(page.locator(".story-of-game .move")).to_have_count(3)
    assert WHIRL not in page.url
    page.get_by_role("button", name="Undo").click()
    assert WHIRL in page.url


def test_a_grid_on_offer_may_be_let_go(visit: Visit) -> None:
    page = visit(f"/analyse#{WHIRL}&tab=game")
    page.wait_for_selector(".moves .move")
    page.get_by_text("Put in a whole game").click()
    put_in(page, "⬛⬛🟩⬛⬛\n🟨⬛🟩🟩⬛\n🟩🟩🟩🟩🟩")
    page.get_by_role("button", name="Never mind this grid").click()
    expect(page.locator(".fitting")).to_have_count(0)
    expect(page.locator(".story-of-game .move")).to_have_count(3)


def test_a_grid_in_letters_has_blanks_without_asking_for_a_review(visit: Visit) -> None:
    page = visit("/analyse#tab=game")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    put_in(page, "bbybb\nbbbgb\nggggg")
    page.wait_for_selector(".fit-words .chip")
    assert "review" not in asked


GRID = "🟩⬛⬛⬛⬛\n⬛🟨⬛⬛⬛\n🟩🟩🟩🟩🟩"


def test_a_word_typed_into_a_blank_narrows_as_one_pressed(visit: Visit) -> None:
    page = visit("/analyse#tab=game")
    put_in(page, GRID)
    rows = page.locator(".blanks > li")
    expect(rows).to_have_count(3)
    told, many = page.locator(".fitting"), rows.nth(0).locator(".cluster > .soft")
    first = many.inner_text()
    page.get_by_label("Word of row 3").fill("think")
    expect(told).to_contain_text("one answer fits")
    expect(rows.nth(2)).to_contain_text("1 word fits")
    of_think = many.inner_text()
    assert of_think != first
    page.get_by_label("Word of row 3").fill("livid")
    expect(rows.nth(2).locator(".chip")).to_have_text("LIVID", ignore_case=True)
    expect(many).not_to_have_text(of_think)
    page.get_by_label("Word of row 3").fill("")
    expect(many).to_have_text(first)


def test_enter_goes_on_to_the_next_blank_and_words_that_cannot_be_are_refused_there(visit: Visit) -> None:
    page = visit("/analyse#tab=game")
    put_in(page, GRID)
    rows, fields = page.locator(".blanks > li"), page.locator(".blank")
    fields.nth(2).fill("think")
    fields.nth(0).fill("zzzzz")
    expect(rows.nth(0).locator(".problem")).to_contain_text("Zzzzz is not in the word list")
    fields.nth(0).press("Enter")
    expect(fields.nth(1)).to_be_focused()
    assert "Fill every row" not in page.locator(".fitting").inner_text()
    fields.nth(1).fill("salet")
    expect(rows.nth(1).locator(".problem")).to_have_text("Salet does not get that when think is the answer.")
    page.get_by_role("button", name="Open this game").click()
    expect(fields.nth(0)).to_be_focused()  # the form stays, and the first row that cannot be
    expect(fields.nth(2)).to_have_value("think")
    fields.nth(2).fill("zzzzz")
    expect(rows.nth(2).locator(".problem")).to_contain_text("zzzzz is not in the word list")
    expect(rows).to_have_count(3)
    fields.nth(2).fill("think")
    fields.nth(0).fill("tubby")
    fields.nth(1).fill("fives")
    fields.nth(1).press("Enter")
    expect(page.locator(".story-of-game .move")).to_have_count(3)
