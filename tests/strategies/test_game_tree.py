import math
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from random_games import follow, function_games, histories, small_games, word_games

import sleuth
from sleuth.games import wordlists
from sleuth.games.frontier import Frontier
from sleuth.games.game import Game, Mode
from sleuth.games.position import Position
from sleuth.strategies.game_tree import (
    Agent,
    AlphaBeta,
    DecisionTreeAgent,
    Evaluation,
    Expectimax,
    Lookahead,
    Minimax,
    Moves,
    evaluation_of,
    fixed_values,
)
from sleuth.strategies.registry import make
from sleuth.support.errors import SleuthError, StrategyError, UnknownNameError
from sleuth.support.specification import specification_of
from sleuth.trees.tree import DecisionTree

KINDS = (Minimax, AlphaBeta, Expectimax)
EVALUATIONS = ("real-time", "constant", "zero")
WEIGHTS = ((0.6, 0.2, 0.15, 0.05), (1, 0, 0, 0), (-0.5, 0.3, -1, 2), (0, 100, 7, -3))
THRESHOLDS: tuple[int | Literal["none"], ...] = ("none", 1, 2, 4)
WORDS = wordlists.from_words(
    [
        "crane",
        "trace",
        "react",
        "caret",
        "slate",
        "least",
        "stale",
        "steal",
        "stare",
        "tears",
        "rates",
        "cares",
    ]
)


class Twin:
    """The same game tree in plain Python, every node visited, values as floating-point numbers."""

    def __init__(self, agent: Agent, game: Game) -> None:
        self.agent, self.game = agent, game
        hints = game.rules.hints
        self.marks = [0.0] * game.rules.n_codes
        if len(hints):
            most = int(max(hints[0]))
            for code in range(game.rules.n_codes):
                right, green = int(hints[0][code]), int(hints[1][code])
                self.marks[code] = agent.green * green + agent.yellow * (right - green)
                self.marks[code] += agent.grey * (most - right)
        bits = math.log2(min(len(game.answers), game.rules.n_codes))
        self.top = 1 + abs(agent.entropy) * bits + max(map(abs, self.marks))
        if agent.evaluation == "zero":
            self.top = 1
        self.every = getattr(agent, "evaluated", "every-guess") == "every-guess"

    def evaluate(self, guess: int, candidates: Sequence[int]) -> float:
        if self.agent.evaluation == "zero":
            return float(fixed_values(self.agent, self.game)[guess])
        most = math.inf if self.agent.threshold == "none" else self.agent.threshold
        many = len(reference.classes(self.game, candidates, guess)) > most
        if many or self.agent.evaluation == "constant":
            candidates = range(len(self.game.answers))
        p = reference.chances(self.game, candidates)
        masses: defaultdict[int, float] = defaultdict(float)
        for a in candidates:
            masses[reference.matrix(self.game)[guess][a]] += p[a]
        value = sum(mass * self.marks[code] for code, mass in masses.items())
        return value - self.agent.entropy * sum(m * math.log2(m) for m in masses.values() if m > 0)

    def moves(self, candidates: list[int], legal: list[int]) -> list[int]:
        own = [g for g in legal if reference.can_be_right(self.game, candidates, g)]
        telling = [g for g in legal if len(reference.classes(self.game, candidates, g)) > 1]
        only = getattr(self.agent, "moves", "candidates") == "candidates"
        return own if only and own else sorted({*own, *telling})

    def after(self, legal: list[int], guess: int, code: int) -> list[int]:
        if self.game.mode == "easy":
            return legal
        obeys = reference.obeys_hard if self.game.mode == "hard" else reference.obeys_strict
        words = self.game.guesses
        return [g for g in legal if obeys(self.game, words[g], words[guess], code)]

    def worth(self, guess: int, candidates: list[int], legal: list[int], depth: int) -> float:
        """Return q, and v of best()."""
        replies = []
        p = reference.chances(self.game, candidates)
        for code, members in reference.classes(self.game, candidates, guess).items():
            right = code == self.game.solved
            alone = len(members) == 1 and self.game.answers[members[0]] not in self.game.guesses
            if right or alone:
                reply = depth * self.top
            else:
                reply = self.best(members, self.after(legal, guess, code), depth - 1)
            replies.append((sum(p[a] for a in members), reply))
        value = self.evaluate(guess, candidates) if self.every or depth == 1 else 0.0
        if isinstance(self.agent, Expectimax):
            return value + sum(chance * reply for chance, reply in replies)
        return value + min(reply for _, reply in replies)

    def best(self, candidates: list[int], legal: list[int], depth: int) -> float:
        if depth == 0:
            return 0.0
        if len(candidates) == 1:  # named by its own guess, whatever is legal
            legal = [
                g for g in range(len(self.game.guesses)) if reference.is_answer(self.game, g, candidates[0])
            ]
        moves = self.moves(candidates, legal)
        return max((self.worth(g, candidates, legal, depth) for g in moves), default=-depth * self.top)


agents = st.builds(
    lambda kind, evaluation, weights, depth, moves, evaluated, ties, threshold: kind(
        ties, evaluation, *weights, depth, moves, evaluated, threshold=threshold
    ),
    st.sampled_from(KINDS),
    st.sampled_from(EVALUATIONS),
    st.sampled_from(WEIGHTS),
    st.integers(1, 3),
    st.sampled_from(["candidates", "legal"]),
    st.sampled_from(["every-guess", "last-guess"]),
    st.sampled_from(["candidates-first", "list-order"]),
    st.sampled_from(THRESHOLDS),
)


def compare_with_twin(agent: Agent, position: Position) -> None:
    game, candidates = position.game, position.candidates.tolist()
    legal = list(range(len(game.guesses))) if position.legal is None else position.legal.tolist()
    twin = Twin(agent, game)
    guesses, values, nodes = agent.search(Frontier.of(position), len(game.guesses))
    found = [g for g in guesses[0].tolist() if g >= 0]
    assert nodes[0] > 0
    assert np.all(np.isneginf(values[0, len(found) :]))
    if len(candidates) == 1:
        assert found == [g for g in range(len(game.guesses)) if game.guess_answer[g] == candidates[0]]
        return
    depth = getattr(agent, "depth", 1)
    expected = {g: twin.worth(g, candidates, legal, depth) for g in twin.moves(candidates, legal)}
    assert dict(zip(found, values[0], strict=False)) == pytest.approx(expected, rel=1e-7, abs=1e-6)
    own = {g for g in found if reference.can_be_right(game, candidates, g)}
    order = [
        (-value, agent.ties == "candidates-first" and g not in own, g)
        for g, value in zip(found, values[0].tolist(), strict=False)
    ]
    assert order == sorted(order)
    # What is left out for one guess does not change it.
    one, value, fewer = agent.search(Frontier.of(position), 1)
    assert (one[0, 0], value[0, 0]) == (guesses[0, 0], values[0, 0])
    assert fewer[0] <= nodes[0]


@given(st.data(), agents)
def test_values_and_order_are_those_of_the_twin(data: st.DataObject, agent: Expectimax | Minimax) -> None:
    game = data.draw(small_games(long=False))  # they count marks
    compare_with_twin(agent, follow(game, data.draw(histories(game, most=1))))


@given(st.data(), agents)
def test_games_by_a_function_count_entropy_alone(data: st.DataObject, agent: AlphaBeta | Minimax) -> None:
    game = data.draw(function_games())
    compare_with_twin(agent, Position.start(game))
    other = make(agent.name, {"evaluation": agent.evaluation, "entropy": agent.entropy, "green": 9.0})
    plain = make(agent.name, {"evaluation": agent.evaluation, "entropy": agent.entropy})
    assert other.choose(Position.start(game)) == plain.choose(Position.start(game))


@given(st.data(), st.sampled_from(EVALUATIONS), st.sampled_from(WEIGHTS), st.sampled_from(THRESHOLDS))
def test_the_decision_tree_is_minimax_of_depth_one(
    data: st.DataObject,
    evaluation: Evaluation,
    weights: tuple[float, float, float, float],
    threshold: int | Literal["none"],
) -> None:
    game = data.draw(word_games(("easy", "hard", "strict")))
    frontier = Frontier.of(follow(game, data.draw(histories(game, most=2))))
    one = DecisionTreeAgent("candidates-first", evaluation, *weights, threshold=threshold)
    for agent in (Minimax, AlphaBeta):
        same = agent("candidates-first", evaluation, *weights, 1, "candidates", threshold=threshold)
        guesses, values, nodes = same.search(frontier, 5)
        own_guesses, own_values, own_nodes = one.search(frontier, 5)
        assert (own_guesses.tolist(), own_nodes.tolist()) == (guesses.tolist(), nodes.tolist())
        assert own_values == pytest.approx(values, rel=1e-9, abs=1e-8)  # the kernels count in whole units


def test_the_decision_tree_has_its_own_twin() -> None:
    position = Position.start(sleuth.wordle(WORDS))
    compare_with_twin(DecisionTreeAgent(), position)
    compare_with_twin(
        DecisionTreeAgent(evaluation="constant"), position.after(0, position.game.feedback[0, 1])
    )
    unnamed = Game.from_function(lambda guess, answer: answer % guess, [5, 6, 7], [2, 3])
    compare_with_twin(DecisionTreeAgent(), Position.start(unnamed))


def test_candidates_of_no_weight_are_evaluated_alike() -> None:
    codes, marks = np.array([0, 0, 1]), np.array([2.0, 1.0])
    none, even = (evaluation_of(Minimax(), codes, weights, marks) for weights in (np.zeros(3), np.ones(3)))
    assert none == even == pytest.approx(5 / 3 + 0.6 * (math.log2(3) - 2 / 3))


@given(st.data(), st.integers(1, 3), st.sampled_from(["candidates", "legal"]), st.integers(1, 3))
def test_alpha_beta_chooses_as_minimax_and_visits_no_more(
    data: st.DataObject, depth: int, moves: Moves, k: int
) -> None:
    game = data.draw(word_games(("easy", "hard", "strict"), max_words=14))
    frontier = Frontier.of(Position.start(game))
    guesses, values, nodes = Minimax(depth=depth, moves=moves).search(frontier, k)
    pruned, same, fewer = AlphaBeta(depth=depth, moves=moves).search(frontier, k)
    assert pruned.tolist() == guesses.tolist()
    assert same.tolist() == values.tolist()
    assert fewer[0] <= nodes[0]


def test_alpha_beta_saves_nodes() -> None:
    frontier = Frontier.of(Position.start(sleuth.wordle(WORDS)))
    counts = [
        [kind(depth=depth).search(frontier, 1)[2][0] for kind in (Minimax, AlphaBeta)] for depth in (2, 3)
    ]
    assert all(fewer < every for every, fewer in counts)


def test_nodes_are_sets_and_guesses() -> None:
    # Words that tell each other apart: the root, its three guesses, and after each two sets of one.
    frontier = Frontier.of(Position.start(sleuth.wordle(["ab", "bc", "da"])))
    assert Minimax(depth=1).search(frontier, 1)[2].tolist() == [1 + 3]
    assert Minimax(depth=2).search(frontier, 1)[2].tolist() == [1 + 3 * (1 + 2)]


def test_a_right_guess_is_worth_more_the_sooner() -> None:
    frontier = Frontier.of(Position.start(sleuth.wordle(WORDS)).play("crane", "ggggg"))
    values = [Expectimax(evaluation="zero", depth=depth).search(frontier, 1)[1][0, 0] for depth in (1, 2, 3)]
    assert values == pytest.approx([1, 2, 3], abs=1e-4)


def test_expectimax_without_evaluation_takes_the_guess_most_likely_to_end_the_game_soon() -> None:
    position = Position.start(sleuth.wordle(WORDS))
    found = Expectimax(evaluation="zero", moves="legal").search(Frontier.of(position), 1)
    classes = max(len(np.unique(row)) for row in position.game.feedback)
    # Two for a right guess now, one for each other answer that is alone or first of its class.
    assert found[1][0, 0] == pytest.approx((classes + 1) / len(WORDS.answers), abs=1e-4)


@pytest.mark.parametrize("kind", [DecisionTreeAgent, Minimax, Expectimax])
def test_without_evaluation_the_guess_is_a_random_candidate(kind: type[Agent]) -> None:
    position = Position.start(sleuth.wordle(WORDS))
    options = {"evaluation": "zero"} if kind is DecisionTreeAgent else {"evaluation": "zero", "depth": 1}
    chosen = [make(kind.name, {**options, "seed": seed}).choose(position) for seed in range(100)]
    assert chosen[:9] == [make(kind.name, {**options, "seed": seed}).choose(position) for seed in range(9)]
    candidates = position.game.answer_guess[position.candidates].tolist()
    assert len(candidates) > 1
    assert set(chosen) == set(candidates)
    expected = len(chosen) / len(candidates)
    assert all(abs(chosen.count(guess) - expected) < 4 * expected**0.5 for guess in candidates)


@pytest.mark.parametrize("kind", [DecisionTreeAgent, *KINDS])
@pytest.mark.parametrize("mode", ["hard", "strict"])
def test_guesses_keep_to_the_mode(kind: type[Lookahead] | type[DecisionTreeAgent], mode: Mode) -> None:
    game = sleuth.wordle(WORDS, mode=mode)
    tree = DecisionTree.build(kind() if kind is DecisionTreeAgent else kind(moves="legal"), game)  # type: ignore[call-arg]  # kind has moves there
    for node in range(1, len(tree.guess)):
        rows, at = [], node
        while tree.parent[at] >= 0:
            rows.append((int(tree.guess[tree.parent[at]]), int(tree.code[at])))
            at = tree.parent[at]
        assert int(tree.guess[node]) in reference.legal_guesses(game, rows)


def test_values_scale_with_the_weights() -> None:
    frontier = Frontier.of(Position.start(sleuth.wordle(WORDS)))
    small, large = (
        DecisionTreeAgent("list-order", "real-time", *(scale * np.array(WEIGHTS[0]))).search(frontier, 12)
        for scale in (1.0, 1e6)
    )
    assert small[0].tolist() == large[0].tolist()
    assert large[1][0].tolist() == pytest.approx([1e6 * value for value in small[1][0]], rel=1e-6)
    assert all(a >= b for a, b in pairwise(small[1][0]))


def test_mastermind_counts_pegs_as_letters() -> None:
    compare_with_twin(Expectimax(), Position.start(sleuth.mastermind(2, 3)))


@pytest.mark.parametrize("kind", KINDS)
def test_specifications_read_as_they_are_written(kind: type[Lookahead]) -> None:
    agent = kind("list-order", "constant", 1.0, 0.0, -2.0, 0.5, 3, "legal", "last-guess")
    text = (
        f"{kind.name}(ties=list-order,evaluation=constant,entropy=1.0,green=0.0,yellow=-2.0,grey=0.5,"
        "depth=3,moves=legal,evaluated=last-guess)"
    )
    assert specification_of(agent) == text
    assert make(text) == agent


@pytest.mark.parametrize(
    ("text", "error", "problem"),
    [
        ("minimax(depth=0)", StrategyError, "depth must be 1 or more, not 0"),
        ("alpha-beta(moves=all)", UnknownNameError, "moves 'all'"),
        ("expectimax(evaluation=realtime)", UnknownNameError, "did you mean real-time"),
        ("expectimax(evaluated=last)", UnknownNameError, "did you mean last-guess"),
        ("decision-tree(green=nan)", StrategyError, "decision-tree takes finite weights, not 0.6, nan"),
        ("minimax(entropy=inf)", StrategyError, "minimax takes finite weights, not inf"),
        ("decision-tree(depth=2)", UnknownNameError, "unknown option of decision-tree 'depth'"),
        ("minimax(threshold=0)", StrategyError, "threshold must be a number from 1, or none, not 0"),
        ("minimax(threshold=all)", SleuthError, "it takes a whole number or none"),
        ("minimax(ties=first)", UnknownNameError, "ties 'first'"),
    ],
)
def test_wrong_options_are_told_what_is_allowed(text: str, error: type[SleuthError], problem: str) -> None:
    with pytest.raises(error, match=problem):
        make(text)


@pytest.mark.parametrize("options", [{"evaluation": "none"}, {"moves": "any"}, {"evaluated": "all"}])
def test_wrong_options_in_python_are_refused_too(options: dict[str, Any]) -> None:
    with pytest.raises(SleuthError, match="unknown"):
        Lookahead(**options)
