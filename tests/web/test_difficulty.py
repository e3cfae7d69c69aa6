"""How hard a list is, as the HTTP API has it: a job with its progress, changes of a list, limits."""

import asyncio
import json
import re
import time
from typing import Any

import pytest
from servers import FIVE, Client, holds, is_problem, post

import sleuth
from sleuth.coaching.difficulty.played import games_for
from sleuth.web import jobs, measuring, results
from sleuth.web.app import API
from sleuth.web.limits import Limits
from sleuth.web.schemas import MOST_MEASURED, DifficultyRequest

LIGHT = ["light", "might", "night", "right", "sight", "eight", "crane"]


def ended(client: Client, asked: dict[str, Any]) -> dict[str, Any]:
    """Return a job once it has ended."""
    job = post(client, "/difficulty", asked, 202)
    holds(results.JobStarted, job)
    until = time.monotonic() + 600
    while (found := client.get(job["self"]).json())["status"] in ("queued", "running"):
        holds(results.DifficultyInfo, found)
        assert time.monotonic() < until
        time.sleep(0.05)
    holds(results.DifficultyInfo, found)
    return found


def test_the_report_is_that_of_the_library(client: Client) -> None:
    job = post(client, "/difficulty", {"game": {"answers": LIGHT}, "max_turns": 3}, 202)
    with client.stream("GET", job["events"]) as answer:
        *told, (name, last) = re.findall(r"event: (\w+)\ndata: (.*)\n\n", answer.read().decode())
    assert name == "done"
    assert {key for _, data in told for key in json.loads(data)} == {"done", "total", "remark"}
    game = sleuth.wordle(LIGHT, max_turns=3)
    expected = sleuth.difficulty(game, games=games_for(len(LIGHT))).to_json()
    found = json.loads(last)
    assert (found["done"], found["total"], found["remark"]) == (len(LIGHT), len(LIGHT), "casual player")
    report = found["report"]
    assert report.pop("game") != expected.pop("game")  # words of your own have another name
    assert report == json.loads(json.dumps(expected))
    assert report["unfair"]
    # Its address is that of its kind alone, and only that says where it is.
    id_ = found["id"]
    is_problem(client.get(f"{API}/evaluations/{id_}"), 404)
    assert client.delete(f"{API}/difficulty/{id_}").status_code == 204
    is_problem(client.get(f"{API}/difficulty/{id_}"), 404)


def test_a_change_is_told_before_and_after(client: Client) -> None:
    asked = {"game": {"answers": LIGHT}, "add": ["Wight"], "remove": ["crane", "eight"]}
    report = ended(client, asked)["report"]
    assert (report["added"], report["removed"]) == (["wight"], ["crane", "eight"])
    assert len(report["before"]["answers"]) == len(LIGHT)
    changed = [word for word in LIGHT if word not in ("crane", "eight")] + ["wight"]
    assert [row["answer"] for row in report["after"]["answers"]] == sorted(changed)
    assert report["after"]["guesses"] == len(changed)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"add": ["crane"]}, "crane cannot be added: it is an answer already"),
        ({"add": ["abc"]}, "abc cannot be added: it has 3 letters, the others have 5"),
        ({"add": ["ab-cd"]}, "ab-cd cannot be added: words are made of letters only"),
        ({"remove": ["zebra"]}, "zebra cannot be removed: it is no answer"),
        ({"remove": FIVE}, "all answers cannot be removed"),
        (
            {"game": {"words": "original-guesses"}},
            "a list may have 5,000 answers at most for this, not 12,972",
        ),
        ({"game": {"words": "nothing"}}, "unknown word list"),
    ],
)
def test_what_cannot_be_fails_the_job_in_a_line(client: Client, asked: dict[str, Any], says: str) -> None:
    found = ended(client, {"game": {"answers": FIVE}, **asked})
    assert (found["status"], found["report"]) == ("failed", None)
    assert says in found["error"]


def test_what_is_no_request_is_refused(client: Client) -> None:
    for asked in ({"max_turns": 0}, {"max_turns": 21}, {"add": ["a"] * (MOST_MEASURED + 1)}, {"seconds": 1}):
        is_problem(client.post(f"{API}/difficulty", json=asked), 422)


def test_another_change_plays_the_list_before_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "_kept", {})
    remarks = []
    for removed in ("crane", "trace"):
        asked = DifficultyRequest.model_validate({"game": {"answers": FIVE}, "remove": [removed]})
        measuring.difficulty(asked, lambda far: remarks.append(far.remark))
        remarks.append("done")
    first, second = " ".join(remarks).split("done")[:2]
    assert "before: casual player" in first
    assert "before" not in second
    assert "after: casual player" in second


def test_large_reports_are_forgotten_before_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    async def kept() -> list[int]:
        all_ = jobs.Jobs(None, None, Limits(), lambda line: None)
        for size in (30, 40, 200, 50, 60):
            job = jobs.Job("", jobs.DIFFICULTY)
            all_._jobs[job.id] = job
            job.change(status="done", report=b"1" * size)
        all_._forget_old()
        return [len(job.report) for job in all_._jobs.values()]

    monkeypatch.setattr(jobs, "_MOST_BYTES", 150)
    assert asyncio.run(kept()) == [50, 60]
    monkeypatch.setattr(jobs, "_MOST_BYTES", 10)
    assert asyncio.run(kept()) == [60]
