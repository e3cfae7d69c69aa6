"""Tables for other programs: --format csv and markdown print the rows of a result and nothing else."""

import csv
import inspect
import io
import json
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Annotated, Any, Literal

import typer

from sleuth.cli import show
from sleuth.support.errors import SleuthError

Format = Literal["csv", "markdown"]
_OPTION = Annotated[
    Format | None,
    typer.Option("--format", help="Print the table of the result and nothing else, as csv or markdown."),
]


def with_format(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that takes --json and gives its rows to show.as_json the option --format."""
    own = inspect.signature(command)

    @wraps(command)
    def run(**values: Any) -> None:
        form = values.pop("format")
        if form is not None:
            if values["json"]:
                raise SleuthError(f"--json and --format {form} do not go together; give one of them")
            show.rows_as(lambda rows: to_text(rows, form))
            values["json"] = True
        command(**values)

    added = inspect.Parameter("format", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=_OPTION)
    parameters = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own.parameters.values()]
    run.__signature__ = own.replace(parameters=[*parameters, added])  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in [*parameters, added]}
    return run


def to_text(rows: Iterable[Mapping[str, Any]], form: Format) -> str:
    """Return rows of plain values as CSV, numbers in full, or as a table of Markdown, with four decimals.

    What a value holds of its own becomes columns of its own, with a dot in their names.

    >>> print(to_text([{"guess": "salet", "best": {"mean": 3.25}}], "markdown"), end="")
    | guess | best.mean |
    | --- | ---: |
    | salet | 3.2500 |
    """
    flat = [_flat(row) for row in rows]
    columns = list(dict.fromkeys(column for row in flat for column in row))
    if form == "csv":
        out = io.StringIO()
        writer = csv.DictWriter(out, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(flat)
        return out.getvalue()
    if not columns:
        return ""
    right = [any(_is_number(row.get(column)) for row in flat) for column in columns]
    lines = [
        [_escaped(column) for column in columns],
        ["---:" if is_right else "---" for is_right in right],
        *([_shown(row.get(column)) for column in columns] for row in flat),
    ]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _flat(row: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, Mapping):
            flat.update(_flat(value, f"{before}{key}."))
        elif isinstance(value, list | tuple):
            plain = all(isinstance(item, str | int | float) for item in value)
            flat[before + key] = " ".join(map(str, value)) if plain else json.dumps(value, ensure_ascii=False)
        else:
            flat[before + key] = value
    return flat


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.4f}" if isinstance(value, float) else _escaped(str(value))


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")
