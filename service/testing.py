"""A server for tests: in the same process and event loop, on a free port, its log in memory."""

import io
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from service.logs import new_log
from service.seal import Seals
from service.server import Server, with_keys
from service.settings import load_settings


class RunningServer(NamedTuple):
    """A server that serves: where, what it logs, and its keys at work."""

    address: str
    log: io.StringIO
    server: Server

    @property
    def seals(self) -> Seals:
        """The server's keys."""
        return self.server.seals

    @property
    def is_at_work(self) -> bool:
        """Whether any call is at work."""
        return self.server.calls.at_work > 0

    def log_lines(self) -> list[dict[str, Any]]:
        """Return what has been logged so far, a dictionary for each line."""
        return [json.loads(line) for line in self.log.getvalue().splitlines()]


@asynccontextmanager
async def running_server(**given: object) -> AsyncIterator[RunningServer]:
    """Run a server with these settings, else those of the environment; at the end it stops at once.

    Example:
        async with running_server() as server, grpc.aio.insecure_channel(server.address) as channel:
            await FinspanServiceStub(channel).NewGame(NewGameRequest(players=2))

    """
    log = io.StringIO()
    settings = load_settings(**{"port": 0, **given})
    server = Server(with_keys(settings, new_log(log)), new_log(log))
    port = await server.start()
    try:
        yield RunningServer(f"{settings.host}:{port}", log, server)
    finally:
        await server.stop()
