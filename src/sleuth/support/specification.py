"""Things of one kind from text: name, or name(option=value, ...), and a dictionary of options.

What is named is a class, as a rule a frozen dataclass, whose fields are its options and whose class attribute
`name` is how it is registered. Strategies, samplers, methods of planning and control problems are made so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from inspect import signature
from itertools import chain
from numbers import Integral, Real
from types import NoneType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from sleuth.support.errors import SleuthError
from sleuth.support.foreign import no_exit
from sleuth.support.indices import shown
from sleuth.support.registry import Registry, unknown_name

Value = TypeVar("Value")
Readers = Mapping[Any, Callable[[str, Any], Any]]
"""By the type of an option: what turns its name and a value, or text, into one. Raises SleuthError."""


def from_text(
    registry: Registry[type[Any]],
    text: str,
    options: Mapping[str, Any] | None = None,
    readers: Readers | None = None,
    *,
    files: bool = False,
) -> Any:
    """Return what a registry has under a name, made with the options, as text or as values.

    readers: for options whose types are not plain. files: see Registry.load. Raises UnknownNameError for a
    name or option that does not exist, SleuthError for a value that an option does not take and for an
    option in parentheses that options have, too. An object that is no class is returned as it is, and takes
    no options.
    """
    if not isinstance(text, str):
        raise SleuthError(f"a {registry.kind} is given as text, not as {shown(text)}")
    name, opened, inner = text.strip().partition("(")
    if opened and not inner.endswith(")"):
        raise SleuthError(f"{registry.kind} {text!r} lacks its closing parenthesis")
    kind = registry.load(name.strip(), files=files)
    given = _once(chain(_pairs(split(inner[:-1])), (options or {}).items()))
    if not callable(kind):  # an object in somebody's file, made there; who asked for it checks what it is
        if given:
            raise SleuthError(f"{name} is made already and takes no options; {next(iter(given))!r} was given")
        return kind
    if getattr(kind, "_is_protocol", False):
        raise SleuthError(f"{name} is a protocol, of which nothing can be made; name a class that follows it")
    known = option_fields(kind)
    hints = _hints(kind) if known else {}
    values = {}
    for key, value in given.items():
        if key not in known:
            raise (
                unknown_name(f"option of {name}", key, known)
                if known
                else SleuthError(f"{name} takes no options, and {key!r} was given{_as_fields(kind)}")
            )
        values[key] = _convert(f"{name} option {key}", hints[key], value, readers or {})
    try:
        signature(kind).bind(**values)
    except TypeError as error:
        raise SleuthError(f"{registry.kind} {name!r} cannot be made so: {error}{_as_fields(kind)}") from None
    with no_exit(name):
        return kind(**values)


def _hints(kind: type[Any]) -> dict[str, Any]:
    """Return the types of a class's fields. Raises SleuthError where they cannot be told."""
    try:
        return get_type_hints(kind)
    except (NameError, TypeError) as error:
        raise SleuthError(f"the types of {kind.__name__}'s options cannot be read: {error}") from None


def _as_fields(kind: type[Any]) -> str:
    """Return what a message says of the options of a class that is no dataclass, or of a function."""
    return "" if is_dataclass(kind) else "; options are the fields of a dataclass"


def option_fields(kind: type[Any]) -> dict[str, Field[Any]]:
    """Return the options that a class takes, by name: the fields of its dataclass, if it is one."""
    if not is_dataclass(kind):
        return {}
    return {field.name: field for field in fields(kind) if field.init}


def check_options(made: Any) -> None:
    """Raise SleuthError for the first option that something was made with whose value is of another type.

    Numbers are told from text, and whole ones from others; options of other types are left alone.
    """
    hints = _hints(type(made))
    for key in option_fields(type(made)):
        value, hint = getattr(made, key), hints[key]
        if get_origin(hint) is tuple:
            inner = get_args(hint)[0]
            if not isinstance(value, tuple | list) or not all(_fits(item, inner) for item in value):
                raise SleuthError(f"{key} must be a tuple, each {_shown(inner)}, not {shown(value)}")
        elif not _fits(value, hint):
            raise SleuthError(f"{key} must be {_either(get_args(hint) or (hint,))}, not {shown(value)}")


def _fits(value: Any, hint: Any) -> bool:
    if get_args(hint):
        return any(_fits(value, choice) for choice in get_args(hint))
    kinds: dict[Any, type[Any]] = {int: Integral, float: Real, NoneType: NoneType}
    kind = kinds.get(hint)
    return kind is None or (isinstance(value, kind) and not isinstance(value, bool))


def options_of(made: Any) -> dict[str, Any]:
    """Return the options that something was made with as plain values; from_text reads them back."""
    return {key: _plain(getattr(made, key)) for key in option_fields(type(made))}


def default_of(field: Field[Any]) -> Any:
    """Return the default of an option as a plain value, None where it has none."""
    if field.default_factory is not MISSING:
        return _plain(field.default_factory())
    return None if field.default is MISSING else _plain(field.default)


def specification_of(made: Any, name: str | None = None) -> str:
    """Return the text that from_text turns into this again, defaults left out.

    name: what it is called, where that is not its own name: FILE.py:NAME.
    """
    name = str(made.name) if name is None else name
    kind = type(made)
    changed = [
        f"{key}={str(value).lower() if isinstance(value, bool) else value}"
        for key, value in options_of(made).items()
        if value != default_of(option_fields(kind)[key])
    ]
    return f"{name}({','.join(changed)})" if changed else name


def _plain(value: Any) -> Any:
    if isinstance(getattr(type(value), "name", None), str):
        return specification_of(value)
    if isinstance(value, tuple):
        return "/".join(str(_plain(item)) for item in value)
    plain = value is None or isinstance(value, str | int | float | list | dict)
    return value if plain else str(value)


def key_values(texts: Iterable[str]) -> dict[str, str]:
    """Return what options of the form KEY=VALUE say. Raises SleuthError, for a key given twice too."""
    return _once(_pairs(texts))


def _pairs(texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            raise SleuthError(f"option {text!r} is not of the form KEY=VALUE")
        yield key, value


def _once(pairs: Iterable[tuple[str, Value]]) -> dict[str, Value]:
    """Return a dictionary of pairs. Raises SleuthError for a key that comes twice."""
    values: dict[str, Value] = {}
    for key, value in pairs:
        if key in values:
            raise SleuthError(f"option {key!r} is given twice, as {values[key]!r} and as {value!r}")
        values[key] = value
    return values


def split(text: str, separator: str = ",") -> list[str]:
    """Split at the separators that are outside parentheses."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == separator and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def _convert(what: str, hint: Any, value: Any, readers: Readers) -> Any:
    """Return the value as its option takes it, or raise SleuthError."""
    if get_origin(hint) is tuple:
        if not isinstance(value, str | tuple | list):
            raise SleuthError(f"{what} is {value!r}; it takes strategies separated by slashes")
        items = split(value, "/") if isinstance(value, str) else value
        return tuple(_convert(what, get_args(hint)[0], item, readers) for item in items)
    if hint in readers:
        return readers[hint](what, value)
    choices = get_args(hint)
    if get_origin(hint) is Literal:
        if value not in choices:
            raise unknown_name(what, str(value), map(str, choices))
        return value
    if choices:  # a union such as int | Literal["all"]
        for choice in reversed(choices):
            try:
                return _convert(what, choice, value, readers)
            except SleuthError:
                continue
        raise SleuthError(f"{what} is {value!r}; it takes {_either(choices)}")
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


def _either(hints: tuple[Any, ...]) -> str:
    """Return what a value may be, in words; that it may also be left out goes without saying."""
    return " or ".join(_shown(hint) for hint in hints if hint is not NoneType)


def _shown(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return " or ".join(map(str, get_args(hint)))
    return {int: "a whole number", float: "a number"}.get(hint, str(hint))
