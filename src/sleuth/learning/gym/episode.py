"""What an episode of a guessing game is: rewards, how it ends, its answer, what is observed of it.

Shared by the environment of one game (environment.py) and that of many (vector.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal, TypeVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sleuth.games.game import Game, Mode
from sleuth.games.wordle import wordle
from sleuth.games.wordlists import WordList
from sleuth.support.errors import SleuthError, UnknownGuessError
from sleuth.support.indices import shown
from sleuth.support.registry import unknown_name

T = TypeVar("T")
Loss = Literal["terminated", "truncated"]
LOSSES: dict[Loss, str] = {
    "terminated": "the rules end the game: nothing comes after it",
    "truncated": "the game would go on, and is only cut off: values after it may be bootstrapped",
}
RENDER_MODES = ("human", "ansi")
BLANK = -1


@dataclass(frozen=True)
class Rewards:
    """What is paid: `guess` for every guess, and on top `solved` or `lost` for how the game ends."""

    guess: float = -1.0
    solved: float = 0.0
    lost: float = 0.0

    def of(self, solved: Any, lost: Any) -> Any:
        """Return the reward of a guess, or float64 of many: solved, lost: bool, or bool arrays."""
        return self.guess + self.solved * solved + self.lost * lost


REWARDS: dict[str, Rewards] = {
    "guesses": Rewards(),
    "failures": Rewards(lost=-10.0),
    "wins": Rewards(guess=0.0, solved=1.0),
}


@dataclass(frozen=True)
class Terms:
    """The terms that a game is played on. Build with Terms.of.

    Attributes:
        game: the game.
        rewards: what is paid.
        loss: whether a lost game is terminated or truncated, see LOSSES.
        candidates: whether the answers that are still possible are observed too.

    """

    game: Game
    rewards: Rewards
    loss: Loss
    candidates: bool

    @classmethod
    def of(
        cls,
        game: Game | None,
        words: str | WordList | Iterable[str] | None,
        mode: Mode | None,
        rewards: str | Rewards,
        loss: Loss,
        candidates: bool,
    ) -> Terms:
        """Return the terms that environments take as arguments. Raises SleuthError."""
        if game is not None and words is not None:
            raise SleuthError("give a game or words, not both; words are played as Wordle")
        if game is None:
            game = wordle("original" if words is None else words)
        if not isinstance(game, Game):
            raise SleuthError(f"game takes a Game, not {game!r}; a list of words goes to words")
        if isinstance(rewards, str):
            if rewards not in REWARDS:
                raise unknown_name("reward", rewards, REWARDS)
            rewards = REWARDS[rewards]
        if loss not in LOSSES:
            raise unknown_name("loss", loss, LOSSES)
        return cls(game if mode is None else game.with_mode(mode), rewards, loss, candidates)

    @property
    def observation_space(self) -> spaces.Dict:
        """The rows of one game so far, and the turn.

        guesses, feedback: int32 [max_turns], BLANK where no row is yet; the feedback of a guess that was
        refused as illegal is n_codes. turn: int64, how many guesses were made, from 0 to max_turns: libraries
        take numbers from 0 alone. candidates: int8 [answers], 1 for what is still possible.
        """
        game, turns = self.game, (self.game.max_turns,)
        refused = 0 if game.mode == "easy" else 1
        found: dict[str, spaces.Space[Any]] = {
            "guesses": spaces.Box(BLANK, len(game.guesses) - 1, turns, np.int32),
            "feedback": spaces.Box(BLANK, game.rules.n_codes - 1 + refused, turns, np.int32),
            "turn": spaces.Discrete(game.max_turns + 1),
        }
        if self.candidates:
            found["candidates"] = spaces.MultiBinary(len(game.answers))
        return spaces.Dict(found)

    @property
    def action_space(self) -> spaces.Discrete:
        """One action for each guess, in the order of the game."""
        return spaces.Discrete(len(self.game.guesses))

    def prepare(self) -> None:
        """Compute the matrices that games are played by, ahead of the first step. Raises SleuthError."""
        _ = self.game.feedback
        if self.game.mode != "easy":
            _ = self.game.guess_codes

    @property
    def version(self) -> dict[str, str]:
        """What is played, for metadata: name of the game (and its words), SHA-256 of its lists, mode."""
        return {"game": self.game.name, "digest": self.game.digest, "mode": self.game.mode}


def draw(game: Game, streams: NDArray[np.uint64], episodes: NDArray[np.uint64]) -> NDArray[np.int32]:
    """Return the answers, int32 [games], of episodes [games] (from 0) of streams [games] of games.

    A stream is the seed of a game. Answers are drawn from the prior by the splitmix64 hash of stream and
    episode, so that a game's answers depend on its seed alone, not on how many games are played beside it.
    """
    bits = _scramble(_scramble(streams) + episodes)
    chances = (bits >> np.uint64(11)) * 2.0**-53
    ends = np.cumsum(game.prior)
    found = np.searchsorted(ends / ends[-1], chances, side="right")
    return found.astype(np.int32)


def stream(seed: Any) -> np.uint64:
    """Return the stream of a seed. Raises SleuthError for one that is no whole number from 0."""
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise SleuthError(f"a seed is a whole number from 0, not {shown(seed)}")
    return np.uint64(int(seed) % 2**64)


def _scramble(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    x = (x + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def answer_of(game: Game, given: Any) -> int:
    """Return the index of an answer given as a word or an index. Raises SleuthError."""
    if isinstance(given, int | np.integer) and not isinstance(given, bool):
        if 0 <= given < len(game.answers):
            return int(given)
        raise SleuthError(f"answer {given} is none of 0 to {len(game.answers) - 1}")
    if not isinstance(given, str):
        raise SleuthError(f"the option answer takes a word or an index, not {shown(given)}")
    if given in game.answers:
        return game.answers.index(given)
    near = get_close_matches(given, game.answers, n=3, cutoff=0.5)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    raise UnknownGuessError(f"{given!r} is none of the {len(game.answers)} answers of {game.name}{hint}")


def checked_options(options: dict[str, Any] | None, known: Sequence[str]) -> dict[str, Any]:
    """Return the options of reset. Raises UnknownNameError for one that does not exist, and SleuthError."""
    if options is None:
        return {}
    if not isinstance(options, dict):
        raise SleuthError(f"options of reset are a dictionary, not {shown(options)}")
    for name in options:
        if name not in known:
            raise unknown_name("option", str(name), known)
    return options


def check_action(space: Any, action: object) -> None:
    """Raise SleuthError for an action that is none. space: Discrete."""
    if not space.contains(action):
        raise SleuthError(f"action {shown(action)} is none of 0 to {space.n - 1}")


def going_on(now: T | None) -> T:
    """Return where an episode stands. Raises SleuthError where none is on, which is None."""
    if now is None:
        raise SleuthError("no episode is on: call reset first, and again after each episode")
    return now


def check_render_mode(mode: str | None, known: Sequence[str]) -> None:
    """Raise UnknownNameError for a way to render that does not exist."""
    if mode is not None and mode not in known:
        raise unknown_name("render mode", mode, known)


def line(game: Game, guess: int, code: int) -> str:
    """Return a row as a person reads it."""
    if code == game.rules.n_codes:
        return f"{game.guesses[guess]}  not legal"
    return f"{game.guesses[guess]}  {game.rules.notation.show(code, 'emoji')}"


def frame(game: Game, rows: Iterable[tuple[int, int]]) -> str:
    """Return the rows of a game so far, and a dot for each that is left."""
    lines = [line(game, guess, code) for guess, code in rows]
    return "\n".join(lines + ["·"] * (game.max_turns - len(lines)))
