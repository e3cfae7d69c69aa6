"""Puzzles, hosts, the state of a game, share grids, statistics, and which row is to blame."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from random_games import crowded_games, games, histories, peg_games, word_games

import sleuth
from sleuth.coaching.playing.blame import blame
from sleuth.coaching.playing.hints import candidates_left, hint
from sleuth.coaching.playing.hosts import FixedHost
from sleuth.coaching.playing.legality import objection
from sleuth.coaching.playing.puzzles import Puzzle, answers_of, number_of, today
from sleuth.coaching.playing.session import Session, replay
from sleuth.coaching.playing.share import share
from sleuth.coaching.playing.statistics import Record, append, default_path, read, statistics_of
from sleuth.games.feedback import MarkNotation
from sleuth.games.game import Game, Mode
from sleuth.games.position import Position
from sleuth.games.rules import PegRules
from sleuth.support.errors import SleuthError, UnknownGuessError
from sleuth.variants.adversary.host import play as against_absurdle

RECORD = Record("2026-01-02T03:04:05+00:00", "original", "easy", "standard", 1, 7, 4, 6, True)


# Puzzles


def test_days_are_numbered_from_the_first_puzzle() -> None:
    assert (number_of(date(2025, 1, 1)), number_of(date(2026, 1, 1))) == (0, 365)
    assert today() == (date.today() - date(2025, 1, 1)).days
    with pytest.raises(SleuthError, match="no puzzle of 2024-12-31"):
        number_of(date(2024, 12, 31))


def test_answers_are_pinned(original: Game) -> None:
    """What a number stands for may never change: links and share grids rely on it."""
    numbers = (0, 1, 2314, 2315, 10**6)
    found = [answers_of(original.answers, n)[0] for n in numbers]
    assert found == ["gusto", "audit", "until", "fetch", "speed"]
    assert answers_of(original.answers, 5, 4) == ("drink", "tonic", "month", "royal")


@given(st.integers(1, 40), st.integers(1, 32), st.integers(0, 5))
def test_every_shuffle_deals_each_word_at_most_once(words: int, boards: int, shuffle: int) -> None:
    listed = tuple(f"{i:02}" for i in range(words))
    deals = max(1, words // boards)
    dealt = [w for n in range(deals) for w in answers_of(listed, shuffle * deals + n, boards)]
    assert answers_of(listed[::-1], shuffle, boards) == answers_of(listed, shuffle, boards)
    if boards <= words:
        assert len(set(dealt)) == len(dealt) == deals * boards
    if boards == 1:
        assert sorted(dealt) == list(listed)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"number": 1, "variant": "absurdel"}, "did you mean absurdle"),
        ({"number": -1}, "numbered from 0, not -1"),
        ({"number": 1, "boards": 0}, "1 to 32 boards"),
        ({"number": 1, "boards": 33}, "1 to 32 boards"),
        ({"variant": "absurdle", "boards": 2}, "one board"),
        ({"variant": "absurdle", "given": ("crane",)}, "chooses no answer"),
        ({}, "needs a number, or its answers"),
        ({"given": ("crane", "slate")}, "2 for 1 were given"),
        ({"given": ("zzzzz",)}, "zzzzz is not in the word list"),
        ({"number": 1, "mode": "hard", "boards": 2}, "several boards are played in easy mode"),
        ({"number": 1, "mode": "hard", "variant": "fibble"}, "played in easy mode, not hard"),
        ({"number": 1, "variant": "fibble", "game": sleuth.mastermind(2, 3)}, "Fibble needs feedback"),
    ],
)
def test_impossible_puzzles_are_refused(original: Game, given: dict[str, Any], said: str) -> None:
    game = given.pop("game", original).with_mode(given.pop("mode", "easy"))
    with pytest.raises(SleuthError, match=said):
        Puzzle(game, **given)


# Hosts


@given(st.data())
def test_the_fixed_host_tells_the_truth(data: st.DataObject) -> None:
    game = data.draw(games())
    answer = data.draw(st.integers(0, len(game.answers) - 1))
    host = FixedHost(game, game.answers[answer])
    assert [host.reply((), g) for g in range(len(game.guesses))] == game.feedback[:, answer].tolist()


def test_absurdle_replies_as_its_host_does(original: Game) -> None:
    words = ["salet", "courd", "pinky"]
    session = replay(Puzzle(original, variant="absurdle"), words)
    line, left = against_absurdle(Position.start(original), words)
    assert list(session.rows()) == line
    assert session.answers[0] in left.words


def test_fibble_lies_once_a_row_and_the_same_again(original: Game) -> None:
    notation = original.rules.notation
    assert isinstance(notation, MarkNotation)
    puzzle = Puzzle(original, 3, 2, "fibble")
    words = ["salet", "salet", "courd", puzzle.hosts[0].answer(()), "salet"]
    session = replay(puzzle, words)
    for board, answer in enumerate(session.answers):
        for guess, code in session.board(board):
            true = original.rules.code(original.guesses[guess], answer)
            lies = sum(a != b for a, b in zip(notation.marks(true), notation.marks(code), strict=True))
            assert lies == (0 if true == original.solved else 1)
    assert session.solved == (True, False)
    assert session.codes == replay(Puzzle(original, 3, 2, "fibble"), words).codes
    assert session.codes[0] != session.codes[1]  # lies are drawn anew for every row
    assert session.keyboard(0) == {}


# The state of a game


def test_a_game_won(original: Game) -> None:
    session = replay(Puzzle(original, given=("paste",)), ["salet", "court"])
    assert session.rows() == (("salet", "YGBYY"), ("court", "BBBBY"))
    assert session.keyboard() == {**dict.fromkeys("set", 1), "a": 2, **dict.fromkeys("lcour", 0)}
    assert (session.turn, session.over) == (3, False)
    session = session.play(" PASTE ")
    assert (session.won, session.over, session.answers) == (True, True, ("paste",))
    with pytest.raises(SleuthError, match="over after 3 guesses"):
        session.play("salet")


def test_a_game_lost_or_given_up(original: Game) -> None:
    session = replay(Puzzle(original, given=("paste",)), ["salet"] * 6)
    assert (session.won, session.over) == (False, True)
    given_up = Session(Puzzle(original, 1)).give_up()
    assert (given_up.won, given_up.over) == (False, True)


def test_boards_go_on_until_each_is_solved(original: Game) -> None:
    puzzle = Puzzle(original, given=("paste", "crane"), boards=2)
    assert puzzle.max_turns == 7
    session = replay(puzzle, ["salet", "paste", "trace"])
    assert [row[0] is None for row in session.codes] == [False, False, True]
    assert (session.solved, len(session.rows(0)), len(session.rows(1))) == ((True, False), 2, 3)
    assert session.play("crane").won


def test_a_wrong_word_costs_nothing(original: Game) -> None:
    session = Session(Puzzle(original, 1))
    with pytest.raises(UnknownGuessError, match="did you mean"):
        session.play("crann")
    assert session.guesses == ()


@given(st.data())
def test_objections_are_those_of_the_kernels(data: st.DataObject) -> None:
    game = data.draw(word_games(("hard", "strict")) | peg_games(("strict",)))
    rows = data.draw(histories(game))
    if rows and rows[-1][1] == game.solved:
        rows = rows[:-1]
    position = Position.start(game)
    for guess, code in rows:
        position = position.after(guess, code)
    shown = [(game.guesses[g], code) for g, code in rows]
    legal = set(position.legal.tolist())
    for g, word in enumerate(game.guesses):
        assert (objection(game, shown, word) is None) == (g in legal)


@pytest.mark.parametrize(
    ("mode", "answer", "rows", "guess", "said"),
    [
        ("hard", "paste", ["salet"], "crony", "row 1, salet, has A green in place 2, where it must stay"),
        (
            "hard",
            "paste",
            ["salet"],
            "carat",
            "row 1, salet, shows that S is in the word, so it must be used",
        ),
        ("hard", "eerie", ["creep"], "trend", "shows that E is in the word twice, so it must be used twice"),
        ("strict", "paste", ["salet"], "crane", "row 1, salet, would have got BYBYB, not YGBYY"),
    ],
)
def test_why_a_guess_is_not_legal(
    original: Game, mode: Mode, answer: str, rows: list[str], guess: str, said: str
) -> None:
    session = replay(Puzzle(original.with_mode(mode), given=(answer,)), rows)
    with pytest.raises(UnknownGuessError) as error:
        session.play(guess)
    assert said in str(error.value)


# Which row is to blame


def plain_changes(
    game: Game, rows: list[tuple[str, str]], words: tuple[str, ...]
) -> dict[tuple[int, str], int]:
    """Every change of one row that some word explains: (row, feedback) and how many words do."""
    found: dict[tuple[int, str], int] = {}
    for row, (_, shown) in enumerate(rows, 1):
        for word in words:
            codes = [game.rules.code(g, word) for g, _ in rows]
            instead = codes[row - 1]
            if instead == game.solved and row < len(rows):
                continue
            others = [c for i, c in enumerate(codes, 1) if i != row]
            if others == [game.rules.notation.parse(s) for i, (_, s) in enumerate(rows, 1) if i != row]:
                show = game.rules.notation.show(instead)
                if show != shown:
                    found[row, show] = found.get((row, show), 0) + 1
    return found


def distance(game: Game, shown: str, instead: str) -> int:
    if isinstance(game.rules.notation, MarkNotation):
        return sum(a != b for a, b in zip(shown, instead, strict=True))
    if isinstance(game.rules, PegRules):
        return sum(abs(int(a) - int(b)) for a, b in zip(shown.split(","), instead.split(","), strict=True))
    return 1


@given(st.data())
def test_blame_finds_every_change_of_one_row_and_the_smallest_first(data: st.DataObject) -> None:
    game = data.draw(crowded_games() | word_games() | peg_games()).with_mode("easy")
    codes = st.sampled_from([c for c in np.unique(game.feedback).tolist() if c != game.solved])
    assume(np.any(game.feedback != game.solved))
    written = st.tuples(st.sampled_from(game.guesses), codes.map(game.rules.notation.show))
    rows = data.draw(st.lists(written, min_size=1, max_size=4))
    found = blame(game, rows, limit=1000)
    wanted = plain_changes(game, rows, game.answers)
    if not wanted and isinstance(game.rules, PegRules):
        wanted = plain_changes(game, rows, game.guesses)
    if wanted:
        assert {(b.row, b.instead): b.candidates for b in found} == wanted
    sizes = [distance(game, b.feedback, b.instead) for b in found]
    assert [b.changed for b in found] == sizes == sorted(sizes)
    for b in found:
        mended = [(g, b.instead if i == b.row else s) for i, (g, s) in enumerate(rows, 1)]
        assert len(Position.after_rows(game, mended).candidates) == b.candidates


def test_blame_names_the_letters(original: Game) -> None:
    found = blame(original, [("salet", "bgbbb"), ("crane", "bbgbb"), ("nappy", "bgggg")])[0]
    assert (found.row, found.letters, found.places, found.instead) == (2, ("a",), (3,), "BBYBB")
    mistyped = blame(original, [("salet", "gggyg")])[0]
    assert (mistyped.instead, mistyped.letters, mistyped.candidates) == ("GGGYB", ("t",), 1)
    told = "row 1, salet: 1 word would fit if letter 5, T, were absent instead of in the right place"
    assert mistyped.message == told


def test_blame_gives_up_where_two_rows_are_wrong(original: Game) -> None:
    assert blame(original, [("salet", "bbbbb"), ("salet", "ybbbb"), ("salet", "bybbb")]) == ()


# Share grids


def test_share_grids(original: Game) -> None:
    puzzle = Puzzle(original.with_mode("hard"), 1234)
    word = puzzle.hosts[0].answer(())
    lines = share(replay(puzzle, [word])).split("\n")
    assert lines == ["Sleuth original 1234 1/6*", "", "🟩🟩🟩🟩🟩"]
    lost = replay(Puzzle(original, given=("paste",)), ["salet"]).give_up()
    assert share(lost) == "Sleuth original X/6\n\n🟨🟩⬛🟨🟨"
    two = replay(Puzzle(original, boards=2, given=("paste", "crane")), ["paste", "crane"])
    assert share(two) == ("Sleuth original 2 boards 2/7\n\n🟩🟩🟩🟩🟩 ⬛🟨⬛⬛🟩\n⬜⬜⬜⬜⬜ 🟩🟩🟩🟩🟩")
    pegs = replay(Puzzle(sleuth.mastermind(), given=("1123",)), ["1132"]).give_up()
    assert share(pegs) == "Sleuth mastermind 4x6 X/10\n\n⚫⚫⚪⚪"
    black = replay(Puzzle(sleuth.mastermind(black=True), given=("1123",)), ["1132"]).give_up()
    assert share(black) == "Sleuth mastermind 4x6, black pegs X/10\n\n⚫⚫➖➖"
    assert share(Session(puzzle).give_up()) == "Sleuth original 1234 X/6*\n"


# Hints


@pytest.mark.parametrize("variant", ["standard", "absurdle", "fibble"])
def test_hints_lead_to_the_answer(original: Game, variant: str) -> None:
    session = Session(Puzzle(original, None if variant == "absurdle" else 77, variant=variant))
    while not session.over:
        assert candidates_left(session)[0] >= 1
        session = session.play(hint(session).guess)
    assert session.won


def test_hints_for_several_boards(original: Game) -> None:
    session = Session(Puzzle(original, 5, boards=2))
    while not session.over:
        session = session.play(hint(session).guess)
    assert session.won
    assert candidates_left(session) == (0, 0)


# Statistics


def test_statistics_of_games() -> None:
    wins = [True, True, False, True, True, True, False, True]
    games = [Record(**{**RECORD.__dict__, "won": won, "guesses": 3 + i % 2}) for i, won in enumerate(wins)]
    found = statistics_of(games)
    assert (found.played, found.won, found.streak, found.longest) == (8, 6, 1, 3)
    assert found.histogram == {3: 2, 4: 4}
    assert found.to_json()["histogram"] == {"3": 2, "4": 4}
    assert statistics_of([]).to_json()["played"] == 0


def test_games_are_kept_and_read_again(tmp_path: Path, original: Game) -> None:
    path = tmp_path / "new" / "folder" / "statistics.jsonl"
    assert read(path) == []
    kept = [Record.of(Session(Puzzle(original, n)).give_up(), hints=n) for n in range(3)]
    for record in kept:
        append(path, record)
    assert read(path) == kept
    assert kept[2].kind == "original, easy mode"


def test_a_crash_in_the_middle_of_a_line_costs_that_line_only(tmp_path: Path) -> None:
    path = tmp_path / "statistics.jsonl"
    append(path, RECORD)
    whole = path.read_bytes()
    for cut in range(len(whole)):
        path.write_bytes(whole + whole[:cut])
        complete = cut == len(whole) - 1  # only the end of the line is missing
        assert read(path) == [RECORD] * (2 if complete else 1)
        append(path, RECORD)
        assert read(path) == [RECORD] * (3 if complete else 2)


@given(st.lists(st.binary(max_size=30) | st.text(max_size=20).map(str.encode)))
def test_lines_that_hold_no_game_are_left_out(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]
) -> None:
    path = tmp_path_factory.mktemp("lines") / "statistics.jsonl"
    path.write_bytes(b"\n".join(lines))
    append(path, RECORD)
    assert read(path)[-1:] == [RECORD]


@pytest.mark.parametrize(
    "change", [{"guesses": "4"}, {"won": 1}, {"time": None}, {"boards": True}, {"number": 1.5}]
)
def test_records_of_other_types_are_left_out(tmp_path: Path, change: dict[str, Any]) -> None:
    path = tmp_path / "statistics.jsonl"
    path.write_text(json.dumps({**RECORD.__dict__, **change}) + "\n[1]\n{}\n" + "[" * 100_000 + "\n")
    assert read(path) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_an_error_that_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "statistics.jsonl"
    with pytest.raises(OSError, match="No space"):
        append(Path("/dev/full"), RECORD)
    append(path, RECORD)
    assert read(path) == [RECORD]


def test_the_file_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert default_path() == tmp_path / "data" / "sleuth" / "statistics.jsonl"
    for unset in ("", "relative"):
        monkeypatch.setenv("XDG_DATA_HOME", unset)
        assert default_path() == tmp_path / ".local" / "share" / "sleuth" / "statistics.jsonl"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert default_path() == tmp_path / "local" / "sleuth" / "statistics.jsonl"


def test_many_may_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "statistics.jsonl"
    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(append, path, RECORD) for _ in range(100)]:
            done.result()
    assert read(path) == [RECORD] * 100


def test_games_of_other_people_are_played_too() -> None:
    game = Game.from_function(lambda guess, answer: (guess > answer) - (guess < answer), range(10))
    session = Session(Puzzle(game, 2))
    while not session.over:
        session = session.play(hint(session).guess)
    assert session.won
    assert session.keyboard() == {}
