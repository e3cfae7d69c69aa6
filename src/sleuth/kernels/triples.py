"""What three letters of a guess tell together, over the answers still possible."""

import numpy as np

from sleuth.kernels import Array
from sleuth.kernels.jit import kernel
from sleuth.kernels.types import Sets

MARKS = 3
_CODES = MARKS**3


@kernel
def tell_triples(sets: Sets, marks: Array, words: Array, mean: Array, largest: Array) -> None:
    """Fill mean and largest, float32 [sets, guesses], with the share of a set that three marks tell.

    It is the information of the marks at three places together over log2 of the number of answers, each
    alike: its mean and its largest over all three places of the guess. 0 for sets of one answer, and words of
    fewer than three letters.
    marks: uint8 [letters, places, answers], what mark a letter at a place gets, below MARKS. words: int32
    [guesses, places], their letters.
    """
    n_guesses, length = words.shape
    counts = np.zeros(_CODES, np.int64)
    most = 0
    for s in range(mean.shape[0]):
        most = max(most, sets.starts[s + 1] - sets.starts[s])
    # m log2 m; and what a class that grows from m to m + 1 adds to their sum.
    whole = np.zeros(most + 2)
    for m in range(1, most + 2):
        whole[m] = m * np.log2(m)
    own = np.empty((length, most), np.uint8)
    for s in range(mean.shape[0]):
        members = sets.members[sets.starts[s] : sets.starts[s + 1]]
        n = members.size
        mean[s] = 0.0
        largest[s] = 0.0
        if n < 2 or length < 3:
            continue
        scale = whole[n]
        for g in range(n_guesses):
            for i in range(length):
                of = marks[words[g, i], i]
                for a in range(n):
                    own[i, a] = of[members[a]]
            total, best, triples = 0.0, 0.0, 0
            for i in range(length):
                for j in range(i + 1, length):
                    for k in range(j + 1, length):
                        unknown = 0.0
                        if n < _CODES:
                            for a in range(n):
                                code = (own[i, a] * MARKS + own[j, a]) * MARKS + own[k, a]
                                counts[code] += 1
                                unknown += whole[counts[code]] - whole[counts[code] - 1]
                            for a in range(n):
                                counts[(own[i, a] * MARKS + own[j, a]) * MARKS + own[k, a]] = 0
                        else:
                            for a in range(n):
                                counts[(own[i, a] * MARKS + own[j, a]) * MARKS + own[k, a]] += 1
                            for code in range(_CODES):
                                unknown += whole[counts[code]]
                                counts[code] = 0
                        told = 1.0 - unknown / scale
                        total += told
                        best = max(best, told)
                        triples += 1
            mean[s, g] = total / triples
            largest[s, g] = best
