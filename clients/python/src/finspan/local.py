"""The service in process, without a server and without gRPC, where it is installed.

What a server does with the bytes of a request happens here too, by the same handlers: decoding, limits,
errors with all their details. Only the way there is left out.
"""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from threading import Lock
from typing import Any, Final, NoReturn, TypeAlias, TypeVar, cast

import grpc
from google.protobuf.message import Message

from finspan.calls import Call, Metadata
from finspan.errors import errors_decoded
from finspan.services import Service
from finspan.serving import local_service
from finspan.v1 import finspan_pb2 as v1

Reply = TypeVar("Reply", bound=Message)

_Metadata: TypeAlias = tuple[tuple[str, str | bytes], ...]


class LocalService(Service):
    """The service in this process: a fast partner for bots, and nothing to start.

        game = finspan.Game.new(finspan.LocalService(), players=2)

    It seals with a key of its own, so no other service goes on from its sealed states. Hosted games it keeps
    in memory for as long as it lives; it has no administrators. Threads may share it.

    Raises:
        ServiceNotInstalled: the service's package, or something that it needs, is not there.

    """

    def __init__(self) -> None:
        self._handlers: Any = local_service().local_handlers()
        self._lock: Final = Lock()

    def send(self, call: Call[Reply]) -> Reply:
        """Carry out a call and return its reply.

        Raises:
            FinspanError: the call failed; its subclasses say how.

        """
        answer = self._handlers[call.method].unary_unary
        with errors_decoded(), self._lock:
            run = _run_in_a_loop if _is_hosted(call.request) else _run
            raw = copy_context().run(run, answer(call.request.SerializeToString(), _Context(call.metadata)))
        reply = call.reply()
        reply.ParseFromString(raw)
        return reply


class _Refused(grpc.RpcError):
    """A call that was answered with an error, in the shape that gRPC gives it."""

    def __init__(self, code: grpc.StatusCode, details: str, trailing_metadata: _Metadata) -> None:
        super().__init__(details)
        self._code, self._details, self._trailing_metadata = code, details, trailing_metadata

    def code(self) -> grpc.StatusCode:
        return self._code

    def details(self) -> str:
        return self._details

    def trailing_metadata(self) -> Any:  # noqa: ANN401  gRPC's own type for it is not public
        return self._trailing_metadata


class _Context:
    """What the handlers see of a call: it has all the time there is."""

    def __init__(self, metadata: Metadata) -> None:
        self._metadata = metadata

    def invocation_metadata(self) -> _Metadata:
        return self._metadata

    def set_trailing_metadata(self, _metadata: _Metadata) -> None:
        """Nobody reads it: an error brings its own."""

    def time_remaining(self) -> None:
        return None

    async def abort(self, code: grpc.StatusCode, details: str, trailing_metadata: _Metadata) -> NoReturn:
        raise _Refused(code, details, trailing_metadata)


def _is_hosted(request: Message) -> bool:
    """Return whether a request is about hosted games."""
    named = getattr(request, "game_id", "") or isinstance(request, v1.ListGamesRequest)
    return bool(named) or getattr(request, "form", None) == v1.STATE_FORM_HOSTED


def _run_in_a_loop(answer: Coroutine[Any, None, bytes]) -> bytes:
    """Run a handler that asks a store, as only event loops can; here one may be running already."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, answer).result()


def _run(answer: Coroutine[Any, None, bytes]) -> bytes:
    """Run a handler to its end; it only ever pauses to let other calls have their turn."""
    try:
        while True:
            answer.send(None)
    except StopIteration as end:
        return cast("bytes", end.value)
