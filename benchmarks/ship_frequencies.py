"""Make the lists of word frequencies that ship with Sleuth, from those of the package wordfreq.

    python benchmarks/ship_frequencies.py [FOLDER]

writes a file a language into a folder, src/sleuth/games/data/frequencies unless given. The lists of wordfreq
3.1.1 give the files that ship. Needs pip install 'sleuth[languages]'.
"""

import sys
from pathlib import Path

import wordfreq

from sleuth.games import wordlists
from sleuth.games.frequencies import COUNT, LANGUAGES, LONGEST, packed

SHIPPED = Path(__file__).parents[1] / "src/sleuth/games/data/frequencies"


def chosen(language: str) -> dict[str, int]:
    """Return the words that ship, with their frequency in centibels."""
    known: dict[str, int] = {}
    for centibels, written in enumerate(wordfreq.get_frequency_list(language, "best")):
        for word in filter(wordlists.is_word, map(wordlists.canonical, written)):
            if wordlists.SHORTEST <= len(word) <= LONGEST:
                known.setdefault(word, centibels)
    named = {word for name in wordlists.NAMED for word in wordlists.load(name).guesses}
    taken = dict.fromkeys(map(len, known), 0)
    found = {}
    for word, centibels in known.items():
        taken[len(word)] += 1
        if taken[len(word)] <= COUNT or (language == "en" and word in named):
            found[word] = centibels
    return found


def main(folder: Path) -> None:
    """Write the files."""
    for language in LANGUAGES:
        words = chosen(language)
        file = packed(words)
        (folder / f"{language}.gz").write_bytes(file)
        print(f"{language}: {len(words)} words, {len(file)} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else SHIPPED)
