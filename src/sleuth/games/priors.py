"""How likely each answer is: weights over the answers, float64 [answers], sum 1."""

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sleuth.games import frequencies
from sleuth.games.wordlists import canonical, quoted, read_lines, some
from sleuth.support.errors import WordListError


def uniform(n: int) -> NDArray[np.float64]:
    """Return the prior under which n answers are equally likely. Raises WordListError for n < 1."""
    if n < 1:
        raise WordListError(f"a prior needs at least one answer, not {n}")
    return np.full(n, 1.0 / n)


def normalise(weights: ArrayLike, n: int) -> NDArray[np.float64]:
    """Return weights scaled to sum 1, as a new array.

    weights: see checked_weights. Equal weights stay exactly equal. Raises WordListError.
    """
    array = checked_weights(weights, n)
    # By the largest first: the sum of the weights as given may overflow.
    scaled = array / array.max()
    normal: NDArray[np.float64] = scaled / scaled.sum()
    return normal


def checked_weights(weights: ArrayLike, n: int) -> NDArray[np.float64]:
    """Return weights as a float64 array.

    weights: n finite numbers that are not negative, one or more above zero. Raises WordListError for anything
    else.
    """
    try:
        array = np.ascontiguousarray(weights, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise WordListError(f"weights must be {n} numbers, one for each answer") from None
    if np.shape(weights) != (n,):
        shape = " by ".join(map(str, np.shape(weights))) or "a single number"
        raise WordListError(f"weights must be {n} numbers, one for each answer, not {shape}")
    bad = np.flatnonzero(~(np.isfinite(array) & (array >= 0)))
    if bad.size:
        first = int(bad[0])
        raise WordListError(f"weight {first + 1} is {array[first]}; weights are finite and not negative")
    if not array.any():
        raise WordListError("all weights are zero; at least one must be positive")
    return array


def by_frequency(words: Sequence[str], language: str = "en") -> NDArray[np.float64]:
    """Return the prior in proportion to how often each word is written, float64 [words] in their order.

    Frequencies are those of frequencies.of_words: in the languages that ship with Sleuth, those of the most
    frequent words of each length; in others, of wordfreq's best list. A word without one gets the smallest
    frequency found among the words: it is rare, and not impossible. Raises WordListError when none of the
    words has one, and when a language needs wordfreq and it is missing or does not have it.
    """
    found = np.array(frequencies.of_words(words, language))
    if not found.any():
        raise WordListError(f"none of the {len(words)} words has a known frequency in language {language!r}")
    return normalise(np.where(found > 0, found, found[found > 0].min()), len(words))


def read_weights(path: Path, words: Sequence[str]) -> NDArray[np.float64]:
    """Return the prior in a file of weights, float64 [words] in the order of words.

    Each line is a word and its weight, apart by spaces, a tab or a comma; a weight of 0 rules the word out.
    Blank lines and lines that begin with # are skipped. A word that is no answer as it is written is made
    canonical, as those of a word list are. Raises WordListError for a file that cannot be read, a line of
    another form, a word that is not among the answers or is there twice, an answer without a weight, and
    weights that normalise refuses.
    """
    wanted = set(words)
    lines: dict[str, int] = {}
    weights: dict[str, float] = {}
    for number, line in read_lines(path):
        try:
            written, weight = _parse(line)
            word = written if written in wanted else canonical(written)
            if word not in wanted:
                raise WordListError(f"{quoted(word)} is not among the answers; give weights to answers only")
            if word in weights:
                raise WordListError(
                    f"{quoted(word)} has a weight on line {lines[word]} already; give one each"
                )
        except WordListError as error:
            raise WordListError(f"{path}, line {number}: {error}") from None
        lines[word], weights[word] = number, weight
    missing = [word for word in words if word not in weights]
    if missing:
        subject = "1 answer has" if len(missing) == 1 else f"{len(missing)} answers have"
        raise WordListError(f"{path}: {subject} no weight: {some(missing)}; give each one, 0 rules it out")
    try:
        return normalise([weights[word] for word in words], len(words))
    except WordListError as error:
        raise WordListError(f"{path}: {error}") from None


def load(spec: str, words: Sequence[str], language: str = "en") -> NDArray[np.float64]:
    """Return the prior that spec names, float64 [words] in their order.

    spec: "uniform"; "frequency" in the given language, or "frequency:LANG"; or else the path of a file for
    read_weights. Raises WordListError.

    >>> load("uniform", ["crane", "slate"])
    array([0.5, 0.5])
    """
    if spec == "uniform":
        return uniform(len(words))
    kind, colon, code = spec.partition(":")
    if kind == "frequency":
        return by_frequency(words, code if colon else language)
    if not _exists(spec):
        raise WordListError(
            f"no prior {spec!r}: there is no such file; the names are uniform, frequency and frequency:LANG"
        )
    return read_weights(Path(spec), words)


def _parse(line: str) -> tuple[str, float]:
    """Return the word and weight of a line. Raises WordListError without the place."""
    try:
        word, text = line.replace(",", " ").split()
    except ValueError:
        raise WordListError(f"{quoted(line)} is not a word and its weight, such as 'crane 0.5'") from None
    try:
        weight = float(text)
    except ValueError:
        raise WordListError(f"{quoted(text)} is not a number") from None
    if not math.isfinite(weight) or weight < 0:
        raise WordListError(f"the weight {text} cannot be used; weights are finite and not negative")
    return word, weight


def _exists(path: str) -> bool:
    try:
        return path != "" and Path(path).exists()
    except (OSError, ValueError):  # a name too long, or with a NUL in it
        return False
