"""A log that cannot be written: lines are lost, and the service goes on."""

import asyncio
import errno
import io
import logging
import os
import signal
from asyncio.subprocess import PIPE, STDOUT
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NoReturn, cast

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from finspan.v1 import finspan_pb2 as pb
from finspan.v1.finspan_pb2_grpc import FinspanServiceStub
from service.engine.rules import legal_moves
from service.logs import forward_libraries, new_log
from service.server import HOSTED, Server, serve, with_keys
from service.settings import load_settings
from service.store.memory import MemoryStore
from tests.examples.envoy import free_port
from tests.hosted.tables import SETTINGS, deciding, known_seats
from tests.service.program import program
from tests.service.support import new_state, refusal_of
from tests.service.test_server import NOT_SERVING, SERVING

FULL = Path("/dev/full")
"""What is written there finds the disk full."""


class Full(io.StringIO):
    """A stream that takes nothing while it is full."""

    is_full = True

    def write(self, text: str) -> int:
        """Take a line, or say that there is no room."""
        if self.is_full:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(text)


class Unread(io.StringIO):
    """A stream that nobody reads, as it finds when it hands on what it took."""

    def flush(self) -> NoReturn:
        """Hand it on."""
        raise BrokenPipeError


def closed() -> io.StringIO:
    stream = io.StringIO()
    stream.close()
    return stream


BROKEN = pytest.mark.parametrize("stream", [Full(), Unread(), closed()], ids=["full", "unread", "closed"])


@BROKEN
def test_lines_that_cannot_be_written_are_lost_which_is_said_once(
    stream: io.StringIO, capsys: pytest.CaptureFixture[str]
) -> None:
    log = new_log(stream)
    for _ in range(3):
        log.info("event")
    assert capsys.readouterr().err.count("The log cannot be written") == 1


def test_nor_need_it_be_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", Full())
    new_log(Full()).info("event")


def test_a_log_that_can_be_written_again_is_written_again() -> None:
    stream = Full()
    log = new_log(stream)
    log.info("first")
    stream.is_full = False
    log.info("second")
    assert "first" not in stream.getvalue()
    assert "second" in stream.getvalue()


@BROKEN
def test_a_library_logs_into_a_log_that_cannot_be_written(stream: io.StringIO) -> None:
    forward_libraries(new_log(stream))
    logging.getLogger("library").error("something")


# A server with such a log.


@asynccontextmanager
async def served(stream: io.StringIO) -> AsyncIterator[tuple[Server, grpc.aio.Channel]]:
    """Run a server whose log goes to a stream, as the program does; at the end it has drained."""
    log, stop, port = new_log(stream), asyncio.Event(), asyncio.get_running_loop().create_future()
    server = Server(with_keys(load_settings(port=0, **SETTINGS), log), log)
    serving = asyncio.ensure_future(serve(server, log, stop, port.set_result))
    async with grpc.aio.insecure_channel(f"127.0.0.1:{await port}") as channel:
        try:
            yield server, channel
        finally:
            stop.set()
            await serving


@BROKEN
async def test_calls_are_answered_and_the_server_drains(stream: io.StringIO) -> None:
    async with served(stream) as (_, channel):
        stub = FinspanServiceStub(channel)
        assert (await new_state(stub)).version == 0
        assert (await refusal_of(stub.NewGame(pb.NewGameRequest(players=9)))).reason == "INVALID_FIELD"
        seats, state = await known_seats(stub)
        reply = await seats.move(deciding(state), 0, legal_moves(state)[0])
        assert reply.version == (await seats.get()).game.version == 1


@BROKEN
async def test_an_unexpected_error_is_told(stream: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    async with served(stream) as (server, channel):
        monkeypatch.setattr(server.seals, "seal", None)
        refusal = await refusal_of(new_state(FinspanServiceStub(channel)))
        assert (refusal.code.name, refusal.reason) == ("INTERNAL", "INTERNAL")


@BROKEN
async def test_the_health_of_hosted_games_goes_on_following_the_store(
    stream: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent = asyncio.Event()

    async def ping(_: MemoryStore) -> None:
        if silent.is_set():
            raise TimeoutError

    monkeypatch.setattr(MemoryStore, "ping", ping)
    monkeypatch.setattr("service.server.STORE_ASKED_SECONDS", 0.001)
    async with served(stream) as (_, channel):
        await hosted_is(channel, SERVING)
        silent.set()
        await hosted_is(channel, NOT_SERVING)
        silent.clear()
        await hosted_is(channel, SERVING)


async def hosted_is(channel: grpc.aio.Channel, expected: int) -> None:
    """Return when the health service says so of hosted games."""
    watch = cast("Any", health_pb2_grpc.HealthStub(channel)).Watch(
        health_pb2.HealthCheckRequest(service=HOSTED)
    )
    while (await watch.read()).status != expected:
        pass
    watch.cancel()


# The program.


async def answers(port: int) -> bool:
    """Return whether a server answers, once it listens."""
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        request = pb.NewGameRequest(players=2)
        return bool((await FinspanServiceStub(channel).NewGame(request, wait_for_ready=True)).state)


@pytest.mark.parametrize(("workers", "errors"), [("1", PIPE), ("1", STDOUT), ("2", PIPE)])
async def test_a_program_whose_log_nobody_reads_serves_and_drains(workers: str, errors: int) -> None:
    """As with ``finspan serve | head -3``, or with ``2>&1`` in it."""
    reading, writing = os.pipe()
    port = free_port()
    async with program("--workers", workers, "--port", str(port), output=writing, errors=errors) as running:
        os.close(writing)
        assert await answers(port)
        os.close(reading)
        assert await answers(port)
        running.process.send_signal(signal.SIGTERM)
        _, told = await running.process.communicate()
        assert running.process.returncode == 0
    if errors == PIPE:
        assert set(told.decode().splitlines()) == {
            "The log cannot be written (BrokenPipeError): lines are lost, the service goes on."
        }


@pytest.mark.skipif(not FULL.exists(), reason="Linux has it")
async def test_a_program_whose_log_is_full_serves_and_drains() -> None:
    port = free_port()
    full = os.open(FULL, os.O_WRONLY)
    async with program("--port", str(port), output=full, errors=PIPE) as running:
        os.close(full)
        assert await answers(port)
        running.process.send_signal(signal.SIGTERM)
        _, told = await running.process.communicate()
        assert running.process.returncode == 0
    assert set(told.decode().splitlines()) == {
        "The log cannot be written (OSError): lines are lost, the service goes on."
    }
