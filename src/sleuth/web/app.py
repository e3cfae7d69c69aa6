"""The application, assembled."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress

from fastapi import APIRouter, FastAPI, Request

from sleuth.support.parallel import thread_count
from sleuth.support.version import VERSION
from sleuth.web import jobs, pages, problems, results, routes
from sleuth.web.answers import Answers
from sleuth.web.head import Head
from sleuth.web.hosts import Hosts
from sleuth.web.limits import ClientLimits, Limits
from sleuth.web.logs import Log, RequestLog, to_stderr
from sleuth.web.preparing import Preparation
from sleuth.web.security import SecurityHeaders
from sleuth.web.workers import FaultError, Pool, TooSlowError

API = "/api/v1"
_STARTING = 60.0

health_router = APIRouter()


@health_router.get("/health", response_model=results.Health)
async def health(request: Request) -> dict[str, object]:
    """Say that the server answers, and how much of what it computes with is compiled."""
    return {"status": "ok", "prepared": round(request.app.state.preparation.share, 3)}


def create_app(
    limits: Limits | None = None,
    log: Log = to_stderr,
    warm: bool = True,
    hosts: Collection[str] | None = None,
) -> FastAPI:
    """Return the application.

    warm: whether kernels are compiled, and workers load them, at the start, not when they are first needed.
    hosts: the names the server goes by (hosts.names); None is any.
    """
    bounds = limits or Limits()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        state = app.state
        state.preparation = preparation = Preparation(log) if warm else Preparation.finished()
        state.answers = Answers(preparation.over.is_set)
        state.short = Pool(max(2, min(thread_count(), 8)), bounds.seconds, bounds.waiting, preparation)
        state.long = Pool(2, bounds.long_seconds, bounds.waiting // 4, preparation, nice=5)
        jobs_at_once = max(1, thread_count() // 2)
        state.lasting = Pool(jobs_at_once, bounds.job_seconds, bounds.jobs, preparation, nice=10)
        state.jobs = jobs.Jobs(state.lasting, preparation, bounds, log)
        tasks = [preparation.run(), _warm(preparation, state.short, state.long)] if warm else []
        beside = [asyncio.create_task(task) for task in tasks]
        yield
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
        await preparation.close()
        await state.jobs.close()
        for pool in (state.short, state.long, state.lasting):
            await pool.close()

    app = FastAPI(
        title="Sleuth",
        summary="Play, study and solve guessing games.",
        version=VERSION,
        lifespan=lifespan,
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    app.state.limits = bounds
    problems.install(app)
    for router in (routes.router, jobs.router, health_router):
        app.include_router(router, prefix=API)
    app.include_router(health_router, include_in_schema=False)
    app.include_router(pages.router)
    # The last one added is the outermost.
    if hosts is not None:
        app.add_middleware(Hosts, names=hosts)
    app.add_middleware(Head)
    app.add_middleware(ClientLimits, limits=bounds)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(RequestLog, log=log)
    return app


async def _warm(preparation: Preparation, *pools: Pool) -> None:
    """Make the workers ready, and again once all is compiled; one that cannot be is noticed when asked."""
    await _load(*pools)
    await preparation.over.wait()
    await _load(*pools)


async def _load(*pools: Pool) -> None:
    for pool in pools:
        with suppress(TooSlowError, FaultError):
            await pool.warm(_STARTING)
