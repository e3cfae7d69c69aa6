"""HSVI on line: what was planned before play is improved at each belief that play comes to."""

from __future__ import annotations

from sleuth.kernels.compiling import seconds_worked
from sleuth.planning.belief_tree import Searched
from sleuth.planning.pomdps.hsvi import HSVI
from sleuth.planning.pomdps.modelled import ModelledPomdp, check_modelled, check_planned
from sleuth.support.errors import Interrupted
from sleuth.support.progress import Progress, Watch
from sleuth.support.ranges import check_limits


class HsviPlanner:
    """Trials from each belief, so many or for so many seconds a decision; what they find is kept for all.

    It takes the action of the best alpha vector. So it is worth no less than the lower bound was at the
    initial belief before play: bounds only get better. Each decision has its own proven bounds.
    """

    kind = Searched

    def __init__(
        self,
        modelled: ModelledPomdp,
        planned: HSVI,
        trials: int | None = None,
        seconds: float | None = None,
        gap: float = 1e-3,
    ) -> None:
        """Begin at the initial belief with what was planned, which is left as it is.

        gap: at which a decision needs no more trials. Raises SleuthError for limits that are none, and what
        was planned for another POMDP.
        """
        check_modelled(modelled)
        check_planned(modelled, planned)
        check_limits("trials", trials, seconds, least=0)
        self._modelled = modelled
        self._planned = planned
        self._limits = trials, seconds
        self._gap = gap
        self.begin()

    def begin(self) -> None:
        """Begin anew, with what was planned before play."""
        self._search = self._planned.copy()
        self._at = self._modelled.root
        self._saved = 0.0

    def search(self, seconds: float | None = None, progress: Watch | None = None) -> Searched:
        """Search from here; see Searching.

        A trial is one piece of work: time that is too short for it is saved up for the next decision.
        """
        most, limit = self._limits
        limit = limit if seconds is None else seconds
        began, done, spent, search = seconds_worked(), 0, 0.0, self._search
        search.move(*self._at)
        try:
            while most is None or done < most:
                if limit is not None and limit + self._saved - spent < search.took:
                    break
                if not search.step(self._gap):
                    break
                spent = seconds_worked() - began
                done += 1
                if progress is not None:
                    progress(Progress(done, most or 0))
        except KeyboardInterrupt:
            raise Interrupted(self._found(done, seconds_worked() - began)) from None
        if limit is not None:
            self._saved = min(max(0.0, self._saved + limit - spent), search.took)
        return self._found(done, spent)

    def _found(self, trials: int, seconds: float) -> Searched:
        search = self._search
        return Searched(
            search.action,
            search.lower,
            search.lower,
            search.upper,
            trials,
            sum(search.kept),
            seconds,
            search.full,
        )

    def choose(self) -> int:
        """Return the action of the best vector."""
        return int(self.search().action)

    def observe(self, action: int, observation: int) -> None:
        """Go on. Raises SleuthError for what cannot be observed."""
        self._at = self._modelled.after(*self._at, action, observation)
