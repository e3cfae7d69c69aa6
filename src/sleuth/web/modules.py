"""Which scripts a view is made of, so that the page can name them all at once, and none waits for another."""

from __future__ import annotations

import re
from pathlib import Path
from posixpath import dirname, join, normpath

_IMPORT = re.compile(r'^(?:import|export)\b[^;"]*"(\.[^"]+)";', re.MULTILINE)
_FRAME = "js/app.js"


def modules_of(folder: Path, view: str) -> list[str]:
    """Return the names of the modules that a view imports, and those the frame does, below a folder of files.

    view: its name; one that has no module of its own is the frame alone.
    """
    found: dict[str, None] = {}
    wanted = [_FRAME, f"js/views/{view}.js"]
    while wanted:
        name = wanted.pop()
        if name in found or not (folder / name).is_file():
            continue
        found[name] = None
        source = (folder / name).read_text(encoding="utf-8")
        wanted += [normpath(join(dirname(name), other)) for other in _IMPORT.findall(source)]
    return sorted(found)
