"""Pictures of what Weaver's player sees: words as actions, and what is known after each row of a game."""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth.games.frontier import Frontier
from sleuth.games.game import Game
from sleuth.games.position import Row
from sleuth.games.wordle import wordle
from sleuth.learning.letters.features import ALPHABET, action_features, knowledge, rules_of
from sleuth.support.errors import ContradictionError, FeedbackError, SleuthError, about_row
from sleuth.support.pictures import save

_GROUND, _EMPTY, _FRAME, _INK = "#121213", "#1f1f21", "#3a3a3c", "#d7dadc"
_LEAST, _HERE, _NOT_HERE = "#ffffff", "#538d4e", "#818384"
_TILES = ("#3a3a3c", "#b59f3b", "#538d4e")
_CELL = 0.24
"""Inches."""


@dataclass(frozen=True, eq=False)
class Seen:
    """What Weaver's player sees of words and of the rows of a game.

    Attributes:
        words: in lower case.
        actions: uint8 [words, length, 26]: which letter stands at each place.
        rows: guesses and the marks that they got (0 absent, 1 present, 2 correct).
        states: uint8 [rows, 26, 1 + 2 * length]: what is known of each letter after each row.

    """

    words: tuple[str, ...]
    actions: NDArray[np.uint8]
    rows: tuple[tuple[str, tuple[int, ...]], ...]
    states: NDArray[np.uint8]

    def to_json(self) -> dict[str, Any]:
        """Return the features as plain values, those of a state by letter."""
        return {
            "actions": [
                {"word": word, "features": action.tolist()}
                for word, action in zip(self.words, self.actions, strict=True)
            ],
            "states": [
                {
                    "turn": turn,
                    "guess": guess,
                    "marks": list(marks),
                    "letters": dict(zip(string.ascii_lowercase, state.tolist(), strict=True)),
                }
                for turn, ((guess, marks), state) in enumerate(zip(self.rows, self.states, strict=True), 2)
            ],
        }


def seen(words: Sequence[str], rows: Sequence[Row]) -> Seen:
    """Return the features of words, and of the rows of a game such as ("trace", "bybby").

    Any words of one length from a to z will do: no list is looked at. Raises SleuthError for others, for
    nothing at all, for rows that contradict each other, and for more rows than a game has.
    """
    asked = [*words, *(guess for guess, _ in rows)]
    if not asked:
        raise SleuthError("there is nothing to draw: give words, or rows such as --after trace:bybby")
    game = wordle(dict.fromkeys(word.strip().lower() for word in asked))
    if len(rows) > game.max_turns:
        raise FeedbackError(f"a game has {game.max_turns} rows at most, not {len(rows)}")
    length = len(game.guesses[0])
    places = [game.find(word) for word in words]
    actions = action_features(game)[places].reshape(-1, length, ALPHABET).astype(np.uint8)
    made, states = [], []
    for turn in range(len(rows)):
        with about_row(turn + 1):
            guess, shown = rows[turn]
            made.append((game.find(guess), game.rules.notation.parse(shown)))
            states.append(_known(game, made))
    return Seen(
        tuple(game.guesses[place] for place in places),
        actions,
        tuple((game.guesses[guess], tuple(rules_of(game).digits[code].tolist())) for guess, code in made),
        np.array(states, np.uint8).reshape(-1, ALPHABET, 1 + 2 * length),
    )


def _known(game: Game, made: list[tuple[int, int]]) -> NDArray[np.uint8]:
    """Return what rows tell, uint8 [26, 1 + 2 * length]. Raises ContradictionError."""
    rows = np.array([made], np.int32)
    frontier = Frontier(game, len(made) + 1, np.array([0, 1]), np.zeros(1, np.int32), rows=rows)
    known: NDArray[np.uint8] = knowledge(frontier)[0]
    least, here, not_here = np.split(known.astype(np.int64), [1, known.shape[1] // 2 + 1], axis=1)
    length = here.shape[1]
    crowded = least.sum() > length or (here.sum(0) > 1).any() or not_here.all(0).any()
    if crowded or (here & not_here).any() or (least[:, 0] > length - not_here.sum(1)).any():
        raise ContradictionError(f"row {len(made)}: no word gives these marks after the rows before it")
    return known


def draw_seen(found: Seen, path: Path) -> None:
    """Draw the features of words and of states as the document does. Raises OSError."""
    save(seen_figure(found), path)


def seen_figure(found: Seen) -> Any:
    """Return the matplotlib Figure: a panel for each word, then one for each row."""
    from matplotlib.figure import Figure

    length = found.actions.shape[1] if len(found.words) else len(found.rows[0][0])
    places = [f"place {place}" for place in range(1, length + 1)]
    named = ["least", *(f"is at {place}" for place in range(1, length + 1))]
    named += [f"not at {place}" for place in range(1, length + 1)]
    heights = [length] * len(found.words) + [len(named)] * len(found.rows)
    # Each panel has its tiles above it and its letters below.
    inches = [_CELL * (height + 4) for height in heights]
    figure = Figure(figsize=(_CELL * (ALPHABET + 6), sum(inches)), facecolor=_GROUND)
    panels = figure.subplots(len(heights), squeeze=False, height_ratios=inches)[:, 0]
    figure.subplots_adjust(left=0, right=1, bottom=0, top=1, hspace=0)
    for axes, word, action in zip(panels, found.words, found.actions, strict=False):
        _tiles(axes, word, [_LEAST] * length, "as an action", ink=_GROUND)
        _grid(axes, places, action, [_LEAST] * length)
    after = zip(panels[len(found.words) :], found.rows, found.states, strict=True)
    for turn, (axes, (guess, marks), state) in enumerate(after, 2):
        _tiles(axes, guess, [_TILES[mark] for mark in marks], f"what is known in turn {turn}")
        _grid(axes, named, state.T, [_LEAST] + [_HERE] * length + [_NOT_HERE] * length)
    return figure


def _grid(axes: Any, names: Sequence[str], cells: NDArray[np.uint8], colours: Sequence[str]) -> None:
    """Draw cells, [names, 26], a colour for each row of them where they are not 0."""
    from matplotlib.patches import Rectangle

    height = len(names)
    for (row, letter), count in np.ndenumerate(cells):
        colour = colours[row] if count else _EMPTY
        axes.add_patch(Rectangle((letter, row), 1, 1, facecolor=colour, edgecolor=_FRAME, linewidth=0.6))
        if count > 1:
            _write(axes, letter + 0.5, row + 0.5, str(count), _GROUND, 7)
    for row, name in enumerate(names):
        _write(axes, -0.4, row + 0.5, name, _INK, 7, "right")
    for letter, name in enumerate(string.ascii_uppercase):
        _write(axes, letter + 0.5, height + 0.65, name, _INK, 7)
    axes.set_xlim(-5, ALPHABET + 1)
    axes.set_ylim(height + 1.6, -2.4)
    axes.axis("off")


def _tiles(axes: Any, word: str, colours: Sequence[str], remark: str, ink: str = _LEAST) -> None:
    """Draw a word as a row of tiles above a grid, and a remark beside it."""
    from matplotlib.patches import Rectangle

    for place, (letter, colour) in enumerate(zip(word.upper(), colours, strict=True)):
        at = 1.3 * place
        axes.add_patch(Rectangle((at, -1.7), 1.2, 1.2, facecolor=colour, edgecolor="none"))
        _write(axes, at + 0.6, -1.08, letter, ink, 9, weight="bold")
    _write(axes, 1.3 * len(word) + 0.5, -1.08, remark, _INK, 8, "left")


def _write(
    axes: Any,
    x: float,
    y: float,
    text: str,
    colour: str,
    size: int,
    align: str = "center",
    weight: str = "normal",
) -> None:
    axes.text(x, y, text, color=colour, fontsize=size, ha=align, va="center", weight=weight)
