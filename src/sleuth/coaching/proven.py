"""What is proven of openers, shipped as data: proven.json, beside the book.

A page of it is of one game, known by the digest of its rules and lists, its mode and its turns:

    {"name": "wordle (original)", "digest": "…", "mode": "easy", "max_turns": 6, "scale": 2315,
     "best": true, "totals": {"salet": 7920, …}, "lossy": []}

`totals` has the least guesses that each opener takes over all answers, every one of them found within the
turns. `lossy` are openers after which no strategy finds them all. `best` says whether no other opener takes
fewer than the first of the totals; docs/exact.md has those proofs. All under the uniform prior.
`python -m sleuth.coaching.prove_openers --help` says how pages are proven and written.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from sleuth.games.game import Game

if TYPE_CHECKING:
    from sleuth.exact.proof import Proof

FILE = "proven.json"


@dataclass(frozen=True)
class Page:
    """What is proven of the openers of a game.

    Attributes:
        name, digest, mode, max_turns: the game.
        scale: how many answers it has, by which totals are divided for means.
        best: whether no opener takes fewer than the least of the totals.
        totals: guesses over all answers by opener, those of the fewest first.
        lossy: openers after which no strategy finds every answer within the turns.

    """

    name: str
    digest: str
    mode: str
    max_turns: int
    scale: int
    best: bool
    totals: dict[str, int]
    lossy: list[str] = field(default_factory=list)

    @property
    def means(self) -> dict[str, float]:
        """Guesses expected by opener, those of the fewest first."""
        return {opener: total / self.scale for opener, total in self.totals.items()}

    @property
    def least(self) -> float | None:
        """The least that any opener needs, where that is proven."""
        return min(self.means.values()) if self.best else None

    @property
    def optimum(self) -> dict[str, str | int | float] | None:
        """The fewest guesses over all answers, in all and on average, and an opener that takes them."""
        if not self.best:
            return None
        opener, total = next(iter(self.totals.items()))
        return {"total": total, "mean": total / self.scale, "opener": opener}

    def is_of(self, game: Game) -> bool:
        """Say whether the page is of a game."""
        key = (game.digest, game.mode, game.max_turns)
        return game.is_uniform and key == (self.digest, self.mode, self.max_turns)

    def with_proof(self, proof: Proof, of_all: bool) -> Page:
        """Return the page with what a proof says of its game. of_all: whether that is of all openers."""
        totals = self.totals | dict(proof.top)
        ordered = dict(sorted(totals.items(), key=lambda item: (item[1], item[0])))
        return replace(self, best=self.best or (of_all and proof.proved), totals=ordered)

    def with_loss(self, opener: str) -> Page:
        """Return the page with an opener after which no strategy finds every answer."""
        return replace(self, lossy=sorted({*self.lossy, opener}))


@cache
def _pages() -> tuple[Page, ...]:
    text = resources.files("sleuth.coaching").joinpath(FILE).read_text(encoding="utf-8")
    return tuple(Page(**page) for page in json.loads(text))


def page_of(game: Game) -> Page:
    """Return what is proven of the openers of a game in its mode, be it nothing."""
    found = next((page for page in _pages() if page.is_of(game)), None)
    return found or Page(game.name, game.digest, game.mode, game.max_turns, len(game.answers), False, {})
