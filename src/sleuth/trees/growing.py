"""How the tree of a strategy grows: all sets of a turn together, or part after part of a large game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sleuth.games.frontier import Frontier, Indices
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.games.strategy import Player, check_legal, choose_all
from sleuth.strategies.sampling import choose_where_large
from sleuth.support.errors import GameTooLargeError, Interrupted, StrategyError
from sleuth.support.parallel import even_slices
from sleuth.support.progress import Progress

MAX_DEPTH = 100
"""Turns after which a strategy that tells nothing any more is held to go round in circles."""
_STILL = 20
"""Turns in a row that tell nothing, by then."""
_PARTS = 20


@dataclass(frozen=True)
class TurnProgress(Progress):
    """How far the turn is that a tree is built for: answers whose guess is chosen, of those left.

    Attributes:
        turn: its number, from 1.

    """

    turn: int = 0


@dataclass(frozen=True)
class Unfinished:
    """What is known of a strategy whose tree was not built to the end.

    Attributes:
        strategy: its name.
        turn: the guess that it was choosing when it was stopped.
        answers: how many the tree is to find.
        found: how many of them it had found by then.
        total: all of them together take so many guesses or more.

    """

    strategy: str
    turn: int
    answers: int
    found: int
    total: int

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "strategy": self.strategy,
            "interrupted": True,
            "turn": self.turn,
            "answers": self.answers,
            "found": self.found,
            "total_at_least": self.total,
        }


class Nodes(NamedTuple):
    """Nodes of a tree, parents before children, as DecisionTree has them; int32 [nodes]."""

    guess: Indices
    parent: Indices
    code: Indices
    turn: Indices

    @classmethod
    def joined(cls, parts: Sequence[Nodes]) -> Nodes:
        """Return all nodes, which are numbered through already."""
        return cls(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))

    def in_order(self) -> Nodes:
        """Return the nodes turn by turn, those of a turn as grow_whole has them, numbered anew."""
        place = np.full(len(self.turn) + 1, -1, np.int32)  # the last one is the root's parent
        orders: list[NDArray[np.int64]] = []
        done = 0
        for turn in np.unique(self.turn):
            nodes = np.flatnonzero(self.turn == turn)
            nodes = nodes[np.lexsort((self.code[nodes], place[self.parent[nodes]]))]
            place[nodes] = np.arange(done, done + len(nodes))
            done += len(nodes)
            orders.append(nodes)
        order = np.concatenate(orders)
        return Nodes(self.guess[order], place[self.parent[order]], self.code[order], self.turn[order])


class Stems(NamedTuple):
    """Sets whose trees are yet to grow.

    Attributes:
        frontier: the sets.
        parents, codes: int32 [sets]: the node that leads to each, and by what feedback; -1 at the root.
        nodes: how many nodes there are before.
        wanted: bool [answers of the game]: sets without any of these do not grow; None for all.

    """

    frontier: Frontier
    parents: Indices
    codes: Indices
    nodes: int
    wanted: NDArray[np.bool_] | None = None

    @classmethod
    def of(cls, start: Position, wanted: NDArray[np.bool_] | None = None) -> Stems:
        """Return the position where a tree begins."""
        none = np.array([-1], np.int32)
        return cls(Frontier.of(start), none, none, 0, wanted)

    def take(self, which: NDArray[np.int64]) -> Stems:
        """Return some of the sets."""
        return self._replace(
            frontier=self.frontier.take(which), parents=self.parents[which], codes=self.codes[which]
        )

    def after(self, guesses: Indices) -> tuple[Nodes, Stems]:
        """Return the nodes of a guess in each set, int32 [sets], and what is yet to grow on them."""
        children = self.frontier.after(guesses)
        turns = np.full(len(guesses), self.frontier.turn, np.int32)
        nodes = Nodes(guesses, self.parents, self.codes, turns)
        parents = children.parent + np.int32(self.nodes)
        stems = Stems(children.frontier, parents, children.codes, self.nodes + len(guesses), self.wanted)
        if self.wanted is not None and len(stems.frontier):
            held = np.logical_or.reduceat(self.wanted[stems.frontier.candidates], stems.frontier.starts[:-1])
            stems = stems.take(np.flatnonzero(held))
        return nodes, stems


def grow_whole(
    player: Player,
    stems: Stems,
    opener: str | None = None,
    progress: Callable[[TurnProgress], None] | None = None,
) -> tuple[Nodes, Indices]:
    """Return the nodes that grow on sets of one turn, and int32 [answers]: the guesses that each takes there.

    See DecisionTree.build. The guesses are those of the answers that are wanted; they are less of others.
    """
    first = stems.frontier
    grown: list[Nodes] = []
    told, since = (0, 0), first.turn
    turns = np.zeros(len(first.game.answers), np.int32)
    while len(frontier := stems.frontier):
        if told != (told := (len(frontier), len(frontier.candidates))):
            since = frontier.turn
        if frontier.turn > max(MAX_DEPTH, since + _STILL):
            raise _circles(player, frontier)
        turns[frontier.candidates] += 1
        try:
            if not grown and opener is not None:
                chosen = np.array([frontier.game.find(opener)], np.int32)
            else:
                chosen = _choose(player, frontier, progress)
            nodes, stems = stems.after(chosen)
        except KeyboardInterrupt:
            found, spent = len(first.candidates) - len(frontier.candidates), int(turns.sum())
            if (frontier.game.answer_guess >= 0).all():  # the next guess finds one answer of each set at most
                spent += int((frontier.sizes - 1).sum())
            raise Interrupted(
                Unfinished(player.name, frontier.turn, len(first.candidates), found, spent)
            ) from None
        grown.append(nodes)
    return Nodes.joined(grown), turns


def grow_by_parts(
    player: Player,
    stems: Stems,
    opener: str | None = None,
    progress: Callable[[TurnProgress], None] | None = None,
) -> tuple[Nodes, Indices]:
    """Do as grow_whole does where memory has no room for the feedback of the whole game.

    Sets with more answers than game.room are split by the guesses of choose_where_large; the others grow as
    sets of parts of the game, one part after another. Raises GameTooLargeError in other modes than easy.
    """
    first = stems.frontier
    game, answers = first.game, len(first.candidates)
    if first.legal_starts is not None:
        raise GameTooLargeError(
            f"{len(game.guesses):,} guesses and {len(game.answers):,} answers are too many to play all"
            f" in {game.mode} mode; play easy mode, or use fewer words",
            remedy=", or set SLEUTH_MEMORY (for example SLEUTH_MEMORY=8G)",
        )
    grown: list[Nodes] = []
    small: list[Stems] = []
    turns = np.zeros(len(game.answers), np.int32)
    found, turn = 0, first.turn
    try:
        while len(stems.frontier):
            turn = stems.frontier.turn
            if turn > MAX_DEPTH:
                raise _circles(player, stems.frontier)
            large = stems.frontier.sizes > game.room
            small.append(stems.take(np.flatnonzero(~large)))
            stems = stems.take(np.flatnonzero(large))
            before = len(stems.frontier.candidates)
            turns[stems.frontier.candidates] += 1
            if opener is not None and turn == first.turn:
                chosen = [game.find(opener)]
            else:
                chosen = [choose_where_large(player, position) for position in stems.frontier.positions()]
            nodes, stems = stems.after(np.array(chosen, np.int32))
            grown.append(nodes)
            found += before - len(stems.frontier.candidates)
        count = stems.nodes
        for some in small:
            begin = 0
            for frontier, places in some.frontier.parts():
                if progress is not None:
                    progress(TurnProgress(found, answers, f"{found:,} answers found", frontier.turn))
                end, turn = begin + len(frontier), frontier.turn
                wanted = None if some.wanted is None else some.wanted[places]
                part = Stems(frontier, some.parents[begin:end], some.codes[begin:end], count, wanted)
                nodes, more = grow_whole(player, part)
                grown.append(nodes)
                turns[places] += more
                found, count, begin = found + len(places), count + len(nodes.guess), end
    except KeyboardInterrupt as stopped:
        spent = int(turns.sum())
        if isinstance(stopped, Interrupted) and isinstance(stopped.known, Unfinished):
            turn, found, spent = stopped.known.turn, found + stopped.known.found, spent + stopped.known.total
        raise Interrupted(Unfinished(player.name, turn, answers, found, spent)) from None
    return Nodes.joined(grown).in_order(), turns


def turns_of(
    player: Player,
    game: Game,
    answers: Indices,
    progress: Callable[[TurnProgress], None] | None = None,
) -> Indices:
    """Return the guesses that some answers take a strategy which holds all of the game possible, int32 [n].

    answers: int32, where they stand. No more of its tree is built than leads to them. Raises as
    DecisionTree.build does; on Ctrl-C `known` is what is known of the sets that were looked at.
    """
    wanted = np.zeros(len(game.answers), bool)
    wanted[answers] = True
    grow = grow_by_parts if game.is_large else grow_whole
    turns: Indices = grow(player, Stems.of(Position.start(game), wanted), None, progress)[1][answers]
    return turns


def _circles(player: Player, frontier: Frontier) -> StrategyError:
    words = ", ".join(next(frontier.positions()).words[:5])
    return StrategyError(f"{player.name} does not find {words} within {frontier.turn - 1} guesses")


def _choose(strategy: Player, frontier: Frontier, progress: Callable[[TurnProgress], None] | None) -> Indices:
    """Return the guess of every set, int32 [sets], reporting progress between parts of the frontier."""
    if progress is None:
        guesses = choose_all(strategy, frontier)
        check_legal(strategy, frontier, guesses)
        return guesses
    chosen: list[Indices] = []
    total = int(frontier.sizes.sum())
    for part in even_slices(frontier.sizes, _PARTS):
        chosen.append(_choose(strategy, frontier.take(np.arange(part.start, part.stop)), None))
        turn = frontier.turn
        progress(TurnProgress(int(frontier.starts[part.stop]), total, f"turn {turn}", turn))
    return np.concatenate(chosen)
