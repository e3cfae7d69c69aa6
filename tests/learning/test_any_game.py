"""The candidate-set player of any game: what is drawn, what is remembered, that it learns and goes on."""

from typing import Any

import numpy as np
import pytest
from learners import goes_on

import sleuth
from sleuth.games.game import Game
from sleuth.games.pegs import mastermind
from sleuth.games.position import Position
from sleuth.games.rules import WordleRules
from sleuth.learning.candidates import drawn_games
from sleuth.learning.candidates.drawn_games import HELD_OUT, LENGTHS, SIZES, draw
from sleuth.learning.strategies import Learned, LearnedSearch
from sleuth.strategies.heuristics import InformationGain
from sleuth.support.errors import SleuthError
from sleuth.trees.tree import DecisionTree

QUICK = {
    "shortlist": 8,
    "hidden": 16,
    "openers": 2,
    "updates": 10,
    "batch": 32,
    "value_batch": 64,
    "games": 2,
    "played": 16,
    "judged": 2,
}


def learner(seed: int = 0, **changes: Any) -> Any:
    pytest.importorskip("torch")
    from sleuth.learning.candidates.any_game import build

    return build({**QUICK, **changes}, mastermind(2, 3), seed, "cpu")


@pytest.fixture
def small_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have games drawn that are learned in seconds."""
    pytest.importorskip("torch")

    def drawn(rng: np.random.Generator) -> Game:
        pegs, colours = [(2, 5), (3, 4), (2, 7), (4, 3)][rng.integers(4)]
        return mastermind(pegs, colours)

    monkeypatch.setattr("sleuth.learning.candidates.any_game.draw", drawn)


def test_games_drawn_are_as_said() -> None:
    games = [draw(np.random.default_rng(seed)) for seed in range(30)]
    again = [draw(np.random.default_rng(seed)) for seed in range(6)]
    assert [game.answers for game in games[:6]] == [game.answers for game in again]
    words = [game for game in games if isinstance(game.rules, WordleRules)]
    assert 10 < len(words) < 25
    assert {len(game.answers[0]) for game in words} <= set(LENGTHS)
    assert all(99 < len(game.answers) < 701 for game in words)
    assert any(len(game.guesses) > len(game.answers) for game in words)
    assert any(len(game.guesses) == len(game.answers) for game in words)


def test_what_it_is_judged_by_is_never_drawn() -> None:
    assert not {*SIZES} & {*HELD_OUT}
    assert not {*drawn_games.LANGUAGES} & {"de", "en", "pl", "ru"}


def test_sets_of_any_games_are_seen_as_those_of_one(small_games: None) -> None:
    import torch

    from sleuth.learning.candidates.any_game import Described
    from sleuth.learning.candidates.imitation import Config, Imitation

    one = Imitation(Config(width=0, hidden=8, shortlist=6, openers=3), mastermind(3, 4), 1)
    one.teach()
    for parameter in one.policy.parameters():
        torch.nn.init.normal_(parameter, std=0.1)
    known = Described.of(one.lessons, "cpu")
    with torch.no_grad():
        assert torch.equal(one.policy(known.seen()), one.policy(one.lessons.seen("cpu")))
        worth = Described.of(one.worths, "cpu")
        assert torch.equal(one.value(worth.seen()), one.value(one.worths.seen("cpu")))
    some = known.take(torch.tensor([2, 0]))
    both = some.and_(known.take(slice(3, 5)), 3)
    assert both.sizes.tolist() == known.sizes[[0, 3, 4]].tolist()
    assert torch.equal(both.totals, known.totals[[0, 3, 4]])


def test_it_learns_in_seconds(small_games: None) -> None:
    one = learner()
    before, losses = one.evaluate(), []
    for _ in range(6):
        metrics = one.step()
        losses.append(metrics["value"])
    after = one.evaluate()
    assert all(np.isfinite(value) for value in metrics.values())
    assert one.weights()["shortlist"] == 16
    assert metrics["lessons"] == len(one.known.sizes) > 50
    assert metrics["worths"] == len(one.worth.sizes) > 50
    assert after["failures"] == after["policy_failures"] == 0
    assert after["mean"] <= before["mean"]
    assert losses[-1] < losses[0] / 2


def test_going_on_is_as_never_having_stopped(small_games: None, monkeypatch: pytest.MonkeyPatch) -> None:
    # The bounds that beam search remembers make it better as it goes on: not the same twice.
    monkeypatch.setattr(
        "sleuth.learning.candidates.any_game._Pupil._taught", lambda self, sets: 3.0 * sets.sizes
    )
    one, other = learner(), learner(seed=5)
    one.load_state_dict(one.state_dict())  # of nothing learned
    one.step()
    goes_on(one, other)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"width": 3}, "knows no words: width and folds are 0"),
        ({"folds": 5}, "knows no words"),
        ({"games": 0}, "games must be 1 or more, not 0"),
        ({"played": 0}, "played must be 1 or more"),
        ({"judged": 0}, "judged must be 1 or more"),
    ],
)
def test_bad_hyperparameters_are_named(change: dict[str, int], said: str) -> None:
    with pytest.raises(SleuthError, match=said):
        learner(**change)


@pytest.mark.parametrize(
    "strategy",
    [
        Learned("candidates_any"),
        pytest.param(LearnedSearch("candidates_any", 128), marks=pytest.mark.thorough),
    ],
)
@pytest.mark.parametrize(
    "game",
    [
        pytest.param(mastermind(3, 9), marks=pytest.mark.thorough),
        pytest.param(sleuth.wordle("frequent:de:5:1000"), marks=pytest.mark.thorough),
        sleuth.wordle("frequent:en:4:1000"),
    ],
    ids=["pegs", "German", "four letters"],
)
def test_the_shipped_player_is_no_worse_than_information_gain_in_games_it_never_saw(
    strategy: Learned | LearnedSearch, game: Game
) -> None:
    opener = game.guesses[InformationGain().choose(Position.start(game))]
    base, found = (DecisionTree.build(one, game, opener).turns.sum() for one in (InformationGain(), strategy))
    assert found <= 1.002 * base
