"""What administrators do to stored games from the command line."""

from pathlib import Path
from urllib.parse import urlsplit

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
    SETTINGS,
    Seats,
    deciding,
    end,
    forked,
    known_seats,
    new_id,
    new_seats,
)
from tests.redis_server import RedisServer, serve
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
    host = urlsplit(str(redis_place["redis_url"])).netloc.rpartition("@")[2]
    where = f"redis://{host}/0, prefix {redis_place['redis_prefix']}, sealing with a"
    assert told[0] == where
    assert len(told) == len(games) + 2
    assert all(line.endswith("rules 1: the same") for line in told[1:-1])
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


async def test_keys_are_rotated_with_what_is_stored(
    start: Start, redis_place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    stub = (await start(**redis_place)).stub
    seats, state = await known_seats(stub)
    state = await seats.play(state, MOVES)
    both = f"{OTHER_KEYS},{KEYS}"
    assert await ask(redis_place, "verify", seal_keys=OTHER_KEYS) == FAILED
    capsys.readouterr()
    assert await ask(redis_place, "reseal", seal_keys=both) == 0
    place, *told = capsys.readouterr().out.splitlines()
    assert place.endswith(f", prefix {redis_place['redis_prefix']}, sealing with b")
    assert told == [f"{seats.id}: sealed anew with b", "1 games, 0 not as wanted"]
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


@pytest.mark.parametrize("command", ["verify", "reseal"])
async def test_a_place_without_any_game_is_told(
    redis_place: Place, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    """Most likely the prefix, or the database, is another one than the servers have."""
    assert await ask(redis_place, command) == FAILED
    assert capsys.readouterr().out.splitlines()[1:] == [
        "no games at all; is FINSPAN_REDIS_PREFIX the one of the servers?"
    ]


def set_variables(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("FINSPAN_REDIS_URL", url)
    monkeypatch.setenv("FINSPAN_REDIS_TIMEOUT_SECONDS", "0.5")
    monkeypatch.setenv("FINSPAN_SEAL_KEYS", KEYS)
    monkeypatch.setenv("FINSPAN_TOKEN_KEYS", KEYS)


REFUSALS = {
    "no password": ("requirepass right", "{}/0", "AuthenticationError"),
    "a wrong password": ("requirepass right", ":hunter2@{}/0", "AuthenticationError"),
    "no rights": ("user default on nopass ~* &* -@all", "{}/0", "NoPermissionError"),
    "no such database": ("databases 16", "{}/99", "NoSuchDatabaseError"),
}
"""A line of Redis' configuration, where it is then looked for, and what is told."""


@pytest.mark.parametrize("arguments", [["verify"], ["verify", "some-game-not-stored-1"], ["reseal"]])
@pytest.mark.parametrize("why", REFUSALS)
def test_why_a_store_does_not_answer_is_told(
    redis_program: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    why: str,
) -> None:
    line, where, cause = REFUSALS[why]
    with serve(redis_program, line) as redis:
        address = f"127.0.0.1:{redis.port}"
        set_variables(monkeypatch, f"redis://{where.format(address)}")
        assert main(arguments) == FAILED
    place, text = capsys.readouterr().out.splitlines()
    shown = where.format(address).removeprefix(":hunter2@")
    assert place == f"redis://{shown}, prefix finspan, sealing with a"
    assert text.startswith("The store of hosted games does not answer")
    assert text.endswith(f" ({cause})")


def test_a_store_that_nobody_keeps(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    set_variables(monkeypatch, "redis://127.0.0.1:1")
    assert main(["verify"]) == FAILED
    assert capsys.readouterr().out.endswith(" (ConnectionRefusedError)\n")


async def test_a_full_store_is_told(
    start: Start, own_redis: RedisServer, capsys: pytest.CaptureFixture[str]
) -> None:
    place: Place = {"redis_url": f"redis://127.0.0.1:{own_redis.port}", **SETTINGS}
    await new_seats((await start(**place)).stub)
    with Redis(port=own_redis.port) as redis:
        redis.config_set("maxmemory", 1)
    assert await ask(place, "verify") == 0
    assert await ask(place, "reseal") == FAILED
    assert capsys.readouterr().out.endswith(" (OutOfMemoryError)\n")


def test_a_misspelt_setting_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    set_variables(monkeypatch, "redis://127.0.0.1:1")
    monkeypatch.setenv("FINSPAN_REDIS_PERFIX", "mine")
    assert main(["verify"]) == FAILED
    assert capsys.readouterr().err == "FINSPAN_REDIS_PERFIX: there is no such setting; is it misspelt?\n"


def test_without_redis_there_is_nothing_to_administer(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["verify"])
    assert ended.value.code == BAD_USAGE
    assert "FINSPAN_REDIS_URL" in capsys.readouterr().err
