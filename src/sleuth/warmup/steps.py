"""Kernels compiled ahead, by running each once: those that people wait for come first.

Those of games, of research and of planning are areas of their own: few people who want one want the others.
"""

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial

import numpy as np

from sleuth.coaching.reviews.review import review
from sleuth.exact.beam import Beam
from sleuth.exact.most_found import most_found
from sleuth.exact.objective import Objective
from sleuth.exact.proving import prove
from sleuth.exact.solver import Solver
from sleuth.exact.strategy import Exact
from sleuth.games.frontier import Frontier
from sleuth.games.game import Game, Mode
from sleuth.games.pegs import mastermind
from sleuth.games.position import Position
from sleuth.games.wordle import wordle
from sleuth.games.wordlists import from_words
from sleuth.kernels.cache import folder, lose_all, lost, mark_complete
from sleuth.kernels.codes import as_bytes
from sleuth.kernels.compiling import on_each, on_loss
from sleuth.kernels.episodes import narrow, narrow_legal
from sleuth.kernels.estimates import two_guesses
from sleuth.kernels.regret import match_regrets
from sleuth.kernels.search.premises import premises
from sleuth.kernels.search.table import remember
from sleuth.learning.letters.features import knowledge
from sleuth.learning.noise.player import NoisyLearned
from sleuth.learning.strategies import LearnedPairs, LearnedSearch
from sleuth.planning.belief_search import BeliefSearch
from sleuth.planning.belief_tree import BeliefTree
from sleuth.planning.pomdps.despot import Despot
from sleuth.planning.pomdps.drawn.belief import DrawnBelief
from sleuth.planning.pomdps.drawn.despot import DrawnDespot
from sleuth.planning.pomdps.drawn.pomcp import DrawnPomcp
from sleuth.planning.pomdps.drawn.problem import DrawnPomdp
from sleuth.planning.pomdps.drawn.problems import battleship, drawn_rocksample
from sleuth.planning.pomdps.hsvi import HSVI, qmdp_bound
from sleuth.planning.pomdps.modelled import ModelledPomdp
from sleuth.planning.pomdps.pomcp import Pomcp
from sleuth.planning.pomdps.problems import tiger_pomdp
from sleuth.planning.problems.rocksample import RockSample
from sleuth.planning.situation import start
from sleuth.processes.avts import optimize
from sleuth.strategies.discernible import AlphaFds
from sleuth.strategies.game_tree import Expectimax, Minimax
from sleuth.strategies.heuristics import ExpectedGuesses
from sleuth.strategies.rollout import Rollout
from sleuth.support.errors import SleuthError
from sleuth.support.parallel import new_stop, thread_count
from sleuth.support.progress import Progress, Watch
from sleuth.trees.tree import DecisionTree
from sleuth.variants.adversary.host import reply
from sleuth.variants.adversary.mixture import Mixture
from sleuth.variants.boards.games import evaluate as evaluate_boards
from sleuth.variants.noise.belief import NoisyPosition
from sleuth.variants.noise.channel import lies_with
from sleuth.variants.noise.strategies import NoisyInformationGain
from sleuth.variants.noise.unknown import RateBelief, UnsurePosition
from sleuth.warmup.orphans import end_with_input, say

Step = Callable[[], None]
# Times that the words of a small game are taken, to have more pairs than NumPy is asked for.
_MANY = 2**8
_ATTEMPTS = 4
"""How often the other process is started where it is killed."""
AREAS = {"games": 140, "research": 123, "planning": 133}
"""How many kernels, and parts of them, there are to compile of each; of what is on disk already none."""


@dataclass(frozen=True)
class Prepared(Progress):
    """How far compiling is.

    Attributes:
        hints: whether what hints take is compiled.

    """

    hints: bool = False


def compile_ahead(areas: Sequence[str] = ("games",), watch: Watch | None = None) -> None:
    """Compile every kernel of some areas that is not yet on disk, in two processes where there are two cores.

    What one of them compiles, the other waits for or loads.
    watch: told how far it is; of a process that was killed, in a remark. Raises SleuthError where they cannot
    be kept.
    """
    on_loss(lambda line: None)  # it is an error here
    if folder() is None:
        lose_all()
    _check_kept()
    done, total, hints = 0, sum(AREAS[area] for area in areas), False
    lock = threading.Lock()  # one thread compiles, another hears of the other process

    def count(parts: int = 1, remark: str = "") -> None:
        nonlocal done
        with lock:
            done = min(done + parts, total - 1)
            if watch is not None:
                watch(Prepared(done, total, remark, hints))

    on_each(count)
    for area in areas:
        is_alone = thread_count() == 1
        with nullcontext() if is_alone else _other_process(area, count, lambda remark: count(0, remark)):
            for stage in _stages(area):
                for step in stage:
                    step()
                    _check_kept()
                if area == "games":
                    hints = True
                    count(0)
        if area == "games":
            mark_complete()
            _check_kept()
    if watch is not None:
        watch(Prepared(total, total, hints=hints))


def _check_kept() -> None:
    if line := lost():
        raise SleuthError(line)


def compile_backwards(area: str) -> None:
    """Compile each stage from its last step, and print a line whenever a part of a kernel is compiled."""
    end_with_input()
    on_loss(lambda line: None)  # the other process says it
    on_each(say)
    for stage in _stages(area):
        for step in reversed(stage):
            step()


@contextmanager
def _other_process(area: str, count: Callable[[], None], tell: Callable[[str], None]) -> Iterator[None]:
    """Let another process compile an area meanwhile; where it is killed it is started again.

    count: called whenever it has compiled a part of a kernel. tell: called with what is to be said of it.
    """
    command = [sys.executable, "-c", f"from sleuth.warmup import steps; steps.compile_backwards({area!r})"]
    running: list[subprocess.Popen[str]] = []
    is_over = False
    lock = threading.Lock()

    def start() -> subprocess.Popen[str] | None:
        with lock:
            if is_over:
                return None
            # In a session of its own, so that Ctrl-C comes to this process alone.
            pipe = subprocess.PIPE
            other = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, start_new_session=True)
            running[:] = [other]
            return other

    def follow() -> None:
        for left in reversed(range(_ATTEMPTS)):
            other = start()
            if other is None:
                return
            with other:
                assert other.stdout is not None
                for _ in other.stdout:
                    count()
                status = other.wait()
            if is_over or not status:
                return
            again = left > 0 and status < 0  # what failed by itself would fail again
            next_ = "it is started again" if again else "the rest is compiled without it"
            tell(f"the process that helps to compile ended with status {status}; {next_}")
            if not again:
                return

    follower = threading.Thread(target=follow, daemon=True)
    follower.start()
    try:
        yield
    finally:
        with lock:
            is_over = True
            for other in running:
                other.kill()  # what is left of it is done here already
        follower.join()


def _stages(area: str) -> list[list[Step]]:
    """Return what compiles the kernels of an area step by step, in stages: what a first hint takes is one."""
    if area == "planning":
        return [[_plan]]
    words = wordle(from_words(["crane", "trace", "react", "caret", "eerie"]))
    long_words = wordle(from_words(["dealer", "leader", "ladder", "raddle", "peeled"]))  # codes of two bytes
    pegs = mastermind(2, 3)
    if area == "research":
        return [[*(partial(_study, game) for game in (words, long_words, pegs)), partial(_learn, words)]]
    return [
        [
            partial(_compare, words),
            *(partial(_rank, words, strategy) for strategy in (ExpectedGuesses(), Beam(), Exact())),
        ],
        [
            *(partial(_advise, game) for game in (words, long_words, pegs)),
            *(partial(_review, game) for game in (words, long_words)),
            *(
                partial(step, game)
                for game in (words, long_words, pegs)
                for step in (_play, _evaluate, _prove)
            ),
        ],
    ]


def _modes(game: Game) -> list[Game]:
    """Return the game in each of its modes."""
    modes: tuple[Mode, ...] = ("easy", "hard", "strict") if game.rules.has_hard_mode else ("easy",)
    return [game.with_mode(mode) for mode in modes]


def _advise(game: Game) -> None:
    """Compile what the best next guess takes."""
    _compare(game)
    for one in _modes(game):
        for strategy in (Exact(), Beam(), ExpectedGuesses()):
            _rank(one, strategy)


def _compare(game: Game) -> None:
    _ = game.rules.codes(_MANY * game.guesses, _MANY * game.answers)


def _rank(game: Game, strategy: ExpectedGuesses | Beam | Exact) -> None:
    strategy.rank(Position.start(game), 2)


def _play(game: Game) -> None:
    """Compile what hints on several boards take, and hosts who lie or change their mind."""
    evaluate_boards("joint-rollout", game, 2, 1)
    reply(Position.start(game), 0)
    NoisyLearned().choose(NoisyPosition.start(game, lies_with(game, 0.1)))
    NoisyInformationGain().choose(UnsurePosition.begin(game, RateBelief.start("unknown", 10)))


def _plan() -> None:
    """Compile what search over beliefs takes, with a tree that grows."""
    problem = RockSample(4, 3)
    BeliefSearch(problem, start(problem)).run(200)
    tiger = tiger_pomdp()
    HSVI(tiger).run(trials=1)
    qmdp_bound(tiger)
    modelled = ModelledPomdp(tiger)
    BeliefTree(modelled).run(500)  # which grows, too
    Pomcp(modelled, 1).choose()
    Despot(modelled, 1, scenarios=2, hindsight=True).choose()
    _plan_by_draws(drawn_rocksample(2, 1))


def _plan_by_draws(problem: DrawnPomdp) -> None:
    """Compile what it takes to plan by draws: the kernels are the same for all problems."""
    DrawnPomcp(problem, 1, particles=2).choose()
    DrawnDespot(problem, 1, scenarios=2, particles=2).choose()
    problem.step(problem.first(0), problem.legal(problem.first(0))[0], 0)
    with suppress(SleuthError):  # no rock is heard of after a step
        DrawnBelief(problem, 2).update(2, 1)
    for small in (problem, battleship(2, (1,))):
        small.bounds()


def _review(game: Game) -> None:
    """Compile what reviews take."""
    review(game, game.guesses[:2], game.answers[1])


def _evaluate(game: Game) -> None:
    """Compile what it takes to play against every answer."""
    for one in _modes(game):
        DecisionTree.build(Rollout(), one)
    DecisionTree.build(Rollout(), game.with_prior(np.arange(1.0, len(game.answers) + 1)))
    DecisionTree.build(Beam(), game)
    most_found(Frontier.of(Position.start(game)), np.ones(len(game.answers), np.int64), 1)


def _prove(game: Game) -> None:
    """Compile exact search over openers."""
    for one in _modes(game):
        prove(one, solver=Solver(one, Objective(), 2**20))
    solver = Solver(game, Objective(), 2**20)
    solver.best(Position.start(game), 1)
    start = solver.view_of(Position.start(game))
    remember(solver.search, *start, 1, 0, 1, 1, 0)  # in symmetric games alone
    premises(solver.search, solver.moves, *start, 2, 0, -1, solver.no_past)  # for certificates
    prove(game, "worst", memory=2**20)


def _study(game: Game) -> None:
    """Compile what the other strategies take, equilibria and environments."""
    for strategy in (AlphaFds(), LearnedSearch(), Minimax(depth=1), Expectimax(depth=1)):
        DecisionTree.build(strategy, game)
    optimize(Position.start(game), iterations=2)
    optimize(Position.start(game), iterations=2, bounds="none", deep=False)
    mixture = Mixture(game)
    mixture.add(DecisionTree.build(Rollout(), game))
    play, _ = mixture.play()
    chances, host = np.zeros(len(mixture)), np.zeros(len(game.answers))
    match_regrets(play, np.zeros(len(mixture)), np.zeros(len(game.answers)), 1, chances, host, new_stop())
    mixture.least(game.prior)
    few = np.array([0, 1], np.int32)
    two_guesses(game.tables, game.solved_label, few, few, 1, game.prior)
    row = np.zeros(1, np.int64), np.zeros(1, np.int64), game.labels[:1, 0].astype(np.uint16)
    narrow(game.tables.by_guess, game.tables.wide, *row, np.ones((1, len(game.answers)), np.int8))
    for one in _modes(game)[1:]:
        legal = np.ones((1, len(game.guesses)), np.int8)
        as_answers = as_bytes(game.guess_labels)
        narrow_legal(one.legality, as_answers, game.tables.wide, *row, legal, game.n_labels)


def _learn(game: Game) -> None:
    """Compile what players that see letters take."""
    start = Position.start(game.with_mode("hard"))
    second = Frontier.of(start.after(0, game.rules.code(game.guesses[0], game.answers[1])))
    second.keys()
    knowledge(second)
    LearnedPairs().choose(Position.start(game))
