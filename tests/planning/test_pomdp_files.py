"""Files of Cassandra's format: read, written, and refused by line."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_pomdps import random_pomdp

from sleuth.planning.pomdps.files import pomdp_from_text, pomdp_to_text, read_pomdp, write_pomdp
from sleuth.planning.pomdps.pomdp import POMDP
from sleuth.support.errors import SleuthError

TIGER = """
# The tiger (Kaelbling et al. 1998).
discount: 0.95
values: reward
states: tiger-left tiger-right
actions: listen open-left open-right
observations: left right
start: uniform

T: * uniform
T:listen
identity

O: * : * uniform
O: listen
0.85 0.15
0.15 0.85

R: listen : * : * : * -1
R: open-left : tiger-left : * : * -100
R: open-left : tiger-right : * : * 10
R: open-right : * : * : * 10   # what comes later holds
R: open-right : 1 : * : * -100
"""
# One state, one action, two observations, and what more is given.
SMALL = "discount: 0.5\nvalues: reward\nstates: a b\nactions: 1\nobservations: 2\n"


def same(one: POMDP, other: POMDP) -> bool:
    tables = ((p.transition, p.observation) for p in (one, other))
    return all(
        np.array_equal(mine, theirs)
        for tables_of in zip(*tables, strict=True)
        for mine, theirs in zip(*tables_of, strict=True)
    ) and all(
        np.array_equal(getattr(one, key), getattr(other, key))
        for key in ("reward", "discount", "initial", "states", "actions", "observations")
    )


def test_the_tiger_is_read() -> None:
    pomdp = pomdp_from_text(TIGER)
    assert pomdp.states == ("tiger-left", "tiger-right")
    assert pomdp.reward.tolist() == [[-1, -1], [-100, 10], [10, -100]]
    assert pomdp.initial.tolist() == [0.5, 0.5]
    assert pomdp.observation.values.tolist() == [0.85, 0.15, 0.15, 0.85, *[0.5] * 8]
    assert pomdp.transition.columns.tolist() == [0, 1, *[0, 1] * 4]


def test_matrices_rows_entries_and_costs_are_read() -> None:
    text = SMALL.replace("reward", "cost") + (
        "start: 0.25 0.75\n"
        "T: * 0.0 1.0\n 1 0\n"
        "T: 0 : b : a 0.5\nT: 0 : b : b 0.5\n"
        "O: 0 : a 0.3 0.7\nO: 0 : b : * 0.0\nO: 0 : b : 1 1.0\n"
        "R: 0 : a\n 1 2\n 3 4\nR: 0 : b : a\n 5 6\nR: 0 : b : b : 1 8\n"
    )
    pomdp = pomdp_from_text(text)
    assert pomdp.initial.tolist() == [0.25, 0.75]
    assert pomdp.transition.values.tolist() == [1, 0.5, 0.5]
    assert pomdp.observation.values.tolist() == [0.3, 0.7, 1]
    # From a to b, where the second is observed; from b to a (first 0.3, second 0.7) or b.
    assert pomdp.reward[0].tolist() == pytest.approx([-4, -(0.5 * (0.3 * 5 + 0.7 * 6) + 0.5 * 8)])


@pytest.mark.parametrize(
    ("start", "initial"),
    [
        ("", [0.5, 0.5]),
        ("start: b", [0, 1]),
        ("start: 0", [1, 0]),
        ("start include: b", [0, 1]),
        ("start exclude: b", [1, 0]),
        ("start: 0.333333 0.666666", [1 / 3, 2 / 3]),
    ],
)
def test_starts(start: str, initial: list[float]) -> None:
    text = f"{SMALL}{start}\nT: 0 identity\nO: 0 uniform\n"
    assert pomdp_from_text(text).initial.tolist() == pytest.approx(initial, abs=1e-6)


def test_reset_goes_back_to_the_start() -> None:
    pomdp = pomdp_from_text(f"{SMALL}start: b\nT: 0 : * reset\nO: 0 uniform\n")
    assert pomdp.transition.columns.tolist() == [1, 1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "there is nothing in it"),
        (SMALL + "T: 0 identity\nO: 0 : a 0.5 0.5\n", "line 7: observations of action '0' in state 'b': the"),
        (
            SMALL + "T: 0\n1 0\n0.2 0.7\nO: * uniform",
            "line 6: next states of action '0' in .* 0.9",
        ),
        (SMALL + "T: 0\n1 0\n-0.2 1.2\nO: * uniform", "line 6: next states .* have -0.2, below 0"),
        (SMALL + "T: 0 : c identity", "line 6: 'c' is none of the 2 states"),
        (SMALL + "T: 0 : a\n1.0 x", "line 7: 'x' stands where a number should"),
        (SMALL + "T: 0 : a\n1.0", "line 7: the text ends where a number should be"),
        (SMALL + "X: 0", "line 6: 'X' begins no statement"),
        (SMALL + "start: 0\nstart: uniform", "line 7: the start is stated twice"),
        (SMALL + "states: 2", "line 6: the states are stated twice"),
        (SMALL + "start include:\n", "line 6: no state is left"),
        (SMALL + "start: 0.5 0.6\n", "line 6: the chances add up to 1.1"),
        (SMALL + "R: 0 1", "line 6: '1' stands where ':' should"),
        ("discount: 1\n", r"line 1: a discount lies in \[0, 1\), not 1.0"),
        ("values: money\n", "line 1: values are reward or cost, not 'money'"),
        ("states: a a\n", "line 1: 'a' is listed twice among the states"),
        ("states: a 7b\n", "line 1: '7b' is no name of states"),
        ("states: 2\nT: 0 identity\n", "line 2: the actions must be stated"),
        ("discount: 0.5\n", "line 1: the states are missing"),
        ("states: 1\nactions: 1\nobservations: 1\n", "line 3: the discount is missing"),
    ],
)
def test_what_is_wrong_is_refused_by_its_line(text: str, said: str) -> None:
    with pytest.raises(SleuthError, match=said):
        pomdp_from_text(text)


@given(st.integers(0, 10**6))
def test_what_is_written_is_read_back(seed: int) -> None:
    pomdp = random_pomdp(seed)
    again = pomdp_from_text(pomdp_to_text(pomdp))
    assert again.reward == pytest.approx(pomdp.reward, abs=1e-12)
    assert same(replace(again, reward=pomdp.reward), pomdp)


def test_files(tmp_path: Path) -> None:
    pomdp = pomdp_from_text(TIGER)
    write_pomdp(pomdp, tmp_path / "tiger.pomdp")
    assert same(read_pomdp(tmp_path / "tiger.pomdp"), pomdp)
    file = tmp_path / "marked.pomdp"
    written = TIGER.encode()
    file.write_bytes(b"\xef\xbb\xbf" + written)
    assert same(read_pomdp(file), pomdp)
    file.write_bytes(b"# one\n# \xe9\n" + written)
    with pytest.raises(SleuthError, match=r": line 2: not UTF-8; a \.pomdp file is plain text"):
        read_pomdp(file)
    with pytest.raises(SleuthError, match=r"no\.pomdp cannot be read"):
        read_pomdp(tmp_path / "no.pomdp")
    with pytest.raises(SleuthError, match="cannot be written"):
        write_pomdp(pomdp, tmp_path / "no" / "tiger.pomdp")
    (tmp_path / "bad.pomdp").write_text("X: 0")
    with pytest.raises(SleuthError, match=r"bad\.pomdp: line 1"):
        read_pomdp(tmp_path / "bad.pomdp")


def test_names_that_do_not_fit_become_numbers() -> None:
    pomdp = POMDP.of_arrays([[[1.0]]], [[[1.0]]], [[2.0]], 0.5, states=["a b"], actions=["T"])
    again = pomdp_from_text(pomdp_to_text(pomdp))
    assert (again.states, again.actions) == (("0",), ("0",))
    assert again.reward.tolist() == [[2.0]]
