"""One-step strategies: chains of criteria over the classes that a guess splits the candidates into."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from sleuth.games.frontier import Frontier, Indices
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.games.rules import FEW_LETTERS, WordleRules
from sleuth.games.strategy import BatchStrategy, Ties, check_ties
from sleuth.support.errors import StrategyError
from sleuth.support.parallel import even_slices, map_threads, thread_count
from sleuth.support.ranges import check_seed
from sleuth.support.registry import unknown_name

if TYPE_CHECKING:
    from sleuth.kernels.types import Chain

Criterion = tuple[str, float]
"""A kind (a name in kernels.criteria) and its parameter."""

HINTS: Criterion = ("VALUE", 0)
GREENS: Criterion = ("VALUE", 1)
YELLOWS: Criterion = ("VALUE", 2)
CANDIDATE: Criterion = ("CANDIDATE", 0)
# Pairs of guess and answer whose feedback all threads compute at once, where all of it is too much.
_TILE = 2**27
_MARKS = {"all": [HINTS, GREENS], "greens": [GREENS, HINTS], "yellows": [YELLOWS, HINTS]}


@dataclass(frozen=True)
class Heuristic(BatchStrategy):
    """A strategy that takes the guess best by a chain of criteria.

    Attributes:
        ties: what breaks ties of the first criterion, see TIES of games/strategy.py.

    """

    ties: Ties = "candidates-first"
    name: ClassVar[str] = "heuristic"

    def __post_init__(self) -> None:
        check_ties(self.ties)

    def criteria(self, game: Game) -> list[Criterion]:
        """Return the criteria, the deciding one first. Raises StrategyError if the game lacks them."""
        raise NotImplementedError

    def chain(self, game: Game) -> Chain:
        """Return the criteria as the kernels take them, the tie rule put in second place."""
        from sleuth.kernels import criteria as kinds
        from sleuth.kernels.types import Chain

        first, *rest = self.criteria(game)
        if self.ties == "candidates-first":
            rest = [CANDIDATE, *rest]
        whole = [first, *rest]
        return Chain(
            np.array([getattr(kinds, kind) for kind, _ in whole], np.int64),
            np.array([parameter for _, parameter in whole], np.float64),
        )

    def best(self, frontier: Frontier, k: int) -> Indices:
        from sleuth.kernels.choosing import best_guesses

        if frontier.game.is_large:
            every = np.arange(len(frontier.game.guesses), dtype=np.int32)
            found = [
                best_of_many(self, position, every if position.legal is None else position.legal, k)
                for position in frontier.positions()
            ]
            return np.array(found, np.int32).reshape(-1, k)
        tables, chain = frontier.game.tables, self.chain(frontier.game)
        out = np.empty((len(frontier), k), np.int32)

        def fill(part: slice) -> None:
            sets = frontier.take(np.arange(part.start, part.stop)).sets
            best_guesses(tables, sets, chain, out[part])

        map_threads(fill, even_slices(frontier.sizes, 8 * thread_count()))
        return out


def best_of_many(heuristic: Heuristic, position: Position, guesses: Indices, k: int) -> Indices:
    """Return a heuristic's k best of some guesses, int32 ascending, best first, then -1: int32 [k].

    Some guesses at a time are compared, and then the best of each: no more of their feedback is computed at
    once than a small part. Criteria that compare guesses with all others (powers beyond what whole numbers
    hold) do so among the best ones.
    """
    from sleuth.kernels.choosing import best_guesses
    from sleuth.kernels.classes import SMALL

    answers = position.candidates

    def best(some: Indices) -> Indices:
        part = position.game.part(answers, some)
        sets = Frontier.of(Position.start(part.with_mode("easy"))).sets
        tables = part.tables if len(answers) <= SMALL else part.tables_by_guess
        out = np.empty((1, k), np.int32)
        best_guesses(tables, sets, heuristic.chain(part), out)
        found: Indices = some[out[0][out[0] >= 0]]
        return found

    threads = thread_count()
    most = min(_TILE // threads // len(answers), position.game.room_for(len(answers)))
    tile = max(2 * k, min(most, -(-len(guesses) // threads)))
    while len(guesses) > tile:
        tiles = np.array_split(guesses, -(-len(guesses) // tile))
        guesses = np.sort(np.concatenate(map_threads(best, tiles)))
    return np.append(best(guesses), np.full(k, -1, np.int32))[:k]


@dataclass(frozen=True)
class InformationGain(Heuristic):
    """Most information expected of the feedback (MIG; Bhambri et al. 2022, equations 1 to 3)."""

    name: ClassVar[str] = "information-gain"

    def criteria(self, game: Game) -> list[Criterion]:
        return [("INFORMATION", 0)]


def power(alpha: float) -> Criterion:
    """Return Short's criterion for any alpha, 0 and the infinities by their limits.

    The least (alpha > 0) or greatest (alpha < 0) sum over classes of p_c n_c**alpha, where n_c is the size
    of a class and p_c its probability (Short 2022, equations 4 and 6). The class of a right guess
    counts like any other: left out, as the equation has it, a guess that may be right would be favoured
    for alpha > 0 and shunned for alpha < 0. What his tables count is in published/paper_alpha.py.
    """
    if math.isnan(alpha):
        raise StrategyError("alpha must be a number, or inf or -inf, not nan")
    if alpha == 0:
        return "INFORMATION", 0
    if math.isinf(alpha):
        return ("LARGEST", 0) if alpha > 0 else ("SINGLES", 0)
    return "POWER", alpha


@dataclass(frozen=True)
class MostRapidDecrease(Heuristic):
    """Fewest candidates expected to be left (MRD; Short 2022, section 3.1.1)."""

    name: ClassVar[str] = "most-rapid-decrease"

    def criteria(self, game: Game) -> list[Criterion]:
        return [power(1)]


@dataclass(frozen=True)
class GreatestExpectedProbability(Heuristic):
    """Best expected chance to be right with the guess after this one (GEP; Short 2022, section 3.1.2)."""

    name: ClassVar[str] = "greatest-expected-probability"

    def criteria(self, game: Game) -> list[Criterion]:
        return [power(-1)]


@dataclass(frozen=True)
class WorstCase(Heuristic):
    """Smallest largest class, as Knuth's Mastermind strategy (1977)."""

    name: ClassVar[str] = "worst-case"

    def criteria(self, game: Game) -> list[Criterion]:
        return [power(math.inf)]


@dataclass(frozen=True)
class ExpectedGuesses(Heuristic):
    """Fewest guesses by the entropic estimate p + (1 - p)(1 + log2|S| / H) (Tyl 2024)."""

    name: ClassVar[str] = "expected-guesses"

    def criteria(self, game: Game) -> list[Criterion]:
        return [("EXPECTED", 0)]


@dataclass(frozen=True)
class MostHints(Heuristic):
    """Most greens and yellows expected, for people (Short 2022, section 4); then most greens.

    Attributes:
        marks: what counts: all, or first greens alone or yellows alone and then all.

    """

    marks: Literal["all", "greens", "yellows"] = "all"
    name: ClassVar[str] = "most-hints"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.marks not in _MARKS:
            raise unknown_name("kind of marks", self.marks, _MARKS)

    def criteria(self, game: Game) -> list[Criterion]:
        check_hints(self.name, game)
        if len(game.rules.hints) == 0:
            raise StrategyError(f"most-hints needs feedback that marks symbols, which {game.name} lacks")
        return _MARKS[self.marks]


@dataclass(frozen=True)
class Random(Heuristic):
    """A candidate at random, the same one for the same seed and position."""

    seed: int = 0
    name: ClassVar[str] = "random"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_seed(self.seed, StrategyError)

    def criteria(self, game: Game) -> list[Criterion]:
        return [("RANDOM", self.seed)]


@dataclass(frozen=True)
class Alpha(Heuristic):
    """Short's alpha-optimality with his chain of tie-breaks (Short 2022, section 3.1.3).

    After alpha itself and a guess that may be right come the criteria for -1, 1, -inf and inf, the
    expected greens and yellows, the expected greens, and the order of the list.

    Attributes:
        alpha: any real number, inf or -inf; 0 is information gain, its limit.

    """

    alpha: float = -0.5
    name: ClassVar[str] = "alpha"

    def __post_init__(self) -> None:
        super().__post_init__()
        power(self.alpha)

    def criteria(self, game: Game) -> list[Criterion]:
        return [power(self.alpha), *tie_chain(game)]


def check_hints(name: str, game: Game) -> None:
    """Raise StrategyError where symbols are marked in more ways than can be counted by their marks."""
    if isinstance(game.rules, WordleRules) and len(game.rules.hints) == 0:
        raise StrategyError(
            f"{name} counts greens and yellows in words of up to {FEW_LETTERS} letters, and those of"
            f" {game.name} have {game.rules.length}"
        )


def tie_chain(game: Game) -> list[Criterion]:
    """Return what Short breaks ties by after alpha and the candidates."""
    hints = [HINTS, GREENS] if len(game.rules.hints) else []
    return [*(power(alpha) for alpha in (-1, 1, -math.inf, math.inf)), *hints]
