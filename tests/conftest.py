"""What all tests share."""

import pickle
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import nullcontext, redirect_stdout
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest
import typer
from command_line import Ran, Run
from hypothesis import HealthCheck, settings

from sleuth.cli import run as main
from sleuth.coaching.advice import advise
from sleuth.games import frequencies
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.games.rules import WordleRules
from sleuth.games.wordle import wordle
from sleuth.support.parallel import thread_count
from sleuth.web.memory import memory_of_machine

_PROCESS = 3 * 2**30
"""Bytes that a process of tests may come to."""
_LARGE = 2**24
"""Pairs of words that take so long to compare that their codes are remembered."""
_REMEMBERED = 4
"""Of so many pairs of lists; codes of all guesses in place of answers take 168 MB."""


@pytest.hookimpl(optionalhook=True)  # of a plugin that the smoke tests do without
def pytest_xdist_auto_num_workers() -> int:
    """Return how many processes `-n auto` is: one more than processors, as tests often wait."""
    memory = memory_of_machine()
    room = 2 if memory is None else memory // _PROCESS
    return max(1, min(thread_count() + 1, room))


pytest_plugins = ["tiers"]

# Kernels compile on their first call, which takes longer than any example. --hypothesis-profile chooses.
for profile, examples in {"default": 10, "thorough": 100}.items():
    settings.register_profile(
        profile, deadline=None, max_examples=examples, suppress_health_check=[HealthCheck.too_slow]
    )
settings.load_profile("default")

# A shell that runs tests in the background has them, and what they start, ignore Ctrl-C.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    """Give signals back to whom they belonged before a test: an interrupted command keeps them."""
    asked = (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(number) for number in asked]
    yield
    for number, handler in zip(asked, before, strict=True):
        signal.signal(number, handler)


@pytest.fixture(scope="session", autouse=True)
def remembered() -> Iterator[None]:
    """Do once in a process what commands and games repeat: describe options, read lists, compare words."""
    from sleuth.kernels import codes as kernels

    compare, turn = WordleRules.codes, kernels.as_bytes
    compared: dict[Any, Any] = {}
    turned: dict[int, Any] = {}

    def codes(self: WordleRules, guesses: Any, answers: Any) -> Any:
        if len(guesses) * len(answers) < _LARGE or not isinstance(guesses, tuple):
            return compare(self, guesses, answers)
        key = (guesses, answers)
        if key not in compared:
            if len(compared) == _REMEMBERED:
                turned.pop(id(compared.pop(next(iter(compared)))), None)
            compared[key] = compare(self, guesses, answers)
        return compared[key]

    def as_bytes(codes: Any) -> Any:
        whole = codes.base
        if not any(whole is one for one in compared.values()) or codes.shape != whole.shape[::-1]:
            return turn(codes)
        if id(whole) not in turned:
            turned[id(whole)] = turn(codes)
        return turned[id(whole)]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.main, "get_command", cache(typer.main.get_command))
        patch.setattr(frequencies, "shipped", cache(frequencies.shipped))
        patch.setattr(WordleRules, "codes", codes)
        patch.setattr(kernels, "as_bytes", as_bytes)
        yield


@pytest.fixture(scope="session")
def original() -> Game:
    """Wordle on the original lists, its feedback matrix computed once."""
    return wordle("original")


@pytest.fixture(scope="session")
def compiled(original: Game) -> None:
    """Compile what advice takes: before that, it is a quick estimate."""
    for rows in ([("salet", "bbybb")], [("salet", "bbybb"), ("courd", "bgbbb")]):
        advise(Position.after_rows(original, rows))


class _Here(Executor):
    """Does in this process what others would do; what goes there and back is pickled, as it would be."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future = Future[Any]()
        asked, given, named = pickle.loads(pickle.dumps((fn, args, kwargs)))
        try:
            with redirect_stdout(sys.stderr):
                found = asked(*given, **named)
        except Exception as error:
            future.set_exception(pickle.loads(pickle.dumps(error)))
        else:
            future.set_result(pickle.loads(pickle.dumps(found)))
        return future


@pytest.fixture
def without_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play here what benchmarks and comparisons play in other processes: to start one takes a second."""
    from sleuth.planning.benchmark import running
    from sleuth.processes import comparing

    def here(count: int) -> nullcontext[_Here]:
        remembered: Any
        for remembered in (running._posed, running._planners, comparing._posed, comparing._player):
            remembered.cache_clear()  # new processes remember nothing
        return nullcontext(_Here())

    for module in (running, comparing):
        monkeypatch.setattr(module, "processes", here)


class Here:
    """A pool of no processes, for certificates that take no time."""

    def __init__(self, count: None, begin: Callable[..., None], shared: tuple[Any, ...]) -> None:
        begin(*shared)
        self.imap_unordered = map

    def __enter__(self) -> "Here":
        return self

    def __exit__(self, *error: object) -> None: ...


@pytest.fixture
def one_process(monkeypatch: pytest.MonkeyPatch, handlers: None) -> None:
    """Check certificates in this process."""
    here = SimpleNamespace(get_context=lambda kind: SimpleNamespace(Pool=Here))
    monkeypatch.setattr("sleuth.exact.check_certificate.multiprocessing", here)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command line with some arguments; returns exit code, stdout and stderr."""

    def run(*args: object) -> Ran:
        monkeypatch.setattr(sys, "argv", ["sleuth", *map(str, args)])
        with pytest.raises(SystemExit) as exit_:
            main()
        captured = capsys.readouterr()
        return exit_.value.code, captured.out, captured.err

    return run
