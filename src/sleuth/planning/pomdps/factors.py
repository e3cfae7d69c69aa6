"""Variables of a factored POMDP, and tables over them as PomdpX files fill them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth.planning.control import Weights
from sleuth.planning.pomdps.elements import Element

_MOST_ENTRIES = 2**26


@dataclass(frozen=True)
class Variable:
    """What has one of some values. name: as tables name it; state variables have one for each time."""

    name: str
    values: tuple[str, ...]

    def number(self, value: str, at: Element) -> int:
        """Return the number of a value. Raises SleuthError with the line of an element."""
        if value not in self.values:
            at.fail(f"{value!r} is none of the {len(self.values)} values of {self.name}")
        return self.values.index(value)


@dataclass(frozen=True)
class Factor:
    """A table over variables, float64, one axis a variable; where it is of chances, the last is theirs.

    Attributes:
        variables: of the axes.
        table: the numbers.
        place: the element that it comes from.

    """

    variables: tuple[Variable, ...]
    table: Weights
    place: Element

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variables."""
        return tuple(variable.name for variable in self.variables)

    def at(self, values: Mapping[str, int]) -> Any:
        """Return what is left of the table where variables have values, by name."""
        return self.table[tuple(values.get(name, slice(None)) for name in self.names)]


def read_factor(
    place: Element, variables: tuple[Variable, ...], kind: str, before: Mapping[str, str]
) -> Factor:
    """Return the table of a <Parameter> of a <CondProb> or <Func>. Raises SleuthError naming the line.

    kind: ProbTable or ValueTable. before: of the name of a state variable now, its name before.
    """
    size = np.prod([len(variable.values) for variable in variables], dtype=float)
    if size > _MOST_ENTRIES:
        place.fail(f"a table of {size:.0f} numbers is more than {_MOST_ENTRIES}")
    table = np.zeros([len(variable.values) for variable in variables])
    parameter = place.one("Parameter")
    form = parameter.attributes.get("type", "TBL")
    if form == "TBL":
        for entry in parameter.all("Entry"):
            _fill(entry, variables, table, kind)
    elif form == "DD":
        _Diagram(parameter, variables, table, before).fill(_content(parameter.one("DAG")), {})
    else:
        parameter.fail(f"a parameter is of type TBL or DD, not {form!r}")
    return Factor(variables, table, place)


def _fill(entry: Element, variables: tuple[Variable, ...], table: Weights, kind: str) -> None:
    """Fill a part of a table: '*' stands for all values alike, '-' for all in order."""
    instance, given = entry.one("Instance"), entry.one(kind)
    words = instance.words()
    if len(words) != len(variables):
        names = ", ".join(variable.name for variable in variables)
        instance.fail(f"an instance of {names} has {len(variables)} words, not {len(words)}")
    index: list[Any] = []
    shape, free = [], []
    for word, variable in zip(words, variables, strict=True):
        if word in ("*", "-"):
            index.append(slice(None))
            shape.append(len(variable.values) if word == "-" else 1)
            free += [len(variable.values)] if word == "-" else []
        else:
            index.append(variable.number(word, instance))
    table[tuple(index)] = _numbers(given, free, len(variables[-1].values), words[-1]).reshape(shape)


def _numbers(given: Element, free: list[int], last: int, of_last: str) -> Weights:
    """Return the numbers of a table of an entry, over its free axes."""
    words = given.words()
    if words == ["uniform"] and given.name == "ProbTable" and of_last == "-":
        return np.full(free, 1 / last)
    if words == ["identity"] and given.name == "ProbTable" and len(free) == 2 and free[0] == free[1]:
        return np.eye(free[0])
    if words in (["uniform"], ["identity"]):
        given.fail(f"{words[0]} does not fit the instance")
    found = np.array([_number(word, given) for word in words])
    if len(found) != int(np.prod(free)):
        given.fail(f"the instance takes {int(np.prod(free))} numbers, not {len(found)}")
    return found


def _number(word: str, at: Element) -> float:
    try:
        value = float(word)
    except ValueError:
        at.fail(f"{word!r} stands where a number should")
    if not np.isfinite(value):
        at.fail(f"{word} is no finite number")
    return value


def _content(of: Element) -> Element:
    """Return the only element within another."""
    if len(of.children) != 1:
        of.fail(f"<{of.name}> holds one element, not {len(of.children)}")
    return of.children[0]


class _Diagram:
    """A decision diagram, followed into a table."""

    def __init__(
        self,
        parameter: Element,
        variables: tuple[Variable, ...],
        table: Weights,
        before: Mapping[str, str],
    ) -> None:
        self.places = {variable.name: place for place, variable in enumerate(variables)}
        self.variables, self.table, self.before = variables, table, before
        self.templates = {one.attribute("id"): one for one in parameter.all("SubDAGTemplate")}
        self.inside: list[str] = []

    def fill(self, node: Element, fixed: dict[str, int]) -> None:
        """Fill what an element says of, where some variables have values."""
        if node.name == "Terminal":
            self.table[self._index(fixed)] = _number(node.text.strip(), node)
        elif node.name == "Node":
            variable = self._variable(node, fixed)
            for edge in node.all("Edge"):
                number = variable.number(edge.attribute("val"), edge)
                self.fill(_content(edge), {**fixed, variable.name: number})
        elif node.name == "SubDAG":
            self._shorthand(node, fixed)
        else:
            node.fail(f"<{node.name}> stands where Node, Terminal or SubDAG should")

    def _shorthand(self, node: Element, fixed: dict[str, int]) -> None:
        kind = node.attribute("type")
        if kind == "template":
            name = node.attribute("idref")
            if name not in self.templates or name in self.inside:
                node.fail(f"there is no template {name!r}, or it holds itself")
            self.inside.append(name)
            self.fill(_content(self.templates[name]), fixed)
            self.inside.pop()
            return
        variable = self._variable(node, fixed)
        if kind == "uniform":
            self.table[self._index(fixed)] = 1 / len(variable.values)
        elif kind == "deterministic":
            number = variable.number(node.attribute("val"), node)
            self.table[self._index(fixed)] = 0.0
            self.table[self._index({**fixed, variable.name: number})] = 1.0
        elif kind == "persistent":
            before = self.before.get(variable.name, "")
            if before not in self.places:
                node.fail(f"{variable.name} cannot persist: {before or 'what it was'} is no parent")
            self.table[self._index(fixed)] = 0.0
            for number in [fixed[before]] if before in fixed else range(len(variable.values)):
                self.table[self._index({**fixed, before: number, variable.name: number})] = 1.0
        else:
            node.fail(f"a SubDAG is deterministic, persistent, uniform or template, not {kind!r}")

    def _variable(self, node: Element, fixed: dict[str, int]) -> Variable:
        name = node.attribute("var")
        if name not in self.places or name in fixed:
            node.fail(f"{name!r} is no variable of this table, or was met above")
        return self.variables[self.places[name]]

    def _index(self, fixed: dict[str, int]) -> tuple[Any, ...]:
        return tuple(fixed.get(variable.name, slice(None)) for variable in self.variables)


def combinations(variables: tuple[Variable, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the numbers of all values of some variables, the last one's fastest."""
    yield from np.ndindex(*(len(variable.values) for variable in variables))


def scaled(factor: Factor, rounding: float) -> NDArray[np.float64]:
    """Return a table of chances whose last axis adds up to one. Raises SleuthError where it does not nearly.

    rounding: by how much chances may be off.
    """
    table = factor.table
    sums = table.sum(axis=-1)
    wrong = ~((table >= 0).all(axis=-1) & (np.abs(sums - 1) <= rounding))
    for place in np.argwhere(wrong)[:1]:
        pairs = zip(factor.variables, place.tolist(), strict=False)
        given = ", ".join(f"{variable.name} {variable.values[number]}" for variable, number in pairs)
        row = table[tuple(place)]
        said = f"add up to {row.sum():.12g}, and must to 1"
        if (row < 0).any():
            said = f"have {row.min()}, below 0"
        factor.place.fail(
            f"the chances of {factor.variables[-1].name}{' where ' + given if given else ''} {said}"
        )
    off = np.abs(sums - 1) > 1e-9
    return np.where(off[..., None], table / sums[..., None], table)
