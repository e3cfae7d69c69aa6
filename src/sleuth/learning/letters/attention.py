"""Weaver's network: how much a state attends to each word is how likely that word is guessed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from torch import Tensor, nn

from sleuth.support.ranges import check_range


@dataclass(frozen=True)
class Shape:
    """How large the network is.

    Attributes:
        dimension: d, of what words and states are embedded in.
        word_hidden: hidden units of phi1, which embeds words.
        state_hidden: hidden units of phi2, which embeds states.
        state_layers: hidden layers of phi2.
        attention: whether words are embedded by their letters; without it each has an embedding of its own,
            so that nothing learned of one word carries over to another (an ablation).

    """

    dimension: int = 64
    word_hidden: int = 256
    state_hidden: int = 512
    state_layers: int = 2
    attention: bool = True

    def __post_init__(self) -> None:
        check_range(self, "dimension", "word_hidden", "state_hidden", "state_layers", least=1)


class Attention(nn.Module):
    """Logits phi1(A) phi2(S) / sqrt(d) and the value of a state.

    words: float32 [guesses, word features], the A of every call.
    """

    words: Tensor
    at_once = 512
    """States whose chances are held at once."""

    def __init__(self, words: Tensor, state_size: int, shape: Shape) -> None:
        super().__init__()
        self.scale = 1 / math.sqrt(shape.dimension)
        self.register_buffer("words", words, persistent=False)
        self.phi1 = (
            nn.Sequential(
                nn.Linear(words.shape[1], shape.word_hidden),
                nn.ReLU(),
                nn.Linear(shape.word_hidden, shape.dimension),
            )
            if shape.attention
            else nn.Linear(len(words), shape.dimension, bias=False)
        )
        sizes = [state_size] + [shape.state_hidden] * shape.state_layers
        layers: list[nn.Module] = []
        for before, after in pairwise(sizes):
            layers += [nn.Linear(before, after), nn.ReLU()]
        self.trunk = nn.Sequential(*layers)
        self.phi2 = nn.Linear(shape.state_hidden, shape.dimension)
        self.value = nn.Linear(shape.state_hidden, 1)

    def embed(self) -> Tensor:
        """Return phi1(A) / sqrt(d), [guesses, d]: once an update, since it is the same for all states."""
        if isinstance(self.phi1, nn.Linear):
            return self.phi1.weight.T * self.scale
        embedded: Tensor = self.phi1(self.words) * self.scale
        return embedded

    def forward(self, states: Tensor, embedded: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits [states, guesses] and values [states] of states [states, features]."""
        hidden = self.trunk(states)
        return self.phi2(hidden) @ embedded.T, self.value(hidden).squeeze(-1)

    def values(self, states: Tensor) -> Tensor:
        """Return the values [states] alone."""
        values: Tensor = self.value(self.trunk(states)).squeeze(-1)
        return values
