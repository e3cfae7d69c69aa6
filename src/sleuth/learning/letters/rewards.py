"""Weaver's rewards: what a guess is worth on average over the answers that are still possible."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sleuth.games.frontier import Children, Frontier, Indices


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
    game, sizes, left = frontier.game, frontier.sizes, children.frontier.sizes
    # The class of a right guess has one answer, whose log is zero.
    bits = np.log2(sizes) - np.bincount(children.parent, left * np.log2(left), len(sizes)) / sizes
    chance = (children.right >= 0) / sizes
    large = np.flatnonzero(sizes > targets)
    if len(large):
        place = np.full(len(sizes), -1)
        place[large] = np.arange(len(large))
        below = place[children.parent]
        classes = np.ones((len(large), game.rules.n_codes), np.int64)
        classes[below[below >= 0], children.codes[below >= 0]] = left[below >= 0]
        many = sizes[large, None]
        drawn = np.floor(rng.random((len(large), targets)) * many).astype(np.int64)
        members = frontier.candidates[frontier.starts[large, None] + drawn]
        codes = game.feedback[guesses[large, None], members]
        agreeing = np.take_along_axis(classes, codes.astype(np.int64), 1)
        bits[large] = np.log2(many / agreeing).mean(1)
        chance[large] = (codes == game.solved).mean(1)
    worth: NDArray[np.float64] = bits / np.log2(max(2, len(game.answers))) + bonus * chance
    return worth


def all_rewards(frontier: Frontier, bonus: float) -> NDArray[np.float32]:
    """Return what every guess is worth in each set, averaged over all of the set, float32 [sets, guesses]."""
    from sleuth.kernels.partitions import BITS, CANDIDATE, COLUMNS, partitions

    game, sizes = frontier.game, frontier.sizes
    guesses = np.tile(np.arange(len(game.guesses), dtype=np.int32), (len(frontier), 1))
    split = np.empty((*guesses.shape, COLUMNS), np.float32)
    partitions(game.tables, frontier.sets, guesses, split)
    split[..., BITS] /= np.log2(max(2, len(game.answers)))
    split[..., BITS] += bonus * split[..., CANDIDATE] / sizes[:, None]
    worth: NDArray[np.float32] = split[..., BITS]
    return worth
