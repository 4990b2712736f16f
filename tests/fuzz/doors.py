"""Two ways to ask: the handlers of this process, bytes in and bytes out, and a real server over gRPC."""

import io
import signal
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from types import FrameType
from typing import Any, Final, NamedTuple, NoReturn, Protocol, cast

import grpc
from pydantic import SecretStr

from service.handlers import SERVICE, method_handlers
from service.handlers.calls import Calls
from service.logs import new_log
from service.seal import Seals, read_keys
from service.settings import Settings
from tests.fuzz.asking import Asked, Metadata
from tests.fuzz.corpus import SEAL_KEYS

CPU_SECONDS: Final = 5.0
"""No call of these takes so much of a processor; what does, hangs."""
SECONDS: Final = 60.0
"""The same on the clock, for a server on a busy machine."""


class Hangs(BaseException):
    """A call that does not come to an end; none of the service's own nets may catch this."""


class Answer(NamedTuple):
    """What comes back."""

    code: str
    reply: bytes = b""
    details: str = ""
    trailing: Metadata = ()
    log: str = ""


class Door(Protocol):
    """Where one asks."""

    def ask(self, asked: Asked) -> Answer: ...


class _Aborted(Exception):
    def __init__(self, code: grpc.StatusCode, details: str, trailing: Metadata) -> None:
        self.answer = Answer(code.name, b"", details, trailing)


class _Context:
    """What the handlers see of a call."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self.trailing: Metadata = ()

    def invocation_metadata(self) -> Metadata:
        return self._asked.metadata

    def set_trailing_metadata(self, metadata: Metadata) -> None:
        self.trailing = metadata

    def time_remaining(self) -> float | None:
        return self._asked.seconds_left

    async def abort(self, code: grpc.StatusCode, details: str, trailing_metadata: Metadata) -> NoReturn:
        raise _Aborted(code, details, trailing_metadata)


@contextmanager
def _within_cpu_time() -> Iterator[None]:
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _hang(_number: int, _frame: FrameType | None) -> NoReturn:
    raise Hangs(f"more than {CPU_SECONDS} seconds of processor time")


def _run(answer: Coroutine[Any, None, bytes]) -> bytes:
    try:
        while True:
            answer.send(None)
    except StopIteration as end:
        return cast("bytes", end.value)


class InProcess:
    """The handlers, as a server sets them up."""

    def __init__(self) -> None:
        signal.signal(signal.SIGPROF, _hang)
        self._log = io.StringIO()
        settings = Settings.model_construct(token_keys=SecretStr(SEAL_KEYS))
        calls = Calls(settings, new_log(self._log))
        self._handlers: dict[str, Any] = dict(
            method_handlers(settings, Seals(read_keys(SEAL_KEYS)), calls, store=None).items()
        )

    def ask(self, asked: Asked) -> Answer:
        context = _Context(asked)
        handler = self._handlers[asked.method].unary_unary
        try:
            with _within_cpu_time():
                raw = copy_context().run(_run, handler(asked.raw, context))
        except _Aborted as aborted:
            return aborted.answer._replace(log=self._logged())
        return Answer("OK", raw, trailing=context.trailing, log=self._logged())

    def _logged(self) -> str:
        log = self._log.getvalue()
        self._log.seek(0)
        self._log.truncate()
        return log


class OverGrpc:
    """A server that runs somewhere; its log is not seen here."""

    def __init__(self, address: str) -> None:
        self._channel = grpc.insecure_channel(address)

    def ask(self, asked: Asked) -> Answer:
        call = cast("Any", self._channel.unary_unary(f"/{SERVICE}/{asked.method}"))
        try:
            reply, sent = call.with_call(asked.raw, timeout=SECONDS, metadata=_sendable(asked.metadata))
        except grpc.RpcError as error:
            refused = cast("Any", error)
            return Answer(refused.code().name, b"", refused.details(), _plain(refused.trailing_metadata()))
        return Answer("OK", reply, trailing=_plain(sent.trailing_metadata()))

    def close(self) -> None:
        self._channel.close()


def _plain(metadata: Any) -> Metadata:  # noqa: ANN401  gRPC's own type for it is not public
    return tuple((key, value) for key, value in metadata or ())


def _sendable(metadata: Metadata) -> Metadata:
    """Return the metadata that gRPC lets a client send."""
    return tuple(
        (key, value)
        for key, value in metadata
        if key.endswith("-bin") == isinstance(value, bytes)
        and (isinstance(value, bytes) or (value.isascii() and value.isprintable()))
    )
