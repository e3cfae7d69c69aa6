"""Policies of POMDPs as alpha vectors, which are a graph too: what to do, and where to go on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from sleuth.planning.control import Weights
from sleuth.planning.pomdps.pomdp import Places
from sleuth.support import json_files
from sleuth.support.errors import SleuthError
from sleuth.support.indices import checked_belief

_KIND, _VERSION = "sleuth-pomdp-policy", 1


@dataclass(frozen=True)
class AlphaVector:
    """A plan for beliefs in some states: an action, and a vector to go on with for each observation.

    Attributes:
        action: the number of the action.
        states: numbers of the states that it speaks of; play is in one of them.
        values: what the plan is worth at least from each on.
        then: the number of the next vector by the number of the observation.

    """

    action: int
    states: tuple[int, ...]
    values: tuple[float, ...]
    then: dict[int, int]

    def __repr__(self) -> str:
        return f"<AlphaVector: action {self.action}, over {len(self.states)} states>"


@dataclass(frozen=True)
class AlphaVectors:
    """A policy: of the vectors that speak of all states possible, the one worth most under the belief.

    Attributes:
        states, actions, observations: names, as in the POMDP.
        vectors: the plans.

    """

    states: tuple[str, ...]
    actions: tuple[str, ...]
    observations: tuple[str, ...]
    vectors: tuple[AlphaVector, ...]

    def __repr__(self) -> str:
        return f"<AlphaVectors: {len(self.vectors)} vectors over {len(self.states)} states>"

    def best(self, belief: Weights) -> tuple[int, float]:
        """Return the number of the best vector of a belief, float64 [states], and what it is worth at least.

        Raises SleuthError for what is no belief, and where no vector speaks of all states that are possible.
        """
        belief = checked_belief(belief, len(self.states))
        possible = set(np.flatnonzero(belief).tolist())
        found = (-1, -np.inf)
        for number, (inside, states, values) in enumerate(self._arrays):
            if possible <= inside:
                value = float(belief[states] @ values)
                if value > found[1]:
                    found = number, value
        if found[0] < 0:
            raise SleuthError("the policy does not know this belief: play by it does not come to it")
        return found

    @cached_property
    def _arrays(self) -> list[tuple[frozenset[int], Places, Weights]]:
        return [
            (frozenset(of.states), np.array(of.states, np.int64), np.array(of.values)) for of in self.vectors
        ]

    def choose(self, belief: Weights) -> str:
        """Return the name of the action for a belief. Raises SleuthError as best() does."""
        return self.actions[self.vectors[self.best(belief)[0]].action]

    def save(self, path: Path | str) -> None:
        """Write the policy to a file of JSON. Raises SleuthError where that cannot be done."""
        json_files.save(path, _KIND, _VERSION, self._to_json())

    @staticmethod
    def read(path: Path | str) -> AlphaVectors:
        """Return the policy of a file. Raises SleuthError where it is none."""
        return json_files.read(path, _KIND, _VERSION, _from_json, AlphaVectors._to_json)

    def _to_json(self) -> dict[str, Any]:
        return {
            "states": list(self.states),
            "actions": list(self.actions),
            "observations": list(self.observations),
            "vectors": [
                {
                    "action": vector.action,
                    "states": list(vector.states),
                    "values": list(vector.values),
                    "then": {str(seen): number for seen, number in vector.then.items()},
                }
                for vector in self.vectors
            ],
        }


def _from_json(data: dict[str, Any]) -> AlphaVectors:
    vectors = tuple(
        AlphaVector(
            row["action"],
            tuple(row["states"]),
            tuple(row["values"]),
            {int(seen): number for seen, number in row["then"].items()},
        )
        for row in data["vectors"]
    )
    return AlphaVectors(tuple(data["states"]), tuple(data["actions"]), tuple(data["observations"]), vectors)
