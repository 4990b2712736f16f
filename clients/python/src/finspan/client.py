"""The client: the service's calls as methods, over a channel."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from copy import copy
from time import monotonic, sleep
from types import TracebackType
from typing import Concatenate, ParamSpec, Self, TypeVar, cast

import grpc
from google.protobuf.message import Message
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub

from finspan import calls
from finspan.calls import SERVICE, Call
from finspan.channels import CHANNEL_OPTIONS, DEFAULT_TIMEOUT
from finspan.errors import errors_decoded
from finspan.v1.finspan_pb2_grpc import FinspanServiceStub

P = ParamSpec("P")
Reply = TypeVar("Reply", bound=Message)

_HEALTH_PAUSE = 0.05
"""Seconds between two looks at a server that does not serve yet."""


def _sent(build: Callable[P, Call[Reply]]) -> Callable[Concatenate["Service", P], Reply]:
    """Return the method that sends the call which ``build`` makes of the same arguments."""

    def method(self: "Service", /, *args: P.args, **kwargs: P.kwargs) -> Reply:
        return self.send(build(*args, **kwargs))

    return calls.described_by(build, method)


class Service(ABC):
    """The service's calls, for whatever can send one; what they ask and answer is in `finspan.calls`.

    Every method returns the contract's reply and raises a `finspan.FinspanError` if the call fails.
    """

    @abstractmethod
    def send(self, call: Call[Reply]) -> Reply:
        """Send a call and return its reply.

        Raises:
            FinspanError: the call failed; its subclasses say how.

        """

    new_game = _sent(calls.new_game)
    legal_moves = _sent(calls.legal_moves)
    apply_move = _sent(calls.apply_move)
    score = _sent(calls.score)
    sample_states = _sent(calls.sample_states)
    get_catalog = _sent(calls.get_catalog)


class Client(Service):
    """The service over gRPC.

    Calls that no server took on are retried. Threads may share a client.

        with finspan.Client("localhost:50051") as client:
            game = client.new_game(players=2, seed="first game")
            game = client.apply_move(game.state, game.legal_moves[0])

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
        self._channel = _channel(address, credentials)
        self._stub = FinspanServiceStub(self._channel)

    def with_timeout(self, seconds: float) -> Self:
        """Return a client of the same channel whose calls may take so many seconds."""
        twin = copy(self)
        twin.timeout = seconds
        return twin

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
        while not self._is_serving(deadline - monotonic()):
            sleep(_HEALTH_PAUSE)

    def close(self) -> None:
        """Give the channel back; also what `with` does at its end."""
        self._channel.close()

    def _is_serving(self, seconds: float) -> bool:
        check = HealthStub(self._channel).Check  # type: ignore[attr-defined]  # forgotten by the stubs
        with errors_decoded():
            health = check(HealthCheckRequest(service=SERVICE), timeout=seconds, wait_for_ready=True)
        return bool(health.status == HealthCheckResponse.SERVING)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _channel(address: str, credentials: grpc.ChannelCredentials | None) -> grpc.Channel:
    if credentials is None:
        return grpc.insecure_channel(address, options=CHANNEL_OPTIONS)
    return grpc.secure_channel(address, credentials, options=CHANNEL_OPTIONS)
