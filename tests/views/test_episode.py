"""What is shown of an episode: its own numbers, escaped, and of large beliefs the likeliest."""

import re
from html import unescape

import pytest

from sleuth.planning import Episode, Turn
from sleuth.views import html
from sleuth.views.episode import page


def episode(states: int = 2, turns: int = 2, name: str = "<b>s{}</b>") -> Episode:
    names = [name.format(i) for i in range(states)]
    belief = {s: (i + 1) / (states * (states + 1) / 2) for i, s in enumerate(names)}
    back = dict(zip(names, reversed(belief.values()), strict=True))
    played = tuple(
        Turn(f"<i>{t}</i>", "<u>seen</u>", names[t % 2], -1.5, back if t % 2 else belief)
        for t in range(turns)
    )
    return Episode("<p>", "<m>", "reward", 0.5, names[0], belief, played)


def moments(text: str) -> list[str]:
    return re.findall(r'<li class="moment">.*?</li>', text, re.DOTALL)


def percents(moment: str) -> list[float]:
    return [float(found) for found in re.findall(r"<td>([\d.]+)%</td>", moment)]


def test_the_numbers_are_those_of_the_episode_and_all_is_escaped() -> None:
    shown = episode()
    text = page(shown)
    assert text.startswith("<!DOCTYPE html>")
    for raw in ("<b>", "<i>", "<u>", "<p>s", "<m>", "<script", "http", "src=", "url(", "@import"):
        assert raw not in text
    assert "&lt;m&gt; plays &lt;p&gt;</h1>" in text
    first, *turns = moments(text)
    assert "At first" in first
    assert len(turns) == len(shown.turns)
    for number, (of, turn, total) in enumerate(zip(turns, shown.turns, shown.sums, strict=True), 1):
        words = unescape(re.sub(r"<[^>]*>", " ", of)).split()
        assert words[:2] == [f"{number}.", turn.action]
        assert {"-1.5", f"{total:.10g}", turn.observation, turn.hidden} <= set(words)
        assert percents(of) == [pytest.approx(100 * p, abs=0.06) for p in turn.belief.values()]
    assert "<dt>Discounted reward</dt><dd>-2.25</dd>" in text


def test_a_bar_shows_its_share_and_the_one_before_and_few_values_keep_their_places() -> None:
    text = page(episode())
    _, _, second = moments(text)
    assert re.findall(r"width:([\d.]+)%", second) == ["66.67", "33.33"]
    assert re.findall(r"left:([\d.]+)%", second) == ["33.33", "66.67"]
    for moment in moments(text):
        assert re.findall(r"s\d", moment.partition("<table")[2])[:2] == ["s0", "s1"]
        assert moment.count("(true)") == 1


def test_of_a_large_belief_the_ten_likeliest_the_true_one_and_the_rest() -> None:
    first = moments(page(episode(states=30)))[0]
    rows = re.findall(r"<bdi>(.*?)</bdi>( \(true\))?", first)
    assert [unescape(name) for name, _ in rows[:10]] == [f"<b>s{i}</b>" for i in range(29, 19, -1)]
    assert [unescape(name) + true for name, true in rows[10:]] == ["<b>s0</b> (true)", "19 more"]
    assert sum(percents(first)) == pytest.approx(100, abs=0.6)


def test_names_are_cut_and_stay_on_one_line() -> None:
    text = str(episode(name="{} long\n" + 30 * "name "))
    assert "0 long name name" in text
    assert "…" in text
    assert max(map(len, text.splitlines())) < 200


def test_a_notebook_is_given_a_fragment_and_no_more_than_it_can_bear() -> None:
    text = episode(turns=html.MOMENTS + 5)._repr_html_()
    assert "<html" not in text
    assert "<script" not in text
    assert len(moments(text)) == html.MOMENTS
    assert "6 more are not shown." in text
    assert len(moments(page(episode(turns=html.MOMENTS + 5)))) == html.MOMENTS + 6


def test_print_shows_a_line_a_turn() -> None:
    lines = str(episode()).splitlines()
    assert lines[0] == "<m> plays <p>"
    assert lines[-1].split() == [
        "2.",
        "<i>1</i>",
        "<u>seen</u>",
        "<b>s1</b>",
        "-1.5",
        "-2.25",
        "<b>s0</b>",
        "66.7%",
    ]
    assert len(repr(episode())) < 300
