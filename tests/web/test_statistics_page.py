"""Statistics in a real browser: games are kept, counted, judged, carried from one browser to another."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsers import SCHEMES, SIZES, Visit, feedback, guess, picture, watch_shift
from finished_games import answer_of, figures, file_of, game, played, take_in
from playwright.sync_api import expect

from sleuth.coaching.playing.puzzles import today

SHIFT = 0.05


@pytest.mark.journey
def test_every_game_is_kept_and_counted(visit: Visit) -> None:
    page = visit("/", reduced_motion="reduce")
    daily = answer_of(today())
    guess(page, daily)
    played = page.locator(".result .figures div", has_text="Played").locator("dd")
    expect(played).to_have_text("1")
    page.goto("/?puzzle=77")
    answer = answer_of(77)
    for word in ("crony", answer):
        guess(page, word)
    expect(played).to_have_text("2")
    page.get_by_role("link", name="Statistics", exact=True).click()
    found = figures(page)
    assert (found["Played"], found["Won"], found["Guesses"]) == ("2", "100 %", "1.50")
    assert found["Streak"] == "1 day"  # two games, one of them of today
    assert page.evaluate("document.activeElement.tagName") == "H1"


def test_streaks_count_days_that_were_won_on_their_day(visit: Visit) -> None:
    page = visit("/statistics")
    now = today()
    take_in(
        page,
        file_of(
            game(now, "crony"),
            game(now - 1, "crony"),
            game(now - 2, "crony", late=1),  # not on its day: the row ends
            game(now - 3, "crony"),
            *(game(now - 10 - day) for day in range(5)),
            game(1_234_567, "crony", started=1_800_000_000_000, finished=1_800_000_000_000),
        ),
    )
    found = figures(page)
    assert (found["Streak"], found["Longest"], found["Played"]) == ("2 days", "5 days", "10")


def test_old_totals_are_taken_over(visit: Visit) -> None:
    page = visit("/assist")
    page.evaluate(
        """localStorage.setItem('sleuth.statistics', JSON.stringify({
            'Original words, 1, standard':
                { played: 5, won: 4, streak: 2, longest: 3, histogram: { 3: 1, 4: 3 } } }))"""
    )
    page.goto("/?puzzle=77")
    page.wait_for_selector("html[data-ready]")
    answer = answer_of(77)
    guess(page, answer)
    expect(page.locator(".result .figures div", has_text="Played").locator("dd")).to_have_text("6")
    page.goto("/statistics")
    expect(page.locator(".spread-table td").last).to_be_visible()
    assert figures(page)["Guesses"] == "3.20"  # 1 + 3 + 3 * 4, of five games won
    assert page.evaluate("localStorage.getItem('sleuth.statistics')") is None


def test_games_are_judged_and_mistakes_become_puzzles(visit: Visit) -> None:
    page = visit("/statistics")
    take_in(page, file_of(game(77, "adieu", "jazzy", "fuzzy"), game(78, "salet")))
    expect(page.get_by_text("2 games reviewed")).to_be_visible()
    card = page.get_by_label("Skill and luck", exact=True)
    assert all(0 <= int(text) <= 99 for text in card.locator(".figures dd").all_inner_texts())
    assert page.locator(".chart circle").count() == 4
    costs = dict(
        zip(
            page.locator("table:has-text('Cost') tbody th").all_inner_texts(),
            page.locator("table:has-text('Cost') tbody td:last-child").all_inner_texts(),
            strict=True,
        )
    )
    assert costs["SALET"] == "0"
    assert costs["ADIEU"].startswith("0.")
    mistake = page.locator(".mistakes li", has_text="JAZZY").first
    expect(mistake).to_contain_text("which cost")
    link = mistake.get_by_role("link", name="Try again")
    answer = answer_of(77)
    address = link.get_attribute("href")
    assert address
    assert address.endswith(f"#rows=adieu%3A{feedback('adieu', answer)}&better=jazzy")
    # What was asked once is kept with the game.
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    expect(page.get_by_text("2 games reviewed")).to_be_visible()
    assert not [url for url in asked if url.endswith("/review")]
    link.click()
    # The best guess is not shown at once: it is a puzzle.
    expect(page.locator(".puzzle h2")).to_have_text("Find a better guess")
    expect(page).to_have_url(re.compile("rows=adieu"))
    expect(page.locator(".puzzle")).to_contain_text("jazzy was played here")
    page.keyboard.type("fuzzy")
    page.keyboard.press("Enter")
    expect(page.locator(".puzzle")).to_contain_text("One more try.")


def test_a_loss_is_kept_where_it_is_known(visit: Visit) -> None:
    """What costs more than a little and has no mark may be chance, or is only estimated."""
    page = visit("/statistics")
    moves = [
        {"choice": True, "loss": 0.4, "annotation": "?"},
        {"choice": True, "loss": 0.4, "annotation": ""},
        {"choice": True, "loss": 0.05, "annotation": ""},
        {"choice": True, "loss": None, "annotation": ""},
        {"choice": False, "loss": 0.0, "annotation": ""},
    ]
    given = [{**move, "best": {"guess": "crane"}, "candidates_before": 9} for move in moves]
    kept = page.evaluate(
        "async moves => (await import('/static/js/statistics.js')).judged({ moves }).moves", given
    )
    assert [move["loss"] for move in kept] == [0.4, None, 0.05, None, None]


def test_what_took_longest_comes_first(visit: Visit) -> None:
    page = visit("/statistics")
    wrong = ("crony", "pilot", "muddy", "bumpy", "jazzy", "fuzzy")
    lost = game(80, *wrong)
    take_in(page, file_of(game(77, "crony"), lost, game(78, *wrong[:4])))
    listed = page.get_by_label("Took longest").locator("li")
    expect(listed.first).to_contain_text("not found")
    expect(listed.first).to_contain_text(lost["answers"][0])
    expect(listed.nth(1)).to_contain_text("5 of 6 guesses")


def test_a_file_goes_from_one_browser_to_another(visit: Visit, tmp_path: Path) -> None:
    page = visit("/statistics")
    take_in(page, file_of(game(77, "crony"), game(78, "pilot", hints=2)))
    expect(page.locator(".statistics-said")).to_have_text("2 games added.")
    expect(page.get_by_text("2 games reviewed")).to_be_visible()
    with page.expect_download() as started:
        page.get_by_role("button", name="Export").press("Enter")
    path = tmp_path / started.value.suggested_filename
    started.value.save_as(path)
    assert path.name == "sleuth-games.json"
    other = visit("/statistics")
    take_in(other, file_of(game(77, "muddy")))
    take_in(other, path.read_text())
    expect(other.locator(".statistics-said")).to_have_text("1 game added; 1 was here already.")
    take_in(other, path.read_text())
    expect(other.locator(".statistics-said")).to_have_text("0 games added; 2 were here already.")
    assert (figures(other)["Played"], figures(other)["With hints"]) == ("2", "1")
    other.get_by_role("button", name="Forget…").click()
    other.get_by_role("button", name="Forget them all").click()
    expect(other.get_by_role("heading", name="No game is finished yet")).to_be_visible()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("nonsense", "it is not JSON"),
        ("", "it is not JSON"),
        (json.dumps(file_of(game(77), game(78)))[:-20], "damaged or cut off"),
        ({"games": []}, "of another program"),
        ([1, 2], "of another program"),
        (file_of(game(77, game={"game": "wordle", "mode": "easy"})), "no proper “game”"),
        (file_of(game(77, game={"game": "wordle", "words": "original"})), "no proper “game”"),
        (file_of(game(77, game={"game": "mastermind", "mode": "easy", "pegs": "4"})), "no proper “game”"),
        (file_of(game(77, game={"game": "mastermind", "mode": "easy", "pegs": 5})), "no proper “feedback”"),
        (file_of(game(77), game(78, won="yes")), "Game 2 of the file has no proper “won”"),
        (file_of(game(77), {}), "Game 2 of the file"),
        (file_of(version=2), "version 2; this page reads version 1"),
        (file_of(games={}), "no list of games"),
        (file_of(totals={}), "totals of the file are no list"),
        (file_of(game(77), game(78, guesses=[])), "Game 2 of the file has no proper “guesses”"),
        (file_of(game(77, boards=2, feedback=[["bbbbb"] * 2])), "no proper “answers”"),
        (file_of(game(77, feedback=[["<img>"]])), "Game 1 of the file has no proper “feedback”"),
        (file_of(game(77, review={"skill": 200, "luck": 1, "moves": []})), "no proper “review”"),
        (file_of(totals=[{"kind": "x", "played": -1, "won": 0, "histogram": {}}]), "no proper “played”"),
        ("null", "of another program"),
    ],
)
def test_a_file_that_is_wrong_is_told_in_a_sentence(visit: Visit, content: Any, says: str) -> None:
    page = visit("/statistics")
    take_in(page, content)
    said = page.locator(".statistics-said .problem")
    expect(said).to_contain_text(says)
    expect(said).to_contain_text("nothing was taken in")
    expect(page.get_by_role("heading", name="No game is finished yet")).to_be_visible()


def test_a_file_that_is_wrong_takes_nothing_away(visit: Visit) -> None:
    page = visit("/statistics")
    take_in(page, file_of(game(77, "crony")))
    expect(page.locator(".statistics-said")).to_have_text("1 game added.")
    take_in(page, file_of(game(78), game(79, turns=-1)))
    expect(page.locator(".statistics-said .problem")).to_contain_text(
        "Game 2 of the file has no proper “turns”"
    )
    page.reload()
    expect(page.get_by_text("1 game reviewed")).to_be_visible()
    assert figures(page)["Played"] == "1"


def test_kinds_of_games_are_told_apart(visit: Visit) -> None:
    page = visit("/statistics")
    shown = [["bbbbb"] * 4] * 2
    on_each: dict[str, Any] = {"feedback": shown, "answers": ["crane"] * 4, "solved": [True] * 4}
    four = game(79, "crony", boards=4, id="four", **on_each)
    take_in(page, file_of(game(77, "crony"), game(78), four))
    assert figures(page)["Played"] == "3"
    page.get_by_label("Which games").select_option("Original words · 4 boards")
    assert figures(page)["Played"] == "1"


@pytest.mark.journey("phone-dark")
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", SIZES)
def test_the_view_is_accessible_and_stays_where_it_is(visit: Visit, size: str, scheme: str) -> None:
    page = visit("/statistics", size=size, scheme=scheme)
    watch_shift(page)
    few = {"game": "wordle", "words": "frequent:en:5:500", "mode": "easy"}
    take_in(page, file_of(*(played(few, 70 + n) for n in range(2))))
    expect(page.get_by_text("2 games reviewed")).to_be_visible()
    assert page.evaluate("window.shifts") <= SHIFT
    picture(page, f"statistics-{size}-{scheme}", whole=True)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", SIZES)
def test_without_games_the_view_is_accessible(visit: Visit, size: str, scheme: str) -> None:
    found = Axe().run(visit("/statistics", size=size, scheme=scheme))
    assert found.violations_count == 0, found.generate_report()


def test_the_first_point_of_a_chart_is_clear_of_the_axis(visit: Visit) -> None:
    page = visit("/statistics")
    take_in(page, file_of(game(78, "salet")))
    expect(page.locator(".chart circle")).to_have_count(2)
    (ends, begins) = (
        page.locator(f".chart {part}").first.evaluate(f"one => one.getBoundingClientRect().{side}")
        for part, side in (("text", "right"), ("circle", "left"))
    )
    assert begins - ends >= 10
