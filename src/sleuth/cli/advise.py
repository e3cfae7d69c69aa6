"""The next guess."""

from typing import TYPE_CHECKING, Annotated

import typer

from sleuth.cli import compiling, completing, show
from sleuth.cli.formats import with_format
from sleuth.cli.options import After, GameOptions, Json, Options, Ties, position, with_game
from sleuth.cli.options import strategy as strategy_of

if TYPE_CHECKING:
    from sleuth.coaching.advice import Advice
    from sleuth.games.position import Position

_SHOWN = 12


@with_format
@with_game
def rank(
    strategy: Annotated[
        str,
        typer.Argument(
            help="A strategy; `sleuth strategies` lists them.", autocompletion=completing.strategies
        ),
    ],
    of: GameOptions,
    after: After = None,
    limit: Annotated[int, typer.Option(min=1, help="How many guesses to show.")] = 20,
    option: Options = None,
    ties: Ties = None,
    json: Json = False,
) -> None:
    """Rank the best guesses now by a strategy, with their numbers."""
    from sleuth.games.strategy import rank as ranked
    from sleuth.support.specification import specification_of

    chosen = strategy_of(strategy, option, ties)
    at = position(of.build(), after)
    if not json:
        compiling.announce()
    found = ranked(chosen, at, min(limit, len(at.game.guesses)))
    if json:
        rows = [s.to_json() for s in found]
        show.as_json({"strategy": specification_of(chosen), **_state(at), "guesses": rows}, rows)
        return
    out = show.console()
    out.print(candidates(at))
    out.print(show.suggestions(found))
    out.print(_LEGEND if out.width >= _WIDE else _LEGEND.replace("\n", " "))


@with_format
@with_game
def suggest(
    of: GameOptions,
    after: After = None,
    limit: Annotated[int, typer.Option(min=1, help="How many guesses to show.")] = 5,
    seconds: Annotated[
        float, typer.Option(help="How long the search may take; then guesses are estimated, with bounds.")
    ] = 5.0,
    json: Json = False,
) -> None:
    """Suggest the best next guess, with reasons; `sleuth rank STRATEGY` ranks by a strategy of yours."""
    from sleuth.coaching.advice import advise

    at = position(of.build(), after)
    if at.solved:
        word = at.words[0]
        if json:
            show.as_json({"guess": None, "method": "solved", **_state(at), "guesses": []}, [])
        else:
            print(f"{word} is the answer, found in {at.turn - 1} {'guess' if at.turn == 2 else 'guesses'}.")
        return
    advice = advise(at, min(limit, len(at.game.guesses)), at_once=True, seconds=seconds)
    if json:
        found = advice.to_json()
        show.as_json({"guess": found["guesses"][0]["guess"], **_state(at), **found}, found["guesses"])
        return
    out = show.console()
    out.print(candidates(at))
    out.print(f"Guess [bold]{advice.suggestions[0].guess}[/bold]: {reason(advice)}")
    if len(advice.suggestions) > 1:
        out.print(show.suggestions(advice.suggestions))
        out.print(_LEGEND if out.width >= _WIDE else _LEGEND.replace("\n", " "))
    if advice.provisional:
        show.note(
            "This is a quick estimate, as the search is not compiled on this machine yet;"
            " sleuth warmup does that, once, in about a minute."
        )
    elif _was_searched(advice) and advice.suggestions[0].expected_by in ("rollout", "estimate"):
        show.note("The search did not come to an end; with more time than --seconds it may.")


def _was_searched(advice: "Advice") -> bool:
    """Say whether a search was begun, which may not have come to an end."""
    from sleuth.coaching.advice import BEAM_UP_TO

    return not advice.sampled and len(advice.position.candidates) <= BEAM_UP_TO


# Columns that the legend takes.
_WIDE = 100
_LEGEND = (
    "[dim]bits: information expected; left: candidates expected to be left; worst: the most that may be;\n"
    "groups: kinds of feedback; chance: to be right; guesses: expected from here, this one included[/dim]"
)


def _state(at: "Position") -> dict[str, object]:
    return {
        "game": at.game.name,
        "mode": at.game.mode,
        "turn": at.turn,
        "candidates": len(at.candidates),
        "words": list(at.likeliest[:100]),
        "widened": at.widened,
        "notes": list(at.game.notes),
    }


def candidates(at: "Position") -> str:
    """Return how many candidates are left, the words where they are few, and remarks on the list."""
    count = len(at.candidates)
    lines = [f"[dim]{remark}[/dim]" for remark in at.game.notes]
    if at.widened:
        lines.append("No listed answer fits; these allowed guesses do:")
    shown = f": {' '.join(at.likeliest)}" if count <= _SHOWN else ""
    lines.append(f"{count} {'candidate' if count == 1 else 'candidates'} left{shown}")
    return "\n".join(lines)


def reason(advice: "Advice") -> str:
    """Return why the first suggestion is the best, in a sentence."""
    best = advice.suggestions[0]
    count = len(advice.position.candidates)
    if count == 1:
        return "it is the only word that fits."
    means = {
        "rollout": "rollout puts it at",
        "search": "the best play found takes",
        "exact": "it takes",
        "network": "a network expects",
        "estimate": "an estimate, as a rule a little too low, puts it at",
    }[best.expected_by]
    # Where all are told apart, the guess after this one is right, and the estimate exact.
    if best.expected_by == "estimate" and best.classes == count:
        means = "it takes"
    right = (
        f"it is right with {show.percent(best.chance)}"
        if best.chance > 0
        else "it cannot be the answer itself"
    )
    if best.classes == count:
        split = f"its feedback tells all {count} apart"
    else:
        split = (
            f"it splits {count} into {best.classes} groups of {best.worst_left} at most, {best.bits:.2f} bits"
        )
    drawn = (
        " There are too many pairs of guess and candidate to weigh all: it is the best of the guesses that a"
        " sample of the candidates finds good."
        if advice.sampled
        else ""
    )
    return f"{means} {best.expected_guesses:.3f} guesses on average; {split}; {right}.{drawn}"
