"""`finspan play` in a terminal of its own, with its own server, as a person has it."""

import fcntl
import os
import pty
import re
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from select import select
from time import monotonic, sleep

import pytest

import finspan
from finspan import Game
from finspan.v1 import finspan_pb2 as v1

SECONDS = 40
SETTLED = 0.5
"""Seconds until a prompt that is shown is waited at: a signal before that is only seen with the next key."""
ESCAPE = re.compile(rb"\x1b\[[0-9;?]*[a-zA-Z]|\r")


def _take_terminal() -> None:
    """Make the standard input the terminal whose keys are signals."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Terminal:
    """A terminal of 100 columns in which a command runs."""

    def __init__(self, *arguments: str) -> None:
        self._ours, theirs = pty.openpty()
        environment = {**os.environ, "COLUMNS": "100", "LINES": "60", "TERM": "xterm-256color"}
        self.process = subprocess.Popen(  # noqa: S603  our own command
            [sys.executable, "-m", "finspan", *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment,
            start_new_session=True,
            preexec_fn=_take_terminal,  # noqa: PLW1509  no locks are held here
        )
        os.close(theirs)
        self._text = b""

    def prompts(self) -> str:
        """Return all that is shown up to the next prompt, when it is waited at."""
        shown = self.says("> ")
        sleep(SETTLED)
        return shown

    def says(self, text: str) -> str:
        """Return all that is shown up to this text."""
        end = monotonic() + SECONDS
        while text.encode() not in self._text:
            assert select([self._ours], [], [], end - monotonic())[0], self._text.decode()
            self._text += ESCAPE.sub(b"", os.read(self._ours, 65536))
        shown, _, self._text = self._text.partition(text.encode())
        return shown.decode()

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def close(self) -> None:
        self.process.terminate()  # not killed: it has a server to end
        self.process.wait(SECONDS)
        os.close(self._ours)


@contextmanager
def terminal(*arguments: str) -> Iterator[Terminal]:
    shown = Terminal(*arguments)
    try:
        yield shown
    finally:
        shown.close()


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds the server's process in /proc")
@pytest.mark.parametrize("key", ["\x03", "\x04", "quit\n"], ids=["Ctrl-C", "Ctrl-D", "quit"])
def test_a_person_plays_and_leaves_no_server_behind(key: str) -> None:
    with terminal("play", "--seed", "t1", "--name", "Ada") as shown:
        table = shown.prompts()
        assert "Ada: play a fish or dive (week 1, turn 1)." in table
        assert max(map(len, table.splitlines())) <= 100
        servers = children(shown.process.pid)
        shown.type("dive:purple\n")
        assert "the Twilight bonus of the purple site" in shown.prompts()
        shown.type(key)
        shown.says("You have left the game. The same one again:")
        shown.says("finspan play --bots greedy --name Ada --seat 1 --seed t1 --side a")
        assert shown.process.wait(SECONDS) == 0
        assert len(servers) == 1
        assert not Path(f"/proc/{servers[0]}").exists()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds the processes in /proc")
@pytest.mark.parametrize("is_begun", [False, True], ids=["at the start", "in the middle"])
def test_a_match_in_processes_is_left_clean(is_begun: bool) -> None:  # noqa: FBT001  a table's column
    with terminal("match", "--games", "9000", "--seed", "t1", "--jobs", "2", "--local") as shown:
        shown.says("/9000 0:" if is_begun else " 0/9000")  # how long it will take is told once it has begun
        end = monotonic() + SECONDS
        while len(processes := children(shown.process.pid)) < 3:
            assert monotonic() < end
        shown.type("\x03")
        assert "Traceback" not in shown.says(" of 9000 games, seed t1")
        assert shown.process.wait(SECONDS) == 1
        while any(Path(f"/proc/{process}").exists() for process in processes):
            assert monotonic() < end
            sleep(0.05)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds the server's process in /proc")
def test_a_terminal_that_is_closed_leaves_no_server_behind() -> None:
    with terminal("play", "--seed", "t1") as shown:
        shown.prompts()
        servers = children(shown.process.pid)
        shown.process.send_signal(signal.SIGHUP)
        assert shown.process.wait(SECONDS) == 128 + signal.SIGHUP
        assert not Path(f"/proc/{servers[0]}").exists()


def test_what_is_typed_while_others_decide_is_no_move(real_server: str) -> None:
    with finspan.Client(real_server) as client:
        game, tokens = Game.host(client, 2, names=["Ada", "Bob"])
        seats = [Game.join(client, game.game_id, token) for token in tokens]
        other = seats[game.seat]
        waiting = 1 - game.seat
        arguments = ["--address", real_server, f"--game={game.game_id}", "--token", tokens[waiting]]
        with terminal("play", *arguments) as shown:
            shown.says("Waiting for ")
            shown.type("1\nmoves")
            shown.says("1\nmoves")  # the terminal has taken it
            while (other := other.latest()).is_own_turn:
                other = other.apply(other.legal_moves[0])
            shown.prompts()
            shown.type("quit\n")
            shown.says("You have left the table.")
        moved = {entry.seat for entry in game.log() if entry.kind == v1.LOG_ENTRY_KIND_MOVE}
    assert moved == {other.own_seat}
