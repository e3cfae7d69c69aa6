"""Strategies from text: name, or name(option=value, ...), and a dictionary of options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass, replace
from inspect import signature
from typing import Any, Literal, get_args, get_origin, get_type_hints

from sleuth.errors import SleuthError, StrategyError
from sleuth.registry import Registry, unknown_name
from sleuth.strategies.base import BatchStrategy, Strategy, check_player
from sleuth.strategies.registry import STRATEGIES


def make(specification: str, options: Mapping[str, Any] | None = None) -> Strategy:
    """Return a strategy by its name, with options as text or as values.

    Options of strategies within strategies go into parentheses; a slash separates the strategies of a
    schedule. Raises UnknownNameError for a name or
    option that does not exist, SleuthError for a value that an option does not take.

    >>> make("rollout", {"base": "alpha(alpha=-1)", "width": "20"})
    Rollout(base=Alpha(ties='candidates-first', alpha=-1.0), width=20, depth=1, values='base')
    """
    made: Strategy = from_text(STRATEGIES, specification, options)
    check_player(made, "choose", "rank")
    return made


def from_text(registry: Registry[type[Any]], text: str, options: Mapping[str, Any] | None = None) -> Any:
    """Return what a registry has under a name, made with the options: as make does for strategies."""
    name, opened, inner = text.strip().partition("(")
    if opened and not inner.endswith(")"):
        raise SleuthError(f"{registry.kind} {text!r} lacks its closing parenthesis")
    kind = registry.load(name.strip())
    given = {**dict(_option(part) for part in _parts(inner[:-1])), **(options or {})}
    if not callable(kind):
        raise SleuthError(f"{registry.kind} {name!r} is no class but a {type(kind).__name__}")
    known = option_fields(kind)
    hints = _hints(kind) if known else {}
    values = {}
    for key, value in given.items():
        if key not in known:
            raise (
                unknown_name(f"option of {name}", key, known)
                if known
                else SleuthError(f"{name} takes no options, and {key!r} was given")
            )
        values[key] = _convert(f"{name} option {key}", hints[key], value)
    try:
        signature(kind).bind(**values)
    except TypeError as error:
        raise SleuthError(f"{registry.kind} {name!r} cannot be made so: {error}") from None
    return kind(**values)


def _hints(kind: type[Any]) -> dict[str, Any]:
    """Return the types of a class's fields. Raises SleuthError where they cannot be told."""
    try:
        return get_type_hints(kind)
    except (NameError, TypeError) as error:
        raise SleuthError(f"the types of {kind.__name__}'s options cannot be read: {error}") from None


def with_ties(strategy: Strategy, ties: str) -> Strategy:
    """Return the strategy with another tie rule, or with bases that have it. Raises SleuthError."""
    kind = type(strategy)
    if "ties" in option_fields(kind):
        return make(strategy.name, {**options_of(strategy), "ties": ties})
    inner = {
        key: tuple(with_ties(one, ties) for one in value)
        if isinstance(value, tuple)
        else with_ties(value, ties)
        for key in option_fields(kind)
        if isinstance(value := getattr(strategy, key), BatchStrategy | tuple)
    }
    if not inner:
        raise SleuthError(f"{strategy.name} has no tie rule")
    changed: Strategy = replace(strategy, **inner)  # type: ignore[type-var]
    return changed


def option_fields(kind: type[Any]) -> dict[str, Field[Any]]:
    """Return the options that a strategy takes, by name: the fields of its dataclass, if it is one."""
    if not is_dataclass(kind):
        return {}
    return {field.name: field for field in fields(kind) if field.init}


def options_of(strategy: Strategy) -> dict[str, Any]:
    """Return a strategy's options as plain values, ready for JSON; make() reads them back."""
    return {key: _plain(getattr(strategy, key)) for key in option_fields(type(strategy))}


def default_of(field: Field[Any]) -> Any:
    """Return the default of an option as a plain value, None where it has none."""
    if field.default_factory is not MISSING:
        return _plain(field.default_factory())
    return None if field.default is MISSING else _plain(field.default)


def specification_of(strategy: Strategy) -> str:
    """Return the text that make() turns into this strategy, defaults left out."""
    kind = type(strategy)
    changed = [
        f"{key}={str(value).lower() if isinstance(value, bool) else value}"
        for key, value in options_of(strategy).items()
        if value != default_of(option_fields(kind)[key])
    ]
    return f"{strategy.name}({','.join(changed)})" if changed else strategy.name


def _plain(value: Any) -> Any:
    if isinstance(value, BatchStrategy):
        return specification_of(value)
    if isinstance(value, tuple):
        return "/".join(str(_plain(item)) for item in value)
    plain = value is None or isinstance(value, str | int | float | list | dict)
    return value if plain else str(value)


def _option(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise SleuthError(f"option {text!r} is not of the form key=value")
    return key.strip(), value.strip()


def _parts(text: str, separator: str = ",") -> list[str]:
    """Split at the separators that are outside parentheses."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == separator and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def _convert(what: str, hint: Any, value: Any) -> Any:
    """Return the value as its option takes it, or raise SleuthError."""
    if get_origin(hint) is tuple:
        if not isinstance(value, str | tuple | list):
            raise SleuthError(f"{what} is {value!r}; it takes strategies separated by slashes")
        items = _parts(value, "/") if isinstance(value, str) else value
        return tuple(_convert(what, get_args(hint)[0], item) for item in items)
    if hint is BatchStrategy:
        made = make(value) if isinstance(value, str) else value
        if not isinstance(made, BatchStrategy):
            raise StrategyError(f"{what}: {value} does not rank guesses for many sets at once")
        return made
    choices = get_args(hint)
    if get_origin(hint) is Literal:
        if value not in choices:
            raise unknown_name(what, str(value), map(str, choices))
        return value
    if choices:  # a union such as int | Literal["all"]
        for choice in reversed(choices):
            try:
                return _convert(what, choice, value)
            except SleuthError:
                continue
        raise SleuthError(f"{what} is {value!r}; it takes {' or '.join(map(_shown, choices))}")
    if hint is bool:
        switches = {"true": True, "false": False}
        if str(value).lower() not in switches:
            raise SleuthError(f"{what} is {value!r}; it takes true or false")
        return switches[str(value).lower()]
    try:
        converted = hint(value)
        if not isinstance(value, str) and (isinstance(value, bool) or converted != value):
            raise ValueError
    except (TypeError, ValueError):
        raise SleuthError(f"{what} is {value!r}; it takes {_shown(hint)}") from None
    return converted


def _shown(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return " or ".join(map(str, get_args(hint)))
    return {int: "a whole number", float: "a number"}.get(hint, str(hint))
