"""The value network as a predictor: of what AVTS finds after a guess, and of what rollout need not play."""

from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from command_line import Run, json_of
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from random_games import follow, games, histories
from reference import classes

import sleuth
from sleuth.games import wordlists
from sleuth.games.frontier import Frontier
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.learning.candidates.player import load
from sleuth.learning.candidates.sets import shortlist
from sleuth.learning.strategies import SHIPPED
from sleuth.processes.avts import optimize
from sleuth.processes.mdp import Bounds, GuessingMDP, Predictor
from sleuth.strategies.rollout import Rollout
from sleuth.strategies.values import Remembered, totals_after
from sleuth.support.errors import SleuthError
from sleuth.testing import check_strategy

TEXT = """crane trace react caret slate least stale steal tales crate cater carte later alter alert taler
    ratel salet stare tears rates aster"""
START = Position.start(sleuth.wordle(wordlists.from_words(TEXT.split())))


def value_of(game: Game, members: list[int]) -> float:
    """Return the mean guesses of a set: known of one and two answers, else the network's of it alone."""
    if len(members) == 1 and game.answer_guess[members[0]] < 0:
        return 0  # no guess can name it: it is found
    if len(members) < 3:
        return (len(members) + 1) / 2
    answers = np.array(members, np.int32)
    frontier = Frontier(game, 1, np.array([0, len(members)]), answers)
    return load(SHIPPED).values(frontier)[0] / len(members)


def q_factor(position: Position, guess: Any) -> float:
    """Return the mean guesses after a guess, the naive twin: 1, and the value of each class by its prior."""
    game, prior = position.game, position.game.prior
    mass = prior[position.candidates].sum()
    return 1 + sum(
        prior[members].sum() / mass * value_of(game, members)
        for code, members in classes(game, position.candidates.tolist(), guess).items()
        if code != game.solved
    )


def open_position(data: st.DataObject) -> Position:
    """Return a position with three candidates or more, one of them likely, or the start."""
    game = data.draw(games(("easy", "hard")))
    position = follow(game, data.draw(histories(game, most=1)))
    if len(position.candidates) < 3 or game.prior[position.candidates].sum() == 0:
        return Position.start(game)
    return position


@given(st.data())
def test_totals_after_guesses_are_those_of_the_sets_left(data: st.DataObject) -> None:
    position = open_position(data)
    frontier = Frontier.of(position)
    every = np.arange(len(position.game.guesses), dtype=np.int32)
    guesses = every if position.legal is None else position.legal
    found = totals_after(frontier, guesses[None], load(SHIPPED).values)[0] / frontier.weights[0]
    assert found.tolist() == pytest.approx([q_factor(position, g) for g in guesses.tolist()], rel=1e-5)


@given(st.data())
def test_rollout_takes_the_values_for_what_comes_after(data: st.DataObject) -> None:
    position = open_position(data)
    frontier = Frontier.of(position)
    rollout = Rollout(width=6, values=SHIPPED)
    guesses, costs = rollout.weigh(frontier, 6)
    found = guesses[0] >= 0
    expected = [q_factor(position, g) for g in guesses[0, found].tolist()]
    assert (costs[0, found] / frontier.weights[0]).tolist() == pytest.approx(expected, rel=1e-5)
    assert sorted(guesses[0, found]) == sorted(g for g in rollout.base.best(frontier, 6)[0] if g >= 0)


def test_deeper_rollout_takes_the_least_of_the_values_one_guess_later() -> None:
    frontier = Frontier.of(START)
    shallow, deep = Rollout(width=4, values=SHIPPED), Rollout(width=4, depth=2, values=SHIPPED)
    guesses, costs = deep.weigh(frontier, 4)
    for guess, cost in zip(guesses[0].tolist(), costs[0].tolist(), strict=True):
        left = frontier.after(np.array([guess], np.int32)).frontier
        assert cost == pytest.approx(len(TEXT.split()) + shallow.weigh(left, 1)[1].sum(), rel=1e-6)


def test_rollout_by_values_says_that_it_estimates() -> None:
    assert {row.expected_by for row in Rollout(values=SHIPPED).rank(START)} == {"network"}
    assert {row.expected_by for row in Rollout().rank(START)} == {"rollout"}


@pytest.mark.parametrize(
    "game", [START.game, sleuth.mastermind(3, 3), sleuth.bulls_and_cows(2)], ids=lambda game: game.name
)
def test_rollout_by_values_plays_games_of_all_kinds(game: Game) -> None:
    check_strategy(Rollout(values=SHIPPED), game)


@given(st.data())
def test_actions_are_estimated_by_the_values_or_their_bounds(data: st.DataObject) -> None:
    position = open_position(data)
    try:
        learned, entropic = GuessingMDP(position, "learned"), GuessingMDP(position)
    except SleuthError:  # weights so small that none is left in whole numbers
        return
    found = list(learned.options(learned.initial))
    bounds = {option.action: option.bound for option in entropic.options(entropic.initial)}
    assert {option.action: option.bound for option in found} == bounds
    best = -np.inf
    for option in found:
        value = pytest.approx(-q_factor(position, option.action), rel=1e-5)
        if option.estimate == value:
            best = max(best, option.estimate)
        else:  # not looked at, for by its bound it is no better
            assert option.estimate == option.bound <= best + 1e-9


def test_a_search_begins_with_what_the_network_finds_best() -> None:
    mdp = GuessingMDP(START, "learned")
    first = next(iter(mdp.options(mdp.initial)))
    entropic = GuessingMDP(START)
    looked = [option.action for option, _ in zip(entropic.options(entropic.initial), range(16), strict=False)]
    assert -first.estimate == pytest.approx(min(q_factor(START, guess) for guess in looked), rel=1e-5)


def test_runs_of_one_seed_are_equal() -> None:
    runs = [optimize(START, predictor="learned", iterations=6, seed=3).to_json() for _ in range(2)]
    for run in runs:
        del run["seconds"], run["history"]
    assert runs[0] == runs[1]


@pytest.mark.parametrize("threads", [1, 3])
def test_searches_find_the_optimum_of_games_without_words(threads: int) -> None:
    start = Position.start(sleuth.mastermind(3, 4))
    found = optimize(start, predictor="learned", threads=threads, with_tree=False)
    assert (found.total, found.result.proved) == (206, True)


def test_a_set_is_valued_once() -> None:
    asked = []

    def values(frontier: Frontier) -> NDArray[np.float64]:
        asked.extend(frontier.keys().tolist())
        return 2.0 * frontier.sizes.astype(float)

    remembered = Remembered(values)
    sets = Frontier.of(START).after(np.array([0], np.int32)).frontier
    large = sets.take(np.flatnonzero(sets.sizes > 2))
    assert len(large) > 1
    for part in (large.take(np.array([1])), large, large):
        assert remembered(part).tolist() == (2.0 * part.sizes).tolist()
    assert sorted(asked) == sorted(large.keys().tolist())


def test_the_command_line(run: Run, tmp_path: Path) -> None:
    small = ("--game", "mastermind", "--pegs", "2", "--colours", "4")
    found = json_of(run("avts", *small, "--predictor", "learned", "--json"))
    assert (found["total"], found["proved"]) == (45, True)
    answers = tmp_path / "answers.txt"
    answers.write_text("\n".join(TEXT.split()), encoding="utf-8")
    played = json_of(run("evaluate", "rollout(values=candidates)", "--answers", answers, "--json"))
    assert (played["failures"], played["options"]["values"]) == (0, "candidates")
    for args, said in (
        (("avts", *small, "--predictor", "lerned"), "did you mean learned"),
        (
            ("evaluate", "rollout(values=candidate)", "--answers", answers),
            "the folder of a run, or candidates",
        ),
        (("evaluate", "avts(predictor=lerned)", "--answers", answers), "did you mean learned"),
    ):
        code, out, err = run(*args)
        assert (code, out) == (2, "")
        assert said in err
        assert err.count("\n") == 1, err


PREDICTORS = get_args(Predictor)


@pytest.mark.parametrize("bounds", ["exact", "none"])
@pytest.mark.parametrize("predictor", PREDICTORS)
def test_any_predictor_finds_the_optimum(predictor: Predictor, bounds: Bounds) -> None:
    """With bounds it is proven, too; without, the target is met."""
    for start, total in ((Position.start(sleuth.mastermind(3, 3)), 73), (START, 47)):
        target = None if bounds == "exact" else total
        found = optimize(
            start, predictor=predictor, bounds=bounds, iterations=3000, target=target, with_tree=False
        )
        assert found.total == total
        assert found.result.proved == (bounds == "exact")


@given(st.data())
def test_rollout_estimates_are_what_playing_on_takes(data: st.DataObject) -> None:
    position = open_position(data)
    try:
        mdp = GuessingMDP(position, "rollout")
    except SleuthError:
        return
    frontier = Frontier.of(position)
    for option, _ in zip(mdp.options(mdp.initial), range(5), strict=False):
        played = Rollout().q_factors(frontier, np.array([option.action], np.int32))[0] / frontier.weights[0]
        assert option.estimate == pytest.approx(-played) or option.estimate == option.bound


@given(st.data())
def test_the_policy_orders_guesses_and_its_ratios_are_their_differences(data: st.DataObject) -> None:
    position = open_position(data)
    try:
        policy, entropic = GuessingMDP(position, "policy"), GuessingMDP(position)
    except SleuthError:
        return
    plain, found = list(entropic.options(entropic.initial)), list(policy.options(policy.initial))
    assert {(o.action, o.bound) for o in plain} == {(o.action, o.bound) for o in found}
    frontier = Frontier(position.game, 1, np.array([0, len(position.candidates)]), position.candidates)
    network = load(SHIPPED)
    (few,) = shortlist(frontier, network.shortlist)
    logits = dict(zip(few.tolist(), network.logits(frontier, few[None])[0].tolist(), strict=True))
    known = [option for option in found if option.action in logits]
    assert [option for option in found if option.action not in logits] == [
        option for option in plain if option.action not in logits
    ]
    assert found[: len(known)] == known  # all of them are in the first block
    told, best = [logits[option.action] for option in known], max(option.estimate for option in plain)
    # Logits are float32, summed in another order for other numbers of guesses: their last bits differ.
    assert told == pytest.approx(sorted(told, reverse=True), rel=1e-6)
    for option, logit in zip(known, told, strict=True):
        worth = best + logit - max(logits.values())
        assert option.estimate == pytest.approx(min(worth, option.bound), abs=1e-4)
