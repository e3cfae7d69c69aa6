"""The gallery: its pictures are there and small, and what draws them draws these and no others."""

import re
from pathlib import Path

import pytest
from draw_gallery import PAGE, PICTURES, SCENES

DOCS = PAGE.parent
SHOWN = re.compile(r"!\[[^\]]+\]\(pictures/([\w-]+\.png)\)")
TEXT = PAGE.read_text("utf-8")
PARTS = SHOWN.split(TEXT)
SAID = dict(zip(PARTS[1::2], PARTS[::2], strict=False))
"""What the page says before each picture."""
LARGEST, ALL = 120_000, 1_500_000  # bytes


def shown(page: Path) -> set[str]:
    return set(SHOWN.findall(page.read_text("utf-8")))


def test_all_that_is_drawn_is_shown_and_all_that_is_shown_is_drawn() -> None:
    by_lines = set(re.findall(r'savefig\(folder / "([^"]+)"\)', TEXT))
    by_commands = set(re.findall(r"^sleuth .* --plot ([\w-]+\.png)", TEXT, re.MULTILINE))
    drawn = [*by_lines, *by_commands, *SCENES]
    assert len(drawn) == len(set(drawn))
    assert shown(PAGE) == set(drawn)


def test_the_first_page_has_the_same_pictures() -> None:
    assert shown(DOCS / "index.md") <= shown(PAGE)


@pytest.mark.parametrize("name", sorted(shown(PAGE)))
def test_a_picture_is_there_and_small_and_what_it_shows_is_explained(name: str) -> None:
    assert 0 < (PICTURES / name).stat().st_size < LARGEST
    assert re.search(r"\]\([\w-]+\.md", SAID[name])


@pytest.mark.parametrize("name", SCENES)
def test_the_page_says_where_a_view_is(name: str) -> None:
    same = [other for other, scene in SCENES.items() if scene.address == SCENES[name].address]
    assert f"`{SCENES[name].address}`" in "".join(SAID[other] for other in same)


def test_the_pictures_of_all_pages_are_small_together() -> None:
    assert sum(path.stat().st_size for path in PICTURES.iterdir()) < ALL
