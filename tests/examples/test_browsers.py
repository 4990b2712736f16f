"""Browsers reach the service through Envoy, as docs/envoy.yaml has it and docs/frontend.md says."""

import os
import re
import subprocess
from base64 import b64decode
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from pathlib import Path
from ssl import SSLContext, create_default_context
from typing import NamedTuple

import pytest
import yaml
from google.rpc import error_details_pb2, status_pb2

from finspan.v1 import finspan_pb2 as pb
from tests.client.certificates import certificate
from tests.examples.envoy import ORIGIN, needed, proxied_service
from tests.examples.test_node import PAGE, SECONDS, TOUR

NEW_GAME = "/finspan.v1.FinspanService/NewGame"

pytestmark = [needed, pytest.mark.timeout(180)]  # a limit for a machine that is busy


class Proxy(NamedTuple):
    """Where the proxy listens, and who vouches for it if it speaks TLS."""

    port: int
    trusting: SSLContext | None = None

    def _connection(self) -> HTTPConnection:
        if self.trusting is None:
            return HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        return HTTPSConnection("localhost", self.port, timeout=SECONDS, context=self.trusting)

    def ask(self, method: str, headers: dict[str, str], body: bytes = b"") -> tuple[HTTPResponse, bytes]:
        """Send what a page of our origin sends, and return the reply and its body."""
        with closing(self._connection()) as connection:
            connection.request(method, NEW_GAME, body, {"origin": ORIGIN, **headers})
            reply = connection.getresponse()
            return reply, reply.read()

    def new_game(self, players: int) -> tuple[HTTPResponse, bytes]:
        """Ask for a new game, framed as gRPC-Web frames it."""
        message = pb.NewGameRequest(players=players).SerializeToString()
        headers = {"content-type": "application/grpc-web+proto", "x-request-id": "named-here"}
        return self.ask("POST", headers, b"\0" + len(message).to_bytes(4, "big") + message)


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    with proxied_service(tmp_path_factory.mktemp("envoy")) as port:
        yield Proxy(port)


def frames(body: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the frames of a gRPC-Web body: 0 and the message, 128 and the trailers."""
    while body:
        length = int.from_bytes(body[1:5], "big")
        yield body[0], body[5 : 5 + length]
        body = body[5 + length :]


def test_a_page_is_answered(proxy: Proxy) -> None:
    reply, body = proxy.new_game(2)
    (_, message), (kind, trailers) = frames(body)
    assert len(pb.NewGameResponse.FromString(message).state.players) == 2
    assert kind == 128
    assert {b"grpc-status:0", b"x-request-id:named-here"} <= set(trailers.split(b"\r\n"))
    assert reply.getheader("access-control-allow-origin") == ORIGIN


def test_a_page_is_told_why_it_is_refused(proxy: Proxy) -> None:
    """A refusal travels in headers, which a page sees only if they are exposed to it."""
    reply, body = proxy.new_game(6)
    assert (reply.getheader("grpc-status"), body) == ("3", b"")
    exposed = set((reply.getheader("access-control-expose-headers") or "").split(","))
    assert {"grpc-status", "grpc-message", "grpc-status-details-bin", "x-request-id"} <= exposed
    assert reply.getheader("x-request-id") == "named-here"
    written = reply.getheader("grpc-status-details-bin") or ""
    status = status_pb2.Status.FromString(b64decode(written + "=" * (-len(written) % 4)))
    info = error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(info)
    assert info.reason == "ERROR_REASON_INVALID_FIELD"


@pytest.mark.parametrize(("origin", "allowed"), [(ORIGIN, ORIGIN), ("http://elsewhere.example", None)])
def test_a_browser_is_told_what_a_page_may_send(proxy: Proxy, origin: str, allowed: str | None) -> None:
    asked = "authorization,content-type,grpc-timeout,x-api-key,x-grpc-web,x-request-id,x-user-agent"
    headers = {
        "origin": origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": asked,
    }
    reply, _ = proxy.ask("OPTIONS", headers)
    assert reply.getheader("access-control-allow-origin") == allowed
    if allowed:
        assert set(asked.split(",")) <= set(
            (reply.getheader("access-control-allow-headers") or "").split(",")
        )


def test_the_proxy_speaks_tls_as_the_page_says(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    (block,) = re.findall(r"^  ```yaml\n(.*?)^  ```", page, re.DOTALL | re.MULTILINE)
    for name, pem in zip(("key.pem", "cert.pem"), certificate("localhost"), strict=True):
        (tmp_path / name).write_bytes(pem)
    secured = yaml.safe_load(block.replace("/etc/finspan", str(tmp_path)))
    with proxied_service(tmp_path, secured=secured) as port:
        _, body = Proxy(port, create_default_context(cafile=tmp_path / "cert.pem")).new_game(2)
    assert [kind for kind, _ in frames(body)] == [0, 128]


def test_the_tour_of_the_frontend_page_goes_through_the_proxy(proxy: Proxy) -> None:
    done = subprocess.run(  # noqa: S603  our own example
        ["node", TOUR],  # noqa: S607  whichever Node.js there is
        env={**os.environ, "FINSPAN_WEB": f"http://127.0.0.1:{proxy.port}"},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert re.search(r"^Winners?: ", done.stdout, re.MULTILINE)
