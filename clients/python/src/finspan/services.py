"""The service's calls as methods, for whatever can send one: blocking, and for asyncio."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine
from functools import cached_property
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from google.protobuf.message import Message

from finspan import calls
from finspan.calls import Call
from finspan.catalog import Catalog

P = ParamSpec("P")
Reply = TypeVar("Reply", bound=Message)


def _sent(build: Callable[P, Call[Reply]]) -> Callable[Concatenate["Service", P], Reply]:
    """Return the method that sends the call which ``build`` makes of the same arguments."""

    def method(self: "Service", /, *args: P.args, **kwargs: P.kwargs) -> Reply:
        return self.send(build(*args, **kwargs))

    return calls.described_by(build, method)


def _awaited(
    build: Callable[P, Call[Reply]],
) -> Callable[Concatenate["AsyncService", P], Coroutine[Any, Any, Reply]]:
    """Return the same method for asyncio."""

    async def method(self: "AsyncService", /, *args: P.args, **kwargs: P.kwargs) -> Reply:
        return await self.send(build(*args, **kwargs))

    return calls.described_by(build, method)


class _WithCatalogs:
    """Keeps the catalogues that were asked for, by rules version."""

    @cached_property
    def _catalogs(self) -> dict[str, Catalog]:
        return {}


class Service(_WithCatalogs, ABC):
    """The service's calls, for whatever can send one; what they ask and answer is in `finspan.calls`.

    Every method returns the contract's reply and raises a `finspan.FinspanError` if the call fails.
    """

    @abstractmethod
    def send(self, call: Call[Reply]) -> Reply:
        """Send a call and return its reply.

        Raises:
            FinspanError: the call failed; its subclasses say how.

        """

    new_game: Final = _sent(calls.new_game)
    legal_moves: Final = _sent(calls.legal_moves)
    apply_move: Final = _sent(calls.apply_move)
    score: Final = _sent(calls.score)
    sample_states: Final = _sent(calls.sample_states)
    get_catalog: Final = _sent(calls.get_catalog)
    host_game: Final = _sent(calls.host_game)
    get_game: Final = _sent(calls.get_game)
    list_events: Final = _sent(calls.list_events)
    list_games: Final = _sent(calls.list_games)
    fork_game: Final = _sent(calls.fork_game)
    issue_seat_token: Final = _sent(calls.issue_seat_token)
    end_game: Final = _sent(calls.end_game)
    delete_game: Final = _sent(calls.delete_game)

    def catalog(self, rules_version: str = "") -> Catalog:
        """Return the catalogue to look things up in; it is asked for once."""
        if rules_version not in self._catalogs:
            self._catalogs[rules_version] = Catalog(self.get_catalog(rules_version))
        return self._catalogs[rules_version]


class AsyncService(_WithCatalogs, ABC):
    """As `Service`, for asyncio: every method is awaited."""

    @abstractmethod
    async def send(self, call: Call[Reply]) -> Reply:
        """Send a call and return its reply.

        Raises:
            FinspanError: the call failed; its subclasses say how.

        """

    new_game: Final = _awaited(calls.new_game)
    legal_moves: Final = _awaited(calls.legal_moves)
    apply_move: Final = _awaited(calls.apply_move)
    score: Final = _awaited(calls.score)
    sample_states: Final = _awaited(calls.sample_states)
    get_catalog: Final = _awaited(calls.get_catalog)
    host_game: Final = _awaited(calls.host_game)
    get_game: Final = _awaited(calls.get_game)
    list_events: Final = _awaited(calls.list_events)
    list_games: Final = _awaited(calls.list_games)
    fork_game: Final = _awaited(calls.fork_game)
    issue_seat_token: Final = _awaited(calls.issue_seat_token)
    end_game: Final = _awaited(calls.end_game)
    delete_game: Final = _awaited(calls.delete_game)

    async def catalog(self, rules_version: str = "") -> Catalog:
        """Return the catalogue to look things up in; it is asked for once."""
        if rules_version not in self._catalogs:
            self._catalogs[rules_version] = Catalog(await self.get_catalog(rules_version))
        return self._catalogs[rules_version]


class ThreadedService(AsyncService):
    """A blocking service for asyncio code: each call waits in a thread.

    Args:
        service: What is called; it must not mind being called from several threads.

    """

    def __init__(self, service: Service) -> None:
        self._service = service

    async def send(self, call: Call[Reply]) -> Reply:
        """Send a call and return its reply.

        Raises:
            FinspanError: the call failed; its subclasses say how.

        """
        return await asyncio.to_thread(self._service.send, call)
