"""numba compiles with less work, and is as before when it does not compile."""

import ast
import gc
from pathlib import Path
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st
from numba.core.compiler import Flags
from numba.core.lowering import Lower
from numba.core.runtime import nrt
from numba.core.targetconfig import TargetConfig
from numba.core.typeinfer import TypeInferer

from sleuth.exact.beam import Beam
from sleuth.exact.strategy import Exact
from sleuth.games.position import Position
from sleuth.games.wordle import wordle
from sleuth.kernels import frugal as module
from sleuth.kernels.frugal import frugal
from sleuth.kernels.jit import kernel
from sleuth.strategies.game_tree import Minimax

_Flags: Any = Flags
_nrt: Any = nrt
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
        flags = TargetConfig.__eq__, TargetConfig.__hash__
        types = (cast(Any, TypeInferer).return_types_from_partial,)
        return *flags, lower.incref, lower.decref, lower.lower_expr, *types, gc.get_threshold()

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
    game = wordle(["crane", "trace", "react", "caret", "eerie"]).with_mode("hard")

    def arrays_left() -> int:
        for strategy in (Exact(), Beam(), Minimax(depth=1)):
            strategy.rank(Position.start(game), 2)
        gc.collect()
        found = _nrt.rtsys.get_allocation_stats()
        return int(found.alloc - found.free)

    _nrt._nrt.memsys_enable_stats()
    arrays_left()  # what is compiled keeps some
    before = arrays_left()
    assert _nrt.rtsys.get_allocation_stats().alloc > 0
    assert arrays_left() == before
