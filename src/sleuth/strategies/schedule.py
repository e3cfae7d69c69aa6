"""A strategy for each turn (the time-varying strategy that Short 2022 proposes in section 5)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from sleuth.games.frontier import Frontier, Indices
from sleuth.games.strategy import BatchStrategy
from sleuth.strategies.chooser import batched
from sleuth.strategies.heuristics import InformationGain
from sleuth.support.errors import StrategyError


@dataclass(frozen=True)
class Schedule(BatchStrategy):
    """Play the first strategy on turn 1, the second on turn 2, and the last from its turn on.

    Attributes:
        turns: the strategies, one or more.

    """

    turns: tuple[BatchStrategy, ...] = field(default_factory=lambda: (InformationGain(),))
    name: ClassVar[str] = "schedule"

    def __post_init__(self) -> None:
        if not self.turns:
            raise StrategyError("a schedule needs at least one strategy")
        object.__setattr__(self, "turns", tuple(map(batched, self.turns)))

    @property
    def stationary(self) -> bool:
        return len(self.turns) == 1 and self.turns[0].stationary

    @property
    def markov(self) -> bool:
        return all(strategy.markov for strategy in self.turns)

    def best(self, frontier: Frontier, k: int) -> Indices:
        return self.turns[min(frontier.turn, len(self.turns)) - 1].best(frontier, k)
