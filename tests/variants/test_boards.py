"""Several boards at once, against plain Python twins."""

from collections.abc import Sequence
from itertools import product
from math import isclose, log2
from typing import Any

import numpy as np
import pytest
from command_line import Run, json_of
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from random_games import function_games, games, peg_games, word_games

from sleuth.games.game import Game, Mode
from sleuth.games.pegs import mastermind
from sleuth.games.position import Position
from sleuth.games.priors import uniform
from sleuth.games.rules import WordleRules
from sleuth.kernels.boards import expected_left, play_on, state_key
from sleuth.support.errors import ContradictionError, FeedbackError, Interrupted, SleuthError, StrategyError
from sleuth.support.progress import Progress
from sleuth.variants.boards import games as playing
from sleuth.variants.boards.games import draw_answers, evaluate, play
from sleuth.variants.boards.joint_rollout import JointRollout
from sleuth.variants.boards.position import BoardsPosition
from sleuth.variants.boards.strategies import JOINT, JointInformation, JointStrategy, make_joint

FEW = ("abc", "acb", "bca", "cab", "bbb", "aab")
GAME = Game("few", WordleRules(3), FEW, FEW[:5], uniform(5))
BOTH: list[JointStrategy] = [JointInformation(), JointRollout(width=4, games=2, pool=4)]


@pytest.fixture(autouse=True)
def two_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLEUTH_THREADS", "2")


# Plain twins. A board is a list of candidates (answers by index).


def code(game: Game, guess: int, answer: int) -> int:
    return game.rules.code(game.guesses[guess], game.answers[answer])


def weights(game: Game, board: list[int]) -> dict[int, float]:
    total = sum(game.prior[a] for a in board)
    return {a: game.prior[a] / total if total > 0 else 1 / len(board) for a in board}


def left(game: Game, board: list[int], guess: int, rate: float) -> float:
    """Return 1 - p + rate times the entropy expected after the guess, class by class."""
    shares = weights(game, board)
    right = sum(w for a, w in shares.items() if game.answers[a] == game.guesses[guess])
    bits = 0.0
    for one in {code(game, guess, a) for a in board}:
        class_ = [shares[a] for a in board if code(game, guess, a) == one]
        mass = sum(class_)
        bits += sum(-w * log2(w / mass) for w in class_ if w > 0)
    return 1 - right + rate * bits


def reply(game: Game, board: list[int], guess: int, answer: int) -> list[int]:
    """Return what is left of a board after a guess, empty once it is solved."""
    if game.guesses[guess] == game.answers[answer]:
        return []
    kept = [
        a
        for a in board
        if code(game, guess, a) == code(game, guess, answer) and game.answers[a] != game.guesses[guess]
    ]
    return [] if len(kept) == 1 and game.answers[kept[0]] not in game.guesses else kept


def taken(
    game: Game,
    boards: list[list[int]],
    answers: Sequence[int],
    first: int,
    pool: list[int],
    rates: NDArray[np.float64],
    most: int,
) -> int:
    """Return the guesses of one game that goes on by the least expected to be left."""
    guess, turns = first, 0
    while turns < most:
        turns += 1
        after = [
            reply(game, board, guess, a) if board else [] for board, a in zip(boards, answers, strict=True)
        ]
        told, boards = after != boards, after
        if all(len(board) < 2 for board in boards):
            known = turns + len({board[0] for board in boards if board})
            return min(known, most + 1)
        if not told:
            break
        live = [board for board in boards if board]
        named = [
            game.guesses.index(game.answers[a]) for b in live for a in b if game.answers[a] in game.guesses
        ]
        tried = [*pool, *named]
        costs = [sum(left(game, board, g, rates[len(live)]) for board in live) for g in tried]
        guess = next(g for g, cost in zip(tried, costs, strict=True) if cost <= min(costs) + 1e-8)
    return most + 1


def packed(boards: list[list[int]]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return boards as the kernels take them."""
    members = np.zeros((len(boards), max(map(len, boards))), np.int32)
    for row, board in zip(members, boards, strict=True):
        row[: len(board)] = board
    return members, np.array([len(board) for board in boards], np.int64)


@st.composite
def states(draw: st.DrawFn, weighted: bool = True) -> tuple[Game, list[list[int]]]:
    """A game of any kind and up to three boards of it, some of them solved, not all."""
    game = draw(games(weighted=weighted))
    subset = st.lists(st.sampled_from(range(len(game.answers))), unique=True, max_size=12).map(sorted)
    boards = draw(st.lists(subset, min_size=1, max_size=3))
    # Where the only candidate left is one that no guess can name, a board is solved: it comes up empty.
    boards = [
        [] if len(board) == 1 and game.answers[board[0]] not in game.guesses else board for board in boards
    ]
    assume(any(boards))
    return game, boards


@given(states(), st.floats(0.01, 3), st.data())
def test_expected_left_is_that_of_the_twin(
    state: tuple[Game, list[list[int]]], rate: float, data: st.DataObject
) -> None:
    game, boards = state
    asked = data.draw(st.lists(st.sampled_from(range(len(game.guesses))), min_size=1))
    out = np.empty(len(asked))
    expected_left(game.tables, *packed(boards), rate, np.array(asked, np.int32), out)
    for guess, cost in zip(asked, out, strict=True):
        twin = sum(left(game, board, guess, rate) for board in boards if board)
        assert isclose(cost, twin, abs_tol=1e-9)


@given(states(), st.data())
def test_games_go_on_as_those_of_the_twin(state: tuple[Game, list[list[int]]], data: st.DataObject) -> None:
    game, boards = state
    guess = st.sampled_from(range(len(game.guesses)))
    pool = data.draw(st.lists(guess, min_size=1, max_size=4, unique=True))
    firsts = data.draw(st.lists(guess, min_size=1, max_size=2))
    most = data.draw(st.integers(1, 8))
    answers = [[data.draw(st.sampled_from(b)) if b else 0 for b in boards] for _ in range(3)]
    rates = np.array([0.0, 0.5, 0.3, 0.2])[: len(boards) + 1]
    out = np.empty((len(firsts), 3), np.int32)
    play_on(
        game.tables,
        *packed(boards),
        np.array(answers, np.int32),
        np.array(firsts, np.int32),
        np.array(pool, np.int32),
        rates,
        most,
        out,
    )
    for j, first in enumerate(firsts):
        for i, drawn in enumerate(answers):
            assert out[j, i] == taken(game, boards, drawn, first, pool, rates, most)


def test_the_key_of_a_state_depends_on_its_boards_alone() -> None:
    boards = [[0, 3, 4], [1], [], [1]]
    keys = {int(state_key(*packed([boards[i] for i in order]))) for order in ((0, 1, 2, 3), (3, 2, 0, 1))}
    assert len(keys) == 1
    others = [[[0, 3]], [[0], [3]], [[0, 3], [0, 3]], [[4]], [[], [0]]]
    assert len({int(state_key(*packed(other))) for other in others}) == len(others)


# Positions.


def test_a_board_is_left_alone_once_it_is_solved() -> None:
    at = BoardsPosition.after_rows(GAME, [("abc", ["ggg", "bgb"]), ("bbb", ["-", "ggg"])], 2)
    assert at.is_over
    assert at.turn == 3
    at = BoardsPosition.start(GAME, 2).play("abc", ["ggg", "gyy"])
    assert at.boards[0] is None
    assert at.boards[1].words == ("acb",)
    assert (at.turns_left, at.sizes.tolist(), at.members.tolist()) == (6, [1], [[1]])


@pytest.mark.parametrize(("boards", "turns"), [(2, 7), (4, 9), (8, 13), (16, 21)])
def test_the_turns_are_those_of_the_games_people_play(boards: int, turns: int) -> None:
    assert BoardsPosition.start(GAME, boards).max_turns == turns


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([("abc", ["ggg", "yyy"]), ("bca", ["-", "bbb"])], ["board 2", "row 2"]),
        ([("abc", ["ggg"])], ["row 1", "1 boards", "there are 2"]),
        ([("abc", ["ggg", "xyz!"])], ["board 2", "row 1"]),
        ([("abc", ["ggg", "-"])], ["board 2", "row 1", "missing"]),
        ([("abc", ["ggg", "yyy"]), ("bca", ["ggg", "ggg"])], ["board 1", "row 2", "solved already"]),
        ([("abc", ["ggg", "ggg"]), ("bca", ["-", "-"])], ["row 2", "over"]),
        ([("zzz", ["ggg", "ggg"])], ["zzz"]),
    ],
)
def test_rows_that_cannot_be_are_named(rows: list[tuple[str, list[str]]], words: list[str]) -> None:
    with pytest.raises(SleuthError) as error:
        BoardsPosition.after_rows(GAME, rows, 2)
    assert all(word in str(error.value) for word in words)


def test_a_contradiction_is_one() -> None:
    with pytest.raises(ContradictionError, match="board 1, row 1"):
        BoardsPosition.start(GAME, 1).play("aab", ["ggg"])


@pytest.mark.parametrize("mode", ["hard", "strict"])
def test_modes_that_restrict_guesses_are_refused(mode: Mode) -> None:
    with pytest.raises(SleuthError, match="easy mode"):
        BoardsPosition.start(GAME.with_mode(mode), 2)


@given(games(), st.data())
def test_a_position_is_the_positions_of_its_boards(game: Game, data: st.DataObject) -> None:
    answers = data.draw(st.lists(st.sampled_from(range(len(game.answers))), min_size=1, max_size=3))
    at, alone = BoardsPosition.start(game, len(answers)), [Position.start(game)] * len(answers)
    solved = [board is None for board in at.boards]
    for _ in range(3):
        guess = data.draw(st.sampled_from(range(len(game.guesses))))
        codes = [code(game, guess, a) for a in answers]
        at = at.after(guess, codes)
        for b, one in enumerate(codes):
            if solved[b]:
                assert at.boards[b] is None
                continue
            alone[b] = alone[b].after(guess, one)
            lone = alone[b].words[0] if len(alone[b].words) == 1 else None
            solved[b] = one == game.solved or (lone is not None and lone not in game.guesses)
            assert (at.boards[b] is None) == solved[b]
            if not solved[b]:
                assert at.boards[b].words == alone[b].words


# Strategies.


@given(st.one_of(word_games(), peg_games(), function_games()), st.data())
@pytest.mark.parametrize("strategy", BOTH, ids=lambda one: one.name)
def test_strategies_solve_all_boards(
    strategy: JointInformation | JointRollout, game: Game, data: st.DataObject
) -> None:
    assume(game.rules.n_codes > 1)
    answers = data.draw(st.lists(st.sampled_from(range(len(game.answers))), min_size=1, max_size=3))
    start = BoardsPosition.start(game, len(answers))
    made = play(strategy, start, answers)
    at = start
    for guess in made:
        assert not at.is_over
        at = at.after(guess, [code(game, guess, a) for a in answers])
    assert at.is_over


@given(word_games(), st.integers(1, 3))
@pytest.mark.parametrize("strategy", BOTH, ids=lambda one: one.name)
def test_the_choice_leads_the_ranking(
    strategy: JointInformation | JointRollout, game: Game, boards: int
) -> None:
    at = BoardsPosition.start(game, boards)
    ranked = strategy.rank(at, 5)
    assert game.guesses[strategy.choose(at)] == ranked[0].guess
    assert len(ranked) <= 5
    assert len({row.guess for row in ranked}) == len(ranked)
    for row in ranked:
        assert 0 <= row.solves <= boards + 1e-9
        assert row.bits >= 0
        assert row.win is None or 0 <= row.win <= 1
        assert row.expected_guesses > 0


@given(word_games(), st.integers(1, 3), st.floats(0.01, 3))
def test_one_step_takes_the_least_that_is_expected_to_be_left(game: Game, boards: int, rate: float) -> None:
    strategy = JointInformation(rate)
    at = BoardsPosition.start(game, boards)
    assume(len(game.answers) > 1)
    every = list(range(len(game.answers)))
    price = rate / boards**0.65
    costs = [boards * left(game, every, g, price) for g in range(len(game.guesses))]
    ranked = strategy.rank(at, 3)
    assert isclose(ranked[0].expected_guesses, 1 + min(costs), abs_tol=1e-8)
    assert isclose(costs[game.guesses.index(ranked[0].guess)], min(costs), abs_tol=1e-8)


@given(word_games(max_words=8), st.integers(1, 4))
def test_rollout_over_every_answer_is_exact(game: Game, turns: int) -> None:
    """The numbers of a rollout are those of games with every combination of answers, by the twin."""
    assume(len(game.answers) > 1)
    strategy = JointRollout(width=20, games=100, pool=20)
    at = BoardsPosition.start(game, 2, turns)
    every = list(range(len(game.answers)))
    pool = JointInformation().best(at, 20)[0].tolist()
    rates, shares = JointInformation().rates(2), weights(game, every)
    for row in strategy.rank(at):
        assert (row.expected_by, row.error) == ("every answer", 0)
        mean = win = 0.0
        for pair in product(every, repeat=2):
            first = game.guesses.index(row.guess)
            count = taken(game, [every, every], pair, first, pool, rates, 14)
            mean += shares[pair[0]] * shares[pair[1]] * count
            win += shares[pair[0]] * shares[pair[1]] * (count <= turns)
        assert isclose(row.expected_guesses, mean + strategy.loss * (1 - win), abs_tol=1e-6)
        assert isclose(row.win, win, abs_tol=1e-6)


def test_a_position_is_worth_the_same_whatever_is_asked_beside_it(original: Game) -> None:
    rows = [("salet", ["bbybb", "bgybb"])]
    at = BoardsPosition.after_rows(original, rows, 2)
    strategy = JointRollout(width=4, games=8, pool=8)
    plain = strategy.rank(at)
    *others, fuzzy = strategy.weigh(at, [original.find("fuzzy")])
    assert others == plain
    assert fuzzy.guess == "fuzzy"
    assert fuzzy.expected_guesses > plain[0].expected_guesses


def test_the_error_is_of_the_difference_to_the_best(original: Game) -> None:
    at = BoardsPosition.after_rows(original, [("salet", ["bbybb", "bgybb"])], 2)
    strategy = JointRollout(width=4, games=8, pool=8)
    best, *others = strategy.weigh(at, [original.find("fuzzy")])
    assert best.expected_by == "rollout"
    assert best.error == 0
    assert all(one.error is not None and one.error > 0 for one in others)
    # Of more games less is chance.
    more = JointRollout(width=4, games=512, pool=8).weigh(at, [original.find("fuzzy")])[-1]
    assert others[-1].error is not None
    assert more.error is not None
    assert more.error < others[-1].error / 4
    assert {one.error for one in JointInformation().rank(at, 3)} == {None}


def test_with_few_turns_left_winning_comes_first(original: Game) -> None:
    """A board of eight like _ight: naming one after another loses where a guess between them wins."""
    trap = ("eight", "fight", "light", "might", "night", "right", "sight", "tight")
    game = Game("trap", WordleRules(5), (*original.guesses,), trap, uniform(8))
    at = BoardsPosition.start(game, 1, 3)
    best = JointRollout().rank(at)[0]
    assert best.win > 0.99
    assert best.guess not in trap
    # With one guess left there is nothing better than to name one.
    last = JointRollout().rank(BoardsPosition.start(game, 1, 1))[0]
    assert isclose(last.win, 1 / 8)
    assert last.guess in trap


def test_a_known_answer_that_tells_of_another_board_is_guessed_first() -> None:
    """Board 1 is known, and its answer tells the two of board 2 apart."""
    game = Game("three", WordleRules(3), ("abc", "aba", "cbb"), ("abc", "aba", "cbb"), uniform(3))
    known = Position(game, np.array([2], np.int32), None)
    two = Position(game, np.array([0, 1], np.int32), None)
    at = BoardsPosition(game, (known, two), 1, 7)
    for strategy in BOTH:
        assert game.guesses[strategy.choose(at)] == "cbb"
    best = JointRollout().rank(at)[0]
    assert (best.guess, best.expected_guesses) == ("cbb", 2.0)


def test_answers_that_nothing_tells_apart_are_an_error() -> None:
    game = Game.from_function(lambda g, a: g == a, [1, 2, 3], [1])
    at = BoardsPosition.start(game, 2).play("1", ["False", "False"])
    for strategy in BOTH:
        with pytest.raises(StrategyError, match="2 or 3"):
            strategy.choose(at)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("joint-rolout", "joint-rollout"),
        ("joint-rollout(width=0)", "width"),
        ("joint-rollout(loss=-1)", "loss"),
        ("joint-rollout(loss=inf)", "loss"),
        ("joint-rollout(seed=-1)", "seed"),
        ("joint-information(rate=0)", "rate"),
        ("joint-information(rate=nan)", "rate"),
        ("joint-information(speed=1)", "rate"),
    ],
)
def test_bad_options_are_named(text: str, words: str) -> None:
    with pytest.raises(SleuthError, match=words):
        make_joint(text)


def test_every_strategy_of_the_registry_is_made() -> None:
    assert {make_joint(name).name for name in JOINT} == set(JOINT)


# Evaluations.


def test_an_evaluation_is_its_games() -> None:
    strategy = JointInformation()
    report = evaluate(strategy, GAME, 3, 40, seed=5, max_turns=4)
    answers = draw_answers(GAME, 3, 40, 5)
    turns = [len(play(strategy, BoardsPosition.start(GAME, 3), row)) for row in answers]
    assert report.turns.tolist() == turns
    assert isclose(report.mean, sum(turns) / 40)
    assert isclose(report.standard_error, np.std(turns, ddof=1) / 40**0.5)
    assert report.losses == sum(t > 4 for t in turns)
    assert report.worst == max(turns)
    assert report.histogram == {t: turns.count(t) for t in sorted(set(turns))}
    assert (report.boards, report.max_turns, report.interrupted) == (3, 4, False)


@pytest.mark.parametrize("strategy", BOTH, ids=lambda one: one.name)
def test_threads_change_nothing(
    strategy: JointInformation | JointRollout, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, found = mastermind(3, 4), []
    for threads in (1, 3):
        monkeypatch.setenv("SLEUTH_THREADS", str(threads))
        found.append(evaluate(strategy, game, 3, 12, seed=1).turns.tolist())
    assert found[0] == found[1]


def test_games_are_drawn_one_by_one() -> None:
    many, few = draw_answers(GAME, 3, 50, 7), draw_answers(GAME, 3, 20, 7)
    assert many[:20].tolist() == few.tolist()
    assert any(len(set(row)) < 3 for row in many.tolist())
    assert all(len(set(row)) == 3 for row in draw_answers(GAME, 3, 50, 7, distinct=True).tolist())
    tilted = GAME.with_prior(np.array([0, 0, 1.0, 3.0, 0]))
    assert set(draw_answers(tilted, 3, 50, 7).ravel().tolist()) == {2, 3}
    with pytest.raises(SleuthError, match="3 boards"):
        draw_answers(tilted, 3, 1, 7, distinct=True)


def test_progress_counts_the_games() -> None:
    seen = []
    evaluate(JointInformation(), GAME, 2, 12, progress=lambda at: seen.append((at.done, at.total)))
    assert seen == [(i, 12) for i in range(1, 13)]


def test_an_interrupt_ends_with_the_games_that_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLEUTH_THREADS", "1")

    def stop(progress: Progress) -> None:
        if progress.done == 5:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        evaluate(JointInformation(), GAME, 2, 12, progress=stop)
    report = stopped.value.known
    assert report.interrupted
    assert report.games == 5
    whole = evaluate(JointInformation(), GAME, 2, 12)
    assert report.turns.tolist() == whole.turns[:5].tolist()

    class Never(JointInformation):
        def choose(self, position: BoardsPosition) -> int:
            if position.turn > 1:
                raise KeyboardInterrupt
            return super().choose(position)

    with pytest.raises(KeyboardInterrupt):
        evaluate(Never(), GAME, 2, 12)


def test_a_strategy_that_goes_round_in_circles_is_stopped() -> None:
    class Same(JointInformation):
        def choose(self, position: BoardsPosition) -> int:
            return 5

    with pytest.raises(StrategyError, match="not solved all boards"):
        play(Same(), BoardsPosition.start(GAME, 2), [0, 1])


def test_evaluations_refuse_what_makes_no_sense() -> None:
    for change in ({"games": 0}, {"boards": 0}, {"max_turns": 0}, {"seed": -1}, {"opener": "zzz"}):
        with pytest.raises(SleuthError):
            evaluate(JointInformation(), GAME, **change)


@pytest.mark.thorough
def test_quordle_on_the_original_lists(original: Game) -> None:
    """Few of the games of the bar, from an opener that spares the first choice; all 1000 are a benchmark."""
    one = evaluate("joint-information", original, 4, 60, opener="crane")
    assert one.losses == 0
    assert one.mean < 7.1
    better = evaluate("joint-rollout(width=8,games=16,pool=32)", original, 4, 30, opener="crane")
    assert better.losses == 0
    assert better.mean < 7.1


# The command line.

WORDS = ("--boards", "2", "--strategy", "joint-rollout(width=4,games=4,pool=8)")


def test_the_command_suggests(run: Run) -> None:
    found = json_of(run("boards", "--after", "crane:bbybb,ggggg", *WORDS, "--limit", 3, "--json"))
    assert found["turn"] == 2
    assert found["max_turns"] == 7
    assert found["guess"] == found["guesses"][0]["guess"]
    assert len(found["guesses"]) == 3
    assert [board["solved"] for board in found["boards"]] == [False, True]
    code_, out, _ = run("boards", "--after", "crane:bbybb/ggggg", *WORDS)
    assert code_ == 0
    assert "board 2: solved" in out
    assert f"guess {found['guess']}" in out


def test_the_command_knows_when_it_is_over(run: Run) -> None:
    args = ("boards", "--after", "crane:bbybb,ggggg", "--after", "abbot:ggggg,-", *WORDS)
    found = json_of(run(*args, "--json"))
    assert found["guess"] is None
    assert found["guesses"] == []
    assert "every board is solved in 2 guesses" in run(*args)[1]
    assert "over the 1 allowed" in run(*args, "--max-turns", 1)[1]


def test_the_command_plays_on_when_the_turns_are_used_up(run: Run) -> None:
    code_, out, _ = run("boards", "--after", "crane:bbybb,ggggg", *WORDS, "--max-turns", 1)
    assert code_ == 0
    assert "used up" in out


def test_the_command_evaluates(run: Run) -> None:
    args = ("boards", "--game", "mastermind", "--pegs", 2, "--colours", 3, *WORDS, "--games", 9)
    found = json_of(run(*args, "--json"))
    assert found["games"] == 9
    assert sum(found["histogram"].values()) == 9
    code_, out, _ = run(*args, "--distinct", "--opener", "12", "--seed", 3)
    assert code_ == 0
    assert "from 12: 9 games" in out


def test_an_interrupted_command_says_what_is_known(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = playing.play
    played: list[int] = []

    def some(*args: Any) -> list[int]:
        if len(played) == 4:
            raise KeyboardInterrupt
        played.append(1)
        return whole(*args)

    monkeypatch.setenv("SLEUTH_THREADS", "1")
    monkeypatch.setattr(playing, "play", some)
    code_, out, err = run("boards", "--game", "mastermind", "--pegs", 2, "--colours", 3, *WORDS)
    assert code_ == 130
    assert "4 games" in out
    assert "interrupted" in err


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--after", "crane"), "crane"),
        (("--after", "crane:bbbbb"), "there are 2"),
        (("--after", "crane:bbbbb,ggggq"), "board 2, row 1"),
        (("--after", "crane:bbbbb,bbbbb", "--after", "crane:bbbbb,bbbbg"), "board 2, row 2"),
        (("--mode", "hard"), "easy mode"),
        (("--opener", "zzzzz"), "zzzzz"),
        (("--max-turns", "0"), "max_turns"),
    ],
)
def test_bad_input_is_named(run: Run, args: tuple[str, ...], words: str) -> None:
    code_, out, err = run("boards", *WORDS, *args)
    assert code_ == 2
    assert out == ""
    assert words in err
    assert "Traceback" not in err


def test_feedback_errors_are_feedback_errors() -> None:
    with pytest.raises(FeedbackError):
        BoardsPosition.start(GAME, 2).play("abc", ["ggg", "nonsense"])
