"""One visitor at full load, and how long another one waits meanwhile.

    python benchmarks/fair_web.py [--seconds 30] [--connections 64]

Starts `sleuth serve` on a free port, lets one client (127.0.0.1) ask for everything that is dear on many
connections, and another one (127.0.0.2) play: a guess, and a suggestion in mid-game, twice a second. Prints
how many of each were answered, the median and the 99th percentile, before and under the load.
"""

import argparse
import asyncio
import json
import random
import re
import subprocess
import sys
import time
from collections import Counter

from load_web import Client, positions

LISTS = ("original", "nyt", "original-guesses", "nyt-guesses")
GRID = "⬛⬛🟨⬛⬛\n🟩🟩🟩🟩🟩"


def dear(rng, made):
    """Return a path and a request that takes long, another one each time."""
    rows = next(made)["rows"]
    return rng.choice([
        ("/api/v1/suggest", {"rows": rows[:1], "limit": rng.randint(1, 50)}),
        ("/api/v1/suggest", {"game": {"words": rng.choice(LISTS)}, "rows": rows}),
        ("/api/v1/rank", {"strategy": "exact", "game": {"words": "nyt-guesses"}, "rows": rows[:1]}),
        ("/api/v1/rank", {"strategy": "rollout", "rows": rows[:1], "limit": rng.randint(1, 50)}),
        ("/api/v1/branches", {"rows": rows[:1], "guess": rng.choice(["crane", "slate", "trace"])}),
        ("/api/v1/check", {"rows": rows}),
        ("/api/v1/review", {"guesses": ["salet", "courd", "aback"], "answer": "aback"}),
        ("/api/v1/try", {"rows": rows[:1], "guess": rng.choice(["crane", "slate", "trace"])}),
        ("/api/v1/words", {"rows": rows[:1]}),
        ("/api/v1/strategy", {"rows": rows}),
        ("/api/v1/strategy/file", {"rows": rows, "format": rng.choice(["json", "html", "dot", "txt"])}),
        ("/api/v1/fit", {"text": GRID}),
        ("/api/v1/boards/suggest", {"boards": [rows, rows]}),
        ("/api/v1/boards/review", {"boards": [{"rows": rows}, {"rows": rows}]}),
        ("/api/v1/answers", {"game": {"words": rng.choice(LISTS)}}),
        ("/api/v1/evaluations", {"strategy": "rollout"}),
    ])  # fmt: skip


async def attack(address, seed, until, statuses):
    rng, made = random.Random(seed), positions(seed)
    while time.monotonic() < until:
        try:
            async with Client(address, "127.0.0.1") as client:
                while time.monotonic() < until:
                    statuses[(await client.post(*dear(rng, made)))[0]] += 1
        except (OSError, EOFError):
            statuses["closed"] += 1
            await asyncio.sleep(0.1)


async def play(address, until, times, statuses):
    made, numbers = positions(10**6), iter(range(1, 10**6))
    while time.monotonic() < until:
        puzzle = {"number": next(numbers)}
        for path, body in (
            ("/api/v1/guess", {"puzzle": puzzle, "guess": "salet"}),
            ("/api/v1/suggest", next(made)),
        ):
            async with Client(address, "127.0.0.2") as client:
                began = time.perf_counter()
                status, text = await client.post(path, body)
                times.setdefault(path, []).append(time.perf_counter() - began)
                statuses[path, status] += 1
                if status != 200:
                    print(status, text[:200], file=sys.stderr)
            await asyncio.sleep(0.25)


def show(name, times, statuses):
    for path, taken in times.items():
        taken.sort()
        print(
            f"{name}: {path} {len(taken)} asked, median {taken[len(taken) // 2]:.3f} s, "
            f"99th percentile {taken[int(0.99 * (len(taken) - 1))]:.3f} s, longest {taken[-1]:.3f} s"
        )
    print(dict(statuses), flush=True)


async def main(args):
    server = subprocess.Popen(
        [sys.executable, "-m", "sleuth", "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        address = re.search(r"http://\S+", server.stdout.readline())[0].rstrip("/")
        await asyncio.sleep(15)  # the workers load
        times, statuses = {}, Counter()
        await play(address, time.monotonic() + args.seconds / 3, times, statuses)
        show("alone", times, statuses)
        times, statuses, others = {}, Counter(), Counter()
        until = time.monotonic() + args.seconds
        load = [asyncio.create_task(attack(address, seed, until, others)) for seed in range(args.connections)]
        await asyncio.sleep(2)
        await play(address, until, times, statuses)
        for one in load:
            one.cancel()
        show("under load", times, statuses)
        print("the other client:", json.dumps({str(k): n for k, n in others.items()}))
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--connections", type=int, default=64)
    asyncio.run(main(parser.parse_args()))
