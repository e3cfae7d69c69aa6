"""Kernels compiled ahead, and what faces may know of compiling.

`python -m sleuth.warmup NICENESS` compiles what is not compiled yet of what games take, and says how far it
is in lines of JSON: {"done": 3, "total": 18, "remark": "", "hints": false}. A remark says what went wrong,
and hints whether what they take is compiled. It ends at once where there is nothing to do, and with its
standard input: whoever started it may have been killed.
"""

from sleuth.kernels.compiling import NotCompiledError as NotCompiledError
from sleuth.kernels.compiling import compiled_only as compiled_only
from sleuth.kernels.compiling import may_compile as may_compile
from sleuth.kernels.compiling import on_first_compilation as on_first_compilation
from sleuth.kernels.compiling import on_loss as on_loss
from sleuth.kernels.compiling import watch_compiling as watch_compiling


def where_instead() -> str | None:
    """Return the folder that kernels are kept in since the installation cannot be written, else None."""
    from sleuth.kernels.cache import folder, lies_elsewhere

    return str(folder()) if lies_elsewhere() else None
