"""Rollout under priors that are not uniform: base, shortlist and width, beside the proven optimum.

    python benchmarks/study_priors.py

The answers are the original ones, the opener is trace. "Mean" is what the prior expects, "even" what it takes
when all answers are equally likely in truth, "late" how many answers take more than six guesses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sleuth.exact.objective import Objective
from sleuth.exact.proving import prove
from sleuth.games.frontier import Frontier, Indices
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.games.priors import by_frequency
from sleuth.games.strategy import BatchStrategy, best_of
from sleuth.games.wordle import wordle
from sleuth.strategies.heuristics import ExpectedGuesses, InformationGain
from sleuth.strategies.portfolio import Portfolio
from sleuth.strategies.rollout import Rollout
from sleuth.trees.tree import DecisionTree

OPENER = "trace"
BASES: tuple[BatchStrategy, ...] = (InformationGain(), ExpectedGuesses())
HELD_OUT_OPENER = "salet"


@dataclass(frozen=True)
class Shortlisted(Rollout):
    """Rollout whose guesses considered are the best of another strategy than its base."""

    shortlist: BatchStrategy = field(default_factory=InformationGain)

    def considered(self, frontier: Frontier) -> Indices:
        """Return the shortlist's best."""
        assert self.width != "all"
        return best_of(self.shortlist, frontier, self.width)


def players() -> Iterator[tuple[str, str, str, BatchStrategy]]:
    """Yield what is compared: the base's name, the shortlist's, the width and the strategy."""
    for base in BASES:
        yield base.name, "", "base alone", base
        for shortlist in BASES:
            for width in (5, 10, 40):
                yield base.name, shortlist.name, str(width), Shortlisted(base, width, shortlist=shortlist)
    both = Portfolio((ExpectedGuesses(), InformationGain()))
    yield "both", "both", "10", Rollout(both)
    for penalty in (20, 100):
        yield "expected-guesses", "expected-guesses", f"10, penalty {penalty}", Rollout(penalty=penalty)


def row(*cells: object) -> None:
    """Print a row of a table."""
    print("|", " | ".join(f"{cell:.4f}" if isinstance(cell, float) else str(cell) for cell in cells), "|")


def table(name: str, game: Game) -> None:
    """Print what every player takes under one prior, and the proven optima."""
    print(f"\n{name}\n")
    row("base", "shortlist", "width", "mean", "even", "late")
    row(*["---"] * 6)
    for base, shortlist, width, strategy in players():
        taken = DecisionTree.build(strategy, game, OPENER).turns
        late = int((taken > game.max_turns).sum())
        row(base, shortlist, width, float(game.prior @ taken), float(taken.mean()), late)
    start = Position.start(game)
    for label, objective in (
        ("optimum, every answer in time", Objective()),
        ("optimum, penalty 100", Objective("mean", 100)),
        ("optimum, penalty 20", Objective("mean", 20)),
    ):
        proof = prove(start, opener=OPENER, objective=objective)
        assert proof.proved
        assert proof.tree is not None
        taken = proof.tree.turns
        late = int((taken > game.max_turns).sum())
        row(label, "", "", float(game.prior @ taken), float(taken.mean()), late)


def held_out() -> None:
    """Print how a prior over all words does on answers that it was not made from.

    How likely a word is an answer is estimated by the rank of its frequency, from one half of the words; the
    answers among the other half are played.
    """
    words, answers = wordle("original-guesses"), set(wordle("original").answers)
    frequency = by_frequency(words.answers)
    is_answer = np.array([word in answers for word in words.answers])
    half = np.random.default_rng(0).random(len(is_answer)) < 0.5
    chances = by_rank(frequency, is_answer & half)
    print("\nheld out\n")
    row("prior over all 12972 words", "strategy", "mean of the answers held out", "late")
    row(*["---"] * 4)
    for name, prior in (("uniform", None), ("frequency", frequency), ("chance by rank", chances)):
        game = words if prior is None else words.with_prior(prior)
        for base in BASES:
            for label, strategy in ((base.name, base), (f"rollout({base.name})", Rollout(base))):
                taken = DecisionTree.build(strategy, game, HELD_OUT_OPENER).turns[is_answer & ~half]
                row(name, label, float(taken.mean()), int((taken > game.max_turns).sum()))
    known = DecisionTree.build(Rollout(), wordle("original"), HELD_OUT_OPENER).turns
    kept = [word in set(np.array(words.answers)[is_answer & ~half]) for word in wordle("original").answers]
    row("the 2315 answers known", "rollout(expected-guesses)", float(known[kept].mean()), 0)


def by_rank(frequency: NDArray[np.float64], chosen: NDArray[np.bool_], bins: int = 50) -> NDArray[np.float64]:
    """Return the share of the words of about the same frequency that are chosen, float64 [words]."""
    order = np.argsort(-frequency, kind="stable")
    out = np.empty(len(order))
    for part in np.array_split(order, bins):
        out[part] = (chosen[part].sum() + 0.5) / (len(part) + 1)
    return out


def main() -> None:
    """Print all tables."""
    game = wordle("original")
    frequency = by_frequency(game.answers)
    table("uniform", game)
    for name, sharpness in (("square root of the frequency", 0.5), ("frequency", 1.0), ("its square", 2.0)):
        table(name, game.with_prior(frequency**sharpness))
    held_out()


if __name__ == "__main__":
    main()
