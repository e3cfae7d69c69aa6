"""Bayes' rule over the states of a POMDP, by its tables."""

from __future__ import annotations

import numpy as np

from sleuth.planning.control import Weights
from sleuth.planning.pomdps.pomdp import POMDP, Rows
from sleuth.support.errors import SleuthError


def filtered(pomdp: POMDP, belief: Weights, action: int, observation: int) -> Weights:
    """Return the belief, float64 [states], after an action and an observation, by their numbers.

    Raises SleuthError for what cannot be observed.
    """
    n = len(pomdp.states)
    rows, columns, chances = _of_action(pomdp.transition, action, n)
    ahead = np.bincount(columns, belief[rows] * chances, n).astype(float)
    rows, columns, chances = _of_action(pomdp.observation, action, n)
    told = columns == observation
    then = ahead * np.bincount(rows[told], chances[told], n)
    if not (total := float(then.sum())) > 0:
        seen, done = pomdp.observations[observation], pomdp.actions[action]
        raise SleuthError(f"{seen!r} cannot be observed after {done!r} there")
    return then / total


def _of_action(table: Rows, action: int, states: int) -> Rows:
    """Return the entries of an action: their states, in place of where rows begin, columns and values."""
    starts = table.starts[action * states : (action + 1) * states + 1]
    part = slice(int(starts[0]), int(starts[-1]))
    return Rows(np.repeat(np.arange(states), np.diff(starts)), table.columns[part], table.values[part])
