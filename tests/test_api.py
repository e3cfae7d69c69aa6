"""The public names, and what importing them costs."""

import ast
import re
import subprocess
import sys
from importlib import import_module
from inspect import isclass, isfunction
from pathlib import Path

import numpy as np
import pytest

import sleuth

ROOT = Path(__file__).parents[1]
SOURCE = Path(sleuth.__file__).parent
STUBS = sorted(SOURCE.rglob("__init__.pyi"))
EXAMPLES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def package_of(stub: Path) -> str:
    return ".".join(["sleuth", *stub.parent.relative_to(SOURCE).parts])


def public(package: str) -> set[str]:
    """Return the names that a package's stub lists."""
    stub = SOURCE.joinpath(*package.split(".")[1:], "__init__.pyi")
    found = set()
    for node in ast.parse(stub.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            assert all(alias.asname == alias.name for alias in node.names)
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.AnnAssign):
            assert isinstance(node.target, ast.Name)
            found.add(node.target.id)
    return found


@pytest.mark.parametrize("package", [package_of(stub) for stub in STUBS])
def test_what_a_stub_lists_is_public_and_documented(package: str) -> None:
    module = import_module(package)
    assert set(module.__all__) == public(package)
    for name in module.__all__:
        found = getattr(module, name)
        if isclass(found) or isfunction(found):
            assert found.__doc__, f"{package}.{name} has no docstring"
            assert found.__module__.startswith("sleuth.")


def test_the_reference_of_the_site_has_every_public_name_once() -> None:
    pages = [page.read_text(encoding="utf-8") for page in sorted((ROOT / "docs/api").glob("*.md"))]
    packages = ["sleuth", "sleuth.planning", "sleuth.learning"]
    packages += [f"sleuth.variants.{kind}" for kind in public("sleuth.variants")]
    named = {f"{package}.{name}" for package in packages for name in public(package)}
    parts = ("__version__", "planning", "learning", "plots", "variants", "testing")
    named -= {f"sleuth.{name}" for name in parts}
    named |= {"sleuth.testing.check_game", "sleuth.testing.check_strategy"}
    named |= {f"sleuth.plots.{name}" for name in sleuth.plots.__all__}
    assert sorted(re.findall(r"^::: (\S+)$", "\n".join(pages), re.MULTILINE)) == sorted(named)


@pytest.mark.smoke
def test_a_function_stays_one_when_the_package_of_its_name_is_imported() -> None:
    code = "import sleuth, sleuth.strategies.rollout; print(len(sleuth.strategies()))"
    assert int(output_of(code)) == len(sleuth.strategies())
    assert set(sleuth.strategies()) >= {"beam", "exact", "rollout"}


@pytest.mark.parametrize("page", EXAMPLES, ids=lambda page: page.name)
def test_examples_use_public_names_alone(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for package, names in re.findall(r"^(?:>>> )?from (sleuth[\w.]*) import ([^\n]+)$", text, re.MULTILINE):
        given = {name.split(" as ")[0].strip() for name in names.split(",")}
        if package in ("sleuth.cli", "sleuth.trees.formats"):  # modules that list their names themselves
            continue
        assert given <= public(package), f"{page.name}: from {package} import {names}"


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nothing"):
        sleuth.nothing  # type: ignore[attr-defined]  # noqa: B018  no such name, on purpose


def test_results_are_plain_values_and_rows() -> None:
    game = sleuth.mastermind(2, 3)
    proof = sleuth.prove(game, top=2)
    assert proof.to_json()["top"] == proof.to_records()
    assert len(proof.to_records()) >= 2
    evaluation = sleuth.evaluate("information-gain", game)
    assert sum(row["turns"] for row in evaluation.to_records()) == evaluation.report.total
    advice = sleuth.advise(sleuth.Position.start(game), 2)
    assert [row["guess"] for row in advice.to_records()] == [s.guess for s in advice.suggestions]
    plain = {
        "method": advice.method,
        "provisional": False,
        "sampled": False,
        "guesses": advice.to_records(),
    }
    assert advice.to_json() == plain
    review = sleuth.review(game, ["12:1,0", "13:0,1", "32:2,0"])
    assert review.to_json()["moves"] == review.to_records()
    found = sleuth.variants.adversary.equilibrium(game)
    assert [row["probability"] for row in found.to_records()] == found.host.tolist()
    assert np.isclose(sum(row["probability"] for row in found.to_records()), 1)
    counts = evaluation.report.to_records()
    assert sum(row["guesses"] * row["answers"] for row in counts) == evaluation.report.total
    assert repr(proof) == "<Proof mastermind 2x3: 12 21, proved>"


def test_what_is_no_game_is_refused_in_a_line() -> None:
    with pytest.raises(sleuth.SleuthError, match="takes a Game, not 'original'"):
        sleuth.evaluate("information-gain", "original")  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(sleuth.SleuthError, match=r"guess 1 gets \(\[1\],\) for answer 1, which"):
        sleuth.Game.from_function(lambda guess, answer: ([1],), [1, 2, 3])


def output_of(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout


def modules_after(code: str) -> set[str]:
    return set(output_of(f"import sys; {code}; print(*sys.modules)").split())


def test_importing_the_package_imports_nothing_heavy() -> None:
    assert not {"numpy", "numba", "rich", "typer"} & modules_after("import sleuth")


def test_importing_the_command_line_imports_neither_numpy_nor_numba() -> None:
    assert not {"numpy", "numba"} & modules_after("import sleuth.cli.app")


def test_the_first_suggestion_needs_no_numba() -> None:
    code = "import sleuth; sleuth.advise(sleuth.Position.start(sleuth.wordle()))"
    assert "numba" not in modules_after(code)


@pytest.mark.parametrize("package", [package_of(stub) for stub in STUBS])
def test_no_public_name_hides_a_module(package: str) -> None:
    """But for sleuth.strategies, a function, which hides the package of the strategies."""
    folder = SOURCE.joinpath(*package.split(".")[1:])
    modules = {path.stem for path in folder.glob("*.py")} | {
        path.parent.name for path in folder.glob("*/__init__.py")
    }
    hidden = {name for name in public(package) & modules if isfunction(getattr(import_module(package), name))}
    assert hidden == ({"strategies"} if package == "sleuth" else set())
