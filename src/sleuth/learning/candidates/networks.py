"""The networks of the candidate-set player, in torch; learning/candidates/player.py plays them without it.

A set is seen as the mean of its words' vectors, which are sums over letters, so that words never met have
vectors too; and by how well it can be told apart. A guess is seen by the classes that it splits the set
into and by its vector. The policy is the heuristic plus a residual that starts at zero:

    logit = scale . (bits, classes, candidate) + residual(set, guess)

and the value network says how many guesses a set takes beyond 2n - 1, for each of its n answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from sleuth.games.frontier import Frontier, Indices
from sleuth.games.game import Game
from sleuth.learning.candidates.player import CandidateSets
from sleuth.learning.candidates.sets import (
    GUESS_INPUTS,
    SET_INPUTS,
    WORD_ROWS,
    Floats,
    describe_guesses,
    describe_sets,
    guess_inputs,
    word_rows,
)

Array = NDArray[Any]

# Logits of information gain, where a candidate comes before what tells as much: 16 a bit, and so little for
# a candidate that it decides among equals alone.
_SCALE = (16.0, 0.0, 2.0**-8)


def _matrix(rows: int, columns: int) -> nn.Parameter:
    return nn.Parameter(torch.randn(rows, columns) * (2 / max(1, rows)) ** 0.5)


class Words(nn.Module):
    """A vector for each word, float32 [words, width]: relu of the sum over its letters."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.letters = nn.Parameter(torch.randn(WORD_ROWS, width) * 0.3)
        self.word = nn.Parameter(torch.zeros(width))

    def vectors(self, rows: Tensor | None, words: int) -> Tensor:
        """Return the vectors of words by their rows of letters, int64 [words, 10]."""
        if rows is None or not self.letters.shape[1]:
            return self.letters.new_zeros(words, self.letters.shape[1])
        return functional.relu(functional.embedding_bag(rows, self.letters, mode="sum") + self.word)

    def pooled(self, seen: Seen) -> Tensor:
        """Return the mean vector of each set, float32 [sets, width]."""
        if not self.letters.shape[1]:
            return self.letters.new_zeros(len(seen.starts), 0)
        vectors = self.vectors(seen.answer_rows, seen.answers)
        return functional.embedding_bag(seen.candidates, vectors, seen.starts, mode="mean")


@dataclass(frozen=True, eq=False)
class Seen:
    """What the networks see of some sets, as tensors; the fields of guesses are None for values.

    Attributes:
        candidates, starts: int64: the sets end to end, and where each begins.
        set_inputs: float32 [sets, SET_INPUTS].
        answer_rows: int64 [answers, 10], or None where words have no vectors; answers: how many.
        guess_rows: int64 [sets x guesses, 10], or None.
        heuristic: float32 [sets, guesses, 3]: bits, classes, candidate.
        inputs: float32 [sets, guesses, GUESS_INPUTS].
        legal: bool [sets, guesses]: where there is a guess.

    """

    candidates: Tensor
    starts: Tensor
    set_inputs: Tensor
    answer_rows: Tensor | None
    answers: int
    guess_rows: Tensor | None = None
    heuristic: Tensor | None = None
    inputs: Tensor | None = None
    legal: Tensor | None = None

    @classmethod
    def of(
        cls,
        frontier: Frontier,
        guesses: Indices | None = None,
        device: str = "cpu",
        described_sets: Floats | None = None,
    ) -> Seen:
        """Look at sets, and at guesses, int32 [sets, guesses]. described_sets: of the sets, if at hand."""

        def tensor(array: Array | None) -> Tensor | None:
            return None if array is None else torch.from_numpy(np.ascontiguousarray(array)).to(device)

        game = frontier.game
        answer_rows, guess_rows = _rows(game)
        sets = {
            "candidates": tensor(frontier.candidates.astype(np.int64)),
            "starts": tensor(frontier.starts[:-1].astype(np.int64)),
            "set_inputs": tensor(describe_sets(frontier) if described_sets is None else described_sets),
            "answer_rows": tensor(answer_rows),
        }
        if guesses is None:
            return cls(**sets, answers=len(game.answers))  # type: ignore[arg-type]
        described = describe_guesses(frontier, guesses)
        return cls(
            **sets,  # type: ignore[arg-type]
            answers=len(game.answers),
            guess_rows=tensor(None if guess_rows is None else guess_rows[guesses.ravel()]),
            heuristic=tensor(described[..., :3]),
            inputs=tensor(guess_inputs(described, frontier.sizes)),
            legal=tensor(guesses >= 0),
        )


class Policy(Words):
    """The logits of guesses."""

    def __init__(self, width: int = 64, hidden: int = 64) -> None:
        super().__init__(width)
        self.pool, self.set = _matrix(width, hidden), _matrix(SET_INPUTS, hidden)
        self.state = nn.Parameter(torch.zeros(hidden))
        self.inputs = _matrix(GUESS_INPUTS, hidden)
        self.shift, self.gate = _matrix(hidden, hidden), _matrix(hidden, hidden)
        self.guess, self.gated = _matrix(width, hidden), _matrix(width, hidden)
        self.residual = nn.Parameter(torch.zeros(hidden, 1))
        self.scale = nn.Parameter(torch.tensor(_SCALE))

    def forward(self, seen: Seen) -> Tensor:
        """Return the logits, float32 [sets, guesses]; -inf where there is no guess."""
        assert seen.inputs is not None
        assert seen.heuristic is not None
        assert seen.legal is not None
        state = functional.relu(self.pooled(seen) @ self.pool + seen.set_inputs @ self.set + self.state)
        sets, guesses = seen.legal.shape
        vectors = self.vectors(seen.guess_rows, sets * guesses).view(sets, guesses, -1)
        hidden = seen.inputs @ self.inputs + (state @ self.shift)[:, None] + vectors @ self.guess
        hidden = hidden + (state @ self.gate)[:, None] * (vectors @ self.gated)
        residual = (functional.relu(hidden) @ self.residual)[..., 0]
        logits = seen.heuristic @ self.scale + residual
        return logits.masked_fill(~seen.legal, -torch.inf)


class Value(Words):
    """The guesses that each answer of a set takes beyond 2n - 1 in total."""

    def __init__(self, width: int = 64, hidden: int = 64) -> None:
        super().__init__(width)
        self.pool, self.set = _matrix(width, hidden), _matrix(SET_INPUTS, hidden)
        self.first, self.shift = nn.Parameter(torch.zeros(hidden)), nn.Parameter(torch.zeros(hidden))
        self.second = _matrix(hidden, hidden)
        self.excess, self.mean = nn.Parameter(torch.zeros(hidden, 1)), nn.Parameter(torch.zeros(1))

    def forward(self, seen: Seen) -> Tensor:
        """Return the excess of each set, float32 [sets]."""
        first = functional.relu(self.pooled(seen) @ self.pool + seen.set_inputs @ self.set + self.first)
        second = functional.relu(first @ self.second + self.shift)
        return (second @ self.excess)[:, 0] + self.mean


def playing(policy: Policy, value: Value, shortlist: int) -> CandidateSets:
    """Return the networks as they play, in NumPy."""
    return CandidateSets(arrays(policy), arrays(value), shortlist)


def arrays(network: nn.Module) -> dict[str, Floats]:
    """Return a copy of what a network has learned, float32 by name."""
    return {name: p.detach().cpu().float().numpy().copy() for name, p in network.named_parameters()}


def packed(policy: Policy, value: Value, shortlist: int) -> dict[str, Floats]:
    """Return the networks as one file of weights holds them; learning/candidates/player.py loads it."""
    named = {f"policy.{name}": array for name, array in arrays(policy).items()}
    named |= {f"value.{name}": array for name, array in arrays(value).items()}
    return {**named, "shortlist": np.array([shortlist], np.float32)}


@lru_cache(maxsize=4)
def _rows(game: Game) -> tuple[Array | None, Array | None]:
    """Return the rows of letters of a game's answers and guesses, computed once."""
    return word_rows(game, game.answers), word_rows(game, game.guesses)
