"""POMDPs in PomdpX files, `.pomdpx` (APPL's "PomdpX File Format", version 1.0), read and written.

States are factored there: what is read is flat, a state for each combination of values. State variables that
are fully observed are a part of the observation. Tables (TBL) and decision diagrams (DD) are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

import numpy as np

from sleuth.planning.control import Weights
from sleuth.planning.pomdps.elements import Element, document
from sleuth.planning.pomdps.factors import Factor, Variable, combinations, read_factor, scaled
from sleuth.planning.pomdps.pomdp import POMDP, Rows, check_pomdp
from sleuth.support.errors import SleuthError
from sleuth.support.files import bytes_of, save_bytes

_MOST_BYTES = 2**28
_MOST_STATES = 1_000_000
# Chances in files are rounded; a row that is off by no more than this is scaled.
_ROUNDING = 1e-4
_NOT_NAMES = {"*", "-", "null", "uniform", "identity"}


def read_pomdpx(path: Path | str) -> POMDP:
    """Return the POMDP of a file. Raises SleuthError, naming the line, where it is none."""
    data = bytes_of(Path(path), _MOST_BYTES)
    try:
        return pomdp_from_xml(data)
    except SleuthError as error:
        raise SleuthError(f"{path}: {error}") from None


def write_pomdpx(pomdp: POMDP, path: Path | str) -> None:
    """Write a POMDP to a file, whole or not at all. Raises SleuthError where that cannot be done."""
    check_pomdp(pomdp)
    save_bytes(Path(path), pomdp_to_xml(pomdp))


# Reading


class _Named(NamedTuple):
    """The variables of a file. now, before: of state variables, in one order; seen: whether each is."""

    before: tuple[Variable, ...]
    now: tuple[Variable, ...]
    seen: tuple[bool, ...]
    observed: tuple[Variable, ...]
    actions: tuple[Variable, ...]
    rewards: tuple[str, ...]

    @property
    def all(self) -> dict[str, Variable]:
        return {one.name: one for one in (*self.before, *self.now, *self.observed, *self.actions)}


def pomdp_from_xml(data: bytes) -> POMDP:
    """Return the POMDP that a document states. Raises SleuthError naming the line."""
    root = document(data)
    if root.name != "pomdpx":
        root.fail(f"the document is <{root.name}>, not <pomdpx>")
    discount = root.one("Discount")
    try:
        factor = float(discount.text)
    except ValueError:
        discount.fail(f"{discount.text.strip()!r} stands where a number should")
    if not 0 <= factor < 1:
        discount.fail(f"a discount lies in [0, 1), not {factor}")
    named = _variables(root.one("Variable"))
    states = list(combinations(named.before))
    initial = _chains(root.one("InitialStateBelief"), named, named.before, ())
    moves = _chains(root.one("StateTransitionFunction"), named, named.now, (*named.actions, *named.before))
    tells: list[Factor] = []
    if named.observed:
        tells = _chains(root.one("ObsFunction"), named, named.observed, (*named.actions, *named.now))
    gains = _rewards(root.one("RewardFunction"), named)
    actions = list(combinations(named.actions))
    follows = [
        _drawn(moves, named.now, _valued((named.actions, action), (named.before, state)))
        for action in actions
        for state in states
    ]
    told = [
        _drawn(tells, named.observed, _valued((named.actions, action), (named.now, state)))
        for action in actions
        for state in states
    ]
    reward = _expected(gains, named, actions, states, follows, told)
    shape = [len(one.values) for one in named.before]
    extent = [len(one.values) for one in named.observed]
    shown = [one for one, seen in zip(named.now, named.seen, strict=True) if seen]
    extent += [len(one.values) for one in shown]
    observed = []
    for row, found in enumerate(told):
        state = states[row % len(states)]
        visible = tuple(value for value, seen in zip(state, named.seen, strict=True) if seen)
        observed.append({(*values, *visible): chance for values, chance in found.items()})
    first = np.zeros(len(states))
    for values, chance in _drawn(initial, named.before, {}).items():
        first[np.ravel_multi_index(values, shape)] = chance
    return POMDP(
        _table(follows, shape),
        _table(observed, extent),
        reward,
        factor,
        first,
        _names(named.before),
        _names(named.actions),
        _names((*named.observed, *shown)) if extent else ("nothing",),
    )


def _variables(place: Element) -> _Named:
    before, now, seen, observed, actions, rewards = [], [], [], [], [], []
    names: set[str] = set()

    def named(one: Element, attribute: str) -> str:
        name = one.attribute(attribute)
        if name in names:
            one.fail(f"{name!r} names two variables")
        names.add(name)
        return name

    for one in place.children:
        if one.name == "StateVar":
            values = _values(one, "s")
            before.append(Variable(named(one, "vnamePrev"), values))
            now.append(Variable(named(one, "vnameCurr"), values))
            seen.append(one.attributes.get("fullyObs", "false").strip() == "true")
        elif one.name == "ObsVar":
            observed.append(Variable(named(one, "vname"), _values(one, "o")))
        elif one.name == "ActionVar":
            actions.append(Variable(named(one, "vname"), _values(one, "a")))
        elif one.name == "RewardVar":
            rewards.append(named(one, "vname"))
        else:
            one.fail(f"<{one.name}> is no variable: StateVar, ObsVar, ActionVar or RewardVar")
    for kind, found in (("StateVar", before), ("ActionVar", actions), ("RewardVar", rewards)):
        if not found:
            place.fail(f"a <{kind}> is missing")
    n_states = prod(len(one.values) for one in before)
    if n_states > _MOST_STATES:
        place.fail(f"{n_states} states are more than {_MOST_STATES}")
    return _Named(tuple(before), tuple(now), tuple(seen), tuple(observed), tuple(actions), tuple(rewards))


def _values(place: Element, letter: str) -> tuple[str, ...]:
    if place.all("NumValues"):
        count = place.one("NumValues")
        words = count.words()
        if len(words) != 1 or not words[0].isdecimal() or not 0 < int(words[0]) <= _MOST_STATES:
            count.fail(f"the number of values is {count.text.strip()!r}; it is a whole number above 0")
        return tuple(f"{letter}{number}" for number in range(int(words[0])))
    named = place.one("ValueEnum")
    words = named.words()
    if not words or len(set(words)) < len(words):
        named.fail("values differ, and there is one at least")
    return tuple(words)


def _of(place: Element, named: _Named, allowed: Sequence[Variable]) -> tuple[Variable, ...]:
    """Return the parents that an element names."""
    found = []
    for word in place.one("Parent").words():
        if word == "null":
            continue
        if word not in named.all or named.all[word] not in allowed:
            place.one("Parent").fail(
                f"{word!r} cannot be a parent here: there are {', '.join(one.name for one in allowed)}"
            )
        found.append(named.all[word])
    if len(set(found)) < len(found):
        place.one("Parent").fail("a parent is named twice")
    return tuple(found)


def _chains(
    place: Element, named: _Named, variables: tuple[Variable, ...], given: tuple[Variable, ...]
) -> list[Factor]:
    """Return the chances of some variables, each after those that it depends on."""
    found: dict[str, Factor] = {}
    before = {now.name: then.name for now, then in zip(named.now, named.before, strict=True)}
    for one in place.all("CondProb"):
        of = one.one("Var")
        name = of.text.strip()
        if name in found or name not in (variable.name for variable in variables):
            of.fail(f"{name!r} has no chances here, or has them twice")
        others = tuple(variable for variable in variables if variable.name != name)
        parents = _of(one, named, (*given, *others))
        factor = read_factor(one, (*parents, named.all[name]), "ProbTable", before)
        found[name] = Factor(factor.variables, scaled(factor, _ROUNDING), one)
    for variable in variables:
        if variable.name not in found:
            place.fail(f"<{place.name}> lacks the chances of {variable.name}")
    ordered: list[Factor] = []
    known = {variable.name for variable in given}
    while found:
        ready = [name for name, factor in found.items() if known.issuperset(factor.names[:-1])]
        if not ready:
            place.fail(f"the chances of {', '.join(found)} depend on each other")
        for name in ready:
            ordered.append(found.pop(name))
            known.add(name)
    return ordered


def _rewards(place: Element, named: _Named) -> list[Factor]:
    everything = (*named.actions, *named.before, *named.now, *named.observed)
    found = []
    for one in place.all("Func"):
        of = one.one("Var")
        if of.text.strip() not in named.rewards:
            of.fail(f"{of.text.strip()!r} is no reward variable")
        parents = _of(one, named, everything)
        if not parents:
            one.one("Parent").fail("a reward depends on a variable at least")
        found.append(read_factor(one, parents, "ValueTable", {}))
    return found


def _valued(*pairs: tuple[Sequence[Variable], Sequence[int]]) -> dict[str, int]:
    return {one.name: number for some, numbers in pairs for one, number in zip(some, numbers, strict=True)}


def _drawn(
    chains: Sequence[Factor], variables: Sequence[Variable], given: Mapping[str, int]
) -> dict[tuple[int, ...], float]:
    """Return how likely each combination of values of some variables is, those that are possible."""
    found: list[tuple[dict[str, int], float]] = [({}, 1.0)]
    for factor in chains:
        name = factor.names[-1]
        more = []
        for values, chance in found:
            row: Weights = factor.at({**given, **values})
            possible = np.flatnonzero(row).tolist()
            more += [({**values, name: number}, chance * float(row[number])) for number in possible]
        found = more
    return {tuple(values[one.name] for one in variables): chance for values, chance in found}


def _expected(
    gains: Sequence[Factor],
    named: _Named,
    actions: Sequence[tuple[int, ...]],
    states: Sequence[tuple[int, ...]],
    follows: Sequence[dict[tuple[int, ...], float]],
    told: Sequence[dict[tuple[int, ...], float]],
) -> Weights:
    """Return what each action brings in each state on average, float64 [actions, states]."""
    reward = np.zeros((len(actions), len(states)))
    observed = {one.name for one in named.observed}
    later = observed | {one.name for one in named.now}
    places = {state: number for number, state in enumerate(states)}
    for gain in gains:
        needs_seen, needs_then = observed & set(gain.names), later & set(gain.names)
        for row in range(len(actions) * len(states)):
            action, state = divmod(row, len(states))
            given = _valued((named.actions, actions[action]), (named.before, states[state]))
            if not needs_then:
                reward[action, state] += gain.at(given)
                continue
            for then, chance in follows[row].items():
                known = {**given, **_valued((named.now, then))}
                if not needs_seen:
                    reward[action, state] += chance * gain.at(known)
                    continue
                for seen, share in told[action * len(states) + places[then]].items():
                    values = {**known, **_valued((named.observed, seen))}
                    reward[action, state] += chance * share * gain.at(values)
    return reward


def _table(rows: Sequence[dict[tuple[int, ...], float]], shape: Sequence[int]) -> Rows:
    starts, columns, chances = [0], [], []
    for row in rows:
        for values in sorted(row):
            columns.append(int(np.ravel_multi_index(values, tuple(shape))) if shape else 0)
            chances.append(row[values])
        starts.append(len(columns))
    return Rows(np.array(starts), np.array(columns, np.int64), np.array(chances))


def _names(variables: Sequence[Variable]) -> tuple[str, ...]:
    return tuple(
        ",".join(one.values[number] for one, number in zip(variables, numbers, strict=True))
        for numbers in combinations(tuple(variables))
    )


# Writing


def pomdp_to_xml(pomdp: POMDP) -> bytes:
    """Return a POMDP in the format, with one state variable.

    Names that it has no room for, with spaces say, become numbers.
    """
    lines = list(_lines(pomdp))
    return ("\n".join(lines) + "\n").encode()


def _lines(pomdp: POMDP) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<pomdpx version="1.0" id="sleuth">'
    yield f"<Discount>{pomdp.discount!r}</Discount>"
    yield "<Variable>"
    names = {}
    for kind, letter, tag in (
        ("states", "s", 'StateVar vnamePrev="state_0" vnameCurr="state_1" fullyObs="false"'),
        ("observations", "o", 'ObsVar vname="observation"'),
        ("actions", "a", 'ActionVar vname="action"'),
    ):
        given = getattr(pomdp, kind)
        fit = all(name.split() == [name] and name.isprintable() and name not in _NOT_NAMES for name in given)
        names[kind] = given if fit else tuple(f"{letter}{number}" for number in range(len(given)))
        names[kind] = tuple(map(escape, names[kind]))
        values = f"<ValueEnum>{' '.join(names[kind])}</ValueEnum>"
        yield f"<{tag}>{values if fit else f'<NumValues>{len(given)}</NumValues>'}</{tag.split()[0]}>"
    yield '<RewardVar vname="reward"/>'
    yield "</Variable>"
    states, actions = names["states"], names["actions"]
    chances = " ".join(map(repr, pomdp.initial.tolist()))
    yield "<InitialStateBelief>"
    yield from _block("CondProb", "state_0", "null", [_entry("-", "ProbTable", chances)])
    yield "</InitialStateBelief>"
    for tag, var, parents, table, columns in (
        ("StateTransitionFunction", "state_1", "action state_0", pomdp.transition, states),
        ("ObsFunction", "observation", "action state_1", pomdp.observation, names["observations"]),
    ):
        yield f"<{tag}>"
        entries = zip(table.rows.tolist(), table.columns.tolist(), table.values.tolist(), strict=True)
        lines = []
        for row, column, value in entries:
            action, state = divmod(row, len(states))
            words = f"{actions[action]} {states[state]} {columns[column]}"
            lines.append(_entry(words, "ProbTable", repr(value)))
        yield from _block("CondProb", var, parents, lines)
        yield f"</{tag}>"
    yield "<RewardFunction>"
    lines = [
        _entry(f"{actions[action]} {states[state]}", "ValueTable", repr(float(pomdp.reward[action, state])))
        for action, state in np.argwhere(pomdp.reward).tolist()
    ]
    yield from _block("Func", "reward", "action state_0", lines)
    yield "</RewardFunction>"
    yield "</pomdpx>"


def _entry(instance: str, kind: str, numbers: str) -> str:
    return f"<Entry><Instance>{instance}</Instance><{kind}>{numbers}</{kind}></Entry>"


def _block(tag: str, var: str, parents: str, entries: Sequence[str]) -> Iterator[str]:
    yield f'<{tag}><Var>{var}</Var><Parent>{parents}</Parent><Parameter type="TBL">'
    yield from entries
    yield f"</Parameter></{tag}>"
