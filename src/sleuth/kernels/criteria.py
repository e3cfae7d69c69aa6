"""Scoring and choosing guesses: chains of criteria over the classes a guess splits a set into.

A guess splits a candidate set into classes, one a feedback code. Every criterion here is a number of
those classes, held as int64 and the smaller the better, so that ties are exact: guesses whose classes
have the same values tie, whatever the order of summation.
"""

import numpy as np
from numba import njit

from sleuth.kernels import Array
from sleuth.kernels.types import Chain, Sets, Tables

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
_LOW = np.int64(-(2**62))
_WORST = np.int64(2**62)
# Sets up to this size are scanned answer by answer (one cache line holds the codes of 64 guesses).
_SMALL = 160


@njit(cache=True, nogil=True)
def _class_steps(kind: int, alpha: float, n: int, steps: Array) -> float:
    """Fill steps[m], int64: what a class gains when it grows from m to m + 1 of n candidates.

    Returns the number of bits that the values are scaled by.
    """
    scale = 40.0
    if kind == POWER:
        scale = _BITS - np.ceil(max((alpha + 1.0) * np.log2(n), np.log2(n)))
    elif kind in (INFORMATION, EXPECTED):
        scale = _BITS - np.ceil(np.log2(n * np.log2(n) + 1.0))
    before = np.int64(0)
    for m in range(1, n + 1):
        value = 0.0
        if kind == SINGLES:
            value = -(2.0**scale) if m == 1 else 0.0
        elif kind == POWER:
            power = (alpha + 1.0) * np.log2(m)
            # Exact for whole powers; past the range of floats, scaled before it is raised.
            large = power >= 1000.0
            value = 2.0 ** (power + scale) if large else float(m) ** (alpha + 1.0) * 2.0**scale
            if alpha < 0:
                value = -value
        else:
            value = m * np.log2(m) * 2.0**scale
        after = np.int64(np.rint(value))
        steps[m - 1] = after - before
        before = after
    return scale


@njit(cache=True, nogil=True)
def _mix(x: np.uint64) -> np.uint64:
    """Return the splitmix64 hash of x."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@njit(cache=True, nogil=True)
def _round(total: np.int64) -> np.int64:
    return (total + (np.int64(1) << np.int64(_QUANTUM - 1))) >> np.int64(_QUANTUM)


@njit(cache=True, nogil=True)
def _expected(bits: float, n_bits: float, chance: float) -> np.int64:
    """Return the entropic estimate p + (1 - p)(1 + log2|S| / H) as an integer."""
    if chance >= 1.0:
        return np.int64(2**40)
    if bits <= 1e-12:
        return _WORST - 1
    return np.int64(np.rint((chance + (1.0 - chance) * (1.0 + n_bits / bits)) * 2.0**40))


@njit(cache=True, nogil=True)
def _value(
    kind: int,
    parameter: float,
    steps: Array,
    scale: float,
    tables: Tables,
    flat: Array,
    base: int,
    stride: int,
    set_: Array,
    total_weight: float,
    right: int,
    counts: Array,
    masses: Array,
) -> np.int64:
    """Return one criterion of one guess on one set.

    flat[base + stride * a] is the code for answer a; right is the answer that the guess is, if it is
    in the set, else -1; counts, int32, and masses, float64, [codes] are zero before and after.
    """
    n = set_.size
    weighted = total_weight > 0.0
    if kind == CANDIDATE:
        if right < 0:
            return np.int64(0)
        if weighted:
            return -np.int64(np.rint(tables.weights[right] / total_weight * 2.0**40))
        return np.int64(-1)
    if kind == RANDOM:
        if right < 0:
            return _WORST - 1
        key = np.uint64(np.int64(parameter))
        for a in set_:
            key ^= _mix(np.uint64(a + 1) * np.uint64(0x9E3779B97F4A7C15))
        return np.int64(_mix(key + np.uint64(right + 1)) >> np.uint64(3))
    if kind == VALUE:
        row = tables.values[np.int64(parameter)]
        if weighted:
            mean = 0.0
            for a in set_:
                mean += tables.weights[a] * row[flat[base + stride * a]]
            return -np.int64(np.rint(mean / total_weight * 2.0**32))
        hints = np.int64(0)
        for a in set_:
            hints += row[flat[base + stride * a]]
        return -hints
    if kind == LARGEST or not weighted:
        total = np.int64(0)
        largest = 0
        for a in set_:
            code = flat[base + stride * a]
            m = counts[code]
            total += steps[m]
            counts[code] = m + 1
            largest = max(largest, m + 1)
        for a in set_:
            counts[flat[base + stride * a]] = 0
        if kind == LARGEST:
            return np.int64(largest)
        if kind == EXPECTED:
            chance = 1.0 / n if right >= 0 else 0.0
            return _expected(np.log2(n) - total * 2.0**-scale / n, np.log2(n), chance)
        return _round(total)
    for a in set_:
        code = flat[base + stride * a]
        counts[code] += 1
        masses[code] += tables.weights[a] / total_weight
    score = 0.0
    prior_bits = 0.0
    for a in set_:
        code = flat[base + stride * a]
        if kind == EXPECTED:
            p = tables.weights[a] / total_weight
            if p > 0.0:
                prior_bits -= p * np.log2(p)
        m = counts[code]
        if m == 0:
            continue
        p = masses[code]
        counts[code] = 0
        masses[code] = 0.0
        if kind == POWER:
            if parameter > 0:
                score += p * (m / n) ** parameter
            else:
                score -= p * m**parameter
        elif kind == SINGLES:
            score -= p if m == 1 else 0.0
        elif p > 0.0:
            score += p * np.log2(p)
    if kind == EXPECTED:
        chance = tables.weights[right] / total_weight if right >= 0 else 0.0
        return _expected(-score, prior_bits, chance)
    return np.int64(np.rint(score * 2.0**44))


@njit(cache=True, nogil=True)
def _floor(kind: int, n: int, steps: Array, weighted: bool) -> np.int64:
    """Return a value that no guess on n candidates can go below (one that some guess may reach)."""
    if weighted or kind in (VALUE, CANDIDATE, RANDOM):
        return _LOW
    if kind == LARGEST:
        return np.int64(1)
    if kind == EXPECTED:
        return np.int64(np.rint((1.0 / n + (1.0 - 1.0 / n) * 2.0) * 2.0**40))
    return _round(n * steps[0])


@njit(cache=True, nogil=True)
def _tells(flat: Array, base: int, stride: int, set_: Array) -> bool:
    """Say whether a guess splits the set at all."""
    first = flat[base + stride * set_[0]]
    for a in set_:  # noqa: SIM110  numba compiles the loop, not any()
        if flat[base + stride * a] != first:
            return True
    return False


@njit(cache=True, nogil=True)
def _contains(ascending: Array, item: int) -> bool:
    at = np.searchsorted(ascending, item)
    return bool(at < ascending.size and ascending[at] == item)


@njit(cache=True, nogil=True)
def best_guesses(tables: Tables, sets: Sets, chain: Chain, out: Array) -> None:
    """Fill out, int32 [sets, k], with the k best guesses of each set, best first, then -1.

    A guess that neither splits the set nor can be right is never taken. A set of one answer gets the
    guess that is that answer (or -1 if none is).
    """
    n_sets, k = out.shape
    n_guesses = tables.by_guess.shape[0]
    n_answers = tables.by_guess.shape[1]
    n_criteria = chain.kinds.size
    longest = 1
    for s in range(n_sets):
        longest = max(longest, sets.starts[s + 1] - sets.starts[s])
    steps = np.zeros((n_criteria, longest + 1), np.int64)
    scales = np.zeros(n_criteria)
    counts = np.zeros(tables.n_codes, np.int32)
    masses = np.zeros(tables.n_codes)
    inside = np.zeros(n_answers, np.bool_)
    best = np.empty((k, n_criteria), np.int64)
    known = np.empty(k, np.int64)
    challenger = np.empty(n_criteria, np.int64)
    by_guess = tables.by_guess.ravel()
    by_answer = tables.by_answer.ravel()
    candidates_first = n_criteria > 1 and chain.kinds[1] == CANDIDATE
    for s in range(n_sets):
        set_ = sets.members[sets.starts[s] : sets.starts[s + 1]]
        n = set_.size
        out[s, :] = -1
        if n == 1:
            out[s, 0] = tables.answer_guess[set_[0]]
            continue
        total_weight = 0.0
        if tables.weights.size > 0:
            for a in set_:
                total_weight += tables.weights[a]
        weighted = total_weight > 0.0
        for c in range(n_criteria):
            scales[c] = _class_steps(chain.kinds[c], chain.parameters[c], n, steps[c])
        for a in set_:
            inside[a] = True
        floor = _floor(chain.kinds[0], n, steps[0], weighted)
        everything = sets.legal_starts.size == 0
        n_legal = n_guesses
        legal_at = 0
        if not everything:
            legal_at = sets.legal_starts[s]
            n_legal = sets.legal_starts[s + 1] - legal_at
        flat, guess_stride, stride = by_answer, 1, n_guesses
        if n > _SMALL or not everything:
            flat, guess_stride, stride = by_guess, n_answers, 1
        found = 0
        # With candidates first and one guess asked for, the candidates are scanned ahead of the rest:
        # where one of them reaches the floor, no other guess can come before it.
        ahead = n if candidates_first and k == 1 else 0
        for i in range(ahead + n_legal):
            if i < ahead:
                right = set_[i]
                g = tables.answer_guess[right]
                if g < 0 or not (everything or _contains(sets.legal[legal_at : legal_at + n_legal], g)):
                    continue
            else:
                if i == ahead and found == k and best[k - 1, 0] == floor and ahead > 0:
                    break
                g = i - ahead if everything else sets.legal[legal_at + i - ahead]
                right = tables.guess_answer[g]
                if right >= 0 and not inside[right]:
                    right = -1
                if ahead > 0 and right >= 0:
                    continue
            base = g * guess_stride
            challenger[0] = _value(
                chain.kinds[0],
                chain.parameters[0],
                steps[0],
                scales[0],
                tables,
                flat,
                base,
                stride,
                set_,
                total_weight,
                right,
                counts,
                masses,
            )
            if found == k and challenger[0] > best[k - 1, 0]:
                continue
            computed = 1
            place = found
            while place > 0:
                other = place - 1
                ahead_of_other = g < out[s, other]
                for c in range(n_criteria):
                    if c >= computed:
                        challenger[c] = _value(
                            chain.kinds[c],
                            chain.parameters[c],
                            steps[c],
                            scales[c],
                            tables,
                            flat,
                            base,
                            stride,
                            set_,
                            total_weight,
                            right,
                            counts,
                            masses,
                        )
                        computed = c + 1
                    if c >= known[other]:
                        rival = out[s, other]
                        rival_right = tables.guess_answer[rival]
                        if rival_right >= 0 and not inside[rival_right]:
                            rival_right = -1
                        best[other, c] = _value(
                            chain.kinds[c],
                            chain.parameters[c],
                            steps[c],
                            scales[c],
                            tables,
                            flat,
                            rival * guess_stride,
                            stride,
                            set_,
                            total_weight,
                            rival_right,
                            counts,
                            masses,
                        )
                        known[other] = c + 1
                    if challenger[c] != best[other, c]:
                        ahead_of_other = challenger[c] < best[other, c]
                        break
                if not ahead_of_other:
                    break
                place = other
            if place == k or (right < 0 and not _tells(flat, base, stride, set_)):
                continue
            for j in range(min(found, k - 1), place, -1):
                best[j] = best[j - 1]
                known[j] = known[j - 1]
                out[s, j] = out[s, j - 1]
            best[place, :computed] = challenger[:computed]
            known[place] = computed
            out[s, place] = g
            found = min(found + 1, k)
            if k == 1 and n_criteria <= 1 + (ahead > 0) and i >= ahead and best[0, 0] == floor:
                break
        for a in set_:
            inside[a] = False
