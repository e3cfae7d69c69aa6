"""Lists made ready: what becomes of words, each said; and what a refused list is mended by."""

import re
from pathlib import Path
from typing import Any

import pytest
from command_line import Run, json_of
from hypothesis import given
from hypothesis import strategies as st

from sleuth.games import wordlists
from sleuth.games.preparing import DIGRAPHS, Preparation, letters_of, prepare, read_text
from sleuth.support.errors import SleuthError, WordListError


def told(lines: list[str], **how: Any) -> tuple[tuple[str, ...], dict[str, int]]:
    """Return the words made ready, and how many words each step was about."""
    made = prepare(lines, Preparation(**how))
    return made.words, {step.what: step.count for step in made.steps}


@pytest.mark.parametrize(
    ("lines", "how", "words", "steps"),
    [
        (["Crane", "slate", "crane"], {}, ("crane", "slate"), {"there twice, kept once": 1}),
        (["slate", "cat"], {"length": 3}, ("cat",), {"left out, not of 3 letters": 1}),
        (
            ["# dictionary", "", "3", "crane/SM", "slate\t120", "trace,9"],
            {},
            ("crane", "slate", "trace"),
            None,
        ),
        (["don't", "crane"], {}, ("crane",), {"left out, with an apostrophe or hyphen": 1}),
        (
            ["can’t", "co-op"],
            {"apostrophes": "remove"},
            ("cant", "coop"),
            {"apostrophes and hyphens removed": 2},
        ),
        (["Paris", "crane"], {"capitals": "skip"}, ("crane",), {"left out, capitalised": 1}),
        (
            ["éclat", "eclat"],
            {"accents": "fold"},
            ("eclat",),
            {"accents folded": 1, "there twice, kept once": 1},
        ),
        (["Straße", "łódź"], {"accents": "fold", "length": 4}, ("lodz",), None),
        (["straße"], {"accents": "fold"}, ("strasse",), {"accents folded": 1}),
        (["é́clat"], {}, ("é́clat",), None),
        (["e\u0301clat"], {}, ("éclat",), {}),
        (["bijna", "ijzer"], {"letters": (("ij", "ĳ"),)}, ("bĳna", "ĳzer"), {"ij made ĳ": 2}),
        (["ärger"], {"letters": (("ä", "ae"),)}, ("aerger",), {"ä made ae": 1}),
        (["किताब"], {"accents": "fold"}, ("किताब",), {}),
    ],
)
def test_what_becomes_of_words_is_said(
    lines: list[str], how: dict[str, Any], words: tuple[str, ...], steps: dict[str, int] | None
) -> None:
    made, said = told(lines, **how)
    assert made == words
    assert steps is None or said == steps


@given(st.lists(st.text(max_size=12), max_size=30), st.sampled_from(["keep", "fold"]), st.booleans())
def test_what_is_ready_can_be_played(lines: list[str], accents: str, remove: bool) -> None:
    how: dict[str, Any] = {"accents": accents, "apostrophes": "remove" if remove else "skip"}
    try:
        made = prepare(lines, Preparation(length=5, **how))
    except WordListError:
        return
    assert wordlists.from_words(made.words).answers == made.words


def test_digraphs_have_letters_that_words_are_made_of() -> None:
    for old, new in DIGRAPHS.items():
        assert letters_of(old) == (old, new)
        assert len(new) == 1
        assert wordlists.canonical(new) == new
        assert wordlists.is_word(new)
    assert letters_of("ch=ƈ") == ("ch", "ƈ")
    assert prepare(["llama"], Preparation(letters=(letters_of("ll"),))).words == ("ỻama",)


@pytest.mark.parametrize(
    ("content", "read_in"),
    [("naïve", "utf-8"), ("naïve", "utf-8-sig"), ("naïve", "utf-16"), ("naïve", "cp1252")],
)
def test_encodings_are_found(tmp_path: Path, content: str, read_in: str) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes(content.encode(read_in))
    assert read_text(path) == (content, read_in.removesuffix("-sig"))


def test_an_encoding_is_asked_for_and_held_to(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes("žena".encode("cp1250"))
    assert read_text(path, "cp1250") == ("žena", "cp1250")
    path.write_bytes(b"a\x81\xff")
    for encoding, said in (
        (None, "is neither UTF-8 nor cp1252"),
        ("utf-8", "is not in the encoding utf-8"),
        ("nothing", "unknown encoding 'nothing'"),
    ):
        with pytest.raises(WordListError, match=said):
            read_text(path, encoding)
    with pytest.raises(WordListError, match="cannot be read"):
        read_text(tmp_path / "none.txt")


@pytest.mark.parametrize(
    ("lines", "how", "said"),
    [
        ([], {}, "there is no word of letters only"),
        (["cat", "crane"], {}, "the words have several lengths: 1 of 3, 1 of 5 letters; pick one"),
        (["cat"], {"length": 5}, "no word has 5 letters; there are 1 of 3"),
        (["cat"], {"length": 16}, "words have 2 to 15 letters, not 16"),
        (["a"], {}, "words have 2 to 15 letters, not 1"),
        (["cat"], {"accents": "drop"}, "unknown way with accents 'drop'"),
        (["cat"], {"letters": (("", "a"),)}, "'' cannot become 'a'"),
    ],
)
def test_what_cannot_be_made_ready_is_a_line(lines: list[str], how: dict[str, Any], said: str) -> None:
    with pytest.raises(SleuthError, match=said):
        prepare(lines, Preparation(**how))
    with pytest.raises(SleuthError, match="no digraph that has a letter of its own: those are dz"):
        letters_of("ch")


def test_the_command_writes_a_list_that_is_read(run: Run, tmp_path: Path) -> None:
    source, made = tmp_path / "dictionary.txt", tmp_path / "list.txt"
    source.write_bytes("Éclat\nnaïve\nnaive\ndon't\ncat\ncrane\n".encode("cp1252"))
    code, out, err = run("words", str(source), "--length", "5", "--accents", "fold", "--out", str(made))
    assert (code, out) == (0, f"list written to {made}\n")
    assert err.splitlines() == [
        "read as cp1252, written as utf-8",
        "left out, with an apostrophe or hyphen: 1 word (don't)",
        "accents folded: 2 words (éclat, naïve)",
        "there twice, kept once: 1 word (naive)",
        "left out, not of 5 letters: 1 word (cat)",
        "3 words of 5 letters",
    ]
    assert wordlists.read(made).answers == ("crane", "eclat", "naive")
    assert run("words", str(source), "--length", "3")[1] == "cat\n"
    found = json_of(run("words", str(source), "--length", "3", "--json"))
    assert (found["words"], found["encoding"], found["lengths"]) == (["cat"], "cp1252", {"3": 1, "5": 4})


@pytest.mark.parametrize(
    ("content", "options"),
    [
        (b"crane\nslat\xe9\n", ()),
        (b"crane\nslate\ndon't\n", ()),
        (b"crane\nslate\ncat\n", ("--length", "5")),
        (b"crane\nslate\ncrane\n", ()),
    ],
)
def test_a_refused_list_says_what_mends_it(
    run: Run, tmp_path: Path, content: bytes, options: tuple[str, ...]
) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes(content)
    with pytest.raises(WordListError) as refused:
        wordlists.read(path)
    assert re.search(rf"\(sleuth words {re.escape(' '.join([str(path), *options]))} ", str(refused.value))
    assert "sleuth words" not in refused.value.for_visitors
    code, _, err = run("words", str(path), *options, "--out", str(path))
    assert code == 0, err
    assert "crane" in wordlists.read(path).answers


def test_words_that_are_no_file_name_no_command() -> None:
    with pytest.raises(WordListError) as refused:
        wordlists.from_words(["crane", "cat"])
    assert "sleuth words" not in str(refused.value)
