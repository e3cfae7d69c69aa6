"""Proofs of random games against trying everything, with other games every day.

SLEUTH_SEED draws the games of another day (a number such as 20250131), SLEUTH_DIFFERENTIAL_SECONDS says how
long the slow tests here look for a game that goes wrong, all together.
"""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, seed, settings
from hypothesis import strategies as st
from oracle import Play, Rules, State, Value, openers
from random_games import follow, histories, middle_games, tiny_games

from sleuth.exact.objective import Objective, weights_of
from sleuth.exact.plain import PlainSearch
from sleuth.exact.proof import IMPOSSIBLE, Proof
from sleuth.exact.proving import prove
from sleuth.exact.solver import DEFAULT_MEMORY
from sleuth.exact.symmetry import orbits
from sleuth.games.game import Game
from sleuth.games.rules import FunctionRules
from sleuth.support.errors import SleuthError
from sleuth.trees.tree import DecisionTree

SEED = int(os.environ.get("SLEUTH_SEED", date.today().strftime("%Y%m%d")))
SECONDS = float(os.environ.get("SLEUTH_DIFFERENTIAL_SECONDS", "60"))
KINDS = ["mean", "penalty", "worst", "solved"]


@dataclass(frozen=True)
class Case:
    """What is proved, and how."""

    game: Game
    weights: list[int]
    rows: list[tuple[int, int]]
    objective: Objective
    opener: int | None = None
    top: int = 1
    threads: int = 1
    memory: int = DEFAULT_MEMORY

    def program(self) -> str:
        """Return Python that proves it again."""
        game, rows = self.game, [(self.game.guesses[g], self.shown(code)) for g, code in self.rows]
        words = f"answers={list(game.answers)}, guesses={list(game.guesses)}"
        rest = f"prior=np.array({self.weights}, float), max_turns={game.max_turns}, mode={game.mode!r}"
        if isinstance(game.rules, FunctionRules):
            items = dict.fromkeys(game.answers + (game.guesses if game.mode == "strict" else ()))
            table = {(g, i): self.shown(game.rules.code(g, i)) for g in game.guesses for i in items}
            made = f"Game.from_function(lambda guess, item: {table}[guess, item], {words}, {rest})"
        else:
            made = f"Game('random', {type(game.rules).__name__}({len(game.guesses[0])}), {words}, {rest})"
        opener = None if self.opener is None else game.guesses[self.opener]
        asked = f"opener={opener!r}, top={self.top}, threads={self.threads}, memory={self.memory}"
        return f"prove(Position.after_rows({made}, {rows}), {self.objective}, {asked})"

    def shown(self, code: int) -> str:
        return self.game.rules.notation.show(code)

    def prove(self) -> Proof:
        opener = None if self.opener is None else self.game.guesses[self.opener]
        position = follow(self.game, self.rows)
        options: dict[str, Any] = {"top": self.top, "threads": self.threads, "memory": self.memory}
        return prove(position, self.objective, opener=opener, **options)


def objectives(kind: Any, game: Game) -> st.SearchStrategy[Objective]:
    if kind != "penalty":
        return st.just(Objective(kind))
    turns = game.max_turns
    penalties = st.one_of(st.integers(turns + 1, turns + 6), st.sampled_from([10 * turns, 1000]))
    return penalties.map(lambda penalty: Objective("mean", penalty))


@st.composite
def cases(
    draw: st.DrawFn, kind: str, games: st.SearchStrategy[tuple[Game, list[int]]], most_rows: int = 2
) -> Case:
    """Positions of games with a turn left, before the right guess."""
    game, weights = draw(games)
    rows = draw(st.one_of(st.just([]), st.just([]), histories(game, most_rows)))
    assume(len(rows) < game.max_turns and all(code != game.solved for _, code in rows))
    opener = draw(st.one_of(st.none(), st.none(), st.integers(0, len(game.guesses) - 1)))
    top, threads = draw(st.sampled_from([1, 1, 2, 3, 20])), draw(st.sampled_from([1, 1, 2]))
    memory = draw(st.sampled_from([DEFAULT_MEMORY, DEFAULT_MEMORY, 2**12, 2**7]))
    return Case(game, weights, rows, draw(objectives(kind, game)), opener, top, threads, memory)


# Trying everything, held against what can be worked out by hand.

HIGHER_LOWER = Game.from_function(lambda guess, answer: (guess > answer) - (guess < answer), range(1, 8))
TWO_BITS = Game.from_function(lambda bit, answer: answer >> bit[1] & 1, range(4), [("bit", 0), ("bit", 1)])
A_TRAP = Game.from_function(
    lambda guess, answer: "right" if guess == answer else answer == "a3",
    ["a0", "a1", "a2", "a3"],
    ["a0", "g1"],
)


@pytest.mark.parametrize(
    ("game", "turns", "objective", "best"),
    [
        (HIGHER_LOWER, 6, Objective(), (0, 1 + 2 * 2 + 4 * 3)),
        (HIGHER_LOWER, 2, Objective(), None),
        (HIGHER_LOWER, 2, Objective("mean", 10), (0, 1 + 2 * 2 + 4 * 10)),
        (HIGHER_LOWER, 6, Objective("worst"), (0, 17)),
        (HIGHER_LOWER, 2, Objective("solved"), (4, 17)),
        (TWO_BITS, 2, Objective(), (0, 4 * 2)),
        (TWO_BITS, 1, Objective("solved"), (4, 4 * 2)),
        (TWO_BITS, 1, Objective("mean", 2), (0, 4 * 2)),
        # After a0 only a3 is known, and it is found; a1 and a2 are never told apart.
        (A_TRAP, 2, Objective("mean", 3), (0, 1 + 1 + 3 + 3)),
        (A_TRAP, 2, Objective("solved"), None),
    ],
)
def test_trying_everything(
    game: Game, turns: int, objective: Objective, best: tuple[int, int] | None
) -> None:
    rules = Rules(replace(game, max_turns=turns))
    _, ways = openers(rules, [1] * len(game.answers), objective, rules.start)
    assert min((way for way in ways.values() if way is not None), default=None) == best


# What is checked of small games: everything that a proof says.


def check(case: Case) -> None:
    """Compare all that a proof says with trying everything."""
    game, rules = case.game, Rules(case.game)
    start = rules.follow(case.rows)
    position = follow(game, case.rows)
    assert start.candidates == set(position.candidates.tolist())
    assert start.legal == set(range(len(game.guesses)) if position.legal is None else position.legal.tolist())
    last, ways = openers(rules, case.weights, case.objective, start, case.opener)
    if not any(rules.useful(start, guess) for guess in ways):
        with pytest.raises(SleuthError):
            case.prove()
        return
    reckoned = weights_of(game, case.objective, position.candidates).values[position.candidates].tolist()
    given = [case.weights[a] for a in position.candidates]
    assert same_proportions(reckoned, given), f"proofs round the weights to {reckoned}"
    proof = case.prove()
    assert proof.proved
    assert not proof.interrupted
    # Trying everything, useless guesses too, none may be better than all the useful ones.
    best: Any = min((way for way in ways.values() if way is not None), default=None)
    if best is None:
        assert (proof.total, proof.opener, proof.tree, proof.top) == (None, "", None, ())
        return
    assert proof.total is not None, f"it is possible, with {best}"
    weight = sum(case.weights[answer] for answer in start.candidates)
    units = Fraction(weight, proof.scale) if proof.scale else Fraction(1)
    assert bool(proof.scale) == bool(weight)
    assert (proof.failures is None) == (case.objective.kind != "solved")
    assert ((proof.failures or 0) * units, proof.total * units) == best
    assert proof.lower_bound == proof.total
    assert ways[game.guess_index[proof.opener]] == best
    if case.objective.kind == "worst":
        assert proof.turns == last - start.turn + 1
    check_top(case, proof, rules, start, ways, units)
    if proof.tree is None:
        # Of answers that cannot be guessed some may never be found, and a tree finds all.
        assert case.objective.penalty is not None
        assert rules.unnamed & start.candidates
    else:
        check_tree(case, proof.tree, rules, start, last, best)
    if case.objective == Objective():
        check_shallow(case, proof, rules, start, best)


def same_proportions(some: Sequence[int], others: Sequence[int]) -> bool:
    """Say whether weights are the same but for their unit."""
    return all(a * sum(others) == b * sum(some) for a, b in zip(some, others, strict=True))


def check_top(
    case: Case,
    proof: Proof,
    rules: Rules,
    start: State,
    ways: Mapping[int, Value | None],
    units: Fraction,
) -> None:
    """The best openers come first, each with what it costs, and as many as were asked for."""
    game = case.game
    first = orbits(game).tolist() if not case.rows and case.opener is None else range(len(game.guesses))
    useful = {g: ways[g] for g in ways if first[g] == g and ways[g] is not None and rules.useful(start, g)}
    listed = [game.guess_index[word] for word, _ in proof.top]
    assert listed[0] == game.guess_index[proof.opener] or proof.top[0][1] == proof.total
    assert [total * units for _, total in proof.top] == [ways[g][1] for g in listed]
    values = [ways[g] for g in listed]
    assert values == sorted(useful.values())[: len(listed)]
    assert len(listed) >= min(case.top, len(useful))
    assert {g for g in useful if useful[g] == values[0]} <= set(listed)


def check_tree(
    case: Case, tree: DecisionTree, rules: Rules, start: State, last: int, best: tuple[int, int]
) -> None:
    """Play the tree from the root: it keeps the rules, finds every answer and costs what it should."""
    play = Play(rules, case.weights, case.objective, start, last)

    def walk(node: int, state: State) -> tuple[int, int]:
        guess, late, total = int(tree.guess[node]), 0, 0
        assert guess in state.legal
        for code, group in rules.classes(state.candidates, guess).items():
            if code in tree.children[node]:
                assert code != case.game.solved
                part = walk(tree.children[node][code], rules.after(state, guess, code))
            else:
                assert rules.ends(guess, group)
                part = play.found(group, state.turn)
            late, total = late + part[0], total + part[1]
        return late, total

    assert walk(0, start) == best
    if case.objective.kind == "worst" or case.objective == Objective():
        assert tree.turns.max() <= last - start.turn + 1


def check_shallow(case: Case, proof: Proof, rules: Rules, start: State, best: tuple[int, int]) -> None:
    """No strategy of the same total takes fewer turns than the one that is found."""
    for last in range(start.turn, case.game.max_turns + 1):
        play = Play(rules, case.weights, case.objective, start, last)
        guesses = start.legal if case.opener is None else [case.opener]
        if best in [play.of(start, guess) for guess in guesses]:
            break
    assert proof.worst == proof.tree.turns.max() == last - start.turn + 1


# Games of 20 to 60 answers: too many to try everything, but the plain search can go through them.


def check_against_the_plain_search(case: Case) -> None:
    """Compare the best openers and some others with what the plain search says of them."""
    search = PlainSearch(case.game, case.objective)
    position = follow(case.game, case.rows)
    turns = case.game.max_turns - position.turn + 1
    useful, _ = search.first_bounds(search.spot(position, turns))
    guesses = [guess for guess in useful if case.opener in (None, guess)]
    if not guesses:
        with pytest.raises(SleuthError):
            case.prove()
        return
    proof = case.prove()
    assert proof.proved
    turns = proof.turns if case.objective.kind == "worst" else turns
    spot = search.spot(position, turns)
    leftover = search.leftover if case.objective.kind == "solved" else 0
    value = IMPOSSIBLE if proof.total is None else proof.total + (proof.failures or 0) * leftover
    assert all(search.opener(spot, guess, value)[0] >= value for guess in guesses)
    for word, total in proof.top:
        found, _ = search.opener(spot, case.game.guess_index[word], IMPOSSIBLE)
        assert total == (found % leftover if leftover else found)
        assert found == value or word != proof.opener
    if case.objective.kind == "worst" and turns > 1:
        sooner = search.spot(position, turns - 1)
        assert all(search.opener(sooner, guess, IMPOSSIBLE)[0] >= IMPOSSIBLE for guess in guesses)


# The tests.


def hold(checked: Callable[[Case], None], drawn: st.SearchStrategy[Case], number: int) -> None:
    """Check cases of the seed with this number; the smallest that fails is printed."""

    @seed(number)
    @settings(
        database=None,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(drawn)
    def run(case: Case) -> None:
        try:
            checked(case)
        except BaseException as failure:
            failure.add_note(case.program())
            raise

    run()


def hold_for_a_while(checked: Callable[[Case], None], drawn: st.SearchStrategy[Case]) -> None:
    """Check other cases until the time is up."""
    print(f"SLEUTH_SEED={SEED}")
    until = time.monotonic() + SECONDS / (2 * len(KINDS))
    for number in count(1000 * SEED):
        hold(checked, drawn, number)
        if time.monotonic() > until:
            return


@pytest.mark.parametrize("kind", KINDS)
def test_small_games(kind: str) -> None:
    hold(check, cases(kind, tiny_games()), 1)


@pytest.mark.parametrize("kind", KINDS)
def test_middling_games(kind: str) -> None:
    hold(check_against_the_plain_search, cases(kind, middle_games()), 1)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
def test_small_games_of_the_day(kind: str) -> None:
    hold_for_a_while(check, cases(kind, tiny_games()))


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
def test_middling_games_of_the_day(kind: str) -> None:
    hold_for_a_while(check_against_the_plain_search, cases(kind, middle_games()))
