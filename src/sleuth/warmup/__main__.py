"""`python -m sleuth.warmup NICENESS`: see the package."""

import json
import os
import sys
from dataclasses import asdict

from sleuth.kernels.cache import is_complete
from sleuth.support.errors import SleuthError
from sleuth.support.progress import Progress
from sleuth.warmup.orphans import end_with_input, say


def _tell(progress: Progress) -> None:
    say(json.dumps(asdict(progress)))


def main() -> None:
    """Compile what is not compiled of games, saying how far that is."""
    end_with_input()
    if hasattr(os, "nice"):
        os.nice(int(sys.argv[1]))
    if not is_complete():
        from sleuth.warmup.steps import Prepared, compile_ahead

        try:
            compile_ahead(watch=_tell)
        except SleuthError as error:
            _tell(Prepared(0, 1, str(error)))
            sys.exit(2)


if __name__ == "__main__":
    main()
