"""The only place where things are put together: settings, keys, handlers, health, signals.

``python -m service.server`` runs the service until SIGTERM or SIGINT, and then drains: it says NOT_SERVING,
takes no further calls, and ends when those in hand have ended.
"""

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import Connection
from types import FrameType
from typing import Any, Final

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2_grpc
from pydantic import SecretStr

from service.engine.rules import RULES_VERSION
from service.handlers import SERVICE, method_handlers
from service.handlers.calls import Calls
from service.logs import Log, end_output, forward_libraries, new_log
from service.seal import Seals, SealUnavailable, new_key, read_keys
from service.settings import PREFIX, BadSettings, Settings, load_settings, unknown_variables
from service.store import Store, StoreUnavailable
from service.store.causes import cause_of
from service.store.memory import MemoryStore
from service.store.redis import RedisStore
from service.store.redis_settings import RedisMode, RedisSettings
from service.streams import Health, Reflection
from service.workers import CannotServe, Crew, require_free

FAILED: Final = 1
"""The exit code of a server that could not serve."""
BAD_USAGE: Final = 2
"""The exit code after wrong arguments or settings."""
HOSTED: Final = "finspan.v1.hosted"
"""The name by which the health service knows hosted games; it follows the store."""
_SERVING: Final = health_pb2.HealthCheckResponse.SERVING
_NOT_SERVING: Final = health_pb2.HealthCheckResponse.NOT_SERVING
STORE_ASKED_SECONDS: Final = 1.0
"""How often the store is asked whether it answers."""
CANCELLED_AGAIN_SECONDS: Final = 0.1
"""After how long a task that was cancelled and goes on is cancelled again."""
MIN_PING_SECONDS: Final = 10
"""A client that asks more often whether an idle connection still lives is cut off."""
MAX_WAITING_CALLS: Final = 10_000
"""How many calls wait to be taken in at most; gRPC cancels what comes then, and by default from 1000 on."""
LAST_WORDS_SECONDS: Final = 1.0
"""How long the last replies may take to be sent."""
Handler = Callable[[int, FrameType | None], None] | signal.Handlers
"""What handles a signal."""
_CHUNK: Final = 4096
"""How many bytes of the standard input are read at once; they say nothing."""


def address(host: str, port: int) -> str:
    """Return an address as gRPC writes it, IPv6 in brackets."""
    bare = host.strip("[]")
    return f"[{bare}]:{port}" if ":" in bare else f"{bare}:{port}"


def credentials(settings: Settings) -> grpc.ServerCredentials | None:
    """Return what a server with TLS shows, None for one without."""
    if settings.tls_cert_file is None or settings.tls_key_file is None:
        return None
    pair = settings.tls_key_file.read_bytes(), settings.tls_cert_file.read_bytes()
    authorities = settings.tls_client_ca_file
    return grpc.ssl_server_credentials(
        [pair], authorities.read_bytes() if authorities else None, require_client_auth=authorities is not None
    )


def _options(settings: Settings, *, shares_port: bool) -> list[tuple[str, int]]:
    return [
        ("grpc.so_reuseport", int(shares_port)),
        ("grpc.server.max_pending_requests", MAX_WAITING_CALLS),
        ("grpc.server.max_pending_requests_hard_limit", MAX_WAITING_CALLS),
        ("grpc.max_receive_message_length", settings.max_request_bytes),
        ("grpc.max_send_message_length", settings.max_reply_bytes),
        ("grpc.keepalive_time_ms", settings.keepalive_seconds * 1000),
        ("grpc.keepalive_timeout_ms", settings.keepalive_timeout_seconds * 1000),
        ("grpc.http2.ping_timeout_ms", settings.keepalive_timeout_seconds * 1000),  # else a minute
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_recv_ping_interval_without_data_ms", MIN_PING_SECONDS * 1000),
    ]


async def _why_silent(store: Store) -> str:
    """Return the kind of error that a store answers with instead of serving; empty if it serves."""
    try:
        await store.ping()
    except Exception as error:  # noqa: BLE001  whatever it is, games are not served
        return cause_of(error)
    return ""


class Server:
    """A gRPC server of the service in this process and event loop."""

    def __init__(self, settings: Settings, log: Log, *, shares_port: bool = False) -> None:
        """Put a server together; `start` opens its port.

        Args:
            settings: all of them, with a seal key (see `with_keys`).
            log: where its lines go.
            shares_port: whether other processes listen on the same port.

        """
        self._settings = settings
        self._log = log
        self._shares_port = shares_port
        self._watch: asyncio.Task[None] | None = None
        self._server = grpc.aio.server(options=_options(settings, shares_port=shares_port))
        self._drained = asyncio.Event()
        self._health = Health(self._drained)
        self.seals = Seals(read_keys(settings.seal_keys.get_secret_value()))
        self.calls = Calls(settings, log)
        self.store = open_store(settings)
        handlers = method_handlers(settings, self.seals, self.calls, self.store)
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        names = SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME
        # typed as `Any`, since the generated code has no types
        add_reflection: Any = reflection_pb2_grpc.add_ServerReflectionServicer_to_server
        add_reflection(Reflection(names, self._drained), self._server)

    async def start(self) -> int:
        """Begin to serve and return the port.

        Raises:
            CannotServe: the address cannot be had, or the certificate and its key are none.

        """
        for name in ("", SERVICE):
            await self._health.set(name, _SERVING)
        await self._health.set(HOSTED, _NOT_SERVING)  # until the store has answered
        where = address(self._settings.host, self._settings.port)
        if not self._shares_port:
            require_free(self._settings.host, self._settings.port)
        try:
            port = self._open(where)
        except RuntimeError as error:
            raise CannotServe(str(error)) from error
        await self._server.start()
        if self.store is not None:
            self._watch = asyncio.create_task(self._follow(self.store))
        return port

    async def _follow(self, store: Store) -> None:
        """Let the health of hosted games follow that of their store."""
        answered: bool | None = None
        while True:
            cause = await _why_silent(store)
            answers = not cause
            if answers != answered:
                await self._health.set(HOSTED, _SERVING if answers else _NOT_SERVING)
            if answers != answered and not (answers and answered is None):
                self._log.warning("store", answers=answers, **({"cause": cause} if cause else {}))
            if answers and not answered:
                await self._warn_of(store)
            answered = answers
            await asyncio.sleep(STORE_ASKED_SECONDS)

    async def _warn_of(self, store: Store) -> None:
        """Log what is set at the store itself so that games may be lost there."""
        with suppress(StoreUnavailable):  # it is asked again when it answers
            for text in await store.concerns():
                self._log.warning("store_setting", text=text)

    def _open(self, where: str) -> int:
        identity = credentials(self._settings)
        if identity is None:
            return self._server.add_insecure_port(where)
        return self._server.add_secure_port(where, identity)

    async def drain(self) -> None:
        """Say NOT_SERVING, take no further calls, and return when those in hand have ended."""
        await self._health.enter_graceful_shutdown()
        await asyncio.sleep(self._settings.drain_delay_seconds)
        await self.calls.close(self._settings.drain_seconds)
        self._drained.set()
        await self._server.stop(None if self.calls.at_work else LAST_WORDS_SECONDS)
        await self._let_go()

    async def stop(self) -> None:
        """End at once; calls in hand are cancelled."""
        await self._server.stop(None)
        await self._let_go()

    async def _let_go(self) -> None:
        """Let go of the store."""
        while self._watch is not None and not self._watch.done():
            # Again, if need be: `asyncio.wait_for`, which redis-py uses, may swallow one in Python 3.11.
            self._watch.cancel()
            await asyncio.wait([self._watch], timeout=CANCELLED_AGAIN_SECONDS)
        if self.store is not None:
            await self.store.close()


def with_keys(settings: Settings, log: Log) -> Settings:
    """Return the settings with keys to seal and to sign with; one that had to be made is warned about."""
    made = {}
    for name, work in (("seal_keys", "seals"), ("token_keys", "signs")):
        if not getattr(settings, name).get_secret_value():
            made[name] = SecretStr(new_key())
            setting = f"{PREFIX}{name.upper()}"
            text = f"{setting} is not set: what this server {work} is worth nothing elsewhere or later"
            log.warning("key_made", setting=setting, text=text)
    return settings.model_copy(update=made)


def open_store(settings: Settings) -> Store | None:
    """Return where hosted games are kept: in Redis, or in the memory of a single worker; else nowhere."""
    url = settings.redis_url.get_secret_value()
    if not url:
        return MemoryStore() if settings.hosts_games else None
    return RedisStore(redis_settings(url, settings))


def redis_settings(url: str, settings: Settings) -> RedisSettings:
    """Return how to talk to Redis."""
    seconds = settings.redis_timeout_seconds
    given = RedisSettings.of_url(
        url,
        mode=RedisMode(settings.redis_mode),
        master=settings.redis_sentinel_master,
        tls_ca_file=settings.redis_ca_file,
        tls_cert_file=settings.redis_cert_file,
        tls_key_file=settings.redis_key_file,
        prefix=f"{settings.redis_prefix}:",
        connect_seconds=seconds / 2,
        reply_seconds=seconds / 2,
        call_seconds=seconds,
    )
    return replace(given, nodes=(*given.nodes, *settings.further_sentinels))


def stop_event(again: Handler = signal.SIG_DFL) -> asyncio.Event:
    """Return an event that SIGTERM and SIGINT set; what handles the same signal again ends the process."""
    event, loop = asyncio.Event(), asyncio.get_running_loop()

    def stop(number: signal.Signals) -> None:
        event.set()
        signal.signal(number, again)

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop, number)
    return event


def ending_with(crew: Crew) -> Handler:
    """Return what handles a signal: it ends all workers at once, and then this process by the same signal."""

    def end(number: int, _: FrameType | None) -> None:
        crew.kill()
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)

    return end


def stop_at_eof(stop: asyncio.Event) -> None:
    """Let the end of the standard input set an event too.

    So a server ends with whoever started it and holds the other end of that pipe, however their end came.
    """
    loop, stdin = asyncio.get_running_loop(), sys.stdin.fileno()

    def hear() -> None:
        if not os.read(stdin, _CHUNK):
            loop.remove_reader(stdin)
            stop.set()

    loop.add_reader(stdin, hear)


def _keeping(settings: Settings) -> str:
    """Return where hosted games are kept, as the log says it."""
    if settings.redis_url.get_secret_value():
        return "redis"
    return "memory" if settings.hosts_games else "no"


def announce(settings: Settings, log: Log, port: int) -> None:
    """Log the line that says that all workers serve."""
    log.info(
        "serving",
        host=settings.host,
        port=port,
        workers=settings.workers,
        hosted=_keeping(settings),
        tls=settings.tls_cert_file is not None,
        rules_version=RULES_VERSION,
    )


async def serve(server: Server, log: Log, stop: asyncio.Event, is_serving: Callable[[int], None]) -> None:
    """Serve until told to stop, then drain; ``is_serving`` is called with the port once it is open."""
    is_serving(await server.start())
    await stop.wait()
    log.info("draining")
    await server.drain()
    log.info("stopped")


async def _serve_shared(settings: Settings, log: Log, parent: Connection) -> None:
    """Serve as one of several workers; the end of the parent, however it came, ends the worker too."""
    stop = stop_event()
    asyncio.get_running_loop().add_reader(parent.fileno(), stop.set)

    def tell(port: int) -> None:
        with suppress(BrokenPipeError):  # the parent has ended, which is heard of by itself
            parent.send(port)

    await serve(Server(settings, log, shares_port=True), log, stop, tell)


def work(settings: Settings, number: int, parent: Connection) -> None:
    """Be a worker process: serve on the port that the parent keeps, and tell it when it is open."""
    log = new_log(level=settings.log_level).bind(worker=number)
    sys.exit(_run(_serve_shared(settings, log, parent), log))


async def _serve_all(settings: Settings, log: Log, *, until_eof: bool) -> None:
    crew = Crew(settings, log, work) if settings.workers > 1 else None
    stop = stop_event(ending_with(crew) if crew else signal.SIG_DFL)
    if until_eof:
        stop_at_eof(stop)

    def is_serving(port: int) -> None:
        announce(settings, log, port)

    if crew:
        await crew.serve(stop, is_serving)
    else:
        await serve(Server(settings, log), log, stop, is_serving)


def _run(serving: Coroutine[None, None, None], log: Log) -> int:
    """Run to the end and return the exit code; why it could not serve stands in the log."""
    forward_libraries(log)
    try:
        asyncio.run(serving)
    except (CannotServe, SealUnavailable, OSError) as error:
        log.error("cannot_serve", text=str(error))  # noqa: TRY400  what went wrong is no fault of the code
        return FAILED
    finally:
        end_output()
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run the service with these arguments and the environment's settings; return its exit code."""
    parser = argparse.ArgumentParser(prog="finspan serve", description="Runs the Finspan rules service.")
    parser.add_argument("--host", help=f"the address to listen on (or {PREFIX}HOST)")
    parser.add_argument("--port", type=int, help=f"the port, 0 for a free one (or {PREFIX}PORT)")
    parser.add_argument("--workers", type=int, help=f"how many processes (or {PREFIX}WORKERS)")
    parser.add_argument(
        "--stop-at-eof", action="store_true", help="stop, as at SIGTERM, when the standard input ends"
    )
    arguments = vars(parser.parse_args(argv))
    until_eof = arguments.pop("stop_at_eof")
    try:
        settings = load_settings(**arguments)
    except BadSettings as error:
        parser.exit(BAD_USAGE, f"{error}\n")
    log = new_log(level=settings.log_level)
    for name in unknown_variables(os.environ):
        log.warning("unknown_setting", setting=name, text="there is no such setting; is it misspelt?")
    settings = with_keys(settings, log)
    return _run(_serve_all(settings, log, until_eof=until_eof), log)


if __name__ == "__main__":
    sys.exit(main())
