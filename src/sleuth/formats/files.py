"""Text files read with plain errors, and written whole or not at all."""

import os
import secrets
from pathlib import Path

from sleuth.errors import TreeError


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file. Raises TreeError."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise TreeError(f"{path}, line {line}: not UTF-8; a tree is JSON or plain text") from None
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL in it
        raise TreeError(f"{path} cannot be read ({_reason(error)})") from None


def write_whole(path: Path, text: str) -> None:
    """Write a UTF-8 file, whole or not at all; one that is there stays as it is until then.

    Raises TreeError.
    """
    try:
        target = path.resolve()  # a link goes on pointing where it points
        # Not the tempfile module: its files can be read by their owner only, and would stay so.
        temporary = target.with_name(f".sleuth-{secrets.token_hex(8)}.tmp")
        try:
            with temporary.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    # ValueError: a NUL in the path, a lone surrogate in the text; RuntimeError: links in a circle.
    except (OSError, ValueError, RuntimeError) as error:
        raise TreeError(f"{path} cannot be written ({_reason(error)})") from None


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
