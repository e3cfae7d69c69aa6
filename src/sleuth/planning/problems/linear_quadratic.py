"""Linear-quadratic control of a scalar plant whose gain is unknown: the simplest dual control."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite

from sleuth.planning.control import ListedControl, check_problem
from sleuth.support.errors import SleuthError
from sleuth.support.specification import check_options

# States are told apart by so many decimals, so that rounding does not make one into many.
_DECIMALS = 9
_MOST_STEPS = 10**5


@dataclass(frozen=True)
class LinearQuadratic(ListedControl):
    """The plant x' = a x + b u + w at cost q x'^2 + r u^2 a stage; the gain b is one of a few.

    The noise w is -s, 0 or s, equally likely. Large controls tell the gain sooner. Controls lie on a grid.
    Known answer: under a known gain the optimal cost is that of the Riccati recursion, but for the grid.

    Attributes:
        gains: what b may be; equally likely.
        a: the plant's own factor.
        noise: s, 0 or more.
        q, r: the weights of the state and of the control, 0 or more.
        begin: the state at first.
        most: the largest control, either way.
        step: between controls; most is a multiple of it.
        horizon: stages.

    """

    gains: tuple[float, ...] = (-1.0, 1.0)
    a: float = 1.0
    noise: float = 1.0
    q: float = 1.0
    r: float = 0.5
    begin: float = 2.0
    most: float = 3.0
    step: float = 1.0
    horizon: int = 3

    def __post_init__(self) -> None:
        check_options(self)
        numbers = (*self.gains, self.a, self.noise, self.q, self.r, self.begin, self.most, self.step)
        if not all(map(isfinite, numbers)) or min(self.noise, self.q, self.r, self.most) < 0:
            raise SleuthError("noise, q, r and most are 0 or more, and all numbers finite")
        if not self.gains or len(set(self.gains)) < len(self.gains):
            raise SleuthError("there is a gain, and none is given twice")
        if self.step <= 0 or abs(self.most / self.step - round(self.most / self.step)) > 1e-9:
            raise SleuthError(f"most is a multiple of the step, and {self.most} is not one of {self.step}")
        if self.most / self.step > _MOST_STEPS:
            raise SleuthError(f"most is {_MOST_STEPS} steps or less, not {self.most / self.step:g}")
        check_problem(self)

    @property
    def parameters(self) -> Sequence[float]:  # type: ignore[override]
        """The gains."""
        return self.gains

    @property
    def initial_state(self) -> float:  # type: ignore[override]
        """The state at first."""
        return float(self.begin)

    @cached_property
    def _controls(self) -> Sequence[float]:
        half = round(self.most / self.step)
        return tuple(self.step * i for i in range(-half, half + 1))

    def controls(self, state: Hashable) -> Sequence[float]:
        return self._controls

    def cost(self, state: Hashable, parameter: float, control: float, after: Hashable) -> float:
        assert isinstance(after, float)
        return self.q * after**2 + self.r * control**2

    def outcomes(self, state: Hashable, parameter: float, control: float) -> Sequence[tuple[float, float]]:
        assert isinstance(state, float)
        middle = self.a * state + parameter * control
        # Adding 0.0 makes one zero of two.
        found = Counter(round(middle + w, _DECIMALS) + 0.0 for w in (-self.noise, 0.0, self.noise))
        return [(count / 3, after) for after, count in found.items()]
