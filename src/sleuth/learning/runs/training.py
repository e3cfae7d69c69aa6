"""The loop that every trainer shares: steps, evaluations, checkpoints, logs, stopping and going on.

A run lives in a folder: `checkpoint.pt` (all that is needed to go on), `weights.safetensors` (those that
played best so far), `curve.json` (every evaluation), `configuration.json` (what is trained) and the logs of
TensorBoard. Files are replaced whole, so a run that is killed, whenever that is, goes on from its last
checkpoint.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from math import cos, pi
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sleuth.learning.arrays import WEIGHTS
from sleuth.support.errors import Interrupted, SleuthError, StoreError, installed_by
from sleuth.support.files import unwritten, write_whole
from sleuth.support.parallel import GivenUp, until
from sleuth.support.progress import Progress, Watch
from sleuth.support.ranges import check_range, check_seconds, check_seed
from sleuth.support.registry import unknown_name

CHECKPOINT, CURVE = "checkpoint.pt", "curve.json"
CONFIGURATION = "configuration.json"
_FORMAT = 2

Metrics = Mapping[str, float]
"""Called after a step with the steps done, those in all, and a remark."""


class Learner(Protocol):
    """What a trainer trains. All that its next step depends on is in its state, generators included."""

    def step(self) -> Metrics:
        """Learn from one batch; returns what to log, `games` played so far among it if it counts them.

        Where it may take long, it calls support.parallel.check_given_up now and then: GivenUp ends it.
        """

    def evaluate(self) -> Metrics:
        """Play every answer greedily; returns what to log, see held_out.measure."""

    def state_dict(self) -> dict[str, Any]:
        """Return the state: tensors, numbers, texts, and lists and dictionaries of these."""

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from a state."""

    def weights(self) -> dict[str, NDArray[np.float32]]:
        """Return what playing needs, by name."""


@dataclass(frozen=True)
class Schedule:
    """How a run goes, whatever learns.

    Attributes:
        steps: how many.
        evaluate_every: steps between evaluations.
        checkpoint_every: steps between checkpoints: the most that a kill can cost.
        seed: of every draw.

    """

    steps: int
    evaluate_every: int = 25
    checkpoint_every: int = 25
    seed: int = 0

    def __post_init__(self) -> None:
        check_range(self, "steps", "evaluate_every", "checkpoint_every", least=1)
        check_seed(self.seed)


@dataclass
class Run:
    """Where a run is.

    Attributes:
        step: steps done.
        seconds: time spent on them, over all calls.
        processor_seconds: the same in time of processors, all threads together.
        curve: the metrics of every evaluation, with `step`, `seconds`, `processor_seconds` and, where the
            learner counts them, `games`.
        best: failures and mean of the best evaluation so far.
        interrupted: whether Ctrl-C ended it.

    """

    step: int = 0
    seconds: float = 0.0
    processor_seconds: float = 0.0
    curve: list[dict[str, float]] = field(default_factory=list)
    best: list[float] | None = None
    interrupted: bool = False


def run(
    schedule: Schedule,
    learner: Learner,
    out: Path,
    resume: bool = False,
    device: str = "cpu",
    seconds: float | None = None,
    *,
    identity: Mapping[str, Any] | None = None,
    name: str | None = None,
    progress: Watch | None = None,
) -> Run:
    """Train until the schedule's steps are done or `seconds` have passed; returns where it is then.

    A step that is under way when they have is broken off: the run is where it was before that step, and what
    it has learned is evaluated.

    resume: go on from the checkpoint in `out` where there is one; without it a folder that has one is
    refused. device: where the checkpoint's tensors are loaded to. identity: what the run belongs to, plain
    values: a checkpoint of another is refused. It is kept in `configuration.json` with the name, which
    pictures show; that of the folder unless given. Raises StoreError, and SleuthError where torch is missing.

    On Ctrl-C a checkpoint of the last finished step is written, and Interrupted raised, whose `known` says
    where the run is then.
    """
    require_torch()
    check_seconds(seconds)
    from torch.utils.tensorboard import SummaryWriter

    about = {"format": _FORMAT, "identity": json.dumps(identity, sort_keys=True)}
    at = Run()
    try:
        out.mkdir(parents=True, exist_ok=True)
        if (out / CHECKPOINT).exists():
            if not resume:
                raise StoreError(f"{out} holds a run already; go on with --resume, or give another folder")
            at = _load(out / CHECKPOINT, about, learner, device)
        if identity is not None:
            _write_json(out / CONFIGURATION, {"name": name or out.name, **identity})
        log = SummaryWriter(str(out), purge_step=at.step)
        try:
            _loop(schedule, learner, out, at, about, log, seconds, progress)
        finally:
            log.close()
    except OSError as error:
        raise StoreError(unwritten(error.filename or out, error)) from None
    return at


def _loop(
    schedule: Schedule,
    learner: Learner,
    out: Path,
    at: Run,
    about: dict[str, Any],
    log: Any,
    seconds: float | None,
    progress: Watch | None,
) -> None:
    """Train. A step that is broken off, by Ctrl-C or the time, never was: what it began from is kept."""
    before, processor_before = at.seconds, at.processor_seconds
    began, processor_began = time.monotonic(), time.process_time()
    saved = at.step
    remark = ""
    metrics: Metrics = {}
    kept = deepcopy((at, learner.state_dict()))
    ended = threading.Event()
    timer = None if seconds is None else threading.Timer(min(seconds, threading.TIMEOUT_MAX), ended.set)
    if timer is not None:
        timer.daemon = True
        timer.start()
    try:
        while at.step < schedule.steps:
            try:
                with until(ended):
                    metrics = learner.step()
            except GivenUp:
                learner.load_state_dict(deepcopy(kept[1]))
                if at.step and (not at.curve or at.curve[-1]["step"] != at.step):
                    _evaluate(learner, out, at, metrics, log)
                _save(out, about, *deepcopy((at, learner.state_dict())))
                break
            at.step += 1
            at.seconds = before + time.monotonic() - began
            at.processor_seconds = processor_before + time.process_time() - processor_began
            _log(log, "training", metrics, at.step)
            over = seconds is not None and time.monotonic() - began >= seconds
            last = over or at.step == schedule.steps
            if at.step % schedule.evaluate_every == 0 or last:
                remark = _evaluate(learner, out, at, metrics, log)
            kept = deepcopy((at, learner.state_dict()))
            if progress is not None:
                progress(Progress(at.step, schedule.steps, remark))
            if at.step % schedule.checkpoint_every == 0 or last:
                _save(out, about, *kept)
                saved = at.step
            if over:
                break
    except KeyboardInterrupt:
        found, state = kept
        if found.step != saved:
            _save(out, about, found, state)
        found.interrupted = True
        raise Interrupted(found) from None
    finally:
        if timer is not None:
            timer.cancel()


def _evaluate(learner: Learner, out: Path, at: Run, step: Metrics, log: Any) -> str:
    """Evaluate, keep the weights if they are the best so far, and return what to show of it.

    step: the metrics of the last step.
    """
    metrics = dict(learner.evaluate())
    _log(log, "evaluation", metrics, at.step)
    spent = {"seconds": round(at.seconds, 2), "processor_seconds": round(at.processor_seconds, 2)}
    games = {"games": step["games"]} if "games" in step else {}
    at.curve.append({"step": at.step, **spent, **games, **metrics})
    # Answers that are held out are to measure with and not to choose by.
    judged = "_seen" if "mean_seen" in metrics else ""
    found = [metrics[f"failures{judged}"], metrics[f"mean{judged}"]]
    if at.best is None or found < at.best:
        at.best = found
        save_weights(out / WEIGHTS, learner.weights())
    _write_json(out / CURVE, at.curve)
    return f"mean {metrics['mean']:.4f}, {metrics['failures']:.0f} failures"


def _log(log: Any, group: str, metrics: Metrics, step: int) -> None:
    for name, value in metrics.items():
        log.add_scalar(f"{group}/{name}", value, step)


def _save(out: Path, about: dict[str, Any], at: Run, state: dict[str, Any]) -> None:
    import io

    import torch

    kept = {key: value for key, value in asdict(at).items() if key != "interrupted"}
    buffer = io.BytesIO()
    torch.save({**about, "run": kept, "learner": state}, buffer)
    write_whole(out / CHECKPOINT, buffer.getvalue())


def _load(path: Path, about: dict[str, Any], learner: Learner, device: str) -> Run:
    import pickle
    from zipfile import BadZipFile

    import torch

    try:
        found = torch.load(path, map_location=device, weights_only=True)
        named = {key: found[key] for key in about}
        identity = json.loads(named["identity"])
        at = Run(**found["run"])
        state = found["learner"]
    except (RuntimeError, ValueError, TypeError, KeyError, EOFError, pickle.UnpicklingError, BadZipFile):
        raise StoreError(f"{path} is no checkpoint, or a broken one") from None
    if named["format"] != _FORMAT:
        raise StoreError(f"{path} is the checkpoint of another version of Sleuth; give another folder")
    if named != about:
        raise StoreError(
            f"{path} is the checkpoint of another configuration"
            f"{_difference(identity, json.loads(about['identity']))}; give another folder"
        )
    learner.load_state_dict(state)
    return at


def _difference(there: Any, here: Any) -> str:
    """Return in what two identities differ, as the end of a sentence."""
    found, wanted = _leaves(there or {}), _leaves(here or {})
    given = {name: (found.get(name), wanted.get(name)) for name in sorted({*found, *wanted})}
    if len(set(given.get("algorithm", ()))) > 1:  # the rest belongs to it
        given = {"algorithm": given["algorithm"]}
    words = [
        f"{name.removeprefix('table.')} is {_shown(before)} there and {_shown(now)} here"
        for name, (before, now) in given.items()
        if before != now
    ]
    return f": {', '.join(words)}" if words else ""


def _shown(value: Any) -> str:
    return "not given" if value is None else json.dumps(value)


def _leaves(value: Any, name: str = "") -> dict[str, Any]:
    """Return the values of nested tables by their names, joined with dots."""
    if not isinstance(value, dict):
        return {name: value}
    return {
        at: leaf
        for key, inner in value.items()
        for at, leaf in _leaves(inner, f"{name}.{key}" if name else key).items()
    }


def _write_json(path: Path, value: Any) -> None:
    write_whole(path, json.dumps(value, indent=1).encode())


def save_weights(path: Path, weights: Mapping[str, NDArray[np.float32]]) -> None:
    """Write arrays as safetensors, whole or not at all. Raises OSError."""
    from safetensors.numpy import save

    write_whole(path, save({name: np.ascontiguousarray(array) for name, array in weights.items()}))


def require_torch() -> None:
    """Raise SleuthError where the extra for training is not installed."""
    for name in ("torch", "tensorboard", "safetensors"):
        if find_spec(name) is None:
            raise SleuthError(f"training needs {name}", remedy=f": {installed_by('rl')}")


def check_device(device: str) -> None:
    """Raise SleuthError for a device that is not there."""
    import torch

    if device not in ("cpu", "cuda"):
        raise unknown_name("device", device, ["cpu", "cuda"])
    if device == "cuda" and not torch.cuda.is_available():
        raise SleuthError("--device cuda: no CUDA device is there that torch can use; take --device cpu")


def seed_everything(seed: int, device: str = "cpu") -> tuple[np.random.Generator, Any]:
    """Seed torch's global generator (initial weights), and return generators of NumPy and torch (draws)."""
    import torch

    torch.manual_seed(seed)
    return np.random.default_rng(seed), torch.Generator(device).manual_seed(seed)


def set_rate(optimizer: Any, rate: float, part: float) -> None:
    """Set the learning rate of a torch optimizer: it falls to a tenth by a cosine, as part goes to 1."""
    for group in optimizer.param_groups:
        group["lr"] = rate * (0.55 + 0.45 * cos(pi * min(1.0, part)))
