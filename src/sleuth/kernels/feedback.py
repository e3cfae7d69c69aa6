"""Feedback matrices of the built-in games: integer arrays in, an array of codes out."""

import numpy as np

from sleuth.kernels import Array
from sleuth.kernels.jit import inlined, kernel


@inlined
def _letter_counts(letters: Array, n_letters: int) -> Array:
    """Return counts, uint8 [n_letters, words]: how often each letter stands in each word."""
    counts = np.zeros((n_letters, letters.shape[0]), np.uint8)
    for word in range(letters.shape[0]):
        for i in range(letters.shape[1]):
            counts[letters[word, i], word] += 1
    return counts


@inlined
def _put(codes: Array, out: Array) -> None:
    """Fill out, bytes, with codes, uint16 [n], two bytes each where there is room for two."""
    if out.size > codes.size:
        wide = out.view(np.uint16)
        for a in range(codes.size):
            wide[a] = codes[a]
    else:
        for a in range(codes.size):
            out[a] = codes[a]


@kernel
def wordle_codes(guesses: Array, words: Array, n_letters: int, out: Array) -> None:
    """Fill out, [guesses, answers] as bytes, with Wordle feedback read as a number in base three.

    guesses: int32 [guesses, length] and words: int32 [answers, length], entries below n_letters.
    Digits are 0 absent, 1 present, 2 correct, the first letter the most significant.
    """
    n_answers, length = words.shape
    answers, counts = words.T.copy(), _letter_counts(words, n_letters)  # inner loops run along answers
    correct = np.empty((length, n_answers), np.uint8)
    spare = np.empty(n_answers, np.uint8)
    code = np.empty(n_answers, np.uint16)
    for g in range(guesses.shape[0]):
        for a in range(n_answers):
            code[a] = 0
        for i in range(length):
            letter = guesses[g, i]
            place = np.uint16(2 * 3 ** (length - 1 - i))
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
                    place = np.uint16(3 ** (length - 1 - j))
                    for a in range(n_answers):
                        hit = np.uint8(spare[a] > 0) & (np.uint8(1) - correct[j, a])
                        spare[a] -= hit
                        code[a] += place * np.uint16(hit)
        _put(code, out[g])


@kernel
def peg_codes(guesses: Array, words: Array, n_letters: int, out: Array) -> None:
    """Fill out, [guesses, answers] as bytes, with black * (pegs + 1) + white.

    guesses: int32 [guesses, pegs] and words: int32 [answers, pegs], entries below n_letters.
    """
    n_answers, pegs = words.shape
    answers, counts = words.T.copy(), _letter_counts(words, n_letters)
    black = np.empty(n_answers, np.uint16)
    common = np.empty(n_answers, np.uint16)
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
