"""Stores: what is kept, runs that are cut off and go on, and files that are refused."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from typing import Any, Never

import numpy as np
import pytest
from faults import files_of_at_most
from hypothesis import assume, given
from hypothesis import strategies as st
from random_games import crowded_games, follow, histories, small_games

from sleuth.cli.interrupts import finished_or_known
from sleuth.exact import snapshot
from sleuth.exact import store as store_module
from sleuth.exact.objective import Objective
from sleuth.exact.proof import Proof
from sleuth.exact.proving import ProofProgress, _Run, identity, prove
from sleuth.exact.solver import Solver
from sleuth.exact.store import OpenerBound, Store, details, read_store, rebuilt
from sleuth.exact.verification import verify
from sleuth.games.game import Game
from sleuth.games.pegs import mastermind
from sleuth.games.position import Position
from sleuth.games.priors import uniform
from sleuth.games.wordle import wordle
from sleuth.support.errors import StoreError, TreeError
from sleuth.trees import formats
from sleuth.trees.check import check_tree
from sleuth.trees.formats import tree_json

WORDS = ["aab", "aba", "abb", "abc", "bab", "bac", "bba", "cab", "cba", "ccc"]


def some_words(seed: int, n: int, length: int = 5, letters: str = "abc") -> list[str]:
    drawn = np.random.default_rng(seed).choice(list(letters), (n, length))
    return sorted({"".join(word) for word in drawn})


def found(proof: Proof) -> tuple[int | None, int, int | None, bool, int, list[tuple[str, int]]]:
    """Return what two runs must agree on; which of the best openers comes first may differ, and the tree."""
    if proof.tree is not None:
        assert check_tree(proof.tree).worst == proof.worst
        assert proof.tree.opener == proof.opener
    assert proof.opener in {"", *dict(proof.top)}
    return proof.total, proof.lower_bound, proof.failures, proof.proved, proof.openers, sorted(proof.top)


def objectives(game: Game) -> st.SearchStrategy[Objective]:
    kinds = [Objective(), Objective("worst"), Objective("solved"), Objective("mean", game.max_turns + 2)]
    return st.sampled_from(kinds)


@st.composite
def cases(draw: st.DrawFn) -> tuple[Position, Objective]:
    """Positions with turns left and a guess that tells something, and objectives."""
    game = draw(st.one_of(small_games(), crowded_games()))
    position = follow(game, draw(histories(game, 2)))
    assume(position.turn <= game.max_turns)
    legal = range(len(game.guesses)) if position.legal is None else position.legal.tolist()
    rows = [game.feedback[guess, position.candidates] for guess in legal]
    assume(any(len(set(row.tolist())) > 1 for row in rows))
    return position, draw(objectives(game))


# What is kept, and used.


@given(cases(), st.integers(1, 3))
def test_a_second_run_searches_nothing_again(case: tuple[Position, Objective], top: int) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "store")
        first = prove(*case, top=top, store=path)
        again = prove(*case, top=top, store=path, with_tree=False)
        with_tree = prove(*case, top=top, store=path)
    assert again.nodes == 0
    assert found(again) == found(with_tree) == found(first)


@given(cases(), st.lists(st.integers(0, 8), min_size=1, max_size=3), st.integers(1, 3))
def test_runs_that_are_stopped_again_and_again_end_as_one_that_is_not(
    case: tuple[Position, Objective], stops: list[int], top: int
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "store")
        for after in stops:
            calls: list[ProofProgress] = []

            def progress(
                state: ProofProgress, calls: list[ProofProgress] = calls, after: int = after
            ) -> None:
                calls.append(state)
                if len(calls) > after:
                    raise KeyboardInterrupt

            run = partial(prove, *case, store=path, progress=progress, threads=2, with_tree=False)
            stopped, _ = finished_or_known(run, Proof)
            assert stopped.shallowest == (not stopped.interrupted)
            assert stopped.proved >= stopped.shallowest
        ended = prove(*case, top=top, store=path, with_tree=False)
    # Runs that found more of the best exactly say which of equals they are: the totals agree.
    whole = prove(*case, top=top, with_tree=False)
    assert found(ended)[:-1] == found(whole)[:-1]
    assert sorted(total for _, total in ended.top) == sorted(total for _, total in whole.top)


def test_answers_that_no_guess_names_take_no_turn(tmp_path: Path) -> None:
    """The opener tells all four answers apart: nothing is left to guess, in the first run and the second."""
    game = Game.from_function(
        lambda guess, answer: f"{(int(answer) + int(guess)) % 4}", ["1", "2", "3", "4"], ["100", "104"]
    )
    for _ in range(2):
        proof = prove(game, store=tmp_path / "store")
        assert (proof.total, proof.worst) == (4, 1)


def test_bounds_of_one_question_serve_another(tmp_path: Path) -> None:
    game = wordle(some_words(3, 120))
    asked = prove(game, opener=game.guesses[5], store=tmp_path / "store")
    best = prove(game, store=tmp_path / "store")
    ten = prove(game, top=10, store=tmp_path / "store", with_tree=False)
    assert found(best) == found(prove(game))
    assert found(ten)[:-1] == found(prove(game, top=10))[:-1]
    known = {(row.turns, row.guess): row for row in read_store(tmp_path / "store").openers}
    assert known[6, asked.opener].lower == asked.total
    assert all(known[6, guess].exact and known[6, guess].lower == total for guess, total in ten.top)


def test_a_store_holds_what_was_found(tmp_path: Path) -> None:
    game = wordle(WORDS, prior=np.arange(10, dtype=float) + 1.0)
    path = tmp_path / "store"
    with Store(path, identity(Position.start(game), Objective())) as kept:
        kept.save(6, [("aab", 30, False, 0), ("aba", np.int64(31), np.bool_(True), np.int64(4))])  # type: ignore[list-item]  # numpy's numbers are kept too
        kept.save(6, [("aab", 33, False, 0)])
        kept.save(5, [("aab", 2**60, True, 0)])
        assert kept.load(6) == {"aab": (33, False, 0), "aba": (31, True, 4)}
        assert kept.load(4) == {}
    contents = read_store(path)
    assert contents.openers == [
        OpenerBound(5, "aab", 2**60, True, 0),
        OpenerBound(6, "aab", 33, False, 0),
        OpenerBound(6, "aba", 31, True, 4),
    ]
    assert contents.results == []


def test_only_finished_runs_leave_a_result(tmp_path: Path) -> None:
    game, path = wordle(WORDS), tmp_path / "store"
    prove(game, store=path, seconds=0)
    assert read_store(path).results == []
    proof = prove(game, store=path)
    other = prove(game, opener="ccc", store=path, with_tree=False)
    prove(game, store=path, seconds=0)
    best, asked = read_store(path).results
    assert (best.asked, best.opener, best.total, best.turns) == (None, proof.opener, proof.total, proof.turns)
    assert best.tree == tree_json.to_text(proof.tree)
    assert (asked.asked, asked.opener, asked.total, asked.tree) == ("ccc", "ccc", other.total, None)


@given(cases())
def test_runs_are_rebuilt_from_their_details(case: tuple[Position, Objective]) -> None:
    kept = json.loads(json.dumps(details(*case)))
    ruled = kept["rules"] is not None
    position, objective = rebuilt(kept, None if ruled else case[0].game)
    assert identity(position, objective) == identity(*case)
    assert objective == case[1]
    assert position.game.name == case[0].game.name
    if not ruled:
        with pytest.raises(StoreError, match="a function, which a store cannot keep; give the game itself"):
            rebuilt(kept)


def test_a_store_says_that_only_black_pegs_count(tmp_path: Path) -> None:
    game = mastermind(2, 3, black=True)
    prove(game, store=tmp_path / "store")
    assert rebuilt(read_store(tmp_path / "store").run)[0].game == game
    both = replace(mastermind(2, 3), name=game.name)
    with pytest.raises(StoreError, match="is the store of another run: its words is another"):
        prove(both, store=tmp_path / "store")


# Runs that are killed.


RUN = """
import json, os, signal, sys
from pathlib import Path
from sleuth.games.wordle import wordle
from sleuth.exact.proving import prove
from sleuth.exact.store import Store

save, most = Store.save, int(sys.argv[3])

def save_and_end(self, turns, rows):
    save(self, turns, rows)
    if len(self.load(turns)) >= most:
        os.kill(os.getpid(), signal.SIGKILL)

if most:
    Store.save = save_and_end
game = wordle(Path(sys.argv[1]).read_text().split())
store = Path(sys.argv[2]) if sys.argv[2] else None
try:
    proof = prove(game, top=1000, store=store, progress=lambda state: print(state.phase, flush=True))
except KeyboardInterrupt as stop:
    proof = stop.known
print("result", json.dumps(proof.to_json()))
"""


@pytest.fixture(scope="module")
def long_game(tmp_path_factory: pytest.TempPathFactory) -> tuple[Game, Path]:
    """Words whose openers, all of them exactly, take a second or two, and the file that holds them."""
    path = tmp_path_factory.mktemp("words") / "words.txt"
    path.write_text("\n".join(some_words(1, 700, 5, "abcd")))
    return wordle(path.read_text().split()), path


@pytest.fixture(scope="module")
def whole_run(long_game: tuple[Game, Path]) -> Proof:
    """What a run that nothing stops finds; kernels are compiled for the others, too."""
    return prove(long_game[0], top=1000)


def start_run(words: Path, store: Path | None, rows: int = 0) -> subprocess.Popen[str]:
    """Start a run that kills itself, by SIGKILL, once its store has so many bounds; 0: it does not."""
    code = [sys.executable, "-c", RUN, str(words), "" if store is None else str(store), str(rows)]
    return subprocess.Popen(code, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def rows_in(path: Path, table: str = "openers") -> int:
    """Return how many rows a store has while it is being written."""
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
            return connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    except sqlite3.Error:
        return 0


def killed_at(words: Path, store: Path, rows: int) -> int:
    """Run until the store has so many bounds and the run kills itself, and return how many it has."""
    with start_run(words, store, rows) as run:
        _, err = run.communicate()
        assert run.returncode == -signal.SIGKILL, f"the run ended before it was killed: {err}"
    return rows_in(store)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(3))
def test_a_run_that_is_killed_goes_on_and_ends_the_same(
    long_game: tuple[Game, Path], whole_run: Proof, tmp_path: Path, seed: int
) -> None:
    game, words = long_game
    store = tmp_path / "store"
    rng = np.random.default_rng(seed)
    first = killed_at(words, store, int(rng.integers(1, len(game.guesses) // 3)))
    second = killed_at(words, store, first + int(rng.integers(1, len(game.guesses) // 3)))
    assert first < second
    assert [result.asked for result in read_store(store).results] == []
    for row in read_store(store).openers:
        total = dict(whole_run.top)[row.guess]
        assert row.lower == total if row.exact else row.lower <= total
    ended = prove(game, top=1000, store=store)
    assert found(ended) == found(whole_run)
    assert ended.nodes < whole_run.nodes
    assert read_store(store).results[0].total == whole_run.total


KILLED_WITHIN_ONE_OPENER = """
import os
import signal
import sys
from pathlib import Path

from sleuth.exact import proving as module
from sleuth.exact.store import Store
from sleuth.games.wordle import wordle

take, save, nodes = module.snapshot.take, Store.save_snapshot, [0]

def take_and_count(solver):
    nodes[0] = solver.nodes  # before what is kept: that may hold more
    return take(solver)

def save_and_end(self, snapshot):
    save(self, snapshot)
    if nodes[0] > int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)

module.SNAPSHOT_EVERY = 0
module.snapshot.take, Store.save_snapshot = take_and_count, save_and_end
module.prove(wordle("original"), opener="adieu", store=Path(sys.argv[1]))
"""


@pytest.mark.thorough
def test_work_within_one_opener_is_kept(original: Game, tmp_path: Path) -> None:
    store = tmp_path / "store"
    whole = prove(original, opener="adieu", with_tree=False)
    enough = str(whole.nodes // 3)
    ended_by = subprocess.run(
        [sys.executable, "-c", KILLED_WITHIN_ONE_OPENER, str(store), enough], check=False
    )
    assert ended_by.returncode == -signal.SIGKILL
    assert rows_in(store, "snapshot") == 1
    ended = prove(original, opener="adieu", store=store, with_tree=False)
    assert found(ended) == found(whole)
    assert ended.nodes < whole.nodes


@given(cases(), st.integers(0, 4))
def test_runs_go_on_with_what_the_table_knew(case: tuple[Position, Objective], after: int) -> None:
    def progress(state: ProofProgress, calls: list[ProofProgress] = []) -> None:  # noqa: B006
        calls.append(state)
        if len(calls) > after:
            raise KeyboardInterrupt

    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr("sleuth.exact.proving.SNAPSHOT_EVERY", 0.0)
        patch.setattr("sleuth.exact.snapshot._LEAST", 2)
        path = Path(folder, "store")
        run = partial(prove, *case, store=path, progress=progress, threads=2, with_tree=False)
        finished_or_known(run, Proof)
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("DELETE FROM openers")
        assert found(prove(*case, store=path))[:-1] == found(prove(*case))[:-1]


def test_a_snapshot_that_is_damaged_or_of_other_keys_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, game = tmp_path / "store", wordle(some_words(3, 300))
    monkeypatch.setattr("sleuth.exact.proving.SNAPSHOT_EVERY", 0.0)
    monkeypatch.setattr("sleuth.exact.snapshot._LEAST", 2)
    whole = prove(game, store=path)
    with Store(path, identity(Position.start(game), Objective())) as kept:
        taken = kept.load_snapshot()
        assert snapshot.restore(Solver(game), taken)
        assert not snapshot.restore(Solver(game), replace(taken, keys="0"))
        assert not snapshot.restore(Solver(game, memory=3 << 20), taken)
    change(path, "UPDATE snapshot SET buckets = buckets / 2")
    with Store(path, identity(Position.start(game), Objective())) as kept:
        assert kept.load_snapshot() is None
    change(path, "DELETE FROM openers")
    assert found(prove(game, store=path)) == found(whole)


def test_a_run_that_is_killed_before_it_has_made_its_store(tmp_path: Path) -> None:
    path = tmp_path / "store"
    path.touch()
    assert prove(wordle(WORDS), store=path).proved
    (tmp_path / "other").touch()
    with closing(sqlite3.connect(tmp_path / "other")) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    assert prove(wordle(WORDS), store=tmp_path / "other").proved


@pytest.mark.thorough
@pytest.mark.parametrize("with_store", [True, False])
def test_ctrl_c_returns_soon_with_what_is_known(
    long_game: tuple[Game, Path], whole_run: Proof, tmp_path: Path, with_store: bool
) -> None:
    game, words = long_game
    store = tmp_path / "store" if with_store else None
    with start_run(words, store) as run:
        while "searching" not in (line := run.stdout.readline()):
            assert line, run.stderr.read()
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=300)
    assert run.returncode == 0
    assert err == ""
    result = json.loads(out.splitlines()[-1].removeprefix("result "))
    assert result["interrupted"]
    assert not result["proved"]
    assert result["lower_bound"] <= whole_run.total <= result["total"]
    totals = dict(whole_run.top)
    assert all(totals[entry["guess"]] == entry["total"] for entry in result["top"])
    assert len(result["top"]) < len(totals)
    if with_store:
        assert found(prove(game, top=1000, store=store)) == found(whole_run)


# Files that are refused.


BASE = wordle(WORDS)
CHANGES = {
    "game": lambda game: replace(game, name="other"),
    "words": lambda game: replace(game, guesses=(*game.guesses[:-1], "cca")),
    "mode": lambda game: game.with_mode("hard"),
    "prior": lambda game: game.with_prior(np.arange(10, dtype=float) + 1.0),
    "max_turns": lambda game: replace(game, max_turns=7),
}


@pytest.mark.parametrize("key", CHANGES)
def test_a_store_of_another_game_is_refused(tmp_path: Path, key: str) -> None:
    prove(BASE, store=tmp_path / "store", seconds=0)
    message = f"is the store of another run: its {key} is .*; give another file, or delete it"
    with pytest.raises(StoreError, match=message):
        prove(CHANGES[key](BASE), store=tmp_path / "store")
    assert prove(BASE, store=tmp_path / "store").proved


@pytest.mark.parametrize("objective", [Objective("worst"), Objective("solved"), Objective("mean", 7)])
def test_a_store_of_another_objective_is_refused(tmp_path: Path, objective: Objective) -> None:
    prove(BASE, store=tmp_path / "store", seconds=0)
    with pytest.raises(StoreError, match=f"its objective is mean, this one's is {objective.label}"):
        prove(BASE, objective, store=tmp_path / "store")
    prove(BASE, objective, store=tmp_path / "other", seconds=0)
    with pytest.raises(StoreError, match=f"its objective is {objective.label}, this one's is mean"):
        prove(BASE, store=tmp_path / "other")


def test_a_store_of_another_position_is_refused(tmp_path: Path) -> None:
    prove(BASE, store=tmp_path / "store", seconds=0)
    one, two = (Position.start(BASE).after(0, BASE.rules.code("aab", answer)) for answer in ("bac", "cba"))
    with pytest.raises(StoreError, match="its turn is 1, this one's is 2"):
        prove(one, store=tmp_path / "store")
    prove(one, store=tmp_path / "other", seconds=0)
    with pytest.raises(StoreError, match="its candidates is another, this one's is another"):
        prove(two, store=tmp_path / "other")


def test_a_store_of_another_function_is_refused(tmp_path: Path) -> None:
    def game(step: int) -> Game:
        return Game.from_function(lambda g, a: "right" if g == a else (g * step + a) % 3, range(8))

    assert game(1).digest == game(2).digest
    prove(game(1), store=tmp_path / "store", seconds=0)
    with pytest.raises(StoreError, match="its feedback is another"):
        prove(game(2), store=tmp_path / "store")


def test_a_store_of_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prove(BASE, store=tmp_path / "store", seconds=0)
    monkeypatch.setattr(store_module, "FORMAT", 3)
    for use in (lambda: prove(BASE, store=tmp_path / "store"), lambda: read_store(tmp_path / "store")):
        with pytest.raises(StoreError, match="has format 2; format 3 can be read"):
            use()


def test_a_store_without_digests_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "store"
    about = {"format": "1", **identity(Position.start(BASE), Objective())}
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT)")
        connection.execute(
            "CREATE TABLE openers (turns INTEGER, guess TEXT, lower INTEGER, exact INTEGER, depth INTEGER)"
        )
        connection.executemany("INSERT INTO about VALUES (?, ?)", about.items())
    for use in (lambda: prove(BASE, store=path), lambda: read_store(path)):
        with pytest.raises(StoreError, match="has format 1, whose bounds have no digests .* found again"):
            use()


# Files that cannot be written for a while, or at all.


def locker(path: Path, seconds: int | None) -> tuple[Callable[[ProofProgress], None], Callable[[], None]]:
    """Return what locks a store at the first report of progress, and for how long: None, to the end."""
    held: list[sqlite3.Connection] = []

    def release() -> None:
        held[0].rollback()
        held[0].close()

    def progress(state: ProofProgress) -> None:
        if not held:
            held.append(sqlite3.connect(path, check_same_thread=False))
            held[0].execute("BEGIN IMMEDIATE")
            if seconds is not None:
                Timer(seconds, release).start()

    return progress, release


def test_a_lock_is_waited_for_and_all_is_kept(tmp_path: Path) -> None:
    path, game = tmp_path / "store", wordle(some_words(3, 120))
    progress, _ = locker(path, 2)
    proof = prove(game, store=path, progress=progress)
    whole = prove(game, store=tmp_path / "other")
    assert proof.problems == ()
    assert found(proof) == found(whole)
    kept, known = read_store(path), read_store(tmp_path / "other")
    assert [result.total for result in kept.results] == [whole.total]
    assert {row.guess for row in kept.openers} == {row.guess for row in known.openers}


def test_a_lock_that_stays_costs_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, game = tmp_path / "store", wordle(some_words(3, 120))
    monkeypatch.setattr(store_module, "PATIENCE", 0.3)
    progress, release = locker(path, None)
    proof = prove(game, store=path, progress=progress)
    assert found(proof) == found(prove(game))
    (problem,) = proof.problems
    assert "is locked by another program" in problem
    assert problem.endswith(" bounds and the result are not kept")
    with pytest.raises(StoreError, match="is locked by another program"):
        prove(game, store=path)
    release()
    assert read_store(path).results == []
    assert prove(game, store=path).problems == ()


def full_after(monkeypatch: pytest.MonkeyPatch, pages: int) -> None:
    """Let SQLite hold files for full that have so many pages."""
    connect = sqlite3.connect

    def limited(*args: Any, **kwargs: Any) -> sqlite3.Connection:
        connection = connect(*args, **kwargs)
        connection.execute(f"PRAGMA max_page_count = {pages}")
        return connection

    monkeypatch.setattr(sqlite3, "connect", limited)


def test_a_disk_that_is_full_at_once_is_no_broken_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        full_after(patch, 1)
        with pytest.raises(StoreError, match="the disk is full: the store .* cannot be written"):
            prove(BASE, store=tmp_path / "store")
    assert prove(BASE, store=tmp_path / "store").proved


def test_a_disk_that_fills_up_costs_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, game = tmp_path / "store", wordle(some_words(3, 300))
    with monkeypatch.context() as patch:
        full_after(patch, 7)
        proof = prove(game, store=path)
    whole = prove(game)
    assert found(proof) == found(whole)
    (problem,) = proof.problems
    assert "the disk is full: the store" in problem
    assert proof.to_json()["problems"] == [problem]
    again = prove(game, store=path)
    assert (again.problems, found(again)) == ((), found(whole))


@pytest.mark.parametrize("step", [5 * 1024, pytest.param(1024, marks=pytest.mark.thorough)])
def test_a_store_is_sound_wherever_writing_fails(tmp_path: Path, step: int) -> None:
    game = wordle(WORDS)
    whole = prove(game)
    kept, refused, size = False, 0, -step
    while not kept:
        size += step
        path = tmp_path / str(size)
        try:
            with files_of_at_most(size):
                proof = prove(game, store=path)
        except StoreError:
            refused += 1  # at the start, where no table fits
        else:
            # What was found is told, and why it is not kept.
            assert found(proof) == found(whole)
            kept = proof.problems == ()
        again = prove(game, store=path)
        assert (again.problems, found(again)) == ((), found(whole))
        assert verify(path).ok
    assert refused


def test_of_two_runs_the_store_keeps_the_better_bound(tmp_path: Path) -> None:
    about = identity(Position.start(BASE), Objective())
    with Store(tmp_path / "store", about) as one, Store(tmp_path / "store", about) as two:
        one.save(6, [("aab", 30, True, 3), ("aba", 20, False, 0), ("abb", 9, False, 0)])
        two.save(6, [("aab", 29, False, 0), ("aba", 21, False, 0), ("abb", 8, False, 0)])
        assert one.load(6) == {"aab": (30, True, 3), "aba": (21, False, 0), "abb": (9, False, 0)}


def one_by_one(answers: int) -> Game:
    """Feedback says only whether a guess is right, and each answer is half as likely as the one before."""
    game = Game.from_function(lambda guess, answer: guess == answer, range(answers), max_turns=answers + 9)
    return game.with_prior(0.5 ** np.arange(answers, dtype=float))


def test_a_strategy_of_more_than_a_hundred_guesses(tmp_path: Path) -> None:
    """The last guess but one tells the last: as many guesses as answers."""
    game = one_by_one(130)
    proof = prove(game, Objective("mean", 140), store=tmp_path / "store")
    assert (proof.proved, proof.worst, proof.problems) == (True, 130, ())
    assert check_tree(proof.tree).worst == 130
    assert verify(tmp_path / "store", game=game).failures == ()


@pytest.mark.thorough
def test_a_tree_too_deep_for_json_costs_nothing_else(tmp_path: Path) -> None:
    game = one_by_one(400)
    proof = prove(game, Objective("mean", 410), store=tmp_path / "store")
    assert (proof.worst, proof.problems) == (400, ())
    (result,) = read_store(tmp_path / "store").results
    assert (result.total, result.tree) == (proof.total, None)
    with pytest.raises(TreeError, match=r"400 guesses deep, and JSON holds 350; write it as \.html or \.dot"):
        formats.write(proof.tree, tmp_path / "tree.json")
    formats.write(proof.tree, tmp_path / "tree.html")
    shallower = prove(one_by_one(350), Objective("mean", 360))
    formats.write(shallower.tree, tmp_path / "tree.json")
    assert formats.read(tmp_path / "tree.json", shallower.tree.game).report().worst == 350


# Files that are damaged.


def change(path: Path, command: str, *values: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        assert connection.execute(command, values).rowcount > 0


DAMAGE = [
    ("lower", "lower + 1"),
    ("lower", "lower - 1"),
    ("exact", "1 - exact"),
    ("depth", "depth + 1"),
    ("guess", "'cca'"),
    ("digest", "x'00'"),
    ("lower", "'many'"),
    ("lower", "x'ff'"),
    ("lower", "NULL"),
    ("depth", "1.5"),
    ("guess", "CAST(x'ff' AS TEXT)"),
    ("guess", "7"),
    ("digest", "NULL"),
]


@pytest.mark.parametrize(("column", "value"), DAMAGE)
def test_a_damaged_bound_is_named_and_never_used(tmp_path: Path, column: str, value: str) -> None:
    path = tmp_path / "store"
    prove(BASE, store=path)
    change(path, f"UPDATE openers SET {column} = {value} WHERE turns = 6 AND guess = 'bab'")
    shown = "bab" if column != "guess" else "(cca|\ufffd|7)"
    message = f"what it says of '{shown}' within 6 turns does not fit its digest and is not used; delete that"
    for use in (lambda: prove(BASE, store=path), lambda: read_store(path), lambda: verify(path)):
        with pytest.raises(StoreError, match=message):
            use()
    change(path, "DELETE FROM openers WHERE turns = 6 AND guess NOT IN ('aab', 'aba')")
    assert found(prove(BASE, store=path)) == found(prove(BASE))


@pytest.mark.parametrize("key", ["game", "mode", "run", "result"])
def test_damage_to_what_a_store_says_of_itself_is_found(tmp_path: Path, key: str) -> None:
    path = tmp_path / "store"
    prove(BASE, store=path)
    change(path, "UPDATE about SET value = value || ' ' WHERE key = ?", key)
    for use in (lambda: prove(BASE, store=path), lambda: read_store(path)):
        with pytest.raises(StoreError, match=f"what it says about '{key}' does not fit its digest"):
            use()


def test_bits_that_flip_change_no_result(tmp_path: Path) -> None:
    """Rows may be lost, and are found again; none comes back as another one."""
    path, game = tmp_path / "store", wordle(some_words(3, 30))
    whole = found(prove(game, store=path, with_tree=False))
    known = {(row.turns, row.guess): row for row in read_store(path).openers}
    data, rng = path.read_bytes(), np.random.default_rng(0)
    written = [i for i, byte in enumerate(data) if byte]
    refused = 0
    for at in rng.choice(written, 200).tolist():
        broken = bytearray(data)
        broken[at] ^= 1 << int(rng.integers(8))
        for suffix in ("-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        path.write_bytes(broken)
        try:
            contents = read_store(path)
            assert all(known.get((row.turns, row.guess)) == row for row in contents.openers)
            assert found(prove(game, store=path, with_tree=False)) == whole
        except StoreError:
            refused += 1
    assert refused > 50


def other_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")


def without_bounds(path: Path) -> None:
    prove(BASE, store=path, seconds=0)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE openers")


NO_STORES = {
    "text": lambda path: path.write_text("salet 7920\n" * 1000),
    "bytes": lambda path: path.write_bytes(np.random.default_rng(1).bytes(20000)),
    "other database": other_database,
    "without bounds": without_bounds,
}


@pytest.mark.parametrize("kind", NO_STORES)
def test_a_file_that_is_no_store_is_refused_and_left_as_it_is(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "file"
    NO_STORES[kind](path)
    before = path.read_bytes()
    for use in (lambda: prove(BASE, store=path), lambda: read_store(path)):
        with pytest.raises(StoreError, match="file"):
            use()
    assert path.read_bytes() == before


@pytest.mark.parametrize("part", [0.1, 0.3, 0.5, 0.7, 0.9, 0.999])
def test_a_truncated_store_is_refused_or_does_no_harm(tmp_path: Path, part: float) -> None:
    path, game = tmp_path / "store", wordle(some_words(3, 120))
    whole = prove(game, store=path)
    known, data = read_store(path).openers, path.read_bytes()
    path.write_bytes(data[: int(len(data) * part)])
    refused = 0
    for same in (
        lambda: read_store(path).openers == known,
        lambda: found(prove(game, store=path)) == found(whole),
    ):
        try:
            assert same()
        except StoreError:
            refused += 1
    assert refused or part > 0.7


def test_a_folder_is_refused(tmp_path: Path) -> None:
    for use in (lambda: prove(BASE, store=tmp_path), lambda: read_store(tmp_path)):
        with pytest.raises(StoreError, match="cannot open the store|there is no store"):
            use()


@pytest.mark.parametrize("folder", ["/proc", "/nowhere at all"])
def test_where_no_file_can_be_written(folder: str) -> None:
    with pytest.raises(StoreError, match="cannot open the store .*: unable to open database file"):
        prove(BASE, store=Path(folder, "store"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_and_a_store_that_may_only_be_read(tmp_path: Path) -> None:
    prove(BASE, store=tmp_path / "store", seconds=0)
    (tmp_path / "store").chmod(0o400)
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(StoreError, match="cannot open the store"):
            prove(BASE, store=tmp_path / "new")
        with pytest.raises(StoreError, match="readonly"):
            prove(BASE, store=tmp_path / "store")
        assert read_store(tmp_path / "store").openers
    finally:
        tmp_path.chmod(0o700)


@pytest.fixture
def only_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let stores be read and not written, as on a disk that is mounted so."""
    connect = sqlite3.connect

    def reading(path: Any, **more: Any) -> sqlite3.Connection:
        return connect(path, **more) if more.get("uri") else connect(f"{path.as_uri()}?mode=ro", uri=True)

    monkeypatch.setattr(sqlite3, "connect", reading)


def test_a_store_of_a_finished_run_answers_where_nothing_can_be_written(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    file = tmp_path / "store"
    written = prove(BASE, store=file)
    bytes_ = file.read_bytes()
    request.getfixturevalue("only_read")
    read = prove(BASE, store=file)
    assert (read.opener, read.total, read.proved, read.problems) == (
        written.opener,
        written.total,
        True,
        (),
    )
    assert file.read_bytes() == bytes_
    # What is found anew is said not to be kept; what is of another run is refused.
    assert "cannot be read or written" in prove(BASE, store=file, top=5).problems[0]
    with pytest.raises(StoreError, match="another run"):
        prove(BASE, "worst", store=file)


def test_a_store_of_an_unfinished_run_is_refused_where_nothing_can_be_written(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    prove(BASE, store=tmp_path / "store", seconds=0)
    request.getfixturevalue("only_read")
    with pytest.raises(StoreError, match="readonly"):
        prove(BASE, store=tmp_path / "store")


def test_details_that_make_no_game_are_refused(tmp_path: Path) -> None:
    game = mastermind(2, 3)
    kept = details(Position.start(game), Objective())
    wrongs: tuple[dict[str, Any], ...] = (
        {"rules": ["chess", 8]},
        {"answers": []},
        {"prior": [1.0]},
        {"objective": "least"},
        {"turn": None},
    )
    for wrong in wrongs:
        with pytest.raises(StoreError, match="does not say what game its bounds are of"):
            rebuilt({**kept, **wrong})
    with pytest.raises(StoreError, match="there is no store"):
        read_store(tmp_path / "none")
    assert game.prior.tolist() == uniform(9).tolist()


def test_an_interrupt_that_leaves_nothing_known_is_an_interrupt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a second Ctrl-C is, while the first is dealt with."""

    def stop(run: _Run, with_tree: bool) -> Never:
        raise KeyboardInterrupt

    monkeypatch.setattr("sleuth.exact.proving._Run.run", stop)
    with pytest.raises(KeyboardInterrupt) as stopped:
        prove(BASE, store=tmp_path / "store")
    assert type(stopped.value) is KeyboardInterrupt
