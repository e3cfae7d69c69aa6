"""What the server counts, read as Prometheus does."""

import os
import platform
import re
import signal
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from servers import SALET, SMALL, Client, post, serving

from sleuth.support.version import VERSION
from sleuth.web.app import API

Counts = dict[tuple[str, ...], float]


def read(client: httpx.Client) -> Counts:
    """Return the numbers, by name and the values of labels in the order of their names."""
    answer = client.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=")
    return {
        (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def gained(before: Counts, after: Counts, *key: str) -> float:
    return after.get(key, 0) - before.get(key, 0)


def test_requests_are_counted_by_route_and_status(client: Client) -> None:
    before = read(client)
    for _ in range(3):
        post(client, "/check", {"rows": [SALET]})
    client.post(f"{API}/check", json={"rows": 1})
    client.head("/health")
    for path in ("/made-up", "/made-up-too"):
        client.request("BREW", path)
    after = read(client)
    assert gained(before, after, "sleuth_requests_total", f"{API}/check", "POST", "200") == 3
    assert gained(before, after, "sleuth_requests_total", f"{API}/check", "POST", "422") == 1
    assert gained(before, after, "sleuth_requests_total", "other", "other", "404") == 2
    assert gained(before, after, "sleuth_request_seconds_count", f"{API}/check") == 4
    assert gained(before, after, "sleuth_request_seconds_bucket", f"{API}/check", "+Inf") == 4
    assert gained(before, after, "sleuth_requests_total", "/health", "HEAD", "200") == 1
    assert not any("made-up" in part for key in after for part in key)


def test_endpoints_are_named_as_they_are_asked(client: Client) -> None:
    job = post(client, "/evaluations", {"strategy": "information-gain", "game": SMALL}, 202)
    client.get(job["self"])
    client.get(job["events"])
    version = re.search(r"/static/\w+/js/app.js", client.get("/").text)
    assert version is not None
    client.get(version[0])
    endpoints = {key[1] for key in read(client) if key[0] == "sleuth_requests_total"}
    jobs = f"{API}/evaluations"
    assert {jobs, f"{jobs}/{{id}}", f"{jobs}/{{id}}/events", "/static/{path}", "/"} <= endpoints


def test_what_runs_is_told_and_when_it_began_is_not(client: Client) -> None:
    client.get("/health")
    found = read(client)
    assert found["sleuth_build_info", platform.python_version(), VERSION] == 1
    assert not any(key[0].endswith("_created") for key in found)


def test_answers_are_counted_by_where_they_come_from(client: Client) -> None:
    asked = {"game": SMALL, "rows": [], "limit": 7}
    before = read(client)
    for _ in range(5):
        post(client, "/suggest", asked)
    after = read(client)
    assert gained(before, after, "sleuth_answers_total", "computed") == 1
    assert gained(before, after, "sleuth_answers_total", "kept") == 4
    assert gained(before, after, "sleuth_answers_kept_bytes") > 0


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no memory of processes is told")
def test_workers_are_counted() -> None:
    with serving() as client:
        first = read(client)
        assert first["sleuth_workers", "quick"] == 2
        assert first["sleuth_workers_memory_bytes", "quick"] == 0  # none is started yet
        assert first["sleuth_server_memory_bytes",] > 2**20
        assert first["sleuth_prepared_ratio",] == 1
        post(client, "/check", {"rows": [SALET]})
        [pid] = client.app.state.quick.processes
        second = read(client)
        assert second["sleuth_workers_memory_bytes", "quick"] > 2**20
        assert second["sleuth_workers_busy", "quick"] == second["sleuth_tasks_waiting", "quick"] == 0
        os.kill(pid, signal.SIGKILL)
        post(client, "/check", {"rows": []})
        assert gained(second, read(client), "sleuth_workers_ended_total", "quick") == 1


def test_numbers_go_on_where_the_application_starts_again() -> None:
    with serving() as client:
        client.get("/health")
        app = client.app
    with serving(app=app) as client:
        assert read(client)["sleuth_requests_total", "/health", "GET", "200"] == 1
