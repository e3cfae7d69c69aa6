"""The Gymnasium environments, against a naive game in plain Python."""

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from random_games import games, small_games
from reference import consistent, legal_guesses

import sleuth.learning
from sleuth.games.game import Game, Mode
from sleuth.games.pegs import mastermind
from sleuth.games.wordle import wordle
from sleuth.learning.gym.environment import WordleEnv
from sleuth.learning.gym.episode import REWARDS, Loss, Rewards, draw
from sleuth.learning.gym.vector import WordleVectorEnv
from sleuth.support.errors import GameTooLargeError, SleuthError, UnknownGuessError, UnknownNameError

WORDS = ["crane", "trace", "react", "caret", "eerie"]
MODES: tuple[Mode, ...] = ("easy", "hard", "strict")
paid = st.builds(Rewards, *[st.integers(-9, 9).map(float)] * 3)


def drawn(game: Game, seed: int, episode: int) -> int:
    """The answer of an episode: splitmix64 of seed and episode, then the prior, in plain Python."""
    whole = 2**64

    def scramble(x: int) -> int:
        x = (x + 1) * 0x9E3779B97F4A7C15 % whole
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % whole
        x = (x ^ x >> 27) * 0x94D049BB133111EB % whole
        return x ^ x >> 31

    chance = (scramble((scramble(seed % whole) + episode) % whole) >> 11) / 2**53
    ends = np.cumsum(game.prior)
    return next(a for a in range(len(game.answers)) if ends[a] / ends[-1] > chance)


class Naive:
    """One game at a time in plain Python, on the rules alone."""

    def __init__(self, game: Game, rewards: Rewards, loss: Loss, seed: int) -> None:
        self.game, self.rewards, self.loss, self.seed, self.episode = game, rewards, loss, seed, -1
        self.restart()

    def restart(self) -> None:
        self.episode += 1
        self.answer = drawn(self.game, self.seed, self.episode)
        self.rows: list[tuple[int, int]] = []
        self.over = False

    def told(self) -> list[tuple[int, int]]:
        return [(guess, code) for guess, code in self.rows if code < self.game.rules.n_codes]

    def observed(self) -> tuple[dict[str, int | list[int]], list[int]]:
        game = self.game
        blank = [-1] * (game.max_turns - len(self.rows))
        possible = consistent(game, self.told())
        legal = legal_guesses(game, self.told())
        return {
            "guesses": [guess for guess, _ in self.rows] + blank,
            "feedback": [code for _, code in self.rows] + blank,
            "turn": len(self.rows),
            "candidates": [int(a in possible) for a in range(len(game.answers))],
        }, [int(g in legal) for g in range(len(game.guesses))]

    def step(self, guess: int) -> tuple[float, bool, bool]:
        """Return reward, terminated and truncated."""
        game = self.game
        named, hidden = game.guesses[guess], game.answers[self.answer]
        is_legal = guess in legal_guesses(game, self.told())
        self.rows.append((guess, game.rules.code(named, hidden) if is_legal else game.rules.n_codes))
        alone = consistent(game, self.told()) == [self.answer] and hidden not in game.guesses
        solved = is_legal and (named == hidden or alone)
        lost = not solved and len(self.rows) == game.max_turns
        self.over = solved or lost
        reward = self.rewards.guess + self.rewards.solved * solved + self.rewards.lost * lost
        cut = lost and self.loss == "truncated"
        return reward, self.over and not cut, cut


def same(found: dict[str, NDArray[Any] | np.int64], wanted: dict[str, Any]) -> bool:
    return found.keys() == wanted.keys() and all(np.array_equal(found[k], wanted[k]) for k in wanted)


@given(small_games(), st.data(), paid, st.sampled_from(["terminated", "truncated"]), st.integers(0, 2**70))
def test_one_game_is_as_the_naive_one(
    game: Game, data: st.DataObject, rewards: Rewards, loss: Loss, seed: int
) -> None:
    env = WordleEnv(game, rewards=rewards, loss=loss, candidates=True)
    naive = Naive(game, rewards, loss, seed)
    observation, info = env.reset(seed=seed)
    guess = st.integers(0, len(game.guesses) - 1)
    for _ in range(12):
        wanted, mask = naive.observed()
        assert same(observation, wanted)
        assert env.observation_space.contains(observation)
        assert info["action_mask"].dtype == np.int8
        assert info["action_mask"].tolist() == mask
        assert info.get("answer") == (naive.answer if naive.over else None)
        if naive.over:
            naive.restart()
            observation, info = env.reset()
            continue
        action = data.draw(guess)
        observation, *results, info = env.step(action)
        assert tuple(results) == naive.step(action)
        assert [type(result) for result in results] == [float, bool, bool]


@given(
    small_games(),
    st.data(),
    paid,
    st.sampled_from(["terminated", "truncated"]),
    st.integers(1, 5),
    st.booleans(),
    st.booleans(),
)
def test_many_games_are_as_naive_ones(
    game: Game, data: st.DataObject, rewards: Rewards, loss: Loss, n: int, candidates: bool, copy: bool
) -> None:
    env = WordleVectorEnv(n, game, rewards=rewards, loss=loss, candidates=candidates, copy=copy)
    seeds = data.draw(st.lists(st.integers(0, 2**70), min_size=n, max_size=n))
    naive = [Naive(game, rewards, loss, seed) for seed in seeds]
    observations, infos = env.reset(seed=seeds)
    guesses = st.lists(st.integers(0, len(game.guesses) - 1), min_size=n, max_size=n)
    for _ in range(12):
        wanted = [one.observed() for one in naive]
        for i, (observation, mask) in enumerate(wanted):
            if not candidates:
                del observation["candidates"]
            assert same({name: values[i] for name, values in observations.items()}, observation)
            assert infos["action_mask"][i].tolist() == mask
        assert env.observation_space.contains(observations)
        over = [one.over for one in naive]
        assert ("answer" in infos) == any(over)
        if any(over):
            assert infos["_answer"].tolist() == over
            assert infos["answer"].tolist() == [one.answer if one.over else 0 for one in naive]
        actions = data.draw(guesses)
        observations, *results, infos = env.step(np.array(actions))
        for i, one in enumerate(naive):
            expected = (0, False, False) if one.over else one.step(actions[i])
            if over[i]:
                one.restart()
            assert tuple(result[i] for result in results) == expected


@pytest.mark.parametrize("mode", MODES)
def test_both_vector_environments_agree(mode: Mode) -> None:
    made = [
        gymnasium.make_vec("sleuth/Wordle-v0", 4, how, words=WORDS, mode=mode, candidates=True)
        for how in ("sync", "vector_entry_point")
    ]
    assert made[0].observation_space == made[1].observation_space
    assert made[0].action_space == made[1].action_space
    (first, first_infos), (second, second_infos) = (env.reset(seed=5) for env in made)
    rng = np.random.default_rng(0)
    for _ in range(40):
        assert same(first, second)
        assert {k: v.dtype for k, v in first.items()} == {k: v.dtype for k, v in second.items()}
        assert same(first_infos, second_infos)
        actions = rng.integers(0, len(WORDS), 4)
        (first, *first_results, first_infos), (second, *second_results, second_infos) = (
            env.step(actions) for env in made
        )
        for one, other in zip(first_results, second_results, strict=True):
            assert np.array_equal(one, other)
            assert one.dtype == other.dtype
    mask = np.array([False, True, False, True])
    (first, _), (second, _) = (
        env.reset(seed=9, options={"reset_mask": mask, "answer": "caret"}) for env in made
    )
    assert same(first, second)


@pytest.mark.parametrize(
    "options",
    [
        {},
        pytest.param({"mode": "hard", "candidates": True}, marks=pytest.mark.thorough),
        pytest.param({"mode": "strict"}, marks=pytest.mark.thorough),
        {"words": WORDS, "mode": "hard", "candidates": True},
        {"words": WORDS, "mode": "strict"},
        {"loss": "truncated", "rewards": "wins"},
        {"words": WORDS, "render_mode": "ansi"},
        {"game": mastermind(3, 4)},
        {"game": Game.from_function(lambda g, a: (g > a) - (g < a), range(1, 8))},
    ],
    ids=lambda options: "-".join(options) or "default",
)
def test_gymnasium_finds_no_fault(options: dict[str, Any]) -> None:
    check_env(gymnasium.make("sleuth/Wordle-v0", **options).unwrapped)


def test_the_vector_environment_says_how_it_resets() -> None:
    env = gymnasium.make_vec("sleuth.learning:sleuth/Wordle-v0", 7, words=WORDS)
    assert isinstance(env, WordleVectorEnv)
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert env.num_envs == 7


def test_what_is_returned_is_the_caller_s() -> None:
    env = WordleVectorEnv(3, words=WORDS, mode="strict", candidates=True)
    before, infos = env.reset(seed=1)
    after, *_, more = env.step(np.array([0, 1, 2]))
    for old in (*before.values(), infos["action_mask"]):
        assert not any(np.shares_memory(old, new) for new in (*after.values(), more["action_mask"]))
    after["candidates"][:] = 7
    more["action_mask"][:] = 0
    observation = env.step(np.array([0, 0, 0]))[0]
    assert set(observation["candidates"].ravel().tolist()) <= {0, 1}


def test_answers_follow_from_the_seed_of_each_game_alone() -> None:
    env = WordleVectorEnv(6, words=WORDS, candidates=True, rewards="wins")
    everything = []
    for seed, games_played in (([3, 1, 4, 1, 5, 9], 6), ([4, None, None, None, None, None], 1)):
        env.reset(seed=seed)
        seen: list[list[int]] = [[] for _ in range(6)]
        for _ in range(60):
            _, _, terminated, truncated, infos = env.step(env.action_space.sample())
            for i in np.flatnonzero(terminated | truncated)[:games_played].tolist():
                seen[i].append(int(infos["answer"][i]))
        everything.append(seen)
    length = min(len(everything[0][1]), len(everything[0][3]))
    assert everything[0][1][:length] == everything[0][3][:length]  # the same seed, other guesses
    length = min(len(everything[0][2]), len(everything[1][0]))
    assert length > 5
    assert everything[0][2][:length] == everything[1][0][:length]  # another place, another environment


@given(games(), st.integers(0, 2**64 - 1))
def test_answers_of_weight_zero_are_never_drawn(game: Game, seed: int) -> None:
    episodes = np.arange(50, dtype=np.uint64)
    answers = draw(game, np.full(50, seed, np.uint64), episodes)
    assert (game.prior[answers] > 0).all()
    assert answers[7] == drawn(game, seed, 7)


def test_answers_are_drawn_from_the_prior() -> None:
    game = wordle(WORDS, prior=np.array([0.1, 0.2, 0.3, 0.4, 0.0]))
    n = 40_000
    same_episode = draw(game, np.arange(n, dtype=np.uint64), np.zeros(n, np.uint64))
    same_stream = draw(game, np.zeros(n, np.uint64), np.arange(n, dtype=np.uint64))
    for answers in (same_episode, same_stream):
        shares = np.bincount(answers, minlength=5) / n
        assert np.abs(shares - game.prior).max() < 0.01


def test_a_chosen_answer() -> None:
    env = WordleEnv(words=WORDS)
    env.reset(options={"answer": "eerie"})
    *_, terminated, truncated, info = env.step(env.game.find("eerie"))
    assert (terminated, truncated) == (True, False)
    assert info["answer"] == env.game.answers.index("eerie")
    many = WordleVectorEnv(5, words=WORDS)
    many.reset(options={"answer": range(5)})
    assert many.step(np.arange(5))[2].all()
    many.reset(options={"answer": "crane"})
    assert many.step(np.full(5, many.game.find("crane")))[2].all()


def test_a_lost_game_ends_by_the_rules_unless_asked() -> None:
    game = replace(wordle(WORDS), max_turns=2)
    losses: tuple[tuple[Loss, tuple[bool, bool]], ...] = (
        ("terminated", (True, False)),
        ("truncated", (False, True)),
    )
    for loss, ends in losses:
        env = WordleEnv(game, loss=loss, rewards="failures")
        env.reset(options={"answer": "crane"})
        assert env.step(game.find("eerie"))[1:4] == (-1.0, False, False)
        assert env.step(game.find("eerie"))[1:4] == (-11.0, *ends)


def test_named_rewards() -> None:
    assert {name: (r.guess, r.solved, r.lost) for name, r in REWARDS.items()} == {
        "guesses": (-1, 0, 0),
        "failures": (-1, 0, -10),
        "wins": (0, 1, 0),
    }


def test_a_guess_that_is_not_legal_takes_its_turn_and_is_told_nothing() -> None:
    env = WordleEnv(words=WORDS, mode="strict", render_mode="ansi")
    game = env.game
    env.reset(options={"answer": "trace"})
    env.step(game.find("eerie"))
    observation, reward, terminated, _, info = env.step(game.find("eerie"))
    assert (reward, terminated) == (-1, False)
    assert observation["feedback"][1] == game.rules.n_codes
    assert info["action_mask"][game.find("trace")] == 1
    assert env.render().splitlines()[:3] == ["eerie  ⬛⬛🟨⬛🟩", "eerie  not legal", "·"]


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    env = gymnasium.make("sleuth/Wordle-v0", words=WORDS, render_mode="human")
    env.reset(options={"answer": "trace"})
    within: Any = env.unwrapped
    env.step(within.game.find("crane"))
    assert capsys.readouterr().out == "wordle (words), easy\ncrane  🟨🟩🟩⬛🟩\n"
    assert env.render() is None
    assert capsys.readouterr().out == "crane  🟨🟩🟩⬛🟩\n" + "·\n" * 5
    many = WordleVectorEnv(2, words=WORDS, render_mode="ansi")
    many.reset(options={"answer": ["trace", "crane"]})
    many.step(np.zeros(2, int) + many.game.find("crane"))
    assert [text.splitlines()[0] for text in many.render()] == ["crane  🟨🟩🟩⬛🟩", "crane  🟩🟩🟩🟩🟩"]


def test_word_lists_are_versioned(original: Game) -> None:
    # A change of the shipped lists is another game: it needs sleuth/Wordle-v1.
    env = gymnasium.make("sleuth/Wordle-v0")
    digest = "180dee21927fdc0041fce58619e9dff86093bd273eae6b905d45d5cb701bb1ee"
    assert env.metadata["digest"] == digest
    assert (env.metadata["game"], env.metadata["mode"]) == ("wordle (original)", "easy")
    assert WordleVectorEnv(1, original).metadata["digest"] == digest
    assert WordleEnv(words=WORDS).metadata["digest"] != digest


@pytest.mark.parametrize("make", [WordleEnv, lambda *args, **kwargs: WordleVectorEnv(2, *args, **kwargs)])
@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"words": "orignal"}, UnknownNameError, "did you mean original"),
        ({"words": WORDS, "mode": "hardest"}, UnknownNameError, "did you mean hard"),
        ({"game": "original"}, SleuthError, "a list of words goes to words"),
        ({"game": mastermind(2, 3), "words": WORDS}, SleuthError, "not both"),
        ({"game": mastermind(2, 3), "mode": "hard"}, SleuthError, "no hard mode"),
        ({"words": WORDS, "rewards": "guess"}, UnknownNameError, "did you mean guesses"),
        ({"words": WORDS, "loss": "truncate"}, UnknownNameError, "did you mean truncated"),
        ({"words": WORDS, "render_mode": "rgb_array"}, UnknownNameError, "there are ansi"),
    ],
)
def test_bad_arguments(
    make: Callable[..., Any],
    options: dict[str, Any],
    error: type[SleuthError],
    message: str,
) -> None:
    with pytest.raises(error, match=message):
        make(**options)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"answer": "crone"}, UnknownGuessError, "did you mean crane"),
        ({"answer": 5}, SleuthError, "none of 0 to 4"),
        ({"answer": -1}, SleuthError, "none of 0 to 4"),
        ({"answer": None}, SleuthError, "takes a word or an index, not None"),
        ({"anwser": "crane"}, UnknownNameError, "did you mean answer"),
    ],
)
def test_bad_options(options: dict[str, Any], error: type[SleuthError], message: str) -> None:
    for env in (WordleEnv(words=WORDS), WordleVectorEnv(2, words=WORDS)):
        with pytest.raises(error, match=message):
            env.reset(options=options)


def test_bad_options_of_many_games() -> None:
    env = WordleVectorEnv(2, words=WORDS)
    for options, message in (
        ({"answer": ["crane"]}, "1 answers for 2 games"),
        ({"reset_mask": [1, 0]}, r"takes bool \[2\]"),
        ({"reset_mask": [True, False]}, "the first reset starts all"),
    ):
        with pytest.raises(SleuthError, match=message):
            env.reset(options=options)
    with pytest.raises(SleuthError, match="3 seeds for 2 games"):
        env.reset(seed=[1, 2, 3])
    with pytest.raises(SleuthError, match="a seed is a whole number from 0, not -4"):
        env.reset(seed=[1, -4])
    with pytest.raises(SleuthError, match="num_envs must be 1 or more, not 0"):
        WordleVectorEnv(0, words=WORDS)


def test_bad_actions() -> None:
    env = WordleEnv(words=WORDS)
    with pytest.raises(SleuthError, match="call reset first"):
        env.step(0)
    env.reset(options={"answer": 0})
    bad: tuple[Any, ...] = (5, -1, 0.5, "crane")
    for action in bad:
        with pytest.raises(SleuthError, match="none of 0 to 4"):
            env.step(action)
    env.step(0)
    with pytest.raises(SleuthError, match="call reset first, and again after each game"):
        env.step(0)
    many = WordleVectorEnv(2, words=WORDS)
    with pytest.raises(SleuthError, match="call reset first"):
        many.step(np.zeros(2, int))
    many.reset()
    for actions, message in (
        (np.array([0, 5]), "action 5 of game 1 is none of 0 to 4"),
        (np.array([-1, 0]), "action -1 of game 0"),
        (np.array([0.0, 1.0]), r"whole numbers \[2\], not float64 \[2\]"),
        (np.array([0]), r"whole numbers \[2\], not int64 \[1\]"),
    ):
        with pytest.raises(SleuthError, match=message):
            many.step(actions)
    assert many.render()[0] == "\n".join("·" * 6)  # nothing was played


def test_masks_beyond_the_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = wordle(WORDS, mode="strict")
    WordleVectorEnv(100, game)
    monkeypatch.setenv("SLEUTH_MEMORY", "500")
    with pytest.raises(GameTooLargeError, match="masks of 100 games need 1000 bytes and 500 are allowed"):
        WordleVectorEnv(100, game)


def output_of(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_gymnasium_is_imported_by_the_learning_package_alone() -> None:
    assert output_of("import sleuth, sys; sleuth.wordle; print('gymnasium' in sys.modules)") == "False"
    assert (
        output_of("import sleuth.learning, gymnasium; print('sleuth/Wordle-v0' in gymnasium.registry)")
        == "True"
    )


def test_the_learning_package_does_without_gymnasium() -> None:
    code = (
        "import sys; sys.modules['gymnasium'] = None; import sleuth.learning;"
        " print(sleuth.learning.ENVIRONMENT)"
    )
    assert output_of(code) == "sleuth/Wordle-v0"


def test_registering_twice_is_harmless() -> None:
    sleuth.learning.register()
    assert gymnasium.spec("sleuth/Wordle-v0").entry_point == "sleuth.learning.gym.environment:WordleEnv"


@pytest.mark.parametrize("make", [WordleEnv, lambda game: WordleVectorEnv(2, game)])
def test_strict_mode_needs_feedback_between_guesses(make: Callable[..., Any]) -> None:
    game = Game.from_function(
        lambda g, a: "right" if g == a else a % g, range(5, 9), [2, 3, 11], mode="strict"
    )
    with pytest.raises(SleuthError, match="returns for no answer of the game"):
        make(game)


def test_a_game_beyond_the_memory_is_played_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLEUTH_MEMORY", "20")
    game = wordle(WORDS)
    env = WordleEnv(game)
    env.reset(options={"answer": "crane"})
    assert env.step(game.find("crane"))[2]
    with pytest.raises(GameTooLargeError, match="the feedback matrix"):
        WordleVectorEnv(2, game)


AFTER_THREADS = """
import gymnasium, numpy, sys
from sleuth.games.wordle import wordle
from sleuth.learning.gym.environment import WordleEnv

def make():
    return WordleEnv(wordle("original"))

if __name__ == "__main__":
    print(make().game.feedback.shape)  # computed on threads
    envs = gymnasium.vector.AsyncVectorEnv([make, make], context=sys.argv[1])
    envs.reset(seed=1)
    print(envs.step(numpy.array([0, 1]))[1].tolist())
    envs.close()
"""


@pytest.mark.thorough
@pytest.mark.parametrize("context", ["fork", "forkserver", "spawn"])
def test_processes_started_after_threads_were_used_play_on(context: str, tmp_path: Path) -> None:
    """A forked process inherits the pool of threads, and none of the threads."""
    if context not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system has no {context}")
    script = tmp_path / "games.py"
    script.write_text(AFTER_THREADS, encoding="utf-8")
    environment = {**os.environ, "SLEUTH_THREADS": "2"}
    command = [sys.executable, str(script), context]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True
    ) as process:
        try:
            out, _ = process.communicate(timeout=300)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # it and the processes that it started
            raise
    assert (process.returncode, out) == (0, "(12972, 2315)\n[-1.0, -1.0]\n")
