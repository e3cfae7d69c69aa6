"""Action Value Tree Search: estimators, samplers, processes with known optima, games against exact play."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from math import erf, inf, sqrt
from random import Random
from typing import Any, Never, get_args

import numpy as np
import pytest
import reference
from hypothesis import assume, given
from hypothesis import strategies as st
from processes import Dice, Gambler, chance, yahtzee
from random_games import crowded_games, follow, histories, small_games

from sleuth.exact.proving import prove
from sleuth.exact.solver import Solver
from sleuth.games.game import Game
from sleuth.games.pegs import mastermind
from sleuth.games.position import Position
from sleuth.games.wordle import wordle
from sleuth.kernels.estimates import estimates
from sleuth.planning.estimators import Visited, VisitStatistics
from sleuth.planning.mdp import Option, Outcome, SampledMDP
from sleuth.planning.samplers import (
    SAMPLERS,
    Arm,
    EpsilonGreedy,
    Gumbel,
    Hoeffding,
    Laplace,
    Puct,
    Sampler,
    Thompson,
    ThompsonFrequencies,
    Uct,
    sampler_of,
)
from sleuth.planning.tree_search import EPSILON, TreeSearch
from sleuth.processes.avts import Avts, optimize
from sleuth.processes.mdp import GuessingMDP, Predictor
from sleuth.strategies.heuristics import InformationGain
from sleuth.support.errors import Interrupted, SleuthError, StrategyError
from sleuth.support.progress import Progress
from sleuth.trees.check import check_tree
from sleuth.trees.tree import DecisionTree

WORDS = [
    "crane",
    "trace",
    "react",
    "caret",
    "eerie",
    "carte",
    "grace",
    "brace",
    "crate",
    "irate",
    "later",
    "alter",
]

# Estimators.


@given(st.lists(st.lists(st.floats(-9, 9), min_size=1, max_size=6), min_size=1, max_size=5), st.randoms())
def test_visit_statistics_are_those_of_whole_histories(values: list[list[float]], random: Random) -> None:
    """Against the histories that the document keeps first: q2 of each action after each number of visits."""
    statistics, actions = VisitStatistics(), [Visited() for _ in values]
    histories = [history[:1] for history in values]
    changes: dict[int, list[float]] = {}
    order = [a for a, history in enumerate(values) for _ in history[1:]]
    random.shuffle(order)

    def bias_from(visits: int) -> float:
        most = max(map(len, histories)) - 1
        total = 0.0
        for i in range(visits, most):
            steps = [h[i + 1] - h[i] for h in histories if len(h) > i + 1]
            total += sum(steps) / len(steps)
        return total

    for action in order:
        visits = len(histories[action]) - 1
        before = histories[action][-1]
        debiased = before + bias_from(visits)
        after = values[action][visits + 1]
        statistics.record(actions[action], actions, before, after)
        histories[action].append(after)
        changes.setdefault(visits, []).append(after + bias_from(visits + 1) - debiased)
    for action, history in zip(actions, histories, strict=True):
        visits = action.visits
        assert visits == len(history) - 1
        assert statistics.debiased(1.0, action) == pytest.approx(1.0 + bias_from(visits))
        variance = sum(
            sum(c * c for c in found) / max(1, len(found) - 1) for v, found in changes.items() if v >= visits
        )
        assert statistics.variance_of(action) == pytest.approx(variance)


# Samplers.


def frequencies(sampler: Sampler, arms: list[Arm], n: int = 4000) -> list[float]:
    rng = Random(5)
    picked = [sampler.pick(arms, sum(arm.visits for arm in arms), rng)[0] for _ in range(n)]
    return [picked.count(i) / n for i in range(len(arms))]


@pytest.mark.parametrize("sampler", [Thompson(), ThompsonFrequencies(200)])
def test_thompson_picks_an_arm_as_often_as_it_is_the_best(sampler: Thompson | ThompsonFrequencies) -> None:
    arms = [Arm(0.0, 1.0, 3, 0.0), Arm(0.5, 3.0, 1, 0.0)]
    better = (1 + erf(0.5 / 2.0 / sqrt(2))) / 2  # the difference is normal with mean 0.5, variance 4
    assert frequencies(sampler, arms, 2000)[1] == pytest.approx(better, abs=0.04)
    sure = [Arm(1.0, 0.0, 9, 1.0), Arm(0.9, 0.0, 9, 2.0)]
    assert frequencies(sampler, sure, 20) == [1.0, 0.0]


def test_epsilon_greedy_explores_less_and_less() -> None:
    arms = [Arm(0.0, 1.0, 0, 0.0), Arm(1.0, 1.0, 0, 0.0)]
    assert frequencies(EpsilonGreedy(0.4, 0.5), arms)[0] == pytest.approx(0.2, abs=0.03)
    visited = [arm._replace(visits=12) for arm in arms]
    assert frequencies(EpsilonGreedy(0.4, 0.5), visited)[0] == pytest.approx(0.04, abs=0.02)


def test_upper_confidence_bounds_are_those_of_the_document() -> None:
    arms = [Arm(-3.0, 9.0, 8, -2.0), Arm(-3.1, 9.0, 0, -2.5), Arm(-3.05, 9.0, 2, -9.0)]
    rng = Random(0)
    # 6 * sqrt(-ln 0.999 / 2) = 0.1342, over 3, 1 and 1.732.
    assert Hoeffding().pick(arms, 10, rng, 3) == [0, 1, 2]
    assert Hoeffding(spread=12).pick(arms, 10, rng, 1) == [1]
    assert Laplace(0.1).pick(arms, 10, rng, 3) == [0, 1, 2]
    assert Laplace(0.3).pick(arms, 10, rng, 1) == [1]
    # Shares of the policy: 0.622, 0.377 and next to nothing.
    assert Puct(1.0).pick(arms, 10, rng, 3) == [1, 0, 2]
    assert Puct(0.01).pick(arms, 10, rng, 3) == [0, 2, 1]


def test_uct_and_gumbel_are_those_of_their_papers() -> None:
    arms = [Arm(1.0, 0.0, 100, 0.0), Arm(0.9, 0.0, 1, 0.0), Arm(0.0, 0.0, 0, 0.0)]
    rng = Random(0)
    assert Uct(1.0).pick(arms, 101, rng, 3) == [2, 1, 0]  # sqrt(log(101)) = 2.148
    assert Uct(0.01).pick(arms[:2], 101, rng) == [0]
    # Values 1, 0 and their mean 0.5, times (50 + 1) / 10: the policy is 0.923, 0.006 and 0.071.
    even = [Arm(3.0, 0.0, 1, 0.0), Arm(1.0, 0.0, 1, 0.0), Arm(9.0, 0.0, 0, 0.0)]
    assert Gumbel().pick(even, 2, rng, 3) == [0, 2, 1]
    assert frequencies(Gumbel(scale=0.0), even, 3)[2] == 1.0


@pytest.mark.parametrize("name", list(SAMPLERS))
@given(
    st.lists(st.tuples(*[st.floats(-9, 0)] * 2, st.integers(0, 9)), min_size=1, max_size=6), st.integers(1, 8)
)
def test_samplers_pick_different_arms(name: str, drawn: list[tuple[float, float, int]], k: int) -> None:
    arms = [Arm(value, 0.5, visits, estimate) for value, estimate, visits in drawn]
    picked = sampler_of(name).pick(arms, 10, Random(1), k)
    assert len(set(picked)) == len(picked) == min(k, len(arms))
    assert set(picked) <= set(range(len(arms)))


@pytest.mark.parametrize(
    "text",
    ["thomson", "puct(c=1)", "epsilon-greedy(epsilon=2)", "hoeffding(confidence=0)", "laplace(delta=x)"],
)
def test_unknown_samplers_and_options_are_refused(text: str) -> None:
    with pytest.raises(SleuthError):
        sampler_of(text)


# Processes without words.


class Chain:
    """Ten states in a row: to stay brings nothing, to go right fails one time in ten, the end brings 1."""

    initial, discount = 0, 0.99

    def __init__(self, estimate: Callable[[int], float]) -> None:
        self.estimate = estimate

    def options(self, state: Any) -> Iterator[Option]:
        yield Option("stay", self.estimate(state))
        yield Option("right", self.estimate(state))

    def outcomes(self, state: Any, action: Any) -> list[Outcome]:
        if action == "stay":
            return [Outcome(1.0, 0.0, state)]
        end = state == 9
        return [Outcome(0.9, float(end), None if end else state + 1), Outcome(0.1, 0.0, state)]

    def value(self) -> float:
        """Ten steps, each 0.9 / (1 - 0.1 * 0.99), discounted but for the last."""
        step = 0.9 / (1 - 0.1 * 0.99)
        return step**10 * 0.99**9


def _only_drawn(process: Chain) -> SampledMDP:
    """Return the same process, whose outcomes can only be drawn."""

    class Drawn:
        initial, discount, options = process.initial, process.discount, process.options

        def sample(self, state: Any, action: Any, rng: Random) -> Outcome:
            outcomes = process.outcomes(state, action)
            return rng.choices(outcomes, [outcome.probability for outcome in outcomes])[0]

    return Drawn()


@pytest.mark.parametrize("deep", [False, True])
@pytest.mark.parametrize(("capital", "stake"), [(50, 50), (55, 45), (9, None)])
def test_the_gambler_plays_boldly(capital: int, stake: int | None, deep: bool) -> None:
    gambler = Gambler(capital)
    search = TreeSearch(gambler, seed=1, deep=deep)
    result = search.run(150)
    optimum = gambler.values()[capital]
    assert optimum - 2e-3 < result.value <= optimum + 1e-9
    assert stake in (None, result.action)


def test_outcomes_may_be_drawn() -> None:
    gambler = Gambler(2, goal=4)

    class Drawn:
        """The gambler, who cannot list what may come."""

        initial, discount = gambler.initial, 1.0
        options, sample, limits = gambler.options, gambler.sample, gambler.limits

    result = TreeSearch(Drawn(), seed=2).run(4000)
    assert result.action == 2
    assert result.estimate == pytest.approx(0.4, abs=0.08)
    assert not result.proved


@pytest.mark.thorough
@pytest.mark.parametrize(("dice", "optimum"), [(yahtzee, 347897 / 7558272), (chance, 70 / 3)])
def test_dice_are_kept_as_well_as_can_be(dice: Callable[[], Dice], optimum: float) -> None:
    result = TreeSearch(dice(), seed=3).run(400)
    assert result.proved
    assert result.value == pytest.approx(optimum, abs=1e-9) == pytest.approx(result.bound, abs=1e-9)


def test_discounts_make_rewards_later_worth_less() -> None:
    class Waiting:
        """Take 1 now, or 2 after two steps."""

        initial, discount = 0, 0.7

        def options(self, state: Any) -> Iterator[Option]:
            yield Option("take", 1.0)
            if state < 2:
                yield Option("wait", 2.0)

        def outcomes(self, state: Any, action: Any) -> list[Outcome]:
            if action == "take":
                return [Outcome(1.0, 2.0 if state == 2 else 1.0, None)]
            return [Outcome(1.0, 0.0, state + 1)]

    search = TreeSearch(Waiting(), deep=True)
    result = search.run(50)
    assert (result.action, result.value) == ("take", 1.0)
    assert search.policy(1) == "wait"  # from there 1.4
    assert search.policy("nowhere") is None


@pytest.mark.parametrize("deep", [False, True])
@pytest.mark.parametrize("closing", [False, True])
@pytest.mark.parametrize(
    "estimate",
    [lambda state: 0.5, pytest.param(lambda state: 0.99 ** (9 - state), marks=pytest.mark.thorough)],
)
def test_a_chain_that_may_be_stayed_in_is_solved(
    closing: bool, deep: bool, estimate: Callable[[int], float]
) -> None:
    """Debiasing through the way back gave `right` 1.416 and more, and `stay` the most visits."""
    chain = Chain(estimate)
    search = TreeSearch(chain, seed=3, deep=deep, closing=closing)
    result = search.run(1500)
    assert result.action == "right"
    assert result.estimate == pytest.approx(chain.value(), abs=1e-6)
    assert max(search.root.live, key=lambda edge: edge.visits).action == "right"


@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize("deep", [False, True])
def test_processes_that_go_round_without_a_discount_need_limits(listed: bool, deep: bool) -> None:
    chain = Chain(lambda state: 0.5)
    process: Any = chain if listed else _only_drawn(chain)
    process.discount = 1.0
    with pytest.raises(SleuthError, match=r"goes round through state \d.*limits.*finite horizon"):
        TreeSearch(process, deep=deep).run(1000)
    process.limits = lambda state: (0.0, 1.0)
    search = TreeSearch(process, seed=3, deep=deep)
    search.run(400)
    for node in search.nodes.values():
        assert 0 <= node.achieved <= node.bound <= 1
        assert 0 <= node.value <= 1
    if listed:
        assert search.root.achieved <= 1


def test_a_search_goes_on_from_what_followed() -> None:
    chain = Chain(lambda state: 0.5)
    search = TreeSearch(chain, seed=3)
    search.run(600)
    before = search.nodes[4]
    visits = before.visits
    search.move(4)
    assert search.root is before
    assert set(search.nodes) == {4, 5, 6, 7, 8, 9}
    assert search.run(200).estimate == pytest.approx(search.mdp.discount**5 * (0.9 / 0.901) ** 6, abs=1e-4)
    assert before.visits == visits + 200


class Rounds:
    """A random process that goes round, with estimates that are far off; values by value iteration."""

    initial = 0

    def __init__(self, seed: int) -> None:
        rng = Random(seed)
        self.discount = rng.choice([0.5, 0.9, 0.97])
        self.states = rng.randint(2, 6)
        self.law: dict[int, list[list[Outcome]]] = {}
        for state in range(self.states):
            self.law[state] = []
            for _ in range(rng.randint(1, 3)):
                heavy = [rng.random() * rng.choice([0, 1]) for _ in range(self.states)] + [0.1]
                to = [*range(self.states), None]
                self.law[state].append(
                    [
                        Outcome(w / sum(heavy), rng.uniform(-3, 3), then)
                        for w, then in zip(heavy, to, strict=True)
                    ]
                )
        self.estimates = {state: [rng.uniform(-20, 20) for _ in law] for state, law in self.law.items()}

    def options(self, state: Any) -> Iterator[Option]:
        found = [Option(action, estimate) for action, estimate in enumerate(self.estimates[state])]
        yield from sorted(found, key=lambda option: -option.estimate)

    def outcomes(self, state: Any, action: Any) -> list[Outcome]:
        return self.law[state][action]

    def values(self) -> dict[int | None, float]:
        values: dict[Any, float] = dict.fromkeys([*range(self.states), None], 0.0)
        for _ in range(1500):
            for state, law in self.law.items():
                values[state] = max(
                    sum(p * (reward + self.discount * values[then]) for p, reward, then in outcomes)
                    for outcomes in law
                )
        return values


@pytest.mark.parametrize("sampler", ["thompson", "laplace", "puct", "hoeffding"])
def test_processes_that_go_round_come_to_the_values_of_value_iteration(sampler: str) -> None:
    for seed in range(2):
        process = Rounds(seed)
        values = process.values()
        for limited in (False, True):
            if limited:
                process.rewards = -3.0, 3.0  # type: ignore[attr-defined]  # what makes it a RewardBoundedMDP
            search = TreeSearch(process, sampler_of(sampler), seed, deep=seed % 2 == 0)
            result = search.run(1200)
            assert result.estimate == pytest.approx(values[0], abs=1e-4)
            if limited:
                assert result.value - 1e-9 <= values[0] <= result.bound + 1e-9
                assert result.bound - result.value < 1e-3


def test_rewards_give_limits_and_are_held_to_them() -> None:
    chain: Any = Chain(lambda state: 0.0)
    chain.rewards = 0.0, 1.0
    search = TreeSearch(chain, seed=1)
    assert search.root.achieved == 0.0
    assert search.root.bound == pytest.approx(100.0)
    chain.rewards = 0.0, 0.5
    with pytest.raises(SleuthError, match=r"of 'right' in state 9 is 1.0; rewards says .* from 0.0 to 0.5"):
        TreeSearch(chain, seed=1, deep=True).run(5000)
    chain.rewards = 1.0, 0.0
    with pytest.raises(SleuthError, match="the lower one first"):
        TreeSearch(chain)


def test_a_chain_with_limits_comes_near_the_optimum() -> None:
    chain: Any = Chain(lambda state: 0.99 ** (9 - state))
    chain.limits = lambda state: (0.0, 0.99 ** (9 - state))
    search = TreeSearch(chain, seed=1)
    result = search.run(3000)
    assert result.action == "right"
    assert result.value == pytest.approx(chain.value(), abs=0.01)
    assert result.value <= chain.value() + 1e-9


def test_a_state_met_again_by_another_way_is_no_round() -> None:
    class Diamond:
        """Left and right lead to one place."""

        initial, discount = "top", 1.0

        def options(self, state: Any) -> Iterator[Option]:
            yield from (Option("left", 0.0), Option("right", 0.0)) if state == "top" else (Option("on", 0.0),)

        def outcomes(self, state: Any, action: Any) -> list[Outcome]:
            if state == "top":
                return [Outcome(0.5, 0.0, action), Outcome(0.5, 0.0, "middle")]
            return [Outcome(1.0, 0.0, "middle")] if state != "middle" else [Outcome(1.0, 1.0, None)]

    result = TreeSearch(Diamond(), deep=True).run(50)
    assert result.value == 1.0


@pytest.mark.parametrize(
    ("outcomes", "said"),
    [([(0.5, None), (0.4, None)], "add up to 0.9"), ([(float("nan"), None)], "a chance is nan")],
)
def test_chances_that_do_not_add_up_are_refused(outcomes: list[tuple[float, None]], said: str) -> None:
    class Odd:
        initial, discount = 7, 1.0

        def options(self, state: Any) -> Iterator[Option]:
            yield Option("go", 0.0)

        def outcomes(self, state: Any, action: Any) -> list[Outcome]:
            return [Outcome(chance, 0.0, then) for chance, then in outcomes]

    with pytest.raises(SleuthError, match=rf"of 'go' in state 7: .*{said}"):
        TreeSearch(Odd(), deep=True).run(3)


@pytest.mark.parametrize("reward", [float("nan"), inf])
def test_rewards_that_are_no_numbers_are_refused(reward: float) -> None:
    class Odd:
        initial, discount = 7, 1.0

        def options(self, state: Any) -> Iterator[Option]:
            yield Option("go", 0.0)

        def outcomes(self, state: Any, action: Any) -> list[Outcome]:
            return [Outcome(1.0, reward, None)]

    with pytest.raises(SleuthError, match="the reward of 'go' in state 7 is"):
        TreeSearch(Odd(), deep=True).run(3)
    with pytest.raises(SleuthError, match="iterations must be a whole number from 0, not -1"):
        TreeSearch(Gambler()).run(-1)


@pytest.mark.parametrize("limits", [(5, 0), (float("nan"), 0), (0, float("nan"))])
def test_limits_that_cross_are_refused(limits: tuple[float, float]) -> None:
    class Odd(Gambler):
        def limits(self, state: Any) -> tuple[float, float]:
            return limits

    with pytest.raises(SleuthError, match="the lower one comes first"):
        TreeSearch(Odd())


def test_processes_that_lack_what_is_needed_are_refused() -> None:
    class Nothing:
        initial, discount = 0, 1.0

        def options(self, state: Any) -> Iterator[Option]:
            return iter(())

    with pytest.raises(SleuthError, match="outcomes"):
        TreeSearch(Nothing())
    gambler = Gambler()
    gambler.discount = 1.5
    with pytest.raises(SleuthError, match="discount"):
        TreeSearch(gambler)


# Games.


@given(st.one_of(small_games(), crowded_games()), st.data(), st.booleans())
def test_estimates_are_those_of_the_document(game: Game, data: st.DataObject, entropic: bool) -> None:
    position = follow(game, data.draw(histories(game, 1)))
    view, rows = Solver(position.game).view_of(position)
    weights = position.game.prior[view.answers[rows]]
    assume(weights.sum() > 0)
    weights = weights / weights.sum()
    given_ = (view.codes, game.tables.wide, view.own, rows, weights, game.rules.n_codes, entropic)
    found = estimates(*given_, 0)
    for least in (1, 3, 8):  # as many of the least, and no others that are less
        some = estimates(*given_, least)
        assert np.sort(some)[:least].tolist() == np.sort(found)[:least].tolist()
        assert set(some[np.isfinite(some)]) <= set(found)
    candidates = view.answers[rows].tolist()
    for column in range(0, len(view.columns), 3):
        guess = int(view.columns[column])
        expected = reference.action_estimate(position.game, candidates, guess, 1 if entropic else 2)
        assert found[column] == pytest.approx(expected, rel=1e-9)


@given(
    st.one_of(small_games(), crowded_games()),
    st.data(),
    st.sampled_from(get_args(Predictor)),
)
def test_searches_end_with_the_optimum(game: Game, data: st.DataObject, predictor: Predictor) -> None:
    position = follow(game, data.draw(histories(game, 1)))
    try:
        proof = prove(position)
        GuessingMDP(position)
    except SleuthError:
        assume(False)
    try:
        found = optimize(position, predictor=predictor, iterations=500)
    except StrategyError:
        # A proof does not mind answers of no weight that no guess tells apart; a tree has no place for them.
        assert not position.weights.all()
        with pytest.raises(StrategyError):
            DecisionTree.build(InformationGain(), game, position=position)
        return
    assert found.result.proved
    if proof.total is None:
        assert (found.total, found.lower_bound) == (None, None)
    else:
        # Tree search tells values apart that differ by a billionth of a guess; the weights may be finer.
        unseen = int(EPSILON * proof.scale)
        assert proof.total <= found.total <= proof.total + unseen
        assert abs(found.lower_bound - proof.total) <= unseen
    if found.tree is not None:
        check_tree(found.tree)
        assert found.tree.opener == found.opener


@pytest.mark.parametrize("max_turns", [1, 6])
def test_candidates_of_no_weight_are_told_apart_too(max_turns: int) -> None:
    # No guess names an answer, and the one of all weight counts as found when the other is ruled out.
    game = Game.from_function(
        lambda guess, answer: int(guess == 200 and answer == 1),
        answers=[0, 1],
        guesses=[100, 200],
        prior=np.array([0.0, 1.0]),
        max_turns=max_turns,
    )
    start = Position.start(game)
    assert optimize(start).total == prove(start).total
    assert optimize(start).result.proved


def test_what_is_achieved_is_what_the_tree_plays() -> None:
    whole = wordle("original:800")
    words = whole.answers[::8]
    game = whole.with_answers(words, np.full(len(words), 1 / len(words)))
    for mode in ("easy", "strict"):
        found = optimize(Position.start(game.with_mode(mode)), iterations=6)
        assert check_tree(found.tree).total == found.total
        assert found.lower_bound <= found.total


def test_runs_repeat_and_go_on() -> None:
    start = Position.start(mastermind(3, 6))
    runs = [optimize(start, iterations=12, seed=7).to_json() for _ in range(2)]
    for run in runs:
        del run["seconds"], run["history"]
    assert runs[0] == runs[1]
    mdp = GuessingMDP(start)
    search = TreeSearch(mdp, seed=7, deep=True)
    first = search.run(5)
    assert first.iterations == 5
    second = search.run(5)
    assert second.iterations == 10
    assert second.value >= first.value


@pytest.mark.parametrize("threads", [2, 4])
def test_threads_lose_no_updates(threads: int) -> None:
    game = mastermind(3, 4)
    before = threading.active_count()
    found = optimize(Position.start(game), with_tree=False, threads=threads, iterations=5000)
    assert (found.total, found.result.proved) == (206, True)
    search = TreeSearch(GuessingMDP(Position.start(mastermind(4, 4))), deep=True, seed=1)
    search.run(40, threads=threads)
    assert sum(edge.visits for edge in search.tried) >= search.iterations == 40
    assert threading.active_count() == before


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"threads": 0}, "threads must be a whole number from 1 to 256, not 0"),
        ({"threads": 257}, "not 257"),
        ({"threads": True}, "not True"),
        ({"iterations": -1}, "iterations must be a whole number from 0, not -1"),
        ({"iterations": 1.5}, "not 1.5"),
        ({"target": 127}, "the target must be 127 or more, not 126"),
    ],
)
def test_limits_that_are_none_are_refused(given: dict[str, Any], message: str) -> None:
    if "target" in given:  # 64 answers: 1 + 63 * 2
        optimize(Position.start(mastermind(3, 4)), **given, iterations=1)
        given = {"target": 126}
    with pytest.raises(SleuthError, match=message):
        optimize(Position.start(mastermind(3, 4)), **given)


def test_limits() -> None:
    start = Position.start(mastermind(4, 4))
    found = optimize(start, target=930)
    assert found.result.target_reached
    assert found.total <= 930
    assert optimize(start, iterations=3).result.iterations == 3
    assert optimize(start, seconds=0).total is None

    def interrupt(progress: Progress) -> Never:
        raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        optimize(start, progress=interrupt)
    assert stopped.value.known.result.interrupted
    assert stopped.value.known.total is not None


def test_priors_weigh() -> None:
    game = wordle(
        ["aab", "aba", "abb", "abc", "bab", "bac", "bba", "cab", "cba", "ccc"],
        prior=np.arange(10, dtype=float) + 1.0,
    )
    found = optimize(Position.start(game), iterations=500)
    proof = prove(game)
    assert (found.total, found.scale) == (proof.total, proof.scale)


def test_the_strategy_plays_and_ranks() -> None:
    game = mastermind(3, 4)
    start = Position.start(game)
    strategy = Avts(iterations=100)
    rows = strategy.rank(start)
    assert rows[0].guess == game.guesses[strategy.choose(start)]
    assert (rows[0].expected_guesses, rows[0].expected_by) == (206 / 64, "exact")
    assert all(row.least <= row.expected_guesses < inf for row in rows)
    for wrong in ({"iterations": 0}, {"sampler": "x"}, {"predictor": "x"}):
        with pytest.raises(SleuthError):
            Avts(**wrong).choose(start)


# The document's search by itself: without bounds, one level deeper with each simulation, all guesses in play.


class Plain:
    """Tyl's algorithm (2024) as its text has it, with whole histories of q2, and the Laplace sampler."""

    def __init__(self, mdp: GuessingMDP, delta: float) -> None:
        self.mdp, self.delta = mdp, delta
        self.options: dict[object, Iterator[Option]] = {}
        self.q2: dict[object, dict[object, list[float]]] = {}  # of each state, and action in memory

    def debiased(self, state: object) -> dict[object, float]:
        """Return q3 of the actions of a state."""
        histories = list(self.q2[state].values())
        most = max(map(len, histories)) - 1
        bias = [0.0] * (most + 1)
        for v in range(most - 1, -1, -1):
            steps = [h[v + 1] - h[v] for h in histories if len(h) > v + 1]
            bias[v] = bias[v + 1] + sum(steps) / len(steps)
        return {action: h[-1] + bias[len(h) - 1] for action, h in self.q2[state].items()}

    def add(self, state: object) -> None:
        """Take the most promising action that is not yet in memory into it."""
        option = next(self.options[state], None)
        if option is not None:
            self.q2[state][option.action] = [option.estimate]

    def value(self, state: object) -> float:
        return max(self.debiased(state).values())

    def simulate(self, state: object, seen: set[object]) -> None:
        if state in seen:
            return
        seen.add(state)
        if state not in self.q2:
            self.options[state], self.q2[state] = iter(self.mdp.options(state)), {}
            self.add(state)
            if state is not self.mdp.initial:
                return
        values = self.debiased(state)
        visits = {action: len(history) - 1 for action, history in self.q2[state].items()}
        action = max(values, key=lambda a: values[a] + self.delta / (visits[a] + 1))
        outcomes = self.mdp.outcomes(state, action)
        for outcome in outcomes:
            if outcome.state is not None:
                self.simulate(outcome.state, seen)
        after = [0.0 if o.state is None else self.value(o.state) for o in outcomes]
        rewards = [o.probability * (o.reward + v) for o, v in zip(outcomes, after, strict=True)]
        self.q2[state][action].append(sum(rewards))
        if visits[action] == 0:
            self.add(state)


@pytest.mark.parametrize("delta", [0.1, 0.5])
@pytest.mark.parametrize(
    "game",
    [mastermind(3, 4), wordle("original").with_answers(WORDS, np.full(len(WORDS), 1 / len(WORDS)))],
    ids=["pegs", "words"],
)
def test_the_plain_search_is_the_documents(game: Game, delta: float) -> None:
    mdp = GuessingMDP(Position.start(game), bounds="none")
    twin, search = Plain(mdp, delta), TreeSearch(mdp, Laplace(delta), closing=False)
    for _ in range(60):
        twin.simulate(mdp.initial, set())
        search.run(1)
        ours = {edge.action: (edge.visits, round(edge.value, 9)) for edge in search.root.live}
        theirs = {a: (len(h) - 1, round(h[-1], 9)) for a, h in twin.q2[mdp.initial].items()}
        assert ours == theirs
        assert search.root.value == pytest.approx(twin.value(mdp.initial), abs=1e-9)
    assert search.root.achieved <= search.root.value + 1e-9


@pytest.mark.thorough
def test_first_values_are_those_in_print() -> None:
    """The document's q1 and q2 of sater and raise: 2.9870 and 2.9925, after a visit 3.3142 and 3.3498."""
    game = wordle("nyt")
    mdp = GuessingMDP(Position.start(game), bounds="none")
    found = {}
    for option in islice(mdp.options(mdp.initial), 8):
        outcomes = mdp.outcomes(mdp.initial, option.action)
        after = [next(mdp.options(o.state)).estimate if o.state is not None else 0.0 for o in outcomes]
        visited = sum(o.probability * (o.reward + v) for o, v in zip(outcomes, after, strict=True))
        found[game.guesses[int(str(option.action))]] = round(-option.estimate, 4), round(-visited, 4)
    assert found["sater"] == (2.9870, 3.3142)
    assert found["raise"] == (2.9925, 3.3498)


@pytest.mark.parametrize("sampler", list(SAMPLERS))
def test_the_plain_search_comes_to_the_optimum(sampler: str) -> None:
    start = Position.start(mastermind(2, 4))
    found = optimize(start, sampler=sampler, bounds="none", deep=False, target=45, iterations=3000)
    assert (found.total, found.lower_bound, found.result.proved) == (45, 0, False)
    assert check_tree(found.tree).total == 45


def test_the_plain_search_keeps_to_the_turns() -> None:
    lost = optimize(
        Position.start(replace(mastermind(2, 4), max_turns=2)), bounds="none", deep=False, iterations=300
    )
    assert (lost.total, lost.tree, lost.opener) == (None, None, "")
    start = Position.start(replace(mastermind(2, 4), max_turns=4))
    found = optimize(start, bounds="none", deep=False, iterations=400)
    assert check_tree(found.tree).worst <= 4
    assert found.total == prove(start).total


def test_the_plain_search_wants_a_limit() -> None:
    start = Position.start(mastermind(2, 4))
    with pytest.raises(SleuthError, match="without bounds a search has no end of its own"):
        optimize(start, bounds="none")
    with pytest.raises(SleuthError, match="kind of bounds"):
        optimize(start, bounds="some", iterations=1)  # type: ignore[arg-type]


def test_puct_counts_visits_of_actions_that_are_out_of_play() -> None:
    arms = [Arm(-3.0, 0.0, 4, -3.0), Arm(-3.2, 0.0, 0, -3.0)]
    assert Puct(1.0).pick(arms, 0, Random(0)) == [0]
    assert Puct(1.0).pick(arms, 100, Random(0)) == [1]
