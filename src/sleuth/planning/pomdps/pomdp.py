"""A finite partially observable Markov decision process, given by arrays (Kaelbling et al. 1998)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sleuth.planning.control import TOLERANCE, Weights
from sleuth.support.errors import SleuthError
from sleuth.support.indices import checked_index, checked_numbers, shown
from sleuth.support.ranges import check_number

Places = NDArray[np.int64]
# Values, their sums and squares are floats then.
_MOST_REWARD = 1e100


class Rows(NamedTuple):
    """A sparse matrix by rows: row i has the entries from starts[i] to starts[i + 1].

    starts: int64 [rows + 1]. columns: int64 [entries]. values: float64 [entries].
    """

    starts: Places
    columns: Places
    values: Weights

    def __repr__(self) -> str:
        return f"<Rows: {len(self.starts) - 1} rows, {len(self.columns)} entries>"

    @property
    def rows(self) -> Places:
        """The row of each entry, int64 [entries]."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    @property
    def sums(self) -> Weights:
        """The sum of each row, float64 [rows]."""
        return np.bincount(self.rows, self.values, len(self.starts) - 1).astype(float)


def rows_of(dense: Weights) -> Rows:
    """Return a matrix, float64 [rows, columns], without its zeros."""
    rows, columns = np.nonzero(dense)
    counts = np.bincount(rows, minlength=len(dense))
    starts = np.concatenate([[0], np.cumsum(counts)])
    return Rows(starts.astype(np.int64), columns.astype(np.int64), dense[rows, columns])


def check_pomdp(pomdp: object) -> None:
    """Raise SleuthError for what is no POMDP."""
    if not isinstance(pomdp, POMDP):
        raise SleuthError(
            f"a POMDP is needed here, not a {type(pomdp).__name__}; POMDP.of_arrays and pomdp_of_functions"
            " make one, and pomdp_of_control(problem).pomdp is one of a problem of adaptive control"
        )


@dataclass(frozen=True, eq=False)
class POMDP:
    """States that change by chance with what is done, observations that tell of them, and rewards.

    Play goes on for ever, and rewards are discounted; where it may end, give a state that nothing leaves and
    that brings nothing. A row of a table is action * states + state. Raises SleuthError for what is no POMDP,
    naming the state and the action.

    Attributes:
        transition: how likely each next state is, [actions * states, states].
        observation: how likely each observation is after an action in a next state,
            [actions * states, observations].
        reward: float64 [actions, states]: what an action brings in a state, on average.
        discount: what a reward is worth one step later, in [0, 1).
        initial: float64 [states]: how likely each state is at first.
        states, actions, observations: their names, all different within their kind.

    """

    transition: Rows
    observation: Rows
    reward: Weights
    discount: float
    initial: Weights
    states: tuple[str, ...]
    actions: tuple[str, ...]
    observations: tuple[str, ...]

    def __repr__(self) -> str:
        return (
            f"<POMDP: {len(self.states)} states, {len(self.actions)} actions,"
            f" {len(self.observations)} observations, discount {self.discount:g}>"
        )

    @classmethod
    def of_arrays(
        cls,
        transition: ArrayLike,
        observation: ArrayLike,
        reward: ArrayLike,
        discount: float,
        initial: ArrayLike | None = None,
        *,
        states: Sequence[str] | None = None,
        actions: Sequence[str] | None = None,
        observations: Sequence[str] | None = None,
    ) -> POMDP:
        """Return the POMDP of dense arrays.

        transition: [actions, states, next states]. observation: [actions, next states, observations]. reward:
        [actions, states]. initial: [states], uniform unless given. Names are numbers unless given. Raises
        SleuthError.
        """
        chances, seen = checked_numbers("transition", transition), checked_numbers("observation", observation)
        if chances.ndim != 3 or chances.shape[1] != chances.shape[2]:
            raise SleuthError(f"transition is [actions, states, states], not {list(chances.shape)}")
        if seen.ndim != 3 or seen.shape[:2] != chances.shape[:2]:
            raise SleuthError(
                f"observation is [actions, states, observations] of {list(chances.shape[:2])}, not"
                f" {list(seen.shape)}"
            )
        n_actions, n_states, n_seen = seen.shape
        return cls(
            rows_of(chances.reshape(-1, n_states)),
            rows_of(seen.reshape(-1, n_seen)),
            checked_numbers("reward", reward),
            discount,
            np.full(n_states, 1 / n_states) if initial is None else checked_numbers("initial", initial),
            _names(states, n_states),
            _names(actions, n_actions),
            _names(observations, n_seen),
        )

    def __post_init__(self) -> None:
        for kind in ("states", "actions", "observations"):
            _check_names(kind.removesuffix("s"), getattr(self, kind))
        check_number("the discount of a POMDP", self.discount, least=0, below=1)
        shape = len(self.actions), len(self.states)
        if self.reward.shape != shape:
            raise SleuthError(f"reward is [actions, states], {list(shape)}, not {list(self.reward.shape)}")
        for action, state in np.argwhere(~(np.abs(self.reward) <= _MOST_REWARD))[:1]:
            raise SleuthError(
                f"the reward of {self._at(action, state)} is {self.reward[action, state]}; it must be from"
                f" {-_MOST_REWARD:g} to {_MOST_REWARD:g}"
            )
        self._check("next states", self.transition, len(self.states))
        self._check("observations", self.observation, len(self.observations))
        if self.initial.shape != (len(self.states),):
            raise SleuthError(f"an initial belief has {len(self.states)} chances, one a state")
        if not (self.initial >= 0).all() or not abs(self.initial.sum() - 1) <= TOLERANCE:
            raise SleuthError("an initial belief is a distribution: no chance below zero, the sum one")

    def _check(self, what: str, table: Rows, columns: int) -> None:
        """Raise SleuthError where the rows of a table are no distributions."""
        n_states = len(self.states)
        if len(table.starts) != len(self.actions) * n_states + 1:
            raise SleuthError(f"the table of {what} needs a row for each action and state")
        if len(table.columns) and not (table.columns.min() >= 0 and table.columns.max() < columns):
            raise SleuthError(f"the table of {what} names one that there is not; there are {columns}")
        rows = table.rows
        for entry in np.flatnonzero(~(table.values >= 0))[:1]:
            at = self._at(*divmod(int(rows[entry]), n_states))
            raise SleuthError(
                f"{what} of {at}: a chance is {table.values[entry]}; it is a number from 0 to 1"
            )
        sums = table.sums
        for row in np.flatnonzero(~(np.abs(sums - 1) <= TOLERANCE))[:1]:
            at = self._at(*divmod(int(row), n_states))
            raise SleuthError(
                f"{what} of {at}: the chances add up to {sums[row]:.12g}; they must add up to 1"
            )
        keys = rows * columns + table.columns
        distinct, counts = np.unique(keys, return_counts=True)
        for key in distinct[counts > 1][:1]:
            at = self._at(*divmod(int(key) // columns, n_states))
            name = (self.states if what == "next states" else self.observations)[int(key) % columns]
            raise SleuthError(f"{what} of {at}: {name!r} is listed twice; give each once, with its chance")

    def _at(self, action: int, state: int) -> str:
        return f"action {self.actions[action]!r} in state {self.states[state]!r}"

    def update(self, belief: Weights, action: int, observation: int) -> tuple[Weights, float]:
        """Return the belief, float64 [states], after an action and an observation, and how likely that was.

        Bayes' rule (Kaelbling et al. 1998, section 3.3). Raises SleuthError for what cannot be observed.
        """
        belief = checked_numbers("a belief", belief, self.initial.shape)
        action = checked_index("the POMDP", "action", action, len(self.actions))
        observation = checked_index("the POMDP", "observation", observation, len(self.observations))
        first = action * len(self.states)
        then = np.zeros(len(self.states))
        for state in np.flatnonzero(belief).tolist():
            columns, values = _row(self.transition, first + state)
            then[columns] += belief[state] * values
        for state in np.flatnonzero(then).tolist():
            columns, values = _row(self.observation, first + state)
            then[state] *= values[columns == observation].sum()
        chance = float(then.sum())
        if not chance > 0:
            raise SleuthError(
                f"{self.observations[observation]!r} cannot be observed after {self.actions[action]!r} there"
            )
        return then / chance, chance


def with_observations(
    first: int, source: Places, then: Places, chance: Weights, observation: Rows
) -> tuple[Places, Places, Weights, Places]:
    """Return the ways of an action with what is observed on them: source, next state, chance, observation.

    first: the first row of the action. source, then: int64 [ways]; chance: float64 [ways].
    """
    begin = observation.starts[first + then]
    sizes = observation.starts[first + then + 1] - begin
    way = np.repeat(np.arange(len(then)), sizes)
    entry = np.arange(len(way)) - np.repeat(np.cumsum(sizes) - sizes, sizes) + begin[way]
    values = chance[way] * observation.values[entry]
    return source[way], then[way], values, observation.columns[entry]


def _row(table: Rows, row: int) -> tuple[Places, Weights]:
    part = slice(table.starts[row], table.starts[row + 1])
    return table.columns[part], table.values[part]


def _names(given: Sequence[str] | None, count: int) -> tuple[str, ...]:
    if given is None:
        return tuple(map(str, range(count)))
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise SleuthError(f"names are given as a list, not as {shown(given)}")
    if len(given) != count:
        raise SleuthError(f"{len(given)} names were given for {count}: {', '.join(map(str, given[:3]))}, ...")
    return tuple(given)


def _check_names(kind: str, names: Sequence[Any]) -> None:
    if not names:
        raise SleuthError(f"a POMDP needs a {kind}" if kind == "state" else f"a POMDP needs an {kind}")
    for name in names:
        if not isinstance(name, str):
            raise SleuthError(f"the name of a {kind} is text, not {shown(name)}")
    for name, other in pairwise(sorted(names)):
        if name == other:
            raise SleuthError(f"{kind} {name!r} is listed twice; names differ")
