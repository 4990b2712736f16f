"""A TCP proxy that stands between a store and Redis and cuts or holds what passes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from tests.redis_server import HOST


class Proxy:
    """Passes all on, except what it was told to cut or hold."""

    def __init__(self, port: int) -> None:
        self.port = 0
        self.arrived = 0
        """How many requests with the marked bytes reached Redis."""
        self.marked = b""
        """What the requests hold that count, and whose replies are cut or held."""
        self.cuts = 0
        """How many replies are yet to be cut: they come from Redis, then both sides are closed."""
        self.held: asyncio.Event | None = None
        """While it is there and not set, no such reply is passed on."""
        self.holds = asyncio.Event()
        """Set when a reply is held."""
        self.redis_port = port
        """Where new connections lead."""

    def cut_replies_to(self, marked: bytes, count: int = 1) -> None:
        """Cut the replies to the next requests that hold these bytes."""
        self.marked, self.cuts, self.arrived = marked, count, 0

    async def _pass(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        redis, to_redis = await asyncio.open_connection(HOST, self.redis_port)
        try:
            while request := await client.read(1 << 20):
                is_marked = bool(self.marked) and self.marked in request
                self.arrived += is_marked
                to_redis.write(request)
                # A request and its reply are small here: each comes in one piece, and one after the other.
                reply = await redis.read(1 << 20)
                if is_marked and self.cuts:
                    self.cuts -= 1
                    return
                if is_marked and self.held is not None:
                    self.holds.set()
                    await self.held.wait()
                to_client.write(reply)
        except OSError:
            return
        finally:
            for writer in (to_redis, to_client):
                writer.close()
                with suppress(OSError):
                    await writer.wait_closed()


@asynccontextmanager
async def run_proxy(redis_port: int) -> AsyncIterator[Proxy]:
    """Run a proxy before the Redis at a port."""
    proxy = Proxy(redis_port)
    tasks: set[asyncio.Task[None]] = set()

    def accept(client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        tasks.add(asyncio.create_task(proxy._pass(client, to_client)))

    server = await asyncio.start_server(accept, HOST, 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
