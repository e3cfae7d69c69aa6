"""Whole commands in fresh processes: start-up, first moves, peak memory."""

import resource
import subprocess
import sys

import pytest

SLEUTH = [sys.executable, "-c", "from sleuth.cli import main; main()"]


def command(*args):
    return subprocess.run([*SLEUTH, *args], check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module", autouse=True)
def warm():
    command("warmup")


@pytest.mark.parametrize(
    "args",
    [
        ("--help",),
        ("suggest",),
        ("suggest", "--after", "salet:bbybb"),
        ("evaluate", "rollout", "--opener", "salet"),
    ],
    ids=" ".join,
)
def test_command(benchmark, args):
    benchmark.pedantic(command, args, rounds=5)


def test_peak_memory_of_an_evaluation(benchmark):
    benchmark.pedantic(command, ("evaluate", "rollout", "--opener", "salet"), rounds=1)
    # The largest child so far, in KiB: this command, since the others need no more.
    benchmark.extra_info["MiB"] = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024


def test_cold_kernel_cache(benchmark, tmp_path_factory, monkeypatch):
    def fresh():
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path_factory.mktemp("numba")))

    args = ("evaluate", "rollout", "--opener", "salet")
    benchmark.pedantic(command, args, setup=fresh, rounds=2)
