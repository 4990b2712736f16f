"""Hosted games in the terminal: a person in one of the seats, and bots that are looked after in others."""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from time import sleep
from typing import Any, Final

from rich.console import Console

from finspan.bots import Bot
from finspan.errors import DeadlineExceeded, GameIsOver, NotYourSeat, StaleVersion, Unavailable, VersionLost
from finspan.game import POLL_SECONDS, Game
from finspan.moves import AnyMove
from finspan.terminal import COMMANDS, LOG_LINES, Command, TerminalGame
from finspan.v1 import finspan_pb2 as v1

HINT: Final = "A number, or: ocean, hand, score, ? (why not), log, help, quit."
STALE: Final = "The game has moved on meanwhile, and this move was not made."
UNANSWERED: Final = (
    "No answer came, so it is not known whether this move was made. Looking at the game again."
)
INVITATION: Final = "Who has a line below has the seat: send each player one, and keep it secret.\n"
LEFT_BY_BOTS: Final = """
The game is not over, and its bots have left it. Who has a line below can take up the seat of one, as a
person or with finspan.play_seat: keep it secret. Otherwise an administrator must seat bots there (EndGame
with bot_seat).
"""
ALONE: Final = """
The server runs for this machine alone. To play with people elsewhere, run one that they reach (finspan
serve), and give its --address.
"""
NO_UNDO: Final = "There is no undo here: the others have seen what you did."


class HostedTable(TerminalGame):
    """A hosted game for a person: as `TerminalGame`, but the others play elsewhere and are waited for.

    Nothing that is typed while others decide is read: it was meant for a table that has changed since.

    Args:
        game: The game, as `Game.join` returns it; without a seat of one's own one watches.
        console: Where it is shown.
        ask: Returns what the person says to a prompt; EOFError or KeyboardInterrupt leave the table.
        pause: How many seconds are between two looks at the game while others decide.

    """

    def __init__(
        self,
        game: Game,
        console: Console,
        ask: Callable[[str], str] = input,
        pause: float = POLL_SECONDS,
    ) -> None:
        super().__init__(game, {}, console, self._asked)
        self._ask_now = ask
        self._pause = pause
        self._has_looked = False
        self._waited_for: int | None = None
        self._is_cut_off = False

    def _begin(self) -> None:
        """Say who plays, and what has happened since the person's last move."""
        seat = self.game.own_seat
        self._say(f"You are {self._names[seat]}. {HINT}" if seat is not None else "You watch.")
        self._say(f"At the table: {', '.join(self._names)}. Ctrl-C leaves it; you can come back.")
        log = self.game.log()
        self.game = replace(self.game, events=tuple(event for entry in log for event in entry.events))
        if self.game.state.version == 0:
            self._open()
        else:
            self._tell(_since_own_move(log, seat)[-LOG_LINES:])

    def _end(self) -> None:
        if self.game.info is not None and self.game.info.status == v1.GAME_STATUS_ENDED:
            self._say("An administrator has ended the game as it stands; nobody wins.")
            self._scores("Score as it stands")
        else:
            super()._end()

    def _asked(self, prompt: str) -> str:
        """Ask the person; what was typed before the table was looked at again is not read."""
        if self._has_looked:
            discard_typed()
        self._has_looked = False
        return self._ask_now(prompt)

    def _go_on(self) -> None:
        if self.game.is_own_turn:
            self._waited_for = None
            self._listen()
        else:
            self._wait()

    def _wait(self) -> None:
        """Wait for a moment, and look at the game again."""
        if self._waited_for != self.game.seat:
            self._waited_for = self.game.seat
            self._say(f"Waiting for {self._names[self.game.seat]}.")
        sleep(self._pause)
        self._look()

    def _look(self) -> None:
        """Show what others have done, if they have."""
        self._has_looked = True
        before = self.game
        try:
            game = before.latest()
        except (Unavailable, DeadlineExceeded) as error:
            if not self._is_cut_off:
                self._say(f"The server does not answer ({error}). It is asked again.")
            self._is_cut_off = True
            return
        self._is_cut_off = False
        if game.state.version < before.state.version:
            self._say(
                f"The server has lost what was newest; the game goes on from version {game.state.version}."
            )
        if game is not before:
            self._go_to(game)

    def _make(self, move: AnyMove) -> None:
        """Make the person's move, or say what has become of it."""
        try:
            game = self.game.apply(move)
        except (StaleVersion, VersionLost, GameIsOver):
            self._say(STALE)
        except (Unavailable, DeadlineExceeded):
            self._say(UNANSWERED)
        else:
            self._go_to(game)
            return
        self._look()

    def _is_others(self, seat: int) -> bool:
        return seat != self.game.own_seat

    def _commands(self) -> Sequence[Command]:
        return HOSTED_COMMANDS

    def undo(self, _: str = "") -> None:
        """Say that there is none."""
        self._say(NO_UNDO)


HOSTED_COMMANDS: Final = tuple(
    command._replace(meaning="not in a hosted game", run=lambda table, _: table.undo())
    if command.usage == "undo"
    else command
    for command in COMMANDS
)
"""What a person can say at such a table."""


def discard_typed() -> None:
    """Discard what was typed and not read yet, if the standard input is a terminal; what is piped stays."""
    with suppress(ImportError):  # there are terminals without, on Windows
        termios: Any = import_module("termios")
        if sys.stdin.isatty():
            termios.tcflush(sys.stdin, termios.TCIFLUSH)


def invitations(game: Game, tokens: Iterable[tuple[str, str]], address: str) -> str:
    """Return how each player takes a seat, to hand out.

    Args:
        game: The game.
        tokens: The players' names and tokens.
        address: The address of the server, as the command line takes it.

    """
    text = "\n".join([f"Game {game.game_id}", INVITATION, seat_lines(game, tokens, address)])
    if game.info is not None and game.info.public_watching:
        text += f"\nWhoever wants to watch:\n  {_play_command(game, address)}"
    return text


def seat_lines(game: Game, tokens: Iterable[tuple[str, str]], address: str) -> str:
    """Return what takes each of these seats; a line is as long as its token, to be copied whole."""
    command = _play_command(game, address)
    return "\n".join(f"{name}:\n  {command} --token {token}" for name, token in tokens)


def _play_command(game: Game, address: str) -> str:
    return f"finspan play --address {address} --game={game.game_id}"


def look_after(game: Game, bots: Mapping[int, tuple[Game, Bot]], pause: float = POLL_SECONDS) -> Game:
    """Play some seats of a hosted game until it is over, and return it then; wait for a server that is away.

    Args:
        game: The game, as anybody sees it.
        bots: The game as each of these seats has it, and who plays there, by seat.
        pause: How many seconds are between two looks at the game while others decide.

    """
    while not game.is_over:
        with suppress(Unavailable, DeadlineExceeded):
            game = _bots_moved(game.latest(), bots)
        if not game.is_over:
            sleep(pause)
    return game


def _bots_moved(game: Game, bots: Mapping[int, tuple[Game, Bot]]) -> Game:
    """Let bots move as long as they decide, and return the game then."""
    while not game.is_over and game.seat in bots:
        seat, bot = bots[game.seat]
        mine = seat.latest()
        with suppress(StaleVersion, NotYourSeat, GameIsOver):  # somebody with the same token may be faster
            mine.apply(bot.choose(mine.without_hidden_part()))
        game = game.latest()
    return game


def _since_own_move(log: Sequence[v1.LogEntry], seat: int | None) -> list[v1.Event]:
    """Return what has happened since the last move of a seat."""
    own = [at for at, entry in enumerate(log) if entry.kind == v1.LOG_ENTRY_KIND_MOVE and entry.seat == seat]
    return [event for entry in log[own[-1] + 1 if own else 0 :] for event in entry.events]
