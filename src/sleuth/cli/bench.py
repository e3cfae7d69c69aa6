"""Benchmarks."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from sleuth.cli import compiling, show
from sleuth.cli.ending import end
from sleuth.cli.formats import with_format
from sleuth.cli.interrupts import finished_or_known
from sleuth.cli.options import Json

if TYPE_CHECKING:
    from sleuth.planning.benchmark.results import Results


@with_format
def bench(
    what: Annotated[Literal["planning"], typer.Argument(help="What is measured.")],
    problems: Annotated[
        str | None, typer.Option(help="Problems, separated by commas: those of docs/planning-benchmark.md.")
    ] = None,
    methods: Annotated[
        str | None,
        typer.Option(
            help="Methods, separated by commas, with options as in 'tree,despot(scenarios=100)'; the others"
            " are compared with the first."
        ),
    ] = None,
    episodes: Annotated[int, typer.Option(min=1, help="Of each method in each problem.")] = 100,
    seconds: Annotated[float, typer.Option(help="Of processor time for a decision.")] = 0.1,
    seed: Annotated[int, typer.Option(help="Of the episodes; all methods meet the same ones.")] = 0,
    keep: Annotated[
        Path | None,
        typer.Option(help="File where episodes are kept: the same command goes on from there, or adds more."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes that play at once; else one a processor.")
    ] = None,
    json: Json = False,
) -> None:
    """Play methods of planning in problems, the same episodes and processor time a decision for all."""
    from sleuth.planning.benchmark.problems import PROBLEMS
    from sleuth.planning.benchmark.results import METHODS, Benchmark, Results
    from sleuth.planning.benchmark.running import run
    from sleuth.support.specification import split

    asked = Benchmark(
        tuple(PROBLEMS) if problems is None else tuple(split(problems)),
        METHODS if methods is None else tuple(split(methods)),
        episodes,
        seconds,
        seed,
    )
    if not json:
        compiling.announce()
    with show.steps("episodes", remaining=True) as update:
        found, interrupted = finished_or_known(
            lambda: run(asked, keep=keep, workers=workers, progress=update), Results
        )
    if json:
        show.as_json({**found.to_json(), "interrupted": interrupted}, found.to_records())
    else:
        _print(found)
    if interrupted and keep is not None:
        show.note(f"{show.counted(found.done, 'episode')} in {keep}: the same command goes on from there")
    end([], json, interrupted, found.problems.values())


def _print(found: "Results") -> None:
    from sleuth.views.benchmark import table, title

    out = show.console()
    for problem in dict.fromkeys(standing.problem for standing in found.standings()):
        out.print(f"[bold]{title(found, problem).text}[/bold]")
        out.print(show.block(table(found, problem)))
