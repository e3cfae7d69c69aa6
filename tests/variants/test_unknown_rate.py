"""Hosts who lie nobody knows how often, against Bayes' rule on a fine grid of rates."""

from collections.abc import Callable
from functools import cache
from itertools import product
from math import log2, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from sleuth.games.game import Game
from sleuth.games.pegs import mastermind
from sleuth.games.priors import uniform
from sleuth.games.rules import WordleRules
from sleuth.strategies.rollout import Rollout
from sleuth.support.errors import ContradictionError, Interrupted, SleuthError
from sleuth.support.progress import Progress
from sleuth.variants.noise.belief import NoisyPosition
from sleuth.variants.noise.channel import Channel, always_lies, honest, lies_with
from sleuth.variants.noise.games import evaluate, host_of, play, series, taken_for
from sleuth.variants.noise.noisy_rollout import NoisyRollout
from sleuth.variants.noise.rates import Beta, RatePrior, Uniform, rate_prior
from sleuth.variants.noise.strategies import NoisyExpectedGuesses, NoisyInformationGain, information
from sleuth.variants.noise.unknown import RateBelief, UnsurePosition

Rows = list[tuple[int, int]]

WORDS = ("crane", "trace", "react", "caret", "slate", "least", "stale", "steal", "eerie", "geese", "crate")
WORDLE = Game("words", WordleRules(5), WORDS, WORDS[:8], uniform(8))
SKEWED = mastermind(2, 4).with_prior(np.arange(16.0))  # one answer of prior 0
GAMES = {"wordle": WORDLE, "skewed": SKEWED, "mastermind": mastermind(3, 3)}
PRIORS: list[RatePrior] = [Beta(2, 8), Uniform(), Uniform(0.1, 0.4), Beta(0.5, 0.5)]
GRID = (np.arange(4000) + 0.5) / 4000


def random_rows(game: Game, rng: np.random.Generator, most: int = 6) -> Rows:
    """Return some rows that a host of a random rate shows for a random answer, up to a win."""
    answer, channel = int(rng.choice(len(game.answers), p=game.prior)), lies_with(game, rng.uniform(0, 0.6))
    rows = []
    for _ in range(rng.integers(1, most + 1)):
        guess = int(rng.integers(len(game.guesses)))
        true = game.rules.code(game.guesses[guess], game.answers[answer])
        if true == game.solved:
            break
        rows.append((guess, channel.show(true, rng.random())))
    return rows


@cache
def lies(game: Game) -> NDArray[np.float64]:
    return always_lies(game).matrix


def chances(game: Game, rates: NDArray[np.float64], row: tuple[int, int]) -> NDArray[np.float64]:
    """Return P(shown | answer, rate) of a row, [answers, rates], by what a lie is."""
    guess, shown = row
    told = lies(game)
    out = np.empty((len(game.answers), len(rates)))
    for a, answer in enumerate(game.answers):
        true = game.rules.code(game.guesses[guess], answer)
        out[a] = rates * told[true, shown] + (1 - rates) * (true == shown)
    return out


def likelihoods(game: Game, rates: NDArray[np.float64], rows: Rows) -> NDArray[np.float64]:
    """Return P(rows | answer, rate), [answers, rates]."""
    out = np.ones((len(game.answers), len(rates)))
    for row in rows:
        out *= chances(game, rates, row)
    return out


def by_quadrature(game: Game, prior: RatePrior, games: list[Rows]) -> NDArray[np.float64]:
    """Return P(answer of the last game, rate | all rows), [answers, grid]."""
    density = np.exp(prior.log_density(GRID))
    for rows in games[:-1]:
        density = density * (game.prior @ likelihoods(game, GRID, rows))
    joint = game.prior[:, None] * likelihoods(game, GRID, games[-1]) * density
    return joint / joint.sum()


def stand(game: Game, belief: RateBelief, rows: Rows) -> UnsurePosition:
    position = UnsurePosition.begin(game, belief)
    for row in rows:
        position = position.after(*row)
    return position


def off(found: float, values: NDArray[np.float64], weights: NDArray[np.float64], n: int) -> float:
    """Return by how many Monte Carlo errors a mean of n particles is off the exact one.

    Particles are correlated and weighed: their effective number is taken for a third.
    """
    exact = float(values @ weights)
    error = sqrt(max(0.0, float((values - exact) ** 2 @ weights)) / (n / 3))
    return abs(found - exact) / (error + 1e-4)  # the grid is a little off, too


@pytest.mark.parametrize("prior", PRIORS, ids=lambda prior: prior.name)
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_beliefs_are_those_of_a_fine_grid(game: Game, prior: RatePrior) -> None:
    n, errors = 4000, []
    for seed in range(6):
        rows = random_rows(game, np.random.default_rng(seed))
        joint = by_quadrature(game, prior, [rows])
        position = stand(game, RateBelief.start(prior, n, seed), rows)
        of_rate, of_answer = joint.sum(axis=0), joint.sum(axis=1)
        errors.append(off(position.rate.mean, GRID, of_rate, n))
        given = joint / of_rate.clip(1e-300)
        errors += [off(position.weights[a], given[a], of_rate, n) for a in range(len(of_answer))]
        low, high = position.rate.interval(0.8)
        ends = np.interp([low, high], GRID, np.cumsum(of_rate))
        assert ends == pytest.approx([0.1, 0.9], abs=0.04)
    assert max(errors) < 4.5
    assert sqrt(np.square(errors).mean()) < 1.2


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_given_its_particles_a_position_is_exact(game: Game) -> None:
    """Weights and information of answer and rate together, by adding up all answers, particles and codes."""
    for seed in range(2):
        rows = random_rows(game, np.random.default_rng(seed))
        position = stand(game, RateBelief.start("beta(2,6)", 40, seed), rows)
        rates, weights = position.rate.particles.particles, position.rate.particles.weights
        given = game.prior[:, None] * likelihoods(game, rates, rows)
        joint = given / given.sum(axis=0) * weights
        assert position.weights == pytest.approx(joint.sum(axis=1), abs=1e-12)
        told = information(position)
        for guess in range(len(game.guesses)):
            shown = {
                s: (chances(game, rates, (guess, s)) * joint).sum(axis=1)
                for s in range(len(always_lies(game).matrix))
            }
            bits = sum(
                p * log2(p / (column.sum() * joint[a].sum()))
                for column in shown.values()
                for a, p in enumerate(column.tolist())
                if p > 0
            )
            assert told[guess] == pytest.approx(bits, abs=1e-9)


def test_large_supports_tell_the_same_the_other_way() -> None:
    words = tuple("".join(word) for word in product("abc", repeat=6))
    game = Game("many", WordleRules(6), words[:30], words[300:], uniform(len(words) - 300))
    position = UnsurePosition.begin(game, RateBelief.start("beta(2,18)", 50))
    assert len(position.support) > 300
    mean = NoisyPosition.start(game, lies_with(game, position.rate.mean))
    # Before the first row every answer has the same rate.
    assert information(position) == pytest.approx(information(mean), abs=1e-9)


@pytest.mark.parametrize("strategy", [NoisyInformationGain(), NoisyExpectedGuesses()])
def test_a_rate_that_is_all_but_known_is_played_as_one_that_is(
    strategy: NoisyInformationGain | NoisyExpectedGuesses,
) -> None:
    game = GAMES["mastermind"]
    sharp = RateBelief.start("uniform(0.1999999999,0.2000000001)", 20)
    known, unsure = (
        evaluate(strategy, game, lies_with(game, 0.2), 4, believed=believed) for believed in (None, sharp)
    )
    assert known.turns.tolist() == unsure.turns.tolist()
    assert (known.believed, unsure.believed) == ("lies with 0.2", sharp.name)


@pytest.mark.parametrize(
    ("prior", "n"),
    [
        (Beta(2, 8), 30),
        pytest.param(Beta(2, 8), 600, marks=pytest.mark.thorough),
        pytest.param(Uniform(0.05, 0.5), 600, marks=pytest.mark.thorough),
    ],
)
def test_credible_intervals_hold_the_rate_as_often_as_they_say(prior: RatePrior, n: int) -> None:
    """Rates drawn from the prior, games played by a strategy, intervals after each and along three games."""
    game, shares = mastermind(2, 3), (0.5, 0.9)
    held = {(share, games): 0 for share in shares for games in (1, 3)}
    for i in range(n):
        rng = np.random.default_rng([7, i])
        rate = float(prior.draw(rng, 1)[0])
        known = RateBelief.start(prior, 200, seed=i)
        for games in (1, 2, 3):
            answer, host = int(rng.integers(len(game.answers))), lies_with(game, rate)
            known = play(NoisyInformationGain(), game, host, answer, rng, 12, known).last.finished  # type: ignore[attr-defined]
            if games != 2:
                for share in shares:
                    low, high = known.interval(share)
                    held[share, games] += low <= rate <= high
    for (share, _), count in held.items():
        # Four standard errors, and a little for quantiles of 200 particles.
        assert abs(count / n - share) < 4 * sqrt(share * (1 - share) / n) + 0.01


def test_what_is_known_is_carried_from_game_to_game() -> None:
    """Solved games leave two counts, whose posterior is a Beta; others are held to the grid."""
    game, prior, n = GAMES["mastermind"], Beta(2, 8), 4000
    for most, solved in ((30, True), (2, False)):
        known, games, seen = RateBelief.start(prior, n, 3), [], np.zeros(2, int)
        for i in range(12):
            rng = np.random.default_rng([most, i])
            answer = int(rng.integers(len(game.answers)))
            played = play(NoisyExpectedGuesses(), game, lies_with(game, 0.3), answer, rng, most, known)
            known = played.last.finished  # type: ignore[attr-defined]
            games.append(list(played.rows))
            truths = [int(game.feedback_row(g)[answer]) == shown != game.solved for g, shown in played.rows]
            lies = [int(game.feedback_row(g)[answer]) != shown for g, shown in played.rows]
            seen += [sum(lies), sum(truths)]
            assert played.solved or not solved
        of_rate = by_quadrature(game, prior, games).sum(axis=0)
        if solved:
            a, b = seen[0] + 2, seen[1] + 8
            assert of_rate @ GRID == pytest.approx(a / (a + b), abs=1e-4)
            assert len(known.seen) == 1  # however many games there were
        assert off(known.mean, GRID, of_rate, n) < 4
        sd = sqrt(of_rate @ GRID**2 - (of_rate @ GRID) ** 2)
        assert sqrt(known.particles.mean(np.square) - known.mean**2) == pytest.approx(sd, rel=0.1)
        assert len(set(known.particles.particles.tolist())) > n / 2


def test_a_series_is_the_games_one_after_another() -> None:
    game, host = GAMES["mastermind"], lies_with(GAMES["mastermind"], 0.2)
    start = RateBelief.start("unknown", 100, 5)
    seen = []
    found = series(
        NoisyInformationGain(), game, host, start, 8, seed=4, progress=lambda at: seen.append(at.done)
    )
    answers = np.random.default_rng([4, 0]).choice(len(game.answers), 8, p=game.prior)
    known = start
    for i, answer in enumerate(answers.tolist()):
        played = play(NoisyInformationGain(), game, host, answer, np.random.default_rng([4, 1, i]), 30, known)
        known = played.last.finished  # type: ignore[attr-defined]
        assert found.turns[i] == len(played.rows)
        assert found.rates[i].tolist() == [known.mean, *known.interval()]
    assert found.known.particles.particles.tolist() == known.particles.particles.tolist()
    assert seen == list(range(1, 9))
    assert found.milestones == [1, 2, 5, 8]
    assert found.mean == pytest.approx(found.turns.mean())
    again = series(NoisyInformationGain(), game, host, start, 8, seed=4).to_json()
    assert {**again, "seconds": 0} == {**found.to_json(), "seconds": 0}
    drawn = series(NoisyInformationGain(), game, start.prior, start, 1, seed=4)
    assert drawn.channel == f"lies with {start.prior.draw(np.random.default_rng([4, 2]), 1)[0]:g}"


def test_evaluations_repeat_on_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    game, turns = WORDLE, []
    for threads in "12":
        monkeypatch.setenv("SLEUTH_THREADS", threads)
        turns.append(evaluate(NoisyExpectedGuesses(), game, Beta(2, 8), 5, seed=3).turns.tolist())
    assert turns[0] == turns[1]
    assert evaluate(NoisyExpectedGuesses(), game, Beta(2, 8), 5, seed=4).turns.tolist() != turns[0]


def test_evaluations_play_hosts_and_beliefs_that_differ() -> None:
    game, host = GAMES["mastermind"], lies_with(GAMES["mastermind"], 0.3)
    for believed in (lies_with(game, 0.05), RateBelief.start("beta(2,18)", 50)):
        report = evaluate(NoisyExpectedGuesses(), game, host, 2, seed=1, believed=believed)
        assert (report.channel, report.believed) == (host.name, believed.name)
        for a, i in product(range(5), range(2)):
            rng = np.random.default_rng([1, a, i])
            played = play(NoisyExpectedGuesses(), game, host, a, rng, believed=believed)
            assert report.turns[a, i] == len(played.rows)


def test_hosts_that_are_played_on_lie_at_the_rate_that_goes_with_their_answer() -> None:
    """A row is a truth if one answer is right, and a lie if another is: their rates are Betas."""
    game, rules = WORDLE, WORDLE.rules
    guess, first, second = next(
        (g, a, b)
        for g, a, b in product(range(len(WORDS)), range(8), range(8))
        if g > 7 and lies(game)[rules.code(WORDS[g], WORDS[b]), rules.code(WORDS[g], WORDS[a])] > 0
    )
    start = UnsurePosition.begin(game, RateBelief.start("beta(2,8)", 4000, 1))
    position = start.after(guess, rules.code(WORDS[guess], WORDS[first]))
    for answer, mean in ((first, 2 / 11), (second, 3 / 11)):
        rng = np.random.default_rng(0)
        teller = position.teller(np.full(4000, answer, np.int32), rng)
        true = rules.code("eerie", WORDS[answer])
        shown = np.array([teller(i, true, draw) for i, draw in enumerate(rng.random(4000).tolist())])
        assert np.mean(shown != true) == pytest.approx(mean, abs=0.03)
        assert set(shown.tolist()) == {true, *np.flatnonzero(lies(game)[true]).tolist()}
        assert teller(0, game.solved, 0.0) == game.solved


def test_rollout_plays_hosts_of_unknown_rate() -> None:
    game = GAMES["mastermind"]
    rollout = NoisyRollout(NoisyInformationGain(), width=3, simulations=40)
    position = UnsurePosition.begin(game, RateBelief.start("beta(2,8)", 100)).after(0, 1)
    guesses = rollout.base.best(position, 3)
    values = rollout.values(position, guesses)
    assert rollout.values(position, guesses).tolist() == values.tolist()
    assert rollout.choose(position) in guesses
    # As the mean of games against hosts drawn from the belief.
    many = NoisyRollout(NoisyInformationGain(), simulations=150).values(position, guesses[:1])[0]
    answers = np.random.default_rng(1).choice(len(game.answers), 150, p=position.weights).astype(np.int32)
    rng, taken = np.random.default_rng(2), []
    teller = position.teller(answers, rng)
    for i, answer in enumerate(answers.tolist()):
        here, guess = position, int(guesses[0])
        turn, shown = 1, -1
        while shown != game.solved:
            shown = teller(i, int(game.feedback_row(guess)[answer]), rng.random())
            if shown != game.solved:
                here, turn = here.after(guess, shown), turn + 1
                guess = NoisyInformationGain().choose(here)
        taken.append(turn)
    error = float(np.std(taken)) / sqrt(150)
    assert many == pytest.approx(np.mean(taken), abs=5 * error)


def test_rows_that_no_answer_explains_are_named() -> None:
    start = UnsurePosition.begin(WORDLE, RateBelief.start("unknown", 10))
    won = start.after(0, WORDLE.solved)
    assert won.weights.tolist() == [1.0, *[0.0] * 7]
    with pytest.raises(ContradictionError, match="^row 2: no possible answer .* after the rows before it"):
        won.after(1, WORDLE.solved)
    with pytest.raises(SleuthError, match="row 1: words has no guess 99"):
        start.after(99, 0)


def test_a_prior_that_names_no_answer_says_nothing() -> None:
    """Where only answers of prior 0 are left, they count alike."""
    certain = UnsurePosition.begin(SKEWED, RateBelief.start("unknown", 30)).after(0, SKEWED.solved)
    assert (certain.weights.tolist(), SKEWED.prior[0]) == ([1.0, *[0.0] * 15], 0)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: rate_prior("often"), "'often' is no rate of lies: give a number"),
        (lambda: rate_prior("beta(2)"), "'beta.2.' is no rate"),
        (lambda: rate_prior("gamma(2,3)"), "unknown, beta.a,b. or uniform.low,high."),
        (lambda: rate_prior("beta(nan,1)"), "is no rate"),
        (lambda: rate_prior("beta(0,1)"), "a must be more than 0 and finite, not 0"),
        (lambda: Beta(1, float("inf")), "b must be more than 0 and finite, not inf"),
        (lambda: rate_prior("uniform(0.5,0.2)"), "not from 0.5 to 0.2"),
        (lambda: Uniform(0, 1.5), "not from 0 to 1.5"),
        (lambda: RateBelief.start("unknown", 0), "particles must be 1 or more, not 0"),
        (lambda: RateBelief.start("unknown", 5).interval(2), "share must be from 0 to 1, not 2"),
        (lambda: UnsurePosition.begin(WORDLE.with_mode("hard"), RateBelief.start("unknown", 5)), "easy mode"),
        (
            lambda: UnsurePosition.begin(
                Game.from_function(lambda g, a: g == a, "abc"), RateBelief.start("unknown", 5)
            ),
            "too few kinds of feedback",
        ),
        (lambda: taken_for(WORDLE, "1"), "less than 1, not 1.0"),
        (lambda: taken_for(WORDLE, "nan"), "not nan"),
        (
            lambda: series(NoisyInformationGain(), WORDLE, honest(WORDLE), RateBelief.start("unknown", 5), 0),
            "games must be a whole number, 1 or more, not 0",
        ),
        (
            lambda: play(
                NoisyInformationGain(),
                WORDLE,
                Channel("two", np.eye(2)),
                0,
                np.random.default_rng(0),
                believed=RateBelief.start("unknown", 5),
            ),
            "is for 2 kinds",
        ),
        (
            lambda: series(
                NoisyExpectedGuesses(), WORDLE, Uniform(), RateBelief.start("unknown", 5), games=2, seed=-1
            ),
            "seed must be 0 or more, not -1",
        ),
        (
            lambda: series(NoisyExpectedGuesses(), WORDLE, Uniform(), RateBelief.start("unknown", 5), 2.5),  # type: ignore[arg-type]
            "games must be a whole number, 1 or more, not 2.5",
        ),
        (
            lambda: series(Rollout(), WORDLE, Uniform(), RateBelief.start("unknown", 5), 2),  # type: ignore[arg-type]
            "rollout plays against hosts who tell the truth, since it asks a position for its",
        ),
        (lambda: RateBelief.start(0.1), "0.1 is no distribution of rates"),  # type: ignore[arg-type]
        (lambda: RateBelief.start("unknown", seed=-1), "seed must be 0 or more, not -1"),
        (lambda: lies_with(WORDLE, "0.2"), "less than 1, not '0.2'"),  # type: ignore[arg-type]
    ],
)
def test_errors_say_what_is_wrong(build: Callable[[], object], message: str) -> None:
    with pytest.raises(SleuthError, match=message):
        build()


@pytest.mark.parametrize("prior", [Beta(2, 18), Beta(0.01, 3), Uniform(0.1, 0.3)], ids=lambda p: p.name)
def test_priors_are_read_from_what_they_are_written_as(prior: RatePrior) -> None:
    assert rate_prior(prior.name) == prior
    drawn = prior.draw(np.random.default_rng(0), 20_000)
    assert ((drawn > 0) & (drawn < 1)).all()
    assert np.isfinite(prior.log_density(drawn)).all()
    assert prior.log_density(np.array([-0.1, 0.0, 1.0, 1.1])).tolist() == [-np.inf] * 4
    shares = np.histogram(drawn, 20, (0, 1))[0] / 20_000
    fine = np.exp(prior.log_density(GRID)).reshape(20, -1).sum(axis=1)
    assert shares[1:] == pytest.approx(fine[1:] / fine.sum(), abs=0.02) or prior == Beta(0.01, 3)


def test_texts_say_what_a_host_is_taken_for() -> None:
    known, unsure = taken_for(WORDLE, "0.25"), taken_for(WORDLE, " unknown ", seed=3)
    assert isinstance(known, Channel)
    assert isinstance(unsure, RateBelief)
    assert known.name == "lies with 0.25"
    assert (unsure.prior, unsure.seed) == (Uniform(), 3)
    assert host_of(WORDLE, known) is known
    assert host_of(WORDLE, unsure) == Uniform()
    assert host_of(WORDLE, unsure, 0.1).name == "lies with 0.1"


def test_a_stopped_series_is_that_of_the_games_played() -> None:
    belief = RateBelief.start("unknown", 50)

    def stop(at: Progress) -> None:
        if at.done == 3:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        series(NoisyExpectedGuesses(), WORDLE, lies_with(WORDLE, 0.2), belief, 9, progress=stop)
    whole = series(NoisyExpectedGuesses(), WORDLE, lies_with(WORDLE, 0.2), belief, 9)
    assert stopped.value.known.turns.tolist() == whole.turns[:3].tolist()
    assert stopped.value.known.rates.tolist() == whole.rates[:3].tolist()
    assert stopped.value.known.known.rows == sum(whole.turns[:3])


def test_extreme_priors_play_without_warnings() -> None:
    with np.errstate(all="raise", under="ignore"):
        belief = RateBelief.start("beta(1e-300,1)", 50)
        report = evaluate(
            NoisyExpectedGuesses(), WORDLE, Beta(1e-300, 1), believed=belief, games_per_answer=2
        )
    assert report.unfinished == 0


def test_beliefs_and_positions_are_shown_in_a_line() -> None:
    belief = RateBelief.start("unknown", 50)
    assert repr(belief).startswith("<RateBelief lies with uniform(0,1), 0 rows: 0.")
    assert repr(UnsurePosition.begin(WORDLE, belief)).startswith(
        "<UnsurePosition words, turn 1, 3 bits left, <Rate"
    )
    assert len(repr(UnsurePosition.begin(WORDLE, belief))) < 200
