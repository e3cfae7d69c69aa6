"""Hosts who choose the answer to be hard: Absurdle's, and the equilibrium, against trying everything."""

from collections.abc import Sequence
from functools import cache
from itertools import product
from math import inf
from typing import Any

import numpy as np
import pytest
import reference
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from random_games import crowded_games, follow, histories, small_games
from scipy.optimize import linprog

from sleuth.games.game import Game
from sleuth.games.pegs import mastermind
from sleuth.games.position import Position
from sleuth.games.rules import WordleRules
from sleuth.games.wordle import wordle
from sleuth.kernels import regret
from sleuth.kernels.estimates import two_guesses
from sleuth.strategies.heuristics import Random
from sleuth.support.errors import Interrupted, SleuthError, StrategyError
from sleuth.support.parallel import new_stop
from sleuth.trees.tree import DecisionTree
from sleuth.variants.adversary import double_oracle as module
from sleuth.variants.adversary import mixture as mixtures
from sleuth.variants.adversary.double_oracle import Round, equilibrium
from sleuth.variants.adversary.host import fewest_guesses, play, reply
from sleuth.variants.adversary.mixture import Mixture

# The host of Absurdle.


def naive_reply(game: Game, candidates: Sequence[int], guess: int) -> int:
    """Return the code of the largest class of wrong answers, of those with the fewest hints the first."""
    parts = reference.classes(game, candidates, guess)
    wrong = {code: members for code, members in parts.items() if code != game.solved}
    if not wrong:
        return game.solved

    def hints(code: int) -> list[int]:
        marks = reference.digits(game, code) if isinstance(game.rules, WordleRules) else []
        return [marks.count(2), marks.count(1)]

    return min(wrong, key=lambda code: (-len(wrong[code]), *hints(code), code))


@given(st.one_of(small_games(), crowded_games()), st.data())
def test_the_host_keeps_the_largest_class(game: Game, data: st.DataObject) -> None:
    position = follow(game, data.draw(histories(game, 2)))
    legal = range(len(game.guesses)) if position.legal is None else position.legal.tolist()
    for guess in legal:
        expected = naive_reply(position.game, position.candidates.tolist(), guess)
        assert reply(position, guess) == expected


@given(st.one_of(small_games(), crowded_games()))
def test_the_fewest_guesses_are_those_of_trying_everything(game: Game) -> None:
    assume(np.all(game.answer_guess >= 0))
    plain = reference.ExactPlay(game, [1] * len(game.answers))

    @cache
    def fewest(candidates: tuple[int, ...], legal: tuple[int, ...], left: int) -> int:
        if left == 0:
            return 99
        best = 99
        for guess in legal:
            code = naive_reply(game, candidates, guess)
            if code == game.solved:
                return 1
            kept = tuple(a for a in candidates if game.feedback[guess, a] == code)
            if len(kept) == len(candidates) and game.mode == "easy":
                continue
            after = plain._legal_after(legal, guess, code)
            best = min(best, 1 + fewest(kept, after, left - 1))
        return best

    most = 4
    expected = fewest(tuple(range(len(game.answers))), tuple(range(len(game.guesses))), most)
    start = Position.start(game)
    if expected > most:
        with pytest.raises(SleuthError):
            fewest_guesses(start, most)
        return
    beaten = fewest_guesses(start, most)
    assert beaten.guesses == len(beaten.line) == expected
    line, left = play(start, [guess for guess, _ in beaten.line])
    assert (line, left) == (beaten.line, None)


@pytest.mark.parametrize("words", ["original:400", pytest.param("original", marks=pytest.mark.thorough)])
def test_absurdle_takes_four_guesses(words: str) -> None:
    beaten = fewest_guesses(Position.start(wordle(words)))
    assert beaten.guesses == len(beaten.line) == 4


def test_the_host_of_mastermind_takes_five_guesses() -> None:
    """Knuth's worst case."""
    beaten = fewest_guesses(Position.start(mastermind()))
    assert beaten.guesses == 5
    with pytest.raises(SleuthError, match="within 4"):
        fewest_guesses(Position.start(mastermind()), 4)


def test_playing_on_after_the_end_is_refused() -> None:
    game = wordle(["aa", "ab"])
    with pytest.raises(SleuthError, match="beaten already"):
        play(Position.start(game), ["aa", "ab", "aa"])


# Equilibria.


def payoffs(game: Game) -> frozenset[tuple[int, ...]]:
    """Return what every strategy of a small game takes for each answer, a set of tuples."""
    everything = tuple(range(len(game.answers)))

    @cache
    def strategies(candidates: tuple[int, ...], left: int) -> frozenset[tuple[int, ...]]:
        if len(candidates) == 1 and game.answer_guess[candidates[0]] < 0:
            return frozenset({(0,)})
        found = set()
        for guess in range(len(game.guesses)) if left else ():
            parts = [
                tuple(a for a in members if not reference.is_answer(game, guess, a))
                for members in reference.classes(game, candidates, guess).values()
            ]
            parts = [part for part in parts if part]
            if parts == [candidates]:
                continue
            for ways in product(*(strategies(part, left - 1) for part in parts)):
                turns = dict.fromkeys(candidates, 1)
                for part, way in zip(parts, ways, strict=True):
                    turns.update({a: 1 + t for a, t in zip(part, way, strict=True)})
                found.add(tuple(turns[a] for a in candidates))
        return frozenset(found)

    return strategies(everything, len(everything) + 1)


def taken(mixture: Mixture, shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what a mixture takes for each answer on average, by playing every branch of it."""
    game = mixture.game
    took = np.zeros(len(game.answers))

    def play(state: int, chance: float) -> None:
        members = mixture.states[state].tolist()
        took[members] += chance
        mine = [c for c in range(len(mixture)) if mixture.owners[c] == state]
        assert sum(shares[c] for c in mine) == pytest.approx(1)
        for c in mine:
            classes = reference.classes(game, members, mixture.guesses[c])
            classes.pop(game.solved, None)
            parts = [part for part in classes.values() if len(part) > 1 or game.answer_guess[part[0]] >= 0]
            children = mixture.children[c].tolist()
            assert sorted(parts) == sorted(mixture.states[child].tolist() for child in children)
            for child in children:
                play(child, chance * shares[c])

    play(0, 1.0)
    return took


def value(vectors: frozenset[tuple[int, ...]]) -> float:
    """Return the value of the matrix game, by the host's linear program over all strategies."""
    matrix = np.array(sorted(vectors), float)
    strategies, answers = matrix.shape
    solved = linprog(
        [0.0] * answers + [-1.0],
        A_ub=np.hstack([-matrix, np.ones((strategies, 1))]),
        b_ub=np.zeros(strategies),
        A_eq=[[1.0] * answers + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * answers + [(None, None)],
    )
    return -solved.fun


@st.composite
def tiny_games(draw: st.DrawFn) -> Game:
    n = draw(st.integers(1, 5))
    words = ["ab", "ba", "aa", "bb", "ac", "ca", "cc"]
    answers = draw(st.permutations(words))[:n]
    if draw(st.booleans()):
        return wordle(answers, max_turns=draw(st.integers(2, 5)))
    table = {(g, a): draw(st.integers(0, 2)) for g in answers for a in answers}
    return Game.from_function(lambda g, a: "right" if g == a else table[g, a], answers, max_turns=n)


@given(tiny_games(), st.booleans())
def test_the_value_is_that_of_the_program_over_all_strategies(game: Game, exact: bool) -> None:
    vectors = payoffs(game)
    with pytest.MonkeyPatch.context() as patch:
        if not exact:
            patch.setattr(module, "_SMALL", 0)
        if not vectors:
            with pytest.raises(SleuthError, match="no strategy"):
                equilibrium(game, 1e-6)
            return
        found = equilibrium(game, 1e-6)
    expected = value(vectors)
    assert found.lower <= expected + 1e-7
    assert found.upper >= expected - 1e-7
    assert found.upper - found.lower <= 1e-6
    # Both sides hold, whatever the other does.
    assert found.host.sum() == pytest.approx(1)
    assert min(np.dot(found.host, vector) for vector in vectors) == pytest.approx(found.lower, abs=1e-6)
    assert max(taken(found.mixture, found.solution.shares)) == pytest.approx(found.upper, abs=1e-9)
    assert found.proved == exact


def test_equilibria_report_and_stop() -> None:
    rounds = []

    def progress(state: Round) -> None:
        rounds.append(state)
        if len(rounds) == 3:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        equilibrium(mastermind(2, 4), 1e-9, progress=progress)
    found = stopped.value.known
    assert found.interrupted
    assert found.lower <= found.value <= found.upper
    plain = found.to_json()
    assert {"value", "lower", "upper", "iterations", "hardest"} <= set(plain)
    assert [entry["probability"] for entry in plain["hardest"]] == sorted(
        (entry["probability"] for entry in plain["hardest"]), reverse=True
    )
    with pytest.raises(SleuthError, match="gap"):
        equilibrium(mastermind(2, 2), 0)


# Mixtures.


@st.composite
def mixtures_of(draw: st.DrawFn) -> Mixture:
    """A mixture of strategies that guess at random, of a game that they finish."""
    game = draw(st.one_of(small_games(), crowded_games()))
    mixture = Mixture(game)
    for seed in range(draw(st.integers(1, 4))):
        try:
            mixture.add(DecisionTree.build(Random(seed=seed), game))
        except StrategyError:
            assume(False)
    return mixture


def naive_costs(mixture: Mixture, host: NDArray[np.float64]) -> list[float]:
    """Return what each choice costs with the best ones after it."""

    @cache
    def cost(choice: int) -> float:
        mass = sum(host[mixture.states[mixture.owners[choice]]])
        return mass + sum(least(state) for state in mixture.children[choice].tolist())

    @cache
    def least(state: int) -> float:
        return min(cost(c) for c in range(len(mixture)) if mixture.owners[c] == state)

    return [cost(c) for c in range(len(mixture))]


def naive_rounds(
    mixture: Mixture, rounds: int, regrets: NDArray[np.float64], host_regrets: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return regrets of guesser and host, and the sums of chances and distributions, by regret matching+."""
    chances, hosts = np.zeros(len(regrets)), np.zeros(len(host_regrets))
    owners = np.array(mixture.owners)
    mine = {state: np.flatnonzero(owners == state) for state in range(len(mixture.states))}

    def matched(gains: NDArray[np.float64]) -> NDArray[np.float64]:
        assume(gains.sum() == 0 or gains.sum() > 1e-9)  # else rounding decides
        return gains / gains.sum() if gains.sum() > 0 else np.full(len(gains), 1 / len(gains))

    for t in range(1, rounds + 1):
        host = matched(host_regrets)
        value: dict[int, Any] = {}
        costs = np.zeros(len(regrets))
        for state in sorted(mine, key=lambda s: len(mixture.states[s])):
            mass = host[mixture.states[state]].sum()
            for c in mine[state]:
                costs[c] = mass + sum(value[child] for child in mixture.children[c].tolist())
            value[state] = matched(regrets[mine[state]]) @ costs[mine[state]]
            regrets[mine[state]] = np.maximum(regrets[mine[state]] + value[state] - costs[mine[state]], 0)
        shares = np.zeros(len(regrets))
        for state in mine:
            shares[mine[state]] = matched(regrets[mine[state]])
        took = taken(mixture, shares)
        host_regrets = np.maximum(host_regrets + took - host @ took, 0)
        hosts += t * host
        reach = dict.fromkeys(mine, 0.0)
        reach[0] = 1.0
        for state in sorted(mine, key=lambda s: -len(mixture.states[s])):
            for c in mine[state]:
                chances[c] += t * reach[state] * shares[c]
                for child in mixture.children[c].tolist():
                    reach[child] += reach[state] * shares[c]
    return regrets, host_regrets, chances, hosts


@given(mixtures_of(), st.data())
def test_the_passes_over_a_mixture_are_those_of_its_branches(mixture: Mixture, data: st.DataObject) -> None:
    play, order = mixture.play()
    weights = data.draw(
        st.lists(st.floats(0, 1), min_size=len(mixture.game.answers), max_size=len(mixture.game.answers))
    )
    assume(sum(weights) > 0)
    host = np.array(weights) / sum(weights)
    assert regret.costs_of(play, host) == pytest.approx(np.array(naive_costs(mixture, host))[order])
    openers = [
        cost for cost, owner in zip(naive_costs(mixture, host), mixture.owners, strict=True) if not owner
    ]
    assert mixture.least(host) == pytest.approx(min(openers))
    begun = np.array(
        data.draw(st.lists(st.integers(1, 9), min_size=len(mixture), max_size=len(mixture))), float
    )
    gained, host_gained = begun[order], host + 0.1
    chances, hosts = np.zeros(len(mixture)), np.zeros(len(host))
    regret.match_regrets(play, gained, host_gained, 2, chances, hosts, new_stop())
    regrets, host_regrets, expected_chances, expected_hosts = naive_rounds(mixture, 2, begun, host + 0.1)
    assert gained == pytest.approx(regrets[order])
    assert chances == pytest.approx(expected_chances[order])
    assert host_gained == pytest.approx(host_regrets)
    assert hosts == pytest.approx(expected_hosts)


@given(mixtures_of())
def test_regret_matching_finds_what_the_program_finds(mixture: Mixture) -> None:
    exact = mixture.solve(1e-6)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mixtures, "_LINEAR", 0)
        near = mixture.solve(1e-3)
    assert exact.upper == pytest.approx(exact.lower, abs=1e-7)
    assert near.upper - near.lower <= 1e-3
    assert near.lower - 1e-7 <= exact.upper <= near.upper + 1e-7
    for solution in (exact, near):
        assert max(taken(mixture, solution.shares)) == pytest.approx(solution.upper)


@given(st.one_of(small_games(), crowded_games()), st.data())
def test_openers_are_estimated_by_two_guesses(game: Game, data: st.DataObject) -> None:
    guesses = range(len(game.guesses))
    openers = data.draw(st.lists(st.sampled_from(guesses), unique=True))
    seconds = data.draw(st.lists(st.sampled_from(guesses), unique=True))
    few = data.draw(st.integers(0, 3))
    expected = []
    for opener in openers:
        total = 1.0
        for code, members in reference.classes(game, range(len(game.answers)), opener).items():
            masses = [game.prior[a] for a in members]
            mass = sum(masses)
            if code == game.solved or mass == 0:
                continue
            least = 2 * mass - max(masses)
            if len(members) <= 2:
                total += least
                continue
            own = [int(game.answer_guess[a]) for a in members[:few] if game.answer_guess[a] >= 0]
            found = []
            for guess in [*own, *seconds]:
                p = -reference.candidate(game, members, guess)
                # One more guess at least, where it may be wrong.
                floor = 1.0 if p > 1 - 1e-12 else 2 - p
                found.append(mass * max(floor, reference.estimate(game, members, guess)))
            best = min(found, default=inf)
            total += best if best < inf else mass * len(members)
        expected.append(total)
    found = two_guesses(
        game.tables,
        game.solved_label,
        np.array(openers, np.int32),
        np.array(seconds, np.int32),
        few,
        game.prior,
    )
    assert found == pytest.approx(expected)
