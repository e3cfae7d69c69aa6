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

_METHODS = ("myopic", "certainty-equivalence", "oracle-lookahead", "rollout", "tree")


@with_format
def plan(
    problem: Annotated[
        str | None,
        typer.Argument(
            help="A problem, with options as in 'rocksample(n=5,k=4)', a POMDP of the benchmark, as in tag,"
            " or a .pomdp or .pomdpx file; none to list all.",
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
        typer.Option(min=1, help="Episodes for each method, 100 unless given; files are not played."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Of the episodes, 0 unless given; all methods meet the same ones."),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(help="For a decision, of methods that search; they have limits of their own else."),
    ] = None,
    policy: Annotated[
        Path | None,
        typer.Option(help="Write the policy for a .pomdp or .pomdpx file here, as JSON, once it is checked."),
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
    from sleuth.planning.benchmark.problems import BenchmarkProblem
    from sleuth.planning.pomdps.drawn.problem import DrawnPomdp
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
    if isinstance(given, DrawnPomdp | BenchmarkProblem):
        if episodes is not None or (seed is not None and episode is None):
            raise SleuthError(
                "--episodes and --seed do not go with a file, which is not played; a search has a seed of its"
                " own, as in tree(seed=1), and sleuth check-policy plays a policy; --seed goes with --episode"
                if problem.endswith(MODELS)
                else f"--episodes and --seed do not go with {problem}; sleuth bench planning plays POMDPs"
            )
        if not isinstance(given, DrawnPomdp):
            pomdps.plan(problem, given.make, method or [], seconds, policy, episode, seed or 0, json)
            return
        if policy is not None or episode is not None:
            raise SleuthError(f"--policy and --episode do not go with {problem}, whose states are drawn")
        pomdps.plan_drawn(problem, given, method or [], seconds, json)
        return
    if policy is not None:
        raise SleuthError("--policy goes with a .pomdp or .pomdpx file")
    from sleuth.planning.control import is_listed, is_sampled
    from sleuth.planning.empirical import listed
    from sleuth.planning.episodes import compare
    from sleuth.planning.methods import method as method_of
    from sleuth.planning.methods import policy_of
    from sleuth.planning.oracle import Oracle
    from sleuth.planning.recording import Recorder
    from sleuth.planning.situation import start

    if not (is_listed(given) or is_sampled(given)):
        raise SleuthError(f"{problem} is no control problem, which has outcomes() or sample(), and no POMDP")
    episodes, seed = 100 if episodes is None else episodes, 0 if seed is None else seed
    stated = listed(given)
    recorder = None if episode is None else Recorder(stated)
    oracle = Oracle(stated)
    policies = {
        text: policy_of(method_of(text, files=True), stated, oracle, seconds) for text in method or _METHODS
    }
    bound = oracle(start(stated))
    with show.steps("episodes", remaining=True) as update:
        scores, interrupted = finished_or_known(
            lambda: compare(stated, policies, episodes, seed, update, recorder), list
        )
    done = scores[0].episodes
    if json:
        rows = [_plain(score, bound) for score in scores]
        show.as_json(
            {
                "problem": problem,
                "bound": bound,
                "bound_estimated": not is_listed(given),
                "episodes": done,
                "seed": seed,
                "seconds": seconds,
                "interrupted": interrupted,
                "methods": rows,
            },
            rows,
        )
    else:
        _print(scores, bound, done, estimated=not is_listed(given))
    files: list[File] = []
    if recorder is not None and episode is not None:
        played = partial(recorder.episode, problem, scores[0].name)
        files.append(("episode", episode, lambda: pomdps.write_episode(played(), episode)))
    end(files, json, interrupted)


def _given(problem: str) -> Any:
    """Return a problem of adaptive control, a BenchmarkProblem, or a DrawnPomdp.

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
    if len(methods) > 1 or not (methods or problem.endswith(MODELS) or pomdps.is_named(problem)):
        raise SleuthError("--episode shows what one method does; give one --method")
    if path.suffix.lower() != ".html":
        raise SleuthError(f"--episode {path} is no name for a page; it takes one that ends with .html")
    check_writable(path)


def _plain(score: "Score", bound: float) -> dict[str, Any]:
    return {
        "method": score.name,
        "mean": score.mean if isfinite(score.mean) else None,
        "standard_error": score.error if isfinite(score.error) else None,
        "gap": score.mean - bound if isfinite(score.mean) else None,
        "seconds_per_decision": score.seconds,
        "decisions": score.decisions,
    }


def _print(scores: "list[Score]", bound: float, episodes: int, estimated: bool) -> None:
    out = show.console()
    table = show.table("method", "mean cost", "± s.e.", "gap", "ms a decision", "decisions")
    for score in scores:
        table.add_row(
            score.name,
            f"{score.mean:z.4f}" if isfinite(score.mean) else "does not end",
            f"{score.error:.4f}" if isfinite(score.error) else "",
            f"{score.mean - bound:z.4f}" if isfinite(score.mean) else "",
            f"{1000 * score.seconds:.2f}",
            f"{score.decisions:.1f}",
        )
    out.print(table)
    so_drawn = ", as estimated from draws" if estimated else ""
    out.print(
        f"[dim]no policy costs less than {bound:.4f} on average{so_drawn}; {episodes} episodes each[/dim]"
    )


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
