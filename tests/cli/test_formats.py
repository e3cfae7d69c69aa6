"""--format csv and markdown, and tables and bars in narrow terminals."""

import csv
import io
import random
import re

import pytest
from command_line import Run, json_of
from rich.console import Console

from sleuth.cli import show
from sleuth.cli.app import app
from sleuth.cli.formats import to_text
from sleuth.support.errors import SleuthError
from sleuth.views.content import Bars
from sleuth.views.text import bars

SMALL = ("--game", "mastermind", "--pegs", "2", "--colours", "3")
TABLES = {
    "rank": ("rank", "information-gain", *SMALL),
    "suggest": ("suggest", *SMALL),
    "evaluate": ("evaluate", "information-gain", *SMALL),
    "compare": ("compare", "information-gain", "worst-case", *SMALL),
    "prove": ("prove", "--top", "2", *SMALL),
    "review": ("review", "12:1,0", "13:0,1", "32:2,0", *SMALL),
    "records": ("records",),
    "openers": ("openers", "--shown", "30"),
    "games": ("games",),
    "strategies": ("strategies",),
    "plan": ("plan",),
}


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_csv_or_markdown_and_nothing_else(run: Run, name: str) -> None:
    code, out, err = run(*TABLES[name], "--format", "csv")
    assert code == 0, err
    rows = rows_of(out)
    assert rows
    assert all(None not in row and None not in row.values() for row in rows)
    lines = run(*TABLES[name], "--format", "markdown")[1].splitlines()
    assert len(lines) == len(rows) + 2
    assert all(line.startswith("| ") and line.endswith(" |") for line in lines)


def test_a_result_without_a_table_is_no_empty_output(run: Run) -> None:
    show.rows_as(lambda rows: to_text(rows, "csv"))
    try:
        with pytest.raises(SleuthError, match="this result is no table; --json"):
            show.as_json({"value": 1})
        show.as_json({"interrupted": True})
    finally:
        show.begin()


def test_the_series_of_fibble_is_a_table(run: Run) -> None:
    code, out, err = run("fibble", *SMALL, "--chance", "unknown", "--carry", "2", "--format", "csv")
    assert code == 0, err
    assert [list(row) for row in rows_of(out)] == [
        ["game", "turns", "rate.mean", "rate.low", "rate.high"]
    ] * 2


def test_csv_has_the_numbers_of_json_in_full(run: Run) -> None:
    rows = rows_of(run(*TABLES["suggest"], "--format", "csv")[1])
    plain = json_of(run(*TABLES["suggest"], "--json"))["guesses"]
    assert [float(row["bits"]) for row in rows] == [row["bits"] for row in plain]
    counts = rows_of(run(*TABLES["evaluate"], "--format", "csv")[1])
    histogram = json_of(run(*TABLES["evaluate"], "--json"))["histogram"]
    assert {row["guesses"]: int(row["count"]) for row in counts} == histogram


def test_what_a_format_does_not_go_with_is_said_in_a_line(run: Run) -> None:
    code, _, err = run(*TABLES["suggest"], "--json", "--format", "csv")
    assert (code, err.count("\n")) == (2, 1), err
    assert "--json and --format csv do not go together" in err
    code, _, err = run(*TABLES["suggest"], "--format", "xml")
    assert code == 2
    assert "'csv', 'markdown'" in err


def test_every_command_with_a_table_has_the_option() -> None:
    import typer.main

    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    having = {name for name, found in commands.items() if any(p.name == "format" for p in found.params)}
    more = {
        "difficulty",
        "check-tree",
        "avts",
        "equilibrium",
        "fibble",
        "boards",
        "reproduce",
        "bench",
        "experiment",
    }
    assert having == {*TABLES, *more, "curves", "statistics"}


def test_cells_of_csv_and_markdown_are_escaped_and_nested_values_flat() -> None:
    row = {"a": 'x|y, "z"\nw', "b": {"c": [1, "two"], "d": None}, "e": [{"f": 1.5}], "g": 0.123456, "h": True}
    parsed = rows_of(to_text([row], "csv"))
    assert parsed == [
        {"a": row["a"], "b.c": "1 two", "b.d": "", "e": '[{"f": 1.5}]', "g": "0.123456", "h": "True"}
    ]
    head, _, line = to_text([row], "markdown").splitlines()
    assert head == "| a | b.c | b.d | e | g | h |"
    assert line == '| x\\|y, "z" w | 1 two |  | [{"f": 1.5}] | 0.1235 | True |'
    assert to_text([], "markdown") == ""


def shown(width: int, columns: list[str], rows: list[list[str]]) -> str:
    out = io.StringIO()
    table = show.table(*columns)
    for row in rows:
        table.add_row(*row)
    Console(file=out, width=width, highlight=False).print(table)
    return out.getvalue()


def test_no_width_splits_a_word_or_a_number() -> None:
    draw = random.Random(21)
    for _ in range(60):
        columns = ["guess", "expected", "guesses (at most)", "strategy"][: draw.randint(2, 4)]
        words = ["information-gain", "3.4324", "courd", "of the", "2315", "-"]
        rows = [[draw.choice(words) for _ in columns] for _ in range(3)]
        width = draw.randint(26, 90)
        text = shown(width, columns, rows)
        assert max(map(len, text.splitlines())) <= width
        told = re.split(r"[\s,]+", text)
        assert all(word in told for row in rows for cell in row for word in cell.split()), (width, text)


def test_where_words_just_fit_they_stay_whole() -> None:
    text = shown(40, ["player", "mean", "lost", "turns for 99%"], [["information gain", "3.07", "0.0%", "4"]])
    assert "information" in text.split()
    assert "─" in text


def test_a_table_too_wide_for_the_terminal_is_a_list() -> None:
    text = shown(24, ["guess", "bits", "left", "guesses (at most)"], [["courd", "4.96", "2.71", "2.6162"]])
    assert text.splitlines()[:2] == ["courd", "  bits 4.96, left 2.71"]
    assert "─" not in text
    assert "─" in shown(60, ["guess", "bits"], [["courd", "4.96"]])


@pytest.mark.parametrize("width", [24, 40, 60, 80, 200])
def test_bars_fit_the_terminal(width: int) -> None:
    lines = bars(Bars({2: 81, 3: 1226, 4: 959, 7: 2}, 6), width)
    assert max(map(len, lines)) <= max(width, 31)
    assert [int(re.search(r"(\d+)(  over the limit)?$", line)[1]) for line in lines][1:4] == [81, 1226, 959]
