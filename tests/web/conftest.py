"""Fixtures for tests in a real browser: a server, a browser, pages that keep their troubles.

A test that drives a browser is thorough, but for journeys: `@pytest.mark.journey`, or with the names of the
parameters for which it is one. test_journeys.py says how many there may be.

What drives a browser is imported by those who ask for it: the smoke tests beside them have none.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from servers import Client, serving, wait_until

from sleuth.web.limits import Limits

if TYPE_CHECKING:
    from browsers import Visit
    from playwright.sync_api import Browser, Page


@pytest.hookimpl(tryfirst=True)  # before the choice by -m
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            mark = item.get_closest_marker("journey")
            if mark is None or (mark.args and item.callspec.id not in mark.args):  # type: ignore[attr-defined]
                item.add_marker(pytest.mark.thorough)


@pytest.fixture(scope="session")  # it takes seconds to start, and keeps nothing between tests but answers
def client() -> Iterator[Client]:
    """Run the server of all tests that need no other; the first minute of one has a test of its own."""
    with serving(Limits(seconds=600, long_seconds=600, job_seconds=600), warm=True) as client:
        wait_until(lambda: client.get("/health").json()["prepared"] == 1)  # kernels may have to be compiled
        yield client


@pytest.fixture(scope="session")
def address(client: Client) -> str:
    return str(client.base_url).rstrip("/")


@pytest.fixture(scope="session")
def chromium() -> Iterator[tuple[Browser, asyncio.AbstractEventLoop]]:
    """Start a browser, and the loop that talks to it; it runs for asyncio only while a test asks for it."""
    from browsers import CHROMIUM, QUIET
    from playwright.sync_api import sync_playwright

    if not CHROMIUM.exists():
        pytest.fail(f"{CHROMIUM} is missing; install it with: apt-get install chromium-headless-shell")
    with sync_playwright() as playwright:
        loop = asyncio.get_running_loop()
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(QUIET))
        asyncio._set_running_loop(None)
        yield browser, loop
        asyncio._set_running_loop(loop)
        browser.close()


@pytest.fixture
def browser(chromium: tuple[Browser, asyncio.AbstractEventLoop]) -> Iterator[Browser]:
    browser, loop = chromium
    asyncio._set_running_loop(loop)
    yield browser
    asyncio._set_running_loop(None)  # tests in between run loops of their own


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
