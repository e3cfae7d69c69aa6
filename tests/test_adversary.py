"""Hosts who choose the answer to be hard: Absurdle's, and the equilibrium, against trying everything."""

from functools import cache
from itertools import product

import numpy as np
import pytest
import reference
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_games import crowded_games, follow, histories, small_games
from scipy.optimize import linprog

from sleuth.adversary import equilibrium as module
from sleuth.adversary.equilibrium import equilibrium
from sleuth.adversary.host import fewest_guesses, play, reply
from sleuth.adversary.mixture import SEPARATE
from sleuth.errors import SleuthError
from sleuth.games.game import Game
from sleuth.games.pegs import mastermind
from sleuth.games.wordle import wordle
from sleuth.position import Position

# The host of Absurdle.


def naive_reply(game, candidates, guess):
    """Return the code of the largest class of wrong answers, of those with the fewest hints the first."""
    parts = reference.classes(game, candidates, guess)
    wrong = {code: members for code, members in parts.items() if code != game.solved}
    if not wrong:
        return game.solved

    def hints(code):
        digits = game.legality.digits
        return [] if not len(digits) else [list(digits[code]).count(2), list(digits[code]).count(1)]

    return min(wrong, key=lambda code: (-len(wrong[code]), *hints(code), code))


@settings(max_examples=60)
@given(st.one_of(small_games(), crowded_games()), st.data())
def test_the_host_keeps_the_largest_class(game, data):
    position = follow(game, data.draw(histories(game, 2)))
    legal = range(len(game.guesses)) if position.legal is None else position.legal.tolist()
    for guess in legal:
        expected = naive_reply(position.game, position.candidates.tolist(), guess)
        assert reply(position, guess) == expected


@settings(max_examples=25)
@given(st.one_of(small_games(), crowded_games()))
def test_the_fewest_guesses_are_those_of_trying_everything(game):
    assume(np.all(game.answer_guess >= 0))
    plain = reference.ExactPlay(game, [1] * len(game.answers))

    @cache
    def fewest(candidates, legal, left):
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


def test_absurdle_takes_four_guesses_and_mastermind_five(original):
    """Known: four for Absurdle, and Knuth's worst case of Mastermind."""
    beaten = fewest_guesses(Position.start(original))
    assert beaten.guesses == len(beaten.line) == 4
    beaten = fewest_guesses(Position.start(mastermind()))
    assert beaten.guesses == 5
    with pytest.raises(SleuthError, match="within 4"):
        fewest_guesses(Position.start(mastermind()), 4)


def test_playing_on_after_the_end_is_refused():
    game = wordle(["aa", "ab"])
    with pytest.raises(SleuthError, match="beaten already"):
        play(Position.start(game), ["aa", "ab", "aa"])


# Equilibria.


def payoffs(game):
    """Return what every strategy of a small game takes for each answer, a set of tuples."""
    everything = tuple(range(len(game.answers)))

    @cache
    def strategies(candidates, left):
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


def taken(found):
    """Return what the guesser's mixture takes for each answer on average, by playing every branch of it."""
    game, mixture, solution = found.game, found.mixture, found.solution
    histories = {after: before for before, after in mixture._history.items()}
    took = np.zeros(len(game.answers))

    def tells_apart(guess, members):
        return all(len(part) == 1 for part in reference.classes(game, members, guess).values())

    def play(history, members, chance):
        mine = [s for s in range(len(mixture)) if mixture.owners[s] == history]
        assert sum(solution.sequences[s] for s in mine) == pytest.approx(chance)
        for s in mine:
            share, guess = solution.sequences[s], mixture.guesses[s]
            if guess == SEPARATE:
                rest = share
                for (owner, answer), p in zip(mixture.named, solution.names, strict=True):
                    if owner == s and p > 0:
                        assert tells_apart(game.answer_guess[answer], members)
                        took[answer] -= p
                        rest -= p
                assert rest >= -1e-12
                assert any(tells_apart(guess, members) for guess in range(len(game.guesses)))
                took[members] += share * (1 + (game.answer_guess[members] >= 0))
                continue
            took[members] += share
            for code, part in reference.classes(game, members, guess).items():
                if len(part) > 1:
                    play(next(h for h, key in histories.items() if key == (s, code)), part, share)
                elif code != game.solved and game.answer_guess[part[0]] >= 0:
                    took[part] += share

    play(0, list(range(len(game.answers))), 1.0)
    return took


def value(vectors):
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
def tiny_games(draw):
    n = draw(st.integers(1, 5))
    words = ["ab", "ba", "aa", "bb", "ac", "ca", "cc"]
    answers = draw(st.permutations(words))[:n]
    if draw(st.booleans()):
        return wordle(answers, max_turns=draw(st.integers(2, 5)))
    table = {(g, a): draw(st.integers(0, 2)) for g in answers for a in answers}
    return Game.from_function(lambda g, a: "right" if g == a else table[g, a], answers, max_turns=n)


@settings(max_examples=40)
@given(tiny_games(), st.booleans())
def test_the_value_is_that_of_the_program_over_all_strategies(game, exact):
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
    assert max(taken(found)) == pytest.approx(found.upper, abs=1e-9)


def test_equilibria_report_and_stop():
    rounds = []

    def progress(state):
        rounds.append(state)
        if len(rounds) == 3:
            raise KeyboardInterrupt

    found = equilibrium(mastermind(2, 4), 1e-9, progress=progress)
    assert found.interrupted
    assert found.lower <= found.value <= found.upper
    plain = found.to_json()
    assert {"value", "lower", "upper", "iterations", "hardest"} <= set(plain)
    assert [entry["probability"] for entry in plain["hardest"]] == sorted(
        (entry["probability"] for entry in plain["hardest"]), reverse=True
    )
    with pytest.raises(SleuthError, match="gap"):
        equilibrium(mastermind(2, 2), 0)
