"""The records that kernels take. Plain named tuples of arrays, so that numba sees their fields."""

from typing import NamedTuple

from sleuth.kernels import Array
from sleuth.kernels.frugal import held


@held
class Tables(NamedTuple):
    """A game as the kernels see it."""

    by_guess: Array  # feedback codes, [guesses, answers], as bytes (kernels/codes.py)
    by_answer: Array  # the same, [answers, guesses]
    answer_guess: Array  # int32 [answers]: the guess that is this answer, or -1
    guess_answer: Array  # int32 [guesses]: the answer that is this guess, or -1
    weights: Array  # float64 [answers], or empty under the uniform prior
    values: Array  # int64 [rows, codes]: what VALUE sums
    n_codes: int
    wide: bool  # whether codes take two bytes


class Codes(NamedTuple):
    """Codes laid out so that the one of guess g and answer a is at g * per_guess + a * per_answer."""

    flat: Array  # [guesses * answers], as bytes
    wide: bool
    per_guess: int
    per_answer: int


@held
class Sets(NamedTuple):
    """Candidate sets end to end, and the legal guesses of each (no legal_starts: every guess)."""

    starts: Array  # int64 [sets + 1]
    members: Array  # int32 [total]: answers, ascending within a set
    legal_starts: Array  # int64 [sets + 1], or empty
    legal: Array  # int32 [total]: guesses, ascending within a set


@held
class Chain(NamedTuple):
    """Criteria in order: the first decides, each next one breaks the ties left; last is list order."""

    kinds: Array  # int64 [criteria]
    parameters: Array  # float64 [criteria]


@held
class Legality(NamedTuple):
    """What the rule on legal guesses needs to know."""

    letters: Array  # int32 [guesses, length]: for the hard rule, else empty
    digits: Array  # uint8 [codes, length]: codes spelled out, for the hard rule, else empty
    stride: int  # codes of a guess after which those of the next one come, 0 where they are the same for all
    hard: bool  # the New York Times rule, else consistency with all feedback
