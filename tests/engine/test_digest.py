"""Digests are what their published vectors say, and what the described layout says when written again."""

import json
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import ParseDict

from finspan.v1 import finspan_pb2 as pb
from service.engine.digest import full_digest, public_bytes, public_digest
from service.engine.state import GameState
from tests import layout
from tests.games import Setup
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


@pytest.mark.parametrize(("name", "value"), [("seed", "another game"), ("counter", 99)])
def test_the_generator_is_in_the_full_digest_alone(name: str, value: object) -> None:
    state = start()
    setattr(state, name, value)
    assert public_digest(state) == public_digest(start())
    assert full_digest(state) != full_digest(start())
