"""Studies played: runs side by side on threads, or on the workers of a dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from threading import Event

from sleuth.games.game import Game
from sleuth.games.players import Playable
from sleuth.games.strategy import Player
from sleuth.strategies.registry import with_option
from sleuth.studies import reading
from sleuth.studies.keeping import Folder
from sleuth.studies.played import Experiment, Played
from sleuth.studies.study import SEED, Run, Study
from sleuth.support import dask
from sleuth.support.errors import Interrupted, SleuthError
from sleuth.support.foreign import fault_of_theirs
from sleuth.support.parallel import check_given_up, thread_count, until
from sleuth.support.progress import Progress, Watch
from sleuth.support.settling import settle_each
from sleuth.support.version import VERSION
from sleuth.trees.evaluation import evaluate
from sleuth.trees.growing import TurnProgress

Submit = Callable[[Run], "Future[Played]"]
"""What begins a run."""


def experiment(
    study: Study,
    *,
    keep: Path | str | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    progress: Watch | None = None,
) -> Experiment:
    """Play all runs of a study, side by side.

    keep: a folder where each run is written when it is finished, and looked up before it is played; runs of
    strategies not given as text are neither. workers: how many runs at once, else one a processor; they share
    the threads of SLEUTH_THREADS. scheduler: the address of a dask scheduler, or "local" for processes of
    this machine, of which workers says how many. progress: told of the runs that are finished. Raises
    SleuthError; what goes wrong in one run is told in `problems`, and the others go on. On Ctrl-C
    Interrupted, whose `known` is the Experiment of what is finished.
    """
    if not isinstance(study, Study):
        raise SleuthError(f"experiment takes a Study, not {study!r}; Study.of and Study.read make one")
    if workers is not None and workers < 1:
        raise SleuthError(f"workers is {workers}; it must be at least 1")
    folder = None if keep is None else Folder(Path(keep))
    runs = study.runs()
    played: dict[Run, Played] = {}
    problems: dict[Run, str] = {}

    def known() -> Experiment:
        return Experiment(study, {run: played[run] for run in runs if run in played}, problems)

    def tell(remark: str) -> None:
        if progress is not None:
            progress(Progress(len(played) + len(problems), len(runs), remark))

    try:
        for run in runs:
            found = None if folder is None else folder.find(study, run)
            if found is not None:
                played[run] = found
        left = [run for run in runs if run not in played]
        tell("")
        if not left:
            return known()
        count = min(workers or thread_count(), len(left))
        where = _threads(study, count) if scheduler is None else _dask(study, scheduler, count)
        with where as workplace:
            submit, remark = workplace
            under_way = {submit(run): run for run in left}

            def settle(run: Run, future: Future[Played]) -> None:
                try:
                    found = future.result()
                except Exception as error:
                    problems[run] = f"{run}: {_what_went_wrong(error)}"
                else:
                    if folder is not None:
                        folder.keep(study, run, found)
                    played[run] = found

            settle_each(under_way, settle, lambda: tell(remark()))
    except KeyboardInterrupt:
        raise Interrupted(known()) from None
    return known()


def _what_went_wrong(error: Exception) -> str:
    """Return in a line why a run could not be played; raise a fault of Sleuth's, and what ends all runs."""
    if isinstance(error, SleuthError):
        return str(error)
    fault = dask.why_given_up(error) or fault_of_theirs(error)
    if fault is None:
        raise error
    return fault


Workplace = AbstractContextManager[tuple[Submit, Callable[[], str]]]
"""Yields what begins a run, and what says how far those under way are."""


@contextmanager
def _threads(study: Study, count: int) -> Iterator[tuple[Submit, Callable[[], str]]]:
    """Play runs on threads of this process, in which they share the pool of the kernels."""
    stopped = Event()
    at: dict[Run, str] = {}

    def play(run: Run) -> Played:
        def watch(progress: TurnProgress) -> None:
            check_given_up()
            at[run] = f"{run}, {progress.remark}"

        try:
            with until(stopped):
                return _played(study.player(run), study.games[run.game], study.openers.get(run.game), watch)
        finally:
            at.pop(run, None)

    def remark() -> str:
        return next(iter(list(at.values())), "")

    pool = ThreadPoolExecutor(count, thread_name_prefix="study")
    try:
        yield (lambda run: pool.submit(play, run)), remark
    finally:
        stopped.set()
        pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def _dask(study: Study, scheduler: str, count: int) -> Iterator[tuple[Submit, Callable[[], str]]]:
    """Play runs on the workers of a dask scheduler, or on processes started here."""
    games = {name: game.bare() for name, game in study.games.items()}
    with dask.executor(scheduler, count, "studies") as executor:

        def submit(run: Run) -> Future[Played]:
            given, opener = study.given[run.strategy], study.openers.get(run.game)
            return _submitted(executor, given, run.seed, games[run.game], opener)

        yield submit, lambda: ""


def _submitted(
    executor: Executor, given: Playable | str, seed: int | None, game: Game, opener: str | None
) -> Future[Played]:
    return executor.submit(_play_there, VERSION, given, seed, game, opener)


def _play_there(
    version: str, given: Playable | str, seed: int | None, game: Game, opener: str | None
) -> Played:
    """Play a run in a worker process, where the strategy is made from its text."""
    dask.check_version(version, "study")
    made = reading.strategy(given, files=True) if isinstance(given, str) else given
    return _played(made if seed is None else with_option(made, SEED, seed), game, opener, None)


def _played(
    player: Player | Playable, game: Game, opener: str | None, watch: Callable[[TurnProgress], None] | None
) -> Played:
    found = evaluate(player, game, opener, watch)
    return Played(found.report.turns, found.seconds)
