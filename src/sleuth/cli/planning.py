"""Planning for problems of adaptive control: methods side by side."""

from dataclasses import asdict
from functools import partial
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sleuth.cli import compiling, completing, show
from sleuth.cli.ending import File, end
from sleuth.cli.formats import with_format
from sleuth.cli.interrupts import finished_or_known
from sleuth.cli.options import Json
from sleuth.support.errors import SleuthError
from sleuth.support.files import check_writable, write_whole
from sleuth.support.registry import unknown_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from sleuth.planning.episodes import Score
    from sleuth.planning.methods import HsviMethod
    from sleuth.planning.pomdps.online import Planner
    from sleuth.planning.pomdps.pomdp import POMDP
    from sleuth.planning.recording import Episode

_METHODS = ("myopic", "certainty-equivalence", "oracle-lookahead", "rollout", "avts")


@with_format
def plan(
    problem: Annotated[
        str | None,
        typer.Argument(
            help="A problem, with options as in 'rocksample(n=5,k=4)', or a .pomdp or .pomdpx file;"
            " none to list all.",
            autocompletion=completing.problems,
        ),
    ] = None,
    method: Annotated[
        list[str] | None,
        typer.Option(
            "--method",
            help="A method, with options as in 'rollout(base=myopic)'; may be given again."
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

    For a .pomdp or .pomdpx file: bounds of the optimal value, and the first action.
    """
    from sleuth.planning.methods import METHODS
    from sleuth.planning.pomdps.model_files import MODELS
    from sleuth.processes.problems import PROBLEMS

    if episode is not None:
        _check_episode(episode, problem, method or [])
    if problem is None:
        _list({"problems": PROBLEMS, "methods": METHODS}, json)
        return
    if not json:
        compiling.announce()
    if problem.endswith(MODELS):
        if episodes is not None or (seed is not None and episode is None):
            raise SleuthError(
                "--episodes and --seed do not go with a file, which is not played; a search has a seed of its"
                " own, as in tree(seed=1), and sleuth check-policy plays a policy; --seed goes with --episode"
            )
        _plan_file(problem, method or ["hsvi"], policy, episode, seed or 0, json)
        return
    if policy is not None:
        raise SleuthError("--policy goes with a .pomdp or .pomdpx file")
    from sleuth.planning.control import is_listed, is_sampled
    from sleuth.planning.empirical import listed
    from sleuth.planning.episodes import compare
    from sleuth.planning.methods import method as method_of
    from sleuth.planning.oracle import Oracle
    from sleuth.planning.recording import Recorder
    from sleuth.planning.situation import start
    from sleuth.support.specification import from_text

    given = from_text(PROBLEMS, problem, files=True)
    if not (is_listed(given) or is_sampled(given)):
        raise SleuthError(f"{problem} is no control problem: it has neither outcomes() nor sample()")
    episodes, seed = 100 if episodes is None else episodes, 0 if seed is None else seed
    stated = listed(given)
    recorder = None if episode is None else Recorder(stated)
    oracle = Oracle(stated)
    policies = {text: method_of(text, files=True).policy(stated, oracle) for text in method or _METHODS}
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
        files.append(("episode", episode, lambda: _write_episode(played(), episode)))
    end(files, json, interrupted)


def _check_episode(path: Path, problem: str | None, methods: list[str]) -> None:
    """Raise SleuthError where no episode can be written: before the work is done."""
    from sleuth.planning.pomdps.model_files import MODELS

    if problem is None:
        raise SleuthError("--episode shows an episode of a problem; name one")
    if len(methods) > 1 or not (methods or problem.endswith(MODELS)):
        raise SleuthError("--episode shows what one method does; give one --method")
    if path.suffix.lower() != ".html":
        raise SleuthError(f"--episode {path} is no name for a page; it takes one that ends with .html")
    check_writable(path)


def _write_episode(episode: "Episode", path: Path) -> None:
    """Write an episode as a page. Raises OSError."""
    from sleuth.views.episode import page

    write_whole(path, page(episode).encode("utf-8", "replace"))


def _episode_of_file(
    file: str, method: str, pomdp: "POMDP", planner: "Callable[[], Planner]", seed: int, path: Path | None
) -> list[File]:
    """Return what plays and writes an episode for a file, if one is wanted."""
    if path is None:
        return []
    from sleuth.planning.recording import record

    return [("episode", path, lambda: _write_episode(record(pomdp, planner(), seed, (file, method)), path))]


def _plan_file(
    file: str, methods: list[str], output: Path | None, episode: Path | None, seed: int, json: bool
) -> None:
    """Print the first action for a file, and what is known of the value."""
    from sleuth.planning.methods import FOR_FILES, METHODS, DespotMethod, HsviMethod, PomcpMethod, TreeMethod
    from sleuth.planning.methods import method as method_of

    name = methods[0].partition("(")[0].strip()
    if name not in METHODS:
        raise unknown_name("method", name, FOR_FILES)
    given = method_of(methods[0])
    if len(methods) > 1 or not isinstance(given, HsviMethod | TreeMethod | PomcpMethod | DespotMethod):
        raise SleuthError(
            "a .pomdp or .pomdpx file is planned for by one method: hsvi, tree, pomcp or despot"
        )
    if isinstance(given, HsviMethod):
        _bound_file(file, methods[0], given, output, episode, seed, json)
        return
    if output is not None:
        raise SleuthError("--policy goes with the method hsvi: a search on line has no policy to write")
    from sleuth.planning.pomdps.model_files import read_model
    from sleuth.planning.pomdps.modelled import ModelledPomdp

    pomdp = read_model(file)
    planners = given.planners(ModelledPomdp(pomdp))
    planner: Any = planners.new(0)
    what = "trials" if isinstance(given, DespotMethod) else "simulations"
    with show.steps(what, remaining=True) as update:
        found, interrupted = finished_or_known(lambda: planner.search(progress=update), planner.kind)
    action = pomdp.actions[found.action]
    if json:
        plain = {**asdict(found), "action": action}
        row = {"problem": file, **plain, "interrupted": interrupted}
        show.as_json(row, [row])
    else:
        out = show.console()
        out.print(_sizes(pomdp))
        out.print(f"first action: {action}", markup=False)
        if isinstance(given, DespotMethod):
            proven = "" if given.hindsight else ", as estimated"
            out.print(
                f"the best policy for {given.scenarios} scenarios, less its size, is worth between"
                f" {found.lower:.4f} and {found.upper:.4f}{proven}"
            )
            done = show.counted(found.trials, "trial")
        else:
            out.print(f"its value is estimated at {found.value:.4f}")
            done = show.counted(found.simulations, "simulation")
        if isinstance(given, TreeMethod):
            out.print(f"the optimal value lies between {found.achieved:.4f} and {found.bound:.4f}")
        out.print(f"[dim]{done}, {found.nodes} nodes, {found.seconds:.1f} seconds[/dim]")
    played = None if interrupted else episode
    end(
        _episode_of_file(file, methods[0], pomdp, lambda: planners.new(seed), seed, played), json, interrupted
    )


def _sizes(pomdp: "POMDP") -> str:
    return f"{len(pomdp.states)} states, {len(pomdp.actions)} actions, {len(pomdp.observations)} observations"


def _bound_file(
    file: str,
    method: str,
    given: "HsviMethod",
    output: Path | None,
    episode: Path | None,
    seed: int,
    json: bool,
) -> None:
    """Print bounds of the value of a file and the first action."""
    from sleuth.planning.pomdps.checking import check_policy
    from sleuth.planning.pomdps.hsvi import HSVI, PomdpBounds
    from sleuth.planning.pomdps.model_files import read_model
    from sleuth.planning.pomdps.online import VectorPlanner

    pomdp = read_model(file)
    if output is not None:
        if output.resolve() == Path(file).resolve():
            raise SleuthError(f"--policy {output} is the file that is planned for; give it another name")
        check_writable(output)
    search = HSVI(pomdp)
    with show.steps("trials") as update:
        found, interrupted = finished_or_known(
            lambda: search.run(given.seconds, given.gap, progress=update), PomdpBounds
        )
    if output is not None:
        policy = search.policy()
        check_policy(pomdp, policy)
        policy.save(output)
    if json:
        row = {"problem": file, **asdict(found), "gap": found.gap, "interrupted": interrupted}
        show.as_json(row, [row])
    else:
        out = show.console()
        out.print(_sizes(pomdp))
        out.print(f"the optimal value lies between {found.lower:.4f} and {found.upper:.4f}")
        out.print(f"first action: {found.action}", markup=False)
        out.print(
            f"[dim]gap {found.gap:.4f}, {show.counted(found.trials, 'trial')}, {found.vectors} vectors,"
            f" {found.seconds:.1f} seconds[/dim]"
        )
    played = None if interrupted else episode
    end(
        _episode_of_file(file, method, pomdp, lambda: VectorPlanner(pomdp, search.policy()), seed, played),
        json,
        interrupted,
    )


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
            f"{score.mean:.4f}" if isfinite(score.mean) else "does not end",
            f"{score.error:.4f}" if isfinite(score.error) else "",
            f"{score.mean - bound:.4f}" if isfinite(score.mean) else "",
            f"{1000 * score.seconds:.2f}",
            f"{score.decisions:.1f}",
        )
    out.print(table)
    so_drawn = ", as estimated from draws" if estimated else ""
    out.print(
        f"[dim]no policy costs less than {bound:.4f} on average{so_drawn}; {episodes} episodes each[/dim]"
    )


def _list(registries: dict[str, Any], json: bool) -> None:
    if json:
        show.as_json(
            {
                kind: {name: entry.summary for name, entry in entries.items()}
                for kind, entries in registries.items()
            },
            [
                {"kind": kind, "name": name, "summary": entry.summary}
                for kind, entries in registries.items()
                for name, entry in entries.items()
            ],
        )
        return
    out = show.console()
    for kind, entries in registries.items():
        out.print(f"[bold]{kind.capitalize()}[/bold]")
        for name, entry in entries.items():
            out.print(f"  {name:<23} {entry.summary}")
