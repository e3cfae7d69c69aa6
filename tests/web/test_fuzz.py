"""The HTTP API under odd requests: nothing answers 5xx, or hangs."""

import json
import os
import random
import socket
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from servers import served_apart

from sleuth.web.app import API

WORDS = [
    "salet",
    "crane",
    "SALET",
    "zzzzz",
    "",
    "a" * 41,
    "é",
    "\u0000",
    "\ud800",
    "🟩",
    "salet\n",
    5,
    None,
    [],
]
MARKS = ["bbybb", "00100", "🟩🟩🟩🟩🟩", "ggggg", "bbybbb", "", "1,2", "x" * 90, "-" * 5, 11111, None, {}]
NUMBERS = [0, 1, -1, 2.5, 10**30, -(10**30), 1e308, True, "3", None]
PATHS = [
    *("/suggest", "/rank", "/check", "/review", "/branches", "/puzzle", "/guess"),
    *("/try", "/words", "/strategy", "/strategy/file", "/fit", "/boards/suggest", "/boards/review"),
]


def odd(rng: random.Random, depth: int = 0) -> Any:
    """Return any JSON value, not too deep."""
    kind = rng.randrange(7 if depth < 4 else 4)
    if kind == 4:
        return [odd(rng, depth + 1) for _ in range(rng.randrange(4))]
    if kind >= 5:
        return {str(rng.choice(WORDS)): odd(rng, depth + 1) for _ in range(rng.randrange(4))}
    plain: list[Sequence[Any]] = [WORDS, MARKS, NUMBERS, [True, False, None]]
    return rng.choice(plain[kind])


def almost(rng: random.Random) -> tuple[str, bytes]:
    """Return a request that is nearly right: some of its parts are odd."""
    few: dict[str, Any] = {"answers": ["crane", "trace", "react", "caret", "eerie"]}
    few_modes = [few | {"mode": mode} for mode in ("easy", "hard", "strict")]
    games = [{}, *few_modes, {"game": "mastermind", "pegs": 2, "colours": 3}]
    body = {
        "game": rng.choice(games),
        "rows": [
            {"guess": rng.choice(WORDS[:4]), "feedback": rng.choice(MARKS[:6])}
            for _ in range(rng.randrange(3))
        ],
        "limit": rng.choice([1, 5, 50]),
        "strategy": rng.choice(
            ["alpha", "worst-case", "most-hints", "alpha(alpha=0)", "rollout(", "((", "é"]
        ),
        "guess": rng.choice(WORDS[:4]),
        "guesses": [rng.choice(WORDS[:4]) for _ in range(rng.randrange(3))],
        "answer": rng.choice(WORDS[:4]),
        "boards": rng.randrange(4),
        "variant": rng.choice(["standard", "absurdle", "fibble"]),
        "number": rng.choice(NUMBERS[:2]),
        "offset": rng.choice([0, 3, 10**4]),
        "format": rng.choice(["json", "html", "dot", "txt"]),
        "text": "\n".join(str(rng.choice(MARKS[:7])) for _ in range(rng.randrange(1, 4))),
    }
    body["puzzle"] = {key: body[key] for key in ("game", "boards", "variant", "number")}
    fields = {
        "/suggest": ["game", "rows", "limit"],
        "/rank": ["game", "rows", "limit", "strategy"],
        "/check": ["game", "rows"],
        "/review": ["game", "rows", "answer"],
        "/branches": ["game", "rows", "guess"],
        "/puzzle": ["game", "boards", "variant", "number"],
        "/guess": ["puzzle", "guesses", "guess"],
        "/try": ["game", "rows", "variant", "guess"],
        "/words": ["game", "rows", "variant", "offset"],
        "/strategy": ["game", "rows", "guess"],
        "/strategy/file": ["game", "rows", "guess", "format"],
        "/fit": ["game", "text", "answer"],
        "/boards/suggest": ["game", "boards", "limit"],
        "/boards/review": ["game", "boards"],
    }
    path = rng.choice(PATHS)
    asked = {key: body[key] for key in fields[path]}
    if path.startswith("/boards"):
        boards = [body["rows"]] * rng.randrange(1, 4)
        asked["boards"] = [{"rows": rows} for rows in boards] if path == "/boards/review" else boards
    for _ in range(rng.randrange(3)):
        asked[rng.choice([*asked, "more"])] = odd(rng)
    return path, json.dumps(asked).encode()


def broken(rng: random.Random) -> tuple[str, bytes]:
    """Return bytes that are hardly JSON: cut, changed, deep, long, in no encoding."""
    path, text = almost(rng)
    kind = rng.randrange(6)
    place = rng.randrange(len(text))
    if kind == 0:
        return path, text[:place]
    if kind == 1:
        return path, text[:place] + rng.randbytes(3) + text[place:]
    if kind == 2:
        return path, rng.choice([b"[", b'{"a":']) * rng.choice([10, 1000, 100000])
    if kind == 3:
        return path, b'{"rows":[' + b'{"guess":"salet","feedback":"bbybb"},' * 20000 + b"]}"
    if kind == 4:
        return path, rng.randbytes(rng.choice([0, 1, 100, 2**21]))
    return path, text.decode().encode(rng.choice(["utf-16", "utf-32"]))


def hammer(address: str, seed: int, count: int) -> tuple[list[tuple[str, bytes, int, str]], float]:
    """Send odd requests; returns the answers that must not be, and the longest time."""
    rng = random.Random(seed)
    wrong: list[tuple[str, bytes, int, str]] = []
    longest = 0.0
    kinds = [{"Content-Type": "application/json"}] * 8 + [{"Content-Type": "text/plain"}, {}]
    with httpx.Client(base_url=address, timeout=700) as client:
        for _ in range(count):
            path, text = rng.choice([almost, almost, broken])(rng)
            began = time.monotonic()
            answer = client.post(API + path, content=text, headers=rng.choice(kinds))
            longest = max(longest, time.monotonic() - began)
            if answer.status_code >= 500 or not answer.headers.get("X-Request-Id"):
                wrong.append((path, text[:300], answer.status_code, answer.text[:300]))
            elif answer.status_code >= 400:
                assert answer.headers["content-type"] == "application/problem+json"
    return wrong, longest


@pytest.mark.parametrize("count", [60, pytest.param(300, marks=pytest.mark.thorough)])
def test_odd_requests(address: str, count: int) -> None:
    wrong, longest = hammer(address, 1, count)
    assert wrong == []
    assert longest < 60


def test_slow_and_broken_connections(address: str) -> None:
    host, port = address.removeprefix("http://").split(":")
    for sent in (
        b"",
        b"\r\n" * 50,
        b"GET / HTTP/9.9\r\n\r\n",
        b"\xff" * 1000,
        b"POST /api/v1/suggest HTTP/1.1\r\n",
    ):
        with socket.create_connection((host, int(port)), timeout=300) as connection:
            connection.sendall(sent)
    endless = b"GET / HTTP/1.1\r\nX: " + b"x" * 2**20
    with socket.create_connection((host, int(port)), timeout=300) as connection, suppress(ConnectionError):
        connection.sendall(endless)
    assert httpx.get(f"{address}/health").status_code == 200


@pytest.mark.thorough
def test_ten_thousand_odd_requests() -> None:
    """No 5xx, no hang, and the server's memory stays flat once its answers have filled their room."""
    with served_apart() as (pid, address):
        hammer(address, 2, 2000)
        before = resident(pid)
        wrong, longest = hammer(address, 3, 10000)
        assert wrong == []
        assert longest < 60
        assert resident(pid) < before + 64 * 2**20


def resident(pid: int) -> int:
    """Return the bytes of memory that a process holds."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGESIZE")
