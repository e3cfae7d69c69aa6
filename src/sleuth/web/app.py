"""The application, assembled."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from fastapi import APIRouter, FastAPI

from sleuth.support.parallel import thread_count
from sleuth.support.version import VERSION
from sleuth.web import jobs, pages, problems, results, routes
from sleuth.web.answers import Answers
from sleuth.web.head import Head
from sleuth.web.limits import ClientLimits, Limits
from sleuth.web.logs import Log, RequestLog, to_stderr
from sleuth.web.security import SecurityHeaders
from sleuth.web.workers import FaultError, Pool, TooSlowError

API = "/api/v1"
_COMPILING = 600.0

health_router = APIRouter()


@health_router.get("/health", response_model=results.Health)
async def health() -> dict[str, str]:
    """Say that the server answers."""
    return {"status": "ok"}


def create_app(limits: Limits | None = None, log: Log = to_stderr, warm: bool = True) -> FastAPI:
    """Return the application. warm: whether workers load their kernels at the start, not when first asked."""
    bounds = limits or Limits()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        state = app.state
        state.answers = Answers()
        state.short = Pool(max(2, min(thread_count(), 8)), bounds.seconds, bounds.waiting)
        state.long = Pool(2, bounds.long_seconds, bounds.waiting // 4, nice=5)
        state.lasting = Pool(max(1, thread_count() // 2), bounds.job_seconds, bounds.jobs, nice=10)
        state.jobs = jobs.Jobs(state.lasting, bounds, log)
        warming = asyncio.create_task(_warm(state.short, state.long)) if warm else None
        yield
        if warming is not None:
            warming.cancel()
            with suppress(asyncio.CancelledError):
                await warming
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
    problems.install(app)
    for router in (routes.router, jobs.router, health_router):
        app.include_router(router, prefix=API)
    app.include_router(health_router, include_in_schema=False)
    app.include_router(pages.router)
    # The last one added is the outermost.
    app.add_middleware(Head)
    app.add_middleware(ClientLimits, limits=bounds)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(RequestLog, log=log)
    return app


async def _warm(*pools: Pool) -> None:
    """Make the workers ready; a worker that cannot be is noticed when it is asked."""
    for pool in pools:
        with suppress(TooSlowError, FaultError):
            await pool.warm(_COMPILING)
