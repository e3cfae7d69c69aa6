"""The table of results: its rows, and the command that shows, checks and goes on with them."""

import errno
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Never

import pytest
import typer
from command_line import Run, json_of
from rich.console import Console

import sleuth
from sleuth.cli import show
from sleuth.cli.app import app
from sleuth.exact.bracket import bracket
from sleuth.exact.certificate import Certificate
from sleuth.exact.objective import Objective
from sleuth.exact.proving import prove
from sleuth.games.choice import GameChoice
from sleuth.games.game import Game
from sleuth.ledger import running
from sleuth.ledger.record import Record, read, records, write
from sleuth.ledger.relations import implied
from sleuth.ledger.wording import markdown, mean, result, task
from sleuth.support.errors import Interrupted

ROWS = {row.name: row for row in records()}
SMALL = ("mastermind-2x3", "mastermind-3x3-worst", "bulls-and-cows-2")
"""Rows that are proved in a moment."""
TINY = Record("tiny", GameChoice("mastermind", pegs=2, colours=4))
WIDE = Record("wide", GameChoice("mastermind", pegs=3, colours=4))
"""One whose bounds do not meet."""
OVERVIEW = Path(__file__).parents[2] / "docs" / "records.md"


@pytest.fixture
def table(tmp_path: Path) -> Callable[..., Path]:
    def table(*rows: Record) -> Path:
        write(rows, tmp_path / "table.json")
        return tmp_path / "table.json"

    return table


class TestData:
    @pytest.mark.thorough
    def test_rows_are_of_the_lists_that_ship(self) -> None:
        build = cache(GameChoice.build)
        for name, row in ROWS.items():
            game = build(row.game)
            assert (row.digest, row.answers, row.guesses) == (
                game.digest,
                len(game.answers),
                len(game.guesses),
            ), name
            assert (row.game.mode, row.game.max_turns) == (game.mode, game.max_turns), name

    def test_rows_say_what_they_may(self) -> None:
        for name, row in ROWS.items():
            assert read(json.loads(json.dumps(row.to_json()))) == row, name
            parts = {"mean": 1, "worst": 2, "solved": 2}[row.objective]
            assert all(len(value) == parts for value in (row.at_least, row.at_most) if value is not None), (
                name
            )
            assert (row.at_least is None) or (row.at_most is None) or row.at_least <= row.at_most, name
            assert (row.opener is None) == (row.at_most is None), name
            if row.status == "open":
                assert (row.at_least, row.at_most, row.cpu_seconds, row.scale) == (None, None, None, 0), name
            else:
                assert row.version, name
                assert row.scale == row.answers or row.game.prior != "uniform", name
                assert (row.at_least == row.at_most) == (row.status == "proved"), name

    def test_commands_ask_for_their_rows(self) -> None:
        prove = typer.main.get_command(app).commands["prove"]  # type: ignore[attr-defined]
        for name, row in ROWS.items():
            program, command, *words = shlex.split(row.command)
            assert (program, command) == ("sleuth", "prove")
            given = prove.make_context("prove", words).params
            assert GameChoice(**{option: given[option] for option in vars(row.game)}) == row.game, name
            assert (given["objective"], given["opener"]) == (row.objective, row.asked), name

    def test_the_docs_show_the_table(self) -> None:
        text = OVERVIEW.read_text(encoding="utf-8")
        assert text.endswith(markdown(records()) + "\n"), (
            "sleuth records --markdown prints what stands at its end"
        )

    def test_it_agrees_with_the_openers_that_ship_proven(self, original: Game) -> None:
        from sleuth.coaching.proven import page_of

        page = page_of(original)
        assert ROWS["original"].at_most == (page.totals["salet"],)
        for row in ROWS.values():
            if row.asked in page.totals and row.game.words == "original" and row.status == "proved":
                assert row.at_most == (page.totals[row.asked],)

    def test_it_says_all_that_its_rows_say_of_each_other(self) -> None:
        rows = sleuth.records()
        for row in rows:
            known = implied(row, rows)
            assert (row.at_least, row.at_most) == (known.at_least, known.at_most), row.name

    def test_it_is_public(self) -> None:
        assert sleuth.records() == records()
        assert isinstance(sleuth.records()[0], sleuth.Record)


class TestRuns:
    @pytest.mark.parametrize("name", SMALL)
    def test_rows_come_out_again(self, name: str) -> None:
        assert running.differences(ROWS[name], running.again(ROWS[name])) == []

    @pytest.mark.parametrize("objective", ["mean", "worst", "solved"])
    def test_bounds_hold_the_optimum_between_them(self, objective: Any) -> None:
        for choice in (replace(WIDE.game, max_turns=3 if objective == "solved" else None), TINY.game):
            task = replace(TINY, game=choice, objective=objective)
            bounds, proof = running.bounded(task), running.settled(task)
            assert bounds.at_least <= proof.at_least == proof.at_most <= bounds.at_most
            assert (bounds.scale, bounds.digest) == (proof.scale, proof.digest)
            assert (bounds.status == "proved") == (bounds.at_least == bounds.at_most)

    def test_bounds_of_an_opener_and_of_turns_that_do_not_suffice(self) -> None:
        game = WIDE.game.build()
        best, worse = bracket(game), bracket(game, opener="111")
        assert worse.at_most > best.at_most
        assert worse.at_least > best.at_least
        with pytest.raises(sleuth.SleuthError, match="without a penalty"):
            bracket(game, Objective(penalty=11))
        two = replace(game, max_turns=2)
        for objective in (Objective(), Objective("worst")):
            found = bracket(two, objective)
            assert (found.at_least, found.at_most, found.opener, found.closed) == (None, None, None, True)
            proof = running.settled(replace(WIDE, game=replace(WIDE.game, max_turns=2)))
            assert (proof.status, proof.at_least, proof.at_most) == ("proved", None, None)
        assert result(proof) == "no strategy finds all in time"

    @pytest.mark.thorough
    def test_other_threads_and_another_hash_seed_change_nothing(self, table: Callable[..., Path]) -> None:
        found = []
        for threads in ("1", "3"):
            path = table(WIDE, replace(WIDE, name="worst", objective="worst"))
            command = [
                sys.executable,
                "-m",
                "sleuth",
                "records",
                "wide",
                "worst",
                "--bounds",
                "--table",
                str(path),
            ]
            env = {**os.environ, "SLEUTH_THREADS": threads, "PYTHONHASHSEED": threads}
            subprocess.run(command, env=env, check=True, capture_output=True)
            found.append([replace(row, cpu_seconds=None) for row in records(path)])
        assert found[0] == found[1]
        assert [row.status for row in found[0]] == ["bounds", "bounds"]


class TestCommand:
    def test_all_rows_and_some(self, run: Run) -> None:
        every = json_of(run("records", "--json"))["records"]
        assert [read(row) for row in every] == list(records())
        some = json_of(run("records", "original", "mastermind-2x3", "--json"))["records"]
        assert [row["name"] for row in some] == ["original", "mastermind-2x3"]
        _, out, _ = run("records", "mastermind-2x3")
        assert "mastermind-2x3: 21 (proved)" in out
        assert "sleuth prove --game mastermind --mode easy --max-turns 10 --pegs 2 --colours 3" in out

    @pytest.mark.parametrize("width", [40, 80])
    def test_it_fits_narrow_terminals(self, run: Run, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
        monkeypatch.setattr(show, "console", lambda **_: Console(width=width, highlight=False))
        code, out, _ = run("records")
        assert code == 0
        assert max(map(len, out.splitlines())) <= width
        assert "original-hard" in out.replace("\n", "") or width == 40

    def test_a_changed_result_is_told(self, run: Run, table: Callable[..., Path]) -> None:
        right = ROWS["mastermind-2x3"]
        wrong = replace(right, name="wrong", at_least=(22,), at_most=(22,))
        path = table(right, wrong)
        code, out, _ = run("records", "mastermind-2x3", "--check", "--table", path)
        assert (code, out) == (0, "mastermind-2x3: the same (proved, 21)\n")
        code, out, _ = run("records", "wrong", "mastermind-2x3", "--check", "--table", path)
        assert code == 1
        assert (
            "wrong: the lower bound: 22 in the table, 21 now; the upper bound: 22 in the table, 21 now\n"
            in out
        )
        code, out, _ = run("records", "wrong", "--check", "--table", path, "--json")
        found = json.loads(out)
        assert (code, found["same"], found["interrupted"]) == (1, {"wrong": False}, False)

    def test_other_lists_are_told(self, run: Run, table: Callable[..., Path]) -> None:
        path = table(replace(ROWS["mastermind-2x3"], digest="0" * 64))
        code, out, _ = run("records", "mastermind-2x3", "--check", "--table", path)
        assert code == 1
        assert "the digest of rules and lists: 000" in out

    @pytest.mark.parametrize(
        ("args", "says"),
        [
            (("nothing",), "unknown record 'nothing': there are "),
            (("original-hards",), "did you mean original-hard"),
            (("original", "--check", "--run"), "give --check or --run, not both"),
            (("--check",), "--check takes the names of rows"),
            (("--markdown", "--json"), "give --markdown or --json, not both"),
            (("original", "--store", "here.db"), "--store, --scheduler and --certificates go with --run"),
            (("original", "--run", "--certificates", __file__), "--certificates takes a folder, and "),
            (("original", "--table", "nowhere.json"), "nowhere.json cannot be read"),
            (("original", "nyt", "--run", "--store", "one.db"), "one.db is no folder"),
        ],
    )
    def test_what_is_wrong_is_said_in_a_line(self, run: Run, args: tuple[str, ...], says: str) -> None:
        code, out, err = run("records", *args)
        assert (code, out, err.count("\n")) == (2, "", 1), err
        assert says in err

    @pytest.mark.parametrize(
        ("content", "says"),
        [
            ("{", "is no JSON"),
            ("{}", "is no table of records: that is a list of objects"),
            ('[{"name": "a"}]', "row a needs game"),
            ('[{"name": "a", "game": {}, "mean": 3}]', "row a: unknown attribute 'mean'"),
            ('[{"name": "a", "game": {"answers": "x"}}]', "row a: its game is an object with some of game, "),
            ('[{"name": "a", "game": {"pegs": "x"}}]', "row a: pegs is 'x'; it takes a whole number or null"),
            ('[{"name": "a", "game": {}, "scale": "x"}]', "row a: scale is 'x'; it takes a whole number"),
            ('[{"name": 1, "game": {}}]', "row 1: name is 1; it takes text"),
            ('[{"name": "a", "game": {}, "status": "sure"}]', "row a: unknown status 'sure'"),
            ('[{"name": "a", "game": {}, "objective": "best"}]', "row a: unknown objective 'best'"),
            (
                '[{"name": "a", "game": {}, "at_most": 3}]',
                "a value is a list of whole numbers or null, not 3",
            ),
            ('[{"name": "a", "game": {}, "at_most": [3, 9]}]', "row a: a value of mean has 1 part"),
            ('[{"name": "a", "game": {}, "at_least": [4], "at_most": [3]}]', "bounds cross: [4] and [3]"),
            (
                '[{"name": "a", "game": {}, "status": "proved", "at_least": [3], "at_most": [4]}]',
                "row a: it is proved, and its bounds differ: [3] and [4]",
            ),
            ('[{"name": "../a", "game": {}}]', "row '../a': a name is of one line, without /"),
            ('[{"name": "a", "game": {}}, {"name": "a", "game": {}}]', "stands there once, but a twice"),
        ],
    )
    def test_a_table_of_ones_own_is_checked(self, run: Run, tmp_path: Path, content: str, says: str) -> None:
        path = tmp_path / "table.json"
        path.write_text(content, encoding="utf-8")
        code, _, err = run("records", "--table", path)
        assert (code, err.count("\n")) == (2, 1), err
        assert says in err

    def test_an_empty_table_has_no_row(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "table.json").write_text("[]", encoding="utf-8")
        asked = run("records", "mine", "--table", tmp_path / "table.json", "--check")
        assert asked == (2, "", "sleuth: unknown record 'mine': there are none\n")

    def test_what_is_open_is_bounded_then_proved(self, run: Run, table: Callable[..., Path]) -> None:
        path = table(WIDE, TINY)
        code, _, err = run("records", "wide", "--check", "--table", path)
        assert (code, "there is nothing to check" in err) == (2, True)
        _, out, _ = run("records", "wide", "--bounds", "--table", path)
        assert out == "wide: bounds, 206 to 208\n"
        assert mean(records(path)[0]) == "3.2188 to 3.2500"
        assert run("records", "wide", "--check", "--table", path)[0] == 0
        done = json_of(run("records", "wide", "tiny", "--run", "--table", path, "--json"))
        assert [row["at_most"] for row in done["records"]] == [[206], [45]]
        assert [row.status for row in records(path)] == ["proved", "proved"]
        _, out, err = run("records", "wide", "--run", "--table", path)
        assert (out, err) == ("", "wide: known already (proved, 206)\n")

    def test_certificates_are_written_and_hold(
        self, run: Run, table: Callable[..., Path], tmp_path: Path, one_process: None
    ) -> None:
        lost = replace(TINY, name="lost", objective="solved")
        path = table(TINY, WIDE, lost)
        assert run("records", "wide", "--run", "--table", path)[0] == 0
        asked = ("records", "tiny", "lost", "wide", "--run", "--table", path, "--certificates", tmp_path)
        code, out, err = run(*asked)
        assert (code, out) == (2, "tiny: proved, 45\nwide: proved, 206\n")
        assert err.startswith(
            "sleuth: lost: certificates are of the objectives mean and worst without a penalty"
        )
        for row in records(path)[:2]:
            file = tmp_path / f"{row.name}.cert"
            assert row.certificate == sha256(file.read_bytes()).hexdigest()
            assert json_of(run("verify", file, "--json"))["ok"]
        again = (*asked[:2], *asked[4:])
        assert run(*again)[2] == "tiny: known already (proved, 45)\n"
        (tmp_path / "tiny.cert").unlink()
        assert run(*again)[1] == "tiny: proved, 45\n"
        assert records(path)[0].certificate == sha256((tmp_path / "tiny.cert").read_bytes()).hexdigest()

    def test_a_row_that_is_written_nowhere_is_printed(
        self, run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("sleuth.ledger.record._shipped", lambda: (TINY,))
        _, out, _ = run("records", "tiny", "--run")
        said, row = out.splitlines()
        assert said == "tiny: proved, 45"
        assert read(json.loads(row)).at_most == (45,)

    def test_an_interrupt_loses_nothing(
        self, run: Run, table: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = table(TINY, WIDE)

        def stopped(game: Game, *given: Any, **named: Any) -> Any:
            proof = prove(game, *given, **named)
            if len(game.answers) == len(WIDE.game.build().answers):
                raise Interrupted(replace(proof, proved=False, interrupted=True))
            return proof

        monkeypatch.setattr(running, "prove", stopped)
        asked = ("records", "tiny", "wide", "--run", "--table", path, "--store", tmp_path)
        code, out, _ = run(*asked)
        assert code == 130
        assert out.splitlines() == [
            "tiny: proved, 45",
            "wide: not finished",
            f"what is known is kept in {tmp_path / 'wide.db'}: the same command goes on from it",
            "not finished: interrupted",
        ]
        code, out, _ = run(*asked, "--json")
        assert (code, json.loads(out)) == (130, {"records": [], "interrupted": True})
        monkeypatch.setattr(running, "prove", prove)
        (row,) = json_of(run(*asked, "--json"))["records"]
        assert (row["name"], row["at_most"], row["cpu_seconds"]) == ("wide", [206], None)

    def test_bounds_of_an_unfinished_proof_are_kept(
        self, run: Run, table: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = table(WIDE)
        known: dict[str, Any] = {}

        def stopped(*given: Any, **named: Any) -> Any:
            proof = prove(*given, **named)
            raise Interrupted(replace(proof, proved=False, interrupted=True, **known))

        def bounds() -> tuple[str, Any, Any, str | None]:
            assert run("records", "wide", "--run", "--table", path)[0] == 130
            (row,) = records(path)
            return row.status, row.at_least, row.at_most, row.opener

        monkeypatch.setattr(running, "prove", stopped)
        known.update(lower_bound=190, total=None, turns=0)  # before any opener
        assert bounds() == ("open", None, None, None)
        known.update(turns=10, opener="")
        assert bounds() == ("bounds", (190,), None, None)
        known.update(lower_bound=195, total=208, opener="123")
        assert bounds() == ("bounds", (195,), (208,), "123")
        known.update(lower_bound=180, total=207, opener="112")  # each bound is the better of both
        assert bounds() == ("bounds", (195,), (207,), "112")
        known.update(lower_bound=200, total=210, opener="111")
        assert bounds() == ("bounds", (200,), (207,), "112")
        code, _, err = run("records", "wide", "--check", "--table", path)
        assert code == 2
        assert "the bounds of wide are not of one run" in err
        known.update(lower_bound=207)  # proved, but for something: another run says it
        assert bounds() == ("bounds", (200,), (207,), "112")
        assert run("records", "wide", "--bounds", "--table", path)[0] == 0
        (row,) = records(path)  # the scan knows more, the beam less
        assert (row.at_least, row.at_most, row.cpu_seconds) == ((206,), (207,), None)
        monkeypatch.setattr(running, "prove", prove)
        assert run("records", "wide", "--run", "--table", path)[0] == 0
        assert records(path)[0].status == "proved"

    def test_a_check_that_is_interrupted_says_what_it_found(
        self, run: Run, table: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = table(ROWS["mastermind-2x3"], replace(ROWS["mastermind-2x3"], name="next", asked="11"))

        def stopped(*given: Any, opener: str | None, **named: Any) -> Any:
            if opener is not None:
                raise KeyboardInterrupt
            return prove(*given, opener=opener, **named)

        monkeypatch.setattr(running, "prove", stopped)
        code, out, _ = run("records", "mastermind-2x3", "next", "--check", "--table", path, "--json")
        found = json.loads(out)
        assert (code, found["same"], found["interrupted"]) == (130, {"mastermind-2x3": True}, True)

    def test_what_is_proved_but_for_the_fewest_turns_is_proved(
        self, run: Run, table: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def stopped(*given: Any, **named: Any) -> Any:
            raise Interrupted(replace(prove(*given, **named), tree=None, shallowest=False))

        path = table(WIDE)
        monkeypatch.setattr(running, "prove", stopped)
        code, out, _ = run("records", "wide", "--run", "--table", path)
        assert (code, out) == (130, "wide: proved, 206\nnot finished: interrupted\n")
        (row,) = records(path)
        assert (row.status, row.opener, row.worst) == ("proved", "112", None)
        monkeypatch.setattr(running, "prove", prove)
        assert run("records", "wide", "--check", "--table", path)[0] == 0

    def test_a_certificate_that_is_missing_is_said_and_made_up_for(
        self, run: Run, table: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def stopped(*given: Any, **named: Any) -> Any:
            raise KeyboardInterrupt

        path, folder = table(TINY), tmp_path / "of" / "certificates"
        asked = ("records", "tiny", "--run", "--table", path, "--certificates", folder)
        monkeypatch.setattr(running, "certify", stopped)
        code, out, err = run(*asked)
        assert (code, out) == (130, "tiny: proved, 45\nnot finished: interrupted\n")
        assert "the certificate of tiny was not written: the same command writes it" in err
        monkeypatch.undo()
        assert run(*asked)[0] == 0
        assert records(str(path))[0].certificate == sha256((folder / "tiny.cert").read_bytes()).hexdigest()

    def test_a_row_of_other_lists_is_not_gone_on_with(self, run: Run, table: Callable[..., Path]) -> None:
        found = running.bounded(WIDE)
        path = table(replace(found, digest="0" * 64, cpu_seconds=None))
        for option in ("--bounds", "--run"):
            code, out, err = run("records", "wide", option, "--table", path)
            assert (code, out) == (2, "")
            assert "knows bounds of other rules or lists" in err
        assert records(path)[0].digest == "0" * 64

    def test_false_bounds_are_not_written(self, run: Run, table: Callable[..., Path]) -> None:
        found = running.bounded(WIDE)
        path = table(replace(found, at_least=(250,), at_most=None, opener=None, cpu_seconds=None))
        code, out, err = run("records", "wide", "--bounds", "--table", path)
        assert (code, out, "knows what is false" in err) == (2, "", True), err
        assert records(path)[0].at_least == (250,)

    def test_bounds_that_meet_do_not_say_the_fewest_turns(self) -> None:
        row = Record("w", GameChoice(words="original:74", max_turns=6))
        bounds, proof = running.bounded(row), running.settled(row)
        assert (bounds.status, bounds.at_most, bounds.worst) == ("proved", proof.at_most, None)
        assert proof.worst == 3
        assert running.checked(bounds) == []

    def test_the_opener_is_checked(self) -> None:
        row = running.settled(WIDE)
        assert running.checked(row) == running.checked(replace(row, opener="334")) == []
        assert running.checked(replace(row, opener="111")) == [
            "the opener: 111 in the table, which takes 233"
        ]
        assert running.checked(replace(row, opener="zzz")) == [
            "the opener: zzz in the table, which is no guess"
        ]

    def test_what_cannot_be_written_is_shown(
        self, run: Run, table: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(*given: Any) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        path = table(TINY, WIDE)
        asked = ("records", "tiny", "wide", "--run", "--table", path)
        with monkeypatch.context() as within:
            within.setattr(Certificate, "write", full)
            code, out, err = run(*asked, "--certificates", tmp_path / "of")
            assert (code, out) == (2, "tiny: proved, 45\nwide: proved, 206\n")
            assert "tiny.cert cannot be written (No space left on device)" in err
            assert [(row.status, row.certificate) for row in records(path)] == [("proved", "")] * 2
        path = table(TINY, WIDE)
        monkeypatch.setattr("sleuth.ledger.record.write", full)
        code, out, err = run(*asked)
        assert (code, out) == (2, "tiny: proved, 45\nwide: proved, 206\n")
        assert "wide is not in it" in err

    def test_rows_of_another_run_stay(self, run: Run, table: Callable[..., Path]) -> None:
        path, other = table(TINY, WIDE), running.settled(WIDE)
        settled = running.settled

        def meanwhile(record: Record, **given: Any) -> Record:
            table(TINY, other)
            return settled(record, **given)

        with pytest.MonkeyPatch.context() as within:
            within.setattr(running, "settled", meanwhile)
            assert run("records", "tiny", "--run", "--table", path)[0] == 0
        assert [row.status for row in records(path)] == ["proved", "proved"]

    def test_a_new_table_begins_with_the_rows_that_ship(self, run: Run, tmp_path: Path) -> None:
        new, printed = tmp_path / "new.json", tmp_path / "printed.json"
        code, _, err = run(
            "records", "original-guesses-worst", "--run", "--table", tmp_path / "no" / "a.json"
        )
        assert (code, "there is no folder" in err) == (2, True)
        assert run("records", "mastermind-5x5", "--run", "--table", new)[:2] == (0, "")
        assert not new.exists()  # nothing was to be done
        printed.write_text(run("records", "--json")[1], encoding="utf-8")
        assert records(printed) == records()

    def test_turns_that_are_not_said_are_those_of_the_game(self) -> None:
        assert task(TINY) == "least total in time"
        assert task(replace(TINY, game=GameChoice(max_turns=1))) == "least total within 1 turn"

    @pytest.mark.thorough
    def test_a_cluster_settles_a_row(self, run: Run, table: Callable[..., Path]) -> None:
        path = table(WIDE)
        assert run("records", "wide", "--run", "--table", path, "--scheduler", "local")[0] == 0
        (row,) = records(path)
        assert (row.status, row.at_most, row.cpu_seconds) == ("proved", (206,), None)


def never(*_: object, **__: object) -> Never:
    raise AssertionError


def test_to_list_rows_runs_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "prove", never)
    monkeypatch.setattr(running, "bracket", never)
    assert run("records")[0] == 0
