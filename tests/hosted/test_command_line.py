"""What administrators do to stored games from the command line."""

import pytest
from redis import Redis

from finspan.v1 import finspan_pb2 as pb
from service.admin import BAD_USAGE, COMMANDS, FAILED, main, run
from service.settings import load_settings
from tests.hosted.conftest import Place, Start
from tests.hosted.tables import (
    AS_ADMIN,
    KEYS,
    OTHER_KEYS,
    REEFS,
    Seats,
    deciding,
    end,
    forked,
    known_seats,
    new_id,
    new_seats,
)
from tests.service.support import Stub, refusal_of

MOVES = 40


async def ask(place: Place, command: str, game_id: str | None = None, **settings: object) -> int:
    return await run(load_settings(**{**place, **settings}), COMMANDS[command], game_id)


def head_of(place: Place, game_id: str) -> str:
    return f"{place['redis_prefix']}:{{{game_id}}}:head"


def log_of(place: Place, game_id: str) -> str:
    return f"{place['redis_prefix']}:{{{game_id}}}:log"


async def games_of_all_kinds(stub: Stub) -> list[Seats]:
    """Return a running game, one with reefs, a fork that bots play to its end, and an ended one."""
    running, state = await known_seats(stub, players=3)
    await running.play(state, MOVES)
    reefs, state = await known_seats(stub, options=REEFS)
    await reefs.play(state, MOVES)
    reply = await stub.ForkGame(
        pb.ForkGameRequest(game_id=running.id, version=MOVES // 2, request_id=new_id()), metadata=AS_ADMIN
    )
    fork = forked(reply, stub)
    infos = [await end(fork, bot_seat=seat) for seat in range(3)]
    assert infos[-1].status == pb.GAME_STATUS_OVER
    ended = await new_seats(stub, players=1)
    await end(ended, end_now={})
    return [running, reefs, fork, ended]


async def test_games_of_all_kinds_follow_from_their_records(
    start: Start, redis_place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    games = await games_of_all_kinds((await start(**redis_place)).stub)
    assert await ask(redis_place, "verify") == 0
    told = capsys.readouterr().out.splitlines()
    assert len(told) == len(games) + 1
    assert all(line.endswith("rules 1: the same") for line in told[:-1])
    assert told[-1] == "4 games, 0 not as wanted"


async def test_a_record_that_was_changed_is_noticed(
    start: Start, redis_place: Place, redis_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    seats, state = await known_seats((await start(**redis_place)).stub)
    await seats.play(state, MOVES)
    with Redis.from_url(redis_url) as redis:
        ((_, entry),) = redis.xrevrange(log_of(redis_place, seats.id), count=1)
        redis.xtrim(log_of(redis_place, seats.id), maxlen=1)
        redis.delete(log_of(redis_place, seats.id))
        redis.xadd(log_of(redis_place, seats.id), entry, id=f"{MOVES}-1")
    assert await ask(redis_place, "verify", seats.id) == FAILED
    told = capsys.readouterr().out
    assert f"{seats.id}: version {MOVES}, rules 1: differs" in told
    assert f"  version {MOVES}" in told


async def test_a_snapshot_cannot_take_the_place_of_another(
    start: Start, redis_place: Place, redis_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    stub = (await start(**redis_place)).stub
    one, other = await new_seats(stub), await new_seats(stub)
    with Redis.from_url(redis_url) as redis:
        foreign = redis.hget(head_of(redis_place, other.id), "snapshot")
        assert foreign is not None
        redis.hset(head_of(redis_place, one.id), "snapshot", foreign)
    assert await ask(redis_place, "verify") == FAILED
    assert f"{one.id}: The stored snapshot was changed" in capsys.readouterr().out
    refusal = await refusal_of(one.get())
    assert (refusal.code.name, refusal.reason) == ("INTERNAL", "INTERNAL")


async def test_keys_are_rotated_with_what_is_stored(start: Start, redis_place: Place) -> None:
    stub = (await start(**redis_place)).stub
    seats, state = await known_seats(stub)
    state = await seats.play(state, MOVES)
    both = f"{OTHER_KEYS},{KEYS}"
    assert await ask(redis_place, "verify", seal_keys=OTHER_KEYS) == FAILED
    assert await ask(redis_place, "reseal", seal_keys=both) == 0
    assert await ask(redis_place, "verify", seal_keys=OTHER_KEYS) == 0
    new = await start(**redis_place | {"seal_keys": OTHER_KEYS})
    elsewhere = seats.at(new.stub)
    assert (await elsewhere.get(version=MOVES // 2)).state.version == MOVES // 2
    await elsewhere.play(state, 3)


async def test_a_game_of_other_rules_is_moved_over(
    start: Start, redis_place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stub = (await start(**redis_place)).stub
    with monkeypatch.context() as older:
        for module in ("snapshots", "games"):
            older.setattr(f"service.hosting.{module}.RULES_VERSION", "0")
        seats, state = await known_seats(stub)
        state = await seats.play(state, MOVES)
    there = seats.at((await start(**redis_place)).stub)
    assert await ask(redis_place, "move-over", seats.id) == 0
    assert f"{seats.id}: version {MOVES}, rules 0: the same" in capsys.readouterr().out
    shown = await there.get()
    assert (shown.game.rules_version, shown.state.version) == ("1", MOVES)
    assert (await there.log())[-1].kind == pb.LOG_ENTRY_KIND_RULES_CHANGED
    assert (await there.get(version=3)).state.version == 3
    state = await there.play(state, 3)
    assert deciding(state) == (await there.get()).decision.seat
    assert await ask(redis_place, "verify", seats.id) == 0
    assert await ask(redis_place, "move-over", seats.id) == 0
    assert "is of rules 1 already" in capsys.readouterr().out


async def test_games_that_are_not_there(
    start: Start, redis_place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    await start(**redis_place)
    assert await ask(redis_place, "verify", "nowhere") == FAILED
    assert "nowhere: There is no such game, or no longer." in capsys.readouterr().out


def test_a_store_that_does_not_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FINSPAN_REDIS_URL", "redis://127.0.0.1:1")
    monkeypatch.setenv("FINSPAN_REDIS_TIMEOUT_SECONDS", "0.2")
    monkeypatch.setenv("FINSPAN_SEAL_KEYS", KEYS)
    monkeypatch.setenv("FINSPAN_TOKEN_KEYS", KEYS)
    assert main(["verify"]) == FAILED
    assert "does not answer" in capsys.readouterr().out


def test_without_redis_there_is_nothing_to_administer(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["verify"])
    assert ended.value.code == BAD_USAGE
    assert "FINSPAN_REDIS_URL" in capsys.readouterr().err
