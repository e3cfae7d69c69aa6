"""Exact play by trying everything, written from its definition alone: what the solver is held against.

Nothing here comes from the solver, its kernels or its plain twin, and nothing is left out because it cannot
be best. Guesses and answers are numbers; a value is (weight of the answers not found within the turns, total
of guesses from the position on), both in integer weights, or None where no strategy will do.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sleuth.exact.objective import Objective
from sleuth.games.game import Game

Value = tuple[int, int]


@dataclass(frozen=True)
class State:
    """What may be the answer, what may be guessed, and the number of the next guess, from 1."""

    candidates: frozenset[int]
    legal: frozenset[int]
    turn: int = 1


class Rules:
    """What a guess tells, and what may be guessed after it, from the plain rules of a game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        code, guesses, answers = game.rules.code, range(len(game.guesses)), range(len(game.answers))
        words, items = game.guesses, game.answers
        self.codes = [[code(words[g], items[a]) for a in answers] for g in guesses]
        self.unnamed = {a for a in answers if items[a] not in words}
        self.start = State(frozenset(answers), frozenset(guesses))
        # What a guess would get if another guess were the answer.
        strict = game.mode == "strict"
        self.as_answers = [[code(words[g], words[h]) for h in guesses] for g in guesses] if strict else []

    def classes(self, candidates: Iterable[int], guess: int) -> dict[int, frozenset[int]]:
        """Return the candidates that each feedback leaves."""
        groups: dict[int, list[int]] = {}
        for answer in candidates:
            groups.setdefault(self.codes[guess][answer], []).append(answer)
        return {code: frozenset(group) for code, group in groups.items()}

    def ends(self, guess: int, group: frozenset[int]) -> bool:
        """Say whether the answer is found with these left: it was guessed, or is alone and cannot be."""
        if len(group) > 1:
            return False
        (answer,) = group
        return answer in self.unnamed or self.game.answers[answer] == self.game.guesses[guess]

    def useful(self, state: State, guess: int) -> bool:
        """Say whether a guess tells the candidates apart, or may be right."""
        groups = self.classes(state.candidates, guess)
        return len(groups) > 1 or self.game.guesses[guess] in {self.game.answers[a] for a in state.candidates}

    def after(self, state: State, guess: int, code: int) -> State:
        """Return what a guess and its feedback lead to."""
        left = self.classes(state.candidates, guess)[code]
        legal = frozenset(h for h in state.legal if self._allows(guess, code, h))
        return State(left, legal, state.turn + 1)

    def follow(self, rows: Iterable[tuple[int, int]]) -> State:
        """Return the state after rows of guess and feedback."""
        state = self.start
        for guess, code in rows:
            state = self.after(state, guess, code)
        return state

    def _allows(self, guess: int, code: int, other: int) -> bool:
        """Say whether one guess may be made after another that got this feedback."""
        if self.game.mode == "easy":
            return True
        if self.game.mode == "strict":
            return self.as_answers[guess][other] == code
        marks = self.game.rules.notation.show(code).lower()
        before, word = self.game.guesses[guess], self.game.guesses[other]
        hinted = Counter(letter for letter, mark in zip(before, marks, strict=True) if mark in "gy")
        stays = all(word[i] == before[i] for i, mark in enumerate(marks) if mark == "g")
        return stays and hinted <= Counter(word)


@dataclass
class Play:
    """Best play from one state, by trying every legal guess in every state after it.

    Attributes:
        rules: the rules of the game.
        weights: the integer weight of each answer.
        objective: "mean", with or without a penalty, or "solved".
        start: where play begins.
        last: the number of the last guess that counts as within the turns.

    """

    rules: Rules
    weights: Sequence[int]
    objective: Objective
    start: State
    last: int
    known: dict[State, Value | None] = field(default_factory=dict)

    def value(self, state: State) -> Value | None:
        """Return the least that a state costs."""
        if state not in self.known:
            ways = [self.of(state, guess) for guess in sorted(state.legal)]
            self.known[state] = min((way for way in ways if way is not None), default=self._never(state))
        return self.known[state]

    def of(self, state: State, guess: int) -> Value | None:
        """Return what a state costs with this guess, and the best play after it."""
        late, total = 0, 0
        for code, group in self.rules.classes(state.candidates, guess).items():
            following = self.rules.after(state, guess, code)
            part: Value | None
            if self.rules.ends(guess, group):
                part = self.found(group, state.turn)
            elif state.turn >= self.last and self.objective.kind != "solved":
                part = self._never(following)
            elif state.turn >= self.last and following == replace(state, turn=state.turn + 1):
                part = None  # play without a limit comes nowhere by a guess that changes nothing
            else:
                part = self.value(following)
            if part is None:
                return None
            late, total = late + part[0], total + part[1]
        return late, total

    def found(self, group: Iterable[int], turn: int) -> Value:
        """Return what answers cost that are found on this turn."""
        weight = sum(self.weights[answer] for answer in group)
        if turn <= self.last:
            return 0, weight * (turn - self.start.turn + 1)
        if self.objective.penalty is not None:
            return 0, weight * (self.objective.penalty - self.start.turn + 1)
        return weight, weight * (turn - self.start.turn + 1)

    def _never(self, state: State) -> Value | None:
        """Return what answers cost that are never found: a penalty, or there is no such strategy."""
        return None if self.objective.penalty is None else self.found(state.candidates, self.last + 1)


def openers(
    rules: Rules, weights: Sequence[int], objective: Objective, start: State, only: int | None = None
) -> tuple[int, Mapping[int, Value | None]]:
    """Return the last turn that best play keeps to, and what each guess (or only one) costs as the first.

    That turn is the game's last, but for "worst": there it is the first by which every answer can be found.
    """
    end = rules.game.max_turns
    for last in range(start.turn if objective.kind == "worst" else end, end + 1):
        play = Play(rules, weights, Objective() if objective.kind == "worst" else objective, start, last)
        ways = {guess: play.of(start, guess) for guess in sorted(start.legal) if only in (None, guess)}
        if any(way is not None for way in ways.values()):
            break
    return last, ways
