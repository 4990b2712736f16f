"""Calls and what is answered to them, as JSON; README.md says how it is read."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, Self, TypeAlias

import grpc
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message import Message

from finspan.errors import failure_of
from finspan.v1 import finspan_pb2 as pb
from finspan.v1.finspan_pb2_grpc import FinspanServiceStub
from service.testing import running_server
from tests.service.support import PREFIX, Stub

Json: TypeAlias = dict[str, Any]


class Call(NamedTuple):
    """An RPC by its name and its request, whose position may be left out for that of the calls before."""

    rpc: str
    request: Message
    metadata: tuple[tuple[str, str], ...] = ()
    """What is sent beside the request."""

    def about(self, state: pb.GameState | None) -> Message:
        """Return the request; about this state if it is about a position and names none."""
        is_about_one = "position" in self.request.DESCRIPTOR.oneofs_by_name
        if state is None or not is_about_one or self.request.WhichOneof("position"):
            return self.request
        request = type(self.request)(state=state)
        request.MergeFrom(self.request)
        return request

    def to_json(self) -> Json:
        call: Json = {"rpc": self.rpc, "request": MessageToDict(self.request)}
        return call | ({"metadata": dict(self.metadata)} if self.metadata else {})

    @classmethod
    def from_json(cls, call: Json) -> Self:
        request = getattr(pb, f"{call['rpc']}Request")()
        metadata = tuple(call.get("metadata", {}).items())
        return cls(call["rpc"], ParseDict(call["request"], request), metadata)


@asynccontextmanager
async def stub_of_a_server() -> AsyncIterator[Stub]:
    """Run a server and yield what calls it over gRPC."""
    async with running_server() as server, grpc.aio.insecure_channel(server.address) as channel:
        yield FinspanServiceStub(channel)


def essence(value: Any) -> Any:  # noqa: ANN401  JSON
    """Return JSON without texts, which may change in any release, and with legal moves as their ids."""
    if isinstance(value, list):
        return [essence(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: [legal["id"] for legal in item] if name == "legalMoves" else essence(item)
        for name, item in value.items()
        if name != "text"
    }


def error_json(error: grpc.RpcError) -> Json:
    """Return what a program can tell from an error."""
    failure = failure_of(error)
    return {
        "code": failure.code.name,
        "reason": PREFIX + failure.reason,
        "metadata": dict(sorted(failure.metadata.items())),
        "fields": [fault.field for fault in failure.faults],
    }


def state_of(message: Message) -> pb.GameState | None:
    """Return the state that a request or a reply has, if any."""
    has_one = "state" in message.DESCRIPTOR.fields_by_name and message.HasField("state")
    return getattr(message, "state") if has_one else None  # noqa: B009  only some messages have one


async def answers(stub: Stub, calls: Iterable[Call]) -> AsyncIterator[Json]:
    """Make the calls of a case, and yield what is answered to each: a reply or an error."""
    state: pb.GameState | None = None
    for call in calls:
        request = call.about(state)
        try:
            reply = await getattr(stub, call.rpc)(request, metadata=call.metadata)
        except grpc.aio.AioRpcError as error:
            yield {"error": error_json(error)}
        else:
            state = state_of(reply) or state_of(request)
            yield {"reply": essence(MessageToDict(reply))}
