"""What there is: games, word lists, strategies; and compiling ahead."""

import time
from typing import Any

from sleuth.cli import show
from sleuth.cli.options import Json


def games(json: Json = False) -> None:
    """List the games and the word lists."""
    from sleuth.games import GAMES, MODES, wordlists

    if json:
        show.as_json(
            {
                "games": {name: entry.summary for name, entry in GAMES.items()},
                "words": wordlists.NAMED,
                "modes": MODES,
            }
        )
        return
    out = show.console()
    for heading, lines in (
        ("Games (--game)", {name: entry.summary for name, entry in GAMES.items()}),
        (
            "Word lists for wordle (--words)",
            {**wordlists.NAMED, wordlists.FREQUENT_FORM: "the most frequent words of a language"},
        ),
        ("Modes (--mode)", dict(MODES)),
    ):
        out.print(f"[bold]{heading}[/bold]")
        for name, summary in lines.items():
            out.print(f"  {name:<27} {summary}")


def strategies(json: Json = False) -> None:
    """List the strategies and their options."""
    from sleuth.strategies.registry import STRATEGIES
    from sleuth.support.specification import default_of, option_fields

    found: dict[str, Any] = {
        name: {
            "summary": entry.summary,
            "options": {
                key: default_of(field) for key, field in option_fields(STRATEGIES.load(name)).items()
            },
        }
        for name, entry in STRATEGIES.items()
    }
    if json:
        show.as_json({"strategies": found})
        return
    out = show.console()
    for name, entry in found.items():
        options = ", ".join(
            key if value is None else f"{key}={value}" for key, value in entry["options"].items()
        )
        out.print(f"[bold]{name:<30}[/bold] {entry['summary']}")
        out.print(f"{'':<30} [dim]{options}[/dim]")


def warmup(json: Json = False) -> None:
    """Compile the kernels now, so that no later command has to."""
    from sleuth.warmup import compile_all

    began = time.perf_counter()
    if not json:
        show.note("compiling what is not compiled yet: two minutes on one core, one on two")
    compile_all()
    seconds = time.perf_counter() - began
    if json:
        show.as_json({"seconds": round(seconds, 3)})
    else:
        print(f"kernels are ready ({seconds:.1f} s)")
