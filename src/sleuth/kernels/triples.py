"""What three letters of a guess tell together, over the answers still possible."""

import numpy as np

from sleuth.kernels import Array
from sleuth.kernels.jit import kernel
from sleuth.kernels.types import Sets

MARKS = 3


@kernel
def tell_triples(sets: Sets, marks: Array, words: Array, most: int, mean: Array, largest: Array) -> None:
    """Fill mean and largest, float32 [sets, guesses], with the share of a set that three marks tell.

    It is the information of the marks at three places together over log2 of the number of answers, each
    alike: its mean and its largest over all three places of the guess. 0 for sets of one answer, of more than
    `most`, and words of fewer than three letters.
    marks: uint8 [letters, places, answers], what mark a letter at a place gets, below MARKS. words: int32
    [guesses, places], their letters.
    """
    n_guesses, length = words.shape
    counts = np.zeros(MARKS**3, np.int64)
    # Of a class that grows from m to m + 1: what is added to the sum of m log2 m.
    steps = np.zeros(most + 1)
    for m in range(1, most + 1):
        steps[m] = (m + 1) * np.log2(m + 1) - m * np.log2(m)
    for s in range(mean.shape[0]):
        members = sets.members[sets.starts[s] : sets.starts[s + 1]]
        n = members.size
        mean[s] = 0.0
        largest[s] = 0.0
        if n < 2 or n > most:
            continue
        whole = np.log2(n)
        for g in range(n_guesses):
            total, best, triples = 0.0, 0.0, 0
            for i in range(length):
                first = marks[words[g, i], i]
                for j in range(i + 1, length):
                    second = marks[words[g, j], j]
                    for k in range(j + 1, length):
                        third = marks[words[g, k], k]
                        unknown = 0.0
                        for a in members:
                            code = (first[a] * MARKS + second[a]) * MARKS + third[a]
                            unknown += steps[counts[code]]
                            counts[code] += 1
                        for a in members:
                            counts[(first[a] * MARKS + second[a]) * MARKS + third[a]] = 0
                        told = 1.0 - unknown / n / whole
                        total += told
                        best = max(best, told)
                        triples += 1
            if triples > 0:
                mean[s, g] = total / triples
                largest[s, g] = best
