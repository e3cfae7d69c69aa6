"""Fully discernible sets, and sums over classes with a value for each class size."""

import numpy as np

from sleuth.kernels import Array
from sleuth.kernels.classes import weight_of
from sleuth.kernels.codes import code_at, gather
from sleuth.kernels.jit import kernel
from sleuth.kernels.types import Sets, Tables

NOT, EXTERNAL, INTERNAL = 0, 1, 2


@kernel
def discernible(tables: Tables, sets: Sets) -> Array:
    """Return uint8 [sets]: whether one guess gets different feedback for each answer of a set.

    INTERNAL when a candidate does, else EXTERNAL when another legal guess does, else NOT.
    """
    n_sets = sets.starts.size - 1
    out = np.zeros(n_sets, np.uint8)
    seen = np.zeros(tables.n_codes, np.int32)
    mark = 0
    for s in range(n_sets):
        set_ = sets.members[sets.starts[s] : sets.starts[s + 1]]
        if set_.size > tables.n_codes:
            continue
        everything = sets.legal_starts.size == 0
        begin = 0 if everything else sets.legal_starts[s]
        end = tables.guess_answer.size if everything else sets.legal_starts[s + 1]
        # The candidates first, then the other guesses.
        for i in range(begin - set_.size, end):
            if i < begin:
                guess = tables.answer_guess[set_[begin - 1 - i]]
                if guess < 0:
                    continue
            else:
                guess = i if everything else sets.legal[i]
            mark += 1
            if mark == 2**31 - 1:
                seen[:] = 0
                mark = 1
            # Reading answer by answer keeps neighbouring guesses in one cache line.
            apart = True
            for a in set_:
                code = code_at(tables.by_answer[a], tables.wide, guess)
                if seen[code] == mark:
                    apart = False
                    break
                seen[code] = mark
            if apart:
                out[s] = INTERNAL if i < begin else EXTERNAL
                break
    return out


@kernel
def class_sums(tables: Tables, set_: Array, guesses: Array, values: Array, out: Array) -> None:
    """Fill out, float64 [guesses], with the sum over classes of p_c values[n_c] on one candidate set.

    values: float64 [n + 1], the value of a class of so many candidates. p_c is the probability of a class
    under the prior.
    """
    counts = np.zeros(tables.n_codes, np.int32)
    masses = np.zeros(tables.n_codes)
    total = weight_of(tables, set_)
    codes = np.empty(set_.size, np.uint16)
    for i in range(guesses.size):
        gather(tables.by_guess[guesses[i]], tables.wide, 0, 1, set_, codes)
        for j in range(set_.size):
            counts[codes[j]] += 1
            masses[codes[j]] += tables.weights[set_[j]] / total if total > 0.0 else 1.0 / set_.size
        score = 0.0
        for code in codes:
            if counts[code] > 0:
                score += masses[code] * values[counts[code]]
                counts[code] = 0
                masses[code] = 0.0
        out[i] = score
