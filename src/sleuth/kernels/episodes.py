"""What many games know after a guess each: the answers still possible, the guesses still legal."""

import numpy as np

from sleuth.kernels import Array
from sleuth.kernels.codes import code_at
from sleuth.kernels.jit import kernel
from sleuth.kernels.legality import allows
from sleuth.kernels.types import Legality


@kernel
def narrow(by_guess: Array, wide: bool, games: Array, guesses: Array, codes: Array, masks: Array) -> None:
    """Take the answers out of masks, int8 [all games, answers], that do not explain a row of some games.

    by_guess: codes [guesses, answers], as bytes. games: int64 [n], the rows of masks. guesses: int64 [n], of
    each; codes: uint16 [n].
    """
    for i in range(games.size):
        mask = masks[games[i]]
        row = by_guess[guesses[i]]
        if wide:
            double = row.view(np.uint16)
            for a in range(mask.size):
                mask[a] &= np.int8(double[a] == codes[i])
        else:
            code = np.uint8(codes[i])
            for a in range(mask.size):
                mask[a] &= np.int8(row[a] == code)


@kernel
def narrow_legal(
    legality: Legality,
    guess_codes: Array,
    wide: bool,
    games: Array,
    guesses: Array,
    codes: Array,
    masks: Array,
    n_codes: int,
) -> None:
    """Take the guesses out of masks, int8 [all games, guesses], that a row of some games forbids.

    guess_codes: [guesses, guesses], as bytes: the code of each guess if the other were the answer.
    games, guesses, codes: see narrow.
    """
    allowed = np.empty(n_codes, np.int8)
    for i in range(games.size):
        mask = masks[games[i]]
        row = guess_codes[guesses[i]]
        for code in range(n_codes):
            allowed[code] = allows(legality, guesses[i], np.int64(codes[i]), code)
        for g in range(mask.size):
            mask[g] &= allowed[code_at(row, wide, g)]
