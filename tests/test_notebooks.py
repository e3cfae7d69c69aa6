"""The notebooks of the manual run from top to bottom, and what ends their cells shows itself."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "docs").rglob("*.ipynb"))


def run_cell(source: str, names: dict[str, Any]) -> Any:
    """Run a cell; returns the value of the expression that ends it, or None. Cells are plain Python."""
    tree = ast.parse(source)
    last = tree.body[-1]
    if not isinstance(last, ast.Expr):
        exec(compile(tree, "<cell>", "exec"), names)
        return None
    exec(compile(ast.Module(tree.body[:-1], []), "<cell>", "exec"), names)
    return eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_notebooks_run(notebook: Path) -> None:
    content = json.loads(notebook.read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    shown = 0
    for cell in content["cells"]:
        if cell["cell_type"] != "code":
            continue
        assert cell["outputs"] == [], "outputs are not kept: they would grow old"
        value = run_cell("".join(cell["source"]), names)
        if value is not None:
            assert value._repr_html_()
            shown += 1
    assert shown > 3
