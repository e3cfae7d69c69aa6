"""What the shell offers when a person presses Tab: names out of the tables that the commands look them up in.

`sleuth --install-completion` sets it up. Each function takes what is typed so far and returns the names that
begin so, each with what it is.
"""

from collections.abc import Mapping
from typing import Any

import typer

Offered = list[tuple[str, str]]


def games(incomplete: str) -> Offered:
    """Return games."""
    from sleuth.games import GAMES

    return _registered(GAMES, incomplete)


def words(incomplete: str) -> Offered:
    """Return word lists, and the beginnings of lists of frequent words."""
    from sleuth.games import frequencies, wordlists

    frequent = {f"frequent:{code}:5:2000": "frequent words" for code in frequencies.LANGUAGES}
    return _named({**wordlists.NAMED, **frequent}, incomplete)


def modes(incomplete: str) -> Offered:
    """Return modes."""
    from sleuth.games import MODES

    return _named({str(mode): said for mode, said in MODES.items()}, incomplete)


def priors(incomplete: str) -> Offered:
    """Return priors; a file may be given as well."""
    from sleuth.games import frequencies

    ours = {"uniform": "all answers alike", "frequency": "as often as words are written"}
    return _named({**ours, **{f"frequency:{code}": "" for code in frequencies.LANGUAGES}}, incomplete)


def strategies(incomplete: str) -> Offered:
    """Return strategies."""
    from sleuth.strategies.registry import STRATEGIES

    return _registered(STRATEGIES, incomplete)


def options(ctx: typer.Context, incomplete: str) -> Offered:
    """Return the options of the strategy that was typed before, each with what it is unless given."""
    from sleuth.strategies.registry import STRATEGIES
    from sleuth.support.specification import default_of, option_fields

    # The last -o lacks its value, at which the parser stops; what it has not placed is in args.
    typed = [str(one).partition("(")[0] for one in (ctx.params.get("strategy"), *ctx.args)]
    name = next((one for one in typed if one in STRATEGIES), None)
    if name is None:
        return []
    try:
        known = option_fields(STRATEGIES.load(name))
    except Exception:  # of another program's: there is nothing to offer, and nobody to tell
        return []
    return _named(
        {f"{key}=": f"unless given: {default_of(field)}" for key, field in known.items()}, incomplete
    )


def ties(incomplete: str) -> Offered:
    """Return tie rules."""
    return _named(dict.fromkeys(("candidates-first", "list-order"), ""), incomplete)


def joint_strategies(incomplete: str) -> Offered:
    """Return strategies for several boards."""
    from sleuth.variants.boards.strategies import JOINT

    return _registered(JOINT, incomplete)


def samplers(incomplete: str) -> Offered:
    """Return samplers of tree search."""
    from sleuth.planning.samplers import SAMPLERS

    return _registered(SAMPLERS, incomplete)


def problems(incomplete: str) -> Offered:
    """Return control problems, and POMDPs."""
    from sleuth.planning.benchmark.problems import SUMMARIES
    from sleuth.processes.problems import PROBLEMS

    return _named(SUMMARIES | {name: entry.summary for name, entry in PROBLEMS.items()}, incomplete)


def controls(incomplete: str) -> Offered:
    """Return control problems."""
    from sleuth.processes.problems import PROBLEMS

    return _registered(PROBLEMS, incomplete)


def methods(ctx: typer.Context, incomplete: str) -> Offered:
    """Return the methods that plan for the problem or file that was typed before."""
    from sleuth.cli.pomdps import is_named
    from sleuth.planning.benchmark.problems import DRAWN
    from sleuth.planning.methods import FOR_FILES, METHODS

    # The last --method lacks its value, at which the parser stops; what it has not placed is in args.
    typed = [str(one) for one in (ctx.params.get("problem"), *ctx.args)]
    able = list(METHODS)
    for one in typed:
        if one.endswith((".pomdp", ".pomdpx")) or is_named(one):
            able = list(FOR_FILES)
        elif one in DRAWN:
            able = ["pomcp", "despot"]
    return _named({name: METHODS[name].summary for name in able}, incomplete)


def tables(incomplete: str) -> Offered:
    """Return published tables."""
    from sleuth.published import EXPERIMENTS

    return _registered(EXPERIMENTS, incomplete) + _named({"all": "a page of all"}, incomplete)


def records(incomplete: str) -> Offered:
    """Return rows of the table of what is proved."""
    from sleuth.ledger.record import records as rows

    return _named({row.name: row.status for row in rows()}, incomplete)


def configurations(incomplete: str) -> Offered:
    """Return configurations of training that ship."""
    from sleuth.learning.runs.configuration import shipped

    return _named(dict.fromkeys(shipped(), ""), incomplete)


def _registered(registry: Mapping[str, Any], incomplete: str) -> Offered:
    return _named({name: registry[name].summary for name in registry}, incomplete)


def _named(known: Mapping[str, str], incomplete: str) -> Offered:
    return [(name, said) for name, said in sorted(known.items()) if name.startswith(incomplete)]
