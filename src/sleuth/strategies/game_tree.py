"""Guesser against indicator, some guesses ahead (Shtrasner et al. 2022; docs/lookahead.md).

A node is a set of candidates with the guesses that are legal there. The guesser's moves are guesses that tell
candidates apart or may be right; the indicator's are the feedbacks that some candidate gives. With d guesses
in view, a guess g on a set S is worth

    q(S, g, d) = e(g, S) + the indicator's choice, over feedbacks c, of v(S_c, d - 1)
    v(S, d)    = the greatest q(S, g, d) of the guesser's moves g, and v(S, 0) = 0

where e evaluates a guess and S_c is what is left of S after c. A right guess ends the game, and its feedback
is worth d TOP in place of v, where TOP is 1 more than any guess can be evaluated (in absolute value): more
than all that can still come, and the more the sooner. So is feedback that leaves one answer that no guess can
name: it is found then. A set without any move is worth -d TOP.

The indicator takes the least value (minimax, alpha-beta) or a feedback by its probability under the prior
(expectimax), so that the choice is the mean.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from sleuth.games.frontier import Frontier, Indices
from sleuth.games.game import Game
from sleuth.games.strategy import BatchStrategy, Ties, check_ties
from sleuth.strategies.heuristics import check_hints
from sleuth.support.errors import StrategyError
from sleuth.support.parallel import even_slices, map_threads, new_stop, thread_count
from sleuth.support.ranges import check_range, check_seed
from sleuth.support.registry import unknown_name

if TYPE_CHECKING:
    from sleuth.kernels.lookahead import Outlook

Evaluation = Literal["real-time", "constant", "zero"]
EVALUATIONS: dict[Evaluation, str] = {
    "real-time": "a guess by its feedback over the candidates that are left",
    "constant": "a guess by its feedback over all answers of the game",
    "zero": "every guess alike, so that chance decides among those that lead as far",
}
Moves = Literal["candidates", "legal"]
MOVES: dict[Moves, str] = {
    "candidates": "guesses that may be the answer; where none of those left can be named, all legal guesses",
    "legal": "all legal guesses",
}
Evaluated = Literal["every-guess", "last-guess"]
EVALUATED: dict[Evaluated, str] = {
    "every-guess": "each guess in view adds its evaluation",
    "last-guess": "the last guess in view alone is evaluated",
}

Found = tuple[Indices, NDArray[np.float64], NDArray[np.int64]]
# What TOP is in the kernels' integers.
_UNITS = 2**34
# All that guesses evaluated as zero may differ by: less than any chance to be right is worth.
_LITTLE = 2.0**-17
_CONSTANTS: WeakKeyDictionary[Game, dict[tuple[float, ...], NDArray[np.float64]]] = WeakKeyDictionary()


@dataclass(frozen=True)
class Agent(BatchStrategy):
    """A guesser who evaluates guesses (Shtrasner et al. 2022, sections III and IV).

    A guess is evaluated as entropy H + green G + yellow Y + grey B, where H is the information of its
    feedback in bits and G, Y and B are the expected numbers of its letters that are green, yellow and grey.
    In Mastermind and its like black pegs are green, white ones yellow and the rest grey. In games whose
    feedback marks no symbols (those by a function) only the entropy counts.

    Attributes:
        ties: what breaks ties, see TIES of games/strategy.py.
        evaluation: over what guesses are evaluated, see EVALUATIONS.
        entropy, green, yellow, grey: the weights, any finite numbers.
        seed: of the order in which guesses come that are evaluated alike under "zero".
        threshold: "real-time" takes the constant evaluation of a guess that may get more feedbacks than this,
            or never ("none"); the document's program does from 100 on, to save time (section III.A).

    """

    ties: Ties = "candidates-first"
    evaluation: Evaluation = "real-time"
    entropy: float = 0.6
    green: float = 0.2
    yellow: float = 0.15
    grey: float = 0.05
    seed: int = field(default=0, kw_only=True)
    threshold: int | Literal["none"] = field(default="none", kw_only=True)

    def __post_init__(self) -> None:
        check_ties(self.ties)
        check_seed(self.seed, StrategyError)
        if self.threshold != "none" and (isinstance(self.threshold, str) or self.threshold < 1):
            raise StrategyError(f"threshold must be a number from 1, or none, not {self.threshold!r}")
        if self.evaluation not in EVALUATIONS:
            raise unknown_name("evaluation", self.evaluation, EVALUATIONS)
        if not all(map(math.isfinite, self.weights)):
            raise StrategyError(
                f"{self.name} takes finite weights, not {', '.join(map(str, self.weights))}"
                " (entropy, green, yellow, grey)"
            )

    @property
    def weights(self) -> tuple[float, float, float, float]:
        """What a bit and a green, a yellow and a grey letter are worth."""
        return self.entropy, self.green, self.yellow, self.grey

    def most_classes(self, game: Game) -> int:
        """How many feedbacks a guess may get for its evaluation to be that of the candidates left."""
        if self.evaluation != "real-time":
            return 0
        return game.n_labels if self.threshold == "none" else min(self.threshold, game.n_labels)

    def best(self, frontier: Frontier, k: int) -> Indices:
        return self.search(frontier, k)[0]

    def search(self, frontier: Frontier, k: int) -> Found:
        """Return the k best guesses of each set, what they are worth, and the nodes visited.

        Guesses are int32 [sets, k], best first, then -1; values are float64 [sets, k], then -inf; nodes are
        int64 [sets]: sets of candidates, and guesses on them.
        """
        raise NotImplementedError


@dataclass(frozen=True)
class DecisionTreeAgent(Agent):
    """The candidate evaluated highest (Shtrasner et al. 2022, section II).

    It looks at no game tree; that minimax with one guess in view plays the same is held by a test. A node is
    a set, or a guess on it.
    """

    name: ClassVar[str] = "decision-tree"

    def search(self, frontier: Frontier, k: int) -> Found:
        game = frontier.game
        marks = mark_values(self, game)
        guesses = np.full((len(frontier), k), -1, np.int32)
        values = np.full((len(frontier), k), -np.inf)
        nodes = np.empty(len(frontier), np.int64)
        for at in range(len(frontier)):
            set_ = frontier.candidates[frontier.starts[at] : frontier.starts[at + 1]]
            named = np.sort(game.answer_guess[set_])
            moves = named[named >= 0]
            if not len(moves) and len(set_) > 1:
                moves = np.arange(len(game.guesses), dtype=np.int32)
                if frontier.legal is not None and frontier.legal_starts is not None:
                    moves = frontier.legal[frontier.legal_starts[at] : frontier.legal_starts[at + 1]]
            worth = np.array([self._value(game, marks, guess, set_) for guess in moves])
            first = np.isin(moves, named) if self.ties == "candidates-first" else np.zeros(len(moves), bool)
            # Guesses with the same classes tie: rounding is far above the errors of sums.
            order = np.lexsort((moves, ~first, -np.round(worth, 10)))[:k]
            order = order[worth[order] > -np.inf]
            guesses[at, : len(order)], values[at, : len(order)] = moves[order], worth[order]
            nodes[at] = 1 + (np.isfinite(worth).sum() if len(set_) > 1 else 0)  # the last guess is forced
        return guesses, values, nodes

    def _value(self, game: Game, marks: NDArray[np.float64], guess: int, set_: Indices) -> float:
        """Return what a guess is worth on a set; -inf where it tells nothing and cannot be right."""
        codes = game.labels[guess, set_]
        counts = np.bincount(codes, minlength=game.n_labels)
        right = game.guess_answer[guess]
        if counts.max() == len(set_) and right not in set_:
            return -math.inf
        # What leaves nothing to guess ends the game: a right guess, or one answer left that no guess names.
        ends = (codes == game.solved_label) | ((counts[codes] == 1) & (game.answer_guess[set_] < 0))
        end = top_of(self, game) if ends.all() else 0.0
        if np.count_nonzero(counts) > self.most_classes(game):
            return end + float(fixed_values(self, game)[guess])
        return end + evaluation_of(self, codes, game.prior[set_], marks)


@dataclass(frozen=True)
class Lookahead(Agent):
    """The guess of the highest value with some guesses in view, see the module.

    Attributes:
        depth: guesses in view, this one included, 1 or more.
        moves: what the guesser may guess, see MOVES.
        evaluated: whose evaluation counts, see EVALUATED.

    """

    depth: int = 2
    moves: Moves = "candidates"
    evaluated: Evaluated = "every-guess"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_range(self, "depth", least=1, error=StrategyError)
        check_range(self, "depth", most=1000, error=StrategyError)
        if self.moves not in MOVES:
            raise unknown_name("set of moves", self.moves, MOVES)
        if self.evaluated not in EVALUATED:
            raise unknown_name("way to evaluate", self.evaluated, EVALUATED)

    def search(self, frontier: Frontier, k: int) -> Found:
        from sleuth.kernels.lookahead import look_ahead

        look, unit = outlook(self, frontier)
        guesses = np.empty((len(frontier), k), np.int32)
        values = np.empty((len(frontier), k), np.int64)
        nodes = np.empty(len(frontier), np.int64)
        stop = new_stop()

        def fill(part: slice) -> None:
            sets = frontier.take(np.arange(part.start, part.stop)).sets
            look_ahead(look, sets, self.depth, guesses[part], values[part], nodes[part], stop)

        map_threads(fill, even_slices(frontier.sizes, 8 * thread_count()), stop)
        return guesses, np.where(guesses < 0, -np.inf, values / unit), nodes


@dataclass(frozen=True)
class Minimax(Lookahead):
    """The indicator gives the feedback of the least value; every node is visited."""

    name: ClassVar[str] = "minimax"


@dataclass(frozen=True)
class AlphaBeta(Lookahead):
    """Minimax that leaves out what cannot change the guess."""

    name: ClassVar[str] = "alpha-beta"


@dataclass(frozen=True)
class Expectimax(Lookahead):
    """The indicator gives feedback by chance, with its exact probability under the prior.

    What cannot change the guess is left out, and sets that come up again are not searched again.
    """

    name: ClassVar[str] = "expectimax"


def outlook(agent: Lookahead, frontier: Frontier) -> tuple[Outlook, float]:
    """Return what the kernel is told, and what 1 is in its units."""
    from sleuth.kernels import lookahead as kernels
    from sleuth.kernels.codes import as_bytes

    game = frontier.game
    most_classes = agent.most_classes(game)
    marks, n_codes = mark_values(agent, game), game.n_labels
    sizes = np.arange(len(game.answers) + 1)
    # Entropy is at most that of as many equal classes as there are candidates or feedbacks.
    most = np.log2(np.clip(sizes, 1, n_codes))
    fixed = np.zeros(0) if most_classes >= n_codes else fixed_values(agent, game)
    highest = np.full(len(sizes), max(fixed.max(initial=0), 0))
    if most_classes > 0:
        highest = np.maximum(highest, np.maximum(agent.entropy * most, 0) + max(marks.max(), 0))
    top = top_of(agent, game)
    unit = _UNITS / top
    fine = unit * 2**kernels.FINE_BITS
    candidates_only = agent.moves == "candidates"
    # A candidate is legal in every mode.
    restricted = frontier.legal is not None and not (candidates_only and np.all(game.answer_guess >= 0))
    kinds = {AlphaBeta.name: kernels.ALPHA_BETA, Expectimax.name: kernels.EXPECTIMAX}
    look = kernels.Outlook(
        tables=game.tables,
        legality=game.legality,
        guess_codes=as_bytes(game.guess_labels) if restricted else np.empty((0, 0), np.uint8),
        solved=game.solved_label,
        kind=kinds.get(agent.name, kernels.MINIMAX),
        candidates_only=candidates_only,
        every=agent.evaluated == "every-guess",
        candidates_first=agent.ties == "candidates-first",
        top=_UNITS,
        fixed=np.rint(fixed * unit).astype(np.int64),
        most_classes=most_classes,
        worth=np.rint(agent.entropy * fine * sizes * np.log2(np.maximum(sizes, 1))).astype(np.int64),
        marks=np.rint(fine * marks).astype(np.int64),
        bits=float(agent.entropy * unit),
        limits=np.ceil(limits(game, highest, top, agent.depth) * unit).astype(np.int64) + 1,
    )
    return look, unit


def limits(game: Game, highest: NDArray[np.float64], top: float, depth: int) -> NDArray[np.float64]:
    """Return what sets are worth at most under the uniform prior, float64 [depth, n + 1], by guesses in view.

    highest: float64 [n + 1], the most that a guess on n candidates can be evaluated, not below 0.
    """
    out = np.zeros((depth, len(highest)))
    for d in range(1, depth):
        if np.all(game.answer_guess >= 0):  # one candidate at most is found by a guess
            share = 1 / np.maximum(np.arange(len(highest)), 1)
            out[d] = highest + share * d * top + (1 - share) * out[d - 1].max()
        else:
            out[d] = (d + 1) * top
    return out


def mark_values(agent: Agent, game: Game) -> NDArray[np.float64]:
    """Return what the marks of each feedback are worth, float64 [labels]; 0 where nothing is marked.

    Raises StrategyError where marks count and the game has too many kinds of feedback for that.
    """
    if len(game.rules.hints) == 0:
        if any(agent.weights[1:]):
            check_hints(agent.name, game)
        return np.zeros(game.n_labels)
    right, in_place = game.rules.hints
    worth: NDArray[np.float64] = (
        agent.green * in_place + agent.yellow * (right - in_place) + agent.grey * (right.max() - right)
    )
    return worth


def fixed_values(agent: Agent, game: Game) -> NDArray[np.float64]:
    """Return the evaluations of guesses that do not depend on the set, float64 [guesses].

    Under "zero" they are a random order of the guesses, in steps so small that they decide nothing else: the
    guess is a random one of those that lead as far, as in Shtrasner et al. (2022), IV.C.
    """
    if agent.evaluation != "zero":
        return constant(agent, game)
    places = np.random.default_rng(agent.seed).permutation(len(game.guesses))
    return places / len(places) * _LITTLE


def constant(agent: Agent, game: Game) -> NDArray[np.float64]:
    """Return the evaluation of every guess over all answers, float64 [guesses]; it is remembered."""
    known = _CONSTANTS.setdefault(game, {})
    if agent.weights not in known:
        marks = mark_values(agent, game)
        values = np.empty(len(game.guesses))
        for guess, codes in enumerate(game.labels):
            values[guess] = evaluation_of(agent, codes, game.prior, marks)
        known[agent.weights] = values
    return known[agent.weights]


def evaluation_of(
    agent: Agent, codes: NDArray[Any], weights: NDArray[np.float64], marks: NDArray[np.float64]
) -> float:
    """Return the evaluation of a guess that gets such codes for candidates of such weights.

    marks: float64 [labels], see mark_values. Where all weights are 0, candidates count alike.
    """
    total = weights.sum()
    shares = weights / total if total > 0 else np.full(len(weights), 1 / len(weights))
    masses = np.bincount(codes, shares, len(marks))
    # In order of size, so that guesses with the same classes tie.
    positive = np.sort(masses[masses > 0])
    return float(masses @ marks - agent.entropy * (positive @ np.log2(positive)))


def top_of(agent: Agent, game: Game) -> float:
    """Return TOP: 1 more than any guess can be evaluated."""
    if agent.evaluation == "zero":
        return 1.0
    most = np.log2(np.clip(len(game.answers), 1, game.rules.n_codes))
    return float(1.0 + abs(agent.entropy) * most + np.abs(mark_values(agent, game)).max())
