"""Redis away, its tail lost, games of other rules: what still works, what is refused, and how."""

import asyncio
from collections.abc import Awaitable
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message
from redis.asyncio import Redis

from finspan.v1 import finspan_pb2 as pb
from service.engine.digest import public_digest
from service.engine.rules import RULES_VERSION, apply, legal_moves
from service.handlers import SERVICE
from service.hosting.seats import Claims, Scope, SeatTokens
from service.seal import read_keys
from service.server import HOSTED
from service.store.memory import MemoryStore
from service.testing import running_server
from tests.hosted.conftest import Place, Replica, Start
from tests.hosted.tables import (
    AS_ADMIN,
    KEYS,
    SETTINGS,
    Seats,
    deciding,
    known_seats,
    message_of,
    new_id,
    new_request,
    new_seats,
)
from tests.redis_server import RedisServer, serve
from tests.service.support import new_state, refusal_of, until
from tests.service.test_server import NOT_SERVING, SERVING, health_of

SECONDS = 2.0
"""How long callers wait."""


def place_at(redis: RedisServer, **more: object) -> Place:
    patience = {"redis_timeout_seconds": 0.3}
    return {"redis_url": f"redis://127.0.0.1:{redis.port}", **patience, **SETTINGS, **more}


def all_calls(seats: Seats, version: int) -> list[tuple[Any, Message]]:
    """Return every call that needs the store."""
    stub = seats.stub
    named: dict[str, Any] = {"game_id": seats.id}
    wish: dict[str, Any] = {**named, "request_id": new_id()}
    return [
        (stub.NewGame, new_request()),
        (stub.LegalMoves, pb.LegalMovesRequest(**named)),
        (stub.ApplyMove, seats.request(version, "dive:blue")),
        (stub.ApplyMove, seats.request(version, "dive:blue", validate_only=True)),
        (stub.Score, pb.ScoreRequest(**named)),
        (stub.SampleStates, pb.SampleStatesRequest(seed="s", count=1, **named)),
        (stub.GetGame, pb.GetGameRequest(**named)),
        (stub.ListEvents, pb.ListEventsRequest(**named)),
        (stub.ListGames, pb.ListGamesRequest()),
        (stub.DeleteGame, pb.DeleteGameRequest(**wish)),
        (stub.ForkGame, pb.ForkGameRequest(**wish)),
        (stub.IssueSeatToken, pb.IssueSeatTokenRequest(scope=pb.TOKEN_SCOPE_WATCH, **wish)),
        (stub.EndGame, pb.EndGameRequest(end_now=pb.EndNow(), **wish)),
    ]


async def all_unavailable(seats: Seats, version: int) -> None:
    for ask, request in all_calls(seats, version):
        metadata = seats.as_seat(0) if isinstance(request, pb.ApplyMoveRequest) else AS_ADMIN
        refusal = await refusal_of(ask(request, metadata=metadata, timeout=SECONDS))
        assert (refusal.code.name, refusal.reason) == ("UNAVAILABLE", "STORE_UNAVAILABLE"), request
        assert refusal.retry_seconds == 1


async def carried_goes_on(replica: Replica) -> None:
    """All that needs no store is served, and the server says that it is well."""
    state = await new_state(replica.stub)
    reply = await replica.stub.ApplyMove(pb.ApplyMoveRequest(state=state, moves=[message_of("dive:blue")]))
    assert reply.version == 1
    await replica.stub.Score(pb.ScoreRequest(state=reply.state))
    assert await health_of(replica.channel) == SERVING
    assert await health_of(replica.channel, SERVICE) == SERVING


async def hosted_is(replica: Replica, status: int) -> None:
    while await health_of(replica.channel, HOSTED) != status:
        pass


@pytest.mark.parametrize("how", ["killed", "hung"])
async def test_redis_goes_and_comes_back(start: Start, own_redis: RedisServer, how: str) -> None:
    replica = await start(**place_at(own_redis))
    seats, state = await known_seats(replica.stub)
    state = await seats.play(state, 3)
    await hosted_is(replica, SERVING)
    (own_redis.stop if how == "killed" else own_redis.pause)()
    await hosted_is(replica, NOT_SERVING)
    await all_unavailable(seats, 3)
    await carried_goes_on(replica)
    (own_redis.start if how == "killed" else own_redis.resume)()
    await hosted_is(replica, SERVING)
    if how == "killed":  # it kept nothing
        assert (await refusal_of(seats.get())).reason == "GAME_NOT_FOUND"
        seats, state = await known_seats(replica.stub)
    await seats.play(state, 2)
    assert [line["answers"] for line in store_lines(replica)] == [False, True]


async def test_redis_that_is_not_there_at_the_start(start: Start, own_redis: RedisServer) -> None:
    own_redis.stop()
    replica = await start(**place_at(own_redis))
    await hosted_is(replica, NOT_SERVING)
    game_id = "some-game-not-stored-1"
    await all_unavailable(Seats(replica.stub, game_id, [token_of(game_id)] * 2), 0)
    await carried_goes_on(replica)
    own_redis.start()
    await hosted_is(replica, SERVING)
    seats, state = await known_seats(replica.stub)
    await seats.play(state, 1)


def token_of(game_id: str) -> str:
    keys = SeatTokens(read_keys(KEYS))
    return keys.issue(Claims(game_id, Scope.PLAY, 0, 0, 2**31))


async def test_a_short_deadline_is_kept_while_redis_hangs(start: Start, own_redis: RedisServer) -> None:
    """Though the store might take much longer."""
    replica = await start(**place_at(own_redis, redis_timeout_seconds=60))
    seats, _ = await known_seats(replica.stub)
    own_redis.pause()
    try:
        for ask, request in all_calls(seats, 0)[:3]:
            metadata = seats.as_seat(0) if isinstance(request, pb.ApplyMoveRequest) else AS_ADMIN
            refusal = await refusal_of(ask(request, metadata=metadata, timeout=0.6))
            assert refusal.reason == "STORE_UNAVAILABLE"
    finally:
        own_redis.resume()


async def test_a_move_whose_fate_was_unknown_is_found_out_by_the_retry(
    start: Start, own_redis: RedisServer
) -> None:
    """Redis hangs, and carries out later what it has received: applied once, whoever asks again."""
    replica = await start(**place_at(own_redis))
    seats, state = await known_seats(replica.stub)
    for version in range(6):
        move = legal_moves(state)[0]
        request, metadata = seats.request(version, move), seats.as_seat(deciding(state))
        own_redis.pause()
        refusal = await refusal_of(seats.stub.ApplyMove(request, metadata=metadata, timeout=SECONDS))
        assert refusal.reason == "STORE_UNAVAILABLE"
        own_redis.resume()
        state = apply(state, move).state
        reply = await seats.stub.ApplyMove(request, metadata=metadata)
        assert (reply.version, reply.digest) == (version + 1, public_digest(state))
    assert [entry.version for entry in await seats.log()] == list(range(7))


@pytest.mark.parametrize(
    ("line", "database"),
    [
        ('rename-command SET ""', 0),
        ("requirepass secret", 0),
        ("user default on nopass ~* &* +@all -@scripting", 0),
        ("user default on nopass ~* &* +@all -time", 0),
        ("user default on nopass ~* &* +@all -publish", 0),
        ("", 99),
    ],
)
async def test_redis_that_refuses_is_no_store(
    start: Start, redis_program: Path, line: str, database: int
) -> None:
    """Hosted games are not served, all else is; and no detail of Redis is told."""
    with serve(redis_program, *filter(None, [line])) as redis:
        place = place_at(redis)
        replica = await start(**{**place, "redis_url": f"{place['redis_url']}/{database}"})
        await hosted_is(replica, NOT_SERVING)
        await carried_goes_on(replica)
        refusal = await refusal_of(replica.stub.NewGame(new_request()))
        assert (refusal.code.name, refusal.reason) == ("UNAVAILABLE", "STORE_UNAVAILABLE")
        assert not {"redis", "command", "auth", "password", "index", "user"} & set(
            refusal.message.lower().split()
        )
        await until(lambda: [line["answers"] for line in store_lines(replica)] == [False])


def store_lines(replica: Replica) -> list[dict[str, Any]]:
    return [line for line in replica.server.log_lines() if line["event"] == "store"]


async def test_a_server_stops_though_its_store_swallows_a_cancellation(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `asyncio.wait_for` does in Python 3.11, when what it waits for ends at the same moment."""
    swallowed = 0

    async def ping(_: MemoryStore) -> None:
        nonlocal swallowed
        try:
            await asyncio.sleep(0.001)
        except asyncio.CancelledError:
            swallowed += 1
            if swallowed > 2:
                raise

    monkeypatch.setattr(MemoryStore, "ping", ping)
    monkeypatch.setattr("service.server.STORE_ASKED_SECONDS", 0)
    async with running_server(**SETTINGS) as server:
        await until(lambda: server.server._watch is not None)
    assert server.server._watch is not None
    assert server.server._watch.done()


# How long games are kept.


async def test_games_are_kept_by_the_settings(start: Start, redis_place: Place) -> None:
    """Longer while they may go on than after their end; all of a game for as long as the rest of it."""
    replica = await start(**redis_place, finished_days=2, abandoned_days=5)
    seats, state = await known_seats(replica.stub)
    await seats.play(state, 3)
    redis: Any = replica.server.server.store._redis  # type: ignore[union-attr]

    async def days() -> set[int]:
        return {round(await redis.pttl(key) / 86_400_000) for key in await copy_of(replica, seats)}

    assert await days() == {5}
    end = pb.EndGameRequest(game_id=seats.id, request_id=new_id(), end_now=pb.EndNow())
    await replica.stub.EndGame(end, metadata=AS_ADMIN)
    assert await days() == {2}


# A lost tail.


async def rewound(redis_url: str, kept: dict[bytes, bytes]) -> None:
    """Put back what Redis had of a game, as after a fall back to an older copy."""
    async with Redis.from_url(redis_url) as redis:
        for key, dump in kept.items():
            await redis.restore(key, 0, dump, replace=True)


async def copy_of(replica: Replica, seats: Seats) -> dict[bytes, bytes]:
    redis: Any = replica.server.server.store._redis  # type: ignore[union-attr]
    keys = [key async for key in redis.scan_iter(match=f"*{{{seats.id}}}*")]
    assert len(keys) == 3
    return {key: await redis.dump(key) for key in keys}


async def test_a_lost_tail_is_told_and_play_goes_on(start: Start, redis_place: Place, redis_url: str) -> None:
    replica, other = await start(**redis_place), await start(**redis_place)
    seats, state = await known_seats(replica.stub)
    state = await seats.play(state, 5)
    kept = await copy_of(replica, seats)
    lost = await seats.play(state, 3, seed=7)
    lost_id = (await seats.log())[-1].request_id
    await rewound(redis_url, kept)
    for each in (replica, other):
        again = seats.at(each.stub)
        calls: list[Awaitable[object]] = [
            again.move(deciding(lost), 8, legal_moves(lost)[0]),
            again.move(deciding(lost), 8, legal_moves(lost)[0], validate_only=True),
            again.move(0, 7, "dive:blue", request_id=lost_id),
            again.get(version=8),
            again.stub.ForkGame(
                pb.ForkGameRequest(game_id=seats.id, version=7, request_id=new_id()), metadata=AS_ADMIN
            ),
            again.stub.ListEvents(pb.ListEventsRequest(game_id=seats.id, from_version=6), metadata=AS_ADMIN),
        ]
        for call in calls:
            refusal = await refusal_of(call)
            assert (refusal.code.name, refusal.reason) == ("DATA_LOSS", "VERSION_LOST")
            assert refusal.metadata == {"last_version": "5"}
        now = await again.get()
        assert (now.game.version, now.digest) == (5, public_digest(state))
    state = await seats.at(other.stub).play(state, 4)
    assert (await seats.get()).digest == public_digest(state)
    assert [entry.version for entry in await seats.log()] == list(range(10))


async def test_a_branch_that_was_lost_does_not_come_back(
    start: Start, redis_place: Place, redis_url: str
) -> None:
    """A server has the lost branch in memory, and meanwhile another one has played on as far as that."""
    first, second = await start(**redis_place), await start(**redis_place)
    seats, state = await known_seats(first.stub)
    state = await seats.play(state, 5)
    kept = await copy_of(first, seats)
    await seats.at(first.stub).play(state, 3, seed=7)
    await rewound(redis_url, kept)
    state = await seats.at(second.stub).play(state, 3, seed=8)
    move = legal_moves(state)[0]
    reply = await seats.at(first.stub).move(deciding(state), 8, move)
    state = apply(state, move).state
    assert reply.digest == public_digest(state)
    assert (await seats.at(second.stub).get()).digest == public_digest(state)
    assert (await seats.get(version=8)).state.version == 8


async def test_all_keys_lost(start: Start, redis_place: Place) -> None:
    replica = await start(**redis_place)
    seats, state = await known_seats(replica.stub)
    await seats.play(state, 2)
    redis: Any = replica.server.server.store._redis  # type: ignore[union-attr]
    for key in await copy_of(replica, seats):
        await redis.delete(key)
    for call in (seats.move(0, 2, "dive:blue"), seats.get(), seats.log()):
        assert (await refusal_of(call)).reason == "GAME_NOT_FOUND"


# Games of other rules.


OTHER_RULES = (
    "service.hosting.snapshots",
    "service.hosting.games",
    "service.errors",
    "service.handlers.hosted",
)


async def test_a_game_of_other_rules_is_readable_and_stands_still(
    start: Start, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats, state = await known_seats((await start(**place)).stub, display_names=["Ann", "Bo"])
    state = await seats.play(state, 4)
    before, log = await seats.get(), await seats.log()
    for module in OTHER_RULES:
        monkeypatch.setattr(f"{module}.RULES_VERSION", "other")
    seats = seats.at((await start(**place)).stub)
    now = await seats.get()
    assert (now.game, now.state, now.digest) == (before.game, before.state, before.digest)
    assert now.game.rules_version == RULES_VERSION
    assert list(now.game.display_names) == ["Ann", "Bo"]
    assert not now.HasField("decision")
    assert await seats.log() == log
    move = legal_moves(state)[0]
    for call in (
        seats.move(deciding(state), 4, move),
        seats.move(deciding(state), 4, move, validate_only=True),
        seats.get(version=2),
        seats.get(form=pb.STATE_FORM_OPEN),
        *(ask(request, metadata=AS_ADMIN) for ask, request in needing_rules(seats)),
    ):
        refusal = await refusal_of(call)
        assert (refusal.code.name, refusal.reason) == ("FAILED_PRECONDITION", "RULES_VERSION")
        assert refusal.metadata == {"requested": RULES_VERSION, "served": "other"}
    assert await seats.log() == log
    assert await seats.get() == now
    games = await seats.stub.ListGames(pb.ListGamesRequest(), metadata=AS_ADMIN)
    assert [game.game_id for game in games.games] == [seats.id]
    delete = pb.DeleteGameRequest(game_id=seats.id, request_id=new_id())
    await seats.stub.DeleteGame(delete, metadata=AS_ADMIN)
    assert (await refusal_of(seats.get())).reason == "GAME_NOT_FOUND"


def needing_rules(seats: Seats) -> list[tuple[Any, Message]]:
    stub = seats.stub
    named: dict[str, Any] = {"game_id": seats.id}
    wish: dict[str, Any] = {**named, "request_id": new_id()}
    return [
        (stub.LegalMoves, pb.LegalMovesRequest(**named)),
        (stub.Score, pb.ScoreRequest(**named)),
        (stub.SampleStates, pb.SampleStatesRequest(seed="s", count=1, **named)),
        (stub.ForkGame, pb.ForkGameRequest(**wish)),
        (stub.EndGame, pb.EndGameRequest(bot_seat=0, **wish)),
    ]


async def test_games_that_go_while_they_are_listed_are_left_out(
    replica: Replica, start: Start, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, going = await new_seats(replica.stub), await new_seats(replica.stub)
    store: Any = replica.server.server.store
    log = store.log

    async def delete_first(game_id: str, *rest: Any) -> Any:  # noqa: ANN401  whatever a store takes
        if game_id == going.id:
            request = pb.DeleteGameRequest(game_id=going.id, request_id=new_id())
            await refusal_or_reply(other.stub.DeleteGame(request, metadata=AS_ADMIN))
        return await log(game_id, *rest)

    other = await start(**place)
    monkeypatch.setattr(store, "log", delete_first)
    page = await replica.stub.ListGames(pb.ListGamesRequest(), metadata=AS_ADMIN)
    assert [game.game_id for game in page.games] == [kept.id]


async def refusal_or_reply(call: Awaitable[object]) -> object:
    try:
        return await call
    except grpc.aio.AioRpcError as error:
        return error


@pytest.mark.parametrize(
    ("lines", "named"),
    [(["appendonly yes"], []), (["maxmemory-policy allkeys-lru"], ["appendonly", "maxmemory-policy"])],
)
async def test_a_redis_that_may_lose_games_is_warned_of(
    start: Start, redis_program: Path, lines: list[str], named: list[str]
) -> None:
    """When it first answers, and again when it is back: it may be another one."""
    with serve(redis_program, *lines) as redis:
        replica = await start(**place_at(redis))
        for warned in (named, named * 2):
            await hosted_is(replica, SERVING)
            await until(partial(has_warned, replica, len(warned)))
            assert settings_named(replica) == warned
            redis.stop()
            await hosted_is(replica, NOT_SERVING)
            redis.start()


def has_warned(replica: Replica, times: int) -> bool:
    return len(settings_named(replica)) >= times


def settings_named(replica: Replica) -> list[str]:
    """Return the settings that the log warns of, in order."""
    lines = [line for line in replica.server.log_lines() if line["event"] == "store_setting"]
    assert all(line["level"] == "warning" for line in lines)
    return [line["text"].split()[0] for line in lines]
