"""Candidate sets after a guess: the sets that feedback makes of them, their legal guesses and their keys."""

from typing import NamedTuple

import numpy as np

from sleuth.kernels import Array
from sleuth.kernels.codes import code_at, gather
from sleuth.kernels.hashing import scramble
from sleuth.kernels.jit import kernel
from sleuth.kernels.legality import allows
from sleuth.kernels.rows import copy
from sleuth.kernels.types import Legality, Sets, Tables


class Split(NamedTuple):
    """Child sets: where they start, their answers, where they come from, and what was guessed right."""

    starts: Array  # int64 [children + 1]
    members: Array  # int32 [total]: answers, ascending within a child
    parent: Array  # int32 [children]
    code: Array  # int32 [children]
    right: Array  # int32 [parents]: the answer that the guess got right, or -1


def split(tables: Tables, sets: Sets, guesses: Array) -> Split:
    """Split each set by the feedback to its guess, int32 [sets].

    A right answer is in no child; nor is a lone answer that no guess can name, for it is known then.
    """
    total = sets.members.size
    out = Split(
        np.zeros(total + 1, np.int64),
        np.empty(total, np.int32),
        np.empty(total, np.int32),
        np.empty(total, np.int32),
        np.full(guesses.size, -1, np.int32),
    )
    room = np.empty(tables.answer_guess.size, np.uint16)
    place, seen = np.zeros(tables.n_codes, np.int64), np.empty(tables.n_codes, np.int32)
    children = fill_children(tables, sets, guesses, room, place, seen, out)
    starts = out.starts[: children + 1]
    return Split(starts, out.members[: starts[-1]], out.parent[:children], out.code[:children], out.right)


@kernel
def fill_children(
    tables: Tables, sets: Sets, guesses: Array, room: Array, place: Array, seen: Array, out: Split
) -> int:
    """Fill out, with room for a child of each answer, as split says, and return how many children there are.

    starts are zeros and right is -1 before. room: uint16 [answers], place: int64 [codes], zeros, and seen:
    int32 [codes], overwritten.
    """
    starts, members, parent, code_of, right = out
    n_sets = guesses.size
    children = 0
    filled = 0
    for s in range(n_sets):
        set_ = sets.members[sets.starts[s] : sets.starts[s + 1]]
        codes = room[: set_.size]
        gather(tables.by_guess[guesses[s]], tables.wide, 0, 1, set_, codes)
        answer = tables.guess_answer[guesses[s]]
        n_seen = 0
        for i in range(set_.size):
            if set_[i] == answer:
                right[s] = answer
                continue
            code = codes[i]
            if place[code] == 0:
                seen[n_seen] = code
                n_seen += 1
            place[code] += 1
        for i in range(1, n_seen):  # insertion sort: a guess gets few codes, and np.sort compiles for seconds
            code = seen[i]
            j = i
            while j > 0 and seen[j - 1] > code:
                seen[j] = seen[j - 1]
                j -= 1
            seen[j] = code
        first_child = children
        for i in range(n_seen):
            code = seen[i]
            size = place[code]
            place[code] = filled
            filled += size
            parent[children] = s
            code_of[children] = code
            children += 1
            starts[children] = filled
        for i in range(set_.size):
            if set_[i] != answer:
                members[place[codes[i]]] = set_[i]
                place[codes[i]] += 1
        for i in range(n_seen):
            place[seen[i]] = 0
        # Drop the lone answers that no guess can name.
        kept = first_child
        end = starts[first_child]
        for c in range(first_child, children):
            size = starts[c + 1] - starts[c]
            if size == 1 and tables.answer_guess[members[starts[c]]] < 0:
                continue
            begin = starts[c]
            for i in range(size):
                members[end + i] = members[begin + i]
            parent[kept] = s
            code_of[kept] = code_of[c]
            end += size
            kept += 1
            starts[kept] = end
        children = kept
        filled = end
    return children


@kernel
def refine(
    legality: Legality,
    guess_codes: Array,
    wide: bool,
    sets: Sets,
    guesses: Array,
    starts: Array,
    parent: Array,
    codes: Array,
) -> tuple[Array, Array]:
    """Return the legal guesses of child sets (of split): legal_starts int64, legal int32.

    guess_codes: [guesses, guesses], as bytes: the code of each guess if the other were the answer. A set of
    one answer needs no choice and gets an empty list.
    """
    children = parent.size
    legal_starts = np.zeros(children + 1, np.int64)
    legal = np.empty(max(16, sets.legal.size), np.int32)
    filled = 0
    for c in range(children):
        if starts[c + 1] - starts[c] > 1:
            s = parent[c]
            as_answers = guess_codes[guesses[s]]
            for i in range(sets.legal_starts[s], sets.legal_starts[s + 1]):
                g = sets.legal[i]
                as_answer = np.int64(code_at(as_answers, wide, g))
                if allows(legality, np.int64(guesses[s]), np.int64(codes[c]), as_answer):
                    if filled == legal.size:
                        larger = np.empty(2 * legal.size, np.int32)
                        copy(legal, larger)
                        legal = larger
                    legal[filled] = g
                    filled += 1
        legal_starts[c + 1] = filled
    return legal_starts, legal[:filled].copy()


@kernel
def keys(sets: Sets) -> Array:
    """Return a hash of each set and its legal guesses, uint64 [sets].

    Sets that differ share a key with odds of about 2**-64 a pair.
    """
    out = np.zeros(sets.starts.size - 1, np.uint64)
    for s in range(out.size):
        key = np.uint64(0)
        for i in range(sets.starts[s], sets.starts[s + 1]):
            key ^= scramble(np.uint64(2 * sets.members[i] + 1))
        if sets.legal_starts.size > 0:
            for i in range(sets.legal_starts[s], sets.legal_starts[s + 1]):
                key ^= scramble(np.uint64(2 * sets.legal[i] + 2))
        out[s] = key
    return out
