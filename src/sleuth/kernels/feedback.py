"""Feedback matrices of the built-in games: integer arrays in, an array of codes out."""

from typing import NamedTuple

import numpy as np

from sleuth.kernels import Array
from sleuth.kernels.codes import FIRST, SECOND, as_bytes
from sleuth.kernels.jit import inlined, kernel

_PART = 3**10
"""Codes of so many letters fit two bytes."""


class Letters(NamedTuple):
    """Words as inner loops go along them. Made by NumPy: it is compiled."""

    rows: Array  # int32 [length, words]
    counts: Array  # uint8 [letters, words]: how often each letter stands in each word


def _letters(words: Array, n_letters: int) -> Letters:
    """Return words, int32 [words, length] below n_letters, letter by letter."""
    counts = np.zeros((n_letters, len(words)), np.uint8)
    every = np.arange(len(words))
    for letters in words.T:  # of a word one at a time, so that no count is added to twice at once
        counts[letters, every] += 1
    return Letters(np.ascontiguousarray(words.T), counts)


@inlined
def _put(codes: Array, out: Array) -> None:
    """Fill out, bytes, with codes, uint16 [n], two bytes each where there is room for two."""
    if out.size > codes.size:
        for a in range(codes.size):
            out[2 * a + FIRST] = codes[a] & np.uint16(255)
            out[2 * a + SECOND] = codes[a] >> np.uint16(8)
    else:
        for a in range(codes.size):
            out[a] = codes[a]


def wordle_codes(guesses: Array, words: Array, n_letters: int, out: Array) -> None:
    """Fill out, [guesses, answers] as bytes, with Wordle feedback read as a number in base three.

    guesses: int32 [guesses, length] and words: int32 [answers, length], entries below n_letters.
    Digits are 0 absent, 1 present, 2 correct, the first letter the most significant. Codes of four bytes are
    put together from two, of the first letters and of the last.
    """
    n, length = words.shape
    room = np.empty((length, n), np.uint8), np.empty(n, np.uint8), np.empty(n, np.uint16)
    letters, places = _letters(words, n_letters), 3 ** np.arange(length - 1, -1, -1)
    if out.shape[1] <= 2 * n:
        fill_wordle(guesses, letters, places.astype(np.uint16), *room, out)
        return
    whole, part = out.view(np.uint32), np.empty((len(guesses), n), np.uint16)
    for some, unit in ((places // _PART, _PART), (places % _PART, 1)):
        fill_wordle(guesses, letters, some.astype(np.uint16), *room, as_bytes(part))
        if unit > 1:
            np.multiply(part, np.uint32(unit), out=whole)
        else:
            whole += part


@kernel
def fill_wordle(
    guesses: Array, words: Letters, places: Array, correct: Array, spare: Array, code: Array, out: Array
) -> None:
    """Do as wordle_codes does, for codes of two bytes at most.

    places: uint16 [length], what a digit of each letter counts. correct: uint8 [length, answers], spare:
    uint8, code: uint16; overwritten.
    """
    answers, counts = words
    length, n_answers = answers.shape
    for g in range(guesses.shape[0]):
        for a in range(n_answers):
            code[a] = 0
        for i in range(length):
            letter = guesses[g, i]
            place = np.uint16(2 * places[i])
            for a in range(n_answers):
                hit = np.uint8(answers[i, a] == letter)
                correct[i, a] = hit
                code[a] += place * np.uint16(hit)
        for i in range(length):
            letter = guesses[g, i]
            repeated = False
            for j in range(i):
                repeated |= guesses[g, j] == letter
            if repeated:
                continue
            # What the answer still has of this letter once its correct places are taken.
            for a in range(n_answers):
                spare[a] = counts[letter, a]
            for j in range(i, length):
                if guesses[g, j] == letter:
                    for a in range(n_answers):
                        spare[a] -= correct[j, a]
            for j in range(i, length):
                if guesses[g, j] == letter:
                    place = places[j]
                    for a in range(n_answers):
                        hit = np.uint8(spare[a] > 0) & (np.uint8(1) - correct[j, a])
                        spare[a] -= hit
                        code[a] += place * np.uint16(hit)
        _put(code, out[g])


def peg_codes(guesses: Array, words: Array, n_letters: int, out: Array) -> None:
    """Fill out, [guesses, answers] as bytes, with black * (pegs + 1) + white.

    guesses: int32 [guesses, pegs] and words: int32 [answers, pegs], entries below n_letters.
    """
    room = np.empty(len(words), np.uint16), np.empty(len(words), np.uint16)
    fill_pegs(guesses, _letters(words, n_letters), *room, out)


@kernel
def fill_pegs(guesses: Array, words: Letters, black: Array, common: Array, out: Array) -> None:
    """Do as peg_codes does. black, common: uint16 [answers], overwritten."""
    answers, counts = words
    pegs, n_answers = answers.shape
    for g in range(guesses.shape[0]):
        for a in range(n_answers):
            black[a] = 0
            common[a] = 0
        for i in range(pegs):
            symbol = guesses[g, i]
            for a in range(n_answers):
                black[a] += np.uint16(answers[i, a] == symbol)
            times = 0
            first = True
            for j in range(pegs):
                if guesses[g, j] == symbol:
                    times += 1
                    first &= j >= i
            if first:
                for a in range(n_answers):
                    common[a] += np.uint16(min(counts[symbol, a], times))
        for a in range(n_answers):
            black[a] = black[a] * (pegs + 1) + common[a] - black[a]
        _put(black, out[g])
