"""All fleets of Battleship, and how many shots a hunt takes for them."""

from typing import Any

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.drawn.ships import bits_set
from sleuth.kernels.jit import kernel

OWN, HALO, SUNK, LAST, LATER = range(5)
"""Sets of cells of a placement.

Its own; with all that they touch; with all that is shot at until it is known to be sunk; with what of it is
shot at before the last hit; and what they touch, as far as the order of the hunt has it after the first hit.
"""


@kernel
def hunted(first: Int, starts: Array, sets: Array, ranks: Array, prefix: Array, met: Array) -> Any:
    """Return how many fleets have a placement as their first ship, and the shots of a hunt for all of them.

    starts: int64 [ships + 1], as in ships.py. sets: int64 [placements, 5, 2], two words each. ranks: int64
    [placements], the place in the order of the hunt at which it is hit. prefix: int64 [cells, 2], the cells
    up to each place. met: int64 [placements], to which is added how many fleets have each.
    """
    ships = starts.size - 1
    at = np.zeros(ships, np.int64)
    taken = np.zeros((ships, 2), np.int64)
    fleets, shots, depth = 0, 0, 0
    at[0] = first - 1
    while depth >= 0:
        at[depth] += 1
        ship = at[depth]
        if ship == (starts[depth + 1] if depth else first + 1):
            depth -= 1
            continue
        if sets[ship, OWN, 0] & taken[depth, 0] or sets[ship, OWN, 1] & taken[depth, 1]:
            continue
        if depth < ships - 1:
            depth += 1
            taken[depth, 0] = taken[depth - 1, 0] | sets[ship, HALO, 0]
            taken[depth, 1] = taken[depth - 1, 1] | sets[ship, HALO, 1]
            at[depth] = starts[depth] - 1
            continue
        last = at[0]
        for ship in at:
            met[ship] += 1
            if ranks[ship] > ranks[last]:
                last = ship
        low = high = water_low = water_high = np.int64(0)
        for ship in at:
            kind = LAST if ship == last else SUNK
            low |= sets[ship, kind, 0]
            high |= sets[ship, kind, 1]
            water_low |= sets[ship, LATER, 0]
            water_high |= sets[ship, LATER, 1]
        low |= prefix[ranks[last], 0] & ~water_low
        high |= prefix[ranks[last], 1] & ~water_high
        shots += bits_set(low) + bits_set(high)
        fleets += 1
    return fleets, shots
