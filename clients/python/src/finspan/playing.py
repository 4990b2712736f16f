"""Bots at the table: one game, move by move."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Coroutine, Iterator, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    AsyncExitStack,
    contextmanager,
    suppress,
)
from inspect import iscoroutinefunction
from types import TracebackType
from typing import Generic, NamedTuple, Self, TypeVar, cast

from finspan.bots import AsyncBot, Bot
from finspan.errors import StaleVersion
from finspan.game import POLL_SECONDS, AsyncGame, Game, Position
from finspan.moves import AnyMove, move_id
from finspan.v1 import finspan_pb2 as v1

Moment = TypeVar("Moment", bound=Position)


class Played(NamedTuple, Generic[Moment]):
    """One move of a game: what it was before, the move, and what it is after."""

    before: Moment
    move: v1.LegalMove
    after: Moment


def play(game: Game, bots: Sequence[Bot]) -> Iterator[Played[Game]]:
    """Play a game to its end, and yield each move as soon as it is carried out.

    Args:
        game: Where to begin.
        bots: Who plays, by seat.

    """
    while not game.is_over:
        bot = bots[game.seat]
        with _blamed(bot, game):
            choice = bot.choose(game.without_hidden_part())
            before, game = game, game.apply(choice)
        yield Played(before, _listed(before, choice), game)


async def play_async(game: AsyncGame, bots: Sequence[AsyncBot]) -> AsyncIterator[Played[AsyncGame]]:
    """Play a game to its end as `play` does, in asyncio code."""
    while not game.is_over:
        bot = bots[game.seat]
        with _blamed(bot, game):
            choice = bot.choose(game.without_hidden_part())
            move = await choice if isinstance(choice, Awaitable) else choice
            before, game = game, await game.apply(move)
        yield Played(before, _listed(before, move), game)


def play_seat(game: Game, bot: Bot, *, pause: float = POLL_SECONDS) -> Game:
    """Play the own seat of a hosted game to its end, and return the game that is over.

    Args:
        game: The game, as `Game.join` returns it.
        bot: Who plays.
        pause: How many seconds are between two looks at the game while others decide.

    """
    for played in seat_moves(game, bot, pause=pause):
        game = played.after
    return game.latest()


async def play_seat_async(game: AsyncGame, bot: AsyncBot, *, pause: float = POLL_SECONDS) -> AsyncGame:
    """Play the own seat of a hosted game as `play_seat` does, in asyncio code."""
    async for played in seat_moves_async(game, bot, pause=pause):
        game = played.after
    return await game.latest()


def seat_moves(game: Game, bot: Bot, *, pause: float = POLL_SECONDS) -> Iterator[Played[Game]]:
    """Play the own seat as `play_seat` does, and yield each own move as soon as it is carried out.

    Nothing is played but what is asked for: each step of the iteration waits for the turn and makes one move.
    """
    while not (game := game.wait_for_turn(pause=pause)).is_over:
        before = game
        with suppress(StaleVersion), _blamed(bot, game):  # somebody with the same token may be faster
            choice = bot.choose(game.without_hidden_part())
            game = game.apply(choice)
        if game is not before:
            yield Played(before, _listed(before, choice), game)


async def seat_moves_async(
    game: AsyncGame, bot: AsyncBot, *, pause: float = POLL_SECONDS
) -> AsyncIterator[Played[AsyncGame]]:
    """Play the own seat move by move as `seat_moves` does, in asyncio code."""
    while not (game := await game.wait_for_turn(pause=pause)).is_over:
        before = game
        with suppress(StaleVersion), _blamed(bot, game):
            choice = bot.choose(game.without_hidden_part())
            move = await choice if isinstance(choice, Awaitable) else choice
            game = await game.apply(move)
        if game is not before:
            yield Played(before, _listed(before, move), game)


class Awaiting:
    """Lets any bot play where others block, also one for asyncio, which has an event loop until `with` ends.

    Whether it is one for asyncio is seen if its ``choose`` is a coroutine function, or else from the first
    answer: if that is to be awaited, it is asked for again, with the game that asyncio code can ask.

    Args:
        bot: The bot; one that can be entered with `async with` alone is entered and left.

    """

    def __init__(self, bot: Bot | AsyncBot) -> None:
        self.bot = bot
        self._is_for_asyncio = iscoroutinefunction(bot.choose)
        self._runner = asyncio.Runner()
        self._entered = AsyncExitStack()

    def choose(self, game: Game) -> AnyMove:
        """Return what the bot chooses."""
        if not self._is_for_asyncio:
            choice: object = cast("Bot", self.bot).choose(game)
            if not isinstance(choice, Awaitable):
                return cast("AnyMove", choice)
            if isinstance(choice, Coroutine):
                choice.close()  # it has not begun
            self._is_for_asyncio = True
        return self._runner.run(self._choice(game))

    async def _choice(self, game: Game) -> AnyMove:
        choice = cast("AsyncBot", self.bot).choose(game.for_asyncio())
        return await choice if isinstance(choice, Awaitable) else choice

    async def _enter(self, bot: AbstractAsyncContextManager[AsyncBot]) -> None:
        self.bot = await self._entered.enter_async_context(bot)

    def __enter__(self) -> Self:
        bot = self.bot
        if isinstance(bot, AbstractAsyncContextManager) and not isinstance(bot, AbstractContextManager):
            self._runner.run(self._enter(bot))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._runner.run(self._entered.__aexit__(kind, error, trace))
        finally:
            self._runner.close()


@contextmanager
def _blamed(bot: object, game: Position) -> Iterator[None]:
    """Note with any error whose choice it came from, and where."""
    try:
        yield
    except Exception as error:
        chooser = bot.bot if isinstance(bot, Awaiting) else bot
        error.add_note(f"{type(chooser).__name__} had to choose in seat {game.seat} of {game!r}.")
        raise


def _listed(game: Position, move: AnyMove) -> v1.LegalMove:
    return game.legal_moves[move_id(move)]
