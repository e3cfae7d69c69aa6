"""Every documented operation takes an example as it is documented, and refuses what it does not take.

test_document.py tries what is made from the document; here is one request of each kind.
"""

from typing import Any

import pytest
from servers import SMALL, Client, holds, is_problem, post

from sleuth.web import results
from sleuth.web.app import API, create_app

PATHS: dict[str, dict[str, Any]] = create_app(warm=False).openapi()["paths"]
ROW = {"guess": "crane", "feedback": "yggbg"}
GAME = {"game": SMALL}
MOVES = [{"guess": "crane"}, {"guess": "trace"}]
EXAMPLES: dict[str, dict[str, Any]] = {
    "/answers": GAME,
    "/suggest": {**GAME, "rows": [ROW]},
    "/rank": {**GAME, "strategy": "most-hints", "rows": [ROW]},
    "/check": {**GAME, "rows": [ROW]},
    "/review": {**GAME, "rows": MOVES, "answer": "trace"},
    "/fit": {**GAME, "text": "🟨🟩🟩⬛🟩\n🟩🟩🟩🟩🟩"},
    "/branches": {**GAME, "guess": "crane"},
    "/try": {**GAME, "guess": "crane"},
    "/words": GAME,
    "/strategy": GAME,
    "/strategy/file": {**GAME, "format": "json"},
    "/boards/suggest": {**GAME, "boards": [[ROW], [ROW]]},
    "/boards/review": {**GAME, "boards": [{"rows": MOVES, "answer": "trace"}]},
    "/puzzle": {**GAME, "number": 7},
    "/guess": {"puzzle": {**GAME, "number": 7}, "guess": "crane"},
    "/evaluations": {**GAME, "strategy": "most-hints"},
    "/difficulty": GAME,
    "/episodes": {"problem": "tiger", "method": "oracle-lookahead", "turns": 2},
}
ASKED = [path for path, methods in PATHS.items() if "post" in methods]
OF_JOBS = [path for path in PATHS if path.endswith(("/{id}", "/{id}/events"))]
OTHERS = [path for path in PATHS if path not in (*ASKED, *OF_JOBS, f"{API}/openers")]
"""What takes nothing; first guesses have tests in test_web.py."""


def example(path: str) -> dict[str, Any]:
    return EXAMPLES[path.removeprefix(API)]


def is_documented(answer: Any, path: str, method: str) -> None:
    """Assert that an answer has a status, a type and fields as the document says."""
    told = PATHS[path][method]["responses"][str(answer.status_code)].get("content", {})
    kind = answer.headers.get("content-type", "").partition(";")[0]
    assert (kind in told) if told else not answer.content, (path, kind)
    model = told[kind].get("schema", {}).get("$ref", "").rpartition("/")[2] if told else ""
    if hasattr(results, model):
        holds(getattr(results, model), answer.json())


@pytest.mark.parametrize("path", ASKED)
def test_what_is_asked_for(client: Client, path: str) -> None:
    answer = client.post(path, json=example(path))
    assert answer.status_code in (200, 202), answer.text
    is_documented(answer, path, "post")
    wrong = [{**example(path), name: {"odd": [1]}} for name in (*example(path), "unknown")]
    for refused, status in (
        *((client.post(path, json=body), 422) for body in wrong),
        (client.post(path, content=b"{", headers={"Content-Type": "application/json"}), 400),
        (client.post(path, content=b"{}"), 415),
    ):
        is_problem(refused, status)
        is_documented(refused, path, "post")


@pytest.mark.parametrize("path", OTHERS)
def test_what_is_told(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    is_documented(answer, path, "get")


@pytest.mark.parametrize("path", OF_JOBS)
def test_jobs(client: Client, path: str) -> None:
    begun = path.partition("/{id}")[0]
    job = post(client, begun.removeprefix(API), example(begun), 202)
    for method in PATHS[path]:
        answer = client.request(method, path.replace("{id}", job["id"]))
        assert answer.status_code in (200, 204)
        is_documented(answer, path, method)
        refused = client.request(method, path.replace("{id}", "nothing"))
        is_problem(refused, 404)
        is_documented(refused, path, method)
