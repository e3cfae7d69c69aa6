"""Games against a host that lies: one of them, and a strategy against every answer."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth.games.game import Game
from sleuth.games.strategy import check_player
from sleuth.support.errors import SleuthError
from sleuth.support.indices import checked_index
from sleuth.support.progress import Watch
from sleuth.variants.noise.belief import NoisyPosition
from sleuth.variants.noise.channel import Channel
from sleuth.variants.noise.simulation import finish
from sleuth.variants.noise.strategies import NoisyStrategy, chosen


@dataclass(frozen=True)
class NoisyGame:
    """A game that was played.

    Attributes:
        rows: each guess and the code shown for it, by index.
        solved: whether the answer was found; else the game was given up.

    """

    rows: tuple[tuple[int, int], ...]
    solved: bool


def play(
    strategy: NoisyStrategy,
    game: Game,
    channel: Channel,
    answer: int,
    rng: np.random.Generator,
    max_turns: int = 30,
) -> NoisyGame:
    """Play one game. One number is drawn from rng for every row. answer: by index.

    The game ends with a right guess, when an answer that no guess can name is certain, or after max_turns.
    Raises SleuthError, StrategyError.
    """
    answer = checked_index(game.name, "answer", answer, len(game.answers))
    check_player(strategy, "choose")
    position, rows = NoisyPosition.start(game, channel), []
    for _ in range(max_turns):
        guess = chosen(strategy, position)
        shown = channel.show(int(game.feedback_row(guess)[answer]), rng.random())
        rows.append((guess, shown))
        if shown == game.solved:
            return NoisyGame(tuple(rows), True)
        position = position.after(guess, shown)
        if position.is_known:
            return NoisyGame(tuple(rows), True)
    return NoisyGame(tuple(rows), False)


@dataclass(frozen=True)
class NoisyReport:
    """How good a strategy is against a host that lies.

    Attributes:
        strategy: what played.
        channel: what the host showed.
        games: how many games were played.
        mean: guesses, the mean over games, answers weighted by the prior.
        standard_error: of the mean, as if the answers were drawn too; since every answer is played equally
            often, the mean is more certain than that.
        worst: the most guesses of any game.
        histogram: games by number of guesses.
        failures: games that took more than the game's max_turns.
        unfinished: games given up; in all other numbers they count with one guess more than was allowed.
        seconds: how long it took.
        turns: int32 [answers, games of each]: the guesses of every game.

    """

    strategy: str
    channel: str
    games: int
    mean: float
    standard_error: float
    worst: int
    histogram: dict[int, int]
    failures: int
    unfinished: int
    seconds: float
    turns: NDArray[np.int32] = field(repr=False, compare=False)

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain values, without the turns of each game."""
        return {
            "strategy": self.strategy,
            "channel": self.channel,
            "games": self.games,
            "mean": self.mean,
            "standard_error": self.standard_error,
            "worst": self.worst,
            "histogram": {str(turns): count for turns, count in self.histogram.items()},
            "failures": self.failures,
            "unfinished": self.unfinished,
            "seconds": round(self.seconds, 4),
        }


def evaluate(
    strategy: NoisyStrategy,
    game: Game,
    channel: Channel,
    games_per_answer: int = 1,
    seed: int = 0,
    most: int = 30,
    progress: Watch | None = None,
) -> NoisyReport:
    """Play a strategy against every answer.

    The lies of the i-th game with an answer are those of play with np.random.default_rng([seed, answer, i]),
    so that they depend neither on the strategy nor on threads. A game is given up after `most` guesses.
    Games with the same rows share their positions and choices. Raises SleuthError, StrategyError.
    """
    if games_per_answer < 1 or most < 1:
        raise SleuthError(f"games_per_answer and most must be 1 or more, not {games_per_answer} and {most}")
    check_player(strategy, "choose")
    began = time.perf_counter()
    start = NoisyPosition.start(game, channel)
    answers = np.repeat(np.arange(len(game.answers), dtype=np.int32), games_per_answer)
    draws = np.array(
        [
            np.random.default_rng([seed, answer, i]).random(most)
            for answer in range(len(game.answers))
            for i in range(games_per_answer)
        ]
    )
    turns = finish(strategy, start, answers, draws, progress=progress)
    shares = game.prior[answers] / games_per_answer
    mean, n = float(turns @ shares), len(turns)
    spread = float(((turns - mean) ** 2) @ shares**2)
    numbers, counts = np.unique(turns, return_counts=True)
    return NoisyReport(
        strategy.name,
        channel.name,
        n,
        mean,
        float(np.sqrt(spread * n / max(1, n - 1))),
        int(turns.max()),
        dict(zip(numbers.tolist(), counts.tolist(), strict=True)),
        int((turns > game.max_turns).sum()),
        int((turns > most).sum()),
        time.perf_counter() - began,
        turns.reshape(len(game.answers), games_per_answer),
    )
