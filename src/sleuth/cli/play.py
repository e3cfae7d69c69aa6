"""A game in the terminal, and the statistics of the games played."""

import random
import shlex
import sys
from dataclasses import fields
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sleuth.cli import compiling, interrupts, show
from sleuth.cli.formats import with_format
from sleuth.cli.options import GameOptions, Json, with_game
from sleuth.support.errors import SleuthError

if TYPE_CHECKING:
    from sleuth.coaching.playing.hints import Hint
    from sleuth.coaching.playing.puzzles import Puzzle
    from sleuth.coaching.playing.session import Session
    from sleuth.coaching.playing.statistics import Record, Statistics
    from sleuth.games.game import Game

Plain = Annotated[
    bool | None,
    typer.Option(
        "--plain/--no-plain",
        help="Sentences instead of tiles, for screen readers; the default where output is no terminal.",
    ),
]
StatisticsFile = Annotated[
    Path | None, typer.Option("--statistics", metavar="FILE", help="File of the games played.")
]

_COMMANDS = {
    "?": "hint",
    "hint": "hint",
    "!": "give up",
    "give up": "give up",
    "keys": "keys",
    "help": "help",
    "quit": "quit",
    "exit": "quit",
}
_HELP = (
    "?       a hint: first how many answers are possible, asked again the best guess",
    "!       give up and see the answer",
    "keys    what is known of each letter",
    "quit    leave; so do Ctrl-C and Ctrl-D",
    "A slash before a command tells it from a word of the game: /quit",
)
_NUMBERS = 100_000


@with_game
def play(
    of: GameOptions,
    moves: Annotated[
        list[str] | None, typer.Argument(help="Guesses made already, to go on with a game.")
    ] = None,
    host: Annotated[
        str, typer.Option(help="Who replies: standard, absurdle, or fibble, who lies once a row.")
    ] = "standard",
    boards: Annotated[int, typer.Option(min=1, help="Boards; every guess goes to all of them.")] = 1,
    puzzle: Annotated[
        int | None, typer.Option(min=0, help="The puzzle's number; else today's, or any once that is played.")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Draw the puzzle's number by this seed.")] = None,
    answer: Annotated[
        list[str] | None, typer.Option(help="The answer, for a friend; once a board.", show_default=False)
    ] = None,
    hints: Annotated[bool, typer.Option("--hints/--no-hints", help="Whether ? gives hints.")] = True,
    plain: Plain = None,
    statistics: StatisticsFile = None,
) -> None:
    """Play a game: guess the word, with hints on request, and share the grid at the end."""
    from sleuth.cli import reading
    from sleuth.coaching.playing.puzzles import Puzzle
    from sleuth.coaching.playing.session import replay
    from sleuth.coaching.playing.statistics import default_path

    game = of.build()
    path = statistics or default_path()
    given = tuple(word.strip().lower() for word in answer or ())
    number = _number(game, host, boards, puzzle, seed, given, _read(path))
    chosen = Puzzle(game, number, boards, host, given)
    reading.prepare()
    session = replay(chosen, [move.lower() for move in moves or ()])
    table = _Table(chosen, of, not sys.stdout.isatty() if plain is None else plain, hints)
    table.start(session)
    try:
        with compiling.meanwhile():
            session = table.run(session)
    except (reading.Leave, KeyboardInterrupt) as reason:
        table.leave(session if table.session is None else table.session)
        if isinstance(reason, KeyboardInterrupt):
            interrupts.goodbye()
        return
    table.end(session)
    if session.over:
        told = _keep(path, session, table.hinted)
        if told is not None:
            table.say(told)


def _number(
    game: "Game",
    host: str,
    boards: int,
    puzzle: int | None,
    seed: int | None,
    given: tuple[str, ...],
    played: "list[Record]",
) -> int | None:
    """Return the number of the puzzle to play: the one asked for, today's, or one drawn."""
    from sleuth.coaching.playing.puzzles import today
    from sleuth.coaching.playing.share import list_name

    asked = {"--puzzle": puzzle is not None, "--seed": seed is not None, "--answer": bool(given)}
    named = [name for name, is_given in asked.items() if is_given]
    if len(named) > 1:
        raise SleuthError(f"give one of {' and '.join(named)}")
    if host == "absurdle":
        if named:
            raise SleuthError(f"{named[0]} does not go with --host absurdle, who chooses no answer")
        return None
    if given:
        return None
    if puzzle is not None:
        return puzzle
    if seed is not None:
        return int.from_bytes(sha256(str(seed).encode()).digest()[:8], "big") % _NUMBERS
    kind = (list_name(game.name), host, boards, today())
    if any((record.game, record.variant, record.boards, record.number) == kind for record in played):
        return random.randrange(_NUMBERS)
    return today()


class _Table:
    """The game at the terminal: what is shown, and what is asked."""

    def __init__(self, puzzle: "Puzzle", of: GameOptions, plain: bool, hints: bool) -> None:
        from sleuth.cli import tiles

        self.puzzle = puzzle
        self.of = of
        self.plain = plain
        self.hints = hints
        self.hinted = 0
        self.session: Session | None = None
        self.out = show.console()
        self.width = self.out.width if sys.stdout.isatty() else tiles.WIDTH
        self.palette = tiles.palette_of(self.out)
        self.alphabet = sorted(set("".join(puzzle.game.guesses)))

    def start(self, session: "Session") -> None:
        from sleuth.coaching.playing.share import list_name
        from sleuth.games.rules import WordleRules

        puzzle = self.puzzle
        for remark in puzzle.game.notes:
            show.note(remark)
        parts = [list_name(puzzle.game.name)]
        parts += [] if puzzle.variant == "standard" else [puzzle.variant]
        parts += [] if puzzle.boards == 1 else [f"{puzzle.boards} boards"]
        parts += [] if puzzle.number is None else [f"puzzle {puzzle.number}"]
        parts += [] if puzzle.game.mode == "easy" else [f"{puzzle.game.mode} mode"]
        length = len(puzzle.game.guesses[0])
        what = f"word of {length} letters" if isinstance(puzzle.game.rules, WordleRules) else "code"
        self.say(f"Sleuth: {', '.join(parts)}. Find the {what} in {puzzle.max_turns} guesses.")
        if puzzle.variant == "fibble":
            self.say("One mark of every row is a lie; a right guess is told truthfully.")
        help_ = "? for a hint, " if self.hints else ""
        self.say(f"Type a guess; {help_}! to give up, quit to leave, help for more.")
        for turn in range(1, len(session.guesses) + 1) if self.plain else ():
            self._speak(session, turn)
        if not self.plain:
            self._draw(session)

    def run(self, session: "Session") -> "Session":
        """Ask for guesses until the game is over. Raises Leave."""
        from sleuth.cli import reading

        asked = 0
        while not session.over:
            if news := compiling.news():
                self.say(news)
            self.session = session
            line = reading.ask(f"Guess {session.turn} of {self.puzzle.max_turns}: ")
            if not line:
                continue
            try:
                command = reading.command_in(line, _COMMANDS, self.puzzle.game)
                if command is None:
                    session = session.play(line)
            except SleuthError as error:
                self.say(f"{error}. That cost no guess.")
                continue
            if command is None:
                asked = 0
                if self.plain:
                    self._speak(session, len(session.guesses))
                else:
                    self._draw(session)
            elif command[0] == "hint":
                asked += 1
                self._hint(session, asked)
            elif command[0] == "give up":
                session = session.give_up()
            elif command[0] == "keys":
                self._keys(session)
            elif command[0] == "help":
                for told in _HELP:
                    self.say(told)
            else:
                raise reading.Leave
        return session

    def leave(self, session: "Session") -> None:
        """Say goodbye, and how to go on."""
        words = [self.puzzle.game.guesses[guess] for guess in session.guesses]
        print(f"To go on with this game:\n  {shlex.join(['sleuth', 'play', *self._same_puzzle(), *words])}")

    def end(self, session: "Session") -> None:
        """Say how the game ended, and show the grid and the way to a review."""
        from sleuth.coaching.playing.share import share

        answers = ", ".join(word.upper() for word in session.answers)
        taken = len(session.guesses)
        if session.won:
            self.say(f"Solved in {taken} {'guess' if taken == 1 else 'guesses'}.")
        elif self.puzzle.variant == "absurdle":
            self.say(f"The host is not beaten; it might have been {answers}.")
        else:
            self.say(f"The {'answer was' if self.puzzle.boards == 1 else 'answers were'} {answers}.")
        if self.plain or not taken:  # of no guesses there is no grid
            self.say(share(session).partition("\n")[0])
        else:
            print()
            print(share(session))
            print()
        if self.puzzle.boards == 1 and self.puzzle.variant != "fibble" and session.guesses:
            rows = [f"{guess}:{shown.lower()}" for guess, shown in session.rows()]
            known = [] if self.puzzle.variant == "absurdle" else ["--answer", session.answers[0]]
            command = ["sleuth", "review", *rows, *known, *_arguments(self.of)]
            print(f"How good was that? This tells it:\n  {shlex.join(command)}")

    def say(self, text: str) -> None:
        """Print a paragraph: wrapped, but whole in plain mode."""
        self.out.print(text, markup=False, soft_wrap=self.plain)

    def _same_puzzle(self) -> list[str]:
        puzzle = self.puzzle
        arguments = _arguments(self.of)
        arguments += [] if puzzle.variant == "standard" else ["--host", puzzle.variant]
        arguments += [] if puzzle.boards == 1 else ["--boards", str(puzzle.boards)]
        arguments += [] if puzzle.number is None else ["--puzzle", str(puzzle.number)]
        for word in puzzle.given:
            arguments += ["--answer", word]
        return arguments

    def _draw(self, session: "Session") -> None:
        from rich.text import Text

        from sleuth.cli import tiles
        from sleuth.games.feedback import MarkNotation

        puzzle, notation = self.puzzle, self.puzzle.game.rules.notation
        keys = tiles.keyboard(self._known(session), self.alphabet, self.palette) if self._has_keys() else []
        self.out.print()
        if puzzle.boards > 1:
            self.out.print(*tiles.boards(session, self.palette, self.width))
            if keys:
                self.out.print(Text("\n").join([Text(), *keys]))
        else:
            words = puzzle.game.guesses
            lines = [tiles.row(words[g], code, notation, self.palette) for g, code in session.board()]
            empty = " _ " if isinstance(notation, MarkNotation) else "_"
            blank = Text(" ".join([empty] * len(words[0])))
            lines += [blank] * (min(puzzle.max_turns, 6) - len(lines))
            self.out.print(tiles.beside(lines, keys, self.width))
        self.out.print()

    def _speak(self, session: "Session", turn: int) -> None:
        """Say what a guess got on each board."""
        from sleuth.cli import tiles

        game = self.puzzle.game
        word = game.guesses[session.guesses[turn - 1]]
        for board, code in enumerate(session.codes[turn - 1], 1):
            if code is not None:
                where = f"Board {board}, row {turn}" if self.puzzle.boards > 1 else f"Row {turn}"
                solved = ". Solved" if code == game.solved and self.puzzle.boards > 1 else ""
                print(f"{where}: {tiles.spoken(word, code, game.rules.notation)}{solved}")

    def _keys(self, session: "Session") -> None:
        from rich.text import Text

        from sleuth.cli import tiles

        if not self._has_keys():
            self.say("Nothing is certain of any letter in this game.")
        elif self.plain:
            for board, solved in enumerate(session.solved):
                if not solved:
                    where = f"Board {board + 1}. " if self.puzzle.boards > 1 else ""
                    print(where + tiles.spoken_keyboard(session.keyboard(board), self.alphabet))
        else:
            self.out.print(Text("\n").join(tiles.keyboard(self._known(session), self.alphabet, self.palette)))

    def _has_keys(self) -> bool:
        from sleuth.games.feedback import MarkNotation

        is_marked = isinstance(self.puzzle.game.rules.notation, MarkNotation)
        return is_marked and all(host.truthful for host in self.puzzle.hosts)

    def _known(self, session: "Session") -> dict[str, int]:
        """Return what the one keyboard says: with several boards, which letters none of the open ones has."""
        if self.puzzle.boards == 1:
            return session.keyboard()
        open_ = [session.keyboard(board) for board, solved in enumerate(session.solved) if not solved]
        tried = set().union(*open_)
        return {letter: 0 for letter in tried if all(known.get(letter) == 0 for known in open_)}

    def _hint(self, session: "Session", asked: int) -> None:
        from sleuth.coaching.advice import Advice
        from sleuth.coaching.playing.hints import candidates_left, hint

        if not self.hints:
            self.say("Hints are off in this game.")
            return
        compiling.announce()
        try:
            if asked == 1:
                counts = candidates_left(session)
                self._count(counts)
                return
            found = hint(session)
        except SleuthError as error:
            self.say(f"No hint: {error}.")
            return
        self.hinted += 1
        self.say(f"Try {found.guess.upper()}: {self._why(found)}")
        if isinstance(found.why, Advice) and found.why.provisional:
            self.say(compiling.provisional())

    def _why(self, found: "Hint") -> str:
        from sleuth.cli.advise import reason
        from sleuth.coaching.advice import Advice
        from sleuth.coaching.playing.hints import Told

        why = found.why
        if isinstance(why, Told):
            where = f" on board {why.board + 1}" if self.puzzle.boards > 1 else ""
            right = f"it is right with {show.percent(why.chance)}" if why.chance else "it cannot be right"
            return f"in spite of the lies it tells {why.bits:.2f} bits{where}; {right}."
        if isinstance(why, Advice):
            return reason(why)
        in_time = "" if why.win is None else f", and all boards in time with {show.percent(why.win)}"
        return (
            f"it takes {why.expected_guesses:.2f} guesses on average to solve all boards{in_time};"
            f" it tells {why.bits:.2f} bits."
        )

    def _count(self, counts: tuple[int, ...]) -> None:
        def said(count: int) -> str:
            return "1 answer is possible" if count == 1 else f"{count} answers are possible"

        if len(counts) == 1:
            self.say(f"{said(counts[0])}. Ask again for the best guess.")
            return
        shown = ", ".join(f"{count} on board {b}" for b, count in enumerate(counts, 1) if count)
        self.say(f"Possible answers: {shown}. Ask again for the best guess.")


def _arguments(of: GameOptions) -> list[str]:
    """Return the shared options that were given, as they are typed."""
    arguments: list[str] = []
    for option in fields(of):
        value = getattr(of, option.name)
        if value == option.default:
            continue
        name = f"--{option.name.replace('_', '-')}"
        if isinstance(value, bool):
            arguments.append(name if value else f"--no-{option.name}")
        else:
            arguments += [name, str(value)]
    return arguments


def _read(path: Path) -> "list[Record]":
    """Return the games of a file, and none with a note where it cannot be read."""
    from sleuth.coaching.playing.statistics import read

    try:
        return read(path)
    except OSError as error:
        show.note(f"statistics cannot be read: {path}: {error.strerror or error}")
        return []


def _keep(path: Path, session: "Session", hints: int) -> str | None:
    """Write a game into the statistics and return what they come to; a full disk is noted only."""
    from sleuth.coaching.playing.statistics import Record, append, statistics_of

    record = Record.of(session, hints)
    try:
        append(path, record)
    except OSError as error:
        show.note(f"statistics are not kept: {path}: {error.strerror or error}")
        return None
    return _line(statistics_of(r for r in _read(path) if r.kind == record.kind))


def _line(found: "Statistics") -> str:
    share = found.won / found.played if found.played else 0
    return f"Played {found.played}, won {share:.0%}, streak {found.streak}, longest streak {found.longest}."


@with_format
def statistics(statistics: StatisticsFile = None, json: Json = False) -> None:
    """Show the statistics of the games played."""
    from sleuth.coaching.playing.statistics import default_path, read, statistics_of

    path = statistics or default_path()
    try:
        records = read(path)
    except OSError as error:
        raise SleuthError(f"statistics cannot be read: {path}: {error.strerror or error}") from None
    kinds = [
        (kind, list(games))
        for kind, games in groupby(sorted(records, key=lambda r: r.kind), lambda r: r.kind)
    ]
    if json:
        rows = [{"kind": kind, **statistics_of(games).to_json()} for kind, games in kinds]
        show.as_json(
            {
                "file": str(path),
                **statistics_of(records).to_json(),
                "kinds": rows,
            },
            rows,
        )
        return
    print(_line(statistics_of(records)))
    for kind, games in kinds:
        found = statistics_of(games)
        print(f"\n{kind}: {_line(found)}")
        if found.histogram:
            for line in show.histogram(found.histogram, max(found.histogram)):
                print(line)
