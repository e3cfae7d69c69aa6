"""What is known of the best play from a position."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from sleuth.exact.objective import Objective
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.support import json_files
from sleuth.support.shown import Shown
from sleuth.support.tabled import Tabled
from sleuth.trees.formats import tree_json
from sleuth.trees.tree import DecisionTree

IMPOSSIBLE = 2**60
"""The total where no strategy finds every answer within the turns."""
FORMAT = "sleuth-proof"
VERSION = 1


@dataclass(frozen=True, repr=False)
class Proof(Shown, Tabled):
    """What is known of the best play from a position.

    Totals are in the integer weights of the prior: under the uniform prior they are guesses summed over the
    answers.

    Attributes:
        position: where play begins.
        objective: what is made least.
        turns: turns left that the totals keep to; fewer than the game's where the objective is "worst", or
            where fewer reach the same total.
        opener: the best guess known, or "" when none is.
        total: its total, or None. Answers that count as a penalty count with it; with "solved", the failures
            are apart.
        lower_bound: no strategy has a smaller total; for "worst" none of at most `turns` guesses, and none
            of fewer guesses finds every answer; for "solved" none that fails as little as `lower_failures`.
            IMPOSSIBLE where there is none of these at all.
        failures: for "solved", the weight of the answers not found within the turns.
        proved: whether no strategy has a smaller total, or there is none at all.
        shallowest: whether, too, none with that total needs fewer turns; it is the last thing to be proven.
        scale: the weight of the candidates, by which totals are divided for means.
        openers: how many guesses may begin.
        refuted: how many of them are known to be worse.
        top: openers with their exact totals, best first: as many as asked for, and all that are optimal.
        open: guesses not known to be worse nor known exactly, with the least that each may cost.
        tree: a strategy that reaches the total, or None.
        nodes: sets of candidates searched.
        seconds, cpu_seconds: how long it took.
        interrupted: whether it was stopped before the end.
        problems: what could not be kept or built, a sentence each; the rest holds all the same.
        tolerance: how far the mean may be off, in guesses, where the prior had to be rounded: what is proved
            is proved to within so much. For "solved" that is said of the share of failures.
        lower_failures: for "solved", no strategy has a smaller weight of answers not found within the turns.
        asked: the opener that was asked for, or None where all were.

    """

    position: Position
    objective: Objective
    turns: int
    opener: str
    total: int | None
    lower_bound: int
    failures: int | None
    proved: bool
    shallowest: bool
    scale: int
    openers: int
    refuted: int
    top: tuple[tuple[str, int], ...]
    open: tuple[tuple[int, int], ...]
    tree: DecisionTree | None
    nodes: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    interrupted: bool = False
    problems: tuple[str, ...] = ()
    tolerance: float = 0.0
    lower_failures: int | None = None
    asked: str | None = None

    def __repr__(self) -> str:
        best = f"{self.opener} {self.total}" if self.opener else "no strategy"
        return f"<Proof {self.position.game.name}: {best}, {'proved' if self.proved else 'not finished'}>"

    @property
    def mean(self) -> float | None:
        """The expected number of guesses, or None (also where no candidate has any weight)."""
        return None if self.total is None else self.mean_of(self.total)

    def mean_of(self, total: int) -> float | None:
        """Return the mean that a total amounts to, or None where no candidate has any weight."""
        return total / self.scale if self.scale else None

    @property
    def worst(self) -> int | None:
        """The most guesses that any answer takes, or None."""
        return None if self.tree is None else int(self.tree.turns.max())

    @classmethod
    def read(cls, path: Path | str, game: Game) -> Proof:
        """Return the proof in a file that save() wrote; its tree is checked, its bounds are taken as told.

        game: the game that was searched. Raises SleuthError.
        """

        def make(values: dict[str, Any]) -> Proof:
            position = Position.from_json(values["position"], game)
            tree, whole = values["tree"], position == Position.start(position.game)
            of = position.game if whole else position.as_game()
            return cls(
                **{
                    **values,
                    "position": position,
                    "objective": Objective(**values["objective"]),
                    "tree": None if tree is None else tree_json.from_text(json.dumps(tree), of, ""),
                    "top": tuple(map(tuple, values["top"])),
                    "open": tuple(map(tuple, values["open"])),
                    "problems": tuple(values["problems"]),
                }
            )

        return json_files.read(path, FORMAT, VERSION, make, cls._kept)

    def save(self, path: Path | str) -> None:
        """Write the proof and its tree as JSON. Who is to be convinced needs a certificate: sleuth.certify.

        Raises SleuthError, also for a tree that is too deep for JSON.
        """
        json_files.save(path, FORMAT, VERSION, self._kept())

    def _kept(self) -> dict[str, Any]:
        return {
            **{field.name: getattr(self, field.name) for field in fields(self)},
            "position": self.position.to_json(),
            "objective": asdict(self.objective),
            "tree": None if self.tree is None else json.loads(tree_json.to_text(self.tree)),
        }

    def to_json(self) -> dict[str, Any]:
        """Return the result as plain values."""
        game = self.position.game
        return {
            "game": game.name,
            "mode": game.mode,
            "prior": "uniform" if game.is_uniform else "weighted",
            "objective": self.objective.label,
            "max_turns": game.max_turns,
            "turn": self.position.turn,
            "candidates": len(self.position.candidates),
            "opener": self.opener or None,
            "total": self.total,
            "mean": self.mean,
            "worst": self.worst,
            "failures": self.failures,
            "turns": self.turns,
            "lower_failures": self.lower_failures,
            "lower_bound": None if self.lower_bound >= IMPOSSIBLE else self.lower_bound,
            "scale": self.scale,
            "tolerance": self.tolerance,
            "proved": self.proved,
            "interrupted": self.interrupted,
            "shallowest": self.shallowest,
            "openers": self.openers,
            "refuted": self.refuted,
            "top": self.to_records(),
            "nodes": self.nodes,
            "seconds": round(self.seconds, 3),
            "cpu_seconds": round(self.cpu_seconds, 3),
            "problems": list(self.problems),
        }

    def to_records(self) -> list[dict[str, Any]]:
        """Return a row for each opener whose total is known exactly, best first."""
        return [{"guess": guess, "total": total, "mean": self.mean_of(total)} for guess, total in self.top]
