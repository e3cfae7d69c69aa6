"""What a person types in the walkthroughs, "How do I ...?" and the page on studies does what is shown.

Blocks of `console` hold commands (`$ sleuth ...`), lines that are typed at their prompts (`> salet`), and
what is printed, where "..." stands for anything; a command without output need only succeed. Blocks with a
title are files. Each page has a folder of its own. Examples of Python run as doctests.
"""

import doctest
import io
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import Run

DOCS = Path(__file__).parents[1] / "docs"
PAGES = [*sorted((DOCS / "walkthroughs").glob("*.md")), DOCS / "how-do-i.md", DOCS / "studies.md"]
BLOCK = re.compile(r'^```(\w+)(?: title="([\w.]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)


def commands(block: str) -> Iterator[tuple[str, str, str]]:
    """Yield each command of a block, what is typed while it runs, and what it prints."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, rest = part.partition("\n")
        lines = rest.splitlines(keepends=True)
        typed = "".join(line.removeprefix("> ") for line in lines if line.startswith("> "))
        yield command, typed, "".join(line for line in lines if not line.startswith("> "))


def plain(text: str) -> str:
    """Return text without spaces at the ends of its lines, and without empty lines."""
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines() if line.strip())


def is_shown(wanted: str, got: str) -> bool:
    return doctest.OutputChecker().check_output(plain(wanted), plain(got), doctest.ELLIPSIS)


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, id=page.stem, marks=() if page.stem == "studies" else pytest.mark.thorough)
        for page in PAGES
    ],
)
def test_commands_do_what_the_page_shows(
    page: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))  # the games played
    ran = 0
    for language, title, block in BLOCK.findall(page.read_text(encoding="utf-8")):
        if title:
            Path(title).write_text(block, encoding="utf-8")
        elif language == "console":
            for command, typed, wanted in commands(block):
                program, *words = shlex.split(command, comments=True)
                assert program == "sleuth"
                monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
                code, out, err = run(*words)
                assert code == 0, f"{command}: {err}"
                assert not plain(wanted) or is_shown(wanted, out), f"{command} prints:\n{plain(out)}"
                ran += 1
    assert ran
