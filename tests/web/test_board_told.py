"""What the analysis board tells: one kind of one number, rows that do not fit, which game it is."""

import re

import pytest
from browsers import SIZES, Held, Visit
from playwright.sync_api import Page, Request, expect

GAME = "rows=salet:bbybb+courd:bbbgb+whirl:ggggg"


def first_row(page: Page) -> str:
    return page.locator(".ranking tbody tr").first.inner_text()


class TestKinds:
    def test_a_guess_has_one_kind_in_every_tab(self, visit: Visit) -> None:
        page = visit("/analyse#rows=salet:bbybb&try=courd")
        expect(page.locator(".ranking tbody tr").first).to_contain_text("2.62 proved")
        assert "COURD" in first_row(page).upper()
        page.get_by_role("tab", name="Try a word").click()
        expect(page.locator(".versus tbody tr").first).to_contain_text("2.62 proved")
        page.get_by_role("tab", name="Strategy").click()
        expect(page.locator(".panel:not([hidden])")).to_contain_text("2.62 guesses on average (proved)")

    def test_what_trying_finds_is_told_among_the_best_guesses(self, visit: Visit) -> None:
        page = visit("/analyse")

        def poorer(answer: dict[str, object]) -> dict[str, object]:
            for one in answer["guesses"]:  # type: ignore[attr-defined]
                one["kind"] = "at most"
                one["expected_guesses"] += 0.001
            return answer

        page.route(
            "**/suggest",
            lambda route: route.fulfill(json=poorer(route.fetch().json())),
        )
        page.goto("/analyse#rows=salet:bbybb")
        expect(page.locator(".ranking tbody tr").first).to_contain_text("at most")
        page.locator(".ranking").get_by_role("button", name="Try courd").click()
        expect(page.locator(".versus tbody tr").first).to_contain_text("proved")
        page.get_by_role("tab", name="Best guesses").click()
        courd = page.locator(".ranking tbody tr", has_text=re.compile("courd", re.I))
        expect(courd).to_contain_text("proved")
        page.unroute_all(behavior="wait")

    def test_what_becomes_known_later_is_told_of_a_strategy_too(self, visit: Visit) -> None:
        page = visit("/")
        held = Held(page, "**/api/v1/suggest")
        page.goto("/analyse#game=mastermind&rows=1122:1,0&tab=strategy")
        lead = page.locator(".panel:not([hidden]) p", has_text="and what follows")
        expect(lead).to_contain_text("guesses on average, ")
        held[0].continue_()
        expect(lead).to_contain_text("(proved)")

    def test_a_strategy_that_was_looked_at_changes_no_guess(self, visit: Visit) -> None:
        page = visit("/analyse#game=bulls-and-cows&rows=0123:0,2")
        expect(page.locator(".ranking tbody tr").first).to_contain_text("estimate")
        before = page.locator(".ranking tbody").inner_text()
        page.get_by_role("tab", name="Strategy").click()
        lead = page.locator(".panel:not([hidden]) p", has_text="this strategy takes")
        expect(lead).to_contain_text("guesses on average, ")
        page.get_by_role("tab", name="Best guesses").click()
        assert page.locator(".ranking tbody").inner_text() == before
        page.locator(".ranking tbody button").first.click()
        expect(page.locator(".versus tbody tr").first).to_contain_text("estimate")

    def test_what_is_best_for_one_board_is_not_called_the_best(self, visit: Visit) -> None:
        page = visit("/analyse#boards=2&rows=salet:bbybb/ybbbb&try=crony&tab=try")
        expect(page.locator(".board-status")).to_contain_text("best for all boards")
        expect(page.locator(".verdict").first).to_contain_text("on board 1 alone")
        expect(page.locator(".versus thead")).to_contain_text("best on board 1 alone")
        page.locator(".which-board select").select_option("1")
        expect(page.locator(".verdict").first).to_contain_text("on board 2 alone")
        page.locator(".which-board").get_by_role("button", name="Best guesses").click()
        expect(page.locator(".ranking tbody tr").first).to_be_visible()

    def test_estimates_make_no_mistakes_and_the_legend_says_why(self, visit: Visit) -> None:
        page = visit("/analyse#variant=fibble&rows=salet:bbbbb+fuzzy:bbbbg+whirl:ggggg&tab=game")
        expect(page.locator(".moves .move")).to_have_count(3)
        expect(page.locator(".game-card")).to_contain_text("these have no mark and no skill")
        expect(page.locator(".annotation:visible")).to_have_count(0)
        expect(page.locator(".move-bar.skill").first).to_contain_text("not known")

    def test_words_left_of_many_show_what_is_known_of_some(self, visit: Visit) -> None:
        page = visit("/analyse#rows=raise:bbbbb")
        expect(page.locator(".ranking tbody tr").first).to_contain_text("proved")
        page.get_by_role("tab", name="Words left").click()
        bunch = page.get_by_role("button", name="Try bunch")
        expect(bunch).to_contain_text("= 2.77")
        page.locator(".panel:not([hidden]) select").select_option("value")
        expect(page.locator(".words-left .chip").first).to_contain_text("=")

    @pytest.mark.parametrize("size", SIZES)
    def test_a_code_left_and_its_number_stand_in_one_line(self, visit: Visit, size: str) -> None:
        page = visit("/analyse#game=mastermind&rows=1122:1,1+1344:0,2&tab=words", size=size)
        chip = page.locator(".words-left .chip").first
        expect(chip).to_contain_text("= 2.")
        boxes = [chip.locator("> span").nth(i).bounding_box() for i in range(2)]
        code, number = (box for box in boxes if box)
        assert code["x"] + code["width"] <= number["x"]
        assert number["height"] < 30

    @pytest.mark.parametrize("size", SIZES)
    def test_the_board_to_choose_can_be_read(self, visit: Visit, size: str) -> None:
        page = visit("/analyse#boards=4&rows=salet:bbybb/ybbbb/bbbbb/bybbb&tab=words", size=size)
        box = page.locator(".which-board select").bounding_box()
        assert box
        assert box["width"] >= 110

    def test_an_equal_guess_is_named_beside_the_best(self, visit: Visit) -> None:
        page = visit("/analyse#rows=slate:ybybb&tab=try&try=amiss")
        expect(page.locator(".verdict").first).to_contain_text("is as good as any")


class TestMisfit:
    def test_the_row_that_no_longer_fits_is_named_and_not_asked_about(self, visit: Visit) -> None:
        page = visit(f"/analyse#{GAME}")
        expect(page.locator(".game-card").get_by_text("Review this game")).to_have_count(0)  # it is reviewed
        page.get_by_role("button", name="To the start").click()
        page.get_by_role("button", name="A move on").click()
        expect(page.locator(".board-status")).to_contain_text("99 words left")
        asked: list[str] = []

        def heard(request: Request) -> None:
            if "/api/" in request.url:
                asked.append(request.url.rpartition("/")[2])

        page.on("request", heard)
        page.locator("[data-row='0'] [data-tile='0']").click()
        expect(page.locator(".move-button.misfit")).to_contain_text("courd", ignore_case=True)
        expect(page.locator(".game-card")).to_contain_text("Row 2 does not fit. No word fits what COURD got")
        page.wait_for_timeout(500)
        assert "check" in asked
        assert "review" not in asked
        page.get_by_role("tab", name="The game").click()
        story = page.locator(".story-of-game")
        expect(story).to_contain_text(
            "There is no review while row 2 does not fit. No word fits what COURD got"
        )
        expect(page.locator(".game-card .problem")).to_have_count(0)  # it is told once
        page.keyboard.press("Control+z")
        expect(page.locator(".move-button.misfit")).to_have_count(0)
        expect(page.locator(".moves .move")).to_have_count(3)

    def test_what_the_answer_does_not_give_is_told_without_asking(self, visit: Visit) -> None:
        page = visit(f"/analyse#{GAME}&answer=whirl&at=1")
        page.wait_for_selector(".ranking tbody tr")
        page.locator("[data-row='0'] [data-tile='0']").click()
        problem = page.locator(".board-note .problem")
        expect(problem.locator("h2")).to_have_text("Row 1 does not fit")
        expect(problem).to_contain_text("SALET would have got bbybb where WHIRL is the answer.")
        expect(page.locator(".game-card .problem")).to_have_count(0)  # it is told once

    def test_codes_are_told_of_in_words(self, visit: Visit) -> None:
        page = visit("/analyse#game=bulls-and-cows&rows=0123:1,2&answer=0145")
        expect(page.locator(".board-note .problem")).to_contain_text(
            "0123 would have got 2 in place and 0 elsewhere where 0145 is the answer."
        )

    def test_one_row_is_blamed_and_told_where_the_answer_is_known(self, visit: Visit) -> None:
        page = visit("/analyse#rows=salet:bybbb+abaca:ybyby&answer=kanga")
        problem = page.locator(".problem")
        expect(problem.locator("h2")).to_have_text("Row 1 does not fit")
        expect(problem).to_have_count(1)
        expect(page.locator(".entry.blamed")).to_have_attribute("data-row", "0")
        marked = page.locator(".entry.blamed .tile.blamed")
        assert marked.evaluate_all("tiles => tiles.map(tile => tile.dataset.tile)") == ["1"]
        marked.click()  # A in the right place, as in kanga
        page.keyboard.press("g")
        expect(problem.locator("h2")).to_have_text("Row 2 does not fit")
        expect(page.locator(".entry.blamed")).to_have_attribute("data-row", "1")


class TestWhichGame:
    def test_the_mode_is_shown_where_guesses_are_suggested(self, visit: Visit) -> None:
        page = visit("/analyse#rows=salet:bbybb&mode=hard")
        expect(page.locator(".board-game")).to_contain_text("Original words, hard mode")
        expect(page.get_by_role("heading", name="Best guesses in hard mode")).to_be_visible()
        other = page.context.new_page()  # it opens what was looked at last
        other.goto("/analyse")
        expect(other.locator(".board-game")).to_contain_text("hard mode")
        other.get_by_role("button", name="Change", exact=True).click()
        expect(other.get_by_label("Mode")).to_be_visible()
        other.get_by_label("Mode").select_option("easy")
        expect(other.locator(".board-game")).not_to_contain_text("hard mode")

    @pytest.mark.journey
    def test_what_does_not_go_with_a_choice_gives_way(self, visit: Visit) -> None:
        page = visit("/analyse#mode=hard")
        page.get_by_text("Words, mode and answer").click()
        page.wait_for_timeout(300)
        page.get_by_label("Boards").select_option("2")
        expect(page.locator(".settings")).to_contain_text("Changed to fit: easy mode.")
        expect(page.locator(".board-game")).to_contain_text("Original words · 2 boards")
        page.goto("/analyse#mode=hard&boards=4")
        expect(page.locator(".remark")).to_contain_text("Several boards are played in easy mode.")


def test_rows_without_colours_get_them_from_the_answer(visit: Visit) -> None:
    page = visit("/analyse#rows=salet+(crony+grill)+courd+whirl&answer=whirl")
    rows = "salet:bbybb+(crony:bybbb+grill:bygbg)+courd:bbbgb+whirl:ggggg"
    assert page.url.endswith(f"#rows={rows}&answer=whirl")
    expect(page.locator(".board-status")).to_have_text("Solved in 3 guesses.")
    page.goto("/analyse#boards=2&rows=salet+whirl+cabal&answer=whirl/cabal")
    page.wait_for_function("() => location.hash.includes('cabal:/ggggg')")
    page.goto("/analyse#rows=salet+courd")
    expect(page.locator(".remark")).to_contain_text("Rows in an address are such as")


def test_words_of_a_strategy_are_in_order(visit: Visit) -> None:
    page = visit("/analyse#rows=salet:bbybb&tab=strategy")
    page.wait_for_selector(".icicle")
    panel = page.locator(".panel:not([hidden])")
    expect(panel).to_contain_text("by the alphabet")
    words = panel.locator(".group-words").first.inner_text().split()
    assert len(words) == 60
    assert words == sorted(words)


def test_the_colours_of_six_are_on_one_line_of_a_phone(visit: Visit) -> None:
    page = visit("/analyse#game=mastermind", size="phone")
    keys = page.locator(".colour-keys > *")
    expect(keys).to_have_count(7)
    tops = keys.evaluate_all(
        "keys => keys.map(key => key.getBoundingClientRect()).map(box => box.top + box.height / 2)"
    )
    assert max(tops) - min(tops) < 2


def test_long_codes_fit_a_phone(visit: Visit) -> None:
    page = visit("/analyse#game=mastermind&pegs=7&colours=4&rows=1122334:1,4", size="phone")
    page.wait_for_selector(".ranking tbody tr")
    inside = """() => {
        const card = document.querySelector('.panels').getBoundingClientRect();
        const cells = [...document.querySelectorAll('.ranking td')];
        return cells.every((cell) => cell.getBoundingClientRect().right <= card.right);
    }"""
    assert page.evaluate(inside)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    sizes = page.locator(".entry[data-row='0'] .hole").evaluate_all("holes => holes.map(h => h.offsetWidth)")
    assert min(sizes) >= 26


def test_a_phone_has_room_for_boards_and_rankings(visit: Visit) -> None:
    within = """([inner, outer]) => {
        const [a, b] = [inner, outer].map((one) => document.querySelector(one).getBoundingClientRect());
        return a.left - b.left >= 8 && b.right - a.right >= 8;
    }"""
    page = visit("/analyse#game=bulls-and-cows&rows=0123:1,2", size="phone")
    expect(page.locator(".ranking tbody tr").first).to_be_visible()
    assert page.evaluate(within, [".grids .entries", ".board-card"])
    assert page.evaluate(within, [".grids .entry", ".board-card"])
    page = visit("/analyse#boards=4&rows=salet:bbybb/bbbbb/bybbb/bbyby", size="phone")
    expect(page.locator(".ranking tbody tr").first).to_be_visible()
    assert page.evaluate(within, [".ranking", ".panels"])


def test_keys_walk_after_a_click_beside_everything(visit: Visit) -> None:
    page = visit(f"/analyse#{GAME}")
    page.get_by_role("heading", name="Analysis board").click()
    page.keyboard.press("ArrowLeft")
    assert page.url.endswith("&at=2")
    page.keyboard.type("cr")
    expect(page.get_by_label("Guess 3")).to_have_value("cr")


def test_codes_are_entered_by_keyboard_alone(visit: Visit) -> None:
    page = visit("/analyse#game=mastermind")
    page.keyboard.type("1122")
    page.wait_for_selector(".groups li")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("w")
    page.keyboard.press("b")  # black lies before white, and the focus on the next
    expect(page.get_by_label("Key peg 3 of 4, row 1: none")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("e")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Guess 2")).to_be_focused()
    assert page.url.endswith("rows=1122:1,0")
    page.get_by_label("Key peg 1 of 4, row 1: black").focus()
    page.keyboard.press("Backspace")
    expect(page.get_by_label("Guess 1")).to_be_focused()
