"""The published figures, which ship as CSV files in the folder published."""

import csv
from importlib.resources import files


def read(name: str) -> list[dict[str, str]]:
    """Return the rows of a published table, such as "rollout-table1", by column; comments are skipped."""
    path = files("sleuth.published").joinpath("data", f"{name.replace('-', '_')}.csv")
    lines = path.read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))
