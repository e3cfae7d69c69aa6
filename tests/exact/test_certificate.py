"""Certificates: what is written of a proof, and what the checker that knows nothing of Sleuth says of it."""

import ast
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from itertools import permutations, product
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
import reference
from command_line import Run, json_of
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from random_games import crowded_games, middle_games, small_games

import sleuth
from sleuth.exact import check_certificate as checker
from sleuth.exact.certificate import Certificate, as_text, certify, check_certifiable
from sleuth.exact.objective import Objective
from sleuth.exact.proof import IMPOSSIBLE, Proof
from sleuth.exact.proving import prove
from sleuth.exact.solver import Solver
from sleuth.games.game import Game, Mode
from sleuth.games.position import Position
from sleuth.games.wordle import wordle
from sleuth.games.wordlists import from_words
from sleuth.kernels.search.premises import premises
from sleuth.kernels.search.records import UNLIMITED
from sleuth.support.errors import SleuthError
from sleuth.support.progress import Progress

pytestmark = pytest.mark.usefixtures("one_process")  # but what runs the checker in a process of its own

CHECKER = Path(checker.__file__)
Parts = tuple[dict[str, Any], dict[str, NDArray[Any]]]
Change = Callable[[dict[str, Any], dict[str, NDArray[Any]]], object]


def words_of(game: Game, folder: Path) -> tuple[Path, Path]:
    answers, guesses = folder / "answers.txt", folder / "guesses.txt"
    answers.write_text("\n".join(game.answers), "utf-8")
    guesses.write_text("\n".join(game.guesses), "utf-8")
    return answers, guesses


def checked(certificate: Certificate, folder: Path, change: Change | None = None) -> list[str]:
    """Return what the checker says of a certificate, once something in it was changed."""
    about, arrays = json.loads(json.dumps(certificate.about)), dict(certificate.arrays)
    for name, array in arrays.items():
        arrays[name] = array.copy()
    if change is not None:
        change(about, arrays)
    path = folder / "some.cert"
    Certificate(about, arrays).write(path)
    answers, guesses = folder / "answers.txt", folder / "guesses.txt"
    return list(checker.check(path, answers, guesses, 1.0, lambda done: None))


def written(game: Game, folder: Path, objective: Objective | None = None) -> tuple[Proof, Certificate]:
    words_of(game, folder)
    solver = Solver(game, objective)
    proof = prove(game, objective, solver=solver)
    return proof, certify(proof, solver=solver)


WORDS = [a + b + c for a in "abcde" for b in "abcd" for c in "abc"]
LIKELY = np.random.default_rng(5).integers(1, 5, 48).astype(float)


# What is accepted.


@pytest.mark.parametrize("mode", ["easy", "hard", "strict"])
@pytest.mark.parametrize("kind", ["mean", "worst"])
@pytest.mark.parametrize("prior", [pytest.param(None, marks=pytest.mark.thorough), LIKELY])
def test_words_in_every_mode(mode: Mode, kind: Any, prior: NDArray[Any] | None, tmp_path: Path) -> None:
    game = wordle(WORDS[:48], mode=mode)
    game = game if prior is None else game.with_prior(prior)
    proof, certificate = written(game, tmp_path, Objective(kind))
    said = checked(certificate, tmp_path)
    weights = certificate.arrays["weights"]
    assert said[0] == f"{mode} mode, 48 answers of weights {weights.min()} to {weights.max()}, 48 guesses"
    assert json.loads(said[1]) == certificate.about["game"]
    assert any(f"Proved: no strategy has a total below {proof.total}" in line for line in said)
    if kind == "worst":
        assert f"Proved: no strategy finds every answer within {proof.turns - 1} turns" in said
    assert f"One has {proof.total}, of {proof.worst} guesses at most" in said[-1]


@pytest.mark.parametrize(
    ("game", "claims"),
    [
        (sleuth.mastermind(3, 5), True),
        (sleuth.mastermind(3, 4, mode="strict"), False),
        (sleuth.mastermind(3, 5, repeats=False), False),
        (sleuth.mastermind(2, 5, black=True), True),
        (sleuth.Game.from_function(lambda g, a: (g > a) - (g < a), range(20)), False),
    ],
)
def test_other_games(game: Game, claims: bool, tmp_path: Path) -> None:
    proof, certificate = written(game, tmp_path)
    assert f"Proved: no strategy has a total below {proof.total}" in checked(certificate, tmp_path)[3]
    assert (certificate.claims > 0) >= claims


@pytest.mark.parametrize("mode", ["easy", pytest.param("strict", marks=pytest.mark.thorough)])
@pytest.mark.parametrize("kind", ["mean", "worst"])
@pytest.mark.parametrize("repeats", [True, False])
@pytest.mark.parametrize("black", [True, False])
def test_pegs(mode: Mode, kind: Any, repeats: bool, black: bool, tmp_path: Path) -> None:
    game = sleuth.mastermind(3 if mode == "easy" else 2, 4, mode=mode, repeats=repeats, black=black)
    proof, certificate = written(game, tmp_path, Objective(kind))
    assert certificate.about["game"]["rules"] == ("black" if black else "pegs")
    assert set(certificate.arrays) == {"weights", "sizes", "members", "bounds", "turns", "made", "plays"}
    said = checked(certificate, tmp_path)
    assert any(f"Proved: no strategy has a total below {proof.total}" in line for line in said)


def test_codes_in_another_order(tmp_path: Path) -> None:
    """Of guesses that are alike the checker takes the first in its own order."""
    game = sleuth.mastermind(3, 3, black=True)
    game = replace(game, answers=game.answers[::-1], guesses=game.guesses[::-1])
    proof, certificate = written(game, tmp_path)
    assert f"Proved: no strategy has a total below {proof.total}" in checked(certificate, tmp_path)[3]


def moves_that_keep(made: list[str], pegs: int, symbols: str, black: bool) -> Iterator[Callable[[str], str]]:
    """Yield all moves that give words back: orders of places, and names of symbols, maybe for each place."""
    names = [dict(zip(symbols, new, strict=True)) for new in permutations(symbols)]
    for order in permutations(range(pegs)):
        for at in product(names, repeat=pegs) if black else ([name] * pegs for name in names):

            def move(word: str, order: tuple[int, ...] = order, at: Any = at) -> str:
                return "".join(at[i][word[place]] for i, place in enumerate(order))

            if all(move(word) == word for word in made):
                yield move


@pytest.mark.parametrize(
    ("game", "symbols"),
    [
        (sleuth.mastermind(3, 4), "1234"),
        (sleuth.mastermind(4, 2), "12"),
        (sleuth.mastermind(3, 4, repeats=False), "1234"),
        (sleuth.mastermind(2, 3, black=True), "123"),
        (sleuth.mastermind(3, 2, black=True), "12"),
        (sleuth.mastermind(2, 4, repeats=False, black=True), "1234"),
        (sleuth.mastermind(3, 3, repeats=False, black=True), "123"),
    ],
)
def test_kinds_of_guesses_by_all_moves(game: Game, symbols: str, tmp_path: Path) -> None:
    _, certificate = written(game, tmp_path)
    words = list(game.guesses)
    look = checker.Checker(certificate.about, certificate.arrays, [words, words])
    rng = np.random.default_rng(2)
    for count in (0, 1, 1, 2, 2, 3):
        made = rng.integers(len(words), size=count).tolist()
        black = certificate.about["game"]["rules"] == "black"
        moves = [
            move
            for move in moves_that_keep([words[one] for one in made], len(words[0]), symbols, black)
            if all(move(word) in words for word in words)  # not so of names for each place without repeats
        ]
        firsts = {min(words.index(move(word)) for move in moves) for word in words}
        assert look.of_each_kind([*range(len(words))], made) == sorted(firsts)


class Exactly(dict[Any, Any]):
    """Claims of all sets, each with what it costs."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game, self.solver = game, Solver(game)

    def get(self, key: Any, default: Any = None) -> int:
        (members, _), turns = key
        assert turns == inf
        return self.of(np.frombuffer(members, np.int64))

    def of(self, members: NDArray[np.int64]) -> int:
        if len(members) < 3:
            return 2 * len(members) - 1
        position = Position(self.game, members.astype(np.int32), None)
        return int(self.solver.bound(position, int(UNLIMITED)).lower)


@pytest.mark.parametrize("black", [True, False])
@pytest.mark.parametrize(
    ("pegs", "colours", "repeats"), [(2, 4, True), (3, 3, True), (2, 5, False), (3, 4, False), (3, 5, False)]
)
def test_one_guess_of_each_kind_is_enough(pegs: int, colours: int, repeats: bool, black: bool) -> None:
    """Whatever led to a set: with true claims of all smaller ones no more can be claimed of it than is so."""
    game = sleuth.mastermind(pegs, colours, repeats=repeats, black=black)
    about = {"mode": "easy", "game": {"rules": "black" if black else "pegs", "repeats": repeats}}
    words = list(game.guesses)
    look = checker.Checker(about, {"weights": np.ones(len(words), np.int64)}, [words, words])
    look.claims = exactly = Exactly(game)
    rng = np.random.default_rng(4)
    for count in (1, 1, 1, 2, 2, 2):
        made = rng.integers(len(words), size=count).tolist()
        codes = game.feedback[made].astype(np.int64)
        for code in np.unique(codes, axis=1).T:
            members = np.flatnonzero((codes == code[:, None]).all(0))
            if len(members) < 3:
                continue
            cost = exactly.of(members)
            look.check_set((members, cost, inf, made))
            with pytest.raises(checker.RefusedError, match=f"may take {cost}, claimed is {cost + 1}"):
                look.check_set((members, cost + 1, inf, made))


def test_places_of_long_codes_stay_where_they_are() -> None:
    """All orders of ten places take too much memory: by names alone two guesses are of a kind."""
    words = ["".join(word) for word in product("12", repeat=10)]
    about = {"mode": "easy", "game": {"rules": "pegs"}}
    look = checker.Checker(about, {"weights": np.ones(1024, np.int64)}, [words, words])
    assert look.of_each_kind([*range(1024)], []) == [*range(512)]


def test_a_part_of_what_is_possible_is_split_by_any_guess() -> None:
    """Moves that keep the guesses made do not keep a part of the set: no guess stands for others there."""
    game = sleuth.mastermind(3, 3, black=True)
    solver, words = Solver(game), list(game.guesses)
    about = {"mode": "easy", "game": {"rules": "black", "repeats": True}}
    look = checker.Checker(about, {"weights": np.ones(27, np.int64)}, [words, words])
    possible = np.flatnonzero(game.feedback[0] == game.rules.code("111", "122"))
    rng = np.random.default_rng(3)
    for _ in range(60):  # about ten of them would pass by one guess of each kind
        members = np.sort(rng.choice(possible, 7, replace=False))
        cost = solver.bound(Position(game, members.astype(np.int32), None), int(UNLIMITED)).lower
        with pytest.raises(checker.RefusedError, match=f"may take {cost}, claimed"):
            look.check_set((members, cost + 1, inf, [0]))


def test_one_opener_is_asked_for_alone(tmp_path: Path) -> None:
    game = wordle(WORDS)
    words_of(game, tmp_path)
    certificate = certify(prove(game, opener="aba"))
    said = checked(certificate, tmp_path)
    assert "no strategy that begins with aba has a total below" in said[3]
    assert "1 openers" in said[2]


def test_a_limit_that_matters_is_in_the_theorem(tmp_path: Path) -> None:
    some = list(np.random.default_rng(1).permutation(WORDS)[:45])
    proof, certificate = written(wordle(some, max_turns=3), tmp_path)
    assert prove(wordle(some)).total < proof.total
    said = checked(certificate, tmp_path)
    assert f"Proved: no strategy has a total below {proof.total} within 3 turns" in said
    assert (certificate.arrays["turns"] > 0).all()


@pytest.mark.thorough
def test_a_set_met_on_several_turns_has_a_claim_for_each(tmp_path: Path) -> None:
    words = [a + b for a in "abcdefgh" for b in "abcdefgh"]
    some = np.random.default_rng(34).permutation(words)[:42].tolist()
    proof, certificate = written(wordle(some, mode="hard", max_turns=8), tmp_path, Objective("worst"))
    assert len(set(certificate.arrays["turns"].tolist()) - {0}) > 1
    said = checked(certificate, tmp_path)
    assert f"Proved: no strategy finds every answer within {proof.turns - 1} turns" in said


def test_where_there_is_no_strategy_that_is_proved(tmp_path: Path) -> None:
    _, certificate = written(wordle(WORDS, max_turns=2), tmp_path)
    assert certificate.about["total"] is None
    assert checked(certificate, tmp_path)[3:] == ["Proved: no strategy finds every answer within 2 turns"]


def test_text_and_progress(tmp_path: Path) -> None:
    game, told = sleuth.mastermind(3, 5), list[Progress]()
    certificate = certify(prove(game), progress=told.append)
    certificate.write(tmp_path / "a.cert")
    about, *lines = as_text(tmp_path / "a.cert")
    claims = lines[: certificate.claims]
    assert json.loads(about)["total"] == 451
    assert len(lines) == certificate.claims + len(game.answers)
    assert [line.split()[2] for line in lines[-2:]] == ["554:", "555:"]
    assert sum(len(line.split()) - 3 for line in lines[certificate.claims :]) == 451
    assert all(line.endswith(line.split()[2][:-1]) for line in lines[certificate.claims :])
    assert claims[0].startswith(f"0: at least {certificate.arrays['bounds'][0]} after 112: 1")
    assert told
    assert str(certificate.claims) in repr(certificate)


def test_weights_and_feedback_are_in_the_text(tmp_path: Path) -> None:
    game = sleuth.Game.from_function(
        lambda guess, answer: min(abs(guess - answer), 2), range(1, 6), prior=np.array([3, 1, 1, 2, 1])
    )
    certify(prove(game)).write(tmp_path / "a.cert")
    lines = list(as_text(tmp_path / "a.cert"))
    assert "weight of 4: 2" in lines
    codes = next(line for line in lines if line.startswith("feedback of 2: ")).split()[3:]
    rows = [min(abs(2 - answer), 2) for answer in range(1, 6)]
    assert len({*zip(codes, rows, strict=True)}) == len({*codes})


# What is refused.


@pytest.fixture(scope="module")
def pegs() -> Certificate:
    certificate = certify(prove(sleuth.mastermind(3, 5)))
    assert certificate.claims > 3
    return certificate


@pytest.fixture(scope="module", params=["hard", pytest.param("strict", marks=pytest.mark.thorough)])
def led(request: pytest.FixtureRequest) -> tuple[Game, Certificate]:
    """A game of words whose rows forbid guesses, and a certificate with claims; its words are in order."""
    game = wordle(WORDS, mode=request.param)
    certificate = certify(prove(game))
    assert certificate.claims > 3
    return game, certificate


def exact_claim(certificate: Certificate, game: Game) -> int:
    """Return a claim that says what its set costs exactly, so that one more is false."""
    sets = np.split(certificate.arrays["members"], np.cumsum(certificate.arrays["sizes"])[:-1])
    solver = Solver(game)
    for i, members in reversed([*enumerate(sets)]):
        position = Position.start(game)
        for guess in certificate.arrays["made"][i].tolist():
            position = position if guess < 0 else position.after(guess, int(game.feedback[guess, members[0]]))
        position = replace(position, candidates=members.astype(np.int32))
        if solver.bound(position, int(UNLIMITED)).upper == certificate.arrays["bounds"][i]:
            return i
    raise AssertionError


def raised_by_one(i: int) -> Change:
    """Return the change of a certificate that claims one more of a set."""

    def change(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        arrays["bounds"][i] += 1

    return change


def test_a_claim_raised_by_one(pegs: Certificate, tmp_path: Path) -> None:
    i = exact_claim(pegs, sleuth.mastermind(3, 5))

    with pytest.raises(checker.RefusedError, match=f"claim {i}: [0-9]+ may take {pegs.arrays['bounds'][i]}"):
        checked(pegs, tmp_path, raised_by_one(i))


def test_guesses_that_stand_for_others_are_named(tmp_path: Path) -> None:
    _, certificate = written(sleuth.mastermind(3, 5, black=True), tmp_path)

    def change(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        arrays["made"][:] = -1

    with pytest.raises(checker.RefusedError, match="claim [0-9]+: [0-9]+ may take"):
        checked(certificate, tmp_path, change)


def test_a_claim_raised_by_one_where_rows_forbid_guesses(
    led: tuple[Game, Certificate], tmp_path: Path
) -> None:
    game, certificate = led
    words_of(game, tmp_path)
    i = exact_claim(certificate, game)

    assert "Proved" in checked(certificate, tmp_path)[3]
    claimed = int(certificate.arrays["bounds"][i]) + 1
    where = f"claim {i}: [a-e]+ may take {claimed - 1}, claimed is {claimed}"
    with pytest.raises(checker.RefusedError, match=where):
        checked(certificate, tmp_path, raised_by_one(i))


def test_a_claim_holds_after_its_rows_alone(led: tuple[Game, Certificate], tmp_path: Path) -> None:
    """Without them more guesses are legal: the claim is about another set of guesses, or false."""
    game, certificate = led
    words_of(game, tmp_path)
    for i in range(certificate.claims):

        def change(about: dict[str, Any], arrays: dict[str, NDArray[Any]], i: int = i) -> None:
            arrays["made"][i] = -1

        with pytest.raises(checker.RefusedError, match="(an opener|claim [0-9]+): [a-e]+ may take"):
            checked(certificate, tmp_path, change)


def test_openers_are_refuted_by_what_is_legal_after_them(
    led: tuple[Game, Certificate], tmp_path: Path
) -> None:
    game, certificate = led
    words_of(game, tmp_path)
    assert prove(game.with_mode("easy")).total < certificate.about["total"]

    def change(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        about["mode"] = "easy"

    with pytest.raises(checker.RefusedError, match="(an opener|claim [0-9]+): [a-e]+ may take"):
        checked(certificate, tmp_path, change)


def test_a_set_that_lacks_an_answer(pegs: Certificate, tmp_path: Path) -> None:
    i = exact_claim(pegs, sleuth.mastermind(3, 5))
    first = int(pegs.arrays["sizes"][:i].sum())

    def change(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        arrays["sizes"][i] -= 1
        arrays["members"] = np.delete(arrays["members"], first)

    with pytest.raises(checker.RefusedError, match="(an opener|claim [0-9]+): [0-9]+ may take"):
        checked(pegs, tmp_path, change)


@pytest.mark.parametrize("value", [-1, 125, None])
def test_a_set_of_what_is_no_answer(value: int | None, pegs: Certificate, tmp_path: Path) -> None:
    def change(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        arrays["members"] = arrays["members"].astype(np.int32)
        last = int(arrays["sizes"][0]) - 1
        arrays["members"][last] = arrays["members"][last - 1] if value is None else value

    with pytest.raises(
        checker.RefusedError, match="claim 0: its answers are not in order, or not in the list"
    ):
        checked(pegs, tmp_path, change)


def check_each_is_needed(certificate: Certificate, folder: Path) -> None:
    for i in range(certificate.claims):

        def change(about: dict[str, Any], arrays: dict[str, NDArray[Any]], i: int = i) -> None:
            ends = np.cumsum(arrays["sizes"])
            gone = np.arange(ends[i] - arrays["sizes"][i], ends[i])
            arrays["members"] = np.delete(arrays["members"], gone)
            for name in ("sizes", "bounds", "turns", "made"):
                arrays[name] = np.delete(arrays[name], i, axis=0)

        with pytest.raises(checker.RefusedError, match="(an opener|claim [0-9]+): [0-9a-e]+ may take"):
            checked(certificate, folder, change)


def test_each_claim_is_needed(pegs: Certificate, tmp_path: Path) -> None:
    check_each_is_needed(pegs, tmp_path)


def test_each_claim_is_needed_where_rows_forbid_guesses(
    led: tuple[Game, Certificate], tmp_path: Path
) -> None:
    words_of(led[0], tmp_path)
    check_each_is_needed(led[1], tmp_path)


def other_branch(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    arrays["plays"][-1, 1] = arrays["plays"][-1, 1] - 1


def worse_branch(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    arrays["plays"] = np.column_stack([np.full(len(arrays["plays"]), 0), arrays["plays"]])


def short_branch(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    arrays["plays"] = arrays["plays"][:, :-1]


def other_weights(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    arrays["weights"][0] = 2


def negative_weights(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    arrays["weights"][0] = -1


def large_weights(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    arrays["weights"][:] = 2**62


def larger_total(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    about["total"] += 1


def larger_theorem(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    about["at_least"][0][1] += 1


def larger_theorem_alone(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    larger_theorem(about, arrays)
    about["total"] = None
    del arrays["plays"]


def no_theorem(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    about["at_least"] = []


def no_strategy(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    del arrays["plays"]


def no_total(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    about["total"] = None


def other_opener(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    about["opener"] = "111"


def no_mode(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    about["mode"] = False


def played_on(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    arrays["plays"][arrays["plays"] < 0] = 7


def other_mode(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    about["mode"] = "hard"


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (other_branch, "guess 2 for [0-9]+ is missing or not allowed|its strategy takes"),
        (worse_branch, "its strategy takes [0-9]+, begins with [0-9]+, and it says otherwise"),
        (short_branch, "guess 5 for [0-9]+ is missing or not allowed"),
        (other_weights, "its strategy takes [0-9]+, |may take"),
        (negative_weights, "its weights are not one natural number"),
        (large_weights, "its weights are not one natural number"),
        (larger_total, "its strategy takes 451, begins with [0-9]+, and it says otherwise"),
        (larger_theorem, "its strategy takes 451, "),
        (larger_theorem_alone, "an opener: [0-9]+ may take 451, claimed is 452"),
        (no_theorem, "it states nothing"),
        (no_strategy, "a total without a strategy"),
        (no_total, "a strategy without one"),
        (other_opener, "its strategy takes 451, begins with [0-9]+, and it says otherwise"),
        (other_mode, "its rules have no hard mode"),
        (no_mode, "its rules have no False mode"),
        (played_on, "its strategy takes 451, begins with [0-9]+, and it says otherwise"),
    ],
)
def test_what_is_changed(change: Change, where: str, pegs: Certificate, tmp_path: Path) -> None:
    with pytest.raises(checker.RefusedError, match=where):
        checked(pegs, tmp_path, change)


def other_format(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    about["format"] = 2


def not_a_number(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    about["at_least"] = [[0, float("nan")]]


def real_bounds(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    arrays["bounds"] = np.full(len(arrays["bounds"]), np.nan)


def real_turns(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    about["at_least"][0][0] = 7.5


def listed_symbols(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    about["game"]["symbols"] = list(about["game"]["symbols"])


def words_as_codes(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    del about["game"]["symbols"]  # moves of symbols and places do not keep any list


@pytest.mark.parametrize(
    "change", [other_format, not_a_number, real_bounds, real_turns, listed_symbols, words_as_codes]
)
def test_what_is_no_certificate(change: Change, pegs: Certificate, tmp_path: Path) -> None:
    with pytest.raises((ValueError, TypeError, KeyError)):
        checked(pegs, tmp_path, change)


@pytest.mark.parametrize("sample", [0, -1.0, 1.5, float("nan")])
def test_what_is_no_share(sample: float, pegs: Certificate, tmp_path: Path) -> None:
    pegs.write(tmp_path / "some.cert")
    with pytest.raises(ValueError, match=r"a share is in \(0, 1\]"):
        list(checker.check(tmp_path / "some.cert", None, None, sample, lambda done: None))


def test_turns_that_no_game_comes_to_are_not_counted(pegs: Certificate, tmp_path: Path) -> None:
    def padded(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        arrays["plays"] = np.pad(arrays["plays"], ((0, 0), (0, 3)), constant_values=-1)

    assert checked(pegs, tmp_path, padded) == checked(pegs, tmp_path)


def test_an_opener_that_tells_nothing_is_refused(tmp_path: Path) -> None:
    """The argument for passing such guesses by is none where strategies must begin with one."""
    game = wordle(from_words(WORDS[:10], [*WORDS[:10], "xyx"]))
    proof, certificate = written(game, tmp_path)
    assert proof.total is not None

    def changed(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        about["opener"], about["total"] = "xyx", None
        about["at_least"] = [[0, 123456]]
        del arrays["plays"]

    with pytest.raises(checker.RefusedError, match="xyx tells nothing at first"):
        checked(certificate, tmp_path, changed)


def test_rows_that_do_not_lead_to_a_set(led: tuple[Game, Certificate], tmp_path: Path) -> None:
    game, certificate = led
    words_of(game, tmp_path)
    i = int(np.flatnonzero(certificate.arrays["made"][:, 0] >= 0)[0])

    def change(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        arrays["made"][i, 0] = arrays["members"][: arrays["sizes"][: i + 1].sum()][-1]

    with pytest.raises(checker.RefusedError, match="does not lead to its answers"):
        checked(certificate, tmp_path, change)


def test_other_words(tmp_path: Path) -> None:
    _, certificate = written(wordle(WORDS), tmp_path)
    (tmp_path / "answers.txt").write_text("\n".join(WORDS[1:]), "utf-8")
    with pytest.raises(checker.RefusedError, match="it is about other answers than these 59, of SHA-256"):
        checked(certificate, tmp_path)


def test_words_whose_codes_two_bytes_do_not_hold(tmp_path: Path) -> None:
    _, certificate = written(wordle(WORDS), tmp_path)
    longer = [word + "s" * 8 for word in WORDS]
    for kind in ("answers", "guesses"):
        (tmp_path / f"{kind}.txt").write_text("\n".join(longer), "utf-8")

    def change(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        for kind in ("answers", "guesses"):
            about["game"][kind]["sha256"] = sha256("\n".join(longer).encode()).hexdigest()

    with pytest.raises(checker.RefusedError, match="its words or feedback do not fit"):
        checked(certificate, tmp_path, change)


def test_an_answer_that_is_named_twice(tmp_path: Path) -> None:
    _, certificate = written(sleuth.Game.from_function(lambda g, a: g == a, ["x", "y"]), tmp_path)

    def change(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        about["game"]["answers"] = ["x", "x", "y"]
        arrays["feedback"] = np.array([[9, 8, 0], [0, 0, 9]], np.uint16)
        arrays["weights"] = np.ones(3, np.int64)
        arrays["plays"] = np.array([[1, 0], [1, 0], [1, -1]], np.int32)

    with pytest.raises(checker.RefusedError, match="its words or feedback do not fit"):
        checked(certificate, tmp_path, change)


@pytest.mark.parametrize(
    "content",
    [
        None,
        *(pytest.param(some, marks=pytest.mark.thorough) for some in (b"", b"PK", b"PK\x03\x04", b"garbage")),
    ],
)
def test_garbage_is_refused(content: bytes | None, pegs: Certificate, tmp_path: Path, run: Run) -> None:
    file = tmp_path / "bad.cert"
    whole = pegs.to_bytes()
    file.write_bytes(whole[: len(whole) // 2] if content is None else content)
    done = subprocess.run([sys.executable, "-I", CHECKER, file], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{file} is not checked" in done.stderr
    assert "Traceback" not in done.stderr
    for options in ([], ["--text"], ["--json"]):
        code, out, err = run("verify", file, *options)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert f"{file} is n" in err  # no certificate, or neither that nor a store


# The checker is one file that knows nothing of Sleuth.


def test_the_checker_stands_alone(pegs: Certificate, tmp_path: Path) -> None:
    text = CHECKER.read_text("utf-8")
    assert text.count("\n") <= 300
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {
        name.name if isinstance(node, ast.Import) else node.module for node in imports for name in node.names
    }
    assert {str(name).partition(".")[0] for name in names} - sys.stdlib_module_names == {"numpy"}
    copy, file = tmp_path / "check_certificate.py", tmp_path / "some.cert"
    shutil.copy(CHECKER, copy)
    pegs.write(file)
    # In a copy that says what it has loaded.
    copy.write_text(text + "    print('sleuth' in sys.modules, sys.flags.isolated)\n")
    done = subprocess.run([sys.executable, "-I", copy, file], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1] == "False 1", done.stderr
    assert "Proved: no strategy has a total below 451" in done.stdout
    assert done.stderr == ""


@pytest.mark.thorough
def test_the_checker_takes_a_share(pegs: Certificate, tmp_path: Path) -> None:
    file = tmp_path / "some.cert"
    pegs.write(file)
    some = [sys.executable, "-I", str(CHECKER), str(file), "--sample", "0.5"]
    assert "If all hold: no strategy has a total below 451" in subprocess.check_output(some, text=True)


@pytest.mark.thorough
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_what_the_checker_cannot_write_is_not_checked(pegs: Certificate, tmp_path: Path) -> None:
    file = tmp_path / "some.cert"
    pegs.write(file)
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-I", str(CHECKER), str(file)]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == f"{file} is not checked: OSError(28, 'No space left on device')\n"


@pytest.mark.skipif(os.name != "posix", reason="a terminal interrupts all of a group")
def test_ctrl_c_while_processes_begin_is_told_once(pegs: Certificate, tmp_path: Path) -> None:
    file, copy = tmp_path / "some.cert", tmp_path / "check_certificate.py"
    pegs.write(file)
    # A copy whose processes are slow to begin, and say first whether they ignore interrupts.
    slow = """if __name__ == '__mp_main__':
    import signal, time
    print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN, flush=True)
    time.sleep(5)
"""
    copy.write_text(slow + CHECKER.read_text("utf-8"))
    with subprocess.Popen(
        [sys.executable, "-I", copy, file],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "True\n"
        time.sleep(1)  # by then the first process waits for the others
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=300)
    assert (process.returncode, err) == (130, f"{file} is not checked: KeyboardInterrupt()\n")


# The command line.


def test_prove_writes_and_verify_checks(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "some.cert"
    options = ("--game", "mastermind", "--pegs", 3, "--colours", 5)
    code, out, _ = run("prove", *options, "--certificate", file)
    assert code == 0
    assert f"certificate written to {file}" in out
    assert json_of(run("verify", file, "--json"))["ok"] is True
    assert "no strategy has a total below 451" in run("verify", file)[1]
    assert "If all hold" in run("verify", file, "--sample", 0.5)[1]
    assert '"total": 451' in run("verify", file, "--text")[1]
    assert "above 0 and up to 1" in run("verify", file, "--sample", 3)[2]
    code, out, err = run("verify", CHECKER, "--text")
    assert (code, out) == (2, "")
    assert "is neither a certificate nor a store of bounds" in err


def test_what_is_false_has_a_code_of_its_own(pegs: Certificate, tmp_path: Path, run: Run) -> None:
    about = {**pegs.about, "at_least": [[0, 452]], "total": None}
    arrays = {name: array for name, array in pegs.arrays.items() if name != "plays"}
    file = tmp_path / "false.cert"
    Certificate(about, arrays).write(str(file))
    code, out, err = run("verify", file)
    assert code == 1, err
    assert out.startswith(f"{file} is refused: an opener: ")
    code, out, _ = run("verify", file, "--json")
    found = json.loads(out)
    assert (code, found["ok"], found["holds"]) == (1, False, [])
    assert "may take 451, claimed is 452" in found["refused"]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--text", "--sample", 0.5), "give --text or --sample, not both"),
        (("--all", "--sample", 0.5), "give --sample or --all, not both"),
        (("--text", "--json"), "give --text or --json, not both"),
        (("--seed", 1), "--seed goes with stores"),
        (("--words", "original"), "it takes no lists of words"),
        (("--answers", CHECKER), "it takes no lists of words"),
    ],
)
def test_options_that_do_not_go_together(
    options: tuple[object, ...], why: str, pegs: Certificate, tmp_path: Path, run: Run
) -> None:
    file = tmp_path / "some.cert"
    pegs.write(file)
    code, out, err = run("verify", file, *options)
    assert (code, out, why in err) == (2, "", True), err


def test_verify_takes_the_words_of_a_certificate(tmp_path: Path, run: Run) -> None:
    written(wordle(WORDS), tmp_path)[1].write(tmp_path / "some.cert")
    for text in ((), ("--text",)):
        code, out, err = run("verify", tmp_path / "some.cert", *text)
        assert (code, out) == (2, "")
        assert err.endswith("as they were named to prove, by --words, or --answers and --guesses\n")
    none = tmp_path / "none.txt"
    code, _, err = run("verify", tmp_path / "some.cert", "--answers", none)
    assert (code, f"{none}" in err) == (2, True)
    files = ("--answers", tmp_path / "answers.txt", "--guesses", tmp_path / "guesses.txt")
    assert "Proved" in run("verify", tmp_path / "some.cert", *files)[1]
    assert "it is about other answers" in run("verify", tmp_path / "some.cert", "--words", "original:60")[1]


def test_verify_reads_lists_as_prove_does(tmp_path: Path, run: Run) -> None:
    words, file = tmp_path / "mine.txt", tmp_path / "some.cert"
    words.write_text("\ufeffCRANE\n# three of them\nslate\n\ntrace\n", "utf-8")
    assert run("prove", "--answers", words, "--certificate", file)[0] == 0
    assert "Proved: no strategy has a total below 5" in run("verify", file, "--answers", words)[1]
    assert run("prove", "--words", "original:50", "--certificate", file)[0] == 0
    assert "Proved" in run("verify", file, "--words", "original:50")[1]


def test_no_file_that_is_read_is_written_to(tmp_path: Path, run: Run) -> None:
    words, other = tmp_path / "mine.txt", tmp_path / "other.json"
    words.write_text("crane\nslate\ntrace\n", "utf-8")
    (tmp_path / "link.json").symlink_to(other)
    for options in (
        ("--certificate", words),
        ("--tree", words),
        ("--certificate", other, "--tree", other),
        ("--certificate", other, "--store", other),
        ("--certificate", tmp_path / "link.json", "--tree", other),
        ("--prior", words, "--certificate", words),
    ):
        code, out, err = run("prove", "--answers", words, *options)
        assert (code, out) == (2, "")
        assert "are the same file, " in err
    assert words.read_text("utf-8") == "crane\nslate\ntrace\n"
    assert not other.exists()


@pytest.mark.thorough
def test_a_certificate_is_written_though_nobody_reads_what_is_printed(tmp_path: Path) -> None:
    file = tmp_path / "some.cert"
    asked = ["--game", "mastermind", "--pegs", "2", "--colours", "3", "--certificate", str(file)]
    for options in ([], ["--json"]):
        read, write = os.pipe()
        os.close(read)
        command = [sys.executable, "-m", "sleuth", "prove", *asked, *options]
        done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, text=True, check=False)
        os.close(write)
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr
        assert file.exists()
        file.unlink()


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--objective", "solved"), "certificates are of the objectives mean and worst"),
        (("--penalty", 9), "certificates are of the objectives mean and worst"),
        (("--after", "111:b"), "certificates are of whole games"),
    ],
)
def test_what_has_no_certificate_is_said_at_once(
    options: tuple[object, ...], why: str, tmp_path: Path, run: Run
) -> None:
    if options[0] == "--after":
        options = ("--after", "aaa:bbb", "--answers", words_of(wordle(WORDS), tmp_path)[0])
    code, out, err = run("prove", *options, "--certificate", tmp_path / "some.cert")
    assert (code, out) == (2, "")
    assert why in err
    assert not (tmp_path / "some.cert").exists()


def test_other_proofs_without_certificates(tmp_path: Path, run: Run) -> None:
    unnamed = sleuth.Game.from_function(lambda g, a: g == a, ["x", "y"], ["x"])
    with pytest.raises(SleuthError, match="y may not"):
        check_certifiable(unnamed, Objective())
    strict = sleuth.Game.from_function(lambda g, a: g == a, ["x", "y"], mode="strict")
    with pytest.raises(SleuthError, match="in easy mode only"):
        check_certifiable(strict, Objective())
    with pytest.raises(SleuthError, match="only a finished proof with its tree"):
        certify(prove(wordle(WORDS), with_tree=False))
    code, _, err = run("prove", "--answers", words_of(wordle(WORDS), tmp_path)[0], "--certificate", tmp_path)
    assert (code, "cannot be written" in err) == (2, True)


def test_an_interrupt_within_a_certificate_is_told(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sleuth.exact.certificate.certify", stopped)
    file = tmp_path / "some.cert"
    code, out, err = run("prove", "--game", "mastermind", "--pegs", 2, "--colours", 3, "--certificate", file)
    assert (code, "sets searched" in out) == (130, True)
    assert f"the certificate was not written to {file}" in err
    assert not file.exists()


@pytest.mark.thorough
def test_an_interrupt_says_that_nothing_was_written(tmp_path: Path) -> None:
    file = tmp_path / "some.cert"
    asked = ["--game", "mastermind", "--pegs", "8", "--colours", "2", "--certificate", str(file)]
    command = [sys.executable, "-m", "sleuth", "prove", *asked]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        for line in process.stdout:
            if "sets searched" in line:  # the result is printed, and the certificate under way
                break
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        assert process.wait(300) == 130
        said = process.stderr.read()
        assert f"the certificate was not written to {file}" in said
        assert "interrupted" in said
    assert not file.exists()


# The kernel, and the checker beside the solver.


def one_scan(game: Game, weights: list[int], members: list[int], turns: float, legal: Any) -> float:
    """Return what a set costs at least by its size and by one look at every legal guess.

    legal: guesses, or None for all.
    """
    total, heaviest = sum(weights[a] for a in members), max(weights[a] for a in members)
    if turns <= 1 and len(members) > 1:
        return inf
    least = inf
    for guess in range(len(game.guesses)) if legal is None else legal.tolist():
        parts = reference.split(game, members, guess).values()
        if turns == 2 and any(len(part) > 1 for part in parts):
            continue
        least = min(
            least, total + sum(2 * sum(weights[a] for a in p) - max(weights[a] for a in p) for p in parts)
        )
    return max(least, 2 * total - heaviest)


@given(crowded_games(), st.data())
def test_premises_are_true_and_suffice(game: Game, data: st.DataObject) -> None:
    assume((game.answer_guess >= 0).all())
    solver = Solver(game)
    weights = solver.weights.tolist()
    turns = data.draw(st.sampled_from([int(UNLIMITED), 3, 2]))
    position = Position.start(game)
    total = solver.bound(position, turns).lower
    view, rows = solver.view_of(position)
    assume(total < IMPOSSIBLE)
    found, cheaper = premises(solver.search, solver.moves, view, rows, turns, total, -1, solver.no_past)
    assert cheaper < 0
    known: dict[tuple[int, tuple[int, ...]], int] = {}
    for members, bound, guess in zip(
        np.split(found.members, found.starts[1:-1]),
        found.bounds.tolist(),
        found.guesses.tolist(),
        strict=False,
    ):
        set_ = np.sort(members)
        then = position.after(guess, int(game.feedback[guess, set_[0]]))
        assert then.candidates.tolist() == set_.tolist()
        assert bound <= solver.bound(then, turns - 1).lower
        if solver.search.uniform or turns > 3:
            # Under a prior the kernel's scan does not ask whether two turns suffice; the checker's does.
            assert bound > one_scan(game, weights, set_.tolist(), turns - 1, then.legal)
        known[guess, tuple(set_.tolist())] = bound
    everyone = list(range(len(game.answers)))
    for guess in range(len(game.guesses)):
        parts = reference.split(game, everyone, guess)
        if [len(everyone)] == [len(part) for part in parts.values()]:
            continue
        least = [
            max(
                one_scan(game, weights, part, turns - 1, position.after(guess, code).legal),
                known.get((guess, tuple(part)), 0),
                int(solver.search.floors[len(part)]) * solver.search.uniform,
            )
            for code, part in parts.items()
        ]
        assert sum(weights) + sum(least) >= total
    _, cheaper = premises(solver.search, solver.moves, view, rows, turns, total + 1, -1, solver.no_past)
    only = solver.bound(position, turns, guess=int(cheaper))
    assert only.lower <= total


@given(
    st.one_of(small_games(), crowded_games(), middle_games().map(lambda pair: pair[0])),
    st.sampled_from(["mean", "worst"]),
    st.booleans(),
)
def test_the_checker_beside_the_solver(game: Game, kind: Any, one: bool) -> None:
    objective = Objective(kind)
    assume((game.answer_guess >= 0).all())
    try:
        check_certifiable(game, objective)
    except SleuthError:
        assume(False)
    solver = Solver(game, objective, 2**22)
    telling, _ = solver.first_bounds(Position.start(game), 2)
    assume(not one or 0 in telling)
    proof = prove(game, objective, solver=solver, opener=game.guesses[0] if one else None)
    certificate = certify(proof, solver=solver)
    with TemporaryDirectory() as name:
        folder = Path(name)
        words_of(game, folder)
        said = checked(certificate, folder)
        if proof.total is None:
            assert "finds every answer" in said[-1]
            return
        assert f"One has {proof.total}" in said[-1]

        def larger(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
            about["at_least"][-1][1] += 1

        with pytest.raises(checker.RefusedError):
            checked(certificate, folder, larger)


@pytest.mark.thorough
def test_the_original_lists(original: Game, tmp_path: Path) -> None:
    solver = Solver(original)
    certificate = certify(prove(original, solver=solver), solver=solver)
    assert certificate.about["at_least"] == [(0, 7920)]
    file = tmp_path / "salet.cert"
    certificate.write(file)
    said = subprocess.check_output([sys.executable, "-I", CHECKER, file, "--sample", "0.01"], text=True)
    assert "If all hold: no strategy has a total below 7920" in said
    assert "One has 7920" in said
