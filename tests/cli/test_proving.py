"""sleuth prove and sleuth verify as a person meets them."""

import errno
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Never

import pytest
from command_line import Run, json_of

from sleuth.exact.store import Store, read_store, row_digest, run_digest

KEYS = (
    "opener total mean worst lower_bound proved openers refuted nodes seconds cpu_seconds scale top objective"
)
SOME = ["crane", "trace", "react", "caret", "slate", "stale", "least", "steal", "tesla", "clear", "learn"]


@pytest.fixture
def words(tmp_path: Path) -> Path:
    path = tmp_path / "answers.txt"
    path.write_text("\n".join(SOME), encoding="utf-8")
    return path


def test_json(run: Run, words: Path) -> None:
    found = json_of(run("prove", "--answers", words, "--json"))
    assert set(KEYS.split()) <= set(found)
    assert found["proved"] is True
    assert found["total"] == found["lower_bound"]
    assert found["openers"] == found["refuted"] + len(found["top"])


def test_words_for_people(run: Run, words: Path) -> None:
    code, out, _ = run("prove", "--answers", words)
    assert code == 0
    assert "proved: no strategy takes fewer" in out
    assert "worst case" in out


def test_an_opener_a_position_and_the_best_few(run: Run, words: Path) -> None:
    best = json_of(run("prove", "--answers", words, "--json"))
    worse = json_of(run("prove", "--answers", words, "--opener", "learn", "--json"))
    assert worse["total"] > best["total"]
    few = json_of(run("prove", "--answers", words, "--top", "4", "--json"))["top"]
    assert len(few) >= 4
    assert [one["total"] for one in few] == sorted(one["total"] for one in few)
    after = json_of(run("prove", "--answers", words, "--after", "crane:yygby", "--json"))
    assert (after["turn"], after["candidates"]) == (2, 1)
    assert (after["opener"], after["total"]) == ("react", 1)


def test_no_strategy_in_time(run: Run, words: Path) -> None:
    found = json_of(run("prove", "--answers", words, "--max-turns", "1", "--json"))
    assert (found["total"], found["opener"], found["proved"]) == (None, None, True)
    _, out, _ = run("prove", "--answers", words, "--max-turns", "1")
    assert "no strategy finds every answer within 1 turn" in out


def test_objectives(run: Run, words: Path) -> None:
    worst = json_of(run("prove", "--answers", words, "--objective", "worst", "--json"))
    mean = json_of(run("prove", "--answers", words, "--json"))
    assert worst["worst"] <= mean["worst"]
    assert worst["total"] >= mean["total"]
    solved = json_of(run("prove", "--answers", words, "--objective", "solved", "--max-turns", 1, "--json"))
    assert solved["failures"] == len(SOME) - 1
    failing = json_of(run("prove", "--answers", words, "--max-turns", 1, "--penalty", 2, "--json"))
    assert failing["total"] == 1 + 2 * (len(SOME) - 1)


def test_the_tree_is_one_that_check_tree_accepts(run: Run, words: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree.json"
    found = json_of(run("prove", "--answers", words, "--tree", tree, "--json"))
    checked = json_of(run("check-tree", tree, "--answers", words, "--json"))
    assert checked["total"] == found["total"]


def test_a_store_is_verified_and_a_false_bound_found(run: Run, words: Path, tmp_path: Path) -> None:
    store = tmp_path / "run.db"
    found = json_of(run("prove", "--answers", words, "--store", store, "--json"))
    again = json_of(run("prove", "--answers", words, "--store", store, "--json"))
    assert again["total"] == found["total"]
    code, out, _ = run("verify", store, "--all")
    assert code == 0
    assert "bounds derived again, 0 wrong; the tree holds" in out
    assert "probability" not in out
    few = json_of(run("verify", store, "--sample", 1, "--json"))
    assert 0 < few["odds_one_wrong"] == few["checked"] / few["bounds"]
    with sqlite3.connect(store) as connection:
        connection.execute("UPDATE openers SET lower = lower + 1")
    code, out, err = run("verify", store)
    assert code == 2
    assert out == ""
    assert "does not fit its digest" in err
    assert err.count("\n") == 1, err


def test_false_bounds_with_digests_are_found(run: Run, words: Path, tmp_path: Path) -> None:
    store = tmp_path / "run.db"
    json_of(run("prove", "--answers", words, "--store", store, "--json"))
    about = read_store(store)
    with sqlite3.connect(store) as connection:
        connection.execute("UPDATE openers SET lower = lower + 1")
        connection.create_function("digest", -1, row_digest)
        sealed = "UPDATE openers SET digest = digest(?, turns, guess, lower, exact, depth)"
        connection.execute(sealed, (run_digest(about.about),))
    code, out, err = run("verify", store)
    assert code == 1, err
    assert "wrong: " in out


def test_verify_says_its_odds(run: Run, words: Path, tmp_path: Path) -> None:
    store = tmp_path / "run.db"
    json_of(run("prove", "--answers", words, "--store", store, "--json"))
    out = run("verify", store, "--sample", 1)[1]
    assert " of 1" in out.split("bounds derived again")[0]
    assert "a single wrong bound would be found with probability" in out


@pytest.mark.parametrize("json_too", [True, False])
def test_what_was_found_is_shown_when_the_tree_cannot_be_written(
    run: Run, words: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, json_too: bool
) -> None:
    def full(path: Path, content: bytes) -> Never:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("sleuth.support.files._write", full)
    args = ["prove", "--answers", words, "--tree", tmp_path / "tree.json"]
    code, out, err = run(*args, *(["--json"] if json_too else []))
    assert code == 2
    assert json.loads(out)["proved"] if json_too else "proved: no strategy takes fewer" in out
    assert "tree.json cannot be written (No space left on device)" in err
    assert err.count("\n") == 1, err
    assert "tree written" not in out


@pytest.mark.parametrize("json_too", [True, False])
def test_files_of_a_proof_that_is_not_finished_are_missed(
    run: Run, words: Path, tmp_path: Path, json_too: bool
) -> None:
    tree, certificate = tmp_path / "tree.json", tmp_path / "proof.cert"
    asked = ("prove", "--answers", words, "--tree", tree, "--certificate", certificate)
    code, _, err = run(*asked, "--seconds", 0, *["--json"] * json_too)
    assert code == 2
    assert "no tree: the proof is not finished; no certificate: the proof is not finished" in err
    assert not tree.exists()
    assert not certificate.exists()


def test_an_opener_that_is_left_by_symmetry_was_not_asked_for(run: Run) -> None:
    game = ("prove", "--game", "bulls-and-cows", "--pegs", 2)
    assert "proved: no strategy takes fewer\n" in run(*game)[1]
    assert "proved: no strategy that begins so takes fewer\n" in run(*game, "--opener", "23")[1]


@pytest.mark.parametrize("json_too", [True, False])
def test_what_was_found_is_shown_when_the_store_is_locked(
    run: Run, words: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, json_too: bool
) -> None:
    from sleuth.exact import store as store_module

    store = tmp_path / "run.db"
    run("prove", "--answers", words, "--store", store, "--seconds", 0)
    monkeypatch.setattr(store_module, "PATIENCE", 0.2)
    first = store_module.Store.load
    with sqlite3.connect(store) as other:

        def lock(self: Store, turns: int) -> dict[str, tuple[int, bool, int]]:
            found = first(self, turns)
            if not other.in_transaction:
                other.execute("BEGIN IMMEDIATE")
            return found

        monkeypatch.setattr(store_module.Store, "load", lock)
        args = ["prove", "--answers", words, "--store", store]
        code, out, err = run(*args, *(["--json"] if json_too else []))
    assert code == 2
    assert json.loads(out)["proved"] if json_too else "proved: no strategy takes fewer" in out
    assert "run.db is locked by another program" in err
    assert err.count("\n") == 1, err


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--objective", "median"], "unknown objective 'median'"),
        (["--penalty", "6"], "a failure counts as at least 7 guesses"),
        (["--penalty", "9", "--objective", "worst"], "a penalty goes with the objective mean"),
        (["--opener", "zzzzz"], "zzzzz is not in the word list"),
        (["--memory", "much"], "--memory is 'much'"),
        (["--after", "crane:ggggg", "--after", "trace:bbbbb"], "row 1 is right"),
        (["--tree", "tree.pdf"], "tree.pdf"),
        (["--store", "no/such/folder/run.db"], "no/such/folder/run.db"),
        (["--scheduler", "nowhere:"], "scheduler"),
    ],
)
def test_mistakes_get_one_line(run: Run, words: Path, args: list[str], message: str) -> None:
    code, out, err = run("prove", "--answers", words, *args)
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1, err
    assert message in err


def test_the_store_of_another_run_is_refused(run: Run, words: Path, tmp_path: Path) -> None:
    store = tmp_path / "run.db"
    json_of(run("prove", "--answers", words, "--store", store, "--json"))
    code, _, err = run("prove", "--answers", words, "--store", store, "--mode", "strict")
    assert code == 2
    assert "its mode is easy, this one's is strict" in err
    code, _, err = run("verify", tmp_path / "none.db")
    assert (code, "none.db cannot be read (No such file or directory)" in err) == (2, True)


@pytest.mark.thorough
def test_ctrl_c_returns_soon_with_what_is_known(tmp_path: Path) -> None:
    args = [sys.executable, "-m", "sleuth", "prove", "--json", "--store", str(tmp_path / "run.db")]
    process = subprocess.Popen(
        args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ
    )
    # The store fills once the kernels are there and openers are being bounded.
    store = tmp_path / "run.db"
    until = time.monotonic() + 240
    while time.monotonic() < until:
        time.sleep(0.5)
        if store.exists():
            with sqlite3.connect(store) as connection:
                made = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
                if made and connection.execute("SELECT count(*) FROM openers").fetchone()[0] > 100:
                    break
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 130
    assert "Traceback" not in err
    found = json.loads(out)
    assert found["proved"] is False
    assert found["lower_bound"] <= 7920 <= (found["total"] or 7920)
