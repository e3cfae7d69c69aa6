"""The price of not knowing how often a host lies: players side by side, the same answers and lies for all.

    python benchmarks/unknown_rate.py price
    python benchmarks/unknown_rate.py price --game mastermind
    python benchmarks/unknown_rate.py carry
    python benchmarks/unknown_rate.py particles

`price`: every answer of the original lists, or of Mastermind, against hosts of several rates, by players who
know the rate, who learn it within the game, and who take it for another. `carry`: the same by players who
learned the rate of one host in some games before. Differences are to the player who knows, paired game by
game, with 95 % intervals. `particles`: how far beliefs are from exact ones.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from numpy.typing import NDArray

import sleuth
from sleuth.games.game import Game
from sleuth.planning.particles import ParticleBelief
from sleuth.variants.noise import (
    Beta,
    NoisyExpectedGuesses,
    NoisyReport,
    RateBelief,
    UnsurePosition,
    always_lies,
    evaluate,
    lies_with,
    series,
)
from sleuth.variants.noise.games import taken_for

_CLOSE = 1.96  # standard errors of a 95 % interval
_RATES = (0.1, 0.3)
_GRID = (np.arange(4000) + 0.5) / 4000
_TAKEN = ("unknown", "beta(2,18)", "0.01", "0.1", "0.3")


def paired(turns: NDArray[np.int32], known: NDArray[np.int32]) -> str:
    """Return the mean difference with its interval."""
    better = (turns - known).ravel().astype(float)
    error = better.std(ddof=1) / np.sqrt(len(better))
    return f"{better.mean():+.4f} ± {_CLOSE * error:.4f}"


def price(game: Game, seed: int) -> None:
    print("| rate | the player takes it for | mean | to the player who knows | too late | seconds |")
    print("|---|---|---|---|---|---|")
    for rate in _RATES:
        host, strategy = lies_with(game, rate), NoisyExpectedGuesses()
        known = evaluate(strategy, game, host, seed=seed)
        print(_line(rate, "the rate itself", known, ""), flush=True)
        for text in _TAKEN:
            if text == str(rate):
                continue
            found = evaluate(strategy, game, host, seed=seed, believed=taken_for(game, text, seed))
            print(_line(rate, text, found, paired(found.turns, known.turns)), flush=True)


def _line(rate: float, taken: str, report: NoisyReport, difference: str) -> str:
    return (
        f"| {rate:g} | {taken} | {report.mean:.4f} ± {_CLOSE * report.standard_error:.4f} | {difference}"
        f" | {report.failures} | {report.seconds:.0f} |"
    )


def carry(game: Game, rate: float, prior: str, seed: int) -> None:
    """Print what is known of a rate after some games in a row, and what every answer takes by that."""
    host, strategy = lies_with(game, rate), NoisyExpectedGuesses()
    known = evaluate(strategy, game, host, seed=seed)
    print("| games before | rate | 90 % interval | mean | to the player who knows | too late |")
    print("|---|---|---|---|---|---|")
    start = RateBelief.start(prior, seed=seed)
    for games in (0, 1, 10, 100):
        # Of other games than those that are counted.
        belief = series(strategy, game, host, start, games, seed + 1).known if games else start
        low, high = belief.interval()
        found = evaluate(strategy, game, host, seed=seed, believed=belief)
        print(
            f"| {games} | {belief.mean:.3f} | {low:.3f} to {high:.3f} | {found.mean:.4f}"
            f" | {paired(found.turns, known.turns)} | {found.failures} |",
            flush=True,
        )


def particles(game: Game, seed: int, repeats: int = 200) -> None:
    """Print how far beliefs after four random rows are from a fine grid, by kind and number of particles."""
    print("| particles | rate, particles of it alone | of both | answers, of it alone | of both |")
    print("|---|---|---|---|---|")
    prior, lies = Beta(2, 8), always_lies(game).matrix
    for n in (10, 100, 1000, 10_000):
        errors = np.empty((repeats, 4))
        for i in range(repeats):
            rng = np.random.default_rng([seed, i])
            answer, rate = int(rng.choice(len(game.answers), p=game.prior)), float(prior.draw(rng, 1)[0])
            host, rows = lies_with(game, rate), []
            for guess in rng.choice(len(game.guesses), 4, replace=False).tolist():
                shown = host.show(int(game.feedback_row(guess)[answer]), rng.random())
                if shown != game.solved:
                    rows.append((guess, shown))
            alone = UnsurePosition.begin(game, RateBelief.start(prior, n, i))
            drawn = np.column_stack([rng.choice(len(game.answers), n, p=game.prior), prior.draw(rng, n)])
            both = ParticleBelief.of(drawn)
            exact = game.prior[:, None] * np.exp(prior.log_density(_GRID))
            for guess, shown in rows:
                true = game.feedback_row(guess)

                def chance(answers: Any, rates: Any, shown: int = shown, true: Any = true) -> Any:
                    return rates * lies[true[answers], shown] + (1 - rates) * (true[answers] == shown)

                alone = alone.after(guess, shown)
                both = both.update(lambda p, chance=chance: chance(p[:, 0].astype(int), p[:, 1]), rng)
                exact = exact * chance(np.arange(len(game.answers))[:, None], _GRID[None])
            exact /= exact.sum()
            answers = np.bincount(both.particles[:, 0].astype(int), both.weights, len(game.answers))
            rates, chances = exact.sum(axis=0), exact.sum(axis=1)
            errors[i] = (
                abs(alone.rate.mean - rates @ _GRID),
                abs(both.mean()[1] - rates @ _GRID),
                np.abs(alone.weights - chances).sum() / 2,
                np.abs(answers - chances).sum() / 2,
            )
        print(f"| {n} | " + " | ".join(f"{e:.4f}" for e in errors.mean(axis=0)) + " |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["price", "carry", "particles"])
    parser.add_argument("--game", choices=["wordle", "mastermind"], default="wordle")
    parser.add_argument("--rate", type=float, default=0.1)
    parser.add_argument("--prior", default="unknown")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    game = sleuth.wordle("original") if given.game == "wordle" else sleuth.mastermind()
    if given.what == "price":
        price(game, given.seed)
    elif given.what == "carry":
        carry(game, given.rate, given.prior, given.seed)
    else:
        particles(sleuth.mastermind(3, 4), given.seed)


if __name__ == "__main__":
    main()
