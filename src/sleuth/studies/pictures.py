"""Pictures of studies."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from sleuth.studies.played import Experiment, Standing
from sleuth.support.errors import SleuthError
from sleuth.support.pictures import intervals, of_one


def panels(found: Experiment) -> list[Callable[[Any], Any]]:
    """Return what draws a study, game by game: the means, and the differences where there is a baseline."""
    standings = found.standings()
    drawn: list[Callable[[Any], Any]] = []
    for game in dict.fromkeys(one.game for one in standings):
        drawn.append(partial(means, found, game=game))
        if any(one.against is not None for one in standings if one.game == game):
            drawn.append(partial(differences, found, game=game))
    return drawn


def means(found: Experiment, ax: Any = None, game: str | None = None) -> Any:
    """Draw the mean guesses of the strategies in a game, with their 95 % intervals.

    game: as it is called in the study; the first unless given. Returns the axes, new ones unless given.
    Raises SleuthError where no run in it is finished.
    """
    standings = _standings(found, game)
    axes = intervals([(one.strategy, one.mean) for one in standings], ax)
    axes.set_xlabel("guesses on average, with 95 % intervals")
    axes.set_title(standings[0].game)
    return axes


def differences(found: Experiment, ax: Any = None, game: str | None = None) -> Any:
    """Draw how many guesses more the strategies take in a game than the baseline, with 95 % intervals.

    See means. Raises SleuthError where there is no baseline, or it has not played.
    """
    standings = _standings(found, game)
    rows = [(one.strategy, one.against.difference) for one in standings if one.against is not None]
    if not rows:
        raise SleuthError(f"no picture is drawn: nothing is compared with a baseline in {standings[0].game}")
    axes = intervals(rows, ax)
    axes.axvline(0, color="0.35", linewidth=1, linestyle="--")
    axes.set_xlabel(f"guesses more than {found.study.baseline}, on average, with 95 % intervals")
    axes.set_title(standings[0].game)
    return axes


def _standings(found: Experiment, game: str | None) -> list[Standing]:
    return of_one(found.standings(), "game", game, "no run is finished")
