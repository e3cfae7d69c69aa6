"""What is known of the best play in many games, as the page lists it."""

from __future__ import annotations

from typing import Any

from sleuth.ledger import wording
from sleuth.ledger.record import records as rows


def records() -> dict[str, Any]:
    """Return the rows of the table that ships, each with what it says in words."""
    return {
        "records": [
            {
                **row.to_json(),
                "title": wording.game(row.game),
                "task": wording.task(row),
                "result": wording.result(row),
                "mean": wording.mean(row),
            }
            for row in rows()
        ]
    }
