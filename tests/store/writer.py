"""One of several writers who want the same versions of one game: ``python -m tests.store.writer``.

A process of its own, so that only the store stands between the writers. It reads what to do from its standard
input, says that it is ready, waits for another line, and writes what came of it to its standard output.
"""

import asyncio
import json
import random
import sys
from contextlib import suppress
from typing import Any

from service.store import Change, Head, LogItem, Outcome, Record, StoreUnavailable, Verdict
from service.store.redis import RedisStore
from service.store.redis_settings import RedisMode, RedisSettings
from tests.store.history import Attempt

GAME_ID = "game"
PAUSE_SECONDS = 0.05
REST_SECONDS = 0.002
REPEATS = 0.1
"""How likely an answered request is sent once more."""


async def _commit(store: RedisStore, change: Change, expected: Head) -> Outcome:
    """Repeat a request until the store answers."""
    while True:
        try:
            return await store.commit(change, expected)
        except StoreUnavailable:
            await asyncio.sleep(PAUSE_SECONDS)


async def _newest(store: RedisStore) -> Head:
    while True:
        with suppress(StoreUnavailable):
            head = (await store.load(GAME_ID)).head
            assert head is not None
            return head
        await asyncio.sleep(PAUSE_SECONDS)


def _change(request_id: str, version: int, items: int) -> Change:
    data = request_id.encode()
    record = Record(data, b"outcome of " + data)
    return Change(GAME_ID, request_id, record, [LogItem(version, data)] * items, b"by " + data, version, 3600)


async def _attempt(store: RedisStore, writer: str, version: int, rng: random.Random) -> Attempt:
    """Try to make one move, and return how that was answered."""
    request_id, items = f"{writer}-{version}", rng.randint(1, 3)
    change = _change(request_id, version, items)
    expected = await _newest(store)
    if expected.version != version - 1:  # too late, but a try all the same
        expected = Head(version - 1, version, expected.snapshot)
    outcome = await _commit(store, change, expected)
    if rng.random() < REPEATS:
        again = await _commit(store, change, expected)
        won = outcome.verdict is not Verdict.CONFLICT
        if again.verdict is not (Verdict.REPEATED if won else Verdict.CONFLICT) or (
            won and again.record != change.record
        ):
            outcome = again._replace(verdict=Verdict.MISSING)
    return Attempt(request_id, version, outcome.verdict.value, outcome.version, outcome.revision, items)


async def _write(store: RedisStore, writer: str, versions: int) -> list[Attempt]:
    """Try to be the one who makes each move of a game, up to a version.

    Who has made one rests for a moment: else who is ahead stays there, and nobody contends.
    """
    rng, attempts = random.Random(writer), list[Attempt]()  # noqa: S311  repeatable, not secret
    for version in range(1, versions + 1):
        attempts.append(await _attempt(store, writer, version, rng))
        if attempts[-1].verdict == Verdict.DONE.value:
            await asyncio.sleep(rng.random() * REST_SECONDS)
    return attempts


async def _main() -> None:
    asked: dict[str, Any] = json.loads(sys.stdin.readline())
    mode = RedisMode(asked["settings"].pop("mode"))
    store = RedisStore(RedisSettings(**asked["settings"], mode=mode))
    await store.ping()
    print("ready", flush=True)
    sys.stdin.readline()  # so that all begin together
    attempts = await _write(store, asked["writer"], asked["versions"])
    await store.close()
    json.dump(attempts, sys.stdout)


if __name__ == "__main__":
    asyncio.run(_main())
