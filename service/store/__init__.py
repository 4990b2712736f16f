"""What keeps hosted games: a small protocol. It knows bytes and versions, never rules.

Of each game a store keeps, under one hash tag so that one node of a cluster has all of it:

- its *head*: version, revision, the newest snapshot and the first one;
- its *log*: entries in order, each under its version, none missing, none twice;
- its *records*: per request id what was asked (a fingerprint) and what came of it.

Everything that changes a game is one atomic step: first the request id is looked up, then the head is
compared, then entries, snapshot and record are written and a notice is sent. The same step may
therefore arrive twice: the second time it only finds its record.

The version counts moves. The revision counts all changes, those without a move too (a token replaced, a seat
taken over by a bot), so that two of them cannot pass each other unseen. The bytes of the snapshot are
compared too: a store that lost its tail counts on from older numbers, and comes to the same ones by another
way.
"""

from collections.abc import Sequence
from datetime import datetime
from enum import Enum
from typing import NamedTuple, Protocol


class StoreUnavailable(Exception):
    """The store does not answer; whether a change that was under way has happened is not known."""


class Head(NamedTuple):
    """The newest state of a game."""

    version: int
    revision: int
    snapshot: bytes


class Record(NamedTuple):
    """What a request asked for and what came of it."""

    fingerprint: bytes
    outcome: bytes


class Loaded(NamedTuple):
    """A game as it was found, with the record of the request that was asked about, if there is one."""

    head: Head | None
    """None: there is no such game, or it was deleted."""
    record: Record | None


class LogItem(NamedTuple):
    """One item of a game's log to be written. Several may have the same version; they keep their order."""

    version: int
    data: bytes


class LogEntry(NamedTuple):
    """One item of a game's log as it is read."""

    version: int
    number: int
    """Counts the items of a version from 0."""
    at: datetime
    """When it was written, UTC, by the store's clock, in whole milliseconds."""
    data: bytes


class Change(NamedTuple):
    """One atomic step for one game."""

    game_id: str
    request_id: str
    record: Record
    """Kept under the request id; a later request with the id gets it instead of being carried out."""
    items: Sequence[LogItem]
    snapshot: bytes
    version: int
    """The version that the snapshot has."""
    keep_seconds: int
    """How long the whole game is kept from now on, unless it changes again."""


class Verdict(Enum):
    """What came of a change."""

    DONE = "done"
    """It was carried out."""
    REPEATED = "repeated"
    """The request id was there with the same fingerprint; nothing was changed."""
    REUSED = "reused"
    """The request id was there with another fingerprint; nothing was changed."""
    CONFLICT = "conflict"
    """The head is not the one expected; nothing was changed."""
    MISSING = "missing"
    """There is no such game, or it was deleted."""


class Outcome(NamedTuple):
    """What came of a change, and the game's version and revision then."""

    verdict: Verdict
    version: int = 0
    revision: int = 0
    record: Record | None = None
    """The record that was found, if repeated or reused."""


class Listed(NamedTuple):
    """A game in the list of all."""

    game_id: str
    created: datetime


class Page(NamedTuple):
    """A page of the list, and where the next one begins; an empty mark: there is none."""

    games: Sequence[Listed]
    next_mark: str


class Store(Protocol):
    """Keeps hosted games. Every method may raise `StoreUnavailable`.

    None takes longer than the store's own timeout (a setting), tries of its own included. A caller that has
    less time cancels the call; what it was to do may then be done or not, as after a lost connection.
    """

    async def claim(
        self, request_id: str, fingerprint: bytes, game_id: str, *, keep_seconds: int
    ) -> tuple[str, bytes]:
        """Bind the request id of a new game to its id, and return what it is bound to: id, fingerprint.

        The first claim of a request id wins; a later one gets the first one's game id and fingerprint. The
        claim also puts the game on the list of all games; one that never comes to be is passed over there.
        """

    async def create(self, change: Change) -> Outcome:
        """Begin a game that is not there yet: revision 1, its first snapshot kept for good.

        Verdicts: DONE; REPEATED or REUSED by the request id; CONFLICT if the game is there (or was deleted)
        under another request id.
        """

    async def load(self, game_id: str, request_id: str | None = None) -> Loaded:
        """Return the newest state of a game, and the record of a request; one round trip.

        The record of a deleted game's deletion is still found.
        """

    async def commit(self, change: Change, expected: Head) -> Outcome:
        """Change a game, if its head still is the expected one; its revision goes up by 1.

        Verdicts: DONE, REPEATED, REUSED, CONFLICT, MISSING.
        """

    async def delete(self, change: Change) -> Outcome:
        """Delete a game, whatever its version; only the record of this is kept, for ``keep_seconds``.

        ``items``, ``snapshot`` and ``version`` of the change are not used. Verdicts: DONE, REPEATED, REUSED,
        MISSING.
        """

    async def origin(self, game_id: str) -> bytes | None:
        """Return the first snapshot of a game, None if there is no such game."""

    async def log(self, game_id: str, start: tuple[int, int], count: int) -> Sequence[LogEntry]:
        """Return up to ``count`` items of a game's log from (version, number) on, in order."""

    async def games(self, mark: str, count: int) -> Page:
        """Return the next games of the list, newest first, from a page's mark on ("" for the first page).

        A page may hold fewer than ``count`` games though more follow: deleted and expired ones are left out.
        An unknown mark raises ValueError.
        """

    async def reseal(self, game_id: str, expected: Head, snapshot: bytes, origin: bytes) -> bool:
        """Replace the bytes of both snapshots, if nothing has changed; return whether it was done.

        Version, revision, log and retention stay as they are.
        """

    async def ping(self) -> None:
        """Return if the store answers and takes changes, with all that a change needs."""

    async def concerns(self) -> Sequence[str]:
        """Return what is set at the store itself so that games may be lost there, a sentence each."""

    async def close(self) -> None:
        """Let go of all connections."""
