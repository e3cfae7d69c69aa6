"""What the server counts, in the text format of Prometheus."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from fastapi import APIRouter, Request
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from starlette.responses import Response
from starlette.types import Scope

from sleuth.support.version import VERSION
from sleuth.web.answers import Answers
from sleuth.web.jobs import Jobs
from sleuth.web.preparing import Preparation
from sleuth.web.workers import Pool

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 1.0, 2.0, 5.0, 10.0, 20.0, 60.0)
"""The bounds that a histogram counts requests by."""
_NOWHERE = "other"
"""The endpoint of what no route is for: paths that clients make up are not kept."""

_CONVERTER = re.compile(r":\w+}")
"""How a template tells what a part of a path is read as, which is nobody's business here."""

# When each series began tells nobody anything, and doubles the text.
disable_created_metrics()  # type: ignore[no-untyped-call]


class Metrics:
    """Requests by endpoint and status, and how long they took; what is read off the server when asked."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._read: _Collector | None = None
        self._requests = Counter(
            "sleuth_requests", "Requests answered.", ("endpoint", "method", "status"), registry=self.registry
        )
        self._seconds = Histogram(
            "sleuth_request_seconds",
            "Seconds until a request was answered whole.",
            ("endpoint",),
            buckets=_SECONDS,
            registry=self.registry,
        )

    def count(self, scope: Scope, status: int, seconds: float) -> None:
        """Count a request that has ended."""
        endpoint, method = _NOWHERE, _NOWHERE
        if "route" in scope:
            endpoint, method = _endpoint(scope["route"].path, scope["path"]), scope["method"]
        self._requests.labels(endpoint, method, str(status)).inc()
        self._seconds.labels(endpoint).observe(seconds)

    def watch(self, state: State) -> None:
        """Read what is asked for off the parts of a server, from now on."""
        if self._read is not None:
            self.registry.unregister(self._read)
        self._read = _Collector(state)
        self.registry.register(self._read)

    def text(self) -> bytes:
        """Return all of it as Prometheus reads it."""
        return generate_latest(self.registry)


def _endpoint(template: str, path: str) -> str:
    """Return the template of a route with what it is mounted under, which only the path of a request has."""
    head, part, _ = template.partition("{")
    if not part:
        return path
    return path.partition(head)[0] + _CONVERTER.sub("}", template)


@dataclass(frozen=True)
class State:
    """The parts of a server that are looked into. pools: by what they do."""

    pools: Mapping[str, Pool]
    answers: Answers
    jobs: Jobs
    preparation: Preparation


class _Collector:
    """Yields what a server is at, at the moment."""

    def __init__(self, state: State) -> None:
        self._state = state

    def collect(self) -> Iterator[Metric]:
        """Yield the families of numbers."""
        state = self._state
        about = {"version": VERSION, "python": platform.python_version()}
        yield InfoMetricFamily("sleuth_build", "What runs.", value=about)
        share = state.preparation.share
        yield _gauge("sleuth_prepared_ratio", "Share of the kernels that are compiled, 0 to 1.", share)
        yield _gauge("sleuth_jobs_open", "Jobs that wait or run.", state.jobs.open)
        pools: dict[str, tuple[str, Callable[[Pool], float]]] = {
            "sleuth_workers": ("Workers of a pool.", lambda pool: pool.size),
            "sleuth_workers_busy": ("Workers that are at a task.", lambda pool: pool.busy),
            "sleuth_tasks_waiting": ("Tasks that wait for a worker.", lambda pool: pool.waiting),
            "sleuth_workers_memory_bytes": (
                "Memory of the workers' processes.",
                lambda pool: sum(map(_memory, pool.processes)),
            ),
        }
        for name, (help_, read) in pools.items():
            family = GaugeMetricFamily(name, help_, labels=["pool"])
            for pool, one in state.pools.items():
                family.add_metric([pool], read(one))
            yield family
        ended = CounterMetricFamily(
            "sleuth_workers_ended",
            "Workers that ended by themselves, or were ended at a task.",
            labels=["pool"],
        )
        for pool, one in state.pools.items():
            ended.add_metric([pool], one.ended)
        yield ended
        yield _gauge(
            "sleuth_server_memory_bytes", "Memory of the server's own process.", _memory(os.getpid())
        )
        answers = state.answers
        asked = CounterMetricFamily(
            "sleuth_answers", "Answers asked for: kept, under way for another, or computed.", labels=["how"]
        )
        for how, count in answers.asked.items():
            asked.add_metric([how], count)
        yield asked
        yield _gauge("sleuth_answers_kept_bytes", "What the answers kept take.", answers.bytes)


def _gauge(name: str, help_: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, help_, value=value)


def _memory(pid: int) -> int:
    """Return the bytes that a process has in memory; 0 where the system does not tell."""
    with suppress(OSError, IndexError, ValueError):
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    return 0


router = APIRouter(include_in_schema=False)


@router.get("/metrics")
def metrics(request: Request) -> Response:
    """Return what the server counts."""
    found: Metrics = request.app.state.metrics
    return Response(found.text(), media_type=CONTENT_TYPE_LATEST)
