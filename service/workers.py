"""Several processes on one port: the parent keeps the port, starts the workers, and restarts those that die.

The kernel spreads connections over all sockets that listen on a port with SO_REUSEPORT. Workers are spawned,
not forked, since gRPC does not survive a fork.
"""

import asyncio
import multiprocessing
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from time import monotonic
from typing import Any, Final

from service.logs import Log
from service.settings import Settings

Work = Callable[[Settings, int, Connection], None]
"""What a worker process does: it gets the settings, its number, and a connection to its parent."""

_SPAWN: Final = multiprocessing.get_context("spawn")

FIRST_DELAY: Final = 0.1
LONGEST_DELAY: Final = 10.0
"""Seconds before a worker that died is started again: they double from the first to the longest ..."""
STEADY_AFTER: Final = 30.0
"""... and begin anew after a worker has lived for so long."""
_KILL_AFTER: Final = 5.0
"""Seconds beyond its time to drain after which a worker is killed."""


class CannotServe(RuntimeError):
    """The port cannot be had, or a worker could not begin to serve."""


def _bound(free: socket.socket, where: Any, *options: int) -> socket.socket:  # noqa: ANN401  as sockets have it
    """Bind a socket. With SO_REUSEADDR what lingers of an earlier server's connections is no hindrance."""
    try:
        for option in options:
            free.setsockopt(socket.SOL_SOCKET, option, 1)
        free.bind(where)
    except OSError:
        free.close()
        raise
    return free


@contextmanager
def _free(host: str, port: int) -> Iterator[tuple[int, int, Any]]:
    """Yield family, kind and address of a port that is free.

    Raises:
        CannotServe: the address cannot be had, for example because some other server listens there.

    """
    try:
        family, kind, _, _, where = socket.getaddrinfo(
            host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        _bound(socket.socket(family, kind), where, socket.SO_REUSEADDR).close()  # fails if somebody listens
        yield family, kind, where
    except OSError as error:
        raise CannotServe(f"{host}, port {port}: {error.strerror}") from error


def require_free(host: str, port: int) -> None:
    """Return if a port is free; gRPC itself says less clearly that one is not.

    Raises:
        CannotServe: the address cannot be had, for example because some other server listens there.

    """
    with _free(host, port):
        pass


@contextmanager
def kept_port(host: str, port: int) -> Iterator[int]:
    """Keep a port for workers to share; 0 takes a free one.

    The socket that keeps it never listens, so the kernel sends no connection its way.

    Raises:
        CannotServe: the address cannot be had, for example because some other server listens there.

    """
    with _free(host, port) as (family, kind, where):
        keeper = _bound(socket.socket(family, kind), where, socket.SO_REUSEADDR, socket.SO_REUSEPORT)
    with keeper:
        # It was to be had; from here on no other server may have it, even while no worker listens.
        keeper.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)
        yield keeper.getsockname()[1]


async def _first_of(*events: asyncio.Event) -> None:
    """Wait until one of several events is set."""
    waits = [asyncio.ensure_future(event.wait()) for event in events]
    await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for wait in waits:
        wait.cancel()


async def _within(seconds: float, event: asyncio.Event) -> None:
    """Wait until an event is set, but no longer than so many seconds."""
    with suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)


class Crew:
    """The workers of one parent process."""

    def __init__(self, settings: Settings, log: Log, work: Work) -> None:
        self._settings = settings
        self._log = log
        self._work = work
        self._processes: dict[int, SpawnProcess] = {}
        self._serving: set[int] = set()
        self._failed = False

    async def serve(self, stop: asyncio.Event, is_serving: Callable[[int], None]) -> None:
        """Keep the crew complete until told to stop, then let it drain.

        Args:
            stop: is set to stop.
            is_serving: is called with the port once all workers serve.

        Raises:
            CannotServe: the port cannot be had, or a worker ended before it had served.

        """
        self._stop = stop
        self._is_serving = is_serving
        with kept_port(self._settings.host, self._settings.port) as port:
            self._settings = self._settings.model_copy(update={"port": port})
            await asyncio.gather(*map(self._keep_filled, range(self._settings.workers)))
        if self._failed:
            raise CannotServe("a worker ended before it could serve")

    def kill(self) -> None:
        """End all workers at once and return when they have ended; their calls are lost."""
        processes = tuple(self._processes.values())
        for process in processes:
            process.kill()
        for process in processes:
            process.join()

    async def _keep_filled(self, number: int) -> None:
        """Fill one place of the crew again and again."""
        delay = FIRST_DELAY
        while not self._stop.is_set():
            started = monotonic()
            exit_code = await self._employ(number)
            if self._stop.is_set():
                return
            if number not in self._serving:
                self._failed = True
                self._stop.set()
                return
            if monotonic() - started > STEADY_AFTER:
                delay = FIRST_DELAY
            self._log.error("worker_died", worker=number, exit_code=exit_code, restart_in=delay)
            await _within(delay, self._stop)
            delay = min(2 * delay, LONGEST_DELAY)

    async def _employ(self, number: int) -> int | None:
        """Run one worker process to its end and return its exit code; when told to stop, let it drain."""
        ours, theirs = _SPAWN.Pipe()
        process = _SPAWN.Process(target=self._work, args=(self._settings, number, theirs), daemon=True)
        process.start()
        self._processes[number] = process
        theirs.close()
        self._log.info("worker_started", worker=number, pid=process.pid)
        loop, ended = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(process.sentinel, ended.set)
        loop.add_reader(ours.fileno(), self._hear, number, ours)
        try:
            await _first_of(ended, self._stop)
            await self._dismiss(process, ended)
        finally:
            loop.remove_reader(process.sentinel)
            loop.remove_reader(ours.fileno())
            ours.close()
        process.join()
        return process.exitcode

    async def _dismiss(self, process: SpawnProcess, ended: asyncio.Event) -> None:
        """Tell a worker that still lives to drain; kill it if it takes much longer than it may."""
        if ended.is_set():
            return
        process.terminate()
        patience = self._settings.drain_delay_seconds + self._settings.drain_seconds + _KILL_AFTER
        await _within(patience, ended)
        if not ended.is_set():
            process.kill()
            await ended.wait()

    def _hear(self, number: int, worker: Connection) -> None:
        """Note that a worker serves; it says nothing else, and its end is noticed elsewhere."""
        asyncio.get_running_loop().remove_reader(worker.fileno())
        try:
            port = worker.recv()
        except EOFError:
            return
        is_news = number not in self._serving
        self._serving.add(number)
        if is_news and len(self._serving) == self._settings.workers:
            self._is_serving(port)
