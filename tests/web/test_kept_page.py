"""What a browser keeps of finished games: though the page is left, of any kind, in any tab."""

import json
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsers import SCHEMES, Visit, guess
from finished_games import answer_of, figures, file_of, game, played, take_in
from playwright.sync_api import Page, expect

from sleuth.coaching.playing.puzzles import answers_of
from sleuth.games.choice import GameChoice

# A page that is left is gone before its database has answered: on / it never does.
SLOW = 'if (location.pathname === "/") IDBFactory.prototype.open = () => ({});'
WAITS = "one => localStorage.setItem(`sleuth.finished.${one.id}`, JSON.stringify(one))"
LEAVE = """
const setItem = Storage.prototype.setItem;
Storage.prototype.setItem = function (name, value) {
    setItem.call(this, name, value);
    if (name.startsWith("sleuth.puzzle.") && JSON.parse(value).over) location.href = "/statistics";
};"""


def finished(page: Page) -> None:
    """Play puzzle 77 to its end."""
    page.goto("/?puzzle=77")
    page.wait_for_selector("html[data-ready]")
    guess(page, answer_of(77))


class TestLeaving:
    @pytest.mark.journey
    def test_a_game_is_kept_though_its_page_is_gone_at_once(self, visit: Visit) -> None:
        page = visit("/statistics", reduced_motion="reduce")
        page.add_init_script(SLOW)
        finished(page)
        page.goto("/statistics")
        assert figures(page)["Played"] == "1"
        page.reload()
        assert figures(page)["Played"] == "1"  # once, and not only on its way
        assert page.evaluate("Object.keys(localStorage).filter(key => key.includes('finished'))") == []

    def test_a_game_is_kept_by_a_page_that_leaves_with_the_last_guess(self, visit: Visit) -> None:
        page = visit("/statistics", reduced_motion="reduce")
        page.add_init_script(LEAVE)
        page.goto("/?puzzle=77")
        page.wait_for_selector("html[data-ready]")
        page.keyboard.type(answer_of(77))
        page.keyboard.press("Enter")
        page.wait_for_url("**/statistics")
        assert figures(page)["Played"] == "1"

    def test_the_archive_and_the_next_result_know_it_too(self, visit: Visit) -> None:
        page = visit("/statistics", reduced_motion="reduce")
        page.add_init_script(SLOW)
        finished(page)
        other = page.context.new_page()  # its database answers
        other.goto("/?puzzle=78")
        other.wait_for_selector("html[data-ready]")
        guess(other, answer_of(78))
        expect(other.locator(".result .figures div", has_text="Played").locator("dd")).to_have_text("2")

    def test_tabs_count_it_once_and_are_told(self, visit: Visit) -> None:
        page = visit("/statistics", reduced_motion="reduce")
        other = page.context.new_page()
        other.goto("/statistics")
        expect(other.get_by_role("heading", name="No game is finished yet")).to_be_visible()
        page.add_init_script(SLOW)
        finished(page)
        for tab in (other, other):
            assert figures(tab)["Played"] == "1"  # it came without a reload
        page.goto("/statistics")
        other.reload()
        assert (figures(page)["Played"], figures(other)["Played"]) == ("1", "1")

    def test_what_is_forgotten_does_not_come_back(self, visit: Visit) -> None:
        page = visit("/statistics", reduced_motion="reduce")
        take_in(page, file_of(game(78)))
        # One that is still on its way while the games are forgotten.
        page.evaluate(WAITS, game(77))
        page.get_by_role("button", name="Forget…").click()
        page.get_by_role("button", name="Forget them all").click()
        expect(page.get_by_role("heading", name="No game is finished yet")).to_be_visible()
        page.reload()
        expect(page.get_by_role("heading", name="No game is finished yet")).to_be_visible()

    def test_what_is_forgotten_is_new_again_everywhere(self, visit: Visit) -> None:
        page = visit("/?puzzle=77", reduced_motion="reduce")
        guess(page, answer_of(77))
        expect(page.locator(".result")).to_be_visible()
        other = page.context.new_page()
        other.goto("/?puzzle=77")
        expect(other.locator(".result")).to_be_visible()
        page.goto("/?puzzle=78")
        page.wait_for_selector("html[data-ready]")
        guess(page, "crony")
        page.get_by_role("link", name="Statistics", exact=True).click()
        page.get_by_role("button", name="Forget…").press("Enter")
        page.keyboard.press("Tab")  # the question is the next thing that the keyboard comes to
        page.keyboard.press("Enter")
        expect(page.locator(".statistics-said")).to_have_text("All games are forgotten.")
        expect(page.get_by_role("button", name="Export")).to_be_disabled()
        expect(other.locator(".result")).to_have_count(0)
        assert other.locator(".board ol.row:not([aria-hidden])").count() == 0
        page.go_back()
        assert page.locator(".board ol.row:not([aria-hidden])").count() == 1  # what is only begun stays
        page.get_by_role("button", name="Archive").click()
        day = page.get_by_role("dialog").get_by_role("link", name="19 March 2025: not played")
        expect(day).to_be_visible()

    def test_an_import_does_not_double_what_is_on_its_way(self, visit: Visit) -> None:
        page = visit("/statistics")
        page.evaluate(WAITS, game(77))
        take_in(page, file_of(game(77, "crony"), game(78)))
        expect(page.locator(".statistics-said")).to_have_text("1 game added; 1 was here already.")
        found = figures(page)
        assert (found["Played"], found["Guesses"]) == ("2", "1.00")  # the game that was on its way stays

    def test_nonsense_on_its_way_harms_nothing(self, visit: Visit) -> None:
        page = visit("/statistics")
        page.evaluate("localStorage.setItem('sleuth.finished.x', '{')")
        page.evaluate("localStorage.setItem('sleuth.finished.y', '{}')")
        take_in(page, file_of(game(77)))
        assert figures(page)["Played"] == "1"


KINDS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"words": "original", "mode": "hard"}, {}),
    ({"words": "frequent:en:5:500", "mode": "strict"}, {}),
    ({"words": "frequent:de:5:1000", "mode": "easy"}, {}),
    ({"words": "original", "mode": "easy"}, {"boards": 2}),
    ({"words": "original", "mode": "easy"}, {"variant": "absurdle"}),
    ({"words": "original", "mode": "easy"}, {"variant": "fibble"}),
    ({"game": "mastermind", "pegs": 4, "colours": 6, "mode": "easy"}, {}),
    ({"game": "mastermind", "pegs": 3, "colours": 4, "mode": "strict"}, {}),
    ({"game": "bulls-and-cows", "pegs": 3, "mode": "easy"}, {}),
]


class TestReviews:
    @pytest.mark.parametrize(("spec", "more"), KINDS)
    def test_games_of_every_kind_are_judged(
        self, visit: Visit, spec: dict[str, Any], more: dict[str, Any]
    ) -> None:
        page = visit("/statistics")
        take_in(page, file_of(played({"game": "wordle", **spec}, 5, **more)))
        card = page.get_by_label("Skill and luck", exact=True)
        expect(card).to_contain_text("1 game reviewed.")
        skill, luck = card.locator(".figures dd").all_inner_texts()
        if more.get("variant") == "fibble":  # losses are estimates there, of unknown error
            assert skill == "–"
        else:
            assert 0 <= int(skill) <= 99
        unknown = "Luck is not known in Absurdle, in Fibble and on several boards"
        if more:
            assert luck == "–"
            expect(card).to_contain_text(unknown)
        else:
            assert 0 <= int(luck) <= 99
            expect(card).not_to_contain_text(unknown)

    def test_mistakes_on_several_boards_and_against_other_hosts_are_tried_again(self, visit: Visit) -> None:
        page = visit("/statistics")
        spec = {"game": "wordle", "words": "original", "mode": "easy"}
        poor = ("adieu", "jazzy", "fuzzy")
        take_in(
            page,
            file_of(
                played(spec, 5, *poor, boards=2),
                played(spec, 6, *poor, variant="absurdle"),
                played(spec, 7, *poor, variant="fibble"),
            ),
        )
        expect(page.get_by_text("3 games reviewed")).to_be_visible()
        boards = page.locator(".mistakes li", has_text="all boards together").first
        expect(boards).to_contain_text("which cost about")
        link = boards.get_by_role("link", name="Try again").get_attribute("href")
        assert link
        assert "boards=2&tab=try" in link
        assert page.locator(".mistakes li", has_text="Fibble").count() == 0  # what is estimated is no mistake
        absurdle = page.locator(".mistakes li", has_text="Absurdle").first
        absurdle.get_by_role("link", name="Try again").click()
        expect(page.locator(".puzzle h2")).to_have_text("Find a better guess")
        assert "variant=absurdle" in page.url
        expect(page.locator(".analyse .problem")).to_have_count(0)

    def test_words_of_your_own_are_judged_while_they_are_here(self, visit: Visit) -> None:
        page = visit("/statistics", reduced_motion="reduce")
        words = ["hunde", "katze", "tatze", "vogel"]
        page.evaluate("words => localStorage.setItem('sleuth.own', JSON.stringify(words))", words)
        page.goto("/?puzzle=3&words=own")
        page.wait_for_selector("html[data-ready]")
        [answer] = answers_of(tuple(words), 3)
        for word in ("vogel" if answer != "vogel" else "hunde", answer):
            guess(page, word)
        page.goto("/statistics")
        card = page.get_by_label("Skill and luck", exact=True)
        expect(card).to_contain_text("1 game reviewed.")
        expect(page.get_by_label("Took longest").get_by_role("link")).to_have_count(1)
        page.goto("/?puzzle=4&words=own")
        page.wait_for_selector("html[data-ready]")
        guess(page, answers_of(tuple(words), 4)[0])
        page.evaluate("localStorage.setItem('sleuth.own', JSON.stringify(['other', 'words']))")
        page.goto("/statistics")
        expect(card).to_contain_text("1 game reviewed. There is no review of 1 game with words of your own")

    def test_what_has_no_review_is_said(self, visit: Visit) -> None:
        page = visit("/statistics")
        spec = {"game": "wordle", "words": "original", "mode": "easy"}
        fibble = played(spec, 5, boards=2, variant="fibble")
        unknown = game(79, id="unknown", game={"game": "wordle", "words": "no such list", "mode": "easy"})
        take_in(page, file_of(game(77), fibble, unknown))
        card = page.get_by_label("Skill and luck", exact=True)
        expect(card).to_contain_text("1 game reviewed. There is no review of 2 games")
        page.get_by_label("Which games").select_option("Fibble · Original words · 2 boards")
        expect(card).to_contain_text("0 games reviewed. There is no review of 1 game")

    @pytest.mark.parametrize("scheme", SCHEMES)
    def test_games_of_all_kinds_fit_a_phone(self, visit: Visit, scheme: str) -> None:
        games = []
        for number, (spec, more) in enumerate([*KINDS, (KINDS[3][0], {"boards": 8})]):
            one = played({"game": "wordle", **spec}, number, **more)
            moves = [{"loss": 0.5, "best": one["answers"][0], "left": 1234} for _ in one["guesses"]]
            games.append({**one, "review": {"skill": 70, "luck": None, "moves": moves}})
        page = visit("/statistics", size="phone", scheme=scheme)
        take_in(page, file_of(*games))
        kinds = page.get_by_label("Which games")
        expect(kinds.locator("option")).to_have_count(len(games) + 1)
        for kind in kinds.locator("option").all_inner_texts():
            kinds.select_option(kind)
            found = Axe().run(page)
            assert found.violations_count == 0, found.generate_report()
            wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            assert page.evaluate(wide) <= 0, kind

    def test_the_focus_stays_while_reviews_come_in(self, visit: Visit) -> None:
        page = visit("/statistics")
        take_in(page, file_of(*(game(70 + n, "adieu", "jazzy") for n in range(3))))
        page.get_by_role("button", name="Cost").focus()
        expect(page.get_by_text("3 games reviewed")).to_be_visible()
        assert page.evaluate("document.activeElement.textContent") == "Cost"


class TestNumbers:
    def test_thousands_are_set_apart_and_old_games_are_still_counted(self, visit: Visit) -> None:
        page = visit("/statistics", reduced_motion="reduce")
        title = "2000 frequent words, German, 5 letters"
        old = {"kind": f"{title}, 1, standard", "played": 1999, "won": 1500, "histogram": {"3": 1500}}
        german = played({"game": "wordle", "words": "frequent:de:5:2000", "mode": "easy"}, 5)
        assert german["title"] == title  # as every version has written it
        take_in(page, file_of(german, totals=[old]))
        assert figures(page)["Played"] == "2,000"
        kinds = page.get_by_label("Which games").locator("option").all_inner_texts()
        assert kinds == ["All games", "2,000 frequent words, German, 5 letters"]
        # A game that is finished now is of the same kind.
        page.goto("/?puzzle=6&words=frequent:de:5:2000")
        expect(page.locator(".play-head p")).to_contain_text("2,000 frequent words, German, 5 letters")
        words = GameChoice(words="frequent:de:5:2000").build().answers
        guess(page, answers_of(words, 6)[0])
        expect(page.locator(".result .figures div", has_text="Played").locator("dd")).to_have_text("2,001")
        page.goto("/statistics")
        assert figures(page)["Played"] == "2,001"
        assert page.get_by_label("Which games").locator("option").all_inner_texts() == kinds

    def test_games_in_the_database_of_before_are_read(self, visit: Visit) -> None:
        page = visit("/assist")
        page.evaluate(
            """game => new Promise((resolve) => {
                const request = indexedDB.open("sleuth", 1);
                request.onupgradeneeded = () => {
                    request.result.createObjectStore("games", { keyPath: "id" }).put(game);
                    request.result.createObjectStore("totals", { keyPath: "kind" });
                };
                request.onsuccess = () => { request.result.close(); resolve(); };
            })""",
            game(77, "crony"),
        )
        page.goto("/statistics")
        assert figures(page)["Played"] == "1"
        with page.expect_download() as started:
            page.get_by_role("button", name="Export").click()
        found = json.loads(started.value.path().read_text())
        assert (found["version"], [one["title"] for one in found["games"]]) == (1, ["Original words"])
