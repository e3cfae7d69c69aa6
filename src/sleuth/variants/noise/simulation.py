"""Many games at once against a host that lies, each with draws of its own."""

from __future__ import annotations

import threading

import numpy as np
from numpy.typing import NDArray

from sleuth.support.indices import checked_index, checked_indices
from sleuth.support.parallel import map_threads, new_stop
from sleuth.support.progress import Progress, Watch
from sleuth.variants.noise.belief import NoisyPosition, Teller
from sleuth.variants.noise.strategies import NoisyStrategy, chosen

_Node = tuple[NoisyPosition, NDArray[np.int64]]
"""A position and the games that stand there."""


def finish(
    strategy: NoisyStrategy,
    position: NoisyPosition,
    answers: NDArray[np.int32],
    draws: NDArray[np.float64],
    first: int | None = None,
    progress: Watch | None = None,
    teller: Teller | None = None,
) -> NDArray[np.int32]:
    """Play games from a position to their ends and return the guesses each takes from there, int32 [games].

    answers: int32 [games], the answer of each. draws: float64 [games, most] in [0, 1): what decides the
    lie in each row of each game. first: the guess to begin with, else the strategy's own. teller: what the
    hosts show, else what the position's channel does. A game that is not over after `most` guesses is given
    up and returns most + 1. Raises StrategyError, and SleuthError for answers or a first guess that the game
    does not have.

    Games that saw the same rows share their positions, so that a strategy is asked once for all of them. The
    games that part after the first row go to threads; what comes out does not depend on how many there are.
    """
    games, most = draws.shape
    game = position.game
    answers = checked_indices(game.name, "answer", answers, len(game.answers), (games,))
    if first is not None:
        first = checked_index(game.name, "guess", first, len(game.guesses))
    out = np.full(games, most + 1, np.int32)
    tell = teller or position.channel.tell
    lock, over, stop = threading.Lock(), 0, new_stop()

    def split(node: _Node, guess: int) -> list[_Node]:
        """Play one guess, fill `out` for the games it ends, and return where the others stand."""
        before, members = node
        row = before.turn - position.turn
        true = game.feedback_row(guess)[answers[members]]
        shown = np.array(
            [tell(i, code, draws[i, row]) for code, i in zip(true.tolist(), members.tolist(), strict=True)]
        )
        out[members[true == game.solved]] = row + 1
        nodes = []
        for code in np.unique(shown[true != game.solved]).tolist():
            after, left = before.after(guess, code), members[shown == code]
            if after.is_known:
                out[left] = row + 1
            else:
                nodes.append((after, left))
        return nodes

    def follow(node: _Node) -> None:
        nonlocal over
        stack = [node]
        # Depth first, so that few positions are held at a time.
        while stack and not stop[0]:
            now = stack.pop()
            if now[0].turn - position.turn < most:
                stack += split(now, chosen(strategy, now[0]))
        if progress is not None:
            with lock:
                over += len(node[1])
                progress(Progress(over, games))

    if games == 0 or most == 0:
        return out
    nodes = split((position, np.arange(games)), chosen(strategy, position) if first is None else first)
    over = games - sum(len(members) for _, members in nodes)
    # The largest first, so that threads end together.
    map_threads(follow, sorted(nodes, key=lambda node: -len(node[1])), stop)
    return out
