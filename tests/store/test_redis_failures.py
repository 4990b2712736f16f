"""What a store does when its Redis fails it: it says so, loses nothing, and is there again by itself."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import replace
from itertools import count, product

import pytest
from redis.asyncio import Redis
from redis.exceptions import ResponseError

from service.store import Head, StoreUnavailable, Verdict
from service.store.causes import cause_of
from service.store.redis import RedisStore
from service.store.redis_settings import RedisSettings
from tests.redis_server import HOST, RedisServer
from tests.store.changes import FINGERPRINT, begin, change, head, move, whole_log
from tests.store.conftest import Connect, Start
from tests.store.keepers import RedisKeeper
from tests.store.proxy import Proxy, run_proxy

DURABLE = ("appendonly yes", "appendfsync always")
MESSAGE = r"^the store does not answer$"


def impatient(port: int) -> RedisSettings:
    """Return settings with which a test need not wait long."""
    return RedisSettings(nodes=[(HOST, port)], connect_seconds=0.2, reply_seconds=0.2, call_seconds=0.6)


def steps(store: RedisStore, before: Head) -> Mapping[str, Callable[[], Awaitable[object]]]:
    """Return each step of a store; they bear the request id or the bytes "marked"."""
    return {
        "claim": lambda: store.claim("marked", FINGERPRINT, "new", keep_seconds=60),
        "create": lambda: store.create(change("new", "marked", 0, b"setup")),
        "load": lambda: store.load("game", "marked"),
        "load without a request": lambda: store.load("game"),
        "commit": lambda: store.commit(change("game", "marked", before.version + 1, b"item"), before),
        "delete": lambda: store.delete(change("game", "marked", 0)),
        "origin": lambda: store.origin("game"),
        "log": lambda: store.log("game", (0, 0), 10),
        "games": lambda: store.games("", 10),
        "reseal": lambda: store.reseal("game", before, b"marked", b"origin"),
        "ping": store.ping,
    }


STEPS = list(steps(RedisStore(RedisSettings()), Head(0, 1, b"")))
CHANGES = ["claim", "create", "commit", "delete", "reseal"]


async def ask(redis: Redis, *words: str | int) -> object:
    """Send a command and return the reply."""
    reply: object = await redis.execute_command(*words)  # type: ignore[no-untyped-call]
    return reply


async def dump(redis: Redis) -> dict[object, object]:
    """Return all that a server keeps."""
    return {key: await redis.dump(key) for key in await redis.keys("*")}


async def is_older_than_7(redis: Redis) -> bool:
    """Return whether this is Redis 6.2."""
    return int((await redis.info("server"))["redis_version"].split(".")[0]) < 7


async def know_scripts(store: RedisStore) -> None:
    """Have every step done once, for another game, so that its script needs no second request."""
    before = await begin(store, "other")
    asked = change("other", "id", 1, b"item")
    await store.reseal("other", before, b"anew", b"anew")
    await store.load("other", "id")
    await store.commit(asked, before)
    await store.delete(asked._replace(request_id="delete"))


@pytest.fixture
async def admin(redis_settings: RedisSettings) -> AsyncIterator[Callable[[RedisServer], Redis]]:
    """Return clients for what a store does not do."""
    clients: list[Redis] = []

    def client(server: RedisServer) -> Redis:
        clients.append(Redis(host=HOST, port=server.port))
        return clients[-1]

    yield client
    for each in clients:
        await each.aclose()


@pytest.fixture
async def proxy(start: Start) -> AsyncIterator[Proxy]:
    async with run_proxy(start().port) as running:
        yield running


async def test_what_was_acknowledged_outlives_a_crash(start: Start, connect: Connect) -> None:
    server = start(*DURABLE)
    store = connect(impatient(server.port))
    acknowledged: dict[str, int] = {}

    async def play(game_id: str) -> None:
        await begin(store, game_id)
        for version in count(1):
            acknowledged[game_id] = (await move(store, game_id)).version
            if game_id == "game0" and version == 100:
                server.stop()

    played = await asyncio.gather(*(play(f"game{number}") for number in range(5)), return_exceptions=True)
    assert all(isinstance(each, StoreUnavailable) for each in played)
    server.start()

    for game_id, version in acknowledged.items():
        # The last move may have been written, but no longer acknowledged.
        assert (await head(store, game_id)).version in {version, version + 1}
        assert (await store.load(game_id, f"move {version}")).record is not None
        reached = (await move(store, game_id)).version
        assert [each for each, _, _ in await whole_log(store, game_id)] == list(range(reached + 1))


@pytest.mark.parametrize("step", STEPS)
async def test_without_a_server_the_store_is_unavailable(connect: Connect, step: str) -> None:
    store = connect(impatient(1))
    with pytest.raises(StoreUnavailable, match=MESSAGE):
        await steps(store, Head(0, 1, b""))[step]()


async def test_the_same_store_is_there_again_with_its_server(start: Start, connect: Connect) -> None:
    server = start(*DURABLE)
    store = connect(impatient(server.port))
    await begin(store, "game")
    for _ in range(3):
        before = await head(store, "game")
        server.stop()
        with pytest.raises(StoreUnavailable, match=MESSAGE):
            await store.load("game")
        server.start()
        assert await head(store, "game") == before
        await move(store, "game")


@pytest.mark.parametrize("step", ["load", "commit"])
async def test_a_server_that_hangs_is_given_up(start: Start, connect: Connect, step: str) -> None:
    server = start()
    store = connect(impatient(server.port))
    before = await begin(store, "game")
    server.pause()
    with pytest.raises(StoreUnavailable, match=MESSAGE):
        await steps(store, before)[step]()
    server.resume()
    await steps(store, before)[step]()
    await store.ping()


async def test_callers_wait_for_a_turn_no_longer_than_for_a_reply(start: Start, connect: Connect) -> None:
    server = start()
    store = connect(replace(impatient(server.port), connections=2))
    await begin(store, "game")
    assert len(await asyncio.gather(*(store.load("game") for _ in range(50)))) == 50
    server.pause()
    loads = await asyncio.gather(*(store.load("game") for _ in range(50)), return_exceptions=True)
    assert all(isinstance(each, StoreUnavailable) for each in loads)
    server.resume()
    await store.load("game")


@pytest.mark.parametrize("step", CHANGES)
async def test_a_step_whose_reply_is_lost_has_one_effect(proxy: Proxy, connect: Connect, step: str) -> None:
    store = connect(impatient(proxy.port))
    await know_scripts(store)
    before = await begin(store, "game")
    proxy.cut_replies_to(b"marked", 2)
    outcome = await steps(store, before)[step]()

    # The store itself tried three times, and all three arrived.
    assert proxy.arrived == 3
    assert await steps(store, before)[step]() == outcome
    if step in {"create", "commit", "delete"}:
        assert getattr(outcome, "verdict", None) is Verdict.REPEATED
    game_id, version = ("new", 0) if step in {"claim", "create"} else ("game", step == "commit")
    if step in {"create", "commit"}:
        assert (await head(store, game_id))[:2] == (version, version + 1)
        assert len(await whole_log(store, game_id)) == version + 1


@pytest.mark.parametrize("step", CHANGES)
async def test_who_repeats_after_a_lost_reply_is_told_what_came_of_it(
    proxy: Proxy, connect: Connect, step: str
) -> None:
    store = connect(replace(impatient(proxy.port), retries=0))
    await know_scripts(store)
    before = await begin(store, "game")
    proxy.cut_replies_to(b"marked")
    with pytest.raises(StoreUnavailable, match=MESSAGE):
        await steps(store, before)[step]()
    assert proxy.arrived == 1

    expected: dict[str, object] = {"claim": ("new", FINGERPRINT), "reseal": True}
    again = await steps(store, before)[step]()
    assert getattr(again, "verdict", again) == expected.get(step, Verdict.REPEATED)


async def test_a_call_given_up_by_its_caller_leaves_no_reply_to_others(
    proxy: Proxy, connect: Connect
) -> None:
    store = connect(replace(impatient(proxy.port), connections=1))
    for number in range(5):
        await begin(store, f"game{number}")
    for number in range(5):
        before = await head(store, f"game{number}")
        proxy.held = asyncio.Event()
        proxy.holds.clear()
        proxy.marked = b"given up"
        given_up = asyncio.create_task(store.commit(change(f"game{number}", "given up", 1, b"item"), before))
        await proxy.holds.wait()
        given_up.cancel()
        with pytest.raises(asyncio.CancelledError):
            await given_up
        proxy.held.set()
        assert await store.origin(f"game{number}") == b"snapshot of create"
        assert (await store.load(f"game{number}")).head == Head(1, 2, b"snapshot of given up")


@pytest.mark.parametrize("step", STEPS)
async def test_a_server_that_forgot_the_scripts_is_told_them(
    start: Start, connect: Connect, step: str
) -> None:
    server = start()
    store = connect(impatient(server.port))
    before = await begin(store, "game")
    await steps(store, before)[step]()
    await store._redis.script_flush()
    again = await steps(store, before)[step]()
    assert getattr(again, "verdict", Verdict.REPEATED) is Verdict.REPEATED


REFUSALS = {
    "out of memory": ("CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0"),
    "a replica": (f"REPLICAOF {HOST} 1", "REPLICAOF NO ONE"),
    "without replicas": ("CONFIG SET min-replicas-to-write 1", "CONFIG SET min-replicas-to-write 0"),
}
"""What makes a server refuse all changes, and what allows them again."""


@pytest.mark.parametrize(
    ("why", "step"),
    # When memory is full, a deletion is let through.
    [pair for pair in product(REFUSALS, [*CHANGES, "ping"]) if pair != ("out of memory", "delete")],
)
async def test_what_redis_refuses_is_not_half_done(
    start: Start, connect: Connect, admin: Callable[[RedisServer], Redis], why: str, step: str
) -> None:
    server = start("maxmemory-policy noeviction")
    redis = admin(server)
    if why == "without replicas" and step != "ping" and await is_older_than_7(redis):
        pytest.skip("before 7.0 Redis does not count its replicas within a script")
    store = connect(impatient(server.port))
    before = await begin(store, "game")
    refuse, allow = REFUSALS[why]
    kept = await dump(redis)
    await ask(redis, *refuse.split())
    with pytest.raises(StoreUnavailable, match=MESSAGE):
        await steps(store, before)[step]()
    assert await dump(redis) == kept
    assert await head(store, "game") == before

    await ask(redis, *allow.split())
    again = await steps(store, before)[step]()
    assert getattr(again, "verdict", Verdict.DONE) is Verdict.DONE


async def test_a_server_that_is_no_longer_the_master_is_left(start: Start, connect: Connect) -> None:
    former, promoted = start(), start()
    async with run_proxy(former.port) as address, Redis(host=HOST, port=former.port) as redis:
        store = connect(impatient(address.port))
        await asyncio.gather(*(begin(store, f"game{number}") for number in range(10)))
        address.redis_port = promoted.port
        await ask(redis, "REPLICAOF", HOST, promoted.port)
        with pytest.raises(StoreUnavailable, match=MESSAGE):
            await store.create(change("new", "id", 0, b"setup"))
        assert (await store.create(change("new", "id", 0, b"setup"))).verdict is Verdict.DONE


async def test_games_can_be_deleted_when_memory_is_full(
    start: Start, connect: Connect, admin: Callable[[RedisServer], Redis]
) -> None:
    server = start("maxmemory-policy noeviction")
    store = connect(impatient(server.port))
    await begin(store, "game")
    await ask(admin(server), "CONFIG", "SET", "maxmemory", 1)
    assert (await store.delete(change("game", "delete", 0))).verdict is Verdict.DONE
    assert (await store.load("game", "delete")).record is not None


async def test_a_server_busy_with_something_else_is_unavailable(
    start: Start, connect: Connect, admin: Callable[[RedisServer], Redis]
) -> None:
    server = start("lua-time-limit 1")
    store = connect(impatient(server.port))
    before = await begin(store, "game")
    endless = asyncio.create_task(ask(admin(server), "EVAL", "while true do end", 0))
    await asyncio.sleep(0.1)
    with pytest.raises(StoreUnavailable, match=MESSAGE):
        await store.load("game")
    await admin(server).script_kill()
    with pytest.raises(ResponseError):
        await endless
    assert await head(store, "game") == before


async def test_mistakes_are_not_taken_for_a_server_that_is_away(redis_keeper: RedisKeeper) -> None:
    await redis_keeper.redis.set(f"{redis_keeper.settings.prefix}{{game}}:head", b"no hash")
    with pytest.raises(ResponseError, match="WRONGTYPE"):
        await redis_keeper.store.load("game")
    with pytest.raises(ResponseError, match="WRONGTYPE"):
        await redis_keeper.store.create(change("game", "id", 0, b"setup"))


RIGHTS = (
    "+eval +evalsha +exists +get +hget +hincrby +hmget +hset +pexpire +pexpireat +publish +set +time +unlink "
    "+xadd +xrange +zadd +zrandmember +zrem +zrevrangebylex"
)
"""All that a store needs to be allowed."""


async def test_a_user_with_few_rights_is_enough(start: Start, connect: Connect) -> None:
    server = start(
        f"user finspan on >secret ~finspan:* resetchannels &finspan:* -@all {RIGHTS}", "user default off"
    )
    settings = replace(impatient(server.port), username="finspan", password="secret")  # noqa: S106  of this test
    store = connect(settings)
    before = await begin(store, "game")
    for step in steps(store, before).values():
        await step()
    for wrong in (
        replace(settings, password=FINGERPRINT.hex()),
        replace(settings, username=None, password=None),
    ):
        with pytest.raises(StoreUnavailable, match=MESSAGE):
            await connect(wrong).load("game")
    assert "secret" not in repr(settings)


@pytest.mark.parametrize("right", [*RIGHTS.split(), "&"])
async def test_a_user_with_a_right_too_few_has_no_store(start: Start, connect: Connect, right: str) -> None:
    """Nobody is told that games can be played, and the first change then fails."""
    rights = f"&finspan:* -@all {RIGHTS} " + (f"-{right[1:]}" if right != "&" else "resetchannels")
    server = start(f"user finspan on >secret ~finspan:* resetchannels {rights}")
    store = connect(replace(impatient(server.port), username="finspan", password="secret"))  # noqa: S106  of this test
    with pytest.raises(StoreUnavailable, match=MESSAGE) as refused:
        await store.ping()
    assert cause_of(refused.value) == "NoPermissionError"


FORBIDDEN = {
    "+evalsha": STEPS,
    "+time": ["claim", "create", "commit"],
    "+publish": ["create", "commit", "delete"],
}


@pytest.mark.parametrize(
    ("right", "step"), [(right, step) for right, needing in FORBIDDEN.items() for step in needing]
)
async def test_what_a_user_may_not_do_is_no_mistake(
    start: Start, connect: Connect, admin: Callable[[RedisServer], Redis], right: str, step: str
) -> None:
    server = start()
    before = await begin(connect(impatient(server.port)), "game")
    rights = [word for word in RIGHTS.split() if word != right]
    await ask(admin(server), *f"ACL SETUSER few on nopass ~* &* -@all {' '.join(rights)}".split())
    store = connect(replace(impatient(server.port), username="few", password="any"))  # noqa: S106  of this test
    if right == "+evalsha" and step in {"load without a request", "origin", "log", "games"}:
        await steps(store, before)[step]()
        return
    with pytest.raises(StoreUnavailable, match=MESSAGE) as refused:
        await steps(store, before)[step]()
    assert cause_of(refused.value) == "NoPermissionError"


@pytest.mark.parametrize("step", STEPS)
async def test_a_database_that_is_not_there_is_no_store(start: Start, connect: Connect, step: str) -> None:
    store = connect(replace(impatient(start().port), database=99))
    with pytest.raises(StoreUnavailable, match=MESSAGE) as refused:
        await steps(store, Head(0, 1, b""))[step]()
    assert cause_of(refused.value) == "NoSuchDatabaseError"


@pytest.mark.parametrize("command", ["EVALSHA", "XADD", "TIME", "ZRANDMEMBER", "SET"])
async def test_a_server_that_lacks_a_command_is_no_store(
    start: Start, connect: Connect, command: str
) -> None:
    """As one older than 6.2, or one on which commands are renamed."""
    store = connect(impatient(start(f'rename-command {command} ""').port))
    with pytest.raises(StoreUnavailable, match=MESSAGE) as refused:
        await store.ping()
    assert cause_of(refused.value) == "UnknownCommandError"


async def test_a_ping_leaves_nothing(redis_keeper: RedisKeeper) -> None:
    await redis_keeper.store.ping()
    assert await redis_keeper.keys() == []


async def test_watchers_are_told_of_every_change_once(redis_keeper: RedisKeeper) -> None:
    store = redis_keeper.store
    watching = redis_keeper.redis.pubsub()
    await watching.subscribe(f"{redis_keeper.settings.prefix}{{game}}")
    before = await begin(store, "game")
    await store.commit(change("game", "token", 0, b"no move"), before)
    await move(store, "game", 2)
    await store.commit(change("game", "move 1", 1, b"repeated"), before)
    await store.commit(change("game", "late", 1, b"too late"), before)
    assert await store.reseal("game", await head(store, "game"), b"anew", b"anew")
    await store.delete(change("game", "delete", 0))

    told = [await watching.get_message(timeout=1) for _ in range(6)]
    assert await watching.get_message(timeout=0.1) is None
    await watching.aclose()
    assert [each["data"] for each in told if each and each["type"] == "message"] == [
        b"0",
        b"0",
        b"1",
        b"2",
        b"2",
    ]
