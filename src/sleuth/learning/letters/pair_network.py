"""A network that knows no word and no letter: what a set's pairs of letters tell is all that it sees.

The form is that of Weaver's attention, phi1(A) phi2(S): A has for each word its pairs of letters, and phi2(S)
is a table that holds some numbers for every pair. They come from how the set is split by the pair, through
one small network for all pairs, so that nothing is learned of a letter that would not hold of any other. Some
numbers of a guess's pairs are averaged, of others the largest is taken; a second small network makes the
logit of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional

from sleuth.games.game import Game
from sleuth.learning.letters.pairs import CELL_INPUTS, GUESS_INPUTS, guess_pairs
from sleuth.support.ranges import check_range


@dataclass(frozen=True)
class PairShape:
    """How large the network is.

    Attributes:
        means: numbers of a pair that are averaged over a guess.
        peaks: those of which the largest is taken.
        pair_hidden: hidden units of the network that sees pairs.
        guess_hidden: those of the network that sees guesses, in each of its layers.
        guess_layers: how many hidden layers that has.

    """

    means: int = 32
    peaks: int = 8
    pair_hidden: int = 48
    guess_hidden: int = 64
    guess_layers: int = 2

    def __post_init__(self) -> None:
        check_range(self, "means", "peaks", "pair_hidden", "guess_hidden", "guess_layers", least=1)


class PairAttention(nn.Module):
    """Logits and values from flat features: cells, then guess_inputs, of learning/letters/pairs.py.

    words: int64 [guesses, pairs of places], which pairs each guess of the game at hand has; see `turn_to`.
    """

    words: Tensor
    at_once = 16
    """States whose chances are held at once."""

    def __init__(self, game: Game, shape: PairShape) -> None:
        super().__init__()
        self.shape = shape
        self.pair = nn.Linear(CELL_INPUTS, shape.pair_hidden)
        self.mean = nn.Linear(shape.pair_hidden, shape.means)
        self.peak = nn.Linear(shape.pair_hidden, shape.peaks)
        inputs, hidden = shape.means + shape.peaks + GUESS_INPUTS, [shape.guess_hidden] * shape.guess_layers
        self.guess = _perceptron([inputs, *hidden, 1])
        self.skip = nn.Linear(inputs, 1)
        self.value = _perceptron([2, 16, 1])
        self.register_buffer("words", torch.from_numpy(guess_pairs(game)[1]), persistent=False)

    def turn_to(self, game: Game) -> None:
        """Take the guesses of another game from now on."""
        self.words = torch.from_numpy(guess_pairs(game)[1]).to(self.words.device)

    def embed(self) -> Tensor:
        """Return the words, as forward takes them."""
        return self.words

    def forward(self, states: Tensor, words: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits [states, guesses] and values [states] of states [states, features]."""
        means, n, guesses = self.shape.means, len(states), len(words)
        own = guesses * GUESS_INPUTS
        hidden = functional.relu(self.pair(states[:, :-own].reshape(n, -1, CELL_INPUTS)))
        table = self.mean(hidden).permute(1, 0, 2).reshape(-1, n * means)
        mean = functional.embedding_bag(words, table, mode="mean").reshape(guesses, n, means).transpose(0, 1)
        peak = self.peak(hidden)[:, words].amax(2)
        inputs = torch.cat([mean, peak, states[:, -own:].reshape(n, guesses, GUESS_INPUTS)], -1)
        return (self.guess(inputs) + self.skip(inputs)).squeeze(-1), self.values(states)

    def values(self, states: Tensor) -> Tensor:
        """Return the values [states], of how large a set is alone."""
        values: Tensor = self.value(states[:, -2:]).squeeze(-1)
        return values


def _perceptron(sizes: list[int]) -> nn.Sequential:
    layers: list[nn.Module] = []
    for before, after in pairwise(sizes):
        layers += [nn.Linear(before, after), nn.ReLU()]
    return nn.Sequential(*layers[:-1])
