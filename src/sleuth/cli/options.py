"""Options that several commands share: which game is meant, and how it stands."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from sleuth.cli import completing
from sleuth.support.errors import FeedbackError, SleuthError, UnknownNameError

if TYPE_CHECKING:
    from sleuth.games.game import Game
    from sleuth.games.position import Position, Row
    from sleuth.games.strategy import Strategy

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
After = Annotated[
    list[str] | None,
    typer.Option(
        "--after", metavar="GUESS:FEEDBACK", help="A row already played, such as crane:bbygb. Repeatable."
    ),
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "-o",
        "--option",
        metavar="KEY=VALUE",
        help="An option of the strategy. Repeatable.",
        autocompletion=completing.options,
    ),
]
Ties = Annotated[
    str | None,
    typer.Option(
        help="Tie rule of a one-step strategy or a rollout's base: candidates-first, list-order.",
        autocompletion=completing.ties,
    ),
]
Opener = Annotated[str | None, typer.Option(help="The first guess; else the strategy chooses it.")]

_PANEL = "The game"


@dataclass(frozen=True)
class GameOptions:
    """Which game: the values of the shared options, in the order of the help."""

    game: Annotated[
        str,
        typer.Option(
            help="The game; `sleuth games` lists them. Or FILE.py:NAME, a function that returns a Game.",
            autocompletion=completing.games,
            rich_help_panel=_PANEL,
        ),
    ] = "wordle"
    words: Annotated[
        str | None,
        typer.Option(
            help="Word list: original, original-guesses, nyt, nyt-2022-03, nyt-2022-08, nyt-guesses,"
            " LIST:COUNT for the most frequent of one, or frequent:LANG:LENGTH:COUNT.",
            autocompletion=completing.words,
            rich_help_panel=_PANEL,
        ),
    ] = None
    answers: Annotated[
        Path | None, typer.Option(help="File of answers, one word a line.", rich_help_panel=_PANEL)
    ] = None
    guesses: Annotated[
        Path | None, typer.Option(help="File of guesses; the answers unless given.", rich_help_panel=_PANEL)
    ] = None
    mode: Annotated[
        str | None,
        typer.Option(
            help="Which guesses are legal: easy (unless the game says else), hard or strict.",
            autocompletion=completing.modes,
            rich_help_panel=_PANEL,
        ),
    ] = None
    prior: Annotated[
        str,
        typer.Option(
            help="How likely answers are: uniform, frequency, frequency:LANG, or a file.",
            autocompletion=completing.priors,
            rich_help_panel=_PANEL,
        ),
    ] = "uniform"
    max_turns: Annotated[
        int | None, typer.Option(help="Guesses after which a game is lost.", rich_help_panel=_PANEL)
    ] = None
    pegs: Annotated[
        int | None, typer.Option(help="Mastermind's pegs, or Bulls and Cows' digits.", rich_help_panel=_PANEL)
    ] = None
    colours: Annotated[int | None, typer.Option(help="Mastermind's colours.", rich_help_panel=_PANEL)] = None
    repeats: Annotated[
        bool | None,
        typer.Option("--repeats/--no-repeats", help="Whether colours may repeat.", rich_help_panel=_PANEL),
    ] = None
    black: Annotated[
        bool | None,
        typer.Option(
            "--black/--no-black",
            help="Whether Mastermind's feedback is the black pegs alone, one number.",
            rich_help_panel=_PANEL,
        ),
    ] = None

    def build(self) -> "Game":
        """Return the game. Raises SleuthError."""
        from sleuth.games.choice import GameChoice

        try:
            return GameChoice(**vars(self)).build(lambda option: f"--{option}", files=True)
        except UnknownNameError as error:
            if self.words is None or not Path(self.words).is_file():
                raise
            raise SleuthError(f"{error}; {self.words} is a file, which --answers takes") from None


def with_game(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of GameOptions; it gets their values as its parameter `of`."""
    own = inspect.signature(command)
    shared = inspect.signature(GameOptions)
    hints = {
        **get_type_hints(command, include_extras=True),
        **get_type_hints(GameOptions, include_extras=True),
    }
    names = list(shared.parameters)

    @wraps(command)
    def run(**values: Any) -> None:
        command(of=GameOptions(**{name: values.pop(name) for name in names}), **values)

    parameters = [p for p in own.parameters.values() if p.name != "of"]
    parameters += [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in shared.parameters.values()]
    parameters = [p.replace(annotation=hints[p.name]) for p in parameters]
    run.__signature__ = own.replace(parameters=sorted(parameters, key=lambda p: p.kind))  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in parameters}
    return run


def position(game: "Game", after: list[str] | None) -> "Position":
    """Return the position after rows such as crane:bbygb. Raises SleuthError."""
    from sleuth.games.position import Position

    return Position.after_rows(game, rows_of(after, f"{game.guesses[0]}:{game.rules.notation.example}"))


def rows_of(after: list[str] | None, example: str) -> "list[Row]":
    """Return rows such as crane:bbygb as guesses and feedback; an example is for who gets it wrong.

    Raises FeedbackError.
    """
    rows = []
    for row in after or []:
        guess, colon, shown = row.partition(":")
        if not colon:
            raise FeedbackError(f"row {row!r} is not of the form GUESS:FEEDBACK, for example {example}")
        rows.append((guess, shown))
    return rows


def strategy(specification: str, options: list[str] | None, ties: str | None) -> "Strategy":
    """Return the strategy that the command line asks for. Raises SleuthError."""
    from sleuth.strategies.registry import make, with_ties
    from sleuth.support.specification import key_values

    made = make(specification, key_values(options or ()), files=True)
    return made if ties is None else with_ties(made, ties)
