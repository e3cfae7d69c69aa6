"""What a change touches is told from what tests import."""

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

sys.path.append(str(Path(__file__).parents[1]))
from tools.touched import Imports, base, changed

FILES = {
    "src/sleuth/__init__.py": "import lazy_loader",
    "src/sleuth/__init__.pyi": "from . import exact as exact\nfrom .exact.proving import prove as prove",
    "src/sleuth/exact/__init__.py": "",
    "src/sleuth/exact/__init__.pyi": "from .solver import Solver as Solver",
    "src/sleuth/exact/proving.py": "from .solver import Solver",
    "src/sleuth/exact/solver.py": "def inside():\n    from sleuth.kernels import search",
    "src/sleuth/kernels/__init__.py": "",
    "src/sleuth/kernels/search.py": "",
    "src/sleuth/formats/__init__.py": 'register("a", "sleuth.formats.text:write")',
    "src/sleuth/formats/text.py": "",
    "src/sleuth/typed.py": "",
    "src/sleuth/web/app.py": "",
    "src/sleuth/web/static/page.js": "",
    "src/sleuth/games/data/words.txt": "",
    "tests/conftest.py": "import pytest\nimport sleuth.web.app\n@pytest.fixture\ndef served(): ...",
    "tests/shared.py": "import deeper",
    "tests/deeper.py": "from sleuth.exact.solver import Solver",
    "tests/exact/test_solver.py": "from sleuth.exact import Solver\nimport shared\nimport json",
    "tests/exact/test_prove.py": "import sleuth\n\ndef test_it():\n    sleuth.prove()",
    "tests/exact/test_chain.py": "from sleuth import exact as e\n\ndef test_it():\n    e.Solver.of()",
    "tests/games/test_words.py": "",
    "tests/test_formats.py": "from sleuth import formats",
    "tests/test_program.py": 'PROGRAM = """\n    from sleuth.exact import proving\n    proving.prove()\n"""',
    "tests/test_types.py": "if TYPE_CHECKING:\n    from sleuth.typed import T",
    "tests/test_named.py": 'FILE = "pyproject.toml"',
    "tests/web/test_page.py": "def test_page(visit): ...",
    "tests/web/test_served.py": "def test_served(served): ...",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("test", "imported"),
    [
        ("tests/exact/test_solver.py", {"src/sleuth/exact/solver.py", "tests/shared.py"}),
        ("tests/exact/test_prove.py", {"src/sleuth/__init__.py", "src/sleuth/exact/proving.py"}),
        ("tests/exact/test_chain.py", {"src/sleuth/exact/__init__.py", "src/sleuth/exact/solver.py"}),
        ("tests/test_program.py", {"src/sleuth/exact/proving.py"}),
        ("tests/test_types.py", set()),
    ],
)
def test_a_test_file_imports_what_defines_the_names_it_uses(
    tree: Path, test: str, imported: set[str]
) -> None:
    assert Imports(tree).of(test) == imported | {"tests/conftest.py"}


def test_distances_count_imports_and_pass_through_functions_and_registries(tree: Path) -> None:
    imports = Imports(tree)
    distances = imports.importers("src/sleuth/kernels/search.py")
    assert distances == {
        "tests/exact/test_chain.py": 2,
        "tests/exact/test_solver.py": 2,
        "tests/exact/test_prove.py": 3,
        "tests/test_program.py": 3,
    }
    assert list(distances.values()) == sorted(distances.values())
    assert imports.importers("src/sleuth/formats/text.py") == {"tests/test_formats.py": 2}


def test_what_a_conftest_imports_is_reached_by_those_that_use_its_fixtures(tree: Path) -> None:
    imports = Imports(tree)
    assert imports.importers("src/sleuth/web/app.py") == {"tests/web/test_served.py": 2}
    assert imports.touched(["tests/conftest.py"]) == imports.tests


@pytest.mark.parametrize(
    ("file", "tests"),
    [
        ("src/sleuth/exact/solver.py", ["tests/exact/test_chain.py", "tests/exact/test_solver.py"]),
        ("src/sleuth/kernels/search.py", ["tests/exact/test_chain.py", "tests/exact/test_solver.py"]),
        (
            "src/sleuth/exact/gone.py",
            [f"tests/exact/test_{name}.py" for name in ("chain", "prove", "solver")],
        ),
        ("tests/deeper.py", ["tests/exact/test_solver.py"]),
        ("tests/games/test_words.py", ["tests/games/test_words.py"]),
        ("src/sleuth/games/data/words.txt", ["tests/games/test_words.py"]),
        ("src/sleuth/web/static/page.js", ["tests/web/test_page.py"]),
        ("pyproject.toml", ["tests/test_named.py"]),
        ("docs/index.md", []),
    ],
)
def test_a_change_touches_what_imports_it_or_names_it(tree: Path, file: str, tests: list[str]) -> None:
    assert Imports(tree).touched([file]) == tests


def commit(root: Path, hour: int) -> str:
    when = f"2026-01-01T{hour:02}:00:00+00:00"
    author = {f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    dates = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
    for command in (["add", "-A"], ["commit", "-q", "-m", "."], ["rev-parse", "HEAD"]):
        done = subprocess.run(
            ["git", *command],
            cwd=root,
            env={**os.environ, **author, **dates},
            capture_output=True,
            check=True,
        )
    return done.stdout.decode().strip()


def test_what_changed_is_what_was_committed_within_hours_and_what_was_not(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=tmp_path, check=True)
    commits = []
    for hour in (1, 5, 10):
        (tmp_path / f"{hour}.py").touch()
        commits.append(commit(tmp_path, hour))
    (tmp_path / "new name.py").touch()
    assert base(tmp_path, 6) == commits[0]
    assert changed(tmp_path, hours=6) == {"5.py", "10.py", "new name.py"}
    assert changed(tmp_path, hours=24) == {"1.py", "5.py", "10.py", "new name.py"}
    assert changed(tmp_path, "HEAD") == {"new name.py"}
    subprocess.run(["git", "update-ref", "refs/remotes/origin/main", commits[1]], cwd=tmp_path, check=True)
    assert changed(tmp_path) == {"10.py", "new name.py"}
    with pytest.raises(subprocess.CalledProcessError):
        changed(tmp_path, "no-such-revision")


def test_sources_of_this_tree_touch_their_tests() -> None:
    imports = Imports()
    solver = {"src/sleuth/exact/solver.py", "tests/conftest.py"}
    assert solver <= imports.of("tests/exact/test_solver.py")
    assert "src/sleuth/coaching/advice.py" in imports.of("tests/coaching/test_quick.py")
    assert imports.drives_a_browser("tests/web/test_board.py")
    assert not imports.drives_a_browser("tests/web/test_web.py")
