"""One guessing game as a Gymnasium environment."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any, ClassVar

import gymnasium
import numpy as np
from numpy.typing import NDArray

from sleuth.games.game import Game, Mode
from sleuth.games.position import Position
from sleuth.games.wordlists import WordList
from sleuth.learning.gym.episode import (
    BLANK,
    RENDER_MODES,
    Loss,
    Rewards,
    Terms,
    answer_of,
    check_action,
    check_render_mode,
    checked_options,
    draw,
    frame,
    line,
    stream,
)
from sleuth.support.errors import GameTooLargeError, SleuthError

Observation = dict[str, Any]


class WordleEnv(gymnasium.Env[Observation, np.int64]):
    """A guessing game, Wordle unless another is given. Registered as sleuth/Wordle-v0.

    An action is the index of a guess; observations are the rows so far (episode.py: observation_space). A
    game is terminated when it is solved, and by default when it is lost. An answer that is no guess counts as
    found once it is the only one left. A guess that the mode forbids takes its turn and is told nothing.

    info: action_mask int8 [guesses], 1 for legal guesses; answer, its index, once the game is over.
    action_masks() is the mask as bool.
    metadata: name and digest of the word lists. reset takes options={"answer": word or index}.

    Args:
        game: what is played; Wordle on `words` where none is given.
        words: a named list, a WordList or words (games/wordle.py); "original" unless given.
        mode: which guesses are legal, "easy", "hard" or "strict"; the game's unless given.
        rewards: a name of REWARDS or Rewards of your own.
        loss: whether a lost game is "terminated" or "truncated".
        candidates: whether to observe what is still possible.
        render_mode: None, "ansi" (render returns text) or "human" (rows are printed as they come).

    Raises SleuthError.

    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 4}  # type: ignore[misc]

    def __init__(
        self,
        game: Game | None = None,
        *,
        words: str | WordList | Iterable[str] | None = None,
        mode: Mode | None = None,
        rewards: str | Rewards = "guesses",
        loss: Loss = "terminated",
        candidates: bool = False,
        render_mode: str | None = None,
    ) -> None:
        check_render_mode(render_mode, RENDER_MODES)
        self.terms = Terms.of(game, words, mode, rewards, loss, candidates)
        self.game = self.terms.game
        self.render_mode = render_mode
        self.observation_space = self.terms.observation_space
        self.action_space = self.terms.action_space
        self.metadata = {**type(self).metadata, **self.terms.version}  # type: ignore[misc]
        with suppress(GameTooLargeError):  # row by row then, which is slower
            self.terms.prepare()
        self._stream: np.uint64 | None = None
        self._episode = 0
        self._position: Position | None = None
        self._rows: list[tuple[int, int]] = []
        self._answer = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a game. options: {"answer": word or index}, else one is drawn. Raises SleuthError."""
        options = checked_options(options, ["answer"])
        chosen = answer_of(self.game, options["answer"]) if "answer" in options else None
        super().reset(seed=seed)
        if seed is not None or self._stream is None:
            self._stream = stream(int(self.np_random.integers(2**63)) if seed is None else seed)
            self._episode = 0
        if chosen is None:
            chosen = int(draw(self.game, np.array([self._stream]), np.array([self._episode], np.uint64))[0])
        self._episode += 1
        self._answer = chosen
        self._rows = []
        self._position = Position.start(self.game)
        if self.render_mode == "human":
            print(f"{self.game.name}, {self.game.mode}")
        return self._observe(), self._info(over=False)

    def step(self, action: int | np.integer[Any]) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make a guess. Raises SleuthError for an action that is no guess, and when the game is over."""
        if self._position is None:
            raise SleuthError("no game is on: call reset first, and again after each game")
        check_action(self.action_space, action)
        guess, game = int(action), self.game
        solved = False
        if self._is_legal(guess):
            code = int(game.feedback_row(guess)[self._answer])
            self._position = self._position.after(guess, code)
            solved = code == game.solved or self._is_known()
        else:
            code = game.rules.n_codes
        self._rows.append((guess, code))
        lost = not solved and len(self._rows) == game.max_turns
        observation, info = self._observe(), self._info(over=solved or lost)
        if solved or lost:
            self._position = None
        if self.render_mode == "human":
            print(line(game, guess, code))
        cut = lost and self.terms.loss == "truncated"
        reward = float(self.terms.rewards.of(solved, lost))
        return observation, reward, (solved or lost) and not cut, cut, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which guesses are legal now, bool [guesses], as maskable algorithms ask for it.

        Raises SleuthError when no game is on.
        """
        if self._position is None:
            raise SleuthError("no game is on: call reset first, and again after each game")
        return _mask(len(self.game.guesses), self._position.legal).astype(bool)

    def render(self) -> str | None:
        """Return the rows as text (ansi) or print them (human)."""
        text = frame(self.game, self._rows)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def _is_legal(self, guess: int) -> bool:
        assert self._position is not None
        legal = self._position.legal
        return legal is None or bool(np.any(legal == guess))

    def _is_known(self) -> bool:
        """Whether the answer is the only one left, and no guess can name it."""
        assert self._position is not None
        return len(self._position.candidates) == 1 and bool(self.game.answer_guess[self._answer] < 0)

    def _observe(self) -> Observation:
        assert self._position is not None
        rows = np.full((self.game.max_turns, 2), BLANK, np.int32)
        if self._rows:
            rows[: len(self._rows)] = self._rows
        found: Observation = {
            "guesses": rows[:, 0].copy(),
            "feedback": rows[:, 1].copy(),
            "turn": np.int64(len(self._rows)),
        }
        if self.terms.candidates:
            found["candidates"] = _mask(len(self.game.answers), self._position.candidates)
        return found

    def _info(self, over: bool) -> dict[str, Any]:
        assert self._position is not None
        info: dict[str, Any] = {"action_mask": _mask(len(self.game.guesses), self._position.legal)}
        if over:
            info["answer"] = self._answer
        return info


def _mask(size: int, ones: NDArray[np.int32] | None) -> NDArray[np.int8]:
    """Return int8 [size], 1 at `ones`, or everywhere."""
    mask = np.full(size, ones is None, np.int8)
    if ones is not None:
        mask[ones] = 1
    return mask
