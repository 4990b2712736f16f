"""Bots by name, as on the command line: ``greedy``, or ``module:Class`` for one's own."""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from importlib import import_module
from inspect import signature
from typing import Any, Final

from finspan.bots import Bot
from finspan.playing import Awaiting

BUILT_IN: Final[Mapping[str, str]] = {"greedy": "finspan:GreedyBot", "random": "finspan:RandomBot"}
"""The bots that come with the client, and where they are."""
NAME_LENGTH: Final = 36
"""How long a bot's name may be: with its number it still is a display name, which has 40 characters."""


class BadBot(Exception):
    """A name that names no bot."""


@contextmanager
def entered(entries: Iterable[str], *, seed: str) -> Iterator[dict[str, Bot]]:
    """Yield bots by what they are called; those that are context managers are left at the end.

    Args:
        entries: What names them: ``greedy``, ``random``, or ``module:Class``.
        seed: Given to those whose class takes a ``seed``.

    Raises:
        BadBot: one cannot be had; the message says why.

    """
    with ExitStack() as stack:
        named = names_of(entries).items()
        yield {
            name: _entered(entry, f"{seed} {number}", stack)
            for number, (name, entry) in enumerate(named, start=1)
        }


def names_of(entries: Iterable[str]) -> dict[str, str]:
    """Return what names each bot, by what the bot is called."""
    named: dict[str, str] = {}
    for entry in entries:
        named[_free_name(entry, named)] = entry
    return named


def import_bots(entries: Iterable[str]) -> None:
    """Make sure that the classes of bots are there.

    Raises:
        BadBot: one is not; the message says why.

    """
    for entry in entries:
        _class(entry)


def _entered(entry: str, seed: str, stack: ExitStack) -> Bot:
    """Return a new bot, which the stack leaves again; one of somebody's own comes as one that blocks."""
    bot = _made(entry, seed)
    if isinstance(bot, AbstractContextManager):
        bot = stack.enter_context(bot)
    return bot if entry in BUILT_IN else stack.enter_context(Awaiting(bot))


def _made(entry: str, seed: str) -> Any:  # noqa: ANN401  whatever can choose
    kind = _class(entry)
    try:
        bot = kind(seed=seed) if "seed" in signature(kind).parameters else kind()
    except TypeError as error:
        raise BadBot(f"{entry} cannot be made: {error}") from error
    if not callable(getattr(bot, "choose", None)):
        raise BadBot(f"{entry} is no bot: it has no method choose.")
    return bot


def _class(entry: str) -> Any:  # noqa: ANN401  whatever is there
    module, colon, name = BUILT_IN.get(entry, entry).partition(":")
    if not colon:
        known = ", ".join(BUILT_IN)
        raise BadBot(f"There is no bot {entry}: it is one of {known}, or a class of yours, as module:Class.")
    if os.getcwd() not in sys.path:  # noqa: PTH109  sys.path has texts
        sys.path.insert(0, os.getcwd())  # noqa: PTH109
    try:
        found = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise BadBot(f"{entry} cannot be imported: {error}") from error
    if not isinstance(found, type):
        raise BadBot(f"{entry} is no class.")
    return found


def _free_name(entry: str, taken: Iterable[str]) -> str:
    """Return what a bot is called: by its class; if there are several, by their numbers too."""
    name = entry.rpartition(":")[2][:NAME_LENGTH]
    same = sum(other.rpartition(" ")[0] == name or other == name for other in taken)
    return f"{name} {same + 1}" if same else name
