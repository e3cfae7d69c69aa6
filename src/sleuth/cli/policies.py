"""Policies of POMDPs that were saved, checked by what shares no code with the search that made them."""

from dataclasses import asdict
from math import isfinite
from pathlib import Path
from typing import Annotated

import typer

from sleuth.cli import show
from sleuth.cli.interrupts import finished_or_known, leave
from sleuth.cli.options import Json


def check_policy(
    model: Annotated[
        str, typer.Argument(help="A POMDP: of the benchmark, a .pomdp or .pomdpx file, or FILE.py:NAME.")
    ],
    policy: Annotated[Path, typer.Argument(help="The policy, as 'sleuth plan --policy' writes it.")],
    episodes: Annotated[int, typer.Option(min=2, help="Episodes that are played by it.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Of the episodes.")] = 0,
    json: Json = False,
) -> None:
    """Prove what a saved policy is worth at least, and play it.

    Plain Python that shares nothing with the solver holds each value to what its action brings.
    Then episodes follow the policy's graph.
    """
    from sleuth.planning.benchmark.problems import laid_out
    from sleuth.planning.pomdps.alpha_vectors import AlphaVectors
    from sleuth.planning.pomdps.checking import check_policy as check
    from sleuth.planning.pomdps.checking import simulate_policy
    from sleuth.support.estimate import Estimate

    pomdp, vectors = laid_out(model), AlphaVectors.read(policy)
    checked = check(pomdp, vectors)
    if not json:
        print(
            f"{policy} is a policy for {model}: it is worth {checked.value:.4f} at least, which is proven",
            flush=True,
        )
    with show.steps("episodes", remaining=True) as update:
        (mean, error, done), interrupted = finished_or_known(
            lambda: (*simulate_policy(pomdp, vectors, episodes, seed, update), episodes), tuple
        )
    if json:
        played = {
            "mean": mean if isfinite(mean) else None,
            "standard_error": error if isfinite(error) else None,
            "episodes": done,
            "seed": seed,
        }
        show.as_json(
            {"problem": model, "valid": True, **asdict(checked), **played, "interrupted": interrupted}
        )
    elif done > 1:
        print(f"{done} episodes bring {mean:.4f} ± {Estimate(mean, error).within:.4f} (95 %)")
    if interrupted:
        leave(json)
