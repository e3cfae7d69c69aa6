"""The published tables, and the runs that reproduce them.

Each run plays the paper's method twice: under the paper's conditions, which are those of its code where they
differ from its text, and under clean conditions, which are Sleuth's own definitions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sleuth.support.registry import Registry

if TYPE_CHECKING:
    from sleuth.published.steps import Steps
    from sleuth.published.table import Table

EXPERIMENTS: Registry[Callable[[Steps], Table]] = Registry("experiment")
for _name, _summary in (
    ("rollout-table1", "information gain and rollout, 13 openers, easy and hard (Bhambri et al. 2022)"),
    ("rollout-table2", "MRD, GEP and rollout over them, 13 openers, hard (Bhambri et al. 2022)"),
    ("rollout-table3", "information gain and rollout with words of six letters (Bhambri et al. 2022)"),
    ("short-table2", "alpha-optimality, normal and hard mode, on any list of words (Short 2022)"),
    ("short-table3", "alpha-optimality, 16 alphas, all 12972 words as answers (Short 2022)"),
    ("lookahead", "guesser against indicator, all agents, 3000 words from cares (Shtrasner et al. 2022)"),
    ("learning", "learned players, every answer, from the empty board (Weaver 2025)"),
    ("avts", "samplers of Action Value Tree Search: iterations to the optimum (Tyl 2024)"),
    ("estimators", "value and policy estimators in Action Value Tree Search, at equal time (Tyl 2024)"),
):
    EXPERIMENTS.register(_name, f"sleuth.published.{_name.replace('-', '_')}:run", _summary)
