"""How a tree search picks the action to simulate next: the exploration (Tyl 2024).

A sampler sees the arms of a state: what each is thought to be worth (debiased), how uncertain that is, how
often it was simulated and what it was first thought to be worth. It returns their places, the first choice
first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf, log, sqrt
from random import Random
from typing import Any, NamedTuple, Protocol

from sleuth.support.errors import SleuthError
from sleuth.support.ranges import check_range
from sleuth.support.registry import Registry
from sleuth.support.specification import from_text

SAMPLERS: Registry[type[Any]] = Registry("sampler")
for _name, _target, _summary in (
    ("thompson", "Thompson", "Thompson sampling, one draw of each action"),
    (
        "thompson-frequencies",
        "ThompsonFrequencies",
        "Thompson sampling by how often each is the best of 1024",
    ),
    ("laplace", "Laplace", "by how much one more simulation may raise the mean"),
    ("puct", "Puct", "AlphaGo's upper confidence bound"),
    ("uct", "Uct", "upper confidence bound of UCT"),
    ("gumbel", "Gumbel", "towards the policy that the values improve to, as Gumbel MuZero's inner states"),
    ("hoeffding", "Hoeffding", "upper confidence bound by Hoeffding's inequality"),
    ("epsilon-greedy", "EpsilonGreedy", "the best, but any at times"),
):
    SAMPLERS.register(_name, f"sleuth.planning.samplers:{_target}", _summary)


class Arm(NamedTuple):
    """An action as a sampler sees it.

    Attributes:
        value: its debiased action value, q3.
        variance: the expected squared error of that.
        visits: how often it was simulated.
        estimate: its first estimate, q1.

    """

    value: float
    variance: float
    visits: int
    estimate: float


class Sampler(Protocol):
    """Anything that picks arms."""

    def pick(self, arms: Sequence[Arm], visits: int, rng: Random, k: int = 1) -> list[int]:
        """Return the places of the k arms to simulate, at most as many as there are.

        visits: how often the state was simulated, by any action, those included that are out of play.
        """


def _best(scores: Sequence[float], k: int) -> list[int]:
    """Return the places of the k largest scores, the largest first; among equals the first."""
    if k == 1:
        return [max(range(len(scores)), key=scores.__getitem__)]
    return sorted(range(len(scores)), key=lambda i: -scores[i])[:k]


@dataclass(frozen=True)
class Thompson:
    """Thompson sampling by one draw of each arm from a normal distribution; the k best for k threads."""

    def pick(self, arms: Sequence[Arm], visits: int, rng: Random, k: int = 1) -> list[int]:
        """Return the arms whose draws are the largest."""
        gauss = rng.gauss
        return _best([gauss(arm.value, sqrt(arm.variance)) for arm in arms], k)


@dataclass(frozen=True)
class ThompsonFrequencies:
    """Thompson sampling by the frequency with which each arm is the best of many draws."""

    draws: int = 1024

    def __post_init__(self) -> None:
        check_range(self, "draws", least=1)

    def pick(self, arms: Sequence[Arm], visits: int, rng: Random, k: int = 1) -> list[int]:
        """Return arms drawn in proportion to those frequencies, without putting them back."""
        import numpy as np

        means = np.array([arm.value for arm in arms])
        deviations = np.sqrt([arm.variance for arm in arms])
        generator = np.random.default_rng(rng.getrandbits(64))
        drawn = generator.normal(means, deviations, (self.draws, len(arms)))
        wins = np.bincount(drawn.argmax(axis=1), minlength=len(arms))
        # An exponential race: places come in order of a draw in proportion to the weights.
        times = [rng.expovariate(1.0) / count if count else float("inf") for count in wins.tolist()]
        return _best([-time for time in times], k)


@dataclass(frozen=True)
class EpsilonGreedy:
    """The best arm, but with probability epsilon * (1 + visits) ** -decay any."""

    epsilon: float = 0.1
    decay: float = 0.5

    def __post_init__(self) -> None:
        if not 0 <= self.epsilon <= 1:
            raise SleuthError(f"epsilon lies between 0 and 1, not {self.epsilon}")
        check_range(self, "decay", least=0, below=inf)

    def pick(self, arms: Sequence[Arm], visits: int, rng: Random, k: int = 1) -> list[int]:
        """Return the best arms, or any."""
        order = _best([arm.value for arm in arms], k)
        if rng.random() < self.epsilon * (1 + visits) ** -self.decay:
            other = rng.randrange(len(arms))
            order = [other, *(i for i in order if i != other)][:k]
        return order


@dataclass(frozen=True)
class Hoeffding:
    """The largest upper confidence bound by Hoeffding's inequality.

    confidence: the p of Tyl (2024), 0.999 there. spread: upper less lower limit of an action value.
    """

    confidence: float = 0.999
    spread: float = 6.0

    def __post_init__(self) -> None:
        if not 0 < self.confidence <= 1:
            raise SleuthError(f"confidence lies between 0 and 1, not {self.confidence}")
        check_range(self, "spread", least=0, below=inf)

    @property
    def factor(self) -> float:
        """How far the upper bound of an arm lies above its value before it is simulated."""
        return float(self.spread * sqrt(-log(self.confidence) / 2))

    def pick(self, arms: Sequence[Arm], visits: int, rng: Random, k: int = 1) -> list[int]:
        """Return the arms with the largest upper bounds."""
        factor = self.factor
        return _best([arm.value + factor / sqrt(arm.visits + 1) for arm in arms], k)


@dataclass(frozen=True)
class Puct:
    """AlphaGo's predictor-based upper confidence bound, with the softmax of first estimates as policy."""

    coefficient: float = 1.0

    def __post_init__(self) -> None:
        check_range(self, "coefficient", least=0, below=inf)

    def pick(self, arms: Sequence[Arm], visits: int, rng: Random, k: int = 1) -> list[int]:
        """Return the arms with the largest upper bounds."""
        top = max(arm.estimate for arm in arms)
        policy = [exp(arm.estimate - top) for arm in arms]
        scale = self.coefficient * sqrt(visits) / sum(policy)
        return _best([a.value + scale * p / (1 + a.visits) for a, p in zip(arms, policy, strict=True)], k)


@dataclass(frozen=True)
class Uct:
    """The largest upper confidence bound of UCT (Kocsis and Szepesvari 2006): value + c sqrt(log N / n).

    Every arm is simulated once first, the best estimate leading. coefficient: c, in units of the values.
    """

    coefficient: float = 1.0

    def __post_init__(self) -> None:
        check_range(self, "coefficient", least=0, below=inf)

    def pick(self, arms: Sequence[Arm], visits: int, rng: Random, k: int = 1) -> list[int]:
        """Return the arms with the largest upper bounds."""
        spread = self.coefficient * sqrt(log(max(visits, 1)))
        bounds = [(a.visits == 0, a.value + spread / sqrt(a.visits or 1)) for a in arms]
        return sorted(range(len(arms)), key=bounds.__getitem__, reverse=True)[:k]


@dataclass(frozen=True)
class Gumbel:
    """Visits in proportion to an improved policy, as inner states of Gumbel MuZero (Danihelka et al. 2021).

    The improved policy is the softmax of first estimates plus values that are scaled to [0, 1], times (offset
    + most visits) * scale, with the names of mctx; arms never simulated count with the mean of the others.
    The arm whose share of visits lags most behind is simulated. At the root it is the same: there is no
    budget to halve in a search that may be stopped at any time.
    """

    offset: float = 50.0
    scale: float = 0.1

    def __post_init__(self) -> None:
        check_range(self, "offset", least=0, below=inf)
        check_range(self, "scale", least=0, below=inf)

    def pick(self, arms: Sequence[Arm], visits: int, rng: Random, k: int = 1) -> list[int]:
        """Return the arms whose share of visits lags most behind the improved policy."""
        known = [arm.value for arm in arms if arm.visits]
        mixed = sum(known) / len(known) if known else 0.0
        values = [arm.value if arm.visits else mixed for arm in arms]
        least, width = min(values), max(max(values) - min(values), 1e-8)
        factor = (self.offset + max(arm.visits for arm in arms)) * self.scale
        logits = [
            arm.estimate + factor * (value - least) / width for arm, value in zip(arms, values, strict=True)
        ]
        top = max(logits)
        policy = [exp(logit - top) for logit in logits]
        whole, made = sum(policy), 1 + sum(arm.visits for arm in arms)
        return _best([p / whole - a.visits / made for p, a in zip(policy, arms, strict=True)], k)


@dataclass(frozen=True)
class Laplace:
    """Tyl's own: how much one more simulation, better by delta, would raise the mean."""

    delta: float = 0.1

    def __post_init__(self) -> None:
        check_range(self, "delta", least=0, below=inf)

    def pick(self, arms: Sequence[Arm], visits: int, rng: Random, k: int = 1) -> list[int]:
        """Return the arms that could rise the highest."""
        return _best([arm.value + self.delta / (arm.visits + 1) for arm in arms], k)


IN_KERNELS = ("thompson", "uct", "puct", "gumbel", "laplace", "hoeffding")
"""Those that tree search in kernels has."""


def sampler_of(text: str) -> Sampler:
    """Return a sampler by its name, with options as in "puct(coefficient=2)". Raises SleuthError."""
    made: Sampler = from_text(SAMPLERS, text)
    return made
