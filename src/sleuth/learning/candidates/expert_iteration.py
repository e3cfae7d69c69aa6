"""The candidate-set player learns from itself: lookahead teaches the policy, games the value network.

No teacher and no exact play: expert iteration (Anthony et al. 2017) from the heuristic on. Every
step plays the player with lookahead from random openers. What its games take is what the value network
learns; what the lookahead finds of the policy's best K guesses is what the policy learns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sleuth.games.frontier import Frontier, Indices
from sleuth.games.game import Game
from sleuth.learning.candidates.imitation import Config as ImitationConfig
from sleuth.learning.candidates.imitation import Imitation, Lessons, limit_threads
from sleuth.learning.candidates.sets import ordered, shortlist
from sleuth.learning.candidates.sweeps import play, totals_of
from sleuth.learning.runs.configuration import read
from sleuth.learning.runs.training import Learner
from sleuth.strategies.values import Totals, totals_after
from sleuth.support.ranges import check_range


@dataclass(frozen=True)
class Config(ImitationConfig):
    """Hyperparameters of expert iteration.

    Attributes:
        searched: guesses of a set that the lookahead looks at, K.
        explored: the part of the sets where a guess at random of those is made.

    """

    searched: int = 10
    explored: float = 0.05

    def __post_init__(self) -> None:
        super().__post_init__()
        check_range(self, "searched", least=1)
        check_range(self, "explored", least=0, most=1)


class ExpertIteration(Imitation):
    """A learner (see learning/runs/training.py) whose teacher is its own lookahead."""

    config: Config

    def choose(self, frontier: Frontier) -> Indices:
        """Return what the lookahead guesses in each set, int32 [sets], now and then another."""
        guesses, totals = self._looked(frontier)
        ranked = ordered(guesses, -totals, self.config.searched)
        other = self.rng.integers(np.isfinite(totals).sum(axis=1))
        explored = self.rng.random(len(frontier)) < self.config.explored
        return ranked[np.arange(len(frontier)), np.where(explored, other, 0)]

    def _looked(self, frontier: Frontier) -> tuple[Indices, Totals]:
        """Return the shortlist and what the lookahead says that the policy's K best take, else inf."""
        player = self.player()
        guesses = shortlist(frontier, self.config.shortlist)
        logits = player.logits(frontier, guesses)
        best = np.argsort(np.argsort(-logits, axis=1, kind="stable"), axis=1) < self.config.searched
        return guesses, totals_after(frontier, np.where(best, guesses, -1), player.values)

    def teach(self) -> None:
        """Play from the start and from random openers; learn from the games."""
        self.start = self._lesson(self.start.sets)
        levels = play(self.start.sets, self._openers(), self.choose)
        for level, totals in zip(levels, totals_of(levels), strict=True):
            self._value(level.sets, totals)
            self.lessons = self.lessons.and_(self._lesson(level.sets), self.config.memory)

    def _lesson(self, sets: Frontier) -> Lessons:
        return Lessons.of(sets, *self._looked(sets))


def build(table: Mapping[str, Any], game: Game, seed: int, device: str) -> Learner:
    """Return the learner of a configuration. Raises SleuthError."""
    limit_threads()
    return ExpertIteration(read(Config, table, "expert-iteration"), game, seed, device)
