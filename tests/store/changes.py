"""Builds what a store is asked to do, as short as a test can be read."""

from collections.abc import Sequence

from service.store import Change, Head, LogItem, Record, Store

KEEP = 3600
FINGERPRINT = b"asked for this"
OTHER = b"asked for something else"


def change(
    game_id: str,
    request_id: str,
    version: int,
    *datas: bytes,
    fingerprint: bytes = FINGERPRINT,
    snapshot: bytes | None = None,
    keep: int = KEEP,
) -> Change:
    """Return a change that leads to a version, with an item of that version for each of ``datas``."""
    return Change(
        game_id=game_id,
        request_id=request_id,
        record=Record(fingerprint, b"outcome of " + request_id.encode()),
        items=[LogItem(version, data) for data in datas],
        snapshot=f"snapshot of {request_id}".encode() if snapshot is None else snapshot,
        version=version,
        keep_seconds=keep,
    )


async def begin(store: Store, game_id: str, *, keep: int = KEEP) -> Head:
    """Claim and create a game, with the request ids "claim" and "create", and return its head."""
    await store.claim(f"claim {game_id}", FINGERPRINT, game_id, keep_seconds=keep)
    await store.create(change(game_id, "create", 0, b"setup", keep=keep))
    return await head(store, game_id)


async def head(store: Store, game_id: str) -> Head:
    """Return the head of a game that is there."""
    found = (await store.load(game_id)).head
    assert found is not None
    return found


async def move(store: Store, game_id: str, count: int = 1, *, keep: int = KEEP) -> Head:
    """Carry out moves, one after the other, and return the head then."""
    for _ in range(count):
        before = await head(store, game_id)
        version = before.version + 1
        await store.commit(change(game_id, f"move {version}", version, b"move", keep=keep), before)
    return await head(store, game_id)


async def whole_log(store: Store, game_id: str, at_once: int = 1000) -> Sequence[tuple[int, int, bytes]]:
    """Return version, number and bytes of all items of a log, read page by page."""
    log: list[tuple[int, int, bytes]] = []
    start = (0, 0)
    while page := await store.log(game_id, start, at_once):
        log += [(entry.version, entry.number, entry.data) for entry in page]
        start = (page[-1].version, page[-1].number + 1)
    return log
