"""Learned players: a network over candidate sets, alone and with lookahead; Weaver's; one for any list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sleuth.games.frontier import Frontier, Indices
from sleuth.games.position import Position
from sleuth.games.strategy import BatchStrategy, Suggestion, describe
from sleuth.learning.candidates.player import load as load_candidates
from sleuth.learning.letters.pair_player import load as load_pairs
from sleuth.learning.letters.player import LetterPlayer
from sleuth.learning.letters.player import load as load_letters
from sleuth.support.errors import StrategyError
from sleuth.support.ranges import check_range

SHIPPED = "candidates"
LETTERS = "document_003"
PAIRS = "letter_pairs"


@dataclass(frozen=True)
class Learned(BatchStrategy):
    """Take the guess of the largest logit, among those of most information; no search of any kind.

    It learned words of five letters, easy mode, equal chances. Elsewhere it plays by what guesses split a
    set into: words that are not of five letters from a to z have no vectors, and priors are not looked at
    beyond the information that makes the shortlist.

    Attributes:
        weights: the name of weights that ship, or a file or folder that `sleuth train` wrote; candidates_any
            learned by what guesses tell apart alone, in games of many kinds, and is to be played with search.

    """

    weights: str = SHIPPED
    name: ClassVar[str] = "learned"

    def best(self, frontier: Frontier, k: int) -> Indices:

        return load_candidates(self.weights).best(frontier, k)


@dataclass(frozen=True)
class LearnedSearch(BatchStrategy):
    """Take the guess after which the value network expects the fewest guesses, over the policy's best.

    Every set that a guess may lead to is valued once; small ones, whose totals are known, are not. Sets weigh
    as their priors do.

    Attributes:
        weights: see Learned.
        width: how many guesses of the policy are looked at.

    """

    weights: str = SHIPPED
    width: int = 10
    name: ClassVar[str] = "learned+search"

    def __post_init__(self) -> None:
        check_range(self, "width", least=1, error=StrategyError)

    def best(self, frontier: Frontier, k: int) -> Indices:

        return load_candidates(self.weights).weigh(frontier, k, min(self.width, len(frontier.game.guesses)))[
            0
        ]

    def rank(self, position: Position, limit: int = 20) -> list[Suggestion]:
        """Return the best guesses, best first: at most `width`, since the network values no others."""
        frontier = Frontier.of(position)
        width = min(self.width, len(position.game.guesses))
        guesses, totals = load_candidates(self.weights).weigh(frontier, min(limit, width), width)
        found = guesses[0] >= 0
        return describe(position, guesses[0, found], totals[0, found] / (frontier.weights[0] or 1), "network")


@dataclass(frozen=True)
class LearnedLetters(BatchStrategy):
    """Take the guess that Weaver's network finds the likeliest, by what the rows told of the letters.

    It learned the original lists, easy mode. It plays any words of five letters from a to z in six turns,
    and needs the rows that led to a position: StrategyError says what it cannot play.

    Attributes:
        weights: the name of weights that ship, or a file or folder that `sleuth train` wrote.
        constrained: whether guesses keep to the document's inductive biases: no repeats, a single possible
            answer is guessed, the last guess is a possible answer.

    """

    weights: str = LETTERS
    constrained: bool = True
    name: ClassVar[str] = "document-003"

    @property
    def markov(self) -> bool:
        return False

    def best(self, frontier: Frontier, k: int) -> Indices:

        return LetterPlayer(load_letters(self.weights, frontier.game), self.constrained).best(frontier, k)


@dataclass(frozen=True)
class LearnedPairs(BatchStrategy):
    """Take the guess that a network finds the likeliest, by what letters tell of the answers still possible.

    It has seen no list twice and knows no word, so that it plays any list of words from a to z. Chances are
    taken to be equal. StrategyError says what it cannot play.

    Attributes:
        weights: the name of weights that ship, or a file or folder that `sleuth train` wrote.

    """

    weights: str = PAIRS
    name: ClassVar[str] = "letter-pairs"

    @property
    def markov(self) -> bool:
        return False  # no word is guessed twice

    def best(self, frontier: Frontier, k: int) -> Indices:

        return load_pairs(self.weights, frontier.game).best(frontier, k)
