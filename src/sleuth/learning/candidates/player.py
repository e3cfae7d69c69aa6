"""The candidate-set player from its weights: the networks' forward pass, in NumPy alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from weakref import WeakKeyDictionary

import numpy as np

from sleuth.games.frontier import Frontier, Indices
from sleuth.games.game import Game
from sleuth.learning.arrays import read
from sleuth.learning.candidates.sets import (
    GUESS_INPUTS,
    OWN_TELLS,
    PROBE_TELLS,
    SET_INPUTS,
    WORD_ROWS,
    Floats,
    describe_guesses,
    describe_sets,
    guess_inputs,
    order_of,
    ordered,
    shortlist,
    word_rows,
)
from sleuth.strategies.values import Totals, totals_after
from sleuth.support.errors import SleuthError

PLAYER = "candidates"
"""What its files that ship are named after."""
Arrays = Mapping[str, Floats]


@dataclass(frozen=True, eq=False)
class CandidateSets:
    """The policy and the value network of the candidate-set player, ready to play.

    See learning/candidates/networks.py.

    Attributes:
        policy: what logits are computed from, by name.
        value: what values are computed from, by name.
        shortlist: how many guesses of a set the policy chooses among.

    """

    policy: Arrays
    value: Arrays
    shortlist: int
    _words: WeakKeyDictionary[Game, dict[str, Floats]] = field(default_factory=WeakKeyDictionary, repr=False)
    _openings: WeakKeyDictionary[Game, dict[tuple[int, int], tuple[Indices, Totals]]] = field(
        default_factory=WeakKeyDictionary, repr=False
    )

    def best(self, frontier: Frontier, k: int) -> Indices:
        """Return the k guesses of the largest logits of each set, best first, int32 [sets, k], then -1."""
        guesses = shortlist(frontier, self.shortlist)
        return ordered(guesses, self.logits(frontier, guesses), k)

    def weigh(self, frontier: Frontier, k: int, width: int) -> tuple[Indices, Totals]:
        """Return the best `width` of these in order of the totals that one-step lookahead finds for them.

        Guesses, int32 [sets, k], or -1; and totals, float64 [sets, k], see totals_after. If k is more than
        `width`, other guesses follow, with totals of inf. The opening is remembered: it is the largest set
        there is, and comes up in every game.
        """
        if frontier.turn > 1 or len(frontier) != 1 or len(frontier.candidates) < len(frontier.game.answers):
            return self._looked(frontier, k, width)
        openings = self._openings.setdefault(frontier.game, {})
        if (k, width) not in openings:
            openings[k, width] = self._looked(frontier, k, width)
        guesses, totals = openings[k, width]
        return guesses.copy(), totals.copy()

    def _looked(self, frontier: Frontier, k: int, width: int) -> tuple[Indices, Totals]:
        few = self.best(frontier, max(width, k))
        totals = np.full(few.shape, np.inf)
        totals[:, :width] = totals_after(frontier, few[:, :width], self.values)
        order = order_of(few, -totals)[:, :k]
        return np.take_along_axis(few, order, axis=1), np.take_along_axis(totals, order, axis=1)

    def logits(self, frontier: Frontier, guesses: Indices) -> Floats:
        """Return the logits of some guesses of each set, float32 [sets, guesses]; -inf where -1."""
        p, words = self.policy, self._vectors(frontier.game)
        described = describe_guesses(frontier, guesses)
        state = _relu(
            _pooled(words["policy"], frontier) @ p["pool"] + describe_sets(frontier) @ p["set"] + p["state"]
        )
        vectors = words["guess"][guesses]
        hidden = guess_inputs(described, frontier.sizes) @ p["inputs"] + (state @ p["shift"])[:, None]
        hidden += vectors @ p["guess"] + (state @ p["gate"])[:, None] * (vectors @ p["gated"])
        residual = (_relu(hidden) @ p["residual"])[..., 0]
        return np.where(guesses >= 0, described[..., :3] @ p["scale"] + residual, -np.inf)

    def values(self, frontier: Frontier) -> Totals:
        """Return the guesses expected in total of sets of three answers and more, float64 [sets].

        Of n answers: 2n - 1 where a candidate that was tried tells all apart, 2n where another guess does
        (no strategy does better, in easy mode); the network's opinion elsewhere.
        """
        v, words = self.value, self._vectors(frontier.game)
        described = describe_sets(frontier)
        first = _pooled(words["value"], frontier) @ v["pool"] + described @ v["set"] + v["first"]
        second = _relu(_relu(first) @ v["second"] + v["shift"])
        excess = (second @ v["excess"])[:, 0] + v["mean"][0]
        least = 2.0 * frontier.sizes
        expected = np.maximum(least - 1 + excess.astype(np.float64) * frontier.sizes, least)
        totals: Totals = np.select(
            [described[:, OWN_TELLS] > 0, described[:, PROBE_TELLS] > 0], [least - 1, least], expected
        )
        return totals

    def _vectors(self, game: Game) -> dict[str, Floats]:
        """Return the vectors of a game's answers for both networks, and of its guesses."""
        if game not in self._words:
            self._words[game] = {
                "policy": _vectors(self.policy, game, game.answers),
                "guess": _vectors(self.policy, game, game.guesses),
                "value": _vectors(self.value, game, game.answers),
            }
        return self._words[game]


def _relu(x: Floats) -> Floats:
    return np.maximum(x, 0)


def _vectors(arrays: Arrays, game: Game, words: tuple[str, ...]) -> Floats:
    """Return the vectors of words, float32 [words, width]; zeros where they have none."""
    rows = word_rows(game, words)
    if rows is None:
        return np.zeros((len(words), arrays["letters"].shape[1]), np.float32)
    return _relu(arrays["letters"][rows].sum(axis=1) + arrays["word"])


def _pooled(vectors: Floats, frontier: Frontier) -> Floats:
    """Return the mean vector of each set, float32 [sets, width]."""
    sums = np.add.reduceat(vectors[frontier.candidates], frontier.starts[:-1], axis=0)
    means: Floats = (sums / frontier.sizes[:, None]).astype(np.float32)
    return means


@lru_cache(maxsize=4)
def load(name: str) -> CandidateSets:
    """Return the networks of a file, or of a name that ships with the package. Raises SleuthError."""
    arrays = read(name, PLAYER)
    parts = {
        part: {
            key.removeprefix(part): a.astype(np.float32) for key, a in arrays.items() if key.startswith(part)
        }
        for part in ("policy.", "value.")
    }
    missing = [part for part, found in parts.items() if not found]
    missing += [] if "shortlist" in arrays else ["shortlist"]
    if missing:
        raise SleuthError(f"weights {name!r} lack {', '.join(missing)}: not those of a candidate-set player")
    for part, shapes in _SHAPES.items():
        _check_shapes(name, part, parts[part], shapes)
    few = arrays["shortlist"]
    if few.shape != (1,) or not few[0] >= 1:
        raise SleuthError(f"weights {name!r}: shortlist is to be one number, 1 or more")
    return CandidateSets(parts["policy."], parts["value."], int(few[0]))


_SHAPES: dict[str, dict[str, tuple[int | str, ...]]] = {
    "policy.": {
        "letters": (WORD_ROWS, "width"),
        "word": ("width",),
        "guess": ("width", "hidden"),
        "gated": ("width", "hidden"),
        "pool": ("width", "hidden"),
        "set": (SET_INPUTS, "hidden"),
        "state": ("hidden",),
        "inputs": (GUESS_INPUTS, "hidden"),
        "gate": ("hidden", "hidden"),
        "shift": ("hidden", "hidden"),
        "residual": ("hidden", 1),
        "scale": (3,),
    },
    "value.": {
        "letters": (WORD_ROWS, "width"),
        "word": ("width",),
        "pool": ("width", "hidden"),
        "set": (SET_INPUTS, "hidden"),
        "first": ("hidden",),
        "second": ("hidden", "hidden"),
        "shift": ("hidden",),
        "excess": ("hidden", 1),
        "mean": (1,),
    },
}
"""The shape of each array; a name stands for any number, the same throughout a network."""


def _check_shapes(name: str, part: str, arrays: Arrays, shapes: Mapping[str, tuple[int | str, ...]]) -> None:
    """Raise SleuthError unless a network has its arrays, in shapes that go together."""
    sizes: dict[int | str, int] = {}
    for key, shape in shapes.items():
        if key not in arrays:
            raise SleuthError(f"weights {name!r} lack {part}{key}: not those of a candidate-set player")
        found = arrays[key].shape
        if len(found) != len(shape) or any(
            size != (of if isinstance(of, int) else sizes.setdefault(of, size))
            for of, size in zip(shape, found, strict=True)
        ):
            wanted = " x ".join(str(sizes.get(of, of)) for of in shape)
            given = " x ".join(map(str, found)) or "one number"
            raise SleuthError(f"weights {name!r}: {part}{key} is {given}, not {wanted}")
