"""Hypothesis strategies: small random games of every kind, and positions in them."""

import string
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from itertools import product

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from sleuth.games.game import Game, Mode
from sleuth.games.pegs import mastermind
from sleuth.games.position import Position
from sleuth.games.priors import uniform
from sleuth.games.rules import PegRules, WordleRules
from sleuth.games.wordle import wordle


@st.composite
def priors(draw: st.DrawFn, n: int) -> NDArray[np.float64]:
    """Weights with many ties and zeros among them, or any at all."""
    few = st.lists(st.integers(0, 3), min_size=n, max_size=n)
    many = st.lists(st.integers(0, 1000), min_size=n, max_size=n)
    return np.array(draw(st.one_of(few, many).filter(any)), float)


def with_random_prior(draw: st.DrawFn, game: Game) -> Game:
    return game.with_prior(draw(priors(len(game.answers)))) if draw(st.booleans()) else game


SHORT, LONG = (2, 6), (11, 15)
"""Letters of words, the fewest and the most; those of long ones have more codes than two bytes hold."""


@st.composite
def word_games(
    draw: st.DrawFn,
    modes: Sequence[Mode] = ("easy",),
    max_words: int = 20,
    weighted: bool = True,
    letters: tuple[int, int] = SHORT,
) -> Game:
    """Words of 2 to 6 letters, or so many, out of few, so that letters repeat; some of them are answers."""
    length = draw(st.integers(*letters))
    letter = st.sampled_from(string.ascii_lowercase[: draw(st.integers(2, 5))])
    word = st.lists(letter, min_size=length, max_size=length).map("".join)
    guesses = draw(st.lists(word, min_size=2, max_size=max_words, unique=True))
    answers = draw(st.lists(st.sampled_from(guesses), min_size=2, unique=True))
    game = Game("words", WordleRules(length), tuple(guesses), tuple(answers), uniform(len(answers)))
    return (with_random_prior(draw, game) if weighted else game).with_mode(draw(st.sampled_from(modes)))


@st.composite
def peg_games(draw: st.DrawFn, modes: Sequence[Mode] = ("easy",), weighted: bool = True) -> Game:
    """Mastermind of up to 27 codes, with repeats or without (Bulls and Cows), or of black pegs alone."""
    pegs, colours, repeats = draw(st.sampled_from([(2, 3, True), (2, 5, True), (3, 3, True), (3, 4, False)]))
    game = mastermind(pegs, colours, repeats=repeats, black=draw(st.booleans()))
    return (with_random_prior(draw, game) if weighted else game).with_mode(draw(st.sampled_from(modes)))


@st.composite
def function_games(draw: st.DrawFn, weighted: bool = True) -> Game:
    """Feedback by table. Some guesses are no answers, some answers cannot be guessed.

    The last guess tells all answers apart, so that every game can be won.
    """
    answers = list(range(draw(st.integers(2, 9))))
    named = draw(st.lists(st.sampled_from(answers), unique=True))
    questions = list(range(100, 100 + draw(st.integers(0, 5))))
    guesses = [*draw(st.permutations([*named, *questions])), 200]
    row = st.lists(st.integers(0, 3), min_size=len(answers), max_size=len(answers))
    table = {guess: draw(row) for guess in guesses}

    def feedback(guess: int, answer: int) -> Hashable:
        if guess == answer:
            return "right"
        return ("it", answer) if guess == 200 else table[guess][answer]

    game = Game.from_function(feedback, answers, guesses)
    return with_random_prior(draw, game) if weighted else game


def games(modes: Sequence[Mode] = ("easy",), weighted: bool = True) -> st.SearchStrategy[Game]:
    """A game of any kind; the hard mode needs words, and games by a function are played in easy mode."""
    calm = tuple(mode for mode in modes if mode != "hard")
    kinds = [word_games(modes, weighted=weighted)]
    if calm:
        kinds.append(peg_games(calm, weighted))
    if "easy" in modes:
        kinds.append(function_games(weighted))
    return st.one_of(kinds)


@st.composite
def small_games(
    draw: st.DrawFn, max_guesses: int = 10, max_answers: int = 9, max_turns: int = 5, long: bool = True
) -> Game:
    """Some of the guesses and answers of a game of any kind and mode, few enough to try everything.

    In some games not every answer can be guessed, or not even be told apart from all others. long: whether
    some have long words.
    """
    modes: tuple[Mode, ...] = ("easy", "hard", "strict")
    kinds = [games(modes, weighted=False), word_games(modes, 12, weighted=False, letters=LONG)]
    game = draw(st.one_of(kinds[: 1 + long]))
    guesses = draw(st.permutations(game.guesses))[: draw(st.integers(1, max_guesses))]
    named = [answer for answer in game.answers if answer in guesses]
    pool = named if bool(named) and draw(st.booleans()) else [*game.answers]
    answers = draw(st.permutations(pool))[: draw(st.integers(1, max_answers))]
    turns = draw(st.integers(1, max_turns))
    few = replace(
        game, guesses=tuple(guesses), answers=tuple(answers), prior=uniform(len(answers)), max_turns=turns
    )
    return with_random_prior(draw, few)


@st.composite
def crowded_games(draw: st.DrawFn, most: int = 10) -> Game:
    """Games of six to ten answers, from a seed: they take several guesses, and everything can be tried."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    kind = draw(st.sampled_from(["words", "words", "pegs", "table"]))
    mode: Mode = draw(st.sampled_from(["easy", "easy", "strict", "hard" if kind == "words" else "strict"]))
    n_guesses, n_answers = (int(n) for n in rng.integers(6, (most + 3, most + 1)))
    if kind == "table":
        game = _tabled(rng, n_guesses, n_answers, mode)
    else:
        length, letters = draw(st.sampled_from([(3, 2), (3, 3), (4, 2), (4, 3), (6, 2)]))
        rules = WordleRules(length) if kind == "words" else PegRules(length)
        words = ["".join(word) for word in product("abc"[:letters], repeat=length)]
        guesses = [words[i] for i in rng.permutation(len(words))[:n_guesses]]
        # Mostly every answer can be guessed.
        pool = guesses if draw(st.integers(0, 3)) else words
        answers = [pool[i] for i in rng.permutation(len(pool))[:n_answers]]
        game = Game("crowded", rules, tuple(guesses), tuple(answers), uniform(len(answers)), mode=mode)
    prior = [uniform(len(game.answers)), rng.integers(1, 4, len(game.answers)), rng.random(len(game.answers))]
    return replace(
        game, prior=draw(st.sampled_from(prior)), max_turns=draw(st.sampled_from([1, 2, 3, 3, 4, 6]))
    )


def disjoint(n: int, turns: int, weights: list[int] | None = None) -> Game:
    """Return a game of n words that share no letter: each guess rules out itself alone."""
    words = [chr(0x4E00 + 2 * i) + chr(0x4E01 + 2 * i) for i in range(n)]
    game = wordle(words, max_turns=turns)
    return game if weights is None else game.with_prior(weights)  # type: ignore[arg-type]  # lists are taken too


def _tabled(rng: np.random.Generator, n_guesses: int, n_answers: int, mode: Mode) -> Game:
    """Random feedback; a few answers cannot be guessed, and a few guesses are no answers."""
    answers = list(range(n_answers))
    guesses = rng.permutation(n_answers + 3)[:n_guesses].tolist()
    table = rng.integers(0, rng.integers(2, 4), (n_answers + 3, n_answers))

    def feedback(guess: int, item: int) -> Hashable:
        if guess == item < n_answers:
            return "right"
        return int(table[guess][item % n_answers])

    return Game.from_function(feedback, answers, guesses, mode=mode)


@st.composite
def histories(draw: st.DrawFn, game: Game, most: int = 3) -> list[tuple[int, int]]:
    """Up to three legal guesses, by index, with the feedback of some answer, the right one last."""
    answer = draw(st.integers(0, len(game.answers) - 1))
    position, rows = Position.start(game), []
    for _ in range(draw(st.integers(0, most))):
        legal = range(len(game.guesses)) if position.legal is None else position.legal.tolist()
        if not legal:  # none of the answers left can be guessed
            break
        guess = draw(st.sampled_from(legal))
        row = (guess, game.rules.code(game.guesses[guess], game.answers[answer]))
        rows.append(row)
        if row[1] == game.solved:  # the game is over
            break
        position = position.after(*row)
    return rows


def follow(game: Game, rows: Iterable[tuple[int, int]]) -> Position:
    """Return the position after rows of (guess, code)."""
    position = Position.start(game)
    for guess, code in rows:
        position = position.after(guess, code)
    return position


# Games with their weights as integers, for whoever adds up totals exactly.


@st.composite
def integer_weights(draw: st.DrawFn, n: int) -> list[int]:
    """Integer weights of n answers, as a list: all alike, small ones, or ones of very different sizes.

    The least but 0 is at most 64, so that proofs can reckon with these very weights.
    """
    number = st.one_of(
        st.integers(1, 3),
        st.integers(0, 9),
        st.sampled_from([0, 1, 2, 3, 10, 99, 10**3, 10**5, 9_999_991, 10**7]),
        st.integers(0, 10**7),
    )
    weights = draw(st.one_of(st.just([1] * n), st.lists(number, min_size=n, max_size=n).filter(any)))
    least = min(weight for weight in weights if weight)
    return [min(least, 64) if weight == least else weight for weight in weights]


def sizes(most: int) -> st.SearchStrategy[int]:
    """Mostly large sizes, which shrink to small ones."""
    large = st.integers(most - 2, most)
    return st.one_of(st.integers(1, most), large, large)


@st.composite
def tabled_games(draw: st.DrawFn, most_answers: int = 8, most_guesses: int = 9) -> Game:
    """Random feedback by table in easy or strict mode, from a seed; not all guesses are answers."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    answers = [f"a{i}" for i in range(draw(sizes(most_answers)))]
    questions = [f"g{i}" for i in range(draw(st.integers(0, most_guesses)))]
    # Mostly every answer can be guessed.
    pool = answers[::2] + questions if questions and not draw(st.integers(0, 3)) else answers + questions
    asked = [pool[i] for i in rng.permutation(len(pool))[:most_guesses]]
    colours = draw(st.sampled_from([1, 2, 2, 2, 3, 4]))
    table = {(guess, answer): int(rng.integers(colours)) for guess in asked for answer in answers}
    table.update({(answer, answer): 9 for answer in answers if answer in asked})
    # A guess that is no answer would get what some answer gets.
    table.update(
        {
            (guess, other): table[guess, answers[rng.integers(len(answers))]]
            for guess in asked
            for other in questions
        }
    )
    mode: Mode = draw(st.sampled_from(["easy", "strict"]))
    return Game.from_function(
        lambda guess, item: table[guess, item], answers, asked, name="tabled", mode=mode
    )


@st.composite
def tiny_word_games(draw: st.DrawFn, most_answers: int = 8, most_guesses: int = 9) -> Game:
    """Words of 2 or 3 letters out of few, in all modes, from a seed; not every answer can be guessed."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    length, letters = draw(st.sampled_from([(2, 2), (2, 3), (2, 4), (3, 2), (3, 3), (3, 4)]))
    words = ["".join(word) for word in product("abcd"[:letters], repeat=length)]
    guesses = [words[i] for i in rng.permutation(len(words))[: draw(sizes(most_guesses))]]
    pool = guesses if draw(st.integers(0, 3)) else words
    answers = [pool[i] for i in rng.permutation(len(pool))[: draw(st.integers(1, most_answers))]]
    mode: Mode = draw(st.sampled_from(["easy", "hard", "strict"]))
    return Game(
        "words", WordleRules(length), tuple(guesses), tuple(answers), uniform(len(answers)), mode=mode
    )


@st.composite
def tiny_games(draw: st.DrawFn) -> tuple[Game, list[int]]:
    """Games in which everything can be tried, in pairs with integer weights of the answers."""
    any_kind = small_games(max_guesses=8, max_answers=7)
    game = draw(st.one_of(any_kind, tabled_games(), tabled_games(), tiny_word_games()))
    weights = draw(integer_weights(len(game.answers)))
    return replace(
        game, prior=np.array(weights, float), max_turns=draw(st.sampled_from([1, 2, 3, 3, 4, 5, 6]))
    ), weights


@st.composite
def middle_games(draw: st.DrawFn) -> tuple[Game, list[int]]:
    """Games of 20 to 60 answers in all modes, in pairs with integer weights, from a seed."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n_answers = draw(st.integers(20, 60))
    mode: Mode = draw(st.sampled_from(["easy", "hard", "strict"]))
    length, letters = draw(st.sampled_from([(3, 4), (3, 5), (4, 3), (4, 4), (5, 3)]))
    words = ["".join(word) for word in product("abcde"[:letters], repeat=length)]
    rng.shuffle(words)
    rules = WordleRules(length) if mode == "hard" or draw(st.booleans()) else PegRules(length)
    asked = words[: draw(st.integers(n_answers, n_answers + 20))]
    weights = draw(integer_weights(min(n_answers, len(asked))))
    answers = asked[: len(weights)]
    turns = draw(st.integers(3, 6))
    prior = np.array(weights, float)
    return Game("middle", rules, tuple(sorted(asked)), tuple(answers), prior, turns, mode), weights
