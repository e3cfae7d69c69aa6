"""The candidate-set player learns from its games alone: PPO, a reward of -1 a guess, no teacher.

A step sweeps every answer with guesses drawn from the policy (learning/candidates/sweeps.py), so that the
return of a guess in a set is exact for what is drawn below it: the guesses that the set's answers took. The
advantage is how far that is below what the value network expected (Schulman et al. 2017).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from sleuth.games.frontier import Frontier, Indices
from sleuth.games.game import Game
from sleuth.learning.candidates.imitation import Config as ImitationConfig
from sleuth.learning.candidates.imitation import Imitation, Lessons, limit_threads
from sleuth.learning.candidates.sets import join, shortlist
from sleuth.learning.candidates.sweeps import play, settled, totals_of
from sleuth.learning.runs.configuration import read
from sleuth.learning.runs.training import Learner
from sleuth.support.errors import SleuthError
from sleuth.support.ranges import check_range


@dataclass(frozen=True)
class Config(ImitationConfig):
    """Hyperparameters of learning from games alone.

    Attributes:
        own: openers a step that are drawn from the policy, beside the random ones.
        clip: how far the chance of a guess may move in a step before it no longer counts.
        entropy: weight of the policy's entropy, in nats.

    """

    own: int = 4
    clip: float = 0.2
    entropy: float = 0.003

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.own < 2:
            raise SleuthError(f"own must be 2 or more, not {self.own}: openers are compared with each other")
        check_range(self, "clip", above=0, below=1)
        check_range(self, "entropy", least=0, below=inf)


@dataclass(frozen=True, eq=False)
class Drawn:
    """Sets, and the guess that was drawn in each.

    Attributes:
        lessons: the sets and their shortlists; the totals are those of the guess drawn, and inf elsewhere.
        column: int64 [sets]: where the guess drawn stands in the shortlist.
        chance: float32 [sets]: log of its probability.
        advantage: float32 [sets].

    """

    lessons: Lessons
    column: NDArray[np.int64]
    chance: NDArray[np.float32]
    advantage: NDArray[np.float32]


class SelfPlay(Imitation):
    """A learner (see learning/runs/training.py) that has nothing but its games."""

    config: Config
    drawn: Drawn

    def teach(self) -> None:
        """Play from the start, by openers of its own and at random, and keep what the guesses came to."""
        made: list[tuple[Lessons, NDArray[np.int64], NDArray[np.float32]]] = []

        def choose(sets: Frontier) -> Indices:
            guesses = shortlist(sets, self.config.shortlist)
            lessons = Lessons.of(sets, guesses, np.full(guesses.shape, np.inf))
            column, chance = self._draw(lessons)
            made.append((lessons, column, chance))
            return guesses[np.arange(len(sets)), column]

        start = self.start.sets
        first = choose(start.take(np.zeros(self.config.own, np.int64)))
        levels = play(start, np.concatenate([first, self._openers()]), choose)
        below = totals_of(levels)
        for level, totals in zip(levels, below, strict=True):
            self._value(level.sets, totals)
        lessons, column, chance = zip(*made, strict=True)
        came_to = np.concatenate([self._opened(first, levels[0].parents, below[0]), *below])
        every = join([each.sets for each in lessons])
        totals = np.full((len(every), self.config.shortlist), np.inf)
        totals[np.arange(len(every)), np.concatenate(column)] = came_to
        # The openers are compared with each other, since all that the value network knows lies below them.
        usual = np.full(self.config.own, came_to[: self.config.own].mean())
        values = self.player().values(every.take(np.arange(self.config.own, len(every))))
        advantage = (np.concatenate([usual, values]) - came_to) / every.sizes
        self.drawn = Drawn(
            Lessons(
                every,
                np.concatenate([each.guesses for each in lessons]),
                totals.astype(np.float32),
                np.concatenate([each.described for each in lessons]),
            ),
            np.concatenate(column),
            np.concatenate(chance),
            (advantage / max(float(advantage.std()), 1e-6)).astype(np.float32),
        )

    def _draw(self, lessons: Lessons) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return where the guesses that are drawn stand, int64 [sets], and their log chances, float32."""
        with torch.no_grad():
            logs = self.policy(lessons.seen(self.device)).log_softmax(dim=1).cpu().numpy()
        column = np.argmax(logs + self.rng.gumbel(size=logs.shape), axis=1)
        return column, logs[np.arange(len(column)), column]

    def _openers(self) -> Indices:
        """Return openers at random, int32 [openers]."""
        return self.rng.integers(len(self.school.guesses), size=self.config.openers).astype(np.int32)

    def _opened(
        self, openers: Indices, parents: NDArray[np.int64], below: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return what openers took in total, float64 [openers]: below is what the sets after them took."""
        starts = self.start.sets.take(np.zeros(len(openers), np.int64))
        totals = settled(starts, starts.after(openers))
        totals += np.bincount(parents, below, len(openers))[: len(openers)]
        return totals

    def _update(self) -> dict[str, float]:
        config, drawn = self.config, self.drawn
        # As many answers of a set, so often it is learned from; but the openers are with every batch.
        which = self._drawn(drawn.lessons.sets.sizes, config.batch, replace=True)
        which = np.concatenate([np.arange(config.own), which[which >= config.own]])
        logs = self.policy(drawn.lessons.take(which).seen(self.device)).log_softmax(dim=1)
        column, before, advantage = (
            torch.from_numpy(array[which]).to(self.device)
            for array in (drawn.column, drawn.chance, drawn.advantage)
        )
        ratio = (logs.gather(1, column[:, None])[:, 0] - before).exp()
        clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
        policy = -torch.minimum(ratio * advantage, clipped * advantage).mean()
        nats = -(logs.exp() * logs.masked_fill(torch.isinf(logs), 0)).sum(dim=1).mean()
        return self._descend(policy - config.entropy * nats, {"policy": policy, "entropy": nats})


def build(table: Mapping[str, Any], game: Game, seed: int, device: str) -> Learner:
    """Return the learner of a configuration. Raises SleuthError."""
    limit_threads()
    return SelfPlay(read(Config, table, "self-play"), game, seed, device)
