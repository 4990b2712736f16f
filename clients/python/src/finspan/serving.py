"""A server of one's own for as long as it is needed, where the service is installed."""

import json
import os
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from threading import Thread
from typing import Final, TextIO, cast

SERVER_MODULE: Final = "service.server"
SERVICE_PACKAGE: Final = "finspan-service"
SETTINGS_PREFIX: Final = "FINSPAN_"
HOST: Final = "127.0.0.1"

STOP_SECONDS: Final = 10
"""How long a server may take to drain before it is ended."""
LAST_LINES: Final = 20
"""How much of a server's log an error shows."""


class ServerFailed(Exception):
    """A server ended before it served; the message has the end of its log."""


class ServiceNotInstalled(Exception):
    """The service's package is not there."""

    def __init__(self) -> None:
        super().__init__(
            f"The service is not installed here. It is a distribution of its own, {SERVICE_PACKAGE}: "
            "in a clone of the repository, pip install ."
        )


def is_service_installed() -> bool:
    """Return whether the service's package is there."""
    return find_spec(SERVER_MODULE.partition(".")[0]) is not None and find_spec(SERVER_MODULE) is not None


def require_service() -> None:
    """Make sure that the service's package is there.

    Raises:
        ServiceNotInstalled: it is not.

    """
    if not is_service_installed():
        raise ServiceNotInstalled


def server_command(arguments: Sequence[str]) -> list[str]:
    """Return the command that runs the service with these options."""
    return [sys.executable, "-m", SERVER_MODULE, *arguments]


@contextmanager
def server(*arguments: str) -> Iterator[str]:
    """Run a server on a free port; yields its address, and stops it at the end, come what may.

    Args:
        arguments: Further options of the server.

    Raises:
        ServerFailed: it ended before it served.

    """
    command = server_command(["--host", HOST, "--port", "0", "--stop-at-eof", *arguments])
    with subprocess.Popen(  # noqa: S603  our own interpreter and module
        command,
        stdin=subprocess.PIPE,  # nothing is written: it closes with us, even if we are killed
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=_environment(),
        process_group=0,  # Ctrl-C is for us; we end the server
    ) as process:
        try:
            yield f"{HOST}:{_port(cast('TextIO', process.stdout))}"
        finally:
            _stop(process)


def _environment() -> dict[str, str]:
    """Return the environment without the settings of the server that is run otherwise, such as its TLS."""
    return {name: value for name, value in os.environ.items() if not name.startswith(SETTINGS_PREFIX)}


def _port(log: TextIO) -> int:
    """Return the port that a server logs as soon as it serves; its log is read on, or it would block."""
    last = deque[str](maxlen=LAST_LINES)
    for line in log:
        last.append(line)
        port = _port_in(line)
        if port is not None:
            Thread(target=_read_on, args=(log,), daemon=True).start()
            return port
    raise ServerFailed("The server ended before it served. The end of its log:\n" + "".join(last))


def _read_on(log: TextIO) -> None:
    with suppress(ValueError):  # closed at the end, perhaps while it is read
        deque(log, maxlen=0)


def _port_in(line: str) -> int | None:
    """Return the port if this line of the log says that the server serves."""
    try:
        entry = json.loads(line)
    except ValueError:
        return None
    return entry["port"] if isinstance(entry, dict) and entry.get("event") == "serving" else None


def _stop(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
