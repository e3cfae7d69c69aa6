"""What the HTTP API answers: documentation, and what the tests hold the answers against."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from sleuth.web.schemas import GameSpec, Puzzle, Variant

Kind = Literal["proved", "at most", "estimate"]
"""What a number of guesses is: the least there is, what some strategy takes, or neither."""


class Result(BaseModel):
    """A part of an answer."""

    model_config = ConfigDict(extra="forbid")


class WordListInfo(Result):
    """A word list that ships with Sleuth."""

    id: str
    title: str
    answers: int
    guesses: int
    length: int


class SizeInfo(Result):
    """A number of pegs or digits, and the most colours there may be with it."""

    pegs: int
    colours: int


class KindInfo(Result):
    """A variant and a mode that go together, the most boards, and the most letters of a word."""

    variant: Variant
    mode: Literal["easy", "hard", "strict"]
    boards: int
    letters: int


class GameInfo(Result):
    """A game that may be asked for, in any of its sizes and kinds."""

    id: str
    title: str
    words: list[WordListInfo]
    modes: list[Literal["easy", "hard", "strict"]]
    max_turns: int
    sizes: list[SizeInfo]
    kinds: list[KindInfo]


class Games(Result):
    """The games."""

    games: list[GameInfo]


class OptionInfo(Result):
    """What an option takes: one of `choices` and, by its kind, numbers from least to most, or other values.

    The kinds beyond choices: whole numbers, numbers, the name of a strategy, such names separated by slashes.
    """

    name: str
    kind: Literal["choice", "whole", "number", "strategy", "strategies", "text"]
    choices: list[str]
    least: float | None
    most: float | None


class StrategyInfo(Result):
    """A strategy, with the defaults of its options, and what they take."""

    name: str
    summary: str
    options: dict[str, Any]
    fields: list[OptionInfo]


class Strategies(Result):
    """The strategies."""

    strategies: list[StrategyInfo]


class GameOfRecord(Result):
    """A game of the table of results, with the options that are said."""

    game: str
    words: str | None = None
    mode: Literal["easy", "hard", "strict"]
    prior: str
    max_turns: int
    pegs: int | None = None
    colours: int | None = None
    repeats: bool | None = None
    black: bool | None = None


class RecordInfo(Result):
    """What is known of the best play in a game.

    Values are in the order of the objective: the total; for "worst" the most guesses, then the total; for
    "solved" the answers not found, then the total. `title`, `task`, `result` and `mean` say it in words.
    """

    name: str
    title: str
    task: str
    result: str
    mean: str
    game: GameOfRecord
    objective: Literal["mean", "worst", "solved"]
    asked: str | None
    published: str
    digest: str
    answers: int
    guesses: int
    scale: int
    status: Literal["proved", "bounds", "open"]
    at_least: list[int] | None
    at_most: list[int] | None
    opener: str | None
    worst: int | None
    cpu_seconds: float | None
    certificate: str
    version: str
    command: str


class Records(Result):
    """The table of results."""

    records: list[RecordInfo]


class Suggestion(Result):
    """A guess and its numbers; expected_guesses is null for a guess that tells nothing."""

    guess: str
    chance: float
    bits: float
    expected_left: float
    worst_left: int
    classes: int
    expected_guesses: float | None
    expected_by: Literal["estimate", "network", "rollout", "search", "exact"]
    least: float | None
    kind: Kind


class State(Result):
    """Where a game stands: the first 100 candidates are listed, the likeliest first."""

    turn: int
    solved: bool
    candidates: int
    words: list[str]
    widened: bool
    notes: list[str]


class Ranking(State):
    """The best guesses, best first; provisional until the kernels of a better method are compiled."""

    method: str
    provisional: bool
    guess: str | None
    guesses: list[Suggestion]


class JointSuggestion(Result):
    """A guess on several boards.

    solves: boards that it is expected to; win: the chance to be in time; error: the standard error of
    expected_guesses less that of the best guess.
    """

    guess: str
    solves: float
    bits: float
    expected_guesses: float
    win: float | None
    expected_by: Literal["estimate", "rollout", "every answer"]
    error: float | None
    kind: Kind


class BoardState(Result):
    """Where a board stands: the first 100 candidates are listed, the likeliest first."""

    solved: bool
    candidates: int
    words: list[str]


class BoardsRanking(Result):
    """The best guesses of several boards, best first; solved where all of them are."""

    turn: int
    max_turns: int
    solved: bool
    candidates: list[int]
    boards: list[BoardState]
    notes: list[str]
    method: str
    provisional: bool
    guess: str | None
    guesses: list[JointSuggestion]


class Contradiction(Result):
    """The row that is probably wrong, and the places (from 1) and letters whose marks are.

    first: the first row that no answer fits together with those before it.
    """

    row: int | None
    first: int | None
    message: str
    places: list[int]
    letters: list[str]


class Check(State):
    """The candidates, or why there are none."""

    contradiction: Contradiction | None


class Branch(Result):
    """A kind of feedback that a guess may get; its first 12 words are listed, the likeliest first."""

    feedback: str
    count: int
    chance: float
    words: list[str]
    solved: bool


class Branches(Result):
    """One step of the decision tree."""

    guess: str
    suggestion: Suggestion
    candidates: int
    turn: int
    branches: list[Branch]


class Word(Result):
    """A word that may be the answer, and how likely it is."""

    word: str
    chance: float


class Group(Result):
    """A kind of feedback that a guess may get, with all its words, the likeliest first."""

    feedback: str
    count: int
    chance: float
    solved: bool
    words: list[Word]
    expected_guesses: float | None
    kind: Kind
    next: str | None
    lost: bool


class Tried(Result):
    """What becomes of a guess, beside the best one."""

    guess: Suggestion
    best: Suggestion | None
    loss: float | None
    turn: int
    candidates: int
    groups: list[Group]


class WordLeft(Word):
    """A word that may be the answer, and what it takes as the next guess."""

    expected_guesses: float | None
    kind: Kind


class WordsLeft(Result):
    """The words that are left, the likeliest first; candidates counts all of them."""

    turn: int
    candidates: int
    words: list[WordLeft]


class StrategyBranch(Result):
    """Where a kind of feedback leads: to a node, or else to the one word left, or to words that are lost."""

    feedback: str
    solved: bool
    lost: bool
    count: int
    node: StrategyNode | None
    words: list[str] = []


class StrategyNode(Result):
    """A guess of a strategy; expected_guesses counts it and those after it."""

    guess: str
    count: int
    expected_guesses: float
    children: list[StrategyBranch]


class Strategy(Result):
    """The whole strategy from a position on."""

    guess: str
    candidates: int
    expected_guesses: float
    worst: int | None
    lost: int
    kind: Kind
    tree: StrategyNode


class Fitting(Result):
    """Words that fit; the likeliest are listed, the likeliest first."""

    count: int
    words: list[str]


class FittingRow(Fitting):
    """The words that fit a row of a grid."""

    feedback: str


class GameFit(Result):
    """Whether a grid may be of a game, the answers that fit it, and the words that fit each row."""

    game: GameSpec
    title: str
    fits: bool
    why: str | None
    answers: Fitting
    rows: list[FittingRow]


class Fits(Result):
    """The games that a grid was held against."""

    games: list[GameFit]


class Opener(Suggestion):
    """An opener with its place by the measure asked for; lossy: no strategy finds every answer after it."""

    rank: int
    lossy: bool


class Openers(Result):
    """A page of the openers; total counts those that the search finds."""

    total: int
    openers: list[Opener]


class PuzzleFound(Result):
    """A puzzle to be played."""

    puzzle: Puzzle
    max_turns: int
    length: int


class Guessed(Result):
    """What a guess gets: null on boards that were solved before; the answers once the game is over."""

    feedback: list[str | None]
    solved: list[bool]
    over: bool
    won: bool
    answers: list[str] | None
    turn: int
    max_turns: int


class Answers(Result):
    """The answers of a game, in order."""

    answers: list[str]


class JobStarted(Result):
    """A job that waits or runs, and where to look for it."""

    id: str
    status: Literal["queued", "running"]
    events: str
    self: str


class JobInfo(Result):
    """How far an evaluation is, and what came of it."""

    id: str
    status: Literal["queued", "running", "done", "cancelled", "failed"]
    done: int
    total: int
    turn: int
    report: dict[str, Any] | None
    error: str | None


class DifficultyInfo(Result):
    """How far a measurement of a list is, and what came of it; `remark` says who plays."""

    id: str
    status: Literal["queued", "running", "done", "cancelled", "failed"]
    done: int
    total: int
    remark: str
    report: dict[str, Any] | None
    error: str | None


class PlanningProblemInfo(Result):
    """A planning problem, the methods that play it, and which amounts are counted.

    `timed` says whether the methods have so many seconds for a decision, or limits of their own.
    """

    name: str
    title: str
    summary: str
    amounts: Literal["reward", "cost"]
    methods: list[str]
    timed: bool


class PlanningMethodInfo(Result):
    """A method of planning."""

    name: str
    summary: str


class Planning(Result):
    """Planning problems, the methods, and the most seconds a decision and turns."""

    problems: list[PlanningProblemInfo]
    methods: list[PlanningMethodInfo]
    seconds: float
    turns: int


class EpisodeInfo(Result):
    """How far an episode is in turns, and what came of it; `remark` says what is done."""

    id: str
    status: Literal["queued", "running", "done", "cancelled", "failed"]
    done: int
    total: int
    remark: str
    report: dict[str, Any] | None
    error: str | None


class Health(Result):
    """That the server answers, how much of what it computes with is compiled, and what hints take.

    prepared: how much of it, 0 to 1. hints: whether what hints take is.
    """

    status: Literal["ok"]
    prepared: float
    hints: bool
