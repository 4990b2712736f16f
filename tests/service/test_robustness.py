"""No input, however wrong, yields UNKNOWN or INTERNAL: whatever comes is answered or refused for a reason."""

import random
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import FieldDescriptor

from finspan.v1 import finspan_pb2 as pb
from service.engine.check import check
from service.engine.rules import playout
from service.engine.state import BoardSide
from service.errors import UNEXPECTED, answer_of
from service.handlers import SERVICE
from service.positions import Positions
from service.seal import Seals
from tests.service.support import Value, alterations, ask, chance, played
from tests.wire import state_message

ALLOWED = {"OK", "INVALID_ARGUMENT", "FAILED_PRECONDITION", "NOT_FOUND", "UNIMPLEMENTED"}
POSITIONS = Positions(Seals({"k": bytes(32)}))

GAMES: list[tuple[int, int, BoardSide]] = [
    (0, 1, "a"),
    (41, 2, "a"),
    (75, 3, "b"),
    (150, 2, "b"),
    (10_000, 2, "a"),
]
STATES = [state_message(played(moves, players=players, side=side)) for moves, players, side in GAMES]


async def code_of(channel: grpc.aio.Channel, method: str, request: bytes) -> str:
    try:
        await ask(channel, f"/{SERVICE}/{method}", request)
    except grpc.aio.AioRpcError as error:
        return error.code().name
    return "OK"


def read_or_refuse(message: pb.GameState) -> None:
    """Read a state; whatever is accepted must stand up to the check, and be playable to its end."""
    try:
        state = POSITIONS.read(message).state
    except Exception as error:
        if answer_of(error) is UNEXPECTED:
            raise
        return
    assert check(state) == []
    rng = chance(0)
    playout(state, lambda _, moves: rng.choice(moves))


@pytest.mark.parametrize("state", STATES, ids=range(len(STATES)))
def test_an_open_state_with_anything_changed_is_read_or_refused(state: pb.GameState) -> None:
    for _, altered in alterations(state):
        read_or_refuse(altered)


EXTREMES: dict[int, list[Any]] = {
    FieldDescriptor.CPPTYPE_UINT32: [0, 1, 2, 5, 17, 18, 99, 215, 300, 303, 2**31, 2**32 - 1],
    FieldDescriptor.CPPTYPE_ENUM: [-(2**31), -1, 0, 1, 2, 5, 6, 18, 19, 2**31 - 1],
    FieldDescriptor.CPPTYPE_BOOL: [True, False],
}


def _written(field: FieldDescriptor, rng: random.Random) -> Value:
    texts = [b"", b"x" * 40] if field.type == FieldDescriptor.TYPE_BYTES else ["", "a1", "x" * 100]
    return rng.choice(EXTREMES.get(field.cpp_type, texts))


def _scribble(message: Value, rng: random.Random) -> None:
    """Write something anywhere into a message."""
    fields: list[FieldDescriptor] = list(message.DESCRIPTOR.fields)
    if not fields:
        return
    field = rng.choice(fields)
    value = getattr(message, field.name)
    if field.message_type is not None:
        if not field.is_repeated:
            value.SetInParent()
        _scribble(_some_item(value, rng) if field.is_repeated else value, rng)
    elif not field.is_repeated:
        setattr(message, field.name, _written(field, rng))
    elif value and rng.random() < 0.5:
        value[rng.randrange(len(value))] = _written(field, rng)
    else:
        value.append(_written(field, rng))


def _some_item(items: Value, rng: random.Random) -> Value:
    return rng.choice(items) if items and rng.random() < 0.8 else items.add()


def _scribbled(seed: int) -> pb.GameState:
    rng = chance(seed)
    state = pb.GameState()
    state.CopyFrom(rng.choice(STATES))
    for _ in range(rng.randint(1, 6)):
        _scribble(state, rng)
    return state


def test_a_state_that_somebody_scribbled_on_is_read_or_refused() -> None:
    for seed in range(1500):
        read_or_refuse(_scribbled(seed))


@pytest.mark.long
def test_many_states_that_somebody_scribbled_on_are_read_or_refused() -> None:
    for seed in range(200_000):
        read_or_refuse(_scribbled(seed))


@pytest.mark.parametrize(
    "method", ["NewGame", "LegalMoves", "ApplyMove", "Score", "SampleStates", "GetCatalog"]
)
async def test_any_bytes_are_answered_or_refused(channel: grpc.aio.Channel, method: str) -> None:
    rng = chance(method)
    whole = pb.ApplyMoveRequest(state=STATES[1], moves=[pb.Move(draw=pb.Draw())]).SerializeToString()
    for _ in range(60):
        noise = bytearray(whole)
        for _ in range(rng.randint(1, 5)):
            noise[rng.randrange(len(noise))] = rng.randrange(256)
        assert await code_of(channel, method, bytes(noise)) in ALLOWED
        assert await code_of(channel, method, rng.randbytes(rng.randint(0, 50))) in ALLOWED


def _crowd(**fields: Value) -> bytes:
    return pb.ScoreRequest(state=pb.GameState(**{"open": {"seed": "s"}, **fields})).SerializeToString()


@pytest.mark.parametrize(
    "crowd",
    [
        {"players": [{}] * 300_000},
        {"agenda": [{}] * 300_000},
        {"achievements": [""] * 300_000},
        {"undealt_starters": [1] * 900_000},
        {"players": [{"hand": [1] * 900_000}]},
        {"players": [{"ocean": [{}] * 300_000}]},
        {"players": [{"ocean": [{"slot": 1, "consumed": [1] * 900_000}]}]},
        {"players": [{"game_end_fish_used": [1] * 900_000}]},
        {"players": [{"achievement_points": [{}] * 300_000}]},
        {"players": [{"display_name": "x" * 1_000_000}], "seat": 0, "first_player": 0, "week": 1, "turn": 1},
        {"options": {"expansions": [1] * 900_000}},
        {"options": {"tiles": ["x" * 1000] * 1000}},
        {"open": {"seed": "x" * 1_000_000}},
        {"open": {"seed": "s", "deck": {"cards": [1] * 900_000}}},
        {"agenda": [{"benefits": {"left": [1] * 900_000}}]},
        {"deck_size": 2**32 - 1},
        {"rules_version": "x" * 1_000_000},
        {"sealed": {"key_id": "x" * 1_000_000}},
        {"sealed": {"ciphertext": b"x" * 1_000_000}, "seat": 0, "first_player": 0},
    ],
)
@pytest.mark.timeout(5)
async def test_crowds_are_refused_quickly(channel: grpc.aio.Channel, crowd: dict[str, Any]) -> None:
    assert await code_of(channel, "Score", _crowd(**crowd)) in {"INVALID_ARGUMENT", "FAILED_PRECONDITION"}
