"""Which test files a change touches, by what they import.

python tools/touched.py [--since REV] [--hours HOURS]

prints the test files that are touched by what changed since a revision, committed or not. Without --since it
is where the branch left origin/main; where HEAD is on it, as in CI, the newest commit that is some hours
older than HEAD.

A test file is touched if it changed, or a module that it imports itself, or what tests share that it imports,
by way of others too, or a conftest.py above it. A module that no test file imports itself touches those that
need the fewest imports to reach it: almost all tests reach almost all modules. Data of a package touch the
tests of its name and those that name them, data of the page the tests that visit it; any other file touches
the tests that name it.
"""

import argparse
import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).parents[1]
HOURS, MOST_HOURS = 6.0, 8760.0
PACKAGE = "src/sleuth/"
FOLDERS = ("src/", "tests/", "")
"""Where modules are looked for; tests import what they share by its bare name."""

# "sleuth.module:Name" as registries have it, and names that tests replace.
_NAME = re.compile(r"sleuth(\.\w+)+(:\w+)?")
_NOTHING = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
"""The tree without files, as git knows it."""


def is_test(file: str) -> bool:
    """Say whether pytest collects tests from a file."""
    return file.startswith("tests/") and Path(file).name.startswith("test_") and file.endswith(".py")


def _is_for_types(node: ast.If) -> bool:
    return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield all nodes but those that type checkers alone read, and those of programs in text."""
    todo = [tree]
    while todo:
        node = todo.pop()
        yield node
        if isinstance(node, ast.If) and _is_for_types(node):
            todo += node.orelse
        else:
            todo += ast.iter_child_nodes(node)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "import " in node.value:
            try:
                todo.append(ast.parse(dedent(node.value)))
            except SyntaxError:
                continue


def _chain(node: ast.Attribute) -> tuple[str, str] | None:
    """Return the name that attributes are taken of, and them; None where it is no name."""
    path: list[str] = []
    inner: ast.expr = node
    while isinstance(inner, ast.Attribute):
        path.append(inner.attr)
        inner = inner.value
    return (inner.id, ".".join(reversed(path))) if isinstance(inner, ast.Name) else None


def _taken(node: ast.ImportFrom, package: str) -> Iterator[tuple[str, str]]:
    """Yield each name that is imported from a module, and what it is in full."""
    above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
    base = ".".join([*above, *([node.module] if node.module else [])])
    for alias in node.names:
        yield alias.asname or alias.name, base if alias.name == "*" else f"{base}.{alias.name}"


def names(tree: ast.AST, package: str) -> set[str]:
    """Return all that a module names of others, in full: "sleuth.exact.prove".

    package: the one that the module is in.
    """
    found: set[str] = set()
    bound: dict[str, str] = {}
    chains: set[tuple[str, str]] = set()
    for node in _nodes(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                found.add(alias.name)
                first = alias.name.partition(".")[0]
                bound[alias.asname or first] = alias.name if alias.asname else first
        elif isinstance(node, ast.ImportFrom):
            taken = dict(_taken(node, package))
            found |= set(taken.values())
            bound |= taken
        elif isinstance(node, ast.Attribute):
            chain = _chain(node)
            chains |= {chain} if chain else set()
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and _NAME.fullmatch(node.value):
            found.add(node.value.replace(":", "."))
    return found | {f"{bound[name]}.{path}" for name, path in chains if name in bound}


class Imports:
    """What the files of a working tree import of each other. Files are named by their paths from its root."""

    def __init__(self, root: Path = ROOT) -> None:
        self.root = root
        found = [*root.glob("*.py"), *root.glob("tools/*.py"), *root.glob("src/**/*.py")]
        found += root.glob("tests/**/*.py")
        self.files = frozenset(path.relative_to(root).as_posix() for path in found)
        self.tests = sorted(filter(is_test, self.files))
        self.text = cache(self._text)
        self.of = cache(self._of)
        self.owner = cache(self._owner)
        self._names_of = cache(self._handed_on)
        self._functions = cache(self._functions_of)

    def _text(self, file: str) -> str:
        return (self.root / file).read_text(encoding="utf-8")

    def module(self, name: str) -> str | None:
        """Return the file of a module; None where the tree has none of the name."""
        path = name.replace(".", "/")
        found = (f"{folder}{path}{end}" for folder in FOLDERS for end in (".py", "/__init__.py"))
        return next((file for file in found if file in self.files), None)

    def _handed_on(self, package: str) -> dict[str, str]:
        """Return what a package takes from elsewhere, by its stub if it has one: names to names in full."""
        file = self.module(package)
        if file is None or not file.endswith("__init__.py"):
            return {}
        stub = f"{file}i"
        tree = ast.parse(self._text(stub if (self.root / stub).exists() else file))
        taken = (_taken(node, package) for node in tree.body if isinstance(node, ast.ImportFrom))
        return dict(pair for pairs in taken for pair in pairs)

    def _owner(self, name: str) -> str | None:
        """Return the module that defines what a name in full stands for; None where it is not ours."""
        if self.module(name):
            return name
        parent, _, last = name.rpartition(".")
        owner = self.owner(parent) if parent else None
        if owner is None:
            return None
        further = self._names_of(owner).get(last, f"{owner}.{last}")
        return self.owner(further) if further != name and self.module(further.rpartition(".")[0]) else owner

    def _of(self, file: str) -> frozenset[str]:
        """Return the files that a file imports itself; of a test file, also each conftest.py above it."""
        module = file.removeprefix("src/").removesuffix(".py").replace("/", ".")
        found = (
            self.owner(name) for name in names(ast.parse(self.text(file), file), module.rpartition(".")[0])
        )
        files = {self.module(name) for name in found if name}
        if is_test(file):
            above = {f"{folder.as_posix()}/conftest.py" for folder in Path(file).parents}
            files |= above & self.files
        return frozenset(other for other in files if other and other != file)

    @cached_property
    def _importers(self) -> Mapping[str, set[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        for file in sorted(self.files):
            for other in self.of(file):
                found[other].add(file)
        return found

    def importers(self, file: str) -> dict[str, int]:
        """Return the test files that reach a file, nearest first, and in how many imports.

        What a conftest.py imports is reached by those below it that use one of its fixtures.
        """
        distances, reached = {file: 0}, [file]
        for other in reached:  # grows meanwhile
            for importer in sorted(self._importers.get(other, ())):
                if importer not in distances and (other == file or self._uses(importer, other)):
                    distances[importer] = distances[other] + 1
                    reached.append(importer)
        return {other: distances[other] for other in reached if is_test(other)}

    def _uses(self, test: str, conftest: str) -> bool:
        if not conftest.endswith("conftest.py"):
            return True
        fixtures = (function.name for function in self._functions(conftest))
        return not self._arguments(test).isdisjoint(fixtures)

    def _arguments(self, test: str) -> set[str]:
        return {argument.arg for function in self._functions(test) for argument in function.args.args}

    def _functions_of(self, file: str) -> list[ast.FunctionDef]:
        return [
            node for node in ast.walk(ast.parse(self.text(file), file)) if isinstance(node, ast.FunctionDef)
        ]

    def nearest(self, file: str) -> set[str]:
        """Return the test files that import a file; where none does, those that need the fewest imports."""
        found = self.importers(file)
        return {test for test, distance in found.items() if distance == min(found.values())}

    def shared(self, test: str) -> set[str]:
        """Return what tests share that a test file imports, by way of others too.

        What a conftest.py imports does not count: few of the tests below it use that.
        """
        found: set[str] = set()
        todo = {test}
        while todo:
            found |= todo
            imported = (self.of(file) for file in todo if not file.endswith("conftest.py"))
            todo = {other for files in imported for other in files if other.startswith("tests/")} - found
        return found

    def drives_a_browser(self, test: str) -> bool:
        """Say whether a test file visits the page in a browser."""
        return bool(self._arguments(test) & {"visit", "browser"})

    def _named_in(self, file: str, *folders: str) -> set[str]:
        """Return the test files that name a file, or one of some folders that it is in."""
        ways = [re.escape(Path(file).name), *(f'["/]{folder}["/]' for folder in folders)]
        said = re.compile("|".join(ways))
        return {test for test in self.tests if said.search(self.text(test))}

    def about(self, file: str) -> set[str]:
        """Return the test files that a file touches which none of them imports."""
        if not file.startswith(PACKAGE) or file.endswith(".pyi"):
            return self._named_in(file)
        package, *folders = Path(file.removeprefix(PACKAGE)).parts[:-1] or ("",)
        tests = {test for test in self.tests if test.startswith(f"tests/{package}/")}
        if file.endswith(".py"):
            return tests
        if package == "web":
            tests = set(filter(self.drives_a_browser, tests))
        return tests | self._named_in(file, *folders[:1])

    def touched(self, changed: Iterable[str]) -> list[str]:
        """Return the test files that a change of some files touches."""
        changed = set(changed)
        found = {test for test in self.tests if changed & (self.of(test) | self.shared(test))}
        for file in changed:
            if file in self.files and file.startswith(PACKAGE):
                found |= self.nearest(file) or self.about(file)
            elif not file.startswith("tests/") or not file.endswith(".py"):
                found |= self.about(file)
        return sorted(found)


def _git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True).stdout


def base(root: Path = ROOT, hours: float = HOURS) -> str:
    """Return the revision that a change began at; one without files where all commits are too young.

    It is where HEAD left origin/main. Where HEAD is on it, or there is none, what CI passed last is not
    known, and it is the newest commit that is some hours older than HEAD.
    """
    remote = subprocess.run(
        ["git", "merge-base", "HEAD", "origin/main"], cwd=root, capture_output=True, text=True
    )
    if remote.returncode == 0 and remote.stdout != _git(root, "rev-parse", "HEAD"):
        return remote.stdout.strip()
    then = int(_git(root, "log", "-1", "--format=%ct")) - round(hours * 3600)
    return _git(root, "rev-list", "-1", f"--before={then}", "HEAD").strip() or _NOTHING


def changed(root: Path = ROOT, since: str | None = None, hours: float = HOURS) -> set[str]:
    """Return the files that changed since a revision, see base: committed, staged or untracked.

    Raises CalledProcessError where git knows no such revision, or the tree is none of git's.
    """
    differ = _git(root, "diff", "--name-only", "--no-renames", "-z", since or base(root, hours), "--")
    untracked = _git(root, "ls-files", "--others", "--exclude-standard", "-z")
    return set(filter(None, f"{differ}{untracked}".split("\0")))


def main() -> int:
    """Print the test files that are touched; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--since", metavar="REV", help="the revision that the change began at")
    parser.add_argument(
        "--hours",
        type=float,
        default=HOURS,
        help="where HEAD is on origin/main, how long before it the change began (%(default)s)",
    )
    asked = parser.parse_args()
    if not 0 <= asked.hours <= MOST_HOURS:
        parser.error(f"--hours takes a number from 0 to {MOST_HOURS}")
    try:
        files = changed(ROOT, asked.since, asked.hours)
    except subprocess.CalledProcessError as error:
        print(error.stderr.strip(), file=sys.stderr)
        return 2
    imports = Imports()
    try:
        touched = imports.touched(files)
    except SyntaxError as error:
        print(f"{error.filename}, line {error.lineno}: {error.msg}", file=sys.stderr)
        return 2
    for test in touched:
        print(test)
    return 0


if __name__ == "__main__":
    sys.exit(main())
