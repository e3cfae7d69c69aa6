"""Finished games as a browser keeps them, and the view of statistics that shows them."""

import json
from datetime import datetime, timedelta
from typing import Any

from browsers import feedback
from playwright.sync_api import FilePayload, Page, expect

from sleuth.coaching.playing.puzzles import FIRST_DAY, Puzzle, answers_of
from sleuth.coaching.playing.session import Session
from sleuth.games import wordlists
from sleuth.games.choice import GameChoice
from sleuth.games.frequencies import LANGUAGES

ANSWERS = wordlists.load("original").answers


def answer_of(number: int) -> str:
    [answer] = answers_of(ANSWERS, number)
    return answer


def game(number: int, *guesses: str, late: int = 0, **more: Any) -> dict[str, Any]:
    """Return a finished game of the original words as a file has it, won unless six guesses did not find it.

    late: days after its own on which it was begun.
    """
    answer = answer_of(number)
    words = (*guesses, answer)[:6]
    started = _noon(number + late)
    return {
        "id": f"wordle.original.easy.1.standard.{number}",
        "title": "Original words",
        "game": {"game": "wordle", "words": "original", "mode": "easy"},
        "boards": 1,
        "variant": "standard",
        "number": number,
        "guesses": list(words),
        "feedback": [[feedback(word, answer)] for word in words],
        "answers": [answer],
        "solved": [words[-1] == answer],
        "won": words[-1] == answer,
        "turns": 6,
        "hints": 0,
        "started": started,
        "finished": started + 60_000,
        "review": None,
        **more,
    }


def played(
    spec: dict[str, Any], number: int, *guesses: str, boards: int = 1, variant: str = "standard"
) -> dict[str, Any]:
    """Return a game of any kind as a file has it, played with these guesses and others to its end."""
    puzzle = Puzzle(GameChoice(**spec).build(), number, boards, variant)
    session = Session(puzzle)
    for word in guesses:
        session = session.play(word)
    while not session.over:
        session = session.play(_next(session))
    show = puzzle.game.rules.notation.show
    started = _noon(number)
    words = spec.get("words", f"{spec.get('pegs')}x{spec.get('colours')}")
    return {
        "id": ".".join(map(str, [spec["game"], words, spec["mode"], boards, variant, number])),
        "title": _title(spec),
        "game": spec,
        "boards": boards,
        "variant": variant,
        "number": number,
        "guesses": [puzzle.game.guesses[one] for one in session.guesses],
        "feedback": [[None if code is None else show(code).lower() for code in row] for row in session.codes],
        "answers": list(session.answers),
        "solved": list(session.solved),
        "won": session.won,
        "turns": puzzle.max_turns,
        "hints": 0,
        "started": started,
        "finished": started + 60_000,
        "review": None,
    }


def _next(session: Session) -> str:
    """Return a guess that fits the rows of the first board that is open, or its answer where rows may lie."""
    from sleuth.games.position import Position

    puzzle = session.puzzle
    board = session.solved.index(False)
    if puzzle.variant == "fibble" or len(session.guesses) + puzzle.boards > 5:
        return session.answers[board]
    return Position.after_rows(puzzle.game, session.rows(board)).words[0]


def _title(spec: dict[str, Any]) -> str:
    """Return the title of a game as the page keeps it."""
    mode = "" if spec["mode"] == "easy" else f", {spec['mode']} mode"
    if spec["game"] == "mastermind":
        return f"Mastermind, {spec['pegs']} pegs of {spec['colours']} colours{mode}"
    if spec["game"] == "bulls-and-cows":
        return f"Bulls and Cows, {spec['pegs']} digits{mode}"
    kind, *parts = spec["words"].split(":")
    if kind == "frequent":
        return f"{parts[2]} frequent words, {LANGUAGES[parts[0]]}, {parts[1]} letters{mode}"
    return {"original": "Original words", "nyt": "New York Times"}[kind] + mode


def _noon(number: int) -> int:
    """Return noon of a day by its number, in milliseconds."""
    noon = datetime.combine(FIRST_DAY, datetime.min.time()) + timedelta(days=number, hours=12)
    return int(noon.timestamp() * 1000)


def file_of(*games: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"format": "sleuth games", "version": 1, "games": list(games), "totals": [], **more}


def take_in(page: Page, content: Any) -> None:
    """Import a file and wait for what is said of it."""
    text = content if isinstance(content, str) else json.dumps(content)
    page.locator(".statistics-said").evaluate("place => place.replaceChildren()")
    page.set_input_files(
        "input[type=file]",
        files=[FilePayload(name="games.json", mimeType="application/json", buffer=text.encode())],
    )
    expect(page.locator(".statistics-said")).not_to_be_empty()


def figures(page: Page) -> dict[str, str]:
    page.wait_for_selector(".statistics-cards > .wide .figures")
    names = page.locator(".statistics-cards > .wide .figures dt").all_inner_texts()
    values = page.locator(".statistics-cards > .wide .figures dd").all_inner_texts()
    return dict(zip(names, values, strict=True))
