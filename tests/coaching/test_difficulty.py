"""How hard a list is: players, families, unfair words, and what a change of the list does."""

import csv
import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from command_line import Run, json_of

import sleuth
from sleuth.coaching.difficulty.difficulty import UNFAIR
from sleuth.coaching.difficulty.families import families
from sleuth.coaching.difficulty.page import about, page
from sleuth.coaching.difficulty.played import Played, casual
from sleuth.games import frequencies
from sleuth.support.errors import SleuthError, WordListError

LIGHT = ("light", "might", "night", "right", "sight", "fight", "tight", "eight")
WORDS = (*LIGHT, "crane", "trace", "audio", "house", "world")


@pytest.fixture(scope="module")
def found() -> sleuth.Difficulty:
    return sleuth.difficulty(WORDS, language="en", games=50)


def plain_casual(words: list[str], rates: list[float], answer: str, games: int, seed: int) -> float:
    """Return the mean guesses of the casual player, by drawing anew in proportion at every turn."""
    game, rng, total = sleuth.wordle(words), np.random.default_rng(seed), 0
    rate = dict(zip(words, rates, strict=True))
    for _ in range(games):
        left = list(game.answers)
        while True:
            weights = np.array([rate[word] for word in left])
            guess = left[rng.choice(len(left), p=weights / weights.sum())]
            total += 1
            if guess == answer:
                break
            code = game.rules.code(guess, answer)
            left = [word for word in left if game.rules.code(guess, word) == code]
    return total / games


@pytest.mark.parametrize(
    ("word", "games", "error"),
    [
        ("night", 600, 0.25),
        *(pytest.param(word, 4000, 0.1, marks=pytest.mark.thorough) for word in ("night", "crane", "audio")),
    ],
)
def test_the_casual_player_draws_what_fits_in_proportion_to_its_weight(
    word: str, games: int, error: float
) -> None:
    words = sorted(WORDS)
    game = sleuth.wordle(words)
    frequency = np.arange(1.0, len(words) + 1) ** 2
    played = casual(game, frequency, games=games, seed=1)
    expected = plain_casual(words, np.sqrt(frequency).tolist(), word, games, 2)
    assert played.guesses[game.find(word)] == pytest.approx(expected, abs=error)


def test_lists_that_differ_in_a_word_are_compared_by_the_same_games() -> None:
    """A word that is added changes only games in which it comes to mind."""
    fewer, more = sleuth.wordle(WORDS), sleuth.wordle([*WORDS, "zzzzz"])
    one = casual(fewer, np.ones(len(WORDS)), games=30)
    other = casual(more, np.array([1e-12 if word == "zzzzz" else 1 for word in more.guesses]), games=30)
    kept = [more.answers.index(word) for word in fewer.answers]
    assert np.array_equal(one.shares, other.shares[kept, : one.shares.shape[1]])
    assert not other.shares[kept, one.shares.shape[1] :].any()


def test_numbers_of_a_player() -> None:
    played = Played.of("x", "x", np.array([[1, 3], [2, 2]]))
    assert played.guesses.tolist() == [2, 2]
    assert played.lost(2).tolist() == [0.5, 0]
    prior = np.array([0.5, 0.5])
    assert played.histogram(prior).tolist() == [0.25, 0.5, 0.25]
    assert [played.turns_for(share, prior) for share in (0.25, 0.75, 0.76, 1)] == [1, 2, 3, 3]


def test_families_are_all_words_alike_but_for_a_letter() -> None:
    words = ["".join(letters) for letters in product("ab", repeat=3)] + ["aac", "aad"]
    expected = {}
    for place in range(3):
        for word in words:
            alike = {w for w in words if w[:place] + w[place + 1 :] == word[:place] + word[place + 1 :]}
            if len(alike) >= 2:
                expected[word[:place] + "_" + word[place + 1 :]] = tuple(sorted(alike))
    assert {family.pattern: family.words for family in families(words, 2)} == expected
    assert [family.label for family in families(words)] == ["aa-"]


def test_players_stand_in_the_order_of_their_strength(found: sleuth.Difficulty) -> None:
    assert [player.name for player in found.players] == ["best", "information-gain", "casual"]
    best, rule, person = (found.mean(player) for player in found.players)
    assert best <= rule <= person
    assert best == pytest.approx(sleuth.prove(sleuth.wordle(WORDS)).mean)
    assert found.openers[0].expected_guesses == pytest.approx(best)
    assert found.best.proved
    assert found.families[0].words == tuple(sorted(LIGHT))


def test_unfair_words_say_why() -> None:
    game = sleuth.wordle(LIGHT, max_turns=2)
    found = sleuth.difficulty(game, language="en", games=50)
    lost = found.weakest.lost(2)
    often = {word: share for word, share in zip(game.answers, lost.tolist(), strict=True) if share > UNFAIR}
    never = {w for w, share in zip(game.answers, found.best.lost(2).tolist(), strict=True) if share}
    assert {one.word for one in found.unfair} == {*often, *never} != set()
    assert [one.lost for one in found.unfair] == sorted((one.lost for one in found.unfair), reverse=True)
    assert all("one of 8 like -ight" in one.reasons for one in found.unfair)


def test_rows_and_json_agree(found: sleuth.Difficulty) -> None:
    told = json.loads(json.dumps(found.to_json()))
    assert [row["answer"] for row in told["answers"]] == list(found.game.answers)
    assert told["answers"] == json.loads(json.dumps(found.to_records()))
    for player in told["players"]:
        mean = np.mean([row[f"{player['player']} guesses"] for row in told["answers"]])
        assert mean == pytest.approx(player["mean"], abs=1e-3)
        assert sum(player["histogram"].values()) == pytest.approx(1)


def test_any_game_is_measured_and_odd_input_is_a_line() -> None:
    pegs = sleuth.difficulty(sleuth.mastermind(2, 3), games=5)
    assert (pegs.families, pegs.language, len(pegs.players)) == ((), "", 3)
    questions = sleuth.Game.from_function(lambda q, a: q in a, ["ab", "ac", "bc"], ["a", "b"])
    assert [player.name for player in sleuth.difficulty(questions, seconds=0).players] == [
        "best",
        "information-gain",
    ]
    for wrong in ({"seconds": -1}, {"games": 0}, {"language": "xx"}):
        with pytest.raises(SleuthError):
            sleuth.difficulty(WORDS, **wrong)
    with pytest.raises(WordListError):
        sleuth.difficulty(["one", "four"])


def test_words_that_several_languages_know_are_of_the_one_that_writes_them_most() -> None:
    """German lists know the commonest English words as well."""
    words = sleuth.wordle("original:12").answers
    assert all(frequencies.of_words(words, "de"))
    assert sleuth.difficulty(words, games=10, seconds=0).language == "en"


def test_a_change_stands_side_by_side(found: sleuth.Difficulty) -> None:
    after = sleuth.difficulty([*WORDS[1:], "wight"], language="en", games=50)
    change = sleuth.Change(found, after)
    assert (change.added, change.removed) == (["wight"], ["light"])
    rows = {row["measure"]: (row["before"], row["after"]) for row in change.to_records()}
    assert rows["answers"] == (13, 13)
    assert rows["best play: mean"] == (found.mean(found.best), after.mean(after.best))
    assert {word for word, _, _ in change.moved(99)} == set(WORDS[1:])
    assert set(change.to_json()) == {"added", "removed", "measures", "moved", "before", "after"}


def test_the_command_prints_and_writes(run: Run, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("\n".join(WORDS), encoding="utf-8")
    listed, table, html = (str(tmp_path / name) for name in ("list.txt", "rows.csv", "report.html"))
    code, out, err = run("difficulty", listed, "--csv", table, "--html", html)
    assert (code, err) == (0, "")
    assert "casual player" in out
    assert "1 group of 4 words or more that differ in one letter: -ight 8" in out
    with Path(table).open(encoding="utf-8", newline="") as file:
        assert [row["answer"] for row in csv.DictReader(file)] == sorted(WORDS)
    text = Path(html).read_text(encoding="utf-8")
    assert text.count("<svg") == 1
    assert "http" not in text.replace("http://www.w3.org", "").replace("http://purl.org", "").replace(
        "http://creativecommons.org", ""
    ).replace("https://matplotlib.org", "")


def test_the_command_compares_lists(run: Run, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("\n".join(WORDS), encoding="utf-8")
    listed = str(tmp_path / "list.txt")
    found = json_of(run("difficulty", listed, "--add", "wight", "--remove", "light", "--json"))
    assert (found["added"], found["removed"]) == (["wight"], ["light"])
    assert "before" in run("difficulty", listed, "--add", "wight")[1]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("LIST", "--add", "crane"), "crane cannot be added: it is an answer already"),
        (("LIST", "--remove", "zebra"), "zebra cannot be removed: it is no answer"),
        (("LIST", "--words", "nyt"), "give LIST, or --words, or --answers"),
        (("LIST", "--html", "report.txt"), "cannot write report.txt: a report ends in .html"),
        (
            ("--game", "mastermind", "--add", "1"),
            "--add and --remove go with words, not with mastermind",
        ),
        (("nothing",), "unknown word list 'nothing'"),
        (("nothing.txt",), "nothing.txt cannot be read (No such file or directory)"),
    ],
)
def test_wrong_calls_are_a_line(run: Run, tmp_path: Path, args: tuple[str, ...], said: str) -> None:
    (tmp_path / "list.txt").write_text("\n".join(WORDS), encoding="utf-8")
    given = [str(tmp_path / "list.txt") if arg == "LIST" else arg for arg in args]
    code, out, err = run("difficulty", *given)
    line, *more = err.splitlines()
    assert (code, out, more) == (2, "", [])
    assert line.startswith(f"sleuth: {said}")


def test_words_on_a_page_are_text() -> None:
    """A list is made by people, and so is what a page shows of it."""
    game = sleuth.Game.from_function(lambda g, a: g == a, ["<b>", "&", "c"])
    text = page(sleuth.difficulty(game, games=5))
    assert "<b>" not in text
    assert "&lt;b&gt;" in text


def test_an_adversary_is_asked_for() -> None:
    found = sleuth.difficulty(sleuth.mastermind(2, 3), games=5, adversary=True)
    assert found.adversary is not None
    assert sum(row["adversary"] for row in found.to_records()) == pytest.approx(1)
    assert "An adversary" in page(found)


def test_a_sample_says_what_the_casual_player_knows_of_it() -> None:
    words = ["light", "might", "night", "right", "sight", "crane"]
    drawn = about(sleuth.difficulty(words, language="en", games=10, sample=3))
    assert "3 answers drawn from 6" in drawn
    assert "Of the answers it knows those drawn alone" in drawn
    assert "alone" not in about(sleuth.difficulty(words, language="en", games=10))
