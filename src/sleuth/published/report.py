"""All published tables and their pictures as one page, made table by table."""

from __future__ import annotations

import json
import subprocess
import time
from html import escape
from importlib.metadata import version
from pathlib import Path
from typing import Any

from sleuth.published import EXPERIMENTS
from sleuth.published.pictures import draw
from sleuth.published.steps import Steps
from sleuth.published.table import shown
from sleuth.support.errors import SleuthError
from sleuth.support.files import write_whole
from sleuth.support.progress import Progress, Watch

_STYLE = """
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { border-bottom: 1px solid #ccc; padding: .2rem .6rem; text-align: right; }
th.label, td.label { text-align: left; }
img { max-width: 100%; }
.made { color: #555; }
"""
_FIGURES = ("published", "paper", "difference", "clean")
_HEADS = ("published", "paper's conditions", "difference", "clean conditions")


def origin() -> str:
    """Return which Sleuth this is: its version, and the commit where it runs from a clone."""
    here = Path(__file__).parent
    try:
        asked = ["git", "-C", str(here), "describe", "--always", "--dirty", "--exclude=*"]
        found = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
        # A clone that Sleuth was merely installed in is another program's.
        subprocess.run(
            ["git", "-C", str(here), "ls-files", "--error-unmatch", __file__], capture_output=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return f"Sleuth {version('sleuth')}"
    return f"Sleuth {version('sleuth')}, commit {found}"


def write(folder: Path, progress: Watch) -> dict[str, str]:
    """Make every published table, with its picture, and index.html of them all in a folder.

    What is there already, made by the same commit, is kept: whole tables, and the pieces of one that was
    stopped. progress: told of the tables done, and of how far the one at work is. Returns what could not be
    made, and why. Raises OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    made_by = origin()
    problems: dict[str, str] = {}
    parts: dict[str, dict[str, Any]] = {}
    for done, name in enumerate(EXPERIMENTS):

        def inner(at: Progress, done: int = done, name: str = name) -> None:
            progress(Progress(done, len(EXPERIMENTS), f"{name}, {at.done} of {at.total}: {at.remark}"))

        progress(Progress(done, len(EXPERIMENTS), name))
        path = folder / f"{name}.json"
        part = _kept(path, made_by)
        if part is None:
            began = time.perf_counter()
            try:
                table = EXPERIMENTS.load(name)(_steps(inner, folder / f"{name}.pieces.json", made_by))
            except SleuthError as error:
                problems[name] = str(error)
                continue
            draw(table.charts, folder / f"{name}.png")
            part = {"origin": made_by, "seconds": round(time.perf_counter() - began, 1), **table.to_json()}
            write_whole(path, json.dumps(part).encode())
            (folder / f"{name}.pieces.json").unlink(missing_ok=True)
        parts[name] = part
    write_whole(folder / "index.html", _page(parts, problems, made_by).encode())
    progress(Progress(len(EXPERIMENTS), len(EXPERIMENTS), "done"))
    return problems


def _steps(watch: Watch, path: Path, made_by: str) -> Steps:
    """Return the steps of a table, which keep their pieces in a file."""

    def keep(known: dict[str, Any]) -> None:
        write_whole(path, json.dumps({"origin": made_by, "pieces": known}).encode())

    before = _made_before(path, made_by)
    return Steps(watch, None if before is None else before["pieces"], keep)


def _kept(path: Path, made_by: str) -> dict[str, Any] | None:
    """Return a table made before by the same commit, with its picture, or None."""
    part = _made_before(path, made_by)
    return part if path.with_suffix(".png").exists() else None


def _made_before(path: Path, made_by: str) -> dict[str, Any] | None:
    """Return what a file holds that the same commit wrote, or None."""
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    same = isinstance(found, dict) and found.get("origin") == made_by and not made_by.endswith("-dirty")
    return found if same else None


def _page(parts: dict[str, dict[str, Any]], problems: dict[str, str], made_by: str) -> str:
    links = "".join(f'<li><a href="#{name}">{escape(part["title"])}</a></li>' for name, part in parts.items())
    missing = "".join(f"<li>{escape(name)}: {escape(why)}</li>" for name, why in problems.items())
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Published tables</title>'
        f"<style>{_STYLE}</style></head><body><h1>Published tables, played again</h1>"
        f'<p class="made">{escape(made_by)}</p><ul>{links}</ul>'
        + (f"<h2>Not made</h2><ul>{missing}</ul>" if missing else "")
        + "".join(_section(name, part) for name, part in parts.items())
        + "</body></html>\n"
    )


def _section(name: str, part: dict[str, Any]) -> str:
    notes = "".join(f"<p>{escape(note)}</p>" for note in part["notes"])
    return (
        f'<h2 id="{name}">{escape(part["title"])}</h2>'
        f'<p class="made"><code>sleuth reproduce {name}</code>, {part["seconds"]} seconds</p>'
        f'<img src="{name}.png" alt="The figures of the tables below as a picture">'
        + "".join(_grid(column, part["rows"]) for column in part["columns"])
        + notes
    )


def _grid(column: dict[str, Any], rows: list[dict[str, Any]]) -> str:
    labels = [key for key in rows[0] if key != "figures"] if rows else []
    heads = "".join(f'<th class="label">{escape(label)}</th>' for label in labels)
    heads += "".join(f"<th>{escape(head)}</th>" for head in _HEADS)
    lines = []
    for row in rows:
        cells = "".join(f'<td class="label">{escape(str(row[label]))}</td>' for label in labels)
        for figure in _FIGURES:
            value = row["figures"][column["name"]][figure]
            cells += f"<td>{shown(value, column['decimals'], sign=figure == 'difference')}</td>"
        lines.append(f"<tr>{cells}</tr>")
    return (
        f"<h3>{escape(column['title'])}</h3><table><thead><tr>{heads}</tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table>"
    )
