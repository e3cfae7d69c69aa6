"""An episode of planning in a real browser: played, walked through, found again, linked, cancelled."""

import json
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from browsers import Visit, is_accessible_and_fits
from playwright.sync_api import Page, expect

TURN = ".turn-control b"


def turn(page: Page) -> str:
    return page.locator(TURN).inner_text()


def fact(page: Page, name: str) -> str:
    pair = page.locator(".turn-facts > div").filter(has=page.locator("dt", has_text=name))
    return pair.locator("dd").inner_text()


@pytest.mark.parametrize(("size", "scheme"), [("phone", "dark"), ("desktop", "light")])
def test_an_episode_is_played_and_walked_through(
    visit: Visit, size: str, scheme: str, tmp_path: Path
) -> None:
    page = visit("/plan", size=size, scheme=scheme, reduced_motion="reduce")
    expect(page.locator(".welcome")).to_contain_text("Where is the tiger?")
    is_accessible_and_fits(page, f"plan-before-{size}-{scheme}")
    assert page.get_by_label("Problem").locator("option").count() == 14
    page.get_by_label("Method").select_option("oracle-lookahead")
    page.get_by_label("Seconds a decision").fill("0.01")
    page.get_by_label("Turns at most").fill("8")
    page.get_by_label("Seed").fill("2")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(TURN)).to_have_text("At first, before 8 turns")
    expect(page.locator("#announcer")).to_contain_text("Done. Tiger, as if all were seen next")

    with page.expect_download() as download:
        page.get_by_role("button", name="Episode as JSON").click()
    download.value.save_as(tmp_path / "episode.json")
    report = json.loads((tmp_path / "episode.json").read_text())
    played = ".".join(map(str, report["actions"]))
    assert parse_qs(urlsplit(page.url).query)["actions"] == [played]

    # Keys, wherever the focus is but in a form; buttons; the slider; the table.
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert turn(page) == "Turn 2 of 8"
    now = report["turns"][1]
    assert [fact(page, name) for name in ("Done", "Seen", "Truth")] == [
        now[name] for name in ("action", "observation", "hidden")
    ]
    assert [float(fact(page, name)) for name in ("Reward", "So far", "Discounted")] == [
        pytest.approx(now[name], abs=0.005) for name in ("amount", "sum", "discounted")
    ]
    shares = page.locator(".belief tbody tr")
    assert shares.count() == 2
    expect(page.locator(".belief tr.now th")).to_have_text(f"{now['hidden']} (true)")
    expect(page.locator("#announcer")).to_contain_text("Turn 2: ")
    is_accessible_and_fits(page, f"plan-{size}-{scheme}")
    page.keyboard.press("End")
    assert turn(page) == "Turn 8 of 8"
    page.get_by_role("button", name="Previous turn").click()
    assert turn(page) == "Turn 7 of 8"
    page.get_by_role("slider", name="Turn").focus()
    page.keyboard.press("ArrowLeft")
    assert turn(page) == "Turn 6 of 8"
    page.get_by_role("button", name="Show turn 5").click()
    assert turn(page) == "Turn 5 of 8"
    expect(page.locator(".turns-table [aria-current] th")).to_have_text("5")
    page.wait_for_url("**#turn=5")

    page.reload()
    expect(page.locator(TURN)).to_have_text("Turn 5 of 8")
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".episode [role=status]")).to_have_text("Link copied.")
    link = page.evaluate("navigator.clipboard.readText()")
    other = visit("/statistics")  # another browser, which has nothing of it
    other.goto(link)
    expect(other.locator(TURN)).to_have_text("Turn 5 of 8")
    assert other.locator(".turns-table").text_content() == page.locator(".turns-table").text_content()

    page.get_by_role("link", name="Records", exact=True).click()
    page.get_by_role("link", name="Planning", exact=True).click()
    expect(page.locator(TURN)).to_have_text("Turn 5 of 8")  # as it was left
    page.goto("/")
    page.goto("/plan")
    expect(page.locator(".welcome")).to_contain_text("Played before")
    page.get_by_role("button", name="Forget them").click()
    expect(page.locator(".welcome")).not_to_contain_text("Played before")


def test_adaptive_control_is_played_by_methods_of_its_own(visit: Visit) -> None:
    page = visit("/plan")
    page.get_by_label("Method").select_option("hsvi")
    page.get_by_label("Problem").select_option("wordle")
    expect(page.get_by_label("Method")).to_have_value("tree")  # hsvi does not play it
    expect(page.get_by_label("Seconds a decision")).to_be_hidden()
    page.get_by_label("Method").select_option("certainty-equivalence")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(TURN)).to_contain_text("At first, before")
    assert [fact(page, name) for name in ("Done", "Seen", "Cost")] == ["–", "20 possible", "–"]
    page.get_by_role("button", name="Next turn").click()
    assert fact(page, "Cost") == "1.00"
    expect(page.locator(".turns-table th").nth(3)).to_have_text("Cost")
    expect(page.locator(".episode .soft").first).to_have_text("seed 0")
    is_accessible_and_fits(page, "plan-control")
    page.goto("/plan?problem=wordle&method=hsvi")
    expect(page.locator(".remark .problem")).to_contain_text("methods of wordle are tree, avts")


@pytest.mark.journey
def test_turns_are_walked_through(visit: Visit) -> None:
    page = visit("/plan?problem=tiger&method=oracle-lookahead&seconds=0.01&turns=4&seed=2")
    expect(page.locator(TURN)).to_have_text("At first, before 4 turns")
    page.keyboard.press("ArrowRight")
    assert turn(page) == "Turn 1 of 4"
    assert fact(page, "Truth") in page.locator(".belief tr.now th").inner_text()
    is_accessible_and_fits(page, "plan-walked")


@pytest.mark.journey
def test_one_that_was_begun_is_found_again_and_cancelled(visit: Visit) -> None:
    page = visit("/plan?problem=tiger&method=pomcp&seconds=2&turns=100&seed=1")
    run = page.locator(".run")
    expect(run).to_contain_text("of 100")
    begun: list[str] = []
    page.on("request", lambda request: begun.append(request.url) if request.method == "POST" else None)
    page.reload()
    expect(run).to_contain_text("of 100")
    assert begun == []  # it is watched on
    run.get_by_role("button", name="Cancel Tiger, search over histories").click()
    expect(run).to_contain_text("Cancelled.")


@pytest.mark.parametrize(
    ("part", "says"),
    [
        ("problem=chess", "There is no “problem=chess”: problems are tiger, hallway"),
        ("problem=tag&method=exact", "methods of tag are tree, despot"),
        ("problem=tag&seconds=9&turns=0", "An episode has 1 to 100 turns."),
        ("problem=tag&actions=0.x", "Actions are up to 100 numbers with dots between them."),
    ],
)
def test_a_strange_address_is_told_kindly(visit: Visit, part: str, says: str) -> None:
    page = visit(f"/plan?{part}")
    expect(page.locator(".remark .problem")).to_contain_text(says.removesuffix("."), ignore_case=True)
    expect(page.locator(".welcome")).to_contain_text("Good questions")
