"""A game as a person asks for it: by name, with options, some of which go with some games only."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sleuth.games import GAMES, Game, priors, wordlists
from sleuth.games.wordlists import WordList
from sleuth.support.errors import SleuthError

DEFAULT_WORDS = "original"
"""The word list that is meant where none is named."""

_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_OWN = "words of your own"
# Which options go with the games that ship; others take those that all games have.
_GOES_WITH = {
    "wordle": ("words", "answers", "guesses"),
    "mastermind": ("pegs", "colours", "repeats", "black"),
    "bulls-and-cows": ("pegs",),
}
_ALL = ("words", "answers", "guesses", "pegs", "colours", "repeats", "black")


@dataclass(frozen=True)
class GameChoice:
    """Which game is meant. What is None was not said.

    Attributes:
        game: a name out of GAMES.
        words: the name of a word list (wordlists.load).
        answers, guesses: words, or files of them, in place of a named list.
        mode: which guesses are legal.
        prior: how likely answers are (priors.load).
        max_turns: guesses after which a game is lost.
        pegs, colours, repeats, black: of Mastermind; pegs are also the digits of Bulls and Cows.

    """

    game: str = "wordle"
    words: str | None = None
    answers: Path | Sequence[str] | None = None
    guesses: Path | Sequence[str] | None = None
    mode: str | None = None
    prior: str = "uniform"
    max_turns: int | None = None
    pegs: int | None = None
    colours: int | None = None
    repeats: bool | None = None
    black: bool | None = None

    def build(self, spell: Callable[[str], str] = str, *, files: bool = False) -> Game:
        """Return the game.

        spell: how an option is written where the person is. files: whether the game may be FILE.py:NAME, see
        Registry.load. Raises SleuthError.
        """
        make: Callable[..., Game] = GAMES.load(self.game, files=files)
        for name in _ALL:
            if getattr(self, name) is not None and name not in _GOES_WITH.get(self.game, ()):
                raise SleuthError(f"{spell(name)} does not go with {spell('game')} {self.game}")
        asked = {"mode": self.mode, "max_turns": self.max_turns}
        given: dict[str, Any] = {key: value for key, value in asked.items() if value is not None}
        if self.game == "wordle":
            game = make(self._word_list(spell), **given)
        elif self.game == "mastermind":
            named = {key: getattr(self, key) for key in _GOES_WITH["mastermind"]}
            game = make(**given, **{key: value for key, value in named.items() if value is not None})
        elif self.game == "bulls-and-cows":
            game = make(**given, **({} if self.pegs is None else {"length": self.pegs}))
        else:
            game = self._registered(make, given, spell)
        if self.prior.startswith("frequency") and self.game != "wordle":
            said = f"{spell('prior')} {self.prior} is for words"
            raise SleuthError(f"{said}, not for {spell('game')} {self.game}")
        return game if self.prior == "uniform" else game.with_prior(priors.load(self.prior, game.answers))

    def _word_list(self, spell: Callable[[str], str]) -> WordList:
        if self.answers is None:
            if self.guesses is not None:
                raise SleuthError(f"{spell('guesses')} goes with {spell('answers')}")
            return wordlists.load(self.words or DEFAULT_WORDS)
        if self.words is not None:
            raise SleuthError(f"give either {spell('words')} or {spell('answers')}, not both")
        if isinstance(self.answers, Path):
            assert self.guesses is None or isinstance(self.guesses, Path)
            return wordlists.read(self.answers, self.guesses)
        assert not isinstance(self.guesses, Path)
        return wordlists.from_words(self.answers, self.guesses, _OWN)

    def _registered(
        self, make: Callable[..., Game], given: dict[str, Any], spell: Callable[[str], str]
    ) -> Game:
        """Return the game of another program; what its function takes no argument for is set afterwards."""
        target = f"{spell('game')} {self.game}"
        if self.game in GAMES:
            target = f"{target}: {GAMES[self.game].target}"
        if isinstance(make, Game):
            return replace(make, **given)
        if not callable(make):
            raise SleuthError(f"{target} is a {type(make).__name__}; give a function that returns a Game")
        parameters = inspect.signature(make).parameters.values()
        named = {p.name for p in parameters} if all(p.kind != p.VAR_KEYWORD for p in parameters) else {*given}
        needed = [p.name for p in parameters if p.default is p.empty and p.kind not in _VARIADIC]
        values = {key: value for key, value in given.items() if key in named}
        if "mode" in needed:
            values.setdefault("mode", "easy")
        lacking = [name for name in needed if name not in values]
        if lacking:
            raise SleuthError(f"{target} needs a default for {', '.join(lacking)}")
        game = make(**values)
        if not isinstance(game, Game):
            raise SleuthError(f"{target} returns a {type(game).__name__}, not a Game")
        return replace(game, **{key: value for key, value in given.items() if key not in values})
