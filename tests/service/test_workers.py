"""The program as it is run: processes, signals, one port for several workers."""

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

from finspan.v1 import finspan_pb2 as pb
from finspan.v1.finspan_pb2_grpc import FinspanServiceStub
from service.server import FAILED
from tests.service.support import new_state

Line = dict[str, Any]


class Program:
    """A running ``python -m service.server``."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.lines: list[Line] = []

    async def until(self, event: str, times: int = 1) -> Line:
        """Read on until an event has been logged so often, and return its last line."""
        assert self.process.stdout is not None
        while len(found := [line for line in self.lines if line["event"] == event]) < times:
            self.lines.append(json.loads(await self.process.stdout.readline()))
        return found[-1]

    async def end(self) -> int:
        """Read to the end and return the exit code."""
        assert self.process.stdout is not None
        rest = await self.process.stdout.read()
        self.lines += map(json.loads, rest.splitlines())
        return await self.process.wait()


@asynccontextmanager
async def program(*arguments: str, **variables: str) -> AsyncIterator[Program]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "service.server",
        "--port",
        "0",
        *arguments,
        stdout=PIPE,
        env=os.environ | variables,
    )
    try:
        yield Program(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


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


async def test_workers_that_cannot_serve_end_the_program(tmp_path: Path) -> None:
    file = tmp_path / "no.pem"
    file.touch()
    files = {"FINSPAN_TLS_CERT_FILE": str(file), "FINSPAN_TLS_KEY_FILE": str(file)}
    async with program("--workers", "2", **files) as running:
        assert await running.end() == FAILED
    assert "cannot_serve" in {line["event"] for line in running.lines}
