"""Worker processes through dask.distributed (the extra `distributed`): what all who use them share."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor, Future
from contextlib import ExitStack, contextmanager
from functools import cache
from importlib.util import find_spec
from threading import Thread
from typing import Any

from sleuth.support.errors import SleuthError, installed_by
from sleuth.support.version import VERSION

CONNECTING = 10
"""Seconds to wait for a scheduler."""
FIRST_WORKER = 30
"""Seconds to wait for its first worker."""
_ADDRESS = re.compile(r"(?:(?P<protocol>\w+)://)?(?:\[[^\[\]]+\]|[^\s/:]+):(?P<port>\d{1,5})")
# Ctrl-C reaches every process of a terminal: the workers are to stop when they are told.
_DEAF = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"


def check_installed(what: str) -> None:
    """Raise SleuthError where dask is not there. what: who needs it, in the plural, such as "proofs"."""
    if find_spec("distributed") is None:
        raise SleuthError(
            f"{what} on a cluster need dask.distributed", remedy=f": {installed_by('distributed')}"
        )


def local_cluster(count: int, *, asynchronous: bool) -> Any:
    """Return a cluster of so many processes of this machine, of one thread each."""
    return _lasting_cluster()(
        n_workers=count,
        threads_per_worker=1,
        # Without a limit of memory: what takes much has one of its own.
        memory_limit=None,
        # No dashboard, and no warning that its usual port is taken.
        dashboard_address="127.0.0.1:0",
        scheduler_kwargs={"dashboard": False},
        silence_logs=logging.CRITICAL,
        preload=[_DEAF],
        asynchronous=asynchronous,
    )


@cache
def _lasting_cluster() -> Any:
    """Return LocalCluster without its limit for a worker that has died to be back, 15 seconds.

    Its process is started again at once, which may take longer on a busy machine; what is late there is
    never started again, so that without any the work would wait for ever.
    """
    from dask import config
    from distributed import LocalCluster

    class Lasting(LocalCluster):  # type: ignore[misc]
        def _update_worker_status(self, op: str, msg: Any) -> None:
            with config.set({"distributed.deploy.lost-worker-timeout": "30 days"}):
                super()._update_worker_status(op, msg)

    return Lasting


def not_started(error: Exception) -> SleuthError:
    """Return the error of a cluster on this machine that does not start."""
    return SleuthError(
        f"the worker processes do not start: {error} (a script must begin them under"
        " if __name__ == '__main__', since they import it)"
    )


def address_of(scheduler: str) -> str | None:
    """Return the address that a scheduler is asked for by, None for "local".

    Raises SleuthError for text that is no address, and where dask is not there to be asked.
    """
    if scheduler == "local":
        return None
    matched = _ADDRESS.fullmatch(scheduler)
    if matched is None or not 0 < int(matched["port"]) < 2**16:
        raise _no_address(scheduler)
    from distributed.comm.registry import backends

    if matched["protocol"] not in (None, *backends):
        raise _no_address(scheduler)
    return scheduler


def _no_address(scheduler: str) -> SleuthError:
    return SleuthError(
        f"{scheduler!r} is no address of a dask scheduler; it takes one such as tcp://host:8786, or local"
    )


async def connected(where: Any) -> Any:
    """Return a client of a scheduler, or of a cluster on this machine, which the loop that runs it closes.

    where: the address, or the cluster. Raises SleuthError where nothing answers within CONNECTING.
    """
    from distributed import Client

    client = Client(where, timeout=CONNECTING, set_as_default=False, asynchronous=True)
    try:
        # Its own limit does not hold where something accepts the connection and never answers.
        await asyncio.wait_for(client, CONNECTING)
    except BaseException as error:
        await client.close(timeout=0)
        if not isinstance(error, Exception):
            raise
        reason = f": {error}" if str(error) else f" within {CONNECTING} s"
        raise SleuthError(f"no dask scheduler answers at {where}{reason}") from None
    return client


def _check_answers(address: str) -> None:
    """Raise SleuthError where no scheduler answers. A notebook's own loop is left alone: a thread asks."""
    answered: Future[None] = Future()

    async def ask() -> None:
        await (await connected(address)).close()

    def work() -> None:
        try:
            answered.set_result(asyncio.run(ask()))
        except Exception as error:
            answered.set_exception(error)

    Thread(target=work, name="connecting", daemon=True).start()
    answered.result()


def no_workers(address: str, what: str = "have not come") -> SleuthError:
    """Return the error of workers that are waited for too long."""
    return SleuthError(f"workers of the dask scheduler {address} {what} within {FIRST_WORKER} s")


@contextmanager
def executor(scheduler: str, count: int, what: str) -> Iterator[Executor]:
    """Lend the workers of a scheduler as an executor of functions.

    scheduler: its address, or "local" for so many processes of this machine. what: who needs them, in the
    plural. Raises SleuthError where they are not reached. What is under way at the end is given up.
    """
    check_installed(what)
    from distributed import Client

    with ExitStack() as stack:
        where: Any = address_of(scheduler)
        if where is None:
            try:
                where = stack.enter_context(local_cluster(count, asynchronous=False))
            except RuntimeError as error:
                raise not_started(error) from None
        else:
            _check_answers(where)
        client = stack.enter_context(Client(where, timeout=CONNECTING, set_as_default=False))
        try:
            client.wait_for_workers(1, timeout=FIRST_WORKER)
        except TimeoutError:
            raise no_workers(client.scheduler.address) from None
        lent = client.get_executor(pure=False)
        try:
            yield lent
        finally:
            lent.shutdown(wait=False)


def check_version(version: str, what: str) -> None:
    """Raise SleuthError in a worker whose sleuth is another than that of who asks. what: is asked for."""
    if version != VERSION:
        raise SleuthError(f"a worker has sleuth {VERSION}, and the {what} is of {version}")


def why_given_up(error: Exception) -> str | None:
    """Return in a line why dask gave a piece of work up, None for an error of the work itself.

    Raises SleuthError where nothing else can be done either.
    """
    if isinstance(error, CancelledError):
        raise SleuthError("the dask scheduler is gone, and its workers with it") from None
    if find_spec("distributed") is None:
        return None
    from distributed import KilledWorker

    if isinstance(error, KilledWorker):
        return "workers die at it again and again; they may lack memory"
    return None
