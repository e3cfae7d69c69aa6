"""What people see of long work."""

import gc
import sys

import pytest

import sleuth
from sleuth.cli import show
from sleuth.views import watching


def test_a_terminal_has_one_line_that_ends_with_the_work(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "31")

    def work(progress: watching.Bar) -> None:
        for done in range(3):
            progress(sleuth.Progress(done, 2, "so far"))

    work(sleuth.progress("counting"))
    shown = capsys.readouterr().err
    first, last = (f"counting: {n} of 2, so far, 0 s" for n in (0, 2))  # between them less than a moment
    assert shown == f"\r{first:<30}\r{last:<30}\n"
    sleuth.progress("counting").close()
    assert capsys.readouterr().err == ""  # nothing was told
    with sleuth.progress() as bar:
        bar(sleuth.Progress(1, 0, "x" * 60))
    assert capsys.readouterr().err == f"\r{'x' * 30}\n"


def test_a_log_has_a_line_a_minute(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    with sleuth.progress("counting") as bar:
        for second in range(0, 200, 5):
            now[0] = float(second)
            bar(sleuth.Progress(second))
    told = capsys.readouterr().err.splitlines()
    assert told == ["counting, 60 s", "counting, 2 min", "counting, 3 min"]


def test_nothing_is_shown_of_a_command_after_its_end(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    kept: list[object] = []

    def command() -> None:
        with show.steps("counting") as update:
            kept.append(update)  # as frames of what was interrupted keep it
            for second in (0.0, 0.01):
                now[0] = second
                update(sleuth.Progress(1, 2))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        command()
    now[0] = 120.0
    kept.clear()
    gc.collect()
    assert capsys.readouterr().err == ""
