"""What tests play against: a server that answers whatever a test wants, and the real service."""

import json
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeAlias

import grpc
import pytest
from google.protobuf.message import Message
from grpc_health.v1.health import HealthServicer
from grpc_health.v1.health_pb2 import HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import add_HealthServicer_to_server

from finspan import LocalService, serving
from finspan.calls import SERVICE
from finspan.channels import CHANNEL_OPTIONS, SERVICE_CONFIG

Answer: TypeAlias = Callable[[str, bytes, grpc.ServicerContext], Message]


class StubServer(grpc.GenericRpcHandler):
    """A server whose ``answer`` gets the method, the request's bytes and the context of every call."""

    def __init__(self) -> None:
        self.answer: Answer
        self.address = ""
        self.health = HealthServicer()
        self.health.set(SERVICE, HealthCheckResponse.SERVING)

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> "grpc.RpcMethodHandler[bytes, Message] | None":
        service, method = handler_call_details.method.strip("/").split("/")
        if service != SERVICE:
            return None
        return grpc.unary_unary_rpc_method_handler(
            lambda request, context: self.answer(method, request, context),
            response_serializer=lambda reply: reply.SerializeToString(),
        )

    def start(self, credentials: grpc.ServerCredentials | None = None, port: int = 0) -> grpc.Server:
        server = grpc.server(ThreadPoolExecutor(4))
        server.add_generic_rpc_handlers((self,))
        add_HealthServicer_to_server(self.health, server)
        where = f"localhost:{port}"
        port = server.add_secure_port(where, credentials) if credentials else server.add_insecure_port(where)
        self.address = f"localhost:{port}"
        server.start()
        return server


@pytest.fixture
def stub_server() -> Iterator[StubServer]:
    stub = StubServer()
    server = stub.start()
    yield stub
    server.stop(None).wait()


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let clients try again as often as ever, but after hundredths of a second."""
    config = re.sub(r'Backoff": "[\d.]+s"', 'Backoff": "0.01s"', json.dumps(SERVICE_CONFIG))
    options = dict(CHANNEL_OPTIONS) | {"grpc.service_config": config}
    monkeypatch.setattr("finspan.client.CHANNEL_OPTIONS", tuple(options.items()))


@pytest.fixture(scope="session")
def local() -> LocalService:
    """Return the service in this process."""
    return LocalService()


@pytest.fixture
def same_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every hosted game in this process have the same seed, which only an administrator could give it."""
    monkeypatch.setattr("service.handlers.playing.new_seed", lambda: "t1")


@pytest.fixture(scope="session")
def real_server() -> Iterator[str]:
    """Return the address of a server of the real service, the same for all tests of a process."""
    with serving.server() as address:
        yield address
