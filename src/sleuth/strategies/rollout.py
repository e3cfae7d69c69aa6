"""Rollout: one step of policy improvement over any base strategy (Bhambri et al. 2022, sections 2 and 4)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from sleuth.games.frontier import Children, Frontier, Indices
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.games.strategy import BatchStrategy, Suggestion, best_of, choose_where_it_can, describe
from sleuth.strategies.chooser import batched
from sleuth.strategies.heuristics import ExpectedGuesses
from sleuth.strategies.values import expected, network
from sleuth.support.errors import StrategyError
from sleuth.support.ranges import check_range

Costs = NDArray[np.float64]
"""float64 [sets]: guesses summed over the answers of a set; under a prior, each weighted by its prior times
the number of answers of the game."""

_Memory = dict[tuple[BatchStrategy, float, int | Literal["none"]], dict[int, float]]
_MEMORY: WeakKeyDictionary[Game, _Memory] = WeakKeyDictionary()
_REMEMBERED = 4_000_000
# Candidates held at once, over all pairs of a set and a guess; bounds the memory when width is "all".
_AT_ONCE = 4_000_000


@dataclass(frozen=True)
class Rollout(BatchStrategy):
    """Take the guess after which the base strategy needs the fewest guesses, over all candidates.

    The guesses considered are the `width` best by the base's own score; each gets its exact Q-factor
    (equations 4 and 5): the prior-weighted mean, over every candidate as the answer, of the guesses needed
    when the base plays on. Since the base's own choice is among them, rollout is never worse than its base
    from the same position. Or play is cut short: what comes after a guess is a value network's opinion of the
    sets that it leaves, and no such promise holds.

    Attributes:
        base: the strategy to improve. One that only chooses will do, and so will a function of a position:
            see Chooser.
        width: how many guesses to consider, or "all".
        depth: how many guesses are optimised before the base, or the network, takes over, 1 or more.
        values: what the costs after them come from: "base", played to the end; or weights of a network, by
            name or file as Learned has them, which knows no limits on legal guesses (values.py: expected).
        penalty: the guesses that an answer counts as which is not found in time, as in exact play; "none": as
            many as it takes, as in the document. Play that is late already goes on without.

    """

    base: BatchStrategy = field(default_factory=ExpectedGuesses)
    width: int | Literal["all"] = 10
    depth: int = 1
    values: str = "base"
    penalty: int | Literal["none"] = "none"
    name: ClassVar[str] = "rollout"

    def __post_init__(self) -> None:
        object.__setattr__(self, "base", batched(self.base))
        if self.width != "all" and (isinstance(self.width, str) or self.width < 1):
            raise StrategyError(f"width must be a number from 1, or all, not {self.width!r}")
        check_range(self, "depth", least=1, error=StrategyError)
        if self.penalty != "none" and (isinstance(self.penalty, str) or self.penalty < 1):
            raise StrategyError(f"penalty must be a number from 1, or none, not {self.penalty!r}")

    @property
    def stationary(self) -> bool:
        return self.base.stationary and self.penalty == "none"

    @property
    def markov(self) -> bool:
        return self.base.markov

    def best(self, frontier: Frontier, k: int) -> Indices:
        return self.weigh(frontier, k)[0]

    def rank(self, position: Position, limit: int = 20) -> list[Suggestion]:
        """Return the best guesses, best first: at most `width`, since no others get a Q-factor."""
        frontier = Frontier.of(position)
        guesses, costs = self.weigh(frontier, limit)
        found = guesses[0] >= 0
        by = "rollout" if self.values == "base" else "network"
        means = costs[0, found] / (frontier.weights[0] or 1)
        return describe(position, guesses[0, found], means, by)

    def weigh(self, frontier: Frontier, k: int) -> tuple[Indices, Costs]:
        """Return the k best guesses of each set and what they cost, [sets, k], best first, then -1."""
        if self.markov:
            frontier = frontier.without_rows()
        considered = self.considered(frontier)
        which, column = np.nonzero(considered >= 0)
        guesses = considered[which, column]
        costs = np.empty(len(guesses))
        ends = np.cumsum(frontier.sizes[which])
        for part in np.split(np.arange(len(guesses)), np.searchsorted(ends, _cuts(ends))):
            if len(part):
                costs[part] = self.q_factors(frontier.take(which[part]), guesses[part])
        order, place = self.order(frontier, which, column, guesses, costs)
        place[np.isinf(costs[order])] = k
        out = np.full((len(frontier), k), -1, np.int32)
        values = np.full((len(frontier), k), np.inf)
        top = place < k
        out[which[order][top], place[top]] = guesses[order][top]
        values[which[order][top], place[top]] = costs[order][top]
        return out, values

    def considered(self, frontier: Frontier) -> Indices:
        """Return the guesses that get a Q-factor, int32 [sets, width], the base's best first, then -1."""
        if self.width != "all":
            return best_of(self.base, frontier, min(self.width, len(frontier.game.guesses)))
        if frontier.legal_starts is None or frontier.legal is None:
            return np.tile(np.arange(len(frontier.game.guesses), dtype=np.int32), (len(frontier), 1))
        counts = np.diff(frontier.legal_starts)
        out = np.full((len(frontier), max(1, counts.max())), -1, np.int32)
        out[np.arange(out.shape[1]) < counts[:, None]] = frontier.legal
        lone = frontier.sizes == 1
        out[lone, 0] = frontier.game.answer_guess[frontier.candidates[frontier.starts[:-1][lone]]]
        return out

    def q_factors(self, frontier: Frontier, guesses: Indices) -> Costs:
        """Return the cost of each set when it starts with this guess and the base, or the network, plays on.

        A guess that tells nothing costs infinitely much: among answers of no weight it would cost nothing,
        and be repeated for ever.
        """
        children = frontier.after(guesses)
        late = late_costs(children.frontier, self.penalty)
        if late is not None:
            below = late
        elif self.depth > 1 and len(children.frontier):
            below = replace(self, depth=self.depth - 1).weigh(children.frontier, 1)[1][:, 0]
        elif self.values == "base":
            below = costs_to_go(self.base, children.frontier, penalty=self.penalty)
        else:
            below = expected(children.frontier, network(self.values))
        costs = frontier.weights + np.bincount(children.parent, below, len(frontier))
        unchanged = children.frontier.sizes == frontier.sizes[children.parent]
        costs[children.parent[unchanged]] = np.inf
        return costs

    def order(
        self,
        frontier: Frontier,
        which: NDArray[np.int64],
        column: NDArray[np.int64],
        guesses: Indices,
        costs: Costs,
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the pairs in order of set, cost, candidates first, base's rank; and each one's place."""
        # Sums of weights in another order differ in their last bits: they tie.
        rounded = np.round(costs, 9)
        order = np.lexsort(
            (column, ~frontier.holds(which, frontier.game.guess_answer[guesses]), rounded, which)
        )
        return order, places(which[order])


def places(sets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the place of each item within its set, from 0. sets: each item's set, ascending."""
    return np.arange(len(sets)) - np.searchsorted(sets, sets)


def _cuts(ends: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where to cut running totals so that each part holds at most about _AT_ONCE."""
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(_AT_ONCE, total, _AT_ONCE)


def costs_to_go(
    strategy: BatchStrategy,
    frontier: Frontier,
    lone: float = 1.0,
    penalty: int | Literal["none"] = "none",
) -> Costs:
    """Return what the strategy costs from each set to the end, float64 [sets].

    lone: what the guess costs that names the only answer left. penalty: see Rollout. A set where the strategy
    finds no guess, or goes round for ever, is lost: it costs the penalty, and infinitely much without one.
    Costs are remembered by game, strategy, lone, penalty and set. Raises StrategyError for what is no guess.
    """
    if strategy.markov:
        frontier = frontier.without_rows()
    memories = _MEMORY.setdefault(frontier.game, {})
    memory = memories.setdefault((strategy, lone, penalty), {})
    if len(memory) > _REMEMBERED:
        memory.clear()
    return _costs(strategy, frontier, memory, lone, penalty)


def late_costs(frontier: Frontier, penalty: int | Literal["none"]) -> Costs | None:
    """Return what sets cost that are left when the last turn is over, float64 [sets]; None where it is not.

    The guesses made before count already. Raises StrategyError for a penalty that is no more than the turns.
    """
    turns = frontier.game.max_turns
    if penalty == "none":
        return None
    if penalty <= turns:
        raise StrategyError(
            f"the penalty is {penalty}; a failure counts as at least {turns + 1} guesses where there are"
            f" {turns} turns"
        )
    return frontier.weights * (penalty - turns) if frontier.turn == turns + 1 else None


def _lost(frontier: Frontier, penalty: int | Literal["none"]) -> Costs | float:
    """Return what sets cost that are given up, where late_costs has found the penalty good."""
    if penalty == "none":
        return np.inf
    return frontier.weights * (penalty - frontier.turn + 1)


def _unchanged(frontier: Frontier, children: Children) -> NDArray[np.intp]:
    """Return which children are the set they come from, with the same legal guesses."""
    parent = children.parent.astype(np.int64)
    same = np.flatnonzero(children.frontier.sizes == frontier.sizes[parent])
    found: NDArray[np.intp] = same[children.frontier.take(same).keys() == frontier.take(parent[same]).keys()]
    return found


def _costs(
    strategy: BatchStrategy,
    frontier: Frontier,
    memory: dict[int, float],
    lone: float,
    penalty: int | Literal["none"],
) -> Costs:
    costs = frontier.weights * lone
    open_ = np.flatnonzero(frontier.sizes > 1)
    if len(open_) == 0:
        return costs
    sets = frontier.take(open_)
    told = sets.keys() if strategy.markov else sets.histories()
    keys, first, inverse = np.unique(told, return_index=True, return_inverse=True)
    turn = 0 if strategy.stationary and penalty == "none" else sets.turn << 64
    known = np.array([memory.get(key + turn, np.nan) for key in keys.tolist()])
    missing = np.flatnonzero(np.isnan(known))
    if len(missing):
        todo = sets.take(first[missing])
        guesses = choose_where_it_can(strategy, todo)
        playable = np.flatnonzero(guesses >= 0)
        played = todo.take(playable)
        children = played.after(guesses[playable])
        below = late_costs(children.frontier, penalty)
        if below is None:
            below = np.zeros(len(children.frontier))
            if penalty == "none" and strategy.stationary and strategy.markov:
                below[_unchanged(played, children)] = np.inf  # the strategy guesses the same for ever
            on = np.flatnonzero(np.isfinite(below))
            below[on] = _costs(strategy, children.frontier.take(on), memory, lone, penalty)
        known[missing] = _lost(todo, penalty)
        known[missing[playable]] = played.weights + np.bincount(children.parent, below, len(played))
        for key, cost in zip(keys[missing].tolist(), known[missing].tolist(), strict=True):
            memory[key + turn] = cost
    costs[open_] = known[inverse]
    return costs
