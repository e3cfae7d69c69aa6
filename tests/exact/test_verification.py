"""Verification: the plain search against trying everything; good stores pass, others are found out."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
import reference
from hypothesis import assume, given
from hypothesis import strategies as st
from random_games import crowded_games, follow, games, histories, small_games

from sleuth.cli.interrupts import finished_or_known
from sleuth.exact.objective import Objective
from sleuth.exact.plain import IMPOSSIBLE, PlainSearch, feedback, least_totals
from sleuth.exact.proof import Proof
from sleuth.exact.proving import ProofProgress, prove
from sleuth.exact.store import read_store, row_digest, run_digest
from sleuth.exact.verification import Verification, verify
from sleuth.games.game import Game, Mode
from sleuth.games.pegs import mastermind
from sleuth.games.position import Position
from sleuth.games.rules import Rules
from sleuth.games.wordle import wordle
from sleuth.strategies.registry import make
from sleuth.support.errors import SleuthError, StoreError
from sleuth.trees.formats import tree_json
from sleuth.trees.tree import DecisionTree

WORDS = ["aab", "aba", "abb", "abc", "bab", "bac", "bba", "cab", "cba", "ccc"]


class Case:
    """A position with turns left and a guess that tells something, and an objective."""

    def __init__(self, game: Game, rows: list[tuple[int, int]], objective: Objective) -> None:
        self.game, self.rows, self.objective = game, rows, objective
        self.position = follow(game, rows)
        self.turns = game.max_turns - self.position.turn + 1

    def __repr__(self) -> str:
        words = f"{self.game.mode} guesses {self.game.guesses} answers {self.game.answers}"
        return f"{words} prior {self.game.prior.tolist()} turns {self.turns} {self.objective} {self.rows}"

    @property
    def ruled(self) -> bool:
        return read_rules(self.game) is not None

    def useful(self) -> list[int]:
        candidates = self.position.candidates.tolist()
        return [
            guess
            for guess in reference.legal_guesses(self.game, self.rows)
            if reference.can_be_right(self.game, candidates, guess)
            or len(reference.classes(self.game, candidates, guess)) > 1
        ]


def read_rules(game: Game) -> Rules | None:
    return None if "function" in vars(game.rules) else game.rules


def objectives(game: Game) -> st.SearchStrategy[Objective]:
    kinds = [Objective(), Objective("worst"), Objective("solved"), Objective("mean", game.max_turns + 2)]
    return st.sampled_from(kinds)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    game = draw(st.one_of(small_games(), crowded_games()))
    case = Case(game, draw(histories(game, 2)), draw(objectives(game)))
    assume(case.turns > 0 and case.useful())
    return case


# The plain search.


@given(games(("easy", "strict")))
def test_feedback(game: Game) -> None:
    assert feedback(game.rules, game.guesses, game.answers).tolist() == reference.matrix(game)


@given(cases(), st.data())
def test_the_plain_search_against_trying_everything(case: Case, data: st.DataObject) -> None:
    search = PlainSearch(case.game, case.objective, case.position.candidates)
    leftover = search.leftover if case.objective.kind == "solved" else None
    play = reference.ExactPlay(case.game, search.weights, case.objective.penalty, leftover)
    turns = data.draw(st.integers(1, case.turns))
    _, ways = play.after(case.rows, turns)
    spot = search.spot(case.position, turns)
    guesses, bounds = search.first_bounds(spot)
    assert guesses == case.useful()
    for guess, bound in zip(guesses, bounds, strict=True):
        assert (inf if bound >= IMPOSSIBLE else bound) <= ways[guess][0]
    for _ in range(data.draw(st.integers(1, 4))):
        guess = data.draw(st.sampled_from(guesses))
        truth = IMPOSSIBLE if ways[guess][0] == inf else ways[guess][0]
        unit = max([1, *search.weights])
        beta = data.draw(st.sampled_from([IMPOSSIBLE, truth, truth + 1, truth - unit, truth + unit, unit]))
        beta = min(beta, IMPOSSIBLE)
        found, searched = search.opener(spot, guess, beta)
        if truth < beta:
            assert found == truth
            assert searched
        else:
            assert beta <= found <= truth


@pytest.mark.parametrize("classes", range(2, 8))
def test_least_totals(classes: int) -> None:
    found = least_totals(24, classes)
    assert len(found) == 26
    assert all(a <= b for a, b in zip(found, reference.least_totals(24, classes), strict=False))


def test_least_totals_fill_the_turns() -> None:
    assert least_totals(8, 3) == [0, 1, 3, 5, 7, 10, 13, 16, 19, 22]


# Stores that hold.


@given(cases(), st.integers(1, 4))
def test_what_was_proved_is_verified(case: Case, top: int) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "store")
        proof = prove(case.position, case.objective, top=top, store=path)
        prove(case.position, case.objective, opener=case.game.guesses[case.useful()[0]], store=path)
        found = verify(path, 1000, game=None if case.ruled else case.game)
        kept = len(read_store(path).openers)
    assert found.failures == ()
    assert found.ok
    assert found.finished
    assert found.checked == found.bounds == kept
    if proof.tree is not None:
        weights = PlainSearch(case.game, case.objective, case.position.candidates)
        assert found.tree_total == proof.total + (proof.failures or 0) * (weights.leftover or 0)
    assert json.loads(json.dumps(found.to_json()))["ok"] is True


@given(cases(), st.integers(0, 5))
def test_bounds_of_a_run_that_was_stopped_hold(case: Case, left: int) -> None:
    calls = []

    def progress(state: ProofProgress) -> None:
        calls.append(state)
        if len(calls) > left:
            raise KeyboardInterrupt

    with TemporaryDirectory() as folder:
        path = Path(folder, "store")
        run = partial(prove, case.position, case.objective, store=path, progress=progress, with_tree=False)
        proof, _ = finished_or_known(run, Proof)
        assume(read_store(path).openers)
        found = verify(path, 1000, game=None if case.ruled else case.game)
    assert found.failures == ()
    assert found.finished == (not proof.interrupted)
    assert found.tree_total is None


@pytest.mark.parametrize("mode", ["easy", "hard", "strict"])
@pytest.mark.parametrize("objective", [Objective(), Objective("worst"), Objective("solved")])
def test_larger_word_games(tmp_path: Path, mode: Mode, objective: Objective) -> None:
    rng = np.random.default_rng(5)
    words = sorted({"".join(word) for word in rng.choice(list("abcd"), (80, 5))})
    game = wordle(words, mode=mode, prior=rng.integers(1, 9, len(words)).astype(float))
    proof = prove(game, objective, store=tmp_path / "store")
    found = verify(tmp_path / "store", 10)
    assert found.failures == ()
    assert found.tree_total % (1 << 50) == proof.total


def test_symmetric_games(tmp_path: Path) -> None:
    proof = prove(mastermind(4, 4), store=tmp_path / "store")
    found = verify(tmp_path / "store")
    assert (found.failures, found.tree_total) == ((), proof.total)
    assert found.tree_total == 905


def test_black_pegs(tmp_path: Path) -> None:
    game = mastermind(2, 4, black=True)
    agree = [[sum(map(str.__eq__, guess, answer)) for answer in game.answers] for guess in game.guesses]
    assert feedback(game.rules, game.guesses, game.answers).tolist() == agree
    proof = prove(game, store=tmp_path / "store")
    found = verify(tmp_path / "store", None)
    assert (found.failures, found.tree_total) == ((), proof.total)


@pytest.mark.thorough
def test_an_opener_of_wordle(tmp_path: Path, original: Game) -> None:
    words = original.answers[::3]
    game = original.with_answers(words, np.full(len(words), 1 / len(words)))
    proof = prove(game, opener="salet", store=tmp_path / "store")
    found = verify(tmp_path / "store")
    assert (found.failures, found.by_search, found.tree_total) == ((), found.bounds, proof.total)


# Which bounds are checked.


def test_a_seed_draws_the_same_bounds_and_the_best_comes_on_top(tmp_path: Path) -> None:
    path = tmp_path / "store"
    best = prove(wordle(WORDS), top=5, store=path).opener
    drawn = []

    def names(seed: int | None) -> list[str]:
        seen = []
        verify(path, 2, seed, progress=lambda at: seen.append((at.done, at.total, at.remark)))
        assert [(done, total) for done, total, _ in seen] == [(i, len(seen)) for i in range(len(seen))]
        return [opener for _, _, opener in seen]

    for seed in range(20):
        found = names(seed)
        assert best in found
        drawn += found
    assert names(19) == found
    assert set(drawn) == {row.guess for row in read_store(path).openers}
    assert len({tuple(names(None)) for _ in range(8)}) > 1


@pytest.mark.parametrize("seed", range(3))
def test_what_matters_most_is_looked_at_first(tmp_path: Path, seed: int) -> None:
    """The exact ones and the lowest, the most promising at first sight, and some at random."""
    path = tmp_path / "store"
    game = wordle([f"{a}{b}{c}" for a in "abcde" for b in "abcde" for c in "abcde"])
    prove(game, top=3, store=path, with_tree=False)
    rows = sorted(read_store(path).openers, key=lambda row: (not row.exact, row.lower, row.turns, row.guess))
    seen = []
    checked = verify(path, 8, seed, progress=lambda at: seen.append(at.remark))
    assert {row.guess for row in rows[:4] if row.turns == 6} <= set(seen)
    search = PlainSearch(game, Objective())
    guesses, bounds = search.first_bounds(search.spot(Position.start(game), 6))
    assert checked.promising == 2
    assert checked.promising_checked == 2
    best = sorted(zip(bounds, guesses, strict=True))[:2]
    assert {game.guesses[guess] for _, guess in best} <= set(seen)
    assert 12 <= checked.checked <= 8 + 4 + 2 + 2 < checked.bounds


def test_the_odds_are_those_of_drawing() -> None:
    found = Verification("game", 12972, 20, 0, 130, 10, (), None, True, 1.0)
    assert found.odds() == pytest.approx(20 / 12972)
    assert found.odds(found.hundredth) == pytest.approx(0.1825, abs=2e-3)
    assert Verification("game", 5, 5, 0, 1, 1, (), None, True, 1.0).odds() == 1
    assert Verification("game", 10, 4, 3, 1, 1, (), None, True, 1.0).odds(4) == 1
    kept = found.to_json()
    assert (kept["odds_one_wrong"], kept["promising"], kept["promising_checked"]) == (found.odds(), 130, 10)


def test_all_of_them(tmp_path: Path) -> None:
    prove(wordle(WORDS), store=tmp_path / "store")
    found = verify(tmp_path / "store", None)
    assert found.checked == found.bounds == len(read_store(tmp_path / "store").openers)
    assert found.odds() == 1


def test_a_raised_bound_of_the_best_is_found_whatever_is_drawn(tmp_path: Path) -> None:
    """What a run says of the best opener that it did not find: the next best takes its place."""
    path = tmp_path / "store"
    proof = prove(wordle(WORDS), store=path)
    change(path, "UPDATE openers SET lower = lower + 5, exact = 0 WHERE guess = ?", proof.opener)
    for seed in range(5):
        assert not verify(path, 2, seed).ok


# Stores that do not hold.


def change(path: Path, command: str, *values: object) -> None:
    """Change a store as a wrong run would have written it: digests fit."""
    with closing(sqlite3.connect(path)) as connection, connection:
        assert connection.execute(command, values).rowcount > 0
    seal(path)


def seal(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.create_function("digest", -1, row_digest)
        connection.execute("UPDATE about SET digest = digest('about', key, value)")
        about = connection.execute("SELECT key, value FROM about")
        run = run_digest(
            {k: v for k, v in about if k not in ("format", "run") and not k.startswith("result")}
        )
        connection.execute("UPDATE openers SET digest = digest(?, turns, guess, lower, exact, depth)", (run,))


def change_result(path: Path, **changes: Any) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        (text,) = connection.execute("SELECT value FROM about WHERE key = 'result'").fetchone()
        text = json.dumps({**json.loads(text), **changes})
        connection.execute("UPDATE about SET value = ? WHERE key = 'result'", (text,))
    seal(path)


@given(cases(), st.data())
def test_a_bound_that_is_too_high_is_found(case: Case, data: st.DataObject) -> None:
    game, search = case.game, PlainSearch(case.game, case.objective, case.position.candidates)
    leftover = search.leftover if case.objective.kind == "solved" else None
    play = reference.ExactPlay(game, search.weights, case.objective.penalty, leftover)
    with TemporaryDirectory() as folder:
        path = Path(folder, "store")
        prove(case.position, case.objective, top=3, store=path, threads=1)
        row = data.draw(st.sampled_from(read_store(path).openers))
        _, ways = play.after(case.rows, row.turns)
        truth = ways[game.find(row.guess)][0]
        assume(truth < inf)
        raised = truth + data.draw(st.integers(1, 10 * max(search.weights)))
        place = "WHERE turns = ? AND guess = ?"
        change(path, f"UPDATE openers SET lower = ? {place}", raised, row.turns, row.guess)
        found = verify(path, 1000, game=None if case.ruled else game)
    says = "exactly" if row.exact else "at least"
    start = f"{row.guess}: within {row.turns} turns it costs {says} {raised} by the store, {truth} "
    assert any(failure.startswith(start) for failure in found.failures)
    assert not found.ok


@given(cases(), st.data())
def test_an_exact_total_that_is_too_low_is_found(case: Case, data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "store")
        prove(case.position, case.objective, top=3, store=path, threads=1)
        exact = [row for row in read_store(path).openers if row.exact and row.lower > 0]
        assume(exact)
        row = data.draw(st.sampled_from(exact))
        lowered = data.draw(st.integers(max(0, row.lower - 5), row.lower - 1))
        place = "WHERE turns = ? AND guess = ?"
        change(path, f"UPDATE openers SET lower = ? {place}", lowered, row.turns, row.guess)
        found = verify(path, 1000, game=None if case.ruled else case.game)
    start = f"{row.guess}: within {row.turns} turns it costs exactly {lowered} by the store, "
    assert any(failure.startswith(start) for failure in found.failures)


@pytest.fixture
def kept(tmp_path: Path) -> tuple[Path, Game, Proof]:
    """A store, its game, and the proof that it is of."""
    game = wordle(WORDS)
    return tmp_path / "store", game, prove(game, store=tmp_path / "store")


def failures(path: Path, sample: int = 1000) -> str:
    found = verify(path, sample)
    assert found.ok == (not found.failures)
    return "\n".join(found.failures)


def test_a_bound_that_is_not_sampled_still_counts_for_the_whole(kept: tuple[Path, Game, Proof]) -> None:
    path, _, proof = kept
    worse = next(row.guess for row in read_store(path).openers if row.turns == 6 and row.lower > proof.total)
    change(path, "UPDATE openers SET lower = ? WHERE turns = 6 AND guess = ?", proof.total - 1, worse)
    for seed in range(10):
        found = verify(path, 1, seed)
        assert found.failures == (
            f"{worse}: within 6 turns it may cost {proof.total - 1} by the store,"
            f" and no opener was to cost less than {proof.total}",
        )


def test_an_opener_that_is_left_out_is_derived(kept: tuple[Path, Game, Proof]) -> None:
    path, _, proof = kept
    change(path, "DELETE FROM openers WHERE guess != ? AND turns = 6", proof.opener)
    assert failures(path) == ""
    change_result(path, total=proof.total + 1, lower_bound=proof.total + 1)
    change(path, "UPDATE openers SET lower = lower + 1 WHERE turns = 6")
    other = min(set(dict(proof.top)) - {proof.opener})
    least = f"no opener was to cost less than {proof.total + 1}"
    assert f"{other}: within 6 turns it costs {proof.total}, and {least}" in failures(path)
    change(path, "DELETE FROM openers WHERE guess = ?", proof.opener)
    assert f"{proof.opener}: it is the best opener, and the store does not hold its total" in failures(path)


def test_a_result_that_is_better_than_the_bounds_is_found(kept: tuple[Path, Game, Proof]) -> None:
    path, _, proof = kept
    change_result(path, total=proof.total - 1, lower_bound=proof.total - 1)
    found = failures(path)
    assert f"no opener costs less than {proof.total}, and the run found {proof.total - 1}" in found
    assert f"the tree of {proof.opener} takes {proof.total}, and the run found {proof.total - 1}" in found
    change_result(path, total=proof.total, lower_bound=proof.total - 1)
    assert failures(path) == f"the result is {proof.total}, and the bound {proof.total - 1}"


def test_a_result_of_another_opener_is_found(kept: tuple[Path, Game, Proof]) -> None:
    path, _, proof = kept
    worse = next(row.guess for row in read_store(path).openers if row.turns == 6 and row.lower > proof.total)
    change_result(path, opener=worse)
    found = failures(path)
    assert f"{worse}: it is the best opener, and the store does not hold its total" in found
    assert f"the tree begins with {proof.opener}, the best opener is {worse}" in found


def test_a_strategy_of_fewer_turns_is_found(kept: tuple[Path, Game, Proof]) -> None:
    path, _, proof = kept
    row = next(row for row in read_store(path).openers if row.turns == proof.worst - 1)
    change(path, "DELETE FROM openers WHERE turns = ? AND guess = ?", row.turns, row.guess)
    assert failures(path) == (
        f"{row.guess}: for all the store says it costs {proof.total} in {row.turns} turns too"
    )


def change_tree(path: Path, edit: Callable[[dict[str, Any]], object]) -> None:
    result = read_store(path).results[0]
    tree = json.loads(result.tree)
    edit(tree)
    change_result(path, tree=json.dumps(tree))


def prune(tree: dict[str, Any]) -> None:
    after = tree["tree"]["after"]
    del after[next(iter(after))]


def test_a_tree_that_was_changed_is_found(kept: tuple[Path, Game, Proof]) -> None:
    path, game, proof = kept
    whole = read_store(path).results[0].tree
    changes = {
        lambda tree: tree.update(total=tree["total"] - 1): "the file says .* guesses in total",
        prune: "is never found",
        lambda tree: tree["tree"].update(guess=next(w for w in game.guesses if w != proof.opener)): "",
        lambda tree: tree.update(digest="0"): "the tree is for",
        lambda tree: tree.pop("tree"): "a node is an object",
    }
    for edit, message in changes.items():
        change_tree(path, edit)
        found = verify(path, 1)
        assert found.tree_total is None
        (failure,) = found.failures
        assert failure.startswith(f"the tree of {proof.opener}: ")
        assert message.replace(".*", "") in failure or message.split(".*")[0] in failure
        change_result(path, tree=whole)
    assert failures(path) == ""


def test_a_tree_that_takes_more_guesses_is_found(tmp_path: Path) -> None:
    game = wordle(WORDS)
    path = tmp_path / "store"
    proof = prove(game, top=10, store=path)
    worse, total = next((guess, total) for guess, total in proof.top if total > proof.total)
    prove(game, opener=worse, store=path)
    other = next(result for result in read_store(path).results if result.asked == worse)
    change_result(path, tree=other.tree)
    found = verify(path, 1)
    assert found.tree_total == total
    assert f"the tree begins with {worse}, the best opener is {proof.opener}" in found.failures
    assert f"the tree of {proof.opener} takes {total}, and the run found {proof.total}" in found.failures


def test_a_tree_that_begins_with_a_guess_that_is_not_legal_is_found(tmp_path: Path) -> None:
    game = wordle(WORDS, mode="strict")
    position = Position.start(game).after(0, game.rules.code("aab", "cba"))
    path = tmp_path / "store"
    prove(position, store=path)
    tree = DecisionTree.build(make("information-gain"), position.as_game(), "ccc")
    change_result(path, tree=tree_json.to_text(tree))
    found = failures(path)
    assert "ccc, which is not legal there" in found
    assert "the tree begins with ccc" in found


def test_another_list_of_legal_guesses_is_found(tmp_path: Path) -> None:
    game = wordle(WORDS, mode="strict")
    path = tmp_path / "store"
    prove(Position.start(game).after(0, game.rules.code("aab", "cba")), store=path)
    run = read_store(path).run
    change(
        path, "UPDATE about SET value = ? WHERE key = 'run'", json.dumps({**run, "legal": run["legal"][1:]})
    )
    with pytest.raises(StoreError, match="legal differs"):
        verify(path)


def test_tricks_with_symmetry_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "store"
    game = mastermind(3, 3)
    with monkeypatch.context() as patch:
        all_alike = lambda game: np.zeros(len(game.guesses), np.int32)  # noqa: E731
        patch.setattr("sleuth.exact.proving.orbits", all_alike)
        prove(game, store=path)
        patch.setattr("sleuth.exact.verification.orbits", all_alike)
        assert "it is not the same as 111 in other names" in failures(path)


# What cannot be verified.


def test_what_is_refused(kept: tuple[Path, Game, Proof], tmp_path: Path) -> None:
    path, game, _ = kept
    with pytest.raises(SleuthError, match="sample must be 1 or more, not 0"):
        verify(path, 0)
    with pytest.raises(StoreError, match="there is no store"):
        verify(tmp_path / "none")
    with pytest.raises(StoreError, match="mode differs"):
        verify(path, game=game.with_mode("hard"))
    with pytest.raises(StoreError, match="words differs"):
        verify(path, game=wordle(WORDS[1:]))
    run = read_store(path).run
    change(
        path,
        "UPDATE about SET value = ? WHERE key = 'run'",
        json.dumps({**run, "answers": run["answers"][1:]}),
    )
    with pytest.raises(StoreError, match="words differs"):
        verify(path)
    change(path, "UPDATE about SET value = 'nothing' WHERE key = 'run'")
    with pytest.raises(StoreError, match="is a broken store"):
        verify(path)
    change(path, "DELETE FROM about WHERE key = 'run'")
    with pytest.raises(StoreError, match="is a broken store"):
        verify(path)


def test_a_store_without_bounds_is_refused(kept: tuple[Path, Game, Proof]) -> None:
    change(kept[0], "DELETE FROM openers")
    with pytest.raises(StoreError, match="holds no bounds yet"):
        verify(kept[0])


def test_bounds_of_what_is_no_guess(kept: tuple[Path, Game, Proof]) -> None:
    change(kept[0], "UPDATE openers SET guess = 'zzz' WHERE guess = 'ccc'")
    assert "zzz: the store has a bound of it, and it is no legal guess" in failures(kept[0])


def test_a_game_by_a_function_is_given(tmp_path: Path) -> None:
    game = Game.from_function(lambda guess, answer: (guess > answer) - (guess < answer), range(1, 30))
    path = tmp_path / "store"
    proof = prove(game, store=path)
    with pytest.raises(StoreError, match="the feedback of custom is a function, which a store cannot keep"):
        verify(path)
    found = verify(path, game=game)
    assert (found.failures, found.tree_total) == ((), proof.total)
    other = Game.from_function(lambda guess, answer: (guess > answer) - (guess < answer), range(2, 31))
    with pytest.raises(StoreError, match="differs"):
        verify(path, game=other)
