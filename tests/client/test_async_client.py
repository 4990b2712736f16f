"""The client for asyncio over a real channel: as the other one, awaited."""

import asyncio
from threading import Timer
from time import monotonic, sleep

import grpc
import pytest
from google.protobuf.message import Message
from grpc_health.v1.health_pb2 import HealthCheckResponse

import finspan
from finspan import AsyncClient
from finspan.calls import SERVICE
from finspan.v1 import finspan_pb2 as v1
from tests.client.certificates import certificate
from tests.client.conftest import StubServer
from tests.client.test_client import CATALOG, failing


async def test_a_call_reaches_its_method_with_its_request(stub_server: StubServer) -> None:
    seen: list[tuple[str, bytes]] = []

    def answer(method: str, request: bytes, _context: grpc.ServicerContext) -> Message:
        seen.append((method, request))
        return v1.ScoreResponse(over=True)

    stub_server.answer = answer
    state = v1.GameState(version=3)
    async with AsyncClient(stub_server.address) as client:
        assert await client.score(state) == v1.ScoreResponse(over=True)
    assert seen == [("Score", v1.ScoreRequest(state=state).SerializeToString())]


async def test_an_unavailable_server_is_tried_again(hasty: None, stub_server: StubServer) -> None:
    made, stub_server.answer = failing(2, grpc.StatusCode.UNAVAILABLE)
    async with AsyncClient(stub_server.address) as client:
        assert await client.get_catalog() == CATALOG
    assert len(made) == 3


@pytest.mark.parametrize(("code", "calls"), [("UNAVAILABLE", 5), ("INTERNAL", 1), ("RESOURCE_EXHAUSTED", 1)])
async def test_in_the_end_a_call_fails(hasty: None, stub_server: StubServer, code: str, calls: int) -> None:
    made, stub_server.answer = failing(99, grpc.StatusCode[code])
    async with AsyncClient(stub_server.address) as client:
        with pytest.raises(finspan.FinspanError, match="Not yet") as caught:
            await client.get_catalog()
    assert caught.value.code.name == code
    assert len(made) == calls


async def test_every_call_has_a_deadline(stub_server: StubServer) -> None:
    left: list[float | None] = []

    def answer(_method: str, _request: bytes, context: grpc.ServicerContext) -> Message:
        left.append(context.time_remaining())
        return CATALOG

    stub_server.answer = answer
    async with AsyncClient(stub_server.address, timeout=30) as client:
        await client.get_catalog()
        await client.with_timeout(3).get_catalog()
    assert [round(seconds or 0) for seconds in left] == [30, 3]


async def test_many_calls_wait_together(stub_server: StubServer) -> None:
    made, stub_server.answer = failing(0, grpc.StatusCode.OK)
    async with AsyncClient(stub_server.address) as client:
        replies = await asyncio.gather(*(client.get_catalog() for _ in range(20)))
    assert replies == [CATALOG] * 20
    assert len(made) == 20


async def test_the_catalogue_is_asked_for_once(stub_server: StubServer) -> None:
    made, stub_server.answer = failing(0, grpc.StatusCode.OK)
    async with AsyncClient(stub_server.address) as client:
        assert await client.catalog("7") is await client.with_timeout(1).catalog("7")
    assert len(made) == 1


async def test_waiting_lasts_until_the_server_serves(stub_server: StubServer) -> None:
    stub_server.health.set(SERVICE, HealthCheckResponse.NOT_SERVING)
    Timer(0.3, stub_server.health.set, [SERVICE, HealthCheckResponse.SERVING]).start()
    async with AsyncClient(stub_server.address) as client:
        start = monotonic()
        await client.wait_until_ready()
        assert monotonic() - start > 0.2


async def test_waiting_for_nobody_ends_and_says_why() -> None:
    async with AsyncClient("localhost:1") as client:
        with pytest.raises(finspan.Unavailable, match="Connection refused"):
            await client.wait_until_ready(0.3)


async def test_waiting_for_a_server_that_does_not_serve_ends(stub_server: StubServer) -> None:
    stub_server.health.set(SERVICE, HealthCheckResponse.NOT_SERVING)
    async with AsyncClient(stub_server.address) as client:
        with pytest.raises(finspan.DeadlineExceeded, match="does not serve"):
            await client.wait_until_ready(0.3)


async def test_no_server_at_all_is_unavailable_and_says_why() -> None:
    async with AsyncClient("localhost:1", timeout=0.2) as client:
        for call in (client.get_catalog, client.host_game):
            with pytest.raises(finspan.Unavailable, match="Connection refused"):
                await call()


async def test_a_call_that_takes_longer_fails(stub_server: StubServer) -> None:
    def answer(_method: str, _request: bytes, context: grpc.ServicerContext) -> Message:
        while context.is_active():
            sleep(0.01)
        return CATALOG

    stub_server.answer = answer
    async with AsyncClient(stub_server.address, timeout=0.2) as client:
        with pytest.raises(finspan.DeadlineExceeded):
            await client.get_catalog()


async def test_a_closed_client_says_so() -> None:
    client = AsyncClient("localhost:1")
    twin = client.with_timeout(1)
    await client.close()
    for call in (client.get_catalog, client.host_game, client.wait_until_ready, twin.get_catalog):
        with pytest.raises(finspan.ClientClosed, match="closed"):
            await call()


async def test_tls() -> None:
    key, chain = certificate("localhost")
    stub = StubServer()
    stub.answer = failing(0, grpc.StatusCode.OK)[1]
    server = stub.start(grpc.ssl_server_credentials([(key, chain)]))
    trusted = grpc.ssl_channel_credentials(chain)
    try:
        for address in (stub.address, f"https://{stub.address}"):
            async with AsyncClient(address, credentials=trusted) as client:
                assert await client.get_catalog() == CATALOG
    finally:
        server.stop(None).wait()


async def test_a_failure_in_a_thread_arrives(stub_server: StubServer) -> None:
    _, stub_server.answer = failing(9, grpc.StatusCode.INTERNAL)
    with finspan.Client(stub_server.address) as client, pytest.raises(finspan.FinspanError, match="Not yet"):
        await finspan.ThreadedService(client).get_catalog()
