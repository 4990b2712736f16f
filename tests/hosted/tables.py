"""Hosted games as their players have them: an id, a token for each seat, a new request id for each wish."""

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import uuid4

from finspan.v1 import finspan_pb2 as pb
from service.convert import move_message
from service.engine.moves import Move, parse_move
from service.engine.rules import apply, decision, legal_moves, new_game
from service.engine.state import GameState, Options
from tests.service.support import Stub, Value, chance

KEYS = "a:" + "0a" * 32
OTHER_KEYS = "b:" + "0b" * 32
ADMIN = "the administrator's key"
SETTINGS: dict[str, object] = {"seal_keys": KEYS, "token_keys": KEYS, "admin_keys": ADMIN}
AS_ADMIN = (("x-api-key", ADMIN),)
REEFS = pb.GameOptions(expansions=[pb.EXPANSION_SHARKS_AND_REEFS])
SEED = "the seed that nobody may see"


def new_id() -> str:
    """Return a request id."""
    return str(uuid4())


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    """Return the metadata that shows a token."""
    return (("authorization", f"Bearer {token}"),)


def message_of(move: str | Move) -> pb.Move:
    """Return a move, given by its id or as the engine has it, as a message."""
    return move_message(parse_move(move) if isinstance(move, str) else move)


class Seats(NamedTuple):
    """A hosted game and the tokens of its seats."""

    stub: Stub
    id: str
    tokens: Sequence[str]

    def at(self, stub: Stub) -> "Seats":
        """Return the same game as it is played at another server."""
        return self._replace(stub=stub)

    def as_seat(self, seat: int) -> tuple[tuple[str, str], ...]:
        """Return the metadata of a seat."""
        return bearer(self.tokens[seat])

    def request(self, version: int, *moves: str | Move | pb.Move, **fields: Value) -> pb.ApplyMoveRequest:
        """Return a request to move."""
        messages = [move if isinstance(move, pb.Move) else message_of(move) for move in moves]
        given = {"request_id": new_id(), "expected_version": version, **fields}
        return pb.ApplyMoveRequest(game_id=self.id, moves=messages, **given)

    async def move(
        self, seat: int, version: int, *moves: str | Move | pb.Move, **fields: Value
    ) -> pb.ApplyMoveResponse:
        """Move as a seat."""
        return await self.stub.ApplyMove(self.request(version, *moves, **fields), metadata=self.as_seat(seat))

    async def get(self, **fields: Value) -> pb.GetGameResponse:
        """Look at the game as an administrator."""
        return await self.stub.GetGame(pb.GetGameRequest(game_id=self.id, **fields), metadata=AS_ADMIN)

    async def log(self) -> list[pb.LogEntry]:
        """Return the whole log."""
        entries: list[pb.LogEntry] = []
        token = ""
        while True:
            request = pb.ListEventsRequest(game_id=self.id, page_size=200, page_token=token)
            page = await self.stub.ListEvents(request, metadata=AS_ADMIN)
            entries += page.entries
            token = page.next_page_token
            if not token:
                return entries

    async def play(self, state: GameState, count: int, seed: int = 0) -> GameState:
        """Play so many random moves on from a state, the game's own; return the state then."""
        rng = chance(seed)
        for _ in range(count):
            move = rng.choice(legal_moves(state))
            await self.move(deciding(state), state.version, move)
            state = apply(state, move).state
        return state


def deciding(state: GameState) -> int:
    """Return the seat that decides."""
    question = decision(state)
    assert question is not None
    return question.seat


def new_request(**fields: Value) -> pb.NewGameRequest:
    """Return a request for a hosted game, of two players unless said otherwise."""
    given: dict[str, Any] = {"players": 2, "form": pb.STATE_FORM_HOSTED, "request_id": new_id(), **fields}
    return pb.NewGameRequest(**given)


async def new_seats(stub: Stub, **fields: Value) -> Seats:
    """Make a hosted game."""
    reply = await stub.NewGame(new_request(**fields), metadata=AS_ADMIN)
    return Seats(stub, reply.game.game_id, [token.token for token in reply.tokens])


async def known_seats(stub: Stub, players: int = 2, **fields: Value) -> tuple[Seats, GameState]:
    """Make a hosted game whose seed the test knows; return it, and its state."""
    seats = await new_seats(stub, players=players, seed=SEED, **fields)
    sets = ("sharks_and_reefs",) if fields.get("options") == REEFS else ()
    names = tuple(fields.get("display_names", ()))
    return seats, new_game(players, Options(sets), seed=SEED, names=names).state


async def issue(
    seats: Seats, scope: pb.TokenScope.ValueType, seat: int | None = None, metadata: Value = AS_ADMIN
) -> str:
    """Issue a token as an administrator, or as whoever shows this metadata."""
    request = pb.IssueSeatTokenRequest(game_id=seats.id, request_id=new_id(), scope=scope, seat=seat)
    token = (await seats.stub.IssueSeatToken(request, metadata=metadata)).token
    assert token.scope == scope
    assert token.HasField("seat") == (seat is not None)
    return token.token


async def end(seats: Seats, **action: Value) -> pb.GameInfo:
    """End a game or let a bot take a seat, as an administrator."""
    request = pb.EndGameRequest(game_id=seats.id, request_id=new_id(), **action)
    return (await seats.stub.EndGame(request, metadata=AS_ADMIN)).game


def forked(reply: pb.ForkGameResponse, stub: Stub) -> Seats:
    """Return the game that a fork has become."""
    return Seats(stub, reply.game.game_id, [token.token for token in reply.tokens])
