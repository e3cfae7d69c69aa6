"""Words of thirteen letters from the file to the proof, at the command line."""

from pathlib import Path

import pytest
from command_line import Run, json_of
from long_words import some_words

import sleuth
from sleuth.games.feedback import typed
from sleuth.games.game import Mode


@pytest.fixture
def path(run: Run, tmp_path: Path) -> str:
    """Return a list that `sleuth words` made of a dictionary of several lengths."""
    source, made = tmp_path / "dictionary.txt", tmp_path / "words.txt"
    words = [*some_words(80, 13), *some_words(5, 16), *some_words(5, 6)]
    source.write_text("\n".join(word.capitalize() for word in words), encoding="utf-8")
    assert run("words", str(source), "--length", "13", "--out", str(made))[0] == 0
    assert made.read_text(encoding="utf-8").split() == some_words(80, 13)
    return str(made)


@pytest.mark.parametrize("mode", ["easy", "hard", "strict"])
def test_advice_and_reviews(run: Run, path: str, mode: Mode) -> None:
    game = sleuth.wordle(some_words(80, 13), mode=mode)
    first, answer = game.guesses[3], game.answers[50]
    shown = typed(game.rules.notation, game.rules.code(first, answer))
    options = "--answers", path, "--mode", mode
    position = sleuth.Position.after_rows(game, [(first, shown)])
    found = json_of(run("suggest", *options, "--after", f"{first}:{shown}", "--json"))
    assert found["words"] == list(position.words)
    best = sleuth.make("exact").rank(position, 1)[0]
    assert found["guesses"][0]["expected_guesses"] == pytest.approx(best.expected_guesses)
    ranked = json_of(run("rank", "information-gain", *options, "--after", f"{first}:{shown}", "--json"))
    assert ranked["guesses"][0]["guess"] == sleuth.make("information-gain").rank(position, 1)[0].guess
    review = json_of(run("review", first, answer, "--answer", answer, *options, "--json"))
    assert [move["feedback"] for move in review["moves"]] == [shown, "g" * 13]


def test_evaluations_and_proofs(run: Run, path: str) -> None:
    game = sleuth.wordle(some_words(80, 13))
    found = json_of(run("evaluate", "expected-guesses", "--answers", path, "--json"))
    assert found["total"] == sleuth.evaluate("expected-guesses", game).report.total
    proof = json_of(run("prove", "--answers", path, "--json"))
    assert proof["total"] == sleuth.prove(game).total <= found["total"]
    hard = json_of(run("difficulty", path, "--json"))
    assert [row["answer"] for row in hard["answers"]] == list(game.answers)
    assert {row["best guesses"] for row in hard["answers"]} <= {1.0, 2.0, 3.0}


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("suggest --after {0}:bbbbb", "has 5 marks; it takes 13 marks"),
        ("suggest --after {0}:yyyyyyyyyyyyy", "no possible answer gives YYYYYYYYYYYYY for"),
        (
            "prove --certificate there.npz",
            "such as words of up to 10 letters, and wordle (words.txt) has 1,594,323",
        ),
        ("rank most-hints", "most-hints counts greens and yellows in words of up to 10 letters"),
        ("play --host fibble", "hosts that lie play games of 65,536 kinds of feedback at most"),
    ],
)
def test_mistakes_and_what_is_refused(run: Run, path: str, command: str, said: str) -> None:
    word = some_words(80, 13)[0]
    code, out, err = run(*command.format(word).split(), "--answers", path)
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert said in err


def test_words_of_sixteen_letters_are_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("\n".join(some_words(5, 16)), encoding="utf-8")
    code, _, err = run("suggest", "--answers", str(path))
    assert (code, err.count("\n")) == (2, 1), err
    assert "has 16 letters; words have 2 to 15" in err
