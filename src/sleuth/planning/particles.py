"""What is known of the parameter, by particles: for large or continuous sets of parameters.

A particle filter with systematic resampling (Gordon et al. 1993; Kitagawa 1996): particles are
weighed by how likely what was seen is under them, and drawn anew once too few of them carry the weight.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth.planning.control import Weights
from sleuth.support.errors import SleuthError

Particles = NDArray[Any]
Likelihood = Callable[[Particles], Weights]
"""How likely what was seen is under each of the particles, float64 [particles]."""
Move = Callable[[Particles, np.random.Generator], Particles]
"""Stirs particles after they were drawn anew, so that copies part (rejuvenation)."""


@dataclass(frozen=True, eq=False)
class ParticleBelief:
    """A distribution over parameters, as weighed particles.

    Attributes:
        particles: [n, ...]: parameters, one a row.
        weights: float64 [n], summing to one.
        threshold: particles are drawn anew once their effective number falls below this part of them.
        move: stirs the particles that were drawn anew, or None.

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
        ends = np.cumsum(self.weights)
        chosen = np.searchsorted(ends, (rng.random() + np.arange(n)) / n * ends[-1], side="right")
        particles = self.particles[np.minimum(chosen, n - 1)]
        if self.move is not None:
            particles = self.move(particles, rng)
        return replace(self, particles=particles, weights=np.full(n, 1 / n))
