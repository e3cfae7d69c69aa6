"""What is known of the parameter, by particles: for large or continuous sets of parameters.

A particle filter with systematic resampling (Gordon et al. 1993; Kitagawa 1996): particles are
weighed by how likely what was seen is under them, and drawn anew once too few of them carry the weight. What
was drawn anew may be stirred by Metropolis steps that leave its distribution as it is (Gilks and Berzuini
2001), so that a parameter that never changes does not run out of values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth.planning.control import Weights
from sleuth.support.errors import SleuthError
from sleuth.support.ranges import check_number

Particles = NDArray[Any]
Likelihood = Callable[[Particles], Weights]
"""How likely what was seen is under each of the particles, float64 [particles]."""
Move = Callable[[Particles, np.random.Generator], Particles]
"""Stirs particles after they were drawn anew, so that copies part (rejuvenation)."""
LogDensity = Callable[[Particles], Weights]
"""The logarithm of a density at each particle, up to a constant, float64 [particles]; -inf outside."""


@dataclass(frozen=True, eq=False)
class ParticleBelief:
    """A distribution over parameters, as weighed particles.

    Attributes:
        particles: [n, ...]: parameters, one a row.
        weights: float64 [n], summing to one.
        threshold: particles are drawn anew once their effective number falls below this part of them.
        move: stirs the particles that were drawn anew, or None.

    A coin of unknown bias shows five heads in eight; the exact mean is 0.6:

    >>> rng = np.random.default_rng(1)
    >>> belief = ParticleBelief.of(rng.random(2000))
    >>> for head in (1, 1, 0, 1, 0, 1, 1, 0):
    ...     belief = belief.update(lambda bias: bias if head else 1 - bias, rng)
    >>> round(float(belief.mean()), 2), round(belief.quantile(0.05), 2), round(belief.quantile(0.95), 2)
    (0.6, 0.34, 0.83)

    """

    particles: Particles
    weights: Weights
    threshold: float = 0.5
    move: Move | None = None

    @classmethod
    def of(cls, particles: Particles, threshold: float = 0.5, move: Move | None = None) -> ParticleBelief:
        """Return the belief of particles that were drawn from a prior. Raises SleuthError."""
        n = len(particles)
        if not n:
            raise SleuthError("a belief needs particles")
        if not 0 <= threshold <= 1:
            raise SleuthError(f"a threshold lies between 0 and 1, not {threshold}")
        return cls(np.asarray(particles), np.full(n, 1 / n), threshold, move)

    @property
    def effective(self) -> float:
        """How many particles of equal weight would tell as much: one over the sum of squares."""
        return float(1 / np.square(self.weights).sum())

    def mean(self, of: Callable[[Particles], NDArray[Any]] = lambda particles: particles) -> Any:
        """Return the mean of a function of the parameter, which takes and returns all particles at once."""
        return np.tensordot(self.weights, of(self.particles), axes=1)

    def quantile(self, share: float) -> float:
        """Return the least particle with so much of the weight at it and below. Particles are numbers, [n].

        Raises SleuthError for a share outside [0, 1].
        """
        check_number("share", share, least=0, most=1)
        order = np.argsort(self.particles, kind="stable")
        ends = np.cumsum(self.weights[order])
        place = int(np.searchsorted(ends, share * ends[-1], side="left"))
        return float(self.particles[order[place]])

    def update(self, likelihood: Likelihood, rng: np.random.Generator) -> ParticleBelief:
        """Return the belief after something was seen. Raises SleuthError where no particle explains it."""
        weights = self.weights * np.asarray(likelihood(self.particles), float)
        total = weights.sum()
        if not total > 0:
            raise SleuthError("no particle explains what was seen: more of them are needed")
        seen = replace(self, weights=weights / total)
        return seen.resampled(rng) if seen.effective < self.threshold * len(weights) else seen

    def resampled(self, rng: np.random.Generator) -> ParticleBelief:
        """Return as many particles drawn by their weights, all of one weight, by systematic resampling."""
        n = len(self.weights)
        particles = self.particles[systematic(self.weights, n, rng.random())]
        if self.move is not None:
            particles = self.move(particles, rng)
        return replace(self, particles=particles, weights=np.full(n, 1 / n))


def systematic(weights: Weights, count: int, start: float) -> NDArray[np.int64]:
    """Return places among weights, each as often as its share of the count says: int64 [count].

    Systematic resampling (Kitagawa 1996). weights: float64 [n], of any sum. start: in [0, 1), drawn.
    """
    ends = np.cumsum(weights)
    chosen = np.searchsorted(ends, (start + np.arange(count)) / count * ends[-1], side="right")
    places: NDArray[np.int64] = np.minimum(chosen, len(ends) - 1)
    return places


def metropolis(density: LogDensity, steps: int = 3) -> Move:
    """Return a move of so many Metropolis steps, each of which leaves the density as it is.

    A step is a random walk, 2.38 times as wide as the particles are spread (Roberts et al. 1997);
    particles that are all equal stay. Raises SleuthError for fewer steps than one.
    """
    check_number("steps", steps, least=1)

    def move(particles: Particles, rng: np.random.Generator) -> Particles:
        width = 2.38 * particles.std(axis=0) / np.sqrt(particles[0].size)
        at = density(particles)
        for _ in range(steps):
            there = particles + width * rng.standard_normal(particles.shape)
            then = density(there)
            with np.errstate(invalid="ignore"):  # -inf less -inf: nan is no reason to go
                goes = np.log(1 - rng.random(len(particles))) < then - at
            particles = np.where(goes.reshape(-1, *[1] * (particles.ndim - 1)), there, particles)
            at = np.where(goes, then, at)
        return particles

    return move
