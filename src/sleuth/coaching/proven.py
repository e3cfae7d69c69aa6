"""What is proven of openers, shipped as data: proven.json, beside the book.

A page of it is of one game, known by the digest of its rules and lists, its mode and its turns:

    {"name": "wordle (original)", "digest": "…", "mode": "easy", "max_turns": 6, "scale": 2315,
     "best": true, "totals": {"salet": 7920, …}, "lossy": []}

`totals` has the least guesses that each opener takes over all answers, every one of them found within the
turns. `lossy` are openers after which no strategy finds them all. `best` says whether no other opener takes
fewer than the first of the totals; docs/exact.md has those proofs. All under the uniform prior.
`python -m sleuth.coaching.proven --help` says how pages are proven and written.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from sleuth.games.game import Game

if TYPE_CHECKING:
    from sleuth.exact.proof import Proof

_FILE = "proven.json"


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
    text = resources.files("sleuth.coaching").joinpath(_FILE).read_text(encoding="utf-8")
    return tuple(Page(**page) for page in json.loads(text))


def page_of(game: Game) -> Page:
    """Return what is proven of the openers of a game in its mode, be it nothing."""
    found = next((page for page in _pages() if page.is_of(game)), None)
    return found or Page(game.name, game.digest, game.mode, game.max_turns, len(game.answers), False, {})


def main() -> None:
    """Prove openers of a game, and write what is proven into the file next to this module."""
    from argparse import ArgumentParser

    from sleuth.coaching import book
    from sleuth.exact.objective import Objective
    from sleuth.exact.proving import prove
    from sleuth.exact.solver import Solver
    from sleuth.games import MODES
    from sleuth.games.choice import GameChoice

    parser = ArgumentParser(prog="python -m sleuth.coaching.proven", description=main.__doc__)
    parser.add_argument("openers", nargs="*", help="what to prove the totals of; none for the best of all")
    parser.add_argument("--game", default="wordle", help="wordle, mastermind or bulls-and-cows")
    parser.add_argument("--words", help="the word list")
    parser.add_argument("--mode", default="easy", choices=list(MODES))
    parser.add_argument(
        "--listed", type=int, default=0, help="prove so many of the first openers of the book"
    )
    parser.add_argument("--top", type=int, default=1, help="how many of the best openers to know exactly")
    parser.add_argument("--store", type=Path, help="a store to go on from, for the best of all")
    parser.add_argument("--seconds", type=float, help="give up on a proof after so long; it is left out")
    asked = parser.parse_args()
    game = GameChoice(asked.game, asked.words, mode=asked.mode).build()
    page = page_of(game)
    listed = [opener.guess for opener in book.openers(game)[: asked.listed]]
    if wanted := [*asked.openers, *listed]:
        solver = Solver(game, Objective())  # its table helps with the openers to come
        known = {*page.totals, *page.lossy}
        for opener in (opener for opener in dict.fromkeys(wanted) if opener not in known):
            proof = prove(game, opener=opener, seconds=asked.seconds, with_tree=False, solver=solver)
            if proof.proved:
                found = proof.total is not None
                page = page.with_proof(proof, of_all=False) if found else page.with_loss(opener)
            print(opener, repr(proof), f"{proof.seconds:.1f} s", flush=True)
    else:
        proof = prove(game, top=asked.top, store=asked.store, seconds=asked.seconds, with_tree=False)
        page = page.with_proof(proof, of_all=True)
        print(repr(proof), flush=True)
    write(page, Path(__file__).with_name(_FILE))


def write(page: Page, path: Path) -> None:
    """Write a page into a file of pages, in place of the one of the same game."""
    pages = [Page(**one) for one in json.loads(path.read_text(encoding="utf-8"))]
    kept = [
        one
        for one in pages
        if (one.digest, one.mode, one.max_turns) != (page.digest, page.mode, page.max_turns)
    ]
    lines = [json.dumps(vars(one)) for one in sorted([*kept, page], key=lambda one: (one.name, one.mode))]
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
