"""Words of any length that share beginnings and ends, as those of languages do."""

import random

_PARTS = ["an", "ber", "ter", "ge", "lich", "keit", "ung", "ver", "haus", "kon", "ta", "on", "al", "er"]


def some_words(count: int, length: int) -> list[str]:
    """Return so many words, in order, the same each time."""
    rng = random.Random(1)
    found: set[str] = set()
    while len(found) < count:
        found.add("".join(rng.choices(_PARTS, k=length))[:length])
    return sorted(found)
