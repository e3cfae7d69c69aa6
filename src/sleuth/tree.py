"""The decision tree of a strategy: its guess after every feedback, for every answer.

Trees are the exchange format: strategies are measured, compared, exported and checked as trees.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from sleuth.errors import StrategyError
from sleuth.frontier import Frontier, Indices
from sleuth.games.game import Game
from sleuth.parallel import even_slices
from sleuth.position import Position
from sleuth.strategies.base import Strategy, choose_all

MAX_DEPTH = 100
"""Turns after which a strategy is held to go round in circles, where a game does not allow more."""
_PARTS = 20


Progress = Callable[[int, int, int], None]


@dataclass(frozen=True, eq=False)
class DecisionTree:
    """What a strategy does in a game, node by node, parents before children.

    A right guess has no child. A node is a guess to be made; nodes are in order of turn.

    Attributes:
        game: the game.
        guess: int32 [nodes]: the guess at each node.
        parent: int32 [nodes]: the node before it, -1 at the root.
        code: int32 [nodes]: the feedback to the parent's guess that leads here, -1 at the root.
        name: what plays so, for people.

    """

    game: Game
    guess: Indices
    parent: Indices
    code: Indices
    name: str = ""

    def __repr__(self) -> str:
        return f"<DecisionTree {self.name or 'of'} {self.game.name}: {len(self.guess)} nodes>"

    @classmethod
    def build(
        cls,
        strategy: Strategy,
        game: Game,
        opener: str | None = None,
        name: str | None = None,
        progress: Progress | None = None,
        position: Position | None = None,
    ) -> DecisionTree:
        """Return the tree of a strategy, by recursion over candidate sets, a level at a time.

        opener: the first guess, else the strategy's own. position: where play begins, else the start; the
        tree is then one of the game with the candidates as its answers and the turns that are left.
        progress: called with the turn, the answers whose guess of that turn is chosen, and all those left
        at that turn. Raises UnknownGuessError, StrategyError (a guess that the mode forbids, or a strategy
        that never finds some answer).
        """
        guess: list[Indices] = []
        parent: list[Indices] = []
        code: list[Indices] = []
        start = Position.start(game) if position is None else position
        frontier = Frontier.of(start)
        parents = codes = np.array([-1], np.int32)
        first = 0
        last = max(MAX_DEPTH, game.max_turns)
        while len(frontier):
            if frontier.turn > last:
                words = ", ".join(next(frontier.positions()).words[:5])
                raise StrategyError(f"{strategy.name} does not find {words} within {last} guesses")
            if frontier.turn == start.turn and opener is not None:
                chosen = np.array([game.find(opener)], np.int32)
            else:
                chosen = _choose(strategy, frontier, progress)
            children = frontier.after(chosen)
            guess.append(chosen)
            parent.append(parents)
            code.append(codes)
            parents, codes = children.parent + np.int32(first), children.codes
            first += len(chosen)
            frontier = children.frontier
        return cls(
            game if position is None else position.as_game(),
            np.concatenate(guess),
            np.concatenate(parent),
            np.concatenate(code),
            strategy.name if name is None else name,
        )

    @property
    def opener(self) -> str:
        """The first guess."""
        return self.game.guesses[int(self.guess[0])]

    @cached_property
    def turn(self) -> Indices:
        """int32 [nodes]: the number of each node's guess, from 1."""
        turns = np.ones(len(self.guess), np.int32)
        for node in range(1, len(turns)):
            turns[node] = turns[self.parent[node]] + 1
        return turns

    @cached_property
    def children(self) -> list[dict[int, int]]:
        """For each node, the child that each feedback leads to."""
        out: list[dict[int, int]] = [{} for _ in self.guess]
        for node in range(1, len(self.guess)):
            out[self.parent[node]][int(self.code[node])] = node
        return out

    @cached_property
    def turns(self) -> Indices:
        """int32 [answers]: the guesses each answer takes.

        An answer that no guess can name counts as found when it is the only one left.
        """
        turns = np.zeros(len(self.game.answers), np.int32)
        at = np.zeros(len(turns), np.int32)
        active = np.arange(len(turns))
        lookup = {(int(p), int(c)): n for n, (p, c) in enumerate(zip(self.parent, self.code, strict=True))}
        while len(active):
            turns[active] += 1
            guesses = self.guess[at[active]]
            codes = self.game.feedback[guesses, active]
            after = [lookup.get(key, -1) for key in zip(at[active].tolist(), codes.tolist(), strict=True)]
            at[active] = after
            active = active[at[active] >= 0]
        return turns

    def report(self) -> Report:
        """Return how good the tree is."""
        return Report.of(self.game, self.turns)


def _choose(strategy: Strategy, frontier: Frontier, progress: Progress | None) -> Indices:
    """Return the guess of every set, int32 [sets], reporting progress between parts of the frontier."""
    if progress is None:
        return choose_all(strategy, frontier)
    chosen: list[Indices] = []
    total = int(frontier.sizes.sum())
    for part in even_slices(frontier.sizes, _PARTS):
        chosen.append(choose_all(strategy, frontier.take(np.arange(part.start, part.stop))))
        progress(frontier.turn, int(frontier.starts[part.stop]), total)
    return np.concatenate(chosen)


@dataclass(frozen=True, eq=False)
class Report:
    """How good a strategy is over all answers of a game.

    Attributes:
        answers: how many there are.
        solved: how many are found within the game's max_turns.
        failures: how many are not. They count with all their guesses in total and mean.
        total: guesses, summed over the answers.
        mean: guesses, expected under the prior.
        worst: the most guesses any answer takes.
        histogram: answers by number of guesses.
        turns: int32 [answers]: the guesses each answer takes.

    """

    answers: int
    solved: int
    failures: int
    total: int
    mean: float
    worst: int
    histogram: dict[int, int]
    turns: Indices = field(repr=False)

    @classmethod
    def of(cls, game: Game, turns: Indices) -> Report:
        """Return the report of the guesses that each answer takes, int32 [answers]."""
        numbers, counts = np.unique(turns, return_counts=True)
        failures = int((turns > game.max_turns).sum())
        total = int(turns.sum())
        # Under the uniform prior the mean is exactly total / answers.
        mean = total / len(turns) if game.is_uniform else float(turns @ game.prior)
        return cls(
            len(turns),
            len(turns) - failures,
            failures,
            total,
            mean,
            int(turns.max()),
            dict(zip(numbers.tolist(), counts.tolist(), strict=True)),
            turns,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain values, without the turns of each answer."""
        return {
            "answers": self.answers,
            "solved": self.solved,
            "failures": self.failures,
            "total": self.total,
            "mean": self.mean,
            "worst": self.worst,
            "histogram": {str(turns): count for turns, count in self.histogram.items()},
        }
