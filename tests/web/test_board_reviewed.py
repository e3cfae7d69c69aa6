"""Reviews on the analysis board: what was said before goes, long ones can be stopped, codes are pegs."""

import pytest
from browsers import Held, Visit
from playwright.sync_api import Page, expect

PEGS = "game=mastermind&pegs=4&colours=6&rows=1122:1,0+1122:1,0+1345:4,0&tab=game"


def entered(page: Page, text: str) -> None:
    page.get_by_text("Put in a whole game").click()
    page.get_by_label("The words you guessed").fill(text)
    page.get_by_role("button", name="Put it on the board").click()


def test_what_was_said_of_the_game_before_goes(visit: Visit) -> None:
    page = visit("/analyse#rows=salet:bbybb+courd:bbbgb+whirl:ggggg&mode=odd&tab=game")
    expect(page.locator(".remark")).to_contain_text("mode=odd")
    expect(page.locator(".story-of-game .move")).to_have_count(3)

    held = Held(page, "**/api/v1/review")
    entered(page, "crane pilot plumb")
    held[0].continue_()  # the form asks first
    page.wait_for_function("() => location.hash.includes('plumb')")
    expect(page.locator(".remark")).to_be_empty()
    expect(page.locator(".story-of-game")).to_contain_text("Thinking the game through")
    expect(page.locator(".story-of-game .move")).to_have_count(0)
    expect(page.locator(".comment")).to_be_empty()
    held[1].continue_()
    expect(page.locator(".story-of-game .move")).to_have_count(3)


@pytest.mark.journey
def test_a_long_review_says_how_long_it_takes_and_can_be_stopped(visit: Visit) -> None:
    page = visit("/analyse#words=own&list=salet.whirl.until.lyric.pilot&rows=salet:bbybb")
    held = Held(page, "**/api/v1/review")
    page.get_by_role("button", name="Review this game").click()
    story = page.locator(".story-of-game")
    expect(story).to_contain_text("s so far")
    story.get_by_role("button", name="Stop").click()
    expect(story).to_contain_text("The review was stopped.")
    expect(story.get_by_role("button", name="Review this game")).to_be_focused()
    # Walking about does not ask again.
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".board-status")).to_contain_text("5 words left")
    assert len(held.routes) == 1
    page.unroute("**/api/v1/review")
    story.get_by_role("button", name="Review this game").click()
    expect(story.locator(".move")).to_have_count(1)


def test_sentences_show_codes_as_pegs(visit: Visit) -> None:
    page = visit(f"/analyse#{PEGS}")
    verdict = page.locator(".story-of-game .move .verdict").nth(1)
    # The guess was made before: it is named, and so is a better one.
    expect(verdict).to_contain_text("was played in row 1 already")
    expect(verdict.get_by_role("img", name="red, red, blue, blue")).to_be_visible()
    assert verdict.locator(".code").count() == 2
    assert "1122" not in verdict.inner_text()
    # On the board too, and numbers that count something stay.
    page.get_by_role("button", name="A move back").click()
    expect(page.locator(".comment").get_by_role("img", name="red, red, blue, blue")).to_be_visible()
    assert "1,296 answers" in page.locator(".story-of-game").inner_text()
