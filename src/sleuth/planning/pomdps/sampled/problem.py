"""What a POMDP is that can be drawn from, and play of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from copy import deepcopy
from math import inf, isnan
from numbers import Real
from random import Random
from typing import Any, NamedTuple, Protocol, TypeGuard

import numpy as np

from sleuth.planning.pomdps.online import check_play
from sleuth.planning.searching import steps_ahead
from sleuth.planning.simulation import NEGLIGIBLE
from sleuth.support.errors import SleuthError
from sleuth.support.indices import checked_index, is_hashable, is_sequence, shown
from sleuth.support.ranges import check_number, is_weight

# Searches look so many steps ahead where nothing is discounted.
_FAR = 100
_MOST_STEPS = 10_000


class SampledPomdp(Protocol):
    """A POMDP that can be drawn from: derive from it, and say what has no body here.

    States, actions and observations are any values; actions and observations are hashable. Nobody changes a
    state that is given. It may also have these, for planners that use them:

    - likelihood(state, action, after, observation): the chance of what is seen in the state after an action,
      or its density. Beliefs weigh particles by it, and lose none; continuous observations need it.
    - most(state): what no policy surpasses from a state on, even one that sees it, in discounted rewards.
      SampledDespot prunes by it: one that is too low makes it miss the best.
    - default(states): an action, by states one of which is true, none of them terminal. SampledDespot goes on
      so at the ends of its tree; else it does there what is best if nothing else is ever done.

    Attributes:
        actions: the actions, one at least.
        rewards: the least and the most that a step may bring.
        discount: what a reward is worth one step later, in (0, 1].
        continuous: whether an observation is hardly ever met twice; likelihood() is needed then.

    """

    actions: Sequence[Any]
    rewards: tuple[float, float]
    discount: float = 0.95
    continuous: bool = False

    def first(self, rng: Random) -> Any:
        """Draw a first state."""

    def step(self, state: Any, action: Any, rng: Random) -> tuple[Any, Hashable, float]:
        """Draw what comes of an action: the next state, what is seen then, and the reward."""

    def is_terminal(self, state: Any) -> bool:
        """Say whether play is over in a state."""
        return False

    def legal(self, state: Any) -> Sequence[Any]:
        """Return the actions that may be taken: all, unless said otherwise.

        They may depend on what was seen, not on what is hidden: all states that a belief has must have the
        same, as they are asked of one of them.
        """
        return self.actions

    def prefer(self, state: Any, rng: Random) -> Any:
        """Return what a rollout does in a state, which it sees: any action, unless said otherwise."""
        return rng.choice(self.legal(state))

    def in_words(self, part: str, value: Any) -> str:
        """Return what people read for a "state", an "action" or an "observation"."""
        return str(value)


class Likely(Protocol):
    """A problem that knows how likely observations are: beliefs weigh by it, and lose no particles."""

    def likelihood(self, state: Any, action: Any, after: Any, observation: Hashable) -> float:
        """Return the chance of an observation in the state after an action, or its density."""


class Bounded(Protocol):
    """A problem that knows a bound of the value of who sees the state."""

    def most(self, state: Any) -> float:
        """Return what no policy surpasses from a state on, even one that sees it, in discounted rewards."""


class Defaulting(Protocol):
    """A problem that knows what to do where a search has no time to look."""

    def default(self, states: Sequence[Any]) -> Any:
        """Return an action, by states one of which is true; none of them is terminal."""


def is_sampled_pomdp(problem: object) -> TypeGuard[SampledPomdp]:
    """Say whether something is a POMDP that can be drawn from by Python."""
    # Who derives from the protocol means one, and is told what is missing.
    return SampledPomdp in type(problem).__mro__ or (
        all(callable(getattr(problem, name, None)) for name in ("first", "step", "legal"))
        and hasattr(problem, "rewards")
    )


def is_likely(problem: object) -> TypeGuard[Likely]:
    """Say whether a problem knows how likely observations are."""
    return callable(getattr(problem, "likelihood", None))


def is_bounded(problem: object) -> TypeGuard[Bounded]:
    """Say whether a problem bounds the value of states."""
    return callable(getattr(problem, "most", None))


def is_defaulting(problem: object) -> TypeGuard[Defaulting]:
    """Say whether a problem has a default policy."""
    return callable(getattr(problem, "default", None))


def check_sampled_pomdp(problem: object) -> None:
    """Raise SleuthError for what is no POMDP to draw from, as far as its first step shows."""
    if not is_sampled_pomdp(problem):
        raise SleuthError(
            "a POMDP by draws has actions, rewards, first(rng) and step(state, action, rng), and inherits the"
            f" rest from SampledPomdp; this is {shown(problem)}"
        )
    if isinstance(problem, type):
        raise SleuthError(f"{problem.__name__} is a class; give what it makes: {problem.__name__}()")
    name = type(problem).__name__
    for needed in ("actions", "rewards"):
        if not hasattr(problem, needed):
            raise SleuthError(f"{name} does not say its {needed}")
    for needed in ("first", "step"):
        if getattr(type(problem), needed, None) is getattr(SampledPomdp, needed):
            raise SleuthError(f"{name} does not say its {needed}()")
    _check_actions(name, problem.actions)
    check_number("discount", problem.discount, above=0, most=1)
    rewards: Any = problem.rewards
    if not isinstance(rewards, Sequence) or len(rewards) != 2:
        told = len(rewards) if isinstance(rewards, tuple | list) else shown(rewards)
        raise SleuthError(f"the rewards of {name} are two, the least and the most of a step, not {told}")
    check_number("the least reward", rewards[0], above=-inf, below=inf)
    check_number("the most reward", rewards[1], least=rewards[0], below=inf)
    if not isinstance(problem.continuous, bool):
        raise SleuthError(f"continuous is True or False, not {shown(problem.continuous)}")
    for optional in ("likelihood", "most", "default"):
        stated = getattr(problem, optional, None)
        if stated is not None and not callable(stated):
            raise SleuthError(f"{optional} of {name} is a function, not {shown(stated)}")
    if problem.continuous and not is_likely(problem):
        raise SleuthError(
            f"continuous observations need likelihood(state, action, after, observation), which {name} has"
            " not"
        )
    rng = Random(0)
    first = problem.first(rng)
    over: Any = problem.is_terminal(first)
    if not isinstance(over, bool | np.bool_):
        raise SleuthError(f"is_terminal() of {name} returned {shown(over)}; it returns True or False")
    for part, value in (("state", first), ("action", problem.actions[0])):
        words: Any = problem.in_words(part, value)
        if not isinstance(words, str):
            raise SleuthError(f"in_words() of {name} returned {shown(words)} for the {part}; it returns text")
    if over:
        return
    before = _copied(first)
    came_of(problem, first, legal_in(problem, first)[0], rng)
    if not _is_same(before, first):
        raise SleuthError(
            f"step() of {name} changed the state that it was given; it leaves that as it is, and returns"
            " another"
        )


def _check_actions(name: str, actions: Any) -> None:
    """Raise SleuthError for what are no actions of a problem. name: of its class."""
    if isinstance(actions, str) or not isinstance(actions, Sequence):
        raise SleuthError(f"the actions of {name} are a sequence, one at least, not {shown(actions)}")
    if not actions:
        raise SleuthError(f"{name} has no actions; it needs one at least")
    try:
        distinct = set(actions)
    except TypeError:
        bad = next(action for action in actions if not is_hashable(action))
        raise SleuthError(f"the actions of {name} are hashable, which {shown(bad)} is not") from None
    if len(distinct) < len(actions):
        twice = next(action for place, action in enumerate(actions) if action in actions[:place])
        raise SleuthError(f"the actions of {name} have {twice!r} twice; give each once")


def _copied(state: Any) -> Any:
    """Return a copy of a state that tells whether it is changed, or the state itself where none can."""
    kind: Any = type(state)
    if kind.__eq__ is object.__eq__:
        return state
    try:
        return deepcopy(state)
    except Exception:  # whatever a class of somebody's raises: then nothing is told
        return state


def _is_same(before: Any, state: Any) -> bool:
    """Say whether a state is as it was, as far as can be told."""
    try:
        return bool(np.all(before == state))
    except Exception:  # as of nested arrays
        return True


def legal_in(problem: SampledPomdp, state: Any) -> Sequence[Any]:
    """Return the actions that may be taken. Raises SleuthError where there are none."""
    legal = problem.legal(state)
    if not is_sequence(legal):
        raise SleuthError(
            f"legal() of {type(problem).__name__} returned {shown(legal)}; it returns a sequence"
        )
    if not len(legal):
        raise SleuthError(f"no action may be taken in state {problem.in_words('state', state)}")
    return legal


def check_legal(problem: SampledPomdp, states: Sequence[Any]) -> None:
    """Raise SleuthError where states that are possible together have other legal actions than the first."""
    if type(problem).legal is SampledPomdp.legal or not states:
        return
    first = legal_in(problem, states[0])
    for state in states:
        if (legal := legal_in(problem, state)) is not first and set(legal) != set(first):
            raise SleuthError(
                f"legal() of {type(problem).__name__} differs between states that are believed in at once,"
                f" {problem.in_words('state', states[0])} and {problem.in_words('state', state)}: it may"
                " depend on what was seen, not on what is hidden"
            )


def _check_action(problem: SampledPomdp, action: Any, by: str, of: Sequence[Any], called: str) -> None:
    """Raise SleuthError for an action that is none of some. by: what returned it. called: what they are."""
    if action not in of:
        some = ", ".join(problem.in_words("action", known) for known in of)
        raise SleuthError(
            f"{by} of {type(problem).__name__} returned {shown(action)}; it returns {called}: {some}"
        )


_OF_THE_PROBLEM, _LEGAL = "actions of the problem", "what may be done there"


def number_of(problem: SampledPomdp, action: Any) -> int:
    """Return the number of an action that legal() returned. Raises SleuthError for none of the problem's."""
    _check_action(problem, action, "legal()", problem.actions, _OF_THE_PROBLEM)
    return problem.actions.index(action)


def preferred_in(problem: SampledPomdp, state: Any, rng: Random) -> Any:
    """Return what a rollout does. Raises SleuthError for what may not be done there."""
    action = problem.prefer(state, rng)
    if type(problem).prefer is SampledPomdp.prefer:
        _check_action(problem, action, "legal()", problem.actions, _OF_THE_PROBLEM)
    else:
        _check_action(problem, action, "prefer()", legal_in(problem, state), _LEGAL)
    return action


def default_in(problem: Defaulting, states: Sequence[Any]) -> Any:
    """Return what the default policy does. Raises SleuthError for what may not be done there."""
    action = problem.default(states)
    sampled: Any = problem
    _check_action(sampled, action, "default()", legal_in(sampled, states[0]), _LEGAL)
    return action


def most_in(problem: Bounded, state: Any) -> float:
    """Return what cannot be surpassed from a state on. Raises SleuthError for no number."""
    found = problem.most(state)
    if not isinstance(found, Real) or isnan(found):
        raise SleuthError(
            f"most() of {type(problem).__name__} returned {shown(found)}; it returns a number, in discounted"
            " rewards"
        )
    return float(found)


def likelihood_in(problem: SampledPomdp, state: Any, action: Any, after: Any, observation: Hashable) -> float:
    """Return how likely an observation is. Raises SleuthError for what is no chance or density."""
    likely: Any = problem
    found = likely.likelihood(state, action, after, observation)
    if not is_weight(found):
        raise SleuthError(
            f"likelihood() of {type(problem).__name__} returned {shown(found)} for"
            f" {problem.in_words('observation', observation)} after {problem.in_words('action', action)}; it"
            " returns a chance or a density, finite and not below zero"
        )
    return float(found)


def came_of(problem: SampledPomdp, state: Any, action: Any, rng: Random) -> tuple[Any, Hashable, float]:
    """Draw what comes of an action: the next state, what is seen, and the reward.

    Raises SleuthError for an observation that is not hashable, a reward outside the range, and no three.
    """
    came = problem.step(state, action, rng)
    try:
        _, seen, reward = came
        hash(seen)
        low, high = problem.rewards
        if low <= reward <= high:
            return came
    except (TypeError, ValueError):  # as of no three, a list that is seen, text, or an array
        pass
    raise _miscame(problem, came)


def _miscame(problem: SampledPomdp, came: Any) -> SleuthError:
    """Return the error of what no step may return."""
    what = f"step() of {type(problem).__name__} returned"
    if not isinstance(came, tuple | list) or len(came) != 3:
        return SleuthError(f"{what} {shown(came)}; it returns the next state, what is seen and the reward")
    _, seen, reward = came
    if not is_hashable(seen):
        return SleuthError(f"{what} {shown(seen)} as what is seen; observations are hashable")
    low, high = problem.rewards
    return SleuthError(
        f"{what} {shown(reward)} as the reward; rewards says that it lies between {low} and {high}"
    )


def stepped(problem: SampledPomdp, state: Any, number: int, rng: Random) -> tuple[Any, Hashable, float]:
    """Draw what comes of an action, by its number: the next state, what is seen, and the reward.

    Raises SleuthError for an action that may not be taken, and what no step may return.
    """
    action = problem.actions[number]
    if action not in problem.legal(state):
        raise SleuthError(f"{problem.in_words('action', action)} may not be done there")
    return came_of(problem, state, action, rng)


def steps_of(problem: SampledPomdp) -> int:
    """Return how many steps a search looks ahead: until the discount leaves less than 0.005, or 100.

    Raises SleuthError where nothing is discounted and a rollout comes to no end: what is found would grow
    with the steps.
    """
    if problem.discount < 1:
        return steps_ahead(problem.discount)
    rng = Random(0)
    state = problem.first(rng)
    for _ in range(_MOST_STEPS):
        if problem.is_terminal(state):
            return _FAR
        state, _, _ = came_of(problem, state, preferred_in(problem, state, rng), rng)
    raise SleuthError(
        f"nothing is discounted, and rollouts come to no end within {_MOST_STEPS} steps: give a discount"
        " below 1, or a depth"
    )


class Sight(NamedTuple):
    """A step of an episode, as who watches it is told. action: its number."""

    state: Any
    action: int
    reward: float
    observation: Hashable
    after: Any


class SampledPlanner(Protocol):
    """What says what to do in a POMDP by draws, and hears what came of it: see Planner."""

    def choose(self) -> int:
        """Return the action to take, by its number."""

    def observe(self, action: int, observation: Any) -> None:
        """Go on after an action, by its number, and what was seen. Raises SleuthError."""


def play_sampled(
    problem: SampledPomdp,
    planner: SampledPlanner,
    rng: Random,
    watch: Callable[[Sight], object] | None = None,
    turns: int | None = None,
) -> float:
    """Return the discounted reward of one episode.

    It ends where play is over or the discount leaves less than a millionth. watch: told of each step. turns:
    after which it ends at the latest. Raises SleuthError for what is no such problem, an action that may not
    be taken, and play that does not end within 10,000 steps.
    """
    check_sampled_pomdp(problem)
    check_play(planner, rng, turns)
    state = problem.first(rng)
    total, weight, played = 0.0, 1.0, 0
    while weight > NEGLIGIBLE and played != turns and not problem.is_terminal(state):
        if played == _MOST_STEPS:
            raise SleuthError(f"play does not end within {_MOST_STEPS} steps")
        number = checked_index("the problem", "action", planner.choose(), len(problem.actions))
        before = state
        state, seen, reward = stepped(problem, state, number, rng)
        total += weight * reward
        if watch is not None:
            watch(Sight(before, number, reward, seen, state))
        if not problem.is_terminal(state):
            planner.observe(number, seen)
        weight *= problem.discount
        played += 1
    return total
