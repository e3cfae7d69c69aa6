"""What the search works on: a game with an objective, and the part of it that is searched."""

from typing import NamedTuple

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.frugal import held
from sleuth.kernels.jit import inlined, inner
from sleuth.kernels.types import Legality

INFINITE = np.int64(2**60)
"""The total of a set that cannot be solved within the turns left."""
UNLIMITED = np.int64(2**30)
"""Turns left where there is no limit."""
DEEPEST = np.int64(400)
"""Sets that may be searched one inside the other: so many fit a stack of 2 MB."""
GAVE_UP, TOO_DEEP = np.int64(-1), np.int64(-2)
"""In place of a depth: the search ended before the total was known, by a request or at DEEPEST."""
STOP, NODES, SCANS, TRIED, BUCKETS, FILLED = 0, 1, 2, 3, 4, 5
"""Places in Search.control: a request to stop; counts of sets searched, scans, guesses tried; buckets of
the table in use and entries filled. Threads add to counts without locks, so that a few get lost."""


@held
class Moves(NamedTuple):
    """What renamings and rearrangements of a game of pegs go by (alike.py); without places in other games."""

    words: Array  # uint16 [guesses, places]: the symbol at each place
    orders: Array  # int64 [orders, places]: ways to order the places
    apart: bool  # whether each place may rename symbols in its own way


class Past(NamedTuple):
    """The moves that give the guesses made so far back; none where nothing is said of them."""

    orders: Array  # int64 [moves]: which order of places
    names: Array  # uint16 [moves, places, symbols]: what is put at a place for a symbol, or UNASKED


@held
class Search(NamedTuple):
    """A game and an objective as the search sees them, and what its threads share."""

    weights: Array  # int64 [answers]
    named: Array  # bool [answers]: whether some guess is this answer
    floors: Array  # int64 [answers + 1]: no set of so many answers costs less (uniform weights only)
    hashes: Array  # uint64 [2 * answers + guesses, 2]: of answers, guesses and turns left, in that order
    table: Array  # uint64 [WORDS * entries]: bounds of sets met before (search/table.py), shared by threads
    control: Array  # int64 [8]
    legality: Legality
    guess_codes: Array  # [guesses, guesses], as bytes, where legality matters, else empty
    n_codes: int
    most_removed: int  # no guess leaves fewer answers than all but so many in its largest class
    uniform: bool  # all weights are 1
    all_named: bool  # every answer is a guess
    restricted: bool  # which guesses are legal depends on the feedback
    most_classes: int  # larger sets bound guesses by the sizes of their classes, not by their number
    leftover: int  # what each unit of weight costs that is left when the turns are up, or INFINITE
    goes_on: bool  # whether the answers left then are still searched for, at their cost


class View(NamedTuple):
    """Answers and guesses that a part of the search deals with.

    codes: [rows, columns], as bytes. In views of few answers (see views.py) bytes may also be labels: for
    each guess numbers that are equal where its codes are.
    """

    codes: Array
    answers: Array  # int32 [rows]
    own: Array  # int32 [rows]: the column that is the row's answer, or -1
    columns: Array  # int32 [columns]: guesses
    quality: Array  # int64 [columns], descending: no set in the view gains more by this guess
    keys: Array  # uint64 [2]: hash of the legal guesses, 0 where all are


@inlined
def is_wide(view: View) -> bool:
    """Say whether the codes of a view take two bytes."""
    return bool(view.codes.shape[1] > view.columns.size)


@inner
def weight_of(weights: Array, answers: Array, rows: Array) -> Int:
    """Return the weight of a set, int64. rows: int32 [n], places in answers."""
    total = np.int64(0)
    for r in rows:
        total += weights[answers[r]]
    return total


@inlined
def may_be_lost(search: Search) -> bool:
    """Say whether there may be answers that no guess finds, at a penalty for each."""
    return bool(search.leftover < INFINITE) and not search.goes_on and not search.all_named
