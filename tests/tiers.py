"""What each test costs, and which of the thorough ones run: a plugin of pytest, which conftest.py names.

A run ends with its slowest tests, and with what it left out. CI runs the thorough tests of the files that a
change touches, and a quarter of the others: `--quarter 2 --touched tests/games/test_game.py --minutes 12`.
"""

import os
import resource
import time
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

COST = "processor seconds"
LEFT = "tests of other quarters, by file"
LATE = "left out: the time is up"
SLOWEST = 20
QUARTERS = 4
PAGES = ("docs/gallery.md", "docs/planning.md")
"""Pages whose examples take long: they are thorough tests."""


def children(pid: int) -> Iterator[int]:
    """Return the processes that a process started, on Linux; elsewhere none."""
    with suppress(OSError):  # it may end meanwhile
        for task in Path(f"/proc/{pid}/task").glob("*/children"):
            with suppress(OSError):
                yield from map(int, task.read_text(encoding="utf-8").split())


def processor_seconds() -> float:
    """Return the processor time of this process and of all that it started, ended ones too."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    seconds = sum(one.ru_utime + one.ru_stime for one in used)
    todo = list(children(os.getpid()))
    while todo:
        pid = todo.pop()
        todo += children(pid)
        with suppress(OSError):
            status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2]
            seconds += sum(map(int, status.split()[11:15])) / os.sysconf("SC_CLK_TCK")
    return seconds


def file_of(name: str) -> str:
    """Return the file of a test. name: as pytest has it."""
    return name.partition("::")[0]


def is_chosen(name: str, quarter: int, touched: Collection[str]) -> bool:
    """Say whether a test runs: all of a touched file do, and of the others those of one quarter.

    name: as pytest has it. quarter: any number, such as that of a day.
    """
    return file_of(name) in touched or crc32(name.encode()) % QUARTERS == quarter % QUARTERS


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tiers")
    group.addoption(
        "--quarter", type=int, help="run a quarter of the tests, a number modulo 4, and those touched"
    )
    group.addoption(
        "--touched",
        action="append",
        default=[],
        metavar="FILE",
        help="with --quarter: run all tests of a file, such as tests/games/test_game.py",
    )
    group.addoption("--minutes", type=float, help="begin no test after so long")


def pytest_configure(config: pytest.Config) -> None:
    for file in config.option.touched:
        if file != os.path.normpath(file) or not (config.rootpath / file).is_file():
            raise pytest.UsageError(f"--touched takes a file by its path from {config.rootpath}, not {file}")
    if not (config.option.minutes is None or config.option.minutes >= 0):
        raise pytest.UsageError("--minutes takes a number from 0")
    config.pluginmanager.register(Tiers(config))
    if not hasattr(config, "workerinput"):  # of the processes of -n, the one that starts the others
        config.pluginmanager.register(Summary())


class Tiers:
    """Chooses tests and measures them, in the process that runs them."""

    def __init__(self, config: pytest.Config) -> None:
        self.option = config.option
        self.began = time.monotonic()
        self.before = 0.0

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        if file_of(item.nodeid) in PAGES:
            item.add_marker("thorough")

    @pytest.hookimpl(trylast=True)  # after the choice by -m
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        quarter, touched = self.option.quarter, set(self.option.touched)
        if quarter is None:
            return
        left = [item for item in items if not is_chosen(item.nodeid, quarter, touched)]
        items[:] = [item for item in items if is_chosen(item.nodeid, quarter, touched)]
        items.sort(key=lambda item: file_of(item.nodeid) not in touched)  # first, should the time not suffice
        config.hook.pytest_deselected(items=left)
        if hasattr(config, "workeroutput"):
            config.workeroutput[LEFT] = dict(Counter(file_of(item.nodeid) for item in left))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self) -> None:
        self.before = processor_seconds()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        minutes = self.option.minutes
        if minutes is not None and time.monotonic() > self.began + 60 * minutes:
            pytest.skip(LATE)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, call: Any) -> Iterator[None]:
        report: Any = yield
        if call.when == "teardown":
            # What a process took whose parent ended before it is known no more: that is no gain.
            report.user_properties.append((COST, max(0.0, processor_seconds() - self.before)))
        return report


class Summary:
    """Prints what a run cost and left out, where all reports come together."""

    def __init__(self) -> None:
        self.costs: dict[str, float] = {}
        self.others: dict[str, int] = {}
        self.late = Counter[str]()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, value in report.user_properties:
            if name == COST:
                self.costs[report.nodeid] = value  # type: ignore[assignment]
        if report.skipped and LATE in str(report.longrepr):
            self.late[file_of(report.nodeid)] += 1

    @pytest.hookimpl(optionalhook=True)  # of -n
    def pytest_testnodedown(self, node: Any) -> None:
        self.others |= getattr(node, "workeroutput", {}).get(LEFT, {})

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        def show(title: str, counts: dict[str, Any]) -> None:
            if counts:
                terminalreporter.write_line(title)
            for name, count in counts.items():
                terminalreporter.write_line(
                    f"{count:8.2f} {name}" if isinstance(count, float) else f"{count:8} {name}"
                )

        slowest = sorted(self.costs, key=self.costs.__getitem__, reverse=True)[:SLOWEST]
        if len(self.costs) > SLOWEST:
            total = f"{sum(self.costs.values()):.0f} {COST} in tests"
            show(f"{total}; the slowest:", {name: self.costs[name] for name in slowest})
        show(f"left out, of other quarters: {sum(self.others.values())} tests", self.others)
        show(f"left out, since the time was up: {self.late.total()} tests", self.late)
