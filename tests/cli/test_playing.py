"""sleuth play, sleuth assist and sleuth statistics, through pipes and at a terminal."""

import io
import os
import re
import select
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from command_line import Run, json_of
from rich.color import Color
from rich.color_triplet import ColorTriplet
from rich.console import Console
from rich.terminal_theme import TerminalTheme

import sleuth
from sleuth.cli import compiling, tiles
from sleuth.cli.tiles import Palette
from sleuth.coaching.playing.puzzles import Puzzle, today
from sleuth.coaching.playing.session import replay
from sleuth.coaching.playing.statistics import read
from sleuth.games.feedback import MarkNotation
from sleuth.games.game import Game

pytestmark = pytest.mark.usefixtures("compiled")
WORD = "paste"  # the answer of most games here
OTHER = "salet"

Typed = Callable[..., str]
"""The fixture typed: it runs a command with lines as its input."""


@pytest.fixture
def data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A user without games played; the file that will hold them."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    return tmp_path / "sleuth" / "statistics.jsonl"


@pytest.fixture
def typed(run: Run, monkeypatch: pytest.MonkeyPatch, data: Path) -> Typed:
    """Run a command with lines as its input; returns what it printed."""

    def typed(command: str, *lines: str) -> str:
        encoded = "".join(f"{line}\n" for line in lines).encode(errors="surrogateescape")
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(encoded), encoding="utf-8"))
        code, out, err = run(*command.split())
        assert code == 0, err
        return out

    return typed


# Through pipes


def test_a_game_says_when_better_hints_are_ready(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    told = ["", "The search is compiled: advice is no longer a quick estimate."]
    monkeypatch.setattr(compiling, "news", lambda: told.pop(0) if told else "")
    out = typed("play --answer paste --plain", "salet", "paste")
    assert out.count("The search is compiled") == 1
    assert out.index("Row 1") < out.index("The search is compiled") < out.index("Row 2")


def test_a_game_in_plain_mode(typed: Typed, data: Path) -> None:
    out = typed(f"play --answer {WORD}", OTHER, "court", WORD)
    assert out.splitlines() == [
        "Sleuth: original. Find the word of 5 letters in 6 guesses.",
        "Type a guess; ? for a hint, ! to give up, quit to leave, help for more.",
        "Row 1: S present, A correct, L absent, E present, T present",
        "Row 2: C absent, O absent, U absent, R absent, T present",
        "Row 3: P correct, A correct, S correct, T correct, E correct",
        "Solved in 3 guesses.",
        "Sleuth original 3/6",
        "How good was that? This tells it:",
        "  sleuth review salet:ygbyy court:bbbby paste:ggggg --answer paste",
        "Played 1, won 100%, streak 1, longest streak 1.",
    ]
    assert [record.guesses for record in read(data)] == [3]


def test_tiles_and_the_share_grid(typed: Typed) -> None:
    out = typed(f"play --answer {WORD} --mode hard --no-plain", OTHER, WORD)
    assert "(S) [A]  L  (E) (T)       Q  W (E) R (T) Y  U  I  O  P" in out
    assert "Sleuth original 2/6*\n\n🟨🟩⬛🟨🟨\n🟩🟩🟩🟩🟩\n" in out
    assert "--answer paste --mode hard" in out
    assert max(map(len, out.splitlines())) <= 80


def test_wrong_words_cost_nothing(typed: Typed) -> None:
    out = typed(f"play --answer {WORD} --mode hard", "crann", "cran", OTHER, "crony", "", "\udcff\x00", WORD)
    assert "did you mean" in out
    assert "cran has 4 letters" in out
    assert "crony is not legal in hard mode: row 1, salet, has A green in place 2" in out
    assert out.count("That cost no guess.") == 4
    assert "Solved in 2 guesses." in out


def test_hints_are_gentle_first(typed: Typed, data: Path) -> None:
    out = typed(f"play --answer {WORD}", OTHER, "?", "?", "hint", "keys", "help", "!")
    gentle, first, second = (out.index(said) for said in ("6 answers are possible", "Try TEACH", "Try TEACH"))
    assert gentle < first == second
    assert "Correct: A. Present: E S T. Absent: L. Not tried: B C" in out
    assert "leave; so do Ctrl-C" in out
    assert "The answer was PASTE." in out
    assert "Played 1, won 0%, streak 0" in out
    assert read(data)[0].hints == 2
    assert "Hints are off" in typed(f"play --answer {WORD} --no-hints", "?")


@pytest.mark.parametrize("lines", [["quit"], ["exit"], ["/quit"], []])
def test_leaving_says_how_to_go_on(typed: Typed, data: Path, lines: list[str]) -> None:
    out = typed("play --puzzle 5 --words nyt", OTHER, *lines)
    assert out.endswith("To go on with this game:\n  sleuth play --words nyt --puzzle 5 salet\n")
    assert not data.exists()
    assert "Row 1:" in typed("play --words nyt --puzzle 5 salet")


def test_hosts_and_boards(typed: Typed) -> None:
    assert "it might have been" in typed("play --host absurdle", OTHER, "!")
    out = typed("play --host fibble --puzzle 3", OTHER, "keys", "?", "?", "!")
    assert "One mark of every row is a lie" in out
    assert "Nothing is certain of any letter" in out
    assert "in spite of the lies" in out
    assert "sleuth review" not in out
    two = f"play --boards 2 --answer {WORD} --answer crane"
    out = typed(two, WORD, "?", "keys", "crane")
    assert "Board 1, row 1: P correct, A correct, S correct, T correct, E correct. Solved" in out
    assert "on board 2. Ask again" in out
    assert "guesses on average to solve all boards" in typed(f"{two} paste", "?", "?")
    assert "Board 2. Correct: E." in out
    assert "Sleuth original 2 boards 2/7" in out


def test_boards_stand_side_by_side_in_80_columns(typed: Typed) -> None:
    out = typed("play --boards 8 --puzzle 5 --no-plain", OTHER, "crony", "!")
    assert "board 1           board 2           board 3           board 4 " in out
    assert "\n\nboard 5 " in out
    assert max(map(len, out.splitlines())) <= 80


def test_other_games_are_played(typed: Typed) -> None:
    out = typed("play --game mastermind --answer 1123 --no-plain", "1132", "?", "1123")
    assert "1132  ●●○○  2,2" in out
    assert "Sleuth mastermind 4x6 2/10\n\n⚫⚫⚪⚪\n⚫⚫⚫⚫" in out
    assert "1132: 2 in the right place, 2 in a wrong place" in typed(
        "play --game mastermind --answer 1123", "1132"
    )
    black = "play --game mastermind --black --answer 1123"
    assert "1132  ●●··  2" in typed(f"{black} --no-plain", "1132")
    assert "1132: 2 in the right place\n" in typed(black, "1132")


def test_a_command_that_is_a_word_of_the_game(typed: Typed, tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("quit\nundo\nlist\nhelp\n", encoding="utf-8")
    out = typed(f"play --answers {path} --answer help", "quit", "/help", "help")
    assert "Row 1: Q absent" in out
    assert "Solved in 2 guesses." in out


def test_other_alphabets_have_their_keys(typed: Typed, tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("слово\nписьм\nмирно\n", encoding="utf-8")
    out = typed(f"play --answers {path} --answer слово --no-plain", "мирно", "слово")
    assert "Solved in 2" in out
    assert " Q " not in out
    path.write_text("größe\nmüßig\nfüßen\n", encoding="utf-8")
    out = typed(f"play --answers {path} --answer größe --no-plain", "müßig", "größe")
    assert " Q " in out
    assert "[ß]" in out.lower() or "[SS]" in out


def test_todays_puzzle_is_offered_once(typed: Typed) -> None:
    assert f"puzzle {today()}." in typed("play", "!")
    assert f"puzzle {today()}." not in typed("play", "!")
    assert f"puzzle {today()}." in typed("play --boards 2", "!")
    first, second = (typed("play --seed 4", "!").splitlines()[0] for _ in range(2))
    assert first == second
    assert "puzzle" in first


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("play --host absurd", "did you mean absurdle"),
        ("play --puzzle 3 --seed 4", "one of --puzzle and --seed"),
        ("play --host absurdle --puzzle 3", "--puzzle does not go with --host absurdle"),
        ("play --answer zzzzz", "zzzzz is not in the word list"),
        ("play --boards 2 --mode hard", "several boards are played in easy mode"),
        ("play --boards 0", "--boards"),
        ("play --boards two", "'two' is not a whole number. (sleuth play --help says what it takes)"),
        ("difficulty --seconds soon", "'soon' is not a number."),
        ("play --puzzle 3 salt", "salt has 4 letters"),
        ("play --words nothing", "nothing"),
        ("assist --words nothing", "nothing"),
        ("statistics --statistics .", "Is a directory"),
    ],
)
def test_mistakes_get_one_line_and_exit_code_2(run: Run, data: Path, command: str, said: str) -> None:
    code, out, err = run(*command.split())
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert said in err


def test_a_slash_before_no_command_is_told(typed: Typed) -> None:
    for command in (f"play --answer {WORD}", "assist"):
        assert "there is no command /foo; help says which there are." in typed(command, "/foo", "quit")


def test_of_no_guesses_no_grid_is_shared(typed: Typed) -> None:
    out = typed(f"play --answer {WORD} --no-plain", "!")
    assert "\nSleuth original X/6\nPlayed" in out


def test_statistics(typed: Typed, run: Run, data: Path) -> None:
    assert json_of(run("statistics", "--json"))["played"] == 0
    typed(f"play --answer {WORD}", WORD)
    typed(f"play --answer {WORD} --boards 2 --answer crane", "!")
    typed(f"play --answer {WORD}", OTHER, WORD)
    found = json_of(run("statistics", "--json"))
    assert (found["played"], found["won"], found["streak"], found["longest"]) == (3, 2, 1, 1)
    kinds = {kind["kind"]: kind for kind in found["kinds"]}
    assert kinds["original, easy mode"]["histogram"] == {"1": 1, "2": 1}
    assert kinds["original, 2 boards, easy mode"]["played"] == 1
    out = run("statistics", "--statistics", data)[1]
    assert "Played 3, won 67%, streak 1, longest streak 1." in out
    assert "█" in out


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_spoils_no_game(run: Run, monkeypatch: pytest.MonkeyPatch, data: Path) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{WORD}\n"))
    code, out, err = run("play", "--answer", WORD, "--statistics", "/dev/full")
    assert code == 0
    assert "Solved in 1 guess." in out
    assert err == "statistics are not kept: /dev/full: No space left on device\n"


def test_assist(typed: Typed, original: Game) -> None:
    out = typed(
        "assist", "salet bbybb", "court", "🟨⬛⬛⬛⬛", "list", "undo 2", "SALET:00100", "undo", "undo"
    )
    assert "Row 1: S absent, A absent, L present, E absent, T absent." in out
    best = sleuth.advise(sleuth.Position.after_rows(original, [("salet", "bbybb")])).suggestions[0].guess
    assert f"99 candidates left\nGuess {best}: " in out
    assert "What did court get?" in out
    assert "3 candidates left: flick icily lynch" in out
    assert "flick icily lynch\n" in out
    assert out.count("Guess salet") == 3
    assert "there is no row to undo." in out


@pytest.mark.parametrize("game", ["", " --game mastermind"])
def test_the_help_of_assist_is_in_two_columns(typed: Typed, game: str) -> None:
    out = typed(f"assist{game}", "help")
    told = out[: out.index("A slash before")].splitlines()
    lines = told[next(i for i, line in enumerate(told) if "a guess and its feedback: " in line) :]
    [column] = {re.match(r"(?:\S+(?: \S+)*)? {2,}(?=\S)", line).end() for line in lines}
    assert column == 16
    assert ("for black also x" in out) == (not game)


def test_assist_says_when_it_is_solved(typed: Typed) -> None:
    out = typed("assist --no-plain", "paste ggggg", "court bbbbb", "new", "crane", "undo", "quit")
    assert "Solved in 1 guess: PASTE." in out
    assert "row 1 is right: the game is over" in out
    assert "Forgotten." in out
    assert max(map(len, out.splitlines())) <= 80


def test_assist_names_the_row_to_blame(typed: Typed) -> None:
    out = typed("assist", "salet bgbbb", "crane bbgbb", "nappy bgggg", "row 2 bbybb")
    assert "The rows contradict each other: row 2: no possible answer gives BBGBB for crane" in out
    assert "row 2, crane: 1 word would fit if letter 3, A, were elsewhere instead of in the" in out
    assert "Type row 2 bbybb if it is the first" in out
    assert "1 candidate left: happy" in out
    out = typed("assist", "salet bbbbb", "salet ybbbb", "salet bybbb", "undo 2")
    assert "No change of a single row explains them" in out


def test_assist_refuses_what_it_cannot_read(typed: Typed) -> None:
    lines = [
        "bbybb",
        "court bbqbb",
        "cour",
        "undo x",
        "row 1 bbbbb",
        "list some",
        "salet",
        "crony",
        "zz",
        "quit",
    ]
    out = typed("assist", *lines)
    assert "'bbybb' reads as feedback; the guess comes first." in out
    assert "has 'q'" in out
    assert "cour has 4 letters" in out
    assert "undo takes how many rows" in out
    assert "there is no row to change." in out
    assert "list takes nothing or all" in out
    assert "What did crony get?" in out
    assert "feedback 'zz' has 'z'" in out


def test_assist_in_hard_mode_says_why_a_row_cannot_be(typed: Typed) -> None:
    out = typed("assist --mode hard --words original:700", "raise bgbbb", "could bbbbb", "row 5 bbbbb")
    assert "row 2: could is not legal in hard mode: row 1, raise, has A green" in out
    assert "row takes the number of a row, 1 to 1" in out


def test_assist_with_other_games(typed: Typed) -> None:
    small = "assist --game mastermind --pegs 3 --colours 4"
    out = typed(small, "112 1,0", "112:0,0", "help", "334", "1-1")
    assert "Row 1: 112: 1 in the right place, 0 in a wrong place." in out
    assert "The rows contradict each other: row 2" in out
    assert "in the right place, in a wrong place" in out
    assert "Row 3: 334" in out
    out = typed(f"{small} --black", "112 1", "help")
    assert "Row 1: 112: 1 in the right place." in out
    assert "a guess and its feedback: in the right place\n" in out


def test_list_shows_the_likeliest_first_and_says_how_many(typed: Typed, tmp_path: Path) -> None:
    out = typed("assist", "salet bbbbb", "list", "list all")
    assert "These are 100 of 221; list all shows the others too." in out
    weights = tmp_path / "weights.txt"
    weights.write_text("crane 1\nslate 5\ntrace 3\n", encoding="utf-8")
    words = tmp_path / "words.txt"
    words.write_text("crane\nslate\ntrace\n", encoding="utf-8")
    assert "slate trace crane\n" in typed(f"assist --answers {words} --prior {weights}", "list")


# At a terminal


PLAY = ("play --puzzle 5", [OTHER], "sleuth play --puzzle 5 salet")
ASSIST: tuple[str, list[str], str] = ("assist", [], "Goodbye.")
needs_terminals = pytest.mark.skipif(sys.platform == "win32", reason="needs pseudo-terminals")
_PROMPT = re.compile(rb"(Guess \d+ of \d+|Row \d+|Feedback for \w+): $")


def at_terminal(
    command: str, lines: Sequence[bytes | str], data: Path, columns: int = 80, **environment: Any
) -> tuple[str, int]:
    """Run a command in a pseudo-terminal, each line typed at a prompt; returns what it showed, exit code."""
    import fcntl
    import pty
    import struct
    import termios

    main, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    keep = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES")}
    env = {**keep, "TERM": "xterm-256color", "COLORTERM": "truecolor", "XDG_DATA_HOME": str(data)}
    arguments = [sys.executable, "-m", "sleuth", *command.split()]
    child = os.posix_spawn(
        sys.executable,
        arguments,
        {**env, **environment},
        setsid=True,
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.ttyname(terminal), os.O_RDWR, 0),  # becomes the controlling terminal
            (os.POSIX_SPAWN_DUP2, 0, 1),
            (os.POSIX_SPAWN_DUP2, 0, 2),
        ],
    )
    os.close(terminal)
    shown, answered, waiting, ends = b"", 0, list(lines), time.monotonic() + 300
    while time.monotonic() < ends:
        if select.select([main], [], [], 0.05)[0]:
            try:
                part = os.read(main, 65536)
            except OSError:  # the child has gone
                break
            shown += part
        elif waiting and _PROMPT.search(shown[answered:]):
            answered = len(shown)
            line = waiting.pop(0)
            os.write(main, line if isinstance(line, bytes) else f"{line}\n".encode())
    os.close(main)
    return shown.decode().replace("\r\n", "\n"), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def plain_of(shown: str) -> str:
    """What is shown without the colours."""
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown)


@needs_terminals
def test_a_game_at_a_terminal(tmp_path: Path) -> None:
    shown, code = at_terminal(f"play --answer {WORD}", [OTHER, WORD], tmp_path)
    assert code == 0
    assert "\x1b[1;38;2;0;0;0;48;2;255;215;0m(S)" in shown
    text = plain_of(shown)
    assert "(S) [A]  L  (E) (T)" in text
    assert "Sleuth original 2/6" in text
    assert all(len(line) <= 80 for line in text.splitlines())


@needs_terminals
@pytest.mark.parametrize(
    ("command", "lines", "said"),
    [
        (
            "play --host fibble --puzzle 7",
            ["keys", "help", "?", "!"],
            "is certain of any letter in this game",
        ),
        pytest.param(
            "assist",
            ["salet bgyyb", "salet bbbbb", "bbybb", "help", "quit"],
            "green, or 0, 1, 2, or",
            marks=pytest.mark.thorough,
        ),
    ],
)
def test_sentences_break_between_words_at_a_narrow_terminal(
    tmp_path: Path, command: str, lines: list[str], said: str
) -> None:
    shown, code = at_terminal(command, lines, tmp_path, columns=44)
    assert code == 0
    text = plain_of(shown)
    assert max(map(len, text.splitlines())) <= 44
    assert said in " ".join(text.split())


@needs_terminals
def test_no_color_at_a_terminal(tmp_path: Path) -> None:
    shown, code = at_terminal(f"play --answer {WORD}", [OTHER, WORD], tmp_path, NO_COLOR="1")
    assert code == 0
    assert "(S) [A]  L  (E) (T)" in plain_of(shown)
    assert "38;2" not in shown


@needs_terminals
@pytest.mark.thorough
def test_plain_mode_at_a_terminal(tmp_path: Path) -> None:
    shown, code = at_terminal(f"play --answer {WORD} --plain", [OTHER, WORD], tmp_path)
    assert code == 0
    assert "Row 1: S present, A correct, L absent, E present, T present" in shown
    assert not re.search(r"[─│┌┐└┘━]", shown)
    assert "\x1b[1" not in shown


@needs_terminals
@pytest.mark.parametrize(
    ("command", "lines", "goodbye", "key", "ended"),
    [
        (*PLAY, b"\x03", 130),
        pytest.param(*ASSIST, b"\x04", 0, marks=pytest.mark.thorough),
        pytest.param(*PLAY, b"\x04", 0, marks=pytest.mark.thorough),
        pytest.param(*ASSIST, b"\x03", 130, marks=pytest.mark.thorough),
    ],
)
def test_leaving_by_a_key(
    tmp_path: Path, command: str, lines: list[str], goodbye: str, key: bytes, ended: int
) -> None:
    shown, code = at_terminal(command, [*lines, key], tmp_path)
    assert code == ended
    assert plain_of(shown).endswith(f"{goodbye}\n")
    assert "Traceback" not in shown


@needs_terminals
@pytest.mark.thorough
def test_assist_at_a_narrow_terminal(tmp_path: Path) -> None:
    lines = ["salet bbybb", "salet gggyg", "undo", "undo", "quit"]
    shown, code = at_terminal("assist", lines, tmp_path, columns=60)
    assert code == 0
    assert "99 candidates left" in shown
    assert "Type row 2 bbybb" in shown


@needs_terminals
@pytest.mark.thorough
def test_plain_assist_draws_no_boxes(tmp_path: Path) -> None:
    shown, code = at_terminal("assist --plain", ["salet bgyyb", "quit"], tmp_path)
    assert code == 0
    assert re.search(r"\nOr [a-z]{5}: ", shown)
    assert not re.search(r"[─│┌┐└┘━]", shown)


# Tiles


def luminance(channels: ColorTriplet) -> float:
    """The relative luminance of WCAG 2, from channels of 0 to 255."""
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in channels)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: ColorTriplet, other: ColorTriplet) -> float:
    """The contrast of two colours: (lighter + 0.05) / (darker + 0.05)."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def theme(*colours: tuple[int, int, int]) -> TerminalTheme:
    """A terminal's 16 colours, after its background and foreground."""
    return TerminalTheme(colours[0], colours[7], list(colours[:8]), list(colours[8:]))


XTERM = theme(
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205),
    (229, 229, 229), (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255),
    (0, 255, 255), (255, 255, 255),
)  # fmt: skip
VGA = theme(
    (0, 0, 0), (170, 0, 0), (0, 170, 0), (170, 85, 0), (0, 0, 170), (170, 0, 170), (0, 170, 170),
    (170, 170, 170), (85, 85, 85), (255, 85, 85), (85, 255, 85), (255, 255, 85), (85, 85, 255),
    (255, 85, 255), (85, 255, 255), (255, 255, 255),
)  # fmt: skip
WINDOWS = theme(
    (12, 12, 12), (197, 15, 31), (19, 161, 14), (193, 156, 0), (0, 55, 218), (136, 23, 152), (58, 150, 221),
    (204, 204, 204), (118, 118, 118), (231, 72, 86), (22, 198, 12), (249, 241, 165), (59, 120, 255),
    (180, 0, 158), (97, 214, 214), (242, 242, 242),
)  # fmt: skip


@pytest.mark.parametrize("theme", [XTERM, VGA, WINDOWS], ids=["xterm", "VGA", "Windows"])
@pytest.mark.parametrize("palette", ["rich", "basic"])
def test_text_on_tiles_has_a_contrast_of_at_least_4_5(palette: Palette, theme: TerminalTheme) -> None:
    for foreground, background in tiles.COLOURS[palette]:
        pair = [Color.parse(name).get_truecolor(theme) for name in (foreground, background)]
        assert contrast(*pair) >= 4.5


def test_the_colours_are_of_the_256() -> None:
    """So that terminals without true colour show them as they are."""
    for pair in tiles.COLOURS["rich"]:
        for name in pair:
            wanted = Color.parse(name)
            assert wanted.downgrade(2).get_truecolor() == wanted.get_truecolor()  # 2: 256 colours


def test_the_palette_follows_the_console() -> None:
    found = [
        tiles.palette_of(Console(force_terminal=True, color_system=system, no_color=False))
        for system in ("truecolor", "256", "standard")
    ]
    assert found == ["rich", "rich", "basic"]


def test_marks_differ_without_colours() -> None:
    row = tiles.row("salet", MarkNotation(5).parse("bygbb"), MarkNotation(5), "rich")
    assert row.plain == " S  (A) [L]  E   T "


def test_the_keyboard_goes_below_where_the_width_is_short() -> None:
    session = replay(Puzzle(sleuth.wordle(["crane", "slate"]), given=("slate",)), ["crane"])
    line = tiles.row("crane", session.board()[0][1], MarkNotation(5), "rich")
    keys = tiles.keyboard(session.keyboard(), "acelnrst", "rich")
    for width, lines in ((80, 3), (40, 5)):
        file = io.StringIO()
        console = Console(width=width, file=file)
        console.print(tiles.beside([line], keys, width))
        assert len(file.getvalue().splitlines()) == lines
