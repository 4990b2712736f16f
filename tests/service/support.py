"""What the tests of the service share: refusals as values, games to play on, alterations of messages."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar, cast

import grpc
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from finspan.v1 import finspan_pb2 as pb
from service.engine.moves import MoveKind
from service.engine.rules import apply, legal_moves, new_game
from service.engine.state import BoardSide, GameState, Options

if TYPE_CHECKING:
    from finspan.v1.finspan_pb2_grpc import FinspanServiceAsyncStub

Stub: TypeAlias = "FinspanServiceAsyncStub"
Value: TypeAlias = Any
"""What a field of a message can hold, or a message of any kind."""
Altered = TypeVar("Altered", bound=Message)

PREFIX = "ERROR_REASON_"


class Refusal(NamedTuple):
    """How a call was refused."""

    code: grpc.StatusCode
    reason: str
    metadata: dict[str, str]
    violations: list[tuple[str, str, str]]
    """Of each fault: the field, the sentence, the rule."""
    message: str
    request_id: str
    retry_seconds: int | None

    @property
    def fields(self) -> list[str]:
        """The fields that are wrong, in the order told."""
        return [field for field, _, _ in self.violations]


async def refusal_of(call: Awaitable[object]) -> Refusal:
    """Return how a call is refused; fails if it is not."""
    try:
        reply = await call
    except grpc.aio.AioRpcError as error:
        return _refusal(error)
    raise AssertionError(f"not refused: {reply}")


def _refusal(error: grpc.aio.AioRpcError) -> Refusal:
    info, bad, retry = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest(), None
    status = rpc_status.from_call(cast("grpc.Call", error))
    for detail in status.details if status else ():
        detail.Unpack(info)
        detail.Unpack(bad)
        delay = error_details_pb2.RetryInfo()
        if detail.Unpack(delay):
            retry = delay.retry_delay.seconds
    violations = [(each.field, each.description, each.reason) for each in bad.field_violations]
    return Refusal(
        error.code(),
        info.reason.removeprefix(PREFIX),
        dict(info.metadata),
        violations,
        error.details() or "",
        request_id_of(error.trailing_metadata()),
        retry,
    )


def request_id_of(metadata: Value) -> str:
    """Return the request id of trailing metadata."""
    return str(dict(metadata or ()).get("x-request-id", ""))


def chance(seed: int | str) -> random.Random:
    """Return a source of random choices that are the same in every run."""
    return random.Random(seed)  # noqa: S311  repeatable, not secret


async def ask(channel: grpc.aio.Channel, path: str, request: bytes = b"") -> bytes:
    """Send bytes to an RPC as they are, and return the reply's."""
    reply: bytes = await cast("Any", channel.unary_unary(path))(request)
    return reply


def played(
    moves: int,
    *,
    players: int = 2,
    seed: str = "some seed",
    side: BoardSide = "a",
    choose: int = 0,
    expansions: tuple[str, ...] = (),
) -> GameState:
    """Return a game after so many random moves, plays preferred so that much lies on the table."""
    state = new_game(players, Options(expansions, side), seed=seed).state
    rng = chance(choose)
    for _ in range(moves):
        offered = legal_moves(state)
        plays = [move for move in offered if move.kind is MoveKind.PLAY_FISH]
        if not offered:
            break
        state = apply(state, rng.choice(plays or offered)).state
    return state


async def until(is_so: Callable[[], object]) -> None:
    """Wait until something is so."""
    while not is_so():  # noqa: ASYNC110  what is waited for sends no word
        await asyncio.sleep(0.002)


async def new_state(stub: Stub, **request: Value) -> pb.GameState:
    """Return the state of a new game of two."""
    return (await stub.NewGame(pb.NewGameRequest(**{"players": 2, **request}))).state


# Alterations: a message with one thing changed, for every thing that it has.

_OTHER: dict[int, Callable[[Any], Any]] = {
    FieldDescriptor.CPPTYPE_UINT32: lambda value: (value + 1) % 2**32,
    FieldDescriptor.CPPTYPE_INT32: lambda value: value + 1,
    FieldDescriptor.CPPTYPE_ENUM: lambda value: value + 1,
    FieldDescriptor.CPPTYPE_BOOL: lambda value: not value,
    FieldDescriptor.CPPTYPE_STRING: lambda value: value + (b"x" if isinstance(value, bytes) else "x"),
}
Place = tuple[str | int, ...]
Change = Callable[[Any], object]


def _at(message: Message, place: Place) -> Value:
    found: Value = message
    for part in place:
        found = getattr(found, part) if isinstance(part, str) else found[part]
    return found


def _set(name: str, value: Value) -> Change:
    return lambda holder: setattr(holder, name, value)


def _clear(name: str) -> Change:
    return lambda holder: holder.ClearField(name)


def _put(name: str, index: int, value: Value) -> Change:
    return lambda holder: getattr(holder, name).__setitem__(index, value)


def _drop(name: str, index: int) -> Change:
    return lambda holder: getattr(holder, name).pop(index)


def _add(name: str, *value: Value) -> Change:
    return lambda holder: getattr(holder, name).append(*value) if value else getattr(holder, name).add()


def _flipped(value: bytes) -> Iterator[bytes]:
    """Yield bytes of the same length, with another one at the start, in the middle and at the end."""
    for place in sorted({0, len(value) // 2, len(value) - 1}) if value else ():
        yield value[:place] + bytes([value[place] ^ 1]) + value[place + 1 :]


def _alter_single(message: Value, field: FieldDescriptor) -> Iterator[Change]:
    name = field.name
    if field.has_presence and message.HasField(name):
        yield _clear(name)
    if field.message_type is None:
        value = getattr(message, name)
        yield _set(name, _OTHER[field.cpp_type](value))
        if isinstance(value, bytes):
            yield from (_set(name, flipped) for flipped in _flipped(value))
    elif not message.HasField(name):
        yield lambda holder: getattr(holder, name).SetInParent()


def _alter_repeated(message: Value, field: FieldDescriptor) -> Iterator[Change]:
    name = field.name
    is_text = field.cpp_type == FieldDescriptor.CPPTYPE_STRING
    yield _add(name) if field.message_type is not None else _add(name, "x" if is_text else 0)
    for index, item in enumerate(getattr(message, name)):
        yield _drop(name, index)
        if field.message_type is None:
            yield _put(name, index, _OTHER[field.cpp_type](item))


def _places(message: Message, place: Place = ()) -> Iterator[Place]:
    """Yield where the messages inside a message are, itself included."""
    yield place
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        items = enumerate(value) if field.is_repeated else [(None, value)]
        for index, item in items:
            yield from (
                (*place, field.name, *(() if index is None else (index,)), *inner) for inner in _places(item)
            )


def alterations(message: Altered) -> Iterator[tuple[str, Altered]]:
    """Yield a message with one thing changed, set, left out, added or taken away, and which."""
    for place in _places(message):
        holder = _at(message, place)
        for field in holder.DESCRIPTOR.fields:
            alter = _alter_repeated if field.is_repeated else _alter_single
            for number, change in enumerate(alter(holder, field)):
                altered = type(message)()
                altered.CopyFrom(message)
                change(_at(altered, place))
                yield f"{'.'.join(map(str, place))}.{field.name} ({number})", altered
