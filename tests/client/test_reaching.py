"""How the command line reaches a server: by the addresses that clients take, and told why if it does not."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from finspan import cli, reaching
from finspan.v1 import finspan_pb2 as v1
from tests.client.conftest import StubServer


def demo(*arguments: str) -> Result:
    return CliRunner().invoke(cli.main, ["demo", "--quiet", *arguments])


@pytest.mark.parametrize(
    "address", ["", "https://", "http://games.example/path", "https://games.example:port"]
)
def test_what_is_no_address_is_refused(address: str) -> None:
    result = demo("--address", address)
    assert result.exit_code == 2
    assert "An address is host and port" in " ".join(result.output.split())


@pytest.mark.parametrize("address", ["localhost:1", "http://localhost:1", "https://localhost:1"])
def test_the_cause_is_told(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setattr(reaching, "READY_SECONDS", 0.2)
    result = demo("--address", address)
    assert result.exit_code == 1
    assert result.output.startswith(f"Error: No server is ready at {address}: ")
    assert "Connection refused" in result.output


def test_an_address_may_say_that_it_is_without_tls(stub_server: StubServer) -> None:
    asked: list[str] = []

    def answer(method: str, *_: object) -> v1.NewGameResponse:
        asked.append(method)
        return v1.NewGameResponse()

    stub_server.answer = answer
    demo("--address", f"http://{stub_server.address}")
    assert asked[0] == "NewGame"


@pytest.mark.parametrize("address", ["localhost:1", "http://localhost:1"])
def test_authorities_are_for_tls(tmp_path: Path, address: str) -> None:
    authority = tmp_path / "ca.pem"
    authority.write_text("")
    result = demo("--address", address, "--ca-file", str(authority))
    assert result.exit_code == 2
    assert "--ca-file: only with an --address that begins with https://" in " ".join(result.output.split())
