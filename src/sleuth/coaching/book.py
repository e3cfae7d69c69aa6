"""The opening book: the best openers of the games that ship with Sleuth, computed ahead.

Each opener was evaluated in full: expected_guesses is the mean of a wide beam search from it, a figure that
play by Sleuth reaches, over all answers under the uniform prior, a lost game counted as in reviews. `python
-m sleuth.coaching.book` computes the book again (ten minutes on two cores). What is proven (proven.py) takes
the place of such figures, and openers after which some answer is lost however one plays come last.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import cache, lru_cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth.coaching.losses import mean_with_losses
from sleuth.coaching.proven import Page, page_of
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.games.strategy import CERTAINTIES, Suggestion, describe

_BOOK = "openers.json"
_OPENERS = 100
_DIGITS = 6


@cache
def _book() -> dict[str, Any]:
    text = resources.files("sleuth.coaching").joinpath(_BOOK).read_text(encoding="utf-8")
    book: dict[str, Any] = json.loads(text)
    return book


def openers(game: Game) -> tuple[Suggestion, ...]:
    """Return the best openers of a game in its mode, best first; none when the book lacks it.

    The book holds games under the uniform prior, known by their words.
    """
    return _openers(game) if game.is_uniform else ()


@lru_cache(maxsize=16)
def _openers(game: Game) -> tuple[Suggestion, ...]:
    proofs = page_of(game)
    listed = [Suggestion(**entry) for entry in _book().get(game.digest, {}).get(game.mode, [])]
    more = [opener for opener in proofs.totals if opener not in {one.guess for one in listed}]
    listed += describe(Position.start(game), np.array([game.find(opener) for opener in more], np.int32))
    return tuple(sorted((_proven(one, proofs) for one in listed), key=lambda one: order(one, proofs.lossy)))


def listed(game: Game, opener: str) -> Suggestion | None:
    """Return what the book has of an opener, or of one that differs in names and places only; else None."""
    known = {one.guess: one for one in openers(game)}
    if opener in known or not known:
        return known.get(opener)
    same = _orbits(game)
    first = same[game.find(opener)]
    found = next((one for one in known.values() if same[game.find(one.guess)] == first), None)
    return found and replace(found, guess=opener)


@lru_cache(maxsize=4)
def _orbits(game: Game) -> NDArray[np.int32]:
    from sleuth.exact.symmetry import orbits

    return orbits(game)


def _proven(opener: Suggestion, proofs: Page) -> Suggestion:
    """Return an opener with what is proven of it."""
    mean = proofs.means.get(opener.guess)
    if mean is None:
        return replace(opener, least=None if opener.guess in proofs.lossy else proofs.least)
    return replace(opener, expected_guesses=mean, expected_by="exact", least=mean)


def order(opener: Suggestion, lossy: Collection[str] = ()) -> tuple[int, float, int, float, str]:
    """Return what openers are sorted by: guesses expected. lossy: those of Page.lossy.

    An estimate is as a rule too low, so it does not rank against guesses that were counted; the lossy come
    after all that find every answer, estimates last. Of as many guesses, in the digits that the book has,
    what is proven comes first, then the likelier answer.
    """
    counted = 2 if opener.expected_by == "estimate" else int(opener.guess in lossy)
    known = CERTAINTIES.index(opener.kind)
    return counted, round(opener.expected_guesses, _DIGITS), known, -opener.chance, opener.guess


def compute(game: Game, considered: int = 150) -> list[Suggestion]:
    """Return the best openers of a game, each evaluated in full by beam search.

    considered: how many are evaluated, the best by information gain and by the entropic estimate. Openers
    that split the answers alike, such as 1122 and 3344 in Mastermind, count as one.
    """
    from sleuth.exact.beam import Beam
    from sleuth.games.frontier import Frontier
    from sleuth.strategies.heuristics import ExpectedGuesses, InformationGain
    from sleuth.trees.evaluation import evaluate

    start = Position.start(game)
    rated: dict[str, Suggestion] = {}
    for strategy in (InformationGain(), ExpectedGuesses()):
        guesses = strategy.best(Frontier.of(start), min(len(game.guesses), 20 * considered))[0]
        alike: dict[tuple[float, int, int], Suggestion] = {}
        for suggestion in describe(start, guesses[guesses >= 0]):
            profile = (round(suggestion.bits, 9), suggestion.classes, suggestion.worst_left)
            alike.setdefault(profile, suggestion)
        for suggestion in list(alike.values())[: considered // 2]:
            if suggestion.guess not in rated:
                mean = mean_with_losses(game, evaluate(Beam(8, 20), game, suggestion.guess).report)
                rated[suggestion.guess] = replace(suggestion, expected_guesses=mean, expected_by="search")
    return sorted(rated.values(), key=order)[:_OPENERS]


def _games() -> Iterator[tuple[Game, int]]:
    """Yield the games of the book, and how many openers to evaluate for each."""
    from sleuth.games import MODES
    from sleuth.games.pegs import bulls_and_cows, mastermind
    from sleuth.games.wordle import wordle

    for words, considered in (("original", 150), ("nyt", 150), ("nyt-guesses", 12)):
        for mode in MODES:
            yield wordle(words).with_mode(mode), considered
    for game in (mastermind(), bulls_and_cows()):
        yield game, 150
        yield game.with_mode("strict"), 150


def main() -> None:
    """Compute the book and write it next to this module."""
    from pathlib import Path

    pages: dict[str, dict[str, Any]] = {}
    for game, considered in _games():
        found = compute(game, considered)
        print(game.name, game.mode, found[0].guess, f"{found[0].expected_guesses:.4f}", flush=True)
        entries = [
            {
                key: round(value, _DIGITS) if isinstance(value, float) else value
                for key, value in s.to_json().items()
                if key != "kind"
            }
            for s in found
        ]
        pages.setdefault(game.digest, {})[game.mode] = entries
    path = Path(__file__).with_name(_BOOK)
    path.write_text(json.dumps(pages, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
