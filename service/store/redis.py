"""Keeps hosted games in Redis, from 6.2 on: one server, a master behind Sentinel, or a cluster.

Each step that changes a game is one script of ``scripts/``, and each may arrive twice: redis-py itself sends
a command again if the connection is lost before the reply.
"""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from hashlib import sha1
from importlib.resources import files
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from redis import exceptions
from redis.asyncio import Redis, RedisCluster, Sentinel
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff

from service.store import (
    Change,
    Head,
    Listed,
    Loaded,
    LogEntry,
    Outcome,
    Page,
    Record,
    StoreUnavailable,
    Verdict,
)
from service.store.concerns import INFO_FORBIDDEN, concerns_about
from service.store.entries import (
    check_items,
    is_forgotten,
    list_entry,
    read_entry,
    read_mark,
    time_at,
    write_mark,
)
from service.store.redis_settings import RedisMode, RedisSettings

TIDIED_PER_CLAIM: Final = 4
"""How many entries of the list a claim looks at, by chance; thus a quarter at most is of lost games."""

_AWAY_MESSAGE: Final = "the store does not answer"
_AWAY: Final = (
    exceptions.ConnectionError,
    exceptions.TimeoutError,
    OSError,  # a TLS error, and the time-out of a whole call
    exceptions.ReadOnlyError,
    exceptions.OutOfMemoryError,
    exceptions.NoPermissionError,
    exceptions.ClusterError,
    exceptions.RedisClusterException,
    exceptions.TryAgainError,
    exceptions.AskError,  # MOVED, too: the cluster has no rest
    exceptions.NoScriptError,
)


class NoSuchDatabaseError(exceptions.ResponseError):
    """The server has no database of that number."""


class UnknownCommandError(exceptions.ResponseError):
    """The server does not know a command: it is too old, or the command was renamed."""


_AWAY_IN_TEXT: Final = (
    (re.compile(r"(?:^|-)OOM "), exceptions.OutOfMemoryError),
    (re.compile(r"(?:^|-)READONLY "), exceptions.ReadOnlyError),
    (re.compile(r"(?:^|-)(?:DENIED|NOPERM) |executing the script can't "), exceptions.NoPermissionError),
    (re.compile(r"DB index"), NoSuchDatabaseError),
    (re.compile(r"[Uu]nknown (?:Redis )?command"), UnknownCommandError),
    (
        re.compile(r"(?:^|-)(?:BUSY|CLUSTERDOWN|LOADING|MASTERDOWN|MISCONF|NOREPLICAS|UNKILLABLE) "),
        exceptions.ResponseError,
    ),
)
"""What redis-py has no class for, and what Redis says in other words if it happens within a script."""


class _Script(NamedTuple):
    """A script, and the name by which a server knows it once it has run there."""

    text: str
    sha: str


def _script(name: str) -> _Script:
    text = (files("service.store") / "scripts" / f"{name}.lua").read_text(encoding="utf-8")
    return _Script(text, sha1(text.encode(), usedforsecurity=False).hexdigest())


_CHANGE: Final = _script("change")
_CLAIM: Final = _script("claim")
_DELETE: Final = _script("delete")
_LOAD: Final = _script("load")
_PING: Final = _script("ping")
_RESEAL: Final = _script("reseal")


class RedisStore:
    """A store in Redis. It may be made before there is an event loop and connects when first needed."""

    def __init__(self, settings: RedisSettings) -> None:
        self._settings = settings
        self._closing = AsyncExitStack()
        self._redis = _client(settings, self._closing)
        self._turns = asyncio.Semaphore(settings.connections)
        self._list = f"{settings.prefix}games"

    async def claim(
        self, request_id: str, fingerprint: bytes, game_id: str, *, keep_seconds: int
    ) -> tuple[str, bytes]:
        """Bind the request id of a new game; see `Store.claim`."""
        key = f"{self._settings.prefix}claim:{quote(request_id, safe='')}"
        claim = _pack(fingerprint, game_id.encode())
        async with self._answering():
            created, _, claimed = (await self._run(_CLAIM, [key], claim, keep_seconds * 1000)).partition(b":")
            bound = _unpack(claimed)
            bound_id = bound.outcome.decode()
            # The list lies elsewhere in a cluster. A claim that is repeated mends one that ended in between.
            await self._redis.zadd(self._list, {list_entry(int(created), bound_id): 0})
            await self._look_up(await self._redis.zrandmember(self._list, TIDIED_PER_CLAIM) or [])
        return bound_id, bound.fingerprint

    async def create(self, change: Change) -> Outcome:
        """Begin a game; see `Store.create`."""
        check_items(change, None)
        return await self._change(change, "", "", "")

    async def load(self, game_id: str, request_id: str | None = None) -> Loaded:
        """Return a game's newest state and a request's record; see `Store.load`."""
        head, _, records = self._keys(game_id)
        async with self._answering():
            if request_id is None:
                found = [*await self._redis.hmget(head, ["version", "revision", "snapshot"]), None]
            else:
                found = await self._run(_LOAD, [head, records], request_id)
        version, revision, snapshot, record = found
        return Loaded(
            None if version is None else Head(int(version), int(revision), snapshot),
            None if record is None else _unpack(record),
        )

    async def commit(self, change: Change, expected: Head) -> Outcome:
        """Change a game; see `Store.commit`."""
        check_items(change, expected)
        snapshot = sha1(expected.snapshot, usedforsecurity=False).hexdigest()
        return await self._change(change, expected.version, expected.revision, snapshot)

    async def delete(self, change: Change) -> Outcome:
        """Delete a game; see `Store.delete`."""
        return await self._step(_DELETE, change)

    async def origin(self, game_id: str) -> bytes | None:
        """Return a game's first snapshot; see `Store.origin`."""
        async with self._answering():
            snapshot: bytes | None = await self._redis.hget(self._keys(game_id)[0], "origin")
        return snapshot

    async def log(self, game_id: str, start: tuple[int, int], count: int) -> Sequence[LogEntry]:
        """Return items of a game's log; see `Store.log`."""
        version, number = start
        async with self._answering():
            items = await self._redis.xrange(
                self._keys(game_id)[1], min=f"{version}-{number + 1}", count=count
            )
        return [_log_entry(id_, fields) for id_, fields in items or []]

    async def games(self, mark: str, count: int) -> Page:
        """Return a page of the list of games; see `Store.games`."""
        newest = b"(" + read_mark(mark) if mark else b"+"
        async with self._answering():
            entries = await self._redis.zrevrangebylex(self._list, newest, b"-", start=0, num=count + 1)
            listed = await self._look_up(entries[:count])
        return Page(listed, write_mark(entries[count - 1]) if len(entries) > count else "")

    async def reseal(self, game_id: str, expected: Head, snapshot: bytes, origin: bytes) -> bool:
        """Replace the bytes of both snapshots; see `Store.reseal`."""
        async with self._answering():
            return bool(await self._run(_RESEAL, [self._keys(game_id)[0]], *expected, snapshot, origin))

    async def ping(self) -> None:
        """Return if Redis answers and takes changes; of a cluster one node that has all slots covered."""
        key = f"{self._settings.prefix}ping"
        async with self._answering():
            # Not in the script: before 7.0 Redis does not count its replicas there.
            await self._redis.set(key, b"", px=1000)
            await self._run(_PING, [key], key)

    async def concerns(self) -> Sequence[str]:
        """Return what is wrong with Redis' own settings; see `Store.concerns`."""
        try:
            async with self._answering():
                servers = await _infos(self._redis)
        except StoreUnavailable as error:
            if isinstance(error.__cause__, exceptions.NoPermissionError | UnknownCommandError):
                return [INFO_FORBIDDEN]
            raise
        return sorted({text for server in servers for text in concerns_about(server)})

    async def close(self) -> None:
        """Let go of all connections."""
        await self._closing.aclose()

    def _keys(self, game_id: str) -> list[str]:
        """Return the keys of a game's head, log and records; braces in an id must not move the hash tag."""
        game = f"{self._settings.prefix}{{{quote(game_id, safe='')}}}"
        return [f"{game}:head", f"{game}:log", f"{game}:records"]

    async def _change(self, change: Change, *expected: int | str) -> Outcome:
        items = [part for item in change.items for part in item]
        return await self._step(_CHANGE, change, *expected, change.version, change.snapshot, *items)

    async def _step(self, script: _Script, change: Change, *arguments: bytes | int | str) -> Outcome:
        keys = self._keys(change.game_id)
        channel = keys[0].removesuffix(":head")
        record, keep = _pack(*change.record), change.keep_seconds * 1000
        async with self._answering():
            reply = await self._run(script, keys, change.request_id, record, keep, channel, *arguments)
        return _outcome(reply, change.record.fingerprint)

    async def _run(self, script: _Script, keys: Sequence[str], *arguments: bytes | int | str) -> Any:  # noqa: ANN401  each script has its own reply
        """Run a script by its name; in full on a server that does not know it, or no longer."""
        try:
            return await self._redis.execute_command("EVALSHA", script.sha, len(keys), *keys, *arguments)
        except exceptions.NoScriptError:
            return await self._redis.execute_command("EVAL", script.text, len(keys), *keys, *arguments)

    async def _look_up(self, entries: Sequence[bytes]) -> list[Listed]:
        """Return the games of the list's entries that are there, and remove the forgotten ones."""
        if not entries:
            return []
        listed = [read_entry(entry) for entry in entries]
        asked = self._redis.pipeline(transaction=False)
        for game in listed:
            asked.exists(self._keys(game.game_id)[0])
        there = await asked.execute()
        # Our own clock is good enough: it only has to be right to some hours.
        now = time.time_ns() // 1_000_000
        gone = [
            entry
            for entry, is_there in zip(entries, there, strict=True)
            if not is_there and is_forgotten(entry, now)
        ]
        if gone:
            await self._redis.zrem(self._list, *gone)
        return [game for game, is_there in zip(listed, there, strict=True) if is_there]

    @asynccontextmanager
    async def _answering(self) -> AsyncIterator[None]:
        """Wait for a turn, limit the time, and say `StoreUnavailable` of whatever is away."""
        try:
            async with asyncio.timeout(self._settings.call_seconds), self._turns:
                # A cluster's client that has not yet seen the cluster would try any node.
                await self._redis.initialize()
                yield
        except (*_AWAY, exceptions.ResponseError) as error:
            away = _as_away(error)
            if away is None:
                raise
            await self._leave_replica(away)
            raise StoreUnavailable(_AWAY_MESSAGE) from away
        except AttributeError as error:
            # When a cluster is down, redis-py closes connections under those who are just opening them.
            if isinstance(self._redis, Redis) or error.obj is not None:
                raise
            raise StoreUnavailable(_AWAY_MESSAGE) from error

    async def _leave_replica(self, error: Exception) -> None:
        """Let go of connections to a server that is no longer the master, so that the next ones find it."""
        if isinstance(error, exceptions.ReadOnlyError) and isinstance(self._redis, Redis):
            with suppress(*_AWAY):
                await self._redis.connection_pool.disconnect(inuse_connections=False)


def _as_away(error: Exception) -> Exception | None:
    """Return the error by the kind that says why the store is away; None if it is not."""
    if isinstance(error, _AWAY):
        return error
    text = str(error)
    return next((kind(text) for pattern, kind in _AWAY_IN_TEXT if pattern.search(text)), None)


async def _infos(redis: Any) -> Sequence[Mapping[str, Any]]:  # noqa: ANN401  as below
    """Return what the server says of itself; of a cluster what each master says."""
    if isinstance(redis, Redis):
        return [await redis.info()]
    return [*(await redis.info(target_nodes=RedisCluster.PRIMARIES)).values()]


def _client(settings: RedisSettings, closing: AsyncExitStack) -> Any:  # noqa: ANN401  Redis or RedisCluster, whose types do not agree
    """Return a client; what closes it and all that belongs to it is pushed on ``closing``."""
    common: dict[str, Any] = {
        "socket_connect_timeout": settings.connect_seconds,
        "socket_timeout": settings.reply_seconds,
        "retry": Retry(ExponentialBackoff(cap=0.1, base=0.01), settings.retries),
        "protocol": 2,
    }
    if settings.tls:
        common |= {
            "ssl": True,
            "ssl_ca_certs": settings.tls_ca_file,
            "ssl_certfile": settings.tls_cert_file,
            "ssl_keyfile": settings.tls_key_file,
        }
    # A connection that is being closed counts until it is: twice as many, so that none is refused for that.
    ours = common | {
        "username": settings.username,
        "password": settings.password,
        "max_connections": 2 * settings.connections,
    }
    client: Redis | RedisCluster
    if settings.mode is RedisMode.CLUSTER:
        nodes = [ClusterNode(host, port) for host, port in settings.nodes]
        client = RedisCluster(startup_nodes=nodes, reinitialize_steps=0, **ours)
        # After an error the client takes itself for closed, and leaves its connections open.
        closing.push_async_callback(client.nodes_manager.aclose)
        closing.push_async_callback(client.nodes_manager.aclose, "startup_nodes")
    elif settings.mode is RedisMode.SENTINEL:
        credentials = {"username": settings.sentinel_username, "password": settings.sentinel_password}
        sentinel = Sentinel(settings.nodes, sentinel_kwargs=common | credentials)  # type: ignore[no-untyped-call]
        closing.push_async_callback(sentinel.aclose)
        client = sentinel.master_for(settings.master, db=settings.database, **ours)
    else:
        ((host, port),) = settings.nodes
        client = Redis(host=host, port=port, db=settings.database, **ours)
    closing.push_async_callback(client.aclose)
    return client


def _pack(first: bytes, second: bytes) -> bytes:
    return len(first).to_bytes(4) + first + second


def _unpack(packed: bytes) -> Record:
    end = 4 + int.from_bytes(packed[:4])
    return Record(packed[4:end], packed[end:])


def _outcome(reply: Sequence[Any], fingerprint: bytes) -> Outcome:
    verdict, version, revision, *found = reply
    outcome = Outcome(Verdict[verdict.decode()], int(version), int(revision))
    if not found:
        return outcome
    record = _unpack(found[0])
    same = record.fingerprint == fingerprint
    return outcome._replace(verdict=outcome.verdict if same else Verdict.REUSED, record=record)


def _log_entry(id_: bytes, fields: Mapping[bytes, bytes]) -> LogEntry:
    version, number = map(int, id_.split(b"-"))
    return LogEntry(version, number - 1, time_at(int(fields[b"at"])), fields[b"data"])
