"""What a crowd, or one bad client, does to a real server: nothing that others notice."""

import asyncio
import os
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack

import grpc
import pytest
from grpc_health.v1 import health_pb2

from finspan.v1 import finspan_pb2 as pb
from finspan.v1.finspan_pb2_grpc import FinspanServiceStub
from service.handlers import SERVICE
from service.settings import Settings
from tests.load import http2
from tests.load.callers import MANY, health, keep_asking, line, long_request, score
from tests.load.program import Program, program, until
from tests.service.support import ask, refusal_of
from tests.service.support import until as eventually

SERVING = health_pb2.HealthCheckResponse.SERVING
MIB = 1 << 20
LIMIT = Settings.model_construct().max_request_bytes


@pytest.fixture(scope="module")
def server() -> Iterator[Program]:
    with program() as running:
        yield running
        assert not running.events("unexpected")
        assert running.process.poll() is None


@pytest.fixture(scope="module")
def impatient() -> Iterator[Program]:
    with program(FINSPAN_KEEPALIVE_SECONDS="1", FINSPAN_KEEPALIVE_TIMEOUT_SECONDS="1") as running:
        yield running


async def assert_answers(server: Program) -> None:
    """Somebody who comes now is answered."""
    async with line(server.address) as channel:
        assert (await score(FinspanServiceStub(channel))).players
        assert await health(channel) == SERVING


# Giants.


def padded(size: int) -> bytes:
    """Return a GetCatalog request of so many bytes; most are of a field that nobody knows."""
    head = b"\xfa\x7f"  # field 2047, with its length
    for digits in range(1, 5):
        length = size - len(head) - digits
        written = bytes(
            (length >> 7 * index & 0x7F) | (0x80 if index < digits - 1 else 0) for index in range(digits)
        )
        if length < 1 << 7 * digits:
            return head + written + bytes(length)
    raise AssertionError(size)


async def code_of(server: Program, method: str, request: bytes) -> str:
    async with line(server.address) as channel:
        try:
            await ask(channel, f"/{SERVICE}/{method}", request)
        except grpc.aio.AioRpcError as error:
            return error.code().name
    return "OK"


async def test_a_request_may_be_as_large_as_the_limit_and_no_larger(server: Program) -> None:
    assert len(padded(LIMIT)) == LIMIT
    assert await code_of(server, "GetCatalog", padded(LIMIT)) == "OK"
    assert await code_of(server, "GetCatalog", padded(LIMIT + 1)) == "RESOURCE_EXHAUSTED"
    await assert_answers(server)


def crowd(tag: int, item: bytes) -> bytes:
    """Return a request with as many items in one field as there is room for."""
    entry = bytes([tag]) + bytes([len(item)]) + item
    return entry * ((LIMIT - 1024) // len(entry))


CROWDS = {
    "moves": ("ApplyMove", crowd(0x1A, b"")),
    "moves asked about": ("LegalMoves", crowd(0x22, b"")),
    "empty names": ("NewGame", crowd(0x22, b"")),
    "names": ("NewGame", crowd(0x22, b"ab")),
    "options": ("NewGame", crowd(0x12, b"\x08\x01")),
    "players": ("Score", crowd(0x0A, b"\x22\x00")),
    "the same field": ("GetCatalog", crowd(0x0A, b"")),
}


@pytest.mark.parametrize(("method", "request_"), CROWDS.values(), ids=CROWDS)
async def test_half_a_million_entries_are_answered_promptly(
    server: Program, method: str, request_: bytes
) -> None:
    calls = asyncio.gather(*(code_of(server, method, request_) for _ in range(3)))
    await assert_answers(server)
    assert set(await calls) <= {"OK", "INVALID_ARGUMENT"}


def nested(depth: int) -> bytes:
    """Return a field that nobody knows, in which there is one more, and so on."""
    inner = b""
    for _ in range(depth):
        written = len(inner).to_bytes(4, "little")
        size = int.from_bytes(written, "little")
        inner = (
            b"\xfa\x7f"
            + bytes((size >> 7 * part & 0x7F) | (0x80 if part < 3 else 0) for part in range(4))
            + inner
        )
    return inner


@pytest.mark.parametrize(
    "request_",
    [
        nested(20_000),
        b"\xfb\x7f" * 100 + b"\xfc\x7f" * 100,
        b"\xfb\x7f" * 250_000 + b"\xfc\x7f" * 250_000,
        b"\xfb\x7f" * 500_000,
    ],
    ids=["lengths", "groups", "many groups", "open groups"],
)
@pytest.mark.parametrize("method", ["GetCatalog", "Score"])
async def test_depth_is_answered_promptly(server: Program, method: str, request_: bytes) -> None:
    assert await code_of(server, method, request_) in {"OK", "INVALID_ARGUMENT"}
    await assert_answers(server)


# Bad lines.


async def test_callers_who_go_away_in_the_middle_leave_nothing_behind(server: Program) -> None:
    """Some while they speak, some while they are answered, some have only connected."""
    request = http2.call("SampleStates", long_request().SerializeToString())
    for cut in (0, 10, 60, 200, len(request) - 1, len(request)):
        with http2.connection(server.port, http2.opening(), request[:cut]):
            pass
    async with line(server.address) as channel:
        stub = FinspanServiceStub(channel)
        calls = [stub.SampleStates(long_request()) for _ in range(20)]
        await asyncio.sleep(0.05)
        for call in calls:
            call.cancel()
    await assert_answers(server)


async def test_calls_without_a_message_take_nobodys_place_and_hold_up_no_end() -> None:
    """gRPC takes such a call for cancelled and never shows it to the service."""
    calls = [http2.empty_call("Score", stream) for stream in range(1, 200, 2)]
    with (
        program(FINSPAN_MAX_CALLS="10", FINSPAN_DRAIN_SECONDS="600") as server,
        http2.connection(server.port, http2.opening(), *calls),
    ):
        await assert_answers(server)
        server.send(signal.SIGTERM)
        assert server.end() == 0


@pytest.mark.parametrize(
    "said", [b"", http2.PREFACE[:10], http2.opening()], ids=["nothing", "half", "a greeting"]
)
async def test_a_line_whose_other_end_is_gone_is_closed(impatient: Program, said: bytes) -> None:
    """Nobody there answers when it is asked whether it still lives."""
    with http2.connection(impatient.port, said) as half_open:
        assert not http2.is_closed(half_open)
        until(lambda: http2.is_closed(half_open), 20)
    await assert_answers(impatient)


SLOW = 12
ROUNDS = 3


@pytest.mark.long
async def test_readers_who_do_not_read_hold_up_nobody_and_their_memory_is_used_again() -> None:
    request = http2.call("SampleStates", long_request().SerializeToString())
    used = []
    with program() as server:
        for _ in range(ROUNDS):
            with ExitStack() as lines:
                for _ in range(SLOW):
                    lines.enter_context(http2.connection(server.port, http2.opening(window=0), request))
                await assert_answers(server)
                await asyncio.sleep(0.2 * SLOW)
            await assert_answers(server)
            used.append(server.memory)
    assert used[-1] - used[0] < 16 * MIB


@pytest.mark.long
async def test_a_server_has_forgotten_what_was_asked() -> None:
    """Its memory does not grow with the calls, once what it keeps on purpose is full."""
    used = []
    with program(FINSPAN_KEPT_STATES="10") as server:
        for _ in range(3):
            async with line(server.address) as channel:
                stub = FinspanServiceStub(channel)
                for _ in range(10):
                    await asyncio.gather(*(score(stub) for _ in range(50)))
                await stub.SampleStates(long_request())
            used.append(server.memory)
    assert used[-1] - used[1] < 8 * MIB


# Crowds.


class _Crowd:
    """Connections that are all there before the first of them asks."""

    def __init__(self, size: int) -> None:
        self._missing = size
        self._complete = asyncio.Event()

    async def ask(self, server: Program) -> pb.ScoreResponse:
        async with line(server.address) as channel:
            await channel.channel_ready()
            self._missing -= 1
            if not self._missing:
                self._complete.set()
            await self._complete.wait()
            return await score(FinspanServiceStub(channel))


@pytest.mark.parametrize("connections", [100, pytest.param(500, marks=pytest.mark.long)])
async def test_many_connections_at_once_are_all_answered(server: Program, connections: int) -> None:
    crowd_ = _Crowd(connections)
    replies = await asyncio.gather(*(crowd_.ask(server) for _ in range(connections)))
    assert len([reply for reply in replies if reply.players]) == connections
    await assert_answers(server)


@pytest.mark.parametrize("seconds", [2, pytest.param(30, marks=pytest.mark.long)])
async def test_health_answers_under_a_full_load_of_long_calls(server: Program, seconds: float) -> None:
    """Long calls let others have their turn: no caller's patience runs out."""
    async with line(server.address) as busy, line(server.address) as channel:
        stub = FinspanServiceStub(busy)
        end = asyncio.get_running_loop().time() + seconds

        async def keep_busy() -> None:
            while asyncio.get_running_loop().time() < end:
                assert len((await stub.SampleStates(long_request())).states) == MANY

        load = asyncio.gather(*(keep_busy() for _ in range(8)))
        answers = []
        while not load.done():
            answers.append(await health(channel))
            await asyncio.sleep(0.02)
        await load
    assert set(answers) == {SERVING}


async def test_more_calls_than_a_worker_takes_are_told_to_come_later() -> None:
    with program(FINSPAN_MAX_CALLS="2") as server:
        async with line(server.address) as channel:
            stub = FinspanServiceStub(channel)
            calls = [asyncio.ensure_future(stub.SampleStates(long_request())) for _ in range(2)]
            await asyncio.sleep(0.1)
            refusals = [await refusal_of(score(stub)) for _ in range(1) if not any(c.done() for c in calls)]
            await asyncio.gather(*calls)
        assert all(refusal.reason == "TOO_MANY_CALLS" and refusal.retry_seconds for refusal in refusals)
        await assert_answers(server)


# Its end.


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.long)])
async def test_a_drain_under_load_loses_no_call_that_was_taken(workers: int) -> None:
    """What callers saw answered is what the log says was answered; the rest was told to go elsewhere."""
    outcomes: Counter[str] = Counter()
    with program("--workers", str(workers)) as server:
        callers = asyncio.gather(
            *(keep_asking(server.address, outcomes, lambda: outcomes["UNAVAILABLE"] > 0) for _ in range(20))
        )
        await eventually(lambda: outcomes["OK"] >= 100)
        server.send(signal.SIGTERM)
        await callers
        assert server.end() == 0
    logged = Counter(entry["code"] for entry in server.events("call"))
    assert set(outcomes) == {"OK", "UNAVAILABLE"}
    assert logged["OK"] == outcomes["OK"]
    assert set(logged) <= {"OK", "UNAVAILABLE"}


async def test_a_worker_that_is_killed_under_load_is_not_missed() -> None:
    """The calls that it had in hand are lost and told so; asked again, every one is answered."""
    outcomes: Counter[str] = Counter()
    with program("--workers", "2") as server:
        callers = asyncio.gather(
            *(
                keep_asking(
                    server.address, outcomes, lambda: bool(server.events("worker_died")), patient=True
                )
                for _ in range(10)
            )
        )
        await eventually(lambda: outcomes["OK"] >= 50)
        os.kill(server.events("worker_started")[0]["pid"], signal.SIGKILL)
        await asyncio.wait_for(callers, 40)
        assert set(outcomes) <= {"OK", "UNAVAILABLE"}
        await eventually(lambda: len(server.events("worker_started")) == 3)
        await assert_answers(server)
        server.send(signal.SIGTERM)
        assert server.end() == 0
