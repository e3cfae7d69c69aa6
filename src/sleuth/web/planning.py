"""Episodes of planning problems, as jobs, and the problems and methods that there are for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any, get_args

from sleuth.planning.benchmark.problems import PROBLEMS, laid_out
from sleuth.planning.methods import METHODS, HsviMethod, pomdp_method
from sleuth.planning.pomdps.modelled import ModelledPomdp
from sleuth.planning.pomdps.online import Planner, decide
from sleuth.planning.recording import Episode, record
from sleuth.support.errors import SleuthError
from sleuth.support.progress import Progress, Watch
from sleuth.views.episode import beliefs
from sleuth.web.schemas import (
    MOST_PLANNED,
    MOST_PLANNING,
    EpisodeRequest,
    PlanningMethod,
    PlanningProblem,
)


def planning() -> dict[str, Any]:
    """Return the problems, the methods, each of which plays all of them, and what an episode may take."""
    return {
        "problems": [
            {"name": name, "title": PROBLEMS[name].title, "summary": PROBLEMS[name].summary}
            for name in get_args(PlanningProblem)
        ],
        "methods": [{"name": name, "summary": METHODS[name].summary} for name in get_args(PlanningMethod)],
        "seconds": MOST_PLANNING,
        "turns": MOST_PLANNED,
    }


def episode(request: EpisodeRequest, progress: Watch) -> dict[str, Any]:
    """Return an episode as plain values: numbers of its actions and, turn by turn, what came and is believed.

    progress: told of the turns played; its remark says what is done. Raises SleuthError.
    """
    total = len(request.actions) or request.turns

    def tell(done: int, remark: str) -> None:
        progress(Progress(done, total, remark))

    tell(0, "laying the problem out")
    modelled = laid_out(request.problem)
    if not request.actions:
        tell(0, "getting ready to plan")
    planner = _Told(_planner(request, modelled), request.seconds, tell)
    played = record(modelled.pomdp, planner, request.seed, (request.problem, request.method), total)
    return _plain(played, modelled.pomdp.actions, PROBLEMS[request.problem].words)


def _planner(request: EpisodeRequest, modelled: ModelledPomdp) -> Planner:
    if request.actions:
        return _Again(request.actions, modelled.pomdp.actions)
    method = pomdp_method(request.method)
    if isinstance(method, HsviMethod):
        method = replace(method, seconds=request.seconds * request.turns)
    return PROBLEMS[request.problem].planners(method, modelled, request.seconds).new(request.seed)


class _Again:
    """A planner that does what was done before. Raises SleuthError for what is no action."""

    def __init__(self, chosen: Sequence[int], actions: Sequence[str]) -> None:
        for action in chosen:
            if action >= len(actions):
                raise SleuthError(f"there is no action {action}: actions are 0 to {len(actions) - 1}")
        self._left: Iterator[int] = iter(chosen)

    def choose(self) -> int:
        return next(self._left)

    def observe(self, action: int, observation: int) -> None:
        pass


class _Told:
    """A planner that has so many seconds for a decision, and tells how many it has made."""

    def __init__(self, planner: Planner, seconds: float, tell: Callable[[int, str], None]) -> None:
        self._planner, self._seconds, self._tell, self._made = planner, seconds, tell, 0
        self.observe = planner.observe

    def choose(self) -> int:
        self._tell(self._made, "playing")
        self._made += 1
        return decide(self._planner, self._seconds)


def _plain(played: Episode, actions: Sequence[str], words: Callable[[str], str]) -> dict[str, Any]:
    first, *others = (
        {
            "belief": [asdict(share) | {"name": words(share.name)} for share in shares],
            "rest": None if rest is None else asdict(rest),
        }
        for shares, rest in beliefs(played)
    )
    turns = []
    total = 0.0
    for turn, discounted, belief in zip(played.turns, played.sums, others, strict=True):
        total += turn.amount
        turns.append(
            {
                **{"action": turn.action, "observation": words(turn.observation)},
                **{"hidden": words(turn.hidden)},
                **{"reward": turn.amount, "sum": total, "discounted": discounted},
                **belief,
            }
        )
    return {
        **{"problem": played.problem, "method": played.method, "discount": played.discount},
        "actions": [actions.index(turn.action) for turn in played.turns],
        "start": {"hidden": words(played.hidden), **first},
        "turns": turns,
    }
