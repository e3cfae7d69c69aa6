"""Certificates: what a finished proof rests on, in a file that check_certificate.py checks without Sleuth."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from itertools import permutations, product
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from sleuth.exact.check_certificate import FORMAT, LISTS, words_of
from sleuth.exact.cores import TURNS
from sleuth.exact.families import batches
from sleuth.exact.objective import Objective
from sleuth.exact.proof import IMPOSSIBLE, Proof
from sleuth.exact.solver import DEFAULT_MEMORY, Solver
from sleuth.exact.symmetry import moves_of
from sleuth.games.game import Game
from sleuth.games.labels import MOST_LABELS
from sleuth.games.position import Position
from sleuth.games.rules import FEW_LETTERS, PegRules, WordleRules
from sleuth.support.errors import SleuthError
from sleuth.support.files import write_whole
from sleuth.support.parallel import thread_count
from sleuth.support.progress import Progress, Watch
from sleuth.support.version import VERSION

if TYPE_CHECKING:
    from sleuth.kernels.search.premises import Premises
    from sleuth.kernels.search.records import Past, View

T = TypeVar("T")
R = TypeVar("R")

_NO_LIMIT = 0
"""How a certificate writes that there is no limit of turns."""


@dataclass(frozen=True, eq=False, repr=False)
class Certificate:
    """What the theorem of a proof rests on, field by field as the file has it (see docs/proof.md).

    Attributes:
        about: the theorem and its game, as plain values.
        arrays: weights, claims and plays, and the feedback of games by a table.

    """

    about: dict[str, Any]
    arrays: dict[str, NDArray[np.integer[Any]]]

    def __repr__(self) -> str:
        return f"<Certificate {self.about['game']['rules']}: {self.claims} claims>"

    @property
    def claims(self) -> int:
        """How many sets have a bound in it."""
        return len(self.arrays["bounds"])

    def to_bytes(self) -> bytes:
        """Return the file: NumPy's .npz, compressed."""
        about = np.frombuffer(json.dumps(self.about, sort_keys=True).encode(), np.uint8)
        out = io.BytesIO()
        np.savez_compressed(out, allow_pickle=False, about=about, **self.arrays)
        return out.getvalue()

    def write(self, path: str | Path) -> None:
        """Write the file, whole or not at all. Raises OSError."""
        write_whole(Path(path), self.to_bytes())


def check_certifiable(start: Game | Position, objective: Objective) -> None:
    """Raise SleuthError where a proof would have no certificate."""
    position = Position.start(start) if isinstance(start, Game) else start
    game = position.game
    if objective.kind == "solved" or objective.penalty is not None:
        raise SleuthError(
            "certificates are of the objectives mean and worst without a penalty: every answer is found"
        )
    if position.turn > 1 or len(position.candidates) < len(game.answers):
        raise SleuthError("certificates are of whole games, not of positions in them")
    if (game.answer_guess < 0).any():
        unnamed = game.answers[int(np.argmin(game.answer_guess))]
        raise SleuthError(
            f"certificates are of games whose answers may all be guessed, and {unnamed} may not"
        )
    if game.rules.n_codes > MOST_LABELS:
        raise SleuthError(
            f"certificates are of games of {MOST_LABELS:,} kinds of feedback at most, such as words of up to"
            f" {FEW_LETTERS} letters, and {game.name} has {game.rules.n_codes:,}"
        )
    if game.mode != "easy" and not isinstance(game.rules, WordleRules) and not _is_whole(game):
        raise SleuthError(f"{game.name} has certificates in easy mode only, as its feedback is a table")


def certify(proof: Proof, *, solver: Solver | None = None, progress: Watch | None = None) -> Certificate:
    """Return what a finished proof rests on.

    solver: the one that found it, whose table of bounds is used; without it much is searched again.
    progress: told how far it is. Raises SleuthError for a proof that is not finished, and what has no
    certificate.
    """
    check_certifiable(proof.position, proof.objective)
    if not proof.proved or (proof.total is not None and proof.tree is None):
        raise SleuthError("only a finished proof with its tree has a certificate")
    game = proof.position.game
    if solver is None:
        solver = Solver(game, proof.objective, DEFAULT_MEMORY, proof.position.candidates)
    walk = _Walk(solver.serving(proof.position), proof, progress)
    try:
        return walk.certificate(_theorems(walk, proof))
    finally:
        walk.close()


def _theorems(walk: _Walk, proof: Proof) -> list[tuple[int, int]]:
    """Take up what a proof says, and return it: within so many turns no strategy costs less."""
    turns = proof.position.game.max_turns if proof.objective.kind == "mean" else proof.turns
    least: list[tuple[int, int]] = []
    if proof.total is None:
        least.append((turns, IMPOSSIBLE))
    elif proof.objective.kind == "worst" and turns > 1:
        least.append((turns - 1, IMPOSSIBLE))
    for limited in least:
        walk.take(*limited)
    if proof.total is not None:
        # Without a limit of turns the theorem says more, and mostly it holds as well.
        within = next(limit for limit in (_NO_LIMIT, turns) if walk.take(limit, proof.total))
        least.append((within, proof.total))
    return least


def as_text(path: Path, answers: Path | None = None, guesses: Path | None = None) -> Iterator[str]:
    """Yield a certificate as lines of text: what it is about, claims, weights, feedback, and what is played.

    There is a line for each claim; for each answer where weights are not all 1; for each guess in a game by a
    function, with its feedback for the answers; and for each answer, with what the strategy guesses.

    answers, guesses: files of words, where they are none of Sleuth's. Raises any exception for what is no
    certificate.
    """
    with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
        arrays = dict(file)
    about = json.loads(arrays["about"].tobytes())
    names, asked = words_of(about["game"], {"answers": answers, "guesses": guesses})
    yield json.dumps(about)
    sets = np.split(arrays["members"], np.cumsum(arrays["sizes"])[:-1])
    rest = (arrays[name].tolist() for name in ("bounds", "turns", "made"))
    for i, (members, bound, turns, made) in enumerate(zip(sets, *rest, strict=len(arrays["sizes"]) > 0)):
        least = "impossible" if bound >= IMPOSSIBLE else f"at least {bound}"
        within = f" within {turns} turns" if turns else ""
        after = "".join(f", {asked[guess]}" for guess in made if guess >= 0).replace(",", " after", 1)
        yield f"{i}: {least}{within}{after}: {' '.join(names[answer] for answer in members)}"
    if (arrays["weights"] != 1).any():
        yield from (f"weight of {name}: {w}" for name, w in zip(names, arrays["weights"], strict=True))
    for name, row in zip(asked, arrays.get("feedback", ()), strict="feedback" in arrays):
        yield f"feedback of {name}: {' '.join(map(str, row))}"
    for name, row in zip(names, arrays.get("plays", ()), strict="plays" in arrays):
        yield f"played on {name}: {' '.join(asked[guess] for guess in row if guess >= 0)}"


def is_of_words(path: Path) -> bool:
    """Say whether a certificate is about lists of words, which it names by their digests.

    Raises any exception for what is no certificate.
    """
    with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
        return bool(json.loads(file["about"].tobytes())["game"]["rules"] == "wordle")


class _Claim(NamedTuple):
    """What a set costs at least, with so many turns left or UNLIMITED, after some guesses."""

    members: NDArray[np.int32]
    bound: int
    turns: int
    made: tuple[int, ...]


_Key = tuple[bytes, int, bytes]
"""A set, the turns left, and a digest of what is legal where that matters."""


class _Walk:
    """The sets that a proof rests on, found from the openers down, the largest first."""

    def __init__(self, solver: Solver, proof: Proof, progress: Watch | None) -> None:
        self.solver, self.proof, self.progress = solver, proof, progress
        self.game = proof.position.game
        self.start = Position.start(self.game)
        self.claims: list[_Claim] = []
        self.words = _words(self.game)
        self.described = _described(self.game, self.words)
        # The checker takes the first of guesses that are alike in the order of the codes.
        pegs = self.described["rules"] in ("pegs", "black") and list(self.game.guesses) == self.words[1]
        uniform = bool((solver.weights == 1).all())
        self.symmetric = pegs and uniform and len(moves_of(self.game)[1].orders) > 1
        self.fresh: Solver | None = None
        self.pool = ThreadPoolExecutor(thread_count(), thread_name_prefix="certificate")

    def take(self, turns: int, total: int) -> bool:
        """Take up what it rests on that no opener costs less, or return that one may.

        turns: turns at the start, or _NO_LIMIT.
        """
        from sleuth.kernels.search.records import UNLIMITED

        if total >= IMPOSSIBLE and self._take_cores(turns):
            return True
        left = turns or int(UNLIMITED)
        waiting: dict[int, dict[_Key, _Claim]] = {}
        found: list[_Claim] = []
        openers = self._unrefuted(left, total)
        root = _Claim(self.start.candidates, total, left, ())
        laid_out = self.solver.view_of(self.start)  # once for all openers, for it is large
        for opener, premises in self._each(lambda opener: self._premises(root, laid_out, opener), openers):
            if premises is None:
                return False
            self._wait(waiting, root, premises)
            self._tell(f"openers that take a claim, {self.game.guesses[opener]}", len(found))
        while waiting:
            size = max(waiting)
            level = list(waiting.pop(size).values())
            found += level
            for claim, premises in self._each(
                lambda claim: self._premises(claim, self.solver.view_of(self._position(claim))), level
            ):
                if premises is None:
                    return False
                self._wait(waiting, claim, premises)
                self._tell(f"sets of {size} answers", len(found))
        self.claims += [claim._replace(turns=claim.turns if turns else _NO_LIMIT) for claim in found]
        return True

    def _take_cores(self, turns: int) -> bool:
        """Take up sets that no guess tells apart, if they show that so many turns do not suffice."""
        refuter = self.solver.refuter if turns in TURNS else None
        # The checker's scans count weights: they do not see that answers of none are not told apart. And of
        # guesses that are alike it takes the first that no such set refutes.
        if refuter is None or self.symmetric or not self.solver.weights.all():
            return False
        rows, columns = self.solver.rows_of(self.start), self.solver.column_of
        openers = self._asked()
        cores: dict[bytes, NDArray[np.int32]] = {}
        refuted = self._each(lambda opener: refuter.reasons(rows, columns[opener], turns), openers.tolist())
        for done, (_, reasons) in enumerate(refuted, 1):
            if reasons is None:
                return False
            for core in reasons:
                members = np.sort(self.solver.view.answers[core])
                cores[members.tobytes()] = members
            self._tell(f"openers, {len(cores)} sets that no guess tells apart", done, len(openers))
        self.claims += [_Claim(members, IMPOSSIBLE, 2, ()) for members in cores.values()]
        return True

    def _asked(self) -> NDArray[np.int32]:
        """Return the openers that the theorem is about, one of each kind."""
        from sleuth.kernels.search.alike import firsts_after

        if self.proof.asked:
            return np.array([self.game.find(self.proof.asked)], np.int32)
        openers = np.arange(len(self.game.guesses), dtype=np.int32)
        return openers[firsts_after(*moves_of(self.game), openers)] if self.symmetric else openers

    def _unrefuted(self, turns: int, total: int) -> list[int]:
        """Return the openers that one scan of each of their classes does not refute."""
        openers = self._asked()
        if self.proof.asked:
            return [int(one) for one in openers]
        # Its table knows nothing: what it says, a scan says.
        fresh = Solver(self.game, self.solver.objective, self.solver.memory, self.start.candidates)
        self.fresh = fresh
        parts = [openers[some] for some in batches(self.start.game, openers)]
        left: list[int] = []
        done = 0
        bound = self._each(lambda part: fresh.sweep(self.start, part, turns, total), parts)
        for part, bounds in bound:
            left += part[bounds < total].tolist()
            done += len(part)
            self._tell(f"openers, {len(left)} that take a claim", done, len(openers))
        return left

    def _premises(
        self, claim: _Claim, laid_out: tuple[View, NDArray[np.int32]], opener: int = -1
    ) -> Premises | None:
        """Return what it rests on that a set costs so much, or None where it may cost less.

        laid_out: the set's view and its rows there. opener: the one guess to look at, or -1.
        """
        from sleuth.kernels.search.premises import premises

        view, rows = laid_out
        only = int(np.flatnonzero(view.columns == opener)[0]) if opener >= 0 else -1
        past = self._past(claim)
        solver = self.solver
        found, cheaper = premises(
            solver.search, solver.moves, view, rows, claim.turns, claim.bound, only, past
        )
        return found if cheaper < 0 else None

    def _past(self, claim: _Claim) -> Past:
        """Return the moves that keep the guesses which led to a claim's set, all of whose answers it has."""
        from sleuth.kernels.search.alike import then

        if not self.symmetric:
            return self.solver.no_past
        moves, past = moves_of(self.game)
        for guess in claim.made:
            past = then(moves, past, guess)
        return past

    def _position(self, claim: _Claim) -> Position:
        """Return the position of a claim's set."""
        if self.start.legal is None:
            return Position(self.game, claim.members, None)
        position = self.start
        for guess in claim.made:
            position = position.after(guess, int(self.game.feedback[guess, claim.members[0]]))
        return position

    def _wait(self, waiting: dict[int, dict[_Key, _Claim]], claim: _Claim, found: Premises) -> None:
        """Put the sets that a claim rests on among those that wait, by size; of each the largest bound."""
        from sleuth.kernels.search.records import UNLIMITED

        sets = np.split(found.members, found.starts[1:-1])
        after = self._position(claim) if len(found.bounds) and self.start.legal is not None else None
        turns = claim.turns - 1 if claim.turns < UNLIMITED else claim.turns
        for part, bound, guess in zip(sets, found.bounds.tolist(), found.guesses.tolist(), strict=False):
            members, digest = np.sort(part), b""
            if after is not None:
                legal = after.after(guess, int(self.game.feedback[guess, members[0]])).legal
                assert legal is not None
                digest = sha256(legal.tobytes()).digest()
            level = waiting.setdefault(len(members), {})
            key = members.tobytes(), turns, digest
            if key not in level or level[key].bound < bound:
                level[key] = _Claim(members, bound, turns, (*claim.made, guess))

    def _each(self, call: Callable[[T], R], items: Iterable[T]) -> Iterator[tuple[T, R]]:
        """Yield items with what a call returns for each, in order, computed on threads."""
        futures = [(item, self.pool.submit(call, item)) for item in items]
        try:
            for item, future in futures:
                yield item, future.result()
        finally:
            for _, future in futures:
                future.cancel()

    def close(self) -> None:
        """End what is under way."""
        solvers = [self.solver] if self.fresh is None else [self.solver, self.fresh]
        for solver in solvers:
            solver.stop()
        self.pool.shutdown(cancel_futures=True)
        for solver in solvers:
            solver.resume()

    def _tell(self, remark: str, done: int, total: int = 0) -> None:
        if self.progress is not None:
            self.progress(Progress(min(done, total) if total else done, total, remark))

    def certificate(self, at_least: list[tuple[int, int]]) -> Certificate:
        """Return the certificate, in the order of the words that the checker has."""
        answers, guesses = (
            _places(*pair) for pair in zip(self.words, (self.game.answers, self.game.guesses), strict=True)
        )
        moved = sorted(
            (
                (np.sort(answers[claim.members]), claim.bound, claim.turns, guesses[list(claim.made)])
                for claim in self.claims
            ),
            key=lambda claim: (len(claim[0]), claim[2], claim[0].tolist()),
        )
        keeps_rows = self.symmetric or self.game.mode != "easy"
        made = np.full(
            (len(moved), max((len(one[3]) for one in moved), default=0) * keeps_rows), -1, np.int32
        )
        for row, claim in zip(made, moved, strict=True):
            row[: len(claim[3])] = claim[3][: made.shape[1]]
        weights = np.empty(len(answers), np.int64)
        weights[answers] = self.solver.weights
        small = np.uint16 if len(answers) <= 2**16 else np.int32
        arrays: dict[str, NDArray[np.integer[Any]]] = {
            "weights": weights,
            "sizes": np.array([len(claim[0]) for claim in moved], np.int32),
            "members": np.concatenate([np.zeros(0, small), *(claim[0] for claim in moved)]).astype(small),
            "bounds": np.array([claim[1] for claim in moved], np.int64),
            "turns": np.array([claim[2] for claim in moved], np.int32),
            "made": made,
        }
        if self.proof.tree is not None:
            plays = self._plays()[np.argsort(answers)]
            arrays["plays"] = np.where(plays < 0, -1, guesses[plays])
        if self.described["rules"] == "table":
            arrays["feedback"] = self.game.feedback
        about = {
            "format": FORMAT,
            "sleuth": VERSION,
            "game": self.described,
            "mode": self.game.mode,
            "opener": self.proof.asked,
            "at_least": at_least,
            "total": self.proof.total,
        }
        return Certificate(about, arrays)

    def _plays(self) -> NDArray[np.int32]:
        """Return the guesses of the tree for each answer, int32 [answers, turns], -1 after the last."""
        tree, game = self.proof.tree, self.game
        assert tree is not None
        plays = np.full((len(game.answers), int(tree.turns.max())), -1, np.int32)
        for answer, row in enumerate(plays):
            node = 0
            for turn in range(int(tree.turns[answer])):
                row[turn] = tree.guess[node]
                node = tree.children[node].get(int(game.feedback[row[turn], answer]), -1)
        return plays


def _is_whole(game: Game) -> bool:
    """Say whether all codes of some symbols, with repeats or without, are the answers and the guesses."""
    return isinstance(game.rules, PegRules) and set(game.answers) == set(game.guesses) == set(_codes(game))


def _codes(game: Game) -> list[str]:
    """Return all codes of a peg game's symbols, without repeats where no guess has any, in order."""
    symbols, pegs = sorted({symbol for guess in game.guesses for symbol in guess}), len(game.guesses[0])
    repeats = any(len(set(guess)) < pegs for guess in game.guesses)
    return [
        "".join(code) for code in (product(symbols, repeat=pegs) if repeats else permutations(symbols, pegs))
    ]


def _words(game: Game) -> tuple[list[str], list[str]]:
    """Return the answers and the guesses in the order that the checker has them in."""
    if isinstance(game.rules, WordleRules):
        return sorted(game.answers), sorted(game.guesses)
    if _is_whole(game):
        return _codes(game), _codes(game)
    return list(game.answers), list(game.guesses)


def _described(game: Game, words: tuple[list[str], list[str]]) -> dict[str, Any]:
    """Return what a certificate says of its game."""
    if isinstance(game.rules, WordleRules):
        lists = {}
        for kind, list_ in zip(("answers", "guesses"), words, strict=True):
            digest = sha256("\n".join(list_).encode()).hexdigest()
            lists[kind] = {"file": _file_of(list_, words[0], kind), "sha256": digest}
        return {"rules": "wordle", **lists}
    if _is_whole(game):
        symbols = sorted({symbol for guess in game.guesses for symbol in guess})
        repeats = any(len(set(guess)) < len(guess) for guess in game.guesses)
        rules = "black" if isinstance(game.rules, PegRules) and game.rules.black else "pegs"
        return {"rules": rules, "symbols": "".join(symbols), "pegs": len(words[0][0]), "repeats": repeats}
    return {"rules": "table", "answers": words[0], "guesses": words[1]}


def _file_of(words: list[str], answers: list[str], kind: str) -> str:
    """Return the file of Sleuth's that has these words, or what to do where there is none."""
    for path in sorted(LISTS.glob("*.txt")):
        shipped = path.read_text("utf-8").split()
        if sorted(shipped if kind == "answers" else {*shipped, *answers}) == words:
            return path.name
    return f"(your own: name it by --{kind})"


def _places(words: Iterable[str], found: Iterable[str]) -> NDArray[np.int32]:
    """Return where each of `found` stands in `words`, int32 [found]."""
    place = {word: i for i, word in enumerate(words)}
    return np.array([place[word] for word in found], np.int32)
