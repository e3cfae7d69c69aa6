"""What the analysis board asks of the HTTP API: guesses tried, words left, whole strategies."""

import json
from typing import Any

import pytest
from servers import FIVE, SALET, SMALL, Client, holds, is_problem, post

from sleuth.games import wordlists
from sleuth.games.game import Game
from sleuth.trees.formats import tree_json
from sleuth.variants.boards.position import BoardsPosition
from sleuth.variants.boards.strategies import make_joint
from sleuth.web import results
from sleuth.web.app import API

COURD = {"guess": "courd", "feedback": "bgbbb"}
RIGHT = {"guess": "crane", "feedback": "ggggg"}


class TestKinds:
    @pytest.mark.thorough
    def test_what_is_proven_is_said_and_ranks_first(self, client: Client) -> None:
        openers = client.get(f"{API}/openers", params={"mode": "hard", "limit": 100}).json()["openers"]
        assert openers[0]["guess"] == "salet"
        assert openers[0]["expected_guesses"] == pytest.approx(3.5084, abs=1e-4)
        assert {one["kind"] for one in openers[:10]} == {"proved"}
        assert "at most" in {one["kind"] for one in openers[10:]}
        counted = [one for one in openers if one["expected_guesses"] is not None]
        guesses = [one["expected_guesses"] for one in counted if not one["lossy"]]
        assert guesses == pytest.approx(sorted(guesses), abs=1e-6)
        # In hard mode no strategy finds every answer after TRACE, so it is no better than one that does.
        assert "trace" in {one["guess"] for one in counted[len(guesses) :]}
        best = post(client, "/suggest", {"game": {"mode": "hard"}})["guesses"][0]
        assert {key: openers[0][key] for key in best} == best

    # Of few words left by exact play, of more by the groups of what beam search finds.
    @pytest.mark.parametrize("rows", [[SALET, COURD], pytest.param([SALET], marks=pytest.mark.thorough)])
    def test_every_suggestion_says_what_its_number_is(
        self, client: Client, rows: list[dict[str, str]]
    ) -> None:
        found = post(client, "/suggest", {"rows": rows})
        assert {guess["kind"] for guess in found["guesses"]} == {"proved"}
        for guess in found["guesses"][:3]:
            tried = post(client, "/try", {"rows": rows, "guess": guess["guess"]})["guess"]
            assert tried["kind"] == "proved"
            assert tried["expected_guesses"] == pytest.approx(guess["expected_guesses"])
        ranked = post(client, "/rank", {"rows": rows, "strategy": "information-gain"})
        assert {guess["kind"] for guess in ranked["guesses"]} == {"estimate"}

    def test_one_word_left_is_proved(self, client: Client) -> None:
        rows = [SALET, {"guess": "courd", "feedback": "bbbgb"}]
        (only,) = post(client, "/suggest", {"rows": rows})["guesses"]
        assert (only["guess"], only["expected_guesses"], only["kind"]) == ("whirl", 1, "proved")


class TestTry:
    def test_a_guess_beside_the_best(self, client: Client) -> None:
        found = post(client, "/try", {"rows": [SALET], "guess": "aahed"})
        holds(results.Tried, found)
        best = post(client, "/suggest", {"rows": [SALET], "limit": 1})["guesses"][0]
        assert found["best"]["guess"] == best["guess"]
        assert found["loss"] == pytest.approx(
            found["guess"]["expected_guesses"] - found["best"]["expected_guesses"]
        )
        assert (found["turn"], found["candidates"]) == (2, 99)

    def test_its_groups_hold_every_word(self, client: Client) -> None:
        groups = post(client, "/try", {"rows": [SALET], "guess": "crane"})["groups"]
        counts = [group["count"] for group in groups]
        assert sum(counts) == 99
        assert counts == sorted(counts, reverse=True)
        assert [len(group["words"]) for group in groups] == counts
        words = post(client, "/check", {"rows": [SALET]})["words"]
        assert sorted(word["word"] for group in groups for word in group["words"]) == sorted(words)
        assert sum(word["chance"] for group in groups for word in group["words"]) == pytest.approx(1)

    def test_the_best_guess_loses_nothing(self, client: Client) -> None:
        best = post(client, "/suggest", {"rows": [SALET, COURD]})["guess"]
        found = post(client, "/try", {"rows": [SALET, COURD], "guess": best})
        assert (found["loss"], found["best"]) == (0, found["guess"])
        assert found["guess"]["kind"] == "proved"

    @pytest.mark.parametrize("mode", ["easy", "hard", "strict"])
    def test_modes(self, client: Client, mode: str) -> None:
        found = post(client, "/try", {"game": {**SMALL, "mode": mode}, "rows": [], "guess": "caret"})
        holds(results.Tried, found)
        assert sum(group["solved"] for group in found["groups"]) == 1

    def test_what_cannot_be_tried(self, client: Client) -> None:
        asked = {"rows": [SALET], "guess": "crane", "game": {"mode": "hard"}}
        assert "row 1, salet" in is_problem(client.post(f"{API}/try", json=asked), 422)["detail"]
        asked = {"rows": [RIGHT], "guess": "crane"}
        assert "over" in is_problem(client.post(f"{API}/try", json=asked), 422)["detail"]
        is_problem(client.post(f"{API}/try", json={"rows": [SALET], "guess": "zzzzz"}), 422)
        is_problem(client.post(f"{API}/try", json={"rows": [SALET]}), 422)


class TestWords:
    def test_every_word_is_there(self, client: Client) -> None:
        found = post(client, "/words", {"rows": [SALET, COURD]})
        holds(results.WordsLeft, found)
        assert len(found["words"]) == found["candidates"] == 6
        assert {word["kind"] for word in found["words"]} == {"proved"}
        for word in found["words"]:
            tried = post(client, "/try", {"rows": [SALET, COURD], "guess": word["word"]})
            assert tried["guess"]["expected_guesses"] == pytest.approx(word["expected_guesses"])

    def test_many_words_are_not_searched_and_paged(self, client: Client) -> None:
        every = post(client, "/words")["words"]
        assert len(every) == 2315
        assert all((word["kind"] == "estimate") == (word["expected_guesses"] is None) for word in every)
        assert post(client, "/words", {"offset": 7, "limit": 5})["words"] == every[7:12]

    def test_nothing_is_left_of_a_game_that_is_over(self, client: Client) -> None:
        assert post(client, "/words", {"rows": [RIGHT]})["words"] == []


class TestReview:
    def test_words_and_the_answer_are_enough(self, client: Client) -> None:
        words = ["salet", "courd", "whirl"]
        asked = {"game": {"answers": words}, "answer": "whirl"}
        found = post(client, "/review", {**asked, "guesses": words})
        assert [move["feedback"] for move in found["moves"]] == ["bbybb", "bbbgb", "ggggg"]
        some = [{"guess": "salet", "feedback": "bbybb"}, {"guess": "courd"}, {"guess": "whirl"}]
        others: list[dict[str, Any]] = [
            {"rows": some},
            {"text": "1. salet\n2. courd\n3. whirl"},
            {"text": "salet bbybb\ncourd\nwhirl", "answer": "WHIRL"},
        ]
        assert [post(client, "/review", asked | body)["moves"] for body in others] == [found["moves"]] * 3

    def test_colours_that_contradict_the_answer_are_refused(self, client: Client) -> None:
        rows = [{"guess": "salet", "feedback": "bbbbb"}, {"guess": "whirl"}]
        answer = client.post(f"{API}/review", json={"rows": rows, "answer": "whirl"})
        problem = is_problem(answer, 422)
        assert problem["detail"] == ("row 1: salet would have got bbybb, not bbbbb, if whirl is the answer")
        assert problem["row"] == 1
        rows = [{"guess": "salet", "feedback": "bybbb"}, {"guess": "abaca", "feedback": "ybyby"}]
        answer = client.post(f"{API}/review", json={"rows": rows, "answer": "kanga"})
        assert is_problem(answer, 422)["row"] == 1

    def test_guesses_without_colours_need_the_answer(self, client: Client) -> None:
        answer = client.post(f"{API}/review", json={"rows": [SALET, {"guess": "courd"}]})
        problem = is_problem(answer, 422)
        assert "row 2 is 'courd' alone" in problem["detail"]
        assert problem["row"] == 2

    @pytest.mark.parametrize(
        ("game", "words", "marks"),
        [
            (SMALL, ["eerie", "eerie", "react", "trace"], ["?!", "??", "?", ""]),
            pytest.param(
                {}, ["audio", "strew", "clank", "stone"], ["?!", "", "!", ""], marks=pytest.mark.thorough
            ),
        ],
    )
    def test_moves_are_marked(
        self, client: Client, game: dict[str, Any], words: list[str], marks: list[str]
    ) -> None:
        found = post(client, "/review", {"game": game, "guesses": words, "answer": words[-1]})
        assert [move["annotation"] for move in found["moves"]] == marks


class TestFit:
    GRID = "⬛⬛🟨⬛⬛\n⬛⬛⬛🟩⬛\n🟩🟩🟩🟩🟩"

    def test_the_lists_are_told_apart_by_what_fits(self, client: Client) -> None:
        found = post(client, "/fit", {"text": self.GRID, "answer": "kanga"})
        holds(results.Fits, found)
        assert [game["fits"] for game in found["games"]] == [False, False]
        found = post(client, "/fit", {"text": self.GRID, "answer": "whirl"})
        holds(results.Fits, found)
        assert [game["game"]["words"] for game in found["games"]] == ["original", "nyt"]
        assert all(game["fits"] for game in found["games"])
        assert [game["title"] for game in found["games"]] == [wordlists.NAMED[n] for n in ("original", "nyt")]
        for game in found["games"]:
            assert game["answers"] == {"count": 1, "words": ["whirl"]}
            assert [row["feedback"] for row in game["rows"]] == ["bbybb", "bbbgb", "ggggg"]

    def test_words_of_a_row_make_a_review(self, client: Client) -> None:
        asked = {"text": self.GRID, "game": {"answers": ["whirl", "salet", "courd"]}}
        game = post(client, "/fit", {**asked, "answer": "whirl"})["games"][0]
        words = [row["words"][0] for row in game["rows"]]
        assert words == ["salet", "courd", "whirl"]
        assert post(client, "/review", {**asked, "guesses": words})["solved"]

    def test_other_lengths_and_pegs(self, client: Client) -> None:
        found = post(client, "/fit", {"text": "⬛⬛🟨⬛\n🟩🟩🟩🟩"})
        assert [game["game"]["words"] for game in found["games"]] == ["frequent:en:4:3000"]
        found = post(client, "/fit", {"text": "⚫⚪➖➖"})
        assert [game["game"]["game"] for game in found["games"]] == ["mastermind", "bulls-and-cows"]

    def test_what_is_no_grid(self, client: Client) -> None:
        assert "no row" in is_problem(client.post(f"{API}/fit", json={"text": "hello"}), 422)["detail"]


BOARDS = [
    [SALET, {"guess": "courd", "feedback": "bgbbb"}],
    [{"guess": "salet", "feedback": "bbbbb"}, {"guess": "courd", "feedback": "bybyb"}],
]


class TestBoards:
    def test_the_next_guess_is_that_of_the_library(self, client: Client, original: Game) -> None:
        found = post(client, "/boards/suggest", {"boards": BOARDS, "limit": 3})
        holds(results.BoardsRanking, found)
        rows = [("salet", ["bbybb", "bbbbb"]), ("courd", ["bgbbb", "bybyb"])]
        at = BoardsPosition.after_rows(original, rows, 2)
        best = make_joint("joint-rollout").rank(at, 3)
        assert [one["guess"] for one in found["guesses"]] == [one.guess for one in best]
        assert found["candidates"] == at.sizes.tolist()
        assert (found["turn"], found["max_turns"], found["solved"]) == (3, 7, False)

    def test_boards_that_are_solved(self, client: Client) -> None:
        solved = [SALET, {"guess": "whirl", "feedback": "ggggg"}]
        other = [SALET, {"guess": "whirl", "feedback": "bbbbg"}, {"guess": "until", "feedback": "bbyyg"}]
        found = post(client, "/boards/suggest", {"boards": [solved, other[:2]]})
        holds(results.BoardsRanking, found)
        assert [board["solved"] for board in found["boards"]] == [True, False]
        found = post(client, "/boards/suggest", {"boards": [solved, solved]})
        assert (found["solved"], found["guesses"], found["method"]) == (True, [], "solved")

    def test_many_boards_before_the_first_guess(self, client: Client) -> None:
        found = post(client, "/boards/suggest", {"boards": [[]] * 8, "limit": 1})
        assert found["method"] == "joint-information"
        assert found["guesses"][0]["kind"] == "estimate"

    @pytest.mark.parametrize(
        ("boards", "says", "row"),
        [
            (
                [[SALET], [{"guess": "crane", "feedback": "bbbbb"}]],
                "crane on one board and salet on another",
                1,
            ),
            ([[SALET, COURD], [SALET]], "board 2 is not solved and lacks row 2", 2),
            ([[SALET], [{"guess": "salet", "feedback": "ggggy"}]], "board 2, row 1: no possible answer", 1),
            ([[{"guess": "zzzzz", "feedback": "bbbbb"}]], "zzzzz is not in the word list", 1),
        ],
    )
    def test_rows_that_do_not_go_together(
        self, client: Client, boards: list[Any], says: str, row: int
    ) -> None:
        problem = is_problem(client.post(f"{API}/boards/suggest", json={"boards": boards}), 422)
        assert says in problem["detail"]
        assert problem["row"] == row
        refused = client.post(f"{API}/boards/review", json={"boards": [{"rows": rows} for rows in boards]})
        assert is_problem(refused, 422)["row"] == row

    def test_a_game_is_reviewed(self, client: Client) -> None:
        words = ["salet", "courd", "whirl", "proxy"]
        boards = [
            {"rows": [{"guess": word} for word in words[:3]], "answer": "whirl"},
            {"rows": [{"guess": word} for word in words], "answer": "proxy"},
        ]
        found = post(client, "/boards/review", {"boards": boards})
        assert (found["solved"], found["lost"], found["turns"]) == (True, False, 4)
        assert "Solved in 4 guesses." in found["summary"]
        first, *_, last = found["moves"]
        assert first["feedback"] == ["bbybb", "bbbbb"]
        assert last["feedback"] == [None, "ggggg"]
        assert (last["solved"], last["candidates_after"], last["expected_after"]) == (True, 0, 0)
        assert [move["candidates_after"] == sum(move["left"]) for move in found["moves"]] == [True] * 4
        for move in found["moves"]:
            assert move["loss"] >= 0
            assert move["annotation"] in ("", "?!", "?", "??")
            assert move["sentence"].endswith(".")

    def test_a_guess_that_tells_nothing_is_a_mistake(self, client: Client) -> None:
        rows = [{"guess": word} for word in ("salet", "salet")]
        boards = [{"rows": rows, "answer": "whirl"}, {"rows": rows, "answer": "proxy"}]
        found = post(client, "/boards/review", {"boards": boards})
        assert found["moves"][1]["annotation"] in ("?", "??")
        assert "saves" in found["moves"][1]["sentence"]

    def test_contradicting_colours_name_the_board(self, client: Client) -> None:
        boards = [{"rows": [{"guess": "salet"}], "answer": "whirl"}, {"rows": [SALET], "answer": "crane"}]
        problem = is_problem(client.post(f"{API}/boards/review", json={"boards": boards}), 422)
        assert problem["detail"].startswith("board 2: row 1: salet would have got")
        assert problem["row"] == 1


ABSURDLE = [{"guess": "salet", "feedback": "bbbbb"}]


class TestHosts:
    def test_words_are_worth_what_beats_absurdles_host(self, client: Client) -> None:
        asked = {"rows": [*ABSURDLE, {"guess": "courd", "feedback": "bbbbb"}], "variant": "absurdle"}
        words = post(client, "/words", asked)["words"]
        for one in sorted(words, key=lambda one: one["expected_guesses"])[:2]:
            tried = post(client, "/try", {**asked, "guess": one["word"]})["guess"]
            assert one["expected_guesses"] <= tried["expected_guesses"]
            if one["kind"] == "proved":
                assert (tried["kind"], tried["expected_guesses"]) == ("proved", one["expected_guesses"])

    @pytest.mark.parametrize(
        ("game", "rows", "count", "guesses"),
        [(SMALL, [], 5, 2), pytest.param({}, ABSURDLE, 221, 3, marks=pytest.mark.thorough)],
    )
    def test_advice_against_absurdles_host(
        self, client: Client, game: dict[str, Any], rows: list[dict[str, str]], count: int, guesses: int
    ) -> None:
        asked = {"game": game, "rows": rows, "variant": "absurdle", "limit": 3}
        found = post(client, "/suggest", asked)
        holds(results.Ranking, found)
        assert found["method"] == "absurdle"
        assert found["candidates"] == count
        best = found["guesses"][0]
        assert (best["expected_guesses"], best["kind"], best["chance"]) == (guesses, "proved", 0)

    def test_advice_against_a_host_who_lies(self, client: Client) -> None:
        rows = [SALET, {"guess": "courd", "feedback": "bbbgb"}]
        found = post(client, "/suggest", {"rows": rows, "variant": "fibble", "limit": 3})
        holds(results.Ranking, found)
        plainly = post(client, "/suggest", {"rows": rows})
        assert found["candidates"] > plainly["candidates"]
        assert {one["kind"] for one in found["guesses"]} == {"estimate"}
        checked = post(client, "/check", {"rows": rows, "variant": "fibble"})
        assert (checked["candidates"], checked["contradiction"]) == (found["candidates"], None)
        words = post(client, "/words", {"rows": rows, "variant": "fibble"})
        holds(results.WordsLeft, words)
        assert len(words["words"]) == words["candidates"] == found["candidates"]
        assert sum(word["chance"] for word in words["words"]) == pytest.approx(1)

    @pytest.mark.parametrize("variant", [pytest.param("absurdle", marks=pytest.mark.thorough), "fibble"])
    def test_a_guess_tried(self, client: Client, variant: str) -> None:
        found = post(client, "/try", {"rows": ABSURDLE, "variant": variant, "guess": "salet"})
        holds(results.Tried, found)
        assert found["best"]["guess"] != "salet"
        suggested = post(client, "/suggest", {"rows": ABSURDLE, "variant": variant})
        assert found["candidates"] == suggested["candidates"]

    @pytest.mark.parametrize("variant", [pytest.param("absurdle", marks=pytest.mark.thorough), "fibble"])
    def test_games_are_reviewed(self, client: Client, variant: str) -> None:
        made = post(client, "/puzzle", {"number": 7, "variant": variant})["puzzle"]
        words = ["salet", "courd", "salet"]
        rows = []
        for number, word in enumerate(words):
            got = post(client, "/guess", {"puzzle": made, "guesses": words[:number], "guess": word})
            rows.append({"guess": word, "feedback": got["feedback"][0]})
        found = post(client, "/review", {"rows": rows, "variant": variant})
        assert found["max_turns"] == got["max_turns"]
        assert (found["turns"], found["solved"], found["lost"]) == (3, False, False)
        assert [move["feedback"] for move in found["moves"]] == [row["feedback"] for row in rows]
        for move, then in zip(found["moves"], found["moves"][1:], strict=False):
            assert move["candidates_after"] == then["candidates_before"]
            assert move["expected_after"] == pytest.approx(then["expected_before"])

    def test_what_other_hosts_do_not_take(self, client: Client) -> None:
        asked: dict[str, Any] = {"variant": "fibble", "rows": [{"guess": "salet"}], "answer": "whirl"}
        assert (
            "row 1 needs its feedback" in is_problem(client.post(f"{API}/review", json=asked), 422)["detail"]
        )
        asked = {"variant": "fibble", "game": {"game": "mastermind"}}
        assert "Fibble needs" in is_problem(client.post(f"{API}/suggest", json=asked), 422)["detail"]
        asked = {"variant": "fibble", "game": {"mode": "hard"}}
        assert "easy mode" in is_problem(client.post(f"{API}/words", json=asked), 422)["detail"]
        asked = {"variant": "fibble", "rows": [SALET, {"guess": "salet", "feedback": "ygygy"}]}
        found = post(client, "/check", asked)
        assert found["contradiction"]["row"] == 2
        assert "row 2" in found["contradiction"]["message"]


class TestStrategy:
    def test_small_positions_are_proved(self, client: Client) -> None:
        found = post(client, "/strategy", {"rows": [SALET, COURD]})
        holds(results.Strategy, found)
        assert found["kind"] == "proved"
        best = post(client, "/suggest", {"rows": [SALET, COURD], "limit": 1})["guesses"][0]
        assert found["expected_guesses"] == pytest.approx(best["expected_guesses"])

    def test_it_begins_as_asked_and_holds_every_word(self, client: Client) -> None:
        found = post(client, "/strategy", {"game": SMALL, "guess": "eerie"})
        holds(results.Strategy, found)
        assert found["guess"] == found["tree"]["guess"] == "eerie"

        def words(node: dict[str, Any]) -> list[str]:
            return [
                word for branch in node["children"] for word in (branch.get("words") or words(branch["node"]))
            ]

        assert sorted(words(found["tree"])) == sorted(FIVE)
        assert found["tree"]["count"] == 5

    @pytest.mark.parametrize("kind", ["json", "html", "dot", "txt"])
    def test_files(self, client: Client, kind: str) -> None:
        answer = client.post(f"{API}/strategy/file", json={"rows": [SALET], "format": kind})
        assert answer.status_code == 200
        assert answer.headers["Content-Disposition"] == f'attachment; filename="strategy.{kind}"'
        assert len(answer.text) > 1000

    def test_a_file_can_be_read_back(self, client: Client, original: Game) -> None:
        answer = client.post(f"{API}/strategy/file", json={"guess": "salet", "format": "json"})
        tree = tree_json.from_text(answer.text, original, "file")
        assert tree.report().total <= 7930
        assert json.loads(answer.text)["tree"]["guess"] == "salet"

    def test_formats_that_do_not_fit(self, client: Client) -> None:
        asked = {"game": {"game": "mastermind"}, "rows": [{"guess": "1122", "feedback": "1,1"}]}
        is_problem(client.post(f"{API}/strategy/file", json={**asked, "format": "txt"}), 422)
