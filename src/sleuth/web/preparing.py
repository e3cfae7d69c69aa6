"""Kernels compiled by a process of its own while the server already answers."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

_NICENESS = "5"
_LOGGED_EVERY = 10.0
_ATTEMPTS = 4
"""How often the process is started that compiles, where it is killed, as by a system short of memory."""
_PAUSE = 2.0
"""Seconds before it is started again."""


class Preparation:
    """How much of the kernels is compiled.

    Attributes:
        share: how much, 0 to 1.
        hints: whether what hints take is; also set when no more of them will be.
        over: set when all of them are, or when no more of them will be.

    """

    def __init__(self, log: Callable[[dict[str, Any]], None]) -> None:
        self.share = 0.0
        self.hints = False
        self.over = asyncio.Event()
        self._log = log
        self._process: asyncio.subprocess.Process | None = None

    @classmethod
    def finished(cls) -> Preparation:
        """Return one that has nothing to do: workers compile what they need."""
        preparation = cls(lambda line: None)
        preparation._end()
        return preparation

    def _end(self) -> None:
        self.share, self.hints = 1.0, True
        self.over.set()

    async def run(self) -> None:
        """Compile what is not compiled yet. What fails is logged: workers compile it when they need it."""
        began = time.monotonic()
        try:
            for left in reversed(range(_ATTEMPTS)):
                status = await self._follow(began)
                if not status:
                    if self.share:
                        self._log({"prepared": 1.0, "seconds": round(time.monotonic() - began)})
                    break
                again = left > 0 and status < 0  # what failed by itself would fail again
                next_ = "it is started again" if again else "workers compile what they need"
                self._log({"fault": f"the process that compiles kernels ended with status {status}; {next_}"})
                if not again:
                    break
                await asyncio.sleep(_PAUSE)
        except (OSError, ValueError) as error:
            self._log({"fault": f"the process that compiles kernels: {error}"})
        finally:
            self._end()

    async def _follow(self, began: float) -> int:
        """Return the exit status of the process that compiles, once it has ended."""
        told = began
        self._process = process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "sleuth.warmup", _NICENESS),
            start_new_session=True,  # Ctrl-C in the terminal is for the server, which ends it
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        assert process.stdout is not None
        while line := await process.stdout.readline():
            far = json.loads(line)
            if far["remark"]:
                self._log({"fault": far["remark"]})
            self.share = max(self.share, far["done"] / far["total"])  # one begun again counts from 0
            self.hints |= far["hints"]
            if time.monotonic() - told >= _LOGGED_EVERY:
                told = time.monotonic()
                self._log({"prepared": round(self.share, 2), "seconds": round(told - began)})
        return await process.wait()

    async def close(self) -> None:
        """End what is under way."""
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.terminate()
            await self._process.wait()
