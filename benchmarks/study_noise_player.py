"""The player against hosts who lie in ten games that it never saw, beside one-step strategies.

    sleuth train noise_any --seed 0 --out runs/noise0     # and other seeds
    python benchmarks/study_noise_player.py runs/noise0 runs/noise1 ...

All play the same answers against the same lies, other ones for each of the weights. Games are those of
study_any_game.py, each with a host of its own; of the original lists the answers alone, ten times as fast.
"""

import argparse
from statistics import fmean

import numpy as np
from numpy.typing import NDArray
from study_any_game import GAMES as KNOWN
from study_any_game import interval

from sleuth import Game, wordle
from sleuth.games.wordlists import from_words, load
from sleuth.learning import NoisyLearned
from sleuth.variants.noise import (
    Channel,
    NoisyExpectedGuesses,
    NoisyInformationGain,
    NoisyPosition,
    NoisyStrategy,
    fibble,
    lies_with,
)
from sleuth.variants.noise.simulation import finish

GAMES = {
    "original answers": lambda: wordle(from_words(load("original").answers)),
    **{name: make for name, make in KNOWN.items() if name != "original"},
}
# How often hosts lie; None: in every row.
HOSTS = dict(zip(GAMES, (0.1, None, 0.2, 0.05, 0.1, 0.1, 0.2, 0.05, 0.1, 0.05), strict=True))
MOST = 40


def host(game: Game, rate: float | None) -> Channel:
    return fibble(game) if rate is None else lies_with(game, rate)


class Study:
    """A game and a host, and games against it that all players play."""

    def __init__(self, name: str, games: int, seed: int) -> None:
        game = GAMES[name]()
        self.start = NoisyPosition.start(game, host(game, HOSTS[name]))
        self.opener = NoisyInformationGain().choose(self.start)
        rng = np.random.default_rng([2024, seed])
        self.answers = rng.integers(len(game.answers), size=games).astype(np.int32)
        self.draws = rng.random((games, MOST))

    def turns(self, strategy: NoisyStrategy) -> NDArray[np.int32]:
        return finish(strategy, self.start, self.answers, self.draws, first=self.opener)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("weights", nargs="+", help="weights that ship, files, or folders of runs")
    parser.add_argument("--games", type=int, default=800, help="of each row, for each of the weights")
    parser.add_argument("--width", type=int, default=32)
    args = parser.parse_args()
    print("| game | lies | opener | information gain | expected guesses, % | learned, % |")
    print("|---" * 6 + "|")
    more: tuple[list[list[float]], ...] = ([], [])
    for name, rate in HOSTS.items():
        base: list[float] = []
        rows: tuple[list[float], ...] = ([], [])
        for seed, weights in enumerate(args.weights):
            study = Study(name, args.games, seed)
            base.append(float(study.turns(NoisyInformationGain()).mean()))
            for row, player in zip(
                rows, (NoisyExpectedGuesses(), NoisyLearned(weights, args.width)), strict=True
            ):
                row.append(100 * (float(study.turns(player).mean()) / base[-1] - 1))
        for column, row in zip(more, rows, strict=True):
            column.append(row)
        told = "every row" if rate is None else f"{rate:g}"
        opener = study.start.game.guesses[study.opener]
        print(
            f"| {name} | {told} | {opener} | {fmean(base):.3f} | {' | '.join(map(interval, rows))} |",
            flush=True,
        )
    means = [interval([fmean(run) for run in zip(*column, strict=True)]) for column in more]
    print(f"| all | | | | {' | '.join(means)} |")


if __name__ == "__main__":
    main()
