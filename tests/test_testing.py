"""The conformance checks pass what ships, and catch what does not conform."""

from typing import ClassVar

import numpy as np
import pytest

import sleuth
from sleuth.games import wordlists
from sleuth.games.game import Game, Mode
from sleuth.games.position import Position
from sleuth.games.strategy import Suggestion, describe
from sleuth.strategies.registry import STRATEGIES
from sleuth.testing import check_game, check_strategy

WORDS = wordlists.from_words(["crane", "trace", "react", "caret", "slate", "least", "stale", "steal"])


@pytest.mark.parametrize(
    "game",
    [
        sleuth.wordle(WORDS),
        sleuth.mastermind(3, 3),
        sleuth.bulls_and_cows(2),
        sleuth.Game.from_function(lambda guess, answer: (guess > answer) - (guess < answer), range(9)),
    ],
    ids=lambda game: game.name,
)
def test_shipped_games_conform(game: Game) -> None:
    check_game(game)


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("mode", ["easy", "hard", "strict"])
def test_shipped_strategies_conform(name: str, mode: Mode) -> None:
    check_strategy(sleuth.make(name), sleuth.wordle(WORDS, mode=mode))


@pytest.mark.parametrize("name", STRATEGIES)
def test_shipped_strategies_conform_where_answers_have_no_weight(name: str) -> None:
    check_strategy(sleuth.make(name), sleuth.wordle(WORDS).with_prior([1, 0, 0, 0, 0, 0, 0, 0]))  # type: ignore[arg-type]  # lists are taken too


def test_a_wrong_matrix_is_caught() -> None:
    game = sleuth.wordle(WORDS)
    game.__dict__["feedback"] = np.roll(game.feedback, 1, axis=1)
    with pytest.raises(AssertionError, match="is not code"):
        check_game(game)


class Moody:
    """Chooses otherwise each time it is asked."""

    name: ClassVar[str] = "moody"

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, position: Position) -> int:
        self.asked += 1
        return int(position.game.answer_guess[position.candidates[self.asked % len(position.candidates)]])

    def rank(self, position: Position, limit: int = 20) -> list[Suggestion]:
        return describe(position, np.array([self.choose(position)]))


def test_a_moody_strategy_is_caught() -> None:
    with pytest.raises(AssertionError, match="moody"):
        check_strategy(Moody(), sleuth.wordle(WORDS))
