"""Games by a function of other people, whose feedback is labels: they are told as they are."""

import pytest

from sleuth.coaching.reviews.others import review_absurdle, review_boards
from sleuth.games.game import Game
from sleuth.web import advising, exploring, playing
from sleuth.web.schemas import BranchesRequest, GuessRequest


def closeness(guess: str, answer: str) -> str:
    return "Hot" if guess == answer else "Warm" if set(guess) & set(answer) else "Cold"


@pytest.fixture
def labelled(monkeypatch: pytest.MonkeyPatch) -> Game:
    game = Game.from_function(closeness, ["ab", "cd", "ef", "ac"])
    for module in (playing, advising):
        monkeypatch.setattr(module, "game_of", lambda _: game)
    return game


def test_a_guess_gets_its_label(labelled: Game) -> None:
    given = {"puzzle": {"number": 1}, "guesses": [], "guess": "ab"}
    (got,) = playing.guess(GuessRequest.model_validate(given))["feedback"]
    assert got in {"Hot", "Warm", "Cold"}


def test_branches_are_labels(labelled: Game) -> None:
    found = exploring.branches(BranchesRequest.model_validate({"rows": [], "guess": "ab"}))
    assert {branch["feedback"] for branch in found["branches"]} == {"Hot", "Warm", "Cold"}


def test_reviews_of_other_games_have_labels(labelled: Game) -> None:
    rows = [("ab", "Cold"), ("cd", "Hot")]
    assert [move.feedback for move in review_absurdle(labelled, rows).moves] == ["Cold", "Hot"]
    moves = review_boards(labelled, [rows, [("ab", "Hot")]]).moves
    assert [move.feedback for move in moves] == [("Cold", "Hot"), ("Hot", None)]
