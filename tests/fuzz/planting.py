"""Puts hosted games that are under way into a store, so that stories begin at every stage of a game."""

import random
from typing import Final

from service.engine.rules import decision
from service.hosting.plans import Making, fork_plan
from service.hosting.seats import Claims, Scope
from service.hosting.snapshots import Hosted, Meta, to_item, to_snapshot
from service.positions import Positions
from service.seal import Seals, read_keys
from service.store import Change, LogItem, Record
from service.store.memory import MemoryStore
from tests.fuzz.corpus import SEAL_KEYS, Real, corpus
from tests.fuzz.keeping import at_once
from tests.fuzz.showing import LATER, OURS
from tests.fuzz.stories import Table

DAY: Final = 86_400
_SEALS: Final = Seals(read_keys(SEAL_KEYS))
_POSITIONS: Final = Positions(_SEALS)


def plant(rng: random.Random, store: MemoryStore) -> Table:
    """Make a game in a store from a real state, as if it were forked from another store's game."""
    real = rng.choice([real for real in corpus() if real.state.WhichOneof("hidden")])
    game_id = f"{rng.getrandbits(128):022x}"[:22]
    hosted = _planted(real, game_id, rng.random() < 0.3, store)
    question = decision(hosted.state)
    seats = range(len(hosted.state.players))
    return Table(
        game_id,
        hosted.state.version,
        None if question is None else question.seat,
        [*real.moves],
        [OURS.issue(Claims(game_id, Scope.PLAY, seat, 0, LATER)) for seat in seats],
    )


def _planted(real: Real, game_id: str, public_watching: bool, store: MemoryStore) -> Hosted:  # noqa: FBT001
    position = _POSITIONS.read(real.state)
    meta = Meta(public_watching=False, nonce="", seed="", play_generations=())
    making = Making(game_id, public_watching, LATER)
    plan = fork_plan(
        making, Hosted("elsewhere", meta, position), f"planted in {game_id}", position.state.names
    )
    change = Change(
        game_id,
        request_id=f"planted {game_id}",
        record=Record(b"", b"{}"),
        items=[LogItem(noted.entry.version, to_item(*noted)) for noted in plan.log],
        snapshot=to_snapshot(plan.hosted, _SEALS, plan.message),
        version=plan.hosted.state.version,
        keep_seconds=DAY,
    )
    at_once(store.claim(change.request_id, b"", game_id, keep_seconds=DAY))
    at_once(store.create(change))
    return plan.hosted
