"""An episode of planning: what was done and seen, turn by turn, and how the belief moved."""

from __future__ import annotations

from sleuth.planning.recording import Episode, Shares
from sleuth.views import html
from sleuth.views.content import Block, Figures, Line, Moment, Moments, Share

_MOST = 10
# States may print as whole boards.
_LONG = 48


def blocks(episode: Episode) -> list[Block]:
    """Return what is shown of an episode."""
    return [Line(_title(episode), strong=True), *_body(episode)]


def page(episode: Episode) -> str:
    """Return an episode as a document of its own."""
    return html.page(_title(episode), _body(episode))


def beliefs(episode: Episode) -> list[tuple[tuple[Share, ...], Share | None]]:
    """Return what is shown of the belief at first and after each turn: values, and what all others have.

    Of many values these are the likeliest and the true one; of a belief that is not known there are none.
    """
    moments = [(episode.belief, episode.hidden), *((turn.belief, turn.hidden) for turn in episode.turns)]
    names = list(dict.fromkeys(name for belief, _ in moments for name in belief))
    # Few values keep their places, so that bars can be followed from turn to turn.
    order = names if len(names) <= _MOST else None
    before: Shares = {}
    found = []
    for belief, true in moments:
        found.append(_shares(belief, before, true, order))
        before = belief
    return found


def _title(episode: Episode) -> str:
    return f"{_cut(episode.method)} plays {_cut(episode.problem)}"


def _body(episode: Episode) -> list[Block]:
    fixed = all(turn.hidden == episode.hidden for turn in episode.turns)
    figures = {
        f"Discounted {episode.amounts}": _number(episode.total),
        "Turns": str(len(episode.turns)),
        "Discount": _number(episode.discount),
        "Hidden" if fixed else "Hidden at first": _cut(episode.hidden),
    }
    if episode.final:
        figures[f"Final {episode.amounts}"] = _number(episode.final)
    legend = "A bar is what is believed after the turn, a line across it what was believed before."
    return [Figures(figures), Line(legend), Moments(tuple(_moments(episode, fixed)))]


def _moments(episode: Episode, fixed: bool) -> list[Moment]:
    first, *others = beliefs(episode)
    seen = {"Seen": _cut(episode.seen)} if episode.seen else {}
    found = [Moment("At first", seen, *first)]
    played = zip(episode.turns, episode.sums, others, strict=True)
    for number, (turn, total, belief) in enumerate(played, 1):
        facts = {"Seen": _cut(turn.observation)}
        if not fixed:
            facts["Hidden"] = _cut(turn.hidden)
        facts[episode.amounts.capitalize()] = _number(turn.amount)
        facts["Sum"] = _number(total)
        found.append(Moment(f"{number}. {_cut(turn.action)}", facts, *belief))
    return found


def _shares(
    belief: Shares, before: Shares, true: str, order: list[str] | None
) -> tuple[tuple[Share, ...], Share | None]:
    """Return the likeliest values and the true one, and what the rest has; all where they have an order."""
    if not belief:
        return (), None
    names = sorted(belief, key=lambda name: -belief[name])[:_MOST] if order is None else order
    names = list(dict.fromkeys([*names, true])) if true in belief else names

    def share(name: str) -> Share:
        was = before.get(name, 0.0) if before else None
        return Share(_cut(name), belief.get(name, 0.0), was, name == true)

    found = tuple(map(share, names))
    left = belief.keys() - set(names)
    if not left:
        return found, None
    was = sum(share for name, share in before.items() if name not in names) if before else None
    rest = sum(belief[name] for name in left)
    return found, Share(f"{len(left)} more", rest, was, False)


def _cut(text: str) -> str:
    """Return a text on one line, and no longer than is sane."""
    line = " ".join(text.split())
    return line if len(line) <= _LONG else f"{line[: _LONG - 1]}…"


def _number(value: float) -> str:
    return f"{round(value, 4) + 0:.10g}"  # of -0.0 it makes 0
