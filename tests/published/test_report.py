"""The page of all published tables."""

import json
from functools import partial
from pathlib import Path

import pytest
from command_line import Run, json_of

from sleuth.published import report
from sleuth.published.steps import Steps
from sleuth.published.table import Cell, Column, Row, Table
from sleuth.support.errors import WordListError


class Experiments(dict[str, object]):
    """Two experiments that count how often they run, and one that cannot."""

    def __init__(self) -> None:
        super().__init__({"first": None, "second": None, "third": None})
        self.runs: list[str] = []
        self.stop_at = ""

    def load(self, name: str) -> object:
        def play(opener: str) -> float:
            if f"{name} {opener}" == self.stop_at:
                raise KeyboardInterrupt
            self.runs.append(f"{name} {opener}")
            return 3.51 if opener == "salet" else 3.25

        def run(steps: Steps) -> Table:
            if name == "third":
                raise WordListError("no <words>")
            steps.total = 2
            rows = (
                Row((opener,), (Cell(3.5, steps.take(opener, partial(play, opener)), None),))
                for opener in ("salet", "<b>")
            )
            columns = (Column("mean", "Mean", 2),)
            return steps.table(
                rows, lambda rows: Table(name, f"table & {name}", ("opener",), columns, rows, ("A note.",))
            )

        return run


@pytest.fixture
def experiments(monkeypatch: pytest.MonkeyPatch) -> Experiments:
    made = Experiments()
    monkeypatch.setattr(report, "EXPERIMENTS", made)
    monkeypatch.setattr(report, "origin", lambda: "Sleuth 1, commit abc")
    return made


def test_a_stopped_run_goes_on(experiments: Experiments, tmp_path: Path) -> None:
    experiments.stop_at = "second <b>"
    heard: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        report.write(tmp_path, lambda at: heard.append(f"{at.done} of {at.total}: {at.remark}"))
    assert heard[:2] == ["0 of 3: first", "0 of 3: first, 0 of 2: salet"]
    assert not (tmp_path / "index.html").exists()
    experiments.stop_at = ""
    assert report.write(tmp_path, lambda at: None) == {"third": "no <words>"}
    assert experiments.runs == ["first salet", "first <b>", "second salet", "second <b>"]
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    for part in (
        "Sleuth 1, commit abc",
        "table &amp; first",
        '<td class="label">salet</td><td>3.50</td><td>3.51</td><td>+0.01</td><td>–</td>',
        '<td class="label">&lt;b&gt;</td><td>3.50</td><td>3.25</td>',
        "third: no &lt;words&gt;",
        "A note.",
        'src="second.png"',
    ):
        assert part in page
    made = {"index.html", *(f"{name}.{kind}" for name in ("first", "second") for kind in ("json", "png"))}
    assert {path.name for path in tmp_path.iterdir()} == made


def test_what_another_commit_made_or_what_is_damaged_is_made_anew(
    experiments: Experiments, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report.write(tmp_path, lambda at: None)
    (tmp_path / "second.json").write_text("{", encoding="utf-8")
    report.write(tmp_path, lambda at: None)
    assert experiments.runs[4:] == ["second salet", "second <b>"]
    for commit, again in (("def-dirty", 4), ("def-dirty", 4)):
        monkeypatch.setattr(report, "origin", lambda commit=commit: f"Sleuth 1, commit {commit}")
        before = len(experiments.runs)
        report.write(tmp_path, lambda at: None)
        assert len(experiments.runs) == before + again
    assert json.loads((tmp_path / "first.json").read_text(encoding="utf-8"))["origin"].endswith("def-dirty")


def test_pieces_of_another_commit_are_made_anew(
    experiments: Experiments, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiments.stop_at = "first <b>"
    with pytest.raises(KeyboardInterrupt):
        report.write(tmp_path, lambda at: None)
    experiments.stop_at = ""
    monkeypatch.setattr(report, "origin", lambda: "Sleuth 1, commit def")
    report.write(tmp_path, lambda at: None)
    assert experiments.runs[:3] == ["first salet", "first salet", "first <b>"]


def test_a_stopped_table_is_that_of_its_whole_rows(
    experiments: Experiments, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("sleuth.published.EXPERIMENTS", experiments)
    experiments.stop_at = "first <b>"
    code, out, _ = run("reproduce", "first", "--markdown", "--plot", tmp_path / "bars.png")
    assert code == 130
    assert "| salet | 3.50 | 3.51 |" in out
    assert "<b>" not in out
    assert out.endswith("not finished: interrupted\n")
    assert (tmp_path / "bars.png").exists()
    code, out, _ = run("reproduce", "first", "--json")
    found = json.loads(out)
    assert (code, found["interrupted"], len(found["rows"])) == (130, True, 1)
    experiments.stop_at = "first salet"  # nothing is known
    code, out, _ = run("reproduce", "first")
    assert (code, out) == (130, "")
    experiments.stop_at = ""
    assert json_of(run("reproduce", "first", "--json"))["interrupted"] is False


def test_the_origin_names_the_commit_of_a_clone() -> None:
    assert report.origin().startswith("Sleuth ")


def test_from_the_command_line(experiments: Experiments, run: Run, tmp_path: Path) -> None:
    code, out, err = run("reproduce", "all", "--out", tmp_path / "page")
    assert (code, out) == (2, f"page written to {tmp_path / 'page' / 'index.html'}\n")
    assert err == "sleuth: third is missing: no <words>\n"
    del experiments["third"]
    assert json_of(run("reproduce", "all", "--out", tmp_path / "page", "--json"))["problems"] == {}
    for given in (["all"], ["learning", "--out", tmp_path], ["all", "--out", tmp_path, "--markdown"]):
        code, _, err = run("reproduce", *given)
        assert (code, err) == (
            2,
            "sleuth: the page of all tables is made with: sleuth reproduce all --out FOLDER\n",
        )
    file = tmp_path / "file"
    file.touch()
    assert run("reproduce", "all", "--out", file)[2] == f"sleuth: {file} is no folder\n"
