"""The player of letter pairs: what it sees, its network with torch and without, lists, learning, weights."""

import math
import string
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleuth.games.frontier import Frontier
from sleuth.games.game import Game
from sleuth.games.pegs import mastermind
from sleuth.games.position import Position
from sleuth.games.wordle import wordle
from sleuth.learning.letters.pair_player import forward, pair_player
from sleuth.learning.letters.pairs import (
    CELL_INPUTS,
    GUESS_INPUTS,
    MARKS,
    cells,
    guess_inputs,
    guess_pairs,
    pair_features,
    places,
)
from sleuth.learning.letters.rewards import all_rewards, rewards
from sleuth.learning.runs.held_out import unseen
from sleuth.learning.strategies import LearnedPairs
from sleuth.support.errors import SleuthError, StrategyError
from sleuth.trees.check import check_tree
from sleuth.trees.tree import DecisionTree

torch = pytest.importorskip("torch")

from sleuth.learning.letters.grouped import softmax  # noqa: E402
from sleuth.learning.letters.lists import ListLearner, Lists, build, drawn  # noqa: E402  torch may be missing
from sleuth.learning.letters.pair_network import PairAttention, PairShape  # noqa: E402
from sleuth.learning.letters.ppo import Ppo  # noqa: E402

SMALL = PairShape(means=5, peaks=3, pair_hidden=7, guess_hidden=6)
GOLDEN = [(290, 818, 4), (260, 715, 4)]
LISTS = Lists(lists=2, least=4, most=30, guesses=12, judged=20)
QUICK = Ppo(weighed=0, answers=8, batch=16, epochs=1, forced=2, threads=1, folds=5, guide_weight=0.02)


@pytest.fixture(scope="module")
def some(original: Game) -> Game:
    """Return a game of 200 words, any of which may be the answer."""
    return wordle(original.answers[::11][:200])


def frontier_of(game: Game, sets: Sequence[Sequence[int]]) -> Frontier:
    """Return the second turn of a game in which its first word was guessed, whatever that told."""
    starts = np.concatenate([[0], np.cumsum([len(members) for members in sets])])
    rows = np.zeros((len(sets), 1, 2), np.int32)
    return Frontier(game, 2, starts, np.concatenate([*sets]).astype(np.int32), rows=rows)


# What is seen


def mark(word: str, place: int, letter: str) -> int:
    if word[place] == letter:
        return 0
    return 1 if letter in word else 2


@given(st.data())
def test_cells_agree_with_a_naive_twin(data: st.DataObject) -> None:
    length = data.draw(st.integers(2, 5))
    word = st.text(string.ascii_lowercase[:6], min_size=length, max_size=length)
    guesses = sorted(data.draw(st.sets(word, min_size=2, max_size=8)))
    answers = sorted(data.draw(st.sets(word, min_size=1, max_size=8)) | {guesses[0]})
    game = replace(
        wordle(sorted({*guesses, *answers})), answers=tuple(answers), prior=np.full(len(answers), 1.0)
    )
    members = sorted(data.draw(st.sets(st.integers(0, len(answers) - 1), min_size=1)))
    found = cells(frontier_of(game, [range(len(answers)), members]))[1]
    _, which = guess_pairs(game)
    assert found.shape == (which.max() + 1, CELL_INPUTS)
    for g, guess in enumerate(game.guesses):
        for column, (i, j) in enumerate(places(length)):
            counts = np.zeros(MARKS)
            for a in members:
                counts[3 * mark(answers[a], i, guess[i]) + mark(answers[a], j, guess[j])] += 1
            shares = counts / len(members)
            bits = [-p * math.log2(p) if p else 0.0 for p in shares]
            rest = [float(guess[i] == guess[j]), math.log2(len(members)) / 8, 1 / len(members)]
            expected = [*np.sqrt(shares), *bits, *rest]
            # Shares are sums in single precision, and a root of what rounding leaves of nothing is not small.
            assert found[which[g, column]] == pytest.approx(expected, abs=2e-3)


def test_of_a_guess_is_seen_whether_it_may_be_the_answer() -> None:
    game = wordle(["crane", "trace", "react", "caret", "slate"])
    found = guess_inputs(frontier_of(game, [[0, 2, 3, 4], [1]]))
    assert found[:, :, 0].tolist() == [[1, 0, 1, 1, 1], [0, 1, 0, 0, 0]]
    assert found[:, :, 1].tolist() == [[0.25, 0, 0.25, 0.25, 0.25], [0, 1, 0, 0, 0]]
    assert found[:, 0, -2:].tolist() == [[0.25, 0.25], [0, 1]]


@given(st.data())
def test_what_three_and_four_letters_tell_agrees_with_a_naive_twin(data: st.DataObject) -> None:
    length = data.draw(st.integers(2, 5))
    seed = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    many = ["".join(word) for word in seed.choice(list("abcdef"), (data.draw(st.integers(2, 150)), length))]
    game = wordle(sorted({*many, "a" * length, "b" * length}))
    members = sorted(data.draw(st.sets(st.integers(0, len(game.answers) - 1), min_size=1)))
    sets = [list(range(len(game.answers))), members]
    for inputs, some in zip(guess_inputs(frontier_of(game, sets)), sets, strict=True):
        for g, guess in enumerate(game.guesses):
            expected = []
            for together in (3, 4):
                told = [0.0]
                for chosen in combinations(range(length), together):
                    codes = [tuple(mark(game.answers[a], i, guess[i]) for i in chosen) for a in some]
                    shares = [codes.count(code) / len(codes) for code in set(codes)]
                    told.append(-sum(p * math.log2(p) for p in shares) / (math.log2(len(some)) or 1))
                expected += [sum(told) / max(1, len(told) - 1), max(told)]
            assert inputs[g, 2:6] == pytest.approx(expected, abs=1e-5)


def test_what_is_seen_depends_on_the_answers_alone(some: Game) -> None:
    """The order of the sets and the words that may be guessed beside change nothing."""
    sets = [[3, 5, 90], list(range(0, 200, 3)), [7, 8]]
    found = pair_features(frontier_of(some, sets))
    assert np.array_equal(found[::-1], pair_features(frontier_of(some, sets[::-1])))
    fewer = replace(some, guesses=some.guesses[:50], answers=some.guesses)
    logits = forward(ListLearner(some, QUICK, LISTS, SMALL).weights(), fewer)
    all_logits = forward(ListLearner(some, QUICK, LISTS, SMALL).weights(), some)
    assert np.allclose(logits(pair_features(frontier_of(fewer, sets))), all_logits(found)[:, :50], atol=1e-5)


@given(st.permutations(string.ascii_lowercase))
def test_no_letter_is_known(letters: list[str]) -> None:
    """Other letters for those of all words change nothing that the network says of them."""
    words = ["crane", "trace", "react", "eerie", "slate", "geese", "abbey"]
    table = str.maketrans(string.ascii_lowercase, "".join(letters))
    found = []
    for spelling in (words, [word.translate(table) for word in words]):
        game = wordle(sorted(spelling))
        weights = ListLearner(game, QUICK, LISTS, SMALL, seed=3).weights()
        logits = forward(weights, game)(pair_features(Frontier.of(Position.start(game))))[0]
        found.append([float(logits[game.guesses.index(word)]) for word in spelling])
    assert found[0] == pytest.approx(found[1], abs=1e-5)


def test_games_of_other_letters_are_refused() -> None:
    with pytest.raises(StrategyError, match="games of words, not mastermind"):
        LearnedPairs().choose(Position.start(mastermind(2, 3)))
    with pytest.raises(StrategyError, match="a to z"):
        LearnedPairs().choose(Position.start(wordle(["größe", "crane"])))


# Rewards


@given(st.integers(0, 2**32), st.floats(0, 1))
def test_rewards_of_all_guesses_are_those_of_each(seed: int, bonus: float) -> None:
    game = wordle(["crane", "trace", "react", "caret", "slate", "stale", "least", "steal", "peril", "abbey"])
    rng = np.random.default_rng(seed)
    sets = frontier_of(game, [np.sort(rng.permutation(10)[: rng.integers(1, 11)]).tolist() for _ in range(3)])
    found = all_rewards(sets, bonus)
    for g in range(10):
        guesses = np.full(3, g, np.int32)
        expected = rewards(sets, guesses, sets.after(guesses), 10, bonus, rng)
        assert found[:, g] == pytest.approx(expected, abs=1e-5)


# The network


def test_numpy_computes_what_torch_does(some: Game) -> None:
    learner = ListLearner(some, QUICK, LISTS, SMALL, seed=1)
    states = frontier_of(some, [range(200), [3, 5, 90], [7, 8], range(50, 80)])
    features = pair_features(states)
    with torch.no_grad():
        expected, values = learner.model(torch.from_numpy(features), learner.model.embed())
    assert expected.shape == (4, 200)
    assert torch.allclose(values, learner.model.values(torch.from_numpy(features)))
    assert np.allclose(forward(learner.weights(), some)(features), expected.numpy(), atol=1e-5)


def test_logits_are_a_table_of_pairs_looked_up(some: Game) -> None:
    """Computed again guess by guess, with nothing but the layers."""
    model = PairAttention(some, SMALL)
    features = torch.from_numpy(pair_features(frontier_of(some, [range(0, 200, 7)])))
    own = 200 * GUESS_INPUTS
    seen = features[0, :-own].reshape(-1, CELL_INPUTS)
    beside = features[0, -own:].reshape(200, GUESS_INPUTS)
    logits = model(features, model.embed())[0][0]
    for g in (0, 17, 199):
        hidden = torch.relu(model.pair(seen[model.words[g]]))
        inputs = torch.cat([model.mean(hidden).mean(0), model.peak(hidden).amax(0), beside[g]])
        assert torch.allclose((model.guess(inputs) + model.skip(inputs))[0], logits[g], atol=1e-5)


def test_weights_of_nothing_are_refused(some: Game) -> None:
    whole = ListLearner(some, QUICK, LISTS, SMALL).weights()
    assert not any(name.startswith("value") for name in whole)
    for name in whole:
        rest = {key: value for key, value in whole.items() if key != name}
        for broken in (rest, {**rest, name: whole[name].ravel()[:-1]}):
            with pytest.raises(SleuthError, match="no weights of the player of letter pairs"):
                forward(broken, some)


def test_greedy_play_is_a_valid_tree_whatever_the_network(some: Game) -> None:
    rng = np.random.default_rng(1)
    weights = {
        name: rng.normal(size=array.shape).astype(np.float32)
        for name, array in ListLearner(some, QUICK, LISTS, SMALL).weights().items()
    }
    for mode in ("easy", "hard"):
        game = wordle(some.answers[::5], mode=mode)
        tree = DecisionTree.build(pair_player(weights, game), game)
        assert check_tree(tree).total == tree.report().total


# Lists


@given(st.integers(0, 2**32), st.integers(2, 60), st.integers(0, 200), st.floats(0, 3))
def test_lists_are_of_the_size_asked_for(seed: int, least: int, more: int, liking: float) -> None:
    rng = np.random.default_rng(seed)
    letters = rng.integers(0, 26, (100, 5)).astype(np.int32)
    found = drawn(letters, Lists(least=least, most=least + more, liking=liking), rng)
    assert min(least, 100) <= len(found) <= min(least + more, 100)
    assert (np.diff(found) > 0).all()
    assert 0 <= found.min() <= found.max() < 100


def test_plain_lists_are_fair_and_likings_are_not() -> None:
    rng = np.random.default_rng(0)
    letters = rng.integers(0, 26, (1000, 5)).astype(np.int32)
    spread = {}
    for plain in (1.0, 0.0):
        kind = Lists(least=300, most=300, plain=plain)
        times = np.zeros(1000)
        shares = []
        for _ in range(300):
            members = drawn(letters, kind, rng)
            times[members] += 1
            shares.append(np.bincount(letters[members, 4], minlength=26) / 300)
        spread[plain] = np.std(shares, axis=0).mean()
        assert times.mean() == 90
        assert abs(times - 90).max() < 60
    assert spread[0.0] > 1.5 * spread[1.0]


def test_held_out_words_are_never_answers(some: Game) -> None:
    learner = ListLearner(some, QUICK, LISTS, SMALL)
    held_out = {some.answers[a] for a in learner.unseen}
    assert len(held_out) == 40
    seen: set[str] = set()
    for _ in range(50):
        game, lists = learner.draw()
        assert len(lists) == 2
        assert set(game.answers) <= set(game.guesses) <= set(some.guesses)
        assert not held_out & set(game.answers)
        seen |= set(game.answers)
    assert seen == set(some.answers) - held_out  # all others are


def test_the_shipped_run_holds_a_fifth_of_all_words_out() -> None:
    from sleuth.learning.runs.configuration import Configuration

    kind = Configuration.load("letter_pairs")
    assert (kind.words, kind.table["folds"], kind.table.get("fold", 0)) == ("original-guesses", 5, 0)
    assert len(unseen(12972, 5, 0)) == 2595


# Learning


def test_all_guesses_of_a_state_are_weighed_as_likely_as_they_are(some: Game) -> None:
    learner = ListLearner(some, QUICK, LISTS, SMALL)
    games = learner._games()
    counts = np.diff(games.starts)
    guesses = learner.model.words.shape[0]
    assert set(counts.tolist()) <= set(range(2, guesses + 1))
    chances = np.exp(games.chance)
    assert np.add.reduceat(chances, games.starts[:-1]) == pytest.approx(np.ones(len(counts)), abs=1e-4)
    masks = np.unpackbits(games.masks, axis=1, count=guesses).astype(bool)
    state, made = np.nonzero(masks)
    assert np.array_equal(made, games.action)
    assert np.array_equal(np.bincount(state), counts)
    assert len(games.guesses) == 2 * QUICK.answers


def test_the_first_gradient_is_that_of_the_expected_advantage(some: Game) -> None:
    learner = ListLearner(some, replace(QUICK, guide_weight=0.0, value_weight=0.0), LISTS, SMALL)
    games = learner._games()
    logits, _ = learner.model(torch.from_numpy(games.features), learner.model.embed())
    masks = torch.from_numpy(np.unpackbits(games.masks, axis=1, count=logits.shape[1]).astype(bool))
    chances = torch.softmax(logits.masked_fill(~masks, -torch.inf), 1)
    advantage = torch.zeros_like(chances)
    advantage[masks] = torch.from_numpy(games.advantage)
    weight = torch.from_numpy(games.weight / games.weight.sum())
    expected = -(weight[:, None] * chances * advantage).sum()
    found = learner._learn(games, np.arange(len(games.features)), 0.1)
    assert found["policy"] == pytest.approx(float(expected.detach()), abs=1e-5)


@given(st.lists(st.integers(1, 4), min_size=1, max_size=5), st.integers(0, 2**32))
def test_softmax_within_groups(lengths: list[int], seed: int) -> None:
    values = np.random.default_rng(seed).normal(0, 9, sum(lengths)).astype(np.float32)
    found = softmax(values, np.repeat(np.arange(len(lengths)) * 3, lengths))
    parts = np.split(values, np.cumsum(lengths)[:-1])
    expected = np.concatenate([np.exp(part - part.max()) / np.exp(part - part.max()).sum() for part in parts])
    assert found == pytest.approx(expected, rel=1e-5)


def test_what_is_learned_in_closed_form_is_what_the_gradient_leads_to(some: Game) -> None:
    """With logits of its own for each guess, expected advantage and entropy are most where the target is."""
    learner = ListLearner(some, replace(QUICK, closed=True, guide_weight=0.0), LISTS, SMALL)
    games = learner._games()
    begin, end = games.starts[:2]
    advantage = torch.from_numpy(games.advantage[begin:end])
    target = torch.from_numpy(
        softmax(games.advantage[begin:end] / np.float32(0.3), np.zeros(end - begin, int))
    )
    logits = target.log().requires_grad_()
    policy = torch.distributions.Categorical(logits=logits)
    gained = (policy.probs * advantage).sum() + 0.3 * policy.entropy()
    assert torch.autograd.grad(gained, logits)[0].abs().max() < 1e-5
    before = learner._learn(games, np.arange(len(games.features)), 0.3)["policy"]
    for _ in range(20):
        found = learner._learn(games, np.arange(len(games.features)), 0.3)["policy"]
    assert found < before


def test_the_policy_is_as_sharp_as_what_it_learns_from(some: Game) -> None:
    """In closed form logits have the mean and the spread of advantages over the weight of entropy."""
    learner = ListLearner(some, replace(QUICK, closed=True, entropy=0.25), LISTS, SMALL)
    features = torch.from_numpy(pair_features(frontier_of(some, [range(200), [3, 5, 90]])))
    plain, _ = learner.model(features, learner.model.embed())
    logits, _ = learner._forward(features, learner.model.embed())
    assert torch.allclose(logits.mean(1), torch.zeros(2), atol=1e-4)
    assert torch.allclose(logits.std(1), torch.full((2,), 4.0), atol=1e-3)
    assert torch.equal(plain.argmax(1), logits.argmax(1))


def test_a_run_goes_on_as_if_it_had_not_stopped(some: Game) -> None:
    learner, again = (ListLearner(some, QUICK, LISTS, SMALL, seed=5) for _ in range(2))
    learner.step()
    again.load_state_dict(deepcopy(learner.state_dict()))
    assert learner.step() == again.step()
    for name, array in learner.weights().items():
        assert np.array_equal(array, again.weights()[name])


@pytest.mark.thorough
@pytest.mark.parametrize("closed", [False, True])
def test_a_few_steps_teach_words_that_were_held_out(some: Game, closed: bool) -> None:
    config = replace(QUICK, answers=16, learning_rate=1e-2, entropy=0.1, decay_steps=25, closed=closed)
    learner = ListLearner(some, config, replace(LISTS, most=100), PairShape(), seed=1)
    before = learner.evaluate()
    for _ in range(25):
        learner.step()
    found = learner.evaluate()
    assert set(found) == {f"{n}{of}" for n in ("mean", "failures") for of in ("", "_seen", "_unseen")}
    assert found["mean_unseen"] < 2.3 < before["mean_unseen"]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"lists": {"least": 1}}, "least must be 2 or more"),
        ({"lists": {"least": 9, "most": 8}}, "most must be 9 or more"),
        ({"lists": {"plain": 2.0}}, "plain must be"),
        ({"network": {"peaks": 0}}, "peaks must be 1 or more"),
        ({"weighed": 0, "discount": 0.5}, "goes with a discount of 0"),
        ({"closed": True}, "closed goes with weighed = 0"),
        ({"weighed": 0, "closed": True, "groups": "turn"}, "closed goes with weighed = 0"),
        ({"weighd": 0}, "did you mean weighed"),
    ],
)
def test_bad_hyperparameters_are_named(some: Game, table: dict[str, Any], message: str) -> None:
    with pytest.raises(SleuthError, match=message):
        build(table, some, 0, "cpu")


# The weights that ship


@pytest.mark.thorough
def test_what_ships_plays_lists_that_it_never_saw(original: Game) -> None:
    """Golden: totals of some answers of the original list, and of words held out, each word guessable."""
    held_out = unseen(12972, 5, 0)
    found = []
    for words in (original.answers[::8], [original.guesses[g] for g in held_out[::10]]):
        tree = DecisionTree.build(LearnedPairs(), wordle(words))
        found.append((len(words), tree.report().total, tree.report().worst))
    assert found == GOLDEN


def test_what_ships_plays_words_of_other_lengths() -> None:
    game = wordle(["dealer", "leader", "ladder", "raddle", "peeled", "pealed", "healed"])
    assert DecisionTree.build(LearnedPairs(), game).report().failures == 0
