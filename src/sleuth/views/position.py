"""A position: the rows so far, and what may still be the answer."""

from math import log2

from sleuth.games.position import Position
from sleuth.views.content import Block, Figures, Line, Row, Table
from sleuth.views.numbers import percent

LISTED = 24
"""The most candidates that are named."""


def blocks(position: Position) -> list[Block]:
    """Return what is shown of a position."""
    game, count = position.game, len(position.candidates)
    found: list[Block] = [Line(f"{game.name}, {game.mode} mode", strong=True)]
    found.extend(Line(remark) for remark in game.notes)
    if position.rows:
        found.append(Table(("",), tuple((Row(game, guess, code),) for guess, code in position.rows)))
    if position.solved:
        made = position.turn - 1
        return [*found, Line(f"Found in {made} {'guess' if made == 1 else 'guesses'}.")]
    figures = {"Guess": f"{position.turn} of {game.max_turns}", "Candidates": str(count)}
    if game.is_uniform:
        figures["Bits to find"] = f"{log2(count):.2f}"
    if position.legal is not None:
        figures["Legal guesses"] = str(len(position.legal))
    found.append(Figures(figures))
    if position.widened:
        found.append(Line("No listed answer fits; these allowed guesses do."))
    named = position.likeliest[:LISTED]
    if not game.is_uniform:
        weights = sorted(position.weights.tolist(), reverse=True)
        named = tuple(f"{word} {percent(chance)}" for word, chance in zip(named, weights, strict=False))
    found.append(Line(", ".join(named) + (", …" if count > LISTED else "")))
    return found
