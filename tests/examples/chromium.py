"""A headless Chromium, told what to do by WebDriver (https://www.w3.org/TR/webdriver2)."""

import json
import shutil
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Final

from tests.examples.envoy import free_port, running, wait_for

CALL_SECONDS: Final = 120
WAIT_SECONDS: Final = 30
ARGUMENTS: Final = (
    "--headless",
    "--no-sandbox",  # which it refuses to run in for root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


class Browser:
    """A session of a browser."""

    def __init__(self, port: int, profile: Path) -> None:
        self._port = port
        self._session = ""
        options = {"binary": program("chromium"), "args": [*ARGUMENTS, f"--user-data-dir={profile}"]}
        wanted = {
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "SEVERE"},
            "timeouts": {"script": CALL_SECONDS * 1000},
        }
        opened = self._call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self._session = f"/session/{opened['sessionId']}"

    def _call(self, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401  as JSON has it
        with closing(HTTPConnection("127.0.0.1", self._port, timeout=CALL_SECONDS)) as connection:
            text = None if body is None else json.dumps(body)
            connection.request(method, self._session + path, text, {"content-type": "application/json"})
            reply = connection.getresponse()
            value = json.load(reply)["value"]
            assert reply.status == 200, value
            return value

    def open(self, url: str) -> None:
        """Load a page from the start, also where only its fragment is another one."""
        self._call("POST", "/url", {"url": "about:blank"})
        self._call("POST", "/url", {"url": url})

    def open_beside(self, url: str) -> str:
        """Load a page in a new window, turn to it, and return the window's handle."""
        window: str = self._call("POST", "/window/new", {"type": "tab"})["handle"]
        self.turn_to(window)
        self.open(url)
        return window

    def turn_to(self, window: str) -> None:
        self._call("POST", "/window", {"handle": window})

    def run(self, script: str, *arguments: object) -> Any:  # noqa: ANN401  as JSON has it
        """Return what a script returns; a promise is waited for."""
        return self._call("POST", "/execute/sync", {"script": script, "args": arguments})

    def wait(self, expression: str) -> Any:  # noqa: ANN401  as JSON has it
        """Wait until an expression is true, and return its value."""
        for _ in range(WAIT_SECONDS * 20):
            if value := self.run(f"return {expression}"):
                return value
            time.sleep(0.05)
        shown = [self.run("return document.body.innerText"), *self.complaints()]
        raise TimeoutError("\n".join([f"{expression} is not true, and the page shows:", *shown]))

    def complaints(self) -> list[str]:
        """Return the errors that the console got since the last call."""
        return [entry["message"] for entry in self._call("POST", "/se/log", {"type": "browser"})]

    def close(self) -> None:
        self._call("DELETE", "")


def program(name: str) -> str:
    found = shutil.which(name)
    assert found is not None, f"needs {name}: Debian's packages are chromium and chromium-driver"
    return found


@contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """Run a browser with a profile of its own in a folder."""
    port = free_port()
    with running(program("chromedriver"), f"--port={port}", "--log-level=SEVERE"):
        wait_for(port)
        with closing(Browser(port, folder / "profile")) as opened:
            yield opened
