"""Exact play with proof."""

from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sleuth.cli import compiling, interrupts, show
from sleuth.cli.ending import File, end
from sleuth.cli.formats import with_format
from sleuth.cli.interrupts import finished_or_known
from sleuth.cli.options import After, GameOptions, Json, position, with_game
from sleuth.support.files import check_writable

if TYPE_CHECKING:
    from sleuth.exact.proof import Proof
    from sleuth.exact.solver import Solver
    from sleuth.exact.workers import Workers


@with_format
@with_game
def prove(
    of: GameOptions,
    opener: Annotated[str | None, typer.Option(help="Prove what this guess costs, not the best one.")] = None,
    after: After = None,
    objective: Annotated[
        str, typer.Option(help="mean; worst (worst case, then mean); solved (most within the turns).")
    ] = "mean",
    penalty: Annotated[
        int | None,
        typer.Option(help="Guesses that an answer counts as which is not found in time; else all must be."),
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="How many of the best openers to find exactly.")] = 1,
    store: Annotated[
        Path | None, typer.Option(help="File to keep bounds in; a run that was stopped goes on from it.")
    ] = None,
    tree: Annotated[
        Path | None, typer.Option(help="Write an optimal tree: .json, .html, .dot, or .txt (Selby's).")
    ] = None,
    certificate: Annotated[
        Path | None, typer.Option(help="Write what the proof rests on, to be checked without Sleuth.")
    ] = None,
    memory: Annotated[str, typer.Option(help="Memory for the table of bounds, such as 512M or 4G.")] = "1G",
    seconds: Annotated[
        float | None, typer.Option(min=0, help="Stop after so long, with the bounds known then.")
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, help="Threads, or processes of a local cluster; else one a processor."),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(help="A dask scheduler, such as tcp://host:8786, or local. Extra: distributed."),
    ] = None,
    json: Json = False,
) -> None:
    """Find the best opener of a game or position and prove it, or what a given opener costs."""
    from sleuth.exact.objective import Objective
    from sleuth.exact.proof import Proof
    from sleuth.exact.proving import prove as run
    from sleuth.exact.solver import Solver
    from sleuth.games.game import read_bytes
    from sleuth.trees import formats

    game = of.build()
    aim = Objective(objective, penalty)  # type: ignore[arg-type]  # it refuses other names itself
    at = position(game, after)
    if at.widened:
        game = at.game
        show.note("no listed answer fits; the allowed guesses that do are taken for the answers")
    bytes_ = read_bytes("--memory", memory)
    if tree is not None:
        formats.check_path(tree, at.as_game() if after else game)
    if certificate is not None:
        from sleuth.exact.certificate import check_certifiable

        check_certifiable(at, aim)
        check_writable(certificate)
    for remark in game.notes:
        show.note(remark)
    if not json:
        compiling.announce()
    if store is not None:
        interrupts.take_time(interrupts.STORING)
    solver = Solver(game, aim, bytes_)
    others: Workers | None = None
    if scheduler is not None:
        from sleuth.exact.cluster import Cluster

        others = Cluster(solver, at, scheduler, workers)
    try:
        with nullcontext() if json else show.steps("proving", remaining=True) as update:
            proof, interrupted = finished_or_known(
                lambda: run(
                    at,
                    aim,
                    opener=opener,
                    top=top,
                    store=store,
                    workers=others,
                    threads=workers,
                    seconds=seconds,
                    progress=update,
                    solver=solver,
                ),
                Proof,
            )
    finally:
        if others is not None:
            others.close()
    # What was found is shown first: what cannot be written does not take it along.
    if json:
        show.as_json(proof.to_json(), proof.to_records())
    else:
        _print(proof, asked=opener is not None)
        if tree is not None and proof.tree is None and proof.proved:
            print("no tree: there is no strategy")
        if store is not None and proof.interrupted and not proof.problems:
            print(f"what is known is kept in {store}: the same command goes on from it")
    problems, unfinished = list(proof.problems), "the proof is not finished"
    files: list[File] = []
    if tree is not None and proof.tree is not None:
        files.append(("tree", tree, partial(formats.write, proof.tree, tree)))
    elif tree is not None and not proof.proved:
        problems.append(f"no tree: {unfinished}")
    if certificate is not None and proof.proved and not interrupted:
        files.append(("certificate", certificate, partial(_certify, proof, solver, certificate, json)))
    elif certificate is not None:
        problems.append(f"no certificate: {'interrupted' if proof.proved else unfinished}")
    end(files, json, interrupted, problems)


def _certify(proof: "Proof", solver: "Solver", path: Path, json: bool) -> None:
    """Write the certificate of a proof. Raises SleuthError, OSError."""
    from sleuth.exact.certificate import certify

    interrupts.take_time(interrupts.STORING)  # what is searched for each set ends first
    try:
        with nullcontext() if json else show.steps("certificate") as update:
            made = certify(proof, solver=solver, progress=update)
        made.write(path)
    except KeyboardInterrupt:
        show.note(f"the certificate was not written to {path}")
        raise


_LEAST = {
    "mean": "no strategy{} takes fewer",
    "worst": "no strategy{} has a better worst case, and none with that takes fewer",
    "solved": "no strategy{} finds more in time, and none that finds as many takes fewer",
}


def _print(proof: "Proof", asked: bool) -> None:
    game = proof.position.game
    out = show.console()
    count = len(proof.position.candidates)
    under = "" if game.is_uniform else ", under a prior"
    out.print(
        f"{game.name}, {game.mode} mode, {count} {'answer' if count == 1 else 'answers'},"
        f" {proof.openers} {'guess' if proof.openers == 1 else 'guesses'} to begin with{under}"
    )
    if proof.total is None:
        if proof.proved:
            turns = show.counted(proof.turns, "turn")
            out.print(f"[bold]proved[/bold]: no strategy finds every answer within {turns}")
            out.print("(--max-turns, --penalty and --objective solved say what is the best then)")
        else:
            out.print(f"stopped before a strategy was found: {_known(proof)}")
        return
    out.print(
        f"[bold]{proof.opener}[/bold]: {_guesses(proof, proof.total)}"
        f"{'' if not proof.failures else f', {_share(proof, proof.failures)} not found in time'}"
    )
    if proof.proved:
        out.print(
            "[bold]proved[/bold]: "
            + _LEAST[proof.objective.kind].format(" that begins so" if asked else "")
            + (f"; {proof.refuted} of {proof.openers} openers refuted" if proof.openers > 1 else "")
        )
    else:
        out.print(f"stopped: {_known(proof)}; {proof.refuted} of {proof.openers} openers refuted")
    if proof.tree is not None and proof.worst is not None:
        report = proof.tree.report()
        out.print("")
        for line in show.histogram(report.histogram, game.max_turns - proof.position.turn + 1):
            out.print(line)
        shallow = {
            "mean": "; no strategy with that total needs fewer",
            "worst": "; no strategy needs fewer",
            "solved": "",
        }[proof.objective.kind]
        if proof.objective.penalty is not None or not proof.shallowest:
            shallow = ""
        out.print(f"\nworst case {proof.worst} guesses{shallow}")
    if len(proof.top) > 1:
        rows = show.table("opener", "total", "mean")
        for guess, total in proof.top:
            rows.add_row(guess, str(total), _mean(proof, total, 6))
        out.print(rows)
    if proof.scale != count:
        out.print(f"[dim]totals are in weights that sum to {proof.scale}[/dim]")
    if proof.tolerance:
        what = "the share not found in time" if proof.objective.kind == "solved" else "the mean"
        out.print(f"[dim]the prior is rounded: {what} is exact to within {proof.tolerance:.1g}[/dim]")
    spent = f"{proof.seconds:.1f} s, {proof.cpu_seconds:.1f} s of processors"
    out.print(f"[dim]{proof.nodes} sets searched, {spent}[/dim]")


def _known(proof: "Proof") -> str:
    """Return what is certain of a proof that is not finished."""
    from sleuth.exact.proof import IMPOSSIBLE

    possible = proof.lower_bound < IMPOSSIBLE
    least = f"a mean below {_mean(proof, proof.lower_bound)} (at least {proof.lower_bound})"
    within = "no strategy finds every answer within {} guesses"
    match proof.objective.kind:
        case "worst" if possible:
            fewer = f"{within.format(proof.turns - 1)}, and none" if proof.turns > 1 else "no strategy"
            return f"{fewer} that does within {proof.turns} has {least}"
        case "solved" if possible:
            lost = _share(proof, proof.lower_failures or 0)
            return f"no strategy has less than {lost} not found in time, and none with so little has {least}"
        case "mean" if possible:
            return f"no strategy has {least}"
    return within.format(proof.turns)


def _mean(proof: "Proof", total: int, digits: int = 4) -> str:
    mean = proof.mean_of(total)
    return "undefined (no answer has any weight)" if mean is None else f"{mean:.{digits}f}"


def _guesses(proof: "Proof", total: int) -> str:
    if proof.scale == len(proof.position.candidates):
        return f"{total} {'guess' if total == 1 else 'guesses'}, mean [bold]{_mean(proof, total)}[/bold]"
    return f"mean [bold]{_mean(proof, total, 6)}[/bold]"


def _share(proof: "Proof", weight: int) -> str:
    return (
        str(weight) if proof.scale == len(proof.position.candidates) else show.percent(weight / proof.scale)
    )
