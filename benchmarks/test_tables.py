"""The published tables, run once each."""

import pytest

from sleuth.published import EXPERIMENTS


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_table(benchmark, name):
    table = benchmark.pedantic(EXPERIMENTS.load(name), (lambda *_: None,), rounds=1)
    benchmark.extra_info["largest differences"] = {
        c.name: round(table.worst(c.name), 4) for c in table.columns
    }
