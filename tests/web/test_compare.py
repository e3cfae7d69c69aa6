"""What the comparison of strategies asks of the server, and the page that says that there is none."""

import json
import re
import time
from typing import Any

import pytest
from pydantic import TypeAdapter
from servers import SMALL, Client, is_problem, post

import sleuth
from sleuth.games.game import Game
from sleuth.support.errors import SleuthError
from sleuth.web import results
from sleuth.web.app import API
from sleuth.web.pages import VIEWS
from sleuth.web.security import HEADERS
from sleuth.web.strategies import fields_of, strategy_of

HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
STRATEGIES = list(sleuth.strategies())


def evaluated(client: Client, body: dict[str, Any]) -> dict[str, Any]:
    """Return the report of an evaluation once it is done."""
    job = post(client, "/evaluations", body, 202)
    until = time.monotonic() + 600
    while (found := client.get(job["self"]).json())["status"] in ("queued", "running"):
        assert time.monotonic() < until
        time.sleep(0.05)
    assert found["status"] == "done", found
    report: dict[str, Any] = found["report"]
    return report


class TestReports:
    def test_guesses_of_each_answer_are_in_the_order_of_the_answers(self, client: Client) -> None:
        game = sleuth.wordle(SMALL["answers"])
        report = evaluated(client, {"strategy": "worst-case", "game": SMALL})
        answers = post(client, "/answers", {"game": SMALL})
        TypeAdapter(results.Answers).validate_python(answers, strict=True)
        rows = sleuth.evaluate("worst-case", game).to_records()
        assert answers["answers"] == [row["answer"] for row in rows]
        assert report["turns"] == [row["turns"] for row in rows]
        assert report["optimum"] is None

    def test_the_optimum_where_it_is_proven(self, client: Client, original: Game) -> None:
        report = evaluated(client, {"strategy": "information-gain", "opener": "salet"})
        assert report["optimum"] == {"total": 7920, "mean": 7920 / 2315, "opener": "salet"}
        assert sum(report["turns"]) == report["total"] == 7946
        assert len(post(client, "/answers")["answers"]) == len(original.answers)

    def test_answers_of_what_is_no_game(self, client: Client) -> None:
        is_problem(client.post(f"{API}/answers", json={"game": {"words": "nothing"}}), 422)
        is_problem(client.post(f"{API}/answers", json={"words": "nyt"}), 422)


class TestOptions:
    @pytest.mark.parametrize("name", STRATEGIES)
    def test_all_that_fields_offer_is_taken(self, client: Client, name: str) -> None:
        [told] = [one for one in client.get(f"{API}/strategies").json()["strategies"] if one["name"] == name]
        TypeAdapter(results.StrategyInfo).validate_python(told, strict=True)
        assert [field["name"] for field in told["fields"]] == list(told["options"])
        for field in told["fields"]:
            offered = [*field["choices"], field["least"], field["most"]]
            for value in [one for one in offered if one is not None]:
                strategy_of(name, {field["name"]: value})
            assert field["kind"] != "text"
            default = told["options"][field["name"]]
            if field["choices"] and field["kind"] in ("choice", "strategy"):
                assert str(default).lower() in field["choices"]
            elif field["kind"] in ("whole", "number"):
                assert default in field["choices"] or field["least"] <= default <= field["most"]

    @pytest.mark.parametrize("name", STRATEGIES)
    def test_what_is_out_of_range_is_refused(self, name: str) -> None:
        for field in fields_of(type(strategy_of(name, {}))):
            if field["least"] in (1, 0.1):
                with pytest.raises(SleuthError):
                    strategy_of(name, {field["name"]: 0})
            if field["most"] is not None:
                with pytest.raises(SleuthError):
                    strategy_of(name, {field["name"]: field["most"] + 1})


class TestMissing:
    @pytest.mark.smoke
    @pytest.mark.parametrize(
        "path", ["/nothing", "/compares", "/review/salet", "/static/nothing.js", "/%3Ci%3E"]
    )
    def test_browsers_get_a_page_that_says_so(self, client: Client, path: str) -> None:
        answer = client.get(path, headers=HTML)
        assert answer.status_code == 404
        assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
        assert answer.headers["Content-Security-Policy"] == HEADERS["Content-Security-Policy"]
        assert "There is no page here" in answer.text
        assert "<i>" not in answer.text
        assert "app.js" not in answer.text  # it would show the view of another address
        links = set(re.findall(r'<li><a href="([^"]+)">', answer.text))
        assert links == set(VIEWS)
        for address in re.findall(r'(?:href|src)="([^"#]+)"', answer.text):
            assert client.get(address).status_code == 200, address
        head = client.head(path, headers=HTML)
        assert (head.status_code, head.content) == (404, b"")
        assert head.headers["Content-Length"] == answer.headers["Content-Length"]

    @pytest.mark.parametrize(
        ("path", "accept"),
        [
            ("/nothing", "*/*"),
            ("/nothing", "application/json"),
            ("/static/nothing.js", "*/*"),
            (f"{API}/nothing", HTML["Accept"]),
            (f"{API}/evaluations/nothing", HTML["Accept"]),
        ],
    )
    def test_others_get_a_problem(self, client: Client, path: str, accept: str) -> None:
        is_problem(client.get(path, headers={"Accept": accept}), 404)
        head = client.head(path, headers={"Accept": accept})
        assert head.headers["Content-Type"] == "application/problem+json"

    def test_views_have_no_word_of_it(self, client: Client) -> None:
        for path in VIEWS:
            assert "There is no page" not in client.get(path, headers=HTML).text


def test_events_carry_the_whole_report(client: Client) -> None:
    job = post(client, "/evaluations", {"strategy": "worst-case", "game": SMALL}, 202)
    with client.stream("GET", job["events"]) as answer:
        *_, last = re.findall(r"event: (\w+)\ndata: (.*)\n\n", answer.read().decode())
    assert set(json.loads(last[1])["report"]) >= {"turns", "optimum", "histogram"}
