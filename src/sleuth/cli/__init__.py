"""The command line: it reads, calls the library and shows. Nothing here knows an algorithm."""

import os
import sys
from contextlib import suppress


def main() -> None:
    """Run the command line; errors of input are one line on stderr and exit code 2."""
    from sleuth.cli.app import app
    from sleuth.errors import SleuthError

    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()
    except SleuthError as error:
        _fail(str(error))
    except BrokenPipeError:
        # Whoever read the output has gone, as `| head` does; there is nobody left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        with suppress(OSError):
            sys.stdout.close()  # what a full disk did not take would fail again at exit
        _fail(f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}")
    except MemoryError:
        _fail("out of memory; use fewer words")
    except Exception as error:
        # The parser's own errors, of whichever class the installed version has.
        if not hasattr(error, "format_message"):
            raise
        _fail(f"{error.format_message()} (sleuth {' '.join(_command())} --help says what it takes)")
    if code == 130:
        print("sleuth: interrupted", file=sys.stderr)
    sys.exit(code if isinstance(code, int) else 0)


def _command() -> list[str]:
    return [word for word in sys.argv[1:2] if not word.startswith("-")]


def _fail(message: str) -> None:
    print(f"sleuth: {message}", file=sys.stderr)
    sys.exit(2)
