"""The service as it is run, a process of its own."""

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

Line = dict[str, Any]


class Program:
    """A running ``python -m service.server``, its log read from its standard output."""

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
async def program(
    *arguments: str, output: int = PIPE, errors: int | None = None, **variables: str
) -> AsyncIterator[Program]:
    """Run a server on a free port; at the end it is killed, if it still runs.

    Args:
        arguments: of the command line.
        output: where its standard output goes.
        errors: where its standard error goes; None: where our own goes.
        variables: of its environment, beside ours.

    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "service.server",
        "--port",
        "0",
        *arguments,
        stdout=output,
        stderr=errors,
        env=os.environ | {"PYTHONUNBUFFERED": ""} | variables,  # as most run it
    )
    try:
        yield Program(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
