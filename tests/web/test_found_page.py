"""What a stranger found on the page, in few visits: each thing is held by a line or two."""

import re
from pathlib import Path

from browsers import Visit, guess, resize
from playwright.sync_api import Page, expect

TILES = "tiles => tiles.map(tile => Math.round(tile.getBoundingClientRect().height))"
PAGE_MD = (Path(__file__).parents[2] / "docs/page.md").read_text()
BOTTOM = "one => one.getBoundingClientRect().bottom"


def refused(page: Page, code: str) -> str:
    """Type a guess that there is not, and return what the page says of it."""
    page.keyboard.type(code)
    page.keyboard.press("Enter")
    expect(page.locator(".note .problem")).to_be_visible()
    return page.locator(".note .problem").inner_text()


def test_the_open_row_is_typed_in_after_undo_and_redo(visit: Visit) -> None:
    page = visit("/analyse#rows=salet:bbybb")
    page.keyboard.type("cro")
    tiles = page.locator("[data-row='1'] .tile")
    assert [tile.inner_text() for tile in tiles.all()][:3] == [
        "C",
        "R",
        "O",
    ]  # letters show as they are typed
    page.keyboard.type("ny")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Guess 3")).to_be_focused()
    page.keyboard.press("Control+z")
    expect(page.get_by_label("Guess 2")).to_be_focused()
    page.keyboard.press("Control+Shift+z")
    expect(page.get_by_label("Guess 3")).to_be_focused()
    page.keyboard.type("blurb")
    expect(page.get_by_label("Guess 3")).to_have_value("blurb")


def test_a_mark_of_a_move_is_named_with_it(visit: Visit) -> None:
    """The sentence after it may praise the luck of a mistake: the mark itself has one meaning."""
    page = visit("/analyse#rows=salet:bbybb+pizza:bybbb+whirl:ggggg&answer=whirl&tab=game")
    page.wait_for_selector(".moves .move >> nth=2")
    named = page.locator(".moves .annotation").all_inner_texts()
    names = {"?!": "Inexact", "?": "A mistake", "??": "A blunder"}
    assert named
    assert all(text.strip() == f"{text.split()[0]} {names[text.split()[0]]}." for text in named)


def test_a_grid_of_other_letters_says_so(visit: Visit) -> None:
    page = visit("/analyse#tab=game")
    page.get_by_label("The words you guessed").fill("⬛🟩🟩\n🟩🟩🟩")
    page.get_by_role("button", name="Put it on the board").click()
    told = page.get_by_text("This game has 3 letters a word, the one on the board 5.")
    expect(told).to_be_visible()
    page.locator(".blank").nth(1).fill("not")
    page.locator(".blank").nth(0).fill("cot")
    page.get_by_role("button", name="Open this game").click()
    expect(page.locator("[data-row='0'] .tile")).to_have_count(3)


def test_playing_on_a_desktop(visit: Visit) -> None:
    page = visit("/?variant=absurdle&puzzle=77", reduced_motion="reduce")
    page.wait_for_selector(".keyboard")
    assert len(set(page.locator(".board .tile").evaluate_all(TILES))) == 1  # no row is low
    assert max(page.locator(".board .tile, .key").evaluate_all(f"all => all.map({BOTTOM})")) <= 800
    page.goto("/?game=bulls-and-cows&puzzle=5")
    page.wait_for_selector(".keyboard")
    assert refused(page, "1123") == "1123 cannot be guessed: the digits of a code must all differ."
    page.goto("/?boards=33")
    expect(page.locator(".note .problem")).to_contain_text("a puzzle has 1 to 32 boards")
    page.get_by_role("button", name="Settings").click()
    assert page.get_by_label("Boards").locator("option").all_inner_texts()[-1] == "32 boards"
    page.get_by_label("Words", exact=True).select_option("frequent")
    expect(page.get_by_label("Letters")).to_have_value("5")
    expect(page.get_by_label("How many words").locator("option:checked")).to_have_text("3,000")


def test_a_refused_guess_covers_no_row_of_a_phone(visit: Visit) -> None:
    page = visit("/?puzzle=77&words=frequent:en:6:3000", size="phone", reduced_motion="reduce")
    page.wait_for_selector(".keyboard")
    told = refused(page, "castke")
    assert re.fullmatch(r"Castke is not in the word list; did you mean [a-z, ]+\?", told)
    last = page.locator(".board .row").last.evaluate(BOTTOM)
    assert page.locator(".note .problem").evaluate("one => one.getBoundingClientRect().top") >= last - 1
    assert page.locator(".play-head").inner_text().count("3,000") == 1


def test_an_opener_that_there_is_not_is_told_once(visit: Visit) -> None:
    page = visit("/compare?strategy=random&strategy=most-hints&opener=zzzzz&words=frequent:en:5:500")
    told = page.locator(".compare form .problem")
    expect(told).to_contain_text("zzzzz is not in the word list", ignore_case=True)
    expect(page.locator(".compare .problem")).to_have_count(1)


def test_a_puzzle_stays_in_the_address_until_it_is_left(visit: Visit) -> None:
    page = visit("/analyse#rows=salet:bgbyb&better=courd")
    expect(page.locator(".puzzle")).to_contain_text("courd was played here")
    assert page.url.endswith("&better=courd")
    page.reload()
    expect(page.locator(".puzzle")).to_contain_text("courd was played here")
    expect(page.locator(".board-status")).to_contain_text("words left")
    expect(page.locator(".board-status")).not_to_contain_text("best")
    page.get_by_role("button", name="Back to the game").click()
    expect(page.locator(".puzzle")).to_be_hidden()
    assert page.url.endswith("rows=salet:bgbyb")
    page.go_back()
    expect(page.locator(".puzzle")).to_contain_text("courd was played here")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".puzzle")).to_be_hidden()
    assert "better" not in page.url


def test_openers_of_other_games_are_those_of_one_board(visit: Visit) -> None:
    page = visit("/analyse#tab=openers&boards=2")
    alone = page.get_by_text("As if it were one board of the standard game.")
    expect(alone).to_be_visible()
    page.goto("/analyse#tab=openers&variant=absurdle")
    expect(page.locator(".board-game")).to_contain_text("Absurdle")
    expect(alone).to_be_visible()
    page.goto("/analyse#tab=openers&words=original")
    expect(alone).to_be_hidden()


def test_the_rules_are_those_of_the_game(visit: Visit) -> None:
    host = "No answer is fixed: each reply keeps as many words as it can"
    for query, title, told in (
        ("game=wordle", "Find the word in six guesses", "A is in the word, elsewhere."),
        ("variant=fibble", "Find the word in nine guesses", "One tile of every wrong row lies"),
        ("variant=absurdle", "Find the word in twelve guesses", host),
        ("boards=2", "Find two words in seven guesses", "Every guess goes to all boards"),
        ("mode=strict", "Find the word in six guesses", "Strict mode: every guess must fit all rows."),
        ("game=mastermind", "Find the code in ten guesses", "White: one of the colours belongs elsewhere."),
        ("game=bulls-and-cows", "Find the code in ten guesses", "digits that all differ"),
    ):
        page = visit(f"/?puzzle=5&{query}", first=True)
        dialog = page.get_by_role("dialog", name=title)
        expect(dialog.get_by_text(told)).to_be_visible()  # and not among the other games, which are folded
        dialog.get_by_role("button", name="Play").click()
        page.get_by_role("button", name="Rules").click()
        expect(dialog).to_be_visible()


def test_words_of_a_link_that_cannot_be_had_are_told(visit: Visit) -> None:
    page = visit("/analyse#words=own&list=katze.hund")
    told = page.locator(".remark")
    expect(told).to_contain_text("“katze” has 5 letters, “hund” has 4.")
    assert page.url.endswith("#words=own&list=katze.hund")
    page.reload()
    expect(told).to_contain_text("must all have one length")
    page.goto("/analyse#words=own&list=katze")
    expect(told).to_contain_text("at least two words")
    example = re.search(r"/analyse#words=own&list=\S+&rows=[^`]+", PAGE_MD)
    assert example
    page.goto(example[0])
    expect(page.locator(".board-status")).to_contain_text("1 word left")
    expect(told).to_be_empty()


def test_the_last_guess_is_the_last_in_every_tab(visit: Visit) -> None:
    rows = "#words=nyt&rows=salet+crony+slump+fluff+guppy+zebra&answer=booed&at=5"
    page = visit(f"/analyse{rows}&tab=try&try=zebra")
    panel = page.locator(".panel:not([hidden])")
    expect(panel.locator(".verdict")).to_contain_text("costs 3 guesses more")
    expect(panel.locator(".group.single").first).to_contain_text("lost")
    page.goto(f"/analyse{rows}&tab=strategy")
    expect(panel).to_contain_text("4.00 guesses on average (proved), 1 at worst; 1 word lost")
    expect(panel.locator(".icicle .head")).to_have_text(["guess 6", "the end"])
    expect(panel.locator(".icicle")).to_contain_text("lost · 1")


def test_the_examples_of_the_manual_open_without_a_complaint(visit: Visit) -> None:
    links = re.findall(r"^\| `(/(?:analyse|review)#[^`]+)`", PAGE_MD, re.MULTILINE)
    assert len(links) == 4
    page = visit("/analyse")
    for link in links:
        page.goto("/records")
        page.goto(link)
        expect(page.locator(".board-status")).not_to_be_empty()
        expect(page.locator(".board-status")).to_contain_text(re.compile("left|Solved"))
        assert page.locator(".remark").inner_text() == ""
        expect(page.get_by_role("alert")).to_have_count(0)
        expect(page.locator(".misfit, .board-note .problem")).to_have_count(0)


def test_columns_without_words_have_no_heading(visit: Visit) -> None:
    page = visit("/analyse#rows=salet:bbybb+courd:bbbgb&tab=strategy")
    page.wait_for_selector(".icicle .cell")
    heads = page.locator(".icicle .head").all_inner_texts()
    tops = page.locator(".icicle .area").evaluate_all(
        "all => new Set(all.map(one => one.x.baseVal.value)).size"
    )
    assert len(heads) == tops


def test_what_absurdles_host_and_fibbles_groups_are(visit: Visit) -> None:
    page = visit("/analyse#variant=absurdle&rows=aesir:bygbb&tab=game")
    page.get_by_role("button", name="Review this game").first.click()
    expect(page.locator(".story-of-game")).to_contain_text("Absurdle's host answers AESIR with bbbbb")
    page.goto("/analyse#variant=fibble&try=crane&tab=try")
    expect(page.locator(".versus")).to_be_visible()
    expect(page.get_by_text("there are no groups.")).to_be_visible()
    expect(page.locator(".versus")).not_to_contain_text("Groups")


def test_a_whole_game_of_codes_is_put_in_by_codes(visit: Visit) -> None:
    page = visit("/analyse#game=mastermind&tab=game")
    text = page.get_by_label("The codes you guessed, or a shared grid")
    assert "salet" not in (text.get_attribute("placeholder") or "")
    text.fill("1123 4455 1456")
    page.get_by_role("button", name="Put it on the board").click()
    expect(page.locator(".move-button")).to_have_count(4)
    page.goto("/analyse#words=nyt&tab=game")
    expect(page.get_by_label("The words you guessed, or a shared grid")).to_be_visible()


def test_a_mark_of_a_move_is_on_one_line_of_a_phone(visit: Visit) -> None:
    rows = "salet:bbybb/bgybb/bbbbb/bgbbb+fuzzy:bbbbb/bbbbb/bbbbb/bbbbb"
    page = visit(f"/analyse#boards=4&rows={rows}&tab=game", size="phone")
    mark = page.locator(".move-button .annotation").first
    expect(mark).to_be_visible()
    mark.evaluate("one => { one.textContent = '?!'; }")  # it may break where the other marks may not
    assert mark.evaluate(
        "one => one.getBoundingClientRect().height < 1.7 * parseFloat(getComputedStyle(one).fontSize)"
    )


def test_rows_to_come_take_the_room_that_there_is(visit: Visit) -> None:
    for variant, least in (("fibble", 34), ("absurdle", 22)):
        page = visit(f"/?variant={variant}&puzzle=5", size="phone", reduced_motion="reduce")
        resize(page, 390, 844)
        page.wait_for_selector(".keyboard")
        ends = [page.locator(".keyboard").evaluate(BOTTOM)]
        for word in ("salet", "crony"):
            guess(page, word)
            assert min(page.locator(".later .tile").evaluate_all(TILES)) >= least
            ends.append(page.locator(".keyboard").evaluate(BOTTOM))
        assert max(ends) <= 844
        assert max(ends) - min(ends) <= 1  # the keyboard stays where it is


def test_one_bull_and_one_cow_are_spoken_of_as_one(visit: Visit) -> None:
    page = visit("/?game=bulls-and-cows&puzzle=5", reduced_motion="reduce")
    seen = set()
    for code in ("0123", "4567", "1234", "5678", "8901", "2345", "6789"):
        guess(page, code)
        numbers = page.locator(".bulls b").all_inner_texts()[-2:]
        named = zip(numbers, ("bull", "cow"), strict=True)
        words = [f"{n} {name}{'' if n == '1' else 's'}" for n, name in named]
        expect(page.locator("#announcer")).to_have_text(f"{', '.join(words)}.")
        seen |= set(words)
    assert seen & {"1 bull", "1 cow"}


def test_marks_of_the_main_line_stay_beside_a_variation(visit: Visit) -> None:
    address = "/analyse#rows=crane:bbbbb+sloth:bbbyy+(moist:bybbg)+tight:ggggg&answer=tight"
    page = visit(f"{address}&at=2")
    marks = ".move-list .annotation"
    expect(page.locator(marks)).to_have_text(["?"])
    for other in (address, address.replace("bybbg", "bbybg")):  # a variation that fits, and one that does not
        page = visit(f"{other}&line=0.1")  # opened there, with nothing known of the main line
        expect(page.locator(f"{marks}[data-annotation='?']")).to_have_count(1)
        expect(page.get_by_label("What the marks of moves mean")).to_be_visible()
