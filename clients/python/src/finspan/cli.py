"""The command `finspan`."""

import secrets
import shlex
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from getpass import getuser
from importlib import import_module
from pathlib import Path
from time import sleep
from typing import Any, BinaryIO, Final, NoReturn, TypeVar, get_args

import click
from click.core import ParameterSource
from rich.console import Console

from finspan.bots import Bot
from finspan.calls import Expansion, Side
from finspan.demo import play_demo
from finspan.entries import entered, names_of
from finspan.game import Game
from finspan.hosted import ALONE, LEFT_BY_BOTS, HostedTable, invitations, look_after, seat_lines
from finspan.keeping import kept, recorded
from finspan.matches import schedule
from finspan.narrator import Every, Narrator
from finspan.reaching import (
    CA_FILE,
    client_at,
    failures_told,
    server_options,
    service_at,
    service_options,
    signals_unwind,
)
from finspan.records import BadRecord, Record, ReplayDiffers, Setup, replay
from finspan.running import Match, games_at, progress_of, results_shown, show_results, whole_games
from finspan.screen import console, stage
from finspan.services import Service
from finspan.serving import SERVER_MODULE, require_service
from finspan.tables import player_names, score_table
from finspan.terminal import Left, TerminalGame

MOST_PLAYERS: Final = 5
SEED_BYTES: Final = 4
FAREWELL_SECONDS: Final = 10.0
"""How long a server stays after its hosted game, so that all who look at it now and then see its end."""
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
    "--players",
    type=click.IntRange(1, MOST_PLAYERS),
    default=2,
    show_default=True,
    help="How many bots play.",
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
            stage(),
            seed=seed,
            side=side,
            expansions=expansions,
            every=every,
            quiet=quiet,
        )


@main.command(short_help="Play in the terminal, against bots or in a hosted game.")
@click.option(
    "--bots",
    default="greedy",
    show_default=True,
    metavar="BOT,...",
    help="Whom you play against: greedy, random, module:Class; none if it is empty.",
)
@click.option("--name", default=getuser, help="What you are called.  [default: as you are logged in]")
@click.option(
    "--seat", type=click.IntRange(1, MOST_PLAYERS), default=1, show_default=True, help="Where you sit."
)
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
    _require_seat(seat, len(_listed(bots)))
    seed = seed or _new_seed()
    with (
        kept(out) as keep,
        service_at(address, local=local) as service,
        entered(_listed(bots), seed=seed) as others,
    ):
        seats: list[tuple[str, Bot | None]] = list(others.items())
        seats.insert(seat - 1, (name, None))
        setup = Setup(seed, tuple(called for called, _ in seats), side, expansions=tuple(expansions))
        again = _command_again(bots=bots, name=name, seat=str(seat), seed=seed, side=side)
        game = _at_the_table(setup.begin(service), [bot for _, bot in seats], again)
        if game.is_over:
            keep(Record.of(setup, game))


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


@main.command(short_help="Let bots play many games.")
@click.option(
    "--bots",
    default="greedy,random",
    show_default=True,
    metavar="BOT,...",
    help="Who plays, 1 to 5: greedy, random, module:Class.",
)
@click.option(
    "--games",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    help="How many games; some more if it takes them to have everybody in every seat.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="How many are played at once, each in a process of its own.",
)
@_game_options
@service_options
@_OUT
def match(
    bots: str,
    games: int,
    jobs: int,
    seed: str | None,
    side: Side,
    expansions: Sequence[Expansion],
    address: str | None,
    local: bool,
    out: Path | None,
) -> None:
    """Let bots play many games, each seed with everybody in every seat, and show how they do."""
    entries = _listed(bots)
    if not 1 <= len(entries) <= MOST_PLAYERS:
        raise click.UsageError(f"--bots: 1 to {MOST_PLAYERS} bots.")
    seed = seed or _new_seed()
    games = whole_games(games, len(entries))
    setups = list(schedule(list(names_of(entries)), games, seed=seed, side=side, expansions=expansions))
    records: list[Record] = []
    with (
        results_shown(records, games, seed),
        kept(out) as keep,
        progress_of(games, records) as bar,
        games_at(address, Match(entries, setups, jobs), bar, local=local) as played,
    ):
        for record in played:
            records.append(record)
            keep(record)
    sys.exit(len(records) < games)


@main.command(name="replay")
@click.argument("file", type=click.File("rb"))
@click.option("--game", "number", type=click.IntRange(1), help="Only this game of the file, counted from 1.")
@click.option("--text", is_flag=True, help="Tell the games.")
@service_options
def replay_file(file: BinaryIO, number: int | None, text: bool, address: str | None, local: bool) -> None:
    """Play recorded games again, and check that they come out the same."""
    games = recorded(file)
    chosen = {at: game for at, game in games.items() if number in (None, at)}
    if not chosen:
        raise click.ClickException(
            f"{file.name} has no game{f' {number}' if number else ''}: it has {len(games)}."
        )
    _require_record(file.name, chosen)
    told_on = stage() if text else None
    with service_at(address, local=local) as service:
        same = [
            game
            for at, game in chosen.items()
            if _comes_out(service, f"{file.name}, game {at}", game, told_on)
        ]
    records = [game for game in same if isinstance(game, Record)]
    show_results([] if text else records, f"{len(same)} of {len(chosen)} games came out as recorded")
    sys.exit(len(same) < len(chosen))


def _new_seed() -> str:
    return secrets.token_hex(SEED_BYTES)


def _listed(bots: str) -> list[str]:
    return [bot.strip() for bot in bots.split(",") if bot.strip()]


def _at_the_table(game: Game, bots: Sequence[Bot | None], again: str) -> Game:
    """Let a person play against bots, and return the last state of the game.

    Args:
        game: The game before its first move.
        bots: Who plays, by seat; the seat of the person has none.
        again: The command that makes the same game.

    """
    with suppress(ImportError):
        import_module("readline")  # it then gives the prompt its history
    others = {seat: bot for seat, bot in enumerate(bots) if bot is not None}
    table = TerminalGame(game, others, stage(), ask=input)
    try:
        table.play()
    except Left:
        click.echo(f"\nYou have left the game. The same one again:\n  {again}")
    return table.game


def _play_hosted(game_id: str, token: str, address: str | None) -> None:
    """Let a person play a seat of a hosted game, or watch it."""
    _require_alone({"game_id", "token", "address", "ca_file"})
    if address is None:
        raise click.UsageError("--game needs --address: the server that hosts it.")
    with suppress(ImportError):
        import_module("readline")
    with signals_unwind(), failures_told(), client_at(address) as (_, client):
        table = HostedTable(Game.join(client, game_id, token), stage(), ask=input)
        try:
            table.play()
        except Left:
            click.echo("\nYou have left the table. The game goes on; the same command brings you back.")


def _require_alone(names: set[str]) -> None:
    """Refuse options of a new game where a hosted one is to be played."""
    if given := [option for name, option in _given().items() if name not in names]:
        raise click.UsageError(f"{', '.join(given)}: not with --game, which was set up before.")


def _require_seat(seat: int, bots: int) -> None:
    """Refuse a table of too many, and a seat that it has not."""
    if bots >= MOST_PLAYERS:
        raise click.UsageError(f"--bots: {MOST_PLAYERS - 1} bots at most.")
    if seat > bots + 1:
        raise click.UsageError(f"--seat {seat}: with {bots} bots there are {bots + 1} seats.")


def _require_record(name: str, games: Mapping[int, Record | BadRecord]) -> None:
    """Refuse a file in which no game is one."""
    number, first = next(iter(games.items()))
    if not any(isinstance(game, Record) for game in games.values()):
        raise click.ClickException(f"{name}, game {number}: {first}")


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
    console().print(score_table(game.score(), names, "Final score", has_reefs=game.has_reefs))
    if orphaned is None:
        sleep(FAREWELL_SECONDS)


def _command_again(**chosen: str) -> str:
    """Return the command that makes the same game again, quoted for a shell.

    Args:
        chosen: What the game depends on; expansions, and where it is played, are those of this command.

    """
    context = click.get_current_context()
    given = context.params | {"ca-file": context.meta.get(CA_FILE)}
    words = [word for option, value in chosen.items() for word in (f"--{option}", value)]
    for name, expansion in EXPANSIONS.items():
        words += ["--expansion", name] if expansion in given["expansions"] else []
    for name in ("address", "ca-file", "out"):
        words += [f"--{name}", str(given[name])] if given[name] else []
    return shlex.join(["finspan", "play", *words, *(["--local"] if given["local"] else [])])


def _comes_out(service: Service, name: str, game: Record | BadRecord, told_on: Console | None) -> bool:
    """Play a recorded game again, and return whether it comes out the same; if not, say why.

    Args:
        service: What it is played through.
        name: What it is called.
        game: Its record, or why there is none.
        told_on: Where it is told, if it is.

    """
    if isinstance(game, BadRecord):
        click.echo(f"{name}: {game}")
        return False
    moves = replay(service, game)
    try:
        if told_on:
            Narrator(told_on).tell(game.setup, moves)
        deque(moves, 0)
    except ReplayDiffers as error:
        seed = game.setup.seed.encode(errors="backslashreplace").decode()  # it may be no text at all
        click.echo(f"{name}, seed {seed}: {error}")
        return False
    return True
