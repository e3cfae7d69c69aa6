"""Planning for POMDPs: bounds of the optimal value, or a search, and the first action."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from sleuth.cli import show
from sleuth.cli.ending import File, end
from sleuth.cli.interrupts import finished_or_known
from sleuth.support.errors import SleuthError
from sleuth.support.files import check_writable, write_whole
from sleuth.support.foreign import names_a_file, no_exit
from sleuth.support.registry import unknown_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from sleuth.planning.methods import PomdpMethod
    from sleuth.planning.pomdps.drawn.problem import DrawnPomdp, StatedBounds
    from sleuth.planning.pomdps.online import Planner
    from sleuth.planning.pomdps.pomdp import POMDP
    from sleuth.planning.pomdps.sampled.problem import SampledPomdp
    from sleuth.planning.recording import Episode
    from sleuth.planning.searches import HsviMethod


def is_named(problem: str) -> bool:
    """Say whether a name is that of a POMDP of the benchmark; names of control problems go before."""
    from sleuth.planning.benchmark.problems import PROBLEMS as POMDPS
    from sleuth.processes.problems import PROBLEMS

    return problem in POMDPS and problem not in PROBLEMS


def plan(
    name: str,
    read: Callable[[], POMDP],
    methods: list[str],
    seconds: float | None,
    output: Path | None,
    episode: Path | None,
    seed: int,
    json: bool,
) -> None:
    """Print the first action, and what is known of the value.

    name: what the POMDP is called. read: returns it. methods: one, or none. seconds: to plan in. output:
    where to write the policy of hsvi. episode: where to write one, which is played by the seed. Raises
    SleuthError.
    """
    from sleuth.planning.methods import FOR_FILES, METHODS, planners_of, pomdp_method
    from sleuth.planning.pomdps.modelled import ModelledPomdp
    from sleuth.planning.searches import HsviMethod

    chosen = methods[0] if methods else "hsvi"
    called = chosen.partition("(")[0].strip()
    if called not in METHODS and not names_a_file(called):
        raise unknown_name("method", called, FOR_FILES)
    if len(methods) > 1 or not (called in FOR_FILES or names_a_file(called)):
        raise SleuthError(
            f"{name} is planned for by one method, {', '.join(FOR_FILES)} or FILE.py:NAME, not by"
            f" {' and '.join(methods)}"
        )
    given = pomdp_method(chosen, files=True)
    if isinstance(given, HsviMethod):
        given = given if seconds is None else replace(given, seconds=seconds)
        _bound(name, read, chosen, given, output, episode, seed, json)
        return
    if output is not None:
        raise SleuthError("--policy goes with the method hsvi: a search on line has no policy to write")
    pomdp = read()
    with no_exit(chosen):
        planners = planners_of(given, ModelledPomdp(pomdp), seconds=seconds)
        interrupted = _search(name, given, planners.new(0), pomdp.actions, _sizes(pomdp), json)
    played = None if interrupted else episode
    end(_episode(name, chosen, pomdp, lambda: planners.new(seed), seed, played), json, interrupted)


def plan_drawn(
    name: str,
    problem: DrawnPomdp | SampledPomdp,
    methods: list[str],
    seconds: float | None,
    episode: Path | None,
    seed: int,
    json: bool,
) -> None:
    """Print the first action in a problem whose states are drawn.

    seconds: to plan in. episode: where to write one, which is played by the seed, where Python draws. Raises
    SleuthError.
    """
    from sleuth.planning.methods import pomdp_method
    from sleuth.planning.pomdps.drawn.problem import DrawnPomdp
    from sleuth.planning.searches import DespotMethod, PomcpMethod

    chosen = methods[0] if methods else "despot" if isinstance(problem, DrawnPomdp) else "pomcp"
    given = pomdp_method(chosen, files=True)
    if len(methods) > 1 or not isinstance(given, DespotMethod | PomcpMethod):
        raise SleuthError(
            f"{name} is planned for by one method, pomcp or despot, since its states are drawn, not by"
            f" {' and '.join(methods)}"
        )
    planners = given.drawn_planners(problem, seconds)
    planner = planners.new(0)
    if isinstance(problem, DrawnPomdp):
        if episode is not None:
            raise SleuthError(f"--episode does not go with {name}, whose states are drawn by kernels")
        sizes = f"{len(problem.actions)} actions, {len(problem.observations)} observations; states are drawn"
        end([], json, _search(name, given, planner, problem.actions, sizes, json, problem.bounds))
        return
    actions = tuple(problem.in_words("action", action) for action in problem.actions)
    sizes = f"{len(actions)} actions; states and observations are drawn"
    interrupted = _search(name, given, planner, actions, sizes, json)
    played = None if interrupted else episode
    end(_episode(name, chosen, problem, lambda: planners.new(seed), seed, played), json, interrupted)


def write_episode(episode: Episode, path: Path) -> None:
    """Write an episode as a page. Raises OSError."""
    from sleuth.views.episode import page

    write_whole(path, page(episode).encode("utf-8", "replace"))


def _episode(
    name: str,
    method: str,
    problem: POMDP | SampledPomdp,
    planner: Callable[[], Planner],
    seed: int,
    path: Path | None,
) -> list[File]:
    """Return what plays and writes an episode, if one is wanted."""
    if path is None:
        return []
    from sleuth.planning.recording import record

    def write() -> None:
        with show.steps("turns") as update:
            # Either kind of problem takes planners by the numbers of actions.
            played = record(cast("Any", problem), planner(), seed, (name, method), progress=update)
        write_episode(played, path)

    return [("episode", path, write)]


def _search(
    name: str,
    given: PomdpMethod,
    planner: Any,
    actions: tuple[str, ...],
    sizes: str,
    json: bool,
    bounds: StatedBounds | None = None,
) -> bool:
    """Print what a planner does first, and what it knows of the value; return whether it was interrupted.

    bounds: of the optimal value, by proofs about the problem; they are worked out and printed, too.
    """
    from sleuth.planning.pomdps.online import check_planner, decide
    from sleuth.planning.searches import DespotMethod, PomcpMethod, TreeMethod
    from sleuth.support.indices import checked_index

    if not isinstance(given, TreeMethod | PomcpMethod | DespotMethod):  # of somebody's own
        check_planner(planner)
        number = checked_index(name, "action", decide(planner, None), len(actions))
        if json:
            row = {"problem": name, "action": actions[number], "interrupted": False}
            show.as_json(row, [row])
        else:
            out = show.console()
            out.print(sizes)
            out.print(f"first action: {actions[number]}", markup=False)
        return False
    what = "trials" if isinstance(given, DespotMethod) else "simulations"
    with show.steps(what, remaining=True) as update:
        found, interrupted = finished_or_known(lambda: planner.search(progress=update), planner.kind)
    optimum = None
    if bounds is not None and not interrupted:
        with show.steps("bounds") as update:
            try:
                optimum = bounds(progress=update)
            except KeyboardInterrupt:
                interrupted = True
    shown: Any = found
    action = actions[shown.action]
    if json:
        row = {"problem": name, **asdict(shown), "action": action, "interrupted": interrupted}
        if bounds is not None:
            least, most = optimum or (None, None)
            row |= {"optimum_at_least": least, "optimum_at_most": most}
        show.as_json(row, [row])
        return interrupted
    out = show.console()
    out.print(sizes)
    out.print(f"first action: {action}", markup=False)
    if isinstance(given, DespotMethod):
        proven = "" if given.hindsight else ", as estimated"
        scenarios = "the scenarios drawn" if given.scenarios is None else f"{given.scenarios} scenarios"
        out.print(
            f"the best policy for {scenarios}, less its size, is worth between"
            f" {shown.lower:.4f} and {shown.upper:.4f}{proven}"
        )
        done = show.counted(shown.trials, "trial")
    else:
        out.print(f"its value is estimated at {shown.value:.4f}")
        done = show.counted(shown.simulations, "simulation")
    if isinstance(given, TreeMethod):
        out.print(f"the optimal value lies between {shown.achieved:.4f} and {shown.bound:.4f}")
    if bounds is not None and optimum is None:
        out.print(f"bounds of the optimal value: {'interrupted' if interrupted else 'too much to work out'}")
    elif optimum is not None:
        out.print(f"the optimal value lies between {optimum[0]:.4f} and {optimum[1]:.4f}, proven")
    out.print(f"[dim]{done}, {shown.nodes} nodes, {shown.seconds:.1f} seconds{_full(shown)}[/dim]")
    return interrupted


def _full(found: Any) -> str:
    """Return what is told of a search that ended before it was to."""
    return "; it ended there, since its memory is full" if found.full else ""


def _sizes(pomdp: POMDP) -> str:
    return f"{len(pomdp.states)} states, {len(pomdp.actions)} actions, {len(pomdp.observations)} observations"


def _bound(
    name: str,
    read: Callable[[], POMDP],
    method: str,
    given: HsviMethod,
    output: Path | None,
    episode: Path | None,
    seed: int,
    json: bool,
) -> None:
    """Print bounds of the value and the first action."""
    from sleuth.planning.pomdps.checking import check_policy
    from sleuth.planning.pomdps.hsvi import HSVI, PomdpBounds
    from sleuth.planning.pomdps.modelled import ModelledPomdp

    pomdp = read()
    if output is not None:
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
        row = {"problem": name, **asdict(found), "gap": found.gap, "interrupted": interrupted}
        show.as_json(row, [row])
    else:
        out = show.console()
        out.print(_sizes(pomdp))
        out.print(f"the optimal value lies between {found.lower:.4f} and {found.upper:.4f}")
        out.print(f"first action: {found.action}", markup=False)
        out.print(
            f"[dim]gap {found.gap:.4f}, {show.counted(found.trials, 'trial')}, {found.vectors} vectors,"
            f" {found.seconds:.1f} seconds{_full(found)}[/dim]"
        )
    played = None if interrupted else episode
    end(
        _episode(
            name, method, pomdp, lambda: given.playing(search, ModelledPomdp(pomdp))(seed), seed, played
        ),
        json,
        interrupted,
    )
