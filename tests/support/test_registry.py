import pytest

import sleuth
from sleuth.strategies.registry import STRATEGIES
from sleuth.support.foreign import fault_of_theirs


def test_faults_of_sleuth_are_not_taken_for_those_of_other_programs() -> None:
    """Those are told in one line; a fault of Sleuth's own must be seen whole."""
    for name in STRATEGIES:
        STRATEGIES.load(name)
    with pytest.raises(AttributeError) as fault:
        sleuth.make("exact").choose(None)
    assert "sleuth.exact.strategy" in [entry.frame.f_globals["__name__"] for entry in fault.traceback]
    assert fault_of_theirs(fault.value) is None
