"""The page in a real browser: every view at phone and desktop size, in both schemes, by keyboard alone."""

import math
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
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, Route, ViewportSize, expect, sync_playwright

from sleuth.coaching.playing.puzzles import answers_of
from sleuth.games import wordlists
from sleuth.games.feedback import wordle_marks

CHROMIUM = Path("/usr/bin/chromium")
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
SCREENSHOTS = Path(__file__).parents[2] / "screenshots"
SIZES: dict[str, ViewportSize] = {
    "phone": {"width": 360, "height": 740},
    "desktop": {"width": 1280, "height": 800},
}
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
VIEWS = ("play", "assist", "review", "explore", "compare")
ANSWERS = wordlists.load("original").answers
COMPILING = 900  # seconds that the first start on a machine may take
PATIENCE = 60_000.0  # milliseconds that a busy machine may take to show what is waited for
WEIGHT = 150 * 1024
SOON = 1000  # milliseconds

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
        until = time.monotonic() + 60
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
            process.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


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


class Visitor:
    """A page that keeps what it should not see: errors, broken policy, other hosts."""

    def __init__(
        self,
        browser: Browser,
        address: str,
        size: str = "desktop",
        scheme: Scheme = "light",
        expected: Sequence[str] = (),
        first: bool = False,
        **options: Any,
    ) -> None:
        self.expected = expected
        self.context = browser.new_context(
            viewport=SIZES[size], color_scheme=scheme, has_touch=size == "phone", base_url=address, **options
        )
        self.context.grant_permissions(["clipboard-read", "clipboard-write"])
        if not first:  # the rules were seen before
            self.context.add_init_script("localStorage.setItem('sleuth.rules', '1')")
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.troubles: list[str] = []
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("console", self._heard)
        self.page.on("request", lambda request: self._asked(request.url, address))

    def _heard(self, message: ConsoleMessage) -> None:
        # Problems that the page shows in words are logged by the browser as well.
        expected = ("status of 422", *self.expected)
        if message.type in ("error", "warning") and not any(part in message.text for part in expected):
            self.troubles.append(message.text)

    def _asked(self, url: str, address: str) -> None:
        if not url.startswith((address, "data:", "blob:")):
            self.troubles.append(f"asked {url}")


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


def feedback(guess: str, answer: str) -> str:
    return "".join("byg"[mark] for mark in wordle_marks(guess, answer))


def rows_in_link(answer: str, *guesses: str) -> str:
    return "+".join(f"{guess}:{feedback(guess, answer)}" for guess in guesses)


def judged(page: Page, scope: str = ".board") -> list[str]:
    """Return the rows of tiles that have colours, as feedback in letters."""
    rows = page.locator(f"{scope} ol.row:not([aria-hidden])")
    read = "rows => rows.map(row => [...row.children].map(tile => tile.dataset.mark).join(''))"
    return rows.evaluate_all(read)


def guess(page: Page, word: str) -> None:
    """Type a guess, and wait for its row."""
    before = page.locator(".board ol.row:not([aria-hidden])").count()
    page.keyboard.type(word)
    page.keyboard.press("Enter")
    page.wait_for_function(
        "n => document.querySelectorAll('.board ol.row:not([aria-hidden])').length > n", arg=before
    )


def enter(page: Page, at: int, word: str, answer: str) -> None:
    """Type a row of assist or review, and colour its tiles."""
    entry = page.locator(".view:not([hidden]) .entry").nth(at)
    entry.locator("input").press_sequentially(word)
    entry.locator("[data-tile='0']").focus()
    for mark in feedback(word, answer):
        page.keyboard.press(mark)


def into_play(page: Page) -> None:
    number = int(re.search(r"\d+", page.locator(".play-head p").inner_text())[0])
    assert page.locator("h1").inner_text() == "Daily puzzle"
    for word in ("salet", "crony"):
        guess(page, word)
    [answer] = answers_of(ANSWERS, number)
    assert judged(page) == [feedback("salet", answer), feedback("crony", answer)]
    page.wait_for_timeout(1300)  # the tiles turn over


def into_assist(page: Page) -> None:
    enter(page, 0, "salet", "rural")
    page.wait_for_selector(".ranking tbody tr")
    expect(page.locator(".beside h2").last).to_contain_text("may be the answer")


def into_review(page: Page) -> None:
    page.goto(f"/review#rows={rows_in_link('glass', 'crane', 'roast', 'stash', 'grass', 'glass')}")
    page.wait_for_selector(".moves .move >> nth=4")


def into_explore(page: Page) -> None:
    page.wait_for_selector(".openers tbody tr")
    page.locator(".tree summary").nth(1).click()
    page.wait_for_selector(".tree details details")


def into_compare(page: Page) -> None:
    page.get_by_role("button", name="Compare", exact=True).click()
    page.wait_for_selector(".histogram >> nth=1", timeout=90000)


PREPARE = dict(zip(VIEWS, (into_play, into_assist, into_review, into_explore, into_compare), strict=True))


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("view", VIEWS)
def test_view(visit: Visit, view: str, size: str, scheme: str) -> None:
    page = visit("/" if view == "play" else f"/{view}", size=size, scheme=scheme)
    PREPARE[view](page)
    page.wait_for_timeout(500)  # bars grow
    SCREENSHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{view}-{size}-{scheme}.png", full_page=True)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, f"the page is {wide} px too wide"
    page.evaluate("scrollTo(0, 0)")
    assert min(contrasts(page).values()) >= 4.5


@pytest.mark.slow
def test_the_first_minute_on_a_new_machine(browser: Browser, tmp_path: Path) -> None:
    """Hints come before the kernels, better ones after; the review waits and says so."""
    with server(free_port(), NUMBA_CACHE_DIR=str(tmp_path)) as address:
        visitors = [Visitor(browser, address, expected=["status of 503"]) for _ in range(3)]
        play, assist, review = (visitor.page for visitor in visitors)
        play.goto("/?puzzle=77")
        play.wait_for_selector("html[data-ready]")
        guess(play, "crony")
        for _ in range(2):
            play.get_by_role("button", name="Hint").click()
            play.wait_for_selector(".hint")
        expect(play.locator(".hint.guess")).to_contain_text("a quick estimate; better follows")
        expect(play.locator("#preparing")).to_contain_text(re.compile(r"Preparing, \d+ %"))
        assist.goto("/assist")
        enter(assist, 0, "salet", "rural")
        assist.wait_for_selector(".ranking tbody tr")
        expect(assist.locator(".spread p").first).to_have_text("a quick estimate; better follows")
        review.goto(f"/review#rows={rows_in_link('glass', 'crane', 'roast', 'glass')}")
        expect(review.locator("#preparing")).to_contain_text("Preparing")
        SCREENSHOTS.mkdir(exist_ok=True)
        for name, page in (("play", play), ("assist", assist), ("review", review)):
            page.screenshot(path=SCREENSHOTS / f"{name}-first-minute.png", full_page=True)
            found = Axe().run(page)
            assert found.violations_count == 0, found.generate_report()
        for _ in range(COMPILING):
            if httpx.get(f"{address}/health").json()["prepared"] == 1:
                break
            time.sleep(1)
        for page in (play, assist, review):
            expect(page.locator("#preparing")).to_be_hidden()
        expect(assist.locator(".spread p").first).to_have_text("by beam search")
        expect(play.locator(".hint.guess")).to_contain_text("Try")
        expect(play.locator(".hint.guess")).not_to_contain_text("estimate")
        review.wait_for_selector(".moves .move >> nth=2")
        for visitor in visitors:
            visitor.context.close()
            assert visitor.troubles == []


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


@pytest.mark.parametrize("forced", ["none", "active"])
@pytest.mark.parametrize("wish", ["no-preference", "more"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_text_on_tiles_and_keys_has_contrast(visit: Visit, scheme: str, wish: str, forced: str) -> None:
    page = visit("/?puzzle=77", scheme=scheme, contrast=wish, forced_colors=forced, reduced_motion="reduce")
    guess(page, "salet")
    page.keyboard.type("no")
    found = contrasts(page)
    kinds = {f"{part} {mark}" for part in ("tile", "key") for mark in "byg"} | {"tile typed", "key "}
    assert set(found) >= kinds
    assert min(found.values()) >= 4.5, found
    if forced == "none":
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()


def test_marks_differ_in_shape_too(visit: Visit) -> None:
    page = visit("/?puzzle=77")
    guess(page, "salet")
    read = """tile => { const style = getComputedStyle(tile, '::after');
        return [style.clipPath, style.borderRadius, style.width !== '0px'].join(' '); }"""
    shapes = {mark: page.locator(f".board .tile[data-mark={mark}]").first.evaluate(read) for mark in "byg"}
    assert len(set(shapes.values())) == 3
    assert page.locator(".board .tile[data-mark=g]").first.inner_text().lower().startswith("s")
    assert page.locator(".board .row >> nth=0").text_content().startswith("sS, right place")


def test_a_whole_game_by_keyboard(visit: Visit) -> None:
    page = visit("/", size="desktop", reduced_motion="reduce")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    number = int(re.search(r"\d+", page.locator(".play-head p").inner_text())[0])
    [answer] = answers_of(ANSWERS, number)
    guess(page, "salet")
    page.keyboard.type("zzzzz")
    page.keyboard.press("Enter")
    expect(page.locator(".note .problem")).to_contain_text("zzzzz")
    for _ in range(5):
        page.keyboard.press("Backspace")
    guess(page, answer)
    assert judged(page)[-1] == "ggggg"
    expect(page.locator("#announcer")).to_contain_text("Solved in 2.")
    expect(page.locator(".result h2")).to_contain_text("Solved in 2")
    page.get_by_role("button", name="Copy result").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".result [role=status]")).to_have_text("Copied.")
    shared = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert shared[0] == f"Sleuth original {number} 2/6"
    assert shared[2] == "🟩" * 5
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector(".moves .move >> nth=1")
    assert page.url.endswith(f"answer={answer}")
    assert page.evaluate("document.activeElement.tagName") == "H1"


def test_letters_after_a_button_belong_to_the_row(visit: Visit) -> None:
    page = visit("/?puzzle=78")
    page.get_by_role("button", name="Settings").click()
    page.keyboard.press("Escape")
    guess(page, "salet")
    assert page.locator("dialog").count() == 0


def test_hints_come_gently(visit: Visit) -> None:
    page = visit("/?puzzle=77", reduced_motion="reduce")
    guess(page, "salet")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hint")).to_contain_text("still fit")
    page.get_by_role("button", name="Suggest a guess").click()
    expect(page.locator(".hint")).to_contain_text("Try ")
    word = page.locator(".hint .word").inner_text().lower()
    page.get_by_role("button", name="Use it").click()
    assert page.locator(".typing input").input_value() == word


def test_a_reload_keeps_the_game(visit: Visit) -> None:
    page = visit("/")
    guess(page, "salet")
    guess(page, "crony")
    before = judged(page)
    page.reload()
    page.wait_for_selector(".board ol.row:not([aria-hidden])")
    assert judged(page) == before
    page.goto("/assist")
    enter(page, 0, "salet", "rural")
    page.wait_for_selector(".ranking tbody tr")
    page.reload()
    page.wait_for_selector(".entry .tile[data-mark=y]")


def test_the_server_restarts_in_the_middle_of_a_game(visit: Visit) -> None:
    port = free_port()
    with server(port) as address:
        page = visit("/?puzzle=77", address=address, expected=["net::ERR"])
        guess(page, "salet")
    page.keyboard.type("crony")
    page.keyboard.press("Enter")
    expect(page.locator("#connection")).to_contain_text("Reconnecting")
    with server(port):
        page.wait_for_selector(".board ol.row:not([aria-hidden]) >> nth=1")
        expect(page.locator("#connection")).to_be_empty()
        [answer] = answers_of(ANSWERS, 77)
        assert judged(page) == [feedback("salet", answer), feedback("crony", answer)]
    page.context.close()


def test_several_boards_and_variants(visit: Visit) -> None:
    page = visit("/?puzzle=77&boards=4", reduced_motion="reduce", size="phone")
    answers = answers_of(ANSWERS, 77, 4)
    for word in ("salet", *answers):
        guess(page, word)
    expect(page.locator(".result h2")).to_contain_text("Solved in 5")
    assert [judged(page, f".board:nth-child({n})")[-1] for n in range(1, 5)] == ["ggggg"] * 4
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Variant").select_option("absurdle")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("dialog .problem")).to_contain_text("one board")
    page.get_by_label("Boards").select_option("1")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("dialog")).to_have_count(0)
    guess(page, "salet")
    assert judged(page) == ["bbbbb"]
    assert page.locator(".board .row").count() == 12


def test_assist_by_keyboard(visit: Visit) -> None:
    page = visit("/assist")
    page.get_by_label("Guess 1").focus()
    page.keyboard.type("salet")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.ariaLabel") == "A, elsewhere"
    page.keyboard.press("Space")
    assert page.evaluate("document.activeElement.ariaLabel") == "A, right place"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.labels[0].textContent") == "Guess 2"
    expect(page.locator(".ranking caption")).to_have_count(1)
    enter(page, 1, "salet", "salet")
    expect(page.locator(".problem h2")).to_have_text("No word fits these rows")
    assert page.locator(".entry.blamed").count() == 1
    assert page.locator(".tile.blamed").count() >= 1
    while page.locator(".entry.blamed").count():
        page.get_by_role("button", name="Undo").click()
        page.wait_for_timeout(400)
    expect(page.locator(".ranking tbody tr").first).to_be_visible()


def test_assist_fills_in_what_is_chosen_and_plays_pegs(visit: Visit) -> None:
    page = visit("/assist")
    page.get_by_role("button", name="Use salet").click()
    assert page.locator(".entry .tile").all_inner_texts()[:5] == list("SALET")
    page.get_by_text("Words and mode").click()
    page.get_by_label("Words").select_option("mastermind")
    expect(page.locator(".beside h2").last).to_contain_text("1,296 codes")
    page.get_by_label("Guess 1").press_sequentially("1122")
    page.get_by_label("In the right place, row 1").select_option("1")
    expect(page.locator(".beside h2").last).to_contain_text("may be the answer")
    expect(page.locator(".beside h2").last).not_to_contain_text("1,296")


def test_review_reads_a_pasted_grid_and_its_link_reopens_it(visit: Visit) -> None:
    page = visit("/review")
    page.get_by_text("Paste a shared grid").click()
    squares = {"b": "⬛", "y": "🟨", "g": "🟩"}
    lines = [
        "".join(squares[mark] for mark in feedback(word, "glass")) + f" {word}"
        for word in ("crane", "stash", "glass")
    ]
    page.get_by_label("The grid and its words").fill("Wordle 1,234 3/6\n\n" + "\n".join(lines))
    page.get_by_role("button", name="Review", exact=True).click()
    page.wait_for_selector(".moves .move >> nth=2")
    sentences = page.locator(".move .verdict").all_inner_texts()
    assert len(sentences) == 3
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".story-of-game [role=status]").first).to_have_text("Link copied.")
    again = visit(page.evaluate("navigator.clipboard.readText()"), scheme="dark")
    again.wait_for_selector(".moves .move >> nth=2")
    assert again.locator(".move .verdict").all_inner_texts() == sentences
    assert judged(again, ".move") == [feedback(word, "glass") for word in ("crane", "stash", "glass")]


def test_words_of_your_own_are_played_and_reviewed(visit: Visit) -> None:
    page = visit("/", reduced_motion="reduce")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Words").select_option("own")
    page.get_by_label("Words that may be the answer").fill("katze\nhunde\nvogel\ntatze")
    page.get_by_role("button", name="Use these words").click()
    page.get_by_label("Puzzle", exact=True).select_option("number")
    page.get_by_label("Number").fill("3")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".play-head p")).to_contain_text("No. 3 · 4 words of your own")
    [answer] = answers_of(("hunde", "katze", "tatze", "vogel"), 3)
    wrong = "vogel" if answer != "vogel" else "hunde"
    guess(page, wrong)
    guess(page, answer)
    page.get_by_role("link", name="Review this game").click()
    page.wait_for_selector(".moves .move >> nth=1")
    expect(page.locator(".story-of-game .card").first).to_contain_text("4 words of your own")


def test_a_review_counts_a_row_that_was_not_confirmed(visit: Visit) -> None:
    page = visit("/review")
    enter(page, 0, "crane", "glass")
    page.get_by_label("Guess 2").press_sequentially("stash")
    page.get_by_role("button", name="Review", exact=True).click()
    page.wait_for_selector(".moves .move >> nth=1")
    assert judged(page, ".move") == ["bbgbb", "bbgbb"]  # what is known of A, and nothing more


def test_headline_and_sentence_tell_the_same_skill_and_luck(visit: Visit) -> None:
    page = visit(f"/review#rows={rows_in_link('riper', 'slack', 'abode')}&answer=riper")
    page.wait_for_selector(".moves .move >> nth=1")
    figures = dict(
        zip(
            page.locator(".story-of-game .figures dt").all_inner_texts(),
            page.locator(".story-of-game .figures dd").all_inner_texts(),
            strict=True,
        )
    )
    said = page.locator(".story-of-game .verdict").first.inner_text()
    assert re.search(r"Skill (\d+) and luck (\d+)", said).groups() == (figures["Skill"], figures["Luck"])


def blamed(page: Page) -> list[str]:
    """Return the labels of the rows that are marked."""
    return page.locator(".view:not([hidden]) .entry.blamed").evaluate_all(
        "entries => entries.map(entry => entry.ariaLabel)"
    )


def test_the_row_that_is_told_of_is_marked(visit: Visit) -> None:
    page = visit("/assist")
    for at, word in enumerate(("salet", "crony", "rural")):
        enter(page, at, word, "rural")
        page.keyboard.press("Enter")
    page.wait_for_selector(".ranking, .card h2:has-text('Solved')")
    page.get_by_label("Guess 2").fill("cro")  # open again: the row after it waits
    expect(page.locator(".entries")).to_contain_text("Row 2 is open")
    page.get_by_label("Guess 2").fill("zzzzz")
    page.locator(".entry >> nth=1").get_by_role("button", name="Row 2 is right").click()
    expect(page.locator(".problem")).to_contain_text("zzzzz")
    expect(page.locator(".entry.blamed")).to_have_count(1)
    assert blamed(page) == ["Row 2"]
    page.get_by_role("button", name="Remove row 2").click()
    expect(page.locator(".entry.blamed")).to_have_count(0)
    # Of two letters alike only the one whose mark is wrong is marked.
    page.get_by_role("button", name="Start over").click()
    enter(page, 0, "salet", "rural")
    page.keyboard.press("Enter")
    page.get_by_label("Guess 2").press_sequentially("llama")
    page.locator(".entry >> nth=1 >> [data-tile='0']").focus()
    for mark in "gbbbb":
        page.keyboard.press(mark)
    expect(page.locator(".problem h2")).to_have_text("No word fits these rows")
    [row] = blamed(page)
    assert page.locator(".problem p").first.inner_text().count(row.lower()) == 1
    assert len(re.findall(r"row \d", page.locator(".problem p").first.inner_text())) == 1


def test_a_review_marks_the_row_that_its_answer_rules_out(visit: Visit) -> None:
    page = visit("/review#rows=salet:bbybb+courd:bbbgb+stare:gbbbb&answer=crane")
    expect(page.locator(".story-of-game .problem")).to_contain_text("Row 1: salet would have got")
    assert blamed(page) == ["Row 1"]
    page.get_by_label("The answer").fill("")
    page.get_by_role("button", name="Review", exact=True).click()
    expect(page.locator(".story-of-game .problem")).to_contain_text("Row 3: no possible answer")
    assert blamed(page) == ["Row 3"]
    page.get_by_label("Guess 2").fill("cou")
    page.get_by_role("button", name="Review", exact=True).click()
    expect(page.locator(".story-of-game .problem")).to_contain_text("Row 2 is not complete")
    assert blamed(page) == ["Row 2"]


@pytest.mark.parametrize(
    ("query", "says", "plays"),
    [
        ("puzzle=5&game=chess", "game=chess", "No. 5 · Original words"),
        ("puzzle=5&game=constructor", "game=constructor", "No. 5 · Original words"),
        ("puzzle=abc", "this is today's", "Original words"),
        ("puzzle=-1&boards=2", "this is today's", "2 boards"),
        ("puzzle=99999999999", "this is today's", "Original words"),
        ("puzzle=5&boards=many", "boards=many", "No. 5 · Original words"),
        ("puzzle=5&boards=1e9", "boards=1e9", "No. 5 · Original words"),
        ("puzzle=5&mode=impossible", "mode=impossible", "No. 5 · Original words"),
        ("puzzle=5&variant=toString", "variant=toString", "No. 5 · Original words"),
        ("puzzle=5&words=%3Cb%3E", "words=<b>", "No. 5 · Original words"),
        ("puzzle=5&words=frequent:en", "words=frequent:en", "No. 5 · Original words"),
        ("puzzle=5&words=own", "somebody's own", "No. 5 · Original words"),
        ("puzzle=5&game=mastermind&pegs=-3&colours=NaN", "pegs=-3", "No. 5 · Mastermind, 4 pegs of 6"),
        ("puzzle=5&game=mastermind&pegs=10&colours=35", "what is not there", "Original words"),
        ("puzzle=5&game=bulls-and-cows&mode=hard", "what is not there", "Original words"),
        ("puzzle=5&words=frequent:xx:5:500", "what is not there", "Original words"),
        ("puzzle=5&boards=2&variant=absurdle", "what is not there", "Original words"),
        ("game=mastermind", None, "Mastermind, 4 pegs of 6 colours"),
        ("nothing=1", None, "Original words"),
    ],
)
def test_a_strange_address_is_told_kindly_and_play_goes_on(
    visit: Visit, query: str, says: str | None, plays: str
) -> None:
    page = visit(f"/?{query}", reduced_motion="reduce")
    if says:
        expect(page.locator(".note .problem")).to_contain_text(says)
    expect(page.locator(".play-head p")).to_contain_text(plays)
    if not says:
        assert page.locator(".note .problem").count() == 0
    guess(page, "1122" if "Mastermind" in plays else "salet")
    assert page.locator(".note .problem").count() == 0


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("rows=salet:bbybb+courd:bbbgb&game=chess", "game=chess"),
        ("rows=salet:bbybb+courd:bbbgb&words=none&mode=soft", "mode=soft"),
        ("rows=", "rows in an address"),
        ("rows=nonsense", "Rows in an address"),
        ("rows=salet:bbybb+cou:bbb", "Rows in an address"),
        ("rows=salet:xyzzy", "Rows in an address"),
        ("rows=salet:bbybb&game=mastermind", "such as 1122:1,2"),
    ],
)
def test_a_strange_link_to_a_review_is_told_kindly(visit: Visit, query: str, says: str) -> None:
    page = visit(f"/review#{query}")
    expect(page.locator(".view.review > div > .problem")).to_contain_text(says, ignore_case=True)
    if says.startswith(("game", "mode")):
        page.wait_for_selector(".moves .move >> nth=1")
    else:
        expect(page.locator(".invitation")).to_be_visible()
    page.get_by_role("button", name="Clear").click()
    assert page.locator(".view.review > div > .problem").count() == 0


def test_openers_are_sorted_and_searched(visit: Visit) -> None:
    page = visit("/explore")
    page.wait_for_selector(".openers tbody tr")
    first = page.locator(".openers tbody th").first
    expect(first).to_have_text("salet")
    page.get_by_role("button", name="Worst").click()
    expect(page.locator("[aria-sort]")).to_have_text("Worst")
    expect(first).not_to_have_text("salet")
    page.get_by_label("Search").fill("zz")
    expect(page.get_by_text(re.compile(r"^\d+ of \d+ guesses")).first).to_be_visible()
    expect(first).to_contain_text("zz")
    page.locator(".openers tbody button").first.click()
    expect(page.locator(".tree .word").first).to_have_text(first.inner_text().lower(), ignore_case=True)
    page.locator(".tree summary").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".tree details[open] details")


def test_an_evaluation_is_cancelled(visit: Visit) -> None:
    page = visit("/compare")
    page.get_by_label("Strategy 1").select_option("rollout")
    page.get_by_role("button", name="Compare", exact=True).click()
    page.get_by_role("button", name="Cancel rollout").click()
    expect(page.locator(".run").first).to_contain_text("Cancelled.")
    page.wait_for_selector(".histogram", timeout=60000)
    assert page.locator(".histogram").count() == 1


def test_progress_shows_after_a_moment_and_problems_in_words(visit: Visit) -> None:
    page = visit("/assist")
    page.wait_for_selector(".ranking tbody tr")
    slow = {"on": True}

    def late(route: Route) -> None:
        if slow["on"]:
            time.sleep(1)
        route.continue_()

    page.route("**/api/v1/suggest", late)
    page.get_by_role("button", name="Use salet").click()
    page.keyboard.press("Enter")  # to the tiles, which
    page.keyboard.press("Enter")  # are right as they are
    expect(page.locator("#busy")).to_be_visible()
    slow["on"] = False
    expect(page.locator("#busy")).to_be_hidden()
    page.get_by_label("Guess 2").press_sequentially("qqqqq")
    page.keyboard.press("Enter")  # to the tiles, which
    page.keyboard.press("Enter")  # are right as they are
    expect(page.locator(".problem")).to_contain_text("qqqqq")


def test_motion_is_reduced_where_that_is_wished(visit: Visit) -> None:
    page = visit("/?puzzle=77", reduced_motion="reduce")
    guess(page, "salet")
    durations = page.locator(".tile.flip").evaluate_all(
        "tiles => tiles.map(t => getComputedStyle(t).animationDuration)"
    )
    assert len(durations) == 5
    assert all(float(d.rstrip("s")) < 0.001 for d in durations)


def test_the_first_view_is_light_and_soon_there(browser: Browser, address: str) -> None:
    ready = [math.inf]
    for _ in range(10):  # the machine may be busy with another test
        if min(ready) <= SOON:
            break
        visitor = Visitor(browser, address)
        wire = visitor.context.new_cdp_session(visitor.page)
        wire.send("Network.enable")
        sizes: list[int] = []
        wire.on(
            "Network.loadingFinished", lambda event, sizes=sizes: sizes.append(event["encodedDataLength"])
        )
        visitor.page.goto("/")
        visitor.page.wait_for_selector("html[data-ready]")
        visitor.page.wait_for_load_state("networkidle")
        ready.append(visitor.page.evaluate("performance.getEntriesByName('ready')[0].startTime"))
        assert len(sizes) >= 10
        assert sum(sizes) <= WEIGHT
        assert visitor.troubles == []
        visitor.context.close()
    print(f"weight {sum(sizes) / 1024:.1f} KB in {len(sizes)} files, interactive after {min(ready):.0f} ms")
    assert min(ready) <= SOON
