"""Envoy in front of a service, as docs/envoy.yaml has it, on free ports."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml

from finspan import serving

CONFIGURATION = Path(__file__).parents[2] / "docs" / "envoy.yaml"
ORIGIN = "http://localhost:5173"
"""Where the pages come from that the configuration lets in."""
START_SECONDS = 30

needed = pytest.mark.skipif(
    "FINSPAN_TEST_BROWSERS" not in os.environ, reason="needs Envoy, Chromium, Node.js: make browser-test"
)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def wait_for(port: int) -> None:
    """Wait until somebody listens."""
    for _ in range(START_SECONDS * 10):
        with socket.socket() as client:
            if client.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError(f"Nobody listens on port {port}")


@contextmanager
def running(*command: str) -> Iterator[None]:
    """Run a program for as long as it is needed."""
    with subprocess.Popen(command) as process:  # noqa: S603  our callers'
        try:
            yield
        finally:
            process.terminate()


@contextmanager
def proxied_service(folder: Path, origin: str = ORIGIN, secured: Mapping[str, object] = {}) -> Iterator[int]:
    """Run a service and Envoy before it, which lets pages of `origin` in; yields the port for browsers.

    ``secured`` is what the listener has beside its filters.
    """
    envoy = shutil.which("envoy", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    assert envoy is not None, "needs Envoy: make browser-test installs it"
    file = folder / "envoy.yaml"
    with serving.server() as address:
        port = free_port()  # picked late, so that nobody else takes it
        ours = {"8080": str(port), "50051": address.rpartition(":")[2]}
        text = CONFIGURATION.read_text(encoding="utf-8").replace(ORIGIN, origin)
        configuration = yaml.safe_load(re.sub(r"(?<=port_value: )\d+", lambda port: ours[port[0]], text))
        configuration["static_resources"]["listeners"][0]["filter_chains"][0] |= secured
        file.write_text(yaml.safe_dump(configuration), encoding="utf-8")
        with running(envoy, "-c", str(file), "--use-dynamic-base-id", "--log-level", "error"):
            wait_for(port)
            yield port
