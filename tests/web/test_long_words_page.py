"""Words of fifteen letters on the page: they are played and analysed, and a phone has room for them."""

import pytest
from browsers import Visit, enter, guess, is_accessible_and_fits, judged
from long_words import some_words
from playwright.sync_api import expect

from sleuth.coaching.playing.puzzles import answers_of
from sleuth.games.feedback import MarkNotation, typed
from sleuth.games.rules import WordleRules

WORDS = tuple(some_words(12, 15))
GAME = f"words=own&list={'.'.join(WORDS)}"
PUZZLE = 5


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_a_puzzle_of_long_words(visit: Visit, size: str) -> None:
    page = visit(f"/?{GAME}&puzzle={PUZZLE}", size=size, reduced_motion="reduce")
    (answer,) = answers_of(WORDS, PUZZLE, 1)
    first = next(word for word in WORDS if word != answer)
    for word in (first, answer):
        guess(page, word)
    rules = WordleRules(15)
    assert judged(page) == [typed(MarkNotation(15), rules.code(word, answer)) for word in (first, answer)]
    page.keyboard.press("Escape")  # what came of it
    is_accessible_and_fits(page, f"long-play-{size}")


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_a_board_of_long_words(visit: Visit, size: str) -> None:
    page = visit(f"/analyse#{GAME}", size=size, reduced_motion="reduce")
    enter(page, 0, WORDS[0], WORDS[7])
    panel = page.get_by_role("tabpanel")
    for tab in ("Best guesses", "Words left", "Openers"):
        page.get_by_role("tab", name=tab).click()
        expect(panel.get_by_text(WORDS[7]).first).to_be_visible()
        expect(page.locator("[aria-busy=true]")).to_have_count(0)  # faint until then
        is_accessible_and_fits(page, f"long-{tab}-{size}")
    panel.get_by_role("button", name=WORDS[3]).click()  # which tries it
    expect(panel.get_by_role("columnheader", name=WORDS[3])).to_be_visible()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    is_accessible_and_fits(page, f"long-try-{size}")
