"""Guesses that cost the same in games of pegs, but for the names of symbols and the order of places.

A move reorders the places of a word and renames its symbols. A guess gets from an answer what its image gets
from the image of the answer. So a move that leaves each guess made so far as it is maps the candidates to
candidates, and a guess costs what its image does. Symbols that no guess has may be renamed at will.

The moves are kept as orders of places, each with the names that the guesses so far force on it.
"""

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.hashing import mix
from sleuth.kernels.jit import apart, inlined, inner, kernel
from sleuth.kernels.rows import copy
from sleuth.kernels.search.records import Moves, Past

UNASKED = np.uint16(65535)
"""In place of a name: of a symbol that no guess has asked for."""


@inlined
def nothing_known() -> Past:
    """Return the past of a set of which it is not known which guesses led to it."""
    return Past(np.empty(0, np.int64), np.empty((0, 0, 0), np.uint16))


@inlined
def tells_apart(past: Past) -> bool:
    """Say whether no two guesses are the same after these: every guess stands for itself."""
    moves, places, symbols = past.names.shape
    if moves > 1:
        return False
    # Only the move that changes nothing is left; it is one of many while two names at a place are free.
    for i in range(moves):
        for k in range(places):
            free = 0
            for s in range(symbols):
                free += past.names[i, k, s] == UNASKED
            if free > 1:
                return False
    return True


@inner
def _named(moves: Moves, names: Array, order: Array, word: Array) -> bool:
    """Name symbols so that a move gives a word back, if that can be; names: uint16 [places, symbols]."""
    places, symbols = names.shape
    for k in range(places):
        symbol, wanted = word[order[k]], word[k]
        if names[k, symbol] == wanted:
            continue
        if names[k, symbol] != UNASKED:
            return False
        for s in range(symbols):  # no two symbols get one name
            if names[k, s] == wanted:
                return False
        if moves.apart:
            names[k, symbol] = wanted
        else:
            names[:, symbol] = wanted
    return True


@apart
@kernel
def then(moves: Moves, past: Past, guess: Int) -> Past:
    """Return which moves give one more guess back."""
    if tells_apart(past):
        return past
    word = moves.words[guess]
    orders = np.empty_like(past.orders)
    names = np.empty_like(past.names)
    m = 0
    for i in range(past.orders.size):
        for k in range(names.shape[1]):
            copy(past.names[i, k], names[m, k])
        orders[m] = past.orders[i]
        m += _named(moves, names[m], moves.orders[orders[m]], word)
    return Past(orders[:m].copy(), names[:m].copy())


@inlined
def _image(moves: Moves, names: Array, order: Array, word: Array) -> Int:
    """Return the number of the word that a move gives; unasked symbols are named in the order they come in.

    names: uint16 [places, symbols].
    """
    places, symbols = names.shape
    base = symbols + places
    number = np.int64(0)
    fresh = np.int64(symbols)
    for k in range(places):
        symbol = word[order[k]]
        name = np.int64(names[k, symbol])
        if name == UNASKED:
            name = fresh
            if not moves.apart:  # else names of other places say nothing, and all that are free are alike
                digits = number
                for back in range(1, k + 1):
                    if word[order[k - back]] == symbol:
                        name = digits % base
                        break
                    digits //= base
                fresh += name == fresh
        number = number * base + name
    return number


@apart
@kernel
def firsts_after(moves: Moves, past: Past, guesses: Array) -> Array:
    """Say which guesses are the first of those that cost the same after a past, bool [n].

    guesses: int32 [n].
    """
    n = guesses.size
    first = np.ones(n, np.bool_)
    if tells_apart(past):
        return first
    size = 1
    while size < 2 * n:
        size *= 2
    slots = np.full(size, -1, np.int64)
    for c in range(n):
        word = moves.words[guesses[c]]
        least = np.int64(2**62)
        for i in range(past.orders.size):
            least = min(least, _image(moves, past.names[i], moves.orders[past.orders[i]], word))
        at = np.int64(mix(np.uint64(least)) & np.uint64(size - 1))
        while slots[at] >= 0 and slots[at] != least:
            at = (at + 1) & (size - 1)
        first[c] = slots[at] < 0
        slots[at] = least
    return first
