"""What numba does many times over while it compiles, done with less work.

It looks for Python's cycles of objects every 700 new ones, though what it makes lasts, and compares its
flags, option by option, whenever it asks for the overload of a function. It finds the types of a function
that calls itself anew for each such call. And it counts the references to each array of a record whenever a
function takes the record, though Python holds it until the kernel returns. Together that is a fifth of the
time that compiling takes. All is as before when nothing compiles.

numba has no public way to say it; tests/kernels/test_frugal.py holds that the private one works.
"""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar

from numba.core.lowering import Lower
from numba.core.targetconfig import TargetConfig
from numba.core.typeinfer import TypeInferer

T = TypeVar("T")

_Flags: Any = TargetConfig
_Lower: Any = Lower
_Types: Any = TypeInferer
_plain_equal, _plain_hash = _Flags.__eq__, _Flags.__hash__
_plain_incref, _plain_decref, _plain_expr = _Lower.incref, _Lower.decref, _Lower.lower_expr
_plain_returned = _Types.return_types_from_partial
_TAKES = ("getattr", "static_getitem", "getitem")
# New objects after which cycles are looked for.
_OBJECTS = 20_000
# Records that Python holds.
_held: set[type] = set()


def held(record: type[T]) -> type[T]:
    """Count no references to a record's arrays: only Python makes such records, and no kernel returns one."""
    _held.add(record)
    return record


@contextmanager
def frugal() -> Iterator[None]:
    """Within this, numba compiles with less work. Not for two threads at once: numba's lock sees to that."""
    if _Flags.__eq__ is _equal:  # a kernel that is compiled for another one
        yield
        return
    thresholds = gc.get_threshold()
    gc.set_threshold(max(_OBJECTS, thresholds[0]), *thresholds[1:])
    for kind, name, own, _ in _REPLACED:
        setattr(kind, name, own)
    try:
        yield
    finally:
        for kind, name, _, plain in _REPLACED:
            setattr(kind, name, plain)
        gc.set_threshold(*thresholds)


def _equal(flags: Any, other: Any) -> Any:
    """Compare what was set first: that is the same nearly always."""
    if flags is other:
        return True
    if type(flags) is not type(other):
        return _plain_equal(flags, other)
    own, others = flags._values, other._values
    if own == others:
        return True
    # What is set in neither is the default in both.
    return all(getattr(flags, name) == getattr(other, name) for name in own.keys() | others.keys())


@cache
def _hash_of(kind: Callable[[], object]) -> int:
    """Return the hash of flags, which depends on the names of the options alone."""
    hash_: int = _plain_hash(kind())
    return hash_


def _hash(flags: Any) -> int:
    kind: Any = type(flags)
    return _hash_of(kind)


def _returned(inferer: Any) -> Any:
    """Return what a function returns to itself, as its first call of itself was told."""
    if getattr(inferer, "_returned", None) is None:
        inferer._returned = _plain_returned(inferer)
    return inferer._returned


def _is_held(kind: Any) -> bool:
    return getattr(kind, "instance_class", None) in _held


def _incref(lower: Any, kind: Any, value: Any) -> None:
    if not _is_held(kind):
        _plain_incref(lower, kind, value)


def _decref(lower: Any, kind: Any, value: Any) -> None:
    if not _is_held(kind):
        _plain_decref(lower, kind, value)


def _lower_expr(lower: Any, kind: Any, expr: Any) -> Any:
    value = _plain_expr(lower, kind, expr)
    if expr.op in _TAKES and _is_held(kind):  # it was counted when it was taken out of another record
        _plain_decref(lower, kind, value)
    return value


_REPLACED = (
    (_Flags, "__eq__", _equal, _plain_equal),
    (_Flags, "__hash__", _hash, _plain_hash),
    (_Lower, "incref", _incref, _plain_incref),
    (_Lower, "decref", _decref, _plain_decref),
    (_Lower, "lower_expr", _lower_expr, _plain_expr),
    (_Types, "return_types_from_partial", _returned, _plain_returned),
)
"""Functions of numba's: what stands in for each while kernels are compiled, and its own."""
