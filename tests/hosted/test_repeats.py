"""The same request again: carried out once, and answered as at first, wherever and whenever it comes."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import grpc
import pytest
from google.protobuf.message import Message

from finspan.v1 import finspan_pb2 as pb
from service.engine.rules import apply, legal_moves
from service.engine.state import GameState
from service.store.memory import MemoryStore
from service.store.redis import RedisStore
from tests.hosted.conftest import Place, Replica, Start
from tests.hosted.tables import (
    AS_ADMIN,
    Seats,
    bearer,
    deciding,
    known_seats,
    new_id,
    new_request,
    new_seats,
)
from tests.service.support import Stub, Value, refusal_of

Ask: TypeAlias = Callable[[Stub], Awaitable[Message]]
"""The same request with the same metadata, to this server or that one."""


class Wishes:
    """A request of each kind that changes something, about a game in the middle."""

    def __init__(self, seats: Seats, state: GameState) -> None:
        self.seats, self.state = seats, state

    def new_game(self) -> Ask:
        request = new_request(with_legal_moves=True, public_watching=True, display_names=["Ann", "Bo"])
        return lambda stub: stub.NewGame(request)

    def fork(self) -> Ask:
        request = pb.ForkGameRequest(game_id=self.seats.id, request_id=new_id())
        return lambda stub: stub.ForkGame(request, metadata=self.seats.as_seat(1))

    def move(self) -> Ask:
        request = self.seats.request(self.state.version, legal_moves(self.state)[0], with_legal_moves=True)
        return lambda stub: stub.ApplyMove(request, metadata=self.seats.as_seat(deciding(self.state)))

    def token(self) -> Ask:
        request = pb.IssueSeatTokenRequest(
            game_id=self.seats.id, request_id=new_id(), scope=pb.TOKEN_SCOPE_WATCH
        )
        return lambda stub: stub.IssueSeatToken(request, metadata=AS_ADMIN)

    def bot(self) -> Ask:
        request = pb.EndGameRequest(game_id=self.seats.id, request_id=new_id(), bot_seat=deciding(self.state))
        return lambda stub: stub.EndGame(request, metadata=AS_ADMIN)

    def end(self) -> Ask:
        request = pb.EndGameRequest(game_id=self.seats.id, request_id=new_id(), end_now=pb.EndNow())
        return lambda stub: stub.EndGame(request, metadata=AS_ADMIN)

    def delete(self) -> Ask:
        request = pb.DeleteGameRequest(game_id=self.seats.id, request_id=new_id())
        return lambda stub: stub.DeleteGame(request, metadata=AS_ADMIN)


KINDS = ["new_game", "fork", "move", "token", "bot", "end", "delete"]
each_kind = pytest.mark.parametrize("kind", KINDS)


async def begun(stub: Stub, moves: int = 12) -> Wishes:
    seats, state = await known_seats(stub)
    return Wishes(seats, await seats.play(state, moves))


async def look(seats: Seats) -> tuple[bytes, list[pb.LogEntry]] | None:
    """Return all that there is to see of a game, None if it is gone."""
    try:
        return (await seats.get(form=pb.STATE_FORM_OPEN)).SerializeToString(), await seats.log()
    except grpc.aio.AioRpcError as error:
        if error.code() is grpc.StatusCode.NOT_FOUND:
            return None
        raise


@each_kind
async def test_again_at_once(stub: Stub, kind: str) -> None:
    wishes = await begun(stub)
    ask: Ask = getattr(wishes, kind)()
    first, then = await ask(stub), await look(wishes.seats)
    for _ in range(3):
        assert (await ask(stub)).SerializeToString() == first.SerializeToString()
    assert await look(wishes.seats) == then


@each_kind
async def test_again_at_another_server(replica: Replica, start: Start, place: Place, kind: str) -> None:
    """One that was there, and one that was started since; neither has the game's newest state in memory."""
    other = await start(**place)
    wishes = await begun(replica.stub)
    await look(wishes.seats.at(other.stub))
    ask: Ask = getattr(wishes, kind)()
    first, then = await ask(replica.stub), await look(wishes.seats)
    for again in (other, await start(**place)):
        assert (await ask(again.stub)).SerializeToString() == first.SerializeToString()
    assert await look(wishes.seats) == then


@each_kind
async def test_many_times_at_once(replica: Replica, start: Start, place: Place, kind: str) -> None:
    """At two servers, none of which has answered before."""
    other = await start(**place)
    wishes = await begun(replica.stub)
    ask: Ask = getattr(wishes, kind)()
    replies = await asyncio.gather(*(ask(each.stub) for each in [replica, other] * 8))
    assert len({reply.SerializeToString() for reply in replies}) == 1
    games = await replica.stub.ListGames(pb.ListGamesRequest(), metadata=AS_ADMIN)
    assert len(games.games) == 1 + (kind in {"new_game", "fork"}) - (kind == "delete")


async def test_a_move_again_after_others_have_moved(replica: Replica, start: Start, place: Place) -> None:
    wishes = await begun(replica.stub)
    ask = wishes.move()
    first = await ask(replica.stub)
    state = apply(wishes.state, legal_moves(wishes.state)[0]).state
    await wishes.seats.play(state, 15, seed=3)
    then = await look(wishes.seats)
    for each in (replica, await start(**place)):
        assert (await ask(each.stub)).SerializeToString() == first.SerializeToString()
    assert await look(wishes.seats) == then


async def test_several_moves_again_with_those_of_bots(stub: Stub) -> None:
    wishes = await begun(stub, moves=0)
    await Wishes(wishes.seats, wishes.state).bot()(stub)
    now: Any = await wishes.seats.get(with_legal_moves=True)
    for _ in range(6):
        move = now.legal_moves[0].move
        request = wishes.seats.request(now.state.version, move, with_legal_moves=True)
        now, again = [await stub.ApplyMove(request, metadata=wishes.seats.as_seat(1)) for _ in range(2)]
        assert again.SerializeToString() == now.SerializeToString()


@pytest.mark.parametrize("kind", ["new_game", "fork"])
async def test_a_new_game_again_after_it_was_played(stub: Stub, kind: str) -> None:
    """Also after its tokens were replaced: the answer is the first one, and its tokens are worth nothing."""
    wishes = await begun(stub)
    ask: Ask = getattr(wishes, kind)()
    first: Any = await ask(stub)
    made = Seats(stub, first.game.game_id, [token.token for token in first.tokens])
    opened = await made.get(with_legal_moves=True)
    await made.move(opened.decision.seat, opened.state.version, opened.legal_moves[0].move)
    for seat in range(2):
        token = pb.IssueSeatTokenRequest(
            game_id=made.id, request_id=new_id(), scope=pb.TOKEN_SCOPE_PLAY, seat=seat
        )
        await stub.IssueSeatToken(token, metadata=AS_ADMIN)
    end = pb.EndGameRequest(game_id=made.id, request_id=new_id(), end_now=pb.EndNow())
    await stub.EndGame(end, metadata=AS_ADMIN)
    again: Any = await ask(stub)
    assert again.SerializeToString() == first.SerializeToString()
    assert not again.game.HasField("opening")
    assert (await refusal_of(made.move(0, 0, "dive:blue"))).reason == "TOKEN_REFUSED"


async def test_a_bot_s_seat_again_after_more_has_happened(stub: Stub) -> None:
    wishes = await begun(stub)
    ask = wishes.bot()
    first = await ask(stub)
    await wishes.token()(stub)
    await wishes.end()(stub)
    assert (await ask(stub)).SerializeToString() == first.SerializeToString()


async def test_a_token_again_is_the_same_but_void_once_there_is_a_newer_one(stub: Stub) -> None:
    wishes = await begun(stub)
    ask = wishes.token()
    first: Any = await ask(stub)
    await wishes.token()(stub)
    again: Any = await ask(stub)
    assert again == first
    request = pb.GetGameRequest(game_id=wishes.seats.id)
    refusal = await refusal_of(stub.GetGame(request, metadata=bearer(again.token.token)))
    assert refusal.reason == "TOKEN_REFUSED"


async def test_a_deleted_game_s_making_is_not_repeated(stub: Stub) -> None:
    request = new_request()
    made = await stub.NewGame(request)
    delete = pb.DeleteGameRequest(game_id=made.game.game_id, request_id=new_id())
    await stub.DeleteGame(delete, metadata=AS_ADMIN)
    assert (await refusal_of(stub.NewGame(request))).reason == "GAME_NOT_FOUND"


# Something else under the same id.


async def test_another_wish_under_the_same_id_is_refused(stub: Stub) -> None:
    wishes = await begun(stub)
    seats, version, id_ = wishes.seats, wishes.state.version, new_id()
    seat, moves = deciding(wishes.state), legal_moves(wishes.state)
    await seats.move(seat, version, moves[0], request_id=id_)
    then = await look(seats)
    named: dict[str, Any] = {"game_id": seats.id, "request_id": id_}
    others: list[Awaitable[object]] = [
        seats.move(seat, version, moves[1], request_id=id_),
        seats.move(seat, version + 1, moves[0], request_id=id_),
        seats.move(seat, version, moves[0], request_id=id_, with_legal_moves=True),
        seats.move(seat, version, moves[0], moves[0], request_id=id_),
        seats.move(1 - seat, version, moves[0], request_id=id_),
        stub.EndGame(pb.EndGameRequest(bot_seat=0, **named), metadata=AS_ADMIN),
        stub.DeleteGame(pb.DeleteGameRequest(**named), metadata=AS_ADMIN),
        stub.IssueSeatToken(pb.IssueSeatTokenRequest(scope=pb.TOKEN_SCOPE_WATCH, **named), metadata=AS_ADMIN),
    ]
    for call in others:
        refusal = await refusal_of(call)
        assert (refusal.code.name, refusal.reason) == ("INVALID_ARGUMENT", "REQUEST_ID_REUSED")
    assert await look(seats) == then


async def test_another_new_game_under_the_same_id_is_refused(stub: Stub) -> None:
    request = new_request()
    await stub.NewGame(request)
    for fields in ({"players": 3}, {"public_watching": True}, {"display_names": ["a", "b"]}):
        changed = pb.NewGameRequest()
        changed.CopyFrom(request)
        changed.MergeFrom(pb.NewGameRequest(**fields))
        assert (await refusal_of(stub.NewGame(changed))).reason == "REQUEST_ID_REUSED"
    seats = await new_seats(stub, public_watching=True)
    fork = pb.ForkGameRequest(game_id=seats.id, request_id=request.request_id)
    assert (await refusal_of(stub.ForkGame(fork))).reason == "REQUEST_ID_REUSED"


async def test_the_same_id_in_another_game_is_another_wish(stub: Stub) -> None:
    id_ = new_id()
    for _ in range(2):
        seats, state = await known_seats(stub)
        assert (await seats.move(0, 0, legal_moves(state)[0], request_id=id_)).version == 1


async def test_a_refused_wish_takes_up_no_id(stub: Stub) -> None:
    seats, state = await known_seats(stub)
    id_ = new_id()
    for call in (seats.move(0, 0, "draw", request_id=id_), seats.move(1, 0, "dive:blue", request_id=id_)):
        await refusal_of(call)
    assert (await seats.move(0, 0, legal_moves(state)[0], request_id=id_)).version == 1


# Whoever may not ask is not told what became of it, either.


@pytest.mark.parametrize("kind", ["move", "token", "bot", "end"])
async def test_a_stranger_who_repeats_a_request_gets_nothing(stub: Stub, kind: str) -> None:
    """To the last byte the same, from somebody without a key, or with a token of another game."""
    wishes = await begun(stub)
    others = await new_seats(stub)
    sent = list[tuple[str, Any]]()

    class Recorder:
        def __getattr__(self, method: str) -> Callable[..., Awaitable[Message]]:
            async def record(request: Message, metadata: Value = ()) -> Message:
                sent.append((method, request))
                reply: Message = await getattr(stub, method)(request, metadata=metadata)
                return reply

            return record

    recorder: Any = Recorder()
    await getattr(wishes, kind)()(recorder)
    ((method, request),) = sent
    for metadata in ((), others.as_seat(0), others.as_seat(1), wishes.seats.as_seat(0)):
        refusal = await refusal_of(getattr(stub, method)(request, metadata=metadata))
        allowed = {"TOKEN_REFUSED", "NOT_ALLOWED"}
        if kind == "move" and metadata == wishes.seats.as_seat(0):
            allowed = {"REQUEST_ID_REUSED"}
        assert refusal.reason in allowed


async def test_a_void_token_does_not_repeat_its_moves(stub: Stub) -> None:
    wishes = await begun(stub)
    ask, seat = wishes.move(), deciding(wishes.state)
    await ask(stub)
    token = pb.IssueSeatTokenRequest(
        game_id=wishes.seats.id, request_id=new_id(), scope=pb.TOKEN_SCOPE_PLAY, seat=seat
    )
    await stub.IssueSeatToken(token, metadata=AS_ADMIN)
    assert (await refusal_of(ask(stub))).reason == "TOKEN_REFUSED"


# A server that dies half way.


@pytest.mark.parametrize("kind", ["new_game", "fork"])
async def test_a_game_that_was_claimed_and_never_made_is_made_by_the_retry(
    replica: Replica, start: Start, place: Place, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    wishes = await begun(replica.stub)
    ask: Ask = getattr(wishes, kind)()

    async def die(*_: object) -> None:
        raise OSError

    with monkeypatch.context() as patch:
        for store in (MemoryStore, RedisStore):
            patch.setattr(store, "create", die)
        assert (await refusal_of(ask(replica.stub))).code.name == "INTERNAL"
    made: Any = await ask((await start(**place)).stub)
    again: Any = await ask(replica.stub)
    assert again == made
    seats = Seats(replica.stub, made.game.game_id, [token.token for token in made.tokens])
    assert len(await seats.log()) == 1


async def test_a_reply_that_was_lost_in_the_server(
    replica: Replica, start: Start, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store has made the change when the server fails."""
    wishes = await begun(replica.stub)
    ask = wishes.move()

    def losing(commit: Callable[..., Awaitable[object]]) -> Callable[..., Awaitable[None]]:
        async def lose(*arguments: object) -> None:
            await commit(*arguments)
            raise OSError

        return lose

    with monkeypatch.context() as patch:
        for store in (MemoryStore, RedisStore):
            patch.setattr(store, "commit", losing(store.commit))
        assert (await refusal_of(ask(replica.stub))).code.name == "INTERNAL"
    answers: list[Any] = [await ask(each.stub) for each in (replica, await start(**place))]
    assert answers[0] == answers[1]
    assert answers[0].version == wishes.state.version + 1
    assert [entry.version for entry in await wishes.seats.log()] == [*range(answers[0].version + 1)]
