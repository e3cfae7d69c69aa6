"""Words that differ in one letter, such as those that end in -ight: what makes lists hard to guess."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

GAP = "_"
LEAST = 4
"""Words that make a family: three can be told apart by one guess that has two of their letters."""


@dataclass(frozen=True)
class Family:
    """Words that are alike but for one letter.

    >>> Family("_ight", ("light", "might", "night", "right")).label
    '-ight'
    """

    pattern: str
    words: tuple[str, ...]

    @property
    def label(self) -> str:
        """The pattern as people write it: -ight, gra-e."""
        return self.pattern.replace(GAP, "-")


def families(words: Sequence[str], least: int = LEAST) -> tuple[Family, ...]:
    """Return the families of at least so many words, the largest first, then by the alphabet.

    >>> [family.pattern for family in families(["bat", "cat", "cut", "hat", "rat"])]
    ['_at']
    """
    members: dict[str, list[str]] = defaultdict(list)
    for word in words:
        for place in range(len(word)):
            members[word[:place] + GAP + word[place + 1 :]].append(word)
    found = [
        Family(pattern, tuple(sorted(those))) for pattern, those in members.items() if len(those) >= least
    ]
    return tuple(sorted(found, key=lambda family: (-len(family.words), family.pattern)))


def largest_of(found: Sequence[Family]) -> dict[str, Family]:
    """Return the largest family of each word that has one. found: the largest first."""
    largest: dict[str, Family] = {}
    for family in found:
        for word in family.words:
            largest.setdefault(word, family)
    return largest
