"""Feedback codes with NumPy: letters as numbers in, an array of codes out.

For a row, or what must be there before kernels are compiled. Whole matrices are left to kernels/feedback.py,
which is six times as fast.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.unsignedinteger[Any]]
"""uint8, uint16 or uint32, whichever holds all codes."""
Letters = NDArray[np.int32]
"""int32 [words, length]: words as numbers of their letters."""
# Guesses at once, so that what is computed for them stays in the cache.
_BLOCK = 32
# Bytes that tables of digits may take, and guesses from which on they pay.
_TABLES, _MANY = 2**25, 64
# Kinds of feedback up to which each is counted.
_COUNTED = 2**16


def wordle_codes(guesses: Letters, answers: Letters, alphabet: int, out: Codes) -> None:
    """Fill out with Wordle feedback read as a number in base three, the first letter the most significant.

    Digits are 0 absent, 1 present, 2 correct. Letters are below `alphabet`.
    """
    n_answers, length = answers.shape
    rest = np.arange(len(guesses))
    if len(guesses) >= _MANY and length * alphabet * n_answers * out.itemsize <= _TABLES:
        inorder = np.sort(guesses, axis=1)
        repeats = (inorder[:, 1:] == inorder[:, :-1]).any(axis=1)
        plain, rest = np.flatnonzero(~repeats), rest[repeats]
        tables = _tables(answers, alphabet, out.dtype)
        for begin in range(0, len(plain), _BLOCK):
            at = plain[begin : begin + _BLOCK]
            found = tables[0][guesses[at, 0]]
            for place in range(1, length):
                found += tables[place][guesses[at, place]]
            out[at] = found
    for begin in range(0, len(rest), _BLOCK):
        at = rest[begin : begin + _BLOCK]
        out[at] = _marked(guesses[at].T[:, :, None], answers.T, out.dtype)


def _tables(answers: Letters, alphabet: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return what a letter that a guess has once adds to the code: [length, alphabet, answers]."""
    n_answers, length = answers.shape
    here = np.zeros((length, alphabet, n_answers), dtype)
    np.put_along_axis(here, answers.T[:, None, :], 1, axis=1)
    somewhere = here.max(axis=0)
    powers = 3 ** np.arange(length - 1, -1, -1)
    digits: NDArray[Any] = (here + somewhere) * powers.astype(dtype)[:, None, None]
    return digits


def _marked(guesses: NDArray[np.int32], answers: NDArray[np.int32], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return the codes of guesses, [length, guesses, 1], for answers, [length, answers]."""
    length = len(guesses)
    codes = np.zeros((guesses.shape[1], answers.shape[1]), dtype)
    right = [guesses[i] == answers[i] for i in range(length)]
    for i in range(length):
        # What the answer has of the letter at places where the guess has another one, since where it has the
        # same the answer has it only if that is correct; less what earlier places of the guess take of it.
        left = np.zeros(codes.shape, np.int8)
        for j in range(length):
            if j != i:
                same = guesses[i] == guesses[j]
                left += (guesses[i] == answers[j]) & ~same
                if j < i:
                    left -= same & ~right[j]
        codes *= 3
        codes += np.where(right[i], np.uint8(2), (left > 0).view(np.uint8))
    return codes


def peg_codes(guesses: Letters, answers: Letters, alphabet: int, out: Codes) -> None:
    """Fill out with black * (pegs + 1) + white."""
    pegs = answers.shape[1]
    counts = [_counts(words, alphabet) for words in (guesses, answers)]
    for begin in range(0, len(guesses), _BLOCK):
        at = slice(begin, begin + _BLOCK)
        black, common = np.zeros((2, *out[at].shape), np.uint16)
        for i in range(pegs):
            black += guesses[at, i, None] == answers[:, i]
        for symbol in range(alphabet):
            common += np.minimum(counts[0][at, symbol, None], counts[1][:, symbol])
        out[at] = black * pegs + common  # black * (pegs + 1) + common - black


def black_codes(guesses: Letters, answers: Letters, alphabet: int, out: Codes) -> None:
    """Fill out with how many places agree; the alphabet does not matter."""
    out[:] = 0
    for begin in range(0, len(guesses), _BLOCK):
        at = slice(begin, begin + _BLOCK)
        for place in range(answers.shape[1]):
            out[at] += guesses[at, place, None] == answers[:, place]


def without_gaps(codes: Codes, n_codes: int) -> tuple[NDArray[Any], int]:
    """Return codes below n_codes as numbers to count by, and what they are below.

    They are the codes themselves, or, where there are too many to count each, their ranks among those there.
    """
    if n_codes <= _COUNTED:
        return codes, n_codes
    kinds, ranks = np.unique(codes, return_inverse=True)
    return ranks, len(kinds)


def _counts(words: Letters, alphabet: int) -> NDArray[np.uint16]:
    """Return how often each word has each letter, uint16 [words, alphabet]."""
    counts = np.zeros((len(words), alphabet), np.uint16)
    for place in range(words.shape[1]):
        counts[np.arange(len(words)), words[:, place]] += 1
    return counts
