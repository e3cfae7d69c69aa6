"""Benchmarks."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from sleuth.cli import compiling, interrupts, show
from sleuth.cli.ending import File, end
from sleuth.cli.formats import with_format
from sleuth.cli.interrupts import finished_or_known
from sleuth.cli.options import Json

if TYPE_CHECKING:
    from sleuth.planning.benchmark.results import Results


@with_format
def bench(
    what: Annotated[Literal["planning"], typer.Argument(help="What is measured.")],
    problems: Annotated[
        str | None,
        typer.Option(
            help="Problems, separated by commas: those of docs/planning-benchmark.md, files of POMDPs, or"
            " FILE.py:NAME."
        ),
    ] = None,
    methods: Annotated[
        str | None,
        typer.Option(
            help="Methods, separated by commas, with options as in 'tree,despot(scenarios=100)', or"
            " FILE.py:NAME; the others are compared with the first."
        ),
    ] = None,
    episodes: Annotated[int, typer.Option(min=1, help="Of each method in each problem.")] = 100,
    seconds: Annotated[float, typer.Option(help="Of processor time for a decision.")] = 0.1,
    seed: Annotated[int, typer.Option(min=0, help="Of the episodes; all methods meet the same ones.")] = 0,
    keep: Annotated[
        Path | None,
        typer.Option(help="File where episodes are kept: the same command goes on from there, or adds more."),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Draw the rewards of each problem to a picture (.png, .svg, .pdf).")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes that play at once; else one a processor.")
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(help="A dask scheduler, such as tcp://host:8786, or local. Extra: distributed."),
    ] = None,
    json: Json = False,
) -> None:
    """Play methods of planning in problems, the same episodes and processor time a decision for all."""
    from sleuth.planning.benchmark import pictures
    from sleuth.planning.benchmark.results import ALL, METHODS, Benchmark, Results
    from sleuth.planning.benchmark.running import run
    from sleuth.support.pictures import check_path as check_picture
    from sleuth.support.pictures import draw
    from sleuth.support.specification import split

    asked = Benchmark(
        ALL if problems is None else tuple(split(problems)),
        METHODS if methods is None else tuple(split(methods)),
        episodes,
        seconds,
        seed,
    )
    if plot is not None:
        check_picture(plot)
    if not json:
        compiling.announce()
    if scheduler is not None:
        interrupts.take_time(20)  # what is under way on a cluster is taken back
    with show.steps("episodes", remaining=True) as update:
        found, interrupted = finished_or_known(
            lambda: run(asked, keep=keep, workers=workers, scheduler=scheduler, progress=update), Results
        )
    if json:
        show.as_json({**found.to_json(), "interrupted": interrupted}, found.to_records())
    else:
        _print(found)
    if not json and (line := asked.left_out()) is not None:
        show.note(line)
    if interrupted and keep is not None:
        show.note(f"{show.counted(found.done, 'episode')} in {keep}: the same command goes on from there")
    files: list[File] = []
    if plot is not None and found.done:
        files.append(
            ("picture", plot, partial(draw, plot, *pictures.panels(found), columns=pictures.COLUMNS))
        )
    end(files, json, interrupted, found.failures)


def _print(found: "Results") -> None:
    from sleuth.views.benchmark import table, title

    out = show.console()
    for problem in dict.fromkeys(standing.problem for standing in found.standings()):
        out.print(f"[bold]{title(found, problem).text}[/bold]")
        out.print(show.block(table(found, problem)))
