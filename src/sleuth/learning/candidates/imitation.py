"""The candidate-set player learns from a teacher, over the sets that it gets into itself (DAgger, AggreVaTe).

Every step plays the player from random openers, asks the teacher what every guess of the shortlist takes in
those sets, keeps that, and makes the expected regret of the policy less (Ross et al. 2011; with costs to go
for labels, Ross and Bagnell 2014).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from sleuth.exact.beam import Beam
from sleuth.games.frontier import Frontier, Indices
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.games.strategy import BatchStrategy
from sleuth.learning.candidates.networks import Policy, Seen, Value, packed, playing
from sleuth.learning.candidates.player import CandidateSets
from sleuth.learning.candidates.sets import SET_INPUTS, Floats, describe_sets, join, shortlist
from sleuth.learning.candidates.sweeps import play
from sleuth.learning.runs.configuration import read
from sleuth.learning.runs.held_out import check_folds, measure, unseen, without
from sleuth.learning.runs.training import Learner, Metrics, seed_everything, set_rate
from sleuth.strategies.values import Totals, totals_after
from sleuth.support.errors import SleuthError
from sleuth.support.parallel import check_given_up
from sleuth.support.ranges import check_range
from sleuth.trees.tree import DecisionTree

# Guesses that the lookahead of an evaluation looks at.
_SEARCHED = 10


@dataclass(frozen=True)
class Config:
    """Hyperparameters of learning by candidate sets.

    Attributes:
        shortlist: guesses of a set that the policy chooses among.
        width, hidden: of the networks: word vectors, and what they are brought together in. Without
            vectors, 0, a network knows words by what they tell apart alone.
        openers: random openers played a step.
        updates: batches learned from a step.
        batch, value_batch: sets in a batch of the policy and of the value network.
        memory, value_memory: sets kept to learn from; the oldest go first.
        value_sets: sets a step that the value network gets to know.
        learning_rate: of Adam.
        settle: steps over which it falls to a tenth, by a cosine.
        imitation: what cross-entropy to the teacher's choice weighs beside the expected regret.
        temperature: guesses in total by which a guess may be worse and still be chosen, in that choice.
        folds, fold: the answers that training never sees, see learning/runs/held_out.py; 0 folds hold
            none out.

    """

    shortlist: int = 32
    width: int = 64
    hidden: int = 96
    openers: int = 4
    updates: int = 40
    batch: int = 256
    value_batch: int = 1024
    memory: int = 60_000
    value_memory: int = 200_000
    value_sets: int = 4_000
    learning_rate: float = 2e-3
    settle: int = 200
    imitation: float = 0.3
    temperature: float = 0.3
    folds: int = 0
    fold: int = 0

    def __post_init__(self) -> None:
        counts = ("shortlist", "hidden", "openers", "updates", "batch", "value_batch", "settle")
        check_range(self, *counts, "memory", "value_memory", "value_sets", least=1)
        check_range(self, "learning_rate", "temperature", above=0, below=inf)
        check_range(self, "width", least=0)
        check_range(self, "imitation", least=0, below=inf)
        check_folds(self.folds, self.fold)


@dataclass(frozen=True, eq=False)
class Lessons:
    """Sets and what is known of them.

    Attributes:
        sets: the sets, as a frontier.
        guesses: int32 [sets, guesses], or -1.
        totals: float32 [sets, guesses]: guesses in total after each; inf where it is not known.
        described: float32 [sets, SET_INPUTS]: see learning/candidates/sets.py.

    """

    sets: Frontier
    guesses: Indices
    totals: NDArray[np.float32]
    described: Floats

    @classmethod
    def of(cls, sets: Frontier, guesses: Indices, totals: NDArray[np.floating]) -> Lessons:
        """Return what is known of sets, and describe them."""
        return cls(sets, guesses, totals.astype(np.float32), describe_sets(sets))

    @classmethod
    def none(cls, game: Game, columns: int) -> Lessons:
        """Return no lessons, of so many guesses a set."""
        nothing = Frontier(game, 1, np.zeros(1, np.int64), np.empty(0, np.int32))
        return cls(
            nothing,
            np.empty((0, columns), np.int32),
            np.empty((0, max(columns, 1)), np.float32),
            np.empty((0, SET_INPUTS), np.float32),
        )

    def seen(self, device: str) -> Seen:
        """Return the sets and guesses as the networks see them."""
        return Seen.of(self.sets, self.guesses if self.guesses.shape[1] else None, device, self.described)

    def take(self, which: NDArray[np.int64]) -> Lessons:
        """Return some of the lessons."""
        return Lessons(self.sets.take(which), self.guesses[which], self.totals[which], self.described[which])

    def and_(self, others: Lessons, memory: int) -> Lessons:
        """Return these and others, without the oldest beyond so many."""
        both = Lessons(
            join([self.sets, others.sets]),
            np.concatenate([self.guesses, others.guesses]),
            np.concatenate([self.totals, others.totals]),
            np.concatenate([self.described, others.described]),
        )
        surplus = len(both.sets) - memory
        return both if surplus <= 0 else both.take(np.arange(surplus, len(both.sets)))


@dataclass(frozen=True)
class CandidatePlayer(BatchStrategy):
    """The strategy of networks at hand: `learned`, or `learned+search` of some width."""

    networks: CandidateSets
    width: int | None = None
    name: ClassVar[str] = "player"

    def best(self, frontier: Frontier, k: int) -> Indices:
        if self.width is None:
            return self.networks.best(frontier, k)
        return self.networks.weigh(frontier, k, self.width)[0]


class Imitation:
    """A learner (see learning/runs/training.py) whose teacher is beam search.

    What beam search says of a set gets better with what its table remembers, so that runs of one seed are
    alike and not equal.
    """

    def __init__(self, config: Config, game: Game, seed: int, device: str = "cpu") -> None:
        if game.mode != "easy" or not game.is_uniform:
            raise SleuthError("the candidate-set player learns in easy mode, every answer equally likely")
        self.config, self.game, self.device = config, game, device
        self.rng, _ = seed_everything(seed)
        self.unseen = unseen(len(game.answers), config.folds, config.fold)
        self.school = without(game, self.unseen)
        self.policy = Policy(config.width, config.hidden).to(device)
        self.value = Value(config.width, config.hidden).to(device)
        self.optimizer = torch.optim.Adam(
            [*self.policy.parameters(), *self.value.parameters()], config.learning_rate
        )
        self.steps = 0
        start = Frontier.of(Position.start(self.school))
        opening = shortlist(start, config.shortlist)
        self.start = Lessons.of(start, opening, np.full(opening.shape, np.inf))
        self.lessons = Lessons.none(self.school, config.shortlist)
        self.worths = Lessons.none(self.school, 0)

    def step(self) -> Metrics:
        self.teach()
        set_rate(self.optimizer, self.config.learning_rate, self.steps / self.config.settle)
        losses = [self._update() for _ in range(self.config.updates)]
        self.steps += 1
        means = {name: float(np.mean([loss[name] for loss in losses])) for name in losses[0]}
        return {**means, "lessons": len(self.lessons.sets), "worths": len(self.worths.sets)}

    def evaluate(self) -> Metrics:
        metrics: dict[str, float] = {}
        for prefix, width in (("", None), ("search_", _SEARCHED)):
            turns = DecisionTree.build(CandidatePlayer(self.player(), width), self.game).turns
            metrics[f"{prefix}total"] = int(turns.sum())
            found = measure(turns, self.game.max_turns, self.unseen)
            metrics |= {f"{prefix}{name}": value for name, value in found.items()}
        return metrics

    def player(self) -> CandidateSets:
        """Return the networks as they are now, to play with."""
        return playing(self.policy, self.value, self.config.shortlist)

    def weights(self) -> dict[str, NDArray[np.float32]]:
        return packed(self.policy, self.value, self.config.shortlist)

    # What the player learns from.

    def choose(self, frontier: Frontier) -> Indices:
        """Return what the player guesses in each set, int32 [sets]."""
        return self.player().best(frontier, 1)[:, 0]

    def teach(self) -> None:
        """Play from the start and from random openers, and have the sets that come up taught."""
        if not np.isfinite(self.start.totals).any():
            self.start = self._lesson(self.start.sets)
        levels = play(self.start.sets, self._openers(), self.choose)
        fresh = _fresh(join([level.sets for level in levels]), self.lessons.sets)
        if len(fresh):
            lesson = self._lesson(fresh)
            self.lessons = self.lessons.and_(lesson, self.config.memory)
            self._value(fresh, lesson.totals.min(axis=1))

    def _openers(self) -> Indices:
        """Return the player's own opener, and others at random, int32 [openers]."""
        openers = self.rng.integers(len(self.school.guesses), size=self.config.openers).astype(np.int32)
        openers[0] = self.choose(self.start.sets)[0]
        return openers

    def _lesson(self, sets: Frontier) -> Lessons:
        guesses = shortlist(sets, self.config.shortlist)
        return Lessons.of(sets, guesses, totals_after(sets, guesses, self._beam))

    def _beam(self, sets: Frontier) -> Totals:
        totals = self._taught(sets)
        few = self._drawn(sets.sizes, min(self.config.value_sets, len(sets)), replace=False)
        self._value(sets.take(few), totals[few])
        return totals

    def _taught(self, sets: Frontier) -> Totals:
        """Return what the teacher takes in total, float64 [sets]."""
        totals: Totals = Beam().weigh(sets, 1)[1][:, 0] * sets.sizes
        return totals

    def _drawn(self, sizes: NDArray[np.int64], count: int, replace: bool) -> NDArray[np.int64]:
        """Return places of sets, int64 [count], drawn by their sizes: small sets are many, and soon known."""
        return self.rng.choice(len(sizes), count, replace, sizes / sizes.sum())

    def _value(self, sets: Frontier, totals: NDArray[np.floating]) -> None:
        """Keep what sets take in total."""
        lesson = Lessons.of(sets, np.empty((len(sets), 0), np.int32), totals[:, None])
        self.worths = self.worths.and_(lesson, self.config.value_memory)

    # Learning.

    def _update(self) -> dict[str, float]:
        """Take a gradient over some of what was learned; returns the losses."""
        seen, totals = self._some_lessons()
        regret, imitation = policy_losses(self.policy(seen), totals, self.config.temperature)
        return self._descend(
            regret + self.config.imitation * imitation, {"regret": regret, "imitation": imitation}
        )

    def _descend(self, loss: torch.Tensor, parts: dict[str, torch.Tensor]) -> dict[str, float]:
        """Take a gradient of the policy's loss and of the value network's; returns the parts and that."""
        check_given_up()
        seen, sizes, totals = self._some_worths()
        excess = (totals + 1 - 2 * sizes) / sizes
        # Errors in total guesses matter, and those of large sets are larger by nature.
        value = functional.huber_loss(self.value(seen) * sizes.sqrt(), excess * sizes.sqrt())
        self.optimizer.zero_grad()
        (loss + value).backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.policy.parameters(), 1.0)
        torch.nn.utils.clip_grad_norm_(self.value.parameters(), 1.0)
        self.optimizer.step()
        return {name: part.item() for name, part in {**parts, "value": value}.items()}

    def _some_lessons(self) -> tuple[Seen, torch.Tensor]:
        """Return a batch of sets, the start among them, and what their guesses take, float32."""
        which = self.rng.integers(len(self.lessons.sets), size=self.config.batch)
        batch = self.lessons.take(which).and_(self.start, self.config.batch + 1)
        return batch.seen(self.device), torch.from_numpy(batch.totals).to(self.device)

    def _some_worths(self) -> tuple[Seen, torch.Tensor, torch.Tensor]:
        """Return a batch of sets, their sizes, int64, and what they take in total, float32."""
        which = self._drawn(self.worths.sets.sizes, self.config.value_batch, replace=True)
        worths = self.worths.take(which)
        sizes, totals = worths.sets.sizes, worths.totals[:, 0]
        return (
            worths.seen(self.device),
            torch.from_numpy(sizes).to(self.device),
            torch.from_numpy(totals).to(self.device),
        )

    # Going on.

    def state_dict(self) -> dict[str, Any]:
        return {
            "policy": self.policy.state_dict(),
            "value": self.value.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "steps": self.steps,
            "rng": self.rng.bit_generator.state,
            **{name: _packed(getattr(self, name)) for name in ("start", "lessons", "worths")},
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self.policy.load_state_dict(state["policy"])
        self.value.load_state_dict(state["value"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.steps = state["steps"]
        self.rng.bit_generator.state = state["rng"]
        for name in ("start", "lessons", "worths"):
            setattr(self, name, _unpacked(state[name], self.school))


def policy_losses(
    logits: torch.Tensor, totals: torch.Tensor, temperature: float
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the mean expected regret of a policy, in guesses a set, and its cross-entropy to the best.

    logits: float32 [sets, guesses], -inf where there is no guess; totals: guesses in total after each, inf
    where unknown: counted as the worst of the set that is known.
    """
    known = torch.isfinite(totals)
    least = totals.amin(dim=1, keepdim=True)
    worst = totals.masked_fill(~known, -torch.inf).amax(dim=1, keepdim=True)
    regret = torch.where(known, totals, worst) - least
    chances = logits.softmax(dim=1)
    target = torch.where(known, -(totals - least) / temperature, -torch.inf).softmax(dim=1)
    logs = logits.log_softmax(dim=1).masked_fill(torch.isinf(logits), 0)
    return (chances * regret).sum(dim=1).mean(), -(target * logs).sum(dim=1).mean()


def _fresh(sets: Frontier, known: Frontier) -> Frontier:
    """Return the sets that are not known yet, each once."""
    found, first = np.unique(sets.keys(), return_index=True)
    return sets.take(np.sort(first[~np.isin(found, known.keys())]))


def _packed(lessons: Lessons) -> dict[str, Any]:
    sets = lessons.sets
    arrays = (sets.starts, sets.candidates, lessons.guesses, lessons.totals, lessons.described)
    return {"turn": lessons.sets.turn, "arrays": [torch.from_numpy(array.copy()) for array in arrays]}


def _unpacked(state: Mapping[str, Any], game: Game) -> Lessons:
    starts, candidates, *rest = (tensor.cpu().numpy() for tensor in state["arrays"])
    return Lessons(Frontier(game, state["turn"], starts, candidates), *rest)


def limit_threads() -> None:
    """Keep torch to one thread: the networks are small, and two took ten times as much of the processors."""
    torch.set_num_threads(1)


def build(table: Mapping[str, Any], game: Game, seed: int, device: str) -> Learner:
    """Return the learner of a configuration. Raises SleuthError."""
    limit_threads()
    return Imitation(read(Config, table, "imitation"), game, seed, device)
