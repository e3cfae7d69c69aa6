"""The first minute on a machine that has compiled nothing, beside the same once everything is compiled.

`python benchmarks/first_minute.py` sets up an environment of its own, as the README does, in a folder that it
removes again, and prints a table for docs/compiling.md. Processor time is that of all processes that a step
starts, memory that of the largest. It needs a quiet machine, and the package registry for the set-up.
"""

from __future__ import annotations

import json
import os
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PORT = 8765
ADDRESS = f"http://127.0.0.1:{PORT}"
LOOK = 1.0
"""Seconds after which the page looks again whether what hints take is compiled."""
FIRST, HINT, WARMUP = "the README's first command", "first hint by search of a server", "`sleuth warmup`"
MOST = {HINT: 4.0, WARMUP: 6.0}
"""How many times the processor time of the README's first command a step may take with nothing compiled."""
ASKED = {"rows": [{"guess": "salet", "feedback": "bbybb"}]}


class Cost(NamedTuple):
    """What a step takes.

    Attributes:
        wall: seconds.
        cpu: processor seconds.
        memory: MiB of the largest process.

    """

    wall: float
    cpu: float
    memory: float


def cost_of(step: Callable[[], None]) -> Cost:
    """Return what a step takes, in a process of its own, so that its children are its alone."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        began = time.perf_counter()
        step()
        wall = time.perf_counter() - began
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        numbers = [wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024]
        os.write(write, json.dumps(numbers).encode())
        os._exit(0)
    os.close(write)
    told = os.read(read, 1000)
    os.close(read)
    os.waitpid(child, 0)
    if not told:
        sys.exit("a step failed")
    return Cost(*json.loads(told))


def command(sleuth: Path, line: str, cache: Path) -> Callable[[], None]:
    """Return what runs a command."""

    def run() -> None:
        subprocess.run(
            [sleuth, *shlex.split(line)], env=environment(cache), check=True, capture_output=True, cwd=cache
        )

    return run


def first_hint(sleuth: Path, cache: Path, final: bool) -> Callable[[], None]:
    """Return what starts a server and asks for a hint until there is one; final: until it is the best one."""

    def ask() -> bool:
        """Ask for a hint, and say whether it is a quick estimate."""
        request = urllib.request.Request(
            f"{ADDRESS}/api/v1/suggest", json.dumps(ASKED).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            return bool(json.load(answer)["provisional"])

    def run() -> None:
        server = subprocess.Popen(
            [sleuth, "serve", "--port", str(PORT)],
            env=environment(cache),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            while True:
                with suppress(OSError):  # it does not listen yet
                    is_quick = ask()
                    break
                time.sleep(0.05)
            while final and is_quick:
                hints = False
                while not hints:
                    time.sleep(LOOK)
                    with urllib.request.urlopen(f"{ADDRESS}/health", timeout=60) as answer:
                        hints = json.load(answer)["hints"]
                is_quick = ask()
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()

    return run


def environment(cache: Path) -> dict[str, str]:
    """Return an environment in which kernels are kept in a folder."""
    left_out = ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "SLEUTH_THREADS")
    return {k: v for k, v in os.environ.items() if k not in left_out} | {"NUMBA_CACHE_DIR": str(cache)}


def main() -> None:
    """Print the table, and how many times the first command some steps take."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        subprocess.run([sys.executable, "-m", "venv", home / "venv"], check=True)
        pip = [str(home / "venv" / "bin" / "pip"), "install", "-q", "-c", str(ROOT / "constraints.txt")]
        subprocess.run([*pip, f"{ROOT}[web]"], check=True)
        sleuth = home / "venv" / "bin" / "sleuth"
        warm = home / "warm"
        warm.mkdir()
        rollout = "evaluate rollout -o base=information-gain -o width=10 --opener salet"
        steps: dict[str, Callable[[Path], Callable[[], None]]] = {
            FIRST: lambda cache: command(sleuth, rollout, cache),
            "first suggestion in mid-game": lambda cache: command(
                sleuth, "suggest --after salet:bbybb", cache
            ),
            "first hint of a server": lambda cache: first_hint(sleuth, cache, final=False),
            HINT: lambda cache: first_hint(sleuth, cache, final=True),
            WARMUP: lambda cache: command(sleuth, "warmup", cache),
        }
        cost_of(command(sleuth, "strategies", warm))  # Python's own modules are compiled once, too
        cost_of(command(sleuth, "warmup", warm))
        cold: dict[str, Cost] = {}
        print("| step | nothing compiled: wall s | CPU s | MiB | all compiled: wall s | CPU s | MiB |")
        print("|---|---|---|---|---|---|---|", flush=True)
        for number, (name, step) in enumerate(steps.items()):
            cache = home / f"cold{number}"
            cache.mkdir()
            cold[name] = cost_of(step(cache))
            numbers = [*cold[name], *cost_of(step(warm))]
            shown = (f"{value:.0f}" if i % 3 == 2 else f"{value:.1f}" for i, value in enumerate(numbers))
            print(f"| {name} | {' | '.join(shown)} |", flush=True)
    print()
    for name, most in MOST.items():
        times = cold[name].cpu / cold[FIRST].cpu
        print(f"{name}, nothing compiled: {times:.1f} times {FIRST}; it may be {most:.0f} times")


if __name__ == "__main__":
    main()
