"""Check what a certificate says of a guessing game, by Python 3.11 and NumPy alone: see docs/proof.md."""

import argparse
import hashlib
import json
import multiprocessing
import os
import signal
import sys
from itertools import permutations, product, takewhile
from pathlib import Path
from typing import Any

import numpy as np

FORMAT, INFINITE = 1, 2**60  # what a set costs that no strategy solves within the turns left
LISTS = Path(__file__).parent.parent / "games" / "data"  # where Sleuth has its lists of words
PAIRWISE, FEW = 48, 40  # answers of sets that compare them by twos; codes of games that bound by class sizes
KEPT, PIECES, SHARED = 2**28, 400, list[Any]()  # codes remembered; parts of the work; what they all check
Array = Any  # of int64, or as it says; of legal guesses ascending, in easy mode none


class RefusedError(Exception):
    """The certificate does not prove what it says."""


def wordle_row(guess: Array, words: Array) -> Array:
    """Return the feedback of a guess for words, sum of mark * 3**place: 2 in place, 1 elsewhere, 0 not."""
    marks = [2 * (words[:, i] == guess[i]).astype(np.int64) for i in range(len(guess))]
    free = [mark == 0 for mark in marks]  # letters of the word that no letter of the guess claims
    for i, j in product(range(len(guess)), repeat=2):  # from the left, each claims the first
        hit = (marks[i] == 0) & free[j] & (words[:, j] == guess[i])
        marks[i], free[j] = marks[i] + hit, free[j] & ~hit
    return sum(mark * 3**i for i, mark in enumerate(marks))


def pegs_row(guess: Array, codes: Array) -> Array:
    """Return the feedback of a guess for codes, (pegs + 1) * in place + in place or elsewhere."""
    both = [np.minimum((codes == c).sum(1), (guess == c).sum()) for c in np.unique(guess)]
    return (codes == guess).sum(1) * (len(guess) + 1) + np.sum(both, axis=0)


def words_of(game: dict[str, Any], files: dict[str, Path | None]) -> list[list[str]]:
    """Return the answers and the guesses of a game."""
    if game["rules"] == "table":  # words and feedback are a part of the theorem
        return [game["answers"], game["guesses"]]
    if game["rules"] in ("pegs", "black"):  # all codes, so that names and places may be changed (symmetry)
        codes = map("".join, product(game["symbols"] + "", repeat=game["pegs"]))  # symbols are a text
        return [[code for code in codes if game["repeats"] is True or len(set(code)) == len(code)]] * 2
    lists: list[list[str]] = []
    for kind, file in files.items():  # the answers may be guessed
        lists.append(sorted({*(file or LISTS / game[kind]["file"]).read_text("utf-8").split()}.union(*lists)))
        if (digest := hashlib.sha256("\n".join(lists[-1]).encode()).hexdigest()) != game[kind]["sha256"]:
            raise RefusedError(f"it is about other {kind} than these {len(lists[-1])}, of SHA-256 {digest}")
    return lists


class Checker:
    """A game, from its rules and words, and what is claimed of sets of its answers."""

    def __init__(self, about: dict[str, Any], arrays: dict[str, Array], words: list[list[str]]) -> None:
        rules: Any = {"wordle": wordle_row, "pegs": pegs_row, "black": pegs_row, "table": None}
        self.mode, self.rule, self.where = about["mode"], rules[about["game"]["rules"]], "nowhere yet"
        self.answers, self.guesses = words
        self.own = np.array([self.guesses.index(word) for word in self.answers])  # the guess an answer is
        self.weights, n = arrays["weights"], len(self.answers)
        if len(self.weights) != n or min(self.weights) < 0 or sum(self.weights.tolist()) * n >= INFINITE:
            raise RefusedError("its weights are not one natural number for each answer, or too large")
        self.uniform = bool((self.weights == 1).all())
        black, apart = about["game"]["rules"] == "black", about["game"].get("repeats") is True
        symbols = [[ord(c) + 2**21 * black * i for i, c in enumerate(w)] for w in words[1] if self.rule]
        self.letters, self.names = np.array(symbols), np.array(symbols) % 2 ** (60 if apart else 21)
        self.symmetric = self.uniform and self.mode == "easy" and self.rule is pegs_row
        rows = [self.rule(word, self.letters[self.own]) for word in self.letters]
        codes = np.array(rows, np.uint16) if self.rule else arrays["feedback"]
        fits = codes.shape == (len({*words[1]}), len({*words[0]})) == (len(words[1]), n)  # no word is twice
        fits = fits and codes.min() >= 0 and self.letters.shape[-1] <= 10
        if not fits or ((codes[self.own] == np.diag(codes[self.own])[:, None]).sum(1) > 1).any():
            raise RefusedError("its words or feedback do not fit, or a wrong guess gets that of a right one")
        self.n_codes, self.most = int(codes.max()) + 1, max(len(np.unique(row)) for row in codes)
        self.codes = np.ascontiguousarray(codes.T.astype(np.min_scalar_type(self.n_codes)))
        wrong = (np.bincount(row[self.own != guess], minlength=1) for guess, row in enumerate(codes))
        self.removed = n - min(int(sizes.max()) for sizes in wrong)  # answers outside its largest class
        floors, depth, found, out = [0, 1], 1, 1, max(1, self.removed)
        for size in range(2, n + 1):  # bounds 6 and 7; within `depth` guesses `found` are found at most
            depth, found = (depth + 1, found * max(2, self.most)) if size > found else (depth, found)
            floors.append(max(floors[-1] + depth, size + out - 1 + floors[size - out] if size > out else 0))
        self.floors = np.array(floors)
        if self.mode not in ["easy"] + ["strict"] * bool(self.rule) + ["hard"] * (self.rule is wordle_row):
            raise RefusedError(f"its rules have no {self.mode} mode here")
        self.everything = np.arange(len(self.guesses) * (self.mode != "easy"), dtype=np.uint32)
        self.claims, self.lost, self.scans, self.rows, self.keeps = (dict[Any, Any]() for _ in range(5))

    def after(self, legal: Array, guess: int, answer: int) -> Array:
        """Return which guesses are legal after one more row, whose feedback is that for `answer`."""
        if self.mode == "easy":
            return legal
        if guess not in self.rows:  # what the guess would get were each guess the answer
            row = self.rule(self.letters[guess], self.letters)
            self.rows = self.rows if len(self.rows) * len(row) < KEPT else {}
            self.rows[guess] = row.astype(np.min_scalar_type(row.max()))
        row, word, got = self.rows[guess], self.guesses[guess], int(self.rows[guess][self.own[answer]])
        if self.mode == "strict":
            return legal[row[legal] == got]
        key = tuple(map(word.index, word)), got  # of letters, it matters which are the same
        if key not in self.keeps:
            places = 3 ** np.arange(len(word))
            would, marks = np.arange(3 ** len(word))[:, None] // places % 3, got // places % 3
            same = ([letter == other for other in word] for letter in word)
            hints = [(would[:, at] > 0).sum(1) >= (marks[at] > 0).sum() for at in same]
            self.keeps[key] = np.all([(would[:, marks == 2] == 2).all(1), *hints], axis=0)
        return legal[self.keeps[key][row[legal]]]

    def split(self, members: Array, guess: int) -> list[Array]:
        """Return the classes of a guess on a set, the largest first; a right answer is in none."""
        wrong = members[self.own[members] != guess]
        codes = self.codes[wrong, guess]
        return sorted((wrong[codes == code] for code in np.unique(codes)), key=len, reverse=True)

    def by_size(self, members: Array, turns: float) -> int:
        """Return what a set costs at least by its size and weights (bounds 1, 6 and 7)."""
        weights = self.weights[members]
        if turns < 1 or len(members) > 1 + self.removed * (turns - 1):
            return INFINITE
        return int(self.floors[len(members)] if self.uniform else 2 * weights.sum() - weights.max())

    def least(self, words: list[int], orders: Array) -> tuple[str, Array]:
        """Return the least image of words under moves, and the orders of their places that give it."""
        rows = np.moveaxis(self.names[words][:, orders], 1, 0).reshape(len(orders), -1)
        images = (rows[:, :, None] == rows[:, None]).argmax(2)  # symbols are called by where they are first
        return str(least := min(images.tolist())), orders[(images == least).all(1)]

    def of_each_kind(self, guesses: list[int], made: list[int]) -> list[int]:
        """Return the first guess of each kind: moves that keep what was made lead to others (symmetry)."""
        orders = np.array([*permutations(range(n))] if (n := self.letters.shape[1]) < 10 else [range(n)])
        orders = self.least(made, orders)[1] if made else orders
        return sorted({self.least([*made, guess], orders)[0]: guess for guess in guesses[::-1]}.values())

    def scan(self, members: Array, turns: float, legal: Array) -> tuple[Array, Array]:
        """Return the legal guesses, and what each costs at least (bound 2; the last turn but one decides)."""
        some = slice(None) if self.mode == "easy" else legal
        guesses = np.arange(len(self.guesses))[some]
        members = members[np.argsort(-self.weights[members], kind="stable")]  # of a class the heaviest counts
        weights, by_sizes = self.weights[members], self.uniform and FEW > self.most < len(members)
        if len(members) < PAIRWISE and not by_sizes:
            codes = self.codes[members] if self.mode == "easy" else self.codes[members[:, None], legal]
            gains = sum(w * (codes[:i] ^ codes[i]).min(0, initial=1) for i, w in enumerate(weights))
        else:
            met = np.zeros((len(guesses), self.n_codes), bool if self.uniform and not by_sizes else np.int64)
            flat, first = met.reshape(-1), np.arange(len(guesses)) * self.n_codes
            for answer, weight in zip(members[::-1], weights[::-1], strict=True):
                at = first + self.codes[answer][some]
                flat[at] = flat[at] + 1 if by_sizes else weight
            gains = (2 * met - self.floors[met] if by_sizes else met).sum(1)
        own = np.zeros(len(self.guesses), np.int64)
        own[self.own[members]] = weights
        costs = 3 * weights.sum() - gains - own[guesses]
        costs[(turns == 2) & (gains < weights.sum())] = INFINITE
        lost, owners, of = self.lost.get(turns - 1, ([], *2 * [np.zeros(0, int)]))
        outside = np.bincount(owners[np.isin(of, members, invert=True)], minlength=len(lost))
        for i in takewhile(lambda _: costs.min() < INFINITE, np.flatnonzero(outside == 0)):
            costs[np.ptp(self.codes[lost[i]][:, some], 0) == 0] = INFINITE  # they stay together (bound 4)
        return guesses, costs

    def check_set(self, claim: Any, some: list[int] | None = None) -> None:
        """Check a claim, or that some guesses cost as much as it says, if claims of smaller sets are true."""
        members, bound, turns, made = claim
        legal = self.after_all(members, made)
        if some is None:
            guesses, costs = self.scan(members, turns, legal)
            some = guesses[costs < bound].tolist()
            whole = np.flatnonzero((self.codes[:, made] == self.codes[members[0], made]).all(1))
            if self.symmetric and np.array_equal(whole, members):  # what keeps those made keeps the set
                some = self.of_each_kind(some, made)
        for guess in some:
            self.check_guess(members, guess, bound, turns, legal)

    def check_guess(self, members: Array, guess: int, bound: int, turns: float, legal: Array) -> None:
        """Check that a set costs so much at least where a guess comes first."""
        parts = self.split(members, guess)
        cost, known = int(self.weights[members].sum()), [self.by_size(part, turns - 1) for part in parts]
        if cost + sum(known) >= bound or (parts and len(parts[0]) == len(members)):
            return  # or it tells nothing, and no strategy is the better for it
        then = [self.after(legal, guess, int(part[0])) for part in parts]
        names = [(part.tobytes(), legal.tobytes()) for part, legal in zip(parts, then, strict=True)]
        for i, name in enumerate(names):  # what is claimed of them
            known[i] = max(known[i], *(self.claims.get((name, left), 0) for left in (np.inf, turns - 1)))
        for i, key in enumerate((name, turns) for name in names):  # one scan of each (bound 3)
            if cost + sum(known) >= bound:
                return
            if key not in self.scans:
                self.scans[key] = int(self.scan(parts[i], turns - 1, then[i])[1].min(initial=INFINITE))
            known[i] = max(known[i], self.scans[key])
        if (total := cost + sum(known)) < bound:
            raise RefusedError(f"{self.where}: {self.guesses[guess]} may take {total}, claimed is {bound}")

    def after_all(self, members: Array, made: list[int]) -> Array:
        """Return which guesses are legal after some that lead to a set."""
        legal: Array = self.everything
        for guess in made if self.mode != "easy" else []:
            if guess not in legal or np.ptp(self.codes[members, guess]):
                raise RefusedError(f"{self.guesses[guess]} does not lead to its answers")
            legal = self.after(legal, guess, int(members[0]))
        return legal

    def take(self, arrays: dict[str, Array]) -> list[Any]:
        """Take up what is claimed. Raises RefusedError for what is no set of answers, in order."""
        sets, claims = np.split(arrays["members"], np.cumsum(arrays["sizes"]))[:-1], []
        rest = (arrays[name].tolist() for name in ("bounds", "turns", "made"))
        for i, (part, bound, turns, made) in enumerate(zip(sets, *rest, strict=True)):
            if len(part) < 2 or (np.diff(part) <= 0).any() or part[0] < 0 or part[-1] >= len(self.own):
                raise RefusedError(f"claim {i}: its answers are not in order, or not in the list")
            claims.append((part, bound, turns or np.inf, [guess for guess in made if guess >= 0]))
            key = (part.tobytes(), self.after_all(part, claims[i][3]).tobytes()), claims[i][2]
            self.claims[key] = max(bound, self.claims.get(key, 0))
        for left in {claim[2] for claim in claims}:  # sets that no strategy solves, whatever is legal
            lost = [one[0] for one in claims if one[1] >= INFINITE and one[2:] == (left, [])]
            pairs = np.array([(i, one) for i, part in enumerate(lost) for one in part], int).reshape(-1, 2)
            self.lost[left] = lost, *pairs.T
        return claims

    def played(self, plays: Array, members: Array, turn: int, legal: Array) -> int:
        """Return what answers take by what is played on each, int [answers, turns], if it is a strategy."""
        guess = int(plays[members[0], turn]) if turn < plays.shape[1] else -1
        if guess < 0 or (plays[members, turn] != guess).any() or (self.mode != "easy" and guess not in legal):
            raise RefusedError(f"guess {turn + 1} for {self.answers[members[0]]} is missing or not allowed")
        then = [(s, turn + 1, self.after(legal, guess, int(s[0]))) for s in self.split(members, guess)]
        return int(self.weights[members].sum()) + sum(self.played(plays, *one) for one in then)


def begin(*shared: Any) -> None:
    """Hand a process what all of them check."""
    SHARED[:] = shared


def check_some(some: list[int]) -> None:
    """Check some of what is to be checked. Raises RefusedError for the first that fails."""
    checker, tasks = SHARED
    for checker.where, *task in map(tasks.__getitem__, some):
        checker.scans.clear()
        checker.check_set(*task)


def check(file: Path, answers: Path | None, guesses: Path | None, sample: float, watch: Any) -> Any:
    """Check a certificate, or a share drawn anew, and yield what holds. Raises what stands against it."""
    with file.open("rb") as opened, np.load(opened, allow_pickle=False) as stored:
        arrays = {name: array.astype(np.int64, casting="same_kind") for name, array in stored.items()}
    about = json.loads(bytes(arrays.pop("about").astype(np.uint8)), parse_constant=int)
    if about["format"] != FORMAT or not 0 < sample <= 1:
        raise ValueError(f"its format is {about['format']}, {FORMAT} is known here; a share is in (0, 1]")
    game, plays, asked, theorems = about["game"], arrays.get("plays"), about["opener"], about["at_least"]
    if not theorems or (plays is None) != (about["total"] is None):
        raise RefusedError("it states nothing, or a total without a strategy, or a strategy without one")
    checker = Checker(about, arrays, words_of(game, {"answers": answers, "guesses": guesses}))
    claims, names, everyone = checker.take(arrays), checker.guesses, np.arange(len(checker.own))
    if plays is not None:
        plays = plays[:, plays.max(0) >= 0]  # turns that no game comes to are none
        total, first = checker.played(plays, everyone, 0, checker.everything), names[plays[0, 0]]
        best = max((least for turns, least in theorems if not 0 < turns < plays.shape[1]), default=0)
        late = (plays[:, 1:] >= 0) & np.maximum.accumulate(plays == checker.own[:, None], axis=1)[:, :-1]
        if total != about["total"] or total < best or asked not in (None, first) or late.any():
            raise RefusedError(f"its strategy takes {total}, begins with {first}, and it says otherwise")
    openers = list(range(len(names))) if asked is None else [names.index(asked)]
    if asked is not None and any(len(part) == len(everyone) for part in checker.split(everyone, openers[0])):
        raise RefusedError(f"{asked} tells nothing at first: what begins with it is not proved here")
    openers = checker.of_each_kind(openers, []) if checker.symmetric else openers
    tasks: list[Any] = [(f"claim {i}", claim) for i, claim in enumerate(claims)]
    tasks += [("an opener", (everyone, b, t or np.inf, []), [one]) for one in openers for t, b in theorems]
    drawn = np.random.default_rng().permutation(len(tasks))[: int(np.ceil(sample * len(tasks)))].tolist()
    heard = signal.signal(signal.SIGINT, signal.SIG_IGN)  # what begins now is never to hear Ctrl-C
    with multiprocessing.get_context("spawn").Pool(None, begin, (checker, tasks)) as pool:
        signal.signal(signal.SIGINT, heard)
        for done, _ in enumerate(pool.imap_unordered(check_some, [drawn[i::PIECES] for i in range(PIECES)])):
            watch(done + 1)
    who = "no strategy" if asked is None else f"no strategy that begins with {asked}"
    who, w = f"{'Proved' if len(drawn) == len(tasks) else 'If all hold'}: {who}", checker.weights
    yield f"{checker.mode} mode, {len(w)} answers of weights {min(w)} to {max(w)}, {len(names)} guesses"
    yield json.dumps({key: value for key, value in game.items() if not isinstance(value, list)})
    yield f"checked: {len(drawn)} of {len(tasks)} ({len(claims)} claims, {len(openers)} openers)"
    for turns, least in theorems:
        what = "finds every answer" if least >= INFINITE else f"has a total below {least:d}"
        yield f"{who} {what}{f' within {turns:d} turns' if turns else ''}"
    if plays is not None:
        yield f"One has {total}, of {plays.shape[1]} guesses at most; it begins with {first}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Check a certificate; docs/proof.md says what that proves.")
    parser.add_argument("file", type=Path)
    for option, what in (("--answers", "words that may be the answer"), ("--guesses", "that may be guessed")):
        parser.add_argument(option, type=Path, metavar="FILE", help=what)
    parser.add_argument("--sample", type=float, default=1.0, help="check this share, drawn anew")
    args = parser.parse_args()
    show = sys.stderr.write if sys.stderr and sys.stderr.isatty() else len
    try:
        os.write(1, "\n".join([*check(**vars(args), watch=lambda n: show(f"{n}/{PIECES}\r")), ""]).encode())
    except RefusedError as error:
        sys.exit(f"{args.file} is refused: {error}")
    except (Exception, KeyboardInterrupt) as error:  # or not written (print may fail too late)
        parser.exit(2 + 128 * (type(error) is KeyboardInterrupt), f"{args.file} is not checked: {error!r}\n")
