"""The published tables, run again."""

import sys
from typing import Annotated

import typer

from sleuth.cli import show
from sleuth.cli.options import Json


def reproduce(
    name: Annotated[
        str,
        typer.Argument(
            help="rollout-table1, rollout-table2, rollout-table3, short-table3, lookahead, learning or avts."
        ),
    ],
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the page that the docs show.")] = False,
    json: Json = False,
) -> None:
    """Reproduce a published table: its figure, ours under its conditions and under clean ones."""
    from rich.markdown import Markdown

    from sleuth.published import EXPERIMENTS

    run = EXPERIMENTS.load(name)
    if not json:
        show.announce_compiling()
    with show.steps(name) as update:
        result = run(update)
    if json:
        show.as_json(result.to_json())
    elif markdown or not sys.stdout.isatty():
        print(result.to_markdown())
    else:
        show.console().print(Markdown(result.to_markdown()))
