"""The end of a server that is asked for answers."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx
import pytest
from browsers import free_port
from servers import SALET, descendants, is_problem, runs, wait_until

from sleuth.web.app import API

pytestmark = pytest.mark.thorough


def forking(server: int) -> list[int]:
    """Return the process that a server's workers are forked from."""
    started = descendants(server)
    below = {worker for pid in started for worker in descendants(pid)}
    return [pid for pid, line in started.items() if "sleuth.web.forkserver" in line and pid not in below]


def workers_of(server: int) -> list[int]:
    """Return the processes of a server's workers."""
    return [worker for pid in forking(server) for worker in descendants(pid)]


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="a worker is found and stopped by /proc")
def test_what_does_not_end_in_time_is_told_to_come_again(tmp_path: Path) -> None:
    port, log = free_port(), tmp_path / "log"
    with log.open("wb") as file:
        command = [sys.executable, "-m", "sleuth", "serve", "--port", str(port)]
        process = subprocess.Popen(command, stderr=file, stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()  # where it is
    stopped: list[int] = []
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=300) as client:
            client.post(f"{API}/check", json={"rows": []}).raise_for_status()
            workers = workers_of(process.pid)
            assert workers
            stopped = [*forking(process.pid), *workers]
            for pid in stopped:
                os.kill(pid, signal.SIGSTOP)  # none of its answers ever comes
            answers: list[httpx.Response] = []
            asked = {"rows": [SALET]}
            asking = [
                threading.Thread(target=lambda: answers.append(client.post(f"{API}/check", json=asked)))
                for _ in range(3)
            ]
            slow = socket.create_connection(("127.0.0.1", port))
            slow.sendall(b"POST /api/v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{")
            for thread in asking:
                thread.start()
            time.sleep(1)
            process.send_signal(signal.SIGTERM)
            for thread in asking:
                thread.join()
            with slow, slow.makefile("rb") as read:
                half = read.read()
            assert process.wait(300) == 0
        assert not any(map(runs, stopped))
    finally:
        for pid in filter(runs, stopped):  # which hear of nothing
            os.kill(pid, signal.SIGKILL)
        process.kill()
        process.stdout.close()
    assert len(answers) == 3
    for answer in answers:
        assert "about to end" in is_problem(answer, 503)["detail"]
        assert answer.headers["retry-after"] == "2"
    assert half.startswith(b"HTTP/1.1 503 ")
    assert b"application/problem+json" in half
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert sum(line.get("status") == 503 for line in lines) == 4
    assert not any("fault" in line or line.get("status") == 0 for line in lines)


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent as a signal")
def test_ctrl_c_twice_ends_at_once_and_is_no_fault(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with log.open("wb") as file:
        command = [sys.executable, "-m", "sleuth", "serve", "--port", "0"]
        process = subprocess.Popen(command, stderr=file, stdout=subprocess.PIPE)
    assert process.stdout is not None
    try:
        address = process.stdout.readline().decode().split()[3]
        httpx.get(f"{address}health", timeout=300).raise_for_status()
        half = socket.create_connection(("127.0.0.1", int(address.rstrip("/").rpartition(":")[2])))
        half.sendall(b"POST /api/v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{")
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        with half:
            assert process.wait(300) == 0
    finally:
        process.kill()
        process.stdout.close()
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert [line["message"] for line in lines if "message" in line] == []


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks at processes")
@pytest.mark.parametrize("ends", [[signal.SIGKILL], [signal.SIGTERM], [signal.SIGINT, signal.SIGINT]])
def test_nothing_is_left_over(ends: list[signal.Signals]) -> None:
    command = [sys.executable, "-m", "sleuth", "serve", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    try:
        address = process.stdout.readline().decode().split()[3]
        httpx.post(f"{address}api/v1/check", json={"rows": []}, timeout=300).raise_for_status()
        slow = {"strategy": "rollout", "options": {"width": "all"}}
        job = httpx.post(f"{address}api/v1/evaluations", json=slow, timeout=300).json()
        wait_until(lambda: httpx.get(f"{address}{job['self'][1:]}").json()["status"] != "queued")
        started = descendants(process.pid)
        assert workers_of(process.pid)  # one is at work
        for end in ends:
            process.send_signal(end)
        process.wait(300)
        wait_until(lambda: not any(map(runs, started)))
    finally:
        process.kill()
        process.stdout.close()
