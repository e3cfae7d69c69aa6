"""A review in words: a sentence a move and a few for the game, in the tone of a good coach.

Every figure is one of the move's own; nothing is claimed that the numbers do not show.
"""

from __future__ import annotations

from collections.abc import Sequence

from sleuth.coaching.losses import lost_counts_as
from sleuth.coaching.reviews.marks import MODERATE, SLIGHT
from sleuth.coaching.reviews.move import Move, Review
from sleuth.games.game import Game
from sleuth.games.rules import WordleRules

# So much luck, in guesses, is worth a word.
NOTABLE = 0.3
# Less than half of that is told as less than it.
_HARDLY = 0.01
_NAMED = 4


def of_move(game: Game, move: Move, moves: Sequence[Move]) -> str:
    """Return the sentence of one of the moves of a game."""
    parts = [_solved(move) if move.solved else _unsolved(game, move, moves), _of_luck(move)]
    sentence = "; ".join(filter(None, parts))
    return f"{sentence[0].upper()}{sentence[1:]}."


def summary(review: Review) -> str:
    """Return the game in a few sentences."""
    told = [_ending(review), _marks(review), _costliest(review), _line(review)]
    if review.hard_mode and review.game.mode == "easy" and len(review.moves) > 1:
        told.append("Every guess kept to hard mode.")
    return " ".join(filter(None, told))


def assumed(review: Review) -> str:
    """Return what the review took for granted: of the answer, of lost games, of rows past the end."""
    return " ".join(filter(None, [_of_the_answer(review), _of_the_end(review)]))


def _of_the_answer(review: Review) -> str:
    game = review.game
    likely = "equally likely" if game.is_uniform else "as likely as the prior given says"
    text = (
        f"Every guess is judged by what was known when it was made: any of the {len(game.answers)} answers"
        f" among the {game.listed}, {likely}, and {len(game.guesses)} allowed guesses."
    )
    widened = next((move.turn for move in review.moves if move.widened), None)
    if widened is None:
        return text
    return (
        f"{text} No listed answer fits {'row' if widened == 1 else 'the rows up to'} {widened}: from there on"
        " every allowed guess that fits may be the answer, all equally likely."
    )


def _of_the_end(review: Review) -> str | None:
    """Return what a lost game counts as where a value has it, and when a game ends whose rows go on."""
    game, told = review.game, []
    if any(move.value > game.max_turns - move.turn + 1 for move in review.moves):
        told.append(f"A lost game counts as {lost_counts_as(game)} guesses.")
    if len(review.moves) > game.max_turns:
        told.append(
            f"The game ends after {game.max_turns} guesses; those after it are judged as if it went on."
        )
    return " ".join(told) or None


def _solved(move: Move) -> str:
    """Return what there is to say of a right guess."""
    n = move.candidates_before
    if not move.choice:
        return f"{_name(move.guess)} was the only one left that fits, and you found it"
    if not move.could_be_answer:
        return f"{_name(move.guess)} is right, though no list of answers has it: well found"
    hit = f"right, out of {n} that were possible" if n > 2 else "right: it was one of two"
    if move.played.chance <= 1 / 3:
        hit = f"a lucky hit, with {n} still possible"
    if move.loss == 0:
        return f"{hit}, and no guess was better" if n > 2 else hit
    if move.loss <= SLIGHT:
        return f"{hit}, and a strong guess too"
    return f"{hit}; on average {_name(move.best.guess)} saves {loss_of(move)}"


def _unsolved(game: Game, move: Move, moves: Sequence[Move]) -> str:
    """Return what there is to say of a guess that was not right."""
    guess, best = _name(move.guess), _name(move.best.guess)
    if move.repeated:
        row = next(m.turn for m in moves if m.guess == move.guess)
        return f"{guess} was played in row {row} already and could tell nothing new; {best} was a good way on"
    if not move.choice:
        return f"{guess} was the only listed answer that fits, and a fair guess"
    if move.candidates_before == 1:
        return f"{best} was the only word left"
    trap = _trap(game, move)
    if trap and (move.loss == 0 or move.ruled_out_by is None):
        return f"a trap: {move.candidates_before} words fit {trap}; {_way_out(move)}"
    own = _name(move.sleuth.guess)
    if move.gain > 0:
        gain = difference(move.value + move.gain, move.value)
        return f"better than Sleuth's own guess {own}, by {in_guesses(gain)}: well seen"
    if move.loss == 0:
        if move.guess == move.sleuth.guess:
            is_proved = move.played.kind == "proved"
            return f"the best guess {'here' if is_proved else 'known'}, and the one that Sleuth plays"
        return f"as good as Sleuth's own guess {own}: nothing known is better"
    if move.loss <= SLIGHT:
        return f"a strong guess, close to the best; {best} saves {loss_of(move)} on average"
    # Telling nothing costs one guess: what costs more than that risks the game.
    if move.loss > 1 + 1e-9:
        last = move.turn >= game.max_turns and move.best.chance > 0
        more = f"only a word that fits can win, such as {best}" if last else f"{best} leaves more ways to win"
        judged, reason = "the game was at risk here", more
    else:
        judged = "a fair guess" if move.loss <= MODERATE else "there was more to gain here"
        reason = f"{best} saves {loss_of(move)} on average: {_told_apart(game, move)}"
    # A guess that only tells words apart is a fine thing where no candidate does better.
    if move.ruled_out_by is not None and move.best.chance > 0:
        judged = f"{guess} could not be the answer after row {move.ruled_out_by}"
    return f"{judged}; {reason}"


def _way_out(move: Move) -> str:
    """Return how the guess did among words that differ in one letter."""
    if move.loss == 0:
        return f"{_name(move.guess)} is the best way out"
    more = "tells more of them apart and " if move.best.classes > move.played.classes else ""
    return f"{_name(move.best.guess)} {more}saves {loss_of(move)}"


def _told_apart(game: Game, move: Move) -> str:
    """Return what the better guess would have done, and the one made did not."""
    best = _name(move.best.guess)
    groups: dict[int, str] = {}
    for word in move.words_after:
        if word != move.best.guess:
            groups.setdefault(game.rules.code(move.best.guess, word), word)
    if len(groups) > 1:
        named = [_name(word) for word in list(groups.values())[:_NAMED]]
        return f"it would have told {', '.join(named[:-1])} and {named[-1]} apart"
    if move.words_before and move.best.chance > move.played.chance:
        return "it might have been the answer itself"
    if move.played.classes == 1:
        return f"{_name(move.guess)} could tell nothing, whatever the answer"
    if move.best.classes > move.played.classes:
        return (
            f"it splits the {move.candidates_before} possible answers into {move.best.classes} groups,"
            f" {_name(move.guess)} into {move.played.classes}"
        )
    return f"the groups {best} leaves are easier to finish"


def _trap(game: Game, move: Move) -> str | None:
    """Return the pattern that three words or more share but for one letter, such as _IGHT."""
    words = move.words_before
    if not isinstance(game.rules, WordleRules) or len(words) < 3:
        return None
    open_ = [i for i in range(game.rules.length) if len({word[i] for word in words}) > 1]
    if len(open_) != 1:
        return None
    return _name(words[0][: open_[0]] + "_" + words[0][open_[0] + 1 :])


def _of_luck(move: Move) -> str | None:
    """Return a remark on the feedback, where it made a difference."""
    if move.bits_gained is None:
        return "what it got fits no listed answer" if move.widened else "what it got was not to be expected"
    if move.solved or move.guesses_saved is None or abs(move.guesses_saved) < NOTABLE:
        return None
    if move.guesses_saved > 0:
        return f"the feedback was kind and saved {in_guesses(move.guesses_saved)}"
    return f"the feedback was unlucky and cost {in_guesses(-move.guesses_saved)}"


def _ending(review: Review) -> str:
    taken = len(review.moves)
    plural = "guess" if taken == 1 else "guesses"
    if review.solved:
        return f"Solved in {taken} {plural}."
    if review.lost:
        was = f"; the answer was {_name(review.answer)}" if review.answer else ""
        return f"Not solved in {taken} {plural}{was}."
    last = review.moves[-1]
    possible = "answer is" if last.candidates_after == 1 else "answers are"
    turns = review.game.max_turns - taken
    more = f"{turns} {'turn' if turns == 1 else 'turns'} left"
    if last.expected_after is not None and last.expected_after <= turns:
        more = f"{_on_average(last.expected_after)} from the end"
    return f"Not finished: {last.candidates_after} {possible} still possible, {more}."


def _on_average(expected: float) -> str:
    """Return how many guesses are expected: what is whole is so for certain.

    >>> _on_average(1.0), _on_average(2.81)
    ('1 guess', 'about 2.8 guesses')
    """
    whole = round(expected)
    return in_guesses(whole) if abs(expected - whole) < 1e-9 else f"about {expected:.1f} guesses"


def _marks(review: Review) -> str | None:
    if review.skill_shown is None:
        return None
    lucky = "" if review.luck_shown is None else f" and luck {review.luck_shown}"
    return f"Skill {review.skill_shown}{lucky} of 99 on average."


def _costliest(review: Review) -> str | None:
    chosen = [move for move in review.moves if move.choice]
    if not chosen:
        return None
    worst = max(chosen, key=lambda move: move.loss)
    if worst.loss == 0:
        return "No guess could be bettered." if len(chosen) > 1 else None
    if _shown_loss(worst) < _HARDLY / 2:
        return f"No guess cost {_HARDLY} guesses or more."
    if worst.loss <= SLIGHT:
        return f"No guess cost more than {loss_of(worst)}."
    gain = "the game was at risk" if worst.loss > 1 + 1e-9 else loss_of(worst)
    return f"The most to gain was in move {worst.turn}: {gain}."


def _line(review: Review) -> str | None:
    if review.line is None or len(review.moves) == len(review.line) == 1:
        return None
    return f"From the same opener Sleuth takes {len(review.line)}."


def _name(guess: str) -> str:
    return guess.upper()


def in_guesses(count: float, about: bool = False) -> str:
    """Return a number of guesses as a person says it, on the page too. about: whether it is an estimate.

    >>> in_guesses(0.004), in_guesses(0.006), in_guesses(1), in_guesses(0.126, about=True)
    ('less than 0.01 guesses', '0.01 guesses', '1 guess', 'about 0.13 guesses')
    """
    if count < _HARDLY / 2:
        return f"less than {_HARDLY} guesses"
    number = f"{count:.2f}".removesuffix(".00")
    return f"{'about ' if about else ''}{number} {'guess' if number == '1' else 'guesses'}"


def difference(more: float, fewer: float) -> float:
    """Return the difference of two numbers of guesses as they are shown, with two decimals.

    >>> difference(2.8773, 2.7931)
    0.09
    """
    return round(float(f"{more:.2f}") - float(f"{fewer:.2f}"), 2)


def _shown_loss(move: Move) -> float:
    return difference(move.value, move.expected_before)


def loss_of(move: Move) -> str:
    """Return what a move costs, as a person says it."""
    return in_guesses(_shown_loss(move), "estimate" in (move.played.kind, move.best.kind))
