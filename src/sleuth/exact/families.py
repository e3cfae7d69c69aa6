"""Openers that share letters at the same places, so that what is counted for one of them serves the others.

The letters of a word at some places, the others blank, get feedback like a guess. A class of the word lies
within a class of this coarser feedback.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sleuth.games.game import Game
from sleuth.games.labels import MOST_LABELS
from sleuth.games.rules import WordleRules

if TYPE_CHECKING:
    from sleuth.kernels.search.parts import Parts
    from sleuth.kernels.search.records import Search, View

BLANK = "\0"
"""A letter that no word has."""
# Letters that openers share where little, and where more, is counted for all of them at once.
_COARSE, _FINE = 2, 3
# Fewer openers are not worth it to count for them at once.
_ENOUGH = 3
# What guesses gain on parts of all answers is counted if it may be such a share of the most that one gains.
_SHARE = 0.5
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
        together, most = [some for _, some in families([game.guesses[g] for g in guesses], _COARSE)], _FAMILY
    else:
        together, most = [list(range(len(guesses)))], _BATCH
    for some in together:
        yield from (np.array(some[begin : begin + most]) for begin in range(0, len(some), most))


def shared_parts(
    game: Game,
    search: Search,
    view: View,
    by_guess: NDArray[np.uint8],
    rows: NDArray[np.int32],
    guesses: NDArray[np.int32],
) -> Iterator[tuple[Parts, list[int]]]:
    """Yield parts of a set of rows that serve several guesses, and the places of these among those given.

    by_guess: view.codes transposed. Given no guesses, it yields parts all the same, by every kernel it takes.
    """
    from sleuth.kernels.search.parts import refined, whole

    parts = whole(view)
    if not len(guesses):
        labels = np.zeros(len(view.answers), np.uint16)
        yield refined(search, view, by_guess, rows[:0], labels, parts, _SHARE), []
        return
    rules = game.rules
    if not isinstance(rules, WordleRules) or by_guess.shape[1] > len(view.answers):  # codes of two bytes
        yield parts, list(range(len(guesses)))
        return
    answers = [game.answers[a] for a in view.answers]

    def within(outer: Parts, pattern: str, words: list[int]) -> Parts:
        if len(words) < _ENOUGH:
            return outer
        codes = rules.codes([pattern], answers)[0]
        # There are no more kinds than a word of the family gets.
        labels = codes if rules.n_codes <= MOST_LABELS else np.unique(codes, return_inverse=True)[1]
        labels = labels.astype(np.uint16)
        return refined(search, view, by_guess, rows, labels, outer, _SHARE)

    for pattern, family in families([game.guesses[g] for g in guesses], _COARSE):
        outer = within(parts, pattern, family)
        words = [game.guesses[guesses[i]] for i in family]
        for finer, some in families(words, _FINE, pattern):
            yield within(outer, finer, some), [family[i] for i in some]
