"""Checks of proofs: of certificates, and of stores of bounds."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from sleuth.cli import show
from sleuth.cli.hearing import heard
from sleuth.cli.options import Json
from sleuth.support.errors import SleuthError
from sleuth.support.files import reason_of

if TYPE_CHECKING:
    from sleuth.exact.verification import Verification
    from sleuth.games.choice import GameChoice

Lists = tuple[Path | None, Path | None]
"""Files of answers and guesses; None for those that Sleuth has."""


def verify(
    file: Annotated[Path, typer.Argument(help="The store of a run of prove, or a certificate.")],
    sample: Annotated[
        float | None,
        typer.Option(
            min=0,
            help="How many bounds to draw (else 20; those that matter most come on top); of a certificate"
            " the share to check, such as 0.01 (else all).",
        ),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Derive all of them again.")] = False,
    seed: Annotated[int | None, typer.Option(min=0, help="Draw the same sample of a store again.")] = None,
    words: Annotated[
        str | None, typer.Option(help="The word list of a certificate, as prove took it: original:100.")
    ] = None,
    answers: Annotated[
        Path | None, typer.Option(help="The answers of a certificate, where no list of Sleuth's has them.")
    ] = None,
    guesses: Annotated[Path | None, typer.Option(help="The guesses of a certificate.")] = None,
    text: Annotated[
        bool, typer.Option("--text", help="Print a certificate as text, and check nothing.")
    ] = False,
    json: Json = False,
) -> None:
    """Check a certificate, or derive some of a store's bounds again with slow and independent code.

    The exit code is 1 where something does not hold.
    """
    from sleuth.games.choice import GameChoice

    given = {"--sample": sample is not None, "--all": everything, "--text": text, "--json": json}
    for one, other in (
        ("--sample", "--all"),
        ("--text", "--sample"),
        ("--text", "--all"),
        ("--text", "--json"),
    ):
        if given[one] and given[other]:
            raise SleuthError(f"give {one} or {other}, not both")
    named = words is not None or answers is not None or guesses is not None
    try:
        with file.open("rb") as stream:
            start = stream.read(16)
    except OSError as error:
        raise SleuthError(f"{file} cannot be read ({reason_of(error)})") from None
    if start.startswith(b"SQLite format 3"):
        if text or named:
            raise SleuthError(
                f"{file} is a store; --text, --words, --answers and --guesses go with certificates"
            )
        if sample is not None and (sample < 1 or sample != int(sample)):
            raise SleuthError(f"of a store's bounds a whole number is drawn, not {sample:g}")
        _verify(file, None if everything else int(sample or 20), seed, json)
    elif start.startswith(b"PK\x03\x04"):
        if seed is not None:
            raise SleuthError("--seed goes with stores; of a certificate a share is drawn anew each time")
        share = 1.0 if sample is None else sample
        if not 0 < share <= 1:
            raise SleuthError(f"of a certificate a share above 0 and up to 1 is checked, not {share:g}")
        choice = GameChoice(words=words, answers=answers, guesses=guesses) if named else None
        _certificate(file, choice, share, text, json)
    else:
        raise SleuthError(f"{file} is neither a certificate nor a store of bounds")


def _certificate(file: Path, choice: "GameChoice | None", share: float, text: bool, json: bool) -> None:
    """Print a certificate, or check a share of it, with the very code that checks it without Sleuth."""
    from sleuth.exact.certificate import as_text
    from sleuth.exact.check_certificate import PIECES, RefusedError, check
    from sleuth.support.progress import Progress

    refused = None
    holds: list[str] = []
    try:
        with _lists(file, choice) as (answers, guesses):
            if text:
                for line in as_text(file, answers, guesses):
                    print(line)
                return
            with nullcontext(lambda progress: None) if json else show.steps("checking") as update:
                holds = list(check(file, answers, guesses, share, lambda n: update(Progress(n, PIECES))))
    except FileNotFoundError:
        raise SleuthError(
            f"{file} is about words that no file of Sleuth's has: name them as they were named to prove, by"
            " --words, or --answers and --guesses"
        ) from None
    except RefusedError as error:
        refused = str(error)
    except (SleuthError, BrokenPipeError):
        raise
    except Exception as error:
        if text and isinstance(error, OSError) and error.filename is None:
            raise  # what is printed could not be written
        raise SleuthError(
            f"{file} is no certificate, or a broken one ({type(error).__name__}: {error})"
        ) from None
    if json:
        show.as_json({"certificate": str(file), "ok": refused is None, "holds": holds, "refused": refused})
    else:
        with heard():
            print("\n".join(holds) if refused is None else f"{file} is refused: {refused}")
    if refused is not None:
        raise typer.Exit(1)


@contextmanager
def _lists(file: Path, choice: "GameChoice | None") -> Iterator[Lists]:
    """Yield files of the words named, as the checker reads them. Raises SleuthError."""
    if choice is None:
        yield None, None
        return
    from sleuth.exact.certificate import is_of_words

    if not is_of_words(file):
        raise SleuthError(f"{file} names its answers and guesses itself: it takes no lists of words")
    game = choice.build(lambda option: f"--{option}")
    with TemporaryDirectory(prefix="sleuth-") as folder:
        files = Path(folder, "answers.txt"), Path(folder, "guesses.txt")
        for path, some in zip(files, (game.answers, game.guesses), strict=True):
            path.write_text("\n".join(some), "utf-8")
        yield files


def _verify(store: Path, sample: int | None, seed: int | None, json: bool) -> None:
    from sleuth.exact.verification import verify as run

    with show.steps("verifying") as update:
        found = run(store, sample, seed, progress=update)
    if json:
        show.as_json(found.to_json())
    else:
        said = [f"wrong: {failure}" for failure in found.failures]
        tree = "the tree holds" if found.tree_total is not None else "there is no tree"
        wrong = len(found.failures)
        done = f"{found.checked} of {found.bounds} bounds derived again, {wrong} wrong"
        said.append(f"{done}; {tree} ({found.seconds:.1f} s)")
        if found.checked < found.bounds:
            said.append(_odds(found))
        with heard():
            print("\n".join(said))
    if not found.ok:
        raise typer.Exit(1)


def _odds(found: "Verification") -> str:
    """Return what a sample would have found, in words."""
    one, some = show.percent(found.odds()), show.percent(found.odds(found.hundredth))
    return (
        f"a single wrong bound would be found with probability {one}, wrong bounds of 1 % of all with {some};"
        f" {found.promising_checked} of the {found.promising} openers that look best at first sight are among"
        " them (--all derives every bound)"
    )
