"""The clients: the service's calls over gRPC, blocking and for asyncio."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from copy import copy
from threading import Event
from time import monotonic, sleep
from types import TracebackType
from typing import Any, Final, Self, TypeVar, cast

import grpc
from google.protobuf.message import Message
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub

from finspan.calls import SERVICE, Call, Metadata
from finspan.channels import ATTEMPTS, CHANNEL_OPTIONS, DEFAULT_TIMEOUT, target
from finspan.errors import (
    ClientClosed,
    DeadlineExceeded,
    Failure,
    FinspanError,
    Unavailable,
    errors_decoded,
)
from finspan.services import AsyncService, Service
from finspan.v1.finspan_pb2_grpc import FinspanServiceStub

Reply = TypeVar("Reply", bound=Message)

_HEALTH_PAUSE: Final = 0.05
"""Seconds between two looks at a server that does not serve yet, and for a last look."""
API_KEY: Final = "x-api-key"
"""The metadata in which a key is shown."""
_UNANSWERED: Final = (Unavailable, DeadlineExceeded)
"""After these it is not known whether a call was carried out."""
_HEALTH_REQUEST: Final = HealthCheckRequest(service=SERVICE)


class _Waiting:
    """How long it is waited for a server, and what is made of its answers meanwhile."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = monotonic() + seconds

    def time_left(self) -> float:
        """Return how many seconds a look at the server may take; the last one has its time too."""
        return max(self._end - monotonic(), _HEALTH_PAUSE)

    def serves(self, health: HealthCheckResponse) -> bool:
        """Return whether the server serves; if it does not in time, that is an error."""
        if health.status == HealthCheckResponse.SERVING:
            return True
        if self._is_over():
            raise _deadline("The server is there, but it does not serve.")
        return False

    def bear(self, error: FinspanError) -> None:
        """Bear that no server is there until the time is over.

        Raises:
            FinspanError: it is over.

        """
        if isinstance(error, DeadlineExceeded):
            raise _deadline(f"Nothing was heard within {self._seconds} seconds.") from error
        if self._is_over():
            raise error

    def _is_over(self) -> bool:
        return monotonic() >= self._end


def _deadline(text: str) -> DeadlineExceeded:
    return DeadlineExceeded(Failure(grpc.StatusCode.DEADLINE_EXCEEDED, text))


class _Limited:
    """A client whose calls have a time limit of their own, and a key to show."""

    timeout: float
    api_key: str
    _closed: Event
    """Set as soon as the channel is given back, which copies of a client share."""

    @contextmanager
    def _failures(self) -> Iterator[None]:
        """Raise what goes wrong with a call inside as a `FinspanError`."""
        try:
            with errors_decoded():
                yield
        except (ValueError, grpc.aio.UsageError) as error:  # the one of `grpc`, and the one of `grpc.aio`
            if self._closed.is_set():
                raise ClientClosed from error
            raise

    @contextmanager
    def _unless_unreachable(self) -> Iterator[None]:
        """Let a look at the server fail as it likes, unless it tells that there is none."""
        try:
            with self._failures():
                yield
        except Unavailable:
            raise
        except FinspanError:
            pass

    def with_api_key(self, key: str) -> Self:
        """Return a client of the same channel that shows a key: to make games, or an administrator's."""
        twin = copy(self)
        twin.api_key = key
        return twin

    def with_timeout(self, seconds: float) -> Self:
        """Return a client of the same channel whose calls may take so many seconds."""
        twin = copy(self)
        twin.timeout = seconds
        return twin

    def _metadata(self, call: Call[Reply]) -> Metadata:
        return (*call.metadata, (API_KEY, self.api_key)) if self.api_key else call.metadata

    def _attempts(self, call: Call[Reply]) -> int:
        """Return how often a call may be sent: with a request id again, it is carried out once."""
        return ATTEMPTS if getattr(call.request, "request_id", "") else 1


class Client(_Limited, Service):
    """The service over gRPC.

    Calls that no server took on are retried. Threads may share a client.

        with finspan.Client("localhost:50051") as client:
            game = finspan.Game.new(client, players=2, seed="first game")
            game = game.apply("dive:blue")

    Args:
        address: Host and port, for TLS with ``https://`` before them, or any other name that gRPC resolves.
        credentials: For TLS with an authority of one's own, `grpc.ssl_channel_credentials(pem)`; else None.
        timeout: Seconds that a call may take, retries included.
        api_key: A key to show, if the server asks for one where games are made; or an administrator's.

    Raises:
        ValueError: the address is none.

    """

    def __init__(
        self,
        address: str,
        *,
        credentials: grpc.ChannelCredentials | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        api_key: str = "",
    ) -> None:
        self.timeout = timeout
        self.api_key = api_key
        self._closed = Event()
        self._channel: grpc.Channel = _channel(grpc, address, credentials)
        self._stub = FinspanServiceStub(self._channel)
        self._health: Any = HealthStub(self._channel)  # whose methods the stubs forget

    def send(self, call: Call[Reply]) -> Reply:
        """Send a call and return its reply.

        Raises:
            FinspanError: the call failed; its subclasses say how.

        """
        attempts = self._attempts(call)
        seconds = self.timeout / attempts
        for _ in range(attempts - 1):
            with suppress(*_UNANSWERED):
                return self._sent(call, seconds)
        try:
            return self._sent(call, seconds)
        except DeadlineExceeded as error:
            if not error.reason:
                self._require_server()
            raise

    def _sent(self, call: Call[Reply], seconds: float) -> Reply:
        answer = getattr(self._stub, call.method)
        with self._failures():
            reply = answer(call.request, timeout=seconds, metadata=self._metadata(call))
        return cast("Reply", reply)

    def _require_server(self) -> None:
        """Say it if a call was not answered because no server is there: gRPC tells the time alone.

        Raises:
            Unavailable: none is there; the message says why.

        """
        with self._unless_unreachable():
            self._health.Check(_HEALTH_REQUEST, timeout=_HEALTH_PAUSE)

    def wait_until_ready(self, seconds: float = DEFAULT_TIMEOUT) -> None:
        """Return as soon as the server is there and serves.

        Raises:
            Unavailable: it was not there in time; the message says why.
            DeadlineExceeded: it was there, or said nothing, but did not serve in time.

        """
        waiting = _Waiting(seconds)
        while not self._is_serving(waiting):
            sleep(_HEALTH_PAUSE)

    def _is_serving(self, waiting: _Waiting) -> bool:
        try:
            with self._failures():
                health = self._health.Check(_HEALTH_REQUEST, timeout=waiting.time_left())
        except _UNANSWERED as error:
            waiting.bear(error)
            return False
        return waiting.serves(health)

    def close(self) -> None:
        """Give the channel back; also what `with` does at its end."""
        self._closed.set()
        self._channel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncClient(_Limited, AsyncService):
    """The service over gRPC, for asyncio; to be made where the event loop runs.

        async with finspan.AsyncClient("localhost:50051") as client:
            game = await finspan.AsyncGame.new(client, players=2, seed="first game")
            game = await game.apply("dive:blue")

    Args:
        address: Host and port, for TLS with ``https://`` before them, or any other name that gRPC resolves.
        credentials: For TLS with an authority of one's own, `grpc.ssl_channel_credentials(pem)`; else None.
        timeout: Seconds that a call may take, retries included.
        api_key: A key to show, if the server asks for one where games are made; or an administrator's.

    Raises:
        ValueError: the address is none.

    """

    def __init__(
        self,
        address: str,
        *,
        credentials: grpc.ChannelCredentials | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        api_key: str = "",
    ) -> None:
        self.timeout = timeout
        self.api_key = api_key
        self._closed = Event()
        self._channel: grpc.aio.Channel = _channel(grpc.aio, address, credentials)
        self._stub = FinspanServiceStub(self._channel)
        self._health: Any = HealthStub(self._channel)  # whose methods the stubs forget

    async def send(self, call: Call[Reply]) -> Reply:
        """Send a call and return its reply.

        Raises:
            FinspanError: the call failed; its subclasses say how.

        """
        attempts = self._attempts(call)
        seconds = self.timeout / attempts
        for _ in range(attempts - 1):
            with suppress(*_UNANSWERED):
                return await self._sent(call, seconds)
        try:
            return await self._sent(call, seconds)
        except DeadlineExceeded as error:
            if not error.reason:
                await self._require_server()
            raise

    async def _sent(self, call: Call[Reply], seconds: float) -> Reply:
        answer = getattr(self._stub, call.method)
        with self._failures():
            reply = await answer(call.request, timeout=seconds, metadata=self._metadata(call))
        return cast("Reply", reply)

    async def _require_server(self) -> None:
        """Say it if a call was not answered because no server is there: gRPC tells the time alone.

        Raises:
            Unavailable: none is there; the message says why.

        """
        with self._unless_unreachable():
            await self._health.Check(_HEALTH_REQUEST, timeout=_HEALTH_PAUSE)

    async def wait_until_ready(self, seconds: float = DEFAULT_TIMEOUT) -> None:
        """Return as soon as the server is there and serves.

        Raises:
            Unavailable: it was not there in time; the message says why.
            DeadlineExceeded: it was there, or said nothing, but did not serve in time.

        """
        waiting = _Waiting(seconds)
        while not await self._is_serving(waiting):  # noqa: ASYNC110  the server tells nobody
            await asyncio.sleep(_HEALTH_PAUSE)

    async def _is_serving(self, waiting: _Waiting) -> bool:
        try:
            with self._failures():
                health = await self._health.Check(_HEALTH_REQUEST, timeout=waiting.time_left())
        except _UNANSWERED as error:
            waiting.bear(error)
            return False
        return waiting.serves(health)

    async def close(self) -> None:
        """Give the channel back; also what `async with` does at its end."""
        self._closed.set()
        await self._channel.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def _channel(transport: Any, address: str, credentials: grpc.ChannelCredentials | None) -> Any:  # noqa: ANN401
    """Return a channel of `grpc` or of `grpc.aio`, which make one alike."""
    where, credentials = target(address, credentials)
    if credentials is None:
        return transport.insecure_channel(where, options=CHANNEL_OPTIONS)
    return transport.secure_channel(where, credentials, options=CHANNEL_OPTIONS)
