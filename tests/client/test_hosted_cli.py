"""`finspan host` and `finspan play --game`: what they print, and how they end when something is amiss."""

import asyncio
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import grpc
import pytest
from click.testing import CliRunner, Result

import finspan
from finspan import Game, cli, hosted, reaching, serving
from service.testing import running_server
from tests.client.certificates import certificate
from tests.client.conftest import StubServer
from tests.client.relay import Relay

SECONDS = 50


def run(*arguments: str, said: str = "", env: dict[str, str] | None = None) -> Result:
    return CliRunner().invoke(cli.main, arguments, input=said, env=env)


class Invitation(NamedTuple):
    """What a player is given: who it is for, and the command."""

    name: str
    command: str

    @property
    def arguments(self) -> list[str]:
        return shlex.split(self.command)[1:]

    @property
    def token(self) -> str:
        return self.arguments[-1]


def invitations(said: str) -> list[Invitation]:
    return [Invitation(*found) for found in re.findall(r"^(.+):\n  (finspan play .+)$", said, re.MULTILINE)]


def hosted_at(address: str, *options: str) -> list[Invitation]:
    """Return the invitations to a new game on a server."""
    result = run("host", "--address", address, *options)
    assert result.exit_code == 0, result.output
    return invitations(result.output)


def test_each_player_is_given_a_command(real_server: str) -> None:
    result = run("host", "--address", real_server, "--names", "Ada, Bob,Bob", "--side", "b")
    assert result.exit_code == 0, result.output
    given = invitations(result.output)
    assert [one.name for one in given] == ["Ada", "Bob", "Bob"]
    assert len({one.token for one in given}) == 3
    for seat, one in enumerate(given):
        said = run(*one.arguments, said="quit\n")
        assert said.exit_code == 0, said.output
        assert said.output.startswith(f"You are {one.name}. ")
        assert one.arguments[:3] == ["play", "--address", real_server]
        with finspan.Client(real_server) as client:
            game_id = one.arguments[3].removeprefix("--game=")
            assert Game.join(client, game_id, one.token).own_seat == seat


@pytest.fixture
def nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let everybody who would wait leave instead."""

    def leave(_seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(hosted, "sleep", leave)


@pytest.fixture(autouse=True)
def _nobody_waits(nobody_waits: None) -> None:
    """Let no test of this file hang."""


def test_all_options_of_a_game_reach_it(real_server: str) -> None:
    result = run(
        *("host", "--address", real_server, "--public", "--expansion", "sharks-and-reefs", "--side", "b")
    )
    given = invitations(result.output)
    assert [one.name for one in given] == ["Player 1", "Player 2", "Whoever wants to watch"]
    assert "--token" not in given[-1].command
    with finspan.Client(real_server) as client:
        game = Game.join(client, given[-1].arguments[-1].removeprefix("--game="))
    assert game.has_reefs
    assert game.state.options.side == 2


def test_who_leaves_can_come_back(real_server: str) -> None:
    (ada,) = hosted_at(real_server, "--names", "Ada")
    first = run(*ada.arguments, said="dive:purple\n")
    again = run(*ada.arguments, said="log\nquit\n")
    assert first.output.endswith(
        "\nYou have left the table. The game goes on; the same command brings you back.\n"
    )
    assert "Ada: play a fish or dive" in first.output
    assert "Ada: play a fish or dive" not in again.output
    assert "Ada dives in the purple site." in again.output
    assert max(map(len, (first.output + again.output).splitlines())) <= 100
    assert "\x1b" not in first.output


def test_a_whole_game_is_played_to_its_end(real_server: str) -> None:
    (ada,) = hosted_at(real_server, "--names", "Ada")
    result = run(*ada.arguments, said="1\n" * 400)
    assert result.exit_code == 0
    assert "Winner: Ada" in result.output
    assert "Final score" in run(*ada.arguments).output


def test_the_token_may_stand_in_the_environment(real_server: str) -> None:
    (ada,) = hosted_at(real_server, "--names", "Ada")
    result = run(*ada.arguments[:-2], said="quit\n", env={"FINSPAN_TOKEN": ada.token})
    assert result.output.startswith("You are Ada.")


WRONG = {
    "--token=x": "Error: It is no token of this service, or it was changed.\n",
    "--game=nowhere": "Error: There is no such game, or no longer.\n",
    "--token=": "Error: This game is private: a token is needed.\n",
}


@pytest.mark.parametrize("option", WRONG)
def test_what_is_wrong_is_said_in_a_sentence(real_server: str, option: str) -> None:
    (ada,) = hosted_at(real_server, "--names", "Ada")
    result = run(*ada.arguments, option)
    assert result.exit_code == 1
    assert result.output == WRONG[option]


@pytest.mark.parametrize("options", [["--seed", "s"], ["--local"], ["--bots", "random"], ["--seat", "2"]])
def test_options_of_a_new_game_are_refused(options: list[str]) -> None:
    result = run("play", "--game", "g", "--address", "localhost:1", *options)
    assert result.exit_code == 2
    assert f"Error: {options[0]}: not with --game" in result.output


def test_a_token_is_for_a_hosted_game() -> None:
    result = run("play", "--local", "--token", "t")
    assert result.exit_code == 2
    assert "Error: --token: only with --game." in result.output
    assert run("play", "--local", said="quit\n", env={"FINSPAN_TOKEN": "t"}).exit_code == 0


def test_a_hosted_game_has_an_address() -> None:
    result = run("play", "--game", "g")
    assert result.exit_code == 2
    assert "--game needs --address" in result.output


def test_a_server_that_hosts_none_says_so() -> None:
    with serving.server("--workers", "2") as address:
        for arguments in (["host"], ["play", "--game", "g"]):
            result = run(*arguments, "--address", address)
            assert result.exit_code == 1
            assert re.fullmatch(r"Error: .*several workers need Redis for that\.\n", result.output)


def test_nobody_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reaching, "READY_SECONDS", 0.2)
    result = run("play", "--game", "g", "--address", "localhost:1")
    assert result.exit_code == 1
    assert result.output.startswith("Error: No server is ready at localhost:1: ")


@pytest.mark.parametrize("how", ["--ca-file", "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH"])
def test_an_address_may_ask_for_tls(local: finspan.LocalService, tmp_path: Path, how: str) -> None:
    key, chain = certificate("localhost")
    roots = tmp_path / "roots.pem"
    roots.write_bytes(chain)
    stub = StubServer()
    relay = Relay(local, stub)
    server = stub.start(grpc.ssl_server_credentials([(key, chain)]))
    try:
        said = subprocess.run(  # noqa: S603  our own command
            [
                *(sys.executable, "-m", "finspan", "play", "--game", "g"),
                *("--address", f"https://{stub.address}"),
                *([how, str(roots)] if how.startswith("--") else []),
            ],
            env=os.environ | ({} if how.startswith("--") else {how: str(roots)}),
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    finally:
        server.stop(None).wait()
    assert said.stderr == "Error: There is no such game, or no longer.\n"
    assert [method for method, _, _ in relay.seen] == ["GetGame"]


@pytest.mark.parametrize("address", [[], ["--address", "localhost:1"], ["--address", "http://localhost:1"]])
@pytest.mark.parametrize("command", ["host", "demo", "play --game g"])
def test_authorities_are_for_tls(tmp_path: Path, command: str, address: list[str]) -> None:
    (tmp_path / "roots.pem").write_text("")
    result = run(*command.split(), *address, "--ca-file", str(tmp_path / "roots.pem"))
    assert result.exit_code == 2
    said = "--game needs --address" if command.startswith("play") and not address else "--ca-file: only with "
    assert f"Error: {said}" in result.output


def test_authorities_that_are_not_there_are_refused() -> None:
    result = run("host", "--address", "https://localhost:1", "--ca-file", "nowhere.pem")
    assert result.exit_code == 2
    assert "'nowhere.pem' does not exist" in result.output


def test_the_key_comes_from_an_option_or_the_environment(
    local: finspan.LocalService, stub_server: StubServer
) -> None:
    relay = Relay(local, stub_server)
    result = run("host", "--address", relay.address, "--api-key", "one")
    other = run("host", "--address", relay.address, env={"FINSPAN_API_KEY": "two"})
    shown = [dict(metadata)["x-api-key"] for method, _, metadata in relay.seen if method == "NewGame"]
    assert shown == ["one", "two"]
    assert result.output == other.output == "Error: The key is none of this service's.\n"


async def test_without_its_key_a_server_makes_no_game() -> None:
    async with running_server(api_keys="the key of a maker") as server:
        command = [sys.executable, "-m", "finspan", "host", "--address", server.address]
        without, with_it = [
            await _said(command),
            await _said([*command, "--api-key", "the key of a maker"]),
        ]
    assert without == "Error: To make games, a key is needed.\n"
    assert len(invitations(with_it)) == 2


async def _said(command: list[str]) -> str:
    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    said, _ = await process.communicate()
    return said.decode()


def test_bots_take_the_seats_behind_the_people(real_server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seats: list[list[int | None]] = []

    def looked_after(game: Game, bots: dict[int, tuple[Game, finspan.Bot]]) -> Game:
        seats.append([seat.own_seat for seat, _ in bots.values()])
        assert [type(bot) for _, bot in bots.values()] == [finspan.GreedyBot, finspan.RandomBot]
        return game

    monkeypatch.setattr(cli, "look_after", looked_after)
    result = run("host", "--address", real_server, "--bots", "greedy,random")
    assert result.exit_code == 0, result.output
    assert [one.name for one in invitations(result.output)] == ["Player 1"]
    assert seats == [[1, 2]]
    assert "│ Player 1 │ greedy │ random │" in result.output


def test_a_host_with_a_server_of_its_own_says_who_reaches_it_and_that_it_ends() -> None:
    result = run("host", "--names", "Ada", "--bots", "greedy")
    assert result.exit_code == 0
    assert "\nThe server runs for this machine alone. " in result.output
    assert result.output.endswith("\nThe game is not over: it has ended with its server.\n")
    assert [one.name for one in invitations(result.output)] == ["Ada"]


def test_a_host_that_leaves_says_how_its_bots_seats_are_taken_up_again(real_server: str) -> None:
    result = run("host", "--address", real_server, "--bots", "greedy,random", "--names", "Ada")
    assert result.exit_code == 0
    assert "this machine alone" not in result.output
    before, _, after = result.output.partition("\nThe game is not over, and its bots have left it. ")
    assert "(EndGame\nwith bot_seat)" in after
    (ada,), bots = invitations(before), invitations(after)
    assert [one.name for one in bots] == ["greedy", "random"]
    with finspan.Client(real_server) as client:
        for seat, one in enumerate([ada, *bots]):
            game_id = one.arguments[3].removeprefix("--game=")
            assert Game.join(client, game_id, one.token).own_seat == seat


ENDS: dict[int, BaseException] = {1: finspan.NotAMove("jump"), 143: SystemExit(143)}
"""How a host may end before its game by the exit code: a bot that fails, a signal."""


@pytest.mark.parametrize("code", ENDS)
def test_a_host_that_fails_leaves_the_seats_of_its_bots_too(
    real_server: str, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def fail(*_: object) -> Game:
        raise ENDS[code]

    monkeypatch.setattr(cli, "look_after", fail)
    result = run("host", "--address", real_server, "--bots", "greedy,greedy")
    assert result.exit_code == code
    assert [one.name for one in invitations(result.output)] == ["Player 1", "greedy", "greedy 2"]
    assert "Traceback" not in result.output


def test_a_server_of_ones_own_stays_a_while_after_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    stayed: list[float] = []
    monkeypatch.setattr(cli, "look_after", lambda game, _bots: game)
    monkeypatch.setattr(cli, "sleep", stayed.append)
    assert "Final score" in run("host").output
    assert stayed == [cli.FAREWELL_SECONDS]


def test_a_game_of_a_person_and_a_bot_in_two_processes() -> None:
    """As people have it: one hosts with a server of one's own and a bot, and plays in another terminal."""
    command = [sys.executable, "-u", "-m", "finspan"]
    host = subprocess.Popen([*command, "host", "--bots", "greedy"], stdout=subprocess.PIPE, text=True)  # noqa: S603  our own command
    try:
        assert host.stdout is not None
        lines = [host.stdout.readline() for _ in range(5)]
        (player,) = invitations("".join(lines))
        said = subprocess.run(  # noqa: S603  our own command
            [*command, *player.arguments],
            input="dive:blue\nscore\n",
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=True,
        )
    finally:
        host.terminate()
        host.communicate(timeout=SECONDS)
    assert "Player 1: play a fish or dive" in said.stdout
    assert "The game goes on; the same command brings you back." in said.stdout
    assert not said.stderr
