"""How many bare commits a second a Redis takes: what a hosted ApplyMove costs at least."""

import asyncio
from collections.abc import Sequence
from time import perf_counter
from typing import Final, NamedTuple
from uuid import uuid4

from service.store import Change, Head, LogItem, Record
from service.store.redis import RedisStore
from service.store.redis_settings import RedisSettings
from tests.bench.measures import Times, times_of

MANY: Final = 32
"""How many games are played at once."""
SNAPSHOT: Final = bytes(1024)
ITEM: Final = bytes(300)
OUTCOME: Final = bytes(200)
"""About what a move of a two-player game writes."""
KEEP_SECONDS: Final = 60


class Committed(NamedTuple):
    """Commits in a second, and how long one took, in microseconds."""

    rate: float
    times: Times


def _change(game_id: str, version: int) -> Change:
    record = Record(bytes(32), OUTCOME)
    return Change(game_id, str(uuid4()), record, [LogItem(version, ITEM)], SNAPSHOT, version, KEEP_SECONDS)


async def _play(store: RedisStore, end: float) -> Sequence[float]:
    """Load and commit until a time, as a move does; return how long each pair took, in microseconds."""
    game_id, taken = str(uuid4()), []
    await store.create(_change(game_id, 0))
    while (begin := perf_counter()) < end:
        loaded = await store.load(game_id, str(uuid4()))
        head = loaded.head or Head(0, 0, b"")
        await store.commit(_change(game_id, head.version + 1), head)
        taken.append((perf_counter() - begin) * 1e6)
    return taken


async def _measure(settings: RedisSettings, callers: int, seconds: float) -> Committed:
    store = RedisStore(settings)
    try:
        begin = perf_counter()
        played = await asyncio.gather(*(_play(store, begin + seconds) for _ in range(callers)))
        passed = perf_counter() - begin
    finally:
        await store.close()
    taken = [each for game in played for each in game]
    return Committed(len(taken) / passed, times_of(taken))


def commits(settings: RedisSettings, seconds: float, callers: int = MANY) -> Committed:
    """Play as many games at once as there are callers, for so long; the games expire by themselves."""
    return asyncio.run(_measure(settings, callers, seconds))
