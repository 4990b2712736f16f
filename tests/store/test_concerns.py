"""What a store says of a Redis that is set so that games may be lost."""

from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from redis import Redis

from service.store import StoreUnavailable
from service.store.concerns import INFO_FORBIDDEN, concerns_about
from service.store.memory import MemoryStore
from service.store.redis_settings import RedisSettings
from tests.redis_server import CLUSTER_RIGHTS, HOST, RIGHTS, set_user
from tests.store.changes import begin, move
from tests.store.conftest import Connect, Start

GOOD: dict[str, Any] = {"redis_version": "6.2.0", "maxmemory_policy": "noeviction", "aof_enabled": 1}


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (["appendonly yes"], []),
        ([], ["appendonly"]),
        (["maxmemory-policy allkeys-lru"], ["appendonly", "maxmemory-policy"]),
        (["appendonly yes", "maxmemory-policy volatile-ttl"], ["maxmemory-policy"]),
    ],
)
async def test_a_server_is_asked_for_its_settings(
    start: Start, connect: Connect, lines: list[str], found: list[str]
) -> None:
    store = connect(RedisSettings(nodes=[(HOST, start(*lines).port)]))
    assert [text.split()[0] for text in await store.concerns()] == found


@pytest.mark.parametrize(
    ("differs", "named"),
    [
        ({}, []),
        ({"redis_version": "6.0.16"}, ["6.0.16"]),
        ({"redis_version": "5"}, ["5"]),
        ({"redis_version": "10.0.0-rc1"}, []),
        ({"maxmemory_policy": "volatile-lru"}, ["volatile-lru"]),
        ({"aof_enabled": 0}, ["no"]),
    ],
)
def test_what_is_wrong_is_named(differs: dict[str, Any], named: list[str]) -> None:
    found = concerns_about({**GOOD, **differs})
    assert len(found) == len(named)
    assert all(name in text for name, text in zip(named, found, strict=True))


def test_what_a_server_does_not_say_is_no_concern() -> None:
    assert concerns_about({}) == []


async def test_a_server_that_does_not_tell_is_named(start: Start, connect: Connect) -> None:
    server = start("user few on nopass ~* &* +@all -info")
    settings = RedisSettings(nodes=[(HOST, server.port)])
    assert await connect(replace(settings, username="few", password="any")).concerns() == [INFO_FORBIDDEN]  # noqa: S106  of this test
    renamed = start('rename-command INFO ""')
    assert await connect(replace(settings, nodes=[(HOST, renamed.port)])).concerns() == [INFO_FORBIDDEN]


async def test_a_server_that_is_away_tells_nothing(connect: Connect) -> None:
    with pytest.raises(StoreUnavailable):
        await connect(RedisSettings(nodes=[(HOST, 1)])).concerns()


async def test_memory_has_no_settings() -> None:
    assert list(await MemoryStore().concerns()) == []


@pytest.mark.long
async def test_all_masters_of_a_cluster_are_asked(cluster_settings: RedisSettings, connect: Connect) -> None:
    found = await connect(cluster_settings).concerns()
    assert [text.split()[0] for text in found] == ["appendonly"]


@pytest.mark.long
async def test_the_rights_of_a_user_are_enough_for_a_cluster(
    cluster_settings: RedisSettings, connect: Connect
) -> None:
    name = f"test-{uuid4()}"
    for host, port in cluster_settings.nodes:
        with Redis(host=host, port=port) as redis:
            set_user(redis, name, name, f"{RIGHTS} {CLUSTER_RIGHTS}")
    store = connect(replace(cluster_settings, username=name, password=name, prefix=f"{name}:"))
    await begin(store, "game")
    await move(store, "game", 3)
    await store.ping()
    assert [game.game_id for game in (await store.games("", 10)).games] == ["game"]
    assert await store.concerns() != [INFO_FORBIDDEN]
