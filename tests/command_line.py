"""What commands print, read back."""

import json
from collections.abc import Callable
from typing import Any

Ran = tuple[str | int | None, str, str]
"""Exit code, stdout and stderr of a run."""
Run = Callable[..., Ran]
"""The fixture run: it runs the command line with some arguments."""


def json_of(result: Ran) -> Any:
    """Return the one JSON object that a run printed; result: exit code, stdout and stderr."""
    code, out, err = result
    assert code == 0, err
    assert out.count("\n") == 1
    return json.loads(out)
