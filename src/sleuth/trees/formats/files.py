"""Text files read with plain errors, and written whole or not at all."""

from pathlib import Path

from sleuth.support.errors import TreeError
from sleuth.support.files import read_bounded, reason_of, unwritten, write_whole

MOST_BYTES = 2**25
"""The most that the file of a tree may have: those of 15000 answers have about two million bytes."""


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file. Raises TreeError."""
    try:
        return read_bounded(path, MOST_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise TreeError(f"{path}, line {line}: not UTF-8; a tree is JSON or plain text") from None
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL in it
        raise TreeError(f"{path} cannot be read ({reason_of(error)})") from None


def write_text(path: Path, text: str) -> None:
    """Write a UTF-8 file, whole or not at all; one that is there stays as it is until then.

    Raises TreeError.
    """
    try:
        write_whole(path, text.encode())
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path, a lone surrogate in the text
        raise TreeError(unwritten(path, error)) from None
