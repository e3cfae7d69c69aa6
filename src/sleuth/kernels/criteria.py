"""Scoring and choosing guesses: chains of criteria over the classes a guess splits a set into.

A guess splits a candidate set into classes, one a feedback code. Every criterion here is a number of
those classes, held as int64 and the smaller the better, so that ties are exact: guesses whose classes
have the same values tie, whatever the order of summation.
"""

from typing import NamedTuple

import numpy as np

from sleuth.kernels import Array
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
def _as_candidate(right: int, weights: Array, whole: float) -> np.int64:
    """Return CANDIDATE for a guess that is the answer `right` of a set that weighs `whole`, or none (-1)."""
    if right < 0:
        return np.int64(0)
    if whole > 0.0:
        return -np.int64(np.rint(weights[right] / whole * _FINE))
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
def _mark_sum(guess: int, set_: Array, whole: float, weights: Array, codes: Codes, worth: Array) -> np.int64:
    """Return VALUE for a guess. worth: int64 [codes]."""
    flat, base, stride = codes.flat, guess * codes.per_guess, codes.per_answer
    if whole > 0.0:
        mean = 0.0
        for a in set_:
            mean += weights[a] * worth[flat[base + stride * a]]
        return -np.int64(np.rint(mean / whole * _FINE))
    hints = np.int64(0)
    for a in set_:
        hints += worth[flat[base + stride * a]]
    return -hints


@kernel
def _weighed(
    kind: int,
    parameter: float,
    guess: int,
    right: int,
    set_: Array,
    whole: float,
    weights: Array,
    codes: Codes,
    work: _Work,
) -> np.int64:
    """Return a criterion of the masses of classes for a guess under a prior that is not uniform.

    right: the answer of the set that the guess is, or -1.
    """
    counts, masses = work.counts, work.masses
    flat, base, stride = codes.flat, guess * codes.per_guess, codes.per_answer
    n = set_.size
    for a in set_:
        code = flat[base + stride * a]
        counts[code] += 1
        masses[code] += weights[a] / whole
    score = 0.0
    prior_bits = 0.0
    for a in set_:
        code = flat[base + stride * a]
        if kind == EXPECTED:
            p = weights[a] / whole
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
                unit = work.unit[0] if _is_steep(kind, parameter, n) else n
                score += min(p * (m / unit) ** parameter, 2.0**20)
            else:
                score -= p * m**parameter
        elif kind == SINGLES:
            score -= p if m == 1 else 0.0
        elif p > 0.0:
            score += p * np.log2(p)
    if kind == EXPECTED:
        chance = weights[right] / whole if right >= 0 else 0.0
        return _expected(-score, prior_bits, chance)
    return np.int64(np.rint(score * _FINE))


@kernel
def _value(
    c: int,
    guess: int,
    set_: Array,
    whole: float,
    tables: Tables,
    codes: Codes,
    chain: Chain,
    work: _Work,
) -> np.int64:
    """Return criterion c of a guess on one set, int32, that weighs `whole` (0: uniform)."""
    kind, parameter = chain.kinds[c], chain.parameters[c]
    right = tables.guess_answer[guess]
    if right >= 0 and not work.inside[right]:
        right = -1
    if kind == CANDIDATE:
        return _as_candidate(right, tables.weights, whole)
    if kind == RANDOM:
        return _drawn(set_, right, parameter)
    if kind == VALUE:
        row = tables.values[np.int64(parameter)]
        return _mark_sum(guess, set_, whole, tables.weights, codes, row)
    if kind == LARGEST:
        return np.int64(_largest(guess, set_, codes, work.counts))
    if whole > 0.0:
        return _weighed(kind, parameter, guess, right, set_, whole, tables.weights, codes, work)
    total = _step_sum(guess, set_, codes, work.steps[c], work.counts)
    return _scored(kind, total, set_.size, work.scales[c], right >= 0)


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
def _is_better(
    guess: int,
    rival: int,
    set_: Array,
    whole: float,
    tables: Tables,
    codes: Codes,
    chain: Chain,
    work: _Work,
    values: Array,
    known: Array,
    place: int,
) -> bool:
    """Say whether a guess comes before the one at values[place]; its own values are in the last row.

    values: int64 [k + 1, criteria], known: int64 [k + 1], how many of a row are computed; both are filled
    as far as the comparison needs.
    """
    own = known.size - 1
    for c in range(chain.kinds.size):
        for row in (own, place):
            if known[row] <= c:
                asked = guess if row == own else rival
                values[row, c] = _value(c, asked, set_, whole, tables, codes, chain, work)
                known[row] = c + 1
        if values[own, c] != values[place, c]:
            return bool(values[own, c] < values[place, c])
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
def _prepare(set_: Array, codes: Codes, legal: Array, chain: Chain, work: _Work) -> None:
    """Fill what scoring the guesses of a set needs: the steps of each criterion, their scales, the unit.

    legal: int32, the legal guesses.
    """
    n = set_.size
    work.unit[0] = 0
    for c in range(chain.kinds.size):
        kind, parameter = chain.kinds[c], chain.parameters[c]
        steep = _is_steep(kind, parameter, n)
        if work.unit[0] == 0 and steep:
            work.unit[0] = n
            for guess in legal:
                work.unit[0] = min(work.unit[0], _largest(guess, set_, codes, work.counts))
        unit = work.unit[0] if steep else 0
        work.scales[c] = _class_steps(kind, parameter, n, unit, work.steps[c])


@kernel
def _choose(
    set_: Array,
    whole: float,
    tables: Tables,
    codes: Codes,
    chain: Chain,
    work: _Work,
    everything: bool,
    legal: Array,
    values: Array,
    known: Array,
    pairs: Array,
    least: Array,
    out: Array,
) -> None:
    """Fill out, int32 [k], with the best guesses of a set.

    everything: whether all guesses are legal. legal: int32, those that are. values, known: the criteria of
    the best guesses so far, and in the last row those of the one compared with them (see _is_better).
    pairs: uint8 [_BLOCK], overwritten. least: int64 [pairs + 1], what the first criterion is at least with so
    many pairs of equal codes (see _least_by_pairs); empty where guesses are not passed over by their pairs.
    """
    k = out.size
    # Out of the records, since numba counts the references to all arrays of one that the loop looks into.
    answer_guess, guess_answer, by_answer = tables.answer_guess, tables.guess_answer, tables.by_answer
    steps, scale, counts, inside = work.steps[0], work.scales[0], work.counts, work.inside
    n = set_.size
    first, uniform = chain.kinds[0], whole == 0.0
    candidates_first = chain.kinds.size > 1 and chain.kinds[1] == CANDIDATE
    floor = _floor(first, n, steps, not uniform)
    sums = uniform and _is_sum(first)
    few = least.size > 0
    found = 0
    first_of_all = int(np.int64(0))  # no literal, for which numba would compile _value a second time
    # With candidates first and one guess asked for, the candidates are scanned ahead of the rest:
    # where one of them reaches the floor, no other guess can come before it.
    ahead = n if candidates_first and k == 1 else 0
    # Whether list order alone decides among guesses that tie in the first criterion and cannot be right.
    settled = chain.kinds.size <= 1 + candidates_first
    for i in range(ahead + legal.size):
        if i == ahead > 0 and found == k and values[0, 0] == floor:
            break
        if i < ahead:
            guess = answer_guess[set_[i]]
            if guess < 0 or not (everything or _contains(legal, guess)):
                continue
        else:
            guess = i - ahead if everything else legal[i - ahead]
        right = guess_answer[guess]
        is_candidate = right >= 0 and inside[right]
        # A guess that ties with ones it comes after in list order loses to them, as does one that cannot
        # be right to a candidate (not so to one of no weight, which may have been scanned ahead).
        loses_ties = settled and i >= ahead and not (candidates_first and is_candidate)
        loses_ties &= ahead == 0 or uniform
        if few and i >= ahead:
            if guess % _BLOCK == 0:
                count_pairs(by_answer, set_, guess, pairs)
            if found == k:
                worst, bound = values[k - 1, 0], least[pairs[guess % _BLOCK]]
                if bound > worst or (loses_ties and bound == worst):
                    continue
        if i >= ahead > 0 and is_candidate:
            continue
        if sums:
            total = _step_sum(guess, set_, codes, steps, counts)
            values[k, 0] = _scored(first, total, n, scale, is_candidate)
        else:
            values[k, 0] = _value(first_of_all, guess, set_, whole, tables, codes, chain, work)
        if found == k:
            worst = values[k - 1, 0]
            if values[k, 0] > worst or (loses_ties and values[k, 0] == worst):
                continue
        known[k] = 1
        place = found
        while place > 0 and _is_better(
            guess,
            out[place - 1],
            set_,
            whole,
            tables,
            codes,
            chain,
            work,
            values,
            known,
            place - 1,
        ):
            place -= 1
        if place == k or not (is_candidate or _tells(codes, guess, set_)):
            continue
        found = min(found + 1, k)
        _put(guess, place, out[:found], values, known)
        # No later guess can beat the floor, and in list order none comes before this one.
        if k == 1 and settled and i >= ahead and values[0, 0] == floor:
            break


@kernel
def _put(guess: int, place: int, out: Array, values: Array, known: Array) -> None:
    """Put a guess, whose values are in the last row, at its place in out, int32, so many as there are now."""
    insert(out, place, guess)
    for j in range(out.size - 1, place, -1):
        known[j] = known[j - 1]
        for c in range(known[j]):
            values[j, c] = values[j - 1, c]
    own = known.size - 1
    known[place] = known[own]
    for c in range(known[own]):
        values[place, c] = values[own, c]


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
    by_answer, by_guess = laid_out(tables, True), laid_out(tables, False)
    values = np.empty((k + 1, n_criteria), np.int64)
    known = np.empty(k + 1, np.int64)
    pairs = np.empty(_BLOCK, np.uint8)
    least = np.empty((_FEW + 1, _FEW * (_FEW - 1) // 2 + 1), np.int64)
    has_least = np.zeros(_FEW + 1, np.bool_)
    none = np.empty(0, np.int64)
    everything = sets.legal_starts.size == 0
    legal = np.arange(n_guesses if everything else 0).astype(np.int32)
    for s in range(n_sets):
        set_ = sets.members[sets.starts[s] : sets.starts[s + 1]]
        n = set_.size
        for j in range(k):
            out[s, j] = -1
        if n == 1:
            out[s, 0] = tables.answer_guess[set_[0]]
            continue
        for a in set_:
            work.inside[a] = True
        if not everything:
            legal = sets.legal[sets.legal_starts[s] : sets.legal_starts[s + 1]]
        codes = by_answer if n <= SMALL and everything else by_guess
        whole = weight_of(tables, set_)
        _prepare(set_, codes, legal, chain, work)
        few = everything and 2 < n <= _FEW and whole == 0.0
        few = few and _is_sum(chain.kinds[0]) and work.unit[0] == 0
        if few and not has_least[n]:
            _least_by_pairs(chain.kinds[0], n, work.steps[0], work.scales[0], least[n])
            has_least[n] = True
        bounds = least[n] if few else none
        _choose(
            set_,
            whole,
            tables,
            codes,
            chain,
            work,
            everything,
            legal,
            values,
            known,
            pairs,
            bounds,
            out[s],
        )
        for a in set_:
            work.inside[a] = False
