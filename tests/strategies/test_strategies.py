import math
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from random_games import follow, function_games, games, histories, peg_games, word_games

from sleuth.games.frontier import Frontier
from sleuth.games.game import Game, Mode
from sleuth.games.position import Position
from sleuth.games.priors import uniform
from sleuth.games.rules import WordleRules
from sleuth.games.strategy import BatchStrategy, Strategy, Ties, choose_all
from sleuth.strategies.heuristics import (
    Alpha,
    Heuristic,
    InformationGain,
    MostHints,
    MostRapidDecrease,
    Random,
    WorstCase,
)
from sleuth.strategies.registry import STRATEGIES, make
from sleuth.strategies.rollout import Rollout
from sleuth.strategies.schedule import Schedule
from sleuth.support.errors import SleuthError, StrategyError, UnknownNameError
from sleuth.support.specification import options_of, specification_of

MODES: tuple[Mode, ...] = ("easy", "hard", "strict")
TIES = ("candidates-first", "list-order")
GREEDY = (
    "information-gain",
    "most-rapid-decrease",
    "greatest-expected-probability",
    "worst-case",
    "expected-guesses",
)
SPECIFICATIONS = [
    "information-gain",
    "most-rapid-decrease(ties=list-order)",
    "greatest-expected-probability",
    "worst-case",
    "expected-guesses",
    "most-hints",
    "random(seed=7)",
    "alpha",
    "alpha(alpha=1.0)",
    "alpha(ties=list-order,alpha=-inf)",
    "rollout",
    "rollout(width=all)",
    "rollout(base=alpha(ties=list-order,alpha=-1.0),width=20,depth=2)",
    "rollout(base=rollout(width=3),width=5)",
    "document-003(constrained=false)",
    "schedule",
    "schedule(turns=alpha(alpha=1.0)/rollout(base=worst-case))",
    "schedule(turns=schedule(turns=random/worst-case)/information-gain)",
]


# Strategies as text.


def loaded(name: str) -> type[Strategy]:
    try:
        return STRATEGIES.load(name)
    except ModuleNotFoundError:
        pytest.skip(f"{name} is not written yet")


@pytest.mark.parametrize("name", list(STRATEGIES))
def test_every_registered_strategy_is_made_and_named(name: str) -> None:
    kind = loaded(name)
    strategy = make(name)
    assert type(strategy) is kind
    assert strategy.name == specification_of(strategy) == name
    assert make(name, options_of(strategy)) == strategy


@pytest.mark.parametrize("text", SPECIFICATIONS)
def test_specifications_read_as_they_are_written(text: str) -> None:
    strategy = make(text)
    assert specification_of(strategy) == text
    assert make(strategy.name, options_of(strategy)) == strategy


def test_spaces_do_not_matter() -> None:
    assert make(" rollout( base = alpha( alpha = 1 ) , width = 5 ) ") == Rollout(Alpha(alpha=1), 5)


def test_options_may_be_values() -> None:
    assert make("rollout", {"base": WorstCase(), "width": 3}) == Rollout(WorstCase(), 3)
    assert make("schedule", {"turns": (WorstCase(), "random")}) == Schedule((WorstCase(), Random()))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("information-gian", "unknown strategy 'information-gian': did you mean information-gain"),
        ("rollout(bass=alpha)", "unknown option of rollout 'bass': did you mean base"),
        ("rollout(base=alpah)", "unknown strategy 'alpah': did you mean alpha"),
        ("alpha(ties=list)", "ties 'list': did you mean list-order"),
    ],
)
def test_wrong_names_suggest_near_ones(text: str, problem: str) -> None:
    with pytest.raises(UnknownNameError, match=problem):
        make(text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("alpha(alpha=much)", "alpha option alpha is 'much'; it takes a number"),
        ("document-003(constrained=no)", "constrained is 'no'; it takes true or false"),
        ("random(seed=1.5)", "random option seed is '1.5'; it takes a whole number"),
        ("rollout(width=many)", "rollout option width is 'many'; it takes a whole number or all"),
        ("rollout(width=0)", "width must be a number from 1, or all, not 0"),
        ("rollout(depth=0)", "depth must be 1 or more, not 0"),
        ("alpha(alpha=nan)", "not nan"),
        ("alpha(alpha=1", "lacks its closing parenthesis"),
        ("alpha(", "lacks its closing parenthesis"),
        ("alpha(1)", "option '1' is not of the form KEY=VALUE"),
        ("rollout(width=5,width=6)", "option 'width' is given twice, as '5' and as '6'"),
        ("schedule(turns=)", "at least one strategy"),
    ],
)
def test_wrong_values_are_told_what_is_allowed(text: str, problem: str) -> None:
    with pytest.raises(SleuthError, match=problem):
        make(text)


def test_an_option_in_parentheses_is_not_given_again_beside_them() -> None:
    with pytest.raises(SleuthError, match="option 'width' is given twice, as '5' and as 6"):
        make("rollout(width=5)", {"depth": 1, "width": 6})


def test_tie_rules_made_in_python_are_checked_too() -> None:
    with pytest.raises(UnknownNameError, match="unknown tie rule 'candidate-first'"):
        InformationGain("candidate-first")  # type: ignore[arg-type]  # no tie rule, on purpose


# Heuristics.


def twin_ranking(strategy: Strategy, position: Position) -> list[int]:
    game = position.game
    legal = range(len(game.guesses)) if position.legal is None else position.legal.tolist()
    assert isinstance(strategy, Heuristic)
    chain = reference.chain_of(
        strategy.name, game, getattr(strategy, "alpha", None), getattr(strategy, "marks", "all")
    )
    return reference.ranking(game, position.candidates.tolist(), legal, chain, strategy.ties)


@pytest.mark.parametrize("name", GREEDY)
@given(data=st.data(), ties=st.sampled_from(TIES))
def test_heuristics_rank_as_their_twins_do(name: str, data: st.DataObject, ties: Ties) -> None:
    game = data.draw(games(MODES))
    position = follow(game, data.draw(histories(game, most=2)))
    strategy, expected = make(name, {"ties": ties}), twin_ranking(make(name, {"ties": ties}), position)
    if expected:
        assert strategy.choose(position) == expected[0]
    found = [game.find(suggestion.guess) for suggestion in strategy.rank(position, len(game.guesses))]
    assert found == expected


def test_an_answer_of_no_weight_comes_no_sooner_than_other_guesses() -> None:
    rows = {1: [1, 5, 3], 100: [3, 3, 1], 200: [0, 0, 2]}
    game = Game.from_function(lambda guess, answer: rows[guess][answer], [0, 1, 2], [100, 1, 200])
    position = Position.start(game.with_prior(np.array([1.0, 0.0, 3.0])))
    assert InformationGain().choose(position) == twin_ranking(InformationGain(), position)[0] == 0


@given(st.data(), st.sampled_from(TIES), st.sampled_from(["all", "greens", "yellows"]))
def test_most_hints_ranks_as_its_twin_does(data: st.DataObject, ties: Ties, marks: str) -> None:
    game = data.draw(st.one_of(word_games(MODES), peg_games()))
    position = follow(game, data.draw(histories(game, most=2)))
    strategy = make("most-hints", {"ties": ties, "marks": marks})
    assert strategy.choose(position) == twin_ranking(strategy, position)[0]


@given(
    st.data(),
    st.sampled_from(TIES),
    st.sampled_from([-math.inf, -4, -1.5, -1, -0.5, -0.01, 0, 0.3, 1, 2, 4, math.inf]),
)
def test_alpha_ranks_as_its_twin_does(data: st.DataObject, ties: Ties, alpha: float) -> None:
    game = data.draw(games(MODES))
    position = follow(game, data.draw(histories(game, most=2)))
    strategy = Alpha(ties, alpha)
    expected = twin_ranking(strategy, position)
    found = [game.find(suggestion.guess) for suggestion in strategy.rank(position, len(game.guesses))]
    assert found == expected


@given(st.data(), st.sampled_from([*GREEDY, "alpha"]), st.sampled_from(TIES))
def test_equal_weights_choose_as_the_uniform_prior_does(data: st.DataObject, name: str, ties: Ties) -> None:
    game = data.draw(games(MODES, weighted=False))
    rows = data.draw(histories(game, most=2))
    strategy = make(name, {"ties": ties})
    equal = game.with_prior(np.full(len(game.answers), 3.0))
    assert strategy.rank(follow(game, rows)) == strategy.rank(follow(equal, rows))


def test_classes_of_the_same_weights_tie_in_whatever_order_they_come() -> None:
    # Both questions split the weight of 13 into 6, 3 and 4.
    codes = {"a": [1, 3, 2, 1, 2], "b": [1, 2, 2, 1, 0]}
    weights = np.array([3.0, 3, 1, 3, 3])
    game = Game.from_function(lambda question, answer: codes[question][answer], range(5), codes)  # type: ignore[arg-type]  # names of questions, in order
    assert InformationGain().choose(Position.start(game.with_prior(weights))) == 0


def test_large_alpha_nears_the_worst_case(original: Game) -> None:
    position = Position.start(original)
    best = WorstCase().rank(position, 1)[0].worst_left
    assert make("alpha(alpha=30)").rank(position, 1)[0].worst_left == best


def test_ties_are_broken_by_the_rule_asked_for() -> None:
    # Both guesses tell the three answers apart; only the second may be right.
    game = Game("test", WordleRules(3), ("abc", "axx"), ("axx", "byy", "xbz"), uniform(3))
    position = Position.start(game)
    assert InformationGain("list-order").choose(position) == 0
    assert InformationGain("candidates-first").choose(position) == 1


def test_random_takes_the_same_candidate_for_the_same_seed() -> None:
    game = Game("test", WordleRules(2), *(("ab", "ba", "ca", "cb", "dd"),) * 2, uniform(5))
    position = Position.start(game)
    chosen = [Random(seed=seed).choose(position) for seed in range(50)]
    assert chosen == [Random(seed=seed).choose(position) for seed in range(50)]
    assert set(chosen) == set(range(5))


def test_marks_that_there_are_not_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="kind of marks 'blue': there are all, greens, yellows"):
        MostHints(marks="blue")  # type: ignore[arg-type]


def test_most_hints_needs_marks() -> None:
    game = Game.from_function(lambda guess, answer: guess == answer, [1, 2])
    with pytest.raises(
        StrategyError, match="most-hints needs feedback that marks symbols, which custom lacks"
    ):
        make("most-hints").choose(Position.start(game))


def test_answers_that_no_guess_tells_apart_are_named() -> None:
    game = Game.from_function(lambda question, answer: answer > question, [1, 2, 3], [1])
    position = Position.start(game).play("1", "True")
    with pytest.raises(
        StrategyError, match="information-gain finds no guess that tells apart 2, 3 in custom"
    ):
        InformationGain().choose(position)


# Many positions at once.


def level(game: Game, data: st.DataObject) -> Frontier:
    """Return a frontier of all positions after one guess, or after none."""
    start = Frontier.of(Position.start(game))
    if not data.draw(st.booleans()):
        return start
    guess = data.draw(st.integers(0, len(game.guesses) - 1))
    return start.after(np.array([guess], np.int32)).frontier


@given(st.data(), st.sampled_from([*GREEDY, "alpha", "random", "rollout(width=3)", "schedule"]))
def test_all_sets_at_once_choose_as_one_by_one(data: st.DataObject, name: str) -> None:
    frontier = level(data.draw(games(MODES)), data)
    strategy = make(name)
    if len(frontier):
        assert choose_all(strategy, frontier).tolist() == [strategy.choose(p) for p in frontier.positions()]


@given(word_games(MODES), st.data(), st.integers(1, 3))
def test_threads_choose_as_one_thread_does(game: Game, data: st.DataObject, threads: int) -> None:
    frontier = level(game, data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLEUTH_THREADS", str(threads))
        many = InformationGain().best(frontier, 3).tolist()
        patch.setenv("SLEUTH_THREADS", "1")
        assert many == InformationGain().best(frontier, 3).tolist()


# What a person is told.


def test_the_choice_of_rollout_is_the_first_of_a_ranking_longer_than_its_width(original: Game) -> None:
    position = Position.start(original).play("crane", "byybb")
    assert original.find(Rollout().rank(position, 20)[0].guess) == Rollout().choose(position)


@given(st.data(), st.sampled_from([*GREEDY, "alpha", "random", "schedule", "rollout"]))
def test_the_choice_is_the_first_of_the_ranking(data: st.DataObject, name: str) -> None:
    game = data.draw(games(MODES))
    position = follow(game, data.draw(histories(game, most=2)))
    strategy = make(name)
    if len(position.candidates) > 1 or game.answer_guess[position.candidates[0]] >= 0:
        assert game.find(strategy.rank(position, 10)[0].guess) == strategy.choose(position)


@given(st.data(), st.integers(1, 30))
def test_rankings_have_no_guess_twice_and_keep_their_limit(data: st.DataObject, limit: int) -> None:
    game = data.draw(games(MODES))
    suggestions = Rollout(width=4).rank(Position.start(game), limit)
    assert len({suggestion.guess for suggestion in suggestions}) == len(suggestions) <= limit


@given(st.data())
def test_suggestions_have_the_numbers_of_their_guesses(data: st.DataObject) -> None:
    game = data.draw(games(MODES))
    position = follow(game, data.draw(histories(game, most=1)))
    candidates = position.candidates.tolist()
    p = reference.chances(game, candidates)
    for suggestion in InformationGain().rank(position):
        guess = game.find(suggestion.guess)
        classes = reference.classes(game, candidates, guess).values()
        left = [[a for a in members if not reference.is_answer(game, guess, a)] for members in classes]
        assert suggestion.chance == pytest.approx(-reference.candidate(game, candidates, guess))
        assert suggestion.bits == pytest.approx(reference.bits(game, candidates, guess), abs=1e-9)
        assert suggestion.expected_left == pytest.approx(
            sum(len(rest) * sum(p[a] for a in rest) for rest in left)
        )
        assert suggestion.worst_left == max(map(len, left))
        assert suggestion.classes == len(classes)
        assert suggestion.expected_guesses == pytest.approx(reference.estimate(game, candidates, guess))
        assert suggestion.expected_by == "estimate"


# Schedules.


@given(word_games(("easy", "strict")), st.data())
def test_schedules_switch_by_turn(game: Game, data: st.DataObject) -> None:
    schedule = Schedule((MostRapidDecrease(), WorstCase(), Random()))
    rows = data.draw(histories(game))
    position = follow(game, rows)
    playing = schedule.turns[min(len(rows), 2)]
    assert schedule.choose(position) == playing.choose(position)


def test_schedules_of_several_strategies_depend_on_the_turn() -> None:
    assert Schedule((WorstCase(),)).stationary
    assert not Schedule((WorstCase(), Random())).stationary
    assert not Rollout(Schedule((WorstCase(), Random()))).stationary


def test_empty_schedules_are_refused() -> None:
    with pytest.raises(StrategyError, match="at least one strategy"):
        Schedule(())


# Strategies of one's own.


class Stubborn:
    """Always the same guess."""

    name: ClassVar[str] = "stubborn"

    def __init__(self, guess: int) -> None:
        self.guess = guess

    def choose(self, position: Position) -> int:
        return self.guess

    def rank(self, position: Position, limit: int = 20) -> list[Any]:
        return []


@given(function_games())
def test_strategies_without_choose_all_are_asked_position_by_position(game: Game) -> None:
    frontier = Frontier.of(Position.start(game)).after(np.array([0], np.int32)).frontier
    assert choose_all(Stubborn(1), frontier).tolist() == [1] * len(frontier)


def test_illegal_guesses_are_refused() -> None:
    game = Game("test", WordleRules(2), *(("ab", "ac", "ad", "bb"),) * 2, uniform(4), mode="strict")
    frontier = Frontier.of(Position.start(game).play("ab", "gb"))
    assert choose_all(Stubborn(1), frontier).tolist() == [1]
    with pytest.raises(StrategyError, match="stubborn guesses bb, which is not legal there in strict mode"):
        choose_all(Stubborn(3), frontier)


def test_rollout_needs_a_base_that_plays() -> None:
    with pytest.raises(StrategyError, match="a int is no strategy"):
        Rollout(3)  # type: ignore[arg-type]  # no such base, on purpose
    assert isinstance(Rollout(), BatchStrategy)


@pytest.mark.parametrize(
    "name", sorted({*GREEDY, "most-hints", "random", "alpha", "alpha-fds", "rollout", "minimax"})
)
def test_no_sets_get_no_guesses(name: str) -> None:
    game = Game("test", WordleRules(2), *(("ab", "ac", "ad", "bb"),) * 2, uniform(4))
    nothing = Frontier.of(Position.start(game)).take(np.array([], np.int64))
    strategy = make(name)
    assert isinstance(strategy, BatchStrategy)
    assert strategy.best(nothing, 3).shape == (0, 3)
    assert choose_all(strategy, nothing).tolist() == []


def test_what_a_file_has_must_play(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("class Mine:\n    name = 'mine'\n", encoding="utf-8")
    with pytest.raises(StrategyError, match="a Mine is no strategy, it has no method choose"):
        make(f"{tmp_path / 'mine.py'}:Mine", files=True)
