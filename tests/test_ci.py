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
    assert script[script.index(installs[1]) + 1 :] == [".venv/bin/nox -j 2"]


def test_nox_runs_all_sessions_but_coverage_and_what_tests_hold_already() -> None:
    module = noxfile()
    source = (ROOT / "noxfile.py").read_text(encoding="utf-8")
    sessions = set(re.findall(r"^@nox\.session.*\ndef (\w+)\(session", source, re.MULTILINE))
    others = sessions - set(module.nox.options.sessions)
    assert others == {"docs", "coverage", "wheel", "thorough", "everything"}


def test_install_tries_every_python_that_is_promised() -> None:
    module = noxfile()
    assert module.PROJECT["project"]["requires-python"] == f">={module.PYTHONS[0]}"
    minors = [int(version.removeprefix("3.")) for version in module.PYTHONS]
    assert minors == list(range(minors[0], minors[-1] + 1))


def test_lowest_knows_the_lowest_version_of_all_that_is_needed() -> None:
    pins = noxfile().lowest_versions()
    assert len(pins) > 5
    assert all(re.fullmatch(r"[\w-]+==[\d.]+", pin) for pin in pins)


def test_the_citation_is_of_this_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {noxfile().PROJECT['project']['version']}\n" in citation


def test_a_release_tests_every_python_by_sessions_that_there_are() -> None:
    module = noxfile()
    workflow = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    assert re.findall(r"^ {12}(3\.\d+)$", workflow, re.MULTILINE) == module.PYTHONS
    ran = re.findall(r"nox -s ([\w ]+?) --", workflow)
    assert {name for names in ran for name in names.split()} == {"install", "lowest"}
    assert {"install", "lowest"} <= set(module.nox.options.sessions)
