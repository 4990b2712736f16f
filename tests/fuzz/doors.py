"""Two ways to ask: the handlers of this process, bytes in and bytes out, and a real server over gRPC."""

import asyncio
import io
import signal
import weakref
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final, NamedTuple, NoReturn, Protocol, cast

import grpc
from pydantic import SecretStr

from service.handlers import SERVICE, MethodHandlers, method_handlers
from service.handlers.calls import Calls
from service.logs import new_log
from service.seal import Seals, read_keys
from service.settings import Settings
from service.store import Store, StoreUnavailable
from service.store.memory import MemoryStore
from tests.fuzz.asking import Asked, Metadata, Outage
from tests.fuzz.corpus import SEAL_KEYS

API_KEY: Final = "the key that games are made with"
ADMIN_KEY: Final = "the administrator's key"
VARIABLES: Final = {
    "FINSPAN_SEAL_KEYS": SEAL_KEYS,
    "FINSPAN_TOKEN_KEYS": SEAL_KEYS,
    "FINSPAN_API_KEYS": API_KEY,
    "FINSPAN_ADMIN_KEYS": ADMIN_KEY,
}
"""The environment of a server that is asked."""
SERVERS: Final = 2
"""So many servers share a store."""

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

    @property
    def store(self) -> MemoryStore | None:
        """Where the hosted games are, if it can be seen from here."""

    def ask(self, asked: Asked) -> Answer: ...

    def renew(self) -> None:
        """Forget all hosted games."""


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


class _UnsteadyStore:
    """A store in memory that is away when a call says so."""

    def __init__(self) -> None:
        self.kept = MemoryStore()
        self.outage: Outage | None = None
        self._steps = 0

    def begin(self, outage: Outage | None) -> None:
        """Begin a call."""
        self.outage, self._steps = outage, 0

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        step = getattr(self.kept, name)

        async def taken(*given: object, **named: object) -> object:
            number, self._steps = self._steps, self._steps + 1
            if self.outage is None or number < self.outage.step:
                return await step(*given, **named)
            if number == self.outage.step and self.outage.is_done:
                await step(*given, **named)
            raise StoreUnavailable

        return taken


class InProcess:
    """The handlers as servers set them up: of one that hosts no games, and of two that share a store."""

    def __init__(self) -> None:
        signal.signal(signal.SIGPROF, _hang)
        self._log = io.StringIO()
        self._loop = asyncio.new_event_loop()
        weakref.finalize(self, self._loop.close)
        self._without_games = self._handlers(None)
        self.renew()

    def renew(self) -> None:
        self._store = _UnsteadyStore()
        store = cast("Store", self._store)
        self._servers = [self._handlers(store) for _ in range(SERVERS)]

    @property
    def store(self) -> MemoryStore:
        return self._store.kept

    def _handlers(self, store: Store | None) -> MethodHandlers:
        settings = Settings.model_construct(
            token_keys=SecretStr(SEAL_KEYS), api_keys=SecretStr(API_KEY), admin_keys=SecretStr(ADMIN_KEY)
        )
        calls = Calls(settings, new_log(self._log))
        return method_handlers(settings, Seals(read_keys(SEAL_KEYS)), calls, store)

    def ask(self, asked: Asked) -> Answer:
        context = _Context(asked)
        handlers = self._without_games if asked.server is None else self._servers[asked.server]
        answer: Any = handlers[asked.method].unary_unary
        self._store.begin(asked.outage)
        try:
            with _within_cpu_time():
                raw = self._loop.run_until_complete(answer(asked.raw, context))
        except _Aborted as aborted:
            return aborted.answer._replace(log=self._logged())
        return Answer("OK", raw, trailing=context.trailing, log=self._logged())

    def _logged(self) -> str:
        log = self._log.getvalue()
        self._log.seek(0)
        self._log.truncate()
        return log


class OverGrpc:
    """A server that runs somewhere; its log and its store are not seen here."""

    store = None

    def __init__(self, address: str) -> None:
        self._channel = grpc.insecure_channel(address)

    def renew(self) -> None:
        """Do nothing: whoever made games deletes them."""

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
