"""How hard a list is, or what a change makes of it, as one HTML page that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from sleuth.coaching.difficulty.change import Change
from sleuth.coaching.difficulty.difficulty import MADE_BY, UNFAIR, Difficulty
from sleuth.coaching.difficulty.pictures import histograms

_STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { padding: .15rem .8rem .15rem 0; text-align: left; vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
thead th { border-bottom: 1px solid; }
svg { background: #fff; height: auto; max-width: 100%; }
.wide { overflow-x: auto; }
"""
_MOST = 30


def page(found: Difficulty | Change) -> str:
    """Return the page as text. Needs matplotlib."""
    if isinstance(found, Change):
        title = f"{found.before.game.listed}, before and after"
        body = [_change(found), "<h2>After</h2>", _tables(found.after)]
        pictures = histograms({"before": found.before, "after": found.after})
        after = found.after
    else:
        title, pictures, after = found.game.listed, histograms({"": found}), found
        body = [_players(found), _tables(found)]
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>How hard: {escape(title)}</title><style>{_STYLE}</style></head><body><main>",
            f"<h1>How hard: {escape(title)}</h1>",
            f"<p>{escape(about(after))}</p>",
            body[0],
            f"<figure>{pictures}</figure>",
            *body[1:],
            "</main></body></html>",
            "",
        ]
    )


def about(found: Difficulty) -> str:
    """Return what was asked, in a sentence or two."""
    game = found.game
    known = f" The casual player is simulated, with the word frequencies of {found.language}." * bool(
        found.language
    )
    drawn = f" drawn from {found.drawn_of:,}" if found.drawn_of else ""
    if found.drawn_of and found.weakest.name == "casual":
        known += " Of the answers it knows those drawn alone, which makes it stronger than with all of them."
    return (
        f"{game.name}, {game.mode} mode: {len(game.answers)} answers{drawn}, {len(game.guesses)} guesses,"
        f" {game.max_turns} turns.{known}"
    )


def _players(found: Difficulty) -> str:
    return table(
        ("player", "mean", "lost", f"turns for {MADE_BY:.0%}", ""),
        [
            (
                player.title,
                f"{found.mean(player):.4f}",
                f"{found.lost(player):.1%}",
                found.turn_limit(player),
                "proved" if player.proved else "",
            )
            for player in found.players
        ],
    )


def _change(found: Change) -> str:
    rows = [(row["measure"], shown(row["before"]), shown(row["after"])) for row in found.to_records()]
    moved = [(word, f"{old:.2f}", f"{new:.2f}") for word, old, new in found.moved()]
    return "\n".join(
        [
            f"<p>Added: {escape(', '.join(found.added) or 'none')}. Removed:"
            f" {escape(', '.join(found.removed) or 'none')}.</p>",
            table(("measure", "before", "after"), rows),
            "<h2>Words that change most</h2>",
            table(("word", "guesses before", "after"), moved),
        ]
    )


def _tables(found: Difficulty) -> str:
    weakest = found.weakest.title
    parts = [
        "<h2>Best openers</h2>",
        table(
            ("guess", "guesses expected"),
            [(one.guess, f"{one.expected_guesses:.4f}") for one in found.openers],
        ),
    ]
    parts += ["<h2>Unfair words</h2>"]
    if found.unfair:
        parts += [
            f"<p>The {weakest} loses more than {UNFAIR:.0%} of their games, or best play fails.</p>",
            table(
                ("word", "lost", "why"),
                [(u.word, f"{u.lost:.0%}", "; ".join(u.reasons)) for u in found.unfair],
            ),
        ]
    else:
        parts += [f"<p>None: the {weakest} loses no word in more than {UNFAIR:.0%} of the games.</p>"]
    if found.families:
        rows = [(f.label, len(f.words), " ".join(f.words)) for f in found.families[:_MOST]]
        parts += ["<h2>Families: words that differ in one letter</h2>", table(("pattern", "words", ""), rows)]
    if found.adversary is not None:
        host = found.adversary
        parts += [
            "<h2>An adversary</h2>",
            f"<p>An adversary's choice of answers holds any guesser to {host.lower:.4f} guesses on average;"
            f" {host.upper:.4f} suffice.</p>",
            table(("word", "chance"), [(word, f"{p:.2%}") for word, p in host.hardest(_MOST)]),
        ]
    records = found.to_records()
    parts += [
        "<h2>All answers</h2>",
        f"<details><summary>{len(records)} answers</summary>",
        table(list(records[0]), [[shown(value) for value in row.values()] for row in records]),
        "</details>",
    ]
    return "\n".join(parts)


def shown(value: Any) -> str:
    """Return a value as people read it."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table: what looks like a number is aligned to the right."""
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>\n" for row in rows)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>'


def _cell(value: object) -> str:
    text = str(value)
    return f"<td{' class=n' if text[:1].isdigit() else ''}>{escape(text)}</td>"
