"""Servers that share one store, in memory or in Redis."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import NamedTuple, TypeAlias
from urllib.parse import urlsplit
from uuid import uuid4

import grpc
import pytest
from redis import Redis

from finspan.v1.finspan_pb2_grpc import FinspanServiceStub
from service.store.memory import MemoryStore
from service.testing import RunningServer, running_server
from tests.hosted.tables import SETTINGS
from tests.redis_server import RedisServer, serve, set_user
from tests.service.support import Stub

Place: TypeAlias = dict[str, object]
"""The settings of servers that share one store."""


class Replica(NamedTuple):
    """A server, and what speaks to it."""

    server: RunningServer
    channel: grpc.aio.Channel
    stub: Stub


Start: TypeAlias = Callable[..., Awaitable[Replica]]


@pytest.fixture
def redis_place(redis_url: str) -> Iterator[Place]:
    """Return a place in the shared Redis, which goes with the test.

    Its user has the rights that operators are told to give, and no more.
    """
    prefix = f"test-{uuid4()}"
    address = urlsplit(redis_url)
    _, _, host = address.netloc.rpartition("@")
    with Redis.from_url(redis_url) as redis:
        set_user(redis, prefix, prefix)
        url = address._replace(netloc=f"{prefix}:{prefix}@{host}").geturl()
        yield {"redis_url": url, "redis_prefix": prefix, **SETTINGS}
        for key in redis.scan_iter(match=f"{prefix}:*"):
            redis.delete(key)
        redis.acl_deluser(prefix)


@pytest.fixture(params=["memory", "redis"])
def place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Place:
    """Return a place for games; one in memory is shared by servers in one process, and outlives them."""
    if request.param == "memory":
        store = MemoryStore()
        monkeypatch.setattr("service.server.open_store", lambda _settings: store)
        return SETTINGS
    redis: Place = request.getfixturevalue("redis_place")
    return redis


@pytest.fixture
async def start() -> AsyncIterator[Start]:
    """Start servers that end with the test."""
    async with AsyncExitStack() as stack:

        async def start_one(**settings: object) -> Replica:
            server = await stack.enter_async_context(running_server(**settings))
            options = [("grpc.use_local_subchannel_pool", 1)]
            channel = await stack.enter_async_context(
                grpc.aio.insecure_channel(server.address, options=options)
            )
            return Replica(server, channel, FinspanServiceStub(channel))

        yield start_one


@pytest.fixture
async def replica(start: Start, place: Place) -> Replica:
    return await start(**place)


@pytest.fixture
async def stub(replica: Replica) -> Stub:
    return replica.stub


@pytest.fixture
def own_redis(redis_program: Path) -> Iterator[RedisServer]:
    """Start a server of Redis that the test may break."""
    with serve(redis_program) as server:
        yield server
