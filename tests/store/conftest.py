"""The stores under test, and servers of Redis: a plain one for all, others for the tests that break them."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

import pytest

from service.store import Store
from service.store.redis import RedisStore
from service.store.redis_settings import RedisSettings
from tests.redis_server import RedisServer, serve
from tests.store.cluster import run_cluster
from tests.store.keepers import Keeper, MemoryKeeper, RedisKeeper

Start: TypeAlias = Callable[..., RedisServer]
Connect: TypeAlias = Callable[[RedisSettings], RedisStore]


@pytest.fixture(scope="session")
def redis_settings(redis_url: str) -> RedisSettings:
    """Return how to talk to the server that tests share."""
    return RedisSettings.of_url(redis_url)


@pytest.fixture(scope="session")
def cluster_settings(redis_program: Path) -> Iterator[RedisSettings]:
    with run_cluster(redis_program) as settings:
        yield settings


@pytest.fixture(params=["memory", "redis", pytest.param("cluster", marks=pytest.mark.long)])
async def keeper(request: pytest.FixtureRequest) -> AsyncIterator[Keeper]:
    if request.param == "memory":
        yield MemoryKeeper()
        return
    redis = RedisKeeper(request.getfixturevalue(f"{request.param}_settings"))
    yield redis
    await redis.remove()


@pytest.fixture
def store(keeper: Keeper) -> Store:
    return keeper.store


@pytest.fixture
async def redis_keeper(redis_settings: RedisSettings) -> AsyncIterator[RedisKeeper]:
    redis = RedisKeeper(redis_settings)
    yield redis
    await redis.remove()


@pytest.fixture
def start(redis_program: Path) -> Iterator[Start]:
    """Start servers with lines of configuration that end with the test."""
    with ExitStack() as stack:
        yield lambda *lines, sentinel=False: stack.enter_context(
            serve(redis_program, *lines, sentinel=sentinel)
        )


@pytest.fixture
async def connect() -> AsyncIterator[Connect]:
    """Make stores that are closed with the test."""
    stores: list[RedisStore] = []

    def connect_to(settings: RedisSettings) -> RedisStore:
        stores.append(RedisStore(settings))
        return stores[-1]

    yield connect_to
    for each in stores:
        await each.close()
