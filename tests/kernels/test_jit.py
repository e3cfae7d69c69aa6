"""Kernels on disk: kept while their sources are the same, and no longer."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from numba.core.caching import IndexDataCacheFile

import sleuth
from sleuth.kernels.jit import _save, sources
from sleuth.kernels.search.bounds import closed

PACKAGE = Path(sleuth.__file__).parent
CALLER = """
from sleuth.kernels.jit import kernel
from sleuth.kernels.sleuth_between.sums import more


@kernel
def twice(x):
    return 2 * more(x)
"""
BETWEEN = """
from sleuth.kernels.jit import kernel
from sleuth.kernels.sleuth_between.deep.callee import number


@kernel
def more(x):
    return number(x)
"""
CALLEE = """
from sleuth.kernels.jit import kernel

ADDED = 1


@kernel
def number(x):
    return x + ADDED
"""
RUN = """
from sleuth.kernels.sleuth_caller import twice

print(twice(20), sum(twice.stats.cache_hits.values()), sum(twice.stats.cache_misses.values()))
"""


def test_an_edit_of_a_callee_in_another_file_is_seen(tmp_path: Path) -> None:
    kernels = tmp_path / "sleuth" / "kernels"
    kernels.mkdir(parents=True)
    (tmp_path / "sleuth" / "__init__.py").touch()
    for name in ("__init__.py", "jit.py", "linking.py"):
        shutil.copy(PACKAGE / "kernels" / name, kernels)
    between = kernels / "sleuth_between"
    callee = between / "deep" / "callee.py"
    callee.parent.mkdir(parents=True)
    (between / "__init__.py").write_text('"""A package."""')
    (callee.parent / "__init__.py").touch()
    (kernels / "sleuth_caller.py").write_text(CALLER)
    (between / "sums.py").write_text(BETWEEN)
    callee.write_text(CALLEE)
    env = {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def run() -> tuple[int, ...]:
        command = [sys.executable, "-c", RUN]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=True, cwd=tmp_path)
        return tuple(map(int, done.stdout.split()))

    assert run() == (42, 0, 1)
    assert run() == (42, 1, 0)  # a warm start compiles nothing
    callee.write_text(CALLEE.replace("ADDED = 1", "ADDED = 2"))
    assert run() == (44, 0, 1)
    assert run() == (44, 1, 0)
    (between / "__init__.py").write_text('"""A package that may have changed what it imports."""')
    assert run() == (44, 0, 1)


def test_sources_are_all_that_a_module_imports() -> None:
    kernels = PACKAGE / "kernels"
    assert sources(kernels / "types.py") == {kernels / name for name in ("__init__.py", "types.py")}
    assert kernels / "legality.py" in sources(kernels / "episodes.py")
    assert kernels / "types.py" in sources(kernels / "episodes.py")


def test_sources_know_packages() -> None:
    kernels = PACKAGE / "kernels"
    search = kernels / "search"
    assert sources(search / "records.py") == {
        search / "records.py",
        *(kernels / name for name in ("__init__.py", "jit.py", "linking.py", "types.py")),
        search / "__init__.py",
    }
    # What a module of the package imports, its own __init__, and what those import outside of the package.
    assert {search / f"{name}.py" for name in ("__init__", "records", "table", "scan", "views")} <= sources(
        search / "solve.py"
    )
    assert kernels / "hashing.py" in sources(search / "solve.py")
    assert kernels / "legality.py" in sources(search / "beam.py")
    assert search / "beam.py" not in sources(search / "solve.py")


def test_all_that_sources_name_are_files() -> None:
    for path in (PACKAGE / "kernels").rglob("*.py"):
        assert all(source.is_file() for source in sources(path)), path


def test_kernels_import_nothing_of_sleuth_but_kernels() -> None:
    """And in lines that sources() reads."""
    for path in (PACKAGE / "kernels").rglob("*.py"):
        own = re.findall(r"^ *(?:from|import) +(?:sleuth|\.).*$", path.read_text(), re.MULTILINE)
        assert all(re.match(r"from sleuth\.kernels[.\w]* import ", line) for line in own), path


def test_two_processes_that_save_at_once_do_not_mix_up_what_they_save(tmp_path: Path) -> None:
    def process(monkeypatch: pytest.MonkeyPatch) -> Any:
        file = IndexDataCacheFile(str(tmp_path), "f", "stamp")
        monkeypatch.setattr(file, "_load_index", dict)  # read before the other one wrote
        return file

    with pytest.MonkeyPatch.context() as monkeypatch:
        _save(process(monkeypatch), "one", 1)
        _save(process(monkeypatch), "other", 2)
    assert len(list(tmp_path.glob("*.nbc"))) == 2
    later = IndexDataCacheFile(str(tmp_path), "f", "stamp")
    assert (later.load("one"), later.load("other")) == (None, 2)
    _save(later, "one", 3)
    assert (later.load("one"), later.load("other")) == (3, 2)


def test_the_index_tells_of_no_file_that_is_not_written(tmp_path: Path) -> None:
    file = IndexDataCacheFile(str(tmp_path), "f", "stamp")
    with pytest.raises(TypeError, match="pickle"):
        _save(file, "one", (i for i in range(1)))
    assert file._load_index() == {}


def test_python_is_told_that_it_cannot_call_a_part_of_a_kernel() -> None:
    with pytest.raises(TypeError, match="closed can only be called by kernels"):
        closed()  # type: ignore[call-arg]


def test_every_kernel_is_compiled_through_the_decorators() -> None:
    for path in (PACKAGE / "kernels").rglob("*.py"):
        if path.name != "jit.py":
            assert "njit" not in path.read_text(), path
