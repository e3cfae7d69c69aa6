"""Fixtures for tests in a real browser: a server, a browser, pages that keep their troubles.

A test that drives a browser is thorough, but for journeys: `@pytest.mark.journey`, or with the names of the
parameters for which it is one. test_journeys.py says how many there may be.

What drives a browser is imported by those who ask for it: the smoke tests beside them have none.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from servers import Client, serving, wait_until

from sleuth.web.limits import Limits

if TYPE_CHECKING:
    from browsers import Visit
    from playwright.sync_api import Browser, BrowserContext, Page


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out the file that is slow to collect where none of its tests would run."""
    left = collection_path.name == "test_document.py" and config.option.markexpr == "not thorough"
    return left or None


_JOURNEYS = pytest.StashKey[tuple[list[str], set[str]]]()


@pytest.hookimpl(tryfirst=True)  # before the choice by -m
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    found, named = [], set()
    for item in items:
        if "chromium" not in getattr(item, "fixturenames", ()):
            continue
        mark = item.get_closest_marker("journey")
        function, _, parameters = item.nodeid.removesuffix("]").partition("[")
        named |= {f"{function}[{name}]" for name in (mark.args if mark else ())}
        if mark is None or (mark.args and parameters not in mark.args):
            item.add_marker(pytest.mark.thorough)
        elif item.get_closest_marker("thorough") is None:
            found.append(item.nodeid)
    config.stash[_JOURNEYS] = found, named


@pytest.fixture
def journeys(pytestconfig: pytest.Config) -> tuple[list[str], set[str]]:
    """Return the tests that drive a browser and are not thorough, and those named by parameters."""
    return pytestconfig.stash[_JOURNEYS]


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


@pytest.fixture(scope="session")
def contexts(chromium: object) -> dict[bool, BrowserContext]:
    """Return the contexts of the first visit of each test, with touch and without."""
    return {}


@pytest.fixture
def visit(browser: Browser, address: str, contexts: dict[bool, BrowserContext]) -> Iterator[Visit]:
    from browsers import Visitor

    visitors: list[Visitor] = []

    def visit(path: str = "/", alone: bool = False, **options: Any) -> Page:
        """Open a page. alone: in a context of its own, for what a context cannot be freed of."""
        touch = options.get("size") == "phone"
        used = contexts.get(touch)
        alone = alone or "address" in options or options.get("offline", False)
        alone = alone or used in [visitor.context for visitor in visitors]
        visitor = Visitor(browser, options.pop("address", address), used=None if alone else used, **options)
        if not alone:
            contexts[touch] = visitor.context
        visitors.append(visitor)
        visitor.page.goto(path)
        visitor.page.wait_for_selector("html[data-ready]")
        return visitor.page

    yield visit
    troubles = [trouble for visitor in visitors for trouble in visitor.troubles]
    for context in {visitor.context for visitor in visitors}:
        if context in contexts.values():
            for page in context.pages:
                page.close()
        else:
            context.close()
    assert troubles == []
