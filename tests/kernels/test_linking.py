"""Parts of kernels have no machine code of their own, and are whole within the kernels that call them."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from numba import njit as _njit
from numba import types
from numba.core.codegen import JITCodeLibrary

import sleuth
from sleuth.kernels.jit import apart, inner, kernel
from sleuth.kernels.linking import Part

njit: Any = _njit  # its types are not complete
PACKAGE = Path(sleuth.__file__).parent
KERNELS = """
import numpy as np
from sleuth.kernels.jit import apart, inner, kernel

@apart
@inner
def mean(values):
    if values.size == 0:
        raise ValueError("nothing has no mean")
    return roots(values) / values.size

@inner
def doubled(values):
    return 2 * mean(values)

@apart
@kernel
def halves(values):
    return mean(values) / 2

@kernel
def both(values):
    return doubled(values) + halves(values)

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
RUN_APART = """
import sys
import numpy as np
import sleuth.kernels.sleuth_parts as made

values = np.array([1.0, 4.0])
for name in sys.argv[1:]:
    f = getattr(made, name)
    print(name, f(values), sum(f.stats.cache_misses.values()))
    try:
        f(values[:0])
    except ValueError as error:
        print(error)
for f in (made.mean, made.halves):
    assert all(not part.library._kept for part in f.overloads.values())
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


def in_package(folder: Path) -> Callable[..., list[str]]:
    """Return what runs a script beside a package that has KERNELS alone, and returns the lines it prints."""
    kernels = folder / "sleuth" / "kernels"
    kernels.mkdir(parents=True)
    (folder / "sleuth" / "__init__.py").touch()
    for name in ("__init__.py", "cache.py", "compiling.py", "frugal.py", "jit.py", "linking.py"):
        shutil.copy(PACKAGE / "kernels" / name, kernels)
    (kernels / "sleuth_parts.py").write_text(KERNELS)
    env = {**os.environ, "PYTHONPATH": str(folder), "NUMBA_CACHE_DIR": str(folder / "cache")}

    def run(script: str, *args: str) -> list[str]:
        command = [sys.executable, "-c", script, *args]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=True, cwd=folder)
        return done.stdout.splitlines()

    return run


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


@pytest.mark.thorough
def test_parts_and_what_they_raise_are_kept_on_disk_with_their_kernel(tmp_path: Path) -> None:
    run = in_package(tmp_path)
    assert run(RUN) == ["6.0", "a root of what is less than nothing", "1 1"]
    assert run(RUN) == ["6.0", "a root of what is less than nothing", "0 0"]


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


@apart
@inner
def _squared(x: int) -> int:
    return x * x


@inner
def _plus_one(x: int) -> int:
    return _squared(x) + 1


@kernel
def _squared_and_more(x: int) -> int:
    return _plus_one(x) + _squared(x)


def test_what_is_set_apart_is_not_copied() -> None:
    assert _squared_and_more(5) == 51
    alone, part, whole = library(_squared), library(_plus_one), library(_squared_and_more)
    assert not alone._kept
    assert part._kept
    assert list(part._needs) == list(whole._needs) == [alone]
    name = cast(Any, _squared).overloads[(types.int64,)].fndesc.llvm_func_name
    assert not alone._get_module_for_linking().get_function(name).is_declaration
    assert whole._get_module_for_linking().get_function(name).is_declaration


@pytest.mark.thorough
def test_what_is_set_apart_is_on_disk_with_each_that_calls_it(tmp_path: Path) -> None:
    run = in_package(tmp_path)
    both = ["both 3.75 {0}", "nothing has no mean"]
    halves = ["halves 0.75 {0}", "nothing has no mean"]

    def expected(lines: list[str], misses: int) -> list[str]:
        return [line.format(misses) for line in lines]

    assert run(RUN_APART, "halves") == expected(halves, 1)
    # What another process compiled is called by what this one compiles.
    assert run(RUN_APART, "both") == expected(both, 1)
    assert run(RUN_APART, "both", "halves") == expected(both + halves, 0)
    # The file of a kernel is all that it takes.
    for file in (tmp_path / "cache").rglob("*.nb?"):
        if "both" not in file.name:
            file.unlink()
    assert run(RUN_APART, "both") == expected(both, 0)
    assert run(RUN_APART, "both", "halves") == expected(both, 0) + expected(halves, 1)
