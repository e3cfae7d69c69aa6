"""Files of weights: those that ship with the package, and any other; read with NumPy alone."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth.support.errors import SleuthError
from sleuth.support.files import read_bounded

_TYPES: dict[str, np.dtype[Any]] = {"F32": np.dtype("<f4"), "F16": np.dtype("<f2")}
_FOLDER = resources.files("sleuth.learning") / "weights"
_END = ".safetensors"
MOST_BYTES = 2**30
"""The most that a file of weights may have."""
MOST = 10_000
"""The largest weight; of larger ones sums may overflow."""
WEIGHTS = f"weights{_END}"
"""What a run of training calls its best weights."""


def shipped(player: str) -> list[str]:
    """Return the names of a player's weights that ship with the package; each begins with the player's."""
    found = (path.name for path in _FOLDER.iterdir())
    return sorted(n.removesuffix(_END) for n in found if n.startswith(player) and n.endswith(_END))


def read(name: str, player: str) -> dict[str, NDArray[np.floating]]:
    """Return the arrays of a file, of a folder of `sleuth train`, or of what ships, by name.

    player: whose weights ship. Raises SleuthError.
    """
    if not isinstance(name, str | Path) or name == "":
        raise SleuthError(f"weights are a name, a file or a folder, as text, not {name!r}")
    names = shipped(player)
    if name in names:
        return unpack((_FOLDER / f"{name}{_END}").read_bytes(), name)
    path = Path(name)
    try:
        return unpack(read_bounded(path / WEIGHTS if path.is_dir() else path, MOST_BYTES), name)
    except OSError as error:
        why = "another player's" if name in shipped("") else error.strerror
        if path.is_dir():
            why = f"the folder has no {WEIGHTS}"
        raise SleuthError(
            f"weights {name!r}: {why}; it takes a file, the folder of a run, or {' or '.join(names)}"
        ) from None


def unpack(data: bytes, name: str) -> dict[str, NDArray[np.floating]]:
    """Return the arrays of a safetensors file. Raises SleuthError where it is broken or holds odd numbers.

    The format: eight bytes of length, a header in JSON, and the numbers, little-endian, end to end.
    """
    try:
        end = 8 + int.from_bytes(data[:8], "little")
        header = json.loads(data[8:end])
        header.pop("__metadata__", None)
        arrays = {}
        for key, entry in header.items():
            begin, stop = entry["data_offsets"]
            if not 0 <= begin <= stop <= len(data) - end:
                raise ValueError
            numbers = np.frombuffer(data[end + begin : end + stop], dtype=_TYPES[entry["dtype"]])
            arrays[key] = numbers.reshape(entry["shape"])
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError, MemoryError):
        raise SleuthError(f"weights {name!r} are no safetensors file of F32 or F16 arrays") from None
    for key, array in arrays.items():
        if not np.isfinite(array).all():
            raise SleuthError(f"weights {name!r}: {key} is not all finite numbers")
        if array.size and np.abs(array).max() > MOST:
            raise SleuthError(f"weights {name!r}: {key} has numbers beyond {MOST}, as no training makes them")
    return arrays
