"""A game being played: a frozen state that the terminal and the HTTP API both use."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from sleuth.coaching.playing.legality import objection
from sleuth.coaching.playing.puzzles import Puzzle
from sleuth.games.feedback import MarkNotation
from sleuth.games.position import Row
from sleuth.support.errors import SleuthError, UnknownGuessError


@dataclass(frozen=True, eq=False)
class Session:
    """Where a game stands. Start with Session(puzzle), go on with play.

    Attributes:
        puzzle: what is played.
        guesses: the guesses so far, by index.
        codes: what each guess got, a code a board; None where the board was solved before.
        given_up: whether the player gave up.

    """

    puzzle: Puzzle
    guesses: tuple[int, ...] = ()
    codes: tuple[tuple[int | None, ...], ...] = ()
    given_up: bool = False

    def play(self, guess: str) -> Session:
        """Return the state after a guess.

        Raises UnknownGuessError for a word that is not in the list or that the mode forbids, SleuthError when
        the game is over.
        """
        game = self.puzzle.game
        if self.over:
            raise SleuthError(f"the game is over after {len(self.guesses)} guesses")
        index = game.find(guess)
        # Only games of one board have a mode that forbids anything.
        shown = [(game.guesses[g], code) for g, (code, *_) in zip(self.guesses, self.codes, strict=True)]
        reason = objection(
            game, [(word, code) for word, code in shown if code is not None], game.guesses[index]
        )
        if reason is not None:
            raise UnknownGuessError(reason)
        codes = tuple(
            None if solved else host.reply(self.board(number), index)
            for number, (host, solved) in enumerate(zip(self.puzzle.hosts, self.solved, strict=True))
        )
        return replace(self, guesses=(*self.guesses, index), codes=(*self.codes, codes))

    def give_up(self) -> Session:
        """Return the state after giving up."""
        return replace(self, given_up=True)

    @property
    def turn(self) -> int:
        """The number of the next guess, from 1."""
        return len(self.guesses) + 1

    @property
    def solved(self) -> tuple[bool, ...]:
        """Whether each board is solved."""
        right = self.puzzle.game.solved
        return tuple(any(row[board] == right for row in self.codes) for board in range(self.puzzle.boards))

    @property
    def won(self) -> bool:
        """Whether every board is solved."""
        return all(self.solved)

    @property
    def over(self) -> bool:
        """Whether there is nothing more to guess: won, given up, or out of turns."""
        return self.won or self.given_up or len(self.guesses) >= self.puzzle.max_turns

    @property
    def answers(self) -> tuple[str, ...]:
        """The answers, one a board. To be shown when the game is over."""
        return tuple(host.answer(self.board(number)) for number, host in enumerate(self.puzzle.hosts))

    def board(self, board: int = 0) -> tuple[tuple[int, int], ...]:
        """Return the rows of a board, guesses and codes by index, up to the one that solved it."""
        rows = zip(self.guesses, self.codes, strict=True)
        return tuple((guess, code) for guess, codes in rows if (code := codes[board]) is not None)

    def rows(self, board: int = 0) -> tuple[Row, ...]:
        """Return the rows of a board as a person writes them: guess and feedback."""
        game = self.puzzle.game
        show = game.rules.notation.show
        return tuple((game.guesses[guess], show(code)) for guess, code in self.board(board))

    def keyboard(self, board: int = 0) -> dict[str, int]:
        """Return the best mark that each letter tried got on a board: 0 absent, 1 present, 2 correct.

        It is empty where feedback has no marks or may be a lie: no mark is certain there.
        """
        game = self.puzzle.game
        notation = game.rules.notation
        known: dict[str, int] = {}
        if isinstance(notation, MarkNotation) and self.puzzle.hosts[board].truthful:
            for guess, code in self.board(board):
                for letter, mark in zip(game.guesses[guess], notation.marks(code), strict=True):
                    known[letter] = max(mark, known.get(letter, 0))
        return known


def replay(puzzle: Puzzle, guesses: Iterable[str]) -> Session:
    """Return the state after guesses. Raises what Session.play raises."""
    session = Session(puzzle)
    for guess in guesses:
        session = session.play(guess)
    return session
