"""Fixtures for tests in a real browser: a server and a browser a module, pages that keep their troubles.

What drives a browser is imported by those who ask for it: the smoke tests beside them have none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from browsers import Visit
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="session")  # it takes seconds to start, and keeps nothing between tests but answers
def address() -> Iterator[str]:
    from browsers import prepared_server

    with prepared_server() as address:  # the first minute has a test of its own
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from browsers import CHROMIUM, QUIET
    from playwright.sync_api import sync_playwright

    if not CHROMIUM.exists():
        pytest.fail(f"{CHROMIUM} is missing; install it with: apt-get install chromium-headless-shell")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(QUIET))
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    from browsers import Visitor

    visitors = []

    def visit(path: str = "/", **options: Any) -> Page:
        visitor = Visitor(browser, options.pop("address", address), **options)
        visitors.append(visitor)
        visitor.page.goto(path)
        visitor.page.wait_for_selector("html[data-ready]")
        return visitor.page

    yield visit
    troubles = [trouble for visitor in visitors for trouble in visitor.troubles]
    for visitor in visitors:
        visitor.context.close()
    assert troubles == []
