"""What CI runs is what README.md says."""

import importlib.util
import re
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


def readme_commands() -> list[str]:
    """Return README.md's commands that begin with a fresh environment: the main job, and the tests."""
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.startswith("python3 -m venv")]


@cache
def noxfile() -> Any:
    spec = importlib.util.spec_from_file_location("noxfile", ROOT / "noxfile.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_ci_runs_the_commands_of_the_readme() -> None:
    main, tests = readme_commands()
    script = (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()
    installs = [line for line in script if line.startswith("python3 -m venv")]
    assert installs[0] == main
    assert f"{installs[1]} && .venv/bin/{' '.join(noxfile().TESTS)}" == tests
    assert script[script.index(installs[1]) + 1 :] == [".venv/bin/nox"]


def test_nox_runs_all_sessions_but_coverage_and_what_tests_hold_already() -> None:
    module = noxfile()
    sessions = set(
        re.findall(r"^def (\w+)\(session", (ROOT / "noxfile.py").read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert sessions - set(module.nox.options.sessions) == {"docs", "coverage"}
