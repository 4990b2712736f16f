"""The command `finspan`: what it runs, and how it ends when something is missing."""

import re
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from google.protobuf.message import Message

from finspan import Record, calls, cli, reaching, serving
from finspan.v1 import finspan_pb2 as v1
from tests.client.conftest import StubServer
from tests.client.messages import DivesOnly
from tests.client.test_matches import record


def finspan(*arguments: str) -> Result:
    return CliRunner().invoke(cli.main, arguments)


@pytest.fixture
def no_service(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "is_service_installed", lambda: False)


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
    assert {"demo", "host", "match", "play", "replay", "serve"} <= set(finspan("--help").output.split())


def test_serve_runs_the_server_with_all_its_options_and_ends_as_it_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("service.server.main", len)
    assert finspan("serve", "--port", "0", "--workers=2", "--help", "-x").exit_code == 5


@pytest.mark.parametrize("command", ["serve", "demo", "demo --local", "play", "match", "match --local"])
def test_without_the_service_it_says_how_to_get_it(no_service: None, command: str) -> None:
    result = finspan(*command.split())
    assert result.exit_code == 1
    assert "finspan-service" in result.output


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
    monkeypatch.setattr(reaching, "READY_SECONDS", 0.2)
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


def test_the_service_is_in_this_process_or_elsewhere() -> None:
    result = finspan("demo", "--local", "--address", "localhost:1")
    assert result.exit_code == 2
    assert "--local and --address exclude each other" in result.output


def test_demo_in_this_process() -> None:
    result = finspan("demo", "--local", "--seed", "demo", "--quiet")
    assert result.exit_code == 0
    assert "Final score" in result.output


REEFS = ["--expansion", "sharks-and-reefs"]


def test_a_demo_with_reefs() -> None:
    result = finspan("demo", "--local", "--seed", "demo", *REEFS, *REEFS)
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert lines[0].endswith(", seed demo, sharks-and-reefs")
    assert sum(line.startswith("│ Reef ") for line in lines) == 8
    assert sum(line.startswith("│ Full reefs ") for line in lines) == 4
    assert max(map(len, lines)) <= 100


def test_a_demo_without_reefs_says_nothing_of_them() -> None:
    said = finspan("demo", "--local", "--seed", "demo").output.lower()
    assert "reef" not in said
    assert "coral" not in said


@pytest.mark.parametrize("command", ["demo", "play", "match"])
def test_an_unknown_expansion_is_refused(command: str) -> None:
    result = finspan(command, "--expansion", "octopuses")
    assert result.exit_code == 2
    assert "'octopuses' is not 'sharks-and-reefs'" in result.output


def test_a_match_with_reefs_is_written_and_played_again(tmp_path: Path) -> None:
    out = tmp_path / "match.jsonl"
    result = finspan("match", "--games", "2", "--seed", "m", "--local", "--out", str(out), *REEFS)
    assert result.exit_code == 0, result.output
    assert "│ Full reefs " in result.output
    records = [Record.from_json(line) for line in out.read_text().splitlines()]
    assert [record.setup.expansions for record in records] == [("sharks_and_reefs",)] * 2
    assert finspan("replay", str(out), "--local").exit_code == 0


@pytest.fixture(scope="module")
def match_text(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the file of a match of four games."""
    path = tmp_path_factory.mktemp("match") / "match.jsonl"
    result = finspan("match", "--games", "4", "--seed", "m", "--side", "b", "--local", "--out", str(path))
    assert result.exit_code == 0, result.output
    assert result.output.startswith("4 of 4 games, seed m ")
    assert "│                    │ greedy │ random │" in result.output
    assert re.search(r"│ Wins +│ +\d │ +\d │", result.output)
    return path.read_text()


@pytest.fixture
def match_file(match_text: str, tmp_path: Path) -> Path:
    path = tmp_path / "match.jsonl"
    path.write_text(match_text)
    return path


def test_a_match_is_written_and_played_again(match_file: Path) -> None:
    records = [Record.from_json(line) for line in match_file.read_text().splitlines()]
    assert [record.setup.seed for record in records] == ["m-1", "m-1", "m-2", "m-2"]
    assert records[0].setup.names == ("greedy", "random")
    assert records[1].setup.names == ("random", "greedy")
    result = finspan("replay", str(match_file), "--local")
    assert result.exit_code == 0, result.output
    assert result.output.startswith("4 of 4 games came out as recorded ")


def test_one_recorded_game_is_told(match_file: Path) -> None:
    result = finspan("replay", str(match_file), "--local", "--game", "3", "--text")
    assert result.exit_code == 0, result.output
    assert result.output.startswith("Rules version 1, seed m-2\n")
    record = Record.from_json(match_file.read_text().splitlines()[2])
    assert f"{len(record.moves)} moves, digest {record.digest}\n" in result.output
    assert "1 of 1 games came out as recorded" in result.output


def test_games_that_come_out_otherwise_are_named(match_file: Path) -> None:
    lines = match_file.read_text().splitlines()
    lines[1] = lines[1].replace('"digest": "', '"digest": "0')
    match_file.write_text("\n".join(lines))
    result = finspan("replay", str(match_file), "--local")
    assert result.exit_code == 1
    assert result.output.startswith("Game 2, seed m-1: The digest is ")
    assert "3 of 4 games came out as recorded" in result.output


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Error: There is no such game: the file has 0."),
        ("nonsense", "Error: line 1: no record of a game: Expecting value"),
    ],
)
def test_a_file_without_games_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "file").write_text(text)
    result = finspan("replay", str(tmp_path / "file"), "--local")
    assert result.exit_code == 1
    assert said in result.output


def test_an_interrupted_match_shows_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> Iterator[Record]:
        yield record("A", 3)
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "play_match", interrupted)
    result = finspan("match", "--games", "7", "--seed", "m", "--local", "--bots", "greedy")
    assert result.output.startswith("1 of 7 games, seed m ")
    assert result.exit_code == 1


@pytest.mark.parametrize("command", ["match", "play"])
def test_a_bot_that_is_none_is_refused(command: str) -> None:
    result = finspan(command, "--bots", "clever", "--local")
    assert result.exit_code == 1
    assert result.output.startswith("Error: There is no bot clever: ")


def test_a_bot_that_plays_what_is_not_legal_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bad_bots.py").write_text("class Bad:\n    def choose(self, game): return 'draw'\n")
    monkeypatch.chdir(tmp_path)
    result = finspan("match", "--bots", "bad_bots:Bad,greedy", "--local")
    assert result.exit_code == 1
    assert (
        "Error: draw: It is a turn: play a fish or dive. (R3.1)\nBad had to choose in seat " in result.output
    )


def test_too_many_bots_are_refused() -> None:
    result = finspan("match", "--bots", ",".join(["random"] * 6), "--local")
    assert result.exit_code == 1
    assert result.output.startswith("Error: players: ")


def test_a_whole_game_is_played_and_recorded(tmp_path: Path) -> None:
    out = tmp_path / "game.jsonl"
    arguments = ["play", "--name", "Ada", "--bots", "random,greedy", "--seat", "2", "--seed", "p"]
    said = "score\n" + "1\n" * 300
    result = CliRunner().invoke(cli.main, [*arguments, "--local", "--out", str(out)], input=said)
    assert result.exit_code == 0, result.output
    assert "Final score" in result.output
    record = Record.from_json(out.read_text())
    assert record.setup.names == ("random", "Ada", "greedy")
    assert finspan("replay", str(out), "--local").exit_code == 0


@pytest.mark.parametrize("said", ["", "1\nquit\n"])
def test_who_leaves_is_told_how_to_play_on(tmp_path: Path, said: str) -> None:
    out = tmp_path / "game.jsonl"
    arguments = ["play", "--seed", "p", "--local", "--out", str(out)]
    result = CliRunner().invoke(cli.main, arguments, input=said)
    assert result.exit_code == 0
    assert result.output.endswith("\nYou have left the game. The same one again: --seed p\n")
    assert not out.exists()


def test_who_leaves_is_told_all_options_of_the_game() -> None:
    options = ["--seed", "p", "--side", "b", *REEFS]
    result = CliRunner().invoke(cli.main, ["play", "--local", *options], input="quit\n")
    assert result.output.endswith(f"The same one again: {' '.join(options)}\n")
