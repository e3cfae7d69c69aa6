"""The public names, and what importing them costs."""

import subprocess
import sys

import pytest

import sleuth


def test_public_names() -> None:
    assert sleuth.__all__ == [
        "Advice",
        "DecisionTree",
        "Evaluation",
        "Game",
        "Objective",
        "Position",
        "Proof",
        "Report",
        "Review",
        "SleuthError",
        "Strategy",
        "Suggestion",
        "__version__",
        "advise",
        "bulls_and_cows",
        "check_tree",
        "evaluate",
        "make",
        "mastermind",
        "prove",
        "review",
        "wordle",
    ]
    assert all(getattr(sleuth, name) is not None for name in sleuth.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nothing"):
        sleuth.nothing  # noqa: B018


def modules_after(code: str) -> set[str]:
    script = f"import sys; {code}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    return set(done.stdout.split())


def test_importing_the_package_imports_nothing_heavy() -> None:
    assert not {"numpy", "numba", "rich", "typer"} & modules_after("import sleuth")


def test_importing_the_command_line_imports_neither_numpy_nor_numba() -> None:
    assert not {"numpy", "numba"} & modules_after("import sleuth.cli.app")


def test_the_first_suggestion_needs_no_numba() -> None:
    code = "import sleuth; sleuth.advise(sleuth.Position.start(sleuth.wordle()))"
    assert "numba" not in modules_after(code)
