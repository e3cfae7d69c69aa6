"""One line of JSON a request, with an id that the response carries too, and one a message of uvicorn's."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import sys
import time
import traceback
from collections.abc import Callable
from secrets import token_hex
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sleuth.web.problems import problem
from sleuth.web.wording import shortened
from sleuth.web.workers import ENDING

Log = Callable[[dict[str, Any]], None]
Count = Callable[[Scope, int, float], None]

_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


def to_stderr(line: dict[str, Any]) -> None:
    """Write a line of the log."""
    print(json.dumps(line), file=sys.stderr, flush=True)


def timed(log: Log) -> Log:
    """Return a log whose lines begin with the time, where they have none."""
    return lambda line: log({"time": round(time.time(), 3), **line})


class Messages(logging.Handler):
    """Writes what libraries log as lines of a log."""

    _LIBRARIES = ("uvicorn", "asyncio")

    def __init__(self, log: Log = to_stderr) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def install(self) -> None:
        """Take what uvicorn and asyncio log, in the place of any other that does; nobody else gets it."""
        for name in self._LIBRARIES:
            logger = logging.getLogger(name)
            logger.handlers = [one for one in logger.handlers if not isinstance(one, Messages)] + [self]
            logger.propagate = False

    def emit(self, record: logging.LogRecord) -> None:
        try:
            line = {
                "time": round(record.created, 3),
                "level": record.levelname.lower(),
                "message": record.getMessage(),
            }
            fault = "".join(traceback.format_exception(*record.exc_info)) if record.exc_info else None
            self._log(line | ({"fault": fault} if fault else {}))
        except Exception:
            self.handleError(record)


class RequestLog:
    """Gives every request an id, logs it when it ends, and makes a problem document of any fault.

    What the server cancels, as it ends and has waited for long enough, is answered by 503.

    count: called with a request that has ended, its status and how many seconds it took.
    """

    def __init__(self, app: ASGIApp, log: Log = to_stderr, count: Count | None = None) -> None:
        self.app = app
        self.log = log
        self.count = count

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        asked = Headers(scope=scope).get("x-request-id", "")
        id_ = asked if _ID.fullmatch(asked) else token_hex(8)
        state = scope.setdefault("state", {})
        began, status = time.perf_counter(), 0

        async def identified(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-Id"] = id_
            await send(message)

        try:
            await self.app(scope, receive, identified)
        except asyncio.CancelledError:
            if status == 0:
                headers = {"Retry-After": "2", "Connection": "close"}
                refusal = problem(scope["path"], 503, ENDING, headers=headers)
                await refusal(scope, receive, identified)
        except Exception:
            state["fault"] = traceback.format_exc()
            if status == 0:
                detail = "a fault of the server; its log says more"
                await problem(scope["path"], 500, detail)(scope, receive, identified)
        finally:
            took = time.perf_counter() - began
            if self.count is not None:
                self.count(scope, status, took)
            line = {
                "id": id_,
                "method": scope["method"],
                "path": shortened(scope["path"]),
                "status": status,
                "ms": round(1000 * took, 2),
            }
            self.log(line | ({"fault": state["fault"]} if "fault" in state else {}))
