"""The best opener of a game or position, with proof: every other one refuted or no better."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth.exact import snapshot
from sleuth.exact.families import batches
from sleuth.exact.objective import Kind, Objective, weights_of
from sleuth.exact.player import OptimalPlayer
from sleuth.exact.proof import IMPOSSIBLE, Proof
from sleuth.exact.solver import DEFAULT_MEMORY, Bound, Solver
from sleuth.exact.store import Store, details
from sleuth.exact.symmetry import orbits
from sleuth.exact.workers import Threads, Workers
from sleuth.games.frontier import Frontier
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.games.rules import PegRules, WordleRules
from sleuth.support.errors import Interrupted, SleuthError, StrategyError
from sleuth.support.parallel import thread_count
from sleuth.support.progress import Progress
from sleuth.support.ranges import check_seconds
from sleuth.trees.tree import DecisionTree

SNAPSHOT_EVERY = 5.0
"""Seconds after which a store gets what the table of bounds knows; more where that takes long."""
_FIRST = 16
# Openers that beam search follows for a first one, and of how many; more where none of those serves.
_BEAMS = ((4, 16), (16, 64))
# Seconds that work under way is waited for when a run is stopped.
_PATIENCE = 1.0


@dataclass(frozen=True)
class ProofProgress(Progress):
    """How far a proof is: openers dealt with in a phase, of so many.

    Attributes:
        phase: what is being done.
        refuted: openers known to be worse than the best, of all.
        openers: all openers.
        incumbent: the best total so far, or None.
        opener: its guess, or "".
        lower_bound: no strategy has a smaller total.
        seconds: since the beginning.

    """

    phase: str = ""
    refuted: int = 0
    openers: int = 0
    incumbent: int | None = None
    opener: str = ""
    lower_bound: int = 0
    seconds: float = 0.0


def prove(
    start: Game | Position,
    objective: Objective | Kind | None = None,
    *,
    opener: str | None = None,
    likely: str | None = None,
    top: int = 1,
    store: Path | None = None,
    memory: int = DEFAULT_MEMORY,
    workers: Workers | None = None,
    threads: int | None = None,
    seconds: float | None = None,
    with_tree: bool = True,
    progress: Callable[[ProofProgress], None] | None = None,
    solver: Solver | None = None,
) -> Proof:
    """Return the best opener of a game or position and prove that it is, or what is known after `seconds`.

    Among strategies of equal totals one of the fewest turns is taken.

    opener: prove what this guess costs instead. likely: a good opener that is known: searched first, it
    refutes others the sooner, and changes no result. top: how many of the best openers to find exactly.
    store: a file to keep bounds in, and to go on from; what it cannot take is among the problems of the
    proof. memory: bytes for the table of bounds. threads: how many, else one a processor. workers: who works,
    else threads of this process. with_tree: whether to build a strategy's tree. solver: one used before on
    this game and objective, whose table helps. Raises SleuthError, UnknownGuessError, StoreError; on Ctrl-C
    Interrupted, whose `known` is the Proof so far.
    """
    position = Position.start(start) if isinstance(start, Game) else start
    if objective is None or isinstance(objective, str):
        objective = Objective(objective or "mean")
    check_seconds(seconds)
    if solver is None:
        solver = Solver(position.game, objective, memory, position.candidates)
    solver = solver.serving(position)
    if top < 1:
        raise SleuthError(f"top must be 1 or more, not {top}")
    if not solver.turns_left(position):
        raise SleuthError("no turn is left there")
    first = None if opener is None else position.game.find(opener)
    if first is not None and position.legal is not None and first not in position.legal:
        raise SleuthError(f"{opener} is not legal there in {position.game.mode} mode")
    known = None if likely is None else position.game.find(likely)
    if store is None:
        run = _Run(solver, position, first, known, top, None, workers, threads, seconds, progress)
        return run.run(with_tree)
    with Store(store, identity(position, objective), details(position, objective)) as kept:
        run = _Run(solver, position, first, known, top, kept, workers, threads, seconds, progress)
        try:
            proof = run.run(with_tree)
        except Interrupted as stop:
            raise Interrupted(_kept(stop.known, kept.settle(0))) from None
        kept.finish(proof, None if first is None else position.game.guesses[first])
        try:
            return _kept(proof, kept.settle())
        except KeyboardInterrupt:  # while it was waited for a lock
            raise Interrupted(_kept(proof, kept.settle(0))) from None


def _kept(proof: Proof, problem: str | None) -> Proof:
    """Return a proof with what its store could not take, if anything."""
    return proof if problem is None else replace(proof, problems=(*proof.problems, problem))


def identity(position: Position, objective: Objective) -> dict[str, str]:
    """Return what a store's bounds belong to."""
    game = position.game
    legal = "all" if position.legal is None else sha256(position.legal.tobytes()).hexdigest()
    # What words and rules do not tell apart: functions.
    ruled = isinstance(game.rules, WordleRules | PegRules)
    weights = weights_of(game, objective, position.candidates).values[position.candidates]
    return {
        "game": game.name,
        "words": game.digest,
        "feedback": "by rule" if ruled else sha256(game.feedback.tobytes()).hexdigest(),
        "mode": game.mode,
        "prior": sha256(game.prior.tobytes()).hexdigest(),
        "max_turns": str(game.max_turns),
        "objective": objective.label,
        "turn": str(position.turn),
        "candidates": sha256(position.candidates.tobytes()).hexdigest(),
        "legal": legal,
        "weights": sha256(weights.tobytes()).hexdigest(),
    }


def openers_of(
    solver: Solver, position: Position, turns: int, opener: int | None = None
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the guesses that may begin, int32, and what each costs at least, int64: see first_bounds.

    Of those that are equivalent at the start of a game one stands for all. opener: this one alone. Raises
    SleuthError where none is left.
    """
    guesses, lower = solver.first_bounds(position, turns)
    if opener is not None:
        keep = guesses == opener
        guesses, lower = guesses[keep], lower[keep]
    elif _at_start(position):
        first = orbits(position.game)
        keep = first[guesses] == guesses
        guesses, lower = guesses[keep], lower[keep]
    if not len(guesses):
        if opener is None:
            raise SleuthError("no guess tells the candidates there apart")
        raise SleuthError(f"{position.game.guesses[opener]} tells nothing there")
    return guesses, lower


def _at_start(position: Position) -> bool:
    return position.turn == 1 and len(position.candidates) == len(position.game.answers)


class _LateError(Exception):
    """The time was up."""


class _Stage:
    """The openers of a position with so many turns left, and what is known of each."""

    def __init__(self, turns: int, guesses: NDArray[np.int32], lower: NDArray[np.int64], top: int) -> None:
        self.turns = turns
        self.guesses = guesses
        self.lower = lower
        self.exact = np.zeros(len(guesses), bool)
        self.depth = np.zeros(len(guesses), np.int64)
        self.swept = np.zeros(len(guesses), bool)
        self.top = top

    @property
    def best(self) -> int | None:
        """The least total known."""
        totals = self.lower[self.exact]
        return int(totals.min()) if len(totals) and totals.min() < IMPOSSIBLE else None

    @property
    def limit(self) -> int:
        """Openers that cost as much need not be known exactly."""
        totals = np.sort(self.lower[self.exact])
        if len(totals) < self.top or totals[self.top - 1] >= IMPOSSIBLE:
            return IMPOSSIBLE
        return int(totals[self.top - 1]) + 1

    @property
    def open(self) -> NDArray[np.int64]:
        """Openers that may still be among the best, the most promising first, int64."""
        found = np.flatnonzero(~self.exact & (self.lower < self.limit))
        return found[np.argsort(self.lower[found], kind="stable")]

    @property
    def lower_bound(self) -> int:
        """No opener costs less."""
        return int(self.lower.min()) if len(self.lower) else 0

    @property
    def refuted(self) -> int:
        """How many openers are known to be worse than the best."""
        best = self.best
        return 0 if best is None else int((self.lower > best).sum())

    @property
    def hopeless(self) -> int:
        """How many openers are known not to lead to all answers."""
        return int((self.lower >= IMPOSSIBLE).sum())

    @property
    def optimal(self) -> NDArray[np.int64]:
        """The openers known to reach the least total, those of fewest turns first, int64."""
        if self.best is None:
            return np.zeros(0, np.int64)
        found = np.flatnonzero(self.exact & (self.lower == self.best))
        return found[np.lexsort((self.guesses[found], self.depth[found]))]


class _Run:
    """One proof under way."""

    def __init__(
        self,
        solver: Solver,
        position: Position,
        opener: int | None,
        likely: int | None,
        top: int,
        store: Store | None,
        workers: Workers | None,
        threads: int | None,
        seconds: float | None,
        progress: Callable[[ProofProgress], None] | None,
    ) -> None:
        self.solver = solver
        self.position = position
        self.opener = opener
        self.likely = likely
        self.top = top
        self.store = store
        self.workers = workers or Threads(solver, position, threads or thread_count())
        self.progress = progress
        self.began, self.cpu_began = time.perf_counter(), time.process_time()
        self.deadline = None if seconds is None else self.began + seconds
        self.phase = ("", 0, 0)
        self.snapshot_due = self.began + SNAPSHOT_EVERY
        self.stage = _Stage(0, np.zeros(0, np.int32), np.zeros(0, np.int64), top)

    def run(self, with_tree: bool) -> Proof:
        late = False
        try:
            if self.store is not None and (kept := self.store.load_snapshot()) is not None:
                snapshot.restore(self.solver, kept)
            self._all_stages()
        except _LateError:
            late = True
        except KeyboardInterrupt:
            raise Interrupted(self._proof(True)) from None
        finally:
            self.workers.close()
            if time.perf_counter() - self.began >= SNAPSHOT_EVERY:
                self._keep_snapshot()
        try:
            return self._proof(late, self._tree() if with_tree and not late else None)
        except StrategyError as error:
            # Of the answers that count as a penalty some may never be found: no tree finds them.
            none = self.solver.objective.penalty is not None
            return self._proof(late, None, () if none else (f"there is no tree: {error}",))
        except KeyboardInterrupt:
            raise Interrupted(self._proof(False)) from None

    def _tree(self) -> DecisionTree | None:
        """Return a strategy that reaches the total, or None where there is none."""
        stage = self.stage
        if stage.best is None:
            return None
        game = self.position.game
        player = OptimalPlayer(self.solver, self.position.turn, stage.turns)
        word = game.guesses[stage.guesses[stage.optimal[0]]]
        where = None if _at_start(self.position) else self.position
        return DecisionTree.build(player, game, word, position=where)

    def _proof(
        self, interrupted: bool, tree: DecisionTree | None = None, problems: tuple[str, ...] = ()
    ) -> Proof:
        stage = self.stage
        best = stage.best
        optimal = stage.optimal
        game = self.position.game
        total, failures = self._decoded(best)
        lower, lower_failures = self._decoded(stage.lower_bound)
        shown = sorted(
            np.flatnonzero(stage.exact), key=lambda i: (stage.lower[i], stage.depth[i], stage.guesses[i])
        )
        top = [i for i in shown[: max(self.top, len(optimal))] if stage.lower[i] < IMPOSSIBLE]
        return Proof(
            self.position,
            self.solver.objective,
            stage.turns,
            game.guesses[stage.guesses[optimal[0]]] if len(optimal) else "",
            total,
            IMPOSSIBLE if lower is None else lower,
            failures,
            not len(stage.open) and (best is not None or not interrupted),
            not len(stage.open) and not interrupted,
            int(self.solver.weights[self.position.candidates].sum()),
            len(stage.guesses),
            stage.refuted,
            tuple((game.guesses[stage.guesses[i]], self._decoded(int(stage.lower[i]))[0] or 0) for i in top),
            tuple((int(stage.guesses[i]), int(stage.lower[i])) for i in stage.open),
            tree,
            self.workers.nodes(),
            time.perf_counter() - self.began,
            time.process_time() - self.cpu_began,
            interrupted,
            problems,
            self.solver.tolerance(self.position),
            lower_failures,
            None if self.opener is None else game.guesses[self.opener],
        )

    def _decoded(self, value: int | None) -> tuple[int | None, int | None]:
        """Return total and failures of a value of the search."""
        if value is None or value >= IMPOSSIBLE:
            return None, None
        if self.solver.objective.kind == "solved":
            failures, total = divmod(value, self.solver.leftover)
            return total, failures
        return value, None

    def _all_stages(self) -> None:
        turns = self.solver.turns_left(self.position)
        if self.solver.objective.kind == "worst":
            least = self.solver.least_turns(len(self.position.candidates))
            for fewer in range(min(least, turns), turns + 1):
                self._solve_stage(fewer)
                if self.stage.best is not None:
                    return
            return
        self._solve_stage(turns)
        if self.solver.leftover < IMPOSSIBLE:
            return
        # Among equal totals the fewest turns: the optimal openers again, with one turn less than the best
        # takes.
        reached = self.stage
        while reached.best is not None:
            optimal = reached.optimal
            fewer = min(reached.turns, int(reached.depth[optimal].min())) - 1
            if fewer < 1:
                return
            lower = np.maximum(reached.lower, reached.best)
            again = _Stage(fewer, reached.guesses[optimal], lower[optimal], 1)
            self._search(again, reached.best + 1)
            if again.best is None or again.best > reached.best:
                return
            reached.turns = fewer
            found = again.optimal
            reached.depth[optimal[found]] = again.depth[found]

    def _solve_stage(self, turns: int) -> None:
        guesses, lower = openers_of(self.solver, self.position, turns, self.opener)
        order = np.argsort(guesses, kind="stable")
        self.stage = _Stage(turns, guesses[order], lower[order], self.top)
        self._search(self.stage, IMPOSSIBLE)

    def _search(self, stage: _Stage, ceiling: int) -> None:
        """Bound every opener of a stage until the best are known exactly; none from ceiling on matters."""
        self._recall(stage)

        def limit() -> int:
            return min(stage.limit, ceiling)

        if len(stage.guesses) > 1:
            # Where few guesses are legal, a search of each is as fast.
            sweeps = _at_start(self.position) or self.position.legal is None
            if stage.limit >= IMPOSSIBLE:
                # Something to compare with: of the most promising, the one that looks best when scanned.
                promising = stage.open[:_FIRST]
                self._sweep(stage, promising, "first look", lambda: ceiling)
                if sweeps and (stage.lower[promising] >= IMPOSSIBLE).all():  # likely all are
                    self._sweep(stage, stage.open, "refuting openers", limit)
                self._solve(stage, self._likely_best(stage), "first opener", limit)
            if sweeps:
                self._sweep(stage, stage.open[~stage.swept[stage.open]], "bounding openers", limit)
        self._solve(stage, stage.open, "searching openers", limit)

    def _likely_best(self, stage: _Stage) -> NDArray[np.int64]:
        """Return a few openers that are likely among the best, int64: a good first one refutes the more.

        One that is said to be is taken. Of many openers beam search follows some to the end; where it finds
        no strategy, bounds have to do. It knows nothing of play that goes on after the last turn.
        """
        few = self.workers.count
        known = np.flatnonzero(stage.guesses == self.likely)
        if len(known):
            return known
        if stage.best is None and len(stage.open) > _FIRST and self.solver.objective.kind != "solved":
            for width, looked in _BEAMS:
                with self._stopped_in_time():
                    found, totals = self.solver.beam(
                        Frontier.of(self.position), width, looked, few, stage.turns
                    )
                solved = found[0][totals[0] < IMPOSSIBLE]
                if len(solved):
                    return np.flatnonzero(np.isin(stage.guesses, solved))
        return stage.open[:few]

    @contextmanager
    def _stopped_in_time(self) -> Iterator[None]:
        """Stop the solver when the time is up, and raise _LateError then."""
        if self.deadline is None:
            yield
            return
        alarm = threading.Timer(max(0.0, self.deadline - time.perf_counter()), self.solver.stop)
        alarm.start()
        try:
            yield
        finally:
            alarm.cancel()
            alarm.join()
            self.solver.resume()
        if time.perf_counter() > self.deadline:
            raise _LateError

    def _recall(self, stage: _Stage) -> None:
        if self.store is None:
            return
        known = self.store.load(stage.turns)
        for i, guess in enumerate(stage.guesses):
            found = known.get(self.position.game.guesses[guess])
            if found is not None:
                stage.lower[i] = max(stage.lower[i], found[0])
                stage.exact[i], stage.depth[i], stage.swept[i] = found[1], found[2], True

    def _sweep(self, stage: _Stage, openers: NDArray[np.int64], phase: str, limit: Callable[[], int]) -> None:
        def tasks() -> Iterator[tuple[Future[Any], NDArray[np.int64]]]:
            for some in batches(self.position.game, stage.guesses[openers]):
                part = openers[some]
                part = part[stage.lower[part] < limit()]
                if len(part):
                    yield self.workers.sweep(stage.guesses[part], stage.turns, limit()), part

        def take(part: NDArray[np.int64], bounds: NDArray[np.int64]) -> None:
            stage.lower[part] = np.maximum(stage.lower[part], bounds)
            stage.swept[part] = True
            self._keep(stage, part)

        self._flow(tasks(), take, phase, len(openers), 2)

    def _solve(self, stage: _Stage, openers: NDArray[np.int64], phase: str, limit: Callable[[], int]) -> None:
        def tasks() -> Iterator[tuple[Future[Any], NDArray[np.int64]]]:
            for i in openers:
                if stage.lower[i] < limit():
                    part = np.array([i])
                    yield self.workers.solve(int(stage.guesses[i]), stage.turns, limit()), part

        def take(part: NDArray[np.int64], bound: Bound) -> None:
            stage.lower[part] = np.maximum(stage.lower[part], bound.lower)
            stage.swept[part] = True
            if bound.exact or bound.lower >= IMPOSSIBLE:
                stage.exact[part], stage.depth[part] = True, bound.depth
            self._keep(stage, part)

        self._flow(tasks(), take, phase, len(openers), 1)

    def _keep(self, stage: _Stage, part: NDArray[np.int64]) -> None:
        if self.store is not None:
            names = self.position.game.guesses
            self.store.save(
                stage.turns,
                ((names[stage.guesses[i]], stage.lower[i], stage.exact[i], stage.depth[i]) for i in part),
            )

    def _keep_snapshot(self) -> None:
        """Keep what the table knows: a long search within one opener leaves no other trace."""
        began = time.perf_counter()
        if self.store is not None and (taken := snapshot.take(self.solver)) is not None:
            self.store.save_snapshot(taken)
        ended = time.perf_counter()
        self.snapshot_due = ended + max(SNAPSHOT_EVERY, 20 * (ended - began))

    def _flow(
        self,
        tasks: Iterator[tuple[Future[Any], NDArray[np.int64]]],
        take: Callable[[NDArray[np.int64], Any], None],
        phase: str,
        total: int,
        ahead: int,
    ) -> None:
        """Keep so many tasks a worker under way and take results as they come. Raises _LateError."""
        pending: dict[Future[Any], NDArray[np.int64]] = {}
        done = 0
        try:
            for number in count():
                while len(pending) < ahead * self.workers.count and (task := next(tasks, None)) is not None:
                    pending[task[0]] = task[1]
                if not pending:
                    return
                finished, _ = wait(pending, timeout=0.2, return_when=FIRST_COMPLETED)
                for future in finished:
                    part = pending.pop(future)
                    take(part, future.result())
                    done += len(part)
                if time.perf_counter() >= self.snapshot_due:
                    self._keep_snapshot()
                if self.progress is not None and (finished or number == 0):
                    self.progress(self._progress(phase, done, total))
                if self.deadline is not None and time.perf_counter() > self.deadline:
                    raise _LateError
        except (_LateError, KeyboardInterrupt):
            # What is under way returns soon with valid bounds.
            self.workers.stop()
            for future in [future for future in pending if future.cancel()]:
                del pending[future]
            for future in wait(pending, timeout=_PATIENCE).done:
                take(pending[future], future.result())
            raise

    def _progress(self, phase: str, done: int, total: int) -> ProofProgress:
        stage = self.stage
        optimal = stage.optimal
        opener = self.position.game.guesses[stage.guesses[optimal[0]]] if len(optimal) else ""
        incumbent = self._decoded(stage.best)[0]
        least = self._decoded(stage.lower_bound)[0] or 0
        best = f"{opener} {incumbent}" if opener else "no strategy yet"
        refuted = max(stage.refuted, stage.hopeless)
        within = f" within {stage.turns} turns" if self.solver.objective.kind == "worst" else ""
        remark = f"{phase}{within}: {best}, at least {least}, {refuted} of {len(stage.guesses)} refuted"
        return ProofProgress(
            done,
            total,
            remark,
            phase,
            stage.refuted,
            len(stage.guesses),
            incumbent,
            opener,
            least,
            time.perf_counter() - self.began,
        )
