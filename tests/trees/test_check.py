"""check_tree: right trees pass, with the turns the tree counts itself, and every kind of wrong tree fails."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from random_games import games, word_games

from sleuth.games.feedback import wordle_marks
from sleuth.games.game import Game, Mode
from sleuth.games.pegs import mastermind
from sleuth.games.position import Position
from sleuth.games.wordle import wordle
from sleuth.games.wordlists import from_words
from sleuth.strategies.registry import make
from sleuth.support.errors import TreeError
from sleuth.trees.check import check_tree, keeps_hard_rule, play_all
from sleuth.trees.tree import DecisionTree

MODES: tuple[Mode, ...] = ("easy", "hard", "strict")
PLAYERS = st.sampled_from(["information-gain", "alpha(ties=list-order)", "worst-case", "random"])


def small_tree(mode: Mode = "easy") -> DecisionTree:
    words = from_words(["bat", "cat", "ten", "tin"], ["bat", "cat", "ten", "tin", "pub"])
    game = wordle(words, mode=mode)
    return tree(game, [("bat", -1, ""), ("cat", 0, "bgg"), ("ten", 0, "bby"), ("tin", 2, "gbg")])


def tree(game: Game, nodes: list[tuple[str, int, str]]) -> DecisionTree:
    parse = game.rules.notation.parse
    return DecisionTree(
        game,
        np.array([game.guesses.index(guess) for guess, _, _ in nodes], np.int32),
        np.array([parent for _, parent, _ in nodes], np.int32),
        np.array([parse(shown) if shown else -1 for _, _, shown in nodes], np.int32),
        "by hand",
    )


@given(games(MODES), PLAYERS)
def test_trees_of_strategies_pass_with_the_same_turns(game: Game, player: str) -> None:
    made = DecisionTree.build(make(player), game)
    report = check_tree(made)
    assert report.turns.tolist() == made.turns.tolist()
    assert (report.total, report.mean, report.histogram) == (
        made.report().total,
        made.report().mean,
        made.report().histogram,
    )


@given(games(MODES), PLAYERS, st.data())
def test_any_missing_branch_is_found(game: Game, player: str, data: st.DataObject) -> None:
    made = DecisionTree.build(make(player), game)
    assume(len(made.guess) > 1)
    dropped = data.draw(st.integers(1, len(made.guess) - 1))
    keep = [0]
    for node in range(1, len(made.guess)):
        if node != dropped and made.parent[node] in keep:
            keep.append(node)
    place = {-1: -1, **{node: i for i, node in enumerate(keep)}}
    parents = np.array([place[int(p)] for p in made.parent[keep]], np.int32)
    with pytest.raises(TreeError, match="is never found"):
        check_tree(replace(made, guess=made.guess[keep], parent=parents, code=made.code[keep]))


@given(games(), PLAYERS, st.data())
def test_any_impossible_branch_is_found(game: Game, player: str, data: st.DataObject) -> None:
    made = DecisionTree.build(make(player), game)
    parent = len(made.guess) - 1
    members = play_all(made).at[parent]
    guess = game.guesses[made.guess[parent]]
    possible = {game.rules.code(guess, game.answers[a]) for a in members}
    code = data.draw(st.integers(0, game.rules.n_codes - 1))
    assume(code not in possible and code != game.solved)
    grown = replace(
        made,
        guess=np.append(made.guess, 0).astype(np.int32),
        parent=np.append(made.parent, parent).astype(np.int32),
        code=np.append(made.code, code).astype(np.int32),
    )
    with pytest.raises(TreeError, match="no answer leads there"):
        check_tree(grown)


@given(word_games(("hard", "strict")), st.data())
def test_legality_agrees_with_positions(game: Game, data: st.DataObject) -> None:
    """A second guess passes just where the position says that it is legal."""
    first, second = (data.draw(st.integers(0, len(game.guesses) - 1)) for _ in range(2))
    answer = data.draw(st.integers(0, len(game.answers) - 1))
    code = game.rules.code(game.guesses[first], game.answers[answer])
    assume(code != game.solved)
    after = Position.start(game).after(first, code)
    few = game.with_answers([game.answers[answer]], np.ones(1))
    nodes = [(first, -1, -1), (second, 0, code)]
    if game.answers[answer] != game.guesses[second]:
        last = game.guesses.index(game.answers[answer])
        nodes.append((last, 1, game.rules.code(game.guesses[second], game.answers[answer])))
    guess, parent, codes = (np.array(column, np.int32) for column in zip(*nodes, strict=True))
    made = DecisionTree(few, guess, parent, codes)
    if second in after.legal:
        assert check_tree(made).turns.tolist() == [len(nodes)]
    else:
        with pytest.raises(TreeError, match=f"is not legal in {game.mode} mode"):
            check_tree(made)


def test_hard_rule_by_hand() -> None:
    marks = wordle_marks("geese", "elite")
    assert marks == (0, 1, 0, 0, 2)
    assert keeps_hard_rule("eagle", "geese", marks)
    assert not keeps_hard_rule("trace", "geese", marks)  # e was hinted at twice
    assert not keeps_hard_rule("ether", "geese", marks)  # the last e must stay


def test_the_error_names_the_path_and_the_answer() -> None:
    good = small_tree()
    assert check_tree(good).turns.tolist() == [1, 2, 2, 3]
    bad = tree(good.game, [("bat", -1, ""), ("cat", 0, "bgg"), ("ten", 0, "bby")])
    with pytest.raises(TreeError) as caught:
        check_tree(bad)
    assert str(caught.value) == (
        "after bat BBY: the answer tin is never found: it gives GBG for ten,"
        " and the tree has no branch for that"
    )


def test_an_illegal_guess_is_named_with_what_it_breaks() -> None:
    cases: list[tuple[Mode, str, bool]] = [
        ("easy", "pub", True),
        ("hard", "pub", False),
        ("strict", "pub", False),
    ]
    for mode, word, ok in cases:
        words = small_tree(mode).game
        made = tree(
            words,
            [("bat", -1, ""), ("cat", 0, "bgg"), (word, 0, "bby"), ("ten", 2, "bbb"), ("tin", 3, "gbg")],
        )
        if ok:
            assert check_tree(made).total == 1 + 2 + 3 + 4
        else:
            problem = rf"after bat BBY: pub is not legal in {mode} mode, .* bat BBY \(the answer ten"
            with pytest.raises(TreeError, match=problem):
                check_tree(made)


def test_hard_allows_what_strict_forbids() -> None:
    words = ["bat", "cat", "tab", "tub"]
    nodes = [("cat", -1, ""), ("bat", 0, "bgg"), ("tab", 0, "bgy"), ("tub", 0, "bby")]
    assert check_tree(tree(wordle(from_words(words), mode="strict"), nodes)).total == 7
    # From cat BBY strict mode leaves tub alone; the hard rule only asks for a t.
    nodes = [*nodes[:3], ("bat", 0, "bby"), ("tub", 3, "yby")]
    assert check_tree(tree(wordle(from_words(words), mode="hard"), nodes)).total == 8
    with pytest.raises(TreeError, match="bat is not legal in strict mode, it does not keep to cat BBY"):
        check_tree(tree(wordle(from_words(words), mode="strict"), nodes))


def test_answers_that_no_guess_can_name_are_found_when_alone() -> None:
    game = Game.from_function(lambda g, a: "right" if g == a else a % g, [4, 5, 6], [3, 4], max_turns=3)
    made = DecisionTree.build(make("information-gain"), game, "3")
    assert check_tree(made).turns.tolist() == made.turns.tolist()
    two = Game.from_function(lambda g, a: a % g, [4, 7], [3])
    guess, parent, code = (np.array([x], np.int32) for x in (0, -1, -1))
    alone = DecisionTree(two, guess, parent, code)
    with pytest.raises(TreeError, match="the answer 4 is never found"):
        check_tree(alone)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"guess": [0, 9, 2, 3]}, "node 1 has guess number 9; .* has 0 to 4"),
        ({"guess": [0, 1]}, "need one positive length, not 2, 4 and 4"),
        ({"guess": [], "parent": [], "code": []}, "need one positive length, not 0"),
        ({"parent": [-1, 0, 3, 2]}, "node 2 has parent 3; parents come before"),
        ({"parent": [-1, 0, -1, 2]}, "node 2 has parent -1"),
        ({"parent": [0, 0, 0, 2]}, "node 0 is the root"),
        ({"code": [-1, 8, 1, 27]}, "node 3 has feedback number 27; .* has 0 to 26"),
        ({"code": [-1, 26, 1, 20]}, "after bat GGG: the guess was right, but the tree goes on with cat"),
        ({"code": [-1, 1, 1, 20]}, "after bat BBY: the tree has two branches"),
    ],
)
def test_arrays_that_make_no_tree(changes: dict[str, list[int]], message: str) -> None:
    arrays: dict[str, Any] = {name: np.array(values, np.int32) for name, values in changes.items()}
    with pytest.raises(TreeError, match=message):
        check_tree(replace(small_tree(), **arrays))


def test_nodes_out_of_the_order_of_turns() -> None:
    made = small_tree()
    arrays = {"guess": [0, 3, 4, 1], "parent": [-1, 0, 1, 0], "code": [-1, 1, 20, 8]}
    changes: dict[str, Any] = {name: np.array(v, np.int32) for name, v in arrays.items()}
    with pytest.raises(TreeError, match="node 3, of turn 2, stands after one of turn 3"):
        check_tree(replace(made, **changes))


def test_a_tree_that_goes_round_in_circles_ends() -> None:
    game = mastermind(2, 2)
    guess, parent = np.zeros(200, np.int32), np.arange(-1, 199, dtype=np.int32)
    code = np.full(200, game.rules.code("11", "22"), np.int32)
    code[0] = -1
    with pytest.raises(TreeError, match="more than 100 guesses deep"):
        check_tree(DecisionTree(game, guess, parent, code))


def test_a_full_tree_is_checked(original: Game) -> None:
    made = DecisionTree.build(make("information-gain"), original, "salet")
    assert check_tree(made).total == made.report().total == 7946
