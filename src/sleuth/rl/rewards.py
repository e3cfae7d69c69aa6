"""Document 003's rewards: what a guess is worth on average over the answers that are still possible."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sleuth.frontier import Children, Frontier, Indices


def rewards(
    frontier: Frontier,
    guesses: Indices,
    children: Children,
    targets: int,
    bonus: float,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Return what a guess in each set is worth, float64 [sets].

    guesses: int32 [sets], children: frontier.after(guesses). The reward for one possible target is the
    information gained, log2 of how many times fewer candidates are left, as a share of log2 of all answers,
    and the bonus where the target is guessed right. It is averaged over so many targets drawn from the set,
    or over all of the set where it has no more.
    """
    game, sizes = frontier.game, frontier.sizes[:, None]
    classes = class_sizes(frontier, children)
    drawn = np.floor(rng.random((len(frontier), targets)) * sizes).astype(np.int64)
    codes = game.feedback[guesses[:, None], frontier.candidates[frontier.starts[:-1, None] + drawn]]
    left = np.take_along_axis(classes, codes.astype(np.int64), 1)
    bits = np.where(sizes <= targets, _expected(sizes, classes), np.log2(sizes / left).mean(1, keepdims=True))
    right = (children.right[:, None] >= 0) / sizes
    chance = np.where(sizes <= targets, right, (codes == game.solved).mean(1, keepdims=True))
    worth: NDArray[np.float64] = (bits / np.log2(max(2, len(game.answers))) + bonus * chance)[:, 0]
    return worth


def class_sizes(frontier: Frontier, children: Children) -> NDArray[np.int64]:
    """Return how many answers of each set get each code, int64 [sets, codes]."""
    game, n_codes = frontier.game, frontier.game.rules.n_codes
    classes = np.zeros((len(frontier), n_codes), np.int64)
    classes[children.parent, children.codes] = children.frontier.sizes
    classes[:, game.solved] = children.right >= 0
    return classes


def _expected(sizes: NDArray[np.int64], classes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the expected information in bits, float64 [sets, 1]."""
    gained = classes * np.log2(sizes / np.maximum(classes, 1))
    bits: NDArray[np.float64] = gained.sum(1, keepdims=True) / sizes
    return bits
