"""The policy of logits where only some guesses are allowed, and its gradient: few passes over all guesses."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor


class Summary(torch.autograd.Function):
    """Of logits [states, guesses]: their logsumexp and the entropy of the policy, both [states], and some.

    The gradient is written out, since passes over [states, guesses] are what a step's time goes into:
    with p the policy, that of logsumexp is p, and that of the entropy p times how far a logit is below the
    mean.
    """

    @staticmethod
    def forward(ctx: Any, logits: Tensor, row: Tensor, column: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        total = torch.logsumexp(logits, 1)
        chances = (logits - total[:, None]).exp_()
        mean = torch.einsum("sg,sg->s", chances, logits)
        ctx.save_for_backward(logits, chances, mean, row, column)
        return total, total - mean, logits[row, column]

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None, None]:
        logits, chances, mean, row, column = ctx.saved_tensors
        total, entropy, some = gradients
        found = (mean[:, None] - logits).mul_(entropy[:, None]).add_(total[:, None]).mul_(chances)
        return found.index_put_((row, column), some, accumulate=True), None, None


def exceptions(
    masks: NDArray[np.uint8], guesses: int
) -> tuple[NDArray[np.bool_], NDArray[np.int64], NDArray[np.int64]]:
    """Return whether few guesses are allowed, bool [states], and those few, or the few that are not.

    masks: uint8 [states, bytes], bits of the guesses allowed. Exceptions come as states and guesses, int64.
    """
    few = np.bitwise_count(masks).sum(1) < guesses / 2
    odd = np.where(few[:, None], masks, ~masks)
    row, byte = np.nonzero(odd)
    which, bit = np.nonzero(np.unpackbits(odd[row, byte][:, None], axis=1))
    column = 8 * byte[which] + bit
    inside = column < guesses  # the last byte has bits to spare
    return few, row[which][inside], column[inside]


def constrain(
    logits: Tensor,
    total: Tensor,
    entropy: Tensor,
    few: NDArray[np.bool_],
    row: Tensor,
    column: Tensor,
    picked: Tensor,
    log_floor: float,
) -> tuple[Tensor, Tensor]:
    """Return the log of how likely a guess is an allowed one, and the KL-guide, both [states].

    logits: [states, guesses]; total, entropy: see Summary; few, row, column: see exceptions; picked: the
    logits there. With a the chance of the allowed guesses together, the policy that the guide leads to has
    p / a for them and the floor for the others, so D(p || that) = a log a + the sum of p (log p - log_floor)
    over the others.
    """
    log = picked - total[row]
    nothing = torch.zeros_like(total)
    mass = nothing.index_add(0, row, log.exp())
    part = nothing.index_add(0, row, log.exp() * log)
    restricted = torch.from_numpy(few).to(logits.device)
    chance = torch.where(restricted, mass, 1 - mass)
    # Where hardly anything is left of 1 - mass, it is summed word by word instead.
    faint = torch.nonzero(~restricted & (mass > 0.9))[:, 0]
    if len(faint):
        kept = torch.ones_like(logits, dtype=torch.bool)
        kept[row, column] = False
        summed = ((logits[faint] - total[faint, None]).exp() * kept[faint]).sum(1)
        chance = chance.index_copy(0, faint, summed)
    chance = chance.clamp_min(1e-30)
    others = torch.where(restricted, -entropy - part, part)
    return chance.log(), chance * chance.log() + others - (1 - chance) * log_floor
