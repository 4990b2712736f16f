"""The command `finspan`: what it runs, and how it ends when something is missing."""

import sys
from importlib.metadata import version

import pytest
from click.testing import CliRunner, Result
from google.protobuf.message import Message

from finspan import calls, cli, serving
from finspan.v1 import finspan_pb2 as v1
from tests.client.conftest import StubServer
from tests.client.messages import DivesOnly


def finspan(*arguments: str) -> Result:
    return CliRunner().invoke(cli.main, arguments)


@pytest.fixture
def no_service(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "is_service_installed", lambda: False)


@pytest.fixture
def game_server(stub_server: StubServer) -> str:
    """Return the address of a server whose games are dives only."""
    service = DivesOnly()
    requests: dict[str, type[Message]] = {
        "GetCatalog": v1.GetCatalogRequest,
        "NewGame": v1.NewGameRequest,
        "ApplyMove": v1.ApplyMoveRequest,
        "Score": v1.ScoreRequest,
    }

    def answer(method: str, request: bytes, _context: object) -> Message:
        message = requests[method]()
        message.ParseFromString(request)
        return service.send(calls.Call(method, message, Message))

    stub_server.answer = answer
    return stub_server.address


def test_version() -> None:
    assert finspan("--version").output == f"finspan, version {version('finspan')}\n"


def test_help_names_the_commands() -> None:
    assert {"demo", "serve"} <= set(finspan("--help").output.split())


def test_serve_runs_the_server_with_all_its_options_and_ends_as_it_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("service.server.main", len)
    assert finspan("serve", "--port", "0", "--workers=2", "--help", "-x").exit_code == 5


@pytest.mark.parametrize("command", ["serve", "demo"])
def test_without_the_service_it_says_how_to_get_it(no_service: None, command: str) -> None:
    result = finspan(command)
    assert result.exit_code == 1
    assert "pip install finspan-service" in result.output


def test_demo_with_a_running_server_needs_no_service(no_service: None, game_server: str) -> None:
    result = finspan("demo", "--address", game_server, "--seed", "s")
    assert result.exit_code == 0, result.output
    assert "Final score" in result.output
    assert result.output.endswith("8 moves, digest d8\n")


def test_demo_makes_a_seed_of_its_own_and_tells_it(game_server: str) -> None:
    first, second = (finspan("demo", "--address", game_server).output.splitlines()[0] for _ in range(2))
    assert first.startswith("Rules version 7, seed ")
    assert first != second


def test_demo_fits_a_hundred_columns(game_server: str) -> None:
    lines = finspan("demo", "--address", game_server).output.splitlines()
    assert max(map(len, lines)) <= 100
    assert not any("\x1b" in line for line in lines)


def test_demo_against_nobody_ends_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "READY_SECONDS", 0.2)
    result = finspan("demo", "--address", "localhost:1")
    assert result.exit_code == 1
    assert result.output.startswith("Error: No server is ready at localhost:1: ")
    assert "Traceback" not in result.output


def test_demo_tells_when_its_server_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "server_command", lambda _: [sys.executable, "-c", "exit('no port')"])
    result = finspan("demo")
    assert result.exit_code == 1
    assert result.output == "Error: The server ended before it served. The end of its log:\nno port\n\n"


@pytest.mark.parametrize("options", [["--players", "6"], ["--side", "c"], ["--every", "day"], ["--no"]])
def test_demo_refuses_what_cannot_be(options: list[str]) -> None:
    assert finspan("demo", *options).exit_code == 2
