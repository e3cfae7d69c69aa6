"""What there is to play, and what the server takes of each game, so that a page offers nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

from sleuth.coaching.playing.puzzles import MOST_BOARDS, VARIANTS, Puzzle
from sleuth.games import GAMES, MODES, wordlists
from sleuth.games.game import Game, Mode
from sleuth.games.pegs import MOST_PEGS, most_colours, most_digits
from sleuth.support.errors import SleuthError
from sleuth.variants.noise.channel import fits
from sleuth.web.games import game_of
from sleuth.web.schemas import GameSpec

_MARKS = 3


def games() -> dict[str, Any]:
    """Return Sleuth's own games: their word lists, modes, sizes, and how they are played.

    Those of other programs have no form and no board on the page.
    """
    found = []
    for name in get_args(GameSpec.model_fields["game"].annotation):
        entry = GAMES[name]
        game = game_of(GameSpec.model_validate({"game": name}))
        lists = []
        for words, title in wordlists.NAMED.items() if name == "wordle" else ():
            listed = wordlists.load(words)
            counts = {"answers": len(listed.answers), "guesses": len(listed.guesses)}
            lists.append({"id": words, "title": title, **counts, "length": listed.length})
        modes = [mode for mode in MODES if mode != "hard" or game.rules.has_hard_mode]
        found.append(
            {
                **{"id": name, "title": entry.summary, "words": lists, "modes": modes},
                **{"max_turns": game.max_turns, "sizes": _sizes(name), "kinds": _kinds(game, modes)},
            }
        )
    return {"games": found}


def _sizes(name: str) -> list[dict[str, int]]:
    """Return the numbers of pegs there may be, each with the most colours."""
    if name == "mastermind":
        return [
            {"pegs": pegs, "colours": most}
            for pegs in range(2, MOST_PEGS + 1)
            if (most := most_colours(pegs))
        ]
    if name == "bulls-and-cows":
        return [{"pegs": pegs, "colours": 10} for pegs in range(2, most_digits() + 1)]
    return []


def _kinds(game: Game, modes: Sequence[Mode]) -> list[dict[str, Any]]:
    """Return the variants and modes that go together, each with the most boards and the longest words."""
    found = []
    for variant in VARIANTS:
        letters = _longest() if variant == "fibble" else wordlists.LONGEST
        for mode in modes:
            plays = [
                boards for boards in (1, MOST_BOARDS) if _is_played(game.with_mode(mode), variant, boards)
            ]
            if plays:
                found.append({"variant": variant, "mode": mode, "boards": max(plays), "letters": letters})
    return found


def _is_played(game: Game, variant: str, boards: int) -> bool:
    try:
        Puzzle(game, 0, boards, variant)
    except SleuthError:
        return False
    return True


def _longest() -> int:
    """Return how long words may be whose host lies."""
    lengths = range(wordlists.SHORTEST, wordlists.LONGEST + 1)
    return max(length for length in lengths if fits(_MARKS**length))
