"""What CI and people run, one session each: `nox -s lint`, types, tests, bounds, slow, docs, coverage.

Sessions run in the environment that nox stands in, which README.md sets up: nothing is installed here.
Without -s it is what `.ci/run` runs, in an environment made anew. What follows `--` goes to pytest:
`nox -s tests -- tests/games`.
"""

import os
import sys
import tempfile
from pathlib import Path

import nox

nox.needs_version = ">=2025.2"
nox.options.default_venv_backend = "none"
nox.options.sessions = ["lint", "types", "tests", "bounds", "slow"]  # docs is a part of tests
nox.options.stop_on_first_error = True

# nox may be called by its path, with the environment not active.
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])

# The command of README.md that passes the tests. Two processes, since each takes up to 3 GB.
TESTS = ("pytest", "-q", "-n", "2")

# The tests of code that reads and writes by index.
INDEXED = (
    "tests/kernels/test_kernels.py",
    "tests/exact/test_solver.py",
    "tests/exact/test_beam.py",
    "tests/variants",
    "tests/learning/test_candidates.py",
    "tests/test_borders.py",
)


@nox.session
def lint(session: nox.Session) -> None:
    """Check the floors (who may import whom), style and form."""
    session.run("lint-imports")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session
def types(session: nox.Session) -> None:
    """Check types, strictly."""
    session.run("mypy")


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests as README.md has it; before them, kernels are compiled once for both processes."""
    session.run("sleuth", "warmup")
    session.run(*TESTS, *session.posargs)


@nox.session
def slow(session: nox.Session) -> None:
    """Run the tests that take longer than a minute."""
    session.run(*TESTS, "-m", "slow", *session.posargs)


@nox.session
def bounds(session: nox.Session) -> None:
    """Run the kernels' tests, with kernels that check their bounds, compiled apart from the others."""
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": folder}
        session.run("sleuth", "warmup", env=env)
        session.run(*TESTS, *(session.posargs or INDEXED), env=env)


@nox.session
def docs(session: nox.Session) -> None:
    """Check links, names of files, and the examples in the pages. A part of tests."""
    session.run("pytest", "-q", "tests/test_links.py", "README.md", "CONTRIBUTING.md", "docs")


@nox.session
def coverage(session: nox.Session) -> None:
    """Say which lines the tests reach. Compiled kernels cannot be seen and are left out."""
    session.run(*TESTS, "--cov", "--cov-report=term", *session.posargs)
