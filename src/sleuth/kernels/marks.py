"""What some letters of a guess tell together, over the answers still possible."""

import numpy as np

from sleuth.kernels import Array
from sleuth.kernels.jit import kernel
from sleuth.kernels.types import Sets

MARKS = 3


@kernel
def tell(sets: Sets, marks: Array, words: Array, places: Array, mean: Array, largest: Array) -> None:
    """Fill mean and largest, float32 [sets, guesses], with the share of a set that marks tell together.

    It is the information of the marks at some places of a guess over log2 of the number of answers, each
    alike: its mean and its largest over all choices of places. 0 for sets of one answer, and for no choice.
    marks: uint8 [letters, places, answers], what mark a letter at a place gets, below MARKS. words: int32
    [guesses, places], their letters. places: int64 [choices, together], which are looked at together.
    """
    n_guesses, length = words.shape
    choices, together = places.shape
    classes = MARKS**together
    counts = np.zeros(classes, np.int64)
    most = 0
    for s in range(mean.shape[0]):
        most = max(most, sets.starts[s + 1] - sets.starts[s])
    # m log2 m.
    known = np.zeros(most + 1)
    for m in range(1, most + 1):
        known[m] = m * np.log2(m)
    own = np.empty((length, most), np.uint8)
    codes = np.empty(most, np.int64)
    for s in range(mean.shape[0]):
        members = sets.members[sets.starts[s] : sets.starts[s + 1]]
        n = members.size
        mean[s] = 0.0
        largest[s] = 0.0
        if n < 2 or choices == 0:
            continue
        for g in range(n_guesses):
            for i in range(length):
                of = marks[words[g, i], i]
                for a in range(n):
                    own[i, a] = of[members[a]]
            total, best = 0.0, 0.0
            for choice in range(choices):
                for a in range(n):
                    codes[a] = own[places[choice, 0], a]
                for c in range(1, together):
                    row = own[places[choice, c]]
                    for a in range(n):
                        codes[a] = codes[a] * MARKS + row[a]
                unknown = 0.0
                if n < classes:
                    for a in range(n):
                        counts[codes[a]] += 1
                        unknown += known[counts[codes[a]]] - known[counts[codes[a]] - 1]
                    for a in range(n):
                        counts[codes[a]] = 0
                else:
                    for a in range(n):
                        counts[codes[a]] += 1
                    for code in range(classes):
                        unknown += known[counts[code]]
                        counts[code] = 0
                told = 1.0 - unknown / known[n]
                total += told
                best = max(best, told)
            mean[s, g] = total / choices
            largest[s, g] = best
