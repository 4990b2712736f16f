"""Keeps hosted games in the memory of one process: for a service of one worker, gone when it ends."""

import time
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from service.store import Change, Head, Listed, Loaded, LogEntry, Outcome, Page, Record, Verdict
from service.store.entries import (
    check_items,
    is_forgotten,
    list_entry,
    read_entry,
    read_mark,
    time_at,
    write_mark,
)


def system_clock() -> int:
    """Return the time in milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


@dataclass(slots=True)
class _Game:
    """All that is kept of a game; what is left of a deleted one has no head."""

    head: Head | None = None
    origin: bytes = b""
    log: list[LogEntry] = field(default_factory=list)
    records: dict[str, Record] = field(default_factory=dict)
    until: int = 0


@dataclass(frozen=True, slots=True)
class _Claim:
    """What a request id is bound to."""

    game_id: str
    fingerprint: bytes
    created: int
    until: int


class MemoryStore:
    """A store in memory. No step awaits anything, so each is atomic among the tasks of its event loop."""

    def __init__(self, clock: Callable[[], int] = system_clock) -> None:
        """``clock`` returns milliseconds since the epoch; by it games expire."""
        self._clock = clock
        self._games: dict[str, _Game] = {}
        self._claims: dict[str, _Claim] = {}
        self._list: list[bytes] = []
        self._sweep_at = 100
        """With so many claims the next one sweeps out what has expired."""

    async def claim(
        self, request_id: str, fingerprint: bytes, game_id: str, *, keep_seconds: int
    ) -> tuple[str, bytes]:
        """Bind the request id of a new game; see `Store.claim`."""
        now = self._clock()
        self._sweep(now)
        claim = self._claims.get(request_id)
        if claim is None or claim.until <= now:
            claim = _Claim(game_id, fingerprint, now, now + keep_seconds * 1000)
            self._claims[request_id] = claim
        entry = list_entry(claim.created, claim.game_id)
        place = bisect_left(self._list, entry)
        if self._list[place : place + 1] != [entry]:
            self._list.insert(place, entry)
        return claim.game_id, claim.fingerprint

    async def create(self, change: Change) -> Outcome:
        """Begin a game; see `Store.create`."""
        check_items(change, None)
        game = self._game(change.game_id)
        if game is not None:
            return _repeated(game, change) or _outcome(Verdict.CONFLICT, game)
        game = self._games[change.game_id] = _Game(origin=change.snapshot)
        return self._write(game, change, revision=1)

    async def load(self, game_id: str, request_id: str | None = None) -> Loaded:
        """Return a game's newest state and a request's record; see `Store.load`."""
        game = self._game(game_id)
        if game is None:
            return Loaded(None, None)
        return Loaded(game.head, None if request_id is None else game.records.get(request_id))

    async def commit(self, change: Change, expected: Head) -> Outcome:
        """Change a game; see `Store.commit`."""
        check_items(change, expected)
        game = self._game(change.game_id)
        if game is None:
            return Outcome(Verdict.MISSING)
        if repeated := _repeated(game, change):
            return repeated
        if game.head is None:
            return Outcome(Verdict.MISSING)
        if game.head != expected:
            return _outcome(Verdict.CONFLICT, game)
        return self._write(game, change, game.head.revision + 1)

    async def delete(self, change: Change) -> Outcome:
        """Delete a game; see `Store.delete`."""
        game = self._game(change.game_id)
        if game is None:
            return Outcome(Verdict.MISSING)
        if repeated := _repeated(game, change):
            return repeated
        if game.head is None:
            return Outcome(Verdict.MISSING)
        until = self._clock() + change.keep_seconds * 1000
        self._games[change.game_id] = _Game(records={change.request_id: change.record}, until=until)
        return _outcome(Verdict.DONE, game)

    async def origin(self, game_id: str) -> bytes | None:
        """Return a game's first snapshot; see `Store.origin`."""
        game = self._game(game_id)
        return game.origin if game is not None and game.head is not None else None

    async def log(self, game_id: str, start: tuple[int, int], count: int) -> Sequence[LogEntry]:
        """Return items of a game's log; see `Store.log`."""
        game = self._game(game_id)
        if game is None:
            return []
        first = bisect_left(game.log, start, key=lambda entry: (entry.version, entry.number))
        return game.log[first : first + count]

    async def games(self, mark: str, count: int) -> Page:
        """Return a page of the list of games; see `Store.games`."""
        before = bisect_left(self._list, read_mark(mark)) if mark else len(self._list)
        entries = self._list[max(before - count, 0) : before][::-1]
        listed = [game for game in map(read_entry, entries) if self._is_there(game)]
        self._forget(entries)
        return Page(listed, write_mark(entries[-1]) if before > count else "")

    async def reseal(self, game_id: str, expected: Head, snapshot: bytes, origin: bytes) -> bool:
        """Replace the bytes of both snapshots; see `Store.reseal`."""
        game = self._game(game_id)
        if game is None or game.head not in {expected, expected._replace(snapshot=snapshot)}:
            return False
        game.head = expected._replace(snapshot=snapshot)
        game.origin = origin
        return True

    async def ping(self) -> None:
        """Return; memory is always there."""

    async def concerns(self) -> Sequence[str]:
        """Return nothing; memory has no settings of its own."""
        return ()

    async def close(self) -> None:
        """Do nothing; there are no connections."""

    def _game(self, game_id: str) -> _Game | None:
        game = self._games.get(game_id)
        if game is not None and game.until <= self._clock():
            del self._games[game_id]
            return None
        return game

    def _is_there(self, listed: Listed) -> bool:
        game = self._game(listed.game_id)
        return game is not None and game.head is not None

    def _write(self, game: _Game, change: Change, revision: int) -> Outcome:
        now = self._clock()
        for item in change.items:
            last = game.log[-1] if game.log else None
            number = last.number + 1 if last is not None and last.version == item.version else 0
            game.log.append(LogEntry(item.version, number, time_at(now), item.data))
        game.head = Head(change.version, revision, change.snapshot)
        game.records[change.request_id] = change.record
        game.until = now + change.keep_seconds * 1000
        return _outcome(Verdict.DONE, game)

    def _forget(self, entries: Sequence[bytes]) -> None:
        now = self._clock()
        gone = {
            entry for entry in entries if is_forgotten(entry, now) and not self._is_there(read_entry(entry))
        }
        if gone:
            self._list = [entry for entry in self._list if entry not in gone]

    def _sweep(self, now: int) -> None:
        """Let go of what has expired; as seldom as keeps the cost of a claim the same with many games."""
        if len(self._claims) < self._sweep_at:
            return
        self._claims = {key: claim for key, claim in self._claims.items() if claim.until > now}
        self._games = {key: game for key, game in self._games.items() if game.until > now}
        self._forget(self._list.copy())
        self._sweep_at = 2 * len(self._claims) + 100


def _repeated(game: _Game, change: Change) -> Outcome | None:
    record = game.records.get(change.request_id)
    if record is None:
        return None
    same = record.fingerprint == change.record.fingerprint
    return _outcome(Verdict.REPEATED if same else Verdict.REUSED, game)._replace(record=record)


def _outcome(verdict: Verdict, game: _Game) -> Outcome:
    if game.head is None:
        return Outcome(verdict)
    return Outcome(verdict, game.head.version, game.head.revision)
