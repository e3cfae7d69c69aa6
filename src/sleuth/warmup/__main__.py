"""`python -m sleuth.warmup NICENESS`: see the package."""

import json
import os
import sys
from dataclasses import asdict

from sleuth.kernels.cache import is_complete
from sleuth.support.errors import SleuthError
from sleuth.warmup.orphans import end_with_input, say


def main() -> None:
    """Compile what is not compiled of games, saying how far that is."""
    end_with_input()
    if hasattr(os, "nice"):
        os.nice(int(sys.argv[1]))
    if not is_complete():
        from sleuth.warmup.steps import compile_ahead

        try:
            compile_ahead(watch=lambda progress: say(json.dumps(asdict(progress))))
        except SleuthError as error:
            say(json.dumps({"done": 0, "total": 1, "remark": str(error), "hints": False}))
            sys.exit(2)


if __name__ == "__main__":
    main()
