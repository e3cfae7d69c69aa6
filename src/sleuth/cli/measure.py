"""How good strategies are: evaluations, comparisons, and checks of trees."""

from dataclasses import replace
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sleuth.cli import compiling, completing, show
from sleuth.cli.ending import File, end
from sleuth.cli.formats import with_format
from sleuth.cli.interrupts import finished_or_known, leave
from sleuth.cli.options import GameOptions, Json, Opener, Options, Ties, with_game
from sleuth.cli.options import strategy as strategy_of
from sleuth.support.errors import TreeError
from sleuth.support.registry import unknown_name

if TYPE_CHECKING:
    from sleuth.games.game import Game
    from sleuth.trees.comparison import Duel
    from sleuth.trees.evaluation import Evaluation
    from sleuth.trees.growing import Unfinished


@with_format
@with_game
def evaluate(
    strategy: Annotated[
        str,
        typer.Argument(
            help="A strategy; `sleuth strategies` lists them.", autocompletion=completing.strategies
        ),
    ],
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
        list[str],
        typer.Argument(
            help="Strategies, with options as in 'rollout(width=20)'.", autocompletion=completing.strategies
        ),
    ],
    of: GameOptions,
    opener: Opener = None,
    ties: Ties = None,
    baseline: Annotated[
        str | None, typer.Option(help="One of the strategies: compare the others with it, not all in pairs.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the histograms to a picture (.png, .svg).")] = None,
    json: Json = False,
) -> None:
    """Compare several strategies on one game."""
    from sleuth.support.pictures import check_path, draw
    from sleuth.support.specification import specification_of
    from sleuth.trees.evaluation import evaluate as run
    from sleuth.trees.growing import Unfinished
    from sleuth.trees.pictures import comparison

    chosen = [strategy_of(specification, None, ties) for specification in strategies]
    names = [specification_of(one) for one in chosen]
    against = None
    if baseline is not None:
        against = specification_of(strategy_of(baseline, None, ties))
        if against not in names:
            raise unknown_name("baseline", baseline, names)
    game = of.build()
    if plot is not None:
        check_path(plot)
    for remark in game.notes:
        show.note(remark)
    results = []
    if not json:
        compiling.announce()
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
        rows = [_row(result) for result in results]
        show.as_json(
            {
                "game": game.name,
                "mode": game.mode,
                "interrupted": stopped is not None,
                "results": rows,
                "duels": [{**names, **duel.to_json()} for names, duel in _duels(named, against)],
                **({} if stopped is None else {"unfinished": stopped.to_json()}),
            },
            rows,
        )
    else:
        _print_all(game, named, against, stopped)
    files: list[File] = []
    if plot is not None and results:
        files.append(("picture", plot, partial(draw, plot, partial(comparison, dict(named)))))
    end(files, json, stopped is not None)


def _row(result: "Evaluation") -> dict[str, Any]:
    """Return an evaluation as plain values, and where the 95 % interval of its mean begins and ends."""
    from sleuth.trees.comparison import mean_of

    mean = mean_of(result.tree.game, result.report.turns)
    return {**result.to_json(), "mean_low": mean.low, "mean_high": mean.high}


def _duels(
    results: "list[tuple[str, Evaluation]]", baseline: str | None
) -> "list[tuple[dict[str, str], Duel]]":
    """Return how each pair of strategies compares answer by answer, or each with the baseline."""
    from sleuth.trees.comparison import duel

    pairs = list(combinations(results, 2))
    if baseline is not None:
        base = [pair for pair in results if pair[0] == baseline][:1]
        pairs = [(pair, other) for other in base for pair in results if pair[0] != baseline]
    return [
        ({"first": first, "second": second}, duel(one.tree.game, one.report.turns, other.report.turns))
        for (first, one), (second, other) in pairs
    ]


def _print_all(
    game: "Game",
    results: "list[tuple[str, Evaluation]]",
    baseline: str | None,
    stopped: "Unfinished | None",
) -> None:
    from sleuth.trees.comparison import mean_of
    from sleuth.views import experiment
    from sleuth.views.numbers import interval

    out = show.console()
    counted = show.counted(len(game.answers), "answer")
    out.print(f"{game.name}, {game.mode} mode, {counted}{show.weighed(game)}")
    headings = ("mean ± 95 %", "total", "worst", "failures", "seconds")
    rows = show.table("strategy", "opener", *headings, left=2)
    for name, result in results:
        report = result.report
        mean = interval(mean_of(game, report.turns))
        numbers = (mean, report.total, report.worst, report.failures, f"{result.seconds:.2f}")
        rows.add_row(name, result.tree.opener, *map(str, numbers))
    if results:
        out.print(rows)
    for name, result in results:
        out.print(f"[bold]{name}[/bold]")
        for line in show.histogram(result.report.histogram, game.max_turns):
            out.print(line)
    if len(results) > 1:
        duels = show.table("answer by answer", "against", *experiment.DUEL, left=2)
        for names, duel in _duels(results, baseline):
            duels.add_row(*names.values(), *experiment.duel(duel))
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
