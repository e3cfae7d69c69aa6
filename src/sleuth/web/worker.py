"""The process that computes: it reads a request a line, calls the library and writes answers a line.

It is started by starting.py, as a fork or as `python -m sleuth.web.worker NICENESS MEMORY`, and ends with its
standard input. A line in is {"task": name, "request": {...} or null, "compile": whether kernels may be
compiled for it}. A line out is a letter and JSON: "p" progress, "c" whether kernels are being compiled; and
at last "r" the result, "e" an error that a person made, "n" where a kernel is not compiled, or "x" a fault of
the program, and before one of these "l" where the worker leaves after it.
"""

from __future__ import annotations

import json
import os
import queue
import re
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import asdict
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any, get_type_hints

from sleuth.support.errors import SleuthError
from sleuth.warmup import NotCompiledError, compiled_only, watch_compiling

try:
    import resource
except ModuleNotFoundError:  # Windows
    resource = None  # type: ignore[assignment]

TASKS = {
    "warm": "sleuth.web.worker:warm",
    "games": "sleuth.web.offering:games",
    "strategies": "sleuth.web.advising:strategies",
    "records": "sleuth.web.recording:records",
    "suggest": "sleuth.web.advising:suggest",
    "rank": "sleuth.web.advising:rank",
    "check": "sleuth.web.advising:check",
    "branches": "sleuth.web.exploring:branches",
    "openers": "sleuth.web.exploring:openers",
    "try": "sleuth.web.analysing:tried",
    "words": "sleuth.web.analysing:words",
    "fit": "sleuth.web.reviewing:fit",
    "strategy": "sleuth.web.analysing:strategy",
    "strategy-file": "sleuth.web.analysing:strategy_file",
    "review": "sleuth.web.reviewing:review",
    "boards-suggest": "sleuth.web.boards:suggest",
    "boards-review": "sleuth.web.boards:review",
    "puzzle": "sleuth.web.playing:puzzle",
    "guess": "sleuth.web.playing:guess",
    "evaluate": "sleuth.web.evaluating:evaluate",
    "answers": "sleuth.web.evaluating:answers",
    "difficulty": "sleuth.web.measuring:difficulty",
    "planning": "sleuth.web.planning:planning",
    "episode": "sleuth.web.planning:episode",
}
"""What a worker does: functions of a request model, or of nothing; some tell their progress."""

_LEAVES_AT = 3 * 2**29
"""Bytes after which a worker makes room for a new one: tables of games and bounds grow with what is asked."""

Tell = Callable[[str, Any], None]


def warm() -> dict[str, Any]:
    """Load the kernels that short requests take, as far as they are there."""
    for part in parts_of_warming():
        part()
    return {}


def parts_of_warming() -> list[Callable[[], None]]:
    """Return what warm does, in parts that take less than a second."""
    return [partial(part, feedback) for feedback in ("bbybb", "bbbbb") for part in (_suggest, _try)]


def _suggest(feedback: str) -> None:
    from sleuth.web.advising import suggest
    from sleuth.web.schemas import SuggestRequest

    suggest(SuggestRequest.model_validate({"rows": [{"guess": "salet", "feedback": feedback}]}))


def _try(feedback: str) -> None:
    from sleuth.web.analysing import tried
    from sleuth.web.schemas import TryRequest

    rows = [{"guess": "salet", "feedback": feedback}]
    with suppress(NotCompiledError):
        tried(TryRequest.model_validate({"rows": rows, "guess": "crane"}))


def answer(task: str, given: dict[str, Any] | None, may_compile: bool, tell: Tell, fresh: bool) -> None:
    """Do one task and tell what comes of it.

    fresh: whether it is the first of this process. Where it is not and memory is short, what was done before
    may have taken it: the process ends, and the server does the task again in a new one.
    """
    try:
        with nullcontext() if may_compile else compiled_only():
            _answer(task, given, tell)
    except NotCompiledError:
        tell("n", None)
    except SleuthError as error:
        tell("e", {"kind": type(error).__name__, "message": error.for_visitors, **_row_of(error)})
    except (MemoryError, RecursionError) as error:
        if isinstance(error, MemoryError) and not fresh:
            os._exit(1)
        tell("e", {"kind": type(error).__name__, "message": "that takes more memory than the server lends"})
    except Exception:
        tell("x", traceback.format_exc())


def _answer(task: str, given: dict[str, Any] | None, tell: Tell) -> None:
    function = _load(TASKS[task])
    hints = _hints(function)
    named: dict[str, Any] = {}
    if given is not None:
        named["request"] = hints["request"].model_validate(given)
    if "progress" in hints:
        named["progress"] = lambda progress: tell("p", asdict(progress))
    tell("r", function(**named))


_hints = cache(get_type_hints)


def _row_of(error: SleuthError) -> dict[str, Any]:
    """Return which row an error is about, where it is about one."""
    return {} if error.row is None else {"row": error.row}


def serve(niceness: int, memory: int) -> None:
    """Do what is asked until standard input ends. memory: bytes that may be taken."""
    if hasattr(os, "nice"):
        os.nice(niceness)
    _bound_memory(memory)
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever prints must not break the lines
    leaving = False

    def tell(kind: str, value: Any) -> None:
        nonlocal leaving
        if kind not in "pc" and _memory() > _LEAVES_AT:
            leaving = True
            out.write("l\n")
        out.write(kind + json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n")
        out.flush()

    watch_compiling(lambda: tell("c", True), lambda: tell("c", False))
    tasks: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()

    def read() -> None:
        try:
            for line in sys.stdin.buffer:
                tasks.put(json.loads(line))
        finally:  # half a line and a connection that is reset are the end, too
            os._exit(0)  # the server is gone, whatever is being computed

    threading.Thread(target=read, daemon=True).start()
    fresh = True
    while not leaving:
        asked = tasks.get()
        answer(asked["task"], asked["request"], asked["compile"], tell, fresh)
        fresh = False
    os._exit(0)  # the thread that reads would keep the process


def _bound_memory(most: int) -> None:
    """Make what takes more memory fail, where the system can. most: bytes."""
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _memory() -> int:
    """Return the most bytes that this process has taken so far, 0 where the system does not tell."""
    status = Path("/proc/self/status")
    if status.exists():  # what getrusage tells there begins with the size of the parent
        peak = re.search(r"VmHWM:\s+(\d+) kB", status.read_text(encoding="ascii"))
        return 1024 * int(peak[1]) if peak else 0
    if resource is None:
        return 0
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _load(target: str) -> Callable[..., Any]:
    module, _, name = target.partition(":")
    loaded: Callable[..., Any] = getattr(import_module(module), name)
    return loaded


if __name__ == "__main__":
    serve(int(sys.argv[1]), int(sys.argv[2]))
