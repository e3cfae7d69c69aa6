"""What is known of the best play in many games, as the page lists it, in words of players."""

from __future__ import annotations

from typing import Any

from sleuth.games.choice import GameChoice
from sleuth.games.wordlists import called
from sleuth.ledger import wording
from sleuth.ledger.record import Record
from sleuth.ledger.record import records as rows


def records() -> dict[str, Any]:
    """Return the rows of the table that ships, each with what it says in words."""
    return {
        "records": [
            {
                **row.to_json(),
                "title": title(row),
                "task": task(row),
                "result": wording.result(row),
                "mean": wording.mean(row),
            }
            for row in rows()
        ]
    }


def title(row: Record) -> str:
    """Return which game is meant, in words: "Mastermind, 4 pegs of 6 colours, no colour twice"."""
    parts = [_name(row.game, row.answers)]
    if row.game.mode not in (None, "easy"):
        parts.append(f"{row.game.mode} mode")
    if row.game.prior != "uniform":
        parts.append("frequent words likelier")
    return ", ".join(parts)


def task(row: Record) -> str:
    """Return what is asked of the game: "fewest guesses on average, starting with crane"."""
    what = {
        "mean": "fewest guesses on average",
        "worst": "fewest guesses that always suffice",
        "solved": f"most answers found within {row.game.max_turns} guesses",
    }[row.objective]
    usual = 6 if row.game.game == "wordle" else 10
    within = row.objective == "mean" and row.game.max_turns != usual
    return (
        what
        + (f", all found within {row.game.max_turns}" if within else "")
        + ("" if row.asked is None else f", starting with {row.asked}")
    )


def _name(game: GameChoice, answers: int) -> str:
    """Return the name of a game without its mode."""
    if game.game == "mastermind":
        twice = ", no colour twice" if game.repeats is False else ""
        black = ", black pegs alone" if game.black else ""
        return f"Mastermind, {game.pegs} pegs of {game.colours} colours{twice}{black}"
    if game.game == "bulls-and-cows":
        return f"Bulls and Cows, {game.pegs} digits"
    words = str(game.words)
    whole, _, count = words.partition(":")
    # So many words as there are answers: the list without the guesses that are none.
    name = f"{called(whole)}, only answers guessed" if count == str(answers) else called(words)
    return name[0].upper() + name[1:]
