"""The only place where things are put together: settings, keys, handlers, health, signals.

``python -m service.server`` runs the service until SIGTERM or SIGINT, and then drains: it says NOT_SERVING,
takes no further calls, and ends when those in hand have ended.
"""

import argparse
import asyncio
import signal
import sys
from collections.abc import Callable, Coroutine, Sequence
from multiprocessing.connection import Connection
from typing import Final

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from pydantic import SecretStr

from service.engine.rules import RULES_VERSION
from service.handlers import SERVICE, method_handlers
from service.handlers.calls import Calls
from service.logs import Log, forward_libraries, new_log
from service.seal import Seals, SealUnavailable, new_key, read_keys
from service.settings import PREFIX, BadSettings, Settings, load_settings
from service.workers import CannotServe, Crew

FAILED: Final = 1
"""The exit code of a server that could not serve."""
BAD_USAGE: Final = 2
"""The exit code after wrong arguments or settings."""
MIN_PING_SECONDS: Final = 10
"""A client that asks more often whether an idle connection still lives is cut off."""
MAX_WAITING_CALLS: Final = 10_000
"""How many calls wait to be taken in at most; gRPC cancels what comes then, and by default from 1000 on."""
_CALLS_TAKEN_IN: Final = 4
"""So many times as many calls as are worked on at most are taken in at once; further ones wait."""


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


class Server:
    """A gRPC server of the service in this process and event loop."""

    def __init__(self, settings: Settings, log: Log, *, shares_port: bool = False) -> None:
        """Put a server together; `start` opens its port.

        Args:
            settings: all of them, with a seal key (see `with_seal_key`).
            log: where its lines go.
            shares_port: whether other processes listen on the same port.

        """
        self._settings = settings
        self._server = grpc.aio.server(
            options=_options(settings, shares_port=shares_port),
            maximum_concurrent_rpcs=_CALLS_TAKEN_IN * settings.max_calls,
        )
        self._health = health.aio.HealthServicer()
        self.seals = Seals(read_keys(settings.seal_keys.get_secret_value()))
        self.calls = Calls(settings, log)
        handlers = method_handlers(settings, self.seals, self.calls)
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        reflection.enable_server_reflection(
            (SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME), self._server
        )

    async def start(self) -> int:
        """Begin to serve and return the port.

        Raises:
            CannotServe: the address cannot be had, or the certificate and its key are none.

        """
        for name in ("", SERVICE):
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)
        where = address(self._settings.host, self._settings.port)
        try:
            port = self._open(where)
        except RuntimeError as error:
            raise CannotServe(str(error)) from error
        await self._server.start()
        return port

    def _open(self, where: str) -> int:
        identity = credentials(self._settings)
        if identity is None:
            return self._server.add_insecure_port(where)
        return self._server.add_secure_port(where, identity)

    async def drain(self) -> None:
        """Say NOT_SERVING, take no further calls, and return when those in hand have ended."""
        await self._health.enter_graceful_shutdown()
        await asyncio.sleep(self._settings.drain_delay_seconds)
        await self.calls.close()
        await self._server.stop(self._settings.drain_seconds)

    async def stop(self) -> None:
        """End at once; calls in hand are cancelled."""
        await self._server.stop(None)


def with_seal_key(settings: Settings, log: Log) -> Settings:
    """Return the settings with a seal key; one that had to be made is warned about."""
    if settings.seal_keys.get_secret_value():
        return settings
    log.warning(
        "seal_key_made",
        text=f"{PREFIX}SEAL_KEYS is not set: no other server can open what this one seals, nor can it later",
    )
    return settings.model_copy(update={"seal_keys": SecretStr(new_key())})


def stop_event() -> asyncio.Event:
    """Return an event that SIGTERM and SIGINT set; the same signal again ends the process."""
    event, loop = asyncio.Event(), asyncio.get_running_loop()

    def stop(number: signal.Signals) -> None:
        event.set()
        loop.remove_signal_handler(number)
        signal.signal(number, signal.SIG_DFL)

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop, number)
    return event


def announce(settings: Settings, log: Log, port: int) -> None:
    """Log the line that says that all workers serve."""
    log.info(
        "serving",
        host=settings.host,
        port=port,
        workers=settings.workers,
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


async def _serve_alone(settings: Settings, log: Log) -> None:
    stop = stop_event()
    await serve(Server(settings, log), log, stop, lambda port: announce(settings, log, port))


async def _serve_shared(settings: Settings, log: Log, parent: Connection) -> None:
    """Serve as one of several workers; the end of the parent, however it came, ends the worker too."""
    stop = stop_event()
    asyncio.get_running_loop().add_reader(parent.fileno(), stop.set)
    await serve(Server(settings, log, shares_port=True), log, stop, parent.send)


def work(settings: Settings, number: int, parent: Connection) -> None:
    """Be a worker process: serve on the port that the parent keeps, and tell it when it is open."""
    log = new_log(level=settings.log_level).bind(worker=number)
    sys.exit(_run(_serve_shared(settings, log, parent), log))


async def _serve_with_crew(settings: Settings, log: Log) -> None:
    crew = Crew(settings, log, work)
    await crew.serve(stop_event(), lambda port: announce(settings, log, port))


def _run(serving: Coroutine[None, None, None], log: Log) -> int:
    """Run to the end and return the exit code; why it could not serve stands in the log."""
    forward_libraries(log)
    try:
        asyncio.run(serving)
    except (CannotServe, SealUnavailable, OSError) as error:
        log.error("cannot_serve", text=str(error))  # noqa: TRY400  what went wrong is no fault of the code
        return FAILED
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run the service with these arguments and the environment's settings; return its exit code."""
    parser = argparse.ArgumentParser(prog="finspan-service", description="Runs the Finspan rules service.")
    parser.add_argument("--host", help=f"the address to listen on (or {PREFIX}HOST)")
    parser.add_argument("--port", type=int, help=f"the port, 0 for a free one (or {PREFIX}PORT)")
    parser.add_argument("--workers", type=int, help=f"how many processes (or {PREFIX}WORKERS)")
    try:
        settings = load_settings(**vars(parser.parse_args(argv)))
    except BadSettings as error:
        parser.exit(BAD_USAGE, f"{error}\n")
    log = new_log(level=settings.log_level)
    settings = with_seal_key(settings, log)
    serve_all = _serve_alone if settings.workers == 1 else _serve_with_crew
    return _run(serve_all(settings, log), log)


if __name__ == "__main__":
    sys.exit(main())
