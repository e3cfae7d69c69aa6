"""Fixtures for tests in a real browser: a server and a browser a module, pages that keep their troubles."""

import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from browsers import CHROMIUM, COMPILING, QUIET, Visit, Visitor, free_port, server
from playwright.sync_api import Browser, Page, sync_playwright


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with server(free_port()) as address:
        until = time.monotonic() + COMPILING
        # The views are about what comes after that; the first minute has a test of its own.
        while httpx.get(f"{address}/health").json()["prepared"] < 1:
            assert time.monotonic() < until, "the server does not get ready"
            time.sleep(1)
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.fail(f"{CHROMIUM} is missing; install it with: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(QUIET))
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
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
