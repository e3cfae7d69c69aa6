"""Check a certificate: that no strategy for a guessing game takes fewer guesses than it says.

    python check_certificate.py FILE [--answers FILE] [--guesses FILE] [--sample SHARE] [--text]

This one file needs Python 3.11 and NumPy, and nothing of Sleuth. docs/proof.md says what a certificate is, and
why what is checked here proves the theorem. Exit code 0: all that was checked holds; 1: the certificate is
refused; 2: it was not checked.
"""

import argparse
import hashlib
import itertools
import json
import math
import multiprocessing
import sys
import time
import zipfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

FORMAT = 1
INFINITE = 2**60  # what a set costs that no strategy solves within the turns left
LISTS = Path(__file__).parent.parent / "games" / "data"  # where Sleuth has its lists of words
PAIRWISE = 48  # smaller sets compare their answers by twos, larger ones count the codes they meet
KEPT = 200_000  # scans remembered
Ints = NDArray[np.integer[Any]]
Legal = NDArray[np.bool_] | None  # which guesses are legal, or None where all are


class Refused(Exception):
    """The certificate does not prove what it says."""


def wordle_row(guess: Ints, words: Ints) -> Ints:
    """Return the feedback of a guess for words, sum of mark * 3**place: 2 in place, 1 elsewhere, 0 not."""
    marks = [2 * (words[:, i] == guess[i]).astype(np.int64) for i in range(len(guess))]
    free = [mark == 0 for mark in marks]  # letters of the word that no letter of the guess claims
    for i, j in itertools.product(range(len(guess)), repeat=2):  # from the left, each claims the first
        hit = (marks[i] == 0) & free[j] & (words[:, j] == guess[i])
        marks[i], free[j] = marks[i] + hit, free[j] & ~hit
    return np.sum([mark * 3**i for i, mark in enumerate(marks)], axis=0)


def pegs_row(guess: Ints, codes: Ints) -> Ints:
    """Return the feedback of a guess for codes, (pegs + 1) * in place + in place or elsewhere."""
    both = [np.minimum((codes == c).sum(1), (guess == c).sum()) for c in np.unique(guess)]
    return (codes == guess).sum(1) * (len(guess) + 1) + np.sum(both, axis=0)


def words_of(game: dict[str, Any], answers: Path | None, guesses: Path | None) -> list[list[str]]:
    """Return the answers and the guesses of a game, each in alphabetical order."""
    if game["rules"] == "table":  # whose feedback is a part of the theorem
        return [game["answers_in_full"], game["guesses_in_full"]]
    if game["rules"] == "pegs":
        codes = itertools.product(game["symbols"], repeat=game["pegs"])
        found = sorted("".join(code) for code in codes if game["repeats"] or len(set(code)) == len(code))
        return [found, found]
    files = (answers or LISTS / game["answers_file"], guesses or LISTS / game["guesses_file"])
    first, second = (set(file.read_text("utf-8").split()) for file in files)
    return [sorted(first), sorted(first | second)]


class Checker:
    """A game, from its rules and words, and what is claimed of sets of its answers."""

    def __init__(self, about: dict[str, Any], arrays: dict[str, Ints], words: Sequence[Sequence[str]]) -> None:
        game, self.mode = about["game"], about["mode"]
        self.answers, self.guesses = words
        for name, list_ in zip(("answers", "guesses"), words, strict=True):
            digest = hashlib.sha256("\n".join(list_).encode()).hexdigest()
            if digest != game[name]:
                raise Refused(f"it is about other {name} than these {len(list_)}, whose SHA-256 is {digest}")
        place = {word: i for i, word in enumerate(self.guesses)}
        if not set(self.answers) <= set(place) or game["rules"] not in ("wordle", "pegs", "table"):
            raise Refused("its rules are not known here, or an answer is no guess")
        self.own = np.array([place[word] for word in self.answers])  # the guess that an answer is
        self.weights = arrays["weights"].astype(np.int64)
        if self.weights.shape != self.own.shape or self.weights.min() < 1:
            raise Refused("its weights are not one positive integer for each answer")
        self.uniform = bool(self.weights.max() == 1)
        self.letters = np.array([[ord(letter) for letter in word] for word in self.guesses])
        self.rule = {"wordle": wordle_row, "pegs": pegs_row}.get(game["rules"])
        if self.rule is None and self.mode != "easy":
            raise Refused("games by a table are in easy mode")
        table = arrays["feedback"] if self.rule is None else None
        codes = np.array([self.rule(word, self.letters[self.own]) for word in self.letters]) if self.rule else table
        codes = np.unique(codes, return_inverse=True)[1].reshape(len(self.guesses), len(self.answers))
        if ((codes[self.own] == np.diag(codes[self.own])[:, None]).sum(1) > 1).any():
            raise Refused("a wrong answer gets the feedback of the right one")
        self.n_codes = int(codes.max()) + 1
        self.codes = np.ascontiguousarray(codes.T.astype(np.uint8 if self.n_codes <= 256 else np.uint16))
        self.most = max(len(np.unique(row)) for row in codes)  # classes that a guess has
        wrong = [np.bincount(row[self.own != guess]) for guess, row in enumerate(codes)]
        self.removed = len(self.own) - min(int(sizes.max(initial=0)) for sizes in wrong)
        floors, depth, found = [0, 1], 1, 1
        for n in range(2, len(self.own) + 2):  # bounds 6 and 7: so many are found within `depth` guesses
            if n > found:
                depth, found = depth + 1, found * max(2, self.most)
            floors.append(floors[-1] + depth)
        for n in range(self.removed + 1, len(floors)):
            floors[n] = max(floors[n], n + self.removed - 1 + floors[n - self.removed])
        self.floors, self.steps = np.array(floors), 2 - np.diff(floors)
        self.everything: Legal = None if self.mode == "easy" else np.ones(len(self.guesses), bool)
        self.claims: dict[tuple[int, bytes, bytes], int] = {}
        self.scans: dict[tuple[int, bytes, bytes], int] = {}
        self.as_answers = cache(self._as_answers)

    def _as_answers(self, guess: int) -> Ints:
        """Return what a guess would get were each word the answer."""
        assert self.rule is not None
        return self.rule(self.letters[guess], self.letters).astype(np.uint16)

    def after(self, legal: Legal, guess: int, answer: int) -> Legal:
        """Return which guesses are legal after one more row, whose feedback is that for `answer`."""
        if legal is None:
            return None
        row = self.as_answers(guess)
        got = row[self.own[answer]]
        if self.mode == "strict":
            return legal & (row == got)
        word, places = self.letters[guess], 3 ** np.arange(self.letters.shape[1])
        would, marks = np.arange(3 ** len(word))[:, None] // places % 3, got // places % 3
        keeps = (would[:, marks == 2] == 2).all(1)
        for letter in np.unique(word):
            hints = (would[:, word == letter] > 0).sum(1)
            keeps &= hints >= (marks[word == letter] > 0).sum()
        return legal & keeps[row]

    def key(self, members: Ints, turns: int, legal: Legal) -> tuple[int, bytes, bytes]:
        """Return what a set is found by."""
        return turns, members.astype(np.uint16).tobytes(), b"" if legal is None else np.packbits(legal).tobytes()

    def by_size(self, members: Ints, turns: int) -> int:
        """Return what a set costs at least by its size and weights (bounds 1, 6, 7). turns: 0 is no limit."""
        n, weights = len(members), self.weights[members]
        if turns == 1 and n > 1 or turns and n > 1 + self.removed * (turns - 1):
            return INFINITE
        floor = 2 * int(weights.sum()) - int(weights.max())
        return max(floor, int(self.floors[n])) if self.uniform else floor

    def scan(self, members: Ints, legal: Legal) -> tuple[Ints, Ints, Ints]:
        """Return the legal guesses, what each costs on a set at least (bound 2), and what it gains."""
        guesses = np.arange(len(self.guesses)) if legal is None else np.flatnonzero(legal)
        members = members[np.argsort(-self.weights[members], kind="stable")]  # of a class the heaviest counts
        weights = self.weights[members]
        by_sizes = self.uniform and len(members) > self.most
        gains = np.zeros(len(guesses), np.int64)
        if len(members) < PAIRWISE and not by_sizes:
            codes = self.codes[members] if legal is None else self.codes[np.ix_(members, guesses)]
            for i in range(len(members)):
                new = np.bitwise_xor(codes[:i], codes[i]).min(0, initial=255) > 0
                gains += weights[i] * new
        else:
            counts = np.zeros(len(guesses) * self.n_codes, np.int16)
            first = np.arange(len(guesses)) * self.n_codes
            for answer, weight in zip(members, weights, strict=True):
                at = first + self.codes[answer, guesses]
                met = counts[at]
                gains += self.steps[met] if by_sizes else weight * (met == 0)
                counts[at] = met + 1
        own = np.zeros(len(self.guesses), np.int64)
        own[self.own[members]] = weights
        return guesses, 3 * weights.sum() - gains - own[guesses], gains

    def by_scan(self, members: Ints, legal: Legal) -> int:
        """Return what a set costs at least by one scan of the guesses (bound 3)."""
        key = self.key(members, 0, legal)
        if key not in self.scans:
            if len(self.scans) >= KEPT:
                self.scans.clear()
            self.scans[key] = int(self.scan(members, legal)[1].min(initial=INFINITE))
        return self.scans[key]

    def check_set(self, members: Ints, limit: int, turns: int, legal: Legal) -> None:
        """Check that a set costs `limit` at least, if what is claimed of smaller sets is true."""
        if self.by_size(members, turns) >= limit:
            return
        guesses, costs, gains = self.scan(members, legal)
        if turns == 2:  # then only a guess that tells all apart will do
            costs = np.where(gains < self.weights[members].sum(), INFINITE, costs)
        guesses = guesses[costs < limit]
        if legal is None and len(members) <= 250:
            # Of guesses that are no candidates and split the set alike, one is enough.
            codes = self.codes[np.ix_(members, guesses)]
            labels = np.zeros((len(members) + 1, len(guesses)), np.uint8)
            for i in range(1, len(members)):
                same = codes[:i] == codes[i]
                labels[i] = np.where(same.any(0), same.argmax(0), i)
            labels[-1] = np.where(np.isin(guesses, self.own[members]), 1, 0)
            candidate = labels[-1] > 0
            rows = np.ascontiguousarray(labels.T).view(f"V{len(labels)}")[:, 0]
            first = np.unique(rows, return_index=True)[1]
            guesses = np.union1d(guesses[first], guesses[candidate])
        for guess in guesses.tolist():
            self.check_guess(members, guess, limit, turns, legal)

    def check_guess(self, members: Ints, guess: int, limit: int, turns: int, legal: Legal) -> None:
        """Check that a set costs `limit` at least where a guess comes first."""
        wrong = members[self.own[members] != guess]
        codes = self.codes[wrong, guess]
        order = np.argsort(codes, kind="stable")
        classes = np.split(wrong[order], np.flatnonzero(np.diff(codes[order])) + 1)
        if len(classes[0]) == len(members):
            return  # it tells nothing, and no strategy is the better for it
        left = turns - 1 if turns else 0
        total = INFINITE if turns == 1 and len(wrong) else int(self.weights[members].sum())
        open_ = []
        for part in classes if len(wrong) else []:
            bound = self.by_size(part, left)
            total += bound
            if len(part) > 2:
                open_.append((part, bound, self.after(legal, guess, int(part[0]))))
        open_.sort(key=lambda item: -len(item[0]))
        for i, (part, bound, then) in enumerate(open_):
            claimed = max(self.claims.get(self.key(part, t, then), 0) for t in {0, left})
            total += max(0, claimed - bound)
            open_[i] = part, max(bound, claimed), then
        for part, bound, then in open_:
            if total >= limit:
                return
            total += max(0, self.by_scan(part, then) - bound)
        if total < limit:
            raise Refused(f"{self.guesses[guess]} may take {total}, and {limit} is claimed")

    def take(self, arrays: dict[str, Ints]) -> Iterator[tuple[Ints, int, int, list[int]]]:
        """Take up what is claimed: answers, what they cost at least, turns left (0: no limit), guesses made."""
        sets = np.split(arrays["members"].astype(np.int64), np.cumsum(arrays["sizes"])[:-1])
        rest = (arrays[name].tolist() for name in ("bounds", "turns", "made"))
        for i, (part, bound, turns, made) in enumerate(zip(sets, *rest, strict=len(sets) > 1)):
            made = [guess for guess in made if guess >= 0]
            if len(part) < 2 or (np.diff(part) <= 0).any() or part[0] < 0 or part[-1] >= len(self.own):
                raise Refused(f"claim {i}: its answers are not in order, or not in the list")
            try:
                legal = self.led_to(part, made)
            except Refused as wrong:
                raise Refused(f"claim {i}: {wrong}") from None
            key = self.key(part, turns, legal)
            self.claims[key] = max(bound, self.claims.get(key, 0))
            yield part, bound, turns, made

    def led_to(self, members: Ints, made: list[int]) -> Legal:
        """Return which guesses are legal after some, all of whose feedback is the same for all of a set."""
        legal = self.everything
        for guess in made if legal is not None else []:
            if not legal[guess] or np.ptp(self.codes[members, guess]):
                raise Refused(f"{self.guesses[guess]} does not lead to its answers")
            legal = self.after(legal, guess, int(members[0]))
        return legal

    def played(self, plays: Ints) -> int:
        """Return the total of what is played on each answer, int [answers, turns], if it is a strategy."""
        waiting, total = [(np.arange(len(self.own)), 0, self.everything)], 0
        while waiting:
            members, turn, legal = waiting.pop()
            found = plays[members, turn] if turn < plays.shape[1] else np.array([-1])
            guess, answer = int(found[0]), self.answers[members[0]]
            if not 0 <= guess < len(self.guesses) or (found != guess).any() or not (legal is None or legal[guess]):
                raise Refused(f"guess {turn + 1} of its strategy for {answer} is missing, illegal or no function of the rows")
            total += int(self.weights[members].sum())
            wrong = members[self.own[members] != guess]
            for code in np.unique(self.codes[wrong, guess]):
                part = wrong[self.codes[wrong, guess] == code]
                waiting.append((part, turn + 1, self.after(legal, guess, int(part[0]))))
        return total

    def openers(self) -> list[int]:
        """Return the openers that are to be checked: one of those that symbols and places turn into each other.

        That an exchange of two symbols or places changes nothing is tried out on the whole feedback matrix.
        """
        first, exchanged = np.arange(len(self.guesses)), []
        if self.rule is pegs_row and self.mode == "easy":
            for a, b in itertools.pairwise(range(self.letters.shape[1])):
                exchanged.append(self.letters[:, [{a: b, b: a}.get(i, i) for i in range(self.letters.shape[1])]])
            for a, b in itertools.pairwise(np.unique(self.letters)):
                exchanged.append(np.select([self.letters == a, self.letters == b], [b, a], self.letters))
        place = {word: i for i, word in enumerate(self.guesses)}
        answer = dict(zip(self.own.tolist(), range(len(self.own)), strict=True))
        for letters in exchanged:
            image = np.array([place.get("".join(map(chr, word)), -1) for word in letters])
            moved = np.array([answer.get(guess, -1) for guess in image[self.own].tolist()])
            if min(image.min(), moved.min()) < 0 or (self.weights[moved] != self.weights).any():
                continue
            while (self.codes[np.ix_(moved, image)] == self.codes).all() and (first[image] != first).any():
                first = np.minimum(first, first[image])
                np.minimum.at(first, image, first.copy())
        return np.flatnonzero(first == np.arange(len(first))).tolist()


def check_some(tasks: list[tuple[str, int]]) -> str | None:
    """Check claims and openers; return the first that does not hold, and why."""
    checker, claims, theorems = SHARED
    for kind, i in tasks:
        try:
            if kind == "claim":
                members, bound, turns, made = claims[i]
                checker.check_set(members, bound, turns, checker.led_to(members, made))
                continue
            for turns, limit in theorems:
                checker.check_guess(np.arange(len(checker.own)), i, limit, turns, checker.everything)
        except Refused as wrong:
            return f"{kind} {checker.guesses[i] if kind == 'opener' else i}: {wrong}"
    return None


def check(checker: Checker, about: dict[str, Any], arrays: dict[str, Ints], sample: float) -> None:
    """Check a certificate, or a sample of it, and print what it proves; raises Refused."""
    global SHARED
    claims, openers, began = list(checker.take(arrays)), checker.openers(), time.monotonic()
    if about["opener"] is not None:
        openers = [about["opener"]]
    SHARED = checker, claims, about["at_least"]
    tasks = [("claim", i) for i in range(len(claims))] + [("opener", guess) for guess in openers]
    drawn = [tasks[i] for i in np.random.default_rng().permutation(len(tasks))[: math.ceil(sample * len(tasks))]]
    with multiprocessing.get_context("fork").Pool() as pool:
        for done, wrong in enumerate(pool.imap_unordered(check_some, [drawn[i::400] for i in range(400)])):
            print(f"\r{done / 4:.0f} % checked", end="", file=sys.stderr)
            if wrong:
                raise Refused(wrong)
    if about["total"] is not None and checker.played(arrays["plays"]) != about["total"]:
        raise Refused(f"its strategy takes {checker.played(arrays['plays'])}, not {about['total']}")
    print(f"\r{len(drawn)} of {len(claims)} claims and {len(openers)} openers hold ({time.monotonic() - began:.0f} s)")
    begins = "" if about["opener"] is None else f"that begins with {checker.guesses[about['opener']]} "
    for turns, least in about["at_least"]:
        ends = "finds every answer" if least >= INFINITE else f"has a total below {least}"
        print(f"{'Proved' if sample == 1 else 'If all hold'}: no strategy {begins}{ends}{f' within {turns} turns' * (turns > 0)}")
    if about["total"] is not None:
        print(f"One has {about['total']}; it begins with {checker.guesses[int(arrays['plays'][0, 0])]}")


def main() -> int:
    """Check the certificate that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--answers", type=Path, help="words that may be the answer, one a line")
    parser.add_argument("--guesses", type=Path, help="words that may be guessed")
    parser.add_argument("--sample", type=float, default=1.0, help="check this share of claims and openers, drawn anew")
    args = parser.parse_args()
    try:
        with np.load(args.file, allow_pickle=False) as file:
            arrays = dict(file)
        about = json.loads(arrays["about"].tobytes())
        if about["format"] != FORMAT or not 0 < args.sample <= 1:
            raise ValueError(f"its format is {about['format']}, known is {FORMAT}; a sample is above 0 and at most 1")
        check(Checker(about, arrays, words_of(about["game"], args.answers, args.guesses)), about, arrays, args.sample)
    except Refused as wrong:
        print(f"\r{args.file} is refused: {wrong}", file=sys.stderr)
        return 1
    except (OSError, ValueError, KeyError, TypeError, IndexError, zipfile.BadZipFile) as error:
        print(f"{args.file} was not checked: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
