"""Games against a host that lies: one of them, a strategy against every answer, many with the same host."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth.games.game import Game
from sleuth.games.players import as_player
from sleuth.support.errors import Interrupted, SleuthError
from sleuth.support.indices import checked_index
from sleuth.support.progress import Progress, Watch
from sleuth.support.ranges import check_seed
from sleuth.variants.noise.belief import NoisyPosition, Teller
from sleuth.variants.noise.channel import Channel, always_lies, lies_with
from sleuth.variants.noise.rates import RatePrior
from sleuth.variants.noise.simulation import finish
from sleuth.variants.noise.strategies import NoisyStrategy, called, chosen
from sleuth.variants.noise.unknown import RateBelief, UnsurePosition, liars

Believed = Channel | RateBelief
"""What a player takes a host for: one whose channel is known, or one who lies nobody knows how often."""


@dataclass(frozen=True)
class NoisyGame:
    """A game that was played.

    Attributes:
        rows: each guess and the code shown for it, by index.
        solved: whether the answer was found; else the game was given up.
        last: the position after all rows, the last one too.

    """

    rows: tuple[tuple[int, int], ...]
    solved: bool
    last: NoisyPosition = field(repr=False, compare=False)


def play(
    strategy: NoisyStrategy,
    game: Game,
    channel: Channel,
    answer: int,
    rng: np.random.Generator,
    max_turns: int = 30,
    believed: Believed | None = None,
) -> NoisyGame:
    """Play one game. One number is drawn from rng for every row. answer: by index.

    channel: what the host shows. believed: what the player takes the host for, if not that. The game ends
    with a right guess, when an answer that no guess can name is certain, or after max_turns. Raises
    SleuthError, StrategyError.
    """
    answer = checked_index(game.name, "answer", answer, len(game.answers))
    strategy = as_player(strategy)
    channel.check(game)
    position, rows = begin(game, channel if believed is None else believed), []
    for _ in range(max_turns):
        guess = chosen(strategy, position)
        shown = channel.show(int(game.feedback_row(guess)[answer]), rng.random())
        rows.append((guess, shown))
        position = position.after(guess, shown)
        if shown == game.solved or position.is_known:
            return NoisyGame(tuple(rows), True, position)
    return NoisyGame(tuple(rows), False, position)


def taken_for(game: Game, chance: str, seed: int = 0) -> Believed:
    """Return what a host is taken for by a text: a number, how likely a row is a lie, or a rate_prior's.

    seed: of the particles. Raises SleuthError for any other text and for numbers that are no chance.
    """
    try:
        p = float(chance)
    except ValueError:
        return RateBelief.start(chance, seed=seed)
    return lies_with(game, p)


def host_of(game: Game, believed: Believed, rate: float | None = None) -> Channel | RatePrior:
    """Return the host who lies at a rate; at none, the host that is believed in. Raises SleuthError."""
    if rate is not None:
        return lies_with(game, rate)
    return believed.prior if isinstance(believed, RateBelief) else believed


def begin(game: Game, believed: Believed) -> NoisyPosition:
    """Return the position before the first guess, by what a host is taken for. Raises SleuthError."""
    if isinstance(believed, RateBelief):
        return UnsurePosition.begin(game, believed)
    return NoisyPosition.start(game, believed)


@dataclass(frozen=True)
class NoisyReport:
    """How good a strategy is against a host that lies.

    Attributes:
        strategy: what played.
        channel: what the host showed.
        believed: what the strategy took the host for.
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
    believed: str
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
            "believed": self.believed,
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
    channel: Channel | RatePrior,
    games_per_answer: int = 1,
    seed: int = 0,
    most: int = 30,
    progress: Watch | None = None,
    believed: Believed | None = None,
) -> NoisyReport:
    """Play a strategy against every answer.

    channel: what hosts show; if it is a prior, each game has a host of its own, who lies at a rate drawn from
    it. believed: what the strategy takes every host for, if not for that.

    The lies of the i-th game with an answer are those of play with np.random.default_rng([seed, answer, i]),
    so that they depend neither on the strategy nor on threads. A game is given up after `most` guesses.
    Games with the same rows share their positions and choices. Raises SleuthError, StrategyError.
    """
    _check_counts(games_per_answer=games_per_answer, most=most)
    check_seed(seed)
    strategy = as_player(strategy)
    began = time.perf_counter()
    answers = np.repeat(np.arange(len(game.answers), dtype=np.int32), games_per_answer)
    seeds = [[seed, answer, i] for answer in range(len(game.answers)) for i in range(games_per_answer)]
    draws = np.array([np.random.default_rng(key).random(most) for key in seeds])
    teller: Teller
    if isinstance(channel, Channel):
        channel.check(game)
        teller, taken = channel.tell, believed or channel
    else:
        rates = np.concatenate([channel.draw(np.random.default_rng([*key, 1]), 1) for key in seeds])
        teller, taken = liars(always_lies(game), rates), believed or RateBelief.start(channel, seed=seed)
    turns = finish(strategy, begin(game, taken), answers, draws, progress=progress, teller=teller)
    shares = game.prior[answers] / games_per_answer
    mean, n = float(turns @ shares), len(turns)
    spread = float(((turns - mean) ** 2) @ shares**2)
    numbers, counts = np.unique(turns, return_counts=True)
    return NoisyReport(
        called(strategy),
        channel.name if isinstance(channel, Channel) else f"lies with {channel.name}",
        taken.name,
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


@dataclass(frozen=True)
class NoisySeries:
    """Games one after another with the same host, and what was known of the host's rate after each.

    Attributes:
        strategy: what played.
        channel: what the host showed.
        believed: what the strategy took the host for at first.
        turns: int32 [games]: the guesses of each; one more than was allowed for a game given up.
        rates: float64 [games, 3]: the expected rate after each, and the ends of the interval that holds the
            rate with nine chances of ten.
        known: what was known of the rate after the last one.
        seconds: how long it took.

    """

    strategy: str
    channel: str
    believed: str
    turns: NDArray[np.int32] = field(repr=False, compare=False)
    rates: NDArray[np.float64] = field(repr=False, compare=False)
    known: RateBelief = field(repr=False, compare=False)
    seconds: float

    @property
    def milestones(self) -> list[int]:
        """1, 2, 5, 10 and so on, and the number of games: after how many games to look."""
        steps = (m * 10**e for e in range(len(str(len(self.turns)))) for m in (1, 2, 5))
        return sorted({*(step for step in steps if step < len(self.turns)), len(self.turns)})

    @property
    def mean(self) -> float:
        """Guesses, the mean over the games."""
        return float(self.turns.mean())

    @property
    def standard_error(self) -> float:
        """Of the mean."""
        return float(self.turns.std(ddof=min(1, len(self.turns) - 1)) / np.sqrt(len(self.turns)))

    def to_json(self) -> dict[str, Any]:
        """Return the series as plain values."""
        return {
            "strategy": self.strategy,
            "channel": self.channel,
            "believed": self.believed,
            "games": len(self.turns),
            "mean": self.mean,
            "standard_error": self.standard_error,
            "turns": self.turns.tolist(),
            "rates": [{"mean": mean, "low": low, "high": high} for mean, low, high in self.rates.tolist()],
            "seconds": round(self.seconds, 4),
        }


def series(
    strategy: NoisyStrategy,
    game: Game,
    channel: Channel | RatePrior,
    believed: RateBelief,
    games: int,
    seed: int = 0,
    most: int = 30,
    progress: Watch | None = None,
) -> NoisySeries:
    """Play games one after another with one host, and carry what is known of its rate from game to game.

    Answers are drawn by the prior: all of them and the lies follow from the seed, not from the strategy or
    from what it believes. channel: what the host shows; of a prior, the one whose rate the seed draws from
    it. believed: what is known of it before the first game.
    Raises SleuthError, StrategyError; on Ctrl-C Interrupted, whose `known` is the series of the games that
    are finished, if any are.
    """
    _check_counts(games=games, most=most)
    check_seed(seed)
    strategy = as_player(strategy)
    began = time.perf_counter()
    answers = np.random.default_rng([seed, 0]).choice(len(game.answers), games, p=game.prior)
    if not isinstance(channel, Channel):
        channel = lies_with(game, float(channel.draw(np.random.default_rng([seed, 2]), 1)[0]))
    turns, rates, known = np.empty(games, np.int32), np.empty((games, 3)), believed
    done = 0
    try:
        for i, answer in enumerate(answers.tolist()):
            rng = np.random.default_rng([seed, 1, i])
            played = play(strategy, game, channel, answer, rng, most, known)
            assert isinstance(played.last, UnsurePosition)
            learned = played.last.finished
            turns[i] = len(played.rows) + (not played.solved)
            rates[i] = learned.mean, *learned.interval()
            known, done = learned, i + 1
            if progress is not None:
                progress(Progress(done, games, f"rate {known.mean:.3f}"))
    except KeyboardInterrupt:
        if not done:
            raise
    found = NoisySeries(
        called(strategy),
        channel.name,
        believed.name,
        turns[:done],
        rates[:done],
        known,
        time.perf_counter() - began,
    )
    if done < games:
        raise Interrupted(found)
    return found


def _check_counts(**counts: int) -> None:
    """Raise SleuthError for what is no whole number from 1."""
    for name, count in counts.items():
        if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1:
            raise SleuthError(f"{name} must be a whole number, 1 or more, not {count!r}")
