"""What is compiled: each kernel, for how many types, in how long, and who needs it first.

`python benchmarks/compiling.py` compiles everything from nothing in one process and a folder that it removes
again, and prints a table, which docs/compiling.md sums up. Seconds are processor seconds; those of a kernel
are without the parts and kernels that it calls, which have their own.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import dataclass

LEAST = 1.0
"""Kernels that take fewer seconds are summed up in one line."""


@dataclass
class Cost:
    """What a kernel takes to compile: for how many types, how long, and the first step that needs it."""

    types: int = 0
    seconds: float = 0.0
    first: str = ""


def measured() -> dict[str, Cost]:
    """Compile everything, and return what each kernel took."""
    from sleuth.kernels.jit import Compiled
    from sleuth.warmup import steps

    costs: dict[str, Cost] = defaultdict(Cost)
    within: list[float] = []  # seconds of what the kernels that are being compiled needed
    step = ""
    plain = Compiled.compile

    def compile_(self: Compiled, sig: object) -> object:
        name = f"{self.py_func.__module__.removeprefix('sleuth.kernels.')}.{self.py_func.__name__}"
        if self._has(sig):
            return plain(self, sig)
        within.append(0.0)
        began = time.process_time()
        try:
            return plain(self, sig)
        finally:
            took = time.process_time() - began
            cost = costs[name]
            cost.types += 1
            cost.seconds += took - within.pop()
            cost.first = cost.first or step
            if within:
                within[-1] += took

    Compiled.compile = compile_  # type: ignore[method-assign]
    for one in (step for area in steps.AREAS for stage in steps._stages(area) for step in stage):
        step = one.func.__name__.strip("_")  # type: ignore[attr-defined]
        one()
    return costs


def main() -> None:
    """Print the table."""
    if "NUMBA_CACHE_DIR" not in os.environ or not os.environ.get("SLEUTH_COMPILING"):
        with tempfile.TemporaryDirectory() as folder:
            env = os.environ | {"NUMBA_CACHE_DIR": folder, "SLEUTH_COMPILING": "1", "SLEUTH_THREADS": "1"}
            sys.exit(os.spawnve(os.P_WAIT, sys.executable, [sys.executable, __file__], env))
    costs = measured()
    print("| kernel | types | CPU s | first needed to |\n|---|---|---|---|")
    large = {name: cost for name, cost in costs.items() if cost.seconds >= LEAST}
    for name, cost in sorted(large.items(), key=lambda item: -item[1].seconds):
        print(f"| `{name}` | {cost.types} | {cost.seconds:.1f} | {cost.first} |")
    small = [cost for name, cost in costs.items() if name not in large]
    seconds, types = sum(cost.seconds for cost in small), sum(cost.types for cost in small)
    print(f"| {len(small)} others | {types} | {seconds:.1f} | |")
    types = sum(cost.types for cost in costs.values())
    print(f"| all {len(costs)} | {types} | {sum(cost.seconds for cost in costs.values()):.1f} | |")
    of_first = Counter[str]()
    for cost in costs.values():
        of_first[cost.first] += cost.seconds
    for name, seconds in of_first.most_common():
        print(f"{name}: {seconds:.1f} s")


if __name__ == "__main__":
    main()
