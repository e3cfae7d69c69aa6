"""Problems of adaptive control as models for tree search in kernels, and the search as a policy."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sleuth.kernels.belief_tree import Model
from sleuth.planning.belief_tree import BeliefTree
from sleuth.planning.control import ListedControl, Weights, check_control
from sleuth.planning.laws import Laws
from sleuth.planning.oracle import Oracle
from sleuth.planning.samplers import Sampler, Thompson
from sleuth.planning.situation import Situation, check_situation, is_over, start
from sleuth.support.errors import SleuthError
from sleuth.support.ranges import check_limits


class ModelledControl:
    """A problem whose outcomes can be listed, laid out state by state; a part is a state with its stage.

    Limits are those of Laws: of perfect information, and of a policy that goes by the state alone. Values are
    costs with the sign turned.

    Attributes:
        problem: the problem.
        laws: its laws, by number.
        discount: the problem's.
        model: what is laid out so far, as kernels take it.

    """

    def __init__(self, problem: ListedControl, oracle: Oracle) -> None:
        """Lay out the first state. Raises SleuthError for what is no listed problem, or no oracle."""
        check_control(problem)
        self.problem, self.discount = problem, problem.discount
        self.laws = Laws(problem, oracle)
        self._width = len(problem.parameters)
        self._same = np.empty(0, np.int64)
        self.laid_out(self.root[0])

    @property
    def root(self) -> tuple[int, Weights]:
        """The part of the first state, and the prior, float64 [parameters]."""
        return self.place(start(self.problem))

    def place(self, situation: Situation) -> tuple[int, Weights]:
        """Return the part of a situation and its belief, float64 [parameters]."""
        part = self.laws.number(situation.state, situation.stage)
        return part, situation.belief.full(self._width)

    def laid_out(self, part: int) -> None:
        """Lay out the law of a part, if it is not. Raises SleuthError for bad chances."""
        self.laws.laid_out(part)
        law, width = self.laws.law, self._width
        if len(self._same) < law.likelihoods.size:
            self._same = np.tile(np.arange(width), len(law.likelihoods))
        first, controls, row, rows = law.states[: len(self.laws.states)].T
        parts = np.stack(
            [np.full(len(first), width), first, controls, np.where(rows > 0, row * width, -1)], axis=1
        )
        values = np.arange(len(law.controls)) * width
        then, likelihood = law.ways.T
        self.model = Model(
            parts,
            np.column_stack([law.controls, values]),
            np.stack([then, likelihood * width, (likelihood + 1) * width], axis=1),
            law.rewards.reshape(-1),
            law.bounds.reshape(-1),
            np.empty(0),
            law.lower.reshape(-1),
            self._same,
            self._same,
            law.likelihoods.reshape(-1),
        )

    def action(self, choice: int) -> Any:
        """Return the control of a choice."""
        firsts, counts = self.model.parts[:, 1], self.model.parts[:, 2]
        (part,) = np.flatnonzero((firsts >= 0) & (firsts <= choice) & (choice < firsts + counts))
        return self.laws.controls[part][choice - int(firsts[part])]


@dataclass(eq=False)
class TreePolicy:
    """Search over beliefs in kernels for so many simulations or seconds a decision.

    The tree is kept from decision to decision.

    Attributes:
        problem: its outcomes can be listed.
        oracle: the optimal costs under each parameter.
        simulations, seconds: limits of a decision; one of them at least.
        sampler: Thompson, Uct or Puct.
        seed: of its draws.

    """

    problem: ListedControl
    oracle: Oracle
    simulations: int | None = None
    seconds: float | None = None
    sampler: Sampler = field(default_factory=Thompson)
    seed: int = 0
    _tree: BeliefTree = field(init=False, repr=False)
    _modelled: ModelledControl = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_limits("simulations", self.simulations, self.seconds, least=0)
        self._modelled = ModelledControl(self.problem, self.oracle)
        self._tree = BeliefTree(self._modelled, self.sampler, self.seed)

    def begin(self, seed: int) -> None:
        """Begin an episode, see begin_episode."""
        self._tree.begin(self.seed + seed)

    def choose(self, situation: Situation) -> Any:
        """Return the best control found. Raises SleuthError where nothing is left to do."""
        check_situation(situation)
        if is_over(self.problem, situation):
            raise SleuthError("nothing is left to do there")
        self._tree.move(*self._modelled.place(situation))
        return self._tree.run(self.simulations, self.seconds).action
