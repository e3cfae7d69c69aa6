"""A finished game, reviewed."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sleuth.cli import compiling, show, tiles
from sleuth.cli.formats import with_format
from sleuth.cli.options import GameOptions, Json, with_game
from sleuth.support.files import read_bounded, stream_bounded

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

    from sleuth.coaching.reviews.move import Move, Review
    from sleuth.games.game import Game
    from sleuth.games.position import Row
    from sleuth.games.strategy import Suggestion

_MOST_BYTES = 2**20
_INDENT = 4
_BAR = 20
_LEAST_BAR = 4
# Columns beside two bars: the indent, names, numbers and gaps.
_BESIDE = 24


@with_format
@with_game
def review(
    of: GameOptions,
    rows: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GUESS:FEEDBACK]...",
            help="The rows in order, such as salet:bbybb; guesses alone with --answer or --text.",
        ),
    ] = None,
    answer: Annotated[str | None, typer.Option(metavar="WORD", help="The answer, where it is known.")] = None,
    text: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A pasted grid of squares with its words; - for standard input."),
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Sentences alone, for screen readers.")] = False,
    json: Json = False,
) -> None:
    """Review a game: how good each guess was, how kind the feedback, and what Sleuth would have played."""
    from sleuth.coaching.reviews.review import review as review_of

    game = of.build()
    played = _rows(game, rows or [], text)
    if not json:
        compiling.announce()
    found = review_of(game, played, answer)
    if json:
        show.as_json(found.to_json(), found.to_records())
        return
    out = show.console()
    out.width = min(out.width, tiles.WIDTH)
    for remark in game.notes:
        show.note(remark)
    for move in found.moves:
        (_speak if plain else _print)(out, found, move)
        out.print()
    _print_game(out, found)


def _rows(game: "Game", rows: list[str], text: Path | None) -> "list[Row | str]":
    """Return the rows given; with a text, they are the words of its grid."""
    from sleuth.coaching.reviews.share import read_share

    if text is None:
        return [*rows]
    if str(text) == "-":
        source = stream_bounded(sys.stdin.buffer, _MOST_BYTES)
    else:
        source = read_bounded(text, _MOST_BYTES)
    return read_share(game, source.decode(errors="replace"), rows)


def _print(out: "Console", review: "Review", move: "Move") -> None:
    """Show a move: tiles, two bars, the sentence and the numbers behind it."""
    from rich.text import Text

    game = review.game
    code = game.rules.notation.parse(move.feedback)
    tiled = tiles.row(move.guess, code, game.rules.notation, tiles.palette_of(out))
    out.print(
        Text(f"{move.turn:>2}  ")
        .append_text(tiled)
        .append(f" {move.annotation:<2}", "bold")
        .append(f"  {_candidates(move)}", "dim")
    )
    width = max(_LEAST_BAR, min(_BAR, (out.width - _BESIDE) // 2))
    skill = _bar("skill", move.skill, "green", width, "not known: estimates")
    luck = _bar("luck", move.luck, "blue", width, "nothing depended on it")
    _indented(out, Text().join([skill, Text("   "), luck]))
    _indented(out, Text(move.sentence))
    _indented(out, Text(_numbers(move), "dim"))
    if _left(move):
        _indented(out, Text(_left(move), "dim"))


def _speak(out: "Console", review: "Review", move: "Move") -> None:
    """Show a move without bars and boxes, in words."""
    from rich.text import Text

    from sleuth.coaching.reviews.marks import MARKS

    notation = review.game.rules.notation
    out.print(Text(f"Row {move.turn}: {tiles.spoken(move.guess, notation.parse(move.feedback), notation)}."))
    mark = f" {MARKS[move.annotation].capitalize()}." if move.annotation else ""
    skill = "Skill not known" if move.skill is None else f"Skill {move.skill} of 99"
    luck = "no luck in it" if move.luck is None else f"luck {move.luck} of 99"
    out.print(Text(f"{skill}, {luck}.{mark} {move.sentence}"))
    out.print(Text(". ".join(filter(None, [_candidates(move), _numbers(move), _left(move)])) + "."))


def _print_game(out: "Console", review: "Review") -> None:
    from rich.text import Text

    out.print(Text(review.summary, "bold"))
    if review.line is not None:
        out.print(Text(f"Sleuth: {', '.join(guess.upper() for guess, _ in review.line)}."))
    out.print(Text(review.assumed, "dim"))


def _indented(out: "Console", content: "RenderableType") -> None:
    from rich.padding import Padding

    out.print(Padding(content, (0, 0, 0, _INDENT), expand=False))


def _bar(name: str, value: int | None, colour: str, width: int, absent: str) -> "Text":
    """Return a name, a bar so wide and a number of 99, or why there is none."""
    from rich.text import Text

    if value is None:
        return Text(f"{name} -  ({absent})", "dim")
    bar = show.bar_of(value / 99, width)
    return Text(f"{name} ").append(f"{bar:·<{width}}", colour).append(f" {value:>2}", "bold")


def _candidates(move: "Move") -> str:
    """Return how many candidates there were and are."""
    count = f"{move.candidates_before} candidate{'' if move.candidates_before == 1 else 's'}"
    return f"{count}, found" if move.solved else f"{count}, then {move.candidates_after}"


def _left(move: "Move") -> str:
    """Return the candidates left, where they are few."""
    return "" if move.solved or not move.words_after else f"left: {' '.join(move.words_after)}"


def _numbers(move: "Move") -> str:
    """Return the figures of a move in a line or two."""
    gained = "" if move.bits_gained is None else f", {move.bits_gained:.2f} gained"
    parts = [
        f"{move.bits_expected:.2f} bits expected{gained}",
        f"{move.value:.2f} guesses ({move.played.kind})",
    ]
    if move.loss > 0:
        parts.append(f"best {_valued(move.best)}")
    elif move.sleuth.guess != move.guess:
        parts.append(f"Sleuth's {_valued(move.sleuth)}")
    if move.hard is False:
        parts.append("not in hard mode")
    return "; ".join(parts)


def _valued(guess: "Suggestion") -> str:
    """Return a guess with its value and how that is known."""
    return f"{guess.guess} {guess.expected_guesses:.2f} ({guess.kind})"
