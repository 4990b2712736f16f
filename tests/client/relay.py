"""A server that passes every call on to the service in this process, unless a test lets something fail."""

from collections.abc import Callable
from time import sleep
from typing import NoReturn, TypeAlias

import grpc
from google.protobuf.message import Message

import finspan
from finspan.calls import Call, Metadata
from finspan.v1 import finspan_pb2 as v1
from tests.client.conftest import StubServer

Fault: TypeAlias = Callable[["Relayed"], object]
_METHODS = v1.DESCRIPTOR.services_by_name["FinspanService"].methods_by_name


class Relayed:
    """A call on its way through."""

    def __init__(self, relay: "Relay", call: Call[Message], context: grpc.ServicerContext) -> None:
        self._relay = relay
        self.call = call
        self._context = context

    def carry_out(self) -> Message:
        """Let the service answer."""
        try:
            return self._relay.service.send(self.call)
        except finspan.FinspanError as error:
            self._context.set_trailing_metadata(error.__cause__.trailing_metadata())  # type: ignore[union-attr]
            self._context.abort(error.code, error.text)
            raise AssertionError("aborting raises") from error

    def lose_connection(self) -> NoReturn:
        """Fail as a connection does that ends within a reply: gRPC itself does not try that again."""
        self._context.send_initial_metadata(())
        self.refuse()

    def refuse(self) -> NoReturn:
        """Fail as a server does that takes nothing on."""
        self._context.abort(grpc.StatusCode.UNAVAILABLE, "Gone.")
        raise AssertionError("aborting raises")

    def say_nothing(self) -> None:
        """Wait until nobody waits any longer."""
        while self._context.is_active():
            sleep(0.005)


class Relay:
    """Passes calls on; those of one method meet a fault first, so many times.

    Args:
        service: What answers.
        server: What the calls come through.

    """

    def __init__(self, service: finspan.Service, server: StubServer) -> None:
        self.service = service
        self.address = server.address
        self.seen: list[tuple[str, Message, Metadata]] = []
        self._faults: dict[str, list[Fault]] = {}
        server.answer = self._answer

    def let(self, method: str, *faults: Fault) -> None:
        """Let the next calls of a method meet these faults, one each."""
        self._faults[method] = list(faults)

    def requests(self, method: str) -> list[Message]:
        """Return the requests of a method that have come."""
        return [request for name, request, _ in self.seen if name == method]

    def _answer(self, method: str, raw: bytes, context: grpc.ServicerContext) -> Message:
        rpc = _METHODS[method]
        request: Message = getattr(v1, rpc.input_type.name).FromString(raw)
        shown = dict(context.invocation_metadata())
        metadata = tuple((name, str(shown[name])) for name in ("authorization", "x-api-key") if name in shown)
        self.seen.append((method, request, metadata))
        call = Call(method, request, getattr(v1, rpc.output_type.name), metadata)
        relayed = Relayed(self, call, context)
        if faults := self._faults.get(method):
            faults.pop(0)(relayed)
        return relayed.carry_out()
