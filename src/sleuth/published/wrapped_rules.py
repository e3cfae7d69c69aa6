"""Feedback as the code of Bhambri et al. (2022) computes it for words of more than five letters: wrong."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sleuth.games.codes import Codes
from sleuth.games.rules import WordleRules


@dataclass(frozen=True)
class WrappedRules(WordleRules):
    """Wordle whose codes are kept in eight bits, so that they wrap around at 256.

    The code adds up 3**i for a letter present and 2 * 3**i for a letter in place, i = 0 for the first letter,
    in numpy's uint8. That suits the 243 codes of five letters; of the 729 codes of six letters it takes some
    for others, and a guess tells less than it should.
    """

    @property
    def n_codes(self) -> int:
        return 256

    @property
    def solved(self) -> int:
        return int(self._wrapped[-1])

    @property
    def hints(self) -> NDArray[np.int64]:
        return np.zeros((0, self.n_codes), np.int64)

    @cached_property
    def _wrapped(self) -> NDArray[np.uint8]:
        """uint8 [codes of WordleRules]: what each becomes."""
        return (self.digits @ 3 ** np.arange(self.length) % self.n_codes).astype(np.uint8)

    @cached_property
    def digits(self) -> NDArray[np.uint8]:
        return WordleRules(self.length).digits

    def code(self, guess: str, answer: str) -> int:
        return int(self._wrapped[super().code(guess, answer)])

    def codes(self, guesses: Sequence[str], answers: Sequence[str]) -> Codes:
        return self._wrapped[WordleRules(self.length).codes(guesses, answers)]
