"""Trees, and reports and evaluations of them."""

from sleuth.support.errors import TreeError
from sleuth.trees.check import check_tree
from sleuth.trees.evaluation import Evaluation
from sleuth.trees.tree import DecisionTree, Report
from sleuth.views.content import Bars, Block, Figures, Line, Outline


def report_blocks(report: Report) -> list[Block]:
    """Return what is shown of a report."""
    figures = {
        "Guesses on average": f"{report.mean:.4f}",
        "In total": str(report.total),
        "At worst": str(report.worst),
        "Answers": str(report.answers),
        "Failures": str(report.failures),
    }
    return [Figures(figures), Bars(report.histogram, _limit(report))]


def blocks(tree: DecisionTree) -> list[Block]:
    """Return what is shown of a tree; of one that breaks the rules of its game, how it does."""
    try:
        report = check_tree(tree)
    except TreeError as error:
        return [_title(tree), Line(f"It breaks the rules of its game: {error}")]
    return [_title(tree), *report_blocks(report), Outline(tree)]


def evaluation_blocks(evaluation: Evaluation) -> list[Block]:
    """Return what is shown of an evaluation: the strategy, its options and the report."""
    options = ", ".join(f"{key}={value}" for key, value in evaluation.options.items())
    title = _title(evaluation.tree)
    took = Line(f"{options}{'; ' if options else ''}{evaluation.seconds:.2f} s")
    return [title, *report_blocks(evaluation.report), took]


def _title(tree: DecisionTree) -> Line:
    game = tree.game
    return Line(
        f"{tree.name or 'A strategy'} on {game.name}, {game.mode} mode, from {tree.opener}", strong=True
    )


def _limit(report: Report) -> int:
    """Return the guesses after which a report counts failures: those that take most are the failures."""
    left, limit = report.failures, report.worst
    for turns in sorted(report.histogram, reverse=True):
        if left < report.histogram[turns]:
            break
        left -= report.histogram[turns]
        limit = turns - 1
    return limit
