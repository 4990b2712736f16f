"""A client over a real channel: retries, deadlines, TLS, waiting for the server."""

import socket
from collections.abc import Callable
from threading import Timer
from time import monotonic, sleep

import grpc
import pytest
from google.protobuf.message import Message
from grpc_health.v1.health_pb2 import HealthCheckResponse

import finspan
from finspan.calls import SERVICE
from finspan.v1 import finspan_pb2 as v1
from tests.client.certificates import certificate
from tests.client.conftest import StubServer

CATALOG = v1.GetCatalogResponse(rules_version="7")


def failing(times: int, code: grpc.StatusCode) -> tuple[list[str], Callable[..., Message]]:
    """Return the calls that were made, and an answer that fails so many times before it succeeds."""
    made: list[str] = []

    def answer(method: str, _request: bytes, context: grpc.ServicerContext) -> Message:
        made.append(method)
        if len(made) <= times:
            context.abort(code, "Not yet.")
        return CATALOG

    return made, answer


def test_a_call_reaches_its_method_with_its_request(stub_server: StubServer) -> None:
    seen: list[tuple[str, bytes]] = []

    def answer(method: str, request: bytes, _context: grpc.ServicerContext) -> Message:
        seen.append((method, request))
        return v1.ScoreResponse(over=True)

    stub_server.answer = answer
    state = v1.GameState(version=3)
    with finspan.Client(stub_server.address) as client:
        assert client.score(state) == v1.ScoreResponse(over=True)
    assert seen == [("Score", v1.ScoreRequest(state=state).SerializeToString())]


def test_an_unavailable_server_is_tried_again(hasty: None, stub_server: StubServer) -> None:
    made, stub_server.answer = failing(2, grpc.StatusCode.UNAVAILABLE)
    with finspan.Client(stub_server.address) as client:
        assert client.get_catalog() == CATALOG
    assert len(made) == 3


def test_in_the_end_it_is_unavailable(hasty: None, stub_server: StubServer) -> None:
    made, stub_server.answer = failing(99, grpc.StatusCode.UNAVAILABLE)
    with finspan.Client(stub_server.address) as client, pytest.raises(finspan.Unavailable, match="Not yet"):
        client.get_catalog()
    assert len(made) == 5


@pytest.mark.parametrize("code", ["INTERNAL", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION"])
def test_nothing_else_is_tried_again(stub_server: StubServer, code: str) -> None:
    made, stub_server.answer = failing(1, grpc.StatusCode[code])
    with finspan.Client(stub_server.address) as client, pytest.raises(finspan.FinspanError):
        client.get_catalog()
    assert len(made) == 1


def test_a_server_that_is_away_for_seconds_is_met_when_it_is_back(stub_server: StubServer) -> None:
    made, stub_server.answer = failing(0, grpc.StatusCode.OK)
    server = stub_server.start()
    address, port = stub_server.address, int(stub_server.address.rpartition(":")[2])
    with finspan.Client(address) as client:
        client.get_catalog()
        server.stop(None).wait()
        back = StubServer()
        back.answer = stub_server.answer
        Timer(2, lambda: servers.append(back.start(port=port))).start()
        servers: list[grpc.Server] = []
        assert client.get_catalog() == CATALOG
    assert len(made) == 2
    servers[0].stop(None).wait()


@pytest.mark.parametrize("kind", ["a carried state", "a request id"])
def test_no_server_at_all_is_unavailable_and_says_why(kind: str) -> None:
    """The time that a call may take is over before the retries are."""
    with finspan.Client("localhost:1", timeout=0.2) as client:
        call = client.get_catalog if kind == "a carried state" else client.host_game
        with pytest.raises(finspan.Unavailable, match="Connection refused"):
            call()


def test_a_closed_client_says_so() -> None:
    client = finspan.Client("localhost:1")
    twin = client.with_timeout(1)
    client.close()
    for call in (client.get_catalog, client.host_game, client.wait_until_ready, twin.get_catalog):
        with pytest.raises(finspan.ClientClosed, match="closed"):
            call()
    assert issubclass(finspan.ClientClosed, finspan.FinspanError)


def test_every_call_has_a_deadline(stub_server: StubServer) -> None:
    left: list[float | None] = []

    def answer(_method: str, _request: bytes, context: grpc.ServicerContext) -> Message:
        left.append(context.time_remaining())
        return CATALOG

    stub_server.answer = answer
    with finspan.Client(stub_server.address, timeout=30) as client:
        client.get_catalog()
        client.with_timeout(3).get_catalog()
        client.get_catalog()
    assert [round(seconds or 0) for seconds in left] == [30, 3, 30]


def test_a_call_that_takes_longer_fails_in_time(stub_server: StubServer) -> None:
    def answer(_method: str, _request: bytes, context: grpc.ServicerContext) -> Message:
        while context.is_active():
            sleep(0.01)
        return CATALOG

    stub_server.answer = answer
    start = monotonic()
    with finspan.Client(stub_server.address, timeout=0.2) as client, pytest.raises(finspan.DeadlineExceeded):
        client.get_catalog()
    assert monotonic() - start < 2


def test_a_server_that_serves_is_ready(stub_server: StubServer) -> None:
    with finspan.Client(stub_server.address) as client:
        client.wait_until_ready()


def test_waiting_lasts_until_the_server_serves(stub_server: StubServer) -> None:
    stub_server.health.set(SERVICE, HealthCheckResponse.NOT_SERVING)
    Timer(0.3, stub_server.health.set, [SERVICE, HealthCheckResponse.SERVING]).start()
    with finspan.Client(stub_server.address) as client:
        start = monotonic()
        client.wait_until_ready()
        assert monotonic() - start > 0.2


def test_waiting_for_a_server_that_does_not_serve_ends(stub_server: StubServer) -> None:
    stub_server.health.set(SERVICE, HealthCheckResponse.NOT_SERVING)
    not_serving = pytest.raises(finspan.DeadlineExceeded, match="does not serve")
    with finspan.Client(stub_server.address) as client, not_serving:
        client.wait_until_ready(0.3)


UNREACHED = {"localhost:1": "Connection refused", "no-such-host.invalid:50051": "no-such-host.invalid"}


@pytest.mark.parametrize("address", UNREACHED)
def test_waiting_for_nobody_ends_and_says_why(address: str) -> None:
    with finspan.Client(address) as client, pytest.raises(finspan.Unavailable, match=UNREACHED[address]):
        client.wait_until_ready(0.3)


def test_waiting_for_one_that_says_nothing_ends() -> None:
    with socket.create_server(("localhost", 0)) as mute:
        address = f"localhost:{mute.getsockname()[1]}"
        with finspan.Client(address) as client, pytest.raises(finspan.DeadlineExceeded, match="Nothing was"):
            client.wait_until_ready(0.3)


def test_waiting_lasts_until_the_server_is_there() -> None:
    with socket.create_server(("localhost", 0)) as free:
        port = free.getsockname()[1]
    stub, servers = StubServer(), list[grpc.Server]()
    Timer(0.5, lambda: servers.append(stub.start(port=port))).start()
    with finspan.Client(f"localhost:{port}") as client:
        client.wait_until_ready()
    servers[0].stop(None).wait()


def test_tls() -> None:
    key, chain = certificate("localhost")
    stub = StubServer()
    stub.answer = failing(0, grpc.StatusCode.OK)[1]
    server = stub.start(grpc.ssl_server_credentials([(key, chain)]))
    trusted, other = (grpc.ssl_channel_credentials(root) for root in (chain, certificate("localhost")[1]))
    try:
        with finspan.Client(stub.address, credentials=trusted) as client:
            assert client.get_catalog() == CATALOG
        with finspan.Client(stub.address, credentials=other) as client, pytest.raises(finspan.Unavailable):
            client.get_catalog()
    finally:
        server.stop(None).wait()


def test_an_address_may_ask_for_tls(stub_server: StubServer) -> None:
    key, chain = certificate("localhost")
    stub = StubServer()
    stub.answer = failing(0, grpc.StatusCode.OK)[1]
    server = stub.start(grpc.ssl_server_credentials([(key, chain)]))
    trusted = grpc.ssl_channel_credentials(chain)
    try:
        with finspan.Client(f"https://{stub.address}", credentials=trusted) as client:
            assert client.get_catalog() == CATALOG
        untrusted = pytest.raises(finspan.Unavailable, match=r"(?i)certificate|ssl")
        with finspan.Client(f"https://{stub.address}", timeout=0.5) as client, untrusted:
            client.get_catalog()
    finally:
        server.stop(None).wait()


def test_an_address_may_ask_for_no_tls(stub_server: StubServer) -> None:
    stub_server.answer = failing(0, grpc.StatusCode.OK)[1]
    with finspan.Client(f"http://{stub_server.address}") as client:
        assert client.get_catalog() == CATALOG


@pytest.mark.parametrize("kind", [finspan.Client, finspan.AsyncClient])
@pytest.mark.parametrize("address", ["", " ", "https://", "http://games.example/path", "https://host:port"])
def test_what_is_no_address_is_refused(
    kind: type[finspan.Client | finspan.AsyncClient], address: str
) -> None:
    with pytest.raises(ValueError, match="host and port, such as"):
        kind(address)
