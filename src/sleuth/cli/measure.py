"""How good strategies are: evaluations, comparisons, and checks of trees."""

from dataclasses import replace
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sleuth.cli import compiling, show
from sleuth.cli.ending import File, end
from sleuth.cli.formats import with_format
from sleuth.cli.interrupts import finished_or_known, leave
from sleuth.cli.options import GameOptions, Json, Opener, Options, Ties, with_game
from sleuth.cli.options import strategy as strategy_of
from sleuth.support.errors import TreeError

if TYPE_CHECKING:
    from sleuth.games.game import Game
    from sleuth.trees.evaluation import Evaluation
    from sleuth.trees.growing import Unfinished


@with_format
@with_game
def evaluate(
    strategy: Annotated[str, typer.Argument(help="A strategy; `sleuth strategies` lists them.")],
    of: GameOptions,
    option: Options = None,
    opener: Opener = None,
    ties: Ties = None,
    tree: Annotated[
        Path | None, typer.Option(help="Write the decision tree: .json, .html, .dot, or .txt (Selby's).")
    ] = None,
    json: Json = False,
) -> None:
    """Play a strategy against every answer and report how good it is."""
    from sleuth.trees import formats
    from sleuth.trees.evaluation import evaluate as run
    from sleuth.trees.growing import Unfinished

    chosen = strategy_of(strategy, option, ties)
    game = of.build()
    if tree is not None:
        formats.check_path(tree, game)
    for remark in game.notes:
        show.note(remark)
    if not json:
        compiling.announce()
    with show.steps(strategy) as update:
        result, _ = finished_or_known(lambda: run(chosen, game, opener, update), Unfinished)
    if isinstance(result, Unfinished):
        if json:
            show.as_json(result.to_json())
        else:
            print(_unfinished(result))
        leave(json)
    if json:
        show.as_json(result.to_json(), show.counts(result.report.histogram))
    else:
        _print(result)
    if tree is not None:
        end([("tree", tree, partial(formats.write, result.tree, tree))], json)


def _unfinished(known: "Unfinished") -> str:
    return (
        f"{known.strategy}: {known.found} of {known.answers} answers found when it was choosing guess"
        f" {known.turn}; all together take {known.total} guesses or more"
    )


def _print(result: "Evaluation") -> None:
    report, game = result.report, result.tree.game
    out = show.console()
    options = ", ".join(f"{key}={value}" for key, value in result.options.items())
    out.print(f"[bold]{result.strategy}[/bold] ({options}) from [bold]{result.tree.opener}[/bold]")
    counted = f"{show.counted(report.answers, 'answer')}, {len(game.guesses)} guesses{show.weighed(game)}"
    out.print(f"{game.name}, {game.mode} mode, {counted}\n")
    for line in show.histogram(report.histogram, game.max_turns):
        out.print(line)
    out.print(
        f"\nmean [bold]{report.mean:.4f}[/bold]  total {report.total}  worst {report.worst}"
        f"  failures {report.failures}  ({result.seconds:.2f} s)"
    )


@with_format
@with_game
def compare(
    strategies: Annotated[
        list[str], typer.Argument(help="Strategies, with options as in 'rollout(width=20)'.")
    ],
    of: GameOptions,
    opener: Opener = None,
    ties: Ties = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the histograms to a picture (.png, .svg).")] = None,
    json: Json = False,
) -> None:
    """Compare several strategies on one game."""
    from sleuth.support.pictures import check_path
    from sleuth.support.specification import specification_of
    from sleuth.trees.evaluation import evaluate as run
    from sleuth.trees.growing import Unfinished
    from sleuth.trees.pictures import draw_comparison

    chosen = [strategy_of(specification, None, ties) for specification in strategies]
    game = of.build()
    if plot is not None:
        check_path(plot)
    for remark in game.notes:
        show.note(remark)
    results = []
    if not json:
        compiling.announce()
    names = [specification_of(one) for one in chosen]
    stopped: Unfinished | None = None
    for one in chosen:
        with show.steps(one.name) as update:
            result, _ = finished_or_known(partial(run, one, game, opener, update), Unfinished)
        if isinstance(result, Unfinished):
            stopped = replace(result, strategy=specification_of(one))
            break
        results.append(result)
    named = list(zip(names, results, strict=False))
    if json:
        rows = [result.to_json() for result in results]
        show.as_json(
            {
                "game": game.name,
                "mode": game.mode,
                "interrupted": stopped is not None,
                "results": rows,
                "duels": _duels(named),
                **({} if stopped is None else {"unfinished": stopped.to_json()}),
            },
            rows,
        )
    else:
        _print_all(game, named, stopped)
    files: list[File] = []
    if plot is not None and results:
        files.append(("picture", plot, partial(draw_comparison, dict(named), plot)))
    end(files, json, stopped is not None)


def _duels(results: "list[tuple[str, Evaluation]]") -> list[dict[str, Any]]:
    """Return how each pair of strategies compares answer by answer."""
    duels = []
    for (first, one), (second, other) in combinations(results, 2):
        wins, ties, losses = one.report.against(other.report)
        duels.append({"first": first, "second": second, "wins": wins, "ties": ties, "losses": losses})
    return duels


def _print_all(game: "Game", results: "list[tuple[str, Evaluation]]", stopped: "Unfinished | None") -> None:
    out = show.console()
    counted = show.counted(len(game.answers), "answer")
    out.print(f"{game.name}, {game.mode} mode, {counted}{show.weighed(game)}")
    rows = show.table("strategy", "opener", "mean", "total", "worst", "failures", "seconds", left=2)
    for name, result in results:
        report = result.report
        numbers = (f"{report.mean:.4f}", report.total, report.worst, report.failures, f"{result.seconds:.2f}")
        rows.add_row(name, result.tree.opener, *map(str, numbers))
    if results:
        out.print(rows)
    for name, result in results:
        out.print(f"[bold]{name}[/bold]")
        for line in show.histogram(result.report.histogram, game.max_turns):
            out.print(line)
    if len(results) > 1:
        duels = show.table("answer by answer", "against", "fewer guesses", "as many", "more", left=2)
        for duel in _duels(results):
            duels.add_row(*map(str, duel.values()))
        out.print(duels)
    if stopped is not None:
        print(_unfinished(stopped))


@with_format
@with_game
def check_tree(
    file: Annotated[Path, typer.Argument(help="A tree: JSON, or Selby's text format.")],
    of: GameOptions,
    json: Json = False,
) -> None:
    """Check a tree against the rules of its game, whatever made it, and measure it.

    Sleuth's JSON says which mode a tree is for; --mode says it for Selby's format.
    """
    from sleuth.trees import formats
    from sleuth.trees.check import check_tree as check

    mode = formats.stated_mode(file) or of.mode
    if of.mode not in (None, mode):
        raise TreeError(f"{file} says that its tree is for {mode} mode, not for --mode {of.mode}")
    game = replace(of, mode=mode).build()
    tree = formats.read(file, game)
    report = check(tree)
    if json:
        about = {"valid": True, "game": game.name, "mode": game.mode, "opener": tree.opener}
        show.as_json({**about, **report.to_json()}, show.counts(report.histogram))
        return
    print(f"{file} is a valid tree of {game.name}, {game.mode} mode, from {tree.opener}")
    for line in show.histogram(report.histogram, game.max_turns):
        print(line)
    print(f"mean {report.mean:.4f}  total {report.total}  worst {report.worst}  failures {report.failures}")
