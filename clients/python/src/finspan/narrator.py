"""A game told in the terminal, while it is played or from its record."""

from collections.abc import Iterable
from typing import Final, Literal

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.table import Table
from rich.text import Text

from finspan.game import Game
from finspan.playing import Played
from finspan.records import Setup
from finspan.tables import ocean_table, player_names, score_table

Every = Literal["move", "turn", "week"]
"""How often oceans are shown."""

HEADING_WIDTH: Final = 16
"""How wide the column of headings is, unless a name is longer."""


class Narrator:
    """Tells a game.

    Args:
        console: Where.
        every: When oceans are shown: after a move or a turn that of the one who made it, after a week all.
        quiet: Whether only the score sheets are shown.

    """

    def __init__(self, console: Console, *, every: Every = "week", quiet: bool = False) -> None:
        self._console = console
        self._every = every
        self._quiet = quiet
        self._heading = ""

    def tell(self, setup: Setup, moves: Iterable[Played[Game]]) -> None:
        """Tell a whole game, as its moves are made."""
        for number, played in enumerate(moves):
            if number == 0:
                self._opening(setup, played.before)
            self._move(played)
            if is_week_over(played):
                self._week(played)
            if played.after.is_over:
                self._say(f"{played.after.state.version} moves, digest {played.after.digest}")

    def _opening(self, setup: Setup, game: Game) -> None:
        sets = "".join(f", {expansion.replace('_', '-')}" for expansion in setup.expansions)
        self._say(f"Rules version {game.state.rules_version}, seed {setup.seed}{sets}")
        for achievement in game.state.achievements:
            self._say(game.catalog.achievements[achievement].text)
        self._say()

    def _move(self, played: Played[Game]) -> None:
        """Tell a move, under a heading of its own if the turn or the player has changed."""
        if self._quiet:
            return
        state, seat = played.before.state, played.before.seat
        names = player_names(state.players)
        turn = f"{state.week}.{state.turn} "
        heading = turn + names[seat]
        width = max(HEADING_WIDTH, cell_len(turn) + max(map(cell_len, names)) + 1)
        shown = "" if heading == self._heading else heading
        self._say(set_cell_size(shown, width) + played.move.text)
        self._heading = heading
        if self._every == "move" or (self._every == "turn" and is_turn_over(played)):
            self._ocean(played.after, seat)

    def _week(self, played: Played[Game]) -> None:
        self._say()
        state, score = played.after.state, played.after.score()
        for seat in () if self._quiet else range(len(state.players)):
            self._ocean(played.after, seat)
        title = "Final score" if score.over else f"Score after week {played.before.state.week}"
        names = player_names(state.players)
        self._show(score_table(score, names, title, has_reefs=played.after.has_reefs))

    def _ocean(self, game: Game, seat: int) -> None:
        players = game.state.players
        self._show(ocean_table(players[seat], game.catalog, player_names(players)[seat]))

    def _say(self, text: str = "") -> None:
        self._console.print(Text(text))

    def _show(self, table: Table) -> None:
        self._console.print(table, "")


def is_turn_over(played: Played[Game]) -> bool:
    """Return whether a move was the last of its turn."""
    before, after = played.before.state, played.after.state
    turns = [(state.week, state.turn, state.seat) for state in (before, after)]
    return played.after.is_over or turns[0] != turns[1]


def is_week_over(played: Played[Game]) -> bool:
    """Return whether a move was the last of its week."""
    return played.after.is_over or played.before.state.week != played.after.state.week
