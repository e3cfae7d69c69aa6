"""A tree on paper: the page that is folded on the screen prints whole, on few pages."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sleuth
from sleuth.games.game import Game

playwright = pytest.importorskip("playwright.sync_api")
browsers = pytest.importorskip("browsers")

SHOWN = """() => [...document.querySelectorAll('.tree bdi')].filter(word => word.checkVisibility(
    {contentVisibilityAuto: true}) && word.getClientRects().length > 0).map(word => word.textContent)"""


@pytest.fixture(scope="module")
def page() -> Iterator[Any]:
    if not browsers.CHROMIUM.exists():
        pytest.skip("no chromium")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=browsers.CHROMIUM, args=[*browsers.QUIET])
        yield browser.new_page()
        browser.close()


def opened(page: Any, tree: sleuth.DecisionTree, folder: Path) -> None:
    tree.save(folder / "tree.html")
    page.goto((folder / "tree.html").as_uri())


@pytest.mark.thorough
def test_the_original_lists_take_two_sheets(page: Any, original: Game, tmp_path: Path) -> None:
    tree = sleuth.evaluate("rollout(base=information-gain)", original, "salet").tree
    opened(page, tree, tmp_path)
    for size in ("A4", "Letter"):
        pdf = page.pdf(format=size, prefer_css_page_size=False)
        assert len(re.findall(rb"/Type\s*/Page\b", pdf)) <= 2
    page.emulate_media(media="print")
    words = page.evaluate(SHOWN)
    assert sorted(words) == sorted(original.guesses[guess] for guess in tree.guess[1:])


def test_what_is_folded_on_the_screen_is_open_on_paper(page: Any, tmp_path: Path) -> None:
    game = sleuth.wordle(["crane", "trace", "react", "caret", "slate", "crate", "grace", "brace"])
    tree = sleuth.evaluate("worst-case", game, "grace").tree
    opened(page, tree, tmp_path)
    page.emulate_media(media="screen")
    turns = tree.turn
    assert len(page.evaluate(SHOWN)) == (turns <= 2).sum()
    assert "Open a line to go on" in page.inner_text("main")
    page.emulate_media(media="print", color_scheme="dark")
    assert len(page.evaluate(SHOWN)) == len(tree.guess) - 1  # the first guess is told in the line above
    said = page.inner_text("main")
    assert "The first guess is grace." in said
    assert "Open a line to go on" not in said
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    lines = ["".join(line.split()) for line in page.inner_text(".tree").splitlines() if line.strip()]
    children = [node for node in range(len(turns)) if turns[node] == 2]
    assert len(lines) == len(children)
    for node, line in zip(children, lines, strict=True):
        code, guess = game.rules.notation.show(int(tree.code[node])), game.guesses[tree.guess[node]]
        assert line.startswith(f"{code.lower()}{guess}")
