"""The problems that ship with Sleuth, by name.

Other packages add theirs by entry points of the group sleuth.problems, other programs with PROBLEMS.register.
"""

from typing import Any

from sleuth.support.registry import Registry

PROBLEMS: Registry[type[Any]] = Registry("problem", group="sleuth.problems")
for _name, _target, _summary in (
    ("tiger", "tiger:Tiger", "listen, or open one of two doors; a tiger is behind one"),
    ("rocksample", "rocksample:RockSample", "a rover among rocks, good or bad, that it can check from afar"),
    ("hidden-objects", "hidden_objects:HiddenObjects", "search the cells of a grid with a sensor that errs"),
    ("navigation", "navigation:Navigation", "to the goal of a grid that is one of several mazes"),
    ("bandit", "bandit:Bandit", "arms with unknown chances of success, so many pulls"),
    ("linear-quadratic", "linear_quadratic:LinearQuadratic", "a scalar plant whose gain is unknown"),
):
    PROBLEMS.register(_name, f"sleuth.planning.problems.{_target}", _summary)
