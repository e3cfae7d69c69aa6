"""Games on several boards: one of them, and a strategy over many with random answers."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth.games.game import Game
from sleuth.games.players import as_player
from sleuth.support.errors import Interrupted, SleuthError, StrategyError
from sleuth.support.indices import checked_index, checked_indices
from sleuth.support.parallel import map_threads
from sleuth.support.progress import Progress, Watch
from sleuth.support.ranges import check_seed
from sleuth.support.specification import specification_of
from sleuth.trees.growing import MAX_DEPTH
from sleuth.variants.boards.position import BoardsPosition
from sleuth.variants.boards.strategies import JointStrategy, make_joint

"""Called with the number of games finished and of all games."""


def play(strategy: JointStrategy, position: BoardsPosition, answers: Sequence[int]) -> list[int]:
    """Play a game to its end and return the guesses made, by index.

    answers: by index, one a board; those of solved boards do not matter. The game is played on after
    max_turns. Raises StrategyError, and SleuthError for what is no answer.
    """
    game = position.game
    boards = (len(position.boards),)
    answers = checked_indices(game.name, "answer", answers, len(game.answers), boards).tolist()
    made: list[int] = []
    while not position.is_over:
        if len(made) > MAX_DEPTH + len(position.boards):
            raise StrategyError(f"{strategy.name} has not solved all boards after {len(made)} guesses")
        guess = _chosen(strategy, position)
        position = _reply(position, guess, answers)
        made.append(guess)
    return made


def _chosen(strategy: JointStrategy, position: BoardsPosition) -> int:
    """Return the strategy's guess. Raises StrategyError for what is none of the game."""
    source, count = f"{strategy.name}.choose: {position.game.name}", len(position.game.guesses)
    return checked_index(source, "guess", strategy.choose(position), count, error=StrategyError)


def _reply(position: BoardsPosition, guess: int, answers: Sequence[int]) -> BoardsPosition:
    row = position.game.feedback_row(guess)
    return position.after(guess, [int(row[answer]) for answer in answers])


@dataclass(frozen=True)
class BoardsReport:
    """How good a strategy is on several boards.

    Attributes:
        strategy: what played, with its options.
        game: the game on every board.
        boards: how many.
        max_turns: guesses after which a game is lost.
        opener: the first guess.
        games: how many games were played.
        mean: guesses until all boards are solved.
        standard_error: of the mean.
        losses: games that took more than max_turns; they are played on and count with all their guesses.
        worst: the most guesses of any game.
        histogram: games by number of guesses.
        interrupted: whether Ctrl-C ended it before all games that were asked for were played.
        seconds: how long it took.
        turns: int32 [games]: the guesses of every game.

    """

    strategy: str
    game: str
    boards: int
    max_turns: int
    opener: str
    games: int
    mean: float
    standard_error: float
    losses: int
    worst: int
    histogram: dict[int, int]
    interrupted: bool
    seconds: float
    turns: NDArray[np.int32] = field(repr=False, compare=False)

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain values, without the turns of each game."""
        return {
            "strategy": self.strategy,
            "game": self.game,
            "boards": self.boards,
            "max_turns": self.max_turns,
            "opener": self.opener,
            "games": self.games,
            "mean": self.mean,
            "standard_error": self.standard_error,
            "losses": self.losses,
            "won": 1 - self.losses / self.games,
            "worst": self.worst,
            "histogram": {str(turns): count for turns, count in self.histogram.items()},
            "interrupted": self.interrupted,
            "seconds": round(self.seconds, 4),
        }


def evaluate(
    strategy: JointStrategy | str,
    game: Game,
    boards: int = 4,
    games: int = 1000,
    seed: int = 0,
    *,
    opener: str | None = None,
    distinct: bool = False,
    max_turns: int | None = None,
    progress: Watch | None = None,
) -> BoardsReport:
    """Play a strategy on random boards.

    The answers of game i are drawn from the prior by np.random.default_rng([seed, i]), so that they depend
    neither on the strategy nor on how many games or threads there are. distinct: never the same answer on two
    boards; the strategies are not told. opener: the first guess, else the strategy's own. max_turns:
    boards + 5 unless given. Raises SleuthError; on Ctrl-C Interrupted, whose `known` is the report
    of the games that are finished, if any are.
    """
    player: JointStrategy = as_player(make_joint(strategy) if isinstance(strategy, str) else strategy)
    if games < 1:
        raise SleuthError(f"games must be 1 or more, not {games}")
    began = time.perf_counter()
    start = BoardsPosition.start(game, boards, max_turns)
    answers = draw_answers(game, boards, games, seed, distinct)
    if start.is_over:
        raise SleuthError(f"{game.name} has one answer, which no guess can name: there is nothing to play")
    turns, finished, lock = np.zeros(games, np.int32), 0, threading.Lock()
    first = _chosen(player, start) if opener is None else game.find(opener)

    def finish(i: int) -> None:
        nonlocal finished
        turns[i] = 1 + len(play(player, _reply(start, first, answers[i]), answers[i]))
        if progress is not None:
            with lock:
                finished += 1
                progress(Progress(finished, games))

    interrupted = False
    try:
        map_threads(finish, range(games))
    except KeyboardInterrupt:
        if not turns.any():
            raise
        interrupted = True
    known = turns[turns > 0]
    error = float(known.std(ddof=1) / np.sqrt(len(known))) if len(known) > 1 else 0.0
    numbers, counts = np.unique(known, return_counts=True)
    report = BoardsReport(
        specification_of(player),
        game.name,
        boards,
        start.max_turns,
        game.guesses[first],
        len(known),
        float(known.mean()),
        error,
        int((known > start.max_turns).sum()),
        int(known.max()),
        dict(zip(numbers.tolist(), counts.tolist(), strict=True)),
        interrupted,
        time.perf_counter() - began,
        known,
    )
    if interrupted:
        raise Interrupted(report)
    return report


def draw_answers(game: Game, boards: int, games: int, seed: int, distinct: bool = False) -> NDArray[np.int32]:
    """Return the answers of random games, int32 [games, boards]. Raises SleuthError."""
    possible = int(np.count_nonzero(game.prior))
    if distinct and boards > possible:
        raise SleuthError(f"{boards} boards need as many different answers; {game.name} has {possible}")
    check_seed(seed)
    count = len(game.answers)
    return np.array(
        [
            np.random.default_rng([seed, i]).choice(count, boards, replace=not distinct, p=game.prior)
            for i in range(games)
        ],
        np.int32,
    )
