"""Methods of planning side by side on a problem of adaptive control, all by name.

Episodes are played in this process, or in several; what an episode draws follows from its number, so that it
is the same wherever it is played.
"""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from typing import Any, NamedTuple

from sleuth.kernels.compiling import processor_time
from sleuth.planning.control import AdaptiveControl, ListedControl, is_listed, is_sampled, is_weighed
from sleuth.planning.empirical import UnlistedError, listed
from sleuth.planning.episodes import Player, Run, Score, compare, scores
from sleuth.planning.methods import method, policy_of
from sleuth.planning.oracle import Oracle
from sleuth.planning.policy import Policy
from sleuth.planning.recording import Episode, Recorder
from sleuth.planning.simulation import check_simulator
from sleuth.planning.situation import start
from sleuth.processes.problems import PROBLEMS
from sleuth.support.errors import Interrupted, SleuthError
from sleuth.support.foreign import faults_in_a_line
from sleuth.support.processes import processes, result_of
from sleuth.support.progress import Progress, Watch
from sleuth.support.ranges import check_number, check_seconds, check_seed
from sleuth.support.settling import settle_each
from sleuth.support.specification import from_text

_METHODS = ("myopic", "certainty-equivalence", "oracle-lookahead", "rollout", "tree")
# Where outcomes are continuous, what needs no costs under each parameter.
_CONTINUOUS = ("myopic", "bamcp(widening=0.4)", "random")
# Pieces of work of each method for each process, so that they end at about the same time; and how many
# episodes a piece has at most, as those of a piece under way are lost on Ctrl-C.
_PIECES, _LONGEST = 8, 16


@dataclass(frozen=True)
class Comparison:
    """What is to be played.

    Attributes:
        problem: a problem of adaptive control, as in "tiger", or FILE.py:NAME.
        methods: what plans for it, as in "rollout(base=myopic)", or FILE.py:NAME; some that suit the problem
            unless given.
        episodes: of each method; all meet the same ones.
        seed: of the episodes.
        seconds: of a decision, for methods that search; their own limits unless given.
        simulator: a problem that is played in the first one's place, while methods plan for the first.

    """

    problem: str
    methods: tuple[str, ...] = ()
    episodes: int = 100
    seed: int = 0
    seconds: float | None = None
    simulator: str | None = None

    def __post_init__(self) -> None:
        """Raise SleuthError for numbers that are none, and methods that there are not."""
        for text in self.methods:
            method(text, files=True)
        check_number("episodes", self.episodes, least=1, whole=True)
        check_seed(self.seed)
        check_seconds(self.seconds)


@dataclass(frozen=True)
class Compared:
    """What came of a comparison.

    Attributes:
        scores: of the methods, over the episodes that all of them finished.
        bound: no policy costs less on average; None where outcomes are continuous, so that none is known.
        estimated: whether that is estimated from draws.
        episode: the first one as the first method played it, where it was asked for and is played.

    """

    scores: list[Score]
    bound: float | None
    estimated: bool
    episode: Episode | None = None


def control_of(text: str, made: Any = None) -> AdaptiveControl:
    """Return a problem of adaptive control by its name. Raises SleuthError for what is none.

    made: what the name stands for, if it was made.
    """
    made = from_text(PROBLEMS, text, files=True) if made is None else made
    if not (is_listed(made) or is_sampled(made)):
        raise SleuthError(f"{text} is no control problem, which has outcomes() or sample(), and no POMDP")
    return made


def run(
    comparison: Comparison,
    *,
    made: object = None,
    workers: int = 1,
    recorded: bool = False,
    progress: Watch | None = None,
) -> Compared:
    """Play all episodes.

    made: the problem, where it was made already; other processes make it anew.
    workers: processes; 1 is this one. Others measure their own processor time, and keep the seconds of a
    decision by it. recorded: whether to return the first episode of the first method. progress: told of the
    episodes that all methods played. Raises SleuthError; on Ctrl-C Interrupted, whose `known` is what came of
    it so far, the bound at least once that is known.
    """
    check_number("workers", workers, least=1, whole=True)
    posed = Posed(comparison, made)
    if not comparison.methods:
        posed.comparison = replace(comparison, methods=posed.methods)
    bound = posed.bound
    play = _here if workers == 1 else partial(_in_processes, workers)
    try:
        played = play(posed, recorded, progress)
    except KeyboardInterrupt as stop:
        # What is planned before play may have been interrupted, too.
        known = stop.known if isinstance(stop, Interrupted) else None
        played = known if isinstance(known, _Played) else _Played([], None)
        raise Interrupted(Compared(played.scores, bound, posed.estimated, played.episode)) from None
    return Compared(played.scores, bound, posed.estimated, played.episode)


class Posed:
    """A comparison with its problem at hand: in each process that plays once."""

    def __init__(self, comparison: Comparison, made: object = None) -> None:
        """Make the problem, unless it is made. Raises SleuthError for what is none."""
        self.comparison = comparison
        self._stated = control_of(comparison.problem, made)
        self.problem: ListedControl = listed(self._stated)
        self.simulator: AdaptiveControl | None = None
        if comparison.simulator is not None:
            self.simulator = control_of(comparison.simulator)
            check_simulator(self._stated, self.simulator)
        self.estimated = not is_listed(self._stated if self.simulator is None else self.simulator)
        self._oracle = Oracle(self.problem)

    @property
    def methods(self) -> tuple[str, ...]:
        """Some that suit the problem. Raises SleuthError where none does that learns."""
        try:
            self._oracle(start(self.problem))
        except UnlistedError:
            if not is_weighed(self._stated):
                raise
            return _CONTINUOUS
        return _METHODS

    @property
    def bound(self) -> float | None:
        """No policy costs less on average in what is played; None where outcomes are continuous."""
        played = self.problem if self.simulator is None else listed(self.simulator)
        oracle = self._oracle if self.simulator is None else Oracle(played)
        try:
            return oracle(start(played))
        except UnlistedError:
            return None

    def policy(self, text: str) -> Policy:
        """Return the policy of a method. Raises SleuthError, which names it."""
        try:
            return policy_of(method(text, files=True), self.problem, self._oracle, self.comparison.seconds)
        except SleuthError as error:
            raise SleuthError(f"{text}: {error}") from None

    def recorder(self) -> Recorder:
        """Return what listens to an episode."""
        return Recorder(self.problem, self.simulator)

    def episode(self, recorder: Recorder) -> Episode:
        """Return the first episode as the first method played it."""
        return recorder.episode(self.comparison.problem, self.comparison.methods[0])


class _Played(NamedTuple):
    """What was played: the scores, and the episode that was recorded."""

    scores: list[Score]
    episode: Episode | None


def _here(posed: Posed, recorded: bool, progress: Watch | None) -> _Played:
    """Play in this process."""
    asked, recorder = posed.comparison, posed.recorder() if recorded else None
    policies = {text: posed.policy(text) for text in asked.methods}

    def episode() -> Episode | None:
        return None if recorder is None else posed.episode(recorder)

    try:
        found = compare(
            posed.problem, policies, asked.episodes, asked.seed, progress, recorder, posed.simulator
        )
    except Interrupted as error:
        raise Interrupted(_Played(error.known, episode())) from None
    return _Played(found, episode())


class _Piece(NamedTuple):
    """A piece of work: a method, the numbers of the episodes, and whether the first of them is recorded."""

    method: str
    numbers: range
    recorded: bool


def _in_processes(workers: int, posed: Posed, recorded: bool, progress: Watch | None) -> _Played:
    """Play in other processes."""
    asked = posed.comparison
    runs: dict[str, dict[int, Run]] = {text: {} for text in asked.methods}
    episode: Episode | None = None

    def settle(piece: _Piece, future: Future[tuple[dict[int, Run], Episode | None]]) -> None:
        nonlocal episode
        found, shown = result_of(future)
        runs[piece.method].update(found)
        episode = episode or shown

    def look() -> None:
        if progress is not None:
            progress(Progress(sum(map(len, runs.values())) // len(runs), asked.episodes))

    size = min(_LONGEST, -(-asked.episodes // (_PIECES * workers)))
    pieces = [
        _Piece(text, range(least, min(least + size, asked.episodes)), recorded and not (least or k))
        for least in range(0, asked.episodes, size)
        for k, text in enumerate(asked.methods)
    ]
    try:
        with processes(min(workers, len(pieces))) as pool:
            settle_each({pool.submit(_play_there, asked, piece): piece for piece in pieces}, settle, look)
    except KeyboardInterrupt:
        if known := scores(runs):
            raise Interrupted(_Played(known, episode)) from None
        raise
    return _Played(scores(runs), episode)


def _play_there(comparison: Comparison, piece: _Piece) -> tuple[dict[int, Run], Episode | None]:
    """Play a piece in another process; return the episodes, and the one that was recorded."""
    with faults_in_a_line(piece.method), processor_time():
        posed, player = _posed(comparison), _player(comparison, piece.method)
        recorder = posed.recorder() if piece.recorded else None
        runs = {
            number: player.run(number, recorder if number == piece.numbers.start else None)
            for number in piece.numbers
        }
        return runs, None if recorder is None else posed.episode(recorder)


@lru_cache(maxsize=1)
def _posed(comparison: Comparison) -> Posed:
    return Posed(comparison)


@cache
def _player(comparison: Comparison, text: str) -> Player:
    posed = _posed(comparison)
    return Player(posed.problem, posed.policy(text), comparison.seed, posed.simulator)
