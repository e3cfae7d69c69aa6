"""Document 003's player, learning: A2C trained with PPO on games against itself.

Games go on in step with one another and equal histories are held once (states.py), so the network sees the
first turn of thousands of games as one state. What is learned from is every guess where there was a choice.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from sleuth.errors import SleuthError
from sleuth.games.game import Game
from sleuth.games.priors import uniform
from sleuth.registry import unknown_name
from sleuth.rl.attention import Attention, Shape
from sleuth.rl.configuration import read
from sleuth.rl.features import action_features, state_size
from sleuth.rl.player import forward, greedy_tree
from sleuth.rl.rewards import rewards
from sleuth.rl.states import States
from sleuth.rl.training import Metrics, seed_everything

GROUPS = ("answer", "turn")
_CHUNK = 512
"""States whose chances are held at once."""


@dataclass(frozen=True)
class Ppo:
    """Every hyperparameter of document 003's training.

    Attributes:
        answers: answers played a step; every answer comes up once before any comes up again.
        repeats: games against each of them.
        targets: m, the possible answers that a reward is averaged over; 1 is no averaging (an ablation).
        bonus: reward of a right guess; the information of a game is worth 1 in all.
        discount: what a reward a turn later is worth.
        trace: lambda of the advantages (GAE); 1 takes the games' own returns.
        constrained: whether the inductive biases hold (without them: an ablation).
        groups: advantages are normalised over the guesses with the same "answer" or "turn".
        replay: share of the answers drawn by how many guesses they took lately.
        temperature: of the policy that plays while learning.
        epochs: passes over the guesses of a step.
        batch: guesses that a gradient is taken over.
        clip: how far the chance of a guess may move in a step before it no longer counts.
        learning_rate: of Adam, at the first step.
        final_learning_rate: at the last step of `decay_steps` and after; in between it falls geometrically.
        decay_steps: see there.
        gradient_norm: gradients are scaled down to this norm.
        value_weight, guide_weight: of the losses beside the policy's.
        guide_floor: the chance that a forbidden guess has in the policy that the KL-guide leads to.
        forced: states without a choice that the KL-guide is taken over in a step, at most.
        held_out: share of the answers that are never seen in training.
        threads: of torch on the CPU.

    """

    answers: int = 512
    repeats: int = 4
    targets: int = 64
    bonus: float = 0.1
    discount: float = 0.2
    trace: float = 1.0
    constrained: bool = True
    groups: Literal["answer", "turn"] = "turn"
    replay: float = 0.0
    temperature: float = 1.0
    epochs: int = 3
    batch: int = 512
    clip: float = 0.2
    learning_rate: float = 1e-3
    final_learning_rate: float = 1e-4
    decay_steps: int = 2000
    gradient_norm: float = 1.0
    value_weight: float = 0.5
    guide_weight: float = 0.25
    guide_floor: float = 1e-6
    forced: int = 128
    held_out: float = 0.0
    threads: int = 2

    def __post_init__(self) -> None:
        if self.groups not in GROUPS:
            raise unknown_name("group", self.groups, GROUPS)
        for name in ("answers", "repeats", "targets", "epochs", "batch", "decay_steps", "threads"):
            if getattr(self, name) < 1:
                raise SleuthError(f"ppo.{name} must be 1 or more, not {getattr(self, name)}")
        for name in ("discount", "trace", "replay"):
            if not 0 <= getattr(self, name) <= 1:
                raise SleuthError(f"ppo.{name} must be between 0 and 1, not {getattr(self, name)}")
        if not 0 <= self.held_out < 1:
            raise SleuthError(f"ppo.held_out must be at least 0 and less than 1, not {self.held_out}")
        for name in ("temperature", "learning_rate", "final_learning_rate", "guide_floor"):
            if not getattr(self, name) > 0:
                raise SleuthError(f"ppo.{name} must be more than 0, not {getattr(self, name)}")


@dataclass(frozen=True, eq=False)
class Experience:
    """The games of a step.

    Attributes:
        features: float32 [states, features]; masks: uint8 [states, bytes], bits of the guesses allowed.
        state, action: int64 [guesses]: where a guess was made, and which.
        chance: float32 [guesses]: log of its probability then.
        advantage, target: float32 [guesses]: how much better than expected it was, and what it came to.
        forced_features, forced_masks: the same of some states without a choice.
        guesses: int64 [games]: guesses each game took; a lost one counts a turn more than there are.

    """

    features: NDArray[np.float32]
    masks: NDArray[np.uint8]
    state: NDArray[np.int64]
    action: NDArray[np.int64]
    chance: NDArray[np.float32]
    advantage: NDArray[np.float32]
    target: NDArray[np.float32]
    forced_features: NDArray[np.float32]
    forced_masks: NDArray[np.uint8]
    guesses: NDArray[np.int64]


def build(table: Mapping[str, Any], game: Game, seed: int, device: str) -> PpoLearner:
    """Return the learner of a configuration's table. Raises SleuthError."""
    rest = dict(table)
    shape = read(Shape, rest.pop("network", {}), "ppo.network")
    return PpoLearner(game, read(Ppo, rest, "ppo"), shape, seed, device)


class PpoLearner:
    """Plays games against itself and learns from them; see training.Learner."""

    def __init__(
        self, game: Game, config: Ppo, shape: Shape | None = None, seed: int = 0, device: str = "cpu"
    ) -> None:
        self.game, self.config, self.device = game, config, device
        self.rng, self.generator = seed_everything(seed, device)
        # Apart from the other draws, so that one split serves several runs of other configurations.
        shuffled = np.random.default_rng(seed).permutation(len(game.answers))
        kept = np.sort(shuffled[: max(1, round(len(shuffled) * (1 - config.held_out)))])
        self.seen = kept
        self.training = (
            game.with_answers([game.answers[a] for a in kept], uniform(len(kept)))
            if config.held_out
            else game
        )
        self.model = Attention(
            torch.from_numpy(action_features(game)), state_size(game), shape or Shape()
        ).to(device)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=config.learning_rate)
        self.steps = 0
        self.queue = np.zeros(0, np.int64)
        self.difficulty = np.full(len(kept), 4.0)
        if device == "cpu":
            torch.set_num_threads(config.threads)

    def step(self) -> Metrics:
        """Play a batch of games and learn from them."""
        config = self.config
        share = min(1.0, self.steps / config.decay_steps)
        rate = config.learning_rate * (config.final_learning_rate / config.learning_rate) ** share
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        answers = np.repeat(self._draw_answers(), config.repeats)
        games = self.play(answers)
        known = np.bincount(answers, games.guesses, len(self.difficulty))
        times = np.bincount(answers, minlength=len(self.difficulty))
        drawn = times > 0
        self.difficulty[drawn] += 0.2 * (known[drawn] / times[drawn] - self.difficulty[drawn])
        losses = [self._learn(games, batch) for _ in range(config.epochs) for batch in self._batches(games)]
        self.steps += 1
        means = {key: float(np.mean([loss[key] for loss in losses])) for key in losses[0]} if losses else {}
        return {
            "games": float(self.steps * len(answers)),
            "guesses": float(games.guesses.mean()),
            "lost": float((games.guesses > self.game.max_turns).mean()),
            "states": float(len(games.features)),
            "choices": float(len(games.state)),
            "surprise": float(-games.chance.mean()),
            "learning_rate": rate,
            **means,
        }

    def _draw_answers(self) -> NDArray[np.int64]:
        """Return the answers of a step, int64 [answers]: each once before any comes again, and hard ones."""
        hard = round(self.config.replay * self.config.answers)
        fresh = self.config.answers - hard
        while len(self.queue) < fresh:
            self.queue = np.concatenate([self.queue, self.rng.permutation(len(self.difficulty))])
        drawn, self.queue = self.queue[:fresh], self.queue[fresh:]
        odds = np.maximum(self.difficulty - self.difficulty.min(), 1e-6)
        return np.concatenate([drawn, self.rng.choice(len(odds), hard, p=odds / odds.sum())])

    @torch.no_grad()
    def play(self, answers: NDArray[np.int64]) -> Experience:
        """Play games against answers, int64 [games], and return what there is to learn of them."""
        game, config = self.training, self.config
        n, turns = len(answers), game.max_turns
        embedded = self.model.embed()
        states = States.start(game)
        at = np.zeros(n, np.int64)  # the state of each game, or -1 when it is over
        worth, value = np.zeros((2, turns + 1, n))
        state, action = np.full((2, turns, n), -1, np.int64)
        chance = np.zeros((turns, n), np.float32)
        features, masks, forced_features, forced_masks = [], [], [], []
        length = np.full(n, turns + 1)
        known = 0
        for turn in range(turns):
            alive = np.flatnonzero(at >= 0)
            if not len(alive):
                break
            seen, mask = states.features(), states.allowed(config.constrained)
            free = mask.sum(1) > 1
            chosen = mask.argmax(1)[at]
            number = np.cumsum(free) - 1
            choosing = alive[free[at[alive]]]
            value[turn, alive] = self._values(seen)[at[alive]]
            if len(choosing):
                which = number[at[choosing]]
                made, log_chance = self._sample(seen[free], mask[free], which, embedded)
                chosen[choosing], chance[turn, choosing] = made, log_chance
                state[turn, choosing], action[turn, choosing] = known + which, made
            features.append(seen[free])
            masks.append(np.packbits(mask[free], axis=1))
            forced_features.append(seen[~free])
            forced_masks.append(np.packbits(mask[~free], axis=1))
            known += int(free.sum())
            # Each guess in each state once.
            pairs, pair = np.unique(at[alive] * len(game.guesses) + chosen[alive], return_inverse=True)
            places, guesses = pairs // len(game.guesses), (pairs % len(game.guesses)).astype(np.int32)
            sets = states.frontier.take(places)
            children = sets.after(guesses)
            worth[turn, alive] = rewards(sets, guesses, children, config.targets, config.bonus, self.rng)[
                pair
            ]
            codes = game.feedback[chosen[alive], answers[alive]]
            table = np.full((len(pairs), game.rules.n_codes), -1, np.int64)
            table[children.parent, children.codes] = np.arange(len(children.parent))
            child = np.where(codes == game.solved, -1, table[pair, codes])
            length[alive[codes == game.solved]] = turn + 1
            kept, place = np.unique(child[child >= 0], return_inverse=True)
            at[alive] = -1
            at[alive[child >= 0]] = place
            states = states.after(places, guesses, children, kept)
        taken = np.arange(turns)[:, None] < length
        advantage = self._advantages(worth, value, taken)
        turn_of, game_of = np.nonzero(state >= 0)
        gained = advantage[turn_of, game_of]
        group = answers[game_of] if config.groups == "answer" else turn_of
        some_features, some_masks = np.concatenate(forced_features), np.concatenate(forced_masks)
        some = self.rng.permutation(len(some_features))[: config.forced]
        return Experience(
            np.concatenate(features),
            np.concatenate(masks),
            state[turn_of, game_of],
            action[turn_of, game_of],
            chance[turn_of, game_of],
            normalised(gained, group).astype(np.float32),
            (gained + value[turn_of, game_of]).astype(np.float32),
            some_features[some],
            some_masks[some],
            length,
        )

    def _values(self, features: NDArray[np.float32]) -> NDArray[np.float32]:
        hidden = self.model.trunk(torch.from_numpy(features).to(self.device))
        values: NDArray[np.float32] = self.model.value(hidden).squeeze(-1).cpu().numpy()
        return values

    def _sample(
        self,
        features: NDArray[np.float32],
        mask: NDArray[np.bool_],
        which: NDArray[np.int64],
        embedded: Tensor,
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Draw a guess for each game in state which, int64 [games]; returns them and their log chances."""
        order = np.argsort(which, kind="stable")
        starts = np.searchsorted(which[order], np.arange(len(features)))
        nth = np.arange(len(which)) - starts[which[order]]  # the how-manieth game of its state
        made = np.empty(len(which), np.int64)
        chance = np.empty(len(which), np.float32)
        for first in range(0, len(features), _CHUNK):
            part = slice(first, first + _CHUNK)
            mine = (which[order] >= part.start) & (which[order] < part.stop)
            if not mine.any():
                continue
            logits, _ = self._forward(torch.from_numpy(features[part]).to(self.device), embedded)
            logits.masked_fill_(~torch.from_numpy(mask[part]).to(self.device), -torch.inf)
            chances = torch.softmax(logits, 1)
            drawn = torch.multinomial(
                chances, int(nth[mine].max()) + 1, replacement=True, generator=self.generator
            )
            rows = torch.from_numpy(which[order][mine] - first).to(self.device)
            found = drawn[rows, torch.from_numpy(nth[mine]).to(self.device)]
            made[order[mine]] = found.cpu().numpy()
            chance[order[mine]] = chances[rows, found].log().cpu().numpy()
        return made, chance

    def _forward(self, features: Tensor, embedded: Tensor) -> tuple[Tensor, Tensor]:
        # Mixed precision on CUDA; what is summed over all words stays in single precision.
        with torch.autocast(self.device, torch.bfloat16, enabled=self.device == "cuda"):
            logits, values = self.model(features, embedded)
        return logits.float() / self.config.temperature, values.float()

    def _advantages(
        self, worth: NDArray[np.float64], value: NDArray[np.float64], taken: NDArray[np.bool_]
    ) -> NDArray[np.float64]:
        """Return generalised advantages, float64 [turns, games]; value is 0 where a game is over."""
        gamma, trace = self.config.discount, self.config.trace
        out = np.zeros(worth.shape)
        for turn in range(len(taken) - 1, -1, -1):
            delta = worth[turn] + gamma * value[turn + 1] - value[turn]
            out[turn] = np.where(taken[turn], delta + gamma * trace * out[turn + 1], 0.0)
        return out[:-1]

    def _batches(self, games: Experience) -> Iterator[NDArray[np.int64]]:
        """Yield the guesses in random parts of about equal size."""
        n = len(games.state)
        if n:
            yield from np.array_split(self.rng.permutation(n), max(1, round(n / self.config.batch)))

    def _learn(self, games: Experience, batch: NDArray[np.int64]) -> dict[str, float]:
        """Take a gradient over some guesses; returns the losses."""
        config = self.config
        states, state = np.unique(games.state[batch], return_inverse=True)
        features = np.concatenate([games.features[states], games.forced_features])
        masks = np.concatenate([games.masks[states], games.forced_masks])
        row = torch.from_numpy(state).to(self.device)
        action, before, advantage, target = (
            torch.from_numpy(array[batch]).to(self.device)
            for array in (games.action, games.chance, games.advantage, games.target)
        )
        # Guesses of a state share its guide.
        share = torch.bincount(row, minlength=len(features)) / len(batch)
        if len(games.forced_features):
            share[len(states) :] = 1 / len(games.forced_features)
        logits, values = self._forward(torch.from_numpy(features).to(self.device), self.model.embed())
        total = torch.logsumexp(logits, 1)
        allowed, guide = constrain(logits, total, masks, np.log(config.guide_floor))
        log_chance = logits[row, action] - total[row] - allowed[row]
        ratio = (log_chance - before).exp()
        clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
        losses = {
            "policy": -torch.minimum(ratio * advantage, clipped * advantage).mean(),
            "value": torch.nn.functional.mse_loss(values[row], target),
            "guide": (share * guide).sum(),
        }
        loss = (
            losses["policy"] + config.value_weight * losses["value"] + config.guide_weight * losses["guide"]
        )
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), config.gradient_norm)
        self.optimizer.step()
        return {name: float(value.detach()) for name, value in losses.items()}

    def evaluate(self) -> Metrics:
        """Play every answer of the game greedily from the empty board, with the network in NumPy."""
        report = greedy_tree(self.game, forward(self.weights(), self.game), self.config.constrained).report()
        found = {"mean": report.mean, "failures": float(report.failures), "worst": float(report.worst)}
        if self.config.held_out:
            unseen = np.setdiff1d(np.arange(len(self.game.answers)), self.seen)
            found["mean_seen"] = float(report.turns[self.seen].mean())
            found["mean_unseen"] = float(report.turns[unseen].mean())
        return found

    def weights(self) -> dict[str, NDArray[np.float32]]:
        """Return what playing needs: all parameters but the value head's, by torch's names."""
        return {
            name: parameter.detach().float().cpu().numpy().copy()
            for name, parameter in self.model.named_parameters()
            if not name.startswith("value.")
        }

    def state_dict(self) -> dict[str, Any]:
        """Return everything that the next step depends on."""
        return {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "steps": self.steps,
            "queue": torch.from_numpy(self.queue),
            "difficulty": torch.from_numpy(self.difficulty),
            "rng": json.dumps(self.rng.bit_generator.state),
            "generator": self.generator.get_state(),
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.steps = state["steps"]
        self.queue = state["queue"].cpu().numpy()
        self.difficulty = state["difficulty"].cpu().numpy()
        self.rng.bit_generator.state = json.loads(state["rng"])
        self.generator.set_state(state["generator"].cpu())


def constrain(
    logits: Tensor, total: Tensor, masks: NDArray[np.uint8], log_floor: float
) -> tuple[Tensor, Tensor]:
    """Return the log of how likely a guess is an allowed one, and the KL-guide, both [states].

    logits: [states, guesses]; total: their logsumexp, [states]; masks: uint8 [states, bytes], bits of the
    guesses allowed. With a the chance of the allowed guesses together, the policy that the guide leads to has
    p / a for them and the floor for the others, so D(p || that) = a log a + the sum of p (log p - log_floor)
    over the others. Either the allowed guesses or the others are few: only those are gathered, since passes
    over [states, guesses] are what a step's time goes into.
    """
    mask = np.unpackbits(masks, axis=1, count=logits.shape[1]).view(np.bool_)
    few_allowed = mask.sum(1) < logits.shape[1] / 2
    rows, columns = np.nonzero(mask == few_allowed[:, None])
    row = torch.from_numpy(rows).to(logits.device)
    log = logits[row, torch.from_numpy(columns).to(logits.device)] - total[row]
    nothing = torch.zeros_like(total)
    mass = nothing.index_add(0, row, log.exp())
    part = nothing.index_add(0, row, log.exp() * log)
    restricted = torch.from_numpy(few_allowed).to(logits.device)
    which = torch.nonzero(restricted)[:, 0]
    logs = logits[which] - total[which, None]
    whole = nothing.index_add(0, which, (logs.exp() * logs).sum(1))
    chance = torch.where(restricted, mass, 1 - mass)
    # Where hardly anything is left of 1 - mass, it is summed word by word instead.
    faint = torch.nonzero(~restricted & (mass > 0.9))[:, 0]
    kept = torch.from_numpy(mask).to(logits.device)[faint]
    summed = ((logits[faint] - total[faint, None]).exp() * kept).sum(1)
    chance = chance.index_copy(0, faint, summed).clamp_min(1e-30)
    others = torch.where(restricted, whole - part, part)
    return chance.log(), chance * chance.log() + others - (1 - chance) * log_floor


def normalised(values: NDArray[np.float64], group: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return values, float64 [n], less the mean of their group, int64 [n], over its standard deviation."""
    _, group = np.unique(group, return_inverse=True)
    count = np.bincount(group)
    centred = values - (np.bincount(group, values) / count)[group]
    spread = np.sqrt(np.bincount(group, centred**2) / count)[group]
    out: NDArray[np.float64] = centred / np.maximum(spread, 1e-6)
    return out
