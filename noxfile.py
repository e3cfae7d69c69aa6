"""What CI and people run, one session each: `nox -s lint`, types, install, tests, thorough, site, ...

Sessions run in the environment that nox stands in, which README.md sets up: nothing is installed there. Those
that install something make environments of their own. Without -s it is what `.ci/run` runs, in an environment
made anew, with -j 2: sessions that need one core run side by side, and print what they say when they end.
What follows `--` goes to pytest: `nox -s tests -- tests/games`; of `touched`, to tools/touched.py.
"""

import os
import sys
import tempfile
from datetime import date
from pathlib import Path

import nox

nox.needs_version = ">=2026.8.10"
nox.options.default_venv_backend = "none"
# docs is a part of tests, wheel of install and lowest
nox.options.sessions = ["lint", "types", "page", "site", "install", "lowest", "tests", "touched", "bounds"]
nox.options.stop_on_first_error = True
nox.options.error_on_missing_interpreters = False  # install says which it skips
nox.options.download_python = "never"

# nox may be called by its path, with the environment not active; pyenv shows no Python that is not chosen.
PYENV = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser()
FOLDERS = [Path(sys.executable).parent, os.environ["PATH"], *sorted(PYENV.glob("versions/*/bin"))]
os.environ["PATH"] = os.pathsep.join(map(str, FOLDERS))

PROJECT = nox.project.load_toml(Path(__file__).with_name("pyproject.toml"))
PYTHONS = nox.project.python_versions(PROJECT)
WHEEL = Path("dist", f"sleuth-{PROJECT['project']['version']}-py3-none-any.whl")

SCRIPTS = "src/sleuth/web/static/js"
SCRIPT_TESTS = "tests/page"

# The command of README.md that passes the tests; tests/conftest.py says how many processes.
TESTS = ("pytest", "-q", "-n", "auto")
# The tests that are not run by default, and the random ones again with more examples.
THOROUGH = ("-m", "thorough or hypothesis", "--hypothesis-profile", "thorough")
MINUTES = 10
"""How long CI may begin thorough tests; what is left out is printed."""

# The tests of code that reads and writes by index.
INDEXED = (
    "tests/kernels/test_kernels.py",
    "tests/kernels/test_codes.py",
    "tests/exact/test_solver.py",
    "tests/exact/test_beam.py",
    "tests/exact/test_certificate.py",
    "tests/exact/test_cores.py",
    "tests/planning/test_belief_search.py",
    "tests/planning/test_despot.py",
    "tests/planning/test_drawn.py",
    "tests/planning/test_hsvi.py",
    "tests/variants",
    "tests/learning/test_candidates.py",
    "tests/test_borders.py",
)


@nox.session(allow_parallel=True)
def lint(session: nox.Session) -> None:
    """Check the floors (who may import whom), style and form."""
    session.run("lint-imports")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session(allow_parallel=True)
def types(session: nox.Session) -> None:
    """Check types, strictly."""
    session.run("mypy")


@nox.session(allow_parallel=True)
def page(session: nox.Session) -> None:
    """Check the scripts of the page: tests, types, style. The tools come from npm; nothing of it ships."""
    session.run("node", "--test", *map(str, sorted(Path(SCRIPT_TESTS).glob("*.test.js"))), external=True)
    quiet = ("--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts")
    session.run("npm", "install", "--prefix", "tools", *quiet, external=True)
    session.run("tools/node_modules/.bin/tsc", "-p", "tools", external=True)
    eslint = ("tools/node_modules/.bin/eslint", "-c", "tools/eslint.config.js")
    session.run(*eslint, SCRIPTS, SCRIPT_TESTS, external=True)


@nox.session(allow_parallel=True)
def site(session: nox.Session) -> None:
    """Build the documentation into the folder `site`, warnings as errors, and check its links; offline."""
    session.run("zensical", "build", "--strict", "--clean")
    session.run("python", "tools/check_site.py", "site")


@nox.session(allow_parallel=True)
def wheel(session: nox.Session) -> None:
    """Build the wheel. A part of install and lowest."""
    session.run("pip", "wheel", "-q", "--no-deps", "-w", str(WHEEL.parent), ".")


@nox.session(python=PYTHONS, venv_backend="virtualenv", requires=["wheel"], allow_parallel=True)
def install(session: nox.Session) -> None:
    """Install the wheel with its page, in the newest versions there are, and run the smoke tests."""
    smoke(session)


@nox.session(python=PYTHONS[0], venv_backend="virtualenv", requires=["wheel"], allow_parallel=True)
def lowest(session: nox.Session) -> None:
    """Do the same in the lowest versions that pyproject.toml allows, on the lowest Python."""
    smoke(session, *lowest_versions())


def lowest_versions() -> list[str]:
    """Return what Sleuth with its page needs, each in the lowest version that pyproject.toml allows."""
    project = PROJECT["project"]
    needed = project["dependencies"] + project["optional-dependencies"]["web"]
    return [line.replace(">=", "==") for line in needed]


def smoke(session: nox.Session, *versions: str) -> None:
    """Install the wheel and run the smoke tests; files that have none may need more, and are not imported."""
    session.install(f"{WHEEL}[web]", *versions, "httpx", "hypothesis", "pytest")
    env = {"NUMBA_CACHE_DIR": None, "PYTHONPATH": None}  # kernels are compiled anew, and kept with the others
    session.run("python", "-c", "import sleuth, sys; assert sleuth.__file__.startswith(sys.prefix)", env=env)
    # pyproject.toml has options for more plugins, and makes errors of warnings: releases to come may warn.
    options = ("-o", "addopts=--import-mode=importlib", "-W", "default")
    session.run("pytest", "-q", "-m", "smoke", *options, *(session.posargs or marked("smoke")), env=env)


def marked(name: str) -> list[str]:
    """Return the files with tests of a mark: to collect all others takes as long as some of these tests."""
    files = sorted(Path("tests").rglob("test_*.py"))
    return [str(file) for file in files if f"mark.{name}" in file.read_text("utf-8")]


@nox.session
def tests(session: nox.Session) -> None:
    """Run the default tests as README.md has it: each takes at most about a second of processor time."""
    session.run(*TESTS, *session.posargs)


@nox.session
def touched(session: nox.Session) -> None:
    """Run the thorough tests of what the last commits changed, and a quarter of the others: the day's."""
    changed = session.run("python", "tools/touched.py", *session.posargs, silent=True) or ""
    files = [f"--touched={file}" for file in changed.split()]
    quarter = f"--quarter={date.today().toordinal()}"
    session.run(*TESTS, *THOROUGH, quarter, *files, f"--minutes={MINUTES}")


@nox.session
def thorough(session: nox.Session) -> None:
    """Run all thorough tests, and the random ones with a hundred examples."""
    session.run(*TESTS, *THOROUGH, *session.posargs)


@nox.session
def everything(session: nox.Session) -> None:
    """Run the default tests and the thorough ones."""
    session.notify("tests", session.posargs)
    session.notify("thorough", session.posargs)


@nox.session
def bounds(session: nox.Session) -> None:
    """Run the kernels' tests, with kernels that check their bounds, compiled apart from the others."""
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": folder}
        session.run(*TESTS, *(session.posargs or INDEXED), env=env)


@nox.session
def docs(session: nox.Session) -> None:
    """Check links, names of files, and the examples in the pages. A part of tests."""
    session.run("pytest", "-q", "tests/test_links.py", "README.md", "CONTRIBUTING.md", "docs")


@nox.session
def coverage(session: nox.Session) -> None:
    """Say which lines the tests reach. Compiled kernels cannot be seen and are left out."""
    session.run(*TESTS, "--cov", "--cov-report=term", *session.posargs)
