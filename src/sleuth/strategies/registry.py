"""The strategies that ship with Sleuth, by name, and how they are made from text.

Other packages add theirs by entry points of the group sleuth.strategies, other programs with
STRATEGIES.register.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from sleuth.games.players import as_class, as_player
from sleuth.games.strategy import BatchStrategy, Strategy, check_ties
from sleuth.strategies.chooser import Chooser, batched
from sleuth.support.errors import SleuthError, StrategyError
from sleuth.support.registry import Registry
from sleuth.support.specification import from_text, option_fields

T = TypeVar("T")

STRATEGIES: Registry[type[Any]] = Registry("strategy", group="sleuth.strategies", adapt=as_class)
for _name, _target, _summary in (
    ("information-gain", "strategies.heuristics:InformationGain", "most information in bits (MIG)"),
    (
        "most-rapid-decrease",
        "strategies.heuristics:MostRapidDecrease",
        "fewest candidates left on average (MRD)",
    ),
    (
        "greatest-expected-probability",
        "strategies.heuristics:GreatestExpectedProbability",
        "best chance to be right one guess later (GEP)",
    ),
    (
        "alpha",
        "strategies.heuristics:Alpha",
        "Short's family: alpha=1 is MRD, alpha=-1 GEP, 0 MIG, with his tie-breaks",
    ),
    (
        "alpha-fds",
        "strategies.discernible:AlphaFds",
        "alpha, with sets that one guess tells apart counted as small",
    ),
    ("worst-case", "strategies.heuristics:WorstCase", "smallest largest class (Knuth)"),
    ("expected-guesses", "strategies.heuristics:ExpectedGuesses", "fewest guesses by the entropic estimate"),
    ("most-hints", "strategies.heuristics:MostHints", "most greens and yellows, for people"),
    ("random", "strategies.heuristics:Random", "a candidate at random"),
    ("rollout", "strategies.rollout:Rollout", "the best guess when a base strategy plays on after it"),
    (
        "beam",
        "exact.beam:Beam",
        "near-optimal play in a tenth of a second, never worse than a quick heuristic",
    ),
    (
        "most-found",
        "exact.most_found:MostFound",
        "beam that finds as many answers as it can within the turns, where not all can be",
    ),
    ("learned", "learning.strategies:Learned", "a network over candidate sets, and nothing else"),
    (
        "learned+search",
        "learning.strategies:LearnedSearch",
        "learned, with one-step lookahead by its value network",
    ),
    (
        "document-003",
        "learning.strategies:LearnedLetters",
        "Weaver's network: what rows told of the letters",
    ),
    (
        "letter-pairs",
        "learning.strategies:LearnedPairs",
        "a network for any list: what letters tell together",
    ),
    ("avts", "processes.avts:Avts", "Action Value Tree Search, so many iterations a guess"),
    ("exact", "exact.strategy:Exact", "optimal play, proven, where the time suffices"),
    (
        "minimax",
        "strategies.game_tree:Minimax",
        "guesser against indicator: the best guess at the worst feedback",
    ),
    ("alpha-beta", "strategies.game_tree:AlphaBeta", "minimax with fewer nodes"),
    ("expectimax", "strategies.game_tree:Expectimax", "guesser against indicator: the best guess on average"),
    (
        "decision-tree",
        "strategies.game_tree:DecisionTreeAgent",
        "the candidate evaluated highest (Shtrasner et al. 2022)",
    ),
    ("schedule", "strategies.schedule:Schedule", "a strategy for each turn"),
    ("portfolio", "strategies.portfolio:Portfolio", "of several strategies the best one in every set"),
):
    STRATEGIES.register(_name, f"sleuth.{_target}", _summary)


def make(specification: str, options: Mapping[str, Any] | None = None, *, files: bool = False) -> Strategy:
    """Return a strategy by its name, with options as text or as values.

    Options of strategies within strategies go into parentheses; a slash separates the strategies of a
    schedule or a portfolio. files: whether a name may be FILE.py:NAME, a class or a function of a position in
    a file of Python; the file is run, so never allow it to others.

    Raises UnknownNameError for a name or option that does not exist, SleuthError for a value that an option
    does not take, StrategyError for what does not play.

    >>> make("rollout", {"base": "alpha(alpha=-1)", "width": "20"})
    Rollout(base=Alpha(ties='candidates-first', alpha=-1.0), width=20, depth=1, values='base', penalty='none')
    """

    def base(what: str, value: Any) -> BatchStrategy:
        try:
            return batched(make(value, files=files) if isinstance(value, str) else value)
        except StrategyError as error:
            raise StrategyError(f"{what}: {error}") from None

    made: Strategy = from_text(STRATEGIES, specification, options, {BatchStrategy: base}, files=files)
    as_player(made)
    return made


def with_ties(strategy: Strategy, ties: str) -> Strategy:
    """Return the strategy with another tie rule, or with bases that have it. Raises SleuthError."""
    if next(holders(strategy, "ties"), None) is None:
        raise SleuthError(f"{strategy.name} has no tie rule")
    check_ties(ties)
    return with_option(strategy, "ties", ties)


def holders(strategy: Any, key: str) -> Iterator[Any]:
    """Yield what has an option of that name: the strategy itself, or else the strategies within it."""
    known = option_fields(type(strategy))
    if key in known:
        yield strategy
    else:
        for name in known:
            for one in _within(strategy, name):
                yield from holders(one, key)


def with_option(strategy: T, key: str, value: Any) -> T:
    """Return the strategy with another value of an option, wherever holders() finds it."""
    known = option_fields(type(strategy))
    if key in known:
        return replace(strategy, **{key: value})  # type: ignore[type-var]
    changed: dict[str, Any] = {}
    for name in known:
        if any(next(holders(one, key), None) is not None for one in _within(strategy, name)):
            inner = tuple(with_option(one, key, value) for one in _within(strategy, name))
            changed[name] = inner if isinstance(getattr(strategy, name), tuple) else inner[0]
    return replace(strategy, **changed) if changed else strategy  # type: ignore[type-var]


def _within(strategy: Any, name: str) -> tuple[Any, ...]:
    """Return the strategies that an option holds: one, several, or none."""
    value = getattr(strategy, name)
    held = value if isinstance(value, tuple) else (value,)
    return tuple(
        one.given if isinstance(one, Chooser) else one for one in held if isinstance(one, BatchStrategy)
    )


def strategies() -> dict[str, str]:
    """Return what each strategy is, in a line, by its name: what make(), evaluate() and commands take.

    The package of this name is reached by `from sleuth.strategies import ...`.

    >>> strategies()["worst-case"]
    'smallest largest class (Knuth)'
    """
    return {name: entry.summary for name, entry in STRATEGIES.items()}
