"""The command line: it reads, calls the library and shows. Nothing here knows an algorithm."""

import io
import os
import re
import sys
from contextlib import suppress
from pathlib import Path


def main() -> None:
    """Run the command line as a process of its own: Ctrl-C and SIGTERM end it soon."""
    try:
        from sleuth.cli import interrupts

        interrupts.listen()
        run()
    except KeyboardInterrupt:  # before a command began, or after it ended
        sys.exit(130)


def run() -> None:
    """Run the command line; errors of input are one line on stderr and exit code 2."""
    from sleuth.cli import compiling, interrupts
    from sleuth.cli.app import app
    from sleuth.cli.hearing import unheard
    from sleuth.support.errors import SleuthError
    from sleuth.support.foreign import fault_by_files, fault_of_theirs

    interrupts.begin()
    if sys.stdout is None:  # it is closed, as by >&-: then it is nobody's that reads it
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    # Bars and squares that the terminal's encoding lacks become question marks.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    code: object
    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()
    except SleuthError as error:
        _fail(str(error))
    except SystemExit as error:
        fault = fault_of_theirs(error)
        if fault is None:
            raise
        _fail(fault)
    except BrokenPipeError:
        unheard()  # there is nobody left to tell
        sys.exit(0)
    except OSError as error:
        with suppress(OSError):
            sys.stdout.close()  # what a full disk did not take would fail again at exit
        _fail(f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}")
    except MemoryError:
        _fail("out of memory; ask for less: fewer words, scenarios or nodes")
    except Exception as error:
        # The parser's own errors, of whichever class the installed version has.
        if hasattr(error, "format_message"):
            message = error.format_message()
            if not message:  # no command: the help is printed already
                sys.exit(2)
            message = re.sub(r"is not a valid int(eger)?( range)?\.", "is not a whole number.", message)
            message = re.sub(r"is not a valid float( range)?\.", "is not a number.", message)
            _fail(f"{message} ({_help()} says what it takes)")
        if not _was_interrupted(error):
            fault = fault_by_files(error)
            if fault is None:
                raise
            _fail(fault)
        code = interrupts.CODE
    except KeyboardInterrupt:
        code = interrupts.CODE
    finally:
        compiling.end_announcing()
    if code == interrupts.CODE and not interrupts.said():
        interrupts.say()
    sys.exit(code if isinstance(code, int) else 0)


def _was_interrupted(error: BaseException) -> bool:
    """Say whether an interrupt was on its way when an error came: a module that was half imported, say."""
    cause = error.__context__
    return cause is not None and (isinstance(cause, KeyboardInterrupt) or _was_interrupted(cause))


def _help() -> str:
    """Return the call for help with the command that was asked for, if there is one of that name."""
    from sleuth.cli.app import COMMANDS

    asked = sys.argv[1] if len(sys.argv) > 1 and sys.argv[1] in COMMANDS else ""
    return " ".join(["sleuth", *filter(None, [asked]), "--help"])


def _fail(message: str) -> None:
    print(f"sleuth: {message}", file=sys.stderr)
    sys.exit(2)
