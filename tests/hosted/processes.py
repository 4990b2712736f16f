"""Real processes of the service, and a wire to them that can be cut."""

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import grpc

from finspan.v1.finspan_pb2_grpc import FinspanServiceStub
from tests.service.support import Stub

ROOT = Path(__file__).parents[2]
HOST = "127.0.0.1"


class Program:
    """A running ``python -m service.server``; all that it logs is read."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.lines: list[dict[str, Any]] = []
        self.port = 0
        self._serving = asyncio.Event()
        self.reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            self.lines.append(json.loads(line))
            if self.lines[-1]["event"] == "serving":
                self.port = self.lines[-1]["port"]
                self._serving.set()
        self._serving.set()

    async def serving(self) -> None:
        """Wait until it serves; fails if it ends instead."""
        await self._serving.wait()
        assert self.port, self.lines

    async def kill(self) -> None:
        """Kill it at once, as if its machine had lost its power."""
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()
        await self.reading


@asynccontextmanager
async def program(place: Mapping[str, object], *arguments: str) -> AsyncIterator[Program]:
    """Run the service with these settings; it ends with the context, or with the tests, however they end."""
    variables = {f"FINSPAN_{name.upper()}": str(value) for name, value in place.items()}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "service.server", "--port", "0", "--stop-at-eof", *arguments,
        stdin=PIPE, stdout=PIPE, env=os.environ | variables, cwd=ROOT,
    )  # fmt: skip
    running = Program(process)
    try:
        await running.serving()
        yield running
    finally:
        await running.kill()


@asynccontextmanager
async def stub_at(port: int) -> AsyncIterator[Stub]:
    """Give what speaks to a port, by a connection of its own."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    async with grpc.aio.insecure_channel(f"{HOST}:{port}", options=options) as channel:
        yield FinspanServiceStub(channel)


class Wire:
    """What lies between clients and a server: it passes all on, unless it is to lose the answers."""

    def __init__(self, server_port: int) -> None:
        self.port = 0
        self.loses_answers = False
        """Whether nothing that the server says arrives."""
        self._server_port = server_port
        self._ends: list[asyncio.StreamWriter] = []

    def cut(self) -> None:
        """Cut all connections; later ones are whole."""
        for end in self._ends:
            end.close()
        self._ends.clear()
        self.loses_answers = False

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, answers: bool
    ) -> None:
        with suppress(OSError):
            while data := await reader.read(1 << 16):
                if not (answers and self.loses_answers):
                    writer.write(data)
        writer.close()

    async def join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Connect a client with the server until either hangs up."""
        from_server, to_server = await asyncio.open_connection(HOST, self._server_port)
        self._ends += [writer, to_server]
        await asyncio.gather(
            self._pass(reader, to_server, answers=False), self._pass(from_server, writer, answers=True)
        )


@asynccontextmanager
async def wire_to(server_port: int) -> AsyncIterator[Wire]:
    """Lay a wire before a server."""
    wire, tasks = Wire(server_port), set[asyncio.Task[None]]()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tasks.add(asyncio.create_task(wire.join(reader, writer)))

    server = await asyncio.start_server(accept, HOST, 0)
    wire.port = server.sockets[0].getsockname()[1]
    try:
        yield wire
    finally:
        server.close()
        wire.cut()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
