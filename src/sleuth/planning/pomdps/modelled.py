"""POMDPs as models for tree search in kernels (kernels/belief_tree.py)."""

from __future__ import annotations

from copy import copy
from functools import cached_property

import numpy as np

from sleuth.kernels.belief_tree import Model
from sleuth.kernels.hsvi import Layout
from sleuth.planning.control import Weights
from sleuth.planning.pomdps.hsvi import HSVI, blind_values, informed_values
from sleuth.planning.pomdps.parts import Parts, parts_of
from sleuth.planning.pomdps.pomdp import POMDP, check_pomdp
from sleuth.support.errors import SleuthError
from sleuth.support.indices import checked_belief, checked_index, checked_numbers, shown
from sleuth.support.ranges import check_number


def check_modelled(modelled: object) -> None:
    """Raise SleuthError for what is no POMDP laid out."""
    if not isinstance(modelled, ModelledPomdp):
        raise SleuthError(
            f"the search takes a ModelledPomdp, not a {type(modelled).__name__}; ModelledPomdp(pomdp) makes"
            " one"
        )


def check_planned(modelled: ModelledPomdp, planned: object) -> None:
    """Raise SleuthError for what is no HSVI of the same POMDP: kernels read one by the other."""
    if not isinstance(planned, HSVI):
        raise SleuthError(f"what was planned is an HSVI, not {shown(planned)}; HSVI(pomdp) makes one")
    if planned.pomdp is not modelled.pomdp:
        raise SleuthError("what was planned is of another POMDP; HSVI(modelled.pomdp) plans for this one")


class ModelledPomdp:
    """A POMDP in parts with limits of its values: all of it is laid out at once.

    Attributes:
        pomdp, parts: the POMDP.
        model: as kernels take it. Parts that nothing leaves and that bring nothing are the end of play.
        discount: the POMDP's.

    """

    def __repr__(self) -> str:
        return f"<ModelledPomdp: {self.pomdp!r}>"

    def __init__(self, pomdp: POMDP, limits: tuple[float, float] | None = None) -> None:
        """Lay out a POMDP.

        limits: no policy gets less or more from any state on; estimates are then a step ahead of the upper
        one. Unless given, they come from the POMDP: the best action for ever, and the fast informed bound,
        which is the estimate, too. Raises SleuthError for what is no POMDP, and limits that are none.
        """
        check_pomdp(pomdp)
        self.pomdp = pomdp
        self.discount = pomdp.discount
        self.parts: Parts = parts_of(pomdp)
        layout = self.parts.layout
        if limits is None:
            most = informed_values(pomdp, layout)
            least = max(blind_values(pomdp, layout), key=self._at_first)
            estimate = np.empty(0)
        else:
            lowest, highest = checked_numbers("limits", limits, (2,)).tolist()
            if not lowest <= highest or not np.isfinite([lowest, highest]).all():
                raise SleuthError(
                    f"limits of values from {lowest:g} to {highest:g}: numbers, the lower one first"
                )
            estimate = layout.rewards + pomdp.discount * highest
            most = np.full(len(estimate), float(highest))
            least = np.full(layout.first[-1], float(lowest))
        self._highest = estimate if estimate.size else most
        first = layout.first[:-1]
        parts = np.stack([np.diff(layout.first), layout.choice[:-1], np.diff(layout.choice), first], axis=1)
        choices = np.stack([layout.way[:-1], np.diff(layout.way), layout.reward], axis=1)
        then = np.where(self._over[layout.to], -1, layout.to)
        ways = np.stack([then, layout.step[:-1], layout.step[1:]], axis=1)
        self.model = Model(
            parts,
            choices,
            ways,
            layout.rewards,
            most,
            estimate,
            least,
            layout.source,
            layout.target,
            layout.chance,
        )

    def with_optimism(self, optimism: float) -> ModelledPomdp:
        """Return it with other estimates of what was not searched yet, laid out once for both.

        optimism: how far they lie from the lower limit, 0, up to where they are without this, 1.
        Optimists prove what they find; where decisions are short and information costs little, they go on
        asking. Raises SleuthError for others.
        """
        check_number("optimism", optimism, least=0, most=1)
        model = self.model
        estimate = _between(self.parts.layout, self.discount, model.least, self._highest, optimism)
        other = copy(self)
        other.model = model._replace(estimate=estimate)
        return other

    def _at_first(self, values: Weights) -> float:
        begin = self.parts.layout.first[self.parts.root]
        return float(values[begin : begin + len(self.parts.belief)] @ self.parts.belief)

    @cached_property
    def _over(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Of each part, whether nothing leaves it and it brings nothing: bool [parts]."""
        layout = self.parts.layout
        of_choice = np.repeat(np.arange(len(layout.first) - 1), np.diff(layout.choice))
        of_way = np.repeat(of_choice, np.diff(layout.way))
        moves = np.zeros(len(layout.first) - 1, bool)
        moves[of_way[layout.to != of_way]] = True
        for choice, part in enumerate(of_choice.tolist()):
            begin = layout.reward[choice]
            if layout.rewards[begin : begin + layout.first[part + 1] - layout.first[part]].any():
                moves[part] = True
        return ~moves

    @property
    def root(self) -> tuple[int, Weights]:
        """The part of the initial belief, and it, float64 [states of the part]."""
        return self.parts.root, self.parts.belief

    def laid_out(self, part: int) -> None:
        """Lay out the law of a part: that is done."""

    def action(self, choice: int) -> int:
        """Return the action of a choice, by its number."""
        return int(self.parts.actions[choice])

    def is_over(self, part: int) -> bool:
        """Say whether play is over in a part."""
        return bool(self._over[part])

    def after(self, part: int, belief: Weights, action: int, observation: int) -> tuple[int, Weights]:
        """Return the part and the belief after an action and an observation, by their numbers.

        Raises SleuthError for what cannot be observed.
        """
        layout, pomdp = self.parts.layout, self.pomdp
        part = checked_index("the POMDP", "part", part, len(self.parts.members))
        belief = checked_belief(belief, len(self.parts.members[part]))
        action = checked_index("the POMDP", "action", action, len(pomdp.actions))
        observation = checked_index("the POMDP", "observation", observation, len(pomdp.observations))
        choice = layout.choice_of[part, action]
        for way in range(layout.way[choice], layout.way[choice + 1]):
            if self.parts.seen[way] == observation:
                to = int(layout.to[way])
                steps = slice(layout.step[way], layout.step[way + 1])
                weights = belief[layout.source[steps]] * layout.chance[steps]
                then = np.bincount(layout.target[steps], weights, len(self.parts.members[to])).astype(float)
                if (total := then.sum()) > 0:
                    return to, then / total
        seen, done = pomdp.observations[observation], pomdp.actions[action]
        raise SleuthError(f"{seen!r} cannot be observed after {done!r} there")


def _between(layout: Layout, discount: float, least: Weights, most: Weights, optimism: float) -> Weights:
    """Return estimates of each choice in each state, as most: from a step ahead of the least up to it."""
    choice_of_way = np.repeat(np.arange(len(layout.way) - 1), np.diff(layout.way))
    way_of_step = np.repeat(np.arange(len(layout.to)), np.diff(layout.step))
    place = layout.reward[choice_of_way[way_of_step]] + layout.source
    ahead = layout.chance * least[layout.first[layout.to[way_of_step]] + layout.target]
    below = layout.rewards + discount * np.bincount(place, ahead, len(most))
    between: Weights = optimism * most + (1 - optimism) * below
    return between
