"""The best few of many: lists in order that keep so many, and a heap that gives out the least first.

Ties are settled everywhere by what came first: an item goes behind its equals in a list, and a heap gives
out the least index of equals.
"""

from typing import Any

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.jit import inner, kernel
from sleuth.kernels.rows import numbers


@inner
def place_ascending(values: Array, value: Int) -> Int:
    """Return where a value belongs among ascending ones, [n], behind its equals and at the last at most."""
    place = values.size - 1
    while place > 0 and values[place - 1] > value:
        place -= 1
    return place


@inner
def place_descending(values: Array, value: Int) -> Int:
    """Return where a value belongs among descending ones, [n], behind its equals and at the last at most."""
    place = values.size - 1
    while place > 0 and values[place - 1] < value:
        place -= 1
    return place


@kernel
def insert(items: Array, place: Int, item: Any) -> None:
    """Put an item at its place in [n]: those from there on move down, and the last is lost."""
    for i in range(items.size - 1, place, -1):
        items[i] = items[i - 1]
    items[place] = item


@inner
def sift(heap: Array, values: Array, at: Int, size: Int) -> None:
    """Move an item of a heap of so many down to its place: least value first, then least index.

    heap: int32, indices of values, int64.
    """
    item = heap[at]
    while True:
        child = 2 * at + 1
        if child >= size:
            break
        c = heap[child]
        if child + 1 < size:
            other = heap[child + 1]
            if values[other] < values[c] or (values[other] == values[c] and other < c):
                child += 1
                c = other
        if values[c] > values[item] or (values[c] == values[item] and c > item):
            break
        heap[at] = c
        at = child
    heap[at] = item


@kernel
def make_heap(heap: Array, values: Array, size: Int) -> None:
    """Order the first so many of int32 indices of values, int64, as a heap (see sift)."""
    for at in range(size // 2 - 1, -1, -1):
        sift(heap, values, at, size)


@inner
def heap_of(values: Array) -> Array:
    """Return the indices of values, int64 [n], as a heap, int32 [n] (see sift)."""
    heap = numbers(values.size)
    make_heap(heap, values, heap.size)
    return heap


@kernel
def pop(heap: Array, values: Array, size: Int) -> Int:
    """Take the least item off a heap of so many, one at least, and return it, int64 (see sift)."""
    item = np.int64(heap[0])
    top = np.int64(0)  # not a literal, for which numba would compile sift a second time
    heap[0] = heap[size - 1]
    sift(heap, values, top, size - 1)
    return item
