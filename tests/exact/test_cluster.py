"""Proofs on a dask cluster: the same results as on threads, whatever happens to the workers."""

import os
import pickle
import signal
import socket
import string
import sys
import time
from collections.abc import Iterator
from typing import Any

import cloudpickle
import numpy as np
import pytest
from dask import config as dask_config
from distributed.client import Client
from distributed.deploy.local import LocalCluster

from sleuth.exact import cluster as on_cluster
from sleuth.exact.cluster import Cluster
from sleuth.exact.objective import Objective
from sleuth.exact.proof import Proof
from sleuth.exact.proving import ProofProgress, prove
from sleuth.exact.solver import Solver
from sleuth.games.game import Game, Mode
from sleuth.games.position import Position
from sleuth.games.priors import uniform
from sleuth.games.rules import WordleRules
from sleuth.support import dask as dask_support
from sleuth.support.errors import SleuthError
from sleuth.support.version import VERSION

# The workers cannot import this file: what they are sent of it travels whole.
cloudpickle.register_pickle_by_value(sys.modules[__name__])

distributed = pytest.importorskip("distributed")
psutil = pytest.importorskip("psutil")  # which comes with it


def words(seed: int, n: int, letters: int = 26, mode: Mode = "easy") -> Game:
    rng = np.random.default_rng(seed)
    letters = list(string.ascii_lowercase[:letters])
    found = sorted({"".join(rng.choice(letters, 5)) for _ in range(n)})
    return Game("words", WordleRules(5), tuple(found), tuple(found), uniform(len(found)), mode=mode)


def weighted(game: Game) -> Game:
    return game.with_prior(np.random.default_rng(2).integers(1, 9, len(game.answers)).astype(float))


def remainders() -> Game:
    """A game by a function that no worker can import."""

    def remainder(guess: int, answer: int) -> int | str:
        return "right" if guess == answer else guess * answer % 11

    return Game.from_function(remainder, range(10, 40))


@pytest.fixture(scope="module")
def processes() -> Iterator[LocalCluster]:
    """Two worker processes, which are waited for on a busy machine when they were killed."""
    with dask_support.local_cluster(2, asynchronous=False) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def client(processes: LocalCluster) -> Iterator[Client]:
    with distributed.Client(processes, set_as_default=False) as client:
        yield client


@pytest.fixture
def dask(processes: LocalCluster, client: Client) -> Iterator[LocalCluster]:
    """The two processes, on which a test must leave nothing of its runs."""
    yield processes
    assert set(client.run(_runs).values()) == {0}


@pytest.fixture(scope="module")
def threads() -> Iterator[LocalCluster]:
    """A worker of two threads in this process, which starts at once."""
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, protocol="tcp", dashboard_address=None
    ) as cluster:
        yield cluster


@pytest.fixture
def near(threads: LocalCluster) -> Iterator[LocalCluster]:
    """The worker in this process, on which a test must leave nothing of its runs."""
    yield threads
    assert _runs() == 0


def _runs() -> int:
    from sleuth.exact import cluster

    return len(cluster._runs)


def connect(game: Game, address: str | None, **options: Any) -> Cluster:
    return Cluster(Solver(game), Position.start(game), address, **options)


def result(proof: Proof) -> tuple[str, int | None, int, bool, list[tuple[str, int]], int]:
    return proof.opener, proof.total, proof.lower_bound, proof.proved, sorted(proof.top), proof.refuted


@pytest.mark.thorough
def test_own_cluster() -> None:
    game = words(1, 250)
    before = children()
    workers = connect(game, None, count=2)
    assert workers.count == 2
    started = children() - before
    assert len(started) == 2
    seen: list[set[int]] = []

    def interrupt(progress: ProofProgress) -> None:
        """As Ctrl-C in a terminal does, which all its processes get."""
        if not seen:
            for pid in started:
                os.kill(pid, signal.SIGINT)
        seen.append(children() - before)

    proof = prove(game, top=20, workers=workers, progress=interrupt)
    assert result(proof) == result(prove(game, top=20))
    assert proof.nodes > 0
    assert seen[-1] == started
    assert children() == before
    workers.close()  # once more is no harm


def children() -> set[int]:
    """The worker processes of this one."""
    found = psutil.Process().children()
    return {child.pid for child in found if "spawn_main" in " ".join(child.cmdline())}


@pytest.mark.parametrize(
    "game",
    [
        words(2, 100),
        pytest.param(weighted(words(3, 60, 12)), marks=pytest.mark.thorough),
        pytest.param(words(4, 60, mode="hard"), marks=pytest.mark.thorough),
        remainders(),
    ],
    ids=["easy", "weighted", "hard", "function"],
)
def test_address(game: Game, near: LocalCluster) -> None:
    proof = prove(game, top=10, workers=connect(game, near.scheduler_address))
    assert proof.proved
    assert result(proof) == result(prove(game, top=10))


def test_position(near: LocalCluster) -> None:
    game = words(5, 300, 12, mode="hard")
    position = Position.start(game).after(0, 0)
    proof = prove(position, top=5, workers=Cluster(Solver(game), position, near.scheduler_address))
    assert result(proof) == result(prove(position, top=5))


@pytest.mark.thorough
@pytest.mark.parametrize("allowed_failures", [3, 0], ids=["dask tries again", "dask gives up"])
def test_killed_workers(
    dask: LocalCluster, client: Client, monkeypatch: pytest.MonkeyPatch, allowed_failures: int
) -> None:
    monkeypatch.setattr(dask.scheduler, "allowed_failures", allowed_failures)
    game = words(1, 250)
    killed: list[list[int]] = []
    after: list[int] = []

    def kill(progress: ProofProgress) -> None:
        if progress.phase != "searching openers":
            return
        # One of them, and later whatever there is.
        if (progress.done >= 5 and not killed) or (progress.done >= 15 and len(killed) == 1):
            assert progress.done < progress.total / 2
            # A nanny gives up where its worker dies while it starts.
            nannies = [nanny for nanny in dask.workers.values() if nanny.process is not None]
            running = [n.pid for n in nannies if n.process.status == distributed.Status.running]
            doomed = running[: len(killed) + 1]
            for pid in doomed:
                os.kill(pid, signal.SIGKILL)
            killed.append(doomed)
        elif len(killed) == 2:
            after.append(progress.done)

    proof = prove(game, top=80, workers=connect(game, dask.scheduler_address), progress=kill)
    assert [len(doomed) for doomed in killed] in ([1, 1], [1, 2])
    assert len(after) > 10
    assert result(proof) == result(prove(game, top=80))
    client.wait_for_workers(2, timeout=300)


@pytest.mark.thorough
def test_a_worker_that_is_long_in_coming_back_is_waited_for() -> None:
    """Dask drops it for good after a time, and starts no other."""
    with (
        dask_config.set({"distributed.deploy.lost-worker-timeout": "0.001 s"}),
        dask_support.local_cluster(1, asynchronous=False) as cluster,
    ):
        [first] = cluster.scheduler.workers
        os.kill(cluster.workers[0].pid, signal.SIGKILL)
        began = time.perf_counter()
        while not cluster.scheduler.workers.keys() - {first}:
            assert time.perf_counter() - began < 300
            time.sleep(0.05)


@pytest.fixture(scope="module")
def long() -> tuple[Game, int | None]:
    """A game that takes some seconds, and its least total."""
    game = words(6, 800)
    return game, prove(game, with_tree=False).total


def test_stopped(near: LocalCluster) -> None:
    game = words(6, 800)
    proof = prove(game, seconds=0.1, workers=connect(game, near.scheduler_address))
    assert proof.interrupted
    assert not proof.shallowest
    assert len(game.answers) < proof.lower_bound


@pytest.mark.thorough
def test_stopped_in_time(dask: LocalCluster, long: tuple[Game, int | None]) -> None:
    game, total = long
    prove(words(7, 100), workers=connect(words(7, 100), dask.scheduler_address))  # the kernels are loaded
    workers = connect(game, dask.scheduler_address)
    proof = prove(game, seconds=1, workers=workers)
    assert proof.interrupted
    assert not proof.shallowest
    assert len(game.answers) < proof.lower_bound <= total
    assert proof.total is None or proof.total >= total


@pytest.mark.thorough
def test_stopped_where_a_worker_does_not_answer(
    dask: LocalCluster, long: tuple[Game, int | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(on_cluster, "_STOPPING", 0.5)
    game, total = long
    workers = connect(game, dask.scheduler_address)
    frozen = dask.workers[0].pid
    os.kill(frozen, signal.SIGSTOP)
    try:
        proof = prove(game, seconds=1, workers=workers)
    finally:
        os.kill(frozen, signal.SIGCONT)
    assert proof.interrupted
    assert proof.lower_bound <= total
    other = words(7, 100)
    assert result(prove(other, workers=connect(other, dask.scheduler_address))) == result(prove(other))


def test_two_at_once(near: LocalCluster) -> None:
    games = [words(7, 40), words(8, 50)]
    runs = [connect(game, near.scheduler_address) for game in games]
    for game, workers in zip(games, runs, strict=True):
        assert result(prove(game, workers=workers)) == result(prove(game))


@pytest.mark.thorough
def test_client_that_was_killed(dask: LocalCluster, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it has left under way, for hours maybe, ends when the next one comes."""
    endless = words(6, 4000)
    with monkeypatch.context() as patch:
        patch.setattr(Cluster, "_leave", _nothing)
        workers = connect(endless, dask.scheduler_address)
        for guess in (1, 2):
            workers.solve(guess, 6, 2**60)
        began = time.perf_counter()
        while set(client.run(_working).values()) != {1}:
            assert time.perf_counter() - began < 300
            time.sleep(0.05)
        workers.close()
    assert set(client.run(_working).values()) == {1}
    game = words(7, 100)
    workers = connect(game, dask.scheduler_address)
    assert set(client.run(_runs).values()) == {1}
    assert prove(game, workers=workers).proved


def test_runs_of_clients_that_are_gone_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_cluster, "_runs", {})
    about = Position.start(words(1, 20)), Objective(), 2**20
    assert on_cluster._prepare("old", ["old"], VERSION, *about) == VERSION
    old = on_cluster._runs["old"]
    assert on_cluster._prepare("old", ["old", "new"], VERSION, *about) == VERSION
    assert on_cluster._runs == {"old": old}
    assert (
        on_cluster._prepare("new", ["new"], "9.9", *about) == VERSION
    )  # which the client tells from its own
    assert on_cluster._runs == {}
    assert old._stopped


async def _nothing(self: Cluster) -> None:
    pass


def _working(dask_worker: Any) -> int:
    return dask_worker.state.executing_count


def test_what_travels_is_small() -> None:
    game = words(1, 250)
    whole = prove(game).position.game
    assert len(pickle.dumps(whole)) > 100_000
    bare = pickle.loads(pickle.dumps(whole.bare()))
    assert len(pickle.dumps(bare)) < 10_000
    assert "feedback" in vars(whole)
    assert bare.digest == whole.digest
    assert np.array_equal(bare.prior, whole.prior)


def test_no_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sleuth.support.dask.CONNECTING", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(SleuthError, match=f"no dask scheduler answers at {address} within 0.3 s"):
            connect(words(1, 20), address)
    with pytest.raises(SleuthError, match=f"no dask scheduler answers at {address}"):
        connect(words(1, 20), address)
    with pytest.raises(SleuthError, match="'nowhere' is no address of a dask scheduler"):
        connect(words(1, 20), "nowhere")


def test_no_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sleuth.support.dask.FIRST_WORKER", 0.3)
    with (
        distributed.LocalCluster(
            n_workers=0, dashboard_address="127.0.0.1:0", scheduler_kwargs={"dashboard": False}
        ) as empty,
        pytest.raises(SleuthError, match="workers of the dask scheduler .* have not come within 0.3 s"),
    ):
        connect(words(1, 20), empty.scheduler_address)


@pytest.mark.thorough
def test_workers_without_sleuth(dask: LocalCluster, client: Client) -> None:
    client.run(_hide)
    try:
        with pytest.raises(SleuthError, match="the worker tcp.* cannot run sleuth .*: .*import of"):
            connect(words(1, 20), dask.scheduler_address)
    finally:
        client.run(_show)


def _hide() -> None:
    held: Any = sys
    held.hidden = sys.modules["sleuth.exact.cluster"]
    held.modules["sleuth.exact.cluster"] = None


def _show() -> None:
    held: Any = sys
    sys.modules["sleuth.exact.cluster"] = held.hidden


@pytest.mark.thorough
def test_workers_of_another_version(dask: LocalCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_cluster, "VERSION", "9.9")
    with pytest.raises(SleuthError, match="the worker tcp.* has sleuth .*, and this is 9.9"):
        connect(words(1, 20), dask.scheduler_address)


def test_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SleuthError, match="pip install -c constraints.txt '\\.\\[distributed\\]'"):
        connect(words(1, 20), None)
