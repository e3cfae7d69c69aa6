"""The task of a row, run: bounds, a proof, and whether what comes out is what the row says."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from sleuth.exact.bracket import Bracket, bracket, bracket_of
from sleuth.exact.certificate import certify, check_certifiable
from sleuth.exact.objective import crossing_bounds
from sleuth.exact.proof import IMPOSSIBLE, Proof
from sleuth.exact.proving import prove
from sleuth.exact.solver import Solver
from sleuth.exact.workers import Workers
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.ledger.record import Record
from sleuth.ledger.relations import implied
from sleuth.support.errors import Interrupted, SleuthError
from sleuth.support.files import unwritten
from sleuth.support.progress import Watch
from sleuth.support.version import VERSION


class NotWrittenError(SleuthError):
    """A certificate that cannot be written, of a row that is settled.

    Attributes:
        settled: the row.

    """

    def __init__(self, message: str, settled: Record) -> None:
        super().__init__(message)
        self.settled = settled


Hire = Callable[[Solver, Position], Workers]
"""What finds workers for a proof, such as a Cluster."""


def bounded(record: Record, progress: Watch | None = None, rows: Iterable[Record] = ()) -> Record:
    """Return a row with both bounds of its task: a beam from above, a scan from below; proved if they meet.

    What the row knows already is kept where it says more, and so is what other rows say of its task; where
    the bounds meet, that is not proof of the fewest turns. Raises SleuthError for a game that cannot be, and
    for a row that is of other lists, or that knows what is false.
    """
    game, began = _game(record), time.process_time()
    found = bracket(game, record.aim, record.asked, progress)
    joined = found if found.closed else _joined(found, record)
    row = _with(record, game, joined, time.process_time() - began if joined == found else None)
    known = implied(row, rows)
    if (known.at_least, known.at_most) != (row.at_least, row.at_most):
        row = _with(row, game, known, None)
    return replace(row, worst=None) if row.status == "proved" and row.objective == "mean" else row


def settled(
    record: Record,
    *,
    rows: Iterable[Record] = (),
    store: Path | None = None,
    hire: Hire | None = None,
    certificate: Path | None = None,
    progress: Watch | None = None,
) -> Record:
    """Return a row with its task settled, by a proof.

    rows: others, which may know a good opener: it is searched first. store: where bounds are kept; the proof
    goes on from there. hire: who works, else threads of this process. certificate: where to write one, which
    depends on the task alone, not on other rows. Raises SleuthError, StoreError; on Ctrl-C Interrupted, whose
    `known` is the row with the bounds that are known by then, or settled where all but the fewest turns is
    proved, or all but the certificate written. Raises NotWrittenError where the certificate cannot be.
    """
    game = _game(record)
    likely = None
    if certificate is not None:
        check_certifiable(game, record.aim)
    elif record.status != "proved":
        likely = implied(record, rows).opener
    alone = hire is None and (store is None or not store.exists())
    solver = Solver(game, record.aim)
    workers = None if hire is None else hire(solver, Position.start(game))
    try:
        proof = prove(
            game,
            record.aim,
            opener=record.asked,
            likely=likely,
            store=store,
            workers=workers,
            progress=progress,
            solver=solver,
        )
    except Interrupted as stop:
        if not isinstance(stop.known, Proof):
            raise Interrupted(record) from None
        if not stop.known.proved:
            raise Interrupted(_bounded_by(stop.known, record, game)) from None
        raise Interrupted(_proved(record, game, stop.known, alone)) from None
    finally:
        if workers is not None:
            workers.close()
    row = _proved(record, game, proof, alone)
    if certificate is None:
        return row
    try:
        return replace(row, certificate=_certified(proof, solver, certificate, progress))
    except KeyboardInterrupt:
        raise Interrupted(row) from None
    except OSError as error:
        raise NotWrittenError(unwritten(certificate, error), row) from None


def _game(record: Record) -> Game:
    """Return the game of a row. Raises SleuthError where what the row knows is of other rules or lists."""
    game = record.game.build()
    if record.status != "open" and record.digest != game.digest:
        raise SleuthError(
            f"row {record.name} knows bounds of other rules or lists, of digest"
            f" {record.digest or '(none)'}, not {game.digest}: take out its status and bounds to begin anew"
        )
    return game


def _certified(proof: Proof, solver: Solver, path: Path, progress: Watch | None) -> str:
    """Write the certificate of a proof, and return its SHA-256. Raises SleuthError, OSError."""
    made = certify(proof, solver=solver, progress=progress)
    made.write(path)
    return sha256(path.read_bytes()).hexdigest()


def again(record: Record, progress: Watch | None = None) -> Record:
    """Return a row as it comes out of another run. Raises SleuthError where it is open."""
    unknown = replace(record, status="open", at_least=None, at_most=None, opener=None, worst=None)
    match record.status:
        case "proved":
            return settled(unknown, progress=progress)
        case "bounds":
            if record.cpu_seconds is not None:
                return bounded(unknown, progress)
            raise SleuthError(
                f"the bounds of {record.name} are not of one run but of a proof that was stopped or of other"
                " rows; --run goes on with it"
            )
    raise SleuthError(f"the record {record.name} is open: there is nothing to check; --run settles it")


def differences(record: Record, other: Record) -> list[str]:
    """Return what two rows of one task say differently of it, a sentence each.

    Seconds and versions may differ, and which of several equal strategies was found. Their worst case is the
    same where it is known, but for the objective "solved", whose proofs leave it open.
    """
    found = []
    same_worst = record.worst is not None and (record.objective != "solved" or record.status == "bounds")
    for what, key in (
        ("the digest of rules and lists", "digest"),
        ("the answers", "answers"),
        ("the guesses", "guesses"),
        ("the weights", "scale"),
        ("the status", "status"),
        ("the lower bound", "at_least"),
        ("the upper bound", "at_most"),
        ("the worst case", "worst"),
    ):
        one, two = getattr(record, key), getattr(other, key)
        if one != two and (key != "worst" or same_worst):
            found.append(f"{what}: {_said(one)} in the table, {_said(two)} now")
    return found


def checked(record: Record, progress: Watch | None = None) -> list[str]:
    """Run a row again, and return what it says differently, its opener among it. Raises SleuthError.

    Another opener than the one that was found is proved to take as many guesses.
    """
    now = again(record, progress)
    found = differences(record, now)
    if found or record.opener in (None, now.opener):
        return found
    if record.opener not in record.game.build().guess_index:
        return [f"the opener: {record.opener} in the table, which is no guess"]
    if record.status == "proved":
        takes = settled(replace(now, status="open", asked=record.opener), progress=progress).at_most
        if takes != record.at_most:
            return [f"the opener: {record.opener} in the table, which takes {_said(takes)}"]
    return []


def _said(value: object) -> str:
    if isinstance(value, tuple):
        return " and ".join(str(part) for part in value)
    return "none" if value is None else str(value)


def _proved(record: Record, game: Game, proof: Proof, alone: bool) -> Record:
    """Return a row with a proof of its task; alone: whether nobody else had a part in it."""
    return _with(record, game, bracket_of(proof), proof.cpu_seconds if alone else None)


def _bounded_by(proof: Proof, record: Record, game: Game) -> Record:
    """Return a row with the bounds of an unfinished proof, where they say more than the row does."""
    if not proof.turns or proof.lower_bound >= IMPOSSIBLE:
        return record
    found = _joined(bracket_of(proof), record)
    # Where the bounds meet the proof has more to say, such as the fewest turns: it is for another run.
    if found.closed or (found.at_least, found.at_most) == (record.at_least, record.at_most):
        return record
    return _with(record, game, found, None)


def _joined(found: Bracket, record: Record) -> Bracket:
    """Return the better of what was found and what a row knows, each bound for itself."""
    if record.at_least is not None and (found.at_least is None or record.at_least > found.at_least):
        found = replace(found, at_least=record.at_least)
    if record.at_most is not None and (found.at_most is None or record.at_most <= found.at_most):
        found = replace(found, at_most=record.at_most, opener=record.opener, worst=record.worst)
    if crossing := crossing_bounds(found.at_least, found.at_most):
        raise SleuthError(
            f"row {record.name} knows what is false: with what was found bounds cross, {crossing}"
        )
    return found


def _with(record: Record, game: Game, found: Bracket, cpu_seconds: float | None) -> Record:
    """Return a row with what was found of its task."""
    return replace(
        record,
        digest=game.digest,
        answers=len(game.answers),
        guesses=len(game.guesses),
        scale=found.scale,
        status="proved" if found.closed else "bounds",
        at_least=found.at_least,
        at_most=found.at_most,
        opener=found.opener,
        worst=found.worst,
        cpu_seconds=None if cpu_seconds is None else round(cpu_seconds, 1),
        certificate="",
        version=VERSION,
    )
