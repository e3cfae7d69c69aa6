"""The published tables, run again."""

import sys
from collections.abc import Callable
from functools import partial
from inspect import signature
from pathlib import Path
from typing import Annotated

import typer

from sleuth.cli import compiling, completing, show
from sleuth.cli.ending import File, end
from sleuth.cli.formats import with_format
from sleuth.cli.interrupts import finished_or_known
from sleuth.cli.options import Json


@with_format
def reproduce(
    name: Annotated[
        str,
        typer.Argument(
            help="rollout-table1, rollout-table2, rollout-table3, short-table2, short-table3, lookahead,"
            " learning, avts, estimators, or all.",
            autocompletion=completing.tables,
        ),
    ],
    words: Annotated[
        str | None, typer.Option(help="For short-table2: the words it is made for, a list by name or a file.")
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the page that the docs show.")] = False,
    plot: Annotated[
        Path | None, typer.Option(help="Draw the document's picture with ours in it (.png, .svg, .pdf).")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="For all: the folder of the page; a run that was stopped goes on with it."),
    ] = None,
    json: Json = False,
) -> None:
    """Reproduce a published table: its figure, ours under its conditions and under clean ones."""
    if name == "all" or out is not None:
        _all(name, out, markdown or words is not None or plot is not None, json)
    else:
        _one(name, words, markdown, plot, json)


def _all(name: str, out: Path | None, more: bool, json: bool) -> None:
    from sleuth.published import report
    from sleuth.support.errors import SleuthError
    from sleuth.support.pictures import check_path

    if name != "all" or out is None or more:
        raise SleuthError("the page of all tables is made with: sleuth reproduce all --out FOLDER")
    if out.exists() and not out.is_dir():
        raise SleuthError(f"{out} is no folder")
    check_path(out.absolute().parent / "picture.png")
    if not json:
        compiling.announce()
    with show.steps("all tables") as update:
        problems = report.write(out, update)
    page = out / "index.html"
    if json:
        show.as_json({"page": str(page), "problems": problems})
    else:
        print(f"page written to {page}")
    end([], json, problems=[f"{table} is missing: {why}" for table, why in problems.items()])


def _one(name: str, words: str | None, markdown: bool, plot: Path | None, json: bool) -> None:
    from rich.markdown import Markdown

    from sleuth.published import EXPERIMENTS
    from sleuth.published.pictures import draw
    from sleuth.published.steps import Steps
    from sleuth.published.table import Table
    from sleuth.support.errors import SleuthError
    from sleuth.support.pictures import check_path

    if json and markdown:
        raise SleuthError("give --json or --markdown, not both")
    run: Callable[..., Table] = EXPERIMENTS.load(name)
    if words is not None:
        if "words" not in signature(run).parameters:
            raise SleuthError(f"--words goes with short-table2; {name} is of the lists of its document")
        run = partial(run, words=words)
    if plot is not None:
        check_path(plot)
    if not json:
        compiling.announce()
    with show.steps(name) as update:
        result, interrupted = finished_or_known(lambda: run(Steps(update)), Table)
    if json:
        show.as_json({**result.to_json(), "interrupted": interrupted}, result.to_records())
    elif markdown or not sys.stdout.isatty():
        print(result.to_markdown())
    else:
        show.console().print(Markdown(result.to_markdown()))
    files: list[File] = []
    if plot is not None:
        files.append(("picture", plot, partial(draw, result.charts, plot)))
    end(files, json, interrupted)
