"""Hosts who choose the answer to be hard."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sleuth.cli import show
from sleuth.cli.options import GameOptions, Json, with_game

if TYPE_CHECKING:
    from sleuth.adversary.equilibrium import Equilibrium


@with_game
def absurdle(
    of: GameOptions,
    moves: Annotated[
        list[str] | None, typer.Argument(help="Guesses in order; none to see the fewest that beat the host.")
    ] = None,
    most: Annotated[int, typer.Option(min=1, help="Give up where more guesses are needed.")] = 10,
    json: Json = False,
) -> None:
    """Play against a host who keeps as many answers as possible, or find the fewest guesses that beat it."""
    from sleuth.adversary.host import fewest_guesses, play
    from sleuth.position import Position

    game = of.build()
    start = Position.start(game)
    for remark in game.notes:
        show.note(remark)
    if not json:
        show.announce_compiling()
    if moves:
        line, left = play(start, [move.lower() for move in moves])
        words = left.words if left is not None else ()
        if json:
            show.as_json({"line": _plain(line), "beaten": left is None, "candidates": len(words)})
            return
        for guess, shown in line:
            print(f"{guess}  {shown}")
        few = f": {', '.join(words)}" if 0 < len(words) <= 20 else ""
        print("the host is beaten" if left is None else f"{len(words)} candidates left{few}")
        return
    with show.steps("searching") as update:
        found = fewest_guesses(start, most, lambda depth, sets: update(0, 0, f"{depth} guesses, {sets} sets"))
    if json:
        show.as_json({"guesses": found.guesses, "line": _plain(found.line), "searched": found.searched})
        return
    for guess, shown in found.line:
        print(f"{guess}  {shown}")
    print(f"{found.guesses} guesses beat the host, fewer do not")


def _plain(line: list[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"guess": guess, "feedback": shown} for guess, shown in line]


@with_game
def equilibrium(
    of: GameOptions,
    gap: Annotated[float, typer.Option(help="Stop when the two bounds are so many guesses apart.")] = 0.01,
    seconds: Annotated[float | None, typer.Option(min=0, help="Stop after about so long.")] = None,
    weights: Annotated[
        Path | None, typer.Option(help="Write the host's distribution, as a file that --prior reads.")
    ] = None,
    json: Json = False,
) -> None:
    """Find how hard the answers can be chosen, and the mixed strategy that meets it."""
    from sleuth.adversary.equilibrium import equilibrium as run
    from sleuth.formats.files import write_whole

    game = of.build()
    for remark in game.notes:
        show.note(remark)
    if not json:
        show.announce_compiling("half a minute")
    with show.steps("equilibrium") as update:
        found = run(
            game,
            gap,
            seconds,
            progress=lambda state: update(
                0, 0, f"round {state.iterations}: {state.lower:.4f} to {state.upper:.4f} guesses"
            ),
        )
    if weights is not None:
        rows = zip(game.answers, found.host.tolist(), strict=True)
        write_whole(weights, "".join(f"{word} {p:.12g}\n" for word, p in rows))
    if json:
        show.as_json(found.to_json())
    else:
        _print(found)
        if weights is not None:
            print(f"distribution written to {weights}")
    if found.interrupted:
        raise typer.Exit(130)


def _print(found: "Equilibrium") -> None:
    game, out = found.game, show.console()
    out.print(f"{game.name}, {game.mode} mode, {len(game.answers)} answers, {len(game.guesses)} guesses")
    out.print(
        f"value between [bold]{found.lower:.4f}[/bold] and [bold]{found.upper:.4f}[/bold] guesses"
        f" (gap {found.upper - found.lower:.4f})"
    )
    if not found.proved:
        out.print("[dim]the lower bound is the least that searches found, not proven[/dim]")
    answers = show.table("hardest answers", "chance")
    for word, p in found.hardest(10):
        answers.add_row(word, show.percent(p))
    out.print(answers)
    openers = show.table("openers of the guesser", "chance")
    for word, p in found.openers(10):
        openers.add_row(word, show.percent(p))
    out.print(openers)
    out.print(f"[dim]{found.iterations} rounds, {found.seconds:.1f} s[/dim]")
