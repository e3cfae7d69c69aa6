"""Problems of adaptive control drawn at random, for tests."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from sleuth.planning.control import ListedControl


class Table(ListedControl):
    """A problem by table: laws[parameter][state][control] lists (weight, next state), costs likewise."""

    initial_state: Any = 0

    def __init__(
        self,
        laws: Sequence[Sequence[Sequence[Sequence[tuple[float, int]]]]],
        costs: Sequence[Sequence[Sequence[float]]],
        prior: list[int],
        horizon: int | None,
        discount: float = 1.0,
        final: Sequence[float] | None = None,
        terminal: tuple[int, ...] = (),
    ) -> None:
        self.parameters: Sequence[Any] = range(len(laws))
        self.laws, self.costs, self.horizon, self.discount = laws, costs, horizon, discount
        self.weights, self.final, self.terminal = prior, final, terminal

    @property
    def prior(self) -> NDArray[np.float64]:
        return np.array(self.weights, float) / sum(self.weights)

    def controls(self, state: Any) -> range:
        return range(len(self.laws[0][state]))

    def outcomes(self, state: Any, parameter: int, control: int) -> Sequence[tuple[float, Any]]:
        law = self.laws[parameter][state][control]
        total = sum(weight for weight, _ in law)
        return [(weight / total, then) for weight, then in law]

    def cost(self, state: Any, parameter: int, control: int, after: Any) -> float:
        return self.costs[parameter][state][control] + after / 2

    def is_terminal(self, state: Any) -> bool:
        return state in self.terminal

    def final_cost(self, state: Any) -> float:
        return 0.0 if self.final is None else self.final[state]


SHORT, UNDISCOUNTED = st.integers(0, 3), st.just(1.0)


@st.composite
def problems(
    draw: st.DrawFn,
    horizon: st.SearchStrategy[int] | st.SearchStrategy[None] = SHORT,
    discount: st.SearchStrategy[float] = UNDISCOUNTED,
    max_controls: int = 2,
) -> Table:
    """Two or three parameters, states and controls, some laws certain, some controls useless."""
    parameters, states = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    controls = [draw(st.integers(1, max_controls)) for _ in range(states)]
    weights = st.integers(0, 2)

    def law() -> list[tuple[int, int]]:
        found = [(draw(weights), then) for then in range(states)]
        return found if any(weight for weight, _ in found) else [(1, draw(st.integers(0, states - 1)))]

    laws = [[[law() for _ in range(n)] for n in controls] for _ in range(parameters)]
    costs = [[[draw(st.integers(-3, 3)) for _ in range(n)] for n in controls] for _ in range(parameters)]
    prior = draw(st.lists(st.integers(0, 3), min_size=parameters, max_size=parameters).filter(any))
    final = draw(st.lists(st.integers(-2, 2), min_size=states, max_size=states))
    terminal = draw(st.sampled_from([(), (states - 1,)]))
    return Table(laws, costs, prior, draw(horizon), draw(discount), final, terminal)
