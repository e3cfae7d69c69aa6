"""Openers refuted by cores, beside what trying everything finds."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from reference import split

from sleuth.exact.certificate import certify
from sleuth.exact.cores import TURNS, Refuter
from sleuth.exact.proving import prove
from sleuth.exact.solver import Solver
from sleuth.games.game import Game, Mode
from sleuth.games.pegs import mastermind
from sleuth.games.position import Position
from sleuth.games.wordle import wordle
from sleuth.games.wordlists import from_words

FAMILY = ["batch", "catch", "hatch", "latch", "match", "patch", "watch", "bight", "fight", "light", "might"]


def all_found(game: Game, candidates: Sequence[int], turns: int) -> bool:
    """Say whether some strategy finds all candidates within so many turns."""
    if len(candidates) <= 1:
        return turns >= len(candidates)
    return turns > 0 and any(leads_to_all(game, candidates, g, turns) for g in range(len(game.guesses)))


def leads_to_all(game: Game, candidates: Sequence[int], guess: int, turns: int) -> bool:
    left = split(game, candidates, guess).values()
    return all(len(some) < len(candidates) and all_found(game, some, turns - 1) for some in left)


def families(mode: Mode = "easy") -> Game:
    """Return a game of words that are hard to tell apart with the few that are allowed."""
    return wordle(from_words(FAMILY, [*FAMILY, "fable", "whelp", "climb"]), mode=mode)


@pytest.mark.parametrize("turns", TURNS)
@pytest.mark.parametrize("game", [families(), mastermind(2, 6), mastermind(3, 3)], ids=lambda game: game.name)
def test_openers_are_refuted_that_do_not_lead_to_all_answers(game: Game, turns: int) -> None:
    solver = Solver(game)
    refuter = solver.refuter
    assert refuter is not None
    rows = solver.rows_of(Position.start(game))
    everything = range(len(game.answers))
    found = [refuter.refutes(rows, solver.column_of[g], turns) for g in range(len(game.guesses))]
    assert found == [not leads_to_all(game, everything, g, turns) for g in range(len(game.guesses))]
    codes = refuter.codes
    for core in refuter.cores:
        assert all(len(np.unique(row[core])) < len(core) for row in codes)
        for left_out in range(len(core)):
            fewer = np.delete(core, left_out)
            assert any(len(np.unique(row[fewer])) == len(fewer) for row in codes)


@pytest.mark.parametrize("mode", ["easy", "hard", "strict"])
def test_the_fewest_turns_are_the_same_without_cores(mode: Mode, monkeypatch: pytest.MonkeyPatch) -> None:
    game = families(mode)
    proof = prove(game, "worst")
    monkeypatch.setattr(Solver, "refuter", None)
    without = prove(game, "worst")
    assert (proof.worst, proof.total, proof.top) == (without.worst, without.total, without.top)


def test_where_answers_cannot_be_guessed_nothing_is_refuted() -> None:
    unnamed = replace(families(), guesses=("fable", "whelp", "climb", "batch"))
    assert Solver(unnamed).refuter is None


@pytest.mark.parametrize("game", [families(), mastermind(2, 6), mastermind(2, 3)], ids=lambda game: game.name)
def test_least_turns(game: Game) -> None:
    solver = Solver(game)
    proof = prove(game, "worst")
    assert proof.worst is not None
    assert solver.least_turns(len(game.answers)) <= proof.worst


def test_certificates_do_without_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """A checker that scans could not derive what cores say."""
    proof = prove(mastermind(2, 6), "worst")
    assert proof.worst is not None
    assert proof.worst - 1 in TURNS

    def refutes(*_: object) -> bool:
        raise AssertionError("cores were asked")

    monkeypatch.setattr(Refuter, "refutes", refutes)
    certificate = certify(proof)
    assert certificate.about["at_least"][-1][1] == proof.total
