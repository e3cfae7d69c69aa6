"""Training of learned players."""

from pathlib import Path
from typing import Annotated

import typer

from sleuth.cli import show
from sleuth.cli.options import Json


def train(
    config: Annotated[str, typer.Argument(help="A file (.toml), or one that ships, such as document_003.")],
    device: Annotated[str, typer.Option(help="cpu or cuda.")] = "cpu",
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the checkpoint in --out.")] = False,
    out: Annotated[
        Path | None, typer.Option(help="Folder of checkpoint, weights, curve and logs; else runs/NAME.")
    ] = None,
    seconds: Annotated[float | None, typer.Option(min=0, help="Stop after so long.")] = None,
    json: Json = False,
) -> None:
    """Train a player as a configuration says. Ctrl-C saves and ends; --resume goes on."""
    from sleuth.rl.training import check_device, require_torch, run

    require_torch()
    check_device(device)
    from sleuth.rl.configuration import Configuration

    chosen = Configuration.load(config)
    folder = Path("runs") / chosen.name if out is None else out
    if not json:
        show.announce_compiling()
    with show.steps(f"training {chosen.name}", remaining=True) as update:
        at = run(
            chosen.schedule,
            chosen.build(device),
            folder,
            resume,
            device,
            seconds,
            identity=chosen.identity(),
            name=chosen.name,
            progress=None if json else update,
        )
    last = at.curve[-1] if at.curve else None
    if json:
        best = None if at.best is None else {"failures": at.best[0], "mean": at.best[1]}
        show.as_json(
            {"folder": str(folder), "step": at.step, "seconds": at.seconds, "best": best, "last": last}
        )
    else:
        print(f"{at.step} steps in {at.seconds:.0f} s; the run is in {folder}")
        if at.best is not None:
            print(f"best evaluation: {at.best[0]:.0f} failures, mean {at.best[1]:.4f}")
    if at.interrupted:
        raise typer.Exit(130)
