"""Long work as jobs: started, watched, cancelled, and forgotten after a while."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from secrets import token_urlsafe
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import Response, StreamingResponse

from sleuth.web import results
from sleuth.web.limits import Limits, client_of
from sleuth.web.logs import Log
from sleuth.web.preparing import Preparation
from sleuth.web.problems import documented
from sleuth.web.schemas import DifficultyRequest, EpisodeRequest, EvaluationRequest
from sleuth.web.workers import BusyError, FaultError, LostError, Pool, TooManyError, TooSlowError, WorkError

_OPEN = ("queued", "running")
_STILL_THERE = 15.0
_MOST_KEPT = 256
_MOST_BYTES = 2**26
"""What the reports that are kept may take together; the newest is always kept."""


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of jobs.

    Attributes:
        path: where they are, below the API.
        task: what a worker does (worker.TASKS).
        told: what they tell of their progress, with what it is before they begin.

    """

    path: str
    task: str
    told: Mapping[str, Any]


EVALUATION = Kind("/evaluations", "evaluate", {"done": 0, "total": 0, "turn": 0})
DIFFICULTY = Kind("/difficulty", "difficulty", {"done": 0, "total": 0, "remark": ""})
EPISODE = Kind("/episodes", "episode", {"done": 0, "total": 0, "remark": ""})


@dataclass(eq=False)
class Job:
    """A piece of work: how far it is, and at the end its report, as JSON, or its error."""

    client: str
    kind: Kind = EVALUATION
    id: str = field(default_factory=lambda: token_urlsafe(12))
    status: str = "queued"
    told: Mapping[str, Any] = field(default_factory=dict)
    report: bytes = b"null"
    error: str | None = None
    ended: float = 0.0
    task: asyncio.Task[None] | None = None
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_open(self) -> bool:
        """Whether it waits or runs."""
        return self.status in _OPEN

    @property
    def progress(self) -> dict[str, Any]:
        """How far it is, as plain values."""
        return {name: self.told.get(name, first) for name, first in self.kind.told.items()}

    def change(self, **values: Any) -> None:
        """Set what is new, and wake those who watch."""
        for name, value in values.items():
            setattr(self, name, value)
        if not self.is_open:
            self.ended = time.monotonic()
        changed, self.changed = self.changed, asyncio.Event()
        changed.set()

    def json(self) -> str:
        """Return the job as JSON on one line; its report is not read for that."""
        told = json.dumps({"id": self.id, "status": self.status, **self.progress, "error": self.error})
        return f'{told[:-1]}, "report": {self.report.decode()}}}'

    async def events(self) -> AsyncIterator[str]:
        """Yield server-sent events until the job ends."""
        while self.is_open:
            changed = self.changed
            yield _event("progress", json.dumps(self.progress))
            while self.is_open and not changed.is_set():
                try:
                    async with asyncio.timeout(_STILL_THERE):
                        await changed.wait()
                except TimeoutError:
                    yield ": still there\n\n"
        yield _event(self.status, self.json())


def _event(name: str, data: str) -> str:
    return f"event: {name}\ndata: {data}\n\n"


class Jobs:
    """All jobs, so many at once."""

    def __init__(self, pool: Pool, preparation: Preparation, limits: Limits, log: Log) -> None:
        self._pool = pool
        self._preparation = preparation
        self._log = log
        self._limits = limits
        self._jobs: dict[str, Job] = {}

    @property
    def open(self) -> int:
        """How many wait or run."""
        return sum(job.is_open for job in self._jobs.values())

    def start(self, client: str, kind: Kind, request: BaseModel) -> Job:
        """Return a new job. Raises TooManyError, BusyError."""
        self._forget_old()
        open_ = [job for job in self._jobs.values() if job.is_open]
        if sum(job.client == client for job in open_) >= self._limits.jobs_each:
            raise TooManyError(
                f"{self._limits.jobs_each} jobs are in progress for you; wait for one, or cancel it", 10
            )
        if len(open_) >= self._limits.jobs:
            raise BusyError("too many jobs are in progress; try again later")
        job = Job(client, kind)
        self._jobs[job.id] = job
        job.task = asyncio.create_task(self._run(job, request))
        return job

    def find(self, kind: Kind, id_: str) -> Job:
        """Return a job of a kind. Raises HTTPException."""
        self._forget_old()
        job = self._jobs.get(id_)
        if job is None or job.kind is not kind:
            raise HTTPException(404, "there is no such job; it may have expired")
        return job

    def remove(self, client: str, kind: Kind, id_: str) -> None:
        """Cancel a job of a client's and forget it; those who watch it are told. Raises HTTPException."""
        job = self.find(kind, id_)
        if job.client != client:
            raise HTTPException(403, "this job was started from another address; only that may cancel it")
        del self._jobs[id_]
        self._cancel(job)

    async def close(self) -> None:
        """Cancel all jobs, so that those who watch them go."""
        tasks = [job.task for job in self._jobs.values() if job.task is not None]
        for job in self._jobs.values():
            self._cancel(job)
        await asyncio.gather(*tasks, return_exceptions=True)

    def _cancel(self, job: Job) -> None:
        if job.is_open:
            job.change(status="cancelled")
            if job.task is not None:
                job.task.cancel()

    async def _run(self, job: Job, request: BaseModel) -> None:
        def progress(told: dict[str, Any]) -> None:
            job.change(status="running", told=told)

        await self._preparation.over.wait()
        try:
            given = request.model_dump(mode="json")
            report = await self._pool.run(job.kind.task, given, progress, job.client)
            job.change(status="done", report=report, told={**job.told, "done": job.progress["total"]})
        except (WorkError, TooSlowError, TooManyError, BusyError, LostError) as error:
            job.change(status="failed", error=str(error))
        except FaultError as fault:
            self._log({"job": job.id, "fault": str(fault)})
            job.change(status="failed", error="a fault of the server; its log says more")

    def _forget_old(self) -> None:
        now = time.monotonic()
        ended = sorted(
            (job for job in self._jobs.values() if not job.is_open), key=lambda job: job.ended, reverse=True
        )
        size = 0
        for place, job in enumerate(ended):
            size += len(job.report)
            is_old = place >= _MOST_KEPT or now - job.ended > self._limits.kept_seconds
            if is_old or (place and size > _MOST_BYTES):
                del self._jobs[job.id]


router = APIRouter()
Id = Annotated[str, Path(max_length=40)]


@router.post(
    EVALUATION.path, status_code=202, responses=documented(400, 415, 422), response_model=results.JobStarted
)
async def evaluate(request: Request, asked: EvaluationRequest) -> Response:
    """Begin to play a strategy against every answer."""
    return _started(request, EVALUATION, asked)


@router.post(
    DIFFICULTY.path, status_code=202, responses=documented(400, 415, 422), response_model=results.JobStarted
)
async def difficulty(request: Request, asked: DifficultyRequest) -> Response:
    """Begin to measure how hard a list is, before and after where words are added or taken out."""
    return _started(request, DIFFICULTY, asked)


@router.post(
    EPISODE.path, status_code=202, responses=documented(400, 415, 422), response_model=results.JobStarted
)
async def episode(request: Request, asked: EpisodeRequest) -> Response:
    """Begin to play an episode of a planning problem by a method, or one that was played before."""
    return _started(request, EPISODE, asked)


def _started(request: Request, kind: Kind, asked: BaseModel) -> Response:
    job = _jobs(request).start(client_of(request.scope), kind, asked)
    self_ = f"/api/v1{kind.path}/{job.id}"
    body = {"id": job.id, "status": job.status, "events": f"{self_}/events", "self": self_}
    return Response(json.dumps(body), 202, {"Location": self_}, "application/json")


def _serve(kind: Kind, model: type[results.Result]) -> None:
    """Add the routes that look at a job of a kind, watch it and cancel it. model: of the job as JSON."""

    @router.get(f"{kind.path}/{{id}}", responses=documented(404, 422), response_model=model)
    async def look(request: Request, id: Id) -> Response:
        """Return how far a job is, and what came of it."""
        return Response(_jobs(request).find(kind, id).json(), media_type="application/json")

    @router.get(
        f"{kind.path}/{{id}}/events",
        responses={
            **documented(404, 422),
            200: {
                "description": "progress events, at last one named for what the job ended as",
                "content": {"text/event-stream": {"schema": {"type": "string"}}},
            },
        },
        response_class=StreamingResponse,
    )
    async def events(request: Request, id: Id) -> Response:
        """Watch a job: server-sent events."""
        stream = _jobs(request).find(kind, id).events()
        return StreamingResponse(stream, 200, {"X-Accel-Buffering": "no"}, "text/event-stream")

    @router.delete(
        f"{kind.path}/{{id}}", status_code=204, responses=documented(403, 404, 422), response_model=None
    )
    async def cancel(request: Request, id: Id) -> Response:
        """Cancel a job that the same client started, and forget it."""
        _jobs(request).remove(client_of(request.scope), kind, id)
        return Response(status_code=204)


_serve(EVALUATION, results.JobInfo)
_serve(DIFFICULTY, results.DifficultyInfo)
_serve(EPISODE, results.EpisodeInfo)


def _jobs(request: Request) -> Jobs:
    jobs: Jobs = request.app.state.jobs
    return jobs
