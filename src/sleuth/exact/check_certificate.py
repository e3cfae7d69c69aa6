"""Check a certificate: that no strategy for a guessing game takes fewer guesses than it says.

    python check_certificate.py FILE [--answers FILE] [--guesses FILE] [--sample SHARE]

This one file needs Python 3.11 and NumPy, and nothing of Sleuth. docs/proof.md says what a certificate is and
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
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

FORMAT = 1
INFINITE = 2**60  # what a set costs that no strategy solves within the turns left
LISTS = Path(__file__).parent.parent / "games" / "data"  # where Sleuth has its lists of words
PAIRWISE = 48  # smaller sets compare their answers by twos, larger ones mark the codes they meet
KEPT, PIECES = 1000, 400  # rows of feedback that are remembered; parts that the work is cut in
Ints = NDArray[np.integer[Any]]
Legal = NDArray[np.bool_] | None  # which guesses are legal, or None where all are
Claim = tuple[Ints, int, float, list[int]]  # answers, what they cost at least, turns left, guesses made


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


RULES: dict[str, Callable[[Ints, Ints], Ints] | None] = {
    "wordle": wordle_row,
    "pegs": pegs_row,
    "table": None,
}


def words_of(game: dict[str, Any], files: dict[str, Path | None]) -> list[list[str]]:
    """Return the answers and the guesses of a game."""
    if game["rules"] == "pegs":
        codes = itertools.product(game["symbols"], repeat=game["pegs"])
        found = ["".join(code) for code in codes if game["repeats"] or len(set(code)) == len(code)]
        return [found, found]
    lists = [game["answers"], game["guesses"]]
    if game["rules"] == "wordle":
        texts = [(files[kind] or LISTS / game[f"{kind} file"]).read_text("utf-8") for kind in files]
        lists = [sorted(set(text.split())) for text in texts]
    for kind, words in zip(files, lists, strict=True):
        if (digest := hashlib.sha256("\n".join(words).encode()).hexdigest()) != game[f"{kind} sha256"]:
            raise Refused(f"it is about other {kind} than these {len(words)}, whose SHA-256 is {digest}")
    return lists


class Checker:
    """A game, from its rules and words, and what is claimed of sets of its answers."""

    def __init__(self, about: dict[str, Any], arrays: dict[str, Ints], words: list[list[str]]) -> None:
        self.mode, self.rule = about["mode"], RULES[about["game"]["rules"]]
        self.answers, self.guesses = words
        self.own = np.array([self.guesses.index(word) for word in self.answers])  # the guess an answer is
        self.weights, n = arrays["weights"], len(self.answers)
        limit = INFINITE // (n + 1)
        if self.weights.shape != (n,) or self.weights.min() < 0 or sum(self.weights.tolist()) >= limit:
            raise Refused("its weights are not one natural number for each answer, or too large")
        self.uniform = bool((self.weights == 1).all())
        if self.rule is None:
            codes = arrays["feedback"]
        else:
            self.letters = np.array([[ord(letter) for letter in word] for word in self.guesses])
            codes = np.array([self.rule(word, self.letters[self.own]) for word in self.letters], np.uint16)
        self.n_codes = int(codes.max()) + 1
        if codes.shape != (len(self.guesses), n) or codes.min() < 0 or self.n_codes > 2**16:
            raise Refused("its feedback does not fit its words")
        if ((codes[self.own] == np.diag(codes[self.own])[:, None]).sum(1) > 1).any():
            raise Refused("a wrong guess gets the feedback of a right one")
        modes = {"easy", *(["strict"] if self.rule else []), *(["hard"] if self.rule is wordle_row else [])}
        if self.mode not in modes:
            raise Refused(f"its rules have no {self.mode} mode here")
        self.codes = np.ascontiguousarray(codes.T.astype(np.uint8 if self.n_codes <= 256 else np.uint16))
        self.most = max(len(np.unique(row)) for row in codes)  # classes that a guess has
        wrong = [np.bincount(row[self.own != guess], minlength=1) for guess, row in enumerate(codes)]
        self.removed = n - min(int(sizes.max()) for sizes in wrong)  # answers outside its largest class
        floors, depth, found = [0, 1], 1, 1
        for size in range(2, n + 1):  # bound 6: so many are found within `depth` guesses
            if size > found:
                depth, found = depth + 1, found * max(2, self.most)
            floors.append(floors[-1] + depth)
        for size in range(max(1, self.removed) + 1, n + 1):  # bound 7
            floors[size] = max(floors[size], size + self.removed - 1 + floors[size - self.removed])
        self.floors = np.array(floors)
        self.everything: Legal = None if self.mode == "easy" else np.ones(len(self.guesses), bool)
        self.claims: dict[tuple[float, bytes, bytes], int] = {}
        self.rows: dict[int, Ints] = {}

    def after(self, legal: Legal, guess: int, answer: int) -> Legal:
        """Return which guesses are legal after one more row, whose feedback is that for `answer`."""
        if legal is None or self.rule is None:
            return None
        if guess not in self.rows:  # what the guess would get were each guess the answer
            if len(self.rows) >= KEPT:
                self.rows.clear()
            self.rows[guess] = self.rule(self.letters[guess], self.letters)
        row = self.rows[guess]
        got = row[self.own[answer]]
        if self.mode == "strict":
            return legal & (row == got)
        word, places = self.letters[guess], 3 ** np.arange(self.letters.shape[1])
        would, marks = np.arange(3 ** len(word))[:, None] // places % 3, got // places % 3
        keeps = (would[:, marks == 2] == 2).all(1)
        for letter in np.unique(word):
            keeps &= (would[:, word == letter] > 0).sum(1) >= (marks[word == letter] > 0).sum()
        return legal & keeps[row]

    def split(self, members: Ints, guess: int) -> list[Ints]:
        """Return the classes of a guess on a set, the largest first; a right answer is in none."""
        wrong = members[self.own[members] != guess]
        codes = self.codes[wrong, guess]
        order = np.argsort(codes, kind="stable")
        parts = np.split(wrong[order], np.flatnonzero(np.diff(codes[order])) + 1) if len(wrong) else []
        return sorted(parts, key=len, reverse=True)

    def by_size(self, members: Ints, turns: float) -> int:
        """Return what a set costs at least by its size and weights (bounds 1, 6 and 7)."""
        weights = self.weights[members]
        if turns < 1 or len(members) > 1 + self.removed * (turns - 1):
            return INFINITE
        return int(self.floors[len(members)] if self.uniform else 2 * weights.sum() - weights.max())

    def scan(self, members: Ints, legal: Legal) -> tuple[Ints, Ints, Ints]:
        """Return the legal guesses, what each costs on a set at least (bound 2), and what it gains."""
        guesses = np.arange(len(self.guesses)) if legal is None else np.flatnonzero(legal)
        members = members[np.argsort(-self.weights[members], kind="stable")]  # of a class the heaviest counts
        weights, by_sizes = self.weights[members], self.uniform and len(members) > self.most
        if len(members) < PAIRWISE and not by_sizes:
            codes = self.codes[members][:, guesses]
            new = ((codes[:i] ^ codes[i]).min(0, initial=1) for i in range(len(members)))
            gains = sum(weight * first for weight, first in zip(weights, new, strict=True))
        else:
            met = np.zeros((len(guesses), self.n_codes), bool if self.uniform and not by_sizes else np.int64)
            flat, first = met.reshape(-1), np.arange(len(guesses)) * self.n_codes
            for answer, weight in zip(members[::-1], weights[::-1], strict=True):
                at = first + self.codes[answer][guesses]
                flat[at] = flat[at] + 1 if by_sizes else weight
            gains = (2 * met - self.floors[met] if by_sizes else met).sum(1)
        own = np.zeros(len(self.guesses), np.int64)
        own[self.own[members]] = weights
        return guesses, 3 * weights.sum() - gains - own[guesses], gains

    def check_set(self, claim: Claim) -> None:
        """Check what is claimed of a set, if what is claimed of smaller sets is true."""
        members, bound, turns, made = claim
        if self.by_size(members, turns) < bound:
            legal = self.after_all(members, made)
            guesses, costs, gains = self.scan(members, legal)
            if turns == 2:  # then only a guess that tells all apart will do
                costs = np.where(gains < self.weights[members].sum(), INFINITE, costs)
            for guess in guesses[costs < bound].tolist():
                self.check_guess(members, guess, bound, turns, legal)

    def check_guess(self, members: Ints, guess: int, bound: int, turns: float, legal: Legal) -> None:
        """Check that a set costs so much at least where a guess comes first."""
        parts = self.split(members, guess)
        if parts and len(parts[0]) == len(members):
            return  # it tells nothing, and no strategy is the better for it
        known = [self.by_size(part, turns - 1) for part in parts]
        total = int(self.weights[members].sum()) + sum(known)
        then: list[Legal] = []
        for i, part in enumerate(parts if total < bound else []):  # what is claimed of them
            then.append(self.after(legal, guess, int(part[0])))
            keys = (self.key(part, left, then[i]) for left in (math.inf, turns - 1))
            better = max(known[i], *(self.claims.get(key, 0) for key in keys))
            known[i], total = better, total + better - known[i]
        for i, part in enumerate(parts):  # one scan of each (bound 3)
            if total >= bound:
                return
            least = int(self.scan(part, then[i])[1].min(initial=INFINITE))
            total += max(0, least - known[i])
        if total < bound:
            raise Refused(f"{self.guesses[guess]} may take {total}, and {bound} is claimed")

    def key(self, members: Ints, turns: float, legal: Legal) -> tuple[float, bytes, bytes]:
        """Return what a set is found by."""
        return turns, members.tobytes(), b"" if legal is None else np.packbits(legal).tobytes()

    def after_all(self, members: Ints, made: list[int]) -> Legal:
        """Return which guesses are legal after some that lead to a set. Raises Refused where they do not."""
        legal = self.everything
        for guess in made if legal is not None else []:
            if not legal[guess] or np.ptp(self.codes[members, guess]) or guess in self.own[members]:
                raise Refused(f"{self.guesses[guess]} does not lead to its answers")
            legal = self.after(legal, guess, int(members[0]))
        return legal

    def take(self, arrays: dict[str, Ints]) -> list[Claim]:
        """Take up what is claimed. Raises Refused for what is no set of answers, in order."""
        sets = np.split(arrays["members"], np.cumsum(arrays["sizes"]))[:-1]
        rest = (arrays[name].tolist() for name in ("bounds", "turns", "made"))
        claims = []
        for i, (part, bound, turns, made) in enumerate(zip(sets, *rest, strict=True)):
            claims.append((part, bound, turns or math.inf, [guess for guess in made if guess >= 0]))
            if len(part) < 2 or (np.diff(part) <= 0).any() or part[0] < 0 or part[-1] >= len(self.own):
                raise Refused(f"claim {i}: its answers are not in order, or not in the list")
            key = self.key(part, turns or math.inf, self.after_all(part, claims[i][3]))
            self.claims[key] = max(bound, self.claims.get(key, 0))
        return claims

    def played(self, plays: Ints) -> int:
        """Return the total of what is played on each answer, int [answers, turns], if it is a strategy."""
        waiting, total = [(np.arange(len(self.own)), 0, self.everything)], 0
        while waiting:
            members, turn, legal = waiting.pop()
            found = plays[members, turn] if turn < plays.shape[1] else np.array([-1])
            guess, answer = int(found[0]), self.answers[members[0]]
            if (found != guess).any() or guess < 0 or not (legal is None or legal[guess]):
                raise Refused(f"guess {turn + 1} of its strategy for {answer} is missing or not allowed")
            total += int(self.weights[members].sum())
            parts = self.split(members, guess)
            waiting += [(part, turn + 1, self.after(legal, guess, int(part[0]))) for part in parts]
        return total

    def openers(self, opener: str | None) -> list[int]:
        """Return the openers to check: for codes one of those that differ by names of symbols and places."""
        if opener is not None:
            return [self.guesses.index(opener)]
        if self.rule is not pegs_row or self.mode != "easy" or not self.uniform:
            return list(range(len(self.guesses)))
        kinds = [tuple(sorted(map(guess.count, set(guess)))) for guess in self.guesses]
        return [kinds.index(kind) for kind in sorted(set(kinds))]


def begin(*shared: Any) -> None:
    """Hand a process what all of them check."""
    global SHARED
    SHARED = shared


def check_some(tasks: list[int]) -> str:
    """Check claims, and openers, numbered after those; say what is wrong with the first that fails, if any."""
    checker, claims, theorems = SHARED
    for task in tasks:
        guess = task - len(claims)
        try:
            if guess < 0:
                checker.check_set(claims[task])
            for turns, bound in theorems if guess >= 0 else []:
                everyone = np.arange(len(checker.own))
                checker.check_guess(everyone, guess, bound, turns or math.inf, checker.everything)
        except Refused as wrong:
            return f"{f'claim {task}' if guess < 0 else 'an opener'}: {wrong}"
    return ""


def check(file: Path, answers: Path | None, guesses: Path | None, sample: float, watch: Any) -> list[str]:
    """Check a certificate, or a share of it drawn anew, and return what holds, in sentences.

    answers, guesses: files of words. watch: told how much is done, of how much. Raises Refused, and any other
    exception for what is no certificate.
    """
    with np.load(file, allow_pickle=False) as stored:
        arrays = dict(stored)
    about = json.loads(arrays["about"].tobytes())
    if about["format"] != FORMAT or any(array.dtype.kind not in "iu" for array in arrays.values()):
        raise ValueError(f"its format is not {FORMAT}")
    arrays = {name: array.astype(np.int64) for name, array in arrays.items()}
    checker = Checker(about, arrays, words_of(about["game"], {"answers": answers, "guesses": guesses}))
    claims, openers = checker.take(arrays), checker.openers(about["opener"])
    if about["total"] is not None and (total := checker.played(arrays["plays"])) != about["total"]:
        raise Refused(f"its strategy takes {total}, not {about['total']}")
    tasks = np.r_[np.arange(len(claims)), np.array(openers) + len(claims)]
    drawn = np.random.default_rng().permutation(tasks)[: math.ceil(sample * len(tasks))].tolist()
    with multiprocessing.Pool(initializer=begin, initargs=(checker, claims, about["at_least"])) as pool:
        pieces = pool.imap_unordered(check_some, [drawn[i::PIECES] for i in range(PIECES)])
        for done, wrong in enumerate(pieces, 1):
            watch(done, PIECES)
            if wrong:
                raise Refused(wrong)
    holds = [f"{len(drawn)} of {len(claims)} claims and {len(openers)} openers hold"]
    for turns, least in about["at_least"]:
        holds.append("Proved: no strategy" if len(drawn) == len(tasks) else "If all hold: no strategy")
        holds[-1] += f" that begins with {about['opener']}" if about["opener"] is not None else ""
        holds[-1] += " finds every answer" if least >= INFINITE else f" has a total below {least}"
        holds[-1] += f" within {turns} turns" if turns else ""
    if about["total"] is not None:
        most, first = arrays["plays"].shape[1], checker.guesses[int(arrays["plays"][0, 0])]
        holds.append(f"One has {about['total']}, of {most} guesses at most; it begins with {first}")
    return holds


def main() -> int:
    """Check the certificate that the command line names."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--answers", type=Path, help="words that may be the answer, one a line")
    parser.add_argument("--guesses", type=Path, help="words that may be guessed, the answers among them")
    parser.add_argument("--sample", type=float, default=1.0, help="check this share, drawn anew")
    args = parser.parse_args()
    shown = {True: sys.stderr.write, False: len}[sys.stderr.isatty()]
    try:
        holds = check(**vars(args), watch=lambda done, total: shown(f"\r{100 * done // total} %\r"))
    except Refused as wrong:
        print(f"{args.file} is refused: {wrong}", file=sys.stderr)
        return 1
    except Exception as error:  # whatever it is, nothing is proved
        print(f"{args.file} was not checked: {type(error).__name__}: {error}", file=sys.stderr)
        return 2
    print("\n".join(holds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
