"""The page in a real browser: every view at phone and desktop size, in both schemes, by keyboard alone."""

import math
import re
import time
from pathlib import Path

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from browsers import (
    COMPILING,
    PATIENCE,
    SCHEMES,
    SIZES,
    Held,
    Visit,
    Visitor,
    contrasts,
    enter,
    feedback,
    free_port,
    guess,
    is_accessible,
    is_accessible_and_fits,
    judged,
    rows_in_link,
    server,
)
from playwright.sync_api import Browser, Page, expect

from sleuth.coaching.playing.puzzles import answers_of
from sleuth.games import wordlists

VIEWS = ("play", "analyse", "compare")
ANSWERS = wordlists.load("original").answers
WEIGHT = 150 * 1024
SOON = 1000  # milliseconds


def into_play(page: Page) -> None:
    number = int(re.search(r"\d+", page.locator(".play-head p").inner_text())[0])
    assert page.locator("h1").inner_text() == "Daily puzzle"
    for word in ("salet", "crony"):
        guess(page, word)
    [answer] = answers_of(ANSWERS, number)
    assert judged(page) == [feedback("salet", answer), feedback("crony", answer)]
    page.wait_for_timeout(1300)  # the tiles turn over


def into_analyse(page: Page) -> None:
    enter(page, 0, "salet", "rural")
    page.wait_for_selector(".ranking tbody tr")
    expect(page.locator(".board-status")).to_contain_text("words left")


def into_compare(page: Page) -> None:
    page.get_by_role("button", name="Compare", exact=True).click()
    page.wait_for_selector(".chart", timeout=PATIENCE)


PREPARE = dict(zip(VIEWS, (into_play, into_analyse, into_compare), strict=True))


@pytest.mark.journey("play-phone-dark")
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("view", VIEWS)
def test_view(visit: Visit, view: str, size: str, scheme: str) -> None:
    page = visit("/" if view == "play" else f"/{view}", size=size, scheme=scheme)
    PREPARE[view](page)
    page.wait_for_timeout(500)  # bars grow
    is_accessible_and_fits(page, f"{view}-{size}-{scheme}")


@pytest.mark.thorough
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
        assist.goto("/analyse")
        enter(assist, 0, "salet", "rural")
        assist.wait_for_selector(".ranking tbody tr")
        expect(assist.locator(".method")).to_have_text("a quick estimate; better follows")
        review.goto(f"/analyse#tab=game&rows={rows_in_link('glass', 'crane', 'roast', 'glass')}")
        expect(review.locator("#preparing")).to_contain_text("Preparing")
        expect(review.locator(".waiting")).to_contain_text("s so far")
        for name, page in (("play", play), ("assist", assist), ("review", review)):
            is_accessible(page, f"{name}-first-minute")
        for _ in range(COMPILING):
            if httpx.get(f"{address}/health").json()["prepared"] == 1:
                break
            time.sleep(1)
        for page in (play, assist, review):
            expect(page.locator("#preparing")).to_be_hidden()
        expect(assist.locator(".method")).to_have_text("")  # no longer a quick estimate
        expect(play.locator(".hint.guess")).to_contain_text("Try")
        expect(play.locator(".hint.guess")).not_to_contain_text("estimate")
        review.wait_for_selector(".moves .move >> nth=2")
        for visitor in visitors:
            visitor.context.close()
            assert visitor.troubles == []


@pytest.mark.journey("dark-more-active")
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


@pytest.mark.journey
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
    expect(page.locator(".note .problem")).to_contain_text("zzzzz", ignore_case=True)
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
    assert shared[0] == f"Sleuth Original words {number} 2/6"
    assert shared[2] == "🟩" * 5
    held = Held(page, "**/api/v1/review")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert held[0].request.post_data_json["answer"] == answer
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
    page.goto("/analyse")
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
    expect(page.get_by_label("Boards")).to_have_value("1")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("dialog")).to_have_count(0)
    guess(page, "salet")
    assert judged(page) == ["bbbbb"]
    assert page.locator(".board .row").count() == 12


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
    expect(page.locator(".story-of-game")).to_contain_text("4 words of your own")


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


def test_an_evaluation_is_cancelled(visit: Visit) -> None:
    page = visit("/compare")
    page.get_by_label("Strategy 1").select_option("rollout")
    page.get_by_role("button", name="Compare", exact=True).click()
    page.get_by_role("button", name="Cancel rollout").click()
    expect(page.locator(".run").first).to_contain_text("Cancelled.")
    page.wait_for_selector(".chart", timeout=PATIENCE)
    expect(page.locator(".chart-legend")).to_contain_text("Most information")
    expect(page.locator(".chart-legend")).not_to_contain_text("rollout")


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
