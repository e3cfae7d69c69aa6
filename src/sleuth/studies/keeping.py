"""A folder of finished runs: a file for each, named by all that its result depends on.

So a study that was stopped goes on where it was, and one that was changed plays what is new alone.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from sleuth.games.game import Game
from sleuth.games.rules import FunctionRules
from sleuth.studies.played import Played
from sleuth.studies.study import Run, Study
from sleuth.support import json_files
from sleuth.support.errors import SleuthError
from sleuth.support.files import reason_of
from sleuth.support.foreign import contents
from sleuth.support.specification import specification_of
from sleuth.support.version import VERSION

_KIND = "sleuth-run"
_VERSION = 1


class Folder:
    """Finished runs of any studies."""

    def __init__(self, path: Path) -> None:
        """Open the folder, made where there is none. Raises SleuthError."""
        self.path = path
        self._games: dict[str, str] = {}
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SleuthError(f"the folder of runs {path} cannot be made ({reason_of(error)})") from None

    def find(self, study: Study, run: Run) -> Played | None:
        """Return what came of a run, if it is here. Raises SleuthError for a file that is damaged."""
        path = self._file(study, run)
        if path is None or not path.exists():
            return None
        answers = len(study.games[run.game].answers)

        def made(values: dict[str, Any]) -> Played:
            turns = np.array(values["turns"], np.int32)
            if turns.shape != (answers,) or turns.min() < 1:
                raise SleuthError(f"it has not the guesses of {answers} answers")
            return Played(turns, float(values["seconds"]))

        return json_files.read(path, _KIND, _VERSION, made, lambda played: _values(run, played))

    def keep(self, study: Study, run: Run, played: Played) -> None:
        """Write what came of a run, whole or not at all. Raises SleuthError."""
        path = self._file(study, run)
        if path is not None:
            json_files.save(path, _KIND, _VERSION, _values(run, played))

    def _file(self, study: Study, run: Run) -> Path | None:
        """Return the file of a run; None for a strategy not given as text: nothing tells those apart."""
        given = study.given[run.strategy]
        if not isinstance(given, str):
            return None
        if run.game not in self._games:
            self._games[run.game] = _digest_of(study.games[run.game])
        parts = [
            VERSION,
            specification_of(study.player(run)),
            *contents(given),
            self._games[run.game],
            study.openers.get(run.game, ""),
        ]
        return self.path / f"{sha256(json.dumps(parts).encode()).hexdigest()[:24]}.json"


def _values(run: Run, played: Played) -> dict[str, Any]:
    return {"turns": played.turns.tolist(), "seconds": played.seconds}


def _digest_of(game: Game) -> str:
    """Return what tells games apart, also those of functions that have the same labels."""
    digest = sha256(f"{game.digest} {game.mode} {game.max_turns}".encode() + game.prior.tobytes())
    if isinstance(game.rules, FunctionRules):
        digest.update(game.feedback.tobytes())
    return digest.hexdigest()
