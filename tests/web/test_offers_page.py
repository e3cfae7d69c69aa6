"""What forms offer is what the server takes: every choice of the dialog is tried."""

import json
from collections.abc import Iterator
from itertools import product
from typing import Any

import httpx
import pytest
from browsers import Visit
from playwright.sync_api import Locator, Page, expect

LISTS = ("original", "original-guesses", "nyt", "nyt-guesses", "frequent", "mastermind", "bulls-and-cows")


class Dialog:
    """The settings, and whether the server takes what is chosen there."""

    def __init__(self, page: Page, client: httpx.Client) -> None:
        self.place = page.get_by_role("dialog")
        self.client = client
        self.tried: set[str] = set()

    def field(self, name: str) -> Locator:
        return self.place.get_by_label(name, exact=True)

    def options(self, name: str) -> list[str]:
        if self.field(name).count() == 0:
            return []
        read = "select => [...select.options].map(option => option.value)"
        found: list[str] = self.field(name).evaluate(read)
        return found

    def choose(self, name: str, value: str) -> None:
        self.field(name).select_option(value)
        self.taken(self.chosen())

    def chosen(self) -> dict[str, Any]:
        """Return the puzzle that the form stands for."""
        read = """place => [...place.querySelectorAll('.field')]
            .map(field => [field.firstChild.textContent, field.lastChild.value])"""
        form = dict(self.place.evaluate(read))
        game: dict[str, Any] = {"game": "wordle", "mode": form["Mode"]}
        if form["Words"] == "mastermind":
            game |= {"game": "mastermind", "pegs": int(form["Pegs"]), "colours": int(form["Colours"])}
        elif form["Words"] == "bulls-and-cows":
            game |= {"game": "bulls-and-cows", "pegs": int(form["Digits"])}
        elif form["Words"] == "frequent":
            parts = (form["Language"], form["Letters"], form["How many words"])
            game["words"] = ":".join(("frequent", *parts))
        else:
            game["words"] = form["Words"]
        return {"game": game, "boards": int(form["Boards"]), "variant": form["Variant"], "number": 5}

    def taken(self, puzzle: dict[str, Any]) -> None:
        """Assert that the server takes a puzzle, asking once."""
        key = json.dumps(puzzle)
        if key not in self.tried:
            self.tried.add(key)
            answer = self.client.post("/api/v1/puzzle", json=puzzle)
            assert answer.status_code == 200, (puzzle, answer.text)


@pytest.fixture
def dialog(visit: Visit, address: str) -> Iterator[Dialog]:
    page = visit("/", expected=["net::ERR"])
    with page.expect_response("**/api/v1/games"):
        page.get_by_role("button", name="Settings").click()
    # The form knows it as well: until then it offers what there is as a rule.
    page.evaluate(
        """async () => {
            const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
            const { offers } = await import(loaded.find((name) => name.includes("/offers.js")));
            await offers();
        }"""
    )
    with httpx.Client(base_url=address, timeout=120) as client:
        yield Dialog(page, client)


@pytest.mark.parametrize("words", LISTS)
def test_every_kind_that_is_offered_is_taken(dialog: Dialog, words: str) -> None:
    dialog.choose("Words", words)
    for mode in dialog.options("Mode"):
        dialog.choose("Mode", mode)
        assert dialog.chosen()["game"]["mode"] == mode  # what is chosen stays, the rest goes with it
        for boards in dialog.options("Boards"):
            dialog.choose("Boards", boards)
            assert dialog.chosen()["boards"] == int(boards)
            for variant in dialog.options("Variant"):
                dialog.choose("Variant", variant)
                assert dialog.chosen()["variant"] == variant
                dialog.choose("Boards", boards)
                dialog.choose("Mode", mode)


@pytest.mark.parametrize("game", ["mastermind", "bulls-and-cows"])
def test_every_size_that_is_offered_is_taken(dialog: Dialog, game: str) -> None:
    dialog.choose("Words", game)
    name = "Pegs" if game == "mastermind" else "Digits"
    sizes = []
    for pegs in dialog.options(name):
        dialog.choose(name, pegs)
        for colours in dialog.options("Colours") or [""]:
            if colours:
                dialog.choose("Colours", colours)
            sizes.append(f"{pegs}x{colours}")
        # The most colours there are do not go with more pegs: they give way.
    assert "4x6" in sizes if game == "mastermind" else "4x" in sizes
    assert "5x8" not in sizes  # 2 GiB of feedback
    assert "5x" not in sizes


def test_every_list_of_words_that_is_offered_is_taken(dialog: Dialog) -> None:
    dialog.choose("Words", "frequent")
    languages, lengths, sizes = map(dialog.options, ("Language", "Letters", "How many words"))
    some = dialog.chosen()
    largest = sizes[-1]  # smaller lists are parts of it
    assert int(largest) == max(map(int, sizes))
    for parts in (*product(languages, lengths, [largest]), *product(["en"], ["5"], sizes)):
        dialog.taken({**some, "game": {**some["game"], "words": ":".join(("frequent", *parts))}})
    for variant in dialog.options("Variant"):
        for length in lengths:
            dialog.choose("Letters", "5")
            dialog.choose("Variant", variant)
            dialog.choose("Letters", length)


def test_what_does_not_go_with_a_choice_gives_way_and_that_is_said(dialog: Dialog) -> None:
    dialog.choose("Mode", "hard")
    dialog.choose("Boards", "4")
    assert dialog.chosen()["game"]["mode"] == "easy"
    expect(dialog.place.get_by_role("status")).to_have_text("Changed to fit: easy mode.")
    dialog.choose("Variant", "absurdle")
    assert dialog.chosen()["boards"] == 1
    expect(dialog.place.get_by_role("status")).to_have_text("Changed to fit: 1 board.")
    dialog.choose("Words", "mastermind")
    dialog.choose("Words", "frequent")
    expect(dialog.place.get_by_role("status")).to_be_empty()
    dialog.choose("Variant", "fibble")
    dialog.choose("Letters", "9")
    expect(dialog.place.get_by_role("status")).to_have_text("Changed to fit: standard variant.")
    assert "fibble" not in dialog.options("Variant")
    dialog.field("Mode").press("Tab")
    assert dialog.place.page.evaluate("document.activeElement.textContent") == "Play"
