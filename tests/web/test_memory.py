"""How much memory a worker may take."""

from pathlib import Path

import pytest

from sleuth.web.memory import memory_each, memory_of_machine

GIB = 2**30


@pytest.mark.parametrize("name", ["memory.max", "memory/memory.limit_in_bytes"])
def test_a_control_group_confines(tmp_path: Path, name: str) -> None:
    machine = memory_of_machine(tmp_path)
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.write_text("268435456\n")
    assert memory_of_machine(tmp_path) == 2**28
    file.write_text("max\n")
    assert memory_of_machine(tmp_path) == machine


@pytest.mark.parametrize(
    ("workers", "memory", "each"),
    [(8, 20 * GIB, 2 * GIB), (8, 2 * GIB, 3 * GIB // 2), (2, 500 * GIB, 6 * GIB), (8, None, 6 * GIB)],
)
def test_workers_share_what_there_is(workers: int, memory: int | None, each: int) -> None:
    assert memory_each(workers, memory) == each
