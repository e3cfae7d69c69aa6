"""The candidate-set player in ten games that it never saw, beside information gain from the same opener.

    sleuth train candidates_any --seed 0 --out runs/any0     # and other seeds
    python benchmarks/study_any_game.py runs/any0 runs/any1 ...
    python benchmarks/study_any_game.py --optimum            # how much less the best play takes, proved

What is drawn in training has none of these languages, nor these sizes of codes
(sleuth/learning/candidates/drawn_games.py).
"""

import argparse
from statistics import fmean, stdev

from scipy.stats import t as student

import sleuth
from sleuth import Game, Position, bulls_and_cows, mastermind, wordle

GAMES = {
    "original": lambda: wordle("original"),
    "German, 5 letters": lambda: wordle("frequent:de:5:1500"),
    "English, 4 letters": lambda: wordle("frequent:en:4:1500"),
    "Polish, 6 letters": lambda: wordle("frequent:pl:6:1500"),
    "Russian, 7 letters": lambda: wordle("frequent:ru:7:1500"),
    "Mastermind 4x6": lambda: mastermind(4, 6),
    "Mastermind 5x4": lambda: mastermind(5, 4),
    "Mastermind 3x9": lambda: mastermind(3, 9),
    "Mastermind 4x7, no repeats": lambda: mastermind(4, 7, repeats=False),
    "Bulls and Cows of 3": lambda: bulls_and_cows(3),
}
PLAYERS = {"learned": "learned(weights={})", "learned+search": "learned+search(weights={},width=128)"}


def total(strategy: str, game: Game, opener: str) -> int:
    return int(sleuth.evaluate(strategy, game, opener).tree.turns.sum())


def interval(values: list[float]) -> str:
    """Return the mean with its 95 % interval, by Student's t."""
    if len(values) < 2:
        return f"{values[0]:+.2f}"
    error = student.ppf(0.975, len(values) - 1) * stdev(values) / len(values) ** 0.5
    return f"{fmean(values):+.2f} ± {error:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("weights", nargs="*", help="weights that ship, files, or folders of runs")
    parser.add_argument("--optimum", action="store_true", help="prove the best total from the same opener")
    args = parser.parse_args()
    columns = [*PLAYERS] * bool(args.weights) + ["optimum"] * args.optimum
    print(f"| game | opener | information gain | {' | '.join(f'{one}, %' for one in columns)} |")
    print("|---" * (3 + len(columns)) + "|")
    more: dict[str, list[list[float]]] = {column: [] for column in columns}
    for name, make in GAMES.items():
        game = make()
        opener = game.guesses[sleuth.make("information-gain").choose(Position.start(game))]
        base = total("information-gain", game, opener)
        row = []
        for column in columns:
            if column == "optimum":
                proved = sleuth.prove(game, opener=opener)
                assert proved.total is not None  # nothing ends it before its time
                totals = [proved.total]
            else:
                totals = [total(PLAYERS[column].format(one), game, opener) for one in args.weights]
            more[column].append([100 * (one / base - 1) for one in totals])
            row.append(interval(more[column][-1]))
        print(f"| {name} | {opener} | {base / len(game.answers):.4f} | {' | '.join(row)} |", flush=True)
    means = [interval([fmean(run) for run in zip(*more[one], strict=True)]) for one in columns]
    print(f"| all | | | {' | '.join(means)} |")


if __name__ == "__main__":
    main()
