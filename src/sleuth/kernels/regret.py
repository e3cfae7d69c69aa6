"""Regret matching+ between a host and a guesser (Tammelin 2014): equilibria without a linear program.

Both sides are one pass over the states: costs come up from the smallest sets to the whole, chances go down.
In each state the guesser's regrets are weighed by the host's distribution alone, as in counterfactual regret
minimisation.
"""

from typing import NamedTuple

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.frugal import held
from sleuth.kernels.jit import inner, kernel


@held
class Play(NamedTuple):
    """States and the guesses weighed in each.

    The first state is the start; each comes before those that it leads to.
    """

    member_starts: Array  # int64 [states + 1]
    members: Array  # int32: the candidates of each state
    choice_starts: Array  # int64 [states + 1]: one choice or more of each state
    child_starts: Array  # int64 [choices + 1]
    children: Array  # int32: the states that each choice leads to


@kernel
def costs_of(play: Play, host: Array) -> Array:
    """Return what each choice costs when the best is chosen ever after, float64 [choices].

    host: float64 [answers], a distribution. Costs are expected guesses from the choice's state on, weighed by
    how likely the host's answer lies there.
    """
    states = play.member_starts.size - 1
    least = np.zeros(states)
    out = np.zeros(play.child_starts.size - 1)
    for s in range(states - 1, -1, -1):
        mass = 0.0
        for i in range(play.member_starts[s], play.member_starts[s + 1]):
            mass += host[play.members[i]]
        best = np.inf
        for c in range(play.choice_starts[s], play.choice_starts[s + 1]):
            out[c] = mass
            for k in range(play.child_starts[c], play.child_starts[c + 1]):
                out[c] += least[play.children[k]]
            best = min(best, out[c])
        least[s] = best
    return out


@kernel
def taken(play: Play, shares: Array, reach: Array, out: Array) -> None:
    """Fill out, float64 [answers], with how many guesses each answer takes on average.

    shares: float64 [choices], how a state's chance is shared among its choices. reach: float64 [states],
    filled with the chance to come to a state if the answer lies there.
    """
    reach[:] = 0.0
    reach[0] = 1.0
    out[:] = 0.0
    for s in range(reach.size):
        if reach[s] == 0.0:
            continue
        for i in range(play.member_starts[s], play.member_starts[s + 1]):
            out[play.members[i]] += reach[s]
        for c in range(play.choice_starts[s], play.choice_starts[s + 1]):
            chance = reach[s] * shares[c]
            if chance > 0.0:
                for k in range(play.child_starts[c], play.child_starts[c + 1]):
                    reach[play.children[k]] += chance


@kernel
def match_regrets(
    play: Play, regrets: Array, host_regrets: Array, rounds: Int, chances: Array, host_sum: Array, stop: Array
) -> None:
    """Play so many rounds of regret matching+; round t counts t times in the averages.

    regrets: float64 [choices] and host_regrets: float64 [answers], carried on. chances: float64 [choices] and
    host_sum: float64 [answers], to which each round's chances of the choices and distribution are added.
    stop: uint8 [1]; once it is not 0, no further round is played.
    """
    states = play.member_starts.size - 1
    answers = host_regrets.size
    shares = np.zeros(regrets.size)
    costs = np.zeros(regrets.size)
    value = np.zeros(states)
    reach = np.zeros(states)
    host = np.zeros(answers)
    took = np.zeros(answers)
    for t in range(1, rounds + 1):
        if stop[0] != 0:
            return
        total = host_regrets.sum()
        for a in range(answers):
            host[a] = host_regrets[a] / total if total > 0 else 1.0 / answers
        for s in range(states - 1, -1, -1):
            mass = 0.0
            for i in range(play.member_starts[s], play.member_starts[s + 1]):
                mass += host[play.members[i]]
            begin, end = play.choice_starts[s], play.choice_starts[s + 1]
            _share(regrets, begin, end, shares)
            mean = 0.0
            for c in range(begin, end):
                costs[c] = mass
                for k in range(play.child_starts[c], play.child_starts[c + 1]):
                    costs[c] += value[play.children[k]]
                mean += shares[c] * costs[c]
            value[s] = mean
            for c in range(begin, end):
                regrets[c] = max(regrets[c] + mean - costs[c], 0.0)
            # The host answers what the guesser does now, not what it did before.
            _share(regrets, begin, end, shares)
        taken(play, shares, reach, took)
        mean = 0.0
        for a in range(answers):
            mean += host[a] * took[a]
            host_sum[a] += t * host[a]
        for a in range(answers):
            host_regrets[a] = max(host_regrets[a] + took[a] - mean, 0.0)
        for s in range(states):
            for c in range(play.choice_starts[s], play.choice_starts[s + 1]):
                chances[c] += t * reach[s] * shares[c]


@inner
def _share(regrets: Array, begin: Int, end: Int, shares: Array) -> None:
    """Share a state's chance among its choices by their regrets, evenly where there are none."""
    total = 0.0
    for c in range(begin, end):
        total += regrets[c]
    for c in range(begin, end):
        shares[c] = regrets[c] / total if total > 0 else 1.0 / (end - begin)
