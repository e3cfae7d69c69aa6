"""How many tests drive a browser in the default tier: each costs a second of a processor."""

import pytest

MOST = 60


def test_journeys_are_few(journeys: tuple[list[str], set[str]], pytestconfig: pytest.Config) -> None:
    found, named = journeys
    assert len(found) <= MOST
    if not any("::" in one for one in pytestconfig.args):  # all of their files are collected
        assert named <= set(found), "journeys of parameters that there are not"
