"""Scoring and choosing guesses: chains of criteria over the classes a guess splits a set into.

A guess splits a candidate set into classes, one a feedback code. Every criterion here is a number of
those classes, held as int64 and the smaller the better, so that ties are exact: guesses whose classes
have the same values tie, whatever the order of summation.
"""

from typing import NamedTuple

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.classes import SMALL, count_pairs, laid_out, weight_of
from sleuth.kernels.hashing import mix, scramble
from sleuth.kernels.jit import kernel
from sleuth.kernels.topk import insert
from sleuth.kernels.types import Chain, Codes, Sets, Tables

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
# For sets up to this size, guesses are passed over by their number of pairs of equal codes, which is counted
# for so many guesses at once. Its 231 pairs fit a byte.
_FEW = 22
_BLOCK = 64


@kernel
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


@kernel
def _is_steep(kind: int, alpha: float, n: int) -> bool:
    """Say whether powers of class sizes span too much for a scale that holds up to n to tell small ones."""
    return kind == POWER and (alpha + 1.0) * np.log2(n) > 45.0


@kernel
def _class_steps(kind: int, alpha: float, n: int, unit: int, steps: Array) -> float:
    """Fill steps[m], int64: what a class gains when it grows from m to m + 1 of n candidates.

    unit: for a steep POWER (see _is_steep) the smallest largest class of any guess, else 0. Returns the
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


@kernel
def _round(total: np.int64) -> np.int64:
    return (total + (np.int64(1) << np.int64(_QUANTUM - 1))) >> np.int64(_QUANTUM)


@kernel
def _expected(bits: float, n_bits: float, chance: float) -> np.int64:
    """Return the entropic estimate p + (1 - p)(1 + log2|S| / H) as an integer."""
    if chance >= 1.0:
        return np.int64(_FINE)
    if bits <= 1e-12:
        return _WORST - 1
    return np.int64(np.rint((chance + (1.0 - chance) * (1.0 + n_bits / bits)) * _FINE))


class _Work(NamedTuple):
    """What scoring needs room for."""

    steps: Array  # int64 [criteria, n + 1]: see _class_steps
    scales: Array  # float64 [criteria]: bits that the steps are scaled by
    counts: Array  # int32 [codes], zero between uses
    masses: Array  # float64 [codes], zero between uses
    inside: Array  # bool [answers]: which are in the set
    unit: Array  # int64 [1]: the smallest largest class of any guess, where a criterion is steep, else 0


class _Set(NamedTuple):
    """A candidate set, the guesses that are legal there, and what scoring them needs."""

    members: Array  # int32 [n]
    weight: float  # 0 where all candidates are equally likely
    everything: bool  # whether every guess is legal
    legal: Array  # int32: the legal guesses, where not all are
    n_legal: int
    codes: Codes
    tables: Tables
    chain: Chain
    work: _Work


class _Best(NamedTuple):
    """The best guesses so far and, in the last rows, the one compared with them."""

    guesses: Array  # int32 [k], best first
    values: Array  # int64 [k + 1, criteria], computed as far as comparisons needed
    known: Array  # int64 [k + 1]: how many values of a row are computed


@kernel
def _largest(guess: int, set_: Array, view: Codes, counts: Array) -> int:
    """Return the size of the largest class of a guess. counts: int32 [codes], zero before and after."""
    base, stride = guess * view.per_guess, view.per_answer
    largest = 0
    for a in set_:
        code = view.flat[base + stride * a]
        counts[code] += 1
        largest = max(largest, counts[code])
    for a in set_:
        counts[view.flat[base + stride * a]] = 0
    return largest


@kernel
def _step_sum(guess: int, set_: Array, view: Codes, steps: Array, counts: Array) -> np.int64:
    """Return the sum over classes of what their size is worth. counts: int32 [codes], zero but in use.

    steps are added as the classes grow, so that one pass does.
    """
    base, stride = guess * view.per_guess, view.per_answer
    total = np.int64(0)
    for a in set_:
        code = view.flat[base + stride * a]
        m = counts[code]
        total += steps[m]
        counts[code] = m + 1
    for a in set_:
        counts[view.flat[base + stride * a]] = 0
    return total


@kernel
def _scored(kind: int, total: np.int64, n: int, scale: float, is_candidate: bool) -> np.int64:
    """Return the criterion that a sum over classes stands for, under the uniform prior."""
    if kind == EXPECTED:
        chance = 1.0 / n if is_candidate else 0.0
        return _expected(np.log2(n) - total * 2.0**-scale / n, np.log2(n), chance)
    return _round(total)


@kernel
def _as_candidate(of: _Set, right: int) -> np.int64:
    """Return CANDIDATE for a guess that is the answer `right` of the set, or none (-1)."""
    if right < 0:
        return np.int64(0)
    if of.weight > 0.0:
        return -np.int64(np.rint(of.tables.weights[right] / of.weight * _FINE))
    return np.int64(-1)


@kernel
def _drawn(set_: Array, right: int, seed: float) -> np.int64:
    """Return RANDOM for a guess that is the answer `right` of the set, or none (-1)."""
    if right < 0:
        return _WORST - 1
    key = np.uint64(np.int64(seed))
    for a in set_:
        key ^= scramble(np.uint64(a + 1))
    return np.int64(mix(key + np.uint64(right + 1)) >> np.uint64(3))


@kernel
def _mark_sum(of: _Set, guess: int, worth: Array) -> np.int64:
    """Return VALUE for a guess. worth: int64 [codes]."""
    flat, base, stride = of.codes.flat, guess * of.codes.per_guess, of.codes.per_answer
    if of.weight > 0.0:
        mean = 0.0
        for a in of.members:
            mean += of.tables.weights[a] * worth[flat[base + stride * a]]
        return -np.int64(np.rint(mean / of.weight * _FINE))
    hints = np.int64(0)
    for a in of.members:
        hints += worth[flat[base + stride * a]]
    return -hints


@kernel
def _weighed(of: _Set, c: int, guess: int, right: int) -> np.int64:
    """Return criterion c, one of the masses of classes, for a guess under a prior that is not uniform.

    right: the answer of the set that the guess is, or -1.
    """
    kind, parameter = of.chain.kinds[c], of.chain.parameters[c]
    counts, masses, weights = of.work.counts, of.work.masses, of.tables.weights
    flat, base, stride = of.codes.flat, guess * of.codes.per_guess, of.codes.per_answer
    n = of.members.size
    for a in of.members:
        code = flat[base + stride * a]
        counts[code] += 1
        masses[code] += weights[a] / of.weight
    score = 0.0
    prior_bits = 0.0
    for a in of.members:
        code = flat[base + stride * a]
        if kind == EXPECTED:
            p = weights[a] / of.weight
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
                unit = of.work.unit[0] if _is_steep(kind, parameter, n) else n
                score += min(p * (m / unit) ** parameter, 2.0**20)
            else:
                score -= p * m**parameter
        elif kind == SINGLES:
            score -= p if m == 1 else 0.0
        elif p > 0.0:
            score += p * np.log2(p)
    if kind == EXPECTED:
        chance = weights[right] / of.weight if right >= 0 else 0.0
        return _expected(-score, prior_bits, chance)
    return np.int64(np.rint(score * _FINE))


@kernel
def _value(of: _Set, c: int, guess: int) -> np.int64:
    """Return criterion c of a guess on one set."""
    kind, parameter, work = of.chain.kinds[c], of.chain.parameters[c], of.work
    right = of.tables.guess_answer[guess]
    if right >= 0 and not work.inside[right]:
        right = -1
    if kind == CANDIDATE:
        return _as_candidate(of, right)
    if kind == RANDOM:
        return _drawn(of.members, right, parameter)
    if kind == VALUE:
        return _mark_sum(of, guess, of.tables.values[np.int64(parameter)])
    if kind == LARGEST:
        return np.int64(_largest(guess, of.members, of.codes, work.counts))
    if of.weight > 0.0:
        return _weighed(of, c, guess, right)
    total = _step_sum(guess, of.members, of.codes, work.steps[c], work.counts)
    return _scored(kind, total, of.members.size, work.scales[c], right >= 0)


@kernel
def _floor(kind: int, n: int, steps: Array, weighted: bool) -> np.int64:
    """Return a value that no guess on n candidates can go below (one that some guess may reach)."""
    if weighted or kind in (VALUE, CANDIDATE, RANDOM):
        return _LOW
    if kind == LARGEST:
        return np.int64(1)
    if kind == EXPECTED:
        return np.int64(np.rint((1.0 / n + (1.0 - 1.0 / n) * 2.0) * _FINE))
    return _round(n * steps[0])


@kernel
def _tells(view: Codes, guess: int, set_: Array) -> bool:
    """Say whether a guess splits the set at all."""
    base = guess * view.per_guess
    first = view.flat[base + view.per_answer * set_[0]]
    for a in set_:  # noqa: SIM110  numba compiles the loop, not any()
        if view.flat[base + view.per_answer * a] != first:
            return True
    return False


@kernel
def _contains(ascending: Array, item: int) -> bool:
    """Say whether an ascending array holds an item."""
    begin, end = 0, ascending.size
    while begin < end:
        middle = (begin + end) // 2
        if ascending[middle] == item:
            return True
        if ascending[middle] < item:
            begin = middle + 1
        else:
            end = middle
    return False


@kernel
def _is_better(of: _Set, best: _Best, guess: int, place: int) -> bool:
    """Say whether a guess, whose values are in the last row, comes before the one at a place."""
    own = best.guesses.size
    rival = best.guesses[place]
    for c in range(of.chain.kinds.size):
        for row in (own, place):
            if best.known[row] <= c:
                best.values[row, c] = _value(of, c, guess if row == own else rival)
                best.known[row] = c + 1
        if best.values[own, c] != best.values[place, c]:
            return bool(best.values[own, c] < best.values[place, c])
    return guess < rival


@kernel
def _least_by_pairs(kind: int, n: int, steps: Array, scale: float, least: Array) -> None:
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
        value = min(_scored(kind, total, n, scale, True), _scored(kind, total, n, scale, False))
        least[pairs] = min(least[pairs], value)
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


@kernel
def _prepare(of: _Set) -> None:
    """Fill what scoring the guesses of a set needs: the steps of each criterion, their scales, the unit."""
    work, chain, n = of.work, of.chain, of.members.size
    for a in of.members:
        work.inside[a] = True
    work.unit[0] = 0
    for c in range(chain.kinds.size):
        kind, parameter = chain.kinds[c], chain.parameters[c]
        steep = _is_steep(kind, parameter, n)
        if work.unit[0] == 0 and steep:
            work.unit[0] = n
            for i in range(of.n_legal):
                guess = i if of.everything else of.legal[i]
                work.unit[0] = min(work.unit[0], _largest(guess, of.members, of.codes, work.counts))
        unit = work.unit[0] if steep else 0
        work.scales[c] = _class_steps(kind, parameter, n, unit, work.steps[c])


@kernel
def _first_value(of: _Set, guess: int, sums: bool, is_candidate: bool) -> np.int64:
    """Return the first criterion of a guess. sums: whether it is a sum of steps under the uniform prior."""
    if sums:
        total = _step_sum(guess, of.members, of.codes, of.work.steps[0], of.work.counts)
        return _scored(of.chain.kinds[0], total, of.members.size, of.work.scales[0], is_candidate)
    # Not a literal 0, for which numba would compile the function a second time.
    return _value(of, int(np.int64(0)), guess)


@kernel
def _take(of: _Set, best: _Best, found: Int, guess: int, is_candidate: bool) -> Int:
    """Put a guess, whose first value is in the last row, in its place, if it has one among the best.

    A guess that neither splits the set nor can be right has none. Returns how many there are now, found
    before.
    """
    k = best.guesses.size
    best.known[k] = 1
    place = found
    while place > 0 and _is_better(of, best, guess, place - 1):
        place -= 1
    if place == k or not (is_candidate or _tells(of.codes, guess, of.members)):
        return found
    now = min(found + 1, k)
    insert(best.guesses[:now], place, guess)
    for j in range(now - 1, place, -1):
        best.values[j] = best.values[j - 1]
    best.values[place] = best.values[k]
    insert(best.known[:now], place, best.known[k])
    return now


@kernel
def _choose(of: _Set, best: _Best, least: Array) -> None:
    """Find the best guesses of a set.

    least: int64 [pairs + 1], bounds of the first criterion by the pairs of equal codes (see
    _least_by_pairs), or empty.
    """
    n, k, uniform = of.members.size, best.guesses.size, of.weight == 0.0
    n_guesses = of.tables.by_guess.shape[0]
    kinds = of.chain.kinds
    floor = _floor(kinds[0], n, of.work.steps[0], not uniform)
    sums = uniform and _is_sum(kinds[0])
    candidates_first = kinds.size > 1 and kinds[1] == CANDIDATE
    # Whether list order alone decides among guesses that tie in the first criterion and cannot be right.
    settled = kinds.size <= 1 + candidates_first
    # With candidates first and one guess asked for, the candidates are scanned ahead of the rest:
    # where one of them reaches the floor, no other guess can come before it.
    ahead = candidates_first and k == 1
    pairs = np.empty(_BLOCK, np.uint8)
    found = np.int64(0)
    for i in range(n if ahead else 0):
        guess = of.tables.answer_guess[of.members[i]]
        if guess < 0 or not (of.everything or _contains(of.legal, guess)):
            continue
        best.values[k, 0] = _first_value(of, guess, sums, True)
        if found < k or best.values[k, 0] <= best.values[k - 1, 0]:
            found = _take(of, best, found, guess, True)
    if ahead and found == k and best.values[0, 0] == floor:
        return
    for i in range(of.n_legal):
        guess = i if of.everything else of.legal[i]
        right = of.tables.guess_answer[guess]
        is_candidate = right >= 0 and of.work.inside[right]
        # A guess that ties with ones it comes after in list order loses to them, as does one that cannot
        # be right to a candidate (not so to one of no weight, which may have been scanned ahead).
        loses_ties = settled and not (candidates_first and is_candidate) and (uniform or not ahead)
        if least.size > 0:
            at = guess % _BLOCK
            if at == 0:
                block = pairs[: min(_BLOCK, n_guesses - guess)]
                count_pairs(of.tables.by_answer, of.members, guess, block)
            if found == k:
                worst, bound = best.values[k - 1, 0], least[pairs[at]]
                if bound > worst or (loses_ties and bound == worst):
                    continue
        if ahead and is_candidate:
            continue
        best.values[k, 0] = _first_value(of, guess, sums, is_candidate)
        if found == k:
            worst = best.values[k - 1, 0]
            if best.values[k, 0] > worst or (loses_ties and best.values[k, 0] == worst):
                continue
        found = _take(of, best, found, guess, is_candidate)
        # No later guess can beat the floor, and in list order none comes before this one.
        if settled and k == 1 == found and best.values[0, 0] == floor:
            return


@kernel
def _is_sum(kind: int) -> bool:
    """Say whether a criterion is a sum over classes of what their size is worth, under the uniform prior."""
    return kind in (INFORMATION, POWER, SINGLES, EXPECTED)


@kernel
def best_guesses(tables: Tables, sets: Sets, chain: Chain, out: Array) -> None:
    """Fill out, int32 [sets, k], with the k best guesses of each set, best first, then -1.

    A guess that neither splits the set nor can be right is never taken. A set of one answer gets the
    guess that is that answer (or -1 if none is).
    """
    n_sets, k = out.shape
    n_guesses, n_answers = tables.by_guess.shape
    n_criteria = chain.kinds.size
    longest = 1
    for s in range(n_sets):
        longest = max(longest, sets.starts[s + 1] - sets.starts[s])
    work = _Work(
        np.zeros((n_criteria, longest + 1), np.int64),
        np.zeros(n_criteria),
        np.zeros(tables.n_codes, np.int32),
        np.zeros(tables.n_codes),
        np.zeros(n_answers, np.bool_),
        np.zeros(1, np.int64),
    )
    values = np.empty((k + 1, n_criteria), np.int64)
    known = np.empty(k + 1, np.int64)
    least = np.empty((_FEW + 1, _FEW * (_FEW - 1) // 2 + 1), np.int64)
    has_least = np.zeros(_FEW + 1, np.bool_)
    none = np.empty(0, np.int64)
    everything = sets.legal_starts.size == 0
    for s in range(n_sets):
        set_ = sets.members[sets.starts[s] : sets.starts[s + 1]]
        n = set_.size
        out[s, :] = -1
        if n == 1:
            out[s, 0] = tables.answer_guess[set_[0]]
            continue
        legal = sets.legal if everything else sets.legal[sets.legal_starts[s] : sets.legal_starts[s + 1]]
        n_legal = n_guesses if everything else legal.size
        codes = laid_out(tables, n <= SMALL and everything)
        of = _Set(set_, weight_of(tables, set_), everything, legal, n_legal, codes, tables, chain, work)
        _prepare(of)
        few = everything and 2 < n <= _FEW and of.weight == 0.0
        few = few and _is_sum(chain.kinds[0]) and work.unit[0] == 0
        if few and not has_least[n]:
            _least_by_pairs(chain.kinds[0], n, work.steps[0], work.scales[0], least[n])
            has_least[n] = True
        _choose(of, _Best(out[s], values, known), least[n] if few else none)
        for a in set_:
            work.inside[a] = False
