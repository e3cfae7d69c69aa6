"""The decorators that kernels are compiled through."""

import re
from pathlib import Path

import pytest

import sleuth
from sleuth.kernels.search.bounds import closed

PACKAGE = Path(sleuth.__file__).parent


def test_kernels_import_nothing_of_sleuth_but_kernels() -> None:
    """And in lines that sources() reads."""
    for path in (PACKAGE / "kernels").rglob("*.py"):
        own = re.findall(r"^ *(?:from|import) +(?:sleuth|\.).*$", path.read_text(), re.MULTILINE)
        assert all(re.match(r"from sleuth\.kernels[.\w]* import ", line) for line in own), path


def test_python_is_told_that_it_cannot_call_a_part_of_a_kernel() -> None:
    with pytest.raises(TypeError, match="closed can only be called by kernels"):
        closed()  # type: ignore[call-arg]


def test_every_kernel_is_compiled_through_the_decorators() -> None:
    for path in (PACKAGE / "kernels").rglob("*.py"):
        if path.name != "jit.py":
            assert "njit" not in path.read_text(), path
