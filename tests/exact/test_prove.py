"""Proofs against plain recursion over everything that can happen (reference.ExactPlay)."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import reference
from command_line import Run
from hypothesis import assume, given
from hypothesis import strategies as st
from random_games import crowded_games, follow, histories, small_games

from sleuth.cli.interrupts import finished_or_known
from sleuth.exact.objective import Kind, Objective, weights_of
from sleuth.exact.proof import IMPOSSIBLE, Proof
from sleuth.exact.proving import ProofProgress, prove
from sleuth.exact.solver import Solver
from sleuth.exact.symmetry import orbits
from sleuth.exact.verification import verify
from sleuth.games.game import Game
from sleuth.games.pegs import bulls_and_cows, mastermind
from sleuth.games.position import Position
from sleuth.games.priors import uniform
from sleuth.games.rules import WordleRules
from sleuth.games.wordle import wordle
from sleuth.support.errors import SleuthError, UnknownGuessError
from sleuth.trees.check import check_tree

# Trying everything takes its time.
pytestmark = pytest.mark.thorough


class Case:
    """A position and an objective, and what trying everything says of them."""

    def __init__(self, game: Game, rows: list[tuple[int, int]], objective: Objective) -> None:
        self.game, self.rows, self.objective = game, rows, objective
        self.position = follow(game, rows)
        self.turns = game.max_turns - self.position.turn + 1
        made = weights_of(game, objective, self.position.candidates)
        self.weights = made.values
        self.leftover = made.price if objective.kind == "solved" else None
        self.play = reference.ExactPlay(game, self.weights.tolist(), objective.penalty, self.leftover)

    def __repr__(self) -> str:
        words = f"{self.game.mode} guesses {self.game.guesses} answers {self.game.answers}"
        return f"{words} weights {self.weights.tolist()} turns {self.turns} {self.objective} {self.rows}"

    def totals(self, turns: int) -> dict[str, Any]:
        """Return what each useful opener costs with so many turns left, by word."""
        _, ways = self.play.after(self.rows, turns)
        candidates = self.position.candidates.tolist()
        return {
            self.game.guesses[guess]: total
            for guess, (total, _) in ways.items()
            if reference.can_be_right(self.game, candidates, guess)
            or len(reference.classes(self.game, candidates, guess)) > 1
        }

    def different(self, totals: dict[str, Any]) -> dict[str, Any]:
        """Return the totals of openers that are not the same in other names; at the start they are one."""
        if self.rows:
            return totals
        first = {self.game.guesses[guess] for guess in orbits(self.game).tolist()}
        return {word: total for word, total in totals.items() if word in first}

    def stage(self) -> tuple[int, dict[str, Any]]:
        """Return the turns that the objective allows, and what openers cost within them."""
        if self.objective.kind == "worst":
            for turns in range(1, self.turns):
                if min(self.totals(turns).values()) < inf:
                    return turns, self.totals(turns)
        return self.turns, self.totals(self.turns)

    def value(self, total: int | None, failures: int | None) -> float:
        """Return the total that counts failures, too."""
        return inf if total is None else total + (failures or 0) * (self.leftover or 0)

    def shown(self, value: int) -> int:
        """Return the total without the failures."""
        return value % self.leftover if self.leftover else value


def objectives(game: Game) -> st.SearchStrategy[Objective]:
    penalties = st.integers(game.max_turns + 1, game.max_turns + 6)
    penalty = penalties.map(lambda penalty: Objective("mean", penalty))
    return st.one_of(st.sampled_from([Objective(), Objective("worst"), Objective("solved")]), penalty)


@st.composite
def cases(draw: st.DrawFn, of: Callable[[Game], st.SearchStrategy[Objective]] = objectives) -> Case:
    """Positions with turns left and some guess that tells something."""
    game = draw(st.one_of(small_games(), crowded_games()))
    case = Case(game, draw(histories(game)), draw(of(game)))
    assume(case.turns > 0 and case.totals(case.turns))
    return case


def check_result(case: Case, proof: Proof, turns: int, totals: dict[str, Any]) -> None:
    """Compare a finished proof and its tree with what openers cost within so many turns."""
    check_numbers(case, proof, turns, totals)
    if proof.tree is not None:
        check_tree_of(case, proof)
    elif proof.total is not None:
        # Past the turns some answers that are no guesses can never be found, and a tree finds all.
        assert case.objective.penalty is not None
        assert not set(case.position.words) <= set(case.game.guesses)


def check_numbers(case: Case, proof: Proof, turns: int, totals: dict[str, Any]) -> None:
    """Compare the numbers of a finished proof with what openers cost within so many turns."""
    best = min(totals.values())
    assert case.value(proof.total, proof.failures) == best
    assert proof.proved
    assert proof.shallowest
    assert not proof.interrupted
    assert proof.scale == case.weights[case.position.candidates].sum()
    assert proof.openers == len(totals)
    if best == inf:
        assert (proof.opener, proof.lower_bound, proof.failures, proof.mean) == ("", IMPOSSIBLE, None, None)
        assert proof.tree is None
        assert proof.top == ()
        return
    assert totals[proof.opener] == best
    assert proof.lower_bound == proof.total
    assert proof.mean == (proof.total / proof.scale if proof.scale else None)
    assert (proof.failures is None) == (case.objective.kind != "solved")
    assert proof.refuted <= sum(total > best for total in totals.values())
    assert proof.turns <= turns


def check_tree_of(case: Case, proof: Proof) -> None:
    """Play the tree and add up what it costs."""
    turns = check_tree(proof.tree).turns.tolist()
    assert proof.tree.opener == proof.opener
    assert set(proof.tree.guess.tolist()) <= set(reference.legal_guesses(case.game, case.rows))
    weights = case.weights[case.position.candidates].tolist()
    late = [taken > case.turns for taken in turns]
    cost = case.leftover or 0
    if case.objective.penalty is not None:
        cost = case.objective.penalty - case.game.max_turns
        turns = [min(taken, case.turns) for taken in turns]
    if not cost:
        assert max(turns) <= proof.turns
        assert proof.worst == max(turns)
    total = sum(w * (taken + cost * over) for w, taken, over in zip(weights, turns, late, strict=True))
    assert total == case.value(proof.total, proof.failures)


THREADS = st.sampled_from([1, 2])


@given(cases(), THREADS)
def test_proofs_are_what_trying_everything_finds(case: Case, threads: int) -> None:
    turns, totals = case.stage()
    proof = prove(case.position, case.objective, threads=threads)
    check_result(case, proof, turns, case.different(totals))
    if case.objective.kind == "worst":
        assert proof.turns == turns


@given(cases(), st.data())
def test_an_opener_that_is_likely_changes_no_result(case: Case, data: st.DataObject) -> None:
    turns, totals = case.stage()
    likely = data.draw(st.sampled_from(case.game.guesses))
    check_result(case, prove(case.position, case.objective, likely=likely), turns, case.different(totals))


@given(cases(lambda game: st.just(Objective())))
def test_no_strategy_of_the_same_total_takes_fewer_turns(case: Case) -> None:
    proof = prove(case.position, case.objective, threads=1)
    if proof.total is None:
        assert min(case.totals(case.turns).values()) == inf
    elif proof.worst > 1:
        assert min(case.totals(proof.worst - 1).values()) > proof.total


@given(cases(), st.data())
def test_an_opener_asked_for_gets_its_own_total(case: Case, data: st.DataObject) -> None:
    turns, totals = case.stage()
    opener = data.draw(st.sampled_from(sorted(totals)))
    if case.objective.kind == "worst":
        turns = next((t for t in range(1, case.turns) if case.totals(t)[opener] < inf), case.turns)
        totals = case.totals(turns)
    check_result(case, prove(case.position, case.objective, opener=opener), turns, {opener: totals[opener]})


@given(cases(), st.integers(1, 12), THREADS)
def test_the_best_openers_come_with_exact_totals(case: Case, top: int, threads: int) -> None:
    turns, totals = case.stage()
    proof = prove(case.position, case.objective, top=top, threads=threads, with_tree=False)
    totals = case.different(totals)
    check_numbers(case, proof, turns, totals)
    finite = sorted(total for total in totals.values() if total < inf)
    optimal = finite.count(finite[0]) if finite else 0
    assert [totals[guess] for guess, _ in proof.top] == finite[: max(top, optimal)]
    assert len(dict(proof.top)) == len(proof.top)
    assert all(total == case.shown(totals[guess]) for guess, total in proof.top)


@given(cases(), THREADS, st.data())
def test_an_interrupted_proof_says_what_is_certain(case: Case, threads: int, data: st.DataObject) -> None:
    turns, totals = case.stage()
    left = data.draw(st.integers(0, 6))
    seen: list[ProofProgress] = []

    def progress(state: ProofProgress) -> None:
        seen.append(state)
        if len(seen) > left:
            raise KeyboardInterrupt

    top = data.draw(st.integers(1, 4))
    proof, _ = finished_or_known(
        lambda: prove(case.position, case.objective, top=top, threads=threads, progress=progress), Proof
    )
    if not proof.interrupted:
        check_result(case, proof, turns, case.different(totals))
        return
    assert not proof.shallowest
    assert proof.tree is None
    if proof.proved:
        assert case.value(proof.total, proof.failures) == min(totals.values())
    # For "worst" it may have been at work on fewer turns than are needed.
    truth = case.totals(proof.turns)
    best = min(truth.values())
    assert case.value(proof.lower_bound, 0) <= best
    assert proof.refuted <= sum(total > best for total in truth.values())
    if proof.total is not None:
        assert truth[proof.opener] == case.value(proof.total, proof.failures)
    for guess, total in proof.top:
        assert total == case.shown(truth[guess])
    for guess, least in proof.open:
        assert least <= truth[case.game.guesses[guess]]
    for state in seen:
        assert 0 <= state.done <= state.total
        assert state.refuted <= state.openers


@given(cases())
def test_no_time_is_no_proof(case: Case) -> None:
    proof = prove(case.position, case.objective, seconds=0)
    if proof.interrupted:
        assert not proof.shallowest
        assert case.value(proof.lower_bound, 0) <= min(case.totals(proof.turns).values())


@given(cases(), st.data())
def test_one_solver_serves_many_proofs(case: Case, data: st.DataObject) -> None:
    solver = Solver(case.game, case.objective)
    for rows in data.draw(st.lists(histories(case.game), min_size=2, max_size=3)):
        other = Case(case.game, rows, case.objective)
        if other.turns > 0 and other.totals(other.turns):
            turns, totals = other.stage()
            proof = prove(other.position, other.objective, solver=solver)
            check_result(other, proof, turns, other.different(totals))


@given(cases())
def test_json(case: Case) -> None:
    proof = prove(case.position, case.objective)
    data = json.loads(json.dumps(proof.to_json()))
    assert data["opener"] == (proof.opener or None)
    fields = ("total", "mean", "worst", "failures", "scale", "proved", "shallowest", "openers", "refuted")
    assert [data[field] for field in fields] == [getattr(proof, field) for field in fields]
    assert data["lower_bound"] == (None if proof.lower_bound >= IMPOSSIBLE else proof.lower_bound)
    assert [(entry["guess"], entry["total"]) for entry in data["top"]] == list(proof.top)


# Where there is nothing to prove.


def test_what_cannot_be_asked() -> None:
    game = wordle(["aa", "ab", "ba", "bb"])
    with pytest.raises(SleuthError, match="top must be 1 or more, not 0"):
        prove(game, top=0)
    with pytest.raises(UnknownGuessError, match="ac is not in the word list"):
        prove(game, opener="ac")
    with pytest.raises(SleuthError, match="the penalty is 6; a failure counts as at least 7 guesses"):
        prove(game, Objective("mean", 6))
    strict = Position.start(game.with_mode("strict")).play("aa", "gb")
    with pytest.raises(SleuthError, match="bb is not legal there in strict mode"):
        prove(strict, opener="bb")
    with pytest.raises(SleuthError, match="aa tells nothing there"):
        prove(Position.start(game).play("aa", "gb"), opener="aa")


@pytest.mark.parametrize("kind", ["mean", "worst", "solved"])
def test_positions_without_a_guess_that_tells_something_are_refused(kind: Kind) -> None:
    unnamed = Game("unnamed", WordleRules(2), ("ab", "ac"), ("aa", "bb", "ab"), uniform(3))
    with pytest.raises(SleuthError) as caught:
        prove(Position.start(unnamed).play("ab", "bg"), Objective(kind))
    assert type(caught.value) is SleuthError


@pytest.mark.parametrize("kind", ["mean", "worst", "solved"])
def test_positions_without_a_turn_left_are_refused(kind: Kind) -> None:
    game = wordle(["aa", "ab", "ba", "bb"], max_turns=1)
    with pytest.raises(SleuthError) as caught:
        prove(Position.start(game).play("aa", "gb"), Objective(kind))
    assert type(caught.value) is SleuthError


# Games of many turns.


@pytest.mark.parametrize(("turns", "total"), [(99, None), (270, None), (299, None), (300, 1), (400, 1)])
def test_words_that_share_no_letter_take_a_turn_each(turns: int, total: int | None) -> None:
    words = [chr(0x4E00 + 2 * i) + chr(0x4E01 + 2 * i) for i in range(300)]
    game = wordle(words, max_turns=turns).with_prior([1] + [0] * 299)  # type: ignore[arg-type]  # lists are taken too
    proof = prove(game, opener=words[0])
    assert (proof.total, proof.proved, proof.shallowest) == (total, True, True)
    assert proof.worst == (None if total is None else 300)
    assert total is None or check_tree(proof.tree).turns[0] == 1


# Priors of a wide range.


def exact_means(
    game: Game, weights: list[int], rows: list[tuple[int, int]], objective: Objective
) -> tuple[Fraction, Fraction]:
    """Return the least (share of failures, mean) after rows by trying everything, as fractions."""
    play = reference.ExactPlay(game, weights, objective.penalty, leftover=10**40)
    candidates = follow(game, rows).candidates.tolist()
    scale = sum(weights[a] for a in candidates)
    (total, _), _ = play.after(rows, game.max_turns - len(rows))
    failures, total = divmod(total, 10**40) if objective.penalty is None else (0, total)
    return Fraction(failures, scale), Fraction(total, scale)


@st.composite
def wide_cases(draw: st.DrawFn, most: int) -> tuple[Case, list[int]]:
    """Games with weights of up to so many digits, positions in them, and the objective "solved"."""
    game = draw(crowded_games(8))
    digits = st.floats(0, most).map(lambda power: round(10**power))
    n = len(game.answers)
    weights = draw(st.lists(st.one_of(st.integers(0, 9), digits), min_size=n, max_size=n).filter(any))
    game = game.with_prior(weights)  # type: ignore[arg-type]  # lists are taken too
    rows = draw(histories(game, most=2))
    case = Case(game, rows, Objective("solved"))
    candidates = case.position.candidates.tolist()
    assume(case.turns > 0 and case.totals(case.turns) and sum(weights[a] for a in candidates))
    return case, weights


@given(wide_cases(7))
def test_priors_of_a_wide_range_are_reckoned_with_exactly(drawn: tuple[Case, list[int]]) -> None:
    case, weights = drawn
    proof = prove(case.position, case.objective, threads=1)
    assert proof.tolerance == 0
    if proof.total is not None:
        failures, mean = exact_means(case.game, weights, case.rows, case.objective)
        assert (Fraction(proof.failures, proof.scale), Fraction(proof.total, proof.scale)) == (failures, mean)


@given(wide_cases(15))
def test_what_rounding_takes_is_within_the_tolerance(drawn: tuple[Case, list[int]]) -> None:
    case, weights = drawn
    proof = prove(case.position, case.objective, threads=1)
    if proof.total is not None:
        failures, mean = exact_means(case.game, weights, case.rows, case.objective)
        off = abs(Fraction(proof.failures, proof.scale) - failures)
        assert off <= proof.tolerance
        assert proof.tolerance or proof.mean == pytest.approx(float(mean), rel=1e-13)


@pytest.mark.parametrize(
    "prior", [None, [1, 2, 3, 0, 5, 64], [1000, 1001, 1003, 2, 7, 9], np.random.default_rng(1).random(6)]
)
def test_stores_serve_whatever_the_prior_is(tmp_path: Path, prior: Any) -> None:
    words = ["aa", "ab", "ba", "bb", "ac", "ca"]
    game = wordle(words) if prior is None else wordle(words).with_prior(prior)
    for where in (Position.start(game), Position.start(game).play("aa", "gb")):
        for objective in (Objective(), Objective("solved")):
            path = tmp_path / f"{where.turn} {objective.kind}.db"
            proof = prove(where, objective, store=path)
            assert verify(path).ok
            assert prove(where, objective, store=path, solver=Solver(game, objective)).total == proof.total


# Symmetry.


SYMMETRIC = [
    mastermind(2, 3),
    mastermind(2, 4),
    mastermind(3, 2),
    mastermind(2, 4, repeats=False),
    mastermind(3, 3, repeats=False),
    replace(mastermind(2, 5, repeats=False), max_turns=4),
    mastermind(2, 4, black=True),
    mastermind(3, 3, repeats=False, black=True),
]


@pytest.mark.parametrize("game", SYMMETRIC, ids=lambda game: game.name)
def test_equivalent_guesses_cost_the_same(game: Game) -> None:
    totals = Case(game, [], Objective()).totals(game.max_turns)
    first = orbits(game).tolist()
    assert all(
        totals[game.guesses[guess]] == totals[word] for word, guess in zip(game.guesses, first, strict=True)
    )
    assert len(set(first)) < len(first)
    assert first == [first[guess] for guess in first]
    assert all(guess <= place for place, guess in enumerate(first))


@pytest.mark.parametrize("game", SYMMETRIC, ids=lambda game: game.name)
@pytest.mark.parametrize("top", [1, 3])
def test_symmetric_games(game: Game, top: int) -> None:
    totals = Case(game, [], Objective()).totals(game.max_turns)
    different = {game.guesses[guess] for guess in orbits(game).tolist()}
    proof = prove(game, top=top)
    assert (proof.total, proof.openers) == (min(totals.values()), len(different))
    assert check_tree(proof.tree).total == proof.total
    assert set(dict(proof.top)) <= different
    assert all(totals[guess] == total for guess, total in proof.top)


@pytest.mark.parametrize(("pegs", "colours", "total"), [(2, 3, 25), (3, 3, 95)])
def test_black_pegs_cost_what_trying_everything_finds(pegs: int, colours: int, total: int) -> None:
    codes = ["".join(code) for code in product("123"[:colours], repeat=pegs)]

    @cache
    def least(left: frozenset[str]) -> int:
        if len(left) == 1:
            return 1
        costs = []
        for guess in codes:
            classes: dict[int, set[str]] = {}
            for code in left:
                classes.setdefault(sum(map(str.__eq__, guess, code)), set()).add(code)
            if len(classes) > 1:
                parts = [frozenset(part) for black, part in classes.items() if black < pegs]
                costs.append(len(left) + sum(map(least, parts)))
        return min(costs)

    game = mastermind(pegs, colours, black=True)
    assert least(frozenset(codes)) == prove(game).total == total
    assert len(set(orbits(game).tolist())) == pegs


def test_orbits_are_known() -> None:
    counts = [
        len(set(orbits(game).tolist())) for game in (mastermind(4, 6), mastermind(5, 8), bulls_and_cows(4))
    ]
    assert counts == [5, 7, 1]


@pytest.mark.parametrize(
    "game",
    [
        wordle(["aa", "ab", "ba", "bb"]),
        wordle(["aa", "ab", "ba", "bb"], mode="strict"),
        mastermind(2, 3).with_prior(np.arange(9, dtype=float) + 1.0),
        replace(mastermind(2, 3), guesses=mastermind(2, 3).guesses[1:]),
        mastermind(2, 3).with_answers(mastermind(2, 3).answers[:-1], uniform(8)),
        Game.from_function(lambda guess, answer: guess == answer, ["11", "12", "21", "22"]),
    ],
    ids=["words", "strict", "prior", "guesses", "answers", "function"],
)
def test_orbits_are_trivial_where_the_game_is_not_symmetric(game: Game) -> None:
    assert orbits(game).tolist() == list(range(len(game.guesses)))


@st.composite
def lopsided_games(draw: st.DrawFn) -> Game:
    """Mastermind with some of the guesses and answers, in which some symmetry may be left."""
    game = draw(st.sampled_from([mastermind(2, 3), mastermind(3, 2), mastermind(2, 2)]))
    guesses, answers = set(game.guesses), set(game.answers)
    for words in (guesses, answers):
        kept = draw(st.sampled_from(["all", "repeats", "different", "some"]))
        if kept == "some":
            words &= set(draw(st.lists(st.sampled_from(game.guesses), min_size=2, unique=True)))
        elif kept != "all":
            words -= {word for word in words if (len(set(word)) == len(word)) == (kept == "repeats")}
    assume(guesses and answers)
    answers = tuple(sorted(answers))
    game = replace(game, guesses=tuple(sorted(guesses)), answers=answers, prior=uniform(len(answers)))
    if draw(st.booleans()):
        prior: Any = draw(st.lists(st.sampled_from([1.0, 2.0]), min_size=len(answers), max_size=len(answers)))
        game = game.with_prior(prior)
    return game.with_mode(draw(st.sampled_from(["easy", "strict"])))


@given(lopsided_games(), st.data())
def test_proofs_of_games_with_some_symmetry(game: Game, data: st.DataObject) -> None:
    case = Case(game, [], data.draw(objectives(game)))
    assume(case.totals(case.turns))
    turns, totals = case.stage()
    first = orbits(game).tolist()
    for word, total in totals.items():
        assert totals[game.guesses[first[game.guess_index[word]]]] == total
    check_result(case, prove(game, case.objective), turns, case.different(totals))


# What is certain before the end.


def test_what_an_unfinished_proof_of_the_worst_case_says_holds(run: Run) -> None:
    """What is known of fewer guesses is no bound of the mean that counts."""
    args = ("prove", "--game", "mastermind", "--objective", "worst")
    code, out, _ = run(*args, "--seconds", 0)
    assert code == 0
    # Three are too few by counting; that four are, a first look at the openers may show before the end.
    assert re.search("no strategy finds every answer within [34] guesses", out)
    assert "mean" not in out or "none that does within 4 has a mean below" in out
    code, out, _ = run(*args, "--seconds", 0, "--json")
    found = json.loads(out)
    assert (found["turns"], found["proved"]) == (4, False)


@given(cases(), st.integers(0, 4))
def test_bounds_of_failures_hold(case: Case, after: int) -> None:
    calls: list[ProofProgress] = []

    def progress(state: ProofProgress) -> None:
        calls.append(state)
        if len(calls) > after:
            raise KeyboardInterrupt

    whole = prove(case.position, Objective("solved"))
    part, _ = finished_or_known(lambda: prove(case.position, "solved", progress=progress), Proof)
    if whole.total is not None:
        assert (part.lower_failures, part.lower_bound) <= (whole.failures, whole.total)
