"""What an administrator does to stored games from the command line: ``python -m service.admin``.

- ``verify``: plays games again from their records and compares everything with log and snapshot;
- ``reseal``: seals stored games with the key that seals now, so that older keys can be dropped;
- ``move-over``: takes a game of another rules version over to this one, after showing what would differ.

Settings come from the environment, as a server's do.
"""

import argparse
import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Final, NamedTuple
from uuid import uuid4

from service.engine.check import check
from service.engine.rules import RULES_VERSION
from service.errors import GameNotFound, NoStore, SealKeyUnknown
from service.hosting.games import Game, Games, Wish
from service.hosting.plans import Plan, rules_plan
from service.hosting.replay import differences
from service.hosting.seats import Access, SeatTokens
from service.hosting.snapshots import DamagedSnapshot, decoded, read_snapshot, reseal
from service.seal import Seals, SealUnavailable, read_keys
from service.server import open_store, redis_settings
from service.settings import PREFIX, BadSettings, Settings, load_settings, unknown_variables
from service.store import Store, StoreUnavailable
from service.store.causes import cause_of

FAILED: Final = 1
"""The exit code if something differs, could not be done, or could not be found."""
BAD_USAGE: Final = 2
PAGE: Final = 100
"""How many games of the list are asked for at once."""
_BY_COMMAND: Final = b"by the command line"


class _Patient:
    """A call whose caller waits as long as it takes."""

    remaining: float | None = None


_CALL: Final = _Patient()


class Records(NamedTuple):
    """Stored games, with the keys to open them."""

    games: Games
    store: Store
    seals: Seals
    key_id: str
    """The key that seals."""

    async def ids(self, named: str | None) -> AsyncIterator[str]:
        """Yield the game that was named, or else all games, newest first."""
        if named is not None:
            yield named
            return
        mark = ""
        while True:
            page = await self.store.games(mark, PAGE)
            for listed in page.games:
                yield listed.game_id
            if not page.next_mark:
                return
            mark = page.next_mark

    async def differences(self, game: Game) -> list[str]:
        """Return in which ways a game, played again by our rules, differs from its record."""
        origin = await self.store.origin(game.id)
        if origin is None:
            raise GameNotFound
        first = decoded(read_snapshot(game.id, game.first_version, origin, self.seals))
        start, end = (game.first_version, 0), game.head.version
        entries = await self.games.entries(game.id, start, end, _CALL)
        return [*differences(first, entries, decoded(game.snapshot))]


async def verify(records: Records, game_id: str) -> bool:
    """Say whether a game follows from its record; return whether it does."""
    game = await records.games.find(game_id, _CALL)
    found = await records.differences(game)
    rules = game.snapshot.rules_version
    print(f"{game_id}: version {game.head.version}, rules {rules}:", "differs" if found else "the same")
    for line in found:
        print(f"  {line}")
    return not found


async def reseal_one(records: Records, game_id: str) -> bool:
    """Seal a game with the key that seals now; return whether that was done."""
    store, seals = records.store, records.seals
    while True:
        loaded, origin = await store.load(game_id), await store.origin(game_id)
        if loaded.head is None or origin is None:
            raise GameNotFound
        head = loaded.head
        game = await records.games.find(game_id, _CALL)
        newest = reseal(game_id, head.version, head.snapshot, seals)
        first = reseal(game_id, game.first_version, origin, seals)
        if await store.reseal(game_id, head, newest, first):
            print(f"{game_id}: sealed anew with {records.key_id}")
            return True


async def move_over(records: Records, game_id: str) -> bool:
    """Take a game over to our rules version as it stands; return whether that was done."""
    game = await records.games.find(game_id, _CALL)
    if game.snapshot.rules_version == RULES_VERSION:
        print(f"{game_id}: is of rules {RULES_VERSION} already")
        return True
    if not await verify(records, game_id):
        print("  its newest state stays as it is; earlier versions can no longer be rebuilt")
    faults = check(decoded(game.snapshot).state)
    if faults:
        print(f"  not moved over, its newest state cannot be by rules {RULES_VERSION}:")
        print(*(f"    {fault.field}: {fault.text} ({fault.rule})" for fault in faults), sep="\n")
        return False

    def make(found: Game) -> Plan:
        return rules_plan(decoded(found.snapshot))

    await records.games.change(game_id, Wish(str(uuid4()), _BY_COMMAND), _CALL, make)
    print(f"{game_id}: is of rules {RULES_VERSION} now")
    return True


Command = Callable[[Records, str], Awaitable[bool]]
COMMANDS: Final[dict[str, Command]] = {"verify": verify, "reseal": reseal_one, "move-over": move_over}


async def _run_one(command: Command, records: Records, game_id: str) -> bool:
    try:
        return await command(records, game_id)
    except (GameNotFound, DamagedSnapshot, SealKeyUnknown) as error:
        print(f"{game_id}: {error}")
        return False


def _records(settings: Settings, store: Store) -> Records:
    """Return what is kept in a store, with the keys of the settings."""
    keys = read_keys(settings.seal_keys.get_secret_value())
    access = Access(SeatTokens(read_keys(settings.token_keys.get_secret_value())), "", "")
    seals = Seals(keys)
    return Records(Games(settings, store, seals, access), store, seals, next(iter(keys)))


async def run(settings: Settings, command: Command, named: str | None) -> int:
    """Do this to one game, or to all; return the exit code."""
    store = open_store(settings)
    if store is None:
        return FAILED
    records = _records(settings, store)
    redis = redis_settings(settings.redis_url.get_secret_value(), settings)
    print(f"{redis.address}, prefix {settings.redis_prefix}, sealing with {records.key_id}")
    try:
        done = [await _run_one(command, records, id_) async for id_ in records.ids(named)]
    except (NoStore, StoreUnavailable) as error:
        print(f"{NoStore()} ({cause_of(error)})")
        return FAILED
    finally:
        await store.close()
    if not done:
        print(f"no games at all; is {PREFIX}REDIS_PREFIX the one of the servers?")
        return FAILED
    print(f"{len(done)} games, {done.count(False)} not as wanted")
    return 0 if all(done) else FAILED


def main(argv: Sequence[str] | None = None) -> int:
    """Carry out a command; return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m service.admin", description=__doc__.splitlines()[0])
    parser.add_argument("command", choices=COMMANDS)
    parser.add_argument("game_id", nargs="?", help="the game; without it: all")
    asked = parser.parse_args(argv)
    try:
        settings = load_settings()
    except BadSettings as error:
        parser.exit(BAD_USAGE, f"{error}\n")
    for name in unknown_variables(os.environ):
        print(f"{name}: there is no such setting; is it misspelt?", file=sys.stderr)
    if not settings.redis_url.get_secret_value():
        parser.exit(BAD_USAGE, f"{PREFIX}REDIS_URL: it is not set, and there are no other stored games\n")
    try:
        return asyncio.run(run(settings, COMMANDS[asked.command], asked.game_id))
    except SealUnavailable as error:
        parser.exit(FAILED, f"{error}\n")


if __name__ == "__main__":
    sys.exit(main())
