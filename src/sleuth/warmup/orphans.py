"""Processes that end with the one that started them, however that ended."""

import os
import threading


def end_with_input() -> None:
    """End this process as soon as its standard input ends, which whoever started it holds open."""

    def end() -> None:
        while os.read(0, 1):  # sys.stdin's lock would be in the way of the end
            pass
        os._exit(0)

    threading.Thread(target=end, daemon=True).start()


def say(line: str = "") -> None:
    """Print a line for whoever started this process, and end it where nobody reads any more.

    Input and output end together, and which of the two is seen first is chance.
    """
    try:
        print(line, flush=True)
    except BrokenPipeError:
        os._exit(0)
