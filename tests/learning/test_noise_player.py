"""The player against hosts who lie: what it sees of beliefs, lookahead, that it learns and goes on."""

from math import log, log2, sqrt
from typing import Any

import numpy as np
import pytest
from learners import goes_on
from numpy.typing import NDArray

from sleuth.games.game import Game
from sleuth.games.pegs import mastermind
from sleuth.games.wordle import wordle
from sleuth.games.wordlists import from_words
from sleuth.kernels.noise import POSTERIOR
from sleuth.learning.noise.beliefs import INPUTS, Outlook, believed, describe, joints
from sleuth.learning.noise.player import BeliefNetwork, NoisyLearned, look, packed, unpacked
from sleuth.support.errors import SleuthError, StrategyError
from sleuth.variants.noise.belief import NoisyPosition
from sleuth.variants.noise.channel import Channel, fibble, honest, lies_with
from sleuth.variants.noise.games import evaluate
from sleuth.variants.noise.simulation import finish
from sleuth.variants.noise.strategies import NoisyExpectedGuesses, NoisyInformationGain, information
from sleuth.variants.noise.unknown import RateBelief, UnsurePosition

TEXT = "crane trace react caret slate least stale steal tales crate cater carte later"
WORDS = from_words(TEXT.split())
QUICK: dict[str, Any] = {
    "games": 3,
    "plays": 12,
    "width": 6,
    "hidden": 8,
    "updates": 60,
    "batch": 64,
    "judged": 2,
}


def position(game: Game, channel: Channel, rows: int, seed: int = 0) -> NoisyPosition:
    """Return a position after guesses at random against an answer at random."""
    rng = np.random.default_rng(seed)
    found, answer = NoisyPosition.start(game, channel), rng.integers(len(game.answers))
    for guess in rng.integers(len(game.guesses), size=rows):
        found = found.after(int(guess), channel.show(int(game.feedback_row(guess)[answer]), rng.random()))
    return found


def network(seed: int = 0, hidden: int = 6) -> BeliefNetwork:
    """Return a network of random numbers."""
    rng = np.random.default_rng(seed)
    shapes = ((INPUTS, hidden), (hidden, hidden), (hidden, 1))
    weights = tuple(rng.normal(0, 0.3, shape).astype(np.float32) for shape in shapes)
    return BeliefNetwork(weights, tuple(np.zeros(shape[1], np.float32) for shape in shapes))


def twin(found: NoisyPosition, guess: int, code: int) -> NDArray[np.float64]:
    """Return what is believed after a guess that was shown a code, from the joint chances one by one."""
    chances = sorted(
        (
            found.weights[answer] * found.channel.matrix[true, code]
            for answer, true in enumerate(found.game.feedback_row(guess).tolist())
        ),
        reverse=True,
    )
    joint = [one for one in chances if one > 0]
    largest = [*joint[:4], 0.0, 0.0, 0.0, 0.0][:4]
    sums = sum(joint), sum(one * log(one) for one in joint), sum(one**2 for one in joint)
    return np.array([*sums, *largest])


SMALL, PEGS, TWO = wordle(WORDS), mastermind(3, 3), mastermind(2, 2, repeats=False)
CASES = {
    "words, honest": (SMALL, honest(SMALL)),
    "words, most rows": (SMALL, lies_with(SMALL, 0.6)),
    "words, few rows": (SMALL, lies_with(SMALL, 0.03)),
    "words, every row": (SMALL, fibble(SMALL, 2)),
    "pegs, honest": (PEGS, honest(PEGS)),
    "pegs, most rows": (PEGS, lies_with(PEGS, 0.6)),
    "two codes": (TWO, honest(TWO)),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("rows", [0, 1, 2])
def test_beliefs_match_their_twin(case: str, rows: int) -> None:
    game, channel = CASES[case]
    found = position(game, channel, rows, seed=rows)
    guesses = np.arange(len(game.guesses), dtype=np.int32)
    told = joints(found, guesses)
    assert told.shape == (len(guesses), game.rules.n_codes, POSTERIOR)
    expected = [
        [twin(found, guess, code) for code in range(game.rules.n_codes)] for guess in guesses.tolist()
    ]
    np.testing.assert_allclose(told, np.array(expected), atol=1e-14)


def test_what_a_guess_may_lead_to_is_what_is_believed_there() -> None:
    game = mastermind(3, 4)
    found = position(game, lies_with(game, 0.2), 1)
    after = found.after(7, 3)
    outlook = Outlook.of(found, np.array([5, 7], np.int32))
    before = joints(found, np.array([7], np.int32))[0, [3]]
    (inputs, estimate), (seen, of_it) = describe(before, outlook), describe(believed(after), outlook)
    np.testing.assert_allclose(inputs, seen, rtol=1e-5)
    np.testing.assert_allclose(estimate, of_it, rtol=1e-9)


def test_what_is_seen_of_a_belief() -> None:
    weights = [0.5, 0.25, 0.25]
    joint = np.array([[0.2, sum(0.2 * w * log(0.2 * w) for w in weights), 0.04 * 0.375, 0.1, 0.05, 0.05, 0]])
    inputs, estimate = describe(joint, Outlook(1.0, 0.4, 5.0, 256))
    assert inputs.shape == (1, INPUTS)
    assert inputs.dtype == np.float32
    assert inputs[0].tolist() == pytest.approx(
        [1.5 / 4, 0.5, 0.25, 0.25, 0, -log2(0.375) / 4, 1.5 / 4, 0.5 * 1.5 / 4, 0.25, 0.25, 0.4, 5 / 8, 1]
    )
    assert estimate.tolist() == pytest.approx([0.5 + 0.5 * (1 + 1.5)])
    sure = np.array([[0.3, 0.3 * log(0.3), 0.09, 0.3, 0, 0, 0]])
    assert describe(sure, Outlook(1.0, 0.4, 5.0, 256))[1].tolist() == pytest.approx([1])


def test_the_outlook_is_that_of_the_guess_that_tells_most() -> None:
    game = mastermind(3, 4)
    found = position(game, lies_with(game, 0.2), 1)
    some = np.array([3, 9, 30], np.int32)
    told = information(found, some)
    outlook = Outlook.of(found, some)
    best = int(some[np.argmax(told)])
    rows = [found.channel.matrix[true] for true in game.feedback_row(best)]
    lies = [-sum(p * log2(p) for p in row if p) for row in rows]
    assert outlook.told == told.max()
    assert outlook.noise == pytest.approx(sum(w * bits for w, bits in zip(found.weights, lies, strict=True)))
    assert (outlook.bits, outlook.answers) == (found.bits, 64)


def test_lookahead_adds_up_what_beliefs_take() -> None:
    game = mastermind(3, 3)
    found, net = position(game, lies_with(game, 0.3), 1), network()
    guesses = np.array([0, 5, 26], np.int32)
    outlook = Outlook.of(found, guesses)
    expected = []
    for guess in guesses.tolist():
        total = 1.0
        for code in range(game.rules.n_codes):
            joint = twin(found, guess, code)
            if code != game.solved and joint[0] > 0:
                total += joint[0] * float(net.values(joint[None], outlook)[0])
        expected.append(total)
    assert net.weigh(found, guesses, outlook).tolist() == pytest.approx(expected, rel=1e-5)
    guess, value, seen = look(net, found, 5)
    few = NoisyExpectedGuesses().best(found, 5)
    assert seen == Outlook.of(found, few)
    values = net.weigh(found, few, seen)
    assert guess == few[np.argmin(values)]
    assert value == pytest.approx(values.min())


def test_a_network_that_learned_nothing_keeps_the_estimate() -> None:
    zeros = BeliefNetwork(
        tuple(np.zeros(shape, np.float32) for shape in ((INPUTS, 4), (4, 4), (4, 1))),
        tuple(np.zeros(size, np.float32) for size in (4, 4, 1)),
    )
    game = mastermind(3, 3)
    found = position(game, lies_with(game, 0.1), 2)
    outlook = Outlook.of(found, np.array([1], np.int32))
    joint = believed(found)
    assert zeros.values(joint, outlook).tolist() == describe(joint, outlook)[1].tolist()
    low = BeliefNetwork(zeros.weights, (*zeros.biases[:-1], np.array([-9], np.float32)))
    assert low.values(joint, outlook).tolist() == [1]  # no game takes less


def test_an_honest_host_is_played_to_the_end() -> None:
    game = mastermind(3, 3)
    report = evaluate(NoisyLearned(), game, honest(game))
    assert report.unfinished == 0
    assert report.mean <= evaluate(NoisyExpectedGuesses(), game, honest(game)).mean + 0.1


def test_a_rate_nobody_knows_is_played() -> None:
    game = mastermind(2, 4)
    found = UnsurePosition.begin(game, RateBelief.start("unknown", 50))
    first = NoisyLearned().choose(found)
    assert 0 <= NoisyLearned().choose(found.after(first, 1)) < len(game.guesses)


def test_the_order_of_what_is_looked_at_and_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    game = wordle(WORDS)
    found = position(game, fibble(game), 1)
    chosen = {NoisyLearned(width=width).choose(found) for width in (len(game.guesses), 1000)}
    monkeypatch.setenv("SLEUTH_THREADS", "3")
    assert chosen == {NoisyLearned(width=1000).choose(found)}


def test_where_nothing_tells_anything_it_says_so() -> None:
    game = Game.from_function(lambda guess, answer: "same", ["x", "y"], ["a"])
    with pytest.raises(StrategyError, match="finds no guess that tells apart x, y"):
        NoisyLearned().choose(NoisyPosition.start(game, honest(game)))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: NoisyLearned(width=0), "width must be 1 or more, not 0"),
        (lambda: NoisyLearned(width=2.5), "width must be a whole number, not 2.5"),  # type: ignore[arg-type]
        (lambda: NoisyLearned(None).choose(_start()), "as text, not None"),
        (lambda: NoisyLearned("").choose(_start()), "as text, not ''"),
        (lambda: NoisyLearned("candidates").choose(_start()), "weights 'candidates': another player's"),
        (lambda: NoisyLearned("nothing.safetensors").choose(_start()), "No such file"),
        (lambda: unpacked({}, "w"), "weights 'w' lack layer.0.weight: not those of a player against lies"),
        (
            lambda: unpacked(_broken("layer.1.weight", (3, 6)), "w"),
            r"layer.1.weight has .* \(3, 6\), not \(6, 6\)",
        ),
        (
            lambda: unpacked(_broken("layer.2.weight", (6, 2)), "w"),
            r"layer.2.weight has .* \(6, 2\), not \(6, 1\)",
        ),
        (
            lambda: unpacked(_broken("layer.2.bias", (2,)), "w"),
            r"layer.2.bias has .* \(2,\), not \(1,\)",
        ),
        (
            lambda: unpacked(_broken("layer.0.bias", ()), "w"),
            r"layer.0.weight has .* \(13, 6\), not",
        ),
    ],
)
def test_errors_say_what_is_wrong(make: Any, said: str) -> None:
    with pytest.raises(SleuthError, match=said):
        make()


def _start() -> NoisyPosition:
    return NoisyPosition.start(mastermind(2, 3), honest(mastermind(2, 3)))


def _broken(name: str, shape: tuple[int, ...]) -> dict[str, NDArray[np.float32]]:
    return {**packed(network()), name: np.zeros(shape, np.float32)}


def test_weights_go_there_and_back() -> None:
    one = network(3)
    for before, after in zip(packed(one).values(), packed(unpacked(packed(one), "w")).values(), strict=True):
        assert np.array_equal(before, after)


# Learning.


@pytest.fixture
def small_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have games drawn that are played in seconds."""
    pytest.importorskip("torch")

    def drawn(rng: np.random.Generator) -> Game:
        return [mastermind(2, 4), mastermind(3, 3), wordle(WORDS, max_turns=30)][rng.integers(3)]

    monkeypatch.setattr("sleuth.learning.noise.training.draw", drawn)


def learner(seed: int = 0, **changes: Any) -> Any:
    pytest.importorskip("torch")
    from sleuth.learning.noise.training import build

    return build({**QUICK, **changes}, mastermind(2, 3), seed, "cpu")


def test_hosts_drawn_are_as_said() -> None:
    pytest.importorskip("torch")
    from sleuth.learning.noise.training import draw_host

    words, pegs = wordle(WORDS), mastermind(3, 3)
    rng = np.random.default_rng(0)
    of_words = [draw_host(rng, words) for _ in range(200)]
    always = [channel for channel in of_words if channel.name == "fibble"]
    assert 25 < len(always) < 75
    of_pegs = [draw_host(rng, pegs) for _ in range(100)]
    rates = [1 - channel.matrix[0, 0] for channel in (*of_pegs, *of_words) if channel.name != "fibble"]
    assert 0.02 <= min(rates) < 0.03
    assert 0.25 < max(rates) <= 0.35


def test_it_learns_in_seconds(small_games: None) -> None:
    one = learner(plays=8)
    before = one.evaluate()
    losses = [one.step()["value"] for _ in range(4)]
    after = one.evaluate()
    known = one.known
    residual = float((known.added - one.value(known.inputs).detach()).square().mean())
    assert residual < 0.8 * float(known.added.square().mean())
    assert all(np.isfinite(losses))
    assert after["failures"] == before["failures"] == 0
    assert after["mean"] < 1.05 * before["mean"]


def test_what_beliefs_take_is_what_was_played(small_games: None) -> None:
    one = learner(expected=0.0, explored=0.0)
    network = one.value.playing()
    game = mastermind(3, 3)
    start = NoisyPosition.start(game, lies_with(game, 0.2))
    opener = look(network, start, 6)
    inputs, estimates, taken = one._follow(network, start, opener, 11)
    assert taken == list(range(len(inputs), 0, -1))
    assert len(estimates) == len(inputs)
    one = learner(expected=1.0, explored=0.0)
    inputs, _, expected = one._follow(network, start, opener, 11)
    assert expected != taken
    assert len(expected) == len(inputs)
    assert min(expected) >= 1


def test_going_on_is_as_never_having_stopped(small_games: None) -> None:
    one, other = learner(), learner(seed=5)
    one.step()
    goes_on(one, other)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"games": 0}, "games must be 1 or more, not 0"),
        ({"explored": 1.5}, "explored must be"),
        ({"expected": -0.5}, "expected must be"),
        ({"learning_rate": 0.0}, "learning_rate must be"),
    ],
)
def test_bad_hyperparameters_are_named(change: dict[str, Any], said: str) -> None:
    with pytest.raises(SleuthError, match=said):
        learner(**change)


@pytest.mark.parametrize(
    "game",
    [
        wordle("frequent:de:5:60"),
        pytest.param(wordle("frequent:de:5:300"), marks=pytest.mark.thorough),
        pytest.param(mastermind(3, 9), marks=pytest.mark.thorough),
    ],
    ids=["few words", "words", "pegs"],
)
def test_the_shipped_player_is_no_worse_than_information_gain_in_games_it_never_saw(
    game: Game,
) -> None:
    start = NoisyPosition.start(game, lies_with(game, 0.1))
    rng = np.random.default_rng(1)
    answers = rng.integers(len(game.answers), size=200).astype(np.int32)
    draws = rng.random((len(answers), 40))
    opener = NoisyInformationGain().choose(start)
    base, found = (
        finish(one, start, answers, draws, first=opener) for one in (NoisyInformationGain(), NoisyLearned())
    )
    assert (found - base).mean() < 2 * (found - base).std() / sqrt(200)  # no more than chance explains
