"""A match on the command line: where it is played, how far it is, and what has come of it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from finspan.game import Game
from finspan.jobs import Place, play_games, play_in_processes
from finspan.matches import standings, whole
from finspan.playing import Played
from finspan.reaching import CA_FILE, client_at, failures_told, service_at, signals_unwind
from finspan.records import Record, Setup
from finspan.screen import console
from finspan.tables import results_table

RESULTS: Final = "{} of {} games, seed {}"
WEEKS, TURNS = 4, 6
"""How long a game is (R3.1)."""


class Bar(NamedTuple):
    """What moves a bar of games on."""

    on_move: Callable[[Played[Game]], None]
    """After a move, where one game is played after the other."""
    on_game: Callable[[], None]
    """After a game, where several are played at once."""


class Match(NamedTuple):
    """The games of a match, and who plays them."""

    entries: Sequence[str]
    """What names the bots, as on the command line."""
    setups: Sequence[Setup]
    jobs: int
    """How many games are played at once."""


def whole_games(games: int, players: int) -> int:
    """Return how many games it takes that everybody has every seat as often, and say so if it is more."""
    all_games = whole(games, players)
    if all_games > games:
        click.echo(f"{all_games} games instead of {games}: each seed with everybody in every seat.", err=True)
    return all_games


@contextmanager
def games_at(address: str | None, match: Match, bar: Bar, *, local: bool) -> Iterator[Iterator[Record]]:
    """Yield the games of a match as they are played: here, or in processes if several are at once."""
    entries, setups, jobs = match
    if jobs == 1:
        with service_at(address, local=local) as service:
            yield play_games(service, entries, setups, bar.on_move)
        return
    with (
        _place_at(address, local=local) as place,
        closing(play_in_processes(place, entries, setups, jobs, bar.on_game)) as games,
    ):
        yield games


@contextmanager
def _place_at(address: str | None, *, local: bool) -> Iterator[Place]:
    """Yield where other processes find the service that `service_at` yields."""
    if local:
        with service_at(address, local=local):
            yield Place()
        return
    path: Path | None = click.get_current_context().meta.get(CA_FILE)
    with signals_unwind(), failures_told(), client_at(address) as (where, _):
        yield Place(where, path.read_bytes() if path else None)


@contextmanager
def progress_of(games: int, records: Sequence[Record]) -> Iterator[Bar]:
    """Show a bar of games on the standard error if it is a terminal; yields what moves it on."""
    console = Console(stderr=True)
    columns = TextColumn("Games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=games)

        def advance(played: Played[Game]) -> None:
            state = played.after.state
            turns = (state.week - 1) * TURNS + state.turn - 1
            progress.update(task, completed=len(records) + turns / (WEEKS * TURNS))

        yield Bar(advance, lambda: progress.advance(task))


@contextmanager
def results_shown(records: Sequence[Record], games: int, seed: str) -> Iterator[None]:
    """Show at the end what was played, also if that is not all: after Ctrl-C, or before an error is told."""
    try:
        yield
    except KeyboardInterrupt:
        pass
    except Exception:
        if records:
            show_results(records, RESULTS.format(len(records), games, seed))
        raise
    show_results(records, RESULTS.format(len(records), games, seed))


def show_results(records: Sequence[Record], title: str) -> None:
    """Show how the players of these games have done, below a title."""
    if records:
        console().print(results_table(standings(records), title))
    else:
        click.echo(title)
