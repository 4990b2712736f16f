"""Several Redis servers: Sentinel and Cluster as real processes, and masters that go away."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any, TypeVar

import pytest
from redis.asyncio import Redis

from service.store import Head, StoreUnavailable, Verdict
from service.store.redis import RedisStore
from service.store.redis_settings import RedisMode, RedisSettings
from tests.redis_server import HOST, RedisServer
from tests.store.changes import begin, change, head, move, whole_log
from tests.store.cluster import LINES, MASTERS, ask, join, join_replica, move_slot
from tests.store.conftest import Connect, Start

pytestmark = pytest.mark.long

T = TypeVar("T")
MASTER = "finspan-master"
WATCH = (
    f"sentinel down-after-milliseconds {MASTER} 500",
    f"sentinel failover-timeout {MASTER} 3000",
)
TRIES = 200


async def when_there(step: Callable[[], Awaitable[T]]) -> T:
    """Repeat a step until the store is available again, and return what came of it."""
    for _ in range(TRIES):
        with suppress(StoreUnavailable):
            return await step()
        await asyncio.sleep(0.1)
    return await step()


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    """Wait until something is so."""
    while not await condition():  # noqa: ASYNC110  it is so on a server, or not yet
        await asyncio.sleep(0.05)


async def _knows_all(sentinel: Redis) -> bool:
    state: Any = await sentinel.sentinel_master(MASTER)
    return (state["num-slaves"], state["num-other-sentinels"]) == (1, 2)


async def _is_linked(replica: Redis) -> bool:
    return (await replica.info("replication")).get("master_link_status") == "up"


async def _is_replicated(master: Redis) -> bool:
    state = await master.info("replication")
    return bool(state["slave0"]["offset"] == state["master_repl_offset"])


class Replicated:
    """A master, a replica and three sentinels, with a store that asks these."""

    def __init__(self, start: Start, connect: Connect) -> None:
        self.master = start()
        self.replica = start(f"replicaof {HOST} {self.master.port}")
        monitor = f"sentinel monitor {MASTER} {HOST} {self.master.port} 2"
        self.sentinels = [start(monitor, *WATCH, sentinel=True) for _ in range(3)]
        nodes = [(HOST, sentinel.port) for sentinel in self.sentinels]
        settings = RedisSettings(
            nodes=nodes, mode=RedisMode.SENTINEL, master=MASTER, connect_seconds=0.3, reply_seconds=0.5
        )
        self.store = connect(settings)

    async def is_ready(self) -> None:
        """Wait until the replica has all that the master has, and each sentinel knows the others."""
        async with Redis(host=HOST, port=self.sentinels[0].port) as sentinel:
            await until(lambda: _knows_all(sentinel))
        async with Redis(host=HOST, port=self.replica.port) as replica:
            await until(lambda: _is_linked(replica))

    async def replicated(self) -> None:
        """Wait until the replica has the newest change, too."""
        async with Redis(host=HOST, port=self.master.port) as master:
            await until(lambda: _is_replicated(master))


@pytest.fixture
async def replicated(start: Start, connect: Connect) -> Replicated:
    nodes = Replicated(start, connect)
    await nodes.is_ready()
    return nodes


async def test_a_store_finds_the_master_that_sentinels_promote(replicated: Replicated) -> None:
    store = replicated.store
    await begin(store, "game")
    before = await move(store, "game", 5)
    await replicated.replicated()
    replicated.master.stop()

    asked = change("game", "after", 6, b"item")
    outcome = await when_there(lambda: store.commit(asked, before))
    assert (outcome.version, outcome.revision) == (6, 7)
    assert (await store.commit(asked, before)).verdict is Verdict.REPEATED
    assert [version for version, _, _ in await whole_log(store, "game")] == list(range(7))
    async with Redis(host=HOST, port=replicated.replica.port) as promoted:
        assert (await promoted.info("replication"))["role"] == "master"

    # Another sentinel less, and the former master back as a replica: nothing is noticed of it.
    replicated.sentinels[0].stop()
    replicated.master.start()
    assert (await when_there(lambda: move(store, "game", 5))).version == 11


async def _play_on(store: RedisStore, game_id: str, stopped: asyncio.Event) -> None:
    for number in count():
        if stopped.is_set():
            break
        before = await when_there(partial(head, store, game_id))
        request_id = f"request {number}"
        asked = change(game_id, request_id, before.version + 1, request_id.encode())
        await when_there(partial(store.commit, asked, before))


async def test_no_log_has_a_gap_or_a_double_after_the_master_was_changed(replicated: Replicated) -> None:
    # The former master may have acknowledged changes that the new one never heard of: the end of a log may be
    # lost, and other moves then take its versions.
    store = replicated.store
    games = [f"game{number}" for number in range(5)]
    for game_id in games:
        await begin(store, game_id)
    await replicated.replicated()
    stopped = asyncio.Event()
    playing = asyncio.gather(*(_play_on(store, game_id, stopped) for game_id in games))
    ask(replicated.sentinels[0], "SENTINEL", "FAILOVER", MASTER)
    async with Redis(host=HOST, port=replicated.master.port) as former:
        await until(lambda: _is_linked(former))
    await asyncio.sleep(0.5)
    stopped.set()
    await playing
    for game_id in games:
        log = await whole_log(store, game_id)
        assert [version for version, _, _ in log] == list(range((await head(store, game_id)).version + 1))
        for _, _, request_id in log[1:]:
            assert (await store.load(game_id, request_id.decode())).record is not None


async def test_without_sentinels_the_store_is_unavailable(replicated: Replicated, connect: Connect) -> None:
    settings = replicated.store._settings
    for wrong in (replace(settings, master="other"), replace(settings, nodes=[(HOST, 1), (HOST, 2)])):
        with pytest.raises(StoreUnavailable, match=r"^the store does not answer$"):
            await connect(wrong).ping()


@pytest.fixture
async def masters(start: Start) -> list[RedisServer]:
    servers = [start(*LINES, "appendonly yes", "appendfsync always") for _ in range(MASTERS)]
    await asyncio.to_thread(join, servers)
    return servers


def of_cluster(servers: Sequence[RedisServer]) -> RedisSettings:
    nodes = [(HOST, server.port) for server in servers]
    return RedisSettings(nodes=nodes, mode=RedisMode.CLUSTER, connect_seconds=0.3, reply_seconds=0.5)


class Playing:
    """Games that go on, each as fast as it can, until they are told to stop; errors are for the test."""

    def __init__(self, store: RedisStore, count: int) -> None:
        self._store = store
        self._games = [f"game{number}" for number in range(count)]
        self._stopped = False

    async def begin(self) -> None:
        for game_id in self._games:
            await begin(self._store, game_id)
        self._playing = asyncio.gather(*map(self._play, self._games))

    async def _play(self, game_id: str) -> int:
        for version in count(1):
            if self._stopped:
                break
            asked = change(game_id, f"move {version}", version, b"item")
            snapshot = f"snapshot of move {version - 1}" if version > 1 else "snapshot of create"
            before = Head(version - 1, version, snapshot.encode())
            outcome = await when_there(partial(self._store.commit, asked, before))
            assert outcome.verdict in {Verdict.DONE, Verdict.REPEATED}
        return version - 1

    async def _is_after(self, game_id: str, version: int) -> bool:
        return self._playing.done() or (await head(self._store, game_id)).version > version

    async def end(self) -> None:
        """Let all make one more move, and see to it that each log is whole."""
        for game_id in self._games:
            before = (await when_there(partial(head, self._store, game_id))).version
            await until(partial(self._is_after, game_id, before))
        self._stopped = True
        for game_id, version in zip(self._games, await self._playing, strict=True):
            log = await whole_log(self._store, game_id)
            assert [each for each, _, _ in log] == list(range(version + 1))


async def test_a_cluster_that_lost_a_master_goes_on_when_it_is_back(
    masters: list[RedisServer], connect: Connect
) -> None:
    playing = Playing(connect(of_cluster(masters)), 30)
    await playing.begin()
    for server in masters:
        server.stop()
        await asyncio.sleep(2)
        await asyncio.to_thread(server.start)
        await asyncio.sleep(1)
    await playing.end()


async def test_without_its_masters_a_cluster_is_unavailable(
    masters: list[RedisServer], connect: Connect
) -> None:
    store = connect(of_cluster(masters))
    await begin(store, "game")
    for server in masters:
        server.stop()
    for _ in range(3):
        loads = await asyncio.gather(*(store.load("game") for _ in range(20)), return_exceptions=True)
        assert all(isinstance(each, StoreUnavailable) for each in loads)


async def test_a_cluster_goes_on_with_a_replica(
    masters: list[RedisServer], start: Start, connect: Connect
) -> None:
    replica = start(*LINES)
    await asyncio.to_thread(join_replica, masters, replica)
    store = connect(of_cluster(masters))
    games = [f"game{number}" for number in range(30)]
    for game_id in games:
        await begin(store, game_id)
    assert ask(masters[0], "WAIT", 1, 5000) == 1
    masters[0].stop()
    moved = await asyncio.gather(*(when_there(partial(move, store, game_id)) for game_id in games))
    assert {each.version for each in moved} <= {1, 2}  # of a move tried twice the first may have happened
    assert ask(replica, "ROLE")[0] == b"master"


async def test_a_game_goes_on_while_its_slot_moves(masters: list[RedisServer], connect: Connect) -> None:
    settings = of_cluster(masters)
    playing = Playing(connect(settings), 10)
    await playing.begin()
    for _ in range(3):
        for _ in move_slot(masters, f"{settings.prefix}{{game0}}"):
            await asyncio.sleep(0.1)
    await playing.end()
