"""What changes a game, on every store: verdicts, double arrival, the log."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from service.store import Change, Head, Loaded, LogItem, Outcome, Record, Store, Verdict
from tests.store.changes import FINGERPRINT, OTHER, begin, change, head, move, whole_log
from tests.store.keepers import Keeper

ODD_IDS = ["a-b_c.d~e", "-", "0", "A" * 100, "{", "}x{y}", "a:b", "a b%7B", "log", "ä☃"]


async def test_a_game_begins(store: Store) -> None:
    outcome = await store.create(change("game", "first", 0, b"setup", b"bonus"))

    assert outcome == Outcome(Verdict.DONE, version=0, revision=1)
    assert await store.load("game", "first") == Loaded(
        Head(0, 1, b"snapshot of first"), Record(FINGERPRINT, b"outcome of first")
    )
    assert await store.origin("game") == b"snapshot of first"
    assert await whole_log(store, "game") == [(0, 0, b"setup"), (0, 1, b"bonus")]


async def test_a_game_may_begin_at_any_version_and_without_items(store: Store) -> None:
    await store.create(change("fork", "first", 57))
    before = await head(store, "fork")
    await store.commit(change("fork", "second", 57, b"a seat given away"), before)
    await store.commit(change("fork", "third", 58, b"move"), await head(store, "fork"))

    assert before == Head(57, 1, b"snapshot of first")
    assert await whole_log(store, "fork") == [(57, 0, b"a seat given away"), (58, 0, b"move")]


async def test_a_game_begins_once(store: Store) -> None:
    first = change("game", "first", 0, b"setup")
    await store.create(first)
    await move(store, "game")
    again = await store.create(first)
    reused = await store.create(change("game", "first", 0, b"setup", fingerprint=OTHER))
    another = await store.create(change("game", "another", 0, b"setup"))

    assert again == Outcome(Verdict.REPEATED, 1, 2, first.record)
    assert reused == Outcome(Verdict.REUSED, 1, 2, first.record)
    assert another == Outcome(Verdict.CONFLICT, 1, 2)
    assert await head(store, "game") == Head(1, 2, b"snapshot of move 1")
    assert await store.origin("game") == b"snapshot of first"
    assert await whole_log(store, "game") == [(0, 0, b"setup"), (1, 0, b"move")]
    assert (await store.load("game", "another")).record is None


async def test_what_is_not_there_is_missing(store: Store) -> None:
    assert await store.load("game") == Loaded(None, None)
    assert await store.load("game", "create") == Loaded(None, None)
    assert await store.origin("game") is None
    assert await store.log("game", (0, 0), 10) == []
    assert await store.commit(change("game", "id", 1, b"move"), Head(0, 1, b"")) == Outcome(Verdict.MISSING)
    assert await store.delete(change("game", "id", 0)) == Outcome(Verdict.MISSING)
    assert await store.reseal("game", Head(0, 1, b""), b"new", b"new") is False
    assert await store.load("game", "id") == Loaded(None, None)


async def test_a_change_is_carried_out(store: Store) -> None:
    before = await begin(store, "game")
    outcome = await store.commit(change("game", "id", 1, b"moved", b"drawn", snapshot=b"next"), before)

    assert outcome == Outcome(Verdict.DONE, version=1, revision=2)
    assert await store.load("game", "id") == Loaded(
        Head(1, 2, b"next"), Record(FINGERPRINT, b"outcome of id")
    )
    assert (await store.load("game")).record is None
    assert (await store.load("game", "unknown")).record is None
    assert (await store.load("game", "create")).record == Record(FINGERPRINT, b"outcome of create")
    assert await store.origin("game") == b"snapshot of create"
    assert await whole_log(store, "game") == [(0, 0, b"setup"), (1, 0, b"moved"), (1, 1, b"drawn")]


async def test_several_moves_are_one_change(store: Store) -> None:
    before = await begin(store, "game")
    items = [LogItem(1, b"a"), LogItem(1, b"b"), LogItem(2, b"c"), LogItem(3, b"d"), LogItem(3, b"e")]
    outcome = await store.commit(change("game", "id", 3)._replace(items=items), before)

    assert outcome == Outcome(Verdict.DONE, version=3, revision=2)
    assert (await whole_log(store, "game"))[1:] == [
        (1, 0, b"a"), (1, 1, b"b"), (2, 0, b"c"), (3, 0, b"d"), (3, 1, b"e"),
    ]  # fmt: skip


async def test_a_change_without_a_move_counts_on_in_its_version(store: Store) -> None:
    await begin(store, "game")
    moved = await move(store, "game")
    outcome = await store.commit(change("game", "token", 1, b"new token"), moved)
    silent = await store.commit(change("game", "silent", 1), await head(store, "game"))
    await store.commit(change("game", "bot", 1, b"bot", b"sits"), await head(store, "game"))
    await move(store, "game")

    assert outcome == Outcome(Verdict.DONE, version=1, revision=3)
    assert silent == Outcome(Verdict.DONE, version=1, revision=4)
    assert (await whole_log(store, "game"))[1:] == [
        (1, 0, b"move"), (1, 1, b"new token"), (1, 2, b"bot"), (1, 3, b"sits"), (2, 0, b"move"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("version", "revision"),
    [(1, 3), (2, 2), (2, 4), (3, 3), (0, 1), (3, 4), (22, 33)],
    ids=str,
)
async def test_a_change_of_another_state_is_a_conflict(store: Store, version: int, revision: int) -> None:
    await begin(store, "game")
    there = await move(store, "game", 2)
    outcome = await store.commit(
        change("game", "id", version + 1, b"move"), Head(version, revision, there.snapshot)
    )

    assert outcome == Outcome(Verdict.CONFLICT, version=2, revision=3)
    assert await store.load("game", "id") == Loaded(there, None)
    assert len(await whole_log(store, "game")) == 3


async def test_the_snapshot_s_bytes_are_compared_too(store: Store) -> None:
    """After a lost tail the same version and revision come again, of another game."""
    before = await begin(store, "game")
    outcome = await store.commit(change("game", "id", 1, b"move"), before._replace(snapshot=b"the lost one"))
    assert outcome == Outcome(Verdict.CONFLICT, before.version, before.revision)
    assert await head(store, "game") == before


async def test_a_repeated_request_finds_its_record_whatever_came_since(store: Store) -> None:
    before = await begin(store, "game")
    first = change("game", "id", 1, b"move")
    await store.commit(first, before)
    after = await move(store, "game", 3)

    expected = Outcome(Verdict.REPEATED, after.version, after.revision, first.record)
    assert await store.commit(first, before) == expected
    assert (
        await store.commit(first._replace(snapshot=b"x", record=Record(FINGERPRINT, b"y")), before)
        == expected
    )
    assert await store.commit(change("game", "id", 5, b"move"), after) == expected
    assert await head(store, "game") == after
    assert len(await whole_log(store, "game")) == 5


async def test_a_request_id_is_not_used_for_something_else(store: Store) -> None:
    before = await begin(store, "game")
    first = change("game", "id", 1, b"move")
    await store.commit(first, before)
    after = await head(store, "game")

    other = change("game", "id", 2, b"move", fingerprint=OTHER)
    longer = change("game", "id", 2, b"move", fingerprint=FINGERPRINT + b"outcome of id")
    expected = Outcome(Verdict.REUSED, 1, 2, first.record)
    assert await store.commit(other, after) == expected
    assert await store.commit(longer, after) == expected
    assert await store.delete(other) == expected
    assert await head(store, "game") == after


async def test_request_ids_are_each_games_own(store: Store) -> None:
    for game_id in ("one", "two"):
        outcome = await store.commit(change(game_id, "id", 1, b"move"), await begin(store, game_id))
        assert outcome.verdict is Verdict.DONE


@pytest.mark.parametrize(
    ("versions", "leads_to"),
    [([], 1), ([0], 1), ([2], 2), ([1, 3], 3), ([1, 0], 1), ([1], 2), ([1, 2], 1), ([0, 0, 2], 2)],
    ids=str,
)
async def test_no_change_leaves_a_gap_in_the_log(store: Store, versions: list[int], leads_to: int) -> None:
    before = await begin(store, "game")
    wrong = change("game", "id", leads_to)._replace(items=[LogItem(each, b"") for each in versions])

    with pytest.raises(ValueError, match="do not lead to"):
        await store.commit(wrong, before)
    assert await store.load("game", "id") == Loaded(before, None)


@pytest.mark.parametrize("versions", [[0, 2], [1], [3, 2]], ids=str)
async def test_no_game_begins_with_a_gap(store: Store, versions: list[int]) -> None:
    wrong = change("game", "id", 2)._replace(items=[LogItem(each, b"") for each in versions])
    with pytest.raises(ValueError, match="do not lead to"):
        await store.create(wrong)
    assert await store.load("game", "id") == Loaded(None, None)


async def test_of_a_deleted_game_only_the_record_of_that_is_left(store: Store) -> None:
    await begin(store, "game")
    before = await move(store, "game", 2)
    deletion = change("game", "delete", 0)
    assert await store.delete(deletion) == Outcome(Verdict.DONE, before.version, before.revision)

    assert await store.load("game", "delete") == Loaded(None, deletion.record)
    assert await store.load("game", "create") == Loaded(None, None)
    assert await store.origin("game") is None
    assert await store.log("game", (0, 0), 10) == []
    assert await store.reseal("game", before, b"new", b"new") is False


async def test_a_deleted_game_does_not_come_back(store: Store) -> None:
    before = await begin(store, "game")
    deletion = change("game", "delete", 0)
    await store.delete(deletion)

    assert await store.delete(deletion) == Outcome(Verdict.REPEATED, record=deletion.record)
    assert await store.delete(change("game", "again", 0)) == Outcome(Verdict.MISSING)
    assert await store.commit(change("game", "id", 1, b"move"), before) == Outcome(Verdict.MISSING)
    assert await store.create(change("game", "create", 0, b"setup")) == Outcome(Verdict.CONFLICT)
    reused = change("game", "delete", 1, b"move", fingerprint=OTHER)
    assert await store.commit(reused, before) == Outcome(Verdict.REUSED, record=deletion.record)
    assert await store.load("game") == Loaded(None, None)


@pytest.mark.parametrize("step", ["create", "commit", "delete"])
async def test_a_step_that_arrives_twice_has_one_effect(store: Store, step: str) -> None:
    before = Head(0, 0, b"") if step == "create" else await begin(store, "game")
    asked = change("game", "id", 0 if step == "create" else 1, b"item")
    steps: dict[str, Callable[[], Awaitable[Outcome]]] = {
        "create": lambda: store.create(asked),
        "commit": lambda: store.commit(asked, before),
        "delete": lambda: store.delete(asked),
    }
    outcomes = await asyncio.gather(*(steps[step]() for _ in range(5)))

    verdicts = [outcome.verdict for outcome in outcomes]
    assert verdicts.count(Verdict.DONE) == 1
    assert verdicts.count(Verdict.REPEATED) == 4
    log = await whole_log(store, "game")
    assert [data for _, _, data in log].count(b"item") == (0 if step == "delete" else 1)


async def test_of_many_changes_of_one_version_one_wins(store: Store) -> None:
    await begin(store, "game")
    for version in range(1, 11):
        before = await head(store, "game")
        asked = [change("game", f"{version} by {who}", version, f"{who}".encode()) for who in range(20)]
        outcomes = await asyncio.gather(*(store.commit(each, before) for each in asked))

        winners = [who for who, outcome in enumerate(outcomes) if outcome.verdict is Verdict.DONE]
        assert len(winners) == 1
        others = [outcome for outcome in outcomes if outcome.verdict is not Verdict.DONE]
        assert others == [Outcome(Verdict.CONFLICT, version, version + 1)] * 19
        assert (await head(store, "game")).snapshot == asked[winners[0]].snapshot
        assert (await whole_log(store, "game"))[version:] == [(version, 0, f"{winners[0]}".encode())]


async def test_of_many_games_with_one_id_one_begins(store: Store) -> None:
    asked = [change("game", f"by {who}", 0, f"{who}".encode()) for who in range(20)]
    outcomes = await asyncio.gather(*map(store.create, asked))
    assert [outcome.verdict for outcome in outcomes].count(Verdict.DONE) == 1
    assert len(await whole_log(store, "game")) == 1


async def test_the_log_is_read_in_pages_from_anywhere(store: Store) -> None:
    before = await begin(store, "game")
    items = [LogItem(1 + number // 3, f"{number}".encode()) for number in range(30)]
    await store.commit(change("game", "id", 10)._replace(items=items), before)
    expected = [(0, 0, b"setup"), *((1 + n // 3, n % 3, f"{n}".encode()) for n in range(30))]

    for at_once in (1, 2, 7, 31, 100):
        assert await whole_log(store, "game", at_once) == expected
    from_the_middle = await store.log("game", (3, 1), 4)
    assert [entry.data for entry in from_the_middle] == [b"7", b"8", b"9", b"10"]
    after_the_last_number = await store.log("game", (3, 3), 1)
    assert [entry.data for entry in after_the_last_number] == [b"9"]
    assert await store.log("game", (10, 3), 5) == []
    assert await store.log("game", (11, 0), 5) == []


async def test_versions_are_numbers_not_texts(store: Store) -> None:
    await begin(store, "game")
    assert (await move(store, "game", 12))[:2] == (12, 13)
    assert [version for version, _, _ in await whole_log(store, "game")] == list(range(13))
    assert [entry.version for entry in await store.log("game", (9, 0), 3)] == [9, 10, 11]


async def test_items_carry_the_stores_time_in_whole_milliseconds(keeper: Keeper) -> None:
    begun = await keeper.now()
    before = await begin(keeper.store, "game")
    await keeper.store.commit(change("game", "id", 1, b"a", b"b"), before)
    ended = await keeper.now()

    times = [entry.at for entry in await keeper.store.log("game", (0, 0), 10)]
    assert begun <= times[0] <= times[1] <= ended
    assert times[1] == times[2]
    assert all(time.microsecond % 1000 == 0 and time.tzname() == "UTC" for time in times)


@pytest.mark.parametrize("game_id", ODD_IDS)
async def test_ids_may_be_odd(store: Store, game_id: str) -> None:
    before = await begin(store, game_id)
    assert (await store.commit(change(game_id, game_id, 1, b"move"), before)).verdict is Verdict.DONE

    assert (await store.load(game_id, game_id)).record == Record(
        FINGERPRINT, b"outcome of " + game_id.encode()
    )
    assert len(await whole_log(store, game_id)) == 2
    assert [game.game_id for game in (await store.games("", 10)).games] == [game_id]
    assert await store.claim(game_id, FINGERPRINT, game_id, keep_seconds=60) == (game_id, FINGERPRINT)
    assert (await store.delete(change(game_id, "delete", 0))).verdict is Verdict.DONE


async def test_all_bytes_come_back_as_they_were(store: Store) -> None:
    everything = bytes(range(256)) * 8192
    asked = Change(
        "game", "id", Record(bytes(range(256)), everything), [LogItem(0, everything), LogItem(0, b"")],
        everything, 0, 60,
    )  # fmt: skip
    await store.create(asked)

    assert await store.load("game", "id") == Loaded(Head(0, 1, everything), asked.record)
    assert await store.origin("game") == everything
    assert [data for _, _, data in await whole_log(store, "game")] == [everything, b""]
    assert await store.create(asked) == Outcome(Verdict.REPEATED, 0, 1, asked.record)


async def test_nothing_need_be_in_it(store: Store) -> None:
    asked = Change("game", "id", Record(b"", b""), [], b"", 0, 60)
    await store.create(asked)
    assert await store.load("game", "id") == Loaded(Head(0, 1, b""), Record(b"", b""))
    assert await store.origin("game") == b""


async def test_a_thousand_moves_fit_in_one_change(store: Store) -> None:
    before = await begin(store, "game")
    items = [LogItem(1 + number // 4, b"item") for number in range(4000)]
    await store.commit(change("game", "id", 1000)._replace(items=items), before)
    log = await whole_log(store, "game")
    assert [(version, number) for version, number, _ in log[1:]] == [(1 + n // 4, n % 4) for n in range(4000)]
