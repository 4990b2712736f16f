"""What is kept and for how long, the list of games, and snapshots sealed anew; on every store."""

import asyncio

import pytest

from service.store import Head, Loaded, Record, Store, Verdict
from service.store.entries import FORGOTTEN_SECONDS
from tests.store.changes import FINGERPRINT, OTHER, begin, change, head, move, whole_log
from tests.store.keepers import Keeper


async def listed(store: Store, at_once: int = 100) -> list[str]:
    """Return the ids of all games of the list, read page by page."""
    ids: list[str] = []
    mark = ""
    while True:
        page = await store.games(mark, at_once)
        ids += [game.game_id for game in page.games]
        if not page.next_mark:
            return ids
        mark = page.next_mark


async def test_the_first_claim_wins(store: Store) -> None:
    assert await store.claim("id", FINGERPRINT, "one", keep_seconds=60) == ("one", FINGERPRINT)
    assert await store.claim("id", FINGERPRINT, "one", keep_seconds=60) == ("one", FINGERPRINT)
    assert await store.claim("id", OTHER, "two", keep_seconds=60) == ("one", FINGERPRINT)
    assert await store.claim("other", OTHER, "two", keep_seconds=60) == ("two", OTHER)


async def test_of_many_claims_at_once_one_wins(store: Store) -> None:
    claims = await asyncio.gather(
        *(store.claim("id", f"{who}".encode(), f"game{who}", keep_seconds=60) for who in range(20))
    )
    assert len(set(claims)) == 1


async def test_a_claim_is_kept_for_as_long_as_it_said(keeper: Keeper) -> None:
    await keeper.store.claim("id", FINGERPRINT, "one", keep_seconds=60)
    await keeper.let_pass(30)
    assert await keeper.store.claim("id", OTHER, "two", keep_seconds=600) == ("one", FINGERPRINT)
    await keeper.let_pass(31)
    assert await keeper.store.claim("id", OTHER, "two", keep_seconds=60) == ("two", OTHER)


async def test_a_game_is_listed_once_and_only_if_it_is_there(keeper: Keeper) -> None:
    await keeper.store.claim("id", FINGERPRINT, "game", keep_seconds=60)
    assert await listed(keeper.store) == []
    await keeper.store.create(change("game", "create", 0, b"setup"))
    await keeper.store.claim("id", FINGERPRINT, "game", keep_seconds=60)
    assert await listed(keeper.store) == ["game"]
    assert len(await keeper.entries()) == 1


async def test_a_game_is_listed_with_the_time_of_its_claim(keeper: Keeper) -> None:
    begun = await keeper.now()
    await begin(keeper.store, "game")
    ended = await keeper.now()

    (game,) = (await keeper.store.games("", 1)).games
    assert begun <= game.created <= ended
    assert game.created.microsecond % 1000 == 0
    assert game.created.tzname() == "UTC"


@pytest.mark.parametrize("at_once", [1, 2, 3, 7, 8])
async def test_games_are_listed_newest_first_in_pages(keeper: Keeper, at_once: int) -> None:
    for number in range(7):
        await begin(keeper.store, f"game{number}")
        await keeper.let_pass(1)
    assert await listed(keeper.store, at_once) == [f"game{number}" for number in range(6, -1, -1)]


async def test_the_last_page_has_no_mark(store: Store) -> None:
    assert await store.games("", 2) == ([], "")
    for number in range(4):
        await begin(store, f"game{number}")
    first = await store.games("", 2)
    second = await store.games(first.next_mark, 2)
    assert (len(first.games), len(second.games), second.next_mark) == (2, 2, "")
    assert (await store.games("", 4)).next_mark == ""


async def test_games_of_one_moment_are_all_listed(store: Store) -> None:
    ids = {f"game{number}" for number in range(50)}
    await asyncio.gather(*(begin(store, game_id) for game_id in ids))
    pages = await listed(store, 3)
    assert len(pages) == 50
    assert set(pages) == ids


async def test_pages_stay_as_they_are_while_games_come_and_go(keeper: Keeper) -> None:
    for number in range(6):
        await begin(keeper.store, f"game{number}")
        await keeper.let_pass(1)
    page = await keeper.store.games("", 2)
    await begin(keeper.store, "new")
    await keeper.store.delete(change("game4", "delete", 0))
    await keeper.store.delete(change("game2", "delete", 0))

    second = await keeper.store.games(page.next_mark, 2)
    assert [game.game_id for game in page.games] == ["game5", "game4"]
    assert [game.game_id for game in second.games] == ["game3"]
    assert [game.game_id for game in (await keeper.store.games(second.next_mark, 2)).games] == [
        "game1",
        "game0",
    ]


@pytest.mark.parametrize(
    "mark", ["x", "game", "AAAA", "MDAw", "=", "☃", "\ud800", "MDAwMDAxNzAwMDAwMDAwMDA6"]
)
async def test_an_unknown_mark_is_refused(store: Store, mark: str) -> None:
    await begin(store, "game")
    with pytest.raises(ValueError, match=r"."):
        await store.games(mark, 10)


async def test_a_changed_mark_is_refused(store: Store) -> None:
    for number in range(2):
        await begin(store, f"game{number}")
    mark = (await store.games("", 1)).next_mark
    assert len((await store.games(mark, 1)).games) == 1
    for wrong in (f"{mark}=", f"!{mark}", mark[1:], f"{mark[:4]}\n{mark[4:]}"):
        with pytest.raises(ValueError, match=r"."):
            await store.games(wrong, 1)


async def test_what_is_long_gone_leaves_the_list(keeper: Keeper) -> None:
    await keeper.store.claim("id", FINGERPRINT, "never", keep_seconds=60)
    await begin(keeper.store, "expired", keep=60)
    await begin(keeper.store, "deleted")
    await begin(keeper.store, "there", keep=FORGOTTEN_SECONDS * 2)
    await keeper.store.delete(change("deleted", "delete", 0))
    await keeper.let_pass(61)
    assert await listed(keeper.store) == ["there"]
    assert len(await keeper.entries()) == 4

    await keeper.let_pass(FORGOTTEN_SECONDS)
    assert await listed(keeper.store) == ["there"]
    assert len(await keeper.entries()) == 1


async def test_the_list_does_not_grow_for_ever_though_nobody_reads_it(keeper: Keeper) -> None:
    for number in range(300):
        await keeper.store.claim(f"id{number}", FINGERPRINT, f"game{number}", keep_seconds=60)
    await keeper.let_pass(FORGOTTEN_SECONDS + 1)
    for number in range(600):
        await keeper.store.claim(f"later{number}", FINGERPRINT, f"later{number}", keep_seconds=60)
    assert len(await keeper.entries()) < 700


async def test_a_game_expires_after_its_last_change(keeper: Keeper) -> None:
    store = keeper.store
    before = await begin(store, "game", keep=60)
    await keeper.let_pass(40)
    await store.commit(change("game", "id", 1, b"move", keep=100), before)
    await keeper.let_pass(61)
    assert (await head(store, "game")).version == 1
    assert (await store.load("game", "create")).record is not None
    assert len(await whole_log(store, "game")) == 2
    assert await store.origin("game") is not None

    await keeper.let_pass(40)
    assert await store.load("game", "id") == Loaded(None, None)
    assert await store.log("game", (0, 0), 10) == []
    assert await store.origin("game") is None
    assert await listed(store) == []
    expected = Head(1, 2, b"snapshot of id")
    assert (await store.commit(change("game", "new", 2, b"move"), expected)).verdict is Verdict.MISSING
    assert await store.reseal("game", expected, b"new", b"new") is False


async def test_a_change_may_shorten_the_time(keeper: Keeper) -> None:
    before = await begin(keeper.store, "game", keep=3600)
    await keeper.store.commit(change("game", "end", 1, b"the end", keep=60), before)
    await keeper.let_pass(61)
    assert await keeper.store.load("game", "create") == Loaded(None, None)


async def test_what_has_no_effect_does_not_keep_a_game(keeper: Keeper) -> None:
    store = keeper.store
    before = await begin(store, "game", keep=60)
    await keeper.let_pass(30)
    await store.create(change("game", "create", 0, keep=3600))
    await store.create(change("game", "another", 0, keep=3600))
    await store.commit(change("game", "create", 1, b"", keep=3600), before)
    await store.commit(change("game", "stale", 6, b"", keep=3600), Head(5, 6, b""))
    assert await store.reseal("game", before, b"sealed anew", b"origin anew")
    await store.load("game", "create")
    await keeper.let_pass(31)
    assert await store.load("game", "create") == Loaded(None, None)


async def test_an_expired_game_can_begin_anew(keeper: Keeper) -> None:
    await begin(keeper.store, "game", keep=60)
    await keeper.let_pass(61)
    outcome = await keeper.store.create(change("game", "create", 0, b"anew"))
    assert outcome.verdict is Verdict.DONE
    assert await whole_log(keeper.store, "game") == [(0, 0, b"anew")]


async def test_the_record_of_a_deletion_is_kept_for_as_long_as_it_said(keeper: Keeper) -> None:
    await begin(keeper.store, "game")
    deletion = change("game", "delete", 0, keep=60)
    await keeper.store.delete(deletion)
    await keeper.let_pass(30)
    assert await keeper.store.load("game", "delete") == Loaded(None, deletion.record)
    await keeper.let_pass(31)
    assert await keeper.store.load("game", "delete") == Loaded(None, None)


async def test_snapshots_are_sealed_anew(store: Store) -> None:
    await begin(store, "game")
    before = await move(store, "game", 2)
    log = await whole_log(store, "game")

    assert await store.reseal("game", before, b"sealed anew", b"origin anew") is True
    assert await head(store, "game") == before._replace(snapshot=b"sealed anew")
    assert await store.origin("game") == b"origin anew"
    assert await whole_log(store, "game") == log
    assert (await store.load("game", "move 1")).record == Record(FINGERPRINT, b"outcome of move 1")


async def test_sealing_anew_may_arrive_twice(store: Store) -> None:
    before = await begin(store, "game")
    done = await asyncio.gather(*(store.reseal("game", before, b"anew", b"origin anew") for _ in range(3)))
    assert done == [True, True, True]


async def test_what_has_changed_is_not_sealed_anew(store: Store) -> None:
    first = await begin(store, "game")
    assert await store.reseal("game", first, b"by the second key", b"origin")
    assert await store.reseal("game", first, b"by the third key", b"origin") is False
    resealed = await head(store, "game")
    await store.commit(change("game", "token", 0, b"no move", snapshot=resealed.snapshot), resealed)

    assert await store.reseal("game", resealed, b"anew", b"anew") is False
    moved = await move(store, "game")
    assert await store.reseal("game", moved._replace(version=0), b"anew", b"anew") is False
    assert await head(store, "game") == moved
    assert await store.origin("game") == b"origin"


async def test_sealing_anew_takes_no_move_back(store: Store) -> None:
    await begin(store, "game")

    async def reseal() -> bool:
        found = await head(store, "game")
        return await store.reseal("game", found, b"anew " + found.snapshot, b"origin")

    async def move_once(version: int) -> None:
        asked = change("game", f"move {version}", version, b"move")
        while (await store.commit(asked, await head(store, "game"))).verdict is Verdict.CONFLICT:
            pass

    for version in range(1, 21):
        await asyncio.gather(move_once(version), *(reseal() for _ in range(5)))
        after = await head(store, "game")
        assert after[:2] == (version, version + 1)
        assert after.snapshot.endswith(f"snapshot of move {version}".encode())
    assert len(await whole_log(store, "game")) == 21


async def test_a_store_says_that_it_is_there(store: Store) -> None:
    await store.ping()
