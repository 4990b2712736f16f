"""The command `finspan`."""

import secrets
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from getpass import getuser
from importlib import import_module
from pathlib import Path
from time import sleep
from typing import Any, Final, NoReturn, TextIO, TypeVar, get_args

import click
from click.core import ParameterSource
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from finspan.bots import Bot
from finspan.calls import Expansion, Side
from finspan.demo import play_demo
from finspan.entries import entered
from finspan.game import Game
from finspan.hosted import ALONE, LEFT_BY_BOTS, HostedTable, invitations, look_after, seat_lines
from finspan.matches import play_match, schedule, standings
from finspan.narrator import Every, Narrator
from finspan.playing import Played
from finspan.reaching import (
    client_at,
    failures_told,
    server_options,
    service_at,
    service_options,
    signals_unwind,
)
from finspan.records import Record, ReplayDiffers, Setup, read_records, replay
from finspan.services import Service
from finspan.serving import SERVER_MODULE, require_service
from finspan.tables import player_names, results_table, score_table
from finspan.terminal import Left, TerminalGame

WIDTH: Final = 100
"""Columns of output that goes to no terminal."""
SEED_BYTES: Final = 4
FAREWELL_SECONDS: Final = 10.0
"""How long a server stays after its hosted game, so that all who look at it now and then see its end."""
WEEKS, TURNS = 4, 6
"""How long a game is (R3.1)."""
EXPANSIONS: Final[dict[str, Expansion]] = {name.replace("_", "-"): name for name in get_args(Expansion)}
"""The expansions as the command line calls them."""

Command = TypeVar("Command", bound=Callable[..., Any])

_OUT: Final = click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Add the record of each game to this file.",
)


def _game_options(command: Command) -> Command:
    """Give a command the options of a game."""
    seed = click.option("--seed", help="The same seed is the same game.  [default: a new one]")
    return seed(_board_options(command))


def _board_options(command: Command) -> Command:
    """Give a command the options of what is played with."""
    side = click.option(
        "--side", type=click.Choice(["a", "b"]), default="a", show_default=True, help="Of achievements."
    )
    expansions = click.option(
        "--expansion",
        "expansions",
        type=click.Choice(list(EXPANSIONS)),
        multiple=True,
        callback=lambda _context, _option, given: tuple(EXPANSIONS[name] for name in dict.fromkeys(given)),
        help="Mixed into the base game; may be given several times.",
    )
    return side(expansions(command))


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="finspan", prog_name="finspan")
def main() -> None:
    """Finspan, an unofficial rules engine of the board game: play it, watch it, let bots play, run it."""


@main.command(add_help_option=False, context_settings={"ignore_unknown_options": True})
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def serve(options: tuple[str, ...]) -> NoReturn:
    """Run the service; all options are passed on to it (try --help)."""
    with failures_told():
        require_service()
    sys.exit(import_module(SERVER_MODULE).main(options))


@main.command()
@click.option(
    "--players", type=click.IntRange(1, 5), default=2, show_default=True, help="How many bots play."
)
@_game_options
@service_options
@click.option(
    "--every",
    type=click.Choice(["move", "turn", "week"]),
    default="week",
    show_default=True,
    help="How often oceans are shown.",
)
@click.option("--quiet", is_flag=True, help="Show the score sheets alone.")
def demo(
    players: int,
    seed: str | None,
    side: Side,
    expansions: Sequence[Expansion],
    address: str | None,
    local: bool,
    every: Every,
    quiet: bool,
) -> None:
    """Watch bots play a whole game through the service."""
    seed = seed or _new_seed()
    with service_at(address, local=local) as service:
        play_demo(
            service,
            players,
            _console(),
            seed=seed,
            side=side,
            expansions=expansions,
            every=every,
            quiet=quiet,
        )


@main.command()
@click.option(
    "--bots",
    default="greedy",
    show_default=True,
    metavar="BOT,...",
    help="Whom you play against: greedy, random, module:Class; none if it is empty.",
)
@click.option("--name", default=getuser, help="What you are called.  [default: as you are logged in]")
@click.option("--seat", type=click.IntRange(1, 5), default=1, show_default=True, help="Where you sit.")
@_game_options
@service_options
@_OUT
@click.option("--game", "game_id", metavar="ID", help="A hosted game at --address, instead of a new one.")
@click.option("--token", envvar="FINSPAN_TOKEN", help="Your seat in it.  [default: $FINSPAN_TOKEN, or watch]")
def play(
    bots: str,
    name: str,
    seat: int,
    seed: str | None,
    side: Side,
    expansions: Sequence[Expansion],
    address: str | None,
    local: bool,
    out: Path | None,
    game_id: str | None,
    token: str | None,
) -> None:
    """Play against bots, in the terminal, or with others in a hosted game.

    In a hosted game nothing that you type while others decide is read.
    """
    if game_id:
        _play_hosted(game_id, token or "", address)
        return
    _require_game("token")
    seed = seed or _new_seed()
    with service_at(address, local=local) as service, entered(_listed(bots), seed=seed) as others:
        seats: list[tuple[str, Bot | None]] = list(others.items())
        seats.insert(seat - 1, (name, None))
        setup = Setup(seed, tuple(called for called, _ in seats), side, expansions=tuple(expansions))
        game = _at_the_table(setup, setup.begin(service), [bot for _, bot in seats])
        if out and game.is_over:
            _add(Record.of(setup, game), out)


@main.command()
@click.option(
    "--names",
    default="",
    metavar="NAME,...",
    help="The people.  [default: Player 1, Player 2; with bots Player 1]",
)
@click.option(
    "--bots", default="", metavar="BOT,...", help="Bots in the seats behind them, played from here."
)
@_board_options
@click.option("--public", is_flag=True, help="Anybody may watch.")
@server_options("for this machine alone, until the game is over")
@click.option("--api-key", envvar="FINSPAN_API_KEY", help="If the server asks for one.  [$FINSPAN_API_KEY]")
def host(
    names: str,
    bots: str,
    side: Side,
    expansions: Sequence[Expansion],
    public: bool,
    address: str | None,
    api_key: str | None,
) -> None:
    """Make a hosted game, and say how each player takes a seat in it."""
    with (
        signals_unwind(),
        failures_told(),
        client_at(address, api_key or "") as (where, client),
        entered(_listed(bots), seed=_new_seed()) as others,
    ):
        people = _listed(names) or (["Player 1"] if others else ["Player 1", "Player 2"])
        game, tokens = Game.host(
            client,
            len(people) + len(others),
            names=[*people, *others],
            side=side,
            expansions=expansions,
            public_watching=public,
        )
        click.echo(invitations(game, list(zip(people, tokens, strict=False)), where))
        if address and not others:
            return
        seats = [Game.join(client, game.game_id, token) for token in tokens]
        played = dict(enumerate(zip(seats[len(people) :], others.values(), strict=True), start=len(people)))
        of_bots = list(zip(others, tokens[len(people) :], strict=True))
        orphaned = LEFT_BY_BOTS + "\n" + seat_lines(game, of_bots, where)
        _attend(game, played, None if address is None else orphaned)


@main.command()
@click.option(
    "--bots",
    default="greedy,random",
    show_default=True,
    metavar="BOT,...",
    help="Who plays, 1 to 5: greedy, random, module:Class.",
)
@click.option("--games", type=click.IntRange(1), default=20, show_default=True, help="How many games.")
@_game_options
@service_options
@_OUT
def match(
    bots: str,
    games: int,
    seed: str | None,
    side: Side,
    expansions: Sequence[Expansion],
    address: str | None,
    local: bool,
    out: Path | None,
) -> None:
    """Let bots play many games, each seed with everybody in every seat, and show how they do."""
    seed = seed or _new_seed()
    records: list[Record] = []
    with service_at(address, local=local) as service, entered(_listed(bots), seed=seed) as players:
        setups = schedule(list(players), games, seed=seed, side=side, expansions=expansions)
        with suppress(KeyboardInterrupt), _progress(games, records) as on_move:
            for record in play_match(service, players, setups, on_move):
                records.append(record)
                if out:
                    _add(record, out)
    _show_results(records, f"{len(records)} of {games} games, seed {seed}")
    sys.exit(len(records) < games)


@main.command(name="replay")
@click.argument("file", type=click.File())
@click.option("--game", "number", type=click.IntRange(1), help="Only this game of the file, counted from 1.")
@click.option("--text", is_flag=True, help="Tell the games.")
@service_options
def replay_file(file: TextIO, number: int | None, text: bool, address: str | None, local: bool) -> None:
    """Play recorded games again, and check that they come out the same."""
    with failures_told():
        records = read_records(file)
    chosen = {at: record for at, record in enumerate(records, start=1) if number in (None, at)}
    if not chosen:
        raise click.ClickException(f"There is no such game: the file has {len(records)}.")
    with service_at(address, local=local) as service:
        same = [record for at, record in chosen.items() if _comes_out(service, at, record, tell=text)]
    _show_results([] if text else same, f"{len(same)} of {len(chosen)} games came out as recorded")
    sys.exit(len(same) < len(chosen))


def _console() -> Console:
    return Console(highlight=False, width=None if sys.stdout.isatty() else WIDTH)


def _new_seed() -> str:
    return secrets.token_hex(SEED_BYTES)


def _listed(bots: str) -> list[str]:
    return [bot.strip() for bot in bots.split(",") if bot.strip()]


def _at_the_table(setup: Setup, game: Game, bots: Sequence[Bot | None]) -> Game:
    """Let a person play against bots, and return the last state of the game."""
    with suppress(ImportError):
        import_module("readline")  # it then gives the prompt its history
    others = {seat: bot for seat, bot in enumerate(bots) if bot is not None}
    table = TerminalGame(game, others, _console(), ask=input)
    try:
        table.play()
    except Left:
        click.echo(f"\nYou have left the game. The same one again: {_options_of(setup)}")
    return table.game


def _play_hosted(game_id: str, token: str, address: str | None) -> None:
    """Let a person play a seat of a hosted game, or watch it."""
    _require_alone({"game_id", "token", "address", "ca_file"})
    if address is None:
        raise click.UsageError("--game needs --address: the server that hosts it.")
    with suppress(ImportError):
        import_module("readline")
    with signals_unwind(), failures_told(), client_at(address) as (_, client):
        table = HostedTable(Game.join(client, game_id, token), _console(), ask=input)
        try:
            table.play()
        except Left:
            click.echo("\nYou have left the table. The game goes on; the same command brings you back.")


def _require_alone(names: set[str]) -> None:
    """Refuse options of a new game where a hosted one is to be played."""
    if given := [option for name, option in _given().items() if name not in names]:
        raise click.UsageError(f"{', '.join(given)}: not with --game, which was set up before.")


def _require_game(name: str) -> None:
    """Refuse an option of hosted games where a new one is to be played."""
    if name in _given():
        raise click.UsageError(f"{_given()[name]}: only with --game.")


def _given() -> dict[str, str]:
    """Return the options that stand in the command line, by the names of their parameters."""
    context = click.get_current_context()
    return {
        option.name: option.opts[0]
        for option in context.command.params
        if option.name and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE
    }


def _attend(game: Game, bots: Mapping[int, tuple[Game, Bot]], orphaned: str | None) -> None:
    """Stay until a hosted game is over, and play its bots; with a server of our own, a bit longer.

    Args:
        game: The game, as anybody sees it.
        bots: The game as each of these seats has it, and who plays there, by seat.
        orphaned: What to say if the bots leave before the end; None on a server of our own, which ends then.

    """
    if orphaned is None:
        click.echo(ALONE, nl=False)
    click.echo("\nLeave this running until the game is over; Ctrl-C ends it.")
    try:
        game = look_after(game, bots)
    except BaseException as end:
        with suppress(OSError):  # it may be the terminal that has gone
            click.echo(orphaned or "\nThe game is not over: it has ended with its server.")
        if isinstance(end, KeyboardInterrupt):
            return
        raise
    names = player_names(game.state.players)
    _console().print(score_table(game.score(), names, "Final score", has_reefs=game.has_reefs))
    if orphaned is None:
        sleep(FAREWELL_SECONDS)


def _options_of(setup: Setup) -> str:
    """Return the options with which the command line makes the same game."""
    side = [] if setup.side == "a" else [f"--side {setup.side}"]
    sets = [f"--expansion {name}" for name, expansion in EXPANSIONS.items() if expansion in setup.expansions]
    return " ".join([f"--seed {setup.seed}", *side, *sets])


def _add(record: Record, out: Path) -> None:
    with out.open("a", encoding="utf-8") as file:
        file.write(record.to_json() + "\n")


def _comes_out(service: Service, number: int, record: Record, *, tell: bool) -> bool:
    """Play a recorded game again, and return whether it comes out the same; if not, say why."""
    moves = replay(service, record)
    try:
        if tell:
            Narrator(_console()).tell(record.setup, moves)
        deque(moves, 0)
    except ReplayDiffers as error:
        click.echo(f"Game {number}, seed {record.setup.seed}: {error}")
        return False
    return True


def _show_results(records: Sequence[Record], title: str) -> None:
    if records:
        _console().print(results_table(standings(records), title))
    else:
        click.echo(title)


@contextmanager
def _progress(games: int, records: Sequence[Record]) -> Iterator[Callable[[Played[Game]], None]]:
    """Show a bar of games on the standard error if it is a terminal; yields what advances it by a move."""
    console = Console(stderr=True)
    columns = TextColumn("Games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=games)

        def advance(played: Played[Game]) -> None:
            state = played.after.state
            turns = (state.week - 1) * TURNS + state.turn - 1
            progress.update(task, completed=len(records) + turns / (WEEKS * TURNS))

        yield advance
