"""Planning for POMDPs on line: a search from each belief, taken on with what was done and seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from sleuth.planning.belief_tree import BeliefTree, Searched
from sleuth.planning.control import Weights
from sleuth.planning.pomdps.alpha_vectors import AlphaVectors
from sleuth.planning.pomdps.modelled import ModelledPomdp, check_modelled
from sleuth.planning.pomdps.pomdp import POMDP, Rows, check_pomdp
from sleuth.planning.samplers import Sampler
from sleuth.planning.simulation import NEGLIGIBLE
from sleuth.support.errors import SleuthError
from sleuth.support.indices import checked_index, shown
from sleuth.support.progress import Watch
from sleuth.support.ranges import check_limits, check_number, check_seed


class Planner(Protocol):
    """A search that says what to do, and hears what came of it. Actions and observations are numbers."""

    def choose(self) -> int:
        """Return the action to take."""

    def observe(self, action: int, observation: int) -> None:
        """Go on after an action and an observation. Raises SleuthError for what cannot be observed."""


class Choice(Protocol):
    """What a search found."""

    @property
    def action(self) -> int:
        """The action to take."""


@runtime_checkable
class Searching(Planner, Protocol):
    """A planner that searches from each belief, and so long as it may."""

    def search(self, seconds: float | None = None, progress: Watch | None = None) -> Choice:
        """Search from here. seconds: at most, in place of those that it was made with.

        progress: told of the simulations or trials done. On Ctrl-C raises Interrupted, whose `known` is what
        is known by then.
        """


@dataclass(frozen=True)
class Planners:
    """What a method makes for a POMDP, once, to play many episodes with.

    Attributes:
        new: of a seed: a planner that begins at the initial belief; those made before are done with then, as
            it may take over their memory.
        bounds: what is proven of the optimal value, where the method plans before play.

    """

    new: Callable[[int], Planner]
    bounds: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        """Raise SleuthError for what makes no planners."""
        if not callable(self.new):
            raise SleuthError(
                f"Planners takes a function of a seed, which returns a planner, not {shown(self.new)}"
            )


class TreePlanner:
    """Action Value Tree Search over beliefs, for so many simulations or seconds a decision."""

    kind = Searched

    def __init__(
        self,
        modelled: ModelledPomdp,
        simulations: int | None = None,
        seconds: float | None = None,
        sampler: Sampler | None = None,
        seed: int = 0,
    ) -> None:
        """Begin at the initial belief. sampler: Thompson (unless given), Uct or Puct; seed: of its draws."""
        check_modelled(modelled)
        check_limits("simulations", simulations, seconds, least=0)
        self._modelled = modelled
        self._limits = simulations, seconds
        self._tree = BeliefTree(modelled, sampler, seed)
        self._at = modelled.root

    def begin(self, seed: int) -> None:
        """Begin anew at the initial belief, in the memory that there is: memory takes time to come by."""
        self._tree.begin(seed)
        self._at = self._modelled.root

    def search(self, seconds: float | None = None, progress: Watch | None = None) -> Searched:
        """Search from here; see Searching."""
        simulations, limit = self._limits
        return self._tree.run(simulations, limit if seconds is None else seconds, progress)

    def choose(self) -> int:
        """Return the best action found."""
        return int(self.search().action)

    def observe(self, action: int, observation: int) -> None:
        """Take the tree on. Raises SleuthError for what cannot be observed."""
        self._at = self._modelled.after(*self._at, action, observation)
        self._tree.move(*self._at)


class VectorPlanner:
    """A policy of alpha vectors, followed as a graph: it is worth what its first vector says, at least."""

    def __init__(self, pomdp: POMDP, policy: AlphaVectors) -> None:
        """Begin with the best vector. Raises SleuthError where none speaks of the initial belief."""
        self._vectors = policy.vectors
        self._at, _ = policy.best(pomdp.initial)

    def choose(self) -> int:
        """Return the action of the vector."""
        return self._vectors[self._at].action

    def observe(self, action: int, observation: int) -> None:
        """Go on to the vector for what was seen."""
        self._at = self._vectors[self._at].then[observation]


class QmdpPlanner:
    """QMDP (Littman et al. 1995): the best action if the state were seen from the next step on."""

    def __init__(self, modelled: ModelledPomdp, values: Weights) -> None:
        """Begin at the initial belief. values: as hsvi.qmdp_values has them."""
        self._modelled, self._values = modelled, values
        self._at = modelled.root

    def choose(self) -> int:
        """Return the action of the largest value under the belief; the first of several."""
        (part, belief), layout = self._at, self._modelled.parts.layout
        choices = range(layout.choice[part], layout.choice[part + 1])
        begins = layout.reward[slice(*layout.choice[part : part + 2])]
        worths = [float(self._values[begin : begin + len(belief)] @ belief) for begin in begins]
        return self._modelled.action(choices[int(np.argmax(worths))])

    def observe(self, action: int, observation: int) -> None:
        """Go on. Raises SleuthError for what cannot be observed."""
        self._at = self._modelled.after(*self._at, action, observation)


class RandomPlanner:
    """Any action, each as likely."""

    def __init__(self, pomdp: POMDP, seed: int) -> None:
        check_pomdp(pomdp)
        check_seed(seed)
        self._actions, self._rng = range(len(pomdp.actions)), Random(f"random/{seed}")

    def choose(self) -> int:
        """Return an action."""
        return self._rng.choice(self._actions)

    def observe(self, action: int, observation: int) -> None:
        """Learn nothing."""


class Move(NamedTuple):
    """A step of an episode, as who watches it is told: by numbers of states, actions and observations."""

    state: int
    action: int
    reward: float
    observation: int
    after: int


def decide(planner: Planner, seconds: float | None) -> int:
    """Return the action that a planner takes. seconds: for that, where it searches.

    Raises SleuthError where a search returns something without an action.
    """
    if not isinstance(planner, Searching):
        return planner.choose()
    found = planner.search(seconds)
    if not hasattr(found, "action"):
        raise SleuthError(
            f"{type(planner).__name__}.search() returned {shown(found)}; it returns what has an action"
        )
    return found.action


def check_planner(planner: object) -> None:
    """Raise SleuthError for what is no planner."""
    if not (hasattr(planner, "choose") and hasattr(planner, "observe")):
        raise SleuthError(
            f"a planner has choose() and observe(), which a {type(planner).__name__} has not; TreePlanner,"
            " Pomcp and Despot have them"
        )


def check_play(planner: object, rng: object, turns: object = None) -> None:
    """Raise SleuthError for what no episode can be played by: no planner, no Random, less than one turn."""
    if turns is not None:
        check_number("turns", turns, least=1, whole=True)
    if not isinstance(rng, Random):
        raise SleuthError(f"an episode is drawn by a random.Random, not {shown(rng)}")
    check_planner(planner)


def play(
    pomdp: POMDP,
    planner: Planner,
    rng: Random,
    watch: Callable[[Move], object] | None = None,
    turns: int | None = None,
) -> float:
    """Return the discounted reward of one episode.

    It ends where the discount leaves less than a millionth, or where nothing more can come. watch: told of
    each step. turns: after which it ends at the latest. Raises SleuthError for what is no POMDP or no
    planner, and for less than one turn.
    """
    check_pomdp(pomdp)
    check_play(planner, rng, turns)
    states = range(len(pomdp.states))
    (state,) = rng.choices(states, pomdp.initial.tolist())
    total, weight, played = 0.0, 1.0, 0
    while weight > NEGLIGIBLE and played != turns and not ends(pomdp, state):
        action = checked_index("the problem", "action", planner.choose(), len(pomdp.actions))
        reward = float(pomdp.reward[action, state])
        total += weight * reward
        row, before = action * len(states), state
        state = drawn_from(pomdp.transition, row + state, rng)
        seen = drawn_from(pomdp.observation, row + state, rng)
        if watch is not None:
            watch(Move(before, action, reward, seen, state))
        if not ends(pomdp, state):
            planner.observe(action, seen)
        weight *= pomdp.discount
        played += 1
    return total


def ends(pomdp: POMDP, state: int) -> bool:
    """Say whether no action brings anything in a state or leaves it."""
    if pomdp.reward[:, state].any():
        return False
    table, n = pomdp.transition, len(pomdp.states)
    starts = [
        table.starts[action * n + state : action * n + state + 2] for action in range(len(pomdp.actions))
    ]
    return all(table.columns[slice(*both)].tolist() == [state] for both in starts)


def drawn_from(table: Rows, row: int, rng: Random) -> int:
    """Return a column of a table, drawn by the chances in a row."""
    part = slice(*table.starts[row : row + 2])
    (drawn,) = rng.choices(table.columns[part].tolist(), table.values[part].tolist())
    return int(drawn)
