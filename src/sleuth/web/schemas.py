"""What requests and answers of the HTTP API hold, every size bounded."""

from __future__ import annotations

from typing import Annotated, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from sleuth.coaching.advice import SECONDS

MOST_WORDS = 20000
MOST_LEFT = 20000
MOST_MEASURED = 5000
"""Answers of a list whose difficulty is measured."""
MOST_PLANNED = 100
"""Turns of an episode of a planning problem."""
MOST_PLANNING = 2.0
"""Seconds a decision there."""
MOST_TURNS = 20
MOST_BOARDS = 32
MOST_ROWS = MOST_BOARDS + 9
"""The turns of Mastermind on that many boards, the most that a game has."""

Word = Annotated[str, Field(min_length=1, max_length=40)]
Marks = Annotated[str, Field(min_length=1, max_length=80)]
Words = Annotated[list[Word], Field(min_length=1, max_length=MOST_WORDS)]
Limit = Annotated[int, Field(ge=1, le=50)]
Option = str | int | float | bool
Variant = Literal["standard", "absurdle", "fibble"]
PomdpProblem = Literal[
    "tiger",
    "hallway",
    "tag",
    "rocksample-4-4",
    "rocksample-7-8",
    "light-dark",
    "twenty-questions",
    "dosing",
    "bandit",
]
ControlProblem = Literal["wordle", "mastermind", "hidden-objects", "navigation", "linear-quadratic"]
PlanningProblem = Literal[PomdpProblem, ControlProblem]
PomdpMethod = Literal["tree", "despot", "pomcp", "hsvi", "oracle-lookahead", "random"]
ControlMethod = Literal[
    "tree",
    "avts",
    "bamcp",
    "rollout",
    "oracle-lookahead",
    "certainty-equivalence",
    "posterior-sampling",
    "information-directed",
    "random",
]
PlanningMethod = Literal[PomdpMethod, ControlMethod]
Measure = Literal["guesses", "bits", "left", "worst", "groups", "chance"]


class Model(BaseModel):
    """A part of a request: unknown fields and other types are refused, so that slips are noticed."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class GameSpec(Model):
    """Which game is meant."""

    game: Literal["wordle", "mastermind", "bulls-and-cows"] = "wordle"
    words: Annotated[str, Field(max_length=40)] | None = Field(
        default=None,
        description="original, original-guesses, nyt, nyt-2022-03, nyt-2022-08, nyt-guesses,"
        " LIST:COUNT or frequent:LANG:LENGTH:COUNT",
        examples=["original"],
    )
    answers: Words | None = Field(default=None, description="words of your own instead of a named list")
    guesses: Words | None = Field(
        default=None, description="with answers: what may be guessed; else the answers"
    )
    mode: Literal["easy", "hard", "strict"] = "easy"
    pegs: Annotated[int, Field(ge=2, le=10)] | None = None
    colours: Annotated[int, Field(ge=2, le=35)] | None = None
    repeats: bool | None = None
    black: bool | None = None


class Row(Model):
    """A guess and the feedback it got: letters, digits or emoji; "1,2" or "1" in peg games."""

    guess: Word = Field(examples=["salet"])
    feedback: Marks = Field(examples=["bbybb"])


Rows = Annotated[list[Row], Field(max_length=MOST_ROWS)]


class PositionRequest(Model):
    """A game and the rows played so far."""

    game: GameSpec = GameSpec()
    rows: Rows = []


class VariantRequest(PositionRequest):
    """A game, perhaps against another host, and the rows played so far."""

    variant: Variant = "standard"


class SuggestRequest(VariantRequest):
    """Asks for the best guesses of a position."""

    limit: Limit = 10
    seconds: Annotated[float, Field(gt=0, le=10)] = Field(
        default=SECONDS, description="how long the search may take; then guesses are estimated, with bounds"
    )


class RankRequest(PositionRequest):
    """Asks for the guesses that a strategy ranks highest in a position."""

    strategy: Annotated[str, Field(max_length=200)] = Field(examples=["information-gain"])
    options: dict[Annotated[str, Field(max_length=40)], Option] = Field(default={}, max_length=20)
    limit: Limit = 10


class ReviewedRow(Model):
    """A guess and the feedback it got, which may be left out where the answer is given."""

    guess: Word = Field(examples=["salet"])
    feedback: Marks | None = Field(default=None, examples=["bbybb"])


class ReviewRequest(Model):
    """Asks for the review of a game: rows, a pasted share grid with its words, or words and the answer."""

    game: GameSpec = GameSpec()
    variant: Variant = "standard"
    rows: Annotated[list[ReviewedRow], Field(max_length=MOST_ROWS)] = []
    answer: Word | None = None
    guesses: Annotated[list[Word], Field(max_length=MOST_ROWS)] = Field(
        default=[], description="the words of the grid in `text`, or what was guessed, with the answer"
    )
    text: Annotated[str, Field(max_length=4000)] | None = None


class BranchesRequest(PositionRequest):
    """Asks what a guess may lead to: one step of the decision tree."""

    guess: Word | None = Field(default=None, description="else the one Sleuth plays")


class BoardsRequest(Model):
    """Asks for the best guesses of several boards, from the rows of each up to the one that solved it."""

    game: GameSpec = GameSpec()
    boards: Annotated[list[Rows], Field(min_length=1, max_length=MOST_BOARDS)]
    limit: Limit = 10


class ReviewedBoard(Model):
    """The rows of a board, and its answer where it is known."""

    rows: Annotated[list[ReviewedRow], Field(max_length=MOST_ROWS)] = []
    answer: Word | None = None


class BoardsReviewRequest(Model):
    """Asks for the review of a game on several boards."""

    game: GameSpec = GameSpec()
    boards: Annotated[list[ReviewedBoard], Field(min_length=1, max_length=MOST_BOARDS)]


class TryRequest(VariantRequest):
    """Asks what becomes of any guess."""

    guess: Word = Field(examples=["crane"])


class WordsRequest(VariantRequest):
    """Asks for the words that are left, and what each takes as the next guess."""

    offset: Annotated[int, Field(ge=0, le=MOST_LEFT)] = 0
    limit: Annotated[int, Field(ge=1, le=MOST_LEFT)] = 5000


class StrategyRequest(PositionRequest):
    """Asks for the whole strategy from a position on."""

    guess: Word | None = Field(default=None, description="what it begins with; else the best guess")


class StrategyFileRequest(StrategyRequest):
    """Asks for the whole strategy as a file."""

    format: Literal["json", "html", "dot", "txt"] = "html"


class FitRequest(Model):
    """Asks which words fit a pasted grid, in one game or in those that ship."""

    text: Annotated[str, Field(min_length=1, max_length=4000)] = Field(examples=["⬛⬛🟨⬛⬛\n🟩🟩🟩🟩🟩"])
    answer: Word | None = None
    game: GameSpec | None = Field(default=None, description="else the lists of words of the grid's length")


class OpenersQuery(Model):
    """Asks for a page of the openers of a list."""

    model_config = ConfigDict(strict=False)  # a query is all text

    words: Annotated[str, Field(max_length=40)] = "original"
    mode: Literal["easy", "hard", "strict"] = "easy"
    sort: Measure = "guesses"
    search: Annotated[str, Field(max_length=40)] = ""
    offset: Annotated[int, Field(ge=0, le=100000)] = 0
    limit: Annotated[int, Field(ge=1, le=200)] = 50


class PuzzleRequest(Model):
    """Asks for a puzzle: its answers are a fixed shuffle of the list by number, so a link reopens it."""

    game: GameSpec = GameSpec()
    boards: Annotated[int, Field(ge=1, le=MOST_BOARDS)] = 1
    variant: Variant = "standard"
    number: Annotated[int, Field(ge=0, le=10**9)] | None = Field(default=None, description="else today's")


class Puzzle(PuzzleRequest):
    """A puzzle with its number."""

    number: Annotated[int, Field(ge=0, le=10**9)]


class GuessRequest(Model):
    """A guess in a puzzle, after those made before."""

    puzzle: Puzzle
    guesses: Annotated[list[Word], Field(max_length=200)] = []
    guess: Word


class AnswersRequest(Model):
    """Asks for the answers of a game."""

    game: GameSpec = GameSpec()


class EvaluationRequest(Model):
    """Asks for a strategy to be played against every answer."""

    game: GameSpec = GameSpec()
    strategy: Annotated[str, Field(max_length=200)] = Field(examples=["information-gain"])
    options: dict[Annotated[str, Field(max_length=40)], Option] = Field(default={}, max_length=20)
    opener: Word | None = None


Changed = Annotated[list[Word], Field(max_length=MOST_MEASURED)]


class DifficultyRequest(Model):
    """Asks how hard a list is; with `add` or `remove`, also what these change."""

    game: GameSpec = Field(default=GameSpec(), description=f"up to {MOST_MEASURED} answers")
    max_turns: Annotated[int, Field(ge=1, le=MOST_TURNS)] | None = Field(
        default=None, description="guesses after which a game is lost; else those of the game"
    )
    add: Changed = Field(default=[], description="answers more, which may be guessed too")
    remove: Changed = Field(default=[], description="answers less")


class EpisodeRequest(Model):
    """Asks for an episode of a planning problem."""

    problem: PlanningProblem
    method: PlanningMethod = "tree"
    seconds: Annotated[float, Field(gt=0, le=MOST_PLANNING)] = Field(
        default=0.1,
        description="for a decision; hsvi has those of all turns together, before play, and methods of"
        " adaptive control go by limits of their own",
    )
    turns: Annotated[int, Field(ge=1, le=MOST_PLANNED)] = Field(
        default=30, description="after which it ends at the latest"
    )
    seed: Annotated[int, Field(ge=0, le=10**9)] = Field(default=0, description="of what chance does")
    actions: Annotated[list[Annotated[int, Field(ge=0, le=1000)]], Field(max_length=MOST_PLANNED)] = Field(
        default=[], description="an episode that was played before, by its actions: no method is asked"
    )

    @model_validator(mode="after")
    def _plays(self) -> Self:
        plays = get_args(PomdpMethod if self.problem in get_args(PomdpProblem) else ControlMethod)
        if self.method not in plays:
            told = f"{self.method} does not play {self.problem}; {', '.join(plays)} do"
            raise PydanticCustomError("plays", "{told}", {"told": told})
        return self
