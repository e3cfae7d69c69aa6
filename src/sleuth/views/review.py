"""A review: the game, move by move."""

from sleuth.coaching.reviews.move import Move, Review
from sleuth.views.content import Block, Figures, Line, Row, Table


def blocks(review: Review) -> list[Block]:
    """Return what is shown of a review."""
    game = review.game
    columns = ("guess", "", "best", "skill", "luck", "expected", "left")
    rows = tuple(
        (
            Row(game, game.find(move.guess), game.rules.notation.parse(move.feedback)),
            move.annotation,
            move.best.guess,
            _number(move.skill),
            _number(move.luck),
            f"{move.value:.2f} ({move.played.kind})",
            str(move.candidates_after),
        )
        for move in review.moves
    )
    figures = {"Skill": _number(review.skill_shown), "Luck": _number(review.luck_shown)}
    if review.answer is not None:
        figures["Answer"] = review.answer
    found: list[Block] = [Line(review.summary, strong=True), Figures(figures), Table(columns, rows, 3)]
    found.extend(Line(_sentence(move)) for move in review.moves)
    if review.line is not None:
        found.append(Line(f"Sleuth: {', '.join(guess for guess, _ in review.line)}."))
    return [*found, Line(review.assumed)]


def _sentence(move: Move) -> str:
    return f"{move.turn}. {move.guess}: {move.sentence}"


def _number(value: int | None) -> str:
    return "-" if value is None else str(value)
