"""A server of one's own for as long as it is needed, where the service is installed."""

import json
import os
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Any, Final, TextIO, cast

SERVER_MODULE: Final = "service.server"
LOCAL_MODULE: Final = "service.local"
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
    """The service's package is not there, or not whole.

    Args:
        instead: What is there instead, as a sentence.

    """

    def __init__(self, instead: str = "") -> None:
        missing = (
            f"The service is not installed here. It is a distribution of its own, {SERVICE_PACKAGE}: "
            "in a clone of the repository, pip install . Or use a server that runs elsewhere: "
            "on the command line --address HOST:PORT, in a program finspan.Client(address)."
        )
        super().__init__(f"{missing} {instead}".rstrip())


def is_service_installed() -> bool:
    """Return whether the service's package is there, and is what Python finds under its name."""
    return any(map(_is_service, _places()))


def _is_service(place: Path) -> bool:
    """Return whether a directory is the service's package, told by what nobody else's is likely to have."""
    _, _, server_file = SERVER_MODULE.partition(".")
    return (place / f"{server_file}.py").is_file() and (place / "engine").is_dir()


def require_service() -> None:
    """Make sure that the service's package is there.

    Raises:
        ServiceNotInstalled: it is not, or something else is found under its name.

    """
    if not is_service_installed():
        raise ServiceNotInstalled(_stranger())


def local_service() -> Any:  # noqa: ANN401  a module of a distribution that need not be there
    """Return the module that answers calls in this process.

    Raises:
        ServiceNotInstalled: the service's package, or something that it needs, is not there.

    """
    require_service()
    try:
        return import_module(LOCAL_MODULE)
    except ImportError as error:
        raise ServiceNotInstalled(f"What is there cannot be imported: {error}.") from error


def _package() -> str:
    return SERVER_MODULE.partition(".")[0]


def _spec() -> ModuleSpec | None:
    """Return what Python finds under the name of the service's package."""
    try:
        return find_spec(_package())
    except ValueError:  # a module that was made by hand, not found
        return None


def _places() -> list[Path]:
    """Return the directories of the package that Python finds, if it is one."""
    spec = _spec()
    return [Path(place) for place in (spec.submodule_search_locations or ()) if place] if spec else []


def _stranger() -> str:
    """Return the sentence about something else that has the name of the service's package; empty if none."""
    spec = _spec()
    if spec is None or any(map(_is_service, _places())):
        return ""
    where = spec.origin or ", ".join(map(str, _places()))
    return f"What Python finds here as {_package()!r} is something else: {where}. Rename that."


def server_command(arguments: Sequence[str]) -> list[str]:
    """Return the command that runs the service with these options.

    Python is told not to look into the working directory, where somebody's own module may have its name.
    """
    return [sys.executable, "-P", "-m", SERVER_MODULE, *arguments]


@contextmanager
def server(*arguments: str) -> Iterator[str]:
    """Run a server on a free port; yields its address, and stops it at the end, come what may.

    Args:
        arguments: Further options of the server.

    Raises:
        ServiceNotInstalled: the service's package is not there.
        ServerFailed: it ended before it served.

    """
    if not (is_service_installed() or _stranger()):  # what is strange here need not be in the server's way
        raise ServiceNotInstalled
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
    if any(f"No module named '{_package()}'" in line for line in last):
        raise ServiceNotInstalled(_stranger())
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
