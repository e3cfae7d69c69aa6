"""Lists of words: those that ship with Sleuth, a language's most frequent words, and a person's own."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from sleuth.games import frequencies
from sleuth.support.errors import WordListError
from sleuth.support.files import read_bounded
from sleuth.support.registry import unknown_name

NAMED: dict[str, str] = {
    "original": "Wordle as first published: 2315 answers, 12972 guesses",
    "original-guesses": "Wordle as first published, any of the 12972 guesses may be the answer",
    "nyt": "the New York Times in 2023: 3158 answers, 14855 guesses",
    "nyt-2022-03": "the New York Times in March 2022: 2309 answers, 12972 guesses",
    "nyt-2022-08": "the New York Times in August 2022: 2309 answers, 14855 guesses",
    "nyt-guesses": "the New York Times in 2023, any of the 14855 guesses may be the answer",
}
CALLED = {
    "original-guesses": "original words, every guess",
    "nyt": "New York Times words",
    "nyt-2022-03": "New York Times words of March 2022",
    "nyt-2022-08": "New York Times words of August 2022",
    "nyt-guesses": "New York Times words, every guess",
}
"""What people call the lists whose names do not say it."""


def called(name: str) -> str:
    """Return what people call a list of words.

    >>> called("original"), called("original:500"), called("frequent:de:6:2000"), called("my words")
    ('original words', '500 frequent original words', '2,000 frequent German words of 6 letters', 'my words')
    """
    whole, *more = name.split(":")
    if whole == "frequent" and len(more) == 3:
        language, length, count = more
        named = frequencies.LANGUAGES.get(language, language)
        return f"{_grouped(count)} frequent {named} words of {length} letters"
    if len(more) == 1 and whole in _FILES:
        return f"{_grouped(more[0])} frequent {called(whole)}"
    return CALLED.get(name, name if "words" in name.split() else f"{name} words")


def _grouped(count: str) -> str:
    """Return a number with its thousands set apart; what is none as it is."""
    return f"{int(count):,}" if count.isdecimal() else count


FREQUENT_FORM = "frequent:LANG:LENGTH:COUNT"
SELECTED_FORM = "LIST:COUNT"
SHORTEST, LONGEST = 2, 15
MOST_BYTES = 2**25
"""The most that a file of words or weights may have."""
MOST_WORDS = 10**6
"""The most words of a list."""
_COMMAND = "sleuth words"
"""The command that mends files of words (games/preparing.py)."""
_LICENCE = "the words come from wordfreq, whose data is under the licence CC-BY-SA 4.0"

_FILES = {
    "original": ("original-answers.txt", "original-guesses.txt"),
    "original-guesses": ("original-guesses.txt", "original-guesses.txt"),
    "nyt": ("nyt-answers.txt", "nyt-guesses.txt"),
    "nyt-2022-03": ("nyt-2022-answers.txt", "original-guesses.txt"),
    "nyt-2022-08": ("nyt-2022-answers.txt", "nyt-guesses.txt"),
    "nyt-guesses": ("nyt-guesses.txt", "nyt-guesses.txt"),
}


@dataclass(frozen=True)
class WordList:
    """Words to play with. Build one with load, read or from_words, which see to what is said here.

    Words are in alphabetical order (that of their code points) whatever the order of the file, so that
    results do not depend on how a file is laid out: elsewhere "list order" means this order. All words have
    the same length, no word is there twice, and every answer is among the guesses.

    Attributes:
        name: what the list is called.
        answers: what the answer may be.
        guesses: what may be guessed.
        notes: one-line remarks on the list that a person should see.

    """

    name: str
    answers: tuple[str, ...]
    guesses: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def length(self) -> int:
        """The number of letters (code points) of every word."""
        return len(self.answers[0])


def load(name: str) -> WordList:
    """Return a list of NAMED, its most frequent answers, or the most frequent words of a language.

    "original-guesses:3000" stands for the 3000 most frequent English words among the answers of the list
    original-guesses, as answers and as guesses.

    "frequent:en:5:3000" stands for the 3000 most frequent English words of five letters, as answers and as
    guesses. Up to frequencies.COUNT words of a length ship with Sleuth in frequencies.LANGUAGES. More words
    and other languages need the package wordfreq, whose large list is taken where there is one.

    Raises UnknownNameError for a name that does not exist, WordListError for a language, length or count that
    cannot be had, also because wordfreq is missing.

    >>> words = load("original")
    >>> len(words.answers), len(words.guesses), words.length
    (2315, 12972, 5)
    """
    if name.partition(":")[0] == "frequent":
        return _frequent(name)
    whole, selected, count = name.partition(":")
    if whole not in _FILES:
        raise unknown_name("word list", name, [*NAMED, SELECTED_FORM, FREQUENT_FORM])
    if selected:
        return _selected(name, load(whole).answers, count)
    answers, guesses = _FILES[name]
    return WordList(name, _shipped(answers), _shipped(guesses))


def read(answers: Path, guesses: Path | None = None) -> WordList:
    """Return the words of one or two files; without a file of guesses, the answers are the guesses.

    Files are UTF-8 with one word a line; blank lines and lines that begin with # are skipped. The list is
    named for the answers' file. Raises WordListError, as from_words does and for a file that cannot be read.
    """
    return _build(
        answers.name,
        _Given.of(str(answers), "line", read_lines(answers, _COMMAND)),
        None if guesses is None else _Given.of(str(guesses), "line", read_lines(guesses, _COMMAND)),
    )


def from_words(answers: Iterable[str], guesses: Iterable[str] | None = None, name: str = "words") -> WordList:
    """Return a list of these words; without guesses, the answers are the guesses.

    Words are made canonical first. An answer that is not among the guesses becomes a guess too, and a note
    says so. Raises WordListError for an empty list, a word that is not all letters, words of different
    lengths or of a length outside 2 to 15, and a word that is there twice.

    >>> from_words(["slate", "Crane"]).answers
    ('crane', 'slate')
    """
    return _build(
        name,
        _Given.of("answers", "word", enumerate(answers, 1)),
        None if guesses is None else _Given.of("guesses", "word", enumerate(guesses, 1)),
    )


def is_word(word: str) -> bool:
    """Say whether a word is made of letters, and of marks such as the vowel signs of Devanagari."""
    return word != "" and all(unicodedata.category(character)[0] in "LM" for character in word)


def canonical(word: str) -> str:
    """Return the one spelling of a word: no space around it, lower case, composed letters (NFC).

    Lower-casing is Unicode's own, the same for every language.
    """
    # Lower-casing can decompose a letter, hence the NFC after it.
    return unicodedata.normalize("NFC", word.strip().lower())


def read_lines(path: Path, converted_by: str = "") -> Iterator[tuple[int, str]]:
    """Yield the lines of a UTF-8 text file, stripped, with their numbers from 1.

    A byte-order mark, blank lines and lines that begin with # are skipped. converted_by: what makes UTF-8 of
    a file that is none, for the message. Raises WordListError for a file that cannot be read, is too large or
    is not UTF-8.
    """
    try:
        text = read_bounded(path, MOST_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = error.object.count(b"\n", 0, error.start) + 1
        raise WordListError(
            f"{path}, line {place}: not UTF-8; files are plain text in UTF-8",
            remedy=f" ({converted_by} {path} converts it)" if converted_by else "",
        ) from None
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL in it
        reason = getattr(error, "strerror", None) or error
        raise WordListError(f"{path} cannot be read ({reason}); give a file of plain text in UTF-8") from None
    # Not splitlines: it also breaks lines at characters that no editor counts as a line end.
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, line in enumerate(map(str.strip, lines), 1):
        if line and not line.startswith("#"):
            yield number, line


def some(items: Sequence[str], limit: int = 5) -> str:
    """Return the first few items as text, with "…" where there are more."""
    return ", ".join(items[:limit]) + (", …" if len(items) > limit else "")


def quoted(word: str, limit: int = 40) -> str:
    """Return a word in quotes for a message, cut where it is too long to show."""
    return repr(word if len(word) <= limit else word[: limit - 1] + "…")


@dataclass(frozen=True)
class _Given:
    """Words as they were given: by whom, what their numbers count, and each with its number."""

    source: str
    unit: str
    words: tuple[tuple[int, str], ...]

    @classmethod
    def of(cls, source: str, unit: str, words: Iterable[tuple[int, str]]) -> _Given:
        """Return words with their numbers. Raises WordListError where there are too many."""
        given = tuple(islice(words, MOST_WORDS + 1))
        if len(given) > MOST_WORDS:
            raise WordListError(f"{source}: more than {MOST_WORDS} words; a list has {MOST_WORDS} at most")
        return cls(source, unit, given)

    def error(self, number: int, problem: str, mended_by: str = "") -> WordListError:
        """Return the error of a word. mended_by: what options of `sleuth words` do away with it in a file."""
        return WordListError(f"{self.source}, {self.unit} {number}: {problem}", self._remedy(mended_by))

    def _remedy(self, mended_by: str) -> str:
        # Words that are not of a file are no business of a command.
        return f" ({_COMMAND} {self.source} {mended_by})" if mended_by and self.unit == "line" else ""

    def checked(self) -> tuple[str, ...]:
        """Return the words, canonical and in order. Raises WordListError."""
        if not self.words:
            raise WordListError(f"{self.source}: the list is empty; give at least one word")
        for number, given in self.words:
            if not isinstance(given, str):
                raise self.error(number, f"{given!r} is not a word; words are text")
        words = [(number, canonical(word)) for number, word in self.words]
        for number, word in words:
            if not is_word(word):
                said = f"{quoted(word)} is not a word; words are made of letters only"
                raise self.error(number, said, "leaves such words out, or takes apostrophes and hyphens away")
        # The length most words have: when only the first word is wrong, that is the one to name.
        length = Counter(len(word) for _, word in words).most_common(1)[0][0]
        for number, word in words:
            if len(word) != length:
                said = f"{quoted(word)} has {_letters(len(word))}, the others have {length}"
                raise self.error(number, said, f"--length {length} picks those")
        if not SHORTEST <= length <= LONGEST:
            number, word = words[0]
            allowed = f"words have {SHORTEST} to {LONGEST}"
            raise self.error(number, f"{quoted(word)} has {_letters(length)}; {allowed}")
        self._check_unique(words)
        return tuple(sorted(word for _, word in words))

    def _check_unique(self, words: Iterable[tuple[int, str]]) -> None:
        first: dict[str, int] = {}
        twice = []
        for number, word in words:
            if first.setdefault(word, number) != number:
                twice.append(f"{quoted(word)} ({self.unit}s {first[word]} and {number})")
        if twice:
            said = f"{self.source}: each word may be there once, but twice are {some(twice)}"
            raise WordListError(said, self._remedy("keeps each once"))


def _build(name: str, answers: _Given, guesses: _Given | None) -> WordList:
    """Return the list of these words, every answer among the guesses. Raises WordListError."""
    allowed = answers.checked()
    if guesses is None:
        return WordList(name, allowed, allowed)
    guessable = guesses.checked()
    if len(guessable[0]) != len(allowed[0]):
        raise WordListError(
            f"{guesses.source}: its words have {_letters(len(guessable[0]))}, those of {answers.source} have "
            f"{len(allowed[0])}; both lists must have words of one length"
        )
    added = sorted(set(allowed).difference(guessable))
    if not added:
        return WordList(name, allowed, guessable)
    subject = "1 answer is" if len(added) == 1 else f"{len(added)} answers are"
    note = f"{subject} not in the guess list and may be guessed as well: {some(added)}"
    return WordList(name, allowed, tuple(sorted([*guessable, *added])), (note,))


def _letters(n: int) -> str:
    return f"{n} letter" if n == 1 else f"{n} letters"


def _shipped(file: str) -> tuple[str, ...]:
    from importlib.resources import files

    return tuple(sorted(files("sleuth.games").joinpath("data", file).read_text(encoding="utf-8").split()))


def _selected(name: str, words: tuple[str, ...], count_text: str) -> WordList:
    """Return so many of the words, the most frequent English ones; equally frequent ones by the alphabet."""
    if not count_text.isdecimal() or not 1 <= int(count_text) <= len(words):
        raise WordListError(f"word list {name!r}: the count must be a whole number from 1 to {len(words)}")
    frequency = dict(zip(words, frequencies.of_words(words, "en"), strict=True))
    order = sorted(words, key=lambda word: (-frequency[word], word))
    found = tuple(sorted(order[: int(count_text)]))
    return WordList(name, found, found, (_LICENCE,))


def _frequent(name: str) -> WordList:
    try:
        _, language, length_text, count_text = name.split(":")
        length, count = int(length_text), int(count_text)
    except ValueError:
        raise WordListError(
            f"word list {name!r} must have the form {FREQUENT_FORM}, such as frequent:en:5:3000"
        ) from None
    if not SHORTEST <= length <= LONGEST:
        raise WordListError(f"word list {name!r}: words have {SHORTEST} to {LONGEST} letters, not {length}")
    if count < 1:
        raise WordListError(f"word list {name!r}: the count must be 1 or more, not {count}")
    found, notes = _most_frequent(language, length, count)
    if not found:
        raise WordListError(f"word list {name!r}: wordfreq has no words of {length} letters in {language!r}")
    if len(found) < count:
        notes.append(f"wordfreq has only {len(found)} words of {length} letters in {language!r}, not {count}")
    words = tuple(sorted(found))
    return WordList(name, words, words, (_LICENCE, *notes))


def _most_frequent(language: str, length: int, count: int) -> tuple[Collection[str], list[str]]:
    """Return so many words of a language, fewer where there are not as many, and notes on them."""
    if language in frequencies.LANGUAGES and length <= frequencies.LONGEST:
        ranked = frequencies.most_frequent(language, length)
        if count <= len(ranked) or len(ranked) < frequencies.COUNT:
            return ranked[:count], []
    wordfreq = frequencies.wordfreq_for(language)
    found: dict[str, None] = {}
    # "best" is the large list where there is one. Words that are equally frequent come in alphabetical order.
    for word in map(canonical, wordfreq.iter_wordlist(language, wordlist="best")):
        if len(found) == count:
            break
        if len(word) == length and is_word(word):
            found[word] = None
    if language in wordfreq.available_languages("large"):
        return found, []
    return found, [f"wordfreq has no large list for {language!r}: its small one is used"]
