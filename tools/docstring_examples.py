"""Examples in docstrings as blocks of code: Markdown takes `>>>` for a quotation. The site loads this."""

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"(?:^|(?<=\n\n))(>>> .+?)(?=\n\n|\Z)", re.DOTALL)


class FencedExamples(griffe.Extension):
    """Puts a fence around each example."""

    def on_object(self, *, obj: griffe.Object, **_kwargs: Any) -> None:
        """Change the docstring of whatever has one."""
        if obj.docstring:
            obj.docstring.value = EXAMPLE.sub(r"```pycon\n\1\n```", obj.docstring.value)
