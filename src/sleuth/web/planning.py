"""Episodes of planning problems, as jobs, and the problems and methods that there are for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any, get_args

from sleuth.planning.benchmark.problems import PROBLEMS, BenchmarkProblem
from sleuth.planning.control import AdaptiveControl
from sleuth.planning.methods import METHODS, method, pomdp_method
from sleuth.planning.oracle import Oracle
from sleuth.planning.policy import Policy
from sleuth.planning.pomdps.modelled import ModelledPomdp
from sleuth.planning.pomdps.online import Planner, decide
from sleuth.planning.recording import Episode, record
from sleuth.planning.searches import HsviMethod
from sleuth.planning.situation import Situation
from sleuth.processes.problems import PROBLEMS as CONTROLS
from sleuth.support.errors import SleuthError
from sleuth.support.progress import Progress, Watch
from sleuth.support.specification import from_text
from sleuth.views.episode import beliefs
from sleuth.web.schemas import (
    MOST_PLANNED,
    MOST_PLANNING,
    ControlMethod,
    ControlProblem,
    EpisodeRequest,
    PomdpMethod,
    PomdpProblem,
)


@dataclass(frozen=True)
class _Control:
    """A problem of adaptive control: what it is called, what it is about, and how it is made."""

    title: str
    summary: str
    made: str


_CONTROLS = {
    "wordle": _Control("Wordle", "Which of 20 words is the answer, by guesses.", "wordle(every=116)"),
    "mastermind": _Control("Mastermind", "Which code of two pegs it is, by guesses.", "mastermind"),
    "hidden-objects": _Control(
        "Hidden object",
        "In which cell of a grid it lies, with a sensor that misses it at times.",
        "hidden-objects",
    ),
    "navigation": _Control("Maze", "To the goal of a maze that is one of four.", "navigation"),
    "linear-quadratic": _Control(
        "Plant", "A plant to be held near zero, and the sign of what one does is unknown.", "linear-quadratic"
    ),
}


def planning() -> dict[str, Any]:
    """Return the problems, each with the methods that play it, the methods, and what an episode may take."""

    def told(name: str, one: BenchmarkProblem | _Control, amounts: str, methods: object) -> dict[str, Any]:
        plain = {"name": name, "title": one.title, "summary": one.summary, "amounts": amounts}
        return {**plain, "methods": get_args(methods), "timed": not isinstance(one, _Control)}

    return {
        "problems": [
            *(told(name, PROBLEMS[name], "reward", PomdpMethod) for name in get_args(PomdpProblem)),
            *(told(name, _CONTROLS[name], "cost", ControlMethod) for name in get_args(ControlProblem)),
        ],
        "methods": [
            {"name": name, "summary": METHODS[name].summary}
            for name in dict.fromkeys(get_args(PomdpMethod) + get_args(ControlMethod))
        ],
        "seconds": MOST_PLANNING,
        "turns": MOST_PLANNED,
    }


def episode(request: EpisodeRequest, progress: Watch) -> dict[str, Any]:
    """Return an episode as plain values: numbers of its actions and, turn by turn, what came and is believed.

    An action of adaptive control has its number among those of its state. progress: told of the turns
    played; its remark says what is done. Raises SleuthError.
    """
    total = len(request.actions) or request.turns

    def tell(done: int, remark: str) -> None:
        progress(Progress(done, total, remark))

    tell(0, "laying the problem out")
    return (_controlled if request.problem in _CONTROLS else _of_pomdp)(request, total, tell)


def _of_pomdp(request: EpisodeRequest, total: int, tell: Callable[[int, str], None]) -> dict[str, Any]:
    modelled = _laid_out(request.problem)
    if not request.actions:
        tell(0, "getting ready to plan")
    planner = _Told(_planner(request, modelled), request.seconds, tell)
    played = record(modelled.pomdp, planner, request.seed, (request.problem, request.method), total)
    actions = [modelled.pomdp.actions.index(turn.action) for turn in played.turns]
    return _plain(played, actions, PROBLEMS[request.problem].words)


@lru_cache(maxsize=1)
def _laid_out(problem: str) -> ModelledPomdp:
    """Return a problem laid out; that of the last one is kept."""
    return ModelledPomdp(PROBLEMS[problem].make())


def _controlled(request: EpisodeRequest, total: int, tell: Callable[[int, str], None]) -> dict[str, Any]:
    problem: AdaptiveControl = from_text(CONTROLS, _CONTROLS[request.problem].made)
    by = None
    if not request.actions:
        tell(0, "getting ready to plan")
        by = method(request.method).policy(problem, Oracle(problem))
    numbered = _Numbered(problem, by, request.actions, tell)
    played = record(problem, numbered, request.seed, (request.problem, request.method), total)
    return _plain(played, numbered.made, str)


def _planner(request: EpisodeRequest, modelled: ModelledPomdp) -> Planner:
    if request.actions:
        return _Again(request.actions, modelled.pomdp.actions)
    chosen = pomdp_method(request.method)
    if isinstance(chosen, HsviMethod):
        chosen = replace(chosen, seconds=request.seconds * request.turns)
    return PROBLEMS[request.problem].planners(chosen, modelled, request.seconds).new(request.seed)


def _check_action(action: int, count: int) -> None:
    if action >= count:
        raise SleuthError(f"there is no action {action}: actions are 0 to {count - 1}")


class _Again:
    """A planner that does what was done before. Raises SleuthError for what is no action."""

    def __init__(self, chosen: Sequence[int], actions: Sequence[str]) -> None:
        for action in chosen:
            _check_action(action, len(actions))
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


class _Numbered:
    """A policy that notes the numbers of its controls among those of their states, and tells how many.

    It does what was done before where that is given, else what another policy does.
    """

    def __init__(
        self,
        problem: AdaptiveControl,
        policy: Policy | None,
        before: Sequence[int],
        tell: Callable[[int, str], None],
    ) -> None:
        self._problem, self._policy, self._left, self._tell = problem, policy, iter(before), tell
        self.made: list[int] = []

    def choose(self, situation: Situation) -> Any:
        self._tell(len(self.made), "playing")
        controls = list(self._problem.controls(situation.state))
        if self._policy is None:
            number = next(self._left)
            _check_action(number, len(controls))
        else:
            number = controls.index(self._policy.choose(situation))
        self.made.append(number)
        return controls[number]


def _plain(played: Episode, actions: Sequence[int], words: Callable[[str], str]) -> dict[str, Any]:
    first, *others = (
        {
            "belief": [asdict(share) | {"name": words(share.name)} for share in shares],
            "rest": None if rest is None else asdict(rest),
        }
        for shares, rest in beliefs(played)
    )
    turns: list[dict[str, Any]] = []
    total = 0.0
    for turn, discounted, belief in zip(played.turns, played.sums, others, strict=True):
        total += turn.amount
        turns.append(
            {
                **{"action": turn.action, "observation": words(turn.observation)},
                **{"hidden": words(turn.hidden)},
                **{"amount": turn.amount, "sum": total, "discounted": discounted},
                **belief,
            }
        )
    turns[-1]["sum"] += played.final
    return {
        **{"problem": played.problem, "method": played.method, "discount": played.discount},
        **{"amounts": played.amounts, "final": played.final, "actions": list(actions)},
        "start": {"hidden": words(played.hidden), "observation": words(played.seen), **first},
        "turns": turns,
    }
