"""Worker processes on any number of machines, through dask.distributed (the extra `distributed`)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from math import inf
from threading import Lock, Thread
from typing import Any
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from sleuth.exact.objective import Objective
from sleuth.exact.solver import Bound, Solver
from sleuth.exact.workers import refute_or_sweep
from sleuth.games.position import Position
from sleuth.support import dask
from sleuth.support.errors import SleuthError
from sleuth.support.parallel import thread_count
from sleuth.support.version import VERSION

# Seconds to wait for workers that were told to stop.
_STOPPING = 2
# Dask gives a task up that was on so many workers when they died (4 unless configured); then it is sent anew.
_ATTEMPTS = 10


class Cluster:
    """The workers of a dask cluster, as Workers.

    They may come, go and be killed at any time: what they were at is done again by others.
    """

    def __init__(
        self, solver: Solver, position: Position, address: str | None = None, count: int | None = None
    ) -> None:
        """Connect to the scheduler at an address, or start a cluster on this machine.

        address: None or "local" starts one. count: its worker processes, else one a processor. Raises
        SleuthError.
        """
        dask.check_installed("proofs")
        address = None if address is None else dask.address_of(address)
        self.count = 0
        bare = replace(position, game=position.game.bare())
        self._about = VERSION, bare, solver.objective, solver.memory
        self._nodes: dict[str, int] = {}
        self._under_way: set[Future[Any]] = set()
        self._stopped = False
        self._loop = asyncio.new_event_loop()
        opened: Future[None] = Future()
        self._life = self._loop.create_task(self._live(address, count or thread_count(), opened))
        self._thread = Thread(target=self._serve, name="cluster", daemon=True)
        self._thread.start()
        try:
            opened.result()
        except BaseException:
            self.close()
            raise

    def sweep(self, guesses: NDArray[np.int32], turns: int, limit: int) -> Future[NDArray[np.int64]]:
        return self._submit(refute_or_sweep, guesses, turns, limit)

    def solve(self, guess: int, turns: int, limit: int) -> Future[Bound]:
        return self._submit(Solver.bound, turns, limit, guess)

    def stop(self) -> None:
        self._stopped = True
        self._start(self._tell(_stop))
        # What has not come by then may be cancelled: its worker does not answer.
        wait(set(self._under_way), _STOPPING)

    def close(self) -> None:
        self._stopped = True
        for future in set(self._under_way):
            future.cancel()
        with suppress(RuntimeError):  # it has ended already
            self._loop.call_soon_threadsafe(self._life.cancel)
        self._thread.join()

    def nodes(self) -> int:
        return sum(self._nodes.copy().values())

    def _serve(self) -> None:
        """Run everything that has to do with dask, in a thread of its own."""
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner, suppress(asyncio.CancelledError):
            runner.run(asyncio.wait_for(self._life, None))

    async def _live(self, address: str | None, count: int, opened: Future[None]) -> None:
        """Open the cluster, and close it again when cancelled."""
        try:
            async with AsyncExitStack() as stack:
                await self._open(stack, address, count)
                opened.set_result(None)
                await asyncio.sleep(inf)
        except Exception as error:
            if opened.done():
                raise
            opened.set_exception(error)

    async def _open(self, stack: AsyncExitStack, address: str | None, count: int) -> None:
        """Connect, wait for workers and tell them of the run. Raises SleuthError."""
        where: Any = address
        if address is None:
            where = dask.local_cluster(count, asynchronous=True)
            try:
                await stack.enter_async_context(where)
            except RuntimeError as error:
                raise dask.not_started(error) from None
        self._client = await dask.connected(where)
        stack.push_async_callback(self._client.close)
        self._address, self._key = self._client.scheduler.address, self._client.id
        try:
            await self._client.wait_for_workers(1, timeout=dask.FIRST_WORKER)
            self.count = sum((await self._client.nthreads()).values())
            stack.push_async_callback(self._leave)
            await asyncio.wait_for(self._introduce(), dask.FIRST_WORKER)
        except TimeoutError:
            what = "do not answer" if self.count else "have not come"
            raise dask.no_workers(self._address, what) from None

    async def _introduce(self, worker: str | None = None) -> None:
        """Tell all workers or one what the run is about. Raises SleuthError."""
        alive = await self._client.run_on_scheduler(lambda dask_scheduler: list(dask_scheduler.clients))
        replies = await self._tell(_prepare, alive, *self._about, worker=worker)
        for address, reply in replies.items():
            if isinstance(reply, OSError):
                continue  # it is gone, or will be told when it has come back
            if isinstance(reply, Exception):
                raise SleuthError(f"the worker {address} cannot run sleuth {VERSION}: {reply}")
            if reply != VERSION:
                raise SleuthError(f"the worker {address} has sleuth {reply}, and this is {VERSION}")

    async def _leave(self) -> None:
        """End what is under way on the workers, and free their memory."""
        with suppress(OSError):
            await asyncio.wait_for(self._tell(_forget), _STOPPING)

    def _submit(self, method: Callable[..., Any], *args: Any) -> Future[Any]:
        future = self._start(self._carry_out(method, args))
        self._under_way.add(future)
        future.add_done_callback(self._under_way.discard)
        return future

    def _start(self, coroutine: Any) -> Future[Any]:
        """Start a coroutine in the thread of dask; the future is pending until it is done."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    async def _tell(self, function: Callable[..., Any], *args: Any, worker: str | None = None) -> Any:
        """Call a function of the run on all workers or one, beside their tasks; errors are returned."""
        workers = None if worker is None else [worker]
        return await self._client.run(function, self._key, *args, workers=workers, on_error="return")

    async def _carry_out(self, method: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """Return what a method of the solver returns on some worker. Raises SleuthError."""
        from distributed import CancelledError, KilledWorker
        from distributed.client import ClosedClientError

        killed = 0
        while not self._stopped:
            try:
                # Workers may have come since; with none at all the work waits for one.
                self.count = max(1, sum((await self._client.nthreads()).values()))
                key = f"{method.__name__}-{uuid4().hex}"
                source, nodes, result = await self._client.submit(_work, self._key, method, args, key=key)
                if result is not None:
                    self._nodes[source] = max(nodes, self._nodes.get(source, 0))
                    return result
                await self._introduce(source)
            except KilledWorker:
                killed += 1
                if killed == _ATTEMPTS:
                    raise SleuthError(
                        "workers die again and again at the same work; they may lack memory"
                    ) from None
            except (CancelledError, ClosedClientError, OSError):
                raise SleuthError(f"the dask scheduler {self._address} is gone") from None
        raise asyncio.CancelledError


class _Run:
    """A run in a worker process: a solver that all threads share."""

    def __init__(self, position: Position, objective: Objective, memory: int) -> None:
        self.name = uuid4().hex
        self.position = position
        self._with = objective, memory
        self._lock = Lock()
        self._solver: Solver | None = None
        self._stopped = False

    @property
    def solver(self) -> Solver:
        """The solver, made by the first thread that needs it."""
        with self._lock:
            if self._solver is None:
                solver = Solver(self.position.game, *self._with, self.position.candidates)
                solver.resume()  # lays the search out: two threads at once would do so twice
                self._solver = solver
        if self._stopped:
            self._solver.stop()
        return self._solver

    def stop(self) -> None:
        """Make all that is under way return soon, and what begins after it."""
        self._stopped = True
        if self._solver is not None:
            self._solver.stop()


_runs: dict[str, _Run] = {}
"""The runs that this worker process knows, by their clients."""


def _prepare(
    key: str, alive: list[str], version: str, position: Position, objective: Objective, memory: int
) -> str:
    """Make a run known to this worker process, if it is of this version of sleuth; return the version."""
    # Clients that were killed never say that their runs end.
    for gone in _runs.keys() - set(alive):
        _forget(gone)
    if version == VERSION and key not in _runs:
        _runs[key] = _Run(position, objective, memory)
    return VERSION


def _stop(key: str) -> None:
    if key in _runs:
        _runs[key].stop()


def _forget(key: str) -> None:
    run = _runs.pop(key, None)
    if run is not None:
        run.stop()


def _work(key: str, method: Callable[..., Any], args: tuple[Any, ...]) -> tuple[str, int, Any]:
    """Return which solver worked, the sets it has searched so far, and the result.

    Where the run is not known, return the address of this worker and None.
    """
    from distributed import get_worker

    run = _runs.get(key)
    if run is None:
        return get_worker().address, 0, None
    solver = run.solver
    result = method(solver, run.position, *args)
    return run.name, solver.nodes, result
