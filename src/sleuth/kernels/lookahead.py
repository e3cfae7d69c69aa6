"""Game trees of a guesser who names words and an indicator who answers with feedback (Shtrasner et al. 2022).

Values are int64, so that ties are exact: under the uniform prior guesses whose classes are the same tie,
whatever the order of summation. What they mean is said in strategies/game_tree.py.
"""

from typing import NamedTuple

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.classes import SMALL, laid_out, weight_of
from sleuth.kernels.codes import code_at, gather
from sleuth.kernels.frugal import held
from sleuth.kernels.hashing import GOLDEN, mix
from sleuth.kernels.jit import inlined, inner, kernel
from sleuth.kernels.legality import allows
from sleuth.kernels.topk import insert, place_descending
from sleuth.kernels.types import Legality, Sets, Tables

MINIMAX, ALPHA_BETA, EXPECTIMAX = 0, 1, 2

# Sums over the candidates of a set are held to so many bits more than values.
FINE_BITS = 8
_LOWEST = -(2**60)
_NO_MOVE = -(2**61)
# Values of sets that expectimax remembers; a later set takes the place of an earlier one.
_REMEMBERED = 2**18


@held
class Outlook(NamedTuple):
    """A game, what the players want and what they see."""

    tables: Tables
    legality: Legality
    guess_codes: Array  # [guesses, guesses], as bytes, where legality depends on the game so far, else empty
    solved: int  # the code of a right guess
    kind: int  # MINIMAX, ALPHA_BETA or EXPECTIMAX
    candidates_only: bool  # whether only candidates are guessed, where there is one that can be
    every: bool  # whether each guess in view is evaluated, else the last alone
    candidates_first: bool  # among equals, else list order
    top: int  # what each guess is worth that a right one leaves unused
    fixed: Array  # int64 [guesses]: evaluations that depend on the guess alone; empty where none counts
    most_classes: int  # a guess of more classes has its fixed evaluation
    worth: Array  # int64 [n + 1], << FINE_BITS: m candidates times the information that tells them apart
    marks: Array  # int64 [codes], << FINE_BITS: what the marks of a feedback are worth
    bits: float  # what one bit is worth
    limits: (
        Array  # int64 [depth, n + 1]: no set of n with so many guesses in view is worth more (uniform prior)
    )


class _Room(NamedTuple):
    """What the search needs room for; the first index is the depth."""

    counts: Array  # int32 [depths, codes], zero between uses
    masses: Array  # float64 [depths, codes], zero between uses
    got: Array  # uint16 [depths, n]: the codes of a guess
    seen: Array  # int32 [depths, n]
    starts: Array  # int32 [depths, n + 1]
    members: Array  # int32 [depths, n]
    legal: Array  # int32 [depths, guesses], or [depths, 0]
    keys: Array  # uint64 [remembered]
    known: Array  # int64 [remembered]
    nodes: Array  # int64 [1]
    stop: Array  # uint8 [1]: not 0 when the search is to end, whatever it has found


@inner
def _mean(total: Int, n: Int) -> Int:
    """Return total / n, rounded to the nearest."""
    return (2 * total + n) // (2 * n)


@inner
def _key(set_: Array, depth: Int) -> np.uint64:
    """Return a hash of a set and a depth (splitmix64 of each, combined)."""
    key = np.uint64(0)
    for i in range(set_.size + 1):
        item = set_[i] if i < set_.size else -depth
        key += mix(np.uint64(np.int64(item)) * GOLDEN + np.uint64(0x632BE59BD9B4E019))
    return key


@inlined
def _evaluation(
    look: Outlook, guess: Int, n: Int, weight: float, seen: Array, counts: Array, masses: Array
) -> Int:
    """Return what a guess on n candidates is worth by itself, from its classes.

    seen: int32 [classes], their codes; counts, masses: [codes], how many and how likely the candidates are.
    """
    if seen.size > look.most_classes:
        return look.fixed[guess]
    if weight == 0.0:
        total = look.worth[n]
        for code in seen:
            total += counts[code] * look.marks[code] - look.worth[counts[code]]
        return _mean(total, n << FINE_BITS)
    value = 0.0
    for code in seen:
        p = masses[code] / weight
        if p > 0.0:
            value += p * (look.marks[code] / 2.0**FINE_BITS - look.bits * np.log2(p))
    return np.int64(np.rint(value))


@inner
def _named(look: Outlook, set_: Array) -> bool:
    """Say whether some candidate can be guessed."""
    for a in set_:  # noqa: SIM110  numba compiles the loop, not any()
        if look.tables.answer_guess[a] >= 0:
            return True
    return False


@inner
def _is_known(look: Outlook, code: Int, size: Int, answer: Int) -> bool:
    """Say whether a class, with an answer of it, is found: guessed right, or alone and without a name."""
    return bool(code == look.solved or (size == 1 and look.tables.answer_guess[answer] < 0))


@inlined
def _last(look: Outlook, set_: Array, weight: float, got: Array, counts: Array) -> Int:
    """Return what the indicator's reply to the last guess in view is worth: TOP where the answer is found.

    got: uint16 [n], the feedback for each candidate; counts: [codes], the sizes of the classes.
    """
    found, likely = np.int64(0), 0.0
    for i in range(set_.size):
        a, code = set_[i], got[i]
        if _is_known(look, code, counts[code], a):
            found += 1
            if weight > 0.0:
                likely += look.tables.weights[a] / weight
    if look.kind != EXPECTIMAX:
        return look.top if found == set_.size else np.int64(0)
    if weight > 0.0:
        return np.int64(np.rint(likely * look.top))
    return _mean(found * look.top, set_.size)


@inner
def _alone(look: Outlook, answer: Int, depth: Int) -> Int:
    """Return what a set of one answer is worth that can be named."""
    value = depth * look.top
    if look.most_classes < 1 and (look.every or depth == 1):
        value += look.fixed[look.tables.answer_guess[answer]]
    elif look.every or depth == 1:
        value += _mean(look.marks[look.solved], np.int64(1) << FINE_BITS)
    return value


@inlined
def _told(look: Outlook, code: Int, size: Int, answer: Int, depth: Int, nodes: Array) -> Int:
    """Return what a class is worth that needs no search, to a guesser with `depth` guesses in view before.

    Else _NO_MOVE. answer: one of the class. nodes: int64 [1], counted up where there is a guess to make.
    """
    if _is_known(look, code, size, answer):
        return depth * look.top
    if size == 1:
        nodes[0] += 1
        return _alone(look, answer, depth - 1)
    return np.int64(_NO_MOVE)


@inner
def _lay_out(set_: Array, got: Array, seen: Array, counts: Array, starts: Array, members: Array) -> None:
    """Fill members with the classes of a set, in the order of seen, and starts with where each begins.

    got: uint16 [n], the code of each candidate. counts: [codes], the sizes of the classes before, and where
    they end after.
    """
    filled = 0
    for j in range(seen.size):
        starts[j] = filled
        filled += counts[seen[j]]
        counts[seen[j]] = starts[j]
    starts[seen.size] = filled
    for i in range(set_.size):
        code = got[i]
        members[counts[code]] = set_[i]
        counts[code] += 1


@inner
def _still_legal(look: Outlook, legal: Array, guess: Int, code: Int, kept: Array) -> Array:
    """Return which of the legal guesses are so after a guess got a code, int32, in the room of kept."""
    n = 0
    as_answers = look.guess_codes[guess]
    for g in legal:
        if allows(look.legality, guess, code, np.int64(code_at(as_answers, look.tables.wide, g))):
            kept[n] = g
            n += 1
    still: Array = kept[:n]
    return still


@inner
def _count_classes(
    set_: Array,
    got: Array,
    weights: Array,
    weighted: bool,
    seen: Array,
    counts: Array,
    masses: Array,
) -> Int:
    """Count the classes of a guess, see _lay_out; return how many there are, their codes filled in seen.

    counts, masses: [codes], zero before, filled with how many and how likely the candidates are.
    """
    classes = 0
    for i in range(set_.size):
        code = got[i]
        if counts[code] == 0:
            seen[classes] = code
            classes += 1
        counts[code] += 1
        if weighted:
            masses[code] += weights[set_[i]]
    return classes


@inner
def _forget(seen: Array, counts: Array, masses: Array) -> None:
    """Set counts and masses of the classes seen, int32, to zero."""
    for code in seen:
        counts[code] = 0
        masses[code] = 0.0


@inner
def _limit_of(look: Outlook, seen: Array, starts: Array, limits: Array, depth: Int) -> Int:
    """Return what the classes of a guess are worth at most, each as often as it has candidates, int64.

    limits: int64 [n + 1], the most that a set of so many is worth (see Outlook).
    """
    bound = np.int64(0)
    for j in range(seen.size):
        size = starts[j + 1] - starts[j]
        bound += depth * look.top if seen[j] == look.solved else size * limits[size]
    return bound


@inner
def _move(look: Outlook, set_: Array, legal: Array, by_candidates: bool, i: Int) -> Int:
    """Return the i-th guess that may be tried on a set, int64, or -1 where there is none."""
    if by_candidates:
        return np.int64(look.tables.answer_guess[set_[i]])
    return np.int64(i if look.guess_codes.size == 0 else legal[i])


@inlined
def _moves(look: Outlook, set_: Array, legal: Array, by_candidates: bool) -> Int:
    """Return how many guesses _move counts."""
    if by_candidates:
        return set_.size
    return look.tables.guess_answer.size if look.guess_codes.size == 0 else legal.size


@inner
def _value(
    look: Outlook, set_: Array, legal: Array, depth: Int, only: Int, low: Int, high: Int, room: _Room
) -> Int:
    """Return what a set of two or more is worth to the guesser with so many guesses in view.

    legal: int32, the legal guesses, where they depend on the game so far. only: the one guess to try, or -1;
    the value is _NO_MOVE where it tells nothing. Values up to `low` may be upper bounds and, for alpha-beta,
    those from `high` lower bounds. With minimax every node is visited.
    """
    if only < 0:
        room.nodes[0] += 1
    tables, n = look.tables, set_.size
    weight = weight_of(tables, set_)
    everything = look.guess_codes.size == 0
    by_candidates = look.candidates_only and _named(look, set_)
    counts, masses, seen = room.counts[depth], room.masses[depth], room.seen[depth]
    starts, members = room.starts[depth], room.members[depth]
    # Not literals, with which a cached kernel that calls itself aborts.
    no_guess, lowest, highest = np.int64(-1), np.int64(_LOWEST), np.int64(-_LOWEST)
    flat, wide, per_guess, step = laid_out(tables, n <= SMALL)
    got = room.got[depth, :n]
    remembers = look.kind == EXPECTIMAX and everything and only < 0
    key, slot = np.uint64(0), np.int64(0)
    if remembers:
        key = _key(set_, depth)
        slot = np.int64(key & np.uint64(_REMEMBERED - 1))
        if room.keys[slot] == key:
            return room.known[slot]
    best = np.int64(_NO_MOVE)
    for i in range(_moves(look, set_, legal, by_candidates) if only < 0 else 1):
        if room.stop[0] != 0:
            break
        guess = only if only >= 0 else _move(look, set_, legal, by_candidates, i)
        if guess < 0:
            continue
        room.nodes[0] += 1
        gather(flat, wide, guess * per_guess, step, set_, got)
        classes = _count_classes(set_, got, tables.weights, weight > 0.0, seen, counts, masses)
        codes = seen[:classes]
        if classes == 1:  # it tells nothing, and is not right
            _forget(codes, counts, masses)
            continue
        value = np.int64(0)
        if look.every or depth == 1:
            value += _evaluation(look, guess, n, weight, codes, counts, masses)
        if depth == 1:
            value += _last(look, set_, weight, got, counts)
        else:
            _lay_out(set_, got, codes, counts, starts, members)
            limits = look.limits[depth - 1]
            floor = max(low, best) - value
            worst, likely = highest, 0.0
            # Over all classes, of which those to come are worth their limits at most.
            bound = _limit_of(look, codes, starts, limits, depth)
            for j in range(classes):
                code, size = np.int64(seen[j]), np.int64(starts[j + 1] - starts[j])
                child = members[starts[j] : starts[j + 1]]
                if look.kind == EXPECTIMAX and weight == 0.0 and _mean(bound, n) <= floor:
                    break
                reply = _told(look, code, size, child[0], depth, room.nodes)
                if reply == _NO_MOVE:
                    below = legal if everything else _still_legal(look, legal, guess, code, room.legal[depth])
                    above, under = lowest, highest
                    if look.kind == ALPHA_BETA:
                        above, under = floor, min(high - value, worst)
                    reply = _value(look, child, below, depth - 1, no_guess, above, under, room)
                if look.kind != EXPECTIMAX:
                    worst = min(worst, reply)
                    if look.kind == ALPHA_BETA and worst <= floor:
                        break
                elif weight > 0.0:
                    likely += masses[code] / weight * reply
                else:
                    bound += size * (reply - (reply if code == look.solved else limits[size]))
            if look.kind != EXPECTIMAX:
                value += worst
            elif weight > 0.0:
                value += np.int64(np.rint(likely))
            else:
                value += _mean(bound, n)
        _forget(codes, counts, masses)
        best = max(best, value)
        if look.kind == ALPHA_BETA and best >= high:
            break
    if only < 0 and best == _NO_MOVE:
        best = -depth * look.top
    if remembers:
        room.keys[slot] = key
        room.known[slot] = best
    return best


@kernel
def look_ahead(
    look: Outlook, sets: Sets, depth: Int, out: Array, values: Array, nodes: Array, stop: Array
) -> None:
    """Fill out, int32 [sets, k], with the best guesses of each set by their values, best first, then -1.

    values: int64 [sets, k], filled with theirs. nodes: int64 [sets], filled with the nodes visited: sets of
    candidates and guesses on them. depth: guesses in view, from 1. A set of one answer gets the guess that
    is that answer (or -1 if none is). stop: uint8 [1]; once it is not 0, what is filled in means nothing.
    """
    n_sets, k = out.shape
    n_guesses, n_answers = look.tables.guess_answer.size, look.tables.answer_guess.size
    longest = 1
    for s in range(n_sets):
        longest = max(longest, sets.starts[s + 1] - sets.starts[s])
    unlimited = look.guess_codes.size == 0
    remembered = _REMEMBERED if look.kind == EXPECTIMAX and unlimited and depth > 1 else 1
    room = _Room(
        np.zeros((depth + 1, look.tables.n_codes), np.int32),
        np.zeros((depth + 1, look.tables.n_codes)),
        np.empty((depth + 1, longest), np.uint16),
        np.empty((depth + 1, longest), np.int32),
        np.empty((depth + 1, longest + 1), np.int32),
        np.empty((depth + 1, longest), np.int32),
        np.empty((depth + 1, 0 if unlimited else n_guesses), np.int32),
        np.zeros(remembered, np.uint64),
        np.zeros(remembered, np.int64),
        np.zeros(1, np.int64),
        stop,
    )
    inside = np.zeros(n_answers, np.bool_)
    high = np.int64(-_LOWEST)
    for s in range(n_sets):
        set_ = sets.members[sets.starts[s] : sets.starts[s + 1]]
        legal = sets.legal if unlimited else sets.legal[sets.legal_starts[s] : sets.legal_starts[s + 1]]
        room.nodes[0] = 1
        for j in range(k):
            out[s, j] = -1
            values[s, j] = _NO_MOVE
        if set_.size == 1:
            out[s, 0] = look.tables.answer_guess[set_[0]]
            if out[s, 0] >= 0:
                values[s, 0] = _alone(look, set_[0], depth)
            nodes[s] = 1
            continue
        for a in set_:
            inside[a] = True
        by_candidates = look.candidates_only and _named(look, set_)
        # Candidates come first where ties go to them: a later guess must be better than those before it.
        for turn in range(2):
            for i in range(n_guesses if unlimited else legal.size):
                if stop[0] != 0:
                    return
                guess = np.int64(i if unlimited else legal[i])
                right = look.tables.guess_answer[guess]
                is_candidate = right >= 0 and inside[right]
                if (by_candidates and not is_candidate) or turn != int(
                    look.candidates_first and not is_candidate
                ):
                    continue
                low = max(np.int64(_LOWEST), values[s, k - 1])
                value = _value(look, set_, legal, depth, guess, low, high, room)
                if value <= values[s, k - 1]:
                    continue
                place = place_descending(values[s], value)
                insert(values[s], place, value)
                insert(out[s], place, guess)
        for a in set_:
            inside[a] = False
        nodes[s] = room.nodes[0]
