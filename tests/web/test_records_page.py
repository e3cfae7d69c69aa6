"""The table of results in a real browser, and what the API says of it."""

import httpx
import pytest
from browsers import Visit, is_accessible_and_fits
from playwright.sync_api import Page, expect

from sleuth.ledger.record import read, records


def names(page: Page) -> list[str]:
    """Return the names of the rows that are shown."""
    found: list[str] = page.locator(".records-table dd:nth-of-type(1)").all_text_contents()
    return found


def test_the_api_has_every_row(address: str) -> None:
    answer = httpx.get(f"{address}/api/v1/records", timeout=300).raise_for_status()
    words = ("title", "task", "result", "mean")
    rows = [
        {key: value for key, value in row.items() if key not in words} for row in answer.json()["records"]
    ]
    assert [read(row) for row in rows] == list(records())


@pytest.mark.parametrize(("size", "scheme"), [("phone", "dark"), ("desktop", "light")])
def test_every_row_is_there(visit: Visit, size: str, scheme: str) -> None:
    page = visit("/records", size=size, scheme=scheme, reduced_motion="reduce")
    page.wait_for_selector(".records-table tbody tr")
    assert names(page) == [row.name for row in records()]
    heads = "heads => heads.map(head => head.getBoundingClientRect().height)"
    assert len(set(page.locator(".records-table thead th:visible").evaluate_all(heads))) == 1
    scroller = page.locator(".records .scroll")  # what has no room is in the row, not beyond the edge
    assert scroller.evaluate("one => one.scrollWidth <= one.clientWidth")
    shown = page.locator(".records-table tbody").inner_text()
    assert all(told in shown for told in ("Original words, strict mode", "2,000 frequent", "7,920"))
    assert "original:2315" not in shown  # players know no such name
    is_accessible_and_fits(page, f"records-{size}-{scheme}")


@pytest.mark.journey("desktop-light")
@pytest.mark.parametrize(("size", "scheme"), [("phone", "dark"), ("desktop", "light")])
def test_rows_are_sorted_and_opened(visit: Visit, size: str, scheme: str) -> None:
    page = visit("/records", size=size, scheme=scheme, reduced_motion="reduce")
    page.wait_for_selector(".records-table tbody tr")
    page.get_by_label("Games").select_option("Bulls and Cows")
    page.get_by_label("Status").select_option("Proved")
    proved = [row for row in records() if row.game.game == "bulls-and-cows" and row.status == "proved"]
    assert names(page) == [row.name for row in proved]
    page.get_by_role("button", name="Result").click()
    expect(page.get_by_role("columnheader", name="Result")).to_have_attribute("aria-sort", "ascending")
    assert names(page) == [row.name for row in sorted(proved, key=lambda row: row.at_least[0])]
    page.get_by_role("button", name="Result").click()
    expect(page.get_by_role("columnheader", name="Result")).to_have_attribute("aria-sort", "descending")
    assert names(page) == [row.name for row in sorted(proved, key=lambda row: -row.at_least[0])]
    page.get_by_role("button", name="Result").click()
    assert names(page) == [row.name for row in proved]
    page.locator(".records-table summary").first.click()
    expect(page.locator(".records-table code").first).to_have_text(proved[0].command)
    is_accessible_and_fits(page, f"records-open-{size}-{scheme}")


def test_compare_and_the_header_lead_there(visit: Visit) -> None:
    page = visit("/compare")
    assert page.locator("nav").get_by_role("link", name="Records").get_attribute("href") == "/records"
    page.locator(".compare").get_by_role("link", name="Records").click()
    expect(page.locator(".records h1")).to_have_text("How well can it be played?")
    assert page.url.endswith("/records")
