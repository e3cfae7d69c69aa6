"""The program that proves openers and writes proven.json, which ships with Sleuth (see proven.py)."""

import json
from argparse import ArgumentParser
from pathlib import Path

from sleuth.coaching import book
from sleuth.coaching.proven import FILE, Page, page_of
from sleuth.exact.objective import Objective
from sleuth.exact.proving import prove
from sleuth.exact.solver import Solver
from sleuth.games import MODES
from sleuth.games.choice import GameChoice


def main() -> None:
    """Prove openers of a game, and write what is proven into the file next to this module."""
    parser = ArgumentParser(prog="python -m sleuth.coaching.prove_openers", description=main.__doc__)
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
    write(page, Path(__file__).with_name(FILE))


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
