"""How commands that compute end: the result is printed first, then files are written, whatever they cost."""

from collections.abc import Callable, Iterable
from pathlib import Path

from sleuth.cli import show
from sleuth.cli.hearing import heard
from sleuth.cli.interrupts import leave
from sleuth.support.errors import SleuthError
from sleuth.support.files import unwritten

File = tuple[str, Path, Callable[[], object]]
"""What a file is, where it goes, and what writes it."""


def end(files: Iterable[File], json: bool, interrupted: bool = False, problems: Iterable[str] = ()) -> None:
    """Write files once the result is printed, and end the command.

    problems: what went wrong before. Raises SleuthError for all that did; after an interrupt they are notes.
    """
    failed = list(problems)
    for what, path, write in files:
        try:
            write()
        except SleuthError as error:
            failed.append(str(error))
        except OSError as error:
            failed.append(unwritten(path, error))
        else:
            if not json:
                with heard():
                    print(f"{what} written to {path}")
    if interrupted:
        for problem in failed:
            show.note(problem)
        leave(json)
    if failed:
        raise SleuthError("; ".join(failed))
