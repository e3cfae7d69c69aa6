"""The table of results: shown, checked, and gone on with."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from json import dumps as to_text
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sleuth.cli import compiling, completing, interrupts, show
from sleuth.cli.ending import end
from sleuth.cli.formats import with_format
from sleuth.cli.hearing import heard
from sleuth.cli.interrupts import finished_or_known, leave
from sleuth.cli.options import Json
from sleuth.support.errors import SleuthError
from sleuth.support.files import check_writable, unwritten

if TYPE_CHECKING:
    from sleuth.ledger.record import Record
    from sleuth.ledger.running import Hire
    from sleuth.support.progress import Watch

_WIDE = 70
Step = Callable[["Record", "Watch | None"], "Record"]
"""What takes a row a step on: bounds, or a proof."""


@with_format
def records(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            help="Rows of the table; all unless given.",
            autocompletion=completing.records,
        ),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Run rows again, and say whether the results are the same.")
    ] = False,
    bounds: Annotated[
        bool, typer.Option("--bounds", help="Bound what is open, by a beam from above, a scan from below.")
    ] = False,
    run: Annotated[bool, typer.Option("--run", help="Prove what is not proved yet.")] = False,
    table: Annotated[
        Path | None,
        typer.Option(
            help="Another table than the one that ships; --bounds and --run write into it, or begin it."
        ),
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(
            help="For --run: a file to keep bounds in, for several rows a folder; a run that was stopped goes"
            " on from it."
        ),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(help="For --run: a dask scheduler, such as tcp://host:8786, or local."),
    ] = None,
    certificates: Annotated[
        Path | None,
        typer.Option(
            help="For --run: a folder to write certificates into, NAME.cert, with their digests in the rows."
        ),
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the table that the docs show.")] = False,
    json: Json = False,
) -> None:
    """Show what is known of the best play in many games; run rows again, or those that are not settled."""
    from sleuth.ledger.record import named
    from sleuth.ledger.record import records as read
    from sleuth.ledger.running import bounded

    asked = [option for option, given in (("--check", check), ("--bounds", bounds), ("--run", run)) if given]
    if markdown and (asked or json):
        raise SleuthError(f"give --markdown or {(asked or ['--json'])[0]}, not both")
    if len(asked) > 1:
        raise SleuthError(f"give {asked[0]} or {asked[1]}, not both")
    if asked and not names:
        raise SleuthError(f"{asked[0]} takes the names of rows; sleuth records lists them")
    if not run and any(given is not None for given in (store, scheduler, certificates)):
        raise SleuthError("--store, --scheduler and --certificates go with --run")
    if certificates is not None and certificates.exists() and not certificates.is_dir():
        raise SleuthError(f"--certificates takes a folder, and {certificates} is none")
    # A table that is not there yet begins with the rows that ship.
    rows = read(None if table is not None and (bounds or run) and not table.exists() else table)
    chosen = named(rows, names) if names else list(rows)
    if check:
        _check(chosen, json)
    elif bounds or run:
        if table is not None:
            check_writable(table)
        stores = _stores(chosen, store)
        if certificates is not None:
            certificates.mkdir(parents=True, exist_ok=True)
            for row in chosen:
                check_writable(_certificate(row, certificates))
        if stores or certificates is not None:
            interrupts.take_time(interrupts.STORING)  # else a proved row is lost with its certificate
        todo = [row for row in chosen if not _is_done(row, bounds, certificates)]
        step = (
            partial(bounded, rows=rows) if bounds else _settling(rows, stores, certificates, _hire(scheduler))
        )
        _go_on(rows, todo, step, table, stores, certificates, json)
    elif markdown:
        from sleuth.ledger.wording import markdown as as_markdown

        with heard():
            print(as_markdown(chosen))
    elif json:
        plain = [row.to_json() for row in chosen]
        show.as_json({"records": plain}, plain)
    else:
        _print(chosen, whole=bool(names))


def _certificate(row: "Record", folder: Path) -> Path:
    return folder / f"{row.name}.cert"


def _is_certified(row: "Record", folder: Path) -> bool:
    return bool(row.certificate) and _certificate(row, folder).exists()


def _is_done(row: "Record", bounds: bool, certificates: Path | None) -> bool:
    """Say, also to people, that a row needs no bounds, or no proof with a certificate or without."""
    # Bounds without seconds are of a stopped proof or of other rows: a beam and a scan may add to them.
    if row.status == "open" or (row.status == "bounds" and (not bounds or row.cpu_seconds is None)):
        return False
    if certificates is not None and not _is_certified(row, certificates):
        return False
    show.note(f"{row.name}: known already ({_result(row)})")
    return True


def _stores(rows: "list[Record]", store: Path | None) -> dict[str, Path]:
    """Return the store of each row. Raises SleuthError for one file for several."""
    if store is None:
        return {}
    if store.is_dir():
        return {row.name: store / f"{row.name}.db" for row in rows}
    if len(rows) > 1:
        raise SleuthError(f"{store} is no folder; --store takes one for several rows, or a file for one")
    return {rows[0].name: store}


def _hire(scheduler: str | None) -> "Hire | None":
    if scheduler is None:
        return None
    from sleuth.exact.cluster import Cluster

    return partial(Cluster, address=scheduler)


def _result(row: "Record") -> str:
    """Return what is known of a row, as in "bounds, 206 to 208"."""
    from sleuth.ledger.wording import result

    return f"{row.status}, {result(row)}"


def _check(rows: "list[Record]", json: bool) -> None:
    """Run rows again; exit code 1 where what comes out is not what they say."""
    from sleuth.ledger.running import checked

    if open_ := [row.name for row in rows if row.status == "open"]:
        raise SleuthError(f"nothing is known of {', '.join(open_)}, so there is nothing to check")
    if not json:
        compiling.announce()
    found: dict[str, list[str]] = {}
    try:
        for row in rows:
            with _steps(row.name, json) as update:
                found[row.name] = checked(row, update)
            if not json:
                said = "; ".join(found[row.name])
                with heard():
                    print(f"{row.name}: {said or f'the same ({_result(row)})'}", flush=True)
        interrupted = False
    except KeyboardInterrupt:
        interrupted = True
    if json:
        same = {name: not different for name, different in found.items()}
        show.as_json({"same": same, "differences": found, "interrupted": interrupted})
    if interrupted:
        leave(json)
    if any(found.values()):
        raise typer.Exit(1)


def _settling(
    rows: "Sequence[Record]", stores: dict[str, Path], certificates: Path | None, hire: "Hire | None"
) -> Step:
    """Return what proves a row, with its store and its certificate."""
    from sleuth.ledger.running import settled

    def step(row: "Record", progress: "Watch | None") -> "Record":
        certificate = None if certificates is None else _certificate(row, certificates)
        store = stores.get(row.name)
        return settled(row, rows=rows, store=store, hire=hire, certificate=certificate, progress=progress)

    return step


def _go_on(
    rows: "Sequence[Record]",
    todo: "list[Record]",
    step: Step,
    table: Path | None,
    stores: dict[str, Path],
    certificates: Path | None,
    json: bool,
) -> None:
    """Take rows a step on, and write each into the table as soon as it is done."""
    from sleuth.ledger.record import Record, write
    from sleuth.ledger.record import records as read
    from sleuth.ledger.running import NotWrittenError

    if not json:
        compiling.announce()
    done: list[Record] = []
    problems: list[str] = []
    interrupted = False
    for row in todo:
        now = row
        try:
            with _steps(row.name, json) as update:
                now, interrupted = finished_or_known(partial(step, row, update), Record)
        except KeyboardInterrupt:
            interrupted = True
        except NotWrittenError as error:
            now = error.settled
            problems.append(str(error))
        except SleuthError as error:
            problems.append(f"{row.name}: {error}")
            continue
        if now != row:
            done.append(now)
        if not json:
            unfinished = now == row and (interrupted or row.status != "proved")
            with heard():
                print(f"{row.name}: {'not finished' if unfinished else _result(now)}", flush=True)
            if now != row and table is None:
                with heard():
                    print(to_text(now.to_json(), ensure_ascii=False))
        if now != row and table is not None:
            # Another run may have written rows of its own by now.
            others = read(table) if table.exists() else rows
            try:
                write([now if one.name == now.name else one for one in others], table)
            except OSError as error:
                problems.append(f"{unwritten(table, error)}: {row.name} is not in it")
        if interrupted:
            if certificates is not None and now.status == "proved" and not _is_certified(now, certificates):
                show.note(f"the certificate of {row.name} was not written: the same command writes it")
            if not json and row.name in stores:
                print(f"what is known is kept in {stores[row.name]}: the same command goes on from it")
            break
    if json:
        plain = [row.to_json() for row in done]
        show.as_json({"records": plain, "interrupted": interrupted}, plain)
    end([], json, interrupted, problems)


def _steps(name: str, json: bool) -> "AbstractContextManager[Watch | None]":
    return nullcontext(None) if json else show.steps(name, remaining=True)


def _print(rows: "list[Record]", whole: bool) -> None:
    """Print rows: a line each, or all that is known of each."""
    from rich.markup import escape

    from sleuth.ledger import wording

    out = show.console()
    if not whole:
        # In a narrow terminal the result says all that there is room for.
        more = out.width >= _WIDE
        shown = show.table("name", "result", *(("mean", "status", "CPU s") if more else ()), left=2)
        for row in rows:
            cells = (row.name, wording.result(row), wording.mean(row), row.status, wording.seconds(row))
            shown.add_row(*map(escape, cells[: len(shown.columns)]))
        out.print(shown)
        out.print("[dim]sleuth records NAME says all of a row; --check NAME runs it again[/dim]")
        return
    for row in rows:
        out.print(f"[bold]{escape(row.name)}[/bold]: {escape(wording.result(row))} ({row.status})")
        for what, said in (
            ("game", wording.game(row.game)),
            ("asked", wording.task(row)),
            ("answers", f"{row.answers}, of {row.guesses} guesses" if row.answers else ""),
            ("mean", wording.mean(row)),
            ("opener", row.opener or ""),
            ("worst case", "" if row.worst is None else f"{row.worst} guesses"),
            ("published", row.published),
            ("certificate", row.certificate),
            ("seconds", "" if row.status == "open" else f"{wording.seconds(row)} of processors"),
            ("version", row.version),
            ("digest", row.digest),
            ("command", row.command),
        ):
            if said:
                out.print(f"  [dim]{what:<11}[/dim] {escape(said)}")
