"""Planning for problems of adaptive control: methods side by side."""

from functools import partial
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sleuth.cli import compiling, completing, pomdps, show
from sleuth.cli.ending import File, end
from sleuth.cli.formats import with_format
from sleuth.cli.interrupts import finished_or_known
from sleuth.cli.listing import described, in_words
from sleuth.cli.options import Json
from sleuth.support.errors import SleuthError
from sleuth.support.files import check_writable
from sleuth.support.foreign import names_a_file
from sleuth.support.ranges import check_seconds
from sleuth.support.registry import unknown_name

if TYPE_CHECKING:
    from sleuth.planning.episodes import Score
    from sleuth.processes.comparing import Compared
    from sleuth.support.estimate import Estimate


_ONE = "--episode shows what one method does; give one --method"


@with_format
def plan(
    problem: Annotated[
        str | None,
        typer.Argument(
            help="A problem, with options as in 'rocksample(n=5,k=4)', a POMDP of the benchmark, as in tag,"
            " a .pomdp or .pomdpx file, or FILE.py:NAME; none to list all.",
            autocompletion=completing.problems,
        ),
    ] = None,
    method: Annotated[
        list[str] | None,
        typer.Option(
            "--method",
            help="A method, with options as in 'rollout(base=myopic)', or FILE.py:NAME; may be given again."
            " Several that suit most problems, unless given.",
            autocompletion=completing.methods,
        ),
    ] = None,
    episodes: Annotated[
        int | None,
        typer.Option(min=1, help="Episodes for each method, 100 unless given; POMDPs are not played."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Of the episodes, 0 unless given; all methods meet the same ones."),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(help="For a decision, of methods that search; they have limits of their own else."),
    ] = None,
    workers: Annotated[
        int,
        typer.Option(
            min=1,
            help="Processes that play episodes side by side; more than one measure their own processor time.",
        ),
    ] = 1,
    simulator: Annotated[
        str | None,
        typer.Option(
            help="Play in this problem, while methods plan for the first: what they are worth where it errs.",
            autocompletion=completing.controls,
        ),
    ] = None,
    policy: Annotated[
        Path | None,
        typer.Option(help="Write the policy for a POMDP that is laid out here, as JSON, once it is checked."),
    ] = None,
    episode: Annotated[
        Path | None,
        typer.Option(help="Write the first episode of the one method given, turn by turn, here: .html."),
    ] = None,
    json: Json = False,
) -> None:
    """Compare methods of adaptive control on a problem: cost, gap to the bound, time a decision.

    For a POMDP: bounds of the optimal value, and the first action.
    """
    from sleuth.planning.benchmark.problems import BenchmarkProblem, is_drawn
    from sleuth.planning.pomdps.model_files import MODELS

    check_seconds(seconds)
    if episode is not None:
        _check_episode(episode, problem, method or [])
    if problem is None:
        _list(json)
        return
    if not json:
        compiling.announce()
    given = _given(problem)
    drawn = is_drawn(given)
    if drawn or isinstance(given, BenchmarkProblem):
        for option, given_it in (("--workers", workers != 1), ("--simulator", simulator is not None)):
            if given_it:
                raise SleuthError(f"{option} does not go with {problem}, a POMDP, which is not played")
        if episodes is not None or (seed is not None and episode is None):
            raise SleuthError(
                "--episodes and --seed do not go with a file, which is not played; a search has a seed of its"
                " own, as in tree(seed=1), and sleuth check-policy plays a policy; --seed goes with --episode"
                if problem.endswith(MODELS)
                else f"--episodes and --seed do not go with {problem}; sleuth bench planning plays POMDPs"
            )
        if not drawn:
            pomdps.plan(problem, given.make, method or [], seconds, policy, episode, seed or 0, json)
            return
        if policy is not None:
            raise SleuthError(f"--policy does not go with {problem}, whose states are drawn")
        pomdps.plan_drawn(problem, given, method or [], seconds, episode, seed or 0, json)
        return
    if policy is not None:
        raise SleuthError(
            f"--policy goes with a POMDP that is laid out, such as a .pomdp file, not with {problem}"
        )
    if episode is not None and not method:
        raise SleuthError(_ONE)
    from sleuth.processes.comparing import Compared, Comparison, run

    asked = Comparison(
        problem,
        tuple(dict.fromkeys(method or ())),
        100 if episodes is None else episodes,
        0 if seed is None else seed,
        seconds,
        simulator,
    )
    with show.steps("episodes", remaining=True) as update:
        found, interrupted = finished_or_known(
            lambda: run(asked, made=given, workers=workers, recorded=episode is not None, progress=update),
            Compared,
        )
    if json:
        rows = [_plain(score, found.bound) for score in found.scores]
        show.as_json(
            {
                "problem": problem,
                "simulator": simulator,
                "bound": found.bound,
                "bound_estimated": found.estimated,
                "episodes": found.scores[0].episodes if found.scores else 0,
                "seed": asked.seed,
                "seconds": seconds,
                "interrupted": interrupted,
                "methods": rows,
            },
            rows,
        )
    else:
        _print(found, simulator)
    files: list[File] = []
    if found.episode is not None and episode is not None:
        files.append(("episode", episode, partial(pomdps.write_episode, found.episode, episode)))
    end(files, json, interrupted)


def _given(problem: str) -> Any:
    """Return a problem of adaptive control, a BenchmarkProblem, or one whose states are drawn.

    Names of control problems go before those of POMDPs. Raises SleuthError.
    """
    from sleuth.planning.benchmark.problems import SUMMARIES, BenchmarkProblem, problem_of
    from sleuth.planning.pomdps.model_files import MODELS
    from sleuth.planning.pomdps.pomdp import POMDP
    from sleuth.processes.problems import PROBLEMS
    from sleuth.support.specification import from_text

    if problem.endswith(MODELS) or (problem in SUMMARIES and problem not in PROBLEMS):
        return problem_of(problem)
    name = problem.partition("(")[0].strip()
    if name not in PROBLEMS and not names_a_file(name):
        if name in SUMMARIES:
            raise SleuthError(f"{name} takes no options; a file of Python may make another: FILE.py:NAME")
        raise unknown_name(PROBLEMS.kind, name, {*PROBLEMS, *SUMMARIES})
    given = from_text(PROBLEMS, problem, files=True)
    return BenchmarkProblem(problem, "", lambda: given) if isinstance(given, POMDP) else given


def _check_episode(path: Path, problem: str | None, methods: list[str]) -> None:
    """Raise SleuthError where no episode can be written: before the work is done."""
    from sleuth.planning.pomdps.model_files import MODELS

    if problem is None:
        raise SleuthError("--episode shows an episode of a problem; name one")
    unnamed_may_do = problem.endswith(MODELS) or pomdps.is_named(problem) or names_a_file(problem)
    if len(methods) > 1 or not (methods or unnamed_may_do):
        raise SleuthError(_ONE)
    if path.suffix.lower() != ".html":
        raise SleuthError(f"--episode {path} is no name for a page; it takes one that ends with .html")
    check_writable(path)


def _plain(score: "Score", bound: float | None) -> dict[str, Any]:
    ends, against = isfinite(score.mean), score.against
    return {
        "method": score.name,
        "mean": score.mean if ends else None,
        "standard_error": score.error if isfinite(score.error) else None,
        "gap": score.mean - bound if ends and bound is not None else None,
        "against_first": None if against is None else against.value,
        "against_first_error": against.error if against is not None and isfinite(against.error) else None,
        "seconds_per_decision": score.seconds,
        "decisions": score.decisions,
    }


def _print(found: "Compared", simulator: str | None) -> None:
    out = show.console()
    there = "" if simulator is None else f" in {simulator}"
    so_drawn = ", as estimated from draws" if found.estimated else ""
    bound = (
        "outcomes are continuous, so that no bound is known"
        if found.bound is None
        else f"no policy costs less than {found.bound:.4f} on average{there}{so_drawn}"
    )
    if not found.scores:
        out.print(f"[dim]{bound}; no episode was finished by all methods[/dim]")
        return
    table = show.table("method", "mean cost", "gap", "against first", "decisions", "ms each")
    for score in found.scores:
        ends, against = isfinite(score.mean), score.against
        table.add_row(
            score.name,
            _in_words(score.estimate) if ends else "does not end",
            f"{score.mean - found.bound:z.4f}" if ends and found.bound is not None else "",
            "" if against is None else _in_words(against, "+"),
            f"{score.decisions:.1f}",
            f"{1000 * score.seconds:.2f}",
        )
    out.print(table)
    played = show.counted(found.scores[0].episodes, "episode")
    out.print(f"[dim]{bound}; {played} each, intervals of 95 %[/dim]")


def _in_words(estimate: "Estimate", sign: str = "") -> str:
    within = f" ± {estimate.within:.4f}" if isfinite(estimate.within) else ""
    return f"{estimate.value:{sign}z.4f}{within}"


def _list(json: bool) -> None:
    from sleuth.planning.benchmark.problems import SUMMARIES
    from sleuth.planning.methods import METHODS
    from sleuth.processes.problems import PROBLEMS

    methods = {name: described(METHODS, name) for name in METHODS}
    summaries: dict[str, dict[str, str]] = {
        "problems": {name: entry.summary for name, entry in PROBLEMS.items()},
        "pomdps": {
            name: summary[0].lower() + summary[1:].rstrip(".")
            for name, summary in SUMMARIES.items()
            if name not in PROBLEMS
        },
        "methods": {name: entry["summary"] for name, entry in methods.items()},
    }
    if json:
        rows = [
            {"kind": kind, "name": name, "summary": summary}
            for kind, entries in summaries.items()
            for name, summary in entries.items()
        ]
        options = {name: entry["options"] for name, entry in methods.items()}
        show.as_json({**summaries, "options": options}, rows)
        return
    out = show.console()
    for kind, entries in summaries.items():
        out.print(f"[bold]{'POMDPs' if kind == 'pomdps' else kind.capitalize()}[/bold]")
        for name, summary in entries.items():
            out.print(f"  {name:<23} {summary}")
            if kind == "methods" and methods[name]["options"]:
                out.print(f"  {'':<23} [dim]{in_words(methods[name])}[/dim]")
