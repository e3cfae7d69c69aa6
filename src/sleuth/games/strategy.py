"""What a strategy is: something that names the next guess of any position, and can say why."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sleuth.games.codes import without_gaps
from sleuth.games.frontier import Frontier, Indices
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.support.errors import StrategyError
from sleuth.support.indices import checked_index, checked_indices
from sleuth.support.registry import unknown_name

Ties = Literal["candidates-first", "list-order"]
TIES: dict[Ties, str] = {
    "candidates-first": "among equals, a guess that may be the answer; then list order",
    "list-order": "among equals, the first of the list",
}

Certainty = Literal["proved", "at most", "estimate"]
"""What a number of guesses is: the least, what some strategy takes, or neither."""
CERTAINTIES: tuple[Certainty, ...] = ("proved", "at most", "estimate")
"""The strongest first."""
_CERTAIN: dict[str, Certainty] = {"exact": "proved", "search": "at most", "rollout": "at most"}


def certainty(expected_by: str) -> Certainty:
    """Return what a number of guesses is, by where it comes from (Suggestion.expected_by).

    >>> certainty("exact"), certainty("search"), certainty("network")
    ('proved', 'at most', 'estimate')
    """
    return _CERTAIN.get(expected_by, "estimate")


def check_ties(ties: str) -> None:
    """Raise UnknownNameError for a tie rule that does not exist."""
    if ties not in TIES:
        raise unknown_name("tie rule", ties, TIES)


@dataclass(frozen=True)
class Suggestion:
    """A guess and what a person wants to know of it.

    Attributes:
        guess: the guess.
        chance: how likely it is the answer, 0 to 1.
        bits: expected information of its feedback, in bits.
        expected_left: expected number of candidates left after it (0 when it is right).
        worst_left: the most candidates that may be left.
        classes: how many different kinds of feedback it may get.
        expected_guesses: guesses still needed, this one included.
        expected_by: where expected_guesses comes from: "estimate" (the entropic one of Tyl 2024, as a
            rule too low), "network" (what a value network expects), "rollout" (a base strategy followed to
            the end), "search" (the best strategy found) or "exact".
        least: no strategy needs fewer guesses after it on average, where that is proven, else None.
        kind: what expected_guesses is: "proved" (the least there is), "at most" (a strategy is known that
            takes so many) or "estimate".

    """

    guess: str
    chance: float
    bits: float
    expected_left: float
    worst_left: int
    classes: int
    expected_guesses: float
    expected_by: str = "estimate"
    least: float | None = None
    kind: Certainty = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", certainty(self.expected_by))

    def to_json(self) -> dict[str, Any]:
        """Return the numbers as plain values."""
        return asdict(self)


class Player(Protocol):
    """Anything that plays. It may also have choose_all(frontier), see choose_all, and rank, see Strategy."""

    @property
    def name(self) -> str:
        """What the strategy is called; a plain attribute of the class will do."""

    def choose(self, position: Position) -> int:
        """Return the index of the next guess. Raises StrategyError."""


@runtime_checkable
class Strategy(Player, Protocol):
    """What plays and can say why. What make() returns is one; all that plays a game need not."""

    def rank(self, position: Position, limit: int = 20) -> list[Suggestion]:
        """Return the best guesses, best first, with their numbers."""


class BatchStrategy:
    """A base for strategies that choose for many sets at once; they add best(frontier, k)."""

    name: ClassVar[str]

    @property
    def stationary(self) -> bool:
        """Whether the guess depends on the candidates and legal guesses alone, not on the turn."""
        return self.markov

    @property
    def markov(self) -> bool:
        """Whether the guess depends on these and the turn alone, not on the rows that led there."""
        return True

    def best(self, frontier: Frontier, k: int) -> Indices:
        """Return int32 [sets, k]: the k best guesses of each set, best first, then -1."""
        raise NotImplementedError

    def choose_all(self, frontier: Frontier) -> Indices:
        """Return the best guess of every set, int32 [sets], or -1 where there is none."""
        found = self.best(frontier, 1)
        if not isinstance(found, np.ndarray) or found.ndim != 2 or found.shape[1] == 0:
            found = _guesses(f"{self.name}.best", frontier, found, (1,))
        return found[:, 0]

    def choose(self, position: Position) -> int:
        """Return the index of the next guess. Raises StrategyError."""
        return int(choose_all(self, Frontier.of(position))[0])

    def rank(self, position: Position, limit: int = 20) -> list[Suggestion]:
        """Return the best guesses, best first, with their numbers."""
        found = best_of(self, Frontier.of(position), limit)[0]
        return describe(position, found[found >= 0])


def describe(
    position: Position,
    guesses: Indices,
    expected: NDArray[np.float64] | None = None,
    expected_by: str = "estimate",
) -> list[Suggestion]:
    """Return the numbers of some guesses, int32 [guesses], in a position.

    expected: expected_guesses, [guesses], and expected_by where they come from. Unless given, they are
    p + (1 - p)(1 + H0 / H), where p is the chance to be right, H the information of the guess and H0 what
    there is to learn: log2 of the number of candidates under a uniform prior. Raises StrategyError for what
    is no guess of the game.
    """
    game, weights = position.game, position.weights
    guesses = checked_indices(game.name, "guess", guesses, len(game.guesses), error=StrategyError)
    prior_bits = float(-(weights[weights > 0] * np.log2(weights[weights > 0])).sum())
    suggestions = []
    for which, (g, codes) in enumerate(
        zip(guesses, game.some_feedback(guesses, position.candidates), strict=True)
    ):
        kinds, count = without_gaps(codes, game.rules.n_codes)
        sizes = np.bincount(kinds, minlength=count)
        masses = np.bincount(kinds, weights, minlength=count)
        positive = masses[masses > 0]
        bits = max(0.0, float(-(positive * np.log2(positive)).sum()))
        right = position.candidates == game.guess_answer[g]
        chance = float(weights[right].sum())
        left = sizes.copy()
        left[kinds[right]] = 0
        suggestions.append(
            Suggestion(
                game.guesses[g],
                chance,
                bits,
                float((masses * left).sum()),
                int(left.max()),
                int(np.count_nonzero(sizes)),
                float(entropic_estimates(chance, bits, prior_bits) if expected is None else expected[which]),
                expected_by,
            )
        )
    return suggestions


def entropic_estimates(chances: ArrayLike, bits: ArrayLike, prior_bits: float) -> NDArray[np.float64]:
    """Return p + (1 - p)(1 + H0 / H), the estimate of guesses needed (Tyl 2024), infinite where H is 0.

    chances, bits: numbers or arrays of one shape.
    """
    p, told = np.asarray(chances, np.float64), np.asarray(bits, np.float64)
    # Below this, bits are the rounding of masses that sum to one; the kernels draw the line there too.
    more = np.divide(prior_bits, told, where=told > 1e-12, out=np.where(p >= 1, 0.0, np.inf))
    return np.asarray(np.where(p >= 1, 1.0, p + (1 - p) * (1 + more)))


def choose_all(strategy: Player, frontier: Frontier) -> Indices:
    """Return the strategy's guess for every set, int32 [sets].

    A strategy with a method choose_all is asked once, and legality is left to check_legal; any other is asked
    position by position. Raises StrategyError for a set where it finds no guess, and for what is none.
    """
    guesses = choose_where_it_can(strategy, frontier)
    if np.any(guesses < 0):
        stuck = next(p for p, g in zip(frontier.positions(), guesses, strict=True) if g < 0)
        if len(stuck.candidates) == 1:
            raise StrategyError(
                f"{stuck.words[0]} is the only answer left and no guess can name it: it is found"
            )
        raise StrategyError(
            f"{strategy.name} finds no guess that tells apart {', '.join(stuck.words[:5])}"
            f"{', …' if len(stuck.words) > 5 else ''} in {frontier.game.name}"
        )
    return guesses


def choose_where_it_can(strategy: Player, frontier: Frontier) -> Indices:
    """Return the strategy's guess for every set as choose_all does, and -1 where it finds none."""
    batch = getattr(strategy, "choose_all", None)
    if batch is not None:
        return _guesses(f"{strategy.name}.choose_all", frontier, batch(frontier), ())
    return np.array([choose(strategy, position) for position in frontier.positions()], np.int32)


def choose(strategy: Player, position: Position) -> int:
    """Return the strategy's guess, or -1 where it finds none.

    Raises StrategyError for what is no guess of the game, or not legal.
    """
    game = position.game
    given = strategy.choose(position)
    if isinstance(given, str):
        raise StrategyError(
            f"{strategy.name}.choose: {game.name} takes a guess by its number, not {given[:60]!r};"
            " position.game.find(word) gives it"
        )
    guess = checked_index(
        f"{strategy.name}.choose: {game.name}",
        "guess",
        given,
        len(game.guesses),
        least=-1,
        error=StrategyError,
    )
    legal = None if len(position.candidates) == 1 else position.legal
    if guess >= 0 and legal is not None and guess not in legal:
        raise _not_legal(strategy, game, guess)
    return guess


def check_legal(strategy: Player, frontier: Frontier, guesses: Indices) -> None:
    """Raise StrategyError unless the strategy's guess is legal in each set, int32 [sets]."""
    bad = np.flatnonzero(~frontier.allows(guesses))
    if len(bad):
        raise _not_legal(strategy, frontier.game, int(guesses[bad[0]]))


def _not_legal(strategy: Player, game: Game, guess: int) -> StrategyError:
    return StrategyError(
        f"{strategy.name} guesses {game.guesses[guess]}, which is not legal there in {game.mode} mode"
    )


def best_of(strategy: BatchStrategy, frontier: Frontier, k: int) -> Indices:
    """Return the strategy's k best guesses of each set, int32 [sets, k], best first, then -1.

    Raises StrategyError for what are none of the game.
    """
    return _guesses(f"{strategy.name}.best", frontier, strategy.best(frontier, k), (None,))


def _guesses(source: str, frontier: Frontier, given: Any, shape: tuple[int | None, ...]) -> Indices:
    """Return guesses for each set, int32 [sets, *shape], -1 for none. Raises StrategyError."""
    game, rows = frontier.game, len(frontier)
    return checked_indices(
        f"{source}: {game.name}",
        "guess",
        given,
        len(game.guesses),
        (rows, *shape),
        least=-1,
        error=StrategyError,
    )


def rank(strategy: Strategy, position: Position, limit: int = 20) -> list[Suggestion]:
    """Return the strategy's best guesses, best first. Raises StrategyError where it does not rank any.

    Of a game too large for memory the position is ranked alone, where there is room for that.
    """
    if position.game.is_large and not (alone := position.alone()).game.is_large:
        position = alone
    if not hasattr(strategy, "rank"):  # an object that only chooses
        return chosen(strategy, position)
    ranked = strategy.rank(position, limit)
    if not isinstance(ranked, list) or not all(isinstance(one, Suggestion) for one in ranked):
        raise StrategyError(
            f"{strategy.name}.rank must return a list of Suggestion, as sleuth.games.strategy.describe does"
        )
    return ranked


def chosen(player: Player, position: Position) -> list[Suggestion]:
    """Return the guess that a player chooses, with its numbers; none where there is none."""
    guess = choose(player, position)
    return describe(position, np.array([guess] if guess >= 0 else [], np.int32))
