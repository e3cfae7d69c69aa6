"""Lists of words made ready: out of a dictionary, words of one length in letters that a game can have."""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from sleuth.games.wordlists import LONGEST, MOST_BYTES, SHORTEST, canonical, is_word, some
from sleuth.support.errors import SleuthError, WordListError
from sleuth.support.files import read_bounded
from sleuth.support.registry import unknown_name

Accents = Literal["keep", "fold"]
Marks = Literal["skip", "remove"]
Capitals = Literal["keep", "skip"]
ACCENTS: dict[Accents, str] = {"keep": "é stays é", "fold": "é becomes e"}
MARKS: dict[Marks, str] = {
    "skip": "words with apostrophes and hyphens are left out",
    "remove": "don't is dont",
}
CAPITALS: dict[Capitals, str] = {"keep": "Berlin is berlin", "skip": "capitalised words are left out"}

DIGRAPHS: dict[str, str] = {"dz": "ǳ", "dž": "ǆ", "ij": "ĳ", "lj": "ǉ", "ll": "ỻ", "nj": "ǌ"}
"""Pairs of letters that a language takes for one, and the one letter that Unicode has for them."""
# What has no accent that Unicode knows of, and is folded all the same.
_FOLDED = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i"}
)
_MARKS = re.compile("['’ʼ‘`´‐‑-]")
# What stands behind a word in a dictionary's line: flags of Hunspell, counts, other columns.
_BEHIND = re.compile(r"[/,;\s].*", re.DOTALL)
_FALLBACK = "cp1252"


@dataclass(frozen=True)
class Preparation:
    """What to make of words. Raises SleuthError for what is none of these.

    Attributes:
        length: letters of the words to pick; None for the only length that there is.
        accents: what becomes of accents, see ACCENTS.
        apostrophes: what becomes of words with apostrophes or hyphens, see MARKS.
        capitals: what becomes of words that begin with a capital, see CAPITALS.
        letters: letters to be replaced, first to last: ("ij", "ĳ") makes one letter of two, ("ä", "ae") two
            of one. Words are replaced in before accents are folded.

    """

    length: int | None = None
    accents: Accents = "keep"
    apostrophes: Marks = "skip"
    capitals: Capitals = "keep"
    letters: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        if self.length is not None and not SHORTEST <= self.length <= LONGEST:
            raise SleuthError(f"words have {SHORTEST} to {LONGEST} letters, not {self.length}")
        for what, value, known in (
            ("way with accents", self.accents, ACCENTS),
            ("way with apostrophes", self.apostrophes, MARKS),
            ("way with capitals", self.capitals, CAPITALS),
        ):
            if value not in known:
                raise unknown_name(what, value, known)
        for old, new in self.letters:
            if not is_word(old) or not is_word(new):
                raise SleuthError(f"{old!r} cannot become {new!r}: both are letters")


@dataclass(frozen=True)
class Step:
    """What was done to how many words, with the first of them."""

    what: str
    count: int
    examples: tuple[str, ...]

    def __str__(self) -> str:
        words = "1 word" if self.count == 1 else f"{self.count} words"
        return f"{self.what}: {words} ({some(self.examples)})"


@dataclass(frozen=True)
class Prepared:
    """Words made ready, in alphabetical order, and what was done, in order. lengths: words of each before."""

    words: tuple[str, ...]
    steps: tuple[Step, ...]
    lengths: dict[int, int]

    def to_records(self) -> list[dict[str, Any]]:
        """Return a row for each step."""
        return [{"step": one.what, "words": one.count, "examples": list(one.examples)} for one in self.steps]

    def to_json(self) -> dict[str, Any]:
        """Return the words and the steps as plain values."""
        lengths = {str(length): count for length, count in self.lengths.items()}
        return {"words": list(self.words), "steps": self.to_records(), "lengths": lengths}


def letters_of(text: str) -> tuple[str, str]:
    """Return what becomes of what: "ij" is known as a digraph (DIGRAPHS), "ch=ƈ" says it. Raises SleuthError.

    >>> letters_of("ij"), letters_of("ä=ae")
    (('ij', 'ĳ'), ('ä', 'ae'))
    """
    old, equals, new = (canonical(part) for part in text.partition("="))
    if equals:
        return old, new
    if old not in DIGRAPHS:
        hint = f"; say which letter it becomes, as in {old}=ƈ" if is_word(old) else ""
        raise SleuthError(
            f"{text!r} is no digraph that has a letter of its own: those are {', '.join(DIGRAPHS)}{hint}"
        )
    return old, DIGRAPHS[old]


def read_text(path: Path, encoding: str | None = None) -> tuple[str, str]:
    """Return the text of a file and the encoding that it is read in.

    encoding: by name; else UTF-8, or UTF-16 where a byte-order mark says so, or Windows-1252 where it is
    neither. Raises WordListError for a file that cannot be read, or not in that encoding.
    """
    try:
        content = read_bounded(path, MOST_BYTES)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL in it
        reason = getattr(error, "strerror", None) or error
        raise WordListError(f"{path} cannot be read ({reason})") from None
    if encoding is not None:
        try:
            return content.decode(encoding), encoding
        except LookupError:
            raise WordListError(
                f"unknown encoding {encoding!r}; for example utf-8, cp1252 or latin-2"
            ) from None
        except UnicodeError:
            raise WordListError(f"{path} is not in the encoding {encoding}") from None
    guesses = ["utf-8-sig", _FALLBACK]
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        guesses = ["utf-16"]
    for guess in guesses:
        try:
            return content.decode(guess), guess.removesuffix("-sig")
        except UnicodeError:
            continue
    raise WordListError(f"{path} is neither UTF-8 nor {guesses[-1]}; say its encoding, for example cp1250")


def prepare(lines: Iterable[str], preparation: Preparation | None = None) -> Prepared:
    """Return the words of lines, made ready.

    Each line has a word, and perhaps more behind it: after a slash, comma, semicolon or space all is left
    out, so that Hunspell's dictionaries and tables of counts can be read. Blank lines and those that begin
    with # are skipped. Raises WordListError where no words are left, or they have several lengths and none is
    asked for, SleuthError where their length is none that words may have.

    >>> made = prepare(["Crane", "don't", "éclat/S", "crane", "naïve"], Preparation(accents="fold"))
    >>> made.words
    ('crane', 'eclat', 'naive')
    >>> [step.what for step in made.steps]
    ['left out, with an apostrophe or hyphen', 'accents folded', 'there twice, kept once']
    """
    how = preparation or Preparation()
    steps: list[Step] = []

    def note(what: str, words: Sequence[str]) -> None:
        if words:
            steps.append(Step(what, len(words), tuple(words[:5])))

    def leave_out(what: str, words: list[str], bad: Callable[[str], bool]) -> list[str]:
        gone = [word for word in words if bad(word)]
        note(f"left out, {what}", gone)
        return [word for word in words if not bad(word)] if gone else words

    def change(what: str, words: list[str], into: Callable[[str], str]) -> list[str]:
        made = [into(word) for word in words]
        note(what, [word for word, other in zip(words, made, strict=True) if word != other])
        return made

    stripped = [line.strip() for line in lines]
    words = [
        unicodedata.normalize("NFC", _BEHIND.sub("", line)) for line in stripped if line[:1] not in ("", "#")
    ]
    if how.capitals == "skip":
        words = leave_out("capitalised", words, lambda word: word[:1].isupper())
    words = [canonical(word) for word in words]
    if how.apostrophes == "remove":
        words = change("apostrophes and hyphens removed", words, lambda word: _MARKS.sub("", word))
    else:
        words = leave_out("with an apostrophe or hyphen", words, lambda word: bool(_MARKS.search(word)))
    words = leave_out("with something that is no letter", words, lambda word: not is_word(word))
    for old, new in how.letters:
        words = change(f"{old} made {new}", words, lambda word, old=old, new=new: word.replace(old, new))  # type: ignore[misc]
    if how.accents == "fold":
        words = change("accents folded", words, _folded)
    once = dict.fromkeys(words)
    twice = Counter(words)
    note("there twice, kept once", [word for word in once if twice[word] > 1])
    lengths = dict(sorted(Counter(map(len, once)).items()))
    if not lengths:
        raise WordListError("there is no word of letters only")
    length = how.length
    if length is None:
        if len(lengths) > 1:
            counts = ", ".join(f"{count} of {n}" for n, count in lengths.items())
            raise WordListError(f"the words have several lengths: {counts} letters; pick one (--length)")
        length = next(iter(lengths))
        Preparation(length)
    found = leave_out(f"not of {length} letters", list(once), lambda word: len(word) != length)
    if not found:
        raise WordListError(
            f"no word has {length} letters; there are {some([f'{c} of {n}' for n, c in lengths.items()], 20)}"
        )
    return Prepared(tuple(sorted(found)), tuple(steps), lengths)


def _folded(word: str) -> str:
    """Return a word without accents; ligatures become two letters."""
    apart = unicodedata.normalize("NFD", word.translate(_FOLDED))
    # Marks of scripts that are written with them, such as Devanagari's vowel signs, are no accents.
    kept = [c for i, c in enumerate(apart) if unicodedata.category(c) != "Mn" or not _latin(apart, i)]
    return unicodedata.normalize("NFC", "".join(kept))


def _latin(apart: str, place: int) -> bool:
    """Say whether the letter that a mark stands on is Latin or Greek, whose marks are accents."""
    while place and unicodedata.category(apart[place]) == "Mn":
        place -= 1
    return unicodedata.name(apart[place], "").startswith(("LATIN", "GREEK"))
