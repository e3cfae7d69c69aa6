"""Numbers from outside are checked where they enter: kernels check no bounds.

NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(mktemp -d) runs these with kernels that do, so that what slips
through is an IndexError and not a wrong result or a crash.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Never

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from random_games import follow, games, histories

import sleuth
from sleuth.games.frontier import Frontier
from sleuth.games.game import Game, Mode
from sleuth.games.position import Position
from sleuth.games.priors import uniform
from sleuth.games.rules import WordleRules
from sleuth.games.strategy import BatchStrategy, describe
from sleuth.learning.gym.environment import WordleEnv
from sleuth.learning.gym.vector import WordleVectorEnv
from sleuth.strategies.heuristics import InformationGain
from sleuth.strategies.rollout import Rollout
from sleuth.strategies.schedule import Schedule
from sleuth.support.errors import SleuthError, StrategyError, TreeError
from sleuth.testing import check_game, check_strategy
from sleuth.trees.tree import DecisionTree
from sleuth.variants import boards, noise
from sleuth.variants.adversary.host import reply
from sleuth.variants.adversary.mixture import Mixture
from sleuth.variants.boards.position import BoardsPosition
from sleuth.variants.boards.strategies import JointInformation
from sleuth.variants.noise.belief import NoisyPosition
from sleuth.variants.noise.channel import Channel, honest
from sleuth.variants.noise.simulation import finish
from sleuth.variants.noise.strategies import NoisyInformationGain, information

WORDS = ("caret", "crane", "react", "slate", "trace")
GAME = sleuth.wordle(WORDS)
HUGE = 10**6

# What a strategy of one's own may give for an index, and what is said of it.
NO_INDEX = {
    "far": (HUGE, "has no guess 1000000, only 0 to 4"),
    "next": (5, "has no guess 5, only 0 to 4"),
    "negative": (-2, "has no guess -2, only 0 to 4"),
    "beyond int64": (2**80, "has no guess 1208925819614629174706176"),
    "float": (1.0, "takes a guess by its number, not 1.0"),
    "nan": (math.nan, "takes a guess by its number, not nan"),
    "numpy float": (np.float64(1.0), "takes a guess by its number, not np.float64"),
    "bool": (True, "takes a guess by its number, not True"),
    "numpy bool": (np.True_, "takes a guess by its number, not "),
    "word": ("crane", "takes a guess by its number, not 'crane'"),
    "nothing": (None, "takes a guess by its number, not None"),
    "array": (np.array([1]), "takes a guess by its number, not a ndarray"),
    "list": ([1], "takes a guess by its number, not a list"),
}
# What it may give for indices of one guess each, [sets], the first taken for each set.
NO_INDICES = {
    "far": (lambda n: np.full(n, HUGE), "has no guess 1000000, only 0 to 4"),
    "next": (lambda n: np.full(n, 5, np.int32), "has no guess 5, only 0 to 4"),
    "negative": (lambda n: np.full(n, -2), "has no guess -2, only 0 to 4"),
    "wrapped": (lambda n: np.full(n, 2**32 + 1), "has no guess 4294967297, only 0 to 4"),
    "unsigned": (lambda n: np.full(n, 2**64 - 1, np.uint64), "has no guess 18446744073709551615"),
    "floats": (lambda n: np.ones(n), "takes guess numbers, not float64"),
    "nans": (lambda n: np.full(n, np.nan), "takes guess numbers, not float64"),
    "bools": (lambda n: np.ones(n, bool), "takes guess numbers, not bool"),
    "words": (lambda n: np.full(n, "crane"), "takes guess numbers, not <U5"),
    "objects": (lambda n: np.full(n, None), "takes guess numbers, not object"),
    "nothing": (lambda n: None, "takes guess numbers, not object"),
    "too few": (lambda n: np.zeros(n - 1, int), r"takes guess numbers \[[0-9]"),
    "too many": (lambda n: np.zeros(n + 1, int), r"takes guess numbers \[[0-9]"),
    "uneven": (lambda n: [[0], [0, 1]], "takes an array of guess numbers, not a list"),
}


class Single:
    """Chooses what it is told to, whatever that is."""

    name: ClassVar[str] = "single"

    def __init__(self, given: Any) -> None:
        self.given = given

    def choose(self, position: Any) -> Any:
        return self.given

    def rank(self, position: Any, limit: int = 20) -> Any:
        return describe(position, np.array([self.given]))


class Many(BatchStrategy):
    """The same for many sets at once."""

    name = "many"

    def __init__(self, make: Callable[[int], Any]) -> None:
        self.make = make

    def best(self, frontier: Frontier, k: int) -> Any:
        made = self.make(len(frontier))
        return made[:, None] if isinstance(made, np.ndarray) else made


class All(Single):
    """A strategy with choose_all that is no BatchStrategy."""

    name: ClassVar[str] = "all"

    def choose_all(self, frontier: Frontier) -> Any:
        return self.given(len(frontier))


each_index = pytest.mark.parametrize(("given", "said"), NO_INDEX.values(), ids=NO_INDEX)
each_indices = pytest.mark.parametrize(("make", "said"), NO_INDICES.values(), ids=NO_INDICES)


@each_index
def test_a_guess_that_is_none_is_refused(given: Any, said: str) -> None:
    with pytest.raises(StrategyError, match=f"single.choose: .*{said}"):
        sleuth.evaluate(Single(given), GAME)
    with pytest.raises(AssertionError, match=said):
        check_strategy(Single(given), GAME)


@each_indices
def test_guesses_that_are_none_are_refused(make: Callable[[int], Any], said: str) -> None:
    with pytest.raises(StrategyError, match=f"all.choose_all: .*{said}"):
        sleuth.evaluate(All(make), GAME)
    start = Position.start(GAME)
    many = Many(make)
    for ask in (
        lambda: sleuth.evaluate(many, GAME),
        lambda: many.choose(start),
        lambda: many.rank(start),
        lambda: sleuth.evaluate(Rollout(base=many), GAME),
        lambda: sleuth.evaluate(Schedule(turns=(many,)), GAME),
        lambda: sleuth.evaluate(Rollout(base=Schedule(turns=(InformationGain(), many))), GAME, "crane"),
    ):
        with pytest.raises(StrategyError, match=said):
            ask()
    with pytest.raises(AssertionError):
        check_strategy(many, GAME)


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64, np.uint64, ">i4", list])
def test_whole_numbers_of_any_kind_will_do(kind: Any) -> None:
    class First(Many):
        def best(self, frontier: Frontier, k: int) -> Any:
            found = InformationGain().best(frontier, k)
            return found.tolist() if kind is list else found.astype(kind)

    assert (
        sleuth.evaluate(First(None), GAME).report.total
        == sleuth.evaluate("information-gain", GAME).report.total
    )
    if kind is not list:
        assert sleuth.evaluate(Single(np.dtype(kind).type(0)), sleuth.wordle(["crane"])).report.total == 1


def test_no_guess_is_said_as_such() -> None:
    with pytest.raises(StrategyError, match="single finds no guess that tells apart caret, crane"):
        sleuth.evaluate(Single(-1), GAME)
    with pytest.raises(StrategyError, match="many finds no guess that tells apart caret, crane"):
        sleuth.evaluate(Many(lambda n: np.full(n, -1)), GAME.with_mode("strict"))
    with pytest.raises(StrategyError, match="single finds no guess"):
        sleuth.evaluate(Single(-1), GAME.with_mode("strict"))


@pytest.mark.parametrize("progress", [None, lambda *_: None])
def test_guesses_that_are_not_legal_are_refused_from_many_at_once(
    progress: Callable[[object], None] | None,
) -> None:
    strict = sleuth.mastermind(2, 3, mode="strict")
    for strategy in (All(lambda n: np.zeros(n, np.int32)), Single(0)):
        with pytest.raises(StrategyError, match="guesses 11, which is not legal there in strict mode"):
            sleuth.evaluate(strategy, strict, progress=progress)


class Nameless:
    def choose(self, position: Position) -> int:
        return 0

    rank = choose


@pytest.mark.parametrize(
    ("strategy", "said"),
    [
        (Single, r"Single is a class: give an instance of it, Single\(\)"),
        (lambda: 0, r"<lambda> is called with \(position\), and does not take that"),
        (Nameless(), "a Nameless has no name"),
        (None, "a NoneType is no strategy"),
        (7, "a int is no strategy"),
        (GAME, "a Game is no strategy"),
    ],
    ids=["class", "function", "nameless", "none", "number", "game"],
)
def test_what_is_no_strategy_is_said_in_a_line(strategy: Any, said: str) -> None:
    for ask in (
        lambda: sleuth.evaluate(strategy, GAME),
        lambda: DecisionTree.build(strategy, GAME),
        lambda: noise.evaluate(strategy, GAME, honest(GAME)),
        lambda: noise.play(strategy, GAME, honest(GAME), 0, np.random.default_rng(0)),
        lambda: boards.evaluate(strategy, GAME, 2, 1),
    ):
        with pytest.raises(StrategyError, match=said) as caught:
            ask()
        assert "\n" not in str(caught.value)
    with pytest.raises(AssertionError, match=said):
        check_strategy(strategy, GAME)


@each_index
def test_players_against_lies_and_on_boards_are_checked_too(given: Any, said: str) -> None:
    if given == -2:
        said = "has no guess -2"
    player = Single(given)
    for ask in (
        lambda: noise.evaluate(player, GAME, honest(GAME)),
        lambda: noise.play(player, GAME, honest(GAME), 0, np.random.default_rng(0)),
        lambda: boards.evaluate(player, GAME, 2, 1),
        lambda: boards.play(player, BoardsPosition.start(GAME, 2), [0, 1]),
    ):
        with pytest.raises(StrategyError, match=f"single.choose: .*{said}"):
            ask()


# Arrays from outside, anywhere in the range and far beyond it, of many kinds.

numbers = st.one_of(
    st.integers(-3, 12),
    st.sampled_from([HUGE, -HUGE, 2**31, 2**32, 2**62]),
    st.integers(0, 4),
    st.integers(0, 4),
)
kinds = st.sampled_from([np.int64, np.int64, np.int32, float, object])


@st.composite
def arrays(draw: st.DrawFn, most: int = 6) -> NDArray[Any]:
    """Arrays of numbers, most of them indices."""
    values = draw(st.lists(numbers, max_size=most))
    kind = draw(kinds)
    return np.array([v % 2**31 if kind is np.int32 else v for v in values], kind)


def refused_or(make: Callable[[], Any], use: Callable[[Any], object]) -> None:
    """Make something of what is from outside, and use it; it is refused in a line, or used without harm."""
    try:
        use(make())
    except SleuthError as refused:
        error = refused
    else:
        return
    assert "\n" not in str(error)


def taken(made: object) -> Never:
    raise AssertionError("taken")


def use_position(position: Position) -> None:
    assert 0 <= position.candidates.min() <= position.candidates.max() < len(position.game.answers)
    InformationGain().rank(position, 3)
    Rollout(width=2).choose(position)
    list(Frontier.of(position).after(np.array([0])).frontier.positions())


@given(arrays(), st.none() | arrays(), st.sampled_from(["easy", "hard", "strict"]), st.data())
def test_positions_by_hand(
    candidates: NDArray[Any], legal: NDArray[Any] | None, mode: Mode, data: st.DataObject
) -> None:
    rows = tuple(data.draw(st.lists(st.tuples(numbers, numbers), max_size=2)))
    refused_or(
        lambda: Position(GAME.with_mode(mode), candidates, legal, 1 + len(rows), rows=rows), use_position
    )


@given(arrays(), arrays(), st.none() | arrays(), st.none() | arrays(), arrays(), st.data())
def test_frontiers_by_hand(
    starts: NDArray[Any],
    candidates: NDArray[Any],
    legal_starts: NDArray[Any] | None,
    legal: NDArray[Any] | None,
    guesses: NDArray[Any],
    data: st.DataObject,
) -> None:
    def use(frontier: Frontier) -> None:
        InformationGain().best(frontier, 2)
        Rollout(width=2).best(frontier, 2)
        assert len(frontier.keys()) == len(frontier.histories()) == len(frontier.weights)
        children = frontier.after(guesses)
        assert children.frontier.candidates.size <= candidates.size

    mode: Mode = "easy" if legal is None else "strict"
    rows = data.draw(st.none() | st.just(np.array([[guesses[:2]]]) if len(guesses) > 1 else None))
    turn = 1 if rows is None else 2
    game = GAME.with_mode(mode)
    refused_or(lambda: Frontier(game, turn, starts, candidates, legal_starts, legal, rows), use)


@given(games(("easy", "hard", "strict")), st.data())
def test_what_positions_lead_to_needs_no_check(game: Game, data: st.DataObject) -> None:
    """The parts that frontiers are made of pass the checks that they are spared."""
    frontier = Frontier.of(follow(game, data.draw(histories(game))))
    for _ in range(2):
        again = replace(frontier)
        assert again.keys().tolist() == frontier.keys().tolist()
        for position in frontier.positions():
            assert replace(position).words == position.words
        if not len(frontier):
            return
        guesses = data.draw(
            st.lists(st.integers(0, len(game.guesses) - 1), min_size=len(frontier), max_size=len(frontier))
        )
        frontier = frontier.after(np.array(guesses)).frontier


@given(arrays())
def test_guesses_of_a_frontier(guesses: NDArray[Any]) -> None:
    frontier = Frontier.of(Position.start(GAME)).after(np.array([1])).frontier
    refused_or(lambda: frontier.after(guesses), lambda children: list(children.frontier.positions()))
    refused_or(lambda: describe(Position.start(GAME), guesses), len)


@given(numbers | st.floats(), numbers | st.floats(), st.sampled_from(["easy", "hard", "strict"]))
def test_rows_of_a_position(guess: Any, code: Any, mode: Mode) -> None:
    refused_or(lambda: Position.start(GAME.with_mode(mode)).after(guess, code), use_position)
    if mode == "easy":
        refused_or(lambda: NoisyPosition.start(GAME, honest(GAME)).after(guess, code), lambda at: at.weights)
        refused_or(lambda: BoardsPosition.start(GAME, 2).after(guess, [code, code]), lambda at: at.members)
    refused_or(lambda: reply(Position.start(GAME.with_mode(mode)), guess), int)


@given(arrays(4), arrays(4), arrays(4))
def test_trees_by_hand(guess: NDArray[Any], parent: NDArray[Any], code: NDArray[Any]) -> None:
    def use(tree: DecisionTree) -> None:
        assert tree.report().answers == 5
        assert len(tree.turn) == len(tree.children)
        Mixture(GAME).add(tree)

    refused_or(lambda: DecisionTree(GAME, guess, parent, code), use)


def test_trees_that_go_round_are_refused() -> None:
    for parent, code in (([-1, 1], [-1, 0]), ([0], [0]), ([-1, 0], [-1, 243]), ([-1, -1], [-1, 0])):
        with pytest.raises(TreeError):
            DecisionTree(GAME, np.zeros(len(parent), np.int32), np.array(parent), np.array(code))
    with pytest.raises(SleuthError, match="is none of"):
        Mixture(GAME).add(sleuth.evaluate("information-gain", sleuth.wordle(WORDS[:3])).tree)


weights = st.lists(st.floats() | st.integers(-1, 3), max_size=6)


@given(weights)
def test_weights(given_: list[float]) -> None:
    mixture = Mixture(GAME)
    mixture.add(sleuth.evaluate("information-gain", GAME).tree)
    array = np.array(given_, float)
    refused_or(lambda: GAME.with_prior(array), lambda game: sleuth.evaluate("information-gain", game))
    refused_or(lambda: mixture.least(array), math.isfinite)
    refused_or(lambda: mixture.best(array), len)
    refused_or(lambda: NoisyPosition(GAME, honest(GAME), array), lambda at: NoisyInformationGain().choose(at))


@given(arrays(), numbers)
def test_hosts_that_lie(answers: NDArray[Any], first: int) -> None:
    start = NoisyPosition.start(GAME, honest(GAME))
    draws = np.zeros((len(answers), 5))
    refused_or(lambda: finish(NoisyInformationGain(), start, answers, draws, first), len)
    refused_or(lambda: information(start, answers), len)
    small = Channel("small", np.eye(3))
    with pytest.raises(SleuthError, match="channel small is for 3 kinds of feedback"):
        NoisyPosition(GAME, small, np.ones(5))
    with pytest.raises(SleuthError):
        Channel("none", np.array([[np.nan, 1], [0, 1]]))


@given(arrays())
def test_answers_of_boards(answers: Any) -> None:
    at = BoardsPosition.start(GAME, 2)
    refused_or(lambda: boards.play(JointInformation(), at, answers), len)


def test_boards_of_other_games_are_refused() -> None:
    other = sleuth.mastermind(3, 6)
    with pytest.raises(SleuthError, match="board 2 is of another game"):
        BoardsPosition(GAME, (Position.start(GAME), Position.start(other)), 1, 7)
    strict = GAME.with_mode("strict")
    with pytest.raises(SleuthError, match="easy mode"):
        BoardsPosition(strict, (Position.start(strict),), 1, 7)


class Bent(WordleRules):
    """Rules that break their promise."""

    bend: Callable[[NDArray[Any]], Any]

    def __init__(self, bend: Callable[[NDArray[Any]], Any]) -> None:
        super().__init__(5)
        object.__setattr__(self, "bend", bend)

    def codes(self, guesses: Sequence[str], answers: Sequence[str]) -> Any:
        return self.bend(super().codes(guesses, answers))


@pytest.mark.parametrize(
    "bend",
    [
        lambda codes: np.full_like(codes, 250),
        lambda codes: codes.astype(np.int64),
        lambda codes: codes.astype(float),
        lambda codes: codes[:, :1],
        lambda codes: codes.ravel(),
        lambda codes: codes.tolist(),
    ],
)
@pytest.mark.parametrize("mode", ["easy", "strict"])
def test_rules_of_ones_own_are_held_to_their_codes(bend: Callable[[NDArray[Any]], Any], mode: Mode) -> None:
    game = Game("bent", Bent(bend), WORDS, WORDS, uniform(5), mode=mode)
    start = Position.start(game)
    for ask in (
        lambda: sleuth.evaluate("information-gain", game),
        lambda: start.after(1, 0),
        lambda: game.codes_as_answers(0),
    ):
        with pytest.raises(SleuthError, match="bent: rules.codes"):
            ask()
    with pytest.raises(AssertionError):
        check_game(game)


actions = st.one_of(
    numbers,
    st.floats(),
    st.booleans(),
    st.text(max_size=3),
    st.none(),
    arrays(),
    numbers.map(lambda n: np.int64(n)),
    st.floats().map(np.float64),
)


@given(actions, actions, st.sampled_from(["easy", "hard", "strict"]))
def test_actions(action: Any, answer: Any, mode: Mode) -> None:
    env = WordleEnv(GAME, mode=mode, candidates=True)
    refused_or(lambda: env.reset(seed=1, options={"answer": answer}), len)
    env.reset(seed=1)
    for _ in range(2):
        refused_or(lambda: env.step(action), lambda stepped: env.observation_space.contains(stepped[0]))
    envs = WordleVectorEnv(2, GAME, mode=mode, candidates=True)
    refused_or(lambda: envs.reset(seed=1, options={"answer": answer}), len)
    envs.reset(seed=1)
    for given_ in (action, [action, action], [0, action]):
        refused_or(lambda given_=given_: envs.step(given_), len)  # type: ignore[misc]  # mypy infers no lambda with a default


@pytest.mark.parametrize("num_envs", [0, -1, 2.5, "2", None, math.nan, True])
def test_numbers_of_games(num_envs: Any) -> None:
    with pytest.raises(SleuthError, match="num_envs must be"):
        WordleVectorEnv(num_envs, GAME)


def test_seeds_and_masks_that_are_none() -> None:
    envs = WordleVectorEnv(2, GAME)
    for seed in (-1, 1.5, [1], [1, 2.5], [1, 2, 3], "ab", np.array([1.0, 2.0])):
        refused_or(lambda seed=seed: envs.reset(seed=seed), taken)  # type: ignore[misc]  # mypy infers no lambda with a default
    for mask in (np.ones(3, bool), np.ones(2), [1, 0], "ab"):
        refused_or(lambda mask=mask: envs.reset(options={"reset_mask": mask}), taken)  # type: ignore[misc]  # mypy infers no lambda with a default
