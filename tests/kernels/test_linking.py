"""Parts of kernels have no machine code of their own, and are whole within the kernels that call them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from numba import njit as _njit
from numba import types
from numba.core.codegen import JITCodeLibrary

import sleuth
from sleuth.kernels.jit import inner, kernel
from sleuth.kernels.linking import Part

njit: Any = _njit  # its types are not complete
PACKAGE = Path(sleuth.__file__).parent
KERNELS = """
import numpy as np
from sleuth.kernels.jit import inner, kernel

@inner
def root(x):
    if x < 0.0:
        raise ValueError("a root of what is less than nothing")
    return np.sqrt(x)

@inner
def roots(values):
    total = 0.0
    for x in values:
        total += root(x)
    return total

@kernel
def twice(values):
    return 2 * roots(values)
"""
RUN = """
import numpy as np
import sleuth.kernels.sleuth_parts as made

print(made.twice(np.array([1.0, 4.0])))
try:
    made.twice(np.array([1.0, -4.0]))
except ValueError as error:
    print(error)
print(sum(made.twice.stats.cache_misses.values()), len(made.roots.overloads))
for part in (*made.roots.overloads.values(), *made.root.overloads.values()):
    assert part.library._kept
"""


@inner
def _more(x: int) -> int:
    return x + 1


@kernel
def _two_more(x: int) -> int:
    return _more(_more(x))


@inner
def _less(x: int) -> int:
    return x - 1


@kernel
def _two_less(x: int) -> int:
    return _less(_less(x))


def library(function: Any) -> Any:
    """Return the library of a function of one integer, compiled or from the disk."""
    function.compile((types.int64,))
    return function.overloads[(types.int64,)].library


def test_parts_have_no_machine_code_and_kernels_do() -> None:
    assert _two_more(40) == 42
    part, whole = library(_more), library(_two_more)
    assert isinstance(part, Part)
    assert isinstance(whole, Part)
    assert part._kept
    assert not whole._kept


def test_a_part_is_made_when_its_address_is_asked_for() -> None:
    part: Any = _less
    known = library(part)
    name = part.overloads[(types.int64,)].fndesc.llvm_func_name
    assert known.get_pointer_to_function("no such function") == 0
    assert known._kept
    assert known.get_pointer_to_function(name) != 0
    assert not known._kept
    assert _two_less(2) == 0


def test_parts_and_what_they_raise_are_kept_on_disk_with_their_kernel(tmp_path: Path) -> None:
    kernels = tmp_path / "sleuth" / "kernels"
    kernels.mkdir(parents=True)
    (tmp_path / "sleuth" / "__init__.py").touch()
    for name in ("__init__.py", "cache.py", "compiling.py", "jit.py", "linking.py"):
        shutil.copy(PACKAGE / "kernels" / name, kernels)
    (kernels / "sleuth_parts.py").write_text(KERNELS)
    env = {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def run() -> list[str]:
        done = subprocess.run(
            [sys.executable, "-c", RUN], env=env, capture_output=True, text=True, check=True, cwd=tmp_path
        )
        return done.stdout.splitlines()

    assert run() == ["6.0", "a root of what is less than nothing", "1 1"]
    assert run() == ["6.0", "a root of what is less than nothing", "0 0"]


def _plain(x: int) -> int:
    return x + 1


def test_functions_of_others_are_compiled_as_ever() -> None:
    plain = njit(_plain)
    caller = njit(lambda x: plain(x) + 1)
    assert caller(3) == 5
    assert type(library(plain)) is type(library(caller)) is JITCodeLibrary


@pytest.mark.parametrize("first", [True, False])
def test_functions_of_others_may_call_parts_and_kernels(first: bool) -> None:
    if first:
        _two_more(1)
    caller = njit(lambda x: _more(x) * _two_more(x))
    assert caller(1) == 6
