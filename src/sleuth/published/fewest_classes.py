"""GEP as the code of Bhambri et al. (2022) plays it: it minimises what the definition maximises."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sleuth.games.frontier import Frontier, Indices
from sleuth.games.rules import letters_of
from sleuth.games.strategy import BatchStrategy


@dataclass(frozen=True)
class FewestClasses(BatchStrategy):
    """The guess that splits the candidates into the fewest classes; a candidate among equals, then the list.

    The code sorts the numbers of classes and takes the first, as it does with the sums of MRD. What keeps it
    from guessing words that tell nothing is that a guess must share a letter with some candidate, and that in
    strict mode it is out of the running afterwards. For Wordle in strict mode.
    """

    name: ClassVar[str] = "fewest-classes"

    def best(self, frontier: Frontier, k: int) -> Indices:
        out = np.full((len(frontier), k), -1, np.int32)
        for s, (own, words, counts) in enumerate(class_counts(frontier)):
            best = words[np.lexsort((words, ~np.isin(words, own), counts))][:k]
            out[s, : len(best)] = best
        return out


@dataclass(frozen=True)
class MisplacedFewestClasses(BatchStrategy):
    """The words that their rollout considers when its base is FewestClasses.

    The code counts the classes of the candidates, sorts the counts, and uses the places in the list of
    candidates as places in the list of legal words.
    """

    name: ClassVar[str] = "misplaced-fewest-classes"

    def best(self, frontier: Frontier, k: int) -> Indices:
        out = np.full((len(frontier), k), -1, np.int32)
        for s, (own, words, counts) in enumerate(class_counts(frontier)):
            of_candidates = counts[np.searchsorted(words, own)]
            best = words[np.argsort(of_candidates, kind="stable")][:k]
            out[s, : len(best)] = best
        return out


def class_counts(frontier: Frontier) -> Iterator[tuple[Indices, Indices, NDArray[np.int64]]]:
    """Yield for each set its candidates as guesses, the words that may be guessed, and their classes."""
    game = frontier.game
    alphabet, (letters,) = letters_of(game.guesses)
    has = np.zeros((len(game.guesses), alphabet), bool)
    np.put_along_axis(has, letters, True, axis=1)
    for position in frontier.positions():
        own = game.answer_guess[position.candidates]
        # A set of one answer may have an empty list of legal words: its guess is forced.
        words = own if len(own) == 1 or position.legal is None else position.legal
        words = words[(has[words] & has[own].any(0)).any(1)]
        codes = np.sort(game.feedback[np.ix_(words, position.candidates)], axis=1)
        yield own, words, 1 + np.count_nonzero(codes[:, 1:] != codes[:, :-1], axis=1)
