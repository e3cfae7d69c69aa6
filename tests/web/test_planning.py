"""Episodes of planning problems, as the HTTP API has them: jobs, the same episode again, limits."""

import json
import time
from random import Random
from typing import Any, get_args

import pytest
from servers import Client, holds, is_problem, post

from sleuth.planning.benchmark.problems import PROBLEMS
from sleuth.planning.benchmark.results import METHODS
from sleuth.planning.methods import method, pomdp_method
from sleuth.planning.oracle import Oracle
from sleuth.planning.pomdps.modelled import ModelledPomdp
from sleuth.planning.pomdps.online import play
from sleuth.planning.pomdps.problems import tiger_pomdp
from sleuth.planning.recording import record
from sleuth.processes.problems import PROBLEMS as CONTROLS
from sleuth.support.errors import SleuthError
from sleuth.support.progress import Progress
from sleuth.support.specification import from_text
from sleuth.web import planning, results
from sleuth.web.app import API
from sleuth.web.schemas import (
    MOST_PLANNED,
    MOST_PLANNING,
    ControlMethod,
    ControlProblem,
    EpisodeRequest,
    PomdpMethod,
    PomdpProblem,
)

QMDP = {"problem": "tiger", "method": "oracle-lookahead", "turns": 12, "seed": 4}


def ended(client: Client, asked: dict[str, Any]) -> dict[str, Any]:
    """Return a job once it has ended."""
    job = post(client, "/episodes", asked, 202)
    holds(results.JobStarted, job)
    with client.stream("GET", job["events"]) as answer:
        answer.read()
    found: dict[str, Any] = client.get(job["self"]).json()
    holds(results.EpisodeInfo, found)
    return found


def played(**asked: Any) -> tuple[dict[str, Any], list[Progress]]:
    """Return an episode without a server, and what was told of it."""
    told: list[Progress] = []
    return planning.episode(EpisodeRequest.model_validate(QMDP | asked), told.append), told


def test_what_is_offered_is_what_there_is(client: Client) -> None:
    offered = client.get(f"{API}/planning").json()
    holds(results.Planning, offered)
    pomdps = [one["name"] for one in offered["problems"] if one["timed"]]
    assert pomdps == list(PROBLEMS) == list(get_args(PomdpProblem))
    controls = [one["name"] for one in offered["problems"] if not one["timed"]]
    assert controls == list(get_args(ControlProblem))
    plain = {method for method in METHODS if "(" not in method}
    assert plain == set(get_args(PomdpMethod))
    both = {*get_args(PomdpMethod), *get_args(ControlMethod)}
    assert {one["name"] for one in offered["methods"]} == both
    assert (offered["seconds"], offered["turns"]) == (MOST_PLANNING, MOST_PLANNED)


@pytest.mark.parametrize(
    "problem", ["tiger", *(pytest.param(one, marks=pytest.mark.thorough) for one in get_args(ControlProblem))]
)
def test_every_method_that_is_offered_plays(problem: str) -> None:
    [told] = [one for one in planning.planning()["problems"] if one["name"] == problem]
    for name in told["methods"]:
        report, _ = played(problem=problem, method=name, seconds=0.001, turns=1)
        assert len(report["turns"]) == 1, name
        assert report["amounts"] == told["amounts"]


@pytest.mark.parametrize("problem", get_args(ControlProblem))
def test_an_episode_of_adaptive_control_is_that_of_the_library_and_the_same_again(problem: str) -> None:
    asked = {"problem": problem, "method": "certainty-equivalence", "turns": 20}
    report, told = played(**asked)
    stated = from_text(CONTROLS, planning._CONTROLS[problem].made)
    episode = record(stated, method("certainty-equivalence").policy(stated, Oracle(stated)), 4)
    assert [turn["action"] for turn in report["turns"]] == [turn.action for turn in episode.turns]
    assert report["turns"][-1]["discounted"] == pytest.approx(episode.total)
    total = sum(turn["amount"] for turn in report["turns"]) + report["final"]
    assert report["turns"][-1]["sum"] == pytest.approx(total)
    assert (report["amounts"], report["start"]["observation"]) == ("cost", episode.seen)
    assert told[-1] == Progress(len(report["turns"]) - 1, 20, "playing")
    again, _ = played(**asked | {"method": "random", "actions": report["actions"]})
    assert again == {**report, "method": "random"}


def test_an_episode_of_adaptive_control_ends_with_its_turns() -> None:
    report, _ = played(problem="hidden-objects", method="certainty-equivalence", seed=1, turns=3)
    assert len(report["turns"]) == 3
    assert report["turns"][-1]["sum"] == 3


def test_an_action_that_a_state_has_not_is_refused() -> None:
    with pytest.raises(SleuthError, match="there is no action 7: actions are 0 to 3"):
        played(problem="navigation", actions=[0, 7])


def test_an_episode_is_that_of_the_library_and_the_same_again(client: Client) -> None:
    found = ended(client, QMDP)
    report = found["report"]
    assert (found["status"], found["done"], found["total"], found["remark"]) == ("done", 12, 12, "playing")
    modelled = ModelledPomdp(tiger_pomdp())
    planner = pomdp_method("oracle-lookahead").planners(modelled).new(4)
    total = play(modelled.pomdp, planner, Random("episode/4"), turns=12)
    assert report["turns"][-1]["discounted"] == pytest.approx(total)
    assert report["turns"][-1]["sum"] == sum(turn["amount"] for turn in report["turns"])
    assert [modelled.pomdp.actions[i] for i in report["actions"]] == [
        turn["action"] for turn in report["turns"]
    ]
    before = {one["name"]: one["share"] for one in report["start"]["belief"]}
    for turn in report["turns"]:
        assert {one["name"]: one["before"] for one in turn["belief"]} == before
        assert [one["name"] for one in turn["belief"] if one["true"]] == [turn["hidden"]]
        before = {one["name"]: one["share"] for one in turn["belief"]}
        assert sum(before.values()) == pytest.approx(1)
    # A search with another limit would do otherwise; what was done is done again.
    again = ended(client, {**QMDP, "method": "random", "actions": report["actions"]})["report"]
    assert again == {**report, "method": "random"}


def test_large_beliefs_are_the_likeliest_and_the_rest() -> None:
    report, told = played(problem="tag", turns=3)
    assert len(json.dumps(report)) < 10_000
    for moment in (report["start"], *report["turns"]):
        assert len(moment["belief"]) <= 11
        assert sum(one["share"] for one in (*moment["belief"], moment["rest"])) == pytest.approx(1)
    remarks = list(dict.fromkeys((one.done, one.remark) for one in told))
    assert remarks == [
        *((0, remark) for remark in ("laying the problem out", "getting ready to plan")),
        *((turn, "playing") for turn in range(3)),
    ]


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"problem": "chess"}, "problem is one of 'tiger', 'hallway', "),
        ({"problem": None}, "problem is one of 'tiger', 'hallway', "),
        ({"method": "exact"}, "method is one of 'tree', 'despot', "),
        ({"problem": "wordle", "method": "hsvi"}, "hsvi does not play wordle; tree, avts, "),
        ({"problem": "tiger", "method": "rollout"}, "rollout does not play tiger; tree, despot, "),
        ({"seconds": 0}, "seconds is more than 0"),
        ({"seconds": 2.1}, "seconds is at most 2"),
        ({"turns": 0}, "turns is at least 1"),
        ({"turns": 101}, "turns is at most 100"),
        ({"seed": -1}, "seed is at least 0"),
        ({"actions": [0] * 101}, "actions may have at most 100 entries"),
        ({"actions": [0, "listen"]}, "action 2 must be a whole number"),
        ({"simulations": 5}, "simulations is not known here"),
    ],
)
def test_what_is_no_request_is_refused(client: Client, asked: dict[str, Any], says: str) -> None:
    detail = is_problem(client.post(f"{API}/episodes", json=QMDP | asked), 422)["detail"]
    assert says in detail
    assert "\n" not in detail


def test_an_action_that_there_is_not_fails_the_job_in_a_line(client: Client) -> None:
    found = ended(client, {"problem": "tiger", "actions": [0, 3]})
    assert (found["status"], found["report"]) == ("failed", None)
    assert found["error"] == "there is no action 3: actions are 0 to 2"


def test_an_episode_is_cancelled(client: Client) -> None:
    job = post(client, "/episodes", {"problem": "tiger", "method": "pomcp", "seconds": 2, "turns": 100}, 202)
    with client.stream("GET", job["events"]) as answer:
        for line in answer.iter_lines():  # it is under way
            if '"playing"' in line:
                break
    assert client.delete(job["self"]).status_code == 204
    is_problem(client.get(job["self"]), 404)
    until = time.monotonic() + 60
    while client.app.state.lasting.busy:
        assert time.monotonic() < until
        time.sleep(0.05)
