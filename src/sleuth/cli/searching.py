"""Tree search from the start of a game."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sleuth.cli import compiling, completing, show
from sleuth.cli.ending import File, end
from sleuth.cli.formats import with_format
from sleuth.cli.interrupts import finished_or_known
from sleuth.cli.options import After, GameOptions, Json, position, with_game

if TYPE_CHECKING:
    from sleuth.processes.avts import Optimized


@with_format
@with_game
def avts(
    of: GameOptions,
    after: After = None,
    sampler: Annotated[
        str,
        typer.Option(
            help="How guesses to simulate are picked: thompson, thompson-frequencies, laplace, puct,"
            " hoeffding, epsilon-greedy; options as in 'puct(coefficient=2)'.",
            autocompletion=completing.samplers,
        ),
    ] = "thompson",
    predictor: Annotated[
        str,
        typer.Option(
            help="First estimates: entropic, statistical, rollout (information gain plays on), learned (by"
            " the shipped value network), or policy (by the shipped policy network)."
        ),
    ] = "entropic",
    bounds: Annotated[
        str,
        typer.Option(
            help="What is known of sets without simulation: exact, as in exact play; none, as Tyl has it: no"
            " guess is ever left out, and nothing is proved."
        ),
    ] = "exact",
    deep: Annotated[
        bool, typer.Option(help="Simulate to the end of the game, not to the first set not met before.")
    ] = True,
    iterations: Annotated[int | None, typer.Option(min=1, help="Stop after so many simulations.")] = None,
    seconds: Annotated[
        float | None, typer.Option(min=0, help="Stop after so long; 60 where nothing says.")
    ] = None,
    target: Annotated[
        int | None, typer.Option(help="Stop once a strategy takes so few guesses in all.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the draws; with one thread runs repeat exactly.")] = 0,
    threads: Annotated[int, typer.Option(min=1, max=256, help="Simulations at a time, on one tree.")] = 1,
    tree: Annotated[
        Path | None, typer.Option(help="Write the strategy found: .json, .html, .dot, or .txt (Selby's).")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Draw the guesses found against iterations (.png, .svg).")
    ] = None,
    json: Json = False,
) -> None:
    """Search for the best strategy by Action Value Tree Search, better the longer it runs."""
    from sleuth.processes.avts import Optimized, optimize
    from sleuth.processes.pictures import improvement
    from sleuth.support.pictures import check_path, draw
    from sleuth.trees import formats

    game = of.build()
    where = position(game, after)
    if plot is not None:
        check_path(plot)
    if tree is not None:
        formats.check_path(tree, where.as_game() if after else game)
    if iterations is None and seconds is None and target is None:
        seconds = 60.0
    for remark in game.notes:
        show.note(remark)
    if not json:
        compiling.announce()
    with show.steps("searching") as update:
        found, interrupted = finished_or_known(
            lambda: optimize(
                where,
                sampler=sampler,
                predictor=predictor,  # type: ignore[arg-type]  # it refuses other names itself
                bounds=bounds,  # type: ignore[arg-type]
                deep=deep,
                iterations=iterations,
                seconds=seconds,
                target=target,
                seed=seed,
                threads=threads,
                progress=None if json else update,
            ),
            Optimized,
        )
    if json:
        result = found.to_json()
        show.as_json(result, result["history"])
    else:
        _print(found)
    files: list[File] = []
    if tree is not None and found.tree is not None:
        files.append(("tree", tree, partial(formats.write, found.tree, tree)))
    if plot is not None:
        files.append(("picture", plot, partial(draw, plot, partial(improvement, {found.sampler: found}))))
    end(files, json, interrupted)


def _print(found: "Optimized") -> None:
    game, result, out = found.position.game, found.result, show.console()
    count = len(found.position.candidates)
    out.print(f"{game.name}, {game.mode} mode, {show.counted(count, 'answer')}, {len(game.guesses)} guesses")
    if found.mean is None or found.tree is None:
        if found.lower_bound is not None:
            out.print("no strategy found yet that finds every answer in time")
    else:
        guesses = f"{found.total} guesses, " if found.scale == count else ""
        out.print(f"[bold]{found.opener}[/bold]: {guesses}mean [bold]{found.mean:.4f}[/bold]")
        report = found.tree.report()
        out.print("")
        for line in show.histogram(report.histogram, game.max_turns - found.position.turn + 1):
            out.print(line)
        out.print(f"\nworst case {report.worst} guesses")
    if found.lower_bound is None:
        turns = show.counted(game.max_turns, "turn")
        out.print(f"[bold]proved[/bold]: no strategy finds every answer within {turns}")
    elif result.proved:
        out.print("[bold]proved[/bold]: no strategy takes fewer")
    elif not found.lower_bound:
        out.print("not proved: nothing is known of other strategies without bounds")
    else:
        out.print(f"not proved: any strategy has a mean of {found.lower_bound / found.scale:.4f} or more")
    out.print(
        f"[dim]{show.counted(result.iterations, 'iteration')} by {found.sampler},"
        f" {show.counted(result.states, 'state')},"
        f" {result.seconds:.1f} s[/dim]"
    )
