"""Pictures of what Weaver's player sees."""

from pathlib import Path

import numpy as np
import pytest
from command_line import Run, json_of

from sleuth.learning.letters.pictures import seen, seen_figure
from sleuth.support.errors import SleuthError

pytest.importorskip("matplotlib")
PERIL = [("trace", "bybby"), ("lions", "yybbb"), ("milly", "byybb")]


def coloured(axes: object) -> dict[tuple[int, int], str]:
    """Return the colour of each cell of a grid that is not empty, by feature and letter."""
    from matplotlib.colors import to_hex

    cells = [patch for patch in axes.patches if patch.get_width() == 1]  # type: ignore[attr-defined]
    found = {(patch.get_y(), patch.get_x()): to_hex(patch.get_facecolor()) for patch in cells}
    return {place: colour for place, colour in found.items() if colour != "#1f1f21"}


def test_states_are_drawn_as_the_document_does() -> None:
    found = seen([], [("eerie", "gbbyb")])
    (axes,) = seen_figure(found).axes
    expected = {(0, 4): "#ffffff", (0, 8): "#ffffff", (1, 4): "#538d4e"}
    not_here = [(4, place) for place in (2, 3, 4, 5)] + [(17, place) for place in (1, 2, 3, 4, 5)]
    not_here += [(8, place) for place in (1, 4)]  # e stands at the first
    not_here += [(letter, 1) for letter in range(26) if letter not in (4, 8, 17)]
    assert coloured(axes) == expected | {(5 + place, letter): "#818384" for letter, place in not_here}


def test_a_panel_for_each_word_and_each_row() -> None:
    found = seen(["TRACE", "lions"], PERIL[:2])
    assert found.words == ("trace", "lions")
    assert found.actions.argmax(2).tolist() == [[ord(c) - ord("a") for c in word] for word in found.words]
    panels = seen_figure(found).axes
    assert len(panels) == 4
    for axes, features in zip(panels, [*found.actions, *found.states.transpose(0, 2, 1)], strict=True):
        assert set(coloured(axes)) == {(y, x) for y, x in np.argwhere(features)}


def test_letters_that_come_more_often_are_numbered() -> None:
    (axes,) = seen_figure(seen([], [("eerie", "yybbb")])).axes
    assert "2" in {text.get_text() for text in axes.texts}


@pytest.mark.parametrize(
    ("words", "rows", "message"),
    [
        ([], [], "nothing to draw"),
        (["crane"], [("dealer", "bbbbbb")], "letters"),
        (["größe"], [], "a to z"),
        ([], [("trace", "bgg")], "has 3 marks"),
        ([], [("trace", "ggggg"), ("lions", "gbbbb")], "row 2: no word gives these marks"),
        ([], [("aabbb", "ggbbb"), ("ccddd", "bbbbb"), ("ddcce", "yybbb")], "row 3: no word gives"),
        ([], [("trace", "bbbbb")] * 7, "6 rows at most, not 7"),
    ],
)
def test_what_cannot_be_drawn_is_said(words: list[str], rows: list[tuple[str, str]], message: str) -> None:
    with pytest.raises(SleuthError, match=message):
        seen(words, rows)


def test_the_command_draws_and_tells(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "seen.svg"
    found = json_of(run("features", "milly", "--after", "trace:bybby", "--plot", path, "--json"))
    assert path.read_text().startswith("<?xml")
    assert [action["word"] for action in found["actions"]] == ["milly"]
    (state,) = found["states"]
    assert (state["turn"], state["letters"]["e"]) == (2, [1, *[0] * 5, 0, 0, 0, 0, 1])
    for arguments, message in (
        (["--after", "trace"], "not of the form GUESS:FEEDBACK, for example trace:bybby"),
        ([], "nothing to draw"),
        (["crane", "--plot", tmp_path / "seen.txt"], "a picture ends in"),
    ):
        code, _, err = run("features", "--plot", path, *arguments)
        assert (code, message in err) == (2, True)
