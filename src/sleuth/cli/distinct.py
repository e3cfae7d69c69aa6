"""Files that a command line names twice: what is written would replace what is read, or another result."""

from pathlib import Path
from typing import Any

from typer.core import TyperCommand

from sleuth.cli.hearing import unheard
from sleuth.support.errors import SleuthError

_READ = ("answers", "guesses", "file", "text")
"""Parameters of paths that are only read; every other path that a command takes is written to."""


class Command(TyperCommand):
    """A command that refuses to write where it reads, or two things into one file, and may be left unread."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command. Raises SleuthError."""
        named: dict[Path, tuple[str, bool]] = {}
        for parameter in self.params:
            name = str(parameter.name)
            shown = parameter.opts[0] if parameter.param_type_name == "option" else name.upper()
            is_path = parameter.type.name == "path"
            written = is_path and name not in _READ
            for file in _files(ctx.params.get(name), is_path):
                first, before = named.setdefault(file, (shown, written))
                if first != shown and (before or written):
                    raise SleuthError(f"{first} and {shown} are the same file, {file.name}: name another one")
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # else the parser ends with 1, which says that something does not hold
            unheard()
            return None


def _files(value: Any, is_path: bool) -> list[Path]:
    """Return the files that a parameter names, with links followed; one that takes words may name one."""
    values = value if isinstance(value, list | tuple) else [value]
    try:
        named = [Path(str(one)) for one in values if one not in (None, "-")]
        return [file.resolve() for file in named if file.is_file() or (is_path and not file.exists())]
    except (OSError, RuntimeError, ValueError):  # links in a circle, a NUL: who opens it says so
        return []
