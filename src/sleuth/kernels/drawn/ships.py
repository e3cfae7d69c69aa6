"""Battleship (Silver and Veness 2010) as a problem to draw from; see problem.py for what each part is.

Sets of cells are two words: cell c is bit c % 62 of word c // 62. A state is int64 [ships + 4]: the
placement of each ship, the cells of all, and the cells that were shot at. numbers: int64, the width, the
number of cells, that of ships, the first placement of each ship and the end of the last, and of each
placement seven: its first cell, the step to the next, its length, its cells, and they with all that they
touch. Notes are float64 [cells], see below.
"""

from typing import Any

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.draws import uniform
from sleuth.kernels.jit import inlined, inner

BITS = 62
"""Of a word."""
PARTS = 7
"""Numbers of a placement."""
MISS, HIT = range(2)
"""Observations."""
SHOT, SUNK = -1.0, 100.0
_CELL, _STEP, _LENGTH, _CELLS, _HALO = 0, 1, 2, 3, 5
# Notes of cells: next to a hit; where a hit shows that there is water; shot at. 0: nothing is known.
_NEXT, _WATER, _MISSED, _STRUCK = 1.0, -1.0, -2.0, -3.0
# How often a place is looked for that is not known to be water.
_TRIES = 200


@inlined
def _row(placement: Int, numbers: Array) -> Any:
    """Return where the numbers of a placement begin."""
    return 4 + numbers[2] + PARTS * placement


@inlined
def _has(low: Int, high: Int, cell: Int) -> Any:
    """Say whether a cell is in a set."""
    return low >> cell & 1 if cell < BITS else high >> (cell - BITS) & 1


@inner
def _touch(ship: Int, other: Int, numbers: Array) -> Any:
    """Say whether two placements lie side by side or upon each other."""
    one, two = _row(ship, numbers), _row(other, numbers)
    return (
        numbers[one + _HALO] & numbers[two + _CELLS] or numbers[one + _HALO + 1] & numbers[two + _CELLS + 1]
    )


@inner
def _placed(ship: Int, numbers: Array, rng: Array) -> Any:
    """Return a placement of a ship, drawn."""
    begin, end = numbers[3 + ship], numbers[4 + ship]
    return begin + np.int64((end - begin) * uniform(rng))


@inner
def _occupy(state: Array, numbers: Array) -> None:
    """Write the cells of all ships."""
    ships = numbers[2]
    state[ships], state[ships + 1] = 0, 0
    for ship in range(ships):
        row = _row(state[ship], numbers)
        state[ships] |= numbers[row + _CELLS]
        state[ships + 1] |= numbers[row + _CELLS + 1]


@inner
def ships_first(state: Array, numbers: Array, rng: Array) -> None:
    """Draw a first state: all placements are as likely."""
    ships = numbers[2]
    placed = 0
    while placed < ships:
        placed = 0
        for ship in range(ships):
            state[ship] = _placed(ship, numbers, rng)
        for ship in range(ships):
            for other in range(ship):
                if _touch(state[ship], state[other], numbers):
                    break
            else:
                placed += 1
    _occupy(state, numbers)
    state[ships + 2], state[ships + 3] = 0, 0


@inner
def _may_lie(placement: Int, notes: Array, numbers: Array) -> Any:
    """Say whether there is no water where a placement has cells, as far as notes tell."""
    row = _row(placement, numbers)
    cell = numbers[row + _CELL]
    for _ in range(numbers[row + _LENGTH]):
        if notes[cell] == _MISSED or notes[cell] == _WATER:
            return False
        cell += numbers[row + _STEP]
    return True


@inner
def ships_nudge(state: Array, notes: Array, numbers: Array, rng: Array) -> Any:
    """Put one ship or two anywhere that is not known to be water."""
    ships = numbers[2]
    for _ in range(2 if uniform(rng) < 0.5 else 1):
        ship: Int = np.int64(ships * uniform(rng))
        state[ship] = _placed(ship, numbers, rng)
        tries = 1
        while not _may_lie(state[ship], notes, numbers):
            if tries == _TRIES:
                return False
            state[ship] = _placed(ship, numbers, rng)
            tries += 1
    for ship in range(ships):
        for other in range(ship):
            if _touch(state[ship], state[other], numbers):
                return False
    _occupy(state, numbers)
    return True


@inlined
def ships_move(state: Array, action: Int, numbers: Array) -> Any:
    """Shoot at a cell; return the reward, and whether play is over."""
    ships = numbers[2]
    if action < BITS:
        state[ships + 2] |= np.int64(1) << action
    else:
        state[ships + 3] |= np.int64(1) << (action - BITS)
    if state[ships] & ~state[ships + 2] or state[ships + 1] & ~state[ships + 3]:
        return SHOT, False
    return SHOT + SUNK, True


@inlined
def ships_likely(state: Array, action: Int, observation: Int, numbers: Array) -> Any:
    """Return 1 where an observation is what there is, else 0."""
    hit = _has(state[numbers[2]], state[numbers[2] + 1], action)
    return 1.0 if hit == (observation == HIT) else 0.0


@inlined
def ships_note(notes: Array, action: Int, observation: Int, numbers: Array) -> None:
    """Add what a shot tells of cells."""
    notes[action] = _STRUCK if observation == HIT else _MISSED
    if observation == MISS:
        return
    width = numbers[0]
    x, y = action % width, action // width
    for down in range(max(y - 1, 0), min(y + 2, numbers[1] // width)):
        for right in range(max(x - 1, 0), min(x + 2, width)):
            if right != x and down != y:
                notes[down * width + right] = min(notes[down * width + right], _WATER)
            elif notes[down * width + right] == 0.0:
                notes[down * width + right] = _NEXT


@inner
def ships_legal(state: Array, numbers: Array, options: Array) -> Any:
    """Fill in the cells that were not shot at."""
    low, high, count = state[numbers[2] + 2], state[numbers[2] + 3], 0
    for cell in range(numbers[1]):
        if not _has(low, high, cell):
            options[count] = cell
            count += 1
    return count


@inner
def ships_preferred(notes: Array, options: Array) -> Any:
    """Fill in the cells next to hits; where there are none, those that may hold a ship."""
    best, count = _WATER, 0
    for cell in range(notes.size):
        if notes[cell] < best:
            continue
        if notes[cell] > best:
            best, count = notes[cell], 0
        options[count] = cell
        count += 1
    return count


@inner
def ships_useful(states: Array, begin: Int, count: Int, numbers: Array, options: Array) -> Any:
    """Fill in the cells that a ship is in, of some state: a shot elsewhere costs one and tells nothing."""
    ships, low, high, found = numbers[2], np.int64(0), np.int64(0), 0
    for i in range(begin, begin + count):
        low |= states[i, ships]
        high |= states[i, ships + 1]
    low &= ~states[begin, ships + 2]
    high &= ~states[begin, ships + 3]
    for cell in range(numbers[1]):
        if _has(low, high, cell):
            options[found] = cell
            found += 1
    return found


@inlined
def bits_set(word: Int) -> Any:
    """Return how many bits of a word below 2**62 are set."""
    word -= word >> 1 & 0x5555555555555555
    word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333)
    word = word + (word >> 4) & 0x0F0F0F0F0F0F0F0F
    return (word * 0x0101010101010101 >> 56) & 0xFF


@inner
def _left(states: Array, i: Int, numbers: Array) -> Any:
    """Return how many cells of ships were not hit yet."""
    ships = numbers[2]
    low, high = states[i, ships] & ~states[i, ships + 2], states[i, ships + 1] & ~states[i, ships + 3]
    return bits_set(low) + bits_set(high)


@inner
def ships_at_most(states: Array, begin: Int, numbers: Array, most: Array) -> None:
    """Fill in what who sees the ships gets, of states from one on."""
    for i in range(most.size):
        most[i] = SUNK + SHOT * _left(states, begin + i, numbers)


@inner
def _sink(
    states: Array,
    i: Int,
    ship: Int,
    cell: Int,
    low: Int,
    high: Int,
    shots: Int,
    left: Int,
    numbers: Array,
) -> Any:
    """Sink a ship that was hit in a cell; return the shots by then, and how many cells are left.

    Shots go on from the hit to both sides in its row, then, if that was no ship's, to both in its column,
    until there is water. It ends where no cell is left. low, high: the set of cells not to shoot at.
    """
    width, cells, ships = numbers[0], numbers[1], numbers[2]
    row = _row(states[i, ship], numbers)
    begin, length = numbers[row + _CELL], numbers[row + _LENGTH]
    end = begin + (length - 1) * numbers[row + _STEP]
    before = after = 0
    for k in range(length):
        at = begin + k * numbers[row + _STEP]
        if at != cell and not _has(states[i, ships + 2], states[i, ships + 3], at):
            if at > cell:
                after += 1
            else:
                before += 1
    left_edge, right_edge = begin % width == 0, end % width == width - 1
    along = length > 1 and numbers[row + _STEP] == 1
    if not along and left:
        shots += not right_edge and not _has(low, high, cell + 1)
        shots += not left_edge and not _has(low, high, cell - 1)
    step: Int = 1 if along else width
    shots, left = shots + after, left - after
    if left and not (right_edge if along else end + step >= cells):
        shots += not _has(low, high, end + step)
    shots, left = shots + before, left - before
    if left and not (left_edge if along else begin - step < 0):
        shots += not _has(low, high, begin - step)
    return shots, left


@inner
def ships_by_default(
    states: Array, begin: Int, count: Int, left: Int, numbers: Array, scratch: Array, worths: Array
) -> Any:
    """Return what a hunt brings on average, and its first shot.

    Shots go to the cells that ships are in in most of the states, and a ship that is hit is sunk at once.
    What is next to a ship is water, and so is a cell that no state has a ship in. Overwritten:
    scratch, int64 [4 * cells + 2 + ships], and worths, float64 [cells].
    """
    cells, ships = numbers[1], numbers[2]
    order, rank = scratch[:cells], scratch[cells : 2 * cells]
    prefix, ranks = scratch[2 * cells : 4 * cells + 2], scratch[4 * cells + 2 :]
    worths[:cells] = 0.0
    for i in range(begin, begin + count):
        for ship in range(ships):
            row = _row(states[i, ship], numbers)
            cell = numbers[row + _CELL]
            for _ in range(numbers[row + _LENGTH]):
                worths[cell] += 1.0
                cell += numbers[row + _STEP]
    shot_low, shot_high, some = states[begin, ships + 2], states[begin, ships + 3], 0
    for cell in range(cells):
        if worths[cell] > 0 and not _has(shot_low, shot_high, cell):
            place = some
            while place and worths[order[place - 1]] < worths[cell]:
                order[place] = order[place - 1]
                place -= 1
            order[place] = cell
            some += 1
    prefix[0], prefix[1] = 0, 0
    for place in range(some):
        cell = order[place]
        rank[cell] = place
        prefix[2 * place + 2], prefix[2 * place + 3] = prefix[2 * place], prefix[2 * place + 1]
        prefix[2 * place + 2 + cell // BITS] |= np.int64(1) << cell % BITS
    whole = (np.int64(1) << BITS) - 1
    sea_low, sea_high = whole & ~prefix[2 * some], whole & ~prefix[2 * some + 1]
    total = 0.0
    for i in range(begin, begin + count):
        low, high, shots, hits = sea_low, sea_high, 0, _left(states, i, numbers)
        for ship in range(ships):
            row = _row(states[i, ship], numbers)
            ranks[ship] = cells
            cell = numbers[row + _CELL]
            for _ in range(numbers[row + _LENGTH]):
                if not _has(shot_low, shot_high, cell):
                    ranks[ship] = min(ranks[ship], rank[cell])
                cell += numbers[row + _STEP]
        while hits:
            ship = 0
            for other in range(1, ships):
                if ranks[other] < ranks[ship]:
                    ship = other
            place = ranks[ship]
            ranks[ship] = cells
            new_low, new_high = prefix[2 * place] & ~low, prefix[2 * place + 1] & ~high
            shots += bits_set(new_low) + bits_set(new_high) + 1
            low, high = low | prefix[2 * place + 2], high | prefix[2 * place + 3]
            hits -= 1
            shots, hits = _sink(states, i, ship, order[place], low, high, shots, hits, numbers)
            row = _row(states[i, ship], numbers)
            low, high = low | numbers[row + _HALO], high | numbers[row + _HALO + 1]
        total += SHOT * shots + SUNK if shots <= left else SHOT * left
    return total / count, order[0]
