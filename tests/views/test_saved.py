"""Results are equal where what they hold is, and files give back equal ones."""

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import sleuth
from sleuth.support.errors import SleuthError

ROWS = ["12:1,0", "13:0,1", "32:2,0"]


def game(mode: str = "easy") -> sleuth.Game:
    return sleuth.mastermind(2, 3).with_mode(mode)  # type: ignore[arg-type]


def test_equal_games_are_equal_and_hash_alike() -> None:
    one, other = game(), game()
    assert one == other
    assert hash(one) == hash(other)
    assert len({one, other}) == 1
    assert pickle.loads(pickle.dumps(one)) == one
    assert one != game("strict")
    assert one != sleuth.mastermind(2, 4)
    assert one != "mastermind"
    assert one != one.with_prior(np.arange(1.0, 10.0))
    assert one != one.with_answers(one.answers[:-1], np.ones(8))


def test_games_that_differ_in_their_prior_hash_apart() -> None:
    # Else every look into a cache compares a game with all that are alike but for that.
    priors = [np.resize([1.0, 2.0 + i], 9) for i in range(20)]
    assert len({hash(game().with_prior(prior)) for prior in priors}) == len(priors)
    ends = game().with_prior(np.array([0.0, *[1.0] * 8])), game().with_prior(np.array([-0.0, *[1.0] * 8]))
    assert len(set(ends)) == 1


def test_a_game_has_the_same_hash_in_every_process() -> None:
    # It is sent to others with what it has worked out, and they may hash texts differently.
    asked = "import sleuth; print(hash(sleuth.mastermind(2, 3)))"
    told = {
        subprocess.check_output([sys.executable, "-c", asked], env={**os.environ, "PYTHONHASHSEED": seed})
        for seed in "12"
    }
    assert told == {f"{hash(game('easy'))}\n".encode()}


def test_games_of_functions_are_equal_by_their_function() -> None:
    def higher(guess: int, answer: int) -> int:
        return (guess > answer) - (guess < answer)

    one, other = (sleuth.Game.from_function(higher, range(5)) for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)
    assert one != sleuth.Game.from_function(lambda guess, answer: higher(guess, answer), range(5))


def test_equal_positions_reports_and_trees_are_equal_and_hash_alike() -> None:
    at = [sleuth.Position.after_rows(game(), [("12", "1,0")]) for _ in range(2)]
    assert at[0] == at[1]
    assert hash(at[0]) == hash(at[1])
    assert at[0] != sleuth.Position.start(game())
    assert at[0] != sleuth.Position.after_rows(game("strict"), [("12", "1,0")])
    found = [sleuth.evaluate("information-gain", game()) for _ in range(2)]
    for one, other in ((f.report, f.tree) for f in found[:1]):
        assert one == found[1].report
        assert hash(one) == hash(found[1].report)
        assert other == found[1].tree
        assert hash(other) == hash(found[1].tree)
    assert found[0].report != sleuth.evaluate("information-gain", game(), "11").report


@pytest.mark.parametrize("mode", ["easy", "strict"])
def test_reviews_and_trees_are_read_as_they_were_saved(tmp_path: Path, mode: str) -> None:
    review = sleuth.review(game(mode), ROWS)
    review.save(tmp_path / "review.json")
    again = sleuth.Review.read(str(tmp_path / "review.json"), game(mode))
    assert again == review
    assert hash(again) == hash(review)
    tree = sleuth.evaluate("information-gain", game(mode)).tree
    tree.save(tmp_path / "tree.json")
    assert sleuth.DecisionTree.read(str(tmp_path / "tree.json"), game(mode)) == tree


@pytest.mark.parametrize("mode", ["easy", "strict"])
def test_proofs_are_read_as_they_were_saved(tmp_path: Path, mode: str) -> None:
    at = game(mode)
    legal = None if mode == "easy" else list(range(9))
    by_hand = sleuth.Position(at, [1, 4, 5], legal, turn=2)  # type: ignore[arg-type]
    for start in (at, sleuth.Position.after_rows(at, [("12", "1,0")]), by_hand):
        proof = sleuth.prove(start, top=2)
        proof.save(tmp_path / "proof.json")
        again = sleuth.Proof.read(tmp_path / "proof.json", game(mode))
        assert again == proof
        assert hash(again) == hash(proof)
    late = sleuth.prove(sleuth.mastermind(2, 3), "solved", with_tree=False)
    late.save(tmp_path / "proof.json")
    assert sleuth.Proof.read(tmp_path / "proof.json", game()) == late


def test_a_widened_position_is_kept_by_its_rows(tmp_path: Path) -> None:
    words = ["crane", "slate", "irate"]
    narrow = sleuth.Game.from_function(lambda g, a: sum(map(str.__eq__, g, a)), words)
    wider = sleuth.wordle("original")
    at = sleuth.Position.after_rows(wider, [("salet", "ggggb"), ("salep", "ggggb")])
    assert at.widened
    assert sleuth.Position.from_json(at.to_json(), sleuth.wordle("original")) == at
    with pytest.raises(SleuthError, match="not of custom"):
        sleuth.Position.from_json(at.to_json(), narrow)


def test_other_files_are_refused_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "review.json"
    sleuth.review(game(), ROWS).save(path)
    with pytest.raises(SleuthError, match=r'is no proof of Sleuth; it needs "format": "sleuth-proof"'):
        sleuth.Proof.read(path, game())
    with pytest.raises(SleuthError, match="a review of mastermind 2x3, easy mode, not of mastermind 2x4"):
        sleuth.Review.read(path, sleuth.mastermind(2, 4))
    kept = json.loads(path.read_text(encoding="utf-8"))
    changes: list[dict[str, object]] = [
        {"version": 9},
        {"skill": 3},
        {"moves": []},
        {"moves": 5},
        {"more": 1},
    ]
    for change in changes:
        path.write_text(json.dumps({**kept, **change}), encoding="utf-8")
        with pytest.raises(SleuthError, match="version 1 can be read|does not hold a whole review"):
            sleuth.Review.read(path, game())
    path.write_text("[", encoding="utf-8")
    with pytest.raises(SleuthError, match="is no review of Sleuth"):
        sleuth.Review.read(path, game())
    with pytest.raises(SleuthError, match="cannot be read"):
        sleuth.Review.read(tmp_path / "none", game())
    with pytest.raises(SleuthError, match="cannot be written"):
        sleuth.review(game(), ROWS).save(tmp_path / "none" / "review.json")
    sleuth.prove(game()).save(path)
    with pytest.raises(SleuthError, match="it is of mastermind 2x3, easy mode, not of wordle"):
        sleuth.Proof.read(path, sleuth.wordle())
