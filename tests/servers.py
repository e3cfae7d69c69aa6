"""Servers in a thread, with a client that knows them, or in a process of their own."""

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
from fastapi import FastAPI
from pydantic import TypeAdapter

from sleuth.web.app import API, create_app
from sleuth.web.limits import Limits
from sleuth.web.results import Result
from sleuth.web.server import Server, bind

SALET = {"guess": "salet", "feedback": "bbybb"}
FIVE = ["crane", "trace", "react", "caret", "eerie"]
SMALL = {"answers": FIVE}


class Client(httpx.Client):
    """A client that knows the application and the lines of its log."""

    app: FastAPI
    lines: list[dict[str, Any]]

    def logged(self, request: str) -> dict[str, Any]:
        """Return the line of a request by its id; it is written once the answer has gone out."""
        until = time.monotonic() + 300
        while True:
            found = [line for line in self.lines if line.get("id") == request]
            if found or time.monotonic() > until:
                return found[-1]
            time.sleep(0.01)


@contextmanager
def serving(
    limits: Limits | None = None, warm: bool = False, app: FastAPI | None = None, trusted: str = ""
) -> Iterator[Client]:
    """Run a server in a thread; yields a client that knows the application and the lines of its log.

    app: one that ran before, whose log is not known; else a new one.
    trusted: a proxy that is believed about clients.
    """
    lines: list[dict[str, Any]] = []
    app = app or create_app(limits, lines.append, warm=warm)
    server, bound = Server(app, trusted), bind("127.0.0.1", 0)
    thread = threading.Thread(target=server.run, args=([bound],))
    thread.start()
    try:
        with Client(base_url=f"http://127.0.0.1:{bound.getsockname()[1]}", timeout=700) as client:
            client.app, client.lines = app, lines
            yield client
    finally:
        server.should_exit = True
        thread.join()


def descendants(pid: int) -> dict[int, str]:
    """Return the processes below a process, with their command lines."""
    parents, lines = {}, {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            one = int(status.parent.name)
            line = status.with_name("cmdline").read_bytes()
            parents[one] = int(status.read_text(encoding="utf-8").rpartition(")")[2].split()[1])
            lines[one] = line.replace(b"\0", b" ").decode()
    found: dict[int, str] = {}
    new = {pid}
    while new := {one for one, parent in parents.items() if parent in new}:
        found |= {one: lines[one] for one in new}
    return found


def runs(pid: int) -> bool:
    """Say whether a process has not ended."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] not in "ZX"


def wait_until(holds: Callable[[], bool]) -> None:
    """Return once something holds, which must not take ten minutes."""
    until = time.monotonic() + 600
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.02)


def holds(model: type[Result], value: dict[str, Any]) -> None:
    """Assert that an answer is as it is documented, with no field more."""
    found = TypeAdapter(model).validate_python(value, strict=True)
    assert found.model_dump(mode="json", exclude_unset=True) == value


def post(
    client: Client, path: str, body: dict[str, Any] | None = None, status: int = 200, **more: Any
) -> dict[str, Any]:
    answer = client.post(API + path, json={} if body is None else body, **more)
    assert answer.status_code == status, answer.text
    found: dict[str, Any] = answer.json()
    return found


def is_problem(answer: httpx.Response, status: int) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    document: dict[str, Any] = answer.json()
    assert {"type", "title", "status", "detail", "instance"} <= set(document)
    assert document["status"] == status
    assert document["instance"] == answer.request.url.path
    return document


# A server in a process of its own. A worker that is ended after its time answers 503 by design: that would
# hide what is looked for here.
_PROGRAM = """
from sleuth.web.app import create_app
from sleuth.web.limits import Limits
from sleuth.web.server import Server, bind

patient = Limits(rate=10**6, seconds=600, long_seconds=600, job_seconds=5)
bound = bind("127.0.0.1", 0)
print(bound.getsockname()[1], flush=True)
Server(create_app(patient, lambda line: None, warm=False)).run([bound])
"""


@contextmanager
def served_apart() -> Iterator[tuple[int, str]]:
    """Run a patient server in a process of its own; yields its number and its address."""
    with subprocess.Popen([sys.executable, "-c", _PROGRAM], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.pid, f"http://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.terminate()
    assert process.returncode in (0, -signal.SIGTERM)
