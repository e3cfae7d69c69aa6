"""numba compiles with less work, and is as before when it does not compile."""

import ast
import gc
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from numba.core.compiler import Flags
from numba.core.lowering import Lower
from numba.core.runtime.nrt import rtsys
from numba.core.targetconfig import TargetConfig

from sleuth.exact.strategy import Exact
from sleuth.games.pegs import mastermind
from sleuth.games.position import Position
from sleuth.kernels import frugal as module
from sleuth.kernels.frugal import frugal
from sleuth.kernels.jit import kernel

_Flags: Any = Flags
options = st.dictionaries(
    st.sampled_from(["nrt", "boundscheck", "enable_looplift", "debuginfo"]), st.booleans()
)


def flags(of: dict[str, bool]) -> Any:
    made = _Flags()
    for name, value in of.items():
        setattr(made, name, value)
    return made


@given(options, options)
def test_flags_compare_as_ever(one: dict[str, bool], other: dict[str, bool]) -> None:
    a, b = flags(one), flags(other)
    same, hashes = a == b, (hash(a), hash(b))
    with frugal():
        assert (a == b) is same
        assert (a != b) is not same
        assert (hash(a), hash(b)) == hashes
        assert a != "flags"


def test_all_is_as_before_when_nothing_compiles() -> None:
    def state() -> tuple[Any, ...]:
        lower: Any = Lower
        return TargetConfig.__eq__, TargetConfig.__hash__, lower.incref, lower.decref, gc.get_threshold()

    before = state()
    seen: list[Any] = []

    @kernel
    def more(x: int) -> int:
        return x + 1

    plain = module._plain_equal
    with frugal():
        with frugal():
            seen.append(TargetConfig.__eq__)
        seen.append(TargetConfig.__eq__)
        assert gc.get_threshold()[0] >= 20_000
        assert more(1) == 2
        seen.append(TargetConfig.__eq__)
    assert all(one is not plain for one in seen)
    assert state() == before


def test_no_kernel_makes_or_returns_a_record_that_python_holds() -> None:
    trees = [ast.parse(path.read_text("utf-8")) for path in Path(module.__file__).parent.rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    held = {
        node.name
        for node in nodes
        if isinstance(node, ast.ClassDef) and "held" in map(ast.unparse, node.decorator_list)
    }
    made = {ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)}
    returned = {
        name.id
        for node in nodes
        if isinstance(node, ast.FunctionDef) and node.returns
        for name in ast.walk(node.returns)
        if isinstance(name, ast.Name)
    }
    assert len(held) > 10
    assert held & (made | returned) == set()


def test_records_that_python_holds_are_given_back() -> None:
    game = mastermind(2, 3)
    Exact().rank(Position.start(game), 2)  # compiled or loaded
    gc.collect()
    before = rtsys.get_allocation_stats()
    Exact().rank(Position.start(game), 2)
    gc.collect()
    after = rtsys.get_allocation_stats()
    assert after.alloc > before.alloc
    assert after.alloc - after.free == before.alloc - before.free
