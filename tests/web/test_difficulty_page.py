"""How hard a list is, in a real browser: own words and shipped ones, changes, addresses, files, keys."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from browsers import Visit, is_accessible_and_fits, resize, watch_shift
from playwright.sync_api import Page, expect

import sleuth
from sleuth.coaching.difficulty.change import edited
from sleuth.coaching.difficulty.played import games_for
from sleuth.web.schemas import MOST_MEASURED, MOST_TURNS

LIGHT = ["light", "might", "night", "right", "sight", "fight", "tight", "eight", "crane", "audio", "house"]
FILE = "# my list\n{}\nmaus-tier\nfig\nnight\nCrane/S\n"
FEW = "frequent:en:4:500"
MEASURE = "How hard is it?"


def measured(page: Page) -> None:
    page.wait_for_selector(".measured h2")


def asked(page: Page) -> list[dict[str, Any]]:
    """Return a list that grows by every job that the page begins."""
    begun: list[dict[str, Any]] = []
    page.on(
        "request",
        lambda request: (
            begun.append(request.post_data_json)
            if request.method == "POST" and request.url.endswith("/difficulty")
            else None
        ),
    )
    return begun


def give(page: Page, text: str) -> None:
    """Open a file of answers."""
    page.locator("input[type=file]").first.set_input_files(
        {"name": "list.txt", "mimeType": "text/plain", "buffer": text.encode()}
    )


def cells(page: Page, table: str, name: str) -> list[str]:
    """Return the numbers of a row of a table."""
    rows = page.get_by_role("region", name=f"{table}, table", exact=True).locator("tbody tr")
    row = rows.filter(has=page.get_by_role("rowheader", name=name, exact=True))
    return row.locator("td").all_inner_texts()


def card(page: Page, title: str) -> Any:
    return page.locator(".measured-cards section").filter(has=page.locator("h2", has_text=title))


def downloaded(page: Page, name: str, path: Path) -> str:
    with page.expect_download() as download:
        page.get_by_role("button", name=name).click()
    file = path / download.value.suggested_filename
    download.value.save_as(file)
    return file.read_bytes().decode()


@pytest.mark.parametrize(("size", "scheme"), [("phone", "dark"), ("desktop", "light")])
def test_a_list_of_ones_own_is_measured_and_changed(
    visit: Visit, size: str, scheme: str, tmp_path: Path
) -> None:
    page = visit("/difficulty", size=size, scheme=scheme, reduced_motion="reduce")
    begun = asked(page)
    page.get_by_role("button", name=MEASURE).click()
    expect(page.locator("form .problem")).to_have_text("Give at least two words of one length.")
    give(page, FILE.format("\n".join(LIGHT)))
    said = page.locator(".own-said").first
    expect(said).to_contain_text("11 words of 5 letters.")
    expect(said).to_contain_text("1 word not made of letters alone: maus-tier.")
    expect(said).to_contain_text("1 word of another length than 5 letters: fig.")
    expect(said).to_contain_text("2 words there twice, used once: night, crane.")
    is_accessible_and_fits(page, f"difficulty-before-{size}-{scheme}")
    watch_shift(page, before=False)  # from here nothing moves by itself
    page.get_by_label("Turns").fill("4")
    page.get_by_role("button", name=MEASURE).click()
    measured(page)
    assert begun == [{"game": {"game": "wordle", "answers": LIGHT, "mode": "easy"}, "max_turns": 4}]

    game = sleuth.wordle(LIGHT, max_turns=4)
    found = sleuth.difficulty(game, games=games_for(len(LIGHT)))
    heading = page.locator(".measured h2").first
    expect(heading).to_contain_text(
        f"A casual player takes {found.mean(found.weakest):.2f} guesses on average and loses "
    )
    expect(heading).to_contain_text(f"the best play known takes {found.mean(found.best):.2f}.")
    assert cells(page, "Games against every word", "Guesses on average") == [
        f"{found.mean(one):.3f}" for one in found.players
    ]
    assert cells(page, "Games against every word", "Turns for 99 %") == [
        str(found.turn_limit(one)) for one in found.players
    ]
    expect(page.locator(".chart circle")).to_have_count(3)
    expect(page.locator("#announcer")).to_contain_text("Done.")
    unfair = card(page, "Unfair words").locator("tbody .word").all_inner_texts()
    assert [word.lower() for word in unfair] == [one.word for one in found.unfair] != []
    expect(card(page, "Families").locator("li")).to_contain_text("-ight 8")
    openers = card(page, "Best first guesses").locator("tbody th").all_inner_texts()
    assert [word.lower() for word in openers] == [one.guess for one in found.openers]
    hardest = card(page, "Hardest words").locator("li .word").all_inner_texts()
    assert [word.lower() for word in hardest] == found.hardest(10)
    assert page.evaluate("window.shifts") <= 0.05, page.evaluate("window.moved")
    is_accessible_and_fits(page, f"difficulty-after-{size}-{scheme}")

    every = page.locator(".answers-table tbody")
    assert every.locator("th").all_inner_texts()[0].lower() == "audio"
    head = page.locator(".answers-table").get_by_role("columnheader", name="Casual player")
    before = page.evaluate("window.shift")
    for order, words in (("descending", found.hardest(1)), ("ascending", None), (None, ["audio"])):
        head.get_by_role("button").click()
        assert head.get_attribute("aria-sort") == order
        if words:
            assert every.locator("th").all_inner_texts()[0].lower() == words[0]
    assert page.evaluate("window.shift") - before <= 0.05  # nor do the explanations that open over it
    page.get_by_label("Search the words").fill("igh")
    expect(every.locator("tr")).to_have_count(8)
    rows = list(csv.DictReader(io.StringIO(downloaded(page, "Words as CSV", tmp_path), newline="")))
    assert [row["answer"] for row in rows] == sorted(LIGHT)
    assert [float(row["casual guesses"]) for row in rows] == [
        row["casual guesses"] for row in found.to_records()
    ]
    told = json.loads(downloaded(page, "Everything as JSON", tmp_path))
    assert told["players"] == json.loads(json.dumps(found.to_json()["players"]))

    word = unfair[0].lower()
    page.get_by_role("button", name=f"Take out {word}").click()
    expect(page.get_by_label("Words to take out")).to_have_value(word)
    page.get_by_label("Words to add").fill("world pizza")
    page.get_by_role("button", name="Before and after").click()
    expect(page.locator(".measured h2").first).to_contain_text(
        f"With pizza and world and without {word}, a casual"
    )
    after = sleuth.difficulty(edited(game, ["world", "pizza"], [word]), games=games_for(len(LIGHT)))
    assert cells(page, "The list", "Words") == ["11", "12"]
    means = [f"{one.mean(one.weakest):.3f}" for one in (found, after)]
    assert cells(page, "Casual player", "Guesses on average") == means
    expect(page.locator(".charts .chart")).to_have_count(2)
    assert (
        len({one["height"] for one in (chart.bounding_box() for chart in page.locator(".chart").all())}) == 1
    )
    moved = [one for one in sleuth.Change(found, after).moved() if f"{one[1]:.2f}" != f"{one[2]:.2f}"]
    rows_moved = card(page, "Words that change most").locator("tbody th").all_inner_texts()
    assert [one.lower() for one in rows_moved] == [one[0] for one in moved]
    assert page.evaluate("window.shifts") <= 0.05, page.evaluate("window.moved")
    is_accessible_and_fits(page, f"difficulty-change-{size}-{scheme}")

    # A reload shows the same, from what is kept; so does a step back.
    assert len(begun) == 2
    page.reload()
    expect(page.locator(".measured h2").first).to_contain_text("With pizza and world")
    page.go_back()
    expect(page.locator(".measured h2").first).to_contain_text("A casual player takes")
    assert len(begun) == 2
    page.goto("/difficulty")
    expect(page.locator(".welcome")).to_contain_text("Measured before")
    expect(page.get_by_label("Words that may be the answer")).to_have_value("\n".join(LIGHT))
    page.get_by_role("button", name="Forget them").click()
    expect(page.locator(".welcome")).not_to_contain_text("Measured before")


@pytest.mark.journey
def test_by_keyboard_alone(visit: Visit) -> None:
    page = visit("/difficulty", reduced_motion="reduce")
    focused = "document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent"

    def go(label: str) -> None:
        for _ in range(80):
            if page.evaluate(focused).startswith(label):
                return
            page.keyboard.press("Tab")
        pytest.fail(f"the keyboard does not reach {label}")

    go("Words that may be the answer")
    page.keyboard.type("light night right fig fog")
    go("Letters")
    page.keyboard.press("ArrowUp")
    expect(page.locator(".own-said").first).to_contain_text("2 words of 3 letters.")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".own-said").first).to_contain_text("3 words of 5 letters.")
    assert page.evaluate(focused) == "Letters"
    go(MEASURE)
    page.keyboard.press("Enter")
    measured(page)
    go("Lost")
    page.keyboard.press("Enter")
    expect(page.get_by_role("columnheader", name="Lost").last).to_have_attribute("aria-sort", "descending")
    is_accessible_and_fits(page, "difficulty-few")


def test_a_word_that_cannot_be_taken_out_is_told(visit: Visit) -> None:
    page = visit("/difficulty")
    page.get_by_label("Words that may be the answer").fill("light night right sight")
    page.get_by_role("button", name=MEASURE).click()
    measured(page)
    page.get_by_label("Words to take out").fill("fight")
    page.get_by_role("button", name="Before and after").click()
    expect(page.locator(".run .problem")).to_contain_text("Fight cannot be removed: it is no answer.")


def test_a_shipped_list_by_its_address(visit: Visit, tmp_path: Path) -> None:
    page = visit("/difficulty#words=original")
    run = page.locator(".run")
    expect(run).to_contain_text("The best play, ten seconds for a proof")
    begun = asked(page)
    page.reload()
    expect(run).to_contain_text("The best play, ten seconds for a proof")
    assert begun == []  # the one that was begun is watched on
    run.get_by_role("button", name="Cancel Original words").click()
    expect(run).to_contain_text("Cancelled.")
    page.get_by_label("Words", exact=True).select_option("frequent")
    for label, value in (("Letters", "4"), ("How many words", "500")):
        page.get_by_label(label).select_option(value)
    page.get_by_role("button", name=MEASURE).click()
    measured(page)
    assert page.url.endswith(f"/difficulty#words={FEW}")
    expect(page.locator(".measured")).to_contain_text("how often words are written in English")
    expect(page.locator(".answers-table tbody tr")).to_have_count(15)
    page.get_by_role("button", name="Show more").click()
    expect(page.locator(".answers-table tbody tr")).to_have_count(115)
    families = card(page, "Families").locator("li")
    expect(families).to_have_count(10)
    card(page, "Families").get_by_role("button", name="Show all").click()
    assert families.count() > 10
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".measured [role=status]").first).to_have_text("Link copied.")
    page.get_by_role("link", name="Compare", exact=True).click()
    page.get_by_role("link", name="Lists", exact=True).click()
    measured(page)  # as it was left


@pytest.mark.parametrize(
    ("part", "says"),
    [
        ("words=none", "There is no “words=none”"),
        ("words=nyt&turns=99", f"a game has 1 to {MOST_TURNS} turns"),
        ("game=mastermind", "Only lists of words are looked at here."),
        ("words=own", "somebody's own"),
        ("words=own&list=katze.hund", "must all have one length"),
    ],
)
def test_a_strange_address_is_told_kindly(visit: Visit, part: str, says: str) -> None:
    page = visit("/")
    begun = asked(page)
    page.goto(f"/difficulty#{part}")
    expect(page.locator(".remark .problem")).to_contain_text(says)
    expect(page.locator(".welcome")).to_contain_text("Lists to look at")
    assert begun == []


def test_lists_too_large_are_not_offered_and_own_ones_are_told(visit: Visit) -> None:
    page = visit("/difficulty", size="phone")
    offered = "all => all.map(one => one.value)"
    words = page.get_by_label("Words", exact=True).locator("option")
    expect(words.and_(page.locator("[value=original-guesses]"))).to_have_count(0)
    assert set(words.evaluate_all(offered)) == {"original", "nyt", "frequent", "own"}
    letters = "abcdefghij"
    many = [a + b + c + d for a in letters for b in letters for c in letters for d in letters]
    give(page, "\n".join(many[: MOST_MEASURED + 1]))
    expect(page.locator(".own-said").first).to_contain_text("5,001 words of 4 letters.")
    page.get_by_role("button", name=MEASURE).click()
    expect(page.locator("form .problem")).to_contain_text(
        "A list may have 5,000 words here, and this has 5,001"
    )
    # So many words do not fit into the address; it opens here, and says so.
    give(page, "\n".join(many[:500]))
    expect(page.locator(".own-said").first).to_contain_text("500 words of 4 letters.")
    page.locator("summary", has_text="May other words be guessed?").click()
    others = page.get_by_label("Other words that may be guessed")
    others.fill("zebra")
    page.get_by_role("button", name=MEASURE).click()
    expect(page.locator("form .problem")).to_contain_text("4 letters, and the others that may be guessed 5")
    others.fill("zero zone")
    page.get_by_role("button", name=MEASURE).click()
    measured(page)
    expect(page.locator(".measured")).to_contain_text("500 words, 502 that may be guessed, 6 turns")
    assert page.url.endswith("/difficulty#words=own&guesses=own")
    page.reload()
    measured(page)
    expect(others).to_have_value("zero\nzone")
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".measured [role=status]").first).to_contain_text("in this browser only")
    # The header is one line on any phone.
    for width in (360, 390):
        resize(page, width, 740)
        tops = "links => new Set(links.map(link => link.getBoundingClientRect().top)).size"
        assert page.locator(".top nav a").evaluate_all(tops) == 1
