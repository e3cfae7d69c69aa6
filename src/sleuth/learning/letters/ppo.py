"""Weaver's (2025) player, learning: A2C trained with PPO on games against itself.

Games go on in step with one another and equal histories are held once, so the network sees the
first turn of thousands of games as one state. In every state where there is a choice, guesses are drawn from
the policy: the games there play some of them, and all are weighed by their rewards, which are averages over
possible answers and need no game. What is learned from is which of a state's guesses did better than others.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from sleuth.games.frontier import Frontier
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.learning.letters.attention import Attention, Shape
from sleuth.learning.letters.constrained_policy import Summary, constrain, exceptions
from sleuth.learning.letters.constraints import allowed
from sleuth.learning.letters.features import action_features, state_features, state_size
from sleuth.learning.letters.grouped import normalised, nth, softmax
from sleuth.learning.letters.player import LetterPlayer, forward
from sleuth.learning.letters.rewards import all_rewards, rewards
from sleuth.learning.runs.configuration import read
from sleuth.learning.runs.held_out import check_folds, measure, unseen, without
from sleuth.learning.runs.training import Metrics, seed_everything
from sleuth.support.errors import SleuthError
from sleuth.support.parallel import check_given_up
from sleuth.support.ranges import check_range
from sleuth.support.registry import unknown_name
from sleuth.trees.tree import DecisionTree

GROUPS = ("state", "turn", "none")
_MOST_GAMES = 2**15
"""Games of a step: they are held in memory together, a few KB for each guess."""


@dataclass(frozen=True)
class Ppo:
    """Every hyperparameter of Weaver's training.

    Attributes:
        answers: answers played a step; every answer comes up once before any comes up again.
        repeats: games against each of them.
        weighed: guesses drawn in each state, or as many as there are games in it where those are more;
            1 is what Weaver does: to weigh the guesses that games make, and no others. 0 weighs all guesses
            by all possible answers, so that the gradient is no sample: it is for a discount of 0.
        closed: whether all guesses that are weighed are learned from at once: the policy that is best at the
            entropy's weight is then known, and learned as it is, in place of climbing to it by the gradient
            of what the policy gets (PPO). Advantages are normalised by state for it.
        targets: m, the possible answers that a reward is averaged over; 1 is no averaging (an ablation).
        bonus: reward of a right guess; the information of a game is worth 1 in all.
        discount: what a reward a turn later is worth.
        constrained: whether the inductive biases hold (without them: an ablation).
        groups: advantages are normalised over the guesses of the same "state" or "turn", or not at all:
            "none" (an ablation).
        crowding: the weight of a state is the number of games in it to this power.
        replay: share of the answers drawn by how many guesses they took lately.
        temperature: of the policy that plays while learning.
        epochs: passes over the states of a step.
        batch: states that a gradient is taken over.
        clip: how far the chance of a guess may move in a step before it no longer counts.
        entropy: weight of the policy's entropy in nats, at the first step: what keeps it from settling on
            the first guesses that do well.
        learning_rate: of Adam, at the first step.
        final_entropy, final_learning_rate: at the last step of `decay_steps` and after; in between they
            fall geometrically.
        decay_steps: see there.
        gradient_norm: gradients are scaled down to this norm.
        value_weight, guide_weight: of the losses beside the policy's.
        guide_floor: the chance that a forbidden guess has in the policy that the KL-guide leads to.
        forced: states without a choice that the KL-guide is taken over in a step, at most.
        folds, fold: the answers that training never sees, see learning/runs/held_out.py; 0 folds hold
            none out.
        threads: of torch on the CPU.

    """

    answers: int = 256
    repeats: int = 1
    weighed: int = 64
    closed: bool = False
    targets: int = 64
    bonus: float = 0.1
    discount: float = 0.0
    constrained: bool = True
    groups: Literal["state", "turn", "none"] = "state"
    crowding: float = 0.5
    replay: float = 0.0
    temperature: float = 1.0
    epochs: int = 2
    batch: int = 256
    clip: float = 0.2
    entropy: float = 0.3
    learning_rate: float = 1e-3
    final_entropy: float = 0.02
    final_learning_rate: float = 1e-4
    decay_steps: int = 2000
    gradient_norm: float = 1.0
    value_weight: float = 0.5
    guide_weight: float = 0.1
    guide_floor: float = 1e-6
    forced: int = 64
    folds: int = 0
    fold: int = 0
    threads: int = 2

    def __post_init__(self) -> None:
        if self.groups not in GROUPS:
            raise unknown_name("group", self.groups, GROUPS)
        counts = ("answers", "repeats", "targets", "epochs", "batch", "decay_steps", "threads")
        check_range(self, *counts, least=1)
        check_range(self, "weighed", least=0)
        check_range(self, "discount", "replay", "crowding", least=0, most=1)
        check_range(self, "clip", "guide_floor", above=0, below=1)
        rates = ("learning_rate", "final_learning_rate", "entropy", "final_entropy")
        check_range(self, *rates, "temperature", "gradient_norm", above=0, below=inf)
        check_range(self, "bonus", "value_weight", "guide_weight", "forced", least=0, below=inf)
        check_folds(self.folds, self.fold)
        if self.discount and not self.weighed:
            raise SleuthError(
                "weighed = 0, all guesses, goes with a discount of 0: what comes later is drawn"
            )
        if self.closed and (self.weighed or self.groups != "state"):
            raise SleuthError('closed goes with weighed = 0, all guesses, and with groups = "state"')
        games = self.answers * self.repeats
        if games > _MOST_GAMES:
            raise SleuthError(f"answers times repeats is {games}; a step plays {_MOST_GAMES} games at most")

    def at(self, step: int) -> tuple[float, float]:
        """Return the learning rate and the weight of entropy at a step."""
        share = min(1.0, step / self.decay_steps)
        return (
            self.learning_rate * (self.final_learning_rate / self.learning_rate) ** share,
            self.entropy * (self.final_entropy / self.entropy) ** share,
        )


@dataclass(frozen=True, eq=False)
class Experience:
    """The games of a step: states where there was a choice, and the guesses drawn there, state by state.

    Attributes:
        features: float32 [states, features]; masks: uint8 [states, bytes], bits of the guesses allowed.
        weight: float32 [states]: how much each counts.
        starts: int64 [states + 1]: where the guesses of each begin.
        action: int64 [guesses]: which guess.
        chance: float32 [guesses]: log of its probability then.
        advantage, target: float32 [guesses]: how much better than others it was, and what it came to.
        forced_features, forced_masks: the same of some states without a choice.
        guesses: int64 [games]: guesses each game took; a lost one counts a turn more than there are.

    """

    features: NDArray[np.float32]
    masks: NDArray[np.uint8]
    weight: NDArray[np.float32]
    starts: NDArray[np.int64]
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
        self, game: Game, config: Ppo, shape: Any = None, seed: int = 0, device: str = "cpu"
    ) -> None:
        self.game, self.config, self.device = game, config, device
        self.rng, self.generator = seed_everything(seed, device)
        self.unseen = unseen(len(game.answers), config.folds, config.fold)
        self.training = without(game, self.unseen)
        if len(self.training.answers) < 2:
            raise SleuthError(f"{game.name} has one answer: there is nothing to learn")
        self.model = self._network(shape).to(device)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=config.learning_rate)
        self.steps = 0
        self.queue = np.zeros(0, np.int64)
        self.difficulty = np.full(len(self.training.answers), 4.0)
        if device == "cpu":
            torch.set_num_threads(config.threads)

    def _network(self, shape: Any) -> Any:
        """Return the network that learns, with new weights; shape: its own, or None."""
        words = torch.from_numpy(action_features(self.game))
        return Attention(words, state_size(self.game), shape or Shape())

    def _features(self, frontier: Frontier) -> NDArray[np.float32]:
        """Return what the network sees of states, float32 [sets, features]."""
        return state_features(frontier)

    def step(self) -> Metrics:
        """Play a batch of games and learn from them."""
        config = self.config
        rate, entropy = config.at(self.steps)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        games = self._games()
        losses = [
            self._learn(games, batch, entropy) for _ in range(config.epochs) for batch in self._batches(games)
        ]
        self.steps += 1
        means = {key: float(np.mean([loss[key] for loss in losses])) for key in losses[0]} if losses else {}
        return {
            "games": float(self.steps * len(games.guesses)),
            "guesses": float(games.guesses.mean()),
            "lost": float((games.guesses > self.game.max_turns).mean()),
            "states": float(len(games.features)),
            "choices": float(len(games.action)),
            "surprise": float(-games.chance.mean()),
            "learning_rate": rate,
            "entropy_weight": entropy,
            **means,
        }

    def _games(self) -> Experience:
        """Play the games of a step."""
        answers = np.repeat(self._draw_answers(), self.config.repeats)
        games = self.play(answers)
        known = np.bincount(answers, games.guesses, len(self.difficulty))
        times = np.bincount(answers, minlength=len(self.difficulty))
        drawn = times > 0
        self.difficulty[drawn] += 0.2 * (known[drawn] / times[drawn] - self.difficulty[drawn])
        return games

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
    def play(
        self,
        answers: NDArray[np.int64],
        lists: Frontier | None = None,
        begun: NDArray[np.int64] | None = None,
    ) -> Experience:
        """Play games against answers, int64 [games], and return what there is to learn of them.

        lists: the states that games begin in, all possible answers unless given; begun: int64 [games], in
        which of them each does.
        """
        states = Frontier.of(Position.start(self.training)) if lists is None else lists
        game, config = states.game, self.config
        n, turns = len(answers), game.max_turns
        embedded = self.model.embed()
        # The state of each game, or -1 when it is over.
        at = np.zeros(n, np.int64) if begun is None else begun.copy()
        length = np.full(n, turns + 1)
        parts: list[tuple[NDArray[Any], ...]] = []
        forced: list[tuple[NDArray[Any], ...]] = []
        for turn in range(turns):
            check_given_up()
            alive = np.flatnonzero(at >= 0)
            if not len(alive):
                break
            seen, mask = self._features(states), allowed(states, config.constrained)
            free = mask.sum(1) > 1
            chosen = mask.argmax(1)[at]
            choosing = alive[free[at[alive]]]
            forced.append((seen[~free], np.packbits(mask[~free], axis=1)))
            if len(choosing):
                open_ = np.flatnonzero(free)
                which = (np.cumsum(free) - 1)[at[choosing]]
                crowd = np.bincount(which, minlength=len(open_))
                starts = np.concatenate([[0], np.cumsum(np.maximum(crowd, config.weighed))])
                chances = self._chances(seen[free], mask[free], embedded)
                # Held for all states together only where all guesses are weighed.
                policy = chances if config.weighed else list(chances)
                state, made, chance = self._sample(policy, starts)
                chosen[choosing] = made[starts[which] + nth(which)]
                if config.weighed:
                    target = self._worth(states, open_[state], made)
                else:
                    state, made, chance = _every(policy, mask[free])
                    target = all_rewards(states.take(open_), config.bonus)[state, made].astype(np.float64)
                value = self._values(seen[free])[state]
                advantage = target - value
                if config.groups != "none":
                    group = state if config.groups == "state" else np.zeros_like(state)
                    advantage = normalised(advantage, group)
                counts = np.bincount(state, minlength=len(open_))
                there = (seen[free], np.packbits(mask[free], axis=1), crowd**config.crowding, counts)
                parts.append((*there, made, chance, advantage, target))
            places, guesses, pair = _distinct(game, at[alive], chosen[alive])
            children = states.take(places).after(guesses)
            codes = game.feedback[chosen[alive], answers[alive]]
            child = children.reached(pair, codes)
            length[alive[codes == game.solved]] = turn + 1
            kept, place = np.unique(child[child >= 0], return_inverse=True)
            at[alive] = -1
            at[alive[child >= 0]] = place
            states = children.frontier.take(kept)
        features, masks, weights, drawn, action, chance, advantage, target = map(
            np.concatenate, zip(*parts, strict=True)
        )
        some_features, some_masks = map(np.concatenate, zip(*forced, strict=True))
        some = self.rng.permutation(len(some_features))[: config.forced]
        return Experience(
            features,
            masks,
            weights.astype(np.float32),
            np.concatenate([[0], np.cumsum(drawn)]),
            action,
            chance,
            advantage.astype(np.float32),
            target.astype(np.float32),
            some_features[some],
            some_masks[some],
            length,
        )

    def _worth(
        self, states: Frontier, place: NDArray[np.int64], made: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return the reward of guesses in states, and what comes after it, float64 [guesses]."""
        game, config = self.training, self.config
        places, guesses, pair = _distinct(game, place, made)
        sets = states.take(places)
        children = sets.after(guesses)
        worth = rewards(sets, guesses, children, config.targets, config.bonus, self.rng)
        if config.discount and sets.turn < game.max_turns:
            drawn = sets.starts[:-1] + np.floor(self.rng.random(len(sets)) * sets.sizes).astype(np.int64)
            codes = game.feedback[guesses, sets.candidates[drawn]]
            child = children.reached(np.arange(len(sets)), codes)
            kept, at = np.unique(child[child >= 0], return_inverse=True)
            if len(kept):
                later = self._values(self._features(children.frontier.take(kept)))
                worth[child >= 0] += config.discount * later[at]
        found: NDArray[np.float64] = worth[pair]
        return found

    @torch.no_grad()
    def _values(self, features: NDArray[np.float32]) -> NDArray[np.float32]:
        values: NDArray[np.float32] = (
            self.model.values(torch.from_numpy(features).to(self.device)).cpu().numpy()
        )
        return values

    def _sample(
        self, policy: Iterable[tuple[slice, Tensor]], starts: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
        """Draw guesses in each state, starts[s + 1] - starts[s] of them; policy: see _chances.

        Returns states, int64, ascending; guesses, int64; and their log chances.
        """
        found: list[tuple[NDArray[Any], ...]] = []
        counts = np.diff(starts)
        for part, chances in policy:
            most = int(counts[part].max())
            drawn = torch.multinomial(chances, most, replacement=True, generator=self.generator)
            logs = chances.gather(1, drawn).log().cpu().numpy()
            row, column = np.nonzero(np.arange(most) < counts[part, None])
            found.append((row + part.start, drawn.cpu().numpy()[row, column], logs[row, column]))
        state, made, chance = map(np.concatenate, zip(*found, strict=True))
        return state, made, chance

    def _chances(
        self, features: NDArray[np.float32], mask: NDArray[np.bool_], embedded: Tensor
    ) -> Iterator[tuple[slice, Tensor]]:
        """Yield the policy of some states at a time, [states, guesses], and which states they are."""
        for first in range(0, len(features), self.model.at_once):
            part = slice(first, first + self.model.at_once)
            logits, _ = self._forward(torch.from_numpy(features[part]).to(self.device), embedded)
            logits.masked_fill_(~torch.from_numpy(mask[part]).to(self.device), -torch.inf)
            yield part, torch.softmax(logits, 1)

    def _forward(self, features: Tensor, embedded: Tensor) -> tuple[Tensor, Tensor]:
        # Mixed precision on CUDA; what is summed over all words stays in single precision.
        with torch.autocast(self.device, torch.bfloat16, enabled=self.device == "cuda"):
            logits, values = self.model(features, embedded)
        return logits.float() / self.config.temperature, values.float()

    def _batches(self, games: Experience) -> Iterator[NDArray[np.int64]]:
        """Yield the states in random parts of about equal size."""
        n = len(games.features)
        if n:
            yield from np.array_split(self.rng.permutation(n), max(1, round(n / self.config.batch)))

    def _learn(self, games: Experience, batch: NDArray[np.int64], entropy: float) -> dict[str, float]:
        """Take a gradient over some states; returns the losses."""
        check_given_up()
        config, n = self.config, len(batch)
        features = np.concatenate([games.features[batch], games.forced_features])
        masks = np.concatenate([games.masks[batch], games.forced_masks])
        counts = np.diff(games.starts)[batch]
        state = np.repeat(np.arange(n), counts)
        guesses = games.starts[batch][state] + nth(state)
        row = torch.from_numpy(state).to(self.device)
        action, before, advantage, target = (
            torch.from_numpy(array[guesses]).to(self.device)
            for array in (games.action, games.chance, games.advantage, games.target)
        )
        weight = games.weight[batch] / games.weight[batch].sum()
        share = torch.from_numpy(weight).to(self.device)
        # Guesses count as often as they were drawn, or, where all are weighed, as likely as they were, or
        # as they should be.
        drawn = weight / counts if config.weighed else weight
        each = torch.from_numpy(drawn.astype(np.float32)).to(self.device)[row]
        if config.closed:
            each = each * torch.from_numpy(softmax(games.advantage[guesses] / entropy, state)).to(self.device)
        elif not config.weighed:
            each = each * before.exp()
        logits, values = self._forward(torch.from_numpy(features).to(self.device), self.model.embed())
        few, *odd = exceptions(masks, logits.shape[1])
        odd_row, odd_column = (torch.from_numpy(index).to(self.device) for index in odd)
        asked = (torch.cat([row, odd_row]), torch.cat([action, odd_column]))
        total, nats, picked = Summary.apply(logits, *asked)  # type: ignore[no-untyped-call]
        chosen, exceptional = picked.split([len(row), len(odd_row)])
        floor = float(np.log(config.guide_floor))
        allowed, guide = constrain(logits, total, nats, few, odd_row, odd_column, exceptional, floor)
        now = chosen - total[row] - allowed[row]
        if config.closed:
            gained = now
        else:
            ratio = (now - before).exp()
            clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
            gained = torch.minimum(ratio * advantage, clipped * advantage)
        losses = {
            "policy": -(each * gained).sum(),
            "value": (each * (values[row] - target) ** 2).sum(),
            "guide": (share * guide[:n]).sum() + (guide[n:].mean() if len(guide) > n else 0.0),
            "entropy": (share * nats[:n]).sum(),
        }
        loss = (
            losses["policy"]
            + config.value_weight * losses["value"]
            + config.guide_weight * losses["guide"]
            - (0.0 if config.closed else entropy) * losses["entropy"]
        )
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), config.gradient_norm)
        self.optimizer.step()
        return {name: float(value.detach()) for name, value in losses.items()}

    def evaluate(self) -> Metrics:
        """Play every answer of the game greedily from the empty board, with the network in NumPy."""
        player = LetterPlayer(forward(self.weights(), self.game), self.config.constrained)
        tree = DecisionTree.build(player, self.game)
        worst = float(tree.turns.max())
        return {**measure(tree.turns, self.game.max_turns, self.unseen), "worst": worst}

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


def _every(
    policy: Iterable[tuple[slice, Tensor]], mask: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
    """Return all guesses that a mask, bool [states, guesses], allows, as _sample returns those drawn."""
    state, made = np.nonzero(mask)
    logs = np.concatenate([chances.clamp_min(1e-30).log().cpu().numpy() for _, chances in policy])
    return state, made, logs[state, made]


def _distinct(
    game: Game, place: NDArray[np.int64], made: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
    """Return each guess in each state once, and which of them each one is, int64 [n].

    place, made: int64 [n]: states, and guesses made there.
    """
    pairs, pair = np.unique(place * len(game.guesses) + made, return_inverse=True)
    return pairs // len(game.guesses), (pairs % len(game.guesses)).astype(np.int32), pair
