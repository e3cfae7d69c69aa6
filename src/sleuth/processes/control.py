"""Guessing games as adaptive control: the answer is the parameter (Bhambri et al. 2022, section 4).

The state is the position, which is a function of what was guessed and seen; the belief follows from it, but
the general engine works it out for itself.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Final

import numpy as np

from sleuth.games.frontier import Frontier
from sleuth.games.game import Game
from sleuth.games.pegs import mastermind
from sleuth.games.position import Position
from sleuth.games.strategy import BatchStrategy, Strategy
from sleuth.games.wordle import wordle
from sleuth.planning.control import ListedControl, Part, Weights
from sleuth.planning.lookahead import Screen
from sleuth.planning.policy import Blind
from sleuth.planning.situation import Situation
from sleuth.support.ranges import check_number

FOUND: Final = "found"
"""The state in which the answer was guessed, or is the only one left and no guess names it."""

# States whose controls are kept: they are asked for by what chooses, and by what checks the choice.
_KEPT = 128


@dataclass(frozen=True, eq=False)
class Known:
    """A position as a state: equal where the candidates and the legal guesses are."""

    position: Position
    _after: dict[tuple[int, int], Known] = field(default_factory=dict, repr=False)

    @cached_property
    def key(self) -> tuple[bytes, bytes]:
        """What tells it from others."""
        legal = self.position.legal
        return self.position.candidates.tobytes(), b"" if legal is None else legal.tobytes()

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Known) and self.key == other.key

    def after(self, guess: int, code: int) -> Known:
        """Return the state after a guess got a code."""
        if (guess, code) not in self._after:
            self._after[guess, code] = Known(self.position.after(guess, code))
        return self._after[guess, code]


class Guessing(ListedControl):
    """A guessing game: parameters are answers, controls the guesses that tell something, each costs one."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.parameters: Sequence[int] = range(len(game.answers))
        self.initial_state: Hashable = Known(Position.start(game))

    @property
    def prior(self) -> Weights:
        return np.asarray(self.game.prior, float)

    def controls(self, state: Hashable) -> tuple[int, ...]:
        """Return the legal guesses that tell candidates apart or may be right."""
        assert isinstance(state, Known)
        return _telling(self.game, state)

    def outcomes(self, state: Hashable, parameter: Any, control: Any) -> list[tuple[float, Hashable]]:
        assert isinstance(state, Known)
        code = int(self.game.feedback[control, parameter])
        if code == self.game.solved:
            return [(1.0, FOUND)]
        after = state.after(control, code)
        left = after.position.candidates
        named = len(left) > 1 or self.game.answer_guess[left[0]] >= 0
        return [(1.0, after if named else FOUND)]

    def cost(self, state: Hashable, parameter: Any, control: Any, after: Hashable) -> float:
        return 1.0

    def is_terminal(self, state: Hashable) -> bool:
        return state == FOUND

    def possible(self, state: Hashable) -> list[int]:
        """Return the answers that a position leaves, by their numbers."""
        return state.position.candidates.tolist() if isinstance(state, Known) else list(self.parameters)

    def in_words(self, part: Part, value: Any) -> str:
        """Return the word; or the feedback of the last guess, and how many answers are left."""
        if part == "parameter":
            return str(self.game.answers[value])
        if part == "control":
            return str(self.game.guesses[value])
        if not isinstance(value, Known):
            return str(value)
        left = f"{len(value.position.candidates)} possible"
        rows = value.position.rows
        return f"{self.game.rules.notation.show(rows[-1][1])}, {left}" if rows else left


@dataclass(eq=False)
class Wordle(Guessing):
    """Wordle on a part of the original answers, each of them a guess.

    Attributes:
        every: the part: one answer in so many, from the first.

    """

    every: int = 40

    def __post_init__(self) -> None:
        check_number("every", self.every, least=1, whole=True)
        super().__init__(wordle(wordle("original").answers[:: self.every]))


@dataclass(eq=False)
class Mastermind(Guessing):
    """Mastermind.

    Attributes:
        pegs, colours: of the codes.

    """

    pegs: int = 2
    colours: int = 4

    def __post_init__(self) -> None:
        check_number("pegs", self.pegs, least=1, whole=True)
        check_number("colours", self.colours, least=1, whole=True)
        super().__init__(mastermind(self.pegs, self.colours))


@lru_cache(_KEPT)
def _telling(game: Game, state: Known) -> tuple[int, ...]:
    """Return the legal guesses that tell candidates of a state apart or may be right."""
    position = state.position
    codes = game.feedback[:, position.candidates]
    tells = (codes != codes[:, :1]).any(axis=1) | (codes == game.solved).any(axis=1)
    if position.legal is not None:
        tells[np.setdiff1d(np.arange(len(tells)), position.legal)] = False
    return tuple(np.flatnonzero(tells).tolist())


def policy(strategy: Strategy) -> Blind:
    """Return a strategy of guessing games as a policy."""

    def choose(state: Hashable) -> int:
        assert isinstance(state, Known)
        return strategy.choose(state.position)

    return Blind(choose)


def best_of(strategy: BatchStrategy, width: int) -> Screen:
    """Return the screen that keeps the best guesses of a strategy, those that may be right first."""

    def screen(situation: Situation, controls: Sequence[Any]) -> list[int]:
        assert isinstance(situation.state, Known)
        position = situation.state.position
        (best,) = strategy.best(Frontier.of(position), width)
        named = position.game.answer_guess[position.candidates]
        kept = best[best >= 0]
        return [int(guess) for guess in kept[np.argsort(~np.isin(kept, named), kind="stable")]]

    return screen
