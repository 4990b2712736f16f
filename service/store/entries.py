"""What all stores have in common: the order of a log's items, times, and the list of games."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Final

from service.store import Change, Head, Listed

FORGOTTEN_SECONDS: Final = 24 * 60 * 60
"""How old an entry of the list is at least before it is removed because its game is not there.

A game comes seconds after its claim; hours after it only if a claim is repeated that late.
"""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_ENTRY: Final = re.compile(rb"(\d{15}):(.+)", re.DOTALL)


def time_at(milliseconds: int) -> datetime:
    """Return the time so many milliseconds after the epoch, UTC."""
    return _EPOCH + timedelta(milliseconds=milliseconds)


def check_items(change: Change, expected: Head | None) -> None:
    """See to it that a change leaves no gap in the log: each version up to the change's own has its items.

    Items of the version that the game has already come from changes without a move. A game may begin at any
    version (None: it begins).

    Raises:
        ValueError: the items are not in order, or a version has none.

    """
    versions = [item.version for item in change.items]
    if expected is not None:
        versions.insert(0, expected.version)
    in_order = all(after - before in {0, 1} for before, after in pairwise(versions))
    if not in_order or versions[-1:] not in ([], [change.version]):
        raise ValueError(f"versions of the log {versions} do not lead to {change.version}")


def list_entry(created: int, game_id: str) -> bytes:
    """Return a game's entry in the list of all; they sort by the time of creation, in milliseconds."""
    return f"{created:015d}:{game_id}".encode()


def read_entry(entry: bytes) -> Listed:
    """Return the game of an entry.

    Raises:
        ValueError: it is none.

    """
    match = _ENTRY.fullmatch(entry)
    if match is None:
        raise ValueError("not an entry of the list of games")
    return Listed(match[2].decode(), time_at(int(match[1])))


def is_forgotten(entry: bytes, now: int) -> bool:
    """Return whether an entry without a game can be removed; ``now`` is in milliseconds."""
    return time_at(now) - read_entry(entry).created >= timedelta(seconds=FORGOTTEN_SECONDS)


def write_mark(entry: bytes) -> str:
    """Return the mark of a page that begins after an entry."""
    return urlsafe_b64encode(entry).decode()


def read_mark(mark: str) -> bytes:
    """Return the entry after which a page begins.

    Raises:
        ValueError: this is no page's mark.

    """
    entry = urlsafe_b64decode(mark.encode("ascii", "replace"))
    read_entry(entry)
    if write_mark(entry) != mark:
        raise ValueError("not a mark of the list of games")
    return entry
