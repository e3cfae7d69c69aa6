"""What is known of every opener of a row of the table of results: shown, and gone on with."""

import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sleuth.cli import compiling, completing, interrupts, show
from sleuth.cli.formats import with_format
from sleuth.cli.interrupts import leave
from sleuth.cli.options import Json
from sleuth.support.errors import Interrupted, SleuthError, UnknownNameError
from sleuth.support.files import check_writable, unwritten

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleuth.games.game import Game
    from sleuth.ledger.openers import Opener
    from sleuth.ledger.record import Record
    from sleuth.support.progress import Watch

_SHOWN = 20
# Seconds after which a table that is being made is written again.
_EVERY = 20.0


@with_format
def openers(
    name: Annotated[
        str, typer.Argument(help="A row of sleuth records.", autocompletion=completing.records)
    ] = "original",
    words: Annotated[list[str] | None, typer.Argument(help="Openers to show; the best unless given.")] = None,
    shown: Annotated[
        int | None,
        typer.Option(min=1, help=f"How many of the best to show; all as JSON or CSV, else {_SHOWN}."),
    ] = None,
    bounds: Annotated[
        bool, typer.Option("--bounds", help="Bound those that are not in --table yet: by a beam, and a scan.")
    ] = False,
    best: Annotated[
        int | None,
        typer.Option(min=1, help="Prove what so many of the best openers take, and write them into --table."),
    ] = None,
    table: Annotated[
        Path | None,
        typer.Option(help="Another table than the one that ships (.csv, .csv.gz); a new one is begun."),
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(help="For --best: a file to keep bounds in; a run that was stopped goes on from it."),
    ] = None,
    json: Json = False,
) -> None:
    """Show what is known of every opener of a game: exact totals of the best ones, bounds of all others."""
    from sleuth.ledger import openers as ledger
    from sleuth.ledger.record import named
    from sleuth.ledger.record import records as read

    try:
        (record,) = named(read(), [name])
    except UnknownNameError as error:
        if name.lower() not in {row.opener for row in ledger.openers("original")}:
            raise
        raise SleuthError(f"{error}; is sleuth openers original {name} meant?") from None
    if bounds and best is not None:
        raise SleuthError("give --bounds or --best, not both")
    if store is not None and best is None:
        raise SleuthError("--store goes with --best")
    if store is not None:
        interrupts.take_time(interrupts.STORING)
    if not bounds and best is None:
        _print(record, ledger.openers(name, table), words or [], shown, json)
        return
    if table is None:
        raise SleuthError(f"{'--bounds' if bounds else '--best'} needs --table, the file that it writes")
    if not table.name.lower().endswith(ledger.SUFFIXES):
        raise SleuthError(f"{table}: a table of openers ends in {' or '.join(ledger.SUFFIXES)}")
    check_writable(table)
    game = ledger.check_asked(record)
    known: Sequence[Opener] = ledger.read(table, record) if table.exists() else ()
    ledger.check_against(known, game)
    if not json:
        compiling.announce()
    interrupted, fault = False, ""
    goes_on = store or (table if bounds else None)
    try:
        with show.steps(name, remaining=True) as update:
            if best is None:
                known, interrupted = _bound(game, known, table, record, update)
            else:
                known = ledger.with_best(game, known, best, store=store, progress=update)
    except (KeyboardInterrupt, Interrupted):
        interrupted = True
    if known or json:
        try:
            ledger.write(known, table, record)
        except OSError as error:
            fault = unwritten(table, error)
        _print(record, known, words or [], shown, json, interrupted)
    if fault and not interrupted:
        raise SleuthError(fault)
    if interrupted:
        if fault:
            show.note(fault)
        elif goes_on is not None and goes_on.exists():
            show.note(f"what is known is kept in {goes_on}: the same command goes on from it")
        leave(json)


def _bound(
    game: "Game", known: "Sequence[Opener]", table: Path, record: "Record", update: "Watch"
) -> "tuple[list[Opener], bool]":
    """Bound openers until all are, and keep in the table what is known by then.

    Returns all that is known, and whether it was interrupted.
    """
    from sleuth.ledger.openers import bounded, write

    rows, kept = list(known), time.monotonic()
    try:
        for some in bounded(game, known, update):
            rows += some
            if time.monotonic() > kept + _EVERY:
                with suppress(OSError):  # what is said at the end
                    write(rows, table, record)
                kept = time.monotonic()
    except KeyboardInterrupt:
        return rows, True
    return rows, False


def _print(
    record: "Record",
    rows: "Sequence[Opener]",
    words: "Sequence[str]",
    shown: int | None,
    json: bool,
    interrupted: bool = False,
) -> None:
    """Print openers of a table: those asked for, or the best."""
    from sleuth.ledger import wording

    rows = sorted(rows, key=lambda row: row.order)
    by_name = {row.opener: row for row in rows}
    if missing := [word for word in words if word.lower() not in by_name]:
        raise SleuthError(
            f"{missing[0]} is none of the {show.counted(len(rows), 'opener')} of {record.name} in the table"
        )
    chosen = [by_name[word.lower()] for word in words] or rows[: shown or (None if json else _SHOWN)]
    proved = sum(row.proved for row in rows)
    if json:
        plain = [{**row._asdict(), "proved": row.proved} for row in chosen]
        told = {"record": record.name, "openers": plain, "of": len(rows), "exactly": proved}
        show.as_json({**told, "interrupted": interrupted}, plain)
        return
    out = show.console()
    made = show.table("opener", "guesses", "mean")
    for row in chosen:
        as_record = row.of(record)
        made.add_row(row.opener, wording.result(as_record), wording.mean(as_record))
    out.print(made)
    out.print(f"[dim]{show.counted(len(rows), 'opener')} of {record.name}, {proved} exactly[/dim]")
