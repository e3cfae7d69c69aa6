"""The player against hosts who lie learns from its own games, against hosts and in games drawn anew.

What a belief takes is what the game went on to take, and what lookahead expects of it: the one is right on
average and varies much, the other varies little and is as right as the network (returns of many steps and of
one, as in temporal differences, Sutton 1988). No teacher.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, inf, log
from typing import Any, ClassVar, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from sleuth.games.game import Game
from sleuth.games.rules import WordleRules
from sleuth.learning.candidates.drawn_games import draw
from sleuth.learning.candidates.imitation import limit_threads
from sleuth.learning.noise.beliefs import INPUTS, believed, describe
from sleuth.learning.noise.player import LAYERS, BeliefNetwork, look, packed
from sleuth.learning.runs.configuration import read
from sleuth.learning.runs.training import Learner, Metrics, seed_everything, set_rate
from sleuth.support.parallel import check_given_up
from sleuth.support.ranges import check_range
from sleuth.variants.noise.belief import NoisyPosition
from sleuth.variants.noise.channel import Channel, fibble, lies_with
from sleuth.variants.noise.games import evaluate
from sleuth.variants.noise.strategies import NoisyExpectedGuesses

# Evaluations play the same games in every run.
_JUDGED = 2024
# How often hosts lie who do not in every row, and the part of games of words in which they do.
_RARELY, _OFTEN = 0.02, 0.35
_EVERY_ROW = 0.25
# Guesses after which a game teaches nothing more.
_MOST = 40
# Guesses that another one is drawn from.
_EXPLORED = 8


def draw_host(rng: np.random.Generator, game: Game) -> Channel:
    """Return a host for a game: one who lies in some rows, or, of words, in one mark of every row."""
    if isinstance(game.rules, WordleRules) and rng.random() < _EVERY_ROW:
        return fibble(game)
    return lies_with(game, exp(rng.uniform(log(_RARELY), log(_OFTEN))))


@dataclass(frozen=True)
class Config:
    """Hyperparameters of learning against hosts who lie.

    Attributes:
        games: drawn in a step, each with a host.
        plays: of each game, with answers at random.
        width: guesses of a position that are looked at.
        explored: the part of the guesses that are another of the best eight, and of openers that are any.
        hidden: of the network.
        updates: batches learned from a step.
        batch: beliefs in a batch.
        memory: beliefs kept to learn from; the oldest go first.
        learning_rate: of Adam.
        settle: steps over which it falls to a tenth, by a cosine.
        expected: what lookahead's value weighs, beside what the game took.
        judged: games of an evaluation.

    """

    games: int = 8
    plays: int = 40
    width: int = 16
    explored: float = 0.1
    hidden: int = 32
    updates: int = 100
    batch: int = 1024
    memory: int = 200_000
    learning_rate: float = 2e-3
    settle: int = 100
    expected: float = 0.5
    judged: int = 8

    def __post_init__(self) -> None:
        counts = ("games", "plays", "width", "hidden", "updates", "batch", "memory", "settle", "judged")
        check_range(self, *counts, least=1)
        check_range(self, "explored", "expected", least=0, most=1)
        check_range(self, "learning_rate", above=0, below=inf)


class Value(nn.Module):
    """What is added to the estimate of a belief: nothing, to begin with."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        sizes = (INPUTS, *[hidden] * (LAYERS - 1))
        weights = [torch.randn(rows, hidden) * (2 / rows) ** 0.5 for rows in sizes[:-1]]
        self.weights = nn.ParameterList([*weights, torch.zeros(hidden, 1)])
        self.biases = nn.ParameterList([*(torch.zeros(hidden) for _ in weights), torch.zeros(1)])

    def forward(self, x: Tensor) -> Tensor:
        """Return what is added, float32 [beliefs]. x: float32 [beliefs, INPUTS], see describe."""
        *before, last = zip(self.weights, self.biases, strict=True)
        for weight, bias in before:
            x = functional.relu(x @ weight + bias)
        added: Tensor = (x @ last[0] + last[1])[:, 0]
        return added

    def playing(self) -> BeliefNetwork:
        """Return a copy of the network as it plays, in NumPy."""
        weights, biases = (
            tuple(one.detach().cpu().numpy().copy() for one in ones) for ones in (self.weights, self.biases)
        )
        return BeliefNetwork(weights, biases)


class Beliefs(NamedTuple):
    """Beliefs and what they take. Tensors, one row a belief.

    Attributes:
        inputs: float32 [beliefs, INPUTS], see describe.
        added: float32 [beliefs]: guesses that were taken, less the estimate.

    """

    inputs: Tensor
    added: Tensor

    @classmethod
    def none(cls) -> Beliefs:
        """Return no beliefs."""
        return cls(torch.zeros(0, INPUTS), torch.zeros(0))

    def and_(self, others: Beliefs, memory: int) -> Beliefs:
        """Return these and others, without the oldest beyond so many."""
        return Beliefs(*(torch.cat(both)[-memory:] for both in zip(self, others, strict=True)))


@dataclass(frozen=True)
class _Player:
    """The strategy of a network at hand."""

    network: BeliefNetwork
    width: int
    name: ClassVar[str] = "player"

    def choose(self, position: NoisyPosition) -> int:
        return look(self.network, position, self.width)[0]


class AnyHost:
    """A learner (see learning/runs/training.py) of any game against any host."""

    def __init__(self, config: Config, seed: int, device: str = "cpu") -> None:
        self.config, self.device = config, device
        self.rng, _ = seed_everything(seed)
        self.value = Value(config.hidden).to(device)
        self.optimizer = torch.optim.Adam(self.value.parameters(), config.learning_rate)
        self.known = Beliefs.none()
        self.steps = self.played = 0

    def step(self) -> Metrics:
        network = self.value.playing()
        for _ in range(self.config.games):
            game = draw(self.rng)
            self._play(network, NoisyPosition.start(game, draw_host(self.rng, game)))
        set_rate(self.optimizer, self.config.learning_rate, self.steps / self.config.settle)
        losses = [self._update() for _ in range(self.config.updates)]
        self.steps += 1
        return {"value": float(np.mean(losses)), "beliefs": len(self.known.added), "games": self.played}

    def _play(self, network: BeliefNetwork, start: NoisyPosition) -> None:
        """Play a game against a host some times, and keep the beliefs that come up."""
        opener = look(network, start, self.config.width)
        inputs: list[NDArray[np.float32]] = []
        added: list[float] = []
        for answer in self.rng.integers(len(start.game.answers), size=self.config.plays):
            check_given_up()
            seen, estimates, taken = self._follow(network, start, opener, int(answer))
            inputs += seen
            added += np.subtract(taken, estimates).tolist()
            self.played += 1
        if inputs:
            fresh = Beliefs(torch.from_numpy(np.stack(inputs)), torch.tensor(added, dtype=torch.float32))
            self.known = self.known.and_(fresh, self.config.memory)

    def _follow(
        self, network: BeliefNetwork, start: NoisyPosition, opener: Any, answer: int
    ) -> tuple[list[NDArray[np.float32]], list[float], list[float]]:
        """Play a game; return what the network sees of its beliefs, their estimates, what they take."""
        game, position = start.game, start
        inputs: list[NDArray[np.float32]] = []
        estimates: list[float] = []
        expected: list[float] = []
        chosen = 0  # the first belief after which no guess was another
        guess, _, outlook = opener
        while True:
            if outlook is not None and self.rng.random() < self.config.explored:
                guess, chosen = self._other(position), len(inputs)
            shown = position.channel.show(int(game.feedback_row(guess)[answer]), self.rng.random())
            if shown == game.solved or len(inputs) == _MOST or outlook is None:
                break
            position = position.after(guess, shown)
            seen, estimate = describe(believed(position), outlook)
            inputs.append(seen[0])
            estimates.append(float(estimate[0]))
            guess, value, outlook = look(network, position, self.config.width)
            expected.append(value)
        mixed = self.config.expected
        taken = [
            value if i < chosen else mixed * value + (1 - mixed) * (len(inputs) - i)
            for i, value in enumerate(expected)
        ]
        known = [i for i, value in enumerate(taken) if np.isfinite(value)]
        return [inputs[i] for i in known], [estimates[i] for i in known], [taken[i] for i in known]

    def _other(self, position: NoisyPosition) -> int:
        """Return another guess: of the best few, or at random to begin with."""
        if position.turn == 1:
            return int(self.rng.integers(len(position.game.guesses)))
        return int(self.rng.choice(NoisyExpectedGuesses().best(position, _EXPLORED)))

    def _update(self) -> float:
        """Take a gradient over some of what was learned; returns the loss."""
        check_given_up()
        which = torch.from_numpy(self.rng.integers(len(self.known.added), size=self.config.batch))
        inputs, added = (one[which].to(self.device) for one in self.known)
        loss = functional.mse_loss(self.value(inputs), added)
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.value.parameters(), 1.0)
        self.optimizer.step()
        return loss.item()

    def evaluate(self) -> Metrics:
        """Play some games against hosts, the same in every run; returns means over them."""
        rng = np.random.default_rng(_JUDGED)
        player = _Player(self.value.playing(), self.config.width)
        reports = []
        for _ in range(self.config.judged):
            game = draw(rng)
            reports.append(evaluate(player, game, draw_host(rng, game), seed=_JUDGED))
        return {
            "mean": float(np.mean([report.mean for report in reports])),
            "failures": float(sum(report.failures for report in reports)),
        }

    def weights(self) -> dict[str, NDArray[np.float32]]:
        return packed(self.value.playing())

    def state_dict(self) -> dict[str, Any]:
        return {
            "value": self.value.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "steps": self.steps,
            "played": self.played,
            "rng": self.rng.bit_generator.state,
            "known": self.known._asdict(),
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self.value.load_state_dict(state["value"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.steps, self.played = state["steps"], state["played"]
        self.rng.bit_generator.state = state["rng"]
        self.known = Beliefs(**{name: tensor.cpu() for name, tensor in state["known"].items()})


def build(table: Mapping[str, Any], game: Game, seed: int, device: str) -> Learner:
    """Return the learner of a configuration: games are drawn, whatever game is given. Raises SleuthError."""
    limit_threads()
    return AnyHost(read(Config, table, "any-host"), seed, device)
