"""Choosing guesses by chains of criteria: the first decides, and each next one breaks the ties left."""

from typing import NamedTuple

import numpy as np

from sleuth.kernels import Array
from sleuth.kernels.classes import SMALL, codes_of, count_pairs, sum_losses, weight_of
from sleuth.kernels.codes import gather
from sleuth.kernels.criteria import (
    CANDIDATE,
    Work,
    as_candidate,
    bits_of,
    class_steps,
    informed,
    is_entropic,
    is_steep,
    is_sum,
    largest,
    least_by_pairs,
    least_possible,
    scored,
    step_sum,
    value_of,
)
from sleuth.kernels.jit import inlined, inner, kernel
from sleuth.kernels.topk import insert
from sleuth.kernels.types import Chain, Codes, Sets, Tables

# For sets up to this size, guesses are passed over by their number of pairs of equal codes, which is counted
# for so many guesses at once. Its 231 pairs fit a byte.
_FEW = 22
_BLOCK = 64


@inner
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


@inner
def _tells(codes: Array) -> bool:
    """Say whether a guess that gets these codes splits the set at all. codes: uint16 [n]."""
    for code in codes:  # noqa: SIM110  numba compiles the loop, not any()
        if code != codes[0]:
            return True
    return False


@inner
def _is_better(
    guess: int,
    rival: int,
    set_: Array,
    whole: float,
    tables: Tables,
    codes: Codes,
    chain: Chain,
    work: Work,
    values: Array,
    known: Array,
    place: int,
) -> bool:
    """Say whether a guess comes before the one at values[place]; its own values are in the last row.

    values: int64 [k + 1, criteria], known: int64 [k + 1], how many of a row are computed; both are filled
    as far as the comparison needs. work.own holds the codes that the guess gets.
    """
    own, n = known.size - 1, set_.size
    for c in range(chain.kinds.size):
        for row in (own, place):
            if known[row] <= c:
                if row == own:
                    asked, got = guess, work.own[:n]
                else:
                    asked, got = rival, work.other[:n]
                    gather(codes.flat, codes.wide, rival * codes.per_guess, codes.per_answer, set_, got)
                values[row, c] = value_of(c, asked, got, set_, whole, tables, chain, work)
                known[row] = c + 1
        if values[own, c] != values[place, c]:
            return bool(values[own, c] < values[place, c])
    return guess < rival


@inner
def _sort_by_weight(set_: Array, whole: float, weights: Array, heavy: Array, chances: Array) -> None:
    """Fill heavy, int32, with the candidates of a set, the likeliest first, and chances, float32."""
    for i in range(set_.size):
        weight = weights[set_[i]]
        place = i
        while place > 0 and weights[heavy[place - 1]] < weight:
            heavy[place] = heavy[place - 1]
            place -= 1
        heavy[place] = set_[i]
    for i in range(set_.size):
        chances[i] = weights[heavy[i]] / whole


@inlined
def _prepare(set_: Array, codes: Codes, legal: Array, chain: Chain, work: Work) -> None:
    """Fill what scoring the guesses of a set needs: the steps of each criterion, their scales, the unit.

    legal: int32, the legal guesses.
    """
    n = set_.size
    work.unit[0] = 0
    for c in range(chain.kinds.size):
        kind, parameter = chain.kinds[c], chain.parameters[c]
        steep = is_steep(kind, parameter, n)
        if work.unit[0] == 0 and steep:
            work.unit[0] = n
            own = work.own[:n]
            for guess in legal:
                gather(codes.flat, codes.wide, guess * codes.per_guess, codes.per_answer, set_, own)
                work.unit[0] = min(work.unit[0], largest(own, work.counts))
        unit = work.unit[0] if steep else 0
        work.scales[c] = class_steps(kind, parameter, n, unit, work.steps[c])


@inner
def _choose(
    set_: Array,
    whole: float,
    tables: Tables,
    codes: Codes,
    chain: Chain,
    work: Work,
    everything: bool,
    legal: Array,
    values: Array,
    known: Array,
    pairs: Array,
    least: Array,
    heavy: Array,
    chances: Array,
    losses: Array,
    out: Array,
) -> None:
    """Fill out, int32 [k], with the best guesses of a set.

    everything: whether all guesses are legal. legal: int32, those that are. values, known: the criteria of
    the best guesses so far, and in the last row those of the one compared with them (see _is_better).
    pairs: uint8 [_BLOCK], overwritten. least: int64 [pairs + 1], what the first criterion is at least with so
    many pairs of equal codes (see least_by_pairs); empty where guesses are not passed over by their pairs.
    heavy, chances, losses: see sum_losses; heavy is empty where guesses are not passed over by what they
    leave unknown, and losses, float32 [_BLOCK], are overwritten.
    """
    k = out.size
    # Out of the records, since numba counts the references to all arrays of one that the loop looks into.
    answer_guess, guess_answer, by_answer = tables.answer_guess, tables.guess_answer, tables.by_answer
    steps, scale, counts, inside = work.steps[0], work.scales[0], work.counts, work.inside
    flat, wide, per_guess, per_answer = codes
    n = set_.size
    own = work.own[:n]
    first, uniform, weights = chain.kinds[0], whole == 0.0, tables.weights
    candidates_first = chain.kinds.size > 1 and chain.kinds[1] == CANDIDATE
    most = 0.0
    if not uniform:
        for a in set_:
            most = max(most, weights[a] / whole)
    floor = least_possible(first, n, steps, work.bits[0], most)
    sums = uniform and is_sum(first)
    few, lossy = least.size > 0, heavy.size > 0
    found = 0
    first_of_all = int(np.int64(0))  # no literal, for which numba would compile value_of a second time
    # With candidates first and one guess asked for, the candidates are scanned ahead of the rest:
    # where one of them that weighs anything reaches the floor, no other guess can come before it.
    ahead = n if candidates_first and k == 1 else 0
    # Whether list order alone decides among guesses that tie in the first criterion and cannot be right.
    settled = chain.kinds.size <= 1 + candidates_first
    for i in range(ahead + legal.size):
        reached = i == ahead > 0 and found == k and values[0, 0] == floor
        if reached and as_candidate(np.int64(guess_answer[out[0]]), weights, whole) < 0:
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
        if lossy and i >= ahead:
            if guess % _BLOCK == 0:
                sum_losses(by_answer, wide, heavy, chances, guess, pairs, losses)
            if found == k:
                # Short of what the sums of losses may be off by.
                bits = work.bits[0] - (1.0 - 1e-5) * losses[guess % _BLOCK]
                chance = weights[right] / whole if is_candidate else 0.0
                if informed(first, bits, work.bits[0], chance) - 1 > values[k - 1, 0]:
                    continue
        if few and i >= ahead:
            if guess % _BLOCK == 0:
                count_pairs(by_answer, wide, set_, guess, pairs)
            if found == k:
                worst, bound = values[k - 1, 0], least[pairs[guess % _BLOCK]]
                if bound > worst or (loses_ties and bound == worst):
                    continue
        if i >= ahead > 0 and is_candidate:
            continue
        gather(flat, wide, guess * per_guess, per_answer, set_, own)
        if sums:
            total = step_sum(own, steps, counts)
            values[k, 0] = scored(first, total, n, scale, is_candidate)
        else:
            values[k, 0] = value_of(first_of_all, guess, own, set_, whole, tables, chain, work)
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
        if place == k or not (is_candidate or _tells(own)):
            continue
        found = min(found + 1, k)
        _put(guess, place, out[:found], values, known)
        # No later guess can beat the floor, and in list order none comes before this one.
        if k == 1 and settled and i >= ahead and values[0, 0] == floor:
            break


@inner
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


class Room(NamedTuple):
    """What the sets of one call use in turn, beside Work; see _choose. Made by NumPy: it is compiled."""

    by_answer: Codes
    by_guess: Codes
    values: Array  # int64 [k + 1, criteria]
    known: Array  # int64 [k + 1]
    pairs: Array  # uint8 [_BLOCK]
    least: Array  # int64 [_FEW + 1, pairs + 1], a row for each size of a set
    has_least: Array  # bool [_FEW + 1]: whether a row is filled
    heavy: Array  # int32 [SMALL]
    chances: Array  # float32 [SMALL]
    losses: Array  # float32 [_BLOCK]


def best_guesses(tables: Tables, sets: Sets, chain: Chain, out: Array) -> None:
    """Fill out, int32 [sets, k], with the k best guesses of each set, best first, then -1.

    A guess that neither splits the set nor can be right is never taken. A set of one answer gets the
    guess that is that answer (or -1 if none is).
    """
    k, n_criteria = out.shape[1], chain.kinds.size
    longest = int(np.diff(sets.starts).max(initial=1))
    work = Work(
        np.zeros((n_criteria, longest + 1), np.int64),
        np.zeros(n_criteria),
        np.zeros(tables.n_codes, np.int32),
        np.zeros(tables.n_codes),
        np.zeros(tables.answer_guess.size, np.bool_),
        np.zeros(1, np.int64),
        np.zeros(1),
        np.empty(longest, np.uint16),
        np.empty(longest, np.uint16),
    )
    room = Room(
        codes_of(tables, True),
        codes_of(tables, False),
        np.empty((k + 1, n_criteria), np.int64),
        np.empty(k + 1, np.int64),
        np.empty(_BLOCK, np.uint8),
        np.empty((_FEW + 1, _FEW * (_FEW - 1) // 2 + 1), np.int64),
        np.zeros(_FEW + 1, np.bool_),
        np.empty(SMALL, np.int32),
        np.empty(SMALL, np.float32),
        np.empty(_BLOCK, np.float32),
    )
    everything = sets.legal_starts.size == 0
    all_ = np.arange(tables.guess_answer.size if everything else 0, dtype=np.int32)
    choose(tables, sets, chain, work, room, all_, out)


@kernel
def choose(tables: Tables, sets: Sets, chain: Chain, work: Work, room: Room, all_: Array, out: Array) -> None:
    """Do as best_guesses does. all_: int32, every guess, where all are legal."""
    n_sets, k = out.shape
    by_answer, by_guess, values, known, pairs, least, has_least, heavy, chances, losses = room
    everything = sets.legal_starts.size == 0
    legal, none = all_, least[0, :0]
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
        few = few and is_sum(chain.kinds[0]) and work.unit[0] == 0
        if few and not has_least[n]:
            least_by_pairs(chain.kinds[0], n, work.steps[0], work.scales[0], least[n])
            has_least[n] = True
        bounds = least[n] if few else none
        lossy = everything and n <= SMALL and whole > 0.0 and is_entropic(chain.kinds[0])
        if whole > 0.0:
            work.bits[0] = bits_of(set_, whole, tables.weights)
        if lossy:
            _sort_by_weight(set_, whole, tables.weights, heavy, chances)
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
            heavy[: n if lossy else 0],
            chances,
            losses,
            out[s],
        )
        for a in set_:
            work.inside[a] = False
