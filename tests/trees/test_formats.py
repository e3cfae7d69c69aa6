"""Trees written and read back, the shape of each format, and files that are wrong in every way."""

import json
import os
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Never

import numpy as np
import pytest
from command_line import Run
from hypothesis import given
from hypothesis import strategies as st
from random_games import games, word_games

from sleuth.games.game import Game, Mode
from sleuth.games.pegs import mastermind
from sleuth.games.priors import uniform
from sleuth.games.rules import WordleRules
from sleuth.games.wordle import wordle
from sleuth.games.wordlists import from_words
from sleuth.strategies.registry import make
from sleuth.support.errors import TreeError
from sleuth.trees.check import check_tree
from sleuth.trees.formats import FORMATS, dot, html, read, selby, stated_mode, tree_json, write
from sleuth.trees.tree import DecisionTree

MODES: tuple[Mode, ...] = ("easy", "hard", "strict")
PLAYERS = st.sampled_from(["information-gain", "alpha(ties=list-order)", "worst-case", "random"])
WORDS = ("bat", "cat", "ten", "tin", "tug")
TEXT = """\
bat BBY1 ten GBB2 tug GGG3
             GBG2 tin GGG3
             GGG2
    BGG1 cat GGG2
    GGG1
"""


def game_of(mode: Mode = "easy") -> Game:
    # The answers are bat, cat, ten, tin and tug.
    return wordle(from_words(WORDS, [*WORDS, "pub"]), mode=mode)


def same(one: DecisionTree, other: DecisionTree) -> bool:
    return all(
        getattr(one, name).tolist() == getattr(other, name).tolist()
        for name in ("guess", "parent", "code", "turns")
    )


def parse(text: str, game: Game | None = None) -> DecisionTree:
    return selby.from_text(text, game or game_of(), "hand")


# Round trips


@given(games(MODES), PLAYERS, st.text(max_size=20))
def test_json_brings_any_tree_back(game: Game, player: str, name: str) -> None:
    tree = DecisionTree.build(make(player), game, name=name)
    back = tree_json.from_text(tree_json.to_text(tree), game, "file")
    assert same(tree, back)
    assert back.name == (name or "file")
    assert tree_json.to_text(tree) == tree_json.to_text(DecisionTree.build(make(player), game, name=name))


@given(word_games(MODES), PLAYERS)
def test_selby_brings_any_tree_of_words_back(game: Game, player: str) -> None:
    tree = DecisionTree.build(make(player), game)
    text = selby.to_text(tree)
    assert same(tree, selby.from_text(text, game, "file"))
    # A line for each answer (all can be guessed here), and no line repeats the one before.
    assert len(text.splitlines()) == len(game.answers)


@given(games(MODES), PLAYERS)
def test_drawings_of_any_tree(game: Game, player: str) -> None:
    tree = DecisionTree.build(make(player), game)
    Page().feed_whole(html.to_text(tree))
    assert_dot(dot.to_text(tree), tree)


@pytest.fixture(scope="module")
def salet(original: Game) -> DecisionTree:
    """A tree of some thousand nodes."""
    return DecisionTree.build(make("information-gain"), original, "salet")


@pytest.mark.parametrize("suffix", [".json", ".tree", ".txt", ".TXT"])
def test_files_come_back(tmp_path: Path, original: Game, salet: DecisionTree, suffix: str) -> None:
    tree = salet
    path = tmp_path / f"salet{suffix}"
    write(tree, path)
    back = read(path, original)
    assert same(tree, back)
    assert back.name == ("information-gain" if suffix == ".json" else "salet")
    assert list(tmp_path.iterdir()) == [path]


def test_content_decides_what_a_file_is(tmp_path: Path) -> None:
    tree = parse(TEXT)
    (tmp_path / "a.txt").write_text("\ufeff \n" + tree_json.to_text(tree), encoding="utf-8")
    (tmp_path / "b.json").write_bytes(TEXT.replace("\n", "  \r\n").encode())
    assert same(read(tmp_path / "a.txt", game_of()), tree)
    assert same(read(tmp_path / "b.json", game_of()), tree)


def test_words_outside_ascii_come_back(tmp_path: Path) -> None:
    game = wordle(from_words(["mañana", "señora", "añadir"]))
    tree = DecisionTree.build(make("information-gain"), game)
    for suffix in (".json", ".tree"):
        write(tree, tmp_path / f"x{suffix}")
        assert same(tree, read(tmp_path / f"x{suffix}", game))


# Selby's format


def test_selby_is_written_to_the_letter() -> None:
    tree = parse(TEXT)
    assert selby.to_text(tree) == TEXT
    assert tree.opener == "bat"
    assert tree.turns.tolist() == [1, 2, 2, 3, 3]
    assert tree.name == "hand"


def test_selby_keeps_columns_past_turn_nine() -> None:
    words = [letter + "at" for letter in "bcefhmoprsvw"]
    first, below = "", []
    for turn, word in enumerate(words, 1):
        first += f"{word} "
        below.append(" " * len(first) + f"GGG{turn}")
        first += f"BGG{turn} "
    text = "\n".join([first.rstrip().replace("BGG12", "GGG12"), *below[-2::-1]]) + "\n"
    tree = parse(text, wordle(from_words(words)))
    assert tree.turns.tolist() == list(range(1, 13))
    assert selby.to_text(tree) == text


def test_selby_order_of_lines_does_not_matter_to_the_reader() -> None:
    lines = TEXT.splitlines()
    shuffled = "\n".join(["bat GGG1", lines[3], "    " + lines[0][4:], *lines[1:3]])
    assert same(parse(shuffled), parse(TEXT))


def test_selby_lets_an_answer_that_no_guess_can_name_end_a_line() -> None:
    game = Game("words", WordleRules(2), ("ab", "cd"), ("ab", "ac", "cd"), uniform(3))
    text = "ab BB1 cd GG2\n   GB1\n   GG1\n"
    tree = parse(text, game)
    assert tree.turns.tolist() == [1, 1, 2]
    assert selby.to_text(tree) == text


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (TEXT, "", "the file is empty"),
        (TEXT, "\n  \n", "the file is empty"),
        (TEXT, " " + TEXT, "line 1: begins with a blank"),
        (TEXT, "\x00\x01\x02", "line 1: "),
        ("bat BBY1", "bta BBY1", "line 1: bta is not in the word list"),
        ("tin GGG3", "tni GGG3", "line 2: tni is not in the word list"),
        ("tin GGG3", "tins GGG3", "line 2: tins has 4 letters"),
        ("tin GGG3", "tin", "line 2: ends without feedback"),
        ("tin GGG3", "tin GGG4", "line 2: 'GGG4' stands where feedback to guess 3 belongs"),
        ("tin GGG3", "tin GG3", "line 2: 'GG3' stands where"),
        ("tin GGG3", "tin ggg3", "line 2: 'ggg3' stands where"),
        ("tin GGG3", "tin GGG3 tin GGG4", "line 2: 'tin' follows a right guess"),
        ("             GBG2", "            GBG2", "line 2: begins in column 13"),
        ("             GBG2", "\t\t\tGBG2", "line 2: begins in column 1,"),
        ("GBG2 tin", "GBB2 tin", "line 2: GBB2 after ten is there twice"),
        ("             GBG2 tin GGG3\n", "", "after bat BBY: the answer tin is never found"),
        ("GBG2 tin", "BBB2 tin", "after bat BBY: the answer tin is never found"),
        ("cat GGG2", "cat GGG2\n" + 13 * " " + "BBB2", "line 5: no answer is found after bat BGG, cat BBB"),
        ("cat GGG2", "cat BBB2 ten GGG3\n             GGG2", "after bat BGG, cat BBB: no answer leads"),
        ("    GGG1\n", "", "bat has no line: after bat GGG"),
        ("cat GGG2", "tin BGG2", "after bat BGG: the answer cat is never found"),
    ],
)
def test_selby_names_what_is_wrong(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in TEXT
    path = tmp_path / "bad.tree"
    path.write_text(TEXT.replace(old, new))
    with pytest.raises(TreeError, match=f"{re.escape(str(path))}.*({message})") as caught:
        read(path, game_of())
    assert "\n" not in str(caught.value)


def test_selby_is_for_games_of_words() -> None:
    tree = DecisionTree.build(make("information-gain"), mastermind(2, 3))
    with pytest.raises(TreeError, match="Selby's format is for Wordle, not for mastermind 2x3"):
        selby.to_text(tree)
    with pytest.raises(TreeError, match="Selby's format is for Wordle"):
        selby.from_text("11 0,01", tree.game, "x")


@pytest.mark.parametrize("mode", ["hard", "strict"])
def test_reading_keeps_to_the_mode_of_the_game(tmp_path: Path, mode: Mode) -> None:
    text = TEXT.replace("ten GBB2 tug GGG3", "pub BBB2 ten GBG3 tin GGG4").replace(
        "             GBG2 tin GGG3\n             GGG2\n",
        "                      GGG3\n             BGB2 tug GGG3\n",
    )
    assert parse(text).report().total == 1 + 2 + 3 + 4 + 3
    for name in ("x.tree", "x.json"):
        write(parse(text), tmp_path / name)
        with pytest.raises(TreeError, match=f"pub is not legal in {mode} mode"):
            read(tmp_path / name, game_of(mode))


# JSON


def test_json_says_what_it_is() -> None:
    tree = parse(TEXT)
    data = json.loads(tree_json.to_text(tree))
    digest = data.pop("digest")
    assert re.fullmatch("[0-9a-f]{64}", digest)
    assert data == {
        "format": "sleuth-tree",
        "version": 1,
        "game": "wordle (words)",
        "mode": "easy",
        "answers": 5,
        "guesses": 6,
        "strategy": "hand",
        "total": 11,
        "tree": {
            "guess": "bat",
            "after": {
                "BGG": {"guess": "cat"},
                "BBY": {"guess": "ten", "after": {"GBB": {"guess": "tug"}, "GBG": {"guess": "tin"}}},
            },
        },
    }


def altered(**changes: object) -> str:
    return json.dumps({**json.loads(tree_json.to_text(parse(TEXT))), **changes})


def after_bat(**after: object) -> str:
    return altered(tree={"guess": "bat", "after": after})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"format": "sleuth-tree", "ver', "line 1, column 27: not JSON"),
        (tree_json.to_text(parse(TEXT))[:-40], r"line \d+, column \d+: not JSON"),
        ("{}", "not a tree of Sleuth"),
        (altered(format="other"), "not a tree of Sleuth"),
        (altered(version=2), "version 2; version 1 can be read"),
        (altered(digest="0"), r"is for \"wordle \(words\)\" \(5 answers, 6 guesses\), not for"),
        (altered(total=12), "the file says 12 guesses in total, its tree takes 11"),
        (altered(tree=None), "at the first guess: a node is .* here is null"),
        (altered(tree=[1]), "here is a list"),
        (altered(tree={"guess": 7}), "here is 7 and an object"),
        (altered(tree={"guess": "bat", "after": []}), "and a list"),
        (altered(tree={"guess": "bta"}), "at the first guess: bta is not in the word list"),
        (altered(tree={"guess": "bat"}), "at the first guess: the answer .* is never found"),
        (after_bat(BB={"guess": "cat"}), "at the first guess: feedback 'BB'"),
        (after_bat(BGG={}), "after bat BGG: a node is .* here is null and"),
        (after_bat(BGG={"guess": "x"}), "after bat BGG: x has 1 letter;"),
        (after_bat(GGG={"guess": "bat"}), "after bat GGG: the guess was right"),
        (after_bat(BGG={"guess": "cat"}, bgg={"guess": "cat"}), "after bat BGG: the tree has two branches"),
        (altered().replace('"GBB"', '"GBG"'), "the key .GBG. is there twice"),
        ('{"tree":' * 100_000, "nested too deeply"),
        ('{"format": ' + "9" * 5000 + "}", "not JSON that can be read"),
    ],
)
def test_json_names_what_is_wrong(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(TreeError, match=f"{re.escape(str(path))}: .*({message})") as caught:
        read(path, game_of())
    assert "\n" not in str(caught.value)


def test_json_of_another_game_says_which(tmp_path: Path) -> None:
    write(DecisionTree.build(make("worst-case"), mastermind(2, 3)), tmp_path / "m.json")
    wanted = r'is for "mastermind 2x3" \(9 answers, 9 guesses\), not for .*5 answers'
    with pytest.raises(TreeError, match=wanted):
        read(tmp_path / "m.json", game_of())


# Files


def test_the_suffix_names_the_format(tmp_path: Path) -> None:
    assert set(FORMATS) == {".json", ".tree", ".txt", ".dot", ".gv", ".html"}
    for name in ("x.pdf", "x", ".json"):
        with pytest.raises(TreeError, match=r"one of \.dot, \.gv, \.html, \.json, \.tree, \.txt$"):
            write(parse(TEXT), tmp_path / name)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(TreeError, match=r"cannot be read \(No such file"):
        read(tmp_path / "none.json", game_of())
    with (tmp_path / "large.json").open("wb") as file:
        file.truncate(2**40)  # bytes that are nowhere, and would take hours to read
    with pytest.raises(TreeError, match=r"cannot be read \(it has more than 32 MiB"):
        read(tmp_path / "large.json", game_of())
    with pytest.raises(TreeError, match=r"cannot be read \(Is a directory"):
        read(tmp_path, game_of())
    with pytest.raises(TreeError, match=r"cannot be read \(.*null"):
        read(Path("a\0b"), game_of())
    (tmp_path / "binary").write_bytes(b"bat\n\x80\x81")
    with pytest.raises(TreeError, match="binary, line 2: not UTF-8"):
        read(tmp_path / "binary", game_of())


def test_files_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(TreeError, match="there is no folder"):
        write(parse(TEXT), tmp_path / "no" / "x.json")
    (tmp_path / "dir.json").mkdir()
    with pytest.raises(TreeError, match=r"cannot be written \(Is a directory"):
        write(parse(TEXT), tmp_path / "dir.json")
    assert [path.name for path in tmp_path.iterdir()] == ["dir.json"]


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.json"
    path.write_text("old")

    def full(_: int) -> Never:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(TreeError, match=r"x\.json cannot be written \(No space left on device\)"):
        write(parse(TEXT), path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to("real.json")
    write(parse(TEXT), tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").read_text().startswith("{")
    (tmp_path / "a.json").symlink_to("b.json")
    (tmp_path / "b.json").symlink_to("a.json")
    with pytest.raises(TreeError, match="cannot be written"):
        write(parse(TEXT), tmp_path / "a.json")


def test_a_broken_tree_is_not_written(tmp_path: Path) -> None:
    good = parse(TEXT)
    bad = DecisionTree(good.game, good.guess[:3], good.parent[:3], good.code[:3])
    for suffix in FORMATS:
        with pytest.raises(TreeError, match="is never found"):
            write(bad, tmp_path / f"x{suffix}")
    assert not list(tmp_path.iterdir())


# Drawings


def assert_dot(text: str, tree: DecisionTree) -> None:
    """Check that braces, brackets and quotes balance, and that there is a box a node."""
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', "Q", text)
    assert '"' not in bare
    assert "\\" not in bare
    assert bare.count("{") == bare.count("}") == 1
    assert bare.count("[") == bare.count("]")
    assert len(re.findall(r"^  n\d+ \[", text, re.M)) == len(tree.guess)
    assert len(re.findall(r"^  n\d+ -> n\d+ \[", text, re.M)) == len(tree.guess) - 1


def odd_game() -> Game:
    """A game whose words are markup."""
    items = ['"', "\\", "<script>", "&", "a\nb", "]"]
    return Game.from_function(
        lambda g, a: "</b>" if g == a else f'"{items.index(a) % 3}<', items, name="<&\"'\\>"
    )


def test_dot_reads_well() -> None:
    text = dot.to_text(parse(TEXT))
    assert_dot(text, parse(TEXT))
    assert 'n0 [label="bat\\n5 left", peripheries=2];' in text
    assert re.search(r'n0 -> n\d \[label="BGG"\]', text)


def test_drawings_escape_what_a_game_says() -> None:
    tree = DecisionTree.build(make("information-gain"), odd_game(), name='<i>"\\')
    assert_dot(dot.to_text(tree), tree)
    page = html.to_text(tree)
    Page().feed_whole(page)
    assert "<script" not in page
    assert "<i>" not in page


class Page(HTMLParser):
    """Fails on a tag that is not closed in its turn."""

    VOID = ("meta",)

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attributes)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def feed_whole(self, text: str) -> "Page":
        self.feed(text)
        self.close()
        assert not self.open
        return self


def test_html_of_a_full_tree(salet: DecisionTree) -> None:
    text = html.to_text(salet)
    page = Page().feed_whole(text)
    assert len(text) < 1_500_000
    tags = [tag for tag, _ in page.seen]
    assert tags.count("bdi") == len(salet.guess)
    assert sum("open" in attributes for _, attributes in page.seen) == 1
    assert ("html", {"lang": "en"}) in page.seen
    assert any(attributes.get("name") == "viewport" for _, attributes in page.seen)
    assert not {"script", "link", "img", "iframe"} & set(tags)
    assert not re.search(r"https?:|url\(|@import|src=", text)
    shown = " ".join(page.words)
    for figure in ("3.4324", "7946", "salet", "information-gain on wordle (original)", "1206"):
        assert figure in shown


def test_html_tells_feedback_by_colour_and_by_letter() -> None:
    text = html.to_text(parse(TEXT))
    assert (
        '<b class="b">b</b><b class="g">a</b><b class="g">t</b></span><code>BGG</code><bdi>cat</bdi>'
        " <small>right, guess 2</small>"
    ) in text
    assert "<bdi>bat</bdi> <small>5 left, may be right</small>" in text


def test_html_shows_answers_known_without_a_guess() -> None:
    game = Game("words", WordleRules(2), ("ab", "cd"), ("ab", "ac", "cd"), uniform(3))
    text = html.to_text(DecisionTree.build(make("information-gain"), game, "ab"))
    assert "<bdi>ac</bdi> <small>known after 1</small>" in text
    assert 'label="ac"' in dot.to_text(DecisionTree.build(make("information-gain"), game, "ab"))


def test_deep_trees_need_no_recursion() -> None:
    game = Game.from_function(lambda g, a: g == a, range(99), max_turns=99)
    chain = np.arange(99, dtype=np.int32)
    tree = DecisionTree(game, chain, chain - 1, np.append(-1, np.zeros(98)).astype(np.int32), "chain")
    assert tree_json.from_text(tree_json.to_text(tree), game, "x").report().worst == 99
    Page().feed_whole(html.to_text(tree))


# Files that are damaged.


@pytest.mark.parametrize("kind", [".json", ".txt"])
def test_bits_that_flip_are_found_or_do_no_harm(tmp_path: Path, kind: str) -> None:
    game = wordle(["crane", "trace", "react", "caret", "slate", "stale", "least", "steal"])
    path = tmp_path / f"tree{kind}"
    write(DecisionTree.build(make("information-gain"), game), path)
    data, rng = path.read_bytes(), np.random.default_rng(0)
    refused = 0
    for _ in range(300):
        broken = bytearray(data)
        for at in rng.integers(len(data), size=rng.integers(1, 4)).tolist():
            broken[at] ^= 1 << int(rng.integers(8))
        path.write_bytes(broken)
        try:
            check_tree(read(path, game))
        except TreeError:
            refused += 1
    assert refused > 200


def test_a_tree_says_its_mode(tmp_path: Path) -> None:
    game = wordle(["crane", "trace", "react", "caret", "slate", "stale", "least", "steal"], mode="hard")
    path = tmp_path / "tree.json"
    write(DecisionTree.build(make("information-gain"), game), path)
    assert stated_mode(path) == "hard"
    path.write_text(path.read_text().replace('"hard"', '"harsh"'))
    with pytest.raises(TreeError, match='the tree says mode "harsh"; a mode is easy, hard, strict'):
        read(path, game)


def test_check_tree_takes_the_mode_of_the_file(run: Run, tmp_path: Path) -> None:
    words, tree = tmp_path / "words.txt", tmp_path / "tree.json"
    words.write_text("crane trace react caret slate stale least steal".replace(" ", "\n"))
    run("evaluate", "information-gain", "--answers", words, "--mode", "hard", "--tree", tree)
    code, out, _ = run("check-tree", tree, "--answers", words)
    assert (code, ", hard mode," in out) == (0, True)
    code, _, err = run("check-tree", tree, "--answers", words, "--mode", "strict")
    assert (code, "says that its tree is for hard mode, not for --mode strict" in err) == (2, True)
