"""Real processes of the service that are killed, cut off, and shared."""

import asyncio
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress

import grpc

from finspan.v1 import finspan_pb2 as pb
from service.engine.digest import public_digest
from service.engine.rules import apply, legal_moves
from service.server import HOSTED
from tests.hosted.conftest import Place, Replica, Start
from tests.hosted.processes import HOST, Wire, program, stub_at, wire_to
from tests.hosted.tables import AS_ADMIN, SETTINGS, deciding, known_seats, new_request, new_seats
from tests.service.support import chance, refusal_of
from tests.service.test_server import NOT_SERVING, SERVING, health_of

KILLS = 4


def port_of(replica: Replica) -> int:
    return int(replica.server.address.rpartition(":")[2])


async def test_a_server_that_is_killed_in_the_middle_loses_and_doubles_nothing(redis_place: Place) -> None:
    """Whatever was under way is sent again, with its request id, to another server: it is done once."""
    rng = chance(1)
    async with program(redis_place) as safe, stub_at(safe.port) as stub:
        seats, state = await known_seats(stub, players=3)
        for _ in range(KILLS):
            async with program(redis_place) as doomed, stub_at(doomed.port) as doomed_stub:
                state = await seats.at(doomed_stub).play(state, 10)
                move = rng.choice(legal_moves(state))
                request, metadata = seats.request(state.version, move), seats.as_seat(deciding(state))
                call = doomed_stub.ApplyMove(request, metadata=metadata)
                await asyncio.sleep(rng.uniform(0, 0.004))
                await doomed.kill()
                with suppress(grpc.aio.AioRpcError):  # the reply may have come in time
                    await call
                replies = [await stub.ApplyMove(request, metadata=metadata) for _ in range(2)]
                state = apply(state, move).state
                assert replies[0] == replies[1]
                assert (replies[0].version, replies[0].digest) == (state.version, public_digest(state))
        assert [entry.version for entry in await seats.log()] == list(range(state.version + 1))


async def lost(wire: Wire, call: Awaitable[object], is_done: Callable[[], Awaitable[bool]]) -> None:
    """Make a call whose answer is lost once the server has done what was asked."""
    waiting = asyncio.ensure_future(refusal_of(call))
    while not await is_done():
        assert not waiting.done()
    wire.cut()
    assert (await waiting).code is grpc.StatusCode.UNAVAILABLE


async def test_a_reply_that_is_lost_on_its_way_is_got_by_the_retry(start: Start, place: Place) -> None:
    """The server has carried out the move when the connection goes."""
    replica = await start(**place)
    seats, state = await known_seats(replica.stub)

    async def has_moved() -> bool:
        return (await seats.get()).game.version > state.version

    async with wire_to(port_of(replica)) as wire:
        for version in range(5):
            move = legal_moves(state)[0]
            request, metadata = seats.request(version, move), seats.as_seat(deciding(state))
            async with stub_at(wire.port) as stub:
                await stub.GetGame(pb.GetGameRequest(game_id=seats.id), metadata=AS_ADMIN)
                wire.loses_answers = True
                await lost(wire, stub.ApplyMove(request, metadata=metadata), has_moved)
            state = apply(state, move).state
            async with stub_at(wire.port) as stub:
                reply = await stub.ApplyMove(request, metadata=metadata)
            assert (reply.version, reply.digest) == (version + 1, public_digest(state))
    assert len(await seats.log()) == 6


async def test_a_new_game_whose_reply_is_lost_is_made_once(start: Start, place: Place) -> None:
    replica = await start(**place)

    async def games() -> list[str]:
        page = await replica.stub.ListGames(pb.ListGamesRequest(), metadata=AS_ADMIN)
        return [game.game_id for game in page.games]

    async def is_made() -> bool:
        return bool(await games())

    request = new_request()
    async with wire_to(port_of(replica)) as wire:
        async with stub_at(wire.port) as stub:
            await stub.ListGames(pb.ListGamesRequest())
            wire.loses_answers = True
            await lost(wire, stub.NewGame(request), is_made)
        async with stub_at(wire.port) as stub:
            made = await stub.NewGame(request)
    assert await games() == [made.game.game_id]


async def test_games_outlive_the_servers(redis_place: Place) -> None:
    """A game is made, played and looked at by one server after the other."""
    async with program(redis_place) as first, stub_at(first.port) as stub:
        seats, state = await known_seats(stub)
        state = await seats.play(state, 10)
        first.process.send_signal(signal.SIGTERM)
        await first.process.wait()
    async with program(redis_place) as second, stub_at(second.port) as stub:
        seats = seats.at(stub)
        assert (await seats.get()).digest == public_digest(state)
        await seats.play(state, 10)
        assert len(await seats.log()) == 21


async def test_workers_with_redis_host_games(redis_place: Place) -> None:
    """Each call by a connection of its own, so that both of them have their turns."""
    async with program(redis_place, "--workers", "2") as running:
        async with stub_at(running.port) as stub:
            seats, state = await known_seats(stub)
        for _ in range(16):
            async with stub_at(running.port) as stub:
                state = await seats.at(stub).play(state, 2)
        async with stub_at(running.port) as stub:
            assert (await seats.at(stub).get()).digest == public_digest(state)
    assert {line["worker"] for line in running.lines if line["event"] == "call"} == {0, 1}
    (serving,) = [line for line in running.lines if line["event"] == "serving"]
    assert serving["hosted"] == "redis"


async def test_workers_without_redis_host_none() -> None:
    async with program(SETTINGS, "--workers", "2") as running, stub_at(running.port) as stub:
        refusal = await refusal_of(stub.NewGame(new_request()))
        assert (refusal.code.name, refusal.reason) == ("UNIMPLEMENTED", "NOT_OFFERED")
        assert refusal.metadata == {"feature": "hosted_games"}
        for call in (
            stub.Score(pb.ScoreRequest(game_id="x")),
            stub.ListGames(pb.ListGamesRequest()),
            stub.GetGame(pb.GetGameRequest(game_id="x")),
        ):
            assert (await refusal_of(call)).reason == "NOT_OFFERED"
        await stub.NewGame(pb.NewGameRequest(players=2))
        async with grpc.aio.insecure_channel(f"{HOST}:{running.port}") as channel:
            assert await health_of(channel, HOSTED) == NOT_SERVING
            assert await health_of(channel) == SERVING
    (serving,) = [line for line in running.lines if line["event"] == "serving"]
    assert serving["hosted"] == "no"


async def test_a_single_worker_hosts_games_in_its_memory() -> None:
    async with program(SETTINGS) as running, stub_at(running.port) as stub:
        seats = await new_seats(stub)
        assert (await seats.get()).game.version == 0
        async with grpc.aio.insecure_channel(f"{HOST}:{running.port}") as channel:
            while await health_of(channel, HOSTED) != SERVING:
                pass
    (serving,) = [line for line in running.lines if line["event"] == "serving"]
    assert serving["hosted"] == "memory"
