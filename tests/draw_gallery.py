"""Draw the pictures of docs/gallery.md into docs/pictures, those of results by the page's own Python lines.

python tests/draw_gallery.py [NAME ...]

NAME: a picture such as compare.png; all, unless given. What `sleuth serve` shows is taken in a browser, which
tests/browsers.py finds. The same machine draws the same files again; other fonts make other ones. Pictures of
learned players are drawn by the commands beside them.
"""

import doctest
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import finished_games
from browsers import (
    CHROMIUM,
    QUIET,
    Scheme,
    Visitor,
    guess,
    prepared_server,
    resize,
    rows_in_link,
)
from finished_games import file_of, take_in
from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

from sleuth.coaching.playing.puzzles import FIRST_DAY
from sleuth.support.files import write_whole

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "gallery.md"
PICTURES = DOCS / "pictures"
DAY = 100
"""The day of the pictures by its puzzle: what the page tells of today does not change."""
COLOURS = 128

WIDE, PHONE = (1280, 800), (360, 740)


def shows(selector: str) -> Callable[[Page], Any]:
    return lambda page: page.wait_for_selector(selector)


def played(*guesses: str) -> Callable[[Page], None]:
    """Return what plays guesses of a puzzle."""

    def play(page: Page) -> None:
        for word in guesses:
            guess(page, word)

    return play


def kept(page: Page) -> None:
    """Take in the games of twelve days, and wait until they are judged."""
    spec = {"game": "wordle", "words": "original", "mode": "easy"}
    openers = ("salet", "crane", "adieu")
    take_in(page, file_of(*(finished_games.played(spec, DAY - n, openers[n % 3]) for n in range(12))))
    expect(page.get_by_text("12 games reviewed")).to_be_visible()


@dataclass(frozen=True)
class Scene:
    """What is seen at an address of the page once it is prepared.

    size: of the window. begins: a selector of what is scrolled to its top. of: one of all that is in the
    picture, instead of the window.
    """

    address: str
    prepare: Callable[[Page], Any]
    scheme: Scheme = "light"
    size: tuple[int, int] = WIDE
    begins: str | None = None
    of: str | None = None


GAME = rows_in_link("glass", "crane", "roast", "stash", "grass", "glass")
REVIEW = f"/analyse#rows={GAME}&tab=game"
REVIEWED = shows(".moves .move >> nth=4")
PLAYED = (
    "/plan?problem=rocksample-4-4&method=hsvi&seconds=0.2&turns=20&seed=7"
    "&actions=1.5.4.7.1.4.0.2.2.2.8.4.6.0.0.4.2#turn=11"
)
SCENES = {
    "play.png": Scene("/?puzzle=77", played("salet", "lousy", "stool")),
    "boards.png": Scene("/?puzzle=77&boards=4", played("salet", "crone"), "dark", PHONE),
    "mastermind.png": Scene("/?game=mastermind&puzzle=5", played("1122", "1344"), size=PHONE),
    "page.png": Scene("/analyse#rows=crane:bybbb+sloth:bbybb", shows(".ranking tbody tr")),
    "groups.png": Scene("/analyse#rows=salet:bbybb&tab=try&try=crony", shows(".groups li"), "dark"),
    "icicle.png": Scene("/analyse#rows=salet:bbybb&tab=strategy", shows(".icicle"), size=(1280, 980)),
    "review.png": Scene(REVIEW, REVIEWED, size=(1280, 1060)),
    "review-phone.png": Scene(REVIEW, REVIEWED, "dark", PHONE, begins=".moves .move >> nth=1"),
    "compare.png": Scene(
        "/compare?strategy=random&strategy=information-gain",
        shows(".differences tbody tr"),
        of=".card:has(> .chart, * > .chart)",
    ),
    "lists.png": Scene(
        "/difficulty#words=frequent:en:4:500",
        shows(".measured .chart circle"),
        "dark",
        of=".card:has(> .chart, * > .chart)",
    ),
    "statistics.png": Scene("/statistics", kept),
    "plan.png": Scene(PLAYED, shows(".belief tr.now"), size=(1280, 980), begins=".episode"),
}


def small(picture: bytes) -> bytes:
    """Return a PNG of few colours, which is a third as large."""
    image = Image.open(BytesIO(picture)).convert("RGB")
    found = BytesIO()
    image.quantize(COLOURS, dither=Image.Dither.NONE).save(found, "PNG", optimize=True)
    return found.getvalue()


def results() -> dict[str, bytes]:
    """Run the Python lines of the page, and return the pictures that they save."""
    os.environ["MPLBACKEND"] = "agg"
    test = doctest.DocTestParser().get_doctest(PAGE.read_text("utf-8"), {}, PAGE.name, str(PAGE), 0)
    if doctest.DocTestRunner().run(test, clear_globs=False).failed:
        sys.exit(1)
    folder: Path = test.globs["folder"]
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def scenes(names: list[str]) -> Iterator[tuple[str, bytes]]:
    """Yield pictures of the page by their names."""
    if not names:
        return
    with prepared_server() as address, sync_playwright() as playwright:
        # What is painted in parts differs a little by when each was painted.
        browser = playwright.chromium.launch(
            executable_path=str(CHROMIUM), args=[*QUIET, "--disable-partial-raster"]
        )
        for name in names:
            scene = SCENES[name]
            visitor = Visitor(
                browser,
                address,
                "phone" if scene.size == PHONE else "desktop",
                scene.scheme,
                reduced_motion="reduce",
                timezone_id="UTC",
                locale="en-GB",
            )
            page = visitor.page
            noon = datetime.combine(FIRST_DAY, datetime.min.time()) + timedelta(days=DAY, hours=12)
            page.clock.set_fixed_time(noon)
            resize(page, *scene.size)
            page.goto(scene.address)
            page.wait_for_selector("html[data-ready]")
            scene.prepare(page)
            page.wait_for_load_state("networkidle")
            page.wait_for_timeout(1000)  # bars grow
            if scene.begins:
                page.locator(scene.begins).evaluate("one => one.scrollIntoView()")
            seen = page.locator(scene.of).first if scene.of else page
            yield name, seen.screenshot(animations="disabled")
            if visitor.troubles:
                sys.exit(f"{name}: {visitor.troubles}")
            visitor.context.close()
        browser.close()


def drawn(asked: list[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the pictures asked for, or all, by their names."""
    yield from scenes([name for name in SCENES if not asked or name in asked])
    if not asked or not set(asked) <= set(SCENES):
        yield from ((name, picture) for name, picture in results().items() if not asked or name in asked)


def main(asked: list[str]) -> None:
    """Draw the pictures asked for, or all. Ends with a message where there is none of a name."""
    missing = set(asked)
    for name, picture in drawn(asked):
        write_whole(PICTURES / name, small(picture))
        missing.discard(name)
    if missing:
        sys.exit(f"there is no picture {', '.join(sorted(missing))} to draw")


if __name__ == "__main__":
    main(sys.argv[1:])
