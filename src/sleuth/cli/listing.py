"""What there is: games, word lists, strategies; and compiling ahead."""

import time
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from sleuth.cli import show
from sleuth.cli.formats import with_format
from sleuth.cli.options import Json

if TYPE_CHECKING:
    from sleuth.support.registry import Registry


@with_format
def games(json: Json = False) -> None:
    """List the games and the word lists."""
    from rich.markup import escape

    from sleuth.games import GAMES, MODES, frequencies, wordlists

    if json:
        show.as_json(
            {
                "games": {name: entry.summary for name, entry in GAMES.items()},
                "words": wordlists.NAMED,
                "languages": frequencies.languages(),
                "modes": MODES,
            },
            [{"game": name, "summary": entry.summary} for name, entry in GAMES.items()],
        )
        return
    out = show.console()
    for heading, lines in (
        ("Games (--game)", {name: entry.summary for name, entry in GAMES.items()}),
        (
            "Word lists for wordle (--words)",
            {
                **wordlists.NAMED,
                wordlists.SELECTED_FORM: "the most frequent English words among the answers of one of these",
                wordlists.FREQUENT_FORM: _frequent_words(),
            },
        ),
        ("Modes (--mode)", dict(MODES)),
    ):
        out.print(f"[bold]{heading}[/bold]")
        for name, summary in lines.items():
            out.print(f"  {name:<27} {escape(summary)}")


def _frequent_words() -> str:
    """Return which lists of frequent words there are, and how to get the others where they are missing."""
    from sleuth.games import frequencies

    ours = f"a language's most frequent words, up to {frequencies.COUNT}: {', '.join(frequencies.LANGUAGES)}"
    others = [code for code in frequencies.languages() if code not in frequencies.LANGUAGES]
    if others:
        return f"{ours}; with wordfreq more words, and {', '.join(others)}"
    return f"{ours}; more words and languages: {frequencies.MORE}"


@with_format
def strategies(json: Json = False) -> None:
    """List the strategies and their options."""
    from sleuth.strategies.registry import STRATEGIES

    found = {name: described(STRATEGIES, name) for name in STRATEGIES}
    if json:
        rows = [
            {"strategy": name, "summary": entry["summary"], "options": in_words(entry)}
            for name, entry in found.items()
        ]
        show.as_json({"strategies": found}, rows)
        return
    out = show.console()
    for name, entry in found.items():
        out.print(f"[bold]{name:<30}[/bold] {entry['summary']}")
        out.print(f"{'':<30} [dim]{in_words(entry)}[/dim]")


def in_words(entry: dict[str, Any]) -> str:
    """Return the options of what is described with what they are unless given."""
    return ", ".join(key if value is None else f"{key}={value}" for key, value in entry["options"].items())


def described(registry: "Registry[type[Any]]", name: str) -> dict[str, Any]:
    """Return what a strategy or method is and its options; of another program's that fails, how it does."""
    from sleuth.support.errors import SleuthError
    from sleuth.support.foreign import fault_of_theirs
    from sleuth.support.specification import default_of, option_fields

    summary = registry[name].summary
    try:
        known = option_fields(registry.load(name))
    except Exception as error:
        fault = str(error) if isinstance(error, SleuthError) else fault_of_theirs(error)
        if fault is None:
            raise
        return {"summary": f"{summary}; it cannot be loaded: {fault}", "options": {}}
    return {"summary": summary, "options": {key: default_of(field) for key, field in known.items()}}


def warmup(
    area: Annotated[
        Literal["games", "research", "planning"],
        typer.Argument(
            help="What is compiled: what games take; what the strategies of the papers, equilibria and"
            " learned players take besides; or planning."
        ),
    ] = "games",
    all_: Annotated[bool, typer.Option("--all", help="Compile all of it.")] = False,
    json: Json = False,
) -> None:
    """Compile kernels now, so that no later command that needs them has to."""
    from sleuth.warmup.steps import AREAS, compile_ahead

    began = time.perf_counter()
    with show.steps("compiling what is not compiled yet") as update:
        compile_ahead(list(AREAS) if all_ else [area], update)
    seconds = time.perf_counter() - began
    if json:
        show.as_json({"seconds": round(seconds, 3)})
    else:
        print(f"kernels are ready ({seconds:.1f} s)")
