"""Many games of one turn at once, equal ones held once: what self-play and greedy play both go down by."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sleuth.frontier import Children, Frontier, Indices
from sleuth.games.game import Game
from sleuth.position import Position
from sleuth.rl.constraints import allowed
from sleuth.rl.features import Knowledge


@dataclass(frozen=True, eq=False)
class States:
    """States of one game at one turn, each a different history.

    Attributes:
        frontier: the answers that are still possible.
        knowledge: what the rows told of the letters.
        tried: int32 [states, turn - 1]: the guesses made.

    """

    frontier: Frontier
    knowledge: Knowledge
    tried: Indices

    @classmethod
    def start(cls, game: Game) -> States:
        """Return the one state before the first guess. Raises SleuthError for a game without letters."""
        return cls(Frontier.of(Position.start(game)), Knowledge.start(game), np.zeros((1, 0), np.int32))

    def __len__(self) -> int:
        return len(self.frontier)

    def features(self) -> NDArray[np.float32]:
        """Return float32 [states, features]."""
        return self.knowledge.features(self.frontier.turn, self.frontier.game.max_turns)

    def allowed(self, constrained: bool = True) -> NDArray[np.bool_]:
        """Return bool [states, guesses], see constraints.allowed."""
        return allowed(self.frontier, self.tried, constrained)

    def after(
        self, which: NDArray[np.int64], guesses: Indices, children: Children, kept: NDArray[np.int64]
    ) -> States:
        """Return some of the states that guesses lead to.

        which: int64 [pairs], guesses: int32 [pairs]: states and what is guessed there; children: how
        frontier.take(which) is split by that; kept: int64 [n]: which of the children.
        """
        pairs = children.parent[kept]
        states, made = which[pairs], guesses[pairs]
        return States(
            children.frontier.take(kept),
            self.knowledge.after(self.frontier.game, states, made, children.codes[kept]),
            np.concatenate([self.tried[states], made[:, None]], axis=1),
        )
