"""The HTTP API: every route and error, limits, jobs, headers, and a real server's end."""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections import OrderedDict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Never
from urllib.parse import urljoin

import httpx
import pytest
from command_line import Run
from long_words import some_words
from servers import (
    FIVE,
    SALET,
    SMALL,
    Client,
    descendants,
    holds,
    is_problem,
    post,
    runs,
    serving,
    wait_until,
)

import sleuth
from sleuth.coaching.playing.puzzles import today
from sleuth.coaching.weighing.suggestions import suggested
from sleuth.games.feedback import typed
from sleuth.games.game import Game, Mode
from sleuth.web import games, results, starting
from sleuth.web.answers import Answers
from sleuth.web.app import API, create_app
from sleuth.web.limits import Limits
from sleuth.web.pages import LEADS, VIEWS
from sleuth.web.preparing import Preparation
from sleuth.web.schemas import GameSpec
from sleuth.web.security import HEADERS
from sleuth.web.starting import Process, Single, Starter
from sleuth.web.workers import (
    BusyError,
    FaultError,
    LostError,
    Pool,
    TooManyError,
    TooSlowError,
    Worker,
    WorkError,
)

STATIC = Path(__file__).parents[2] / "src" / "sleuth" / "web" / "static"
PATIENCE = 300
"""Seconds that a busy machine may take for what is waited for; more is a hang."""


ENDLESS = {"strategy": "avts", "options": {"iterations": 10**9}}


class TestPositions:
    @pytest.mark.smoke
    def test_suggest(self, client: Client, original: Game) -> None:
        found = post(client, "/suggest", {"rows": [SALET], "limit": 3})
        holds(results.Ranking, found)
        row = (SALET["guess"], SALET["feedback"])
        advice = suggested(sleuth.Position.after_rows(original, [row]), 3, seconds=60)
        assert found["guess"] == found["guesses"][0]["guess"]
        assert found["guesses"] == [asdict(one) for one in advice.suggestions]
        assert found["method"] == advice.method
        assert (found["turn"], found["candidates"], len(found["words"])) == (2, 99, 99)

    def test_an_opener_is_from_the_book(self, client: Client) -> None:
        assert post(client, "/suggest")["method"] == "book"

    def test_the_same_request_is_answered_from_memory(self, client: Client) -> None:
        asked = {"rows": [{"guess": "crane", "feedback": "bbygb"}]}
        first = post(client, "/suggest", asked)
        answers = client.app.state.answers
        kept = len(answers._kept)
        assert post(client, "/suggest", asked) == first
        assert len(answers._kept) == kept

    @pytest.mark.parametrize("feedback", ["00100", "⬛⬛🟨⬛⬛", "BBYBB"])
    def test_feedback_in_every_style(self, client: Client, feedback: str) -> None:
        assert post(client, "/check", {"rows": [{**SALET, "feedback": feedback}]})["candidates"] == 99

    def test_solved(self, client: Client) -> None:
        found = post(client, "/suggest", {"rows": [{"guess": "crane", "feedback": "ggggg"}]})
        holds(results.Ranking, found)
        assert found["solved"] is True
        assert (found["guess"], found["guesses"], found["method"]) == (None, [], "solved")

    def test_rank(self, client: Client) -> None:
        asked = {"strategy": "alpha", "options": {"alpha": -1}, "rows": [SALET], "limit": 2}
        found = post(client, "/rank", asked)
        holds(results.Ranking, found)
        assert found["method"] == "alpha(alpha=-1.0)"
        assert len(found["guesses"]) == 2

    def test_peg_games(self, client: Client) -> None:
        rows = [{"guess": "1122", "feedback": "1,2"}]
        found = post(client, "/suggest", {"game": {"game": "mastermind"}, "rows": rows})
        holds(results.Ranking, found)
        found = post(client, "/branches", {"game": {"game": "mastermind"}, "guess": "1122"})
        assert "1,2" in {branch["feedback"] for branch in found["branches"]}

    def test_own_lists(self, client: Client) -> None:
        assert post(client, "/suggest", {"game": SMALL})["candidates"] == 5
        spec = {"answers": ["crane"], "guesses": ["trace", "react"]}
        assert post(client, "/check", {"game": spec})["notes"] != []

    def test_check(self, client: Client) -> None:
        found = post(client, "/check", {"rows": [SALET]})
        holds(results.Check, found)
        assert found["contradiction"] is None

    def test_check_blames_a_row_and_its_letters(self, client: Client) -> None:
        rows = [SALET, {"guess": "stare", "feedback": "gbbbb"}]
        found = post(client, "/check", {"rows": rows})
        holds(results.Check, found)
        assert found["candidates"] == 0
        assert found["contradiction"]["row"] in (1, 2)
        assert found["contradiction"]["first"] == 2
        assert found["contradiction"]["letters"] == ["s"]
        assert found["contradiction"]["places"] == [1]

    def test_what_is_told_names_the_row_that_is_marked(self, client: Client) -> None:
        # The last row cannot follow the others; the one before it is the likeliest slip.
        rows = [("salet", "bbybb"), ("courd", "bbbgb"), ("stare", "bbgyb"), ("whirl", "ggggg")]
        body = {"rows": [{"guess": guess, "feedback": feedback} for guess, feedback in rows]}
        found = post(client, "/check", body)["contradiction"]
        assert found["row"] == 3
        assert set(re.findall(r"row (\d)", found["message"])) == {"3"}
        # No change of one row is enough: the first that cannot follow the others.
        rows = [("sassy", "bbbbb"), ("sassy", "yyyyy"), ("salet", "ggggg")]
        body = {"rows": [{"guess": guess, "feedback": feedback} for guess, feedback in rows]}
        found = post(client, "/check", body)["contradiction"]
        assert (found["row"], found["places"]) == (2, [])
        assert set(re.findall(r"row (\d)", found["message"])) == {"2"}

    def test_likely_words_come_first_and_are_bounded(self, client: Client) -> None:
        found = post(client, "/check")
        assert found["candidates"] == 2315
        assert len(found["words"]) == 100

    def test_branches(self, client: Client) -> None:
        found = post(client, "/branches", {"rows": [SALET], "guess": "aahed"})
        holds(results.Branches, found)
        counts = [branch["count"] for branch in found["branches"]]
        assert sum(counts) == found["candidates"] == 99
        assert counts == sorted(counts, reverse=True)
        assert sum(branch["chance"] for branch in found["branches"]) == pytest.approx(1)
        assert found["suggestion"]["guess"] == "aahed"

    def test_branches_of_the_best_guess(self, client: Client) -> None:
        found = post(client, "/branches", {"rows": [SALET]})
        assert found["guess"] == post(client, "/suggest", {"rows": [SALET]})["guess"]
        assert sum(branch["solved"] for branch in found["branches"]) == (found["suggestion"]["chance"] > 0)

    # They share no letter: every guess rules out itself alone.
    APART = tuple("".join(chr(0x4E00 + 5 * i + j) for j in range(5)) for i in range(600))

    def test_words_that_take_long_to_search_are_estimated(self, client: Client) -> None:
        found = post(client, "/suggest", {"game": {"answers": self.APART}, "seconds": 0.1})
        assert found["method"] == "expected-guesses"
        assert {guess["expected_by"] for guess in found["guesses"]} == {"estimate"}
        assert all(guess["least"] == 300.5 for guess in found["guesses"])
        refused = client.post("/api/v1/suggest", json={"seconds": 11})
        assert refused.status_code == 422

    @pytest.mark.thorough
    @pytest.mark.parametrize("guess", [None, APART[3]])
    def test_branches_of_words_that_take_long_to_search(self, client: Client, guess: str | None) -> None:
        found = post(client, "/branches", {"game": {"answers": self.APART}, "guess": guess})
        assert found["suggestion"]["expected_by"] == "estimate"
        assert sorted(branch["count"] for branch in found["branches"]) == [1, 599]

    def test_review(self, client: Client) -> None:
        rows = [{"guess": "crane", "feedback": "yggbg"}, {"guess": "trace", "feedback": "ggggg"}]
        found = post(client, "/review", {"game": SMALL, "rows": rows})
        assert [move["guess"] for move in found["moves"]] == ["crane", "trace"]
        asked = [
            {"guesses": ["crane", "trace"], "text": "🟨🟩🟩⬛🟩\n🟩🟩🟩🟩🟩"},
            {"guesses": ["crane", "trace"], "answer": "trace"},
        ]
        found_too = [post(client, "/review", {"game": SMALL, **body})["moves"] for body in asked]
        assert found_too == [found["moves"]] * 2

    @pytest.mark.parametrize("mode", ["easy", "hard", "strict"])
    def test_words_of_fifteen_letters(self, client: Client, mode: Mode) -> None:
        words = some_words(150, 15)
        spec = {"game": {"answers": words, "mode": mode}}
        game = sleuth.wordle(words, mode=mode)
        answer, first = words[40], words[7]
        row = {"guess": first, "feedback": typed(game.rules.notation, game.rules.code(first, answer))}
        position = sleuth.Position.after_rows(game, [(row["guess"], row["feedback"])])
        found = post(client, "/suggest", {**spec, "rows": [row]})
        holds(results.Ranking, found)
        assert found["words"] == list(position.words)
        assert found["guesses"][0]["kind"] == "proved"
        moves = post(client, "/review", {**spec, "guesses": [first, answer], "answer": answer})["moves"]
        assert [move["feedback"] for move in moves] == [row["feedback"], "g" * 15]
        branches = post(client, "/branches", {**spec, "guess": first})["branches"]
        assert sum(branch["count"] for branch in branches) == len(words)
        assert {branch["feedback"] for branch in branches} >= {row["feedback"], "g" * 15}
        none = post(client, "/suggest", {**spec, "rows": [{"guess": first, "feedback": "y" * 15}]}, 422)
        assert "no possible answer gives" in none["detail"]
        fibble = {**spec, "rows": [], "variant": "fibble"}
        assert "words of up to 10 letters" in post(client, "/suggest", fibble, 422)["detail"]


class TestExploring:
    def test_games(self, client: Client) -> None:
        found = client.get(f"{API}/games").json()
        holds(results.Games, found)
        wordle = next(game for game in found["games"] if game["id"] == "wordle")
        assert wordle["words"][0]["answers"] == 2315

    def test_games_tell_what_is_taken(self, client: Client) -> None:
        games = {game["id"]: game for game in client.get(f"{API}/games").json()["games"]}
        for size in games["mastermind"]["sizes"][2:]:
            spec = {"game": "mastermind", "pegs": size["pegs"], "colours": size["colours"] + 1}
            assert "needs" in post(client, "/puzzle", {"game": spec, "number": 5}, 422)["detail"]
        assert {"pegs": 5, "colours": 6} in games["mastermind"]["sizes"]
        assert [size["pegs"] for size in games["bulls-and-cows"]["sizes"]] == [2, 3, 4]
        fibble = {"variant": "fibble", "mode": "easy", "boards": 32, "letters": 8}
        absurdle = {"variant": "absurdle", "mode": "hard", "boards": 1, "letters": 15}
        assert all(kind in games["wordle"]["kinds"] for kind in (fibble, absurdle))
        assert {kind["variant"] for kind in games["mastermind"]["kinds"]} == {"standard", "absurdle"}

    def test_strategies(self, client: Client) -> None:
        found = client.get(f"{API}/strategies").json()
        holds(results.Strategies, found)
        assert "rollout" in {one["name"] for one in found["strategies"]}

    def test_openers(self, client: Client) -> None:
        found = client.get(f"{API}/openers", params={"limit": 5}).json()
        holds(results.Openers, found)
        assert found["total"] == 12972
        assert found["openers"][0]["guess"] == "salet"
        assert [one["rank"] for one in found["openers"]] == [1, 2, 3, 4, 5]
        for wrong in ({"limit": "odd"}, {"offset": -1}, {"sort": "odd"}, {"mode": "odd"}):
            is_problem(client.get(f"{API}/openers", params=wrong), 422)

    @pytest.mark.parametrize(
        ("measure", "field", "sign"),
        [
            ("bits", "bits", -1),
            ("left", "expected_left", 1),
            ("worst", "worst_left", 1),
            ("groups", "classes", -1),
            ("chance", "chance", -1),
        ],
    )
    def test_openers_by_every_measure(self, client: Client, measure: str, field: str, sign: int) -> None:
        found = client.get(f"{API}/openers", params={"sort": measure, "limit": 200}).json()
        values = [sign * round(one[field], 9) for one in found["openers"]]
        assert values == sorted(values)

    def test_search_keeps_ranks(self, client: Client) -> None:
        every = client.get(f"{API}/openers", params={"limit": 200}).json()["openers"]
        some = client.get(f"{API}/openers", params={"search": "AT", "limit": 3}).json()["openers"]
        assert [one for one in every if "at" in one["guess"]][:3] == some

    def test_pages(self, client: Client) -> None:
        first = client.get(f"{API}/openers", params={"limit": 4}).json()["openers"]
        second = client.get(f"{API}/openers", params={"limit": 2, "offset": 2}).json()["openers"]
        assert first[2:] == second


class TestPuzzles:
    def play(self, client: Client, words: list[str], status: int = 200, **puzzle: Any) -> dict[str, Any]:
        made = post(client, "/puzzle", puzzle)["puzzle"]
        return post(client, "/guess", {"puzzle": made, "guesses": words[:-1], "guess": words[-1]}, status)

    def test_a_puzzle_is_the_same_for_all(self, client: Client) -> None:
        found = post(client, "/puzzle", {"number": 7})
        holds(results.PuzzleFound, found)
        assert found["max_turns"] == 6
        assert found["length"] == 5
        assert post(client, "/puzzle")["puzzle"]["number"] == today()

    def test_won(self, client: Client) -> None:
        lost = self.play(client, ["salet"] * 6, number=7)
        holds(results.Guessed, lost)
        assert (lost["over"], lost["won"], lost["turn"]) == (True, False, 7)
        (answer,) = lost["answers"]
        won = self.play(client, ["salet", answer], number=7)
        assert (won["over"], won["won"], won["feedback"], won["solved"]) == (True, True, ["ggggg"], [True])

    def test_boards(self, client: Client) -> None:
        (first, *_) = self.play(client, ["salet"] * 9, number=7, boards=4)["answers"]
        found = self.play(client, [first, "salet"], number=7, boards=4)
        holds(results.Guessed, found)
        assert found["feedback"][0] is None
        assert found["solved"] == [True, False, False, False]
        assert found["max_turns"] == 9
        assert found["answers"] is None

    @pytest.mark.parametrize("variant", ["absurdle", "fibble"])
    def test_variants(self, client: Client, variant: str) -> None:
        found = self.play(client, ["salet", "crony"], number=7, variant=variant)
        holds(results.Guessed, found)
        assert self.play(client, ["salet", "crony"], number=7, variant=variant) == found

    @pytest.mark.parametrize(
        ("words", "puzzle", "says"),
        [
            (["zzzzz"], {}, "zzzzz is not in the word list (original words)"),
            (["salet", "salet"], {"game": {"mode": "strict"}}, "strict"),
            (["salet"] * 7, {}, "over after 6"),
        ],
    )
    def test_guesses_that_cannot_be_are_explained(
        self, client: Client, words: list[str], puzzle: dict[str, Any], says: str
    ) -> None:
        assert says in self.play(client, words, 422, number=7, **puzzle)["detail"]

    def test_variants_that_do_not_fit(self, client: Client) -> None:
        assert "one board" in post(client, "/puzzle", {"variant": "absurdle", "boards": 2}, 422)["detail"]
        pegs = {"variant": "fibble", "game": {"game": "mastermind"}}
        assert "marks letters" in post(client, "/puzzle", pegs, 422)["detail"]


class TestErrors:
    @pytest.mark.parametrize(
        ("path", "body", "says"),
        [
            (
                "/suggest",
                {"rows": [{"guess": "zzzzz", "feedback": "bbbbb"}]},
                "zzzzz is not in the word list (original words)",
            ),
            ("/suggest", {"rows": [{"guess": "salet", "feedback": "bbq"}]}, "has 'q'"),
            ("/suggest", {"game": {"words": "orignal"}}, "did you mean original"),
            ("/suggest", {"game": {"game": "mastermind", "mode": "hard"}}, "no hard mode"),
            ("/suggest", {"game": {"game": "mastermind", "words": "nyt"}}, "does not go with"),
            ("/suggest", {"game": {"game": "wordle", "pegs": 4}}, "does not go with"),
            ("/suggest", {"game": {"game": "mastermind", "pegs": 10, "colours": 30}}, "allowed"),
            ("/suggest", {"game": {"answers": ["crane", "tra"]}}, "3 letters"),
            ("/suggest", {"game": {"guesses": ["crane"]}}, "guesses goes with answers"),
            ("/suggest", {"game": {"words": "nyt", "answers": ["crane"]}}, "not both"),
            ("/rank", {"strategy": "alfa"}, "did you mean alpha"),
            ("/rank", {"strategy": "alpha", "options": {"alfa": 1}}, "did you mean alpha"),
            ("/rank", {"strategy": "rollout", "options": {"width": 10**9}}, "up to 1000"),
            ("/rank", {"strategy": "avts", "options": {"iterations": 10**10}}, "up to 1000000000"),
            ("/rank", {"strategy": "exact", "options": {"memory": 1024}}, "up to 512"),
            ("/rank", {"strategy": "expectimax", "options": {"depth": 11}}, "up to 10"),
            ("/rank", {"strategy": "schedule(turns=rollout(width=1001))"}, "up to 1000"),
            ("/rank", {"strategy": "learned", "options": {"weights": "/etc/passwd"}}, "takes candidates"),
            ("/rank", {"strategy": "learned", "options": {"weights": "document_003"}}, "takes candidates"),
            ("/rank", {"strategy": "document-003(weights=candidates)"}, "server takes document_003"),
            ("/rank", {"strategy": "rollout(values=document_003)"}, "server takes candidates"),
            ("/rank", {"strategy": "rollout(values=/etc/passwd)"}, "takes candidates"),
            ("/rank", {"strategy": "alpha", "options": {"alpha": "nan"}}, "not nan"),
            ("/branches", {"rows": [{"guess": "crane", "feedback": "ggggg"}]}, "over"),
            ("/rank", {"strategy": "schedule", "options": {"turns": 1}}, "separated by slashes"),
            ("/branches", {"guess": "zzzzz"}, "not in the word list"),
            ("/suggest", {"rows": [SALET], "limit": 51}, "limit is at most 50"),
            ("/suggest", {"rows": [SALET] * 42}, "rows may have at most 41 entries"),
            ("/suggest", {"lmit": 5}, "lmit is not known here"),
            ("/guess", {"puzzle": {}, "guess": "salet"}, "a puzzle's number is missing"),
            ("/puzzle", {"number": 10**10}, "number is at most 1,000,000,000"),
            ("/guess", {"puzzle": {"number": 10**10}, "guess": "salet"}, "a puzzle's number is at most 1,"),
            ("/suggest", {"rows": [{"guess": "salet"}]}, "row 1's feedback is missing"),
            ("/suggest", {"game": {"mode": "harsh"}}, "a game's mode is one of 'easy', 'hard' or 'strict'"),
            ("/suggest", {"rows": 3}, "rows must be a list"),
            ("/try", {"guess": "aeiou"}, "aeiou is not in the word list (original words)"),
        ],
    )
    def test_what_cannot_be_is_a_problem(
        self, client: Client, path: str, body: dict[str, Any], says: str
    ) -> None:
        assert says in is_problem(client.post(API + path, json=body), 422)["detail"]

    def test_a_contradiction_names_the_row(self, client: Client) -> None:
        rows = [SALET, {"guess": "salet", "feedback": "ggbbb"}]
        found = is_problem(client.post(f"{API}/suggest", json={"rows": rows}), 422)
        assert found["row"] == 2
        assert found["type"] == "urn:sleuth:ContradictionError"

    @pytest.mark.parametrize("body", [b"{", b"\xff\xfe", b"[" * 100000, b"nul", b"1" * 5000])
    def test_broken_json(self, client: Client, body: bytes) -> None:
        answer = client.post(f"{API}/suggest", content=body, headers={"Content-Type": "application/json"})
        is_problem(answer, 422 if body == b"1" * 5000 and answer.status_code == 422 else 400)

    def test_unknown_paths_and_methods(self, client: Client) -> None:
        is_problem(client.get(f"{API}/nothing"), 404)
        refused = client.get(f"{API}/suggest")
        is_problem(refused, 405)
        assert refused.headers["Allow"] == "POST"
        assert "it takes POST" in refused.json()["detail"]
        assert client.options(f"{API}/evaluations/nothing").headers["Allow"] == "DELETE, GET, HEAD"

    @pytest.mark.parametrize(
        ("rows", "answer", "row"),
        [
            # What is said of one row must not mark another: the answer rules out the first, the second
            # contradicts it.
            ([("salet", "bbybb"), ("stare", "gbbbb")], "crane", 1),
            ([("salet", "bbybb"), ("courd", "bbbgb"), ("whirl", "ggggg"), ("stare", "ggggg")], None, 4),
            ([("salet", "bbybb"), ("zzzzz", "bbbbb"), ("stare", "gbbbb")], None, 2),
            ([("salet", "bbybb"), ("courd", "bbb"), ("stare", "gbbbb")], None, 2),
            ([("salet", "bbybb")], "zzzzz", None),
        ],
    )
    def test_the_row_at_fault_is_the_one_that_is_told_of(
        self, client: Client, rows: list[tuple[str, str]], answer: str | None, row: int | None
    ) -> None:
        body = {"rows": [{"guess": guess, "feedback": feedback} for guess, feedback in rows]}
        found = is_problem(client.post(f"{API}/review", json={**body, "answer": answer}), 422)
        assert found.get("row") == row
        told = re.findall(r"row (\d)", found["detail"])
        assert row is None or not told or str(row) in told

    def test_what_is_wrong_with_no_row_marks_none(self, client: Client) -> None:
        rows = [SALET, {"guess": "stare", "feedback": "gbbbb"}]
        body = {"rows": rows, "strategy": "nothing"}
        assert "row" not in is_problem(client.post(f"{API}/rank", json=body), 422)

    def test_head_is_taken_wherever_get_is(self, client: Client) -> None:
        job = post(client, "/evaluations", {"strategy": "information-gain", "game": SMALL}, 202)
        version = re.search(r"/static/\w+/js/app.js", client.get("/").text)[0]
        served = [API + path for path in ("/games", "/openers", "/openapi.json")]
        for path in [*VIEWS, *LEADS, version, "/health", *served, job["self"]]:
            head, got = client.head(path), client.get(path)
            assert (head.status_code, head.content) == (200, b"")
            for name in ("Content-Type", "ETag", "Cache-Control", "Content-Security-Policy"):
                assert head.headers.get(name) == got.headers.get(name)
        events = client.head(job["events"], timeout=PATIENCE)
        assert events.headers["Content-Type"].startswith("text/event-stream")
        assert client.head(f"{API}/nothing").status_code == 404
        refused = client.head(f"{API}/suggest")
        assert (refused.status_code, refused.headers["Allow"]) == (405, "POST")

    def test_a_fault_is_logged_and_not_shown(self, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        async def fails(*_: object) -> Never:
            raise RuntimeError("secret")

        monkeypatch.setattr(client.app.state.answers, "get", fails)
        answer = client.post(f"{API}/suggest", json={}, headers={"X-Request-Id": "mine"})
        assert "secret" not in json.dumps(is_problem(answer, 500))
        assert answer.headers["X-Request-Id"] == "mine"
        assert "secret" in client.logged("mine")["fault"]

    @pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", None])
    def test_a_body_of_another_type(self, client: Client, kind: str | None) -> None:
        headers = {} if kind is None else {"Content-Type": kind}
        answer = client.post(f"{API}/check", content=b"{}", headers=headers)
        assert "Content-Type: application/json, " in is_problem(answer, 415)["detail"]
        for fine in ("application/json; charset=utf-8", "Application/JSON"):
            headers = {"Content-Type": fine}
            assert client.post(f"{API}/check", content=b"{}", headers=headers).status_code == 200

    def test_a_body_of_many_levels(self, client: Client) -> None:
        headers = {"Content-Type": "application/json"}
        answer = client.post(f"{API}/check", content=b"[" * 500_000, headers=headers)
        assert is_problem(answer, 400)["detail"] == "the body is JSON of too many levels"

    def test_visitors_are_not_told_to_set_up_the_server(self, client: Client) -> None:
        large = {"game": {"game": "mastermind", "pegs": 6, "colours": 9}}
        found = is_problem(client.post(f"{API}/suggest", json=large), 422)
        assert found["detail"].endswith("are allowed; use fewer words")

    def test_options_may_be_infinite_where_that_is_a_rule(self, client: Client) -> None:
        for alpha in ("inf", "-inf"):
            post(client, "/rank", {"game": SMALL, "strategy": f"alpha(alpha={alpha})"})
        asked = {"game": SMALL, "strategy": "alpha(alpha=2e9)"}
        found = is_problem(client.post(f"{API}/rank", json=asked), 422)
        assert found["detail"].endswith("the server takes -1000000000 up to 1000000000, inf or -inf")
        asked = {"game": SMALL, "strategy": "rollout(width=inf)"}
        is_problem(client.post(f"{API}/rank", json=asked), 422)

    def test_a_task_that_lost_its_workers_may_be_asked_again(
        self, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def lost(*_: object) -> Never:
            raise LostError("what computes this ended 3 times before it was done; try again later")

        monkeypatch.setattr(client.app.state.answers, "get", lost)
        answer = client.post(f"{API}/suggest", json={}, headers={"X-Request-Id": "lost"})
        assert "ended 3 times" in is_problem(answer, 503)["detail"]
        assert answer.headers["Retry-After"] == "10"
        assert "ended 3 times" in client.logged("lost")["fault"]


class TestLimits:
    def test_large_bodies(self) -> None:
        with serving(Limits(body=1000)) as client:
            is_problem(client.post(f"{API}/suggest", content=b"x" * 1001), 413)

            def chunks() -> Iterator[bytes]:
                yield from (b"x" * 100 for _ in range(11))

            is_problem(client.post(f"{API}/suggest", content=chunks()), 413)

    def test_rate(self, monkeypatch: pytest.MonkeyPatch) -> None:
        now = [0.0]
        monkeypatch.setattr("sleuth.web.limits.time", SimpleNamespace(monotonic=lambda: now[0]))
        with serving(Limits(rate=1)) as client:
            now[0] += 100
            codes = [client.get("/health").status_code for _ in range(3)]
            assert codes == [200, 200, 429]
            refused = client.get("/health")
            is_problem(refused, 429)
            assert refused.headers["Retry-After"] == "1"
            now[0] += 1
            assert [client.get("/health").status_code for _ in range(2)] == [200, 429]

    def test_what_takes_too_long_is_ended(self) -> None:
        with serving(Limits(long_seconds=6)) as client:
            began = time.monotonic()
            slow = ENDLESS
            answer = client.post(f"{API}/rank", json=slow)
            is_problem(answer, 503)
            assert answer.headers["Retry-After"] == "2"
            assert time.monotonic() - began > 5
            # A new worker takes over.
            quick = {"game": SMALL, "strategy": "most-hints"}
            deadline = time.monotonic() + PATIENCE
            while client.post(f"{API}/rank", json=quick).status_code != 200:
                assert time.monotonic() < deadline

    def test_too_many_at_once(self) -> None:
        with serving(Limits(at_once=2, long_seconds=6)) as client, ThreadPoolExecutor() as pool:
            slow = ENDLESS
            asked = [pool.submit(client.post, f"{API}/rank", json={**slow, "limit": n}) for n in (1, 2)]
            deadline = time.monotonic() + PATIENCE
            while client.get("/health").status_code != 429:
                assert time.monotonic() < deadline
            assert [one.result().status_code for one in asked] == [503, 503]
            while client.get("/health").status_code != 200:  # an answer is there before it counts as ended
                assert time.monotonic() < deadline

    def test_memory_is_bounded(self, client: Client) -> None:
        asked = {"strategy": "exact", "options": {"memory": 10**6}, "rows": [SALET], "limit": 1}
        assert "memory" in post(client, "/rank", asked, 422)["detail"]


ASKED = {"game": SMALL, "strategy": "information-gain"}
SLOW = {"strategy": "rollout", "options": {"width": "all"}}


class TestJobs:
    def until(self, client: Client, job: dict[str, str], *statuses: str) -> dict[str, Any]:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            found = client.get(job["self"]).json()
            holds(results.JobInfo, found)
            if found["status"] in statuses:
                return found
            time.sleep(0.05)
        pytest.fail(f"the job stays {found['status']}")

    def test_an_evaluation(self, client: Client) -> None:
        answer = client.post(f"{API}/evaluations", json=ASKED)
        assert answer.status_code == 202
        job = answer.json()
        holds(results.JobStarted, job)
        assert answer.headers["Location"] == job["self"] == f"{API}/evaluations/{job['id']}"
        found = self.until(client, job, "done")
        assert found["report"]["answers"] == 5
        assert found["report"]["strategy"] == "information-gain"

    def test_events(self, client: Client) -> None:
        job = post(client, "/evaluations", {"strategy": "information-gain", "opener": "salet"}, 202)
        with client.stream("GET", job["events"]) as answer:
            assert answer.headers["content-type"].startswith("text/event-stream")
            events = re.findall(r"event: (\w+)\ndata: (.*)\n\n", answer.read().decode())
        assert {name for name, _ in events[:-1]} == {"progress"}
        name, data = events[-1]
        assert name == "done"
        assert json.loads(data) == client.get(job["self"]).json()
        turns = [json.loads(data)["turn"] for name, data in events if name == "progress"]
        assert turns == sorted(turns)
        assert json.loads(data)["report"]["total"] == 7946

    def test_a_mistake_fails_the_job(self, client: Client) -> None:
        job = post(client, "/evaluations", {**ASKED, "opener": "zzzzz"}, 202)
        assert "zzzzz" in self.until(client, job, "failed")["error"]

    def test_cancel(self, client: Client) -> None:
        job = post(client, "/evaluations", SLOW, 202)
        assert client.delete(job["self"]).status_code == 204
        is_problem(client.get(job["self"]), 404)
        is_problem(client.delete(job["self"]), 404)
        # The worker is free again.
        self.until(client, post(client, "/evaluations", ASKED, 202), "done")

    def test_long_work_never_blocks_short_work(self, client: Client) -> None:
        post(client, "/suggest", {"game": SMALL})
        job = post(client, "/evaluations", SLOW, 202)
        for word in FIVE:
            post(client, "/guess", {"puzzle": {"number": 1, "game": SMALL}, "guess": word})
        assert client.get(job["self"]).json()["status"] in ("queued", "running")
        client.delete(job["self"])

    def test_too_many(self) -> None:
        with serving(Limits(jobs_each=1)) as client:
            job = post(client, "/evaluations", SLOW, 202)
            refused = client.post(f"{API}/evaluations", json=ASKED)
            is_problem(refused, 429)
            assert int(refused.headers["Retry-After"]) > 0
            client.delete(job["self"])
            post(client, "/evaluations", ASKED, 202)
        with serving(Limits(jobs=0)) as client:
            is_problem(client.post(f"{API}/evaluations", json=ASKED), 503)

    def test_results_expire(self) -> None:
        with serving(Limits(kept_seconds=0)) as client:
            job = post(client, "/evaluations", {**ASKED, "strategy": "nothing"}, 202)
            deadline = time.monotonic() + PATIENCE
            while client.get(job["self"]).status_code == 200:
                assert time.monotonic() < deadline
                time.sleep(0.05)


def run_with(worker: Worker, *tasks: tuple[str, dict[str, Any] | None]) -> list[Any]:
    """Return what a worker answers to tasks, one after the other, as values or as errors."""

    async def run() -> list[Any]:
        found: list[Any] = []
        for task in tasks:
            try:
                found.append(json.loads(await worker.ask(*task, 60)))
            except (WorkError, FaultError, LostError, TooSlowError) as error:
                found.append(error)
        await worker.close()
        await worker._starter.close()
        return found

    return asyncio.run(run())


class Small(Worker):
    """A worker that leaves after every task."""

    started = 0

    async def _start(self) -> asyncio.subprocess.Process:
        self.started += 1
        code = "from sleuth.web import worker; worker._LEAVES_AT = 0; worker.serve(0, 2**32)"
        pipes: dict[str, Any] = {"stdin": asyncio.subprocess.PIPE, "stdout": asyncio.subprocess.PIPE}
        return await asyncio.create_subprocess_exec(sys.executable, "-c", code, **pipes)


class Full(Worker):
    """A worker in which one task finds too little memory, where another came before it, or always."""

    always = False
    started = 0

    async def _start(self) -> asyncio.subprocess.Process:
        self.started += 1
        code = f"""if True:
            from sleuth.web import worker
            done, plain = [], worker._answer

            def answer(task, given, tell):
                done.append(task)
                if task == "strategies" and ({self.always} or len(done) > 1):
                    raise MemoryError
                plain(task, given, tell)

            worker._answer = answer
            worker.serve(0, 2**32)
        """
        pipes: dict[str, Any] = {"stdin": asyncio.subprocess.PIPE, "stdout": asyncio.subprocess.PIPE}
        return await asyncio.create_subprocess_exec(sys.executable, "-c", code, **pipes)


@pytest.fixture(params=["single", "fork"])
def starter(request: pytest.FixtureRequest) -> Starter:
    """What starts workers: each of the ways that this system has."""
    if request.param == "single":
        return Single()
    found = starting.starter()
    if not found.forks:
        pytest.skip("this system has no descriptors of processes")
    return found


class TestWorkers:
    CHECK: tuple[str, dict[str, Any]] = ("check", {"game": SMALL})

    def test_results_and_errors(self, starter: Starter) -> None:
        wrong = ("check", {"game": {"words": "nothing"}})
        first, error, second = run_with(
            Worker(Preparation.finished(), starter), self.CHECK, wrong, self.CHECK
        )
        assert first == second
        assert first["candidates"] == 5
        assert error.kind == "UnknownNameError"
        assert "unknown word list" in str(error)

    def test_faults_bring_their_traceback(self, starter: Starter) -> None:
        (fault,) = run_with(Worker(Preparation.finished(), starter), ("nothing", None))
        assert isinstance(fault, FaultError)
        assert "KeyError" in str(fault)

    def test_a_worker_that_grew_is_replaced(self) -> None:
        worker = Small(Preparation.finished())
        found = run_with(worker, self.CHECK, self.CHECK)
        assert [one["candidates"] for one in found] == [5, 5]
        assert worker.started == 2

    @pytest.mark.parametrize("always", [False, True])
    def test_what_finds_too_little_memory_is_done_again_in_a_new_worker(self, always: bool) -> None:
        worker = Full(Preparation.finished())
        worker.always = always
        first, second = run_with(worker, self.CHECK, ("strategies", None))
        assert first["candidates"] == 5
        assert worker.started == 2
        if always:
            assert (second.kind, str(second)) == (
                "MemoryError",
                "that takes more memory than the server lends",
            )
        else:
            assert second["strategies"]

    @pytest.mark.parametrize(
        "starter", [pytest.param("single", marks=pytest.mark.thorough), "fork"], indirect=True
    )
    def test_a_worker_that_was_killed_is_replaced(
        self, starter: Starter, caplog: pytest.LogCaptureFixture
    ) -> None:
        async def run() -> None:
            worker = Worker(Preparation.finished(), starter)
            first = await worker.ask(*self.CHECK, 60)
            for _ in range(3):
                os.kill(worker._process.pid, signal.SIGKILL)
                assert await worker.ask(*self.CHECK, 60) == first
            assert worker.ended == 3
            await worker.close()
            await starter.close()

        asyncio.run(run())
        assert caplog.messages == []  # asyncio knows how each ended

    @pytest.mark.parametrize("killed", [2, 3])
    def test_a_task_is_done_again_when_its_worker_is_killed(self, killed: int, starter: Starter) -> None:
        class Doomed(Worker):
            started = 0

            async def _start(self) -> Process:
                process = await super()._start()
                self.started += 1
                if self.started <= killed:
                    process.kill()
                return process

        (found,) = run_with(Doomed(Preparation.finished(), starter), self.CHECK)
        if killed == 2:
            assert found["candidates"] == 5
        else:
            assert isinstance(found, LostError)

    def test_what_waits_too_long_is_refused(self) -> None:
        async def run() -> list[type[Any]]:
            pool = Pool(1, 0.5, 1, Preparation.finished())
            slow = {"game": SMALL, **ENDLESS}
            tasks = [asyncio.create_task(pool.run("rank", slow, client=client)) for client in "abbc"]
            ended = await asyncio.gather(*tasks, return_exceptions=True)
            await pool.close()
            with pytest.raises(BusyError):
                await pool.run("games")
            return [type(error) for error in ended]

        # The second waits as long as the first takes, or a little longer; the others are too many.
        first, second, third, fourth = asyncio.run(run())
        assert (first, third, fourth) == (TooSlowError, TooManyError, BusyError)
        assert second in (TooSlowError, BusyError)

    def test_many_who_ask_the_same_share_an_answer(self) -> None:
        asked = []

        class Counting:
            async def run(self, task: str, request: object, client: str) -> bytes:
                asked.append(task)
                await asyncio.sleep(0.01)
                if task == "wrong":
                    raise WorkError("SleuthError", "no", {})
                return b"{}" * 100

        async def run() -> None:
            answers = Answers(lambda: True, most=500)
            pool: Any = Counting()
            assert set(await asyncio.gather(*(answers.get(pool, "games") for _ in range(9)))) == {b"{}" * 100}
            assert asked == ["games"]
            for task in ("a", "b", "c"):  # more than there is room for: the oldest goes
                await answers.get(pool, task)
            await answers.get(pool, "c")
            await answers.get(pool, "games")
            assert asked == ["games", "a", "b", "c", "games"]
            for _ in range(2):  # errors are not kept
                with pytest.raises(WorkError):
                    await answers.get(pool, "wrong")
            assert asked[-2:] == ["wrong", "wrong"]

        asyncio.run(run())


class TestPreparing:
    """A server on a machine that has compiled nothing."""

    @pytest.mark.parametrize("compiles", [False, pytest.param(True, marks=pytest.mark.thorough)])
    def test_it_plays_and_estimates_at_once(
        self, compiles: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def waits(self: Preparation) -> None:
            await asyncio.Event().wait()

        monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
        if not compiles:
            monkeypatch.setattr(Preparation, "run", waits)
        with serving(warm=True) as client:
            assert client.get("/health").json()["prepared"] < 0.9
            for mode in ("easy", "hard", "strict"):
                found = post(client, "/suggest", {"game": {"mode": mode}, "rows": [SALET]})
                assert (found["method"], found["provisional"]) == ("expected-guesses", True)
            puzzle = post(client, "/puzzle")["puzzle"]
            assert len(post(client, "/guess", {"puzzle": puzzle, "guess": "salet"})["feedback"]) == 1
            assert post(client, "/check", {"rows": [SALET]})["candidates"] == 99
            for path in ("/games", "/strategies"):
                assert client.get(API + path).status_code == 200
            rows = [{"guess": "salet", "feedback": "ggggg"}]
            for path, body in (
                ("/rank", {"rows": [SALET], "strategy": "exact"}),
                ("/branches", {"rows": [SALET], "guess": "courd"}),
                ("/review", {"rows": rows}),
                ("/try", {"rows": [SALET], "guess": "courd"}),
                ("/words", {"rows": [SALET]}),
                ("/strategy", {"rows": [SALET]}),
                ("/boards/suggest", {"boards": [[SALET], [SALET]]}),
                ("/boards/review", {"boards": [{"rows": [SALET]}, {"rows": [SALET]}]}),
                ("/suggest", {"rows": [SALET], "variant": "absurdle"}),
                ("/suggest", {"rows": [SALET], "variant": "fibble"}),
            ):
                answer = client.post(API + path, json=body)
                document = is_problem(answer, 503)
                assert document["type"] == "urn:sleuth:preparing"
                assert 0 <= document["prepared"] < 1
                assert int(answer.headers["retry-after"]) > 0
            job = post(client, "/evaluations", {"strategy": "information-gain", "game": SMALL}, 202)
            time.sleep(0.5)
            assert client.get(job["self"]).json()["status"] == "queued"  # until kernels are there
            assert client.delete(job["self"]).status_code == 204
        assert not [line for line in client.lines if "fault" in line]

    def test_it_says_when_it_is_ready(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        async def run() -> None:
            lines: list[dict[str, Any]] = []
            preparation = Preparation(lines.append)
            monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
            told = 'echo \'{"done": 1, "total": 4, "remark": "", "hints": false}\'; sleep 0.3; exit $STATUS'
            (tmp_path / "python").write_text(f"#!/bin/sh\n{told}\n")
            (tmp_path / "python").chmod(0o755)
            running = asyncio.create_task(preparation.run())
            while not preparation.share:
                await asyncio.sleep(0.01)
            assert preparation.share == 0.25
            assert not preparation.over.is_set()
            await running
            assert preparation.over.is_set()
            assert preparation.share == 1.0
            assert ("fault" in lines[-1]) == (os.environ["STATUS"] != "0")

        for status in ("0", "1"):
            monkeypatch.setenv("STATUS", status)
            with monkeypatch.context() as monkeypatch:
                asyncio.run(run())

    def test_while_it_compiles_the_time_of_a_task_stands_still(self) -> None:
        class Compiling(Worker):
            async def _start(self) -> asyncio.subprocess.Process:
                script = "read asked; echo ctrue; sleep 2.5; echo cfalse; echo r5"
                pipe = asyncio.subprocess.PIPE
                return await asyncio.create_subprocess_exec("sh", "-c", script, stdin=pipe, stdout=pipe)

        async def run() -> bytes:
            worker = Compiling(Preparation.finished())
            found = await worker.ask("games", None, 2.0)
            await worker.close()
            return found

        assert asyncio.run(run()) == b"5"

    @pytest.mark.thorough
    def test_compiling_takes_nothing_of_the_time_of_a_task(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))

        async def run() -> bytes:
            worker = Worker(Preparation.finished())
            try:
                await worker.ask("games", None, 60)
                began = time.monotonic()
                asked = {"game": SMALL, "strategy": "information-gain"}
                found = await worker.ask("rank", asked, 4.0)
                assert time.monotonic() - began > 4.0  # else this shows nothing
                return found
            finally:
                await worker.close()

        assert json.loads(asyncio.run(run()))["guess"] in FIVE


def test_the_docs_have_every_route() -> None:
    text = (Path(__file__).parents[2] / "docs" / "http-api.md").read_text(encoding="utf-8")
    for path, methods in create_app().openapi()["paths"].items():
        for method in methods:
            assert f"`{method.upper()} {path}`" in text


class TestGames:
    def test_the_same_game_is_built_once(self) -> None:
        assert games.game_of(GameSpec(words="original")) is games.game_of(GameSpec())
        assert games.game_of(GameSpec(mode="hard")) is games.game_of(GameSpec(mode="hard"))

    def test_room_is_bounded(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(games, "_kept", OrderedDict())
        monkeypatch.setattr(games, "MOST_CODES", 60)
        for first in "abcd":
            games.game_of(GameSpec(answers=[f"{first}{letter}" for letter in "klmno"]))
        assert len(games._kept) == 2

    @pytest.mark.parametrize(
        ("spec", "light"),
        [
            ({}, True),
            ({"words": "frequent:en:5:3000"}, True),
            ({"words": "frequent:en:5:30000"}, False),
            ({"words": "frequent:en"}, False),
            ({"game": "mastermind"}, True),
            ({"game": "mastermind", "pegs": 5, "colours": 8}, False),
            ({"game": "bulls-and-cows", "pegs": 5}, False),
            ({"answers": ["ab"] * 10000}, False),
        ],
    )
    def test_what_is_light(self, spec: dict[str, Any], light: bool) -> None:
        assert games.is_light(GameSpec(**spec)) is light


class TestPages:
    @pytest.mark.smoke
    @pytest.mark.parametrize("path", ["/", "/assist", "/review", "/explore", "/compare"])
    def test_views(self, client: Client, path: str) -> None:
        answer = client.get(path)
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert client.get(path, headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304

    @pytest.mark.smoke
    def test_all_that_the_page_loads_is_there(self, client: Client) -> None:
        """Styles and modules, the modules that these import, and the icons that the manifest names."""
        page = client.get("/").text
        seen, left = set(), re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
        while left:
            address = left.pop()
            if address not in seen:
                seen.add(address)
                answer = client.get(address)
                assert answer.status_code == 200, address
                named = re.findall(r'"(\.[^"\s]*\.js)"', answer.text)
                icons = re.findall(r'"src": "([^"]+)"', answer.text) if "manifest" in address else []
                left += [urljoin(address, name) for name in (*named, *icons)]
        files = {path.name for path in STATIC.rglob("*") if path.is_file()}
        assert {address.rpartition("/")[2] for address in seen} == files - {"sw.js"}  # that is at the root

    def test_files_are_kept_for_ever_below_their_hash(self, client: Client) -> None:
        address = re.search(r'href="(/static/[0-9a-f]{16}/[^"]+)"', client.get("/").text)[1]
        answer = client.get(address)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["Cache-Control"]
        plain = client.get(re.sub(r"/[0-9a-f]{16}/", "/", address))
        assert plain.content == answer.content
        assert plain.headers["Cache-Control"] == "no-cache"

    def test_nothing_outside_the_folder(self, client: Client) -> None:
        for path in ("../app.py", "%2e%2e/app.py", "/etc/passwd", "..%2fapp.py", "nothing.js", "%00"):
            is_problem(client.get(f"/static/{path}"), 404)

    def test_health(self, client: Client) -> None:
        for path in ("/health", f"{API}/health"):
            assert client.get(path).json() == {"status": "ok", "prepared": 1.0, "hints": True}

    def test_headers_of_every_answer(self, client: Client) -> None:
        for path in ("/", "/health", "/nothing", f"{API}/suggest"):
            answer = client.get(path)
            for name, value in HEADERS.items():
                assert answer.headers[name] == value
            assert re.fullmatch("[0-9a-f]{16}", answer.headers["X-Request-Id"])
            assert "Cache-Control" in answer.headers

    def test_no_inline_script_is_allowed(self) -> None:
        policy = HEADERS["Content-Security-Policy"]
        assert "unsafe" not in policy
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy

    def test_request_ids_and_the_log(self, client: Client) -> None:
        given = client.get("/health", headers={"X-Request-Id": "abc-1"})
        assert given.headers["X-Request-Id"] == "abc-1"
        line = client.logged("abc-1")
        assert {"id", "method", "path", "status", "ms"} <= set(line)
        assert (line["id"], line["method"], line["path"], line["status"]) == ("abc-1", "GET", "/health", 200)
        odd = client.get("/health", headers={"X-Request-Id": "a b\tc"})
        assert odd.headers["X-Request-Id"] != "a b\tc"


@contextmanager
def server(*options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a real server; yields its process and address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "sleuth", "serve", "--port", "0", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        line = process.stdout.readline()
        address = re.search(r"http://\S+/", line)
        assert address, process.stderr.read()
        yield process, address[0]
    finally:
        process.kill()
        process.communicate()


class TestServer:
    @pytest.mark.parametrize(
        "asked", [pytest.param(signal.SIGTERM, marks=pytest.mark.thorough), signal.SIGINT]
    )
    def test_it_ends_in_peace(self, asked: signal.Signals) -> None:
        with server() as (process, address):
            with httpx.Client(base_url=address, timeout=PATIENCE) as client:
                job = client.post(f"{API}/evaluations", json=SLOW).json()
                with client.stream("GET", job["events"]) as answer:
                    lines = answer.iter_lines()
                    assert next(lines) == "event: progress"
                    process.send_signal(asked)
                    rest = list(lines)
                assert "event: cancelled" in rest
            assert process.wait(PATIENCE) == 0
            log = process.stderr.read()
            assert "Traceback" not in log
            assert all(json.loads(line)["status"] for line in log.splitlines())

    def test_workers_go_with_a_server_that_is_killed(self) -> None:
        with server() as (process, address):
            assert httpx.post(f"{address}api/v1/suggest", json={}, timeout=PATIENCE).status_code == 200
            started = descendants(process.pid)
            assert any("sleuth.web" in line for line in started.values())
            process.kill()
            process.wait()
            wait_until(lambda: not any(map(runs, started)))

    def test_answers_are_not_held_back(self, client: Client) -> None:
        """The system would wait 40 ms for an acknowledgement between the head of an answer and its body."""
        times = []
        for _ in range(30):
            began = time.perf_counter()
            client.get("/health")
            times.append(time.perf_counter() - began)
        assert min(times) < 0.03  # that one is as quick suffices: a busy machine holds others back

    def test_a_port_in_use(self, run: Run) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            code, out, err = run("serve", "--port", port)
        assert (code, out) == (2, "")
        assert f"port {port}" in err
        assert "--port" in err

    @pytest.mark.parametrize("host", ["no.such.host.invalid", "192.0.2.1"])
    def test_an_address_that_is_not_ours(self, run: Run, host: str) -> None:
        code, _, err = run("serve", "--host", host)
        assert code == 2
        assert f"cannot serve at {host}" in err
        assert "choose a --host that" in err
        assert "--port" not in err

    def test_without_the_extra(self) -> None:
        # In a process of its own: others have imported what is to be missing.
        code = "import sys; sys.modules['uvicorn'] = None; from sleuth.cli import run; run()"
        ended = subprocess.run([sys.executable, "-c", code, "serve"], capture_output=True, text=True)
        assert ended.returncode == 2
        err = ended.stderr
        assert "pip install -c constraints.txt '.[web]', in the clone" in err
