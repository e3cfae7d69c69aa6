"""What feedback through a noisy channel tells of the answer, for many guesses at once."""

from typing import NamedTuple

import numpy as np

from sleuth.kernels import Array
from sleuth.kernels.codes import gather
from sleuth.kernels.frugal import held
from sleuth.kernels.jit import kernel
from sleuth.kernels.types import Codes

FEW = 300
"""Up to so many answers are best read from the matrix by answers, where one cache line holds 64 guesses; the
lines of more would not stay in the cache."""


LARGEST = 4
POSTERIOR = 3 + LARGEST
"""Columns of posteriors: sums of the joint chances, of each by its logarithm in nats, of their squares; then
the largest of them."""


@held
class Spread(NamedTuple):
    """A channel without its zeros: what each true code may be shown as."""

    starts: Array  # int64 [codes + 1]: where the shown codes of each true code begin
    columns: Array  # int32 [total]: shown codes, ascending within a true code
    values: Array  # float64 [total]: P(shown | true)
    entropies: Array  # float64 [codes]: the entropy of what is shown for a true code, in nats


@kernel
def shown_information(
    codes: Codes,
    rows: Array,
    weights: Array,
    spread: Spread,
    guesses: Array,
    out: Array,
) -> None:
    """Fill out[j], float64 [n]: the bits that what is shown for guess guesses[j] tells of the answer.

    codes: the true ones. rows: int32: the answers of positive weight; weights: float64 [rows], sum 1.
    guesses: int32 [n]. It is the mutual information H(shown) - sum of weight times H(shown | true code of the
    answer).
    """
    n_codes = spread.entropies.size
    masses = np.zeros(n_codes)
    shown = np.zeros(n_codes)
    seen = np.empty(n_codes, np.int64)
    seen_shown = np.empty(n_codes, np.int64)
    flat, wide, per_guess, per_answer = codes
    got = np.empty(rows.size, np.uint16)
    for j in range(out.size):
        gather(flat, wide, guesses[j] * per_guess, per_answer, rows, got)
        n = 0
        for i in range(rows.size):
            code = np.int64(got[i])
            if masses[code] == 0.0:
                seen[n] = code
                n += 1
            masses[code] += weights[i]
        told = 0.0
        m = 0
        for i in range(n):
            code = seen[i]
            mass = masses[code]
            masses[code] = 0.0
            told -= mass * spread.entropies[code]
            for k in range(spread.starts[code], spread.starts[code + 1]):
                column = spread.columns[k]
                if shown[column] == 0.0:
                    seen_shown[m] = column
                    m += 1
                shown[column] += mass * spread.values[k]
        for i in range(m):
            column = seen_shown[i]
            share = shown[column]
            shown[column] = 0.0
            if share > 0.0:
                told -= share * np.log(share)
        out[j] = max(0.0, told / np.log(2.0))


@kernel
def shown_information_by_answer(
    codes: Codes,
    rows: Array,
    weights: Array,
    lying: Array,
    doubts: Array,
    spread: Spread,
    truthful: Array,
    guesses: Array,
    out: Array,
) -> None:
    """Fill out[j], float64 [n]: the bits that what is shown for guess guesses[j] tells of the answer.

    As shown_information, of a host who tells the truth or lies by a channel, with a rate that depends on the
    answer. spread: the channel of lies; truthful: bool [codes]: which codes are never lied about; a lie about
    any other is not the truth. lying: float64 [rows]: weight times rate; doubts: float64 [rows]: weight times
    the entropy of whether a row is a lie, in nats.
    """
    n_codes = spread.entropies.size
    masses = np.zeros(n_codes)
    lies = np.zeros(n_codes)
    unsure = np.zeros(n_codes)
    shown = np.zeros(n_codes)
    seen = np.empty(n_codes, np.int64)
    seen_shown = np.empty(n_codes, np.int64)
    flat, wide, per_guess, per_answer = codes
    got = np.empty(rows.size, np.uint16)
    for j in range(out.size):
        gather(flat, wide, guesses[j] * per_guess, per_answer, rows, got)
        n = 0
        for i in range(rows.size):
            code = np.int64(got[i])
            if masses[code] == 0.0:
                seen[n] = code
                n += 1
            masses[code] += weights[i]
            lies[code] += lying[i]
            unsure[code] += doubts[i]
        told = 0.0
        m = 0
        for i in range(n):
            code = seen[i]
            lied = 0.0 if truthful[code] else lies[code]
            told -= 0.0 if truthful[code] else unsure[code] + lied * spread.entropies[code]
            true = masses[code] - lied
            masses[code] = lies[code] = unsure[code] = 0.0
            if true > 0.0:
                if shown[code] == 0.0:
                    seen_shown[m] = code
                    m += 1
                shown[code] += true
            for k in range(spread.starts[code], spread.starts[code + 1]):
                column = spread.columns[k]
                share = lied * spread.values[k]
                if share > 0.0:  # a product of small numbers may be nothing, and would be noted twice
                    if shown[column] == 0.0:
                        seen_shown[m] = column
                        m += 1
                    shown[column] += share
        for i in range(m):
            column = seen_shown[i]
            share = shown[column]
            shown[column] = 0.0
            told -= share * np.log(share)
        out[j] = max(0.0, told / np.log(2.0))


@kernel
def posteriors(codes: Codes, rows: Array, weights: Array, spread: Spread, guesses: Array, out: Array) -> None:
    """Fill out[j, code], float64 [n, codes, POSTERIOR]: what is believed once guesses[j] was shown a code.

    As shown_information. Joint chances are those of an answer and the code: divided by their sum they are
    what is believed of the answers after it.
    """
    out[:] = 0.0
    logs, value_logs = np.log(weights), np.log(spread.values)
    flat, wide, per_guess, per_answer = codes
    got = np.empty(rows.size, np.uint16)
    for j in range(out.shape[0]):
        gather(flat, wide, guesses[j] * per_guess, per_answer, rows, got)
        for i in range(rows.size):
            code = np.int64(got[i])
            for k in range(spread.starts[code], spread.starts[code + 1]):
                joint = weights[i] * spread.values[k]
                if joint > 0.0:  # a product of small numbers may be nothing
                    column = spread.columns[k]
                    out[j, column, 0] += joint
                    out[j, column, 1] += joint * (logs[i] + value_logs[k])
                    out[j, column, 2] += joint * joint
                    for place in range(3, out.shape[2]):
                        if joint > out[j, column, place]:
                            joint, out[j, column, place] = out[j, column, place], joint
