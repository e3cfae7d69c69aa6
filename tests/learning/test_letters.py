"""Weaver's player: features, constraints, rewards, the network with torch and without, learning."""

import string
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from sleuth.games.feedback import wordle_marks
from sleuth.games.frontier import Frontier
from sleuth.games.game import Game
from sleuth.games.pegs import mastermind
from sleuth.games.position import Position
from sleuth.games.wordle import wordle
from sleuth.learning.letters import player
from sleuth.learning.letters.constraints import allowed
from sleuth.learning.letters.features import action_features, knowledge, state_features, state_size
from sleuth.learning.letters.rewards import rewards
from sleuth.learning.strategies import LearnedLetters
from sleuth.support.errors import SleuthError, StrategyError
from sleuth.trees.check import check_tree
from sleuth.trees.tree import DecisionTree

torch = pytest.importorskip("torch")

from sleuth.learning.letters.attention import Attention, Shape  # noqa: E402  torch may be missing
from sleuth.learning.letters.constrained_policy import Summary, constrain, exceptions  # noqa: E402
from sleuth.learning.letters.grouped import normalised  # noqa: E402
from sleuth.learning.letters.ppo import Ppo, PpoLearner, build  # noqa: E402

A_TO_Z = string.ascii_lowercase
THIRTY = wordle(
    [
        "abbey",
        "angry",
        "batch",
        "beach",
        "brave",
        "candy",
        "catch",
        "chain",
        "charm",
        "cheap",
        "crane",
        "daily",
        "dance",
        "early",
        "eight",
        "faint",
        "giant",
        "grace",
        "hatch",
        "latch",
        "leach",
        "match",
        "patch",
        "peach",
        "peril",
        "reach",
        "teach",
        "trace",
        "watch",
        "yacht",
    ]
)
SMALL = Shape(dimension=16, word_hidden=32, state_hidden=64)


def play(game: Game, rows: list[tuple[str, str]]) -> Frontier:
    """Return the position after guesses and answers' feedback, as a frontier."""
    position = Position.start(game)
    for guess, answer in rows:
        position = position.after(game.find(guess), game.rules.code(guess, answer))
    return Frontier.of(position)


# Features


def test_sizes_are_those_of_the_document(original: Game) -> None:
    assert state_size(original) == 286 + 6
    assert action_features(original).shape == (12972, 130)


# The original lists lack MILLY.
DOCUMENT = wordle(["lions", "milly", "peril", "trace", "beril"])


@pytest.mark.parametrize("word", ["trace", "lions", "milly"])
def test_words_of_the_document_as_actions(word: str) -> None:
    expected = [float(letter == at) for letter in word for at in A_TO_Z]
    assert action_features(DOCUMENT)[DOCUMENT.find(word)].tolist() == expected


def letter_state(least: int, here: Sequence[int] = (), not_here: Sequence[int] = ()) -> list[int]:
    return [least, *(int(i in here) for i in range(5)), *(int(i in not_here) for i in range(5))]


def test_states_of_a_game_to_peril_by_hand() -> None:
    every = range(5)
    absent = dict.fromkeys("tac", letter_state(0, not_here=every))
    first = {**absent, "r": letter_state(1, not_here=[1]), "e": letter_state(1, not_here=[4])}
    second = {
        **first,
        **dict.fromkeys("ons", letter_state(0, not_here=every)),
        "l": letter_state(1, not_here=[0]),
        "i": letter_state(1, not_here=[1]),
    }
    third = {
        **second,
        **dict.fromkeys("my", letter_state(0, not_here=every)),
        "l": letter_state(1, not_here=[0, 2, 3]),
    }
    rows = [(word, "peril") for word in ("trace", "lions", "milly")]
    for turn, expected in enumerate([{}, first, second, third]):
        found = state_features(play(DOCUMENT, rows[:turn]))[0]
        blank = letter_state(0)
        assert found[:286].tolist() == [x for letter in A_TO_Z for x in expected.get(letter, blank)]
        assert found[286:].tolist() == [float(i == turn) for i in range(6)]


def test_places_are_known_without_a_green() -> None:
    """An l that is in the word and at none of four places stands at the fifth, and nothing else does."""
    game = wordle(["laabb", "alcdd", "aelff", "ahgli", "jkmnl"])
    known = knowledge(play(game, [(guess, "jkmnl") for guess in ("laabb", "alcdd", "aelff", "ahgli")]))
    assert known[0, 11].tolist() == letter_state(1, [4], [0, 1, 2, 3])
    assert known[0, 0].tolist() == letter_state(0, not_here=range(5))
    assert known[0, 25, 1 + 5 + 4] == 1


def naive_knowledge(rows: list[tuple[str, str]], length: int) -> list[list[int]]:
    """The same conclusions, drawn with sets of places."""
    least = dict.fromkeys(A_TO_Z, 0)
    most = dict.fromkeys(A_TO_Z, length)
    here: dict[str, set[int]] = {letter: set() for letter in A_TO_Z}
    open_ = {letter: set(range(length)) for letter in A_TO_Z}
    for guess, answer in rows:
        marks = wordle_marks(guess, answer)
        for letter in set(guess):
            of = [mark for g, mark in zip(guess, marks, strict=True) if g == letter]
            coloured = sum(mark > 0 for mark in of)
            least[letter] = max(least[letter], coloured)
            if 0 in of:
                most[letter] = min(most[letter], coloured)
        for i, (letter, mark) in enumerate(zip(guess, marks, strict=True)):
            if mark == 2:
                here[letter].add(i)
            else:
                open_[letter].discard(i)
        while True:
            before = repr((least, most, here, open_))
            for letter in A_TO_Z:
                others = sum(least.values()) - least[letter]
                most[letter] = min(most[letter], length - others)
                least[letter] = max(least[letter], len(here[letter]))
                if len(here[letter]) == most[letter]:
                    open_[letter] = set(here[letter])
                if len(open_[letter]) == least[letter]:
                    here[letter] = set(open_[letter])
            for i in range(length):
                if any(i in here[letter] for letter in A_TO_Z):
                    for letter in A_TO_Z:
                        if i not in here[letter]:
                            open_[letter].discard(i)
                left = [letter for letter in A_TO_Z if i in open_[letter]]
                if len(left) == 1:
                    here[left[0]].add(i)
            if repr((least, most, here, open_)) == before:
                break
    return [
        [
            least[c],
            *(int(i in here[c]) for i in range(length)),
            *(int(i not in open_[c]) for i in range(length)),
        ]
        for c in A_TO_Z
    ]


@given(st.data())
def test_what_is_known_agrees_with_the_naive_twin_and_is_true(data: st.DataObject) -> None:
    length = data.draw(st.integers(2, 6))
    letters = st.sampled_from(A_TO_Z[: data.draw(st.integers(2, 6))])
    word = st.lists(letters, min_size=length, max_size=length).map("".join)
    answer = data.draw(word)
    guesses = data.draw(st.lists(word, min_size=1, max_size=5))
    game = wordle(sorted({answer, *guesses}))
    rows = [(guess, answer) for guess in guesses]
    known = knowledge(play(game, rows))
    assert known[0].tolist() == naive_knowledge(rows, length)
    for letter, (least, *places) in zip(A_TO_Z, known[0].tolist(), strict=True):
        at = [c == letter for c in answer]
        assert least <= sum(at)
        assert all(at[i] for i in range(length) if places[i])
        assert not any(at[i] for i in range(length) if places[length + i])


def test_games_without_letters_are_refused() -> None:
    with pytest.raises(StrategyError, match="plays games of words, not mastermind"):
        LearnedLetters().choose(Position.start(mastermind(2, 3)))
    with pytest.raises(StrategyError, match="a to z"):
        LearnedLetters().choose(Position.start(wordle(["größe", "crane"])))
    with pytest.raises(StrategyError, match="for 5 letters a word, and wordle .* has 6"):
        LearnedLetters().choose(Position.start(wordle(["dealer", "leader"])))
    with pytest.raises(StrategyError, match="for 6 turns, and wordle .* has 5"):
        LearnedLetters().choose(Position.start(replace(THIRTY, max_turns=5)))
    own = PpoLearner(THIRTY, Ppo(), replace(SMALL, attention=False)).weights()
    with pytest.raises(StrategyError, match="for 30 guesses, and wordle .* has 5"):
        player.forward(own, DOCUMENT)


def test_a_position_without_its_rows_is_refused() -> None:
    code = THIRTY.rules.code("crane", "patch")
    without = replace(Position.start(THIRTY).after(THIRTY.find("crane"), code), rows=())
    with pytest.raises(StrategyError, match="needs the rows"):
        LearnedLetters().choose(without)


# Constraints


def words_allowed(frontier: Frontier, constrained: bool = True) -> set[str]:
    return {frontier.game.guesses[g] for g in np.flatnonzero(allowed(frontier, constrained)[0])}


def test_no_word_is_guessed_twice() -> None:
    assert words_allowed(Frontier.of(Position.start(THIRTY))) == set(THIRTY.guesses)
    rows = [("angry", "batch"), ("candy", "batch")]
    assert words_allowed(play(THIRTY, rows)) == set(THIRTY.guesses) - {"angry", "candy"}
    assert words_allowed(play(THIRTY, rows), False) == set(THIRTY.guesses)


def test_a_single_possible_answer_is_guessed() -> None:
    states = play(THIRTY, [("crane", "dance"), ("candy", "dance")])
    assert states.sizes.tolist() == [1]
    assert words_allowed(states) == {"dance"}
    assert words_allowed(states, False) == set(THIRTY.guesses)


def test_the_last_guess_is_a_possible_answer() -> None:
    short = replace(THIRTY, max_turns=2)
    states = play(short, [("angry", "patch")])
    members = {short.answers[a] for a in states.candidates}
    assert len(members) > 1
    assert words_allowed(states) == members
    assert words_allowed(states, False) == set(short.guesses)
    # The game is lost then, and ends all the same.
    later = play(short, [("angry", "patch"), ("abbey", "patch")])
    assert words_allowed(later, False) == {short.answers[a] for a in later.candidates}


# Rewards


def brute_reward(game: Game, members: range | NDArray[np.int32], guess: Any, bonus: float) -> float:
    total = 0.0
    for target in members:
        code = game.feedback[guess, target]
        left = sum(game.feedback[guess, other] == code for other in members)
        total += np.log2(len(members) / left) / np.log2(len(game.answers))
        total += bonus * (game.guesses[guess] == game.answers[target])
    return total / len(members)


@given(st.integers(0, 2**32), st.floats(0, 1))
def test_rewards_agree_with_brute_force(seed: int, bonus: float) -> None:
    rng = np.random.default_rng(seed)
    members = [np.sort(rng.permutation(30)[: rng.integers(1, 31)]).astype(np.int32) for _ in range(4)]
    starts = np.concatenate([[0], np.cumsum([len(m) for m in members])])
    frontier = Frontier(THIRTY, 2, starts, np.concatenate(members))
    guesses = rng.integers(0, 30, 4).astype(np.int32)
    children = frontier.after(guesses)
    expected = [brute_reward(THIRTY, m, g, bonus) for m, g in zip(members, guesses, strict=True)]
    exact = rewards(frontier, guesses, children, 30, bonus, rng)
    assert np.allclose(exact, expected)
    # Averaged over many draws of few targets it comes to the same.
    sampled = np.mean([rewards(frontier, guesses, children, 3, bonus, rng) for _ in range(600)], axis=0)
    assert np.allclose(sampled, expected, atol=0.12)


def test_advantages_are_normalised_in_their_groups() -> None:
    found = normalised(np.array([1.0, 3.0, 10.0, 10.0, 16.0]), np.array([7, 7, 2, 2, 2]))
    assert np.allclose(found, [-1, 1, -(2**-0.5), -(2**-0.5), 2**0.5])


def test_the_guide_is_the_divergence_by_definition() -> None:
    torch.manual_seed(0)
    logits = torch.randn(5, 30, dtype=torch.float64)
    logits[4, 9] += 40
    logits.requires_grad_()
    mask = np.ones((5, 30), bool)
    mask[1, [3, 5]] = mask[4, 9] = False
    mask[2] = mask[3] = False
    mask[2, 7] = mask[3, 1] = mask[3, 2] = True
    floor = 1e-4
    few, rows, columns = exceptions(np.packbits(mask, axis=1), 30)
    row, column = torch.from_numpy(rows), torch.from_numpy(columns)
    total, entropy, picked = Summary.apply(logits, row, column)
    allowed, guide = constrain(logits, total, entropy, few, row, column, picked, float(np.log(floor)))
    found = torch.autograd.grad(guide.sum(), logits, retain_graph=True)[0]
    raw = torch.log_softmax(logits, 1)
    keep = torch.from_numpy(mask)
    chance = (raw.exp() * keep).sum(1)
    assert torch.allclose(allowed, chance.log(), atol=1e-9)
    target = torch.where(keep, raw - chance.log()[:, None], torch.tensor(floor).double().log()).detach()
    expected = (raw.exp() * (raw - target)).sum(1)
    assert torch.allclose(guide, expected)
    assert torch.allclose(found, torch.autograd.grad(expected.sum(), logits)[0])


def test_few_guesses_are_the_exceptions() -> None:
    rng = np.random.default_rng(4)
    mask = rng.random((20, 45)) < rng.random((20, 1))
    few, rows, columns = exceptions(np.packbits(mask, axis=1), 45)
    assert few.tolist() == (mask.sum(1) < 22.5).tolist()
    expected = np.argwhere(mask == few[:, None])
    assert np.column_stack([rows, columns]).tolist() == expected.tolist()


def test_gradients_of_the_summary_are_those_of_autograd() -> None:
    torch.manual_seed(3)
    logits = torch.randn(4, 9, dtype=torch.float64, requires_grad=True)
    row, column = torch.tensor([0, 3, 3, 3]), torch.tensor([1, 2, 2, 8])
    assert torch.autograd.gradcheck(lambda x: Summary.apply(x, row, column), logits)
    total, entropy, some = Summary.apply(logits, row, column)
    policy = torch.distributions.Categorical(logits=logits)
    assert torch.allclose(total, torch.logsumexp(logits, 1))
    assert torch.allclose(entropy, policy.entropy())
    assert torch.equal(some, logits[row, column])


# The network


@pytest.mark.parametrize("attention", [True, False])
def test_numpy_computes_what_torch_does(tmp_path: Path, attention: bool) -> None:
    from sleuth.learning.runs.training import save_weights

    learner = PpoLearner(
        THIRTY, Ppo(), Shape(dimension=8, word_hidden=16, state_hidden=32, attention=attention)
    )
    save_weights(tmp_path / "w.safetensors", learner.weights())
    features = state_features(play(THIRTY, [("crane", "patch"), ("angry", "patch")]))
    features = np.concatenate([features, np.random.default_rng(0).random((5, features.shape[1]), np.float32)])
    with torch.no_grad():
        expected, _ = learner.model(torch.from_numpy(features), learner.model.embed())
    found = player.load(str(tmp_path / "w.safetensors"), THIRTY)(features)
    assert np.allclose(found, expected.numpy(), atol=1e-5)


def test_logits_are_scaled_dot_products() -> None:
    words = torch.from_numpy(action_features(THIRTY))
    model = Attention(words, state_size(THIRTY), Shape(dimension=9, word_hidden=4, state_hidden=5))
    state = torch.rand(1, state_size(THIRTY))
    expected = model.phi1(words) @ model.phi2(model.trunk(state)).T / 9**0.5
    assert torch.allclose(model(state, model.embed())[0], expected.T, atol=1e-6)


def test_weights_of_another_game_or_of_nothing_are_refused(tmp_path: Path) -> None:
    weights = PpoLearner(THIRTY, Ppo(), SMALL).weights()
    with pytest.raises(SleuthError, match="weights"):
        player.forward(weights, wordle(["dealer", "leader"]))
    with pytest.raises(SleuthError, match="no weights"):
        player.forward({}, THIRTY)
    (tmp_path / "broken.safetensors").write_bytes(b"nothing")
    with pytest.raises(SleuthError, match="no safetensors file"):
        player.load(str(tmp_path / "broken.safetensors"), THIRTY)


# Learning


def test_greedy_play_is_a_valid_tree_whatever_the_network() -> None:
    rng = np.random.default_rng(1)
    weights = {
        k: rng.normal(size=v.shape).astype(np.float32)
        for k, v in PpoLearner(THIRTY, Ppo(), SMALL).weights().items()
    }
    for mode in ("easy", "hard", "strict"):
        game = THIRTY.with_mode(mode)
        for constrained in (True, False):
            tree = DecisionTree.build(player.LetterPlayer(player.forward(weights, game), constrained), game)
            assert check_tree(tree).total == tree.report().total


@pytest.mark.thorough
def test_a_small_game_is_learned_to_near_the_optimum() -> None:
    from sleuth.exact.proving import prove

    config = Ppo(answers=30, weighed=8, epochs=6, batch=32, learning_rate=5e-3, decay_steps=100, threads=1)
    learner = PpoLearner(THIRTY, config, SMALL, seed=1)
    before = learner.evaluate()["mean"]
    for _ in range(100):
        learner.step()
    found = learner.evaluate()
    optimum = prove(THIRTY).total / 30
    assert found["failures"] == 0
    assert found["mean"] <= optimum + 0.1 < before


@pytest.mark.parametrize("weighed", [1, 5])
def test_experience_is_what_the_games_were(weighed: int) -> None:
    learner = PpoLearner(THIRTY, Ppo(answers=30, repeats=2, weighed=weighed, threads=1), SMALL)
    games = learner.play(np.repeat(np.arange(30), 2))
    assert len(games.guesses) == 60
    assert games.guesses.min() >= 1
    masks = np.unpackbits(games.masks, axis=1, count=30).astype(bool)
    counts = np.diff(games.starts)
    assert counts.min() >= weighed
    state = np.repeat(np.arange(len(counts)), counts)
    assert len(state) == len(games.action) == len(games.advantage)
    assert masks[state, games.action].all()
    assert (masks.sum(1) > 1).all()
    assert (np.unpackbits(games.forced_masks, axis=1, count=30).sum(1) == 1).all()
    assert np.isfinite(games.chance).all()
    # The first turn is one state, seen by every game.
    assert counts[0] == 60
    assert games.weight[0] == pytest.approx(60**0.5)


def test_guesses_are_weighed_by_their_rewards_against_others_of_their_state() -> None:
    learner = PpoLearner(THIRTY, Ppo(answers=30, weighed=12, threads=1), SMALL)
    games = learner.play(np.arange(30))
    drawn = games.action[: games.starts[1]]
    worth = np.array([brute_reward(THIRTY, range(30), g, 0.1) for g in drawn])
    assert np.allclose(games.target[: games.starts[1]], worth, atol=1e-5)
    assert np.allclose(games.advantage[: games.starts[1]], (worth - worth.mean()) / worth.std(), atol=1e-3)


def test_chances_are_those_of_the_policy_that_played() -> None:
    learner = PpoLearner(THIRTY, Ppo(answers=30, weighed=12, temperature=2.0, threads=1), SMALL)
    games = learner.play(np.arange(30))
    with torch.no_grad():
        logits, _ = learner.model(torch.from_numpy(games.features), learner.model.embed())
    mask = torch.from_numpy(np.unpackbits(games.masks, axis=1, count=30).astype(bool))
    expected = torch.log_softmax((logits / 2).masked_fill(~mask, -torch.inf), 1).numpy()
    state = np.repeat(np.arange(len(games.features)), np.diff(games.starts))
    assert np.allclose(games.chance, expected[state, games.action], atol=1e-5)


def test_what_comes_after_a_guess_counts_with_the_discount() -> None:
    """With a value that is the same everywhere, a guess is worth that much more unless it ends the game."""
    learner = PpoLearner(THIRTY, Ppo(discount=0.5, threads=1), SMALL)
    with torch.no_grad():
        learner.model.value.weight.zero_()
        learner.model.value.bias.fill_(2.0)
    states = Frontier.of(Position.start(THIRTY))
    every = np.arange(30)
    found = np.array([learner._worth(states, np.zeros(30, np.int64), every) for _ in range(300)])
    now = np.array([brute_reward(THIRTY, range(30), g, 0.1) for g in range(30)])
    later = np.unique(np.round(found - now, 5))
    assert later.tolist() == [0.0, 1.0]
    assert np.allclose((found - now).mean(), 29 / 30, atol=0.01)


def test_learning_rate_and_entropy_fall_to_their_last_values() -> None:
    config = Ppo(learning_rate=1e-2, final_learning_rate=1e-4, entropy=0.4, final_entropy=0.1, decay_steps=10)
    assert config.at(0) == (1e-2, 0.4)
    assert config.at(5) == pytest.approx((1e-3, 0.2))
    assert config.at(10) == config.at(99) == pytest.approx((1e-4, 0.1))


def test_held_out_answers_are_never_played() -> None:
    learner = build({"folds": 5, "answers": 10, "threads": 1, "network": {"dimension": 8}}, THIRTY, 3, "cpu")
    assert len(learner.training.answers) == 24
    drawn = np.concatenate([learner._draw_answers() for _ in range(12)])
    assert np.bincount(drawn, minlength=24).tolist() == [5] * 24
    found = learner.evaluate()
    assert {"mean", "mean_seen", "mean_unseen"} <= set(found)


def test_replay_draws_hard_words_more_often() -> None:
    learner = PpoLearner(THIRTY, Ppo(answers=10, replay=0.5), SMALL)
    learner.difficulty[:] = 3.0
    learner.difficulty[7] = 6.0
    drawn = np.concatenate([learner._draw_answers() for _ in range(6)])
    assert np.bincount(drawn, minlength=30)[7] >= 30


@pytest.mark.parametrize(
    "table",
    [
        {"constrained": False},
        {"network": {"attention": False}},
        {"targets": 1},
        {"groups": "turn", "weighed": 1},
    ],
)
def test_ablations_learn_too(table: dict[str, Any]) -> None:
    learner = build({"answers": 10, "batch": 16, "threads": 1, **table}, THIRTY, 0, "cpu")
    before = learner.weights()
    assert all(np.isfinite(value) for value in learner.step().values())
    assert any(not np.array_equal(before[name], array) for name, array in learner.weights().items())
    assert learner.evaluate()["mean"] >= 1


def test_playing_needs_no_torch() -> None:
    players = "sleuth.learning.letters.player, sleuth.learning.letters.pair_player"
    script = f"import sys, {players}; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


@pytest.mark.parametrize(
    "table", [{"anwers": 3}, {"discount": 2.0}, {"groups": "x"}, {"clip": "a"}, {"epochs": 0}]
)
def test_bad_hyperparameters_are_named(table: dict[str, float | str]) -> None:
    with pytest.raises(SleuthError, match=next(iter(table)).removesuffix("s")):
        build(table, THIRTY, 0, "cpu")


def test_a_game_of_one_answer_teaches_nothing() -> None:
    with pytest.raises(SleuthError, match="nothing to learn"):
        PpoLearner(wordle(["crane"]), Ppo(), SMALL)


def test_mixed_precision_learns_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on CUDA: bfloat16 within the network, single precision where all words are summed."""
    autocast, precisions = torch.autocast, set()
    losses = {}
    for mixed in (False, True):
        monkeypatch.setattr(
            torch, "autocast", lambda device, dtype, enabled, on=mixed: autocast("cpu", dtype, on)
        )
        learner = PpoLearner(THIRTY, Ppo(answers=30, weighed=8, threads=1), Shape(8, 8, 16, 1), seed=1)
        learner.model.register_forward_hook(lambda module, inputs, outputs: precisions.add(outputs[0].dtype))
        games = learner.play(np.arange(30))
        losses[mixed] = learner._learn(games, np.arange(len(games.features)), 0.1)
        assert all(parameter.dtype == torch.float32 for parameter in learner.model.parameters())
    assert precisions == {torch.float32, torch.bfloat16}
    assert losses[True] == pytest.approx(losses[False], rel=0.05, abs=0.05)
