"""A state to the last field: a picture of it, and the parts of it that could be changed in place."""

from collections.abc import Hashable, Iterator
from typing import Any, Final

from service.engine.state import GameState, Player

_PARTS: Final = (GameState, Player, list, dict)
"""The types of all that a state is made of and that could be changed in place."""


def _items(part: Any) -> Iterator[tuple[Any, Any]]:  # noqa: ANN401  a state holds values of many types
    """Return what a part of a state holds, each under its name, key or index."""
    if isinstance(part, GameState | Player):
        names = getattr(type(part), "__mypyc_attrs__", ()) or type(part).__slots__  # compiled, or plain
        return ((name, getattr(part, name)) for name in names)
    return iter(sorted(part.items()) if isinstance(part, dict) else enumerate(part))


def fingerprint(part: Any) -> Hashable:  # noqa: ANN401  a state holds values of many types
    """Return a deep, immutable picture of a state: every field of it, also those no digest looks at."""
    items = [
        (key, fingerprint(item) if type(item) in _PARTS else _frozen(item)) for key, item in _items(part)
    ]
    return (type(part), *items)


def _frozen(item: Hashable) -> Hashable:
    """Return what is no part; it must not be changeable either, which what has a hash is not."""
    hash(item)
    return item


def mutable_parts(part: Any) -> Iterator[Any]:  # noqa: ANN401  a state holds values of many types
    """Yield everything in a state that could be changed in place."""
    yield part
    for _, item in _items(part):
        if type(item) in _PARTS:
            yield from mutable_parts(item)
