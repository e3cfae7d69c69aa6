"""One number for one thing, wherever the page shows it, and hints and keys that are not lost."""

import re

import pytest
from browsers import Held, Visit, guess, judged
from playwright.sync_api import Page, expect

from sleuth.coaching.playing.puzzles import answers_of
from sleuth.games import wordlists

ANSWERS = wordlists.load("original").answers


def spots(page: Page) -> list[str]:
    """Return what the graph says of the start and of each move."""
    expect(page.locator("svg.graph .spot").first).to_be_attached()
    return [spot.get_attribute("aria-label") or "" for spot in page.locator("svg.graph .spot").all()]


def test_two_boards_have_one_value_in_graph_story_and_suggestions(visit: Visit) -> None:
    page = visit("/analyse#boards=2&rows=salet+crony&answer=whirl/cabal&tab=game")
    start, first, second = spots(page)
    assert "2,315 words left on each board" in start
    assert "99 · 18 words left" in first
    values = [re.findall(r"[\d.]+(?= guesses expected, estimate)", spot)[0] for spot in (start, first)]
    facts = page.locator(".moves .facts")
    for move, value in enumerate(values):
        best, here = re.findall(r"[\d.]+(?= estimate)", facts.nth(move).inner_text())
        assert best == value
        saved = re.findall(r"about ([\d.]+) guess", page.locator(".moves .verdict").nth(move).inner_text())[0]
        assert round(float(here) - float(best), 2) == float(saved)  # as they are shown
    page.locator("svg.graph .spot").nth(1).click()
    page.get_by_role("tab", name="Best guesses").click()
    expect(page.locator(".ranking tbody tr").first).to_contain_text(f"{values[1]} estimate")
    page.locator("svg.graph .spot").nth(2).click()
    after = re.findall(r"([\d.]+) guesses expected, at most", second)[0]
    expect(page.locator(".ranking tbody tr").first).to_contain_text(f"{after} at most")


def test_what_is_proved_of_a_first_guess_is_in_its_review(visit: Visit) -> None:
    page = visit("/analyse#game=mastermind&rows=1123:1,1&tab=game")
    assert "4.34 guesses expected, proved" in spots(page)[0]
    expect(page.locator("svg.graph .spot text").first).to_have_text("4.34")
    expect(page.locator(".moves .facts").first).to_contain_text("the best: 4.34 guesses, proved")


def test_a_loss_is_worded_alike_in_review_and_trying(visit: Visit) -> None:
    for address, word, loss in (
        ("rows=slate:bbbbb", "slate", "less than 0.01"),
        ("rows=crane:bbbbb", "crane", "0.01"),  # 3.43 beside 3.42, though it is 0.004
        ("rows=crane:bbbbb+moist:bbybg", "moist", "0.09"),  # 2.88 beside 2.79, though it is 0.084
    ):
        page = visit(f"/analyse#{address}&tab=game")
        expect(page.locator(".moves .verdict").last).to_contain_text(f"saves {loss} guesses")
        at = address.count("+")
        page.goto(f"/analyse#{address}&at={at}&tab=try&try={word}")
        verdict = page.locator(".panel:not([hidden]) .verdict")
        expect(verdict).to_contain_text(f"costs {loss} guesses more")
        if loss.startswith("0"):
            here, best = page.locator(".versus tbody tr").first.locator("td").all_inner_texts()
            shown = float(here.split()[0]) - float(best.split()[0])
            assert round(shown, 2) == float(loss)


def test_the_strategy_has_the_digits_of_the_guesses(visit: Visit) -> None:
    page = visit("/analyse#rows=salet:bbybb&tab=strategy")
    lead = page.locator(".panel:not([hidden])").get_by_text("this strategy takes")
    expect(lead).to_contain_text(re.compile(r"takes \d\.\d\d guesses on average"))


def test_numbers_are_rounded_as_the_sentences_of_the_server_do(visit: Visit) -> None:
    page = visit("/records")
    numbers = [2.125, 2.375, 2.675, 1.005, 0.5, 3.0, 2.7931]
    shown = page.evaluate(
        """async numbers => {
            const frame = document.querySelector("script[type=module]").src;
            const { fixed } = await import(new URL("dom.js", frame));
            return numbers.map(number => fixed(number));
        }""",
        numbers,
    )
    assert shown == [f"{number:.2f}" for number in numbers]


def test_a_hint_outlives_a_reload_and_counts_once(visit: Visit) -> None:
    page = visit("/?puzzle=77", reduced_motion="reduce")
    guess(page, "salet")

    def again() -> None:
        page.reload()
        page.wait_for_selector("html[data-ready]")

    def hints() -> int:
        found: int = page.evaluate(
            "JSON.parse(Object.entries(localStorage).find(([key]) => key.includes('.77'))[1]).hints"
        )
        return found

    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hint")).to_contain_text("still fit")
    told = page.locator(".hint").inner_text()
    again()
    expect(page.locator(".hint")).to_have_text(told)
    assert hints() == 1
    page.get_by_role("button", name="Suggest a guess").click()
    expect(page.locator(".hint.guess")).to_be_visible()
    told = page.locator(".hint").inner_text()
    again()
    expect(page.locator(".hint.guess")).to_have_text(told, ignore_case=True)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hint.guess")).to_have_text(told, ignore_case=True)
    assert hints() == 1  # all that is told before a guess
    guess(page, "crony")
    again()
    expect(page.locator(".typing")).to_be_visible()
    expect(page.locator(".hint")).to_have_count(0)


@pytest.mark.journey
def test_keys_pressed_while_a_guess_is_on_its_way_fill_the_next_row(visit: Visit) -> None:
    page = visit("/?puzzle=77", reduced_motion="reduce")
    waiting = Held(page, "**/api/v1/guess")
    page.keyboard.type("salet")
    page.keyboard.press("Enter")
    page.keyboard.type("cronx")
    page.keyboard.press("Backspace")
    page.keyboard.type("y")
    page.keyboard.press("Enter")
    page.keyboard.type("pi")
    for number in (1, 2):
        waiting[number - 1].continue_()
        expect(page.locator(".typing input")).to_have_attribute("aria-label", f"Guess {number + 1} of 6")
    expect(page.locator(".typing input")).to_have_value("pi")
    assert len(judged(page)) == 2
    assert not {"salet", "crony"} & set(answers_of(ANSWERS, 77))
    page.unroute_all(behavior="wait")
