"""What rows of feedback tell of each letter, for many games at once."""

from sleuth.kernels import Array
from sleuth.kernels.jit import inner, kernel


@kernel
def learn(known: Array, most: Array, letters: Array, marks: Array) -> None:
    """Add a row to what is known in each game, in place.

    known: uint8 [games, alphabet, 1 + 2 * length]: of each letter the least number of times it occurs, the
    places where it does, and those where it does not. most: uint8 [games, alphabet]: the most times it
    may occur. letters: int32 [games, length], marks: uint8 [games, length] (0 absent, 1 present, 2 correct).
    """
    length = letters.shape[1]
    for game in range(known.shape[0]):
        of = known[game]
        for i in range(length):
            letter = letters[game, i]
            coloured = 0
            absent = False
            for j in range(length):
                if letters[game, j] == letter:
                    coloured += marks[game, j] > 0
                    absent |= marks[game, j] == 0
            of[letter, 0] = max(of[letter, 0], coloured)
            if absent:
                most[game, letter] = min(most[game, letter], coloured)
            of[letter, 1 + i if marks[game, i] == 2 else 1 + length + i] = 1
        while _infer(of, most[game], length):
            pass


@inner
def _infer(of: Array, most: Array, length: int) -> bool:
    """Draw the next conclusions about the letters of one game; says whether there were any.

    Nothing known is ever taken back, so this comes to an end even on rows that contradict each other.
    """
    alphabet = of.shape[0]
    changed = False
    least = 0
    for letter in range(alphabet):
        least += of[letter, 0]
    for letter in range(alphabet):
        room = max(0, length - least + of[letter, 0])  # the other letters take the rest
        if most[letter] > room:
            most[letter] = room
            changed = True
        here = 0
        open_ = 0
        for i in range(length):
            here += of[letter, 1 + i]
            open_ += 1 - of[letter, 1 + length + i]
        if of[letter, 0] < here:
            of[letter, 0] = here
            changed = True
        for i in range(length):
            if here == most[letter] and of[letter, 1 + i] == 0 and of[letter, 1 + length + i] == 0:
                of[letter, 1 + length + i] = 1
                changed = True
            if open_ == of[letter, 0] and of[letter, 1 + i] == 0 and of[letter, 1 + length + i] == 0:
                of[letter, 1 + i] = 1
                changed = True
    for i in range(length):
        taken = False
        open_ = 0
        only = -1
        for letter in range(alphabet):
            taken |= of[letter, 1 + i] == 1
            if of[letter, 1 + length + i] == 0:
                open_ += 1
                only = letter
        if open_ == 1 and not taken:
            of[only, 1 + i] = 1
            changed = True
        for letter in range(alphabet):
            if taken and of[letter, 1 + i] == 0 and of[letter, 1 + length + i] == 0:
                of[letter, 1 + length + i] = 1
                changed = True
    return changed
