"""Several boards at once: what guesses are expected to leave on all of them, and games played to their ends.

Boards come as two arrays: members, int32 [boards, widest], the candidates of each board in its row, and
sizes, int64 [boards], how many of a row count; 0 where the board is solved.
"""

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.classes import SMALL, laid_out, weight_of
from sleuth.kernels.codes import code_at, gather
from sleuth.kernels.hashing import scramble
from sleuth.kernels.jit import inner, kernel
from sleuth.kernels.rows import copy
from sleuth.kernels.types import Tables

# Slots of the table of choices, a power of two.
_SLOTS = 2**14
# Costs closer than this tie: it is above their rounding and below any difference that matters.
_TIE = 1e-9


@kernel
def expected_left(
    tables: Tables, members: Array, sizes: Array, rate: float, guesses: Array, out: Array
) -> None:
    """Fill out, float64 [guesses], with what each guess is expected to leave, summed over the boards.

    A board that is not solved by the guess leaves 1 for its answer and `rate` for every bit that is not
    known of it: 1 - p + rate * (H0 - I), where p is the chance to be right, H0 the entropy of the board's
    answer and I the information of the feedback. guesses: int32. Candidates weigh by the prior, and
    alike where it gives none of them any weight.
    """
    counts = np.zeros(tables.n_codes, np.int32)
    masses = np.zeros(tables.n_codes, np.float64)
    logs = _logs(max(1, sizes.max()))
    got = np.empty(logs.size, np.uint16)
    out[:] = 0.0
    for b in range(sizes.size):
        if sizes[b] > 0:
            set_, by_answer = members[b, : sizes[b]], sizes[b] <= SMALL
            _add_board(tables, set_, by_answer, rate, logs, guesses, counts, masses, got, out)


@inner
def _logs(n: Int) -> Array:
    """Return what a class gains when it grows from m to m + 1, float64 [n]: its size times log2 of that."""
    logs = np.empty(n)
    before = 0.0
    for m in range(1, n + 1):
        after = m * np.log2(m)
        logs[m - 1] = after - before
        before = after
    return logs


@inner
def _add_board(
    tables: Tables,
    set_: Array,
    by_answer: bool,
    rate: float,
    logs: Array,
    guesses: Array,
    counts: Array,
    masses: Array,
    room: Array,
    out: Array,
) -> None:
    """Add to out what one board leaves. counts and masses: [codes], zero before and after.

    room: uint16 [n], overwritten. by_answer: which way the matrix is read.
    """
    n = set_.size
    got = room[:n]
    flat, wide, per_guess, per_answer = laid_out(tables, by_answer)
    whole = weight_of(tables, set_)
    if whole <= 0.0:
        for j in range(guesses.size):
            gather(flat, wide, guesses[j] * per_guess, per_answer, set_, got)
            right = tables.guess_answer[guesses[j]]
            bits = 0.0
            cost = 1.0
            for i in range(n):
                code = got[i]
                bits += logs[counts[code]]
                counts[code] += 1
                if set_[i] == right:
                    cost -= 1.0 / n
            for code in got:
                counts[code] = 0
            out[j] += cost + rate * bits / n
        return
    known = 0.0
    for a in set_:
        p = tables.weights[a] / whole
        known += p * np.log2(p) if p > 0.0 else 0.0
    for j in range(guesses.size):
        gather(flat, wide, guesses[j] * per_guess, per_answer, set_, got)
        right = tables.guess_answer[guesses[j]]
        bits = -known
        cost = 1.0
        for i in range(n):
            p = tables.weights[set_[i]] / whole
            masses[got[i]] += p
            if set_[i] == right:
                cost -= p
        for code in got:
            if masses[code] > 0.0:
                bits += masses[code] * np.log2(masses[code])
                masses[code] = 0.0
        out[j] += cost + rate * bits


@kernel
def state_key(members: Array, sizes: Array) -> np.uint64:
    """Return a hash of the boards, the same in whatever order they come."""
    key = np.uint64(0)
    for b in range(sizes.size):
        if sizes[b] > 0:
            own = np.uint64(0)
            for a in members[b, : sizes[b]]:
                own += scramble(np.uint64(a + 1))
            key += scramble(own)
    return key


@inner
def _play_guess(tables: Tables, here: Array, left: Array, answers: Array, guess: Int) -> bool:
    """Take the candidates that a guess rules out off every board; say whether it told anything.

    A board is solved by its answer, and where the only candidate left is one that no guess can name.
    """
    row = tables.by_guess[guess]
    right = tables.guess_answer[guess]
    told = False
    for b in range(left.size):
        n = left[b]
        if n == 0:
            continue
        kept = 0
        if right != answers[b]:
            kept_code = code_at(row, tables.wide, answers[b])
            for i in range(n):
                a = here[b, i]
                if a != right and code_at(row, tables.wide, a) == kept_code:
                    here[b, kept] = a
                    kept += 1
        told |= kept < n
        left[b] = 0 if kept == 1 and tables.answer_guess[here[b, 0]] < 0 else kept
    return told


@inner
def _known_left(here: Array, left: Array) -> int:
    """Return the guesses that boards of one candidate each take; -1 where some board has more.

    Equal answers on several boards fall to one guess.
    """
    guesses = 0
    for b in range(left.size):
        if left[b] > 1:
            return -1
        fresh = left[b]
        for c in range(b):
            if left[b] == left[c] == 1 and here[b, 0] == here[c, 0]:
                fresh = 0
        guesses += fresh
    return guesses


@kernel
def play_on(
    tables: Tables,
    members: Array,
    sizes: Array,
    answers: Array,
    firsts: Array,
    pool: Array,
    rates: Array,
    most: Int,
    out: Array,
) -> None:
    """Fill out[j, i], int32, with the guesses that game i takes from here when it begins with firsts[j].

    answers: int32 [games, boards], an answer of each board's candidates (anything on solved ones). After
    the first guess the best by expected_left is played, of the pool and of all candidates left, the first
    of equals, at the rate for that many boards, float64 [boards + 1]. pool, firsts: int32. Once the answers
    of all boards are told, the rest is counted. A game that is not over after `most` guesses, or comes to
    where no guess of those tells anything, takes most + 1.
    """
    boards = sizes.size
    counts = np.zeros(tables.n_codes, np.int32)
    masses = np.zeros(tables.n_codes, np.float64)
    logs = _logs(max(1, sizes.max()))
    got = np.empty(logs.size, np.uint16)
    tried = np.empty(pool.size + sizes.sum(), np.int32)
    copy(pool, tried)
    costs = np.empty(tried.size, np.float64)
    # Games of one state make one choice. A state is told by 64 bits of hash.
    keys = np.zeros(_SLOTS, np.uint64)
    choices = np.zeros(_SLOTS, np.int32)
    here = np.empty(members.shape, np.int32)
    left = np.empty(boards, np.int64)
    for j in range(firsts.size):
        for i in range(answers.shape[0]):
            for b in range(boards):
                left[b] = sizes[b]
                copy(members[b, : sizes[b]], here[b])
            guess = firsts[j]
            turns = 0
            known = -1
            while known < 0 and turns < most:
                turns += 1
                told = _play_guess(tables, here, left, answers[i], guess)
                known = _known_left(here, left)
                if not told:
                    break
                if known >= 0:
                    continue
                key = state_key(here, left)
                slot = np.int64(key & np.uint64(_SLOTS - 1))
                if keys[slot] != key:
                    n = pool.size
                    live = 0
                    for b in range(boards):
                        live += left[b] > 0
                        for a in here[b, : left[b]]:
                            if tables.answer_guess[a] >= 0:
                                tried[n] = tables.answer_guess[a]
                                n += 1
                    costs[:n] = 0.0
                    for b in range(boards):
                        if left[b] > 0:
                            # By guesses: few are tried, and the rows of the pool stay in the cache.
                            set_, rate = here[b, : left[b]], rates[live]
                            guesses, to = tried[:n], costs[:n]
                            _add_board(tables, set_, False, rate, logs, guesses, counts, masses, got, to)
                    best = 0
                    for at in range(1, n):
                        if costs[at] < costs[best] - _TIE:
                            best = at
                    keys[slot] = key
                    choices[slot] = tried[best]
                guess = choices[slot]
            out[j, i] = turns + known if known >= 0 and turns + known <= most else most + 1
