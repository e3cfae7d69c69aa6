"""How a game looks in a terminal: tiles and a keyboard, or spoken sentences in plain mode.

A mark is told by colour and by shape, [S] correct, (A) present, bare absent, so that it is read without
colours too. The colours are of the 256 that nearly every terminal has; where it has only 16, named ones.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from sleuth.games.feedback import MarkNotation, PegNotation

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

    from sleuth.coaching.playing.session import Session
    from sleuth.games.feedback import Notation

Palette = Literal["rich", "basic"]

# Foreground and background for the marks absent, present, correct. The contrast of each pair is tested.
COLOURS: Mapping[Palette, tuple[tuple[str, str], ...]] = {
    "rich": (("#ffffff", "#4e4e4e"), ("#000000", "#ffd700"), ("#ffffff", "#008700")),
    "basic": (("bright_white", "black"), ("black", "bright_yellow"), ("black", "bright_green")),
}
MARKS = ("absent", "present", "correct")
WIDTH = 80
_SHAPES = (" {} ", "({})", "[{}]")
_KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_GAP = 3


def palette_of(console: "Console") -> Palette:
    """Return the colours that a console can show."""
    return "rich" if console.color_system in ("256", "truecolor") else "basic"


def tile(symbol: str, mark: int, palette: Palette) -> "Text":
    """Return a symbol with its mark, three columns wide for a letter of one."""
    from rich.text import Text

    foreground, background = COLOURS[palette][mark]
    return Text(_SHAPES[mark].format(symbol.upper()), f"bold {foreground} on {background}")


def row(guess: str, code: int, notation: "Notation", palette: Palette, gap: str = " ") -> "Text":
    """Return a guess and its feedback: a tile a letter with a gap between, or the guess and what it got."""
    from rich.text import Text

    if isinstance(notation, MarkNotation):
        marks = notation.marks(code)
        return Text(gap).join(tile(letter, mark, palette) for letter, mark in zip(guess, marks, strict=True))
    text = Text(guess.upper(), "bold").append("  ")
    if isinstance(notation, PegNotation):
        pegs = "".join(sign * n for sign, n in zip("●○", notation.counts(code), strict=False))
        text.append(f"{pegs:·<{notation.pegs}}  ")
    return text.append(notation.show(code), "not bold")


def spoken(guess: str, code: int, notation: "Notation") -> str:
    """Return a row as it is read out: "S absent, A present, L correct".

    >>> spoken("sal", 5, MarkNotation(3))
    'S absent, A present, L correct'
    >>> spoken("1122", 7, PegNotation(4))
    '1122: 1 in the right place, 2 in a wrong place'
    """
    if isinstance(notation, MarkNotation):
        marks = zip(guess, notation.marks(code), strict=True)
        return ", ".join(f"{letter.upper()} {MARKS[mark]}" for letter, mark in marks)
    if isinstance(notation, PegNotation):
        return f"{guess}: {notation.told(code)}"
    return f"{guess}: {notation.show(code)}"


def keyboard(known: Mapping[str, int], alphabet: Iterable[str], palette: Palette) -> "list[Text]":
    """Return the rows of a keyboard: what is known of each letter; a dot stands for an absent one."""
    from rich.text import Text

    letters = set(alphabet)
    others = sorted(letters - set("".join(_KEYS)))
    width = max(map(len, _KEYS))
    keys = [*_KEYS, *("".join(others[i : i + width]) for i in range(0, len(others), width))]
    if not letters & set("".join(_KEYS)):  # another alphabet
        keys = keys[len(_KEYS) :]
    rows = []
    for indent, letters_of_row in enumerate(keys):
        line = Text(" " * indent if indent < len(_KEYS) else "")
        for letter in letters_of_row:
            mark = known.get(letter)
            if mark is None:
                line.append(f" {letter.upper()} ")
            else:
                line.append_text(Text(" · ", "dim") if mark == 0 else tile(letter, mark, palette))
        rows.append(line)
    return rows


def spoken_keyboard(known: Mapping[str, int], alphabet: Iterable[str]) -> str:
    """Return what is known of the letters as a sentence a kind.

    >>> spoken_keyboard({"a": 2, "b": 0}, "abc")
    'Correct: A. Present: none. Absent: B. Not tried: C.'
    """
    kinds = [("Correct", 2), ("Present", 1), ("Absent", 0), ("Not tried", None)]
    letters = sorted(alphabet)
    found = [(kind, [c.upper() for c in letters if known.get(c) == mark]) for kind, mark in kinds]
    return " ".join(f"{kind}: {' '.join(some) or 'none'}." for kind, some in found)


def boards(session: "Session", palette: Palette, width: int) -> "Iterable[RenderableType]":
    """Yield what shows the boards of a game: grids side by side, as many as fit the width."""
    from rich.table import Table
    from rich.text import Text

    game = session.puzzle.game
    notation = game.rules.notation
    grids = []
    for board in range(session.puzzle.boards):
        lines = [row(game.guesses[g], code, notation, palette, "") for g, code in session.board(board)]
        title = f"board {board + 1}{' solved' if session.solved[board] else ''}"
        grids.append([Text(title), *lines])
    widest = max(line.cell_len for lines in grids for line in lines)
    wide = max(widest, len(tile(" ", 0, palette)) * len(game.guesses[0])) + _GAP
    across = max(1, (width + _GAP) // wide)
    for first in range(0, len(grids), across):
        if first > 0:
            yield Text()
        table = Table.grid(padding=(0, _GAP, 0, 0))
        some = grids[first : first + across]
        for _ in some:
            table.add_column(no_wrap=True, min_width=wide - _GAP)
        table.add_row(*(Text("\n").join(lines) for lines in some))
        yield table


def beside(left: "Sequence[Text]", right: "Sequence[Text]", width: int) -> "RenderableType":
    """Return two blocks side by side, or one above the other where they do not fit the width."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    need = max(line.cell_len for line in left) + 2 * _GAP + max((line.cell_len for line in right), default=0)
    if need > width:
        return Group(*left, Text(), *right)
    table = Table.grid(padding=(0, 2 * _GAP, 0, 0))
    table.add_row(Text("\n").join(left), Text("\n").join(right))
    return table
