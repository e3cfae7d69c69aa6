"""A load test of the HTTP API from a process of its own: suggestions for varied positions.

    python benchmarks/load_web.py [--clients 50] [--seconds 20] [--address http://127.0.0.1:8000]

Without an address it starts `sleuth serve` on a free port. Positions are drawn from random games, so that
hardly any is asked for twice. It prints the median of one client in mid-game, then suggestions a second, the
median and the 99th percentile with all clients, errors, and what memory the server and its workers take.
"""

import argparse
import asyncio
import json
import random
import re
import subprocess
import sys
import time
from statistics import median
from urllib.parse import urlsplit

from sleuth import wordle
from sleuth.games.feedback import MarkNotation

SUGGEST = "/api/v1/suggest"


def positions(seed, least=1, most=3):
    """Yield requests for the positions of random games: two random words or so, and an answer."""
    game, rng = wordle("original"), random.Random(seed)
    notation = MarkNotation(5)
    while True:
        answer = rng.choice(game.answers)
        rows = [
            {"guess": guess, "feedback": notation.show(game.rules.code(guess, answer))}
            for guess in rng.sample(game.answers, rng.randint(least, most))
            if guess != answer
        ]
        yield {"rows": rows, "limit": 10}


class Client:
    """One connection that stays open. A bare one: a client library would take a quarter of a processor."""

    def __init__(self, address):
        self.host = urlsplit(address)

    async def __aenter__(self):
        self.reader, self.writer = await asyncio.open_connection(self.host.hostname, self.host.port)
        return self

    async def __aexit__(self, *_):
        self.writer.close()
        await self.writer.wait_closed()

    async def post(self, path, body):
        """Return the status and the text of an answer."""
        data = json.dumps(body).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: {self.host.netloc}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(data)}\r\n\r\n"
        )
        self.writer.write(head.encode() + data)
        status, *fields = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        length = next(int(field[15:]) for field in fields if field.lower().startswith("content-length:"))
        return int(status.split()[1]), (await self.reader.readexactly(length)).decode()


async def ask(client, body, times):
    """Ask once; returns whether that went well."""
    began = time.perf_counter()
    try:
        status, text = await asyncio.wait_for(client.post(SUGGEST, body), 60)
    except (OSError, EOFError, TimeoutError) as error:
        print(f"error: {error!r}", file=sys.stderr)
        return False
    times.append(time.perf_counter() - began)
    if status != 200:
        print(f"error: {status} {text[:200]}", file=sys.stderr)
    return status == 200


async def one_client(address, count=200):
    """Return the seconds of mid-game suggestions, asked one after the other."""
    times = []
    asked = positions(1, least=2, most=2)
    async with Client(address) as client:
        for _ in range(count):
            await ask(client, next(asked), times)
    return times


async def many_clients(address, clients, seconds, seed):
    """Return the seconds of every request, and how many failed."""
    times, failed, end = [], 0, time.perf_counter() + seconds

    async def run(number):
        nonlocal failed
        asked = positions(1000 * seed + number)
        async with Client(address) as client:
            while time.perf_counter() < end:
                failed += not await ask(client, next(asked), times)

    await asyncio.gather(*map(run, range(clients)))
    return times, failed


def family(pid, column):
    """Return a column of `ps` for a process and its children, as numbers."""
    ps = ["ps", "-o", f"{column}=", "--pid", str(pid), "--ppid", str(pid)]
    return [
        int(line) for line in subprocess.run(ps, capture_output=True, text=True, check=True).stdout.split()
    ]


def wait_until_warm(pid):
    """Wait until the workers' kernels are loaded: until they take no processor time."""
    before = -1
    while (now := sum(family(pid, "cputimes"))) != before:
        before = now
        time.sleep(4)


def measure(address, clients, seconds, pid=None):
    if pid is not None:
        wait_until_warm(pid)
    single = asyncio.run(one_client(address))
    print(f"one client, mid-game: median {1000 * median(single):.1f} ms, of {len(single)}")
    rounds = 2
    for number in range(1, rounds + 1):
        times, failed = asyncio.run(many_clients(address, clients, seconds / rounds, number))
        times.sort()
        print(
            f"{clients} clients, round {number}: {len(times) / (seconds / rounds):.0f} suggestions/s,"
            f" median {1000 * median(times):.0f} ms, p99 {1000 * times[int(0.99 * len(times))]:.0f} ms,"
            f" longest {1000 * times[-1]:.0f} ms, {failed} errors of {len(times)}"
            + ("" if pid is None else f", memory {sum(family(pid, 'rss')) / 1024:.0f} MiB")
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--address")
    asked = parser.parse_args()
    if asked.address:
        measure(asked.address.rstrip("/"), asked.clients, asked.seconds)
        return
    process = subprocess.Popen(
        [sys.executable, "-m", "sleuth", "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        address = re.search(r"http://\S+", process.stdout.readline())[0].rstrip("/")
        measure(address, asked.clients, asked.seconds, process.pid)
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    main()
