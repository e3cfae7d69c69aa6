"""Values of RockSample where each check is believed: every rock is gone, good as told, or not known.

A set of rocks has a number, one digit of base 3 a rock, the first rock's the lowest: GONE, TOLD or UNKNOWN.
"""

import numpy as np

from sleuth.kernels import Array
from sleuth.kernels.jit import kernel

GONE, TOLD, UNKNOWN = range(3)
"""Digits: sampled or told bad; told good; good with a chance of a half, and not checked."""


@kernel
def rock_values(
    values: Array,
    begin: int,
    end: int,
    leaving: Array,
    way: Array,
    right: Array,
    check: Array,
    discount: np.float32,
    prize: np.float32,
) -> None:
    """Fill in the values of sets of rocks from one to before another, where those below are filled in.

    Floats are float32. values: [3**rocks, cells], of a set with the rover in a cell; the first cells are
    those of the rocks. leaving: [cells], what leaving from there brings. way: [rocks, cells], the discount of
    the way to a rock. right: [rocks], how likely a rock told good is good. check: [rocks, cells], half the
    discount where a rock may be checked, else 0.

    A rock told good is sampled, after another check on the spot, which is never wrong, where that is worth
    more. Of one not known the rover asks from where it is, or goes there, checks on the spot, and samples it
    if it is good.
    """
    rocks, cells = way.shape
    place = np.ones(rocks, np.int64)
    digits = np.zeros(rocks, np.int64)
    for rock in range(rocks):
        if rock:
            place[rock] = 3 * place[rock - 1]
        digits[rock] = begin // place[rock] % 3
    half, one, two = np.float32(0.5), np.float32(1), np.float32(2)
    for number in range(begin, end):
        best = values[number]
        best[:] = leaving
        for rock in range(rocks):
            if digits[rock] == TOLD:
                gone = values[number - place[rock], rock]
                sample = prize + discount * gone
                sure = discount * (right[rock] * sample + (one - right[rock]) * gone)
                worth = max(sample - two * (one - right[rock]) * prize, sure)
                for cell in range(cells):
                    best[cell] = max(best[cell], way[rock, cell] * worth)
            elif digits[rock] == UNKNOWN:
                told, bad = values[number - place[rock]], values[number - 2 * place[rock]]
                worth = half * discount * (prize + discount * bad[rock] + bad[rock])
                for cell in range(cells):
                    asked = check[rock, cell] * (told[cell] + bad[cell])
                    best[cell] = max(best[cell], max(way[rock, cell] * worth, asked))
        rock = 0
        while rock < rocks:
            digits[rock] = (digits[rock] + 1) % 3
            if digits[rock]:
                break
            rock += 1
