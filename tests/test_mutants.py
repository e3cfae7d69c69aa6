"""Mutants are one change each, and the tests that notice them are found."""

import ast
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from textwrap import dedent

import pytest

sys.path.append(str(Path(__file__).parents[1]))
from tools.mutants import (
    DEFAULT,
    PACKAGES,
    SURVIVED,
    THOROUGH,
    Copy,
    Mutant,
    Ran,
    differs,
    drawn,
    known,
    mutants,
    run,
    selected,
    table,
)
from tools.touched import Imports

SOURCE = '''
"""Adds 1 and 2."""

from typing import TYPE_CHECKING

__all__ = ["add" + "ed"]
if TYPE_CHECKING:
    LIMIT = 3


def added(numbers: "list[int]", more: int = 4) -> int:
    """Return 5 numbers."""
    total = 0
    for number in numbers[6:]:
        if not (number) not  in ("é", more):  # < is no operator here
            total = plus(total, number)
        elif number<7 and more:
            raise ValueError("8" + f"{number + 9}")
    log(total + 1)
    if total is None:
        return total
    return total - more
'''
FOUND = {
    ("off by one", "4", "5"),
    ("off by one", "0", "1"),
    ("off by one", "6", "7"),
    ("off by one", "6", "5"),
    ("comparison", "not  in", "in"),
    ("statement dropped", "total = plus(total, number)", "pass"),
    ("arguments swapped", "total, number", "number, total"),
    ("comparison", "<", "<="),
    ("off by one", "7", "8"),
    ("and, or", "and", "or"),
    ("comparison", "is", "is not"),
    ("statement dropped", "return total", "pass"),
    ("+ and -", "-", "+"),
}
TOY = {
    "src/sleuth/__init__.py": "",
    "src/sleuth/games/__init__.py": "",
    "src/sleuth/games/sizes.py": """
        def is_large(size):
            return size > 3

        def is_small(size):
            return size < 3

        def is_odd(size):
            return size % 2 == 1
        """,
    "tests/games/test_sizes.py": """
        import pytest
        from sleuth.games.sizes import is_large, is_odd, is_small

        def test_large_is_more_than_three():
            assert not is_large(3)

        def test_small_is_not_ten():
            assert not is_small(10)

        @pytest.mark.thorough
        def test_odd():
            assert not is_odd(2)
        """,
    "pyproject.toml": '[tool.pytest.ini_options]\nmarkers = ["thorough: slow"]',
}


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    root = tmp_path / "toy"
    for name, text in TOY.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    return root


def test_places_are_found_by_what_they_do() -> None:
    found = mutants("src/sleuth/games/some.py", SOURCE.encode())
    assert {(mutant.kind, mutant.old, mutant.new) for mutant in found} == FOUND
    assert len(found) == len(FOUND)


def test_a_mutant_changes_one_place_and_is_another_program() -> None:
    source = SOURCE.encode()
    for mutant in mutants("src/sleuth/games/some.py", source):
        changed = mutant.of(source)
        assert differs(source, changed)
        end = mutant.start + len(mutant.new.encode())
        assert changed[mutant.start : end].decode() == mutant.new
        assert changed[: mutant.start] + mutant.old.encode() + changed[end:] == source
        assert mutant.old in " ".join(source.decode().splitlines()[mutant.line - 1 :])


@pytest.mark.parametrize("mutated", [b"x = (1", b"x = (1)", b"x = 1  # the same"])
def test_what_does_not_compile_or_is_the_same_program_is_none(mutated: bytes) -> None:
    assert not differs(b"x = 1", mutated)


def test_asserts_of_kernels_stay() -> None:
    source = b"def f(a):\n    assert a > 1\n"
    assert mutants("src/sleuth/kernels/some.py", source) == []
    assert len(mutants("src/sleuth/games/some.py", source)) == 2


def sources(root: Path) -> None:
    for package in PACKAGES:
        for file, functions in (("short", 1), ("long", 9)):
            path = root / "src/sleuth" / package / f"{file}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            lines = (f"def f{i}(a, b):\n    return g(a, b + {i})" for i in range(functions))
            path.write_text("\n".join(lines), encoding="utf-8")


def test_a_seed_draws_the_same_mutants_and_as_many_of_each_package(tmp_path: Path) -> None:
    sources(tmp_path)
    found = drawn(tmp_path, 49, 60)
    assert found == drawn(tmp_path, 49, 60)
    assert found != drawn(tmp_path, 50, 60)
    assert len(set(found)) == 60
    assert set(Counter(mutant.package for mutant in found)) == set(PACKAGES)
    assert set(Counter(mutant.package for mutant in found).values()) == {8, 9}
    assert sum("long" in mutant.file for mutant in found) > 40
    (tmp_path / "src/sleuth/games/long.py").write_text("", encoding="utf-8")
    others = [mutant for mutant in drawn(tmp_path, 49, 60) if mutant.package != "games"]
    assert others == [mutant for mutant in found if mutant.package != "games"]


def test_mutants_of_this_tree_compile() -> None:
    root = Path(__file__).parents[1]
    found = drawn(root, 49, 3, ["strategies"])
    assert len(found) == 3
    for mutant in found:
        source = (root / mutant.file).read_bytes()
        assert ast.dump(ast.parse(mutant.of(source))) != ast.dump(ast.parse(source))


def test_the_nearest_tests_are_selected_and_none_that_visit_the_page(tmp_path: Path) -> None:
    files = {
        "src/sleuth/games/a.py": '">>> 1"',
        "src/sleuth/games/b.py": "import sleuth.games.a",
        "tests/cli/test_a.py": "import sleuth.games.a",
        "tests/games/test_a.py": "import sleuth.games.a\nimport sleuth.games.b",
        "tests/games/test_page.py": "import sleuth.games.a\ndef test(visit): ...",
        **{f"tests/games/test_{i}.py": "import sleuth.games.b" for i in range(5)},
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    imports = Imports(tmp_path)
    direct = ["src/sleuth/games/a.py", "tests/games/test_a.py", "tests/cli/test_a.py"]
    assert selected(imports, "src/sleuth/games/a.py", 1) == direct
    assert selected(imports, "src/sleuth/games/a.py", 3) == [*direct, "tests/games/test_0.py"]


def mutant_of(root: Path, line: int) -> Mutant:
    file = "src/sleuth/games/sizes.py"
    found = mutants(file, (root / file).read_bytes())
    return next(mutant for mutant in found if mutant.line == line and mutant.kind == "comparison")


def test_tests_of_a_toy_notice_one_mutant_and_not_another(
    toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    copy = Copy(toy, tmp_path / "copy", 60)
    noticed, survived = mutant_of(toy, 3), mutant_of(toy, 6)
    said: list[str] = []
    out = tmp_path / "mutants.jsonl"
    run(copy, Imports(toy), [noticed, survived], out, said.append)
    assert [result["verdict"] for result in known(out)] == [DEFAULT, SURVIVED]
    assert known(out)[0]["by"] == "tests/games/test_sizes.py::test_large_is_more_than_three"
    assert said[0].startswith("src/sleuth/games/sizes.py:3: comparison: > → >=: default by tests/games/")
    file = "src/sleuth/games/sizes.py"
    assert (copy.tree / file).read_bytes() == (toy / file).read_bytes()
    run(copy, Imports(toy), [noticed, survived], out, said.append)  # goes on where it ended
    assert len(said) == 2


class Told(Copy):
    """A copy whose tests end as they are told to: with the mutant, and without."""

    def __init__(self, root: Path, folder: Path, *ends: tuple[bool, str, Ran]) -> None:
        super().__init__(root, folder, 100)
        self.ends = list(ends)

    def pytest(self, tests: object, tier: str, kernels: Path, limit: float) -> Ran:
        file = "src/sleuth/games/sizes.py"
        is_mutated = (self.tree / file).read_bytes() != (self.root / file).read_bytes()
        mutated, of_tier, ran = self.ends.pop(0)
        assert (is_mutated, tier) == (mutated, of_tier)
        return ran


PASSED, ENDED, CRASHED = Ran(True), Ran(False, ended=True), Ran(False)
A, B = Ran(False, ("a",)), Ran(False, ("b",))


@pytest.mark.parametrize(
    ("ends", "verdict"),
    [
        ([(True, DEFAULT, A), (False, DEFAULT, PASSED)], ("default", "a")),
        ([(True, DEFAULT, CRASHED), (False, DEFAULT, PASSED)], ("default", "crash")),
        ([(True, DEFAULT, PASSED), (True, THOROUGH, PASSED)], ("survived", "")),
        (
            [(True, DEFAULT, PASSED), (True, THOROUGH, A), (False, THOROUGH, PASSED)],
            ("thorough", "a"),
        ),
        # Without the mutant "a" fails, too: it is left out.
        (
            [(True, DEFAULT, A), (False, DEFAULT, A), (True, DEFAULT, B), (False, DEFAULT, PASSED)],
            ("default", "b"),
        ),
        # What hangs does so again, once all is compiled.
        ([(True, DEFAULT, ENDED), (False, DEFAULT, PASSED), (True, DEFAULT, ENDED)], ("default", "timeout")),
        (
            [
                (True, DEFAULT, ENDED),
                (False, DEFAULT, PASSED),
                (True, DEFAULT, PASSED),
                (True, THOROUGH, PASSED),
            ],
            ("survived", ""),
        ),
        ([(True, DEFAULT, ENDED), (False, DEFAULT, ENDED)], ("undecided", "timeout")),
        ([(True, DEFAULT, CRASHED), (False, DEFAULT, CRASHED)], ("undecided", "crash")),
    ],
)
def test_a_verdict_rests_on_what_happens_without_the_mutant(
    toy: Path, tmp_path: Path, ends: list[tuple[bool, str, Ran]], verdict: tuple[str, str]
) -> None:
    copy = Told(toy, tmp_path / "copy", *ends)
    assert copy.verdict(mutant_of(toy, 3), ["tests/games/test_sizes.py"]) == verdict
    assert copy.ends == []


def test_tests_that_do_not_end_are_ended(toy: Path, tmp_path: Path) -> None:
    copy = Copy(toy, tmp_path / "copy", 60)
    assert copy.execute(["-c", "raise SystemExit(3)"], copy.kernels) == 3
    assert copy.execute(["-c", "import time; time.sleep(1000)"], copy.kernels, 0.1) is None


def test_ctrl_c_ends_it_and_keeps_what_is_known(
    toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tools import mutants as module

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "ROOT", toy)
    monkeypatch.setattr(module, "drawn", lambda *_: [mutant_of(toy, 3)])
    monkeypatch.setattr(Copy, "verdict", interrupted)
    out = tmp_path / "mutants.jsonl"
    out.write_text('{"file": 1}\n{"cut sh', encoding="utf-8")
    folder = ["--folder", str(tmp_path / "copy")]
    monkeypatch.setattr(module, "_key", repr)
    assert module.main(["--out", str(out), "--cold", *folder]) == 130
    assert known(out) == [{"file": 1}]


def test_the_table_counts_what_is_noticed_and_lists_what_the_default_tier_missed() -> None:
    def result(package: str, verdict: str, by: str) -> str:
        mutant = {"file": f"src/sleuth/{package}/a.py", "line": 1, "start": 0, "kind": "comparison"}
        return json.dumps({**mutant, "old": "<", "new": "<=", "verdict": verdict, "by": by})

    results = [
        ("web", DEFAULT, "a"),
        ("games", DEFAULT, "a"),
        ("games", THOROUGH, "b"),
        ("games", SURVIVED, ""),
    ]
    assert table([json.loads(result(*row)) for row in results]).splitlines() == [
        "| package | mutants | killed by default | only by thorough | survived | noticed |",
        "|---|--:|--:|--:|--:|--:|",
        "| games | 3 | 1 | 1 | 1 | 67% |",
        "| web | 1 | 1 | 0 | 0 | 100% |",
        "| all | 4 | 2 | 1 | 1 | 75% |",
        "",
        "What the default tier missed:",
        "",
        "- `src/sleuth/games/a.py:1`, comparison: `< → <=`: thorough by `b`",
        "- `src/sleuth/games/a.py:1`, comparison: `< → <=`: survived",
    ]
