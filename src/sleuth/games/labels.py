"""Feedback as kernels take it where a game has more kinds than two bytes hold, as with words of 11 letters.

A guess gets no more kinds of feedback than there are answers, and kernels never compare the codes of two
guesses. So the codes of each guess are numbered anew; such numbers are labels. What is kept, shown and handed
around is the code; labels are for kernels alone.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth.games.codes import Codes
from sleuth.support.errors import SleuthError
from sleuth.support.parallel import even_slices, map_threads, thread_count

MOST_LABELS = 2**16
"""The most labels of a guess, and kinds of feedback of a game that needs none."""


@dataclass(frozen=True)
class Labels:
    """The codes of every guess, numbered in their order, and the code of a right guess last.

    Attributes:
        labels: uint8 or uint16 [guesses, words].
        codes: uint32 [guesses, labels]: the code of each label of a guess; that of a right guess where there
            is no more.

    """

    labels: Codes
    codes: NDArray[np.uint32]

    @classmethod
    def of(cls, codes: Codes, solved: int) -> "Labels":
        """Return the labels of codes, [guesses, words]. solved: the code of a right guess.

        Raises SleuthError for a guess of more kinds of feedback than there may be labels.
        """
        labels = np.empty(codes.shape, np.uint16)
        kinds: list[NDArray[Any]] = [codes[0, :0]] * len(codes)

        def some(rows: slice) -> None:
            for guess in range(rows.start, rows.stop):
                found, at = np.unique(codes[guess], return_inverse=True)
                right = found == solved
                # Those after a right guess move up, and it goes to the end.
                place = np.where(right, MOST_LABELS - 1, np.cumsum(~right) - 1)
                kinds[guess] = found[~right]
                if len(kinds[guess]) < MOST_LABELS:
                    labels[guess] = place[at]

        map_threads(some, even_slices(np.ones(len(codes), np.int64), 4 * thread_count()))
        most = max(map(len, kinds)) + 1
        if most > MOST_LABELS:
            raise SleuthError(f"a guess may get {MOST_LABELS} kinds of feedback at most, not {most}")
        known = np.full((len(codes), most), solved, np.uint32)
        for row, found in zip(known, kinds, strict=True):
            row[: len(found)] = found
        np.minimum(labels, most - 1, out=labels)
        return cls(labels.astype(np.uint8) if most <= 2**8 else labels, known)
