"""Digests are what their published vectors say, and what the described layout says when written again."""

import json
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import ParseDict

from finspan.v1 import finspan_pb2 as pb
from service.engine.digest import full_digest, public_bytes, public_digest
from service.engine.events import FishSource
from service.engine.ocean import SLOTS_BY_NAME
from service.engine.state import AlsoIf, Benefits, Frame, GameState, Scattering
from tests import layout
from tests.games import Setup
from tests.table import NO_CORAL, situation
from tests.wire import POSITIONS

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "vectors" / "digests.json").read_text(encoding="utf-8")
)
each_vector = pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])


def message(vector: dict[str, Any]) -> pb.GameState:
    return ParseDict(vector["state"], pb.GameState())


@each_vector
def test_the_engine_gives_the_vectors(vector: dict[str, Any]) -> None:
    state = POSITIONS.read(message(vector)).state
    assert public_bytes(state).hex() == vector["public_bytes"]
    assert public_digest(state) == vector["public_digest"]
    assert full_digest(state) == vector["full_digest"]


@each_vector
def test_the_layout_written_again_gives_the_vectors(vector: dict[str, Any]) -> None:
    assert layout.public_bytes(message(vector)).hex() == vector["public_bytes"]
    assert layout.public_digest(message(vector)) == vector["public_digest"]
    assert layout.full_digest(message(vector)) == vector["full_digest"]


def start() -> GameState:
    return Setup(2).begin().state


def test_names_and_version_are_left_out() -> None:
    state = start()
    state.names, state.version = ("Ada", "Bo"), 7
    assert full_digest(state) == full_digest(start())


def test_the_hidden_order_is_in_the_full_digest_alone() -> None:
    state = start()
    state.deck.reverse()
    assert public_digest(state) == public_digest(start())
    assert full_digest(state) != full_digest(start())


SHARK = FishSource(0, SLOTS_BY_NAME["B1"], 207)
SEAROBIN = FishSource(0, SLOTS_BY_NAME["B1"], 138)
UNLIKE: dict[str, list[GameState]] = {
    "where coral lies": [
        situation(reefs=reefs) for reefs in ((), [(1, 0, 0)], [(0, 1, 0)], [NO_CORAL, (1, 0, 0)])
    ],
    "how far a scatter is": [
        situation(frame=Frame.END_TURN, steps=[Scattering(0, SHARK, used)], reefs=(), valid=False)
        for used in (0, 1, 2, 3)
    ],
    "which part is open": [
        situation(frame=Frame.END_TURN, steps=[Benefits(0, source, (1,))], reefs=(), valid=False)
        for source in (SEAROBIN, SEAROBIN._replace(is_also=True))
    ],
    "what waits": [
        situation(frame=Frame.END_TURN, steps=[*steps, Benefits(0, SEAROBIN, (1,))], reefs=(), valid=False)
        for steps in ([], [AlsoIf(SEAROBIN)])
    ],
}


@pytest.mark.parametrize("states", UNLIKE.values(), ids=UNLIKE)
def test_the_facts_of_sharks_and_reefs_are_in_the_public_digest(states: list[GameState]) -> None:
    assert len({public_digest(state) for state in states}) == len(states)


@pytest.mark.parametrize(("name", "value"), [("seed", "another game"), ("counter", 99)])
def test_the_generator_is_in_the_full_digest_alone(name: str, value: object) -> None:
    state = start()
    setattr(state, name, value)
    assert public_digest(state) == public_digest(start())
    assert full_digest(state) != full_digest(start())
