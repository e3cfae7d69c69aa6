"""What rollouts of RockSample prefer (after Silver and Veness 2010): good rocks, and the way out."""

from __future__ import annotations

from ast import literal_eval
from math import log

import numpy as np

from sleuth.planning.control import Weights
from sleuth.planning.pomdps.modelled import ModelledPomdp, check_modelled
from sleuth.planning.pomdps.pomcp import Preference
from sleuth.planning.problems.rock_layouts import Cell, accuracy, layout
from sleuth.support.errors import SleuthError
from sleuth.support.ranges import check_number

# The log odds of a rock that was sampled: it is bad, whatever is heard of it later.
_BAD = -1e6
_LEAST = 1e-12


def rock_preference(
    modelled: ModelledPomdp, n: int, k: int, half_distance: float = 20.0, seed: int = 0
) -> Preference:
    """Return the preference for rocksample_pomdp(n, k, half_distance, seed), laid out.

    Goals are rocks, and scores the log odds that they are good, which Bayes' rule brings on along a
    simulation (Silver and Veness count checks). Rollouts go to rocks with odds above one, sample them, and go
    east. Samples without a rock and steps against a wall are left out of the tree. Raises SleuthError for
    another problem.
    """
    check_modelled(modelled)
    check_number("n", n, least=1, whole=True)
    check_number("k", k, least=1, most=n * n, whole=True)
    check_number("half_distance", half_distance, above=0)
    rocks = layout(n, k, seed)
    pomdp, parts = modelled.pomdp, modelled.parts
    cells = [_state(pomdp.states[int(states[0])])[0] for states in parts.members]
    of = np.repeat(np.arange(len(cells)), np.diff(parts.layout.choice)).tolist()
    base = np.zeros(len(of))
    serves = np.zeros((len(of), k))
    evidence = np.zeros((len(parts.layout.to), k))
    for choice, (part, action) in enumerate(zip(of, parts.actions.tolist(), strict=True)):
        cell, name = cells[part], pomdp.actions[action]
        ways = range(parts.layout.way[choice], parts.layout.way[choice + 1])
        if cell is None:
            base[choice] = 1.0
        elif name == "sample":
            base[choice] = 0.0 if cell in rocks else -1.0
            if cell in rocks:
                serves[choice, rocks.index(cell)] = 1.0
                evidence[ways, rocks.index(cell)] = _BAD
        elif name.startswith("check"):
            rock = int(name.removeprefix("check-"))
            right = min(accuracy(cell, rocks[rock], half_distance), 1 - _LEAST)
            odds = log(right / (1 - right))
            for way in ways:
                told = pomdp.observations[parts.seen[way]]
                evidence[way, rock] = odds if told == "good" else -odds
        else:
            base[choice] = _base(cell, name, n)
            serves[choice] = [_leads(cell, name, rock) for rock in rocks]

    def scores(part: int, belief: Weights) -> Weights:
        masks = np.array([_state(pomdp.states[number])[1] for number in parts.members[part].tolist()])
        good = np.array([belief[masks >> rock & 1 == 1].sum() for rock in range(k)])
        odds: Weights = np.log(np.maximum(good, _LEAST) / np.maximum(1 - good, _LEAST))
        return odds

    return Preference(base, serves, evidence, scores)


def _state(name: str) -> tuple[Cell | None, int]:
    """Return the cell, None where play is over, and the mask of good rocks."""
    try:
        cell, mask = literal_eval(name)
    except (ValueError, SyntaxError, TypeError):
        raise SleuthError(
            f"{name!r} is no state of RockSample, and the preference is for rocksample_pomdp"
        ) from None
    return None if cell == "out" else cell, mask


def _base(cell: Cell, name: str, n: int) -> float:
    """Return how likely a rollout goes there without a rock in mind; below zero where there is a wall."""
    if name == "east":
        return 1.0
    wall = {"west": cell[0] == 0, "south": cell[1] == 0, "north": cell[1] == n - 1}
    return -1.0 if wall[name] else 0.0


def _leads(cell: Cell, name: str, rock: Cell) -> float:
    """Return 1 where a step leads to a rock, else 0."""
    (x, y), (at, high) = cell, rock
    return float({"north": high > y, "south": high < y, "east": at > x, "west": at < x}[name])
