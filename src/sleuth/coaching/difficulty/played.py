"""What players make of every answer: the best there is, a good rule, a casual person."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sleuth.games.game import Game
from sleuth.support.progress import Progress, Watch

Shares = NDArray[np.float64]

KNOWN = 5000
"""Words of a length that a casual player knows, the most frequent, besides the answers."""
_GAMES, _FEWEST, _MOST = 50_000, 5, 100
"""Games of the casual player in all, and with each answer."""


@dataclass(frozen=True, eq=False)
class Played:
    """How many guesses each answer takes a player.

    Attributes:
        name: the player's strategy.
        title: what people call the player.
        shares: float64 [answers, turns]: the share of the games with an answer that take 1, 2, ... guesses.
        proved: whether no player takes fewer guesses on average.

    """

    name: str
    title: str
    shares: Shares
    proved: bool = False

    @classmethod
    def of(cls, name: str, title: str, turns: NDArray[np.integer], proved: bool = False) -> Played:
        """Return what a player makes of answers who takes turns[answer] guesses, or [answer, game]."""
        each = turns.reshape(len(turns), -1)
        shares = np.zeros((len(each), int(each.max())))
        np.add.at(shares, (np.arange(len(each))[:, None], each - 1), 1 / each.shape[1])
        return cls(name, title, shares, proved)

    @property
    def guesses(self) -> Shares:
        """float64 [answers]: guesses on average."""
        return np.asarray(self.shares @ np.arange(1, self.shares.shape[1] + 1))

    def lost(self, turns: int) -> Shares:
        """Return the share of games with each answer that are not won in so many turns, float64 [answers]."""
        return np.asarray(np.clip(1 - self.shares[:, :turns].sum(axis=1), 0, 1))

    def histogram(self, prior: Shares) -> Shares:
        """Return the share of all games that take 1, 2, ... guesses, float64 [turns]."""
        return np.asarray(prior @ self.shares)

    def turns_for(self, share: float, prior: Shares) -> int:
        """Return the turns in which this share of all games is won."""
        # The sums are off in their last bits.
        enough = np.flatnonzero(np.cumsum(self.histogram(prior)) >= share - 1e-9)
        return int(enough[0]) + 1


def casual(
    game: Game, frequency: Shares, games: int | None = None, seed: int = 0, progress: Watch | None = None
) -> Played | None:
    """Return how a simulated casual player does, who knows frequent words and no list of answers.

    Each guess is a word that fits all the feedback so far, drawn in proportion to the square root of how
    often it is written: frequent words come to mind first, and not only these. The player knows KNOWN words
    of those that may be guessed, the most frequent, and the answers; one that nobody writes comes to mind
    last. Where no frequencies are known, all words are alike. The draws of an answer depend on the seed and
    on its place in the list alone.

    frequency: float64 [guesses]. games: with each answer. It is a model, not a measurement of people. Returns
    None where an answer is no guess: the player has nothing to name it by.
    """
    if (game.answer_guess < 0).any():
        return None
    answers, total = game.answer_guess, len(game.answers)
    games = games or min(_MOST, max(_FEWEST, _GAMES // total))
    order = np.argsort(-frequency, kind="stable")[:KNOWN]
    words = np.unique(np.concatenate([order[frequency[order] > 0], answers]))
    known = frequency[words] > 0
    least = frequency[words][known].min() / 10 if known.any() else 1.0
    weights = np.sqrt(np.where(known, frequency[words], least))
    labels = [game.guesses[word] for word in words]
    feedback = game.with_answers(labels, np.ones(len(labels))).some_feedback(words, np.arange(len(words)))
    turns = np.empty((total, games), np.int32)
    first = np.cumsum(weights)
    for a, answer in enumerate(np.searchsorted(words, answers).tolist()):
        rng = np.random.default_rng([seed, a])
        turns[a] = [_game(feedback, weights, first, answer, rng) for _ in range(games)]
        if progress is not None and (a % 50 == 0 or a + 1 == total):
            progress(Progress(a + 1, total, "casual player"))
    return Played.of("casual", "casual player", turns)


def _game(
    feedback: NDArray[np.unsignedinteger],
    weights: Shares,
    first: Shares,
    answer: int,
    rng: np.random.Generator,
) -> int:
    """Return the guesses of one game of the casual player."""
    guess = int(np.searchsorted(first, rng.random() * first[-1], side="right"))
    left, turn = None, 1
    while guess != answer:
        row = feedback[guess]
        left = np.flatnonzero(row == row[answer]) if left is None else left[row[left] == row[answer]]
        reach = np.cumsum(weights[left])
        guess = int(left[min(np.searchsorted(reach, rng.random() * reach[-1], side="right"), len(left) - 1)])
        turn += 1
    return turn
