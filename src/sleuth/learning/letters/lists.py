"""Learning to play any list: each step plays words of its own, and lists of answers drawn from them.

The networks of learning/letters/pair_network.py see the answers that are possible, so that one of them plays
every list; what it has to learn is what lists have in common. So no list comes twice: of all words but those
held out, some are drawn that have a liking for letters and places, such as a language or a person who chooses
has, and a few hundred others that may be guessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from sleuth.games.frontier import Frontier
from sleuth.games.game import Game
from sleuth.games.priors import uniform
from sleuth.learning.letters.features import ALPHABET, rules_of, spelled
from sleuth.learning.letters.pair_network import PairAttention, PairShape
from sleuth.learning.letters.pair_player import pair_player
from sleuth.learning.letters.pairs import pair_features
from sleuth.learning.letters.ppo import Experience, Ppo, PpoLearner
from sleuth.learning.runs.configuration import read
from sleuth.learning.runs.training import Metrics
from sleuth.support.ranges import check_range
from sleuth.trees.tree import DecisionTree

_JUDGED = 2024
"""Seed of the lists that evaluations play: the same for every run."""


@dataclass(frozen=True)
class Lists:
    """Which lists are played.

    Attributes:
        lists: how many a step.
        least, most: answers of a list; in between all orders of magnitude come alike.
        guesses: words that may be guessed beside the answers of a step.
        plain: the share of lists without a liking for letters.
        liking: how far likings go: at most this standard deviation of the log of how likely a word is, for
            each of its letters and the places that they are at.
        judged: answers of the list that an evaluation plays, and of the one of words held out.

    """

    lists: int = 2
    least: int = 60
    most: int = 3000
    guesses: int = 500
    plain: float = 0.3
    liking: float = 1.0
    judged: int = 500

    def __post_init__(self) -> None:
        check_range(self, "lists", "judged", least=1)
        check_range(self, "least", least=2)
        check_range(self, "most", least=self.least)
        check_range(self, "guesses", least=0)
        check_range(self, "plain", least=0, most=1)
        check_range(self, "liking", least=0)


def build(table: Mapping[str, Any], game: Game, seed: int, device: str) -> ListLearner:
    """Return the learner of a configuration's table. Raises SleuthError."""
    rest = dict(table)
    shape = read(PairShape, rest.pop("network", {}), "lists.network")
    lists = read(Lists, rest.pop("lists", {}), "lists.lists")
    return ListLearner(game, read(Ppo, rest, "lists"), lists, shape, seed, device)


class ListLearner(PpoLearner):
    """Plays lists drawn anew in every step, and learns from them as PpoLearner does."""

    model: PairAttention

    def __init__(
        self,
        game: Game,
        config: Ppo,
        lists: Lists | None = None,
        shape: PairShape | None = None,
        seed: int = 0,
        device: str = "cpu",
    ) -> None:
        super().__init__(game, config, shape, seed, device)
        self.lists = lists or Lists()
        self.letters = spelled(self.training.answers, rules_of(game).length)

    def _network(self, shape: Any) -> PairAttention:
        return PairAttention(self.game, shape or PairShape())

    def _features(self, frontier: Frontier) -> NDArray[np.float32]:
        return pair_features(frontier)

    def _forward(self, features: Tensor, embedded: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits and values; the logits are normalised by state where the best policy is known.

        For it is softmax(advantage / the weight of entropy), of advantages normalised by state: with the same
        done to what the network says, it learns which guess is better and not how far apart guesses are.
        """
        logits, values = super()._forward(features, embedded)
        if self.config.closed:
            _, entropy = self.config.at(self.steps)
            spread = logits.std(1, keepdim=True).clamp_min(1e-6)
            logits = (logits - logits.mean(1, keepdim=True)) / (spread * entropy)
        return logits, values

    def _games(self) -> Experience:
        """Play games on new lists, the same number on each."""
        config = self.config
        game, starts = self.draw()
        self.model.turn_to(game)
        begun = np.repeat(np.arange(len(starts)), config.answers)
        drawn = np.floor(self.rng.random(len(begun)) * starts.sizes[begun]).astype(np.int64)
        answers = starts.candidates[starts.starts[begun] + drawn].astype(np.int64)
        return self.play(np.repeat(answers, config.repeats), starts, np.repeat(begun, config.repeats))

    def draw(self) -> tuple[Game, Frontier]:
        """Return a game whose answers are those of some lists together, and a set for each list."""
        kind, rng = self.lists, self.rng
        found = [drawn(self.letters, kind, rng) for _ in range(kind.lists)]
        answers = np.unique(np.concatenate(found))
        words = [self.training.answers[a] for a in answers]
        others = rng.choice(len(self.game.guesses), min(kind.guesses, len(self.game.guesses)), replace=False)
        guesses = sorted({*words, *(self.game.guesses[g] for g in others)})
        game = replace(
            self.game, guesses=tuple(guesses), answers=tuple(words), prior=uniform(len(words)), notes=()
        )
        sets = [np.searchsorted(answers, members).astype(np.int32) for members in found]
        rows = np.zeros((len(sets), 0, 2), np.int32)
        starts = np.concatenate([[0], np.cumsum([len(members) for members in sets])])
        return game, Frontier(game, 1, starts, np.concatenate(sets), rows=rows)

    def evaluate(self) -> Metrics:
        """Play a list of words seen, and one of words held out where some are, the same in every run."""
        found = self._judge(np.setdiff1d(np.arange(len(self.game.answers)), self.unseen))
        if len(self.unseen):
            held_out = self._judge(self.unseen)
            found |= {f"{name}_seen": value for name, value in found.items()}
            found |= {f"{name}_unseen": value for name, value in held_out.items()}
        return found

    def _judge(self, answers: NDArray[np.int64]) -> dict[str, float]:
        rng = np.random.default_rng(_JUDGED)
        count = min(self.lists.judged, len(answers))
        words = [self.game.answers[a] for a in np.sort(rng.choice(answers, count, replace=False))]
        game = self.game.with_answers(words, uniform(count))
        tree = DecisionTree.build(pair_player(self.weights(), game), game)
        return {"mean": float(tree.turns.mean()), "failures": float((tree.turns > game.max_turns).sum())}


def drawn(letters: NDArray[np.int32], kind: Lists, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return the words of a list, int64 ascending; letters: int32 [words, length], of those to draw from.

    Words are drawn without replacement, those of a liking more often: the largest of logs with Gumbel noise.
    """
    n, length = letters.shape
    least, most = (np.log(min(count, n)) for count in (kind.least, kind.most))
    size = round(float(np.exp(rng.uniform(least, most))))
    likings = np.zeros((length, ALPHABET))
    if rng.random() >= kind.plain:
        strength = kind.liking * rng.random()
        likings = strength * (rng.normal(size=(length, ALPHABET)) + rng.normal(size=ALPHABET))
    keys = likings[np.arange(length), letters].sum(1) + rng.gumbel(size=n)
    return np.sort(np.argpartition(-keys, size - 1)[:size])
