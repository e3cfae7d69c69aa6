"""One position looked at from all sides: guesses tried, words left, strategies, grids without words."""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from random_games import follow, games, histories

import sleuth
from sleuth.coaching.analysis.fit import fit, length_of
from sleuth.coaching.analysis.strategies import plan
from sleuth.coaching.analysis.tries import try_guess
from sleuth.coaching.analysis.words import words_left
from sleuth.coaching.reviews.review import review
from sleuth.coaching.reviews.rows import is_found
from sleuth.coaching.reviews.values import weigh
from sleuth.coaching.weighing.suggestions import suggested
from sleuth.games.game import Game, Mode
from sleuth.games.pegs import mastermind
from sleuth.games.position import Position
from sleuth.games.wordle import wordle
from sleuth.kernels.compiling import NotCompiledError
from sleuth.support.errors import FeedbackError, SleuthError, UnknownGuessError
from sleuth.trees.check import check_tree

LONG = 60.0  # seconds no search here comes near
SALET = ("salet", "bbybb")
WORDS = ["crane", "trace", "react", "caret", "eerie", "cater", "crate"]


@pytest.fixture
def mid_game(original: Game) -> Position:
    return Position.after_rows(original, [SALET])


# Guesses that tie


@pytest.mark.parametrize(
    ("mode", "rows"),
    [
        pytest.param("easy", ["adieu:bybyb"], marks=pytest.mark.thorough),
        pytest.param("easy", ["crane:bbbyb", "gypsy:bbbbb"], marks=pytest.mark.thorough),
        ("easy", ["salet:bbybb", "courd:bgbbb"]),
        # Of those left some are lost however they are played on.
        ("hard", ["crane:bgbbg"]),
    ],
)
def test_of_guesses_that_tie_one_is_named_everywhere(original: Game, mode: Mode, rows: list[str]) -> None:
    at = Position.after_rows(original.with_mode(mode), [(row[:5], row[6:]) for row in rows])
    game, best = at.game, suggested(at, 12).suggestions[0]
    assert best.kind == "proved"
    assert plan(at).tree.opener == best.guess
    worst = suggested(at, 12).suggestions[-1].guess
    tried = try_guess(at, worst, LONG)
    assert tried.best is not None
    assert tried.best.guess == best.guess
    judged = weigh(at, game.find(worst), game.max_turns - at.turn + 1, LONG)
    assert judged.best.guess == best.guess
    for group in try_guess(at, best.guess, LONG).groups:
        if len(group.words) > 1:
            then = at.after(game.find(best.guess), game.rules.notation.parse(group.feedback))
            (first, *_) = suggested(then).suggestions
            assert group.next == first.guess
            assert group.expected_guesses == pytest.approx(first.expected_guesses)


# The last guess


def _last(game: Game, rows: list[str], answer: str) -> Position:
    """Return the position after some guesses, each of which got what it gets with an answer."""
    show = game.rules.notation.show
    return Position.after_rows(game, [(guess, show(game.rules.code(guess, answer))) for guess in rows])


@pytest.fixture(scope="module")
def few() -> Game:
    return wordle(["salet", "crony", "slump", "fluff", "guppy", "booed", "wooed", "zebra"])


def test_on_the_last_guess_everyone_knows_that_no_turn_follows(few: Game) -> None:
    at = _last(few, ["salet", "crony", "slump", "fluff", "guppy"], "booed")
    assert (at.turn, at.words) == (6, ("booed", "wooed"))
    # Five guesses are made, and a lost game counts as twelve.
    zebra = try_guess(at, "zebra", LONG)
    assert (zebra.guess.expected_guesses, zebra.guess.kind) == (7.0, "proved")
    assert (zebra.best and zebra.best.guess, zebra.loss) == (suggested(at).suggestions[0].guess, 3.0)
    assert [(g.expected_guesses, g.next, g.lost) for g in zebra.groups] == [(6.0, None, True)] * 2
    booed = try_guess(at, "booed", LONG)
    assert (booed.guess.expected_guesses, booed.loss) == (4.0, 0.0)
    assert {g.solved: g.lost for g in booed.groups} == {True: False, False: True}
    assert weigh(at, at.game.find("zebra"), 1, LONG).value == 7.0


def test_a_strategy_ends_with_the_last_guess(few: Game) -> None:
    at = _last(few, ["salet", "crony", "slump", "fluff", "guppy"], "booed")
    found = plan(at).to_json()
    (best, *_) = suggested(at).suggestions
    assert (found["guess"], found["expected_guesses"]) == (best.guess, best.expected_guesses)
    assert (found["worst"], found["lost"]) == (1, 1)
    assert {(b["solved"], b["lost"], b["node"], *b["words"]) for b in found["tree"]["children"]} == {
        (True, False, None, "booed"),
        (False, True, None, "wooed"),
    }
    nothing = plan(at, "zebra").to_json()
    assert (nothing["expected_guesses"], nothing["worst"], nothing["lost"]) == (7.0, None, 2)


@pytest.mark.parametrize("guesses", [4, 5])
def test_with_few_turns_left_many_words_have_one_number_everywhere(original: Game, guesses: int) -> None:
    at = Position.after_rows(original, [("raise", "bbbbb")] * guesses)
    (best, *_) = suggested(at, 3, seconds=LONG).suggestions
    judged = weigh(at, at.game.find(best.guess), 6 - guesses, LONG)
    assert (best.kind, judged.loss) == ("proved", 0.0)
    tried = try_guess(at, best.guess, LONG).guess
    listed = {word.word: (word.expected_guesses, word.kind) for word in words_left(at, seconds=LONG)}
    said = [(one.expected_guesses, one.kind) for one in (judged.played, tried)]
    for number, kind in [*said, *([listed[best.guess]] if best.guess in listed else [])]:
        assert number == pytest.approx(best.expected_guesses)
        assert kind == "proved"


# A guess tried


def test_a_guess_is_worth_what_a_review_says(mid_game: Position) -> None:
    for guess in ("aahed", "crane", "whirl"):
        tried = try_guess(mid_game, guess, LONG)
        assert tried.guess.kind == "proved"
        worth = weigh(mid_game, mid_game.game.find(guess), 5, 60.0)
        # Reviews search where there are so many candidates.
        assert tried.guess.expected_guesses <= worth.value + 1e-9
        values = [(group.chance, group.expected_guesses) for group in tried.groups]
        assert 1 + sum(p * v for p, v in values) == pytest.approx(tried.guess.expected_guesses)


def test_groups_are_those_of_the_plain_rules(mid_game: Position) -> None:
    game = mid_game.game
    for group in try_guess(mid_game, "crane", LONG).groups:
        expected = {
            word
            for word in mid_game.words
            if game.rules.code("crane", word) == game.rules.notation.parse(group.feedback)
        }
        assert {word for word, _ in group.words} == expected
        assert group.chance == pytest.approx(len(expected) / len(mid_game.words))


def test_what_is_left_of_a_group_is_its_exact_value(mid_game: Position) -> None:
    for group in try_guess(mid_game, "crane", LONG).groups:
        if group.solved:
            assert (group.expected_guesses, group.next) == (0.0, None)
            continue
        then = mid_game.play("crane", group.feedback)
        best = sleuth.advise(then, 1).suggestions[0]
        assert group.expected_guesses == pytest.approx(best.expected_guesses)


def test_a_guess_that_tells_nothing_loses_one(mid_game: Position) -> None:
    tried = try_guess(mid_game, "salet", LONG)
    assert tried.loss == pytest.approx(1)
    assert [len(group.words) for group in tried.groups] == [99]


@pytest.mark.parametrize("rows", [[SALET], [("raise", "bbbbb")]])
def test_suggestions_have_the_numbers_of_trying_them(original: Game, rows: list[tuple[str, str]]) -> None:
    at = Position.after_rows(original, rows)
    advice = suggested(at, 4, seconds=LONG)
    assert advice.method == "beam"
    for one in advice.suggestions:
        tried = try_guess(at, one.guess, LONG).guess
        assert (one.kind, one.expected_guesses, one.least) == ("proved", tried.expected_guesses, tried.least)
    means = [round(one.expected_guesses, 9) for one in advice.suggestions]
    assert means == sorted(means)


@pytest.mark.parametrize(
    "mode", ["easy", *(pytest.param(mode, marks=pytest.mark.thorough) for mode in ("hard", "strict"))]
)
def test_no_word_left_is_better_than_the_suggestions_and_not_among_them(original: Game, mode: Mode) -> None:
    at = Position.after_rows(original.with_mode(mode), [SALET])
    found = suggested(at, 10, seconds=LONG).suggestions
    left = {word.word: word.expected_guesses for word in words_left(at, seconds=LONG)}
    assert {one.kind for one in found} == {"proved"}
    assert len({one.guess for one in found}) == 10
    last, named = found[-1].expected_guesses, {one.guess for one in found}
    assert not [word for word, value in left.items() if value and value < last - 1e-9 and word not in named]
    for one in found:
        if one.guess in left:
            assert one.expected_guesses == pytest.approx(left[one.guess])


def test_what_is_still_an_estimate_comes_last(original: Game) -> None:
    at = Position.after_rows(original, [("fuzzy", "bbbbb")])
    kinds = [one.kind for one in suggested(at, 8, seconds=0.2).suggestions]
    counted = [kind != "estimate" for kind in kinds]
    assert counted == sorted(counted, reverse=True)


def test_what_cannot_be_counted_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    at = Position.start(mastermind(4, 10))
    monkeypatch.delattr("sleuth.coaching.weighing.suggestions.weighed")
    assert {one.kind for one in suggested(at, 3).suggestions} == {"estimate"}


def test_no_time_leaves_suggestions_as_advised(mid_game: Position) -> None:
    advice = suggested(mid_game, 3, seconds=1e-9)
    assert [one.kind for one in advice.suggestions] == ["estimate"] * 3


def test_a_guess_better_than_the_advice_is_the_best(original: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    at = Position.after_rows(original, [SALET, ("courd", "bgbbb")])
    poor = sleuth.Advice(at, (try_guess(at, "aahed", LONG).guess,), "poor")
    monkeypatch.setattr("sleuth.coaching.analysis.tries.suggested", lambda _: poor)
    tried = try_guess(at, "wooly", LONG)
    assert (tried.best, tried.loss) == (tried.guess, 0.0)
    assert try_guess(at, "aahed", LONG).loss == 0.0


def test_what_is_not_compiled_yet_is_not_kept(original: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    at = Position.after_rows(original, [("stare", "bbbyb")])

    def missing(*_: object) -> None:
        raise NotCompiledError("weighed")

    with monkeypatch.context() as patched:
        patched.setattr("sleuth.coaching.weighing.suggestions.weighed", missing)
        patched.setattr("sleuth.coaching.weighing.suggestions.exact_values", missing)
        with pytest.raises(NotCompiledError):
            suggested(at)
    assert suggested(at, 1).suggestions[0].kind == "proved"


def test_a_guess_is_held_against_the_first_suggestion(original: Game) -> None:
    """There it is not the first one of beam search, which the words left are no part of.

    That takes a tenth of a second, so that a busy machine finds the same.
    """
    at = Position.after_rows(original, [("soare", "bbyby")])
    best = suggested(at, 12).suggestions[0]
    assert sleuth.advise(at, 1).suggestions[0].guess != best.guess
    assert suggested(at, 1).suggestions == (best,)
    assert try_guess(at, "salet").best == best
    played = review(original, ["soare", "salet"], at.words[0])
    assert played.moves[1].best.guess == best.guess


@given(st.data())
def test_guesses_of_random_games(data: st.DataObject) -> None:
    game = data.draw(games())
    at = follow(game, data.draw(histories(game)))
    legal = range(len(game.guesses)) if at.legal is None else at.legal.tolist()
    assume(not at.solved and not is_found(at) and legal)
    tried = try_guess(at, game.guesses[data.draw(st.sampled_from(list(legal)))])
    assert sum(len(group.words) for group in tried.groups) == len(at.candidates)
    assert sum(group.chance for group in tried.groups) == pytest.approx(1)
    assert tried.loss is None or tried.loss >= 0


def test_what_cannot_be_tried(mid_game: Position) -> None:
    with pytest.raises(UnknownGuessError, match="zzzzz is not in the word list"):
        try_guess(mid_game, "zzzzz", LONG)
    strict = Position.after_rows(mid_game.game.with_mode("strict"), [SALET])
    with pytest.raises(SleuthError, match="crane is not legal in strict mode: .* row 1"):
        try_guess(strict, "crane", LONG)
    with pytest.raises(SleuthError, match="the game is over"):
        try_guess(mid_game.play("whirl", "ggggg"), "whirl", LONG)


def test_after_the_last_turn_play_goes_on(original: Game) -> None:
    at = Position.after_rows(original, [("salet", "bbybb")] * 6)
    assert at.turn == 7
    assert try_guess(at, "crane", LONG).guess.expected_guesses < 4


# Words left


def test_every_word_is_left_with_its_exact_value(mid_game: Position) -> None:
    found = words_left(mid_game, seconds=LONG)
    assert sorted(word.word for word in found) == sorted(mid_game.words)
    assert {word.kind for word in found} == {"proved"}
    assert sum(word.chance for word in found) == pytest.approx(1)
    for word in found[::20]:
        assert word.expected_guesses == pytest.approx(
            try_guess(mid_game, word.word, LONG).guess.expected_guesses
        )


def test_the_likeliest_words_come_first_and_in_pages() -> None:
    game = wordle(WORDS, prior=np.arange(1.0, 8.0))
    at = Position.start(game)
    found = words_left(at)
    assert tuple(word.word for word in found) == at.likeliest
    assert words_left(at, 2, 3) == found[2:5]


def test_of_many_words_nothing_is_said_that_is_not_counted(original: Game) -> None:
    found = {word.word: word for word in words_left(Position.start(original))}
    assert (found["trace"].kind, found["raise"].kind) == ("proved", "at most")
    optimum = 7920 / 2315
    assert all(word.expected_guesses is None or word.expected_guesses >= optimum for word in found.values())
    assert found["aback"].expected_guesses is None
    later = Position.after_rows(mastermind(), [("1122", "1,1")])
    assert {word.expected_guesses for word in words_left(later)} == {None}


def test_words_that_may_not_be_guessed_have_no_value() -> None:
    thirds = sleuth.Game.from_function(lambda g, a: (a > g) - (a < g), range(4), guesses=[0, 1, 2])
    found = {word.word: word.expected_guesses for word in words_left(Position.start(thirds))}
    assert found["3"] is None
    assert found["1"] == pytest.approx(1.75)


# Strategies


def test_strategies_keep_the_rules_and_are_as_good_as_they_say(original: Game) -> None:
    at = Position.after_rows(original, [SALET, ("courd", "bgbbb")])
    found = plan(at)
    assert found.kind == "proved"
    report = check_tree(found.tree)
    assert found.to_json()["expected_guesses"] == report.mean
    assert report.mean == pytest.approx(sleuth.advise(at, 1).suggestions[0].expected_guesses)
    other = plan(at, "aahed")
    assert other.tree.opener == "aahed"
    assert other.report.mean >= report.mean


@pytest.mark.parametrize("mode", ["hard", pytest.param("strict", marks=pytest.mark.thorough)])
def test_strategies_keep_to_the_mode(mode: Mode) -> None:
    at = Position.after_rows(wordle("original:700", mode=mode), [("later", "bbybb")])
    check_tree(plan(at).tree)
    with pytest.raises(SleuthError, match=f"not legal in {mode} mode"):
        plan(at, "could")


def test_the_whole_game_has_a_strategy(original: Game) -> None:
    found = plan(Position.start(original), "salet")
    assert found.report.total <= 7921
    node = found.to_json()["tree"]
    assert (node["guess"], node["count"]) == ("salet", 2315)
    assert sum(branch["count"] for branch in node["children"]) == 2315


# Grids without words

GRID = "Wordle 1,234 4/6\n\n⬛⬛🟨⬛⬛\n⬛⬛⬛🟩⬛\n🟩🟩🟩🟩🟩\n"


def test_words_fit_a_grid_with_its_answer(original: Game) -> None:
    found, show = fit(original, GRID, "whirl"), original.rules.notation.show
    assert found.fits
    for feedback, fitting in found.rows:
        every = [
            word for word in original.guesses if show(original.rules.code(word, "whirl")).lower() == feedback
        ]
        assert fitting.count == len(every)
        assert set(fitting.words) <= set(every)
    assert found.rows[-1][1].words == ("whirl",)


def test_words_fit_a_grid_without_its_answer() -> None:
    game = wordle(WORDS)
    codes = {(g, a): game.rules.code(g, a) for g, a in itertools.product(WORDS, WORDS)}
    first, second = codes["trace", "crate"], codes["react", "crate"]
    show = game.rules.notation.show
    found = fit(game, f"{show(first)}\n{show(second)}")
    answers = {
        a
        for a in WORDS
        if any(codes[g, a] == first for g in WORDS) and any(codes[g, a] == second for g in WORDS)
    }
    assert set(found.answers.words) == answers
    assert set(found.rows[0][1].words) == {g for g in WORDS for a in answers if codes[g, a] == first}


def test_a_word_beside_its_row_is_kept(original: Game) -> None:
    found = fit(original, "salet ⬛⬛🟨⬛⬛\n⬛⬛⬛🟩⬛")
    assert found.rows[0][1].words == ("salet",)
    assert found.answers.count <= 99


@pytest.mark.parametrize(
    ("text", "answer", "why"),
    [
        (GRID, "zzzzz", "the answer: zzzzz is not in the word list"),
        (GRID, "kanga", "kanga may be guessed, but is no answer"),
        ("zzzzz ⬛⬛⬛⬛⬛\naahed bbbbb", "whirl", "row 2: none of the original words gets that"),
        ("🟩🟩🟩🟩🟨", None, "row 1: no answer among the original words fits it"),
        ("ggggg\nbbbbb", None, "row 1 is right, so row 2"),
        ("salet bbybb\naback ggggg", None, "row 2: no answer .* together with the rows before it"),
    ],
)
def test_why_a_grid_does_not_fit(original: Game, text: str, answer: str | None, why: str) -> None:
    found = fit(original, text, answer)
    assert not found.fits
    assert why.split(" .* ")[0] in str(found.why)


def test_what_is_no_grid_is_told(original: Game) -> None:
    for text in ("hello", "", "bbbbbb"):
        with pytest.raises(FeedbackError, match="no row of coloured squares"):
            fit(original, text)
    with pytest.raises(FeedbackError, match="33 rows; 32"):
        fit(original, "bbbbb\n" * 33)


@pytest.mark.parametrize(
    ("text", "length"),
    [(GRID, 5), ("⬜🟨⬜⬜⬜🟩", 6), ("1. bbyb\n2. gggg", 4), ("salet:bbybb", 5), ("⚫⚪➖➖", None)],
)
def test_the_length_of_words_is_that_of_rows(text: str, length: int | None) -> None:
    assert length_of(text) == length


def test_grids_of_pegs(original: Game) -> None:
    assert fit(mastermind(), "1,2\n4,0").answers.count == 1290  # all but those of one colour and the like
    with pytest.raises(FeedbackError, match="no row of coloured squares"):
        length_of("nothing")


@given(st.text(alphabet="byg01🟩🟨⬛ \n:.salet", max_size=40))
def test_any_text_fits_or_is_told(text: str) -> None:
    game = wordle(WORDS)
    try:
        found = fit(game, text)
    except FeedbackError:
        return
    assert found.fits == (found.answers.count > 0)
