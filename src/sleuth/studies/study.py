"""What a study is made of: which strategies play which games, with which seeds, against which baseline."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from sleuth.games.game import Game
from sleuth.games.players import Playable, as_player
from sleuth.games.strategy import Player
from sleuth.strategies.registry import holders, with_option
from sleuth.studies import reading
from sleuth.support.errors import SleuthError
from sleuth.support.registry import unknown_name
from sleuth.support.specification import default_of, option_fields, specification_of

T = TypeVar("T")

SEED = "seed"
MOST_SEEDS = 10_000


@dataclass(frozen=True)
class Run:
    """One strategy in one game, as they are called, and the seed that it draws with, if the study has one."""

    strategy: str
    game: str
    seed: int | None = None

    def __str__(self) -> str:
        seed = "" if self.seed is None else f", seed {self.seed}"
        return f"{self.strategy} on {self.game}{seed}"


@dataclass(frozen=True)
class Study:
    """Strategies by games by seeds; Study.of makes one, Study.read reads one from a file.

    Attributes:
        strategies: what plays, by what it is called.
        given: the strategies as they were given, text or not, by what they are called.
        games: the games by what they are called.
        openers: the first guess in a game, by what the game is called; else it is the strategy's own.
        seeds: what strategies that draw are played with, once each; None leaves them the seed that they have.
        baseline: the strategy that the others are compared with, as it is called; None for none.

    """

    strategies: dict[str, Player]
    given: dict[str, Playable | str]
    games: dict[str, Game]
    openers: dict[str, str]
    seeds: tuple[int, ...] | None = None
    baseline: str | None = None

    @classmethod
    def of(
        cls,
        strategies: Mapping[str, Playable | str] | Iterable[Playable | str],
        games: Mapping[str, Game] | Iterable[Game] | Game,
        *,
        seeds: int | Iterable[int] | None = None,
        baseline: str | None = None,
        openers: Mapping[str, str] | None = None,
        files: bool = False,
    ) -> Study:
        """Return a study of strategies in games.

        strategies: text, such as "rollout(width=10)" or "rollout -o width=10", strategies, or functions of a
        position; a list, or a dictionary by what they are called. games: one, a list, or a dictionary. seeds:
        how many, from 0, or which ones; they matter to strategies that have an option `seed`, or hold one
        that has, and each of those plays once a seed. baseline, openers: see Study. files: whether text may
        be FILE.py:NAME, which runs the file. Raises SleuthError.
        """
        given = _named("strategies", strategies, _called)
        players = {name: _player(name, one, files) for name, one in given.items()}
        listed = _named("games", [games] if isinstance(games, Game) else games, _game_name)
        for game in listed.values():
            if not isinstance(game, Game):
                raise SleuthError(f"a study takes a Game, not {game!r}; sleuth.wordle() makes one")
        for name, opener in (openers or {}).items():
            if name not in listed:
                raise unknown_name("game of the study", name, listed)
            listed[name].find(opener)
        if baseline is not None and baseline not in players:
            raise unknown_name("baseline", baseline, players)
        chosen = _seeds(seeds)
        if chosen is not None:
            for name, player in players.items():
                _check_seed(name, player)
        return cls(players, given, listed, dict(openers or {}), chosen, baseline)

    @classmethod
    def read(cls, path: Path | str) -> Study:
        """Return the study in a file of TOML; files of Python that it names are run. Raises SleuthError."""
        values = reading.read(Path(path))
        try:
            return cls.of(**values, files=True)
        except SleuthError as error:
            raise SleuthError(f"{path}: {error}") from None

    def runs(self) -> list[Run]:
        """Return all that is to be played: game by game, strategy by strategy, seed by seed."""
        return [
            Run(strategy, game, seed)
            for game in self.games
            for strategy, player in self.strategies.items()
            for seed in (self.seeds if self.seeds is not None and _draws(player) else (None,))
        ]

    def player(self, run: Run) -> Player:
        """Return what plays a run."""
        player = self.strategies[run.strategy]
        return player if run.seed is None else with_option(player, SEED, run.seed)


def _draws(player: Player) -> bool:
    return next(holders(player, SEED), None) is not None


def _check_seed(name: str, player: Player) -> None:
    """Raise SleuthError where a strategy was given a seed of its own, beside those of the study."""
    for holder in holders(player, SEED):
        if getattr(holder, SEED) != default_of(option_fields(type(holder))[SEED]):
            raise SleuthError(f"{name} has a seed of its own, and the study has seeds; leave one of them out")


def _player(name: str, given: Playable | str, files: bool) -> Player:
    try:
        made: Player = reading.strategy(given, files) if isinstance(given, str) else as_player(given)
    except SleuthError as error:
        raise SleuthError(f"strategy {name}: {error}") from None
    return made


def _called(given: Any) -> str:
    return " ".join(given.split()) if isinstance(given, str) else specification_of(as_player(given))


def _game_name(game: Any) -> str:
    """Return what a game is called: its name, and its mode unless that is easy."""
    if not isinstance(game, Game):
        return str(game)
    return game.name if game.mode == "easy" else f"{game.name}, {game.mode} mode"


def _named(what: str, given: Any, name_of: Callable[[Any], str]) -> dict[str, Any]:
    """Return things by their names. Raises SleuthError where there are none, or two of one name."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise SleuthError(f"{what} are {given!r}; they are a list, or a table by name")
    if isinstance(given, Mapping):
        named = dict(given)
    else:
        named = {}
        for one in given:
            name = name_of(one)
            if name in named:
                raise SleuthError(f"two {what} are called {name}; name them, so that they can be told apart")
            named[name] = one
    if not named:
        raise SleuthError(f"there are no {what}; a study needs one at least")
    return named


def _seeds(given: Any) -> tuple[int, ...] | None:
    if given is None:
        return None
    count = _is_whole(given)
    listed = isinstance(given, Iterable) and not isinstance(given, str)
    seeds = tuple(range(given)) if count and given <= MOST_SEEDS else tuple(given) if listed else ()
    different = all(_is_whole(seed) for seed in seeds) and len(set(seeds)) == len(seeds)
    if not different or not 1 <= len(seeds) <= MOST_SEEDS:
        raise SleuthError(
            f"seeds is {given!r}; it is how many, from 1 to {MOST_SEEDS}, or a list of whole numbers from 0"
            " that all differ"
        )
    return seeds


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
