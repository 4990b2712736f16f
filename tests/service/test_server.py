"""The server around the calls: health, reflection, drain, TLS, limits of one process."""

import asyncio
from asyncio.subprocess import PIPE
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, cast

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from finspan.v1 import finspan_pb2 as pb
from finspan.v1.finspan_pb2_grpc import FinspanServiceStub
from service.handlers import SERVICE
from service.local import local_handlers
from service.server import address
from service.testing import RunningServer, running_server
from service.workers import CannotServe
from tests.client.certificates import certificate
from tests.service.program import program
from tests.service.support import Stub, ask, new_state, refusal_of, until

Stream = Callable[[grpc.aio.Channel], Awaitable[Any]]
SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


async def health_of(channel: grpc.aio.Channel, name: str = "") -> int:
    request = health_pb2.HealthCheckRequest(service=name)
    reply = await ask(channel, "/grpc.health.v1.Health/Check", request.SerializeToString())
    return health_pb2.HealthCheckResponse.FromString(reply).status


def test_every_rpc_of_the_contract_is_registered() -> None:
    methods = pb.DESCRIPTOR.services_by_name["FinspanService"].methods_by_name
    assert SERVICE == "finspan.v1.FinspanService"
    assert set(local_handlers()) == set(methods)


@pytest.mark.parametrize("name", ["", SERVICE])
async def test_a_server_that_serves_says_so(channel: grpc.aio.Channel, name: str) -> None:
    assert await health_of(channel, name) == SERVING


async def test_the_health_of_a_stranger_is_not_known(channel: grpc.aio.Channel) -> None:
    refusal = await refusal_of(health_of(channel, "another.Service"))
    assert refusal.code is grpc.StatusCode.NOT_FOUND


async def test_reflection_tells_the_contract(channel: grpc.aio.Channel) -> None:
    stub = cast("Any", reflection_pb2_grpc.ServerReflectionStub)(
        channel
    )  # typed for the other kind of channel
    asked = [
        reflection_pb2.ServerReflectionRequest(list_services=""),
        reflection_pb2.ServerReflectionRequest(file_containing_symbol=SERVICE),
    ]
    listed, described = [reply async for reply in stub.ServerReflectionInfo(iter(asked))]
    names = {service.name for service in listed.list_services_response.service}
    assert {SERVICE, "grpc.health.v1.Health"} <= names
    assert pb.DESCRIPTOR.serialized_pb in described.file_descriptor_response.file_descriptor_proto


# Draining.


def long_call(stub: Stub, state: pb.GameState) -> Awaitable[pb.SampleStatesResponse]:
    """Return a call of a few hundred milliseconds, on its way."""
    return asyncio.ensure_future(stub.SampleStates(pb.SampleStatesRequest(state=state, seed="s", count=1000)))


async def watched(channel: grpc.aio.Channel) -> Any:  # noqa: ANN401  the stub has types for the other kind
    """Return a watch of the health, open."""
    watch = cast("Any", health_pb2_grpc.HealthStub(channel)).Watch(health_pb2.HealthCheckRequest())
    assert (await watch.read()).status == SERVING
    return watch


async def reflected(channel: grpc.aio.Channel) -> Any:  # noqa: ANN401  the stub has types for the other kind
    """Return a stream of reflection, open."""
    stream = cast("Any", reflection_pb2_grpc.ServerReflectionStub)(channel).ServerReflectionInfo()
    await stream.write(reflection_pb2.ServerReflectionRequest(list_services=""))
    assert (await stream.read()).list_services_response.service
    return stream


async def test_a_drain_lets_the_calls_in_hand_end() -> None:
    async with running_server() as server, grpc.aio.insecure_channel(server.address) as channel:
        stub = FinspanServiceStub(channel)
        call = long_call(stub, await new_state(stub))
        await until(lambda: server.is_at_work)
        await server.server.drain()
        assert len((await call).states) == 1000
        assert (await refusal_of(new_state(stub))).code is grpc.StatusCode.UNAVAILABLE


async def test_a_drain_says_so_while_it_still_takes_calls() -> None:
    async with (
        running_server(drain_delay_seconds=0.5) as server,
        grpc.aio.insecure_channel(server.address) as channel,
    ):
        assert await health_of(channel, SERVICE) == SERVING
        drain = asyncio.ensure_future(server.server.drain())
        await asyncio.sleep(0)
        assert [await health_of(channel, name) for name in ("", SERVICE)] == [NOT_SERVING] * 2
        assert (await new_state(FinspanServiceStub(channel))).version == 0
        await drain


async def test_a_drain_loses_no_call() -> None:
    """Whatever call was begun is answered; whatever came too late is told to go elsewhere."""
    async with running_server() as server:
        outcomes: Counter[str] = Counter()

        async def keep_asking() -> None:
            async with grpc.aio.insecure_channel(server.address) as channel:
                stub = FinspanServiceStub(channel)
                while not outcomes["UNAVAILABLE"]:
                    try:
                        await stub.NewGame(pb.NewGameRequest(players=2))
                        outcomes["OK"] += 1
                    except grpc.aio.AioRpcError as error:
                        outcomes[error.code().name] += 1

        callers = [asyncio.ensure_future(keep_asking()) for _ in range(20)]
        await until(lambda: outcomes["OK"] > 50)
        await server.server.drain()
        await asyncio.gather(*callers)
        assert set(outcomes) == {"OK", "UNAVAILABLE"}
        logged = Counter(line["code"] for line in server.log_lines() if line["event"] == "call")
        assert logged["OK"] == outcomes["OK"]
        assert set(logged) <= {"OK", "UNAVAILABLE"}


async def test_a_drain_under_long_calls_refuses_every_later_one() -> None:
    """Long calls keep the loop busy, so that later ones wait to be taken in: they are told, not cancelled."""
    async with running_server() as server, grpc.aio.insecure_channel(server.address) as channel:
        stub = FinspanServiceStub(channel)
        state = await new_state(stub)
        long_calls = [long_call(stub, state) for _ in range(6)]
        await until(lambda: server.server.calls.at_work == len(long_calls))
        drain = asyncio.ensure_future(server.server.drain())
        late = []
        for _ in range(20):
            late.append(asyncio.ensure_future(refusal_of(new_state(stub))))
            await asyncio.sleep(0.01)
        await drain
        assert {len((await call).states) for call in long_calls} == {1000}
        assert {(await refusal).code for refusal in late} == {grpc.StatusCode.UNAVAILABLE}
        answered = Counter(line["code"] for line in server.log_lines() if line["event"] == "call")
        assert set(answered) == {"OK", "UNAVAILABLE"}


async def test_a_drain_does_not_wait_for_who_watches_health() -> None:
    """A watch has no end of its own: the watcher is told, and let go long before the drain's time is up."""
    async with (
        running_server(drain_seconds=600) as server,
        grpc.aio.insecure_channel(server.address) as channel,
    ):
        stub = cast("Any", health_pb2_grpc.HealthStub(channel))
        watch = stub.Watch(health_pb2.HealthCheckRequest(service=SERVICE))
        assert (await watch.read()).status == SERVING
        await asyncio.wait_for(server.server.drain(), 60)
        assert (await watch.read()).status == NOT_SERVING


@pytest.mark.parametrize("stream", [watched, reflected])
async def test_streams_end_with_the_drain_and_nobody_complains(stream: Stream) -> None:
    """Streams of health and reflection have no end of their own: at the drain they end as well as others."""
    options = [("grpc.use_local_subchannel_pool", 1)]  # for a connection of their own each
    async with program("--workers", "2", errors=PIPE) as running, AsyncExitStack() as channels:
        where = f"127.0.0.1:{(await running.until('serving'))['port']}"
        streams = []
        for _ in range(6):
            channel = grpc.aio.insecure_channel(where, options=options)
            streams.append(await stream(await channels.enter_async_context(channel)))
        running.process.terminate()
        assert await running.end() == 0
        for each in streams:
            while await each.read():
                pass
            assert await each.code() is grpc.StatusCode.OK
        assert running.process.stderr is not None
        assert not await running.process.stderr.read()
    assert not [line for line in running.lines if line["event"] == "library"]


async def test_a_drain_cancels_what_takes_longer_than_it_may() -> None:
    async with (
        running_server(drain_seconds=0.01) as server,
        grpc.aio.insecure_channel(server.address) as channel,
    ):
        stub = FinspanServiceStub(channel)
        call = long_call(stub, await new_state(stub))
        await until(lambda: server.is_at_work)
        await server.server.drain()
        assert (await refusal_of(call)).code in (grpc.StatusCode.CANCELLED, grpc.StatusCode.UNAVAILABLE)


# Addresses and TLS.


@pytest.mark.parametrize(
    ("host", "expected"),
    [("127.0.0.1", "127.0.0.1:1"), ("::", "[::]:1"), ("[::1]", "[::1]:1"), ("a.b", "a.b:1")],
)
def test_an_address_has_its_ipv6_in_brackets(host: str, expected: str) -> None:
    assert address(host, 1) == expected


async def test_a_port_that_is_taken_cannot_be_had(server: RunningServer) -> None:
    port = int(server.address.rsplit(":")[-1])
    with pytest.raises(CannotServe, match=f"127.0.0.1, port {port}: Address already in use"):
        async with running_server(port=port):
            pass


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


async def test_tls_by_setting(tmp_path: Path) -> None:
    key, cert = certificate("localhost")
    files = {
        "tls_key_file": write(tmp_path / "key.pem", key),
        "tls_cert_file": write(tmp_path / "cert.pem", cert),
    }
    async with running_server(host="localhost", **files) as server:
        trusting = grpc.ssl_channel_credentials(root_certificates=cert)
        async with grpc.aio.secure_channel(server.address, trusting) as channel:
            assert (await new_state(FinspanServiceStub(channel))).version == 0
        async with grpc.aio.insecure_channel(server.address) as channel:
            refusal = await refusal_of(new_state(FinspanServiceStub(channel)))
            assert refusal.code is grpc.StatusCode.UNAVAILABLE


async def test_with_a_client_authority_only_its_clients_are_served(tmp_path: Path) -> None:
    key, cert = certificate("localhost")
    client_key, client_cert = certificate("client")
    files = {
        "tls_key_file": write(tmp_path / "key.pem", key),
        "tls_cert_file": write(tmp_path / "cert.pem", cert),
        "tls_client_ca_file": write(tmp_path / "ca.pem", client_cert),
    }
    async with running_server(host="localhost", **files) as server:
        known = grpc.ssl_channel_credentials(cert, client_key, client_cert)
        async with grpc.aio.secure_channel(server.address, known) as channel:
            assert (await new_state(FinspanServiceStub(channel))).version == 0
        for stranger in (
            grpc.ssl_channel_credentials(cert),
            grpc.ssl_channel_credentials(cert, *certificate("client")),
        ):
            async with grpc.aio.secure_channel(server.address, stranger) as channel:
                refusal = await refusal_of(new_state(FinspanServiceStub(channel)))
                assert refusal.code is grpc.StatusCode.UNAVAILABLE


async def test_a_crowd_of_calls_is_served_one_after_the_other(stub: Stub) -> None:
    """More than gRPC takes in by itself; none is lost."""
    states = await asyncio.gather(*(new_state(stub) for _ in range(1500)))
    assert len(states) == 1500
