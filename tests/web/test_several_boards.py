"""Playing several boards in a real browser: what the next guess needs is in view, and nothing moves."""

import pytest
from browsers import Visit, guess, judged, picture, resize, watch_shift
from playwright.sync_api import Page, expect

from sleuth.coaching.playing.puzzles import answers_of
from sleuth.games import wordlists

ANSWERS = wordlists.load("original").answers
WINDOWS = [(1280, 800), (390, 844), (360, 740)]
SHIFT = 0.05
PUZZLE = 77


def places(page: Page) -> list[list[int]]:
    """Return where the keyboard and each board are: from the left, from the top, how wide, how high."""
    read = """parts => parts.map(part => part.getBoundingClientRect())
        .map(box => [box.left, box.top, box.width, box.height].map(Math.round))"""
    found: list[list[int]] = page.locator(".keyboard, .board").evaluate_all(read)
    return found


def opened(visit: Visit, boards: int, window: tuple[int, int], more: str = "") -> Page:
    page = visit(f"/?puzzle={PUZZLE}&boards={boards}{more}", size="phone", reduced_motion="reduce")
    resize(page, *window)
    page.reload()  # what moved for the window's new size does not count
    page.wait_for_selector("html[data-ready]")
    return page


@pytest.mark.journey("2-window1")
@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("boards", [2, 4, 8])
def test_nothing_moves(visit: Visit, boards: int, window: tuple[int, int]) -> None:
    page = opened(visit, boards, window)
    watch_shift(page)
    before = places(page)
    page.keyboard.type("zzzzz")
    page.keyboard.press("Enter")
    expect(page.locator(".note .problem")).to_be_visible()
    assert places(page) == before
    for _ in "zzzzz":
        page.keyboard.press("Backspace")
    for word in ("salet", answers_of(ANSWERS, PUZZLE, boards)[0]):
        guess(page, word)
        assert places(page) == before
    assert judged(page, ".board:nth-child(1)")[-1] == "ggggg"
    for step in (".hint", ".hint.guess"):
        page.get_by_role("button", name="Hint").click()
        expect(page.locator(step)).to_be_visible()
        assert places(page) == before
    assert page.evaluate("window.shift") <= SHIFT
    picture(page, f"boards-{boards}-{window[0]}")


def test_nothing_moves_from_the_first_frame(visit: Visit) -> None:
    page = opened(visit, 2, WINDOWS[1])
    page.add_init_script(
        """window.frames = [];
        const look = () => {
            requestAnimationFrame(look);
            const box = document.querySelector(".keyboard")?.getBoundingClientRect();
            if (box) window.frames.push(Math.round(box.top));
        };
        look();"""
    )
    page.reload()
    page.wait_for_function("() => window.frames.length > 5")
    assert len(set(page.evaluate("window.frames"))) == 1


@pytest.mark.parametrize(
    ("boards", "window"), [*((boards, window) for boards in (2, 4) for window in WINDOWS), (8, WINDOWS[0])]
)
def test_all_is_in_view(visit: Visit, boards: int, window: tuple[int, int]) -> None:
    page = opened(visit, boards, window)
    guess(page, "salet")
    are_in_view(page, window)


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("game", ["mastermind", "bulls-and-cows"])
def test_two_boards_of_pegs_are_in_view(visit: Visit, game: str, window: tuple[int, int]) -> None:
    page = opened(visit, 2, window, f"&game={game}")
    before = places(page)
    guess(page, "1234")
    assert places(page) == before
    are_in_view(page, window)


def are_in_view(page: Page, window: tuple[int, int]) -> None:
    for left, top, width, height in places(page):
        assert left >= 0
        assert top >= 0
        assert left + width <= window[0]
        assert top + height <= window[1]


@pytest.mark.parametrize("window", WINDOWS[1:])
def test_where_boards_are_scrolled_the_row_and_the_keyboard_are_in_view(
    visit: Visit, window: tuple[int, int]
) -> None:
    page = opened(visit, 8, window)
    for word in ("salet", "crony"):
        guess(page, word)
    page.keyboard.type("mou")
    for scrolled in range(0, 2000, 90):
        page.evaluate(f"scrollTo(0, {scrolled})")
        boxes = (
            """parts => parts.map(part => part.getBoundingClientRect()).map(box => [box.top, box.bottom])"""
        )
        [(top, bottom)] = page.locator(".keyboard").evaluate_all(boxes)
        assert 0 <= top < bottom <= window[1]
        rows = page.locator(".board .typing").evaluate_all(boxes)
        assert any(row_top >= 0 and row_bottom <= top for row_top, row_bottom in rows), scrolled


def test_keys_of_many_boards_say_how_many_know_what(visit: Visit) -> None:
    page = visit("/?puzzle=77&boards=16", size="phone")
    guess(page, "salet")
    marks = [row[1] for row in judged(page)]  # of A
    cells = page.locator(".key[aria-label^='A,'] .cells i")
    expect(cells.first).to_be_attached()
    read = "cells => cells.map(cell => [cell.dataset.cell, cell.getBoundingClientRect().height])"
    heights: dict[str, float] = dict(cells.evaluate_all(read))
    assert list(heights) == [mark for mark in "gyb" if mark in marks]
    for mark, height in heights.items():
        assert height / sum(heights.values()) == pytest.approx(marks.count(mark) / 16, abs=0.02)
