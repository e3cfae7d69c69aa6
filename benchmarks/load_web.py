"""Load tests of the HTTP API, from a process of its own.

    python benchmarks/load_web.py suggestions [--clients 50] [--seconds 20]
    python benchmarks/load_web.py endpoints [--seconds 5]
    python benchmarks/load_web.py players [--players 10000] [--keep-nothing]
    python benchmarks/load_web.py grow [--reviews 0.3] [--seconds 20] [--picture docs/pictures/load.png]

Each starts `sleuth serve` on a free port; --address http://127.0.0.1:8000 takes one that runs. Clients have
addresses of their own in 127.0.0.0/8, as the limits are a client's.

suggestions: varied positions of random games, hardly any asked for twice: the median of one client in
mid-game, then suggestions a second, the median and the 99th percentile with all clients, errors, and what
memory the server and its workers take.
endpoints: each by itself, asked by 8 clients at once: requests a second, latency, and processor seconds.
players: people who play one daily puzzle, each a game with a hint here and there and a review at the end: how
many of the answers were kept, and requests a second. --keep-nothing: the server keeps no answers.
grow: such players come at random moments, so many a second, more and more until answers take too long; with a
picture.
"""

import argparse
import asyncio
import itertools
import json
import os
import random
import re
import subprocess
import sys
import time
from collections import Counter, defaultdict
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

import numpy as np

from sleuth import wordle
from sleuth.games.feedback import MarkNotation

API = "/api/v1"
SUGGEST = f"{API}/suggest"
OPENERS = ("crane", "slate", "salet", "adieu", "raise", "audio", "stare", "trace", "arise", "soare")
HINTS = 0.1
"""How many of a player's guesses are asked for."""
KNEE = 1.0
"""The 99th percentile of the seconds that a guess takes at which a load is too much."""
KEEPS_NOTHING = (
    "import sleuth.web.answers as a; a.Answers.__init__.__defaults__ = (0,);"
    "from sleuth.__main__ import main; main()"
)


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
    """One connection that stays open. A bare one: a client library would take a quarter of a processor.

    host: the address that it comes from; None for any.
    """

    def __init__(self, address, host=None):
        self.host = urlsplit(address)
        self.local = None if host is None else (host, 0)

    async def __aenter__(self):
        self.reader, self.writer = await asyncio.open_connection(
            self.host.hostname, self.host.port, local_addr=self.local
        )
        return self

    async def __aexit__(self, *_):
        self.writer.close()
        await self.writer.wait_closed()

    async def get(self, path):
        """Return the status and the text of an answer."""
        return await self._ask("GET", path, b"")

    async def post(self, path, body):
        """Return the status and the text of an answer."""
        return await self._ask("POST", path, json.dumps(body).encode())

    async def _ask(self, method, path, data):
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {self.host.netloc}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(data)}\r\n\r\n"
        )
        self.writer.write(head.encode() + data)
        status, *fields = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        length = next(int(field[15:]) for field in fields if field.lower().startswith("content-length:"))
        return int(status.split()[1]), (await self.reader.readexactly(length)).decode()


def at(number):
    """Return an address of this machine for the client of a number."""
    return f"127.{1 + number // 65025 % 250}.{1 + number // 255 % 255}.{number % 255}"


class Times:
    """Seconds of requests by path, and what failed."""

    def __init__(self):
        self.of = defaultdict(list)
        self.failed = Counter()

    async def ask(self, client, path, body):
        """Ask once; return the answer, or None where there is none."""
        began = time.perf_counter()
        try:
            status, text = await asyncio.wait_for(client.post(path, body), 60)
        except (OSError, EOFError, TimeoutError) as error:
            self.failed[path, repr(error)] += 1
            return None
        self.of[path].append(time.perf_counter() - began)
        if status != 200:
            self.failed[path, status] += 1
            return None
        return json.loads(text)

    def shown(self, path):
        """Return the quantiles of a path's times."""
        taken = sorted(self.of[path])
        low, high = (1000 * taken[int(share * (len(taken) - 1))] for share in (0.5, 0.99))
        return f"median {low:.1f} ms, p99 {high:.0f} ms, longest {1000 * taken[-1]:.0f} ms"


# What is asked for.


def questions(seed):
    """Yield a body for each path that is asked about, by path; hardly any twice."""
    rng, games = random.Random(seed), positions(seed)
    game = wordle("original")
    while True:
        rows = next(games)["rows"]
        words = rng.sample(game.answers, 3)
        yield {
            f"{API}/puzzle": {"number": rng.randrange(2000)},
            f"{API}/guess": {"puzzle": {"number": rng.randrange(2000)}, "guess": words[0]},
            f"{API}/check": {"rows": rows},
            SUGGEST: {"rows": rows, "limit": 10},
            f"{API}/branches": {"rows": rows, "guess": words[0]},
            f"{API}/rank": {"strategy": "information-gain", "rows": rows},
            f"{API}/review": {"guesses": words, "answer": words[2]},
        }


class Player:
    """Somebody who plays a puzzle: a popular opener, then words that fit; now and then a hint."""

    def __init__(self, game, number, seed, reviews):
        self.game, self.number, self.rng, self.reviews = game, number, random.Random(seed), reviews

    async def play(self, client, times):
        """Play to the end, each guess when the last is answered."""
        game, rng = self.game, self.rng
        await times.ask(client, f"{API}/puzzle", {"number": self.number})
        guesses, rows = [], []
        left = np.arange(len(game.answers))
        while True:
            if guesses and rng.random() < HINTS:
                hint = await times.ask(client, SUGGEST, {"rows": rows, "limit": 1})
                word = hint["guess"] if hint else game.answers[left[0]]
            elif guesses:
                word = game.answers[left[int(len(left) * rng.random() ** 2)]]
            else:
                word = OPENERS[min(int(rng.expovariate(0.5)), len(OPENERS) - 1)]
            asked = {"puzzle": {"number": self.number}, "guesses": guesses, "guess": word}
            told = await times.ask(client, f"{API}/guess", asked)
            if told is None:
                return
            guesses = [*guesses, word]
            marks = told["feedback"][0]
            rows = [*rows, {"guess": word, "feedback": marks}]
            if told["over"]:
                break
            code = game.rules.notation.parse(marks)
            left = left[game.feedback[game.find(word)][left] == code]
        if rng.random() < self.reviews:
            await times.ask(client, f"{API}/review", {"rows": rows})


# Servers.


def family(pid):
    """Yield a process and all below it: workers are forks of a child."""
    yield pid
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:  # it has ended
        return
    for child in children:
        yield from family(int(child))


def memory(pid):
    """Return the bytes that a process and all below it have in memory; what they share counts once."""
    shares = []
    for one in family(pid):
        with suppress(OSError):
            text = Path(f"/proc/{one}/smaps_rollup").read_text()
            shares.append(1024 * int(re.search(r"^Pss:\s+(\d+)", text, re.MULTILINE)[1]))
    return sum(shares)


def cpu_seconds(pid):
    """Return the processor seconds of a process and all below it."""
    ticks = 0
    for one in family(pid):
        with suppress(OSError):
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def wait_until_warm(pid):
    """Wait until the workers' kernels are loaded: until they take no processor time."""
    before = -1
    while (now := round(cpu_seconds(pid))) != before:
        before = now
        time.sleep(4)


@contextmanager
def server(address, command=("-m", "sleuth")):
    """Yield the address of a server and its number; None where it was not started here."""
    if address:
        yield address.rstrip("/"), None
        return
    process = subprocess.Popen(
        [sys.executable, *command, "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        found = re.search(r"http://\S+", process.stdout.readline())[0].rstrip("/")
        wait_until_warm(process.pid)
        yield found, process.pid
    finally:
        process.terminate()
        process.wait()


async def counted(address):
    """Return the numbers that the server counts, by name and labels."""
    async with Client(address) as client:
        text = (await client.get("/metrics"))[1]
    lines = (line.rpartition(" ") for line in text.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, _, value in lines}


# The tests.


async def _one_client(address, count=200):
    times, asked = Times(), positions(1, least=2, most=2)
    async with Client(address) as client:
        for _ in range(count):
            await times.ask(client, SUGGEST, next(asked))
    return times


async def _together(address, clients, seconds, seed, of):
    """Ask from so many clients at once. of: the bodies of a client's number, with their path."""
    times, end = Times(), time.perf_counter() + seconds

    async def run(number):
        asked = of(1000 * seed + number)
        async with Client(address, at(number)) as client:
            while time.perf_counter() < end:
                await times.ask(client, *next(asked))

    await asyncio.gather(*map(run, range(clients)))
    return times


def suggestions(args):
    with server(args.address) as (address, pid):
        times = asyncio.run(_one_client(address))
        taken = times.of[SUGGEST]
        print(f"one client, mid-game: median {1000 * median(taken):.1f} ms, of {len(taken)}")
        rounds = 2
        for number in range(1, rounds + 1):
            times = asyncio.run(
                _together(
                    address,
                    args.clients,
                    args.seconds / rounds,
                    number,
                    lambda seed: ((SUGGEST, body) for body in positions(seed)),
                )
            )
            rate = len(times.of[SUGGEST]) / (args.seconds / rounds)
            print(
                f"{args.clients} clients, round {number}: {rate:.0f} suggestions/s, {times.shown(SUGGEST)},"
                f" errors {dict(times.failed)}"
                + ("" if pid is None else f", memory {memory(pid) / 2**20:.0f} MiB")
            )


def endpoints(args):
    with server(args.address) as (address, pid):
        print("| endpoint | requests/s | median ms | p99 ms | CPU ms each | a core, requests/s |")
        print("|---|---|---|---|---|---|")
        for path in next(questions(0)):
            before = 0 if pid is None else cpu_seconds(pid)
            times = asyncio.run(
                _together(
                    address,
                    8,
                    args.seconds,
                    7,
                    lambda seed, path=path: ((path, body[path]) for body in questions(seed)),
                )
            )
            taken = sorted(times.of[path])
            each = 0 if pid is None else (cpu_seconds(pid) - before) / len(taken)
            low, high = (1000 * taken[int(share * (len(taken) - 1))] for share in (0.5, 0.99))
            print(
                f"| `{path.removeprefix(API)}` | {len(taken) / args.seconds:.0f} | {low:.1f} | {high:.0f} |"
                f" {1000 * each:.2f} | {1 / each if each else 0:.0f} |"
                + (f" {dict(times.failed)}" if times.failed else ""),
                flush=True,
            )


async def _players(address, players, reviews, at_once=32):
    game, times = wordle("original"), Times()
    numbers = iter(range(players))

    async def run():
        for number in numbers:
            async with Client(address, at(number)) as client:
                await Player(game, 1000, number, reviews).play(client, times)

    began = time.perf_counter()
    await asyncio.gather(*(run() for _ in range(at_once)))
    return times, time.perf_counter() - began


def players(args):
    command = ("-c", KEEPS_NOTHING) if args.keep_nothing else ("-m", "sleuth")
    with server(args.address, command) as (address, pid):
        before = asyncio.run(counted(address))
        began = 0 if pid is None else cpu_seconds(pid)
        times, seconds = asyncio.run(_players(address, args.players, args.reviews))
        after = asyncio.run(counted(address))
        asked = sum(map(len, times.of.values()))
        spent = "" if pid is None else f", {cpu_seconds(pid) - began:.0f} processor seconds"
        print(
            f"{args.players} players: {asked} requests in {seconds:.1f} s,"
            f" {asked / seconds:.0f} a second{spent}"
        )
        for path in times.of:
            print(f"  {path}: {len(times.of[path])}, {times.shown(path)}")
        how = {
            key.partition('"')[2].rstrip('"}'): after[key] - before.get(key, 0)
            for key in after
            if key.startswith("sleuth_answers_total")
        }
        total = sum(how.values())
        print(
            "answers:", ", ".join(f"{name} {count:.0f} ({count / total:.1%})" for name, count in how.items())
        )
        print(f"kept: {after['sleuth_answers_kept_bytes'] / 1024:.0f} KiB; errors {dict(times.failed)}")


async def _arrivals(address, rate, seconds, seed, game, reviews):
    """Let so many players a second come at random moments; return their times once all have ended."""
    rng, times, going = random.Random(seed), Times(), []

    async def one(number):
        try:
            async with Client(address, at(number)) as client:
                await Player(game, 2000 + seed, number, reviews).play(client, times)
        except OSError as error:
            times.failed["connection", repr(error)] += 1

    end = time.perf_counter() + seconds
    for number in itertools.count(100_000 * seed):
        if time.perf_counter() >= end:
            break
        going.append(asyncio.create_task(one(number)))
        await asyncio.sleep(rng.expovariate(rate))
    await asyncio.gather(*going)
    return times


def grow(args):
    guess, rows = f"{API}/guess", []
    game = wordle("original")
    with server(args.address) as (address, pid):
        for step in itertools.count():
            rate = 4 * 2 ** (step / 2)
            before, began = 0 if pid is None else cpu_seconds(pid), time.perf_counter()
            times = asyncio.run(_arrivals(address, rate, args.seconds, step, game, args.reviews))
            took = time.perf_counter() - began
            used = 0 if pid is None else (cpu_seconds(pid) - before) / took
            asked = sum(map(len, times.of.values())) / took
            quantiles = {
                path: [sorted(taken)[int(share * (len(taken) - 1))] for share in (0.5, 0.99)]
                for path, taken in times.of.items()
            }
            rows.append((rate, asked, used, quantiles))
            print(
                f"{rate:6.1f} players/s: {asked:.0f} requests/s, {used:.2f} processors, "
                + ", ".join(
                    f"{path.removeprefix(API)} {1000 * low:.0f}/{1000 * high:.0f} ms"
                    for path, (low, high) in quantiles.items()
                )
                + (f", failed {dict(times.failed)}" if times.failed else ""),
                flush=True,
            )
            if quantiles[guess][1] > KNEE or times.failed:
                break
    if args.picture:
        _draw(rows, args.picture)


def _draw(rows, picture):
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    rates = [row[0] for row in rows]
    for path in filter(rows[-1][3].get, (f"{API}/guess", SUGGEST, f"{API}/review")):
        name = path.removeprefix(API)
        [line] = axes.plot(rates, [row[3][path][1] for row in rows], marker="o", label=f"{name}, 99 of 100")
        axes.plot(
            rates,
            [row[3][path][0] for row in rows],
            linestyle=":",
            color=line.get_color(),
            label=f"{name}, median",
        )
    axes.axhline(KNEE, color="grey", linewidth=0.8)
    axes.set(xscale="log", yscale="log", xlabel="players who come a second", ylabel="seconds")
    axes.set_xticks(rates[::2], [f"{rate:.0f}" for rate in rates[::2]])
    axes.minorticks_off()
    axes.legend(frameon=False, fontsize=8)
    figure.savefig(picture, dpi=120)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("test", choices=("suggestions", "endpoints", "players", "grow"))
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--players", type=int, default=10_000)
    parser.add_argument("--reviews", type=float, default=0.3, help="share of games reviewed at the end")
    parser.add_argument("--keep-nothing", action="store_true")
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--address")
    args = parser.parse_args()
    args.seconds = args.seconds or (5 if args.test == "endpoints" else 20)
    {"suggestions": suggestions, "endpoints": endpoints, "players": players, "grow": grow}[args.test](args)


if __name__ == "__main__":
    main()
