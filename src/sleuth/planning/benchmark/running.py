"""A benchmark played: episodes side by side in processes, each of which measures its own processor time.

The processes are of this machine, or workers of a dask cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Executor, Future
from contextlib import AbstractContextManager
from functools import lru_cache, partial
from pathlib import Path
from random import Random
from threading import Lock
from typing import NamedTuple

from sleuth.kernels.compiling import processor_time, seconds_worked
from sleuth.planning.benchmark.keeping import Keeper
from sleuth.planning.benchmark.problems import BenchmarkProblem, bounds_of, problem_of
from sleuth.planning.benchmark.results import BOUNDS, Benchmark, Episode, Pair, Played, Results
from sleuth.planning.methods import DrawnMethod, PomdpMethod, pomdp_method
from sleuth.planning.pomdps.drawn.problem import DrawnPomdp, play_drawn
from sleuth.planning.pomdps.modelled import ModelledPomdp
from sleuth.planning.pomdps.online import Planner, Planners, check_planner, decide, play
from sleuth.planning.pomdps.sampled.problem import play_sampled
from sleuth.planning.searches import HsviMethod
from sleuth.support import dask
from sleuth.support.errors import Interrupted, SleuthError
from sleuth.support.foreign import faults_in_a_line
from sleuth.support.parallel import thread_count
from sleuth.support.processes import DiedError, processes, result_of
from sleuth.support.progress import Progress, Watch
from sleuth.support.settling import settle_each
from sleuth.support.version import VERSION

# The part of the time for a decision that a planner has at least, whatever it took before.
_LEAST = 0.1
# Episodes played in one piece by a policy that is planned before play: once in each process.
_TOGETHER = 25
# Workers of a cluster may have several threads.
_ALONE = Lock()
_Work = tuple[Pair, list[int]]
"""A method in a problem, and the numbers of episodes that are played in one piece."""


def run(
    benchmark: Benchmark,
    *,
    keep: Path | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    progress: Watch | None = None,
) -> Results:
    """Play all episodes of a benchmark that are not known yet.

    keep: a file where episodes are kept, and looked up. workers: processes, else one a processor. scheduler:
    the address of a dask scheduler, or "local" for a cluster of so many processes. progress: told of the
    episodes played. Raises SleuthError; what goes wrong with one method in one problem is told in
    `problems`, and the others go on. On Ctrl-C Interrupted, whose `known` are the Results so far.
    """
    if workers is not None and workers < 1:
        raise SleuthError(f"workers is {workers}; it must be at least 1")
    keeper = None if keep is None else Keeper(keep)
    stated = [Pair(problem, BOUNDS) for problem in benchmark.problems if bounds_of(problem)]
    played = {
        pair: Played({}) if keeper is None else keeper.find(benchmark, pair)
        for pair in [*stated, *benchmark.pairs()]
    }
    problems: dict[Pair, str] = {}
    total = benchmark.episodes * len(benchmark.pairs())

    def known() -> Results:
        return Results(
            benchmark, {pair: one for pair, one in played.items() if one.episodes or one.bounds}, problems
        )

    def settle(work: _Work, future: Future[Played]) -> None:
        pair, _ = work
        try:
            found = result_of(future)
        except DiedError:
            raise
        except SleuthError as error:
            problems[pair] = str(error)
            return
        except (Exception, CancelledError) as error:
            why = dask.why_given_up(error)
            if why is None:
                raise
            problems[pair] = why
            return
        before = played[pair]
        played[pair] = Played({**before.episodes, **found.episodes}, _tighter(before.bounds, found.bounds))
        if keeper is not None:
            keeper.keep(benchmark, pair, played[pair])

    left: list[_Work] = [(pair, []) for pair in stated if played[pair].bounds is None]
    left += [work for pair in benchmark.pairs() for work in _left(benchmark, pair, played[pair])]
    if not left:
        return known()
    try:
        count = min(workers or thread_count(), len(left))
        where: AbstractContextManager[Executor] = (
            processes(count) if scheduler is None else dask.executor(scheduler, count, "benchmarks")
        )
        with where as pool:
            under_way = {
                pool.submit(_play_there, VERSION, pair, numbers, benchmark.seconds, benchmark.seed): (
                    pair,
                    numbers,
                )
                for pair, numbers in left
            }

            def look() -> None:
                if progress is not None:
                    pair, _ = next(iter(under_way.values()), (None, None))
                    remark = "" if pair is None else f"{pair.method} on {pair.problem}"
                    progress(Progress(known().done, total, remark))

            settle_each(under_way, settle, look)
    except KeyboardInterrupt:
        raise Interrupted(known()) from None
    finally:
        if keeper is not None:
            keeper.write()
    return known()


def _left(benchmark: Benchmark, pair: Pair, known: Played) -> list[_Work]:
    """Return what is left to play: of a policy planned before play, which takes its time, many at once."""
    numbers = [number for number in range(benchmark.episodes) if number not in known.episodes]
    size = _TOGETHER if isinstance(pomdp_method(pair.method, files=True), HsviMethod) else 1
    return [(pair, numbers[least : least + size]) for least in range(0, len(numbers), size)]


def _tighter(
    one: tuple[float, float] | None, other: tuple[float, float] | None
) -> tuple[float, float] | None:
    """Return what two proofs of the same say together."""
    if one is None or other is None:
        return one or other
    return max(one[0], other[0]), min(one[1], other[1])


def _play_there(version: str, pair: Pair, numbers: Sequence[int], seconds: float, seed: int) -> Played:
    """Play some episodes in a worker, one piece of work at a time: the time of all its threads counts."""
    dask.check_version(version, "benchmark")
    with _ALONE, faults_in_a_line(pair.method):
        return _played(pair, numbers, seconds, seed)


def _played(pair: Pair, numbers: Sequence[int], seconds: float, seed: int) -> Played:
    """Play some episodes."""
    if pair.method == BOUNDS and (bounds := bounds_of(pair.problem)):
        return Played({}, bounds())
    with processor_time():
        game, planners = _posed(pair.problem).game, _planners(pair, seconds)
        return Played(
            {number: _episode(game, planners, seconds, seed, number) for number in numbers},
            planners.bounds,
        )


class _Posed(NamedTuple):
    """A problem set up for play: what plays an episode, and what planners are made of."""

    game: Callable[[Planner, Random], float]
    planners: Callable[[PomdpMethod, float], Planners]


@lru_cache(maxsize=1)
def _posed(problem: str) -> _Posed:
    posed = problem_of(problem)
    if isinstance(posed, BenchmarkProblem):
        modelled = ModelledPomdp(posed.make())
        return _Posed(
            partial(play, modelled.pomdp), lambda method, seconds: posed.planners(method, modelled, seconds)
        )

    def planners(method: PomdpMethod, seconds: float) -> Planners:
        assert isinstance(method, DrawnMethod)
        return method.drawn_planners(posed, seconds)

    if isinstance(posed, DrawnPomdp):
        return _Posed(partial(play_drawn, posed), planners)
    return _Posed(partial(play_sampled, posed), planners)


@lru_cache(maxsize=1)
def _planners(pair: Pair, seconds: float) -> Planners:
    return _posed(pair.problem).planners(pomdp_method(pair.method, files=True), seconds)


def _episode(
    game: Callable[[Planner, Random], float], planners: Planners, seconds: float, seed: int, number: int
) -> Episode:
    """Play an episode: its chance follows from the seed and its number, whatever the method."""
    timed = _Timed(planners.new(Random(f"planner/{seed}/{number}").getrandbits(32)), seconds)
    reward = game(timed, Random(f"benchmark/{seed}/{number}"))
    return Episode(reward, timed.decisions, timed.spent)


class _Timed:
    """A planner that has so many seconds for a decision, and makes up for those it took beyond."""

    def __init__(self, planner: Planner, seconds: float) -> None:
        check_planner(planner)
        self._planner, self._seconds, self._owed = planner, seconds, 0.0
        self.observe = planner.observe
        self.spent, self.decisions = 0.0, 0

    def choose(self) -> int:
        began = seconds_worked()
        action = decide(self._planner, max(self._seconds - self._owed, _LEAST * self._seconds))
        took = seconds_worked() - began
        self._owed = max(0.0, self._owed + took - self._seconds)
        self.spent += took
        self.decisions += 1
        return action
