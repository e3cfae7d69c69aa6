"""The application, assembled."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager, suppress

from fastapi import APIRouter, FastAPI, Request

from sleuth.support.parallel import thread_count
from sleuth.support.version import VERSION
from sleuth.web import jobs, metrics, pages, problems, results, routes, starting
from sleuth.web.answers import Answers
from sleuth.web.head import Head
from sleuth.web.hosts import Hosts
from sleuth.web.limits import ClientLimits, Limits
from sleuth.web.logs import Log, RequestLog, timed, to_stderr
from sleuth.web.memory import memory_each, memory_of_machine
from sleuth.web.preparing import Preparation
from sleuth.web.security import SecurityHeaders
from sleuth.web.starting import Starter
from sleuth.web.turns import NoPlaceError
from sleuth.web.workers import FaultError, LostError, Pool, TooSlowError

API = "/api/v1"
_STARTING = 60.0

health_router = APIRouter()


@health_router.get("/health", response_model=results.Health)
async def health(request: Request) -> dict[str, object]:
    """Say that the server answers, how much of what it computes with is compiled, and whether hints are."""
    preparation: Preparation = request.app.state.preparation
    return {"status": "ok", "prepared": round(preparation.share, 3), "hints": preparation.hints}


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
    log = timed(log)
    counted = metrics.Metrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        state = app.state
        state.preparation = preparation = Preparation(log) if warm else Preparation.finished()
        starter = starting.starter()
        state.answers = Answers(preparation.over.is_set)
        quick, long = 2, 3  # of all but the first kind one more than a client may have at once
        short = max(2, min(thread_count(), 8)) + 1
        lasting = max(1, thread_count() // 2)
        memory = memory_each(quick + short + long + lasting, memory_of_machine())

        def pool(size: int, seconds: float, waiting: int, nice: int) -> Pool:
            return Pool(size, seconds, waiting, preparation, starter, nice, memory)

        state.quick = pool(quick, bounds.seconds, bounds.waiting, 0)
        state.short = pool(short, bounds.seconds, bounds.waiting, 2)
        state.long = pool(long, bounds.long_seconds, bounds.waiting // 4, 5)
        state.lasting = pool(lasting, bounds.job_seconds, bounds.jobs, 10)
        state.jobs = jobs.Jobs(state.lasting, preparation, bounds, log)
        pools = {name: getattr(state, name) for name in ("quick", "short", "long", "lasting")}
        counted.watch(metrics.State(pools, state.answers, state.jobs, preparation))
        first = [state.quick, state.short, state.long]
        tasks = [preparation.run(), _warm(preparation, starter, first)] if warm else []
        beside = [asyncio.create_task(task) for task in tasks]
        yield
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
        await preparation.close()
        await state.jobs.close()
        for one in pools.values():
            await one.close()
        await starter.close()

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
    app.state.metrics = counted
    problems.install(app)
    for router in (routes.router, jobs.router, health_router):
        app.include_router(router, prefix=API)
    app.include_router(health_router, include_in_schema=False)
    app.include_router(metrics.router)
    app.include_router(pages.router)
    # The last one added is the outermost.
    if hosts is not None:
        app.add_middleware(Hosts, names=hosts)
    app.add_middleware(Head)
    app.add_middleware(ClientLimits, limits=bounds)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(RequestLog, log=log, count=counted.count)
    return app


async def _warm(preparation: Preparation, starter: Starter, pools: Sequence[Pool]) -> None:
    """Make the workers ready, and again once all is compiled."""
    await _load(starter, pools)
    await preparation.over.wait()
    await _load(starter, pools)


async def _load(starter: Starter, pools: Sequence[Pool]) -> None:
    """Make the workers ready with what is compiled; one that cannot be is noticed when asked."""
    await starter.load()
    for pool in pools:
        with suppress(TooSlowError, FaultError, LostError, NoPlaceError):
            await pool.warm(_STARTING)
