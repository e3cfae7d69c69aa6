"""The page of all published tables."""

import json
from pathlib import Path

import pytest
from command_line import Run, json_of

from sleuth.published import report
from sleuth.published.table import Cell, Column, Row, Table
from sleuth.support.errors import WordListError
from sleuth.support.progress import Progress, Watch


class Experiments(dict[str, object]):
    """Two experiments that count how often they run, and one that cannot."""

    def __init__(self) -> None:
        super().__init__({"first": None, "second": None, "third": None})
        self.runs: list[str] = []
        self.stop_at = ""

    def load(self, name: str) -> object:
        def run(progress: Watch) -> Table:
            progress(Progress(0, 1, "at work"))
            if name == self.stop_at:
                raise KeyboardInterrupt
            if name == "third":
                raise WordListError("no <words>")
            self.runs.append(name)
            rows = (Row(("salet",), (Cell(3.5, 3.51, None),)), Row(("<b>",), (Cell(None, None, 3.25),)))
            return Table(
                name, f"table & {name}", ("opener",), (Column("mean", "Mean", 2),), rows, ("A note.",)
            )

        return run


@pytest.fixture
def experiments(monkeypatch: pytest.MonkeyPatch) -> Experiments:
    made = Experiments()
    monkeypatch.setattr(report, "EXPERIMENTS", made)
    monkeypatch.setattr(report, "origin", lambda: "Sleuth 1, commit abc")
    return made


def test_a_stopped_run_goes_on(experiments: Experiments, tmp_path: Path) -> None:
    experiments.stop_at = "second"
    heard: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        report.write(tmp_path, lambda at: heard.append(f"{at.done} of {at.total}: {at.remark}"))
    assert heard[:2] == ["0 of 3: first", "0 of 3: first, 0 of 1: at work"]
    assert not (tmp_path / "index.html").exists()
    experiments.stop_at = ""
    assert report.write(tmp_path, lambda at: None) == {"third": "no <words>"}
    assert experiments.runs == ["first", "second"]
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    for part in (
        "Sleuth 1, commit abc",
        "table &amp; first",
        '<td class="label">salet</td><td>3.50</td><td>3.51</td><td>+0.01</td><td>–</td>',
        '<td class="label">&lt;b&gt;</td>',
        "third: no &lt;words&gt;",
        "A note.",
        'src="second.png"',
    ):
        assert part in page
    assert {path.suffix for path in tmp_path.iterdir()} == {".json", ".png", ".html"}


def test_what_another_commit_made_or_what_is_damaged_is_made_anew(
    experiments: Experiments, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report.write(tmp_path, lambda at: None)
    (tmp_path / "second.json").write_text("{", encoding="utf-8")
    report.write(tmp_path, lambda at: None)
    assert experiments.runs == ["first", "second", "second"]
    for commit, again in (("def", 2), ("def-dirty", 2), ("def-dirty", 2)):
        monkeypatch.setattr(report, "origin", lambda commit=commit: f"Sleuth 1, commit {commit}")
        before = len(experiments.runs)
        report.write(tmp_path, lambda at: None)
        assert len(experiments.runs) == before + again
    assert json.loads((tmp_path / "first.json").read_text(encoding="utf-8"))["origin"].endswith("def-dirty")


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
