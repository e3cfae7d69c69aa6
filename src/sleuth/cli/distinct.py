"""Files that a command line names twice: what is written would replace what is read, or was written before."""

from pathlib import Path
from typing import Any

from typer.core import TyperCommand

from sleuth.support.errors import SleuthError

READ = ("answers", "guesses", "prior", "file", "text")
"""Parameters whose files are only read; every other path that a command takes is written to."""


class Command(TyperCommand):
    """A command that refuses to write where it reads, or to write two things into one file."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command. Raises SleuthError."""
        named: dict[Path, tuple[str, str]] = {}
        for parameter in self.params:
            name = str(parameter.name)
            if parameter.type.name != "path" and name != "prior":
                continue
            for path in _paths(ctx.params.get(name), name == "prior"):
                shown = parameter.opts[0] if parameter.param_type_name == "option" else name.upper()
                first, before = named.setdefault(path, (name, shown))
                if first != name and not {first, name} <= set(READ):
                    raise SleuthError(
                        f"{before} and {shown} are the same file, {path.name}: name another one"
                    )
        return super().invoke(ctx)


def _paths(value: Any, there: bool) -> list[Path]:
    """Return the files that a parameter names, with links followed. there: only what is a file already."""
    values = value if isinstance(value, list | tuple) else [value]
    try:
        named = [Path(str(one)) for one in values if one not in (None, "-")]
        return [path.resolve() for path in named if path.is_file() or not there]
    except (OSError, RuntimeError, ValueError):  # links in a circle, a NUL: who opens it says so
        return []
