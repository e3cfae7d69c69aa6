"""Evaluations as jobs: started, watched, cancelled, and forgotten after a while."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from secrets import token_urlsafe
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response, StreamingResponse

from sleuth.web import results
from sleuth.web.limits import Limits, client_of
from sleuth.web.logs import Log
from sleuth.web.preparing import Preparation
from sleuth.web.problems import documented
from sleuth.web.schemas import EvaluationRequest
from sleuth.web.workers import BusyError, FaultError, LostError, Pool, TooManyError, TooSlowError, WorkError

_OPEN = ("queued", "running")
_STILL_THERE = 15.0
_MOST_KEPT = 256


@dataclass(eq=False)
class Job:
    """An evaluation: how far it is, and at the end its report or its error."""

    client: str
    id: str = field(default_factory=lambda: token_urlsafe(12))
    status: str = "queued"
    done: int = 0
    total: int = 0
    turn: int = 0
    report: Any = None
    error: str | None = None
    ended: float = 0.0
    task: asyncio.Task[None] | None = None
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_open(self) -> bool:
        """Whether it waits or runs."""
        return self.status in _OPEN

    def change(self, **values: Any) -> None:
        """Set what is new, and wake those who watch."""
        for name, value in values.items():
            setattr(self, name, value)
        if not self.is_open:
            self.ended = time.monotonic()
        changed, self.changed = self.changed, asyncio.Event()
        changed.set()

    def to_json(self) -> dict[str, Any]:
        """Return the job as plain values."""
        names = ("id", "status", "done", "total", "turn", "report", "error")
        return {name: getattr(self, name) for name in names}

    async def events(self) -> AsyncIterator[str]:
        """Yield server-sent events until the job ends."""
        while self.is_open:
            changed = self.changed
            yield _event("progress", {"done": self.done, "total": self.total, "turn": self.turn})
            while self.is_open and not changed.is_set():
                try:
                    async with asyncio.timeout(_STILL_THERE):
                        await changed.wait()
                except TimeoutError:
                    yield ": still there\n\n"
        yield _event(self.status, self.to_json())


def _event(name: str, data: Any) -> str:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"


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

    def start(self, client: str, request: EvaluationRequest) -> Job:
        """Return a new job. Raises TooManyError, BusyError."""
        self._forget_old()
        open_ = [job for job in self._jobs.values() if job.is_open]
        if sum(job.client == client for job in open_) >= self._limits.jobs_each:
            raise TooManyError(
                f"{self._limits.jobs_each} evaluations are in progress for you; wait for one, or cancel it",
                10,
            )
        if len(open_) >= self._limits.jobs:
            raise BusyError("too many evaluations are in progress; try again later")
        job = Job(client)
        self._jobs[job.id] = job
        job.task = asyncio.create_task(self._run(job, request))
        return job

    def find(self, id_: str) -> Job:
        """Return a job. Raises HTTPException."""
        self._forget_old()
        if id_ not in self._jobs:
            raise HTTPException(404, "there is no such evaluation; it may have expired")
        return self._jobs[id_]

    def remove(self, client: str, id_: str) -> None:
        """Cancel a job of a client's and forget it; those who watch it are told. Raises HTTPException."""
        job = self.find(id_)
        if job.client != client:
            raise HTTPException(
                403, "this evaluation was started from another address; only that may cancel it"
            )
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

    async def _run(self, job: Job, request: EvaluationRequest) -> None:
        def progress(told: dict[str, Any]) -> None:
            job.change(status="running", turn=told["turn"], done=told["done"], total=told["total"])

        await self._preparation.over.wait()
        try:
            report = await self._pool.run("evaluate", request.model_dump(mode="json"), progress, job.client)
            job.change(status="done", report=json.loads(report), done=job.total)
        except (WorkError, TooSlowError, TooManyError, BusyError, LostError) as error:
            job.change(status="failed", error=str(error))
        except FaultError as fault:
            self._log({"evaluation": job.id, "fault": str(fault)})
            job.change(status="failed", error="a fault of the server; its log says more")

    def _forget_old(self) -> None:
        now = time.monotonic()
        ended = sorted(
            (job for job in self._jobs.values() if not job.is_open), key=lambda job: job.ended, reverse=True
        )
        for place, job in enumerate(ended):
            if place >= _MOST_KEPT or now - job.ended > self._limits.kept_seconds:
                del self._jobs[job.id]


router = APIRouter(prefix="/evaluations")
Id = Annotated[str, Path(max_length=40)]


@router.post("", status_code=202, responses=documented(400, 415, 422), response_model=results.JobStarted)
async def start(request: Request, asked: EvaluationRequest) -> Response:
    """Begin to play a strategy against every answer."""
    job = _jobs(request).start(client_of(request.scope), asked)
    self_ = f"/api/v1/evaluations/{job.id}"
    body = {"id": job.id, "status": job.status, "events": f"{self_}/events", "self": self_}
    return Response(json.dumps(body), 202, {"Location": self_}, "application/json")


@router.get("/{id}", responses=documented(404, 422), response_model=results.JobInfo)
async def look(request: Request, id: Id) -> Response:
    """Return how far an evaluation is, and what came of it."""
    return Response(json.dumps(_jobs(request).find(id).to_json()), media_type="application/json")


@router.get(
    "/{id}/events",
    responses={
        **documented(404, 422),
        200: {
            "description": "progress events, at last one named for what the evaluation ended as",
            "content": {"text/event-stream": {"schema": {"type": "string"}}},
        },
    },
    response_class=StreamingResponse,
)
async def events(request: Request, id: Id) -> Response:
    """Watch an evaluation: server-sent events."""
    stream = _jobs(request).find(id).events()
    return StreamingResponse(stream, 200, {"X-Accel-Buffering": "no"}, "text/event-stream")


@router.delete("/{id}", status_code=204, responses=documented(403, 404, 422), response_model=None)
async def cancel(request: Request, id: Id) -> Response:
    """Cancel an evaluation that the same client started, and forget it."""
    _jobs(request).remove(client_of(request.scope), id)
    return Response(status_code=204)


def _jobs(request: Request) -> Jobs:
    jobs: Jobs = request.app.state.jobs
    return jobs
