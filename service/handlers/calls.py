"""What is round every call: request id, limits, decoding, deadline, errors, one log line."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from time import perf_counter
from typing import Final, NoReturn, TypeVar, cast
from uuid import uuid4

import grpc
from google.protobuf.message import DecodeError, Message
from grpc_status import rpc_status
from structlog.contextvars import bind_contextvars

from finspan.v1 import finspan_pb2 as pb
from service.errors import (
    UNEXPECTED,
    DeadlinePassed,
    Draining,
    ReplyTooLarge,
    TooManyCalls,
    Undecodable,
    answer_of,
    status_of,
)
from service.logs import Log, trace_of
from service.settings import Settings

REQUEST_ID: Final = "x-request-id"
"""The metadata in which a caller may name a request, and in which every reply names it."""
TURN_SECONDS: Final = 0.01
QUIET_TURNS: Final = 5
LONGEST_QUIET_SECONDS: Final = 2.0
"""A closed server lets others have so many turns, each so long, in which no call comes; so long at most."""
_SANE: Final = re.compile(r"[\w.:/+=-]{1,64}", re.ASCII)

Request = TypeVar("Request", bound=Message)
Context = grpc.aio.ServicerContext[bytes, bytes]
Metadata = Sequence[tuple[str, str | bytes]]
Method = Callable[[Request, "Call"], Awaitable[Message]]


def request_id_of(metadata: Metadata) -> str:
    """Return the id that the caller gave, if it is 1 to 64 plain characters, else a new one."""
    for key, value in metadata:
        if key == REQUEST_ID and isinstance(value, str) and _SANE.fullmatch(value):
            return value
    return str(uuid4())


class Call:
    """One call at work, as its handler sees it."""

    def __init__(self, context: Context) -> None:
        self._context = context

    @property
    def metadata(self) -> Metadata:
        """What the caller sent beside the request."""
        return tuple(self._context.invocation_metadata() or ())

    @property
    def remaining(self) -> float | None:
        """How many seconds the caller still waits; None: for ever."""
        return cast("float | None", self._context.time_remaining())

    @property
    def is_late(self) -> bool:
        """Whether the time that the caller gave is over."""
        remaining = self.remaining
        return remaining is not None and remaining <= 0

    async def pause(self) -> None:
        """Let other calls have their turn; long calls do so again and again.

        Raises:
            DeadlinePassed: the caller no longer waits.

        """
        await asyncio.sleep(0)
        if self.is_late:
            raise DeadlinePassed


class Calls:
    """Takes in every call of a server."""

    at_work: int
    """How many calls are at work."""

    def __init__(self, settings: Settings, log: Log) -> None:
        self._settings = settings
        self._log = log
        self.at_work = 0
        self._is_closed = False
        self._came = 0

    async def close(self, patience: float) -> None:
        """Refuse all further calls; return when those in hand have ended, or after so many seconds.

        When a gRPC server stops, it cancels the calls that wait to be taken in. There must be none then, so
        turns of the loop are counted in which none came: a busy loop takes calls in long after they came.
        """
        self._is_closed = True
        end = perf_counter() + patience
        while self.at_work and perf_counter() < end:  # noqa: ASYNC110  the last of many sets no event
            await asyncio.sleep(TURN_SECONDS)
        quiet, end = 0, perf_counter() + LONGEST_QUIET_SECONDS
        while quiet < QUIET_TURNS and perf_counter() < end:
            came = self._came
            await asyncio.sleep(TURN_SECONDS)
            quiet = quiet + 1 if came == self._came else 0

    def handler(
        self, name: str, request_type: type[Request], method: Method[Request]
    ) -> "grpc.RpcMethodHandler[bytes, bytes]":
        """Return what gRPC calls for one RPC.

        It takes and gives bytes: what gRPC cannot decode by itself, it answers with UNKNOWN.
        """

        async def answer(raw: bytes, context: Context) -> bytes:
            started = perf_counter()
            self._came += 1
            request_id = request_id_of(tuple(context.invocation_metadata() or ()))
            context.set_trailing_metadata(((REQUEST_ID, request_id),))
            bind_contextvars(request_id=request_id, method=name)
            call = Call(context)
            try:
                reply = await self._reply(raw, request_type, method, call)
            except asyncio.CancelledError:
                self._note(started, "DEADLINE_EXCEEDED" if call.is_late else "CANCELLED")
                raise
            except Exception as error:  # noqa: BLE001  whatever it is, the caller gets a proper answer
                await self._refuse(error, started, request_id, context)
            self._note(started, "OK")
            return reply

        return grpc.unary_unary_rpc_method_handler(answer)

    async def _reply(
        self, raw: bytes, request_type: type[Request], method: Method[Request], call: Call
    ) -> bytes:
        if self._is_closed:
            raise Draining
        if self.at_work >= self._settings.max_calls:
            raise TooManyCalls(self._settings.max_calls)
        self.at_work += 1
        try:
            if call.is_late:
                raise DeadlinePassed
            reply = (await method(_decoded(raw, request_type), call)).SerializeToString()
        finally:
            self.at_work -= 1
        if len(reply) > self._settings.max_reply_bytes:
            raise ReplyTooLarge(self._settings.max_reply_bytes)
        return reply

    async def _refuse(self, error: Exception, started: float, request_id: str, context: Context) -> NoReturn:
        answer = answer_of(error)
        if answer is UNEXPECTED:
            self._log.error("unexpected", trace=trace_of(error))
        self._note(started, answer.code.name, reason=pb.ErrorReason.Name(answer.reason))
        status = rpc_status.to_status(status_of(error))
        metadata = ((REQUEST_ID, request_id), *status.trailing_metadata)
        await context.abort(status.code, status.details, metadata)

    def _note(self, started: float, code: str, **more: str) -> None:
        """Write the one line of a call; its id and method are bound."""
        duration_ms = round((perf_counter() - started) * 1000, 3)
        self._log.info("call", code=code, duration_ms=duration_ms, **more)


def _decoded(raw: bytes, request_type: type[Request]) -> Request:
    try:
        return request_type.FromString(raw)
    except DecodeError:
        raise Undecodable(request_type.DESCRIPTOR.name) from None
