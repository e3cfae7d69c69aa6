"""What exact search has proven of the games that ship: the fewest guesses over all answers.

docs/exact.md says how long each proof takes, `sleuth prove` runs it again, and the tests run the quick ones.
The optimum is of the strategies that find every answer within the game's turns; one that plays on may take
fewer guesses in all.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from sleuth.games.game import Game, Mode

ORIGINAL = "180dee21927fdc0041fce58619e9dff86093bd273eae6b905d45d5cb701bb1ee"
ORIGINAL_ANSWERS = "c847dea4a830b33257dc857c075852dd65f0960f19a7c425b2c27daca889836c"
NEW_YORK_TIMES = "3d6c2bbca5929af6dc04ef46446ae80c5ad5000b45ac4fadc5c59ddde07b063a"
MASTERMIND = "3accdfd5442fa7367a9b7531d09a12378206d298ef301a7297ebcf295a235769"
BULLS_AND_COWS = "3fcfebdd12505f1076a75ebc8fc0bb34e4e7c9297bcc300039a0409157ee0deb"


@dataclass(frozen=True)
class Optimum:
    """The fewest guesses that all answers of a game take together, and an opener that reaches them.

    Attributes:
        total: the guesses, summed over the answers.
        mean: the guesses an answer takes on average.
        opener: the first guess.

    """

    total: int
    mean: float
    opener: str

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        return asdict(self)


_TOTALS: dict[tuple[str, Mode], tuple[int, str]] = {
    (ORIGINAL, "easy"): (7920, "salet"),
    (ORIGINAL, "hard"): (8122, "salet"),
    (ORIGINAL, "strict"): (8125, "salet"),
    (ORIGINAL_ANSWERS, "easy"): (7973, "slate"),
    (NEW_YORK_TIMES, "easy"): (11219, "tarse"),
    (MASTERMIND, "easy"): (5625, "1123"),
    (BULLS_AND_COWS, "easy"): (26274, "0123"),
}
"""By the digest of a game and its mode: the total and an opener that takes it."""


def optimum(game: Game) -> Optimum | None:
    """Return what is proven of a game in its mode under the uniform prior, None where nothing ships."""
    found = _TOTALS.get((game.digest, game.mode)) if game.is_uniform else None
    return None if found is None else Optimum(found[0], found[0] / len(game.answers), found[1])
