"""Criteria of guesses: numbers of the classes that a guess splits a candidate set into.

A guess splits a candidate set into classes, one a feedback code. Every criterion here is a number of
those classes, held as int64 and the smaller the better, so that ties are exact: guesses whose classes
have the same values tie, whatever the order of summation.
"""

from typing import NamedTuple

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.hashing import mix, scramble
from sleuth.kernels.jit import inner
from sleuth.kernels.types import Chain, Tables

# Kinds of criteria. POWER's parameter is alpha, VALUE's the row of Tables.values, RANDOM's the seed.
INFORMATION = 0
POWER = 1
LARGEST = 2
SINGLES = 3
EXPECTED = 4
VALUE = 5
CANDIDATE = 6
RANDOM = 7

# Sums over classes stay below 2**60; the last 12 bits hold the rounding of the table's entries and are
# rounded away, so values tie that differ by less than 4e-15 of the largest possible one.
_BITS = 60
_QUANTUM = 12
# Values computed in floating point (weighted ones) are held to 2**-34: far above their rounding error, so
# that equals tie, and far below any difference that matters.
_FINE = 2.0**34
_LOW = np.int64(-(2**62))
_WORST = np.int64(2**62)


@inner
def _log2(m: int, scale: float) -> np.int64:
    """Return log2(m) scaled by 2**scale, as the sum of the rounded logarithms of its prime factors.

    So log2(6) is exactly log2(2) + log2(3), and classes of 6 and six 1s tie with 3, 3, 2, 2, 2 exactly.
    """
    total = np.int64(0)
    factor = 2
    while factor * factor <= m:
        while m % factor == 0:
            total += np.int64(np.rint(np.log2(factor) * 2.0**scale))
            m //= factor
        factor += 1
    if m > 1:
        total += np.int64(np.rint(np.log2(m) * 2.0**scale))
    return total


@inner
def is_steep(kind: int, alpha: float, n: int) -> bool:
    """Say whether powers of class sizes span too much for a scale that holds up to n to tell small ones."""
    return kind == POWER and (alpha + 1.0) * np.log2(n) > 45.0


@inner
def is_sum(kind: int) -> bool:
    """Say whether a criterion is a sum over classes of what their size is worth, under the uniform prior."""
    return kind in (INFORMATION, POWER, SINGLES, EXPECTED)


@inner
def class_steps(kind: int, alpha: float, n: int, unit: int, steps: Array) -> float:
    """Fill steps[m], int64: what a class gains when it grows from m to m + 1 of n candidates.

    unit: for a steep POWER (see is_steep) the smallest largest class of any guess, else 0. Returns the
    number of bits that the values are scaled by.
    """
    scale = 40.0
    if kind == POWER and unit == 0:
        scale = _BITS - np.ceil(max((alpha + 1.0) * np.log2(n), np.log2(n)))
    elif kind in (INFORMATION, EXPECTED):
        scale = _BITS - np.ceil(np.log2(n * np.log2(n) + 1.0))
    before = np.int64(0)
    for m in range(1, n + 1):
        after = np.int64(0)
        if kind == SINGLES:
            after = np.int64(-(2**40)) if m == 1 else np.int64(0)
        elif kind == POWER and unit == 0:
            value = float(m) ** (alpha + 1.0) * 2.0**scale
            after = np.int64(np.rint(value if alpha > 0 else -value))
        elif kind == POWER:
            # The best guess has classes of at most `unit` and a sum of at most 2**46; a larger class, cut off
            # at 2**47, is worse than that whatever the rest.
            value = (m / unit) ** (alpha + 1.0) * unit / n * 2.0**46
            after = np.int64(np.rint(min(value, 2.0**47)))
        elif kind in (INFORMATION, EXPECTED):
            after = m * _log2(m, scale)
        steps[m - 1] = after - before
        before = after
    return scale


@inner
def _round(total: np.int64) -> np.int64:
    return (total + (np.int64(1) << np.int64(_QUANTUM - 1))) >> np.int64(_QUANTUM)


@inner
def _expected(bits: float, n_bits: float, chance: float) -> np.int64:
    """Return the entropic estimate p + (1 - p)(1 + log2|S| / H) as an integer."""
    if chance >= 1.0:
        return np.int64(_FINE)
    if bits <= 1e-12:
        return _WORST - 1
    return np.int64(np.rint((chance + (1.0 - chance) * (1.0 + n_bits / bits)) * _FINE))


class Work(NamedTuple):
    """What scoring needs room for."""

    steps: Array  # int64 [criteria, n + 1]: see class_steps
    scales: Array  # float64 [criteria]: bits that the steps are scaled by
    counts: Array  # int32 [codes], zero between uses
    masses: Array  # float64 [codes], zero between uses
    inside: Array  # bool [answers]: which are in the set
    unit: Array  # int64 [1]: the smallest largest class of any guess, where a criterion is steep, else 0
    bits: Array  # float64 [1]: what there is to learn of the set under a prior that is not uniform
    own: Array  # uint16 [n]: the codes that a guess gets for the candidates
    other: Array  # uint16 [n]: those of the guess that it is compared with


@inner
def is_entropic(kind: int) -> bool:
    """Say whether a criterion rests on the information of a guess."""
    return kind in (INFORMATION, EXPECTED)


@inner
def bits_of(set_: Array, whole: float, weights: Array) -> float:
    """Return the entropy of a set, int32, that weighs `whole` (above 0), in bits."""
    bits = 0.0
    for a in set_:
        p = weights[a] / whole
        if p > 0.0:
            bits -= p * np.log2(p)
    return bits


@inner
def largest(codes: Array, counts: Array) -> int:
    """Return the size of the largest class. codes: uint16 [n]. counts: int32 [codes], zero but in use."""
    most = 0
    for code in codes:
        counts[code] += 1
        most = max(most, counts[code])
    for code in codes:
        counts[code] = 0
    return most


@inner
def step_sum(codes: Array, steps: Array, counts: Array) -> np.int64:
    """Return the sum over classes of what their size is worth. counts: int32 [codes], zero but in use.

    codes: uint16 [n]. steps are added as the classes grow, so that one pass does.
    """
    total = np.int64(0)
    for code in codes:
        m = counts[code]
        total += steps[m]
        counts[code] = m + 1
    for code in codes:
        counts[code] = 0
    return total


@inner
def scored(kind: int, total: np.int64, n: int, scale: float, is_candidate: bool) -> np.int64:
    """Return the criterion that a sum over classes stands for, under the uniform prior."""
    if kind == EXPECTED:
        chance = 1.0 / n if is_candidate else 0.0
        return _expected(np.log2(n) - total * 2.0**-scale / n, np.log2(n), chance)
    return _round(total)


@inner
def as_candidate(right: Int, weights: Array, whole: float) -> np.int64:
    """Return CANDIDATE for a guess that is the answer `right` of a set that weighs `whole`, or none (-1)."""
    if right < 0:
        return np.int64(0)
    if whole > 0.0:
        return -np.int64(np.rint(weights[right] / whole * _FINE))
    return np.int64(-1)


@inner
def _drawn(set_: Array, right: int, seed: float) -> np.int64:
    """Return RANDOM for a guess that is the answer `right` of the set, or none (-1)."""
    if right < 0:
        return _WORST - 1
    key = np.uint64(np.int64(seed))
    for a in set_:
        key ^= scramble(np.uint64(a + 1))
    return np.int64(mix(key + np.uint64(right + 1)) >> np.uint64(3))


@inner
def _mark_sum(codes: Array, set_: Array, whole: float, weights: Array, worth: Array) -> np.int64:
    """Return VALUE for a guess that gets codes, uint16 [n]. worth: int64 [codes]."""
    if whole > 0.0:
        mean = 0.0
        for i in range(codes.size):
            mean += weights[set_[i]] * worth[codes[i]]
        return -np.int64(np.rint(mean / whole * _FINE))
    hints = np.int64(0)
    for code in codes:
        hints += worth[code]
    return -hints


@inner
def _weighed(
    kind: int,
    parameter: float,
    codes: Array,
    right: int,
    set_: Array,
    whole: float,
    weights: Array,
    work: Work,
) -> np.int64:
    """Return a criterion of the masses of classes for a guess under a prior that is not uniform.

    codes: uint16 [n], what it gets. right: the answer of the set that the guess is, or -1.
    """
    counts, masses = work.counts, work.masses
    n = set_.size
    for i in range(n):
        code = codes[i]
        counts[code] += 1
        masses[code] += weights[set_[i]] / whole
    score = 0.0
    classes = 0
    for code in codes:
        m = counts[code]
        if m == 0:
            continue
        classes += 1
        p = masses[code]
        counts[code] = 0
        masses[code] = 0.0
        if kind == POWER:
            if parameter > 0:
                unit = work.unit[0] if is_steep(kind, parameter, n) else n
                score += min(p * (m / unit) ** parameter, 2.0**20)
            else:
                score -= p * m**parameter
        elif kind == SINGLES:
            score -= p if m == 1 else 0.0
        elif p > 0.0:
            score += p * np.log2(p)
    if is_entropic(kind):
        if classes == n:  # whatever the order of summation
            score = -work.bits[0]
        return informed(kind, -score, work.bits[0], weights[right] / whole if right >= 0 else 0.0)
    return np.int64(np.rint(score * _FINE))


@inner
def informed(kind: int, bits: float, prior_bits: float, chance: float) -> np.int64:
    """Return an entropic criterion of a guess that tells so many bits and is right with such a chance."""
    if kind == EXPECTED:
        return _expected(bits, prior_bits, chance)
    return np.int64(np.rint(-bits * _FINE))


@inner
def value_of(
    c: int,
    guess: int,
    codes: Array,
    set_: Array,
    whole: float,
    tables: Tables,
    chain: Chain,
    work: Work,
) -> np.int64:
    """Return criterion c of a guess on one set, int32 [n], that weighs `whole` (0: uniform).

    codes: uint16 [n], what the guess gets.
    """
    kind, parameter = chain.kinds[c], chain.parameters[c]
    right = tables.guess_answer[guess]
    if right >= 0 and not work.inside[right]:
        right = -1
    if kind == CANDIDATE:
        return as_candidate(right, tables.weights, whole)
    if kind == RANDOM:
        return _drawn(set_, right, parameter)
    if kind == VALUE:
        row = tables.values[np.int64(parameter)]
        return _mark_sum(codes, set_, whole, tables.weights, row)
    if kind == LARGEST:
        return np.int64(largest(codes, work.counts))
    if whole > 0.0:
        return _weighed(kind, parameter, codes, right, set_, whole, tables.weights, work)
    total = step_sum(codes, work.steps[c], work.counts)
    return scored(kind, total, set_.size, work.scales[c], right >= 0)


@inner
def least_possible(kind: int, n: int, steps: Array, prior_bits: float, most: float) -> np.int64:
    """Return a value that no guess on n candidates can go below (one that some guess may reach).

    prior_bits, most: what there is to learn and the chance of the likeliest candidate under a prior that is
    not uniform; most is 0 under one that is.
    """
    if most > 0.0 and is_entropic(kind):
        return informed(kind, prior_bits, prior_bits, most)
    if most > 0.0 or kind in (VALUE, CANDIDATE, RANDOM):
        return _LOW
    if kind == LARGEST:
        return np.int64(1)
    if kind == EXPECTED:
        return np.int64(np.rint((1.0 / n + (1.0 - 1.0 / n) * 2.0) * _FINE))
    return _round(n * steps[0])


@inner
def least_by_pairs(kind: int, n: int, steps: Array, scale: float, least: Array) -> None:
    """Fill least, int64 [pairs + 1], with the least value of n candidates split so that so many pairs tie.

    Goes through the partitions of n; a class of m holds m (m - 1) / 2 pairs.
    """
    worth = np.zeros(n + 1, np.int64)
    for m in range(n):
        worth[m + 1] = worth[m] + steps[m]
    for pairs in range(least.size):
        least[pairs] = _WORST
    parts = np.ones(n + 1, np.int64)
    parts[0] = n
    count = 1
    while True:
        total = np.int64(0)
        pairs = 0
        for i in range(count):
            total += worth[parts[i]]
            pairs += parts[i] * (parts[i] - 1) // 2
        for is_candidate in range(2):  # no literals, for each of which numba would compile scored anew
            least[pairs] = min(least[pairs], scored(kind, total, n, scale, is_candidate == 1))
        # The next partition: lower the last part above 1 and share out what is then left over.
        rest = 0
        while count > 0 and parts[count - 1] == 1:
            rest += 1
            count -= 1
        if count == 0:
            return
        parts[count - 1] -= 1
        rest += 1
        part = parts[count - 1]
        while rest > 0:
            parts[count] = min(part, rest)
            rest -= parts[count]
            count += 1
