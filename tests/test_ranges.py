"""Ranges of parameters."""

from math import inf, nan
from types import SimpleNamespace

import pytest

from sleuth.errors import SleuthError, StrategyError
from sleuth.ranges import check_range


@pytest.mark.parametrize(
    ("ends", "inside", "outside", "wording"),
    [
        ({"least": 1}, [1, 2, inf], [0, -inf, nan], "1 or more"),
        ({"above": 0}, [1e-9, inf], [0, -1, nan], "more than 0"),
        ({"least": 0, "most": 1}, [0, 0.5, 1], [-0.1, 1.1, nan, inf], "from 0 to 1"),
        ({"above": 0, "below": 1}, [0.1, 0.9], [0, 1, nan], "more than 0 and less than 1"),
        ({"least": 0, "below": inf}, [0, 1e300], [inf, nan, -1], "0 or more and finite"),
        ({"most": 3}, [3, -inf], [4, nan], "3 or less"),
    ],
)
def test_what_is_out_of_range_is_named(ends, inside, outside, wording):
    for value in inside:
        check_range(SimpleNamespace(x=1, y=value), "y", **ends)
    for value in outside:
        with pytest.raises(SleuthError) as caught:
            check_range(SimpleNamespace(x=1, y=value), "y", **ends)
        assert str(caught.value) == f"y must be {wording}, not {value}"


def test_the_first_that_is_out_of_range_raises_the_error_asked_for():
    with pytest.raises(StrategyError, match="^y must be 1 or more, not 0$"):
        check_range(SimpleNamespace(x=1, y=0, z=-1), "x", "y", "z", least=1, error=StrategyError)
