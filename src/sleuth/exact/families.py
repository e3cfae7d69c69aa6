"""Openers that share letters at the same places, so that what is counted for one of them serves the others.

The letters of a word at some places, the others blank, get feedback like a guess. A class of the word lies
within a class of this coarser feedback.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sleuth.games.game import Game
from sleuth.games.rules import WordleRules

BLANK = "\0"
"""A letter that no word has."""
COARSE, FINE = 2, 3
"""Letters that openers share where little, and where more, is counted for all of them at once."""
ENOUGH = 3
"""Fewer openers are not worth it to count for them at once."""
_BATCH, _FAMILY = 16, 256


def families(words: Sequence[str], letters: int, within: str = "") -> Iterator[tuple[str, list[int]]]:
    """Yield patterns of so many letters and the words that have them, by index, each word once.

    The patterns that most words have come first: what one costs is shared by all. within: a pattern of fewer
    letters that all words have, and so all patterns.

    >>> [(pattern.replace(BLANK, "."), found) for pattern, found in families(["crane", "brand", "brine"], 3)]
    [('.r.ne', [0, 2]), ('..and', [1])]
    """
    having: dict[str, list[int]] = defaultdict(list)
    kept = [at for at, letter in enumerate(within) if letter != BLANK]
    for i, word in enumerate(words):
        free = [at for at in range(len(word)) if at not in kept]
        for some in combinations(free, min(letters - len(kept), len(free))):
            places = {*kept, *some}
            having["".join(c if at in places else BLANK for at, c in enumerate(word))].append(i)
    heap = [(-len(found), pattern) for pattern, found in having.items()]
    heapq.heapify(heap)
    taken = [False] * len(words)
    while heap:
        size, pattern = heapq.heappop(heap)
        left = [i for i in having[pattern] if not taken[i]]
        if len(left) == -size:
            yield pattern, left
            for i in left:
                taken[i] = True
        elif left:
            heapq.heappush(heap, (-len(left), pattern))


def batches(game: Game, guesses: NDArray[np.int32]) -> Iterator[NDArray[np.int64]]:
    """Yield the places of guesses that are bounded together, int64: those that share letters, if words do."""
    if isinstance(game.rules, WordleRules):
        together, most = [some for _, some in families([game.guesses[g] for g in guesses], COARSE)], _FAMILY
    else:
        together, most = [list(range(len(guesses)))], _BATCH
    for some in together:
        yield from (np.array(some[begin : begin + most]) for begin in range(0, len(some), most))
