"""Benchmarks of planning: how the methods do in each problem, and beside the first."""

from sleuth.planning.benchmark.results import Results
from sleuth.views.content import Line, Table
from sleuth.views.numbers import interval


def title(found: Results, problem: str) -> Line:
    """Return what stands above the table of a problem: what is proven of its optimal value."""
    bounds = found.bounds(problem)
    proven = "" if bounds is None else f": the optimal value lies between {bounds[0]:.4f} and {bounds[1]:.4f}"
    return Line(f"{problem}{proven}", strong=True)


def table(found: Results, problem: str) -> Table:
    """Return the table of the methods in a problem."""
    first = found.benchmark.able(problem)[0]
    rows = [
        (
            standing.method,
            str(standing.episodes),
            interval(standing.reward, digits=3),
            "" if standing.against is None else interval(standing.against, "+", 3),
            f"{1000 * standing.seconds:.2f}",
            f"{standing.decisions:.1f}",
        )
        for standing in found.standings()
        if standing.problem == problem
    ]
    columns = ("method", "episodes", "reward ± 95 %", f"minus {first} ± 95 %", "ms a decision", "decisions")
    return Table(columns, tuple(rows))
