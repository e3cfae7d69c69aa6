"""Compare in a real browser: what comes of it, options, addresses, files, and all by keyboard alone."""

import csv
import io
import re
from pathlib import Path
from typing import Any

import pytest
from browsers import SCHEMES, SIZES, Visit, is_accessible_and_fits, resize, watch_shift
from playwright.sync_api import Page, Route, expect

import sleuth
from sleuth.games.game import Game
from sleuth.trees.evaluation import Evaluation

PAIR = "strategy=random&strategy=information-gain"
FEW = "frequent:en:5:500"  # words that are played through in a moment
SLOW = "expectimax(moves=legal)"


class Played(dict[str, Evaluation]):
    """What the library says of the strategies that the tests compare, on few words."""

    def __missing__(self, spec: str) -> Evaluation:
        self[spec] = sleuth.evaluate(spec, sleuth.wordle(FEW))
        return self[spec]


@pytest.fixture(scope="module")
def played() -> Played:
    return Played()


def compare(page: Page) -> None:
    page.get_by_role("button", name="Compare", exact=True).click()


def wait_for_results(page: Page) -> None:
    page.wait_for_selector(".differences tbody tr")


def cells(page: Page, name: str) -> list[str]:
    """Return the numbers of a row of the tables."""
    row = page.locator(".numbers tbody tr").filter(has=page.get_by_role("rowheader", name=name, exact=True))
    return row.locator("td").all_inner_texts()


def asked(page: Page) -> list[dict[str, Any]]:
    """Return a list that grows by every evaluation that the page begins."""
    begun: list[dict[str, Any]] = []
    page.on(
        "request",
        lambda request: (
            begun.append(request.post_data_json)
            if request.method == "POST" and request.url.endswith("/evaluations")
            else None
        ),
    )
    return begun


@pytest.mark.parametrize(("size", "scheme"), [("phone", "dark"), ("desktop", "light")])
def test_the_first_pair_differs_for_all_to_see(visit: Visit, original: Game, size: str, scheme: str) -> None:
    page = visit("/compare", size=size, scheme=scheme, reduced_motion="reduce")
    watch_shift(page)
    is_accessible_and_fits(page, f"compare-before-{size}-{scheme}")
    compare(page)
    wait_for_results(page)
    reports = [sleuth.evaluate(spec, original).report for spec in ("random", "information-gain")]
    heading = page.locator(".comparison h2").first
    lost = reports[0].failures
    expect(heading).to_have_text(
        "“Most information” takes 3.464 guesses on average,"
        f" “Anything that fits” 4.142 ({lost} answers lost)."
    )
    assert (lost > 1, reports[1].failures) == (True, 0)
    assert reports[0].mean - reports[1].mean > 0.5
    assert cells(page, "On average mean") == [f"{one.mean:.4f}" for one in reports]
    above = cells(page, "Above the best possible guesses in all, every answer found")
    assert above == [f"loses {lost}", f"{reports[1].total - 7920:,}"]
    expect(page.locator(".tables")).to_contain_text("is not held against it")
    assert cells(page, "Lost not in 6") == [str(one.failures) for one in reports]
    assert cells(page, "4 guesses") == [f"{one.histogram[4]:,}" for one in reports]
    expect(page.locator(".chart .optimum")).to_have_count(1)
    expect(page.locator(".chart circle")).to_have_count(2)
    best = "Best possible for finding every answer, proved: 3.4212"
    expect(page.locator(".chart-legend")).to_contain_text(best)
    expect(page.locator("#announcer")).to_contain_text("Done.")
    drawn = page.locator(".chart").bounding_box()
    assert drawn["width"] > 0.7 * SIZES[size]["width"]
    assert page.evaluate("window.shifts") <= 0.05, page.evaluate("window.moved")
    is_accessible_and_fits(page, f"compare-after-{size}-{scheme}")


def test_who_loses_answers_is_not_held_against_the_best_who_loses_none(visit: Visit) -> None:
    page = visit("/compare?strategy=rollout&strategy=beam&mode=hard")
    wait_for_results(page)
    above = cells(page, "Above the best possible guesses in all, every answer found")
    losses = [int(text) for text in cells(page, "Lost not in 6")]
    assert above[0] == f"loses {losses[0]}"
    assert int(above[1]) >= 0
    assert losses == [3, 0]


def test_columns_are_as_tall_as_there_are_answers(visit: Visit, played: Played) -> None:
    page = visit(f"/compare?{PAIR}&words={FEW}")
    wait_for_results(page)
    histogram = played["random"].report.histogram
    heights = page.locator(".chart rect.series-1").evaluate_all(
        "all => all.map(one => one.height.baseVal.value)"
    )
    assert len(heights) == len(histogram)
    most = max(max(one.report.histogram.values()) for one in (played["random"], played["information-gain"]))
    for height, count in zip(heights, histogram.values(), strict=True):
        assert height == pytest.approx(max(2, 220 * count / most), abs=0.5)


@pytest.mark.journey
def test_where_they_differ(visit: Visit, played: Played) -> None:
    page = visit(f"/compare?{PAIR}&words={FEW}")
    wait_for_results(page)
    first, second = played["random"].report, played["information-gain"].report
    wins, ties, losses = first.against(second)
    said = page.locator(".differences p").first
    expect(said).to_contain_text(f"“Anything that fits” needs fewer guesses for {wins} answers")
    expect(said).to_contain_text(f"“Most information” for {losses:,}")
    expect(said).to_contain_text(f"{ties} take as many")
    by = first.turns - second.turns
    most = int(by.max())
    many = int((by == most).sum())
    button = page.get_by_role("button", name=f"Most information: {most} fewer")
    expect(button).to_contain_text(str(many))
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".differences tbody tr")).to_have_count(many)
    for row in page.locator(".differences tbody tr").all():
        numbers = [int(text) for text in row.locator("td").all_inner_texts()]
        assert numbers[0] - numbers[1] == most
    button.click()
    page.get_by_label("Search the answers").fill("st")
    names = page.locator(".differences tbody th").all_inner_texts()
    assert names
    assert all("st" in name.lower() for name in names)
    page.get_by_label("Search the answers").fill("zzz")
    expect(page.locator(".differences [role=status]")).to_have_text("No such answer has these letters.")


def test_by_keyboard_alone(visit: Visit) -> None:
    page = visit(f"/compare?words={FEW}", reduced_motion="reduce")
    focused = "document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent"

    def go(label: str) -> None:
        for _ in range(80):
            if page.evaluate(focused).startswith(label):
                return
            page.keyboard.press("Tab")
        pytest.fail(f"the keyboard does not reach {label}")

    go("Strategy 1")
    page.keyboard.type("Safest")
    expect(page.get_by_label("Strategy 1")).to_have_value("worst-case")
    assert page.evaluate(focused) == "Strategy 1"
    go("Add a strategy")
    page.keyboard.press("Enter")
    assert page.evaluate(focused) == "Strategy 3"
    page.keyboard.type("Fewest left")
    go("Options")
    page.keyboard.press("Enter")
    go("Of equal guesses")
    page.keyboard.press("ArrowDown")
    go("First guess for all")
    page.keyboard.type("about")
    page.keyboard.press("Enter")
    wait_for_results(page)
    assert cells(page, "First guess") == ["ABOUT"] * 3
    expect(page.locator(".chart-legend")).to_contain_text("most-rapid-decrease(ties=list-order)")
    go("Safest guess: 1\u00a0fewer")
    page.keyboard.press("Space")
    expect(page.locator(".tally[aria-pressed=true]")).to_have_count(1)
    go("against")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".differences thead")).to_contain_text("Fewest left")


def test_options_are_fields_with_their_ranges(visit: Visit, played: Played) -> None:
    page = visit(f"/compare?words={FEW}", reduced_motion="reduce")
    begun = asked(page)
    page.get_by_label("Strategy 1").select_option("rollout")
    who = page.locator(".contestant").first
    who.get_by_text("Options").click()
    width = who.get_by_label("Guesses tried")
    expect(width).to_have_attribute("min", "1")
    expect(width).to_have_attribute("max", "1000")
    expect(who).to_contain_text("1 to 1,000; empty: all")
    expect(who.get_by_label("Plays on by")).to_have_value("expected-guesses")
    width.fill("0")
    who.get_by_text("Options").click()  # folded away, and still wrong
    compare(page)
    expect(who.locator("details")).to_have_attribute("open", "")
    assert begun == []
    width.fill("5")
    width.blur()
    expect(who.locator("summary")).to_have_text("Options: width = 5")
    compare(page)
    wait_for_results(page)
    assert {one["strategy"] for one in begun} == {"rollout(width=5)", "information-gain"}
    assert cells(page, "On average mean")[0] == f"{played['rollout(width=5)'].report.mean:.4f}"
    page.reload()
    wait_for_results(page)
    who.get_by_text("Options").click()
    expect(width).to_have_value("5")
    width.fill("")
    width.blur()
    expect(who.locator("summary")).to_have_text("Options: width = all")


def test_results_survive_a_reload_and_are_walked_through(visit: Visit, played: Played) -> None:
    page = visit(f"/compare?words={FEW}")
    begun = asked(page)
    means = " against ".join(f"{played[spec].report.mean:.3f}" for spec in ("random", "information-gain"))
    compare(page)
    wait_for_results(page)
    first = page.locator(".comparison h2").first.inner_text()
    assert "strategy=random&strategy=information-gain" in page.url
    assert len(begun) == 2
    page.get_by_label("Strategy 1").select_option("worst-case")
    compare(page)
    expect(page.locator(".comparison h2").first).to_contain_text("Safest guess")
    assert len(begun) == 4
    page.reload()
    expect(page.locator(".comparison h2").first).to_contain_text("Safest guess")
    expect(page.get_by_label("Strategy 1")).to_have_value("worst-case")
    page.go_back()
    expect(page.locator(".comparison h2").first).to_have_text(first)
    expect(page.get_by_label("Strategy 1")).to_have_value("random")
    page.go_back()
    expect(page.locator(".comparison")).to_have_count(0)
    expect(page.locator(".welcome")).to_contain_text("Compared before")
    expect(page.locator(".welcome")).to_contain_text(means)
    page.go_forward()
    page.go_forward()
    expect(page.locator(".comparison h2").first).to_contain_text("Safest guess")
    assert len(begun) == 4  # none was played again
    page.get_by_role("link", name="Play", exact=True).click()
    page.get_by_role("link", name="Compare", exact=True).click()
    expect(page.locator(".comparison h2").first).to_contain_text("Safest guess")  # as it was left
    page.goto("/compare")
    page.get_by_role("button", name="Forget them").click()
    expect(page.locator(".welcome")).not_to_contain_text("Compared before")


def test_ready_made_questions_are_links(visit: Visit) -> None:
    page = visit("/compare")
    page.get_by_role("link", name="Coloured tiles, or information?").click()
    expect(page.locator(".run")).to_have_count(2)
    expect(page.get_by_label("Strategy 1")).to_have_value("most-hints")
    page.go_back()
    expect(page.locator(".welcome")).to_contain_text("Good questions")


@pytest.mark.journey
def test_a_run_goes_on_over_a_reload_and_is_cancelled(visit: Visit) -> None:
    page = visit(f"/compare?strategy={SLOW}&strategy=worst-case")
    run = page.locator(".run").first
    expect(run).to_contain_text("Choosing its first guess…")
    begun = asked(page)
    page.reload()
    expect(run).to_contain_text("Choosing its first guess…")
    assert begun == []  # the one that was begun is watched on
    page.get_by_role("button", name=f"Cancel {SLOW}").click()
    expect(run).to_contain_text("Cancelled.")
    page.wait_for_selector(".chart")
    expect(page.locator(".run")).to_have_count(1)


def told(page: Page, moments: list[tuple[int, int, int, float]]) -> list[Any]:
    """Return what the clock says at each moment: done, total, turn, seconds."""
    return page.evaluate(
        """async (moments) => {
            const { clock, inWords } = await import("/static/js/compare/timeleft.js");
            const one = clock();
            return moments.map(([done, total, turn, now]) => {
                const { share, left } = one.told({ done, total, turn }, now);
                return [share, left === null ? null : inWords(left)];
            });
        }""",
        moments,
    )


def test_the_time_left(visit: Visit) -> None:
    page = visit("/compare")
    said = told(
        page,
        [
            (0, 0, 0, 1),
            (0, 2315, 1, 2),
            (2315, 2315, 1, 4),
            (1000, 2315, 2, 10),
            (2000, 2315, 2, 100),
            (0, 2300, 3, 120),
        ],
    )
    shares = [share for share, _ in said]
    assert shares == sorted(shares)
    assert shares[-1] < 1
    assert [words for _, words in said[:3]] == [None] * 3
    assert said[3][1] == "about 30 seconds left"
    assert said[4][1] == "about 3 minutes left"
    assert told(page, [(9, 9, turn, float(turn)) for turn in range(1, 40)])[-1][0] <= 1


def downloaded(page: Page, name: str, path: Path) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("button", name=name).click()
    file = path / download.value.suggested_filename
    download.value.save_as(file)
    return file.read_bytes()


def test_results_as_files(visit: Visit, played: Played, tmp_path: Path) -> None:
    page = visit(f"/compare?{PAIR}&words={FEW}")
    wait_for_results(page)
    text = downloaded(page, "Results as CSV", tmp_path).decode()
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    for row, spec in zip(rows, ("random", "information-gain"), strict=True):
        report = played[spec].report
        assert (row["strategy"], int(row["total"]), int(row["lost"])) == (spec, report.total, report.failures)
        assert float(row["mean"]) == report.mean
        assert row["best possible total"] == ""  # nothing is proven of these words
        assert {n: int(row[str(n)]) for n in report.histogram} == report.histogram
    text = downloaded(page, "Every answer as CSV", tmp_path).decode()
    head, *answers = csv.reader(io.StringIO(text, newline=""))
    assert head == ["answer", "random", "information-gain"]
    records = zip(*(played[spec].to_records() for spec in head[1:]), strict=True)
    assert answers == [[one["answer"], str(one["turns"]), str(two["turns"])] for one, two in records]
    picture = downloaded(page, "Picture", tmp_path)
    assert picture.startswith(b"\x89PNG")
    assert len(picture) > 10_000
    shown = page.locator(".chart").bounding_box()
    assert int.from_bytes(picture[16:20]) == pytest.approx(2 * (shown["width"] + 40), abs=2)
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".comparison [role=status]").first).to_have_text("Link copied.")
    assert page.evaluate("navigator.clipboard.readText()") == page.url


def test_words_of_your_own(visit: Visit) -> None:
    page = visit("/compare")
    page.get_by_label("Words").select_option("own")
    words = ["crane", "crate", "grate", "irate", "prate", "trace"]
    page.get_by_label("Words that may be the answer").fill("\n".join(reversed(words)))
    page.get_by_role("button", name="Use these words").click()
    compare(page)
    page.wait_for_selector(".comparison h2")
    game = sleuth.wordle(words)
    expect(page.locator(".comparison")).to_contain_text("6 words of your own, all 6 answers")
    day = r"Played on \d{1,2} [A-Z][a-z]+ \d{4}\."
    expect(page.locator(".comparison")).to_contain_text(re.compile(day))
    means = [f"{sleuth.evaluate(spec, game).report.mean:.4f}" for spec in ("random", "information-gain")]
    assert cells(page, "On average mean") == means
    assert page.locator(".chart .optimum").count() == 0  # nothing is proven of them
    is_accessible_and_fits(page, "compare-own")
    page.reload()
    page.wait_for_selector(".comparison h2")
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".comparison [role=status]").first).to_contain_text("in this browser only")
    elsewhere = visit(page.evaluate("navigator.clipboard.readText()"))
    expect(elsewhere.locator(".problem")).to_contain_text("somebody's own")
    expect(elsewhere.locator(".run")).to_have_count(0)


@pytest.fixture
def quiet(visit: Visit) -> Visit:
    """Visits on which nothing is played."""

    def refuse(route: Route) -> None:
        pytest.fail(f"{route.request.url} was asked")

    def quiet(path: str, **options: Any) -> Page:
        page = visit("/", **options)
        page.route("**/api/v1/evaluations", refuse)
        page.goto(path)
        page.wait_for_selector(".contestant")
        return page

    return quiet


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("strategy=nothing&strategy=random", "There is no strategy “nothing”: strategies are "),
        ("strategy=random", "2 to 4 strategies"),
        ("strategy=random&strategy=random", "no two of them the same"),
        ("&".join(f"strategy=random(seed={n})" for n in range(5)), "2 to 4 strategies"),
        (
            "strategy=random&strategy=alpha(nonsense=1)",
            "has no option “nonsense”: its options are ties, alpha",
        ),
        ("strategy=random&strategy=%3Cb%3E", "There is no strategy “<b>”"),
        ("strategy=random&strategy=alpha&game=chess", "game=chess"),
        ("strategy=random&strategy=alpha&words=none&mode=soft", "mode=soft"),
        ("game=chess&words=%00", "game=chess"),
        ("strategy=", "is not how a strategy is written"),
        ("strategy=random&strategy=rollout(width=5", "is not how a strategy is written: its name"),
        (
            "strategy=random&strategy=rollout(width=abc)",
            "Rollout has no “width=abc”: it takes a whole number from 1 to 1000, or all",
        ),
        ("strategy=random&strategy=rollout(width=-5)", "Rollout has no “width=-5”"),
        ("strategy=random&strategy=exact(objective=fun)", "it takes mean, worst, solved"),
        ("strategy=random&strategy=alpha(alpha=1.2.3)", "Alpha has no “alpha=1.2.3”"),
    ],
)
def test_a_strange_address_is_told_kindly(quiet: Visit, query: str, says: str) -> None:
    page = quiet(f"/compare?{query}")
    expect(page.locator(".compare .problem")).to_contain_text(says)
    expect(page.get_by_label("Strategy 2")).to_be_visible()
    expect(page.locator(".welcome")).to_contain_text("Good questions")


def test_a_mistake_is_told_where_it_belongs(visit: Visit) -> None:
    page = visit("/compare")
    page.get_by_label("Strategy 1").select_option("information-gain")
    compare(page)
    expect(page.locator("form .problem")).to_contain_text(
        "“Most information” (information-gain) is there twice"
    )
    page.get_by_label("Strategy 1").select_option("most-hints")
    page.get_by_label("First guess for all").fill("zzzzz")
    compare(page)
    expect(page.locator("form .problem")).to_contain_text("Zzzzz is not in the word list")
    expect(page.locator(".problem:visible")).to_have_count(1)
    expect(page.locator(".comparison")).to_have_count(0)


@pytest.mark.parametrize("width", [360, 390])
def test_numbers_beside_dots_and_lines_of_the_chart_are_whole(visit: Visit, width: int) -> None:
    page = visit("/compare?strategy=random&strategy=information-gain&opener=salet", size="phone")
    resize(page, width, 844)
    page.reload()
    wait_for_results(page)
    expect(page.locator(".chart .mean").last).to_contain_text("best possible, none lost")
    beyond = page.locator(".chart .mean").evaluate_all("""all => all.map(one => {
        const [text, chart] = [one, one.ownerSVGElement].map(part => part.getBoundingClientRect());
        return Math.max(chart.left - text.left, text.right - chart.right);
    })""")
    assert max(beyond) <= 0
    # The line of the optimum goes through no number.
    clear = page.locator(".chart .mean").evaluate_all("""all => all.map(one => {
        const optimum = one.ownerSVGElement.querySelector('.optimum');
        const [text, line] = [one, optimum].map(part => part.getBoundingClientRect());
        return line.right < text.left || line.left > text.right || line.bottom <= text.top + 1;
    })""")
    assert all(clear)


@pytest.mark.parametrize("asks", ["", "strategy=chess&strategy=random&"])
def test_a_first_guess_of_an_address_that_is_none_is_told(visit: Visit, asks: str) -> None:
    page = visit(f"/compare?{asks}opener=zzzzz")
    expect(page.locator("form .problem")).to_contain_text("Zzzzz is not in the word list (original words).")
    page.goto(f"/compare?{asks}opener=crane")
    expect(page.locator(".welcome h2").first).to_be_visible()
    expect(page.locator("form")).not_to_contain_text("word list")


def test_peg_games(visit: Visit) -> None:
    page = visit("/compare?strategy=random&strategy=expected-guesses&game=mastermind&pegs=3&colours=4")
    page.wait_for_selector(".comparison h2")
    expect(page.locator(".comparison")).to_contain_text("Mastermind, 3 pegs of 4 colours, all 64 codes")


@pytest.mark.parametrize(("size", "scheme"), [("phone", "light"), ("desktop", "dark")])
def test_four_at_once(visit: Visit, size: str, scheme: str) -> None:
    specs = ("random", "information-gain", "most-hints(marks=greens)", "rollout(width=5)")
    query = "&".join([f"words={FEW}", *(f"strategy={spec}" for spec in specs)])
    page = visit(f"/compare?{query}", size=size, scheme=scheme)
    wait_for_results(page)
    expect(page.locator(".chart circle")).to_have_count(4)
    expect(page.get_by_role("button", name="Add a strategy")).to_be_hidden()
    page.get_by_label("against").select_option("3")
    expect(page.locator(".differences thead")).to_contain_text("Plays it through")
    page.get_by_label("This one").select_option("3")
    expect(page.locator(".differences")).to_contain_text("Choose two that are not the same.")
    page.get_by_label("This one").select_option("2")
    is_accessible_and_fits(page, f"compare-four-{size}-{scheme}")


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", SIZES)
def test_an_address_that_is_not_there(visit: Visit, size: str, scheme: str) -> None:
    page = visit("/", size=size, scheme=scheme, expected=["status of 404"])
    answer = page.goto("/nowhere?puzzle=5")
    assert answer.status == 404
    expect(page.locator("h1")).to_have_text("There is no page here")
    expect(page.locator("main")).to_contain_text("/nowhere")
    assert page.title() == "Not found · Sleuth"
    is_accessible_and_fits(page, f"missing-{size}-{scheme}")
    page.locator("main a", has_text="Compare").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".contestant")
    assert re.search(r"/compare$", page.url)


@pytest.mark.parametrize(
    "query", ["puzzle=5&game=chess", "puzzle=&game=", "game=chess&words=own&boards=x", "puzzle=5#x=%"]
)
def test_strange_puzzles_throw_nothing(visit: Visit, query: str) -> None:
    page = visit(f"/?{query}")
    expect(page.locator(".play-head p")).to_contain_text("Original words")
