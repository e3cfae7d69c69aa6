"""Pictures of how hard a list is: how many guesses players take, and in how many turns they are done."""

from __future__ import annotations

from collections.abc import Mapping
from io import StringIO
from typing import Any

from sleuth.coaching.difficulty.difficulty import MADE_BY, Difficulty
from sleuth.support.pictures import axes_or_new, canvases


def histograms(found: Mapping[str, Difficulty]) -> str:
    """Return a picture of the shares of games by guesses, and of those won so far, as the text of an SVG.

    found: by what it is called, such as "before" and "after"; a panel for each and one for all. Needs
    matplotlib.
    """
    figure, panels = canvases(len(found) + 1)
    for (name, one), axes in zip(found.items(), panels[:-1], strict=True):
        guesses(one, axes, _last(found))
        axes.set_title(f"{one.game.name}{f', {name}' if name else ''}")
    won(found, panels[-1])
    text = StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue().partition("<svg")[1] + text.getvalue().partition("<svg")[2]


def guesses(found: Difficulty, ax: Any = None, last: int | None = None) -> Any:
    """Draw the shares of games by guesses, player by player; returns the axes, new ones unless given.

    last: the most guesses that are shown.
    """
    axes = axes_or_new(ax)
    last = _last({"": found}) if last is None else last
    width = 0.8 / len(found.players)
    for i, player in enumerate(found.players):
        shares = player.histogram(found.game.prior)[:last]
        places = [t + 1 + (i - (len(found.players) - 1) / 2) * width for t in range(len(shares))]
        axes.bar(places, shares * 100, width, label=f"{player.title}: {found.mean(player):.3f}")
    axes.axvline(found.game.max_turns + 0.5, color="gray", linestyle=":")
    axes.set_xticks(range(1, last + 1))
    axes.set_xlabel("guesses")
    axes.set_ylabel("games, %")
    axes.set_title(found.game.name)
    axes.legend(title="mean", framealpha=1, edgecolor="none")  # the line may be behind it
    return axes


def won(found: Mapping[str, Difficulty], ax: Any = None) -> Any:
    """Draw the shares of games won in so many turns; returns the axes, new ones unless given.

    found: one list, or several, by what they are called.
    """
    axes = axes_or_new(ax)
    last = _last(found)
    for style, (name, one) in zip(("-", "--", ":"), found.items(), strict=False):
        for i, player in enumerate(one.players):
            shares = player.histogram(one.game.prior).cumsum()[:last]
            label = f"{player.title}{f', {name}' if name else ''}"
            axes.plot(range(1, len(shares) + 1), shares * 100, style, color=f"C{i}", marker=".", label=label)
    axes.axhline(MADE_BY * 100, color="gray", linestyle=":")
    axes.set_xticks(range(1, last + 1))
    axes.set_xlabel("turns")
    axes.set_ylabel("games won, %")
    axes.set_title(f"Games won in so many turns; the line is at {MADE_BY:.0%}")
    axes.legend(frameon=False)
    return axes


def _last(found: Mapping[str, Difficulty]) -> int:
    """Return the most guesses that pictures show."""
    most = max(player.shares.shape[1] for one in found.values() for player in one.players)
    return min(12, int(most))
