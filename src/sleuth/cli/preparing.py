"""Word lists made ready."""

import re
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from sleuth.cli import show
from sleuth.cli.ending import File, end
from sleuth.cli.options import Json


def words(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A dictionary or list, a word a line.")],
    length: Annotated[int | None, typer.Option(help="Letters of the words to pick.")] = None,
    accents: Annotated[str, typer.Option(help="keep, or fold: é becomes e, ß becomes ss.")] = "keep",
    apostrophes: Annotated[
        str, typer.Option(help="Words with apostrophes or hyphens: skip, or remove the marks.")
    ] = "skip",
    capitals: Annotated[str, typer.Option(help="Capitalised words: keep (in lower case), or skip.")] = "keep",
    letter: Annotated[
        list[str] | None,
        typer.Option(
            metavar="OLD=NEW",
            help="Replace letters, as in ä=ae; a digraph that is one letter: ij, dž, lj, ll, nj, dz, or ch=ƈ."
            " Repeatable.",
        ),
    ] = None,
    encoding: Annotated[
        str | None, typer.Option(help="Of the file; else UTF-8, UTF-16 or Windows-1252, whichever fits.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write the words there; else they are printed.")] = None,
    json: Json = False,
) -> None:
    """Make a list of words ready to play with, and say what was done to it."""
    from sleuth.games.preparing import Preparation, letters_of, prepare, read_text
    from sleuth.support.files import write_whole

    letters = tuple(letters_of(one) for one in letter or [])
    how = Preparation(length, accents, apostrophes, capitals, letters)  # type: ignore[arg-type]  # it checks
    text, read_in = read_text(file, encoding)
    made = prepare(re.split("\r\n|\r|\n", text), how)
    if json:
        show.as_json({**made.to_json(), "encoding": read_in})
    else:
        if read_in != "utf-8":
            show.note(f"read as {read_in}, written as utf-8")
        for step in made.steps:
            show.note(str(step))
        show.note(f"{show.counted(len(made.words), 'word')} of {len(made.words[0])} letters")
        if out is None:
            print("\n".join(made.words))
    listed = "\n".join(made.words) + "\n"
    files: list[File] = [] if out is None else [("list", out, partial(write_whole, out, listed.encode()))]
    end(files, json)
