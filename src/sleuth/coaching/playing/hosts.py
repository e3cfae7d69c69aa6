"""Who replies to guesses. A host keeps no state: its reply follows from the rows so far and the guess."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.support.errors import SleuthError
from sleuth.variants.noise.channel import Channel, fibble

Codes = Sequence[tuple[int, int]]
"""The rows so far: guesses and the codes they got, by index."""


class Host(Protocol):
    """Anyone who replies to guesses."""

    @property
    def truthful(self) -> bool:
        """Whether what is shown is the true feedback."""

    def reply(self, rows: Codes, guess: int) -> int:
        """Return the code shown for a guess after some rows, the guess by index."""

    def answer(self, rows: Codes) -> str:
        """Return the answer, or one that explains the rows where the host never chose one."""


@dataclass(frozen=True)
class FixedHost:
    """The usual host: the answer is fixed and the feedback true.

    Attributes:
        game: the game.
        word: the answer; any word of the game's length, listed or not.

    """

    game: Game
    word: str

    @property
    def truthful(self) -> bool:
        return True

    def reply(self, rows: Codes, guess: int) -> int:
        return self.game.rules.code(self.game.guesses[guess], self.word)

    def answer(self, rows: Codes) -> str:
        return self.word


@dataclass(frozen=True)
class AbsurdleHost:
    """The host of Absurdle: every reply keeps as many candidates as it can."""

    game: Game

    @property
    def truthful(self) -> bool:
        return True

    def reply(self, rows: Codes, guess: int) -> int:
        from sleuth.variants.adversary.host import reply

        return reply(self._position(rows), guess)

    def answer(self, rows: Codes) -> str:
        return self._position(rows).words[0]

    def _position(self, rows: Codes) -> Position:
        position = Position.start(self.game)
        for guess, code in rows:
            position = position.after(guess, code)
        return position


@dataclass(frozen=True)
class LyingHost:
    """A host with a fixed answer whose feedback goes through a channel.

    Attributes:
        truth: who knows the true feedback.
        channel: what is shown for it.
        seed: the lies of row i are drawn by a hash of seed and i, so that a game can be played again.

    """

    truth: FixedHost
    channel: Channel
    seed: str

    @property
    def truthful(self) -> bool:
        return False

    def reply(self, rows: Codes, guess: int) -> int:
        digest = sha256(f"{self.seed} {len(rows)}".encode()).digest()
        draw = int.from_bytes(digest[:6], "big") / 2**48
        return self.channel.show(self.truth.reply(rows, guess), draw)

    def answer(self, rows: Codes) -> str:
        return self.truth.word


def fibble_hosts(game: Game, words: Sequence[str], seed: int) -> tuple[LyingHost, ...]:
    """Return the hosts of Fibble with these answers: one mark of every row is a lie.

    Raises SleuthError for a game without marks, or not in easy mode, since what other modes allow would
    depend on lies; GameTooLargeError.
    """
    if game.mode != "easy":
        raise SleuthError(f"a host that lies is played in easy mode, not {game.mode}")
    channel = fibble(game)
    return tuple(
        LyingHost(FixedHost(game, word), channel, f"{seed} {board}") for board, word in enumerate(words)
    )
