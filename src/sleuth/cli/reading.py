"""Lines that a person types, or a file that stands in for one."""

import io
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from sleuth.support.errors import SleuthError

if TYPE_CHECKING:
    from sleuth.games.game import Game


class Leave(Exception):  # noqa: N818
    """The person wants to go, or the input has ended."""


def prepare() -> None:
    """Let lines be edited and recalled where the system can; bytes that are no text do no harm."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    if sys.stdin.isatty():
        with suppress(ImportError):
            # input() edits lines with it once it is there.
            import readline  # noqa: F401


def ask(prompt: str) -> str:
    """Return the next line, stripped; a terminal shows the prompt. Raises Leave at the end of the input."""
    try:
        if sys.stdin.isatty():
            return input(prompt).strip()
        line = sys.stdin.readline()
    except EOFError:
        print()
        raise Leave from None
    except KeyboardInterrupt:
        print()
        raise
    if not line:
        raise Leave
    return line.strip()


def command_in(line: str, commands: Mapping[str, str], game: "Game") -> tuple[str, str] | None:
    """Return the command that a line is and what follows it, or None where it is none.

    commands: what a person may type, and the command it means. What is also a word of the game is a command
    only with a slash before it. Raises SleuthError for a slash before anything else, unless a guess of the
    game begins with one.
    """
    text = line.removeprefix("/").lower()
    for typed in sorted(commands, key=len, reverse=True):
        rest = text.removeprefix(typed)
        ends = rest == "" or rest[0].isspace()
        if text.startswith(typed) and ends and (line.startswith("/") or text not in game.guess_index):
            return commands[typed], rest.strip()
    if line.startswith("/") and not any(guess.startswith("/") for guess in game.guesses):
        raise SleuthError(f"there is no command {line}; help says which there are")
    return None
