"""Word lists: the shipped files, files and words of a person's own, and frequent words."""

import hashlib
import subprocess
import sys
import unicodedata
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleuth.games import wordlists
from sleuth.games.wordlists import WordList, from_words, load, read
from sleuth.support.errors import UnknownNameError, WordListError

SHIPPED = {
    "original-answers.txt": (2315, "f40e47975cf360ff9febe7d49c8e285054d8fa3fb9644cea575922060951d6ee"),
    "original-guesses.txt": (12972, "fb66d9b47e0dad70e7c6c886cf76a6f453af3aa75003dcfa129c8326938e7c66"),
    "nyt-2022-answers.txt": (2309, "c495f6cbc36475358a89e30ac16bd5c0c05073c8c7647bb6c35dd01f7bae6e32"),
    "nyt-answers.txt": (3158, "3e443482b78dee0f6f8de4f74dbb67537db781524279b1d40ca3353c592b03ce"),
    "nyt-guesses.txt": (14855, "ba86911aea83d038d53c0999fe6cbe310c8f59d2b79626c73bd0cd0773adc320"),
}

Save = Callable[[str | bytes], Path]


@pytest.fixture
def save(tmp_path: Path) -> Save:
    """Write a file and return its path."""

    def write(content: str | bytes, name: str = "words.txt") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


@pytest.mark.parametrize("file", SHIPPED)
def test_shipped_files_are_the_published_ones(file: str) -> None:
    data = files("sleuth.games").joinpath("data", file).read_bytes()
    words = data.decode("ascii").split("\n")[:-1]
    count, digest = SHIPPED[file]
    assert hashlib.sha256(data).hexdigest() == digest
    assert len(words) == len(set(words)) == count
    assert all(len(word) == 5 and word.isalpha() and word.islower() for word in words)


@pytest.mark.smoke
def test_shipped_digests_are_in_the_readme() -> None:
    readme = files("sleuth.games").joinpath("data", "README.md").read_text(encoding="utf-8")
    for file, (count, digest) in SHIPPED.items():
        assert any(f"`{file}` | {count} |" in line and digest in line for line in readme.splitlines())


@pytest.mark.parametrize(
    ("name", "answers", "guesses"),
    [
        ("original", 2315, 12972),
        ("original-guesses", 12972, 12972),
        ("nyt", 3158, 14855),
        ("nyt-2022-03", 2309, 12972),
        ("nyt-2022-08", 2309, 14855),
        ("nyt-guesses", 14855, 14855),
    ],
)
def test_named_lists(name: str, answers: int, guesses: int) -> None:
    words = load(name)
    assert (words.name, len(words.answers), len(words.guesses), words.length) == (name, answers, guesses, 5)
    assert words.notes == ()
    assert words.answers == tuple(sorted(set(words.answers)))
    assert words.guesses == tuple(sorted(set(words.guesses)))
    assert set(words.answers) <= set(words.guesses)
    # The fast way from a shipped file gives what the checked one does.
    assert from_words(words.answers, words.guesses, name) == words
    assert str(answers) in wordlists.NAMED[name]
    assert str(guesses) in wordlists.NAMED[name]


def test_how_the_named_lists_lie_in_each_other() -> None:
    original, nyt = load("original"), load("nyt")
    assert set(original.guesses) <= set(nyt.guesses)
    assert len(set(original.answers) - set(nyt.answers)) == 13
    removed = {"agora", "fibre", "lynch", "pupal", "slave", "wench"}
    assert set(original.answers) - set(load("nyt-2022-08").answers) == removed


@pytest.mark.smoke
def test_every_name_loads() -> None:
    assert [load(name).name for name in wordlists.NAMED] == list(wordlists.NAMED)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("orignal", "unknown word list 'orignal': did you mean original or original-guesses\\?"),
        (
            "",
            "there are .*LIST:COUNT, frequent:LANG:LENGTH:COUNT, nyt, nyt-2022-03, nyt-2022-08, nyt-guesses,"
            " original, original-gu",
        ),
        ("Original", "did you mean original\\?"),
    ],
)
def test_unknown_names(name: str, message: str) -> None:
    with pytest.raises(UnknownNameError, match=message):
        load(name)


def test_import_is_light() -> None:
    code = (
        f"import sys; sys.path[:] = {sys.path!r}; import sleuth.games.priors;"
        "from sleuth.games.wordlists import load; load('frequent:de:5:3000'); load('original-guesses:3000');"
        "sys.exit('wordfreq' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_order_of_the_file_does_not_matter(save: Save) -> None:
    assert read(save("slate\ncrane\nadieu\n")).answers == ("adieu", "crane", "slate")
    assert read(save("crane\nadieu\nslate\n")).answers == ("adieu", "crane", "slate")


def test_read_skips_what_is_not_a_word(save: Save) -> None:
    text = "\ufeff# my words\r\n\r\n  SLATE\t\r\n#crane\r\n   # indented\r\ncrane"
    assert read(save(text)) == WordList("words.txt", ("crane", "slate"), ("crane", "slate"))


def test_read_takes_old_line_ends(save: Save) -> None:
    assert read(save("slate\rcrane\r")).answers == ("crane", "slate")


def test_read_two_files(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("slate\ncrane\n")
    (tmp_path / "g.txt").write_text("salet\nslate\ncrane\n")
    words = read(tmp_path / "a.txt", tmp_path / "g.txt")
    assert words == WordList("a.txt", ("crane", "slate"), ("crane", "salet", "slate"))


@pytest.mark.parametrize(
    ("answers", "note"),
    [
        ("abc", "1 answer is not in the guess list and may be guessed as well: abc"),
        ("ghi abc def", "3 answers are not in the guess list and may be guessed as well: abc, def, ghi"),
        (
            "fff eee ddd ccc bbb aaa xyz",
            "6 answers are not in the guess list and may be guessed as well: aaa, bbb, ccc, ddd, eee, …",
        ),
    ],
)
def test_answers_become_guesses(answers: str, note: str) -> None:
    words = from_words(answers.split(), ["xyz", "mno"])
    assert words.notes == (note,)
    assert words.guesses == tuple(sorted({*answers.split(), "xyz", "mno"}))


def test_unicode_words() -> None:
    assert from_words(["Straße", "größte"]).answers == ("größte", "straße")
    assert from_words(["straße"]).length == 6
    composed, decomposed = "Éclair", unicodedata.normalize("NFD", "éclair")
    assert composed.lower() != decomposed
    assert from_words([composed]) == from_words([decomposed])
    assert from_words([decomposed]).length == 6
    assert from_words(["слово", "книга"]).answers == ("книга", "слово")


def test_one_word_in_two_spellings_is_there_twice() -> None:
    with pytest.raises(WordListError, match=r"'éclair' \(words 1 and 2\)"):
        from_words(["éclair", unicodedata.normalize("NFD", "ÉCLAIR")])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", r"words\.txt: the list is empty"),
        ("\n# only a remark\n\n", r"words\.txt: the list is empty; give at least one word"),
        ("# six\na1b2c\n", r"words\.txt, line 2: 'a1b2c' is not a word; words are made of letters only"),
        ("crane 5\n", "line 1: 'crane 5' is not a word"),
        ("don't\n", 'line 1: "don\'t" is not a word'),
        ("x" * 100 + "-\n", "line 1: '" + "x" * 39 + "…' is not a word"),
        ("crane\n\nslate\nabcd\n", "line 4: 'abcd' has 4 letters, the others have 5"),
        ("abcd\ncrane\nslate\n", "line 1: 'abcd' has 4 letters, the others have 5"),
        ("crane\nabcd\n", "line 2: 'abcd' has 4 letters, the others have 5"),
        ("at\na\n", "line 2: 'a' has 1 letter, the others have 2"),
        ("a\nb\n", "line 1: 'a' has 1 letter; words have 2 to 15"),
        ("abcdefghijklmnop\n", "line 1: 'abcdefghijklmnop' has 16 letters; words have 2 to 15"),
        (
            "crane\nslate\nCrane\n",
            r"twice are 'crane' \(lines 1 and 3\) \(sleuth words .* keeps each once\)$",
        ),
        (
            "aa\nbb\ncc\ndd\nee\nff\n" * 2,
            r"'aa' \(lines 1 and 7\), .*'ee' \(lines 5 and 11\), … \(sleuth",
        ),
        (b"crane\nsl\xffte\n", r"words\.txt, line 2: not UTF-8; files are plain text in UTF-8"),
        (b"\xef\xbb\xbfcrane\nslate\n\xff", "line 3: not UTF-8"),
        ("crane\n".encode("utf-16"), "line 1: not UTF-8"),
        (b"\x00\x01\x02\n", r"line 1: '\\x00\\x01\\x02' is not a word"),
    ],
)
def test_bad_files(save: Save, content: str | bytes, message: str) -> None:
    with pytest.raises(WordListError, match=message) as caught:
        read(save(content))
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path, save: Save) -> None:
    with pytest.raises(WordListError, match=r"none\.txt cannot be read \(No such file or directory\); give"):
        read(tmp_path / "none.txt")
    with pytest.raises(WordListError, match=r"cannot be read \(Is a directory\)"):
        read(tmp_path)
    with pytest.raises(WordListError, match=r"cannot be read \(embedded null byte\)"):
        read(Path("a\0b"))
    with pytest.raises(WordListError, match=r"none\.txt cannot be read"):
        read(save("crane\n"), tmp_path / "none.txt")


def test_lists_of_different_lengths(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("crane\n")
    (tmp_path / "g.txt").write_text("cranes\n")
    message = r"g\.txt: its words have 6 letters, those of .*a\.txt have 5; both lists must"
    with pytest.raises(WordListError, match=message):
        read(tmp_path / "a.txt", tmp_path / "g.txt")


@pytest.mark.parametrize(
    ("answers", "guesses", "message"),
    [
        ([], None, "answers: the list is empty"),
        (["crane"], [], "guesses: the list is empty"),
        (["crane", ""], None, "answers, word 2: '' is not a word"),
        (["crane"], ["slate", "#abcd"], "guesses, word 2: '#abcd' is not a word"),
        (["crane"], ["slate", "abcd"], "guesses, word 2: 'abcd' has 4 letters, the others have 5"),
        (["crane"], ["salet", "slate", "salet"], r"guesses: .* 'salet' \(words 1 and 3\)"),
        (["crane"], ["cranes"], "guesses: its words have 6 letters, those of answers have 5"),
    ],
)
def test_bad_words(answers: list[str], guesses: list[str] | None, message: str) -> None:
    with pytest.raises(WordListError, match=message):
        from_words(answers, guesses)


def test_from_words_takes_iterators() -> None:
    assert from_words(iter(["slate", "crane"]), iter(["crane", "slate"]), "mine") == WordList(
        "mine", ("crane", "slate"), ("crane", "slate")
    )


# Letters whose lower case is one letter too, so that a word keeps its length.
letters = st.characters(categories=["Ll", "Lu", "Lo"]).filter(
    lambda c: len(wordlists.canonical(c)) == 1 and wordlists.canonical(c).isalpha()
)


@given(st.data())
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    length = data.draw(st.integers(wordlists.SHORTEST, wordlists.LONGEST))
    spelled = st.text(letters, min_size=length, max_size=length)
    # Letters side by side may compose (Hangul) and change the length; such words are put aside.
    word = spelled.filter(lambda w: len(wordlists.canonical(w)) == length)
    words = data.draw(st.lists(word, min_size=1, max_size=20, unique_by=wordlists.canonical))
    path = tmp_path_factory.mktemp("words") / "words.txt"
    path.write_text("\n".join(words), encoding="utf-8")
    got = read(path)
    assert got.answers == got.guesses == tuple(sorted({wordlists.canonical(w) for w in words}))
    assert got.length == length
    path.write_text("\n".join(got.answers), encoding="utf-8")
    assert read(path) == got


def test_frequent_words() -> None:
    words = load("frequent:en:5:3000")
    assert (words.name, words.length, len(words.answers)) == ("frequent:en:5:3000", 5, 3000)
    assert words.answers == words.guesses == tuple(sorted(set(words.answers)))
    assert {"about", "there", "would"} <= set(words.answers)
    assert words.notes == ("the words come from wordfreq, whose data is under the licence CC-BY-SA 4.0",)
    assert set(load("frequent:en:5:100").answers) < set(words.answers)
    assert from_words(words.answers).answers == words.answers


@pytest.mark.parametrize(
    "language",
    ["ru", "ko", *(pytest.param(name, marks=pytest.mark.thorough) for name in ("de", "hi", "zh", "tr"))],
)
def test_frequent_words_of_other_scripts(language: str) -> None:
    pytest.importorskip("wordfreq")
    words = load(f"frequent:{language}:4:50")
    assert len(words.answers) == 50
    assert from_words(words.answers).answers == words.answers


def test_frequent_without_a_large_list() -> None:
    wordfreq = pytest.importorskip("wordfreq")
    words = load("frequent:da:5:200")
    assert "wordfreq has no large list for 'da': its small one is used" in words.notes
    # wordfreq itself would answer with Norwegian when asked for the large Danish list.
    assert set(words.answers) <= set(wordfreq.iter_wordlist("da", "small"))


def test_frequent_with_too_few_words() -> None:
    words = load("frequent:en:2:100000")
    n = len(words.answers)
    assert 0 < n < 1000
    assert words.notes[-1] == f"wordfreq has only {n} words of 2 letters in 'en', not 100000"


@pytest.mark.parametrize(
    "name",
    ["frequent", "frequent:", "frequent:en", "frequent:en:5", "frequent:en:five:10", "frequent:en:5:10:1"],
)
def test_malformed_frequent(name: str) -> None:
    message = "must have the form frequent:LANG:LENGTH:COUNT, such as frequent:en:5:3000"
    with pytest.raises(WordListError, match=message):
        load(name)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("frequent:en:1:10", "words have 2 to 15 letters, not 1"),
        ("frequent:en:16:10", "words have 2 to 15 letters, not 16"),
        ("frequent:en:5:0", "the count must be 1 or more, not 0"),
        ("frequent:en:5:-3", "the count must be 1 or more, not -3"),
    ],
)
def test_frequent_out_of_range(name: str, message: str) -> None:
    with pytest.raises(WordListError, match=message):
        load(name)


@pytest.mark.parametrize("language", ["xx", "english", "", "en-US"])
def test_frequent_in_an_unknown_language(language: str) -> None:
    pytest.importorskip("wordfreq")
    with pytest.raises(WordListError, match=rf"language '{language}'; there are ar, .*, en, .*, zh$"):
        load(f"frequent:{language}:5:10")


def test_frequent_with_no_word(monkeypatch: pytest.MonkeyPatch) -> None:
    wordfreq = pytest.importorskip("wordfreq")
    monkeypatch.setattr(wordfreq, "iter_wordlist", lambda *_, **__: iter(["it's", "12345"]))
    with pytest.raises(WordListError, match="wordfreq has no words of 5 letters in 'da'"):
        load("frequent:da:5:10")


@pytest.mark.thorough
def test_more_frequent_words_than_ship() -> None:
    wordfreq = pytest.importorskip("wordfreq")
    words = load("frequent:de:5:8000")
    assert len(words.answers) == 8000
    assert set(load("frequent:de:5:5000").answers) < set(words.answers)
    assert set(words.answers) < set(wordfreq.iter_wordlist("de", "large"))


MISSING = (
    "^the 5000 most frequent words of each length up to 10 in de, en, es, fr, it, nl, pl, pt, ru, sv ship"
    r" with Sleuth; more words and other languages need the package wordfreq: pip install -c constraints.txt"
    r" '\.\[languages\]', in the clone$"
)


@pytest.mark.parametrize(
    "name", ["frequent:da:5:10", "frequent:xx:5:10", "frequent:en:5:5001", "frequent:en:11:1"]
)
def test_without_wordfreq(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    with pytest.raises(WordListError, match=MISSING):
        load(name)


@pytest.mark.parametrize(
    "name",
    ["frequent:de:5:5000", "frequent:ru:10:3000", "frequent:en:2:5000", "original-guesses:3000", "nyt:9"],
)
def test_lists_are_the_same_without_wordfreq(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("wordfreq")
    words = load(name)
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    assert load(name) == words


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name == "original" else pytest.mark.thorough)
        for name in wordlists.NAMED
    ],
)
def test_the_most_frequent_of_a_list_are_those_of_wordfreq(name: str) -> None:
    wordfreq = pytest.importorskip("wordfreq")
    whole = load(name).answers
    order = sorted(whole, key=lambda word: (-wordfreq.word_frequency(word, "en", "large"), word))
    for count in (1, len(whole) // 2, len(whole) - 1):
        assert load(f"{name}:{count}").answers == tuple(sorted(order[:count]))


def test_files_that_are_too_large_are_not_read(tmp_path: Path) -> None:
    large = tmp_path / "large.txt"
    with large.open("wb") as file:
        file.truncate(2**40)  # bytes that are nowhere, and would take hours to read
    with pytest.raises(WordListError, match=r"large.txt cannot be read \(it has more than 32 MiB\)"):
        read(large)


def test_no_more_words_are_looked_at_than_a_list_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordlists, "MOST_WORDS", 3)

    def words() -> Iterator[str]:
        yield from ("one", "two", "six", "ten")
        raise AssertionError

    with pytest.raises(WordListError, match="answers: more than 3 words; a list has 3 at most"):
        from_words(words())
