import re
from html.parser import HTMLParser
from types import SimpleNamespace

import numpy as np
import pytest

import sleuth
from sleuth.support.errors import SleuthError
from sleuth.trees.formats.outline import outline
from sleuth.trees.tree import DecisionTree
from sleuth.views import html
from sleuth.views.text import LINES

GAME = sleuth.mastermind(2, 3)
ODD = sleuth.Game.from_function(lambda g, a: g == a, ["<script>", "a&b", '"'], name="<b>odd</b>")


def results(game: sleuth.Game) -> list[object]:
    position = sleuth.Position.start(game)
    evaluation = sleuth.evaluate("information-gain", game)
    proof = sleuth.prove(game, top=2)
    guess = game.guesses[0]
    shown = game.rules.notation.show(game.rules.code(guess, game.answers[-1]))
    after = sleuth.Position.after_rows(game, [(guess, shown)])
    review = sleuth.review(game, [guess, game.answers[-1]], game.answers[-1])
    advice = [sleuth.advise(at) for at in (position, after)]
    return [position, after, *advice, evaluation, evaluation.report, evaluation.tree, proof, review]


class Balanced(HTMLParser):
    """Holds that all tags are closed, and collects their names and attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.met: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.met.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("game", [GAME, ODD], ids=["mastermind", "odd"])
def test_a_notebook_is_given_whole_escaped_html_that_loads_nothing(game: sleuth.Game) -> None:
    for result in results(game):
        text = result._repr_html_()  # type: ignore[attr-defined]  # what Jupyter calls
        found = Balanced(text)
        assert not {"script", "link", "img", "iframe"} & found.met
        assert not {"src", "href", "onclick", "onload"} & found.attributes
        assert "<b>odd" not in text
        assert "url(" not in text
        assert "http" not in text


def test_rules_of_style_hold_within_the_fragment_alone() -> None:
    text = sleuth.Position.start(GAME)._repr_html_()
    style = re.search(r"<style>(.*)</style>", text, re.DOTALL)[1]
    selectors = [s.strip() for rule in re.findall(r"([^{}]+)\{", style) for s in rule.split(",")]
    assert len(selectors) > 20
    assert all(selector.startswith(".sleuth") for selector in selectors)


@pytest.mark.parametrize("game", [GAME, ODD], ids=["mastermind", "odd"])
def test_print_shows_the_same_as_a_notebook(game: sleuth.Game) -> None:
    for result in results(game):
        lines = str(result).splitlines()
        assert len(lines) > 2
        assert len(repr(result)) < 300
        page = re.sub(r"<style>.*?</style>", "", result._repr_html_(), flags=re.DOTALL)  # type: ignore[attr-defined]
        words = set(re.findall(r"\w+", re.sub(r"<[^>]*>", " ", page)))
        assert set(re.findall(r"\w+", lines[0])) <= words | set(re.findall(r"\w+", "a b amp quot lt gt odd"))


def test_the_text_of_a_report_is_a_histogram() -> None:
    report = sleuth.evaluate("information-gain", GAME).report
    lines = str(report).splitlines()
    assert lines[0] == f"Guesses on average: {report.mean:.4f}"
    assert [int(line.split()[-1]) for line in lines[-3:]] == [report.histogram[n] for n in (1, 2, 3)]


def test_failures_are_marked() -> None:
    game = sleuth.Game.from_function(lambda g, a: g == a, range(5), max_turns=3)
    report = sleuth.evaluate("information-gain", game).report
    assert report.failures
    marked = [line for line in str(report).splitlines() if "over the limit" in line]
    assert [int(line.split()[0]) for line in marked] == [n for n in report.histogram if n > 3]
    assert report._repr_html_().count('class="lost"') == len(marked)


def test_a_position_with_a_prior_shows_chances_and_a_solved_one_its_end() -> None:
    weighed = GAME.with_prior(np.arange(1.0, len(GAME.answers) + 1))
    assert "33 20.0%" in str(sleuth.Position.start(weighed))
    solved = sleuth.Position.after_rows(GAME, [("12", "2,0")])
    assert str(solved).endswith("Found in 1 guess.")


def test_wordle_has_tiles_that_are_told_as_text() -> None:
    game = sleuth.wordle("original")
    position = sleuth.Position.after_rows(game, [("salet", "bbybb")])
    assert 'role="img" aria-label="salet BBYBB"' in position._repr_html_()
    assert "salet BBYBB" in str(position)


def test_a_large_tree_is_cut_by_whole_turns() -> None:
    from sleuth.trees.check import play_all

    tree = sleuth.evaluate("information-gain", sleuth.mastermind(3, 4)).tree
    played = play_all(tree)
    whole = "".join(outline(tree, played))
    assert whole == "".join(outline(tree, played, len(tree.guess)))
    for most in (1, 10, 30):
        cut = "".join(outline(tree, played, most))
        Balanced(cut)
        assert len(re.findall("<li", cut)) <= max(1, most)
        assert "not shown" in cut
    assert "not shown" not in whole
    assert len(str(tree).splitlines()) < LINES + 20
    assert len(tree.guess) < html.NODES


def test_a_tree_that_breaks_the_rules_says_how() -> None:
    tree = DecisionTree(GAME, np.array([0]), np.array([-1]), np.array([-1]))
    assert "breaks the rules" in str(tree)
    assert "breaks the rules" in tree._repr_html_()


def test_ipython_terminals_show_the_text() -> None:
    told: list[str] = []
    sleuth.Position.start(GAME)._repr_pretty_(SimpleNamespace(text=told.append), False)
    assert told == [str(sleuth.Position.start(GAME))]


def test_data_frames_are_made_of_the_records(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    position = sleuth.Position.start(GAME)
    assert sum(row["probability"] for row in position.to_records()) == pytest.approx(1)
    every_row = {"infer_schema_length": None}  # polars else takes types from the first hundred
    for name, make, told in (("pandas", position.to_pandas, {}), ("polars", position.to_polars, every_row)):
        frame = SimpleNamespace(DataFrame=lambda rows, **options: (rows, options))
        monkeypatch.setitem(sys.modules, name, frame)
        assert make() == (position.to_records(), told)
        monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(SleuthError, match=rf"{name} is not installed; to_records\(\)"):
            make()
