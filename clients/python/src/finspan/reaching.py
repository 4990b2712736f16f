"""How the command line reaches a service, and how it ends when something is amiss on the way."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import FrameType
from typing import Any, Final, NoReturn, TypeVar

import click
import grpc

from finspan.channels import is_tls, target
from finspan.client import Client
from finspan.entries import BadBot
from finspan.errors import FinspanError
from finspan.local import LocalService
from finspan.moves import NotAMove
from finspan.records import BadRecord
from finspan.services import Service
from finspan.serving import ServerFailed, ServiceNotInstalled, server

READY_SECONDS: Final = 10.0
"""How long a server may take until it serves."""
KILLED: Final = 128
"""What a shell adds to the number of the signal that ended a process."""
CA_FILE: Final = "finspan.ca_file"
"""Where the context of a command keeps its option `--ca-file`, which concerns the connection alone."""

Command = TypeVar("Command", bound=Callable[..., Any])


def server_options(otherwise: str) -> Callable[[Command], Command]:
    """Return what gives a command the options of the server that it plays on.

    Args:
        otherwise: What kind of server is started without an address.

    """
    address = click.option(
        "--address",
        metavar="HOST:PORT",
        callback=lambda _context, _option, address: _checked(address),
        help=f"A running server, for TLS with https:// before it.  [default: one started {otherwise}]",
    )
    ca_file = click.option(
        "--ca-file",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        metavar="FILE",
        expose_value=False,
        callback=lambda context, _option, path: context.meta.update({CA_FILE: path}),
        help="The certificate authorities to trust, as PEM, if the server has a private one.",
    )
    return lambda command: address(ca_file(command))


def service_options(command: Command) -> Command:
    """Give a command the options of where it is played: on a server, or in this process."""
    local = click.option("--local", is_flag=True, help="No server: the service in this process.")
    return server_options("for the time")(local(command))


@contextmanager
def service_at(address: str | None, *, local: bool) -> Iterator[Service]:
    """Yield a service: in this process, at the address, or of a server that is run meanwhile."""
    if local and address:
        raise click.UsageError("--local and --address exclude each other.")
    if local and click.get_current_context().meta.get(CA_FILE):
        raise click.UsageError("--local and --ca-file exclude each other.")
    with signals_unwind(), failures_told():
        if local:
            yield LocalService()
            return
        with client_at(address) as (_, client):
            yield client


@contextmanager
def client_at(address: str | None, api_key: str = "") -> Iterator[tuple[str, Client]]:
    """Yield an address and a client of the server there: the one named, or one that is run meanwhile."""
    credentials = _authorities(address)
    with _server(address) as where, Client(where, credentials=credentials, api_key=api_key) as client:
        _wait_for(client, where)
        yield where, client


def _checked(address: str | None) -> str | None:
    """Return an address as it is, if it is one."""
    if address is not None:
        try:
            target(address)
        except ValueError as error:
            raise click.BadParameter(str(error)) from error
    return address


def _authorities(address: str | None) -> grpc.ChannelCredentials | None:
    """Return the credentials for the certificate authorities named; None for those that gRPC knows."""
    path: Path | None = click.get_current_context().meta.get(CA_FILE)
    if path is None:
        return None
    if address is None or not is_tls(address):
        raise click.UsageError("--ca-file: only with an --address that begins with https://.")
    return grpc.ssl_channel_credentials(path.read_bytes())


@contextmanager
def _server(address: str | None) -> Iterator[str]:
    """Yield the address of a server: the one named, or one that is run meanwhile."""
    with server() if address is None else nullcontext(address) as where:
        yield where


def _wait_for(client: Client, where: str) -> None:
    try:
        client.wait_until_ready(READY_SECONDS)
    except FinspanError as error:
        raise click.ClickException(f"No server is ready at {where}: {error}") from error


@contextmanager
def failures_told() -> Iterator[None]:
    """End with a sentence instead of a traceback when something outside of the program is amiss."""
    try:
        yield
    except (FinspanError, NotAMove, ServerFailed, ServiceNotInstalled, BadBot, BadRecord) as error:
        raise click.ClickException("\n".join([str(error), *getattr(error, "__notes__", ())])) from error


@contextmanager
def signals_unwind() -> Iterator[None]:
    """Let SIGTERM and SIGHUP unwind the stack like Ctrl-C, so that no server is left behind."""

    def leave(number: int, _frame: FrameType | None) -> NoReturn:
        sys.exit(KILLED + number)

    numbers = [number for name in ("SIGTERM", "SIGHUP") if (number := getattr(signal, name, None))]
    before = [(number, signal.signal(number, leave)) for number in numbers]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)
