"""Action value estimates of every guess in a candidate set: the base predictors of Tyl (2024)."""

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.classes import count_pairs
from sleuth.kernels.codes import gather, widen
from sleuth.kernels.jit import inlined, kernel
from sleuth.kernels.rows import copy
from sleuth.kernels.topk import insert, place_ascending
from sleuth.kernels.types import Tables

# In sets up to this size, columns are passed over by their pairs of equal codes, which fit a byte.
_FEW = 22
_BLOCK = 64


@inlined
def _ratios(n: Int, entropic: bool) -> Array:
    """Return H0 / H at least with so many pairs of equal codes among n likely ones, float64 [pairs + 1]."""
    out = np.empty(n * (n - 1) // 2 + 1, np.float64)
    for pairs in range(out.size):
        if entropic:
            # The logarithm of a class size m is (m - 1) log(most) / (most - 1) or more, up to the most.
            most = (1.0 + np.sqrt(1.0 + 8.0 * pairs)) / 2.0
            lost = 2.0 * pairs / n * np.log(most) / (most - 1.0) if pairs > 0 else 0.0
            told = np.log(n) - lost
        else:
            told = 2.0 * np.log(n) - np.log(n + 2.0 * pairs)
        out[pairs] = np.log(n) / told if told > 1e-12 else np.inf
    return out


@kernel
def estimates(
    codes: Array,
    wide: bool,
    own: Array,
    rows: Array,
    weights: Array,
    n_codes: Int,
    entropic: bool,
    least: Int,
) -> Array:
    """Return the guesses that each column is estimated to take, float64 [columns].

    least: so many of the least estimates are asked for, and others may be inf; 0 where all are.

    codes: [rows, columns], as bytes. own: int32 [rows], the column that names the row, or -1. rows: int32
    [n], the candidates. weights: float64 [n], their probabilities, summing to one. The estimate is p + (1 -
    p)(1 + H0 / H), p the chance to be right, H0 what is to be learned and H what the guess tells: Shannon's
    entropy, or (statistical) the logarithm of how many times fewer candidates are left on average, which is
    Renyi's entropy of order 2. A guess that tells only candidates of no weight from others takes the limit, 2
    - p, where nothing is to be learned, and n guesses after a wrong one elsewhere. It is inf where the guess
    tells nothing.
    """
    n = rows.size
    columns = codes.shape[1] // (2 if wide else 1)
    out = np.empty(columns, np.float64)
    counts = np.zeros(n_codes, np.int32)
    alike = True
    for i in range(1, n):
        alike = alike and weights[i] == weights[0]
    # What a class of so many candidates adds, where all are as likely.
    terms = np.zeros(n + 1 if alike else 0, np.float64)
    for m in range(1, terms.size):
        terms[m] = m / n * np.log(m / n) if entropic else m / n * m / n
    masses = np.zeros(n_codes, np.float64)
    chances = np.zeros(columns, np.float64)
    flat, got = codes.ravel(), np.empty(n, np.uint16)
    prior = 0.0
    for i in range(n):
        w = weights[i]
        if own[rows[i]] >= 0:
            chances[own[rows[i]]] = w
        if w > 0:
            prior += w * np.log(w) if entropic else w * w
    to_learn = -prior if entropic else -np.log(prior)
    few = least > 0 and alike and 2 <= n <= _FEW
    ratios = _ratios(n if few else 1, entropic)
    pairs = np.empty(_BLOCK, np.uint8)
    best = np.full(max(1, least), np.inf)
    for j in range(columns):
        told = 0.0
        if few:
            if j % _BLOCK == 0:
                count_pairs(codes, wide, rows, j, pairs)
            if 1.0 + (1.0 - chances[j]) * ratios[pairs[j % _BLOCK]] > best[-1] + 1e-9:
                out[j] = np.inf
                continue
        gather(flat, wide, j, columns, rows, got)
        for i in range(n if alike else 0):
            counts[got[i]] += 1
        for i in range(n if alike else 0):
            code = got[i]
            told += terms[counts[code]]
            counts[code] = 0
        for i in range(0 if alike else n):
            masses[got[i]] += weights[i]
        for i in range(0 if alike else n):
            code = got[i]
            mass = masses[code]
            if mass > 0:
                told += mass * np.log(mass) if entropic else mass * mass
                masses[code] = 0.0
        told = -told if entropic else -np.log(told)
        p = chances[j]
        if p >= 1.0:
            out[j] = 1.0
            continue
        out[j] = np.inf
        if told > 1e-12:  # below this it is rounding
            out[j] = p + (1.0 - p) * (1.0 + to_learn / told)
            if few and out[j] < best[-1]:
                insert(best, place_ascending(best, out[j]), out[j])
            continue
        for i in range(1, n):
            if got[i] != got[0]:
                out[j] = p + (1.0 - p) * (1.0 + (n if to_learn > 1e-12 else 1))
                break
    return out


@kernel
def two_guesses(tables: Tables, solved: Int, openers: Array, seconds: Array, few: Int, host: Array) -> Array:
    """Return the guesses that openers are estimated to take, float64 [openers], by two guesses.

    openers, seconds: int32, guesses; the second guess of each class is the best of `seconds` and of the first
    few candidates left. host: float64 [answers], a distribution. From the second guess on the estimate is the
    entropic one, as above.
    """
    answers = host.size
    out = np.ones(openers.size)
    starts = np.zeros(tables.n_codes + 1, np.int64)
    members = np.empty(answers, np.int64)
    masses = np.zeros(tables.n_codes, np.float64)
    tried = np.empty(seconds.size + few, np.int64)
    row, second = np.empty(answers, np.uint16), np.empty(answers, np.uint16)
    for j in range(openers.size):
        widen(tables.by_guess[openers[j]], tables.wide, row)
        starts[:] = 0
        for a in range(answers):
            starts[row[a] + 1] += 1
        for code in range(tables.n_codes):
            starts[code + 1] += starts[code]
        place = starts[:-1].copy()
        for a in range(answers):
            members[place[row[a]]] = a
            place[row[a]] += 1
        for code in range(tables.n_codes):
            class_ = members[starts[code] : starts[code + 1]]
            mass = heaviest = 0.0
            for a in class_:
                mass += host[a]
                heaviest = max(heaviest, host[a])
            if code == solved or mass <= 0.0:
                continue
            # No guess does better than to name the likeliest and tell the others apart.
            least = 2.0 * mass - heaviest
            if class_.size <= 2:
                out[j] += least
                continue
            to_learn = 0.0
            for a in class_:
                if host[a] > 0.0:
                    to_learn -= host[a] / mass * np.log(host[a] / mass)
            n = 0
            for a in class_[:few]:
                if tables.answer_guess[a] >= 0:
                    tried[n] = tables.answer_guess[a]
                    n += 1
            copy(seconds, tried[n:])
            best = np.inf
            for g in tried[: n + seconds.size]:
                gather(tables.by_guess[g], tables.wide, 0, 1, class_, second)
                told = p = 0.0
                for i in range(class_.size):
                    masses[second[i]] += host[class_[i]] / mass
                for i in range(class_.size):
                    share = masses[second[i]]
                    if share > 0.0:
                        if second[i] == solved:
                            p = share
                        told -= share * np.log(share)
                        masses[second[i]] = 0.0
                if told > 1e-12:  # below this it is rounding
                    best = min(best, mass * (p + (1.0 - p) * (1.0 + max(1.0, to_learn / told))))
                    if best <= least + 1e-12:
                        break
                elif p > 0.5:
                    best = mass
            # Where none of them tells anything, about as much as one guess after another.
            out[j] += best if best < np.inf else mass * class_.size
    return out
