"""The candidate-set player of any game: taught by beam search in games drawn anew, by set statistics alone.

Words have no vectors here, so that what it learns of sets and guesses is what they tell apart, in whatever
game. Each step draws some games, plays the player in each from its own opener and others at random, and asks
the teacher about the sets that come up, as Imitation does in one game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from sleuth.exact.beam import Beam
from sleuth.games.frontier import Frontier
from sleuth.games.game import Game
from sleuth.learning.candidates.drawn_games import draw
from sleuth.learning.candidates.imitation import CandidatePlayer, Imitation, Lessons, limit_threads
from sleuth.learning.candidates.imitation import Config as ImitationConfig
from sleuth.learning.candidates.networks import Policy, Seen, Value, packed, playing
from sleuth.learning.candidates.sets import GUESS_INPUTS, describe_guesses, guess_inputs
from sleuth.learning.runs.configuration import read
from sleuth.learning.runs.training import Learner, Metrics
from sleuth.strategies.values import Totals
from sleuth.support.errors import SleuthError
from sleuth.support.ranges import check_range
from sleuth.trees.tree import DecisionTree

# Evaluations play the same games in every run.
_JUDGED = 2024


@dataclass(frozen=True)
class Config(ImitationConfig):
    """Hyperparameters of learning any game.

    Attributes:
        games: drawn in a step.
        played: guesses of a set that play chooses among, and lookahead looks at: where many guesses are the
            same but for names, as in Mastermind, those of most information are too few kinds.
        judged: drawn for evaluations.

    """

    width: int = 0
    games: int = 6
    played: int = 128
    judged: int = 8

    def __post_init__(self) -> None:
        super().__post_init__()
        check_range(self, "games", "played", "judged", least=1)
        if self.width or self.folds:
            raise SleuthError("a player of any game knows no words: width and folds are 0")


@dataclass(frozen=True, eq=False)
class Described:
    """Sets of any games as the networks see them, and what is known of them. Tensors, one row a set.

    Attributes:
        sizes: int64 [sets].
        set_inputs: float32 [sets, SET_INPUTS].
        heuristic, inputs: float32 [sets, guesses, 3 and GUESS_INPUTS]; without guesses where only what sets
            are worth is known.
        legal: bool [sets, guesses].
        totals: float32 [sets, guesses], or [sets, 1]: guesses in total after each guess, or at best.

    """

    sizes: Tensor
    set_inputs: Tensor
    heuristic: Tensor
    inputs: Tensor
    legal: Tensor
    totals: Tensor

    @classmethod
    def of(cls, lessons: Lessons, device: str) -> Described:
        """Describe the sets and the guesses of lessons."""
        sizes, guesses = lessons.sets.sizes, lessons.guesses
        heuristic = np.empty((len(sizes), 0, 3), np.float32)
        inputs = np.empty((len(sizes), 0, GUESS_INPUTS), np.float32)
        if guesses.shape[1]:
            described = describe_guesses(lessons.sets, guesses)
            heuristic, inputs = described[..., :3], guess_inputs(described, sizes)
        arrays = (sizes, lessons.described, heuristic, inputs, guesses >= 0, lessons.totals)
        return cls(*(torch.from_numpy(np.ascontiguousarray(array)).to(device) for array in arrays))

    def seen(self) -> Seen:
        """Return them as the networks take them: no words are in them."""
        nothing = torch.zeros(0, dtype=torch.int64)
        starts = torch.zeros(len(self.sizes), dtype=torch.int64)
        return Seen(nothing, starts, self.set_inputs, None, 0, None, self.heuristic, self.inputs, self.legal)

    def take(self, which: Tensor | slice) -> Described:
        """Return some of them."""
        return Described(*(getattr(self, field.name)[which] for field in fields(self)))

    def and_(self, others: Described, memory: int) -> Described:
        """Return these and others, without the oldest beyond so many."""
        names = [field.name for field in fields(self)]
        both = Described(*(torch.cat([getattr(self, name), getattr(others, name)]) for name in names))
        return both.take(slice(-memory, None))


class _Pupil(Imitation):
    """The player in one game. Its teacher does not try what quick heuristics say, which takes long."""

    def __init__(self, config: Config, game: Game, seed: int, policy: Policy, value: Value) -> None:
        super().__init__(config, game, seed)
        self.policy, self.value = policy, value

    def _taught(self, sets: Frontier) -> Totals:
        totals: Totals = Beam().search(sets, 1)[1][:, 0]
        return totals


class AnyGame(Imitation):
    """A learner (see learning/runs/training.py) that is taught by beam search in games drawn anew."""

    config: Config

    def __init__(self, config: Config, game: Game, seed: int, device: str = "cpu") -> None:
        super().__init__(config, game, seed, device)
        self.known: Described | None = None
        self.worth: Described | None = None

    def step(self) -> Metrics:
        metrics = super().step()
        assert self.known is not None
        assert self.worth is not None
        return {**metrics, "lessons": len(self.known.sizes), "worths": len(self.worth.sizes)}

    def teach(self) -> None:
        """Play games drawn anew, and have the sets that come up taught."""
        for _ in range(self.config.games):
            seed = int(self.rng.integers(2**31))
            pupil = _Pupil(self.config, draw(self.rng), seed, self.policy, self.value)
            pupil.teach()
            lessons = pupil.lessons.and_(pupil.start, self.config.memory)
            known, worth = (Described.of(one, self.device) for one in (lessons, pupil.worths))
            self.known = known if self.known is None else self.known.and_(known, self.config.memory)
            self.worth = worth if self.worth is None else self.worth.and_(worth, self.config.value_memory)

    def _some_lessons(self) -> tuple[Seen, Tensor]:
        assert self.known is not None
        batch = self.known.take(
            torch.from_numpy(self.rng.integers(len(self.known.sizes), size=self.config.batch))
        )
        return batch.seen(), batch.totals

    def _some_worths(self) -> tuple[Seen, Tensor, Tensor]:
        assert self.worth is not None
        which = self._drawn(self.worth.sizes.cpu().numpy(), self.config.value_batch, replace=True)
        batch = self.worth.take(torch.from_numpy(which))
        return batch.seen(), batch.sizes, batch.totals[:, 0]

    def evaluate(self) -> Metrics:
        """Play some games, the same in every run, with lookahead and without; returns means over them."""
        rng = np.random.default_rng(_JUDGED)
        games = [draw(rng) for _ in range(self.config.judged)]
        networks = playing(self.policy, self.value, self.config.played)
        found: dict[str, float] = {}
        for prefix, width in (("", self.config.played), ("policy_", None)):
            turns = [DecisionTree.build(CandidatePlayer(networks, width), game).turns for game in games]
            lost = [(one > game.max_turns).sum() for one, game in zip(turns, games, strict=True)]
            found[f"{prefix}mean"] = float(np.mean([one.mean() for one in turns]))
            found[f"{prefix}failures"] = float(np.sum(lost))
        return found

    def weights(self) -> dict[str, NDArray[np.float32]]:
        return packed(self.policy, self.value, self.config.played)

    def state_dict(self) -> dict[str, Any]:
        kept = {"known": self.known, "worth": self.worth}
        described = {name: None if one is None else vars(one) for name, one in kept.items()}
        return {**super().state_dict(), **described}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        super().load_state_dict(state)
        self.known, self.worth = (
            None if state[name] is None else Described(**state[name]) for name in ("known", "worth")
        )


def build(table: Mapping[str, Any], game: Game, seed: int, device: str) -> Learner:
    """Return the learner of a configuration. Raises SleuthError."""
    limit_threads()
    return AnyGame(read(Config, table, "any-game"), game, seed, device)
