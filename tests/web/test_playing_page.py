"""Playing in a real browser: days and puzzles, tabs, hints, rules, pegs, keyboards, low windows."""

import re
from datetime import date, datetime, time, timedelta

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsers import (
    SCHEMES,
    SIZES,
    Held,
    Visit,
    contrasts,
    feedback,
    guess,
    judged,
    picture,
    resize,
    watch_shift,
)
from playwright.sync_api import Page, expect

from sleuth.coaching.playing.puzzles import answers_of, number_of, today
from sleuth.games import wordlists
from sleuth.games.choice import GameChoice

ANSWERS = wordlists.load("original").answers
TURNED = 1300  # milliseconds within which the tiles of a row turn over
SHIFT = 0.05


def answer_of(number: int) -> str:
    [answer] = answers_of(ANSWERS, number)
    return answer


def wrong(*answers: str) -> list[str]:
    """Return words that are not among the answers."""
    return [word for word in ("salet", "crony", "pilot", "muddy", "light", "bumpy") if word not in answers]


def shared(page: Page) -> list[str]:
    """Copy the result and return its lines."""
    page.get_by_role("button", name="Copy result").click()
    expect(page.locator(".result [role=status]")).to_have_text("Copied.")
    text: str = page.evaluate("navigator.clipboard.readText()")
    return text.splitlines()


class TestDays:
    def test_the_address_without_more_is_today(self, visit: Visit) -> None:
        page = visit("/")
        expect(page.locator("h1")).to_have_text("Daily puzzle")
        assert page.locator(".play-head p").inner_text() == f"No. {today()} · Original words"
        page.get_by_role("button", name="New puzzle").click()
        expect(page.locator("h1")).to_have_text("Puzzle")
        page.goto("/")
        expect(page.locator("h1")).to_have_text("Daily puzzle")

    def test_an_address_that_cannot_be_is_told_though_today_is_finished(self, visit: Visit) -> None:
        page = visit("/", reduced_motion="reduce")
        guess(page, answer_of(today()))
        expect(page.locator(".result")).to_be_visible()
        page.goto("/?puzzle=-4")
        expect(page.locator(".result")).to_be_visible()
        expect(page.locator("p.problem")).to_contain_text("puzzles have numbers from 0 to 1,000,000,000")

    def test_numbers_are_not_the_newspapers(self, visit: Visit) -> None:
        page = visit("/")
        newspaper = (date.today() - date(2021, 6, 19)).days
        assert f"No. {newspaper} " not in page.locator(".play-head p").inner_text()
        page.get_by_role("button", name=f"No. {today()}").focus()
        expect(page.locator(".bubble")).to_contain_text("from 1 January 2025")
        expect(page.locator(".bubble")).to_contain_text("not the newspaper's")

    def test_old_links_by_number_lead_to_the_same_words(self, visit: Visit) -> None:
        page = visit("/?puzzle=1234", reduced_motion="reduce")
        guess(page, "salet")
        assert judged(page) == [feedback("salet", "randy")]  # as docs/playing.md has it
        assert answer_of(1234) == "randy"

    def test_a_puzzle_goes_over_midnight_and_the_new_day_is_offered(self, visit: Visit) -> None:
        page = visit("/", alone=True, reduced_motion="reduce")
        late = datetime.combine(date.today(), time(23, 59, 50))
        page.clock.install(time=late)
        page.reload()
        expect(page.locator("h1")).to_have_text("Daily puzzle")
        guess(page, wrong(answer_of(today()))[0])
        page.clock.fast_forward(20_000)
        expect(page.locator(".note")).to_contain_text("A new day has begun")
        expect(page.locator(".play-head p")).to_contain_text(f"No. {today()}")
        guess(page, answer_of(today()))
        expect(page.locator(".result h2")).to_contain_text("Solved in 2")
        # It was begun on its own day, so it counts for that.
        figure = page.locator(".result .figures div", has_text="Streak")
        expect(figure.locator("dd")).to_have_text("1")
        page.get_by_role("button", name="Play today's puzzle").click()
        expect(page.locator(".play-head p")).to_contain_text(f"No. {today() + 1}")
        assert page.url.endswith("/")
        page.go_back()
        expect(page.locator(".play-head p")).to_contain_text(f"No. {today()} ")
        expect(page.locator(".result")).to_be_visible()

    def test_a_puzzle_without_a_guess_gives_way_to_the_new_day(self, visit: Visit) -> None:
        page = visit("/", alone=True)
        page.clock.install(time=datetime.combine(date.today(), time(23, 59, 50)))
        page.reload()
        expect(page.locator(".play-head p")).to_contain_text(f"No. {today()}")
        page.clock.fast_forward(20_000)
        expect(page.locator(".play-head p")).to_contain_text(f"No. {today() + 1}")

    def test_yesterdays_unfinished_puzzle_is_offered(self, visit: Visit) -> None:
        page = visit(f"/?puzzle={today() - 1}")
        guess(page, wrong(answer_of(today() - 1))[0])
        page.goto("/")
        page.get_by_role("link", name="Go on with it").click()
        expect(page.locator(".play-head p")).to_contain_text(f"No. {today() - 1}")
        assert len(judged(page)) == 1

    def test_a_countdown_runs_to_the_next_day(self, visit: Visit) -> None:
        page = visit("/", alone=True, reduced_motion="reduce")
        page.clock.install(time=datetime.combine(date.today(), time(22, 0, 0)))
        page.reload()
        guess(page, answer_of(today()))
        expect(page.get_by_role("timer")).to_have_text(re.compile("01:59:5[0-9]"))
        page.clock.fast_forward("02:00:05")
        page.get_by_role("button", name="Play today's puzzle").click()
        expect(page.locator(".play-head p")).to_contain_text(f"No. {today() + 1}")

    def test_the_archive_names_the_kind_of_its_puzzles(self, visit: Visit) -> None:
        page = visit("/?variant=fibble&boards=2&puzzle=77")
        page.get_by_role("button", name="Archive").click()
        expect(page.get_by_role("dialog")).to_contain_text("Fibble · Original words · 2 boards")

    def test_the_archive_shows_what_was_played_and_leads_there(self, visit: Visit) -> None:
        day = number_of(date(2026, 2, 10))
        page = visit(f"/?puzzle={day}", reduced_motion="reduce")
        guess(page, answer_of(day))
        expect(page.locator(".result h2")).to_contain_text("Solved in 1")
        page.goto(f"/?puzzle={day + 1}")
        guess(page, wrong(answer_of(day + 1))[0])
        page.get_by_role("button", name="Archive").click()
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_role("heading", name="February 2026")).to_be_visible()
        assert dialog.locator("tbody a, tbody span").count() == 28
        expect(dialog.get_by_role("link", name="10 February 2026: won in 1")).to_be_visible()
        expect(dialog.get_by_role("link", name="11 February 2026: begun")).to_be_visible()
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        dialog.get_by_role("button", name="The month before").press("Enter")
        dialog.get_by_role("link", name="Saturday, 31 January 2026: not played").press("Enter")
        expect(page.locator("h1")).to_have_text("31 January 2026")
        expect(page.locator("dialog")).to_have_count(0)
        page.go_back()
        expect(page.locator("h1")).to_have_text("11 February 2026")

    def test_back_goes_to_the_puzzle_before(self, visit: Visit) -> None:
        page = visit("/", reduced_motion="reduce")
        guess(page, wrong(answer_of(today()))[0])
        page.get_by_role("button", name="Settings").click()
        page.get_by_label("Words").select_option("nyt")
        page.get_by_role("button", name="Play", exact=True).click()
        expect(page.locator(".play-head p")).to_contain_text("New York Times")
        page.get_by_role("button", name="New puzzle").click()
        expect(page.locator("h1")).to_have_text("Puzzle")
        page.go_back()
        expect(page.locator("h1")).to_have_text("Daily puzzle")
        expect(page.locator(".play-head p")).to_contain_text("New York Times")
        page.go_back()
        expect(page.locator(".play-head p")).to_contain_text("Original words")
        assert len(judged(page)) == 1
        page.go_forward()
        expect(page.locator(".play-head p")).to_contain_text("New York Times")


class TestTabs:
    def test_two_tabs_play_one_game(self, visit: Visit) -> None:
        page = visit("/?puzzle=77", reduced_motion="reduce")
        other = page.context.new_page()
        other.goto("/?puzzle=77")
        other.wait_for_selector("html[data-ready]")
        guess(page, "salet")
        expect(other.locator(".board ol.row:not([aria-hidden])")).to_have_count(1)
        expect(other.locator(".note")).to_contain_text("went on in another tab")
        other.keyboard.type("cro")
        guess(page, "pilot")
        expect(other.locator(".board ol.row:not([aria-hidden])")).to_have_count(2)
        assert other.locator(".typing input").input_value() == "cro"
        other.keyboard.type("ny")
        other.keyboard.press("Enter")
        expect(page.locator(".board ol.row:not([aria-hidden])")).to_have_count(3)
        assert (
            judged(page) == judged(other) == [feedback(w, answer_of(77)) for w in ("salet", "pilot", "crony")]
        )

    @pytest.mark.journey
    def test_a_guess_on_its_way_does_not_overwrite_another_tabs(self, visit: Visit) -> None:
        page = visit("/?puzzle=77", reduced_motion="reduce")
        held = Held(page, "**/api/v1/guess")
        page.keyboard.type("crony")
        page.keyboard.press("Enter")
        on_its_way = held[0]
        other = page.context.new_page()
        other.goto("/?puzzle=77")
        other.wait_for_selector("html[data-ready]")
        guess(other, "salet")
        expect(page.locator(".note")).to_contain_text("went on in another tab")
        on_its_way.continue_()
        page.wait_for_timeout(500)
        assert judged(page) == [feedback("salet", answer_of(77))]
        assert page.locator(".typing input").input_value() == "crony"

    def test_what_is_typed_outlives_a_reload(self, visit: Visit) -> None:
        page = visit("/?puzzle=77")
        page.keyboard.type("cran")
        page.reload()
        page.wait_for_selector("html[data-ready]")
        assert page.locator(".typing input").input_value() == "cran"


def test_hints_show_in_result_statistics_and_shared_text(visit: Visit) -> None:
    page = visit("/?puzzle=77", reduced_motion="reduce")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hint")).to_contain_text("words still fit")
    guess(page, "salet")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hint")).to_contain_text("words still fit")
    page.get_by_role("button", name="still fit").hover()
    expect(page.locator(".bubble")).to_contain_text("All that is told before a guess counts as one hint.")
    page.get_by_role("button", name="Suggest a guess").click()
    expect(page.locator(".hint.guess")).to_be_visible()
    page.reload()
    page.wait_for_selector("html[data-ready]")
    guess(page, answer_of(77))
    expect(page.locator(".result")).to_contain_text("with 2 hints")
    assert shared(page)[0] == "Sleuth Original words 77 2/6, 2 hints"
    page.get_by_role("link", name="All statistics").click()
    expect(page.locator(".figures div", has_text="With hints").locator("dd")).to_have_text("1")


def test_a_hint_that_was_used_is_not_told_again(visit: Visit) -> None:
    page = visit("/?puzzle=12", reduced_motion="reduce")
    guess(page, "salet")
    page.get_by_role("button", name="Hint").click()
    page.get_by_role("button", name="Suggest a guess").click()
    told = page.locator(".hint.guess")
    word = told.locator(".word").inner_text().lower()
    page.reload()
    expect(told).to_be_visible()  # it was not used yet
    page.get_by_role("button", name="Use it").click()
    page.reload()
    page.wait_for_selector("html[data-ready]")
    expect(page.locator(".typing input")).to_have_value(word)
    expect(page.locator(".note")).to_be_empty()
    page.get_by_role("button", name="Hint").click()
    expect(told).to_be_visible()


class TestHintsOfVariants:
    """Hints know the host: what is best where the answer is fixed is not what is best elsewhere."""

    @pytest.mark.journey("fibble")
    @pytest.mark.parametrize("variant", ["absurdle", "fibble"])
    def test_a_hint_is_for_the_host_of_the_variant(self, visit: Visit, variant: str) -> None:
        page = visit(f"/?puzzle=77&variant={variant}", reduced_motion="reduce")
        guess(page, "salet")
        page.get_by_role("button", name="Hint").click()
        expect(page.locator(".hint")).to_contain_text("still fit")
        with page.expect_response("**/api/v1/suggest") as found:
            page.get_by_role("button", name="Suggest a guess").click()
        assert found.value.request.post_data_json["variant"] == variant
        best = found.value.json()["guesses"][0]
        expect(page.locator(".hint.guess .word")).to_have_text(best["guess"], ignore_case=True)
        whole = variant == "absurdle"  # its host leaves nothing to chance
        expected = f"{best['expected_guesses']:.{0 if whole else 1}f} guesses"
        expect(page.locator(".hint.guess")).to_contain_text(expected)
        proved = whole and best["expected_by"] == "exact"
        assert ("about" in page.locator(".hint.guess").inner_text()) != proved
        picture(page, f"hint-{variant}")


class TestWithoutAServer:
    def test_a_guess_that_waited_goes_off_after_a_reload_too(self, visit: Visit) -> None:
        page = visit("/?puzzle=20", expected=["Failed to load"], reduced_motion="reduce")
        guess(page, "crane")
        page.route("**/api/v1/guess", lambda route: route.abort())
        page.keyboard.type("mouth")
        page.keyboard.press("Enter")
        expect(page.locator("#connection")).to_contain_text("your guess goes off by itself")
        page.reload()
        page.wait_for_selector("html[data-ready]")
        expect(page.locator("#connection")).to_contain_text("your guess goes off by itself")
        page.unroute("**/api/v1/guess")
        expect(page.locator(".board ol.row:not([aria-hidden])")).to_have_count(2)
        page.keyboard.type("pilot")  # only typed, so it waits for Enter
        page.reload()
        page.wait_for_selector("html[data-ready]")
        page.wait_for_timeout(500)
        assert len(judged(page)) == 2
        assert page.locator(".typing input").input_value() == "pilot"

    def test_what_waits_beside_a_guess_does_not_take_its_note_away(self, visit: Visit) -> None:
        page = visit("/?puzzle=20", expected=["Failed to load"], reduced_motion="reduce")
        guess(page, "crane")
        page.route("**/api/v1/**", lambda route: route.abort())
        page.get_by_role("button", name="Hint").click()
        expect(page.locator("#connection")).to_contain_text("what you have here is safe")
        page.keyboard.type("mouth")
        page.keyboard.press("Enter")
        note = page.locator("#connection")
        expect(note).to_contain_text("your guess goes off by itself")
        page.evaluate("""() => {
            window.notes = [];
            const note = document.querySelector("#connection");
            const watch = new MutationObserver(() => window.notes.push(note.textContent));
            watch.observe(note, { childList: true });
        }""")
        with page.expect_request("**/api/v1/suggest"):  # it is asked again, in vain
            pass
        with page.expect_request("**/api/v1/guess"):
            pass
        page.wait_for_timeout(300)
        assert page.evaluate("window.notes") == []
        page.unroute("**/api/v1/**")
        expect(note).to_be_empty()

    def test_where_there_is_no_guess_none_is_spoken_of(self, visit: Visit) -> None:
        page = visit("/compare", expected=["Failed to load"])
        page.route("**/api/v1/**", lambda route: route.abort())
        page.goto("/analyse")
        expect(page.locator("#connection")).to_contain_text("Reconnecting")
        expect(page.locator("#connection")).not_to_contain_text("guess")


class TestRules:
    @pytest.mark.journey
    def test_they_show_on_the_first_visit_alone(self, visit: Visit) -> None:
        page = visit("/", first=True)
        dialog = page.get_by_role("dialog", name="Find the word in six guesses")
        expect(dialog.locator(".tile")).to_have_count(3)
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        page.keyboard.press("Enter")
        expect(dialog).to_have_count(0)
        guess(page, wrong(answer_of(today()))[0])
        page.reload()
        page.wait_for_selector("html[data-ready]")
        assert page.locator("dialog").count() == 0

    def test_a_black_tile_is_explained_in_words_that_fit_it(self, visit: Visit) -> None:
        page = visit("/", first=True)
        expect(page.get_by_role("dialog")).to_contain_text(
            "T is not in the word, or not as often as guessed."
        )

    def test_a_button_shows_them_again_with_a_line_for_each_variant(self, visit: Visit) -> None:
        page = visit("/")
        page.get_by_role("button", name="Rules").press("Enter")
        page.get_by_text("Other games").click()
        expect(page.get_by_role("dialog")).to_contain_text("One tile of every wrong row lies")
        page.keyboard.press("Escape")
        expect(page.locator("dialog")).to_have_count(0)

    def test_fibble_says_what_lies(self, visit: Visit) -> None:
        page = visit("/?puzzle=77&variant=fibble")
        expect(page.locator(".note")).to_contain_text("One tile of every wrong row lies")
        page.get_by_role("button", name="Fibble").hover()
        expect(page.locator(".bubble")).to_contain_text("lies")


@pytest.mark.journey("phone")
@pytest.mark.parametrize("size", SIZES)
def test_numbers_explain_themselves_on_hover_focus_and_tap(visit: Visit, size: str) -> None:
    page = visit("/?puzzle=77", reduced_motion="reduce", size=size)
    guess(page, answer_of(77))
    for name in ("Played", "Won", "Streak", "Longest"):
        number = page.locator(".result").get_by_role("button", name=name)
        if size == "phone":
            number.tap()
        else:
            number.hover()
        bubble = page.locator(".bubble")
        expect(bubble).to_be_visible()
        box, window = bubble.bounding_box(), page.viewport_size
        assert box
        assert window
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= window["width"]
        assert (
            page.locator(f"#{number.get_attribute('aria-describedby')}").text_content()
            == bubble.text_content()
        )
    page.locator(".result").get_by_role("button", name="Streak").focus()
    expect(page.locator(".bubble")).to_contain_text("Days in a row")
    page.keyboard.press("Escape")
    expect(page.locator(".bubble")).to_have_count(0)


MASTERMIND = "/?puzzle=5&game=mastermind"


def code_of(number: int, game: str = "mastermind") -> str:
    built = GameChoice(game=game, pegs=4, colours=6 if game == "mastermind" else None).build()
    [answer] = answers_of(built.answers, number)
    return answer


class TestPegs:
    @pytest.mark.journey
    def test_a_game_by_tapping(self, visit: Visit) -> None:
        page = visit(MASTERMIND, size="phone", reduced_motion="reduce")
        for name in ("red", "blue", "yellow"):
            page.get_by_role("button", name=f"{name}, key").tap()
        page.get_by_role("button", name="Enter the guess").tap()
        expect(page.locator(".note")).to_contain_text("A guess has 4 pegs")
        page.get_by_role("button", name="Peg 1 of 4: red").tap()
        page.get_by_role("button", name="green, key").tap()
        page.get_by_role("button", name="Peg 4 of 4: empty").tap()
        page.get_by_role("button", name="pink, key").tap()
        page.get_by_role("button", name="Enter the guess").tap()
        row = page.locator(".board ol.row:not([aria-hidden])")
        expect(row).to_have_count(1)
        assert [text.split()[-1] for text in row.locator("li").all_text_contents()] == [
            *("green", "blue", "yellow", "pink")
        ]
        expect(page.get_by_role("img", name=re.compile(r"\d black, \d white"))).to_be_visible()

    def test_pegs_are_dragged(self, visit: Visit) -> None:
        page = visit(MASTERMIND, reduced_motion="reduce")
        blue, pink = (page.get_by_role("button", name=f"{name}, key") for name in ("blue", "pink"))
        holes = page.locator("[data-hole]")
        blue.drag_to(holes.nth(2))
        expect(holes.nth(2)).to_have_attribute("aria-label", "Peg 3 of 4: blue")
        pink.drag_to(holes.nth(0))
        expect(holes.nth(0)).to_have_attribute("aria-label", "Peg 1 of 4: pink")
        holes.nth(2).drag_to(holes.nth(1))
        expect(holes.nth(1)).to_have_attribute("aria-label", "Peg 2 of 4: blue")
        expect(holes.nth(2)).to_have_attribute("aria-label", "Peg 3 of 4: empty")
        holes.nth(0).drag_to(page.locator("h1"))
        expect(holes.nth(0)).to_have_attribute("aria-label", "Peg 1 of 4: empty")

    @pytest.mark.journey
    def test_a_game_by_keyboard(self, visit: Visit) -> None:
        page = visit(MASTERMIND, reduced_motion="reduce")
        page.keyboard.type("112")
        page.keyboard.press("Backspace")
        page.keyboard.type("22")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Delete")
        page.keyboard.type("3")
        page.keyboard.press("Enter")
        expect(page.locator(".board ol.row:not([aria-hidden])")).to_have_count(1)
        expect(page.locator("#announcer")).to_contain_text(re.compile(r"\d black, \d white"))
        guess(page, code_of(5))
        expect(page.locator(".result h2")).to_contain_text("Solved in 2")
        lines = shared(page)
        assert lines[0] == "Sleuth Mastermind, 4 pegs of 6 colours 5 2/10"
        assert lines[-1] == "⚫" * 4

    def test_codes_are_not_called_words(self, visit: Visit) -> None:
        page = visit(MASTERMIND, reduced_motion="reduce")
        guess(page, "1122")
        page.get_by_role("button", name="Hint").click()
        expect(page.locator(".hint")).to_contain_text(re.compile(r"\d+ codes still fit"))
        page.get_by_role("button", name="Suggest a guess").click()
        page.get_by_role("button", name="Use it").click()
        expect(page.locator("[data-hole]:has(.peg)")).to_have_count(4)

    def test_colours_have_symbols_of_their_own(self, visit: Visit) -> None:
        page = visit(f"{MASTERMIND}&colours=8")
        shapes = page.locator(".key.colour path").evaluate_all(
            "paths => paths.map(path => path.getAttribute('d'))"
        )
        assert len(set(shapes)) == 8

    @pytest.mark.journey
    def test_bulls_and_cows_are_digits(self, visit: Visit) -> None:
        page = visit("/?puzzle=5&game=bulls-and-cows", reduced_motion="reduce")
        assert page.locator(".key:not(.wide)").all_inner_texts() == list("1234567890")
        page.keyboard.type("12x3")
        assert page.locator(".typing input").input_value() == "123"
        page.keyboard.press("Enter")
        expect(page.locator(".note")).to_contain_text("A guess has 4 digits")
        page.keyboard.type("4")
        page.keyboard.press("Enter")
        expect(page.locator(".bulls").first).to_have_text(re.compile(r"\d bulls?\d cows?"))
        guess(page, code_of(5, "bulls-and-cows"))
        expect(page.locator(".result h2")).to_contain_text("Solved in 2")

    @pytest.mark.parametrize("game", ["mastermind", "bulls-and-cows"])
    @pytest.mark.parametrize("size", SIZES)
    def test_nothing_moves_when_a_row_is_judged(self, visit: Visit, game: str, size: str) -> None:
        page = visit(f"/?puzzle=5&game={game}", size=size)
        watch_shift(page)
        before = page.locator(".board").bounding_box()
        guess(page, "1234")
        page.wait_for_timeout(600)
        assert page.locator(".board").bounding_box() == before
        assert page.evaluate("window.shift") <= SHIFT

    @pytest.mark.parametrize("scheme", SCHEMES)
    @pytest.mark.parametrize("size", SIZES)
    @pytest.mark.parametrize("game", ["mastermind", "bulls-and-cows"])
    def test_it_is_accessible_and_fits(self, visit: Visit, game: str, size: str, scheme: str) -> None:
        page = visit(f"/?puzzle=5&game={game}", size=size, scheme=scheme, reduced_motion="reduce")
        guess(page, "1234")
        picture(page, f"{game}-{size}-{scheme}")
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        keys, window = page.locator(".keyboard").bounding_box(), page.viewport_size
        assert keys
        assert window
        assert keys["y"] + keys["height"] <= window["height"]


def keyboard_in_view(page: Page) -> list[int]:
    """Return where the keyboard is, which is whole in the window: from the left, from the top, its size."""
    box, window = page.locator(".keyboard").bounding_box(), page.viewport_size
    assert box
    assert window
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= window["height"]
    return [round(box["x"]), round(box["y"]), round(box["width"]), round(box["height"])]


class TestHintsOfSeveralBoards:
    def test_a_hint_is_what_the_analysis_of_all_boards_names(self, visit: Visit) -> None:
        page = visit("/?puzzle=77&boards=2", reduced_motion="reduce")
        guess(page, "salet")
        with page.expect_response("**/api/v1/boards/suggest") as found:
            page.get_by_role("button", name="Hint").click()
        expect(page.locator(".hint")).to_contain_text(re.compile(r"still fits? on board [12]"))
        best = found.value.json()["guesses"][0]
        page.get_by_role("button", name="Suggest a guess").click()
        expect(page.locator(".hint.guess .word")).to_have_text(best["guess"], ignore_case=True)
        expect(page.locator(".hint.guess")).to_contain_text(
            f"about {best['expected_guesses']:.1f} guesses for all boards"
        )
        asked = found.value.request.post_data_json["boards"]
        marks = "/".join(rows[0]["feedback"] for rows in asked)
        page.goto(f"/analyse#boards=2&rows=salet:{marks}")
        expect(page.locator(".board-status")).to_contain_text(
            f"best for all boards {best['guess']}", ignore_case=True
        )

    def test_where_one_word_is_left_it_takes_one_guess_and_not_about_one(self, visit: Visit) -> None:
        page = visit("/?puzzle=77&boards=2", reduced_motion="reduce")
        for word in ("salet", "fjord", answers_of(ANSWERS, 77, 2)[0]):
            guess(page, word)
        page.get_by_role("button", name="Hint").click()
        expect(page.locator(".hint")).to_contain_text("1 word still fits on board 2")
        page.get_by_role("button", name="Suggest a guess").click()
        expect(page.locator(".hint.guess")).to_contain_text(": 1 guess for all boards.")

    def test_thirty_two_boards_have_one_too(self, visit: Visit) -> None:
        page = visit("/?puzzle=77&boards=32", reduced_motion="reduce")
        guess(page, "salet")
        page.get_by_role("button", name="Hint").click()
        expect(page.locator(".hint")).to_contain_text(re.compile(r"on board \d+"))
        page.get_by_role("button", name="Suggest a guess").click()
        expect(page.locator(".hint.guess")).to_contain_text("for all boards")

    def test_fibbles_boards_are_weighed_alone(self, visit: Visit) -> None:
        page = visit("/?puzzle=77&boards=2&variant=fibble", reduced_motion="reduce")
        guess(page, "salet")
        page.get_by_role("button", name="Hint").click()
        page.get_by_role("button", name="Suggest a guess").click()
        expect(page.locator(".hint.guess")).to_contain_text(re.compile(r"from here on board [12]"))


PHONES = [(390, 844), (390, 664), (360, 740)]


class TestNotes:
    @pytest.mark.parametrize("window", [(1280, 800), (390, 844)])
    def test_a_note_of_two_lines_covers_no_row(self, visit: Visit, window: tuple[int, int]) -> None:
        page = visit("/?puzzle=77&mode=hard", reduced_motion="reduce")
        resize(page, *window)
        guess(page, "salet")
        page.keyboard.type("crony")
        page.keyboard.press("Enter")
        note = page.locator(".note > *")
        expect(note).to_contain_text("not legal in hard mode")
        last = page.locator(".board .row").last.bounding_box()
        place = note.bounding_box()
        assert last
        assert place
        assert last["y"] + last["height"] <= place["y"]

    @pytest.mark.journey("phone0")
    @pytest.mark.parametrize("phone", PHONES)
    def test_the_keyboard_stays_where_it_is(self, visit: Visit, phone: tuple[int, int]) -> None:
        page = visit("/?puzzle=7&mode=hard", size="phone", reduced_motion="reduce")
        resize(page, *phone)
        before = keyboard_in_view(page)
        for word in ("zzzzz", "salet", "crony"):  # not in the list, right, against the mode
            page.keyboard.type(word)
            page.keyboard.press("Enter")
            if word == "salet":
                page.wait_for_selector(".row .tile[data-mark]:not([data-mark=''], [data-mark=typed])")
            else:
                expect(page.locator(".note .problem")).to_be_visible()
            assert keyboard_in_view(page) == before
            picture(page, f"note-{word}-{phone[1]}")
            for _ in word:
                page.keyboard.press("Backspace")

    def test_a_remark_on_the_address_leaves_the_keyboard_whole(self, visit: Visit) -> None:
        page = visit("/?puzzle=5&game=chess", size="phone")
        expect(page.locator(".note")).to_contain_text("chess")
        keyboard_in_view(page)


def letters_of_keys(page: Page) -> set[str]:
    return set("".join(page.locator(".key .letter").all_text_contents()).replace("ẞ", "ß").lower())


class TestKeyboards:
    @pytest.mark.journey("de-rows0")
    @pytest.mark.parametrize(
        ("language", "rows"),
        [
            ("de", ["QWERTZUIOPÜ", "ASDFGHJKLÖÄ", "YXCVBNMẞ"]),
            ("fr", ["AZERTYUIOP", "QSDFGHJKLM", "WXCVBN"]),
            ("ru", ["ЙЦУКЕНГШЩЗХЪ", "ФЫВАПРОЛДЖЭЁ", "ЯЧСМИТЬБЮ"]),
            ("sv", ["QWERTYUIOPÅ", "ASDFGHJKLÖÄ", "ZXCVBNM"]),
            ("es", ["QWERTYUIOP", "ASDFGHJKLÑ", "ZXCVBNM"]),
        ],
    )
    def test_letters_are_where_a_language_has_them(
        self, visit: Visit, language: str, rows: list[str]
    ) -> None:
        page = visit(f"/?puzzle=5&words=frequent:{language}:5:500", size="phone")
        read = """rows => rows.map(row =>
            [...row.querySelectorAll('.letter')].map(key => key.innerText).join(''))"""
        assert page.locator(".keyboard > div").evaluate_all(read)[-len(rows) :] == rows

    @pytest.mark.parametrize("language", ["de", "es", "fr", "it", "nl", "pl", "pt", "ru", "sv"])
    def test_every_letter_has_a_key_and_no_key_breaks(self, visit: Visit, language: str) -> None:
        page = visit(f"/?puzzle=5&words=frequent:{language}:5:3000", size="phone")
        keys = letters_of_keys(page)
        page.get_by_role("button", name="Other letters").tap()
        more = letters_of_keys(page)
        page.get_by_role("button", name="Other letters").tap()
        assert letters_of_keys(page) == keys
        words = GameChoice(game="wordle", words=f"frequent:{language}:5:3000").build().answers
        assert set("".join(words)) <= keys | more
        heights = page.locator(".key").evaluate_all(
            "keys => keys.map(key => key.getBoundingClientRect().height)"
        )
        assert len({round(height) for height in heights}) == 1
        lines = page.get_by_role("button", name="Enter the guess").evaluate(
            "key => { const range = document.createRange(); range.selectNodeContents(key);"
            " return [range.getClientRects().length, key.scrollWidth - key.clientWidth]; }"
        )
        assert lines[0] == 1
        assert lines[1] <= 0
        board, keyboard = page.locator(".board").bounding_box(), page.locator(".keyboard").bounding_box()
        assert board
        assert keyboard
        assert board["y"] + board["height"] <= keyboard["y"]

    @pytest.mark.parametrize("phone", PHONES)
    @pytest.mark.parametrize("language", ["en", "fr", "es", "pl"])
    def test_accents_leave_the_keyboard_in_view(
        self, visit: Visit, language: str, phone: tuple[int, int]
    ) -> None:
        page = visit(f"/?puzzle=5&words=frequent:{language}:5:2000", size="phone")
        page.set_viewport_size({"width": phone[0], "height": phone[1]})
        picture(page, f"keys-{language}-{phone[1]}")
        keyboard_in_view(page)
        key = page.locator(".key").first.bounding_box()
        assert key
        assert key["height"] >= 32

    @pytest.mark.parametrize("phone", PHONES)
    def test_a_name_of_two_lines_leaves_the_keyboard_in_view(
        self, visit: Visit, phone: tuple[int, int]
    ) -> None:
        page = visit("/?puzzle=5&words=frequent:ru:5:2000&mode=hard", size="phone")
        resize(page, *phone)
        keyboard_in_view(page)

    def test_the_sharp_s_is_spoken_as_one_letter(self, visit: Visit) -> None:
        page = visit("/?puzzle=5&words=frequent:de:5:2000")
        expect(page.get_by_role("button", name="ẞ", exact=True)).to_be_visible()
        assert page.locator(".key[aria-label^=SS]").count() == 0

    @pytest.mark.journey
    def test_own_words_of_another_length_are_named(self, visit: Visit) -> None:
        page = visit("/")
        page.get_by_role("button", name="Settings").click()
        page.get_by_label("Words").select_option("own")
        dialog = page.get_by_role("dialog", name="Words of your own")
        dialog.get_by_label("Words that may be the answer").fill("apple\nmango\nfig\nlemon")
        told = dialog.get_by_role("status")
        expect(told).to_have_text("3 words of 5 letters.1 word of another length than 5 letters: fig.")
        dialog.get_by_label("Words that may be the answer").fill("fig\nfog\napple")
        expect(told).to_contain_text("2 words of 3 letters.")
        dialog.get_by_label("Words that may be the answer").fill("apple")
        dialog.get_by_role("button", name="Use these words").click()
        expect(dialog.get_by_role("alert")).to_have_text("Give at least two words.")

    def test_own_words_get_the_keys_they_need(self, visit: Visit) -> None:
        page = visit("/")
        page.evaluate("localStorage.setItem('sleuth.own', JSON.stringify(['слово', 'буква', 'книга']))")
        page.goto("/?words=own&puzzle=3")
        page.wait_for_selector("html[data-ready]")
        expect(page.get_by_role("button", name="Й", exact=True)).to_be_visible()

    def test_keys_change_once_the_tiles_have_turned(self, visit: Visit) -> None:
        page = visit("/?puzzle=77")
        guess(page, "salet")
        assert page.locator(".key[data-mark]").count() == 0
        expect(page.locator(".key[data-mark]")).to_have_count(5)
        assert page.evaluate("document.querySelector('.board').getAnimations({ subtree: true }).length") <= 1


class TestAppearance:
    @pytest.mark.journey
    def test_what_is_chosen_stays(self, visit: Visit) -> None:
        page = visit("/?puzzle=77", scheme="light")
        page.get_by_role("button", name="Appearance").click()
        for choice in ("Dark", "Highest contrast", "Larger", "None"):
            page.get_by_label(choice, exact=True).check()
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        page.keyboard.press("Escape")
        page.reload()
        page.wait_for_selector("html[data-ready]")
        root = page.locator("html")
        for name, value in {
            "theme": "dark",
            "palette": "contrast",
            "text": "larger",
            "motion": "less",
        }.items():
            expect(root).to_have_attribute(f"data-{name}", value)
        assert root.evaluate("html => getComputedStyle(html).colorScheme") == "dark"
        assert root.evaluate("html => getComputedStyle(html).fontSize") == "20px"
        guess(page, "salet")
        assert page.locator(".key[data-mark]").count() == 5
        assert min(contrasts(page).values()) >= 7

    @pytest.mark.parametrize("scheme", SCHEMES)
    def test_orange_and_blue_have_contrast(self, visit: Visit, scheme: str) -> None:
        page = visit("/?puzzle=77", scheme=scheme, reduced_motion="reduce")
        page.get_by_role("button", name="Appearance").press("Enter")
        page.get_by_label("Orange and blue").check()
        page.get_by_role("button", name="Done").press("Enter")
        guess(page, "salet")
        found = contrasts(page)
        assert {"tile g", "tile y", "tile b"} <= set(found)
        assert min(found.values()) >= 4.5, found

    def test_the_systems_wish_is_followed_while_the_page_is_open(self, visit: Visit) -> None:
        page = visit("/", scheme="light")
        page.emulate_media(color_scheme="dark", reduced_motion="reduce")
        expect(page.locator("html")).to_have_attribute("data-theme", "dark")
        expect(page.locator("html")).to_have_attribute("data-motion", "less")

    def test_no_stripe_is_left_beside_a_dimmed_page(self, visit: Visit) -> None:
        page = visit("/")
        assert page.evaluate("getComputedStyle(document.documentElement).scrollbarGutter") == "auto"


class TestLowWindows:
    @pytest.mark.journey("landscape-")
    @pytest.mark.parametrize("query", ["", "?puzzle=5&words=frequent:ru:5:500", "?puzzle=5&game=mastermind"])
    @pytest.mark.parametrize("size", [(640, 400), (740, 360), (844, 390)], ids=["zoom", "landscape", "wide"])
    def test_board_and_keyboard_are_in_view(self, visit: Visit, size: tuple[int, int], query: str) -> None:
        page = visit(f"/{query}")
        page.set_viewport_size({"width": size[0], "height": size[1]})
        for part in (".board", ".keyboard"):
            box = page.locator(part).bounding_box()
            assert box
            assert box["y"] + box["height"] <= size[1], part
            assert box["x"] + box["width"] <= size[0], part
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0

    @pytest.mark.parametrize("boards", [4, 8])
    def test_the_keyboard_of_several_boards_stays(self, visit: Visit, boards: int) -> None:
        page = visit(f"/?puzzle=5&boards={boards}")
        page.set_viewport_size({"width": 740, "height": 360})
        for scrolled in (0, 10_000):
            page.evaluate(f"scrollTo(0, {scrolled})")
            page.wait_for_timeout(100)
            box = page.locator(".keyboard").bounding_box()
            assert box
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= 360


class TestSeveralBoards:
    def test_grids_of_the_result_are_as_high_as_their_rows(self, visit: Visit) -> None:
        page = visit("/?puzzle=77&boards=4", reduced_motion="reduce")
        answers = answers_of(ANSWERS, 77, 4)
        for word in answers:
            guess(page, word)
        page.wait_for_selector(".share-grid")
        heights = page.locator(".share-grid .tile").evaluate_all(
            "tiles => tiles.map(tile => tile.getBoundingClientRect().height)"
        )
        assert max(heights) - min(heights) < 0.5
        grids = page.locator(".share-grid").evaluate_all(
            "grids => grids.map(grid => grid.getBoundingClientRect().height / grid.children.length)"
        )
        assert max(grids) - min(grids) < 6  # a gap less in the shorter ones

    @pytest.mark.journey("4-phone")
    @pytest.mark.parametrize("size", SIZES)
    @pytest.mark.parametrize("boards", [2, 4, 8])
    def test_keys_show_every_board_at_a_size_one_sees(self, visit: Visit, boards: int, size: str) -> None:
        page = visit(f"/?puzzle=77&boards={boards}", size=size, reduced_motion="reduce")
        guess(page, "salet")
        page.wait_for_selector(".key .cells")
        cells = page.locator(".key .cells i").evaluate_all(
            "cells => cells.map(cell => cell.getBoundingClientRect()).map(box => [box.width, box.height])"
        )
        assert min(width for width, _ in cells) >= 12
        assert min(height for _, height in cells) >= 9
        assert page.locator(".key .cells").first.locator("i").count() == boards

    @pytest.mark.parametrize("path", ["/?puzzle=77", "/?puzzle=77&boards=8"])
    @pytest.mark.parametrize("size", SIZES)
    def test_corner_marks_keep_clear_of_letters(self, visit: Visit, path: str, size: str) -> None:
        """The mark ends above the letter, whose capital is at most 0.75 of the size of its face."""
        page = visit(path, size=size, reduced_motion="reduce")
        guess(page, "mummy")
        gaps = page.locator(".board .tile:is([data-mark=g], [data-mark=y], [data-mark=b])").evaluate_all(
            """tiles => tiles.map(tile => {
                const mark = getComputedStyle(tile, '::after');
                const border = parseFloat(getComputedStyle(tile).borderTopWidth);
                const range = document.createRange();
                range.selectNodeContents(tile.firstChild);
                const box = range.getBoundingClientRect();
                const face = parseFloat(getComputedStyle(tile).fontSize);
                const top = (box.top + box.bottom) / 2 - 0.375 * face - tile.getBoundingClientRect().top;
                return top - (border + parseFloat(mark.top) + parseFloat(mark.height) * 0.95);
            })"""
        )
        assert min(gaps) >= 0


@pytest.mark.parametrize(("motion", "pieces"), [("no-preference", 28), ("reduce", 0)])
def test_a_win_is_celebrated_where_motion_is_welcome(visit: Visit, motion: str, pieces: int) -> None:
    page = visit("/?puzzle=77", reduced_motion=motion)
    guess(page, answer_of(77))
    expect(page.locator(".result h2")).to_contain_text("Solved in 1")
    if pieces:
        expect(page.locator(".confetti i")).to_have_count(pieces)
    expect(page.locator(".confetti")).to_have_count(0)


def test_a_lost_game_is_not_celebrated(visit: Visit) -> None:
    page = visit("/?puzzle=78")
    for word in wrong(answer_of(78))[:5]:
        guess(page, word)
    page.keyboard.type(next(word for word in ("jazzy", "fizzy") if word != answer_of(78)))
    page.keyboard.press("Enter")
    expect(page.locator(".result h2")).to_have_text("Not this time.")
    assert page.locator(".confetti").count() == 0
    figure = page.locator(".result .figures div", has_text="Streak")
    expect(figure.locator("dd")).to_have_text("0")


def test_buttons_of_the_card_fill_their_lines_on_a_phone(visit: Visit) -> None:
    page = visit("/?puzzle=77", size="phone", reduced_motion="reduce")
    guess(page, answer_of(77))
    buttons = page.locator(".result .cluster .button")
    expect(buttons).to_have_count(3)
    ends = buttons.evaluate_all("buttons => buttons.map(button => button.getBoundingClientRect().right)")
    assert max(ends) - min(ends) < 1


@pytest.mark.parametrize("size", SIZES)
def test_the_card_at_the_end_comes_into_view(visit: Visit, size: str) -> None:
    page = visit("/?puzzle=78", size=size)
    for word in wrong(answer_of(78))[:5]:
        guess(page, word)
    page.keyboard.type(next(word for word in ("jazzy", "fizzy") if word != answer_of(78)))
    page.keyboard.press("Enter")
    expect(page.locator(".result h2")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Copy result")).to_be_in_viewport(ratio=1)
    page.wait_for_timeout(TURNED)
    picture(page, f"lost-{size}")


@pytest.mark.journey("-phone")
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("query", ["", "?puzzle=77&boards=4"])
def test_the_page_stays_where_it_is(visit: Visit, query: str, size: str) -> None:
    page = visit(f"/{query}", size=size)
    watch_shift(page)
    guess(page, "salet")
    page.wait_for_timeout(TURNED)
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector(".hint")
    assert page.evaluate("window.shift") <= SHIFT


def test_days_are_counted_alike_on_both_sides(visit: Visit) -> None:
    page = visit("/")
    module = page.locator("link[rel=modulepreload]").first.get_attribute("href")
    assert module
    for day in (date(2025, 1, 1), date(2026, 2, 28), date(2028, 2, 29), date.today() + timedelta(days=200)):
        number = page.evaluate(
            "([module, year, month, day]) => import(module.replace(/[^/]*$/, 'days.js')).then("
            "days => days.today(new Date(year, month - 1, day, 23, 59)))",
            [module, day.year, day.month, day.day],
        )
        assert number == number_of(day)
