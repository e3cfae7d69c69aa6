"""Openers refuted by cores, beside what trying everything finds."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from reference import split

from sleuth.exact import check_certificate as checker
from sleuth.exact.certificate import certify
from sleuth.exact.cores import TURNS
from sleuth.exact.proof import IMPOSSIBLE
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
@pytest.mark.parametrize(
    "game",
    [families(), pytest.param(mastermind(2, 6), marks=pytest.mark.thorough), mastermind(3, 3)],
    ids=lambda game: game.name,
)
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


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("game", [families(), mastermind(2, 6), mastermind(3, 3)], ids=lambda game: game.name)
def test_reasons_are_enough(game: Game, kept: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each next guess keeps a set together that no guess tells apart, be cores kept or too large for it."""
    solver = Solver(game)
    refuter = solver.refuter
    assert refuter is not None
    if not kept:
        monkeypatch.setattr(refuter, "_keep", lambda *_: None)
    rows, codes = solver.rows_of(Position.start(game)), refuter.codes
    for column in range(len(codes)):
        reasons = refuter.reasons(rows, column, 4)
        assert (reasons is not None) == refuter.refutes(rows, column, 4)
        for some in reasons or []:
            assert all(len(np.unique(row[some])) < len(some) for row in codes)
        if reasons is not None:
            classes = [rows[codes[column, rows] == code] for code in np.unique(codes[column, rows])]
            assert any(
                all(
                    any(len(set(row[some])) == 1 and set(some) <= set(part) for some in reasons)
                    for row in codes
                )
                for part in classes
            )


@pytest.mark.parametrize(
    "mode", ["strict", *(pytest.param(mode, marks=pytest.mark.thorough) for mode in ("easy", "hard"))]
)
def test_certificates_rest_on_cores(mode: Mode, tmp_path: Path) -> None:
    """Without one of those that its theorem needs, the checker refuses it."""
    proof = prove(wordle(from_words(FAMILY, [*FAMILY, "whelp"]), mode=mode), "worst")
    assert proof.worst == 5
    certificate = certify(proof)
    assert certificate.about["at_least"][0] == (4, IMPOSSIBLE)
    arrays = certificate.arrays
    cores = np.flatnonzero((arrays["bounds"] == IMPOSSIBLE) & (arrays["turns"] == 2))
    assert len(cores)
    for name, words in (("answers", proof.position.game.answers), ("guesses", proof.position.game.guesses)):
        (tmp_path / name).write_text("\n".join(words))
    asked = tmp_path / "it.cert", tmp_path / "answers", tmp_path / "guesses", 1.0, lambda _: None
    certificate.write(asked[0])
    assert "finds every answer within 4 turns" in list(checker.check(*asked))[3]
    ends = np.cumsum(arrays["sizes"])
    kept = ~np.isin(np.arange(len(ends)), cores)
    members = [part for part, keep in zip(np.split(arrays["members"], ends[:-1]), kept, strict=True) if keep]
    some = {name: arrays[name][kept] for name in ("sizes", "bounds", "turns", "made")}
    some["members"] = np.concatenate([arrays["members"][:0], *members])
    replace(certificate, arrays=arrays | some).write(asked[0])
    with pytest.raises(checker.RefusedError, match="an opener: "):
        list(checker.check(*asked))
