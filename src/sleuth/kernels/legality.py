"""Which guesses are legal after a row of feedback."""

from sleuth.kernels import Int
from sleuth.kernels.jit import kernel
from sleuth.kernels.types import Legality


@kernel
def allows(legality: Legality, guess: Int, code: Int, as_answer: Int) -> bool:
    """Say whether a word may be guessed after `guess` got `code`.

    guess, code, as_answer: int64. as_answer: the code that `guess` would get if that word were the answer.
    """
    if not legality.hard or as_answer == code:
        return bool(as_answer == code)
    length = legality.letters.shape[1]
    shown = legality.digits[guess * legality.stride + code]
    would = legality.digits[guess * legality.stride + as_answer]
    for i in range(length):
        if shown[i] == 2 and would[i] != 2:
            return False
        # The letter must come again as often as it was hinted at. How often the word has it
        # is seen in the hints it would give, up to the count in `guess`, and no more was hinted at.
        if shown[i] > 0:
            hinted = 0
            reused = 0
            for j in range(length):
                if legality.letters[guess, j] == legality.letters[guess, i]:
                    hinted += shown[j] > 0
                    reused += would[j] > 0
            if reused < hinted:
                return False
    return True
