"""How hard a list is: what players of different strength make of it, and which words are to blame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth.coaching.difficulty.families import Family, families, largest_of
from sleuth.coaching.difficulty.played import Played, casual
from sleuth.exact.beam import Beam
from sleuth.exact.proving import prove
from sleuth.exact.solver import DEFAULT_MEMORY
from sleuth.games import frequencies
from sleuth.games.frontier import Indices
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.games.rules import WordleRules
from sleuth.games.strategy import BatchStrategy, Suggestion, describe
from sleuth.games.wordle import wordle
from sleuth.games.wordlists import WordList
from sleuth.strategies.heuristics import ExpectedGuesses, InformationGain
from sleuth.strategies.sampling import is_long, sampled_best
from sleuth.support.errors import SleuthError
from sleuth.support.progress import Progress, Watch
from sleuth.support.ranges import check_number, check_seed
from sleuth.support.tabled import Tabled
from sleuth.trees.growing import turns_of
from sleuth.variants.adversary.double_oracle import Equilibrium, equilibrium

MADE_BY = 0.99
"""The share of games that a turn limit is asked for."""
UNFAIR = 1 / 3
"""A word is unfair that a casual player loses more often than this, or that best play does not find."""
_OPENERS = 10


@dataclass(frozen=True)
class Unfair:
    """A word that is lost too often, how often (by a casual player, 0 to 1), and why."""

    word: str
    lost: float
    reasons: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Difficulty(Tabled):
    """How hard the answers of a game are to find.

    Attributes:
        game: the game.
        players: what each makes of every answer, the strongest first.
        openers: the best first guesses, best first.
        families: answers that differ in one letter, the largest family first.
        language: whose word frequencies are taken; "" where none are.
        frequency: float64 [answers]: how often each is written, as a share of all words; 0: not known.
        adversary: how the answers are chosen to be hardest, where that was asked for.
        drawn_of: how many answers those of the game were drawn from, where it is a sample; else 0.

    """

    game: Game
    players: tuple[Played, ...]
    openers: tuple[Suggestion, ...]
    families: tuple[Family, ...]
    language: str
    frequency: NDArray[np.float64]
    adversary: Equilibrium | None = None
    drawn_of: int = 0

    def __repr__(self) -> str:
        means = ", ".join(f"{p.title} {self.mean(p):.2f}" for p in self.players)
        return f"<Difficulty {self.game.name}: {means}>"

    def mean(self, player: Played) -> float:
        """Return a player's guesses, expected under the prior."""
        return float(self.game.prior @ player.guesses)

    def lost(self, player: Played) -> float:
        """Return the share of a player's games that are lost."""
        return float(self.game.prior @ player.lost(self.game.max_turns))

    def turn_limit(self, player: Played, share: float = MADE_BY) -> int:
        """Return the turns in which a player wins this share of the games."""
        return player.turns_for(share, self.game.prior)

    @property
    def best(self) -> Played:
        """The strongest player."""
        return self.players[0]

    @property
    def weakest(self) -> Played:
        """The casual player where there is one."""
        return self.players[-1]

    @cached_property
    def unfair(self) -> tuple[Unfair, ...]:
        """The words that are unfair (UNFAIR), those lost most often first."""
        turns, largest = self.game.max_turns, largest_of(self.families)
        never, often = self.best.lost(turns) > 0, self.weakest.lost(turns)
        found = []
        for a in np.flatnonzero(never | (often > UNFAIR)).tolist():
            word = self.game.answers[a]
            reasons = []
            if never[a]:
                reasons.append(f"not found in {turns} turns by the strongest player")
            if word in largest:
                reasons.append(f"one of {len(largest[word].words)} like {largest[word].label}")
            if self.language and not self.frequency[a]:
                reasons.append("hardly ever written")
            found.append(Unfair(word, float(often[a]), tuple(reasons)))
        return tuple(sorted(found, key=lambda one: (-one.lost, one.word)))

    def hardest(self, limit: int = 10) -> list[str]:
        """Return the answers that take the weakest player most guesses."""
        order = np.lexsort((np.arange(len(self.game.answers)), -self.weakest.guesses))
        return [self.game.answers[a] for a in order[:limit].tolist()]

    def to_records(self) -> list[dict[str, Any]]:
        """Return a row for each answer: each player's guesses and lost share, its frequency and family."""
        largest, turns = largest_of(self.families), self.game.max_turns
        columns = [(p.name, p.guesses.tolist(), p.lost(turns).tolist()) for p in self.players]
        unfair = {one.word for one in self.unfair}
        host = None if self.adversary is None else self.adversary.host.tolist()
        rows = []
        for a, word in enumerate(self.game.answers):
            family = largest.get(word)
            row: dict[str, Any] = {"answer": word, "probability": float(self.game.prior[a])}
            for name, guesses, lost in columns:
                row |= {f"{name} guesses": round(guesses[a], 4), f"{name} lost": round(lost[a], 4)}
            row |= {
                "frequency": float(self.frequency[a]) if self.language else None,
                "family": family.pattern if family else "",
                "family words": len(family.words) if family else 1,
                "unfair": word in unfair,
            }
            rows.append(row if host is None else row | {"adversary": host[a]})
        return rows

    def to_json(self) -> dict[str, Any]:
        """Return all of it as plain values, the answers' rows under "answers"."""
        game = self.game
        return {
            "game": game.name,
            "mode": game.mode,
            "prior": "uniform" if game.is_uniform else "weighted",
            "max_turns": game.max_turns,
            "guesses": len(game.guesses),
            "drawn_of": self.drawn_of or None,
            "language": self.language or None,
            "players": [
                {
                    "player": p.name,
                    "mean": self.mean(p),
                    "proved": p.proved,
                    "lost": self.lost(p),
                    "turn_limit": self.turn_limit(p),
                    "histogram": {
                        str(turns): share
                        for turns, share in enumerate(p.histogram(game.prior).tolist(), 1)
                        if share
                    },
                }
                for p in self.players
            ],
            "openers": [one.to_json() for one in self.openers],
            "families": [{"pattern": one.pattern, "words": list(one.words)} for one in self.families],
            "unfair": [
                {"word": one.word, "lost": one.lost, "reasons": list(one.reasons)} for one in self.unfair
            ],
            "adversary": None if self.adversary is None else self.adversary.to_json(),
            "answers": self.to_records(),
        }


def difficulty(
    words: Game | WordList | str | Sequence[str],
    *,
    language: str | None = None,
    seconds: float = 10.0,
    games: int | None = None,
    seed: int = 0,
    adversary: bool = False,
    sample: int | None = None,
    memory: int = DEFAULT_MEMORY,
    progress: Watch | None = None,
) -> Difficulty:
    """Return how hard a list of words, or any game, is.

    words: a game, or what wordle() takes. language: whose frequencies tell what words a casual player knows,
    else of the languages that ship the one that knows most of the answers. seconds: how long the best play
    may be searched for a proof; then it is that of beam search, and "at most". games: of the casual player
    with each answer, else about 100,000 in all. adversary: also find the equilibrium, for as long (extra:
    equilibrium). sample: how many answers are played, drawn by the seed with the chances of the prior, where
    all take too long; the strong players still hold every answer possible, and the casual one knows those
    drawn. memory: bytes for the table of the search for the best play. Raises SleuthError.

    >>> found = difficulty(["light", "might", "night", "right", "sight", "crane"], language="en")
    >>> found.families[0].label, len(found.families[0].words)
    ('-ight', 5)
    """
    check_number("seconds", seconds, least=0)
    check_seed(seed)
    if games is not None:
        check_number("games", games, least=1)
    if sample is not None:
        check_number("sample", sample, least=1)
    whole = words if isinstance(words, Game) else wordle(words)
    answers = _drawn(whole, sample, seed)
    game = whole if answers is None else whole.part(answers, prior=np.ones(len(answers)))
    if adversary and answers is not None:
        raise SleuthError("an adversary chooses among all answers; it does not go with a sample")
    tell = progress or (lambda _: None)
    spoken, written = _frequencies(game, language)
    tell(Progress(0, 0, "best play"))
    best, openers = _best(whole, answers, seconds, memory)
    tell(Progress(0, 0, "information gain"))
    turns = _turns(InformationGain(), whole, answers)
    players = [best, Played.of("information-gain", "information gain", turns)]
    person = casual(game, written, games, seed, progress)
    alike: tuple[Family, ...] = ()
    if isinstance(game.rules, WordleRules):
        alike = families(whole.answers)
    if adversary:
        tell(Progress(0, 0, "adversary"))
    return Difficulty(
        game,
        (*players, person) if person else tuple(players),
        openers,
        alike,
        spoken,
        written[game.answer_guess] if (game.answer_guess >= 0).all() else np.zeros(len(game.answers)),
        equilibrium(game, seconds=seconds) if adversary else None,
        0 if answers is None else len(whole.answers),
    )


def _drawn(game: Game, sample: int | None, seed: int) -> Indices | None:
    """Return the answers of a sample, int32 ascending; None for all."""
    possible = np.flatnonzero(game.prior)
    if sample is None or sample >= len(possible):
        return None
    drawn = np.random.default_rng(seed).choice(possible, sample, replace=False, p=game.prior[possible])
    return np.sort(drawn).astype(np.int32)


def _turns(player: BatchStrategy, game: Game, answers: Indices | None) -> Indices:
    """Return the guesses that answers take a player, int32 [answers]; all answers where None are named."""
    return turns_of(
        player, game, np.arange(len(game.answers), dtype=np.int32) if answers is None else answers
    )


def _best(
    game: Game, answers: Indices | None, seconds: float, memory: int
) -> tuple[Played, tuple[Suggestion, ...]]:
    """Return what the best player makes of the answers, and the best openers.

    answers: int32, those that are played; None for all.
    """
    start = Position.start(game)
    found: list[Indices] = []
    some = slice(None) if answers is None else answers
    if seconds > 0 and len(game.answers) > 1 and not is_long(game):
        proof = prove(game, seconds=seconds, top=_OPENERS, memory=memory)
        if proof.tree is not None:
            found.append(proof.tree.turns[some])
        if proof.proved and proof.tree is not None and proof.scale:
            best = proof.top[:_OPENERS]
            means = np.array([total / proof.scale for _, total in best])
            guesses = np.array([game.find(guess) for guess, _ in best], np.int32)
            openers = describe(start, guesses, means, "exact")
            return Played.of("best", "best play", found[0], proved=True), tuple(openers)
    beam = Beam(looked=_OPENERS)
    # Beam search takes an hour where there are so many guesses.
    found.append(_turns(ExpectedGuesses() if is_long(game) else beam, game, answers))
    prior = game.prior[some]
    least = min(found, key=lambda turns: ((turns > game.max_turns).sum(), turns @ prior))
    far = is_long(game)
    openers = describe(start, sampled_best(start, _OPENERS)) if far else beam.rank(start, _OPENERS)
    return Played.of("best", "best play known", least), tuple(openers)


def _frequencies(game: Game, language: str | None) -> tuple[str, NDArray[np.float64]]:
    """Return the language and how often each guess is written, float64 [guesses]; "" and 0 where unknown."""
    if not isinstance(game.rules, WordleRules):
        return "", np.zeros(len(game.guesses))
    if language is None:
        answers = {word.casefold() for word in game.answers}
        known = {code: _known(answers, code) for code in frequencies.LANGUAGES}
        language = max(known, key=known.__getitem__)
        if known[language] == (0, 0):
            return "", np.zeros(len(game.guesses))
    return language, np.array(frequencies.of_words(game.guesses, language))


def _known(answers: set[str], language: str) -> tuple[int, int]:
    """Return how many answers a shipped language knows and, as lists know each other's words, how well."""
    centibels = frequencies.shipped(language)
    found = [centibels[word] for word in answers & centibels.keys()]
    return len(found), -sum(found)
