"""Thousands of games at once as a Gymnasium vector environment: a step is a look into the feedback matrix."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from sleuth.games.game import Game, Mode, memory_limit
from sleuth.games.wordlists import WordList
from sleuth.learning.gym.episode import (
    BLANK,
    Loss,
    Rewards,
    Terms,
    answer_of,
    check_render_mode,
    checked_options,
    draw,
    frame,
    stream,
)
from sleuth.support.errors import GameTooLargeError, SleuthError
from sleuth.support.parallel import even_slices, map_threads, thread_count

Observations = dict[str, NDArray[Any]]
Indices = NDArray[np.int64]

_RENDER_MODES = ("ansi",)
# So few bytes are not worth a second thread.
_LEAST = 2**19


class WordleVectorEnv(VectorEnv[Observations, NDArray[Any], NDArray[Any]]):
    """Many games of one kind, each as WordleEnv has it. Registered for sleuth/Wordle-v0.

    A game that is over starts again with the next step, whose action for it is ignored and rewarded with 0
    (AutoresetMode.NEXT_STEP). Game i of reset(seed=s) has the answers of WordleEnv after reset(seed=s + i).

    infos: action_mask int8 [games, guesses], in easy mode one read-only row for all games; answer int64
    [games], the index of the answer of each game that is over (_answer says which). reset takes the options
    answer (a word or index for all, or a sequence with one a game) and reset_mask (bool [games]: which games
    to start again).

    Args:
        num_envs: how many games.
        game, words, mode, rewards, loss, candidates: see WordleEnv.
        copy: whether what is returned may be kept and changed. Without, observations and masks are those that
            the environment goes on with: they must not be changed, and the next step changes them.
        render_mode: None or "ansi".

    Raises SleuthError.

    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": list(_RENDER_MODES),
        "render_fps": 4,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        game: Game | None = None,
        *,
        words: str | WordList | Iterable[str] | None = None,
        mode: Mode | None = None,
        rewards: str | Rewards = "guesses",
        loss: Loss = "terminated",
        candidates: bool = False,
        copy: bool = True,
        render_mode: str | None = None,
    ) -> None:
        if not isinstance(num_envs, int | np.integer) or isinstance(num_envs, bool) or num_envs < 1:
            raise SleuthError(f"num_envs must be 1 or more, not {num_envs!r}")
        check_render_mode(render_mode, _RENDER_MODES)
        self.terms = Terms.of(game, words, mode, rewards, loss, candidates)
        self.game = self.terms.game
        self.num_envs = num_envs
        self.copy = copy
        self.render_mode = render_mode
        self.metadata = {**type(self).metadata, **self.terms.version}  # type: ignore[misc]
        self.single_observation_space = self.terms.observation_space
        self.single_action_space = self.terms.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

        self.terms.prepare()
        self._streams = np.zeros(num_envs, np.uint64)
        self._episodes = np.zeros(num_envs, np.uint64)
        self._answers = np.zeros(num_envs, np.int64)
        self._guesses = np.full((num_envs, self.game.max_turns), BLANK, np.int32)
        self._feedback = np.full((num_envs, self.game.max_turns), BLANK, np.int32)
        self._turns = np.zeros(num_envs, np.int64)
        self._over = np.zeros(num_envs, bool)
        self._started = False
        # Where some answer is no guess, it is found once it is the only candidate.
        self._unnamed = self.game.answer_guess < 0
        tracks, easy = candidates or bool(self._unnamed.any()), self.game.mode == "easy"
        self._candidates = self._ones(len(self.game.answers)) if tracks else None
        self._legal = None if easy else self._ones(len(self.game.guesses))
        every = np.ones(len(self.game.guesses), np.int8)
        self._every_guess = np.broadcast_to(every, (num_envs, len(every)))

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Start games. seed: that of game 0, the others' follow; or one for each game (None keeps a game's).

        Raises SleuthError.
        """
        options = checked_options(options, ["answer", "reset_mask"])
        which = np.flatnonzero(self._reset_mask(options.get("reset_mask")))
        answers = self._given(options["answer"]) if "answer" in options else None
        self._seed(seed, which)
        self._begin(which)
        if answers is not None:
            self._answers[which] = answers[which]
        self._started = True
        return self._observe(), self._infos(np.zeros(self.num_envs, bool))

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Make a guess in every game, int [games]. Raises SleuthError for one that is no guess."""
        if not self._started:
            raise SleuthError("no games are on: call reset first")
        actions = self._checked(actions)
        game, over = self.game, self._over
        live = np.flatnonzero(~over)
        guesses = actions[live]
        solved, lost = np.zeros(self.num_envs, bool), np.zeros(self.num_envs, bool)

        codes = game.feedback[guesses, self._answers[live]].astype(np.int32)
        if self._legal is not None:
            legal = self._legal[live, guesses] == 1
            codes[~legal] = game.rules.n_codes
        turns = self._turns[live]
        self._guesses[live, turns] = guesses
        self._feedback[live, turns] = codes
        self._turns[live] = turns + 1
        solved[live] = (codes == game.solved) & (codes < game.rules.n_codes)
        self._narrow(live, guesses, codes, solved)
        lost[live] = (turns + 1 == game.max_turns) & ~solved[live]

        rewards: NDArray[np.float64] = np.where(over, 0.0, self.terms.rewards.of(solved, lost))
        if over.any():
            self._begin(np.flatnonzero(over))
        self._over = solved | lost
        cut = lost if self.terms.loss == "truncated" else np.zeros(self.num_envs, bool)
        return self._observe(), rewards, self._over & ~cut, cut.copy(), self._infos(self._over)

    def render(self) -> tuple[str, ...]:
        """Return the rows of every game as text."""
        return tuple(
            frame(
                self.game,
                list(zip(self._guesses[i, :n].tolist(), self._feedback[i, :n].tolist(), strict=True)),
            )
            for i, n in enumerate(self._turns.tolist())
        )

    def _ones(self, columns: int) -> NDArray[np.int8]:
        """Return a mask for each game. Raises GameTooLargeError beyond SLEUTH_MEMORY."""
        need, allowed = self.num_envs * columns * (1 + self.copy), memory_limit()
        if need > allowed:
            raise GameTooLargeError(
                f"masks of {self.num_envs} games need {need} bytes and {allowed} are allowed; play fewer"
                " games at once, or set SLEUTH_MEMORY (for example SLEUTH_MEMORY=8G)"
            )
        return np.ones((self.num_envs, columns), np.int8)

    def _checked(self, actions: NDArray[Any]) -> Indices:
        try:
            given = np.asarray(actions)
        except ValueError:  # arrays among them
            raise SleuthError(f"actions take whole numbers [{self.num_envs}], not arrays") from None
        if given.shape != (self.num_envs,) or not np.issubdtype(given.dtype, np.integer):
            raise SleuthError(
                f"actions take whole numbers [{self.num_envs}], not {given.dtype} {list(given.shape)}"
            )
        last = len(self.game.guesses) - 1
        if given.min() < 0 or given.max() > last:
            bad = int(np.flatnonzero((given < 0) | (given > last))[0])
            raise SleuthError(f"action {given[bad]} of game {bad} is none of 0 to {last}")
        return given.astype(np.int64)

    def _reset_mask(self, mask: Any) -> NDArray[np.bool_]:
        if mask is None:
            return np.ones(self.num_envs, bool)
        given = np.asarray(mask)
        if given.shape != (self.num_envs,) or given.dtype != np.bool_:
            raise SleuthError(
                f"the option reset_mask takes bool [{self.num_envs}], not {given.dtype} {list(given.shape)}"
            )
        if not self._started and not given.all():
            raise SleuthError("no games are on: the first reset starts all of them")
        return given

    def _given(self, answer: Any) -> Indices:
        """Return the answers that the option names, int64 [games]."""
        if isinstance(answer, str) or not hasattr(answer, "__len__"):
            return np.full(self.num_envs, answer_of(self.game, answer), np.int64)
        if len(answer) != self.num_envs:
            raise SleuthError(f"the option answer has {len(answer)} answers for {self.num_envs} games")
        return np.array([answer_of(self.game, one) for one in answer], np.int64)

    def _seed(self, seed: int | Sequence[int | None] | None, which: Indices) -> None:
        """Give some games the streams of their seeds."""
        if not self._started:
            self._streams = self.np_random.integers(2**63, size=self.num_envs, dtype=np.uint64)
        if seed is None:
            return
        if isinstance(seed, int | np.integer):
            streams = stream(seed) + np.arange(self.num_envs, dtype=np.uint64)
            super().reset(seed=int(seed))
        else:
            if not isinstance(seed, Sequence | np.ndarray) or isinstance(seed, str):
                stream(seed)  # says what a seed is
            if len(seed) != self.num_envs:
                raise SleuthError(
                    f"{len(seed)} seeds for {self.num_envs} games; give one seed, or one a game"
                )
            known = zip(seed, self._streams, strict=True)
            streams = np.array([old if one is None else stream(one) for one, old in known], np.uint64)
            which = which[[seed[i] is not None for i in which.tolist()]]
        self._streams[which] = streams[which]
        self._episodes[which] = 0

    def _begin(self, which: Indices) -> None:
        """Start games anew, with answers drawn."""
        self._answers[which] = draw(self.game, self._streams[which], self._episodes[which])
        self._episodes[which] += np.uint64(1)
        self._guesses[which] = BLANK
        self._feedback[which] = BLANK
        self._turns[which] = 0
        self._over[which] = False
        if self._candidates is not None:
            self._candidates[which] = 1
        if self._legal is not None:
            self._legal[which] = 1

    def _narrow(
        self, games: Indices, guesses: Indices, codes: NDArray[np.int32], solved: NDArray[np.bool_]
    ) -> None:
        """Narrow what is possible and legal in some games; mark in `solved` what is known by that."""
        if self._legal is not None:
            told = codes < self.game.rules.n_codes
            games, guesses, codes = games[told], guesses[told], codes[told]

        def narrow(part: slice) -> None:
            from sleuth.kernels import episodes
            from sleuth.kernels.codes import as_bytes

            game, wide = self.game, self.game.tables.wide
            labels = game.labels[guesses[part], self._answers[games[part]]].astype(np.uint16)
            rows = games[part], guesses[part], labels
            if self._candidates is not None:
                episodes.narrow(game.tables.by_guess, wide, *rows, self._candidates)
            if self._legal is not None and game.mode == "strict":
                episodes.narrow(as_bytes(game.guess_labels), wide, *rows, self._legal)
            elif self._legal is not None:
                as_answers = as_bytes(game.guess_labels)
                episodes.narrow_legal(game.legality, as_answers, wide, *rows, self._legal, game.n_labels)

        if self._candidates is not None or self._legal is not None:
            map_threads(narrow, _pieces(len(games), len(self.game.answers)))
        if self._candidates is not None and self._unnamed.any():
            alone = self._candidates[games].sum(1, dtype=np.int64) == 1
            solved[games] |= alone & self._unnamed[self._answers[games]]

    def _observe(self) -> Observations:
        found: Observations = {"guesses": self._guesses, "feedback": self._feedback, "turn": self._turns}
        if self.terms.candidates and self._candidates is not None:
            found["candidates"] = self._candidates
        return {name: self._given_out(values) for name, values in found.items()}

    def _infos(self, over: NDArray[np.bool_]) -> dict[str, Any]:
        legal = self._every_guess if self._legal is None else self._given_out(self._legal)
        infos = {"action_mask": legal, "_action_mask": np.ones(self.num_envs, bool)}
        if over.any():
            infos |= {"answer": np.where(over, self._answers, 0), "_answer": over.copy()}
        return infos

    def _given_out(self, values: NDArray[Any]) -> NDArray[Any]:
        if not self.copy:
            return values
        out = np.empty_like(values)

        def copy(part: slice) -> None:
            out[part] = values[part]

        map_threads(copy, _pieces(self.num_envs, values[0].nbytes))
        return out


def _pieces(games: int, size: int) -> list[slice]:
    """Cut games of `size` bytes each into the pieces that threads work on."""
    return even_slices(np.ones(games, np.int64), min(thread_count(), games * size // _LEAST + 1))
