"""Kernels compiled ahead, by running each once."""

import subprocess
import sys

import numpy as np

from sleuth.exact.beam import Beam
from sleuth.exact.objective import Objective
from sleuth.exact.proving import prove
from sleuth.exact.solver import Solver
from sleuth.games.frontier import Frontier
from sleuth.games.game import Game, Mode
from sleuth.games.pegs import mastermind
from sleuth.games.position import Position
from sleuth.games.wordle import wordle
from sleuth.games.wordlists import from_words
from sleuth.kernels.compiling import on_first_compilation as on_first_compilation
from sleuth.learning.letters.features import knowledge
from sleuth.learning.strategies import LearnedPairs, LearnedSearch
from sleuth.processes.avts import optimize
from sleuth.strategies.discernible import AlphaFds
from sleuth.strategies.game_tree import Expectimax, Minimax
from sleuth.strategies.rollout import Rollout
from sleuth.support.parallel import new_stop, thread_count
from sleuth.trees.tree import DecisionTree
from sleuth.variants.adversary.host import reply
from sleuth.variants.adversary.mixture import Mixture
from sleuth.variants.boards.games import evaluate as evaluate_boards
from sleuth.variants.noise.belief import NoisyPosition
from sleuth.variants.noise.channel import lies_with
from sleuth.variants.noise.strategies import NoisyInformationGain
from sleuth.variants.noise.unknown import RateBelief, UnsurePosition


def compile_all() -> None:
    """Compile every kernel that is not yet in the disk cache, in two processes where there are two cores.

    Kernels are compiled for feedback codes of one byte and of two: by a process each. What the other one did
    is gone through here again, which takes a second, and compiles what it could not keep.
    """
    if thread_count() > 1:
        # In a session of its own, so that Ctrl-C comes to this process alone.
        command = [sys.executable, "-c", "from sleuth import warmup; warmup.compile_wide()"]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True) as wide:
            try:
                compile_narrow()
                wide.wait()
            except BaseException:
                wide.kill()
                raise
    else:
        compile_narrow()
    compile_wide()


def compile_wide() -> None:
    """Compile the kernels for feedback codes of two bytes."""
    _compile(wordle(from_words(["dealer", "leader", "ladder", "raddle", "peeled"])))


def compile_narrow() -> None:
    """Compile the kernels for feedback codes of one byte, and those that work on no codes."""
    five = wordle(from_words(["crane", "trace", "react", "caret", "eerie"]))
    for game in (five, mastermind(2, 3)):
        _compile(game)
    start = Position.start(five.with_mode("hard"))
    second = Frontier.of(start.after(0, five.rules.code(five.guesses[0], five.answers[1])))
    second.keys()
    knowledge(second)
    LearnedPairs().choose(Position.start(five))


def _compile(game: Game) -> None:
    from sleuth.kernels.episodes import narrow, narrow_legal
    from sleuth.kernels.estimates import two_guesses
    from sleuth.kernels.regret import match_regrets

    weights = np.arange(1.0, len(game.answers) + 1)
    modes: tuple[Mode, ...] = ("easy", "hard", "strict") if game.rules.has_hard_mode else ("easy",)
    for mode in modes:
        DecisionTree.build(Rollout(), game.with_mode(mode))
    DecisionTree.build(AlphaFds(), game)
    DecisionTree.build(LearnedSearch(), game)
    DecisionTree.build(Rollout(), game.with_prior(weights))
    prove(game, solver=Solver(game, Objective(), 2**20))
    Solver(game, Objective(), 2**20).best(Position.start(game), 1)
    DecisionTree.build(Beam(), game)
    optimize(Position.start(game), iterations=2)
    optimize(Position.start(game), iterations=2, bounds="none", deep=False)
    for agent in (Minimax(depth=1), Expectimax(depth=1)):
        DecisionTree.build(agent, game)
    reply(Position.start(game), 0)
    mixture = Mixture(game)
    mixture.add(DecisionTree.build(Rollout(), game))
    play, _ = mixture.play()
    chances, host = np.zeros(len(mixture)), np.zeros(len(game.answers))
    match_regrets(play, np.zeros(len(mixture)), np.zeros(len(game.answers)), 1, chances, host, new_stop())
    mixture.least(game.prior)
    NoisyInformationGain().choose(NoisyPosition.start(game, lies_with(game, 0.1)))
    NoisyInformationGain().choose(UnsurePosition.begin(game, RateBelief.start("unknown", 10)))
    evaluate_boards("joint-rollout", game, 2, 1)
    few = np.array([0, 1], np.int32)
    two_guesses(game.tables, game.solved, few, few, 1, game.prior)
    row = np.zeros(1, np.int64), np.zeros(1, np.int64), game.feedback[:1, 0]
    narrow(game.feedback, *row, np.ones((1, len(game.answers)), np.int8))
    for mode in modes[1:]:
        legality, legal = game.with_mode(mode).legality, np.ones((1, len(game.guesses)), np.int8)
        narrow_legal(legality, game.guess_codes, *row, legal, game.rules.n_codes)
