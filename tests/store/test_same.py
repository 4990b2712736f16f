"""Memory and Redis are one behaviour: the same steps, by chance, have the same outcomes."""

import random
from collections.abc import Awaitable, Callable

import pytest

from service.store import Change, Head, LogItem, Record, Store
from tests.store.keepers import Keeper, MemoryKeeper, RedisKeeper

STEPS = 400


def _change(rng: random.Random) -> Change:
    version = rng.randint(0, 6)
    items = [LogItem(each, rng.randbytes(4)) for each in range(rng.randint(0, version + 1), version + 1)]
    record = Record(rng.choice([b"a", b"b"]), rng.randbytes(3))
    return Change(
        f"game{rng.randint(0, 2)}", f"request{rng.randint(0, 40)}", record, items, rng.randbytes(5), version,
        rng.choice([30, 300]),
    )  # fmt: skip


async def _or_error(step: Awaitable[object]) -> object:
    try:
        return await step
    except ValueError:
        return ValueError


def _step(store: Store, rng: random.Random, heads: dict[str, Head | None]) -> Awaitable[object]:
    asked = _change(rng)
    expected = heads.get(asked.game_id) or Head(rng.randint(0, 3), rng.randint(1, 4), b"")
    following = asked._replace(
        version=expected.version + 1, items=[LogItem(expected.version + 1, item.data) for item in asked.items]
    )
    steps: dict[str, tuple[int, Callable[[], Awaitable[object]]]] = {
        "create": (3, lambda: store.create(asked)),
        "commit": (4, lambda: store.commit(asked, expected)),
        "move": (30, lambda: store.commit(following, expected)),
        "delete": (1, lambda: store.delete(asked)),
        "reseal": (3, lambda: store.reseal(asked.game_id, expected, b"anew", b"origin")),
        "claim": (3, lambda: store.claim(asked.request_id, b"", asked.game_id, keep_seconds=60)),
    }
    (name,) = rng.choices(list(steps), [weight for weight, _ in steps.values()])
    return steps[name][1]()


async def _seen(keeper: Keeper, game_id: str) -> object:
    store = keeper.store
    records = [(await store.load(game_id, f"request{number}")).record for number in range(41)]
    log = [entry._replace(at=None) for entry in await store.log(game_id, (0, 0), 1000)]  # type: ignore[arg-type]
    return await store.load(game_id), await store.origin(game_id), log, records


async def _listed(keeper: Keeper) -> set[str]:
    # A set: here one game is claimed by several requests, at several times.
    return {game.game_id for game in (await keeper.store.games("", 100)).games}


@pytest.mark.parametrize("seed", range(3))
async def test_memory_and_redis_do_the_same(redis_keeper: RedisKeeper, seed: int) -> None:
    keepers: list[Keeper] = [MemoryKeeper(), redis_keeper]
    rngs = [random.Random(seed) for _ in keepers]  # noqa: S311  repeatable, not secret
    for number in range(STEPS):
        outcomes = []
        for keeper, rng in zip(keepers, rngs, strict=True):
            if rng.random() < 0.02:
                await keeper.let_pass(20)
            heads = {
                game_id: (await keeper.store.load(game_id)).head for game_id in ("game0", "game1", "game2")
            }
            outcomes.append(await _or_error(_step(keeper.store, rng, heads)))
        assert outcomes[0] == outcomes[1]
        if number % 20 == 0:
            for game_id in ("game0", "game1", "game2"):
                assert await _seen(keepers[0], game_id) == await _seen(keepers[1], game_id)
            assert await _listed(keepers[0]) == await _listed(keepers[1])
