"""Training of learned players, and pictures of how they learned and of what they see."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sleuth.cli import compiling, completing, interrupts, show
from sleuth.cli.formats import with_format
from sleuth.cli.options import After, Json, rows_of

if TYPE_CHECKING:
    from sleuth.learning.runs.curves import Curves
    from sleuth.support.progress import Progress


def train(
    config: Annotated[
        str,
        typer.Argument(
            help="A file (.toml), or one that ships, such as document_003.",
            autocompletion=completing.configurations,
        ),
    ],
    device: Annotated[str, typer.Option(help="cpu or cuda.")] = "cpu",
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the checkpoint in --out.")] = False,
    out: Annotated[
        Path | None, typer.Option(help="Folder of checkpoint, weights, curve and logs; else runs/NAME.")
    ] = None,
    seconds: Annotated[float | None, typer.Option(min=0, help="Stop after so long.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed; else the configuration's.")] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "-o",
            "--option",
            metavar="KEY=VALUE",
            help="A hyperparameter that the run has instead, such as network.dimension=32. Repeatable.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Train a player as a configuration says. Ctrl-C saves and ends; --resume goes on."""
    from sleuth.learning.runs.training import CHECKPOINT, Run, check_device, require_torch, run

    require_torch()
    check_device(device)
    from sleuth.learning.runs.configuration import Configuration
    from sleuth.support.specification import key_values

    chosen = Configuration.load(config, key_values(option or ()), seed)
    folder = Path("runs") / chosen.name if out is None else out
    if not json:
        compiling.announce()
        if resume and not (folder / CHECKPOINT).exists():
            print(f"{folder} has no checkpoint yet: the run begins anew")
    stepped = False
    with show.steps(f"training {chosen.name}", remaining=True) as update:

        def progress(told: "Progress") -> None:
            nonlocal stepped
            stepped = True
            if not json:
                update(told)

        interrupts.take_time(10)  # a checkpoint is written
        at, interrupted = interrupts.finished_or_known(
            lambda: run(
                chosen.schedule,
                chosen.build(device),
                folder,
                resume,
                device,
                seconds,
                identity=chosen.identity(),
                name=chosen.name,
                progress=progress,
            ),
            Run,
        )
    last = at.curve[-1] if at.curve else None
    if json:
        best = None if at.best is None else {"failures": at.best[0], "mean": at.best[1]}
        reached = {"step": at.step, "seconds": at.seconds, "best": best, "last": last}
        show.as_json({"folder": str(folder), "interrupted": interrupted, **reached})
    else:
        done = f"{at.step} step{'s' * (at.step != 1)} in {at.seconds:.0f} s; the run is in {folder}"
        ended = at.step >= chosen.schedule.steps
        print(f"there is nothing left to do: {done}" if ended and not stepped else done)
        if at.best is not None:
            print(f"best evaluation: {at.best[0]:.0f} failures, mean {at.best[1]:.4f}")
        else:
            first = min(chosen.schedule.evaluate_every, chosen.schedule.steps)
            goes_on = "; --resume goes on" if at.step else ""
            print(f"no weights yet: the first evaluation is at step {first}{goes_on}")
    if interrupted:
        interrupts.leave(json)


@with_format
def curves(
    runs: Annotated[list[Path], typer.Argument(metavar="DIR...", help="Folders of `sleuth train`.")],
    plot: Annotated[Path | None, typer.Option(help="Draw the curves (.png, .svg, .pdf).")] = None,
    against: Annotated[
        str, typer.Option(help="What the axis across is: seconds (of processor time), steps or games.")
    ] = "seconds",
    measure: Annotated[
        str, typer.Option(help="What is drawn: mean, failures, or whatever else the evaluations have.")
    ] = "mean",
    optimum: Annotated[
        float | None, typer.Option(help="Draw a dashed line here, such as 3.4212 for `--words original`.")
    ] = None,
    highest: Annotated[
        float | None, typer.Option(help="End the axis upward here, to see the end of learning closely.")
    ] = None,
    log: Annotated[bool, typer.Option("--log", help="Make the axis across logarithmic.")] = False,
    json: Json = False,
) -> None:
    """Show how runs of `sleuth train` learned; those that differ only in the seed are one curve.

    For example: sleuth curves runs/* --plot curves.png --optimum 3.4212 --highest 4
    """
    from sleuth.learning.runs.curves import Run
    from sleuth.learning.runs.curves import curves as curves_of
    from sleuth.learning.runs.pictures import learning
    from sleuth.support.pictures import check_path, draw

    if plot is not None:
        check_path(plot)
    found = curves_of([Run.read(folder) for folder in runs], against, measure)
    if plot is not None:
        draw(plot, partial(learning, found, optimum=optimum, highest=highest, log=log))
    if json:
        show.as_json(found.to_json(), found.to_records())
        return
    _print(found)
    if plot is not None:
        print(f"picture written to {plot}")


def _print(found: "Curves") -> None:
    last = f"last {found.measure}"
    table = show.table("curve", "run", "seed", "evaluations", found.against, last, "least", left=2)
    for curve in found.curves:
        for line in curve.lines:
            table.add_row(
                curve.label,
                line.folder,
                "-" if line.seed is None else str(line.seed),
                str(len(line.x)),
                f"{line.x[-1]:.0f}",
                f"{line.y[-1]:.4f}",
                f"{min(line.y):.4f}",
            )
    show.console().print(table)


def features(
    plot: Annotated[Path, typer.Option(help="Draw them here (.png, .svg, .pdf).")],
    words: Annotated[list[str] | None, typer.Argument(metavar="[WORD]...", help="Words, as actions.")] = None,
    after: After = None,
    json: Json = False,
) -> None:
    """Draw what Weaver's player sees: words as actions, and what is known after each row of a game.

    For example: sleuth features trace lions milly --plot actions.png
    """
    from sleuth.learning.letters.pictures import draw_seen, seen
    from sleuth.support.pictures import check_path

    check_path(plot)
    found = seen(words or [], rows_of(after, "trace:bybby"))
    draw_seen(found, plot)
    if json:
        show.as_json(found.to_json())
    else:
        print(f"picture written to {plot}")
