"""What a host who keeps the largest class answers to every guess."""

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.jit import kernel


@kernel
def replies(by_answer: Array, rows: Array, guesses: Array, rank: Array, solved: Int) -> tuple[Array, Array]:
    """Return the size of the class that the host keeps for each guess, and its code, both int32 [guesses].

    by_answer: codes [answers, guesses]. rows: int32, the candidates. guesses: int32. rank: int32 [codes],
    among classes of equal size the least is kept. solved: the code of a right guess, kept only where there is
    no other.
    """
    n = guesses.size
    sizes = np.zeros(n, np.int32)
    codes = np.full(n, solved, np.int32)
    counts = np.zeros(rank.size, np.int32)
    for j in range(n):
        g = guesses[j]
        for r in rows:
            counts[by_answer[r, g]] += 1
        most = 0
        kept = np.int64(solved)
        for r in rows:
            code = np.int64(by_answer[r, g])
            count = counts[code]
            counts[code] = 0
            if code == solved or count == 0:
                continue
            if count > most or (count == most and rank[code] < rank[kept]):
                most = count
                kept = code
        codes[j] = kept
        sizes[j] = most
    return sizes, codes
