"""The lists of word frequencies that ship with Sleuth."""

import json
import re
import runpy
import sys
from collections import defaultdict
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleuth.games import frequencies, wordlists
from sleuth.games.frequencies import (
    COUNT,
    LANGUAGES,
    LONGEST,
    most_frequent,
    of_words,
    packed,
    shipped,
    unpacked,
)

HERE = Path(__file__).parents[2]

MOSTLY_THOROUGH = [
    pytest.param(name, marks=() if name == "pl" else pytest.mark.thorough) for name in LANGUAGES
]
letters = st.characters(categories=["L", "M"])


@given(st.dictionaries(st.text(letters, min_size=1, max_size=10), st.integers(0, 65535)))
def test_what_is_packed_comes_back(centibels: dict[str, int]) -> None:
    found = unpacked(packed(centibels))
    assert found == centibels
    assert list(found) == sorted(centibels)


@pytest.mark.parametrize("language", MOSTLY_THOROUGH)
def test_shipped_words_are_words(language: str) -> None:
    words = shipped(language)
    assert all(wordlists.is_word(word) and wordlists.canonical(word) == word for word in words)
    assert {len(word) for word in words} == {*range(wordlists.SHORTEST, LONGEST + 1)}


@pytest.mark.thorough
@pytest.mark.parametrize("language", LANGUAGES)
def test_shipped_lists_are_those_of_wordfreq(language: str) -> None:
    wordfreq = pytest.importorskip("wordfreq")
    ranked: defaultdict[int, dict[str, None]] = defaultdict(dict)
    for word in map(wordlists.canonical, wordfreq.iter_wordlist(language, wordlist="large")):
        if wordlists.is_word(word):
            ranked[len(word)][word] = None
    for length in range(wordlists.SHORTEST, LONGEST + 1):
        words = most_frequent(language, length)
        assert words == list(ranked[length])[:COUNT]
        known = [wordfreq.word_frequency(word, language) for word in words]
        assert of_words(words, language) == known


@pytest.mark.parametrize("name", wordlists.NAMED)
def test_frequencies_of_the_word_lists_are_those_of_wordfreq(name: str) -> None:
    wordfreq = pytest.importorskip("wordfreq")
    words = wordlists.load(name).guesses
    assert of_words(words, "en") == [wordfreq.word_frequency(word, "en") for word in words]


@pytest.mark.thorough
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_script_makes_what_ships(language: str) -> None:
    pytest.importorskip("wordfreq")
    script = HERE / "benchmarks" / "ship_frequencies.py"
    assert runpy.run_path(str(script))["chosen"](language) == shipped(language)


def test_the_page_offers_what_ships() -> None:
    script = files("sleuth.web").joinpath("static", "js", "games.js").read_text(encoding="utf-8")
    [block] = re.findall(r"const LANGUAGES = \{(.*?)\}", script, re.DOTALL)
    assert dict(re.findall(r'(\w+): "(\w+)"', block)) == LANGUAGES
    lengths, counts = (
        json.loads(numbers)
        for numbers in re.findall(r"(\[[\d, ]+\])\.map\(\(n\) => \[n, (?:String|whole)\(n\)\]\)", script)[:2]
    )
    assert (lengths, counts) == ([3, 4, 5, 6, 7, 8, 9], [500, 1000, 2000, 3000, 5000])
    assert max(counts) <= COUNT


@pytest.mark.parametrize("language", MOSTLY_THOROUGH)
def test_what_ships_has_as_many_words_of_each_length(language: str) -> None:
    for length in range(3, 10):  # those that the page offers
        assert len(most_frequent(language, length)) == COUNT


@pytest.mark.thorough
def test_languages_are_those_that_work(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("wordfreq")
    assert {"da", "ja", *LANGUAGES} <= set(frequencies.languages())
    for language in frequencies.languages():
        assert len(wordlists.load(f"frequent:{language}:2:10").answers) == 10
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    assert frequencies.languages() == tuple(LANGUAGES)


def test_sources_and_licence_are_named() -> None:
    notice = files("sleuth.games").joinpath("data", "frequencies", "NOTICE.md").read_text(encoding="utf-8")
    for name in (
        "Copyright 2022 Robyn Speer",
        "https://creativecommons.org/licenses/by-sa/4.0/",
        "http://books.google.com/ngrams",
        "http://corpus.leeds.ac.uk/list.html",
        "http://www.wikipedia.org",
        "https://paracrawl.eu",
        "http://www.opensubtitles.org/",
        "SUBTLEX-US, SUBTLEX-UK, SUBTLEX-CH, SUBTLEX-DE and SUBTLEX-NL",
        "SUBTLEX is freely available data",
    ):
        assert name in notice
    assert all(name in notice for name in LANGUAGES.values())
