"""What many games know after a guess each: the answers still possible, the guesses still legal."""

import numpy as np

from sleuth.kernels import Array
from sleuth.kernels.jit import kernel
from sleuth.kernels.legality import allows
from sleuth.kernels.types import Legality


@kernel
def narrow(by_guess: Array, games: Array, guesses: Array, codes: Array, masks: Array) -> None:
    """Take the answers out of masks, int8 [all games, answers], that do not explain a row of some games.

    by_guess: uint8 or uint16 [guesses, answers]. games: int64 [n], the rows of masks. guesses: int64 [n], of
    each; codes: [n], of the dtype of by_guess.
    """
    for i in range(games.size):
        mask = masks[games[i]]
        row = by_guess[guesses[i]]
        code = codes[i]
        for a in range(row.size):
            mask[a] &= np.int8(row[a] == code)


@kernel
def narrow_legal(
    legality: Legality,
    guess_codes: Array,
    games: Array,
    guesses: Array,
    codes: Array,
    masks: Array,
    n_codes: int,
) -> None:
    """Take the guesses out of masks, int8 [all games, guesses], that a row of some games forbids.

    guess_codes: uint8 or uint16 [guesses, guesses], the code of each guess if the other were the answer.
    games, guesses, codes: see narrow.
    """
    allowed = np.empty(n_codes, np.int8)
    for i in range(games.size):
        mask = masks[games[i]]
        row = guess_codes[guesses[i]]
        for code in range(n_codes):
            allowed[code] = allows(legality, guesses[i], codes[i], code)
        for g in range(row.size):
            mask[g] &= allowed[row[g]]
