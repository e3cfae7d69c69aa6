"""What is known of every opener: bounds and exact totals against proofs, files, the command."""

import errno
import gzip
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command_line import Run, json_of
from hypothesis import assume, given
from hypothesis import strategies as st
from random_games import small_games

import sleuth
from sleuth.coaching.proven import page_of
from sleuth.exact.proof import Proof
from sleuth.ledger import openers as ledger
from sleuth.ledger.openers import Opener, bounded, check_against, read, with_best, write
from sleuth.ledger.record import Record
from sleuth.support.errors import SleuthError

SMALL = "mastermind-2x3"
LARGER = "mastermind-3x6"


def all_bounds(game: sleuth.Game) -> list[Opener]:
    return [row for some in bounded(game) for row in some]


def exactly(game: sleuth.Game, opener: str) -> Proof | None:
    """Return the proof of an opener, None where it tells nothing, and no proof is of it."""
    try:
        return sleuth.prove(game, opener=opener, with_tree=False)
    except SleuthError:
        return None


@given(small_games(), st.integers(1, 6))
def test_bounds_hold_what_proofs_say(game: sleuth.Game, best: int) -> None:
    rows = all_bounds(game)
    assert sorted(row.opener for row in rows) == sorted(game.guesses)
    proofs = {name: proof for name in game.guesses if (proof := exactly(game, name)) is not None}
    assume(proofs)
    known = with_best(game, rows, best)
    assert sorted(row.opener for row in known) == sorted(game.guesses)
    assert list(known) == sorted(known, key=lambda row: row.order)
    for row in (row for row in (*rows, *known) if row.opener in proofs):
        total = proofs[row.opener].total
        if total is None:
            assert row.at_most is None
        else:
            assert row.at_least is not None
            assert row.at_least <= total <= (total if row.at_most is None else row.at_most)
    found = sorted(proof.total for proof in proofs.values() if proof.total is not None)
    exact = sorted(row.at_most for row in known if row.proved and row.at_most is not None)
    assert exact[:best] == found[:best]


def test_openers_alike_are_counted_once_and_told_all() -> None:
    game = sleuth.mastermind(3, 4)
    rows = {row.opener: row for row in with_best(game, all_bounds(game), 2)}
    assert {rows[one].at_most for one in ("112", "344", "121")} == {206}
    assert {(rows[one].at_least, rows[one].at_most) for one in ("123", "431")} == {(208, 208)}
    proof = exactly(game, "111")
    assert proof is not None
    assert 208 <= (rows["333"].at_least or 0) <= (proof.total or 0)


def test_what_is_known_is_not_bounded_again() -> None:
    game = sleuth.mastermind(2, 3)
    rows = all_bounds(game)
    assert [row for some in bounded(game, rows[:3]) for row in some] == [
        row for row in rows if row.opener not in {one.opener for one in rows[:3]}
    ]
    assert not list(bounded(game, rows))


def row_of(name: str) -> Record:
    return next(row for row in sleuth.records() if row.name == name)


def test_a_file_gives_back_what_was_written(tmp_path: Path) -> None:
    rows = [Opener("salet", 7920, 7920), Opener("fuzzy", 9000, None), Opener("ninja", None, None)]
    original = row_of("original")
    write(reversed(rows), tmp_path / "a.csv.gz", original)
    write(rows, tmp_path / "b.csv.gz", original)
    assert (tmp_path / "a.csv.gz").read_bytes() == (tmp_path / "b.csv.gz").read_bytes()
    assert read(tmp_path / "a.csv.gz", original) == tuple(rows)
    assert [row.proved for row in rows] == [True, False, True]
    write(rows, tmp_path / "c.csv", original)
    assert "\nsalet,7920,7920\n" in (tmp_path / "c.csv").read_text()
    assert read(tmp_path / "c.csv", original) == tuple(rows)


HEAD = ledger._task(row_of(SMALL)).encode() + b"\nopener,at_least,at_most\n"
BROKEN = {
    "empty": b"",
    "not compressed, too few fields": HEAD + b"a,1\n",
    "other columns": gzip.compress(b"word,total\nsalet,3\n"),
    "no game": gzip.compress(b"opener,at_least,at_most\n11,25,25\n"),
    "other encoding": gzip.compress(b"\xff\xfe"),
    "too few fields": gzip.compress(HEAD + b"a,1\n"),
    "no number": gzip.compress(HEAD + b"a,x,2\n"),
    "too many fields": gzip.compress(HEAD + b"a,1,2,3\n"),
    "cut off": gzip.compress(HEAD + b"salet,7920,7920\n")[:-9],
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_other_files_are_refused_in_a_line(run: Run, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "table.csv.gz"
    path.write_bytes(content)
    code, out, err = run("openers", SMALL, "--table", path)
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert "is no table of openers" in err


def test_tables_from_elsewhere_are_read_and_checked(run: Run, tmp_path: Path) -> None:
    table, ends = tmp_path / "table.csv", ledger._task(row_of(SMALL)) + "\r\nopener,at_least,at_most\r\n"
    table.write_bytes(f"{ends}12,21,21\r\n".encode())
    assert run("openers", SMALL, "--table", table)[0] == 0
    for line, says in (
        ("99,1,2", "the table has 99, which is no guess"),
        ("12,-1,21", "bounds of 12 below 0"),
        ("12,3,2", "the bounds of 12 cross"),
    ):
        table.write_bytes(f"{ends}{line}\r\n".encode())
        code, out, err = run("openers", SMALL, "--table", table)
        assert (code, out, says in err) == (2, "", True), err


def test_what_cannot_be_written_is_shown(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*given: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(ledger, "write", full)
    for asked in (("--best", 9), ("--bounds",)):
        code, out, err = run("openers", SMALL, *asked, "--table", tmp_path / "a.csv")
        assert (code, "9 openers of mastermind-2x3" in out) == (2, True)
        assert "cannot be written (No space left on device)" in err


def test_what_is_found_is_kept_though_a_word_is_none_of_the_openers(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "a.csv"
    code, _, err = run("openers", SMALL, "zz", "--bounds", "--table", table)
    assert (code, "zz is none of the 9 openers" in err) == (2, True)
    assert len(read(table, row_of(SMALL))) == 9


def test_tables_of_another_game_are_refused(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "table.csv.gz"
    write([Opener("112", 206, 206)], table, row_of("mastermind-3x4"))
    before = table.read_bytes()
    for options in ([], ["--bounds"], ["--best", 3]):
        for other in ("mastermind-3x5", "mastermind-3x4-no-repeats", "original"):
            code, out, err = run("openers", other, *options, "--table", table)
            assert (code, out, err.count("\n")) == (2, "", 1)
            assert f"is of another game than {other}: of easy mode, prior uniform, 10 turns" in err
    assert table.read_bytes() == before
    with pytest.raises(SleuthError, match="the table has salet, which is no guess of"):
        check_against([Opener("salet", 1, 2)], sleuth.mastermind(2, 3))


@pytest.mark.parametrize(
    ("rows", "message"),
    [("11,30,20\n", "the bounds of 11 cross: 30 and 20"), ("11,1,2\n11,1,2\n", "11 twice")],
)
def test_bounds_that_cannot_be_are_refused(run: Run, tmp_path: Path, rows: str, message: str) -> None:
    table = tmp_path / "table.csv.gz"
    table.write_bytes(gzip.compress(HEAD + rows.encode()))
    code, _, err = run("openers", SMALL, "--table", table)
    assert code == 2
    assert message in err


@pytest.mark.parametrize("name", ledger.shipped())
def test_shipped_tables_are_of_their_rows(name: str) -> None:
    record = row_of(name)
    game, rows = ledger.check_asked(record), sleuth.openers(name)
    check_against(rows, game)
    assert len({row.opener for row in rows}) == len(rows) == len(game.guesses)
    assert list(rows) == sorted(rows, key=lambda row: row.order)
    best = rows[:100]
    assert all(row.proved for row in best)
    assert record.at_most == (best[0].at_most,)
    last = best[-1].at_most or 0
    assert all(row.at_least is None or row.at_least >= last for row in rows[100:])
    known = {row.opener: row for row in rows}
    for opener, total in page_of(game).totals.items():  # what the page and advice take as proven
        assert (known[opener].at_least or 0) <= total <= (known[opener].at_most or 0)


def test_the_command_bounds_proves_and_shows(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "mine.csv.gz"
    found = json_of(run("openers", SMALL, "--bounds", "--table", table, "--json"))
    assert (found["record"], found["of"]) == (SMALL, 9)
    assert len(found["openers"]) == 9
    code, out, _ = run("openers", SMALL, "--best", 9, "--table", table, "--shown", 1)
    assert code == 0
    assert "9 openers of mastermind-2x3, 9 exactly" in out
    assert [row.proved for row in read(table, row_of(SMALL))] == [True] * 9
    code, out, _ = run("openers", SMALL, "33", "12", "--table", table)
    assert code == 0
    assert out.index("33") < out.index("12")
    assert run("openers", "original", "CRANE")[1] == run("openers", "original", "crane")[1] != ""
    code, out, _ = run("openers", SMALL, "--table", table, "--format", "csv")
    assert code == 0
    assert out.splitlines()[0] == "opener,at_least,at_most,proved"
    assert len(out.splitlines()) == 10


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("nothing",), "unknown record 'nothing': there are "),
        (
            (SMALL,),
            f"no openers of {SMALL} ship; there are those of nyt, nyt-2022-03, nyt-2022-08, nyt-answers-only",
        ),
        ((SMALL, "--bounds"), "--bounds needs --table, the file that it writes"),
        ((SMALL, "--bounds", "--best", 3, "--table", "x.csv.gz"), "give --bounds or --best, not both"),
        ((SMALL, "--bounds", "--table", "x.json"), "x.json: a table of openers ends in .csv or .csv.gz"),
        ((SMALL, "--store", "x.db"), "--store goes with --best"),
        (
            ("original", "salet", "qqqqq"),
            "qqqqq is none of the 12972 openers of original in the table",
        ),
        ((SMALL, "--table", "nowhere.csv.gz"), "nowhere.csv.gz cannot be read"),
        ((SMALL, "--bounds", "--table", "no/where.csv.gz"), "no/where.csv.gz cannot be written"),
        (
            ("original-worst", "--bounds", "--table", "x.csv.gz"),
            "openers are of rows that ask",
        ),
    ],
)
def test_what_is_wrong_is_said_in_a_line(run: Run, args: tuple[object, ...], says: str) -> None:
    code, out, err = run("openers", *args)
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert says in err


def test_the_run_that_makes_a_table_shows_the_best_as_later_ones_do(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "x.csv"
    made = run("openers", LARGER, "--bounds", "--table", table, "--shown", "3")
    assert made == run("openers", LARGER, "--table", table, "--shown", "3")


def test_an_interrupt_keeps_what_is_bounded(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*args: Any) -> Iterator[list[Opener]]:
        yield next(iter(bounded(*args)))
        raise KeyboardInterrupt

    table = tmp_path / "all.csv"
    asked = ("openers", SMALL, "--bounds", "--table", table)
    monkeypatch.setattr(ledger, "BATCH", 1)
    with monkeypatch.context() as patch:
        patch.setattr(ledger, "bounded", stopped)
        code, out, err = run(*asked)
    assert (code, out.endswith("not finished: interrupted\n")) == (130, True)
    assert f"what is known is kept in {table}: the same command goes on from it" in err
    assert 0 < len(read(table, row_of(SMALL))) < 9
    assert run(*asked)[0] == 0
    assert len(read(table, row_of(SMALL))) == 9


@pytest.mark.thorough
def test_ctrl_c_keeps_what_is_bounded_and_goes_on(tmp_path: Path) -> None:
    table = tmp_path / "all.csv.gz"
    script = (
        "import sys; from sleuth.ledger import openers; openers.BATCH = 2;"
        " import sleuth.cli.opening as opening; opening._EVERY = 0.0;"
        f" sys.argv = ['sleuth', 'openers', 'original-answers-only', '--bounds', '--table', {str(table)!r}];"
        " from sleuth.cli import run; run()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        while not table.exists():
            assert process.poll() is None, process.communicate()
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGINT)
        out, err = process.communicate()
    assert process.returncode == 130, err
    assert out.endswith("not finished: interrupted\n")
    assert "Traceback" not in err
    kept = read(table, row_of("original-answers-only"))
    assert 2 <= len(kept) < 2315
    assert f"{len(kept)} openers of original-answers-only" in out
    assert f"what is known is kept in {table}: the same command goes on from it" in err
