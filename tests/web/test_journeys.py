"""How many tests drive a browser in the default tier: each costs a second of a processor."""

import ast
from pathlib import Path

MOST = 60


def test_journeys_are_few() -> None:
    found = 0
    for path in Path(__file__).parent.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Attribute(attr="journey"):
                    found += 1
                case ast.Call(func=ast.Attribute(attr="journey"), args=parameters):
                    found += len(parameters) - 1  # beside the mark itself
                case ast.FunctionDef(name=name, decorator_list=marks):
                    told = [ast.unparse(mark).partition("(") for mark in marks]
                    every = ("pytest.mark.journey", "", "") in told
                    assert not every or len(told) == 1, f"{name}: say for which parameters"
    assert 0 < found <= MOST
