"""Shtrasner et al. (2022): guesser against indicator, over the 3000 most frequent words, from cares."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import isnan

import numpy as np

from sleuth.games.frontier import Frontier
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.games.wordle import wordle
from sleuth.published.chart import Chart
from sleuth.published.steps import Steps
from sleuth.published.table import Cell, Column, Row, Table, bars
from sleuth.strategies.game_tree import EVALUATIONS, Agent, AlphaBeta, DecisionTreeAgent, Expectimax, Minimax
from sleuth.support.specification import specification_of

WORDS, OPENER = 3000, "cares"
COLUMNS = (
    Column("mean", "Mean guesses"),
    Column("wins", "Answers found within six guesses, percent", 2),
    Column("nodes", "Nodes visited, in thousands", 0),
    Column("seconds", "Seconds for all answers", 1),
)
PUBLISHED = {"expectimax": (3.71, 97.0, None, None)}
"""The figures that their text gives, by specification; its charts did not come down to us."""
NOTES = (
    "Published figures are over 100 games: means are good to about 0.08, wins to about 2; ours are"
    " over all 3000 answers. Words are ranked by the package wordfreq; the document's ranking is unknown.",
    "Paper's conditions: the guesser names candidates. Clean conditions: any of the 3000 words. Minimax and"
    " alpha-beta of depth two would take too long so: they name candidates under both. Seconds are those of"
    " one run, and depend on the machine and on what else it does.",
)


def game() -> Game:
    """Return the game of the most frequent words."""
    return wordle(f"original-guesses:{WORDS}")


def agents() -> list[tuple[Agent, Agent]]:
    """Return who plays under the paper's conditions and under clean ones."""
    found: list[tuple[Agent, Agent]] = []
    for evaluation in EVALUATIONS:
        found.append(
            (DecisionTreeAgent(evaluation=evaluation), Minimax(evaluation=evaluation, depth=1, moves="legal"))
        )
        for depth in (1, 2):
            for kind in (Minimax, AlphaBeta, Expectimax):
                paper = kind(evaluation=evaluation, depth=depth)
                bounded = depth == 1 or kind is Expectimax
                found.append((paper, replace(paper, moves="legal") if bounded else paper))
    return found


def play(agent: Agent, game: Game) -> list[float]:
    """Return the figures of an agent that plays every answer, one for each column."""
    began, nodes = time.perf_counter(), 0
    taken = np.ones(len(game.answers))
    frontier = Frontier.of(Position.start(game))
    guesses = np.array([game.find(OPENER)], np.int32)
    while len(frontier):
        if frontier.turn > 1:
            found, _, visited = agent.search(frontier, 1)
            guesses = found[:, 0]
            nodes += int(visited.sum())
        children = frontier.after(guesses)
        taken[children.right[children.right >= 0]] = frontier.turn
        frontier = children.frontier
    wins = 100 * float((taken <= game.max_turns).mean())
    return [float(taken.mean()), wins, nodes / 1000, time.perf_counter() - began]


def run(steps: Steps) -> Table:
    """Return the table; 42 evaluations."""
    played, players = game(), agents()
    steps.total = 2 * len(players)
    for kind in (Minimax, Expectimax):  # so that no time goes to compiling, or to the feedback matrix
        play(kind(), played)
    title = "guesser against indicator over 3000 words (Shtrasner et al. 2022)"
    labels = ("agent", "depth", "evaluation")
    return steps.table(
        _rows(steps, played, players),
        lambda rows: Table("lookahead", title, labels, COLUMNS, rows, NOTES, charts(rows)),
    )


def _rows(steps: Steps, played: Game, players: Sequence[tuple[Agent, Agent]]) -> Iterator[Row]:
    for pair in players:
        paper = pair[0]
        depth = str(getattr(paper, "depth", 1))
        of = f"{paper.name}, depth {depth}, {paper.evaluation}"
        ours = [
            steps.take(f"{of}, {conditions}", partial(play, agent, played))
            for conditions, agent in zip(("candidates", "all words"), pair, strict=True)
        ]
        published = PUBLISHED.get(specification_of(paper), (None,) * len(COLUMNS))
        yield Row((paper.name, depth, paper.evaluation), tuple(map(Cell, published, *ours)))


def charts(rows: Sequence[Row]) -> tuple[Chart, ...]:
    """Return the document's four charts and the one that its text tells of, by what all answers take."""
    found = []
    for depth, evaluation in (("1", "constant"), ("1", "real-time"), ("2", "constant"), ("2", "real-time")):
        of = {row.labels[0]: row.cells[0] for row in rows if row.labels[1:] == (depth, evaluation)}
        printed = bars("published", of, "published")
        series = (bars("candidates", of, "paper"), printed, bars("all words, where feasible", of, "clean"))
        kept = tuple(one for one in series if not all(map(isnan, one.ys)))
        found.append(Chart(f"Depth {depth}, {evaluation} evaluation", "agent", "mean guesses", kept))
    alike = {
        agent: {row.labels[2]: row.cells[0] for row in rows if row.labels[:2] == (agent, "1")}
        for agent in (Minimax.name, DecisionTreeAgent.name)
    }
    same = tuple(bars(agent, cells, "paper") for agent, cells in alike.items())
    found.append(Chart("Minimax and decision tree, depth 1", "evaluation", "mean guesses", same))
    return tuple(found)
