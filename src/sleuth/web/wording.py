"""What requests are told in words: what is wrong with a field, as a plain sentence, and their path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_OWNERS = {"puzzle": "a puzzle's", "game": "a game's"}
_ONES = {
    "rows": "row",
    "guesses": "guess",
    "answers": "answer",
    "boards": "board",
    "add": "added word",
    "remove": "removed word",
    "actions": "action",
}
_TYPES = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
}
_BOUNDS = {
    "less_than_equal": ("at most", "le"),
    "less_than": ("less than", "lt"),
    "greater_than_equal": ("at least", "ge"),
    "greater_than": ("more than", "gt"),
}
_SIZES = {
    "string_too_long": ("at most", "max_length", "character"),
    "string_too_short": ("at least", "min_length", "character"),
    "too_long": ("at most", "max_length", "entry"),
    "too_short": ("at least", "min_length", "entry"),
}
_MANY = {"character": "characters", "entry": "entries"}
_LONGEST = 500


def shortened(path: str) -> str:
    """Return the path of a request, of one that is very long its beginning."""
    return path if len(path) <= _LONGEST else f"{path[:_LONGEST]}…"


def sentence(error: Mapping[str, Any], path: Sequence[str | int]) -> str:
    """Return what is wrong with the field at a path, and what is allowed.

    error: as pydantic has it.

    >>> sentence({"type": "less_than_equal", "ctx": {"le": 10**9}}, ["puzzle", "number"])
    "a puzzle's number is at most 1,000,000,000"
    >>> sentence({"type": "missing"}, ["rows", 1, "feedback"])
    "row 2's feedback is missing"
    """
    name, kind, context = named(path), error["type"], error.get("ctx", {})
    if kind == "missing":
        return f"{name} is missing"
    if kind == "extra_forbidden":
        return f"{name} is not known here"
    if kind in _TYPES:
        return f"{name} must be {_TYPES[kind]}"
    if kind in _BOUNDS:
        word, key = _BOUNDS[kind]
        return f"{name} is {word} {context[key]:,}"
    if kind in _SIZES:
        word, key, unit = _SIZES[kind]
        count = context[key]
        return f"{name} may have {word} {count:,} {unit if count == 1 else _MANY[unit]}"
    if kind == "literal_error":
        return f"{name} is one of {context['expected']}"
    return f"{name}: {error['msg']}"


def named(path: Sequence[str | int]) -> str:
    """Return what a person calls the field at a path; the body itself is "the request"."""
    name = ""
    for part in path:
        if isinstance(part, int):
            name = f"{_ONES.get(name, name)} {part + 1}"
        elif not name:
            name = part
        else:
            name = f"{_OWNERS.get(name) or f'{name}{chr(39)}s'} {part}"
    return name or "the request"
