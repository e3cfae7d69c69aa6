"""The analysis board in the largest text on a phone: nothing is cut off."""

import pytest
from browsers import Visit, picture
from playwright.sync_api import Page

STATES = {
    "guesses": ("#rows=salet:bbybb", ".ranking tbody tr"),
    "try": ("#rows=salet:bbybb&tab=try&try=crony", ".groups li"),
    "words": ("#rows=salet:bbybb&tab=words", ".words-left .chip"),
    "openers": ("#tab=openers", ".openers tbody tr"),
    "boards": ("#boards=4&rows=salet:bbybb/bgbbb/bbbbb/ybbbb", ".ranking tbody tr"),
    "pegs": ("#game=mastermind&rows=1122:1,1&tab=try&try=1234", ".groups li"),
}


def too_wide(page: Page) -> int:
    wide: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return wide


@pytest.mark.parametrize("state", STATES)
def test_the_largest_text_fits_a_phone(visit: Visit, state: str) -> None:
    address, there = STATES[state]
    page = visit(f"/analyse{address}", size="phone")
    page.get_by_role("button", name="Appearance").click()
    page.get_by_label("Larger", exact=True).check()
    page.keyboard.press("Escape")
    page.wait_for_selector(there)
    page.wait_for_timeout(300)
    picture(page, f"larger-{state}", whole=True)
    assert too_wide(page) <= 0
