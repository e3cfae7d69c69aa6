"""Exact play, kernels warm: single openers, and whole proofs, which take minutes (-k proof)."""

import pytest

import sleuth
from sleuth.exact.objective import Objective
from sleuth.exact.solver import Solver
from sleuth.games import wordlists
from sleuth.games.position import Position


@pytest.fixture(scope="module")
def original():
    return sleuth.wordle("original")


@pytest.fixture(scope="module")
def nyt2023():
    return sleuth.wordle("nyt")


def fresh(game, opener):
    """Return the arguments of a search that begins with an empty table."""

    def setup():
        solver = Solver(game)
        position = Position.start(game)
        guess = game.find(opener)
        solver.bound(position, beta=0, guess=guess)  # lays the game out
        solver.search.table[:] = 0
        return (solver, position, guess), {}

    return setup


def total(solver, position, guess):
    return solver.bound(position, guess=guess).lower


@pytest.mark.parametrize(
    ("opener", "value"),
    [("salet", 7920), ("reast", 7923), ("crate", 7926), ("trace", 7926), ("slate", 7928), ("crane", 7930)],
)
def test_opener(benchmark, original, opener, value):
    assert benchmark.pedantic(total, setup=fresh(original, opener), rounds=3) == value


def test_opener_hard(benchmark, original):
    hard = original.with_mode("hard")
    assert benchmark.pedantic(total, setup=fresh(hard, "salet"), rounds=3) == 8122


def test_opener_nyt2023(benchmark, nyt2023):
    assert benchmark.pedantic(total, setup=fresh(nyt2023, "tarse"), rounds=1) == 11219


def proof_of(benchmark, game, opener, value, objective=None):
    proof = benchmark.pedantic(sleuth.prove, (game, objective), rounds=1)
    benchmark.extra_info.update(cpu_seconds=proof.cpu_seconds, nodes=proof.nodes, openers=proof.openers)
    assert (proof.opener, proof.total, proof.proved) == (opener, value, True)


def test_proof_original(benchmark, original):
    proof_of(benchmark, original, "salet", 7920)


def test_proof_hard(benchmark, original):
    proof_of(benchmark, original.with_mode("hard"), "salet", 8122)


def test_proof_strict(benchmark, original):
    proof = benchmark.pedantic(sleuth.prove, (original.with_mode("strict"),), rounds=1)
    assert proof.proved


def test_proof_answers_only(benchmark, original):
    proof_of(benchmark, sleuth.wordle(wordlists.load("original").answers), "slate", 7973)


def test_proof_nyt2023(benchmark, nyt2023):
    proof_of(benchmark, nyt2023, "tarse", 11219)


def test_proof_frequency(benchmark, original):
    weighted = original.with_prior(sleuth_prior(original))
    proof = benchmark.pedantic(sleuth.prove, (weighted,), rounds=1)
    assert (proof.opener, proof.proved) == ("trace", True)


def sleuth_prior(game):
    from sleuth.games import priors

    return priors.load("frequency", game.answers)


def test_proof_worst_case(benchmark, original):
    proof = benchmark.pedantic(sleuth.prove, (original, Objective("worst")), rounds=1)
    assert (proof.total, proof.worst, proof.proved) == (7920, 5, True)


def test_proof_mastermind(benchmark):
    proof_of(benchmark, sleuth.mastermind(), "1123", 5625)
