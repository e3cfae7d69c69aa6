"""What a host who keeps the largest class answers to every guess."""

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.codes import gather
from sleuth.kernels.jit import kernel


@kernel
def replies(
    by_answer: Array, wide: bool, rows: Array, guesses: Array, rank: Array, solved: Int
) -> tuple[Array, Array]:
    """Return the size of the class that the host keeps for each guess, and its code, both int32 [guesses].

    by_answer: codes [answers, guesses], as bytes. rows: int32, the candidates. guesses: int32. rank: int32
    [1 or guesses, codes], among classes of equal size the least is kept. solved: the code of a right guess,
    kept only where there is no other.
    """
    n = guesses.size
    sizes = np.zeros(n, np.int32)
    codes = np.full(n, solved, np.int32)
    counts = np.zeros(rank.shape[1], np.int32)
    flat, per_answer = by_answer.ravel(), by_answer.shape[1] // (2 if wide else 1)
    got = np.empty(rows.size, np.uint16)
    for j in range(n):
        gather(flat, wide, guesses[j], per_answer, rows, got)
        for i in range(rows.size):
            counts[got[i]] += 1
        most = 0
        kept = np.int64(solved)
        order = rank[guesses[j] if rank.shape[0] > 1 else 0]
        for i in range(rows.size):
            code = np.int64(got[i])
            count = counts[code]
            counts[code] = 0
            if code == solved or count == 0:
                continue
            if count > most or (count == most and order[code] < order[kept]):
                most = count
                kept = code
        codes[j] = kept
        sizes[j] = most
    return sizes, codes
