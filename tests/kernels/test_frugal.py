"""numba compiles with less work, and is as before when it does not compile."""

import gc
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from numba.core.compiler import Flags
from numba.core.targetconfig import TargetConfig

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
    before = TargetConfig.__eq__, TargetConfig.__hash__, gc.get_threshold()
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
    assert (TargetConfig.__eq__, TargetConfig.__hash__, gc.get_threshold()) == before
