"""Bots by name, as on the command line: ``greedy``, or ``module:Class`` for one's own."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from importlib import import_module
from inspect import iscoroutinefunction, signature
from types import TracebackType
from typing import Any, Final, Self

from finspan.bots import AsyncBot, Bot
from finspan.game import Game
from finspan.moves import AnyMove

BUILT_IN: Final[Mapping[str, str]] = {"greedy": "finspan:GreedyBot", "random": "finspan:RandomBot"}
"""The bots that come with the client, and where they are."""
NAME_LENGTH: Final = 36
"""How long a bot's name may be: with its number it still is a display name, which has 40 characters."""


class BadBot(Exception):
    """A name that names no bot."""


class Awaiting:
    """Lets an asyncio bot play where others block; it has an event loop of its own until `with` ends.

    Args:
        bot: The bot.

    """

    def __init__(self, bot: AsyncBot) -> None:
        self._bot = bot
        self._runner = asyncio.Runner()

    def choose(self, game: Game) -> AnyMove:
        """Return what the bot chooses."""
        return self._runner.run(self._choice(game))

    async def _choice(self, game: Game) -> AnyMove:
        choice = self._bot.choose(game.for_asyncio())
        return await choice if isinstance(choice, Awaitable) else choice

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._runner.close()


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
        bots: dict[str, Bot] = {}
        for entry in entries:
            bot = _made(entry, f"{seed} {len(bots) + 1}")
            bots[_free_name(entry, bots)] = (
                stack.enter_context(bot) if isinstance(bot, AbstractContextManager) else bot
            )
        yield bots


def _made(entry: str, seed: str) -> Bot:
    """Return a new bot; one for asyncio comes in a form that blocks."""
    kind = _class(entry)
    try:
        bot = kind(seed=seed) if "seed" in signature(kind).parameters else kind()
    except TypeError as error:
        raise BadBot(f"{entry} cannot be made: {error}") from error
    if not callable(getattr(bot, "choose", None)):
        raise BadBot(f"{entry} is no bot: it has no method choose.")
    return Awaiting(bot) if iscoroutinefunction(bot.choose) else bot


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
