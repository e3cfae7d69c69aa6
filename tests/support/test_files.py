"""Files read up to a size, and written whole or not at all, wherever the disk fails."""

import errno
import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from faults import files_of_at_most

from sleuth.support.files import read_bounded, stream_bounded, write_whole

OLD, NEW = b"old" * 100, b"new" * 2000


def test_no_part_of_a_file_is_written(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for size in [*range(0, len(NEW), 500), len(NEW) - 1]:
        path.write_bytes(OLD)
        with files_of_at_most(size), pytest.raises(OSError, match="File too large") as error:
            write_whole(path, NEW)
        assert error.value.filename == str(path)
        assert path.read_bytes() == OLD
        assert [one.name for one in tmp_path.iterdir()] == ["file"]
    with files_of_at_most(len(NEW)):
        write_whole(path, NEW)
    assert path.read_bytes() == NEW


class FailsAt:
    """Lets the n-th of some calls of the system fail; counts them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, n: int, code: int) -> None:
        self.n, self.code, self.calls = n, code, 0
        for owner, name in ((os, "fsync"), (os, "open"), (os, "replace"), (Path, "open"), (Path, "replace")):
            monkeypatch.setattr(owner, name, self.wrap(getattr(owner, name)))

    def wrap(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **more: Any) -> Any:
            self.calls += 1
            if self.calls == self.n:
                raise OSError(self.code, os.strerror(self.code), "hidden")
            return function(*args, **more)

        return call


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EROFS])
def test_each_call_of_the_system_may_fail(tmp_path: Path, code: int) -> None:
    path = tmp_path / "file"
    n, failed = 0, True
    while failed:
        n += 1
        path.write_bytes(OLD)
        with pytest.MonkeyPatch.context() as patch:
            calls, told = FailsAt(patch, n, code), None
            try:
                write_whole(path, NEW)
            except OSError as error:
                told = error.errno, error.filename
            failed = calls.calls >= n
        assert told in (None, (code, str(path)))
        assert failed or told is None
        assert path.read_bytes() in (OLD, NEW)
        assert [one.name for one in tmp_path.iterdir()] == ["file"]
    assert n > 4  # opened, flushed, renamed, and its folder opened and flushed
    assert path.read_bytes() == NEW


def test_what_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(NEW)
    assert read_bounded(path, len(NEW)) == NEW
    with pytest.raises(OSError, match="it has more than 0 MiB"):
        read_bounded(path, len(NEW) - 1)
    with pytest.raises(OSError, match="it has more than 1 MiB") as error:
        read_bounded(Path("/dev/zero"), 2**20)  # it has no size, and no end
    assert error.value.filename == "/dev/zero"
    stream = io.BytesIO(NEW)
    assert stream_bounded(stream, len(NEW)) == NEW
