"""Which mistakes the tests notice: small ones are made in the sources, one at a time, and the tests run.

python tools/mutants.py --out mutants.jsonl            # adds a line for each; goes on where it was ended
python tools/mutants.py --out mutants.jsonl --table    # what is known, as a table in Markdown
python tools/mutants.py --list --seed 50 --only web    # the mutants alone

A mutant is one place of one file changed. The test files that import that file run, the nearest first: those
of the default tier, and where these notice nothing, the thorough ones. Tests that visit the page do not run.
All happens in a copy of the working tree; two runs at a time need a --folder each. A test that fails without
the mutant, too, is left out. Tests that do not end are ended, which counts as noticed if they end without the
mutant.
"""

import argparse
import ast
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from textwrap import shorten
from typing import Any

sys.path.append(str(Path(__file__).parents[1]))
from tools.touched import PACKAGE, ROOT, Imports

PACKAGES = ("games", "strategies", "exact", "planning", "coaching", "web", "kernels")
MARKER = "thorough"
DEFAULT, THOROUGH, SURVIVED, UNDECIDED = "default", "thorough", "survived", "undecided"

_FILES = 12
"""Test files that run for a mutant, unless more import its file themselves."""
_MEMORY = 6 * 2**30
"""Bytes that a process of tests may take: mutants may ask for any number."""

_TURNED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
_TURNED |= {"in": "not in", "not in": "in", "is": "is not", "is not": "is"}
_TURNED |= {"and": "or", "or": "and", "+": "-", "-": "+", "+=": "-=", "-=": "+="}
_OPERATOR = re.compile(rb"#[^\n]*|(not\s+in|is\s+not|in|is|and|or)\b|([<>=!+-]=?)")
# Arguments in either order are as good, or the call fails at once.
_EITHER_WAY = {"min", "max", "minimum", "maximum", "gcd", "add", "multiply", "array_equal", "isclose"}
_EITHER_WAY |= {"isinstance", "issubclass", "getattr", "hasattr", "setattr", "cast", "TypeVar", "register"}


@dataclass(frozen=True)
class Mutant:
    """One change of one file: the bytes from `start` on that are `old` become `new`."""

    file: str
    line: int
    start: int
    kind: str
    old: str
    new: str

    @property
    def package(self) -> str:
        """The package of the file, or of what stands for it in another tree."""
        return self.file.removeprefix(PACKAGE).partition("/")[0]

    def of(self, source: bytes) -> bytes:
        """Return the source with the change."""
        return source[: self.start] + self.new.encode() + source[self.start + len(self.old.encode()) :]

    def __str__(self) -> str:
        old, new = (shorten(text, 70, placeholder=" …") for text in (self.old, self.new))
        return f"{self.file}:{self.line}: {self.kind}: {old} → {new}"


class _Places(ast.NodeVisitor):
    """Finds the places of a file that may change."""

    def __init__(self, file: str, source: bytes) -> None:
        self.file, self.source = file, source
        self.lines = [0]
        for line in source.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))
        self.found: list[Mutant] = []
        self.known: set[str] = set()
        self.last: ast.stmt | None = None
        self.by_index = False
        self.visit(ast.parse(source))

    def _at(self, line: int, column: int) -> int:
        return self.lines[line - 1] + column

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._at(node.lineno, node.col_offset), self._at(node.end_lineno, node.end_col_offset)

    def _add(self, kind: str, start: int, end: int, new: str) -> None:
        line = self.source.count(b"\n", 0, start) + 1
        old = self.source[start:end].decode()
        self.found.append(Mutant(self.file, line, start, kind, old, new))

    def _turn(self, kind: str, left: ast.expr, right: ast.expr) -> None:
        """Turn the operator between two expressions."""
        between = self._span(left)[1]
        for match in _OPERATOR.finditer(self.source[between : self._span(right)[0]]):
            old = " ".join(match[0].decode().split())
            if old in _TURNED:
                self._add(kind, between + match.start(), between + match.end(), _TURNED[old])
                return

    def _drop(self, node: ast.stmt) -> None:
        self._add("statement dropped", *self._span(node), "pass")

    def visit(self, node: ast.AST) -> None:
        if not isinstance(node, ast.Raise | ast.JoinedStr):  # what errors say, and texts
            super().visit(node)

    # Statements.

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        outside = self.known, self.last
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        self.known, self.last = {argument.arg for argument in arguments}, node.body[-1]
        for part in [*node.args.defaults, *filter(None, node.args.kw_defaults), *node.body]:
            self.visit(part)  # neither decorators nor annotations
        self.known, self.last = outside

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for part in node.body:
            self.visit(part)

    def visit_If(self, node: ast.If) -> None:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        names = {target.id for target in node.targets if isinstance(target, ast.Name)}
        if "__all__" in names:
            return
        is_known = names <= self.known  # attributes and items count as known
        if is_known and not any(isinstance(target, ast.Tuple) for target in node.targets):
            self._drop(node)
        self.known |= names
        self.visit(node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if isinstance(node.target, ast.Name):
            self.known.add(node.target.id)
        if node.value:
            self.visit(node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._drop(node)
        if isinstance(node.op, ast.Add | ast.Sub) and not _is_text(node.value):
            self._turn("+ and -", node.target, node.value)
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            if re.match(r"(self\._?|_)?log(ger|ging)?\b", ast.unparse(node.value.func)):
                return
            self._drop(node)
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        if node is not self.last:
            self._drop(node)
        self.generic_visit(node)

    def visit_Assert(self, node: ast.Assert) -> None:
        if not self.file.startswith(f"{PACKAGE}kernels/"):
            self.visit(node.test)

    # Expressions.

    def visit_Compare(self, node: ast.Compare) -> None:
        operands = [node.left, *node.comparators]
        for left, right in pairwise(operands):
            self._turn("comparison", left, right)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        for left, right in pairwise(node.values):
            self._turn("and, or", left, right)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if isinstance(node.op, ast.Add | ast.Sub) and not (_is_text(node.left) or _is_text(node.right)):
            self._turn("+ and -", node.left, node.right)
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if type(node.value) is int:
            self._add("off by one", *self._span(node), str(node.value + 1))
            if self.by_index:
                less = str(node.value - 1)
                self._add("off by one", *self._span(node), f"({less})" if node.value < 1 else less)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.visit(node.value)
        self._visit_index(node.slice)

    def _visit_index(self, *nodes: ast.AST) -> None:
        outside, self.by_index = self.by_index, True
        for node in nodes:
            self.visit(node)
        self.by_index = outside

    def visit_Call(self, node: ast.Call) -> None:
        name = ast.unparse(node.func).rpartition(".")[2]
        if name.endswith("Error"):
            return  # what it says
        if len(node.args) > 1 and not any(isinstance(part, ast.Starred) for part in node.args[:2]):
            (start, stop), (begin, end) = map(self._span, node.args[:2])
            first, between, second = self.source[start:stop], self.source[stop:begin], self.source[begin:end]
            if first != second and name not in _EITHER_WAY:
                self._add("arguments swapped", start, end, (second + between + first).decode())
        if name == "range":
            self._visit_index(*node.args)
        else:
            self.generic_visit(node)


def _is_text(node: ast.expr) -> bool:
    """Say whether an expression is a text or a list as it stands: with those, - fails at once."""
    if isinstance(node, ast.BinOp):
        return _is_text(node.left) or _is_text(node.right)
    return isinstance(node, ast.JoinedStr | ast.List | ast.Tuple | ast.ListComp) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
    )


def mutants(file: str, source: bytes) -> list[Mutant]:
    """Return all mutants of a file; some may not compile."""
    return _Places(file, source).found


def differs(source: bytes, mutated: bytes) -> bool:
    """Say whether a mutated source compiles and is another program."""
    try:
        compile(mutated, "mutant", "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return ast.dump(ast.parse(mutated)) != ast.dump(ast.parse(source))


def drawn(root: Path, seed: int, count: int, packages: Sequence[str] = PACKAGES) -> list[Mutant]:
    """Return mutants that a seed draws: about as many of each package, of its files by their lines.

    Kinds are as likely as each other. What is drawn of a package does not depend on the others' sources.
    """

    @cache
    def kinds(file: str) -> dict[str, list[Mutant]]:
        found: dict[str, list[Mutant]] = defaultdict(list)
        for mutant in mutants(file, sources[file]):
            found[mutant.kind].append(mutant)
        return found

    all_drawn: list[Mutant] = []
    for place, package in enumerate(packages):
        rng = random.Random(f"{seed} {package}")
        wanted = count // len(packages) + (place < count % len(packages))
        paths = sorted((root / PACKAGE / package).rglob("*.py"))
        sources = {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}
        lines = [source.count(b"\n") + 1 for source in sources.values()]
        found: list[Mutant] = []
        for _ in range(20 * wanted):  # files without any, and the same ones again, do not count
            file = rng.choices(list(sources), lines)[0]
            if len(found) < wanted and kinds(file):
                mutant = rng.choice(kinds(file)[rng.choice(sorted(kinds(file)))])
                if mutant not in found and differs(sources[file], mutant.of(sources[file])):
                    found.append(mutant)
        all_drawn += found
    return all_drawn


def selected(imports: Imports, file: str, most: int = _FILES) -> list[str]:
    """Return the test files to run for a file: all that import it, then the nearest, up to a number of them.

    Those of the folder of its package come first, and those that import few other files. The file itself is
    one of them if it has examples.
    """
    package = file.removeprefix(PACKAGE).partition("/")[0]
    distances = imports.importers(file)
    tests = [test for test in distances if not imports.drives_a_browser(test)]
    tests.sort(
        key=lambda test: (
            distances[test],
            not test.startswith(f"tests/{package}/"),
            len(imports.of(test)),
            test,
        )
    )
    direct = sum(distances[test] == 1 for test in tests)
    examples = [file] if ">>> " in imports.text(file) else []
    return examples + tests[: max(direct, most)]


@dataclass(frozen=True)
class Ran:
    """How tests ended: whether all passed, which failed if it is known, whether they were ended, the time."""

    passed: bool
    failed: tuple[str, ...] = ()
    ended: bool = False
    seconds: float = 0.0

    @property
    def why(self) -> str:
        """What was noticed, in a word or by the name of a test."""
        return "timeout" if self.ended else self.failed[0] if self.failed else "crash"


class Copy:
    """A copy of a working tree, in which tests run; kernels that its tests compile are kept beside it.

    limit: seconds that one run of tests may take.
    """

    def __init__(
        self, root: Path, folder: Path, limit: float, processes: int = 0, marker: str = MARKER
    ) -> None:
        self.root, self.folder, self.limit = root, folder, limit
        self.tree, self.kernels = folder / "tree", folder / "kernels"
        self.options = ["-n", str(processes)] if processes else []
        self.tiers = {DEFAULT: f"not {marker}", THOROUGH: marker}
        self.broken: set[str] = set()
        """Tests that fail without a mutant."""
        self._whole: dict[tuple[object, ...], Ran] = {}
        self._written = 0
        shutil.rmtree(self.tree, ignore_errors=True)
        self.kernels.mkdir(parents=True, exist_ok=True)
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
            cwd=root,
            check=True,
            capture_output=True,
            text=True,
        )
        for name in filter(None, listed.stdout.split("\0")):
            if (root / name).is_file():  # not deleted since
                (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(root / name, self.tree / name)

    def write(self, file: str, source: bytes) -> None:
        """Write a source. Python tells by a file's time, in seconds, and size whether its bytecode is old."""
        path = self.tree / file
        path.write_bytes(source)
        self._written += 1
        os.utime(path, (self._written, self._written))

    def execute(self, command: Sequence[str], kernels: Path, limit: float | None = None) -> int | None:
        """Run a command in the copy; return its exit code, None where it was ended."""
        env = {**os.environ, "PYTHONPATH": str(self.tree / "src"), "NUMBA_CACHE_DIR": str(kernels)}
        process = subprocess.Popen(
            [sys.executable, *command],
            cwd=self.tree,
            env=env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=_bounded,
        )
        try:
            return process.wait(limit)
        except subprocess.TimeoutExpired:
            return None
        finally:  # also by Ctrl-C; and what it started and left
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def pytest(self, tests: Sequence[str], tier: str, kernels: Path, limit: float) -> Ran:
        """Run tests of a tier up to the first that fails."""
        kept = self.folder / "pytest"
        shutil.rmtree(kept, ignore_errors=True)
        command = [
            "-m",
            "pytest",
            "-q",
            "-x",
            "-m",
            self.tiers[tier],
            "-o",
            f"cache_dir={kept}",
            *self.options,
        ]
        command += [f"--deselect={test}" for test in sorted(self.broken)]
        began = time.monotonic()
        code = self.execute([*command, *tests], kernels, limit)
        seconds = time.monotonic() - began
        if code in (0, 5):  # 5: there are none
            return Ran(True, seconds=seconds)
        failed = kept / "v/cache/lastfailed"
        names = json.loads(failed.read_text("utf-8")) if code is not None and failed.exists() else ()
        return Ran(False, tuple(names), code is None, seconds)

    def without(self, tests: Sequence[str], tier: str) -> Ran:
        """Return how tests end without a mutant."""
        key = (tier, len(self.broken), *tests)
        if key not in self._whole:
            self._whole[key] = self.pytest(tests, tier, self.kernels, self.limit)
        return self._whole[key]

    def tried(self, mutant: Mutant, tests: Sequence[str], tier: str) -> tuple[bool | None, str]:
        """Return whether tests of a tier notice a mutant, None where that is unknown, and what does."""
        source = (self.tree / mutant.file).read_bytes()
        limit, again = self.limit, False
        while True:
            self.write(mutant.file, mutant.of(source))
            try:
                ran = self.pytest(tests, tier, self._kernels_for(mutant), limit)
            finally:
                self.write(mutant.file, source)
            if ran.passed:
                return False, ""
            whole = self.without(ran.failed or tests, tier)
            if whole.passed and ran.ended and not again:
                # It may have been compiling, which is done now.
                limit, again = min(self.limit, 60 + 3 * whole.seconds), True
            elif whole.passed:
                return True, ran.why
            elif whole.failed and not set(whole.failed) <= self.broken:
                self.broken |= set(whole.failed)
            else:
                return None, whole.why

    def _kernels_for(self, mutant: Mutant) -> Path:
        """Return where kernels are kept: those that a mutant changes would replace the right ones."""
        if mutant.package != "kernels":
            return self.kernels
        changed = self.folder / "changed-kernels"
        if not changed.exists():
            shutil.copytree(self.kernels, changed)
        return changed

    def verdict(self, mutant: Mutant, tests: Sequence[str]) -> tuple[str, str]:
        """Return what becomes of a mutant, and what notices it."""
        shutil.rmtree(self.folder / "changed-kernels", ignore_errors=True)
        for tier in (DEFAULT, THOROUGH):
            noticed, by = self.tried(mutant, tests, tier)
            if noticed is not False:
                return (tier if noticed else UNDECIDED), by
        return SURVIVED, ""


def _bounded() -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def known(out: Path) -> list[dict[str, Any]]:
    """Return the results that a file has; a line that was cut short is none."""
    found = []
    for line in out.read_text("utf-8").splitlines() if out.exists() else ():
        try:
            found.append(json.loads(line))
        except json.JSONDecodeError:
            continue
    return found


def _key(result: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(result[name] for name in Mutant.__dataclass_fields__)


def run(
    copy: Copy,
    imports: Imports,
    asked: Iterable[Mutant],
    out: Path,
    say: Callable[[str], None] = print,
) -> None:
    """Find out what becomes of mutants, a line of the file for each; those that it has are left out."""
    done = set(map(_key, known(out)))
    for mutant in asked:
        if _key(asdict(mutant)) in done:
            continue
        tests = selected(imports, mutant.file)
        began = time.monotonic()
        verdict, by = copy.verdict(mutant, tests)
        seconds = round(time.monotonic() - began, 1)
        result = {**asdict(mutant), "verdict": verdict, "by": by, "seconds": seconds, "tests": len(tests)}
        with out.open("a", encoding="utf-8") as file:
            file.write(json.dumps(result, ensure_ascii=False) + "\n")
        say(f"{mutant}: {verdict}{f' by {by}' if by else ''}, {seconds:.0f} s")


def table(results: Iterable[dict[str, Any]]) -> str:
    """Return the results in Markdown: how many mutants the tests notice, and what the default ones miss."""
    results = list(results)
    if not results:
        return "no results"
    fields = Mutant.__dataclass_fields__
    shown = [(Mutant(**{name: result[name] for name in fields}), result) for result in results]
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for mutant, result in shown:
        for row in (mutant.package, "all"):
            counts[row][result["verdict"]] += 1
    some = [verdict for verdict in (DEFAULT, THOROUGH, SURVIVED, UNDECIDED) if counts["all"][verdict]]
    heads = {DEFAULT: "killed by default", THOROUGH: "only by thorough"}
    lines = [
        f"| package | mutants | {' | '.join(heads.get(verdict, verdict) for verdict in some)} | noticed |",
        "|---|" + "--:|" * (len(some) + 2),
    ]
    for row in sorted(counts, key=lambda row: (row == "all", row)):
        count = counts[row]
        noticed = (count[DEFAULT] + count[THOROUGH]) / count.total()
        numbers = " | ".join(str(count[verdict]) for verdict in some)
        lines.append(f"| {row} | {count.total()} | {numbers} | {noticed:.0%} |")
    missed = [(mutant, result) for mutant, result in shown if result["verdict"] != DEFAULT]
    if missed:
        lines += ["", "What the default tier missed:", ""]
    for mutant, result in missed:
        by = f" by `{result['by']}`" if result["by"] else ""
        where, kind, change = str(mutant).split(": ", 2)
        lines.append(f"- `{where}`, {kind}: `{change}`: {result['verdict']}{by}")
    return "\n".join(lines)


def _asked(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").partition("\n")[0], formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path("mutants.jsonl"), help="the file of results")
    parser.add_argument("--table", action="store_true", help="print what the file has, run nothing")
    parser.add_argument("--list", action="store_true", help="print the mutants, run nothing")
    parser.add_argument("--seed", type=int, default=49)
    parser.add_argument(
        "--count", type=int, default=60, help="mutants of all packages together, of which --only keeps some"
    )
    parser.add_argument("--only", default="", help="some of the packages, with commas")
    parser.add_argument("--limit", type=float, default=300, help="seconds of one run of tests")
    parser.add_argument("--processes", type=int, default=0, help="that share the tests, by pytest-xdist")
    parser.add_argument("--marker", default=MARKER, help="of the tests that are not of the default tier")
    folder = Path(tempfile.gettempdir(), "sleuth-mutants")
    parser.add_argument(
        "--folder", type=Path, default=folder, help="where the copy and its compiled kernels are kept"
    )
    parser.add_argument("--cold", action="store_true", help="compile no kernels before the first mutant")
    asked = parser.parse_args(arguments)
    asked.only = set(asked.only.split(",")) if asked.only else set(PACKAGES)
    if not asked.only <= set(PACKAGES):
        parser.error(f"--only takes some of {','.join(PACKAGES)}")
    if asked.count < 1:
        parser.error("--count takes a whole number from 1")
    if asked.out.is_dir() or (asked.table and not asked.out.exists()):
        parser.error(f"--out takes a file of results, which {asked.out} is not")
    return asked


def _do(asked: argparse.Namespace) -> None:
    if asked.table:
        print(table(known(asked.out)))
        return
    chosen = [mutant for mutant in drawn(ROOT, asked.seed, asked.count) if mutant.package in asked.only]
    if not chosen:
        print(f"none of {asked.count} mutants is of {', '.join(sorted(asked.only))}: --count takes more")
        return
    if asked.list:
        print("\n".join(map(str, chosen)))
        return
    copy = Copy(ROOT, asked.folder, asked.limit, asked.processes, asked.marker)
    if not asked.cold:
        print("compiling kernels ...", flush=True)
        copy.execute(["-m", "sleuth", "warmup"], copy.kernels)
    run(copy, Imports(copy.tree), chosen, asked.out, lambda line: print(line, flush=True))
    print(table(known(asked.out)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what is asked for; return the exit code."""
    try:
        _do(_asked(arguments))
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
