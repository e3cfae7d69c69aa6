"""What is said to be proven is what the games are, and what the search proves."""

import numpy as np
import pytest

import sleuth
from sleuth.exact import optima
from sleuth.games import wordlists
from sleuth.games.game import Game

GAMES = {
    optima.ORIGINAL: lambda: sleuth.wordle("original"),
    optima.ORIGINAL_ANSWERS: lambda: sleuth.wordle(wordlists.load("original").answers),
    optima.NEW_YORK_TIMES: lambda: sleuth.wordle("nyt"),
    optima.MASTERMIND: sleuth.mastermind,
    optima.BULLS_AND_COWS: sleuth.bulls_and_cows,
}


@pytest.mark.parametrize("digest", GAMES)
def test_games_are_known_by_their_words(digest: str) -> None:
    assert GAMES[digest]().digest == digest


def test_every_total_is_of_such_a_game_and_its_opener_may_be_played() -> None:
    for (digest, mode), (total, opener) in optima._TOTALS.items():
        game = GAMES[digest]().with_mode(mode)
        found = optima.optimum(game)
        assert found.to_json() == {"total": total, "mean": total / len(game.answers), "opener": opener}
        game.find(opener)


@pytest.mark.parametrize(
    "game",
    [
        sleuth.wordle("nyt", mode="hard"),
        sleuth.mastermind(3, 6),
        sleuth.wordle(["crane", "trace"]),
        sleuth.wordle("original", prior=np.arange(2315.0)),
    ],
    ids=lambda game: f"{game.name} {game.mode}",
)
def test_nothing_is_said_of_other_games(game: Game) -> None:
    assert optima.optimum(game) is None


def test_the_search_proves_the_quick_ones() -> None:
    assert sleuth.prove(sleuth.mastermind()).total == optima.optimum(sleuth.mastermind()).total
    original = sleuth.wordle("original")
    assert sleuth.prove(original, opener="salet").total == optima.optimum(original).total
