"""A seat: the service as one player of a hosted game has it.

It is a service like any other, so a `Game` is played through it as through any other. What a game asks about
its own state, which then has no hidden part, a seat asks about the hosted game: it names the game, shows its
token, and says which version a move is meant for.
"""

from dataclasses import replace
from typing import Any, Final, TypeVar

from google.protobuf.message import Message

from finspan import calls
from finspan.calls import Call
from finspan.catalog import Catalog
from finspan.services import AsyncService, Service, ThreadedService
from finspan.v1 import finspan_pb2 as v1

Reply = TypeVar("Reply", bound=Message)

AUTHORIZATION: Final = "authorization"
"""The metadata in which a token is shown."""
PAGE_SIZE: Final = 200
"""How many entries of a log are asked for at once."""
_SEED: Final = "any: what is public is the same in all samples"


class _Bound:
    """What both kinds of seat know: the game and the token, which no repr shows."""

    def __init__(self, game_id: str, token: str = "") -> None:
        self.game_id = game_id
        self._token = token

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of the game {self.game_id}>"

    def _bound(self, call: Call[Reply]) -> Call[Reply]:
        """Return a call as it is sent: about the hosted game, if it is about a state of it."""
        request = call.request
        if isinstance(request, v1.ApplyMoveRequest) and _is_of_hosted_game(request):
            call = replace(call, request=self._move(request))
        if self._token and getattr(call.request, "game_id", "") == self.game_id:
            call = replace(call, metadata=(*call.metadata, (AUTHORIZATION, f"Bearer {self._token}")))
        return call

    def _move(self, request: v1.ApplyMoveRequest) -> v1.ApplyMoveRequest:
        """Return a move for the version of its state, as a new wish."""
        return v1.ApplyMoveRequest(
            game_id=self.game_id,
            moves=request.moves,
            validate_only=request.validate_only,
            with_legal_moves=request.with_legal_moves,
            request_id=calls.new_request_id(),
            expected_version=request.state.version,
        )


class Seat(_Bound, Service):
    """A hosted game for one player; for a token to watch or to administer it does as well.

    Args:
        service: Where the game is, such as a `finspan.Client`.
        game_id: The game.
        token: What is shown; none for a game that anybody may watch.

    """

    def __init__(self, service: Service, game_id: str, token: str = "") -> None:
        super().__init__(game_id, token)
        self.service = service

    def send(self, call: Call[Reply]) -> Reply:
        """Send a call, about the hosted game if it concerns that, and return its reply.

        Raises:
            FinspanError: the call failed; its subclasses say how.

        """
        if _is_about_moment(call):
            sampled = self.service.send(_sample(call))
            call = _about_sample(call, sampled)
        return self.service.send(self._bound(call))

    def catalog(self, rules_version: str = "") -> Catalog:
        """Return the catalogue to look things up in; it is asked for once, for all seats."""
        return self.service.catalog(rules_version)

    def log(self, from_version: int = 0) -> list[v1.LogEntry]:
        """Return the entries of the game's log from a version on."""
        page = self.list_events(self.game_id, from_version=from_version, page_size=PAGE_SIZE)
        entries = list(page.entries)
        while page.next_page_token:
            page = self.list_events(self.game_id, page_size=PAGE_SIZE, page_token=page.next_page_token)
            entries += page.entries
        return entries

    def for_asyncio(self) -> "AsyncSeat":
        """Return the same seat for asyncio code; its calls wait in threads."""
        return AsyncSeat(ThreadedService(self.service), self.game_id, self._token)


class AsyncSeat(_Bound, AsyncService):
    """As `Seat`, for asyncio: every method is awaited."""

    def __init__(self, service: AsyncService, game_id: str, token: str = "") -> None:
        super().__init__(game_id, token)
        self.service = service

    async def send(self, call: Call[Reply]) -> Reply:
        """Send a call, as `Seat.send` does."""
        if _is_about_moment(call):
            sampled = await self.service.send(_sample(call))
            call = _about_sample(call, sampled)
        return await self.service.send(self._bound(call))

    async def catalog(self, rules_version: str = "") -> Catalog:
        """Return the catalogue, as `Seat.catalog` does."""
        return await self.service.catalog(rules_version)

    async def log(self, from_version: int = 0) -> list[v1.LogEntry]:
        """Return the entries of the game's log, as `Seat.log` does."""
        page = await self.list_events(self.game_id, from_version=from_version, page_size=PAGE_SIZE)
        entries = list(page.entries)
        while page.next_page_token:
            page = await self.list_events(self.game_id, page_size=PAGE_SIZE, page_token=page.next_page_token)
            entries += page.entries
        return entries


def _is_of_hosted_game(request: Any) -> bool:  # noqa: ANN401  one of the requests about a position
    return request.HasField("state") and request.state.WhichOneof("hidden") is None


def _is_about_moment(call: Call[Any]) -> bool:
    """Return whether a call asks what holds at a moment of the hosted game, which may have moved on since."""
    request = call.request
    return isinstance(request, v1.LegalMovesRequest | v1.ScoreRequest) and _is_of_hosted_game(request)


def _sample(call: Call[Any]) -> Call[v1.SampleStatesResponse]:
    """Return the call for a sample of a call's state: what is public, such as a score, is the same there."""
    return calls.sample_states(call.request.state, seed=_SEED)  # type: ignore[attr-defined]  # it has a state


def _about_sample(call: Call[Reply], sampled: v1.SampleStatesResponse) -> Call[Reply]:
    request = type(call.request)()
    request.CopyFrom(call.request)
    request.state.CopyFrom(sampled.states[0])  # type: ignore[attr-defined]  # it has a state
    return replace(call, request=request)
