"""Openers that are proven, shipped as data, and how they change what the book says."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from sleuth.coaching import book, proven
from sleuth.coaching.advice import advise
from sleuth.coaching.prove_openers import write
from sleuth.exact.proving import prove
from sleuth.games import wordlists
from sleuth.games.game import Game, Mode
from sleuth.games.pegs import bulls_and_cows, mastermind
from sleuth.games.position import Position
from sleuth.games.wordle import wordle

GAMES = [
    *(wordle(words, mode=mode) for words in ("original", "nyt") for mode in ("easy", "hard", "strict")),
    wordle(wordlists.load("original").answers),
    mastermind(),
    bulls_and_cows(),
]


def test_every_page_is_of_a_game_that_ships() -> None:
    pages = proven._pages()
    assert pages
    for page in pages:
        (game,) = [game for game in GAMES if page.is_of(game)]
        assert page.name == game.name
        assert page.scale == len(game.answers)
        assert list(page.totals.values()) == sorted(page.totals.values())
        assert set(page.totals) <= set(game.guesses)


@pytest.mark.parametrize(("mode", "total"), [("easy", 7920), ("hard", 8122), ("strict", 8125)])
def test_what_is_known_of_salet(original: Game, mode: Mode, total: int) -> None:
    game = original.with_mode(mode)
    assert proven.page_of(game).totals["salet"] == total
    best = book.openers(game)[0]
    assert (best.guess, best.expected_guesses, best.kind) == ("salet", total / 2315, "proved")
    assert best.least == best.expected_guesses
    assert advise(Position.start(game), 1).suggestions[0] == best


def test_totals_that_others_proved(original: Game) -> None:
    """Selby's optima over the original lists."""
    totals = proven.page_of(original).totals
    published = {"salet": 7920, "reast": 7923, "crate": 7926, "trace": 7926, "slate": 7928, "crane": 7930}
    assert {opener: totals[opener] for opener in published} == published


@pytest.mark.parametrize("page", proven._pages(), ids=lambda page: f"{page.name} {page.mode}")
def test_the_first_openers_are_proven_and_in_order(page: proven.Page) -> None:
    (game,) = [game for game in GAMES if page.is_of(game)]
    openers = book.openers(game)
    assert {opener.kind for opener in openers[:10]} == {"proved"}
    lossy = [opener for opener in openers if opener.guess in page.lossy]
    assert openers[len(openers) - len(lossy) :] == tuple(lossy)
    assert "proved" not in {opener.kind for opener in lossy}
    openers = openers[: len(openers) - len(lossy)]
    means = [round(opener.expected_guesses, 6) for opener in openers]
    assert means == sorted(means)
    assert all(mean >= round(openers[0].expected_guesses, 6) for mean in means)
    for before, after in pairwise(openers):
        if before.kind == "at most" and after.kind == "proved":
            assert round(before.expected_guesses, 6) < round(after.expected_guesses, 6)


def test_no_search_found_less_than_is_proven() -> None:
    searched = book._book()
    for page in proven._pages():
        for entry in searched.get(page.digest, {}).get(page.mode, []):
            least = page.means.get(entry["guess"], page.least)
            if page.mode != "easy":  # there the search may lose an answer, and proofs do not
                least = page.least
            assert least is None or entry["expected_guesses"] >= least - 1e-6


def test_where_the_best_is_proven_no_opener_needs_less(original: Game) -> None:
    best, *others = book.openers(original)
    assert best.kind == "proved"
    for opener in others:
        proved = opener.kind == "proved"
        assert opener.least == (opener.expected_guesses if proved else best.expected_guesses)


def test_other_priors_and_turns_have_no_proofs(original: Game) -> None:
    weighted = original.with_prior([1.0, *[2.0] * 2314])  # type: ignore[arg-type]
    assert proven.page_of(weighted).totals == {}
    assert proven.page_of(wordle("original", max_turns=5)).totals == {}


def test_what_loses_is_proven_to_lose(original: Game) -> None:
    page = proven.page_of(original.with_mode("hard"))
    assert "trace" in page.lossy
    assert not set(page.lossy) & set(page.totals)
    proof = prove(original.with_mode("hard"), opener="trace", with_tree=False)
    assert (proof.proved, proof.total) == (True, None)
    assert page.with_loss("zymic").lossy == [*page.lossy, "zymic"]


def test_proofs_become_pages(tmp_path: Path) -> None:
    game = wordle(["crane", "trace", "react", "caret", "eerie", "cater", "crate"])
    path = tmp_path / "proven.json"
    path.write_text("[]", encoding="utf-8")
    page = proven.page_of(game).with_proof(prove(game, opener="eerie"), of_all=False)
    assert (page.best, page.least, set(page.totals)) == (False, None, {"eerie"})
    write(page, path)
    page = page.with_proof(prove(game, top=3), of_all=True)
    write(page, path)
    write(proven.page_of(game.with_mode("hard")), path)
    kept = [proven.Page(**one) for one in json.loads(path.read_text(encoding="utf-8"))]
    assert [one.mode for one in kept] == ["easy", "hard"]
    assert kept[0] == page
    assert page.best
    assert page.least == prove(game).mean
    assert page.totals["eerie"] == max(page.totals.values())


def test_the_optimum_of_mastermind() -> None:
    found = proven.page_of(mastermind()).optimum
    assert found == {"total": 5625, "mean": 5625 / 1296, "opener": "1123"}


def test_what_is_known_of_an_opener_is_known_of_those_that_differ_in_names() -> None:
    found = book.listed(mastermind(), "3345")
    assert found is not None
    assert (found.guess, found.kind, round(found.expected_guesses * 1296)) == ("3345", "proved", 5625)


@pytest.mark.thorough
def test_the_optimum_is_what_the_search_proves(original: Game) -> None:
    assert prove(mastermind()).total == proven.page_of(mastermind()).optimum["total"]
    assert prove(original, opener="salet").total == proven.page_of(original).optimum["total"]


@pytest.mark.parametrize(
    "game",
    [
        wordle("nyt", mode="hard"),
        mastermind(3, 6),
        wordle(["crane", "trace"]),
        wordle("original").with_prior([1.0, *[2.0] * 2314]),  # type: ignore[arg-type]
    ],
    ids=lambda game: f"{game.name} {game.mode}",
)
def test_of_other_games_no_optimum_is_known(game: Game) -> None:
    assert proven.page_of(game).optimum is None


def test_an_unfinished_proof_proves_no_best(original: Game) -> None:
    page = proven.page_of(original)
    unfinished = prove(original.with_mode("strict"), seconds=0.01, with_tree=False)
    assert unfinished.interrupted
    assert not page.with_proof(unfinished, of_all=True).best or page.best
