"""What is the memory store's alone: it lets go of what has expired, though nobody asks for it any more."""

from service.store.entries import FORGOTTEN_SECONDS
from tests.store.changes import FINGERPRINT, begin
from tests.store.keepers import MemoryKeeper


async def test_what_has_expired_takes_no_memory() -> None:
    keeper = MemoryKeeper()
    for number in range(500):
        await begin(keeper.store, f"game{number}", keep=60)
    await keeper.let_pass(FORGOTTEN_SECONDS)
    for number in range(1000):
        await keeper.store.claim(f"id{number}", FINGERPRINT, f"new{number}", keep_seconds=60)
    assert not keeper.store._games
    assert len(keeper.store._claims) <= 1000
    assert len(keeper.store._list) <= 1000


async def test_what_is_still_kept_is_not_swept_out() -> None:
    keeper = MemoryKeeper()
    for number in range(500):
        await begin(keeper.store, f"game{number}", keep=2 * FORGOTTEN_SECONDS)
    await keeper.let_pass(FORGOTTEN_SECONDS)
    for number in range(1000):
        await keeper.store.claim(f"id{number}", FINGERPRINT, f"new{number}", keep_seconds=60)
    assert len(keeper.store._games) == 500
    assert await keeper.store.claim("claim game0", b"other", "other", keep_seconds=60) == (
        "game0",
        FINGERPRINT,
    )
    assert len((await keeper.store.games("", 2000)).games) == 500
