"""Priors: weights over the answers."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleuth.games import frequencies, priors
from sleuth.games.wordlists import load
from sleuth.support.errors import WordListError

WORDS = ("adieu", "crane", "slate")

Save = Callable[[str | bytes], Path]


@pytest.fixture
def save(tmp_path: Path) -> Save:
    """Write a file of weights and return its path."""

    def write(content: str | bytes) -> Path:
        path = tmp_path / "weights.txt"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


@pytest.mark.parametrize("n", [1, 3, 2315])
def test_uniform(n: int) -> None:
    prior = priors.uniform(n)
    assert prior.dtype == np.float64
    assert prior.shape == (n,)
    assert prior.sum() == pytest.approx(1)
    assert (prior == 1 / n).all()


@pytest.mark.parametrize("n", [0, -1])
def test_uniform_of_nothing(n: int) -> None:
    with pytest.raises(WordListError, match=f"a prior needs at least one answer, not {n}"):
        priors.uniform(n)


def test_normalise() -> None:
    weights = np.array([1, 0, 3])
    prior = priors.normalise(weights, 3)
    assert prior.dtype == np.float64
    assert prior.tolist() == [0.25, 0, 0.75]
    assert weights.tolist() == [1, 0, 3]
    given_floats = np.array([0.5, 0.5])
    assert not np.shares_memory(priors.normalise(given_floats, 2), given_floats)


@given(st.lists(st.floats(0, allow_infinity=False), min_size=1, max_size=50).filter(any))
def test_normalise_any_weights(weights: list[float]) -> None:
    prior = priors.normalise(weights, len(weights))
    assert np.isfinite(prior).all()
    assert (prior >= 0).all()
    assert prior.sum() == pytest.approx(1)
    assert (np.diff(prior[np.argsort(weights)]) >= 0).all()


@given(st.floats(0, exclude_min=True, allow_infinity=False), st.integers(1, 500))
def test_equal_weights_are_uniform(weight: float, n: int) -> None:
    assert (priors.normalise([weight] * n, n) == priors.uniform(n)).all()


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 2], "weights must be 3 numbers, one for each answer, not 2$"),
        ([], "must be 3 numbers, one for each answer, not 0$"),
        (1.0, "not a single number"),
        ([[1, 2, 3]], "not 1 by 3"),
        (["a", "b", "c"], "weights must be 3 numbers, one for each answer$"),
        ([1, None, [2]], "weights must be 3 numbers"),
        ([10**400, 1, 1], "weights must be 3 numbers"),
        ([1, -1, 1], "weight 2 is -1.0; weights are finite and not negative"),
        ([1, 1, float("nan")], "weight 3 is nan"),
        ([float("inf"), 1, 1], "weight 1 is inf"),
        ([0, 0, 0], "all weights are zero; at least one must be positive"),
    ],
)
def test_bad_weights(weights: Any, message: str) -> None:
    with pytest.raises(WordListError, match=message):
        priors.normalise(weights, 3)


@pytest.mark.parametrize(
    "content",
    [
        "adieu 1\ncrane 2\nslate 1\n",
        "# weights\n\nslate\t1\nCRANE\t2e0\n  adieu\t1.0",
        "\ufeffcrane,2\r\nslate, 1\r\nadieu ,1\r\n",
    ],
)
def test_read_weights(save: Save, content: str) -> None:
    assert priors.read_weights(save(content), WORDS).tolist() == [0.25, 0.5, 0.25]


def test_read_weights_of_unicode_words(save: Save) -> None:
    prior = priors.read_weights(save("E\u0301CLAIR 3\nstraße 1\n"), ("straße", "éclair"))
    assert prior.tolist() == [0.25, 0.75]


def test_read_weights_of_answers_as_they_are_written(save: Save) -> None:
    """Answers of games that are not about words keep their capitals."""
    prior = priors.read_weights(save("Rome 3\nParis 1\n"), ("Paris", "Rome"))
    assert prior.tolist() == [0.25, 0.75]
    assert priors.read_weights(save("Rome 3\nROME 1\n"), ("ROME", "Rome")).tolist() == [0.25, 0.75]


def test_a_weight_of_zero_rules_out(save: Save) -> None:
    assert priors.read_weights(save("adieu 0\ncrane 1\nslate 0\n"), WORDS).tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("crane 1\nraise 1\n", r"weights\.txt, line 2: 'raise' is not among the answers"),
        ("crane 1\n\ncrane 2\n", r"weights\.txt, line 3: 'crane' has a weight on line 1 already"),
        ("crane -1\n", "line 1: the weight -1 cannot be used; weights are finite and not negative"),
        ("crane nan\n", "line 1: the weight nan cannot be used"),
        ("crane inf\n", "line 1: the weight inf cannot be used"),
        ("crane 1e999\n", "line 1: the weight 1e999 cannot be used"),
        ("# w\ncrane much\n", "line 2: 'much' is not a number"),
        ("crane\n", "line 1: 'crane' is not a word and its weight, such as 'crane 0.5'"),
        ("crane 0,5\n", "line 1: 'crane 0,5' is not a word and its weight"),
        ("adieu 0\ncrane 0\nslate 0\n", r"weights\.txt: all weights are zero; at least one must be"),
        ("adieu 1\ncrane 1\n", r"weights\.txt: 1 answer has no weight: slate; give each one, 0 rules it out"),
        ("", "3 answers have no weight: adieu, crane, slate; give"),
        (b"crane \xff\n", "line 1: not UTF-8"),
    ],
)
def test_bad_files_of_weights(save: Save, content: str | bytes, message: str) -> None:
    with pytest.raises(WordListError, match=message) as caught:
        priors.read_weights(save(content), WORDS)
    assert "\n" not in str(caught.value)


def test_many_answers_without_weight(save: Save) -> None:
    with pytest.raises(WordListError, match="6 answers have no weight: aa, bb, cc, dd, ee, …; give"):
        priors.read_weights(save("gg 1\n"), ("aa", "bb", "cc", "dd", "ee", "ff", "gg"))


def test_read_weights_without_a_file(tmp_path: Path) -> None:
    with pytest.raises(WordListError, match=r"none\.txt cannot be read \(No such file"):
        priors.read_weights(tmp_path / "none.txt", WORDS)


def test_by_frequency() -> None:
    wordfreq = pytest.importorskip("wordfreq")
    words = ("about", "crane", "zzxqj", "qzzxk")
    prior = priors.by_frequency(words)
    about, crane = (wordfreq.word_frequency(word, "en") for word in words[:2])
    # Words that wordfreq does not know are as likely as the rarest that it does.
    assert prior == pytest.approx(np.array([about, crane, crane, crane]) / (about + 3 * crane))
    assert prior[2] == prior[1]


def test_by_frequency_in_a_language_without_a_large_list() -> None:
    pytest.importorskip("wordfreq")
    prior = priors.by_frequency(("tænke", "hygge"), "da")
    assert prior.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("language", "words"), [("en", load("nyt").guesses), ("de", load("frequent:de:7:5000").answers)]
)
def test_by_frequency_is_the_same_without_wordfreq(
    language: str, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    wordfreq = pytest.importorskip("wordfreq")
    found = np.array([wordfreq.word_frequency(word, language) for word in words])
    expected = priors.normalise(np.where(found > 0, found, found[found > 0].min()), len(words))
    assert (priors.by_frequency(words, language) == expected).all()
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    assert (priors.by_frequency(words, language) == expected).all()


def test_by_frequency_folds_case_as_wordfreq_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    assert priors.by_frequency(("groß", "klein"), "de")[0] == pytest.approx(
        priors.by_frequency(("gross", "klein"), "de")[0]
    )


def test_words_beyond_the_shipped_list_are_as_rare_as_its_rarest() -> None:
    first, *_, last = frequencies.most_frequent("de", 6)
    prior = priors.by_frequency((first, last, "xyzxyz"), "de")
    assert prior[0] > prior[1] == prior[2]


def test_by_frequency_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(WordListError, match="none of the 2 words has a known frequency in language 'en'"):
        priors.by_frequency(("zzxqj", "qzzxk"))
    wordfreq = pytest.importorskip("wordfreq")
    with pytest.raises(WordListError, match="none of the 2 words has a known frequency in language 'da'"):
        priors.by_frequency(("zzxqj", "qzzxk"), "da")
    with pytest.raises(WordListError, match="no word frequencies for language 'xx'; there are ar, "):
        priors.by_frequency(WORDS, "xx")

    def without_tokenizer(*_: object, **__: object) -> float:
        raise ModuleNotFoundError("No module named 'MeCab'")

    monkeypatch.setattr(wordfreq, "word_frequency", without_tokenizer)
    with pytest.raises(WordListError, match=r"'ja' need more packages: pip install 'wordfreq\[cjk\]'"):
        priors.by_frequency(WORDS, "ja")
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    with pytest.raises(WordListError, match=r"pip install -c constraints.txt '\.\[languages\]'"):
        priors.by_frequency(WORDS, "da")


def test_load_by_name() -> None:
    assert (priors.load("uniform", WORDS) == priors.uniform(3)).all()


def test_load_frequency() -> None:
    pytest.importorskip("wordfreq")
    english, french = priors.by_frequency(WORDS), priors.by_frequency(WORDS, "fr")
    assert (english != french).any()
    assert (priors.load("frequency", WORDS) == english).all()
    assert (priors.load("frequency", WORDS, "fr") == french).all()
    assert (priors.load("frequency:fr", WORDS) == french).all()
    with pytest.raises(WordListError, match="no word frequencies for language ''"):
        priors.load("frequency:", WORDS)


def test_load_a_file(save: Save) -> None:
    path = save("adieu 1\ncrane 2\nslate 1\n")
    assert priors.load(str(path), WORDS).tolist() == [0.25, 0.5, 0.25]


@pytest.mark.parametrize("spec", ["uniformly", "", "no/such/file", "a\0b", "x" * 5000])
def test_load_neither_name_nor_file(spec: str) -> None:
    message = "there is no such file; the names are uniform, frequency and frequency:LANG"
    with pytest.raises(WordListError, match=message):
        priors.load(spec, WORDS)


def test_load_a_directory(tmp_path: Path) -> None:
    with pytest.raises(WordListError, match=r"cannot be read \(Is a directory\)"):
        priors.load(str(tmp_path), WORDS)
