"""The edges of the server: names and proxies, whose job it is, HEAD, its log, and headers that never end."""

import asyncio
import contextlib
import json
import logging
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from command_line import Run
from fastapi import FastAPI
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from sleuth.support.errors import SleuthError
from sleuth.web import hosts, proxies
from sleuth.web.app import API, create_app
from sleuth.web.connections import protocol
from sleuth.web.hosts import Hosts
from sleuth.web.jobs import DIFFICULTY, EPISODE, EVALUATION, Job, Kind
from sleuth.web.limits import Limits
from sleuth.web.logs import Messages, RequestLog
from sleuth.web.pages import LEADS, VIEWS
from sleuth.web.server import Server, bind

PATIENCE = 300.0
"""Seconds that a machine with much to do may take for what is done at once."""
SHORT = 1.0
"""Seconds for headers; longer than a machine with much to do takes to send some that are there."""
ASK = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Served:
    """A server in a thread: its application, the lines of its log, its port, and a client."""

    def __init__(self, app: FastAPI, lines: list[dict[str, Any]], port: int, client: httpx.Client) -> None:
        self.app, self.lines, self.port, self.client = app, lines, port, client

    def job(self, client: str = "127.0.0.1", kind: Kind = EVALUATION) -> str:
        """Return the path of a job that stays in the queue."""
        job = Job(client, kind)
        self.app.state.jobs._jobs[job.id] = job
        return f"{API}{kind.path}/{job.id}"

    @contextmanager
    def connected(self) -> Iterator[socket.socket]:
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as connection:
            yield connection


@contextmanager
def serving(
    limits: Limits | None = None, names: frozenset[str] | None = None, believed: str = ""
) -> Iterator[Served]:
    lines: list[dict[str, Any]] = []
    app = create_app(limits, lines.append, warm=False, hosts=names)
    server, bound = Server(app, believed), bind("127.0.0.1", 0)
    thread = threading.Thread(target=server.run, args=([bound],))
    thread.start()
    port = bound.getsockname()[1]
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as client:
            client.get("/health")  # the state of the application is there
            yield Served(app, lines, port, client)
    finally:
        server.should_exit = True
        thread.join()


@contextmanager
def process(*options: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Run sleuth serve; yields its process and port."""
    command = [sys.executable, "-m", "sleuth", "serve", "--port", "0", *options]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    running = subprocess.Popen(command, **pipes)
    try:
        address = re.search(r"http://\S+:(\d+)/", running.stdout.readline())
        assert address, running.stderr.read()
        yield running, int(address[1])
    finally:
        running.kill()
        running.communicate()


def is_problem(answer: httpx.Response, status: int) -> str:
    """Assert that an answer is a problem document; return what it says."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["status"] == status
    return answer.json()["detail"]


def to_the_end(connection: socket.socket) -> bytes:
    """Return what comes until the server closes the connection; TimeoutError where it does not."""
    found = b""
    with contextlib.suppress(ConnectionResetError):
        while part := connection.recv(65536):
            found += part
    return found


NAMES = hosts.names(["Sleuth.Example", "other.example:80"])


@pytest.fixture(scope="module")
def named() -> Iterator[Served]:
    """Yield a server that knows its names."""
    with serving(names=NAMES) as served:
        yield served


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    """Yield a server that has little time for headers."""
    with serving(Limits(header_seconds=SHORT)) as served:
        yield served


class TestHosts:
    @pytest.mark.parametrize(
        "host",
        [
            "localhost",
            "LOCALHOST:1234",
            "localhost.",
            "sleuth.example",
            "SLEUTH.example.:8000",
            "other.example",
            "127.0.0.1",
            "192.168.1.7:80",
            "[::1]",
            "[2001:DB8::1]:8000",
        ],
    )
    def test_taken(self, named: Served, host: str) -> None:
        for path in ("/", "/health", f"{API}/openapi.json"):
            assert named.client.get(path, headers={"Host": host}).status_code == 200

    @pytest.mark.parametrize(
        "host", ["evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1.nip.io"]
    )
    def test_refused(self, named: Served, host: str) -> None:
        for path in ("/", "/health", "/nothing", f"{API}/evaluations/nothing"):
            detail = is_problem(named.client.get(path, headers={"Host": host}), 421)
            name = host.removesuffix(":80")
            assert name in detail
            assert "--allow-host" not in detail  # it is visitors who read this
        refused = named.client.post(f"{API}/suggest", json={}, headers={"Host": host})
        is_problem(refused, 421)
        assert "Content-Security-Policy" in refused.headers

    @pytest.mark.parametrize(
        "host", ["", "a b", "[::1", "[nothing]", "evil.example:port", "a/b", "x" * 300, ".", ":80"]
    )
    def test_what_is_no_host(self, host: str) -> None:
        assert self.asked([host]) == 400

    @pytest.mark.parametrize(
        ("given", "version", "status"),
        [
            ([], "1.1", 400),
            ([], "1.0", 200),
            (["localhost", "localhost"], "1.1", 400),
            (["evil"], "1.0", 421),
        ],
    )
    def test_missing_and_twice(self, given: list[str], version: str, status: int) -> None:
        assert self.asked(given, version) == status

    def asked(self, given: list[str], version: str = "1.1") -> int:
        """Return the status of a request with such Host headers, past uvicorn, which refuses some itself."""
        sent: list[Any] = []

        async def inner(scope: Any, receive: Any, send: Any) -> None:
            await send({"type": "http.response.start", "status": 200, "headers": []})

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {
            "type": "http",
            "path": "/",
            "http_version": version,
            "headers": [(b"host", host.encode()) for host in given],
        }
        receive: Any = None
        asyncio.run(Hosts(inner, NAMES)(scope, receive, send))
        return sent[0]["status"]

    def test_without_names_nothing_is_checked(self) -> None:
        with serving() as served:
            assert served.client.get("/health", headers={"Host": "evil.example"}).status_code == 200

    def test_names_that_cannot_be(self, run: Run) -> None:
        with pytest.raises(SleuthError, match="a/b"):
            hosts.names(["a/b"])
        code, _, err = run("serve", "--allow-host", "http://sleuth.example/")
        assert code == 2
        assert "--allow-host takes the name of a host" in err


class TestProxies:
    def test_whom_to_believe(self) -> None:
        assert proxies.trusted([]) == ""
        assert proxies.trusted(["127.0.0.1", "10.0.0.0/8", "::1"]) == "127.0.0.1,10.0.0.0/8,::1"
        assert proxies.trusted(["10.0.0.1,", " 10.0.0.2"]) == "10.0.0.1,10.0.0.2"
        assert proxies.trusted(["10.0.0.1", "*"]) == "*"

    @pytest.mark.parametrize(
        "wrong", ["proxy.example", "10.0.0.1/8", "10.0.0.0/33", "300.1.1.1", "10.0.0.1:80"]
    )
    def test_wrong_addresses(self, run: Run, monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
        monkeypatch.delenv("FORWARDED_ALLOW_IPS", raising=False)
        code, _, err = run("serve", "--trusted-proxy", wrong)
        assert code == 2
        assert "--trusted-proxy" in err
        assert wrong in err
        monkeypatch.setenv("FORWARDED_ALLOW_IPS", f"127.0.0.1, {wrong}")
        code, _, err = run("serve")
        assert code == 2
        assert wrong in err

    def test_the_server_believes_whom_the_command_line_names(
        self, run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        believed = []

        def served(server: Server, sockets: list[socket.socket]) -> None:
            believed.append(server.config.forwarded_allow_ips)
            sockets[0].close()

        monkeypatch.setattr(Server, "run", served)
        monkeypatch.setattr(Messages, "install", lambda self: None)
        monkeypatch.delenv("FORWARDED_ALLOW_IPS", raising=False)
        run("serve", "--port", 0)
        run("serve", "--port", 0, "--trusted-proxy", "127.0.0.0/8")
        monkeypatch.setenv("FORWARDED_ALLOW_IPS", "10.0.0.1, 127.0.0.1")
        run("serve", "--port", 0)
        assert believed == ["", "127.0.0.0/8", "10.0.0.1,127.0.0.1"]

    @pytest.mark.thorough
    @pytest.mark.parametrize("how", ["network", "environment", "other", "nobody"])
    def test_only_proxies_are_believed(self, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
        """Of what the command line gives, to the address that the application sees."""
        given = {"network": "127.0.0.0/8", "other": "10.0.0.1"}
        options = ["--trusted-proxy", given[how]] if how in given else []
        monkeypatch.delenv("FORWARDED_ALLOW_IPS", raising=False)
        if how == "environment":
            monkeypatch.setenv("FORWARDED_ALLOW_IPS", "10.0.0.1, 127.0.0.1")
        with process(*options) as (_, port):
            asked = {"strategy": "most-hints", "game": {"answers": ["crane"]}}
            theirs, address = {"X-Forwarded-For": "192.0.2.1"}, f"http://127.0.0.1:{port}"
            answer = httpx.post(f"{address}{API}/evaluations", json=asked, headers=theirs, timeout=PATIENCE)
            deleted = httpx.delete(address + answer.json()["self"], timeout=PATIENCE)
        assert (deleted.status_code == 403) == (how in ("network", "environment"))


class TestJobs:
    def test_only_who_started_a_job_cancels_it(self) -> None:
        with serving(believed="127.0.0.1") as served:
            first, second = ({"X-Forwarded-For": address} for address in ("192.0.2.1", "192.0.2.2"))
            job = served.job("192.0.2.1")
            for other in (second, {}):
                detail = is_problem(served.client.delete(job, headers=other), 403)
                assert "another address" in detail
            assert served.client.get(job, headers=second).json()["status"] == "queued"
            assert served.client.delete(job, headers=first).status_code == 204
            is_problem(served.client.delete(job, headers=second), 404)


def get_routes(routes: list[Any]) -> Iterator[str]:
    """Yield the path of each route that takes GET, those of included routers too."""
    document = create_app(warm=False).openapi()
    yield from (path for path, methods in document["paths"].items() if "get" in methods)
    yield from (route.path for route in routes if "GET" in (getattr(route, "methods", None) or ()))


class TestHead:
    @pytest.mark.thorough
    def test_wherever_get_is(self) -> None:
        with serving() as served:
            paths = set(get_routes(served.app.routes))
            assert {f"{API}/games", f"{API}/evaluations/{{id}}/events", f"{API}/openapi.json"} <= paths
            static = re.search(r"/static/(\w+/js/app.js)", served.client.get("/").text)[1]
            paths |= {*VIEWS, *LEADS, "/health", "/static/{path:path}"}
            jobs = [served.job(kind=kind) for kind in (EVALUATION, DIFFICULTY, EPISODE)]
            ids = {job.rpartition("/")[0]: job.rpartition("/")[2] for job in jobs}
            for path in sorted(paths):
                id_ = ids.get(path.partition("/{id}")[0], "")
                address = path.replace("{path:path}", static).replace("{id}", id_)
                assert "{" not in address
                head = served.client.head(address)
                assert (head.status_code, head.content) == (200, b""), address
                if not address.endswith("/events"):
                    got = served.client.get(address)
                    for name in ("Content-Type", "Content-Length", "ETag", "Cache-Control"):
                        assert head.headers.get(name) == got.headers.get(name), address

    def test_a_stream_ends_at_once_on_both_sides(self) -> None:
        with serving() as served:
            head = served.client.head(f"{served.job()}/events", headers={"X-Request-Id": "mine"})
            assert head.headers["Content-Type"].startswith("text/event-stream")
            until = time.monotonic() + PATIENCE
            while "mine" not in [line["id"] for line in served.lines]:  # written once it has ended
                assert time.monotonic() < until
                time.sleep(0.01)


class TestLog:
    def test_a_length_told_twice_is_refused(self, served: Served) -> None:
        head = b"POST /api/v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        both = b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
        with served.connected() as connection:
            connection.sendall(head + both)
            assert to_the_end(connection).startswith(b"HTTP/1.1 400 ")

    @pytest.mark.parametrize("folder", ["", API, "/static"])
    def test_of_a_long_path_the_beginning_is_repeated(self, served: Served, folder: str) -> None:
        answer = served.client.get(f"{folder}/{'a' * 60_000}")
        assert answer.status_code == 404
        assert len(answer.content) < 1000
        path = answer.json()["instance"]
        assert path == f"{folder}/{'a' * 600}"[:500] + "…"
        until = time.monotonic() + PATIENCE
        while path not in [line.get("path") for line in served.lines]:  # written once the answer is out
            assert time.monotonic() < until
        page = served.client.get(f"{folder}/{'b' * 60_000}", headers={"Accept": "text/html"})
        assert "b" * 600 not in page.text

    def test_whatever_is_said_has_its_time(self, served: Served) -> None:
        served.app.state.jobs._log({"fault": "x"})
        told = next(line for line in served.lines if line.get("fault") == "x")
        assert told["time"] > 0

    def test_messages_of_libraries_are_lines(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("uvicorn", "asyncio"):
            monkeypatch.setattr(logging.getLogger(name), "handlers", [])
            monkeypatch.setattr(logging.getLogger(name), "propagate", True)
        lines: list[dict[str, Any]] = []
        for _ in range(2):  # the one before is replaced
            Messages(lines.append).install()
        logging.getLogger("uvicorn.error").warning("odd %s", "bytes")
        logging.getLogger("uvicorn.error").info("nothing")
        try:
            raise ValueError("secret")
        except ValueError:
            logging.getLogger("asyncio").exception("lost")
        first, second = lines
        assert first["time"] > 0
        assert (first["level"], first["message"], "fault" in first) == ("warning", "odd bytes", False)
        assert (second["level"], second["message"]) == ("error", "lost")
        assert second["fault"].endswith("ValueError: secret\n")

    @pytest.mark.parametrize("begun", [False, True])
    def test_what_is_cancelled_as_the_server_ends_is_told_to_come_again(self, begun: bool) -> None:
        sent: list[Any] = []
        lines: list[dict[str, Any]] = []

        async def inner(scope: Any, receive: Any, send: Any) -> None:
            if begun:
                await send({"type": "http.response.start", "status": 200, "headers": []})
            raise asyncio.CancelledError

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {"type": "http", "method": "POST", "path": f"{API}/check", "headers": []}
        receive: Any = None
        asyncio.run(RequestLog(inner, lines.append)(scope, receive, send))
        assert (lines[0]["path"], lines[0]["status"]) == (f"{API}/check", sent[0]["status"])
        if begun:
            assert len(sent) == 1
        else:
            head, body = sent
            assert (head["status"], b"about to end" in body["body"]) == (503, True)
            assert {(b"retry-after", b"2"), (b"connection", b"close")} <= set(head["headers"])

    @pytest.mark.thorough
    def test_messages_of_uvicorn_are_json(self) -> None:
        with process() as (running, port):
            upgrade = ASK.removesuffix(b"\r\n") + b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
            for sent in (b"\x16\x03\x01 garbage\r\n\r\n", upgrade):
                with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
                    connection.sendall(sent)
                    assert connection.recv(65536).startswith(b"HTTP/1.1 ")
            running.terminate()
            _, log = running.communicate(timeout=PATIENCE)
        lines = [json.loads(line) for line in log.splitlines()]
        assert all(line["time"] > 0 for line in lines)
        told = {line["message"]: line for line in lines if "message" in line}
        assert list(told) == ["Invalid HTTP request received."]  # of an upgrade there is nothing to warn
        assert told["Invalid HTTP request received."]["level"] == "warning"
        assert [line["path"] for line in lines if "path" in line] == ["/health"]


def read_answers(connection: socket.socket, count: int = 1) -> None:
    """Read so many answers to ASK."""
    found = b""
    while found.count(b'"hints":true}') < count:
        part = connection.recv(65536)
        assert part, found
        found += part
    assert found.count(b" 200 OK") == count


def closed_while_sending(connection: socket.socket) -> bool:
    """Send a byte now and then; return whether the server closes the connection."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            connection.sendall(b"A")
        except ConnectionError:
            return True
        time.sleep(SHORT / 5)
    return False


class TestHeaders:
    """Headers that do not come."""

    def test_the_class_is_the_one_that_uvicorn_would_choose(self) -> None:
        assert issubclass(protocol(1.0), AutoHTTPProtocol)
        assert Limits().header_seconds == 10.0

    @pytest.mark.parametrize("sent", [b"", b"G", b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: "])
    def test_a_first_request(self, served: Served, sent: bytes) -> None:
        with served.connected() as connection:
            connection.sendall(sent)
            began = time.monotonic()
            assert to_the_end(connection) == b""
            assert time.monotonic() - began > SHORT / 2

    def test_a_byte_now_and_then_does_not_help(self, served: Served) -> None:
        with served.connected() as connection:
            assert closed_while_sending(connection)

    def test_a_later_request(self, served: Served) -> None:
        # uvicorn's own limit on silence between requests is not what closes: each byte ends that.
        with served.connected() as connection:
            connection.sendall(ASK)
            read_answers(connection)
            connection.sendall(b"GET /health HT")
            assert closed_while_sending(connection)

    def test_silence_between_requests_is_none_of_its_business(self, served: Served) -> None:
        with served.connected() as connection:
            for _ in range(2):
                connection.sendall(ASK)
                read_answers(connection)
                time.sleep(1.5 * SHORT)
            connection.sendall(ASK)
            read_answers(connection)

    def test_requests_sent_together(self, served: Served) -> None:
        with served.connected() as connection:
            connection.sendall(2 * ASK)
            read_answers(connection, 2)

    def test_a_slow_body_and_a_long_answer_are_left_alone(self, served: Served) -> None:
        job = served.job()
        with served.connected() as connection:
            connection.sendall(f"GET {job}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            time.sleep(2 * SHORT)
            assert served.client.delete(job).status_code == 204
            found = b""
            while b"event: cancelled" not in found:
                part = connection.recv(65536)
                assert part, found
                found += part
        with served.connected() as connection:
            connection.sendall(
                f"POST {API}/suggest HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n"
                "Content-Type: application/json\r\n\r\n{".encode()
            )
            time.sleep(2 * SHORT)
            connection.sendall(b"    ")
            assert b" 400 Bad Request" in connection.recv(65536)
