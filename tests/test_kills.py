"""Commands that are killed at any moment, for a minute: what they leave is whole, and they go on."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sleuth.exact.store import read_store
from sleuth.exact.verification import verify
from sleuth.games.wordle import wordle
from sleuth.support.errors import StoreError
from sleuth.trees import formats
from sleuth.trees.check import check_tree

SECONDS = 60


def words_of(seed: int, count: int) -> list[str]:
    rng = random.Random(seed)
    return sorted({"".join(rng.choices("abcdefg", k=5)) for _ in range(count)})


@pytest.mark.thorough
@pytest.mark.skipif(os.name != "posix", reason="processes are killed by signals")
def test_kills_at_any_moment_leave_whole_files(tmp_path: Path) -> None:
    words, store, tree = tmp_path / "words.txt", tmp_path / "store", tmp_path / "tree.json"
    words.write_text("\n".join(words_of(1, 900)))
    game = wordle(words.read_text().split())
    commands = [
        ["prove", "--answers", words, "--store", store, "--top", "50"],
        ["evaluate", "information-gain", "--answers", words, "--tree", tree],
        ["evaluate", "worst-case", "--answers", words, "--tree", tree],
    ]
    rng, until = random.Random(0), time.monotonic() + SECONDS
    took = dict.fromkeys(range(len(commands)), 20.0)
    killed = ended = grown = 0
    known: dict[str, int] = {}
    while time.monotonic() < until or not killed or not ended:
        number = rng.randrange(len(commands))
        began = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "-m", "sleuth", *map(str, commands[number])],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            said = process.communicate(timeout=rng.uniform(0, 1.1 * took[number]))[0]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            killed += 1
        else:
            assert process.returncode == 0, said
            took[number] = time.monotonic() - began
            ended += 1
        if tree.exists():
            check_tree(formats.read(tree, game))
        assert {path.suffix for path in tmp_path.iterdir()} <= {"", ".txt", ".json", ".tmp"}
        if store.exists():
            before, known = known, bounds(store)
            assert all(known[guess] >= lower for guess, lower in before.items())
            grown += known != before
    assert grown
    last = subprocess.run(
        [sys.executable, "-m", "sleuth", *map(str, commands[0]), "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    proof = json.loads(last.stdout)
    assert proof["proved"]
    assert proof["problems"] == []
    assert verify(store).ok


def bounds(store: Path) -> dict[str, int]:
    """Return the lower bounds of a store, by turns and guess; none where it has not been laid out yet."""
    try:
        return {f"{row.turns} {row.guess}": row.lower for row in read_store(store).openers}
    except StoreError as error:
        if "no such table" not in str(error):
            raise
        return {}
