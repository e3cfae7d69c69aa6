"""What players make of every answer: the best there is, a good rule, a casual person."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from inspect import unwrap

import numpy as np
from numpy.typing import NDArray

from sleuth.games.game import Game
from sleuth.support.progress import Progress, Watch
from sleuth.support.ranges import check_seed

Shares = NDArray[np.float64]

KNOWN = 5000
"""Words of a length that a casual player knows, the most frequent, besides the answers."""
_GAMES, _FEWEST, _MOST = 100_000, 10, 200
"""Games of the casual player in all, and with each answer."""


@dataclass(frozen=True, eq=False)
class Played:
    """How many guesses each answer takes a player.

    Attributes:
        name: "best", "information-gain" or "casual".
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


def games_for(answers: int) -> int:
    """Return the games of the casual player with each of so many answers, unless told otherwise."""
    return min(_MOST, max(_FEWEST, _GAMES // answers))


def casual(
    game: Game, frequency: Shares, games: int | None = None, seed: int = 0, progress: Watch | None = None
) -> Played | None:
    """Return how a simulated casual player does, who knows frequent words and no list of answers.

    Each guess is a word that fits all the feedback so far, drawn in proportion to the square root of how
    often it is written: frequent words come to mind first, and not only these. The player knows KNOWN words
    of those that may be guessed, the most frequent, and the answers; one that nobody writes comes to mind
    last. Where no frequencies are known, all words are alike.

    When words come to mind, in a game with an answer, follows from the seed, the number of the game and both
    words alone, so that lists that differ in few words are compared by the same games.

    frequency: float64 [guesses]. games: with each answer. It is a model, not a measurement of people. Returns
    None where an answer is no guess: the player has nothing to name it by. Raises SleuthError for a seed that
    is none.
    """
    if (game.answer_guess < 0).any():
        return None
    answers, total = game.answer_guess, len(game.answers)
    check_seed(seed)
    games = games or games_for(total)
    order = np.argsort(-frequency, kind="stable")[:KNOWN]
    words = np.unique(np.concatenate([order[frequency[order] > 0], answers]))
    known = frequency[words] > 0
    least = frequency[words][known].min() / 10 if known.any() else 1.0
    rates = np.sqrt(np.where(known, frequency[words], least))
    labels = [game.guesses[word] for word in words]
    feedback = game.with_answers(labels, np.ones(len(labels))).some_feedback(words, np.arange(len(words)))
    keys = np.array([int.from_bytes(sha256(label.encode()).digest()[:8]) for label in labels], np.uint64)
    turns = np.empty((total, games), np.int32)
    for a, answer in enumerate(np.searchsorted(words, answers).tolist()):
        streams = _mixed(
            np.arange(games, dtype=np.uint64) + _mixed(keys[answer : answer + 1] + np.uint64(seed))
        )
        moments = _moments(_mixed(streams[:, None] ^ keys), rates)
        turns[a] = [_turns(feedback, each, answer) for each in moments]
        if progress is not None and (a % 50 == 0 or a + 1 == total):
            progress(Progress(a + 1, total, "casual player"))
    return Played.of("casual", "casual player", turns)


def _turns(feedback: NDArray[np.unsignedinteger], moments: Shares, answer: int) -> int:
    """Return the guesses of a game, in which words come to mind at these moments, float64 [words].

    Moments are exponentially distributed, with the weights as rates, so that of any words that are left the
    next one is each with a chance in proportion to its weight.
    """
    guess, left, turn = int(moments.argmin()), np.arange(len(moments)), 1
    while guess != answer:
        row = feedback[guess]
        left = left[row[left] == row[answer]]
        guess = int(left[moments[left].argmin()])
        turn += 1
    return turn


def _moments(bits: NDArray[np.uint64], rates: Shares) -> Shares:
    """Return exponentially distributed numbers, [games, words], out of random bits."""
    uniform = ((bits >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53
    return np.asarray(-np.log(uniform) / rates)


def _mixed(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return 64 bits that look random for each number (splitmix64)."""
    from sleuth.kernels.hashing import GOLDEN, mix

    # Uncompiled: NumPy has the same operations for whole arrays.
    return np.asarray(unwrap(mix)(bits + GOLDEN))
