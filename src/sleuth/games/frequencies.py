"""How often words are written: lists of ten languages that ship with Sleuth, and the package wordfreq.

The shipped lists are a part of wordfreq's: the same words in the same order, with the same frequencies. They
are always used for what they have, so that results are the same with and without wordfreq. Who counted the
words, and the licence of the lists, is in data/frequencies/NOTICE.md.
"""

import gzip
import math
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from itertools import pairwise, starmap
from types import ModuleType

from sleuth.support.errors import WordListError, installed_by

LANGUAGES: dict[str, str] = {
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "fr": "French",
    "it": "Italian",
    "nl": "Dutch",
    "pl": "Polish",
    "pt": "Portuguese",
    "ru": "Russian",
    "sv": "Swedish",
}
"""The languages whose lists ship with Sleuth, by code."""
LONGEST = 10
"""Letters of the longest words of the shipped lists."""
COUNT = 5000
"""How many words of each length the shipped lists have: the most frequent, and all where there are fewer.

The English list also has the words of wordlists.NAMED that wordfreq has.
"""
MORE = installed_by("languages")
"""What brings wordfreq along."""


def languages() -> tuple[str, ...]:
    """Return the codes of all languages that there are word frequencies for, with what is installed."""
    wordfreq = _wordfreq()
    others = () if wordfreq is None else wordfreq.available_languages("best")
    return tuple(sorted({*LANGUAGES, *others}))


def shipped(language: str) -> dict[str, int]:
    """Return the words of the shipped list of one of LANGUAGES, in alphabetical order, with their centibels.

    A frequency of n centibels is 10 ** (-n / 100) of all words written.
    """
    return unpacked(files("sleuth.games").joinpath("data", "frequencies", f"{language}.gz").read_bytes())


def most_frequent(language: str, length: int) -> list[str]:
    """Return the shipped words of a length in one of LANGUAGES, the most frequent first, at most COUNT.

    Equally frequent ones are in alphabetical order.
    """
    centibels = shipped(language)
    return sorted((word for word in centibels if len(word) == length), key=centibels.__getitem__)[:COUNT]


def of_words(words: Sequence[str], language: str) -> list[float]:
    """Return how often each word is written, as a share of all words; 0 where that is not known.

    In LANGUAGES the shipped lists alone tell, in others wordfreq's best list. Raises WordListError when a
    language needs wordfreq and it is missing or does not have it.
    """
    if language in LANGUAGES:
        centibels = shipped(language)
        # wordfreq folds case as its lists do: they have no ß.
        known = [centibels.get(word.casefold()) for word in words]
        return [0.0 if number is None else _frequency(number) for number in known]
    wordfreq = wordfreq_for(language)
    try:
        return [wordfreq.word_frequency(word, language, wordlist="best") for word in words]
    except ImportError:  # Chinese, Japanese and Korean are cut into words by other packages
        raise WordListError(
            f"word frequencies for {language!r} need more packages",
            remedy=": pip install 'wordfreq[cjk]'",
        ) from None


def wordfreq_for(language: str) -> ModuleType:
    """Return the package wordfreq, once it is known to have the language.

    Raises WordListError when wordfreq is missing or does not know the code.
    """
    wordfreq = _wordfreq()
    if wordfreq is None:
        raise WordListError(
            f"the {COUNT} most frequent words of each length up to {LONGEST} in {', '.join(LANGUAGES)} ship"
            " with Sleuth; more words and other languages need the package wordfreq",
            remedy=f": {MORE}",
        )
    # wordfreq itself answers a code it does not have with the nearest one, Norwegian for Danish, so a code
    # is compared with the list here and never handed over on trust.
    known = sorted(wordfreq.available_languages("best"))
    if language not in known:
        raise WordListError(f"no word frequencies for language {language!r}; there are {', '.join(known)}")
    return wordfreq


def packed(centibels: Mapping[str, int]) -> bytes:
    """Return the file of a list: words of letters only, centibels below 65536.

    The file is compressed by gzip. In it are the words in alphabetical order, each as the number of letters
    that it shares with the one before and the rest of it; a line feed; the low bytes of all centibels in the
    same order; and their high bytes.
    """
    words = sorted(centibels)
    shared = starmap(_shared, pairwise(["", *words]))
    text = "".join(f"{n}{word[n:]}" for n, word in zip(shared, words, strict=True))
    low, high = (bytes(centibels[word] >> shift & 255 for word in words) for shift in (0, 8))
    return gzip.compress(text.encode() + b"\n" + low + high, mtime=0)


def unpacked(file: bytes) -> dict[str, int]:
    """Return the list in a file that packed made, in alphabetical order."""
    text, _, numbers = gzip.decompress(file).partition(b"\n")
    words, word = [], ""
    for shared, rest in re.findall("([0-9])([^0-9]+)", text.decode()):
        word = word[: int(shared)] + rest
        words.append(word)
    low, high = numbers[: len(words)], numbers[len(words) :]
    return {word: a + 256 * b for word, a, b in zip(words, low, high, strict=True)}


def _wordfreq() -> ModuleType | None:
    """Return the package wordfreq where it is installed."""
    try:
        import wordfreq  # a fifth of a second and 58 MB: an extra
    except ImportError:
        return None
    return wordfreq


def _shared(before: str, word: str) -> int:
    """Return how many letters two words share at their beginning."""
    return next((n for n, (a, b) in enumerate(zip(before, word, strict=False)) if a != b), len(before))


def _frequency(centibels: int) -> float:
    """Return a frequency, rounded as wordfreq does."""
    exact: float = 10 ** (-centibels / 100)
    return round(exact, math.floor(-math.log(exact, 10)) + 3)
