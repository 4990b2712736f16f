"""The program as it is run: processes, signals, one port for several workers."""

import asyncio
import io
import json
import os
import signal
import socket
from multiprocessing import Pipe
from pathlib import Path

import grpc
import pytest

from finspan.v1 import finspan_pb2 as pb
from finspan.v1.finspan_pb2_grpc import FinspanServiceStub
from service.logs import new_log
from service.server import work
from service.settings import load_settings
from service.workers import CannotServe, Crew, kept_port, require_free
from tests.hosted.tables import SETTINGS
from tests.service.program import program
from tests.service.support import new_state

HOST = "127.0.0.1"


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def calls(port: int, count: int) -> None:
    """Make so many calls, each on a connection of its own, as the kernel spreads connections."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    for _ in range(count):
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=options) as channel:
            stub = FinspanServiceStub(channel)
            state = await new_state(stub)
            await stub.Score(pb.ScoreRequest(state=state), wait_for_ready=True)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_one_process_serves_and_drains_on_a_signal(number: signal.Signals) -> None:
    async with program() as running:
        serving = await running.until("serving")
        assert serving["workers"] == 1
        await calls(serving["port"], 2)
        running.process.send_signal(number)
        assert await running.end() == 0
    assert [line["event"] for line in running.lines[-2:]] == ["draining", "stopped"]


async def test_the_same_signal_again_ends_it_at_once() -> None:
    async with program(FINSPAN_DRAIN_DELAY_SECONDS="60") as running:
        await running.until("serving")
        running.process.terminate()
        await running.until("draining")
        running.process.terminate()
        assert await running.end() == -signal.SIGTERM


async def test_the_same_signal_again_ends_the_workers_first() -> None:
    async with program("--workers", "2", FINSPAN_DRAIN_DELAY_SECONDS="60") as running:
        port = (await running.until("serving"))["port"]
        pids = [line["pid"] for line in running.lines if line["event"] == "worker_started"]
        running.process.terminate()
        await running.until("draining", times=2)
        running.process.terminate()
        assert await running.process.wait() == -signal.SIGTERM
        assert not any(map(is_alive, pids))
        require_free("127.0.0.1", port)


async def test_workers_share_a_port_and_a_key_and_are_replaced() -> None:
    """Any worker takes any call, also on a state that another one sealed; one that dies is not missed."""
    async with program("--workers", "2") as running:
        serving = await running.until("serving")
        assert serving["workers"] == 2
        pids = [line["pid"] for line in running.lines if line["event"] == "worker_started"]
        assert len(pids) == 2
        async with grpc.aio.insecure_channel(f"127.0.0.1:{serving['port']}") as channel:
            state = await new_state(FinspanServiceStub(channel))
        await calls(serving["port"], 12)
        os.kill(pids[0], signal.SIGKILL)
        died = await running.until("worker_died")
        assert died["exit_code"] == -signal.SIGKILL
        await calls(serving["port"], 4)
        pids.append((await running.until("worker_started", times=3))["pid"])
        for _ in range(8):
            options = [("grpc.use_local_subchannel_pool", 1)]
            async with grpc.aio.insecure_channel(f"127.0.0.1:{serving['port']}", options=options) as channel:
                await FinspanServiceStub(channel).Score(pb.ScoreRequest(state=state), wait_for_ready=True)
        running.process.terminate()
        assert await running.end() == 0
    assert {line["worker"] for line in running.lines if line["event"] == "call"} == {0, 1}
    assert not any(map(is_alive, pids))


async def test_workers_do_not_outlive_a_parent_that_is_killed() -> None:
    async with program("--workers", "2") as running:
        await running.until("serving")
        running.process.kill()
        await running.end()  # which is when the last of them has closed its output
    assert [line["event"] for line in running.lines].count("stopped") == 2


def test_a_worker_whose_parent_ended_before_it_served_drains(capsys: pytest.CaptureFixture[str]) -> None:
    parent, own_end = Pipe()
    parent.close()
    with pytest.raises(SystemExit) as ended:
        work(load_settings(port=0, **SETTINGS), 0, own_end)
    assert ended.value.code == 0
    events = [json.loads(line)["event"] for line in capsys.readouterr().out.splitlines()]
    assert events == ["draining", "stopped"]


async def test_workers_that_cannot_serve_end_the_program(tmp_path: Path) -> None:
    """As when files have changed since the settings were looked at."""
    file = tmp_path / "no.pem"
    file.touch()
    files = {"tls_cert_file": file, "tls_key_file": file}
    settings = load_settings(port=0, workers=2, **SETTINGS).model_copy(update=files)
    served: list[int] = []
    with pytest.raises(CannotServe, match="before it could serve"):
        await Crew(settings, new_log(io.StringIO()), work).serve(asyncio.Event(), served.append)
    assert not served


# The port that the parent keeps.


def served_port() -> int:
    """Return a port that a server served and left, with a connection that it ended and that so lingers."""
    with socket.create_server((HOST, 0)) as server:
        address: tuple[str, int] = server.getsockname()
        with socket.create_connection(address) as client:
            server.accept()[0].close()
            assert not client.recv(1)
    with pytest.raises(OSError, match="in use"), socket.socket() as plain:
        plain.bind(address)
    return address[1]


def test_connections_of_an_earlier_server_are_no_hindrance() -> None:
    port = served_port()
    with kept_port(HOST, port) as kept:
        assert kept == port


async def test_workers_follow_on_one_process_at_once() -> None:
    port = served_port()
    async with program("--workers", "2", "--port", str(port)) as running:
        assert (await running.until("serving"))["port"] == port
        await calls(port, 2)


def test_a_port_that_is_kept_cannot_be_had_even_if_nobody_listens() -> None:
    for port in (0, served_port()):
        with kept_port(HOST, port) as kept, pytest.raises(CannotServe, match="in use"):
            require_free(HOST, kept)
