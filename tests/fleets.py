"""Ships on small seas by plain sets of cells: cell x + size * y of the sea of size x size."""

from collections.abc import Iterable, Sequence


def around(ship: Iterable[int], size: int) -> set[int]:
    """Return the cells of a ship and all that they touch."""
    return {
        x + size * y
        for cell in ship
        for x in range(cell % size - 1, cell % size + 2)
        for y in range(cell // size - 1, cell // size + 2)
        if 0 <= x < size and 0 <= y < size
    }


def fleets(size: int, lengths: Sequence[int]) -> list[list[set[int]]]:
    """Return all ways to place ships that do not touch."""
    found: list[list[set[int]]] = [[]]
    for length in lengths:
        lines = [
            {x + dx * i + size * (y + dy * i) for i in range(length)}
            for dx, dy in ((1, 0), (0, 1))[: 1 + (length > 1)]
            for x in range(size - dx * (length - 1))
            for y in range(size - dy * (length - 1))
        ]
        found = [
            [*ships, line]
            for ships in found
            for line in lines
            if not any(around(other, size) & line for other in ships)
        ]
    return found
