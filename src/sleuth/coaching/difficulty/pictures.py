"""Pictures of how hard a list is: how many guesses players take, and in how many turns they are done."""

from __future__ import annotations

from collections.abc import Mapping
from io import StringIO

from sleuth.coaching.difficulty.difficulty import MADE_BY, Difficulty
from sleuth.support.pictures import canvases


def histograms(found: Mapping[str, Difficulty]) -> str:
    """Return a picture of the shares of games by guesses, and of those won so far, as the text of an SVG.

    found: by what it is called, such as "before" and "after"; a panel for each and one for all. Needs
    matplotlib.
    """
    figure, panels = canvases(len(found) + 1)
    last = min(12, max(player.shares.shape[1] for one in found.values() for player in one.players))
    for (name, one), axes in zip(found.items(), panels[:-1], strict=True):
        width = 0.8 / len(one.players)
        for i, player in enumerate(one.players):
            shares = player.histogram(one.game.prior)[:last]
            places = [t + 1 + (i - (len(one.players) - 1) / 2) * width for t in range(len(shares))]
            axes.bar(places, shares * 100, width, label=f"{player.title}: {one.mean(player):.3f}")
        axes.axvline(one.game.max_turns + 0.5, color="gray", linestyle=":")
        axes.set_xticks(range(1, last + 1))
        axes.set_xlabel("guesses")
        axes.set_ylabel("games, %")
        axes.set_title(f"{one.game.name}{f', {name}' if name else ''}")
        axes.legend(title="mean", frameon=False)
    axes = panels[-1]
    for style, (name, one) in zip(("-", "--", ":"), found.items(), strict=False):
        for i, player in enumerate(one.players):
            won = player.histogram(one.game.prior).cumsum()[:last]
            label = f"{player.title}{f', {name}' if name else ''}"
            axes.plot(range(1, len(won) + 1), won * 100, style, color=f"C{i}", marker=".", label=label)
    axes.axhline(MADE_BY * 100, color="gray", linestyle=":")
    axes.set_xticks(range(1, last + 1))
    axes.set_xlabel("turns")
    axes.set_ylabel("games won, %")
    axes.set_title(f"Games won in so many turns; the line is at {MADE_BY:.0%}")
    axes.legend(frameon=False)
    text = StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue().partition("<svg")[1] + text.getvalue().partition("<svg")[2]
