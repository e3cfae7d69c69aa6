"""Adaptive control, as planners meet it: a system whose law has an unknown, fixed parameter.

The problem of Bhambri et al. (2022), section 4. The state is seen; the parameter is not, and is learned about
only through what the state becomes. Costs are to be made as small as possible. State a problem as a class
that derives from ListedControl or SampledControl: what has a body here need not be written.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from numbers import Real
from random import Random
from typing import Any, Literal, NamedTuple, Protocol, TypeGuard

import numpy as np
from numpy.typing import NDArray

from sleuth.support.errors import SleuthError
from sleuth.support.indices import is_hashable, is_sequence, shown
from sleuth.support.ranges import check_number, is_weight

Weights = NDArray[np.float64]
Part = Literal["state", "parameter", "control"]
"""What a value of a problem is."""


class Transition(NamedTuple):
    """One way that a state may change: how likely, and to what."""

    probability: float
    state: Hashable


class AdaptiveControl(Protocol):
    """A problem of adaptive control over finitely many values of the parameter.

    It may also have prefer(state, parameter, rng): a good control where the parameter is known, for rollouts.

    Attributes:
        parameters: the values that the parameter may have.
        initial_state: where it begins; states and controls are hashable.
        horizon: how many controls are applied at most; None where only a terminal state ends it.
        discount: what a cost counts one stage later, in (0, 1].

    """

    parameters: Sequence[Any]
    initial_state: Hashable
    horizon: int | None = None
    discount: float = 1.0

    @property
    def prior(self) -> Weights:
        """float64 [parameters]: how likely each parameter is at first; equally, unless said otherwise."""
        return np.full(len(self.parameters), 1 / len(self.parameters))

    def controls(self, state: Hashable) -> Sequence[Any]:
        """Return the controls that may be applied in a state, U(x)."""

    def cost(self, state: Hashable, parameter: Any, control: Any, after: Hashable) -> float:
        """Return what a stage costs, g(x, theta, u, x')."""

    def is_terminal(self, state: Hashable) -> bool:
        """Say whether nothing more is applied in a state, and nothing more is paid."""
        return False

    def final_cost(self, state: Hashable) -> float:
        """Return what is paid when the horizon N is reached, g_N(x); it is discounted as stage N is."""
        return 0.0

    def in_words(self, part: Part, value: Any) -> str:
        """Return what people read for a state, a parameter or a control, where episodes are shown."""
        return str(value)


class ListedControl(AdaptiveControl, Protocol):
    """A problem whose outcomes can be listed, so that expectations and beliefs are exact."""

    def outcomes(self, state: Hashable, parameter: Any, control: Any) -> Sequence[tuple[float, Hashable]]:
        """Return the states that may follow under a parameter, each once, with their probabilities."""


class SampledControl(AdaptiveControl, Protocol):
    """A problem whose outcomes can be drawn.

    Draws do not say how likely they were, so what was seen cannot be weighed by them alone. Give the
    likelihood as well (Weighed), or plan with EmpiricalControl, which estimates it; else planners raise
    SleuthError where a choice or an estimate rests on the belief after a control.
    """

    def sample(self, state: Hashable, parameter: Any, control: Any, rng: Random) -> Hashable:
        """Draw the state that follows under a parameter."""


class Weighed(Protocol):
    """A problem that knows how likely what was seen is: beliefs learn where outcomes are not listed."""

    @property
    def parameters(self) -> Sequence[Any]:
        """The values that the parameter may have."""

    def likelihood(self, state: Hashable, parameter: Any, control: Any, after: Hashable) -> float:
        """Return the chance of a next state under a parameter, or its density, up to a factor of its own."""


class Vectorised(Protocol):
    """A listed problem that also answers for all parameters at once, so that beliefs are fast."""

    def successors(self, state: Hashable, control: Any) -> Sequence[Hashable]:
        """Return the states that may follow under any parameter, each once."""

    def likelihoods(self, state: Hashable, control: Any, after: Hashable) -> Weights:
        """Return how likely a state is to follow under each parameter, float64 [parameters]."""

    def costs(self, state: Hashable, control: Any, after: Hashable) -> Weights:
        """Return what a stage costs under each parameter, float64 [parameters]."""


class Narrowing(Protocol):
    """A problem whose states rule parameters out: what comes of those there is not asked."""

    def possible(self, state: Hashable) -> Sequence[int]:
        """Return the parameters that a state leaves possible, by their numbers."""


class Preferring(Protocol):
    """A problem that knows what to do where the parameter is known: rollouts of Bamcp do it."""

    @property
    def parameters(self) -> Sequence[Any]:
        """The values that the parameter may have."""

    def prefer(self, state: Hashable, parameter: Any, rng: Random) -> Any:
        """Return a control of a state, a good one under a parameter; it may be drawn."""


# By name, since isinstance asks a protocol for all of its attributes, which are slow to work out.


def is_listed(problem: object) -> TypeGuard[ListedControl]:
    """Say whether a problem's outcomes can be listed."""
    return callable(getattr(problem, "outcomes", None))


def is_sampled(problem: object) -> TypeGuard[SampledControl]:
    """Say whether a problem's outcomes can be drawn."""
    return callable(getattr(problem, "sample", None))


def is_weighed(problem: object) -> TypeGuard[Weighed]:
    """Say whether a problem knows how likely what was seen is."""
    return callable(getattr(problem, "likelihood", None))


def is_preferring(problem: object) -> TypeGuard[Preferring]:
    """Say whether a problem knows what to do where the parameter is known."""
    return callable(getattr(problem, "prefer", None))


def is_vectorised(problem: object) -> TypeGuard[Vectorised]:
    """Say whether a problem answers for all parameters at once."""
    return all(callable(getattr(problem, name, None)) for name in ("successors", "likelihoods", "costs"))


def possible_in(problem: AdaptiveControl, state: Hashable) -> Sequence[int]:
    """Return the parameters that a state leaves possible, by their numbers: all, unless it is Narrowing."""
    narrowing: Any = problem
    if callable(getattr(problem, "possible", None)):
        found: Sequence[int] = narrowing.possible(state)
        return found
    return range(len(problem.parameters))


def check_control(problem: object) -> None:
    """Raise SleuthError for what is no problem of adaptive control."""
    if isinstance(problem, type):
        raise SleuthError(f"{problem.__name__} is a class; give what it makes: {problem.__name__}()")
    if not (hasattr(problem, "parameters") and hasattr(problem, "controls")):
        raise SleuthError(
            "a problem of adaptive control has parameters and controls(), which a"
            f" {type(problem).__name__} has not"
        )


_STATED = ("initial_state", "controls", "cost")


def prior_of(problem: AdaptiveControl) -> Weights:
    """Return the prior of a problem as an array, float64 [parameters]. Raises SleuthError for no numbers."""
    try:
        return np.asarray(problem.prior, float)
    except (TypeError, ValueError):
        raise SleuthError(f"a prior is a weight for each parameter, not {problem.prior!r}") from None


def check_problem(problem: AdaptiveControl) -> None:
    """Raise SleuthError where a problem is not well-formed, as far as can be seen at its start."""
    check_control(problem)
    parameters: Any = problem.parameters
    if not is_sequence(parameters):
        raise SleuthError(f"the parameters of a problem are a sequence, not {shown(parameters)}")
    if not len(parameters):
        raise SleuthError("a problem needs parameters")
    for name in (*_STATED, "prior", "horizon", "discount", "is_terminal"):
        # A class that inherits from the protocol has its methods, which do nothing.
        inherited = name in _STATED and getattr(type(problem), name, problem) is getattr(
            AdaptiveControl, name, None
        )
        if inherited or not hasattr(problem, name):
            raise SleuthError(
                f"{type(problem).__name__} does not say its {name}; a problem of adaptive control has"
                " parameters, initial_state, controls(), cost(), and outcomes() or sample(), and inherits the"
                " rest from ListedControl or SampledControl"
            )
    prior = prior_of(problem)
    if prior.shape != (len(problem.parameters),):
        raise SleuthError("a prior needs a weight for each parameter")
    if np.any(prior < 0) or not abs(prior.sum() - 1) < 1e-9:
        raise SleuthError(
            f"a prior is a distribution: no weight below zero, the sum one; these add up to {prior.sum():.6g}"
        )
    check_number("discount", problem.discount, above=0, most=1)
    if problem.horizon is not None:
        check_number("horizon", problem.horizon, least=1, whole=True)
    if not (is_listed(problem) or is_sampled(problem)):
        raise SleuthError("a problem needs outcomes() or sample()")
    for name, protocol in (("outcomes", ListedControl), ("sample", SampledControl)):
        if getattr(type(problem), name, problem) is getattr(protocol, name):
            raise SleuthError(f"{type(problem).__name__} does not say its {name}()")
    first = problem.initial_state
    if not is_hashable(first):
        raise SleuthError(f"initial_state is {shown(first)}; states are hashable")
    over: Any = problem.is_terminal(first)
    if not isinstance(over, bool | np.bool_):
        raise SleuthError(f"is_terminal() of state {first!r} is {shown(over)}; it is True or False")
    if not over:
        for control in controls_in(problem, first):
            if not is_hashable(control):
                raise SleuthError(f"controls are hashable, which {shown(control)} is not")


def controls_in(problem: AdaptiveControl, state: Hashable) -> Sequence[Any]:
    """Return the controls that may be applied in a state. Raises SleuthError where there are none."""
    controls = problem.controls(state)
    if not is_sequence(controls):
        raise SleuthError(f"controls() of state {state!r} is a sequence, not {shown(controls)}")
    if not len(controls):
        raise SleuthError(f"no control may be applied in state {state!r}")
    return controls


def check_offered(problem: AdaptiveControl, state: Hashable, control: object) -> None:
    """Raise SleuthError for a control that was chosen and may not be applied."""
    if control not in controls_in(problem, state):
        raise SleuthError(f"{control!r} may not be applied in state {state!r}, and was chosen there")


def _unhashable(after: object, state: Hashable, control: object) -> SleuthError:
    """Return the error of a state that is not hashable. state, control: what leads to it."""
    return SleuthError(f"what follows {control!r} in state {state!r} is {shown(after)}; states are hashable")


def _told(value: object) -> str:
    return f"{value}" if isinstance(value, Real) else shown(value)


TOLERANCE = 1e-9
"""Chances add up to one if they do so but for that."""


def check_chances(chances: Sequence[float], state: Hashable, control: object) -> None:
    """Raise SleuthError where chances are no distribution. state, control: what they are of, to be named."""
    # A comparison with nan is false. Names are only made where they are needed: states may be large. Nearly
    # all chances are floats, and to ask of each what kind of number it is takes longer than all else.
    for chance in chances:
        if not (chance >= 0 if type(chance) is float else is_weight(chance)):
            raise SleuthError(
                f"outcomes of {control!r} in state {state!r}: a chance is {_told(chance)}; chances are"
                " numbers from 0 to 1"
            )
    if not abs(sum(chances) - 1) <= TOLERANCE:
        raise SleuthError(
            f"outcomes of {control!r} in state {state!r}: the chances add up to {sum(chances):.12g}; they"
            " must add up to 1"
        )


def check_distinct(found: Sequence[Hashable], state: Hashable, control: object) -> None:
    """Raise SleuthError where a state is found twice. state, control: what leads to them, to be named."""
    try:
        distinct = len(set(found))
    except TypeError:
        bad = next(then for then in found if not is_hashable(then))
        raise _unhashable(bad, state, control) from None
    if distinct < len(found):
        twice = next(then for place, then in enumerate(found) if then in found[:place])
        raise SleuthError(
            f"outcomes of {control!r} in state {state!r}: {twice!r} is listed twice; give each state once,"
            " with its whole chance"
        )


def outcomes_of(
    problem: AdaptiveControl, state: Hashable, parameter: Any, control: Any
) -> Sequence[tuple[float, Hashable]]:
    """Return the outcomes that a problem lists.

    Raises SleuthError naming the state and the control where it lists none, where the chances are no
    distribution, or where a state is listed twice.
    """
    listed = getattr(problem, "outcomes", None)
    if not callable(listed):
        raise SleuthError(
            "beliefs and exact expectations need a problem with outcomes(): this one has sample() alone."
            " EmpiricalControl(problem) lists what was drawn"
        )
    found: Sequence[tuple[float, Hashable]] = listed(state, parameter, control)
    try:
        chances, states = [chance for chance, _ in found], [after for _, after in found]
    except (TypeError, ValueError):
        raise SleuthError(
            f"outcomes of {control!r} in state {state!r} must be a list of (chance, next state), not"
            f" {repr(found)[:60]}"
        ) from None
    check_chances(chances, state, control)
    check_distinct(states, state, control)
    return found


def likelihood_of(problem: Weighed, state: Hashable, parameter: Any, control: Any, after: Hashable) -> float:
    """Return a likelihood. Raises SleuthError naming state and control where it is none."""
    found = problem.likelihood(state, parameter, control, after)
    if not is_weight(found):
        raise SleuthError(
            f"outcomes of {control!r} in state {state!r}: a likelihood of {after!r} is {_told(found)}; it is"
            " a number from 0"
        )
    return found


def check_likelihoods(found: Weights, state: Hashable, control: object, after: Hashable) -> None:
    """Raise SleuthError where likelihoods of a state, float64 [any], are no chances."""
    fine = (found >= 0) & (found <= 1 + TOLERANCE)
    if not fine.all():
        raise SleuthError(
            f"outcomes of {control!r} in state {state!r}: a likelihood of {after!r} is {found[~fine][0]}; it"
            " is a number from 0 to 1"
        )


def costs_of(
    problem: Vectorised, state: Hashable, control: Any, after: Hashable, possible: NDArray[np.int64]
) -> Weights:
    """Return what a stage costs under the parameters of some numbers, float64 [possible].

    Raises SleuthError naming state and control where one is not finite.
    """
    found: Weights = problem.costs(state, control, after)[possible]
    for bad in found[~np.isfinite(found)][:1]:
        _number(bad, "the cost of {!r} in", control, state)
    return found


def cost_of(
    problem: AdaptiveControl, state: Hashable, parameter: Any, control: Any, after: Hashable
) -> float:
    """Return what a stage costs. Raises SleuthError naming state and control where that is not finite."""
    return _number(problem.cost(state, parameter, control, after), "the cost of {!r} in", control, state)


def in_words(problem: AdaptiveControl, part: Part, value: Any) -> str:
    """Return what people read for a value of a problem, also of one that does not derive from ours."""
    told = getattr(problem, "in_words", None)
    return str(told(part, value) if callable(told) else value)


def final_cost_of(problem: AdaptiveControl, state: Hashable) -> float:
    """Return what the end costs. Raises SleuthError naming the state where that is not finite."""
    return _number(problem.final_cost(state), "the final cost of", state)


def _number(cost: float, what: str, *of: object) -> float:
    """Return a cost. Raises SleuthError where it is none; what, of: whose cost it is, the state last."""
    try:
        fine = bool(cost - cost == 0)  # nan is not, nor what is infinite
    except (TypeError, ValueError):  # as of text, and of arrays
        fine = False
    if not fine:
        raise SleuthError(f"{what} state {{!r}} is {{}}; it must be a finite number".format(*of, _told(cost)))
    return cost


def draw(problem: AdaptiveControl, state: Hashable, parameter: Any, control: Any, rng: Random) -> Hashable:
    """Draw the state that follows, whichever way the problem knows."""
    if is_sampled(problem):
        then = problem.sample(state, parameter, control, rng)
        if not is_hashable(then):
            raise _unhashable(then, state, control)
        return then
    assert is_listed(problem)
    left = rng.random()
    last: Hashable = None
    for probability, after in outcomes_of(problem, state, parameter, control):
        if probability > 0:
            last = after
            left -= probability
            if left < 0:
                break
    return last
