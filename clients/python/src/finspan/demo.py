"""A whole game of bots, told in the terminal."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Final, Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text

from finspan.bots import Bot, RandomBot
from finspan.calls import Side
from finspan.catalog import Catalog
from finspan.client import Service
from finspan.greedy import GreedyBot
from finspan.matches import Played, play
from finspan.tables import ocean_table, player_names, score_table
from finspan.v1 import finspan_pb2 as v1

Every = Literal["move", "turn", "week"]
"""How often oceans are shown."""

HEADING_WIDTH: Final = 16


@dataclass(frozen=True, slots=True)
class Setup:
    """What a demo plays: the same setup is the same game."""

    players: int
    seed: str
    side: Side

    @property
    def bots(self) -> Mapping[str, Bot]:
        """The bots by name, in the order of their seats: greedy ones and random ones in turn."""
        kinds = islice(cycle(("Greedy", "Random")), self.players)
        return {f"{kind} {number}": self._bot(kind, number) for number, kind in enumerate(kinds, start=1)}

    def _bot(self, kind: str, number: int) -> Bot:
        return GreedyBot() if kind == "Greedy" else RandomBot(f"{self.seed} {number}")


class Narrator:
    """Tells a game while it is played.

    Args:
        console: Where.
        catalog: The catalogue.
        every: When oceans are shown: after a move or a turn that of the one who made it, after a week all.
        quiet: Whether only the score sheets are shown.

    """

    def __init__(self, console: Console, catalog: Catalog, *, every: Every, quiet: bool) -> None:
        self._console = console
        self._catalog = catalog
        self._every = every
        self._quiet = quiet
        self._heading = ""

    def opening(self, setup: Setup, game: v1.NewGameResponse) -> None:
        """Tell what is played."""
        self._say(f"Rules version {game.state.rules_version}, seed {setup.seed}")
        for achievement in game.state.achievements:
            self._say(self._catalog.achievements[achievement].text)
        self._say()

    def move(self, played: Played) -> None:
        """Tell a move, under a heading of its own if the turn or the player has changed."""
        if self._quiet:
            return
        state, seat = played.position.state, played.position.seat
        heading = f"{state.week}.{state.turn} {player_names(state.players)[seat]}"
        self._say(f"{'' if heading == self._heading else heading:<{HEADING_WIDTH}}{played.move.text}")
        self._heading = heading
        if self._every == "move" or (self._every == "turn" and _is_turn_over(played)):
            self._ocean(played.reply.state, seat)

    def week(self, played: Played, score: v1.ScoreResponse) -> None:
        """Show the oceans and the score sheet at the end of a week."""
        self._say()
        week, state = played.position.state.week, played.reply.state
        for seat in () if self._quiet else range(len(state.players)):
            self._ocean(state, seat)
        title = "Final score" if score.over else f"Score after week {week}"
        self._show(score_table(score, player_names(state.players), title))

    def ending(self, played: Played) -> None:
        """Tell the digest, by which two runs can be compared."""
        self._say(f"{played.reply.version} moves, digest {played.reply.digest}")

    def _ocean(self, state: v1.GameState, seat: int) -> None:
        self._show(ocean_table(state.players[seat], self._catalog, player_names(state.players)[seat]))

    def _say(self, text: str = "") -> None:
        self._console.print(Text(text))

    def _show(self, table: Table) -> None:
        self._console.print(table, "")


def play_demo(service: Service, setup: Setup, console: Console, *, every: Every, quiet: bool) -> None:
    """Let bots play a game, and tell it as it happens."""
    catalog = Catalog(service.get_catalog())
    bots = setup.bots
    game = service.new_game(setup.players, seed=setup.seed, side=setup.side, names=bots)
    narrator = Narrator(console, catalog, every=every, quiet=quiet)
    narrator.opening(setup, game)
    for played in play(service, list(bots.values()), game, catalog):
        narrator.move(played)
        if _is_week_over(played):
            narrator.week(played, service.score(played.reply.state))
        if played.reply.over:
            narrator.ending(played)


def _is_turn_over(played: Played) -> bool:
    before, after = played.position.state, played.reply.state
    return played.reply.over or (before.week, before.turn, before.seat) != (
        after.week,
        after.turn,
        after.seat,
    )


def _is_week_over(played: Played) -> bool:
    return played.reply.over or played.position.state.week != played.reply.state.week
