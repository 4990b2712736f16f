"""The service as it is run, a process of its own, seen from outside: its log, its memory, its end."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any, Final

Line = dict[str, Any]
PAGE: Final = os.sysconf("SC_PAGE_SIZE")


def until(is_so: Callable[[], object], seconds: float = 30) -> None:
    """Wait until something is so, but not for ever."""
    end = monotonic() + seconds
    while not is_so():
        assert monotonic() < end, f"not within {seconds} seconds"
        sleep(0.01)


def resident_bytes(pid: int | str = "self") -> int:
    """Return how much memory a process has in use."""
    return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * PAGE


class Program:
    """A running server."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.lines: list[Line] = []
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()
        until(lambda: self.events("serving") or process.poll() is not None)
        assert self.events("serving"), "it ended before it served, or logs less than `info`"
        self.port: int = self.events("serving")[0]["port"]

    def _read(self) -> None:
        assert self.process.stdout is not None
        with suppress(ValueError):  # closed after a kill, perhaps while it is read; then half a line, too
            for line in self.process.stdout:
                self.lines.append(json.loads(line))

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def memory(self) -> int:
        """The bytes that it has in use; those of its workers not counted."""
        return resident_bytes(self.process.pid)

    def events(self, name: str) -> list[Line]:
        """Return the lines of an event, so far."""
        return [line for line in list(self.lines) if line["event"] == name]

    def send(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def end(self, seconds: float = 60) -> int:
        """Wait for its end, read its log to the end, and return its exit code."""
        code = self.process.wait(seconds)
        self._reader.join(seconds)
        return code


@contextmanager
def program(*arguments: str, **variables: str) -> Iterator[Program]:
    """Run a server on a free port of the loopback address; at the end it is killed, if it still runs."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("FINSPAN_")}
    with subprocess.Popen(  # noqa: S603  our own interpreter and module
        [sys.executable, "-m", "service.server", "--port", "0", *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env=own | variables,
    ) as process:
        try:
            yield Program(process)
        finally:
            process.kill()
