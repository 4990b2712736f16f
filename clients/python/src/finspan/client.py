"""The clients: the service's calls over gRPC, blocking and for asyncio."""

import asyncio
from copy import copy
from time import monotonic, sleep
from types import TracebackType
from typing import Any, Final, Self, TypeVar, cast

import grpc
from google.protobuf.message import Message
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub

from finspan.calls import SERVICE, Call
from finspan.channels import CHANNEL_OPTIONS, DEFAULT_TIMEOUT
from finspan.errors import errors_decoded
from finspan.services import AsyncService, Service
from finspan.v1.finspan_pb2_grpc import FinspanServiceStub

Reply = TypeVar("Reply", bound=Message)

_HEALTH_PAUSE: Final = 0.05
"""Seconds between two looks at a server that does not serve yet."""
_HEALTH_REQUEST: Final = HealthCheckRequest(service=SERVICE)


class _Timed:
    """A client whose calls have a time limit of their own."""

    timeout: float

    def with_timeout(self, seconds: float) -> Self:
        """Return a client of the same channel whose calls may take so many seconds."""
        twin = copy(self)
        twin.timeout = seconds
        return twin


class Client(_Timed, Service):
    """The service over gRPC.

    Calls that no server took on are retried. Threads may share a client.

        with finspan.Client("localhost:50051") as client:
            game = finspan.Game.new(client, players=2, seed="first game")
            game = game.apply("dive:blue")

    Args:
        address: Host and port, or any other name that gRPC resolves.
        credentials: For TLS, such as `grpc.ssl_channel_credentials()`; None for none.
        timeout: Seconds that a call may take, retries included.

    """

    def __init__(
        self,
        address: str,
        *,
        credentials: grpc.ChannelCredentials | None = None,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> None:
        self.timeout = timeout
        self._channel: grpc.Channel = _channel(grpc, address, credentials)
        self._stub = FinspanServiceStub(self._channel)
        self._health: Any = HealthStub(self._channel)  # whose methods the stubs forget

    def send(self, call: Call[Reply]) -> Reply:
        """Send a call and return its reply.

        Raises:
            FinspanError: the call failed; its subclasses say how.

        """
        with errors_decoded():
            return cast("Reply", getattr(self._stub, call.method)(call.request, timeout=self.timeout))

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


class AsyncClient(_Timed, AsyncService):
    """The service over gRPC, for asyncio; to be made where the event loop runs.

        async with finspan.AsyncClient("localhost:50051") as client:
            game = await finspan.AsyncGame.new(client, players=2, seed="first game")
            game = await game.apply("dive:blue")

    Args:
        address: Host and port, or any other name that gRPC resolves.
        credentials: For TLS, such as `grpc.ssl_channel_credentials()`; None for none.
        timeout: Seconds that a call may take, retries included.

    """

    def __init__(
        self,
        address: str,
        *,
        credentials: grpc.ChannelCredentials | None = None,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> None:
        self.timeout = timeout
        self._channel: grpc.aio.Channel = _channel(grpc.aio, address, credentials)
        self._stub = FinspanServiceStub(self._channel)
        self._health: Any = HealthStub(self._channel)  # whose methods the stubs forget

    async def send(self, call: Call[Reply]) -> Reply:
        """Send a call and return its reply.

        Raises:
            FinspanError: the call failed; its subclasses say how.

        """
        with errors_decoded():
            return cast("Reply", await getattr(self._stub, call.method)(call.request, timeout=self.timeout))

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
