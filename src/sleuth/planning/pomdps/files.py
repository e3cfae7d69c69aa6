"""POMDPs in files of Cassandra's format, `.pomdp` (pomdp.org, "POMDP File Format"), read and written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from sleuth.planning.control import TOLERANCE, Weights
from sleuth.planning.pomdps.pomdp import POMDP, Rows, check_pomdp, with_observations
from sleuth.support.errors import SleuthError
from sleuth.support.files import bytes_of, save_bytes

_MOST_BYTES = 2**28
# Chances in files are rounded; a row that is off by no more than this is scaled.
_ROUNDING = 1e-4
_NAME = re.compile(r"[A-Za-z][\w-]*")
_TOKEN = re.compile(r":|[^\s:]+")
_TABLES = ("T", "O", "R")
_SETS = ("states", "actions", "observations")
_RESERVED = {*_TABLES, *_SETS, "discount", "values", "start", "include", "exclude", "uniform", "identity"}
_RESERVED |= {"reset", "reward", "cost"}


def read_pomdp(path: Path | str) -> POMDP:
    """Return the POMDP of a file. Raises SleuthError, naming the line, where it is none."""
    data = bytes_of(Path(path), _MOST_BYTES)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise SleuthError(f"{path}: line {line}: not UTF-8; a .pomdp file is plain text") from None
    try:
        return pomdp_from_text(text)
    except SleuthError as error:
        raise SleuthError(f"{path}: {error}") from None


def write_pomdp(pomdp: POMDP, path: Path | str) -> None:
    """Write a POMDP to a file, whole or not at all. Raises SleuthError where that cannot be done."""
    check_pomdp(pomdp)
    save_bytes(Path(path), pomdp_to_text(pomdp).encode())


def pomdp_to_text(pomdp: POMDP) -> str:
    """Return a POMDP in the format. Names that it has no room for, with spaces say, become numbers."""
    lines = [f"discount: {pomdp.discount!r}", "values: reward"]
    names = {}
    for kind in _SETS:
        given = getattr(pomdp, kind)
        fit = all(_NAME.fullmatch(name) and name not in _RESERVED for name in given)
        lines.append(f"{kind}: {' '.join(given) if fit else len(given)}")
        names[kind] = given if fit else tuple(map(str, range(len(given))))
    lines.append(f"start: {' '.join(repr(chance) for chance in pomdp.initial.tolist())}")
    states, actions = names["states"], names["actions"]
    for letter, table, columns in (
        ("T", pomdp.transition, states),
        ("O", pomdp.observation, names["observations"]),
    ):
        entries = zip(table.rows.tolist(), table.columns.tolist(), table.values.tolist(), strict=True)
        for row, column, value in entries:
            action, state = divmod(row, len(states))
            lines.append(f"{letter}: {actions[action]} : {states[state]} : {columns[column]} {value!r}")
    for action, state in np.argwhere(pomdp.reward).tolist():
        value = float(pomdp.reward[action, state])
        lines.append(f"R: {actions[action]} : {states[state]} : * : * {value!r}")
    return "\n".join(lines) + "\n"


def pomdp_from_text(text: str) -> POMDP:
    """Return the POMDP that a text states. Raises SleuthError naming the line."""
    return _Reader(text).pomdp()


class _Rule(NamedTuple):
    """A line of rewards. What it is for is a number, or None for all."""

    action: int | None
    state: int | None
    then: int | None
    seen: int | None
    value: float


class _Reader:
    """The words of a text, read from the first to the last."""

    def __init__(self, text: str) -> None:
        self.words: list[str] = []
        self.lines: list[int] = []
        for number, line in enumerate(text.splitlines(), 1):
            found = _TOKEN.findall(line.partition("#")[0])
            self.words += found
            self.lines += [number] * len(found)
        self.at = 0
        self.discount: float | None = None
        self.sign = 1.0
        self.names: dict[str, tuple[str, ...]] = {}
        self.places: dict[str, dict[str, int]] = {}
        self.initial: Weights | None = None
        self.tables: dict[str, dict[int, dict[int, float]]] = {"T": {}, "O": {}}
        self.lines_of: dict[tuple[str, int], int] = {}
        self.rules: list[_Rule] = []

    def pomdp(self) -> POMDP:
        while self.at < len(self.words):
            self._statement()
        for kind in _SETS:
            if kind not in self.names:
                self._fail(f"the {kind} are missing: '{kind}: ...' states them")
        if self.discount is None:
            self._fail("the discount is missing: 'discount: ...' states it")
        transition = self._table("T", len(self.names["states"]))
        observation = self._table("O", len(self.names["observations"]))
        n_states = len(self.names["states"])
        initial = np.full(n_states, 1 / n_states) if self.initial is None else self.initial
        reward = self.sign * self._expected(transition, observation)
        return POMDP(transition, observation, reward, self.discount, initial, **self.names)

    # Words

    def _fail(self, message: str, at: int | None = None) -> NoReturn:
        if not self.lines:
            raise SleuthError("there is nothing in it")
        place = min(self.at if at is None else at, len(self.lines) - 1)
        raise SleuthError(f"line {self.lines[place]}: {message}")

    def _peek(self) -> str:
        return self.words[self.at] if self.at < len(self.words) else ""

    def _next(self, what: str) -> str:
        if self.at == len(self.words):
            self._fail(f"the text ends where {what} should be")
        self.at += 1
        return self.words[self.at - 1]

    def _colon(self) -> None:
        if self._next("':'") != ":":
            self._fail(f"{self.words[self.at - 1]!r} stands where ':' should", self.at - 1)

    def _begins(self) -> bool:
        """Say whether a statement begins here, or the text ends."""
        then = self.words[self.at + 1] if self.at + 1 < len(self.words) else ""
        word = self._peek()
        if not word:
            return True
        return (word in (*_TABLES, *_SETS, "discount", "values", "start") and then == ":") or (
            word == "start" and then in ("include", "exclude")
        )

    def _number(self) -> float:
        word = self._next("a number")
        try:
            value = float(word)
        except ValueError:
            self._fail(f"{word!r} stands where a number should", self.at - 1)
        if not np.isfinite(value):
            self._fail(f"{word} is no finite number", self.at - 1)
        return value

    def _which(self, kind: str) -> int | None:
        """Return which state, action or observation is named; None for all."""
        if kind not in self.names:
            self._fail(f"the {kind} must be stated before they are used")
        word = self._next(f"one of the {kind}")
        if word == "*":
            return None
        places = self.places[kind]
        number = places.get(word)
        if number is None and word.isdecimal() and int(word) < len(places):
            number = int(word)
        if number is None:
            self._fail(f"{word!r} is none of the {len(places)} {kind}", self.at - 1)
        return number

    def _all(self, kind: str, which: int | None) -> Sequence[int]:
        return range(len(self.names[kind])) if which is None else (which,)

    # Statements

    def _statement(self) -> None:
        if not self._begins():
            self._fail(f"{self._peek()!r} begins no statement")
        word = self._next("a statement")
        if word == "start" and self.initial is not None:
            self._fail("the start is stated twice", self.at - 1)
        if word == "start" and self._peek() != ":":
            self._start_of_set(self._next("include or exclude"))
            return
        self._colon()
        if word == "discount":
            self.discount = self._number()
            if not 0 <= self.discount < 1:
                self._fail(f"a discount lies in [0, 1), not {self.discount}", self.at - 1)
        elif word == "values":
            kind = self._next("reward or cost")
            if kind not in ("reward", "cost"):
                self._fail(f"values are reward or cost, not {kind!r}", self.at - 1)
            self.sign = 1.0 if kind == "reward" else -1.0
        elif word in _SETS:
            self._set(word)
        elif word == "start":
            self._start()
        elif word == "R":
            self._rewards()
        else:
            self._chances(word)

    def _set(self, kind: str) -> None:
        if kind in self.names:
            self._fail(f"the {kind} are stated twice", self.at - 2)
        first = self.at
        while not self._begins():
            word = self._next(kind)
            if len(self.words) > self.at and self._peek() == ":":
                self._fail(f"{word!r} begins no statement", self.at - 1)
        found = self.words[first : self.at]
        if len(found) == 1 and found[0].isdecimal():
            if not 0 < int(found[0]) <= 10**7:
                self._fail(f"there cannot be {found[0]} {kind}", first)
            found = list(map(str, range(int(found[0]))))
        elif not found:
            self._fail(f"the {kind} are missing", first - 1)
        else:
            for place, name in enumerate(found):
                if not _NAME.fullmatch(name):
                    self._fail(f"{name!r} is no name of {kind}: letters, digits, _ and -", first + place)
        self.places[kind] = {}
        for place, name in enumerate(found):
            if self.places[kind].setdefault(name, place) != place:
                self._fail(f"{name!r} is listed twice among the {kind}", first + place)
        self.names[kind] = tuple(found)

    def _start(self) -> None:
        count = self._count("states")
        first = self.at
        if self._peek() == "uniform":
            self.at += 1
            self.initial = np.full(count, 1 / count)
            return
        words = 0
        while not self._begins():
            self.at += 1
            words += 1
        self.at = first
        if words == 1 and (count > 1 or self._peek() in self.places["states"]):
            self.initial = np.zeros(count)
            self.initial[self._which("states")] = 1
            self.initial /= self.initial.sum()
        else:
            self.initial = self._distribution(np.array([self._number() for _ in range(count)]), first)

    def _start_of_set(self, word: str) -> None:
        if word not in ("include", "exclude"):
            self._fail(f"start is followed by ':', include or exclude, not {word!r}", self.at - 1)
        self._colon()
        count = self._count("states")
        first = self.at
        named = np.zeros(count, bool)
        while not self._begins():
            named[self._which("states")] = True
        inside = named if word == "include" else ~named
        if not inside.any():
            self._fail("no state is left to start in", first - 1)
        self.initial = inside / inside.sum()

    def _count(self, kind: str) -> int:
        if kind not in self.names:
            self._fail(f"the {kind} must be stated before they are used", self.at - 1)
        return len(self.names[kind])

    def _distribution(self, chances: Weights, at: int) -> Weights:
        for chance in chances[chances < 0][:1]:
            self._fail(f"a chance is {chance}; it is a number from 0 to 1", at)
        if not abs(chances.sum() - 1) <= _ROUNDING:
            self._fail(f"the chances add up to {chances.sum():.12g}; they must add up to 1", at)
        return chances / _scale(float(chances.sum()))

    def _chances(self, letter: str) -> None:
        """Read a line of T or O: an entry, a row or a matrix."""
        kind = "states" if letter == "T" else "observations"
        columns, begun = self._count(kind), self.at - 2
        actions = self._all("actions", self._which("actions"))
        rows: Sequence[int]
        if self._peek() == ":":
            self._colon()
            rows = self._all("states", self._which("states"))
            if self._peek() == ":":
                self._colon()
                which = self._all(kind, self._which(kind))
                value = self._number()
                for row in self._rows(letter, actions, rows, begun):
                    if not value and len(which) == columns:
                        row.clear()
                    else:
                        row.update(dict.fromkeys(which, value))
                return
            values = self._row(letter, columns)[None]
        else:
            rows = range(self._count("states"))
            values = self._matrix(letter, len(rows), columns)
        for place, row in enumerate(self._rows(letter, actions, rows, begun)):
            given = values[place % len(values)]
            row.clear()
            found = np.flatnonzero(given)
            row.update(zip(found.tolist(), given[found].tolist(), strict=True))

    def _rows(
        self, letter: str, actions: Sequence[int], states: Sequence[int], begun: int
    ) -> list[dict[int, float]]:
        """Return rows of a table to be changed, those of an action together."""
        found, n_states = [], len(self.names["states"])
        for action in actions:
            for state in states:
                number = action * n_states + state
                self.lines_of[letter, number] = begun
                found.append(self.tables[letter].setdefault(number, {}))
        return found

    def _row(self, letter: str, columns: int) -> Weights:
        if self._peek() == "uniform":
            self.at += 1
            return np.full(columns, 1 / columns)
        if self._peek() == "reset" and letter == "T":
            self.at += 1
            return np.full(columns, 1 / columns) if self.initial is None else self.initial
        return np.array([self._number() for _ in range(columns)])

    def _matrix(self, letter: str, rows: int, columns: int) -> Weights:
        if self._peek() == "uniform":
            self.at += 1
            return np.full((1, columns), 1 / columns)
        if self._peek() == "identity" and letter == "T":
            self.at += 1
            return np.eye(rows)
        return np.array([[self._number() for _ in range(columns)] for _ in range(rows)])

    def _rewards(self) -> None:
        n_seen = self._count("observations")
        action = self._which("actions")
        self._colon()
        state = self._which("states")
        then: Sequence[int | None] = range(len(self.names["states"]))
        seen: Sequence[int | None] = range(n_seen)
        if self._peek() == ":":
            self._colon()
            then = (self._which("states"),)
            if self._peek() == ":":
                self._colon()
                seen = (self._which("observations"),)
        self.rules += [_Rule(action, state, a, b, self._number()) for a in then for b in seen]

    # Tables

    def _table(self, letter: str, columns: int) -> Rows:
        n_states = len(self.names["states"])
        what = "next states" if letter == "T" else "observations"
        starts, places, values = [0], [], []
        for number in range(len(self.names["actions"]) * n_states):
            row = {place: value for place, value in self.tables[letter].get(number, {}).items() if value}
            action, state = divmod(number, n_states)
            at = self.lines_of.get((letter, number), len(self.lines) - 1)
            total = sum(row.values())
            wrong = next((value for value in row.values() if value < 0), None)
            if wrong is not None or not abs(total - 1) <= _ROUNDING:
                named = f"{self.names['actions'][action]!r} in state {self.names['states'][state]!r}"
                said = f"add up to {total:.12g}, and must to 1" if wrong is None else f"have {wrong}, below 0"
                self._fail(f"{what} of action {named}: the chances {said}", at)
            for place in sorted(row):
                places.append(place)
                values.append(row[place] / _scale(total))
            starts.append(len(places))
        return Rows(np.array(starts), np.array(places, np.int64), np.array(values))

    def _expected(self, transition: Rows, observation: Rows) -> Weights:
        """Return what each action brings in each state on average, float64 [actions, states]."""
        n_actions, n_states = len(self.names["actions"]), len(self.names["states"])
        reward = np.zeros((n_actions, n_states))
        rules: list[list[_Rule]] = [[] for _ in range(n_actions)]
        for rule in self.rules:
            for action in self._all("actions", rule.action):
                rules[action].append(rule)
        for action, theirs in enumerate(rules):
            if not theirs:
                continue
            first = action * n_states
            edges = slice(transition.starts[first], transition.starts[first + n_states])
            source = np.repeat(np.arange(n_states), np.diff(transition.starts[first : first + n_states + 1]))
            then, chance, seen = transition.columns[edges], transition.values[edges], None
            if any(rule.seen is not None for rule in theirs):  # only then do observations matter
                source, then, chance, seen = with_observations(first, source, then, chance, observation)
            starts = np.searchsorted(source, np.arange(n_states + 1))
            paid = np.zeros(len(chance))
            for rule in theirs:
                of = slice(None) if rule.state is None else slice(*starts[rule.state : rule.state + 2])
                inside: NDArray[np.bool_] = np.ones(len(paid[of]), bool)
                if rule.then is not None:
                    inside &= then[of] == rule.then
                if rule.seen is not None:
                    assert seen is not None
                    inside &= seen[of] == rule.seen
                paid[of][inside] = rule.value
            reward[action] = np.bincount(source, chance * paid, n_states)
        return reward


def _scale(total: float) -> float:
    """Return what to divide a row by that adds up to a total; rows that are exact stay as they are."""
    return total if abs(total - 1) > TOLERANCE else 1.0
