"""How hard a list of words is, and what words added or removed change."""

import csv
from dataclasses import replace
from functools import partial
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sleuth.cli import compiling, completing, show
from sleuth.cli.ending import File, end
from sleuth.cli.formats import with_format
from sleuth.cli.options import GameOptions, Json, with_game
from sleuth.support.errors import SleuthError
from sleuth.support.files import check_writable

if TYPE_CHECKING:
    from sleuth.coaching.difficulty.change import Change
    from sleuth.coaching.difficulty.difficulty import Difficulty

_SHOWN = 10


@with_format
@with_game
def difficulty(
    of: GameOptions,
    listed: Annotated[
        str | None,
        typer.Argument(
            metavar="LIST", help="A word list by name, or a file of answers.", autocompletion=completing.words
        ),
    ] = None,
    add: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WORD", help="An answer more, or a file of them: shows before and after. Repeatable."
        ),
    ] = None,
    remove: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WORD", help="An answer less, or a file of them: shows before and after. Repeatable."
        ),
    ] = None,
    language: Annotated[
        str | None,
        typer.Option(
            help="Whose frequent words a casual player knows; else the one that fits the list best."
        ),
    ] = None,
    seconds: Annotated[
        float, typer.Option(min=0, help="How long the best play may be searched for a proof.")
    ] = 10.0,
    adversary: Annotated[
        bool,
        typer.Option("--adversary", help="Also how an adversary would choose answers (extra: equilibrium)."),
    ] = False,
    sample: Annotated[
        int | None, typer.Option(min=1, help="How many answers to play, drawn at random; else all.")
    ] = None,
    table: Annotated[Path | None, typer.Option("--csv", help="Write a row for each answer, as CSV.")] = None,
    html: Annotated[
        Path | None, typer.Option(help="Write a report with pictures, one page (extra: plots).")
    ] = None,
    json: Json = False,
) -> None:
    """Tell how hard a list is: guesses of every answer by players of different strength, and unfair words."""
    from sleuth.coaching.difficulty.change import Change, edited
    from sleuth.coaching.difficulty.difficulty import difficulty as measure
    from sleuth.coaching.difficulty.played import games_for
    from sleuth.support.pictures import check_path

    if listed is not None:
        if of.words is not None or of.answers is not None:
            raise SleuthError("give LIST, or --words, or --answers")
        path = Path(listed)
        # What looks like a path and is no file is named as one when it is read.
        is_file = path.is_file() or path.name != listed or bool(path.suffix)
        of = replace(of, answers=path) if is_file else replace(of, words=listed)
    if html is not None:
        if html.suffix.lower() not in (".html", ".htm"):
            raise SleuthError(f"cannot write {html}: a report ends in .html")
        check_path(html.with_suffix(".svg"))
    if table is not None:
        check_writable(table)
    if sample is not None and (add or remove):
        raise SleuthError("--sample does not go with --add and --remove: they compare all answers")
    games = [of.build()]
    answers = len(games[0].answers)
    if add or remove:
        games.append(edited(games[0], _words(add), _words(remove), of.prior, lambda option: f"--{option}"))
    for remark in games[-1].notes:
        show.note(remark)
    if not json:
        compiling.announce()
    with show.steps("difficulty") as update:
        found = [
            measure(
                game,
                language=language,
                seconds=seconds,
                games=games_for(min(sample or answers, answers)),
                adversary=adversary,
                sample=sample,
                progress=update,
            )
            for game in games
        ]
    result = Change(*found) if len(found) == 2 else found[0]
    if json:
        show.as_json(result.to_json(), result.to_records())
    elif isinstance(result, Change):
        _print_change(result)
    else:
        _print(result)
    files: list[File] = []
    if table is not None:
        files.append(("table", table, partial(_write_csv, found[-1], table)))
    if html is not None:
        files.append(("report", html, partial(_write_page, result, html)))
    end(files, json)


def _words(given: list[str] | None) -> list[str]:
    """Return words that are given themselves or as files of them. Raises WordListError."""
    from sleuth.games.wordlists import read_lines

    found = []
    for one in given or []:
        path = Path(one)
        found += [word for _, word in read_lines(path)] if path.is_file() else [one]
    return found


def _print(found: "Difficulty") -> None:
    from sleuth.coaching.difficulty.difficulty import MADE_BY, UNFAIR
    from sleuth.coaching.difficulty.page import about

    out, weakest = show.console(), found.weakest.title
    out.print(about(found))
    rows = show.table("player", "mean", "lost", f"turns for {MADE_BY:.0%}")
    for player in found.players:
        proved = " (proved)" if player.proved else ""
        lost = f"{found.lost(player):.1%}"
        rows.add_row(player.title + proved, f"{found.mean(player):.4f}", lost, str(found.turn_limit(player)))
    out.print(rows)
    out.print(f"Hardest for the {weakest}: {' '.join(found.hardest(_SHOWN))}")
    out.print(f"Best openers: {', '.join(f'{o.guess} {o.expected_guesses:.3f}' for o in found.openers[:5])}")
    if found.families:
        count = show.counted(len(found.families), "group")
        shown = ", ".join(f"{f.label} {len(f.words)}" for f in found.families[:_SHOWN])
        out.print(f"{count} of 4 words or more that differ in one letter: {shown}")
    if not found.unfair:
        out.print(f"No unfair words: the {weakest} loses none in more than {UNFAIR:.0%} of the games.")
    else:
        rows = show.table("unfair words", "lost", "why", left=1)
        rows.columns[2].justify = "left"
        for one in found.unfair[:_SHOWN]:
            rows.add_row(one.word, f"{one.lost:.0%}", "; ".join(one.reasons))
        out.print(rows)
        if len(found.unfair) > _SHOWN:
            out.print(f"[dim]and {len(found.unfair) - _SHOWN} more, in --json, --csv and --html[/dim]")
    if found.adversary is not None:
        host = found.adversary
        out.print(
            f"An adversary holds any guesser to {host.lower:.4f} guesses ({host.upper:.4f} suffice):"
            f" {', '.join(f'{word} {show.percent(p)}' for word, p in host.hardest(_SHOWN))}"
        )


def _print_change(found: "Change") -> None:
    from sleuth.coaching.difficulty.page import about, shown

    out = show.console()
    out.print(about(found.after))
    for what, words in (("Added", found.added), ("Removed", found.removed)):
        if words:
            out.print(f"{what}: {' '.join(words)}")
    rows = show.table("measure", "before", "after")
    for row in found.to_records():
        rows.add_row(row["measure"], shown(row["before"]), shown(row["after"]))
    out.print(rows)
    moved = show.table(f"{found.after.weakest.title}: words that change most", "before", "after")
    for word, old, new in found.moved():
        moved.add_row(word, f"{old:.2f}", f"{new:.2f}")
    out.print(moved)


def _write_csv(found: "Difficulty", path: Path) -> None:
    from sleuth.support.files import write_whole

    rows: list[dict[str, Any]] = found.to_records()
    text = StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_whole(path, text.getvalue().encode())


def _write_page(found: "Difficulty | Change", path: Path) -> None:
    from sleuth.coaching.difficulty.page import page
    from sleuth.support.files import write_whole

    write_whole(path, page(found).encode())
