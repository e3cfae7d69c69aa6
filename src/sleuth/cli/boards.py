"""Several boards at once: the next guess, or how good a strategy is."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from sleuth.cli import compiling, completing, show
from sleuth.cli.formats import with_format
from sleuth.cli.interrupts import finished_or_known, leave
from sleuth.cli.options import GameOptions, Json, Opener, with_game

if TYPE_CHECKING:
    from sleuth.games.game import Game
    from sleuth.variants.boards.games import BoardsReport
    from sleuth.variants.boards.position import BoardsPosition
    from sleuth.variants.boards.strategies import JointSuggestion


@with_format
@with_game
def boards(
    of: GameOptions,
    boards: Annotated[int, typer.Option(min=1, help="How many: Dordle 2, Quordle 4, Octordle 8.")] = 4,
    strategy: Annotated[
        str,
        typer.Option(
            help="joint-rollout or joint-information; options as in 'joint-rollout(width=8)'.",
            autocompletion=completing.joint_strategies,
        ),
    ] = "joint-rollout",
    after: Annotated[
        list[str] | None,
        typer.Option(
            "--after",
            metavar="GUESS:FB,FB,…",
            help="A row already played, the feedback of every board in order, - where it was solved before;"
            " slashes may stand for the commas. With it the next guess is suggested. Repeatable.",
        ),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="How many guesses to suggest.")] = 5,
    games: Annotated[int, typer.Option(min=1, help="Random games to evaluate by.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Of the answers drawn.")] = 0,
    distinct: Annotated[bool, typer.Option(help="Never the same answer on two boards.")] = False,
    opener: Opener = None,
    json: Json = False,
) -> None:
    """Suggest the next guess on several boards (with --after), or evaluate a strategy on random ones."""
    from sleuth.variants.boards.games import BoardsReport, evaluate
    from sleuth.variants.boards.position import BoardsPosition
    from sleuth.variants.boards.strategies import make_joint

    chosen = make_joint(strategy)
    game = of.build()
    for remark in game.notes:
        show.note(remark)
    if after:
        position = BoardsPosition.after_rows(
            game, [_row(game, row, boards) for row in after], boards, of.max_turns
        )
        if not json:
            compiling.announce()
        found = [] if position.is_over else chosen.rank(position, limit)
        if json:
            suggested = _suggested(position, found, strategy)
            show.as_json(suggested, suggested["guesses"])
        else:
            _print_suggested(position, found)
        return
    if not json:
        compiling.announce()
    with show.steps("playing", remaining=True) as update:
        report, interrupted = finished_or_known(
            lambda: evaluate(
                chosen,
                game,
                boards,
                games,
                seed,
                opener=opener,
                distinct=distinct,
                max_turns=of.max_turns,
                progress=update,
            ),
            BoardsReport,
        )
    if json:
        show.as_json(report.to_json(), show.counts(report.histogram))
    else:
        _print(report)
    if interrupted:
        leave(json)


def _row(game: "Game", row: str, boards: int) -> tuple[str, list[str]]:
    """Return the guess and the feedback of every board of a row as it was typed. Raises FeedbackError."""
    from sleuth.support.errors import FeedbackError

    guess, colon, shown = row.partition(":")
    if not colon:
        one = game.rules.notation.example
        example = ("/" if "," in one else ",").join([one] * boards)
        raise FeedbackError(
            f"row {row!r} is not of the form GUESS:FEEDBACK,FEEDBACK,…,"
            f" for example {game.guesses[0]}:{example}"
        )
    return guess, shown.split("/" if "/" in shown else ",")


def _suggested(position: "BoardsPosition", found: "list[JointSuggestion]", strategy: str) -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "guess": found[0].guess if found else None,
        "strategy": strategy,
        "game": position.game.name,
        "turn": position.turn,
        "max_turns": position.max_turns,
        "boards": [
            {"solved": True, "candidates": 0, "words": []}
            if board is None
            else {"solved": False, "candidates": len(board.candidates), "words": list(board.likeliest[:100])}
            for board in position.boards
        ],
        "guesses": [asdict(row) for row in found],
    }


_SHOWN = 8


def _print_suggested(position: "BoardsPosition", found: "list[JointSuggestion]") -> None:
    out = show.console()
    for number, board in enumerate(position.boards, 1):
        if board is None:
            out.print(f"board {number}: solved")
            continue
        count = len(board.candidates)
        words = f": {' '.join(board.likeliest)}" if count <= _SHOWN else ""
        out.print(f"board {number}: {count} {'candidate' if count == 1 else 'candidates'}{words}")
    if not found:
        took = position.turn - 1
        lost = f", over the {position.max_turns} allowed" if took > position.max_turns else ""
        out.print(f"every board is solved in {took} guesses{lost}")
        return
    left = position.turns_left
    out.print(
        f"guess [bold]{found[0].guess}[/bold]; {left} {'guess is' if left == 1 else 'guesses are'} left"
        if left > 0
        else f"the {position.max_turns} guesses are used up; play on with [bold]{found[0].guess}[/bold]"
    )
    rows = show.table("guess", "solves", "bits", f"guesses ({found[0].kind})", "wins")
    for row in found:
        won = "" if row.win is None else show.percent(row.win)
        rows.add_row(row.guess, f"{row.solves:.3f}", f"{row.bits:.3f}", f"{row.expected_guesses:.3f}", won)
    out.print(rows)
    out.print(
        "[dim]solves: boards expected to be solved by it; bits: information expected, all boards together;\n"
        "guesses: expected until all boards are solved, this one included; a lost game counts as more;\n"
        "wins: chance to be in time[/dim]"
    )


def _print(report: "BoardsReport") -> None:
    print(
        f"{report.game}, {report.boards} boards, {report.strategy} from {report.opener}: {report.games} games"
    )
    print(
        f"mean {report.mean:.4f} ± {report.standard_error:.4f}, worst {report.worst},"
        f" {report.losses} lost (more than {report.max_turns}), {1 - report.losses / report.games:.1%} won"
    )
    for line in show.histogram(report.histogram, report.max_turns):
        print(line)
    print(f"{report.seconds:.1f} s")
