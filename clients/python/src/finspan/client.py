"""The clients: the service's calls over gRPC, blocking and for asyncio."""

import asyncio
from contextlib import suppress
from copy import copy
from time import monotonic, sleep
from types import TracebackType
from typing import Any, Final, Self, TypeVar, cast

import grpc
from google.protobuf.message import Message
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub

from finspan.calls import SERVICE, Call, Metadata
from finspan.channels import ATTEMPTS, CHANNEL_OPTIONS, DEFAULT_TIMEOUT
from finspan.errors import DeadlineExceeded, Unavailable, errors_decoded
from finspan.services import AsyncService, Service
from finspan.v1.finspan_pb2_grpc import FinspanServiceStub

Reply = TypeVar("Reply", bound=Message)

_HEALTH_PAUSE: Final = 0.05
"""Seconds between two looks at a server that does not serve yet."""
API_KEY: Final = "x-api-key"
"""The metadata in which a key is shown."""
_UNANSWERED: Final = (Unavailable, DeadlineExceeded)
"""After these it is not known whether a call was carried out."""
_HEALTH_REQUEST: Final = HealthCheckRequest(service=SERVICE)


class _Limited:
    """A client whose calls have a time limit of their own, and a key to show."""

    timeout: float
    api_key: str

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
        address: Host and port, or any other name that gRPC resolves.
        credentials: For TLS, such as `grpc.ssl_channel_credentials()`; None for none.
        timeout: Seconds that a call may take, retries included.
        api_key: A key to show, if the server asks for one where games are made; or an administrator's.

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
        return self._sent(call, seconds)

    def _sent(self, call: Call[Reply], seconds: float) -> Reply:
        answer = getattr(self._stub, call.method)
        with errors_decoded():
            reply = answer(call.request, timeout=seconds, metadata=self._metadata(call))
        return cast("Reply", reply)

    def wait_until_ready(self, seconds: float = DEFAULT_TIMEOUT) -> None:
        """Return as soon as the server is there and serves.

        Raises:
            DeadlineExceeded: that did not happen in time.

        """
        deadline = monotonic() + seconds
        with errors_decoded():
            while not self._is_serving(deadline - monotonic()):
                sleep(_HEALTH_PAUSE)

    def _is_serving(self, seconds: float) -> bool:
        health = self._health.Check(_HEALTH_REQUEST, timeout=seconds, wait_for_ready=True)
        return bool(health.status == HealthCheckResponse.SERVING)

    def close(self) -> None:
        """Give the channel back; also what `with` does at its end."""
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
        address: Host and port, or any other name that gRPC resolves.
        credentials: For TLS, such as `grpc.ssl_channel_credentials()`; None for none.
        timeout: Seconds that a call may take, retries included.
        api_key: A key to show, if the server asks for one where games are made; or an administrator's.

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
        return await self._sent(call, seconds)

    async def _sent(self, call: Call[Reply], seconds: float) -> Reply:
        answer = getattr(self._stub, call.method)
        with errors_decoded():
            reply = await answer(call.request, timeout=seconds, metadata=self._metadata(call))
        return cast("Reply", reply)

    async def wait_until_ready(self, seconds: float = DEFAULT_TIMEOUT) -> None:
        """Return as soon as the server is there and serves.

        Raises:
            DeadlineExceeded: that did not happen in time.

        """
        deadline = monotonic() + seconds
        with errors_decoded():
            while not await self._is_serving(deadline - monotonic()):  # noqa: ASYNC110  the server tells nobody
                await asyncio.sleep(_HEALTH_PAUSE)

    async def _is_serving(self, seconds: float) -> bool:
        health = await self._health.Check(_HEALTH_REQUEST, timeout=seconds, wait_for_ready=True)
        return bool(health.status == HealthCheckResponse.SERVING)

    async def close(self) -> None:
        """Give the channel back; also what `async with` does at its end."""
        await self._channel.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def _channel(transport: Any, address: str, credentials: grpc.ChannelCredentials | None) -> Any:  # noqa: ANN401
    """Return a channel of `grpc` or of `grpc.aio`, which make one alike."""
    if credentials is None:
        return transport.insecure_channel(address, options=CHANNEL_OPTIONS)
    return transport.secure_channel(address, credentials, options=CHANNEL_OPTIONS)
