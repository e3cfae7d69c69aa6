"""What changes when words are added to a list or taken out: before and after, side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sleuth.coaching.difficulty.difficulty import MADE_BY, Difficulty
from sleuth.coaching.difficulty.played import Played
from sleuth.games.choice import GameChoice
from sleuth.games.game import Game
from sleuth.games.rules import WordleRules
from sleuth.games.wordlists import canonical, is_word
from sleuth.support.errors import SleuthError
from sleuth.support.tabled import Tabled

_MOVED = 10


@dataclass(frozen=True, eq=False)
class Change(Tabled):
    """Two lists side by side."""

    before: Difficulty
    after: Difficulty

    @property
    def added(self) -> list[str]:
        """Answers of the list after that the one before does not have, in its order."""
        before = set(self.before.game.answers)
        return [word for word in self.after.game.answers if word not in before]

    @property
    def removed(self) -> list[str]:
        """Answers of the list before that the one after does not have, in its order."""
        return Change(self.after, self.before).added

    def moved(self, limit: int = _MOVED) -> list[tuple[str, float, float]]:
        """Return answers of both lists whose guesses change most for the weakest player, before and after."""
        numbers = [
            dict(zip(one.game.answers, one.weakest.guesses.tolist(), strict=True))
            for one in (self.before, self.after)
        ]
        both = [(word, numbers[0][word], after) for word, after in numbers[1].items() if word in numbers[0]]
        both.sort(key=lambda row: (-abs(row[2] - row[1]), row[0]))
        return both[:limit]

    def to_records(self) -> list[dict[str, Any]]:
        """Return a row for each measure, with its value before and after."""
        measures: list[tuple[str, Callable[[Difficulty], Any]]] = [
            ("answers", lambda one: len(one.game.answers)),
            ("guesses", lambda one: len(one.game.guesses)),
            ("best opener", lambda one: one.openers[0].guess if one.openers else None),
            ("families", lambda one: len(one.families)),
            ("largest family", lambda one: _largest(one)),
            ("unfair words", lambda one: len(one.unfair)),
        ]
        for place, title in enumerate(("best play", "information gain", "casual player")):
            for what, measure in (
                ("mean", Difficulty.mean),
                ("lost", Difficulty.lost),
                (f"turns for {MADE_BY:.0%}", Difficulty.turn_limit),
            ):
                measures.append((f"{title}: {what}", _of_player(place, measure)))
        return [
            {"measure": name, "before": value(self.before), "after": value(self.after)}
            for name, value in measures
        ]

    def to_json(self) -> dict[str, Any]:
        """Return both lists and what differs as plain values."""
        return {
            "added": self.added,
            "removed": self.removed,
            "measures": self.to_records(),
            "moved": [{"word": word, "before": old, "after": new} for word, old, new in self.moved()],
            "before": self.before.to_json(),
            "after": self.after.to_json(),
        }


def edited(
    game: Game,
    add: Sequence[str],
    remove: Sequence[str],
    prior: str = "uniform",
    spell: Callable[[str], str] = str,
) -> Game:
    """Return a game of words with answers added, which may be guessed too, and others removed.

    Where all that may be guessed are the answers, a word that is removed is gone; else it may be guessed.
    prior: how likely the answers are then (priors.load). spell: how an option is written where the person is.
    Raises SleuthError.
    """
    rules = game.rules
    if not isinstance(rules, WordleRules):
        raise SleuthError(f"{spell('add')} and {spell('remove')} go with words, not with {game.name}")
    more, less = [canonical(word) for word in add], {canonical(word) for word in remove}
    for word in more:
        if word in game.answers:
            raise SleuthError(f"{word} cannot be added: it is an answer already")
        if not is_word(word):
            raise SleuthError(f"{word} cannot be added: words are made of letters only")
        if len(word) != rules.length:
            said = f"it has {len(word)} letters, the others have {rules.length}"
            raise SleuthError(f"{word} cannot be added: {said}")
    for word in sorted(less):
        if word not in game.answers:
            raise SleuthError(f"{word} cannot be removed: it is no answer")
    answers = [word for word in game.answers if word not in less] + more
    if not answers:
        raise SleuthError("all answers cannot be removed")
    guesses = answers if game.guesses == game.answers else [*game.guesses, *(set(more) - set(game.guesses))]
    made = GameChoice(
        answers=answers, guesses=guesses, mode=game.mode, prior=prior, max_turns=game.max_turns
    ).build(spell)
    return replace(made, name=f"{game.name.removesuffix(')')}, changed)")


def _of_player(place: int, measure: Callable[[Difficulty, Played], Any]) -> Callable[[Difficulty], Any]:
    return lambda one: measure(one, one.players[place]) if place < len(one.players) else None


def _largest(one: Difficulty) -> str | None:
    return f"{one.families[0].label} ({len(one.families[0].words)})" if one.families else None
