"""Studies: strategies by games by seeds."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sleuth.cli import compiling, interrupts, show
from sleuth.cli.ending import File, end
from sleuth.cli.formats import with_format
from sleuth.cli.interrupts import finished_or_known
from sleuth.cli.options import Json
from sleuth.support.errors import SleuthError

if TYPE_CHECKING:
    from sleuth.studies.played import Experiment


@with_format
def experiment(
    study: Annotated[
        Path, typer.Argument(help="A file of TOML: strategies, games, seeds, baseline; see docs/studies.md.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(help="File of the guesses of every answer, .csv or .parquet; else STUDY.csv."),
    ] = None,
    runs: Annotated[
        Path | None,
        typer.Option(help="Folder where finished runs are kept, and looked up; else STUDY.runs."),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Draw means and differences to a picture (.png, .svg, .pdf).")
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, help="Runs at once, on threads or a local cluster; else one a processor."),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(help="A dask scheduler, such as tcp://host:8786, or local. Extra: distributed."),
    ] = None,
    json: Json = False,
) -> None:
    """Play strategies in games and compare them; a study that was stopped goes on where it was."""
    from sleuth.studies import pictures
    from sleuth.studies.played import Experiment, check_path
    from sleuth.studies.running import experiment as run
    from sleuth.studies.study import Study
    from sleuth.support.pictures import check_path as check_picture
    from sleuth.support.pictures import draw

    asked = Study.read(study)
    keep = study.with_suffix(".runs") if runs is None else runs
    written = study.with_suffix(".csv") if out is None else out
    if out is None and written.exists() and not keep.is_dir():
        raise SleuthError(f"{written} is there already, and not of this study; --out says where results go")
    check_path(written)
    if plot is not None:
        check_picture(plot)
    for remark in dict.fromkeys(note for game in asked.games.values() for note in game.notes):
        show.note(remark)
    if not json:
        compiling.announce()
    if scheduler is not None:
        interrupts.take_time(20)  # what is under way on a cluster is taken back
    with show.steps(study.stem, remaining=True) as update:
        found, interrupted = finished_or_known(
            lambda: run(asked, keep=keep, workers=workers, scheduler=scheduler, progress=update), Experiment
        )
    if json:
        rows = [standing.to_json() for standing in found.standings()]
        show.as_json({**found.to_json(), "interrupted": interrupted}, rows)
    else:
        _print(found)
    if interrupted:
        kept = show.counted(len(found.played), "finished run")
        show.note(f"{kept} in {keep}: the same command goes on from there")
    files: list[File] = []
    if found.played and not interrupted:
        files.append(("results", written, partial(found.save, written)))
    if plot is not None and found.played:
        files.append(("picture", plot, partial(draw, plot, *pictures.panels(found))))
    end(files, json, interrupted, found.problems.values())


def _print(found: "Experiment") -> None:
    from sleuth.views.experiment import table, title

    out = show.console()
    standings = found.standings()
    for game in dict.fromkeys(standing.game for standing in standings):
        out.print(f"[bold]{title(found, game).text}[/bold]")
        out.print(show.block(table([one for one in standings if one.game == game], found.study.baseline)))
