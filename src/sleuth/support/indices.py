"""Indices from outside, checked where they enter: kernels check no bounds, and NumPy takes -1 as the last.

In all of these `owner` has `count` things of a kind, such as guesses, and what is wrong is said of it. The
error raised is a SleuthError unless another class is given.
"""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth.support.errors import SleuthError

# Chances add up to one but for that.
_ROUNDING = 1e-6


def checked_index(
    owner: str, kind: str, given: Any, count: int, *, least: int = 0, error: type[SleuthError] = SleuthError
) -> int:
    """Return a whole number from least to count - 1 as an int. Raises the error for anything else."""
    try:
        if isinstance(given, bool):
            raise TypeError
        number = index(given)
    except TypeError:
        article = "an" if kind[0] in "aeiou" else "a"
        raise error(f"{owner} takes {article} {kind} by its number, not {shown(given)}") from None
    if not least <= number < count:
        raise error(f"{owner} has no {kind} {number}, only 0 to {count - 1}")
    return number


def checked_indices(
    owner: str,
    kind: str,
    given: Any,
    count: int,
    shape: tuple[int | None, ...] = (None,),
    *,
    least: int = 0,
    error: type[SleuthError] = SleuthError,
) -> NDArray[np.int32]:
    """Return whole numbers from least to count - 1 as an int32 array that kernels take.

    shape: the lengths that it must have, None for any. Raises the error for anything else.
    """
    array = _whole(owner, kind, given, error)
    lengths = tuple(
        found if asked is None else asked for asked, found in zip(shape, array.shape, strict=False)
    )
    if array.shape != lengths or len(lengths) != len(shape):
        asked = ", ".join("any" if length is None else str(length) for length in shape)
        raise error(f"{owner} takes {kind} numbers [{asked}], not {list(array.shape)}")
    if array.size and not (array.min() >= least and array.max() < count):
        bad = array[(array < least) | (array >= count)][0]
        raise error(f"{owner} has no {kind} {bad}, only 0 to {count - 1}")
    return np.ascontiguousarray(array, np.int32)


def checked_members(owner: str, kind: str, given: Any, count: int) -> NDArray[np.int32]:
    """Return indices below count that ascend, int32 [n]. Raises SleuthError for anything else."""
    array = given
    if not (isinstance(given, np.ndarray) and given.dtype == np.int32 and given.ndim == 1):
        array = checked_indices(owner, kind, given, count)
    if len(array) and not (array[0] >= 0 and array[-1] < count and (array[1:] > array[:-1]).all()):
        checked_indices(owner, kind, array, count)
        raise SleuthError(f"{owner} takes {kind} numbers in ascending order, each once")
    return np.ascontiguousarray(array)


def checked_sets(
    owner: str, kind: str, starts: Any, given: Any, count: int, *, empty: bool = False
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return sets of indices end to end as kernels take them: starts, int64 [sets + 1], and int32 [total].

    Set i is given[starts[i] : starts[i + 1]], ascending, each index below count. empty: whether a set may be
    empty. Raises SleuthError for anything else.
    """
    ends = np.ascontiguousarray(_whole(owner, "starting", starts), np.int64)
    members = checked_indices(owner, kind, given, count)
    if ends.ndim != 1 or not len(ends) or ends[0] != 0 or ends[-1] != len(members):
        raise SleuthError(f"{owner}: the starts of {kind} sets must go from 0 to {len(members)}")
    if (ends[1:] < ends[:-1] + (not empty)).any():
        raise SleuthError(f"{owner}: the starts of {kind} sets must ascend")
    falls = np.flatnonzero(members[1:] <= members[:-1]) + 1
    if not (ends[np.searchsorted(ends, falls)] == falls).all():
        raise SleuthError(f"{owner} takes {kind} numbers in ascending order within a set, each once")
    return ends, members


def _whole(owner: str, kind: str, given: Any, error: type[SleuthError] = SleuthError) -> NDArray[Any]:
    """Return given as an array of whole numbers. Raises the error for anything else."""
    try:
        array = np.asarray(given)
    except (TypeError, ValueError):  # lists of different lengths
        raise error(f"{owner} takes an array of {kind} numbers, not {shown(given)}") from None
    if array.size == 0 and not isinstance(given, np.ndarray):
        array = array.astype(np.int32)  # an empty list is of no kind
    if array.dtype.kind not in "iu":
        raise error(f"{owner} takes {kind} numbers, not {array.dtype}")
    return array


def checked_numbers(what: str, given: Any, shape: tuple[int, ...] | None = None) -> NDArray[np.float64]:
    """Return a copy of numbers as float64. Raises SleuthError for anything else, and for another shape."""
    try:
        array = np.array(given, float)
    except (TypeError, ValueError):
        raise SleuthError(f"{what} must be an array of numbers, not {shown(given)}") from None
    if shape is not None and array.shape != shape:
        raise SleuthError(f"{what} must be an array of {list(shape)} numbers, not {list(array.shape)}")
    return array


def is_hashable(given: object) -> bool:
    """Say whether something is hashable with all that is in it: a tuple with a list in it is not."""
    try:
        hash(given)
    except TypeError:
        return False
    return True


def is_sequence(given: object) -> bool:
    """Say whether something has a number of members, and is no text."""
    return hasattr(given, "__len__") and not isinstance(given, str)


def checked_belief(given: Any, count: int) -> NDArray[np.float64]:
    """Return a copy of a belief over so many things. Raises SleuthError for what is no distribution."""
    belief = checked_numbers("a belief", given, (count,))
    if not (belief >= 0).all() or not abs(belief.sum() - 1) <= _ROUNDING:
        raise SleuthError(
            f"a belief has chances from 0, which add up to 1; these add up to {belief.sum():.6g}"
        )
    return belief


def shown(given: Any) -> str:
    """Return what was given as a message shows it, in a line."""
    plain = given is None or isinstance(given, str | int | float | np.generic)
    return repr(given)[:60] if plain else f"a {type(given).__name__}"
