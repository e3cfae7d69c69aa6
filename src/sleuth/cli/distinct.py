"""Files that a command line names twice: what is written would replace what is read, or another result."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from typer.core import TyperCommand

from sleuth.cli.hearing import unheard
from sleuth.support.errors import SleuthError

_READ = ("answers", "guesses", "file", "text")
"""Parameters of paths that are only read; every other path that a command takes is written to."""
_IN_PLACE = ("words",)
"""Commands that mend a file, which may be written where it was read."""


class Command(TyperCommand):
    """A command that refuses to write where it reads, or two things into one file, and may be left unread."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command. Raises SleuthError."""
        named: dict[Path, tuple[str, bool]] = {}
        for parameter in self.params:
            name = str(parameter.name)
            shown = parameter.opts[0] if parameter.param_type_name == "option" else name.upper()
            value = ctx.params.get(name)
            values = value if isinstance(value, list | tuple) else [value]
            # Typer before 0.29 hands over texts, and says that they are paths; later ones hand over paths.
            kind = getattr(parameter, "type", None)
            is_path = getattr(kind, "name", None) == "path" or any(isinstance(one, Path) for one in values)
            written = is_path and name not in _READ
            for file in _files(values, is_path):
                first, before = named.setdefault(file, (shown, written))
                if first != shown and (before or written) and self.name not in _IN_PLACE:
                    raise SleuthError(f"{first} and {shown} are the same file, {file.name}: name another one")
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # else the parser ends with 1, which says that something does not hold
            unheard()
            return None


def _files(values: Sequence[Any], is_path: bool) -> list[Path]:
    """Return the files that a parameter names, with links followed; one that takes words may name one."""
    try:
        named = [Path(str(one)) for one in values if one is not None and str(one) != "-"]
        return [file.resolve() for file in named if file.is_file() or (is_path and not file.exists())]
    except (OSError, RuntimeError, ValueError):  # links in a circle, a NUL: who opens it says so
        return []
