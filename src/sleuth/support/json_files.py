"""Results in files of JSON that say what they are, read back with plain errors."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from sleuth.support.errors import SleuthError
from sleuth.support.files import read_bounded, reason_of, save_bytes

T = TypeVar("T")
MOST_BYTES = 2**26
_HEADER = ("format", "version")


def save(path: Path | str, kind: str, version: int, values: Mapping[str, Any]) -> None:
    """Write values to a file as JSON that says its kind and version, whole or not at all.

    Raises SleuthError where the file cannot be written.
    """
    text = json.dumps({"format": kind, "version": version, **values}, indent=1, ensure_ascii=False)
    save_bytes(Path(path), f"{text}\n".encode())


def read(
    path: Path | str,
    kind: str,
    version: int,
    make: Callable[[dict[str, Any]], T],
    back: Callable[[T], Mapping[str, Any]],
) -> T:
    """Return what make() makes of the values in a file that save() wrote.

    back: what save() would write of it, which must be what the file holds. Raises SleuthError, naming the
    file, where it cannot be read, is of another kind or version, or was changed.
    """
    what = kind.removeprefix("sleuth-")
    try:
        data = json.loads(read_bounded(Path(path), MOST_BYTES).decode())
    except OSError as error:
        raise SleuthError(f"{path} cannot be read ({reason_of(error)})") from None
    except (ValueError, RecursionError) as error:
        raise SleuthError(f"{path} is no {what} of Sleuth: {_why_no_json(error)}") from None
    if not isinstance(data, dict) or data.get("format") != kind:
        raise SleuthError(f'{path} is no {what} of Sleuth; it needs "format": "{kind}"')
    if data.get("version") != version:
        raise SleuthError(f"{path} has version {data.get('version')!r}; version {version} can be read")
    values = {key: value for key, value in data.items() if key not in _HEADER}
    try:
        made = make(values)
        same = json.loads(json.dumps(back(made))) == values
    except SleuthError as error:
        raise SleuthError(f"{path}: {error}") from None
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        same = False
    if not same:
        raise SleuthError(f"{path} does not hold a whole {what}; it was changed, or is of another Sleuth")
    return made


def _why_no_json(error: Exception) -> str:
    """Return what is wrong with a file that json does not read."""
    if not isinstance(error, json.JSONDecodeError):
        return "it is no JSON"
    return f"it is no JSON, or cut short (line {error.lineno})" if error.doc.strip() else "it is empty"
