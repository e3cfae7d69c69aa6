"""A proof: the best guess, what is certain of it, and the strategy that reaches it."""

from sleuth.exact.proof import IMPOSSIBLE, Proof
from sleuth.views.content import Block, Figures, Line, Outline, Table
from sleuth.views.numbers import counted

_LISTED = 20


def blocks(proof: Proof) -> list[Block]:
    """Return what is shown of a proof."""
    game = proof.position.game
    answers = counted(len(proof.position.candidates), "answer")
    found: list[Block] = [Line(f"{game.name}, {game.mode} mode, {answers}"), Line(_state(proof), strong=True)]
    figures = {
        "Best guess": proof.opener or "none",
        "In total": _number(proof.total),
        "On average": "unknown" if proof.mean is None else f"{proof.mean:.4f}",
        "At least": "no strategy" if proof.lower_bound >= IMPOSSIBLE else str(proof.lower_bound),
        "At worst": _number(proof.worst),
        "Openers refuted": f"{proof.refuted} of {proof.openers}",
        "Sets searched": str(proof.nodes),
        "Seconds": f"{proof.seconds:.1f}",
    }
    if proof.failures is not None:
        figures["Not found in time"] = str(proof.failures)
    found.append(Figures(figures))
    if proof.scale != len(proof.position.candidates):
        found.append(Line(f"Totals are in weights that sum to {proof.scale}."))
    if len(proof.top) > 1:
        rows = tuple((row["guess"], str(row["total"]), _mean(row["mean"])) for row in proof.to_records())
        found.append(Table(("opener", "total", "mean"), rows[:_LISTED]))
    if proof.tree is not None:
        found.append(Outline(proof.tree))
    return [*found, *(Line(problem) for problem in proof.problems)]


def _state(proof: Proof) -> str:
    if proof.proved:
        if proof.total is None:
            return f"Proved: no strategy finds every answer within {proof.turns} turns"
        return f"Proved: no strategy is better ({proof.objective.label})"
    return f"Not finished ({proof.objective.label}): what is known lies between two bounds"


def _number(value: int | None) -> str:
    return "unknown" if value is None else str(value)


def _mean(mean: float | None) -> str:
    return "undefined" if mean is None else f"{mean:.6f}"
