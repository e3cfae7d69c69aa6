"""The routes that answer at once: each names a task and the pool that does it."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel
from starlette.responses import Response

from sleuth.web import results
from sleuth.web.answers import Answers
from sleuth.web.games import is_light
from sleuth.web.limits import client_of
from sleuth.web.problems import documented
from sleuth.web.schemas import (
    AnswersRequest,
    BoardsRequest,
    BoardsReviewRequest,
    BranchesRequest,
    FitRequest,
    GameSpec,
    GuessRequest,
    OpenersQuery,
    PuzzleRequest,
    RankRequest,
    ReviewRequest,
    StrategyFileRequest,
    StrategyRequest,
    SuggestRequest,
    TryRequest,
    VariantRequest,
    WordsRequest,
)
from sleuth.web.workers import Pool

HURRIED = 0.1
"""Seconds that a suggestion may search for while many wait."""

router = APIRouter()
_QUERIES = documented(400, 415, 422)
_MEDIA_TYPES = {
    "json": "application/json",
    "html": "text/html; charset=utf-8",
    "dot": "text/vnd.graphviz; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
}
_FILE = {
    "description": "the file",
    "content": {kind.partition(";")[0]: {"schema": {}} for kind in _MEDIA_TYPES.values()},
}


@router.get("/games", responses=documented(), response_model=results.Games)
async def games(request: Request) -> Response:
    """List the games, their word lists and modes."""
    return await _answer(request, "games", request.app.state.quick)


@router.get("/strategies", responses=documented(), response_model=results.Strategies)
async def strategies(request: Request) -> Response:
    """List the strategies and the defaults of their options."""
    return await _answer(request, "strategies", request.app.state.quick)


@router.get("/records", responses=documented(), response_model=results.Records)
async def records(request: Request) -> Response:
    """List what is known of the best play in many games, proved or between two bounds."""
    return await _answer(request, "records", request.app.state.quick)


@router.get("/planning", responses=documented(), response_model=results.Planning)
async def planning(request: Request) -> Response:
    """List the planning problems and the methods that play episodes of them, and what an episode may take."""
    return await _answer(request, "planning", request.app.state.quick)


@router.post("/answers", responses=_QUERIES, response_model=results.Answers)
async def answers(request: Request, asked: AnswersRequest) -> Response:
    """Return the answers of a game, in the order of an evaluation's `turns`."""
    return await _answer(request, "answers", _quick(request, asked.game), asked)


@router.post("/suggest", responses=_QUERIES, response_model=results.Ranking)
async def suggest(request: Request, asked: SuggestRequest) -> Response:
    """Return the best guesses of a position, exact where exact play is in reach."""
    hurried = asked.model_copy(update={"seconds": min(asked.seconds, HURRIED)})
    return await _answer(request, "suggest", _pool(request, asked.game), asked, hurried)


@router.post("/rank", responses=_QUERIES, response_model=results.Ranking)
async def rank(request: Request, asked: RankRequest) -> Response:
    """Return the guesses that a strategy ranks highest in a position."""
    return await _answer(request, "rank", request.app.state.long, asked)


@router.post("/check", responses=_QUERIES, response_model=results.Check)
async def check(request: Request, asked: VariantRequest) -> Response:
    """Return the candidates that rows leave, or which row contradicts the others."""
    return await _answer(request, "check", _quick(request, asked.game), asked)


@router.post("/review", responses=_QUERIES, response_model=dict[str, Any])
async def review(request: Request, asked: ReviewRequest) -> Response:
    """Review a game move by move: how good each choice was, and how lucky."""
    return await _answer(request, "review", request.app.state.long, asked)


@router.post("/fit", responses=_QUERIES, response_model=results.Fits)
async def fit(request: Request, asked: FitRequest) -> Response:
    """Return which lists and words fit a pasted grid, with the answer or without."""
    return await _answer(request, "fit", request.app.state.long, asked)


@router.post("/branches", responses=_QUERIES, response_model=results.Branches)
async def branches(request: Request, asked: BranchesRequest) -> Response:
    """Return one step of the decision tree: each kind of feedback that a guess may get."""
    return await _answer(request, "branches", _pool(request, asked.game), asked)


@router.get("/openers", responses=documented(422), response_model=results.Openers)
async def openers(request: Request, asked: Annotated[OpenersQuery, Query()]) -> Response:
    """Return the openers of a word list by any measure."""
    return await _answer(request, "openers", request.app.state.long, asked)


@router.post("/try", responses=_QUERIES, response_model=results.Tried)
async def tried(request: Request, asked: TryRequest) -> Response:
    """Return what becomes of any guess: its groups with all their words, beside the best guess."""
    return await _answer(request, "try", _pool(request, asked.game), asked)


@router.post("/words", responses=_QUERIES, response_model=results.WordsLeft)
async def words(request: Request, asked: WordsRequest) -> Response:
    """Return the words that are left, and what each takes as the next guess."""
    return await _answer(request, "words", _pool(request, asked.game), asked)


@router.post("/strategy", responses=_QUERIES, response_model=results.Strategy)
async def strategy(request: Request, asked: StrategyRequest) -> Response:
    """Return the whole strategy from a position on, exact where exact play is in reach."""
    return await _answer(request, "strategy", request.app.state.long, asked)


@router.post("/strategy/file", responses={**_QUERIES, 200: _FILE}, response_class=Response)
async def strategy_file(request: Request, asked: StrategyFileRequest) -> Response:
    """Return the whole strategy from a position on as a file."""
    answers: Answers = request.app.state.answers
    found = await answers.get(request.app.state.long, "strategy-file", asked, client_of(request.scope))
    headers = {"Content-Disposition": f'attachment; filename="strategy.{asked.format}"'}
    return Response(json.loads(found)["text"], media_type=_MEDIA_TYPES[asked.format], headers=headers)


@router.post("/boards/suggest", responses=_QUERIES, response_model=results.BoardsRanking)
async def boards_suggest(request: Request, asked: BoardsRequest) -> Response:
    """Return the best guesses of several boards, weighed together."""
    return await _answer(request, "boards-suggest", _pool(request, asked.game), asked)


@router.post("/boards/review", responses=_QUERIES, response_model=dict[str, Any])
async def boards_review(request: Request, asked: BoardsReviewRequest) -> Response:
    """Review a game on several boards, move by move."""
    return await _answer(request, "boards-review", request.app.state.long, asked)


@router.post("/puzzle", responses=_QUERIES, response_model=results.PuzzleFound)
async def puzzle(request: Request, asked: PuzzleRequest) -> Response:
    """Return a puzzle by its number, else today's. The server keeps nothing of it."""
    pool = _quick(request, asked.game)
    given = asked.model_dump(mode="json")
    return _json(
        await pool.run("puzzle", given, client=client_of(request.scope))
    )  # today's is another tomorrow


@router.post("/guess", responses=_QUERIES, response_model=results.Guessed)
async def guess(request: Request, asked: GuessRequest) -> Response:
    """Return what a guess gets in a puzzle."""
    return await _answer(request, "guess", _quick(request, asked.puzzle.game), asked)


def _quick(request: Request, game: GameSpec) -> Pool:
    """Return the pool for a question that takes next to nothing once its game is built."""
    pool: Pool = request.app.state.quick if is_light(game) else request.app.state.long
    return pool


def _pool(request: Request, game: GameSpec) -> Pool:
    """Return the pool for a question that is short where its game is."""
    pool: Pool = request.app.state.short if is_light(game) else request.app.state.long
    return pool


async def _answer(
    request: Request, task: str, pool: Pool, asked: BaseModel | None = None, hurried: BaseModel | None = None
) -> Response:
    answers: Answers = request.app.state.answers
    return _json(await answers.get(pool, task, asked, client_of(request.scope), hurried))


def _json(body: bytes) -> Response:
    return Response(body, media_type="application/json")
