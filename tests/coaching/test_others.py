"""Other hosts and several boards: what is advised and how games are reviewed."""

import itertools

import numpy as np
import pytest

from sleuth.coaching.hosts import Lied, against_host, blow_of
from sleuth.coaching.playing.puzzles import Puzzle
from sleuth.coaching.playing.session import replay
from sleuth.coaching.reviews.others import review_absurdle, review_boards, review_fibble
from sleuth.games.game import Game
from sleuth.games.pegs import mastermind
from sleuth.games.position import Position
from sleuth.games.wordle import wordle
from sleuth.support.errors import ContradictionError, FeedbackError, SleuthError
from sleuth.variants.adversary.host import fewest_guesses, reply
from sleuth.variants.boards.position import BoardsPosition, rows_together
from sleuth.variants.boards.strategies import advised
from sleuth.variants.noise.channel import fibble
from sleuth.variants.noise.strategies import NoisyExpectedGuesses

WORDS = ["crane", "trace", "react", "caret", "eerie", "cater", "crate", "brace", "grace"]
LONG = 60.0  # seconds no search here comes near


@pytest.fixture(scope="module")
def small() -> Game:
    return wordle(WORDS)


@pytest.fixture(scope="module")
def frequent() -> Game:
    return wordle("original:400")


# Absurdle


@pytest.mark.parametrize(
    "game",
    [wordle(WORDS), mastermind(2, 3), pytest.param(wordle("original:1000"), marks=pytest.mark.thorough)],
)
def test_what_beats_the_host_is_what_the_search_finds(game: Game) -> None:
    for position in (Position.start(game), _kept(game, game.guesses[0])):
        best = against_host(position, 3, LONG)[0]
        assert (best.expected_guesses, best.kind) == (fewest_guesses(position).guesses, "proved")


def test_the_last_word_beats_the_host(small: Game) -> None:
    position = Position.after_rows(
        small, [("crane", small.rules.notation.show(small.rules.code("crane", "eerie")))]
    )
    assert len(position.candidates) == 1
    (best,) = against_host(position, 5, LONG)
    assert (best.guess, best.expected_guesses, best.chance, best.worst_left) == ("eerie", 1, 1, 0)


def test_what_is_not_known_in_time_is_the_least_that_may_be(frequent: Game) -> None:
    found = against_host(Position.start(frequent), 3, 0.0)
    assert {one.kind for one in found} == {"estimate"}
    assert all(one.expected_guesses <= 4 and one.least == one.expected_guesses for one in found)
    kept = [one.worst_left for one in found]
    assert kept == sorted(kept)


def test_a_guess_that_changes_nothing_is_no_blow(original: Game) -> None:
    position = _kept(original, "salet")
    again = blow_of(position, original.find("salet"), LONG)
    assert again.worst_left == len(position.candidates)
    assert again.kind == "estimate"


def test_a_game_against_the_host_is_reviewed(frequent: Game) -> None:
    session = replay(Puzzle(frequent, 7, variant="absurdle"), ["raise", "raise", "could"])
    found = review_absurdle(frequent, session.rows(), LONG)
    assert [move.best.expected_guesses for move in found.moves] == [4, 3, 3]
    # A guess made again tells nothing: that it costs one more is as much as is known.
    assert found.moves[1].loss in (None, 1)
    assert found.moves[2].loss == 0
    # What is proved to be best is not only the best known.
    assert found.moves[2].sentence == "No guess is better."
    assert not found.solved
    assert found.max_turns == session.puzzle.max_turns
    assert not found.notes


def test_what_absurdles_host_would_not_have_shown_is_noted(frequent: Game) -> None:
    found = review_absurdle(frequent, [("raise", "bybby")])
    (note,) = found.notes
    after = [Position.after_rows(frequent, [("raise", shown)]) for shown in ("ybbbb", "bybby")]
    left, here = (len(position.candidates) for position in after)
    host = f"Row 1: Absurdle's host answers RAISE with ybbbb, which leaves {left} answers"
    assert note == f"{host}; bybby leaves {here}."
    assert note in found.to_json()["notes"]


# Fibble


def test_what_may_be_after_lies_is_what_is_one_mark_off(small: Game) -> None:
    notation, code = small.rules.notation, small.rules.code("crane", "trace")
    lie = next(c for c in range(small.rules.n_codes) if fibble(small).matrix[code, c] > 0)
    at = Lied.after_rows(small, [("crane", notation.show(lie))])
    digits = small.rules.digits  # type: ignore[attr-defined]
    expected = {
        word
        for word in WORDS
        if (digits[small.rules.code("crane", word)] != digits[lie]).sum() == 1 and word != "crane"
    }
    assert {word for word, _ in at.likeliest} == expected
    assert sum(chance for _, chance in at.likeliest) == pytest.approx(1)


def test_numbers_through_lies_by_hand(small: Game) -> None:
    at, matrix = Lied.after_rows(small, []), fibble(small).matrix
    for one in at.best(3):
        codes = [small.rules.code(one.guess, word) for word in small.answers]
        shown = sum(matrix[code] for code in codes) / len(codes)
        left = [sum(matrix[code, c] > 0 for code in codes) for c in range(small.rules.n_codes)]
        left[small.solved] = 0
        assert one.expected_left == pytest.approx(float(np.dot(shown, left)))
        assert one.classes == int(np.count_nonzero(shown))
        assert one.expected_guesses == pytest.approx(
            float(NoisyExpectedGuesses().scores(at.belief)[small.find(one.guess)])
        )
    every = at.estimates(range(len(small.guesses)))
    assert every == pytest.approx(NoisyExpectedGuesses().scores(at.belief).tolist())


def test_rows_of_lies_are_checked(original: Game) -> None:
    with pytest.raises(FeedbackError, match="row 1 is right: the game is over, and row 2"):
        Lied.after_rows(original, [("crane", "ggggg"), ("salet", "bbbbb")])
    with pytest.raises(ContradictionError, match="row 2") as caught:
        Lied.after_rows(original, [("salet", "bbybb"), ("salet", "ygygy")])
    assert caught.value.row == 2


def test_a_game_of_lies_is_reviewed(original: Game) -> None:
    session = replay(Puzzle(original, 7, variant="fibble"), ["soare", "salet", "salet"])
    found = review_fibble(original, session.rows())
    # How far off the estimates are nobody knows.
    assert {(move.loss, move.skill, move.annotation) for move in found.moves} == {(None, None, "")}
    assert found.skill is None
    assert "no move is called a mistake" in found.assumed
    assert found.moves[0].sentence == "A good guess."
    assert found.moves[2].sentence == f"{found.moves[2].best.guess.upper()} seems to be better."
    assert [move.candidates_after for move in found.moves[:-1]] == [
        move.candidates_before for move in found.moves[1:]
    ]


# Several boards


def test_all_ways_to_the_end_are_weighed_where_they_are_few(small: Game) -> None:
    show = small.rules.notation.show
    for first, second in itertools.islice(itertools.permutations(WORDS, 2), 6):
        guesses = ["crane", first, second] if first != "crane" != second else [first, second]
        boards = []
        for answer in (first, second):
            rows = [(guess, show(small.rules.code(guess, answer))) for guess in guesses]
            right = guesses.index(answer)
            boards.append(rows[: right + 1])
        found = review_boards(small, boards)
        assert found.solved
        assert found.moves[-1].candidates_after == 0
        assert found.moves[-1].expected_after == 0
        for move in found.moves:
            assert move.best.kind == "at most"
            assert move.loss is not None
            assert move.loss >= 0
            if move.guess == move.best.guess:
                assert move.loss == 0


def test_a_position_of_boards_has_one_value() -> None:
    """The review holds the guess made against the first suggestion, by the numbers that both show."""
    game = wordle("original:700")
    show, guesses = game.rules.notation.show, ["later", "happy"]
    boards = [
        [(guess, show(game.rules.code(guess, answer))) for guess in guesses] for answer in ("guide", "comic")
    ]
    found = review_boards(game, boards)
    for number, move in enumerate(found.moves):
        at = BoardsPosition.after_rows(game, rows_together(game, boards)[:number], 2)
        best = advised(at).rank(at, 5)[0]
        assert (move.best.guess, move.expected_before) == (best.guess, best.expected_guesses)
        assert move.loss == max(0, move.value - move.expected_before)
        assert move.expected_kind == "estimate"
    assert found.moves[0].expected_after == found.moves[1].expected_before
    # What may be chance is said to be, and costs no skill.
    assert found.moves[0].sentence.endswith("guesses, which may be chance.")
    assert found.moves[0].skill == 99
    assert f"saves about {found.moves[1].loss:.2f} guesses" in found.moves[1].sentence
    assert found.moves[1].annotation == "?"


@pytest.mark.thorough
def test_what_may_be_chance_on_boards_is_no_mistake(original: Game) -> None:
    """SALET is among the best openers of four boards, however the answers are drawn; FUZZY is not."""
    show = original.rules.notation.show
    moves = {}
    for guess in ("salet", "fuzzy"):
        boards = [
            [(guess, show(original.rules.code(guess, answer)))]
            for answer in ("gauge", "comic", "sissy", "whirl")
        ]
        (moves[guess],) = review_boards(original, boards).moves
    salet, fuzzy = moves["salet"], moves["fuzzy"]
    assert salet.loss is not None
    assert salet.loss > 0.1
    assert (salet.annotation, salet.skill) == ("", 99)
    assert "may be chance" in salet.sentence
    assert fuzzy.annotation != ""


def test_estimates_of_unknown_error_make_no_mistakes(small: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sleuth.variants.boards.strategies._PLAYED_UP_TO", 0)  # as if they were too many
    mark = small.rules.notation.show(small.rules.code("eerie", "crane"))
    (move,) = review_boards(small, [[("eerie", mark)]] * 2).moves
    assert (move.loss, move.skill, move.annotation) == (None, None, "")


def test_boards_solved_are_told(small: Game) -> None:
    show = small.rules.notation.show
    other = [(guess, show(small.rules.code(guess, "trace"))) for guess in ("eerie", "trace")]
    found = review_boards(small, [[("eerie", "ggggg")], other])
    assert found.moves[0].left[0] == 0
    assert found.moves[0].left_before == (len(WORDS), len(WORDS))
    assert found.moves[1].left_before == found.moves[0].left
    assert found.to_json()["moves"][1]["left_before"] == list(found.moves[0].left)
    assert found.moves[0].sentence.startswith("Board 1 solved; ")
    assert found.moves[1].feedback == (None, "ggggg")
    assert found.summary.startswith("Solved in 2 guesses.")


def test_what_cannot_be_reviewed(small: Game) -> None:
    with pytest.raises(FeedbackError, match="no row"):
        review_boards(small, [[], []])
    with pytest.raises(SleuthError, match="crane on one board and trace on another"):
        review_boards(small, [[("crane", "ggggg")], [("trace", "ggggg")]])
    with pytest.raises(SleuthError, match="board 1 is not solved and lacks row 2"):
        review_boards(small, [[("crane", "byggb")], [("crane", "byggb"), ("trace", "ggggg")]])


def _kept(game: Game, guess: str) -> Position:
    """Return the position after the host's reply to a guess."""
    start = Position.start(game)
    return start.after(game.find(guess), reply(start, game.find(guess)))
