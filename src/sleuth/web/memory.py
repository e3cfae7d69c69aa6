"""How much memory there is, and how much of it a worker may take."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

_CGROUP = Path("/sys/fs/cgroup")
_LEAST, _MOST = 3 * 2**29, 6 * 2**30
_SHARE = 0.8
"""What is left is for the server itself and the system."""


def memory_of_machine(cgroup: Path = _CGROUP) -> int | None:
    """Return the bytes of memory of the machine, or of the control group that confines the process.

    None where the system tells neither.
    """
    known = [_limit(cgroup / name) for name in ("memory.max", "memory/memory.limit_in_bytes")]
    with suppress(AttributeError, ValueError, OSError):  # Windows
        known.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    return min((one for one in known if one is not None), default=None)


def _limit(file: Path) -> int | None:
    try:
        text = file.read_text(encoding="ascii").strip()
    except OSError:
        return None
    return int(text) if text.isdecimal() else None


def memory_each(workers: int, memory: int | None) -> int:
    """Return the bytes that each of so many workers may take, of so much memory."""
    if memory is None:
        return _MOST
    return max(_LEAST, min(_MOST, int(_SHARE * memory) // workers))
