"""Files read up to a size, and written whole or not at all."""

import errno
import os
import secrets
from pathlib import Path
from typing import BinaryIO

from sleuth.support.errors import SleuthError


def read_bounded(path: Path, most: int) -> bytes:
    """Return what a file holds, at most so many bytes. Nothing of a larger one is read, or little.

    Raises OSError, and ValueError for a path with a NUL in it.
    """
    if path.stat().st_size > most:  # 0 for a device or pipe
        raise _too_large(str(path), most)
    with path.open("rb") as file:
        return stream_bounded(file, most)


def stream_bounded(stream: BinaryIO, most: int) -> bytes:
    """Return what is left of a stream, at most so many bytes. Raises OSError where there are more."""
    content = stream.read(most + 1)
    if len(content) > most:
        raise _too_large(stream.name, most)
    return content


def _too_large(name: str, most: int) -> OSError:
    return OSError(errno.EFBIG, f"it has more than {most >> 20} MiB", name)


def bytes_of(path: Path, most: int) -> bytes:
    """Return what a file holds, at most so many bytes. Raises SleuthError where it cannot be read."""
    try:
        return read_bounded(path, most)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL in it
        raise SleuthError(f"{path} cannot be read ({reason_of(error)})") from None


def reason_of(error: Exception) -> str:
    """Return why a file cannot be read or written, without its name."""
    return getattr(error, "strerror", None) or str(error)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file: a kill or a full disk leaves the one that was there. A device or pipe is written to.

    Raises OSError that names the path, and ValueError for a path with a NUL in it.
    """
    try:
        real = path.resolve()  # a link goes on pointing where it points
        if real.exists() and not real.is_file() and not real.is_dir():
            real.write_bytes(content)
        else:
            _write(real, content)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    except RuntimeError:  # what Python before 3.13 says of links in a circle
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from None


def unwritten(path: Path | str, error: Exception | str) -> str:
    """Return the line that says that a file cannot be written, and why."""
    return f"{path} cannot be written ({reason_of(error) if isinstance(error, Exception) else error})"


def save_bytes(path: Path, content: bytes) -> None:
    """Write a file as write_whole does. Raises SleuthError where it cannot be written."""
    try:
        write_whole(path, content)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL in it
        raise SleuthError(unwritten(path, error)) from None


def why_not_writable(path: Path) -> str | None:
    """Return why write_whole could not write a small file there, None where it could."""
    try:
        real = path.resolve()
    except RuntimeError:  # what Python before 3.13 says of links in a circle
        return os.strerror(errno.ELOOP)
    if real.is_dir():
        return os.strerror(errno.EISDIR)
    if not real.parent.is_dir():
        return f"there is no folder {path.parent}"
    if real.exists() and not real.is_file():
        return None
    probe = real.with_name(f".sleuth-{secrets.token_hex(8)}.tmp")
    try:
        probe.touch()
        probe.unlink()
    except OSError as error:
        return error.strerror or str(error)
    return None


def check_writable(path: Path) -> None:
    """Raise SleuthError where write_whole could not write a small file there: before the work is done."""
    if (why := why_not_writable(path)) is not None:
        raise SleuthError(unwritten(path, why))


def _write(path: Path, content: bytes) -> None:
    # Not the tempfile module: its files can be read by their owner only, and would stay so.
    temporary = path.with_name(f".sleuth-{secrets.token_hex(8)}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    if os.name == "posix":  # the new name, too, is to outlive a loss of power
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
