"""The commands together."""

from collections.abc import Callable
from typing import Annotated

import typer

from sleuth.cli import (
    advise,
    assist,
    bench,
    boards,
    difficulty,
    hosting,
    listing,
    measure,
    opening,
    planning,
    play,
    policies,
    preparing,
    proving,
    recording,
    reproduce,
    reviewing,
    searching,
    serving,
    studying,
    training,
    verifying,
)
from sleuth.cli.distinct import Command

app = typer.Typer(
    name="sleuth",
    help="Play, study and solve guessing games: the best next guess, and how good a strategy is.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        from sleuth.support.version import VERSION

        print(f"sleuth {VERSION}")
        raise typer.Exit


@app.callback()
def _sleuth(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


COMMANDS: dict[str, Callable[..., None]] = {
    "play": play.play,
    "assist": assist.assist,
    "review": reviewing.review,
    "statistics": play.statistics,
    "suggest": advise.suggest,
    "rank": advise.rank,
    "evaluate": measure.evaluate,
    "compare": measure.compare,
    "experiment": studying.experiment,
    "difficulty": difficulty.difficulty,
    "words": preparing.words,
    "check-tree": measure.check_tree,
    "prove": proving.prove,
    "verify": verifying.verify,
    "records": recording.records,
    "openers": opening.openers,
    "avts": searching.avts,
    "absurdle": hosting.absurdle,
    "equilibrium": hosting.equilibrium,
    "fibble": hosting.fibble,
    "boards": boards.boards,
    "plan": planning.plan,
    "check-policy": policies.check_policy,
    "bench": bench.bench,
    "reproduce": reproduce.reproduce,
    "train": training.train,
    "curves": training.curves,
    "features": training.features,
    "serve": serving.serve,
    "games": listing.games,
    "strategies": listing.strategies,
    "warmup": listing.warmup,
}
for _name, _command in COMMANDS.items():
    app.command(_name, cls=Command)(_command)
