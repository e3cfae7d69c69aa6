"""Beam search: near-optimal play in a tenth of a second, by the bounds that exact play is proven with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import ClassVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from sleuth.exact.solver import Solver
from sleuth.exact.solvers import lent, solver_of
from sleuth.games.frontier import Frontier, Indices
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.games.strategy import BatchStrategy, Suggestion, describe
from sleuth.strategies.heuristics import (
    Alpha,
    ExpectedGuesses,
    GreatestExpectedProbability,
    Heuristic,
    InformationGain,
    MostHints,
    MostRapidDecrease,
    WorstCase,
)
from sleuth.support.errors import StrategyError, UnfinishedError
from sleuth.support.ranges import MOST_MEMORY, check_range

Sums = NDArray[np.float64]
"""Weights summed, float64: integers, and infinite where play has no end."""

_MEGABYTE = 2**20
_REMEMBERED = 2_000_000
# In sets with more codes than that (candidates times guesses) asking the heuristics takes many seconds: there
# the beam is believed, and tests hold it to the heuristics on the lists that ship with Sleuth.
_ASKED_UP_TO = 30_000_000
# Beyond so many turns what beam search says is believed as it is.
_DEEPEST = 100

_Plans = dict[tuple[int, int], tuple[int, float, float]]
"""By set and turn: the guess, the weight that is lost, the total; both as the plan is played to its end."""
_PLANS: WeakKeyDictionary[Game, dict[tuple[int | str, ...], _Plans]] = WeakKeyDictionary()


def quick_heuristics(game: Game) -> tuple[Heuristic, ...]:
    """Return the one-step strategies that a game has; beam search is never worse than any of them."""
    hints = (MostHints(),) if len(game.rules.hints) else ()
    return (
        InformationGain(),
        ExpectedGuesses(),
        MostRapidDecrease(),
        GreatestExpectedProbability(),
        Alpha(),
        WorstCase(),
        *hints,
    )


@dataclass(frozen=True)
class Beam(BatchStrategy):
    """Follow the most promising guesses to the end of the game, and take the best.

    In every set the guesses are bounded from below by one scan, as in exact play; of so many `looked` at, the
    classes are bounded too, and the `width` best by that are followed, half as many of them one turn later.
    Where bounds show that no other guess is better, the search of a set ends: what is found there is optimal.
    The turns of the game are kept to where some guess followed does.

    Where bounds do not show it, the guesses of the quick heuristics are tried too, by what this strategy
    itself takes after them. So in every position with up to thirty million codes (candidates times guesses:
    all positions of lists of 5400 words, and those of 2000 candidates among 15000 guesses) it loses no more
    of the answers, by their weight, than any of these heuristics, and where it loses as many, takes no more
    guesses.

    Attributes:
        width: guesses followed in a set.
        looked: guesses whose classes are bounded.
        memory: MiB for the table of bounds.

    """

    width: int = 4
    looked: int = 8
    memory: int = 256
    name: ClassVar[str] = "beam"

    def __post_init__(self) -> None:
        check_range(self, "width", "looked", "memory", least=1, error=StrategyError)
        check_range(self, "memory", most=MOST_MEMORY, error=StrategyError)

    @property
    def stationary(self) -> bool:
        return False

    @contextmanager
    def within(self, game: Game, seconds: float) -> Iterator[BeamWithin]:
        """Lend this strategy, for one game, until the time is up; then it raises UnfinishedError.

        What it finds in time is as good as ever. Its table of bounds is another one than that of this
        strategy, which nothing ends.
        """
        user = f"{self.name} within a time"
        with lent(user, game, self.memory * _MEGABYTE, seconds) as solver:
            yield BeamWithin(self.width, self.looked, self.memory, user=user, solver=solver)

    def _solver(self, game: Game) -> Solver:
        return solver_of(self.name, game, self.memory * _MEGABYTE)

    @property
    def _options(self) -> tuple[int | str, ...]:
        """What plans depend on."""
        return self.width, self.looked, self.memory

    def best(self, frontier: Frontier, k: int) -> Indices:
        return self.weigh(frontier, k)[0]

    def weigh(self, frontier: Frontier, k: int) -> tuple[Indices, Sums]:
        """Return the k best guesses of each set, and the mean of guesses that each takes, [sets, k].

        Where there are fewer, the guess is -1 and the mean infinite: no more than `looked` are compared, and
        the best of the heuristics' where that is better.
        """
        if not len(frontier):
            return np.empty((0, k), np.int32), np.empty((0, k))
        chosen, _, costs = self.plan(frontier)
        if k == 1:
            guesses, totals = chosen[:, None], costs[:, None]
        else:
            guesses, totals, _ = self.search(frontier, k)
            for s in range(len(frontier)):
                others = np.flatnonzero((guesses[s] != chosen[s]) & (guesses[s] >= 0))[: k - 1]
                order = [chosen[s], *guesses[s, others]], [costs[s], *totals[s, others]]
                guesses[s], totals[s] = -1, np.inf
                guesses[s, : len(order[0])], totals[s, : len(order[1])] = order
        return guesses, totals / np.maximum(self._weights(frontier), 1)[:, None]

    def rank(self, position: Position, limit: int = 20) -> list[Suggestion]:
        """Return the best guesses found, best first, with what the best strategy found takes after each."""
        guesses, means = self.weigh(Frontier.of(position), limit)
        found = guesses[0] >= 0
        return describe(position, guesses[0, found], means[0, found], "search")

    def search(self, frontier: Frontier, k: int) -> tuple[Indices, Sums, NDArray[np.bool_]]:
        """Return the k best guesses of each set by the beam alone, their totals, [sets, k], and who loses.

        Who loses, [sets]: where nothing that was followed keeps to the turns, play goes on after them.
        """
        from sleuth.kernels.search.records import INFINITE, UNLIMITED

        solver = self._solver(frontier.game)
        every = len(frontier.game.guesses)
        width, looked = min(self.width, every), min(self.looked, every)
        guesses, totals = solver.beam(frontier, width, looked, k)
        loses = totals[:, 0] >= INFINITE
        lost = np.flatnonzero(loses)
        if len(lost):
            guesses[lost], totals[lost] = solver.beam(frontier.take(lost), width, looked, k, int(UNLIMITED))
        return guesses, np.where(totals < INFINITE, totals, np.inf), loses

    def _weights(self, frontier: Frontier) -> NDArray[np.int64]:
        """Return the weight of each set, int64 [sets], as the solver has it."""
        weights = self._solver(frontier.game).weights[frontier.candidates]
        sums: NDArray[np.int64] = np.add.reduceat(weights, frontier.starts[:-1])
        return sums

    def plan(self, frontier: Frontier) -> tuple[Indices, Sums, Sums]:
        """Return the guess of each set, the weight lost, and the total, [sets]: those that play comes to.

        Plans are remembered, so that what is said of a set is what is done in it.
        """
        frontier = frontier.without_rows()
        keys, first, inverse = np.unique(frontier.keys(), return_index=True, return_inverse=True)
        plans = _PLANS.setdefault(frontier.game, {}).setdefault(self._options, {})
        if len(plans) > _REMEMBERED:
            plans.clear()
        turn = frontier.turn
        known = [plans.get((key, turn)) for key in keys.tolist()]
        missing = [s for s, plan in enumerate(known) if plan is None]
        if missing:
            columns = (column.tolist() for column in self._found(frontier.take(first[missing])))
            for s, plan in zip(missing, zip(*columns, strict=True), strict=True):
                known[s] = plans[int(keys[s]), turn] = plan
        found = [plan for plan in known if plan is not None]
        guesses, lost, totals = (np.array(column) for column in zip(*found, strict=True))
        return guesses.astype(np.int32)[inverse], lost[inverse], totals[inverse]

    def _found(self, frontier: Frontier) -> tuple[Indices, Sums, Sums]:
        """Return `plan` of sets that no plan is known of."""
        ranked, sums, loses = self.search(frontier, 1)
        guesses, claimed = ranked[:, 0], sums[:, 0]
        if frontier.turn > _DEEPEST:
            return guesses, self._weights(frontier).astype(float), claimed
        every = np.arange(len(frontier))
        which, tried = self._heuristic_guesses(frontier, every, guesses, claimed, loses)
        guesses, lost, totals = self._best_of(frontier, np.append(every, which), np.append(guesses, tried))
        # Where play does not come to what the beam claims, what was passed over for that is tried after all.
        loses_more = (lost > 0) & ~loses & (frontier.turn <= frontier.game.max_turns)
        again = np.flatnonzero(loses_more | (totals > claimed))
        if len(again):
            which, tried = self._heuristic_guesses(frontier, again, guesses, totals, lost > 0)
            which, tried = np.append(again, which), np.append(guesses[again], tried)
            guesses[again], lost[again], totals[again] = self._best_of(frontier, which, tried)
        return guesses, lost, totals

    def _best_of(
        self, frontier: Frontier, which: NDArray[np.int64], guesses: Indices
    ) -> tuple[Indices, Sums, Sums]:
        """Return the best guess of each set that `which` names, what it loses, and its total.

        which, guesses: [pairs], a set and a guess to be tried in it; of equals the first.
        """
        lost, totals = self._played(frontier.take(which), guesses)
        order = np.lexsort((np.arange(len(which)), totals, lost, which))
        best = order[np.unique(which[order], return_index=True)[1]]
        return guesses[best], lost[best], totals[best]

    def _played(self, frontier: Frontier, guesses: Indices) -> tuple[Sums, Sums]:
        """Return the weight lost and the total, [sets], of a guess in each set and the plans after it."""
        weights = self._weights(frontier).astype(float)
        lost = weights if frontier.turn > frontier.game.max_turns else np.zeros(len(frontier))
        totals = weights.copy()
        stuck = guesses < 0
        go_on = np.flatnonzero(~stuck & (frontier.sizes > 1))
        if len(go_on):
            children = frontier.take(go_on).after(guesses[go_on])
            if len(children.frontier):
                _, below_lost, below = self.plan(children.frontier)
                parent = go_on[children.parent]
                np.add.at(totals, parent, below)
                if frontier.turn <= frontier.game.max_turns:
                    np.add.at(lost, parent, below_lost)
        return np.where(stuck, np.inf, lost), np.where(stuck, np.inf, totals)

    def _heuristic_guesses(
        self,
        frontier: Frontier,
        which: NDArray[np.int64],
        guesses: Indices,
        totals: Sums,
        loses: NDArray[np.bool_],
    ) -> tuple[NDArray[np.int64], Indices]:
        """Return [pairs]: sets that `which` names, and guesses of heuristics that may be better there.

        A heuristic is asked of those guesses alone that bounds leave: where it would take another one, it is
        no better than what is found. guesses, totals, loses: what is found, [sets of the frontier].
        """
        places, left = self._open_guesses(frontier, which, totals, loses)
        tried = [{int(guess)} for guess in guesses[places]]
        pairs: list[tuple[int, int]] = []
        if len(places):
            starts = np.concatenate([[0], np.cumsum([len(some) for some in left])])
            asked = replace(frontier.take(places), legal_starts=starts, legal=np.concatenate(left))
            for heuristic in quick_heuristics(frontier.game):
                for s, guess in enumerate(heuristic.best(asked, 1)[:, 0].tolist()):
                    if guess >= 0 and guess not in tried[s]:
                        tried[s].add(guess)
                        pairs.append((int(places[s]), guess))
        found = np.array(pairs, np.int64).reshape(-1, 2)
        return found[:, 0], found[:, 1].astype(np.int32)

    def _open_guesses(
        self, frontier: Frontier, which: NDArray[np.int64], totals: Sums, loses: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int64], list[Indices]]:
        """Return the sets whose plan may not be the best, and the guesses that may be better in each."""
        from sleuth.kernels.search.bounds import known
        from sleuth.kernels.search.records import UNLIMITED

        solver = self._solver(frontier.game)
        left = frontier.game.max_turns - frontier.turn + 1
        turns = left if left > 0 else int(UNLIMITED)
        most = _ASKED_UP_TO // len(frontier.game.guesses)
        several = which[(frontier.sizes[which] > 2) & (frontier.sizes[which] <= most)]
        places: list[int] = []
        guesses: list[Indices] = []
        for place, position in zip(several.tolist(), frontier.take(several).positions(), strict=True):
            # Past the turns all is lost, whatever is guessed.
            kept = left <= 0 or not loses[place]
            if kept:
                view, rows = solver.view_of(position)
                least = known(solver.search, view, rows, turns)[0] - solver.surplus(position)
                if least >= totals[place]:
                    continue
            found, bounds = solver.first_bounds(position, turns)
            if kept:
                found = found[bounds < totals[place]]
            if len(found):
                places.append(place)
                guesses.append(np.sort(found))
        return np.array(places, np.int64), guesses


@dataclass(frozen=True, kw_only=True)
class BeamWithin(Beam):
    """Beam search with a solver of one game that may be stopped: what it finds after that is not used."""

    user: str
    solver: Solver

    def _solver(self, game: Game) -> Solver:
        if self.solver.stopped:
            raise UnfinishedError("beam search did not end in time")
        return self.solver

    @property
    def _options(self) -> tuple[int | str, ...]:
        return self.user, *super()._options

    def search(self, frontier: Frontier, k: int) -> tuple[Indices, Sums, NDArray[np.bool_]]:
        found = super().search(frontier, k)
        self._solver(frontier.game)
        return found

    def least(self, position: Position) -> tuple[Indices, NDArray[np.float64]]:
        """Return the guesses that tell something, int32, and the mean that each takes at least, float64.

        That is known at once, whether or not the time is up.
        """
        guesses, totals = self.solver.first_bounds(position, self.solver.turns_left(position))
        return guesses, totals / max(1, int(self.solver.weights[position.candidates].sum()))
