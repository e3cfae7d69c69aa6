"""Hosts who lie nobody knows how often: what is hidden is the answer and the rate of lies together.

The rate is a continuous parameter, and the belief over it is made of particles (planning/particles.py). The
answers are not drawn: under each rate the belief over them is exact, since how likely rows are depends on the
rate only by how many of them an answer makes lies (Rao-Blackwell). So few particles tell as much as very many
of both, and how likely everything seen is can be worked out at any rate, not only at the particles: that is
what Metropolis steps need when particles are drawn anew.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sleuth.games.game import Game
from sleuth.planning.particles import ParticleBelief, metropolis
from sleuth.support.errors import SleuthError
from sleuth.support.ranges import check_number, check_seed
from sleuth.variants.noise.belief import Informer, NoisyPosition, Teller
from sleuth.variants.noise.channel import Channel, always_lies, lies_with
from sleuth.variants.noise.rates import EDGES, RatePrior, Rates, rate_prior


@dataclass(frozen=True)
class Evidence:
    """How likely the rows of a game are at a rate: a sum over kinds of answers, of equal lies and truths.

    Attributes:
        lies, truths: int64 [kinds]: how many rows an answer of a kind makes lies, and truths.
        logs: float64 [kinds]: the logarithm of the kind's weight, which does not depend on the rate.

    """

    lies: NDArray[np.int64]
    truths: NDArray[np.int64]
    logs: NDArray[np.float64]

    def each(self, rates: Rates) -> NDArray[np.float64]:
        """Return the logarithms of how likely each kind is together with the rows, [kinds, rates]."""
        found: NDArray[np.float64] = (
            self.logs[:, None] + np.outer(self.lies, np.log(rates)) + np.outer(self.truths, np.log1p(-rates))
        )
        return found

    def log_likelihood(self, rates: Rates) -> Rates:
        """Return the logarithm of how likely the rows are at each rate."""
        each = self.each(rates)
        most = each.max(axis=0)
        total: Rates = most + np.log(np.exp(each - most).sum(axis=0))
        return total


_NOTHING = Evidence(np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(1))


@dataclass(frozen=True, eq=False)
class RateBelief:
    """What is known of how often a host lies. Start with start; positions bring it on, from game to game.

    Attributes:
        prior: what was known before any game.
        particles: rates with weights.
        seen: what the games before this one showed.
        seed: what particles are drawn from; the same rows give the same ones.
        rows: how many rows were seen.

    """

    prior: RatePrior
    particles: ParticleBelief
    seen: tuple[Evidence, ...] = ()
    seed: int = 0
    rows: int = 0

    @classmethod
    def start(cls, prior: RatePrior | str, particles: int = 1000, seed: int = 0) -> RateBelief:
        """Return the belief before the first row. prior: or its text, see rate_prior. Raises SleuthError."""
        check_number("particles", particles, least=1)
        check_seed(seed)
        known = rate_prior(prior) if isinstance(prior, str) else prior
        if not callable(getattr(known, "draw", None)):
            raise SleuthError(
                f"{prior!r} is no distribution of rates: give unknown, beta(a,b) or uniform(low,high); a rate"
                " that is known is a channel, lies_with(game, rate)"
            )
        drawn = known.draw(np.random.default_rng([seed, 0]), particles)
        return cls(known, ParticleBelief.of(drawn), seed=seed)

    def __repr__(self) -> str:
        low, high = self.interval()
        return f"<RateBelief {self.name}, {self.rows} rows: {self.mean:.3g} ({low:.3g} to {high:.3g})>"

    @property
    def name(self) -> str:
        """What hosts of this kind are called."""
        return f"lies with {self.prior.name}"

    @cached_property
    def mean(self) -> float:
        """The rate that is expected."""
        return float(self.particles.mean())

    def interval(self, share: float = 0.9) -> tuple[float, float]:
        """Return the ends of the interval that leaves equal chances on both sides. Raises SleuthError."""
        check_number("share", share, least=0, most=1)
        return self.particles.quantile((1 - share) / 2), self.particles.quantile((1 + share) / 2)

    def after(self, before: Evidence, now: Evidence) -> RateBelief:
        """Return the belief after one more row of a game, whose rows were as likely as `before` says."""

        def density(rates: Rates) -> Rates:
            found = self.prior.log_density(rates)
            inside = found > -np.inf
            for evidence in (*self.seen, now):
                found[inside] += evidence.log_likelihood(rates[inside])
            return found

        def likelihood(rates: Rates) -> Rates:
            ratio: Rates = np.exp(now.log_likelihood(rates) - before.log_likelihood(rates))
            return ratio

        rng = np.random.default_rng([self.seed, 1 + self.rows])
        known = replace(self.particles, move=metropolis(density)).update(likelihood, rng)
        return replace(self, particles=known, rows=self.rows + 1)

    def closed(self, game: Evidence) -> RateBelief:
        """Return the belief with a game among those that were seen to their ends."""
        first, *others = self.seen or (_NOTHING,)
        if len(game.logs) == len(first.logs) == 1:  # the answer is known: all there is to know are two counts
            first = Evidence(first.lies + game.lies, first.truths + game.truths, first.logs)
            return replace(self, seen=(first, *others))
        return replace(self, seen=(first, *others, game))


@dataclass(frozen=True, eq=False)
class UnsurePosition(NoisyPosition):
    """A position against a host who lies nobody knows how often. Start with begin, go on with after.

    It is what NoisyPosition says, with the rate integrated out: `likelihood` is the mean over the rates, and
    `channel` is the one of the mean rate. Information is that of the whole belief, in which the rate depends
    on the answer.

    Attributes:
        rate: what is known of the rate.
        lies: the channel of a host who always lies.
        counts: int64 [2, answers]: how many rows are lies and how many truths if an answer is right; a row
            that is never lied about is neither.
        ways: float64 [answers]: how likely the lies told are, given which rows are lies; 0 where an answer is
            ruled out.

    """

    channel: Channel = field(init=False)
    likelihood: NDArray[np.float64] = field(init=False)
    rate: RateBelief = field(kw_only=True)
    lies: Channel = field(kw_only=True)
    counts: NDArray[np.int64] = field(kw_only=True)
    ways: NDArray[np.float64] = field(kw_only=True)

    def __repr__(self) -> str:
        return (
            f"<UnsurePosition {self.game.name}, turn {self.turn}, {self.bits:.3g} bits left, {self.rate!r}>"
        )

    def __post_init__(self) -> None:
        object.__setattr__(self, "channel", lies_with(self.game, self.rate.mean))
        object.__setattr__(self, "likelihood", self.ways * self._shares.sum(axis=1)[self._kinds.of])
        super().__post_init__()

    @classmethod
    def begin(cls, game: Game, rate: RateBelief) -> UnsurePosition:
        """Return the position before the first guess, with what is known of the host's rate.

        Raises SleuthError for a game that is not in easy mode or has too few kinds of feedback to lie with,
        GameTooLargeError.
        """
        n = len(game.answers)
        counts = np.zeros((2, n), np.int64)
        return cls(game, rate=rate, lies=always_lies(game), counts=counts, ways=np.ones(n))

    @property
    def finished(self) -> RateBelief:
        """What is known of the rate if the game ends here: what the next one begins with."""
        return self.rate.closed(self._evidence)

    def after(self, guess: int, shown: int) -> UnsurePosition:
        """Return the position after a guess and the code shown for it, both by index, by Bayes' rule.

        Raises as NoisyPosition.after does.
        """
        guess, shown = self.checked(guess, shown)
        true, lies = self.game.feedback_row(guess), self.lies.matrix
        told = true == shown
        ways = np.where(told, self.ways, self.ways * lies[:, shown][true])
        if not ways.any():
            raise self.contradiction(guess, shown)
        counts = self.counts + np.array([~told, told & ~self._truthful[true]])
        evidence = _Kinds.sorted(counts, ways).evidence(self.game, ways)
        rate = self.rate.after(self._evidence, evidence)
        return replace(self, turn=self.turn + 1, rate=rate, counts=counts, ways=ways / ways.max())

    def informer(self) -> Informer:
        from sleuth.kernels.classes import codes_of
        from sleuth.kernels.noise import FEW, shown_information_by_answer

        rows, spread, truthful = self.support, self.lies.spread, self._truthful
        codes = codes_of(self.game.tables, len(rows) <= FEW)
        weights, rates = self.weights[rows], self._rates
        lying = weights * rates
        doubts = -lying * np.log(rates) - (weights - lying) * np.log1p(-rates)

        def fill(guesses: NDArray[np.int32], out: NDArray[np.float64]) -> None:
            shown_information_by_answer(codes, rows, weights, lying, doubts, spread, truthful, guesses, out)

        return fill

    def teller(self, answers: NDArray[np.int32], rng: np.random.Generator) -> Teller:
        ends = np.cumsum(self._shares, axis=1)[self._kinds.of[answers]]
        places = (ends < (rng.random(len(answers)) * ends[:, -1])[:, None]).sum(axis=1)
        return liars(self.lies, self.rate.particles.particles[places])

    @cached_property
    def _truthful(self) -> NDArray[np.bool_]:
        """Which codes are never lied about, bool [codes]."""
        return np.diagonal(self.lies.matrix) > 0

    @cached_property
    def _kinds(self) -> _Kinds:
        return _Kinds.sorted(self.counts, self.ways)

    @cached_property
    def _evidence(self) -> Evidence:
        return self._kinds.evidence(self.game, self.ways)

    @cached_property
    def _shares(self) -> NDArray[np.float64]:
        """float64 [kinds, particles]: how likely a particle is together with an answer of the kind."""
        rates = self.rate.particles
        kinds = Evidence(self._kinds.lies, self._kinds.truths, np.zeros(len(self._kinds.lies)))
        logs = kinds.each(rates.particles) - self._evidence.log_likelihood(rates.particles)
        shares: NDArray[np.float64] = np.exp(logs) * rates.weights
        return shares

    @property
    def _rates(self) -> NDArray[np.float64]:
        """float64 [support]: the rate that is expected if an answer is right."""
        shares = self._shares
        # A kind that no particle explains has a rate next to nothing, or next to one: the nearest edge.
        totals = shares.sum(axis=1)
        none = np.where(self._kinds.lies > 0, EDGES[1], EDGES[0])
        means = np.divide(shares @ self.rate.particles.particles, totals, out=none, where=totals > 0)
        by_answer: NDArray[np.float64] = np.clip(means[self._kinds.of[self.support]], *EDGES)
        return by_answer


@dataclass(frozen=True, eq=False)
class _Kinds:
    """Answers of one kind make as many rows lies and as many truths.

    Attributes:
        lies, truths: int64 [kinds].
        of: int64 [answers]: the kind of each; of those that are ruled out, any.

    """

    lies: NDArray[np.int64]
    truths: NDArray[np.int64]
    of: NDArray[np.int64]

    @classmethod
    def sorted(cls, counts: NDArray[np.int64], ways: NDArray[np.float64]) -> _Kinds:
        """Sort the answers that are not ruled out."""
        most = int(counts.max()) + 1
        told = counts[0] * most + counts[1]
        kinds = np.unique(told[ways > 0])
        of = np.minimum(np.searchsorted(kinds, told), len(kinds) - 1)
        return cls(kinds // most, kinds % most, of.astype(np.int64))

    def evidence(self, game: Game, ways: NDArray[np.float64]) -> Evidence:
        """Return how likely the rows are; where only answers of prior 0 are left, of those alike."""
        masses = np.bincount(self.of, game.prior * ways, len(self.lies))
        if not masses.any():
            masses = np.bincount(self.of, ways, len(self.lies))
        heavy = masses > 0
        return Evidence(self.lies[heavy], self.truths[heavy], np.log(masses[heavy]))


def liars(lies: Channel, rates: Rates) -> Teller:
    """Return what hosts show who lie at some rates, one host a game. lies: what they show when they lie."""

    def tell(game: int, true: int, draw: float) -> int:
        rate = float(rates[game])
        lied = draw < rate and lies.matrix[true, true] == 0
        return lies.show(true, draw / rate) if lied else true

    return tell
