"""Help with a game that is played elsewhere: rows in, the best guesses out."""

import re
import sys
import textwrap
from contextlib import suppress
from typing import TYPE_CHECKING

from sleuth.cli import compiling, interrupts, show
from sleuth.cli.options import GameOptions, with_game
from sleuth.cli.play import Plain
from sleuth.support.errors import ContradictionError, SleuthError, UnknownGuessError

if TYPE_CHECKING:
    from sleuth.coaching.advice import Advice
    from sleuth.games.game import Game
    from sleuth.games.position import Position, Row

_COMMANDS = {
    "undo": "undo",
    "row": "row",
    "list": "list",
    "new": "new",
    "help": "help",
    "?": "help",
    "quit": "quit",
    "exit": "quit",
}
_SHOWN = 5
_LISTED = 100


@with_game
def assist(of: GameOptions, plain: Plain = None) -> None:
    """Help with a game played elsewhere: type a guess and its colours, read the best next guesses."""
    from sleuth.cli import reading

    game = of.build()
    is_plain = not sys.stdout.isatty() if plain is None else plain
    reading.prepare()
    desk = _Desk(game, is_plain)
    try:
        with compiling.meanwhile():
            desk.run()
    except (reading.Leave, KeyboardInterrupt) as reason:
        print("Goodbye.")
        if isinstance(reason, KeyboardInterrupt):
            interrupts.goodbye()


class _Desk:
    """The rows so far, and what is said about them."""

    def __init__(self, game: "Game", plain: bool) -> None:
        from sleuth.cli import tiles

        self.game = game
        self.plain = plain
        self.rows: list[Row] = []
        self.guess: str | None = None
        self.out = show.console()
        self.width = min(self.out.width, tiles.WIDTH)
        self.palette = tiles.palette_of(self.out)

    def run(self) -> None:
        """Read lines until there are no more. Raises Leave."""
        from sleuth.cli import reading

        example = f"{self.game.guesses[0]} {self.game.rules.notation.example}"
        self._say(f"Type a guess and its feedback, such as {example!r}; help says what else.")
        self._say_position()
        while True:
            if news := compiling.news():
                self._say(news)
            if self.guess is None:
                line = reading.ask(f"Row {len(self.rows) + 1}: ")
            else:
                line = reading.ask(f"Feedback for {self.guess}: ")
            if not line:
                continue
            try:
                command = reading.command_in(line, _COMMANDS, self.game)
                if command is not None:
                    self._obey(*command)
                else:
                    self._take(line)
            except SleuthError as error:
                self._say(f"{error}.")

    def _obey(self, command: str, rest: str) -> None:
        from sleuth.cli import reading

        if command == "quit":
            raise reading.Leave
        if command == "help":
            self._help()
        elif command == "undo":
            self._undo(rest)
        elif command == "new":
            self._change([])
        elif command == "row":
            self._mend(rest)
        else:
            self._list(rest)

    def _take(self, line: str) -> None:
        """Read a guess, or its feedback, or both."""
        first, rest = _halves(line)
        if self.guess is not None:
            guess = self.guess
            try:
                self.game.rules.notation.parse(line)
            except SleuthError:
                # Perhaps another guess: the one before was mistyped.
                if self._is_guess(first):
                    self.guess = None
                    self._take(line)
                    return
                raise
            self._change([*self.rows, (guess, line)])
        elif rest:
            self._change([*self.rows, (first, rest)])
        else:
            self._check(first)
            self.guess = first.lower()
            print(f"What did {self.guess} get?")

    def _is_guess(self, word: str) -> bool:
        try:
            self.game.find(word)
        except UnknownGuessError:
            return False
        return True

    def _check(self, word: str) -> None:
        """Raise SleuthError for what is no guess, and say so where it is feedback."""
        try:
            self.game.find(word)
        except UnknownGuessError as error:
            try:
                self.game.rules.notation.parse(word)
            except SleuthError:
                raise error from None
            raise UnknownGuessError(f"{word!r} reads as feedback; the guess comes first") from None

    def _undo(self, count: str) -> None:
        if self.guess is not None and not count:
            self.guess = None
            print("Forgotten.")
            return
        if not re.fullmatch(r"[0-9]{0,4}", count) or count == "0":
            raise SleuthError(f"undo takes how many rows, such as undo 2, not {count!r}")
        if not self.rows:
            raise SleuthError("there is no row to undo")
        self._change(self.rows[: max(0, len(self.rows) - int(count or 1))])

    def _mend(self, text: str) -> None:
        """Give a row other feedback."""
        number, _, shown = text.partition(" ")
        if not re.fullmatch(r"[0-9]{1,4}", number) or not 1 <= int(number) <= len(self.rows) or not shown:
            example = self.game.rules.notation.example
            raise SleuthError(
                f"row takes the number of a row, 1 to {len(self.rows)}, and its feedback: row 1 {example}"
                if self.rows
                else "there is no row to change"
            )
        rows = list(self.rows)
        rows[int(number) - 1] = (rows[int(number) - 1][0], shown)
        self._change(rows)

    def _change(self, rows: "list[Row]") -> None:
        """Go on with other rows, unless they cannot be read or the mode forbids one of them."""
        from sleuth.coaching.playing.legality import objection
        from sleuth.games.position import Position

        game, notation = self.game, self.game.rules.notation
        read = [(game.guesses[game.find(guess)], notation.parse(shown)) for guess, shown in rows]
        for i, (guess, _) in enumerate(read):
            reason = objection(game, read[:i], guess)
            if reason is not None:
                raise UnknownGuessError(f"row {i + 1}: {reason}")
        # Rows that contradict each other are kept: any of them may be the one that is wrong.
        with suppress(ContradictionError):
            Position.after_rows(game, rows)
        self.rows = [(guess, notation.show(code)) for guess, code in read]
        self.guess = None
        self._say_rows()
        self._say_position()

    def _say_rows(self) -> None:
        from sleuth.cli import tiles

        notation = self.game.rules.notation
        for number, (guess, shown) in enumerate(self.rows, 1):
            code = notation.parse(shown)
            if self.plain:
                if number == len(self.rows):
                    print(f"Row {number}: {tiles.spoken(guess, code, notation)}.")
            else:
                self.out.print(tiles.row(guess, code, notation, self.palette))
        if not self.plain:
            print()
        if not self.rows:
            print("No rows.")

    def _say_position(self) -> None:
        """Say what is left and the best guesses, or that the game is solved, or which row is to blame."""
        from sleuth.games.position import Position

        try:
            at = Position.after_rows(self.game, self.rows)
        except ContradictionError as contradiction:
            self._blame(contradiction)
            return
        if at.solved:
            count = len(self.rows)
            print(f"Solved in {count} {'guess' if count == 1 else 'guesses'}: {self.rows[-1][0].upper()}.")
            print("new starts the next game, quit leaves.")
            return
        self._advise(at)

    def _advise(self, at: "Position") -> None:
        from sleuth.cli.advise import candidates, reason
        from sleuth.coaching.advice import advise

        self._print(candidates(at))
        advice = advise(at, _SHOWN, at_once=True)
        best = advice.suggestions[0]
        self._print(f"Guess [bold]{best.guess}[/bold]: {reason(advice)}")
        if advice.provisional:
            self._print(compiling.provisional())
        if len(advice.suggestions) == 1:
            return
        if self.plain:
            self._say_others(advice)
        else:
            self.out.print(show.suggestions(advice.suggestions), width=self.width)

    def _print(self, text: str) -> None:
        """Print a paragraph with marks of rich's: wrapped, but whole in plain mode."""
        self.out.print(text, width=self.width, soft_wrap=self.plain)

    def _say(self, text: str) -> None:
        """Print a paragraph as it is: wrapped, but whole in plain mode."""
        self.out.print(text, width=self.width, soft_wrap=self.plain, markup=False)

    def _say_others(self, advice: "Advice") -> None:
        for other in advice.suggestions[1:]:
            right = f"right with {show.percent(other.chance)}" if other.chance else "cannot be the answer"
            print(f"Or {other.guess}: {other.expected_guesses:.3f} guesses, {other.bits:.2f} bits, {right}.")

    def _blame(self, contradiction: ContradictionError) -> None:
        from sleuth.coaching.playing.blame import blame

        self._say(f"The rows contradict each other: {contradiction}.")
        found = blame(self.game, self.rows)
        if not found:
            self._say(
                "No change of a single row explains them. undo takes the last row back, undo 2 the last two."
            )
            return
        self._say("The smallest changes that explain them:")
        for one in found:
            self._say(f"- {one.message}")
        best = found[0]
        self._say(
            f"Type row {best.row} {best.instead.lower()} if it is the first, or undo to drop the last row."
        )

    def _list(self, rest: str) -> None:
        from sleuth.games.position import Position

        if rest not in ("", "all"):
            raise SleuthError(f"list takes nothing or all, not {rest!r}")
        at = Position.after_rows(self.game, self.rows)
        words = at.likeliest
        shown = words if rest == "all" else words[:_LISTED]
        print(textwrap.fill(" ".join(shown), self.width))
        if len(words) > len(shown):
            self._say(f"These are {len(shown)} of {len(words)}; list all shows the others too.")

    def _help(self) -> None:
        from sleuth.games.feedback import MarkNotation, PegNotation

        notation = self.game.rules.notation
        word = self.game.guesses[0]
        if isinstance(notation, MarkNotation):
            told = "b, y, g for black, yellow, green, or 0, 1, 2, or ⬛🟨🟩; for black also x . - _"
        elif isinstance(notation, PegNotation):
            told = ", ".join(notation.kinds)
        else:
            told = "as the game writes it"
        entries = [
            (f"{word} {notation.example}", f"a guess and its feedback: {told}"),
            (word, "a guess; its feedback is asked for"),
            ("undo, undo 2", "take back the last row, or several"),
            (f"row 1 {notation.example}", "change the feedback of a row"),
            ("list, list all", "the words that are possible"),
            ("new", "start again"),
            ("quit", "leave; so do Ctrl-C and Ctrl-D"),
        ]
        column = max(len(entry) for entry, _ in entries) + 2
        for entry, what in entries:
            line = f"{entry:{column}}{what}"
            print(line if self.plain else textwrap.fill(line, self.width, subsequent_indent=" " * column))
        self._say("A slash before a command tells it from a word of the game: /list")
        self._say(
            "Of each guess is shown: bits, the information expected; left, the candidates expected to be"
            " left, and at worst; groups, the kinds of feedback; chance, to be right; guesses, expected from"
            " here, this one included"
        )


def _halves(line: str) -> tuple[str, str]:
    """Return the guess of a line and what follows it, after a blank or a colon."""
    first, *rest = re.split(r"\s*[:\s]\s*", line, maxsplit=1)
    return first, rest[0] if rest else ""
