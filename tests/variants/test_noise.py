"""Hosts that lie, against plain Python twins."""

from collections.abc import Callable, Collection, Sequence
from functools import cache
from itertools import product
from math import inf, isclose, log2, prod, sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from random_games import function_games, games, peg_games, word_games
from reference import chances, classes, estimate, information, is_answer, q_factor, remembering

from sleuth.games.game import Game
from sleuth.games.pegs import mastermind
from sleuth.games.position import Position
from sleuth.games.priors import uniform
from sleuth.games.rules import WordleRules
from sleuth.strategies.heuristics import InformationGain
from sleuth.support.errors import ContradictionError, GameTooLargeError, SleuthError, StrategyError
from sleuth.trees.tree import DecisionTree
from sleuth.variants.noise import strategies
from sleuth.variants.noise.belief import NoisyPosition
from sleuth.variants.noise.channel import Channel, fibble, honest, lies_with
from sleuth.variants.noise.games import evaluate, play
from sleuth.variants.noise.noisy_rollout import NoisyRollout
from sleuth.variants.noise.strategies import NoisyExpectedGuesses, NoisyInformationGain, ScoredStrategy

BOTH = [NoisyInformationGain(), NoisyExpectedGuesses()]
MARKED = Game(
    "marked", WordleRules(3), ("abc", "acb", "bca", "cab", "bbb"), ("abc", "bca", "bbb"), uniform(3)
)

# Plain twins. A channel is a list of {shown: chance}, one a true code, written from the rules of lying.


@cache
def ways_to_lie(length: int, true: int, lies: int) -> list[int]:
    """Return the codes that differ from a true one in exactly so many marks, by trying all rows of marks."""
    rows = list(product(range(3), repeat=length))  # in the order of their codes
    return [
        code
        for code, row in enumerate(rows)
        if sum(a != b for a, b in zip(row, rows[true], strict=True)) == lies and any(mark < 2 for mark in row)
    ]


def lying(game: Game, true: int, ways: Collection[int], p: float) -> dict[int, float]:
    if true == game.solved:
        return {true: 1.0}
    told = {code: p / len(ways) for code in ways} if p else {}
    return told if p == 1 else told | {true: 1 - p}


@cache
def twin(channel: Channel) -> list[dict[int, float]]:
    return [{s: p for s, p in enumerate(row) if p} for row in channel.matrix.tolist()]


def posterior(position: NoisyPosition, rows: Sequence[tuple[int, int]]) -> dict[int, float]:
    """Return {answer: weight} after rows of (guess, shown): the prior times how likely each row was."""
    game, told = position.game, twin(position.channel)
    likely = {}
    for a, answer in enumerate(game.answers):
        likely[a] = 1.0
        for guess, shown in rows:
            likely[a] *= told[game.rules.code(game.guesses[guess], answer)].get(shown, 0.0)
    weights = {a: game.prior[a] * likely[a] for a in likely}
    if not any(weights.values()):
        weights = likely
    total = sum(weights.values())
    return {a: w / total for a, w in weights.items() if w} if total else {}


def possible(game: Game, channel: Channel, rows: list[tuple[int, int]]) -> list[int]:
    """Return the answers that explain all rows, whatever the prior."""
    told = twin(channel)
    return [
        a
        for a, answer in enumerate(game.answers)
        if all(shown in told[game.rules.code(game.guesses[guess], answer)] for guess, shown in rows)
    ]


def mutual_information(game: Game, channel: Channel, weights: dict[int, float], guess: int) -> float:
    """Return I(answer; shown) = sum of P(a, s) log2 P(a, s) / (P(a) P(s)), in bits."""
    told = twin(channel)
    joint = {}
    for a, w in weights.items():
        for shown, p in told[game.rules.code(game.guesses[guess], game.answers[a])].items():
            joint[a, shown] = w * p
    totals: dict[int, float] = {}
    for (_, shown), p in joint.items():
        totals[shown] = totals.get(shown, 0.0) + p
    return sum(p * log2(p / (weights[a] * totals[shown])) for (a, shown), p in joint.items() if p)


def right(game: Game, weights: dict[int, float], guess: int) -> float:
    return sum(w for a, w in weights.items() if is_answer(game, guess, a))


def expected(game: Game, channel: Channel, weights: dict[int, float], guess: int) -> float:
    p, told = right(game, weights, guess), mutual_information(game, channel, weights, guess)
    if p > 1 - 1e-12:
        return 1.0
    h0 = -sum(w * log2(w) for w in weights.values())
    return p + (1 - p) * (1 + h0 / told) if told > 1e-12 else inf


def shown_by(told: dict[int, float], draw: float) -> int:
    """Return the code that a draw from [0, 1) picks, by adding up the chances in order."""
    total = 0.0
    for shown in sorted(told):
        total += told[shown]
        if draw < total:
            return shown
    return max(told)


def guesses_taken(
    strategy: NoisyExpectedGuesses | NoisyInformationGain,
    game: Game,
    channel: Channel,
    answer: int,
    draws: NDArray[np.float64],
) -> tuple[list[tuple[int, int]], bool]:
    """Play one game, a draw a row; return its rows and whether it was won."""
    rows: list[tuple[int, int]] = []
    for draw in draws:
        guess = strategy.choose(stand(game, channel, rows))
        true = game.rules.code(game.guesses[guess], game.answers[answer])
        rows.append((guess, shown_by(twin(channel)[true], draw)))
        if true == game.solved:
            return rows, True
        if is_certain(game, channel, rows):
            return rows, True
    return rows, False


def is_certain(game: Game, channel: Channel, rows: list[tuple[int, int]]) -> bool:
    """Say whether rows leave one answer that cannot be guessed, others less likely than 1e-9 together."""
    told = twin(channel)
    likely = [
        prod(told[game.rules.code(game.guesses[guess], answer)].get(shown, 0.0) for guess, shown in rows)
        for answer in game.answers
    ]
    weights = [chance * one for chance, one in zip(game.prior.tolist(), likely, strict=True)]
    weights = weights if any(weights) else likely
    best = likely.index(max(likely))
    return game.answers[best] not in game.guesses and all(
        sum(chances) - chances[best] < 1e-9 * sum(chances) for chances in (likely, weights)
    )


def stand(game: Game, channel: Channel, rows: list[tuple[int, int]]) -> NoisyPosition:
    position = NoisyPosition.start(game, channel)
    for row in rows:
        position = position.after(*row)
    return position


# Random games with a host of any kind.


@st.composite
def channels(draw: st.DrawFn, game: Game) -> Channel:
    """A host of any kind, or one who shows anything at all but keeps some codes back."""
    kinds = [honest(game), anything(game, draw(st.integers(0, 99)))]
    if len(game.rules.hints):
        kinds.append(lies_with(game, draw(st.sampled_from([0.0, 0.1, 0.5, 0.9]))))
    if game.rules.has_hard_mode:
        kinds += [fibble(game), fibble(game, 2)]
    return draw(st.sampled_from(kinds))


def anything(game: Game, seed: int) -> Channel:
    rng, codes, solved = np.random.default_rng(seed), game.rules.n_codes, game.solved
    chances = rng.integers(1, 9, (codes, codes)) * (rng.random((codes, codes)) < 0.4) + 5.0 * np.eye(codes)
    if solved < codes:
        chances[:, solved] = 0
        chances[solved] = np.eye(codes)[solved]
    return Channel("anything", chances / chances.sum(axis=1, keepdims=True))


@st.composite
def positions(draw: st.DrawFn, most: int = 4) -> tuple[NoisyPosition, list[tuple[int, int]]]:
    """A game with a host, and rows that some answer and some lies explain."""
    game = draw(games())
    channel = draw(channels(game))
    answer, rows = draw(st.integers(0, len(game.answers) - 1)), []
    for _ in range(draw(st.integers(0, most))):
        guess = draw(st.integers(0, len(game.guesses) - 1))
        true = game.rules.code(game.guesses[guess], game.answers[answer])
        if true == game.solved:
            break
        rows.append((guess, draw(st.sampled_from(sorted(twin(channel)[true])))))
    return stand(game, channel, rows), rows


# Channels.


def letters_alone(length: int) -> Game:
    return Game("alone", WordleRules(length), ("a" * length, "b" * length), ("a" * length,), uniform(1))


@pytest.mark.parametrize(
    ("length", "lies"),
    [(1, 1), (2, 1), (2, 2), (3, 1), (3, 2), (4, 3), pytest.param(5, 1, marks=pytest.mark.thorough)],
)
def test_fibble_changes_exactly_so_many_marks_and_never_shows_a_win(length: int, lies: int) -> None:
    game = letters_alone(length)
    channel = fibble(game, lies)
    for true in range(game.rules.n_codes):
        ways = ways_to_lie(length, true, lies)
        assert ways
        assert twin(channel)[true] == pytest.approx(lying(game, true, ways, 1))


@pytest.mark.parametrize(
    ("length", "p"), [(1, 0.5), (2, 0.0), (3, 0.25), pytest.param(5, 0.9, marks=pytest.mark.thorough)]
)
def test_lies_change_one_mark(length: int, p: float) -> None:
    game = letters_alone(length)
    channel = lies_with(game, p)
    for true in range(game.rules.n_codes):
        assert twin(channel)[true] == pytest.approx(lying(game, true, ways_to_lie(length, true, 1), p))


@given(peg_games(), st.sampled_from([0.0, 0.25, 0.9]))
def test_lies_without_marks_are_any_wrong_feedback_that_occurs(game: Game, p: float) -> None:
    channel = lies_with(game, p)
    occurs = {game.rules.code(g, a) for g, a in product(game.guesses, game.answers)}
    for true in occurs:
        ways = occurs - {true, game.solved}
        assert twin(channel)[true] == pytest.approx(lying(game, true, ways, p))


def test_a_row_one_mark_short_of_a_win_spreads_over_nine_lies() -> None:
    game = Game("five", WordleRules(5), ("aaaaa", "aaaab"), ("aaaaa",), uniform(1))
    row = fibble(game).matrix[game.rules.code("aaaab", "aaaaa")]
    assert sorted(set(row.tolist())) == [0.0, 1 / 9]
    assert np.count_nonzero(row) == 9
    assert row[game.solved] == 0
    assert np.count_nonzero(fibble(game).matrix[0]) == 10


@given(positions(most=0), st.lists(st.floats(0, 1, exclude_max=True), min_size=1, max_size=20))
def test_a_draw_picks_what_is_shown(
    found: tuple[NoisyPosition, list[tuple[int, int]]], draws: list[float]
) -> None:
    channel = found[0].channel
    for true, told in enumerate(twin(channel)):
        for draw in draws:
            # A draw at the very edge between two codes may fall to either by rounding.
            near = {shown_by(told, min(max(draw + e, 0.0), 1 - 1e-12)) for e in (-1e-12, 0, 1e-12)}
            assert channel.show(true, draw) in near


def test_draws_at_the_ends_show_codes_that_can_be_shown() -> None:
    channel = Channel("thirds", np.array([[0, 1 / 3, 1 / 3, 1 / 3], *np.eye(4)[1:]]))
    assert [channel.show(0, draw) for draw in (0.0, 0.34, 1 - 2**-53)] == [1, 2, 3]
    assert channel.show(2, 1 - 2**-53) == 2
    halves = Channel("halves", np.array([[0.5, 0.5], [0, 1]]))
    assert [halves.show(0, draw) for draw in (np.nextafter(0.5, 0), 0.5)] == [0, 1]
    assert not channel.is_certain
    assert honest(MARKED).is_certain


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: lies_with(MARKED, 1.0), "less than 1, not 1.0"),
        (lambda: lies_with(MARKED, -0.1), "not -0.1"),
        (lambda: lies_with(MARKED, float("nan")), "not nan"),
        (lambda: fibble(mastermind(2, 3)), "marks letters one by one"),
        (lambda: fibble(MARKED, 4), "4 of them cannot be lies"),
        (lambda: fibble(MARKED, -1), "-1 of them cannot be lies"),
        (lambda: fibble(MARKED, 1.5), "1.5 of them cannot be lies"),  # type: ignore[arg-type]
        (lambda: Channel("flat", np.ones(3)), "must be square"),
        (lambda: Channel("odd", np.array([[1, 0], [0.5, 0.4]])), "row 1 is no distribution"),
        (lambda: Channel("odd", np.array([[2, -1], [0, 1]])), "row 0 is no distribution"),
        (lambda: Channel("odd", np.full((2, 2), np.nan)), "row 0 is no distribution"),
        (lambda: lies_with(Game.from_function(lambda g, a: g == a, "abc"), 0.1), "too few kinds of feedback"),
        (lambda: NoisyPosition.start(MARKED.with_mode("hard"), honest(MARKED)), "easy mode, not hard"),
        (lambda: NoisyPosition.start(MARKED, Channel("two", np.eye(2))), "is for 2 kinds"),
        (lambda: NoisyPosition.start(MARKED, Channel("all", np.full((27, 27), 1 / 27))), "a right guess"),
        (
            lambda: NoisyPosition.start(MARKED, Channel("as won", np.eye(27)[[*range(25), 26, 26]])),
            "a right guess",
        ),
        (lambda: NoisyPosition.start(MARKED, honest(MARKED)).after(5, 0), "row 1: marked has no guess 5"),
        (lambda: NoisyPosition.start(MARKED, honest(MARKED)).after(0, 27), "no feedback 27"),
        (
            lambda: evaluate(BOTH[0], MARKED, honest(MARKED), games_per_answer=0),
            "games_per_answer must be a whole number",
        ),
        (
            lambda: evaluate(BOTH[0], MARKED, honest(MARKED), most=0),
            "most must be a whole number",
        ),
        (lambda: play(BOTH[0], MARKED, honest(MARKED), 3, np.random.default_rng(0)), "has no answer 3"),
        (lambda: NoisyRollout(width=0), "width must be 1 or more"),
        (lambda: NoisyRollout(simulations=0), "simulations must be 1 or more"),
        (lambda: NoisyRollout(caution=-1), "caution must be 0 or more and finite"),
        (lambda: NoisyRollout(caution=inf), "caution must be 0 or more and finite"),
    ],
)
def test_errors_say_what_is_wrong(build: Callable[[], object], message: str) -> None:
    with pytest.raises(SleuthError, match=message):
        build()


def test_a_channel_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    MARKED.feedback  # noqa: B018
    monkeypatch.setenv("SLEUTH_MEMORY", "5K")
    for build in (honest, fibble, lambda game: lies_with(game, 0.5)):
        with pytest.raises(GameTooLargeError, match="27 kinds of feedback"):
            build(MARKED)


# Beliefs.


@given(positions())
def test_beliefs_follow_bayes(found: tuple[NoisyPosition, list[tuple[int, int]]]) -> None:
    position, rows = found
    weights = posterior(position, rows)
    assert {a: w for a, w in enumerate(position.weights.tolist()) if w} == pytest.approx(weights)
    assert position.support.tolist() == sorted(weights)
    assert position.turn == 1 + len(rows)
    assert position.bits == pytest.approx(-sum(w * log2(w) for w in weights.values()), abs=1e-12)
    game = position.game
    assert position.chances.tolist() == pytest.approx(
        [right(game, weights, g) for g in range(len(game.guesses))]
    )


@given(positions(), st.data())
def test_rows_that_no_answer_explains_are_named(
    found: tuple[NoisyPosition, list[tuple[int, int]]], data: st.DataObject
) -> None:
    position, rows = found
    game, told = position.game, twin(position.channel)
    guess = data.draw(st.integers(0, len(game.guesses) - 1))
    alive = possible(game, position.channel, rows)
    explained = {s for a in alive for s in told[game.rules.code(game.guesses[guess], game.answers[a])]}
    for shown in range(game.rules.n_codes):
        if shown in explained:
            position.after(guess, shown)
        else:
            with pytest.raises(ContradictionError, match=f"^row {len(rows) + 1}: no possible answer"):
                position.after(guess, shown)


@given(function_games())
def test_an_answer_that_cannot_be_guessed_is_known_when_alone(game: Game) -> None:
    channel = honest(game)
    start = NoisyPosition.start(game, channel)
    for g, a in product(range(len(game.guesses)), range(len(game.answers))):
        code = game.rules.code(game.guesses[g], game.answers[a])
        left = [b for b in game.answers if game.rules.code(game.guesses[g], b) == code]
        assert start.after(g, code).is_known == (len(left) == 1 and left[0] not in game.guesses)


# Choosing.


@given(positions())
def test_information_and_estimates_match_their_twins(
    found: tuple[NoisyPosition, list[tuple[int, int]]],
) -> None:
    position, rows = found
    game, channel, weights = position.game, position.channel, posterior(position, rows)
    everything = range(len(game.guesses))
    told = [mutual_information(game, channel, weights, g) for g in everything]
    assert strategies.information(position).tolist() == pytest.approx(told, abs=1e-12)
    some = np.array([len(game.guesses) - 1, 0])
    assert strategies.information(position, some).tolist() == pytest.approx([told[-1], told[0]], abs=1e-12)
    needed = [expected(game, channel, weights, g) for g in everything]
    # Where little is told, the estimate divides by it.
    for mine, its, bits in zip(NoisyExpectedGuesses().scores(position), needed, told, strict=True):
        assert bits < 1e-6 or isclose(mine, its, rel_tol=1e-6)


def test_large_supports_are_read_the_other_way_and_tell_the_same() -> None:
    rng = np.random.default_rng(0)
    words = ["".join(word) for word in product("abc", repeat=6)]
    game = Game("many", WordleRules(6), tuple(words[:40]), tuple(words[300:]), rng.random(len(words) - 300))
    position = NoisyPosition.start(game, fibble(game))
    assert len(position.support) > 300
    weights = posterior(position, [])
    told = [mutual_information(game, position.channel, weights, g) for g in (0, 17, 39)]
    assert strategies.information(position)[[0, 17, 39]].tolist() == pytest.approx(told)


def ordered(
    game: Game,
    channel: Channel,
    weights: dict[int, float],
    strategy: NoisyExpectedGuesses | NoisyInformationGain,
) -> tuple[list[int], list[int]]:
    """Return all guesses, best first, and those of them that tell something or may be right."""
    everything = range(len(game.guesses))
    p = [right(game, weights, g) for g in everything]
    told = [mutual_information(game, channel, weights, g) for g in everything]
    # Values at the edge of rounding may go either way, here and there.
    assume(all(not 1e-13 < value < 1e-6 for value in [*p, *told]))
    wanted = strategy.name == "expected-guesses"
    value = [expected(game, channel, weights, g) if wanted else -told[g] for g in everything]
    order = sorted(everything, key=lambda g: (round(value[g], 8), -round(p[g], 8), g))
    return order, [g for g in order if p[g] > 0 or told[g] > 1e-12]


@given(positions(), st.sampled_from(BOTH))
def test_choices_are_the_best_then_the_likeliest_then_the_first(
    found: tuple[NoisyPosition, list[tuple[int, int]]], strategy: NoisyExpectedGuesses | NoisyInformationGain
) -> None:
    position, rows = found
    game, channel = position.game, position.channel
    order, useful = ordered(game, channel, posterior(position, rows), strategy)
    assert strategy.best(position, 3).tolist() == [g for g in order[:3] if g in useful]
    if not useful:
        even = stand(game.with_prior(uniform(len(game.answers))), channel, rows)
        _, useful = ordered(game, channel, posterior(even, rows), strategy)
    if useful:
        assert strategy.choose(position) == useful[0]
    else:
        with pytest.raises(StrategyError, match="tells apart"):
            strategy.choose(position)


@given(games(), st.data())
def test_an_honest_host_is_played_as_before(game: Game, data: st.DataObject) -> None:
    noisy, plain = NoisyPosition.start(game, honest(game)), Position.start(game)
    answer = data.draw(st.integers(0, len(game.answers) - 1))
    for _ in range(data.draw(st.integers(0, 2))):
        guess = data.draw(st.integers(0, len(game.guesses) - 1))
        code = game.rules.code(game.guesses[guess], game.answers[answer])
        noisy, plain = noisy.after(guess, code), plain.after(guess, code)
    candidates = plain.candidates.tolist()
    assert np.flatnonzero(noisy.likelihood > 0).tolist() == candidates
    assert noisy.weights[candidates].tolist() == pytest.approx(list(chances(game, candidates).values()))
    for g in range(len(game.guesses)):
        assert -information(game, candidates, g) == pytest.approx(strategies.information(noisy)[g], abs=1e-12)
    assume(len(candidates) > 1)
    mine, its = NoisyInformationGain().choose(noisy), InformationGain().choose(plain)
    assert len(classes(game, candidates, mine)) > 1
    assert information(game, candidates, mine) == pytest.approx(information(game, candidates, its), abs=1e-9)
    best = NoisyExpectedGuesses().choose(noisy)
    least = min(estimate(game, candidates, g) for g in range(len(game.guesses)))
    assert estimate(game, candidates, best) == pytest.approx(least, rel=1e-6)


@given(st.one_of(word_games(weighted=False), peg_games(weighted=False), function_games(weighted=False)))
def test_an_honest_host_gives_the_games_of_information_gain(game: Game) -> None:
    tree = DecisionTree.build(InformationGain(), game)
    report = evaluate(NoisyInformationGain(), game, honest(game))
    assert report.turns[:, 0].tolist() == tree.report().turns.tolist()


# Rollout.


@given(st.one_of(word_games(max_words=8), peg_games()))
def test_rollout_against_an_honest_host_is_exact(game: Game) -> None:
    position, plain = NoisyPosition.start(game, honest(game)), Position.start(game)
    rollout = NoisyRollout(NoisyInformationGain(), width=4)
    guesses = rollout.base.best(position, 4)
    assume(len(guesses) > 1)
    values = rollout.values(position, guesses)
    base = remembering(InformationGain())
    for guess, value in zip(guesses.tolist(), values.tolist(), strict=True):
        assert value == pytest.approx(q_factor(_plain_base(game, base), plain, guess))
    assert values[guesses.tolist().index(rollout.choose(position))] == pytest.approx(values.min())


def _plain_base(game: Game, fallback: Callable[[Position], int]) -> Callable[[Position], int]:
    """Return the noisy base strategy's choice in a plain position, through the weights alone."""

    def choose(position: Position) -> int:
        likelihood = np.zeros(len(game.answers))
        likelihood[position.candidates] = 1
        return NoisyInformationGain().choose(NoisyPosition(game, honest(game), likelihood, position.turn))

    return choose


def expected_guesses(strategy: ScoredStrategy, position: NoisyPosition, guess: int, depth: int) -> float:
    """Return the mean guesses of all games that begin with a guess, by all lies; depth: the most guesses."""
    if depth == 0:
        return 1.0
    game, told = position.game, twin(position.channel)
    chance: dict[int, float] = {}
    for a, w in enumerate(position.weights.tolist()):
        for shown, p in told[game.rules.code(game.guesses[guess], game.answers[a])].items():
            chance[shown] = chance.get(shown, 0.0) + w * p
    total = 1.0
    for shown, p in chance.items():
        if shown != game.solved and p > 0:
            after = position.after(guess, shown)
            follow = strategy.choose(after) if depth > 1 else guess
            total += p * expected_guesses(strategy, after, follow, depth - 1)
    return total


@pytest.mark.parametrize(
    ("channel", "simulations"),
    [
        (fibble(MARKED), 800),
        pytest.param(fibble(MARKED), 3000, marks=pytest.mark.thorough),
        pytest.param(lies_with(MARKED, 0.3), 3000, marks=pytest.mark.thorough),
    ],
)
def test_rollout_comes_near_the_exact_means(channel: Channel, simulations: int) -> None:
    weighted = MARKED.with_prior(np.array([3.0, 2.0, 1.0]))
    position = NoisyPosition.start(weighted, channel)
    rollout = NoisyRollout(NoisyExpectedGuesses(), width=5, simulations=simulations, most=3)
    guesses = np.arange(5, dtype=np.int32)
    exact = [expected_guesses(rollout.base, position, g, 3) for g in guesses.tolist()]
    # Guesses vary by less than 1.5, so that this is more than five standard errors.
    assert rollout.values(position, guesses).tolist() == pytest.approx(exact, abs=5 * 1.5 / sqrt(simulations))
    assert max(exact) - min(exact) > 0.3
    assert exact[rollout.choose(position)] < min(exact) + 0.15
    assert rollout.choose(position) == rollout.choose(position)


def test_an_answer_that_cannot_be_guessed_is_found_when_all_others_are_beyond_belief() -> None:
    game = Game.from_function(lambda question, answer: question >> answer & 1, range(3), [8, 9, 10, 12])
    channel, strategy = lies_with(game, 0.1), NoisyInformationGain()
    report = evaluate(strategy, game, channel, games_per_answer=10, most=100)
    assert report.unfinished == 0
    for answer in range(3):
        played = play(strategy, game, channel, answer, np.random.default_rng([0, answer, 0]), 100)
        for rows in (played.rows, played.rows[:-1]):
            weights = sorted(posterior(NoisyPosition.start(game, channel), rows).values())
            assert (sum(weights[:-1]) < 1e-9) == (rows == played.rows)
        assert report.turns[answer, 0] == len(played.rows)


def test_caution_keeps_to_the_base_unless_another_guess_is_better_by_so_many_standard_errors() -> None:
    words = tuple("".join(word) for word in product("abc", repeat=3))
    game = Game("words", WordleRules(3), words, words[::3], np.array([30.0, *[1] * 8]))
    position = NoisyPosition.start(game, lies_with(game, 0.1))
    chosen = set()
    for simulations, caution in product((10, 100), (0.0, 1.0, 4.0, 1e6)):
        rollout = NoisyRollout(NoisyInformationGain(), 5, simulations, caution)
        guesses = rollout.base.best(position, 5)
        taken, shares = rollout.taken(position, guesses)
        assert shares.tolist() == [pytest.approx(1 / simulations)] * simulations
        assert rollout.values(position, guesses).tolist() == pytest.approx(taken.mean(1).tolist())
        gains = []
        for turns in taken.tolist():
            better = [mine - its for mine, its in zip(taken[0].tolist(), turns, strict=True)]
            mean = sum(better) / simulations
            error = sqrt(sum((b - mean) ** 2 for b in better)) / simulations
            gains.append(round(mean - caution * error, 9))
        assert rollout.choose(position) == guesses[gains.index(max(gains))]
        chosen.add((caution, rollout.choose(position)))
    assert (1e6, rollout.base.choose(position)) in chosen
    assert len({guess for _, guess in chosen}) > 1


def test_rollout_plays_whole_games() -> None:
    report = evaluate(NoisyRollout(width=3, simulations=20), MARKED, fibble(MARKED), games_per_answer=3)
    assert report.unfinished == 0
    assert report.turns.min() == 1


# Playing.


@given(positions(most=0), st.sampled_from(BOTH), st.integers(0, 3))
def test_evaluation_is_game_by_game_play(
    found: tuple[NoisyPosition, list[tuple[int, int]]],
    strategy: NoisyExpectedGuesses | NoisyInformationGain,
    seed: int,
) -> None:
    start, _ = found
    game, channel, most = start.game, start.channel, 6
    report = evaluate(strategy, game, channel, games_per_answer=2, seed=seed, most=most)
    for a, i in product(range(min(4, len(game.answers))), range(2)):
        draws = np.random.default_rng([seed, a, i]).random(most)
        rows, won = guesses_taken(strategy, game, channel, a, draws)
        played = play(strategy, game, channel, a, np.random.default_rng([seed, a, i]), most)
        assert (list(played.rows), played.solved) == (rows, won)
        assert report.turns[a, i] == (len(rows) if won else most + 1)


def test_reports_count_what_was_played() -> None:
    game = Game.from_function(lambda g, a: (g > a) - (g < a), range(1, 8), max_turns=3)
    game = game.with_prior(np.arange(1.0, 8))
    report = evaluate(NoisyInformationGain(), game, lies_with(game, 0.2), games_per_answer=3, most=5)
    turns = report.turns.tolist()
    every = [turn for row in turns for turn in row]
    shares = [w / sum(range(1, 8)) / 3 for w in range(1, 8) for _ in range(3)]
    mean = sum(s * turn for s, turn in zip(shares, every, strict=True))
    error = sqrt(sum(s * s * (turn - mean) ** 2 for s, turn in zip(shares, every, strict=True)) * 21 / 20)
    assert (report.games, report.worst) == (21, max(every))
    assert report.mean == pytest.approx(mean)
    assert report.standard_error == pytest.approx(error)
    assert report.histogram == {turn: every.count(turn) for turn in sorted(set(every))}
    assert report.failures == sum(turn > 3 for turn in every) > report.unfinished
    assert report.unfinished == sum(turn > 5 for turn in every) > 0
    assert sum(report.to_json()["histogram"].values()) == 21


def test_evaluations_are_the_same_on_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    words = tuple("".join(word) for word in product("abcd", repeat=4))
    game = Game("words", WordleRules(4), words, words[::5], uniform(len(words[::5])))
    reports = {}
    for threads, seed in product("13", (0, 1)):
        monkeypatch.setenv("SLEUTH_THREADS", threads)
        seen = []
        reports[threads, seed] = evaluate(
            NoisyExpectedGuesses(),
            game,
            fibble(game),
            2,
            seed,
            progress=lambda at: seen.append((at.done, at.total)),  # noqa: B023
        )
        assert seen[-1] == (2 * len(game.answers), 2 * len(game.answers))
        assert seen == sorted(set(seen))
    for seed in (0, 1):
        assert reports["1", seed].turns.tolist() == reports["3", seed].turns.tolist()
    assert reports["1", 0].turns.tolist() != reports["1", 1].turns.tolist()


def test_an_evaluation_asks_once_for_rows_that_games_share() -> None:
    asked = []

    class Counting(NoisyInformationGain):
        def choose(self, position: NoisyPosition) -> int:
            asked.append((position.turn, tuple(position.weights.tolist())))
            return super().choose(position)

    game = mastermind(3, 3)
    report = evaluate(Counting(), game, lies_with(game, 0.1), games_per_answer=5)
    assert [turn for turn, _ in asked].count(1) == 1
    seconds = [at for at in asked if at[0] == 2]
    assert len(seconds) == len(set(seconds)) < report.games


def test_the_opener_of_fibble(original: Game) -> None:
    position = NoisyPosition.start(original, fibble(original))
    for strategy in BOTH:
        assert original.guesses[strategy.choose(position)] == "soare"
    assert strategies.information(position).max() == pytest.approx(3.6954502, abs=1e-7)
