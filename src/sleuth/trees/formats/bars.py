"""Answers by number of guesses, as a table of HTML with a bar in each row."""

from collections.abc import Mapping

STYLE = """
.bars { width: 100%; max-width: 36rem }
.bars td:last-child, .bars th:last-child { width: 70%; text-align: left; padding-right: 0 }
.bar { display: block; height: 1rem; min-width: 1px; background: var(--bar) }
.lost .bar { background: repeating-linear-gradient(45deg, var(--soft) 0 4px, transparent 4px 8px) }
""".strip()
"""The looks of it; the colours --bar and --soft are those of what it stands in."""


def bars(counts: Mapping[int, int], max_turns: int) -> str:
    """Return the table of how many answers take how many guesses; what is over the limit is marked."""
    most = max(counts.values())
    rows = []
    for turns, count in sorted(counts.items()):
        lost = ' class="lost"' if turns > max_turns else ""
        bar = f'<span class="bar" style="width:{100 * count / most:.2f}%"></span>'
        rows.append(f'<tr{lost}><th scope="row">{turns}</th><td>{count}</td><td>{bar}</td></tr>\n')
    return (
        '<table class="bars">\n<thead><tr><th scope="col">Guesses</th>'
        '<th scope="col">Answers</th><th scope="col" aria-label="Bar"></th></tr></thead>\n'
        f"<tbody>\n{''.join(rows)}</tbody>\n</table>\n"
    )
