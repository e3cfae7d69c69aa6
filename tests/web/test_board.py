"""The analysis board in a real browser: its tasks on desktop, on a phone and by keyboard alone."""

import json
import re
import statistics
import time
from collections.abc import Callable
from typing import Any

import pytest
from browsers import (
    SIZES,
    Held,
    Visit,
    enter,
    feedback,
    is_accessible_and_fits,
    judged,
    rows_in_link,
)
from playwright.sync_api import Page, expect

GLASS = ("crane", "roast", "stash", "grass", "glass")
GAME = rows_in_link("glass", *GLASS)
REVIEWED = "words=own&list=salet.courd.whirl.lyric.pilot&rows=salet:bbybb+courd:bbbgb+whirl:ggggg"
GAUGE = "salet:bgbyb+corny:bbbbb+humph:bybbb+gauge:ggggg"
SHIFT = 0.05


def appears(selector: str) -> Callable[[Page], Any]:
    return lambda page: page.wait_for_selector(selector)


def fit_a_grid(page: Page) -> None:
    page.get_by_label("The words you guessed").fill("Wordle 1,234 3/6\n\n⬛⬛🟩⬛⬛\n🟨⬛🟩🟩⬛\n🟩🟩🟩🟩🟩")
    page.get_by_role("button", name="Put it on the board").click()
    page.wait_for_selector(".fit-words .chip")


def find_better(page: Page) -> None:
    page.locator(".comment").get_by_role("button", name="Find a better guess").click()
    page.wait_for_selector(".puzzle h2")


STATES: dict[str, tuple[str, Callable[[Page], Any]]] = {
    "guesses": ("#rows=salet:bbybb", appears(".ranking tbody tr")),
    "try": ("#rows=salet:bbybb&tab=try&try=crony", appears(".groups li")),
    "words": ("#rows=salet:bbybb&tab=words", appears(".words-left .chip")),
    "strategy": ("#rows=salet:bbybb&tab=strategy", appears(".icicle")),
    "openers": ("#tab=openers", appears(".openers tbody tr")),
    "game": (f"#tab=game&{REVIEWED}", appears(".moves .move >> nth=2")),
    "variations": (
        "#rows=salet:bbybb+courd:bbbgb+(crony:bgbbb+grill:ggggg)+whirl:ggggg&line=0.1",
        appears(".ranking tbody tr"),
    ),
    "contradiction": ("#rows=salet:bbybb+salet:ggggg", appears(".board-note h2")),
    "fit": ("#tab=game", fit_a_grid),
    "better": (f"#rows={GAME}&at=3&tab=game", find_better),
    "boards": ("#boards=2&rows=salet:bbybb/bgbbb", appears(".ranking tbody tr")),
    "many boards": ("#boards=8", appears(".ranking tbody tr")),
    "reviewed boards": (
        "#boards=2&tab=game&rows=salet:bbybb/bgybb+whirl:ggggg/bbbbg+cabal:/ggggg",
        appears(".moves .move >> nth=2"),
    ),
    "long words": ("#words=frequent:de:8:300&tab=try&try=menschen", appears(".groups li")),
    "absurdle": ("#variant=absurdle&rows=salet:bbbbb", appears(".ranking tbody tr")),
    "fibble": ("#variant=fibble&rows=salet:bbybb", appears(".ranking tbody tr")),
    "pegs": ("#game=mastermind&rows=1122:1,1", appears(".ranking tbody tr")),
}


@pytest.mark.journey("desktop-game", "phone-guesses")
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("look", [("desktop", "light"), ("phone", "dark")], ids=lambda look: look[0])
def test_every_state_is_accessible_and_fits(visit: Visit, state: str, look: tuple[str, str]) -> None:
    size, scheme = look
    address, prepare = STATES[state]
    page = visit(f"/analyse{address}", size=size, scheme=scheme)
    prepare(page)
    page.wait_for_timeout(400)  # bars grow
    is_accessible_and_fits(page, f"analyse-{state}-{size}-{scheme}")


class TestModel:
    def ask(self, page: Page, module: str, script: str, *given: Any) -> Any:
        """Return what a function of a module of the board makes of values."""
        found = page.locator("script[type=module]").first.get_attribute("src")
        address = found.replace("app.js", f"board/{module}.js")
        return page.evaluate(
            f"async (given) => {{ const m = await import('{address}'); return ({script})(m, ...given); }}",
            list(given),
        )

    def test_colours_are_those_of_the_library(self, visit: Visit) -> None:
        page = visit("/analyse")
        words = ["salet", "llama", "eerie", "geese", "lulls", "skill", "apple", "glass", "alley", "stash"]
        pairs = [(guess, answer) for guess in words for answer in words]
        script = "(m, pairs) => pairs.map(([g, a]) => m.feedbackOf({game: 'wordle'}, g, a))"
        assert self.ask(page, "feedback", script, pairs) == [feedback(g, a) for g, a in pairs]
        pegs = "(m) => m.feedbackOf({game: 'mastermind', pegs: 4}, '1122', '2121')"
        assert self.ask(page, "feedback", pegs) == "2,2"

    def test_an_address_says_all_and_reads_back(self, visit: Visit) -> None:
        page = visit("/analyse")
        script = "(m, hash) => m.addressOf(m.stateFrom(hash).state).address"
        for part in (
            "rows=salet:bbybb+courd:bbbgb+(crony:bgbbb+grill:ggggg+(blimp:bbbbb))+whirl:ggggg&line=0.1.0",
            "words=nyt&mode=hard&tab=words&rows=salet:bbybb+courd:bbbgb&at=1&answer=whirl",
            "boards=2&rows=salet:bbybb/bgbbb+courd:bbbgb/&answer=whirl/cabal",
            "variant=absurdle&rows=salet:bbbbb",
            "game=mastermind&pegs=5&colours=8&rows=11223:1,1",
            "tab=try&rows=salet:bbybb&try=crony",
            "tab=openers&sort=worst",
            "words=own&rows=katze:bbbbb&list=katze.hunde.vogel",
        ):
            read = self.ask(page, "address", script, f"#{part}")
            assert set(read.removeprefix("/analyse#").split("&")) == set(part.split("&"))
            assert self.ask(page, "address", script, read.removeprefix("/analyse")) == read

    def test_trees_are_edited_without_changing_the_old(self, visit: Visit) -> None:
        page = visit("/analyse")
        script = """(m) => {
            const row = (guess) => ({ guess, feedback: ["bbbbb"] });
            const main = m.addAll(m.begun(), [], ["a", "b", "c"].map(row));
            const side = m.addAll(main.root, [0], ["x", "y"].map(row));
            const again = m.add(side.root, [0], row("b"));
            const first = m.promote(side.root, side.path);
            const names = (root, path) => m.rowsTo(root, path).map(({ guess }) => guess).join("");
            return {
                side: [side.path, names(side.root, side.path)],
                again: [again.path, again.root === side.root],
                aside: m.aside(side.root, [0, 0, 0], 1),
                promoted: [first.path, names(first.root, [0, 0, 0]), names(first.root, [0, 1, 0])],
                cut: m.size(m.cutAfter(side.root, [0])),
                removed: m.size(m.remove(side.root, [0, 1])),
                out: names(m.leaveOut(main.root, [0, 0]), [0, 0]),
                before: m.size(main.root),
                line: m.lineThrough(side.root, [0, 1]),
            };
        }"""
        assert self.ask(page, "tree", script) == {
            "side": [[0, 1, 0], "axy"],
            "again": [[0, 0], True],
            "aside": [0, 1, 0],
            "promoted": [[0, 0, 0], "axy", "abc"],
            "cut": 1,
            "removed": 3,
            "out": "ac",
            "before": 3,
            "line": [0, 1, 0],
        }


class TestPosition:
    @pytest.mark.journey
    def test_by_keyboard_alone(self, visit: Visit) -> None:
        page = visit("/analyse#words=own&list=salet.organ.woman.crony.pious")
        page.keyboard.type("salet")  # letters go to the open row, wherever the focus is
        page.wait_for_selector(".groups li")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowUp")
        assert page.evaluate("document.activeElement.ariaLabel") == "A, elsewhere"
        page.keyboard.press("Space")
        assert page.evaluate("document.activeElement.ariaLabel") == "A, right place"
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.labels[0].textContent") == "Guess 2"
        expect(page.locator(".ranking caption")).to_have_count(1)
        enter(page, 1, "salet", "salet")
        expect(page.locator(".problem h2")).to_have_text("No word fits these rows")
        assert page.locator(".entry.blamed").count() == 1
        assert page.locator(".tile.blamed").count() >= 1
        page.keyboard.press("Control+z")  # one press takes back what was done to one row
        expect(page.locator(".entry.blamed")).to_have_count(0)
        expect(page.locator(".ranking tbody tr").first).to_be_visible()
        page.keyboard.press("Control+Shift+z")
        expect(page.locator(".problem h2")).to_have_text("No word fits these rows")

    @pytest.mark.parametrize("size", SIZES)
    def test_stepping_and_variations(self, visit: Visit, size: str) -> None:
        page = visit(f"/analyse#rows={GAME}", size=size)
        status = page.locator(".board-status")
        expect(status).to_have_text("Solved in 5 guesses.")
        for at in (4, 3, 2):
            page.get_by_role("button", name="A move back").click()
            assert page.url.endswith(f"&at={at}")
        expect(status).to_contain_text("11 words left")
        page.keyboard.press("Home")
        expect(status).to_contain_text("2,315 words left")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        expect(status).to_contain_text("11 words left")
        page.keyboard.type("slash")
        page.wait_for_selector(".groups .group")
        page.locator(".group:has([aria-label='elsewhere, right place, right place, absent, absent'])").or_(
            page.locator(".group").first
        ).first.click()
        assert "(slash:" in page.url
        assert page.locator(".variation .move-button").count() == 1
        page.keyboard.press("ArrowUp")
        expect(page.locator(".move-button[aria-current=step]")).to_contain_text("stash", ignore_case=True)
        page.keyboard.press("ArrowDown")
        expect(page.locator(".move-button[aria-current=step]")).to_contain_text("slash", ignore_case=True)
        page.get_by_role("button", name="Make it the main line").click()
        assert re.search(r"rows=crane:\w+\+roast:\w+\+slash:\w+\+\(stash", page.url)
        page.get_by_role("button", name="Undo").click()
        assert "(slash:" in page.url
        page.get_by_role("button", name="Delete from here").click()
        assert "slash" not in page.url
        assert page.locator(".variation").count() == 0

    def test_swipes_step(self, visit: Visit) -> None:
        page = visit(f"/analyse#rows={GAME}", size="phone")
        swipe = """across => {
            const at = document.querySelector('.grids');
            const touch = x => new Touch({ identifier: 1, target: at, clientX: x, clientY: 300 });
            const send = (name, x) => at.dispatchEvent(new TouchEvent(name, {
                touches: name === 'touchend' ? [] : [touch(x)], changedTouches: [touch(x)], bubbles: true }));
            send('touchstart', 180);
            send('touchend', 180 + across);
        }"""
        page.evaluate(swipe, 90)
        assert page.url.endswith("at=4")
        page.evaluate(swipe, -90)
        assert "at=" not in page.url
        page.evaluate(swipe, 20)
        assert "at=" not in page.url

    def test_back_and_forward_walk_through_places(self, visit: Visit) -> None:
        page = visit("/analyse")
        page.wait_for_selector(".ranking tbody tr")
        page.get_by_role("tab", name="Words left").click()
        page.get_by_role("tab", name="Best guesses").click()
        enter(page, 0, "salet", "whirl")
        expect(page.locator(".board-status")).to_contain_text("99 words left")
        page.go_back()
        page.wait_for_selector(".panel:not([hidden])")
        while "rows=" in page.url:
            page.go_back()
        page.go_back()
        while "tab=words" not in page.url:
            page.go_back()
        expect(page.get_by_role("tab", name="Words left")).to_have_attribute("aria-selected", "true")
        expect(page.locator(".board-status")).to_contain_text("2,315 words left")
        page.go_forward()
        expect(page.get_by_role("tab", name="Words left")).to_have_attribute("aria-selected", "false")

    @pytest.mark.journey
    def test_a_row_is_changed_in_place(self, visit: Visit) -> None:
        page = visit("/analyse#words=own&list=salet.courd.crony.whirl&rows=salet:bbybb+courd:bbbgb")
        page.wait_for_selector(".ranking tbody tr")
        page.locator("[data-row='1'] [data-tile='1']").click()
        assert "courd:bybgb" in page.url
        page.locator("[data-row='1'] [data-tile='1']").click()
        page.locator("[data-row='1'] [data-tile='4']").click()
        assert "courd:bgbgy" in page.url
        page.get_by_role("button", name="Undo").click()  # three tiles of a row are one change
        assert "courd:bbbgb" in page.url
        page.get_by_label("Guess 2").fill("crony")
        assert "salet:bbybb+crony:" in page.url
        page.get_by_role("button", name="Remove row 1").click()
        assert "salet:" not in page.url
        assert "crony:" in page.url

    def test_the_row_that_is_told_of_is_marked(self, visit: Visit) -> None:
        page = visit("/analyse")
        for at, word in enumerate(("salet", "crony")):
            enter(page, at, word, "rural")
            page.keyboard.press("Enter")
        page.get_by_label("Guess 2").fill("zzzzz")
        expect(page.locator(".board-note .problem")).to_contain_text("zzzzz", ignore_case=True)
        expect(page.locator(".entry.blamed")).to_have_count(1)
        assert blamed(page) == ["Row 2"]
        page.get_by_role("button", name="Remove row 2").click()
        expect(page.locator(".entry.blamed")).to_have_count(0)
        # Of two letters alike only the one whose mark is wrong is marked.
        page.get_by_role("button", name="Start over").click()
        enter(page, 0, "salet", "rural")
        page.keyboard.press("Enter")
        page.get_by_label("Guess 2").press_sequentially("llama")
        page.locator("[data-row='1'] [data-tile='0']").focus()
        for mark in "gbbbb":
            page.keyboard.press(mark)
        expect(page.locator(".problem h2")).to_have_text("No word fits these rows")
        [row] = blamed(page)
        assert page.locator(".problem p").first.inner_text().count(row.lower()) == 1
        assert len(re.findall(r"row \d", page.locator(".problem p").first.inner_text())) == 1

    def test_pegs(self, visit: Visit) -> None:
        page = visit("/analyse")
        page.get_by_text("Words, mode and answer").click()
        page.get_by_label("Words", exact=True).select_option("mastermind")
        expect(page.locator(".board-status")).to_contain_text("1,296 codes")
        page.get_by_label("Guess 1").press_sequentially("1122")
        page.get_by_role("button", name="Key peg 1 of 4, row 1: none").click()
        expect(page.locator(".board-status")).to_contain_text("codes left")
        expect(page.locator(".board-status")).not_to_contain_text("1,296")
        assert "rows=1122:1,0" in page.url
        row = page.locator("[data-row='0']")  # coloured, as they are in play
        pegs = row.locator(".hole .peg")
        assert [peg.get_attribute("data-peg") for peg in pegs.all()] == ["1", "1", "2", "2"]
        keys = row.locator(".key-pegs [data-key]")
        assert [key.get_attribute("data-key") for key in keys.all()] == ["black", "", "", ""]
        assert page.locator("[data-row='1'] .hole").count() == 4
        assert page.locator(".entry:not([data-row]) .pegged").count() == 8  # rows to come are round too
        assert page.locator(".ranking tbody th").first.locator(".code .peg").count() == 4
        assert page.locator(".move-list .code .peg").count() == 4
        # Colours are typed by pressing them, on a phone too.
        page.get_by_role("button", name="red, key 1").click()
        page.get_by_role("button", name="sky, key 6").click()
        page.get_by_role("button", name="Take the last peg away").click()
        expect(page.get_by_label("Guess 2")).to_have_value("1")
        assert page.locator(".colour-key").count() == 6

    def test_progress_shows_after_a_moment_and_problems_in_words(self, visit: Visit) -> None:
        page = visit("/analyse")
        page.wait_for_selector(".ranking tbody tr")
        held = Held(page, "**/api/v1/suggest")
        page.get_by_role("button", name="Try salet").click()
        page.get_by_role("button", name="Row 1 is right").click()
        expect(page.locator("#busy")).to_be_visible()
        held.release()
        expect(page.locator("#busy")).to_be_hidden()
        page.get_by_label("Guess 2").press_sequentially("qqqqq")
        expect(page.locator(".panel:not([hidden]) .problem")).to_contain_text("qqqqq", ignore_case=True)


class TestTrying:
    @pytest.mark.journey
    def test_a_word_is_tried_beside_the_best(self, visit: Visit) -> None:
        page = visit("/analyse#rows=salet:bbybb")
        page.get_by_label("Guess 2").press_sequentially("crony")
        expect(page.locator(".panel:not([hidden]) .verdict")).to_contain_text("guesses more than")
        asked = {"game": {}, "rows": [{"guess": "salet", "feedback": "bbybb"}], "guess": "crony"}
        known = page.request.post("/api/v1/try", data=asked).json()
        counts = page.locator(".group:not(.single) > b").all_inner_texts()
        singles = page.locator(".group.single").count()
        found = [int(count) for count in counts] + [1] * singles
        assert found == [group["count"] for group in known["groups"]]
        listed = " ".join(page.locator(".groups").all_text_contents())
        assert all(word["word"] in listed for group in known["groups"] for word in group["words"])
        page.locator(".group").first.click()
        assert f"crony:{known['groups'][0]['feedback']}" in page.url
        expect(page.locator(".board-status")).to_contain_text(f"{known['groups'][0]['count']} words left")

    def test_every_word_is_pressed_to_be_tried(self, visit: Visit) -> None:
        page = visit("/analyse#rows=salet:bbybb")
        page.get_by_role("button", name="Try courd").click()
        assert page.url.endswith("try=courd")
        expect(page.locator(".entry[data-open] .tile").first).to_have_text("c", ignore_case=True)
        page.get_by_role("tab", name="Words left").click()
        expect(page.locator(".words-left .chip")).to_have_count(99)
        likeliest = page.locator(".words-left .chip .word").all_text_contents()
        page.get_by_label("Order of the words").select_option("value")
        # Not as inner text, which words that are not drawn yet lack.
        texts = page.locator(".words-left .chip").all_text_contents()
        values = [float(re.search(r"\d+\.\d+", text)[0]) for text in texts]
        assert values == sorted(values)
        assert page.locator(".words-left .chip .word").all_text_contents() != likeliest
        page.locator(".words-left .chip").first.click()
        expect(page.locator(".groups li").first).to_be_visible()

    @pytest.mark.journey("tap")
    @pytest.mark.parametrize("how", ["hover", "focus", "tap"])
    def test_how_a_number_is_known_is_said_and_explained(self, visit: Visit, how: str) -> None:
        page = visit("/analyse#rows=salet:bbybb", size="phone" if how == "tap" else "desktop")
        tag = page.locator(".ranking .kind").first
        assert tag.inner_text() in ("proved", "at most", "estimate")
        {"hover": tag.hover, "focus": tag.focus, "tap": tag.tap}[how]()
        expect(page.locator(".bubble")).to_contain_text(tag.inner_text(), ignore_case=True)
        if how == "focus":
            page.keyboard.press("Escape")
        else:
            page.locator("h1").hover()
            page.evaluate("document.activeElement.blur()")
        expect(page.locator(".bubble")).to_have_count(0)


class TestGame:
    @pytest.mark.journey("phone")
    @pytest.mark.parametrize("size", SIZES)
    def test_words_and_the_answer_are_enough(self, visit: Visit, size: str) -> None:
        page = visit(f"/review#words=own&list={'.'.join(GLASS)}", size=size)
        page.get_by_label("The words you guessed").fill(" ".join(GLASS[:-1]))
        page.locator(".enter-game").get_by_label("The answer").fill("glass")
        page.keyboard.press("Enter")
        page.wait_for_selector(".moves .move >> nth=3")
        assert judged(page, ".move") == [feedback(word, "glass") for word in GLASS[:-1]]
        assert "&answer=glass&" in page.url
        # From here on words colour themselves.
        page.get_by_label("Guess 5").press_sequentially("glass")
        page.keyboard.press("Enter")
        expect(page.locator(".board-status")).to_have_text("Solved in 5 guesses.")

    @pytest.mark.journey
    def test_a_link_to_a_review_and_a_pasted_grid(self, visit: Visit) -> None:
        page = visit(f"/review#words=own&list={'.'.join(GLASS)}")
        squares = {"b": "⬛", "y": "🟨", "g": "🟩"}
        words = ("crane", "stash", "glass")
        lines = ["".join(squares[mark] for mark in feedback(word, "glass")) + f" {word}" for word in words]
        page.get_by_label("The words you guessed").fill("Wordle 1,234 3/6\n\n" + "\n".join(lines))
        page.get_by_role("button", name="Put it on the board").click()
        page.wait_for_selector(".moves .move >> nth=2")
        sentences = page.locator(".move .verdict").all_inner_texts()
        assert len(sentences) == 3
        page.get_by_role("button", name="Copy link").click()
        expect(page.locator(".copied")).to_have_text("Link copied.")
        again = visit(page.evaluate("navigator.clipboard.readText()"), scheme="dark")
        again.wait_for_selector(".moves .move >> nth=2")
        assert again.locator(".move .verdict").all_inner_texts() == sentences
        assert judged(again, ".move") == [feedback(word, "glass") for word in words]

    def test_a_grid_without_words_has_its_blanks_filled(self, visit: Visit) -> None:
        page = visit("/review#words=own&list=crane.flame.stash.glass.grass")
        fit_a_grid(page)
        rows = page.locator(".blanks > li")
        expect(rows).to_have_count(3)
        before = rows.nth(0).inner_text()
        rows.nth(2).locator(".chip", has_text="glass").click()  # the answer narrows the others
        expect(rows.nth(2)).to_contain_text("1 word fits")
        assert rows.nth(0).inner_text() != before
        expect(page.get_by_label("Word of row 3")).to_have_value("glass")
        expect(page.get_by_label("Word of row 1")).to_be_focused()
        page.keyboard.type("crane")
        page.keyboard.press("Enter")
        expect(page.get_by_label("Word of row 2")).to_be_focused()
        page.keyboard.type("stash")
        page.keyboard.press("Enter")
        page.wait_for_selector(".moves .move >> nth=2")
        assert judged(page, ".move") == [feedback(word, "glass") for word in ("crane", "stash", "glass")]

    def test_the_graph_is_walked(self, visit: Visit) -> None:
        page = visit(f"/analyse#rows={GAME}")
        spots = page.locator(".graph .spot")
        expect(spots).to_have_count(6)
        spots.nth(2).click()
        assert page.url.endswith("at=2")
        page.locator(".graph .spot[tabindex='0']").focus()
        page.keyboard.press("ArrowRight")
        assert page.url.endswith("at=3")
        assert page.evaluate("document.activeElement.dataset.move") == "3"
        table = page.locator(".graph-place table")
        assert table.locator("tbody tr").count() == 6
        expect(table.locator("tbody tr").nth(3)).to_contain_text("stash")
        marks = page.locator(".move-button .annotation").all_inner_texts()
        assert set(marks) <= {"!", "?!", "?", "??"}
        assert marks
        expect(page.locator(".annotation-legend")).to_be_visible()

    def test_a_better_guess_is_found_at_the_second_try_or_shown(self, visit: Visit) -> None:
        page = visit(f"/analyse#rows={GAME}&at=3")
        find_better(page)
        expect(page.locator(".board-status")).not_to_contain_text("best")
        page.keyboard.type("stash")
        page.keyboard.press("Enter")
        expect(page.locator(".puzzle h2")).to_contain_text("no better")
        page.keyboard.type("slash")
        page.keyboard.press("Enter")
        expect(page.locator(".puzzle h2")).to_have_text("That is it.")
        page.get_by_role("button", name="Back to the game").click()
        page.get_by_role("button", name="A move on").click()
        find_better(page)
        for word in ("stash", "crane"):
            page.keyboard.type(word)
            page.keyboard.press("Enter")
            expect(page.locator(".puzzle p").nth(0)).to_contain_text(word, ignore_case=True)
        expect(page.locator(".puzzle")).to_contain_text("The best was")

    def test_what_is_to_be_found_is_not_spoken_either(self, visit: Visit) -> None:
        page = visit("/analyse#rows=salet:bgbyb+fuzzy:bybbb&better=maker")
        expect(page.locator(".puzzle h2")).to_have_text("Find a better guess")
        spoken = page.locator("#announcer")
        expect(spoken).to_contain_text("3 words left.")
        expect(spoken).not_to_contain_text("gauge", ignore_case=True)

    def test_enter_submits_a_try_at_a_better_guess(self, visit: Visit) -> None:
        page = visit(f"/review#rows={GAUGE}&answer=gauge")
        page.keyboard.press("ArrowLeft")
        find_better(page)
        address = page.url
        page.keyboard.type("black")
        expect(page.locator(".entry[data-open] .tile").last).to_have_text("k", ignore_case=True)
        page.wait_for_timeout(300)
        expect(page.locator(".puzzle h2")).to_have_text("Find a better guess")  # nothing is judged yet
        assert page.locator(".entry[data-open] :is([data-mark=b], [data-mark=y])").count() == 0
        page.keyboard.press("Enter")
        expect(page.locator(".puzzle")).to_contain_text("One more try.")
        assert page.url == address  # no row is made of it
        page.get_by_label("Guess 3").press_sequentially("blimp")
        page.get_by_role("button", name="Try this guess").click()
        expect(page.locator(".puzzle")).to_contain_text("The best was")
        assert page.locator(".variation").count() == 0

    def test_a_puzzle_begins_from_the_story_and_stands_alone(self, visit: Visit) -> None:
        page = visit(f"/review#rows={GAUGE}&answer=gauge")
        expect(page.locator(".board-status")).to_have_text("Solved in 4 guesses.")
        page.locator(".moves .move").nth(2).get_by_role("button", name="Find a better guess").click()
        expect(page.locator(".puzzle")).to_contain_text("humph", ignore_case=True)
        assert page.url.endswith("&at=2&better=humph&answer=gauge")
        assert "Solved" not in page.locator(".board-card").inner_text()
        expect(page.locator(".comment")).to_be_hidden()
        expect(page.get_by_role("button", name="Find a better guess")).to_have_count(0)
        assert page.evaluate("document.activeElement.labels[0].textContent") == "Guess 3"

    def test_what_is_left_is_told_of_each_board(self, visit: Visit) -> None:
        page = visit("/analyse#boards=2&tab=game&rows=salet:bbybb/bgybb+whirl:ggggg/bbbbg+cabal:/ggggg")
        facts = page.locator(".moves .move .facts")
        expect(facts.nth(0)).to_contain_text("2,315 · 2,315 → ")
        expect(facts.nth(1)).to_contain_text(re.compile(r"\d+ · \d+ → solved · \d+ possible"))
        expect(facts.nth(2)).to_contain_text(re.compile(r"solved · \d+ possible before it"))

    def test_a_guess_that_is_no_word_is_no_try(self, visit: Visit) -> None:
        page = visit(f"/analyse#rows={GAME}&at=3")
        find_better(page)
        page.keyboard.type("qqqqq")
        page.keyboard.press("Enter")
        expect(page.locator(".puzzle .problem")).to_contain_text("qqqqq", ignore_case=True)
        page.keyboard.type("stash")
        page.keyboard.press("Enter")
        expect(page.locator(".puzzle")).to_contain_text("One more try.")

    def test_headline_and_sentence_tell_the_same_skill_and_luck(self, visit: Visit) -> None:
        page = visit(f"/review#rows={rows_in_link('riper', 'slack', 'abode')}&answer=riper")
        page.wait_for_selector(".moves .move >> nth=1")
        figures = dict(
            zip(
                page.locator(".story-of-game .figures dt").all_inner_texts(),
                page.locator(".story-of-game .figures dd").all_inner_texts(),
                strict=True,
            )
        )
        said = page.locator(".story-of-game .verdict").first.inner_text()
        assert re.search(r"Skill (\d+) and luck (\d+)", said).groups() == (figures["Skill"], figures["Luck"])

    def test_the_row_that_the_answer_rules_out_is_marked(self, visit: Visit) -> None:
        page = visit("/review#rows=salet:bbybb+courd:bbbgb+stare:gbbbb&answer=crane")
        story = page.locator(".story-of-game")
        expect(story).to_contain_text("There is no review while row 1 does not fit. SALET would have got")
        expect(page.locator(".board-note .problem")).to_contain_text("Row 1 does not fit")
        assert blamed(page) == ["Row 1"]

    @pytest.mark.parametrize(
        ("query", "says"),
        [
            ("rows=salet:bbybb+courd:bbbgb&game=chess", "game=chess"),
            ("rows=salet:bbybb+courd:bbbgb&words=none&mode=soft", "mode=soft"),
            ("rows=", "rows in an address"),
            ("rows=nonsense", "Rows in an address"),
            ("rows=salet:bbybb+cou:bbb", "Rows in an address"),
            ("rows=salet:xyzzy", "Row 1, “salet:xyzzy”, is none: “xyzzy” is not what a guess gets"),
            ("rows=salet:bbybb+crony:bbybbb", "“bbybbb” has 6 marks for 5 letters"),
            ("rows=salet:bbybb+courd", "row 2, “courd”, is none: it does not say what the guess got"),
            ("rows=salet:bbybb/bbbbb", "it has what 2 boards showed, not 1"),
            ("rows=salet&answer=zzzzz", "zzzzz is not in the word list (original words)"),
            ("rows=salet:bbybb+)", "Rows in an address"),
            ("rows=salet:bbybb&game=mastermind", "such as 1122:1,2"),
            ("boards=2&variant=fibble", "fibble has one board"),
            ("rows=salet:bbybb&tab=chess", "tab=chess"),
        ],
    )
    def test_a_strange_link_is_told_kindly(self, visit: Visit, query: str, says: str) -> None:
        page = visit(f"/review#{query}")
        expect(page.locator(".remark .problem")).to_contain_text(says, ignore_case=True)
        if says.startswith(("game", "mode")):
            page.wait_for_selector(".moves .move >> nth=1")
        assert page.url.endswith(f"/analyse#{query}&tab=game")  # so that it can be mended there
        page.get_by_role("button", name="Start over").click()
        expect(page.locator(".remark .problem")).to_have_count(0)

    def test_an_answer_that_is_none_colours_no_row(self, visit: Visit) -> None:
        page = visit("/analyse#rows=salet+crony:bybbb&answer=zzzzz")
        told = page.locator(".remark .problem")
        expect(told).to_have_text(
            "Zzzzz is not in the word list (original words)."
            " Without the answer it is not known what the guesses got."
        )
        assert judged(page) == []
        assert page.url.endswith("rows=salet+crony:bybbb&answer=zzzzz")  # so that it can be mended there
        page.goto("/analyse#rows=salet:bbybb&answer=zzzzz")
        expect(told).to_have_text("Zzzzz is not in the word list (original words).")
        assert page.url.endswith("rows=salet:bbybb&answer=zzzzz")
        expect(page.locator(".board-status")).to_contain_text("99 words left")

    def test_an_answer_typed_that_is_none_is_told_at_the_board(self, visit: Visit) -> None:
        page = visit("/analyse#rows=salet:bbybb")
        page.get_by_text("Words, mode and answer").click()
        page.get_by_role("textbox", name="The answer").press_sequentially("zzzzz")
        expect(page.locator(".remark .problem")).to_contain_text("Zzzzz is not in the word list")
        assert "answer" not in page.url


class TestStrategy:
    @pytest.mark.journey("phone")
    @pytest.mark.parametrize("size", SIZES)
    def test_the_icicle_is_walked_and_zoomed(self, visit: Visit, size: str) -> None:
        page = visit("/analyse#rows=salet:bbybb&tab=strategy", size=size)
        page.wait_for_selector(".icicle")
        whole = page.locator(".icicle [role=treeitem]").first
        expect(whole).to_have_attribute("aria-label", re.compile("^99 words, guess courd"))
        whole.focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowDown")
        said = page.evaluate("document.activeElement.ariaLabel")
        many = int(re.search(r"(\d+) words", said)[1])
        page.keyboard.press("Enter")
        expect(page.locator(".panel:not([hidden]) h3")).to_have_text(f"{many} words")
        expect(page.locator(".breadcrumbs li")).to_have_count(2)
        page.get_by_role("button", name="Go there on the board").click()
        assert "+courd:" in page.url
        expect(page.locator(".board-status")).to_contain_text(f"{many} words left")

    def test_it_is_saved_in_each_format(self, visit: Visit) -> None:
        page = visit("/analyse#rows=salet:bbybb+courd:bbbbb&tab=strategy")
        page.wait_for_selector(".icicle")
        for name in ("JSON", "HTML", "DOT", "Text"):
            with page.expect_download() as download:
                page.get_by_role("button", name=name, exact=True).click()
            text = download.value.path().read_text()
            assert len(text) > 20
            if name == "JSON":
                json.loads(text)

    @pytest.mark.parametrize("size", SIZES)
    def test_openers_are_sorted_and_searched(self, visit: Visit, size: str) -> None:
        page = visit("/explore", size=size)
        page.wait_for_selector(".openers tbody tr")
        first = page.locator(".openers tbody th").first
        expect(first).to_have_text("salet")
        if size == "phone":
            page.get_by_label("Order", exact=True).select_option("worst")
        else:
            page.get_by_role("button", name="Worst").click()
        expect(page.locator("[aria-sort]")).to_have_text("Worst")
        expect(first).not_to_have_text("salet")
        assert page.url.endswith("sort=worst")
        cells = page.locator(".openers tr").first.locator("th:visible")
        edge = page.locator(".openers").evaluate("table => table.getBoundingClientRect().right")
        assert all(
            box["x"] + box["width"] <= edge + 1 for box in [cell.bounding_box() for cell in cells.all()]
        )
        page.get_by_label("Search").fill("zz")
        expect(page.get_by_text(re.compile(r"^\d+ of \d+ guesses")).first).to_be_visible()
        expect(first).to_contain_text("zz")

    def test_an_opener_leads_to_its_strategy(self, visit: Visit) -> None:
        page = visit("/explore")
        page.get_by_label("Search").fill("zz")
        expect(page.locator(".openers tbody th").first).to_contain_text("zz")
        page.locator(".openers tbody .word").first.click()
        expect(page.locator(".groups li").first).to_be_visible()
        page.get_by_role("button", name="The whole strategy after it").click()
        page.wait_for_selector(".icicle")

    def test_what_is_proved_ranks_first(self, visit: Visit) -> None:
        page = visit("/")
        held = Held(page, "**/api/v1/openers?*")
        page.goto("/analyse#mode=hard&tab=openers")
        expect(page.get_by_text("Working out the first guesses…")).to_be_visible()
        held[0].continue_()
        page.wait_for_selector(".openers tbody tr")
        expect(page.locator(".openers tbody tr").first).to_contain_text(
            re.compile(r"salet\s*3\.508.*proved", re.I | re.S)
        )


class TestVariants:
    def test_several_boards(self, visit: Visit) -> None:
        page = visit("/analyse#boards=2&answer=whirl/cabal")
        page.get_by_label("Guess 1").press_sequentially("salet")
        page.keyboard.press("Enter")
        assert "rows=salet:bbybb/bgybb" in page.url
        expect(page.locator(".ranking tbody tr").first).to_be_visible()
        for at, word in enumerate(("whirl", "cabal"), 2):
            page.get_by_label(f"Guess {at}").press_sequentially(word)
            page.keyboard.press("Enter")
        expect(page.locator(".board-status")).to_contain_text("Solved in 3 guesses")
        page.get_by_role("tab", name="The game").click()
        page.wait_for_selector(".moves .move >> nth=2")

    @pytest.mark.journey("absurdle")
    @pytest.mark.parametrize("variant", ["absurdle", "fibble"])
    def test_variants(self, visit: Visit, variant: str) -> None:
        page = visit("/analyse")
        page.get_by_text("Words, mode and answer").click()
        page.get_by_label("Variant").select_option(variant)
        enter(page, 0, "salet", "rural")
        assert f"variant={variant}" in page.url
        expect(page.locator(".ranking tbody tr").first).to_be_visible()
        asked = {
            "game": {},
            "rows": [{"guess": "salet", "feedback": feedback("salet", "rural")}],
            "variant": variant,
        }
        best = page.request.post("/api/v1/suggest", data=asked).json()["guess"]
        expect(page.locator(".ranking tbody th").first).to_have_text(best)

    def test_own_words_travel_in_the_link_where_they_fit(self, visit: Visit) -> None:
        page = visit("/analyse#words=own&list=katze.hunde.vogel.tatze")
        expect(page.locator(".board-status")).to_contain_text("4 words left")
        page.get_by_role("button", name="Copy link").click()
        expect(page.locator(".copied")).to_have_text("Link copied.")
        assert "list=" in page.evaluate("navigator.clipboard.readText()")
        many = [f"{a}{b}{c}de" for a in "bcdfghjklm" for b in "aeiou" for c in "bcdfghjklm"]
        page.get_by_text("Words, mode and answer").click()
        page.get_by_role("button", name="Change the words…").click()
        page.get_by_label("Words that may be the answer").fill("\n".join(many))
        page.get_by_role("button", name="Use these words").click()
        expect(page.locator(".board-status")).to_contain_text("500 words left")
        page.get_by_role("button", name="Copy link").click()
        expect(page.locator(".copied")).to_contain_text("in this browser only")
        page.reload()
        expect(page.locator(".board-status")).to_contain_text("500 words left")


class TestBars:
    def test_a_step_is_at_once_and_an_untried_guess_soon(self, visit: Visit) -> None:
        page = visit(f"/analyse#rows={GAME}")
        expect(page.locator(".graph")).to_be_visible()
        for _ in range(5):
            page.keyboard.press("ArrowLeft")
            expect(page.locator("[aria-busy=true]")).to_have_count(0)
        times = page.evaluate(
            """async () => {
            const times = [];
            for (const way of ['Right', 'Right', 'Left', 'Right', 'Left', 'Left']) {
                const key = `Arrow${way}`;
                await new Promise(done => setTimeout(done, 60));
                const begin = performance.now();
                document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
                document.body.offsetHeight;
                times.push(performance.now() - begin);
            }
            return times;
        }"""
        )
        print(f"a step takes {statistics.median(times):.0f} ms")
        untried = []
        for rows, word in (
            ([("salet", "bbybb")], "pious"),
            ([("crane", "bbgbb")], "lousy"),
            ([("raise", "ybbbb")], "mount"),
            ([("slate", "bbybg")], "fudge"),
            ([("trace", "bybby")], "solid"),
        ):
            asked = {"game": {}, "rows": [{"guess": g, "feedback": f} for g, f in rows], "guess": word}
            begin = time.perf_counter()
            assert page.request.post("/api/v1/try", data=asked).ok
            untried.append(1000 * (time.perf_counter() - begin))
        print(f"an untried guess takes {statistics.median(untried):.0f} ms")

    @pytest.mark.parametrize("size", SIZES)
    @pytest.mark.parametrize("state", ["guesses", "try", "words", "strategy", "openers", "game"])
    def test_nothing_shifts(self, visit: Visit, state: str, size: str) -> None:
        address, prepare = STATES[state]
        page = visit("/", size=size)
        page.goto(f"/analyse{address}")
        prepare(page)
        page.wait_for_timeout(300)
        shift = page.evaluate(
            """() => new Promise(done => new PerformanceObserver(list => done(
                list.getEntries().filter(e => !e.hadRecentInput).reduce((sum, e) => sum + e.value, 0)
            )).observe({ type: 'layout-shift', buffered: true }) || setTimeout(() => done(0), 200))"""
        )
        assert shift <= SHIFT


def blamed(page: Page) -> list[str]:
    """Return the labels of the rows that are marked."""
    return page.locator(".view:not([hidden]) .entry.blamed").evaluate_all(
        "entries => entries.map(entry => entry.ariaLabel)"
    )
