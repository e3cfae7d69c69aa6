"""POMDPs that are drawn from: against twins in plain Python, exact beliefs, and exhaustive search."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import product
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from command_line import Run, json_of
from fleets import around, fleets

from sleuth.kernels.drawn import problem as kernels
from sleuth.planning.pomdps.drawn.belief import DrawnBelief
from sleuth.planning.pomdps.drawn.despot import DrawnDespot, DrawnScenarios
from sleuth.planning.pomdps.drawn.pomcp import DrawnPomcp
from sleuth.planning.pomdps.drawn.problem import DrawnPomdp, DrawnRandom, State, play_drawn
from sleuth.planning.pomdps.drawn.problems import battleship, drawn_rocksample
from sleuth.planning.pomdps.problems import rocksample_pomdp
from sleuth.planning.problems.rock_layouts import layout
from sleuth.support.errors import SleuthError

WIDTH = 5


def cells(problem: DrawnPomdp, state: State) -> list[set[int]]:
    """Return the cells of each ship, from its description."""
    found = []
    for ship in problem.told(state).split(", "):
        begin, end = (problem.actions.index(name) for name in ship.split(" to "))
        found.append(set(range(begin, end + 1, 1 if end - begin < WIDTH else WIDTH)))
    return found


def test_first_states_of_battleship_are_all_as_likely() -> None:
    problem = battleship(WIDTH, (3, 2))
    known = [tuple(map(frozenset, ships)) for ships in fleets(WIDTH, (3, 2))]
    states = problem.firsts(40 * len(known), 1)
    counts = dict.fromkeys(known, 0)
    for state in states:
        counts[tuple(map(frozenset, cells(problem, state)))] += 1  # a KeyError where ships touch
    squares = sum((count - 40) ** 2 / 40 for count in counts.values())
    assert abs(squares - len(known)) < 5 * sqrt(2 * len(known))


def test_battleship_is_as_it_is_played_by_hand() -> None:
    problem = battleship(WIDTH, (3, 2))
    for seed in range(30):
        state, rng = problem.first(seed), Random(seed)
        ships = set().union(*cells(problem, state))
        left = set(range(WIDTH**2))
        while True:
            assert problem.legal(state) == sorted(left)
            shot = rng.choice(sorted(left))
            left.remove(shot)
            came = problem.step(state, shot, 0)
            over = not ships & left
            assert came == (int(shot in ships), 99.0 if over else -1.0, over)
            if over:
                break


def test_rocksample_is_the_one_that_is_laid_out() -> None:
    """The same rewards, ends, and chances of observations, whatever is done."""
    problem, pomdp = drawn_rocksample(4, 4), rocksample_pomdp(4, 4)
    rocks, n = layout(4, 4, 0), len(pomdp.states)
    firsts = problem.firsts(3000, 1)
    assert np.allclose(np.bincount(firsts[:, 2], minlength=16) / 3000, 1 / 16, atol=0.025)
    for seed in range(4):
        state, rng = problem.first(seed), Random(seed)
        at = pomdp.states.index(str(((0, 2), int(state[2]))))
        for _ in range(30):
            action = rng.randrange(9)
            row = pomdp.transition.starts[action * n + at]
            reward, at = float(pomdp.reward[action, at]), int(pomdp.transition.columns[row])
            begin, end = pomdp.observation.starts[action * n + at : action * n + at + 2]
            chances = {
                pomdp.observations[column]: value
                for column, value in zip(
                    pomdp.observation.columns[begin:end], pomdp.observation.values[begin:end], strict=True
                )
            }
            before = state.copy()
            came = problem.step(state, action, rng.getrandbits(64))
            assert (came.reward, came.over) == (reward, pomdp.states[at] == "('out', 0)")
            assert chances[problem.observations[came.observation]] > 0
            if came.over:
                break
            assert pomdp.states[at] == str(((int(state[0]), int(state[1])), int(state[2])))
            if action > 4:
                seen = [problem.step(before.copy(), action, k).observation for k in range(200)]
                assert abs(seen.count(1) / 200 - chances.get("good", 0.0)) < 0.12
            told = [bool(state[3] >> rock & 1) for rock in range(4)]
            where = int(state[0]), int(state[1])
            assert all((f"check-{rock}" in names(problem, state)) != told[rock] for rock in range(4))
            assert ("sample" in names(problem, state)) == (where in rocks and not told[rocks.index(where)])


def names(problem: DrawnPomdp, state: State) -> list[str]:
    return [problem.actions[action] for action in problem.legal(state)]


def test_beliefs_of_rocksample_are_those_of_bayes() -> None:
    problem, pomdp = drawn_rocksample(4, 4), rocksample_pomdp(4, 4)
    for seed in range(4):
        belief, exact, rng = DrawnBelief(problem, 4000, seed), pomdp.initial, Random(seed)
        state = problem.first(seed)
        for _ in range(25):
            action = rng.choice([a for a in problem.legal(state) if a != 2])  # not out
            seen = problem.step(state, action, rng.getrandbits(64)).observation
            belief.update(action, seen)
            exact, _ = pomdp.update(exact, action, pomdp.observations.index(problem.observations[seen]))
            found = np.zeros(len(exact))
            for mask in range(16):
                name = str(((int(state[0]), int(state[1])), mask))
                if name in pomdp.states:
                    found[pomdp.states.index(name)] = belief.weights[belief.states[:, 2] == mask].sum()
            assert abs(found.sum() - 1) < 1e-9
            assert np.abs(found - exact).max() < 0.06


def test_beliefs_of_battleship_are_those_of_bayes() -> None:
    problem = battleship(WIDTH, (3, 2))
    every = [set().union(*ships) for ships in fleets(WIDTH, (3, 2))]
    for seed in range(4):
        belief, rng = DrawnBelief(problem, 4000, seed), Random(seed)
        state = problem.first(seed + 10)
        left = every
        for cell in rng.sample(range(WIDTH**2), 12):
            came = problem.step(state, cell, 0)
            if came.over:
                break
            belief.update(cell, came.observation)
            left = [ships for ships in left if (cell in ships) == bool(came.observation)]
            exact = [sum(c in ships for ships in left) / len(left) for c in range(WIDTH**2)]
            found = [float(belief.weights[belief.states[:, 2] >> c & 1 == 1].sum()) for c in range(WIDTH**2)]
            assert found == pytest.approx(exact, abs=0.06)


def test_particles_that_ran_out_are_found_anew() -> None:
    problem = battleship(WIDTH, (3, 2))
    every = [set().union(*ships) for ships in fleets(WIDTH, (3, 2))]
    for seed in range(3):
        belief, state = DrawnBelief(problem, 2, seed), problem.first(seed + 50)
        left = every
        for cell in Random(seed).sample(range(WIDTH**2), 12):
            came = problem.step(state, cell, 0)
            if came.over:
                break
            belief.update(cell, came.observation)
            left = [ships for ships in left if (cell in ships) == bool(came.observation)]
            alive = belief.states[belief.weights > 0]
            assert all(set().union(*cells(problem, one)) in left for one in alive)


def test_what_cannot_be_is_refused() -> None:
    rocks, sea = drawn_rocksample(4, 4), battleship(WIDTH, (3, 2))
    with pytest.raises(
        SleuthError, match="'good' cannot be observed after 'north' there: no state was found"
    ):
        DrawnBelief(rocks).update(0, 1)
    belief = DrawnBelief(sea)
    for cell in range(12):
        belief.update(cell, 0)
    with pytest.raises(SleuthError, match="'a1' may not be done there"):
        belief.update(0, 0)
    belief.update(24, 0)
    belief.update(12, 1)
    belief.update(13, 0)
    with pytest.raises(SleuthError, match="'hit' cannot be observed after 'b4' there: no state was found"):
        belief.update(16, 1)  # it touches a corner of c3
    with pytest.raises(SleuthError, match="has no observation 2, only 0 to 1"):
        DrawnBelief(sea).update(0, 2)
    with pytest.raises(SleuthError, match="'sample' may not be done there"):
        play_drawn(rocks, Always(4), Random(0))
    with pytest.raises(SleuthError, match="takes a DrawnPomdp, not a POMDP"):
        DrawnPomcp(rocksample_pomdp(2, 1), 1)  # type: ignore[arg-type]
    for bad, message in (
        ((5, 0), "does not take 0 rocks: there may be 1 to 25"),
        ((4, 4, 0.0), "the half distance is positive"),
        ((4, 4, 20.0, 1.0), r"the discount lies in \(0, 1\), not 1.0"),
    ):
        with pytest.raises(SleuthError, match=message):
            drawn_rocksample(*bad)
    for size, ships, message in (
        (12, (2,), "a sea is of 1 to 11 cells a side, not 12"),
        (3, (4,), "ships are of 1 to 3 cells"),
        (3, (), "there is one at least"),
        (3, (3, 3, 3), "ships of 3, 3, 3 have no room on 3 x 3"),
    ):
        with pytest.raises(SleuthError, match=message):
            battleship(size, ships)
    for limits, message in (({}, "a limit of trials"), ({"trials": 1, "scenarios": 0}, "scenarios must be")):
        with pytest.raises(SleuthError, match=message):
            DrawnDespot(rocks, **limits)


class Always:
    """One action, whatever comes."""

    def __init__(self, action: int) -> None:
        self.action = action

    def choose(self) -> int:
        return self.action

    def observe(self, action: int, observation: int) -> None:
        pass


def bounds(problem: DrawnPomdp, states: State, left: int) -> tuple[float, int, float, list[int]]:
    """Return the worth and the first action of the default policy, the bound, and the useful actions."""
    law = problem.law
    options = np.empty(law.actions, np.int64)
    scratch, worths = np.empty(law.scratch, np.int64), np.empty(law.actions)
    worth, action, most, count = kernels.bounds(law, states, left, options, scratch, worths)
    return worth, action, most, options[:count].tolist()


def hunt(order: list[int], ships: list[set[int]], done: set[int], water: set[int]) -> int:
    """Return how many shots sink all ships. done: the shots there were. water: not shot at; it grows."""
    fleet, shots = set[int]().union(*ships), 0
    for cell in order:
        if cell in done | water or fleet <= done:
            continue
        shots += 1
        done.add(cell)
        if cell not in fleet:
            continue
        for steps in ((1, -1), (WIDTH, -WIDTH)):
            longer = False
            for step in steps:
                at = cell
                while not fleet <= done:
                    if abs(step) == 1 and (at + step) // WIDTH != at // WIDTH:
                        break
                    at += step
                    if not 0 <= at < WIDTH**2 or at in water or (at in done and at not in fleet):
                        break
                    shots += at not in done
                    done.add(at)
                    if at not in fleet:
                        break
                    longer = True
            if longer:
                break
        water |= around(next(ship for ship in ships if cell in ship), WIDTH) - fleet
    return shots


def hunted(problem: DrawnPomdp, states: State, left: int) -> float:
    """Return what a hunt brings, shot by shot."""
    ships_of = [cells(problem, state) for state in states]
    shot = {cell for cell in range(WIDTH**2) if cell not in problem.legal(states[0])}
    counts = [sum(any(cell in ship for ship in ships) for ships in ships_of) for cell in range(WIDTH**2)]
    order = sorted((cell for cell in range(WIDTH**2) if counts[cell]), key=lambda cell: -counts[cell])
    total = 0.0
    for ships in ships_of:
        shots = hunt(order, ships, set(shot), {cell for cell in range(WIDTH**2) if not counts[cell]})
        total += 100 - shots if shots <= left else -left
    return total / len(states)


def some_histories(problem: DrawnPomdp, seed: int, shots: int) -> State:
    """Return states that agree with a history, whose ships are not all sunk."""
    rng = Random(seed)
    states = problem.firsts(300, seed)
    for _ in range(shots):
        then, action = states.copy(), rng.choice(problem.legal(states[0]))
        came = [problem.step(state, action, rng.getrandbits(64)) for state in then]
        if all(step.over for step in came):
            break
        kept = [
            k for k, step in enumerate(came) if not step.over and step.observation == came[-1].observation
        ]
        states = then[kept] if kept else states
    return states


def test_the_hunt_is_that_of_a_twin() -> None:
    problem = battleship(WIDTH, (3, 2, 1))
    for seed in range(0, 25, 4):
        states = some_histories(problem, seed, seed % 12)
        worth, _, most, useful = bounds(problem, states, 25 - seed % 12)
        assert worth == pytest.approx(hunted(problem, states, 25 - seed % 12))
        fleets = [set().union(*cells(problem, state)) for state in states]
        left = set(problem.legal(states[0]))
        assert useful == sorted(set().union(*fleets) & left)
        assert most == pytest.approx(100 - np.mean([len(fleet & left) for fleet in fleets]))


class Exhaustive:
    """The best regularised policy for some scenarios, by trying all (Ye et al. 2017)."""

    def __init__(self, problem: DrawnPomdp, numbers: Any, penalty: float) -> None:
        self.problem, self.numbers, self.penalty = problem, numbers, penalty

    def best(self, depth: int, particles: list[tuple[int, State]]) -> float:
        """Return what the best policy from a node on adds to the regularised value."""
        scenarios, horizon = self.numbers.shape
        weight = self.problem.discount**depth / scenarios
        states = np.array([state for _, state in particles])
        worth, _, bound, _ = bounds(self.problem, states, horizon - depth)
        most = len(particles) * weight * worth
        if depth == horizon:
            return most
        for action in self.problem.legal(states[0]):
            total = -self.penalty
            then: dict[int, list[tuple[int, State]]] = defaultdict(list)
            for scenario, state in particles:
                after = state.copy()
                came = self.problem.step(after, action, int(self.numbers[scenario, depth]))
                total += weight * came.reward
                if not came.over:
                    then[came.observation].append((scenario, after))
            most = max(most, total + sum(self.best(depth + 1, kept) for kept in then.values()))
        assert most <= len(particles) * weight * bound + 1e-9
        return most


@pytest.mark.parametrize(
    ("penalty", "seeds", "deep"),
    [(0.1, 1, 3), *(pytest.param(penalty, 2, 4, marks=pytest.mark.thorough) for penalty in (0.0, 0.1))],
)
def test_both_bounds_meet_at_what_exhaustive_search_finds(penalty: float, seeds: int, deep: int) -> None:
    """And on the way it lies between them: they are proven for the scenarios."""
    gaps = []
    for problem, depth, seed in product(
        (drawn_rocksample(2, 1), drawn_rocksample(3, 2), battleship(2, (2,)), battleship(3, (2, 1))),
        (1, deep),
        range(seeds),
    ):
        states = problem.firsts(6, seed)
        tree = DrawnScenarios(problem, states, depth, penalty, seed)
        numbers = np.random.default_rng(seed).integers(2**64, size=(6, depth), dtype=np.uint64)
        expected = Exhaustive(problem, numbers, penalty).best(0, list(enumerate(states)))
        found = tree.run(0)
        for _ in range(2000):
            assert found.lower - 1e-9 <= expected <= found.upper + 1e-9
            gaps.append(found.upper - found.lower)
            found = tree.run(1)
            if found.trials == 0:
                break
        assert (found.lower, found.upper) == pytest.approx((expected, expected))
    assert sum(gap > 1 for gap in gaps) > 5  # there was something to search for


def tours(states: State, rocks: Sequence[tuple[int, int]]) -> list[list[tuple[int, bool]]]:
    """Return tours to more and more rocks, each with whether it is sampled at once."""
    (x, y), good = (int(number) for number in states[0, :2]), {}
    for rock in range(len(rocks)):
        good[rock] = int(np.sum(states[:, 2] >> rock & 1))
    found: list[list[tuple[int, bool]]] = [[]]
    while left := {rock: many for rock, many in good.items() if many > 0}:

        def worth(rock: int, x: int = x, y: int = y, left: dict[int, int] = left) -> float:
            return left[rock] * 0.95 ** (abs(rocks[rock][0] - x) + abs(rocks[rock][1] - y))

        rock = max(left, key=worth)
        found.append([*found[-1], (rock, 2 * left[rock] - len(states) > 0.95 * left[rock])])
        (x, y), good[rock] = rocks[rock], 0
    return found


def toured(
    problem: DrawnPomdp, state: State, tour: list[tuple[int, bool]], rocks: Sequence[tuple[int, int]]
) -> tuple[float, int]:
    """Return what a tour brings that samples what checks say is good, and its first action."""
    rewards: list[float] = []
    actions: list[int] = []

    def do(action: int) -> Any:
        came = problem.step(state, action, 0)
        rewards.append(came.reward)
        actions.append(action)
        return came

    for rock, at_once in tour:
        dx, dy = rocks[rock][0] - int(state[0]), rocks[rock][1] - int(state[1])
        for action in [2 if dx > 0 else 3] * abs(dx) + [0 if dy > 0 else 1] * abs(dy):
            do(action)
        if at_once or do(5 + rock).observation == 1:
            do(4)
    while not do(2).over:
        pass
    return sum(0.95**k * reward for k, reward in enumerate(rewards)), actions[0]


@pytest.mark.parametrize(("n", "k"), [(5, 6), pytest.param(15, 15, marks=pytest.mark.thorough)])
def test_the_default_policy_of_rocksample_is_the_best_tour_of_a_twin(n: int, k: int) -> None:
    problem, rocks = drawn_rocksample(n, k), layout(n, k, 0)
    for seed in range(20):
        states = problem.firsts(7, seed)
        states[:, 2] |= seed % 8  # some rocks are good in all of them
        worth, action, most, _ = bounds(problem, states, 1000)  # however long a tour is
        found = []
        for tour in tours(states, rocks):
            came = [toured(problem, state, tour, rocks) for state in states.copy()]
            found.append((sum(total for total, _ in came) / 7, came[0][1]))
        assert worth == pytest.approx(max(found)[0])
        assert action == max(found)[1]
        assert worth <= most + 1e-9


SMALL = (drawn_rocksample(5, 5), battleship(WIDTH, (3, 2)))


@pytest.mark.parametrize("problem", SMALL)
def test_planners_are_better_than_chance(problem: DrawnPomdp) -> None:
    def gains(made: Any) -> list[float]:
        return [play_drawn(problem, made(seed), Random(seed)) for seed in range(12)]

    chance = np.array(gains(lambda seed: DrawnRandom(problem, seed)))
    for planner in (
        lambda seed: DrawnPomcp(problem, 200, particles=200, seed=seed),
        lambda seed: DrawnDespot(problem, 8, scenarios=50, particles=200, seed=seed),
    ):
        apart = np.array(gains(planner)) - chance
        assert apart.mean() > 2 * apart.std() / sqrt(12) > 0


def test_simulations_in_parts_find_what_a_whole_does() -> None:
    for problem in SMALL:
        whole, parts = DrawnPomcp(problem, 3000, seed=3), DrawnPomcp(problem, 500, seed=3)
        whole.choose()
        for _ in range(6):
            parts.choose()
        assert [part.tolist() for part in whole.root] == [part.tolist() for part in parts.root]


def test_histories_have_a_known_value() -> None:
    """One rock under the rover, good or bad, and the way out: the check pays for itself."""
    problem = drawn_rocksample(1, 1)
    found = DrawnPomcp(problem, 4000, coefficient=10.0, seed=1).search()
    assert problem.actions[found.action] == "check-0"
    assert found.value == pytest.approx(0.95 * (0.5 * (10 + 9.5) + 0.5 * 10), abs=0.8)


@pytest.mark.usefixtures("without_processes")
def test_the_benchmark_says_who_cannot_play(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sleuth.planning.pomdps.drawn.problems.ship_bounds", lambda *_, **__: (57.5, 71.5))
    line = ("bench", "planning", "--problems", "battleship", "--episodes", "1", "--workers", "1")
    code, _, err = run(*line, "--methods", "tree,random")
    assert code == 0
    assert err.splitlines()[-1] == "not played by tree, as states are drawn there: battleship"
    found = json_of(run(*line, "--methods", "random,pomcp", "--seconds", "0.001", "--json"))
    assert [row["method"] for row in found["results"]] == ["random", "pomcp"]
    assert (found["results"][1]["lower"], found["results"][1]["upper"]) == (57.5, 71.5)
    code, _, err = run(*line, "--methods", "tree,hsvi")
    assert code == 2
    assert err == (
        "sleuth: the states of battleship are drawn, which tree, hsvi cannot take; pomcp, despot and random"
        " can\n"
    )


@pytest.mark.usefixtures("without_processes")
def test_the_benchmark_plays_drawn_problems_of_ones_own(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "from sleuth.planning import drawn_rocksample\n\ndef small():\n    return drawn_rocksample(3, 2)\n"
    Path("mine.py").write_text(f"{text}\nmade = drawn_rocksample(2, 2)\n", encoding="utf-8")
    line = (
        "bench",
        "planning",
        "--problems",
        "mine.py:small,mine.py:made,twenty-questions",
        "--workers",
        "1",
    )
    asked = (*line, "--methods", "tree,random,pomcp", "--episodes", "1", "--seconds", "0.001", "--json")
    rows = json_of(run(*asked))["results"]
    assert [row["method"] for row in rows] == [
        "random",
        "pomcp",
        "random",
        "pomcp",
        "tree",
        "random",
        "pomcp",
    ]
    for row, problem in ((rows[0], drawn_rocksample(3, 2)), (rows[2], drawn_rocksample(2, 2))):
        assert (row["lower"], row["upper"]) == problem.bounds()
    _, _, err = run(*line, "--methods", "tree,random", "--episodes", "1", "--seconds", "0.001")
    assert (
        err.splitlines()[-1] == "not played by tree, as states are drawn there: mine.py:small, mine.py:made"
    )
