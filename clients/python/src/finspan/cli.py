"""The command `finspan`."""

import secrets
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from importlib import import_module
from types import FrameType
from typing import Final, NoReturn

import click
from rich.console import Console

from finspan.calls import Side
from finspan.client import Client
from finspan.demo import Every, Setup, play_demo
from finspan.errors import FinspanError
from finspan.serving import SERVER_MODULE, SERVICE_PACKAGE, ServerFailed, is_service_installed, server

WIDTH: Final = 100
"""Columns of output that goes to no terminal."""
SEED_BYTES: Final = 4
READY_SECONDS: Final = 10.0
"""How long a server may take until it serves."""
KILLED: Final = 128
"""What a shell adds to the number of the signal that ended a process."""


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="finspan", prog_name="finspan")
def main() -> None:
    """Finspan, an unofficial rules engine of the board game: run it, watch it."""


@main.command(add_help_option=False, context_settings={"ignore_unknown_options": True})
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def serve(options: tuple[str, ...]) -> NoReturn:
    """Run the service; all options are passed on to it (try --help)."""
    _require_service()
    sys.exit(import_module(SERVER_MODULE).main(options))


@main.command()
@click.option(
    "--players", type=click.IntRange(1, 5), default=2, show_default=True, help="How many bots play."
)
@click.option("--seed", help="The same seed is the same game.  [default: a new one]")
@click.option(
    "--side", type=click.Choice(["a", "b"]), default="a", show_default=True, help="Of achievements."
)
@click.option("--address", metavar="HOST:PORT", help="A running server.  [default: one started for the game]")
@click.option(
    "--every",
    type=click.Choice(["move", "turn", "week"]),
    default="week",
    show_default=True,
    help="How often oceans are shown.",
)
@click.option("--quiet", is_flag=True, help="Show the score sheets alone.")
def demo(players: int, seed: str | None, side: Side, address: str | None, every: Every, quiet: bool) -> None:
    """Watch bots play a whole game through the service."""
    setup = Setup(players, seed or secrets.token_hex(SEED_BYTES), side)
    console = Console(highlight=False, width=None if sys.stdout.isatty() else WIDTH)
    with _sigterm_unwinds(), _failures_told(), _server(address) as where, Client(where) as client:
        _wait_for(client, where)
        play_demo(client, setup, console, every=every, quiet=quiet)


def _require_service() -> None:
    if not is_service_installed():
        raise click.ClickException(
            f"The service is not installed here. It is a package of its own: pip install {SERVICE_PACKAGE}"
        )


@contextmanager
def _server(address: str | None) -> Iterator[str]:
    """Yield the address of a server: the one named, or one that is run meanwhile."""
    if address is None:
        _require_service()
    with server() if address is None else nullcontext(address) as where:
        yield where


def _wait_for(client: Client, where: str) -> None:
    try:
        client.wait_until_ready(READY_SECONDS)
    except FinspanError as error:
        raise click.ClickException(f"No server is ready at {where}: {error}") from error


@contextmanager
def _failures_told() -> Iterator[None]:
    """End with a sentence instead of a traceback when the server or a call fails."""
    try:
        yield
    except (FinspanError, ServerFailed) as error:
        raise click.ClickException(str(error)) from error


@contextmanager
def _sigterm_unwinds() -> Iterator[None]:
    """Let SIGTERM unwind the stack like Ctrl-C, so that no server is left behind."""

    def leave(number: int, _frame: FrameType | None) -> NoReturn:
        sys.exit(KILLED + number)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
