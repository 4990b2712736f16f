"""The command `finspan`: what it runs, and how it ends when something is missing."""

import re
import shlex
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from google.protobuf.message import Message

from finspan import Record, calls, cli, reaching, running, screen, serving
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
    assert result.output.startswith(f"{match_file}, game 2, seed m-1: The digest is ")
    assert "3 of 4 games came out as recorded" in result.output


def test_an_interrupted_match_shows_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> Iterator[Record]:
        yield record("A", 3)
        raise KeyboardInterrupt

    monkeypatch.setattr(running, "play_games", interrupted)
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
    assert "It is a turn: play a fish or dive. (R3.1)\nBad had to choose in seat " in result.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["match", "--bots", ",".join(["random"] * 6)], "--bots: 1 to 5 bots."),
        (["match", "--bots", ""], "--bots: 1 to 5 bots."),
        (["match", "--bots", " , "], "--bots: 1 to 5 bots."),
        (["play", "--bots", ",".join(["random"] * 5)], "--bots: 4 bots at most."),
        (["play", "--seat", "5"], "--seat 5: with 1 bots there are 2 seats."),
        (["play", "--seat", "2", "--bots", ""], "--seat 2: with 0 bots there are 1 seats."),
    ],
)
def test_a_table_that_cannot_be_is_refused(arguments: list[str], said: str) -> None:
    result = finspan(*arguments, "--local")
    assert result.exit_code == 2
    assert result.output.endswith(f"Error: {said}\n")


@pytest.mark.parametrize("command", ["demo", "match", "match --jobs 2", "play"])
def test_certificates_are_for_servers(tmp_path: Path, command: str) -> None:
    (tmp_path / "ca.pem").touch()
    result = finspan(*command.split(), "--local", "--ca-file", str(tmp_path / "ca.pem"))
    assert result.exit_code == 2
    assert "--local and --ca-file exclude each other" in result.output


def test_all_bots_have_every_seat_as_often() -> None:
    result = finspan("match", "--bots", "random,random,random", "--games", "1", "--seed", "m", "--local")
    assert result.exit_code == 0, result.output
    assert result.stderr == "3 games instead of 1: each seed with everybody in every seat.\n"
    assert result.stdout.startswith("3 of 3 games, seed m ")
    assert "instead" not in finspan("match", "--games", "2", "--local").output


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_match_that_fails_shows_what_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: str
) -> None:
    (tmp_path / "late_bots.py").write_text(LATE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    arguments = ["--bots", "random,late_bots:Late", "--games", "2", "--seed", "m", "--local", "--jobs", jobs]
    result = finspan("match", *arguments, "--out", "games.jsonl")
    assert result.exit_code == 1
    assert result.stdout.startswith("1 of 2 games, seed m ")
    assert "│ Total " in result.stdout
    assert result.stderr.startswith("Error: None is no move; return one of game.legal_moves.\nLate had to ")
    assert len((tmp_path / "games.jsonl").read_text().splitlines()) == 1


LATE = """
class Late:
    def choose(self, game):
        return None if game.state.players[0].display_name == "Late" else game.legal_moves[0]
"""


def test_the_help_of_each_command_stands_in_a_line() -> None:
    said = finspan("--help").output.partition("Commands:")[2]
    assert "..." not in said
    assert len(said.split("\n  ")) == 1 + len(cli.main.commands)


@pytest.mark.parametrize("command", ["demo --quiet", "play"])
@pytest.mark.parametrize(("width", "said"), [(79, True), (80, False)])
def test_a_narrow_terminal_is_told_at_the_start(
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    width: int,
    said: bool,  # noqa: FBT001  a table's column
) -> None:
    monkeypatch.setattr(screen, "WIDTH", width)
    result = finspan(*command.split(), "--local")
    assert result.output.startswith("The tables need 80 columns, and there are 79 here: ") == said


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
    again = result.output.splitlines()[-1]
    assert result.output.endswith(f"\nYou have left the game. The same one again:\n{again}\n")
    assert again.startswith("  finspan play --bots greedy --name ")
    assert "--seed p " in again
    assert not out.exists()


def test_who_leaves_is_told_all_options_of_the_game() -> None:
    options = [
        "--bots",
        "random,greedy",
        "--name",
        "Ada L.",
        "--seat",
        "3",
        "--seed",
        "it's p",
        "--side",
        "b",
    ]
    options += REEFS
    result = CliRunner().invoke(cli.main, ["play", *options, "--local"], input="quit\n")
    command = shlex.split(result.output.splitlines()[-1])
    assert command == ["finspan", "play", *options, "--local"]
    again = CliRunner().invoke(cli.main, command[1:], input="quit\n")
    assert again.output == result.output


def test_who_leaves_is_told_what_was_not_given_either(real_server: str, tmp_path: Path) -> None:
    options = ["--bots", "", "--address", real_server, "--out", str(tmp_path / "my games")]
    environment = {"FINSPAN_TOKEN": "secret"}
    result = CliRunner().invoke(cli.main, ["play", *options], input="quit\n", env=environment)
    again = result.output.splitlines()[-1]
    assert re.search(
        r"finspan play --bots '' --name \S+ --seat 1 --seed [0-9a-f]{8} --side a --address ", again
    )
    assert again.endswith(f"--out '{tmp_path / 'my games'}'")
    assert "secret" not in result.output
