"""Bots: what one is, and one that plays anything.

A bot is given a game without its hidden part, as a player sees it, and returns one of its legal moves: as
listed, as the contract has it, or by its id. It may look at whatever the game shows, and draw samples of what
it hides to search in.
"""

from collections.abc import Awaitable
from random import Random
from typing import Protocol

from finspan.game import AsyncGame, Game, Position
from finspan.moves import AnyMove
from finspan.v1 import finspan_pb2 as v1


class Bot(Protocol):
    """Whatever can choose a move."""

    def choose(self, game: Game, /) -> AnyMove:
        """Return one of the game's legal moves."""


class AsyncBot(Protocol):
    """Whatever can choose a move in asyncio code: `choose` may be a coroutine."""

    def choose(self, game: AsyncGame, /) -> AnyMove | Awaitable[AnyMove]:
        """Return one of the game's legal moves."""


class RandomBot:
    """Plays any legal move, all alike; as a `Bot` or as an `AsyncBot`.

    Args:
        seed: The same seed makes the same choices.

    """

    def __init__(self, seed: int | str = 0) -> None:
        self._random = Random(seed)  # noqa: S311  a bot's whim, no secret

    def choose(self, game: Position) -> v1.LegalMove:
        """Return any of the legal moves."""
        return self._random.choice(game.legal_moves)
