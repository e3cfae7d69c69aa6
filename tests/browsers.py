"""A real browser on the page of a server, and what it must not see. Fixtures are in tests/web/conftest.py."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Literal

import httpx
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Route, ViewportSize, expect

from sleuth.games.feedback import wordle_marks

SHELL = Path("/usr/bin/chromium-headless-shell")
CHROMIUM = SHELL if SHELL.exists() else Path("/usr/bin/chromium")
"""The browser without a window takes a third less of the processor."""
QUIET = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-sync",
    "--no-first-run",
)
PICTURES = Path(__file__).parents[1] / "screenshots"
"""Where pictures of what is tested are kept, if that folder is there: they take as long as some tests."""
SIZES: dict[str, ViewportSize] = {
    "phone": {"width": 360, "height": 740},
    "desktop": {"width": 1280, "height": 800},
}
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
MEDIA = ("reduced_motion", "contrast", "forced_colors")
"""What a page is told of the wishes of who looks at it, beside the scheme."""
COMPILING = 900  # seconds that the first start on a machine may take
PATIENCE = 180_000.0  # milliseconds that a busy machine may take to show what is waited for

expect.set_options(timeout=PATIENCE)

Visit = Callable[..., Page]
"""The fixture visit: it opens a path in a browser, with options of Visitor."""


@contextmanager
def server(port: int, **env: str) -> Iterator[str]:
    """Run sleuth serve until the block ends. env: what its environment has besides that of the tests."""
    command = [sys.executable, "-m", "sleuth", "serve", "--port", str(port)]
    # A group of its own, so that nothing of it is left over.
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env={**os.environ, **env},
    )
    try:
        until = time.monotonic() + 300
        while True:
            with suppress(httpx.TransportError):
                if httpx.get(f"http://127.0.0.1:{port}/health", timeout=5).status_code == 200:
                    break
            assert process.poll() is None, "the server ended"
            assert time.monotonic() < until, "the server does not answer"
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(300)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@contextmanager
def prepared_server() -> Iterator[str]:
    """Run sleuth serve on a free port until the block ends, which begins once nothing is left to compile."""
    with server(free_port()) as address:
        until = time.monotonic() + COMPILING
        while httpx.get(f"{address}/health").json()["prepared"] < 1:
            assert time.monotonic() < until, "the server does not get ready"
            time.sleep(1)
        yield address


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def watch_shift(page: Page, *, before: bool = True) -> None:
    """Add up how far what is shown moves: all of it in `window.shift`.

    `window.shifts` is without what follows a key at once, and `window.moved` says what moved of that.
    before: count what moved before this too.
    """
    page.evaluate(
        """before => {
            window.shift = window.shifts = 0;
            window.moved = [];
            new PerformanceObserver(list => {
                for (const { value, hadRecentInput, sources } of list.getEntries()) {
                    window.shift += value;
                    if (hadRecentInput) continue;
                    window.shifts += value;
                    window.moved.push([value, ...sources.map(one => one.node?.outerHTML?.slice(0, 80))]);
                }
            }).observe({ type: "layout-shift", buffered: before });
        }""",
        before,
    )


class Visitor:
    """A page that keeps what it should not see: errors, broken policy, other hosts.

    offline: whether the page is kept for times without a server, as it is for people.
    used: a context in which another page was open. It has the files of the page still, which saves a third of
    a visit, and nothing else of the other.
    """

    def __init__(
        self,
        browser: Browser,
        address: str,
        size: str = "desktop",
        scheme: Scheme = "light",
        expected: Sequence[str] = (),
        first: bool = False,
        offline: bool = False,
        used: BrowserContext | None = None,
        **options: Any,
    ) -> None:
        self.expected = expected
        if used is None:
            # To keep every file for times without a server takes as long again as a visit.
            self.context = browser.new_context(
                has_touch=size == "phone",
                base_url=address,
                service_workers="allow" if offline else "block",
                **{name: options[name] for name in options if name not in MEDIA},
            )
            self.context.grant_permissions(["clipboard-read", "clipboard-write"])
        else:
            self.context = used
        self.page = self.context.new_page()
        self.page.set_viewport_size(SIZES[size])
        wished = {name: options[name] for name in MEDIA if name in options}
        self.page.emulate_media(color_scheme=scheme, **wished)
        if used is not None:
            kept = {"origin": address, "storageTypes": "cookies,local_storage,indexeddb,cache_storage"}
            self.context.new_cdp_session(self.page).send("Storage.clearDataForOrigin", kept)
        if not first:  # the rules were seen before
            self.page.add_init_script("localStorage.setItem('sleuth.rules', '1')")
        self.page.set_default_timeout(PATIENCE)
        self.troubles: list[str] = []
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("console", self._heard)
        self.page.on("request", lambda request: self._asked(request.url, address))

    def _heard(self, message: ConsoleMessage) -> None:
        # Problems that the page shows in words are logged by the browser as well.
        expected = ("status of 422", "Service Worker registration blocked", *self.expected)
        if message.type in ("error", "warning") and not any(part in message.text for part in expected):
            self.troubles.append(message.text)

    def _asked(self, url: str, address: str) -> None:
        if not url.startswith((address, "data:", "blob:")):
            self.troubles.append(f"asked {url}")


class Held:
    """Requests of a page that wait, from the first on, until a test lets them go on."""

    def __init__(self, page: Page, address: str) -> None:
        self.routes: list[Route] = []
        self._page = page
        self._holding = True
        page.route(address, self._made)

    def _made(self, route: Route) -> None:
        if self._holding:
            self.routes.append(route)
        else:
            route.continue_()

    def release(self) -> None:
        """Let all of them go on, and hold none any more."""
        self._holding = False
        for route in self.routes:
            route.continue_()

    def __getitem__(self, number: int) -> Route:
        """Return a request by its number, from 0, once it was made: AssertionError where it is not."""
        for _ in range(int(PATIENCE / 20)):
            if number < len(self.routes):
                return self.routes[number]
            self._page.wait_for_timeout(20)
        raise AssertionError(f"{number + 1} requests were expected, {len(self.routes)} were made")


def feedback(guess: str, answer: str) -> str:
    return "".join("byg"[mark] for mark in wordle_marks(guess, answer))


def rows_in_link(answer: str, *guesses: str) -> str:
    return "+".join(f"{guess}:{feedback(guess, answer)}" for guess in guesses)


def judged(page: Page, scope: str = ".board") -> list[str]:
    """Return the rows of tiles that have colours, as feedback in letters."""
    rows = page.locator(f"{scope} ol.row:not([aria-hidden])")
    read = "rows => rows.map(row => [...row.children].map(tile => tile.dataset.mark).join(''))"
    found: list[str] = rows.evaluate_all(read)
    return found


def resize(page: Page, width: int, height: int) -> None:
    """Give the window another size, and wait until what is in it has taken its place."""
    page.set_viewport_size({"width": width, "height": height})
    # The window has its new size some time after it was asked for, and what is in it a frame later.
    page.wait_for_function("([w, h]) => innerWidth === w && innerHeight === h", arg=[width, height])
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def guess(page: Page, word: str) -> None:
    """Type a guess of a puzzle, and wait for its row."""
    before = page.locator(".board ol.row:not([aria-hidden])").count()
    page.keyboard.type(word)
    page.keyboard.press("Enter")
    page.wait_for_function(
        "n => document.querySelectorAll('.board ol.row:not([aria-hidden])').length > n", arg=before
    )


def channels(text: str) -> list[float]:
    """Return red, green and blue, 0 to 1, of a computed colour."""
    numbers = [float(number) for number in re.findall(r"[\d.]+", text)]
    return [value / 255 for value in numbers[:3]] if text.startswith("rgb") else numbers[:3]


def luminance(text: str) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels(text)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(text: str, ground: str) -> float:
    high, low = sorted((luminance(text), luminance(ground)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def contrasts(page: Page) -> dict[str, float]:
    """Return the contrast of text to ground of every tile and key that shows a letter, the least by kind."""
    read = """elements => elements.filter(e => e.textContent.trim()).map(e => {
        const style = getComputedStyle(e);
        return [`${e.className.split(' ')[0]} ${e.dataset.mark ?? ''}`, style.color, style.backgroundColor];
    })"""
    least: dict[str, float] = {}
    for kind, text, ground in page.locator(".tile, .key").evaluate_all(read):
        least[kind] = min(contrast(text, ground), least.get(kind, 21))
    return least or {"none": 21}


def enter(page: Page, at: int, word: str, answer: str) -> None:
    """Type a row of the analysis board, and colour its tiles."""
    entry = page.locator(f".view:not([hidden]) .entry[data-row='{at}']").first
    entry.locator("input").press_sequentially(word)
    entry.locator("[data-tile='0']").focus()
    for mark in feedback(word, answer):
        page.keyboard.press(mark)


def picture(page: Page, name: str, whole: bool = False) -> None:
    """Keep a picture of what is seen, or of the whole page, where the folder for them is there."""
    if PICTURES.is_dir():
        page.screenshot(path=PICTURES / f"{name}.png", full_page=whole)


def is_accessible(page: Page, name: str) -> None:
    """Assert that axe finds nothing, or nothing any more once what fades in is there."""
    picture(page, name, whole=True)
    found = Axe().run(page)
    for _ in range(5):
        if found.violations_count:
            page.wait_for_timeout(1000)
            found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def is_accessible_and_fits(page: Page, name: str) -> None:
    """Assert that axe finds nothing, nothing is too wide and text can be read."""
    is_accessible(page, name)
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, f"the page is {wide} px too wide"
    page.evaluate("scrollTo(0, 0)")
    assert min(contrasts(page).values()) >= 4.5
