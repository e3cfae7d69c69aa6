"""What the server offers beside what packages add: their strategies, and no games that it has no form for."""

from typing import Any

import pytest

from sleuth.games import GAMES
from sleuth.strategies.registry import STRATEGIES
from sleuth.support.registry import Registry
from sleuth.web import advising, offering
from sleuth.web import strategies as listed


def test_games_of_packages_are_not_on_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    more: Registry[Any] = Registry(GAMES.kind, dict(GAMES.entries))
    more.register("coins", "somewhere:coins", "of a package")
    monkeypatch.setattr(offering, "GAMES", more)
    assert [game["id"] for game in offering.games()["games"]] == ["wordle", "mastermind", "bulls-and-cows"]


def test_strategies_that_cannot_be_loaded_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    more: Registry[Any] = Registry(STRATEGIES.kind, dict(STRATEGIES.entries))
    more.register("away", "gone:Mine", "of a package that is gone")
    for module in (listed, advising):
        monkeypatch.setattr(module, "STRATEGIES", more)
    found = advising.strategies()["strategies"]
    assert {strategy["name"] for strategy in found} == set(STRATEGIES)
    rollout = next(strategy for strategy in found if strategy["name"] == "rollout")
    base = next(field for field in rollout["fields"] if field["name"] == "base")
    assert "information-gain" in base["choices"]
    assert "away" not in base["choices"]
