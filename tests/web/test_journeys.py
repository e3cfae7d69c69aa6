"""How many tests drive a browser in the default tier: each costs a second of a processor."""

import ast
from pathlib import Path

MOST = 60


def test_journeys_are_few() -> None:
    found = 0
    for path in Path(__file__).parent.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Attribute(attr="journey"), args=names):
                    found += len(names) - 1  # beside the mark itself
                case ast.Attribute(attr="journey"):
                    found += 1
                case ast.FunctionDef(decorator_list=marks) if "journey" in map(name_of, marks):
                    assert "parametrize" not in map(name_of, marks), f"{node.name}: say for which parameters"
    assert 0 < found <= MOST


def name_of(mark: ast.expr) -> str:
    """Return the name of a mark without arguments, else of what is called."""
    if isinstance(mark, ast.Call):
        return "parametrize" if isinstance(mark.func, ast.Attribute) and mark.func.attr == "parametrize" else ""
    return mark.attr if isinstance(mark, ast.Attribute) else ""
