"""Kernels on disk: kept while their sources are the same, and no longer."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import sleuth
from sleuth.kernels.jit import sources

PACKAGE = Path(sleuth.__file__).parent
CALLER = """
from sleuth.kernels.jit import kernel
from sleuth.kernels.sleuth_callee import number


@kernel
def twice(x):
    return 2 * number(x)
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
    for name in ("__init__.py", "jit.py"):
        shutil.copy(PACKAGE / "kernels" / name, kernels)
    (kernels / "sleuth_caller.py").write_text(CALLER)
    (kernels / "sleuth_callee.py").write_text(CALLEE)
    env = {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def run() -> tuple[int, ...]:
        command = [sys.executable, "-c", RUN]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=True, cwd=tmp_path)
        return tuple(map(int, done.stdout.split()))

    assert run() == (42, 0, 1)
    assert run() == (42, 1, 0)  # a warm start compiles nothing
    (kernels / "sleuth_callee.py").write_text(CALLEE.replace("ADDED = 1", "ADDED = 2"))
    assert run() == (44, 0, 1)
    assert run() == (44, 1, 0)


def test_sources_are_all_that_a_module_imports() -> None:
    kernels = PACKAGE / "kernels"
    assert sources(kernels / "types.py") == {kernels / name for name in ("__init__.py", "types.py")}
    assert kernels / "sets.py" in sources(kernels / "episodes.py")
    assert kernels / "types.py" in sources(kernels / "episodes.py")


def test_every_kernel_is_compiled_through_the_decorator() -> None:
    for path in (PACKAGE / "kernels").glob("*.py"):
        if path.name != "jit.py":
            assert "njit" not in path.read_text(), path
