"""Hosts who choose the answer to be hard."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sleuth.cli import compiling, show
from sleuth.cli.ending import File, end
from sleuth.cli.formats import with_format
from sleuth.cli.interrupts import finished_or_known, leave
from sleuth.cli.options import GameOptions, Json, with_game
from sleuth.support.errors import SleuthError
from sleuth.support.files import check_writable

if TYPE_CHECKING:
    from sleuth.variants.adversary.double_oracle import Equilibrium
    from sleuth.variants.noise.games import NoisySeries


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
    from sleuth.games.position import Position
    from sleuth.variants.adversary.host import fewest_guesses, play

    game = of.build()
    start = Position.start(game)
    for remark in game.notes:
        show.note(remark)
    if not json:
        compiling.announce()
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
        found = fewest_guesses(start, most, update)
    if json:
        show.as_json({"guesses": found.guesses, "line": _plain(found.line), "searched": found.searched})
        return
    for guess, shown in found.line:
        print(f"{guess}  {shown}")
    print(f"{found.guesses} guesses beat the host, fewer do not")


def _plain(line: list[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"guess": guess, "feedback": shown} for guess, shown in line]


@with_format
@with_game
def fibble(
    of: GameOptions,
    strategy: Annotated[
        str,
        typer.Option(
            help="What plays: expected-guesses, information-gain, learned or rollout; with options as in"
            " learned(width=8)."
        ),
    ] = "expected-guesses",
    lies: Annotated[
        int | None, typer.Option(min=0, help="Marks that are wrong in every row; 1 if not given.")
    ] = None,
    chance: Annotated[
        str | None,
        typer.Option(
            help="Instead, lie in a row with this chance: one mark, or in other games the feedback. A number;"
            " or unknown, beta(A,B) or uniform(LOW,HIGH): what the player knows of it."
        ),
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option(
            help="The chance in truth, where the player goes by --chance; else it is drawn for each game"
            " from what the player knows."
        ),
    ] = None,
    carry: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Instead of every answer, so many games in a row with one host of --rate: what is known of"
            " it is carried from game to game.",
        ),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="Games with each answer.")] = 1,
    seed: Annotated[int, typer.Option(min=0, help="Of the lies.")] = 0,
    json: Json = False,
) -> None:
    """Play against a host who lies, with every answer, and count the guesses."""
    from sleuth.variants.noise.channel import Channel
    from sleuth.variants.noise.channel import fibble as always
    from sleuth.variants.noise.games import NoisySeries, evaluate, host_of, series, taken_for
    from sleuth.variants.noise.strategies import make_noisy
    from sleuth.variants.noise.unknown import RateBelief

    player = make_noisy(strategy)
    if rate is not None and chance is None:
        raise SleuthError("--rate goes with --chance, which says what the player knows of it")
    if lies is not None and chance is not None:
        raise SleuthError("--lies and --chance are two kinds of hosts: give one of them")
    game = of.build()
    believed = always(game, 1 if lies is None else lies) if chance is None else taken_for(game, chance, seed)
    if carry is not None and not isinstance(believed, RateBelief):
        raise SleuthError("--carry goes with a chance that is to be learned, such as --chance unknown")
    host = host_of(game, believed, rate)
    if rate and isinstance(believed, Channel) and float(chance or 0) == 0:
        raise SleuthError(f"--chance 0 is sure that the host never lies, and with --rate {rate:g} it does")
    for remark in game.notes:
        show.note(remark)
    if not json:
        compiling.announce()
    if carry is not None:
        assert isinstance(believed, RateBelief)
        with show.steps("playing", remaining=True) as update:
            found, interrupted = finished_or_known(
                lambda: series(player, game, host, believed, carry, seed, progress=update),
                NoisySeries,
            )
        if json:
            plain = found.to_json()
            told = enumerate(zip(plain["turns"], plain["rates"], strict=True), 1)
            rows = [{"game": number, "turns": turns, "rate": rate} for number, (turns, rate) in told]
            show.as_json({**plain, "interrupted": interrupted}, rows)
        else:
            _print_series(game.name, found)
        if interrupted:
            leave(json)
        return
    with show.steps("playing", remaining=True) as update:
        report = evaluate(player, game, host, games, seed, progress=update, believed=believed)
    if json:
        show.as_json(report.to_json(), show.counts(report.histogram))
        return
    taken = "" if report.believed == report.channel else f" (taken for: {report.believed})"
    print(
        f"{game.name}, {report.channel}{taken}, {report.strategy}:"
        f" {show.counted(report.games, 'game')}{show.weighed(game)}"
    )
    print(
        f"mean {report.mean:.4f}, standard error {report.standard_error:.4f}, worst {report.worst},"
        f" {report.failures} over {game.max_turns}"
    )
    for line in show.histogram(report.histogram, game.max_turns):
        print(line)
    if report.unfinished:
        given_up = show.counted(report.unfinished, "game")
        print(f"{given_up} given up, and counted as {report.worst} guesses: the mean is larger")


def _print_series(game: str, found: "NoisySeries") -> None:
    print(
        f"{game}, {found.channel} (taken for: {found.believed}), {found.strategy}: {len(found.turns)} games"
    )
    print(f"mean {found.mean:.4f}, standard error {found.standard_error:.4f}")
    table = show.table("after games", "mean so far", "rate of lies", "90 % interval")
    for games in found.milestones:
        mean, low, high = found.rates[games - 1]
        so_far = found.turns[:games].mean()
        table.add_row(str(games), f"{so_far:.4f}", f"{mean:.4f}", f"{low:.4f} to {high:.4f}")
    show.console().print(table)


@with_format
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
    from sleuth.trees.formats.files import write_text
    from sleuth.variants.adversary.double_oracle import Equilibrium
    from sleuth.variants.adversary.double_oracle import equilibrium as run

    if weights is not None:
        check_writable(weights)
    game = of.build()
    for remark in game.notes:
        show.note(remark)
    if not json:
        compiling.announce()
    with show.steps("equilibrium") as update:
        found, interrupted = finished_or_known(
            lambda: run(
                game,
                gap,
                seconds,
                progress=update,
            ),
            Equilibrium,
        )
    if json:
        show.as_json(found.to_json(), found.to_records())
    else:
        _print(found)
    files: list[File] = []
    if weights is not None:
        rows = zip(game.answers, found.host.tolist(), strict=True)
        text = "".join(f"{word} {p:.12g}\n" for word, p in rows)
        files.append(("distribution", weights, partial(write_text, weights, text)))
    end(files, json, interrupted)


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
    out.print(f"[dim]{show.counted(found.iterations, 'round')}, {found.seconds:.1f} s[/dim]")
