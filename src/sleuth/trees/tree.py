"""The decision tree of a strategy: its guess after every feedback, for every answer.

Trees are the exchange format: strategies are measured, compared, exported and checked as trees.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from sleuth.games.frontier import Indices
from sleuth.games.game import Game
from sleuth.games.players import Playable, as_player
from sleuth.games.position import Position
from sleuth.games.strategy import Player
from sleuth.support.by_value import ByValue
from sleuth.support.errors import TreeError
from sleuth.support.indices import checked_indices
from sleuth.support.registry import Registry
from sleuth.support.shown import Shown
from sleuth.support.tabled import Tabled
from sleuth.trees.growing import Stems, TurnProgress, grow_by_parts, grow_whole

_FILES: Registry[Callable[..., Any]] = Registry("way between trees and files")
_FILES.register("save", "sleuth.trees.formats:write", "writes a tree")
_FILES.register("read", "sleuth.trees.formats:read", "reads one")


@dataclass(frozen=True, eq=False)
class DecisionTree(ByValue, Shown, Tabled):
    """What a strategy does in a game, node by node, parents before children.

    A right guess has no child. A node is a guess to be made; nodes are in order of turn. Raises TreeError for
    arrays that are none of a tree of the game; check_tree says whether it is a good one.

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

    def __post_init__(self) -> None:
        for name in ("guess", "parent", "code"):
            array = checked_indices("a tree", name, getattr(self, name), 2**31, least=-1, error=TreeError)
            object.__setattr__(self, name, array)
        guess, parent, code, game = self.guess, self.parent, self.code, self.game
        if not 0 < len(guess) == len(parent) == len(code):
            raise TreeError(
                "the arrays guess, parent and code of a tree need one positive length, not"
                f" {len(guess)}, {len(parent)} and {len(code)}"
            )
        if (parent[0], code[0]) != (-1, -1):
            raise TreeError(f"node 0 is the root: its parent and code are -1, not {parent[0]} and {code[0]}")
        guesses, codes, before = len(game.guesses), game.rules.n_codes, np.arange(1, len(parent))
        for what, values, below, allowed in (
            ("guess number", guess, guesses, f"{game.name} has 0 to {guesses - 1}"),
            ("parent", parent[1:], before, "parents come before their children"),
            ("feedback number", code[1:], codes, f"{game.name} has 0 to {codes - 1}"),
        ):
            bad = np.flatnonzero((values < 0) | (values >= below))
            if len(bad):
                node = len(guess) - len(values) + int(bad[0])
                raise TreeError(f"node {node} has {what} {values[bad[0]]}; {allowed}")

    def __repr__(self) -> str:
        return f"<DecisionTree {self.name or 'of'} {self.game.name}: {len(self.guess)} nodes>"

    @classmethod
    def build(
        cls,
        strategy: Playable,
        game: Game,
        opener: str | None = None,
        name: str | None = None,
        progress: Callable[[TurnProgress], None] | None = None,
        position: Position | None = None,
    ) -> DecisionTree:
        """Return the tree of a strategy, by recursion over candidate sets, a level at a time.

        opener: the first guess, else the strategy's own. position: where play begins, else the start; the
        tree is then one of the game with the candidates as its answers and the turns that are left.
        progress: told how far a turn is. Raises UnknownGuessError, StrategyError (a guess that the mode
        forbids, or a strategy that never finds some answer); on Ctrl-C Interrupted, whose `known` is what is
        Unfinished.
        """
        player: Player = as_player(strategy)
        start = Position.start(game) if position is None else position
        grow = grow_by_parts if start.game.is_large else grow_whole
        nodes, turns = grow(player, Stems.of(start), opener, progress)
        tree = cls(
            game if position is None else position.as_game(),
            nodes.guess,
            nodes.parent,
            nodes.code,
            player.name if name is None else name,
        )
        vars(tree)["turns"] = turns[start.candidates]
        return tree

    @classmethod
    def read(cls, path: Path | str, game: Game) -> DecisionTree:
        """Return the tree of a game in a file (.json, or Selby's .txt), checked. Raises TreeError."""
        found: DecisionTree = _FILES.load("read")(Path(path), game)
        return found

    def save(self, path: Path | str) -> None:
        """Write the tree as the suffix says: .json and .txt can be read back, .html and .dot cannot.

        Raises TreeError.
        """
        _FILES.load("save")(self, Path(path))

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
            # Under rules such as those of WrappedRules the code alone does not tell a right guess.
            missed = self.game.guess_answer[guesses] != active
            active, guesses = active[missed], guesses[missed]
            codes = self.game.feedback_of(guesses, active)
            after = [lookup.get(key, -1) for key in zip(at[active].tolist(), codes.tolist(), strict=True)]
            at[active] = after
            active = active[at[active] >= 0]
        return turns

    def report(self) -> Report:
        """Return how good the tree is."""
        return Report.of(self.game, self.turns)

    def to_records(self) -> list[dict[str, Any]]:
        """Return a row for each answer, in the order of the game: the guesses it takes, its probability."""
        rows = zip(self.game.answers, self.turns.tolist(), self.game.prior.tolist(), strict=True)
        return [{"answer": answer, "turns": turns, "probability": p} for answer, turns, p in rows]


@dataclass(frozen=True, eq=False)
class Report(ByValue, Shown, Tabled):
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

    def against(self, other: Report) -> tuple[int, int, int]:
        """Compare answer by answer: how many take fewer guesses here (wins), as many (ties), more (losses).

        Raises TreeError where the other is of another number of answers.
        """
        if len(self.turns) != len(other.turns):
            raise TreeError(f"{len(self.turns)} answers cannot be compared with {len(other.turns)}")
        wins, losses = (int((a < b).sum()) for a, b in ((self.turns, other.turns), (other.turns, self.turns)))
        return wins, len(self.turns) - wins - losses, losses

    def to_records(self) -> list[dict[str, Any]]:
        """Return a row for each number of guesses: how many answers take it."""
        return [{"guesses": turns, "answers": count} for turns, count in self.histogram.items()]

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
