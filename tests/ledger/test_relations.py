"""What rows say of each other: against proofs of small games in every mode, within all numbers of turns."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

import pytest

import sleuth
from sleuth.games.choice import GameChoice
from sleuth.ledger.record import Record
from sleuth.ledger.relations import implied
from sleuth.ledger.running import bounded, settled

WORDS = (
    "batch",
    "catch",
    "hatch",
    "latch",
    "match",
    "patch",
    "eight",
    "fight",
    "light",
    "might",
    "night",
    "right",
)
OTHERS = ("crane", "chimp", "beset", "plumb", "frail")


def tasks(seed: int, limits: Sequence[int]) -> list[Record]:
    """Return tasks of one list of words: all modes, turns, objectives, and some openers."""
    drawn = random.Random(seed)
    answers = sorted(drawn.sample(WORDS, 9))
    guesses = sorted({*answers, *drawn.sample(OTHERS, drawn.randint(0, 3))})
    rows = []
    for mode, turns, objective in product(("easy", "hard", "strict"), limits, ("mean", "worst", "solved")):
        for asked in (None, *drawn.sample(guesses, 2)):
            game = GameChoice(answers=answers, guesses=guesses, mode=mode, max_turns=turns)
            rows.append(Record(f"{mode}-{turns}-{objective}-{asked}", game, objective, asked))  # type: ignore[arg-type]
    return rows


def proofs(seed: int, limits: Sequence[int]) -> Iterator[Record]:
    for row in tasks(seed, limits):
        try:
            yield settled(row)
        except sleuth.SleuthError:  # an opener that tells nothing
            continue


@pytest.mark.parametrize(
    ("seed", "limits"),
    [
        (0, (2, 4)),
        *(pytest.param(seed, (2, 3, 4, 6), marks=pytest.mark.thorough) for seed in (0, 1, 2)),
    ],
)
def test_what_follows_is_true_and_adds_to_nothing_proved(seed: int, limits: Sequence[int]) -> None:
    rows = list(proofs(seed, limits))
    drawn, better = random.Random(seed), 0
    for row in rows:
        assert row.status == "proved"
        known = implied(row, rows)
        assert (known.at_least, known.at_most) == (row.at_least, row.at_most)
        # Where only bounds are known, the others say more, and nothing that is false.
        rough = replace(
            row, status="bounds", at_least=(0,) if len(row.at_most or (0,)) == 1 else (0, 0), at_most=None
        )
        others = [one for one in drawn.sample(rows, 20) if one.name != row.name]
        known = implied(rough, others)
        better += known.at_most is not None
        assert known.at_most is None or (row.at_most is not None and known.at_most >= row.at_most)
        assert (known.at_least or (10**9,)) <= (row.at_least or (10**9,))
    assert better > len(rows) / 11


def test_rows_that_do_not_say_their_turns_are_left_alone() -> None:
    game = GameChoice("mastermind", pegs=2, colours=4)
    limited = settled(Record("limited", replace(game, max_turns=6)))
    row = bounded(Record("tiny", game), rows=[limited])
    known = implied(replace(row, at_least=(1,), status="bounds"), [limited])
    assert (known.at_least, known.at_most) == ((1,), row.at_most)
    assert implied(Record("open", limited.game), [limited]).at_most is None
