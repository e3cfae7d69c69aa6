"""Files of earlier versions: what people have on their disks can still be read, and goes on."""

import shutil
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from sleuth.exact.proving import prove
from sleuth.exact.store import read_store
from sleuth.exact.verification import verify
from sleuth.games.pegs import mastermind
from sleuth.games.wordle import wordle
from sleuth.learning import arrays
from sleuth.trees import formats
from sleuth.trees.check import check_tree

KEPT = Path(__file__).parent / "kept"
WORDS = [
    "bound",
    "found",
    "hound",
    "mound",
    "pound",
    "round",
    "sound",
    "wound",
    "might",
    "night",
    "right",
    "sight",
    "tight",
]


def test_a_store_is_read_and_goes_on(tmp_path: Path) -> None:
    game = mastermind(2, 4)
    contents = read_store(KEPT / "store-2")
    [result] = contents.results
    assert (result.asked, result.opener, result.turns, result.total) == (None, "12", 10, 45)
    assert ("12", 45, True) in [(row.guess, row.lower, row.exact) for row in contents.openers]
    assert verify(KEPT / "store-2", sample=None).ok
    own = tmp_path / "store"
    shutil.copyfile(KEPT / "store-2", own)
    proof = prove(game, store=own)
    assert (proof.opener, proof.total, proof.proved, proof.problems) == ("12", 45, True, ())
    assert prove(game, store=own, top=3).problems == ()


@pytest.mark.parametrize("name", ["tree-1.json", "tree.txt"])
def test_a_tree_is_read(name: str) -> None:
    tree = formats.read(KEPT / name, wordle(WORDS, mode="hard"))
    report = check_tree(tree)
    assert (tree.opener, report.total) == ("might", 46)
    assert report.histogram == {1: 1, 2: 4, 3: 2, 4: 2, 5: 2, 6: 1, 7: 1}


@pytest.mark.parametrize(
    ("name", "digest"),
    [
        ("candidates", "4ec4c514756b6e4d"),
        ("document_003", "62f7ade2bcba4bab"),
        ("letter_pairs", "5d62b8615666a8da"),
    ],
)
def test_weights_are_read(name: str, digest: str) -> None:
    found = arrays.read(name, name)
    told = sha256()
    for key, values in sorted(found.items()):
        told.update(f"{key} {values.dtype} {values.shape}".encode())
        told.update(np.ascontiguousarray(values).tobytes())
    assert told.hexdigest()[:16] == digest
