"""The stores under test, each with a way to let time pass and to look at what it keeps."""

import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Protocol
from uuid import uuid4

from service.store import Store
from service.store.entries import list_entry, read_entry, time_at
from service.store.memory import MemoryStore
from service.store.redis import RedisStore
from service.store.redis_settings import RedisSettings


class Keeper(Protocol):
    """A store under test."""

    @property
    def store(self) -> Store:
        """Return the store."""

    async def now(self) -> datetime:
        """Return the time by the store's clock."""

    async def let_pass(self, seconds: int) -> None:
        """Make all that is kept so many seconds older."""

    async def entries(self) -> Sequence[bytes]:
        """Return the entries of the list of games, with those that `games` passes over."""


class MemoryKeeper:
    """A store in memory with a clock that the test sets."""

    def __init__(self) -> None:
        self._later = 0
        self.store = MemoryStore(self._clock)

    def _clock(self) -> int:
        return time.time_ns() // 1_000_000 + self._later

    async def now(self) -> datetime:
        return time_at(self._clock())

    async def let_pass(self, seconds: int) -> None:
        self._later += seconds * 1000

    async def entries(self) -> Sequence[bytes]:
        return self.store._list


class RedisKeeper:
    """A store in Redis under keys of its own; instead of the clock its keys are set back."""

    def __init__(self, settings: RedisSettings) -> None:
        self.settings = replace(settings, prefix=f"test-{uuid4()}:")
        self.store = RedisStore(self.settings)
        self.redis = self.store._redis

    async def keys(self) -> Sequence[bytes]:
        return [key async for key in self.redis.scan_iter(match=f"{self.settings.prefix}*", count=1000)]

    async def now(self) -> datetime:
        here = f"{self.settings.prefix}now"
        seconds, micros = await self.redis.execute_command("EVAL", "return redis.call('TIME')", 1, here)
        return time_at(int(seconds) * 1000 + int(micros) // 1000)

    async def let_pass(self, seconds: int) -> None:
        for key in await self.keys():
            left = await self.redis.pttl(key)
            if left >= 0:
                await self.redis.pexpire(key, left - seconds * 1000)
        listed = f"{self.settings.prefix}games"
        for entry in await self.entries():
            game = read_entry(entry)
            older = round((game.created - timedelta(seconds=seconds)).timestamp() * 1000)
            await self.redis.zrem(listed, entry)
            await self.redis.zadd(listed, {list_entry(older, game.game_id): 0})

    async def entries(self) -> Sequence[bytes]:
        entries: Sequence[bytes] = await self.redis.zrange(f"{self.settings.prefix}games", 0, -1)
        return entries

    async def remove(self) -> None:
        for key in await self.keys():
            await self.redis.delete(key)
        await self.store.close()
